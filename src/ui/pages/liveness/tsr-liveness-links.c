/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the Liveness page shows of its tabs as words of a link, and back; the rest are its options.
 */

#include "config.h"

#include "tsr-liveness-page-private.h"

static const char *const by_nicks[TSR_LIVENESS_N_BY] = { "variable", "prefix", "category", "life" };

static TsrRowView *
get_view (TsrLivenessPage *self)
{
  return tsr_tabs_get_shown (TSR_TABS (self->tabs))->view;
}

/* Saving */

void
tsr_liveness_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  TsrLivenessTab tab = tsr_tabs_get_shown (TSR_TABS (self->tabs))->number;
  TsrRowView *view = get_view (self);
  GPtrArray *groups = tsr_liveness_tabs_peek_groups (self->tabs);
  g_autofree char *sort = view != NULL ? tsr_row_view_dup_sort (view) : NULL;
  const char *filter = view != NULL ? tsr_row_view_get_filter (view) : "";
  TsrLivenessBy by;
  guint depth;

  tsr_view_words_set (words, "filter", *filter != '\0' ? filter : NULL);
  tsr_view_words_set (words, "sort", sort);
  if (tsr_liveness_tabs_get_grouping (self->tabs, tab, &by, &depth)
      && by != TSR_LIVENESS_BY_VARIABLE)
    {
      g_auto (GStrv) names = tsr_liveness_groups_dup_names (groups);
      g_autofree char *text = g_strjoinv ("\n", names);
      g_autofree char *number = g_strdup_printf ("%u", depth);

      tsr_view_words_set (words, "by", by_nicks[by]);
      tsr_view_words_set (words, "depth", by == TSR_LIVENESS_BY_PREFIX ? number : NULL);
      tsr_view_words_set (words, "groups", *text != '\0' ? text : NULL);
    }
  if (tsr_liveness_tabs_get_mode (self->tabs, tab))
    tsr_view_words_set (words, "mode", "2");
  if (tab == TSR_LIVENESS_TAB_PEAK && tsr_liveness_tabs_get_peak (self->tabs) > 0)
    {
      g_autofree char *peak = g_strdup_printf ("%u", tsr_liveness_tabs_get_peak (self->tabs) + 1);

      tsr_view_words_set (words, "peak", peak);
    }
}

/* Loading */

static void
load_grouping (TsrLivenessPage *self, GHashTable *words, gboolean whole)
{
  TsrLivenessTab tab = tsr_tabs_get_shown (TSR_TABS (self->tabs))->number;
  const char *nick = tsr_view_words_get (words, "by"), *text = tsr_view_words_get (words, "depth");
  const char *groups = tsr_view_words_get (words, "groups"),
             *mode = tsr_view_words_get (words, "mode");
  TsrLivenessBy by = TSR_LIVENESS_BY_VARIABLE, was;
  guint64 number;
  guint depth;

  if (tsr_liveness_tabs_get_grouping (self->tabs, tab, &was, &depth) && (nick != NULL || whole))
    {
      g_auto (GStrv) names = groups != NULL ? g_strsplit (groups, "\n", -1) : NULL;

      for (guint i = 0; i < TSR_LIVENESS_N_BY; i++)
        if (g_strcmp0 (nick, by_nicks[i]) == 0)
          by = i;
      if (text != NULL && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &number, NULL))
        depth = (guint)number;
      tsr_liveness_tabs_set_grouping (self->tabs, tab, by, depth);
      tsr_liveness_tabs_select_groups (self->tabs, tab, (const char *const *)names);
    }
  if (mode != NULL || whole)
    tsr_liveness_tabs_set_mode (self->tabs, tab, g_strcmp0 (mode, "2") == 0);
}

void
tsr_liveness_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  gboolean whole = tsr_view_state_is_whole (tsr_page_get_view_state (page), words);
  const char *filter = tsr_view_words_get (words, "filter"),
             *sort = tsr_view_words_get (words, "sort");
  const char *peak = tsr_view_words_get (words, "peak");
  TsrRowView *view;
  guint64 place;

  /* Insights speak of variables wherever they are. */
  if (g_strcmp0 (tsr_view_words_get (words, "tab"), "variables") == 0)
    tsr_page_set_option (page, TSR_LIVENESS_OPTION_TAB, TSR_LIVENESS_TAB_TEMPORARY);
  view = get_view (self);
  load_grouping (self, words, whole);
  if (peak != NULL && g_ascii_string_to_unsigned (peak, 10, 1, G_MAXUINT32, &place, NULL))
    tsr_liveness_tabs_want_peak (self->tabs, (guint)place - 1);
  else if (whole)
    tsr_liveness_tabs_want_peak (self->tabs, 0);
  if (view == NULL)
    return;
  /* A filter that is not named would hide what is. */
  filter = filter != NULL ? filter : "";
  if (g_strcmp0 (tsr_row_view_get_filter (view), filter) != 0)
    tsr_row_view_set_filter (view, filter);
  if (sort != NULL || whole)
    tsr_row_view_set_sort (view, sort);
}
