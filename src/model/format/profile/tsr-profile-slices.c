/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One scan of steps_by_ipu, by two threads (tsr-profile-parts.h).  Meanwhile each thread keeps a
 * coarse preview of what it has read; ten times a second one of them merges both. */

#include "config.h"

#include "tsr-profile-execution.h"

#include "tsr-profile-parts.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TABLE    "steps_by_ipu"
#define LEAST_ID (TSR_UNKNOWN + 1)

enum
{
  STEP,
  IPU,
  CYCLES,
  ACTIVE,
  BASE,
  FROM_MIN,
  FROM_MAX,
  TO_MAX,
  TILE_BALANCE,
  ACTIVE_TILE_BALANCE,
  DATA_IN,
  DATA_OUT,
};

static const char *const columns[] = { "step_id",
                                       "ipu",
                                       "cycles",
                                       "active_tiles",
                                       "cycles_base",
                                       "active_cycles_from_min",
                                       "active_cycles_from_max",
                                       "active_cycles_to_max",
                                       "tile_balance",
                                       "active_tile_balance",
                                       "data_in",
                                       "data_out",
                                       NULL };

static const TsrPartColumn places[] = {
  { G_STRUCT_OFFSET (TsrSliceRows, step), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrSliceRows, ipu), sizeof (guint16) },
  { G_STRUCT_OFFSET (TsrSliceRows, start), sizeof (gint64) },
  { G_STRUCT_OFFSET (TsrSliceRows, end), sizeof (gint64) },
  { G_STRUCT_OFFSET (TsrSliceRows, lead_in.values), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrSliceRows, cycles.values), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrSliceRows, active_tiles.values), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrSliceRows, data_in.values), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrSliceRows, data_out.values), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrSliceRows, tile_balance), sizeof (float) },
  { G_STRUCT_OFFSET (TsrSliceRows, active_tile_balance), sizeof (float) },
};

static const TsrPartTable spec
    = { TABLE, columns, places, G_N_ELEMENTS (places), sizeof (TsrSliceRows) };

/* The columns that are narrow, and what they are read from. */
enum
{
  LEAD_IN,
  N_CYCLES,
  N_ACTIVE,
  N_DATA_IN,
  N_DATA_OUT,
  N_NARROW,
};

static const gsize narrow_places[N_NARROW] = {
  [LEAD_IN] = G_STRUCT_OFFSET (TsrSliceRows, lead_in),
  [N_CYCLES] = G_STRUCT_OFFSET (TsrSliceRows, cycles),
  [N_ACTIVE] = G_STRUCT_OFFSET (TsrSliceRows, active_tiles),
  [N_DATA_IN] = G_STRUCT_OFFSET (TsrSliceRows, data_in),
  [N_DATA_OUT] = G_STRUCT_OFFSET (TsrSliceRows, data_out),
};

static TsrNarrow *
get_narrow (TsrSliceRows *rows, guint i)
{
  return (TsrNarrow *)(gpointer)((guint8 *)rows + narrow_places[i]);
}

/* What both threads share. */
typedef struct
{
  GMutex lock; /* of the rest */
  TsrSlicePicture picture;
  gint64 shown; /* when, in microseconds */
} Shared;

/* What one thread reads. */
typedef struct
{
  TsrPart base;
  const TsrSliceKeys *keys;
  TsrNarrow narrow[N_NARROW]; /* views of the columns, with lists of their own */
  gint64 last_step;           /* of the row before that has one */

  Shared *shared; /* (nullable) */
  TsrSlicePicture picture;
  double columns_a_cycle;
  gsize fill;   /* columns that may still be filled: a few for each row */
  gint64 added; /* when what it has drawn was last laid over what both have */
} Part;

static void
part_clear (Part *part)
{
  for (guint i = 0; i < N_NARROW; i++)
    g_clear_pointer (&part->narrow[i].wide, g_array_unref);
  g_free (part->picture.type);
  g_free (part->picture.length);
  tsr_part_clear (&part->base);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

void
tsr_slice_rows_clear (TsrSliceRows *rows)
{
  tsr_part_free_columns (&spec, rows);
  for (guint i = 0; i < N_NARROW; i++)
    tsr_narrow_clear (get_narrow (rows, i));
}

/* ------------------------------------------------------------------- picture */

#define PICTURE_COLUMNS 1024
/* Columns that one row may fill on average: files where every step lasts for the whole time are not
 * worth more. */
#define FILL_A_ROW 4
#define MAX_FILL   (4 * PICTURE_COLUMNS)
/* Rows between two looks at the clock. */
#define SHOW_EVERY 8192

static void
picture_init (TsrSlicePicture *self, guint n_ipus, gint64 from, gint64 to)
{
  self->n_ipus = n_ipus;
  self->n_columns = PICTURE_COLUMNS;
  self->from = from;
  self->to = to;
  self->type = g_malloc ((gsize)n_ipus * PICTURE_COLUMNS);
  memset (self->type, 0xff, (gsize)n_ipus * PICTURE_COLUMNS);
  self->length = g_new0 (gint64, (gsize)n_ipus * PICTURE_COLUMNS);
}

/* A longer step replaces the one in the column. */
static void
draw (Part *part, guint ipu, guint type, gint64 start, gint64 end)
{
  TsrSlicePicture *picture = &part->picture;
  gint64 length = end - start;
  gsize row = (gsize)ipu * PICTURE_COLUMNS;
  int from, to;

  part->fill = MIN (part->fill + FILL_A_ROW, MAX_FILL);
  if (ipu >= picture->n_ipus || length <= 0 || start < picture->from || end > picture->to)
    return;
  from = (int)((double)(start - picture->from) * part->columns_a_cycle);
  to = (int)((double)(end - 1 - picture->from) * part->columns_a_cycle);
  from = CLAMP (from, 0, PICTURE_COLUMNS - 1);
  to = CLAMP (to, from, PICTURE_COLUMNS - 1);
  if ((gsize)(to - from) >= part->fill)
    return;
  part->fill -= to - from;
  for (int i = from; i <= to; i++)
    if (length > picture->length[row + i])
      {
        picture->length[row + i] = length;
        picture->type[row + i] = (guint8)type;
      }
}

/* Lays what this thread has drawn over what both have, and shows that when it is time. */
static void
show (Part *part)
{
  TsrSlicePicture *all = &part->shared->picture;
  const TsrSlicePicture *own = &part->picture;
  gint64 now = g_get_monotonic_time ();

  if (now - part->added < part->keys->picture_interval / 2)
    return;
  part->added = now;
  g_mutex_lock (&part->shared->lock);
  for (gsize i = 0; i < (gsize)own->n_ipus * own->n_columns; i++)
    if (own->length[i] > all->length[i])
      {
        all->length[i] = own->length[i];
        all->type[i] = own->type[i];
      }
  if (now - part->shared->shown >= part->keys->picture_interval)
    {
      part->shared->shown = now;
      part->keys->show (all, part->keys->data);
    }
  g_mutex_unlock (&part->shared->lock);
}

/* --------------------------------------------------------------------- rows */

/* A place on the clock; what is not told is not reported. */
static gint64
add_cycles (TsrProfileCursor *rows, guint column, gint64 base, gint64 relative)
{
  gint64 sum;

  if (base == TSR_UNKNOWN || relative == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  sum = base + relative; /* each is within 2^53 */
  if (sum >= 0 && sum <= TSR_MAX_SIZE)
    return sum;
  tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "value-out-of-range",
                             _ ("cycles_base %" PRId64 " plus %s %" PRId64 " is cycle %" PRId64
                                ", which is impossible; the step's times are not shown"),
                             base, columns[column], relative, sum);
  return TSR_UNKNOWN;
}

static void
read_times (TsrProfileCursor *rows, TsrSliceRows *out, gsize at, gint64 *lead_in)
{
  gint64 base = tsr_profile_cursor_get_int (rows, BASE, -TSR_MAX_SIZE, TSR_MAX_SIZE);
  gint64 from_min = tsr_profile_cursor_get_int (rows, FROM_MIN, -TSR_MAX_SIZE, TSR_MAX_SIZE);
  gint64 from_max = tsr_profile_cursor_get_int (rows, FROM_MAX, -TSR_MAX_SIZE, TSR_MAX_SIZE);
  gint64 to_max = tsr_profile_cursor_get_int (rows, TO_MAX, -TSR_MAX_SIZE, TSR_MAX_SIZE);
  guint column = from_max != TSR_UNKNOWN ? FROM_MAX : FROM_MIN;
  gint64 start = add_cycles (rows, column, base, column == FROM_MAX ? from_max : from_min);
  gint64 end = add_cycles (rows, TO_MAX, base, to_max);

  *lead_in = from_max != TSR_UNKNOWN && from_min != TSR_UNKNOWN ? from_max - from_min : TSR_UNKNOWN;
  if (*lead_in != TSR_UNKNOWN && *lead_in < 0)
    {
      tsr_profile_cursor_report (
          rows, TSR_SEVERITY_ERROR, "cycles-reversed",
          _ ("the last tile begins at cycle %" PRId64 ", before the first one at %" PRId64),
          from_max, from_min);
      *lead_in = TSR_UNKNOWN;
    }
  if (start != TSR_UNKNOWN && end != TSR_UNKNOWN && end < start)
    tsr_profile_cursor_report (
        rows, TSR_SEVERITY_ERROR, "cycles-reversed",
        _ ("the step ends at cycle %" PRId64 ", before it starts at %" PRId64 "; neither is shown"),
        end, start);
  if (start == TSR_UNKNOWN || end == TSR_UNKNOWN || end < start)
    start = end = TSR_UNKNOWN;
  out->start[at] = start;
  out->end[at] = end;
}

/* What is above 1 by a rounding is 1. */
static float
read_balance (TsrProfileCursor *rows, guint column)
{
  double value = tsr_profile_cursor_get_double (rows, column);

  if (value >= 0 && value <= 1)
    return (float)value;
  if (value > 1 && value < 1 + 1e-6)
    return 1;
  if (!isnan (value))
    tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "value-out-of-range",
                               _ ("%s is %.9g, 0 to 1 is expected"), columns[column], value);
  return NAN;
}

static guint32
read_step (Part *part, TsrProfileCursor *rows)
{
  gint64 id = tsr_profile_cursor_get_key (rows, STEP, LEAST_ID, G_MAXINT64);
  guint32 step = id != TSR_UNKNOWN ? tsr_id_index_find (&part->keys->steps, id) : TSR_NO_INDEX;

  if (id == TSR_UNKNOWN)
    return TSR_NO_INDEX;
  if (id < part->last_step)
    tsr_profile_cursor_report (
        rows, TSR_SEVERITY_WARNING, "rows-out-of-order",
        _ ("step %" PRId64 " comes after step %" PRId64 "; the steps are sorted"), id,
        part->last_step);
  part->last_step = id;
  if (step == TSR_NO_INDEX)
    tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "reference-broken",
                               _ ("step_id is %" PRId64 ", which has no row in steps; the row is "
                                  "left out"),
                               id);
  return step;
}

static void
read_row (Part *part, TsrProfileCursor *rows, TsrSliceRows *out, gsize at)
{
  TsrNarrow *narrow = part->narrow;
  const gsize n = part->base.n;
  guint32 step = read_step (part, rows);
  gint64 ipu = 0;
  gint64 lead_in;

  if (tsr_profile_cursor_has (rows, IPU))
    ipu = tsr_profile_cursor_get_key (rows, IPU, 0, (gint64)part->keys->n_ipus - 1);
  if (ipu == TSR_UNKNOWN)
    step = TSR_NO_INDEX;
  read_times (rows, out, at, &lead_in);
  out->step[at] = step;
  out->ipu[at] = ipu != TSR_UNKNOWN ? (guint16)ipu : 0;
  tsr_narrow_set (&narrow[LEAD_IN], n, lead_in);
  tsr_narrow_set (&narrow[N_CYCLES], n, tsr_profile_cursor_get_int (rows, CYCLES, 0, TSR_MAX_SIZE));
  tsr_narrow_set (&narrow[N_ACTIVE], n,
                  tsr_profile_cursor_get_int (
                      rows, ACTIVE, 0,
                      part->keys->tiles_per_ipu > 0 ? part->keys->tiles_per_ipu : TSR_MAX_SIZE));
  tsr_narrow_set (&narrow[N_DATA_IN], n,
                  tsr_profile_cursor_get_int (rows, DATA_IN, 0, TSR_MAX_SIZE));
  tsr_narrow_set (&narrow[N_DATA_OUT], n,
                  tsr_profile_cursor_get_int (rows, DATA_OUT, 0, TSR_MAX_SIZE));
  out->tile_balance[at] = read_balance (rows, TILE_BALANCE);
  out->active_tile_balance[at] = read_balance (rows, ACTIVE_TILE_BALANCE);
  if (part->shared != NULL && step != TSR_NO_INDEX)
    draw (part, (guint)ipu, part->keys->step_type[step], out->start[at], out->end[at]);
}

static void
set_narrow (Part *part)
{
  for (guint i = 0; i < N_NARROW; i++)
    {
      part->narrow[i].values = get_narrow (part->base.out, i)->values + part->base.from;
      part->narrow[i].n = part->base.room;
    }
}

static gboolean
take_row (TsrProfileCursor *rows, gpointer data)
{
  Part *part = data;
  TsrPart *base = &part->base;
  gboolean grew;

  if (!tsr_part_make_room (base, &grew))
    return FALSE;
  if (grew)
    set_narrow (part);
  tsr_part_note_row (base, rows);
  read_row (part, rows, base->out, base->from + base->n);
  base->n++;
  if (part->shared != NULL && base->n % SHOW_EVERY == 0)
    show (part);
  return TRUE;
}

static gboolean
read_rows (TsrPart *base, TsrProfileCursor *rows)
{
  TsrSliceRows *out = base->out;

  if (!tsr_profile_cursor_has (rows, STEP))
    return TRUE;
  if (!base->is_upper)
    {
      out->has_ipu = tsr_profile_cursor_has (rows, IPU);
      out->has_from_max = tsr_profile_cursor_has (rows, FROM_MAX);
    }
  set_narrow ((Part *)base);
  return tsr_profile_cursor_each (rows, take_row, base, &base->error);
}

/* ------------------------------------------------------------------ the scan */

/* Rows at either end of the table that are looked at for the time that the picture shows. */
#define END_ROWS 256

/* Least start (greatest end) of the rows [first, end): FALSE when none tells it. */
static gboolean
find_end (TsrProfile *self, gint64 first, gint64 end, gboolean greatest, gint64 *found)
{
  static const char *const needed[]
      = { "cycles_base", "active_cycles_from_min", "active_cycles_to_max", NULL };
  g_autoptr (TsrScan) scan = tsr_scan_new_range (self, TABLE, needed, first, end, NULL);
  gboolean any = FALSE;

  while (scan != NULL && tsr_scan_next (scan, NULL))
    {
      gint64 base = tsr_scan_get_int (scan, 0);
      gint64 relative = tsr_scan_get_int (scan, greatest ? 2 : 1);
      gint64 sum;

      if (ABS (base / 2) > TSR_MAX_SIZE / 2 || ABS (relative / 2) > TSR_MAX_SIZE / 2)
        continue;
      sum = base + relative;
      if (!any || (greatest ? sum > *found : sum < *found))
        *found = sum;
      any = TRUE;
    }
  return any;
}

/* The same where rows have no numbers of their own but are kept by their step: the primary key
 * leads to either end. */
static gboolean
find_end_by_step (TsrProfile *self, gboolean greatest, gint64 *found)
{
  g_autofree char *sql
      = g_strdup_printf ("SELECT cycles_base + %s FROM \"" TABLE "\" ORDER BY step_id %s LIMIT %d",
                         greatest ? "active_cycles_to_max" : "active_cycles_from_min",
                         greatest ? "DESC" : "ASC", END_ROWS);
  sqlite3_stmt *statement;
  gboolean any = FALSE;

  statement = tsr_database_prepare (tsr_profile_get_database (self), TABLE, sql, NULL);
  while (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    {
      gint64 at = sqlite3_column_int64 (statement, 0);

      /* A sum that does not fit is a float. */
      if (sqlite3_column_type (statement, 0) != SQLITE_INTEGER || ABS (at / 2) > TSR_MAX_SIZE / 2)
        continue;
      if (!any || (greatest ? at > *found : at < *found))
        *found = at;
      any = TRUE;
    }
  sqlite3_finalize (statement);
  return any;
}

static gboolean
find_ends (Part *lower, gint64 *from, gint64 *to)
{
  TsrProfile *profile = lower->base.profile;
  gint64 first, last;

  if (tsr_profile_is_key (profile, TABLE, columns[STEP]))
    return find_end_by_step (profile, FALSE, from) && find_end_by_step (profile, TRUE, to);
  if (!tsr_part_read_ends (&lower->base, NULL))
    return FALSE;
  first = lower->base.first;
  last = lower->base.last;
  return last <= G_MAXINT64 - END_ROWS && last >= G_MININT64 + END_ROWS
         && find_end (profile, first, first + END_ROWS, FALSE, from)
         && find_end (profile, last - END_ROWS, last + 1, TRUE, to);
}

/* Begins a picture when somebody wants to see one and the table tells early how long it is. */
static void
begin_picture (Part *lower, Part *upper, Shared *shared)
{
  const TsrSliceKeys *keys = lower->keys;
  gint64 from, to;
  Part *const parts[] = { lower, upper };

  if (keys->show == NULL || !find_ends (lower, &from, &to) || from >= to)
    return;
  picture_init (&shared->picture, keys->n_picture_ipus, from, to);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      picture_init (&parts[i]->picture, keys->n_picture_ipus, from, to);
      parts[i]->columns_a_cycle = PICTURE_COLUMNS / (double)(to - from);
      parts[i]->fill = MAX_FILL;
      parts[i]->shared = shared;
    }
}

static void
join_narrow (Part *lower, Part *upper, TsrSliceRows *out)
{
  for (guint i = 0; i < N_NARROW; i++)
    {
      TsrNarrow *narrow = get_narrow (out, i);
      GArray *more = upper->narrow[i].wide;

      narrow->n = out->n;
      narrow->wide = g_steal_pointer (&lower->narrow[i].wide);
      for (guint k = 0; more != NULL && k < more->len; k++)
        g_array_index (more, TsrNarrowWide, k).index += lower->base.n;
      if (narrow->wide == NULL)
        narrow->wide = g_steal_pointer (&upper->narrow[i].wide);
      else if (more != NULL)
        g_array_append_vals (narrow->wide, more->data, more->len);
      tsr_narrow_seal (narrow);
    }
}

gboolean
tsr_profile_scan_slices (TsrProfile *self,
                         const TsrSliceKeys *keys,
                         TsrSliceRows *out,
                         TsrProgress *progress,
                         GError **error)
{
  const TsrPart base
      = { .read = read_rows, .profile = self, .table = &spec, .out = out, .progress = progress };
  g_auto (Part) lower = { .base = base, .keys = keys, .last_step = TSR_UNKNOWN };
  g_auto (Part) upper = { .base = base, .keys = keys, .last_step = TSR_UNKNOWN };
  Shared shared = { .shown = 0 };
  gboolean ok;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (keys->n_ipus <= TSR_MAX_IPUS, FALSE);
  memset (out, 0, sizeof *out);
  out->first_row = TSR_NO_ROW;
  if (!tsr_profile_has_table (self, TABLE))
    return TRUE;
  g_mutex_init (&shared.lock);
  begin_picture (&lower, &upper, &shared);
  ok = tsr_profile_parts_read (&lower.base, &upper.base, keys->rows_for_two, "slices", error)
       && tsr_profile_parts_join (&lower.base, &upper.base, error);
  if (ok)
    {
      out->n = lower.base.n + upper.base.n;
      out->first_row = tsr_profile_parts_get_first_row (&lower.base, &upper.base);
      out->by_step = tsr_profile_is_key (self, TABLE, columns[STEP]);
      join_narrow (&lower, &upper, out);
    }
  g_mutex_clear (&shared.lock);
  g_free (shared.picture.type);
  g_free (shared.picture.length);
  return ok;
}
