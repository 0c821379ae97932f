/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder for a profile.pop that a test makes, and what it takes to open it. */

#pragma once

#include "tsr-database.h"
#include "tsr-test.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder;
  char *path; /* of profile.pop in it */
  TsrPlace *place;
  TsrDiagnostics *diagnostics;
  guint n_open; /* files; all that a test opens are closed at its end */
} Fixture;

void fixture_set_up (Fixture *fixture, gconstpointer data);
void fixture_tear_down (Fixture *fixture, gconstpointer data);
/* (transfer full) */
TsrDatabase *fixture_open (Fixture *fixture, GError **error);

/* First column of the first row of @sql on table t; G_MININT64 with @error. */
gint64 fixture_query (TsrDatabase *database, const char *sql, GError **error);

G_END_DECLS
