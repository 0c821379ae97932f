/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks for the table of the visible tab, shows the answer, and follows the selection. */

#include "config.h"

#include "tsr-liveness-tabs.h"

#include "tsr-drop-down.h"
#include "tsr-tab-work.h"
#include "tsr-tables.h"

#include <glib/gi18n.h>

#define MAX_DEPTH 16

typedef struct
{
  TsrLivenessTabs *tabs;
  TsrLivenessTab tab;
  GtkWidget *child;       /* page of the notebook */
  TsrRowView *view;       /* (nullable): not for lifetimes */
  GtkDropDown *by, *mode; /* (nullable) */
  GtkWidget *depth;       /* (nullable) spin button */
  TsrTableAnswer *answer; /* that is shown */
} Page;

struct _TsrLivenessTabs
{
  GtkWidget parent_instance;

  GtkNotebook *notebook;
  Page pages[TSR_LIVENESS_N_TABS];
  GtkDropDown *peak_chooser;

  TsrSession *session;
  gboolean has_source;
  TsrLivenessSource source;
  GArray *peaks; /* (nullable) TsrPeak */
  guint peak, wanted_peak;
  gboolean include_always_live;
  GPtrArray *groups; /* TsrLivenessGroup, selected in groups_tab */
  GStrv group_names; /* of those that are selected when they are there */
  TsrLivenessTab groups_tab;
  TsrTabWork *work;
  gboolean applying; /* the tabs themselves select rows or set controls */
};

G_DEFINE_FINAL_TYPE (TsrLivenessTabs, tsr_liveness_tabs, GTK_TYPE_WIDGET)

enum
{
  TAB_CHANGED,
  PEAK_CHANGED,
  GROUPS_CHANGED,
  TOAST,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* Selected variables */

static gboolean
contains (const char *const *names, const char *name)
{
  return name != NULL && names != NULL && g_strv_contains (names, name);
}

static const char *
get_row_name (const Page *page, guint32 row)
{
  TsrLiveness *liveness = tsr_session_get_liveness (page->tabs->session);

  if (page->answer == NULL || page->answer->variables == NULL || liveness == NULL
      || page->answer->variables[row] == TSR_NO_INDEX)
    return NULL;
  return tsr_rows_get_text (page->answer->rows, row, 0);
}

/* Rows of the table whose variables, or which themselves as groups, are selected. */
static GArray *
dup_selected_rows (const Page *page)
{
  TsrLivenessTabs *self = page->tabs;
  TsrStepSelection *steps = tsr_session_get_steps (self->session);
  const char *const *names = tsr_step_selection_peek_variables (steps);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean groups;

  if (page->answer == NULL || page->answer->rows == NULL || page->answer->variables == NULL)
    return rows;
  groups = page->answer->members != NULL;
  if (groups)
    names = page->tab == self->groups_tab ? (const char *const *)self->group_names : NULL;
  if (names == NULL || names[0] == NULL)
    return rows;
  for (guint32 row = 0; row < tsr_rows_get_n (page->answer->rows); row++)
    if (contains (names, groups ? tsr_rows_get_text (page->answer->rows, row, 0)
                                : get_row_name (page, row)))
      g_array_append_val (rows, row);
  return rows;
}

/* The groups of these rows are selected, and no others. */
static void
take_groups (Page *page, GArray *rows)
{
  TsrLivenessTabs *self = page->tabs;
  g_autoptr (GPtrArray) groups = tsr_liveness_groups_new (page->answer, rows);

  if (tsr_liveness_groups_equal (groups, self->groups))
    return;
  g_ptr_array_unref (self->groups);
  self->groups = g_steal_pointer (&groups);
  g_signal_emit (self, signals[GROUPS_CHANGED], 0);
}

static gboolean
equal_rows (GArray *a, GArray *b)
{
  return a->len == b->len
         && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (guint32)) == 0);
}

static void
show_selection (Page *page)
{
  TsrLivenessTabs *self = page->tabs;
  g_autoptr (GArray) wanted = NULL, shown = NULL;

  if (page->view == NULL || page->answer == NULL || page->answer->variables == NULL)
    return;
  wanted = dup_selected_rows (page);
  shown = tsr_row_view_dup_selected (page->view);
  if (equal_rows (wanted, shown))
    return;
  self->applying = TRUE;
  tsr_row_view_select (page->view, (const guint32 *)wanted->data, wanted->len);
  self->applying = FALSE;
}

static void
on_rows_selected (TsrRowView *view, Page *page)
{
  TsrLivenessTabs *self = page->tabs;
  g_autoptr (GArray) rows = NULL, known = NULL;
  g_autoptr (GPtrArray) names = NULL;

  if (self->applying || page->answer == NULL || page->answer->variables == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  known = dup_selected_rows (page);
  if (equal_rows (rows, known))
    return;
  take_groups (page, rows);
  self->groups_tab = page->tab;
  g_strfreev (self->group_names);
  self->group_names = tsr_liveness_groups_dup_names (self->groups);
  if (page->answer->members != NULL)
    return;
  names = g_ptr_array_new ();
  for (guint i = 0; i < rows->len && names->len < TSR_MAX_SELECTED_STEPS; i++)
    {
      const char *name = get_row_name (page, g_array_index (rows, guint32, i));

      if (name != NULL)
        g_ptr_array_add (names, (gpointer)name);
    }
  if (names->len == 0 && known->len == 0)
    return;
  g_ptr_array_add (names, NULL);
  tsr_step_selection_set_variables (tsr_session_get_steps (self->session),
                                    (const char *const *)names->pdata);
}

static void
on_variables_changed (TsrLivenessTabs *self)
{
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    show_selection (&self->pages[i]);
}

/* Tables */

static void
show_answer (Page *page)
{
  TsrLivenessTabs *self = page->tabs;
  TsrTableAnswer *answer = page->answer;
  const char *title = answer != NULL ? answer->title : NULL;

  if (title == NULL && answer != NULL && answer->rows != NULL)
    title
        = page->tab == TSR_LIVENESS_TAB_A_TO_B ? _ ("Nothing changes") : _ ("Nothing is live here");
  self->applying = TRUE;
  tsr_row_view_set_placeholder (page->view, title, answer != NULL ? answer->text : NULL);
  tsr_row_view_set_stages (page->view, self->session, answer != NULL ? answer->stages : 0);
  tsr_row_view_set_rows (page->view, answer != NULL ? answer->rows : NULL,
                         tsr_session_get_units (self->session),
                         answer != NULL ? answer->sort_key : NULL, TRUE);
  self->applying = FALSE;
  if (page->tab == self->groups_tab)
    {
      /* The same groups may have other variables now. */
      g_autoptr (GArray) rows = dup_selected_rows (page);

      take_groups (page, rows);
    }
  show_selection (page);
}

static void
on_answered (gpointer owner, gpointer result, const GError *error)
{
  Page *page = owner;

  g_clear_pointer (&page->answer, tsr_table_answer_free);
  page->answer = result;
  if (result == NULL)
    {
      page->answer = g_new0 (TsrTableAnswer, 1);
      page->answer->title = g_strdup (_ ("This could not be computed"));
      page->answer->text = g_strdup (error->message);
    }
  show_answer (page);
}

static gpointer
answer_question (gpointer job, GCancellable *cancellable, GError **error)
{
  return tsr_liveness_answer_new (&((TsrTableQuestion *)job)->of_liveness, cancellable, error);
}

static guint
get_peak_step (TsrLivenessTabs *self, guint place)
{
  if (self->peaks == NULL || place >= self->peaks->len)
    return TSR_NO_INDEX;
  return g_array_index (self->peaks, TsrPeak, place).step;
}

#define TABS_OF_VERTICES                                                                           \
  (1u << TSR_LIVENESS_TAB_VERTICES | 1u << TSR_LIVENESS_TAB_CYCLES | 1u << TSR_LIVENESS_TAB_FLOPS)

static void
ask (gpointer data)
{
  Page *page = data;
  TsrLivenessTabs *self = page->tabs;
  TsrLiveness *liveness = tsr_session_get_liveness (self->session);
  TsrLivenessQuestion question = { .tab = page->tab };
  const guint *steps;
  guint n = 0;

  if (page->view == NULL)
    return;
  if (liveness == NULL || !self->has_source)
    {
      tsr_tab_work_cancel (self->work, page->tab);
      g_clear_pointer (&page->answer, tsr_table_answer_free);
      show_answer (page);
      return;
    }
  question.liveness = liveness;
  question.vertices = tsr_session_get_vertices (self->session);
  if ((TABS_OF_VERTICES & 1u << page->tab) != 0 && question.vertices == NULL)
    {
      tsr_session_want (self->session, TSR_STAGE_PROGRAMS);
      question.vertices_pending = tsr_session_is_stage_pending (self->session, TSR_STAGE_PROGRAMS);
    }
  question.source = self->source;
  steps = tsr_step_selection_peek (tsr_session_get_steps (self->session), &n);
  for (guint i = 0; i < n; i++)
    if (steps[i] < tsr_liveness_get_n_steps (liveness))
      question.steps[question.n_steps++] = steps[i];
  question.peak = get_peak_step (self, page->tab == TSR_LIVENESS_TAB_PEAK ? self->peak : 0);
  question.by = page->by != NULL ? gtk_drop_down_get_selected (page->by) : 0;
  question.depth
      = page->depth != NULL ? gtk_spin_button_get_value (GTK_SPIN_BUTTON (page->depth)) : 1;
  question.include_always_live = self->include_always_live;
  if (page->mode != NULL)
    question.by_tile = question.dying = gtk_drop_down_get_selected (page->mode) == 1;
  tsr_tab_work_run (self->work, page->tab, answer_question,
                    tsr_table_question_copy (&(TsrTableQuestion){ .of_liveness = question }),
                    (GDestroyNotify)tsr_table_question_free);
}

static Page *
get_page (TsrLivenessTabs *self)
{
  return tsr_tab_work_get_shown (self->work);
}

static void
make_stale (TsrLivenessTabs *self, guint tabs)
{
  if (self->work != NULL)
    tsr_tab_work_make_stale (self->work, tabs);
}

#define ALL_TABS ((1u << TSR_LIVENESS_N_TABS) - 1)
#define TABS_OF_STEPS                                                                              \
  (1u << TSR_LIVENESS_TAB_TEMPORARY | 1u << TSR_LIVENESS_TAB_VERTICES                              \
   | 1u << TSR_LIVENESS_TAB_CYCLES | 1u << TSR_LIVENESS_TAB_FLOPS | 1u << TSR_LIVENESS_TAB_A_TO_B)

static void
on_steps_changed (TsrLivenessTabs *self)
{
  make_stale (self, TABS_OF_STEPS);
}

static void
on_vertices_changed (TsrLivenessTabs *self)
{
  make_stale (self, TABS_OF_VERTICES);
}

/* What failed says so in place of its tables. */
static void
on_stage_changed (TsrLivenessTabs *self, int stage)
{
  if (stage == TSR_STAGE_PROGRAMS && !tsr_session_is_stage_pending (self->session, stage))
    make_stale (self, TABS_OF_VERTICES);
}

static void
on_units_changed (TsrLivenessTabs *self)
{
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    if (self->pages[i].view != NULL && self->pages[i].answer != NULL)
      show_answer (&self->pages[i]);
}

static void
on_switched (TsrLivenessTabs *self)
{
  make_stale (self, 0);
  g_signal_emit (self, signals[TAB_CHANGED], 0);
}

/* Controls */

static void
update_depth (Page *page)
{
  if (page->depth != NULL)
    gtk_widget_set_visible (page->depth,
                            gtk_drop_down_get_selected (page->by) == TSR_LIVENESS_BY_PREFIX);
}

static void
on_control (Page *page)
{
  update_depth (page);
  if (!page->tabs->applying)
    make_stale (page->tabs, 1u << page->tab);
}

static void
on_peak_chosen (TsrLivenessTabs *self)
{
  guint selected = gtk_drop_down_get_selected (self->peak_chooser);

  if (self->applying || selected == GTK_INVALID_LIST_POSITION || selected == self->peak)
    return;
  self->peak = self->wanted_peak = selected;
  make_stale (self, 1u << TSR_LIVENESS_TAB_PEAK);
  g_signal_emit (self, signals[PEAK_CHANGED], 0);
}

static void
add_group_controls (Page *page)
{
  static const char *const words[]
      = { N_ ("By variable"), N_ ("By name prefix"), N_ ("By category"), N_ ("By life"), NULL };

  page->by = tsr_drop_down_new (words, _ ("What a row is"));
  page->depth = gtk_spin_button_new_with_range (1, MAX_DEPTH, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (page->depth), 2);
  gtk_widget_set_valign (page->depth, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (page->depth, _ ("How many parts of the name, split at /"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (page->depth), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Depth of the prefix"), -1);
  tsr_row_view_add_control (page->view, GTK_WIDGET (page->by));
  tsr_row_view_add_control (page->view, page->depth);
  update_depth (page);
  g_signal_connect_swapped (page->by, "notify::selected", G_CALLBACK (on_control), page);
  g_signal_connect_swapped (page->depth, "value-changed", G_CALLBACK (on_control), page);
}

static void
on_toast (TsrLivenessTabs *self, const char *text)
{
  g_signal_emit (self, signals[TOAST], 0, text);
}

static void
add_view (Page *page)
{
  static const char *const no_peaks[] = { "–", NULL };

  page->view = tsr_row_view_new ();
  page->child = GTK_WIDGET (page->view);
  tsr_row_view_set_filter_hint (page->view, _ (tsr_liveness_tab_infos[page->tab].filter));
  tsr_row_view_set_file_name (page->view, tsr_liveness_tab_infos[page->tab].nick);
  tsr_row_view_set_multiple (page->view, TRUE);
  if (page->tab == TSR_LIVENESS_TAB_PEAK)
    {
      page->tabs->peak_chooser = tsr_drop_down_new (no_peaks, _ ("Peak that is taken apart"));
      tsr_row_view_add_control (page->view, GTK_WIDGET (page->tabs->peak_chooser));
      g_signal_connect_swapped (page->tabs->peak_chooser, "notify::selected",
                                G_CALLBACK (on_peak_chosen), page->tabs);
    }
  if (tsr_liveness_tab_infos[page->tab].modes[0] != NULL)
    {
      page->mode
          = tsr_drop_down_new (tsr_liveness_tab_infos[page->tab].modes, _ ("What is listed"));
      tsr_row_view_add_control (page->view, GTK_WIDGET (page->mode));
      g_signal_connect_swapped (page->mode, "notify::selected", G_CALLBACK (on_control), page);
    }
  if (tsr_liveness_tab_infos[page->tab].groups)
    add_group_controls (page);
  g_signal_connect (page->view, "selection-changed", G_CALLBACK (on_rows_selected), page);
  g_signal_connect_swapped (page->view, "toast", G_CALLBACK (on_toast), page->tabs);
}

static void
add_page (TsrLivenessTabs *self, TsrLivenessTab tab)
{
  Page *page = &self->pages[tab];
  TsrTabLabel *label;

  page->tabs = self;
  page->tab = tab;
  if (tab == TSR_LIVENESS_TAB_LIFETIMES)
    page->child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  else
    add_view (page);
  label = tsr_tab_label_new (_ (tsr_liveness_tab_infos[tab].title),
                             _ (tsr_liveness_tab_infos[tab].tooltip), page->view != NULL);
  if (page->view != NULL)
    tsr_tab_label_follow (label, page->view);
  tsr_tab_work_add (self->work, page->child, label, page);
}

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
  self->applying = TRUE;
  gtk_drop_down_set_model (self->peak_chooser, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->peak_chooser, self->peak);
  gtk_widget_set_sensitive (GTK_WIDGET (self->peak_chooser),
                            self->peaks != NULL && self->peaks->len > 1);
  self->applying = FALSE;
}

void
tsr_liveness_tabs_set_source (TsrLivenessTabs *self, const TsrLivenessSource *source)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  /* Another source has other peaks; the same one, read again, has the same. */
  if (self->peaks != NULL && source != NULL && !tsr_liveness_source_equal (source, &self->source))
    self->wanted_peak = 0;
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  self->has_source = source != NULL;
  if (source != NULL)
    tsr_liveness_source_copy (source, &self->source);
  make_stale (self, ALL_TABS);
}

void
tsr_liveness_tabs_set_peaks (TsrLivenessTabs *self, GArray *peaks)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  g_clear_pointer (&self->peaks, g_array_unref);
  if (peaks != NULL)
    self->peaks = g_array_ref (peaks);
  self->peak = peaks != NULL && self->wanted_peak < peaks->len ? self->wanted_peak : 0;
  update_peak_chooser (self);
  make_stale (self, TABS_OF_STEPS | 1u << TSR_LIVENESS_TAB_PEAK);
}

void
tsr_liveness_tabs_set_include_always_live (TsrLivenessTabs *self, gboolean include)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  if (include == self->include_always_live)
    return;
  self->include_always_live = include;
  make_stale (self, 1u << TSR_LIVENESS_TAB_PEAK);
}

void
tsr_liveness_tabs_set_peak (TsrLivenessTabs *self, guint place)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  if (self->peaks != NULL && place < self->peaks->len)
    gtk_drop_down_set_selected (self->peak_chooser, place);
}

void
tsr_liveness_tabs_want_peak (TsrLivenessTabs *self, guint place)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  self->wanted_peak = place;
  if (self->peaks == NULL || place >= self->peaks->len || place == self->peak)
    return;
  self->peak = place;
  update_peak_chooser (self);
  make_stale (self, 1u << TSR_LIVENESS_TAB_PEAK);
}

guint
tsr_liveness_tabs_get_peak (TsrLivenessTabs *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), 0);
  return self->peak;
}

void
tsr_liveness_tabs_set_tab (TsrLivenessTabs *self, TsrLivenessTab tab)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self) && tab < TSR_LIVENESS_N_TABS);
  gtk_notebook_set_current_page (self->notebook,
                                 gtk_notebook_page_num (self->notebook, self->pages[tab].child));
}

TsrLivenessTab
tsr_liveness_tabs_get_tab (TsrLivenessTabs *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), 0);
  return get_page (self)->tab;
}

void
tsr_liveness_tabs_set_grouping (TsrLivenessTabs *self,
                                TsrLivenessTab tab,
                                TsrLivenessBy by,
                                guint depth)
{
  Page *page = &self->pages[tab];

  g_return_if_fail (TSR_IS_LIVENESS_TABS (self) && page->by != NULL);
  gtk_drop_down_set_selected (page->by, by);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (page->depth), depth);
}

gboolean
tsr_liveness_tabs_get_grouping (TsrLivenessTabs *self,
                                TsrLivenessTab tab,
                                TsrLivenessBy *by,
                                guint *depth)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self) && tab < TSR_LIVENESS_N_TABS, FALSE);
  if (self->pages[tab].by == NULL)
    return FALSE;
  *by = gtk_drop_down_get_selected (self->pages[tab].by);
  *depth = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->pages[tab].depth));
  return TRUE;
}

gboolean
tsr_liveness_tabs_get_mode (TsrLivenessTabs *self, TsrLivenessTab tab)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self) && tab < TSR_LIVENESS_N_TABS, FALSE);
  return self->pages[tab].mode != NULL && gtk_drop_down_get_selected (self->pages[tab].mode) == 1;
}

void
tsr_liveness_tabs_set_mode (TsrLivenessTabs *self, TsrLivenessTab tab, gboolean second)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self) && self->pages[tab].mode != NULL);
  gtk_drop_down_set_selected (self->pages[tab].mode, second ? 1 : 0);
}

GPtrArray *
tsr_liveness_tabs_peek_groups (TsrLivenessTabs *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), NULL);
  return self->groups;
}

void
tsr_liveness_tabs_select_groups (TsrLivenessTabs *self,
                                 TsrLivenessTab tab,
                                 const char *const *names)
{
  g_autoptr (GArray) rows = NULL;

  g_return_if_fail (TSR_IS_LIVENESS_TABS (self) && tab < TSR_LIVENESS_N_TABS);
  g_strfreev (self->group_names);
  self->group_names = g_strdupv ((char **)names);
  self->groups_tab = tab;
  rows = dup_selected_rows (&self->pages[tab]);
  take_groups (&self->pages[tab], rows);
  show_selection (&self->pages[tab]);
}

GtkBox *
tsr_liveness_tabs_get_lifetimes_box (TsrLivenessTabs *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), NULL);
  return GTK_BOX (self->pages[TSR_LIVENESS_TAB_LIFETIMES].child);
}

void
tsr_liveness_tabs_set_lifetimes_visible (TsrLivenessTabs *self, gboolean visible)
{
  g_return_if_fail (TSR_IS_LIVENESS_TABS (self));
  gtk_widget_set_visible (self->pages[TSR_LIVENESS_TAB_LIFETIMES].child, visible);
}

TsrRowView *
tsr_liveness_tabs_get_view (TsrLivenessTabs *self, TsrLivenessTab tab)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self) && tab < TSR_LIVENESS_N_TABS, NULL);
  return self->pages[tab].view;
}

gboolean
tsr_liveness_tabs_is_busy (TsrLivenessTabs *self)
{
  Page *page;

  g_return_val_if_fail (TSR_IS_LIVENESS_TABS (self), FALSE);
  page = get_page (self);
  return tsr_tab_work_is_busy (self->work)
         || (page->view != NULL && tsr_row_view_is_busy (page->view));
}

void
tsr_liveness_tabs_set_session (TsrLivenessTabs *self, TsrSession *session)
{
  TsrStepSelection *steps;

  g_return_if_fail (TSR_IS_LIVENESS_TABS (self) && self->session == NULL);
  self->session = g_object_ref (session);
  steps = tsr_session_get_steps (session);
  g_signal_connect_object (steps, "steps-changed", G_CALLBACK (on_steps_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "variables-changed", G_CALLBACK (on_variables_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::vertices", G_CALLBACK (on_vertices_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  tsr_tab_work_start (self->work);
}

static void
tsr_liveness_tabs_dispose (GObject *object)
{
  TsrLivenessTabs *self = TSR_LIVENESS_TABS (object);

  g_clear_pointer (&self->work, tsr_tab_work_free);
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    {
      if (self->pages[i].view != NULL)
        g_signal_handlers_disconnect_by_data (self->pages[i].view, &self->pages[i]);
      g_clear_pointer (&self->pages[i].answer, tsr_table_answer_free);
    }
  if (self->notebook != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->notebook, self);
      gtk_widget_unparent (GTK_WIDGET (self->notebook));
      self->notebook = NULL;
    }
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  g_clear_pointer (&self->peaks, g_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_liveness_tabs_parent_class)->dispose (object);
}

static void
tsr_liveness_tabs_finalize (GObject *object)
{
  g_ptr_array_unref (TSR_LIVENESS_TABS (object)->groups);
  g_strfreev (TSR_LIVENESS_TABS (object)->group_names);
  G_OBJECT_CLASS (tsr_liveness_tabs_parent_class)->finalize (object);
}

static void
tsr_liveness_tabs_class_init (TsrLivenessTabsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_liveness_tabs_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_liveness_tabs_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, TSR_TYPE_TAB_LAYOUT);
  signals[TAB_CHANGED]
      = g_signal_new ("tab-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PEAK_CHANGED]
      = g_signal_new ("peak-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[GROUPS_CHANGED] = g_signal_new ("groups-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
  signals[TOAST] = g_signal_new ("toast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
}

static void
tsr_liveness_tabs_init (TsrLivenessTabs *self)
{
  self->include_always_live = TRUE;
  self->groups = tsr_liveness_groups_new (NULL, NULL);
  self->notebook = GTK_NOTEBOOK (gtk_notebook_new ());
  gtk_notebook_set_show_border (self->notebook, FALSE);
  gtk_notebook_set_scrollable (self->notebook, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->notebook), "details");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->notebook), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Liveness tables"), -1);
  gtk_widget_set_parent (GTK_WIDGET (self->notebook), GTK_WIDGET (self));
  self->work
      = tsr_tab_work_new (self->notebook, ask, on_answered, (GDestroyNotify)tsr_table_answer_free);
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    add_page (self, i);
  g_signal_connect_data (self->notebook, "switch-page", G_CALLBACK (on_switched), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

TsrLivenessTabs *
tsr_liveness_tabs_new (void)
{
  return g_object_new (TSR_TYPE_LIVENESS_TABS, NULL);
}
