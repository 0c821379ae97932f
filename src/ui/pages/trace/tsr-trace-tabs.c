/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks for what the visible tab shows, and follows the trace's state. */

#include "config.h"

#include "tsr-drop-down.h"
#include "tsr-page.h"
#include "tsr-tables.h"
#include "tsr-trace-chart.h"
#include "tsr-trace-tabs-private.h"

#include <glib/gi18n.h>

static void tsr_trace_tabs_go_to (TsrTraceTabs *self, gint64 from, gint64 to);

/* What rows of the tabs select: names and steps of the trace; where they lead. */

/* Rows of Aggregate all of whose steps are selected. */
static void
tsr_trace_tabs_show_group (TsrTraceTabs *self)
{
  TsrTraceTabPage *page = &self->pages[TSR_TRACE_TAB_AGGREGATE];
  TsrTraceMatches *group = tsr_trace_state_get_selected_group (tsr_trace_tabs_get_state (self));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  const TsrTraceAnswer *answer = page->answer;
  const TsrTraceAggregate *aggregate;
  g_autofree guint8 *has = NULL;

  if (answer == NULL || answer->aggregates == NULL || answer->aggregates->len != 1)
    return;
  aggregate = g_ptr_array_index (answer->aggregates, 0);
  has = g_new0 (guint8, aggregate->rows->len + 1);
  if (group != NULL)
    tsr_trace_aggregate_find_rows (aggregate, group, has);
  for (guint32 i = 0; i < tsr_rows_get_n (answer->rows); i++)
    if (has[answer->row_group[i]])
      g_array_append_val (rows, i);
  self->applying = TRUE;
  tsr_row_view_select (page->view, (const guint32 *)(gpointer)rows->data, rows->len);
  self->applying = FALSE;
}

static void
select_slice (TsrTraceTabs *self, const TsrTrace *trace, guint32 slice, gboolean go)
{
  TsrTraceStepRef ref;
  TsrTraceSlice info;

  tsr_trace_get_slice (trace, slice, &info);
  ref.step_id = info.step_id;
  ref.ipu = info.ipu;
  tsr_trace_state_set_steps (tsr_trace_tabs_get_state (self), &ref, 1);
  if (go && info.start != TSR_UNKNOWN)
    tsr_trace_tabs_go_to (self, info.start, MAX (info.end, info.start + 1));
}

static void
on_rows_selected (TsrRowView *view, TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  g_autoptr (TsrTraceMatches) matches = NULL;
  g_autoptr (GArray) rows = NULL;

  if (self->applying || page->tab != TSR_TRACE_TAB_AGGREGATE || page->answer == NULL
      || page->answer->aggregates == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  matches = tsr_trace_answer_dup_matches (page->answer, (const guint32 *)(gpointer)rows->data,
                                          rows->len);
  self->applying = TRUE;
  tsr_trace_state_set_selected_group (tsr_trace_tabs_get_state (self), matches);
  self->applying = FALSE;
}

static void
on_copy_selected (TsrRowView *view, TsrTraceTabPage *page)
{
  g_autoptr (GArray) rows = NULL;

  if (page->tabs->applying || page->answer == NULL || page->answer->copies == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  if (rows->len == 1 && g_array_index (rows, guint32, 0) < page->answer->copies->len)
    select_slice (
        page->tabs, page->answer->trace,
        g_array_index (page->answer->copies, TsrTraceLoneCopy, g_array_index (rows, guint32, 0))
            .slice,
        FALSE);
}

static void
on_activate_copy (TsrRowView *view, guint row, TsrTraceTabPage *page)
{
  if (page->answer != NULL && page->answer->copies != NULL && row < page->answer->copies->len)
    select_slice (page->tabs, page->answer->trace,
                  g_array_index (page->answer->copies, TsrTraceLoneCopy, row).slice, TRUE);
}

/* A group's first step; a period of a pipeline. */
static void
on_activate_row (TsrRowView *view, guint row, TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  const TsrTraceAnswer *answer = page->answer;

  if (answer != NULL && answer->row_group != NULL && row < tsr_rows_get_n (answer->rows))
    {
      const TsrTraceAggregate *aggregate
          = g_ptr_array_index (answer->aggregates, answer->row_aggregate[row]);

      select_slice (
          self, answer->trace,
          g_array_index (aggregate->rows, TsrTraceAggregateRow, answer->row_group[row]).first_slice,
          TRUE);
    }
  else if (answer != NULL && answer->stages != NULL && answer->replica < answer->stages->len)
    {
      const TsrTraceStages *stages = g_ptr_array_index (answer->stages, answer->replica);

      if (row < stages->periods->len)
        tsr_trace_tabs_go_to (self, g_array_index (stages->periods, TsrTracePeriod, row).from,
                              g_array_index (stages->periods, TsrTracePeriod, row).to);
    }
}

/* Rows of a table select steps of the trace, and lead there. */
static void
tsr_trace_tabs_follow_rows (TsrTraceTabPage *page)
{
  g_signal_connect (page->view, "selection-changed", G_CALLBACK (on_rows_selected), page);
  g_signal_connect (page->view, "activate-row", G_CALLBACK (on_activate_row), page);
  if (page->tab == TSR_TRACE_TAB_OVERLAP)
    {
      g_signal_connect (page->more, "selection-changed", G_CALLBACK (on_copy_selected), page);
      g_signal_connect (page->more, "activate-row", G_CALLBACK (on_activate_copy), page);
    }
}

G_DEFINE_FINAL_TYPE (TsrTraceTabs, tsr_trace_tabs, GTK_TYPE_WIDGET)

enum
{
  TAB_CHANGED,
  GO_TO,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

#define ALL_TABS  ((1u << TSR_TRACE_N_TABS) - 1)
#define ONE(tab)  (1u << TSR_TRACE_TAB_##tab)
#define SPAN_TABS (ALL_TABS & ~ONE (DETAILS))
#define TYPING_MS 300

static const struct
{
  const char *title, *tooltip, *filter;
  const char *more; /* file name of a second table */
} infos[TSR_TRACE_N_TABS] = {
  { N_ ("Summary"), N_ ("Where the cycles of each IPU go"), NULL, "trace-data" },
  { N_ ("Details"), N_ ("The selected steps"), NULL },
  { N_ ("Aggregate"), N_ ("Steps in groups: what costs most"), N_ ("Filter groups") },
  { N_ ("Stages"), N_ ("How the IPUs of a replica share the work of a pipeline"), NULL,
    "trace-stages-ipus" },
  { N_ ("Overlap"), N_ ("What is copied while something is computed, and what is not"), NULL,
    "trace-lone-copies" },
  { N_ ("Tiles"), N_ ("What every tile of an IPU does"), NULL },
};

/* What the figures are of */

/* Emits "go-to". */
static void
tsr_trace_tabs_go_to (TsrTraceTabs *self, gint64 from, gint64 to)
{
  g_signal_emit (self, signals[GO_TO], 0, from, to);
}

/* The span; else what is visible, else the run. */
static gboolean
get_range (TsrTraceTabs *self, const TsrTrace *trace, gint64 *from, gint64 *to)
{
  if (tsr_trace_state_get_span (tsr_trace_tabs_get_state (self), from, to))
    return TRUE;
  if (self->from < self->to)
    {
      *from = self->from;
      *to = self->to;
    }
  else
    tsr_trace_state_get_domain (tsr_trace_tabs_get_state (self), trace, from, to);
  return FALSE;
}

static void
update_scope (TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  TsrTrace *trace = tsr_session_get_trace (self->session);
  g_autofree char *text = NULL, *begin = NULL, *end = NULL, *cycles = NULL, *time = NULL;
  gint64 from, to;
  gboolean span;

  gtk_widget_set_visible (GTK_WIDGET (page->scope),
                          trace != NULL && page->tab != TSR_TRACE_TAB_DETAILS);
  if (trace == NULL)
    return;
  span = get_range (self, trace, &from, &to);
  begin = tsr_units_dup_count (from);
  end = tsr_units_dup_count (to);
  cycles = tsr_units_dup_cycles (to - from);
  if (tsr_trace_get_clock (trace) > 0)
    time = tsr_trace_format_cycles (trace, to - from, TRUE);
  text = g_strdup_printf ("%s %s – %s · %s%s%s", span ? _ ("Selected span") : _ ("Visible range"),
                          begin, end, cycles, time != NULL ? " · " : "", time != NULL ? time : "");
  gtk_label_set_label (page->scope, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (page->scope), text);
}

static void
update_warning (TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  TsrTrace *trace = tsr_session_get_trace (self->session);
  guint32 hidden = trace != NULL
                       ? tsr_trace_state_get_hidden_mask (tsr_trace_tabs_get_state (self), trace)
                       : 0;
  g_autoptr (GString) types = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; trace != NULL && i < tsr_trace_get_n_types (trace); i++)
    if ((hidden >> i & 1) != 0)
      g_string_append_printf (types, "%s%s", types->len > 0 ? ", " : "",
                              tsr_trace_get_type (trace, i)->label);
  gtk_widget_set_visible (
      GTK_WIDGET (page->warning),
      types->len > 0
          && (page->tab == TSR_TRACE_TAB_SUMMARY || page->tab == TSR_TRACE_TAB_AGGREGATE));
  text = g_strdup_printf (_ ("Hidden, not counted: %s"), types->str);
  gtk_label_set_label (page->warning, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (page->warning), text);
}

/* Answers */

static void
update_replicas (TsrTraceTabs *self, const TsrTraceAnswer *answer)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint n = answer->stages != NULL ? answer->stages->len : 0;

  for (guint i = 0; i < n; i++)
    {
      const TsrTraceStages *stages = g_ptr_array_index (answer->stages, i);
      g_autofree char *number = tsr_units_dup_count (stages->replica);
      g_autofree char *text = g_strdup_printf (_ ("Replica %s"), number);

      gtk_string_list_append (list, text);
    }
  self->applying = TRUE;
  gtk_drop_down_set_model (self->replica, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->replica, answer->replica);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->replica)), n > 1);
  self->applying = FALSE;
}

static void
show_table (TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  const TsrTraceAnswer *answer = page->answer;
  TsrUnits units = tsr_session_get_units (self->session);
  const char *title = answer != NULL ? answer->title : NULL;

  if (title == NULL && answer != NULL)
    title = _ ("No Step Takes Time Here");
  self->applying = TRUE;
  tsr_row_view_set_placeholder (page->view, title, answer != NULL ? answer->text : NULL);
  tsr_row_view_set_rows (page->view, answer != NULL ? answer->rows : NULL, units,
                         answer != NULL ? answer->sort_key : NULL, TRUE);
  if (page->more != NULL)
    {
      tsr_row_view_set_rows (page->more, answer != NULL ? answer->more : NULL, units, NULL, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (page->more), answer != NULL && answer->more != NULL);
    }
  self->applying = FALSE;
}

static void
show_answer (TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  const char *note = page->answer != NULL ? page->answer->note : NULL;

  update_scope (page);
  update_warning (page);
  gtk_label_set_label (page->note, note != NULL ? note : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (page->note), note);
  if (page->tab == TSR_TRACE_TAB_DETAILS)
    {
      const GPtrArray *steps = page->answer != NULL ? page->answer->steps : NULL;

      tsr_trace_step_list_set_answer (self->steps, page->answer);
      tsr_tab_label_set_count (page->label,
                               steps != NULL && steps->len > 0 ? steps->len : TSR_UNKNOWN);
    }
  else if (page->tab == TSR_TRACE_TAB_TILES)
    tsr_trace_tile_view_set_answer (self->tiles, page->answer);
  else
    show_table (page);
  if (page->tab == TSR_TRACE_TAB_STAGES && page->answer != NULL)
    update_replicas (self, page->answer);
  if (page->tab == TSR_TRACE_TAB_AGGREGATE)
    tsr_trace_tabs_show_group (self);
}

static void
on_answered (gpointer owner, gpointer result, const GError *error)
{
  TsrTraceTabPage *page = owner;
  TsrTraceAnswer *old = page->answer;

  page->answer = result;
  if (result == NULL)
    {
      page->answer = g_new0 (TsrTraceAnswer, 1);
      page->answer->trace = tsr_trace_ref (tsr_session_get_trace (page->tabs->session));
      page->answer->title = g_strdup (_ ("This Could Not Be Computed"));
      page->answer->text = g_strdup (error->message);
    }
  show_answer (page);
  tsr_trace_answer_free (old);
}

static gpointer
answer_question (gpointer job, GCancellable *cancellable, GError **error)
{
  return tsr_trace_answer_new (&((TsrTableQuestion *)job)->of_trace, cancellable, error);
}

/* Questions */

static guint32
get_start_up (const TsrTrace *trace)
{
  guint32 mask = 0;

  for (guint i = 0; i < tsr_trace_get_n_types (trace) && i < TSR_TRACE_MAX_TYPES; i++)
    if (tsr_trace_get_type (trace, i)->start_up)
      mask |= 1u << i;
  return mask;
}

static void
fill_question (TsrTraceTabPage *page, TsrTraceQuestion *question)
{
  TsrTraceTabs *self = page->tabs;
  TsrTraceState *state = tsr_trace_tabs_get_state (self);
  const TsrTraceStepRef *steps;

  question->tab = page->tab;
  question->trace = tsr_session_get_trace (self->session);
  question->memory = tsr_session_get_memory (self->session);
  get_range (self, question->trace, &question->from, &question->to);
  question->run = tsr_trace_state_get_chosen_run (state, question->trace);
  question->ipu = tsr_trace_state_get_ipu (state);
  question->hidden = tsr_trace_state_get_hidden_mask (state, question->trace);
  if (page->tab == TSR_TRACE_TAB_AGGREGATE)
    question->hidden |= get_start_up (question->trace);
  question->group = gtk_drop_down_get_selected (self->group);
  question->depth = (guint)gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->depth));
  question->regex = (char *)gtk_editable_get_text (GTK_EDITABLE (self->regex));
  question->flushes = tsr_trace_state_has (state, TSR_TRACE_OPTION_FLUSHES);
  question->replica = gtk_drop_down_get_selected (self->replica);
  if (question->replica == GTK_INVALID_LIST_POSITION)
    question->replica = 0;
  if (page->tab == TSR_TRACE_TAB_TILES && question->ipu == TSR_NO_INDEX)
    question->ipu = gtk_drop_down_get_selected (self->tile_ipu);
  steps = tsr_trace_state_peek_steps (state, &question->n_steps);
  question->n_steps = MIN (question->n_steps, TSR_TRACE_MAX_SELECTED);
  if (question->n_steps > 0)
    memcpy (question->steps, steps, question->n_steps * sizeof *steps);
}

static void
ask (gpointer data)
{
  TsrTraceTabPage *page = data;
  TsrTraceTabs *self = page->tabs;
  TsrTraceQuestion question = { 0 };

  if (tsr_session_get_trace (self->session) == NULL)
    {
      tsr_tab_work_cancel (self->work, page->tab);
      g_clear_pointer (&page->answer, tsr_trace_answer_free);
      show_answer (page);
      return;
    }
  update_scope (page);
  fill_question (page, &question);
  /* The variables of a step have names there. */
  if (page->tab == TSR_TRACE_TAB_DETAILS && question.n_steps > 0)
    tsr_session_want (self->session, TSR_STAGE_LIVENESS);
  tsr_tab_work_run (self->work, page->tab, answer_question,
                    tsr_table_question_copy (&(TsrTableQuestion){ .of_trace = question }),
                    (GDestroyNotify)tsr_table_question_free);
}

TsrTraceTabPage *
tsr_trace_tabs_get_page (TsrTraceTabs *self)
{
  return tsr_tab_work_get_shown (self->work);
}

static void
make_stale (TsrTraceTabs *self, guint tabs)
{
  if (self->work != NULL)
    tsr_tab_work_make_stale (self->work, tabs);
}

static void
on_switched (TsrTraceTabs *self)
{
  make_stale (self, 0);
  g_signal_emit (self, signals[TAB_CHANGED], 0);
}

/* What is shown has changed */

static void
on_span_changed (TsrTraceTabs *self)
{
  make_stale (self, SPAN_TABS);
}

static void
on_hidden_changed (TsrTraceTabs *self)
{
  make_stale (self, ONE (SUMMARY) | ONE (AGGREGATE));
}

static void
on_steps_changed (TsrTraceTabs *self)
{
  make_stale (self, ONE (DETAILS));
  tsr_trace_tabs_show_group (self);
}

static void
on_options_changed (TsrTraceTabs *self)
{
  TsrTrace *trace = tsr_session_get_trace (self->session);
  gboolean all = tsr_trace_state_get_ipu (tsr_trace_tabs_get_state (self)) == TSR_NO_INDEX;

  gtk_widget_set_visible (GTK_WIDGET (self->tile_ipu),
                          all && trace != NULL && tsr_trace_get_n_ipus (trace) > 1);
  make_stale (self, SPAN_TABS);
}

static void
on_trace_changed (TsrTraceTabs *self)
{
  TsrTrace *trace = tsr_session_get_trace (self->session);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; trace != NULL && i < tsr_trace_get_n_ipus (trace); i++)
    {
      g_autofree char *name = tsr_trace_dup_ipu_name (trace, i);

      gtk_string_list_append (list, name);
    }
  self->from = self->to = 0;
  self->applying = TRUE;
  gtk_drop_down_set_model (self->tile_ipu, G_LIST_MODEL (list));
  self->applying = FALSE;
  on_options_changed (self);
  make_stale (self, ALL_TABS);
}

static void
on_memory_changed (TsrTraceTabs *self)
{
  make_stale (self, ONE (STAGES) | ONE (DETAILS));
}

static void
on_liveness_changed (TsrTraceTabs *self)
{
  make_stale (self, ONE (DETAILS));
}

static void
on_units_changed (TsrTraceTabs *self)
{
  for (guint i = 0; i < TSR_TRACE_N_TABS; i++)
    if (self->pages[i].answer != NULL && !tsr_tab_work_is_stale (self->work, i))
      show_answer (&self->pages[i]);
}

/* Controls */

void
tsr_trace_tabs_on_group (TsrTraceTabs *self)
{
  guint group = gtk_drop_down_get_selected (self->group);

  g_clear_handle_id (&self->typed, g_source_remove);
  gtk_widget_set_visible (self->depth,
                          group == TSR_TRACE_GROUP_PREFIX || group == TSR_TRACE_GROUP_TREE);
  gtk_widget_set_visible (self->regex, group == TSR_TRACE_GROUP_REGEX);
  make_stale (self, ONE (AGGREGATE));
}

static gboolean
on_typed (gpointer data)
{
  TsrTraceTabs *self = data;

  self->typed = 0;
  tsr_trace_tabs_on_group (self);
  return G_SOURCE_REMOVE;
}

/* What is typed is taken after a moment; what it cannot mean is seen at once. */
static void
on_regex_changed (TsrTraceTabs *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->regex));
  g_autoptr (GRegex) regex = g_regex_new (text, 0, 0, NULL);

  if (regex == NULL)
    gtk_widget_add_css_class (self->regex, "error");
  else
    gtk_widget_remove_css_class (self->regex, "error");
  g_clear_handle_id (&self->typed, g_source_remove);
  self->typed = g_timeout_add (TYPING_MS, on_typed, self);
}

static void
on_replica (TsrTraceTabs *self)
{
  if (!self->applying)
    make_stale (self, ONE (STAGES));
}

static void
on_tile_ipu (TsrTraceTabs *self)
{
  if (!self->applying)
    make_stale (self, ONE (TILES));
}

static void
add_group_controls (TsrTraceTabs *self, TsrRowView *view)
{
  static const char *const words[]
      = { N_ ("By name"),       N_ ("By name prefix"), N_ ("By type"), N_ ("By compute set"),
          N_ ("By expression"), N_ ("Tree of names"),  N_ ("Blocks"),  NULL };

  self->group = tsr_drop_down_new (words, _ ("What a row is"));
  self->depth = gtk_spin_button_new_with_range (1, TSR_TRACE_MAX_DEPTH, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->depth), 2);
  gtk_widget_set_valign (self->depth, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->depth, _ ("How many parts of the name, split at /"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->depth), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Depth of the prefix"), -1);
  self->regex = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->regex), "layer([0-9]+)");
  gtk_widget_set_valign (self->regex, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->regex, _ ("Regular expression: what its first group matches, "
                                               "else all that matches, is the row"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->regex), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Regular expression for the rows"), -1);
  tsr_row_view_add_control (view, GTK_WIDGET (self->group));
  tsr_row_view_add_control (view, self->depth);
  tsr_row_view_add_control (view, self->regex);
  g_signal_connect_swapped (self->group, "notify::selected", G_CALLBACK (tsr_trace_tabs_on_group),
                            self);
  g_signal_connect_swapped (self->depth, "value-changed", G_CALLBACK (tsr_trace_tabs_on_group),
                            self);
  g_signal_connect_swapped (self->regex, "activate", G_CALLBACK (tsr_trace_tabs_on_group), self);
  g_signal_connect_swapped (self->regex, "changed", G_CALLBACK (on_regex_changed), self);
}

static void
on_toast (TsrTraceTabs *self, const char *text)
{
  tsr_page_toast (GTK_WIDGET (self), text);
}

static TsrRowView *
new_view (TsrTraceTabPage *page, const char *file_name)
{
  TsrRowView *view = tsr_row_view_new ();

  tsr_row_view_set_file_name (view, file_name);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  tsr_row_view_set_multiple (view, page->tab == TSR_TRACE_TAB_AGGREGATE);
  g_signal_connect_swapped (view, "toast", G_CALLBACK (on_toast), page->tabs);
  return view;
}

static void
add_views (TsrTraceTabPage *page)
{
  g_autofree char *name = g_strdup_printf ("trace-%s", tsr_trace_tab_get_nick (page->tab));
  GtkWidget *box = tsr_trace_pair_new (page->tab == TSR_TRACE_TAB_SUMMARY);

  page->view = new_view (page, name);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (page->view));
  gtk_box_append (GTK_BOX (page->child), box);
  if (infos[page->tab].filter != NULL)
    tsr_row_view_set_filter_hint (page->view, _ (infos[page->tab].filter));
  tsr_row_view_set_paint_func (page->view, tsr_trace_tab_paint, page);
  if (infos[page->tab].more == NULL)
    return;
  page->more = new_view (page, infos[page->tab].more);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (page->more));
}

static GtkLabel *
add_line_label (GtkWidget *line, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (line), label);
  return GTK_LABEL (label);
}

static void
add_line (TsrTraceTabPage *page)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

  gtk_widget_add_css_class (line, "trace-tab-line");
  page->scope = add_line_label (line, "trace-scope");
  page->warning = add_line_label (line, "trace-warning");
  page->note = add_line_label (line, "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (page->note), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (page->warning), FALSE);
  gtk_widget_set_visible (line, page->tab != TSR_TRACE_TAB_DETAILS);
  gtk_box_append (GTK_BOX (page->child), line);
  if (page->tab == TSR_TRACE_TAB_STAGES)
    {
      static const char *const none[] = { "–", NULL };
      GtkWidget *holder = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      page->tabs->replica = tsr_drop_down_new (none, _ ("Replica whose stages are shown"));
      gtk_box_append (GTK_BOX (holder), GTK_WIDGET (page->tabs->replica));
      gtk_box_append (GTK_BOX (line), holder);
      gtk_widget_set_visible (holder, FALSE);
      g_signal_connect_swapped (page->tabs->replica, "notify::selected", G_CALLBACK (on_replica),
                                page->tabs);
    }
}

static void
add_tiles (TsrTraceTabPage *page)
{
  static const char *const none[] = { "–", NULL };
  TsrTraceTabs *self = page->tabs;
  GtkWidget *line = gtk_widget_get_first_child (page->child);

  self->tiles = tsr_trace_tile_view_new (self->session);
  self->tile_ipu = tsr_drop_down_new (none, _ ("IPU whose tiles are shown"));
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->tile_ipu));
  gtk_box_append (GTK_BOX (line), tsr_trace_tile_view_get_controls (self->tiles));
  page->view = tsr_trace_tile_view_get_table (self->tiles);
  gtk_widget_set_vexpand (GTK_WIDGET (self->tiles), TRUE);
  gtk_box_append (GTK_BOX (page->child), GTK_WIDGET (self->tiles));
  g_signal_connect_swapped (self->tile_ipu, "notify::selected", G_CALLBACK (on_tile_ipu), self);
  g_signal_connect_swapped (self->tiles, "toast", G_CALLBACK (on_toast), self);
}

static void
add_steps (TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;

  self->steps = tsr_trace_step_list_new (self->session);
  gtk_widget_set_vexpand (GTK_WIDGET (self->steps), TRUE);
  gtk_box_append (GTK_BOX (page->child), GTK_WIDGET (self->steps));
  g_signal_connect_swapped (self->steps, "toast", G_CALLBACK (on_toast), self);
}

static void
add_page (TsrTraceTabs *self, TsrTraceTab tab)
{
  TsrTraceTabPage *page = &self->pages[tab];

  page->tabs = self;
  page->tab = tab;
  page->child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  add_line (page);
  if (tab == TSR_TRACE_TAB_DETAILS)
    add_steps (page);
  else if (tab == TSR_TRACE_TAB_TILES)
    add_tiles (page);
  else
    {
      add_views (page);
      tsr_trace_tabs_follow_rows (page);
    }
  if (tab == TSR_TRACE_TAB_AGGREGATE)
    add_group_controls (self, page->view);
  page->label = tsr_tab_label_new (_ (infos[tab].title), _ (infos[tab].tooltip),
                                   tab == TSR_TRACE_TAB_DETAILS || tab == TSR_TRACE_TAB_AGGREGATE);
  if (tab == TSR_TRACE_TAB_AGGREGATE)
    tsr_tab_label_follow (page->label, page->view);
  tsr_tab_work_add (self->work, page->child, page->label, page);
}

/* Interface */

void
tsr_trace_tabs_set_range (TsrTraceTabs *self, gint64 from, gint64 to)
{
  gint64 old_from, old_to;

  g_return_if_fail (TSR_IS_TRACE_TABS (self));
  if (from == self->from && to == self->to)
    return;
  self->from = from;
  self->to = to;
  if (!tsr_trace_state_get_span (tsr_trace_tabs_get_state (self), &old_from, &old_to))
    make_stale (self, SPAN_TABS);
}

gboolean
tsr_trace_tabs_set_tab (TsrTraceTabs *self, const char *nick)
{
  TsrTraceTab tab;

  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), FALSE);
  if (!tsr_trace_tab_parse (nick, &tab))
    return FALSE;
  gtk_notebook_set_current_page (self->notebook, (int)tab);
  return TRUE;
}

const char *
tsr_trace_tabs_get_tab (TsrTraceTabs *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), NULL);
  return tsr_trace_tab_get_nick (tsr_trace_tabs_get_page (self)->tab);
}

void
tsr_trace_tabs_turn (TsrTraceTabs *self, int direction)
{
  int page;

  g_return_if_fail (TSR_IS_TRACE_TABS (self));
  page = gtk_notebook_get_current_page (self->notebook) + direction;
  gtk_notebook_set_current_page (self->notebook,
                                 (page % TSR_TRACE_N_TABS + TSR_TRACE_N_TABS) % TSR_TRACE_N_TABS);
}

TsrRowView *
tsr_trace_tabs_get_view (TsrTraceTabs *self, const char *nick)
{
  TsrTraceTab tab;

  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), NULL);
  return tsr_trace_tab_parse (nick, &tab) ? self->pages[tab].view : NULL;
}

GtkWidget *
tsr_trace_tabs_get_table (TsrTraceTabs *self)
{
  TsrTraceTabPage *page;

  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), NULL);
  page = tsr_trace_tabs_get_page (self);
  return page->view != NULL ? GTK_WIDGET (page->view) : GTK_WIDGET (self->steps);
}

gboolean
tsr_trace_tabs_is_busy (TsrTraceTabs *self)
{
  TsrTraceTabPage *page;

  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), FALSE);
  page = tsr_trace_tabs_get_page (self);
  return tsr_tab_work_is_busy (self->work) || self->typed != 0
         || (page->view != NULL && tsr_row_view_is_busy (page->view))
         || (page->more != NULL && tsr_row_view_is_busy (page->more));
}

/* Object */

static void
tsr_trace_tabs_dispose (GObject *object)
{
  TsrTraceTabs *self = TSR_TRACE_TABS (object);

  g_clear_handle_id (&self->typed, g_source_remove);
  g_clear_pointer (&self->work, tsr_tab_work_free);
  for (guint i = 0; i < TSR_TRACE_N_TABS; i++)
    {
      TsrTraceTabPage *page = &self->pages[i];

      if (page->view != NULL)
        {
          g_signal_handlers_disconnect_by_data (page->view, page);
          tsr_row_view_set_paint_func (page->view, NULL, NULL);
        }
      if (page->more != NULL)
        g_signal_handlers_disconnect_by_data (page->more, page);
      page->view = page->more = NULL;
      g_clear_pointer (&page->answer, tsr_trace_answer_free);
    }
  if (self->notebook != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->notebook, self);
      g_signal_handlers_disconnect_by_data (self->group, self);
      g_signal_handlers_disconnect_by_data (self->depth, self);
      g_signal_handlers_disconnect_by_data (self->regex, self);
      g_signal_handlers_disconnect_by_data (self->replica, self);
      g_signal_handlers_disconnect_by_data (self->tile_ipu, self);
      gtk_widget_unparent (GTK_WIDGET (self->notebook));
      self->notebook = NULL;
    }
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_tabs_parent_class)->dispose (object);
}

static void
tsr_trace_tabs_class_init (TsrTraceTabsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_tabs_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, TSR_TYPE_TAB_LAYOUT);
  signals[TAB_CHANGED]
      = g_signal_new ("tab-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[GO_TO] = g_signal_new ("go-to", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 2, G_TYPE_INT64, G_TYPE_INT64);
}

static void
tsr_trace_tabs_init (TsrTraceTabs *self)
{
  self->notebook = GTK_NOTEBOOK (gtk_notebook_new ());
  gtk_notebook_set_show_border (self->notebook, FALSE);
  gtk_notebook_set_scrollable (self->notebook, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->notebook), "details");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->notebook), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Trace tables"), -1);
  gtk_widget_set_parent (GTK_WIDGET (self->notebook), GTK_WIDGET (self));
  self->work
      = tsr_tab_work_new (self->notebook, ask, on_answered, (GDestroyNotify)tsr_trace_answer_free);
}

static void
connect_session (TsrTraceTabs *self)
{
  TsrTraceState *state = tsr_trace_tabs_get_state (self);
  const struct
  {
    gpointer object;
    const char *signal;
    GCallback callback;
  } signs[] = {
    { state, "span-changed", G_CALLBACK (on_span_changed) },
    { state, "run-changed", G_CALLBACK (on_span_changed) },
    { state, "hidden-changed", G_CALLBACK (on_hidden_changed) },
    { state, "steps-changed", G_CALLBACK (on_steps_changed) },
    { state, "options-changed", G_CALLBACK (on_options_changed) },
    { self->session, "notify::trace", G_CALLBACK (on_trace_changed) },
    { self->session, "notify::memory", G_CALLBACK (on_memory_changed) },
    { self->session, "notify::liveness", G_CALLBACK (on_liveness_changed) },
    { self->session, "notify::units", G_CALLBACK (on_units_changed) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    g_signal_connect_object (signs[i].object, signs[i].signal, signs[i].callback, self,
                             G_CONNECT_SWAPPED);
}

TsrTraceTabs *
tsr_trace_tabs_new (TsrSession *session)
{
  TsrTraceTabs *self = g_object_new (TSR_TYPE_TRACE_TABS, NULL);

  self->session = g_object_ref (session);
  for (guint i = 0; i < TSR_TRACE_N_TABS; i++)
    add_page (self, i);
  tsr_trace_tabs_on_group (self);
  connect_session (self);
  g_signal_connect_data (self->notebook, "switch-page", G_CALLBACK (on_switched), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  on_trace_changed (self);
  tsr_tab_work_start (self->work);
  return self;
}
