/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The title of a tab and the number of its rows. */

#include "config.h"

#include "tsr-tab-label.h"

#define SPACING    6
#define WIDEST     8888888 /* "8.89 M" */
#define MOST_EXACT 9999    /* the table itself has all digits */

struct _TsrTabLabel
{
  GtkWidget parent_instance;

  GtkLabel *title, *count;
  GtkWidget *place;  /* of the count */
  GtkWidget *widest; /* what could stand there */
  gboolean counted;
  char *text;
};

G_DEFINE_FINAL_TYPE (TsrTabLabel, tsr_tab_label, GTK_TYPE_WIDGET)

static void
update_text (TsrTabLabel *self)
{
  const char *count = gtk_label_get_label (self->count);

  g_free (self->text);
  self->text
      = g_strconcat (gtk_label_get_label (self->title), *count != '\0' ? " " : "", count, NULL);
}

static void
tsr_tab_label_dispose (GObject *object)
{
  TsrTabLabel *self = TSR_TAB_LABEL (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_tab_label_parent_class)->dispose (object);
}

static void
tsr_tab_label_finalize (GObject *object)
{
  g_free (TSR_TAB_LABEL (object)->text);
  G_OBJECT_CLASS (tsr_tab_label_parent_class)->finalize (object);
}

static void
tsr_tab_label_class_init (TsrTabLabelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_tab_label_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_tab_label_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
tsr_tab_label_init (TsrTabLabel *self)
{
  g_autofree char *widest = tsr_units_dup_short (WIDEST);

  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              SPACING);
  self->title = GTK_LABEL (gtk_label_new (NULL));
  self->count = GTK_LABEL (gtk_label_new (""));
  self->place = gtk_stack_new ();
  self->widest = gtk_label_new (widest);
  gtk_widget_set_parent (GTK_WIDGET (self->title), GTK_WIDGET (self));
  gtk_widget_set_parent (self->place, GTK_WIDGET (self));
  gtk_widget_add_css_class (self->place, "numeric");
  gtk_label_set_xalign (self->count, 0);
  /* A stack is as wide as the widest of what it could show. */
  gtk_stack_add_child (GTK_STACK (self->place), GTK_WIDGET (self->count));
  gtk_stack_add_child (GTK_STACK (self->place), self->widest);
}

TsrTabLabel *
tsr_tab_label_new (const char *title, const char *tooltip, gboolean counted)
{
  TsrTabLabel *self = g_object_new (TSR_TYPE_TAB_LABEL, NULL);

  gtk_label_set_label (self->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tooltip);
  self->counted = counted;
  gtk_widget_set_visible (self->place, counted);
  update_text (self);
  return self;
}

void
tsr_tab_label_set_count (TsrTabLabel *self, gint64 count)
{
  g_autofree char *text = NULL;

  g_return_if_fail (TSR_IS_TAB_LABEL (self));
  text = count == TSR_UNKNOWN  ? g_strdup ("")
         : count <= MOST_EXACT ? tsr_units_dup_count (count)
                               : tsr_units_dup_short (count);
  gtk_label_set_label (self->count, text);
  update_text (self);
}

void
tsr_tab_label_set_folded (TsrTabLabel *self, gboolean folded)
{
  g_return_if_fail (TSR_IS_TAB_LABEL (self));
  gtk_widget_set_visible (self->place, self->counted && !folded);
}

int
tsr_tab_label_get_folded_width (TsrTabLabel *self)
{
  int width;

  g_return_val_if_fail (TSR_IS_TAB_LABEL (self), 0);
  if (!self->counted || gtk_widget_get_visible (self->place))
    return 0;
  /* What is hidden itself measures nothing. */
  gtk_widget_measure (self->widest, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  return width + SPACING;
}

const char *
tsr_tab_label_get_text (TsrTabLabel *self)
{
  g_return_val_if_fail (TSR_IS_TAB_LABEL (self), NULL);
  return self->text;
}

static void
on_arranged (TsrTabLabel *self, TsrRowView *view)
{
  tsr_tab_label_set_count (
      self, tsr_row_view_get_rows (view) != NULL ? tsr_row_view_get_n_shown (view) : TSR_UNKNOWN);
}

void
tsr_tab_label_follow (TsrTabLabel *self, TsrRowView *view)
{
  g_return_if_fail (TSR_IS_TAB_LABEL (self) && TSR_IS_ROW_VIEW (view));
  g_signal_connect_object (view, "arranged", G_CALLBACK (on_arranged), self, G_CONNECT_SWAPPED);
  on_arranged (self, view);
}
