/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows the wide or the narrow form of some controls. */

#include "config.h"

#include "tsr-compact.h"

struct _TsrCompact
{
  GtkWidget parent_instance;

  GtkWidget *wide, *narrow; /* narrow: nullable */
  gboolean is_narrow, late;
};

enum
{
  PROP_0,
  PROP_LATE,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrCompact,
                               tsr_compact,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

static GtkBuildableIface *parent_buildable;

static void
set_form (TsrCompact *self, GtkWidget **form, GtkWidget *widget)
{
  *form = widget;
  gtk_widget_set_parent (widget, GTK_WIDGET (self));
}

static void
buildable_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  TsrCompact *self = TSR_COMPACT (buildable);

  if (g_strcmp0 (type, "wide") == 0)
    set_form (self, &self->wide, GTK_WIDGET (child));
  else if (g_strcmp0 (type, "narrow") == 0)
    set_form (self, &self->narrow, GTK_WIDGET (child));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = buildable_add_child;
}

static int
get_size (GtkWidget *widget, GtkOrientation orientation, int *natural)
{
  int minimum = 0;

  *natural = 0;
  if (widget != NULL)
    gtk_widget_measure (widget, orientation, -1, &minimum, natural, NULL, NULL);
  return minimum;
}

static void
tsr_compact_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  TsrCompact *self = TSR_COMPACT (widget);
  int wide_natural, narrow_natural;
  int wide = get_size (self->wide, orientation, &wide_natural);
  int narrow = get_size (self->narrow, orientation, &narrow_natural);

  *natural = MAX (wide_natural, narrow_natural);
  *minimum = orientation == GTK_ORIENTATION_VERTICAL ? MAX (wide, narrow) : MIN (wide, narrow);
}

static void
tsr_compact_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrCompact *self = TSR_COMPACT (widget);
  GtkWidget *shown = self->is_narrow ? self->narrow : self->wide;

  if (shown != NULL)
    gtk_widget_allocate (shown, width, height, baseline, NULL);
}

static void
tsr_compact_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_LATE)
    TSR_COMPACT (object)->late = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
tsr_compact_dispose (GObject *object)
{
  TsrCompact *self = TSR_COMPACT (object);

  g_clear_pointer (&self->wide, gtk_widget_unparent);
  g_clear_pointer (&self->narrow, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_compact_parent_class)->dispose (object);
}

static void
tsr_compact_class_init (TsrCompactClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_compact_dispose;
  G_OBJECT_CLASS (klass)->set_property = tsr_compact_set_property;
  props[PROP_LATE]
      = g_param_spec_boolean ("late", NULL, NULL, FALSE, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  widget_class->measure = tsr_compact_measure;
  widget_class->size_allocate = tsr_compact_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tsr_compact_init (TsrCompact *self)
{
}

void
tsr_compact_set_narrow (TsrCompact *self, gboolean narrow)
{
  g_return_if_fail (TSR_IS_COMPACT (self));
  self->is_narrow = narrow;
  if (self->wide != NULL)
    gtk_widget_set_child_visible (self->wide, !narrow);
  if (self->narrow != NULL)
    gtk_widget_set_child_visible (self->narrow, narrow);
}

int
tsr_compact_get_width (TsrCompact *self, gboolean narrow)
{
  int natural;

  g_return_val_if_fail (TSR_IS_COMPACT (self), 0);
  get_size (narrow ? self->narrow : self->wide, GTK_ORIENTATION_HORIZONTAL, &natural);
  return natural;
}

gboolean
tsr_compact_is_late (TsrCompact *self)
{
  g_return_val_if_fail (TSR_IS_COMPACT (self), FALSE);
  return self->late;
}
