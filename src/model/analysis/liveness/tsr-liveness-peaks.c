/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The highest places of a graph over steps. */

#include "config.h"

#include "tsr-liveness.h"

/* Share of the highest peak by which the graph must fall on the way to anything higher. */
#define PROMINENCE 50 /* 1 / 0.02 */

/* Ends of the run of steps around @peak that hold more than its bytes less @fall, which unknown
 * bytes do not: nothing in it is higher, for the graph falls by @fall on the way to anything that
 * is. */
static void
find_run (const TsrLivenessSeries *series, TsrPeak *peak, gint64 fall)
{
  gint64 least = peak->bytes - fall;

  peak->from = peak->to = peak->step;
  while (peak->from > 0 && series->not_always_live[peak->from - 1] > least)
    peak->from--;
  while (peak->to < series->n_steps && series->not_always_live[peak->to] > least)
    peak->to++;
}

static int
compare_peaks (gconstpointer a, gconstpointer b)
{
  const TsrPeak *x = a;
  const TsrPeak *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* One pass: the highest step since the last valley is a peak as soon as the graph has fallen by
 * @fall from it, and a valley ends when the graph has risen by @fall from its lowest step. */
static void
scan (const TsrLivenessSeries *series, gint64 fall, GArray *peaks)
{
  TsrPeak peak = { TSR_NO_INDEX }; /* of a valley */
  gint64 lowest = 0;

  for (guint step = 0; step < series->n_steps; step++)
    {
      gint64 bytes = series->not_always_live[step];

      if (bytes == TSR_UNKNOWN)
        continue;
      lowest = MIN (lowest, bytes);
      if (peak.step == TSR_NO_INDEX ? bytes - lowest >= fall : bytes > peak.bytes)
        peak = (TsrPeak){ .step = step, .bytes = bytes, .n = 1 };
      else if (peak.step != TSR_NO_INDEX && peak.bytes - bytes >= fall)
        {
          g_array_append_val (peaks, peak);
          peak.step = TSR_NO_INDEX;
          lowest = bytes;
        }
    }
  if (peak.step != TSR_NO_INDEX)
    g_array_append_val (peaks, peak);
}

GArray *
tsr_liveness_find_peaks (const TsrLivenessSeries *series, guint most)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (TsrPeak));
  gint64 highest = 0;
  gint64 fall;

  g_return_val_if_fail (series != NULL, peaks);
  for (guint step = 0; step < series->n_steps; step++)
    highest = MAX (highest, series->not_always_live[step]);
  fall = (highest - 1) / PROMINENCE + 1;
  scan (series, fall, peaks);
  g_array_sort (peaks, compare_peaks);
  g_array_set_size (peaks, MIN (peaks->len, most));
  for (guint i = 0; i < peaks->len; i++)
    find_run (series, &g_array_index (peaks, TsrPeak, i), fall);
  return peaks;
}

GArray *
tsr_liveness_find_peak_programs (TsrLiveness *self, const TsrLivenessSeries *series, guint most)
{
  GArray *folded = g_array_new (FALSE, FALSE, sizeof (TsrPeak));
  g_autoptr (GArray) peaks = NULL;
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL); /* program: place + 1 */

  g_return_val_if_fail (self != NULL && series != NULL, folded);
  peaks = tsr_liveness_find_peaks (series, G_MAXUINT);
  for (guint i = 0; i < peaks->len; i++)
    {
      const TsrPeak *peak = &g_array_index (peaks, TsrPeak, i);
      guint program = tsr_liveness_get_step_program (self, peak->step);
      gpointer key = GUINT_TO_POINTER (program);
      guint place
          = program != TSR_NO_INDEX ? GPOINTER_TO_UINT (g_hash_table_lookup (places, key)) : 0;

      if (place > 0)
        g_array_index (folded, TsrPeak, place - 1).n++;
      else if (folded->len < most)
        {
          g_array_append_val (folded, *peak);
          if (program != TSR_NO_INDEX)
            g_hash_table_insert (places, key, GUINT_TO_POINTER (folded->len));
        }
    }
  return folded;
}
