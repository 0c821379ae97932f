/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The series of the Total Memory graph, worked out from the memory of a replica: what each
 * breakdown stacks, what goes over it, what it needs.  Any thread. */

#pragma once

#include "tsr-memory-chart.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_SERIES_BAND,   /* a part of the stack, or the area */
  TSR_SERIES_LINE,   /* including gaps */
  TSR_SERIES_LEVEL,  /* max memory: no values */
  TSR_SERIES_EXCESS, /* what a tile needs beyond its memory */
} TsrMemorySeriesKind;

typedef struct
{
  TsrMemorySeriesKind kind;
  char *key;  /* stable word: remembers what is hidden */
  char *name; /* translated */
  guint ink;
  const gint64 *values; /* (nullable) by tile */
  gint64 *owned;        /* (nullable) the same, when it is not the report's own */
  gboolean visible;
} TsrMemorySeries;

/* What is not always live at one step. */
typedef struct
{
  guint step;
  gint64 *bytes; /* by tile */
} TsrMemoryStep;

/* (transfer full) (element-type TsrMemorySeries): bands bottom to top, then line, level, excess.
 * @peaks (nullable): of tsr_liveness_dup_categories_at_peaks.  @at (nullable): what is live at that
 * step instead of the breakdown, under the allocation. */
GPtrArray *tsr_memory_series_list (TsrMemory *memory,
                                   const TsrMemoryChartOptions *options,
                                   const gint64 *peaks,
                                   const TsrMemoryStep *at);

/* The metric under a breakdown's stack: excluding gaps, else the file's total, else including gaps;
 * its name. */
TsrMetric tsr_memory_get_base_metric (TsrMemory *memory);
const char *tsr_memory_get_base_name (TsrMemory *memory);
gboolean tsr_memory_is_known (TsrMemory *memory, TsrMetric metric); /* for at least one tile */

G_END_DECLS
