/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the Memory page shows as words of a link, and back. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include <inttypes.h>

/* Links.  What is saved always names the graph, so that in words with a graph everything that is
 * not named is as usual; a finding names only what it is about, and leaves the rest alone. */

#define GRAPH_WORD 0 /* of option_words */

static const struct
{
  const char *word, *property, *usual;
} option_words[] = {
  { "graph", "graph", "total" },
  { "breakdown", "breakdown", "none" },
  { "order", "order", "software" },
  { "tab", "tab", "details" },
};

static const struct
{
  const char *word, *property;
  gboolean usual;
} switch_words[] = {
  { "gaps", "include-gaps", FALSE },
  { "at-step", "at-step", FALSE },
  { "max", "show-max", TRUE },
  { "fit", "fit-data", FALSE },
};

/* Keys of hidden series of the total. */
static void
load_hidden (TsrMemoryPage *self, const char *hidden)
{
  g_strfreev (self->hidden_series);
  self->hidden_series = g_strsplit (hidden != NULL ? hidden : "", "\n", -1);
  if (self->model != NULL)
    tsr_memory_page_restore_hidden_series (self);
}

/* Range of the map's colours, bytes. */
static void
save_scale (TsrMemoryPage *self, GHashTable *words)
{
  g_autofree char *text = NULL;
  gint64 from, to;

  if (self->tile_map == NULL || !tsr_tile_map_has_scale (self->tile_map))
    return;
  tsr_tile_map_get_scale (self->tile_map, &from, &to);
  text = g_strdup_printf ("%" PRId64 "-%" PRId64, from, to);
  tsr_words_set (words, "scale", text);
}

static void
load_scale (TsrMemoryPage *self, const char *text)
{
  g_auto (GStrv) ends = g_strsplit (text != NULL ? text : "", "-", 2);
  gint64 from = 0, to = 0;

  if (g_strv_length (ends) != 2
      || !g_ascii_string_to_signed (ends[0], 10, 0, G_MAXINT64 / 2, &from, NULL)
      || !g_ascii_string_to_signed (ends[1], 10, 0, G_MAXINT64 / 2, &to, NULL))
    from = to = 0;
  tsr_memory_page_set_scale (self, from, to);
}

/* "ipu" of the tile map, "plotted": names of variables, a line each. */
static void
save_graph_words (TsrMemoryPage *self, GHashTable *words)
{
  const char *const *names = tsr_variable_picker_peek_names (self->picker);
  g_autofree char *ipu = g_strdup_printf ("%u", self->ipu_place - 1);
  g_autofree char *hidden = NULL;

  if (self->graph == TSR_MEMORY_GRAPH_TILE_MAP && self->ipu_place > 0)
    tsr_words_set (words, "ipu", ipu);
  if (self->graph == TSR_MEMORY_GRAPH_TILE_MAP)
    save_scale (self, words);
  if (self->graph == TSR_MEMORY_GRAPH_VARIABLES && names != NULL && names[0] != NULL)
    {
      g_autofree char *text = g_strjoinv ("\n", (char **)names);

      tsr_words_set (words, "plotted", text);
    }
  if (self->graph == TSR_MEMORY_GRAPH_VARIABLES && self->variables_model != NULL)
    hidden = tsr_chart_model_dup_hidden (TSR_CHART_MODEL (self->variables_model));
  else if (self->graph == TSR_MEMORY_GRAPH_TOTAL && self->model != NULL)
    hidden = tsr_chart_model_dup_hidden (TSR_CHART_MODEL (self->model));
  tsr_words_set (words, "hidden", hidden);
}

static void
load_graph_words (TsrMemoryPage *self, GHashTable *words, gboolean whole)
{
  const char *hidden = tsr_words_get (words, "hidden");
  const char *ipu = tsr_words_get (words, "ipu"), *plotted = tsr_words_get (words, "plotted");
  guint64 number;

  if (ipu != NULL && g_ascii_string_to_unsigned (ipu, 10, 0, G_MAXINT32, &number, NULL))
    tsr_memory_page_set_ipu_place (self, (guint)number + 1);
  else if (self->graph == TSR_MEMORY_GRAPH_TILE_MAP)
    tsr_memory_page_set_ipu_place (self, 0);
  if (plotted != NULL)
    {
      g_auto (GStrv) names = g_strsplit (plotted, "\n", -1);

      tsr_variable_picker_set_names (self->picker, (const char *const *)names);
      tsr_memory_page_update_plotted (self);
    }
  if (self->graph == TSR_MEMORY_GRAPH_TILE_MAP && whole)
    load_scale (self, tsr_words_get (words, "scale"));
  if (self->graph == TSR_MEMORY_GRAPH_VARIABLES && whole)
    tsr_memory_page_set_hidden_variables (self, hidden);
  if (self->graph == TSR_MEMORY_GRAPH_TOTAL && whole)
    load_hidden (self, hidden);
}

/* Filter, order and, of one tile, the map of addresses. */
static void
save_tab_words (TsrMemoryPage *self, GHashTable *words)
{
  TsrMemoryTab tab = tsr_memory_page_get_tab (self);
  TsrRowView *rows = tsr_memory_page_get_rows (self, tab);
  g_autofree char *sort = NULL;
  gboolean descending;
  int column;

  if (rows != NULL)
    {
      if (*tsr_row_view_get_filter (rows) != '\0')
        tsr_words_set (words, "filter", tsr_row_view_get_filter (rows));
      sort = tsr_row_view_dup_sort (rows);
    }
  /* Columns of details depend on the tiles: a number, from the first value on. */
  else if ((column = tsr_row_view_get_sort_column (self->details, &descending)) > 0)
    sort = g_strdup_printf ("%s%d", descending ? "-" : "", column - 1);
  tsr_words_set (words, "sort", sort);
  if (tab != TSR_MEMORY_TAB_VARIABLES)
    return;
  if (tsr_address_panel_is_at_step (self->panel))
    tsr_words_set (words, "map-step", "1");
  if (tsr_address_panel_get_colour (self->panel) == TSR_ADDRESS_BY_LIFE)
    tsr_words_set (words, "map-colour", "life");
}

static void
load_tab_words (TsrMemoryPage *self, GHashTable *words, gboolean whole)
{
  TsrMemoryTab tab = tsr_memory_page_get_tab (self);
  TsrRowView *rows = tsr_memory_page_get_rows (self, tab);
  const char *filter = tsr_words_get (words, "filter"), *sort = tsr_words_get (words, "sort");
  guint64 column;

  /* A filter that is not named would hide what is. */
  filter = filter != NULL ? filter : "";
  if (rows != NULL && g_strcmp0 (tsr_row_view_get_filter (rows), filter) != 0)
    tsr_row_view_set_filter (rows, filter);
  if (rows != NULL && (sort != NULL || whole))
    tsr_row_view_set_sort (rows, sort);
  tsr_memory_page_want_row (self, tab, tsr_words_get (words, "row"));
  if (rows == NULL && whole && sort == NULL)
    tsr_row_view_sort_by_column (self->details, -1, FALSE);
  else if (rows == NULL && sort != NULL
           && g_ascii_string_to_unsigned (sort + (*sort == '-'), 10, 0, 64, &column, NULL))
    tsr_row_view_sort_by_column (self->details, (int)column + 1, *sort == '-');
  if (tab != TSR_MEMORY_TAB_VARIABLES || !whole)
    return;
  tsr_address_panel_set_at_step (self->panel,
                                 g_strcmp0 (tsr_words_get (words, "map-step"), "1") == 0);
  tsr_address_panel_set_colour (self->panel,
                                g_strcmp0 (tsr_words_get (words, "map-colour"), "life") == 0
                                    ? TSR_ADDRESS_BY_LIFE
                                    : TSR_ADDRESS_BY_CATEGORY);
}

void
tsr_memory_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);

  for (guint i = 0; i < G_N_ELEMENTS (option_words); i++)
    {
      g_autofree char *value = NULL;

      g_object_get (self, option_words[i].property, &value, NULL);
      if (i == GRAPH_WORD || g_strcmp0 (value, option_words[i].usual) != 0)
        tsr_words_set (words, option_words[i].word, value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (switch_words); i++)
    {
      gboolean on;

      g_object_get (self, switch_words[i].property, &on, NULL);
      if (on != switch_words[i].usual)
        tsr_words_set (words, switch_words[i].word, on ? "1" : "0");
    }
  if (self->graph == TSR_MEMORY_GRAPH_TILE_MAP && self->value_key != NULL)
    tsr_words_set (words, "value", self->value_key);
  save_graph_words (self, words);
  save_tab_words (self, words);
}

void
tsr_memory_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  gboolean whole = tsr_words_get (words, option_words[GRAPH_WORD].word) != NULL;
  const char *value;

  for (guint i = 0; i < G_N_ELEMENTS (option_words); i++)
    {
      value = tsr_words_get (words, option_words[i].word);
      if (value != NULL || whole)
        g_object_set (self, option_words[i].property, value != NULL ? value : option_words[i].usual,
                      NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (switch_words); i++)
    {
      value = tsr_words_get (words, switch_words[i].word);
      if (value != NULL || whole)
        g_object_set (self, switch_words[i].property,
                      value != NULL ? g_str_equal (value, "1") : switch_words[i].usual, NULL);
    }
  if ((value = tsr_words_get (words, "value")) != NULL)
    tsr_memory_page_want_value (self, value);
  load_graph_words (self, words, whole);
  load_tab_words (self, words, whole);
}
