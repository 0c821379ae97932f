/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One step line for each variable, each over its own largest: a column shows the most that any of
 * its tiles has of that variable. */

#include "config.h"

#include "tsr-variables-chart.h"

#include "tsr-chart-marks.h"
#include "tsr-json-writer.h"
#include "tsr-step-layout.h"
#include "tsr-tile-axis.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct
{
  guint32 variable;
  guint ink;
  gboolean visible;
  gint64 *by_tile;     /* (nullable) without lowered variables */
  gint64 *by_position; /* (nullable) likewise */
  TsrPyramid *pyramid;
} Line;

struct _TsrVariablesChart
{
  TsrChartModel parent_instance;

  TsrMemory *memory;
  TsrVariables *variables;
  TsrTileSelection *selection; /* (nullable) */
  TsrTileAxis *axis;
  TsrTileOrder order;
  TsrUnits units;
  GPtrArray *lines; /* Line */
  gint64 *most;     /* by position: the largest of the visible ones, for the overview */
  TsrPyramid *most_pyramid;
  double y_to;
};

G_DEFINE_FINAL_TYPE (TsrVariablesChart, tsr_variables_chart, TSR_TYPE_CHART_MODEL)

static void
line_free (gpointer data)
{
  Line *line = data;

  g_clear_pointer (&line->pyramid, tsr_pyramid_free);
  g_free (line->by_tile);
  g_free (line->by_position);
  g_free (line);
}

static Line *
get_line (TsrVariablesChart *self, guint i)
{
  return g_ptr_array_index (self->lines, i);
}

static const char *
get_name (TsrVariablesChart *self, guint32 variable)
{
  return tsr_variables_get_name (self->variables, variable);
}

/* ---------------------------------------------------------------- derived */

/* What tiles are ordered by: all visible variables together; what is not known counts nothing. */
static gint64 *
dup_sums (TsrVariablesChart *self)
{
  gint64 *sums = g_new0 (gint64, MAX (self->axis->n, 1));

  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = get_line (self, i);

      for (guint tile = 0; line->visible && line->by_tile != NULL && tile < self->axis->n; tile++)
        if (line->by_tile[tile] != TSR_UNKNOWN)
          sums[tile] = tsr_add_saturating (sums[tile], line->by_tile[tile], NULL);
    }
  return sums;
}

static void
derive (TsrVariablesChart *self)
{
  g_autofree gint64 *sums = NULL;
  double largest = 0;

  for (guint i = 0; i < self->lines->len; i++)
    get_line (self, i)->visible = !tsr_chart_model_is_hidden (
        TSR_CHART_MODEL (self), get_name (self, get_line (self, i)->variable));
  sums = dup_sums (self);

  g_clear_pointer (&self->most_pyramid, tsr_pyramid_free);
  g_free (self->most);
  self->most = g_new0 (gint64, MAX (self->axis->n, 1));
  tsr_tile_axis_set_order (self->axis, self->order, sums);
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = get_line (self, i);
      gint64 min;
      gint64 max;

      g_clear_pointer (&line->pyramid, tsr_pyramid_free);
      g_clear_pointer (&line->by_position, g_free);
      if (line->by_tile == NULL)
        continue;
      line->by_position = g_new (gint64, MAX (self->axis->n, 1));
      for (guint p = 0; p < self->axis->n; p++)
        {
          line->by_position[p] = line->by_tile[tsr_tile_axis_tile_at (self->axis, p)];
          if (line->visible)
            self->most[p] = MAX (self->most[p], line->by_position[p]);
        }
      line->pyramid = tsr_pyramid_new (line->by_position, self->axis->n);
      if (line->visible && tsr_pyramid_get_range (line->pyramid, 0, self->axis->n, &min, &max))
        largest = MAX (largest, (double)max);
    }
  self->most_pyramid = tsr_pyramid_new (self->most, self->axis->n);
  self->y_to = MAX (largest * TSR_CHART_HEADROOM, 1);
}

static void
get_step_data (TsrVariablesChart *self, guint i, TsrStepData *data)
{
  const Line *line = get_line (self, i);

  *data = (TsrStepData){ .n = self->axis->n,
                         .order = self->axis->order,
                         .line = line->by_position,
                         .line_pyramid = line->pyramid,
                         .line_ink = line->ink,
                         .line_series = i,
                         .limit = TSR_UNKNOWN };
}

static void
get_frame (TsrVariablesChart *self, TsrChartFrame *frame)
{
  *frame = (TsrChartFrame){
    .units = self->units, .y_to = self->y_to, .level = TSR_UNKNOWN, .level_series = TSR_NO_DATUM
  };
  tsr_tile_axis_get_frame (self->axis, frame);
}

/* ------------------------------------------------------------ chart model */

static void
variables_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  tsr_tile_axis_get_domain (TSR_VARIABLES_CHART (model)->axis, from, to, min_span);
}

static void
variables_chart_layout (TsrChartModel *model,
                        const TsrChartGeometry *geometry,
                        TsrDrawList *list,
                        TsrPlotArea *area)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  TsrChartFrame frame;

  get_frame (self, &frame);
  tsr_chart_frame_layout_back (&frame, model, geometry, list, area);
  for (guint i = 0; i < self->lines->len; i++)
    {
      TsrStepData data;

      get_step_data (self, i, &data);
      if (get_line (self, i)->visible && data.line != NULL)
        tsr_step_layout (&data, geometry, area, list);
    }
  tsr_chart_frame_layout_front (&frame, geometry, area, list);
}

static void
add_dots (gpointer chart,
          const TsrChartGeometry *geometry,
          const TsrPlotArea *area,
          guint position,
          TsrDrawList *list)
{
  TsrVariablesChart *self = chart;

  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = get_line (self, i);

      if (line->visible && line->by_position != NULL && line->by_position[position] > 0)
        tsr_chart_marks_dot (geometry, area, position, (double)line->by_position[position],
                             line->ink, list);
    }
}

static void
variables_chart_layout_overlay (TsrChartModel *model,
                                const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                guint32 hover,
                                guint32 cursor,
                                TsrDrawList *list)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);

  tsr_tile_axis_layout_overlay (self->axis, self->selection, geometry, area, hover, cursor,
                                add_dots, self, list);
}

/* All visible variables as one silhouette: where the largest is, and how much. */
static void
variables_chart_layout_overview (TsrChartModel *model,
                                 const TsrChartGeometry *geometry,
                                 TsrDrawList *list)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  TsrStepData data = { .n = self->axis->n,
                       .order = self->axis->order,
                       .line = self->most,
                       .line_pyramid = self->most_pyramid,
                       .limit = TSR_UNKNOWN };

  if (self->lines->len > 0)
    tsr_step_layout_overview (&data, geometry, list);
}

static guint32
variables_chart_datum_at (TsrChartModel *model, double x)
{
  return tsr_tile_axis_datum_at (TSR_VARIABLES_CHART (model)->axis, x);
}

static guint32
variables_chart_datum_near (TsrChartModel *model, double from, double to)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  guint best = TSR_NO_INDEX;
  gint64 most = TSR_UNKNOWN;

  for (guint i = 0; i < self->lines->len; i++)
    {
      TsrStepData data;
      guint position;

      get_step_data (self, i, &data);
      if (!get_line (self, i)->visible || data.line == NULL)
        continue;
      position = tsr_step_layout_position_at (&data, from, to);
      if (position < self->axis->n && (best == TSR_NO_INDEX || data.line[position] > most))
        {
          best = position;
          most = data.line[position];
        }
    }
  return best != TSR_NO_INDEX ? tsr_tile_axis_tile_at (self->axis, best)
                              : variables_chart_datum_at (model, floor ((from + to) / 2));
}

static double
variables_chart_position_of (TsrChartModel *model, guint32 datum)
{
  return tsr_tile_axis_position_of (TSR_VARIABLES_CHART (model)->axis, datum);
}

static char *
variables_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  g_autofree char *name = NULL;
  GString *out;

  if (datum >= self->axis->n)
    return NULL;
  name = tsr_tile_axis_dup_name (self->axis, datum);
  out = g_string_new (name);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = get_line (self, i);
      const char *variable = tsr_variables_get_name (self->variables, line->variable);
      gint64 bytes = line->by_tile != NULL ? line->by_tile[datum] : TSR_UNKNOWN;
      g_autofree char *exact = NULL;

      if (!line->visible)
        continue;
      if (bytes == TSR_UNKNOWN)
        {
          g_string_append_printf (out, _ ("\n%s: not recorded"), variable);
          continue;
        }
      exact = tsr_units_dup_bytes_exact (bytes);
      g_string_append_printf (out, "\n%s: %s", variable, exact);
    }
  return g_string_free (out, FALSE);
}

static char *
variables_chart_dup_caption (TsrChartModel *model)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  guint n = self->lines->len;

  if (n == 1)
    return g_strdup_printf (_ ("Memory per tile of the variable %s"),
                            tsr_variables_get_name (self->variables, get_line (self, 0)->variable));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Memory per tile of %u variable",
                                       "Memory per tile of %u variables", n),
                          n);
}

static guint
variables_chart_get_n_series (TsrChartModel *model)
{
  return TSR_VARIABLES_CHART (model)->lines->len;
}

static void
variables_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  const Line *line;

  g_return_if_fail (i < self->lines->len);
  line = get_line (self, i);
  *out = (TsrChartSeries){
    .name = get_name (self, line->variable),
    .key = get_name (self, line->variable),
    .ink = line->ink,
    .visible = line->visible,
  };
}

static void
variables_chart_hidden_changed (TsrChartModel *model)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);

  derive (self);
  tsr_chart_model_emit_series_changed (model);
}

static void
variables_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  guint first = (guint)CLAMP (floor (from), 0, (double)self->axis->n);
  guint end = (guint)CLAMP (ceil (to), 0, (double)self->axis->n);

  tsr_tile_axis_add_headings (self->axis, fields);
  for (guint i = 0; i < self->lines->len; i++)
    if (get_line (self, i)->visible)
      g_ptr_array_add (fields, g_strdup (get_name (self, get_line (self, i)->variable)));
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  for (guint position = first; position < end; position++)
    {
      guint tile = tsr_tile_axis_tile_at (self->axis, position);

      g_ptr_array_set_size (fields, 0);
      tsr_tile_axis_add_fields (self->axis, tile, fields);
      for (guint i = 0; i < self->lines->len; i++)
        {
          const Line *line = get_line (self, i);
          gint64 bytes = line->by_tile != NULL ? line->by_tile[tile] : TSR_UNKNOWN;

          if (line->visible)
            g_ptr_array_add (fields, bytes != TSR_UNKNOWN
                                         ? g_strdup_printf ("%" G_GINT64_FORMAT, bytes)
                                         : g_strdup (""));
        }
      tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
    }
}

/* ----------------------------------------------------------------- object */

static TsrChartModel *
variables_chart_dup (TsrChartModel *model)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (model);
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_copy (self->selection);
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (guint32));
  TsrVariablesChart *copy;

  copy = tsr_variables_chart_new (self->memory, self->variables, selection);
  for (guint i = 0; i < self->lines->len; i++)
    g_array_append_val (variables, get_line (self, i)->variable);
  copy->order = self->order;
  copy->units = self->units;
  tsr_chart_model_copy_hidden (TSR_CHART_MODEL (copy), model);
  tsr_variables_chart_set_variables (copy, (const guint32 *)(gpointer)variables->data,
                                     variables->len);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_variables_chart_dispose (GObject *object)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (object);

  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_variables_chart_parent_class)->dispose (object);
}

static void
tsr_variables_chart_finalize (GObject *object)
{
  TsrVariablesChart *self = TSR_VARIABLES_CHART (object);

  g_ptr_array_unref (self->lines);
  g_clear_pointer (&self->most_pyramid, tsr_pyramid_free);
  g_free (self->most);
  g_clear_pointer (&self->axis, tsr_tile_axis_free);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  G_OBJECT_CLASS (tsr_variables_chart_parent_class)->finalize (object);
}

static void
tsr_variables_chart_class_init (TsrVariablesChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->dispose = tsr_variables_chart_dispose;
  object_class->finalize = tsr_variables_chart_finalize;
  model_class->get_domain = variables_chart_get_domain;
  model_class->layout = variables_chart_layout;
  model_class->layout_overlay = variables_chart_layout_overlay;
  model_class->layout_overview = variables_chart_layout_overview;
  model_class->datum_at = variables_chart_datum_at;
  model_class->datum_near = variables_chart_datum_near;
  model_class->position_of = variables_chart_position_of;
  model_class->describe = variables_chart_describe;
  model_class->dup_caption = variables_chart_dup_caption;
  model_class->get_n_series = variables_chart_get_n_series;
  model_class->get_series = variables_chart_get_series;
  model_class->hidden_changed = variables_chart_hidden_changed;
  model_class->write_csv = variables_chart_write_csv;
  model_class->dup = variables_chart_dup;
}

static void
tsr_variables_chart_init (TsrVariablesChart *self)
{
  self->lines = g_ptr_array_new_with_free_func (line_free);
  self->y_to = 1;
}

TsrVariablesChart *
tsr_variables_chart_new (TsrMemory *memory, TsrVariables *variables, TsrTileSelection *selection)
{
  TsrVariablesChart *self;

  g_return_val_if_fail (memory != NULL && variables != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_TILE_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_VARIABLES_CHART, NULL);
  self->memory = tsr_memory_ref (memory);
  self->variables = tsr_variables_ref (variables);
  self->axis = tsr_tile_axis_new (memory);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_object (selection, "changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
    }
  return self;
}

/* A variable keeps its colour and its bytes as long as it stays. */
static Line *
take_line (GPtrArray *old, guint32 variable)
{
  for (guint i = 0; i < old->len; i++)
    {
      Line *line = g_ptr_array_index (old, i);

      if (line->variable == variable)
        return g_ptr_array_steal_index (old, i);
    }
  return NULL;
}

static gboolean
has_ink (GPtrArray *lines, guint ink)
{
  for (guint i = 0; i < lines->len; i++)
    if (((Line *)g_ptr_array_index (lines, i))->ink == ink)
      return TRUE;
  return FALSE;
}

/* That of @name, or the next one: none of @lines has it, and none of @leaving as far as there are
 * enough. */
static guint
choose_ink (const char *name, GPtrArray *lines, GPtrArray *leaving)
{
  guint8 slot;
  guint ink = TSR_INK_NAME;

  tsr_palette_place_names (&name, 1, &slot);
  for (guint look = 0; look < 2 * TSR_N_NAME_INKS; look++)
    {
      ink = TSR_INK_NAME + (slot + look) % TSR_N_NAME_INKS;
      if (!has_ink (lines, ink) && (look >= TSR_N_NAME_INKS || !has_ink (leaving, ink)))
        break;
    }
  return ink;
}

G_STATIC_ASSERT (TSR_MAX_PLOTTED_VARIABLES <= TSR_N_NAME_INKS);

void
tsr_variables_chart_set_variables (TsrVariablesChart *self,
                                   const guint32 *variables,
                                   guint n_variables)
{
  GPtrArray *lines;

  g_return_if_fail (TSR_IS_VARIABLES_CHART (self) && (variables != NULL || n_variables == 0));
  lines = g_ptr_array_new_with_free_func (line_free);
  for (guint i = 0; i < n_variables && lines->len < TSR_MAX_PLOTTED_VARIABLES; i++)
    {
      Line *line = take_line (self->lines, variables[i]);

      if (variables[i] >= tsr_variables_get_n (self->variables))
        continue;
      if (line == NULL)
        {
          line = g_new0 (Line, 1);
          line->variable = variables[i];
          line->ink = choose_ink (get_name (self, variables[i]), lines, self->lines);
          line->by_tile = tsr_variables_dup_bytes_by_tile (self->variables, variables[i]);
        }
      g_ptr_array_add (lines, line);
    }
  /* A line that comes back is visible. */
  for (guint i = 0; i < self->lines->len; i++)
    tsr_chart_model_forget_hidden (TSR_CHART_MODEL (self),
                                   get_name (self, get_line (self, i)->variable));
  g_ptr_array_unref (self->lines);
  self->lines = lines;
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_variables_chart_set_order (TsrVariablesChart *self, TsrTileOrder order)
{
  g_return_if_fail (TSR_IS_VARIABLES_CHART (self));
  if (self->order == order)
    return;
  self->order = order;
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_variables_chart_set_units (TsrVariablesChart *self, TsrUnits units)
{
  g_return_if_fail (TSR_IS_VARIABLES_CHART (self));
  if (self->units == units)
    return;
  self->units = units;
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}
