/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs, steps and what each IPU did in them: what rows must say about one another, and the order in
 * which they say it. */

#include "config.h"

#include "tsr-check-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Far beyond any machine. */
#define MAX_IPUS 65536

/* -------------------------------------------------------------- runs, steps */

void
tsr_check_run_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  const TsrSpan none = { TSR_UNKNOWN, TSR_UNKNOWN };
  TsrSpan span = { v[2], v[3] };
  gint64 place = tsr_id_set_index (&check->sets[TSR_SET_RUNS], v[0]);
  double from = tsr_scan_get_double (scan, 4);
  double to = tsr_scan_get_double (scan, 5);

  if (from > to)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "interval-reversed", check->table->name, row,
                   _ ("microseconds_start %g is after microseconds_end %g"), from, to);
  if (v[2] == TSR_UNKNOWN || v[3] == TSR_UNKNOWN || place < 0)
    return;
  if (v[2] > v[3])
    {
      tsr_check_add (check, TSR_SEVERITY_ERROR, "interval-reversed", check->table->name, row,
                     _ ("first_step %" PRId64 " is after end_step %" PRId64), v[2], v[3]);
      return;
    }
  if (v[2] < check->previous_end_step)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "runs-overlap", check->table->name, row,
                   _ ("first_step is %" PRId64 ", inside the run before, which ends at %" PRId64),
                   v[2], check->previous_end_step);
  check->previous_end_step = v[3];
  while (check->runs->len <= place)
    g_array_append_val (check->runs, none);
  g_array_index (check->runs, TsrSpan, place) = span;
}

void
tsr_check_step_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  gint64 place = tsr_id_set_index (&check->sets[TSR_SET_RUNS], v[4]);
  const TsrSpan *span;

  if (v[0] == TSR_UNKNOWN || place < 0 || place >= check->runs->len)
    return;
  span = &g_array_index (check->runs, TsrSpan, place);
  if (span->first != TSR_UNKNOWN && (v[0] < span->first || v[0] >= span->end)
      && !tsr_check_is_flagged (check, "runs", v[4]))
    tsr_check_add (
        check, TSR_SEVERITY_ERROR, "outside-run", check->table->name, row,
        _ ("the step belongs to run %" PRId64 ", whose steps are from %" PRId64 " to %" PRId64),
        v[4], span->first, span->end);
}

static int
compare_run_ends (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const TsrRunEnd *)a)->step;
  gint64 y = ((const TsrRunEnd *)b)->step;

  return (x > y) - (x < y);
}

/* Steps that are missing: between others, and at the end of runs. */
void
tsr_check_step_end (TsrCheck *check)
{
  const TsrIdSet *steps = &check->sets[TSR_SET_STEPS];

  for (guint i = 1; i < steps->ranges->len; i++)
    {
      gint64 before = g_array_index (steps->ranges, TsrIdRange, i - 1).last;
      gint64 id = g_array_index (steps->ranges, TsrIdRange, i).first;

      tsr_check_add (
          check, TSR_SEVERITY_WARNING, "ids-skip", check->table->name, id,
          _ ("step %" PRId64 " follows step %" PRId64 "; what was between them is not recorded"),
          id, before);
    }
  for (guint i = 0; i < check->runs->len; i++)
    {
      const TsrSpan *run = &g_array_index (check->runs, TsrSpan, i);
      gint64 id = tsr_id_set_get (&check->sets[TSR_SET_RUNS], i);
      TsrRunEnd end;
      guint64 n;

      if (run->first == TSR_UNKNOWN || run->first == run->end)
        continue;
      n = run->first < run->end ? tsr_id_set_count (steps, run->first, run->end) : 0;
      end = (TsrRunEnd){ run->end - 1, FALSE };
      if (n == (guint64)run->end - (guint64)run->first)
        g_array_append_val (check->run_ends, end);
      else if (!tsr_check_is_flagged (check, "runs", id))
        tsr_check_add (check, TSR_SEVERITY_WARNING, "run-cut-off", "runs", id,
                       _ ("run %" PRId64 " has steps %" PRId64 " to %" PRId64
                          ", of which only %u are in steps"),
                       id, run->first, run->end - 1, (guint)MIN (n, G_MAXUINT));
    }
  g_array_sort (check->run_ends, compare_run_ends);
}

static void
check_order (TsrCheck *check, gint64 row, const char *first, gint64 a, const char *second, gint64 b)
{
  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN || a <= b
      || tsr_check_is_flagged (check, check->table->name, row))
    return;
  tsr_check_add (check, TSR_SEVERITY_ERROR, "cycles-reversed", check->table->name, row,
                 _ ("%s is %" PRId64 ", after %s, %" PRId64), first, a, second, b);
}

/* ------------------------------------------------------------------- slices */

/* Whether the step is the last one of a run. */
static TsrRunEnd *
find_run_end (TsrCheck *check, gint64 step)
{
  guint low = 0;
  guint high = check->run_ends->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (check->run_ends, TsrRunEnd, middle).step < step)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == check->run_ends->len || g_array_index (check->run_ends, TsrRunEnd, low).step != step)
    return NULL;
  return &g_array_index (check->run_ends, TsrRunEnd, low);
}

/* A step that ends before an earlier one of its IPU begins. */
static void
follow_time (TsrCheck *check, gint64 row, gint64 step, gint64 ipu, gint64 start, gint64 end)
{
  const TsrLastStart none = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
  TsrLastStart *last;

  if (start == TSR_UNKNOWN || end == TSR_UNKNOWN || end < start || ipu < 0 || ipu >= MAX_IPUS)
    return;
  while (check->last_starts->len <= ipu)
    g_array_append_val (check->last_starts, none);
  last = &g_array_index (check->last_starts, TsrLastStart, ipu);
  if (step < last->step)
    return; /* rows are out of order: nothing follows from it */
  last->step = step;
  if (start >= last->start)
    {
      last->start = start;
      last->started_step = step;
    }
  else if (end < last->start && check->n_early++ == 0)
    check->early = (TsrEarlyStep){ row, step, ipu, end, last->started_step, last->start };
}

static gint64
add_known (gint64 base, gint64 relative)
{
  gint64 sum;

  if (base == TSR_UNKNOWN || relative == TSR_UNKNOWN
      || __builtin_add_overflow (base, relative, &sum))
    return TSR_UNKNOWN;
  return sum;
}

/* step 0, ipu 1, base 4, from_min 5, from_max 6, to_min 7, to_max 8; the last tile to begin ends
 * last at the earliest. */
void
tsr_check_slice_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  TsrRunEnd *end = v[0] != TSR_UNKNOWN ? find_run_end (check, v[0]) : NULL;
  gint64 ipu = v[1];

  if (end != NULL)
    end->seen = TRUE;
  check->n_slices++;
  if (!tsr_scan_has_column (scan, 1))
    ipu = v[0] == check->slice_step ? check->slice_ipu + 1 : 0;
  check->slice_step = v[0];
  check->slice_ipu = ipu;
  if (v[0] != TSR_UNKNOWN)
    follow_time (check, row, v[0], ipu, add_known (v[4], v[6] != TSR_UNKNOWN ? v[6] : v[5]),
                 add_known (v[4], v[8]));
  check_order (check, row, "active_cycles_from_min", v[5], "active_cycles_from_max", v[6]);
  check_order (check, row, "active_cycles_to_min", v[7], "active_cycles_to_max", v[8]);
  check_order (check, row, "active_cycles_from_min", v[5], "active_cycles_to_min", v[7]);
  check_order (check, row, "active_cycles_from_max", v[6], "active_cycles_to_max", v[8]);
  check_order (check, row, "active_cycles_from_min", v[5], "active_cycles_to_max", v[8]);
  if (v[3] != TSR_UNKNOWN && check->tiles_per_ipu != TSR_UNKNOWN && v[3] > check->tiles_per_ipu)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "value-out-of-range", check->table->name, row,
                   _ ("active_tiles is %" PRId64 "; an IPU has %" PRId64 " tiles"), v[3],
                   check->tiles_per_ipu);
}

void
tsr_check_slice_end (TsrCheck *check)
{
  const TsrEarlyStep *early = &check->early;

  if (check->n_early > 0)
    tsr_check_add (
        check, TSR_SEVERITY_WARNING, "time-out-of-order", check->table->name, early->row,
        _ ("step %" PRId64 " of IPU %" PRId64 " ends at cycle %" PRId64 ", but step %" PRId64
           " before it begins at cycle %" PRId64 "; steps that are out of order in time: %" PRIu64),
        early->step, early->ipu, early->end, early->earlier_step, early->start, check->n_early);
  if (check->n_slices == 0 && check->sets[TSR_SET_STEPS].n_ids > 0)
    tsr_check_add (check, TSR_SEVERITY_WARNING, "rows-missing", check->table->name, TSR_NO_ROW,
                   _ ("the table is empty although there are steps: when they ran is not known"));
  for (guint i = 0; i < check->run_ends->len && check->n_slices > 0; i++)
    {
      const TsrRunEnd *end = &g_array_index (check->run_ends, TsrRunEnd, i);

      if (!end->seen)
        tsr_check_add (check, TSR_SEVERITY_WARNING, "run-cut-off", check->table->name, TSR_NO_ROW,
                       _ ("step %" PRId64 ", the last one of a run, has no row: the run was cut "
                          "off"),
                       end->step);
    }
}

void
tsr_check_block_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  /* A block whose buffer overflowed has no end of its own. */
  if (v[10] != 1)
    check_order (check, row, "cycles_from", v[6], "cycles_to", v[7]);
}
