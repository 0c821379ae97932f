/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of tiles: as people type them, and in which order a chart shows them. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-memory.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ order */

/* Source: the floor plan of the C600 as published by the ipu-stack project (topology), checked
 * there against the SDK's output: pairs of tiles run up and down in blocks of 23 rows, 64 tiles a
 * row. */
int
tsr_tile_get_physical (guint tile_of_ipu, guint tiles_per_ipu)
{
  guint pair = tile_of_ipu / 2;
  guint lane = tile_of_ipu % 2;
  guint block = pair / 23;
  guint row = pair % 23;

  if (tiles_per_ipu != 1472 || tile_of_ipu >= tiles_per_ipu)
    return -1;
  if (block % 2 == 1)
    row = 22 - row;
  return 64 * row + 4 * (block / 2) + block % 2 + 2 * lane;
}

typedef struct
{
  gint64 key;
  guint tile;
} Keyed;

/* The sort is stable: of the same key the lower tile first. */
static int
compare_ascending (gconstpointer a, gconstpointer b, gpointer data)
{
  const Keyed *x = a;
  const Keyed *y = b;

  return (x->key > y->key) - (x->key < y->key);
}

static int
compare_descending (gconstpointer a, gconstpointer b, gpointer data)
{
  return compare_ascending (b, a, data);
}

guint *
tsr_memory_dup_order (TsrMemory *self, TsrTileOrder order, TsrMetric metric)
{
  guint n = tsr_memory_get_n_tiles (self);
  gint64 tiles_per_ipu = tsr_memory_get_tiles_per_ipu (self);
  const gint64 *values = tsr_memory_peek (self, metric);
  g_autofree Keyed *keyed = g_new (Keyed, MAX (n, 1));
  guint *tiles;

  if (order == TSR_ORDER_PHYSICAL && tiles_per_ipu != 1472)
    return NULL;
  if (order == TSR_ORDER_BYTES && values == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      keyed[i].tile = i;
      keyed[i].key = order == TSR_ORDER_BYTES
                         ? values[i]
                         : i / 1472 * 1472 + tsr_tile_get_physical (i % 1472, 1472);
    }
  if (order != TSR_ORDER_SOFTWARE)
    g_qsort_with_data (keyed, (gint)n, sizeof *keyed,
                       order == TSR_ORDER_BYTES ? compare_descending : compare_ascending, NULL);
  tiles = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    tiles[i] = keyed[i].tile;
  return tiles;
}

/* ------------------------------------------------------------------- text */

/* Digits of @text up to @end as a number; FALSE when there are none or too many. */
static gboolean
parse_number (const char *text, const char **end, guint64 *number)
{
  char *stop = NULL;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *number = g_ascii_strtoull (text, &stop, 10);
  *end = stop;
  return *number <= G_MAXUINT32;
}

static gboolean
fail_tile (TsrMemory *self, guint64 tile, GError **error)
{
  if (tsr_memory_get_n_tiles (self) == 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT, _ ("This report has no tiles"));
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                 _ ("There is no tile %" PRIu64 ": this report has tiles 0 to %u"), tile,
                 tsr_memory_get_n_tiles (self) - 1);
  return FALSE;
}

static gboolean
fail_word (const char *word, GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
               _ ("“%s” is not a list of tiles; write tiles, ranges, IPUs or the fullest, as in "
                  "0,5,10-20,ipu1,top5"),
               word);
  return FALSE;
}

static gboolean
add_range (TsrMemory *self, guint64 from, guint64 to, guint8 *chosen, GError **error)
{
  guint n = tsr_memory_get_n_tiles (self);

  if (MAX (from, to) >= n)
    return fail_tile (self, MAX (from, to), error);
  memset (chosen + MIN (from, to), TRUE, MAX (from, to) - MIN (from, to) + 1);
  return TRUE;
}

static gboolean
add_ipu (TsrMemory *self, guint64 ipu, guint8 *chosen, GError **error)
{
  guint first;
  guint end;

  if (tsr_memory_get_tiles_per_ipu (self) == TSR_UNKNOWN)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("The report does not say how many tiles an IPU has; name the tiles instead"));
      return FALSE;
    }
  if (ipu >= tsr_memory_get_n_ipus (self))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                   _ ("There is no IPU %" PRIu64 ": a replica of this report has IPUs 0 to %u"),
                   ipu, tsr_memory_get_n_ipus (self) - 1);
      return FALSE;
    }
  tsr_memory_get_ipu_tiles (self, ipu, &first, &end);
  memset (chosen + first, TRUE, end - first);
  return TRUE;
}

static gboolean
add_top (TsrMemory *self, guint64 count, guint8 *chosen, GError **error)
{
  g_autofree guint *order
      = tsr_memory_dup_order (self, TSR_ORDER_BYTES, tsr_memory_get_fullness_metric (self));

  if (order == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("The report does not say how full the tiles are; name the tiles instead"));
      return FALSE;
    }
  for (guint64 i = 0; i < MIN (count, tsr_memory_get_n_tiles (self)); i++)
    chosen[order[i]] = TRUE;
  return TRUE;
}

static gboolean
add_word (TsrMemory *self, const char *word, guint8 *chosen, GError **error)
{
  const char *end = NULL;
  guint64 from;
  guint64 to;

  if (g_ascii_strncasecmp (word, "ipu", 3) == 0 && parse_number (word + 3, &end, &from)
      && *end == '\0')
    return add_ipu (self, from, chosen, error);
  if (g_ascii_strncasecmp (word, "top", 3) == 0 && parse_number (word + 3, &end, &from)
      && *end == '\0' && from > 0)
    return add_top (self, from, chosen, error);
  if (!parse_number (word, &end, &from))
    return fail_word (word, error);
  if (*end == '\0')
    return add_range (self, from, from, chosen, error);
  if (*end != '-' || !parse_number (end + 1, &end, &to) || *end != '\0')
    return fail_word (word, error);
  return add_range (self, from, to, chosen, error);
}

/* Spaces around a dash belong to the range: "10 - 20"; other spaces separate like commas. */
static char **
split_words (const char *text)
{
  g_autoptr (GRegex) dash = g_regex_new ("\\s*(?:-|\xe2\x80\x93)\\s*", G_REGEX_OPTIMIZE, 0, NULL);
  g_autofree char *joined = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    return g_strsplit_set (text, ", \t\n;", -1);
  joined = g_regex_replace_literal (dash, text, -1, 0, "-", 0, NULL);
  return g_strsplit_set (joined != NULL ? joined : text, ", \t\n;", -1);
}

GArray *
tsr_memory_parse_tiles (TsrMemory *self, const char *text, GError **error)
{
  g_autofree guint8 *chosen = NULL;
  g_auto (GStrv) words = NULL;
  GArray *tiles;
  guint n;

  g_return_val_if_fail (self != NULL && text != NULL, NULL);
  n = tsr_memory_get_n_tiles (self);
  chosen = g_new0 (guint8, MAX (n, 1));
  words = split_words (text);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && !add_word (self, words[i], chosen, error))
      return NULL;
  tiles = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint tile = 0; tile < n; tile++)
    if (chosen[tile])
      g_array_append_val (tiles, tile);
  return tiles;
}

char *
tsr_memory_format_tiles (const guint *tiles, guint n_tiles)
{
  GString *text;

  g_return_val_if_fail (tiles != NULL || n_tiles == 0, NULL);
  text = g_string_new (NULL);
  for (guint i = 0; i < n_tiles;)
    {
      guint end = i + 1;

      while (end < n_tiles && tiles[end] == tiles[end - 1] + 1)
        end++;
      if (text->len > 0)
        g_string_append_c (text, ',');
      g_string_append_printf (text, "%u", tiles[i]);
      if (end - i >= 3)
        {
          g_string_append_printf (text, "-%u", tiles[end - 1]);
          i = end;
        }
      else
        i++;
    }
  return g_string_free (text, FALSE);
}
