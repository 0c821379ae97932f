/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is wanted (rows, sort column, filter) is kept apart from what is shown (the model): a change
 * starts a worker that cancels the one before, and its order is put in place, together with the
 * columns, when it is there.  A short table is arranged at once. */

#include "config.h"

#include "tsr-row-view.h"

#include "tsr-headings.h"
#include "tsr-link.h"
#include "tsr-row-export.h"
#include "tsr-row-list.h"
#include "tsr-row-message.h"
#include "tsr-rows-print.h"
#include "tsr-save-dialog.h"
#include "tsr-task.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>

#define NO_COLUMN (-1)

struct _TsrRowView
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *bar;
  GtkWidget *entry;
  GtkWidget *count;
  GtkWidget *spinner;
  TsrRowList *list;
  TsrRowMessage *message;
  TsrRowModel *model; /* of the list: what is shown */

  TsrRows *rows; /* what is wanted */
  TsrUnits units;
  char *signature;      /* (nullable) of the columns of the last table */
  const char *main_key; /* (nullable) of its first text */
  int sort_column;
  gboolean descending;
  const char *first_key; /* (nullable) of the first order of the last table */
  gboolean first_descending;
  char *wanted_key; /* (nullable) order that a table with this column gets, until the user sorts */
  gboolean wanted_descending;
  TsrFilter *filter;
  GtkBitset *select; /* (nullable) rows of @rows to select when they are there */

  GCancellable *cancellable; /* of the worker; its own number tells an older one */
  guint generation;
  gboolean busy;
  guint busy_source;
  GCancellable *export_cancellable;

  TsrSettings *settings; /* (nullable): keys of expanded rows, under @settings_key */
  char *settings_key;
  TsrRowExportFunc export_func; /* (nullable) */
  gpointer export_data;
  GMenu *sort_menu;
  GtkWidget *menu; /* (nullable) of the row that was clicked */
  gboolean plain;
  gboolean counted; /* how many rows there are stands elsewhere */

  char *placeholder_title;
  char *placeholder_text;
  char *file_name;
  gboolean setting; /* rows come and go, of which GTK's selection and entry tell as of the user's
                       doing */
};

static void tsr_row_view_arrange (TsrRowView *self);

/* The order of a row view: by a click, by a link, and what another table keeps of it. */

static gboolean
is_text (TsrRows *rows, guint column)
{
  return tsr_rows_get_column (rows, column)->cell == TSR_CELL_KIND_TEXT;
}

static void
set_sort (TsrRowView *self, int column, gboolean descending)
{
  if (column == self->sort_column && descending == self->descending)
    return;
  self->sort_column = column;
  self->descending = descending;
  tsr_row_list_show_sort (self->list, column, descending);
  tsr_row_view_arrange (self);
}

static void
sort_by_user (TsrRowView *self, int column, gboolean descending)
{
  if (column == self->sort_column && descending == self->descending)
    return;
  g_clear_pointer (&self->wanted_key, g_free);
  set_sort (self, column, descending);
}

static void
tsr_row_view_on_sort_changed (TsrRowList *list, int column, gboolean descending, TsrRowView *self)
{
  if (self->rows == NULL || column >= (int)tsr_rows_get_n_columns (self->rows))
    return;
  /* Largest first is what one looks for. */
  if (column >= 0 && column != self->sort_column && !is_text (self->rows, column))
    descending = TRUE;
  sort_by_user (self, column, descending);
}

static void
tsr_row_view_sort_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrRowView *self = TSR_ROW_VIEW (widget);
  int column = g_variant_get_int32 (parameter);

  if (self->rows == NULL || column >= (int)tsr_rows_get_n_columns (self->rows))
    return;
  column = MAX (column, NO_COLUMN);
  if (column == self->sort_column)
    sort_by_user (self, column, !self->descending);
  else
    sort_by_user (self, column, column >= 0 && !is_text (self->rows, column));
}

static char *
dup_sort (TsrRowView *self)
{
  const char *key;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  if (self->rows == NULL || self->sort_column < 0)
    return self->wanted_key != NULL
               ? g_strconcat (self->wanted_descending ? "-" : "", self->wanted_key, NULL)
               : NULL;
  key = tsr_rows_get_column (self->rows, self->sort_column)->key;
  if (g_strcmp0 (key, self->first_key) == 0 && self->descending == self->first_descending)
    return NULL;
  return g_strconcat (self->descending ? "-" : "", key, NULL);
}

/* Sort and filter for a table that replaces another one, whose columns are remembered. */
static void
tsr_row_view_adopt_wishes (TsrRowView *self,
                           TsrRows *rows,
                           const char *sort_key,
                           gboolean descending)
{
  g_autofree char *signature = tsr_row_list_dup_signature (rows);
  g_autofree char *chosen = dup_sort (self);
  const char *main_key = tsr_rows_get_column (rows, tsr_row_list_get_main_column (rows))->key;
  gboolean other = self->main_key != NULL && self->main_key != main_key;
  gboolean first = self->rows != NULL && chosen == NULL;

  if (g_strcmp0 (signature, self->signature) == 0)
    return;
  g_free (self->signature);
  self->signature = g_steal_pointer (&signature);
  self->main_key = main_key;
  self->first_key = sort_key != NULL ? g_intern_string (sort_key) : NULL;
  self->first_descending = descending;
  if (tsr_rows_find_column (rows, self->wanted_key) >= 0)
    {
      sort_key = self->wanted_key;
      descending = self->wanted_descending;
    }
  /* A tree keeps what the user chose, by place, but not the first order of the table before it. */
  if (sort_key == NULL && tsr_rows_is_tree (rows))
    {
      if (first || self->sort_column >= (int)tsr_rows_get_n_columns (rows))
        self->sort_column = NO_COLUMN;
    }
  else
    {
      self->sort_column = tsr_rows_find_column (rows, sort_key);
      self->descending = self->sort_column >= 0 && descending;
    }
  if (!other)
    return;
  g_clear_pointer (&self->filter, tsr_filter_unref);
  self->setting = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  self->setting = FALSE;
}

void
tsr_row_view_set_sort (TsrRowView *self, const char *sort)
{
  const char *key = self->first_key;
  gboolean descending = self->first_descending;

  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  g_clear_pointer (&self->wanted_key, g_free);
  if (sort != NULL)
    {
      self->wanted_descending = descending = *sort == '-';
      key = self->wanted_key = g_strdup (sort + descending);
    }
  if (self->rows != NULL && tsr_rows_find_column (self->rows, key) >= 0)
    set_sort (self, tsr_rows_find_column (self->rows, key), descending);
}

int
tsr_row_view_get_sort_column (TsrRowView *self, gboolean *descending)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NO_COLUMN);
  if (descending != NULL)
    *descending = self->descending;
  return self->sort_column;
}

void
tsr_row_view_sort_by_column (TsrRowView *self, int column, gboolean descending)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  if (self->rows == NULL)
    {
      self->sort_column = column;
      self->descending = descending;
    }
  else if (column < (int)tsr_rows_get_n_columns (self->rows))
    sort_by_user (self, column, descending);
}

static void
tsr_row_view_update_sort_menu (TsrRowView *self, TsrRows *rows)
{
  g_menu_remove_all (self->sort_menu);
  g_menu_append (self->sort_menu, _ ("As in the report"), "rows.sort(-1)");
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    {
      g_autofree char *action = g_strdup_printf ("rows.sort(%u)", i);

      if (!is_text (rows, i))
        g_menu_append (self->sort_menu, tsr_rows_get_column (rows, i)->title, action);
    }
}

GMenuModel *
tsr_row_view_get_sort_menu (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  return G_MENU_MODEL (self->sort_menu);
}

#define AT_ONCE      2048 /* rows: shorter than a frame */
#define BUSY_AFTER   150  /* milliseconds until the spinner shows */
#define TYPING_DELAY 60

G_DEFINE_FINAL_TYPE (TsrRowView, tsr_row_view, GTK_TYPE_WIDGET)

enum
{
  SELECTION_CHANGED,
  ACTIVATE_ROW,
  ARRANGED,
  TOAST,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
update_message (TsrRowView *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  TsrRowOrder *order = tsr_row_model_get_order (self->model);
  gboolean empty = rows == NULL || tsr_rows_get_n (rows) == 0;
  gboolean no_match = !empty && order->n == 0;

  tsr_row_message_set (self->message,
                       no_match ? _ ("No Row Matches the Filter") : self->placeholder_title,
                       no_match ? NULL : self->placeholder_text, no_match);
  gtk_widget_set_visible (GTK_WIDGET (self->message), (empty && !self->busy) || no_match);
}

/* A row over others says what these have together, and is counted by itself; what is left of all
 * is none of them. */
static void
update_count (TsrRowView *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  TsrRowOrder *order = tsr_row_model_get_order (self->model);
  g_autoptr (GString) text = g_string_new (NULL);

  if (rows != NULL)
    {
      const guint32 n_groups = tsr_rows_get_n_groups (rows), rest = tsr_rows_get_rest (rows);
      const gboolean shows_rest = order->n > 0 && order->rows[0] == rest;
      g_autofree char *all
          = tsr_units_dup_count (tsr_rows_get_n (rows) - n_groups - (rest != TSR_NO_INDEX));
      g_autofree char *shown = tsr_units_dup_count (order->n - order->n_groups - shows_rest);
      g_autofree char *groups = tsr_units_dup_count (order->n_groups);

      if (order->filter != NULL)
        /* Translators: rows that pass the filter, and all of them: "1,204 of 8,135" */
        g_string_append_printf (text, _ ("%s of %s"), shown, all);
      else if (n_groups > 0 || !self->counted)
        g_string_append (text, all);
      if (n_groups > 0)
        /* Translators: behind the number of what they consist of: "1,204 · 12 groups" */
        g_string_append_printf (text, ngettext (" · %s group", " · %s groups", order->n_groups),
                                groups);
    }
  gtk_label_set_label (GTK_LABEL (self->count), text->str);
}

static void
show_busy (TsrRowView *self, gboolean busy)
{
  g_clear_handle_id (&self->busy_source, g_source_remove);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), busy);
}

static gboolean
on_long_busy (gpointer data)
{
  TsrRowView *self = data;

  self->busy_source = 0;
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  return G_SOURCE_REMOVE;
}

/* @rows (nullable) and their order take the place of what is shown. */
static void
show_rows (TsrRowView *self, TsrRows *rows, TsrRowOrder *order)
{
  gboolean was = self->setting;

  self->setting = TRUE;
  self->busy = FALSE;
  show_busy (self, FALSE);
  tsr_row_list_show (self->list, rows, order, self->units, self->select);
  g_clear_pointer (&self->select, gtk_bitset_unref);
  update_message (self);
  update_count (self);
  self->setting = was;
  g_signal_emit (self, signals[ARRANGED], 0);
}

/* The worker */

typedef struct
{
  TsrRows *rows;
  TsrFilter *filter;
  int sort_column;
  gboolean descending;
  guint generation;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_rows_unref (job->rows);
  g_clear_pointer (&job->filter, tsr_filter_unref);
  g_free (job);
}

static void
arrange_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  TsrRowOrder *order = tsr_rows_arrange (job->rows, job->sort_column, job->descending, job->filter,
                                         cancellable, &error);

  if (order != NULL)
    g_task_return_pointer (task, order, (GDestroyNotify)tsr_row_order_unref);
  else
    g_task_return_error (task, error);
}

static void
on_arranged (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrRowView *self = TSR_ROW_VIEW (source);
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrRowOrder) order = g_task_propagate_pointer (G_TASK (result), &error);

  if (job->generation != self->generation || self->box == NULL)
    return;
  if (order != NULL)
    show_rows (self, job->rows, order);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      self->busy = FALSE;
      show_busy (self, FALSE);
      g_signal_emit (self, signals[TOAST], 0, error->message);
    }
}

static void
start_worker (TsrRowView *self)
{
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  self->cancellable = g_cancellable_new ();
  job->rows = tsr_rows_ref (self->rows);
  job->filter = self->filter != NULL ? tsr_filter_ref (self->filter) : NULL;
  job->sort_column = self->sort_column;
  job->descending = self->descending;
  job->generation = self->generation;
  task = g_task_new (self, self->cancellable, on_arranged, NULL);
  g_task_set_source_tag (task, start_worker);
  g_task_set_task_data (task, job, job_free);
  tsr_task_run_in_thread (task, arrange_in_thread);
  self->busy = TRUE;
  if (self->busy_source == 0)
    self->busy_source = g_timeout_add (BUSY_AFTER, on_long_busy, self);
}

/* Brings what is wanted on the screen. */
static void
tsr_row_view_arrange (TsrRowView *self)
{
  g_autoptr (TsrRowOrder) order = NULL;

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->generation++;
  if (self->rows == NULL)
    {
      show_rows (self, NULL, NULL);
      return;
    }
  if (tsr_rows_get_n (self->rows) > AT_ONCE
      || (self->filter != NULL && tsr_filter_has_expression (self->filter)))
    {
      start_worker (self);
      return;
    }
  order = tsr_rows_arrange (self->rows, self->sort_column, self->descending, self->filter, NULL,
                            NULL);
  if (order != NULL)
    show_rows (self, self->rows, order);
}

/* Filter */

static void
apply_filter (TsrRowView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GError) error = NULL;
  TsrFilter *filter = tsr_filter_new (text, &error);

  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
      filter == NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  if (filter == NULL)
    {
      gtk_widget_add_css_class (self->entry, "error");
      gtk_widget_set_tooltip_text (self->entry, error->message);
      gtk_label_set_label (GTK_LABEL (self->count), error->message);
      return; /* the rows stay */
    }
  gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_tooltip_text (
      self->entry, _ ("Words that must be there, -word not, \"two words\", /expression/"));
  g_clear_pointer (&self->filter, tsr_filter_unref);
  self->filter = filter;
  if (self->rows != NULL)
    tsr_row_view_arrange (self);
}

static void
on_search_changed (GtkSearchEntry *entry, TsrRowView *self)
{
  if (!self->setting)
    apply_filter (self);
}

void
tsr_row_view_set_filter (TsrRowView *self, const char *text)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  self->setting = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text != NULL ? text : "");
  self->setting = FALSE;
  apply_filter (self);
}

static void
clear_filter (TsrRowView *self)
{
  tsr_row_view_set_filter (self, "");
}

static void
focus_rows (TsrRowView *self)
{
  tsr_row_list_focus (self->list);
}

static void
on_stop_search (GtkSearchEntry *entry, TsrRowView *self)
{
  clear_filter (self);
  focus_rows (self);
}

static gboolean
on_entry_key (GtkEventControllerKey *controller,
              guint keyval,
              guint keycode,
              GdkModifierType state,
              TsrRowView *self)
{
  if (keyval != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  focus_rows (self);
  return GDK_EVENT_STOP;
}

static void
focus_filter (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrRowView *self = TSR_ROW_VIEW (widget);

  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

/* Copy and save */

static void
finish_copy (TsrRowView *self, GAsyncResult *result, const char *told)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = tsr_row_export_finish (result, &error);

  if (csv != NULL)
    {
      gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), csv);
      g_signal_emit (self, signals[TOAST], 0, told);
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_signal_emit (self, signals[TOAST], 0, error->message);
}

static void
on_all_copied (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TsrRowView) self = data;

  finish_copy (self, result, _ ("The whole table is on the clipboard as CSV"));
}

static void
on_copied (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TsrRowView) self = data;

  finish_copy (self, result, _ ("The selected rows are on the clipboard as CSV"));
}

/* @selected (nullable): only these.  What "copy all" and "save" give may be another table. */
static void
export_rows (TsrRowView *self, GtkBitset *selected, GFile *file, GAsyncReadyCallback callback)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  g_autoptr (TsrRows) other = NULL;
  g_autoptr (TsrRowOrder) order = NULL;

  if (selected == NULL && self->export_func != NULL)
    other = self->export_func (self->export_data);
  if (other != NULL)
    order = tsr_rows_arrange (other, NO_COLUMN, FALSE, NULL, NULL, NULL);
  if (order != NULL)
    tsr_row_export_async (other, order, NULL, file, self->export_cancellable, callback,
                          g_object_ref (self));
  else if (rows != NULL)
    tsr_row_export_async (rows, tsr_row_model_get_order (self->model), selected, file,
                          self->export_cancellable, callback, g_object_ref (self));
}

/* The selected row: all below it, too, or the last cell alone when there is something in it. */
static void
copy_as_text (TsrRowView *self, gboolean value_only)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  guint position = tsr_row_model_find_selected (self->model);
  g_autofree char *text = NULL;
  guint32 row;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  row = tsr_row_model_get_row (self->model, position);
  if (value_only)
    text = tsr_rows_dup_exact (rows, row, tsr_rows_get_n_columns (rows) - 1);
  if (text == NULL || *text == '\0')
    {
      g_free (text);
      text = tsr_rows_dup_whole (rows, row);
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  g_signal_emit (self, signals[TOAST], 0, _ ("Copied"));
}

static void
copy_value (GtkWidget *widget, const char *name, GVariant *parameter)
{
  copy_as_text (TSR_ROW_VIEW (widget), TRUE);
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrRowView *self = TSR_ROW_VIEW (widget);
  GtkBitset *selected = tsr_row_model_get_selected (self->model);

  if (self->plain && g_str_equal (name, "rows.copy"))
    {
      copy_as_text (self, FALSE);
      return;
    }
  if (g_str_equal (name, "rows.copy-all")
      || tsr_row_model_find_selected (self->model) == GTK_INVALID_LIST_POSITION)
    selected = NULL;
  export_rows (self, selected, NULL, selected == NULL ? on_all_copied : on_copied);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TsrRowView) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = tsr_row_export_finish (result, &error);

  if (csv != NULL)
    g_signal_emit (self, signals[TOAST], 0, _ ("The table is saved"));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_signal_emit (self, signals[TOAST], 0, error->message);
}

static void
save_to_file (TsrRowView *self, GFile *file)
{
  export_rows (self, NULL, file, on_saved);
}

char *
tsr_row_view_dup_csv (TsrRowView *self)
{
  TsrRows *rows;
  TsrRowOrder *order;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  rows = tsr_row_model_get_rows (self->model);
  order = tsr_row_model_get_order (self->model);
  return rows != NULL && order != NULL ? tsr_rows_dup_csv (rows, order) : g_strdup ("");
}

void
tsr_row_view_save_to (TsrRowView *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  save_to_file (self, file);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_save_dialog_show (widget, TSR_ROW_VIEW (widget)->file_name, (TsrSaveFunc)save_to_file,
                        G_OBJECT (widget));
}

/* Selection */

static void
on_selection_changed (GtkSelectionModel *model, guint position, guint n, TsrRowView *self)
{
  if (!self->setting)
    g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
on_activate (GtkColumnView *view, guint position, TsrRowView *self)
{
  g_signal_emit (self, signals[ACTIVATE_ROW], 0, tsr_row_model_get_row (self->model, position));
}

GArray *
tsr_row_view_dup_selected (TsrRowView *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  GtkBitset *selected;
  GtkBitsetIter iter;
  guint32 row;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), rows);
  selected = self->select != NULL ? self->select : tsr_row_model_get_selected (self->model);
  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &row); more;
       more = gtk_bitset_iter_next (&iter, &row))
    g_array_append_val (rows, row);
  return rows;
}

void
tsr_row_view_select (TsrRowView *self, const guint32 *rows, guint n_rows)
{
  gboolean was;

  g_return_if_fail (TSR_IS_ROW_VIEW (self) && (rows != NULL || n_rows == 0));
  g_clear_pointer (&self->select, gtk_bitset_unref);
  self->select = gtk_bitset_new_empty ();
  for (guint i = 0; self->rows != NULL && i < n_rows; i++)
    if (rows[i] < tsr_rows_get_n (self->rows))
      gtk_bitset_add (self->select, rows[i]);
  if (tsr_row_model_get_rows (self->model) != self->rows)
    return; /* when they are there */
  was = self->setting;
  self->setting = TRUE;
  tsr_row_model_set_selected (self->model, self->select);
  g_clear_pointer (&self->select, gtk_bitset_unref);
  tsr_row_list_scroll_to_selected (self->list);
  self->setting = was;
}

/* Trees */

static void
on_expanded_changed (TsrRowList *list, guint row, gboolean below, TsrRowView *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  TsrRowOutline *outline = tsr_row_model_get_outline (self->model);
  g_auto (GStrv) keys = NULL;

  /* What a filter shows is nobody's wish for later. */
  if (self->settings == NULL || rows == NULL
      || tsr_row_model_get_order (self->model)->filter != NULL)
    return;
  keys = tsr_row_outline_dup_keys (outline);
  tsr_settings_set_strv (self->settings, self->settings_key, (const char *const *)keys);
}

static void
expand_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_row_list_set_expanded (TSR_ROW_VIEW (widget)->list, TSR_NO_INDEX,
                             g_str_equal (name, "rows.expand-all"), TRUE);
}

void
tsr_row_view_set_settings (TsrRowView *self, TsrSettings *settings, const char *key)
{
  g_auto (GStrv) keys = NULL;

  g_return_if_fail (TSR_IS_ROW_VIEW (self) && TSR_IS_SETTINGS (settings) && key != NULL);
  g_set_object (&self->settings, settings);
  g_free (self->settings_key);
  self->settings_key = g_strdup (key);
  keys = tsr_settings_dup_strv (settings, key);
  tsr_row_list_set_keys (self->list, (const char *const *)keys);
}

gboolean
tsr_row_view_is_expanded (TsrRowView *self, const char *key)
{
  g_auto (GStrv) keys = NULL;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (self) && key != NULL, FALSE);
  keys = tsr_row_outline_dup_keys (tsr_row_model_get_outline (self->model));
  return g_strv_contains ((const char *const *)keys, key);
}

void
tsr_row_view_set_expanded (TsrRowView *self, const char *key, gboolean expanded)
{
  TsrRows *rows;

  g_return_if_fail (TSR_IS_ROW_VIEW (self) && key != NULL);
  rows = tsr_row_model_get_rows (self->model);
  for (guint32 row = 0; rows != NULL && row < tsr_rows_get_n (rows); row++)
    {
      g_autofree char *found = tsr_rows_dup_key (rows, row);

      if (g_strcmp0 (found, key) == 0)
        {
          tsr_row_list_set_expanded (self->list, row, expanded, FALSE);
          return;
        }
    }
}

void
tsr_row_view_reveal (TsrRowView *self, guint32 row)
{
  TsrRows *rows;
  TsrRowOutline *outline;
  g_autoptr (GArray) above = NULL;

  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  rows = tsr_row_model_get_rows (self->model);
  if (rows == NULL || row >= tsr_rows_get_n (rows) || !tsr_rows_is_tree (rows))
    return;
  outline = tsr_row_model_get_outline (self->model);
  above = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 at = tsr_rows_get_parent (rows, row); at != TSR_NO_INDEX;
       at = tsr_rows_get_parent (rows, at))
    if (!tsr_row_outline_is_expanded (outline, at))
      g_array_append_val (above, at);
  if (above->len == 0)
    return;
  /* The innermost first, so that each is spliced in once. */
  for (guint i = 0; i + 1 < above->len; i++)
    tsr_row_outline_set_expanded (outline, g_array_index (above, guint32, i), TRUE, FALSE);
  tsr_row_list_set_expanded (self->list, g_array_index (above, guint32, above->len - 1), TRUE,
                             FALSE);
}

void
tsr_row_view_set_keys (TsrRowView *self, const char *const *keys)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_list_set_keys (self->list, keys);
}

char **
tsr_row_view_dup_keys (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  return tsr_row_outline_dup_keys (tsr_row_model_get_outline (self->model));
}

guint32
tsr_row_view_find_next (
    TsrRowView *self, guint32 row, int direction, TsrRowTestFunc test, gpointer data)
{
  TsrRowOrder *order;
  guint32 at = TSR_NO_INDEX;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (self) && test != NULL, TSR_NO_INDEX);
  order = tsr_row_model_get_order (self->model);
  for (guint32 i = 0; order != NULL && i < order->n && row != TSR_NO_INDEX; i++)
    if (order->rows[i] == row)
      {
        at = i;
        break;
      }
  for (guint32 i = 0; order != NULL && i < order->n; i++)
    {
      if (at == TSR_NO_INDEX)
        at = direction > 0 ? 0 : order->n - 1;
      else
        at = direction > 0 ? (at + 1) % order->n : (at + order->n - 1) % order->n;
      if (test (data, order->rows[at]))
        return order->rows[at];
    }
  return TSR_NO_INDEX;
}

/* Menu of a row */

static void
show_menu (TsrRowView *self, guint position, double x, double y)
{
  if (position == GTK_INVALID_LIST_POSITION)
    return;
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->model), position, TRUE);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int)x, (int)y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_secondary (GtkGestureClick *gesture, int n, double x, double y, TsrRowView *self)
{
  TsrRowCells *cells = tsr_row_list_get_cells (self->list);
  GtkWidget *picked = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  show_menu (self, tsr_row_cells_find (cells, picked), x, y);
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrRowView *self = TSR_ROW_VIEW (widget);
  TsrRowCells *cells = tsr_row_list_get_cells (self->list);
  guint position = tsr_row_cells_find_focus (cells);
  GtkWidget *row = tsr_row_cells_get_row_widget (cells, position);
  double x = 0, y = 0;

  if (self->menu == NULL || row == NULL
      || !gtk_widget_translate_coordinates (row, widget, 24, gtk_widget_get_height (row), &x, &y))
    return;
  show_menu (self, position, x, y);
}

void
tsr_row_view_set_menu (TsrRowView *self, GMenuModel *menu)
{
  GtkGesture *click;

  g_return_if_fail (TSR_IS_ROW_VIEW (self) && self->menu == NULL);
  click = gtk_gesture_click_new ();
  self->menu = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  /* A popover that takes the pointer at the press leaves the row pressed, and with all presses. */
  g_signal_connect (click, "released", G_CALLBACK (on_secondary), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

gboolean
tsr_row_view_key (TsrRowView *self, guint key, GdkModifierType state)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), FALSE);
  return tsr_row_list_key (self->list, key, state);
}

void
tsr_row_view_set_export_func (TsrRowView *self, TsrRowExportFunc func, gpointer data)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  self->export_func = func;
  self->export_data = data;
}

/* Object */

static void
tsr_row_view_dispose (GObject *object)
{
  TsrRowView *self = TSR_ROW_VIEW (object);

  self->generation++;
  self->setting = TRUE;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_cancellable_cancel (self->export_cancellable);
  g_clear_handle_id (&self->busy_source, g_source_remove);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_row_view_parent_class)->dispose (object);
}

static void
tsr_row_view_finalize (GObject *object)
{
  TsrRowView *self = TSR_ROW_VIEW (object);

  g_clear_object (&self->cancellable);
  g_object_unref (self->export_cancellable);
  g_object_unref (self->bar);
  g_object_unref (self->model);
  g_object_unref (self->sort_menu);
  g_clear_object (&self->settings);
  g_free (self->settings_key);
  g_clear_pointer (&self->rows, tsr_rows_unref);
  g_clear_pointer (&self->filter, tsr_filter_unref);
  g_clear_pointer (&self->select, gtk_bitset_unref);
  g_free (self->placeholder_title);
  g_free (self->placeholder_text);
  g_free (self->file_name);
  g_free (self->signature);
  g_free (self->wanted_key);
  G_OBJECT_CLASS (tsr_row_view_parent_class)->finalize (object);
}

static void
tsr_row_view_class_init (TsrRowViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_row_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_row_view_finalize;
  signals[SELECTION_CHANGED]
      = g_signal_new ("selection-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATE_ROW]
      = g_signal_new ("activate-row", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /* What is wanted is on the screen. */
  signals[ARRANGED] = g_signal_new ("arranged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TOAST] = g_signal_new_class_handler ("toast", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, G_CALLBACK (tsr_notice_show),
                                               NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "rowview");
  gtk_widget_class_install_action (widget_class, "rows.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "rows.copy-value", NULL, copy_value);
  gtk_widget_class_install_action (widget_class, "rows.copy-all", NULL, copy);
  gtk_widget_class_install_action (widget_class, "rows.save", NULL, save);
  gtk_widget_class_install_action (widget_class, "rows.filter", NULL, focus_filter);
  gtk_widget_class_install_action (widget_class, "rows.sort", "i", tsr_row_view_sort_action);
  gtk_widget_class_install_action (widget_class, "rows.expand-all", NULL, expand_all);
  gtk_widget_class_install_action (widget_class, "rows.collapse-all", NULL, expand_all);
  gtk_widget_class_install_action (widget_class, "rows.menu", NULL, menu_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "rows.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "rows.menu",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "rows.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "rows.filter",
                                       NULL);
}

static void
build_bar (TsrRowView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->bar = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  gtk_widget_add_css_class (self->bar, "row-filter");
  self->entry = gtk_search_entry_new ();
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (self->entry), TYPING_DELAY);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 32);
  gtk_widget_set_visible (self->entry, FALSE);
  /* It may stand elsewhere, and longer than the rows. */
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (on_search_changed), self, 0);
  g_signal_connect_object (self->entry, "stop-search", G_CALLBACK (on_stop_search), self, 0);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (focus_rows), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_entry_key), self, 0);
  gtk_widget_add_controller (self->entry, keys);
  self->count = gtk_label_new (NULL);
  tsr_text_may_be_cut (GTK_LABEL (self->count));
  gtk_label_set_xalign (GTK_LABEL (self->count), 0);
  gtk_widget_set_hexpand (self->count, TRUE);
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_widget_add_css_class (self->count, "numeric");
  self->spinner = gtk_spinner_new ();
  gtk_box_append (GTK_BOX (self->bar), self->entry);
  gtk_box_append (GTK_BOX (self->bar), self->count);
  gtk_box_append (GTK_BOX (self->bar), self->spinner);
}

static void
tsr_row_view_init (TsrRowView *self)
{
  self->sort_column = NO_COLUMN;
  self->file_name = g_strdup ("table");
  self->export_cancellable = g_cancellable_new ();
  self->sort_menu = g_menu_new ();
  self->list = tsr_row_list_new ();
  self->model = g_object_ref (tsr_row_list_get_model (self->list));
  g_signal_connect_object (self->model, "selection-changed", G_CALLBACK (on_selection_changed),
                           self, 0);
  build_bar (self);
  self->message = tsr_row_message_new ();
  g_signal_connect_swapped (self->message, "clear", G_CALLBACK (clear_filter), self);
  tsr_row_list_add_message (self->list, GTK_WIDGET (self->message));
  gtk_widget_set_vexpand (GTK_WIDGET (self->list), TRUE);
  g_signal_connect (self->list, "sort-changed", G_CALLBACK (tsr_row_view_on_sort_changed), self);
  g_signal_connect (self->list, "expanded-changed", G_CALLBACK (on_expanded_changed), self);
  g_signal_connect (tsr_row_list_get_column_view (self->list), "activate", G_CALLBACK (on_activate),
                    self);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), self->bar);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->list));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (self->bar, FALSE);
  /* Until there is an entry: its key may be that of the page's search. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rows.filter", FALSE);
  update_message (self);
}

TsrRowView *
tsr_row_view_new (void)
{
  return g_object_new (TSR_TYPE_ROW_VIEW, NULL);
}

void
tsr_row_view_set_rows (
    TsrRowView *self, TsrRows *rows, TsrUnits units, const char *sort_key, gboolean descending)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  if (rows != NULL)
    {
      tsr_row_view_adopt_wishes (self, rows, sort_key, descending);
      tsr_row_view_update_sort_menu (self, rows);
      tsr_rows_ref (rows);
    }
  if (rows != self->rows)
    g_clear_pointer (&self->select, gtk_bitset_unref);
  g_clear_pointer (&self->rows, tsr_rows_unref);
  self->rows = rows;
  self->units = units;
  tsr_row_view_arrange (self);
}

TsrRows *
tsr_row_view_get_rows (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  return self->rows;
}

void
tsr_row_view_set_placeholder (TsrRowView *self, const char *title, const char *text)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  g_free (self->placeholder_title);
  g_free (self->placeholder_text);
  self->placeholder_title = g_strdup (title);
  self->placeholder_text = g_strdup (text);
  update_message (self);
}

void
tsr_row_view_set_stages (TsrRowView *self, TsrSession *session, guint stages)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_message_set_stages (self->message, session, stages);
}

void
tsr_row_view_set_filter_hint (TsrRowView *self, const char *hint)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  gtk_widget_set_visible (self->entry, hint != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rows.filter", hint != NULL);
  gtk_widget_set_visible (self->bar, TRUE);
  if (hint == NULL)
    return;
  g_object_set (self->entry, "placeholder-text", hint, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, hint,
                                  -1);
}

const char *
tsr_row_view_get_filter (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), "");
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

void
tsr_row_view_save_filter (TsrRowView *self, GHashTable *words)
{
  const char *filter = self != NULL ? tsr_row_view_get_filter (self) : "";

  tsr_view_words_set (words, "filter", *filter != '\0' ? filter : NULL);
}

void
tsr_row_view_save_sort (TsrRowView *self, GHashTable *words)
{
  g_autofree char *sort = self != NULL ? dup_sort (self) : NULL;

  tsr_view_words_set (words, "sort", sort);
}

void
tsr_row_view_load_filter (TsrRowView *self, GHashTable *words)
{
  const char *filter = tsr_view_words_get (words, "filter");

  filter = filter != NULL ? filter : "";
  if (self != NULL && g_strcmp0 (tsr_row_view_get_filter (self), filter) != 0)
    tsr_row_view_set_filter (self, filter);
}

void
tsr_row_view_load_sort (TsrRowView *self, GHashTable *words, gboolean whole)
{
  const char *sort = tsr_view_words_get (words, "sort");

  if (self != NULL && (sort != NULL || whole))
    tsr_row_view_set_sort (self, sort);
}

void
tsr_row_view_set_file_name (TsrRowView *self, const char *name)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self) && name != NULL);
  g_free (self->file_name);
  self->file_name = g_strdup (name);
}

void
tsr_row_view_set_multiple (TsrRowView *self, gboolean multiple)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_model_set_multiple (self->model, multiple);
}

void
tsr_row_view_set_plain (TsrRowView *self, const char *name)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_return_if_fail (TSR_IS_ROW_VIEW (self) && name != NULL && self->menu == NULL);
  self->plain = TRUE;
  tsr_row_list_set_plain (self->list, name);
  tsr_row_model_set_multiple (self->model, FALSE);
  g_menu_append (menu, _ ("_Copy Value"), "rows.copy-value");
  g_menu_append (menu, _ ("Copy _Row"), "rows.copy");
  tsr_row_view_set_menu (self, G_MENU_MODEL (menu));
}

void
tsr_row_view_set_counted (TsrRowView *self)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  self->counted = TRUE;
  update_count (self);
}

void
tsr_row_view_set_fits (TsrRowView *self)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_list_set_fits (self->list);
}

void
tsr_row_view_add_control (TsrRowView *self, GtkWidget *control)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self) && GTK_IS_WIDGET (control));
  gtk_box_append (GTK_BOX (self->bar), control);
  gtk_widget_set_visible (self->bar, TRUE);
}

void
tsr_row_view_move_filter (TsrRowView *self, GtkWidget *sibling)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self) && GTK_IS_WIDGET (sibling));
  gtk_box_remove (GTK_BOX (self->box), self->bar);
  gtk_widget_insert_after (self->bar, gtk_widget_get_parent (sibling), sibling);
}

void
tsr_row_view_set_ink_func (TsrRowView *self,
                           TsrRowInkFunc func,
                           gpointer data,
                           GDestroyNotify notify)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_cells_set_ink_func (tsr_row_list_get_cells (self->list), func, data, notify);
  tsr_row_cells_refresh (tsr_row_list_get_cells (self->list));
}

void
tsr_row_view_set_mark_func (TsrRowView *self, TsrRowTestFunc func, gpointer data)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_cells_set_mark_func (tsr_row_list_get_cells (self->list), func, data);
}

void
tsr_row_view_set_paint_func (TsrRowView *self, TsrRowPaintFunc func, gpointer data)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_cells_set_paint_func (tsr_row_list_get_cells (self->list), func, data);
  tsr_row_cells_refresh (tsr_row_list_get_cells (self->list));
}

gboolean
tsr_row_view_is_busy (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), FALSE);
  return self->busy || tsr_row_list_is_growing (self->list);
}

guint
tsr_row_view_get_n_shown (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), 0);
  return tsr_row_outline_get_n (tsr_row_model_get_outline (self->model));
}

TsrRows *
tsr_row_view_get_shown (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  return tsr_row_model_get_rows (self->model);
}

void
tsr_row_view_set_columns (TsrRowView *self, const char *const *keys, int main_width)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  tsr_row_list_set_columns (self->list, keys, main_width);
}

int
tsr_row_view_get_wanted_width (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), 0);
  return tsr_row_list_get_wanted_width (self->list);
}

GtkColumnView *
tsr_row_view_get_column_view (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  return tsr_row_list_get_column_view (self->list);
}
