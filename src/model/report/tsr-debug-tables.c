/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The debug information of a report: what the rows of debug.cbor mean for each other.  Parents
 * become rows, rings are cut, and layers are counted. */

#include "config.h"

#include "tsr-debug-tables.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define TABLE "contexts"

/* Places for each id: at most 8 bytes a context. */
#define DENSE_PLACES  2
#define HASHED_PLACES 3 / 2

/* Several engines may number their contexts alike.  When parents are looked up, at most this many
 * contexts with the same id are distinguished. */
#define MAX_TWINS 16

/* ---------------------------------------------------------------------- ids */

static gsize
hash_id (const TsrDebugTables *self, guint64 id)
{
  guint64 mixed = (id ^ self->seed) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  mixed = (mixed ^ mixed >> 32) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  /* 32 bits of it as a fraction of the places. */
  return ((mixed >> 32) * (guint64)self->n_places) >> 32;
}

static gsize
get_next (const TsrDebugTables *self, gsize place)
{
  return place + 1 < self->n_places ? place + 1 : 0;
}

/* The first place where a row with @id is, or would be. */
static gsize
find_place (const TsrDebugTables *self, guint64 id)
{
  gsize place;

  if (self->is_dense)
    return id - self->first_id;
  place = hash_id (self, id);
  while (self->places[place] != TSR_NO_INDEX && self->id[self->places[place]] != id)
    place = get_next (self, place);
  return place;
}

/* Whether all ids fit into a table of their own, with few holes. */
static void
choose_places (TsrDebugTables *self)
{
  guint64 first = G_MAXUINT64;
  guint64 last = 0;

  for (guint i = 0; i < self->n; i++)
    if (self->id[i] != TSR_DEBUG_NO_ID)
      {
        first = MIN (first, self->id[i]);
        last = MAX (last, self->id[i]);
      }
  if (first > last)
    return;
  self->first_id = first;
  self->is_dense = self->rows->n_parts == 1 && last - first < (guint64)self->n * DENSE_PLACES;
  self->n_places = self->is_dense ? last - first + 1 : (gsize)self->n * HASHED_PLACES + 1;
}

static guint
get_part (const TsrDebugTables *self, guint32 row)
{
  const TsrDebugRows *rows = self->rows;
  guint from = 0;
  guint to = rows->n_parts;

  while (to - from > 1)
    {
      guint middle = from + (to - from) / 2;

      if (rows->part_start[middle] <= row)
        from = middle;
      else
        to = middle;
    }
  return from;
}

/* Another engine's context with the same id is kept behind the first one. */
static void
add_twin (TsrDebugTables *self, gsize place, guint32 row)
{
  const guint64 id = self->id[row];
  const guint part = get_part (self, row);
  guint n = 0;

  for (; self->places[place] != TSR_NO_INDEX; place = get_next (self, place))
    if (self->id[self->places[place]] == id
        && (++n == MAX_TWINS || get_part (self, self->places[place]) == part))
      return;
  self->places[place] = row;
}

/* The first row with an id keeps it; the number of the others, and in @first the byte of the first
 * of them. */
static guint64
index_ids (TsrDebugTables *self, gint64 *first)
{
  guint64 repeated = 0;

  choose_places (self);
  self->places = g_new (guint32, MAX (self->n_places, 1));
  memset (self->places, 0xff, MAX (self->n_places, 1) * sizeof *self->places);
  for (guint i = 0; i < self->n; i++)
    {
      gsize place;

      if (self->id[i] == TSR_DEBUG_NO_ID)
        continue;
      place = find_place (self, self->id[i]);
      if (self->places[place] == TSR_NO_INDEX)
        {
          self->places[place] = i;
          continue;
        }
      if (repeated++ == 0)
        *first = (gint64)self->offset[i];
      if (self->rows->n_parts > 1)
        add_twin (self, place, i);
    }
  return repeated;
}

static guint32
find_row (const TsrDebugTables *self, guint64 id)
{
  if (id == TSR_DEBUG_NO_ID || self->n_places == 0
      || (self->is_dense && id - self->first_id >= self->n_places))
    return TSR_NO_INDEX;
  return self->places[find_place (self, id)];
}

guint32
tsr_debug_tables_find (const TsrDebugTables *self, gint64 id)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  return id != TSR_UNKNOWN ? find_row (self, (guint64)id) : TSR_NO_INDEX;
}

/* ------------------------------------------------------------------ parents */

/* The parent of @row: among several contexts with its id that of the same engine. */
static guint32
find_parent (const TsrDebugTables *self, guint32 row)
{
  const guint64 id = self->rows->parent_id[row];
  guint32 first = TSR_NO_INDEX;
  guint part;

  if (self->rows->n_parts == 1)
    return find_row (self, id);
  if (id == TSR_DEBUG_NO_ID || self->n_places == 0)
    return TSR_NO_INDEX;
  part = get_part (self, row);
  for (gsize place = find_place (self, id); self->places[place] != TSR_NO_INDEX;
       place = get_next (self, place))
    if (self->id[self->places[place]] == id)
      {
        if (get_part (self, self->places[place]) == part)
          return self->places[place];
        first = first == TSR_NO_INDEX ? self->places[place] : first;
      }
  return first;
}

/* FALSE: all parents come after their children, or all before, so that there is no ring. */
static gboolean
find_parents (TsrDebugTables *self, TsrDiagnostics *diagnostics)
{
  const guint64 *parent_id = self->rows->parent_id;
  const char *file = tsr_source_get_base_name (self->source);
  TsrDiagnosticTally tally = { 0 };
  gboolean before = FALSE;
  gboolean after = FALSE;

  self->parent = g_new (guint32, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      guint32 parent = parent_id[i] != TSR_DEBUG_NO_ID ? find_parent (self, i) : TSR_NO_INDEX;

      self->parent[i] = parent;
      if (parent != TSR_NO_INDEX)
        {
          before = before || parent <= i;
          after = after || parent >= i;
        }
      else if (parent_id[i] != TSR_DEBUG_NO_ID && self->complete
               && tsr_diagnostic_tally_count (&tally, TSR_SEVERITY_WARNING, "reference-broken"))
        tsr_diagnostics_add (diagnostics, TSR_SEVERITY_WARNING, "reference-broken", file, TABLE,
                             TSR_NO_ROW, self->offset[i],
                             _ ("parentId is %" PRIu64 ", but no context has this id"),
                             parent_id[i]);
    }
  tsr_diagnostic_tally_flush (&tally, diagnostics, file, TABLE);
  return before && after;
}

/* Each row is walked over once: what a walk meets of an earlier one leads to an end. */
static void
cut_rings (TsrDebugTables *self, TsrDiagnostics *diagnostics)
{
  const char *file = tsr_source_get_base_name (self->source);
  g_autofree guint32 *walk = g_new0 (guint32, self->n); /* 1 + the row from which it was met */

  for (guint i = 0; i < self->n; i++)
    {
      guint32 row = i;
      guint32 first;

      while (row != TSR_NO_INDEX && walk[row] == 0)
        {
          walk[row] = i + 1;
          row = self->parent[row];
        }
      if (row == TSR_NO_INDEX || walk[row] != i + 1)
        continue;
      first = row;
      for (guint32 other = self->parent[row]; other != row; other = self->parent[other])
        first = MIN (first, other);
      self->parent[first] = TSR_NO_INDEX;
      tsr_diagnostics_add (
          diagnostics, TSR_SEVERITY_WARNING, "ring", file, TABLE, TSR_NO_ROW, self->offset[first],
          _ ("the parents of the context lead back to it; it is treated as an outermost one"));
    }
}

/* ----------------------------------------------------------------- the whole */

static void
count_layers (TsrDebugTables *self)
{
  const GPtrArray *names = self->rows->layer_names;

  self->n_layers = names->len;
  self->layers = g_new0 (TsrDebugLayer, MAX (names->len, 1));
  for (guint i = 0; i < names->len; i++)
    self->layers[i].name = g_ptr_array_index (names, i);
  for (guint i = 0; i < self->n; i++)
    if (self->layer[i] != TSR_DEBUG_NO_LAYER)
      self->layers[self->layer[i]].n_contexts++;
}

TsrDebugTables *
tsr_debug_tables_new (TsrDebugRows *rows, TsrSource *source, TsrDiagnostics *diagnostics)
{
  TsrDebugTables *self;
  guint64 repeated;
  gint64 first = TSR_NO_ROW;

  g_return_val_if_fail (rows != NULL && TSR_IS_SOURCE (source) && diagnostics != NULL, NULL);

  self = g_new0 (TsrDebugTables, 1);
  self->rows = rows;
  self->source = g_object_ref (source);
  self->complete = rows->end == NULL;
  self->n = rows->n;
  self->id = rows->id;
  self->layer = rows->layer;
  self->name = rows->name;
  self->file_name = rows->file_name;
  self->function_name = rows->function_name;
  self->line = rows->line;
  self->offset = rows->offset;
  self->length = rows->length;
  if (rows->end != NULL)
    tsr_diagnostics_add (diagnostics, TSR_SEVERITY_ERROR, "part-not-read",
                         tsr_source_get_base_name (source), TABLE, TSR_NO_ROW, rows->end_offset,
                         "%s", rows->end->message);
  self->seed = (guint64)g_random_int () << 32 | g_random_int ();
  repeated = index_ids (self, &first);
  if (repeated > 0)
    tsr_diagnostics_add (diagnostics, TSR_SEVERITY_WARNING, "id-repeated",
                         tsr_source_get_base_name (source), TABLE, TSR_NO_ROW, first,
                         _ ("%" PRIu64 " contexts have the same id as another one"), repeated);
  if (find_parents (self, diagnostics))
    cut_rings (self, diagnostics);
  g_clear_pointer (&rows->parent_id, g_free);
  count_layers (self);
  return self;
}

void
tsr_debug_tables_free (TsrDebugTables *self)
{
  if (self == NULL)
    return;
  g_free (self->parent);
  g_free (self->layers);
  g_free (self->places);
  tsr_debug_rows_free (self->rows);
  g_object_unref (self->source);
  g_free (self);
}

/* ------------------------------------------------------------------ questions */

const char *
tsr_debug_tables_get_text (const TsrDebugTables *self, guint32 text)
{
  g_return_val_if_fail (self != NULL, NULL);
  return tsr_debug_rows_get_text (self->rows, text);
}

guint16
tsr_debug_tables_find_layer (const TsrDebugTables *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, TSR_DEBUG_NO_LAYER);
  for (guint i = 0; i < self->n_layers; i++)
    if (g_str_equal (self->layers[i].name, name))
      return i;
  return TSR_DEBUG_NO_LAYER;
}

guint32 *
tsr_debug_tables_dup_chain (const TsrDebugTables *self, guint32 row, guint *n)
{
  guint32 *chain;
  guint length = 0;

  g_return_val_if_fail (self != NULL && row < self->n && n != NULL, NULL);
  for (guint32 at = row; at != TSR_NO_INDEX; at = self->parent[at])
    length++;
  chain = g_new (guint32, length);
  *n = 0;
  for (guint32 at = row; at != TSR_NO_INDEX; at = self->parent[at])
    chain[(*n)++] = at;
  return chain;
}

const guint64 *
tsr_debug_tables_get_ids (const TsrDebugTables *self, guint32 row, TsrDebugIds kind, guint *n)
{
  g_return_val_if_fail (self != NULL, NULL);
  return tsr_debug_rows_get_ids (self->rows, row, kind, n);
}

TsrJson *
tsr_debug_tables_read_record (const TsrDebugTables *self,
                              guint32 row,
                              GCancellable *cancellable,
                              GError **error)
{
  g_return_val_if_fail (self != NULL && row < self->n, NULL);
  return tsr_debug_record_read (self->source, self->rows, row, cancellable, error);
}

const char *
tsr_debug_layer_get_title (const char *name)
{
  static const struct
  {
    const char *name, *title;
  } titles[] = {
    { "xla_op", N_ ("TensorFlow XLA operations") },
    { "hloinstruction", N_ ("TensorFlow HLO instructions") },
    { "poplar_driver", N_ ("TensorFlow Poplar driver") },
    { "poptorch", "PopTorch" },
    { "popxl", "PopXL" },
    { "popartbuilder", "PopART Builder" },
    { "onnx", "ONNX" },
    { "popart", "PopART" },
    { "poplibs", "PopLibs" },
    { "poplar", "Poplar" },
  };

  g_return_val_if_fail (name != NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (titles[i].name, name))
      return _ (titles[i].title);
  return name;
}
