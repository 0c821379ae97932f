/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes small reports, and waits with a time limit. */

#include "config.h"

#include "tsr-ui-test.h"

#include "tsr-test.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define TICK_MS 10

void
tsr_ui_test_write_report (const char *folder, gint64 more)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  GString *sql = g_string_new (
      "CREATE TABLE report_info (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "INSERT INTO report_info VALUES ('synthetic', '1'), ('engine_name', 'training'),"
      "  ('poplar_version', '3.1.0 (a027fa0bd5)'), ('timestamp', '2026-11-21T08:00:00Z'),"
      "  ('compute_instrumentation', 'tile');"
      "CREATE TABLE engine_options (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "INSERT INTO engine_options VALUES ('autoReport.all', 'true'),"
      "  ('autoReport.directory', './report'), ('debug.allowOutOfMemory', 'true'),"
      "  ('opt.maxComputeSets', '7'), ('target.hostSyncTimeout', '300'), ('plain', 'x');"
      "CREATE TABLE target (type TEXT, architecture TEXT, num_ipus INTEGER,"
      "  ipus_per_replica INTEGER, num_replicas INTEGER, tiles_per_ipu INTEGER,"
      "  bytes_per_tile INTEGER, clock_frequency REAL, interleaved_start INTEGER);"
      "INSERT INTO target VALUES ('Ipu', 'Mk2', 4, 2, 2, 4, 1000, 1.33e9, 500);"
      "CREATE TABLE graph (num_compute_sets INTEGER, num_vertices INTEGER, num_edges INTEGER,"
      "  num_vars INTEGER);"
      "INSERT INTO graph VALUES (2041, 3590145, 12985960, NULL);"
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER,"
      "  including_gaps INTEGER, excluding_gaps INTEGER, overflowed INTEGER,"
      "  always_live INTEGER, not_always_live INTEGER, peak_step INTEGER);");

  for (guint i = 0; i < TSR_UI_TILES; i++)
    {
      gint64 bytes = 100 * (i + 1) + more;

      g_string_append_printf (sql,
                              "INSERT INTO memory_by_tile VALUES (%u, %" G_GINT64_FORMAT
                              ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                              ", 50, 20, 1);",
                              i, bytes - 10, bytes, bytes - 10, MAX (bytes - TSR_UI_CAPACITY, 0));
    }
  g_unlink (path);
  tsr_test_sql (folder, "profile.pop", sql->str);
  g_string_free (sql, TRUE);
}

gint64
tsr_ui_test_get_until (void)
{
  const char *seconds = g_getenv ("TESSERA_TEST_WAIT");

  return g_get_monotonic_time ()
         + (seconds != NULL ? g_ascii_strtoll (seconds, NULL, 10) : 60) * G_USEC_PER_SEC;
}

gboolean
tsr_ui_test_tick (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
on_over (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

void
tsr_ui_test_run (guint ms)
{
  for (guint at = 0; at < ms; at += TICK_MS)
    {
      gboolean over = FALSE;

      g_timeout_add (MIN (TICK_MS, ms - at), on_over, &over);
      while (!over)
        g_main_context_iteration (NULL, TRUE);
    }
}

/* A clock that was asked for events alone counts none. */
static void
draw_frame (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  const gint64 since = gdk_frame_clock_get_frame_counter (clock);

  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS
                                            | GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
  tsr_ui_test_wait (!gtk_widget_get_mapped (widget)
                    || gdk_frame_clock_get_frame_counter (clock) > since);
}

void
tsr_ui_test_draw (GtkWidget *widget)
{
  /* One may be under way. */
  for (guint i = 0; i < 2 && gtk_widget_get_mapped (widget); i++)
    draw_frame (widget);
}

static gboolean
on_frame (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

guint
tsr_ui_test_hog_frames (void)
{
  return g_idle_add_full (G_PRIORITY_HIGH_IDLE + 20, on_frame, NULL, NULL); /* GTK's for frames */
}

void
tsr_ui_test_drop (gpointer object)
{
  tsr_ui_test_wait (G_OBJECT (object)->ref_count == 1);
  g_object_unref (object);
}

gboolean
tsr_ui_test_press (GtkWidget *widget, guint key, GdkModifierType state)
{
  gboolean taken = FALSE;

  for (; widget != NULL && !taken; widget = gtk_widget_get_parent (widget))
    {
      g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

      for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
        {
          g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

          if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
            g_signal_emit_by_name (controller, "key-pressed", key, 0, state, &taken);
        }
    }
  return taken;
}

gboolean
tsr_ui_test_shortcut (GtkWidget *widget, guint key, GdkModifierType state)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      for (guint k = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                        && k < g_list_model_get_n_items (G_LIST_MODEL (controller));
           k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger)
              && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
              && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == state)
            return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                                 gtk_shortcut_get_arguments (shortcut));
        }
    }
  return FALSE;
}

gpointer
tsr_ui_test_child (gpointer widget, const char *id)
{
  GObject *child = gtk_widget_get_template_child (GTK_WIDGET (widget), G_OBJECT_TYPE (widget), id);

  g_assert_nonnull (child);
  return child;
}

GtkWidget *
tsr_ui_test_find_where (GtkWidget *widget, TsrUiTestIs is, gconstpointer what)
{
  GtkWidget *found = is (widget, what) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = tsr_ui_test_find_where (child, is, what);
  return found;
}

static gboolean
is_of_type (GtkWidget *widget, gconstpointer what)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), *(const GType *)what);
}

GtkWidget *
tsr_ui_test_find (GtkWidget *widget, GType type)
{
  return tsr_ui_test_find_where (widget, is_of_type, &type);
}

static gboolean
has_icon (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), what) == 0;
}

GtkWidget *
tsr_ui_test_find_icon (GtkWidget *widget, const char *icon)
{
  return tsr_ui_test_find_where (widget, has_icon, icon);
}

static gboolean
is_saying (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), what) != NULL;
}

gboolean
tsr_ui_test_says (GtkWidget *widget, const char *part)
{
  return tsr_ui_test_find_where (widget, is_saying, part) != NULL;
}

static void
collect (GtkWidget *widget, TsrUiTestIs is, gconstpointer what, GPtrArray *found)
{
  if (is (widget, what))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, is, what, found);
}

GPtrArray *
tsr_ui_test_find_all (GtkWidget *widget, TsrUiTestIs is, gconstpointer what)
{
  GPtrArray *found = g_ptr_array_new ();

  collect (widget, is, what, found);
  return found;
}
