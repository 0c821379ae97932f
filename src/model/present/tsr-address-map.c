/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address map: the allocations of one tile, in lanes where they overlap, the gaps between them,
 * and what it says in words.  Where things lie is tsr-address-map-layout.c. */

#include "config.h"

#include "tsr-address-map-private.h"

#include "tsr-json-writer.h"
#include "tsr-memory-series.h"

#include <glib/gi18n-lib.h>

/* A tile has some thousand; a file that claims more gets this many, and the caption says so. */
#define MAX_ALLOCATIONS 500000
#define MAX_LIVES       3 /* intervals that a description names */

G_DEFINE_FINAL_TYPE (TsrAddressMap, tsr_address_map, TSR_TYPE_CHART_MODEL)

/* ------------------------------------------------------------------- kinds */

guint
tsr_address_map_get_kind (TsrAddressMap *self, guint32 row)
{
  if (self->colour == TSR_ADDRESS_BY_LIFE)
    return tsr_variables_get_life (self->variables,
                                   tsr_variables_of_lowered (self->variables, row));
  return self->lowered->category[row];
}

guint
tsr_address_map_get_kind_ink (TsrAddressMap *self, guint kind)
{
  static const guint lives[] = {
    [TSR_LIFE_ALWAYS] = TSR_INK_ALWAYS_LIVE,
    [TSR_LIFE_RESIDENT] = TSR_INK_PACKING,
    [TSR_LIFE_TEMPORARY] = TSR_INK_NOT_ALWAYS_LIVE,
    [TSR_LIFE_UNKNOWN] = TSR_INK_SHARED,
  };

  if (self->colour == TSR_ADDRESS_BY_LIFE)
    return kind < G_N_ELEMENTS (lives) ? lives[kind] : TSR_INK_SHARED;
  return kind < tsr_memory_get_n_categories (self->memory) ? self->category_inks[kind]
                                                           : TSR_INK_SHARED;
}

static const char *
get_kind_name (TsrAddressMap *self, guint kind)
{
  const char *life;

  if (self->colour == TSR_ADDRESS_BY_CATEGORY)
    return kind < tsr_memory_get_n_categories (self->memory)
               ? tsr_memory_get_category_label (self->memory, kind)
               : _ ("Category not recorded");
  life = tsr_life_get_name (kind);
  return life != NULL ? life : _ ("Life not recorded");
}

gboolean
tsr_address_map_is_shown (TsrAddressMap *self, guint32 row)
{
  return !g_hash_table_contains (self->hidden,
                                 GUINT_TO_POINTER (tsr_address_map_get_kind (self, row)));
}

/* The colours that categories have in the Total graph. */
static void
choose_category_inks (TsrAddressMap *self)
{
  TsrMemoryChartOptions options = { .breakdown = TSR_BREAKDOWN_CATEGORY };
  g_autoptr (GPtrArray) series = tsr_memory_series_list (self->memory, &options, NULL);
  guint n = tsr_memory_get_n_categories (self->memory);

  self->category_inks = g_new (guint8, MAX (n, 1));
  for (guint c = 0; c < n; c++)
    {
      self->category_inks[c] = TSR_INK_CATEGORY + c % TSR_N_CATEGORY_INKS;
      for (guint i = 0; i < series->len; i++)
        {
          const TsrMemorySeries *one = g_ptr_array_index (series, i);

          if (one->kind == TSR_SERIES_BAND
              && g_strcmp0 (one->key, tsr_memory_get_category_name (self->memory, c)) == 0)
            self->category_inks[c] = one->ink;
        }
    }
}

/* -------------------------------------------------------------------- life */

static gboolean
class_is_live (const TsrLoweredTables *t, guint32 index, guint step)
{
  gsize low = t->interval_start[index], high = t->interval_start[index + 1];

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (step < t->interval_from[middle])
        high = middle;
      else if (step >= t->interval_to[middle])
        low = middle + 1;
      else
        return TRUE;
    }
  return FALSE;
}

int
tsr_address_map_is_live (TsrAddressMap *self, guint32 row)
{
  const TsrLoweredTables *t = self->lowered;

  if (self->step == TSR_NO_INDEX || t->always_live[row] == 1)
    return 1;
  if (t->equivalence_class[row] == TSR_NO_INDEX)
    return -1;
  return class_is_live (t, t->equivalence_class[row], self->step);
}

/* ------------------------------------------------------------- allocations */

static int
compare_allocations (gconstpointer a, gconstpointer b)
{
  const TsrAllocation *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to > y->to ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int
compare_sizes (gconstpointer a, gconstpointer b, gpointer data)
{
  TsrAddressMap *self = data;
  guint i = *(const guint *)a, j = *(const guint *)b;
  const TsrAllocation *x = tsr_address_map_get (self, i), *y = tsr_address_map_get (self, j);

  if (x->to - x->from != y->to - y->from)
    return x->to - x->from < y->to - y->from ? -1 : 1;
  return (i < j) - (i > j);
}

static void
collect (TsrAddressMap *self)
{
  const TsrLoweredTables *t = self->lowered;

  g_array_set_size (self->allocations, 0);
  self->n_unplaced = 0;
  if (t == NULL || self->tile >= t->n_tiles)
    return;
  for (gsize i = t->tile_start[self->tile]; i < t->tile_start[self->tile + 1]; i++)
    {
      guint32 row = t->by_tile != NULL ? t->by_tile[i] : (guint32)i;
      TsrAllocation one = { .row = row };

      if (t->offset[row] == TSR_LOWERED_UNKNOWN || t->size[row] == TSR_LOWERED_UNKNOWN
          || self->allocations->len >= MAX_ALLOCATIONS)
        {
          self->n_unplaced++;
          continue;
        }
      one.from = t->offset[row];
      one.to = one.from + t->size[row];
      if (one.to > one.from)
        g_array_append_val (self->allocations, one);
    }
  g_array_sort (self->allocations, compare_allocations);
}

/* Each takes the first lane that is free at its address: as few lanes as overlaps ask for.  What is
 * live at one step does not overlap, so that a step needs one lane and the strip. */
void
tsr_address_map_choose_lanes (TsrAddressMap *self)
{
  gint64 ends[TSR_ADDRESS_MAX_LANES] = { 0 };

  for (guint i = 0; i < self->allocations->len; i++)
    {
      TsrAllocation *one = &g_array_index (self->allocations, TsrAllocation, i);
      guint lane = 0;

      if (tsr_address_map_is_live (self, one->row) != 1)
        {
          one->lane = TSR_ADDRESS_STRIP;
          continue;
        }
      while (lane + 1 < TSR_ADDRESS_MAX_LANES && ends[lane] > one->from)
        lane++;
      one->lane = lane;
      ends[lane] = MAX (ends[lane], one->to);
    }
}

static void
find_gaps (TsrAddressMap *self)
{
  guint32 below = TSR_NO_DATUM;

  g_array_set_size (self->gaps, 0);
  self->used = 0;
  for (guint i = 0; i < self->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (self, i);

      if (one->from > self->used)
        {
          TsrGap gap = { self->used, one->from, below, one->row };

          g_array_append_val (self->gaps, gap);
        }
      if (one->to > self->used)
        {
          self->used = one->to;
          below = one->row;
        }
    }
}

static int
compare_kinds (gconstpointer a, gconstpointer b, gpointer data)
{
  guint x = tsr_address_map_get_kind_ink (data, *(const guint *)a);
  guint y = tsr_address_map_get_kind_ink (data, *(const guint *)b);

  return (x > y) - (x < y);
}

static void
list_series (TsrAddressMap *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_array_set_size (self->series, 0);
  for (guint i = 0; i < self->allocations->len; i++)
    {
      guint kind = tsr_address_map_get_kind (self, tsr_address_map_get (self, i)->row);

      if (g_hash_table_add (seen, GUINT_TO_POINTER (kind)))
        g_array_append_val (self->series, kind);
    }
  g_array_sort_with_data (self->series, compare_kinds, self);
}

static void
derive (TsrAddressMap *self)
{
  collect (self);
  tsr_address_map_choose_lanes (self);
  find_gaps (self);
  g_array_set_size (self->by_size, self->allocations->len);
  for (guint i = 0; i < self->allocations->len; i++)
    g_array_index (self->by_size, guint, i) = i;
  g_array_sort_with_data (self->by_size, compare_sizes, self);
  list_series (self);
  tsr_address_map_place (self);
}

static void
emit_all (TsrAddressMap *self)
{
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const TsrGap *x = a, *y = b;

  if (x->to - x->from != y->to - y->from)
    return x->to - x->from > y->to - y->from ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

GArray *
tsr_address_map_list_gaps (TsrAddressMap *self, guint most)
{
  GArray *gaps;

  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), NULL);
  gaps = g_array_copy (self->gaps);
  g_array_sort (gaps, compare_gaps);
  g_array_set_size (gaps, MIN (gaps->len, most));
  return gaps;
}

guint32
tsr_address_map_step_from (TsrAddressMap *self, guint32 row, int by)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), TSR_NO_DATUM);
  if (self->allocations->len == 0)
    return TSR_NO_DATUM;
  for (guint i = 0; i < self->allocations->len; i++)
    if (tsr_address_map_get (self, i)->row == row)
      {
        gint64 to = CLAMP ((gint64)i + by, 0, (gint64)self->allocations->len - 1);

        return tsr_address_map_get (self, (guint)to)->row;
      }
  return tsr_address_map_get (self, 0)->row;
}

guint
tsr_address_map_get_n (TsrAddressMap *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), 0);
  return self->allocations->len;
}

gint64
tsr_address_map_get_gap_bytes (TsrAddressMap *self)
{
  gint64 sum = 0;

  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), 0);
  for (guint i = 0; i < self->gaps->len; i++)
    {
      const TsrGap *gap = &g_array_index (self->gaps, TsrGap, i);

      sum += gap->to - gap->from;
    }
  return sum;
}

guint
tsr_address_map_get_ink (TsrAddressMap *self, guint32 row)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), TSR_NO_DATUM);
  if (self->lowered == NULL || row >= self->lowered->n)
    return TSR_NO_DATUM;
  return tsr_address_map_get_kind_ink (self, tsr_address_map_get_kind (self, row));
}

/* ------------------------------------------------------------------- words */

static void
append_life (TsrAddressMap *self, GString *out, guint32 row)
{
  const TsrLoweredTables *t = self->lowered;
  guint32 index = t->equivalence_class[row];
  gsize first, n;

  if (t->always_live[row] == 1)
    {
      g_string_append_printf (out, "\n%s", _ ("Always live"));
      return;
    }
  if (index == TSR_NO_INDEX)
    {
      g_string_append_printf (out, "\n%s", _ ("Life not recorded"));
      return;
    }
  first = t->interval_start[index];
  n = t->interval_start[index + 1] - first;
  if (n == 0)
    g_string_append_printf (out, "\n%s", _ ("Never live"));
  for (gsize i = 0; i < MIN (n, MAX_LIVES); i++)
    {
      g_autofree char *from = tsr_units_dup_count (t->interval_from[first + i]);
      g_autofree char *to = tsr_units_dup_count (t->interval_to[first + i] - 1);

      g_string_append_printf (out, i == 0 ? _ ("\nLive at steps %s–%s") : ", %s–%s", from, to);
    }
  if (n > MAX_LIVES)
    {
      g_autofree char *more = tsr_units_dup_count ((gint64)(n - MAX_LIVES));

      g_string_append_printf (
          out, g_dngettext (GETTEXT_PACKAGE, " and %s more", " and %s more", n - MAX_LIVES), more);
    }
}

static char *
address_map_describe (TsrChartModel *model, guint32 row)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  const TsrLoweredTables *t = self->lowered;
  const char *name;
  g_autofree char *size = NULL, *offset = NULL;
  GString *out;
  guint16 category;

  if (t == NULL || row >= t->n)
    return NULL;
  name = tsr_string_table_get (t->strings, t->name[row]);
  out = g_string_new (name != NULL ? name : _ ("No name"));
  category = t->category[row];
  if (category < tsr_memory_get_n_categories (self->memory))
    g_string_append_printf (out, "\n%s", tsr_memory_get_category_label (self->memory, category));
  if (t->size[row] != TSR_LOWERED_UNKNOWN)
    {
      size = tsr_units_dup_bytes_exact (t->size[row]);
      g_string_append_printf (out, "\n%s", size);
    }
  if (t->offset[row] != TSR_LOWERED_UNKNOWN)
    {
      offset = tsr_units_dup_count (t->offset[row]);
      g_string_append_printf (out, _ ("\nAt address %s (0x%x)"), offset, t->offset[row]);
    }
  if (t->alignment[row] != 255)
    {
      g_autofree char *alignment
          = tsr_units_dup_bytes_exact (G_GINT64_CONSTANT (1) << MIN (t->alignment[row], 62));

      g_string_append_printf (out, _ ("\nAligned to %s"), alignment);
    }
  append_life (self, out, row);
  return g_string_free (out, FALSE);
}

static char *
address_map_dup_caption (TsrChartModel *model)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  g_autofree char *text = NULL, *step = NULL, *unplaced = NULL;

  if (self->tile == TSR_NO_INDEX)
    return g_strdup (_ ("Address map"));
  if (self->step != TSR_NO_INDEX)
    {
      step = tsr_units_dup_count (self->step);
      text = g_strdup_printf (_ ("Addresses of tile %u at step %s"), self->tile, step);
    }
  else
    text = g_strdup_printf (_ ("Addresses of tile %u"), self->tile);
  if (self->n_unplaced == 0)
    return g_steal_pointer (&text);
  unplaced = tsr_units_dup_count (self->n_unplaced);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s (%s allocation without address)",
                                       "%s (%s allocations without address)", self->n_unplaced),
                          text, unplaced);
}

static void
address_map_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  const char *titles[] = { _ ("name"), _ ("category"), _ ("address"), _ ("bytes"), _ ("lane") };

  tsr_csv_append_row (out, G_N_ELEMENTS (titles), titles);
  for (guint i = 0; i < self->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (self, i);
      const char *name
          = tsr_string_table_get (self->lowered->strings, self->lowered->name[one->row]);
      guint16 category = self->lowered->category[one->row];
      g_autofree char *address = g_strdup_printf ("%" G_GINT64_FORMAT, one->from);
      g_autofree char *bytes = g_strdup_printf ("%" G_GINT64_FORMAT, one->to - one->from);
      g_autofree char *lane
          = one->lane != TSR_ADDRESS_STRIP ? g_strdup_printf ("%u", one->lane) : g_strdup ("");
      const char *fields[] = { name != NULL ? name : "",
                               category < tsr_memory_get_n_categories (self->memory)
                                   ? tsr_memory_get_category_name (self->memory, category)
                                   : "",
                               address, bytes, lane };

      tsr_csv_append_row (out, G_N_ELEMENTS (fields), fields);
    }
}

/* ------------------------------------------------------------- chart model */

/* Data lie in rows, not along an axis: the domain is the addresses. */
static void
address_map_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);

  *from = 0;
  *to = MAX (MAX (self->used, self->capacity), 1);
  *min_span = *to;
}

static guint32
address_map_datum_at (TsrChartModel *model, double x)
{
  return TSR_NO_DATUM;
}

static double
address_map_position_of (TsrChartModel *model, guint32 datum)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);

  return self->lowered != NULL && datum < self->lowered->n ? self->lowered->offset[datum] : 0;
}

static void
address_map_layout_overview (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             TsrDrawList *list)
{
}

static guint
address_map_get_n_series (TsrChartModel *model)
{
  return TSR_ADDRESS_MAP (model)->series->len;
}

static void
address_map_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  guint kind;

  g_return_if_fail (i < self->series->len);
  kind = g_array_index (self->series, guint, i);
  *out = (TsrChartSeries){
    .name = get_kind_name (self, kind),
    .ink = tsr_address_map_get_kind_ink (self, kind),
    .filled = TRUE,
    .visible = !g_hash_table_contains (self->hidden, GUINT_TO_POINTER (kind)),
  };
}

static void
address_map_set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  gpointer kind;

  g_return_if_fail (i < self->series->len);
  kind = GUINT_TO_POINTER (g_array_index (self->series, guint, i));
  if (!g_hash_table_contains (self->hidden, kind) == !!visible)
    return;
  if (visible)
    g_hash_table_remove (self->hidden, kind);
  else
    g_hash_table_add (self->hidden, kind);
  emit_all (self);
}

static TsrChartModel *
address_map_dup (TsrChartModel *model)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  TsrAddressMap *copy = tsr_address_map_new (self->liveness, NULL);
  GHashTableIter iter;
  gpointer kind;

  copy->step = self->step;
  copy->colour = self->colour;
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &kind, NULL))
    g_hash_table_add (copy->hidden, kind);
  tsr_address_map_set_tile (copy, self->tile);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_address_map_dispose (GObject *object)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_address_map_parent_class)->dispose (object);
}

static void
tsr_address_map_finalize (GObject *object)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (object);

  g_array_unref (self->allocations);
  g_array_unref (self->by_size);
  g_array_unref (self->gaps);
  g_array_unref (self->series);
  g_array_unref (self->rows);
  g_hash_table_unref (self->hidden);
  g_free (self->category_inks);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  G_OBJECT_CLASS (tsr_address_map_parent_class)->finalize (object);
}

static void
tsr_address_map_class_init (TsrAddressMapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->dispose = tsr_address_map_dispose;
  object_class->finalize = tsr_address_map_finalize;
  model_class->get_domain = address_map_get_domain;
  model_class->layout = tsr_address_map_layout;
  model_class->layout_overlay = tsr_address_map_layout_overlay;
  model_class->layout_overview = address_map_layout_overview;
  model_class->datum_at = address_map_datum_at;
  model_class->position_of = address_map_position_of;
  model_class->describe = address_map_describe;
  model_class->dup_caption = address_map_dup_caption;
  model_class->get_n_series = address_map_get_n_series;
  model_class->get_series = address_map_get_series;
  model_class->set_series_visible = address_map_set_series_visible;
  model_class->write_csv = address_map_write_csv;
  model_class->dup = address_map_dup;
}

static void
tsr_address_map_init (TsrAddressMap *self)
{
  self->tile = self->step = TSR_NO_INDEX;
  self->allocations = g_array_new (FALSE, FALSE, sizeof (TsrAllocation));
  self->by_size = g_array_new (FALSE, FALSE, sizeof (guint));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (TsrGap));
  self->series = g_array_new (FALSE, FALSE, sizeof (guint));
  self->rows = g_array_new (FALSE, TRUE, sizeof (TsrAddressRow));
  self->hidden = g_hash_table_new (NULL, NULL);
}

TsrAddressMap *
tsr_address_map_new (TsrLiveness *liveness, TsrStepSelection *selection)
{
  TsrAddressMap *self;
  const TsrSummary *summary;

  g_return_val_if_fail (liveness != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_STEP_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_ADDRESS_MAP, NULL);
  self->liveness = tsr_liveness_ref (liveness);
  self->variables = tsr_liveness_get_variables (liveness);
  self->memory = tsr_liveness_get_memory (liveness);
  self->lowered = tsr_liveness_has_lowered (liveness)
                      ? tsr_report_get_lowered_tables (tsr_liveness_get_report (liveness))
                      : NULL;
  summary = tsr_report_get_summary (tsr_liveness_get_report (liveness));
  self->capacity = tsr_memory_get_capacity (self->memory);
  self->interleaved_start = summary != NULL ? summary->target.interleaved_start : TSR_UNKNOWN;
  choose_category_inks (self);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_swapped (selection, "variables-changed",
                                G_CALLBACK (tsr_chart_model_emit_overlay_changed), self);
    }
  derive (self);
  return self;
}

void
tsr_address_map_set_tile (TsrAddressMap *self, guint tile)
{
  g_return_if_fail (TSR_IS_ADDRESS_MAP (self));
  if (self->tile == tile)
    return;
  self->tile = tile;
  derive (self);
  tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  emit_all (self);
}

void
tsr_address_map_set_step (TsrAddressMap *self, guint step)
{
  double height;

  g_return_if_fail (TSR_IS_ADDRESS_MAP (self));
  if (self->step == step)
    return;
  self->step = step;
  height = self->height;
  tsr_address_map_choose_lanes (self);
  tsr_address_map_place (self);
  if (self->height != height)
    tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_address_map_set_colour (TsrAddressMap *self, TsrAddressColour colour)
{
  g_return_if_fail (TSR_IS_ADDRESS_MAP (self));
  if (self->colour == colour)
    return;
  self->colour = colour;
  g_hash_table_remove_all (self->hidden);
  list_series (self);
  emit_all (self);
}
