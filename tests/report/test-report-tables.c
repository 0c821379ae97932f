/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs, liveness and lowered variables of whole reports: every column against the answer of
 * plain SQL. */

#include "config.h"

#include "tables-test.h"
#include "tsr-archive.h"
#include "tsr-id-index.h"
#include "tsr-report-read.h"

typedef struct
{
  const char *preset;
  char *folder;
  TsrReport *report;
} Fixture;

static Fixture fixtures[] = { { "tiny" }, { "demo" }, { "oom" } };

/* ---------------------------------------------------------------- programs */

static void
check_array (Question *question, int column, const TsrTileArrayRef *ref)
{
  question_number (question, column, ref->id);
  question_number (question, column + 1, ref->total);
  question_number (question, column + 2, ref->maximum);
}

/* Asks for @columns of @table (t), then id, total and maximum of the array that each word of
 * @arrays refers to, ordered by @order.  (transfer full) */
static char *
dup_array_sql (const char *columns, const char *table, const char *arrays, const char *order)
{
  g_auto (GStrv) words = g_strsplit (arrays, " ", -1);
  GString *select = g_string_new (NULL);
  g_autoptr (GString) joins = g_string_new (NULL);

  g_string_append_printf (select, "SELECT %s", columns);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_string_append_printf (select, ", t.%s, a%u.total, a%u.maximum", words[i], i, i);
      g_string_append_printf (joins, " LEFT JOIN tile_arrays a%u ON a%u.id = t.%s", i, i, words[i]);
    }
  g_string_append_printf (select, " FROM %s t%s ORDER BY %s", table, joins->str, order);
  return g_string_free (select, FALSE);
}

static void
test_programs (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  g_autofree char *sql = NULL;
  Question q;
  guint n;

  sql = dup_array_sql (
      "t.id, name, type, compute_set, callee, repeat_count, debug_id, stream_copy_kind", "programs",
      "code_bytes_by_tile control_code_by_tile estimated_cycles_by_tile data_in_by_tile "
      "data_out_by_tile",
      "t.id");
  question_each (&q, n, f->folder, sql)
    {
      question_number (&q, 0, tables->program_id[n]);
      question_text (&q, 1, tables->strings, tables->program_name[n]);
      question_text (&q, 2, tables->strings, tables->program_type[n]);
      question_place (&q, 3, tables->compute_set_id, tables->program_compute_set[n]);
      question_place (&q, 4, tables->program_id, tables->program_callee[n]);
      question_number (&q, 5, tables->program_repeat_count[n]);
      question_number (&q, 6, tables->program_debug_id[n]);
      question_text (&q, 7, tables->strings, tables->program_stream_copy_kind[n]);
      check_array (&q, 8, &tables->program_code[n]);
      check_array (&q, 11, &tables->program_control_code[n]);
      check_array (&q, 14, &tables->program_estimated_cycles[n]);
      check_array (&q, 17, &tables->program_data_in[n]);
      check_array (&q, 20, &tables->program_data_out[n]);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_programs, ==, n);
}

static void
test_children_and_roots (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  Question q;
  guint n;
  guint parent = 0;

  question_each (&q, n, f->folder,
                 "SELECT parent, child FROM program_children ORDER BY parent, position")
    {
      while (tables->child_start[parent + 1] <= n)
        parent++;
      question_number (&q, 0, tables->program_id[parent]);
      question_place (&q, 1, tables->program_id, tables->child[n]);
    }
  g_assert_cmpuint (tables->child_start[tables->n_programs], ==, n);

  question_each (&q, n, f->folder,
                 "SELECT compilation_step, kind, program FROM program_roots"
                 " ORDER BY compilation_step, kind, position")
    {
      question_place (&q, 0, tables->compilation_step_id, tables->root_step[n]);
      question_text (&q, 1, tables->strings, tables->root_kind[n]);
      question_place (&q, 2, tables->program_id, tables->root_program[n]);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_roots, ==, n);

  question_each (&q, n, f->folder, "SELECT id, name FROM compilation_steps ORDER BY id")
    {
      question_number (&q, 0, tables->compilation_step_id[n]);
      question_text (&q, 1, tables->strings, tables->compilation_step_name[n]);
    }
  g_assert_cmpuint (tables->n_compilation_steps, ==, n);
}

static void
test_vertices (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  g_autofree char *sql = NULL;
  Question q;
  guint n;
  guint set = 0;

  sql = dup_array_sql ("t.id, name, size_bytes, source_type", "vertex_types", "code_bytes_by_tile",
                       "t.id");
  question_each (&q, n, f->folder, sql)
    {
      question_number (&q, 0, tables->vertex_type_id[n]);
      question_text (&q, 1, tables->strings, tables->vertex_type_name[n]);
      question_number (&q, 2, tables->vertex_type_size[n]);
      question_text (&q, 3, tables->strings, tables->vertex_type_source[n]);
      check_array (&q, 4, &tables->vertex_type_code[n]);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_vertex_types, ==, n);

  g_free (sql);
  sql = dup_array_sql ("compute_set, name", "compute_sets", "estimated_cycles_by_tile",
                       "compute_set");
  question_each (&q, n, f->folder, sql)
    {
      question_number (&q, 0, tables->compute_set_id[n]);
      question_text (&q, 1, tables->strings, tables->compute_set_name[n]);
      check_array (&q, 2, &tables->compute_set_estimated_cycles[n]);
    }
  g_assert_cmpuint (tables->n_compute_sets, ==, n);

  g_free (sql);
  sql = dup_array_sql ("compute_set, vertex_type, count, flops, estimated_cycles, measured_cycles",
                       "compute_set_vertices", "count_by_tile", "1, 2");
  question_each (&q, n, f->folder, sql)
    {
      while (tables->vertex_start[set + 1] <= n)
        set++;
      question_number (&q, 0, tables->compute_set_id[set]);
      question_place (&q, 1, tables->vertex_type_id, tables->vertex_type[n]);
      question_number (&q, 2, tables->vertex_count[n]);
      question_number (&q, 3, tables->vertex_flops[n]);
      question_number (&q, 4, tables->vertex_estimated_cycles[n]);
      question_number (&q, 5, tables->vertex_measured_cycles[n]);
      check_array (&q, 6, &tables->vertex_count_by_tile[n]);
    }
  g_assert_cmpuint (tables->vertex_start[tables->n_compute_sets], ==, n);
}

/* ---------------------------------------------------------------- liveness */

static void
test_steps (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *programs = tsr_report_get_program_tables (f->report);
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (f->report);
  Question q;
  guint n;

  question_each (&q, n, f->folder,
                 "SELECT step, program, not_always_live_bytes FROM liveness_steps ORDER BY step")
    {
      question_number (&q, 0, n);
      question_number (&q, 1, tables->step_program_id[n]);
      question_place (&q, 1, programs->program_id, tables->step_program[n]);
      question_number (&q, 2, tables->step_bytes[n]);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_steps, ==, n);

  question_each (&q, n, f->folder, "SELECT step, ipu, not_always_live_bytes FROM liveness_by_ipu")
    {
      guint ipu = question_int (&q, 1);

      g_assert_cmpuint (ipu, <, tables->n_ipus);
      question_number (&q, 2, tables->step_ipu_bytes[ipu * tables->n_steps + question_int (&q, 0)]);
    }
  g_assert_cmpuint (n, ==, tables->n_ipus * tables->n_steps);
}

static void
test_variables (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (f->report);
  Question q;
  guint n;
  guint variable = 0;

  question_each (&q, n, f->folder,
                 "SELECT id, name, size_bytes, coalesce (always_live, 255), category,"
                 " element_type, shape, debug_id FROM variables ORDER BY id")
    {
      question_number (&q, 0, tables->variable_id[n]);
      question_text (&q, 1, tables->strings, tables->variable_name[n]);
      question_number (&q, 2, tables->variable_size[n]);
      question_number (&q, 3, tables->variable_always_live[n]);
      question_number (&q, 4, tables->variable_category_id[n]);
      question_text (&q, 5, tables->strings, tables->variable_element_type[n]);
      question_text (&q, 6, tables->strings, tables->variable_shape[n]);
      question_number (&q, 7, tables->variable_debug_id[n]);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_variables, ==, n);

  question_each (&q, n, f->folder,
                 "SELECT variable, start_step, end_step, size_bytes FROM variable_lifetimes"
                 " ORDER BY 1, 2, 3")
    {
      while (tables->lifetime_start[variable + 1] <= n)
        variable++;
      question_number (&q, 0, tables->variable_id[variable]);
      question_number (&q, 1, tables->lifetime_from[n]);
      question_number (&q, 2, tables->lifetime_to[n]);
      question_number (&q, 3, tables->lifetime_bytes[n]);
    }
  g_assert_cmpuint (tables->lifetime_start[tables->n_variables], ==, n);
}

static void
test_variables_by_ipu (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (f->report);
  Question q;
  guint n;

  /* A variable without any row is not known; one with rows has nothing on other IPUs. */
  question_each (
      &q, n, f->folder,
      "SELECT v.id, i.ipu, CASE WHEN EXISTS (SELECT 1 FROM variables_by_ipu WHERE variable = v.id)"
      " THEN coalesce ((SELECT size_bytes FROM variables_by_ipu b WHERE b.variable = v.id"
      " AND b.ipu = i.ipu), 0) END"
      " FROM variables v, (SELECT DISTINCT ipu FROM variables_by_ipu) i ORDER BY i.ipu, v.id")
    question_number (&q, 2, tables->variable_ipu_bytes[n]);
  g_assert_cmpuint (n, ==, tables->n_variables * tables->n_variable_ipus);
}

/* ----------------------------------------------------------------- lowered */

static void
test_lowered (gconstpointer data)
{
  const Fixture *f = data;
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (f->report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->report);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (f->report);
  Question q;
  gsize n;

  question_each (
      &q, n, f->folder,
      "SELECT vars_info.id, tile, size_bytes, category, s.value, variable, offset, always_live,"
      " equivalence_class, alignment FROM vars_info"
      " LEFT JOIN vars_string_table s ON s.id = vars_info.name ORDER BY vars_info.id")
    {
      gint64 id = tables->id != NULL ? tables->id[n] : tables->first_id + (gint64)n;

      question_number (&q, 0, id);
      question_number (&q, 1, tables->tile[n]);
      question_number (&q, 2, tables->size[n]);
      question_place (&q, 3, memory->categories.ids,
                      tables->category[n] != TSR_NO_CATEGORY ? tables->category[n] : TSR_NO_INDEX);
      question_text (&q, 4, tables->strings, tables->name[n]);
      question_place (&q, 5, liveness->variable_id, tables->variable[n]);
      question_number (&q, 6, tables->offset[n]);
      question_number (&q, 7, tables->always_live[n]);
      question_place (&q, 8, tables->class_id, tables->equivalence_class[n]);
      question_number (&q, 9, (gint64)1 << tables->alignment[n]);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n, ==, n);
}

/* The rows of each tile, by the count and the sum of their places. */
static void
test_tiles (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (f->report);
  Question q;
  guint tile;

  question_each (&q, tile, f->folder,
                 "SELECT t.tile, count (v.id), coalesce (sum (v.id), 0) FROM memory_by_tile t"
                 " LEFT JOIN vars_info v ON v.tile = t.tile GROUP BY t.tile ORDER BY t.tile")
    {
      gint64 sum = 0;

      g_assert_cmpuint (tile, <, tables->n_tiles);
      for (gsize i = tables->tile_start[tile]; i < tables->tile_start[tile + 1]; i++)
        {
          gsize row = tables->by_tile != NULL ? tables->by_tile[i] : i;

          g_assert_cmpuint (tables->tile[row], ==, tile);
          sum += tables->id != NULL ? tables->id[row] : tables->first_id + (gint64)row;
        }
      question_number (&q, 1, tables->tile_start[tile + 1] - tables->tile_start[tile]);
      question_number (&q, 2, sum);
    }
}

/* Every class is live at the steps at which the file says so: step by step. */
static void
test_classes (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->report);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (f->report);
  const guint n_steps = liveness->n_steps;
  g_autofree guint8 *live = g_malloc0 ((gsize)n_steps * (tables->n_classes + 1));
  Question q;
  guint n;

  question_each (&q, n, f->folder,
                 "SELECT DISTINCT equivalence_class FROM vars_info"
                 " WHERE equivalence_class IS NOT NULL ORDER BY 1")
    question_number (&q, 0, tables->class_id[n]);
  g_assert_cmpuint (tables->n_classes, ==, n);

  for (guint c = 0; c < tables->n_classes; c++)
    for (gsize i = tables->interval_start[c]; i < tables->interval_start[c + 1]; i++)
      {
        g_assert_cmpuint (tables->interval_from[i], <, tables->interval_to[i]);
        if (i > tables->interval_start[c])
          g_assert_cmpuint (tables->interval_from[i], >, tables->interval_to[i - 1]);
        memset (live + (gsize)c * n_steps + tables->interval_from[i], 1,
                tables->interval_to[i] - tables->interval_from[i]);
      }
  question_each (&q, n, f->folder,
                 "SELECT DISTINCT e.equivalence_class, s.step FROM equivalence_class_intervals e,"
                 " liveness_steps s WHERE s.step >= e.start_step AND s.step < e.end_step"
                 " AND e.equivalence_class IN (SELECT equivalence_class FROM vars_info)")
    {
      guint c = 0;

      while (tables->class_id[c] != question_int (&q, 0))
        c++;
      live[(gsize)c * n_steps + question_int (&q, 1)] ^= 1;
    }
  for (gsize i = 0; i < (gsize)n_steps * tables->n_classes; i++)
    g_assert_cmpuint (live[i], ==, 0);
}

/* ---------------------------------------------------- what is read when it is asked for */

static void
test_numbers (gconstpointer data)
{
  const Fixture *f = data;

  for (guint offsets = 0; offsets < 2; offsets++)
    {
      g_autoptr (GError) error = NULL;
      gsize n = 0;
      g_autofree guint32 *values
          = tsr_report_read_lowered_numbers (f->report, offsets, &n, NULL, &error);
      Question q;
      gsize i;

      g_assert_no_error (error);
      question_each (&q, i, f->folder,
                     offsets ? "SELECT offset FROM vars_info ORDER BY id"
                             : "SELECT size_bytes FROM vars_info ORDER BY id")
        {
          g_assert_cmpuint (i, <, n);
          question_number (&q, 0, values[i]);
        }
      g_assert_cmpuint (i, ==, n);
    }
}

/* What it has is the stage's; what it says is said by the stage alone. */
static void
test_brief (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLoweredTables *all = tsr_report_get_lowered_tables (f->report);
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (f->report);
  const guint64 told = tsr_diagnostics_get_n_total (diagnostics);
  g_autoptr (GError) error = NULL;
  TsrLoweredTables *brief = tsr_report_read_lowered_brief (f->report, NULL, &error);
  guint32 classes = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (brief->n, ==, all->n);
  g_assert_cmpuint (brief->n_classes, ==, all->n_classes);
  for (gsize i = 0; i < all->n; i++)
    {
      g_assert_cmpint (brief->id != NULL ? brief->id[i] : brief->first_id + (gint64)i, ==,
                       all->id != NULL ? all->id[i] : all->first_id + (gint64)i);
      g_assert_cmpuint (brief->tile[i], ==, all->tile[i]);
      g_assert_cmpuint (brief->size[i], ==, all->size[i]);
      g_assert_cmpuint (brief->always_live[i], ==, all->always_live[i]);
      g_assert_cmpuint (brief->equivalence_class[i], ==, all->equivalence_class[i]);
      classes += all->equivalence_class[i] != TSR_NO_INDEX;
    }
  g_assert_cmpuint (classes, >, 0);
  g_assert_cmpmem (brief->class_id, brief->n_classes * sizeof (gint64), all->class_id,
                   all->n_classes * sizeof (gint64));
  g_assert_null (brief->name);
  g_assert_null (brief->by_tile);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, told);
  tsr_lowered_tables_free (brief);
}

static void
test_of (gconstpointer data)
{
  const Fixture *f = data;
  const guint n_tiles = tsr_report_get_lowered_tables (f->report)->n_tiles;
  const guint some[] = { 0, n_tiles - 1 }, nowhere[] = { 0, n_tiles + 7 };
  guint *all = g_new (guint, n_tiles);

  for (guint i = 0; i < n_tiles; i++)
    all[i] = i;
  for (guint i = 0; i < n_tiles; i += 1 + n_tiles / 5)
    check_of (f->report, &all[i], 1);
  check_of (f->report, some, G_N_ELEMENTS (some));
  check_of (f->report, nowhere, G_N_ELEMENTS (nowhere));
  check_of (f->report, NULL, 0);
  check_of (f->report, all, n_tiles);
  g_free (all);
}

typedef struct
{
  const TsrLoweredTables *all;
  guint tile;      /* TSR_NO_INDEX: every row is wanted */
  gsize n, n_tile; /* rows so far, those of the tile among them */
  gsize at;        /* the row of @all where the next one is looked for */
  gboolean stops;
  guint n_batches;
} Streamed;

static gboolean
take_batch (const TsrLoweredTables *batch, gpointer data)
{
  Streamed *self = data;

  g_assert_null (batch->tile_start);
  for (gsize i = 0; i < batch->n; i++)
    {
      while (self->at < self->all->n && lowered_id (self->all, self->at) < lowered_id (batch, i))
        self->at++;
      g_assert_cmpuint (self->at, <, self->all->n);
      check_same_row (batch, i, self->all, self->at);
      self->n_tile += batch->tile[i] == self->tile;
    }
  self->n += batch->n;
  self->n_batches++;
  return !self->stops;
}

/* Row by row what the stage has; of a tile what tile_vars names, which holds all of it. */
static void
test_stream (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLoweredTables *all = tsr_report_get_lowered_tables (f->report);
  const guint tiles[] = { TSR_NO_INDEX, 0, all->n_tiles / 2, all->n_tiles - 1 };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    for (guint stops = 0; stops < 2; stops++)
      {
        Streamed streamed = { .all = all, .tile = tiles[i], .stops = stops != 0 };
        g_autoptr (GError) error = NULL;
        gint64 named = tsr_test_ask (f->folder,
                                     "SELECT end_var - first_var FROM tile_vars WHERE"
                                     " tile = %d",
                                     (int)tiles[i]);
        gsize n = 0;

        tsr_report_stream_lowered (f->report, tiles[i], take_batch, &streamed, NULL, &error);
        g_assert_no_error (error);
        if (stops)
          {
            g_assert_cmpuint (streamed.n_batches, ==, 1);
            continue;
          }
        for (gsize k = 0; k < all->n; k++)
          n += all->tile[k] == tiles[i];
        g_assert_cmpuint (streamed.n_tile, ==, tiles[i] == TSR_NO_INDEX ? 0 : n);
        g_assert_cmpuint (streamed.n, ==,
                          tiles[i] == TSR_NO_INDEX || named == G_MININT64 ? all->n : (gsize)named);
      }
}

/* Where tile_vars does not name the rows of a tile, they are found all the same. */
static void
test_of_damaged (void)
{
  static const char *const damages[] = {
    "UPDATE tile_vars SET first_var = first_var + 1 WHERE tile = 2",
    "UPDATE tile_vars SET first_var = first_var - 1 WHERE tile = 2",
    "UPDATE tile_vars SET end_var = end_var + 1 WHERE tile = 2",
    "UPDATE tile_vars SET end_var = end_var - 1 WHERE tile = 2",
    "UPDATE tile_vars SET end_var = first_var WHERE tile = 2",
    "UPDATE tile_vars SET first_var = -first_var - 1 WHERE tile = 2",
    "UPDATE tile_vars SET first_var = 0, end_var = 9223372036854775807 WHERE tile = 2",
    "UPDATE tile_vars SET end_var = 'x' WHERE tile = 2",
    "DELETE FROM tile_vars WHERE tile = 2",
    "DROP TABLE tile_vars",
    "DELETE FROM vars_info WHERE id = (SELECT first_var + 1 FROM tile_vars WHERE tile = 2)",
    "DELETE FROM vars_info WHERE id = (SELECT end_var - 1 FROM tile_vars WHERE tile = 2)",
    "UPDATE vars_info SET tile = 3 WHERE id = (SELECT first_var + 1 FROM tile_vars WHERE tile = 2)",
    "DELETE FROM vars_info WHERE tile = 2",
  };
  static const guint tiles[][2] = { { 2, 2 }, { 1, 2 }, { 2, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autoptr (TsrReport) report = NULL;

      g_assert_cmpint (tsr_test_ask (folder, "SELECT end_var - first_var FROM tile_vars WHERE"
                                             " tile = 2"),
                       >, 2);
      tsr_test_sql (folder, "profile.pop", damages[i]);
      report = open_tables (folder, TSR_LOAD_ALL);
      for (guint k = 0; k < G_N_ELEMENTS (tiles); k++)
        check_of (report, tiles[k], k == 0 ? 1 : 2);
      tsr_test_folder_free (folder);
    }
}

static guint
find_category (const TsrCategoryRows *categories, gint64 id)
{
  for (guint i = 0; i < categories->n_categories; i++)
    if (categories->ids[i] == id)
      return i;
  g_error ("no category %" G_GINT64_FORMAT, id);
}

/* Bytes of categories, told by the file or summed up, are the sums over all lowered variables,
 * whichever of the tables that tell them are missing. */
static void
test_category_sums (void)
{
  static const char *const losses[]
      = { "DROP TABLE var_categories", "DELETE FROM var_categories",
          "UPDATE var_categories SET allocated_bytes = NULL",
          "UPDATE var_categories SET allocated_bytes = NULL WHERE id = (SELECT max (category) FROM"
          " vars_info)" };

  for (guint set = 0; set < 1u << (G_N_ELEMENTS (losses) + 1); set++)
    {
      char *folder;
      const gboolean by_tile = (set & 1) != 0;
      g_autoptr (TsrReport) report = NULL, unscanned = NULL;
      const TsrMemoryTables *tables;
      const TsrCategoryRows *categories;
      gint64 n_tiles;
      Question q;
      guint n;

      if (__builtin_popcount (set >> 1) != 1)
        continue;
      folder = tsr_test_report_new ("tiny");
      if (by_tile)
        tsr_test_sql (folder, "profile.pop", "DROP TABLE memory_by_tile_category");
      for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
        if ((set & 2u << i) != 0)
          tsr_test_sql (folder, "profile.pop", losses[i]);
      report = open_tables (folder, TSR_LOAD_ALL);
      tables = tsr_report_get_memory_tables (report);
      categories = &tables->categories;
      n_tiles = tables->tiles.n_tiles;
      question_each (&q, n, folder, "SELECT category, sum (size_bytes) FROM vars_info GROUP BY 1")
        question_number (&q, 1,
                         categories->allocated[find_category (categories, question_int (&q, 0))]);
      g_assert_cmpuint (n, >, 2);
      g_assert_cmpint (tables->allocated_by_tile != NULL, ==, by_tile);
      g_assert_cmpint (tables->by_category.present, !=, by_tile);
      if (by_tile)
        {
          gint64 sum = 0;

          question_each (&q, n, folder,
                         "SELECT category, tile, sum (size_bytes) FROM vars_info GROUP BY 1, 2")
            question_number (
                &q, 2,
                tables->allocated_by_tile[find_category (categories, question_int (&q, 0)) * n_tiles
                                          + question_int (&q, 1)]);
          for (gint64 i = 0; i < categories->n_categories * n_tiles; i++)
            sum += tables->allocated_by_tile[i];
          g_assert_cmpint (sum, ==,
                           tsr_test_ask (folder, "SELECT sum (size_bytes) FROM vars_info"));
        }
      /* Nothing is summed up where nobody wants to wait for it. */
      unscanned = open_tables (folder, TSR_LOAD_NO_SCAN | TSR_LOAD_UP_TO_MEMORY);
      tables = tsr_report_get_memory_tables (unscanned);
      g_assert_null (tables->allocated_by_tile);
      for (guint i = 0; i < tables->categories.n_categories && set >> 1 < 8; i++)
        g_assert_cmpint (tables->categories.allocated[i], ==, TSR_UNKNOWN);
      tsr_test_folder_free (folder);
    }
}

/* Nor does it say anything of a damaged row. */
static void
test_brief_of_damaged (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  TsrLoweredTables *brief;

  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET size_bytes = 'much' WHERE id = 7;"
                "UPDATE vars_info SET tile = -5 WHERE id = 8;"
                "UPDATE equivalence_class_intervals SET end_step = -1 WHERE rowid = 2");
  report = open_tables (folder, TSR_LOAD_SUMMARY_ONLY | TSR_LOAD_NO_SCAN);
  brief = tsr_report_read_lowered_brief (report, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), ==, 0);
  tsr_lowered_tables_free (brief);
  g_clear_object (&report);
  report = open_tables (folder, TSR_LOAD_ALL);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), >, 1);
  tsr_test_folder_free (folder);
}

/* Without any compilation step a root has none; where there is one, it must be that. */
static void
test_roots (void)
{
  for (guint n = 0; n < 2; n++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autoptr (TsrReport) report = NULL;
      TsrDiagnostics *diagnostics;
      guint n_broken = 0;

      tsr_test_sql (folder, "profile.pop",
                    n == 0 ? "DELETE FROM compilation_steps; UPDATE program_roots SET"
                             " compilation_step = compilation_step + 99"
                           : "DELETE FROM compilation_steps; INSERT INTO compilation_steps (id,"
                             " name) VALUES (5, 'one'); UPDATE program_roots SET"
                             " compilation_step = compilation_step + 99");
      report = open_tables (folder, TSR_LOAD_ALL);
      diagnostics = tsr_report_get_diagnostics (report);
      for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
        n_broken
            += g_str_equal (tsr_diagnostics_get (diagnostics, i)->code, "reference-broken")
               && strstr (tsr_diagnostics_get (diagnostics, i)->text, "compilation_steps") != NULL;
      g_assert_true ((n_broken > 0) == (n > 0));
      tsr_test_folder_free (folder);
    }
}

/* Read alone they are as beside the slices, and what is told of them is told once. */
static void
test_steps_alone (gconstpointer data)
{
  const Fixture *f = data;
  const TsrExecutionTables *all = tsr_report_get_execution_tables (f->report);
  g_autoptr (TsrReport) report = open_tables (f->folder, TSR_LOAD_SUMMARY_ONLY | TSR_LOAD_NO_SCAN);
  g_autoptr (GError) error = NULL;
  TsrExecutionTables *steps;
  Question q;
  gsize n;

  if (all == NULL)
    {
      g_assert_null (tsr_report_read_steps (report, NULL, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
      return;
    }
  g_assert_true (tsr_report_read_stage (report, TSR_STAGE_PROGRAMS, NULL, &error));
  steps = tsr_report_read_steps (report, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (tsr_report_get_execution_tables (report));
  g_assert_cmpuint (steps->n_steps, ==, all->n_steps);
  g_assert_cmpuint (steps->n_runs, ==, all->n_runs);
  g_assert_cmpmem (steps->step_type, steps->n_steps, all->step_type, all->n_steps);
  g_assert_cmpmem (steps->step_program, steps->n_steps * sizeof (guint32), all->step_program,
                   all->n_steps * sizeof (guint32));
  g_assert_cmpmem (steps->step_compute_set, steps->n_steps * sizeof (guint32),
                   all->step_compute_set, all->n_steps * sizeof (guint32));
  question_each (&q, n, f->folder, "SELECT program FROM steps ORDER BY id")
    {
      g_assert_cmpuint (n, <, steps->n_steps);
      if (steps->step_program[n] != TSR_NO_INDEX)
        question_number (
            &q, 0, tsr_report_get_program_tables (report)->program_id[steps->step_program[n]]);
    }
  g_assert_cmpuint (n, ==, steps->n_steps);
  g_assert_null (steps->slice_step);
  g_assert_cmpuint (steps->n_blocks, ==, 0);
  tsr_execution_tables_free (steps);
  g_assert_true (tsr_report_read_stage (report, TSR_STAGE_EXECUTION, NULL, &error));
  g_assert_cmpuint (tsr_report_get_execution_tables (report)->n_steps, ==, all->n_steps);
}

/* Of every program, of every variable, and of each third of them. */
static void
test_touches (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *programs = tsr_report_get_program_tables (f->report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->report);

  for (guint by_variable = 0; by_variable < 2; by_variable++)
    for (guint step = 1; step <= 3; step += 2)
      {
        guint n_rows = by_variable ? liveness->n_variables : programs->n_programs;
        g_autofree guint32 *wanted = g_new (guint32, n_rows + 2);
        g_autoptr (GArray) list = NULL;
        guint n_wanted = 0, n = 0, at;
        Question q;

        for (guint i = 0; i < n_rows; i += step)
          wanted[n_wanted++] = i;
        wanted[n_wanted++] = TSR_NO_INDEX;
        wanted[n_wanted++] = n_rows;
        list = by_variable
                   ? tsr_report_read_touching_programs (f->report, wanted, n_wanted, NULL, NULL)
                   : tsr_report_read_program_variables (f->report, wanted, n_wanted, NULL, NULL);
        question_each (&q, at, f->folder,
                       "SELECT program, variable, role, from_element, to_element, bytes"
                       " FROM program_variables")
          {
            const TsrProgramVariable *entry = &g_array_index (list, TsrProgramVariable, n);
            gint64 id = question_int (&q, by_variable ? 1 : 0);
            guint32 place = by_variable ? tsr_id_index_find_id (liveness->variable_id, n_rows, id)
                                        : tsr_id_index_find_id (programs->program_id, n_rows, id);

            if (place % step != 0)
              continue;
            g_assert_cmpuint (n++, <, list->len);
            question_place (&q, 0, programs->program_id, entry->program);
            question_place (&q, 1, liveness->variable_id, entry->variable);
            question_number (&q, 2, entry->role);
            question_number (&q, 3, entry->from);
            question_number (&q, 4, entry->to);
            question_number (&q, 5, entry->bytes);
          }
        g_assert_cmpuint (at, >, 0);
        g_assert_cmpuint (n, ==, list->len);
      }
}

/* On all tiles what the rows say, together and each for itself. */
static void
test_sums (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  guint n_tiles = (guint)tsr_test_ask (f->folder, "SELECT count(*) FROM memory_by_tile");
  g_autofree gint64 *ids = g_new (gint64, tables->n_programs);
  g_autofree gint64 *all = NULL;
  g_autofree gint64 *none = NULL;
  gint64 total = 0, wanted = 0;
  guint64 told;
  guint n = 0;

  for (guint i = 0; i < tables->n_programs; i++)
    if (tables->program_code[i].id != TSR_UNKNOWN)
      {
        const TsrTileArrayRef *code = &tables->program_code[i];
        g_autofree gint64 *one = tsr_report_sum_tile_arrays (f->report, &code->id, 1, n_tiles);
        gint64 sum = 0, most = 0;

        for (guint tile = 0; tile < n_tiles; tile++)
          {
            sum += one[tile];
            most = MAX (most, one[tile]);
          }
        g_assert_cmpint (sum, ==, code->total);
        g_assert_cmpint (most, ==, code->maximum);
        wanted += code->total;
        ids[n++] = code->id;
      }
  all = tsr_report_sum_tile_arrays (f->report, ids, n, n_tiles);
  for (guint tile = 0; tile < n_tiles; tile++)
    total += all[tile];
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (total, ==, wanted);
  ids[0] = 1 << 30;
  none = tsr_report_sum_tile_arrays (f->report, ids, n, n_tiles);
  g_assert_null (none);
  /* What has no array is not looked for, and so is not told of. */
  ids[0] = TSR_UNKNOWN;
  told = count_all (f->report);
  g_assert_null (tsr_report_sum_tile_arrays (f->report, ids, n, n_tiles));
  g_assert_cmpuint (count_all (f->report), ==, told);
}

/* A good report has nothing to complain about. */
static void
test_quiet (gconstpointer data)
{
  const Fixture *f = data;

  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (f->report)), ==, 0);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    if (i == TSR_STAGE_EXECUTION && g_str_equal (f->preset, "oom"))
      g_assert_error (tsr_report_get_stage_error (f->report, i), TSR_ERROR, TSR_ERROR_MISSING_PART);
    else
      g_assert_cmpint (tsr_report_get_stage_state (f->report, i), ==, TSR_STAGE_READY);
}

/* Without a profile, what the archive's members have of .text is all there is. */
static void
test_archive (void)
{
  g_autofree char *folder = tsr_test_folder_new ();
  g_autofree char *base = g_path_get_basename (folder);
  g_autofree char *path = g_build_filename (folder, "archive.a", NULL);
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  const TsrMemoryTables *tables;
  TsrArchiveRows rows = { 0 };

  tsr_test_copy (tsr_test_get_report ("demo"), folder, "archive.a");
  report = open_tables (folder, TSR_LOAD_ALL);
  g_assert_cmpstr (tsr_report_get_name (report), ==, base);
  tables = tsr_report_get_memory_tables (report);
  g_assert_true (tables->from_archive);
  source = tsr_local_source_new (path, NULL);
  g_assert_true (tsr_archive_read (source, &rows, diagnostics, NULL, NULL, NULL));
  g_assert_cmpuint (tables->tiles.n_tiles, ==, rows.n_members);
  g_assert_cmpuint (rows.n_members, >, 1);
  for (guint i = 0; i < rows.n_members; i++)
    g_assert_cmpint (tables->tiles.total[rows.tiles[i]], ==, rows.text_bytes[i]);
  tsr_archive_rows_clear (&rows);
  /* Without profile.pop there are no arrays. */
  g_assert_null (tsr_report_sum_tile_arrays (report, &(gint64){ 0 }, 1, 4));
  tsr_test_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    GTestDataFunc run;
  } tests[] = {
    { "quiet", test_quiet },
    { "programs", test_programs },
    { "children-and-roots", test_children_and_roots },
    { "vertices", test_vertices },
    { "steps", test_steps },
    { "variables", test_variables },
    { "variables-by-ipu", test_variables_by_ipu },
    { "lowered", test_lowered },
    { "tiles", test_tiles },
    { "classes", test_classes },
    { "numbers", test_numbers },
    { "brief", test_brief },
    { "of", test_of },
    { "stream", test_stream },
    { "steps-alone", test_steps_alone },
    { "touches", test_touches },
    { "sums", test_sums },
  };
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      fixtures[i].folder = make_report (fixtures[i].preset);
      fixtures[i].report = open_tables (fixtures[i].folder, TSR_LOAD_ALL);
      for (guint k = 0; k < G_N_ELEMENTS (tests); k++)
        {
          g_autofree char *path
              = g_strdup_printf ("/report-tables/%s/%s", fixtures[i].preset, tests[k].name);

          g_test_add_data_func (path, &fixtures[i], tests[k].run);
        }
    }
  g_test_add_func ("/report-tables/archive", test_archive);
  g_test_add_func ("/report-tables/brief-of-damaged", test_brief_of_damaged);
  g_test_add_func ("/report-tables/of-damaged", test_of_damaged);
  g_test_add_func ("/report-tables/category-sums", test_category_sums);
  g_test_add_func ("/report-tables/roots", test_roots);
  status = g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      g_object_unref (fixtures[i].report);
      tsr_test_folder_free (fixtures[i].folder);
    }
  return status;
}
