/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of Waits: a row for each IPU that waits with a column for each that it waits for, and
 * the longest waits one by one. */

#include "config.h"

#include "tsr-trace-rows-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#define MOST_WAITS   200 /* longest ones that are listed */
#define MOST_COLUMNS 256 /* IPUs that have a column of numbers */
#define MOST_BOXES   16  /* IPUs whose boxes may have numbers, and are as dark as they are */

/* What an IPU waits for the others; @kept: what the others wait for it. */
static gint64
sum_cells (const TsrTraceWaits *waits, guint ipu, gboolean kept)
{
  gint64 sum = 0;

  for (guint i = 0; i < waits->n; i++)
    sum = tsr_add_saturating (
        sum, waits->cycles[kept ? (gsize)i * waits->n + ipu : (gsize)ipu * waits->n + i], NULL);
  return sum;
}

/* Of one IPU that is waited for. */
typedef struct
{
  gint64 cycles;
  guint ipu;
} Wait;

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const Wait *one = a, *two = b;

  return one->cycles != two->cycles ? (one->cycles < two->cycles ? 1 : -1)
                                    : (one->ipu > two->ipu) - (one->ipu < two->ipu);
}

/* "IPU 1 97.4 %, IPU 3 2.6 %": what it waits, for tooltip, CSV and assistive technology. */
static char *
dup_shares (const TsrTrace *trace, const TsrTraceWaits *waits, guint ipu)
{
  g_autofree Wait *all = g_new (Wait, waits->n);
  GString *text = g_string_new (NULL);
  gint64 sum = sum_cells (waits, ipu, FALSE);

  for (guint i = 0; i < waits->n; i++)
    all[i] = (Wait){ waits->cycles[(gsize)ipu * waits->n + i], i };
  qsort (all, waits->n, sizeof *all, compare_waits);
  for (guint i = 0; i < waits->n && all[i].cycles > 0; i++)
    {
      g_autofree char *name = tsr_trace_dup_ipu_name (trace, all[i].ipu);
      g_autofree char *share = tsr_units_dup_percent ((double)all[i].cycles / (double)sum, 1);

      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", name, share);
    }
  return g_string_free (text, FALSE);
}

static gint64 *
add_kept (TsrGrid *grid)
{
  return tsr_grid_add_values (
      grid, tsr_trace_column ("kept", _ ("Kept Others"),
                              _ ("Cycles that the others waited for it, all together"),
                              TSR_VALUE_COUNT, TRUE));
}

static TsrRows *
make_rows (const TsrTraceQuestion *question, const TsrTraceAnswer *answer)
{
  const TsrTraceWaits *waits = answer->waits;
  const TsrTrace *trace = question->trace;
  gboolean one = question->ipu < waits->n;
  guint first = one ? question->ipu : 0, n = one ? 1 : waits->n;
  TsrGrid *grid = tsr_grid_new (n);
  TsrRowColumn *name = tsr_grid_text_column ("ipuName", _ ("Waiting IPU"), NULL);
  TsrRowColumn *heat;
  g_autofree char *title = g_strdup_printf (_ ("Waits for IPU 0 … %u"), waits->n - 1);
  const char **names, **heats, **keys = tsr_grid_add_keys (grid);
  gboolean many = waits->n > MOST_BOXES;
  gint64 *sums, *shares, *kepts = NULL, *lasts, *syncs;

  heat = tsr_grid_text_column (
      "waits", title,
      _ ("Cycles from its own arrival in external syncs to that of the IPU that came last; the "
         "darkest is the most of any two IPUs.  Of many IPUs the lightest is the least"));
  name->pinned = heat->pinned = TRUE;
  heat->filtered = FALSE;
  heat->paint = TSR_CELL_PAINTED;
  names = tsr_grid_add_texts (grid, name);
  heats = tsr_grid_add_texts (grid, heat);
  /* Many are in its order, so it is what is seen first. */
  if (many)
    kepts = add_kept (grid);
  sums = tsr_grid_add_values (
      grid, tsr_trace_column ("waited", _ ("Waited"),
                              _ ("Cycles that it waited for the others, all together"),
                              TSR_VALUE_COUNT, TRUE));
  if (!many)
    kepts = add_kept (grid);
  lasts = tsr_grid_add_values (
      grid, tsr_trace_column ("timesLast", _ ("Came Last"),
                              _ ("External syncs in which it came last; of several that came "
                                 "together the first counts"),
                              TSR_VALUE_COUNT, TRUE));
  shares = tsr_grid_add_values (grid,
                                tsr_trace_column ("waitedShare", _ ("Waited, %"),
                                                  _ ("Of the time of the device: without the waits "
                                                     "that begin runs"),
                                                  TSR_VALUE_FRACTION, FALSE));
  syncs = tsr_grid_add_values (
      grid, tsr_trace_column ("syncs", _ ("Syncs"), _ ("External syncs in which it met other IPUs"),
                              TSR_VALUE_COUNT, FALSE));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = tsr_trace_dup_ipu_name (trace, first + i);
      g_autofree char *share = dup_shares (trace, waits, first + i);

      names[i] = tsr_grid_intern (grid, text);
      keys[i] = tsr_trace_intern_ipu_key (grid, first + i);
      heats[i] = tsr_grid_intern (grid, share);
      sums[i] = sum_cells (waits, first + i, FALSE);
      shares[i]
          = tsr_trace_share (sums[i], tsr_trace_get_device_time (trace, question->run, first + i,
                                                                 question->from, question->to));
      kepts[i] = sum_cells (waits, first + i, TRUE);
      lasts[i] = (gint64)waits->n_last[first + i];
      syncs[i] = (gint64)waits->n_syncs[first + i];
    }
  for (guint ipu = 0; ipu < MIN (waits->n, MOST_COLUMNS); ipu++)
    {
      g_autofree char *key = g_strdup_printf ("ipu%u", ipu);
      g_autofree char *of = tsr_trace_dup_ipu_name (trace, ipu);
      g_autofree char *heading = g_strdup_printf (_ ("For %s"), of);
      gint64 *cells = tsr_grid_add_values (
          grid, tsr_trace_column (key, heading, NULL, TSR_VALUE_COUNT, TRUE));

      for (guint i = 0; i < n; i++)
        cells[i] = waits->cycles[(gsize)(first + i) * waits->n + ipu];
    }
  return tsr_grid_to_rows (grid);
}

static TsrRows *
make_longest_rows (const TsrTrace *trace, const GArray *longest)
{
  TsrGrid *grid = tsr_grid_new (longest->len);
  TsrRowColumn *name = tsr_grid_text_column ("lastIpuName", _ ("Came Last"), NULL);
  const char **lasts, **firsts, **keys = tsr_grid_add_keys (grid);
  gint64 *cycles, *sums, *kepts, *starts, *steps;

  name->pinned = TRUE;
  lasts = tsr_grid_add_texts (grid, name);
  cycles = tsr_grid_add_values (grid,
                                tsr_trace_column ("cycles", _ ("Longest Waits"),
                                                  _ ("Cycles from the first arrival to the last"),
                                                  TSR_VALUE_COUNT, FALSE));
  firsts = tsr_grid_add_texts (grid, tsr_grid_text_column ("firstIpuName", _ ("Came First"), NULL));
  kepts = tsr_grid_add_values (grid, tsr_trace_column ("kept", _ ("Kept Waiting"),
                                                       _ ("IPUs that came before it"),
                                                       TSR_VALUE_COUNT, FALSE));
  sums = tsr_grid_add_values (grid, tsr_trace_column ("sum", _ ("All Waits"),
                                                      _ ("Cycles of all IPUs that waited"),
                                                      TSR_VALUE_COUNT, FALSE));
  starts = tsr_grid_add_values (grid, tsr_trace_column ("start", _ ("At"),
                                                        _ ("Cycle at which the last one came"),
                                                        TSR_VALUE_COUNT, FALSE));
  steps = tsr_grid_add_values (grid,
                               tsr_trace_column ("step", _ ("Step"), NULL, TSR_VALUE_INDEX, FALSE));
  for (guint i = 0; i < longest->len; i++)
    {
      const TsrTraceWait *wait = &g_array_index (longest, TsrTraceWait, i);
      g_autofree char *late = NULL, *early = NULL, *key = NULL;
      TsrTraceSlice last, first;

      tsr_trace_get_slice (trace, wait->slice, &last);
      tsr_trace_get_slice (trace, wait->first_slice, &first);
      late = tsr_trace_dup_ipu_name (trace, last.ipu);
      early = tsr_trace_dup_ipu_name (trace, first.ipu);
      key = g_strdup_printf ("%" PRId64 "\tipu%u", last.step_id, last.ipu);
      lasts[i] = tsr_grid_intern (grid, late);
      firsts[i] = tsr_grid_intern (grid, early);
      keys[i] = tsr_grid_intern (grid, key);
      cycles[i] = wait->cycles;
      sums[i] = wait->sum;
      kepts[i] = wait->n_kept;
      starts[i] = last.start;
      steps[i] = last.step_id;
    }
  return tsr_grid_to_rows (grid);
}

/* Who waits most for whom, @most cycles, and the least that any waits for one that it waits for;
 * and what is left out. */
static char *
dup_note (const TsrTrace *trace, const TsrTraceWaits *waits, gint64 *most, gint64 *least)
{
  g_autofree char *met = tsr_units_dup_count ((gint64)waits->n_met);
  GString *text = g_string_new (NULL);
  guint waiting = 0, last = 0;

  for (guint i = 0; i < waits->n; i++)
    for (guint k = 0; k < waits->n; k++)
      {
        gint64 cycles = waits->cycles[(gsize)i * waits->n + k];

        if (cycles > 0)
          *least = *least > 0 ? MIN (*least, cycles) : cycles;
        if (cycles <= *most)
          continue;
        *most = cycles;
        waiting = i;
        last = k;
      }
  if (*most > 0)
    {
      g_autofree char *early = tsr_trace_dup_ipu_name (trace, waiting);
      g_autofree char *late = tsr_trace_dup_ipu_name (trace, last);
      g_autofree char *cycles = tsr_units_dup_cycles (*most);

      g_string_append_printf (text, _ ("%s waits most: %s for %s"), early, cycles, late);
      g_string_append (text, " · ");
      if (waits->n > MOST_BOXES)
        {
          g_autofree char *lightest = tsr_units_dup_count (*least);
          g_autofree char *darkest = tsr_units_dup_count (*most);

          g_string_append_printf (text, _ ("light to dark: %s to %s cycles"), lightest, darkest);
          g_string_append (text, " · ");
        }
    }
  g_string_append_printf (
      text, ngettext ("%s external sync", "%s external syncs", (gulong)waits->n_met), met);
  if (waits->n_missing > 0)
    {
      g_autofree char *missing = tsr_units_dup_count ((gint64)waits->n_missing);

      g_string_append (text, " · ");
      g_string_append_printf (text,
                              ngettext ("%s more is left out: an arrival is not recorded",
                                        "%s more are left out: an arrival is not recorded",
                                        (gulong)waits->n_missing),
                              missing);
    }
  return g_string_free (text, FALSE);
}

gboolean
tsr_trace_answer_waits (const TsrTraceQuestion *question,
                        TsrTraceAnswer *answer,
                        GCancellable *cancellable,
                        GError **error)
{
  const TsrTrace *trace = question->trace;
  gint64 least = 0;

  if (tsr_trace_get_n_ipus (trace) < 2)
    {
      tsr_trace_answer_say (answer, _ ("One IPU"),
                            _ ("It waits for no other: there are none in this execution"));
      return TRUE;
    }
  if (!tsr_trace_has_external_syncs (trace))
    {
      tsr_trace_answer_say (answer, _ ("No External Syncs"),
                            _ ("IPUs wait for each other in steps of Sync programs named External, "
                               "and this execution has none that takes time"));
      return TRUE;
    }
  answer->waits = tsr_trace_waits_new (trace, question->run, question->from, question->to,
                                       question->ipu, MOST_WAITS, cancellable, error);
  if (answer->waits == NULL)
    return FALSE;
  if (answer->waits->n_met == 0)
    {
      tsr_trace_answer_say (answer, _ ("No IPU Meets Another Here"),
                            answer->waits->n_missing > 0
                                ? _ ("The arrivals in the external syncs are not recorded")
                                : _ ("No external sync of several IPUs takes time in this span"));
      return TRUE;
    }
  answer->note = dup_note (trace, answer->waits, &answer->most_waited, &least);
  if (answer->waits->n > MOST_BOXES)
    {
      answer->least_waited = least;
      answer->sort_key = "kept";
    }
  answer->rows = make_rows (question, answer);
  answer->more = make_longest_rows (trace, answer->waits->longest);
  return TRUE;
}
