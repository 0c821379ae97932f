/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Liveness steps against the lifetimes of variables, the IPUs, and the allocations; sizes of
 * variables against their parts. */

#include "config.h"

#include "tsr-check-private.h"

#include "tsr-known.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Steps are counted from 0 without holes, so a step is its own place. */
static gboolean
steps_are_dense (TsrCheck *check)
{
  return tsr_id_set_last (&check->sets[TSR_SET_LIVENESS_STEPS]) == check->n_steps - 1
         && tsr_id_set_contains (&check->sets[TSR_SET_LIVENESS_STEPS], 0);
}

void
tsr_check_liveness_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  if (v[0] == TSR_UNKNOWN)
    return;
  if (v[0] < 0 || v[0] >= check->n_steps)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "value-out-of-range", check->table->name, row,
                   _ ("step is %" PRId64 "; steps of %" PRId64 " rows are from 0 to %" PRId64),
                   v[0], check->n_steps, check->n_steps - 1);
  else if (check->declared != NULL)
    check->declared[v[0]] = v[2];
}

void
tsr_check_liveness_ipu_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  check->has_ipu_declared = TRUE;
  if (v[0] == TSR_UNKNOWN || v[1] == TSR_UNKNOWN || check->ipu_declared == NULL
      || v[0] >= check->n_steps)
    return;
  check->ipu_declared[v[1] * (check->n_steps + 1) + v[0]] = v[2];
}

void
tsr_check_variable_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  gint64 place = tsr_id_set_index (&check->sets[TSR_SET_VARIABLES], v[0]);

  if (place >= 0 && check->variable_bytes != NULL)
    check->variable_bytes[place] = v[2];
}

void
tsr_check_variable_ipu_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  gint64 place = tsr_id_set_index (&check->sets[TSR_SET_VARIABLES], v[0]);
  gint64 *sums = check->variable_ipu_bytes;

  check->has_variable_ipus = TRUE;
  if (place >= 0 && sums != NULL)
    sums[place] = sums[place] == TSR_UNKNOWN || v[2] == TSR_UNKNOWN
                      ? TSR_UNKNOWN
                      : tsr_check_wrap_add (sums[place], v[2]);
}

void
tsr_check_lifetime_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  if (v[1] != TSR_UNKNOWN && v[2] != TSR_UNKNOWN && v[1] >= v[2])
    tsr_check_add (check, TSR_SEVERITY_ERROR, "interval-reversed", check->table->name, row,
                   _ ("start_step %" PRId64 " is not before end_step %" PRId64), v[1], v[2]);
  else if (v[1] != TSR_UNKNOWN && v[2] != TSR_UNKNOWN && v[3] != TSR_UNKNOWN
           && check->lifetimes != NULL && v[2] <= check->n_steps)
    {
      check->lifetimes[v[1]] = tsr_check_wrap_add (check->lifetimes[v[1]], v[3]);
      check->lifetimes[v[2]] = tsr_check_wrap_add (check->lifetimes[v[2]], -v[3]);
      check->has_lifetimes = TRUE;
    }
}

/* -------------------------------------------------------------- invariants */

static void
check_against_lifetimes (TsrCheck *check)
{
  gint64 sum = 0;

  if (!check->has_lifetimes || check->declared == NULL)
    return;
  for (gint64 k = 0; k < check->n_steps; k++)
    {
      sum = tsr_check_wrap_add (sum, check->lifetimes[k]);
      if (check->declared[k] != TSR_UNKNOWN && check->declared[k] != sum
          && !tsr_check_is_flagged (check, "liveness_steps", k))
        tsr_check_add (check, TSR_SEVERITY_ERROR, "liveness-sum-differs", "liveness_steps", k,
                       _ ("not_always_live_bytes is %" PRId64
                          ", the rows of variable_lifetimes at this step add up to %" PRId64),
                       check->declared[k], sum);
    }
}

static void
check_ipu_sums (TsrCheck *check)
{
  if (!check->has_ipu_declared || check->ipu_declared == NULL || check->declared == NULL)
    return;
  for (gint64 k = 0; k < check->n_steps; k++)
    {
      gint64 sum = 0;

      for (gint64 i = 0; i < check->n_ipus; i++)
        sum = tsr_known_add (sum, check->ipu_declared[i * (check->n_steps + 1) + k]);
      if (sum == TSR_UNKNOWN || check->declared[k] == TSR_UNKNOWN || sum == check->declared[k]
          || tsr_check_is_flagged (check, "liveness_steps", k)
          || tsr_check_is_flagged (check, "liveness_by_ipu", k))
        continue;
      tsr_check_add (check, TSR_SEVERITY_ERROR, "ipu-sum-differs", "liveness_by_ipu", k,
                     _ ("the IPUs hold %" PRId64
                        " not-always-live bytes at this step, liveness_steps "
                        "says %" PRId64),
                     sum, check->declared[k]);
    }
}

/* What the allocations of each IPU add up to, step by step. */
static void
check_against_allocations (TsrCheck *check)
{
  g_autofree gint64 *live = NULL;

  if (!check->vars_sound || !check->lives_told || check->tile < 0 || check->ipu_lowered == NULL
      || check->class_start == NULL || check->declared == NULL)
    return;
  live = g_new0 (gint64, check->n_ipus);
  for (gint64 k = 0; k < check->n_steps; k++)
    {
      gint64 sum = 0;

      for (gint64 i = 0; i < check->n_ipus; i++)
        {
          gint64 at = i * (check->n_steps + 1) + k;
          gint64 told = check->has_ipu_declared ? check->ipu_declared[at] : TSR_UNKNOWN;

          live[i] = tsr_check_wrap_add (live[i], check->ipu_lowered[at]);
          sum = tsr_check_wrap_add (sum, live[i]);
          if (told != TSR_UNKNOWN && told != live[i]
              && !tsr_check_is_flagged (check, "liveness_by_ipu", k))
            tsr_check_add (check, TSR_SEVERITY_ERROR, "ipu-liveness-differs", "liveness_by_ipu", k,
                           _ ("IPU %" PRId64 ": not_always_live_bytes is %" PRId64
                              ", its rows in vars_info add up to %" PRId64),
                           i, told, live[i]);
        }
      if (check->declared[k] != TSR_UNKNOWN && check->declared[k] != sum
          && !tsr_check_is_flagged (check, "liveness_steps", k))
        tsr_check_add (check, TSR_SEVERITY_ERROR, "lowered-sum-differs", "liveness_steps", k,
                       _ ("not_always_live_bytes is %" PRId64
                          ", the rows of vars_info at this step add up to %" PRId64),
                       check->declared[k], sum);
    }
}

static void
check_variables (TsrCheck *check)
{
  const TsrIdSet *set = &check->sets[TSR_SET_VARIABLES];

  for (guint r = 0; r < set->ranges->len; r++)
    {
      const TsrIdRange *range = &g_array_index (set->ranges, TsrIdRange, r);

      for (guint64 k = 0; k <= (guint64)range->last - (guint64)range->first; k++)
        {
          gint64 id = range->first + (gint64)k;
          guint64 place = range->before + k;
          gint64 bytes = check->variable_bytes[place];
          gint64 sum = check->has_variable_ipus ? check->variable_ipu_bytes[place] : TSR_UNKNOWN;
          gint64 lowered = check->vars_sound ? check->variable_lowered[place] : 0;

          if (bytes == TSR_UNKNOWN || tsr_check_is_flagged (check, "variables", id)
              || tsr_check_is_flagged (check, "variables_by_ipu", id))
            continue;
          if (sum != TSR_UNKNOWN && sum != bytes)
            tsr_check_add (
                check, TSR_SEVERITY_ERROR, "variable-ipu-sum-differs", "variables_by_ipu", id,
                _ ("the IPUs hold %" PRId64 " bytes of the variable, its size_bytes is %" PRId64),
                sum, bytes);
          else if (lowered > 0 && lowered != bytes && check->ours)
            tsr_check_add (
                check, TSR_SEVERITY_ERROR, "variable-size-differs", "variables", id,
                _ ("size_bytes is %" PRId64 ", its rows in vars_info add up to %" PRId64), bytes,
                lowered);
        }
    }
}

void
tsr_check_liveness_invariants (TsrCheck *check)
{
  if (check->n_steps > 0 && !steps_are_dense (check))
    tsr_check_add (check, TSR_SEVERITY_ERROR, "steps-not-dense", "liveness_steps", TSR_NO_ROW,
                   _ ("the steps are not numbered 0, 1, 2, ... without a gap"));
  else if (check->n_steps > 0)
    {
      check_against_lifetimes (check);
      check_ipu_sums (check);
      check_against_allocations (check);
    }
  if (check->variable_bytes != NULL && check->variable_ipu_bytes != NULL
      && check->variable_lowered != NULL)
    check_variables (check);
}
