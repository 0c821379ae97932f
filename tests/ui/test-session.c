/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a window stands on, without a display: settings, recent reports, folder lists, watching,
 * the session. */

#include "config.h"

#include "tsr-folder-model.h"
#include "tsr-recents.h"
#include "tsr-remote-progress.h"
#include "tsr-report-watch.h"
#include "tsr-session.h"
#include "tsr-task.h"
#include "tsr-test.h"
#include "tsr-ui-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

/* ---------------------------------------------------------------- settings */

static void
count_up (guint *n)
{
  ++*n;
}

static void
test_settings_fallback (void)
{
  g_autoptr (TsrSettings) settings = tsr_settings_new ("org.example.not.installed");
  g_autofree char *sidebar = NULL;
  guint n_changes = 0;

  g_assert_false (tsr_settings_is_persistent (settings));
  g_assert_cmpint (tsr_settings_get_units (settings), ==, TSR_UNITS_BINARY);
  g_signal_connect_swapped (settings, "changed::units", G_CALLBACK (count_up), &n_changes);
  tsr_settings_set_string (settings, "units", "si");
  tsr_settings_set_string (settings, "units", "si");
  tsr_settings_set_string (settings, "sidebar", "icons");
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_cmpint (tsr_settings_get_units (settings), ==, TSR_UNITS_SI);
  sidebar = tsr_settings_dup_string (settings, "sidebar");
  g_assert_cmpstr (sidebar, ==, "icons");
  tsr_settings_set_string (settings, "units", "furlongs");
  g_assert_cmpint (tsr_settings_get_units (settings), ==, TSR_UNITS_BINARY);
}

static void
test_settings_words (void)
{
  g_autoptr (TsrSettings) settings = tsr_settings_new ("org.example.not.installed");
  g_auto (GStrv) before = tsr_settings_dup_strv (settings, "collapsed-sections");
  g_auto (GStrv) after = NULL;

  g_assert_false (tsr_settings_has_word (settings, "collapsed-sections", "target"));
  tsr_settings_set_word (settings, "collapsed-sections", "target", TRUE);
  tsr_settings_set_word (settings, "collapsed-sections", "target", TRUE);
  g_assert_true (tsr_settings_has_word (settings, "collapsed-sections", "target"));
  tsr_settings_set_word (settings, "collapsed-sections", "target", FALSE);
  after = tsr_settings_dup_strv (settings, "collapsed-sections");
  g_assert_cmpstrv (before, after);
}

/* The table of defaults and the installed schema say the same. */
static void
test_settings_schema (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (TsrSettings) settings = NULL;
  g_auto (GStrv) keys = NULL;
  guint n = 0;
  const char *const *defaults = tsr_settings_peek_defaults (&n);

  g_assert_nonnull (source);
  schema = g_settings_schema_source_lookup (source, TSR_APP_ID, TRUE);
  g_assert_nonnull (schema);
  keys = g_settings_schema_list_keys (schema);
  g_assert_cmpuint (g_strv_length (keys), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const char *const *triple = defaults + 3 * i;
      g_autoptr (GSettingsSchemaKey) key = NULL;
      g_autoptr (GVariant) theirs = NULL;
      g_autoptr (GVariant) ours = NULL;

      g_assert_true (g_settings_schema_has_key (schema, triple[0]));
      key = g_settings_schema_get_key (schema, triple[0]);
      theirs = g_settings_schema_key_get_default_value (key);
      ours = g_variant_parse (G_VARIANT_TYPE (triple[1]), triple[2], NULL, NULL, NULL);
      g_assert_nonnull (ours);
      g_assert_cmpvariant (theirs, ours);
    }
  settings = tsr_settings_new (TSR_APP_ID);
  g_assert_true (tsr_settings_is_persistent (settings));
}

/* ---------------------------------------------------------------- recent reports */

static TsrRecent *
recent_at (TsrRecents *recents, guint i)
{
  TsrRecent *item = g_list_model_get_item (G_LIST_MODEL (recents), i);

  g_assert_nonnull (item);
  g_object_unref (item); /* the list keeps it */
  return item;
}

/* A report of another machine: host and path apart, also when it is read again from the file, and
 * the filter finds both. */
static void
test_recents_host (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *file = g_build_filename (folder, "recent", NULL);
  const char *location = "ssh://me@node:8090/data/my%20run/training?jump=gate";

  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (TsrRecents) recents = tsr_recents_new (file);
      TsrRecent *item;

      if (round == 0)
        {
          tsr_recents_add (recents, "/data/local", "local");
          tsr_recents_add (recents, location, "training");
        }
      item = recent_at (recents, 0);
      g_assert_cmpstr (tsr_recent_get_path (item), ==, location);
      g_assert_cmpstr (tsr_recent_get_host (item), ==, "me@node:8090");
      g_assert_cmpstr (tsr_recent_get_shown_path (item), ==, "/data/my run/training");
      g_assert_true (tsr_recent_matches (item, "NODE:80"));
      g_assert_true (tsr_recent_matches (item, "my run"));
      g_assert_false (tsr_recent_matches (item, "local"));
      g_assert_null (tsr_recent_get_host (recent_at (recents, 1)));
      g_assert_cmpstr (tsr_recent_get_shown_path (recent_at (recents, 1)), ==, "/data/local");
    }
  tsr_test_folder_free (folder);
}

static void
test_recents_order (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *file = g_build_filename (folder, "deep", "er", "recent", NULL);
  g_autoptr (TsrRecents) recents = tsr_recents_new (file);
  g_autoptr (TsrRecents) again = NULL;

  for (guint i = 0; i < TSR_RECENTS_MAX + 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("/data/run%u/training", i);

      tsr_recents_add (recents, path, "training");
    }
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, TSR_RECENTS_MAX);
  g_assert_cmpstr (tsr_recent_get_path (recent_at (recents, 0)), ==, "/data/run69/training");
  g_assert_false (tsr_recents_contains (recents, "/data/run5/training"));
  tsr_recents_add (recents, "/data/run30/training", "training");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, TSR_RECENTS_MAX);
  g_assert_cmpstr (tsr_recent_get_path (recent_at (recents, 0)), ==, "/data/run30/training");
  tsr_recents_remove (recents, "/data/run69/training");
  g_assert_cmpstr (tsr_recent_get_path (recent_at (recents, 1)), ==, "/data/run68/training");

  again = tsr_recents_new (file);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (again)), ==, TSR_RECENTS_MAX - 1);
  g_assert_cmpstr (tsr_recent_get_path (recent_at (again, 0)), ==, "/data/run30/training");
  g_assert_cmpint (ABS (tsr_recent_get_time (recent_at (again, 0)) - g_get_real_time () / 1000000),
                   <, 60);
  tsr_test_folder_free (folder);
}

/* What has a word in common is the same, and the newest name stays; the file keeps the words. */
static void
test_recents_identify (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *file = g_build_filename (folder, "recent-reports", NULL);
  g_autoptr (TsrRecents) recents = tsr_recents_new (file);
  const char *first[] = { "machine /data/a;b", "stamp 1", NULL }, *second[] = { "stamp 1", NULL },
             *third[] = { "stamp 2", NULL };

  tsr_recents_add (recents, "/data/a", "a");
  tsr_recents_identify (recents, "/data/a", first);
  tsr_recents_add (recents, "/data/c", "c");
  tsr_recents_identify (recents, "/data/c", third);
  tsr_recents_add (recents, "/data/b", "b");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, 3);
  {
    g_autoptr (TsrRecents) again = tsr_recents_new (file);

    tsr_recents_identify (again, "/data/b", second);
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (again)), ==, 2);
    g_assert_cmpstr (tsr_recent_get_path (recent_at (again, 0)), ==, "/data/b");
    g_assert_cmpstr (tsr_recent_get_path (recent_at (again, 1)), ==, "/data/c");
    tsr_recents_identify (again, "/not/there", third);
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (again)), ==, 2);
  }
  tsr_test_folder_free (folder);
}

static void
test_recents_outcome (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *file = g_build_filename (folder, "recent", NULL);
  const char *odd = "/data/\xff\xfe \n[x]=;\\/r";
  g_autoptr (TsrRecents) recents = tsr_recents_new (file);
  g_autoptr (TsrRecents) other = tsr_recents_new (file);
  TsrRecent *item;

  tsr_recents_add (recents, odd, NULL);
  tsr_recents_set_outcome (recents, odd, TSR_OUTCOME_DOES_NOT_FIT, 1.25);
  tsr_recents_set_outcome (recents, "/not/there", TSR_OUTCOME_FITS, 0.5);
  /* Another program adds one; neither loses what the other did. */
  tsr_recents_add (other, "/second", "second");
  tsr_recents_add (recents, "/third", "third");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, 3);
  item = recent_at (recents, 2);
  g_assert_cmpstr (tsr_recent_get_path (item), ==, odd);
  g_assert_cmpint (tsr_recent_get_outcome (item), ==, TSR_OUTCOME_DOES_NOT_FIT);
  g_assert_cmpfloat (tsr_recent_get_fullest (item), ==, 1.25);
  g_assert_true (isnan (tsr_recent_get_fullest (recent_at (recents, 1))));
  g_assert_true (tsr_recent_matches (recent_at (recents, 1), "SECO"));
  g_assert_false (tsr_recent_matches (recent_at (recents, 1), "third"));
  /* Opening again keeps what was known. */
  tsr_recents_add (recents, odd, NULL);
  g_assert_cmpfloat (tsr_recent_get_fullest (recent_at (recents, 0)), ==, 1.25);

  tsr_test_write (folder, "recent", "not a key file \x01\xff", -1);
  tsr_recents_refresh (recents);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, 0);
  tsr_recents_add (recents, "/fourth", NULL);
  g_assert_cmpstr (tsr_recent_get_name (recent_at (recents, 0)), ==, "fourth");
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- folders */

static char *
names_of (TsrFolderModel *model)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      g_autoptr (TsrFolderItem) item = g_list_model_get_item (G_LIST_MODEL (model), i);

      g_string_append_printf (text, "%s%s%s", i > 0 ? " " : "", tsr_folder_item_get_name (item),
                              tsr_folder_item_is_report (item) ? "*" : "");
    }
  return g_string_free (text, FALSE);
}

static void
assert_names (TsrFolderModel *model, const char *expected)
{
  g_autofree char *names = names_of (model);

  g_assert_cmpstr (names, ==, expected);
}

static void
make_folder (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
}

static void
test_folder (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrFolderModel) model = tsr_folder_model_new (place);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autofree char *old = g_build_filename (folder, "run2", NULL);
  GDateTime *then = g_date_time_new_utc (2001, 2, 3, 4, 5, 6);
  g_autoptr (GFile) file = g_file_new_for_path (old);
  guint n_listed = 0, n_marked = 0;

  make_folder (folder, "run10");
  make_folder (folder, "run2");
  make_folder (folder, ".cache");
  make_folder (folder, "other");
  tsr_test_write (folder, "run2/profile.pop", "x", 1);
  tsr_test_write (folder, "profile.pop", "x", 1);
  tsr_test_write (folder, "notes.txt", "x", 1);
  tsr_test_write (folder, ".hidden", "x", 1);
  g_assert_true (g_file_set_attribute_uint64 (file, "time::modified", g_date_time_to_unix (then),
                                              G_FILE_QUERY_INFO_NONE, NULL, NULL));
  g_date_time_unref (then);

  g_signal_connect_swapped (model, "listed", G_CALLBACK (count_up), &n_listed);
  g_signal_connect_swapped (model, "marked", G_CALLBACK (count_up), &n_marked);
  tsr_folder_model_set_path (model, folder, FALSE);
  g_assert_true (tsr_folder_model_is_busy (model));
  tsr_ui_test_wait (n_listed == 1 && n_marked == 1);
  g_assert_no_error (tsr_folder_model_get_error (model));
  g_assert_true (tsr_folder_model_is_report (model));
  /* Folders first, numbers in their order, as people count. */
  assert_names (model, "other run2* run10 notes.txt profile.pop*");
  tsr_folder_model_set_show_hidden (model, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 7);
  tsr_folder_model_set_show_hidden (model, FALSE);
  tsr_folder_model_set_prefix (model, "run");
  assert_names (model, "run2* run10");
  tsr_folder_model_set_by_date (model, TRUE);
  assert_names (model, "run10 run2*");
  tsr_folder_model_set_prefix (model, ".");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  tsr_folder_model_set_prefix (model, NULL);

  tsr_folder_model_set_path (model, missing, FALSE);
  tsr_ui_test_wait (n_listed == 2);
  g_assert_error (tsr_folder_model_get_error (model), G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpstr (tsr_folder_model_get_path (model), ==, folder);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 5);
  tsr_test_folder_free (folder);
}

/* As a list does: counts along with what it is told. */
static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, guint *n)
{
  g_assert_cmpuint (position + removed, <=, *n);
  /* What can be seen at once comes first. */
  g_assert_true (*n > 0 || added < 100);
  *n = *n - removed + added;
  g_assert_cmpuint (*n, ==, g_list_model_get_n_items (model));
}

/* So many files that a list is told of them in pieces. */
static void
test_big_folder (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrFolderModel) model = tsr_folder_model_new (place);
  const guint n = 21000, n_hidden = 10;
  guint n_listed = 0, n_told = 0, n_begin = 0;
  g_autofree char *first = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("file%u", i);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      /* One file by many names is made, and removed, sooner than many files. */
      if (first == NULL)
        {
          tsr_test_write (folder, name, "", 0);
          first = g_steal_pointer (&path);
        }
      else
        {
          g_assert_cmpint (link (first, path), ==, 0);
        }
      n_begin += g_str_has_prefix (name, "file12") ? 1 : 0;
    }
  for (guint i = 0; i < n_hidden; i++)
    {
      g_autofree char *name = g_strdup_printf (".hidden%u", i);

      tsr_test_write (folder, name, "", 0);
    }
  g_signal_connect_swapped (model, "listed", G_CALLBACK (count_up), &n_listed);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &n_told);
  tsr_folder_model_set_path (model, "/", FALSE);
  tsr_folder_model_set_path (model, folder, FALSE);
  tsr_ui_test_wait (n_listed > 0);
  tsr_ui_test_run (50);
  /* The first request was overtaken and says nothing. */
  g_assert_cmpuint (n_listed, ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, n);
  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < n; i += 997)
        {
          g_autofree char *name = g_strdup_printf ("file%u", i);
          guint position = tsr_folder_model_find (model, name);
          g_autoptr (TsrFolderItem) item = g_list_model_get_item (G_LIST_MODEL (model), position);

          g_assert_nonnull (item);
          g_assert_cmpstr (tsr_folder_item_get_name (item), ==, name);
          if (round == 0)
            g_assert_cmpuint (position, ==, i);
        }
      g_assert_cmpuint (tsr_folder_model_find (model, "file"), ==, G_MAXUINT);
      g_assert_cmpuint (tsr_folder_model_find (model, "zzz"), ==, G_MAXUINT);
      g_assert_cmpuint (tsr_folder_model_find (model, ".hidden1"), ==, G_MAXUINT);
      tsr_folder_model_set_by_date (model, TRUE);
    }
  tsr_folder_model_set_show_hidden (model, TRUE);
  g_assert_cmpuint (tsr_folder_model_find (model, ".hidden1"), !=, G_MAXUINT);
  tsr_ui_test_wait (g_list_model_get_n_items (G_LIST_MODEL (model)) == n + n_hidden);
  tsr_folder_model_set_prefix (model, "file12");
  tsr_ui_test_wait (g_list_model_get_n_items (G_LIST_MODEL (model)) == n_begin);
  tsr_folder_model_set_prefix (model, ".");
  tsr_ui_test_wait (g_list_model_get_n_items (G_LIST_MODEL (model)) == n_hidden);
  tsr_folder_model_set_prefix (model, "no such");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
  tsr_folder_model_set_prefix (model, NULL);
  tsr_ui_test_wait (n_told == n + n_hidden);
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- work in a thread */

typedef struct
{
  GMutex mutex;
  GCond cond;
  gboolean told;   /* the result has been had */
  GThread *freed;  /* where the source went */
  gboolean is_out; /* the worker has nothing more to do */
} Lingering;

static void
on_source_gone (gpointer data, GObject *where)
{
  ((Lingering *)data)->freed = g_thread_self ();
}

/* It goes on after its result has arrived. */
static void
linger (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Lingering *self = data;

  g_task_return_boolean (task, TRUE);
  g_mutex_lock (&self->mutex);
  while (!self->told)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
  g_usleep (20000);
  g_atomic_int_set (&self->is_out, TRUE);
}

static void
on_told (GObject *source, GAsyncResult *result, gpointer data)
{
  Lingering *self = data;

  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  g_mutex_lock (&self->mutex);
  self->told = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* Whoever asked has gone meanwhile: it is taken apart where it was made, not on the worker. */
static void
test_task (void)
{
  GObject *source = g_object_new (G_TYPE_OBJECT, NULL);
  Lingering lingering = { .told = FALSE };
  GTask *task = g_task_new (source, NULL, on_told, &lingering);

  g_mutex_init (&lingering.mutex);
  g_cond_init (&lingering.cond);
  g_object_weak_ref (source, on_source_gone, &lingering);
  g_task_set_task_data (task, &lingering, NULL);
  tsr_task_run_in_thread (task, linger);
  g_object_unref (task);
  g_object_unref (source);
  tsr_ui_test_wait (g_atomic_int_get (&lingering.is_out) && lingering.freed != NULL);
  g_assert_true (lingering.freed == g_thread_self ());
  g_mutex_clear (&lingering.mutex);
  g_cond_clear (&lingering.cond);
}

/* ---------------------------------------------------------------- session and watch */

static TsrReport *
open_report (const char *folder)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  TsrReport *report = tsr_report_open (place, folder, TSR_LOAD_ALL);

  tsr_ui_test_wait (tsr_report_get_stage_state (report, TSR_STAGE_MEMORY) == TSR_STAGE_READY);
  return report;
}

static void
test_session (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrSettings) settings = tsr_settings_new ("org.example.not.installed");
  g_autoptr (TsrSession) session = tsr_session_new (settings);
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrReport) smaller = NULL;
  const guint tiles[] = { 1, 6 };
  const gint64 *bytes;
  guint n = 0, n_units = 0;

  tsr_ui_test_write_report (folder, 0);
  report = open_report (folder);
  g_signal_connect_swapped (session, "notify::units", G_CALLBACK (count_up), &n_units);
  tsr_session_set_report (session, report);
  g_assert_true (tsr_session_is_data_pending (session, TSR_DATA_MEMORY));
  tsr_ui_test_wait (tsr_session_get_memory (session) != NULL);
  g_assert_false (tsr_session_is_data_pending (session, TSR_DATA_MEMORY));
  bytes = tsr_memory_peek (tsr_session_get_memory (session), TSR_METRIC_INCLUDING_GAPS);
  for (guint i = 0; i < TSR_UI_TILES; i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("SELECT including_gaps FROM memory_by_tile WHERE tile = %u", i);

      g_assert_cmpint (bytes[i], ==, tsr_test_query (folder, "profile.pop", sql));
    }
  g_assert_cmpuint (tsr_memory_get_n_ipus (tsr_session_get_memory (session)), ==, 2);

  tsr_settings_set_string (settings, "units", "bytes");
  g_assert_cmpuint (n_units, ==, 1);
  g_assert_cmpint (tsr_session_get_units (session), ==, TSR_UNITS_BYTES);
  g_assert_true (tsr_session_get_viewport (session, "memory")
                 == tsr_session_get_viewport (session, "memory"));
  tsr_session_set_state (session, "x", g_variant_new_int32 (7));
  tsr_tile_selection_set (tsr_session_get_selection (session), tiles, 2);

  /* A reload with fewer tiles: what is left of the selection stays, and so does the rest. */
  tsr_test_sql (folder, "profile.pop",
                "DELETE FROM memory_by_tile WHERE tile >= 4;"
                "UPDATE target SET ipus_per_replica = 1, num_ipus = 2;");
  smaller = open_report (folder);
  tsr_session_set_report (session, smaller);
  tsr_ui_test_wait (tsr_session_get_memory (session) != NULL);
  tsr_tile_selection_peek (tsr_session_get_selection (session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (tsr_tile_selection_contains (tsr_session_get_selection (session), 1));
  g_assert_cmpint (g_variant_get_int32 (tsr_session_get_state (session, "x")), ==, 7);
  tsr_session_set_tiles_per_ipu (session, 2);
  tsr_ui_test_wait (tsr_memory_get_n_ipus (tsr_session_get_memory (session)) == 2);

  tsr_session_close (session);
  g_assert_null (tsr_session_get_report (session));
  g_assert_null (tsr_session_get_memory (session));
  g_assert_null (tsr_session_get_state (session, "x"));
  g_assert_cmpuint (tsr_session_get_tiles_per_ipu (session), ==, 0);
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- options of a view */

static const char *
get_size_nick (guint value)
{
  static const char *const nicks[] = { "small", "middle", "large" };

  return nicks[value];
}

static void
note_options (TsrViewState *state, guint64 changed, GString *changes)
{
  for (guint i = 0; i < 64; i++)
    if ((changed & TSR_VIEW_BIT (i)) != 0)
      g_string_append_printf (changes, "%u=%u ", i, tsr_view_state_get (state, i));
  g_string_append (changes, "| ");
}

static void
test_view_state (void)
{
  static const TsrViewOption options[] = {
    { "always", "always", TRUE, .setting = "liveness-include-always-live", .is_named = TRUE },
    { "size", "size", 1, get_size_nick, 3 },
    { "tab", "tab", 0, get_size_nick, 3, .setting = "liveness-tab" },
  };
  g_autoptr (TsrSettings) settings = tsr_settings_new ("org.example.not.installed");
  g_autoptr (TsrSession) session = tsr_session_new (settings);
  g_autoptr (TsrViewState) other = NULL;
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autoptr (GHashTable) few = tsr_view_words_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autofree char *tab = NULL;
  TsrViewState *state = tsr_session_get_view_state (session, "x", options, 3);

  g_assert_true (tsr_session_get_view_state (session, "x", options, 3) == state);
  g_signal_connect (state, "changed", G_CALLBACK (note_options), changes);
  tsr_view_state_save_words (state, words);
  g_assert_cmpuint (g_hash_table_size (words), ==, 1);
  g_assert_cmpstr (tsr_view_words_get (words, "always"), ==, "1");

  tsr_view_state_set (state, 1, 2);
  tsr_view_state_set (state, 1, 2);
  tsr_view_state_set (state, 2, 1);
  g_assert_cmpstr (changes->str, ==, "1=2 | 2=1 | ");
  tab = tsr_settings_dup_string (settings, "liveness-tab");
  g_assert_cmpstr (tab, ==, "middle");
  /* Another window begins with what is kept, and only that. */
  other = tsr_view_state_new (settings, options, 3);
  g_assert_cmpuint (tsr_view_state_get (other, 1), ==, 1);
  g_assert_cmpuint (tsr_view_state_get (other, 2), ==, 1);

  /* A few words leave the rest alone, and so does what is no value; all of them do not. */
  tsr_view_words_set (few, "size", "small");
  tsr_view_words_set (few, "tab", "enormous");
  tsr_view_state_load_words (state, few);
  g_assert_cmpuint (tsr_view_state_get (state, 1), ==, 0);
  g_assert_cmpuint (tsr_view_state_get (state, 2), ==, 1);
  g_assert_false (tsr_view_state_is_whole (state, few));
  g_assert_true (tsr_view_state_is_whole (state, words));
  tsr_view_words_set (words, "always", "0");
  g_string_truncate (changes, 0);
  tsr_view_state_load_words (state, words);
  g_assert_cmpstr (changes->str, ==, "0=0 1=1 2=0 | ");
  g_assert_false (tsr_settings_get_boolean (settings, "liveness-include-always-live"));

  tsr_view_state_set (state, 1, 2);
  tsr_session_close (session);
  g_assert_cmpuint (tsr_view_state_get (state, 0), ==, FALSE);
  g_assert_cmpuint (tsr_view_state_get (state, 1), ==, 1);
}

#define N_DRAWN 8

/* Of links: what is in one, and what another window makes of it. */
static void
test_view_links (void)
{
  static const TsrViewOption options[N_DRAWN] = {
    { "view", "view", 0, get_size_nick, 3, .is_named = TRUE },
    { "on", "on", 1 },
    { "number", "number", 5, .kind = TSR_VIEW_NUMBER, .least = 2, .most = 300 },
    { "any", "any", 0, .kind = TSR_VIEW_NUMBER },
    { "text", "text", .kind = TSR_VIEW_TEXT },
    { "deep", "deep", 2, get_size_nick, 3, .of = 0, .where = 1 << 0 | 1 << 2 },
    { "deeper", "deeper", 7, .kind = TSR_VIEW_NUMBER, .of = 5, .where = 1 << 1 },
    { "nowhere", NULL, 3, .kind = TSR_VIEW_NUMBER },
  };
  static const guint n_values[N_DRAWN] = { 3, 2, 0, 0, 0, 3, 0, 0 };
  static const char *const wrong[] = { "301", "1", "-2", "x", "", "2x" };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (TsrSettings) settings = tsr_settings_new ("org.example.not.installed");
  g_autoptr (TsrViewState) state = tsr_view_state_new (settings, options, N_DRAWN);
  g_autoptr (TsrViewState) other = tsr_view_state_new (settings, options, N_DRAWN);
  g_autoptr (GHashTable) bad = tsr_view_words_new ();

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GHashTable) words = tsr_view_words_new ();
      guint before[N_DRAWN], n_words = 0;
      gboolean told[N_DRAWN];

      for (guint i = 0; i < N_DRAWN; i++)
        {
          const guint most = n_values[i] > 0 ? n_values[i] : options[i].most > 0 ? 301 : 5000;
          const guint mine
              = (guint)g_rand_int_range (random, (gint32)options[i].least, (gint32)most);
          const guint its
              = (guint)g_rand_int_range (random, (gint32)options[i].least, (gint32)most);

          tsr_view_state_set (state, i, g_rand_boolean (random) ? mine : options[i].usual);
          tsr_view_state_set (other, i, its);
          before[i] = its;
        }
      tsr_view_state_set_text (state, 4, round % 3 == 0 ? "" : "a b&c");
      tsr_view_state_set_text (other, 4, "old");
      tsr_view_state_save_words (state, words);
      for (guint i = 0; i < N_DRAWN; i++)
        {
          const TsrViewOption *option = &options[i];
          const guint value = tsr_view_state_get (state, i);
          g_autofree char *number = g_strdup_printf ("%u", value);
          const char *expected = option->kind == TSR_VIEW_TEXT ? tsr_view_state_get_text (state, i)
                                 : option->get_nick != NULL    ? get_size_nick (value)
                                                               : number;

          told[i] = option->word != NULL
                    && (option->where == 0
                        || (told[option->of]
                            && (option->where >> tsr_view_state_get (state, option->of) & 1) != 0));
          if (!told[i])
            continue;
          if (option->kind == TSR_VIEW_TEXT ? *expected == '\0'
                                            : value == option->usual && !option->is_named)
            expected = NULL;
          n_words += expected != NULL;
          g_assert_cmpstr (tsr_view_words_get (words, option->word), ==, expected);
        }
      g_assert_cmpuint (g_hash_table_size (words), ==, n_words);
      tsr_view_state_load_words (other, words);
      for (guint i = 0; i < N_DRAWN; i++)
        if (options[i].kind == TSR_VIEW_TEXT)
          g_assert_cmpstr (tsr_view_state_get_text (other, i), ==,
                           tsr_view_state_get_text (state, i));
        else
          g_assert_cmpuint (tsr_view_state_get (other, i), ==,
                            told[i] ? tsr_view_state_get (state, i) : before[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      tsr_view_state_set (other, 2, 77);
      tsr_view_words_set (bad, "number", wrong[i]);
      tsr_view_state_load_words (other, bad);
      g_assert_cmpuint (tsr_view_state_get (other, 2), ==, 77);
    }
  tsr_view_words_set (bad, "number", "300");
  tsr_view_state_load_words (other, bad);
  g_assert_cmpuint (tsr_view_state_get (other, 2), ==, 300);
}

static void
test_watch (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrReportWatch) watch = NULL;
  guint n_changed = 0;
  gint64 last_write;

  tsr_ui_test_write_report (folder, 0);
  report = open_report (folder);
  watch = tsr_report_watch_new (report);
  g_signal_connect_swapped (watch, "changed", G_CALLBACK (count_up), &n_changed);
  tsr_ui_test_run (1200);
  g_assert_cmpuint (n_changed, ==, 0);

  tsr_test_write (folder, "app.json", "{}", -1);
  tsr_ui_test_wait (n_changed == 1);
  g_assert_false (tsr_report_watch_is_settled (watch));
  g_assert_cmpstr (tsr_report_watch_get_changed (watch)[0], ==, "app.json");
  g_assert_null (tsr_report_watch_get_changed (watch)[1]);
  tsr_ui_test_run (300);
  tsr_test_sql (folder, "profile.pop", "CREATE TABLE more (x); INSERT INTO more VALUES (1);");
  last_write = g_get_monotonic_time ();
  tsr_ui_test_wait (tsr_report_watch_is_settled (watch));
  /* Not before the files have stood still for two seconds. */
  g_assert_cmpint (g_get_monotonic_time () - last_write, >=, 2 * G_USEC_PER_SEC - 200000);
  g_assert_cmpuint (g_strv_length ((char **)tsr_report_watch_get_changed (watch)), ==, 2);
  tsr_test_folder_free (folder);
}

/* What is left of a scan follows from the part that is done; what is under way is left at least.
 * Without a scan nothing follows: what has been asked for so far is not all that will be. */
static void
test_bytes_left (void)
{
  g_assert_cmpfloat (tsr_remote_progress_guess_left (0, -1, 0), ==, -1);
  g_assert_cmpfloat (tsr_remote_progress_guess_left (1e6, 0.001, 0), ==, -1);
  g_assert_cmpfloat (tsr_remote_progress_guess_left (1e6, -1, 3e6), ==, -1);
  g_assert_cmpfloat (tsr_remote_progress_guess_left (1e6, 0.001, 3e6), ==, -1);
  g_assert_cmpfloat_with_epsilon (tsr_remote_progress_guess_left (1e6, 0.25, 2e6), 3e6, 1);
  g_assert_cmpfloat_with_epsilon (tsr_remote_progress_guess_left (9e6, 0.9, 2e6), 2e6, 1);
  g_assert_cmpfloat (tsr_remote_progress_guess_left (1e6, 1, 0), ==, 0);
  /* All of a file of 333 MiB at the first second's 700 KiB/s are 8 minutes, of which 15 s were
   * read. */
  g_assert_true (isnan (tsr_remote_progress_guess_seconds (333 * 1024, 700, TRUE)));
  g_assert_cmpfloat_with_epsilon (tsr_remote_progress_guess_seconds (333 * 1024, 700, FALSE), 487,
                                  1);
  g_assert_cmpfloat_with_epsilon (tsr_remote_progress_guess_seconds (20e6, 1e6, TRUE), 20, 1e-9);
  g_assert_true (isnan (tsr_remote_progress_guess_seconds (-1, 1e6, TRUE)));
  g_assert_true (isnan (tsr_remote_progress_guess_seconds (1e6, 0, FALSE)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/task", test_task);
  g_test_add_func ("/settings/fallback", test_settings_fallback);
  g_test_add_func ("/settings/words", test_settings_words);
  g_test_add_func ("/settings/schema", test_settings_schema);
  g_test_add_func ("/recents/order", test_recents_order);
  g_test_add_func ("/recents/recents-host", test_recents_host);
  g_test_add_func ("/recents/identify", test_recents_identify);
  g_test_add_func ("/recents/outcome", test_recents_outcome);
  g_test_add_func ("/folder/list", test_folder);
  g_test_add_func ("/folder/big", test_big_folder);
  g_test_add_func ("/session/report", test_session);
  g_test_add_func ("/session/view-state", test_view_state);
  g_test_add_func ("/session/view-state-links", test_view_links);
  g_test_add_func ("/session/watch", test_watch);
  g_test_add_func ("/session/bytes-left", test_bytes_left);
  return g_test_run ();
}
