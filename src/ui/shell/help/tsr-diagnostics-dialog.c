/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of diagnostics.  Entries never move or go while the report lives, which the dialog sees
 * to, so items only keep their index. */

#include "config.h"

#include "tsr-diagnostics-dialog.h"

#include "tsr-structure-copy.h"
#include "tsr-toast.h"
#include "tsr-ui-init.h"
#include "tsr-units.h"

#include <glib/gi18n.h>
#include <string.h>

#define TSR_TYPE_DIAGNOSTIC_ITEM (tsr_diagnostic_item_get_type ())
G_DECLARE_FINAL_TYPE (TsrDiagnosticItem, tsr_diagnostic_item, TSR, DIAGNOSTIC_ITEM, GObject)

struct _TsrDiagnosticItem
{
  GObject parent_instance;

  const TsrDiagnostic *diagnostic;
  guint64 dropped;
};

G_DEFINE_FINAL_TYPE (TsrDiagnosticItem, tsr_diagnostic_item, G_TYPE_OBJECT)

static void
tsr_diagnostic_item_class_init (TsrDiagnosticItemClass *klass)
{
}

static void
tsr_diagnostic_item_init (TsrDiagnosticItem *self)
{
}

struct _TsrDiagnosticsDialog
{
  AdwWindow parent_instance;

  AdwToastOverlay *toasts;
  GtkEditable *filter;
  GtkWidget *tools, *structure_button;
  GtkLabel *count, *unknown, *details;
  GtkStack *stack;
  AdwStatusPage *none;
  GtkColumnView *view;

  TsrReport *report;
  GListStore *items;
  GtkFilterListModel *shown;
  GtkSingleSelection *selection;
};

G_DEFINE_FINAL_TYPE (TsrDiagnosticsDialog, tsr_diagnostics_dialog, ADW_TYPE_WINDOW)

typedef enum
{
  COLUMN_SEVERITY,
  COLUMN_FILE,
  COLUMN_TABLE,
  COLUMN_ROW,
  COLUMN_TEXT,
  N_COLUMNS
} Column;

static const char *
severity_title (TsrSeverity severity)
{
  switch (severity)
    {
    case TSR_SEVERITY_ERROR:
      return _ ("Error");
    case TSR_SEVERITY_WARNING:
      return _ ("Warning");
    default:
      return _ ("Note");
    }
}

/* (transfer full) */
static char *
dup_cell (const TsrDiagnostic *diagnostic, Column column)
{
  switch (column)
    {
    case COLUMN_SEVERITY:
      return g_strdup (severity_title (diagnostic->severity));
    case COLUMN_FILE:
      return g_strdup (diagnostic->file != NULL ? diagnostic->file : "");
    case COLUMN_TABLE:
      return g_strdup (diagnostic->table != NULL ? diagnostic->table : "");
    case COLUMN_ROW:
      return diagnostic->row == TSR_NO_ROW ? g_strdup ("")
                                           : g_strdup_printf ("%" G_GINT64_FORMAT, diagnostic->row);
    default:
      return g_strdup (diagnostic->text);
    }
}

/* (transfer full): with how many more there are like it. */
static char *
dup_line (TsrDiagnosticItem *item)
{
  g_autofree char *line = tsr_diagnostic_dup_line (item->diagnostic);
  g_autofree char *dropped = NULL;

  if (item->dropped == 0)
    return g_strdup_printf ("%s: %s", severity_title (item->diagnostic->severity), line);
  dropped = tsr_units_dup_count (item->dropped);
  return g_strdup_printf (_ ("%s: %s (and %s more like this)"),
                          severity_title (item->diagnostic->severity), line, dropped);
}

static gboolean
matches (gpointer data, gpointer user_data)
{
  TsrDiagnosticItem *item = data;
  TsrDiagnosticsDialog *self = user_data;
  g_autofree char *line = dup_line (item);
  g_autofree char *folded = g_utf8_casefold (line, -1);
  g_autofree char *wanted = g_utf8_casefold (gtk_editable_get_text (self->filter), -1);

  return strstr (folded, wanted) != NULL;
}

/* ---------------------------------------------------------------- list */

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), GPOINTER_TO_UINT (data) == COLUMN_ROW ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  TsrDiagnosticItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  Column column = GPOINTER_TO_UINT (data);
  g_autofree char *text = dup_cell (item->diagnostic, column);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_remove_css_class (label, "error");
  gtk_widget_remove_css_class (label, "warning");
  if (column == COLUMN_SEVERITY && item->diagnostic->severity == TSR_SEVERITY_ERROR)
    gtk_widget_add_css_class (label, "error");
  else if (column == COLUMN_SEVERITY && item->diagnostic->severity == TSR_SEVERITY_WARNING)
    gtk_widget_add_css_class (label, "warning");
}

static void
add_columns (TsrDiagnosticsDialog *self)
{
  static const struct
  {
    const char *title;
    int width;
  } columns[N_COLUMNS] = {
    { N_ ("Severity"), 90 }, { N_ ("File"), 130 },  { N_ ("Table"), 170 },
    { N_ ("Row"), 90 },      { N_ ("Remark"), -1 },
  };

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (_ (columns[i].title), factory);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width > 0)
        gtk_column_view_column_set_fixed_width (column, columns[i].width);
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->view, column);
    }
}

static gboolean
is_read (TsrReport *report)
{
  for (guint i = 0; i < TSR_N_STAGES; i++)
    {
      TsrStageState state = tsr_report_get_stage_state (report, i);

      if (state != TSR_STAGE_READY && state != TSR_STAGE_FAILED)
        return FALSE;
    }
  return TRUE;
}

/* A list without a row says why. */
static void
update_none (TsrDiagnosticsDialog *self)
{
  gboolean any = g_list_model_get_n_items (G_LIST_MODEL (self->items)) > 0;
  const char *title = _ ("No Remark Matches the Filter"), *text = NULL;

  if (!any && is_read (self->report))
    {
      title = _ ("No Remarks");
      text = _ ("Nothing was found to be missing, damaged or contradictory");
    }
  else if (!any)
    {
      title = _ ("No Remarks So Far");
      text = _ ("The report is still being read");
    }
  adw_status_page_set_title (self->none, title);
  adw_status_page_set_description (self->none, text);
  gtk_stack_set_visible_child_name (
      self->stack, g_list_model_get_n_items (G_LIST_MODEL (self->shown)) > 0 ? "rows" : "none");
  gtk_widget_set_visible (GTK_WIDGET (self->filter), any);
  gtk_widget_set_visible (GTK_WIDGET (self->count), any);
  gtk_widget_set_visible (self->tools, any || gtk_widget_get_visible (self->structure_button));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "diagnostics.copy",
                                 g_list_model_get_n_items (G_LIST_MODEL (self->shown)) > 0);
}

static void
update_count (TsrDiagnosticsDialog *self)
{
  TsrDiagnostics *list = tsr_report_get_diagnostics (self->report);
  g_autofree char *all = tsr_units_dup_count (tsr_diagnostics_get_n_total (list));
  g_autofree char *shown
      = tsr_units_dup_count (g_list_model_get_n_items (G_LIST_MODEL (self->shown)));
  g_autofree char *text = g_strdup_printf (_ ("%s shown, %s in all"), shown, all);

  gtk_label_set_label (self->count, text);
  update_none (self);
}

static void
on_selected (TsrDiagnosticsDialog *self)
{
  TsrDiagnosticItem *item = gtk_single_selection_get_selected_item (self->selection);
  g_autofree char *line = item != NULL ? dup_line (item) : NULL;

  gtk_label_set_label (self->details, line != NULL ? line : "");
}

static void
on_filter_changed (TsrDiagnosticsDialog *self)
{
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->shown), GTK_FILTER_CHANGE_DIFFERENT);
  update_count (self);
}

/* Escape: first the text goes, then the window, as without the keyboard in the entry. */
static void
on_filter_stop (TsrDiagnosticsDialog *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->filter)) == '\0')
    gtk_window_close (GTK_WINDOW (self));
  gtk_editable_set_text (GTK_EDITABLE (self->filter), "");
}

static void
fill (TsrDiagnosticsDialog *self)
{
  TsrDiagnostics *list = tsr_report_get_diagnostics (self->report);
  const TsrSummary *summary = tsr_report_get_summary (self->report);
  guint n = tsr_diagnostics_get_n_kept (list);
  gboolean unknown
      = summary != NULL && summary->unknown_tables != NULL && summary->unknown_tables[0] != NULL;

  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (self->items)); i < n; i++)
    {
      g_autoptr (TsrDiagnosticItem) item = g_object_new (TSR_TYPE_DIAGNOSTIC_ITEM, NULL);

      item->diagnostic = tsr_diagnostics_get (list, i);
      item->dropped = tsr_diagnostics_get_dropped (list, i);
      g_list_store_append (self->items, item);
    }
  gtk_widget_set_visible (self->structure_button, unknown);
  gtk_widget_set_visible (GTK_WIDGET (self->unknown), unknown);
  if (unknown)
    {
      g_autofree char *names = g_strjoinv (", ", summary->unknown_tables);
      g_autofree char *text = g_strdup_printf (
          _ ("profile.pop has tables that Tessera does not know: %s.  A bug report with the "
             "structure of this file helps to read them; it holds no text of yours"),
          names);

      gtk_label_set_label (self->unknown, text);
    }
  update_count (self);
}

/* ---------------------------------------------------------------- copying */

char *
tsr_diagnostics_dialog_dup_text (TsrDiagnosticsDialog *self)
{
  GString *text = g_string_new (NULL);
  guint n;

  g_return_val_if_fail (TSR_IS_DIAGNOSTICS_DIALOG (self), NULL);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->shown));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TsrDiagnosticItem) item = g_list_model_get_item (G_LIST_MODEL (self->shown), i);
      g_autofree char *line = dup_line (item);

      g_string_append_printf (text, "%s\n", line);
    }
  return g_string_free (text, FALSE);
}

static void
on_copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = tsr_diagnostics_dialog_dup_text (TSR_DIAGNOSTICS_DIALOG (widget));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  tsr_toast_show (TSR_DIAGNOSTICS_DIALOG (widget)->toasts, _ ("Copied"));
}

static void
on_structure_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TsrDiagnosticsDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = tsr_structure_copy_finish (result, &error);

  gtk_widget_set_sensitive (self->structure_button, TRUE);
  if (text == NULL)
    {
      tsr_toast_show (self->toasts, error->message);
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_toast_show (self->toasts, _ ("The structure is copied: paste it into a bug report"));
}

/* Who asked for it has it, also if the dialog is closed before it is there. */
static void
on_copy_structure (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrDiagnosticsDialog *self = TSR_DIAGNOSTICS_DIALOG (widget);

  gtk_widget_set_sensitive (self->structure_button, FALSE);
  tsr_structure_copy_async (self->report, on_structure_ready, g_object_ref (self));
}

guint
tsr_diagnostics_dialog_get_n_shown (TsrDiagnosticsDialog *self)
{
  g_return_val_if_fail (TSR_IS_DIAGNOSTICS_DIALOG (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->shown));
}

void
tsr_diagnostics_dialog_set_filter (TsrDiagnosticsDialog *self, const char *text)
{
  g_return_if_fail (TSR_IS_DIAGNOSTICS_DIALOG (self));
  gtk_editable_set_text (self->filter, text);
  on_filter_changed (self);
}

/* ---------------------------------------------------------------- life */

static void
tsr_diagnostics_dialog_dispose (GObject *object)
{
  TsrDiagnosticsDialog *self = TSR_DIAGNOSTICS_DIALOG (object);

  if (self->view != NULL)
    gtk_column_view_set_model (self->view, NULL);
  self->view = NULL;
  G_OBJECT_CLASS (tsr_diagnostics_dialog_parent_class)->dispose (object);
}

static void
tsr_diagnostics_dialog_finalize (GObject *object)
{
  TsrDiagnosticsDialog *self = TSR_DIAGNOSTICS_DIALOG (object);

  g_clear_object (&self->selection);
  g_clear_object (&self->shown);
  g_clear_object (&self->items);
  g_clear_object (&self->report);
  G_OBJECT_CLASS (tsr_diagnostics_dialog_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, TsrDiagnosticsDialog, name)

static void
tsr_diagnostics_dialog_class_init (TsrDiagnosticsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_diagnostics_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_diagnostics_dialog_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-diagnostics-dialog.ui");
  BIND (toasts);
  BIND (filter);
  BIND (count);
  BIND (unknown);
  BIND (details);
  BIND (tools);
  BIND (stack);
  BIND (none);
  BIND (structure_button);
  BIND (view);
  gtk_widget_class_install_action (widget_class, "diagnostics.copy", NULL, on_copy);
  gtk_widget_class_install_action (widget_class, "diagnostics.copy-structure", NULL,
                                   on_copy_structure);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
tsr_diagnostics_dialog_init (TsrDiagnosticsDialog *self)
{
  GtkFilter *filter;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->items = g_list_store_new (TSR_TYPE_DIAGNOSTIC_ITEM);
  filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  self->shown = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->items)), filter);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->shown)));
  add_columns (self);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filter, "search-changed", G_CALLBACK (on_filter_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filter, "stop-search", G_CALLBACK (on_filter_stop), self,
                           G_CONNECT_SWAPPED);
}

TsrDiagnosticsDialog *
tsr_diagnostics_dialog_new (GtkWindow *parent, TsrReport *report)
{
  TsrDiagnosticsDialog *self;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  self = g_object_new (TSR_TYPE_DIAGNOSTICS_DIALOG, "transient-for", parent, "destroy-with-parent",
                       TRUE, NULL);
  self->report = g_object_ref (report);
  g_signal_connect_object (report, "diagnostics-changed", G_CALLBACK (fill), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (report, "stage-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->shown)) > 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
  return self;
}
