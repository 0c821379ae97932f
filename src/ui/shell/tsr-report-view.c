/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The shell of an open report. */

#include "config.h"

#include "tsr-report-view.h"

#include "tsr-ui-init.h"

#include <glib/gi18n.h>

struct _TsrReportView
{
  GtkWidget parent_instance;

  TsrSidebar *sidebar;
  GtkWidget *bars;
  GtkStack *stack;
  GtkWidget *status_strip;
  GtkLabel *status_left, *status_right;
  GtkWidget *diagnostics_button;
  GtkMenuButton *remote_button;

  TsrSession *session;
  TsrReport *report; /* whose diagnostics are watched */
  gulong diagnostics_handler;
  TsrPage *page;      /* the one that is shown; in the stack */
  GPtrArray *history; /* words of a link (GHashTable), as they were when the page was left */
  guint position;     /* in history, of the one that is shown */
};

G_DEFINE_FINAL_TYPE (TsrReportView, tsr_report_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_VIEW,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

#define KEY_KEY   "tsr-bar-key"
#define LABEL_KEY "tsr-bar-label"
#define WHAT_KEY  "tsr-bar-what" /* class, button and action */

static void
update_status (TsrReportView *self)
{
  const char *left = self->page != NULL ? tsr_page_get_status_left (self->page) : NULL;
  const char *right = self->page != NULL ? tsr_page_get_status_right (self->page) : NULL;

  gtk_label_set_label (self->status_left, left != NULL ? left : "");
  gtk_label_set_label (self->status_right, right != NULL ? right : "");
  /* Where a page speaks now and then the strip stays: nothing jumps. */
  gtk_widget_set_visible (self->status_strip,
                          (self->page != NULL && tsr_page_has_status (self->page))
                              || gtk_widget_get_visible (GTK_WIDGET (self->remote_button))
                              || gtk_widget_get_visible (GTK_WIDGET (self->diagnostics_button)));
}

static GtkWidget *
find_bar (TsrReportView *self, const char *key)
{
  for (GtkWidget *bar = gtk_widget_get_first_child (self->bars); bar != NULL;
       bar = gtk_widget_get_next_sibling (bar))
    if (g_strcmp0 (g_object_get_data (G_OBJECT (bar), KEY_KEY), key) == 0)
      return bar;
  return NULL;
}

const char *
tsr_report_view_get_bar (TsrReportView *self, const char *key)
{
  GtkWidget *bar;

  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), NULL);
  bar = find_bar (self, key);
  return bar != NULL ? gtk_label_get_label (g_object_get_data (G_OBJECT (bar), LABEL_KEY)) : NULL;
}

static void
on_bar_closed (GtkButton *button, TsrReportView *self)
{
  GtkWidget *bar = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_BOX);

  gtk_box_remove (GTK_BOX (self->bars), bar);
}

static const char *
bar_class (GtkMessageType type)
{
  switch (type)
    {
    case GTK_MESSAGE_ERROR:
      return "error";
    case GTK_MESSAGE_WARNING:
      return "warning";
    default:
      return "info";
    }
}

static GtkWidget *
new_bar (TsrReportView *self, GtkMessageType type, const char *text)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  /* A box of its own keeps the label's baseline from the row: with several lines GTK lines up the
   * buttons with the first one where a width is given, and gets another height than without. */
  GtkWidget *holder = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (holder, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (bar, "report-bar");
  gtk_widget_add_css_class (bar, bar_class (type));
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (close, _ ("Close this message"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Close this message"), -1);
  g_signal_connect (close, "clicked", G_CALLBACK (on_bar_closed), self);
  gtk_box_append (GTK_BOX (holder), label);
  gtk_box_append (GTK_BOX (bar), holder);
  gtk_box_append (GTK_BOX (bar), close);
  g_object_set_data (G_OBJECT (bar), LABEL_KEY, label);
  return bar;
}

void
tsr_report_view_set_bar (TsrReportView *self,
                         const char *key,
                         GtkMessageType type,
                         const char *text,
                         const char *button,
                         const char *action_name)
{
  g_autofree char *what = g_strconcat (bar_class (type), "\n", button, "\n", action_name, NULL);
  GtkWidget *bar;

  g_return_if_fail (TSR_IS_REPORT_VIEW (self) && key != NULL);
  bar = find_bar (self, key);
  /* The same with other words keeps its button, which may have the keyboard. */
  if (bar != NULL && text != NULL
      && g_strcmp0 (g_object_get_data (G_OBJECT (bar), WHAT_KEY), what) == 0)
    {
      gtk_label_set_label (g_object_get_data (G_OBJECT (bar), LABEL_KEY), text);
      return;
    }
  if (bar != NULL)
    gtk_box_remove (GTK_BOX (self->bars), bar);
  if (text == NULL)
    return;
  bar = new_bar (self, type, text);
  g_object_set_data_full (G_OBJECT (bar), KEY_KEY, g_strdup (key), g_free);
  g_object_set_data_full (G_OBJECT (bar), WHAT_KEY, g_steal_pointer (&what), g_free);
  if (button != NULL)
    {
      GtkWidget *widget = gtk_button_new_with_mnemonic (button);
      g_auto (GStrv) parts = g_strsplit (button, "_", -1);
      g_autofree char *name = g_strjoinv ("", parts);

      gtk_actionable_set_action_name (GTK_ACTIONABLE (widget), action_name);
      gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
      gtk_box_insert_child_after (GTK_BOX (bar), widget, gtk_widget_get_first_child (bar));
    }
  /* What may make numbers wrong stands first. */
  if (type == GTK_MESSAGE_ERROR)
    gtk_box_prepend (GTK_BOX (self->bars), bar);
  else
    gtk_box_append (GTK_BOX (self->bars), bar);
}

void
tsr_report_view_set_remote_popover (TsrReportView *self, GtkWidget *popover)
{
  g_return_if_fail (TSR_IS_REPORT_VIEW (self) && GTK_IS_POPOVER (popover));
  gtk_menu_button_set_popover (self->remote_button, popover);
}

void
tsr_report_view_set_remote_status (TsrReportView *self, const char *text)
{
  g_return_if_fail (TSR_IS_REPORT_VIEW (self));
  if (text != NULL && g_strcmp0 (gtk_menu_button_get_label (self->remote_button), text) != 0)
    gtk_menu_button_set_label (self->remote_button, text);
  gtk_widget_set_visible (GTK_WIDGET (self->remote_button), text != NULL);
}

const char *
tsr_report_view_get_remote_status (TsrReportView *self)
{
  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), NULL);
  return gtk_widget_get_visible (GTK_WIDGET (self->remote_button))
             ? gtk_menu_button_get_label (self->remote_button)
             : NULL;
}

static void
update_diagnostics (TsrReportView *self)
{
  TsrDiagnostics *list = self->report != NULL ? tsr_report_get_diagnostics (self->report) : NULL;
  guint64 n = list != NULL ? tsr_diagnostics_get_n_total (list) : 0;
  guint64 n_errors = list != NULL ? tsr_diagnostics_get_n_errors (list) : 0;
  guint n_kept = list != NULL ? tsr_diagnostics_get_n_kept (list) : 0;
  g_autofree char *count = tsr_units_dup_count (n);
  g_autofree char *button
      = g_strdup_printf (g_dngettext (NULL, "%s remark", "%s remarks", n), count);
  g_autofree char *errors = tsr_units_dup_count (n_errors);
  gboolean warn = n_errors > 0;

  for (guint i = 0; i < n_kept && !warn; i++)
    warn = tsr_diagnostics_get (list, i)->severity != TSR_SEVERITY_INFO;
  gtk_widget_set_visible (self->diagnostics_button, n > 0);
  gtk_button_set_label (GTK_BUTTON (self->diagnostics_button), button);
  if (!warn)
    tsr_report_view_set_bar (self, "diagnostics", 0, NULL, NULL, NULL);
  else
    {
      /* A single one says itself what it is. */
      g_autofree char *text
          = n == 1         ? tsr_diagnostic_dup_line (tsr_diagnostics_get (list, 0))
            : n_errors > 0 ? g_strdup_printf (
                  g_dngettext (
                      NULL, "%s thing in this report could not be read or contradicts another",
                      "%s things in this report could not be read or contradict others", n_errors),
                  errors)
                           : g_strdup_printf (_ ("There are %s remarks on this report"), count);

      tsr_report_view_set_bar (self, "diagnostics",
                               n_errors > 0 ? GTK_MESSAGE_ERROR : GTK_MESSAGE_WARNING, text,
                               _ ("_Show"), "win.diagnostics");
    }
}

/* A file with tables of which we know nothing: its structure would help us. */
static void
update_unknown (TsrReportView *self)
{
  const TsrSummary *summary = self->report != NULL ? tsr_report_get_summary (self->report) : NULL;
  guint n = summary != NULL && summary->unknown_tables != NULL
                ? g_strv_length (summary->unknown_tables)
                : 0;
  g_autofree char *text = NULL;

  if (n == 0)
    {
      tsr_report_view_set_bar (self, "unknown", 0, NULL, NULL, NULL);
      return;
    }
  text = g_strdup_printf (
      g_dngettext (NULL, "profile.pop has %u table that Tessera does not know (%s)",
                   "profile.pop has %u tables that Tessera does not know (%s, …)", n),
      n, summary->unknown_tables[0]);
  tsr_report_view_set_bar (self, "unknown", GTK_MESSAGE_INFO, text,
                           _ ("Copy _Structure for a Bug Report"), "win.copy-structure");
}

static void
on_report_changed (TsrReportView *self)
{
  if (self->report != NULL)
    g_clear_signal_handler (&self->diagnostics_handler, self->report);
  g_set_object (&self->report, tsr_session_get_report (self->session));
  if (self->report != NULL)
    self->diagnostics_handler = g_signal_connect_swapped (self->report, "diagnostics-changed",
                                                          G_CALLBACK (update_diagnostics), self);
  update_diagnostics (self);
  update_unknown (self);
}

static void
on_stage_changed (TsrSession *session, int stage, TsrReportView *self)
{
  if (stage == TSR_STAGE_SUMMARY)
    update_diagnostics (self);
}

static void
on_view_activated (TsrSidebar *sidebar, int view, TsrReportView *self)
{
  if (tsr_report_view_show (self, view))
    tsr_page_focus_start (self->page);
}

static TsrPage *
ensure_page (TsrReportView *self, const TsrPageInfo *info)
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, tsr_view_get_nick (info->view));

  if (page != NULL)
    return TSR_PAGE (page);
  page = g_object_new (info->get_type (), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (page), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tsr_page_get_title (TSR_PAGE (page)), -1);
  gtk_stack_add_named (self->stack, page, tsr_view_get_nick (info->view));
  tsr_page_set_session (TSR_PAGE (page), self->session);
  g_signal_connect_object (page, "notify::status-left", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "notify::status-right", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
  return TSR_PAGE (page);
}

static gboolean
show_page (TsrReportView *self, TsrView view)
{
  const TsrPageInfo *info = tsr_pages_find (view);

  if (info == NULL || self->session == NULL)
    return FALSE;
  self->page = ensure_page (self, info);
  gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->page));
  tsr_sidebar_set_current (self->sidebar, view);
  update_status (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_VIEW]);
  return TRUE;
}

GHashTable *
tsr_report_view_dup_words (TsrReportView *self)
{
  GHashTable *words = tsr_view_words_new ();

  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), words);
  if (self->page == NULL)
    return words;
  tsr_view_words_set (words, "page", tsr_view_get_nick (tsr_page_get_view (self->page)));
  tsr_session_save_words (self->session, tsr_page_get_view (self->page), words);
  tsr_page_save_words (self->page, words);
  return words;
}

/* The page that is left is remembered as it is now. */
static void
note_state (TsrReportView *self)
{
  if (self->position >= self->history->len)
    return;
  g_hash_table_unref (self->history->pdata[self->position]);
  self->history->pdata[self->position] = tsr_report_view_dup_words (self);
}

static void
push (TsrReportView *self, GHashTable *words)
{
  note_state (self);
  if (self->history->len > 0)
    g_ptr_array_set_size (self->history, self->position + 1);
  g_ptr_array_add (self->history, g_hash_table_ref (words));
  self->position = self->history->len - 1;
}

static gboolean
can_show (TsrReportView *self, TsrView view)
{
  return self->session != NULL && view != TSR_N_VIEWS && tsr_pages_find (view) != NULL
         && tsr_sidebar_is_available (self->sidebar, view, NULL);
}

gboolean
tsr_report_view_show (TsrReportView *self, TsrView view)
{
  g_autoptr (GHashTable) words = NULL;

  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), FALSE);

  if (self->page != NULL && tsr_page_get_view (self->page) == view)
    return TRUE;
  if (!can_show (self, view))
    return FALSE;
  words = tsr_view_words_new ();
  tsr_view_words_set (words, "page", tsr_view_get_nick (view));
  push (self, words);
  return show_page (self, view);
}

static gboolean
restore (TsrReportView *self, GHashTable *words)
{
  TsrView view = tsr_view_words_get_view (words);

  if (!show_page (self, view))
    return FALSE;
  tsr_session_load_words (self->session, view, words);
  tsr_page_load_words (self->page, words);
  return TRUE;
}

gboolean
tsr_report_view_show_words (TsrReportView *self, GHashTable *words)
{
  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self) && words != NULL, FALSE);

  if (!can_show (self, tsr_view_words_get_view (words)))
    return FALSE;
  push (self, words);
  return restore (self, words);
}

gboolean
tsr_report_view_can_go (TsrReportView *self, int by)
{
  gint64 position;

  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), FALSE);
  position = (gint64)self->position + by;
  return position >= 0 && position < self->history->len;
}

void
tsr_report_view_go (TsrReportView *self, int by)
{
  if (!tsr_report_view_can_go (self, by))
    return;
  note_state (self);
  self->position += by;
  if (restore (self, self->history->pdata[self->position]))
    tsr_page_focus_start (self->page);
}

void
tsr_report_view_reset (TsrReportView *self)
{
  GtkWidget *child;

  g_return_if_fail (TSR_IS_REPORT_VIEW (self));
  self->page = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->stack))) != NULL)
    gtk_stack_remove (self->stack, child);
  while ((child = gtk_widget_get_first_child (self->bars)) != NULL)
    gtk_box_remove (GTK_BOX (self->bars), child);
  g_ptr_array_set_size (self->history, 0);
  self->position = 0;
  update_status (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_VIEW]);
}

TsrPage *
tsr_report_view_get_page (TsrReportView *self)
{
  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), NULL);
  return self->page;
}

TsrSidebar *
tsr_report_view_get_sidebar (TsrReportView *self)
{
  g_return_val_if_fail (TSR_IS_REPORT_VIEW (self), NULL);
  return self->sidebar;
}

void
tsr_report_view_set_session (TsrReportView *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_REPORT_VIEW (self) && TSR_IS_SESSION (session));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  tsr_sidebar_set_session (self->sidebar, session);
  g_signal_connect_object (session, "notify::report", G_CALLBACK (on_report_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage_changed), self, 0);
}

static void
tsr_report_view_dispose (GObject *object)
{
  TsrReportView *self = TSR_REPORT_VIEW (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (self->report != NULL)
    g_clear_signal_handler (&self->diagnostics_handler, self->report);
  g_clear_object (&self->report);
  self->page = NULL;
  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->session);
  g_clear_pointer (&self->history, g_ptr_array_unref);
  G_OBJECT_CLASS (tsr_report_view_parent_class)->dispose (object);
}

static void
tsr_report_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrReportView *self = TSR_REPORT_VIEW (object);

  if (id == PROP_VIEW)
    g_value_set_int (value, self->page != NULL ? (int)tsr_page_get_view (self->page) : -1);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
tsr_report_view_class_init (TsrReportViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = tsr_report_view_dispose;
  object_class->get_property = tsr_report_view_get_property;
  props[PROP_VIEW] = g_param_spec_int ("view", NULL, NULL, -1, TSR_N_VIEWS, -1,
                                       G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  g_type_ensure (TSR_TYPE_SIDEBAR);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-report-view.ui");
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, sidebar);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, bars);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, stack);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, status_strip);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, status_left);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, status_right);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, diagnostics_button);
  gtk_widget_class_bind_template_child (widget_class, TsrReportView, remote_button);
  gtk_widget_class_bind_template_callback (widget_class, on_view_activated);
}

static void
tsr_report_view_init (TsrReportView *self)
{
  self->history = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self->sidebar, "view-activated", G_CALLBACK (on_view_activated), self);
  g_signal_connect_swapped (self->remote_button, "notify::visible", G_CALLBACK (update_status),
                            self);
  g_signal_connect_swapped (self->diagnostics_button, "notify::visible", G_CALLBACK (update_status),
                            self);
}
