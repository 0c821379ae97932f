/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The title of a tab and the number of its rows, in the middle of what both may need. */

#include "config.h"

#include "tsr-tab-label.h"

#define SPACING    6
#define WIDEST     8888888 /* "8.89 M" */
#define MOST_EXACT 9999    /* the table itself has all digits */

struct _TsrTabLabel
{
  GtkWidget parent_instance;

  GtkLabel *title, *count;
  GtkStack *place;   /* as wide as the widest of what it could show, unless it is folded */
  GtkWidget *widest; /* title and number */
  gboolean folded;
  char *text;
};

G_DEFINE_FINAL_TYPE (TsrTabLabel, tsr_tab_label, GTK_TYPE_WIDGET)

static void
update (TsrTabLabel *self)
{
  const char *count = gtk_label_get_label (self->count);

  gtk_widget_set_visible (GTK_WIDGET (self->count), *count != '\0' && !self->folded);
  gtk_stack_set_hhomogeneous (self->place, !self->folded);
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
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
add_box (TsrTabLabel *self, GtkLabel *title, GtkLabel *count)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (count), "numeric");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (title));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (count));
  gtk_stack_add_child (self->place, box);
  return box;
}

static void
tsr_tab_label_init (TsrTabLabel *self)
{
  self->title = GTK_LABEL (gtk_label_new (NULL));
  self->count = GTK_LABEL (gtk_label_new (""));
  self->place = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->place), GTK_WIDGET (self));
  add_box (self, self->title, self->count);
}

TsrTabLabel *
tsr_tab_label_new (const char *title, const char *tooltip)
{
  TsrTabLabel *self = g_object_new (TSR_TYPE_TAB_LABEL, NULL);
  g_autofree char *widest = tsr_units_dup_short (WIDEST);

  gtk_label_set_label (self->title, title);
  self->widest
      = add_box (self, GTK_LABEL (gtk_label_new (title)), GTK_LABEL (gtk_label_new (widest)));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tooltip);
  update (self);
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
  update (self);
}

void
tsr_tab_label_set_folded (TsrTabLabel *self, gboolean folded)
{
  g_return_if_fail (TSR_IS_TAB_LABEL (self));
  self->folded = folded;
  update (self);
}

int
tsr_tab_label_get_folded_width (TsrTabLabel *self)
{
  int width, title;

  g_return_val_if_fail (TSR_IS_TAB_LABEL (self), 0);
  if (!self->folded)
    return 0;
  gtk_widget_measure (self->widest, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (self->title), GTK_ORIENTATION_HORIZONTAL, -1, &title, NULL, NULL,
                      NULL);
  return width - title;
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
  tsr_row_view_set_counted (view);
  g_signal_connect_object (view, "arranged", G_CALLBACK (on_arranged), self, G_CONNECT_SWAPPED);
  on_arranged (self, view);
}
