/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Registers resources, icons and the style sheet. */

#include "config.h"

#include "tsr-ui-init.h"

#include "tsr-accessible-names.h"
#include "tsr-gtk-mends.h"
#include "tsr-popover-tips.h"
#include "tsr-ui-resources.h"

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
  provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, TSR_RESOURCE_PATH "/tessera.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  tsr_accessible_names_init ();
  tsr_gtk_mends_init ();
}
