/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fills a box with step types and their colours. */

#include "config.h"

#include "tsr-trace-key.h"

#include "tsr-swatch.h"
#include "tsr-trace-chart.h"

#include <glib/gi18n.h>

static void
clear (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static GtkWidget *
new_swatch (guint ink, const char *name)
{
  const TsrChartSeries series = { .name = name, .ink = ink, .filled = TRUE, .visible = TRUE };
  TsrSwatch *swatch = tsr_swatch_new ();

  tsr_swatch_set_series (swatch, &series);
  gtk_widget_set_valign (GTK_WIDGET (swatch), GTK_ALIGN_CENTER);
  return GTK_WIDGET (swatch);
}

static GtkWidget *
new_line (guint ink, const char *text, const char *tooltip)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (box), new_swatch (ink, text));
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_tooltip_text (box, tooltip);
  return box;
}

static void
add_text (GtkBox *box, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (box, label);
}

#define LABEL_KEY "tsr-type-label"

static void
on_toggled (GtkCheckButton *check, TsrTraceState *state)
{
  tsr_trace_state_set_hidden (state, g_object_get_data (G_OBJECT (check), LABEL_KEY),
                              !gtk_check_button_get_active (check));
}

static void
on_hidden_changed (TsrTraceState *state, GtkCheckButton *check)
{
  const char *const *hidden = tsr_trace_state_peek_hidden (state);
  const char *label = g_object_get_data (G_OBJECT (check), LABEL_KEY);

  gtk_check_button_set_active (check, !g_strv_contains (hidden, label));
}

void
tsr_trace_key_fill_types (GtkBox *box, const TsrTrace *trace, TsrTraceState *state)
{
  GtkWidget *all = gtk_button_new_with_label (_ ("Show all types"));

  g_return_if_fail (GTK_IS_BOX (box) && TSR_IS_TRACE_STATE (state));
  clear (box);
  for (guint i = 0; trace != NULL && i < tsr_trace_get_n_types (trace); i++)
    {
      const TsrTraceType *type = tsr_trace_get_type (trace, i);
      GtkWidget *check = gtk_check_button_new ();

      gtk_check_button_set_child (
          GTK_CHECK_BUTTON (check),
          new_line (tsr_trace_get_ink (type), type->label,
                    type->start_up ? _ ("The wait before a run begins: never counted in the "
                                        "utilisation of tiles")
                                   : NULL));
      g_object_set_data_full (G_OBJECT (check), LABEL_KEY, g_strdup (type->label), g_free);
      gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      type->label, -1);
      on_hidden_changed (state, GTK_CHECK_BUTTON (check));
      g_signal_connect_object (check, "toggled", G_CALLBACK (on_toggled), state, 0);
      g_signal_connect_object (state, "hidden-changed", G_CALLBACK (on_hidden_changed), check, 0);
      gtk_box_append (box, check);
    }
  gtk_actionable_set_action_name (GTK_ACTIONABLE (all), "trace.show-all-types");
  gtk_widget_set_margin_top (all, 6);
  gtk_box_append (box, all);
  add_text (box, _ ("What is hidden is neither drawn nor counted in proportions, utilisation and "
                    "balance"));
}
