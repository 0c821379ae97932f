/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hides the numbers of all tabs if the titles need their room. */

#include "config.h"

#include "tsr-tab-layout.h"

#include "tsr-tab-label.h"

#define HEADER_PADDING 12 /* both sides, see tessera.css */

struct _TsrTabLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrTabLayout, tsr_tab_layout, GTK_TYPE_LAYOUT_MANAGER)

/* Of all tabs that are shown, with the numbers. */
static int
sum_widths (GtkNotebook *notebook)
{
  int sum = 0;

  for (int i = 0; i < gtk_notebook_get_n_pages (notebook); i++)
    {
      GtkWidget *child = gtk_notebook_get_nth_page (notebook, i);
      GtkWidget *label = gtk_notebook_get_tab_label (notebook, child);
      int width;

      if (!gtk_widget_get_visible (child))
        continue;
      gtk_widget_measure (gtk_widget_get_parent (label), GTK_ORIENTATION_HORIZONTAL, -1, &width,
                          NULL, NULL, NULL);
      sum += width + tsr_tab_label_get_folded_width (TSR_TAB_LABEL (label));
    }
  return sum;
}

static void
tsr_tab_layout_measure (GtkLayoutManager *manager,
                        GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
tsr_tab_layout_allocate (
    GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  GtkNotebook *notebook = GTK_NOTEBOOK (gtk_widget_get_first_child (widget));
  gboolean folded = sum_widths (notebook) > width - HEADER_PADDING;

  for (int i = 0; i < gtk_notebook_get_n_pages (notebook); i++)
    tsr_tab_label_set_folded (TSR_TAB_LABEL (gtk_notebook_get_tab_label (
                                  notebook, gtk_notebook_get_nth_page (notebook, i))),
                              folded);
  gtk_widget_measure (GTK_WIDGET (notebook), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL,
                      NULL);
  gtk_widget_allocate (GTK_WIDGET (notebook), width, height, baseline, NULL);
}

static void
tsr_tab_layout_class_init (TsrTabLayoutClass *klass)
{
  GTK_LAYOUT_MANAGER_CLASS (klass)->measure = tsr_tab_layout_measure;
  GTK_LAYOUT_MANAGER_CLASS (klass)->allocate = tsr_tab_layout_allocate;
}

static void
tsr_tab_layout_init (TsrTabLayout *self)
{
}
