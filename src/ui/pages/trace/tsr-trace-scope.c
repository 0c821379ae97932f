/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scope line of the Execution Trace, each part the control that changes it, and what stands in
 * the status strip. */

#include "config.h"

#include "tsr-trace-page-private.h"

#include "tsr-popover.h"
#include "tsr-trace-span.h"

#include <glib/gi18n.h>

#define MANY_TYPES 3 /* that are named */

/* Words */

static gboolean
shows_time (TsrTracePage *self)
{
  return tsr_trace_state_has (tsr_trace_page_get_state (self), TSR_TRACE_OPTION_TIME)
         && tsr_trace_get_clock (self->trace) > 0;
}

/* "1,200,000 – 1,500,000 (300,000 cycles, 226 µs)" */
static char *
dup_span (TsrTracePage *self, gint64 from, gint64 to)
{
  g_autofree char *a = NULL, *b = NULL;
  g_autofree char *cycles = tsr_units_dup_cycles (to - from);
  g_autofree char *time = tsr_trace_format_cycles (self->trace, to - from, TRUE);

  tsr_trace_format_span (self->trace, from, to, shows_time (self), &a, &b);
  if (tsr_trace_get_clock (self->trace) > 0)
    return g_strdup_printf ("%s – %s (%s, %s)", a, b, cycles, time);
  return g_strdup_printf ("%s – %s (%s)", a, b, cycles);
}

static char *
dup_run (TsrTracePage *self)
{
  int run = tsr_trace_state_get_run (tsr_trace_page_get_state (self));
  guint profiled = tsr_trace_get_profiled_run (self->trace);
  guint n_runs = tsr_trace_get_n_runs (self->trace);
  g_autofree char *number = NULL, *count = tsr_units_dup_count (n_runs);

  if (run == TSR_TRACE_RUN_ALL || n_runs == 0)
    return g_strdup (_ ("Whole trace"));
  if (run < 0 || (guint)run >= n_runs)
    run = (int)profiled;
  number = tsr_units_dup_count (run);
  if (n_runs == 1 && tsr_trace_get_run (self->trace, 0)->complete)
    return g_strdup_printf (_ ("Run %s"), number);
  if ((guint)run == profiled && tsr_trace_get_run (self->trace, profiled)->complete && n_runs > 1)
    return g_strdup_printf (_ ("Run %s, the last complete one of %s"), number, count);
  if (!tsr_trace_get_run (self->trace, (guint)run)->complete)
    return g_strdup_printf (_ ("Run %s, cut off, one of %s"), number, count);
  return g_strdup_printf (_ ("Run %s, one of %s"), number, count);
}

/* (transfer full): where it is and how long; @brief: only how long, as the ruler has where. */
static char *
dup_range (TsrTracePage *self, char **brief)
{
  gint64 from = 0, to = 0;
  gboolean measured = tsr_trace_state_get_span (tsr_trace_page_get_state (self), &from, &to);
  g_autofree char *span = NULL, *count = NULL, *time = NULL, *length = NULL;

  if (!measured)
    tsr_trace_view_get_visible (self->view, &from, &to);
  span = dup_span (self, from, to);
  count = tsr_units_dup_cycles (to - from);
  if (tsr_trace_get_clock (self->trace) > 0)
    time = tsr_trace_format_cycles (self->trace, to - from, TRUE);
  length = g_strconcat (count, time != NULL ? " · " : NULL, time, NULL);
  *brief = measured ? g_strdup_printf (_ ("measured: %s"), length) : g_steal_pointer (&length);
  if (measured)
    return g_strdup_printf (_ ("measured: %s"), span);
  if (tsr_trace_view_is_whole (self->view))
    return g_strdup_printf (_ ("all of it: %s"), span);
  return g_strdup_printf (_ ("visible: %s"), span);
}

static char *
dup_ipus (TsrTracePage *self)
{
  guint ipu = tsr_trace_state_get_ipu (tsr_trace_page_get_state (self));
  guint n = tsr_trace_get_n_ipus (self->trace);
  g_autofree char *count = tsr_units_dup_count (n);

  if (ipu < n)
    return tsr_trace_dup_ipu_name (self->trace, ipu);
  return g_strdup_printf (g_dngettext (NULL, "%s IPU", "all %s IPUs", n), count);
}

static char *
dup_types (TsrTracePage *self)
{
  const char *const *hidden = tsr_trace_state_peek_hidden (tsr_trace_page_get_state (self));
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  /* Only what this trace has can be missing from its figures. */
  for (guint i = 0; hidden[i] != NULL; i++)
    if (tsr_trace_find_types (self->trace, hidden[i]) != 0 && ++n <= MANY_TYPES)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", hidden[i]);
  if (n == 0)
    return g_strdup (_ ("all step types"));
  if (n > MANY_TYPES)
    {
      g_autofree char *count = tsr_units_dup_count (n);

      return g_strdup_printf (
          g_dngettext (NULL, "without %s step type", "without %s step types", n), count);
    }
  return g_strdup_printf (_ ("without %s"), names->str);
}

static char *
dup_group (TsrTracePage *self)
{
  TsrTraceMarks *marks = tsr_trace_chart_get_marks (self->chart);
  guint64 n = marks != NULL ? tsr_trace_marks_get_n (marks, NULL) : 0;
  g_autofree char *count = tsr_units_dup_count ((gint64)n);

  if (marks == NULL)
    return g_strdup (_ ("selection: a group"));
  if (tsr_trace_get_n_runs (self->trace) < 2)
    return g_strdup_printf (
        g_dngettext (NULL, "selection: %s step", "selection: %s steps", (gulong)n), count);
  return g_strdup_printf (g_dngettext (NULL, "selection: %s step in all runs",
                                       "selection: %s steps in all runs", (gulong)n),
                          count);
}

static char *
dup_selection (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  guint n = 0;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (state, &n);
  g_autofree char *count = tsr_units_dup_count (n), *id = NULL, *ipu = NULL;

  if (tsr_trace_state_get_selected_group (state) != NULL)
    return dup_group (self);
  if (n == 0)
    return g_strdup (_ ("no selection"));
  if (n > 1)
    return g_strdup_printf (g_dngettext (NULL, "selection: %s step", "selection: %s steps", n),
                            count);
  id = g_strdup_printf ("%" G_GINT64_FORMAT, steps[0].step_id);
  ipu = steps[0].ipu < tsr_trace_get_n_ipus (self->trace)
            ? tsr_trace_dup_ipu_name (self->trace, steps[0].ipu)
            : g_strdup ("–");
  return g_strdup_printf (_ ("selection: step %s, %s"), id, ipu);
}

/* The typed range */

static void
show_message (TsrTracePage *self, const char *text)
{
  gtk_label_set_label (self->range_message,
                       text != NULL ? text
                                    : _ ("Cycles count from the first step.  As in 1000 - 2500, "
                                         "10 - 12 ms, or 1000 + 500"));
  if (text != NULL)
    gtk_widget_add_css_class (self->range_entry, "error");
  else
    gtk_widget_remove_css_class (self->range_entry, "error");
}

gboolean
tsr_trace_page_enter_range (TsrTracePage *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  gint64 from, to, first, end;

  g_return_val_if_fail (TSR_IS_TRACE_PAGE (self) && text != NULL, FALSE);
  if (self->trace == NULL)
    return FALSE;
  if (!tsr_trace_span_parse (text, tsr_trace_get_clock (self->trace), &from, &to, &error))
    {
      show_message (self, error->message);
      return FALSE;
    }
  tsr_trace_get_span (self->trace, &first, &end);
  if (to <= first || from >= end)
    {
      show_message (self, _ ("The trace has nothing there"));
      return FALSE;
    }
  show_message (self, NULL);
  tsr_trace_view_show (self->view, MAX (from, first), MIN (to, end));
  return TRUE;
}

static void
on_range_entered (TsrTracePage *self)
{
  if (!tsr_trace_page_enter_range (self, gtk_editable_get_text (GTK_EDITABLE (self->range_entry))))
    return;
  gtk_popover_popdown (GTK_POPOVER (self->range_popover));
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* What is visible, to begin with. */
static void
on_range_shown (TsrTracePage *self)
{
  gint64 from, to;
  g_autofree char *a = NULL, *b = NULL, *text = NULL;

  if (!tsr_trace_view_get_visible (self->view, &from, &to))
    return;
  a = tsr_units_dup_count (from);
  b = tsr_units_dup_count (to);
  text = g_strdup_printf ("%s - %s", a, b);
  gtk_editable_set_text (GTK_EDITABLE (self->range_entry), text);
  show_message (self, NULL);
  gtk_widget_grab_focus (self->range_entry);
  gtk_editable_select_region (GTK_EDITABLE (self->range_entry), 0, -1);
}

/* A selection that GTK makes and drops as the entry appears would take ours away a little later,
 * when the X server says that it is lost: there is nothing to select then. */
static void
on_range_hidden (TsrTracePage *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->range_entry), "");
}

static GtkWidget *
new_range_popover (TsrTracePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *label = gtk_label_new (NULL);
  GtkWidget *measure = gtk_button_new_with_label (_ ("Measure what is visible"));

  self->range_popover = gtk_popover_new ();
  self->range_entry = gtk_entry_new ();
  self->range_message = GTK_LABEL (label);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->range_entry), 34);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->range_entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Visible range"), -1);
  gtk_label_set_wrap (self->range_message, TRUE);
  gtk_label_set_max_width_chars (self->range_message, 40);
  gtk_label_set_xalign (self->range_message, 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (measure), "chart.measure-visible");
  gtk_box_append (GTK_BOX (box), self->range_entry);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), measure);
  tsr_popover_set_child (GTK_POPOVER (self->range_popover), box);
  gtk_widget_add_css_class (self->range_popover, "scope-popover");
  g_signal_connect_swapped (self->range_entry, "activate", G_CALLBACK (on_range_entered), self);
  g_signal_connect_swapped (self->range_popover, "show", G_CALLBACK (on_range_shown), self);
  g_signal_connect_swapped (self->range_popover, "hide", G_CALLBACK (on_range_hidden), self);
  return self->range_popover;
}

void
tsr_trace_page_edit_range (TsrTracePage *self)
{
  if (self->range_popover != NULL)
    gtk_popover_popup (GTK_POPOVER (self->range_popover));
}

/* The line */

static void
make_scope_line (TsrTracePage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));

  self->scope_run
      = tsr_scope_line_add_button (line, "", _ ("Run of the engine ({ and })"), "trace.edit-run");
  self->scope_range = tsr_scope_line_add_popover (
      line, "",
      _ ("What the figures are of: a measured span, else what is visible; click to type "
         "a range (G)"),
      new_range_popover (self));
  self->scope_ipus
      = tsr_scope_line_add_button (line, "", _ ("IPUs that are shown"), "trace.edit-ipu");
  self->scope_types = tsr_scope_line_add_button (
      line, "", _ ("Step types that are shown and counted"), "trace.edit-types");
  self->scope_selection
      = tsr_scope_line_add_text (line, "", _ ("Click a step; Shift-click adds one"));
  self->scope_clear = tsr_scope_line_add_button (line, _ ("clear"),
                                                 _ ("Clear selection and measured span (Escape in "
                                                    "the chart)"),
                                                 "trace.clear-selection");
  tsr_scope_line_set_part_told (line, self->scope_run, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_ipus, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_selection, TRUE);
}

void
tsr_trace_page_update_scope (TsrTracePage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  TsrTraceState *state = tsr_trace_page_get_state (self);
  g_autofree char *run = NULL, *range = NULL, *brief = NULL, *ipus = NULL, *types = NULL,
                  *selection = NULL;
  guint n = 0;
  gboolean any, filtered;

  tsr_trace_state_peek_steps (state, &n);
  any = n > 0 || tsr_trace_state_get_span (state, NULL, NULL)
        || tsr_trace_state_get_selected_group (state) != NULL;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.clear-selection", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.show-in-liveness", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.show-in-programs", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.show-in-operations", n > 0);
  if (self->trace == NULL)
    return;
  if (self->scope_run == NULL)
    make_scope_line (self);
  run = dup_run (self);
  range = dup_range (self, &brief);
  ipus = dup_ipus (self);
  types = dup_types (self);
  selection = dup_selection (self);
  tsr_scope_line_set_part_text (line, self->scope_run, run);
  tsr_scope_line_set_part_texts (line, self->scope_range, range, brief);
  tsr_scope_line_set_part_text (line, self->scope_ipus, ipus);
  tsr_scope_line_set_part_text (line, self->scope_types, types);
  tsr_scope_line_set_part_text (line, self->scope_selection, selection);
  tsr_scope_line_set_part_visible (line, self->scope_clear, any);
  filtered = tsr_trace_state_get_hidden_mask (state, self->trace) != 0;
  tsr_scope_line_set_part_told (line, self->scope_types, !filtered);
  if (filtered)
    gtk_widget_add_css_class (self->scope_types, "warning");
  else
    gtk_widget_remove_css_class (self->scope_types, "warning");
}

void
tsr_trace_page_update_status_left (TsrTracePage *self)
{
  g_autofree char *text = tsr_trace_view_dup_hover (self->view);

  tsr_page_set_status_left (TSR_PAGE (self), text);
}

/* Cycles of the selected steps; of a group once it is found. */
static guint64
sum_selected (TsrTracePage *self, gint64 *sum)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  guint n = 0;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (state, &n);
  TsrTraceMarks *marks = tsr_trace_chart_get_marks (self->chart);

  *sum = 0;
  if (marks != NULL)
    return tsr_trace_marks_get_n (marks, sum);
  for (guint i = 0; i < n; i++)
    {
      guint32 slice = tsr_trace_find_step (self->trace, steps[i].step_id, steps[i].ipu);
      TsrTraceSlice told;

      if (slice == TSR_NO_SLICE)
        continue;
      tsr_trace_get_slice (self->trace, slice, &told);
      if (told.start == TSR_UNKNOWN || told.end == TSR_UNKNOWN || *sum == TSR_UNKNOWN
          || __builtin_add_overflow (*sum, told.end - told.start, sum))
        *sum = TSR_UNKNOWN;
    }
  return n;
}

/* The selected steps, and the measured span; with neither, how many steps there are: a strip that
 * came with the first selection would move what was clicked. */
void
tsr_trace_page_update_status_right (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 from, to, sum;
  guint64 n;

  if (self->trace == NULL)
    {
      tsr_page_set_status_right (TSR_PAGE (self), NULL);
      return;
    }
  n = sum_selected (self, &sum);
  if (n > 0)
    {
      g_autofree char *count = tsr_units_dup_count ((gint64)n), *cycles = tsr_units_dup_count (sum);

      g_string_append_printf (text,
                              g_dngettext (NULL, "%s step selected, %s cycles",
                                           "%s steps selected, %s cycles", (gulong)n),
                              count, cycles);
    }
  if (tsr_trace_state_get_span (state, &from, &to))
    {
      g_autofree char *begin = NULL, *end = NULL;

      tsr_trace_format_span (self->trace, from, to, shows_time (self), &begin, &end);
      g_string_append_printf (text, "%s%s – %s", text->len > 0 ? " · " : "", begin, end);
    }
  if (text->len == 0)
    {
      const guint all = tsr_trace_get_tables (self->trace)->n_steps;
      g_autofree char *count = tsr_units_dup_count (all);

      g_string_append_printf (text, ngettext ("%s step", "%s steps", all), count);
    }
  tsr_page_set_status_right (TSR_PAGE (self), text->str);
}
