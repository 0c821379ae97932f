/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Going from view to view: the side menu's actions, back and forward, links. */

#include "config.h"

#include "tsr-window.h"

#include <glib/gi18n.h>
#include <string.h>

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
  g_autoptr (GHashTable) words = tsr_words_parse (g_variant_get_string (parameter, NULL));
  TsrReportView *view = tsr_window_get_report_view (self);

  if (tsr_report_view_show_words (view, words))
    tsr_page_focus_start (tsr_report_view_get_page (view));
  else if (tsr_words_get_view (words) != TSR_N_VIEWS)
    tsr_sidebar_activate (tsr_report_view_get_sidebar (view), tsr_words_get_view (words));
}

static void
on_find (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  tsr_window_find (data);
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

void
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
