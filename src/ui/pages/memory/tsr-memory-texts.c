/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts of the Memory page. */

#include "config.h"

#include "tsr-memory-texts.h"

#include <glib/gi18n.h>

static const char *
metric_words (TsrMetric metric)
{
  if (metric == TSR_METRIC_INCLUDING_GAPS)
    return _ ("including gaps");
  if (metric == TSR_METRIC_EXCLUDING_GAPS)
    return _ ("excluding gaps");
  return _ ("in total");
}

static void
append_metric (GString *out, TsrMemory *memory, TsrMetric metric, guint tile, const char *words)
{
  const gint64 *values = tsr_memory_peek (memory, metric);
  g_autofree char *bytes = NULL;

  if (values == NULL || values[tile] == TSR_UNKNOWN)
    return;
  bytes = tsr_units_dup_bytes_exact (values[tile]);
  g_string_append_printf (out, " · %s %s", bytes, words);
}

char *
tsr_memory_texts_tile (TsrMemory *memory, guint tile)
{
  GString *out = g_string_new (NULL);
  gint64 capacity = tsr_memory_get_capacity (memory);
  const gint64 *fullness = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  gint64 need;

  g_return_val_if_fail (tile < tsr_memory_get_n_tiles (memory), g_string_free (out, FALSE));
  g_string_append_printf (out, _ ("Tile %u"), tile);
  if (tsr_memory_get_tiles_per_ipu (memory) != TSR_UNKNOWN)
    {
      g_string_append (out, " · ");
      g_string_append_printf (out, _ ("IPU %u"), tsr_memory_get_ipu (memory, tile));
      if (tsr_memory_is_tiles_per_ipu_assumed (memory))
        g_string_append (out, _ (" (assumed)"));
    }
  append_metric (out, memory, TSR_METRIC_INCLUDING_GAPS, tile, _ ("including gaps"));
  append_metric (out, memory, TSR_METRIC_EXCLUDING_GAPS, tile, _ ("excluding gaps"));
  if (tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS) == NULL
      && tsr_memory_peek (memory, TSR_METRIC_EXCLUDING_GAPS) == NULL)
    append_metric (out, memory, TSR_METRIC_TOTAL, tile, _ ("in total"));
  if (capacity > 0 && fullness != NULL && fullness[tile] != TSR_UNKNOWN)
    {
      g_autofree char *percent = tsr_units_dup_percent ((double)fullness[tile] / capacity, 2);

      g_string_append (out, " · ");
      g_string_append_printf (out, _ ("%s full"), percent);
    }
  need = tsr_memory_get_need (memory, tile);
  if (need != TSR_UNKNOWN && need > 0)
    {
      g_autofree char *bytes = tsr_units_dup_bytes_exact (need);

      g_string_append (out, " · ");
      g_string_append_printf (out, _ ("%s too much"), bytes);
    }
  return g_string_free (out, FALSE);
}

char *
tsr_memory_texts_selection (TsrMemory *memory,
                            TsrMetric metric,
                            gboolean told,
                            const guint *tiles,
                            guint n_tiles,
                            TsrUnits units)
{
  const gint64 *values = tsr_memory_peek (memory, metric);
  guint n = n_tiles > 0 ? n_tiles : tsr_memory_get_n_tiles (memory);
  g_autofree char *count = tsr_units_dup_count (n);
  g_autofree char *bytes = NULL, *sum = NULL, *mean = NULL, *max = NULL, *head = NULL;
  TsrStatistics statistics;

  if (n_tiles > 0)
    head = g_strdup_printf (g_dngettext (NULL, "%s tile selected", "%s tiles selected", n), count);
  else
    head = g_strdup_printf (g_dngettext (NULL, "%s tile", "%s tiles", n), count);
  if (values == NULL)
    return g_steal_pointer (&head);
  tsr_memory_get_statistics (values, tsr_memory_get_n_tiles (memory), n_tiles > 0 ? tiles : NULL, n,
                             &statistics);
  if (statistics.sum == TSR_UNKNOWN)
    return g_steal_pointer (&head);
  bytes = tsr_units_dup_bytes (units, statistics.sum);
  sum = told ? g_steal_pointer (&bytes) : g_strdup_printf ("%s %s", bytes, metric_words (metric));
  mean = tsr_units_dup_bytes (units, statistics.mean);
  max = tsr_units_dup_bytes (units, statistics.max);
  if (n == 1)
    return g_strdup_printf (_ ("%s: %s"), head, sum);
  return g_strdup_printf (_ ("%s: %s, mean %s, fullest tile %u (%s)"), head, sum, mean,
                          statistics.max_tile, max);
}

char *
tsr_memory_texts_tiles (TsrMemory *memory)
{
  guint n_tiles = tsr_memory_get_n_tiles (memory), n_ipus = tsr_memory_get_n_ipus (memory);
  g_autofree char *count = tsr_units_dup_count (n_tiles);
  g_autofree char *tiles
      = g_strdup_printf (g_dngettext (NULL, "%s tile", "%s tiles", n_tiles), count);
  g_autofree char *ipus = NULL;

  if (tsr_memory_get_tiles_per_ipu (memory) == TSR_UNKNOWN)
    return g_strdup_printf (_ ("%s, IPUs not known"), tiles);
  ipus = g_strdup_printf (g_dngettext (NULL, "%u IPU", "%u IPUs", n_ipus), n_ipus);
  if (tsr_memory_is_tiles_per_ipu_assumed (memory))
    return g_strdup_printf (_ ("%s on %s (assumed)"), tiles, ipus);
  return g_strdup_printf (_ ("%s on %s"), tiles, ipus);
}

char *
tsr_memory_texts_scope_selection (const guint *tiles, guint n_tiles)
{
  g_autofree char *text = NULL;
  g_autofree char *count = tsr_units_dup_count (n_tiles);

  if (n_tiles == 0)
    return g_strdup (_ ("no selection"));
  text = tsr_memory_format_tiles (tiles, n_tiles);
  if (n_tiles == 1)
    return g_strdup_printf (_ ("selection: tile %s"), text);
  if (g_utf8_strlen (text, -1) > 40)
    return g_strdup_printf (_ ("selection: %s tiles"), count);
  return g_strdup_printf (_ ("selection: tiles %s"), text);
}

char *
tsr_memory_texts_replicas (const TsrSummary *summary, TsrMemory *memory)
{
  const TsrTarget *target = summary != NULL ? &summary->target : NULL;
  gint64 replicas = target != NULL ? target->num_replicas : TSR_UNKNOWN;
  g_autofree char *tiles = tsr_memory_texts_tiles (memory);
  g_autofree char *count = NULL;

  if (tsr_memory_is_from_archive (memory))
    return g_strdup_printf (_ ("These figures come from archive.a, which holds the program of one "
                               "replica: %s.  It has the total of each tile and nothing else."),
                            tiles);
  if (replicas == TSR_UNKNOWN)
    return g_strdup_printf (_ ("All figures are for one replica: %s.  The report does not say how "
                               "many replicas there are."),
                            tiles);
  if (replicas == 1)
    return g_strdup_printf (_ ("The program runs as a single replica: %s."), tiles);
  count = tsr_units_dup_count (replicas);
  return g_strdup_printf (_ ("The program runs as %s replicas, copies of each other on IPUs of "
                             "their own.  All figures are for one of them: %s.  The whole target "
                             "needs %s times as much."),
                          count, tiles, count);
}
