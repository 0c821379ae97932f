/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which rows there are, and where: pinned IPUs first, each with its runs, the rows of its lanes,
 * its blocks and its tiles.  Made again when an option changes, never for a frame. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <stdlib.h>
#include <string.h>

#define PAD          4.0 /* above and below an IPU's rows */
#define RUN_HEIGHT   14.0
#define LANE_GAP     5.0
#define LEAST        44.0 /* of an IPU: its header needs it ... */
#define LEAST_TWO    54.0 /* ... with its replica in a line of its own */
#define COLLAPSED    18.0
#define ROOMY_ROW    32.0 /* of steps, where all rows fit */
#define MAX_NESTING  12   /* of blocks */
#define MAX_PER_IPU  8    /* tiles of an IPU whose blocks are shown */
#define BLOCK_HEIGHT 16.0
#define USE_HEIGHT   28.0
#define LIVE_HEIGHT  28.0
#define NO_LIVE      14.0 /* a line that says why */

/* ------------------------------------------------------------------ spans */

static TsrTraceSpans *
spans_new (guint most)
{
  TsrTraceSpans *self = g_new0 (TsrTraceSpans, 1);

  self->start = g_new (gint64, MAX (most, 1));
  self->end = g_new (gint64, MAX (most, 1));
  self->length = g_new (gint64, MAX (most, 1));
  self->index = g_new (guint32, MAX (most, 1));
  return self;
}

static void
spans_free (TsrTraceSpans *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->lengths, tsr_pyramid_free);
  g_free (self->start);
  g_free (self->end);
  g_free (self->length);
  g_free (self->index);
  g_free (self);
}

/* Cut where the one before ends; what takes no time is left out. */
static void
spans_add (TsrTraceSpans *self, gint64 start, gint64 end, guint32 index)
{
  if (self->n > 0)
    start = MAX (start, self->end[self->n - 1]);
  if (start >= end)
    return;
  self->start[self->n] = start;
  self->end[self->n] = end;
  self->length[self->n] = (guint64)end - (guint64)start > G_MAXINT64 ? G_MAXINT64 : end - start;
  self->index[self->n++] = index;
}

static TsrTraceSpans *
spans_seal (TsrTraceSpans *self)
{
  self->lengths = tsr_pyramid_new (self->length, self->n);
  return self;
}

typedef struct
{
  gint64 start, end;
  guint32 index;
} Span;

/* Longer ones first where they begin together: they are around the others. */
static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *x = a;
  const Span *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static TsrTraceSpans *
list_runs (TsrTraceChart *self)
{
  guint n = tsr_trace_get_n_runs (self->trace);
  g_autofree Span *sorted = g_new (Span, MAX (n, 1));
  TsrTraceSpans *runs = spans_new (n);

  for (guint i = 0; i < n; i++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (self->trace, i);

      sorted[i] = (Span){ run->start, run->end, i };
    }
  qsort (sorted, n, sizeof *sorted, compare_spans);
  for (guint i = 0; i < n; i++)
    spans_add (runs, sorted[i].start, sorted[i].end, sorted[i].index);
  return spans_seal (runs);
}

/* ----------------------------------------------------------------- blocks */

static gboolean
is_shown_block (TsrTraceChart *self, const TsrExecutionTables *tables, guint i)
{
  if (tables->block_from[i] == TSR_UNKNOWN || tables->block_to[i] == TSR_UNKNOWN
      || tables->block_from[i] >= tables->block_to[i] || tables->block_ipu[i] >= tables->n_ipus)
    return FALSE;
  return (tables->block_flags[i] & TSR_BLOCK_FLUSH) == 0
         || tsr_trace_state_has (self->state, TSR_TRACE_OPTION_FLUSHES);
}

/* Blocks of one tile, one level for each that is around it. */
static void
add_tile_blocks (TsrTraceChart *self, guint ipu, guint tile, Span *sorted, guint n)
{
  GPtrArray *levels = g_ptr_array_new ();
  gint64 open[MAX_NESTING]; /* ends of what is around */
  guint n_open = 0;

  qsort (sorted, n, sizeof *sorted, compare_spans);
  for (guint i = 0; i < n; i++)
    {
      while (n_open > 0 && open[n_open - 1] <= sorted[i].start)
        n_open--;
      if (n_open == MAX_NESTING)
        continue;
      if (levels->len == n_open)
        g_ptr_array_add (levels, spans_new (n));
      spans_add (g_ptr_array_index (levels, n_open), sorted[i].start, sorted[i].end,
                 sorted[i].index);
      open[n_open++] = sorted[i].end;
    }
  for (guint depth = 0; depth < levels->len; depth++)
    {
      TsrTraceBlockRow row = { ipu, tile, depth, spans_seal (g_ptr_array_index (levels, depth)) };

      g_ptr_array_add (self->blocks, row.spans);
      g_array_append_val (self->block_rows, row);
    }
  g_ptr_array_unref (levels);
}

static void
place_block_names (TsrTraceChart *self, const TsrExecutionTables *tables)
{
  g_autoptr (GArray) strings = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree guint8 *slots = NULL;

  self->block_slots = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < tables->n_blocks; i++)
    {
      const char *name = tsr_string_table_get (tables->strings, tables->block_name[i]);

      if (name == NULL
          || !g_hash_table_add (self->block_slots, GUINT_TO_POINTER (tables->block_name[i])))
        continue;
      g_array_append_val (strings, tables->block_name[i]);
      g_ptr_array_add (names, (gpointer)name);
    }
  slots = g_malloc (MAX (names->len, 1));
  tsr_palette_place_names ((const char *const *)names->pdata, names->len, slots);
  for (guint i = 0; i < names->len; i++)
    g_hash_table_insert (self->block_slots, GUINT_TO_POINTER (g_array_index (strings, guint32, i)),
                         GUINT_TO_POINTER (slots[i]));
}

static void
ensure_blocks (TsrTraceChart *self)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  g_autofree Span *spans = NULL;
  guint n_tiles = 0;

  if (self->blocks != NULL)
    return;
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)spans_free);
  self->block_rows = g_array_new (FALSE, FALSE, sizeof (TsrTraceBlockRow));
  if (tables->n_blocks == 0)
    return;
  place_block_names (self, tables);
  self->block_shift = tsr_trace_dup_block_shifts (
      self->trace, tsr_trace_state_has (self->state, TSR_TRACE_OPTION_ALIGN_CLOCKS));
  spans = g_new (Span, tables->n_blocks);
  for (guint i = 0, end; i < tables->n_blocks; i = end)
    {
      guint ipu = tables->block_ipu[i];
      guint n = 0;

      for (end = i; end < tables->n_blocks && tables->block_ipu[end] == ipu
                    && tables->block_tile[end] == tables->block_tile[i];
           end++)
        if (is_shown_block (self, tables, end))
          spans[n++]
              = (Span){ tsr_add_saturating (tables->block_from[end], self->block_shift[ipu], NULL),
                        tsr_add_saturating (tables->block_to[end], self->block_shift[ipu], NULL),
                        end };
      n_tiles = i > 0 && tables->block_ipu[i - 1] == ipu ? n_tiles + 1 : 0;
      if (n > 0 && n_tiles < MAX_PER_IPU)
        add_tile_blocks (self, ipu, tables->block_tile[i], spans, n);
    }
}

gboolean
tsr_trace_chart_get_block_domain (TsrTraceChart *self, gint64 *from, gint64 *to)
{
  gboolean any = FALSE;

  ensure_blocks (self);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const TsrTraceSpans *spans = g_ptr_array_index (self->blocks, i);

      if (spans->n == 0)
        continue;
      *from = any ? MIN (*from, spans->start[0]) : spans->start[0];
      *to = any ? MAX (*to, spans->end[spans->n - 1]) : spans->end[spans->n - 1];
      any = TRUE;
    }
  return any;
}

void
tsr_trace_chart_clear_blocks (TsrTraceChart *self)
{
  g_clear_pointer (&self->block_rows, g_array_unref);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_pointer (&self->block_slots, g_hash_table_unref);
  g_clear_pointer (&self->block_shift, g_free);
}

void
tsr_trace_chart_clear_runs (TsrTraceChart *self)
{
  g_clear_pointer (&self->runs, spans_free);
}

/* ------------------------------------------------------------------- rows */

typedef struct
{
  TsrTraceChart *chart;
  guint ipu;
  double y;
} Place;

static void
add_row (Place *at, TsrTraceChartRow row, double height)
{
  row.ipu = at->ipu;
  row.y = at->y;
  row.height = height;
  row.foot = MAX (row.foot, at->y + height);
  g_array_append_val (at->chart->rows, row);
}

static void
add_track (Place *at, guint track, TsrTraceShape shape, double height, gboolean shared)
{
  TsrTraceChart *self = at->chart;
  guint n = tsr_trace_get_n_rows (self->trace, track, shape);
  double foot = at->y + n * height;

  for (guint depth = 0; depth < n; depth++)
    {
      add_row (at,
               (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_STEPS,
                                   .track = track,
                                   .depth = depth,
                                   .row = tsr_trace_get_row (self->trace, track, shape, depth),
                                   .flat = shape == TSR_TRACE_FLAT,
                                   .shared = shared,
                                   .foot = foot },
               height);
      at->y += height;
    }
}

/* All lanes below each other, or one over the other. */
static void
add_tracks (Place *at, gboolean collapsed)
{
  TsrTraceChart *self = at->chart;
  gboolean apart = tsr_trace_state_has (self->state, TSR_TRACE_OPTION_LANES) && !collapsed;
  TsrTraceShape shape = collapsed ? TSR_TRACE_FLAT : tsr_trace_state_get_shape (self->state);
  double height = collapsed ? COLLAPSED : self->steps_height;
  double top = at->y;
  double bottom = at->y;
  gboolean any = FALSE;

  for (guint t = 0; t < tsr_trace_get_n_tracks (self->trace); t++)
    {
      if (tsr_trace_get_track (self->trace, t)->ipu != at->ipu)
        continue;
      if (!apart)
        at->y = top;
      else if (any)
        at->y += LANE_GAP;
      add_track (at, t, shape, height, !apart);
      bottom = MAX (bottom, at->y);
      any = TRUE;
    }
  at->y = bottom;
}

static void
add_blocks (Place *at)
{
  TsrTraceChart *self = at->chart;
  gboolean any = FALSE;

  ensure_blocks (self);
  for (guint i = 0; i < self->block_rows->len; i++)
    {
      const TsrTraceBlockRow *row = &g_array_index (self->block_rows, TsrTraceBlockRow, i);

      if (row->ipu != at->ipu)
        continue;
      if (!any || row->depth == 0)
        at->y += LANE_GAP;
      any = TRUE;
      add_row (at,
               (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_BLOCKS,
                                   .depth = row->depth,
                                   .track = row->tile,
                                   .spans = row->spans },
               BLOCK_HEIGHT);
      at->y += BLOCK_HEIGHT;
    }
}

static double
get_least_height (TsrTraceChart *self, guint ipu)
{
  g_autofree char *name = tsr_trace_dup_ipu_name (self->trace, ipu);

  return strstr (name, " · ") != NULL ? LEAST_TWO : LEAST;
}

static void
add_ipu (TsrTraceChart *self, guint ipu, gboolean pinned, double *y)
{
  TsrTraceChartIpu part = { .ipu = ipu, .pinned = pinned, .y = *y, .first = self->rows->len };
  Place at = { self, ipu, *y + PAD };

  part.collapsed = tsr_trace_state_is_collapsed (self->state, ipu);
  if (!part.collapsed && self->runs->n > 0)
    {
      add_row (&at, (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_RUNS, .spans = self->runs },
               RUN_HEIGHT);
      at.y += RUN_HEIGHT + 1;
    }
  add_tracks (&at, part.collapsed);
  if (!part.collapsed && tsr_trace_state_has (self->state, TSR_TRACE_OPTION_USE))
    {
      at.y += LANE_GAP;
      add_row (&at, (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_USE }, USE_HEIGHT);
      at.y += USE_HEIGHT;
    }
  if (!part.collapsed && tsr_trace_state_has (self->state, TSR_TRACE_OPTION_LIVE))
    {
      double height = self->live != NULL ? LIVE_HEIGHT : NO_LIVE;

      at.y += LANE_GAP;
      add_row (&at, (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_LIVE }, height);
      at.y += height;
    }
  if (!part.collapsed && tsr_trace_state_has (self->state, TSR_TRACE_OPTION_BLOCKS))
    add_blocks (&at);
  if (!part.collapsed && tsr_trace_state_has (self->state, TSR_TRACE_OPTION_BSP))
    {
      at.y += LANE_GAP;
      add_row (&at, (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_BAND }, self->band_height);
      at.y += self->band_height;
    }
  part.end = self->rows->len;
  part.height = at.y + PAD - *y;
  if (!part.collapsed)
    part.height = MAX (part.height, get_least_height (self, ipu));
  *y += part.height;
  g_array_append_val (self->ipus, part);
}

/* Some hundred rows at most, so that making them for several heights costs less than a frame. */
static void
make_rows (TsrTraceChart *self, double steps_height)
{
  guint only = tsr_trace_state_get_ipu (self->state);
  guint n = tsr_trace_get_n_ipus (self->trace);
  double y = 0;

  tsr_trace_chart_clear_rows (self);
  self->ipus = g_array_new (FALSE, FALSE, sizeof (TsrTraceChartIpu));
  self->rows = g_array_new (FALSE, FALSE, sizeof (TsrTraceChartRow));
  self->steps_height = steps_height;
  if (only != TSR_NO_INDEX && only >= n)
    only = TSR_NO_INDEX;
  for (int pinned = 1; pinned >= 0; pinned--)
    {
      for (guint ipu = 0; ipu < n; ipu++)
        if ((only == TSR_NO_INDEX || ipu == only)
            && tsr_trace_state_is_pinned (self->state, ipu) == pinned)
          add_ipu (self, ipu, pinned, &y);
      if (pinned)
        self->pinned_height = y;
    }
  self->height = y;
}

void
tsr_trace_chart_ensure_rows (TsrTraceChart *self)
{
  double height = self->room > 0 ? ROOMY_ROW : self->row_height;

  if (self->ipus != NULL)
    return;
  if (self->runs == NULL)
    self->runs = list_runs (self);
  make_rows (self, height);
  while (height > self->row_height && self->height > self->room)
    make_rows (self, --height);
}

void
tsr_trace_chart_clear_rows (TsrTraceChart *self)
{
  g_clear_pointer (&self->ipus, g_array_unref);
  g_clear_pointer (&self->rows, g_array_unref);
}

const TsrTraceChartIpu *
tsr_trace_chart_find_ipu (TsrTraceChart *self, guint ipu)
{
  for (guint i = 0; i < self->ipus->len; i++)
    if (g_array_index (self->ipus, TsrTraceChartIpu, i).ipu == ipu)
      return &g_array_index (self->ipus, TsrTraceChartIpu, i);
  return NULL;
}
