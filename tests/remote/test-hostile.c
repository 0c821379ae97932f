/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers that lie: whatever they say, it ends, nothing crashes, no name leads out of its folder,
 * no text deceives, and bytes that are given for the file's are the file's. */

#include "config.h"

#include "remote-world.h"
#include "tsr-error.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define LENGTH     300000
#define PATIENCE_S 60 /* then something hangs */

/* These keep silent, or say the same for ever: somebody cancels, soon. */
static const char *const endless[] = { "version-silent", "read-silent", "names-loop", NULL };

typedef struct
{
  RemoteWorld w; /* the same for all lies */
  guint8 bytes[LENGTH];
  const char *lie;

  GMutex mutex; /* of the watch */
  GCond cond;
  gboolean done;
} World;

static World *the_world;

static gpointer
watch (gpointer data)
{
  World *world = data;
  gboolean is_endless = g_strv_contains (endless, world->lie);
  gint64 end = g_get_monotonic_time ()
               + (is_endless ? G_TIME_SPAN_SECOND / 2 : PATIENCE_S * G_TIME_SPAN_SECOND);

  g_mutex_lock (&world->mutex);
  while (!world->done && g_cond_wait_until (&world->cond, &world->mutex, end))
    ;
  if (!world->done)
    g_cancellable_cancel (world->w.cancellable);
  g_mutex_unlock (&world->mutex);
  return NULL;
}

/* An error is told in words that a window can show. */
static void
check_error (World *world, const char *what, GError *error)
{
  g_assert_nonnull (error);
  if (g_test_verbose ())
    g_test_message ("%s: %s: %s", world->lie, what, error->message);
  g_assert_true (error->domain == TSR_REMOTE_ERROR || error->domain == TSR_ERROR
                 || error->domain == G_IO_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), <, 4000);
  for (const char *p = error->message; *p != '\0'; p++)
    g_assert_false ((guchar)*p < 32 || *p == 127);
  g_error_free (error);
}

/* What there is in truth: a file, a folder, and a link to the file. */
static void
check_truth (GPtrArray *entries)
{
  static const char *const names[] = { "data", "link", "report" };

  g_assert_cmpuint (entries->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = entries->pdata[i];

      g_assert_cmpstr (entry->name, ==, names[i]);
      g_assert_cmpint (entry->is_link, ==, i == 1);
      g_assert_cmpint (entry->is_folder, ==, i == 2);
      g_assert_false (entry->is_dangling);
      g_assert_true (entry->is_readable);
      if (i < 2)
        g_assert_cmpint (entry->size, ==, LENGTH);
      g_assert_cmpint (entry->mtime_us, >, 0);
    }
}

static void
check_list (World *world)
{
  static const char *const impossible[]
      = { "names-slash",    "names-nul",  "names-empty", "names-long",
          "names-too-long", "names-none", NULL };
  GError *error = NULL;
  guint n_longest = 0;
  g_autoptr (GPtrArray) entries
      = tsr_place_list (TSR_PLACE (world->w.place), "/", world->w.cancellable, &error);

  if (g_str_equal (world->lie, "names-endless"))
    g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
  if (entries == NULL)
    {
      check_error (world, "list", error);
      return;
    }
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = entries->pdata[i];

      g_assert_cmpstr (entry->name, !=, "");
      g_assert_cmpstr (entry->name, !=, ".");
      g_assert_cmpstr (entry->name, !=, "..");
      g_assert_null (strchr (entry->name, '/'));
      g_assert_cmpint (entry->size, >=, 0);
      n_longest += strlen (entry->name) == 4096;
    }
  g_assert_false (g_strv_contains (impossible, world->lie));
  g_assert_cmpuint (n_longest, ==, g_str_equal (world->lie, "names-longest"));
  if (g_str_equal (world->lie, "names-million"))
    g_assert_cmpuint (entries->len, >=, 1000000);
  /* The kind of a file stands in its mode and, where that is missing, in the line of the list. */
  if (g_str_equal (world->lie, "truth") || g_str_equal (world->lie, "mode-none")
      || g_str_equal (world->lie, "names-line"))
    check_truth (entries);
}

/* Where it gives bytes, they are right, and not more of them than the file has. */
static void
check_range (World *world, TsrSource *source, gint64 offset, gsize length)
{
  g_autofree guint8 *bytes = g_malloc (length);
  GError *error = NULL;
  gssize n = tsr_source_read (source, offset, bytes, length, world->w.cancellable, &error);

  if (n < 0)
    {
      check_error (world, "read", error);
      return;
    }
  g_assert_cmpint (n, <=, length);
  if (n == 0 || g_str_equal (world->lie, "read-garbage") || g_str_equal (world->lie, "read-no-end"))
    return;
  g_assert_cmpint (offset + n, <=, LENGTH);
  g_assert_true (memcmp (bytes, world->bytes + offset, (gsize)n) == 0);
  /* Less than there is only at the end: a hole must not look like one. */
  if (tsr_source_get_size (source) == LENGTH)
    g_assert_cmpint (n, ==, MIN ((gint64)length, LENGTH - offset));
}

static void
check_read (World *world)
{
  GError *error = NULL;
  g_autoptr (TsrSource) source
      = tsr_place_open (TSR_PLACE (world->w.place), "/data", world->w.cancellable, &error);

  if (source == NULL)
    {
      check_error (world, "open", error);
      return;
    }
  g_assert_cmpint (tsr_source_get_size (source), >=, 0);
  check_range (world, source, 0, LENGTH);
  check_range (world, source, LENGTH - 1000, 5000);
  check_range (world, source, 70000, 10);
}

static void
check_rest (World *world)
{
  GError *error = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *path
      = tsr_connection_resolve (world->w.connection, "/data/..", world->w.cancellable, &error);

  if (path == NULL)
    check_error (world, "resolve", error);
  else
    {
      g_assert_cmpint (path[0], ==, '/');
      g_assert_false (g_str_has_prefix (world->lie, "realpath-"));
    }
  error = NULL;
  report = tsr_report_open_sync (TSR_PLACE (world->w.place), "/report", TSR_LOAD_UP_TO_MEMORY,
                                 world->w.cancellable, &error);
  if (report == NULL)
    check_error (world, "report", error);
  /* What could not be read fails its stage; empty handles are all the same file. */
  else if (tsr_report_get_memory_tables (report) != NULL && !g_str_has_prefix (world->lie, "read-")
           && !g_str_equal (world->lie, "handle-empty"))
    remote_world_check_report (&world->w, report, world->w.report);
}

/* A file that is one when it is looked at itself, and none when it is followed. */
static void
check_look (World *world)
{
  GError *error = NULL;
  g_autoptr (TsrFolderEntry) entry = tsr_place_stat (
      TSR_PLACE (world->w.place), "/report/profile.pop", world->w.cancellable, &error);

  if (g_str_equal (world->lie, "stat-gone"))
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  if (entry == NULL)
    check_error (world, "look", error);
}

static void
test_lie (gconstpointer data)
{
  World *world = the_world;
  RemoteWorld *w = &world->w;
  const char *root;
  GError *error = NULL;
  GThread *thread;

  if (w->world == NULL)
    {
      g_test_skip ("there is no sshd");
      return;
    }
  world->lie = data;
  world->done = FALSE;
  root = ssh_world_get_home (w->world);
  ssh_hostile_set_lie (w->server, world->lie, root);
  g_cancellable_reset (w->cancellable);
  remote_world_forget (w);
  remote_world_renew (w, NULL);
  thread = g_thread_new ("watch", watch, world);
  if (tsr_connection_connect (w->connection, w->cancellable, &error))
    {
      check_look (world);
      check_list (world);
      check_read (world);
      check_rest (world);
    }
  else
    {
      if (g_str_equal (world->lie, "version-2"))
        g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NO_SFTP);
      g_assert_cmpstr (world->lie, !=, "truth");
      check_error (world, "connect", error);
    }
  g_mutex_lock (&world->mutex);
  world->done = TRUE;
  g_cond_broadcast (&world->cond);
  g_mutex_unlock (&world->mutex);
  g_thread_join (thread);
  g_assert_cmpint (g_cancellable_is_cancelled (w->cancellable), ==,
                   g_strv_contains (endless, world->lie));
}

static void
make_world (void)
{
  RemoteWorld *w = &the_world->w;
  g_autofree char *link = NULL;

  for (guint i = 0; i < LENGTH; i++)
    the_world->bytes[i] = (guint8)(i * 7 + i / 251);
  g_mutex_init (&the_world->mutex);
  g_cond_init (&the_world->cond);
  if (!remote_world_set_up (w, NULL, FALSE))
    return;
  remote_world_add_report (w, "tiny");
  tsr_test_write (ssh_world_get_home (w->world), "data", the_world->bytes, LENGTH);
  link = g_build_filename (ssh_world_get_home (w->world), "link", NULL);
  g_assert_cmpint (symlink ("data", link), ==, 0);
}

int
main (int argc, char **argv)
{
  const char *words[] = { g_getenv ("TSR_TEST_SFTP"), "--lies", NULL };
  g_autofree char *out = NULL;
  g_auto (GStrv) lies = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  g_assert_true (g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL,
                               NULL, NULL));
  lies = g_strsplit (g_strstrip (out), "\n", -1);
  g_assert_cmpuint (g_strv_length (lies), >, 40);
  for (guint i = 0; lies[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat ("/hostile/", lies[i], NULL);

      g_test_add_data_func (path, lies[i], test_lie);
    }
  the_world = g_new0 (World, 1);
  make_world ();
  status = g_test_run ();
  remote_world_clear (&the_world->w);
  g_free (the_world);
  return status;
}
