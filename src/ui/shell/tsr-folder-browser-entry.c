/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry over the folder list: what is typed as a path, the names offered under it, and what
 * becomes of it when it is accepted. */

#include "config.h"

#include "tsr-folder-browser-private.h"

#include "tsr-task.h"

#include <glib/gi18n.h>
#include <string.h>

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

void
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

void
tsr_folder_browser_hide_drop_down (TsrFolderBrowser *self)
{
  /* The keyboard leaves the entry once more when the dialog goes. */
  if (self->drop_down != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->drop_down));
}

gboolean
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

void
tsr_folder_browser_init_entry (TsrFolderBrowser *self)
{
  build_drop_down (self);
  connect_entry (self);
}
