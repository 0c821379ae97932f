/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where liveness is looked at: as people type it and as it is shown. */

#include "config.h"

#include "tsr-liveness-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
tsr_liveness_source_clear (TsrLivenessSource *source)
{
  g_free (source->tiles);
  memset (source, 0, sizeof *source);
}

void
tsr_liveness_source_copy (const TsrLivenessSource *source, TsrLivenessSource *copy)
{
  g_return_if_fail (source != NULL && copy != NULL);
  *copy = *source;
  copy->tiles = g_memdup2 (source->tiles, source->n_tiles * sizeof *source->tiles);
}

gboolean
tsr_liveness_source_equal (const TsrLivenessSource *a, const TsrLivenessSource *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  if (a->kind != b->kind)
    return FALSE;
  if (a->kind == TSR_LIVENESS_IPU)
    return a->ipu == b->ipu;
  return a->kind == TSR_LIVENESS_ALL
         || (a->n_tiles == b->n_tiles
             && (a->n_tiles == 0
                 || memcmp (a->tiles, b->tiles, a->n_tiles * sizeof *a->tiles) == 0));
}

/* "ipu1" and nothing else. */
static gboolean
is_one_ipu (const char *word, guint *ipu)
{
  guint64 number;

  if (g_ascii_strncasecmp (word, "ipu", 3) != 0
      || !g_ascii_string_to_unsigned (word + 3, 10, 0, G_MAXUINT32, &number, NULL))
    return FALSE;
  *ipu = number;
  return TRUE;
}

/* "tile5" is "5". */
static char *
dup_without_tile (const char *text)
{
  g_autoptr (GRegex) word
      = g_regex_new ("\\btiles?\\s*(?=[0-9])", G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL);
  char *plain = g_regex_replace_literal (word, text, -1, 0, "", 0, NULL);

  return plain != NULL ? plain : g_strdup (text);
}

gboolean
tsr_liveness_source_parse (TsrMemory *memory,
                           const char *text,
                           TsrLivenessSource *source,
                           GError **error)
{
  g_autofree char *word = NULL;
  g_autofree char *plain = NULL;
  GArray *tiles;
  guint ipu = 0;

  g_return_val_if_fail (memory != NULL && text != NULL && source != NULL, FALSE);

  memset (source, 0, sizeof *source);
  word = g_strstrip (g_strdup (text));
  if (g_ascii_strcasecmp (word, "all") == 0)
    return TRUE;
  plain = dup_without_tile (word);
  tiles = tsr_memory_parse_tiles (memory, plain, error);
  if (tiles == NULL)
    return FALSE;
  if (tiles->len == 0)
    {
      g_array_unref (tiles);
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                   _ ("“%s” names no tile; write all, an IPU as in ipu0, or tiles as in tile5 or "
                      "0,5,10-20,top5"),
                   text);
      return FALSE;
    }
  if (is_one_ipu (word, &ipu))
    {
      g_array_unref (tiles);
      source->kind = TSR_LIVENESS_IPU;
      source->ipu = ipu;
      return TRUE;
    }
  source->kind = TSR_LIVENESS_TILES;
  source->n_tiles = tiles->len;
  source->tiles = (guint *)(void *)g_array_free (tiles, FALSE);
  return TRUE;
}

char *
tsr_liveness_source_dup_text (const TsrLivenessSource *source)
{
  g_return_val_if_fail (source != NULL, NULL);
  if (source->kind == TSR_LIVENESS_ALL)
    return g_strdup ("all");
  if (source->kind == TSR_LIVENESS_IPU)
    return g_strdup_printf ("ipu%u", source->ipu);
  if (source->n_tiles == 1)
    return g_strdup_printf ("tile%u", source->tiles[0]);
  return tsr_memory_format_tiles (source->tiles, source->n_tiles);
}

char *
tsr_liveness_source_dup_label (const TsrLivenessSource *source)
{
  g_autofree char *count = NULL;

  g_return_val_if_fail (source != NULL, NULL);
  if (source->kind == TSR_LIVENESS_ALL)
    return g_strdup (_ ("All tiles"));
  if (source->kind == TSR_LIVENESS_IPU)
    return g_strdup_printf (_ ("IPU %u"), source->ipu);
  if (source->n_tiles == 1)
    return g_strdup_printf (_ ("Tile %u"), source->tiles[0]);
  count = tsr_units_dup_count (source->n_tiles);
  return g_strdup_printf (ngettext ("%s tile", "%s tiles", source->n_tiles), count);
}

gboolean
tsr_liveness_source_get_range (TsrMemory *memory,
                               const TsrLivenessSource *source,
                               guint *first,
                               guint *end)
{
  *first = *end = 0;
  if (source->kind == TSR_LIVENESS_TILES)
    return FALSE;
  if (source->kind == TSR_LIVENESS_ALL)
    *end = tsr_memory_get_n_tiles (memory);
  else if (source->ipu < tsr_memory_get_n_ipus (memory))
    tsr_memory_get_ipu_tiles (memory, source->ipu, first, end);
  return TRUE;
}
