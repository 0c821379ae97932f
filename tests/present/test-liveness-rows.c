/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of the Liveness page on a made report, against plain SQL on the same file and naive
 * loops over the rows. */

#include "config.h"

#include "rows-check.h"
#include "tsr-category.h"
#include "tsr-liveness-groups.h"
#include "tsr-rows-print.h"
#include "tsr-tables.h"
#include "tsr-test.h"
#include "tsr-test-place.h"

#include <string.h>

/* Reads at the beginning of a file: a connection to a database does a fixed number of them. */
static int n_begun;

static gboolean
count_begins (TsrSource *source, gint64 offset, gsize length, GError **error)
{
  if (offset == 0)
    g_atomic_int_inc (&n_begun);
  return TRUE;
}

static const TsrTestPlaceHooks counting = { .read = count_begins };

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrVertices *vertices;
} Fixture;

static void
setup (Fixture *f, gconstpointer sql)
{
  g_autoptr (TsrPlace) place = tsr_test_place_new (&counting);
  g_autoptr (GError) error = NULL;

  f->folder = tsr_test_report_new ("demo");
  if (sql != NULL)
    tsr_test_sql (f->folder, "profile.pop", sql);
  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f->memory = tsr_memory_new (f->report);
  f->variables = tsr_variables_new (f->report, NULL, &error);
  g_assert_no_error (error);
  f->liveness = tsr_liveness_new (f->report, f->memory, f->variables);
  f->vertices = tsr_vertices_new (f->report, f->memory);
}

static void
teardown (Fixture *f, gconstpointer sql)
{
  tsr_vertices_unref (f->vertices);
  tsr_liveness_unref (f->liveness);
  tsr_variables_unref (f->variables);
  tsr_memory_unref (f->memory);
  g_object_unref (f->report);
  tsr_test_folder_free (f->folder);
}

static void
question_clear (TsrLivenessQuestion *question)
{
  tsr_liveness_source_clear (&question->source);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrLivenessQuestion, question_clear)

static void
question_init (Fixture *f, TsrLivenessQuestion *question, TsrLivenessTab tab, const char *source)
{
  g_autoptr (GError) error = NULL;

  memset (question, 0, sizeof *question);
  question->tab = tab;
  question->liveness = f->liveness;
  question->vertices = f->vertices;
  question->peak = TSR_NO_INDEX;
  question->depth = 1;
  g_assert_true (tsr_liveness_source_parse (f->memory, source, &question->source, &error));
  g_assert_no_error (error);
}

/* Through a copy, as the worker gets it. */
static TsrTableAnswer *
answer (const TsrLivenessQuestion *question)
{
  const TsrTableQuestion asked = { .of_liveness = *question };
  TsrTableQuestion *copy = tsr_table_question_copy (&asked);
  g_autoptr (GError) error = NULL;
  TsrTableAnswer *result = tsr_liveness_answer_new (&copy->of_liveness, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  rows_check (result->rows);
  g_assert_true (tsr_table_question_equal (copy, &asked));
  tsr_table_question_free (copy);
  return result;
}

static guint
find_column (TsrRows *rows, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (g_str_equal (tsr_rows_get_column (rows, i)->key, key))
      return i;
  g_error ("no column %s", key);
}

static guint
step_column (TsrRows *rows, const char *word, guint step)
{
  g_autofree char *key = g_strdup_printf ("%sStep%u", word, step);

  return find_column (rows, key);
}

static gint64
total (TsrRows *rows, guint column)
{
  gint64 sum = 0;

  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    {
      gint64 value = tsr_rows_get_value (rows, row, column);

      g_assert_cmpint (value, !=, TSR_UNKNOWN);
      sum += value;
    }
  return sum;
}

/* Bytes live at @step and not always, of allocations WHERE. */
static gint64
query_live (Fixture *f, guint step, const char *where)
{
  return tsr_test_ask (
      f->folder,
      "SELECT coalesce(sum(v.size_bytes), 0) FROM vars_info v "
      "JOIN equivalence_class_intervals i ON i.equivalence_class = v.equivalence_class "
      "WHERE v.always_live = 0 AND i.start_step <= %u AND %u < i.end_step AND %s",
      step, step, where);
}

static guint
peak_step (Fixture *f)
{
  return tsr_test_ask (f->folder,
                       "SELECT step FROM liveness_steps ORDER BY not_always_live_bytes DESC, step "
                       "LIMIT 1");
}

/* One with much that is not always live, as a source. */
static char *
busy_tile (Fixture *f, gint64 *tile)
{
  *tile = tsr_test_ask (f->folder, "SELECT tile FROM vars_info WHERE always_live = 0 GROUP BY tile "
                                   "ORDER BY count(DISTINCT equivalence_class) DESC LIMIT 1");
  return g_strdup_printf ("tile%d", (int)*tile);
}

static guint32
find_row (TsrRows *rows, const char *name)
{
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    if (g_strcmp0 (tsr_rows_get_text (rows, row, 0), name) == 0)
      return row;
  return G_MAXUINT32;
}

static void
test_always (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) all = NULL, tile = NULL;

  question_init (f, &question, TSR_LIVENESS_TAB_ALWAYS, "all");
  all = answer (&question);
  g_assert_cmpint (
      total (all->rows, 1), ==,
      tsr_test_ask (f->folder, "SELECT sum(size_bytes) FROM vars_info WHERE always_live = 1"));
  g_assert_cmpstr (all->sort_key, ==, tsr_rows_get_column (all->rows, 1)->key);
  question_clear (&question);
  question_init (f, &question, TSR_LIVENESS_TAB_ALWAYS, "tile5");
  tile = answer (&question);
  g_assert_cmpint (
      total (tile->rows, 1), ==,
      tsr_test_ask (f->folder,
                    "SELECT sum(size_bytes) FROM vars_info WHERE always_live = 1 AND tile = 5"));
  for (guint32 row = 0; row < tsr_rows_get_n (tile->rows); row++)
    g_assert_cmpstr (tsr_rows_get_text (tile->rows, row, 0), ==,
                     tsr_variables_get_name (f->variables, tile->variables[row]));
}

static void
test_steps (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) answered = NULL, first = NULL;
  guint peak = peak_step (f), b;
  gint64 tile;
  g_autofree char *source = busy_tile (f, &tile);
  g_autofree char *where = g_strdup_printf ("v.tile = %d", (int)tile);

  question_init (f, &question, TSR_LIVENESS_TAB_TEMPORARY, source);
  question.steps[0] = peak;
  question.steps[1] = peak / 2;
  question.n_steps = 2;
  answered = answer (&question);
  g_assert_cmpint (total (answered->rows, step_column (answered->rows, "bytes", peak)), ==,
                   query_live (f, peak, where));
  g_assert_cmpint (query_live (f, peak, where), >, 0);
  g_assert_cmpint (total (answered->rows, step_column (answered->rows, "bytes", peak / 2)), ==,
                   query_live (f, peak / 2, where));
  b = step_column (answered->rows, "difference", peak / 2);
  for (guint32 row = 0; row < tsr_rows_get_n (answered->rows); row++)
    g_assert_cmpint (tsr_rows_get_value (answered->rows, row, b), ==,
                     tsr_rows_get_value (answered->rows, row, 2)
                         - tsr_rows_get_value (answered->rows, row, 1));
  /* Nothing chosen: the peak stands in, and its heading says so. */
  question_clear (&question);
  question_init (f, &question, TSR_LIVENESS_TAB_TEMPORARY, "all");
  question.peak = peak;
  first = answer (&question);
  g_assert_true (g_str_has_prefix (tsr_rows_get_column (first->rows, 1)->title, "Peak: step "));
  g_assert_cmpint (total (first->rows, 1), ==,
                   tsr_test_ask (f->folder,
                                 "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u",
                                 peak));
}

/* The first @depth parts of a name, another way. */
static char *
naive_prefix (const char *name, guint depth)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = g_strv_length (parts); i > depth; i--)
    g_clear_pointer (&parts[i - 1], g_free);
  return g_strjoinv ("/", parts);
}

/* What a chart is given of a row that stands for several variables. */
static void
check_group (const TsrTableAnswer *answer, guint32 row)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) groups = NULL, same = NULL, none = NULL, most = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *label = NULL, *says = NULL;
  const TsrLivenessGroup *group;

  none = tsr_liveness_groups_new (answer, rows);
  g_array_append_val (rows, row);
  groups = tsr_liveness_groups_new (answer, rows);
  same = tsr_liveness_groups_new (answer, rows);
  g_assert_cmpuint (groups->len, ==, 1);
  group = groups->pdata[0];
  /* No more rows than may be selected. */
  while (rows->len <= TSR_MAX_SELECTED_STEPS)
    g_array_append_val (rows, row);
  most = tsr_liveness_groups_new (answer, rows);
  g_assert_cmpuint (most->len, ==, TSR_MAX_SELECTED_STEPS);
  names = tsr_liveness_groups_dup_names (groups);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_cmpstr (names[0], ==, tsr_rows_get_text (answer->rows, row, 0));
  g_assert_cmpmem (group->variables, group->n * sizeof *group->variables,
                   answer->members + answer->first[row], answer->n[row] * sizeof (guint32));
  says = g_strdup_printf ("%s (%u variable%s)", names[0], group->n, group->n == 1 ? "" : "s");
  label = tsr_liveness_group_dup_label (group);
  g_assert_cmpstr (label, ==, says);
  g_assert_true (tsr_liveness_groups_equal (groups, same));
  g_assert_false (tsr_liveness_groups_equal (groups, none));
  ((TsrLivenessGroup *)same->pdata[0])->variables[group->n - 1]++;
  g_assert_false (tsr_liveness_groups_equal (groups, same));
}

static void
test_groups (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) single = NULL;
  guint peak = peak_step (f);

  question_init (f, &question, TSR_LIVENESS_TAB_TEMPORARY, "all");
  question.steps[0] = peak;
  question.steps[1] = peak + 10;
  question.n_steps = 2;
  single = answer (&question);
  /* Its rows are variables; and where there is no answer, there are none. */
  for (guint i = 0; i < 2; i++)
    {
      const guint32 first = 0;
      g_autoptr (GArray) rows
          = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (guint32)), &first, 1);
      g_autoptr (GPtrArray) none = tsr_liveness_groups_new (i == 0 ? single : NULL, rows);

      g_assert_cmpuint (none->len, ==, 0);
    }
  for (guint depth = 1; depth <= 4; depth++)
    {
      g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_autoptr (TsrTableAnswer) groups = NULL;

      for (guint32 row = 0; row < tsr_rows_get_n (single->rows); row++)
        {
          char *prefix = naive_prefix (tsr_rows_get_text (single->rows, row, 0), depth);
          gint64 *sum = g_hash_table_lookup (sums, prefix);

          if (sum == NULL)
            g_hash_table_insert (sums, g_strdup (prefix), sum = g_new0 (gint64, 1));
          *sum += tsr_rows_get_value (single->rows, row, 2);
          g_free (prefix);
        }
      question.by = TSR_LIVENESS_BY_PREFIX;
      question.depth = depth;
      groups = answer (&question);
      g_assert_cmpuint (tsr_rows_get_n (groups->rows), ==, g_hash_table_size (sums));
      for (guint32 row = 0; row < tsr_rows_get_n (groups->rows); row++)
        {
          gint64 *sum = g_hash_table_lookup (sums, tsr_rows_get_text (groups->rows, row, 0));

          g_assert_nonnull (sum);
          g_assert_cmpint (tsr_rows_get_value (groups->rows, row, 2), ==, *sum);
          g_assert_cmpuint (groups->variables[row], ==, TSR_NO_INDEX);
          /* Its members are the variables of that prefix, and each has a row. */
          for (guint32 i = 0; i < groups->n[row]; i++)
            {
              const char *name
                  = tsr_variables_get_name (f->variables, groups->members[groups->first[row] + i]);
              g_autofree char *prefix = naive_prefix (name, depth);

              g_assert_cmpstr (prefix, ==, tsr_rows_get_text (groups->rows, row, 0));
              *sum -= tsr_rows_get_value (single->rows, find_row (single->rows, name), 2);
            }
          g_assert_cmpint (*sum, ==, 0);
          check_group (groups, row);
        }
      g_assert_cmpint (total (groups->rows, find_column (groups->rows, "numVariables")), ==,
                       tsr_rows_get_n (single->rows));
    }
}

static void
test_peak (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) with = NULL, without = NULL, lives = NULL;
  guint peak = peak_step (f), share;
  gint64 always
      = tsr_test_ask (f->folder, "SELECT sum(size_bytes) FROM vars_info WHERE always_live = 1");
  gint64 live = tsr_test_ask (
      f->folder, "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u", peak);
  gint64 shares = 0;

  question_init (f, &question, TSR_LIVENESS_TAB_PEAK, "all");
  question.peak = peak;
  without = answer (&question);
  g_assert_cmpint (total (without->rows, 1), ==, live);
  question.include_always_live = TRUE;
  with = answer (&question);
  g_assert_cmpint (total (with->rows, 1), ==, live + always);
  share = find_column (with->rows, "share");
  for (guint32 row = 0; row < tsr_rows_get_n (with->rows); row++)
    shares += tsr_rows_get_value (with->rows, row, share);
  g_assert_cmpint (ABS (shares - 1000000000), <, tsr_rows_get_n (with->rows));
  question.by = TSR_LIVENESS_BY_LIFE;
  lives = answer (&question);
  g_assert_cmpint (total (lives->rows, 1), ==, live + always);
  g_assert_cmpint (tsr_rows_get_value (lives->rows, find_row (lives->rows, "Always"), 1), ==,
                   always);
}

static void
test_categories (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) groups = NULL;
  g_autoptr (GPtrArray) rows
      = tsr_test_query_rows (f->folder, "profile.pop",
                             "SELECT c.name, sum(v.size_bytes) FROM vars_info v JOIN "
                             "var_categories c ON c.id = v.category "
                             "WHERE v.always_live = 1 AND v.tile = 3 GROUP BY 1");
  gint64 sum = 0;

  question_init (f, &question, TSR_LIVENESS_TAB_ALWAYS, "tile3");
  question.by = TSR_LIVENESS_BY_CATEGORY;
  groups = answer (&question);
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv cells = g_ptr_array_index (rows, i);
      guint32 row = find_row (groups->rows, tsr_category_get_label (cells[0]));

      g_assert_cmpuint (row, !=, G_MAXUINT32);
      g_assert_cmpint (tsr_rows_get_value (groups->rows, row, 1), ==,
                       g_ascii_strtoll (cells[1], NULL, 10));
      sum += g_ascii_strtoll (cells[1], NULL, 10);
    }
  g_assert_cmpint (total (groups->rows, 1), ==, sum);
}

static void
test_a_to_b (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) table = NULL, changes = NULL, dying = NULL;
  guint peak = peak_step (f), n_changed = 0, difference, change, size;
  gint64 died = 0, tile;
  g_autofree char *source = busy_tile (f, &tile);

  question_init (f, &question, TSR_LIVENESS_TAB_TEMPORARY, source);
  question.steps[0] = peak / 3;
  question.steps[1] = peak;
  question.n_steps = 2;
  table = answer (&question);
  question.tab = TSR_LIVENESS_TAB_A_TO_B;
  changes = answer (&question);
  difference = find_column (changes->rows, "difference");
  change = find_column (changes->rows, "change");
  size = find_column (changes->rows, "changeSize");
  g_assert_cmpstr (changes->sort_key, ==, "changeSize");
  for (guint32 row = 0; row < tsr_rows_get_n (table->rows); row++)
    {
      gint64 a = tsr_rows_get_value (table->rows, row, 1);
      gint64 b = tsr_rows_get_value (table->rows, row, 2);
      guint32 found = find_row (changes->rows, tsr_rows_get_text (table->rows, row, 0));

      g_assert_true ((found != G_MAXUINT32) == (a != b));
      if (a == b)
        continue;
      n_changed++;
      died += b == 0 ? a : 0;
      g_assert_cmpint (tsr_rows_get_value (changes->rows, found, difference), ==, b - a);
      g_assert_cmpint (tsr_rows_get_value (changes->rows, found, size), ==, ABS (b - a));
      g_assert_cmpstr (tsr_rows_get_text (changes->rows, found, change), ==,
                       a == 0   ? "Born"
                       : b == 0 ? "Died"
                       : b > a  ? "Grown"
                                : "Shrunk");
    }
  g_assert_cmpuint (n_changed, >, 0);
  g_assert_cmpuint (tsr_rows_get_n (changes->rows), ==, n_changed);
  /* What is gone by B includes all that is dead at B. */
  question.dying = TRUE;
  dying = answer (&question);
  g_assert_cmpint (total (dying->rows, 1), >=, died);
  /* A step beside itself: words, not an empty table. */
  question.steps[0] = peak;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TsrTableAnswer) same = NULL;

      question.dying = i > 0;
      same = answer (&question);
      g_assert_cmpuint (tsr_rows_get_n (same->rows), ==, 0);
      g_assert_cmpstr (same->title, ==, i > 0 ? "Nothing goes" : "Nothing changes");
      g_assert_nonnull (same->text);
    }
  /* One step is compared with the peak, unless it is that; and else there is nothing to compare. */
  question.dying = FALSE;
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (TsrTableAnswer) one = NULL;

      question.n_steps = i % 2;
      question.steps[0] = i & 4 ? peak : peak / 3;
      question.peak = i & 2 ? peak : TSR_NO_INDEX;
      one = answer (&question);
      g_assert_cmpint (one->rows != NULL, ==, i == 3);
      if (i == 3)
        {
          g_autofree char *same = tsr_rows_dup_csv (one->rows, NULL);
          g_autofree char *two = tsr_rows_dup_csv (changes->rows, NULL);

          g_assert_cmpstr (same, ==, two);
        }
      else
        g_assert_cmpstr (one->title, ==, "Select two steps");
    }
}

static guint
query_step_of (Fixture *f, const char *type, guint place)
{
  return tsr_test_ask (f->folder,
                       "SELECT l.step FROM liveness_steps l JOIN programs p ON p.id = l.program "
                       "WHERE p.type = '%s' ORDER BY l.step LIMIT 1 OFFSET %u",
                       type, place);
}

#define OF_STEP                                                                                    \
  "FROM compute_set_vertices v JOIN programs p ON p.compute_set = v.compute_set "                  \
  "JOIN liveness_steps l ON l.program = p.id WHERE l.step = %u"

static void
test_vertices (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) all = NULL, none = NULL;
  guint a = query_step_of (f, "OnTileExecute", 3), b = query_step_of (f, "OnTileExecute", 17);
  TsrTileArrayRef array = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
  g_autofree gint64 *values = NULL;
  gint64 counts = 0;
  int n_one;

  question_init (f, &question, TSR_LIVENESS_TAB_VERTICES, "all");
  question.steps[0] = a;
  question.steps[1] = b;
  question.n_steps = 2;
  all = answer (&question);
  g_assert_cmpint (total (all->rows, step_column (all->rows, "count", a)), ==,
                   tsr_test_ask (f->folder, "SELECT sum(v.count) " OF_STEP, a));
  g_assert_cmpint (total (all->rows, step_column (all->rows, "count", b)), ==,
                   tsr_test_ask (f->folder, "SELECT sum(v.count) " OF_STEP, b));
  g_assert_cmpint (
      total (all->rows, step_column (all->rows, "stateBytes", a)), ==,
      tsr_test_ask (f->folder,
                    "SELECT sum(v.count * t.size_bytes) FROM vertex_types t, "
                    "compute_set_vertices v JOIN programs p ON p.compute_set = v.compute_set "
                    "JOIN liveness_steps l ON l.program = p.id "
                    "WHERE l.step = %u AND t.id = v.vertex_type",
                    a));
  array.id = tsr_test_ask (f->folder, "SELECT v.count_by_tile " OF_STEP " LIMIT 1", b);
  g_atomic_int_set (&n_begun, 0);
  values = tsr_vertices_dup_array (f->vertices, array, NULL);
  n_one = g_atomic_int_get (&n_begun);
  g_assert_cmpint (n_one, >, 0);
  /* The IPUs together have what all tiles have. */
  question.n_steps = 1;
  for (guint ipu = 0; ipu < tsr_memory_get_n_ipus (f->memory); ipu++)
    {
      g_autofree char *text = g_strdup_printf ("ipu%u", ipu);
      g_autoptr (TsrTableAnswer) part = NULL;

      tsr_liveness_source_clear (&question.source);
      memset (&question.source, 0, sizeof question.source);
      g_assert_true (tsr_liveness_source_parse (f->memory, text, &question.source, NULL));
      g_atomic_int_set (&n_begun, 0);
      part = answer (&question);
      /* Arrays of instances and of code, all of them with one connection. */
      g_assert_cmpint (g_atomic_int_get (&n_begun), ==, n_one);
      counts += total (part->rows, step_column (part->rows, "count", a));
    }
  g_assert_cmpint (counts, ==, tsr_test_ask (f->folder, "SELECT sum(v.count) " OF_STEP, a));
  question.steps[0] = query_step_of (f, "Sync", 0);
  none = answer (&question);
  g_assert_null (none->rows);
  g_assert_nonnull (strstr (none->text, "Sync"));
}

static void
test_estimates (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) cycles = NULL, tiles = NULL, flops = NULL;
  guint a = query_step_of (f, "OnTileExecute", 3);

  question_init (f, &question, TSR_LIVENESS_TAB_CYCLES, "all");
  question.steps[0] = a;
  question.n_steps = 1;
  cycles = answer (&question);
  g_assert_cmpint (total (cycles->rows, 1), ==,
                   tsr_test_ask (f->folder, "SELECT sum(v.estimated_cycles) " OF_STEP, a));
  question.by_tile = TRUE;
  tiles = answer (&question);
  g_assert_cmpuint (tsr_rows_get_n (tiles->rows), ==, tsr_memory_get_n_tiles (f->memory));
  g_assert_cmpint (
      total (tiles->rows, 2), ==,
      tsr_test_ask (f->folder,
                    "SELECT a.total FROM tile_arrays a JOIN compute_sets c ON "
                    "c.estimated_cycles_by_tile = a.id JOIN programs p ON p.compute_set = "
                    "c.compute_set JOIN liveness_steps l ON l.program = p.id "
                    "WHERE l.step = %u",
                    a));
  question.tab = TSR_LIVENESS_TAB_FLOPS;
  flops = answer (&question);
  g_assert_cmpint (total (flops->rows, 1), ==,
                   tsr_test_ask (f->folder, "SELECT sum(v.flops) " OF_STEP, a));
}

static void
test_no_estimates (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) cycles = NULL, flops = NULL;

  question_init (f, &question, TSR_LIVENESS_TAB_CYCLES, "all");
  question.steps[0] = query_step_of (f, "OnTileExecute", 3);
  question.n_steps = 1;
  cycles = answer (&question);
  g_assert_null (cycles->rows);
  g_assert_nonnull (strstr (cycles->text, "profiler.includeCycleEstimates"));
  question.tab = TSR_LIVENESS_TAB_FLOPS;
  flops = answer (&question);
  g_assert_null (flops->rows);
  g_assert_nonnull (strstr (flops->text, "profiler.includeFlopEstimates"));
}

/* Without lowered variables tiles cannot be shown, and the words name the option. */
static void
test_no_lowered (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) tile = NULL, all = NULL;
  guint peak = peak_step (f);

  question_init (f, &question, TSR_LIVENESS_TAB_TEMPORARY, "tile5");
  question.steps[0] = peak;
  question.n_steps = 1;
  tile = answer (&question);
  g_assert_null (tile->rows);
  g_assert_nonnull (strstr (tile->text, "autoReport.outputLoweredVars"));
  question_clear (&question);
  question_init (f, &question, TSR_LIVENESS_TAB_TEMPORARY, "all");
  question.peak = peak;
  all = answer (&question);
  g_assert_cmpint (total (all->rows, 1), ==,
                   tsr_test_ask (f->folder,
                                 "SELECT sum(l.size_bytes) FROM variable_lifetimes l "
                                 "WHERE l.start_step <= %u AND %u < l.end_step",
                                 peak, peak));
}

/* Steps there are, but nobody tells what is live at them. */
static void
test_no_peak (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessQuestion) question = { 0 };
  g_autoptr (TsrTableAnswer) peak = NULL;

  question_init (f, &question, TSR_LIVENESS_TAB_PEAK, "all");
  peak = answer (&question);
  g_assert_null (peak->rows);
  g_assert_cmpuint (tsr_liveness_get_n_steps (f->liveness), >, 0);
  g_assert_nonnull (strstr (peak->text, "does not record how much is live at each step"));
}

#define ADD(name, sql, func) g_test_add (name, Fixture, sql, setup, func, teardown)

/* What is not there yet says which stage brings it; what does not come says why, or what to do. */
static void
test_not_there (Fixture *f, gconstpointer data)
{
  static const TsrLivenessTab needs_vertices[]
      = { TSR_LIVENESS_TAB_VERTICES, TSR_LIVENESS_TAB_CYCLES, TSR_LIVENESS_TAB_FLOPS };

  for (guint i = 0; i < G_N_ELEMENTS (needs_vertices); i++)
    for (guint pending = 0; pending < 2; pending++)
      {
        g_auto (TsrLivenessQuestion) question = { 0 };
        g_autoptr (TsrTableAnswer) found = NULL, without_step = NULL;

        question_init (f, &question, needs_vertices[i], "all");
        without_step = answer (&question);
        g_assert_null (without_step->rows);
        g_assert_cmpstr (without_step->title, ==, "Select a step");
        g_assert_cmpint (without_step->stages, ==, 0);
        question.vertices = NULL;
        question.vertices_pending = pending;
        found = answer (&question);
        g_assert_null (found->rows);
        g_assert_cmpint (found->stages, ==, pending ? 1u << TSR_STAGE_PROGRAMS : 0);
        g_assert_true ((found->text != NULL) == !pending);
        g_assert_true (!pending || g_str_has_suffix (found->title, "…"));
      }
  for (guint tab = 0; tab < TSR_MEMORY_N_TABS; tab++)
    for (guint variant = 0; variant < 3; variant++)
      {
        guint tile = variant == 2 ? 1000000 : 3;
        gboolean of_variables = tab == TSR_MEMORY_TAB_VARIABLES;
        TsrMemoryQuestion question = { .tab = tab, .tiles = &tile, .n_tiles = 1 };
        g_autoptr (TsrTableAnswer) found = NULL;

        if (tab == TSR_MEMORY_TAB_DETAILS)
          continue;
        question.pending = variant == 0;
        question.why = variant == 1 ? (char *)"the cable" : NULL;
        question.liveness = variant == 2 ? f->liveness : NULL;
        found = tsr_memory_answer_new (&question, NULL, NULL);
        g_assert_null (found->rows);
        g_assert_cmpint (found->stages, ==,
                         variant > 0    ? 0
                         : of_variables ? 1u << TSR_STAGE_LOWERED
                                        : 1u << TSR_STAGE_PROGRAMS);
        g_assert_true (variant != 0 || g_str_has_suffix (found->title, "…"));
        if (variant == 1)
          g_assert_cmpstr (found->text, ==, "the cable");
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/liveness-rows/always", NULL, test_always);
  ADD ("/liveness-rows/steps", NULL, test_steps);
  ADD ("/liveness-rows/groups", NULL, test_groups);
  ADD ("/liveness-rows/peak", NULL, test_peak);
  ADD ("/liveness-rows/categories", NULL, test_categories);
  ADD ("/liveness-rows/a-to-b", NULL, test_a_to_b);
  ADD ("/liveness-rows/vertices", NULL, test_vertices);
  ADD ("/liveness-rows/estimates", NULL, test_estimates);
  ADD ("/liveness-rows/no-estimates",
       "UPDATE compute_set_vertices SET flops = NULL, estimated_cycles = NULL;"
       "UPDATE compute_sets SET estimated_cycles_by_tile = NULL;"
       "UPDATE programs SET estimated_cycles_by_tile = NULL;",
       test_no_estimates);
  ADD ("/liveness-rows/no-peak", NULL, test_no_peak);
  ADD ("/liveness-rows/no-lowered",
       "DELETE FROM vars_info; DELETE FROM equivalence_class_intervals;", test_no_lowered);
  g_test_add ("/liveness-rows/not-there", Fixture, NULL, setup, test_not_there, teardown);
  return g_test_run ();
}
