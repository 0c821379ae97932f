/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How one piece of a row looks: its colour, whether it is a step, found by the search, or marked.
 */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <string.h>

guint
tsr_trace_get_ink (const TsrTraceType *type)
{
  g_return_val_if_fail (type != NULL, TSR_INK_TRACE + TSR_TRACE_INK_OTHER);
  return TSR_INK_TRACE + tsr_trace_type_ink (type);
}

/* A single step may still be a part of its name. */
gboolean
tsr_trace_chart_is_step (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item)
{
  guint depth;

  if (row->flat)
    return TRUE;
  depth = tsr_trace_get_kind (self->trace, row->row, item).depth;
  return depth > 0 && depth <= row->depth + 1;
}

void
tsr_trace_chart_get_look (TsrTraceChart *self,
                          const TsrTraceChartRow *row,
                          gsize item,
                          TsrTraceLook *look)
{
  *look
      = tsr_trace_chart_look_of_kind (self, row, tsr_trace_get_kind (self->trace, row->row, item));
}

/* A name that begins with the first @length bytes of @path is among those found. */
static gboolean
has_prefix (const GPtrArray *found, const char *path, guint length)
{
  guint low = 0;
  guint high = found->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (strncmp (g_ptr_array_index (found, middle), path, length) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low < found->len && strncmp (g_ptr_array_index (found, low), path, length) == 0;
}

gboolean
tsr_trace_chart_is_found (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item)
{
  TsrTraceMatches *matches = tsr_trace_state_get_matches (self->state);
  TsrTraceItem what;

  if (self->found == NULL || matches == NULL || row->row == NULL)
    return TRUE;
  tsr_trace_get_item (self->trace, row->row, item, &what);
  if (!what.group)
    return tsr_trace_matches_has (matches,
                                  tsr_trace_get_slice_name (self->trace, what.first_slice));
  return has_prefix (self->found, what.path, what.path_length);
}

/* As the state has it now: who asks may hear of a change before the chart does. */
TsrTraceMarks *
tsr_trace_chart_get_marks (TsrTraceChart *self)
{
  TsrTraceMatches *group;

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), NULL);
  group = tsr_trace_state_get_selected_group (self->state);
  return group != NULL && self->marks != NULL
                 && tsr_trace_marks_is_of (
                     self->marks, group, tsr_trace_state_get_shape (self->state),
                     tsr_trace_state_get_hidden_mask (self->state, self->trace))
             ? self->marks
             : NULL;
}

TsrTraceInk
tsr_trace_type_ink (const TsrTraceType *type)
{
  switch (type->group)
    {
    case TSR_STEP_GROUP_COMPUTE:
      return TSR_TRACE_INK_COMPUTE;
    case TSR_STEP_GROUP_EXCHANGE:
      return TSR_TRACE_INK_EXCHANGE;
    case TSR_STEP_GROUP_INTER_IPU:
      return TSR_TRACE_INK_INTER_IPU;
    case TSR_STEP_GROUP_TRANSFER:
      return TSR_TRACE_INK_TRANSFER;
    case TSR_STEP_GROUP_HOST:
      return TSR_TRACE_INK_HOST;
    case TSR_STEP_GROUP_SYNC:
      return TSR_TRACE_INK_SYNC;
    case TSR_STEP_GROUP_OTHER:
    case TSR_N_STEP_GROUPS:
    default:
      return TSR_TRACE_INK_OTHER;
    }
}
