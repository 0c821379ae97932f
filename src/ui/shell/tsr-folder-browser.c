/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder browser: its list of a folder, its rows, the system's chooser and its options.  Two
 * folder models: one for the list, one for the drop-down under the entry
 * (tsr-folder-browser-entry.c), which follows what is typed. */

#include "config.h"

#include "tsr-folder-browser-private.h"

#include "tsr-ui-init.h"
#include "tsr-units.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (TsrFolderBrowser, tsr_folder_browser, GTK_TYPE_WIDGET)

enum
{
  CHOSEN,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* ---------------------------------------------------------------- small things */

void
tsr_folder_browser_show_message (TsrFolderBrowser *self, const char *text, gboolean is_error)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_remove_css_class (GTK_WIDGET (self->message), "error");
  gtk_widget_remove_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->message), is_error ? "error" : "dim-label");
}

const char *
tsr_folder_browser_get_message (TsrFolderBrowser *self)
{
  const char *text;

  g_return_val_if_fail (TSR_IS_FOLDER_BROWSER (self), NULL);
  text = gtk_label_get_label (self->message);
  return *text != '\0' ? text : NULL;
}

void
tsr_folder_browser_choose (TsrFolderBrowser *self, const char *path)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_bytestring (path));
  const char *folder = tsr_folder_model_get_path (self->folder);

  if (!tsr_place_is_remote (self->place) && folder != NULL && g_utf8_validate (folder, -1, NULL))
    tsr_settings_set_string (self->settings, "open-folder", folder);
  tsr_folder_browser_hide_drop_down (self);
  g_signal_emit (self, signals[CHOSEN], 0, value);
}

/* ---------------------------------------------------------------- folder list */

char *
tsr_folder_browser_dup_item_path (TsrFolderBrowser *self,
                                  TsrFolderModel *model,
                                  TsrFolderItem *item)
{
  return g_build_filename (tsr_folder_model_get_path (model), tsr_folder_item_get_name (item),
                           NULL);
}

static gboolean
on_placeholder_timeout (gpointer data)
{
  TsrFolderBrowser *self = data;

  self->placeholder_timeout = 0;
  gtk_label_set_label (self->placeholder, _ ("Listing the folder…"));
  return G_SOURCE_REMOVE;
}

void
tsr_folder_browser_go_to (TsrFolderBrowser *self, const char *path)
{
  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self) && path != NULL);
  tsr_folder_browser_hide_drop_down (self);
  tsr_folder_browser_show_message (self, NULL, FALSE);
  self->follows = FALSE;
  tsr_folder_model_set_path (self->folder, path, TRUE);
  /* A quick answer needs no "listing". */
  g_clear_handle_id (&self->placeholder_timeout, g_source_remove);
  self->placeholder_timeout = g_timeout_add (300, on_placeholder_timeout, self);
}

void
tsr_folder_browser_go_above (TsrFolderBrowser *self, const char *path)
{
  g_autofree char *above = NULL;

  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self) && path != NULL);
  above = g_path_get_dirname (path);
  g_free (self->came_from);
  self->came_from = g_path_get_basename (path);
  tsr_folder_browser_go_to (self, above);
}

void
tsr_folder_browser_go_up (TsrFolderBrowser *self)
{
  const char *path;

  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self));
  path = tsr_folder_model_get_path (self->folder);
  if (path != NULL && !g_str_equal (path, "/"))
    tsr_folder_browser_go_above (self, path);
}

void
tsr_folder_browser_select_position (TsrFolderBrowser *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

TsrFolderItem *
tsr_folder_browser_get_selected (TsrFolderBrowser *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_BROWSER (self), NULL);
  return gtk_single_selection_get_selected_item (self->selection);
}

static void
scroll_to_top (TsrFolderBrowser *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->folder)) > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", 0);
}

static void
update_placeholder (TsrFolderBrowser *self)
{
  gboolean is_empty = g_list_model_get_n_items (G_LIST_MODEL (self->folder)) == 0;

  gtk_label_set_label (self->placeholder,
                       is_empty && tsr_folder_model_get_path (self->folder) != NULL
                           ? _ ("This folder is empty or has hidden files only")
                           : "");
}

static void
on_listed (TsrFolderModel *folder, TsrFolderBrowser *self)
{
  const GError *error = tsr_folder_model_get_error (folder);
  g_autofree char *name = g_steal_pointer (&self->came_from);

  g_clear_handle_id (&self->placeholder_timeout, g_source_remove);
  update_placeholder (self);
  if (error == NULL)
    scroll_to_top (self);
  if (error != NULL)
    {
      tsr_folder_browser_show_message (self, error->message, TRUE);
      return;
    }
  if (self->follows)
    {
      gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
      return;
    }
  tsr_folder_browser_set_text (self, tsr_folder_model_get_path (folder), TRUE);
  /* At first, typing takes the place of the whole path. */
  if (!self->was_listed)
    gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  self->was_listed = TRUE;
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  if (name != NULL && tsr_folder_model_find (folder, name) != G_MAXUINT)
    tsr_folder_browser_select_position (self, tsr_folder_model_find (folder, name));
  tsr_folder_browser_show_message (
      self,
      tsr_folder_model_is_report (folder) ? _ ("This folder is a report: Open shows it") : NULL,
      FALSE);
}

static void
activate_item (TsrFolderBrowser *self, TsrFolderItem *item, gboolean enter)
{
  g_autofree char *path = tsr_folder_browser_dup_item_path (self, self->folder, item);

  if (tsr_folder_item_is_folder (item) && (enter || !tsr_folder_item_is_report (item)))
    tsr_folder_browser_go_to (self, path);
  else if (tsr_folder_item_is_report (item))
    tsr_folder_browser_choose (self, path);
  else
    {
      g_autofree char *name = g_filename_display_name (tsr_folder_item_get_name (item));
      g_autofree char *text = g_strdup_printf (
          _ ("%s is no file of a report: open a folder, profile.pop or archive.a"), name);

      tsr_folder_browser_show_message (self, text, TRUE);
    }
}

static void
on_list_activated (GtkListView *list, guint position, TsrFolderBrowser *self)
{
  g_autoptr (TsrFolderItem) item = g_list_model_get_item (G_LIST_MODEL (self->folder), position);

  if (item != NULL)
    activate_item (self, item, FALSE);
}

void
tsr_folder_browser_activate (TsrFolderBrowser *self, guint position)
{
  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self));
  on_list_activated (self->list, position, self);
}

void
tsr_folder_browser_open (TsrFolderBrowser *self)
{
  TsrFolderItem *item;
  const char *folder;

  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self));
  item = gtk_single_selection_get_selected_item (self->selection);
  folder = tsr_folder_model_get_path (self->folder);
  if (tsr_folder_browser_has_entry_focus (self))
    tsr_folder_browser_accept (self);
  else if (item != NULL)
    {
      g_autofree char *path = tsr_folder_browser_dup_item_path (self, self->folder, item);

      tsr_folder_browser_choose (self, path);
    }
  else if (folder != NULL)
    tsr_folder_browser_choose (self, folder);
}

static gboolean
on_list_key (GtkEventControllerKey *controller,
             guint key,
             guint code,
             GdkModifierType state,
             TsrFolderBrowser *self)
{
  TsrFolderItem *item = gtk_single_selection_get_selected_item (self->selection);

  if ((state & (GDK_ALT_MASK | GDK_CONTROL_MASK)) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_BackSpace:
    case GDK_KEY_Left:
      tsr_folder_browser_go_up (self);
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
      tsr_folder_browser_set_text (self, key == GDK_KEY_slash ? "/" : "~/", FALSE);
      gtk_widget_grab_focus (GTK_WIDGET (self->entry));
      gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
      return TRUE;
    default:
      return FALSE;
    }
}

/* ---------------------------------------------------------------- rows */

const char *
tsr_folder_browser_icon_of (TsrFolderItem *item)
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

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), tsr_folder_browser_icon_of (item));
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
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, TsrFolderBrowser *self)
{
  bind_texts (gtk_list_item_get_child (list_item), gtk_list_item_get_item (list_item));
  g_hash_table_add (self->bound, list_item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item, TsrFolderBrowser *self)
{
  g_hash_table_remove (self->bound, list_item);
}

/* Rows on screen ask again whether they are reports; the list would look at all there are. */
static void
on_marked (TsrFolderModel *folder, TsrFolderBrowser *self)
{
  GHashTableIter iter;
  gpointer list_item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    bind_texts (gtk_list_item_get_child (list_item), gtk_list_item_get_item (list_item));
}

/* ---------------------------------------------------------------- the system's chooser */

static void
on_chooser_response (GtkNativeDialog *chooser, int response, TsrFolderBrowser *self)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  path = file != NULL ? g_file_get_path (file) : NULL;
  g_clear_object (&self->chooser);
  if (path != NULL)
    tsr_folder_browser_choose (self, path);
  else if (file != NULL)
    tsr_folder_browser_show_message (self, _ ("Only files of this computer can be opened"), TRUE);
}

static void
on_browse (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrFolderBrowser *self = TSR_FOLDER_BROWSER (widget);
  gboolean folder = g_str_equal (name, "browser.browse-folder");
  const char *path = tsr_folder_model_get_path (self->folder);

  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (gtk_file_chooser_native_new (
      folder ? _ ("Open a Report’s Folder") : _ ("Open a Report’s File"),
      GTK_WINDOW (gtk_widget_get_root (widget)),
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
on_options_changed (TsrFolderBrowser *self)
{
  gboolean by_date = gtk_toggle_button_get_active (self->by_date);
  gboolean hidden = gtk_check_button_get_active (self->hidden);

  tsr_settings_set_string (self->settings, "open-sort", by_date ? "date" : "name");
  tsr_settings_set_boolean (self->settings, "open-show-hidden", hidden);
  tsr_folder_model_set_by_date (self->folder, by_date);
  tsr_folder_model_set_show_hidden (self->folder, hidden);
  tsr_folder_model_set_show_hidden (self->completion, hidden);
  update_placeholder (self);
  scroll_to_top (self);
}

static void
on_up (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_folder_browser_go_up (TSR_FOLDER_BROWSER (widget));
}

void
tsr_folder_browser_go_home (TsrFolderBrowser *self)
{
  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self));
  tsr_folder_browser_go_to (self, self->home);
}

static void
on_home (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_folder_browser_go_home (TSR_FOLDER_BROWSER (widget));
}

TsrPlace *
tsr_folder_browser_get_place (TsrFolderBrowser *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_BROWSER (self), NULL);
  return self->place;
}

TsrFolderModel *
tsr_folder_browser_get_folder (TsrFolderBrowser *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_BROWSER (self), NULL);
  return self->folder;
}

TsrFolderModel *
tsr_folder_browser_get_completion (TsrFolderBrowser *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_BROWSER (self), NULL);
  return self->completion;
}

const char *
tsr_folder_browser_get_text (TsrFolderBrowser *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_BROWSER (self), NULL);
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

/* ---------------------------------------------------------------- life */

static gboolean
tsr_folder_browser_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TSR_FOLDER_BROWSER (widget)->entry));
}

static void
tsr_folder_browser_dispose (GObject *object)
{
  TsrFolderBrowser *self = TSR_FOLDER_BROWSER (object);
  GtkWidget *child;

  g_clear_handle_id (&self->placeholder_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->drop_down, gtk_widget_unparent);
  g_clear_object (&self->chooser);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_folder_browser_parent_class)->dispose (object);
  g_clear_object (&self->folder);
  g_clear_object (&self->completion);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->came_from, g_free);
}

static void
tsr_folder_browser_finalize (GObject *object)
{
  g_clear_object (&TSR_FOLDER_BROWSER (object)->place);
  g_free (TSR_FOLDER_BROWSER (object)->home);
  g_hash_table_unref (TSR_FOLDER_BROWSER (object)->bound);
  G_OBJECT_CLASS (tsr_folder_browser_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, TsrFolderBrowser, name)

static void
tsr_folder_browser_class_init (TsrFolderBrowserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_folder_browser_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_folder_browser_finalize;
  widget_class->grab_focus = tsr_folder_browser_grab_focus;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_VARIANT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-folder-browser.ui");
  BIND (entry);
  BIND (message);
  BIND (placeholder);
  BIND (by_name);
  BIND (by_date);
  BIND (hidden);
  BIND (list);
  BIND (browse_button);
  gtk_widget_class_install_action (widget_class, "browser.up", NULL, on_up);
  gtk_widget_class_install_action (widget_class, "browser.home", NULL, on_home);
  gtk_widget_class_install_action (widget_class, "browser.browse-folder", NULL, on_browse);
  gtk_widget_class_install_action (widget_class, "browser.browse-file", NULL, on_browse);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "browser.up", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Home, GDK_ALT_MASK, "browser.home",
                                       NULL);
}

static void
tsr_folder_browser_init (TsrFolderBrowser *self)
{
  self->bound = g_hash_table_new (NULL, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
connect_controls (TsrFolderBrowser *self)
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
init_list (TsrFolderBrowser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
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

TsrFolderBrowser *
tsr_folder_browser_new (TsrPlace *place, const char *home, TsrSettings *settings)
{
  TsrFolderBrowser *self;
  g_autofree char *sort = NULL;

  g_return_val_if_fail (TSR_IS_PLACE (place) && TSR_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (home != NULL, NULL);
  self = g_object_new (TSR_TYPE_FOLDER_BROWSER, NULL);
  self->place = g_object_ref (place);
  self->home = g_strdup (home);
  self->settings = g_object_ref (settings);
  self->folder = tsr_folder_model_new (place);
  self->completion = tsr_folder_model_new (place);
  tsr_folder_model_set_marking (self->completion, FALSE);
  gtk_widget_set_visible (self->browse_button, !tsr_place_is_remote (place));
  init_list (self);
  sort = tsr_settings_dup_string (settings, "open-sort");
  gtk_toggle_button_set_active (g_str_equal (sort, "date") ? self->by_date : self->by_name, TRUE);
  gtk_check_button_set_active (self->hidden,
                               tsr_settings_get_boolean (settings, "open-show-hidden"));
  on_options_changed (self);
  connect_controls (self);
  tsr_folder_browser_init_entry (self);
  return self;
}
