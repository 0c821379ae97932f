/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What one scan of the steps tells budgets about the execution: how long it took, and how well the
 * tiles were used meanwhile. */

#include "config.h"

#include "tsr-check-execution.h"

#include "tsr-check-ids.h"
#include "tsr-scan.h"
#include "tsr-trace.h"

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

/* More IPUs than any machine has: a number from a file must not allocate more. */
#define MAX_IPUS 65536

/* What one scan of steps and steps_by_ipu tells. */
struct _TsrCheckExecution
{
  TsrReport *report;         /* borrowed */
  GCancellable *cancellable; /* borrowed, (nullable) */
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
};

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

TsrCheckExecution *
tsr_check_execution_new (TsrReport *report, GCancellable *cancellable)
{
  TsrCheckExecution *self = g_new0 (TsrCheckExecution, 1);

  self->report = report;
  self->cancellable = cancellable;
  tsr_id_set_init (&self->steps);
  self->types = g_array_new (FALSE, FALSE, sizeof (guint));
  self->type_names = g_ptr_array_new_with_free_func (g_free);
  self->step_runs = g_array_new (FALSE, FALSE, sizeof (gint));
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  self->ipus = g_ptr_array_new_with_free_func (ipu_free);
  self->profiled = WHOLE;
  self->from = G_MAXINT64;
  self->to = G_MININT64;
  return self;
}

void
tsr_check_execution_free (TsrCheckExecution *self)
{
  tsr_id_set_clear (&self->steps);
  g_array_unref (self->types);
  g_ptr_array_unref (self->type_names);
  g_array_unref (self->step_runs);
  g_array_unref (self->runs);
  g_ptr_array_unref (self->ipus);
  g_free (self->why_not);
  g_free (self);
}

static guint
intern_type (TsrCheckExecution *self, const char *name)
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
read_runs (TsrCheckExecution *self, TsrProfile *profile, GError **error)
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
  /* If runs overlap, they cannot be used: the whole recording counts as one run. */
  for (guint i = 1; i < self->runs->len; i++)
    if (g_array_index (self->runs, Run, i).first < g_array_index (self->runs, Run, i - 1).end)
      g_array_set_size (self->runs, 0);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gint
run_of_step (TsrCheckExecution *self, gint64 step)
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
read_steps (TsrCheckExecution *self, TsrProfile *profile, GError **error)
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
    self->why_not = g_strdup (_ ("the ids of steps are not in ascending order"));
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
get_ipu (TsrCheckExecution *self, gint64 number)
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
add_slice (
    TsrCheckExecution *self, gint64 ipu_number, guint type, gint run, gint64 start, gint64 end)
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
add_balance (TsrCheckExecution *self, TsrScan *scan, guint type)
{
  gint64 cycles = tsr_scan_get_int (scan, CYCLES);
  double balance = tsr_scan_get_double (scan, BALANCE);

  if (cycles < 0 || isnan (balance)
      || tsr_step_group_of (g_ptr_array_index (self->type_names, type)) != TSR_STEP_GROUP_COMPUTE)
    return;
  self->cycles += (double)cycles;
  self->balanced += (double)cycles * balance;
}

/* FALSE: @self->why_not says what is wrong with the row. */
static gboolean
add_row (TsrCheckExecution *self, TsrScan *scan, gint64 *step, gint64 *ipu)
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

gboolean
tsr_check_execution_measure (TsrCheckExecution *self, GError **error)
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
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;
  GError *local_error = NULL;
  gint64 step = -1;
  gint64 ipu = -1;

  if (self->measured)
    return TRUE;
  self->measured = TRUE;
  profile = tsr_report_open_profile (self->report, NULL);
  if (profile == NULL || !tsr_profile_has_rows (profile, "steps_by_ipu")
      || !tsr_profile_has_rows (profile, "steps"))
    {
      self->why_not = g_strdup (_ ("no execution is recorded (steps, steps_by_ipu)"));
      return TRUE;
    }
  tsr_database_set_cancellable (tsr_profile_get_database (profile), self->cancellable);
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

/* ----------------------------------------------------------------- figures */

const char *
tsr_check_execution_get_why_not (const TsrCheckExecution *self)
{
  return self->why_not;
}

gint64
tsr_check_execution_get_total (const TsrCheckExecution *self)
{
  return self->to >= self->from ? self->to - self->from : TSR_UNKNOWN;
}

gint64
tsr_check_execution_get_device (const TsrCheckExecution *self)
{
  const TsrSummary *summary = tsr_report_get_summary (self->report);
  gint64 per_replica = summary != NULL && !summary->target.tiles_per_ipu_assumed
                           ? summary->target.ipus_per_replica
                           : TSR_UNKNOWN;
  gint64 replica = -1;
  gint64 longest = TSR_UNKNOWN;

  for (guint i = 0; i < self->ipus->len; i++)
    {
      const Ipu *ipu = g_ptr_array_index (self->ipus, i);
      gint64 own = per_replica > 0 ? i / per_replica : 0;

      if (ipu->device_end == TSR_UNKNOWN || ipu->device_start == TSR_UNKNOWN)
        continue;
      if (replica >= 0 && own != replica)
        break;
      replica = own;
      longest = MAX (longest, MAX (ipu->device_end - ipu->device_start, 0));
    }
  return longest;
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

double
tsr_check_execution_get_utilisation (TsrCheckExecution *self)
{
  double used = 0;
  double all = 0;

  for (guint i = 0; i < self->ipus->len; i++)
    {
      const Ipu *ipu = g_ptr_array_index (self->ipus, i);

      for (guint t = 0; t < ipu->lanes->len; t++)
        {
          double cycles = union_length (g_ptr_array_index (ipu->lanes, t));

          all += cycles;
          if (tsr_step_group_is_useful (
                  tsr_step_group_of (g_ptr_array_index (self->type_names, t))))
            used += cycles;
        }
    }
  return all > 0 ? used / all : NAN;
}

double
tsr_check_execution_get_balance (const TsrCheckExecution *self)
{
  return self->cycles > 0 ? self->balanced / self->cycles : NAN;
}
