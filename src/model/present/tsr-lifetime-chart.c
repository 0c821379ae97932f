/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lifetimes: what is shown, in which order and colour.  Rows are shared with copies that are
 * exported in a worker. */

#include "config.h"

#include "tsr-lifetime-chart-private.h"

#include "tsr-category.h"
#include "tsr-chart-frame.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MIN_SPAN   8 /* steps, as in the liveness graph */
#define ROW_HEIGHT 14.0
#define MAX_DEPTH  4 /* of prefixes, until there are two */

G_DEFINE_FINAL_TYPE (TsrLifetimeChart, tsr_lifetime_chart, TSR_TYPE_CHART_MODEL)

/* ----------------------------------------------------------------- groups */

static void
group_free (gpointer data)
{
  TsrLifetimeGroup *group = data;

  g_free (group->name);
  g_free (group);
}

/* (transfer full): what gives row @row its colour. */
static char *
dup_key (TsrLifetimeChart *self, guint row, guint depth)
{
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);
  guint variable = self->rows->variable[row];
  const char *text;

  if (self->colour == TSR_LIFETIME_COLOUR_PREFIX)
    return tsr_name_dup_prefix (tsr_variables_get_name (variables, variable), depth);
  text = tsr_variables_get_category (variables, variable);
  return g_strdup (text != NULL ? tsr_category_get_label (text) : _ ("No category"));
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const TsrLifetimeGroup *x = *(TsrLifetimeGroup *const *)a;
  const TsrLifetimeGroup *y = *(TsrLifetimeGroup *const *)b;

  return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : g_strcmp0 (x->name, y->name);
}

/* Groups at @depth with the bytes of their rows; *of: the group of each row. */
static GPtrArray *
list_groups (TsrLifetimeChart *self, guint depth, TsrLifetimeGroup **of)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->rows->n; i++)
    {
      g_autofree char *key = dup_key (self, i, depth);
      TsrLifetimeGroup *group = g_hash_table_lookup (known, key);

      if (group == NULL)
        {
          group = g_new0 (TsrLifetimeGroup, 1);
          group->name = g_steal_pointer (&key);
          g_hash_table_insert (known, group->name, group);
          g_ptr_array_add (groups, group);
        }
      if (self->rows->bytes[i] != TSR_UNKNOWN)
        group->bytes = tsr_add_saturating (group->bytes, self->rows->bytes[i], NULL);
      of[i] = group;
    }
  return groups;
}

/* The largest have a colour each, the rest share one. */
static void
derive_groups (TsrLifetimeChart *self)
{
  g_autofree TsrLifetimeGroup **of = g_new (TsrLifetimeGroup *, MAX (self->rows->n, 1));
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GHashTable) place = g_hash_table_new (NULL, NULL);
  g_autofree char *others = NULL;
  guint n;

  for (guint depth = 1; depth <= MAX_DEPTH; depth++)
    {
      g_clear_pointer (&all, g_ptr_array_unref);
      all = list_groups (self, depth, of);
      if (all->len > 1 || self->colour != TSR_LIFETIME_COLOUR_PREFIX)
        break;
    }
  g_ptr_array_sort (all, compare_groups);
  n = all->len <= TSR_MAX_LIFETIME_GROUPS ? all->len : TSR_MAX_LIFETIME_GROUPS - 1;
  g_ptr_array_set_size (self->groups, 0);
  for (guint i = 0; i < all->len; i++)
    g_hash_table_insert (place, g_ptr_array_index (all, i), GUINT_TO_POINTER (MIN (i, n)));
  self->group = g_renew (guint8, self->group, MAX (self->rows->n, 1));
  for (guint i = 0; i < self->rows->n; i++)
    self->group[i] = GPOINTER_TO_UINT (g_hash_table_lookup (place, of[i]));
  others = tsr_units_dup_count (all->len - n);
  for (guint i = 0; i < MIN (n + 1, all->len); i++)
    {
      const TsrLifetimeGroup *from = g_ptr_array_index (all, i);
      TsrLifetimeGroup *group = g_new0 (TsrLifetimeGroup, 1);

      group->name = i < n ? g_strdup (from->name)
                          : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Other (%s group)",
                                                          "Other (%s groups)", all->len - n),
                                             others);
      group->ink = i < n ? TSR_INK_CATEGORY + i : TSR_INK_SHARED;
      group->visible = !g_hash_table_contains (self->hidden, group->name);
      g_ptr_array_add (self->groups, group);
    }
}

static void
derive_weights (TsrLifetimeChart *self)
{
  guint n = self->rows->n;

  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  self->weight = g_renew (gint64, self->weight, MAX (n, 1));
  for (guint place = 0; place < n; place++)
    {
      guint32 row = tsr_lifetime_chart_row_of (self, place);
      const TsrLifetimeGroup *group = g_ptr_array_index (self->groups, self->group[row]);

      self->weight[place] = group->visible ? MAX (self->rows->bytes[row], 0) : TSR_UNKNOWN;
    }
  self->pyramid = tsr_pyramid_new (self->weight, n);
}

static void
derive (TsrLifetimeChart *self)
{
  if (self->rows == NULL)
    return;
  derive_groups (self);
  derive_weights (self);
}

/* ------------------------------------------------------------ chart model */

static void
lifetime_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);

  *from = 0;
  *to = MAX (tsr_liveness_get_n_steps (self->liveness), 1);
  *min_span = MIN (*to, MIN_SPAN);
}

/* What is at a step alone is not a row: tsr_lifetime_chart_row_at tells what is at a point. */
static guint32
lifetime_chart_datum_at (TsrChartModel *model, double x)
{
  return TSR_NO_DATUM;
}

static guint32
lifetime_chart_datum_near (TsrChartModel *model, double from, double to)
{
  return TSR_NO_DATUM;
}

static double
lifetime_chart_position_of (TsrChartModel *model, guint32 datum)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);

  return self->rows != NULL && datum < self->rows->n
             ? self->rows->birth[tsr_lifetime_chart_row_of (self, datum)]
             : 0;
}

static guint
lifetime_chart_get_n_series (TsrChartModel *model)
{
  return TSR_LIFETIME_CHART (model)->groups->len;
}

static void
lifetime_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  const TsrLifetimeGroup *group;

  g_return_if_fail (i < self->groups->len);
  group = g_ptr_array_index (self->groups, i);
  *out = (TsrChartSeries){
    .name = group->name, .ink = group->ink, .filled = TRUE, .visible = group->visible
  };
}

static void
lifetime_chart_set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  TsrLifetimeGroup *group;

  g_return_if_fail (i < self->groups->len);
  group = g_ptr_array_index (self->groups, i);
  if (!group->visible == !visible)
    return;
  group->visible = visible != FALSE;
  if (visible)
    g_hash_table_remove (self->hidden, group->name);
  else
    g_hash_table_add (self->hidden, g_strdup (group->name));
  derive_weights (self);
  tsr_chart_model_emit_series_changed (model);
  tsr_chart_model_emit_changed (model);
}

/* ----------------------------------------------------------------- object */

static TsrChartModel *
lifetime_chart_dup (TsrChartModel *model)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  g_autoptr (TsrStepSelection) selection = NULL;
  TsrLifetimeChart *copy;
  GHashTableIter iter;
  gpointer key;

  if (self->selection != NULL)
    {
      guint n;
      const guint *steps = tsr_step_selection_peek (self->selection, &n);

      selection = tsr_step_selection_new ();
      tsr_step_selection_set (selection, steps, n);
      tsr_step_selection_set_variables (selection,
                                        tsr_step_selection_peek_variables (self->selection));
    }
  copy = tsr_lifetime_chart_new (self->liveness, selection);
  copy->order = self->order;
  copy->colour = self->colour;
  copy->first_row = self->first_row;
  copy->row_height = self->row_height;
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (copy->hidden, g_strdup (key));
  if (self->rows != NULL)
    tsr_lifetime_chart_take_rows (copy, tsr_lifetime_rows_ref (self->rows));
  return TSR_CHART_MODEL (copy);
}

static void
tsr_lifetime_chart_dispose (GObject *object)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_lifetime_chart_parent_class)->dispose (object);
}

static void
tsr_lifetime_chart_finalize (GObject *object)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (object);

  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->rows, tsr_lifetime_rows_free);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->hidden);
  g_free (self->group);
  g_free (self->weight);
  G_OBJECT_CLASS (tsr_lifetime_chart_parent_class)->finalize (object);
}

static void
tsr_lifetime_chart_class_init (TsrLifetimeChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->dispose = tsr_lifetime_chart_dispose;
  object_class->finalize = tsr_lifetime_chart_finalize;
  model_class->get_domain = lifetime_chart_get_domain;
  model_class->layout = tsr_lifetime_chart_layout;
  model_class->layout_overlay = tsr_lifetime_chart_layout_overlay;
  model_class->datum_at = lifetime_chart_datum_at;
  model_class->datum_near = lifetime_chart_datum_near;
  model_class->position_of = lifetime_chart_position_of;
  model_class->describe = tsr_lifetime_chart_describe;
  model_class->dup_caption = tsr_lifetime_chart_dup_caption;
  model_class->get_n_series = lifetime_chart_get_n_series;
  model_class->get_series = lifetime_chart_get_series;
  model_class->set_series_visible = lifetime_chart_set_series_visible;
  model_class->write_csv = tsr_lifetime_chart_write_csv;
  model_class->dup = lifetime_chart_dup;
}

static void
tsr_lifetime_chart_init (TsrLifetimeChart *self)
{
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->row_height = ROW_HEIGHT;
}

TsrLifetimeChart *
tsr_lifetime_chart_new (TsrLiveness *liveness, TsrStepSelection *selection)
{
  TsrLifetimeChart *self;

  g_return_val_if_fail (liveness != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_STEP_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_LIFETIME_CHART, NULL);
  self->liveness = tsr_liveness_ref (liveness);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_swapped (selection, "steps-changed",
                                G_CALLBACK (tsr_chart_model_emit_overlay_changed), self);
      g_signal_connect_swapped (selection, "variables-changed",
                                G_CALLBACK (tsr_chart_model_emit_overlay_changed), self);
    }
  return self;
}

static void
emit_all (TsrLifetimeChart *self)
{
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_lifetime_chart_take_rows (TsrLifetimeChart *self, TsrLifetimeRows *rows)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  g_return_if_fail (rows != NULL);
  g_clear_pointer (&self->rows, tsr_lifetime_rows_free);
  self->rows = rows;
  derive (self);
  emit_all (self);
}

guint
tsr_lifetime_chart_get_n_rows (TsrLifetimeChart *self)
{
  g_return_val_if_fail (TSR_IS_LIFETIME_CHART (self), 0);
  return self->rows != NULL ? self->rows->n : 0;
}

guint
tsr_lifetime_chart_get_variable (TsrLifetimeChart *self, guint row)
{
  g_return_val_if_fail (TSR_IS_LIFETIME_CHART (self), TSR_NO_INDEX);
  return self->rows != NULL && row < self->rows->n
             ? self->rows->variable[tsr_lifetime_chart_row_of (self, row)]
             : TSR_NO_INDEX;
}

void
tsr_lifetime_chart_set_order (TsrLifetimeChart *self, TsrLifetimeOrder order)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  g_return_if_fail (order < TSR_N_LIFETIME_ORDERS);
  if (self->order == order)
    return;
  self->order = order;
  if (self->rows != NULL)
    derive_weights (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_lifetime_chart_set_colour (TsrLifetimeChart *self, TsrLifetimeColour colour)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  if (self->colour == colour)
    return;
  self->colour = colour;
  g_hash_table_remove_all (self->hidden);
  derive (self);
  emit_all (self);
}

void
tsr_lifetime_chart_set_first_row (TsrLifetimeChart *self, double row)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  row = isfinite (row) ? MAX (row, 0) : 0;
  if (self->first_row == row)
    return;
  self->first_row = row;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_lifetime_chart_set_row_height (TsrLifetimeChart *self, double pixels)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  pixels = isfinite (pixels) ? CLAMP (pixels, 1e-6, 1000) : ROW_HEIGHT;
  if (self->row_height == pixels)
    return;
  self->row_height = pixels;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}
