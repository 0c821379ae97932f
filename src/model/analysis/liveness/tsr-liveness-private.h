/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inside of TsrLiveness, for the files that it is made of. */

#pragma once

#include "tsr-live-sums.h"
#include "tsr-liveness.h"

G_BEGIN_DECLS

/* Tiles between two looks at the cancellable. */
#define LOOK_EVERY 64

struct _TsrLiveness
{
  gatomicrefcount refs;
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  const TsrLivenessTables *tables;
  const TsrLoweredTables *lowered;  /* NULL unless they tell when allocations are live */
  const TsrProgramTables *programs; /* (nullable) */
  TsrLiveAxis axis;                 /* with lowered only */

  GMutex lock; /* of the peaks while they are computed */
  gint64 *peak_bytes;
  guint32 *peak_step; /* NULL until they are computed */
};

/* (transfer none): the tiles of @source as a range; FALSE when it has a list of its own. */
gboolean tsr_liveness_source_get_range (TsrMemory *memory,
                                        const TsrLivenessSource *source,
                                        guint *first,
                                        guint *end);
/* TRUE when @variable has no allocation in the lowered tables: variable_lifetimes tell of it. */
static inline gboolean
tsr_variables_has_no_part (const TsrVariables *self, guint variable)
{
  return self->part_start[variable] == self->part_start[variable + 1];
}
/* FALSE and @error: what @source's variables need is missing. */
gboolean
tsr_liveness_check_variables (TsrLiveness *self, const TsrLivenessSource *source, GError **error);
/* FALSE and @error: there is no such step. */
gboolean tsr_liveness_check_step (TsrLiveness *self, guint step, GError **error);

G_END_DECLS
