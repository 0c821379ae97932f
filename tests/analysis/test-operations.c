/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations of what a file may do to them: programs and variables without contexts, contexts
 * without programs, a debug.cbor that ends anywhere, rings, and names of 10 MB.  What operations
 * have adds up to the report's, as SQL and plain loops have it.  Each figure of each one is
 * compared in test-operations-figures.c, and with SQL by tests/cli/check-operations.py. */

#include "config.h"

#include "operations-fixture.h"
#include "tsr-error.h"
#include "tsr-operation-list.h"
#include "tsr-operation-rule.h"

#include <math.h>
#include <string.h>

static gint64
sum (const TsrOperations *operations, TsrOperationFigure figure)
{
  gint64 all = 0;

  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    {
      gint64 part = tsr_operations_get (operations, i, figure);

      g_assert_cmpint (part, !=, TSR_UNKNOWN);
      all += part;
    }
  g_assert_cmpint (all, ==, tsr_operations_get_total (operations, figure));
  return all;
}

/* What is computed from an operation's other figures, and that each context belongs to one that is
 * above it. */
static void
check_each (const TsrOperations *operations, const TsrDebugTables *debug)
{
  double clock = tsr_operations_get_clock (operations);

  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    {
      gint64 flops = tsr_operations_get (operations, i, TSR_OPERATION_FLOPS);
      gint64 cycles = tsr_operations_get (operations, i, TSR_OPERATION_WALL_CYCLES);
      double rate = tsr_operations_get_gflops (operations, i);

      if (flops == TSR_UNKNOWN || cycles <= 0)
        g_assert_true (isnan (rate));
      else
        g_assert_true (fabs (rate * (double)cycles * 1e9 - (double)flops * clock)
                       <= 1e-9 * (double)flops * clock);
    }
  for (guint32 c = 0; c < debug->n; c++)
    {
      guint operation = tsr_operations_of_context (operations, c);
      guint32 above = c, wanted = tsr_operations_get_context (operations, operation);

      for (guint depth = 0; above != TSR_NO_INDEX && above != wanted && depth < 100; depth++)
        above = debug->parent[above];
      g_assert_true (tsr_operations_is_none (operations, operation) || above == wanted);
    }
}

/* The program whose own steps take longest; of several the first. */
static void
check_costliest (const TsrOperations *operations)
{
  TsrPrograms *graph = tsr_operations_get_graph (operations);

  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    {
      guint32 best = TSR_NO_INDEX;
      guint n;
      const guint32 *programs = tsr_operations_get_programs (operations, i, &n);

      for (guint k = n; k-- > 0;)
        if (best == TSR_NO_INDEX
            || tsr_programs_get (graph, programs[k], TSR_PROGRAM_CYCLES_SELF)
                   >= tsr_programs_get (graph, best, TSR_PROGRAM_CYCLES_SELF))
          best = programs[k];
      g_assert_cmpuint (tsr_operations_find_costliest (operations, i), ==, best);
    }
}

/* The largest of its own variables: none of the others has more bytes than the least of them. */
static void
check_largest (Fixture *f, const TsrOperations *operations)
{
  TsrVariables *variables = f->opened.variables;

  for (guint i = 0; i + 1 < tsr_operations_get_n (operations); i++)
    {
      g_auto (GStrv) names = tsr_operations_dup_largest (operations, i);
      guint n = names != NULL ? g_strv_length (names) : 0, n_own = 0;
      guint *own = g_new (guint, tsr_variables_get_n (variables));

      for (guint v = 0; v < tsr_variables_get_n (variables); v++)
        if (tsr_operations_of_variable (operations, v) == i)
          own[n_own++] = v;
      g_assert_cmpuint (n, ==, MIN (n_own, TSR_OPERATIONS_LARGEST));
      for (guint k = 0; k < n; k++)
        {
          guint best = 0;

          for (guint o = 1; o < n_own; o++)
            if (tsr_variables_get_bytes (variables, own[o])
                > tsr_variables_get_bytes (variables, own[best]))
              best = o;
          g_assert_cmpstr (names[k], ==, tsr_variables_get_name (variables, own[best]));
          memmove (&own[best], &own[best + 1], (--n_own - best) * sizeof *own);
        }
      g_free (own);
    }
}

/* In every layer that the file has. */
static void
check_sums (Fixture *f)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (f->opened.report);
  const char *folder = f->opened.folder;
  gint64 control = 0, variables = 0;

  for (guint32 p = 0; p < tsr_programs_get_n (f->programs); p++)
    control += tsr_programs_get (f->programs, p, TSR_PROGRAM_CONTROL_SELF);
  for (guint v = 0; v < tsr_variables_get_n (f->opened.variables); v++)
    variables += tsr_variables_get_bytes (f->opened.variables, v);
  for (guint i = 0; i < debug->n_layers; i++)
    {
      g_autoptr (TsrOperations) operations = fixture_make (f, debug->layers[i].name);

      g_assert_cmpint (sum (operations, TSR_OPERATION_PROGRAMS), ==,
                       tsr_test_ask (folder, "SELECT count(*) FROM programs"));
      g_assert_cmpint (sum (operations, TSR_OPERATION_EXCHANGE_CODE), ==,
                       tsr_test_ask (folder, "SELECT sum(total) FROM programs JOIN tile_arrays ON "
                                             "tile_arrays.id = code_bytes_by_tile"));
      g_assert_cmpint (sum (operations, TSR_OPERATION_CONTROL_CODE), ==, control);
      g_assert_cmpint (sum (operations, TSR_OPERATION_VARIABLES), ==, variables);
      g_assert_cmpint (sum (operations, TSR_OPERATION_TILE_CYCLES), >, 0);
      check_each (operations, debug);
      check_largest (f, operations);
      check_costliest (operations);
    }
}

/* A third of the programs and variables without a context, a third with an id that none has; then
 * all of them, and the contexts have nobody. */
static void
test_without (void)
{
  static const char *const changes[]
      = { "UPDATE programs SET debug_id = CASE id % 3 WHEN 0 THEN NULL WHEN 1 THEN id + 1000 ELSE "
          "debug_id END; UPDATE variables SET debug_id = NULL WHERE id % 2",
          "UPDATE programs SET debug_id = NULL; UPDATE variables SET debug_id = 77" };
  g_autofree char *bytes = NULL;
  gsize length;

  fixture_read_debug (&bytes, &length);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (TsrOperations) operations = NULL;
      guint n, none;

      fixture_open (&f, changes[i], bytes, length);
      check_sums (&f);
      operations = fixture_make (&f, "poplibs");
      none = tsr_operations_get_n (operations) - 1;
      g_assert_true (tsr_operations_is_none (operations, none));
      tsr_operations_get_programs (operations, none, &n);
      g_assert_cmpuint (n, >=,
                        tsr_test_ask (f.opened.folder,
                                      "SELECT count(*) FROM programs WHERE coalesce(debug_id, 0) < "
                                      "2000"));
      g_assert_true (i == 0 ? none > 0 : none == 0);
    }
}

/* All variables belong to one context. */
static void
test_one_owner (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *bytes = NULL;
  gsize length;

  fixture_read_debug (&bytes, &length);
  fixture_open (&f,
                "UPDATE variables SET debug_id = (SELECT debug_id FROM programs"
                " WHERE debug_id IS NOT NULL ORDER BY id DESC LIMIT 1)",
                bytes, length);
  check_sums (&f);
}

/* What the file does not tell is unknown, also where other things tell of operations; it is never
 * nothing. */
static void
test_untold (void)
{
  static const struct
  {
    const char *sql;
    TsrOperationFigure figures[6];
    guint n;
  } cases[] = {
    { "DELETE FROM compute_set_vertices",
      { TSR_OPERATION_CODE, TSR_OPERATION_VERTEX_CODE, TSR_OPERATION_VERTEX_STATE,
        TSR_OPERATION_FLOPS },
      4 },
    { "DROP TABLE vertex_types",
      { TSR_OPERATION_CODE, TSR_OPERATION_VERTEX_CODE, TSR_OPERATION_VERTEX_STATE,
        TSR_OPERATION_FLOPS },
      4 },
    { "DROP TABLE compute_sets",
      { TSR_OPERATION_CODE, TSR_OPERATION_VERTEX_CODE, TSR_OPERATION_VERTEX_STATE,
        TSR_OPERATION_FLOPS, TSR_OPERATION_ESTIMATED },
      5 },
    { "UPDATE programs SET compute_set = NULL",
      { TSR_OPERATION_CODE, TSR_OPERATION_VERTEX_CODE, TSR_OPERATION_FLOPS,
        TSR_OPERATION_ESTIMATED },
      4 },
    { "UPDATE programs SET estimated_cycles_by_tile = NULL", { TSR_OPERATION_ESTIMATED }, 1 },
    { "UPDATE programs SET data_in_by_tile = NULL, data_out_by_tile = NULL",
      { TSR_OPERATION_DATA_IN, TSR_OPERATION_DATA_OUT },
      2 },
    { "DROP TABLE steps_by_ipu", { TSR_OPERATION_TILE_CYCLES, TSR_OPERATION_WALL_CYCLES }, 2 },
    { "DROP TABLE variables", { TSR_OPERATION_TOUCHED }, 1 },
    { "DROP TABLE variables; DROP TABLE vars_info",
      { TSR_OPERATION_VARIABLES, TSR_OPERATION_ALWAYS_LIVE, TSR_OPERATION_TEMPORARY,
        TSR_OPERATION_TOUCHED },
      4 },
    { "UPDATE program_variables SET variable = variable + 1000000", { TSR_OPERATION_TOUCHED }, 1 },
  };
  g_autofree char *bytes = NULL;
  gsize length;

  fixture_read_debug (&bytes, &length);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (TsrOperations) operations = NULL;
      guint conv = 0;

      fixture_open (&f, cases[i].sql, bytes, length);
      operations = fixture_make (&f, "onnx");
      while (g_strcmp0 (tsr_operations_get_name (operations, conv), "model/stem/conv1") != 0)
        g_assert_cmpuint (++conv, <, tsr_operations_get_n (operations));
      for (guint k = 0; k < cases[i].n; k++)
        {
          g_test_message ("%s: figure %d", cases[i].sql, cases[i].figures[k]);
          g_assert_cmpint (tsr_operations_get (operations, conv, cases[i].figures[k]), ==,
                           TSR_UNKNOWN);
        }
    }
}

/* Wherever the file ends the programs stand, and what was read of it is used. */
static void
test_truncated (void)
{
  g_autofree char *bytes = NULL;
  gsize length;
  guint n_used = 0;

  fixture_read_debug (&bytes, &length);
  for (gsize end = 1; end < length; end += length / 12)
    {
      g_auto (Fixture) f = { 0 };
      const TsrDiagnostics *diagnostics;
      gboolean told = FALSE;

      fixture_open (&f, NULL, bytes, end);
      diagnostics = tsr_report_get_diagnostics (f.opened.report);
      g_assert_cmpuint (tsr_programs_get_n (f.programs), ==,
                        tsr_test_ask (f.opened.folder, "SELECT count(*) FROM programs"));
      if (tsr_report_get_debug_tables (f.opened.report) == NULL)
        {
          g_assert_nonnull (tsr_report_get_stage_error (f.opened.report, TSR_STAGE_DEBUG));
          continue;
        }
      for (guint i = 0; i < tsr_diagnostics_get_n_kept ((TsrDiagnostics *)diagnostics); i++)
        {
          const TsrDiagnostic *one = tsr_diagnostics_get ((TsrDiagnostics *)diagnostics, i);

          told = told
                 || (g_str_equal (one->code, "part-not-read")
                     && g_str_equal (one->file, "debug.cbor") && one->offset >= 0
                     && (gsize)one->offset <= end);
        }
      g_assert_true (told);
      check_sums (&f);
      n_used++;
    }
  g_assert_cmpuint (n_used, >, 8);
}

static void
put (GByteArray *cbor, const char *bytes)
{
  g_byte_array_append (cbor, (const guint8 *)bytes, strlen (bytes));
}

/* A text of @length letters. */
static void
put_long (GByteArray *cbor, guint length)
{
  const guint8 head[] = { 0x7a, (guint8)(length >> 24), (guint8)(length >> 16),
                          (guint8)(length >> 8), (guint8)length };
  gsize at = cbor->len + sizeof head;

  g_byte_array_append (cbor, head, sizeof head);
  g_byte_array_set_size (cbor, (guint)at + length);
  memset (cbor->data + at, 'x', length);
}

/* In the string table, in a context and in the programs; two contexts are each other's parent. */
static void
test_long_names (void)
{
  const guint length = 10 << 20;
  g_autoptr (GByteArray) cbor = g_byte_array_new ();
  g_auto (Fixture) f = { 0 };
  g_autoptr (TsrOperations) operations = NULL;
  g_autoptr (GError) error = NULL;
  guint32 program;
  guint operation;

  put (cbor, "\xbf\x68"
             "contexts\x9f"
             "\xa4\x62id\x01\x68parentId\x02\x65layer\x67poplibs\x64name\x07"
             "\xa4\x62id\x02\x68parentId\x01\x65layer\x66poplar\x64name");
  put_long (cbor, length);
  put (cbor, "\xff\x6bstringTable\x88");
  for (guint i = 0; i < 7; i++)
    put (cbor, "\x61"
               "a");
  put_long (cbor, length);
  put (cbor, "\xff");
  fixture_open (
      &f,
      "UPDATE programs SET debug_id = 2, name = replace(hex(zeroblob(5242880)), '0', 'y') "
      "WHERE id = (SELECT min(id) FROM programs)",
      cbor->data, cbor->len);
  check_sums (&f);
  program = 0;
  g_assert_cmpuint (strlen (tsr_programs_get_name (f.programs, program)), ==, length);
  g_assert_cmpuint (strlen (tsr_programs_get_label (f.programs, program)), >, length);
  operations = fixture_make (&f, "poplibs");
  operation = tsr_operations_of_program (operations, program);
  g_assert_false (tsr_operations_is_none (operations, operation));
  g_assert_cmpuint (strlen (tsr_operations_get_name (operations, operation)), ==, length);
  g_assert_true (tsr_operations_read_records (operations, NULL, &error));
  g_assert_no_error (error);
}

/* The row of one of @layers that is nearest above @row, or it; the outermost if @outermost. */
static guint32
climb (const TsrDebugTables *debug, guint32 row, const guint16 layers[2], gboolean outermost)
{
  guint32 found = TSR_NO_INDEX;

  for (; row != TSR_NO_INDEX && (outermost || found == TSR_NO_INDEX); row = debug->parent[row])
    if (debug->layer[row] != TSR_DEBUG_NO_LAYER
        && (debug->layer[row] == layers[0] || debug->layer[row] == layers[1]))
      found = row;
  return found;
}

static gboolean
is_replaced (const TsrDebugTables *debug, guint32 context)
{
  for (guint32 c = 0; c < debug->n; c++)
    {
      guint n = 0;
      const guint64 *ids = tsr_debug_tables_get_ids (debug, c, TSR_DEBUG_REPLACED, &n);

      for (guint i = 0; i < n; i++)
        if (ids[i] == debug->id[context])
          return TRUE;
    }
  return FALSE;
}

static void
add_once (GArray *contexts, guint32 context)
{
  for (guint i = 0; i < contexts->len; i++)
    if (g_array_index (contexts, guint32, i) == context)
      return;
  if (context != TSR_NO_INDEX)
    g_array_append_val (contexts, context);
}

static void
walk_down (
    const TsrPrograms *graph, guint32 program, const guint32 *of, guint8 *seen, GArray *contexts)
{
  guint32 edge, end;

  if (seen[program]++ > 0)
    return;
  add_once (contexts, of[program]);
  for (tsr_programs_get_edges (graph, program, &edge, &end); edge < end; edge++)
    walk_down (graph, tsr_programs_get_child (graph, edge), of, seen, contexts);
}

/* In the order of the programs from the roots, then of the others, then of the file; each as often
 * as it replaced one that the file has.  How many did is returned. */
static guint
check_order (const TsrOperationList *list,
             const TsrPrograms *graph,
             const TsrDebugTables *debug,
             const guint32 *of,
             const guint16 layers[2])
{
  const guint32 n_programs = tsr_programs_get_n (graph);
  g_autoptr (GArray) contexts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *seen = g_new0 (guint8, n_programs);
  guint n_roots, at = 0, n_replaced = 0;
  const TsrProgramRoot *roots = tsr_programs_peek_roots (graph, &n_roots);

  for (guint i = 0; i < n_roots; i++)
    walk_down (graph, roots[i].program, of, seen, contexts);
  for (guint32 p = 0; p < n_programs; p++)
    add_once (contexts, of[p]);
  for (guint32 c = 0; c < debug->n; c++)
    if (climb (debug, c, layers, FALSE) == c && !is_replaced (debug, c))
      add_once (contexts, c);
  g_assert_cmpuint (list->n_groups, ==, contexts->len);
  for (guint g = 0; g < contexts->len; g++)
    {
      const guint32 context = g_array_index (contexts, guint32, g);
      const guint before = at;
      guint n = 0;
      const guint64 *ids = tsr_debug_tables_get_ids (debug, context, TSR_DEBUG_REPLACED, &n);

      for (guint i = 0; i <= n; i++)
        {
          const guint32 row = i < n ? tsr_debug_tables_find (debug, (gint64)ids[i]) : TSR_NO_INDEX;

          if (row == TSR_NO_INDEX && (i < n || at > before))
            continue;
          g_assert_cmpuint (at, <, list->n);
          g_assert_cmpuint (list->context[at], ==, context);
          g_assert_cmpuint (list->replaced[at], ==, row);
          g_assert_cmpuint (list->group[at++], ==, g);
          n_replaced += row != TSR_NO_INDEX;
        }
    }
  g_assert_cmpuint (at, ==, list->n);
  return n_replaced;
}

/* Each program is of the group of its nearest context, as climbing finds it, and of no other; steps
 * are the least and the largest of any of them, else of what these lead to. */
static guint
check_list (Fixture *f, const char *name, const guint16 layers[2])
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (f->opened.report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (f->opened.report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->opened.report);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrOperationList) list
      = tsr_operation_list_new (programs, debug, liveness, name, NULL, &error);
  g_autoptr (TsrPrograms) graph
      = tsr_programs_new_from_tables (programs, NULL, NULL, NULL, NULL, &error);
  g_autofree guint32 *context_of = g_new (guint32, programs->n_programs);
  g_autofree guint32 *context = NULL;
  guint n = 0;

  g_assert_no_error (error);
  context = g_new (guint32, list->n_groups);
  for (guint i = 0; i < programs->n_programs; i++)
    {
      context_of[i] = climb (debug, tsr_debug_tables_find (debug, programs->program_debug_id[i]),
                             layers, FALSE);
      n += context_of[i] != TSR_NO_INDEX;
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (list->program_start[list->n_groups], ==, n);
  for (guint i = 0; i < list->n; i++)
    context[list->group[i]] = list->context[i];
  for (guint g = 0; g < list->n_groups; g++)
    {
      guint32 first = TSR_NO_INDEX, last = TSR_NO_INDEX;
      guint32 beyond = TSR_NO_INDEX, end = TSR_NO_INDEX;

      g_assert_cmpuint (climb (debug, context[g], layers, FALSE), ==, context[g]);
      for (guint32 k = list->program_start[g]; k < list->program_start[g + 1]; k++)
        {
          g_assert_cmpuint (context_of[list->program[k]], ==, context[g]);
          g_assert_true (k == list->program_start[g] || list->program[k - 1] < list->program[k]);
        }
      for (guint s = 0; s < liveness->n_steps; s++)
        if (liveness->step_program[s] != TSR_NO_INDEX
            && context_of[liveness->step_program[s]] == context[g])
          {
            first = MIN (first, s);
            last = s;
          }
      for (guint32 k = list->program_start[g];
           first == TSR_NO_INDEX && k < list->program_start[g + 1]; k++)
        {
          g_autoptr (GArray) below = tsr_programs_find_below (graph, list->program[k]);

          for (guint s = 0; s < liveness->n_steps; s++)
            for (guint i = 0; i < below->len; i++)
              if (liveness->step_program[s] == g_array_index (below, guint32, i))
                {
                  beyond = MIN (beyond, s);
                  end = end == TSR_NO_INDEX ? s : MAX (end, s);
                }
        }
      if (first == TSR_NO_INDEX)
        {
          first = beyond;
          last = end;
        }
      g_assert_cmpuint (list->first_step[g], ==, first);
      g_assert_cmpuint (list->last_step[g], ==, last);
    }
  return check_order (list, graph, debug, context_of, layers);
}

/* As libpva lists them, in the layers where the nearest context is the operation. */
static void
test_list (void)
{
  g_auto (Fixture) f = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize length = 0;
  const TsrDebugTables *debug;
  guint n = 0, n_replaced = 0;

  fixture_read_debug (&bytes, &length);
  fixture_open (&f, NULL, bytes, length);
  debug = tsr_report_get_debug_tables (f.opened.report);
  for (guint i = 0; i < debug->n_layers; i++)
    if (!g_str_has_prefix (debug->layers[i].name, "pop")
        || g_str_equal (debug->layers[i].name, "popart"))
      {
        n_replaced += check_list (&f, debug->layers[i].name, (guint16[]){ i, i });
        n++;
      }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n_replaced, >, 0);
  g_assert_null (tsr_operation_list_new (tsr_report_get_program_tables (f.opened.report), debug,
                                         NULL, "no such layer", NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
}

/* Every context against climbing, in the layer @name (NULL: what libpva takes). */
static void
check_rule (const TsrDebugTables *debug, const char *name)
{
  const guint16 none = TSR_DEBUG_NO_LAYER;
  const guint16 poplar = tsr_debug_tables_find_layer (debug, "poplar");
  const guint16 popart = tsr_debug_tables_find_layer (debug, "popart");
  const guint16 xla = tsr_debug_tables_find_layer (debug, "xla_op");
  const gboolean is_poplar
      = name == NULL ? popart == none && xla == none
                     : g_strv_contains ((const char *[]){ "poplibs", "poplar", NULL }, name);
  const char *layer = is_poplar                        ? "poplibs"
                      : name == NULL && popart != none ? "popart"
                      : name == NULL                   ? "xla_op"
                                                       : name;
  const guint16 layers[]
      = { tsr_debug_tables_find_layer (debug, layer), name == NULL ? xla : none };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrOperationRule) rule = tsr_operation_rule_new (debug, name, &error);

  if (layers[0] == none && (!is_poplar || poplar == none))
    {
      g_assert_null (rule);
      g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpstr (tsr_operation_rule_get_layer (rule), ==, layer);
  for (guint32 row = 0; row < debug->n; row++)
    {
      guint32 wanted = climb (debug, row, layers, is_poplar);

      g_assert_cmpint (tsr_operation_rule_is_operation (rule, row), ==, wanted == row);
      if (wanted == TSR_NO_INDEX && is_poplar)
        wanted = climb (debug, row, (guint16[]){ poplar, none }, FALSE);
      g_assert_cmpuint (tsr_operation_rule_find (rule, row), ==, wanted);
    }
  g_assert_cmpuint (tsr_operation_rule_find (rule, TSR_NO_INDEX), ==, TSR_NO_INDEX);
  g_assert_cmpuint (tsr_operation_rule_find_id (rule, TSR_UNKNOWN), ==, TSR_NO_INDEX);
}

/* Each layer, also where contexts of those that libpva takes are of others. */
static void
test_rule (void)
{
  static const struct
  {
    const char *from, *to;
    guint every;
  } changes[][3] = {
    { { "\x66popart", "\x66xla_op", 2 } },
    { { "\x66popart", "\x66xla_op", 1 } },
    { { "\x66popart", "\x66nopart", 1 } },
    { { "\x67poplibs", "\x67noplibs", 1 } },
    { { "\x66popart", "\x66nopart", 1 },
      { "\x67poplibs", "\x67noplibs", 1 },
      { "\x66poplar", "\x66noplar", 1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autofree char *bytes = NULL;
      gsize length;
      const TsrDebugTables *debug;

      fixture_read_debug (&bytes, &length);
      for (guint k = 0; k < G_N_ELEMENTS (changes[i]) && changes[i][k].from != NULL; k++)
        {
          const gsize n = strlen (changes[i][k].from);
          guint n_found = 0;

          for (gsize at = 0; at + n <= length; at++)
            if (memcmp (bytes + at, changes[i][k].from, n) == 0
                && n_found++ % changes[i][k].every == 0)
              memcpy (bytes + at, changes[i][k].to, n);
          g_assert_cmpuint (n_found, >, 1);
        }
      fixture_open (&f, NULL, bytes, length);
      debug = tsr_report_get_debug_tables (f.opened.report);
      check_rule (debug, NULL);
      check_rule (debug, "poplibs");
      for (guint k = 0; k < debug->n_layers; k++)
        check_rule (debug, debug->layers[k].name);
      if (i < 2)
        check_list (&f, NULL,
                    (guint16[]){ tsr_debug_tables_find_layer (debug, "popart"),
                                 tsr_debug_tables_find_layer (debug, "xla_op") });
    }
}

/* Who asks for a layer that there is not is told those that there are, in 200 bytes. */
static void
test_layers_said (void)
{
  for (guint more = 1; more < 6; more++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (GByteArray) cbor = g_byte_array_new ();
      g_autoptr (GString) all = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      const char *said;

      put (cbor, "\xbf\x68"
                 "contexts\x9f");
      for (guint i = 0; i < 10; i++)
        {
          g_autofree char *name
              = g_strdup_printf ("%.*s%02uéééééééé", i == 0 ? (int)more : 0, "abcdef", i);
          const char head[] = { 0x62, 'i', 'd', (char)(i + 1), 0x65, 'l', 'a', 'y', 'e', 'r', 0 };
          const char text[] = { (char)(0x60 + strlen (name)), 0 };

          put (cbor, "\xa2");
          put (cbor, head);
          put (cbor, text);
          put (cbor, name);
          g_string_append_printf (all, i > 0 ? ", %s" : "%s", name);
        }
      put (cbor, "\xff\xff");
      fixture_open (&f, NULL, cbor->data, cbor->len);
      g_assert_null (
          tsr_operation_rule_new (tsr_report_get_debug_tables (f.opened.report), "none", &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
      said = strstr (error->message, "it has: ");
      g_assert_nonnull (said);
      said += strlen ("it has: ");
      g_assert_cmpuint (all->len, ==, 198 + more);
      if (all->len > 200)
        {
          g_assert_true (g_str_has_suffix (said, "…") && g_utf8_validate (said, -1, NULL));
          g_string_truncate (all, strlen (said) - strlen ("…"));
          g_assert_cmpuint (all->len, <=, 200);
          g_assert_cmpuint (all->len, >, 196);
          g_string_append (all, "…");
        }
      g_assert_cmpstr (said, ==, all->str);
    }
}

/* What is on single tiles adds up to the operation's figures; what is not told by tile says why. */
static void
check_by_tile (Fixture *f, TsrOperations *operations, guint n_found[TSR_N_OPERATION_BY_TILE])
{
  static const TsrOperationFigure figures[]
      = { TSR_OPERATION_CONTROL_CODE, TSR_OPERATION_EXCHANGE_CODE, TSR_OPERATION_VERTEX_CODE,
          TSR_OPERATION_ESTIMATED, TSR_OPERATION_TILE_CYCLES };
  g_autoptr (GError) error = NULL;
  gint64 of_ipus[2] = { 0, 0 };

  g_assert_true (tsr_operations_read_worst_code (operations, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    {
      g_autofree gint64 *code = g_new0 (gint64, tsr_memory_get_n_tiles (f->opened.memory));
      gint64 worst = 0;
      gboolean told = TRUE;

      for (guint what = 0; what < TSR_N_OPERATION_BY_TILE; what++)
        {
          guint n = 0;
          g_autofree gint64 *values
              = tsr_operations_dup_by_tile (operations, i, what, &n, NULL, &error);
          gint64 figure = tsr_operations_get (operations, i, figures[what]), all = 0;

          g_assert_true ((values == NULL) == (error != NULL));
          if (values == NULL)
            {
              g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
              g_clear_error (&error);
              g_assert_true (figure == TSR_UNKNOWN || what >= TSR_OPERATION_BY_TILE_ESTIMATED);
              told = told && what > TSR_OPERATION_BY_TILE_VERTEX;
              continue;
            }
          n_found[what] += figure > 0;
          g_assert_cmpuint (n, >=, tsr_memory_get_n_tiles (f->opened.memory));
          for (guint tile = 0; tile < n; tile++)
            {
              g_assert_cmpint (values[tile], >=, 0);
              all += values[tile];
              if (what == TSR_OPERATION_BY_TILE_MEASURED)
                of_ipus[2 * tile / n] += values[tile];
              if (what <= TSR_OPERATION_BY_TILE_VERTEX)
                {
                  code[tile] += values[tile];
                  worst = MAX (worst, code[tile]);
                }
            }
          g_assert_cmpint (all, ==, figure);
        }
      if (told)
        g_assert_cmpint (tsr_operations_get (operations, i, TSR_OPERATION_CODE_WORST), ==, worst);
    }
  for (guint ipu = 0; ipu < 2; ipu++)
    g_assert_cmpint (of_ipus[ipu], ==,
                     tsr_test_ask (f->opened.folder,
                                   "SELECT coalesce (sum (total), 0) FROM steps s JOIN steps_by_ipu"
                                   " i ON i.step_id = s.id JOIN tile_cycles t ON t.set_id ="
                                   " s.tile_cycles AND t.ipu = i.ipu JOIN tile_arrays a ON a.id ="
                                   " cycles_by_tile WHERE i.ipu = %u",
                                   ipu));
}

/* Code of a group on each tile, naively: control and exchange code of each operation, and the code
 * of a vertex type where any of them has one, as rows of compute_set_vertices say. */
static void
check_group (Fixture *f,
             TsrOperations *operations,
             const guint *members,
             guint n,
             gint64 vertices,
             gint64 worst)
{
  const TsrProgramTables *t = tsr_report_get_program_tables (f->opened.report);
  const guint n_tiles = tsr_memory_get_n_tiles (f->opened.memory);
  g_autofree gint64 *code = g_new0 (gint64, n_tiles);
  g_autofree guint32 *counts = g_new (guint32, n_tiles), *sizes = g_new (guint32, n_tiles);
  g_autofree guint8 *has = g_new0 (guint8, (gsize)t->n_vertex_types * n_tiles + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (f->opened.report, &error);
  gint64 sum = 0, most = 0;
  gboolean found;

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      guint n_programs;
      const guint32 *programs = tsr_operations_get_programs (operations, members[i], &n_programs);

      for (guint what = TSR_OPERATION_BY_TILE_CONTROL; what <= TSR_OPERATION_BY_TILE_EXCHANGE;
           what++)
        {
          guint n_values;
          g_autofree gint64 *values
              = tsr_operations_dup_by_tile (operations, members[i], what, &n_values, NULL, &error);

          g_assert_no_error (error);
          for (guint tile = 0; tile < n_tiles; tile++)
            code[tile] += values[tile];
        }
      for (guint k = 0; k < n_programs; k++)
        {
          const guint32 set = t->program_compute_set[programs[k]];

          for (guint32 v = set < t->n_compute_sets ? t->vertex_start[set] : 0;
               set < t->n_compute_sets && v < t->vertex_start[set + 1]; v++)
            {
              g_assert_true (tsr_profile_read_tile_array (profile, t->vertex_count_by_tile[v].id,
                                                          n_tiles, counts, &found, &error)
                             && found);
              for (guint tile = 0; tile < n_tiles; tile++)
                has[(gsize)t->vertex_type[v] * n_tiles + tile] |= counts[tile] > 0;
            }
        }
    }
  for (guint type = 0; type < t->n_vertex_types; type++)
    {
      g_assert_true (tsr_profile_read_tile_array (profile, t->vertex_type_code[type].id, n_tiles,
                                                  sizes, &found, &error)
                     && found);
      for (guint tile = 0; tile < n_tiles; tile++)
        if (has[(gsize)type * n_tiles + tile])
          {
            sum += sizes[tile];
            code[tile] += sizes[tile];
          }
    }
  for (guint tile = 0; tile < n_tiles; tile++)
    most = MAX (most, code[tile]);
  g_assert_cmpint (vertices, ==, sum);
  g_assert_cmpint (worst, ==, most);
}

/* Groups of one, two, ... operations, one of all that is left, and one of none: types that several
 * have are counted once. */
static void
test_group_code (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (TsrOperations) operations = NULL;
  g_autofree guint *members = NULL;
  guint starts[7], n;
  gint64 vertices[6], worst[6], sum = 0, group = 0;
  g_autoptr (GError) error = NULL;

  fixture_read_debug (&bytes, &length);
  fixture_open (&f, NULL, bytes, length);
  operations = fixture_make (&f, "poplibs");
  n = tsr_operations_get_n (operations);
  g_assert_cmpuint (n, >, 12);
  members = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    members[i] = n - 1 - i;
  for (guint i = 0; i < 5; i++)
    starts[i] = i * (i + 1) / 2;
  starts[5] = starts[6] = n;
  g_assert_true (tsr_operations_read_group_code (operations, members, starts, 6, vertices, worst,
                                                 NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 5; i++)
    check_group (&f, operations, members + starts[i], starts[i + 1] - starts[i], vertices[i],
                 worst[i]);
  g_assert_cmpint (vertices[5], ==, 0);
  g_assert_cmpint (worst[5], ==, 0);
  group = vertices[4];
  for (guint i = starts[4]; i < n; i++)
    sum += tsr_operations_get (operations, members[i], TSR_OPERATION_VERTEX_CODE);
  g_assert_cmpint (group, >, 0);
  g_assert_cmpint (group, <, sum);
}

/* Cycles of a group: of one operation its own; of several no less than those of one, and no more
 * than their sum; of all operations the report's. */
static void
test_group_cycles (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (TsrOperations) operations = NULL;
  g_autofree guint *members = NULL, *starts = NULL;
  g_autofree gint64 *cycles = NULL;
  gint64 most = 0, sum = 0;
  guint n;
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  fixture_read_debug (&bytes, &length);
  fixture_open (&f, NULL, bytes, length);
  operations = fixture_make (&f, "poplibs");
  n = tsr_operations_get_n (operations);
  members = g_new (guint, n);
  starts = g_new (guint, n + 1);
  cycles = g_new (gint64, n);
  for (guint i = 0; i <= n; i++)
    {
      if (i < n)
        members[i] = n - 1 - i;
      starts[i] = i;
    }
  g_assert_true (
      tsr_operations_find_group_cycles (operations, members, starts, n, cycles, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (cycles[i], ==,
                     tsr_operations_get (operations, members[i], TSR_OPERATION_WALL_CYCLES));
  for (guint i = 1; i < 12; i++)
    {
      most = MAX (most, cycles[i]);
      sum += cycles[i];
    }
  starts[0] = 1;
  starts[1] = 12;
  g_assert_true (
      tsr_operations_find_group_cycles (operations, members, starts, 1, cycles, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (cycles[0], >=, most);
  g_assert_cmpint (cycles[0], <=, sum);
  starts[0] = 0;
  starts[1] = n;
  g_assert_true (
      tsr_operations_find_group_cycles (operations, members, starts, 1, cycles, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (cycles[0], ==, tsr_operations_get_total (operations, TSR_OPERATION_WALL_CYCLES));
  g_assert_cmpint (cycles[0], >, 0);
  g_cancellable_cancel (cancellable);
  g_assert_false (tsr_operations_find_group_cycles (operations, members, starts, 1, cycles,
                                                    cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Of what was not executed nothing is known. */
static void
test_group_cycles_untold (void)
{
  static const char *const changes[]
      = { "DELETE FROM steps", "DELETE FROM steps; DELETE FROM steps_by_ipu",
          "DROP TABLE steps; DROP TABLE steps_by_ipu; DROP TABLE runs" };
  g_autofree char *bytes = NULL;
  gsize length;

  fixture_read_debug (&bytes, &length);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (TsrOperations) operations = NULL;
      g_autoptr (GError) error = NULL;
      const guint members[] = { 1, 0 }, starts[] = { 0, 1, 2, 2 };
      gint64 cycles[] = { 7, 7, 7 };

      fixture_open (&f, changes[i], bytes, length);
      operations = fixture_make (&f, "poplibs");
      g_assert_true (
          tsr_operations_find_group_cycles (operations, members, starts, 3, cycles, NULL, &error));
      g_assert_no_error (error);
      for (guint g = 0; g < 3; g++)
        g_assert_cmpint (cycles[g], ==, TSR_UNKNOWN);
    }
}

/* The report's code on its worst tile is that of all operations together, in whatever layer. */
static void
test_worst_code (void)
{
  static const char *const layers[] = { "poplar", "poplibs", "popart", "onnx" };
  g_auto (Fixture) f = { 0 };
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GError) error = NULL;
  gint64 first = TSR_UNKNOWN;

  fixture_read_debug (&bytes, &length);
  fixture_open (&f, NULL, bytes, length);
  for (guint k = 0; k < G_N_ELEMENTS (layers); k++)
    {
      g_autoptr (TsrOperations) operations = fixture_make (&f, layers[k]);
      const guint n = tsr_operations_get_n (operations);
      g_autofree guint *members = g_new (guint, n);
      const guint starts[] = { 0, n };
      gint64 vertices, worst;

      for (guint i = 0; i < n; i++)
        members[i] = i;
      g_assert_true (tsr_operations_read_group_code (operations, members, starts, 1, &vertices,
                                                     &worst, NULL, &error));
      g_assert_no_error (error);
      check_group (&f, operations, members, n, vertices, worst);
      g_assert_cmpint (tsr_operations_get_total (operations, TSR_OPERATION_CODE_WORST), ==,
                       TSR_UNKNOWN);
      g_assert_true (tsr_operations_read_worst_code (operations, NULL, &error));
      g_assert_no_error (error);
      first = k == 0 ? worst : first;
      g_assert_cmpint (worst, >, 0);
      g_assert_cmpint (worst, ==, first);
      g_assert_cmpint (tsr_operations_get_total (operations, TSR_OPERATION_CODE_WORST), ==, worst);
    }
}

static void
test_by_tile (void)
{
  static const struct
  {
    const char *sql;
    gboolean estimated, measured; /* of all */
  } cases[] = {
    { NULL, TRUE, TRUE },
    { "DELETE FROM steps; DELETE FROM steps_by_ipu; DELETE FROM runs", TRUE, FALSE },
    { "UPDATE compute_sets SET estimated_cycles_by_tile = NULL", FALSE, TRUE },
    { "UPDATE compute_sets SET estimated_cycles_by_tile = 123456789", FALSE, TRUE },
  };
  g_autofree char *bytes = NULL;
  gsize length;
  guint n_estimated = 0;

  fixture_read_debug (&bytes, &length);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (TsrOperations) operations = NULL;
      guint n[TSR_N_OPERATION_BY_TILE] = { 0 };

      fixture_open (&f, cases[i].sql, bytes, length);
      operations = fixture_make (&f, "poplibs");
      check_by_tile (&f, operations, n);
      for (guint what = 0; what <= TSR_OPERATION_BY_TILE_VERTEX; what++)
        g_assert_cmpuint (n[what], >, 0);
      n_estimated = i == 0 ? n[TSR_OPERATION_BY_TILE_ESTIMATED] : n_estimated;
      g_assert_true ((n[TSR_OPERATION_BY_TILE_ESTIMATED] >= n_estimated) == cases[i].estimated);
      g_assert_true ((n[TSR_OPERATION_BY_TILE_MEASURED] > 0) == cases[i].measured);
    }
}

/* -1, 0, 1: how @x comes to @y by @a and @b of both. */
#define BY(a, b) ((a) > (b)) - ((a) < (b))

/* Edges come by name, from, to and variable, each once: also where variables share a name. */
static void
test_edge_order (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *bytes = NULL;
  gsize length;
  guint n_edges = 0, n_alike = 0;
  g_autoptr (TsrOperations) operations = NULL;

  fixture_read_debug (&bytes, &length);
  fixture_open (&f, "UPDATE variables SET name = 'v' || (id % 3)", bytes, length);
  operations = fixture_make (&f, "poplar");
  for (guint i = 0; i < 2 * tsr_operations_get_n (operations); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) edges
          = tsr_operations_dup_edges (operations, i / 2, i % 2 != 0, NULL, &error);

      g_assert_no_error (error);
      n_edges += edges->len;
      for (guint e = 1; e < edges->len; e++)
        {
          const TsrOperationEdge *x = &g_array_index (edges, TsrOperationEdge, e - 1), *y = x + 1;
          const int orders[] = { strcmp (x->name, y->name), BY (x->from, y->from),
                                 BY (x->to, y->to), BY (x->variable, y->variable) };
          guint k = 0;

          while (k < G_N_ELEMENTS (orders) && orders[k] == 0)
            k++;
          g_assert_cmpuint (k, <, G_N_ELEMENTS (orders));
          g_assert_cmpint (orders[k], <, 0);
          n_alike += k == 3;
        }
    }
  g_assert_cmpuint (n_edges, >, 0);
  g_assert_cmpuint (n_alike, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operations/without", test_without);
  g_test_add_func ("/operations/one-owner", test_one_owner);
  g_test_add_func ("/operations/untold", test_untold);
  g_test_add_func ("/operations/truncated", test_truncated);
  g_test_add_func ("/operations/long-names", test_long_names);
  g_test_add_func ("/operations/list", test_list);
  g_test_add_func ("/operations/rule", test_rule);
  g_test_add_func ("/operations/layers-said", test_layers_said);
  g_test_add_func ("/operations/by-tile", test_by_tile);
  g_test_add_func ("/operations/group-code", test_group_code);
  g_test_add_func ("/operations/group-cycles", test_group_cycles);
  g_test_add_func ("/operations/group-cycles-untold", test_group_cycles_untold);
  g_test_add_func ("/operations/worst-code", test_worst_code);
  g_test_add_func ("/operations/edge-order", test_edge_order);
  return g_test_run ();
}
