/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The demo with whatever is done to it, and the operations of it. */

#pragma once

#include "analysis-test.h"
#include "tsr-operations.h"

G_BEGIN_DECLS

typedef struct
{
  AnalysisReport opened;
  TsrPrograms *programs;
} Fixture;

/* The demo with @sql (nullable) done to it, and @debug, @length bytes, as its debug.cbor. */
void fixture_open (Fixture *self, const char *sql, const void *debug, gsize length);
void fixture_clear (Fixture *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* (transfer full) */
TsrOperations *fixture_make (Fixture *self, const char *layer);
/* @bytes (transfer full): the debug.cbor of the demo as it is. */
void fixture_read_debug (char **bytes, gsize *length);

G_END_DECLS
