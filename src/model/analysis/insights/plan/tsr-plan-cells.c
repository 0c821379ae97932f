/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of the lowered tables by tile, class and what measures do to them: a forecast goes through
 * these instead of all rows, of which there are several times as many. */

#include "config.h"

#include "tsr-known.h"
#include "tsr-plan-private.h"

#include <errno.h>
#include <string.h>

/* What the measures do to an entry, or to all rows of a category. */
typedef struct
{
  TsrPlan *self;
  TsrMeasureSet *of_entry; /* by entry, whatever the row */
  TsrMeasureSet *halved;   /* by entry: rows of category variable */
  guint8 *lives;           /* by entry: lifetimes may change, or it is spread */
  TsrMeasureSet instrumentation, batch;
  guint16 c_instrumentation, c_exchange, c_variable, c_message, c_code, c_state;
  GHashTable *known;   /* key of a subject -> its place */
  TsrPlanSubject last; /* what was asked for last: often that again */
  guint32 last_place;
} Filling;

static guint
subject_hash (gconstpointer data)
{
  const TsrPlanSubject *subject = data;

  return g_int64_hash (&subject->mask) * 31 + subject->entry;
}

static gboolean
subject_equal (gconstpointer a, gconstpointer b)
{
  const TsrPlanSubject *x = a;
  const TsrPlanSubject *y = b;

  return x->mask == y->mask && x->entry == y->entry;
}

static void
filling_init (Filling *filling, TsrPlan *self)
{
  guint n = self->variables->n; /* each row has an entry, and there are rows */

  *filling
      = (Filling){ .self = self,
                   .of_entry = g_new0 (TsrMeasureSet, n),
                   .halved = g_new0 (TsrMeasureSet, n),
                   .lives = g_new0 (guint8, n),
                   .c_instrumentation = tsr_plan_find_category (self, "instrumentationResults"),
                   .c_exchange = tsr_plan_find_category (self, "internalExchangeCode"),
                   .c_variable = tsr_plan_find_category (self, "variable"),
                   .c_message = tsr_plan_find_category (self, "message"),
                   .c_code = tsr_plan_find_category (self, "vertexCode"),
                   .c_state = tsr_plan_find_category (self, "vertexInstanceState"),
                   .known = g_hash_table_new_full (subject_hash, subject_equal, g_free, NULL) };
  for (guint i = 0; i < self->n_measures; i++)
    {
      guint32 entry = self->entries[i];

      if (self->acts[i] == TSR_PLAN_HALVED)
        {
          for (guint32 v = 0; v < self->variables->n; v++)
            if (tsr_plan_is_halved (self, v))
              filling->halved[v] |= TSR_PLAN_BIT (i);
        }
      else if (self->acts[i] == TSR_PLAN_BATCH)
        filling->batch |= TSR_PLAN_BIT (i);
      else if (self->acts[i] == TSR_PLAN_RECOMPUTED)
        {
          g_autoptr (GArray) changed = tsr_plan_list_changed (self, entry);

          for (guint k = 0; k < changed->len; k++)
            {
              filling->of_entry[g_array_index (changed, guint32, k)] |= TSR_PLAN_BIT (i);
              filling->lives[g_array_index (changed, guint32, k)] = TRUE;
            }
        }
      else if (entry != TSR_NO_INDEX)
        {
          filling->of_entry[entry] |= TSR_PLAN_BIT (i);
          filling->lives[entry] |= self->acts[i] == TSR_PLAN_SPREAD;
        }
      else if (g_str_equal (self->measures[i].id, "instrumentation"))
        filling->instrumentation |= TSR_PLAN_BIT (i);
    }
}

static void
filling_clear (Filling *filling)
{
  g_free (filling->of_entry);
  g_free (filling->halved);
  g_free (filling->lives);
  g_hash_table_unref (filling->known);
}

static guint32
get_subject (Filling *filling, gsize row, guint32 entry, guint32 class_index)
{
  TsrPlan *self = filling->self;
  const TsrLoweredTables *lowered = self->lowered;
  guint16 category = lowered->category[row];
  TsrPlanSubject subject = { filling->of_entry[entry], TSR_NO_INDEX };
  gpointer place;

  if (category == filling->c_variable)
    subject.mask |= filling->halved[entry];
  if (category == filling->c_instrumentation)
    subject.mask |= filling->instrumentation;
  if (class_index != TSR_CLASS_ALWAYS
      && (category == filling->c_variable || category == filling->c_message)
      && self->variables->life[entry] != TSR_LIFE_RESIDENT)
    subject.mask |= filling->batch;
  if (category == filling->c_exchange)
    {
      guint measure = GPOINTER_TO_UINT (
          g_hash_table_lookup (self->twins, GUINT_TO_POINTER (lowered->name[row])));

      if (measure > 0)
        subject.mask |= TSR_PLAN_BIT (measure - 1);
    }
  if (subject.mask == 0)
    return 0;
  if (filling->lives[entry])
    subject.entry = entry;
  if (subject_equal (&subject, &filling->last))
    return filling->last_place;
  place = g_hash_table_lookup (filling->known, &subject);
  if (place == NULL)
    {
      place = GUINT_TO_POINTER (self->subjects->len);
      g_hash_table_insert (filling->known, g_memdup2 (&subject, sizeof subject), place);
      g_array_append_val (self->subjects, subject);
    }
  filling->last = subject;
  filling->last_place = GPOINTER_TO_UINT (place);
  return filling->last_place;
}

/* -------------------------------------------------------------------- cells */

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const TsrPlanCell *x = a;
  const TsrPlanCell *y = b;

  if (x->class_index != y->class_index)
    return x->class_index < y->class_index ? -1 : 1;
  if (x->above != y->above)
    return x->above < y->above ? -1 : 1;
  return x->subject < y->subject ? -1 : x->subject > y->subject;
}

static void
cell_add (TsrPlanCell *cell, const TsrPlanCell *more)
{
  cell->bytes = tsr_known_add (cell->bytes, more->bytes);
  cell->pad2 += more->pad2;
  cell->pad4 += more->pad4;
}

/* Rows that may be live at any step stay apart: each counts as unknown. */
static void
merge_cells (GArray *cells)
{
  guint kept = 0;

  g_array_sort (cells, compare_cells);
  for (guint i = 0; i < cells->len; i++)
    {
      TsrPlanCell *last = kept > 0 ? &g_array_index (cells, TsrPlanCell, kept - 1) : NULL;
      const TsrPlanCell *cell = &g_array_index (cells, TsrPlanCell, i);

      if (last != NULL && compare_cells (last, cell) == 0)
        cell_add (last, cell);
      else
        g_array_index (cells, TsrPlanCell, kept++) = *cell;
    }
  g_array_set_size (cells, kept);
}

/* Whether @tile overflows, and it is known what lies above the start of its interleaved memory. */
static gboolean
is_split (TsrPlan *self, guint tile)
{
  const TsrLoweredTables *lowered = self->lowered;

  if (self->interleaved_start == TSR_UNKNOWN || self->over_now[tile] <= 0)
    return FALSE;
  for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
    if (lowered->offset[tsr_lowered_get_row (lowered, i)] == TSR_LOWERED_UNKNOWN)
      return FALSE;
  return TRUE;
}

/* Several rows of a class and subject on a tile follow each other mostly: a table of the tile's
 * pairs keeps sorting short. */
static void
gather_tile (Filling *filling, guint tile, GArray *cells)
{
  TsrPlan *self = filling->self;
  const TsrLoweredTables *lowered = self->lowered;

  g_array_set_size (cells, 0);
  self->split[tile] = is_split (self, tile);
  for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
    {
      gsize row = tsr_lowered_get_row (lowered, i);
      guint32 c = tsr_lowered_get_class (lowered, row);
      gint64 bytes = tsr_lowered_get_bytes (lowered, row);
      guint32 entry = tsr_variables_get_entry (self->variables, row);
      TsrPlanCell cell = { c, get_subject (filling, row, entry, c), bytes, 0, 0, 0 };
      TsrPlanCell *last
          = cells->len > 0 ? &g_array_index (cells, TsrPlanCell, cells->len - 1) : NULL;

      if (bytes != TSR_UNKNOWN)
        {
          cell.pad2 = (guint32)(-(guint64)bytes & 15);
          cell.pad4 = (guint32)(-(guint64)bytes & 31);
        }
      if (self->split[tile])
        cell.above = (gint64)lowered->offset[row] + MAX (bytes, 0) > self->interleaved_start;
      self->tile_mask[tile] |= g_array_index (self->subjects, TsrPlanSubject, cell.subject).mask;
      if (last != NULL && compare_cells (last, &cell) == 0)
        cell_add (last, &cell);
      else
        g_array_append_val (cells, cell);
    }
  merge_cells (cells);
}

static gboolean
gather (Filling *filling, GCancellable *cancellable, GError **error)
{
  TsrPlan *self = filling->self;
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (TsrPlanCell));
  gsize room = 0;
  gsize n = 0;

  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      gather_tile (filling, tile, cells);
      if (n + cells->len > room)
        {
          TsrPlanCell *larger;

          room = 2 * (n + cells->len);
          larger = g_try_renew (TsrPlanCell, self->cells, room);
          if (larger == NULL)
            {
              g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, g_strerror (ENOMEM));
              return FALSE;
            }
          self->cells = larger;
        }
      if (cells->len > 0)
        memcpy (self->cells + n, cells->data, cells->len * sizeof (TsrPlanCell));
      n += cells->len;
      self->cell_start[tile + 1] = n;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* ------------------------------------------------------------------- spread */

static guint
get_ipu (TsrPlan *self, guint tile)
{
  return tsr_memory_get_ipu (self->memory, tile);
}

/* Tiles that compute, of each IPU; all of its tiles when none does. */
static void
find_receivers (Filling *filling)
{
  TsrPlan *self = filling->self;
  const TsrLoweredTables *lowered = self->lowered;
  guint n_ipus = tsr_memory_get_n_ipus (self->memory);
  g_autofree guint8 *computes = g_new0 (guint8, MAX (self->n_tiles, 1));

  self->receiver = g_new (guint32, MAX (self->n_tiles, 1));
  self->n_receivers = g_new0 (guint, MAX (n_ipus, 1));
  for (gsize row = 0; row < lowered->n; row++)
    if (lowered->tile[row] < self->n_tiles
        && (lowered->category[row] == filling->c_code
            || lowered->category[row] == filling->c_state))
      computes[lowered->tile[row]] = TRUE;
  for (guint tile = 0; tile < self->n_tiles; tile++)
    self->n_receivers[get_ipu (self, tile)] += computes[tile];
  for (guint tile = 0; tile < self->n_tiles; tile++)
    if (self->n_receivers[get_ipu (self, tile)] == 0)
      computes[tile] = TRUE;
  memset (self->n_receivers, 0, n_ipus * sizeof (guint));
  for (guint tile = 0; tile < self->n_tiles; tile++)
    self->receiver[tile]
        = computes[tile] ? self->n_receivers[get_ipu (self, tile)]++ : TSR_NO_INDEX;
}

static void
add_share (TsrPlan *self, guint measure, guint ipu, const TsrPlanCell *cell)
{
  TsrPlanShare share = { measure, ipu, cell->class_index, cell->subject, cell->bytes };

  for (guint i = self->shares->len; i > 0; i--)
    {
      TsrPlanShare *other = &g_array_index (self->shares, TsrPlanShare, i - 1);

      if (other->measure != measure || other->ipu != ipu || other->subject != cell->subject
          || other->class_index != cell->class_index)
        continue;
      other->bytes = tsr_known_add (other->bytes, cell->bytes);
      return;
    }
  g_array_append_val (self->shares, share);
}

static void
fill_shares (TsrPlan *self)
{
  TsrMeasureSet spread = 0;

  for (guint i = 0; i < self->n_measures; i++)
    if (self->acts[i] == TSR_PLAN_SPREAD)
      spread |= TSR_PLAN_BIT (i);
  for (guint tile = 0; tile < self->n_tiles; tile++)
    for (gsize k = self->cell_start[tile]; k < self->cell_start[tile + 1]; k++)
      {
        const TsrPlanCell *cell = &self->cells[k];
        TsrMeasureSet mask
            = g_array_index (self->subjects, TsrPlanSubject, cell->subject).mask & spread;

        for (; mask != 0; mask &= mask - 1)
          add_share (self, (guint)__builtin_ctzll (mask), get_ipu (self, tile), cell);
      }
  for (guint i = 0; i < self->shares->len; i++)
    {
      const TsrPlanShare *share = &g_array_index (self->shares, TsrPlanShare, i);
      TsrMeasureSet mask = g_array_index (self->subjects, TsrPlanSubject, share->subject).mask;
      guint first, end;

      tsr_memory_get_ipu_tiles (self->memory, share->ipu, &first, &end);
      for (guint tile = first; tile < end; tile++)
        if (self->receiver[tile] != TSR_NO_INDEX)
          self->tile_mask[tile] |= mask;
    }
}

gboolean
tsr_plan_fill_cells (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  const TsrPlanSubject untouched = { 0, TSR_NO_INDEX };
  Filling filling;
  gboolean ok;

  self->subjects = g_array_new (FALSE, FALSE, sizeof (TsrPlanSubject));
  self->shares = g_array_new (FALSE, FALSE, sizeof (TsrPlanShare));
  g_array_append_val (self->subjects, untouched);
  self->cell_start = g_new0 (gsize, (gsize)self->n_tiles + 1);
  self->tile_mask = g_new0 (TsrMeasureSet, MAX (self->n_tiles, 1));
  self->split = g_new0 (guint8, MAX (self->n_tiles, 1));
  filling_init (&filling, self);
  ok = gather (&filling, cancellable, error);
  if (ok)
    {
      find_receivers (&filling);
      fill_shares (self);
    }
  filling_clear (&filling);
  return ok;
}
