/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each tab asks of the range and the trace's state, what its rows select and where they lead,
 * and the tabs as text. */

#include "config.h"

#include "tsr-drop-down.h"
#include "tsr-page.h"
#include "tsr-trace-chart.h"
#include "tsr-trace-tabs-private.h"

#include <glib/gi18n.h>

#define TYPING_MS   300
#define ONE(tab)    (1u << TSR_TRACE_TAB_##tab)
#define BIT(option) TSR_VIEW_BIT (TSR_TRACE_VIEW_##option)

G_DEFINE_FINAL_TYPE (TsrTraceTabs, tsr_trace_tabs, TSR_TYPE_TABS)

static guint go_to_signal;

static TsrTraceState *
get_state (TsrTraceTabs *self)
{
  return tsr_session_get_trace_state (self->session);
}

/* Emits "go-to". */
static void
go_to (TsrTraceTabs *self, gint64 from, gint64 to)
{
  g_signal_emit (self, go_to_signal, 0, from, to);
}

/* What rows of the tabs select: names and steps of the trace; where they lead. */

/* Rows of Aggregate all of whose steps are selected. */
static void
show_group (TsrTraceTabs *self)
{
  const TsrTab *tab = tsr_tabs_get (TSR_TABS (self), TSR_TRACE_TAB_AGGREGATE);
  const TsrTraceAnswer *answer = tab->answer != NULL ? tab->answer->trace : NULL;
  TsrTraceMatches *group = tsr_trace_state_get_selected_group (get_state (self));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
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
  tsr_row_view_select (tab->view, (const guint32 *)(gpointer)rows->data, rows->len);
}

static void
on_selected (gpointer page, TsrTab *tab, const GArray *rows)
{
  TsrTraceTabs *self = page;
  g_autoptr (TsrTraceMatches) matches = NULL;

  if (tab->number != TSR_TRACE_TAB_AGGREGATE || tab->answer->trace->aggregates == NULL)
    return;
  matches = tsr_trace_answer_dup_matches (tab->answer->trace, (const guint32 *)(gpointer)rows->data,
                                          rows->len);
  /* Rows that say the same in other words stay as the user chose them. */
  g_signal_handlers_block_by_func (get_state (self), show_group, self);
  tsr_trace_state_set_selected_group (get_state (self), matches);
  g_signal_handlers_unblock_by_func (get_state (self), show_group, self);
}

static void
select_slice (TsrTraceTabs *self, const TsrTrace *trace, guint32 slice, gboolean go)
{
  TsrTraceStepRef ref;
  TsrTraceSlice info;

  tsr_trace_get_slice (trace, slice, &info);
  ref.step_id = info.step_id;
  ref.ipu = info.ipu;
  tsr_trace_state_set_steps (get_state (self), &ref, 1);
  if (go && info.start != TSR_UNKNOWN)
    go_to (self, info.start, MAX (info.end, info.start + 1));
}

/* The step that @row of the second table of Overlap or Waits is of, or TSR_NO_SLICE. */
static guint32
get_listed (const TsrTab *tab, guint row)
{
  const TsrTraceAnswer *answer = tab->answer != NULL ? tab->answer->trace : NULL;

  if (answer != NULL && answer->copies != NULL && row < answer->copies->len)
    return g_array_index (answer->copies, TsrTraceLoneCopy, row).slice;
  if (answer != NULL && answer->waits != NULL && row < answer->waits->longest->len)
    return g_array_index (answer->waits->longest, TsrTraceWait, row).slice;
  return TSR_NO_SLICE;
}

static void
go_to_listed (TsrTab *tab, guint row, gboolean go)
{
  guint32 slice = get_listed (tab, row);

  if (slice != TSR_NO_SLICE)
    select_slice (TSR_TRACE_TABS (tab->tabs), tab->answer->trace->trace, slice, go);
}

static void
on_listed_selected (TsrRowView *view, TsrTab *tab)
{
  g_autoptr (GArray) rows = tsr_row_view_dup_selected (view);

  if (rows->len == 1)
    go_to_listed (tab, g_array_index (rows, guint32, 0), FALSE);
}

static void
on_activate_listed (TsrRowView *view, guint row, TsrTab *tab)
{
  go_to_listed (tab, row, TRUE);
}

/* A group's first step; a period of a pipeline. */
static void
on_activate_row (TsrRowView *view, guint row, TsrTab *tab)
{
  TsrTraceTabs *self = TSR_TRACE_TABS (tab->tabs);
  const TsrTraceAnswer *answer = tab->answer != NULL ? tab->answer->trace : NULL;

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
        go_to (self, g_array_index (stages->periods, TsrTracePeriod, row).from,
               g_array_index (stages->periods, TsrTracePeriod, row).to);
    }
}

/* What the figures are of */

/* The span; else what is visible, else the run. */
static gboolean
get_range (TsrTraceTabs *self, const TsrTrace *trace, gint64 *from, gint64 *to)
{
  if (tsr_trace_state_get_span (get_state (self), from, to))
    return TRUE;
  if (self->from < self->to)
    {
      *from = self->from;
      *to = self->to;
    }
  else
    tsr_trace_state_get_domain (get_state (self), trace, from, to);
  return FALSE;
}

static void
update_warning (TsrTraceTabs *self, const TsrTab *tab)
{
  GtkLabel *label = self->lines[tab->number].warning;
  TsrTrace *trace = tsr_session_get_trace (self->session);
  guint32 hidden = trace != NULL ? tsr_trace_state_get_hidden_mask (get_state (self), trace) : 0;
  g_autoptr (GString) types = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; trace != NULL && i < tsr_trace_get_n_types (trace); i++)
    if ((hidden >> i & 1) != 0)
      g_string_append_printf (types, "%s%s", types->len > 0 ? ", " : "",
                              tsr_trace_get_type (trace, i)->label);
  gtk_widget_set_visible (GTK_WIDGET (label), types->len > 0
                                                  && (tab->number == TSR_TRACE_TAB_SUMMARY
                                                      || tab->number == TSR_TRACE_TAB_AGGREGATE));
  text = g_strdup_printf (_ ("Hidden, not counted: %s"), types->str);
  gtk_label_set_label (label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
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
  gtk_drop_down_set_model (self->replica, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->replica, answer->replica);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->replica)), n > 1);
}

static void
on_shown (gpointer page, TsrTab *tab)
{
  TsrTraceTabs *self = page;
  const TsrTraceAnswer *answer = tab->answer != NULL ? tab->answer->trace : NULL;
  const char *note = tab->answer != NULL ? tab->answer->note : NULL;
  const TsrTraceLine *line = &self->lines[tab->number];
  gint64 n_steps = answer != NULL && answer->steps != NULL ? answer->steps->len : 0;

  update_warning (self, tab);
  gtk_label_set_label (line->note, note != NULL ? note : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (line->note), note);
  if (tab->number == TSR_TRACE_TAB_DETAILS)
    {
      tsr_trace_step_list_set_answer (self->steps, tab->answer);
      if (n_steps > 0 && tab->question != NULL && tab->question->of_trace.n_marked > 0)
        n_steps = (gint64)tab->question->of_trace.n_marked;
      tsr_tab_label_set_count (tab->label, n_steps > 0 ? n_steps : TSR_UNKNOWN);
    }
  else if (tab->number == TSR_TRACE_TAB_TILES)
    tsr_trace_tile_view_set_answer (self->tiles, tab->answer);
  else if (tab->number == TSR_TRACE_TAB_STAGES && answer != NULL)
    update_replicas (self, answer);
  else if (tab->number == TSR_TRACE_TAB_AGGREGATE)
    show_group (self);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (line->note)),
                          note != NULL || tab->number == TSR_TRACE_TAB_TILES
                              || gtk_widget_get_visible (GTK_WIDGET (line->warning))
                              || (tab->number == TSR_TRACE_TAB_STAGES && answer != NULL
                                  && answer->stages != NULL && answer->stages->len > 1));
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
ask_aggregate (TsrTraceTabs *self, TsrTraceQuestion *asked)
{
  asked->hidden |= get_start_up (asked->trace);
  asked->group = tsr_view_state_get (self->options, TSR_TRACE_VIEW_GROUPING);
  asked->depth = tsr_view_state_get (self->options, TSR_TRACE_VIEW_DEPTH);
  asked->regex = (char *)tsr_view_state_get_text (self->options, TSR_TRACE_VIEW_REGEX);
  asked->flushes = tsr_trace_state_has (get_state (self), TSR_TRACE_OPTION_FLUSHES);
}

/* The variables of a step have names in its liveness; what made it is in the debug information,
 * which nobody waits for where reading is slow. */
static void
ask_details (TsrTraceTabs *self, const TsrTab *tab, TsrTraceQuestion *asked)
{
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (get_state (self), &asked->n_steps);
  TsrReport *report = tsr_trace_get_report (asked->trace);

  asked->n_steps = MIN (asked->n_steps, TSR_TRACE_MAX_SELECTED);
  if (asked->n_steps == 0)
    {
      steps = self->longest;
      asked->n_steps = self->n_longest;
      asked->n_marked = self->n_marked;
      asked->marked_cycles = self->marked_cycles;
    }
  if (asked->n_steps == 0)
    return;
  memcpy (asked->steps, steps, asked->n_steps * sizeof *steps);
  asked->has_liveness = tsr_session_get_liveness (self->session) != NULL;
  asked->has_debug = report != NULL && tsr_report_get_debug_tables (report) != NULL;
  /* The same question whether it is shown or not, or its number would be another's; only what is
   * shown has it computed. */
  asked->live = tsr_session_peek_data (self->session, TSR_DATA_TRACE_LIVE);
  if (tsr_tabs_get_shown (tab->tabs) == tab)
    {
      tsr_session_want (self->session, TSR_STAGE_LIVENESS);
      asked->live = tsr_session_get_trace_live (self->session);
    }
}

static gboolean
ask (gpointer page, const TsrTab *tab, TsrTableQuestion *question)
{
  TsrTraceTabs *self = page;
  TsrTraceState *state = get_state (self);
  TsrTraceQuestion *asked = &question->of_trace;
  guint one = 1u << tab->number;

  asked->trace = tsr_session_get_trace (self->session);
  if (asked->trace == NULL)
    return FALSE;
  if ((one & (ONE (STAGES) | ONE (DETAILS))) != 0)
    asked->memory = tsr_session_get_memory (self->session);
  if ((one & (ONE (SUMMARY) | ONE (AGGREGATE))) != 0)
    asked->hidden = tsr_trace_state_get_hidden_mask (state, asked->trace);
  if (tab->number == TSR_TRACE_TAB_DETAILS)
    {
      ask_details (self, tab, asked);
      return TRUE;
    }
  get_range (self, asked->trace, &asked->from, &asked->to);
  asked->run = tsr_trace_state_get_chosen_run (state, asked->trace);
  asked->ipu = tsr_trace_state_get_ipu (state);
  if (tab->number == TSR_TRACE_TAB_AGGREGATE)
    ask_aggregate (self, asked);
  if (tab->number == TSR_TRACE_TAB_STAGES
      && gtk_drop_down_get_selected (self->replica) != GTK_INVALID_LIST_POSITION)
    asked->replica = gtk_drop_down_get_selected (self->replica);
  if (tab->number == TSR_TRACE_TAB_TILES && asked->ipu == TSR_NO_INDEX)
    asked->ipu = gtk_drop_down_get_selected (self->tile_ipu);
  return TRUE;
}

static void
on_options_changed (TsrTraceTabs *self)
{
  TsrTrace *trace = tsr_session_get_trace (self->session);

  gtk_widget_set_visible (GTK_WIDGET (self->tile_ipu),
                          tsr_trace_state_get_ipu (get_state (self)) == TSR_NO_INDEX
                              && trace != NULL && tsr_trace_get_n_ipus (trace) > 1);
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
  gtk_drop_down_set_model (self->tile_ipu, G_LIST_MODEL (list));
  on_options_changed (self);
}

/* Controls */

static void
on_group (TsrTraceTabs *self)
{
  guint group = tsr_view_state_get (self->options, TSR_TRACE_VIEW_GROUPING);

  g_clear_handle_id (&self->typed, g_source_remove);
  gtk_widget_set_visible (self->depth,
                          group == TSR_TRACE_GROUP_PREFIX || group == TSR_TRACE_GROUP_TREE);
  gtk_widget_set_visible (self->regex, group == TSR_TRACE_GROUP_REGEX);
  tsr_tabs_update (TSR_TABS (self));
}

static gboolean
on_typed (gpointer data)
{
  TsrTraceTabs *self = data;

  self->typed = 0;
  on_group (self);
  return G_SOURCE_REMOVE;
}

/* What is typed is taken after a moment; what it cannot mean is seen at once. */
static void
on_view_options (TsrTraceTabs *self, guint64 changed)
{
  const char *text = tsr_view_state_get_text (self->options, TSR_TRACE_VIEW_REGEX);
  g_autoptr (GRegex) regex = g_regex_new (text, 0, 0, NULL);

  if (regex == NULL)
    gtk_widget_add_css_class (self->regex, "error");
  else
    gtk_widget_remove_css_class (self->regex, "error");
  if ((changed & (BIT (GROUPING) | BIT (DEPTH))) != 0)
    on_group (self);
  else if ((changed & BIT (REGEX)) != 0)
    {
      g_clear_handle_id (&self->typed, g_source_remove);
      self->typed = g_timeout_add (TYPING_MS, on_typed, self);
    }
}

static void
add_group_controls (TsrTraceTabs *self, TsrRowView *view)
{
  static const char *const words[]
      = { N_ ("By name"),       N_ ("By name prefix"), N_ ("By type"), N_ ("By compute set"),
          N_ ("By expression"), N_ ("Tree of names"),  N_ ("Blocks"),  NULL };

  self->group = tsr_drop_down_new (words, _ ("What a row is"));
  self->depth = gtk_spin_button_new_with_range (1, TSR_TRACE_MAX_DEPTH, 1);
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
  tsr_view_state_bind (self->options, TSR_TRACE_VIEW_GROUPING, self->group, "selected");
  tsr_view_state_bind (self->options, TSR_TRACE_VIEW_DEPTH, self->depth, "value");
  tsr_view_state_bind (self->options, TSR_TRACE_VIEW_REGEX, self->regex, "text");
  g_signal_connect_object (self->regex, "activate", G_CALLBACK (on_group), self, G_CONNECT_SWAPPED);
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

static GtkDropDown *
add_choice (TsrTraceTabs *self, GtkWidget *box, const char *label)
{
  static const char *const none[] = { "–", NULL };

  return tsr_drop_down_add (box, none, label, G_CALLBACK (tsr_tabs_update), self);
}

static void
add_line (TsrTraceTabs *self, TsrTab *tab)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  TsrTraceLine *labels = &self->lines[tab->number];

  gtk_widget_add_css_class (line, "trace-tab-line");
  labels->warning = add_line_label (line, "trace-warning");
  labels->note = add_line_label (line, "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (labels->note), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (labels->warning), FALSE);
  gtk_widget_set_visible (line, FALSE);
  gtk_box_append (GTK_BOX (tab->child), line);
  if (tab->number == TSR_TRACE_TAB_STAGES)
    {
      GtkWidget *holder = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      self->replica = add_choice (self, holder, _ ("Replica whose stages are shown"));
      gtk_box_append (GTK_BOX (line), holder);
      gtk_widget_set_visible (holder, FALSE);
    }
  else if (tab->number == TSR_TRACE_TAB_TILES)
    {
      self->tiles = tsr_trace_tile_view_new (self->session);
      tsr_trace_tile_view_bind (self->tiles, self->options, TSR_TRACE_VIEW_TILES_AS,
                                TSR_TRACE_VIEW_TILES_ORDER);
      self->tile_ipu = add_choice (self, line, _ ("IPU whose tiles are shown"));
      gtk_box_append (GTK_BOX (line), tsr_trace_tile_view_get_controls (self->tiles));
    }
}

/* Rows of a table select steps of the trace, and lead there. */
static GtkWidget *
add_tables (TsrTab *tab)
{
  GtkWidget *box = tsr_trace_pair_new (tab->number == TSR_TRACE_TAB_SUMMARY);

  gtk_box_append (GTK_BOX (box), GTK_WIDGET (tab->view));
  tsr_row_view_set_paint_func (tab->view, tsr_trace_tab_paint, tab);
  g_signal_connect (tab->view, "activate-row", G_CALLBACK (on_activate_row), tab);
  if (tab->more != NULL)
    gtk_box_append (GTK_BOX (box), GTK_WIDGET (tab->more));
  if (tab->number == TSR_TRACE_TAB_OVERLAP || tab->number == TSR_TRACE_TAB_WAITS)
    {
      g_signal_connect (tab->more, "selection-changed", G_CALLBACK (on_listed_selected), tab);
      g_signal_connect (tab->more, "activate-row", G_CALLBACK (on_activate_listed), tab);
    }
  return box;
}

static void
add_tab (gpointer page, TsrTab *tab)
{
  TsrTraceTabs *self = page;
  GtkWidget *content;

  tab->child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  add_line (self, tab);
  if (tab->number == TSR_TRACE_TAB_DETAILS)
    {
      self->steps
          = tsr_trace_step_list_new (self->session, self->options, TSR_TRACE_VIEW_STEP_ORDER);
      content = tab->list = GTK_WIDGET (self->steps);
    }
  else if (tab->number == TSR_TRACE_TAB_TILES)
    {
      tab->view = tsr_trace_tile_view_get_table (self->tiles);
      content = GTK_WIDGET (self->tiles);
    }
  else
    content = add_tables (tab);
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (tab->child), content);
  if (tab->number == TSR_TRACE_TAB_AGGREGATE)
    add_group_controls (self, tab->view);
}

static const TsrTabWords words_of_tabs[] = {
  { .key = "summary", .tooltip = N_ ("Where the cycles of each IPU go"), .is_single = TRUE },
  { .key = "details", .tooltip = N_ ("The selected steps"), .is_counted = TRUE, .is_own = TRUE },
  { .key = "aggregate",
    .tooltip = N_ ("Steps in groups: what costs most"),
    .filter = N_ ("Filter groups"),
    .is_counted = TRUE },
  { .key = "stages",
    .tooltip = N_ ("How the IPUs of a replica share the work of a pipeline"),
    .is_single = TRUE },
  { .key = "overlap",
    .tooltip = N_ ("What is copied while something is computed, and what is not"),
    .is_single = TRUE },
  { .key = "waits",
    .tooltip = N_ ("Which IPU waits for which, and who comes last"),
    .is_single = TRUE },
  { .key = "tiles", .tooltip = N_ ("What every tile of an IPU does"), .is_own = TRUE },
};

static const TsrTabsSetup setup = {
  .command = "trace",
  .label = N_ ("Trace tables"),
  .empty = N_ ("No Step Takes Time Here"),
  .words = words_of_tabs,
  .n_words = G_N_ELEMENTS (words_of_tabs),
  .add = add_tab,
  .ask = ask,
  .shown = on_shown,
  .selected = on_selected,
};

/* Text */

char *
tsr_trace_tabs_dup_text (TsrTraceTabs *self)
{
  const TsrTab *tab;
  const TsrTraceLine *line;
  GString *text;

  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), NULL);
  tab = tsr_tabs_get_shown (TSR_TABS (self));
  line = &self->lines[tab->number];
  if (tab->number == TSR_TRACE_TAB_DETAILS)
    return tsr_trace_step_list_dup_text (self->steps);
  text = g_string_new (NULL);
  if (gtk_widget_get_visible (GTK_WIDGET (line->warning)))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (line->warning));
  if (tab->answer != NULL && tab->answer->note != NULL)
    g_string_append_printf (text, "%s\n", tab->answer->note);
  for (guint i = 0; i < 2; i++)
    {
      TsrRowView *view = i == 0 ? tab->view : tab->more;
      g_autofree char *csv = view != NULL ? tsr_row_view_dup_csv (view) : NULL;

      if (csv != NULL && *csv != '\0')
        g_string_append_printf (text, "\n%s", csv);
    }
  return g_string_free (text, FALSE);
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
  if (!tsr_trace_state_get_span (get_state (self), &old_from, &old_to))
    tsr_tabs_update (TSR_TABS (self));
}

void
tsr_trace_tabs_set_marks (TsrTraceTabs *self, const TsrTrace *trace, const TsrTraceMarks *marks)
{
  const guint32 *longest;

  g_return_if_fail (TSR_IS_TRACE_TABS (self));
  g_return_if_fail (marks == NULL || trace != NULL);
  self->n_longest = 0;
  self->n_marked = 0;
  self->marked_cycles = 0;
  if (marks != NULL)
    {
      self->n_marked = tsr_trace_marks_get_n (marks, &self->marked_cycles);
      longest = tsr_trace_marks_peek_longest (marks, &self->n_longest);
      for (guint i = 0; i < self->n_longest; i++)
        {
          TsrTraceSlice slice;

          tsr_trace_get_slice (trace, longest[i], &slice);
          self->longest[i] = (TsrTraceStepRef){ slice.step_id, slice.ipu };
        }
    }
  tsr_tabs_update (TSR_TABS (self));
}

gboolean
tsr_trace_tabs_is_busy (TsrTraceTabs *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), FALSE);
  return self->typed != 0 || tsr_tabs_is_busy (TSR_TABS (self));
}

/* Object */

static void
tsr_trace_tabs_dispose (GObject *object)
{
  TsrTraceTabs *self = TSR_TRACE_TABS (object);

  g_clear_handle_id (&self->typed, g_source_remove);
  G_OBJECT_CLASS (tsr_trace_tabs_parent_class)->dispose (object);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
}

static void
tsr_trace_tabs_class_init (TsrTraceTabsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_trace_tabs_dispose;
  go_to_signal = g_signal_new ("go-to", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
}

static void
tsr_trace_tabs_init (TsrTraceTabs *self)
{
}

TsrTraceTabs *
tsr_trace_tabs_new (TsrSession *session)
{
  TsrTraceTabs *self = g_object_new (TSR_TYPE_TRACE_TABS, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (tsr_trace_tabs_get_options (session));
  tsr_tabs_setup (TSR_TABS (self), &setup, self);
  tsr_tabs_bind (TSR_TABS (self), self->options, TSR_TRACE_VIEW_TAB);
  g_signal_connect_object (self->options, "changed", G_CALLBACK (on_view_options), self,
                           G_CONNECT_SWAPPED);
  on_view_options (self, BIT (GROUPING));
  g_signal_connect_object (get_state (self), "steps-changed", G_CALLBACK (show_group), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (get_state (self), "options-changed", G_CALLBACK (on_options_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::trace", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  on_trace_changed (self);
  tsr_tabs_set_session (TSR_TABS (self), session);
  return self;
}
