/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A box that measures its child at no more than its natural width, so that nothing in a popover is
 * cut. */

#include "config.h"

#include "tsr-popover.h"

static GtkSizeRequestMode
get_request_mode (GtkWidget *box)
{
  return gtk_widget_get_request_mode (gtk_widget_get_first_child (box));
}

static void
measure (GtkWidget *box,
         GtkOrientation orientation,
         int for_size,
         int *minimum,
         int *natural,
         int *minimum_baseline,
         int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (box);
  int width;

  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    {
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      for_size = MIN (for_size, width);
    }
  gtk_widget_measure (child, orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static void
allocate (GtkWidget *box, int width, int height, int baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (box), width, height, baseline, NULL);
}

void
tsr_popover_set_child (GtkPopover *popover, GtkWidget *child)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  g_return_if_fail (GTK_IS_POPOVER (popover) && GTK_IS_WIDGET (child));
  gtk_box_append (GTK_BOX (box), child);
  gtk_widget_set_layout_manager (box, gtk_custom_layout_new (get_request_mode, measure, allocate));
  gtk_popover_set_child (popover, box);
}
