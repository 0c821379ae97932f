/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GTK goes on to ask the widget under the pointer for a tooltip when it has opened a popover, and
 * shows it above that. */

#include "config.h"

#include "tsr-popover-tips.h"

static gboolean
on_query (
    GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkWidget *popover)
{
  if (!gtk_widget_get_mapped (popover))
    return FALSE;
  /* Whoever else would answer is not asked. */
  g_signal_stop_emission_by_name (widget, "query-tooltip");
  return FALSE;
}

/* (transfer none): the widget that @popover points to, which is its parent or in it. */
static GtkWidget *
get_target (GtkWidget *popover)
{
  GtkWidget *parent = gtk_widget_get_parent (popover), *target = NULL;
  GdkRectangle at;

  if (gtk_popover_get_pointing_to (GTK_POPOVER (popover), &at))
    target
        = gtk_widget_pick (parent, at.x + at.width / 2.0, at.y + at.height / 2.0, GTK_PICK_DEFAULT);
  return target != NULL ? target : parent;
}

static gboolean
on_map (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *popover = g_value_get_object (&values[0]);

  if (!GTK_IS_POPOVER (popover) || gtk_widget_get_parent (popover) == NULL)
    return TRUE;
  for (GtkWidget *at = get_target (popover); at != NULL; at = gtk_widget_get_parent (at))
    {
      g_signal_handlers_disconnect_by_func (at, on_query, popover);
      g_signal_connect_object (at, "query-tooltip", G_CALLBACK (on_query), popover, 0);
      if (at == gtk_widget_get_parent (popover))
        break;
    }
  gtk_widget_trigger_tooltip_query (gtk_widget_get_parent (popover));
  return TRUE;
}

void
tsr_popover_tips_init (void)
{
  GtkWidgetClass *class = g_type_class_ref (GTK_TYPE_WIDGET);

  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
  g_type_class_unref (class);
}
