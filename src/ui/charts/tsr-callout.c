/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The box of labels that describes a datum, and where it fits. */

#include "config.h"

#include "tsr-callout.h"

#include <math.h>

#define DISTANCE 14

struct _TsrCallout
{
  GtkWidget parent_instance;

  GtkLabel *title, *text;
  double x, y; /* what it points at, in the parent */
};

G_DEFINE_FINAL_TYPE (TsrCallout, tsr_callout, GTK_TYPE_WIDGET)

static void
tsr_callout_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_callout_parent_class)->dispose (object);
}

static void
tsr_callout_class_init (TsrCalloutClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_callout_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static GtkLabel *
add_label (TsrCallout *self, const char *style)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, style);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  return GTK_LABEL (label);
}

static void
tsr_callout_init (TsrCallout *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (widget);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 2);
  gtk_widget_add_css_class (widget, "callout");
  gtk_widget_set_can_target (widget, FALSE);
  gtk_widget_hide (widget);
  self->title = add_label (self, "heading");
  self->text = add_label (self, "numeric");
  /* The chart's own description says the same. */
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

TsrCallout *
tsr_callout_new (void)
{
  return g_object_new (TSR_TYPE_CALLOUT, NULL);
}

void
tsr_callout_show (TsrCallout *self, const char *text, double x, double y)
{
  const char *end;
  g_autofree char *title = NULL;

  g_return_if_fail (TSR_IS_CALLOUT (self));
  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL && *text != '\0');
  if (text == NULL || *text == '\0')
    return;
  end = strchr (text, '\n');
  title = end != NULL ? g_strndup (text, end - text) : g_strdup (text);
  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->text, end != NULL ? end + 1 : "");
  gtk_widget_set_visible (GTK_WIDGET (self->text), end != NULL && end[1] != '\0');
  self->x = x;
  self->y = y;
}

void
tsr_callout_allocate (TsrCallout *self, int width, int height)
{
  GtkWidget *plane = gtk_widget_get_parent (GTK_WIDGET (self));
  GtkWidget *scrolled = gtk_widget_get_ancestor (plane, GTK_TYPE_SCROLLED_WINDOW);
  double top = 0, bottom = height;
  graphene_rect_t view;
  GtkRequisition size;
  double x, y;

  g_return_if_fail (TSR_IS_CALLOUT (self));
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  x = self->x + DISTANCE;
  y = self->y - DISTANCE;
  if (x + size.width > width)
    x = self->x - DISTANCE - size.width;
  /* Of a plane that scrolls only a part is seen. */
  if (scrolled != NULL && gtk_widget_compute_bounds (scrolled, plane, &view))
    {
      top = CLAMP (view.origin.y, 0, height);
      bottom = MIN (view.origin.y + view.size.height, height);
    }
  y = CLAMP (y, top, MAX (bottom - size.height, top));
  gtk_widget_allocate (
      GTK_WIDGET (self), size.width, size.height, -1,
      gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (MAX (round (x), 0), round (y))));
}
