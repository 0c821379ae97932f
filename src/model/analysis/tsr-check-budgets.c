/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Budgets: one number of a report each, against a limit from a file.  Memory figures come from the
 * report's tables; those of the execution from one scan of the steps, made when a budget asks. */

#include "config.h"

#include "tsr-check.h"

#include "tsr-check-ids.h"
#include "tsr-error.h"
#include "tsr-memory.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct
{
  gint64 start, end;
} Interval;

/* Steps of one type on one IPU. */
typedef struct
{
  GArray *intervals; /* Interval */
  gboolean in_order;
} Lane;

typedef struct
{
  gint64 run;       /* of the last step seen; place in the list of runs */
  gboolean leading; /* only StreamCopyBegin since the run began */
  /* Of the profiled run: [device_start, device_end). */
  gint64 device_start, device_end;
  GPtrArray *lanes; /* Lane, [type] */
} Ipu;

typedef struct
{
  gint64 first, end, seen;
} Run;

#define WHOLE  (-1) /* steps of no run: the recording counts as one */
#define NO_RUN (-2)

/* Far beyond any machine; a number from a file makes no more than so many. */
#define MAX_IPUS 65536

/* What one scan of steps and steps_by_ipu tells. */
typedef struct
{
  gboolean measured;
  char *why_not; /* (nullable): what is missing */
  TsrIdSet steps;
  GArray *types;         /* guint, [place of the step] */
  GPtrArray *type_names; /* [type] */
  GArray *step_runs;     /* gint, [place of the step]: place in runs, or -1 */
  GArray *runs;          /* Run */
  gint64 profiled;       /* place in runs, WHOLE or NO_RUN */
  GPtrArray *ipus;       /* Ipu */
  gint64 from, to;
  double cycles, balanced; /* sums over OnTileExecute */
} Execution;

typedef struct
{
  TsrReport *report;
  TsrMemory *memory; /* (nullable) */
  TsrDiagnostics *diagnostics;
  GCancellable *cancellable;
  Execution execution;
} Measuring;

/* A figure; @exact for integers. */
typedef struct
{
  double value;
  gint64 exact;
} Figure;

/* Returns FALSE and sets @error only when the file cannot be read on; a figure that the report does
 * not tell stays NaN, with *why (transfer full) saying what is missing. */
typedef gboolean (*MeasureFunc) (Measuring *measuring, Figure *figure, char **why, GError **error);

void
tsr_budget_free (TsrBudget *budget)
{
  g_free (budget->name);
  g_free (budget);
}

static void
set_exact (Figure *figure, gint64 value)
{
  figure->exact = value;
  figure->value = value == TSR_UNKNOWN ? NAN : (double)value;
}

/* ------------------------------------------------------------------ memory */

static gint64
max_tile (Measuring *measuring, TsrMetric *metric, char **why)
{
  TsrStatistics statistics;
  const gint64 *values;

  if (measuring->memory == NULL)
    {
      *why = g_strdup (_ ("the memory of the tiles is not recorded (memory_by_tile)"));
      return TSR_UNKNOWN;
    }
  *metric = tsr_memory_get_fullness_metric (measuring->memory);
  values = tsr_memory_peek (measuring->memory, *metric);
  if (values == NULL)
    {
      *why = g_strdup (_ ("memory_by_tile has no sizes"));
      return TSR_UNKNOWN;
    }
  tsr_memory_get_statistics (values, tsr_memory_get_n_tiles (measuring->memory), NULL, 0,
                             &statistics);
  if (statistics.max == TSR_UNKNOWN)
    *why = g_strdup (_ ("memory_by_tile does not tell the size of every tile"));
  else if (*metric != TSR_METRIC_INCLUDING_GAPS)
    *why = g_strdup (_ ("gaps are not recorded (memory_by_tile.including_gaps); the tiles' own "
                        "totals are taken"));
  return statistics.max;
}

static gboolean
measure_max_tile (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  TsrMetric metric;

  set_exact (figure, max_tile (measuring, &metric, why));
  return TRUE;
}

static gboolean
measure_free (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  TsrMetric metric;
  gint64 most = max_tile (measuring, &metric, why);
  gint64 capacity
      = measuring->memory != NULL ? tsr_memory_get_capacity (measuring->memory) : TSR_UNKNOWN;

  if (most == TSR_UNKNOWN)
    return TRUE;
  if (capacity == TSR_UNKNOWN)
    {
      g_free (*why);
      *why = g_strdup (_ ("the size of a tile is not recorded (target.bytes_per_tile)"));
      return TRUE;
    }
  figure->value = 100.0 * ((double)capacity - (double)most) / (double)capacity;
  return TRUE;
}

/* Sum of always-live bytes over tiles: the tiles' own, else the allocations'. */
static gboolean
sum_always_live (Measuring *measuring, TsrProfile *profile, gint64 *sum, GError **error)
{
  const char *columns[] = { "always_live", "size_bytes", NULL };
  g_autoptr (TsrScan) scan = NULL;
  GError *local_error = NULL;
  const gint64 *values = measuring->memory != NULL
                             ? tsr_memory_peek (measuring->memory, TSR_METRIC_ALWAYS_LIVE)
                             : NULL;
  TsrStatistics statistics = { TSR_UNKNOWN };

  if (values != NULL)
    tsr_memory_get_statistics (values, tsr_memory_get_n_tiles (measuring->memory), NULL, 0,
                               &statistics);
  *sum = values != NULL ? statistics.sum : TSR_UNKNOWN;
  if (*sum != TSR_UNKNOWN || !tsr_profile_has_column (profile, "vars_info", "always_live")
      || !tsr_profile_has_column (profile, "vars_info", "size_bytes"))
    return TRUE;
  scan = tsr_scan_new (profile, "vars_info", columns, &local_error);
  *sum = 0;
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    if (tsr_scan_get_int (scan, 0) == TSR_UNKNOWN || tsr_scan_get_int (scan, 1) < 0)
      {
        *sum = TSR_UNKNOWN;
        return TRUE;
      }
    else if (tsr_scan_get_int (scan, 0) == 1)
      *sum = tsr_add_saturating (*sum, tsr_scan_get_int (scan, 1), NULL);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
measure_peak_live (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  const char *columns[] = { "not_always_live_bytes", NULL };
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (measuring->report, NULL);
  g_autoptr (TsrScan) scan = NULL;
  GError *local_error = NULL;
  gint64 peak = TSR_UNKNOWN;
  gint64 always = TSR_UNKNOWN;

  if (profile == NULL || !tsr_profile_has_rows (profile, "liveness_steps"))
    {
      *why = g_strdup (_ ("the liveness steps are not recorded (liveness_steps)"));
      return TRUE;
    }
  scan = tsr_scan_new (profile, "liveness_steps", columns, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    if (tsr_scan_get_int (scan, 0) == TSR_UNKNOWN)
      {
        *why = g_strdup (_ ("liveness_steps does not tell the bytes of every step"));
        return TRUE;
      }
    else
      peak = MAX (peak, tsr_scan_get_int (scan, 0));
  if (local_error != NULL || !sum_always_live (measuring, profile, &always, &local_error))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (peak == TSR_UNKNOWN || always == TSR_UNKNOWN)
    *why = g_strdup (_ ("the always-live bytes are not recorded (memory_by_tile.always_live)"));
  else
    set_exact (figure, tsr_add_saturating (peak, always, NULL));
  return TRUE;
}

static gboolean
measure_exchange_code (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  TsrMemoryFigures figures;
  guint n = measuring->memory != NULL ? tsr_memory_get_n_categories (measuring->memory) : 0;

  *why = g_strdup (_ ("the categories are not recorded, or none is internalExchangeCode "
                      "(memory_by_tile_category, var_categories)"));
  for (guint c = 0; c < n; c++)
    {
      gint64 bytes;

      if (g_strcmp0 (tsr_memory_get_category_name (measuring->memory, c), "internalExchangeCode")
          != 0)
        continue;
      tsr_memory_get_figures (measuring->memory, NULL, 0, &figures);
      bytes = figures.non_overlapped[c];
      if (bytes == TSR_UNKNOWN)
        bytes = tsr_memory_get_category_allocated (measuring->memory, c);
      tsr_memory_figures_clear (&figures);
      if (bytes != TSR_UNKNOWN)
        g_clear_pointer (why, g_free);
      set_exact (figure, bytes);
      break;
    }
  return TRUE;
}

/* --------------------------------------------------------------- execution */

static void
lane_free (gpointer data)
{
  Lane *lane = data;

  g_array_unref (lane->intervals);
  g_free (lane);
}

static void
ipu_free (gpointer data)
{
  Ipu *ipu = data;

  g_ptr_array_unref (ipu->lanes);
  g_free (ipu);
}

static void
execution_init (Execution *self)
{
  memset (self, 0, sizeof *self);
  tsr_id_set_init (&self->steps);
  self->types = g_array_new (FALSE, FALSE, sizeof (guint));
  self->type_names = g_ptr_array_new_with_free_func (g_free);
  self->step_runs = g_array_new (FALSE, FALSE, sizeof (gint));
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  self->ipus = g_ptr_array_new_with_free_func (ipu_free);
  self->profiled = WHOLE;
  self->from = G_MAXINT64;
  self->to = G_MININT64;
}

static void
execution_clear (Execution *self)
{
  tsr_id_set_clear (&self->steps);
  g_array_unref (self->types);
  g_ptr_array_unref (self->type_names);
  g_array_unref (self->step_runs);
  g_array_unref (self->runs);
  g_ptr_array_unref (self->ipus);
  g_free (self->why_not);
}

static guint
intern_type (Execution *self, const char *name)
{
  guint i;

  name = name != NULL ? name : "";
  for (i = 0; i < self->type_names->len; i++)
    if (g_str_equal (g_ptr_array_index (self->type_names, i), name))
      return i;
  /* An open list, but no file has thousands of kinds: the rest share the last one. */
  if (self->type_names->len >= 1024)
    return self->type_names->len - 1;
  g_ptr_array_add (self->type_names, g_strdup (name));
  return i;
}

static gboolean
read_runs (Execution *self, TsrProfile *profile, GError **error)
{
  const char *columns[] = { "first_step", "end_step", NULL };
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = tsr_scan_new (profile, "runs", columns, &local_error);

  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      Run run = { tsr_scan_get_int (scan, 0), tsr_scan_get_int (scan, 1), 0 };

      if (run.first < 0 || run.end < run.first)
        continue;
      g_array_append_val (self->runs, run);
    }
  /* Runs that overlap tell nothing: the recording then counts as one. */
  for (guint i = 1; i < self->runs->len; i++)
    if (g_array_index (self->runs, Run, i).first < g_array_index (self->runs, Run, i - 1).end)
      g_array_set_size (self->runs, 0);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gint
run_of_step (Execution *self, gint64 step)
{
  guint low = 0;
  guint high = self->runs->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Run *run = &g_array_index (self->runs, Run, middle);

      if (step >= run->end)
        low = middle + 1;
      else if (step < run->first)
        high = middle;
      else
        return (gint)middle;
    }
  return WHOLE;
}

static gboolean
read_steps (Execution *self, TsrProfile *profile, GError **error)
{
  const char *columns[] = { "id", "type", NULL };
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = tsr_scan_new (profile, "steps", columns, &local_error);

  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      gint64 id = tsr_scan_get_int (scan, 0);
      guint type = intern_type (self, tsr_scan_peek_text (scan, 1));
      gint run = run_of_step (self, id);

      if (id == TSR_UNKNOWN)
        continue;
      if (run >= 0)
        g_array_index (self->runs, Run, run).seen++;
      tsr_id_set_add (&self->steps, id);
      g_array_append_val (self->types, type);
      g_array_append_val (self->step_runs, run);
    }
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (tsr_id_set_seal (&self->steps) > 0 || !self->steps.in_order)
    self->why_not = g_strdup (_ ("the ids of steps do not ascend"));
  /* The last complete one: the first also loads weights and code. */
  if (self->runs->len > 0)
    self->profiled = NO_RUN;
  for (guint i = 0; i < self->runs->len; i++)
    {
      const Run *run = &g_array_index (self->runs, Run, i);

      if (run->seen > 0 && run->seen == run->end - run->first)
        self->profiled = i;
    }
  return TRUE;
}

static Ipu *
get_ipu (Execution *self, gint64 number)
{
  while ((gint64)self->ipus->len <= number)
    {
      Ipu *ipu = g_new0 (Ipu, 1);

      ipu->run = NO_RUN;
      ipu->device_start = TSR_UNKNOWN;
      ipu->device_end = TSR_UNKNOWN;
      ipu->lanes = g_ptr_array_new_with_free_func (lane_free);
      g_ptr_array_add (self->ipus, ipu);
    }
  return g_ptr_array_index (self->ipus, number);
}

static void
add_interval (Ipu *ipu, guint type, gint64 start, gint64 end)
{
  Interval interval = { start, end };
  Lane *lane;
  Interval *last;

  while (ipu->lanes->len <= type)
    {
      lane = g_new0 (Lane, 1);
      lane->intervals = g_array_new (FALSE, FALSE, sizeof (Interval));
      lane->in_order = TRUE;
      g_ptr_array_add (ipu->lanes, lane);
    }
  lane = g_ptr_array_index (ipu->lanes, type);
  last = lane->intervals->len > 0
             ? &g_array_index (lane->intervals, Interval, lane->intervals->len - 1)
             : NULL;
  if (last != NULL && start >= last->start && start <= last->end)
    last->end = MAX (last->end, end);
  else
    {
      if (last != NULL && start < last->start)
        lane->in_order = FALSE;
      g_array_append_val (lane->intervals, interval);
    }
}

/* The leading StreamCopyBegin of any run is start-up or profiling and enters nothing but the
 * total. */
static void
add_slice (Execution *self, gint64 ipu_number, guint type, gint run, gint64 start, gint64 end)
{
  Ipu *ipu = get_ipu (self, ipu_number);
  gboolean begin = g_str_equal (g_ptr_array_index (self->type_names, type), "StreamCopyBegin");

  self->from = MIN (self->from, start);
  self->to = MAX (self->to, end);
  if (ipu->run != run)
    ipu->leading = TRUE;
  ipu->run = run;
  if (ipu->leading && begin)
    {
      if (run == self->profiled)
        ipu->device_start = MAX (ipu->device_start, end);
      return;
    }
  if (run == self->profiled)
    {
      if (ipu->device_start == TSR_UNKNOWN)
        ipu->device_start = start;
      ipu->device_end = MAX (ipu->device_end, end);
    }
  ipu->leading = FALSE;
  if (end > start)
    add_interval (ipu, type, start, end);
}

enum
{
  STEP,
  IPU,
  CYCLES,
  BASE,
  FROM_MIN,
  FROM_MAX,
  TO_MAX,
  BALANCE
};

/* Place of a slice's end on the clock, or TSR_UNKNOWN. */
static gint64
absolute (TsrScan *scan, guint column)
{
  gint64 base = tsr_scan_get_int (scan, BASE);
  gint64 value = tsr_scan_get_int (scan, column);
  gint64 sum;

  if (base == TSR_UNKNOWN || value == TSR_UNKNOWN || __builtin_add_overflow (base, value, &sum))
    return TSR_UNKNOWN;
  return sum > -((gint64)1 << 60) && sum < ((gint64)1 << 60) ? sum : TSR_UNKNOWN;
}

static void
add_balance (Execution *self, TsrScan *scan, guint type)
{
  gint64 cycles = tsr_scan_get_int (scan, CYCLES);
  double balance = tsr_scan_get_double (scan, BALANCE);

  if (!g_str_equal (g_ptr_array_index (self->type_names, type), "OnTileExecute") || cycles < 0
      || isnan (balance))
    return;
  self->cycles += (double)cycles;
  self->balanced += (double)cycles * balance;
}

/* FALSE: @self->why_not says what is wrong with the row. */
static gboolean
add_row (Execution *self, TsrScan *scan, gint64 *step, gint64 *ipu)
{
  gint64 id = tsr_scan_get_int (scan, STEP);
  gint64 place = tsr_id_set_index (&self->steps, id);
  gint64 start = absolute (scan, FROM_MAX);
  gint64 end = absolute (scan, TO_MAX);

  if (!tsr_scan_has_column (scan, IPU))
    *ipu = id == *step ? *ipu + 1 : 0;
  else
    *ipu = tsr_scan_get_int (scan, IPU);
  if (start == TSR_UNKNOWN)
    start = absolute (scan, FROM_MIN);
  if (id < *step)
    self->why_not = g_strdup (_ ("steps_by_ipu is not ordered by step"));
  else if (place < 0 || *ipu < 0 || *ipu >= MAX_IPUS || start == TSR_UNKNOWN || end == TSR_UNKNOWN)
    self->why_not
        = g_strdup_printf (_ ("steps_by_ipu, row %" PRId64 " is damaged"), tsr_scan_get_row (scan));
  else
    {
      guint type = g_array_index (self->types, guint, place);

      add_balance (self, scan, type);
      add_slice (self, *ipu, type, g_array_index (self->step_runs, gint, place), start, end);
    }
  *step = id;
  return self->why_not == NULL;
}

static gboolean
measure_execution (Measuring *measuring, GError **error)
{
  static const char *const columns[] = { "step_id",
                                         "ipu",
                                         "cycles",
                                         "cycles_base",
                                         "active_cycles_from_min",
                                         "active_cycles_from_max",
                                         "active_cycles_to_max",
                                         "tile_balance",
                                         NULL };
  Execution *self = &measuring->execution;
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;
  GError *local_error = NULL;
  gint64 step = -1;
  gint64 ipu = -1;

  if (self->measured)
    return TRUE;
  self->measured = TRUE;
  profile = tsr_report_open_profile (measuring->report, NULL);
  if (profile == NULL || !tsr_profile_has_rows (profile, "steps_by_ipu")
      || !tsr_profile_has_rows (profile, "steps"))
    {
      self->why_not = g_strdup (_ ("no execution is recorded (steps, steps_by_ipu)"));
      return TRUE;
    }
  tsr_database_set_cancellable (tsr_profile_get_database (profile), measuring->cancellable);
  if (!read_runs (self, profile, error) || !read_steps (self, profile, error))
    return FALSE;
  if (self->why_not == NULL)
    scan = tsr_scan_new (profile, "steps_by_ipu", columns, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    if (!add_row (self, scan, &step, &ipu))
      break;
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
measure_total_cycles (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  Execution *execution = &measuring->execution;

  if (!measure_execution (measuring, error))
    return FALSE;
  *why = g_strdup (execution->why_not);
  if (*why == NULL && execution->to >= execution->from)
    set_exact (figure, execution->to - execution->from);
  return TRUE;
}

/* The longest of the replica's IPUs; the replica of the first IPU that has steps. */
static gboolean
measure_device_cycles (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  Execution *execution = &measuring->execution;
  const TsrSummary *summary = tsr_report_get_summary (measuring->report);
  gint64 per_replica = summary != NULL && !summary->target.tiles_per_ipu_assumed
                           ? summary->target.ipus_per_replica
                           : TSR_UNKNOWN;
  gint64 replica = -1;
  gint64 longest = TSR_UNKNOWN;

  if (!measure_execution (measuring, error))
    return FALSE;
  *why = g_strdup (execution->why_not);
  if (*why != NULL)
    return TRUE;
  for (guint i = 0; i < execution->ipus->len; i++)
    {
      const Ipu *ipu = g_ptr_array_index (execution->ipus, i);

      if (ipu->device_end == TSR_UNKNOWN || ipu->device_start == TSR_UNKNOWN)
        continue;
      if (per_replica > 0 && replica >= 0 && i / per_replica != replica)
        break;
      replica = per_replica > 0 ? i / per_replica : 0;
      longest = MAX (longest, MAX (ipu->device_end - ipu->device_start, 0));
    }
  if (longest == TSR_UNKNOWN)
    *why = g_strdup (_ ("no complete run is recorded (runs, steps)"));
  set_exact (figure, longest);
  return TRUE;
}

static int
compare_intervals (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Interval *)a)->start;
  gint64 y = ((const Interval *)b)->start;

  return (x > y) - (x < y);
}

static double
union_length (Lane *lane)
{
  double sum = 0;
  gint64 end = G_MININT64;

  if (!lane->in_order)
    g_array_sort (lane->intervals, compare_intervals);
  for (guint i = 0; i < lane->intervals->len; i++)
    {
      const Interval *interval = &g_array_index (lane->intervals, Interval, i);

      if (interval->end > end)
        sum += (double)(interval->end - MAX (interval->start, end));
      end = MAX (end, interval->end);
    }
  return sum;
}

/* Cycles in compute and exchange by cycles of all steps that count, over all IPUs. */
static gboolean
measure_utilisation (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  static const char *const useful[]
      = { "OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopyMid", NULL };
  Execution *execution = &measuring->execution;
  double used = 0;
  double all = 0;

  if (!measure_execution (measuring, error))
    return FALSE;
  *why = g_strdup (execution->why_not);
  for (guint i = 0; *why == NULL && i < execution->ipus->len; i++)
    {
      const Ipu *ipu = g_ptr_array_index (execution->ipus, i);

      for (guint t = 0; t < ipu->lanes->len; t++)
        {
          double cycles = union_length (g_ptr_array_index (ipu->lanes, t));

          all += cycles;
          if (g_strv_contains (useful, g_ptr_array_index (execution->type_names, t)))
            used += cycles;
        }
    }
  if (*why == NULL && all > 0)
    figure->value = used / all;
  else if (*why == NULL)
    *why = g_strdup (_ ("no step takes any cycle"));
  return TRUE;
}

static gboolean
measure_balance (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  Execution *execution = &measuring->execution;

  if (!measure_execution (measuring, error))
    return FALSE;
  *why = g_strdup (execution->why_not);
  if (*why == NULL && execution->cycles > 0)
    figure->value = execution->balanced / execution->cycles;
  else if (*why == NULL)
    *why = g_strdup (_ ("the balance of compute steps is not recorded (steps_by_ipu.tile_balance; "
                        "needs debug.computeInstrumentationLevel = tile)"));
  return TRUE;
}

/* ----------------------------------------------------------------- budgets */

static const struct
{
  const char *name;
  gboolean at_least; /* else at most */
  gboolean fraction; /* the limit is from 0 to 1 */
  MeasureFunc measure;
} definitions[] = {
  { "maxTileBytes", FALSE, FALSE, measure_max_tile },
  { "freePercent", TRUE, FALSE, measure_free },
  { "peakLiveBytes", FALSE, FALSE, measure_peak_live },
  { "exchangeCodeBytes", FALSE, FALSE, measure_exchange_code },
  { "totalCycles", FALSE, FALSE, measure_total_cycles },
  { "deviceCycles", FALSE, FALSE, measure_device_cycles },
  { "tileUtilisation", TRUE, TRUE, measure_utilisation },
  { "tileBalance", TRUE, TRUE, measure_balance },
};

static gboolean
parse_line (const char *line, guint number, guint *definition, double *limit, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, "=", 2);
  char *end = NULL;
  guint i;

  if (words[1] == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                   _ ("Line %u of the budgets is not \"name = number\": %s"), number, line);
      return FALSE;
    }
  g_strstrip (words[0]);
  g_strstrip (words[1]);
  for (i = 0; i < G_N_ELEMENTS (definitions); i++)
    if (g_str_equal (definitions[i].name, words[0]))
      break;
  if (i == G_N_ELEMENTS (definitions))
    {
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint d = 0; d < G_N_ELEMENTS (definitions); d++)
        g_string_append_printf (names, "%s%s", d > 0 ? ", " : "", definitions[d].name);
      g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                   _ ("Line %u of the budgets: no budget is named \"%s\"; there are %s"), number,
                   words[0], names->str);
      return FALSE;
    }
  *definition = i;
  *limit = g_ascii_strtod (words[1], &end);
  if (end == words[1] || *end != '\0' || !isfinite (*limit)
      || (definitions[i].fraction && (*limit < 0 || *limit > 1)))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                   definitions[i].fraction
                       ? _ ("Line %u of the budgets: the limit of %s must be a number from 0 to "
                            "1, not \"%s\"")
                       : _ ("Line %u of the budgets: the limit of %s must be a number, not \"%s\""),
                   number, words[0], words[1]);
      return FALSE;
    }
  return TRUE;
}

static TsrBudget *
measure_one (Measuring *measuring, guint definition, double limit, GError **error)
{
  Figure figure = { NAN, TSR_UNKNOWN };
  g_autofree char *why = NULL;
  TsrBudget *budget;

  if (!definitions[definition].measure (measuring, &figure, &why, error))
    return NULL;
  if (why != NULL)
    tsr_diagnostics_add (
        measuring->diagnostics, isnan (figure.value) ? TSR_SEVERITY_WARNING : TSR_SEVERITY_INFO,
        "budget-not-told", NULL, definitions[definition].name, TSR_NO_ROW, TSR_NO_ROW, "%s", why);
  budget = g_new0 (TsrBudget, 1);
  budget->name = g_strdup (definitions[definition].name);
  budget->limit = limit;
  budget->value = figure.value;
  budget->exact = figure.exact;
  budget->at_least = definitions[definition].at_least;
  budget->ok
      = !isnan (figure.value) && (budget->at_least ? figure.value >= limit : figure.value <= limit);
  return budget;
}

static gboolean
measure_lines (Measuring *measuring, char **lines, GPtrArray *budgets, GError **error)
{
  gboolean seen[G_N_ELEMENTS (definitions)] = { FALSE };

  for (guint i = 0; lines[i] != NULL; i++)
    {
      TsrBudget *budget;
      guint definition;
      double limit;

      lines[i][strcspn (lines[i], "#")] = '\0';
      g_strstrip (lines[i]);
      if (*lines[i] == '\0')
        continue;
      if (!parse_line (lines[i], i + 1, &definition, &limit, error))
        return FALSE;
      if (seen[definition])
        {
          g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                       _ ("Line %u of the budgets gives %s a second time"), i + 1,
                       definitions[definition].name);
          return FALSE;
        }
      seen[definition] = TRUE;
      budget = measure_one (measuring, definition, limit, error);
      if (budget == NULL)
        return FALSE;
      g_ptr_array_add (budgets, budget);
    }
  return TRUE;
}

GPtrArray *
tsr_check_budgets (TsrReport *report, const char *text, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) budgets = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_budget_free);
  Measuring measuring = { .report = report, .cancellable = cancellable };
  gboolean ok;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  lines = g_strsplit (text, "\n", -1);
  measuring.diagnostics = tsr_report_get_diagnostics (report);
  if (tsr_report_get_memory_tables (report) != NULL)
    measuring.memory = tsr_memory_new (report);
  execution_init (&measuring.execution);
  ok = measure_lines (&measuring, lines, budgets, error);
  execution_clear (&measuring.execution);
  g_clear_pointer (&measuring.memory, tsr_memory_unref);
  return ok ? g_steal_pointer (&budgets) : NULL;
}
