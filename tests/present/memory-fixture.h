/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A Total Memory graph of a report made of SQL. */

#pragma once

#include "tsr-memory-chart.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder;
  TsrMemory *memory;
  TsrTileSelection *selection;
  TsrMemoryChart *chart;
  TsrChartModel *model;
} MemoryFixture;

void memory_fixture_open (MemoryFixture *self, const char *sql);
/* Two IPUs of 1,472 tiles and @n_categories that keep the invariants. */
void memory_fixture_open_large (MemoryFixture *self, int n_categories);
void memory_fixture_close (MemoryFixture *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MemoryFixture, memory_fixture_close)

void memory_fixture_set_options (MemoryFixture *self,
                                 TsrBreakdown breakdown,
                                 TsrTileOrder order,
                                 gboolean gaps);
/* @column of memory_by_tile for @tile, as plain SQL tells it. */
gint64 memory_fixture_ask_tile (MemoryFixture *self, const char *column, guint tile);
/* (transfer full): for tsr_memory_chart_set_peaks. */
gint64 *memory_fixture_dup_peaks (MemoryFixture *self);
void memory_fixture_check_every_option (MemoryFixture *self);

G_END_DECLS
