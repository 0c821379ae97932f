/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the trace's chart says: labels of items, descriptions of what is under the pointer, its
 * caption, and its steps as CSV. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include "tsr-rows.h"
#include "tsr-trace-waits.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_NAME 600 /* bytes of a name in a description */

char *
tsr_trace_format_cycles (const TsrTrace *trace, gint64 cycles, gboolean time)
{
  double clock = tsr_trace_get_clock (trace);

  if (time && cycles != TSR_UNKNOWN && isfinite (clock) && clock > 0)
    return tsr_units_dup_seconds ((double)cycles / clock);
  return tsr_units_dup_count (cycles);
}

void
tsr_trace_format_span (
    const TsrTrace *trace, gint64 from, gint64 to, gboolean time, char **from_text, char **to_text)
{
  double clock = tsr_trace_get_clock (trace);

  if (time && from != TSR_UNKNOWN && to != TSR_UNKNOWN && isfinite (clock) && clock > 0)
    {
      tsr_units_dup_seconds_pair ((double)from / clock, (double)to / clock, from_text, to_text);
      return;
    }
  *from_text = tsr_units_dup_count (from);
  *to_text = tsr_units_dup_count (to);
}

/* ----------------------------------------------------------------- labels */

static const char *
get_last_part (const char *name)
{
  const char *slash = strrchr (name, '/');

  return slash != NULL && slash[1] != '\0' ? slash + 1 : name;
}

/* A step of a path is called by its last part, one without by its type: "External Sync". */
char *
tsr_trace_chart_dup_label (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item)
{
  TsrTraceItem what;
  TsrStepGroup group;

  tsr_trace_get_item (self->trace, row->row, item, &what);
  group = what.type < tsr_trace_get_n_types (self->trace)
              ? tsr_trace_get_type (self->trace, what.type)->group
              : TSR_STEP_GROUP_OTHER;
  if (row->flat || (!what.group && group == TSR_STEP_GROUP_SYNC))
    {
      if (group == TSR_STEP_GROUP_SYNC || group == TSR_STEP_GROUP_HOST)
        return g_strdup (tsr_trace_get_type (self->trace, what.type)->label);
      return g_strdup (get_last_part (tsr_trace_get_slice_title (self->trace, what.first_slice)));
    }
  if (what.path == NULL || what.path_length <= what.label_from)
    return g_strdup (what.type < tsr_trace_get_n_types (self->trace)
                         ? tsr_trace_get_type (self->trace, what.type)->label
                         : "");
  return g_strndup (what.path + what.label_from, what.path_length - what.label_from);
}

char *
tsr_trace_chart_dup_span_label (TsrTraceChart *self, const TsrTraceChartRow *row, guint place)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  guint32 index = row->spans->index[place];

  if (row->kind == TSR_TRACE_ROW_RUNS)
    {
      const char *name = tsr_trace_get_run (self->trace, index)->name;

      return name != NULL && *name != '\0' ? g_strdup (name)
                                           : g_strdup_printf (_ ("Run %u"), index);
    }
  return g_strdup (tables->block_name[index] != TSR_NO_STRING
                       ? tsr_string_table_get (tables->strings, tables->block_name[index])
                       : "");
}

/* ------------------------------------------------------------ description */

static gboolean
shows_time (TsrTraceChart *self)
{
  return tsr_trace_state_has (self->state, TSR_TRACE_OPTION_TIME);
}

/* "12,345 cycles · 9.28 µs". */
static char *
dup_duration (TsrTraceChart *self, gint64 cycles)
{
  double clock = tsr_trace_get_clock (self->trace);
  g_autofree char *count = tsr_units_dup_cycles (cycles);
  g_autofree char *time = NULL;

  if (!isfinite (clock) || clock <= 0 || cycles == TSR_UNKNOWN)
    return g_steal_pointer (&count);
  time = tsr_units_dup_seconds ((double)cycles / clock);
  return g_strdup_printf ("%s · %s", count, time);
}

static void
add_line (GString *out, const char *name, const char *value)
{
  g_string_append_printf (out, "\n%s: %s", name, value);
}

static void
add_times (TsrTraceChart *self, gint64 start, gint64 end, GString *out)
{
  g_autofree char *duration = dup_duration (self, end - start);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *span = NULL;

  tsr_trace_format_span (self->trace, start, end, shows_time (self), &from, &to);
  span = g_strdup_printf (_ ("%s to %s"), from, to);
  g_string_append_printf (out, "\n%s", duration);
  add_line (out, _ ("When"), span);
}

static void
add_heading (GString *out, const char *name, gsize length)
{
  g_autofree char *valid = NULL;

  if (length > MAX_NAME)
    {
      g_autofree char *head = g_strndup (name, MAX_NAME / 2);
      g_autofree char *joined
          = g_strdup_printf ("%s…%.*s", head, MAX_NAME / 2, name + length - MAX_NAME / 2);

      valid = g_utf8_make_valid (joined, -1);
    }
  else
    valid = g_utf8_make_valid (name, (gssize)length);
  g_strdelimit (valid, "\n\r", ' ');
  g_string_append (out, valid);
}

static void
add_bytes (GString *out, const char *name, gint64 bytes)
{
  g_autofree char *text = NULL;

  if (bytes == TSR_UNKNOWN || bytes == 0)
    return;
  text = tsr_units_dup_bytes (TSR_UNITS_BINARY, bytes);
  add_line (out, name, text);
}

static void
add_balance (GString *out, const char *name, double balance)
{
  g_autofree char *text = NULL;

  if (!isfinite (balance))
    return;
  text = tsr_units_dup_percent (balance, 1);
  add_line (out, name, text);
}

static void
describe_slice (TsrTraceChart *self, guint32 index, GString *out)
{
  g_autofree char *meeting = tsr_trace_dup_meeting_text (self->trace, index);
  TsrTraceSlice slice;

  tsr_trace_get_slice (self->trace, index, &slice);
  if (meeting != NULL)
    g_string_append_printf (out, "\n%s", meeting);
  if (slice.active_tiles != TSR_UNKNOWN && slice.active_tiles > 0)
    {
      g_autofree char *tiles = tsr_units_dup_count (slice.active_tiles);

      add_line (out, _ ("Active tiles"), tiles);
    }
  if (tsr_trace_get_type (self->trace, slice.type)->group == TSR_STEP_GROUP_COMPUTE)
    {
      add_balance (out, _ ("Tile balance"), slice.tile_balance);
      add_balance (out, _ ("Balance of active tiles"), slice.active_tile_balance);
    }
  add_bytes (out, _ ("Data in"), slice.data_in);
  add_bytes (out, _ ("Data out"), slice.data_out);
  if (slice.lead_in != TSR_UNKNOWN && slice.lead_in > 0)
    {
      g_autofree char *lead = tsr_units_dup_count (slice.lead_in);

      add_line (out, _ ("Cycles that overlap the step before"), lead);
    }
}

static const TsrTraceChartRow *
find_steps_row (TsrTraceChart *self, const TsrTraceHit *hit)
{
  tsr_trace_chart_ensure_rows (self);
  for (guint r = 0; r < self->rows->len; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (self, r);

      if (row->kind == TSR_TRACE_ROW_STEPS && row->track == hit->track && row->depth == hit->depth)
        return row;
    }
  return NULL;
}

static void
describe_item (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  const TsrTraceChartRow *row = find_steps_row (self, hit);
  g_autofree char *ipu = tsr_trace_dup_ipu_name (self->trace, hit->ipu);
  TsrTraceItem item;
  const char *label;

  if (row == NULL || hit->item >= row->row->n)
    return;
  tsr_trace_get_item (self->trace, row->row, hit->item, &item);
  label = item.type < tsr_trace_get_n_types (self->trace)
              ? tsr_trace_get_type (self->trace, item.type)->label
              : "";
  if (item.group && item.path_length > 0)
    add_heading (out, item.path, item.path_length);
  else
    {
      const char *title = tsr_trace_get_slice_title (self->trace, item.first_slice);

      add_heading (out, title, strlen (title));
    }
  if (item.group)
    {
      g_autofree char *count = tsr_units_dup_count (item.n_slices);

      g_string_append_printf (
          out, g_dngettext (GETTEXT_PACKAGE, "\n%s, %s step", "\n%s, %s steps", item.n_slices), ipu,
          count);
    }
  else
    g_string_append_printf (out, "\n%s, %s", label, ipu);
  add_times (self, item.start, item.end, out);
  if (!item.group)
    describe_slice (self, item.first_slice, out);
  if (hit->n_under > 1)
    {
      g_autofree char *count = tsr_units_dup_count (hit->n_under);

      g_string_append_printf (out,
                              g_dngettext (GETTEXT_PACKAGE, "\nThe longest of %s item here",
                                           "\nThe longest of %s items here", hit->n_under),
                              count);
    }
}

static void
describe_tile (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  g_autofree char *ipu = tsr_trace_dup_ipu_name (self->trace, hit->ipu);
  const char *title;
  TsrTraceSlice slice;
  g_autoptr (TsrTileCycles) cycles = NULL;

  g_string_append_printf (out, _ ("Tile %u of %s"), hit->index, ipu);
  if (hit->slice == TSR_NO_SLICE)
    return;
  tsr_trace_get_slice (self->trace, hit->slice, &slice);
  g_string_append_c (out, '\n');
  title = tsr_trace_get_slice_title (self->trace, hit->slice);
  add_heading (out, title, strlen (title));
  cycles = tsr_trace_peek_tile_cycles (self->trace, hit->slice);
  if (cycles != NULL && hit->index < cycles->n)
    {
      gint64 length = slice.end - slice.start;
      gint64 busy = MIN (cycles->cycles[hit->index], length);
      g_autofree char *active = dup_duration (self, busy);
      g_autofree char *waiting = dup_duration (self, length - busy);

      add_line (out, _ ("Active"), active);
      add_line (out, _ ("Waiting"), waiting);
    }
}

/* What the time of a pixel goes to, by type. */
static void
describe_use (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  g_autofree char *ipu = tsr_trace_dup_ipu_name (self->trace, hit->ipu);
  double length = (double)(hit->to - hit->from);
  TsrTraceSums sums;

  g_string_append (out, ipu);
  add_times (self, hit->from, hit->to, out);
  tsr_trace_sum (self->trace, hit->ipu, hit->from, hit->to, self->hidden, &sums);
  add_balance (out, _ ("Utilisation"), sums.utilisation);
  add_balance (out, _ ("Tile balance"), sums.tile_balance);
  for (guint i = 0; i < tsr_trace_get_n_types (self->trace) && length > 0; i++)
    if (sums.by_type[i] > 0 && (self->hidden >> i & 1) == 0)
      add_balance (out, tsr_trace_get_type (self->trace, i)->label,
                   (double)sums.by_type[i] / length);
}

/* A pixel that steps share: what its time goes to, and the longest of them. */
static void
describe_crowd (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  g_autofree char *count = tsr_units_dup_count (hit->n_under);
  g_autofree char *duration = NULL;
  g_autoptr (GString) title = g_string_new (NULL);
  const char *name = tsr_trace_get_slice_title (self->trace, hit->slice);
  TsrTraceSlice slice;

  describe_use (self, hit, out);
  tsr_trace_get_slice (self->trace, hit->slice, &slice);
  duration = dup_duration (self, slice.end - slice.start);
  add_heading (title, name, strlen (name));
  add_line (out, _ ("Steps in this pixel"), count);
  g_string_append_c (out, '\n');
  g_string_append_printf (out, _ ("The longest: %s, %s"), title->str, duration);
}

/* What is live in a pixel, and which liveness step that is. */
static void
describe_live (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  g_autofree char *ipu = tsr_trace_dup_ipu_name (self->trace, hit->ipu);
  g_autofree char *bytes = NULL, *steps = NULL;
  gint64 least, most;
  guint32 slice, first = 0, last = 0;
  guint n;

  g_string_append (out, ipu);
  add_times (self, hit->from, hit->to, out);
  if (self->live == NULL)
    {
      g_string_append_printf (out, "\n%s", self->no_live != NULL ? self->no_live : "");
      return;
    }
  tsr_trace_live_list (self->live, hit->ipu, 1, (gint64[]){ hit->from, hit->to }, &least, &most);
  slice = tsr_trace_live_find_slice (self->live, hit->ipu, hit->from, hit->to);
  if (slice == TSR_NO_SLICE)
    {
      add_line (out, _ ("Not always live"), _ ("not known"));
      return;
    }
  bytes = tsr_units_dup_bytes (self->units, most);
  if (least < most)
    {
      g_autofree char *sure = tsr_units_dup_bytes (self->units, least);
      g_autofree char *range = g_strdup_printf (_ ("%s to %s"), sure, bytes);

      add_line (out, _ ("Not always live"), range);
    }
  else
    add_line (out, _ ("Not always live"), bytes);
  n = tsr_trace_live_get_steps (self->live, tsr_trace_get_tables (self->trace)->slice_step[slice],
                                &first, &last);
  if (n == 1)
    steps = tsr_units_dup_count (first);
  else
    {
      g_autofree char *from = tsr_units_dup_count (first), *to = tsr_units_dup_count (last);
      g_autofree char *count = tsr_units_dup_count (n);

      steps = g_strdup_printf (_ ("one of %s, %s to %s"), count, from, to);
    }
  add_line (out, _ ("Liveness Step"), steps);
  add_line (out, _ ("Step"), tsr_trace_get_slice_title (self->trace, slice));
}

static void
describe_run (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  const TsrTraceRun *run = tsr_trace_get_run (self->trace, hit->index);

  if (run->name != NULL && *run->name != '\0')
    add_heading (out, run->name, strlen (run->name));
  else
    g_string_append_printf (out, _ ("Run %u"), hit->index);
  add_times (self, run->start, run->end, out);
  if (run->device != TSR_UNKNOWN)
    {
      g_autofree char *device = dup_duration (self, run->device);

      add_line (out, _ ("Without the host's preparation"), device);
    }
  if (!run->complete)
    g_string_append_printf (out, "\n%s", _ ("The file ends before the run does"));
}

static void
describe_block (TsrTraceChart *self, const TsrTraceHit *hit, GString *out)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  guint32 name = tables->block_name[hit->index];
  const char *text = name != TSR_NO_STRING ? tsr_string_table_get (tables->strings, name) : "";
  g_autofree char *ipu = tsr_trace_dup_ipu_name (self->trace, hit->ipu);
  g_autofree char *length
      = dup_duration (self, tables->block_to[hit->index] - tables->block_from[hit->index]);
  g_autofree char *from = tsr_units_dup_count (tables->block_from[hit->index]);

  add_heading (out, *text != '\0' ? text : _ ("Block"),
               strlen (*text != '\0' ? text : _ ("Block")));
  g_string_append_printf (out, _ ("\nMeasured on tile %u of %s"), tables->block_tile[hit->index],
                          ipu);
  g_string_append_printf (out, "\n%s", length);
  add_line (out, _ ("Its own clock"), from);
  if (tables->block_flags[hit->index] & TSR_BLOCK_FLUSH)
    g_string_append_printf (out, "\n%s", _ ("A copy of the profiler's own"));
}

char *
tsr_trace_chart_describe_hit (TsrTraceChart *self, const TsrTraceHit *hit)
{
  g_autoptr (GString) out = g_string_new (NULL);

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), NULL);
  g_return_val_if_fail (hit != NULL, NULL);

  switch (hit->kind)
    {
    case TSR_TRACE_HIT_ITEM:
      if (hit->from < hit->to)
        describe_crowd (self, hit, out);
      else
        describe_item (self, hit, out);
      break;
    case TSR_TRACE_HIT_TILE:
      describe_tile (self, hit, out);
      break;
    case TSR_TRACE_HIT_USE:
      describe_use (self, hit, out);
      break;
    case TSR_TRACE_HIT_LIVE:
      describe_live (self, hit, out);
      break;
    case TSR_TRACE_HIT_RUN:
      describe_run (self, hit, out);
      break;
    case TSR_TRACE_HIT_BLOCK:
      describe_block (self, hit, out);
      break;
    case TSR_TRACE_HIT_HEADER:
    case TSR_TRACE_HIT_ARROW:
    case TSR_TRACE_HIT_PIN:
      {
        g_autofree char *ipu = tsr_trace_dup_ipu_name (self->trace, hit->ipu);

        g_string_append (out, ipu);
        if (hit->kind == TSR_TRACE_HIT_PIN)
          g_string_append_printf (out, "\n%s",
                                  tsr_trace_state_is_pinned (self->state, hit->ipu)
                                      ? _ ("Pinned: stays in view")
                                      : _ ("Not pinned"));
        break;
      }
    case TSR_TRACE_HIT_NOTCH:
      {
        gint64 from;
        gint64 to;

        tsr_trace_fold_get_notch (self->fold, hit->index, &from, &to);
        g_string_append (out, _ ("Waiting for the host (folded)"));
        add_times (self, from, to, out);
        break;
      }
    case TSR_TRACE_HIT_MARKER:
      {
        const TsrTraceMarker *marker
            = g_ptr_array_index (tsr_trace_state_peek_markers (self->state), hit->index);

        add_heading (out, *marker->note != '\0' ? marker->note : _ ("Marker"),
                     strlen (*marker->note != '\0' ? marker->note : _ ("Marker")));
        if (marker->from < marker->to)
          add_times (self, marker->from, marker->to, out);
        else
          {
            g_autofree char *when
                = tsr_trace_format_cycles (self->trace, marker->from, shows_time (self));

            add_line (out, _ ("When"), when);
          }
        break;
      }
    case TSR_TRACE_HIT_RULER:
    case TSR_TRACE_HIT_NOTHING:
    default:
      break;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
tsr_trace_chart_describe (TsrChartModel *model, guint32 datum)
{
  return g_strdup ("");
}

char *
tsr_trace_chart_dup_caption (TsrChartModel *model)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  int chosen = tsr_trace_state_get_run (self->state);
  guint run = chosen >= 0 && (guint)chosen < tsr_trace_get_n_runs (self->trace)
                  ? (guint)chosen
                  : tsr_trace_get_profiled_run (self->trace);
  guint ipu = tsr_trace_state_get_ipu (self->state);
  GString *out = g_string_new (_ ("Execution trace"));

  if (chosen != TSR_TRACE_RUN_ALL && run != TSR_NO_INDEX)
    {
      const char *name = tsr_trace_get_run (self->trace, run)->name;

      if (name != NULL && *name != '\0')
        {
          g_string_append (out, " · ");
          add_heading (out, name, strlen (name));
        }
    }
  if (ipu < tsr_trace_get_n_ipus (self->trace))
    {
      g_autofree char *name = tsr_trace_dup_ipu_name (self->trace, ipu);

      g_string_append_printf (out, " · %s", name);
    }
  return g_string_free (out, FALSE);
}

/* -------------------------------------------------------------------- CSV */

static void
take (GPtrArray *fields, char *text)
{
  g_ptr_array_add (fields, text);
}

static void
take_number (GPtrArray *fields, gint64 value)
{
  take (fields, value != TSR_UNKNOWN ? g_strdup_printf ("%" PRId64, value) : g_strdup (""));
}

static void
take_share (GPtrArray *fields, double value)
{
  take (fields, isfinite (value) ? tsr_number_dup_plain (value) : g_strdup (""));
}

static void
append_row (GPtrArray *fields, GString *out)
{
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  g_ptr_array_set_size (fields, 0);
}

static void
append_slice (const TsrTraceSlice *slice, const char *label, GPtrArray *fields, GString *out)
{
  take_number (fields, slice->step_id);
  take_number (fields, slice->ipu);
  take (fields, g_strdup (label));
  take (fields, g_strdup (slice->name));
  take_number (fields, slice->start);
  take_number (fields, slice->end);
  take_number (fields, slice->lead_in);
  take_number (fields, slice->cycles);
  take_number (fields, slice->active_tiles);
  take_share (fields, slice->tile_balance);
  take_share (fields, slice->active_tile_balance);
  take_number (fields, slice->data_in);
  take_number (fields, slice->data_out);
  append_row (fields, out);
}

/* The first slice of @ipu that ends after @from, in any lane. */
static gsize
find_first (TsrTraceChart *self, guint ipu, gint64 from)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  gsize first = tables->ipu_start[ipu + 1];

  for (guint t = 0; t < tsr_trace_get_n_tracks (self->trace); t++)
    if (tsr_trace_get_track (self->trace, t)->ipu == ipu)
      {
        const TsrTraceRow *row = tsr_trace_get_row (self->trace, t, TSR_TRACE_FLAT, 0);
        gsize item = tsr_trace_row_find (row, from, 0);

        if (item < row->n)
          first = MIN (first, tsr_trace_row_first_slice (row, item));
      }
  return first;
}

/* Steps that took time and are not hidden, by IPU. */
void
tsr_trace_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  guint only = tsr_trace_state_get_ipu (self->state);
  gint64 first = tsr_trace_fold_get_cycles (self->fold, from);
  gint64 end = tsr_trace_fold_get_cycles (self->fold, to);
  static const char *const names[] = { "step",
                                       "ipu",
                                       "type",
                                       "name",
                                       "start",
                                       "end",
                                       "leadIn",
                                       "cycles",
                                       "activeTiles",
                                       "tileBalance",
                                       "activeTileBalance",
                                       "dataIn",
                                       "dataOut" };

  tsr_csv_append_row (out, G_N_ELEMENTS (names), names);
  for (guint ipu = 0; ipu < tables->n_ipus; ipu++)
    {
      if (only < tables->n_ipus && ipu != only)
        continue;
      for (gsize i = find_first (self, ipu, first); i < tables->ipu_start[ipu + 1]; i++)
        {
          TsrTraceSlice slice;

          if (tables->slice_start[i] == TSR_UNKNOWN || tables->slice_start[i] >= end)
            break;
          if (tables->slice_end[i] <= MAX (first, tables->slice_start[i])
              || (self->hidden & 1u << tsr_trace_get_slice_type (self->trace, (guint32)i)) != 0)
            continue;
          tsr_trace_get_slice (self->trace, (guint32)i, &slice);
          append_slice (&slice, tsr_trace_get_type (self->trace, slice.type)->label, fields, out);
        }
    }
}
