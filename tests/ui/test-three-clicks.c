/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the fattest exchange of a trace to the operation that made it and its line of source, in
 * three clicks, for reports of several frameworks: on the step, on Details, where both stand, and
 * on the operation, whose contexts are then in the Program Tree.  And on to its code on every tile,
 * and back. */

#include "config.h"

#include "tsr-memory-page.h"
#include "tsr-program-page.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "window-test.h"

#include <string.h>

typedef struct
{
  const char *preset, *steps; /* (nullable) number */
  const char *layer;          /* outermost, that is named */
  const char *source;         /* begins so */
  gboolean reduction;         /* the all-reduce, which PopART makes itself: it has no line */
} Walk;

static const Walk walks[] = {
  { "demo", NULL, "PopART Builder: ", "/work/train/model.py:" },
  { "demo", NULL, "PopART: ", "no line recorded", TRUE },
  { "pytorch", NULL, "PopTorch: ", "/work/train/model.py:" },
  { "trace", "3000", "TensorFlow XLA operations: ", "/work/train/model.py:" },
  { "poplibs", NULL, "PopLibs: ", "/poplibs/lib/" },
};

static TsrPage *
page_of (TsrWindow *window)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (window));
}

static gboolean
is_there (TsrWindow *window, GType type)
{
  return window_test_is (window, "report") && page_of (window) != NULL
         && G_TYPE_CHECK_INSTANCE_TYPE (page_of (window), type)
         && tsr_page_is_content_shown (page_of (window));
}

/* (nullable): the widget of @type in @widget that says @text first. */
static GtkWidget *
find_saying (GtkWidget *widget, GType type, const char *text)
{
  const char *label = NULL;

  if (GTK_IS_LABEL (widget))
    label = gtk_label_get_label (GTK_LABEL (widget));
  else if (GTK_IS_BUTTON (widget))
    label = gtk_button_get_label (GTK_BUTTON (widget));
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && label != NULL && g_str_has_prefix (label, text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_saying (child, type, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_contexts (TsrWindow *window)
{
  TsrTab *tab;

  if (!is_there (window, TSR_TYPE_PROGRAM_PAGE)
      || tsr_program_page_is_busy (TSR_PROGRAM_PAGE (page_of (window))))
    return FALSE;
  tab = tsr_tabs_get_shown (
      TSR_TABS (tsr_program_page_get_tabs (TSR_PROGRAM_PAGE (page_of (window)))));
  return tab->number == TSR_PROGRAM_DETAIL_DEBUG && tab->answer != NULL
         && tab->answer->rows != NULL;
}

/* The program of the step is selected, and the line of source (nullable) is among its contexts. */
static void
check_contexts (TsrWindow *window, const char *source, gint64 program)
{
  TsrProgramPage *page = TSR_PROGRAM_PAGE (page_of (window));
  TsrRows *rows = tsr_tabs_get_shown (TSR_TABS (tsr_program_page_get_tabs (page)))->answer->rows;
  TsrPrograms *programs = tsr_session_get_programs (tsr_window_get_session (window));
  guint n = 0;

  g_assert_cmpint (
      tsr_programs_get_tables (programs)->program_id[tsr_program_page_get_program (page)], ==,
      program);
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    n += g_strcmp0 (tsr_rows_get_text (rows, row, 1), source) == 0;
  g_assert_true (source == NULL || n > 0);
}

/* What the map says of all tiles is the program's code. */
static void
check_code (TsrWindow *window, gint64 id)
{
  TsrPrograms *programs = tsr_session_get_programs (tsr_window_get_session (window));
  guint32 program = tsr_programs_find (programs, id);
  TsrTileMap *map;
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  gint64 sum = 0;

  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "programs.show-in-memory", NULL);
  tsr_ui_test_wait (is_there (window, TSR_TYPE_MEMORY_PAGE));
  map = tsr_tile_map_view_get_map (
      tsr_memory_page_get_map_view (TSR_MEMORY_PAGE (page_of (window))));
  for (guint turn = 0; turn < 100; turn++)
    {
      g_autofree char *caption = tsr_chart_model_dup_caption (TSR_CHART_MODEL (map));

      if (caption != NULL && strstr (caption, tsr_programs_get_label (programs, program)) != NULL)
        break;
      tsr_ui_test_run (50);
    }
  tsr_chart_model_write_csv (TSR_CHART_MODEL (map), 0, G_MAXINT, csv);
  lines = g_strsplit (csv->str, "\n", -1);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    sum += g_ascii_strtoll (strrchr (lines[i], ',') + 1, NULL, 10);
  g_assert_cmpint (sum, ==, tsr_programs_get (programs, program, TSR_PROGRAM_CODE));
  g_assert_cmpint (sum, >, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.back", NULL);
  tsr_ui_test_wait (has_contexts (window));
}

static void
test_walk (gconstpointer data)
{
  const Walk *walk = data;
  g_autofree char *folder = tsr_test_folder_new (), *source = NULL;
  TsrWindow *window = window_test_new ();
  TsrTraceStepRef step = { 0 };
  GtkWidget *made_by = NULL;
  gint64 program;

  /* The number stands behind the preset. */
  if (walk->steps != NULL)
    tsr_test_make_report (folder, walk->steps, walk->preset, NULL);
  else
    tsr_test_make_report (folder, walk->preset, NULL);
  step.step_id = tsr_test_ask (
      folder,
      "SELECT i.step_id FROM steps_by_ipu i JOIN steps s ON s.id = "
      "i.step_id JOIN programs p ON p.id = s.program WHERE "
      "p.type = 'DoExchange' AND p.debug_id IS NOT NULL AND (p.name LIKE "
      "'%%allReduce%%') = %d AND ipu = 0 ORDER BY i.data_in DESC, i.step_id LIMIT 1",
      walk->reduction);
  program = tsr_test_ask (folder, "SELECT program FROM steps WHERE id = %" G_GINT64_FORMAT,
                          step.step_id);
  tsr_window_open (window, folder, TSR_VIEW_EXECUTION_TRACE);
  tsr_ui_test_wait (is_there (window, TSR_TYPE_TRACE_PAGE)
                    && tsr_session_get_trace (tsr_window_get_session (window)) != NULL);
  /* 1: the step. */
  tsr_trace_state_set_steps (tsr_session_get_trace_state (tsr_window_get_session (window)), &step,
                             1);
  /* 2: Details. */
  tsr_tabs_show (TSR_TABS (window_test_find (GTK_WIDGET (page_of (window)), TSR_TYPE_TRACE_TABS)),
                 TSR_TRACE_TAB_DETAILS);
  tsr_ui_test_wait (
      (made_by = find_saying (GTK_WIDGET (page_of (window)), GTK_TYPE_BUTTON, walk->layer))
      != NULL);
  source = g_strdup (gtk_label_get_label (
      GTK_LABEL (find_saying (GTK_WIDGET (page_of (window)), GTK_TYPE_LABEL, walk->source))));
  /* 3: the operation. */
  g_signal_emit_by_name (made_by, "clicked");
  tsr_ui_test_wait (has_contexts (window));
  check_contexts (window, walk->reduction ? NULL : source, program);
  check_code (window, program);
  window_test_close (window);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/three-clicks/%s%s", walks[i].preset,
                                               walks[i].reduction ? "-reduction" : "");

      g_test_add_data_func (path, &walks[i], test_walk);
    }
  return window_test_run ();
}
