/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Registers resources, icons and the style sheet. */

#include "config.h"

#include "tsr-ui-init.h"

#include "tsr-accessible-names.h"
#include "tsr-gtk-mends.h"
#include "tsr-palette.h"
#include "tsr-popover-tips.h"
#include "tsr-ui-resources.h"

static void
load_colours (GtkCssProvider *provider, GtkSettings *settings)
{
  g_autofree char *css = NULL;
  gboolean dark;

  /* libadwaita keeps it right. */
  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  css = tsr_palette_dup_css (dark);
  gtk_css_provider_load_from_data (provider, css, -1);
}

static void
on_dark_changed (GtkSettings *settings, GParamSpec *pspec, GtkCssProvider *provider)
{
  load_colours (provider, settings);
}

/* The colours that the style sheet names come from the table of colours. */
static void
add_colours (GdkDisplay *display)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  GtkSettings *settings = gtk_settings_get_for_display (display);

  load_colours (provider, settings);
  g_signal_connect_object (settings, "notify::gtk-application-prefer-dark-theme",
                           G_CALLBACK (on_dark_changed), provider, 0);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
tsr_ui_init (void)
{
  static gboolean done;
  GdkDisplay *display = gdk_display_get_default ();
  g_autoptr (GtkCssProvider) provider = NULL;

  if (done || display == NULL)
    return;
  done = TRUE;
  g_resources_register (tsr_ui_get_resource ());
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display),
                                    TSR_RESOURCE_PATH "/icons");
  /* A label that can be selected and gets the focus, because a page or dialog with it came up, is
   * no text that somebody wants to replace. */
  g_object_set (gtk_settings_get_for_display (display), "gtk-label-select-on-focus", FALSE, NULL);
  tsr_popover_tips_init ();
  add_colours (display);
  provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, TSR_RESOURCE_PATH "/tessera.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  tsr_accessible_names_init ();
  tsr_gtk_mends_init ();
}
