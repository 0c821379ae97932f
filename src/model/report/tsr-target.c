/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Derives the missing numbers of a target from those that the file has, and reports contradictions.
 * */

#include "config.h"

#include "tsr-target.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

static const gint64 known_tiles_per_ipu[] = { 1472, 1216 };

gint64
tsr_target_guess_tiles_per_ipu (gint64 n_tiles)
{
  gint64 found = TSR_UNKNOWN;

  if (n_tiles <= 0)
    return TSR_UNKNOWN;
  for (guint i = 0; i < G_N_ELEMENTS (known_tiles_per_ipu); i++)
    if (n_tiles % known_tiles_per_ipu[i] == 0)
      {
        if (found != TSR_UNKNOWN)
          return TSR_UNKNOWN;
        found = known_tiles_per_ipu[i];
      }
  return found;
}

gint64
tsr_multiply_known (gint64 a, gint64 b)
{
  gint64 product;

  if (a < 0 || b < 0 || __builtin_mul_overflow (a, b, &product))
    return TSR_UNKNOWN;
  return product;
}

static gint64
divide_known (gint64 a, gint64 b)
{
  return a < 0 || b <= 0 || a % b != 0 ? TSR_UNKNOWN : a / b;
}

static void
derive_counts (TsrTarget *target)
{
  if (target->num_ipus == TSR_UNKNOWN)
    target->num_ipus = tsr_multiply_known (target->ipus_per_replica, target->num_replicas);
  if (target->ipus_per_replica == TSR_UNKNOWN)
    target->ipus_per_replica = divide_known (target->num_ipus, target->num_replicas);
  if (target->num_replicas == TSR_UNKNOWN)
    target->num_replicas = divide_known (target->num_ipus, target->ipus_per_replica);
  target->tiles_per_replica = tsr_multiply_known (target->tiles_per_ipu, target->ipus_per_replica);
  target->num_tiles = tsr_multiply_known (target->tiles_per_ipu, target->num_ipus);
  target->bytes_per_ipu = tsr_multiply_known (target->bytes_per_tile, target->tiles_per_ipu);
}

static void
check (const TsrTarget *target, TsrDiagnostics *diagnostics)
{
  gint64 ipus = tsr_multiply_known (target->ipus_per_replica, target->num_replicas);

  if (ipus != TSR_UNKNOWN && target->num_ipus != ipus)
    tsr_diagnostics_add (diagnostics, TSR_SEVERITY_ERROR, "target-contradicts-itself",
                         "profile.pop", "target", 1, TSR_NO_ROW,
                         _ ("num_ipus is %" PRId64 ", but %" PRId64 " IPUs per replica x %" PRId64
                            " replicas are %" PRId64),
                         target->num_ipus, target->ipus_per_replica, target->num_replicas, ipus);
}

void
tsr_target_derive (TsrTarget *target,
                   const TsrTargetRow *row,
                   gint64 n_tiles,
                   gboolean assume,
                   TsrDiagnostics *diagnostics)
{
  target->clock_frequency = NAN;
  target->num_ipus = target->ipus_per_replica = target->num_replicas = TSR_UNKNOWN;
  target->tiles_per_ipu = target->bytes_per_tile = target->interleaved_start = TSR_UNKNOWN;
  if (row != NULL)
    {
      target->type = g_strdup (row->type);
      target->architecture = g_strdup (row->architecture);
      target->num_ipus = row->num_ipus;
      target->ipus_per_replica = row->ipus_per_replica;
      target->num_replicas = row->num_replicas;
      target->tiles_per_ipu = row->tiles_per_ipu;
      target->bytes_per_tile = row->bytes_per_tile;
      target->interleaved_start = row->interleaved_start;
      target->clock_frequency = row->clock_frequency;
    }
  derive_counts (target);
  if (target->tiles_per_ipu == TSR_UNKNOWN && n_tiles > 0 && assume)
    {
      target->tiles_per_ipu = tsr_target_guess_tiles_per_ipu (n_tiles);
      target->tiles_per_ipu_assumed = target->tiles_per_ipu != TSR_UNKNOWN;
      if (target->tiles_per_ipu_assumed && target->ipus_per_replica == TSR_UNKNOWN)
        target->ipus_per_replica = n_tiles / target->tiles_per_ipu;
      derive_counts (target);
    }
  if (target->tiles_per_replica == TSR_UNKNOWN && n_tiles > 0)
    target->tiles_per_replica = n_tiles;
  if (target->num_tiles == TSR_UNKNOWN && n_tiles > 0)
    target->num_tiles
        = target->num_replicas > 0 ? tsr_multiply_known (n_tiles, target->num_replicas) : n_tiles;
  target->memory_per_replica
      = tsr_multiply_known (target->bytes_per_tile, target->tiles_per_replica);
  target->total_memory = tsr_multiply_known (target->bytes_per_tile, target->num_tiles);
  if (diagnostics != NULL)
    check (target, diagnostics);
}

void
tsr_target_clear (TsrTarget *target)
{
  g_clear_pointer (&target->type, g_free);
  g_clear_pointer (&target->architecture, g_free);
}
