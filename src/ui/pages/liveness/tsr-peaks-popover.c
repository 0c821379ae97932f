/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of peaks. */

#include "config.h"

#include "tsr-peaks-popover.h"

#include <glib/gi18n.h>

struct _TsrPeaksPopover
{
  GtkPopover parent_instance;

  GtkWidget *list;
  GtkSizeGroup *steps; /* of their labels */
};

G_DEFINE_FINAL_TYPE (TsrPeaksPopover, tsr_peaks_popover, GTK_TYPE_POPOVER)

static guint jump_signal;

static GtkWidget *
new_label (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_row (TsrPeaksPopover *self,
         TsrLiveness *liveness,
         guint place,
         const TsrPeak *peak,
         gint64 bytes,
         TsrUnits units)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label, *name;
  const char *words = tsr_liveness_get_step_name (liveness, peak->step);
  const char *type = tsr_liveness_get_step_type (liveness, peak->step);
  g_autofree char *number = g_strdup_printf ("%u", place + 1);
  g_autofree char *count = tsr_units_dup_count (peak->step);
  g_autofree char *step = g_strdup_printf (_ ("Step %s"), count);
  g_autofree char *size = tsr_units_dup_bytes (units, bytes);
  g_autofree char *exact = tsr_units_dup_bytes_exact (bytes);
  g_autofree char *n = tsr_units_dup_count (peak->n), *times = g_strdup_printf (_ ("× %s"), n);
  g_autofree char *spoken = NULL, *tooltip = NULL;

  label = new_label (step, 0, "numeric");
  if (words == NULL || *words == '\0')
    words = type != NULL ? type : "–";
  gtk_box_append (GTK_BOX (box), new_label (number, 0.5, "peak-number"));
  gtk_size_group_add_widget (self->steps, label);
  gtk_box_append (GTK_BOX (box), label);
  name = new_label (words, 0, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars (GTK_LABEL (name), 48);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), name);
  if (peak->n > 1)
    gtk_box_append (GTK_BOX (box), new_label (times, 1, "numeric"));
  gtk_box_append (GTK_BOX (box), new_label (size, 1, "numeric"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  tooltip = g_strdup_printf ("%s\n%s%s%s", exact, type != NULL ? type : "",
                             type != NULL ? ", " : "", words);
  gtk_widget_set_tooltip_text (row, tooltip);
  spoken = g_strdup_printf (_ ("Peak %s: step %s, %s, %s"), number, count, size, words);
  if (peak->n > 1)
    {
      g_autofree char *once = g_steal_pointer (&spoken);

      spoken = g_strdup_printf ("%s, %s", once, times);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return row;
}

void
tsr_peaks_popover_set_peaks (
    TsrPeaksPopover *self, TsrLiveness *liveness, GArray *peaks, gint64 always_live, TsrUnits units)
{
  GtkListBoxRow *row;

  g_return_if_fail (TSR_IS_PEAKS_POPOVER (self));
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; peaks != NULL && i < peaks->len; i++)
    {
      const TsrPeak *peak = &g_array_index (peaks, TsrPeak, i);
      gint64 bytes = TSR_UNKNOWN;

      if (always_live == TSR_UNKNOWN || peak->bytes == TSR_UNKNOWN
          || __builtin_add_overflow (peak->bytes, always_live, &bytes))
        bytes = TSR_UNKNOWN;
      gtk_list_box_append (GTK_LIST_BOX (self->list),
                           new_row (self, liveness, i, peak, bytes, units));
    }
}

static void
on_row_activated (TsrPeaksPopover *self, GtkListBoxRow *row)
{
  guint place = gtk_list_box_row_get_index (row);

  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, jump_signal, 0, place);
}

static void
tsr_peaks_popover_finalize (GObject *object)
{
  g_object_unref (TSR_PEAKS_POPOVER (object)->steps);
  G_OBJECT_CLASS (tsr_peaks_popover_parent_class)->finalize (object);
}

static void
tsr_peaks_popover_class_init (TsrPeaksPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_peaks_popover_finalize;
  jump_signal = g_signal_new ("jump", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
tsr_peaks_popover_init (TsrPeaksPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *help = gtk_label_new (_ (
      "The highest peaks, between which the graph falls by a fiftieth of the highest at least, one "
      "of each program (× 7: it has seven); the keys 1 to 9 go there"));

  self->steps = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), gtk_label_new (_ ("No peaks")));
  gtk_widget_add_css_class (self->list, "peaks");
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_label_set_wrap (GTK_LABEL (help), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (help), 56);
  gtk_label_set_xalign (GTK_LABEL (help), 0);
  gtk_widget_add_css_class (help, "dim-label");
  gtk_widget_add_css_class (help, "caption");
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), help);
  gtk_popover_set_child (GTK_POPOVER (self), box);
}
