/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vertices, compute sets and exchanges of a made report against naive SQL, arrays of tiles decoded
 * here. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-trace.h"
#include "tsr-vertices.h"

#include <math.h>
#include <string.h>

static void
open_demo (AnalysisReport *self, const char *sql)
{
  analysis_report_open (self, "demo", sql, TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED);
}

static gint64
get_number (GPtrArray *rows, guint row, guint column)
{
  const char *text = ((GStrv)g_ptr_array_index (rows, row))[column];

  return *text == '\0' ? TSR_UNKNOWN : g_ascii_strtoll (text, NULL, 10);
}

/* Byte @i of hexadecimal digits as SQLite writes them. */
static guint32
get_byte (const char *hex, gsize i)
{
  guint32 high = (guint8)hex[2 * i], low = (guint8)hex[2 * i + 1];

  return (high <= '9' ? high - '0' : high - 'A' + 10) << 4
         | (low <= '9' ? low - '0' : low - 'A' + 10);
}

static guint32
get_word (const char *hex, gsize at)
{
  return get_byte (hex, at) | get_byte (hex, at + 1) << 8 | get_byte (hex, at + 2) << 16
         | get_byte (hex, at + 3) << 24;
}

/* docs/report.sql, tile_arrays. */
static gint64
decode (int encoding, const char *hex, guint tile)
{
  gsize n;

  if (encoding == 0)
    return get_word (hex, 4 * (gsize)tile);
  if (encoding == 1)
    return get_byte (hex, 2 * (gsize)tile) | get_byte (hex, 2 * (gsize)tile + 1) << 8;
  if (encoding == 3)
    return get_word (hex, 0);
  n = strlen (hex) / 2;
  for (gsize at = 0; at + 8 <= n; at += 8)
    if (get_word (hex, at) == tile)
      return get_word (hex, at + 4);
  return 0;
}

/* Sum or largest over @tiles of the array @id. */
static gint64
ask_array (AnalysisReport *self, gint64 id, const guint *tiles, guint n_tiles, gboolean largest)
{
  g_autoptr (GPtrArray) rows = NULL;
  gint64 result = 0;

  if (id == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  rows = tsr_test_ask_rows (self->folder,
                            "SELECT encoding, hex(data) FROM tile_arrays WHERE id = %d", (int)id);
  for (guint i = 0; i < (tiles != NULL ? n_tiles : tsr_memory_get_n_tiles (self->memory)); i++)
    {
      gint64 value = decode ((int)get_number (rows, 0, 0), ((GStrv)rows->pdata[0])[1],
                             tiles != NULL ? tiles[i] : i);

      result = largest ? MAX (result, value) : result + value;
    }
  return result;
}

/* @places of @ids are the numbers in the first column of @rows. */
static void
check_places (GArray *places, const gint64 *ids, GPtrArray *rows)
{
  g_assert_cmpuint (places->len, ==, rows->len);
  for (guint i = 0; i < rows->len; i++)
    g_assert_cmpint (ids[g_array_index (places, guint32, i)], ==, get_number (rows, i, 0));
}

static const guint some[] = { 5, 1500, 2900 };
static const struct
{
  const guint *tiles;
  guint n_tiles;
} selections[] = { { NULL, 0 }, { some, 1 }, { some + 1, 1 }, { some, 3 } };

/* As it is, and with arrays of nothing, of one, and without sums, and counts and sizes that are not
 * told. */
static const char *const variants[]
    = { NULL,
        "UPDATE tile_arrays SET encoding = 2, total = id % 2, maximum = id % 2, data = CASE id"
        " % 2 WHEN 1 THEN x'0500000001000000' ELSE x'' END WHERE id % 4 < 2;"
        "UPDATE tile_arrays SET total = NULL WHERE id % 4 = 2 AND id % 3 = 0;"
        "UPDATE tile_arrays SET maximum = NULL WHERE id % 4 = 3;"
        "UPDATE compute_set_vertices SET count = (SELECT total FROM tile_arrays WHERE id ="
        " count_by_tile) WHERE count_by_tile % 4 < 2;"
        "UPDATE compute_set_vertices SET count = NULL WHERE vertex_type % 4 = 1;"
        "UPDATE compute_set_vertices SET count_by_tile = NULL WHERE vertex_type % 8 = 1;"
        "UPDATE vertex_types SET size_bytes = NULL WHERE id % 3 = 1;"
        "UPDATE vertex_types SET size_bytes = 0 WHERE id % 16 = 1" };

static void
for_each_selection (void (*check) (AnalysisReport *self, const guint *tiles, guint n),
                    guint n_variants)
{
  for (guint i = 0; i < n_variants; i++)
    {
      g_auto (AnalysisReport) opened = { 0 };

      open_demo (&opened, variants[i]);
      for (guint s = 0; s < G_N_ELEMENTS (selections); s++)
        check (&opened, selections[s].tiles, selections[s].n_tiles);
    }
}

static void
add (gint64 *sum, gint64 value)
{
  *sum = *sum == TSR_UNKNOWN || value == TSR_UNKNOWN ? TSR_UNKNOWN : *sum + value;
}

/* None of anything take none. */
static gint64
multiply (gint64 size, gint64 count)
{
  if (size == 0 || count == 0)
    return 0;
  return size == TSR_UNKNOWN || count == TSR_UNKNOWN ? TSR_UNKNOWN : size * count;
}

/* Instances of a row of compute_set_vertices. */
static gint64
ask_count (AnalysisReport *self, gint64 told, gint64 by_tile, const guint *tiles, guint n_tiles)
{
  if (told == 0 || (told != TSR_UNKNOWN && tiles == NULL))
    return told;
  return ask_array (self, by_tile, tiles, n_tiles, FALSE);
}

static const char *
get_name (AnalysisReport *self, guint32 string)
{
  return tsr_string_table_get (tsr_vertices_get_tables (self->vertices)->strings, string);
}

static void
check_vertices (AnalysisReport *self, const guint *tiles, guint n)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (self->vertices);
  g_autoptr (GArray) list = tsr_vertices_list (self->vertices, tiles, n, NULL, NULL);
  g_autoptr (GPtrArray) types = tsr_test_ask_rows (
      self->folder, "SELECT id, name, size_bytes, code_bytes_by_tile FROM vertex_types");
  guint n_here = 0;

  for (guint t = 0; t < types->len; t++)
    {
      g_autoptr (GPtrArray) uses
          = tsr_test_ask_rows (self->folder,
                               "SELECT count, count_by_tile FROM compute_set_vertices WHERE "
                               "vertex_type = %d",
                               (int)get_number (types, t, 0));
      gint64 code = ask_array (self, get_number (types, t, 3), tiles, n, FALSE);
      gint64 count = 0;
      guint n_sets = 0;
      const TsrVertexRow *row = NULL;

      for (guint u = 0; u < uses->len; u++)
        {
          gint64 here
              = ask_count (self, get_number (uses, u, 0), get_number (uses, u, 1), tiles, n);

          add (&count, here);
          n_sets += here != 0;
        }
      for (guint i = 0; i < list->len; i++)
        if (tables->vertex_type_id[g_array_index (list, TsrVertexRow, i).type]
            == get_number (types, t, 0))
          row = &g_array_index (list, TsrVertexRow, i);
      if (count == 0 && code == 0 && tiles != NULL)
        {
          g_assert_null (row);
          continue;
        }
      n_here++;
      g_assert_nonnull (row);
      g_assert_cmpstr (get_name (self, tables->vertex_type_name[row->type]), ==,
                       ((GStrv)types->pdata[t])[1]);
      g_assert_cmpint (row->count, ==, count);
      g_assert_cmpint (row->state_bytes, ==, multiply (get_number (types, t, 2), count));
      g_assert_cmpint (row->code_bytes, ==, code);
      g_assert_cmpuint (row->n_compute_sets, ==, n_sets);
    }
  g_assert_cmpuint (list->len, ==, n_here);
  for (guint i = 1; i < list->len; i++)
    {
      const TsrVertexRow *row = &g_array_index (list, TsrVertexRow, i);
      gint64 before = row[-1].state_bytes, here = row->state_bytes;
      const int names = strcmp (get_name (self, tables->vertex_type_name[row[-1].type]),
                                get_name (self, tables->vertex_type_name[row->type]));

      add (&before, row[-1].code_bytes);
      add (&here, row->code_bytes);
      g_assert_cmpint (before, >=, here);
      if (before == here)
        g_assert_true (names < 0 || (names == 0 && row[-1].type < row->type));
    }
}

static void
test_vertices (void)
{
  for_each_selection (check_vertices, G_N_ELEMENTS (variants));
}

static void
check_compute_sets (AnalysisReport *self, const guint *tiles, guint n)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (self->vertices);
  g_autoptr (GArray) list = tsr_vertices_list_compute_sets (self->vertices, tiles, n, NULL, NULL);
  gint n_here = 0;

  for (guint i = 0; i < list->len; i++)
    {
      const TsrComputeSetRow *row = &g_array_index (list, TsrComputeSetRow, i);
      const TsrComputeSetRow *before = i > 0 ? row - 1 : NULL;
      g_autoptr (GPtrArray) uses = tsr_test_ask_rows (
          self->folder,
          "SELECT v.count_by_tile, t.size_bytes, v.flops, c.estimated_cycles_by_tile, v.count "
          "FROM compute_sets c LEFT JOIN compute_set_vertices v USING (compute_set) "
          "LEFT JOIN vertex_types t ON t.id = v.vertex_type WHERE c.compute_set = %d",
          (int)tables->compute_set_id[row->compute_set]);
      gint64 count = 0;
      gint64 state = 0;
      gint64 flops = 0;
      guint n_types = 0;

      for (guint u = 0; u < uses->len; u++)
        {
          gint64 here
              = ask_count (self, get_number (uses, u, 4), get_number (uses, u, 0), tiles, n);

          add (&count, here);
          add (&state, multiply (get_number (uses, u, 1), here));
          add (&flops, get_number (uses, u, 2));
          n_types += here != 0;
        }
      g_assert_cmpint (row->count, ==, count);
      g_assert_cmpint (row->state_bytes, ==, state);
      g_assert_cmpuint (row->n_types, ==, n_types);
      /* The largest first; the same size by name, and the same name in the order of the file. */
      if (before != NULL)
        {
          const int names = strcmp (get_name (self, tables->compute_set_name[before->compute_set]),
                                    get_name (self, tables->compute_set_name[row->compute_set]));

          g_assert_cmpint (before->state_bytes, >=, row->state_bytes);
          if (before->state_bytes == row->state_bytes)
            g_assert_true (names < 0 || (names == 0 && before->compute_set < row->compute_set));
        }
      g_assert_cmpint (row->flops, ==, tiles == NULL ? flops : TSR_UNKNOWN);
      g_assert_cmpint (row->estimated_cycles, ==,
                       ask_array (self, get_number (uses, 0, 3), tiles, n, TRUE));
      g_assert_true (tiles == NULL || count != 0);
      n_here += count != 0;
    }
  for (guint set = 0; set < tables->n_compute_sets; set++)
    {
      g_autoptr (GPtrArray) uses = tsr_test_ask_rows (
          self->folder,
          "SELECT count, count_by_tile FROM compute_set_vertices WHERE compute_set = %d",
          (int)tables->compute_set_id[set]);
      gint64 count = 0;

      for (guint u = 0; u < uses->len; u++)
        add (&count, ask_count (self, get_number (uses, u, 0), get_number (uses, u, 1), tiles, n));
      n_here -= count != 0;
    }
  g_assert_cmpint (n_here, ==, 0);
  g_assert_true (tiles != NULL || list->len == tables->n_compute_sets);
}

static void
test_compute_sets (void)
{
  for_each_selection (check_compute_sets, G_N_ELEMENTS (variants));
}

/* NAN, and more than a number can hold: unknown. */
static gint64
get_whole (double value)
{
  return value < 0x1p63 ? (gint64)value : TSR_UNKNOWN;
}

/* What the steps of @program did on the IPU where it took longest, ties to the lower; one whose
 * cycles are not told may be that. */
static TsrExchangeRow
find_runs (AnalysisReport *self, guint32 program)
{
  const TsrExecutionTables *t = tsr_report_get_execution_tables (self->report);
  TsrExchangeRow best = { .executions = 0 };

  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      TsrExchangeRow here = { .executions = 0 };
      double cycles = 0, bytes = 0;

      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        if (t->step_program[t->slice_step[i]] == program)
          {
            const gint64 in = tsr_narrow_get (&t->slice_data_in, i);
            const gint64 out = tsr_narrow_get (&t->slice_data_out, i);

            here.executions++;
            cycles += t->slice_start[i] != TSR_UNKNOWN
                          ? (double)(t->slice_end[i] - t->slice_start[i])
                          : NAN;
            bytes += in != TSR_UNKNOWN && out != TSR_UNKNOWN ? (double)in + (double)out : NAN;
          }
      here.cycles = get_whole (cycles);
      here.bytes = get_whole (bytes);
      if (here.executions == 0)
        continue;
      if (best.executions > 0 && MIN (best.cycles, here.cycles) == TSR_UNKNOWN)
        best = (TsrExchangeRow){ .executions = MAX (best.executions, here.executions),
                                 .cycles = TSR_UNKNOWN,
                                 .bytes = TSR_UNKNOWN };
      else if (best.executions == 0 || here.cycles > best.cycles)
        best = here;
    }
  return best;
}

static void
check_exchanges (AnalysisReport *self, const guint *tiles, guint n)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (self->vertices);
  g_autoptr (GArray) list = tsr_vertices_list_exchanges (self->vertices, tiles, n, NULL, NULL);
  guint n_listed = 0;

  for (guint32 program = 0; program < tables->n_programs; program++)
    {
      const gint64 code = tables->program_code[program].id;
      const TsrStepGroup group = tsr_step_group_of (get_name (self, tables->program_type[program]));
      const TsrExchangeRow *row = NULL;
      TsrExchangeRow runs;
      gint64 bytes;

      for (guint i = 0; i < list->len; i++)
        if (g_array_index (list, TsrExchangeRow, i).program == program)
          row = &g_array_index (list, TsrExchangeRow, i);
      if (code == TSR_UNKNOWN
          && (group == TSR_STEP_GROUP_COMPUTE || !tsr_step_group_is_useful (group)))
        {
          g_assert_null (row);
          continue;
        }
      bytes = ask_array (self, code, tiles, n, FALSE);
      g_assert_cmpint (row != NULL, ==, tiles == NULL || bytes != 0);
      if (row == NULL)
        continue;
      n_listed++;
      runs = find_runs (self, program);
      g_assert_cmpint (row->code_bytes, ==, bytes);
      g_assert_cmpint (row->executions, ==, runs.executions);
      g_assert_cmpint (row->cycles, ==, runs.cycles);
      g_assert_cmpint (row->bytes, ==, runs.bytes);
    }
  g_assert_cmpuint (n_listed, ==, list->len);
  for (guint i = 1; i < list->len; i++)
    {
      const TsrExchangeRow *row = &g_array_index (list, TsrExchangeRow, i);

      g_assert_true (row[-1].code_bytes > row->code_bytes
                     || (row[-1].code_bytes == row->code_bytes && row[-1].program < row->program));
    }
}

/* Also where some IPUs execute less than others, where cycles and bytes are not told, where types
 * say less than code, and where IPUs take as long as others and bytes add up to more than a number
 * can hold. */
static void
test_exchanges (void)
{
  static const char *const changes[]
      = { NULL,
          "UPDATE steps SET program = NULL WHERE id % 4 = 1;"
          "DELETE FROM steps_by_ipu WHERE ipu = 0 AND step_id % 3 = 1;"
          "UPDATE steps_by_ipu SET cycles_base = NULL WHERE ipu < 2 AND step_id % 50 = 8 - ipu;"
          "UPDATE steps_by_ipu SET data_in = NULL WHERE step_id % 30 = 2;"
          "UPDATE steps_by_ipu SET data_out = NULL WHERE step_id % 30 = 3;"
          "UPDATE programs SET code_bytes_by_tile = NULL WHERE id % 2;"
          "UPDATE programs SET type = 'Sync' WHERE id % 3 = 0",
          "UPDATE steps SET program = 1 WHERE id % 2;"
          "UPDATE steps_by_ipu SET active_cycles_from_max = active_cycles_to_max,"
          " data_in = (1 << 53) >> ipu, data_out = (1 << 53) >> ipu" };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (AnalysisReport) opened = { 0 };
      TsrDiagnostics *diagnostics;

      open_demo (&opened, changes[i]);
      diagnostics = tsr_report_get_diagnostics (opened.report);
      for (guint s = 0; s < G_N_ELEMENTS (selections); s++)
        check_exchanges (&opened, selections[s].tiles, selections[s].n_tiles);
      g_assert_cmpint (
          tsr_diagnostics_has (diagnostics, "sum-too-large", "steps_by_ipu", TSR_NO_ROW), ==,
          i == 2);
    }
}

static void
test_references (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  const TsrProgramTables *tables;

  open_demo (&opened, NULL);
  tables = tsr_vertices_get_tables (opened.vertices);
  for (guint type = 0; type < tables->n_vertex_types; type++)
    {
      g_autoptr (GArray) sets = tsr_vertices_dup_compute_sets_of (opened.vertices, type);
      g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
          opened.folder,
          "SELECT DISTINCT compute_set FROM compute_set_vertices WHERE vertex_type = %d "
          "ORDER BY compute_set",
          (int)tables->vertex_type_id[type]);

      check_places (sets, tables->compute_set_id, rows);
    }
  g_assert_cmpuint (tables->n_vertex_types, >, 0);
}

static void
test_array (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  const TsrProgramTables *tables;
  const TsrTileArrayRef none = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
  g_autofree gint64 *nothing = NULL;

  open_demo (&opened, NULL);
  tables = tsr_vertices_get_tables (opened.vertices);
  /* More than are kept, twice. */
  for (guint round = 0; round < 2; round++)
    for (guint type = 0; type < tables->n_vertex_types; type++)
      {
        g_autofree gint64 *values
            = tsr_vertices_dup_array (opened.vertices, tables->vertex_type_code[type], NULL);

        for (guint i = 0; i < G_N_ELEMENTS (some); i++)
          g_assert_cmpint (
              values[some[i]], ==,
              ask_array (&opened, tables->vertex_type_code[type].id, &some[i], 1, FALSE));
      }
  nothing = tsr_vertices_dup_array (opened.vertices, none, NULL);
  g_assert_cmpint (nothing[0], ==, TSR_UNKNOWN);
}

/* The 16 that were asked for last are kept: they need no file. */
static void
test_kept (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  const TsrProgramTables *tables;
  TsrTileArrayRef refs[17];
  guint n = 0;

  open_demo (&opened, NULL);
  tables = tsr_vertices_get_tables (opened.vertices);
  for (guint i = 0; n < G_N_ELEMENTS (refs); i++)
    {
      const TsrTileArrayRef ref = tables->vertex_count_by_tile[i];
      gboolean known = ref.id == TSR_UNKNOWN;

      for (guint k = 0; k < n; k++)
        known |= refs[k].id == ref.id;
      if (!known)
        refs[n++] = ref;
    }
  for (guint i = 0; i < n + 2; i++) /* in the end the second and the first again */
    {
      const TsrTileArrayRef none = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };

      g_free (tsr_vertices_dup_array (opened.vertices, refs[i < n ? i : n + 1 - i], NULL));
      g_free (tsr_vertices_dup_array (opened.vertices, none, NULL)); /* takes no place */
    }
  tsr_test_sql (opened.folder, "profile.pop", "DELETE FROM tile_arrays");
  for (guint i = 0; i <= n;
       i += i == 1 ? 2 : 1) /* the third, which takes the place of another, last */
    {
      const TsrTileArrayRef ref = refs[i < n ? i : 2];
      g_autofree gint64 *values = tsr_vertices_dup_array (opened.vertices, ref, NULL);
      gint64 sum = 0;

      for (guint t = 0; i < n && t < tsr_memory_get_n_tiles (opened.memory); t++)
        sum += values[t];
      g_assert_cmpint (i < n ? sum : values[0], ==, i < n ? ref.total : TSR_UNKNOWN);
    }
}

/* There is nothing on tiles that there are not. */
static void
test_beyond (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GArray) one = NULL, more = NULL;
  guint tiles[] = { 5, 0, 4000000 };

  open_demo (&opened, NULL);
  tiles[1] = tsr_memory_get_n_tiles (opened.memory);
  one = tsr_vertices_list (opened.vertices, tiles, 1, NULL, NULL);
  more = tsr_vertices_list (opened.vertices, tiles, 3, NULL, NULL);
  g_assert_cmpuint (one->len, >, 0);
  g_assert_cmpuint (one->len, ==, more->len);
  for (guint i = 0; i < one->len; i++)
    {
      g_assert_cmpint (g_array_index (one, TsrVertexRow, i).code_bytes, ==,
                       g_array_index (more, TsrVertexRow, i).code_bytes);
      g_assert_cmpint (g_array_index (one, TsrVertexRow, i).count, ==,
                       g_array_index (more, TsrVertexRow, i).count);
    }
}

static guint
count_too_large (AnalysisReport *self)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (self->report);
  guint n = 0;

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    if (g_str_equal (tsr_diagnostics_get (diagnostics, i)->code, "sum-too-large"))
      n += 1 + (guint)tsr_diagnostics_get_dropped (diagnostics, i);
  return n;
}

static void
test_missing (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GArray) sets = NULL;
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) tile = NULL;
  g_autoptr (GArray) exchanges = NULL;
  g_autoptr (GError) error = NULL;

  open_demo (&opened, "DROP TABLE tile_arrays; DROP TABLE steps;"
                      "UPDATE vertex_types SET size_bytes = NULL WHERE id = 3;"
                      "UPDATE compute_set_vertices SET count = 9007199254740992 WHERE vertex_type "
                      "= 4;"
                      "UPDATE vertex_types SET size_bytes = 9007199254740992 WHERE id = 4;");
  g_assert_cmpuint (count_too_large (&opened), ==, 0);
  all = tsr_vertices_list (opened.vertices, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_too_large (&opened), ==, 1);
  sets = tsr_vertices_list_compute_sets (opened.vertices, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_too_large (&opened), ==, 2);
  for (guint i = 0; i < all->len; i++)
    {
      const TsrVertexRow *row = &g_array_index (all, TsrVertexRow, i);
      gint64 id = tsr_vertices_get_tables (opened.vertices)->vertex_type_id[row->type];

      g_assert_cmpint (row->code_bytes, ==, TSR_UNKNOWN);
      if (id == 3 || id == 4)
        g_assert_cmpint (row->state_bytes, ==, TSR_UNKNOWN);
      else
        g_assert_cmpint (row->state_bytes, !=, TSR_UNKNOWN);
    }
  tile = tsr_vertices_list (opened.vertices, some, 1, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < tile->len; i++)
    g_assert_cmpint (g_array_index (tile, TsrVertexRow, i).count, ==, TSR_UNKNOWN);
  exchanges = tsr_vertices_list_exchanges (opened.vertices, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (exchanges->len, >, 0);
  g_assert_cmpint (g_array_index (exchanges, TsrExchangeRow, 0).executions, ==, TSR_UNKNOWN);
  g_assert_cmpint (g_array_index (exchanges, TsrExchangeRow, 0).code_bytes, ==, TSR_UNKNOWN);
}

static void
test_cancelled (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) later = NULL;

  open_demo (&opened, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (tsr_vertices_list (opened.vertices, some, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (tsr_vertices_list_exchanges (opened.vertices, some, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  later = tsr_vertices_list_exchanges (opened.vertices, some, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_array_index (later, TsrExchangeRow, 0).executions, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vertices/vertices", test_vertices);
  g_test_add_func ("/vertices/compute-sets", test_compute_sets);
  g_test_add_func ("/vertices/exchanges", test_exchanges);
  g_test_add_func ("/vertices/references", test_references);
  g_test_add_func ("/vertices/array", test_array);
  g_test_add_func ("/vertices/kept", test_kept);
  g_test_add_func ("/vertices/beyond", test_beyond);
  g_test_add_func ("/vertices/missing", test_missing);
  g_test_add_func ("/vertices/cancelled", test_cancelled);
  return g_test_run ();
}
