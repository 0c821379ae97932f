/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows cycles by tile as chart, map or table, with one selection. */

#include "config.h"

#include "tsr-trace-tile-view.h"

#include "tsr-drop-down.h"
#include "tsr-tile-cycles-chart.h"
#include "tsr-tile-map-view.h"

#include <glib/gi18n.h>

static const char *const forms[TSR_TRACE_N_TILE_FORMS] = { "graph", "map", "table" };

enum
{
  VALUE_BUSY,
  VALUE_COMPUTE,
  VALUE_EXCHANGE,
  VALUE_COPY,
  VALUE_WAITING,
  N_VALUES
};

struct _TsrTraceTileView
{
  GtkWidget parent_instance;

  GtkWidget *box, *bar;
  GtkStack *stack;
  TsrChart *chart;
  TsrTileMapView *map_view;
  TsrRowView *table;
  GtkDropDown *form, *order, *value;

  TsrSession *session;
  TsrViewport *viewport;
  TsrTileCyclesChart *model; /* (nullable) */
  TsrTileMap *map;           /* (nullable) */
  guint n, first, ipu;       /* tiles of the IPU, the replica's number of the first; IPU of it */
  gint64 *values[N_VALUES];
};

G_DEFINE_FINAL_TYPE (TsrTraceTileView, tsr_trace_tile_view, GTK_TYPE_WIDGET)

guint
tsr_trace_get_first_tile (const TsrTrace *trace, guint ipu)
{
  gint64 per_ipu = tsr_trace_get_tiles_per_ipu (trace);
  gint64 replica, place;

  if (ipu >= tsr_trace_get_n_ipus (trace))
    return TSR_NO_INDEX;
  tsr_trace_get_replica (trace, ipu, &replica, &place);
  if (per_ipu == TSR_UNKNOWN || place == TSR_UNKNOWN || place < 0 || per_ipu <= 0
      || place >= G_MAXINT32 / per_ipu)
    return TSR_NO_INDEX;
  return (guint)(place * per_ipu);
}

/* Selection */

void
tsr_trace_select_tiles (
    TsrSession *session, guint first, const guint32 *tiles, guint n, TsrSelectMode mode)
{
  g_autofree guint *numbers = g_new (guint, n);

  if (first == TSR_NO_INDEX)
    return;
  for (guint i = 0; i < n; i++)
    numbers[i] = first + tiles[i];
  tsr_tile_selection_change (tsr_session_get_selection (session), mode, numbers, n);
}

static void
on_chart_select (TsrTraceTileView *self, double from, double to, TsrSelectMode mode)
{
  g_autoptr (GArray) tiles = tsr_chart_dup_data (self->chart, from, to);

  tsr_trace_select_tiles (self->session, self->first, (const guint32 *)(gpointer)tiles->data,
                          tiles->len, mode);
}

/* The map has the numbers of the replica. */
static void
on_map_select (TsrTraceTileView *self, GArray *tiles, TsrSelectMode mode)
{
  tsr_trace_select_tiles (self->session, 0, (const guint32 *)(gpointer)tiles->data, tiles->len,
                          mode);
}

static void
show_selection (TsrTraceTileView *self)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (self->session), &n);

  if (self->n == 0 || self->first == TSR_NO_INDEX)
    return;
  for (guint i = 0; i < n; i++)
    if (tiles[i] >= self->first && tiles[i] - self->first < self->n)
      {
        guint32 row = tiles[i] - self->first;

        g_array_append_val (rows, row);
      }
  tsr_row_view_select (self->table, (const guint32 *)(gpointer)rows->data, rows->len);
}

static void
on_rows_selected (TsrTraceTileView *self)
{
  TsrTileSelection *selection = tsr_session_get_selection (self->session);
  g_autoptr (GArray) rows = tsr_row_view_dup_selected (self->table);

  /* The table has them, and stays where it is. */
  g_signal_handlers_block_by_func (selection, show_selection, self);
  tsr_trace_select_tiles (self->session, self->first, (const guint32 *)(gpointer)rows->data,
                          rows->len, TSR_SELECT_REPLACE);
  g_signal_handlers_unblock_by_func (selection, show_selection, self);
}

/* What is shown */

static void
show_map (TsrTraceTileView *self)
{
  static const char *const keys[N_VALUES] = { "busy", "compute", "exchange", "copy", "waiting" };
  static const char *const labels[N_VALUES]
      = { N_ ("Busy cycles"), N_ ("Compute cycles"), N_ ("Exchange cycles"), N_ ("Copy cycles"),
          N_ ("Waiting cycles") };
  TsrMemory *memory = tsr_session_get_memory (self->session);
  guint value = gtk_drop_down_get_selected (self->value);
  g_autofree gint64 *all = NULL;
  guint n_all;

  tsr_tile_map_view_set_map (self->map_view, NULL);
  g_clear_object (&self->map);
  if (memory == NULL || self->n == 0 || self->first == TSR_NO_INDEX || value >= N_VALUES
      || tsr_memory_get_tiles_per_ipu (memory) == TSR_UNKNOWN
      || self->ipu >= tsr_memory_get_n_ipus (memory))
    return;
  n_all = tsr_memory_get_n_tiles (memory);
  all = g_new (gint64, n_all + 1);
  for (guint i = 0; i < n_all; i++)
    all[i] = i >= self->first && i - self->first < self->n ? self->values[value][i - self->first]
                                                           : TSR_UNKNOWN;
  self->map = tsr_tile_map_new (memory, tsr_session_get_selection (self->session));
  tsr_tile_map_set_counts (self->map, TRUE);
  tsr_tile_map_set_ipus (self->map, &self->ipu, 1);
  tsr_tile_map_set_values (self->map, all, keys[value], _ (labels[value]), TSR_UNKNOWN,
                           tsr_session_get_units (self->session));
  tsr_tile_map_view_set_map (self->map_view, self->map);
}

static void
show_chart (TsrTraceTileView *self, const TsrTraceAnswer *answer)
{
  g_autofree char *name = tsr_trace_dup_ipu_name (answer->trace, answer->ipu);
  g_autofree char *caption = g_strdup_printf (_ ("Cycles of the tiles of %s"), name);
  const struct
  {
    const char *key, *name;
    guint ink, value;
  } series[] = {
    { "compute", _ ("Compute"), TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, VALUE_COMPUTE },
    { "exchange", _ ("Exchange"), TSR_INK_TRACE + TSR_TRACE_INK_EXCHANGE, VALUE_EXCHANGE },
    { "copy", _ ("Copy"), TSR_INK_TRACE + TSR_TRACE_INK_TRANSFER, VALUE_COPY },
    { "waiting", _ ("Waiting"), TSR_INK_TRACE + TSR_TRACE_INK_SYNC, VALUE_WAITING },
  };
  gboolean visible[G_N_ELEMENTS (series)] = { TRUE, TRUE, TRUE, TRUE };

  if (self->model != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (series); i++)
      {
        TsrChartSeries old;

        tsr_chart_model_get_series (TSR_CHART_MODEL (self->model), i, &old);
        visible[i] = old.visible;
      }
  g_clear_object (&self->model);
  self->model = tsr_tile_cycles_chart_new (self->n, caption);
  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    tsr_tile_cycles_chart_add_series (self->model, series[i].key, series[i].name, series[i].ink,
                                      self->values[series[i].value],
                                      series[i].value == VALUE_WAITING, visible[i]);
  if (self->first != TSR_NO_INDEX)
    tsr_tile_cycles_chart_set_selection (self->model, tsr_session_get_selection (self->session),
                                         self->first);
  tsr_tile_cycles_chart_set_order (self->model, gtk_drop_down_get_selected (self->order) == 1
                                                    ? TSR_TILE_CYCLES_BY_CYCLES
                                                    : TSR_TILE_CYCLES_BY_TILE);
  tsr_plane_set_model (TSR_PLANE (self->chart), TSR_CHART_MODEL (self->model));
}

static void
take_values (TsrTraceTileView *self, const TsrTraceTiles *tiles)
{
  const gint64 *columns[N_VALUES]
      = { NULL, tiles->compute, tiles->exchange, tiles->copy, tiles->waiting };

  for (guint k = 0; k < N_VALUES; k++)
    {
      g_free (self->values[k]);
      self->values[k] = g_new0 (gint64, tiles->n + 1);
      for (guint i = 0; i < tiles->n; i++)
        self->values[k][i]
            = columns[k] != NULL
                  ? columns[k][i]
                  : tsr_add_saturating (
                      tsr_add_saturating (tiles->compute[i], tiles->exchange[i], NULL),
                      tiles->copy[i], NULL);
    }
  self->n = tiles->n;
}

static void
update_form (TsrTraceTileView *self)
{
  guint form = gtk_drop_down_get_selected (self->form);

  gtk_widget_set_visible (GTK_WIDGET (self->order), form == 0 && self->n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->value), form == 1 && self->n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->form), self->n > 0);
  /* The table says why there is nothing. */
  gtk_stack_set_visible_child_name (self->stack, self->n > 0 ? forms[MIN (form, 2)] : "table");
}

void
tsr_trace_tile_view_set_answer (TsrTraceTileView *self, const TsrTableAnswer *answer)
{
  const TsrTraceAnswer *trace = answer != NULL ? answer->trace : NULL;
  gint64 replica, place;

  g_return_if_fail (TSR_IS_TRACE_TILE_VIEW (self));
  self->n = 0;
  if (trace != NULL && trace->tiles != NULL)
    {
      take_values (self, trace->tiles);
      tsr_trace_get_replica (trace->trace, trace->ipu, &replica, &place);
      self->first = tsr_trace_get_first_tile (trace->trace, trace->ipu);
      self->ipu = place != TSR_UNKNOWN && place >= 0 ? (guint)place : 0;
      show_chart (self, trace);
    }
  else
    {
      tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
      g_clear_object (&self->model);
    }
  show_map (self);
  update_form (self);
  tsr_row_view_set_placeholder (self->table, answer != NULL ? answer->title : NULL,
                                answer != NULL ? answer->text : NULL);
  tsr_row_view_set_rows (self->table, answer != NULL ? answer->rows : NULL,
                         tsr_session_get_units (self->session), NULL, FALSE);
  show_selection (self);
}

/* Controls */

static void
on_order (TsrTraceTileView *self)
{
  if (self->model != NULL)
    tsr_tile_cycles_chart_set_order (self->model, gtk_drop_down_get_selected (self->order) == 1
                                                      ? TSR_TILE_CYCLES_BY_CYCLES
                                                      : TSR_TILE_CYCLES_BY_TILE);
}

const char *
tsr_trace_tile_view_get_form_nick (guint form)
{
  g_return_val_if_fail (form < TSR_TRACE_N_TILE_FORMS, NULL);
  return forms[form];
}

void
tsr_trace_tile_view_bind (TsrTraceTileView *self, TsrViewState *state, guint form, guint order)
{
  g_return_if_fail (TSR_IS_TRACE_TILE_VIEW (self));
  tsr_view_state_bind (state, form, self->form, "selected");
  tsr_view_state_bind (state, order, self->order, "selected");
}

TsrRowView *
tsr_trace_tile_view_get_table (TsrTraceTileView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TILE_VIEW (self), NULL);
  return self->table;
}

TsrChartModel *
tsr_trace_tile_view_get_chart (TsrTraceTileView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TILE_VIEW (self), NULL);
  return (TsrChartModel *)self->model;
}

TsrChartModel *
tsr_trace_tile_view_get_map (TsrTraceTileView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TILE_VIEW (self), NULL);
  return (TsrChartModel *)self->map;
}

GtkWidget *
tsr_trace_tile_view_get_controls (TsrTraceTileView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TILE_VIEW (self), NULL);
  return self->bar;
}

/* Object */

static void
tsr_trace_tile_view_dispose (GObject *object)
{
  TsrTraceTileView *self = TSR_TRACE_TILE_VIEW (object);

  if (self->table != NULL)
    g_signal_handlers_disconnect_by_data (self->table, self);
  self->table = NULL;
  if (self->form != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->form, self);
      g_signal_handlers_disconnect_by_data (self->order, self);
      g_signal_handlers_disconnect_by_data (self->value, self);
      self->form = self->order = self->value = NULL;
    }
  g_clear_object (&self->bar);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->model);
  g_clear_object (&self->map);
  g_clear_object (&self->viewport);
  for (guint i = 0; i < N_VALUES; i++)
    g_clear_pointer (&self->values[i], g_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_tile_view_parent_class)->dispose (object);
}

static void
tsr_trace_tile_view_class_init (TsrTraceTileViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_tile_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_controls (TsrTraceTileView *self)
{
  static const char *const form_words[] = { N_ ("Chart"), N_ ("Tile map"), N_ ("Table"), NULL };
  static const char *const order_words[] = { N_ ("By tile"), N_ ("By cycles"), NULL };
  static const char *const value_words[]
      = { N_ ("Busy"), N_ ("Compute"), N_ ("Exchange"), N_ ("Copy"), N_ ("Waiting"), NULL };

  self->form = tsr_drop_down_add (self->bar, form_words, _ ("How the tiles are shown"),
                                  G_CALLBACK (update_form), self);
  self->order = tsr_drop_down_add (self->bar, order_words, _ ("Order of the tiles"),
                                   G_CALLBACK (on_order), self);
  self->value = tsr_drop_down_add (self->bar, value_words, _ ("What the tile map shows"),
                                   G_CALLBACK (show_map), self);
}

static void
tsr_trace_tile_view_init (TsrTraceTileView *self)
{
  self->first = TSR_NO_INDEX;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->bar = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  add_controls (self);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  self->chart = tsr_chart_new ();
  self->viewport = tsr_viewport_new ();
  tsr_chart_set_viewport (self->chart, self->viewport);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "trace-tiles");
  self->map_view = tsr_tile_map_view_new ();
  tsr_plane_set_file_name (TSR_PLANE (self->map_view), "trace-tiles");
  self->table = tsr_row_view_new ();
  tsr_row_view_set_file_name (self->table, "trace-tiles");
  tsr_row_view_set_multiple (self->table, TRUE);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->chart), "graph");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->map_view), "map");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->table), "table");
  g_signal_connect_swapped (self->chart, "select", G_CALLBACK (on_chart_select), self);
  g_signal_connect_swapped (self->map_view, "select", G_CALLBACK (on_map_select), self);
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (on_rows_selected), self);
}

TsrTraceTileView *
tsr_trace_tile_view_new (TsrSession *session)
{
  TsrTraceTileView *self = g_object_new (TSR_TYPE_TRACE_TILE_VIEW, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (tsr_session_get_selection (session), "changed",
                           G_CALLBACK (show_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::memory", G_CALLBACK (show_map), self,
                           G_CONNECT_SWAPPED);
  update_form (self);
  return self;
}
