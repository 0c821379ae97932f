/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything follows from the width alone, so nothing has to be laid out twice. */

#include "config.h"

#include "tsr-flip-layout.h"

struct _TsrFlipLayout
{
  GtkLayoutManager parent_instance;

  int width;
  double first_share;
  gboolean stretch;
  int spacing;
  int under; /* from this width on what follows the second child stands below the first */
};

G_DEFINE_FINAL_TYPE (TsrFlipLayout, tsr_flip_layout, GTK_TYPE_LAYOUT_MANAGER)

static guint
count (GtkWidget *widget)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += gtk_widget_should_layout (child);
  return n;
}

/* Column of child @i side by side: with a share for the first there are two. */
static guint
column_of (TsrFlipLayout *self, int width, guint i)
{
  if (self->first_share <= 0 || i < 2)
    return i;
  return width >= self->under ? 0 : 1;
}

/* Width of column @i of @n side by side. */
static int
width_of (TsrFlipLayout *self, int width, guint i, guint n)
{
  int all = width - self->spacing * (int)(n - 1);
  int first;

  if (n == 1)
    return width;
  if (self->first_share <= 0)
    return all * (int)(i + 1) / (int)n - all * (int)i / (int)n;
  first = all * self->first_share;
  return i == 0 ? first : (all - first) / (int)(n - 1);
}

static void
tsr_flip_layout_measure (GtkLayoutManager *manager,
                         GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  TsrFlipLayout *self = TSR_FLIP_LAYOUT (manager);
  guint n = count (widget), i = 0;
  gboolean side_by_side = for_size >= self->width;
  guint n_columns = self->first_share > 0 ? MIN (n, 2) : n;
  int bottoms[2] = { 0 }; /* of the two columns */

  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least = 0, wanted = 0;

      if (!gtk_widget_should_layout (child))
        continue;
      if (orientation == GTK_ORIENTATION_HORIZONTAL)
        gtk_widget_measure (child, orientation, -1, &least, &wanted, NULL, NULL);
      else
        gtk_widget_measure (
            child, orientation,
            side_by_side ? width_of (self, for_size, column_of (self, for_size, i), n_columns)
                         : for_size,
            &least, &wanted, NULL, NULL);
      if (orientation == GTK_ORIENTATION_VERTICAL && side_by_side && self->first_share > 0)
        {
          guint column = column_of (self, for_size, i);

          bottoms[column] += wanted + (bottoms[column] > 0 ? self->spacing : 0);
          *minimum = *natural = MAX (bottoms[0], bottoms[1]);
        }
      else if (orientation == GTK_ORIENTATION_HORIZONTAL || side_by_side)
        {
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, wanted);
        }
      else
        {
          *minimum += least + (i > 0 ? self->spacing : 0);
          *natural += wanted + (i > 0 ? self->spacing : 0);
        }
      i++;
    }
}

static void
tsr_flip_layout_allocate (
    GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  TsrFlipLayout *self = TSR_FLIP_LAYOUT (manager);
  guint n = count (widget), i = 0;
  gboolean side_by_side = width >= self->width;
  guint n_columns = self->first_share > 0 ? MIN (n, 2) : n;
  int x = 0, y = 0, bottoms[2] = { 0 };

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      guint column = column_of (self, width, i);
      GtkAllocation place = { x, y, width, height };
      int wanted = 0;

      if (!gtk_widget_should_layout (child))
        continue;
      if (side_by_side)
        place.width = width_of (self, width, column, n_columns);
      if (side_by_side && self->first_share > 0)
        {
          place.x = column > 0 ? width_of (self, width, 0, n_columns) + self->spacing : 0;
          place.y = bottoms[column];
        }
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, place.width, NULL, &wanted, NULL, NULL);
      if (i + 1 == n && gtk_widget_compute_expand (child, GTK_ORIENTATION_VERTICAL))
        place.height = MAX (wanted, height - place.y);
      else if (!side_by_side || !self->stretch)
        place.height = wanted;
      gtk_widget_size_allocate (child, &place, -1);
      if (side_by_side && self->first_share > 0)
        bottoms[column] = place.y + place.height + self->spacing;
      if (side_by_side)
        x += place.width + self->spacing;
      else
        y += place.height + self->spacing;
      i++;
    }
}

static GtkSizeRequestMode
tsr_flip_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tsr_flip_layout_class_init (TsrFlipLayoutClass *klass)
{
  GtkLayoutManagerClass *manager_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager_class->measure = tsr_flip_layout_measure;
  manager_class->allocate = tsr_flip_layout_allocate;
  manager_class->get_request_mode = tsr_flip_layout_get_request_mode;
}

static void
tsr_flip_layout_init (TsrFlipLayout *self)
{
}

GtkLayoutManager *
tsr_flip_layout_new (int width, double first_share, gboolean stretch, int spacing)
{
  TsrFlipLayout *self = g_object_new (TSR_TYPE_FLIP_LAYOUT, NULL);

  self->width = width;
  self->first_share = first_share;
  self->stretch = stretch;
  self->spacing = spacing;
  self->under = G_MAXINT;
  return GTK_LAYOUT_MANAGER (self);
}

void
tsr_flip_layout_set_under (TsrFlipLayout *self, int width)
{
  g_return_if_fail (TSR_IS_FLIP_LAYOUT (self));
  self->under = width;
}
