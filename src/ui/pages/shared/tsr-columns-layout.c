/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A layout manager that puts cards under the shortest column. */

#include "config.h"

#include "tsr-columns-layout.h"

#define MAX_COLUMNS 8

struct _TsrColumnsLayout
{
  GtkLayoutManager parent_instance;

  int min_width, max_columns, spacing;
};

G_DEFINE_FINAL_TYPE (TsrColumnsLayout, tsr_columns_layout, GTK_TYPE_LAYOUT_MANAGER)

int
tsr_columns_layout_get_n_columns (TsrColumnsLayout *self, int width)
{
  g_return_val_if_fail (TSR_IS_COLUMNS_LAYOUT (self), 1);
  return CLAMP ((width + self->spacing) / (self->min_width + self->spacing), 1, self->max_columns);
}

/* Places the children (unless @dry) and gives the height of all. */
static int
place (TsrColumnsLayout *self, GtkWidget *widget, int width, gboolean dry)
{
  int n = tsr_columns_layout_get_n_columns (self, width);
  int column_width = MAX ((width - (n - 1) * self->spacing) / n, 1);
  int heights[MAX_COLUMNS] = { 0 };
  int tallest = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int best = 0, least = 0, height = 0, child_width;

      if (!gtk_widget_should_layout (child))
        continue;
      for (int i = 1; i < n; i++)
        if (heights[i] < heights[best])
          best = i;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      child_width = MAX (column_width, least);
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, child_width, NULL, &height, NULL, NULL);
      if (!dry)
        gtk_widget_size_allocate (child,
                                  &(GtkAllocation){ best * (column_width + self->spacing),
                                                    heights[best], child_width, height },
                                  -1);
      heights[best] += height + self->spacing;
      tallest = MAX (tallest, heights[best] - self->spacing);
    }
  return tallest;
}

static void
tsr_columns_layout_measure (GtkLayoutManager *manager,
                            GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  TsrColumnsLayout *self = TSR_COLUMNS_LAYOUT (manager);
  int least = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int width = 0;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
      least = MAX (least, width);
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = least;
      *natural = MAX (least, self->min_width);
    }
  else
    *minimum = *natural = place (self, widget, for_size < 0 ? self->min_width : for_size, TRUE);
}

static void
tsr_columns_layout_allocate (
    GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  place (TSR_COLUMNS_LAYOUT (manager), widget, width, FALSE);
}

static GtkSizeRequestMode
tsr_columns_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tsr_columns_layout_class_init (TsrColumnsLayoutClass *klass)
{
  GtkLayoutManagerClass *manager_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager_class->measure = tsr_columns_layout_measure;
  manager_class->allocate = tsr_columns_layout_allocate;
  manager_class->get_request_mode = tsr_columns_layout_get_request_mode;
}

static void
tsr_columns_layout_init (TsrColumnsLayout *self)
{
}

GtkLayoutManager *
tsr_columns_layout_new (int min_width, int max_columns, int spacing)
{
  TsrColumnsLayout *self = g_object_new (TSR_TYPE_COLUMNS_LAYOUT, NULL);

  self->min_width = MAX (min_width, 1);
  self->max_columns = CLAMP (max_columns, 1, MAX_COLUMNS);
  self->spacing = MAX (spacing, 0);
  return GTK_LAYOUT_MANAGER (self);
}
