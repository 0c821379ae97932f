/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The open dialog: its list of a folder, its rows, the system's chooser and its options.  Two
 * folder models: one for the list, one for the drop-down under the entry (tsr-open-entry.c), which
 * follows what is typed. */

#include "config.h"

#include "tsr-open-dialog-private.h"

#include "tsr-ui-init.h"
#include "tsr-units.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (TsrOpenDialog, tsr_open_dialog, ADW_TYPE_WINDOW)

enum
{
  CHOSEN,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* ---------------------------------------------------------------- small things */

void
tsr_open_dialog_show_message (TsrOpenDialog *self, const char *text, gboolean is_error)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_remove_css_class (GTK_WIDGET (self->message), "error");
  gtk_widget_remove_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->message), is_error ? "error" : "dim-label");
}

const char *
tsr_open_dialog_get_message (TsrOpenDialog *self)
{
  const char *text;

  g_return_val_if_fail (TSR_IS_OPEN_DIALOG (self), NULL);
  text = gtk_label_get_label (self->message);
  return *text != '\0' ? text : NULL;
}

void
tsr_open_dialog_choose (TsrOpenDialog *self, const char *path)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_bytestring (path));
  const char *folder = tsr_folder_model_get_path (self->folder);

  if (folder != NULL && g_utf8_validate (folder, -1, NULL))
    tsr_settings_set_string (self->settings, "open-folder", folder);
  g_object_ref (self);
  tsr_open_dialog_hide_drop_down (self);
  g_signal_emit (self, signals[CHOSEN], 0, value);
  gtk_window_close (GTK_WINDOW (self));
  g_object_unref (self);
}

/* ---------------------------------------------------------------- folder list */

char *
tsr_open_dialog_dup_item_path (TsrOpenDialog *self, TsrFolderModel *model, TsrFolderItem *item)
{
  return g_build_filename (tsr_folder_model_get_path (model), tsr_folder_item_get_name (item),
                           NULL);
}

static gboolean
on_placeholder_timeout (gpointer data)
{
  TsrOpenDialog *self = data;

  self->placeholder_timeout = 0;
  gtk_label_set_label (self->placeholder, _ ("Listing the folder…"));
  return G_SOURCE_REMOVE;
}

void
tsr_open_dialog_go_to (TsrOpenDialog *self, const char *path)
{
  g_return_if_fail (TSR_IS_OPEN_DIALOG (self) && path != NULL);
  tsr_open_dialog_hide_drop_down (self);
  tsr_open_dialog_show_message (self, NULL, FALSE);
  self->follows = FALSE;
  tsr_folder_model_set_path (self->folder, path, TRUE);
  /* A quick answer needs no "listing". */
  g_clear_handle_id (&self->placeholder_timeout, g_source_remove);
  self->placeholder_timeout = g_timeout_add (300, on_placeholder_timeout, self);
}

void
tsr_open_dialog_go_up (TsrOpenDialog *self)
{
  const char *path;
  g_autofree char *above = NULL;

  g_return_if_fail (TSR_IS_OPEN_DIALOG (self));
  path = tsr_folder_model_get_path (self->folder);
  if (path == NULL || g_str_equal (path, "/"))
    return;
  above = g_path_get_dirname (path);
  g_free (self->came_from);
  self->came_from = g_path_get_basename (path);
  tsr_open_dialog_go_to (self, above);
}

void
tsr_open_dialog_select_position (TsrOpenDialog *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

static void
select_name (TsrOpenDialog *self, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->folder));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TsrFolderItem) item = g_list_model_get_item (G_LIST_MODEL (self->folder), i);

      if (g_str_equal (tsr_folder_item_get_name (item), name))
        {
          tsr_open_dialog_select_position (self, i);
          return;
        }
    }
}

static void
update_placeholder (TsrOpenDialog *self)
{
  gboolean is_empty = g_list_model_get_n_items (G_LIST_MODEL (self->folder)) == 0;

  gtk_label_set_label (self->placeholder,
                       is_empty && tsr_folder_model_get_path (self->folder) != NULL
                           ? _ ("This folder is empty or has hidden files only")
                           : "");
}

static void
on_listed (TsrFolderModel *folder, TsrOpenDialog *self)
{
  const GError *error = tsr_folder_model_get_error (folder);
  g_autofree char *name = g_steal_pointer (&self->came_from);

  g_clear_handle_id (&self->placeholder_timeout, g_source_remove);
  update_placeholder (self);
  if (error != NULL)
    {
      tsr_open_dialog_show_message (self, error->message, TRUE);
      return;
    }
  if (self->follows)
    {
      gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
      return;
    }
  tsr_open_dialog_set_text (self, tsr_folder_model_get_path (folder), TRUE);
  /* At first, typing takes the place of the whole path. */
  if (!self->was_listed)
    gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  self->was_listed = TRUE;
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  if (name != NULL)
    select_name (self, name);
  tsr_open_dialog_show_message (
      self,
      tsr_folder_model_is_report (folder) ? _ ("This folder is a report: Open shows it") : NULL,
      FALSE);
}

/* Rows ask again whether they are reports. */
static void
on_marked (TsrFolderModel *folder, TsrOpenDialog *self)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (folder));

  g_list_model_items_changed (G_LIST_MODEL (folder), 0, n, n);
  gtk_single_selection_set_selected (self->selection, position);
}

static void
activate_item (TsrOpenDialog *self, TsrFolderItem *item, gboolean enter)
{
  g_autofree char *path = tsr_open_dialog_dup_item_path (self, self->folder, item);

  if (tsr_folder_item_is_folder (item) && (enter || !tsr_folder_item_is_report (item)))
    tsr_open_dialog_go_to (self, path);
  else if (tsr_folder_item_is_report (item))
    tsr_open_dialog_choose (self, path);
  else
    {
      g_autofree char *name = g_filename_display_name (tsr_folder_item_get_name (item));
      g_autofree char *text = g_strdup_printf (
          _ ("%s is no file of a report: open a folder, profile.pop or archive.a"), name);

      tsr_open_dialog_show_message (self, text, TRUE);
    }
}

static void
on_list_activated (GtkListView *list, guint position, TsrOpenDialog *self)
{
  g_autoptr (TsrFolderItem) item = g_list_model_get_item (G_LIST_MODEL (self->folder), position);

  if (item != NULL)
    activate_item (self, item, FALSE);
}

static void
on_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrOpenDialog *self = TSR_OPEN_DIALOG (widget);
  TsrFolderItem *item = gtk_single_selection_get_selected_item (self->selection);
  const char *folder = tsr_folder_model_get_path (self->folder);

  if (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (self)), GTK_WIDGET (self->entry)))
    tsr_open_dialog_accept (self);
  else if (item != NULL)
    {
      g_autofree char *path = tsr_open_dialog_dup_item_path (self, self->folder, item);

      tsr_open_dialog_choose (self, path);
    }
  else if (folder != NULL)
    tsr_open_dialog_choose (self, folder);
}

static gboolean
on_list_key (GtkEventControllerKey *controller,
             guint key,
             guint code,
             GdkModifierType state,
             TsrOpenDialog *self)
{
  TsrFolderItem *item = gtk_single_selection_get_selected_item (self->selection);

  switch (key)
    {
    case GDK_KEY_BackSpace:
    case GDK_KEY_Left:
      tsr_open_dialog_go_up (self);
      return TRUE;
    case GDK_KEY_Right:
      if (item != NULL && tsr_folder_item_is_folder (item))
        activate_item (self, item, TRUE);
      return TRUE;
    case GDK_KEY_Up:
      if (gtk_single_selection_get_selected (self->selection) != 0)
        return FALSE;
      gtk_widget_grab_focus (GTK_WIDGET (self->entry));
      return TRUE;
    case GDK_KEY_slash:
    case GDK_KEY_asciitilde:
      tsr_open_dialog_set_text (self, key == GDK_KEY_slash ? "/" : "~/", FALSE);
      gtk_widget_grab_focus (GTK_WIDGET (self->entry));
      gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
      return TRUE;
    default:
      return FALSE;
    }
}

/* ---------------------------------------------------------------- rows */

const char *
tsr_open_dialog_icon_of (TsrFolderItem *item)
{
  if (tsr_folder_item_is_report (item))
    return tsr_folder_item_is_folder (item) ? "tsr-report-symbolic" : "tsr-memory-symbolic";
  return tsr_folder_item_is_folder (item) ? "folder-symbolic" : "text-x-generic-symbolic";
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *icon = gtk_image_new ();
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *mark = gtk_label_new (NULL);
  GtkWidget *size = gtk_label_new (NULL);
  GtkWidget *date = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_width_chars (GTK_LABEL (size), 9);
  gtk_label_set_xalign (GTK_LABEL (size), 1);
  gtk_label_set_width_chars (GTK_LABEL (date), 16);
  gtk_label_set_xalign (GTK_LABEL (date), 1);
  gtk_widget_add_css_class (mark, "report-mark");
  gtk_widget_set_valign (mark, GTK_ALIGN_CENTER);
  for (guint i = 0; i < 2; i++)
    {
      gtk_widget_add_css_class (i == 0 ? size : date, "dim-label");
      gtk_widget_add_css_class (i == 0 ? size : date, "numeric");
    }
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), size);
  gtk_box_append (GTK_BOX (box), date);
  gtk_list_item_set_child (item, box);
}

static void
bind_texts (GtkWidget *box, TsrFolderItem *item)
{
  GtkWidget *icon = gtk_widget_get_first_child (box);
  GtkWidget *name = gtk_widget_get_next_sibling (icon);
  GtkWidget *mark = gtk_widget_get_next_sibling (name);
  GtkWidget *size = gtk_widget_get_next_sibling (mark);
  GtkWidget *date = gtk_widget_get_next_sibling (size);
  gboolean report = tsr_folder_item_is_report (item);
  g_autofree char *shown = g_filename_display_name (tsr_folder_item_get_name (item));
  g_autofree char *bytes
      = tsr_folder_item_is_folder (item)
            ? g_strdup ("")
            : tsr_units_dup_bytes (TSR_UNITS_BINARY, tsr_folder_item_get_size (item));
  g_autoptr (GDateTime) time
      = g_date_time_new_from_unix_local (tsr_folder_item_get_mtime_us (item) / G_USEC_PER_SEC);
  g_autofree char *date_text
      = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : g_strdup ("");

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), tsr_open_dialog_icon_of (item));
  if (report)
    gtk_widget_add_css_class (icon, "accent");
  else
    gtk_widget_remove_css_class (icon, "accent");
  gtk_label_set_label (GTK_LABEL (name), shown);
  gtk_widget_set_tooltip_text (name, shown);
  gtk_widget_set_visible (mark, report);
  gtk_label_set_label (GTK_LABEL (mark),
                       tsr_folder_item_is_folder (item) ? _ ("report") : _ ("report file"));
  gtk_label_set_label (GTK_LABEL (size), bytes);
  gtk_label_set_label (GTK_LABEL (date), date_text);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  bind_texts (gtk_list_item_get_child (list_item), gtk_list_item_get_item (list_item));
}

/* ---------------------------------------------------------------- the system's chooser */

static void
on_chooser_response (GtkNativeDialog *chooser, int response, TsrOpenDialog *self)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  path = file != NULL ? g_file_get_path (file) : NULL;
  g_clear_object (&self->chooser);
  if (path != NULL)
    tsr_open_dialog_choose (self, path);
  else if (file != NULL)
    tsr_open_dialog_show_message (self, _ ("Only files of this computer can be opened"), TRUE);
}

static void
on_browse (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrOpenDialog *self = TSR_OPEN_DIALOG (widget);
  gboolean folder = g_str_equal (name, "dialog.browse-folder");
  const char *path = tsr_folder_model_get_path (self->folder);

  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (gtk_file_chooser_native_new (
      folder ? _ ("Open a Report’s Folder") : _ ("Open a Report’s File"), GTK_WINDOW (self),
      folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"),
      _ ("_Cancel")));
  if (path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (path);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), file, NULL);
    }
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chooser_response), self);
  gtk_native_dialog_show (self->chooser);
}

/* ---------------------------------------------------------------- options */

static void
on_options_changed (TsrOpenDialog *self)
{
  gboolean by_date = gtk_toggle_button_get_active (self->by_date);
  gboolean hidden = gtk_check_button_get_active (self->hidden);

  tsr_settings_set_string (self->settings, "open-sort", by_date ? "date" : "name");
  tsr_settings_set_boolean (self->settings, "open-show-hidden", hidden);
  tsr_folder_model_set_by_date (self->folder, by_date);
  tsr_folder_model_set_show_hidden (self->folder, hidden);
  tsr_folder_model_set_show_hidden (self->completion, hidden);
  update_placeholder (self);
}

static void
on_up (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_open_dialog_go_up (TSR_OPEN_DIALOG (widget));
}

TsrFolderModel *
tsr_open_dialog_get_folder (TsrOpenDialog *self)
{
  g_return_val_if_fail (TSR_IS_OPEN_DIALOG (self), NULL);
  return self->folder;
}

TsrFolderModel *
tsr_open_dialog_get_completion (TsrOpenDialog *self)
{
  g_return_val_if_fail (TSR_IS_OPEN_DIALOG (self), NULL);
  return self->completion;
}

const char *
tsr_open_dialog_get_text (TsrOpenDialog *self)
{
  g_return_val_if_fail (TSR_IS_OPEN_DIALOG (self), NULL);
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

/* ---------------------------------------------------------------- life */

static void
tsr_open_dialog_dispose (GObject *object)
{
  TsrOpenDialog *self = TSR_OPEN_DIALOG (object);

  g_clear_handle_id (&self->placeholder_timeout, g_source_remove);
  g_clear_pointer (&self->drop_down, gtk_widget_unparent);
  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (tsr_open_dialog_parent_class)->dispose (object);
  g_clear_object (&self->folder);
  g_clear_object (&self->completion);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->came_from, g_free);
}

static void
tsr_open_dialog_finalize (GObject *object)
{
  g_clear_object (&TSR_OPEN_DIALOG (object)->place);
  G_OBJECT_CLASS (tsr_open_dialog_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, TsrOpenDialog, name)

static void
tsr_open_dialog_class_init (TsrOpenDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_open_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_open_dialog_finalize;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_VARIANT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-open-dialog.ui");
  BIND (entry);
  BIND (message);
  BIND (placeholder);
  BIND (by_name);
  BIND (by_date);
  BIND (hidden);
  BIND (list);
  BIND (open_button);
  gtk_widget_class_install_action (widget_class, "dialog.open", NULL, on_open);
  gtk_widget_class_install_action (widget_class, "dialog.up", NULL, on_up);
  gtk_widget_class_install_action (widget_class, "dialog.browse-folder", NULL, on_browse);
  gtk_widget_class_install_action (widget_class, "dialog.browse-file", NULL, on_browse);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "dialog.up", NULL);
}

static void
tsr_open_dialog_init (TsrOpenDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
connect_controls (TsrOpenDialog *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_list_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  g_signal_connect (self->list, "activate", G_CALLBACK (on_list_activated), self);
  g_signal_connect_object (self->by_date, "toggled", G_CALLBACK (on_options_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->hidden, "toggled", G_CALLBACK (on_options_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
init_list (TsrOpenDialog *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->folder)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection);
  g_signal_connect_object (self->folder, "listed", G_CALLBACK (on_listed), self, 0);
  g_signal_connect_object (self->folder, "marked", G_CALLBACK (on_marked), self, 0);
}

TsrOpenDialog *
tsr_open_dialog_new (GtkWindow *parent, TsrPlace *place, TsrSettings *settings)
{
  TsrOpenDialog *self;
  g_autofree char *folder = NULL;
  g_autofree char *sort = NULL;

  g_return_val_if_fail (TSR_IS_PLACE (place) && TSR_IS_SETTINGS (settings), NULL);
  self = g_object_new (TSR_TYPE_OPEN_DIALOG, "transient-for", parent, NULL);
  self->place = g_object_ref (place);
  self->settings = g_object_ref (settings);
  self->folder = tsr_folder_model_new (place);
  self->completion = tsr_folder_model_new (place);
  tsr_folder_model_set_marking (self->completion, FALSE);
  init_list (self);
  sort = tsr_settings_dup_string (settings, "open-sort");
  gtk_toggle_button_set_active (g_str_equal (sort, "date") ? self->by_date : self->by_name, TRUE);
  gtk_check_button_set_active (self->hidden,
                               tsr_settings_get_boolean (settings, "open-show-hidden"));
  on_options_changed (self);
  connect_controls (self);
  tsr_open_dialog_init_entry (self);
  folder = tsr_settings_dup_string (settings, "open-folder");
  if (*folder == '\0' || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_free (folder);
      folder = g_strdup (g_get_home_dir ());
    }
  tsr_open_dialog_go_to (self, folder);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  return self;
}
