/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Quantities made by hand for one rule at a time: tiles, categories, lowered variables with one
 * interval each, exchanges, vertices. */

#pragma once

#include "tsr-insights-private.h"

G_BEGIN_DECLS

#define FIXTURE_CAPACITY 100000 /* bytes of a tile */
#define FIXTURE_STEPS    100

typedef struct
{
  TsrInsightContext c;
  gint64 *inc, *exc, *ovf; /* by tile, to be written before fixture_finish () */
  GArray *categories;      /* gint64 * by tile */
  GPtrArray *names;
  GArray *variables; /* TsrInsightVariable */
  GArray *rows;      /* FixtureRow */
  TsrLoweredTables lowered;
  GArray *entry;
} Fixture;

typedef struct
{
  guint32 tile, size, offset, variable, from, to; /* to == 0: always live */
} FixtureRow;

/* @n_tiles tiles of one IPU with @capacity bytes each, all of them empty. */
Fixture *fixture_new (guint n_tiles, gint64 capacity);
void fixture_free (Fixture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

/* 16 tiles at @inc but for tile 3, which holds @worst; ten bytes of vertex code on each. */
Fixture *fixture_new_tiles (gint64 inc, gint64 worst);
/* Two tiles that hold @exc in all; tile 1 is the worst. */
Fixture *fixture_new_pair (gint64 exc);
/* Two tiles, of which tile 1 is the worst; a report that fits. */
Fixture *fixture_new_lives (void);

/* All tiles hold @inc and @exc. */
void fixture_fill (Fixture *self, gint64 inc, gint64 exc);
/* (transfer none): bytes of the category @name by tile, all 0 when new. */
gint64 *fixture_category (Fixture *self, const char *name);
guint32 fixture_variable (Fixture *self, const char *name, const char *element_type, TsrLife life);
void
fixture_row (Fixture *self, guint tile, guint32 size, guint32 variable, guint32 from, guint32 to);
/* Derives what follows; nothing is added after. */
void fixture_finish (Fixture *self, guint n_steps);

/* Whether the thresholds that a text on what is fine names are those of the rule, and shares of a
 * tile are what the sizes beside them are of it.  @capacity: bytes of a tile. */
void fixture_check_fine (const TsrInsightRule *rule, const char *text, gint64 capacity);
void fixture_check_confidence (const char *rule, const TsrFinding *finding);
/* What @rule says of it; the verdict is the caller's. */
TsrRuleResult fixture_check (Fixture *self, const char *rule, TsrVerdict *verdict);
/* The same, for those who want to know nothing else. */
TsrRuleResult fixture_result (Fixture *self, const char *rule);

G_END_DECLS
