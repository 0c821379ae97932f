/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Memory page over a report whose numbers are known: eight tiles, tile t with 100 (t + 1) bytes
 * including gaps of 1,000. */

#pragma once

#include "tsr-memory-page.h"

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window;
  TsrMemoryPage *page;
} MemoryPageTest;

/* @data (nullable): SQL with more tables; then their stages are waited for, too. */
void memory_page_test_set_up (MemoryPageTest *f, gconstpointer data);
void memory_page_test_tear_down (MemoryPageTest *f, gconstpointer data);
void memory_page_test_add_page (MemoryPageTest *f);
void memory_page_test_open (MemoryPageTest *f);
/* "1-3,5", "" for none. */
void memory_page_test_assert_selected (MemoryPageTest *f, const char *tiles);
