/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers of the groups that steps are put into: told by name (looked up once for each name), type
 * or compute set.  Immutable after _new. */

#pragma once

#include "tsr-trace-aggregate.h"

G_BEGIN_DECLS

typedef struct _TsrTraceGroups
{
  const TsrTrace *trace;
  TsrTraceGrouping grouping;
  guint32 n_groups, n_sets, n_names;
  guint32 *of_name; /* (nullable) [n_names + 1]: the last is of what has no name */
  GPtrArray *names; /* (nullable) of groups; NULL: those of the trace's names */
} TsrTraceGroups;

/* NULL and @error when cancelled. */
TsrTraceGroups *tsr_trace_groups_new (const TsrTrace *trace,
                                      const TsrTraceAggregateQuery *query,
                                      GCancellable *cancellable,
                                      GError **error);
void tsr_trace_groups_free (TsrTraceGroups *self);
guint32 tsr_trace_groups_get_n (const TsrTraceGroups *self);
const char *tsr_trace_groups_get_name (const TsrTraceGroups *self, guint32 group);
/* Group of a slice of @type and @compute_set (row or TSR_NO_INDEX). */
static inline guint32
tsr_trace_groups_get (const TsrTraceGroups *self, guint32 slice, guint8 type, guint32 compute_set)
{
  if (self->of_name != NULL)
    return self->of_name[MIN (tsr_trace_get_slice_name (self->trace, slice), self->n_names)];
  if (self->grouping == TSR_TRACE_BY_COMPUTE_SET)
    return compute_set < self->n_sets ? compute_set : self->n_sets + type;
  return type;
}

G_END_DECLS
