/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whatever changes, the tabs compare the questions they would ask with those they asked: several
 * changes in one turn of the main loop cost one answer, and a change that a tab does not depend on
 * costs none.  The numbers of all tabs hide where the titles need their room. */

#include "config.h"

#include "tsr-tabs.h"

#include "tsr-page.h"
#include "tsr-table-asker.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>

#define HEADER_PADDING 12 /* both sides, see tessera.css */

typedef struct
{
  GtkNotebook *notebook;
  GPtrArray *tabs; /* TsrTab */
  const TsrTabsSetup *setup;
  gpointer page;
  TsrSession *session;
  guint idle; /* source id */
  guint n_asked;
} TsrTabsPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (TsrTabs, tsr_tabs, GTK_TYPE_WIDGET)

static guint tab_changed_signal;

static TsrTabsPrivate *
get_private (TsrTabs *self)
{
  return tsr_tabs_get_instance_private (self);
}

static void
tab_free (gpointer data)
{
  TsrTab *tab = data;

  tsr_latest_free (tab->latest);
  g_hash_table_unref (tab->unfolded);
  g_free (tab);
}

/* Variables */

static gboolean
has_variables (const TsrTab *tab)
{
  return tab->view != NULL && tab->answer != NULL && tab->answer->variables != NULL
         && tab->answer->members == NULL;
}

/* (transfer full): the variables of these rows, as many as the window may select. */
static GHashTable *
dup_variables (const TsrTab *tab, const GArray *rows)
{
  guint most = get_private (tab->tabs)->setup->most_variables;
  GHashTable *variables = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < rows->len && (most == 0 || g_hash_table_size (variables) < most); i++)
    g_hash_table_add (variables,
                      GUINT_TO_POINTER (tab->answer->variables[g_array_index (rows, guint32, i)]));
  return variables;
}

/* (transfer full): rows of the variables that are selected in the window. */
static GArray *
list_wanted (const TsrTab *tab)
{
  const char *const *names = tsr_step_selection_peek_variables (
      tsr_session_get_steps (get_private (tab->tabs)->session));
  TsrVariables *variables = tsr_liveness_get_variables (tab->answer->liveness);
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint variable = tsr_variables_find (variables, names[i]);

      if (variable != TSR_NO_INDEX)
        g_hash_table_add (wanted, GUINT_TO_POINTER (variable));
    }
  for (guint32 row = 0; g_hash_table_size (wanted) > 0 && row < tsr_rows_get_n (tab->answer->rows);
       row++)
    if (g_hash_table_contains (wanted, GUINT_TO_POINTER (tab->answer->variables[row])))
      g_array_append_val (rows, row);
  return rows;
}

/* Whether both are of the same variables: of several rows of one, the user may choose some. */
static gboolean
are_same (const TsrTab *tab, const GArray *a, const GArray *b)
{
  g_autoptr (GHashTable) of_a = dup_variables (tab, a), of_b = dup_variables (tab, b);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, of_a);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (of_b, key))
      return FALSE;
  return g_hash_table_size (of_a) == g_hash_table_size (of_b);
}

static void
show_variables (TsrTab *tab)
{
  g_autoptr (GArray) wanted = NULL, selected = NULL;

  if (!has_variables (tab))
    return;
  wanted = list_wanted (tab);
  selected = tsr_row_view_dup_selected (tab->view);
  if (!are_same (tab, wanted, selected))
    tsr_row_view_select (tab->view, (const guint32 *)(gpointer)wanted->data, wanted->len);
}

static void
on_variables_changed (TsrTabs *self)
{
  for (guint i = 0; i < tsr_tabs_get_n (self); i++)
    show_variables (tsr_tabs_get (self, i));
}

static void
select_variables (TsrTab *tab, const GArray *rows)
{
  TsrVariables *variables = tsr_liveness_get_variables (tab->answer->liveness);
  g_autoptr (GHashTable) left = dup_variables (tab, rows);
  g_autoptr (GArray) wanted = list_wanted (tab);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (are_same (tab, wanted, rows))
    return;
  for (guint i = 0; i < rows->len && g_hash_table_size (left) > 0; i++)
    {
      guint32 variable = tab->answer->variables[g_array_index (rows, guint32, i)];

      if (g_hash_table_remove (left, GUINT_TO_POINTER (variable)))
        g_ptr_array_add (names, (gpointer)tsr_variables_get_name (variables, variable));
    }
  g_ptr_array_add (names, NULL);
  tsr_step_selection_set_variables (tsr_session_get_steps (get_private (tab->tabs)->session),
                                    (const char *const *)names->pdata);
}

static void
on_rows_selected (TsrRowView *view, TsrTab *tab)
{
  TsrTabsPrivate *priv = get_private (tab->tabs);
  g_autoptr (GArray) rows = NULL;

  if (tab->answer == NULL || tab->answer->rows == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  if (has_variables (tab))
    select_variables (tab, rows);
  if (priv->setup->selected != NULL)
    priv->setup->selected (priv->page, tab, rows);
}

/* Answers */

/* From then on rows are as the user left them. */
static void
unfold (TsrTab *tab)
{
  TsrRows *rows = tab->answer != NULL ? tab->answer->rows : NULL;
  g_autoptr (GStrvBuilder) builder = NULL;
  g_auto (GStrv) keys = NULL;

  if (rows == NULL || !tab->words->unfolds)
    return;
  builder = g_strv_builder_new ();
  keys = tsr_row_view_dup_keys (tab->view);
  g_strv_builder_addv (builder, (const char **)keys);
  g_strfreev (g_steal_pointer (&keys));
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row = tsr_rows_get_end (rows, row))
    {
      char *key = tsr_rows_dup_key (rows, row);

      if (!g_hash_table_contains (tab->unfolded, key))
        g_strv_builder_add (builder, key);
      g_hash_table_add (tab->unfolded, key);
    }
  keys = g_strv_builder_end (builder);
  tsr_row_view_set_keys (tab->view, (const char *const *)keys);
}

static void
show (TsrTab *tab)
{
  TsrTabsPrivate *priv = get_private (tab->tabs);
  static const TsrTableAnswer none;
  const TsrTableAnswer *answer = tab->answer != NULL ? tab->answer : &none;
  TsrUnits units = tsr_session_get_units (priv->session);
  const char *empty = tab->words->empty != NULL ? tab->words->empty : priv->setup->empty;
  const char *title = answer->title;

  if (title == NULL && tab->answer != NULL && empty != NULL)
    title = _ (empty);
  if (tab->view != NULL && !tab->words->is_own)
    {
      tsr_row_view_set_placeholder (tab->view, title, answer->text);
      tsr_row_view_set_stages (tab->view, priv->session, answer->stages);
      tsr_row_view_set_rows (tab->view, answer->rows, units, answer->sort_key,
                             answer->sort_key != NULL);
    }
  if (tab->more != NULL)
    {
      tsr_row_view_set_rows (tab->more, answer->more, units, NULL, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (tab->more), answer->more != NULL);
    }
  show_variables (tab);
  unfold (tab);
  if (priv->setup->shown != NULL)
    priv->setup->shown (priv->page, tab);
}

/* The rows that are still seen ask for what stands behind them until the new ones are there. */
static void
take_answer (TsrTab *tab, TsrTableAnswer *answer)
{
  g_autoptr (TsrTableAnswer) old = tab->answer;

  tab->answer = answer;
  show (tab);
}

static void
on_answered (gpointer owner, gpointer result, const GError *error)
{
  take_answer (owner, tsr_table_asker_take (result, error));
}

static void
ask (TsrTab *tab, const TsrTableQuestion *question)
{
  get_private (tab->tabs)->n_asked++;
  tab->question = tsr_table_question_copy (question);
  tsr_table_asker_run (tab->latest, tab->info, question, on_answered);
}

static void
update_tab (TsrTab *tab, gboolean is_shown)
{
  TsrTabsPrivate *priv = get_private (tab->tabs);
  TsrTableQuestion question = { 0 };
  gboolean asks = tab->info != NULL && priv->setup->ask (priv->page, tab, &question);

  if (!asks || tab->question == NULL || !tsr_table_question_equal (tab->question, &question))
    {
      tsr_latest_cancel (tab->latest);
      g_clear_pointer (&tab->question, tsr_table_question_free);
      if (is_shown && asks)
        ask (tab, &question);
      else if (is_shown && tab->answer != NULL)
        take_answer (tab, NULL);
    }
  if (!is_shown && (tab->question == NULL || tsr_latest_is_running (tab->latest)))
    tsr_tab_label_set_count (tab->label, TSR_UNKNOWN);
}

static void
want_stages (TsrTabsPrivate *priv, const TsrTab *tab)
{
  guint needs = tab->info != NULL ? tab->info->needs : 0;

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    if ((needs & 1u << stage) != 0)
      tsr_session_want (priv->session, stage);
}

static gboolean
on_idle (gpointer data)
{
  TsrTabs *self = data;
  TsrTabsPrivate *priv = get_private (self);
  TsrTab *shown = tsr_tabs_get_shown (self);

  priv->idle = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  want_stages (priv, shown);
  for (guint i = 0; i < priv->tabs->len; i++)
    update_tab (priv->tabs->pdata[i], priv->tabs->pdata[i] == shown);
  return G_SOURCE_REMOVE;
}

void
tsr_tabs_update (TsrTabs *self)
{
  TsrTabsPrivate *priv = get_private (self);

  g_return_if_fail (TSR_IS_TABS (self));
  if (priv->idle == 0 && priv->session != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    priv->idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, self, NULL);
}

static void
on_units_changed (TsrTabs *self)
{
  for (guint i = 0; i < tsr_tabs_get_n (self); i++)
    if (tsr_tabs_get (self, i)->answer != NULL && tsr_tabs_get (self, i)->question != NULL)
      show (tsr_tabs_get (self, i));
}

static void
on_switched (TsrTabs *self)
{
  tsr_tabs_update (self);
  g_signal_emit (self, tab_changed_signal, 0);
}

/* Setup */

static TsrRowView *
new_view (TsrTab *tab, const TsrTableInfo *info, gboolean multiple)
{
  g_autofree char *name = g_strdup_printf ("%s-%s", info->command, info->key);
  TsrRowView *view = tsr_row_view_new ();

  tsr_row_view_set_file_name (view, name);
  tsr_row_view_set_multiple (view, multiple);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  return view;
}

static void
on_way (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const TsrTab *tab = data;
  g_autoptr (GArray) rows = tsr_row_view_dup_selected (tab->view);
  g_autoptr (GHashTable) link = tsr_view_words_new ();
  TsrRows *shown = tsr_row_view_get_shown (tab->view);

  if (rows->len == 0 || shown == NULL)
    return;
  tsr_view_words_set (link, "page", g_action_get_name (G_ACTION (action)));
  tsr_view_words_set (link, g_variant_get_string (parameter, NULL),
                      tsr_rows_get_text (shown, g_array_index (rows, guint32, 0), 0));
  tsr_page_go (GTK_WIDGET (tab->view), link);
}

static void
add_way (
    GMenu *menu, GActionMap *group, TsrTab *tab, const char *label, TsrView view, const char *word)
{
  const GActionEntry entry
      = { .name = tsr_view_get_nick (view), .activate = on_way, .parameter_type = "s" };
  g_autofree char *action = g_strdup_printf ("way.%s::%s", entry.name, word);

  g_action_map_add_action_entries (group, &entry, 1, tab);
  g_menu_append (menu, label, action);
}

void
tsr_tab_add_ways (TsrTab *tab, const char *program_word, const char *operation_word)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_return_if_fail (tab != NULL && tab->view != NULL);
  g_return_if_fail (program_word != NULL && operation_word != NULL);
  add_way (menu, G_ACTION_MAP (group), tab, _ ("Show in Program Tree"), TSR_VIEW_PROGRAM_TREE,
           program_word);
  add_way (menu, G_ACTION_MAP (group), tab, _ ("Show in Operations"), TSR_VIEW_OPERATIONS,
           operation_word);
  gtk_widget_insert_action_group (GTK_WIDGET (tab->view), "way", G_ACTION_GROUP (group));
  g_menu_append (menu, _ ("Copy"), "rows.copy");
  tsr_row_view_set_menu (tab->view, G_MENU_MODEL (menu));
}

static void
add_views (TsrTab *tab)
{
  const TsrTableInfo *infos;
  guint n;

  tab->view = new_view (tab, tab->info, !tab->words->is_single);
  tab->child = GTK_WIDGET (tab->view);
  if (tab->words->filter != NULL)
    tsr_row_view_set_filter_hint (tab->view, _ (tab->words->filter));
  g_signal_connect (tab->view, "selection-changed", G_CALLBACK (on_rows_selected), tab);
  infos = tsr_tables_peek (&n);
  for (guint i = 0; i < n; i++)
    if (infos[i].beside && infos[i].tab == tab->info->tab
        && g_str_equal (infos[i].command, tab->info->command))
      tab->more = new_view (tab, &infos[i], FALSE);
}

static void
add_tab (TsrTabs *self, const TsrTableInfo *info, const TsrTabWords *words)
{
  TsrTabsPrivate *priv = get_private (self);
  TsrTab *tab = g_new0 (TsrTab, 1);

  tab->tabs = self;
  tab->number = priv->tabs->len;
  tab->words = words;
  tab->info = info;
  tab->latest = tsr_latest_new (tab, (GDestroyNotify)tsr_table_answer_free);
  tab->unfolded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  tab->label = tsr_tab_label_new (_ (info != NULL ? info->title : words->title),
                                  words->tooltip != NULL ? _ (words->tooltip) : NULL);
  g_ptr_array_add (priv->tabs, tab);
  if (!words->is_own)
    add_views (tab);
  if (priv->setup->add != NULL)
    priv->setup->add (priv->page, tab);
  if (words->is_counted && tab->view != NULL)
    tsr_tab_label_follow (tab->label, tab->view);
  gtk_notebook_append_page (priv->notebook, tab->child, GTK_WIDGET (tab->label));
}

void
tsr_tabs_setup (TsrTabs *self, const TsrTabsSetup *setup, gpointer page)
{
  TsrTabsPrivate *priv = get_private (self);

  g_return_if_fail (TSR_IS_TABS (self) && priv->setup == NULL);
  priv->setup = setup;
  priv->page = page;
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->notebook), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (setup->label), -1);
  for (guint i = 0; i < setup->n_words; i++)
    add_tab (self, tsr_tables_find (setup->command, setup->words[i].key), &setup->words[i]);
  g_signal_connect_data (priv->notebook, "switch-page", G_CALLBACK (on_switched), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

void
tsr_tabs_set_session (TsrTabs *self, TsrSession *session)
{
  TsrTabsPrivate *priv = get_private (self);
  TsrStepSelection *steps = tsr_session_get_steps (session);
  TsrTraceState *trace = tsr_session_get_trace_state (session);
  const struct
  {
    gpointer object;
    const char *signal;
  } followed[] = {
    { session, "notify::memory" },
    { session, "notify::liveness" },
    { session, "notify::vertices" },
    { session, "notify::trace" },
    { session, "notify::trace-live" },
    { session, "stage-changed" },
    { tsr_session_get_selection (session), "changed" },
    { steps, "steps-changed" },
    { trace, "span-changed" },
    { trace, "run-changed" },
    { trace, "hidden-changed" },
    { trace, "steps-changed" },
    { trace, "options-changed" },
  };

  g_return_if_fail (TSR_IS_TABS (self) && priv->session == NULL);
  priv->session = g_object_ref (session);
  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (followed[i].object, followed[i].signal, G_CALLBACK (tsr_tabs_update),
                             self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "variables-changed", G_CALLBACK (on_variables_changed), self,
                           G_CONNECT_SWAPPED);
  tsr_tabs_update (self);
}

/* Interface */

TsrTab *
tsr_tabs_get (TsrTabs *self, guint number)
{
  TsrTabsPrivate *priv = get_private (self);

  g_return_val_if_fail (TSR_IS_TABS (self) && number < priv->tabs->len, NULL);
  return priv->tabs->pdata[number];
}

guint
tsr_tabs_get_n (TsrTabs *self)
{
  g_return_val_if_fail (TSR_IS_TABS (self), 0);
  return get_private (self)->tabs->len;
}

/* By the widget: a notebook does not count those that are hidden. */
TsrTab *
tsr_tabs_get_shown (TsrTabs *self)
{
  TsrTabsPrivate *priv = get_private (self);
  GtkWidget *child;

  g_return_val_if_fail (TSR_IS_TABS (self), NULL);
  if (priv->notebook == NULL)
    return tsr_tabs_get (self, 0);
  child
      = gtk_notebook_get_nth_page (priv->notebook, gtk_notebook_get_current_page (priv->notebook));
  for (guint i = 0; i < priv->tabs->len; i++)
    if (tsr_tabs_get (self, i)->child == child)
      return tsr_tabs_get (self, i);
  return tsr_tabs_get (self, 0);
}

void
tsr_tabs_show (TsrTabs *self, guint number)
{
  TsrTabsPrivate *priv = get_private (self);
  TsrTab *tab = tsr_tabs_get (self, number);

  g_return_if_fail (tab != NULL);
  gtk_notebook_set_current_page (priv->notebook,
                                 gtk_notebook_page_num (priv->notebook, tab->child));
}

gboolean
tsr_tabs_show_key (TsrTabs *self, const char *key)
{
  for (guint i = 0; i < tsr_tabs_get_n (self); i++)
    if (g_strcmp0 (key, tsr_tabs_get (self, i)->words->key) == 0)
      {
        tsr_tabs_show (self, i);
        return TRUE;
      }
  return FALSE;
}

void
tsr_tabs_bind (TsrTabs *self, TsrViewState *state, guint option)
{
  g_return_if_fail (TSR_IS_TABS (self));
  tsr_view_state_bind (state, option, get_private (self)->notebook, "page");
}

void
tsr_tabs_run (TsrTabs *self, const char *action)
{
  const guint n = tsr_tabs_get_n (self);
  const TsrTab *tab;

  g_return_if_fail (TSR_IS_TABS (self) && action != NULL);
  tab = tsr_tabs_get_shown (self);
  if (g_str_equal (action, "next"))
    tsr_tabs_show (self, (tab->number + 1) % n);
  else if (g_str_equal (action, "previous"))
    tsr_tabs_show (self, (tab->number + n - 1) % n);
  else if (tab->view != NULL || tab->list != NULL)
    gtk_widget_activate_action (tab->view != NULL ? GTK_WIDGET (tab->view) : tab->list, action,
                                NULL);
  else
    tsr_notice_show (GTK_WIDGET (self), _ ("This tab is not a table"));
}

void
tsr_tabs_set_end (TsrTabs *self, GtkWidget *end)
{
  g_return_if_fail (TSR_IS_TABS (self));
  gtk_box_prepend (
      GTK_BOX (gtk_notebook_get_action_widget (get_private (self)->notebook, GTK_PACK_END)), end);
}

gboolean
tsr_tabs_is_busy (TsrTabs *self)
{
  const TsrTab *tab = tsr_tabs_get_shown (self);

  return get_private (self)->idle != 0 || tsr_latest_is_running (tab->latest)
         || (tab->view != NULL && tsr_row_view_is_busy (tab->view))
         || (tab->more != NULL && tsr_row_view_is_busy (tab->more));
}

guint
tsr_tabs_get_n_asked (TsrTabs *self)
{
  g_return_val_if_fail (TSR_IS_TABS (self), 0);
  return get_private (self)->n_asked;
}

/* Widget */

/* Of all tabs that are shown with their numbers, and what stands behind them. */
static int
sum_widths (TsrTabs *self)
{
  TsrTabsPrivate *priv = get_private (self);
  GtkWidget *end = gtk_notebook_get_action_widget (priv->notebook, GTK_PACK_END);
  int sum = 0, width;

  if (end != NULL && gtk_widget_get_visible (end))
    gtk_widget_measure (end, GTK_ORIENTATION_HORIZONTAL, -1, &sum, NULL, NULL, NULL);
  for (guint i = 0; i < priv->tabs->len; i++)
    {
      const TsrTab *tab = priv->tabs->pdata[i];

      if (!gtk_widget_get_visible (tab->child))
        continue;
      gtk_widget_measure (gtk_widget_get_parent (GTK_WIDGET (tab->label)),
                          GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
      sum += width + tsr_tab_label_get_folded_width (tab->label);
    }
  return sum;
}

static void
tsr_tabs_measure (GtkWidget *widget,
                  GtkOrientation orientation,
                  int for_size,
                  int *minimum,
                  int *natural,
                  int *minimum_baseline,
                  int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
tsr_tabs_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrTabsPrivate *priv = get_private (TSR_TABS (widget));
  gboolean folded = sum_widths (TSR_TABS (widget)) > width - HEADER_PADDING;

  for (guint i = 0; i < priv->tabs->len; i++)
    tsr_tab_label_set_folded (((TsrTab *)priv->tabs->pdata[i])->label, folded);
  gtk_widget_measure (GTK_WIDGET (priv->notebook), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL,
                      NULL);
  gtk_widget_allocate (GTK_WIDGET (priv->notebook), width, height, baseline, NULL);
}

static void
tsr_tabs_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tsr_tabs_parent_class)->map (widget);
  tsr_tabs_update (TSR_TABS (widget));
}

static void
tsr_tabs_dispose (GObject *object)
{
  TsrTabs *self = TSR_TABS (object);
  TsrTabsPrivate *priv = get_private (self);

  g_clear_handle_id (&priv->idle, g_source_remove);
  for (guint i = 0; priv->notebook != NULL && i < priv->tabs->len; i++)
    {
      TsrTab *tab = priv->tabs->pdata[i];

      tsr_latest_cancel (tab->latest);
      for (guint k = 0; k < 2; k++)
        if ((k == 0 ? tab->view : tab->more) != NULL)
          {
            TsrRowView *view = k == 0 ? tab->view : tab->more;

            g_signal_handlers_disconnect_by_data (view, tab);
            tsr_row_view_set_ink_func (view, NULL, NULL, NULL);
            tsr_row_view_set_paint_func (view, NULL, NULL);
          }
      tab->view = tab->more = NULL;
      g_clear_pointer (&tab->question, tsr_table_question_free);
      g_clear_pointer (&tab->answer, tsr_table_answer_free);
    }
  if (priv->notebook != NULL)
    {
      /* It would tell of each tab that goes. */
      g_object_freeze_notify (G_OBJECT (priv->notebook));
      g_signal_handlers_disconnect_by_data (priv->notebook, self);
      gtk_widget_unparent (GTK_WIDGET (priv->notebook));
      priv->notebook = NULL;
    }
  g_clear_object (&priv->session);
  G_OBJECT_CLASS (tsr_tabs_parent_class)->dispose (object);
}

static void
tsr_tabs_finalize (GObject *object)
{
  g_ptr_array_unref (get_private (TSR_TABS (object))->tabs);
  G_OBJECT_CLASS (tsr_tabs_parent_class)->finalize (object);
}

static void
tsr_tabs_class_init (TsrTabsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_tabs_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_tabs_finalize;
  widget_class->measure = tsr_tabs_measure;
  widget_class->size_allocate = tsr_tabs_size_allocate;
  widget_class->map = tsr_tabs_map;
  tab_changed_signal = g_signal_new ("tab-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* What stands behind the tabs: at last the switch that gives the details all the room. */
static GtkWidget *
new_end (void)
{
  GtkWidget *end = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_toggle_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (button), "view-fullscreen-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "split.maximise");
  gtk_widget_set_tooltip_text (button, _ ("Details in place of the chart (Shift+F9)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Maximise details"), -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_box_append (GTK_BOX (end), button);
  return end;
}

static void
tsr_tabs_init (TsrTabs *self)
{
  TsrTabsPrivate *priv = get_private (self);

  priv->tabs = g_ptr_array_new_with_free_func (tab_free);
  priv->notebook = GTK_NOTEBOOK (gtk_notebook_new ());
  gtk_notebook_set_show_border (priv->notebook, FALSE);
  gtk_notebook_set_scrollable (priv->notebook, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (priv->notebook), "details");
  gtk_notebook_set_action_widget (priv->notebook, new_end (), GTK_PACK_END);
  gtk_widget_set_parent (GTK_WIDGET (priv->notebook), GTK_WIDGET (self));
}
