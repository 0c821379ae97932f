/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder browser: its list of a folder, its rows, the system's chooser and its options.  Two
 * folder models: one for the list, one for the drop-down under the entry,
 * which follows what is typed. */

#include "config.h"

#include "tsr-folder-browser.h"

#include "tsr-chooser.h"
#include "tsr-task.h"
#include "tsr-ui-init.h"
#include "tsr-units.h"

#include <glib/gi18n.h>
#include <string.h>

struct _TsrFolderBrowser
{
  GtkWidget parent_instance;

  GtkEntry *entry;
  GtkLabel *message, *placeholder;
  GtkToggleButton *by_name, *by_date;
  GtkCheckButton *hidden;
  GtkListView *list;
  GtkWidget *browse_button;

  TsrPlace *place;
  char *home;
  GCancellable *cancellable; /* (nullable): of what is being accepted */
  TsrSettings *settings;
  TsrFolderModel *folder, *completion;
  GtkSingleSelection *selection, *completion_selection; /* owned by the lists */
  GtkWidget *drop_down;
  GtkListView *drop_down_list;
  GtkNativeDialog *chooser;
  GHashTable *bound; /* GtkListItem: rows of the list that show an entry */
  char *came_from;   /* name to select when the folder is there: the one we went up from */
  gboolean setting_text;
  gboolean was_listed;
  gboolean follows; /* the list shows the folder that is being typed; nobody went there yet */
  guint placeholder_timeout;
};

static void
tsr_folder_browser_show_message (TsrFolderBrowser *self, const char *text, gboolean is_error);
static void tsr_folder_browser_choose (TsrFolderBrowser *self, const char *path);
static char *tsr_folder_browser_dup_item_path (TsrFolderBrowser *self,
                                               TsrFolderModel *model,
                                               TsrFolderItem *item);
static const char *tsr_folder_browser_icon_of (TsrFolderItem *item);

/* The entry over the folder list: what is typed as a path, the names offered under it, and what
 * becomes of it when it is accepted. */

/* What is typed after "//" or "/~" begins anew: nobody clears an entry first.  A path of a script
 * ("$DIR//report") may have two slashes, too: what exists as a whole is meant as a whole. */
static const char *
skip_to_new_start (TsrFolderBrowser *self, const char *text)
{
  const char *start = text;

  for (const char *p = text; *p != '\0'; p++)
    if (p[0] == '/' && (p[1] == '/' || p[1] == '~') && (p == text || p[-1] != ':'))
      start = p + 1;
  if (start != text && *text == '/' && !tsr_place_is_remote (self->place)
      && g_file_test (text, G_FILE_TEST_EXISTS))
    return text;
  return start;
}

/* (transfer full): what is typed as an absolute path: "~" is the home folder, anything relative is
 * in the folder that is listed.  A trailing slash stays. */
static char *
dup_typed_path (TsrFolderBrowser *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const char *folder = tsr_folder_model_get_path (self->folder);
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autofree char *clean = NULL;

  name = g_filename_from_utf8 (text, -1, NULL, NULL, NULL);
  if (name == NULL)
    name = g_strdup (text);
  g_strstrip (name);
  if (g_str_has_prefix (name, "file://"))
    {
      char *local = g_filename_from_uri (name, NULL, NULL);

      if (local != NULL)
        {
          g_free (name);
          name = local;
        }
    }
  else
    {
      const char *start = skip_to_new_start (self, name);

      memmove (name, start, strlen (start) + 1);
    }
  if (g_str_equal (name, "~") || g_str_has_prefix (name, "~/"))
    path = g_build_filename (self->home, name + 1, NULL);
  else if (g_path_is_absolute (name))
    path = g_strdup (name);
  else
    path = g_build_filename (folder != NULL ? folder : self->home, name, NULL);
  clean = g_canonicalize_filename (path, "/");
  if (g_str_has_suffix (name, "/") && !g_str_equal (clean, "/"))
    return g_strconcat (clean, "/", NULL);
  return g_steal_pointer (&clean);
}

/* Shows @path in the entry, with a slash at its end or not, without completing it. */
static void
tsr_folder_browser_set_text (TsrFolderBrowser *self, const char *path, gboolean slash)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *text
      = slash && !g_str_has_suffix (shown, "/") ? g_strconcat (shown, "/", NULL) : g_strdup (shown);

  self->setting_text = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  self->setting_text = FALSE;
}

static void
tsr_folder_browser_hide_drop_down (TsrFolderBrowser *self)
{
  /* The keyboard leaves the entry once more when the dialog goes. */
  if (self->drop_down != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->drop_down));
}

static gboolean
tsr_folder_browser_has_entry_focus (TsrFolderBrowser *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->entry));
}

static void
update_drop_down (TsrFolderBrowser *self)
{
  gboolean wanted = g_list_model_get_n_items (G_LIST_MODEL (self->completion)) > 0
                    && tsr_folder_browser_has_entry_focus (self) && !self->setting_text;
  int width = gtk_widget_get_width (GTK_WIDGET (self->entry));

  if (!wanted)
    {
      tsr_folder_browser_hide_drop_down (self);
      return;
    }
  gtk_widget_set_size_request (self->drop_down, MAX (width, 320), -1);
  gtk_popover_popup (GTK_POPOVER (self->drop_down));
}

/* The list shows the folder whose names are offered, not one that the text has left.  A relative
 * name counts from the folder that is listed, so that one stays. */
static void
follow_completion (TsrFolderBrowser *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const char *path = tsr_folder_model_get_path (self->completion);

  if (self->setting_text || path == NULL || (*text != '/' && *text != '~')
      || g_strcmp0 (path, tsr_folder_model_get_path (self->folder)) == 0)
    return;
  self->follows = TRUE;
  tsr_folder_model_set_path (self->folder, path, FALSE);
}

static void
on_completion_listed (TsrFolderModel *completion, TsrFolderBrowser *self)
{
  if (tsr_folder_model_get_error (completion) != NULL)
    {
      tsr_folder_browser_hide_drop_down (self);
      return;
    }
  update_drop_down (self);
  follow_completion (self);
}

/* The part up to the last slash is the folder whose names are offered, the rest begins them. */
static void
on_text_changed (TsrFolderBrowser *self)
{
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  const char *slash;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (self->setting_text)
    return;
  tsr_folder_browser_show_message (self, NULL, FALSE);
  if (*text == '\0')
    {
      tsr_folder_browser_hide_drop_down (self);
      return;
    }
  path = dup_typed_path (self);
  slash = strrchr (path, '/');
  folder = slash == path || slash == NULL ? g_strdup ("/") : g_strndup (path, slash - path);
  tsr_folder_model_set_prefix (self->completion, slash != NULL ? slash + 1 : "");
  gtk_single_selection_set_selected (self->completion_selection, GTK_INVALID_LIST_POSITION);
  tsr_folder_model_set_path (self->completion, folder, FALSE);
  if (!tsr_folder_model_is_busy (self->completion))
    on_completion_listed (self->completion, self);
}

void
tsr_folder_browser_type (TsrFolderBrowser *self, const char *text)
{
  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self) && text != NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

/* Puts the entry @position of the drop-down into the text and goes on completing in it. */
static void
take_completion (TsrFolderBrowser *self, guint position)
{
  g_autoptr (TsrFolderItem) item
      = g_list_model_get_item (G_LIST_MODEL (self->completion), position);
  g_autofree char *path = NULL;

  if (item == NULL)
    return;
  path = tsr_folder_browser_dup_item_path (self, self->completion, item);
  tsr_folder_browser_set_text (self, path, tsr_folder_item_is_folder (item));
  if (tsr_folder_item_is_folder (item))
    on_text_changed (self);
  else
    tsr_folder_browser_hide_drop_down (self);
}

static void
on_drop_down_activated (GtkListView *list, guint position, TsrFolderBrowser *self)
{
  take_completion (self, position);
}

typedef enum
{
  IS_FILE = 1,
  IS_FOLDER,
  IS_REPORT, /* a folder with one in it */
} WhatItIs;

/* In a worker: the path may be on a slow disk. */
static void
stat_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  static const TsrFileKind kinds[] = { TSR_FILE_PROFILE, TSR_FILE_ARCHIVE };
  TsrPlace *place = TSR_FOLDER_BROWSER (source)->place;
  GError *error = NULL;
  TsrFolderEntry *entry = tsr_place_stat (place, data, cancellable, &error);
  WhatItIs what;

  if (entry == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  what = entry->is_folder ? IS_FOLDER : IS_FILE;
  tsr_folder_entry_free (entry);
  for (guint i = 0; what == IS_FOLDER && i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path
          = g_build_filename (data, tsr_file_kind_get_fixed_name (kinds[i]), NULL);

      entry = tsr_place_stat (place, path, cancellable, NULL);
      if (entry != NULL && !entry->is_folder)
        what = IS_REPORT;
      g_clear_pointer (&entry, tsr_folder_entry_free);
    }
  g_task_return_int (task, what);
}

static void
on_stat_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrFolderBrowser *self = TSR_FOLDER_BROWSER (source);
  const char *path = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  WhatItIs what = g_task_propagate_int (G_TASK (result), &error);

  /* A newer one, or the end, has taken its place. */
  if (self->folder == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    tsr_folder_browser_show_message (self, error->message, TRUE);
  else if (what != IS_FOLDER
           || (!self->follows && g_strcmp0 (tsr_folder_model_get_path (self->folder), path) == 0))
    tsr_folder_browser_choose (self, path);
  else
    tsr_folder_browser_go_to (self, path);
}

void
tsr_folder_browser_accept (TsrFolderBrowser *self)
{
  g_autofree char *typed = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TSR_IS_FOLDER_BROWSER (self));
  tsr_folder_browser_hide_drop_down (self);
  typed = dup_typed_path (self);
  path = g_canonicalize_filename (typed, "/");
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_stat_ready, NULL);
  g_task_set_source_tag (task, tsr_folder_browser_accept);
  g_task_set_task_data (task, g_steal_pointer (&path), g_free);
  tsr_task_run_in_thread (task, stat_run);
}

static void
move_in_drop_down (TsrFolderBrowser *self, int by)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->completion));
  guint position = gtk_single_selection_get_selected (self->completion_selection);

  if (n == 0)
    return;
  if (position == GTK_INVALID_LIST_POSITION)
    position = by > 0 ? 0 : n - 1;
  else
    position = (position + n + by) % n;
  gtk_single_selection_set_selected (self->completion_selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->drop_down_list), "list.scroll-to-item", "u",
                              position);
}

static gboolean
on_entry_key (GtkEventControllerKey *controller,
              guint key,
              guint code,
              GdkModifierType state,
              TsrFolderBrowser *self)
{
  gboolean open = gtk_widget_get_visible (self->drop_down);
  guint position = gtk_single_selection_get_selected (self->completion_selection);

  /* Alt+Up and others are the browser's. */
  if ((state & (GDK_ALT_MASK | GDK_CONTROL_MASK)) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Down:
    case GDK_KEY_Up:
      if (open)
        move_in_drop_down (self, key == GDK_KEY_Down ? 1 : -1);
      else if (key == GDK_KEY_Down)
        {
          gtk_widget_grab_focus (GTK_WIDGET (self->list));
          if (gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
            tsr_folder_browser_select_position (self, 0);
        }
      return TRUE;
    case GDK_KEY_Tab:
      if (!open || (state & GDK_SHIFT_MASK) != 0)
        return FALSE;
      take_completion (self, position == GTK_INVALID_LIST_POSITION ? 0 : position);
      return TRUE;
    case GDK_KEY_Escape:
      if (!open)
        return FALSE;
      tsr_folder_browser_hide_drop_down (self);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (open && position != GTK_INVALID_LIST_POSITION)
        take_completion (self, position);
      else
        tsr_folder_browser_accept (self);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
on_entry_left (GtkEventControllerFocus *controller, TsrFolderBrowser *self)
{
  tsr_folder_browser_hide_drop_down (self);
}

static void
drop_down_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), gtk_image_new ());
  gtk_box_append (GTK_BOX (box), name);
  gtk_list_item_set_child (item, box);
}

static void
drop_down_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  TsrFolderItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *icon = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  g_autofree char *shown = g_filename_display_name (tsr_folder_item_get_name (item));

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), tsr_folder_browser_icon_of (item));
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (icon)), shown);
}

static void
build_drop_down (TsrFolderBrowser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (drop_down_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (drop_down_bind), NULL);
  self->completion_selection
      = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->completion)));
  gtk_single_selection_set_autoselect (self->completion_selection, FALSE);
  gtk_single_selection_set_can_unselect (self->completion_selection, TRUE);
  gtk_single_selection_set_selected (self->completion_selection, GTK_INVALID_LIST_POSITION);
  self->drop_down_list = GTK_LIST_VIEW (
      gtk_list_view_new (GTK_SELECTION_MODEL (self->completion_selection), factory));
  gtk_list_view_set_single_click_activate (self->drop_down_list, TRUE);
  gtk_widget_set_can_focus (GTK_WIDGET (self->drop_down_list), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->drop_down_list), "value-tree");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down_list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Completions"), -1);
  g_signal_connect (self->drop_down_list, "activate", G_CALLBACK (on_drop_down_activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->drop_down_list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 260);
  self->drop_down = gtk_popover_new ();
  gtk_popover_set_autohide (GTK_POPOVER (self->drop_down), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->drop_down), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->drop_down), GTK_POS_BOTTOM);
  gtk_widget_set_halign (self->drop_down, GTK_ALIGN_START);
  gtk_popover_set_child (GTK_POPOVER (self->drop_down), scrolled);
  gtk_widget_set_parent (self->drop_down, GTK_WIDGET (self->entry));
}

static void
connect_entry (TsrFolderBrowser *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_entry_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
  g_signal_connect (focus, "leave", G_CALLBACK (on_entry_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), focus);
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (on_text_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->completion, "listed", G_CALLBACK (on_completion_listed), self, 0);
}

/* The entry and the drop-down under it. */
static void
tsr_folder_browser_init_entry (TsrFolderBrowser *self)
{
  build_drop_down (self);
  connect_entry (self);
}

G_DEFINE_FINAL_TYPE (TsrFolderBrowser, tsr_folder_browser, GTK_TYPE_WIDGET)

enum
{
  CHOSEN,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* ---------------------------------------------------------------- small things */

/* @text (nullable): none. */
static void
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

/* The answer: emits "chosen". */
static void
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

/* (transfer full) */
static char *
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
          _ ("%s is not a file of a report: open a folder, profile.pop or archive.a"), name);

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

static const char *
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
  tsr_chooser_show (self->chooser);
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
