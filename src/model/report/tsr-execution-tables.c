/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Frees the tables of an execution; the preview that is shown while they load. */

#include "config.h"

#include "tsr-execution-tables.h"

#include "tsr-id-index.h"
#include "tsr-report-private.h"

void
tsr_execution_tables_free (TsrExecutionTables *tables)
{
  if (tables == NULL)
    return;
  g_clear_pointer (&tables->strings, tsr_string_table_free);
  g_free (tables->type_name);
  g_free (tables->run_id);
  g_free (tables->run_name);
  g_free (tables->run_first);
  g_free (tables->run_end);
  g_free (tables->run_complete);
  g_free (tables->run_microseconds_start);
  g_free (tables->run_microseconds_end);
  g_free (tables->run_ipu_cycles);
  g_free (tables->step_id);
  g_free (tables->step_type);
  g_free (tables->step_program);
  g_free (tables->step_compute_set);
  g_free (tables->step_run);
  g_free (tables->step_tile_cycles);
  g_free (tables->ipu_start);
  g_free (tables->slice_step);
  g_free (tables->slice_start);
  g_free (tables->slice_end);
  tsr_narrow_clear (&tables->slice_lead_in);
  tsr_narrow_clear (&tables->slice_cycles);
  tsr_narrow_clear (&tables->slice_active_tiles);
  g_free (tables->slice_tile_balance);
  g_free (tables->slice_active_tile_balance);
  tsr_narrow_clear (&tables->slice_data_in);
  tsr_narrow_clear (&tables->slice_data_out);
  g_free (tables->block_id);
  g_free (tables->block_name);
  g_free (tables->block_program);
  g_free (tables->block_ipu);
  g_free (tables->block_tile);
  g_free (tables->block_run);
  g_free (tables->block_from);
  g_free (tables->block_to);
  g_free (tables->block_flags);
  g_free (tables->total_cycles);
  g_free (tables);
}

guint32
tsr_execution_tables_find_step (const TsrExecutionTables *self, gint64 id)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  if (self->step_id != NULL)
    return tsr_id_index_find_id (self->step_id, self->n_steps, id);
  return id >= self->first_step_id && (guint64)id - (guint64)self->first_step_id < self->n_steps
             ? (guint32)((guint64)id - (guint64)self->first_step_id)
             : TSR_NO_INDEX;
}

TsrExecutionPreview *
tsr_execution_preview_ref (TsrExecutionPreview *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
tsr_execution_preview_unref (TsrExecutionPreview *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_free (self->type);
  g_strfreev (self->names);
  g_free (self);
}
