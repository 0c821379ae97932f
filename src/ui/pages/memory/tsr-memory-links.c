/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the Memory page shows of its tabs as words of a link, and back; the rest are its options. */

#include "config.h"

#include "tsr-memory-page-private.h"

/* Filter and order. */
void
tsr_memory_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrMemoryTab tab = tsr_memory_page_get_tab (self);
  TsrRowView *rows = tsr_memory_page_get_rows (self, tab);
  g_autofree char *sort = NULL;
  gboolean descending;
  int column;

  tsr_row_view_save_filter (rows, words);
  tsr_row_view_save_sort (rows, words);
  if (rows != NULL)
    return;
  /* Columns of details depend on the tiles: a number, from the first value on. */
  column = tsr_row_view_get_sort_column (self->details, &descending);
  if (column > 0)
    sort = g_strdup_printf ("%s%d", descending ? "-" : "", column - 1);
  tsr_view_words_set (words, "sort", sort);
}

void
tsr_memory_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  gboolean whole = tsr_view_state_is_whole (tsr_page_get_view_state (page), words);
  TsrMemoryTab tab = tsr_memory_page_get_tab (self);
  TsrRowView *rows = tsr_memory_page_get_rows (self, tab);
  const char *sort = tsr_view_words_get (words, "sort");
  guint64 column;

  tsr_row_view_load_filter (rows, words);
  tsr_row_view_load_sort (rows, words, whole);
  tsr_memory_page_want_row (self, tab, tsr_view_words_get (words, "row"));
  if (rows == NULL && whole && sort == NULL)
    tsr_row_view_sort_by_column (self->details, -1, FALSE);
  else if (rows == NULL && sort != NULL
           && g_ascii_string_to_unsigned (sort + (*sort == '-'), 10, 0, 64, &column, NULL))
    tsr_row_view_sort_by_column (self->details, (int)column + 1, *sort == '-');
}
