/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-ui-init.h"

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
  provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, TSR_RESOURCE_PATH "/tessera.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}
