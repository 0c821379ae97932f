/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Frees and measures the tables of an execution; the preview that is shown while they load. */

#include "config.h"

#include "tsr-execution-tables.h"

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

static gsize
narrow_size (const TsrNarrow *narrow)
{
  gsize wide = narrow->wide != NULL ? narrow->wide->len : 0;

  return narrow->n * sizeof (guint32) + wide * sizeof (TsrNarrowWide);
}

gsize
tsr_execution_tables_get_size (const TsrExecutionTables *self)
{
  const gsize n_slices = self->ipu_start != NULL ? self->ipu_start[self->n_ipus] : 0;
  const gsize run = sizeof (gint64) + 3 * sizeof (guint32) + sizeof (guint8) + 2 * sizeof (double);
  const gsize step = sizeof (guint8) + 3 * sizeof (guint32) + sizeof (guint16);
  const gsize slice = sizeof (guint32) + 2 * sizeof (gint64) + 2 * sizeof (float);
  const gsize block = 3 * sizeof (gint64) + 5 * sizeof (guint32) + sizeof (guint8);
  gsize size = self->n_types * sizeof (guint32) + self->n_runs * run + self->n_steps * step
               + n_slices * slice + self->n_blocks * block
               + ((gsize)self->n_ipus + 1) * sizeof (gsize);

  if (self->run_ipu_cycles != NULL)
    size += (gsize)self->n_runs * self->n_ipus * sizeof (gint64);
  if (self->step_id != NULL)
    size += self->n_steps * sizeof (gint64);
  if (self->total_cycles != NULL)
    size += self->n_ipus * sizeof (gint64);
  return size + narrow_size (&self->slice_lead_in) + narrow_size (&self->slice_cycles)
         + narrow_size (&self->slice_active_tiles) + narrow_size (&self->slice_data_in)
         + narrow_size (&self->slice_data_out);
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
