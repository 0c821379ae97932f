/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Execution Trace as words of a link, beside its options:
 *
 *   run=all|profiled|N  range=FROM-TO            what is looked at, in cycles
 *   span=FROM-TO  selected=STEP@IPU,...          what is measured and selected (ids of steps)
 *   ipu=N  pinned=N,...  collapsed=N,...         IPUs over all replicas
 *   hidden=LABELS (a line each)  search=TEXT  top=PIXELS
 *   go=match                                     to the first match of the search; not saved
 *
 * Without a range a link shows the span, else the selected step. */

#include "config.h"

#include "tsr-trace-page-private.h"

#include <stdlib.h>
#include <string.h>

#define MOST_IPUS 4096

static void
set_span (GHashTable *words, const char *name, gboolean any, gint64 from, gint64 to)
{
  g_autofree char *text
      = any ? g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, from, to) : NULL;

  tsr_view_words_set (words, name, text);
}

static void
set_ipus (TsrTracePage *self,
          GHashTable *words,
          const char *name,
          gboolean (*has) (TsrTraceState *state, guint ipu))
{
  guint n = self->trace != NULL ? tsr_trace_get_n_ipus (self->trace) : 0;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (n, MOST_IPUS); i++)
    if (has (tsr_trace_page_get_state (self), i))
      g_string_append_printf (text, "%s%u", text->len > 0 ? "," : "", i);
  tsr_view_words_set (words, name, text->len > 0 ? text->str : NULL);
}

static void
save_selection (TsrTraceState *state, GHashTable *words)
{
  guint n = 0;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (state, &n);
  const char *const *hidden = tsr_trace_state_peek_hidden (state);
  g_autofree char *labels = g_strjoinv ("\n", (char **)hidden);
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 from, to;
  gboolean any = tsr_trace_state_get_span (state, &from, &to);

  set_span (words, "span", any, from, to);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT "@%u", i > 0 ? "," : "", steps[i].step_id,
                            steps[i].ipu);
  tsr_view_words_set (words, "selected", n > 0 ? text->str : NULL);
  tsr_view_words_set (words, "hidden", *labels != '\0' ? labels : NULL);
}

static void
save_words (TsrTracePage *self, GHashTable *words)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  const char *search = tsr_trace_search_get_text (self->search);
  double top = gtk_adjustment_get_value (tsr_trace_view_get_adjustment (self->view));
  guint ipu = tsr_trace_state_get_ipu (state);
  int run = tsr_trace_state_get_run (state);
  g_autofree char *number = g_strdup_printf ("%d", run), *ipu_text = g_strdup_printf ("%u", ipu);
  g_autofree char *top_text = g_strdup_printf ("%d", (int)top);
  gint64 from = 0, to = 0;

  tsr_view_words_set (words, "run",
                      run == TSR_TRACE_RUN_ALL        ? "all"
                      : run == TSR_TRACE_RUN_PROFILED ? "profiled"
                                                      : number);
  tsr_trace_view_get_visible (self->view, &from, &to);
  set_span (words, "range", !tsr_trace_view_is_whole (self->view) && from < to, from, to);
  tsr_view_words_set (words, "ipu", ipu != TSR_NO_INDEX ? ipu_text : NULL);
  set_ipus (self, words, "pinned", tsr_trace_state_is_pinned);
  set_ipus (self, words, "collapsed", tsr_trace_state_is_collapsed);
  save_selection (state, words);
  tsr_view_words_set (words, "search", *search != '\0' ? search : NULL);
  tsr_view_words_set (words, "top", top >= 1 ? top_text : NULL);
}

void
tsr_trace_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrTracePage *self = TSR_TRACE_PAGE (page);
  GHashTableIter iter;
  gpointer name, value;

  /* What still waits is what is wanted; the options do not wait. */
  if (self->words != NULL)
    {
      g_hash_table_iter_init (&iter, self->words);
      while (g_hash_table_iter_next (&iter, &name, &value))
        if (tsr_view_words_get (words, name) == NULL)
          tsr_view_words_set (words, name, value);
    }
  else
    save_words (self, words);
}

/* Back */

/* "120-4500", each a number of 64 bits, the first one perhaps negative. */
static gboolean
parse_span (const char *text, gint64 *from, gint64 *to)
{
  char *end;

  if (text == NULL)
    return FALSE;
  *from = g_ascii_strtoll (text, &end, 10);
  if (end == text || *end != '-')
    return FALSE;
  text = end + 1;
  *to = g_ascii_strtoll (text, &end, 10);
  return end != text && *end == '\0' && *from < *to;
}

static void
load_ipus (TsrTracePage *self,
           const char *text,
           void (*set) (TsrTraceState *state, guint ipu, gboolean on))
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", MOST_IPUS + 1);
  guint n = MIN (tsr_trace_get_n_ipus (self->trace), MOST_IPUS);
  g_autofree guint8 *on = g_new0 (guint8, n);
  guint64 ipu;

  for (guint i = 0; parts[i] != NULL && i < MOST_IPUS; i++)
    if (n > 0 && g_ascii_string_to_unsigned (parts[i], 10, 0, n - 1, &ipu, NULL))
      on[ipu] = 1;
  for (guint i = 0; i < n; i++)
    set (tsr_trace_page_get_state (self), i, on[i]);
}

static void
load_steps (TsrTraceState *state, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", TSR_TRACE_MAX_SELECTED + 1);
  TsrTraceStepRef steps[TSR_TRACE_MAX_SELECTED];
  guint n = 0;

  for (guint i = 0; parts[i] != NULL && n < TSR_TRACE_MAX_SELECTED; i++)
    {
      char *end;
      guint64 ipu;

      steps[n].step_id = g_ascii_strtoll (parts[i], &end, 10);
      if (end == parts[i] || *end != '@'
          || !g_ascii_string_to_unsigned (end + 1, 10, 0, G_MAXUINT32 - 1, &ipu, NULL))
        continue;
      steps[n++].ipu = (guint)ipu;
    }
  tsr_trace_state_set_selected_group (state, NULL);
  tsr_trace_state_set_steps (state, steps, n);
}

static void
load_hidden (TsrTraceState *state, const char *text)
{
  g_auto (GStrv) wanted = g_strsplit (text != NULL ? text : "", "\n", TSR_TRACE_MAX_TYPES + 1);
  g_auto (GStrv) old = g_strdupv ((char **)tsr_trace_state_peek_hidden (state));

  for (guint i = 0; old[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *)wanted, old[i]))
      tsr_trace_state_set_hidden (state, old[i], FALSE);
  for (guint i = 0; wanted[i] != NULL; i++)
    if (*wanted[i] != '\0')
      tsr_trace_state_set_hidden (state, wanted[i], TRUE);
}

static void
load_run (TsrTracePage *self, const char *text)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  guint64 run;

  if (text == NULL)
    return;
  if (g_str_equal (text, "all"))
    tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  else if (g_str_equal (text, "profiled"))
    tsr_trace_state_set_run (state, TSR_TRACE_RUN_PROFILED);
  else if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &run, NULL)
           && run < tsr_trace_get_n_runs (self->trace))
    tsr_trace_state_set_run (state, (int)run);
}

static void
load_range (TsrTracePage *self, GHashTable *words)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  gint64 from, to;
  guint n = 0;

  tsr_trace_state_peek_steps (state, &n);
  if (parse_span (tsr_view_words_get (words, "range"), &from, &to))
    tsr_trace_view_show (self->view, from, to);
  else if (tsr_view_words_get (words, "range") == NULL
           && parse_span (tsr_view_words_get (words, "span"), &from, &to)
           && tsr_view_words_get (words, "shape") == NULL)
    tsr_trace_view_zoom_to (self->view, from, to);
  else
    {
      tsr_viewport_fit (tsr_trace_view_get_viewport (self->view));
      if (n > 0)
        tsr_trace_view_go_to (self->view, tsr_trace_page_get_slice (self), FALSE);
    }
}

static gboolean
on_top (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrTracePage *self = data;

  gtk_adjustment_set_value (tsr_trace_view_get_adjustment (self->view), MAX (self->wanted_top, 0));
  return G_SOURCE_REMOVE;
}

/* The rows have their heights when they are laid out. */
static void
load_top (TsrTracePage *self, const char *text)
{
  guint64 top = 0;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &top, NULL))
    return;
  self->wanted_top = (double)top;
  gtk_widget_add_tick_callback (GTK_WIDGET (self->view), on_top, self, NULL);
}

void
tsr_trace_page_apply_words (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  g_autoptr (GHashTable) words = g_steal_pointer (&self->words);
  const char *search, *ipu_text;
  gint64 from = 0, to = 0;
  guint64 ipu;

  if (words == NULL)
    return;
  load_hidden (state, tsr_view_words_get (words, "hidden"));
  load_run (self, tsr_view_words_get (words, "run"));
  ipu_text = tsr_view_words_get (words, "ipu");
  if (ipu_text != NULL
      && g_ascii_string_to_unsigned (ipu_text, 10, 0, tsr_trace_get_n_ipus (self->trace), &ipu,
                                     NULL)
      && ipu < tsr_trace_get_n_ipus (self->trace))
    tsr_trace_state_set_ipu (state, (guint)ipu);
  else
    tsr_trace_state_set_ipu (state, TSR_NO_INDEX);
  load_ipus (self, tsr_view_words_get (words, "pinned"), tsr_trace_state_set_pinned);
  load_ipus (self, tsr_view_words_get (words, "collapsed"), tsr_trace_state_set_collapsed);
  load_steps (state, tsr_view_words_get (words, "selected"));
  if (!parse_span (tsr_view_words_get (words, "span"), &from, &to))
    from = to = 0;
  tsr_trace_state_set_span (state, from, to);
  search = tsr_view_words_get (words, "search");
  search = search != NULL ? search : "";
  if (g_strcmp0 (search, tsr_trace_search_get_text (self->search)) != 0)
    tsr_trace_search_set_text (self->search, search);
  load_range (self, words);
  load_top (self, tsr_view_words_get (words, "top"));
  if (g_strcmp0 (tsr_view_words_get (words, "go"), "match") == 0)
    tsr_trace_page_zoom_to_match (self, 1);
}

void
tsr_trace_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrTracePage *self = TSR_TRACE_PAGE (page);

  g_clear_pointer (&self->words, g_hash_table_unref);
  self->words = g_hash_table_ref (words);
  if (self->trace != NULL)
    tsr_trace_page_apply_words (self);
}
