/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which allocation belongs to which variable, and when variables are live, against naive loops over
 * tables made by hand. */

#include "config.h"

#include "hand-tables.h"
#include "tsr-variables-private.h"

#include <math.h>

static TsrVariables *
make (HandTables *tables)
{
  g_autoptr (GError) error = NULL;
  TsrVariables *variables = tsr_variables_new_from_tables (&tables->liveness, &tables->lowered,
                                                           &tables->categories, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (variables);
  return variables;
}

static void
test_entries (void)
{
  static const guint32 always[] = { 0, 0 };
  static const guint32 early[] = { 0, 40, 0, 0 };
  static const guint32 most[] = { 1, 99, 0, 0 };
  static const guint32 less[] = { 1, 98, 0, 0 };
  g_autoptr (HandTables) t = hand_tables_new (100, 2);
  g_autoptr (TsrVariables) v = NULL;
  guint32 partials, code, weight;
  const guint32 *rows;
  gsize n;

  weight = hand_tables_add_variable (t, "weight", 64, 1, 0);
  partials = hand_tables_add_variable (t, "model/x/partials", 999, 0, 0);
  code = hand_tables_add_variable (t, "vertexCode", 50, 1, 2);
  hand_tables_add_class (t, always);
  hand_tables_add_class (t, early);
  hand_tables_add_class (t, most);
  hand_tables_add_class (t, less);
  hand_tables_add_row (t, 0, 64, "weight#0", weight, TSR_NO_INDEX, 0, 1);
  hand_tables_add_row (t, 0, 10, "model/x/partials#", TSR_NO_INDEX, 1, 0, 0);
  hand_tables_add_row (t, 0, 30, "__runCodelet_a", TSR_NO_INDEX, TSR_NO_INDEX, 2, 1);
  hand_tables_add_row (t, 1, 20, "__runCodelet_b", TSR_NO_INDEX, TSR_NO_INDEX, 2, 1);
  hand_tables_add_row (t, 1, 7, "model/#1/y#3", TSR_NO_INDEX, 2, 1, 0);
  hand_tables_add_row (t, 1, 8, "model/#1/y#4", TSR_NO_INDEX, 2, 1, 0);
  hand_tables_add_row (t, 1, 9, "model/z", TSR_NO_INDEX, 3, 1, 0);
  hand_tables_add_row (t, 1, 5, "model/lost", TSR_NO_INDEX, TSR_NO_INDEX, -1, 255);
  hand_tables_add_row (t, 1, TSR_LOWERED_UNKNOWN, "weight#1", weight, TSR_NO_INDEX, 0, 1);
  hand_tables_add_row (t, 1, 3, "weight#2", TSR_NO_INDEX, 1, 0, 0);
  hand_tables_add_row (t, 1, 2, NULL, TSR_NO_INDEX, 1, 0, 0);
  v = make (t);

  g_assert_cmpuint (tsr_variables_get_n (v), ==, 7);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 0), ==, weight);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 1), ==, partials);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 2), ==, code);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 3), ==, code);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 4), ==, 3);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 5), ==, 3);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 6), ==, 4);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 7), ==, 5);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 9), ==, weight);
  g_assert_cmpuint (tsr_variables_of_lowered (v, 10), ==, 6);
  g_assert_cmpstr (tsr_variables_get_name (v, 6), ==, "(no name)");
  g_assert_cmpuint (tsr_variables_find (v, "weight"), ==, weight);
  g_assert_cmpstr (tsr_variables_get_category (v, weight), ==, "variable");
  g_assert_cmpstr (tsr_variables_get_name (v, 3), ==, "model/#1/y");
  g_assert_cmpuint (tsr_variables_find (v, "model/z"), ==, 4);
  g_assert_cmpuint (tsr_variables_find (v, "model/zz"), ==, TSR_NO_INDEX);

  /* The file's own size stands; without it the sum of the allocations. */
  g_assert_cmpint (tsr_variables_get_bytes (v, partials), ==, 999);
  g_assert_cmpint (tsr_variables_get_bytes (v, 3), ==, 15);
  g_assert_cmpstr (tsr_variables_get_category (v, 3), ==, "message");
  g_assert_null (tsr_variables_get_category (v, 5));
  g_assert_cmpstr (tsr_variables_get_element_type (v, weight), ==, "half");
  g_assert_null (tsr_variables_get_element_type (v, 3));
  g_assert_null (tsr_variables_get_shape (v, weight));
  g_assert_null (tsr_variables_get_shape (v, 3));
  g_assert_cmpint (tsr_variables_get_debug_id (v, 3), ==, TSR_UNKNOWN);

  g_assert_cmpint (tsr_variables_get_life (v, weight), ==, TSR_LIFE_ALWAYS);
  g_assert_cmpint (tsr_variables_get_life (v, partials), ==, TSR_LIFE_TEMPORARY);
  g_assert_cmpfloat (tsr_variables_get_live_share (v, partials), ==, 0.4);
  g_assert_cmpfloat (tsr_variables_get_live_share (v, 3), ==, 0.98);
  g_assert_cmpint (tsr_variables_get_life (v, 3), ==, TSR_LIFE_RESIDENT);
  g_assert_cmpint (tsr_variables_get_life (v, 4), ==, TSR_LIFE_TEMPORARY);
  g_assert_cmpint (tsr_variables_get_life (v, 5), ==, TSR_LIFE_UNKNOWN);
  g_assert_true (isnan (tsr_variables_get_live_share (v, 5)));
  g_assert_false (tsr_variables_is_compiler_made (v, weight));
  g_assert_false (tsr_variables_is_compiler_made (v, partials));
  g_assert_true (tsr_variables_is_compiler_made (v, code));
  g_assert_true (tsr_variables_is_compiler_made (v, 3));

  rows = tsr_variables_peek_lowered (v, code, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (rows[0], ==, 2);
  g_assert_cmpuint (rows[1], ==, 3);
  {
    g_autofree gint64 *by_tile = tsr_variables_dup_bytes_by_tile (v, weight);

    g_assert_cmpint (by_tile[0], ==, 64);
    g_assert_cmpint (by_tile[1], ==, TSR_UNKNOWN);
  }
}

static void
test_without_lowered (void)
{
  g_autoptr (HandTables) t = hand_tables_new (50, 0);
  g_autoptr (TsrVariables) v = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) l = NULL;
  g_autoptr (GArray) on_tile = NULL;
  g_autoptr (GArray) always = NULL;
  g_autoptr (TsrVariables) plain = NULL;
  const guint tile = 0;
  gsize n;

  hand_tables_add_variable (t, "a", 100, 0, 0);
  hand_tables_add_lifetime (t, 3, 9, 60);
  hand_tables_add_lifetime (t, 5, 9, 40);
  hand_tables_add_lifetime (t, 9, 11, 100);
  hand_tables_add_variable (t, "b", 5, 255, 0);
  hand_tables_add_variable (t, "c", 7, 1, 0);
  v = tsr_variables_new_from_tables (&t->liveness, NULL, &t->categories, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tsr_variables_get_n (v), ==, 3);
  always = tsr_variables_dup_lifetimes (v, 2, NULL, 0);
  g_assert_cmpuint (always->len, ==, 1);
  g_assert_cmpuint (g_array_index (always, TsrLifetime, 0).from, ==, 0);
  g_assert_cmpuint (g_array_index (always, TsrLifetime, 0).to, ==, 50);
  g_assert_cmpint (g_array_index (always, TsrLifetime, 0).bytes, ==, 7);
  g_assert_cmpfloat (tsr_variables_get_live_share (v, 2), ==, 1);
  plain = tsr_variables_new_from_tables (&t->liveness, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tsr_variables_get_n (plain), ==, 3);
  g_assert_null (tsr_variables_get_category (plain, 0));
  g_assert_cmpint (tsr_variables_get_life (v, 0), ==, TSR_LIFE_TEMPORARY);
  g_assert_cmpfloat (tsr_variables_get_live_share (v, 0), ==, 8.0 / 50);
  g_assert_cmpint (tsr_variables_get_life (v, 1), ==, TSR_LIFE_UNKNOWN);
  g_assert_null (tsr_variables_peek_lowered (v, 0, &n));
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (tsr_variables_dup_bytes_by_tile (v, 0));
  l = tsr_variables_dup_lifetimes (v, 0, NULL, 0);
  g_assert_cmpuint (l->len, ==, 2);
  g_assert_cmpuint (g_array_index (l, TsrLifetime, 0).from, ==, 3);
  g_assert_cmpuint (g_array_index (l, TsrLifetime, 0).to, ==, 5);
  g_assert_cmpint (g_array_index (l, TsrLifetime, 0).bytes, ==, 60);
  g_assert_cmpuint (g_array_index (l, TsrLifetime, 1).from, ==, 5);
  g_assert_cmpuint (g_array_index (l, TsrLifetime, 1).to, ==, 11);
  g_assert_cmpint (g_array_index (l, TsrLifetime, 1).bytes, ==, 100);
  on_tile = tsr_variables_dup_lifetimes (v, 0, &tile, 1);
  g_assert_cmpuint (on_tile->len, ==, 0);
}

/* Where a variable without any row has its bytes is not told, unless it has none. */
static void
test_without_rows (void)
{
  static const gint64 sizes[] = { 0, 1, 64, TSR_UNKNOWN };
  g_autoptr (HandTables) t = hand_tables_new (10, 3);
  g_autoptr (TsrVariables) v = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    hand_tables_add_variable (t, "x", sizes[i], 0, 0);
  /* Of several of one name the first has the row that names none of them. */
  hand_tables_add_variable (t, "x", 9, 0, 0);
  hand_tables_add_variable (t, "y", 9, 0, 0);
  hand_tables_add_variable (t, "y", 9, 0, 0);
  hand_tables_add_row (t, 0, 3, "y#1", TSR_NO_INDEX, TSR_NO_INDEX, 0, 1);
  v = make (t);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree gint64 *by_tile = tsr_variables_dup_bytes_by_tile (v, i);

      for (guint tile = 0; tile < 3; tile++)
        g_assert_cmpint (by_tile[tile], ==, sizes[i] == 0 ? 0 : TSR_UNKNOWN);
    }
  g_assert_cmpuint (tsr_variables_of_lowered (v, 0), ==, G_N_ELEMENTS (sizes) + 1);
}

/* Entries of two allocations of each kind: always live, of a class, not always live, not told. */
static void
test_lives (void)
{
  static const guint32 intervals[] = { 0, 40, 0, 0 };
  g_autoptr (HandTables) t = hand_tables_new (100, 1);
  g_autoptr (TsrVariables) v = NULL;
  g_autoptr (TsrVariables) no_steps = NULL;

  hand_tables_add_class (t, intervals);
  for (guint i = 0; i < 32; i++)
    {
      const guint kind = i % 2 ? i / 8 : i / 2 % 4;
      g_autofree char *name = g_strdup_printf ("entry%u#%u", i / 2, i % 2);

      hand_tables_add_row (t, 0, 1, name, TSR_NO_INDEX, kind == 1 ? 0 : TSR_NO_INDEX, 0,
                           kind == 0   ? 1
                           : kind == 3 ? 255
                                       : 0);
    }
  v = make (t);
  no_steps = tsr_variables_new_from_tables (NULL, &t->lowered, &t->categories, NULL, NULL, NULL);
  g_assert_cmpuint (tsr_variables_get_n (v), ==, 16);
  for (guint i = 0; i < 16; i++)
    {
      const guint a = i % 4, b = i / 4;
      const double share = tsr_variables_get_live_share (v, i);

      g_assert_cmpint (tsr_variables_get_bytes (v, i), ==, 2);
      g_assert_cmpint (tsr_variables_get_life (v, i), ==,
                       a + b == 0         ? TSR_LIFE_ALWAYS
                       : a == 0 || b == 0 ? TSR_LIFE_RESIDENT
                       : MAX (a, b) == 3  ? TSR_LIFE_UNKNOWN
                                          : TSR_LIFE_TEMPORARY);
      if (a == 0 || b == 0 || MAX (a, b) == 1)
        g_assert_cmpfloat (share, ==, a == 1 && b == 1 ? 0.4 : 1);
      else
        g_assert_true (isnan (share));
      g_assert_true (a + b == 0 || isnan (tsr_variables_get_live_share (no_steps, i)));
    }
}

/* Each step of each lifetime, their share of the steps, and how it lives, against a loop over the
 * variable's rows. */
static void
check_lifetimes (const HandTables *t, TsrVariables *v, guint variable, const guint *tiles, guint n)
{
  g_autoptr (GArray) lifetimes = tsr_variables_dup_lifetimes (v, variable, tiles, n);
  guint i = 0, n_live = 0, n_rows = 0, n_always = 0;

  for (guint step = 0; step < t->liveness.n_steps; step++)
    {
      gint64 bytes = 0;
      gboolean live = FALSE;

      for (gsize row = 0; row < t->lowered.n; row++)
        {
          gboolean here = tiles == NULL;

          for (guint k = 0; k < n; k++)
            here = here || t->lowered.tile[row] == tiles[k];
          if (!here || tsr_variables_of_lowered (v, row) != variable
              || hand_tables_is_live (t, row, step) != 1)
            continue;
          live = TRUE;
          bytes += t->lowered.size[row];
        }
      while (i < lifetimes->len && g_array_index (lifetimes, TsrLifetime, i).to <= step)
        i++;
      g_assert_cmpint (
          live, ==, i < lifetimes->len && g_array_index (lifetimes, TsrLifetime, i).from <= step);
      if (live)
        g_assert_cmpint (g_array_index (lifetimes, TsrLifetime, i).bytes, ==, bytes);
      n_live += live;
    }
  for (gsize row = 0; row < t->lowered.n; row++)
    if (tsr_variables_of_lowered (v, row) == variable)
      {
        n_rows++;
        n_always += t->lowered.always_live[row] == 1;
      }
  if (tiles == NULL && n_rows > 0)
    {
      const double share = (double)n_live / t->liveness.n_steps;

      g_assert_cmpfloat (tsr_variables_get_live_share (v, variable), ==, share);
      g_assert_cmpint (tsr_variables_get_life (v, variable), ==,
                       n_always == n_rows            ? TSR_LIFE_ALWAYS
                       : share >= TSR_RESIDENT_SHARE ? TSR_LIFE_RESIDENT
                                                     : TSR_LIFE_TEMPORARY);
    }
  for (i = 1; i < lifetimes->len; i++)
    {
      const TsrLifetime *l = &g_array_index (lifetimes, TsrLifetime, i);

      g_assert_cmpuint (l[-1].to, <=, l->from);
      g_assert_true (l[-1].to < l->from || l[-1].bytes != l->bytes);
    }
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 12; seed++)
    {
      g_autoptr (HandTables) t = hand_tables_new_random (seed, 60 + seed * 5, 7, 200);
      g_autoptr (TsrVariables) v = make (t);
      const guint tiles[] = { 5, 1 };
      gsize all = 0;

      for (guint i = 0; i < tsr_variables_get_n (v); i++)
        {
          gsize n;
          const guint32 *rows = tsr_variables_peek_lowered (v, i, &n);
          g_autofree gint64 *by_tile = tsr_variables_dup_bytes_by_tile (v, i);
          gint64 sum = 0;

          all += n;
          for (gsize k = 0; k < n; k++)
            {
              g_assert_cmpuint (tsr_variables_of_lowered (v, rows[k]), ==, i);
              g_assert_true (k == 0 || rows[k - 1] < rows[k]);
              by_tile[t->lowered.tile[rows[k]]] -= t->lowered.size[rows[k]];
              sum += t->lowered.size[rows[k]];
            }
          for (guint tile = 0; n > 0 && tile < t->lowered.n_tiles; tile++)
            g_assert_cmpint (by_tile[tile], ==, 0);
          if (n > 0)
            g_assert_cmpint (tsr_variables_get_bytes (v, i), ==, sum);
          check_lifetimes (t, v, i, NULL, 0);
          check_lifetimes (t, v, i, tiles, 1);
          check_lifetimes (t, v, i, tiles, 2);
        }
      g_assert_cmpuint (all, ==, t->lowered.n);
    }
}

static void
test_overflow (void)
{
  g_autoptr (HandTables) t = hand_tables_new (10, 0);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrVariables) v = NULL;
  g_autoptr (GArray) l = NULL;
  g_autoptr (GArray) most = NULL;

  hand_tables_add_variable (t, "a", 100, 0, 0);
  hand_tables_add_lifetime (t, 1, 5, G_MAXINT64 - 1);
  hand_tables_add_lifetime (t, 3, 7, 2);
  hand_tables_add_lifetime (t, 8, 9, TSR_UNKNOWN);
  hand_tables_add_variable (t, "b", 100, 0, 0);
  hand_tables_add_lifetime (t, 1, 5, G_MAXINT64 - 1);
  hand_tables_add_lifetime (t, 3, 5, 1);
  v = tsr_variables_new_from_tables (&t->liveness, NULL, &t->categories, diagnostics, NULL, NULL);
  most = tsr_variables_dup_lifetimes (v, 1, NULL, 0);
  g_assert_cmpuint (most->len, ==, 2);
  g_assert_cmpint (g_array_index (most, TsrLifetime, 1).bytes, ==, G_MAXINT64);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (diagnostics), ==, 0);
  l = tsr_variables_dup_lifetimes (v, 0, NULL, 0);
  g_assert_cmpuint (l->len, ==, 4);
  g_assert_cmpint (g_array_index (l, TsrLifetime, 0).bytes, ==, G_MAXINT64 - 1);
  g_assert_cmpint (g_array_index (l, TsrLifetime, 1).bytes, ==, TSR_UNKNOWN);
  g_assert_cmpuint (g_array_index (l, TsrLifetime, 1).to, ==, 5);
  g_assert_cmpint (g_array_index (l, TsrLifetime, 2).bytes, ==, 2);
  g_assert_cmpint (g_array_index (l, TsrLifetime, 3).bytes, ==, TSR_UNKNOWN);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (diagnostics), ==, 1);
  g_assert_cmpstr (tsr_diagnostics_get (diagnostics, 0)->code, ==, "sum-too-large");
}

static void
test_prefix (void)
{
  static const struct
  {
    const char *name;
    guint depth;
    const char *prefix;
  } cases[] = {
    { "a/b/c", 0, "" },      { "a/b/c", 1, "a" },     { "a/b/c", 2, "a/b" },
    { "a/b/c", 3, "a/b/c" }, { "a/b/c", 9, "a/b/c" }, { "", 1, "" },
    { "abc", 1, "abc" },     { "/a", 1, "" },         { "a//b", 2, "a/" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *prefix = tsr_name_dup_prefix (cases[i].name, cases[i].depth);

      g_assert_cmpstr (prefix, ==, cases[i].prefix);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/variables/entries", test_entries);
  g_test_add_func ("/variables/without-lowered", test_without_lowered);
  g_test_add_func ("/variables/without-rows", test_without_rows);
  g_test_add_func ("/variables/lives", test_lives);
  g_test_add_func ("/variables/random", test_random);
  g_test_add_func ("/variables/overflow", test_overflow);
  g_test_add_func ("/variables/prefix", test_prefix);
  return g_test_run ();
}
