/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of Stages, Overlap and Tiles. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-trace-rows-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#define MOST_COPIES  200 /* longest lone copies that are listed */
#define MOST_COLUMNS 256 /* IPUs that have a column of numbers */

/* Classes of steps */

static void
add_classes (TsrGrid *grid, const TsrTraceClasses *const *classes, guint n)
{
  static const char *const keys[TSR_N_STEP_GROUPS]
      = { "compute", "exchange", "interIpu", "transfer", "host", "sync", "other" };

  for (guint group = 0; group < TSR_N_STEP_GROUPS; group++)
    {
      g_autofree char *types = tsr_step_group_dup_types (group);
      g_autofree char *definition
          = group == TSR_STEP_GROUP_OTHER  ? g_strdup (_ ("Cycles of all other types, merged"))
            : group == TSR_STEP_GROUP_HOST ? g_strdup_printf (
                  _ ("Cycles of %s, merged, without the wait that begins a run"), types)
                                           : g_strdup_printf (_ ("Cycles of %s, merged"), types);
      gint64 *cells = tsr_grid_add_values (
          grid, tsr_trace_column (keys[group], tsr_step_group_get_name (group), definition,
                                  TSR_VALUE_COUNT, FALSE));

      for (guint i = 0; i < n; i++)
        cells[i] = classes[i]->cycles[group];
    }
  {
    gint64 *start_ups = tsr_grid_add_values (
        grid, tsr_trace_column ("startUp", _ ("Start-Up"),
                                _ ("Cycles of the waits for the host that begin runs"),
                                TSR_VALUE_COUNT, FALSE));
    gint64 *nothings = tsr_grid_add_values (
        grid, tsr_trace_column ("nothing", _ ("Nothing Recorded"),
                                _ ("Cycles without any recorded step"), TSR_VALUE_COUNT, FALSE));
    gint64 *overlaps = tsr_grid_add_values (
        grid,
        tsr_trace_column ("overlapping", _ ("Counted Again"),
                          _ ("Cycles that are in several of the columns from Compute to Start-Up, "
                             "once for each further one: those columns and Nothing Recorded, less "
                             "this, are the span"),
                          TSR_VALUE_COUNT, FALSE));

    for (guint i = 0; i < n; i++)
      {
        start_ups[i] = classes[i]->start_up;
        nothings[i] = classes[i]->nothing;
        overlaps[i] = classes[i]->overlap;
      }
  }
}

/* Stages */

/* What is free on the fullest tile of an IPU of the replica. */
static gint64
get_free (const TsrTraceQuestion *question, guint ipu_in_replica)
{
  TsrMemory *memory = question->memory;
  const gint64 *bytes;
  gint64 capacity, most = 0;
  guint first, end;

  if (memory == NULL || tsr_memory_get_tiles_per_ipu (memory) == TSR_UNKNOWN
      || ipu_in_replica >= tsr_memory_get_n_ipus (memory))
    return TSR_UNKNOWN;
  capacity = tsr_memory_get_capacity (memory);
  bytes = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  if (bytes == NULL || capacity == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  tsr_memory_get_ipu_tiles (memory, ipu_in_replica, &first, &end);
  for (guint tile = first; tile < end; tile++)
    {
      if (bytes[tile] == TSR_UNKNOWN)
        return TSR_UNKNOWN;
      most = MAX (most, bytes[tile]);
    }
  return capacity - most;
}

static TsrRows *
make_ipu_rows (const TsrTraceQuestion *question, const TsrTraceStages *stages)
{
  TsrGrid *grid = tsr_grid_new (stages->n_ipus);
  TsrRowColumn *name = tsr_grid_text_column ("ipuName", _ ("IPU"), NULL);
  const char **names, **keys = tsr_grid_add_keys (grid);
  g_autofree const TsrTraceClasses **classes = g_new (const TsrTraceClasses *, stages->n_ipus + 1);
  gint64 *works, *shares, *frees;
  gint64 span = 0;

  for (guint i = 0; i < stages->periods->len; i++)
    {
      const TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, i);

      span += period->to - period->from;
    }
  name->pinned = TRUE;
  names = tsr_grid_add_texts (grid, name);
  works = tsr_grid_add_values (grid, tsr_trace_column ("work", _ ("Work"),
                                                       _ ("Cycles of compute and exchange, merged"),
                                                       TSR_VALUE_COUNT, FALSE));
  shares = tsr_grid_add_values (
      grid, tsr_trace_column ("share", _ ("Busy"), _ ("Work, divided by the cycles of all periods"),
                              TSR_VALUE_FRACTION, FALSE));
  frees = tsr_grid_add_values (
      grid, tsr_trace_column ("freeBytes", _ ("Free Memory"),
                              _ ("On the IPU's fullest tile: what moves to it must fit there"),
                              TSR_VALUE_BYTES, FALSE));
  for (guint i = 0; i < stages->n_ipus; i++)
    {
      g_autofree char *text = g_strdup_printf (_ ("IPU %u"), i);

      names[i] = tsr_grid_intern (grid, text);
      keys[i] = tsr_trace_intern_ipu_key (grid, i);
      works[i] = stages->ipu_work[i];
      shares[i] = tsr_trace_share (stages->ipu_work[i], span);
      frees[i] = get_free (question, i);
      classes[i] = &stages->classes[i];
    }
  add_classes (grid, classes, stages->n_ipus);
  return tsr_grid_to_rows (grid);
}

static TsrRows *
make_period_rows (const TsrTraceStages *stages, gint64 first_cycle)
{
  guint n = stages->periods->len;
  TsrGrid *grid = tsr_grid_new (n);
  g_autofree char *title = g_strdup_printf (_ ("Work of IPU 0 … %u"), stages->n_ipus - 1);
  TsrRowColumn *heat = tsr_grid_text_column (
      "work", title,
      _ ("Cycles of compute and exchange of each IPU in the period; the darkest is the most of "
         "any period. Of many IPUs, the few that work have their numbers"));
  TsrRowColumn *number = tsr_trace_column ("period", _ ("Period"), NULL, TSR_VALUE_INDEX, FALSE);
  gint64 *numbers, *froms, *lengths, *losses, *workings;
  const char **heats;

  number->pinned = heat->pinned = TRUE;
  heat->filtered = FALSE;
  heat->paint = TSR_CELL_PAINTED;
  numbers = tsr_grid_add_values (grid, number);
  heats = tsr_grid_add_texts (grid, heat);
  losses = tsr_grid_add_values (
      grid,
      tsr_trace_column ("loss", _ ("Loss"),
                        _ ("Steady periods: the work of the IPU with the most, less the mean"),
                        TSR_VALUE_COUNT, TRUE));
  lengths = tsr_grid_add_values (
      grid, tsr_trace_column ("cycles", _ ("Cycles"), NULL, TSR_VALUE_COUNT, TRUE));
  workings
      = tsr_grid_add_values (grid, tsr_trace_column ("workingIpus", _ ("IPUs at Work"),
                                                     _ ("A period is steady when every IPU works"),
                                                     TSR_VALUE_COUNT, FALSE));
  froms = tsr_grid_add_values (grid, tsr_trace_column ("start", _ ("From"),
                                                       _ ("Cycle at which it begins"),
                                                       TSR_VALUE_COUNT, FALSE));
  for (guint i = 0; i < n; i++)
    {
      const TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, i);

      numbers[i] = i;
      froms[i] = period->from;
      lengths[i] = period->to - period->from;
      losses[i] = !stages->sharded ? period->loss : TSR_UNKNOWN;
      workings[i] = period->n_working;
      heats[i] = period->steady ? _ ("steady") : _ ("not steady");
    }
  for (guint ipu = 0; ipu < MIN (stages->n_ipus, MOST_COLUMNS); ipu++)
    {
      g_autofree char *key = g_strdup_printf ("ipu%u", ipu);
      g_autofree char *name = g_strdup_printf (_ ("IPU %u"), ipu);
      gint64 *cells
          = tsr_grid_add_values (grid, tsr_trace_column (key, name, NULL, TSR_VALUE_COUNT, FALSE));

      for (guint i = 0; i < n; i++)
        cells[i] = stages->work[(gsize)i * stages->n_ipus + ipu];
    }
  return tsr_grid_to_rows (grid);
}

static char *
dup_stages_note (const TsrTraceStages *stages)
{
  g_autofree char *loss = tsr_units_dup_count (stages->loss);
  g_autofree char *up = tsr_units_dup_count (stages->ramp_up);
  g_autofree char *down = tsr_units_dup_count (stages->ramp_down);
  g_autofree char *bubble = tsr_units_dup_count (stages->bubble);

  if (stages->sharded)
    return g_strdup (_ ("The program runs one IPU at a time: there is no steady period and no loss "
                        "to tell."));
  return g_strdup_printf (_ ("Steady loss %s cycles · ramp-up %s · ramp-down %s · all that is not "
                             "steady %s"),
                          loss, up, down, bubble);
}

gboolean
tsr_trace_answer_stages (const TsrTraceQuestion *question,
                         TsrTraceAnswer *answer,
                         GCancellable *cancellable,
                         GError **error)
{
  const TsrTraceStages *stages;

  answer->stages = tsr_trace_stages (question->trace, question->run, question->from, question->to,
                                     cancellable, error);
  if (answer->stages == NULL)
    return FALSE;
  if (answer->stages->len == 0)
    {
      tsr_trace_answer_say (answer, _ ("No Stages"),
                            _ ("A pipeline needs two IPUs in a replica, and a report that says how "
                               "many there are (target)"));
      return TRUE;
    }
  answer->replica = MIN (question->replica, answer->stages->len - 1);
  stages = g_ptr_array_index (answer->stages, answer->replica);
  for (gsize i = 0; i < (gsize)stages->periods->len * stages->n_ipus; i++)
    answer->most_work = MAX (answer->most_work, stages->work[i]);
  answer->rows = make_period_rows (stages, question->from);
  answer->more = make_ipu_rows (question, stages);
  answer->note = dup_stages_note (stages);
  return TRUE;
}

/* Overlap */

#define ADD_VALUES(key, title, definition, kind, value)                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 *cells_                                                                                 \
        = tsr_grid_add_values (grid, tsr_trace_column (key, title, definition, kind, FALSE));      \
                                                                                                   \
    for (guint i = 0; i < overlap->len; i++)                                                       \
      {                                                                                            \
        const TsrTraceOverlap *row = &g_array_index (overlap, TsrTraceOverlap, i);                 \
                                                                                                   \
        cells_[i] = (value);                                                                       \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

static char *
dup_overlap_text (const TsrTraceOverlap *row)
{
  g_autofree char *hidden = tsr_units_dup_count (row->hidden);
  g_autofree char *alone = tsr_units_dup_count (row->alone);
  g_autofree char *compute = tsr_units_dup_count (row->compute_alone);

  return g_strdup_printf (_ ("copies hidden %s, copies alone %s, compute alone %s"), hidden, alone,
                          compute);
}

static void
add_rates (TsrGrid *grid, const GArray *overlap)
{
  static const char *const keys[TSR_N_COPY_KINDS][2]
      = { { "hostBytes", "hostBytesPerSecond" },
          { "remoteBufferBytes", "remoteBufferBytesPerSecond" },
          { "mixedBytes", "mixedBytesPerSecond" },
          { "unknownBytes", "unknownBytesPerSecond" } };
  static const char *const titles[TSR_N_COPY_KINDS][2]
      = { { N_ ("Host"), N_ ("Host, GB/s") },
          { N_ ("Remote Buffer"), N_ ("Remote Buffer, GB/s") },
          { N_ ("Mixed"), N_ ("Mixed, GB/s") },
          { N_ ("Other Copies"), N_ ("Other Copies, GB/s") } };

  for (guint k = 0; k < TSR_N_COPY_KINDS; k++)
    {
      ADD_VALUES (keys[k][0], _ (titles[k][0]),
                  _ ("Bytes of the StreamCopyMid steps that begin here"), TSR_VALUE_BYTES,
                  row->bytes[k]);
      ADD_VALUES (keys[k][1], _ (titles[k][1]), _ ("Bytes, divided by the time of those copies"),
                  TSR_VALUE_GIGA, tsr_trace_round (row->rate[k]));
    }
}

static TsrRows *
make_overlap_rows (const TsrTrace *trace, const GArray *overlap)
{
  TsrGrid *grid = tsr_grid_new (overlap->len);
  TsrRowColumn *name = tsr_grid_text_column ("ipuName", _ ("IPU"), NULL);
  TsrRowColumn *bar = tsr_grid_text_column (
      "overlap", _ ("Overlap"),
      _ ("Compute alone, copies hidden behind it, copies alone. Hatched, with its share of the "
         "time: neither; at most a fifth of the bar"));
  g_autofree const TsrTraceClasses **classes = g_new (const TsrTraceClasses *, overlap->len + 1);
  const char **names, **bars, **keys = tsr_grid_add_keys (grid);

  name->pinned = bar->pinned = TRUE;
  bar->paint = TSR_CELL_PAINTED;
  bar->filtered = FALSE;
  names = tsr_grid_add_texts (grid, name);
  bars = tsr_grid_add_texts (grid, bar);
  for (guint i = 0; i < overlap->len; i++)
    {
      const TsrTraceOverlap *row = &g_array_index (overlap, TsrTraceOverlap, i);
      g_autofree char *ipu = tsr_trace_dup_ipu_name (trace, row->ipu);
      g_autofree char *text = dup_overlap_text (row);

      names[i] = tsr_grid_intern (grid, ipu);
      keys[i] = tsr_trace_intern_ipu_key (grid, row->ipu);
      bars[i] = tsr_grid_intern (grid, text);
      classes[i] = &row->classes;
    }
  ADD_VALUES ("alone", _ ("Copies Alone"), _ ("Cycles of copies while nothing is computed"),
              TSR_VALUE_COUNT, row->alone);
  ADD_VALUES ("hidden", _ ("Hidden"), _ ("Cycles of copies behind compute or exchange"),
              TSR_VALUE_COUNT, row->hidden);
  ADD_VALUES ("hiddenShare", _ ("Hidden, %"), _ ("Hidden cycles, of all cycles of copies"),
              TSR_VALUE_FRACTION, tsr_trace_share (row->hidden, row->transfer));
  ADD_VALUES ("computeAlone", _ ("Compute Alone"),
              _ ("Cycles of compute and exchange without a copy beside them"), TSR_VALUE_COUNT,
              row->compute_alone);
  ADD_VALUES ("outside", _ ("Before and After"),
              _ ("Cycles of lone copies before the first and after the last compute step: they "
                 "cannot be hidden"),
              TSR_VALUE_COUNT, row->outside);
  add_rates (grid, overlap);
  add_classes (grid, classes, overlap->len);
  return tsr_grid_to_rows (grid);
}

static const char *
get_kind_label (TsrCopyKind kind)
{
  static const char *const labels[TSR_N_COPY_KINDS]
      = { N_ ("Host"), N_ ("Remote Buffer"), N_ ("Mixed"), NULL };

  return labels[kind] != NULL ? _ (labels[kind]) : NULL;
}

static TsrRows *
make_copy_rows (const TsrTrace *trace, const GArray *copies)
{
  TsrGrid *grid = tsr_grid_new (copies->len);
  TsrRowColumn *name = tsr_grid_text_column ("name", _ ("Longest Lone Copies"), NULL);
  const char **names, **ipus, **kinds, **keys = tsr_grid_add_keys (grid);
  gint64 *alones, *bytes, *rates, *starts;

  name->pinned = TRUE;
  names = tsr_grid_add_texts (grid, name);
  alones = tsr_grid_add_values (
      grid, tsr_trace_column ("alone", _ ("Cycles Alone"), NULL, TSR_VALUE_COUNT, FALSE));
  bytes = tsr_grid_add_values (
      grid, tsr_trace_column ("bytes", _ ("Data"), NULL, TSR_VALUE_BYTES, FALSE));
  rates = tsr_grid_add_values (
      grid, tsr_trace_column ("bytesPerSecond", _ ("GB/s"), NULL, TSR_VALUE_GIGA, FALSE));
  ipus = tsr_grid_add_texts (grid, tsr_grid_text_column ("ipuName", _ ("IPU"), NULL));
  kinds = tsr_grid_add_texts (grid, tsr_grid_text_column ("kind", _ ("Between tiles and"), NULL));
  starts = tsr_grid_add_values (grid, tsr_trace_column ("start", _ ("From"),
                                                        _ ("Cycle at which it begins"),
                                                        TSR_VALUE_COUNT, FALSE));
  for (guint i = 0; i < copies->len; i++)
    {
      const TsrTraceLoneCopy *copy = &g_array_index (copies, TsrTraceLoneCopy, i);
      g_autofree char *ipu = NULL;
      g_autofree char *key = NULL;
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, copy->slice, &slice);
      ipu = tsr_trace_dup_ipu_name (trace, slice.ipu);
      names[i] = tsr_grid_intern (grid, tsr_trace_get_slice_title (trace, copy->slice));
      ipus[i] = tsr_grid_intern (grid, ipu);
      key = g_strdup_printf ("%" PRId64 "\tipu%u", slice.step_id, slice.ipu);
      keys[i] = tsr_grid_intern (grid, key);
      kinds[i] = get_kind_label (tsr_trace_get_copy_kind (trace, copy->slice));
      alones[i] = copy->alone;
      starts[i] = slice.start;
      if (slice.data_in == TSR_UNKNOWN || slice.data_out == TSR_UNKNOWN)
        continue;
      bytes[i] = tsr_add_saturating (slice.data_in, slice.data_out, NULL);
      rates[i] = tsr_trace_round ((double)bytes[i] * tsr_trace_get_clock (trace)
                                  / ((double)slice.end - (double)slice.start));
    }
  return tsr_grid_to_rows (grid);
}

static int
compare_copies (gconstpointer pa, gconstpointer pb)
{
  const TsrTraceLoneCopy *a = pa;
  const TsrTraceLoneCopy *b = pb;

  if (a->alone != b->alone)
    return a->alone > b->alone ? -1 : 1;
  return a->slice < b->slice ? -1 : a->slice > b->slice;
}

gboolean
tsr_trace_answer_overlap (const TsrTraceQuestion *question,
                          TsrTraceAnswer *answer,
                          GCancellable *cancellable,
                          GError **error)
{
  gint64 transfer = 0;

  answer->overlap = tsr_trace_overlap (question->trace, question->run, question->from, question->to,
                                       cancellable, error);
  if (answer->overlap == NULL)
    return FALSE;
  if (question->ipu < answer->overlap->len)
    {
      TsrTraceOverlap one = g_array_index (answer->overlap, TsrTraceOverlap, question->ipu);

      g_array_set_size (answer->overlap, 0);
      g_array_append_val (answer->overlap, one);
    }
  answer->copies = g_array_new (FALSE, FALSE, sizeof (TsrTraceLoneCopy));
  for (guint i = 0; i < answer->overlap->len; i++)
    {
      const TsrTraceOverlap *row = &g_array_index (answer->overlap, TsrTraceOverlap, i);
      g_autoptr (GArray) copies = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      transfer = tsr_add_saturating (transfer, row->transfer, NULL);
      copies = tsr_trace_lone_copies (question->trace, question->run, row->ipu, question->from,
                                      question->to, MOST_COPIES);
      g_array_append_vals (answer->copies, copies->data, copies->len);
    }
  if (transfer == 0)
    {
      tsr_trace_answer_say (answer, _ ("No Copies Here"),
                            _ ("No StreamCopyMid step takes time in this span"));
      return TRUE;
    }
  g_array_sort (answer->copies, compare_copies);
  if (answer->copies->len > MOST_COPIES)
    g_array_set_size (answer->copies, MOST_COPIES);
  answer->rows = make_overlap_rows (question->trace, answer->overlap);
  answer->more = make_copy_rows (question->trace, answer->copies);
  return TRUE;
}

/* Tiles */

static TsrRows *
make_tile_rows (const TsrTraceTiles *tiles)
{
  TsrGrid *grid = tsr_grid_new (tiles->n);
  TsrRowColumn *number
      = tsr_trace_column ("tile", _ ("Tile"), _ ("Number in its IPU"), TSR_VALUE_INDEX, FALSE);
  const struct
  {
    const char *key, *title, *definition;
    const gint64 *values;
  } columns[] = {
    { "compute", _ ("Compute"), _ ("Cycles in OnTileExecute"), tiles->compute },
    { "exchange", _ ("Exchange"), _ ("Cycles in DoExchange and GlobalExchange"), tiles->exchange },
    { "copy", _ ("Copy"), _ ("Cycles in StreamCopyMid"), tiles->copy },
    { "waiting", _ ("Waiting"), _ ("Cycles of those steps in which the tile does nothing"),
      tiles->waiting },
  };
  gint64 *numbers;
  const char **ios;

  number->pinned = TRUE;
  numbers = tsr_grid_add_values (grid, number);
  for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
    {
      gint64 *cells = tsr_grid_add_values (grid, tsr_trace_column (columns[k].key, columns[k].title,
                                                                   columns[k].definition,
                                                                   TSR_VALUE_COUNT, FALSE));

      if (tiles->n > 0)
        memcpy (cells, columns[k].values, tiles->n * sizeof *cells);
    }
  ios = tsr_grid_add_texts (grid, tsr_grid_text_column ("role", _ ("Role"), NULL));
  for (guint i = 0; i < tiles->n; i++)
    {
      numbers[i] = i;
      ios[i] = tiles->io[i] ? _ ("never computes") : _ ("computes");
    }
  return tsr_grid_to_rows (grid);
}

static char *
dup_tiles_note (const TsrTraceTiles *tiles)
{
  g_autofree char *span = tsr_units_dup_count (tiles->span);
  g_autofree char *missing = tsr_units_dup_count ((gint64)tiles->n_missing);
  GString *text = g_string_new (NULL);
  guint n_io = 0;

  for (guint i = 0; i < tiles->n; i++)
    n_io += tiles->io[i];
  g_string_append_printf (text, _ ("%s cycles of compute, exchange and copies"), span);
  if (n_io > 0)
    {
      g_autofree char *count = tsr_units_dup_count (n_io);

      g_string_append (text, " · ");
      g_string_append_printf (
          text, ngettext ("%s tile never computes", "%s tiles never compute", n_io), count);
    }
  if (tiles->n_missing > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text,
                              ngettext ("%s step has no numbers of each tile and is left out",
                                        "%s steps have no numbers of each tile and are left out",
                                        (gulong)tiles->n_missing),
                              missing);
    }
  return g_string_free (text, FALSE);
}

gboolean
tsr_trace_answer_tiles (const TsrTraceQuestion *question,
                        TsrTraceAnswer *answer,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (GError) local = NULL;

  answer->ipu = question->ipu < tsr_trace_get_n_ipus (question->trace) ? question->ipu : 0;
  if (tsr_trace_get_n_ipus (question->trace) == 0)
    return TRUE;
  answer->tiles = tsr_trace_tiles (question->trace, question->run, answer->ipu, question->from,
                                   question->to, cancellable, &local);
  if (g_error_matches (local, TSR_ERROR, TSR_ERROR_MISSING_PART))
    {
      tsr_trace_answer_say (answer, _ ("No Cycles of Tiles"), local->message);
      return TRUE;
    }
  if (answer->tiles == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  answer->rows = make_tile_rows (answer->tiles);
  answer->note = dup_tiles_note (answer->tiles);
  answer->sort_key = NULL;
  return TRUE;
}
