/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-control-row.h"

#include "tsr-fold.h"

#define SPACING 12

struct _TsrControlRow
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrControlRow, tsr_control_row, GTK_TYPE_WIDGET)

static guint
list_children (GtkWidget *widget, GtkWidget **children, guint n_max)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && n < n_max;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      children[n++] = child;
  return n;
}

#define MAX_CHILDREN 32

/* Sum of the children as they are folded now; a child of no width takes no gap. */
static int
sum_widths (GtkWidget **children, guint n, GtkRequestedSize *sizes, gboolean natural)
{
  int sum = 0;

  for (guint i = 0; i < n; i++)
    {
      int minimum_size, natural_size;

      gtk_widget_measure (children[i], GTK_ORIENTATION_HORIZONTAL, -1, &minimum_size, &natural_size,
                          NULL, NULL);
      if (sizes != NULL)
        sizes[i] = (GtkRequestedSize){ children[i], minimum_size, natural_size };
      sum += natural ? natural_size : minimum_size;
      if (natural_size > 0)
        sum += SPACING;
    }
  return MAX (sum - SPACING, 0);
}

static void
set_folded (GtkWidget **children, guint n, gboolean folded)
{
  for (guint i = 0; i < n; i++)
    if (TSR_IS_FOLD (children[i]))
      tsr_fold_set_folded (TSR_FOLD (children[i]), folded);
}

static void
tsr_control_row_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  GtkWidget *children[MAX_CHILDREN];
  guint n = list_children (widget, children, MAX_CHILDREN);

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      for (guint i = 0; i < n; i++)
        {
          int minimum_size, natural_size;

          gtk_widget_measure (children[i], orientation, -1, &minimum_size, &natural_size, NULL,
                              NULL);
          *minimum = MAX (*minimum, minimum_size);
          *natural = MAX (*natural, natural_size);
        }
      return;
    }
  /* Of folds the narrow form is the least and the wide one the best: a fold says so itself. */
  *minimum = sum_widths (children, n, NULL, FALSE);
  *natural = sum_widths (children, n, NULL, TRUE);
}

static int
fold_delta (GtkWidget *child)
{
  return tsr_fold_get_width (TSR_FOLD (child), FALSE) - tsr_fold_get_width (TSR_FOLD (child), TRUE);
}

/* Decides the forms; returns how much of the natural widths is left over (negative: lacking). */
static int
fold (GtkWidget **children, guint n, int width)
{
  int rest;

  set_folded (children, n, FALSE);
  rest = width - sum_widths (children, n, NULL, TRUE);
  for (guint i = 0; i < n && rest < 0; i++)
    if (TSR_IS_FOLD (children[i]))
      {
        rest += fold_delta (children[i]);
        if (tsr_fold_get_width (TSR_FOLD (children[i]), TRUE) == 0)
          rest += SPACING;
        tsr_fold_set_folded (TSR_FOLD (children[i]), TRUE);
      }
  return rest;
}

static void
tsr_control_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *children[MAX_CHILDREN];
  GtkRequestedSize sizes[MAX_CHILDREN];
  guint n = list_children (widget, children, MAX_CHILDREN);
  int rest = fold (children, n, width), x = 0;
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  sum_widths (children, n, sizes, TRUE);
  for (guint i = 0; i < n; i++)
    {
      if (TSR_IS_FOLD (children[i]))
        {
          TsrFold *one = TSR_FOLD (children[i]);

          sizes[i].minimum_size = sizes[i].natural_size
              = tsr_fold_get_width (one, tsr_fold_is_folded (one));
        }
      if (rest >= 0)
        sizes[i].minimum_size = sizes[i].natural_size;
    }
  if (rest < 0)
    {
      int least = 0, gaps = 0;

      for (guint i = 0; i < n; i++)
        {
          least += sizes[i].minimum_size;
          gaps += sizes[i].natural_size > 0 ? SPACING : 0;
        }
      gtk_distribute_natural_allocation (MAX (width - least - MAX (gaps - SPACING, 0), 0), n,
                                         sizes);
    }
  for (guint i = 0; i < n; i++)
    {
      int size = sizes[i].minimum_size;

      if (rest > 0 && gtk_widget_compute_expand (children[i], GTK_ORIENTATION_HORIZONTAL))
        {
          size += rest;
          rest = 0;
        }
      gtk_widget_allocate (
          children[i], size, height, baseline,
          gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (rtl ? width - x - size : x, 0)));
      x += size > 0 ? size + SPACING : 0;
    }
}

static void
tsr_control_row_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_control_row_parent_class)->dispose (object);
}

static void
tsr_control_row_class_init (TsrControlRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_control_row_dispose;
  widget_class->measure = tsr_control_row_measure;
  widget_class->size_allocate = tsr_control_row_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  gtk_widget_class_set_css_name (widget_class, "controlrow");
}

static void
tsr_control_row_init (TsrControlRow *self)
{
}

TsrControlRow *
tsr_control_row_new (void)
{
  return g_object_new (TSR_TYPE_CONTROL_ROW, NULL);
}
