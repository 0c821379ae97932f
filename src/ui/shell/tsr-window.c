/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window: which of home, report, error and choice is shown, and the actions. */

#include "config.h"

#include "tsr-window.h"

#include "tsr-home.h"
#include "tsr-location-texts.h"
#include "tsr-recent-report.h"
#include "tsr-remote-wait.h"
#include "tsr-remote-texts.h"
#include "tsr-report-watch.h"
#include "tsr-search-popover.h"
#include "tsr-ssh-address.h"
#include "tsr-toast.h"
#include "tsr-ui-init.h"
#include "tsr-window-texts.h"

#include <glib/gi18n.h>
#include <string.h>

/* Going from view to view: the side menu's actions, back and forward, links. */

static void
on_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  tsr_report_view_go (tsr_window_get_report_view (data), -1);
}

static void
on_forward (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  tsr_report_view_go (tsr_window_get_report_view (data), 1);
}

/* From a page: a finding, a result of a search, a tile of the summary. */
static void
on_go (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  g_autoptr (GHashTable) words = tsr_view_words_parse (g_variant_get_string (parameter, NULL));
  TsrReportView *view = tsr_window_get_report_view (self);

  if (tsr_report_view_show_words (view, words))
    tsr_page_focus_start (tsr_report_view_get_page (view));
  else if (tsr_view_words_get_view (words) != TSR_N_VIEWS)
    tsr_sidebar_activate (tsr_report_view_get_sidebar (view), tsr_view_words_get_view (words));
}

static void
on_find (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkPopover *search = tsr_window_get_search (data);

  gtk_menu_button_popup (GTK_MENU_BUTTON (gtk_widget_get_parent (GTK_WIDGET (search))));
}

static void
on_copy_link (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  TsrReport *report = tsr_session_get_report (tsr_window_get_session (self));
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (tsr_window_get_report_view (self));
  g_autofree char *location = NULL;
  g_autofree char *text = NULL;

  if (report == NULL)
    return;
  location = tsr_report_dup_location (report);
  text = tsr_link_dup_text (location, words);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_window_toast (self, _ ("The link to this view is copied"));
}

static void
on_toggle_sidebar (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  gboolean expanded
      = tsr_sidebar_is_expanded (tsr_report_view_get_sidebar (tsr_window_get_report_view (self)));

  tsr_settings_set_string (tsr_window_get_settings (self), "sidebar",
                           expanded ? "icons" : "expanded");
}

static void
on_view (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  const char *nick = g_action_get_name (G_ACTION (action)) + strlen ("view-");

  for (guint i = 0; i < TSR_N_VIEWS; i++)
    if (g_str_equal (tsr_view_get_nick (i), nick))
      tsr_sidebar_activate (tsr_report_view_get_sidebar (tsr_window_get_report_view (self)), i);
}

static void
on_copy_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  TsrPage *page = tsr_report_view_get_page (tsr_window_get_report_view (self));
  g_autofree char *text = page != NULL ? tsr_page_dup_text (page) : NULL;

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_window_toast (self, _ ("Copied"));
}

/* The actions that go from view to view.  Called once. */
static void
tsr_window_add_navigation (TsrWindow *self)
{
  static const GActionEntry actions[] = {
    { .name = "back", .activate = on_back },
    { .name = "forward", .activate = on_forward },
    { .name = "go", .activate = on_go, .parameter_type = "s" },
    { .name = "find", .activate = on_find },
    { .name = "copy-link", .activate = on_copy_link },
    { .name = "toggle-sidebar", .activate = on_toggle_sidebar },
    { .name = "copy-page", .activate = on_copy_page },
  };
  guint n_pages = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  g_return_if_fail (TSR_IS_WINDOW (self));
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  for (guint i = 0; i < n_pages; i++)
    {
      g_autofree char *name = g_strconcat ("view-", tsr_view_get_nick (pages[i].view), NULL);
      GActionEntry entry = { .name = name, .activate = on_view };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
}

/* From this width on the side menu has labels unless the user chose otherwise. */
#define WIDE_WINDOW 1400

struct _TsrWindow
{
  AdwApplicationWindow parent_instance;

  GtkWidget *header;
  GtkWidget *sidebar_button, *history_buttons, *search_button, *menu_button;
  GtkLabel *title_label, *subtitle_label;
  AdwToastOverlay *toasts;
  GtkStack *stack;
  TsrHome *home;
  AdwStatusPage *opening_page, *error_page;
  GtkWidget *error_retry, *error_forget, *error_host;
  GtkLabel *opening_step, *error_text, *choice_label;
  GtkListBox *choice_list;
  TsrReportView *report_view;

  TsrSettings *settings;
  TsrSession *session;
  GActionGroup *report_actions;

  TsrReport *opening; /* not shown yet */
  gulong opening_handler;
  gboolean reloading; /* opening takes the place of the report that is shown, if it succeeds */
  TsrView wanted_view;
  GHashTable *wanted_words; /* (nullable): of the link that was asked for */
  char *path;               /* location, last one asked for */
  TsrRemoteMonitor *remote;
  GError *error;         /* (nullable): why it could not be opened */
  TsrRemoteWait *wait;   /* (nullable): while it is opened from a host */
  TsrReportWatch *watch; /* of the report that is shown */

  gboolean wide;
  guint wide_idle;
};

G_DEFINE_FINAL_TYPE (TsrWindow, tsr_window, ADW_TYPE_APPLICATION_WINDOW)

/* ---------------------------------------------------------------- title, menu, sizes */

static TsrApplication *
application_of (TsrWindow *self)
{
  return TSR_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
}

static void
update_sidebar (TsrWindow *self)
{
  g_autofree char *mode = tsr_settings_dup_string (self->settings, "sidebar");
  gboolean expanded = g_str_equal (mode, "auto") ? self->wide : g_str_equal (mode, "expanded");

  tsr_sidebar_set_expanded (tsr_report_view_get_sidebar (self->report_view), expanded);
}

static gboolean
on_wide_idle (gpointer data)
{
  TsrWindow *self = data;

  self->wide_idle = 0;
  update_sidebar (self);
  return G_SOURCE_REMOVE;
}

static void
tsr_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrWindow *self = TSR_WINDOW (widget);
  gboolean wide = width >= WIDE_WINDOW;

  GTK_WIDGET_CLASS (tsr_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (wide == self->wide)
    return;
  /* No change of sizes while sizes are handed out. */
  self->wide = wide;
  if (self->wide_idle == 0)
    self->wide_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_wide_idle, self, NULL);
}

static void
update_title (TsrWindow *self)
{
  TsrReport *report = tsr_session_get_report (self->session);
  g_autofree char *subtitle = report != NULL ? tsr_window_texts_dup_subtitle (report) : NULL;
  const char *name = report != NULL          ? tsr_report_get_name (report)
                     : self->opening != NULL ? tsr_report_get_name (self->opening)
                                             : NULL;
  const char *title = name != NULL ? name : _ ("Tessera");
  g_autofree char *window_title
      = name != NULL ? g_strdup_printf (_ ("%s – Tessera"), name) : g_strdup (title);

  gtk_label_set_label (self->title_label, title);
  gtk_label_set_label (self->subtitle_label, subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_label), subtitle != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title_label), report != NULL ? title : NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtitle_label), subtitle);
  gtk_window_set_title (GTK_WINDOW (self), window_title);
}

static void
set_action_enabled (GActionMap *map, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (map, name);

  g_assert (action != NULL);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update_actions (TsrWindow *self)
{
  GActionMap *report = G_ACTION_MAP (self->report_actions);
  const char *state = tsr_window_get_state (self);
  gboolean shown = g_str_equal (state, "report");
  guint n_pages = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  set_action_enabled (report, "reload", shown || g_str_equal (state, "error"));
  set_action_enabled (report, "close", !g_str_equal (state, "home"));
  set_action_enabled (report, "stop", shown || self->opening != NULL);
  set_action_enabled (G_ACTION_MAP (self), "back",
                      shown && tsr_report_view_can_go (self->report_view, -1));
  set_action_enabled (G_ACTION_MAP (self), "forward",
                      shown && tsr_report_view_can_go (self->report_view, 1));
  set_action_enabled (G_ACTION_MAP (self), "toggle-sidebar", shown);
  set_action_enabled (G_ACTION_MAP (self), "copy-page", shown);
  set_action_enabled (G_ACTION_MAP (self), "find", shown);
  set_action_enabled (G_ACTION_MAP (self), "diagnostics", shown);
  set_action_enabled (G_ACTION_MAP (self), "copy-structure", shown);
  set_action_enabled (G_ACTION_MAP (self), "copy-link", shown);
  for (guint i = 0; i < n_pages; i++)
    {
      g_autofree char *name = g_strconcat ("view-", tsr_view_get_nick (pages[i].view), NULL);

      set_action_enabled (G_ACTION_MAP (self), name, shown);
    }
  gtk_widget_set_visible (self->sidebar_button, shown);
  gtk_widget_set_visible (self->history_buttons, shown);
  gtk_widget_set_visible (self->search_button, shown);
}

static void
set_state (TsrWindow *self, const char *state)
{
  gtk_stack_set_visible_child_name (self->stack, state);
  update_title (self);
  update_actions (self);
}

const char *
tsr_window_get_state (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return gtk_stack_get_visible_child_name (self->stack);
}

/* ---------------------------------------------------------------- opening and reloading */

static void
forget_opening (TsrWindow *self)
{
  g_clear_pointer (&self->wait, tsr_remote_wait_free);
  if (self->opening == NULL)
    return;
  g_clear_signal_handler (&self->opening_handler, self->opening);
  g_clear_object (&self->opening);
  self->reloading = FALSE;
}

/* The page for what was asked for: a file other than the profile leads to its own page. */
static TsrView
view_of_request (TsrWindow *self, TsrReport *report)
{
  const TsrReportFiles *files = tsr_report_get_files (report);
  const TsrSummary *summary = tsr_report_get_summary (report);

  if (self->wanted_view != TSR_N_VIEWS)
    return self->wanted_view;
  if (files != NULL && files->asked == TSR_FILE_ARCHIVE && !files->files[TSR_FILE_PROFILE].found
      && summary != NULL && summary->views[TSR_VIEW_MEMORY].available)
    return TSR_VIEW_MEMORY;
  return TSR_VIEW_SUMMARY;
}

/* ---------------------------------------------------------------- changes of the files */

static void
on_files_changed (TsrReportWatch *watch, TsrWindow *self)
{
  const char *const *names = tsr_report_watch_get_changed (watch);
  g_autofree char *list = g_strjoinv (", ", (char **)names);
  gboolean settled = tsr_report_watch_is_settled (watch);
  g_autofree char *text = NULL;

  if (names[0] == NULL)
    {
      tsr_report_view_set_bar (self->report_view, "changed", 0, NULL, NULL, NULL);
      return;
    }
  text = g_strdup_printf (settled ? _ ("Files of this report have changed: %s")
                                  : _ ("Files of this report are changing: %s.  Reload is offered "
                                       "once they no longer change"),
                          list);
  tsr_report_view_set_bar (self->report_view, "changed", GTK_MESSAGE_INFO, text,
                           settled ? _ ("_Reload") : NULL, "report.reload");
}

static void
stop_watching (TsrWindow *self)
{
  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_func (self->watch, on_files_changed, self);
  g_clear_object (&self->watch);
}

static void
start_watching (TsrWindow *self)
{
  TsrReport *report = tsr_session_get_report (self->session);
  const TsrReportFiles *files = tsr_report_get_files (report);

  stop_watching (self);
  tsr_report_view_set_bar (self->report_view, "changed", 0, NULL, NULL, NULL);
  if (files == NULL || files->folder == NULL)
    return;
  self->watch = tsr_report_watch_new (report);
  g_signal_connect (self->watch, "changed", G_CALLBACK (on_files_changed), self);
}

/* ---------------------------------------------------------------- recent reports */

/* Notes in the list of recent reports how it looked. */
static void
note_outcome (TsrWindow *self)
{
  TsrReport *report = tsr_session_get_report (self->session);

  if (report != NULL && !tsr_application_is_demo (report))
    tsr_window_texts_note_outcome (self->session);
}

static void
on_stage_changed (TsrSession *session, int stage, TsrWindow *self)
{
  if (stage == TSR_STAGE_MEMORY)
    note_outcome (self);
}

/* ---------------------------------------------------------------- opening, the ends */

/* What a link asks for, else the page of @view. */
static gboolean
show_wanted (TsrWindow *self, TsrView view)
{
  g_autoptr (GHashTable) words = g_steal_pointer (&self->wanted_words);

  return (words != NULL && tsr_report_view_show_words (self->report_view, words))
         || tsr_report_view_show (self->report_view, view);
}

static void
show_report (TsrWindow *self)
{
  g_autoptr (TsrReport) report = g_object_ref (self->opening);
  TsrView view = view_of_request (self, report);

  forget_opening (self);
  tsr_session_set_report (self->session, report);
  set_state (self, "report");
  if (!show_wanted (self, view))
    {
      g_autofree char *why = NULL;

      tsr_report_view_show (self->report_view, TSR_VIEW_SUMMARY);
      tsr_sidebar_is_available (tsr_report_view_get_sidebar (self->report_view), view, &why);
      if (why != NULL)
        {
          g_autofree char *title
              = g_strdup_printf (_ ("This report has no data for %s"), tsr_view_get_title (view));
          g_autofree char *text = g_strdup_printf ("%s\n%s", title, why);

          tsr_report_view_set_bar (self->report_view, "page", GTK_MESSAGE_INFO, text, NULL, NULL);
        }
    }
  tsr_page_focus_start (tsr_report_view_get_page (self->report_view));
  update_actions (self);
  start_watching (self);
  if (!tsr_application_is_demo (report))
    tsr_recent_report_add (tsr_recents_get_default (), report);
  note_outcome (self);
}

static void
show_error (TsrWindow *self, const GError *error)
{
  g_autofree char *host = tsr_location_dup_host (self->path);
  g_autofree char *where = host != NULL ? g_markup_escape_text (host, -1) : NULL;

  g_clear_error (&self->error);
  self->error = g_error_copy (error);
  adw_status_page_set_title (self->error_page, tsr_remote_texts_is_remote (error)
                                                   ? tsr_remote_texts_get_title (error)
                                                   : _ ("This report could not be opened"));
  gtk_label_set_label (self->error_text, error->message);
  adw_status_page_set_description (self->error_page, where);
  gtk_widget_set_visible (self->error_host, tsr_ssh_address_is_one (self->path));
  /* A report that is gone leaves the list of recent ones when the user says so. */
  gtk_widget_set_visible (self->error_forget,
                          (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
                           || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED))
                              && tsr_recents_contains (tsr_recents_get_default (), self->path));
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->error_forget),
                                          g_variant_new_bytestring (self->path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->error_forget), "win.forget-recent");
  set_state (self, "error");
  gtk_widget_grab_focus (self->error_retry);
}

static void
show_choice (TsrWindow *self, const TsrReportFiles *files)
{
  g_autofree char *location = tsr_place_dup_location (files->place, files->location);
  g_autofree char *shown = tsr_location_dup_text (location);

  for (GtkWidget *row; (row = gtk_widget_get_first_child (GTK_WIDGET (self->choice_list))) != NULL;)
    gtk_list_box_remove (self->choice_list, row);
  gtk_label_set_label (self->choice_label, shown);
  for (guint i = 0; files->reports[i] != NULL; i++)
    {
      GtkWidget *row = adw_action_row_new ();
      g_autofree char *name = g_filename_display_basename (files->reports[i]);
      /* Where it lies below the folder that was asked for: the rest is said once, above. */
      const char *below = g_str_has_prefix (files->reports[i], files->location)
                              ? files->reports[i] + strlen (files->location)
                              : files->reports[i];
      g_autofree char *path = g_filename_display_name (*below == '/' ? below + 1 : below);

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
      if (!g_str_equal (path, name))
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), path);
      adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
      adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                                 gtk_image_new_from_icon_name ("go-next-symbolic"));
      g_object_set_data_full (G_OBJECT (row), "tsr-location",
                              tsr_place_dup_location (files->place, files->reports[i]), g_free);
      gtk_list_box_append (self->choice_list, row);
    }
  set_state (self, "choice");
  gtk_widget_child_focus (GTK_WIDGET (self->choice_list), GTK_DIR_TAB_FORWARD);
}

static void
on_choice_activated (GtkListBox *list, GtkListBoxRow *row, TsrWindow *self)
{
  g_autofree char *location = g_strdup (g_object_get_data (G_OBJECT (row), "tsr-location"));

  tsr_window_open (self, location, self->wanted_view);
}

static void
show_opening (TsrWindow *self)
{
  g_autofree char *name = tsr_location_dup_text (self->path);
  g_autofree char *text = g_markup_escape_text (name, -1);

  adw_status_page_set_description (self->opening_page, text);
  set_state (self, "opening");
}

static void
finish_opening (TsrWindow *self)
{
  const TsrReportFiles *files = tsr_report_get_files (self->opening);
  const GError *error = tsr_report_get_stage_error (self->opening, TSR_STAGE_SUMMARY);

  if (error == NULL)
    {
      show_report (self);
      return;
    }
  if (files != NULL && files->reports != NULL && files->folder == NULL)
    show_choice (self, files);
  else
    show_error (self, error);
  forget_opening (self);
  update_actions (self);
}

/* Whether a reload waits for @stage: for all of them, or, where each is read when a page asks for
 * it, for what is on the screen now. */
static gboolean
reload_needs (TsrWindow *self, TsrReport *old, TsrStage stage)
{
  TsrPage *page = tsr_report_view_get_page (self->report_view);

  if (stage == TSR_STAGE_SUMMARY || !tsr_report_is_on_demand (self->opening))
    return TRUE;
  return old != NULL && tsr_report_get_stage_state (old, stage) == TSR_STAGE_READY && page != NULL
         && tsr_page_wants (page, stage);
}

/* A reload keeps what is shown until the new report has what the old one shows. */
static void
finish_reloading (TsrWindow *self)
{
  TsrReport *old = tsr_session_get_report (self->session);
  g_autoptr (TsrReport) report = NULL;
  const GError *error = NULL;

  for (guint i = 0; i < TSR_N_STAGES; i++)
    {
      TsrStageState state = tsr_report_get_stage_state (self->opening, i);

      if (!reload_needs (self, old, i))
        continue;
      tsr_report_want (self->opening, i);
      if (state != TSR_STAGE_READY && state != TSR_STAGE_FAILED)
        return;
      if (error == NULL && state == TSR_STAGE_FAILED && old != NULL
          && tsr_report_get_stage_state (old, i) == TSR_STAGE_READY)
        error = tsr_report_get_stage_error (self->opening, i);
    }
  if (error != NULL)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("Reloading failed, the report as it was is still shown: %s"), error->message);

      tsr_report_view_set_bar (self->report_view, "reload", GTK_MESSAGE_ERROR, text, _ ("_Retry"),
                               "report.reload");
      forget_opening (self);
      return;
    }
  report = g_object_ref (self->opening);
  forget_opening (self);
  tsr_report_view_set_bar (self->report_view, "reload", 0, NULL, NULL, NULL);
  tsr_session_set_report (self->session, report);
  update_title (self);
  start_watching (self);
  note_outcome (self);
  tsr_window_toast (self, _ ("Reloaded"));
}

static void
on_opening_stage_changed (TsrReport *report, int stage, TsrWindow *self)
{
  TsrStageState state = tsr_report_get_stage_state (report, TSR_STAGE_SUMMARY);

  if (self->reloading)
    finish_reloading (self);
  else if (state == TSR_STAGE_READY || state == TSR_STAGE_FAILED)
    finish_opening (self);
}

static void
start_opening (TsrWindow *self, TsrPlace *place, const char *path, gboolean reload)
{
  if (self->opening != NULL)
    tsr_report_cancel (self->opening);
  forget_opening (self);
  self->reloading = reload;
  if (reload && tsr_place_is_remote (place))
    tsr_report_view_set_bar (
        self->report_view, "reload", GTK_MESSAGE_INFO,
        _ ("The report is being read again; what is shown stays until that is done"), NULL, NULL);
  self->wait = tsr_remote_wait_new_for_place (tsr_application_get_asker (application_of (self)),
                                              GTK_WINDOW (self), place, self->opening_step);
  self->opening = tsr_report_open (place, path, TSR_LOAD_ON_DEMAND);
  self->opening_handler = g_signal_connect (self->opening, "stage-changed",
                                            G_CALLBACK (on_opening_stage_changed), self);
}

static void
open_location (TsrWindow *self, const char *location, TsrView view)
{
  g_autoptr (TsrPlace) place = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  char *wanted = g_path_is_absolute (location) || tsr_ssh_address_is_one (location)
                     ? g_strdup (location)
                     : g_canonicalize_filename (location, NULL);

  g_free (self->path);
  self->path = wanted;
  self->wanted_view = view;
  stop_watching (self);
  tsr_session_close (self->session);
  tsr_report_view_reset (self->report_view);
  place = tsr_application_open_place (application_of (self), wanted, &path, &error);
  if (place == NULL)
    {
      show_error (self, error);
      return;
    }
  start_opening (self, place, path, FALSE);
  show_opening (self);
}

void
tsr_window_open (TsrWindow *self, const char *path, TsrView view)
{
  g_auto (TsrLink) link = { 0 };
  g_autoptr (GError) error = NULL;

  g_return_if_fail (TSR_IS_WINDOW (self) && path != NULL);
  if (tsr_link_is_link (path) && !tsr_link_parse (path, &link, &error))
    {
      tsr_window_toast (self, error->message);
      return;
    }
  g_clear_pointer (&self->wanted_words, g_hash_table_unref);
  if (link.words != NULL && g_hash_table_size (link.words) > 0)
    {
      self->wanted_words = g_hash_table_ref (link.words);
      view = tsr_view_words_get_view (link.words);
    }
  open_location (self, link.path != NULL ? link.path : path, view);
}

const char *
tsr_window_get_location (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return self->path;
}

TsrRemoteMonitor *
tsr_window_get_remote (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return self->remote;
}

const GError *
tsr_window_get_error (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return g_str_equal (tsr_window_get_state (self), "error") ? self->error : NULL;
}

gboolean
tsr_window_is_home (TsrWindow *self)
{
  return self->opening == NULL && g_str_equal (tsr_window_get_state (self), "home");
}

TsrSettings *
tsr_window_get_settings (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return self->settings;
}

void
tsr_window_toast (TsrWindow *self, const char *text)
{
  g_return_if_fail (TSR_IS_WINDOW (self) && text != NULL);
  tsr_toast_show (self->toasts, text);
}

TsrSession *
tsr_window_get_session (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return self->session;
}

GtkPopover *
tsr_window_get_search (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->search_button));
}

TsrReportView *
tsr_window_get_report_view (TsrWindow *self)
{
  g_return_val_if_fail (TSR_IS_WINDOW (self), NULL);
  return self->report_view;
}

/* ---------------------------------------------------------------- actions */

static void
on_reload (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  TsrReport *report = tsr_session_get_report (self->session);

  if (report == NULL && self->path != NULL)
    {
      g_autofree char *path = g_strdup (self->path);

      tsr_window_open (self, path, self->wanted_view);
    }
  else if (report != NULL)
    start_opening (self, tsr_report_get_place (report), tsr_report_get_location (report), TRUE);
}

static void
on_close (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;

  if (self->opening != NULL)
    tsr_report_cancel (self->opening);
  forget_opening (self);
  stop_watching (self);
  tsr_session_close (self->session);
  tsr_report_view_reset (self->report_view);
  set_state (self, "home");
  gtk_widget_child_focus (GTK_WIDGET (self->home), GTK_DIR_TAB_FORWARD);
}

static void
on_stop (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;
  TsrReport *report = tsr_session_get_report (self->session);

  if (self->opening != NULL)
    tsr_report_cancel (self->opening);
  else if (report != NULL)
    tsr_report_cancel (report);
}

static const GActionEntry report_actions[] = {
  { .name = "reload", .activate = on_reload },
  { .name = "close", .activate = on_close },
  { .name = "stop", .activate = on_stop },
};

static void
add_actions (TsrWindow *self)
{
  GSimpleActionGroup *group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), report_actions,
                                   G_N_ELEMENTS (report_actions), self);
  self->report_actions = G_ACTION_GROUP (group);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "report", self->report_actions);
}

/* ---------------------------------------------------------------- life */

static void
remember_size (TsrWindow *self)
{
  int width = 0, height = 0;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  tsr_settings_set_boolean (self->settings, "window-maximized",
                            gtk_window_is_maximized (GTK_WINDOW (self)));
  if (width > 0 && height > 0)
    {
      tsr_settings_set_int (self->settings, "window-width", width);
      tsr_settings_set_int (self->settings, "window-height", height);
    }
}

static gboolean
tsr_window_close_request (GtkWindow *window)
{
  remember_size (TSR_WINDOW (window));
  return GTK_WINDOW_CLASS (tsr_window_parent_class)->close_request (window);
}

static void
tsr_window_dispose (GObject *object)
{
  TsrWindow *self = TSR_WINDOW (object);

  g_clear_handle_id (&self->wide_idle, g_source_remove);
  if (self->opening != NULL)
    tsr_report_cancel (self->opening);
  forget_opening (self);
  stop_watching (self);
  if (self->session != NULL)
    tsr_session_close (self->session);
  g_clear_object (&self->remote);
  G_OBJECT_CLASS (tsr_window_parent_class)->dispose (object);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  g_clear_object (&self->report_actions);
  g_clear_pointer (&self->path, g_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->wanted_words, g_hash_table_unref);
}

static void
tsr_window_class_init (TsrWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_window_dispose;
  widget_class->size_allocate = tsr_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = tsr_window_close_request;
  g_type_ensure (TSR_TYPE_HOME);
  g_type_ensure (TSR_TYPE_REPORT_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, TSR_RESOURCE_PATH "/tsr-window.ui");
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, header);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, history_buttons);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, search_button);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, title_label);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, subtitle_label);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, home);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, opening_page);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, error_retry);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, error_forget);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, error_host);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, error_text);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, opening_step);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, choice_label);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, choice_list);
  gtk_widget_class_bind_template_child (widget_class, TsrWindow, report_view);
  gtk_widget_class_bind_template_callback (widget_class, on_choice_activated);
}

static void
tsr_window_init (TsrWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

TsrWindow *
tsr_window_new (TsrApplication *application)
{
  TsrSearchPopover *search;
  TsrWindow *self;

  g_return_val_if_fail (TSR_IS_APPLICATION (application), NULL);
  self = g_object_new (TSR_TYPE_WINDOW, "application", application, NULL);
  self->settings = g_object_ref (tsr_application_get_settings (application));
  self->session = tsr_session_new (self->settings);
  tsr_report_view_set_session (self->report_view, self->session);
  search = tsr_search_popover_new (self->session);
  g_signal_connect_swapped (search, "toast", G_CALLBACK (tsr_window_toast), self);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->search_button), GTK_WIDGET (search));
  add_actions (self);
  self->remote = tsr_remote_monitor_new (GTK_WINDOW (self), self->report_view, self->session,
                                         tsr_application_get_asker (application));
  tsr_window_add_navigation (self);
  tsr_window_add_actions (self);
  g_signal_connect_object (self->session, "stage-changed", G_CALLBACK (on_stage_changed), self, 0);
  g_signal_connect_object (self->session, "notify::memory", G_CALLBACK (note_outcome), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "changed::sidebar", G_CALLBACK (update_sidebar), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->report_view, "notify::view", G_CALLBACK (update_actions), self,
                           G_CONNECT_SWAPPED);
  gtk_window_set_default_size (GTK_WINDOW (self),
                               tsr_settings_get_int (self->settings, "window-width"),
                               tsr_settings_get_int (self->settings, "window-height"));
  if (tsr_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  set_state (self, "home");
  return self;
}
