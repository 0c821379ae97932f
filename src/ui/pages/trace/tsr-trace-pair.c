/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two tables side by side, or one over the other where there is no room for that; a table whose
 * columns the first one has, too, is there only then. */

#include "config.h"

#include "tsr-trace-tabs-private.h"

#define SIDE_BY_SIDE 1000 /* pixels */
#define VIEW_SPACING 6
#define ALONE_KEY    "tsr-alone"

static GtkSizeRequestMode
get_request_mode (GtkWidget *box)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_views (GtkWidget *box,
               GtkOrientation orientation,
               int for_size,
               int *minimum,
               int *natural,
               int *minimum_baseline,
               int *natural_baseline)
{
  GtkWidget *child;
  guint n = 0;

  *minimum = *natural = 0;
  for (child = gtk_widget_get_first_child (box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum = 0, child_natural = 0;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, -1, &child_minimum, &child_natural, NULL, NULL);
      *minimum = MAX (*minimum, child_minimum);
      *natural = MAX (*natural, child_natural);
      n++;
    }
  /* One over the other each has half of the height. */
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size < SIDE_BY_SIDE && n > 1)
    {
      *minimum = 2 * *minimum + VIEW_SPACING;
      *natural = 2 * *natural + VIEW_SPACING;
    }
}

static void
allocate_views (GtkWidget *box, int width, int height, int baseline)
{
  GtkWidget *first = gtk_widget_get_first_child (box);
  GtkWidget *second = first != NULL ? gtk_widget_get_next_sibling (first) : NULL;
  GtkAllocation one = { 0, 0, width, height }, two = one;
  gboolean alone = g_object_get_data (G_OBJECT (box), ALONE_KEY) != NULL && width >= SIDE_BY_SIDE;

  if (second != NULL)
    gtk_widget_set_child_visible (second, !alone);
  if (second != NULL && gtk_widget_should_layout (second) && !alone)
    {
      if (width >= SIDE_BY_SIDE)
        {
          one.width = (width - VIEW_SPACING) / 2;
          two.x = one.width + VIEW_SPACING;
          two.width = width - two.x;
        }
      else
        {
          one.height = (height - VIEW_SPACING) / 2;
          two.y = one.height + VIEW_SPACING;
          two.height = height - two.y;
        }
      gtk_widget_size_allocate (second, &two, -1);
    }
  if (first != NULL)
    gtk_widget_size_allocate (first, &one, -1);
}

GtkWidget *
tsr_trace_pair_new (gboolean alone)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_layout_manager (
      box, gtk_custom_layout_new (get_request_mode, measure_views, allocate_views));
  g_object_set_data (G_OBJECT (box), ALONE_KEY, GINT_TO_POINTER (alone));
  gtk_widget_set_vexpand (box, TRUE);
  return box;
}
