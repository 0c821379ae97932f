/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What contexts mean for each other: ids, parents, rings and engines, against naive loops. */

#include "config.h"

#include "tsr-debug-tables.h"

#include <string.h>

static void
put_number (GByteArray *bytes, guint8 major, guint64 number)
{
  guint8 head[9] = { (guint8)(major << 5 | 27) };

  for (guint i = 0; i < 8; i++)
    head[1 + i] = (guint8)(number >> 8 * (7 - i));
  g_byte_array_append (bytes, head, 9);
}

/* One map whose contexts have these ids and parents, in pairs. */
static void
put_part (GByteArray *bytes, const guint64 *pairs, guint n)
{
  g_byte_array_append (bytes,
                       (const guint8 *)"\xa1\x68"
                                       "contexts",
                       10);
  put_number (bytes, 4, n);
  for (guint i = 0; i < n; i++)
    {
      g_byte_array_append (bytes, (const guint8 *)"\xa3\x65layer\x66poplar\x62id", 17);
      put_number (bytes, 0, pairs[2 * i]);
      g_byte_array_append (bytes, (const guint8 *)"\x68parentId", 9);
      put_number (bytes, 0, pairs[2 * i + 1]);
    }
}

static TsrDebugTables *
make_tables (GByteArray *bytes, TsrDiagnostics *diagnostics)
{
  g_autoptr (GBytes) data = g_bytes_new (bytes->data, bytes->len);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("debug.cbor", data);
  g_autoptr (GError) error = NULL;
  TsrDebugRows *rows = tsr_debug_rows_read (source, NULL, diagnostics, NULL, &error);

  g_assert_no_error (error);
  g_assert_null (rows->end);
  return tsr_debug_tables_new (rows, source, diagnostics);
}

static TsrDebugTables *
make (const guint64 *pairs, guint n, TsrDiagnostics *diagnostics)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  put_part (bytes, pairs, n);
  return make_tables (bytes, diagnostics);
}

static void
put_text (GByteArray *bytes, const char *text)
{
  put_number (bytes, 3, strlen (text));
  g_byte_array_append (bytes, (const guint8 *)text, (guint)strlen (text));
}

/* All that is told of a context, row by row. */
static void
test_columns (void)
{
  static const char *const layers[] = { "popart", "poplar", "popart", NULL, "onnx" };
  static const struct
  {
    const char *name, *file, *function;
    guint line;
  } rows[] = { { "conv", "a.cc", "main", 7 },
               { "", "b.cc", "helper", 4294967295u },
               { "conv", "a.cc", "main", 8 },
               { NULL, NULL, NULL, 0 },
               { "last", NULL, "alone", 0 } };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (TsrDebugTables) debug = NULL;
  guint offsets[G_N_ELEMENTS (rows) + 1];

  put_number (bytes, 5, 1);
  put_text (bytes, "contexts");
  put_number (bytes, 4, G_N_ELEMENTS (rows));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      offsets[i] = bytes->len;
      put_number (bytes, 5, 2 + (layers[i] != NULL) + (rows[i].name != NULL));
      put_text (bytes, "id");
      put_number (bytes, 0, 1000 - 3 * i);
      if (layers[i] != NULL)
        {
          put_text (bytes, "layer");
          put_text (bytes, layers[i]);
        }
      if (rows[i].name != NULL)
        {
          put_text (bytes, "name");
          put_text (bytes, rows[i].name);
        }
      put_text (bytes, "location");
      put_number (bytes, 5, (rows[i].file != NULL) * 2 + (rows[i].function != NULL));
      if (rows[i].file != NULL)
        {
          put_text (bytes, "fileName");
          put_text (bytes, rows[i].file);
          put_text (bytes, "lineNumber");
          put_number (bytes, 0, rows[i].line);
        }
      if (rows[i].function != NULL)
        {
          put_text (bytes, "functionName");
          put_text (bytes, rows[i].function);
        }
    }
  offsets[G_N_ELEMENTS (rows)] = bytes->len;
  debug = make_tables (bytes, diagnostics);
  g_assert_cmpuint (debug->n, ==, G_N_ELEMENTS (rows));
  g_assert_true (debug->complete);
  g_assert_cmpuint (debug->n_layers, ==, 3);
  for (guint i = 0; i < debug->n_layers; i++)
    {
      static const char *const names[] = { "popart", "poplar", "onnx" };

      g_assert_cmpstr (debug->layers[i].name, ==, names[i]);
      g_assert_cmpuint (debug->layers[i].n_contexts, ==, i == 0 ? 2 : 1);
      g_assert_cmpuint (tsr_debug_tables_find_layer (debug, names[i]), ==, i);
    }
  g_assert_cmpuint (tsr_debug_tables_find_layer (debug, "popxl"), ==, TSR_DEBUG_NO_LAYER);
  for (guint i = 0; i < debug->n; i++)
    {
      g_assert_cmpuint (debug->id[i], ==, 1000 - 3 * i);
      g_assert_cmpuint (debug->parent[i], ==, TSR_NO_INDEX);
      g_assert_cmpuint (tsr_debug_tables_find (debug, 1000 - 3 * (gint64)i), ==, i);
      g_assert_cmpstr (layers[i], ==,
                       debug->layer[i] != TSR_DEBUG_NO_LAYER ? debug->layers[debug->layer[i]].name
                                                             : NULL);
      g_assert_cmpstr (tsr_debug_tables_get_text (debug, debug->name[i]), ==, rows[i].name);
      g_assert_cmpstr (tsr_debug_tables_get_text (debug, debug->file_name[i]), ==, rows[i].file);
      g_assert_cmpstr (tsr_debug_tables_get_text (debug, debug->function_name[i]), ==,
                       rows[i].function);
      g_assert_cmpuint (debug->line[i], ==, rows[i].line);
      g_assert_cmpint (debug->offset[i], ==, offsets[i]);
      g_assert_cmpuint (debug->length[i], ==, offsets[i + 1] - offsets[i]);
    }
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 0);
}

static gboolean
tells (TsrDiagnostics *diagnostics, const char *code)
{
  return tsr_diagnostics_has (diagnostics, code, "contexts", TSR_NO_ROW);
}

/* The byte that the first of @code names. */
static gint64
get_offset (TsrDiagnostics *diagnostics, const char *code)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *diagnostic = tsr_diagnostics_get (diagnostics, i);

      if (g_str_equal (diagnostic->code, code))
        return diagnostic->offset;
    }
  g_assert_not_reached ();
}

static void
test_chain (void)
{
  const guint64 pairs[] = { 5, 7, 7, 9, 9, 0, 8, 4444, 7, 5 };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugTables) debug = make (pairs, 5, diagnostics);
  g_autofree guint32 *chain = NULL;
  guint n;

  g_assert_cmpuint (tsr_debug_tables_find (debug, 7), ==, 1);
  g_assert_cmpuint (tsr_debug_tables_find (debug, 0), ==, TSR_NO_INDEX);
  g_assert_cmpuint (tsr_debug_tables_find (debug, 6), ==, TSR_NO_INDEX);
  g_assert_cmpuint (tsr_debug_tables_find (debug, 4444), ==, TSR_NO_INDEX);
  g_assert_cmpuint (tsr_debug_tables_find (debug, TSR_UNKNOWN), ==, TSR_NO_INDEX);
  chain = tsr_debug_tables_dup_chain (debug, 0, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (chain[1], ==, 1);
  g_assert_cmpuint (chain[2], ==, 2);
  g_assert_cmpuint (debug->parent[3], ==, TSR_NO_INDEX);
  g_assert_cmpint (get_offset (diagnostics, "id-repeated"), ==, debug->offset[4]);
  g_assert_true (tells (diagnostics, "reference-broken"));
  g_assert_false (tells (diagnostics, "ring"));
  g_assert_cmpuint (debug->n_layers, ==, 1);
  g_assert_cmpuint (debug->layers[0].n_contexts, ==, 5);
}

/* Of many parents that are not there each is counted, kept or not. */
static void
test_no_parents (void)
{
  guint64 pairs[2 * 100];
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugTables) debug = NULL;

  for (guint i = 0; i < 100; i++)
    {
      pairs[2 * i] = 2 * i + 1;
      pairs[2 * i + 1] = 2 * i + 2;
    }
  debug = make (pairs, 100, diagnostics);
  for (guint i = 0; i < 100; i++)
    {
      g_assert_cmpuint (debug->parent[i], ==, TSR_NO_INDEX);
      g_assert_cmpuint (tsr_debug_tables_find (debug, 2 * (gint64)i + 1), ==, i);
      g_assert_cmpuint (tsr_debug_tables_find (debug, 2 * (gint64)i + 2), ==, TSR_NO_INDEX);
    }
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 100);
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (diagnostics), <, 100);
}

/* Few scattered ids: each is found, and the search for any other ends. */
static void
test_few (void)
{
  for (guint n = 1; n < 12; n++)
    {
      guint64 pairs[2 * 12];
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrDebugTables) debug = NULL;

      for (guint i = 0; i < n; i++)
        {
          pairs[2 * i] = 5 + 1000000 * (guint64)i;
          pairs[2 * i + 1] = 5;
        }
      debug = make (pairs, n, diagnostics);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (tsr_debug_tables_find (debug, 5 + 1000000 * (gint64)i), ==, i);
      for (gint64 id = 6; id < 200; id++)
        g_assert_cmpuint (tsr_debug_tables_find (debug, id), ==, TSR_NO_INDEX);
    }
}

/* Cut where the ring's first row is, whoever leads into it. */
static void
test_rings (void)
{
  const guint64 pairs[] = { 1, 2, 2, 4, 3, 2, 4, 3, 5, 5 };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugTables) debug = make (pairs, 5, diagnostics);
  const guint32 expected[] = { 1, TSR_NO_INDEX, 1, 2, TSR_NO_INDEX };

  g_assert_true (tells (diagnostics, "ring"));
  g_assert_cmpmem (debug->parent, sizeof expected, expected, sizeof expected);
}

/* A context that is its own parent is a ring, also where all others follow theirs, or lead them. */
static void
test_own_parent (void)
{
  static const guint64 cases[][6]
      = { { 1, 0, 2, 1, 3, 3 }, { 3, 3, 2, 0, 1, 2 }, { 1, 2, 2, 0, 3, 3 }, { 3, 3, 1, 0, 2, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrDebugTables) debug = make (cases[i], 3, diagnostics);

      g_assert_true (tells (diagnostics, "ring"));
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
      for (guint row = 0; row < 3; row++)
        {
          const guint64 *pair = cases[i] + 2 * row;
          const guint32 parent = debug->parent[row];

          if (pair[1] == 0 || pair[0] == pair[1])
            g_assert_cmpuint (parent, ==, TSR_NO_INDEX);
          else
            g_assert_cmpuint (debug->id[parent], ==, pair[1]);
        }
    }
}

/* Layers that are known have a title, any other its name. */
static void
test_titles (void)
{
  static const char *const known[]
      = { "xla_op",        "hloinstruction", "poplar_driver", "poptorch", "popxl",
          "popartbuilder", "onnx",           "popart",        "poplibs",  "poplar" };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    g_assert_cmpstr (tsr_debug_layer_get_title (known[i]), !=, known[i]);
  g_assert_cmpstr (tsr_debug_layer_get_title ("poplar "), ==, "poplar ");
  g_assert_cmpstr (tsr_debug_layer_get_title (""), ==, "");
}

/* Many rows: dense and scattered ids, parents anywhere, rings among them. */
static void
test_random (gconstpointer data)
{
  const gboolean dense = GPOINTER_TO_INT (data) != 0;
  const guint n = 20000;
  g_autofree guint64 *pairs = g_new (guint64, 2 * n);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugTables) debug = NULL;
  guint cut = 0;

  for (guint i = 0; i < n; i++)
    {
      const guint64 scatter = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

      pairs[2 * i] = dense ? n - i : (i + 1) * scatter;
      pairs[2 * i + 1] = (guint64)g_test_rand_int_range (1, (int)n + 1) * (dense ? 1 : scatter);
    }
  debug = make (pairs, n, diagnostics);
  for (guint i = 0; i < n; i++)
    {
      guint32 row = i;
      guint steps = 0;

      g_assert_cmpuint (tsr_debug_tables_find (debug, (gint64)pairs[2 * i]), ==, i);
      if (debug->parent[i] == TSR_NO_INDEX)
        cut++;
      else
        g_assert_cmpuint (debug->id[debug->parent[i]], ==, pairs[2 * i + 1]);
      for (; row != TSR_NO_INDEX; row = debug->parent[row])
        g_assert_cmpuint (++steps, <=, n);
    }
  /* Each row has a parent, so each tree of the file was a ring. */
  g_assert_cmpuint (cut, >, 0);
  g_assert_cmpuint (cut, ==, tsr_diagnostics_get_n_total (diagnostics));
}

/* Engines that count from the same number: parents are of the same engine. */
static void
test_engines (void)
{
  const guint64 first[] = { 1, 0, 2, 1 };
  const guint64 second[] = { 2, 1, 1, 0, 3, 2 };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (TsrDebugTables) debug = NULL;
  const guint32 expected[] = { TSR_NO_INDEX, 0, 3, TSR_NO_INDEX, 2 };

  put_part (bytes, first, 2);
  put_part (bytes, second, 3);
  debug = make_tables (bytes, diagnostics);
  g_assert_cmpmem (debug->parent, sizeof expected, expected, sizeof expected);
  g_assert_cmpuint (tsr_debug_tables_find (debug, 2), ==, 1);
}

/* Where the parent is of other engines alone, it is the first that has the id. */
static void
test_other_engines (void)
{
  const guint64 first[] = { 1, 0, 7, 0 };
  const guint64 second[] = { 7, 0, 1, 0 };
  const guint64 third[] = { 3, 7, 4, 1 };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (TsrDebugTables) debug = NULL;

  put_part (bytes, first, 2);
  put_part (bytes, second, 2);
  put_part (bytes, third, 2);
  debug = make_tables (bytes, diagnostics);
  g_assert_cmpuint (debug->parent[4], ==, 1);
  g_assert_cmpuint (debug->parent[5], ==, 0);
}

/* Of more engines than are told apart, the last ones have the parents of the first one. */
static void
test_too_many_engines (void)
{
  const guint64 pairs[] = { 1, 0, 2, 1 };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (TsrDebugTables) debug = NULL;

  for (guint i = 0; i < 20; i++)
    put_part (bytes, pairs, 2);
  debug = make_tables (bytes, diagnostics);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpuint (debug->parent[2 * i + 1], ==, i < 16 ? 2 * i : 0);
}

/* Many contexts, with the same ids in each engine; an id that an engine has twice is its first's.
 */
static void
test_many_engines (void)
{
  enum
  {
    N_ENGINES = 3,
    N = 800
  };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (TsrDebugTables) debug = NULL;

  for (guint64 engine = 0; engine < N_ENGINES; engine++)
    {
      guint64 pairs[2 * N];

      for (guint64 i = 0; i < N; i++)
        {
          /* Each engine in an order of its own. */
          const guint64 at = (i * 7 + engine * 31) % N;

          pairs[2 * i] = 1 + at * at * 104729;
          pairs[2 * i + 1] = at > 0 ? 1 + (at - 1) * (at - 1) * 104729 : 0;
        }
      put_part (bytes, pairs, N);
    }
  debug = make_tables (bytes, diagnostics);
  g_assert_cmpuint (debug->n, ==, N_ENGINES * N);
  for (guint engine = 0; engine < N_ENGINES; engine++)
    for (guint i = 0; i < N; i++)
      {
        const guint row = engine * N + i, at = (i * 7 + engine * 31) % N;
        const guint32 parent = debug->parent[row];

        if (at == 0)
          {
            g_assert_cmpuint (parent, ==, TSR_NO_INDEX);
            continue;
          }
        g_assert_cmpuint (parent / N, ==, engine);
        g_assert_cmpuint ((parent % N * 7 + engine * 31) % N, ==, at - 1);
      }
  g_assert_true (tells (diagnostics, "id-repeated"));
}

/* A chain a million deep, the outermost first or last, and a context with a million below it. */
static void
test_million (void)
{
  const guint n = 1000000;
  g_autofree guint64 *pairs = g_new (guint64, 2 * n);

  for (guint way = 0; way < 3; way++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrDebugTables) debug = NULL;
      g_autofree guint32 *chain = NULL;
      guint length;

      for (guint i = 0; i < n; i++)
        {
          pairs[2 * i] = i + 1;
          pairs[2 * i + 1] = way == 0 ? i : way == 1 ? (i + 2) % (n + 1) : i > 0;
        }
      debug = make (pairs, n, diagnostics);
      chain = tsr_debug_tables_dup_chain (debug, way == 1 ? 0 : n - 1, &length);
      g_assert_cmpuint (length, ==, way == 2 ? 2 : n);
      g_assert_cmpuint (chain[length - 1], ==, way == 1 ? n - 1 : 0);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/debug-tables/columns", test_columns);
  g_test_add_func ("/debug-tables/chain", test_chain);
  g_test_add_func ("/debug-tables/no-parents", test_no_parents);
  g_test_add_func ("/debug-tables/few", test_few);
  g_test_add_func ("/debug-tables/rings", test_rings);
  g_test_add_func ("/debug-tables/own-parent", test_own_parent);
  g_test_add_func ("/debug-tables/titles", test_titles);
  g_test_add_func ("/debug-tables/many-engines", test_many_engines);
  g_test_add_func ("/debug-tables/too-many-engines", test_too_many_engines);
  g_test_add_data_func ("/debug-tables/random/scattered", GINT_TO_POINTER (0), test_random);
  g_test_add_data_func ("/debug-tables/random/dense", GINT_TO_POINTER (1), test_random);
  g_test_add_func ("/debug-tables/engines", test_engines);
  g_test_add_func ("/debug-tables/other-engines", test_other_engines);
  g_test_add_func ("/debug-tables/million", test_million);
  return g_test_run ();
}
