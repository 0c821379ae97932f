/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of profile readers share: a database made from SQL in a folder of its own, opened
 * as a profile, and questions about its diagnostics. */

#pragma once

#include "tsr-profile-tables.h"
#include "tsr-test.h"

#include <glib/gstdio.h>

typedef struct
{
  char *folder;
  char *path;
  TsrPlace *place;
  TsrProfile *profile;
  TsrDiagnostics *diagnostics;
} Fixture;

static inline void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = tsr_test_folder_new ();
  fixture->path = g_build_filename (fixture->folder, "profile.pop", NULL);
  fixture->place = tsr_local_place_new ();
}

static inline void
close_profile (Fixture *fixture)
{
  g_clear_object (&fixture->profile);
  g_clear_pointer (&fixture->diagnostics, tsr_diagnostics_unref);
}

static inline void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_profile (fixture);
  g_clear_object (&fixture->place);
  g_free (fixture->path);
  tsr_test_folder_free (fixture->folder);
}

static inline void
open_profile (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;

  close_profile (fixture);
  fixture->diagnostics = tsr_diagnostics_new ();
  database
      = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL, &error);
  g_assert_no_error (error);
  fixture->profile = tsr_profile_new (database, fixture->diagnostics, &error);
  g_assert_no_error (error);
}

/* Makes a new database of @sql and opens it. */
static inline void
make (Fixture *fixture, const char *sql)
{
  close_profile (fixture);
  g_unlink (fixture->path);
  tsr_test_sql (fixture->folder, "profile.pop", sql);
  open_profile (fixture);
}

static inline void
expect_no_diagnostics (Fixture *fixture)
{
  if (tsr_diagnostics_get_n_total (fixture->diagnostics) > 0)
    {
      g_autofree char *line
          = tsr_diagnostic_dup_line (tsr_diagnostics_get (fixture->diagnostics, 0));

      g_error ("unexpected diagnostic: %s", line);
    }
}

/* There is a diagnostic with @code of @table at @row. */
static inline void
expect_diagnostic (Fixture *fixture, const char *code, const char *table, gint64 row)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (fixture->diagnostics); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (fixture->diagnostics, i);
      g_autofree char *line = tsr_diagnostic_dup_line (entry);

      if (g_str_equal (entry->code, code) && g_strcmp0 (entry->table, table) == 0
          && entry->row == row)
        {
          g_assert_cmpstr (entry->file, ==, "profile.pop");
          g_string_free (all, TRUE);
          return;
        }
      g_string_append_printf (all, "\n  [%s] %s", entry->code, line);
    }
  g_error ("no diagnostic %s of %s, row %" G_GINT64_FORMAT "; there are: %s", code, table, row,
           all->str);
}

#define add(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
