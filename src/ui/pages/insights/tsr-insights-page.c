/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything that is shown follows from the session's insights: fill puts it in place; nothing is
 * computed here. */

#include "config.h"

#include "tsr-insights-page.h"

#include "tsr-finding-row.h"
#include "tsr-flip-layout.h"
#include "tsr-insights-largest.h"
#include "tsr-insights-overview.h"
#include "tsr-plan-view.h"
#include "tsr-row-view.h"
#include "tsr-scroll.h"

#include <glib/gi18n.h>

/* From this width on the largest stand beside the findings. */
#define WIDE 1600
/* From this height on the overview is higher; if it is wide as well, the largest of all scopes are
 * shown, and findings are open as far as there is room. */
#define ROOMY_HEIGHT   1400
#define FINDINGS_SHARE 0.5
#define LARGEST_SPACE  18 /* between the tables of several scopes */

struct _TsrInsightsPage
{
  TsrPage parent_instance;

  GtkStack *stack; /* "pending", "content" */
  GtkBox *columns;
  GtkBox *overview_box;
  TsrInsightsOverview *overview;
  GtkBox *plan_box;
  TsrPlanView *plan;
  GtkListBox *findings;
  GtkLabel *count;
  GtkWidget *none;
  GtkExpander *fine, *not_checked;
  GtkBox *fine_box, *not_checked_box;
  GtkWidget *scopes; /* chooses one of @largest */
  GtkBox *largest_box;
  TsrRowView *largest[TSR_N_LARGEST_SCOPES];
  GtkWidget *largest_titles[TSR_N_LARGEST_SCOPES];
  GtkSizeGroup *titles, *savings; /* columns of the findings */

  TsrInsights *insights; /* that is shown */
  gboolean plan_asked;
  gboolean show_minor, show_memory, show_execution;
  guint n_opened; /* findings, the first ones, that are open since there is room */
  guint tick;
  TsrLargestScope scope;
};

G_DEFINE_FINAL_TYPE (TsrInsightsPage, tsr_insights_page, TSR_TYPE_PAGE)

enum
{
  PROP_0,
  PROP_MINOR,
  PROP_MEMORY,
  PROP_EXECUTION,
  PROP_SCOPE,
  PROP_PLAN,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

static const char *const scope_nicks[] = { "replica", "ipu", "tile", NULL };

static void watch_room (TsrInsightsPage *self);

static TsrSession *
get_session (TsrInsightsPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

/* ---------------------------------------------------------------- findings */

static gboolean
is_listed (TsrInsightsPage *self, const TsrFinding *finding)
{
  gboolean execution = finding->where.view == TSR_VIEW_EXECUTION_TRACE
                       || g_str_equal (finding->rule, "operation-cycles");

  return (self->show_minor || finding->severity <= TSR_FINDING_WARNING)
         && (execution ? self->show_execution : self->show_memory);
}

static void
update_count (TsrInsightsPage *self, guint listed, guint all)
{
  g_autofree char *silence = tsr_insights_dup_silence (self->insights);
  g_autofree char *text = NULL;

  if (listed == all)
    text = g_strdup_printf (g_dngettext (NULL, "%u finding", "%u findings", all), all);
  else
    text = g_strdup_printf (_ ("%u of %u findings"), listed, all);
  gtk_label_set_label (self->count, text);
  gtk_widget_set_visible (self->none, listed == 0);
  gtk_widget_set_visible (GTK_WIDGET (self->findings), listed > 0);
  gtk_label_set_label (GTK_LABEL (self->none),
                       silence != NULL ? silence : _ ("No finding is of the chosen kinds"));
}

static void
fill_findings (TsrInsightsPage *self)
{
  GPtrArray *findings = tsr_insights_peek_findings (self->insights);
  TsrReport *report = tsr_session_get_report (get_session (self));
  g_autofree char *location = tsr_report_dup_location (report);
  guint listed = 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->findings))) != NULL)
    gtk_list_box_remove (self->findings, child);
  for (guint i = 0; i < findings->len; i++)
    {
      GtkWidget *row;

      if (!is_listed (self, findings->pdata[i]))
        continue;
      row = gtk_list_box_row_new ();
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row),
                                  tsr_finding_row_new (self->insights, findings->pdata[i], location,
                                                       tsr_session_get_units (get_session (self)),
                                                       self->titles, self->savings));
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
      gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
      gtk_widget_set_focusable (row, FALSE);
      gtk_list_box_append (self->findings, row);
      listed++;
    }
  update_count (self, listed, findings->len);
  self->n_opened = 0;
  watch_room (self);
}

GPtrArray *
tsr_insights_page_dup_rows (TsrInsightsPage *self)
{
  GPtrArray *rows = g_ptr_array_new ();

  g_return_val_if_fail (TSR_IS_INSIGHTS_PAGE (self), rows);
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->findings)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    g_ptr_array_add (rows, gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row)));
  return rows;
}

static void
set_all_open (TsrInsightsPage *self, gboolean open)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (self);

  for (guint i = 0; i < rows->len; i++)
    tsr_finding_row_set_open (rows->pdata[i], open);
}

static GtkWidget *
new_unfired (const TsrUnfired *unfired)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = gtk_label_new (unfired->title), *text = gtk_label_new (unfired->text);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_selectable (GTK_LABEL (text), TRUE);
  gtk_widget_add_css_class (text, "dim-label");
  gtk_widget_add_css_class (text, "numeric");
  gtk_widget_set_tooltip_text (title, unfired->rule);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text);
  return box;
}

static void
fill_unfired (GtkExpander *expander, GtkBox *box, GPtrArray *list, const char *label)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
  for (guint i = 0; i < list->len; i++)
    gtk_box_append (box, new_unfired (list->pdata[i]));
  gtk_expander_set_label (expander, label);
  gtk_widget_set_visible (GTK_WIDGET (expander), list->len > 0);
}

/* ---------------------------------------------------------------- the whole */

static void
fill_largest (TsrInsightsPage *self)
{
  for (guint i = 0; i < TSR_N_LARGEST_SCOPES; i++)
    {
      g_autoptr (TsrRows) rows = tsr_largest_rows_new (self->insights, i);

      tsr_row_view_set_rows (self->largest[i], rows, tsr_session_get_units (get_session (self)),
                             "bytes", TRUE);
    }
}

/* ---------------------------------------------------------------- room */

static gboolean
is_roomy (TsrInsightsPage *self)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (GTK_WIDGET (self->columns), GTK_TYPE_VIEWPORT);

  return gtk_widget_get_height (viewport) >= ROOMY_HEIGHT
         && gtk_widget_get_width (GTK_WIDGET (self->columns)) >= WIDE;
}

static void
show_scopes (TsrInsightsPage *self, gboolean all)
{
  gtk_widget_set_visible (self->scopes, !all);
  for (guint i = 0; i < TSR_N_LARGEST_SCOPES; i++)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->largest[i]), all || i == self->scope);
      gtk_widget_set_visible (self->largest_titles[i], all);
    }
}

/* Opens the first findings as far as the window has room for them, unless the user has opened or
 * closed one. */
static void
open_what_fits (TsrInsightsPage *self, gboolean roomy)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (self);
  GtkWidget *column = gtk_widget_get_parent (GTK_WIDGET (self->findings));
  const int width = gtk_widget_get_width (column);
  GtkWidget *viewport = gtk_widget_get_ancestor (column, GTK_TYPE_VIEWPORT);
  GtkWidget *content = gtk_viewport_get_child (GTK_VIEWPORT (viewport));
  double top = 0;
  int height = 0, room;

  gtk_widget_translate_coordinates (column, content, 0, 0, NULL, &top);
  room = gtk_widget_get_height (viewport) - (int)top - gtk_widget_get_margin_top (content)
         - gtk_widget_get_margin_bottom (content);
  for (guint i = 0; i < rows->len; i++)
    if (tsr_finding_row_is_open (rows->pdata[i]) != (i < self->n_opened))
      return;
  for (guint i = 0; i < self->n_opened; i++)
    tsr_finding_row_set_open (rows->pdata[i], FALSE);
  self->n_opened = 0;
  for (guint i = 0; roomy && i < rows->len; i++)
    {
      tsr_finding_row_set_open (rows->pdata[i], TRUE);
      gtk_widget_measure (column, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
      if (height > room)
        {
          tsr_finding_row_set_open (rows->pdata[i], FALSE);
          break;
        }
      self->n_opened = i + 1;
    }
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (widget);
  const gboolean roomy = is_roomy (self);

  self->tick = 0;
  show_scopes (self, roomy);
  open_what_fits (self, roomy);
  return G_SOURCE_REMOVE;
}

/* Sizes change while widgets are placed; what follows from them is done before the next frame. */
static void
watch_room (TsrInsightsPage *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static void
fill (TsrInsightsPage *self)
{
  TsrSession *session = get_session (self);
  GPtrArray *fine = tsr_insights_peek_fine (self->insights);
  GPtrArray *not_checked = tsr_insights_peek_not_checked (self->insights);
  g_autofree char *fine_text = g_strdup_printf (
      g_dngettext (NULL, "%u rule checked and fine", "%u rules checked and fine", fine->len),
      fine->len);
  g_autofree char *not_checked_text = g_strdup_printf (
      g_dngettext (NULL, "%u rule not checked", "%u rules not checked", not_checked->len),
      not_checked->len);

  tsr_insights_overview_set_insights (self->overview, self->insights,
                                      tsr_session_get_memory (session),
                                      tsr_session_get_units (session));
  fill_findings (self);
  fill_unfired (self->fine, self->fine_box, fine, fine_text);
  fill_unfired (self->not_checked, self->not_checked_box, not_checked, not_checked_text);
  fill_largest (self);
}

/* After the insights, which everybody waits for. */
static void
ask_plan (TsrInsightsPage *self)
{
  if (!self->plan_asked)
    tsr_plan_view_set_session (self->plan, get_session (self));
  self->plan_asked = TRUE;
}

static void
on_insights (TsrInsightsPage *self)
{
  TsrInsights *insights = tsr_session_get_insights (get_session (self));

  if (insights == self->insights)
    return;
  g_clear_pointer (&self->insights, tsr_insights_unref);
  if (insights != NULL)
    {
      self->insights = tsr_insights_ref (insights);
      fill (self);
      ask_plan (self);
    }
  gtk_stack_set_visible_child_name (self->stack, insights != NULL ? "content" : "pending");
}

static void
on_units (TsrInsightsPage *self)
{
  if (self->insights != NULL)
    fill (self);
}

static void
on_largest_activated (TsrRowView *view, guint row, TsrInsightsPage *self)
{
  const guint scope = view == self->largest[TSR_LARGEST_OF_REPLICA] ? TSR_LARGEST_OF_REPLICA
                      : view == self->largest[TSR_LARGEST_OF_IPUS]  ? TSR_LARGEST_OF_IPUS
                                                                    : TSR_LARGEST_OF_TILES;
  const TsrLargest *largest = tsr_largest_rows_get (self->insights, scope, row);
  g_autoptr (GHashTable) words = largest != NULL ? tsr_largest_dup_words (largest) : NULL;

  if (words != NULL)
    tsr_page_go (GTK_WIDGET (self), words);
}

static void
tsr_insights_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (page);

  TSR_PAGE_CLASS (tsr_insights_page_parent_class)->set_session (page, session);
  g_signal_connect_object (session, "notify::insights", G_CALLBACK (on_insights), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units), self,
                           G_CONNECT_SWAPPED);
  on_insights (self);
}

static void
tsr_insights_page_focus_start (TsrPage *page)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (page);

  if (!gtk_widget_child_focus (GTK_WIDGET (self->findings), GTK_DIR_TAB_FORWARD))
    gtk_widget_child_focus (GTK_WIDGET (self->stack), GTK_DIR_TAB_FORWARD);
}

static char *
tsr_insights_page_dup_text (TsrPage *page)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (page);
  TsrUnits units = tsr_session_get_units (get_session (self));
  g_autofree char *location = NULL;
  g_autofree char *status = NULL, *detail = NULL, *plan = NULL;
  GString *text;
  GPtrArray *findings;

  if (self->insights == NULL)
    return NULL;
  location = tsr_report_dup_location (tsr_session_get_report (get_session (self)));
  status = tsr_insights_dup_status (self->insights, units);
  detail = tsr_insights_dup_status_detail (self->insights, units);
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s\n\n%s\n", status, detail);
  findings = tsr_insights_peek_findings (self->insights);
  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *markdown = tsr_finding_dup_markdown (findings->pdata[i], location, units);

      g_string_append_printf (text, "\n%s", markdown);
    }
  plan = tsr_plan_view_dup_text (self->plan);
  if (plan != NULL)
    g_string_append_printf (text, "\n%s", plan);
  return g_string_free (text, FALSE);
}

/* Kinds of findings that may be left out: a word says so. */
static const struct
{
  const char *property, *word;
} kinds[] = {
  { "show-minor", "advice" },
  { "show-memory", "memory" },
  { "show-execution", "execution" },
};

static void
tsr_insights_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (page);

  g_autofree char *measures = tsr_plan_view_dup_ids (self->plan);
  gboolean open;

  g_object_get (self->plan, "open", &open, NULL);
  tsr_view_words_set (words, "plan", open ? "1" : NULL);
  tsr_view_words_set (words, "measures", *measures != '\0' ? measures : NULL);
  tsr_view_words_set (words, "scope", scope_nicks[self->scope]);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean shown;

      g_object_get (page, kinds[i].property, &shown, NULL);
      tsr_view_words_set (words, kinds[i].word, shown ? NULL : "0");
    }
}

static void
tsr_insights_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (page);
  const char *scope = tsr_view_words_get (words, "scope");

  if (scope != NULL && g_strv_contains (scope_nicks, scope))
    g_object_set (page, "scope", scope, NULL);
  g_object_set (self->plan, "open", g_strcmp0 (tsr_view_words_get (words, "plan"), "1") == 0, NULL);
  tsr_plan_view_set_ids (self->plan, tsr_view_words_get (words, "measures"));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_object_set (page, kinds[i].property,
                  g_strcmp0 (tsr_view_words_get (words, kinds[i].word), "0") != 0, NULL);
}

/* ---------------------------------------------------------------- the object */

static void
tsr_insights_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (object);

  switch (id)
    {
    case PROP_MINOR:
      g_value_set_boolean (value, self->show_minor);
      break;
    case PROP_MEMORY:
      g_value_set_boolean (value, self->show_memory);
      break;
    case PROP_EXECUTION:
      g_value_set_boolean (value, self->show_execution);
      break;
    case PROP_SCOPE:
      g_value_set_string (value, scope_nicks[self->scope]);
      break;
    case PROP_PLAN:
      g_object_get_property (G_OBJECT (self->plan), "open", value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* Rows that stay as they are stay open, too. */
static void
show_kind (TsrInsightsPage *self, gboolean *shown, gboolean wanted)
{
  if (*shown == wanted)
    return;
  *shown = wanted;
  if (self->insights != NULL)
    fill_findings (self);
}

static void
tsr_insights_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (object);

  switch (id)
    {
    case PROP_MINOR:
    case PROP_MEMORY:
    case PROP_EXECUTION:
      show_kind (self,
                 id == PROP_MINOR    ? &self->show_minor
                 : id == PROP_MEMORY ? &self->show_memory
                                     : &self->show_execution,
                 g_value_get_boolean (value));
      break;
    case PROP_SCOPE:
      for (guint i = 0; i < TSR_N_LARGEST_SCOPES; i++)
        if (g_strcmp0 (g_value_get_string (value), scope_nicks[i]) == 0)
          self->scope = i;
      show_scopes (self, is_roomy (self));
      break;
    case PROP_PLAN:
      g_object_set_property (G_OBJECT (self->plan), "open", value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
open_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  set_all_open (TSR_INSIGHTS_PAGE (widget), g_str_equal (name, "insights.open-all"));
}

static void
propose (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_plan_view_propose (TSR_INSIGHTS_PAGE (widget)->plan);
}

static void
clear_plan (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_plan_view_clear (TSR_INSIGHTS_PAGE (widget)->plan);
}

static void
copy_plan (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_plan_view_copy (TSR_INSIGHTS_PAGE (widget)->plan);
}

TsrPlanView *
tsr_insights_page_get_plan (TsrInsightsPage *self)
{
  g_return_val_if_fail (TSR_IS_INSIGHTS_PAGE (self), NULL);
  return self->plan;
}

static void
tsr_insights_page_dispose (GObject *object)
{
  TsrInsightsPage *self = TSR_INSIGHTS_PAGE (object);

  g_clear_pointer (&self->insights, tsr_insights_unref);
  g_clear_object (&self->titles);
  g_clear_object (&self->savings);
  G_OBJECT_CLASS (tsr_insights_page_parent_class)->dispose (object);
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  props[PROP_MINOR] = g_param_spec_boolean ("show-minor", NULL, NULL, TRUE, flags);
  props[PROP_MEMORY] = g_param_spec_boolean ("show-memory", NULL, NULL, TRUE, flags);
  props[PROP_EXECUTION] = g_param_spec_boolean ("show-execution", NULL, NULL, TRUE, flags);
  props[PROP_SCOPE] = g_param_spec_string ("scope", NULL, NULL, "replica", flags);
  props[PROP_PLAN] = g_param_spec_boolean ("show-plan", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (klass, N_PROPS, props);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrInsightsPage, stack),        TSR_PAGE_CHILD (TsrInsightsPage, columns),
  TSR_PAGE_CHILD (TsrInsightsPage, overview_box), TSR_PAGE_CHILD (TsrInsightsPage, findings),
  TSR_PAGE_CHILD (TsrInsightsPage, count),        TSR_PAGE_CHILD (TsrInsightsPage, none),
  TSR_PAGE_CHILD (TsrInsightsPage, fine),         TSR_PAGE_CHILD (TsrInsightsPage, fine_box),
  TSR_PAGE_CHILD (TsrInsightsPage, not_checked),  TSR_PAGE_CHILD (TsrInsightsPage, not_checked_box),
  TSR_PAGE_CHILD (TsrInsightsPage, scopes),       TSR_PAGE_CHILD (TsrInsightsPage, largest_box),
  TSR_PAGE_CHILD (TsrInsightsPage, plan_box),     { NULL },
};

static void
tsr_insights_page_class_init (TsrInsightsPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_insights_page_dispose;
  object_class->get_property = tsr_insights_page_get_property;
  object_class->set_property = tsr_insights_page_set_property;
  page_class->view = TSR_VIEW_INSIGHTS;
  page_class->stage = TSR_STAGE_MEMORY;
  page_class->wants_all = TRUE;
  page_class->set_session = tsr_insights_page_set_session;
  page_class->focus_start = tsr_insights_page_focus_start;
  page_class->dup_text = tsr_insights_page_dup_text;
  page_class->save_words = tsr_insights_page_save_words;
  page_class->load_words = tsr_insights_page_load_words;
  install_properties (object_class);
  gtk_widget_class_install_property_action (widget_class, "insights.minor", "show-minor");
  gtk_widget_class_install_property_action (widget_class, "insights.memory", "show-memory");
  gtk_widget_class_install_property_action (widget_class, "insights.execution", "show-execution");
  gtk_widget_class_install_property_action (widget_class, "insights.scope", "scope");
  gtk_widget_class_install_property_action (widget_class, "insights.plan", "show-plan");
  gtk_widget_class_install_action (widget_class, "insights.propose", NULL, propose);
  gtk_widget_class_install_action (widget_class, "insights.clear-plan", NULL, clear_plan);
  gtk_widget_class_install_action (widget_class, "insights.copy-plan", NULL, copy_plan);
  gtk_widget_class_install_action (widget_class, "insights.open-all", NULL, open_all);
  gtk_widget_class_install_action (widget_class, "insights.close-all", NULL, open_all);
  tsr_page_class_set_template (page_class, "tsr-insights-page.ui", children);
}

static void
on_page_height (GtkAdjustment *adjustment, GParamSpec *pspec, TsrInsightsPage *self)
{
  tsr_insights_overview_set_roomy (self->overview,
                                   gtk_adjustment_get_page_size (adjustment) >= ROOMY_HEIGHT);
  watch_room (self);
}

static void
add_largest (TsrInsightsPage *self, TsrLargestScope scope, const char *title)
{
  TsrRowView *view = tsr_row_view_new ();
  GtkWidget *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  tsr_row_view_set_fits (view);
  tsr_row_view_set_filter_hint (view, _ ("Filter by name or kind"));
  tsr_row_view_set_file_name (view, "largest");
  tsr_row_view_set_placeholder (view, _ ("Nothing recorded"),
                                _ ("The report has neither vertices nor variables of this scope"));
  g_signal_connect (view, "activate-row", G_CALLBACK (on_largest_activated), self);
  self->largest[scope] = view;
  self->largest_titles[scope] = label;
  gtk_box_append (self->largest_box, label);
  gtk_box_append (self->largest_box, GTK_WIDGET (view));
}

static void
tsr_insights_page_init (TsrInsightsPage *self)
{
  GtkWidget *viewport;

  self->show_minor = self->show_memory = self->show_execution = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  viewport = gtk_widget_get_ancestor (GTK_WIDGET (self->columns), GTK_TYPE_VIEWPORT);
  tsr_scroll_follow_focus (GTK_VIEWPORT (viewport));
  gtk_widget_set_layout_manager (GTK_WIDGET (self->columns),
                                 tsr_flip_layout_new (WIDE, FINDINGS_SHARE, FALSE, 12));
  self->overview = TSR_INSIGHTS_OVERVIEW (tsr_insights_overview_new ());
  gtk_box_append (self->overview_box, GTK_WIDGET (self->overview));
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)),
                           "notify::page-size", G_CALLBACK (on_page_height), self, 0);
  self->plan = tsr_plan_view_new ();
  gtk_box_append (self->plan_box, GTK_WIDGET (self->plan));
  self->titles = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->savings = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_box_set_spacing (self->largest_box, LARGEST_SPACE);
  add_largest (self, TSR_LARGEST_OF_REPLICA, _ ("Of the model"));
  add_largest (self, TSR_LARGEST_OF_IPUS, _ ("Of an IPU"));
  add_largest (self, TSR_LARGEST_OF_TILES, _ ("Of the five fullest tiles"));
  show_scopes (self, FALSE);
}
