/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that disappear after a few seconds, and workarounds for bugs of libadwaita 1.2 in
 * them. */

#include "config.h"

#include "tsr-toast.h"

#define SECONDS 3
#define COMING  "tsr-coming-toast"

static void (*construct_animation) (GObject *animation);

/* A toast that is dismissed while it still comes up is freed when it has gone, and when it has come
 * up that is noted in what was freed: both at once, or in the wrong order, where frames are slow or
 * one toast replaces another.  So it has come up before it starts to go. */
static void
on_construct_animation (GObject *animation)
{
  GtkWidget *overlay;
  g_autoptr (AdwAnimation) coming = NULL;

  construct_animation (animation);
  overlay = adw_animation_get_widget (ADW_ANIMATION (animation));
  if (!ADW_IS_TOAST_OVERLAY (overlay))
    return;
  coming = g_object_steal_data (G_OBJECT (overlay), COMING);
  if (adw_timed_animation_get_value_to (ADW_TIMED_ANIMATION (animation)) > 0)
    g_object_set_data_full (G_OBJECT (overlay), COMING, g_object_ref (animation), g_object_unref);
  else if (coming != NULL)
    adw_animation_skip (coming);
}

void
tsr_toast_show (AdwToastOverlay *overlay, const char *text)
{
  g_autofree char *markup = NULL;
  AdwToast *toast;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && text != NULL);
  if (construct_animation == NULL)
    {
      GObjectClass *animation_class = g_type_class_ref (ADW_TYPE_TIMED_ANIMATION); /* it stays */

      construct_animation = animation_class->constructed;
      animation_class->constructed = on_construct_animation;
    }
  markup = g_markup_escape_text (text, -1);
  toast = adw_toast_new (markup);
  adw_toast_set_timeout (toast, SECONDS);
  adw_toast_overlay_add_toast (overlay, toast);
}
