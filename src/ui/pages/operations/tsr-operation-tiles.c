/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Selecting in the chart selects tiles of the window, as far as the replica has them. */

#include "config.h"

#include "tsr-operation-tiles.h"

#include "tsr-chart.h"
#include "tsr-drop-down.h"
#include "tsr-flip-layout.h"
#include "tsr-page.h"
#include "tsr-tile-cycles-chart.h"

#include <glib/gi18n.h>

#define WIDE        620
#define CHART_SHARE 0.62
#define TILE_WIDTH  56  /* of the column of tiles */
#define LEAST_WIDTH 240 /* of the chart */

struct _TsrOperationTiles
{
  GtkWidget parent_instance;

  GtkWidget *box, *bar;
  GtkDropDown *form; /* (nullable): of cycles */
  GtkDropDown *order;
  GtkLabel *note;
  GtkWidget *chart_box;
  TsrChart *chart;
  gboolean bytes;
  TsrTileCyclesChart *model; /* (nullable) */
  TsrRows *rows;             /* (nullable) */
  char *name;
  TsrSession *session;
};

G_DEFINE_FINAL_TYPE (TsrOperationTiles, tsr_operation_tiles, GTK_TYPE_WIDGET)

static const struct
{
  const char *key;
  guint ink; /* unless there is a category */
  const char *category;
} inks[] = {
  { "controlCodeBytes", 0, "controlCode" },
  { "exchangeCodeBytes", 0, "internalExchangeCode" },
  { "vertexCodeBytes", 0, "vertexCode" },
  { "measured", TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, NULL },
  { "estimated", TSR_INK_TRACE + TSR_N_TRACE_INKS + TSR_TRACE_INK_COMPUTE, NULL },
};

static void
drop_model (TsrOperationTiles *self)
{
  tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
  g_clear_object (&self->model);
}

static void
add_series (TsrOperationTiles *self, guint column)
{
  const TsrRowColumn *info = tsr_rows_get_column (self->rows, column);
  const guint n = tsr_rows_get_n (self->rows);
  g_autofree gint64 *values = g_new0 (gint64, MAX (n, 1));

  for (guint k = 0; k < G_N_ELEMENTS (inks); k++)
    if (g_str_equal (inks[k].key, info->key))
      {
        for (guint i = 0; i < n; i++)
          values[i] = MAX (tsr_rows_get_value (self->rows, i, column), 0);
        tsr_tile_cycles_chart_add_series (self->model, inks[k].key, info->title,
                                          inks[k].category != NULL
                                              ? tsr_palette_get_category_ink (inks[k].category)
                                              : inks[k].ink,
                                          values, FALSE, TRUE);
      }
}

static void
show (TsrOperationTiles *self)
{
  g_autofree char *caption = NULL;

  drop_model (self);
  gtk_widget_set_visible (self->chart_box, self->rows != NULL);
  if (self->rows == NULL || self->session == NULL)
    return;
  caption = g_strdup_printf (
      self->bytes ? _ ("Code of each tile in %s") : _ ("Cycles of each tile in %s"), self->name);
  self->model = tsr_tile_cycles_chart_new (tsr_rows_get_n (self->rows), caption);
  if (self->bytes)
    tsr_tile_cycles_chart_set_bytes (self->model, tsr_session_get_units (self->session));
  for (guint i = 1; i < tsr_rows_get_n_columns (self->rows); i++)
    if (self->form == NULL || gtk_drop_down_get_selected (self->form) + 1 == i)
      add_series (self, i);
  tsr_tile_cycles_chart_set_order (self->model, gtk_drop_down_get_selected (self->order) == 1
                                                    ? TSR_TILE_CYCLES_BY_CYCLES
                                                    : TSR_TILE_CYCLES_BY_TILE);
  tsr_tile_cycles_chart_set_selection (self->model, tsr_session_get_selection (self->session), 0);
  tsr_plane_set_model (TSR_PLANE (self->chart), TSR_CHART_MODEL (self->model));
}

void
tsr_operation_tiles_set_rows (TsrOperationTiles *self,
                              TsrRows *rows,
                              const char *name,
                              const char *note)
{
  g_return_if_fail (TSR_IS_OPERATION_TILES (self));
  g_clear_pointer (&self->rows, tsr_rows_unref);
  g_clear_pointer (&self->name, g_free);
  self->rows = rows != NULL ? tsr_rows_ref (rows) : NULL;
  self->name = g_strdup (name != NULL ? name : "");
  gtk_label_set_label (self->note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), note != NULL);
  show (self);
}

static void
on_select (TsrChart *chart, double from, double to, int mode, TsrOperationTiles *self)
{
  TsrMemory *memory = tsr_session_get_memory (self->session);
  g_autoptr (GArray) tiles = tsr_chart_dup_data (chart, from, to);
  guint *data = (guint *)(gpointer)tiles->data;
  guint n = 0;

  for (guint i = 0; i < tiles->len && memory != NULL; i++)
    if (data[i] < tsr_memory_get_n_tiles (memory))
      data[n++] = data[i];
  tsr_tile_selection_change (tsr_session_get_selection (self->session), mode, data, n);
}

void
tsr_operation_tiles_set_session (TsrOperationTiles *self, TsrSession *session)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  g_return_if_fail (TSR_IS_OPERATION_TILES (self) && self->session == NULL);
  self->session = g_object_ref (session);
  tsr_chart_set_viewport (self->chart, viewport);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
}

TsrPlane *
tsr_operation_tiles_get_chart (TsrOperationTiles *self)
{
  g_return_val_if_fail (TSR_IS_OPERATION_TILES (self), NULL);
  return TSR_PLANE (self->chart);
}

static void
tsr_operation_tiles_dispose (GObject *object)
{
  TsrOperationTiles *self = TSR_OPERATION_TILES (object);

  if (self->box != NULL)
    drop_model (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->rows, tsr_rows_unref);
  g_clear_pointer (&self->name, g_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_operation_tiles_parent_class)->dispose (object);
}

/* As high with nothing in it as with the chart, which comes with an answer: the pages of a notebook
 * are as high as the highest, and what is above it would move. */
static void
tsr_operation_tiles_measure (GtkWidget *widget,
                             GtkOrientation orientation,
                             int for_size,
                             int *minimum,
                             int *natural,
                             int *minimum_baseline,
                             int *natural_baseline)
{
  TsrOperationTiles *self = TSR_OPERATION_TILES (widget);
  GtkWidget *const parts[] = { self->bar, GTK_WIDGET (self->chart) };
  int chart = 0;

  /* A splitter asks for any width: that which it has tells whether the table stands beside. */
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size < 0)
    for_size = gtk_widget_get_width (widget) > 0 ? gtk_widget_get_width (widget) : WIDE;
  gtk_widget_measure (self->box, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      int least = 0;

      gtk_widget_measure (parts[i], orientation, -1, &least, NULL, NULL, NULL);
      chart += least;
    }
  *minimum = MAX (*minimum, chart);
  *natural = MAX (*natural, *minimum);
}

static void
tsr_operation_tiles_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (TSR_OPERATION_TILES (widget)->box, width, height, baseline, NULL);
}

static void
tsr_operation_tiles_class_init (TsrOperationTilesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_operation_tiles_dispose;
  GTK_WIDGET_CLASS (klass)->measure = tsr_operation_tiles_measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = tsr_operation_tiles_size_allocate;
}

static void
tsr_operation_tiles_init (TsrOperationTiles *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->box, tsr_flip_layout_new (WIDE, CHART_SHARE, TRUE, 6));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->chart_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_size_request (self->chart_box, LEAST_WIDTH, -1);
  gtk_box_append (GTK_BOX (self->box), self->chart_box);
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->bar, "toolbar");
  gtk_box_append (GTK_BOX (self->chart_box), self->bar);
  self->chart = tsr_chart_new ();
  gtk_widget_set_vexpand (GTK_WIDGET (self->chart), TRUE);
  /* Side by side it is as high as there is room; what it would like pushes its axis out of a low
   * window. */
  tsr_plane_set_natural_height (TSR_PLANE (self->chart), 1);
  gtk_widget_set_hexpand (GTK_WIDGET (self->chart), TRUE);
  g_signal_connect (self->chart, "select", G_CALLBACK (on_select), self);
  gtk_box_append (GTK_BOX (self->chart_box), GTK_WIDGET (self->chart));
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->note, TRUE);
  gtk_label_set_xalign (self->note, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_box_append (GTK_BOX (self->chart_box), GTK_WIDGET (self->note));
}

TsrOperationTiles *
tsr_operation_tiles_new (TsrRowView *table, gboolean bytes)
{
  static const char *const forms[] = { N_ ("Measured cycles"), N_ ("Estimated cycles"), NULL };
  static const char *const orders[] = { N_ ("By tile"), N_ ("Most first"), NULL };
  TsrOperationTiles *self;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (table), NULL);
  self = g_object_new (TSR_TYPE_OPERATION_TILES, NULL);
  self->bytes = bytes;
  if (!bytes)
    self->form
        = tsr_drop_down_add (self->bar, forms, _ ("What the chart shows"), G_CALLBACK (show), self);
  self->order
      = tsr_drop_down_add (self->bar, orders, _ ("Order of the tiles"), G_CALLBACK (show), self);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), bytes ? "operation-code" : "operation-cycles");
  tsr_row_view_set_columns (table, NULL, TILE_WIDTH);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (table));
  return self;
}
