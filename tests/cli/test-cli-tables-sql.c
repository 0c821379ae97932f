/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables against the file: what each prints is what SQL finds in the demo report, row by row; and
 * parts add up to the whole, whatever they are grouped by. */

#include "config.h"

#include "cli-test.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *words[6]; /* command and options */
  const char *keys;     /* columns, in the order of the SELECT */
  const char *sql;
} Table;

static const Table tables[] = {
  { { "memory", "--table=compute-sets" },
    "name stateBytes numVertices numVertexTypes estimatedCycles flops",
    "SELECT c.name name, sum(v.count*t.size_bytes) stateBytes, sum(v.count) "
    "numVertices, count(*) numVertexTypes, a.maximum estimatedCycles, sum(v.flops) "
    "flops FROM compute_sets c JOIN compute_set_vertices v USING (compute_set) JOIN "
    "vertex_types t ON t.id=v.vertex_type LEFT JOIN tile_arrays a ON "
    "a.id=c.estimated_cycles_by_tile GROUP BY c.compute_set" },
  { { "memory", "--table=vertices" },
    "name bytes codeBytes stateBytes count size numComputeSets source",
    "SELECT t.name name, a.total+sum(v.count)*t.size_bytes bytes, a.total "
    "codeBytes, sum(v.count)*t.size_bytes stateBytes, sum(v.count) count, "
    "t.size_bytes size, count(*) numComputeSets, t.source_type source FROM "
    "vertex_types t JOIN compute_set_vertices v ON v.vertex_type=t.id LEFT JOIN "
    "tile_arrays a ON a.id=t.code_bytes_by_tile GROUP BY t.id" },
  { { "memory", "--table=exchanges" },
    "name codeBytes type executions",
    "SELECT p.name name, a.total codeBytes, p.type type, (SELECT count(*) FROM "
    "steps s WHERE s.program=p.id) executions FROM programs p JOIN tile_arrays a ON "
    "a.id=p.code_bytes_by_tile" },
  { { "memory", "--table=variables", "--tile=7" },
    "name bytes offset alignment life numLifetimes",
    "SELECT s.value name, v.size_bytes bytes, v.offset offset, v.alignment "
    "alignment, iif(v.always_live,'Always','Temporary') life, "
    "iif(v.always_live,1,(SELECT count(*) FROM equivalence_class_intervals i WHERE "
    "i.equivalence_class=v.equivalence_class)) numLifetimes FROM vars_info v JOIN "
    "vars_string_table s ON s.id=v.name WHERE tile=7" },
  { { "memory", "--table=variables" },
    "name bytes elementType shape life liveShare",
    "SELECT name, size_bytes bytes, element_type elementType, shape shape, "
    "iif(always_live,'Always','Temporary') life, "
    "printf('%.15g',round(iif(always_live,1,(SELECT sum(end_step-start_step) FROM "
    "variable_lifetimes l WHERE l.variable=v.id)*1.0/(SELECT count(*) FROM "
    "liveness_steps)),9)) liveShare FROM variables v" },
  { { "liveness", "--table=always-live" },
    "name bytes elementType shape debugId share",
    "SELECT name, size_bytes bytes, element_type elementType, shape, debug_id "
    "debugId, printf('%.15g',round(size_bytes*1.0/(SELECT sum(size_bytes) FROM "
    "variables WHERE always_live),9)) share FROM variables WHERE always_live" },
  { { "liveness", "--table=not-always-live", "--step=40" },
    "name bytesStep40 elementType shape debugId share",
    "SELECT v.name name, sum(l.size_bytes) bytesStep40, element_type elementType, "
    "shape, debug_id debugId, printf('%.15g',round(sum(l.size_bytes)*1.0/(SELECT "
    "not_always_live_bytes FROM liveness_steps WHERE step=40),9)) share FROM "
    "variables v JOIN variable_lifetimes l ON l.variable=v.id AND start_step<=40 "
    "AND end_step>40 GROUP BY v.id" },
  { { "liveness", "--table=not-always-live", "--step=40", "--group-by=category" },
    "key bytesStep40 numVariables largestVariable",
    "SELECT c.name key, sum(l.size_bytes) bytesStep40, count(*) numVariables, "
    "v.name largestVariable, max(l.size_bytes) AS _m FROM variables v JOIN "
    "variable_lifetimes l ON l.variable=v.id AND start_step<=40 AND end_step>40 "
    "JOIN var_categories c ON c.id=v.category GROUP BY v.category" },
  { { "liveness", "--table=lifetimes" },
    "name bytes from to numSteps",
    "SELECT v.name name, l.size_bytes bytes, start_step 'from', end_step 'to', "
    "end_step-start_step numSteps FROM variable_lifetimes l JOIN variables v ON "
    "v.id=l.variable" },
  { { "liveness", "--table=peak" },
    "name bytes",
    "WITH p AS (SELECT step FROM liveness_steps ORDER BY not_always_live_bytes "
    "DESC, step LIMIT 1) SELECT v.name name, v.size_bytes bytes FROM variables v "
    "WHERE always_live UNION ALL SELECT v.name, l.size_bytes FROM "
    "variable_lifetimes l JOIN variables v ON v.id=l.variable, p WHERE "
    "l.start_step<=p.step AND l.end_step>p.step" },
  { { "liveness", "--table=a-to-b", "--step=10,40" },
    "name change difference changeSize bytesStep10 bytesStep40",
    "SELECT v.name name, iif(a.v IS NULL,'Born','Dead') change, "
    "coalesce(b.s,0)-coalesce(a.s,0) difference, "
    "abs(coalesce(b.s,0)-coalesce(a.s,0)) changeSize, coalesce(a.s,0) bytesStep10, "
    "coalesce(b.s,0) bytesStep40 FROM variables v LEFT JOIN (SELECT variable v, "
    "sum(size_bytes) s FROM variable_lifetimes WHERE start_step<=10 AND end_step>10 "
    "GROUP BY 1) a ON a.v=v.id LEFT JOIN (SELECT variable v, sum(size_bytes) s FROM "
    "variable_lifetimes WHERE start_step<=40 AND end_step>40 GROUP BY 1) b ON "
    "b.v=v.id WHERE coalesce(a.s,0)<>coalesce(b.s,0)" },
  { { "liveness", "--table=vertices", "--step=40" },
    "name countStep40 stateBytesStep40 size codeBytes",
    "SELECT t.name name, v.count countStep40, v.count*t.size_bytes "
    "stateBytesStep40, t.size_bytes size, a.total codeBytes FROM liveness_steps l "
    "JOIN programs p ON p.id=l.program JOIN compute_set_vertices v USING "
    "(compute_set) JOIN vertex_types t ON t.id=v.vertex_type LEFT JOIN tile_arrays "
    "a ON a.id=t.code_bytes_by_tile WHERE l.step=40" },
  { { "liveness", "--table=cycle-estimates", "--step=40" },
    "name estimatedCyclesStep40 measuredCyclesStep40",
    "SELECT t.name name, v.estimated_cycles estimatedCyclesStep40, "
    "v.measured_cycles measuredCyclesStep40 FROM liveness_steps l JOIN programs p "
    "ON p.id=l.program JOIN compute_set_vertices v USING (compute_set) JOIN "
    "vertex_types t ON t.id=v.vertex_type WHERE l.step=40" },
  { { "liveness", "--table=flop-estimates", "--step=40" },
    "name flopsStep40 countStep40",
    "SELECT t.name name, v.flops flopsStep40, v.count countStep40 FROM "
    "liveness_steps l JOIN programs p ON p.id=l.program JOIN compute_set_vertices v "
    "USING (compute_set) JOIN vertex_types t ON t.id=v.vertex_type WHERE l.step=40" },
  { { "summary", "--table=options" },
    "name value section",
    "SELECT name, value, 'engine' section FROM engine_options" },
  { { "trace", "--table=aggregate", "--group-by=type", "--exclude=StreamCopyBegin" },
    "name count cycles",
    "SELECT s.type name, count(*) count, sum(active_cycles_to_max- "
    "active_cycles_from_max) cycles FROM (SELECT id, iif(type='Sync', (SELECT name "
    "FROM programs p WHERE p.id=program)||' Sync', type) type FROM steps) s JOIN "
    "steps_by_ipu i ON i.step_id=s.id WHERE "
    "active_cycles_to_max>active_cycles_from_max AND s.type<>'StreamCopyBegin' "
    "GROUP BY 1" },
  { { "trace", "--table=aggregate", "--exclude=StreamCopyBegin" },
    "name count cycles",
    "SELECT p.name||iif(s.type='Sync',' Sync','') name, count(*) count, "
    "sum(active_cycles_to_max-active_cycles_from_max) cycles FROM steps s JOIN "
    "steps_by_ipu i ON i.step_id=s.id LEFT JOIN programs p ON p.id=s.program WHERE "
    "active_cycles_to_max>active_cycles_from_max AND s.type<>'StreamCopyBegin' "
    "GROUP BY 1" },
  { { "programs", "--table=costliest" },
    "id key steps exchange callers",
    "SELECT p.id id, p.id||'' key, (SELECT count(*) FROM steps s WHERE "
    "s.program=p.id) steps, coalesce(b.total,0) exchange, (SELECT count(*) FROM "
    "program_children c WHERE c.child=p.id)+(SELECT count(*) FROM programs q WHERE "
    "q.callee=p.id) callers FROM programs p LEFT JOIN tile_arrays a ON "
    "a.id=p.control_code_by_tile LEFT JOIN tile_arrays b ON "
    "b.id=p.code_bytes_by_tile" },
  { { "programs", "--table=variables", "--program=3" },
    "name role elementType shape bytes touched parts",
    "SELECT v.name name, CASE role WHEN 0 THEN 'Used' WHEN 1 THEN 'Source' ELSE "
    "'Destination' END role, element_type elementType, shape, size_bytes bytes, "
    "sum(p.bytes) touched, count(*) parts FROM program_variables p JOIN variables v "
    "ON v.id=p.variable WHERE program=3 GROUP BY v.id, role" },
  { { "programs", "--table=touching", "--variable=model/stem/conv1.weight" },
    "id role touched parts",
    "SELECT p.id id, CASE role WHEN 0 THEN 'Used' WHEN 1 THEN 'Source' ELSE "
    "'Destination' END role, sum(t.bytes) touched, count(*) parts FROM "
    "program_variables t JOIN variables v ON v.id=t.variable JOIN programs p ON "
    "p.id=t.program WHERE v.name='model/stem/conv1.weight' GROUP BY p.id, role" },
  { { "programs", "--table=vertices", "--program=3" },
    "name source count stateBytes codeBytes flops estimated measured",
    "SELECT t.name name, t.source_type source, v.count count, v.count*t.size_bytes "
    "stateBytes, a.total codeBytes, v.flops flops, v.estimated_cycles estimated, "
    "v.measured_cycles measured FROM programs p JOIN compute_set_vertices v USING "
    "(compute_set) JOIN vertex_types t ON t.id=v.vertex_type LEFT JOIN tile_arrays "
    "a ON a.id=t.code_bytes_by_tile WHERE p.id=3" },
  { { "programs", "--table=steps", "--program=3" },
    "run step ipu start cycles",
    "SELECT r.name run, s.id step, i.ipu ipu, cycles_base+active_cycles_from_max "
    "start, active_cycles_to_max-active_cycles_from_max cycles FROM steps s JOIN "
    "steps_by_ipu i ON i.step_id=s.id JOIN runs r ON r.id=s.run WHERE program=3 AND "
    "active_tiles>0" },
  { { "liveness", "--table=always-live", "--source=ipu1" },
    "name bytes shape debugId",
    "SELECT v.name name, i.size_bytes bytes, shape, debug_id debugId FROM "
    "variables_by_ipu i JOIN variables v ON v.id=i.variable WHERE ipu=1 AND "
    "always_live AND i.size_bytes>0" },
  { { "liveness", "--table=not-always-live", "--step=114", "--source=tile7" },
    "name bytesStep114",
    "SELECT rtrim(s.value,'#') name, sum(v.size_bytes) bytesStep114 FROM vars_info "
    "v JOIN vars_string_table s ON s.id=v.name WHERE tile=7 AND NOT always_live AND "
    "EXISTS (SELECT 1 FROM equivalence_class_intervals i WHERE "
    "i.equivalence_class=v.equivalence_class AND start_step<=114 AND end_step>114) "
    "GROUP BY v.name" },
  { { "liveness", "--table=always-live", "--group-by=category" },
    "key bytes numVariables",
    "SELECT c.name key, sum(size_bytes) bytes, count(*) numVariables FROM variables "
    "v JOIN var_categories c ON c.id=v.category WHERE always_live GROUP BY 1" },
  { { "memory", "--table=variables", "--tile=1475" },
    "name bytes offset alignment",
    "SELECT s.value name, v.size_bytes bytes, v.offset offset, v.alignment "
    "alignment FROM vars_info v JOIN vars_string_table s ON s.id=v.name WHERE "
    "tile=1475" },
  { { "liveness", "--table=a-to-b", "--step=40,110", "--gone" },
    "name bytes",
    "SELECT v.name name, sum(l.size_bytes) bytes FROM variable_lifetimes l JOIN "
    "variables v ON v.id=l.variable WHERE start_step<=40 AND end_step>40 AND NOT "
    "EXISTS (SELECT 1 FROM variable_lifetimes m WHERE m.variable=v.id AND "
    "m.start_step<=110 AND m.end_step>110) GROUP BY v.id" },
  { { "liveness", "--table=peak", "--no-always-live" },
    "name bytes",
    "WITH p AS (SELECT step FROM liveness_steps ORDER BY not_always_live_bytes "
    "DESC, step LIMIT 1) SELECT v.name name, l.size_bytes bytes FROM "
    "variable_lifetimes l JOIN variables v ON v.id=l.variable, p WHERE "
    "l.start_step<=p.step AND l.end_step>p.step" },
};

static void
test_table (gconstpointer data)
{
  const Table *table = data;
  const char *const *words = table->words;
  char *folder = cli_report_new ("demo");
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", table->sql);
  g_auto (CliRun) run = { 0 };

  g_assert_cmpuint (rows->len, >, 0);
  cli_run_json (&run, words[0], folder, words[1], words[2], words[3], words[4], NULL);
  cli_compare_row_sets (cli_array (run.json, "rows"), table->keys, rows);
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------- parts of a whole */

static void
run_table (CliRun *run, const char *folder, const char *const *words, const char *more)
{
  const char *given[6] = { NULL };
  guint n = 0;

  for (; words[n] != NULL; n++)
    given[n] = words[n];
  given[n] = more;
  cli_run_json (run, given[0], folder, given[1], given[2], given[3], given[4], NULL);
}

/* Of @key in all rows; what is null does not count. */
static double
sum_column (JsonNode *json, const char *key)
{
  JsonArray *rows = cli_array (json, "rows");
  double sum = 0;

  g_assert_cmpuint (json_array_get_length (rows), >, 0);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);

      if (json_object_has_member (row, key) && !json_object_get_null_member (row, key))
        sum += json_object_get_double_member (row, key);
    }
  return sum;
}

/* However rows are grouped, they have the same sums, those of the file. */
static void
test_groups (void)
{
  static const struct
  {
    const char *words[4];
    const char *groups, *key, *sql;
  } cases[] = {
    { { "liveness", "--table=always-live" },
      "variable prefix category life",
      "bytes",
      "SELECT sum (size_bytes) FROM variables WHERE always_live" },
    { { "liveness", "--table=not-always-live", "--step=40" },
      "variable prefix category life",
      "bytesStep40",
      "SELECT not_always_live_bytes FROM liveness_steps WHERE step = 40" },
    { { "liveness", "--table=peak" },
      "variable prefix category life",
      "bytes",
      "SELECT (SELECT sum (size_bytes) FROM variables WHERE always_live)"
      " + (SELECT max (not_always_live_bytes) FROM liveness_steps)" },
    { { "liveness", "--table=a-to-b", "--step=10,40" },
      "variable prefix category life",
      "difference",
      "SELECT b.not_always_live_bytes - a.not_always_live_bytes FROM liveness_steps a,"
      " liveness_steps b WHERE a.step = 10 AND b.step = 40" },
    { { "trace", "--table=aggregate" },
      "name prefix type compute-set",
      "cycles",
      /* Without the waiting for the host at the start. */
      "SELECT sum (active_cycles_to_max - active_cycles_from_max) - 880000 FROM steps_by_ipu" },
    { { "trace", "--table=aggregate" },
      "name prefix type compute-set",
      "flops",
      "SELECT sum (flops) FROM steps s JOIN compute_set_vertices USING (compute_set)" },
  };
  char *folder = cli_report_new ("demo");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) groups = g_strsplit (cases[i].groups, " ", -1);
      gint64 whole = tsr_test_query (folder, "profile.pop", cases[i].sql);

      for (guint k = 0; groups[k] != NULL; k++)
        {
          g_autofree char *option = g_strdup_printf ("--group-by=%s", groups[k]);
          g_auto (CliRun) run = { 0 };
          double share;

          run_table (&run, folder, cases[i].words, option);
          g_test_message ("%s %s %s", cases[i].words[1], option, cases[i].key);
          g_assert_cmpfloat (sum_column (run.json, cases[i].key), ==, (double)whole);
          share = sum_column (run.json, "share");
          g_assert_true (share == 0 || fabs (share - 1) < 1e-6);
        }
    }
  tsr_test_folder_free (folder);
}

/* @expression: "a b -c -d" of columns of @row. */
static double
add_up (JsonObject *row, const char *expression)
{
  g_auto (GStrv) words = g_strsplit (expression, " ", -1);
  double sum = 0;

  for (guint i = 0; words[i] != NULL; i++)
    sum += *words[i] == '-' ? -json_object_get_double_member (row, words[i] + 1)
                            : json_object_get_double_member (row, words[i]);
  return sum;
}

/* In each row the same sum; 0 if there is only one that it can be. */
static void
test_row_sums (void)
{
  static const struct
  {
    const char *words[4];
    const char *expression;
    gboolean any;
  } cases[] = {
    { { "memory", "--table=vertices" }, "bytes -codeBytes -stateBytes" },
    { { "liveness", "--table=a-to-b", "--step=20,110" }, "difference bytesStep20 -bytesStep110" },
    { { "trace", "--table=tiles" }, "compute exchange copy waiting", TRUE },
    { { "trace", "--table=overlap" }, "alone hidden -transfer" },
    { { "trace", "--table=overlap" }, "computeAlone hidden -compute -exchange" },
    { { "trace", "--table=overlap" },
      "compute exchange interIpu transfer host sync other startUp nothing -overlapping",
      TRUE },
    { { "trace", "--table=waits" }, "waited -ipu0 -ipu1" },
    { { "trace", "--table=stages-ipus" }, "work -compute -exchange" },
    { { "trace", "--table=stages-ipus" },
      "compute exchange interIpu transfer host sync other startUp nothing -overlapping",
      TRUE },
  };
  char *folder = cli_report_new ("demo");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (CliRun) run = { 0 };
      JsonArray *rows;
      double first;

      run_table (&run, folder, cases[i].words, NULL);
      rows = cli_array (run.json, "rows");
      g_test_message ("%s %s", cases[i].words[1], cases[i].expression);
      first = add_up (json_array_get_object_element (rows, 0), cases[i].expression);
      g_assert_true (cases[i].any ? first > 0 : first == 0);
      for (guint k = 0; k < json_array_get_length (rows); k++)
        g_assert_cmpfloat (add_up (json_array_get_object_element (rows, k), cases[i].expression),
                           ==, first);
    }
  tsr_test_folder_free (folder);
}

/* Of the facts of memory: those below one add up to it, and so do those that lie side by side. */
static void
test_memory_sums (void)
{
  static const char *const options[][2] = {
    { NULL, "all" }, { "--tile=7", "tile7" }, { "--tile=0", "tile0" }, { "--tile=2943", "tile2943" }
  };
  static const char *const zeros[]
      = { "includingGaps -excludingGaps -gaps",
          "excludingGaps -alwaysLive -notAlwaysLive -packingLoss",
          "excludingGaps -region.nonInterleaved -region.interleaved -region.overflowed",
          "excludingGaps -notOverlapped -overlapped" };
  char *folder = cli_report_new ("demo");
  gint64 tile = tsr_test_query (folder, "profile.pop", "SELECT bytes_per_tile FROM target");

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_auto (CliRun) run = { 0 };
      g_autoptr (JsonObject) facts = json_object_new ();
      JsonArray *rows;
      double parts = 0;

      cli_run_json (&run, "memory", folder, "--table=details", options[i][0], NULL);
      rows = cli_array (run.json, "rows");
      for (guint k = 0; k < json_array_get_length (rows); k++)
        {
          JsonObject *row = json_array_get_object_element (rows, k);
          const char *key = json_object_get_string_member (row, "key");

          if (json_object_get_null_member (row, options[i][1]))
            continue;
          json_object_set_double_member (facts, key,
                                         json_object_get_double_member (row, options[i][1]));
          if (g_str_has_prefix (key, "notOverlapped."))
            parts += json_object_get_double_member (row, options[i][1]);
        }
      g_assert_cmpfloat (parts, ==, json_object_get_double_member (facts, "notOverlapped"));
      for (guint k = 0; k < G_N_ELEMENTS (zeros); k++)
        g_assert_cmpfloat (add_up (facts, zeros[k]), ==, 0);
      g_assert_cmpfloat (add_up (facts, "includingGaps free"), ==,
                         (double)tile * (i == 0 ? 2944 : 1));
    }
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *words = g_strjoinv (" ", (char **)tables[i].words);
      g_autofree char *path
          = g_strconcat ("/cli-tables-sql/", g_strdelimit (words, "/", '.'), NULL);

      g_test_add_data_func (path, &tables[i], test_table);
    }
  g_test_add_func ("/cli-tables-sql/groups", test_groups);
  g_test_add_func ("/cli-tables-sql/row-sums", test_row_sums);
  g_test_add_func ("/cli-tables-sql/memory-sums", test_memory_sums);
  return g_test_run ();
}
