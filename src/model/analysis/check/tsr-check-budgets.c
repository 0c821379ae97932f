/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Budgets: one number of a report each, against a limit from a file.  Memory figures come from the
 * report's tables; those of the execution from tsr-check-execution, when a budget asks. */

#include "config.h"

#include "tsr-check.h"

#include "tsr-check-execution.h"
#include "tsr-error.h"
#include "tsr-memory.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

typedef struct
{
  TsrReport *report;
  TsrMemory *memory; /* (nullable) */
  TsrDiagnostics *diagnostics;
  TsrCheckExecution *execution;
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

static void
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
max_tile (Measuring *measuring, char **why)
{
  TsrStatistics statistics;
  TsrMetric metric;
  const gint64 *values;

  if (measuring->memory == NULL)
    {
      *why = g_strdup (_ ("the memory of the tiles is not recorded (memory_by_tile)"));
      return TSR_UNKNOWN;
    }
  metric = tsr_memory_get_fullness_metric (measuring->memory);
  values = tsr_memory_peek (measuring->memory, metric);
  if (values == NULL)
    {
      *why = g_strdup (_ ("memory_by_tile has no sizes"));
      return TSR_UNKNOWN;
    }
  tsr_memory_get_statistics (values, tsr_memory_get_n_tiles (measuring->memory), NULL, 0,
                             &statistics);
  if (statistics.max == TSR_UNKNOWN)
    *why = g_strdup (_ ("memory_by_tile does not record the size of every tile"));
  else if (metric != TSR_METRIC_INCLUDING_GAPS)
    *why = g_strdup (_ ("gaps are not recorded (memory_by_tile.including_gaps); the tiles' own "
                        "totals are used instead"));
  return statistics.max;
}

static gboolean
measure_max_tile (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  set_exact (figure, max_tile (measuring, why));
  return TRUE;
}

static gboolean
measure_free (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  gint64 most = max_tile (measuring, why);
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
  const char *columns[] = { "not_always_live_bytes", "step", NULL };
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (measuring->report, NULL);
  g_autoptr (TsrScan) scan = NULL;
  GError *local_error = NULL;
  gint64 peak = TSR_UNKNOWN;
  gint64 always = TSR_UNKNOWN;
  gint64 last = -1;

  if (profile == NULL || !tsr_profile_has_rows (profile, "liveness_steps"))
    {
      *why = g_strdup (_ ("the liveness steps are not recorded (liveness_steps)"));
      return TRUE;
    }
  scan = tsr_scan_new (profile, "liveness_steps", columns, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    if (tsr_scan_get_int (scan, 0) == TSR_UNKNOWN)
      {
        *why = g_strdup (_ ("liveness_steps does not record the bytes of every step"));
        return TRUE;
      }
    else
      {
        peak = MAX (peak, tsr_scan_get_int (scan, 0));
        last = MAX (last, tsr_scan_get_int (scan, 1));
      }
  /* A step that has no row may be the peak. */
  if (local_error == NULL && scan != NULL && last >= 0
      && (guint64)last + 1 != tsr_scan_get_n_rows (scan))
    {
      *why = g_strdup (_ ("liveness_steps does not record the bytes of every step"));
      return TRUE;
    }
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

/* FALSE: nothing can be told, or read on (@error is set). */
static gboolean
has_execution (Measuring *measuring, char **why, GError **error)
{
  if (!tsr_check_execution_measure (measuring->execution, error))
    return FALSE;
  *why = g_strdup (tsr_check_execution_get_why_not (measuring->execution));
  return *why == NULL;
}

static gboolean
measure_total_cycles (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  if (!has_execution (measuring, why, error))
    return *why != NULL;
  set_exact (figure, tsr_check_execution_get_total (measuring->execution));
  return TRUE;
}

static gboolean
measure_device_cycles (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  gint64 cycles;

  if (!has_execution (measuring, why, error))
    return *why != NULL;
  cycles = tsr_check_execution_get_device (measuring->execution);
  if (cycles == TSR_UNKNOWN)
    *why = g_strdup (_ ("no complete run is recorded (runs, steps)"));
  set_exact (figure, cycles);
  return TRUE;
}

static gboolean
measure_utilisation (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  if (!has_execution (measuring, why, error))
    return *why != NULL;
  figure->value = tsr_check_execution_get_utilisation (measuring->execution);
  if (isnan (figure->value))
    *why = g_strdup (_ ("no step takes any cycle"));
  return TRUE;
}

static gboolean
measure_balance (Measuring *measuring, Figure *figure, char **why, GError **error)
{
  if (!has_execution (measuring, why, error))
    return *why != NULL;
  figure->value = tsr_check_execution_get_balance (measuring->execution);
  if (isnan (figure->value))
    *why = g_strdup (isnan (tsr_check_execution_get_utilisation (measuring->execution))
                         ? _ ("no step takes any cycle")
                         : _ ("the balance of compute steps is not recorded "
                              "(steps_by_ipu.tile_balance; needs "
                              "debug.computeInstrumentationLevel = tile)"));
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
  Measuring measuring = { .report = report };
  gboolean ok;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  lines = g_strsplit (text, "\n", -1);
  measuring.diagnostics = tsr_report_get_diagnostics (report);
  if (tsr_report_get_memory_tables (report) != NULL)
    measuring.memory = tsr_memory_new (report);
  measuring.execution = tsr_check_execution_new (report, cancellable);
  /* What could not be read as it was cancelled is not untold. */
  ok = measure_lines (&measuring, lines, budgets, error)
       && !g_cancellable_set_error_if_cancelled (cancellable, error);
  tsr_check_execution_free (measuring.execution);
  g_clear_pointer (&measuring.memory, tsr_memory_unref);
  return ok ? g_steal_pointer (&budgets) : NULL;
}
