/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The details of the Memory page: the tabs below the chart. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include <glib/gi18n.h>

char *
tsr_memory_page_dup_details_csv (TsrMemoryPage *self)
{
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  return self->memory != NULL ? tsr_memory_details_dup_csv (self->memory, tiles, n) : NULL;
}

static gboolean
update_details (gpointer data)
{
  TsrMemoryPage *self = data;
  g_autoptr (TsrTable) table = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  self->details_idle = 0;
  if (self->memory != NULL)
    table = tsr_memory_details_new (self->memory, tiles, n);
  tsr_table_view_set_table (self->details, table,
                            tsr_session_get_units (tsr_memory_page_get_session (self)));
  return G_SOURCE_REMOVE;
}

/* Several changes of the selection in one turn of the main loop cost one table. */
void
tsr_memory_page_queue_details (TsrMemoryPage *self)
{
  if (self->details_idle == 0)
    self->details_idle = g_idle_add (update_details, self);
}

/* The menus stand beside the chart and the table; their actions are those widgets' own. */
static void
on_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  const char *prefix = TSR_IS_CHART (widget) ? "chart" : "table";
  g_autofree char *name = g_strdup_printf ("%s.%s", prefix, g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

static char *
dup_csv (gpointer data)
{
  return tsr_memory_page_dup_details_csv (data);
}

void
tsr_memory_page_init_details (TsrMemoryPage *self)
{
  static const GActionEntry chart_entries[] = {
    { .name = "export-image", .activate = on_forward },
    { .name = "export-data", .activate = on_forward },
    { .name = "copy-image", .activate = on_forward },
  };
  static const GActionEntry table_entries[] = {
    { .name = "copy", .activate = on_forward },
    { .name = "copy-all", .activate = on_forward },
    { .name = "save", .activate = on_forward },
    { .name = "expand-all", .activate = on_forward },
    { .name = "collapse-all", .activate = on_forward },
    { .name = "sort", .activate = on_forward, .parameter_type = "i" },
  };
  g_autoptr (GSimpleActionGroup) chart = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) table = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (chart), chart_entries,
                                   G_N_ELEMENTS (chart_entries), self->chart);
  g_action_map_add_action_entries (G_ACTION_MAP (table), table_entries,
                                   G_N_ELEMENTS (table_entries), self->details);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart", G_ACTION_GROUP (chart));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table", G_ACTION_GROUP (table));
  tsr_table_view_set_file_name (self->details, "memory-details");
  tsr_table_view_set_label_title (self->details, _ ("Memory"));
  tsr_table_view_set_csv_func (self->details, dup_csv, self);
  gtk_menu_button_set_menu_model (self->sort_button, tsr_table_view_get_sort_menu (self->details));
}
