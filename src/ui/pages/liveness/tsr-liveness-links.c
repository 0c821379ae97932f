/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the Liveness page shows beside its options as words of a link, and back. */

#include "config.h"

#include "tsr-liveness-page-private.h"

static const char *const by_nicks[TSR_LIVENESS_N_BY] = { "variable", "prefix", "category", "life" };

static TsrRowView *
get_view (TsrLivenessPage *self)
{
  return tsr_tabs_get_shown (TSR_TABS (self->tabs))->view;
}

/* Saving */

static void
save_table (TsrLivenessPage *self, GHashTable *words)
{
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

static const char *const order_nicks[] = { "bytes", "birth", "death" };

static void
save_lifetimes (TsrLivenessPage *self, GHashTable *words)
{
  TsrLifetimeOrder order = tsr_lifetime_view_get_order (self->lifetimes);
  const char *filter = tsr_lifetime_view_get_filter (self->lifetimes);

  if (order != TSR_LIFETIME_BY_BYTES)
    tsr_view_words_set (words, "lifetime-order", order_nicks[order]);
  if (tsr_lifetime_view_get_colour (self->lifetimes) == TSR_LIFETIME_COLOUR_CATEGORY)
    tsr_view_words_set (words, "lifetime-colour", "category");
  tsr_view_words_set (words, "lifetime-filter", *filter != '\0' ? filter : NULL);
}

void
tsr_liveness_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  const char *match = tsr_step_filter_get_text (self->step_filter);

  tsr_view_words_set (words, "match", *match != '\0' ? match : NULL);
  save_table (self, words);
  save_lifetimes (self, words);
}

/* Loading */

static gboolean
is_whole (TsrLivenessPage *self, GHashTable *words)
{
  return tsr_view_state_is_whole (tsr_page_get_view_state (TSR_PAGE (self)), words);
}

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

static void
load_table (TsrLivenessPage *self, GHashTable *words)
{
  gboolean whole = is_whole (self, words);
  const char *filter = tsr_view_words_get (words, "filter"),
             *sort = tsr_view_words_get (words, "sort");
  const char *peak = tsr_view_words_get (words, "peak");
  TsrRowView *view = get_view (self);
  guint64 place;

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

static void
load_lifetimes (TsrLivenessPage *self, GHashTable *words)
{
  gboolean whole = is_whole (self, words);
  const char *order = tsr_view_words_get (words, "lifetime-order");
  const char *colour = tsr_view_words_get (words, "lifetime-colour");
  const char *filter = tsr_view_words_get (words, "lifetime-filter");
  TsrLifetimeOrder wanted = TSR_LIFETIME_BY_BYTES;

  for (guint i = 0; i < G_N_ELEMENTS (order_nicks); i++)
    if (g_strcmp0 (order, order_nicks[i]) == 0)
      wanted = i;
  if (order != NULL || whole)
    tsr_lifetime_view_set_order (self->lifetimes, wanted);
  if (colour != NULL || whole)
    tsr_lifetime_view_set_colour (self->lifetimes, g_strcmp0 (colour, "category") == 0
                                                       ? TSR_LIFETIME_COLOUR_CATEGORY
                                                       : TSR_LIFETIME_COLOUR_PREFIX);
  filter = filter != NULL ? filter : "";
  if (g_strcmp0 (tsr_lifetime_view_get_filter (self->lifetimes), filter) != 0)
    tsr_lifetime_view_set_filter (self->lifetimes, filter);
}

void
tsr_liveness_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  const char *match = tsr_view_words_get (words, "match");

  /* Insights speak of variables wherever they are. */
  if (g_strcmp0 (tsr_view_words_get (words, "tab"), "variables") == 0)
    tsr_page_set_option (page, TSR_LIVENESS_OPTION_TAB, TSR_LIVENESS_TAB_TEMPORARY);
  load_table (self, words);
  load_lifetimes (self, words);
  match = match != NULL ? match : "";
  if (g_strcmp0 (tsr_step_filter_get_text (self->step_filter), match) != 0)
    tsr_step_filter_set_text (self->step_filter, match);
}
