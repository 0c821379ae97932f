/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Folds controls, one after the other, until the row fits. */

#include "config.h"

#include "tsr-control-row.h"

#include "tsr-compact.h"
#include "tsr-scope-line.h"

#include <glib/gi18n.h>

#define SPACING      6
#define LINE_SPACING 6
#define SCOPE_WIDTH  240 /* of a scope line; with less it is not shown */

struct _TsrControlRow
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrControlRow, tsr_control_row, GTK_TYPE_WIDGET)

#define MAX_CHILDREN 32

/* A child, the form and the line that it gets, and its widths in that form. */
typedef struct
{
  GtkWidget *widget;
  gboolean narrow;
  gboolean left_out; /* a scope line without room: it is told elsewhere, too */
  guint line;
  int minimum, natural;
} Item;

static guint
list_items (GtkWidget *widget, Item *items)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && n < MAX_CHILDREN;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        Item *item = &items[n++];

        *item = (Item){ .widget = child };
        gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &item->minimum, &item->natural,
                            NULL, NULL);
        if (TSR_IS_SCOPE_LINE (child))
          item->minimum = MAX (item->minimum, MIN (item->natural, SCOPE_WIDTH));
      }
  return n;
}

/* Of items [first, end); one of no width takes no gap. */
static int
sum_widths (const Item *items, guint first, guint end, gboolean natural)
{
  int sum = 0;

  for (guint i = first; i < end; i++)
    {
      int width = natural ? items[i].natural : items[i].minimum;

      sum += width > 0 ? width + SPACING : 0;
    }
  return MAX (sum - SPACING, 0);
}

static void
set_form (Item *item, gboolean narrow)
{
  item->narrow = narrow;
  item->minimum = item->natural = tsr_compact_get_width (TSR_COMPACT (item->widget), narrow);
}

/* Puts what comes after the last that expands into a line of its own; where that is not enough, as
 * many into each line as it has room for.  Returns the number of lines. */
static guint
break_lines (Item *items, guint n, int width)
{
  guint line = 0, first = 0, middle = n;

  for (guint i = 0; i < n; i++)
    if (gtk_widget_compute_expand (items[i].widget, GTK_ORIENTATION_HORIZONTAL))
      middle = i;
  if (sum_widths (items, 0, middle, FALSE) > width || sum_widths (items, middle, n, FALSE) > width)
    middle = n;
  for (guint i = 0; i < n; i++)
    {
      if (i == middle || (i > first && sum_widths (items, first, i + 1, FALSE) > width))
        {
          line++;
          first = i;
        }
      items[i].line = line;
    }
  return line + 1;
}

/* Whether the rest then fits into one line; if not, nothing is left out. */
static gboolean
leave_out_scope (Item *items, guint n, int width)
{
  for (guint i = 0; i < n; i++)
    if (TSR_IS_SCOPE_LINE (items[i].widget))
      {
        Item with = items[i];

        items[i].left_out = TRUE;
        items[i].minimum = items[i].natural = 0;
        if (sum_widths (items, 0, n, FALSE) <= width)
          return TRUE;
        items[i] = with;
      }
  return FALSE;
}

/* Decides forms and lines; returns the number of lines.  A scope line is cut before a control
 * folds: its text changes with what is selected, and the controls should stay where they are. */
static guint
plan (Item *items, guint n, int width)
{
  int text = 0;

  for (guint i = 0; i < n; i++)
    if (TSR_IS_COMPACT (items[i].widget))
      set_form (&items[i], FALSE);
    else if (TSR_IS_SCOPE_LINE (items[i].widget))
      text += items[i].natural - items[i].minimum;
  for (guint k = 0; k < 2 * n && sum_widths (items, 0, n, TRUE) - text > width; k++)
    if (TSR_IS_COMPACT (items[k % n].widget)
        && tsr_compact_is_late (TSR_COMPACT (items[k % n].widget)) == (k >= n))
      set_form (&items[k % n], TRUE);
  if (sum_widths (items, 0, n, FALSE) <= width)
    return 1;
  return leave_out_scope (items, n, width) ? 1 : break_lines (items, n, width);
}

static GtkSizeRequestMode
tsr_control_row_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
measure_line (const Item *items, guint n)
{
  int most = 0, natural;

  for (guint i = 0; i < n; i++)
    {
      gtk_widget_measure (items[i].widget, GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL,
                          NULL);
      most = MAX (most, natural);
    }
  return most;
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
  Item items[MAX_CHILDREN];
  guint n = list_items (widget, items), n_lines;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      n_lines = for_size >= 0 ? plan (items, n, for_size) : 1;
      *minimum = *natural
          = measure_line (items, n) * (int)n_lines + LINE_SPACING * (int)(n_lines - 1);
      return;
    }
  /* Of folds the narrow form is the least and the wide one the best: a fold says so itself. */
  *minimum = 0;
  *natural = sum_widths (items, 0, n, TRUE);
  for (guint i = 0; i < n; i++)
    *minimum = MAX (*minimum, items[i].minimum);
}

/* Items [first, end) stand in one line at @y. */
static void
allocate_line (
    GtkWidget *widget, const Item *items, guint first, guint end, int width, int y, int height)
{
  GtkRequestedSize sizes[MAX_CHILDREN];
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int rest = width - sum_widths (items, first, end, TRUE), x = 0;

  for (guint i = first; i < end; i++)
    sizes[i - first]
        = (GtkRequestedSize){ items[i].widget, rest < 0 ? items[i].minimum : items[i].natural,
                              items[i].natural };
  if (rest < 0)
    gtk_distribute_natural_allocation (MAX (width - sum_widths (items, first, end, FALSE), 0),
                                       end - first, sizes);
  for (guint i = first; i < end; i++)
    {
      int size = sizes[i - first].minimum_size;

      if (items[i].left_out)
        continue;
      if (rest > 0 && gtk_widget_compute_expand (items[i].widget, GTK_ORIENTATION_HORIZONTAL))
        {
          size += rest;
          rest = 0;
        }
      gtk_widget_allocate (
          items[i].widget, size, height, -1,
          gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (rtl ? width - x - size : x, y)));
      x += size > 0 ? size + SPACING : 0;
    }
}

static void
tsr_control_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  Item items[MAX_CHILDREN];
  guint n = list_items (widget, items), n_lines = plan (items, n, width), first = 0;
  int line_height = (height - LINE_SPACING * (int)(n_lines - 1)) / (int)n_lines;

  for (guint i = 0; i < n; i++)
    if (TSR_IS_COMPACT (items[i].widget))
      tsr_compact_set_narrow (TSR_COMPACT (items[i].widget), items[i].narrow);
    else if (TSR_IS_SCOPE_LINE (items[i].widget))
      gtk_widget_set_child_visible (items[i].widget, !items[i].left_out);
  for (guint line = 0; line < n_lines; line++)
    {
      guint end = first;

      while (end < n && items[end].line == line)
        end++;
      allocate_line (widget, items, first, end, width, (int)line * (line_height + LINE_SPACING),
                     line_height);
      first = end;
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
  widget_class->get_request_mode = tsr_control_row_get_request_mode;
  widget_class->measure = tsr_control_row_measure;
  widget_class->size_allocate = tsr_control_row_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  gtk_widget_class_set_css_name (widget_class, "controlrow");
}

static void
tsr_control_row_init (TsrControlRow *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Controls"), -1);
}
