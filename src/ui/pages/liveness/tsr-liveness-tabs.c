/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each tab asks of the source, the selected steps and its own controls; which peak is taken
 * apart; and groups, whose rows are selected here and nowhere else. */

#include "config.h"

#include "tsr-liveness-tabs.h"

#include "tsr-drop-down.h"
#include "tsr-liveness-page-private.h"

#include <glib/gi18n.h>

struct _TsrLivenessTabs
{
  TsrTabs parent_instance;

  /* By tab, each nullable. */
  GtkDropDown *by[TSR_LIVENESS_N_TABS], *mode[TSR_LIVENESS_N_TABS];
  GtkWidget *depth[TSR_LIVENESS_N_TABS]; /* spin buttons */
  GtkDropDown *peak_chooser;

  TsrSession *session;
  TsrViewState *options; /* of the page */
  gboolean has_source;
  TsrLivenessSource source;
  GArray *peaks; /* (nullable) TsrPeak */
  guint peak;    /* its place; the option is the one that is wanted */
  gboolean include_always_live;
  GPtrArray *groups; /* TsrLivenessGroup, selected in groups_tab */
  TsrLivenessTab groups_tab;
};

G_DEFINE_FINAL_TYPE (TsrLivenessTabs, tsr_liveness_tabs, TSR_TYPE_TABS)

enum
{
  PEAK_CHANGED,
  GROUPS_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

#define ONE(tab)         (1u << TSR_LIVENESS_TAB_##tab)
#define TABS_OF_VERTICES (ONE (VERTICES) | ONE (CYCLES) | ONE (FLOPS))
#define TABS_OF_STEPS    (TABS_OF_VERTICES | ONE (TEMPORARY) | ONE (A_TO_B))
#define TABS_OF_GROUPS   (ONE (ALWAYS) | ONE (TEMPORARY) | ONE (PEAK) | ONE (A_TO_B))

static const TsrTabWords words[] = {
  { .key = "always-live",
    .tooltip = N_ ("Variables that are live at every step, on the source"),
    .filter = N_ ("Filter variables"),
    .is_counted = TRUE },
  { .key = "not-always-live",
    .tooltip = N_ ("Variables that are live at the selected steps, and not always; at the peak "
                   "while no step is selected"),
    .filter = N_ ("Filter variables"),
    .is_counted = TRUE },
  { .key = "vertices",
    .tooltip = N_ ("Vertices that the programs of the selected steps execute"),
    .filter = N_ ("Filter vertices"),
    .is_counted = TRUE },
  { .key = "cycle-estimates",
    .tooltip = N_ ("Cycles that the compiler estimates for the selected steps"),
    .filter = N_ ("Filter vertices"),
    .is_counted = TRUE },
  { .key = "flop-estimates",
    .tooltip = N_ ("Floating-point operations that the compiler estimates for the selected steps"),
    .filter = N_ ("Filter vertices"),
    .is_counted = TRUE },
  { .key = "peak",
    .tooltip = N_ ("What a peak is made of"),
    .filter = N_ ("Filter variables"),
    .is_counted = TRUE },
  { .key = "a-to-b",
    .tooltip = N_ ("What is born, dies, grows and shrinks from step A to step B"),
    .filter = N_ ("Filter variables"),
    .empty = N_ ("Nothing changes"),
    .is_counted = TRUE },
  { .key = "lifetimes", .tooltip = N_ ("When each variable is live"), .is_own = TRUE },
};

/* Groups */

static guint
get (TsrLivenessTabs *self, TsrLivenessOption option)
{
  return tsr_view_state_get (self->options, option);
}

/* Rows of the groups that are selected. */
static GArray *
list_groups (TsrLivenessTabs *self, const TsrTab *tab)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (GStrv) names = NULL;

  if (tab->answer == NULL || tab->answer->members == NULL || tab->number != self->groups_tab)
    return rows;
  names = tsr_view_state_dup_lines (self->options, TSR_LIVENESS_OPTION_GROUPS + tab->number);
  for (guint32 row = 0; row < tsr_rows_get_n (tab->answer->rows); row++)
    if (g_strv_contains ((const char *const *)names, tsr_rows_get_text (tab->answer->rows, row, 0)))
      g_array_append_val (rows, row);
  return rows;
}

/* The groups of these rows are selected, and no others. */
static void
take_groups (TsrLivenessTabs *self, const TsrTab *tab, const GArray *rows)
{
  g_autoptr (GPtrArray) groups = tsr_liveness_groups_new (tab->answer, rows);

  if (tsr_liveness_groups_equal (groups, self->groups))
    return;
  g_ptr_array_unref (self->groups);
  self->groups = g_steal_pointer (&groups);
  g_signal_emit (self, signals[GROUPS_CHANGED], 0);
}

/* The same groups may have other variables now. */
static void
show_groups (gpointer page, TsrTab *tab)
{
  TsrLivenessTabs *self = page;
  g_autoptr (GArray) rows = NULL;

  if (tab->number != self->groups_tab)
    return;
  rows = list_groups (self, tab);
  take_groups (self, tab, rows);
  if (tab->answer != NULL && tab->answer->members != NULL)
    tsr_row_view_select (tab->view, (const guint32 *)(gpointer)rows->data, rows->len);
}

static void
on_selected (gpointer page, TsrTab *tab, const GArray *rows)
{
  TsrLivenessTabs *self = page;
  g_auto (GStrv) names = NULL;

  if (tab->answer->variables == NULL)
    return;
  take_groups (self, tab, rows);
  self->groups_tab = tab->number;
  names = tsr_liveness_groups_dup_names (self->groups);
  tsr_view_state_set_lines (self->options, TSR_LIVENESS_OPTION_GROUPS + tab->number,
                            (const char *const *)names);
}

/* Questions */

static guint
get_peak_step (TsrLivenessTabs *self, guint place)
{
  if (self->peaks == NULL || place >= self->peaks->len)
    return TSR_NO_INDEX;
  return g_array_index (self->peaks, TsrPeak, place).step;
}

static void
take_steps (TsrLivenessTabs *self, TsrLivenessQuestion *asked)
{
  guint n = 0;
  const guint *steps = tsr_step_selection_peek (tsr_session_get_steps (self->session), &n);

  for (guint i = 0; i < n; i++)
    if (steps[i] < tsr_liveness_get_n_steps (asked->liveness))
      asked->steps[asked->n_steps++] = steps[i];
  asked->peak = get_peak_step (self, 0);
}

/* Without a step that is selected: the two highest peaks, in the order of the program. */
static void
take_peaks (TsrLivenessTabs *self, TsrLivenessQuestion *asked)
{
  guint a = get_peak_step (self, 0), b = get_peak_step (self, 1);

  if (asked->n_steps > 0 || b == TSR_NO_INDEX)
    return;
  asked->steps[asked->n_steps++] = MIN (a, b);
  asked->steps[asked->n_steps++] = MAX (a, b);
}

static gboolean
ask (gpointer page, const TsrTab *tab, TsrTableQuestion *question)
{
  TsrLivenessTabs *self = page;
  TsrLivenessQuestion *asked = &question->of_liveness;
  guint number = tab->number, one = 1u << number;
  gboolean second = get (self, TSR_LIVENESS_OPTION_MODE + number) != 0;

  asked->liveness = tsr_session_get_liveness (self->session);
  if (asked->liveness == NULL || !self->has_source || number == TSR_LIVENESS_TAB_LIFETIMES)
    return FALSE;
  asked->source = self->source;
  asked->peak = number == TSR_LIVENESS_TAB_PEAK ? get_peak_step (self, self->peak) : TSR_NO_INDEX;
  if ((TABS_OF_STEPS & one) != 0)
    take_steps (self, asked);
  if (number == TSR_LIVENESS_TAB_A_TO_B)
    take_peaks (self, asked);
  if ((TABS_OF_VERTICES & one) != 0)
    {
      asked->vertices = tsr_session_get_vertices (self->session);
      asked->vertices_pending = asked->vertices == NULL
                                && tsr_session_is_stage_pending (self->session, TSR_STAGE_PROGRAMS);
    }
  asked->by = get (self, TSR_LIVENESS_OPTION_BY + number);
  asked->depth = get (self, TSR_LIVENESS_OPTION_DEPTH + number);
  asked->include_always_live = number == TSR_LIVENESS_TAB_PEAK && self->include_always_live;
  asked->by_tile = second && number == TSR_LIVENESS_TAB_CYCLES;
  asked->dying = second && number == TSR_LIVENESS_TAB_A_TO_B;
  return TRUE;
}

/* Controls */

static void
on_peak_chosen (TsrLivenessTabs *self)
{
  guint selected = gtk_drop_down_get_selected (self->peak_chooser);

  if (selected == GTK_INVALID_LIST_POSITION || selected == self->peak)
    return;
  self->peak = selected;
  tsr_view_state_set (self->options, TSR_LIVENESS_OPTION_PEAK, selected + 1);
  g_signal_emit (self, signals[PEAK_CHANGED], 0);
}

static GtkDropDown *
add_choice (TsrTab *tab, const char *const *choices, const char *label)
{
  GtkDropDown *choice = tsr_drop_down_new (choices, label);

  tsr_row_view_add_control (tab->view, GTK_WIDGET (choice));
  return choice;
}

static void
add_group_controls (TsrLivenessTabs *self, TsrTab *tab)
{
  static const char *const choices[]
      = { N_ ("By variable"), N_ ("By name prefix"), N_ ("By category"), N_ ("By life"), NULL };
  GtkWidget *depth = gtk_spin_button_new_with_range (1, TSR_LIVENESS_MAX_DEPTH, 1);

  self->by[tab->number] = add_choice (tab, choices, _ ("What a row is"));
  self->depth[tab->number] = depth;
  gtk_widget_set_valign (depth, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (depth, _ ("How many parts of the name, split at /"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (depth), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Depth of the prefix"), -1);
  tsr_row_view_add_control (tab->view, depth);
}

static void
add_tab (gpointer page, TsrTab *tab)
{
  static const char *const no_peaks[] = { "–", NULL };
  static const char *const modes[][3] = {
    { N_ ("By vertex type"), N_ ("By tile"), NULL },
    { N_ ("All that changes"), N_ ("Live at A, gone by B"), NULL },
  };
  TsrLivenessTabs *self = page;

  if (tab->number == TSR_LIVENESS_TAB_LIFETIMES)
    tab->child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  if (tab->number == TSR_LIVENESS_TAB_PEAK)
    {
      self->peak_chooser = add_choice (tab, no_peaks, _ ("Peak that is taken apart"));
      g_signal_connect_object (self->peak_chooser, "notify::selected", G_CALLBACK (on_peak_chosen),
                               self, G_CONNECT_SWAPPED);
    }
  if (tab->number == TSR_LIVENESS_TAB_CYCLES || tab->number == TSR_LIVENESS_TAB_A_TO_B)
    self->mode[tab->number]
        = add_choice (tab, modes[tab->number == TSR_LIVENESS_TAB_A_TO_B], _ ("What is listed"));
  if ((TABS_OF_GROUPS & 1u << tab->number) != 0)
    {
      add_group_controls (self, tab);
      tsr_tab_add_ways (tab, "touching", "variable");
    }
}

static const TsrTabsSetup setup = {
  .command = "liveness",
  .label = N_ ("Liveness tables"),
  .empty = N_ ("Nothing is live here"),
  .words = words,
  .n_words = G_N_ELEMENTS (words),
  .most_variables = TSR_MAX_SELECTED_STEPS,
  .add = add_tab,
  .ask = ask,
  .shown = show_groups,
  .selected = on_selected,
};

/* Interface */

static void
update_peak_chooser (TsrLivenessTabs *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; self->peaks != NULL && i < self->peaks->len; i++)
    {
      g_autofree char *count = tsr_units_dup_count (get_peak_step (self, i));
      g_autofree char *text = g_strdup_printf (_ ("Peak %u: step %s"), i + 1, count);

      gtk_string_list_append (list, text);
    }
  g_signal_handlers_block_by_func (self->peak_chooser, on_peak_chosen, self);
  gtk_drop_down_set_model (self->peak_chooser, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->peak_chooser, self->peak);
  gtk_widget_set_sensitive (GTK_WIDGET (self->peak_chooser),
                            self->peaks != NULL && self->peaks->len > 1);
  g_signal_handlers_unblock_by_func (self->peak_chooser, on_peak_chosen, self);
}

void
tsr_liveness_tabs_set_source (TsrLivenessTabs *self, const TsrLivenessSource *source)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  /* Another source has other peaks; the same one, read again, has the same. */
  if (self->peaks != NULL && source != NULL && !tsr_liveness_source_equal (source, &self->source))
    tsr_view_state_set (self->options, TSR_LIVENESS_OPTION_PEAK, 1);
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  self->has_source = source != NULL;
  if (source != NULL)
    tsr_liveness_source_copy (source, &self->source);
  tsr_tabs_update (TSR_TABS (self));
}

static void
show_peak (TsrLivenessTabs *self)
{
  guint wanted = get (self, TSR_LIVENESS_OPTION_PEAK) - 1;

  self->peak = self->peaks != NULL && wanted < self->peaks->len ? wanted : 0;
  update_peak_chooser (self);
}

void
tsr_liveness_tabs_set_peaks (TsrLivenessTabs *self, GArray *peaks)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  g_clear_pointer (&self->peaks, g_array_unref);
  if (peaks != NULL)
    self->peaks = g_array_ref (peaks);
  show_peak (self);
  tsr_tabs_update (TSR_TABS (self));
}

void
tsr_liveness_tabs_set_include_always_live (TsrLivenessTabs *self, gboolean include)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  if (include == self->include_always_live)
    return;
  self->include_always_live = include;
  tsr_tabs_update (TSR_TABS (self));
}

void
tsr_liveness_tabs_set_peak (TsrLivenessTabs *self, guint place)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  if (self->peaks != NULL && place < self->peaks->len)
    gtk_drop_down_set_selected (self->peak_chooser, place);
}

guint
tsr_liveness_tabs_get_peak (TsrLivenessTabs *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), 0);
  return self->peak;
}

GPtrArray *
tsr_liveness_tabs_peek_groups (TsrLivenessTabs *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), NULL);
  return self->groups;
}

void
tsr_liveness_tabs_show_groups (TsrLivenessTabs *self)
{
  TsrTab *tab = tsr_tabs_get_shown (TSR_TABS (self));

  self->groups_tab = tab->number;
  show_groups (self, tab);
}

static void
on_options (TsrLivenessTabs *self, guint64 changed)
{
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    if (self->depth[i] != NULL)
      gtk_widget_set_visible (self->depth[i],
                              get (self, TSR_LIVENESS_OPTION_BY + i) == TSR_LIVENESS_BY_PREFIX);
  if ((changed & TSR_VIEW_BIT (TSR_LIVENESS_OPTION_PEAK)) != 0
      && get (self, TSR_LIVENESS_OPTION_PEAK) != self->peak + 1)
    show_peak (self);
  tsr_tabs_update (TSR_TABS (self));
}

void
tsr_liveness_tabs_set_session (TsrLivenessTabs *self, TsrSession *session, TsrViewState *options)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self) && self->session == NULL);
  self->session = g_object_ref (session);
  self->options = g_object_ref (options);
  tsr_tabs_bind (TSR_TABS (self), options, TSR_LIVENESS_OPTION_TAB);
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    {
      if (self->by[i] != NULL)
        tsr_view_state_bind (options, TSR_LIVENESS_OPTION_BY + i, self->by[i], "selected");
      if (self->depth[i] != NULL)
        tsr_view_state_bind (options, TSR_LIVENESS_OPTION_DEPTH + i, self->depth[i], "value");
      if (self->mode[i] != NULL)
        tsr_view_state_bind (options, TSR_LIVENESS_OPTION_MODE + i, self->mode[i], "selected");
    }
  g_signal_connect_object (options, "changed", G_CALLBACK (on_options), self, G_CONNECT_SWAPPED);
  on_options (self, 0);
  tsr_tabs_set_session (TSR_TABS (self), session);
}

static void
tsr_liveness_tabs_dispose (GObject *object)
{
  TsrLivenessTabs *self = TSR_LIVENESS_TABS (object);

  G_OBJECT_CLASS (tsr_liveness_tabs_parent_class)->dispose (object);
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  g_clear_pointer (&self->peaks, g_array_unref);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
}

static void
tsr_liveness_tabs_finalize (GObject *object)
{
  g_ptr_array_unref (TSR_LIVENESS_TABS (object)->groups);
  G_OBJECT_CLASS (tsr_liveness_tabs_parent_class)->finalize (object);
}

static void
tsr_liveness_tabs_class_init (TsrLivenessTabsClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_liveness_tabs_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_liveness_tabs_finalize;
  signals[PEAK_CHANGED]
      = g_signal_new ("peak-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[GROUPS_CHANGED] = g_signal_new ("groups-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
}

static void
tsr_liveness_tabs_init (TsrLivenessTabs *self)
{
  self->include_always_live = TRUE;
  self->groups = tsr_liveness_groups_new (NULL, NULL);
  tsr_tabs_setup (TSR_TABS (self), &setup, self);
}
