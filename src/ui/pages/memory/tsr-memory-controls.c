/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The controls of the Memory page beside its options: what of them the report has, and the entry
 * for tiles. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-popover.h"

#include <glib/gi18n.h>
#include <string.h>

/* Tile entry */

static void
set_entry_error (TsrMemoryPage *self, const char *text)
{
  GtkWidget *entry = GTK_WIDGET (self->tile_entry);
  graphene_rect_t bounds;

  if (text == NULL)
    {
      gtk_widget_remove_css_class (entry, "error");
      gtk_popover_popdown (GTK_POPOVER (self->error_popover));
      gtk_accessible_reset_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID);
      gtk_accessible_reset_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      return;
    }
  gtk_widget_add_css_class (entry, "error");
  gtk_label_set_label (self->error_label, text);
  if (gtk_widget_compute_bounds (entry, GTK_WIDGET (self), &bounds))
    gtk_popover_set_pointing_to (
        GTK_POPOVER (self->error_popover),
        &(GdkRectangle){ bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height });
  gtk_popover_popup (GTK_POPOVER (self->error_popover));
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               GTK_ACCESSIBLE_INVALID_TRUE, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

/* What was typed stays while it says the same: "top5" says more than five numbers. */
static gboolean
says_tiles (TsrMemoryPage *self, const guint *tiles, guint n)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->tile_entry));
  g_autoptr (GArray) said = NULL;

  if (n == 0 || self->memory == NULL)
    return FALSE;
  said = tsr_memory_parse_tiles (self->memory, text, NULL);
  return said != NULL && said->len == n && memcmp (said->data, tiles, n * sizeof *tiles) == 0;
}

void
tsr_memory_page_show_selection_in_entry (TsrMemoryPage *self)
{
  g_autofree char *text = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  text = n > 0 ? tsr_memory_format_tiles (tiles, n) : g_strdup ("");
  if (!says_tiles (self, tiles, n))
    gtk_editable_set_text (GTK_EDITABLE (self->tile_entry), text);
  set_entry_error (self, NULL);
}

static void
on_entry_changed (GtkEditable *editable, TsrMemoryPage *self)
{
  set_entry_error (self, NULL);
}

gboolean
tsr_memory_page_enter_tiles (TsrMemoryPage *self, const char *text)
{
  g_autoptr (GArray) tiles = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  double first;

  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self) && self->memory != NULL, FALSE);
  if (*stripped == '\0')
    {
      tsr_tile_selection_clear (tsr_memory_page_get_selection (self));
      set_entry_error (self, NULL);
      return TRUE;
    }
  tiles = tsr_memory_parse_tiles (self->memory, stripped, &error);
  if (tiles == NULL)
    {
      set_entry_error (self, error->message);
      return FALSE;
    }
  set_entry_error (self, NULL);
  tsr_tile_selection_set (tsr_memory_page_get_selection (self), (const guint *)tiles->data,
                          tiles->len);
  if (tiles->len == 1)
    {
      first = tsr_chart_model_position_of (TSR_CHART_MODEL (self->model),
                                           g_array_index (tiles, guint, 0));
      tsr_viewport_reveal (tsr_chart_get_viewport (self->chart), first, first + 1);
    }
  return TRUE;
}

static void
on_entry_activate (GtkEntry *entry, TsrMemoryPage *self)
{
  if (self->memory != NULL)
    tsr_memory_page_enter_tiles (self, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static gboolean
on_entry_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tsr_memory_page_show_selection_in_entry (data);
  return TRUE;
}

void
tsr_memory_page_init_entry (TsrMemoryPage *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->error_popover = gtk_popover_new ();
  self->error_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->error_label, TRUE);
  gtk_label_set_max_width_chars (self->error_label, 48);
  gtk_widget_add_css_class (GTK_WIDGET (self->error_label), "error");
  tsr_popover_set_child (GTK_POPOVER (self->error_popover), GTK_WIDGET (self->error_label));
  /* It says something and takes nothing: typing goes on. */
  gtk_popover_set_autohide (GTK_POPOVER (self->error_popover), FALSE);
  gtk_widget_set_can_focus (self->error_popover, FALSE);
  gtk_widget_set_parent (self->error_popover, GTK_WIDGET (self));
  gtk_popover_set_position (GTK_POPOVER (self->error_popover), GTK_POS_BOTTOM);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_callback_action_new (on_entry_escape, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->tile_entry), keys);
  g_signal_connect (self->tile_entry, "activate", G_CALLBACK (on_entry_activate), self);
  g_signal_connect (self->tile_entry, "changed", G_CALLBACK (on_entry_changed), self);
}

/* Options */

/* The buttons that stand for a choice are named by what is chosen. */
void
tsr_memory_page_update_labels (TsrMemoryPage *self, const TsrMemoryChartOptions *options)
{
  GtkWidget *breakdowns[]
      = { self->breakdown_none_check, self->breakdown_region_check, self->breakdown_category_check,
          self->breakdown_liveness_check, self->breakdown_peak_check };
  gtk_menu_button_set_label (self->breakdown_button, gtk_check_button_get_label (GTK_CHECK_BUTTON (
                                                         breakdowns[options->breakdown])));
}

/* What the report cannot show is insensitive and says why. */
static void
set_possible (GtkWidget *button, gboolean possible, const char *why)
{
  const char *usual = g_object_get_data (G_OBJECT (button), "usual-tooltip");

  if (usual == NULL)
    {
      usual = gtk_widget_get_tooltip_text (button);
      g_object_set_data_full (G_OBJECT (button), "usual-tooltip", g_strdup (usual), g_free);
      usual = g_object_get_data (G_OBJECT (button), "usual-tooltip");
    }
  gtk_widget_set_sensitive (button, possible);
  gtk_widget_set_tooltip_text (button, possible || why == NULL ? usual : why);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  possible || why == NULL ? usual : why, -1);
}

void
tsr_memory_page_update_possible (TsrMemoryPage *self)
{
  GtkWidget *breakdowns[]
      = { self->breakdown_none_check, self->breakdown_region_check, self->breakdown_category_check,
          self->breakdown_liveness_check, self->breakdown_peak_check };
  GtkWidget *orders[] = { self->order_software, self->order_physical, self->order_bytes };
  gboolean capacity = tsr_memory_get_capacity (self->memory) != TSR_UNKNOWN;
  gboolean at_step = tsr_memory_chart_get_step (self->model) != TSR_NO_INDEX;
  g_autofree char *no_gaps = NULL;
  gboolean gaps;

  for (guint i = 0; i < G_N_ELEMENTS (breakdowns); i++)
    {
      g_autofree char *why = NULL;
      gboolean can = tsr_memory_chart_can_break_down (self->model, i, &why);

      /* It is what the report will have. */
      if (i == TSR_BREAKDOWN_PEAK && !can
          && (self->has_peaks
              || tsr_session_is_lowered_pending (tsr_memory_page_get_session (self))))
        can = TRUE;
      if (can && at_step && i != TSR_BREAKDOWN_NONE && i != TSR_BREAKDOWN_LIVENESS)
        {
          can = FALSE;
          why = g_strdup (_ ("At a liveness step memory is shown as a whole or by liveness"));
        }
      set_possible (breakdowns[i], can, why);
    }
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *why = NULL;
      gboolean can = tsr_memory_chart_can_order (self->model, i, &why);

      set_possible (orders[i], can, why);
    }
  gaps = tsr_memory_chart_can_include_gaps (self->model, &no_gaps);
  set_possible (self->gaps_check, gaps, no_gaps);
  set_possible (self->max_check, capacity, _ ("The report does not record the memory of a tile"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.include-gaps", gaps);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.show-max", capacity);
}
