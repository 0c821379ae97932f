/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A heading for each subject, and below it a sample and a name for each of its inks. */

#include "config.h"

#include "tsr-colour-key.h"

#include "tsr-palette.h"
#include "tsr-swatch.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define RAMP_SAMPLES 8

static GtkWidget *
new_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), style != NULL);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* @text (nullable): a sample without a name. */
static GtkWidget *
new_sample (guint ink, const char *text)
{
  const TsrChartSeries series
      = { .name = text, .ink = ink, .filled = ink != TSR_INK_CAPACITY, .visible = TRUE };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  TsrSwatch *swatch = tsr_swatch_new ();

  tsr_swatch_set_series (swatch, &series);
  gtk_widget_set_valign (GTK_WIDGET (swatch), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (swatch));
  if (text != NULL)
    gtk_box_append (GTK_BOX (box), new_label (text, NULL));
  return box;
}

static gboolean
occurs (TsrMemory *memory, guint category)
{
  for (guint i = 0; memory != NULL && i < tsr_memory_get_n_categories (memory); i++)
    if (tsr_palette_get_category_ink (tsr_memory_get_category_name (memory, i))
        == TSR_INK_CATEGORY + category)
      return TRUE;
  return memory == NULL;
}

/* (transfer full) (nullable): NULL leaves @ink out; "": a sample without a name. */
static char *
dup_text (guint ink, TsrMemory *memory)
{
  guint n_ipus = memory != NULL ? tsr_memory_get_n_ipus (memory) : TSR_N_IPU_INKS;

  switch (tsr_palette_get_subject (ink))
    {
    case TSR_COLOUR_IPU:
      return ink - TSR_INK_IPU < n_ipus ? g_strdup_printf (_ ("IPU %u"), ink - TSR_INK_IPU) : NULL;
    case TSR_COLOUR_CATEGORY:
      return occurs (memory, ink - TSR_INK_CATEGORY) ? g_strdup (tsr_palette_get_name (ink)) : NULL;
    case TSR_COLOUR_NAME:
      return ink < TSR_INK_STRUCTURE ? g_strdup ("") : NULL;
    case TSR_COLOUR_AMOUNT:
      return (ink - TSR_INK_RAMP) % (TSR_N_RAMP_INKS / RAMP_SAMPLES) == 0 ? g_strdup ("") : NULL;
    case TSR_COLOUR_MARK:
      if (ink >= TSR_INK_MARK && ink < TSR_INK_MARK + TSR_N_MARK_INKS)
        return g_strdup_printf (_ ("Selected step %c"), 'A' + (int)(ink - TSR_INK_MARK));
      return g_strdup (tsr_palette_get_name (ink));
    case TSR_COLOUR_NONE:
    case TSR_COLOUR_VERDICT:
    case TSR_COLOUR_MEMORY:
    case TSR_COLOUR_LIFE:
    case TSR_COLOUR_REGION:
    case TSR_COLOUR_STEP:
    case TSR_N_COLOUR_SUBJECTS:
    default:
      return g_strdup (tsr_palette_get_name (ink));
    }
}

static void
add_section (GtkBox *box, TsrColourSubject subject, TsrMemory *memory)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *flow = g_object_new (GTK_TYPE_FLOW_BOX, "can-focus", FALSE, NULL);
  const char *note = tsr_palette_get_subject_note (subject);
  guint n = 0, n_named = 0;

  gtk_box_append (GTK_BOX (section), new_label (tsr_palette_get_subject_name (subject), "heading"));
  gtk_box_append (GTK_BOX (section), flow);
  gtk_box_append (box, section);
  for (guint ink = 0; ink < TSR_N_INKS; ink++)
    {
      g_autofree char *text
          = tsr_palette_get_subject (ink) == subject ? dup_text (ink, memory) : NULL;

      if (text == NULL)
        continue;
      gtk_flow_box_insert (GTK_FLOW_BOX (flow), new_sample (ink, *text != '\0' ? text : NULL), -1);
      n++;
      n_named += *text != '\0';
    }
  /* A report may have no category that is known. */
  if (n == 0)
    {
      gtk_box_remove (box, section);
      return;
    }
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (flow), n_named > 0 ? 2 : n);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), n_named > 0 ? 2 : n);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (flow), n_named > 0 ? 12 : 0);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (flow), TRUE);
  gtk_widget_set_halign (flow, n_named > 0 ? GTK_ALIGN_FILL : GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (flow), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tsr_palette_get_subject_name (subject), -1);
  if (note != NULL)
    {
      GtkWidget *label = new_label (note, "dim-label");

      gtk_widget_add_css_class (label, "caption");
      gtk_box_append (GTK_BOX (section), label);
    }
}

GtkWindow *
tsr_colour_key_new (GtkWindow *parent, guint subjects, TsrMemory *memory)
{
  GtkWidget *window = g_object_new (ADW_TYPE_WINDOW, "transient-for", parent, "modal", TRUE,
                                    "title", _ ("What the Colours Mean"), "default-width", 480,
                                    "default-height", 560, NULL);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkShortcutController *keys = GTK_SHORTCUT_CONTROLLER (gtk_shortcut_controller_new ());

  g_return_val_if_fail (parent == NULL || GTK_IS_WINDOW (parent), NULL);
  for (guint subject = TSR_COLOUR_NONE + 1; subject < TSR_N_COLOUR_SUBJECTS; subject++)
    if ((subjects >> subject & 1) != 0)
      add_section (GTK_BOX (box), subject, memory);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 18);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (content), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (content), scrolled);
  adw_window_set_content (ADW_WINDOW (window), content);
  gtk_shortcut_controller_add_shortcut (
      keys, gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                              gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, GTK_EVENT_CONTROLLER (keys));
  return GTK_WINDOW (window);
}
