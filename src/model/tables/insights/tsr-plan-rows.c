/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fills the columns of the tiles of a forecast. */

#include "config.h"

#include "tsr-plan-rows.h"

#include "tsr-grid.h"

#include <glib/gi18n.h>
#include <string.h>

static gint64 *
add_values (TsrGrid *grid,
            const char *key,
            const char *title,
            const char *definition,
            TsrValueKind kind,
            gboolean pinned)
{
  TsrRowColumn *column = tsr_grid_column (key, title, definition, kind);

  column->summed = FALSE;
  column->pinned = pinned;
  return tsr_grid_add_values (grid, column);
}

TsrRows *
tsr_plan_rows_new (const TsrForecast *now,
                   const TsrForecast *forecast,
                   TsrMemory *memory,
                   TsrLiveness *liveness)
{
  TsrGrid *grid;
  const char **keys;
  guint n;
  gint64 *tile, *ipu, *before, *packed, *best, *live_now, *live, *step;
  gboolean assumed;
  const char **program;

  g_return_val_if_fail (now != NULL && forecast != NULL && memory != NULL, NULL);
  n = MIN (forecast->n_tiles, tsr_memory_get_n_tiles (memory));
  assumed = tsr_memory_get_tiles_per_ipu (memory) == TSR_UNKNOWN
            || tsr_memory_is_tiles_per_ipu_assumed (memory);
  grid = tsr_grid_new (n);
  keys = tsr_grid_add_keys (grid);
  tile = add_values (grid, "tile", _ ("Tile"), NULL, TSR_VALUE_INDEX, TRUE);
  ipu = add_values (grid, "ipu", _ ("IPU"), NULL, TSR_VALUE_INDEX, FALSE);
  before = add_values (grid, "before", _ ("Too much before"),
                       _ ("What must leave the tile without the measures; less than 0 is free"),
                       TSR_VALUE_BYTES_SIGNED, FALSE);
  best = add_values (grid, "atBest", _ ("At best"),
                     _ ("Live bytes at the tile's peak minus its memory: too much even if they are "
                        "packed without a gap"),
                     TSR_VALUE_BYTES_SIGNED, TRUE);
  packed = add_values (grid, "packed", _ ("Packed as now"),
                       _ ("Too much if what is lost by packing stays as it is"),
                       TSR_VALUE_BYTES_SIGNED, TRUE);
  live_now = add_values (grid, "liveNow", _ ("Live now"), _ ("At its peak, without the measures"),
                         TSR_VALUE_BYTES, FALSE);
  live = add_values (grid, "live", _ ("Live at its peak"), _ ("With the measures"), TSR_VALUE_BYTES,
                     FALSE);
  step = add_values (grid, "step", _ ("Peak at step"), _ ("The first one where so much is live"),
                     TSR_VALUE_STEP, FALSE);
  program = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("program", _ ("Program"), _ ("Of the step of its peak")));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i);

      keys[i] = tsr_grid_intern (grid, key);
      tile[i] = i;
      ipu[i] = assumed ? TSR_UNKNOWN : tsr_memory_get_ipu (memory, i);
      before[i] = now->packed.over[i];
      best[i] = forecast->best.over[i];
      packed[i] = forecast->packed.over[i];
      live_now[i] = forecast->live_now[i];
      live[i] = forecast->live[i];
      if (forecast->peak_step[i] == TSR_NO_INDEX)
        continue;
      step[i] = forecast->peak_step[i];
      if (liveness != NULL && forecast->peak_step[i] < tsr_liveness_get_n_steps (liveness))
        program[i]
            = tsr_grid_intern (grid, tsr_liveness_get_step_name (liveness, forecast->peak_step[i]));
    }
  return tsr_grid_to_rows (grid);
}
