/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution stage: runs first, then steps and the slices of each IPU with two threads, then the
 * blocks of lightweight profiling and the totals of each IPU. While slices are read, there is a
 * preview. */

#include "config.h"

#include "tsr-load-execution.h"

#include "tsr-column.h"
#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ reports */

/* Diagnostics of one table of profile.pop; of each kind, only the first ones get a text. */
typedef struct
{
  TsrLoading *loading;
  const char *table;
  TsrDiagnosticTally tally;
} Reporter;

static void
reporter_clear (Reporter *self)
{
  if (self->loading != NULL)
    tsr_diagnostic_tally_flush (&self->tally, self->loading->diagnostics,
                                self->loading->files->files[TSR_FILE_PROFILE].name, self->table);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reporter, reporter_clear)

/* @row: rowid, or TSR_NO_ROW. */
static void G_GNUC_PRINTF (5, 6) reporter_add (
    Reporter *self, gint64 row, TsrSeverity severity, const char *code, const char *format, ...)
{
  va_list args;

  if (!tsr_diagnostic_tally_count (&self->tally, severity, code))
    return;
  va_start (args, format);
  tsr_diagnostics_add_va (self->loading->diagnostics, severity, code,
                          self->loading->files->files[TSR_FILE_PROFILE].name, self->table, row,
                          TSR_NO_ROW, format, args);
  va_end (args);
}

/* TRUE, with @error set, if there is no memory for the contents of @table. */
static gboolean
fail_memory (TsrLoading *loading, const char *table, GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
               _ ("%s, table %s: there is not enough memory for what it holds; close other "
                  "reports and try again"),
               loading->files->files[TSR_FILE_PROFILE].name, table);
  return TRUE;
}

/* Turns the rows of steps_by_ipu, in file order, into the slices of each IPU, sorted by start.
 * Only a permutation of 4 bytes per row is sorted; the columns then follow it one by one, and each
 * frees the column that it was read into, so that loading takes hardly more memory than the result.
 */

#define TABLE "steps_by_ipu"

typedef struct
{
  Reporter reporter;
  TsrExecutionTables *tables;
  TsrSliceRows *rows;
  guint32 *order; /* places of rows: those of IPU 0 first */
} Sorter;

static void
sorter_clear (Sorter *self)
{
  reporter_clear (&self->reporter);
  g_clear_pointer (&self->order, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sorter, sorter_clear)

/* -------------------------------------------------------------------- rows */

static gint64
get_step_id (const Sorter *self, guint32 place)
{
  return tsr_execution_tables_get_step_id (self->tables, self->rows->step[place]);
}

/* What names the row at @place: its rowid, or its step; TSR_NO_ROW. */
static gint64
get_row (const Sorter *self, guint32 place)
{
  if (self->rows->by_step)
    return get_step_id (self, place);
  return tsr_load_execution_row_of_place (self->rows->first_row, place);
}

/* -------------------------------------------------------------------- order */

typedef gboolean (*Before) (const Sorter *self, guint32 a, guint32 b);

static gboolean
is_step_before (const Sorter *self, guint32 a, guint32 b)
{
  const TsrSliceRows *rows = self->rows;

  return rows->step[a] != rows->step[b] ? rows->step[a] < rows->step[b] : a < b;
}

/* By start, then end, then step; what is not told comes last. */
static gboolean
is_start_before (const Sorter *self, guint32 a, guint32 b)
{
  const TsrSliceRows *rows = self->rows;
  guint64 x = (guint64)rows->start[a]; /* TSR_UNKNOWN is the largest */
  guint64 y = (guint64)rows->start[b];

  if (x != y)
    return x < y;
  if (rows->end[a] != rows->end[b])
    return rows->end[a] < rows->end[b];
  return rows->step[a] < rows->step[b];
}

typedef struct
{
  const Sorter *sorter;
  Before before;
} Comparison;

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Comparison *comparison = data;
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  if (comparison->before (comparison->sorter, x, y))
    return -1;
  return comparison->before (comparison->sorter, y, x) ? 1 : 0;
}

/* Moves that a slice may take on average before insertion gives up: files are in order but for
 * what runs at the same time. */
#define MOVES_A_SLICE 8

static void
sort (const Sorter *self, guint32 *places, gsize n, Before before)
{
  Comparison comparison = { self, before };
  const gsize most = n <= G_MAXINT ? n * MOVES_A_SLICE : G_MAXSIZE;
  gsize moves = 0;

  for (gsize i = 1; i < n && moves <= most; i++)
    {
      guint32 place = places[i];
      gsize at = i;

      if (!before (self, place, places[i - 1]))
        continue;
      while (at > 0 && before (self, place, places[at - 1]) && moves <= most)
        {
          places[at] = places[at - 1];
          at--;
          moves++;
        }
      places[at] = place;
    }
  if (moves > most)
    g_qsort_with_data (places, (int)n, sizeof *places, compare, &comparison);
}

/* ------------------------------------------------------------------ IPUs */

/* The number of rows that most steps have, of rows in the order of steps; the smaller of two that
 * are equally frequent. */
static guint
most_frequent_length (const Sorter *self, const guint32 *places, gsize n)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  const guint32 *step = self->rows->step;
  guint best = 0;
  guint best_count = 0;

  for (gsize i = 0; i < n;)
    {
      gsize end = i + 1;
      guint length;
      guint count;

      while (end < n && step[places[end]] == step[places[i]])
        end++;
      length = end - i;
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (length))) + 1;
      g_hash_table_insert (counts, GUINT_TO_POINTER (length), GUINT_TO_POINTER (count));
      if (count > best_count || (count == best_count && length < best))
        {
          best = length;
          best_count = count;
        }
      i = end;
    }
  return best;
}

/* Without an ipu column: the k-th row of a step is IPU k, if all steps have equally many. */
static void
number_ipus (Sorter *self, guint max_ipus)
{
  TsrSliceRows *rows = self->rows;
  guint32 *places = self->order;
  gsize n = 0;
  guint wanted;

  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      places[n++] = i;
  sort (self, places, n, is_step_before);
  wanted = most_frequent_length (self, places, n);
  if (wanted > max_ipus)
    reporter_add (&self->reporter, TSR_NO_ROW, TSR_SEVERITY_ERROR, "ipus-uneven",
                  _ ("most steps have %u rows, but the target has %u IPUs, so which IPU "
                     "each row belongs to is not known; those steps are left out"),
                  wanted, max_ipus);
  for (gsize i = 0; i < n;)
    {
      guint32 step = rows->step[places[i]];
      gsize end = i + 1;
      gboolean fits;

      while (end < n && rows->step[places[end]] == step)
        end++;
      fits = end - i == wanted && wanted <= max_ipus;
      if (end - i != wanted)
        reporter_add (&self->reporter, get_row (self, places[i]), TSR_SEVERITY_ERROR, "ipus-uneven",
                      _ ("step %" PRId64 " has %u rows where other steps have %u, so "
                         "which IPU each belongs to is not known; the step is left out"),
                      tsr_execution_tables_get_step_id (self->tables, step), (guint)(end - i),
                      wanted);
      for (gsize k = i; k < end; k++)
        if (fits)
          rows->ipu[places[k]] = (guint16)(k - i);
        else
          rows->step[places[k]] = TSR_NO_INDEX;
      i = end;
    }
}

/* Shares the rows out among the IPUs, those of each as they stand in the file. */
static void
share_out (Sorter *self)
{
  const TsrSliceRows *rows = self->rows;
  TsrExecutionTables *tables = self->tables;
  g_autofree gsize *next = NULL;

  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      tables->n_ipus = MAX (tables->n_ipus, rows->ipu[i] + 1u);
  tables->ipu_start = g_new0 (gsize, (gsize)tables->n_ipus + 1);
  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      tables->ipu_start[rows->ipu[i] + 1]++;
  for (guint i = 0; i < tables->n_ipus; i++)
    tables->ipu_start[i + 1] += tables->ipu_start[i];
  next = g_memdup2 (tables->ipu_start, tables->n_ipus * sizeof *next);
  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      self->order[next[rows->ipu[i]]++] = i;
}

/* --------------------------------------------------------------- each IPU */

/* Two rows for one step and IPU: neither is known to be the right one, the first in the file
 * counts.  @places are in the order of steps. */
static gsize
drop_repeated (Sorter *self, guint32 *places, gsize n, guint ipu)
{
  const TsrSliceRows *rows = self->rows;
  gsize kept = 0;

  for (gsize i = 0; i < n; i++)
    if (kept > 0 && rows->step[places[i]] == rows->step[places[kept - 1]])
      reporter_add (&self->reporter, get_row (self, places[i]), TSR_SEVERITY_ERROR, "row-repeated",
                    _ ("step %" PRId64 " has another row for IPU %u; the first one "
                       "counts"),
                    tsr_execution_tables_get_step_id (self->tables, rows->step[places[i]]), ipu);
    else
      places[kept++] = places[i];
  return kept;
}

/* Without the cycle in which the last tile begins, a step seems to begin before the one before it
 * ends: that is its lead-in, unless it also ends earlier and so runs at the same time. */
static void
cut_starts (Sorter *self, const guint32 *places, gsize n)
{
  gint64 *start = self->rows->start;
  const gint64 *end = self->rows->end;
  gint64 last_end = TSR_UNKNOWN;

  for (gsize i = 0; i < n; i++)
    {
      guint32 at = places[i];

      if (start[at] == TSR_UNKNOWN)
        continue;
      if (start[at] < last_end && last_end < end[at])
        start[at] = last_end;
      last_end = end[at];
    }
}

/* The first step that ends before an earlier one of its IPU begins, and how many there are. */
typedef struct
{
  guint64 n;
  guint32 place, earlier; /* of rows */
  guint ipu;
} EarlySteps;

/* @places are in the order of steps. */
static void
follow_time (const Sorter *self, const guint32 *places, gsize n, guint ipu, EarlySteps *early)
{
  const gint64 *start = self->rows->start;
  const gint64 *end = self->rows->end;
  guint32 last = TSR_NO_INDEX; /* the one that begins last */

  for (gsize i = 0; i < n; i++)
    {
      guint32 at = places[i];

      if (start[at] == TSR_UNKNOWN)
        continue;
      if (last == TSR_NO_INDEX || start[at] >= start[last])
        last = at;
      else if (end[at] < start[last] && (early->n++ == 0 || at < early->place))
        {
          early->place = at;
          early->earlier = last;
          early->ipu = ipu;
        }
    }
}

static void
report_early (Sorter *self, const EarlySteps *early)
{
  const TsrSliceRows *rows = self->rows;

  if (early->n == 0)
    return;
  reporter_add (
      &self->reporter, get_row (self, early->place), TSR_SEVERITY_WARNING, "time-out-of-order",
      _ ("step %" PRId64 " of IPU %" PRId64 " ends at cycle %" PRId64 ", but step %" PRId64
         " before it begins at cycle %" PRId64 "; steps that are out of order in time: %" PRIu64),
      get_step_id (self, early->place), (gint64)early->ipu, rows->end[early->place],
      get_step_id (self, early->earlier), rows->start[early->earlier], early->n);
}

/* Puts the slices of each IPU in order, and those of the next one behind them. */
static void
sort_ipus (Sorter *self)
{
  TsrExecutionTables *tables = self->tables;
  EarlySteps early = { 0 };
  gsize n = 0;

  for (guint ipu = 0; ipu < tables->n_ipus; ipu++)
    {
      guint32 *places = self->order + tables->ipu_start[ipu];
      gsize length = tables->ipu_start[ipu + 1] - tables->ipu_start[ipu];

      sort (self, places, length, is_step_before);
      length = drop_repeated (self, places, length, ipu);
      follow_time (self, places, length, ipu, &early);
      if (!self->rows->has_from_max)
        cut_starts (self, places, length);
      sort (self, places, length, is_start_before);
      memmove (self->order + n, places, length * sizeof *places);
      tables->ipu_start[ipu] = n;
      n += length;
    }
  tables->ipu_start[tables->n_ipus] = n;
  report_early (self, &early);
}

/* ------------------------------------------------------------------ columns */

/* The column's values in order; @column is freed.  NULL when there is no memory. */
#define DEFINE_MOVE(name, type)                                                                    \
  static type *name (type **column, const guint32 *order, gsize n)                                 \
  {                                                                                                \
    const type *from = *column;                                                                    \
    type *to = tsr_column_try_alloc (n, sizeof *to);                                               \
                                                                                                   \
    for (gsize i = 0; to != NULL && i < n; i++)                                                    \
      to[i] = from[order[i]];                                                                      \
    g_clear_pointer (column, g_free);                                                              \
    return to;                                                                                     \
  }

DEFINE_MOVE (move_32, guint32)
DEFINE_MOVE (move_64, gint64)
DEFINE_MOVE (move_float, float)

static gboolean
move_narrow (TsrNarrow *column, const guint32 *order, gsize n, TsrNarrow *to)
{
  gboolean ok = tsr_narrow_init (to, n);

  for (gsize i = 0; ok && i < n; i++)
    {
      guint32 value = column->values[order[i]];

      if (G_LIKELY (value != TSR_NARROW_WIDE))
        to->values[i] = value;
      else
        tsr_narrow_set (to, i, tsr_narrow_get (column, order[i]));
    }
  tsr_narrow_clear (column);
  if (ok)
    tsr_narrow_seal (to);
  return ok;
}

static gboolean
move_columns (Sorter *self)
{
  TsrSliceRows *rows = self->rows;
  TsrExecutionTables *t = self->tables;
  const guint32 *order = self->order;
  const gsize n = t->ipu_start[t->n_ipus];

  g_clear_pointer (&rows->ipu, g_free);
  t->slice_start = move_64 (&rows->start, order, n);
  t->slice_end = move_64 (&rows->end, order, n);
  t->slice_step = move_32 (&rows->step, order, n);
  t->slice_tile_balance = move_float (&rows->tile_balance, order, n);
  t->slice_active_tile_balance = move_float (&rows->active_tile_balance, order, n);
  return t->slice_start != NULL && t->slice_end != NULL && t->slice_step != NULL
         && t->slice_tile_balance != NULL && t->slice_active_tile_balance != NULL
         && move_narrow (&rows->lead_in, order, n, &t->slice_lead_in)
         && move_narrow (&rows->cycles, order, n, &t->slice_cycles)
         && move_narrow (&rows->active_tiles, order, n, &t->slice_active_tiles)
         && move_narrow (&rows->data_in, order, n, &t->slice_data_in)
         && move_narrow (&rows->data_out, order, n, &t->slice_data_out);
}

/* Turns @rows into the slices of @tables, by IPU and in the order of their starts; numbers the IPUs
 * in files that do not, up to @max_ipus; drops repeated rows.  Moves one column at a time, so that
 * hardly more than one exists twice.  Raises tables->n_ipus if the rows need more. */
static gboolean
tsr_load_execution_slices (TsrLoading *loading,
                           TsrExecutionTables *tables,
                           TsrSliceRows *rows,
                           guint max_ipus,
                           GError **error)
{
  g_auto (Sorter) self
      = { .reporter = { .loading = loading, .table = TABLE }, .tables = tables, .rows = rows };

  self.order = g_try_new (guint32, MAX (rows->n, 1));
  if (self.order == NULL)
    return !fail_memory (loading, TABLE, error);
  if (!rows->has_ipu)
    number_ipus (&self, max_ipus);
  share_out (&self);
  sort_ipus (&self);
  tables->from_max_told = rows->has_from_max;
  return move_columns (&self) || !fail_memory (loading, TABLE, error);
}

#define OPTION "autoReport.outputExecutionProfile"

#define MAX_RUNS (G_MAXUINT16 - 1)

#define PICTURE_INTERVAL 100000 /* microseconds */
/* More IPUs than one sees at a glance. */
#define PICTURE_IPUS 256

static void
builder_clear (TsrExecutionBuilder *self)
{
  tsr_id_index_clear (&self->program_index);
  tsr_id_index_clear (&self->compute_set_index);
  tsr_id_index_clear (&self->run_index);
  tsr_id_index_clear (&self->step_index);
  g_free (self->run_first_id);
  g_free (self->run_end_id);
  g_free (self->named_run);
  g_free (self->counting_ids);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrExecutionBuilder, builder_clear)

/* --------------------------------------------------------------------- runs */

/* Times that the host measured; both 0 when it did not. */
static void
take_times (TsrSortedRows *rows, guint i, double *start, double *end)
{
  *start = tsr_profile_tables_get_real (tsr_sorted_rows_get (rows, i, TSR_RUN_MICROSECONDS_START));
  *end = tsr_profile_tables_get_real (tsr_sorted_rows_get (rows, i, TSR_RUN_MICROSECONDS_END));
  if (*start < 0 || *end < *start)
    tsr_sorted_rows_report (rows, i, TSR_SEVERITY_ERROR, "value-out-of-range",
                            _ ("the run is from microsecond %g to %g, which is impossible"), *start,
                            *end);
  if (*start < 0 || *end < *start || (*start == 0 && *end == 0))
    *start = *end = NAN;
}

static gboolean
load_runs (TsrExecutionBuilder *self, GError **error)
{
  TsrExecutionTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_RUNS, 1, tables->strings,
                                    error))
    return FALSE;
  if (rows.n > MAX_RUNS)
    {
      tsr_loading_report (self->loading, "runs", TSR_SEVERITY_WARNING, "limit",
                          _ ("there are %u runs; only the first %u are shown"), rows.n, MAX_RUNS);
      rows.n = MAX_RUNS;
    }
  tables->n_runs = rows.n;
  tables->run_id = tsr_sorted_rows_dup (&rows, TSR_RUN_ID);
  tables->run_name = tsr_sorted_rows_dup_texts (&rows, TSR_RUN_NAME);
  self->run_first_id = tsr_sorted_rows_dup (&rows, TSR_RUN_FIRST_STEP);
  self->run_end_id = tsr_sorted_rows_dup (&rows, TSR_RUN_END_STEP);
  tables->run_microseconds_start = g_new (double, MAX (rows.n, 1));
  tables->run_microseconds_end = g_new (double, MAX (rows.n, 1));
  for (guint i = 0; i < rows.n; i++)
    {
      take_times (&rows, i, &tables->run_microseconds_start[i], &tables->run_microseconds_end[i]);
      if (self->run_first_id[i] > self->run_end_id[i] && self->run_end_id[i] != TSR_UNKNOWN)
        {
          tsr_sorted_rows_report (
              &rows, i, TSR_SEVERITY_ERROR, "interval-inverted",
              _ ("the run ends before step %" PRId64 ", and begins with step %" PRId64),
              self->run_end_id[i], self->run_first_id[i]);
          self->run_first_id[i] = self->run_end_id[i] = TSR_UNKNOWN;
        }
    }
  tsr_id_index_init (&self->run_index, tables->run_id, tables->n_runs);
  return TRUE;
}

/* First step whose id is not below @id. */
static guint32
find_step (const TsrExecutionBuilder *self, gint64 id)
{
  guint32 from = 0;
  guint32 to = self->tables->n_steps;

  while (from < to)
    {
      guint32 middle = from + (to - from) / 2;

      if (self->step_ids[middle] < id)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/* Where no first and last step are told, from the first step that names the run to the last. */
static void
find_named (TsrExecutionBuilder *self)
{
  TsrExecutionTables *tables = self->tables;
  g_autofree guint8 *told = g_new (guint8, MAX (tables->n_runs, 1));

  for (guint r = 0; r < tables->n_runs; r++)
    told[r] = self->run_first_id[r] != TSR_UNKNOWN && self->run_end_id[r] != TSR_UNKNOWN;
  for (guint i = 0; i < tables->n_steps; i++)
    {
      guint r = self->named_run[i];

      if (r == G_MAXUINT16 || told[r])
        continue;
      if (tables->run_first[r] == tables->run_end[r])
        tables->run_first[r] = i;
      tables->run_end[r] = i + 1;
    }
}

typedef struct
{
  guint32 first, run;
} RunStart;

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const RunStart *x = a;
  const RunStart *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->run > y->run) - (x->run < y->run);
}

/* Of two runs that overlap the one that begins first keeps the steps. */
static void
part_runs (TsrExecutionBuilder *self, Reporter *reporter)
{
  TsrExecutionTables *tables = self->tables;
  g_autofree RunStart *starts = g_new (RunStart, MAX (tables->n_runs, 1));
  guint32 end = 0;

  for (guint r = 0; r < tables->n_runs; r++)
    starts[r] = (RunStart){ tables->run_first[r], r };
  qsort (starts, tables->n_runs, sizeof *starts, compare_starts);
  for (guint i = 0; i < tables->n_runs; i++)
    {
      guint r = starts[i].run;

      if (tables->run_first[r] == tables->run_end[r])
        continue;
      if (tables->run_first[r] < end)
        {
          reporter_add (
              reporter, tables->run_id[r], TSR_SEVERITY_ERROR, "runs-overlap",
              _ ("run %" PRId64 " begins with step %" PRId64
                 ", which already belongs to another run; it counts from the end of that run"),
              tables->run_id[r], self->step_ids[tables->run_first[r]]);
          tables->run_first[r] = MIN (end, tables->run_end[r]);
          tables->run_complete[r] = FALSE;
        }
      end = MAX (end, tables->run_end[r]);
    }
}

/* All steps are one run that the file does not name. */
static void
make_one_run (TsrExecutionBuilder *self)
{
  TsrExecutionTables *tables = self->tables;

  tsr_id_index_clear (&self->run_index);
  tables->n_runs = 1;
  tables->run_id[0] = TSR_UNKNOWN;
  tables->run_name[0] = TSR_NO_STRING;
  tables->run_first[0] = 0;
  tables->run_end[0] = tables->n_steps;
  tables->run_complete[0] = TRUE;
  tables->run_microseconds_start[0] = tables->run_microseconds_end[0] = NAN;
}

static void
set_step_runs (TsrExecutionBuilder *self)
{
  TsrExecutionTables *tables = self->tables;
  g_auto (Reporter) reporter = { .loading = self->loading, .table = "steps" };

  memset (tables->step_run, 0xff, tables->n_steps * sizeof *tables->step_run);
  for (guint r = 0; r < tables->n_runs; r++)
    for (guint i = tables->run_first[r]; i < tables->run_end[r]; i++)
      tables->step_run[i] = (guint16)r;
  for (guint i = 0; i < tables->n_steps && self->run_index.n > 0; i++)
    if (self->named_run[i] != G_MAXUINT16 && self->named_run[i] != tables->step_run[i])
      reporter_add (&reporter, tsr_load_execution_row_of_place (self->first_step_row, i),
                    TSR_SEVERITY_WARNING, "run-contradicts-itself",
                    _ ("step %" PRId64 " names run %" PRId64
                       ", which has other steps according to runs; those in runs count"),
                    self->step_ids[i], tables->run_id[self->named_run[i]]);
}

/* Which steps each run has: as runs says, or else as the steps say. */
static void
set_runs (TsrExecutionBuilder *self)
{
  TsrExecutionTables *tables = self->tables;
  g_auto (Reporter) reporter = { .loading = self->loading, .table = "runs" };
  gboolean any = FALSE;

  tables->run_first = g_new0 (guint32, MAX (tables->n_runs, 1));
  tables->run_end = g_new0 (guint32, MAX (tables->n_runs, 1));
  tables->run_complete = g_new0 (guint8, MAX (tables->n_runs, 1));
  find_named (self);
  for (guint r = 0; r < tables->n_runs; r++)
    {
      gint64 first = self->run_first_id[r];
      gint64 end = self->run_end_id[r];

      tables->run_complete[r] = tables->run_first[r] < tables->run_end[r];
      if (first == TSR_UNKNOWN || end == TSR_UNKNOWN)
        continue;
      tables->run_first[r] = find_step (self, first);
      tables->run_end[r] = find_step (self, end);
      tables->run_complete[r]
          = tables->run_end[r] - tables->run_first[r] == (guint64)end - (guint64)first;
      if (!tables->run_complete[r])
        reporter_add (&reporter, tables->run_id[r], TSR_SEVERITY_WARNING, "run-cut-off",
                      _ ("run %" PRId64 " has steps %" PRId64 " to %" PRId64
                         ", of which only %u are in steps"),
                      tables->run_id[r], first, end - 1, tables->run_end[r] - tables->run_first[r]);
    }
  part_runs (self, &reporter);
  for (guint r = 0; r < tables->n_runs; r++)
    any = any || tables->run_first[r] < tables->run_end[r];
  if (!any && tables->n_runs > 0 && tables->n_steps > 0)
    reporter_add (&reporter, TSR_NO_ROW, TSR_SEVERITY_WARNING, "runs-without-steps",
                  _ ("no run has any of the steps; all of them count as one run"));
  if (!any && (tables->n_runs == 0 || tables->n_steps > 0))
    make_one_run (self);
  set_step_runs (self);
}

/* A run whose last step did nothing on any IPU was cut off as well. */
static void
check_ends (TsrExecutionBuilder *self)
{
  TsrExecutionTables *tables = self->tables;
  g_auto (Reporter) reporter = { .loading = self->loading, .table = "steps_by_ipu" };
  g_autofree guint8 *ended = g_new0 (guint8, tables->n_runs);
  gsize n_slices = tables->ipu_start[tables->n_ipus];
  gboolean timed = n_slices == 0;

  if (n_slices == 0 && tables->n_steps > 0)
    reporter_add (&reporter, TSR_NO_ROW, TSR_SEVERITY_WARNING, "rows-missing",
                  _ ("the table is empty although there are steps: when they ran is not "
                     "known"));
  for (gsize i = 0; i < n_slices; i++)
    {
      guint32 step = tables->slice_step[i];
      guint r = tables->step_run[step];

      timed = timed || tables->slice_start[i] != TSR_UNKNOWN;
      if (r != G_MAXUINT16 && step + 1 == tables->run_end[r])
        ended[r] = TRUE;
    }
  if (!timed)
    reporter_add (&reporter, TSR_NO_ROW, TSR_SEVERITY_WARNING, "times-missing",
                  _ ("no row records when its step ran; the cycles of the steps are not "
                     "known, and nothing can be drawn"));
  for (guint r = 0; r < tables->n_runs; r++)
    {
      if (ended[r] || tables->run_first[r] == tables->run_end[r] || !tables->run_complete[r])
        continue;
      tables->run_complete[r] = FALSE;
      if (n_slices == 0)
        continue;
      reporter_add (&reporter, TSR_NO_ROW, TSR_SEVERITY_WARNING, "run-cut-off",
                    _ ("step %" PRId64 ", the last one of a run, has no row: the run was "
                       "cut off"),
                    self->step_ids[tables->run_end[r] - 1]);
    }
}

/* -------------------------------------------------------------------- steps */

static void
take_types (TsrExecutionBuilder *self, const TsrStepRows *rows)
{
  TsrExecutionTables *tables = self->tables;

  tables->n_types = rows->types->len;
  tables->type_name = g_new (guint32, MAX (tables->n_types, 1));
  for (guint i = 0; i < tables->n_types; i++)
    {
      GBytes *type = rows->types->pdata[i];
      gsize length;
      const char *text = type != NULL ? g_bytes_get_data (type, &length) : NULL;

      /* Translators: a step whose type is not recorded */
      tables->type_name[i]
          = type == NULL ? tsr_string_table_intern (tables->strings, _ ("Unknown"), -1)
                         : tsr_string_table_intern (tables->strings, text != NULL ? text : "",
                                                    text != NULL ? (gssize)length : 0);
    }
}

static int
compare_ids (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *ids = data;
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  if (ids[x] != ids[y])
    return ids[x] < ids[y] ? -1 : 1;
  return (x > y) - (x < y);
}

/* Places of the rows that can be used, in order of ids, each id once; NULL when that is as they
 * stand.  *failed: there is no memory. */
static guint32 *
order_steps (TsrExecutionBuilder *self, const TsrStepRows *rows, guint *n, gboolean *failed)
{
  g_auto (Reporter) reporter = { .loading = self->loading, .table = "steps" };
  g_autofree guint32 *order = NULL;
  guint n_used = 0;
  guint kept = 0;
  gsize i = 1;

  *n = rows->n;
  *failed = FALSE;
  while (i < rows->n && rows->id[i - 1] < rows->id[i])
    i++;
  if (rows->n == 0 || (i == rows->n && rows->id[0] != TSR_UNKNOWN))
    return NULL;
  order = g_try_new (guint32, rows->n);
  *failed = order == NULL;
  for (i = 0; order != NULL && i < rows->n; i++)
    if (rows->id[i] != TSR_UNKNOWN)
      order[n_used++] = i;
  if (order != NULL)
    g_qsort_with_data (order, (int)n_used, sizeof *order, compare_ids, rows->id);
  for (i = 0; i < n_used; i++)
    if (kept > 0 && rows->id[order[kept - 1]] == rows->id[order[i]])
      reporter_add (&reporter, tsr_load_execution_row_of_place (rows->first_row, order[i]),
                    TSR_SEVERITY_ERROR, "row-repeated",
                    _ ("step %" PRId64 " has another row; the first one counts"),
                    rows->id[order[i]]);
    else
      order[kept++] = order[i];
  *n = kept;
  return g_steal_pointer (&order);
}

#define MOVE(type, column)                                                                         \
  static gboolean move_##column (TsrStepRows *rows, const guint32 *order, guint n)                 \
  {                                                                                                \
    type *moved = g_try_new (type, MAX (n, 1));                                                    \
                                                                                                   \
    for (guint i = 0; moved != NULL && i < n; i++)                                                 \
      moved[i] = rows->column[order[i]];                                                           \
    g_free (rows->column);                                                                         \
    rows->column = moved;                                                                          \
    return moved != NULL;                                                                          \
  }

MOVE (gint64, id)
MOVE (guint8, type)
MOVE (guint32, program)
MOVE (guint32, compute_set)
MOVE (guint32, tile_cycles)
MOVE (guint16, run)

static gboolean
sort_steps (TsrExecutionBuilder *self, TsrStepRows *rows, GError **error)
{
  gboolean failed;
  guint n;
  g_autofree guint32 *order = order_steps (self, rows, &n, &failed);

  if (order != NULL)
    {
      failed = !move_id (rows, order, n) || !move_type (rows, order, n)
               || !move_program (rows, order, n) || !move_compute_set (rows, order, n)
               || !move_tile_cycles (rows, order, n) || !move_run (rows, order, n);
      rows->first_row = TSR_NO_ROW;
    }
  rows->n = n;
  return !failed || !fail_memory (self->loading, "steps", error);
}

static void
report_gaps (TsrExecutionBuilder *self)
{
  const TsrExecutionTables *tables = self->tables;
  g_auto (Reporter) reporter = { .loading = self->loading, .table = "steps" };

  if (tables->step_id == NULL)
    return;
  for (guint i = 1; i < tables->n_steps; i++)
    if ((guint64)tables->step_id[i] - (guint64)tables->step_id[i - 1] != 1)
      reporter_add (
          &reporter, tsr_load_execution_row_of_place (self->first_step_row, i),
          TSR_SEVERITY_WARNING, "ids-skip",
          _ ("step %" PRId64 " follows step %" PRId64 "; what was between them is not recorded"),
          tables->step_id[i], tables->step_id[i - 1]);
}

static gboolean
load_steps (TsrExecutionBuilder *self, GError **error)
{
  TsrExecutionTables *tables = self->tables;
  TsrStepKeys keys = { .programs = self->program_index,
                       .compute_sets = self->compute_set_index,
                       .runs = self->run_index,
                       .max_types = TSR_MAX_STEP_TYPES };
  g_auto (TsrStepRows) rows = { 0 };
  g_autoptr (GArray) sets = tsr_profile_dup_tile_sets (self->loading->profile, error);
  gboolean done;

  if (sets == NULL)
    return FALSE;
  tsr_id_index_init (&keys.tile_sets, (const gint64 *)(gpointer)sets->data, sets->len);
  done = tsr_profile_scan_steps (self->loading->profile, &keys, &rows, NULL, error)
         && sort_steps (self, &rows, error);
  tsr_id_index_clear (&keys.tile_sets);
  if (!done)
    return FALSE;
  take_types (self, &rows);
  tables->n_steps = rows.n;
  self->first_step_row = rows.first_row;
  tables->first_step_id = rows.n > 0 ? rows.id[0] : 0;
  tables->step_type = g_steal_pointer (&rows.type);
  tables->step_program = g_steal_pointer (&rows.program);
  tables->step_compute_set = g_steal_pointer (&rows.compute_set);
  tables->step_tile_cycles = g_steal_pointer (&rows.tile_cycles);
  self->named_run = g_steal_pointer (&rows.run);
  if (rows.n > 0 && (guint64)rows.id[rows.n - 1] - (guint64)rows.id[0] != rows.n - 1)
    tables->step_id = rows.id;
  else
    self->counting_ids = rows.id;
  self->step_ids = g_steal_pointer (&rows.id);
  tables->step_run = g_try_new (guint16, MAX (rows.n, 1));
  if (tables->step_run == NULL)
    return !fail_memory (self->loading, "steps", error);
  report_gaps (self);
  set_runs (self);
  tsr_id_index_init (&self->step_index, self->step_ids, tables->n_steps);
  return TRUE;
}

/* ------------------------------------------------------------------- slices */

typedef struct
{
  const TsrExecutionBuilder *builder;
  GStrv names;
} Preview;

static void
show_picture (const TsrSlicePicture *picture, gpointer data)
{
  const Preview *preview = data;
  const TsrLoading *loading = preview->builder->loading;
  g_autoptr (TsrExecutionPreview) made = g_new0 (TsrExecutionPreview, 1);

  g_atomic_ref_count_init (&made->count);
  made->n_ipus = picture->n_ipus;
  made->n_columns = picture->n_columns;
  made->from = picture->from;
  made->to = picture->to;
  made->type = g_memdup2 (picture->type, (gsize)picture->n_ipus * picture->n_columns);
  made->names = g_strdupv (preview->names);
  made->fraction = CLAMP (tsr_progress_get_fraction (preview->builder->progress), 0, 1);
  loading->show (made, loading->show_data);
}

static GStrv
dup_type_names (const TsrExecutionTables *tables)
{
  GStrv names = g_new0 (char *, tables->n_types + 1);

  for (guint i = 0; i < tables->n_types; i++)
    names[i] = g_strdup (tsr_string_table_get (tables->strings, tables->type_name[i]));
  return names;
}

static gboolean
load_slices (TsrExecutionBuilder *self, GError **error)
{
  TsrExecutionTables *tables = self->tables;
  g_auto (GStrv) names = dup_type_names (tables);
  Preview preview = { self, names };
  gboolean has_ipu = tsr_profile_has_column (self->loading->profile, "steps_by_ipu", "ipu");
  const TsrTarget *target = &self->summary->target;
  gint64 told = self->summary->told.num_ipus;
  TsrSliceKeys keys
      = { .steps = self->step_index,
          .n_ipus = self->max_ipus,
          .tiles_per_ipu = target->tiles_per_ipu_assumed ? 0 : MAX (target->tiles_per_ipu, 0),
          .step_type = tables->step_type,
          .show = self->loading->show != NULL ? show_picture : NULL,
          .data = &preview,
          .n_picture_ipus = has_ipu ? CLAMP (told, 1, PICTURE_IPUS) : 1,
          .picture_interval = PICTURE_INTERVAL };
  g_auto (TsrSliceRows) rows = { 0 };

  if (!tsr_profile_scan_slices (self->loading->profile, &keys, &rows, self->progress, error)
      || !tsr_load_execution_slices (self->loading, tables, &rows, self->max_ipus, error))
    return FALSE;
  check_ends (self);
  /* What tiles did is read when it is asked for; what cannot be read is told now, unless that means
   * to read it. */
  return self->loading->depth != TSR_DEPTH_WHOLE || target->tiles_per_ipu <= 0
         || target->tiles_per_ipu > TSR_MAX_TILES
         || tsr_profile_check_tile_cycles (self->loading->profile, (guint)target->tiles_per_ipu,
                                           error);
}

/* -------------------------------------------------------------------- stage */

static gboolean
check_part (TsrLoading *loading, GError **error)
{
  TsrProfile *profile = loading->profile;
  const char *name = loading->files->files[TSR_FILE_PROFILE].name;
  const char *missing = NULL;

  if (profile != NULL && tsr_profile_has_rows (profile, "blocks"))
    return TRUE;
  if (profile == NULL || !tsr_profile_has_rows (profile, "steps"))
    missing = "steps";
  else if (!tsr_profile_has_rows (profile, "steps_by_ipu"))
    missing = "steps_by_ipu";
  if (missing != NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("%s has no execution: the table %s is missing or empty; record the report "
                      "with the engine option %s"),
                   name, missing, OPTION);
      return FALSE;
    }
  if (!tsr_profile_has_column (profile, "steps", "id"))
    missing = "steps.id";
  else if (!tsr_profile_has_column (profile, "steps_by_ipu", "step_id"))
    missing = "steps_by_ipu.step_id";
  if (missing != NULL)
    g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                 _ ("%s has no execution that can be shown: the column %s is missing; record the "
                    "report with the engine option %s"),
                 name, missing, OPTION);
  return missing == NULL;
}

/* Confirmed columns without which the rest is shown all the same. */
static void
report_columns (TsrLoading *loading)
{
  static const char *const columns[][2] = {
    { "steps", "type" },
    { "steps", "program" },
    { "steps", "compute_set" },
    { "steps_by_ipu", "cycles" },
    { "steps_by_ipu", "active_tiles" },
    { "steps_by_ipu", "cycles_base" },
    { "steps_by_ipu", "active_cycles_from_min" },
    { "steps_by_ipu", "active_cycles_to_max" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (tsr_profile_has_rows (loading->profile, columns[i][0])
        && !tsr_profile_has_column (loading->profile, columns[i][0], columns[i][1]))
      tsr_loading_report (loading, columns[i][0], TSR_SEVERITY_WARNING, "column-missing",
                          _ ("the table has no column %s; it is not known of any step"),
                          columns[i][1]);
}

/* IPUs are below this: as many as the target has, if it says so. */
static guint
count_ipus (const TsrTarget *target)
{
  gint64 told = target->num_ipus;

  /* One that contradicts itself: as many as either way says. */
  if (target->ipus_per_replica > 0 && target->num_replicas > 0
      && target->ipus_per_replica <= TSR_MAX_IPUS && target->num_replicas <= TSR_MAX_IPUS)
    told = MAX (told, target->ipus_per_replica * target->num_replicas);
  return told > 0 ? (guint)MIN (told, TSR_MAX_IPUS) : TSR_MAX_IPUS;
}

/* What a reader of the steps alone has told is not told again. */
static gboolean
load_runs_and_steps (TsrExecutionBuilder *self, GError **error)
{
  TsrLoading *loading = self->loading;
  TsrDiagnostics *diagnostics = loading->diagnostics;
  g_autoptr (TsrDiagnostics) again = tsr_diagnostics_new ();
  gboolean ok;

  if (loading->steps_told)
    loading->diagnostics = again;
  report_columns (loading);
  ok = load_runs (self, error) && load_steps (self, error);
  loading->diagnostics = diagnostics;
  return ok;
}

static gboolean
build (TsrExecutionBuilder *self, GError **error)
{
  self->max_ipus = count_ipus (&self->summary->told);
  if (self->programs != NULL)
    {
      tsr_id_index_init (&self->program_index, self->programs->program_id,
                         self->programs->n_programs);
      tsr_id_index_init (&self->compute_set_index, self->programs->compute_set_id,
                         self->programs->n_compute_sets);
    }
  if (!load_runs_and_steps (self, error))
    return FALSE;
  if (self->loading->depth == TSR_DEPTH_NAMES)
    return tsr_database_check_unchanged (tsr_profile_get_database (self->loading->profile), error);
  /* Blocks before slices, which are kept by IPU: there must be all that either names. */
  return tsr_load_execution_blocks (self, error) && load_slices (self, error)
         && tsr_load_execution_run_cycles (self, error) && tsr_load_execution_totals (self, error)
         && tsr_database_check_unchanged (tsr_profile_get_database (self->loading->profile), error);
}

gpointer
tsr_load_execution (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  static const char *const names[] = {
    "runs", "steps", "steps_by_ipu", "tile_cycles", "run_cycles_by_ipu", "execution_cycle_totals",
    NULL
  };
  g_auto (TsrExecutionBuilder) builder = { .loading = loading,
                                           .summary = loading->parts[TSR_STAGE_SUMMARY],
                                           .programs = loading->parts[TSR_STAGE_PROGRAMS],
                                           .progress = progress };

  if (!check_part (loading, error))
    return NULL;
  tsr_loading_prefetch (loading, names);
  builder.tables = g_new0 (TsrExecutionTables, 1);
  builder.tables->strings = tsr_string_table_new ();
  if (build (&builder, error))
    return builder.tables;
  tsr_execution_tables_free (builder.tables);
  return NULL;
}
