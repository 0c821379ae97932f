/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The selection of a session as words of a link, and back.  Tiles, steps and a source wait until
 * what they are numbers of has been read. */

#include "config.h"

#include "tsr-session-private.h"

#define MANY 4096 /* tiles that a link names one by one */

static void
save_tiles (TsrSession *self, GHashTable *words)
{
  guint n = 0;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (self), &n);
  g_autofree char *text = n > 0 && n <= MANY ? tsr_memory_format_tiles (tiles, n) : NULL;

  tsr_words_set (words, "tiles", text);
}

static void
save_steps (TsrSession *self, GHashTable *words)
{
  TsrStepSelection *selection = tsr_session_get_steps (self);
  const TsrLivenessSource *source = tsr_step_selection_get_source (selection);
  TsrMemory *memory = tsr_session_get_memory (self);
  const char *const *names = tsr_step_selection_peek_variables (selection);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *source_text
      = source != NULL && memory != NULL ? tsr_liveness_source_dup_text (memory, source) : NULL;
  guint n = 0;
  const guint *steps = tsr_step_selection_peek (selection, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? "," : "", steps[i]);
  tsr_words_set (words, "steps", n > 0 ? text->str : NULL);
  tsr_words_set (words, "source", source_text);
  g_string_truncate (text, 0);
  /* A name may have any character but a line feed. */
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", names[i]);
  tsr_words_set (words, "variables", text->len > 0 ? text->str : NULL);
}

static void
save_range (TsrSession *self, TsrView view, GHashTable *words)
{
  TsrViewport *viewport = tsr_session_get_viewport (self, tsr_view_get_nick (view));
  double from, to, first, end;
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;

  tsr_viewport_get_range (viewport, &from, &to);
  tsr_viewport_get_domain (viewport, &first, &end);
  if (from != first || to != end)
    text = g_strdup_printf ("%s-%s", g_ascii_formatd (a, sizeof a, "%.6g", from),
                            g_ascii_formatd (b, sizeof b, "%.6g", to));
  tsr_words_set (words, "range", text);
}

void
tsr_session_save_words (TsrSession *self, TsrView view, GHashTable *words)
{
  g_return_if_fail (TSR_IS_SESSION (self) && words != NULL);

  save_tiles (self, words);
  save_steps (self, words);
  save_range (self, view, words);
}

void
tsr_session_apply_tiles (TsrSession *self, GHashTable *words)
{
  const char *text = tsr_words_get (words, "tiles");
  g_autoptr (GArray) tiles
      = text != NULL ? tsr_memory_parse_tiles (tsr_session_get_memory (self), text, NULL) : NULL;

  if (tiles != NULL)
    tsr_tile_selection_set (tsr_session_get_selection (self), (const guint *)tiles->data,
                            tiles->len);
  else
    tsr_tile_selection_clear (tsr_session_get_selection (self));
}

void
tsr_session_apply_steps (TsrSession *self, GHashTable *words)
{
  TsrStepSelection *selection = tsr_session_get_steps (self);
  const char *source_text = tsr_words_get (words, "source");
  const char *text = tsr_words_get (words, "steps");
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", TSR_MAX_SELECTED_STEPS + 1);
  guint n_steps = tsr_liveness_get_n_steps (tsr_session_get_liveness (self));
  g_auto (TsrLivenessSource) source = { 0 };
  guint steps[TSR_MAX_SELECTED_STEPS];
  guint n = 0;

  for (guint i = 0; parts[i] != NULL && n < TSR_MAX_SELECTED_STEPS; i++)
    {
      guint64 step;

      if (g_ascii_string_to_unsigned (parts[i], 10, 0, G_MAXUINT32, &step, NULL) && step < n_steps)
        steps[n++] = step;
    }
  tsr_step_selection_set (selection, steps, n);
  if (source_text != NULL
      && tsr_liveness_source_parse (tsr_session_get_memory (self), source_text, &source, NULL))
    tsr_step_selection_set_source (selection, &source);
  else
    tsr_step_selection_set_source (selection, NULL);
}

static void
apply_range (TsrSession *self, TsrView view, GHashTable *words)
{
  TsrViewport *viewport = tsr_session_get_viewport (self, tsr_view_get_nick (view));
  const char *text = tsr_words_get (words, "range");
  char *end = NULL;
  double from = text != NULL ? g_ascii_strtod (text, &end) : 0;
  double to = end != NULL && end != text && *end == '-' ? g_ascii_strtod (end + 1, NULL) : 0;

  if (from < to)
    tsr_viewport_set_range (viewport, from, to, 0);
  else
    tsr_viewport_fit (viewport);
}

void
tsr_session_load_words (TsrSession *self, TsrView view, GHashTable *words)
{
  const char *names = tsr_words_get (words, "variables");
  g_auto (GStrv) list = g_strsplit (names != NULL ? names : "", "\n", -1);

  g_return_if_fail (TSR_IS_SESSION (self) && words != NULL);
  tsr_step_selection_set_variables (tsr_session_get_steps (self), (const char *const *)list);
  if (view != TSR_N_VIEWS)
    apply_range (self, view, words);
  tsr_session_want_words (self, words);
}
