/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole report over files of which one read fails, whichever, or with memory that is short once:
 * whoever needed it fails and says so, what does not fail is what it is without, and a stage that
 * failed stays so.  And each part of it, cancelled at any time. */

#include "config.h"

#include "cancel-count.h"
#include "short-memory.h"
#include "tsr-error.h"
#include "tsr-report-exact.h"
#include "tsr-report-read.h"
#include "tsr-test-place.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <math.h>

/* What is asked of a report, and how much each answer has; -1: it failed. */
#define MOST_ANSWERS 32

typedef struct
{
  const char *what[MOST_ANSWERS];
  gint64 size[MOST_ANSWERS];
  guint n;
  guint n_failed;
  guint n_said; /* diagnostics */
} Answers;

static void
take (Answers *self, const char *what, gboolean ok, gint64 size, GError *error)
{
  if (ok != (error == NULL))
    g_error ("%s: %s, and %s", what, ok ? "there" : "not there",
             error != NULL ? error->message : "no error");
  g_assert_cmpuint (self->n, <, MOST_ANSWERS);
  self->what[self->n] = what;
  self->size[self->n++] = ok ? size : -1;
  self->n_failed += !ok;
  g_clear_error (&error);
}

static gboolean
count_rows (const TsrLoweredTables *batch, gpointer data)
{
  *(gint64 *)data += batch->n;
  return TRUE;
}

static gint64
get_size (TsrReport *report, TsrStage stage)
{
  const TsrExecutionTables *t = tsr_report_get_execution_tables (report);

  switch (stage)
    {
    case TSR_STAGE_MEMORY:
      return tsr_report_get_memory_tables (report)->tiles.n_tiles;
    case TSR_STAGE_PROGRAMS:
      return tsr_report_get_program_tables (report)->n_programs;
    case TSR_STAGE_LIVENESS:
      return tsr_report_get_liveness_tables (report)->n_variables;
    case TSR_STAGE_EXECUTION:
      return t->n_steps + (gint64)t->ipu_start[t->n_ipus] + t->n_blocks;
    case TSR_STAGE_LOWERED:
      return tsr_report_get_lowered_tables (report)->n;
    case TSR_STAGE_DEBUG:
      return tsr_report_get_debug_tables (report)->n;
    default:
      return 0;
    }
}

static void
ask_stages (TsrReport *report, guint missing, Answers *answers)
{
  static const char *const names[TSR_N_STAGES]
      = { "summary", "memory", "programs", "liveness", "execution", "lowered", "debug" };

  for (TsrStage stage = TSR_STAGE_MEMORY; stage < TSR_N_STAGES; stage++)
    {
      GError *error = NULL;
      gboolean ok = tsr_report_read_stage (report, stage, NULL, &error);

      g_assert_true (ok == (error == NULL));
      /* Where the file could not be opened another time, nothing was read and it can be. */
      if (!ok && tsr_report_get_stage_state (report, stage) == TSR_STAGE_PENDING)
        {
          answers->n_failed++;
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE);
          g_clear_error (&error);
          ok = tsr_report_read_stage (report, stage, NULL, &error);
          if ((missing & 1u << stage) != 0)
            g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
          else
            g_assert_no_error (error);
        }
      g_assert_cmpint (tsr_report_get_stage_state (report, stage), ==,
                       ok ? TSR_STAGE_READY : TSR_STAGE_FAILED);
      if (!ok)
        {
          g_autoptr (GError) again = NULL;

          g_assert_cmpstr (error->message, ==, tsr_report_get_stage_error (report, stage)->message);
          g_assert_false (tsr_report_read_stage (report, stage, NULL, &again));
          g_assert_cmpstr (error->message, ==, again->message);
        }
      else
        g_assert_true (tsr_report_read_stage (report, stage, NULL, NULL));
      take (answers, names[stage], ok, ok ? get_size (report, stage) : 0, error);
    }
}

static void
ask_lowered (TsrReport *report, Answers *answers)
{
  static const guint tiles[] = { 0, 3 };
  TsrLoweredTables *found;
  GError *error = NULL;
  gint64 n = 0;
  gsize n_numbers = 0;
  gboolean ok;

  found = tsr_report_read_lowered_of (report, tiles, G_N_ELEMENTS (tiles), NULL, &error);
  take (answers, "lowered of tiles", found != NULL, found != NULL ? (gint64)found->n : 0, error);
  tsr_lowered_tables_free (found);
  error = NULL;
  found = tsr_report_read_lowered_brief (report, NULL, &error);
  take (answers, "lowered in brief", found != NULL, found != NULL ? (gint64)found->n : 0, error);
  tsr_lowered_tables_free (found);
  for (guint i = 0; i < 2; i++)
    {
      error = NULL;
      n = 0;
      ok = tsr_report_stream_lowered (report, i == 0 ? TSR_NO_INDEX : 3, count_rows, &n, NULL,
                                      &error);
      take (answers, i == 0 ? "lowered, streamed" : "lowered of a tile", ok, n, error);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree guint32 *numbers = NULL;

      error = NULL;
      numbers = tsr_report_read_lowered_numbers (report, i != 0, &n_numbers, NULL, &error);
      take (answers, i == 0 ? "sizes of lowered" : "offsets of lowered", error == NULL,
            numbers != NULL ? (gint64)n_numbers : 0, error);
    }
}

static void
ask_execution (TsrReport *report, Answers *answers)
{
  const TsrExecutionTables *tables = tsr_report_get_execution_tables (report);
  GError *error = NULL;
  TsrExecutionTables *steps = tsr_report_read_steps (report, NULL, &error);
  gint64 n_known = 0;

  take (answers, "steps", steps != NULL, steps != NULL ? steps->n_steps : 0, error);
  if (tables != NULL)
    {
      g_autofree double *start = NULL, *end = NULL;
      g_autoptr (TsrExactReader) reader = NULL;
      g_autofree TsrExactPage *page = NULL;
      gboolean ok;

      error = NULL;
      ok = tsr_report_read_run_times (report, tables, &start, &end, NULL, &error);
      for (guint i = 0; ok && i < tables->n_runs; i++)
        n_known += !isnan (start[i]) + !isnan (end[i]);
      take (answers, "times of runs", ok, n_known, error);
      error = NULL;
      reader = tsr_exact_reader_new (report, tables, tables->n_ipus, NULL, &error);
      n_known = 0;
      if (reader != NULL)
        page = tsr_exact_reader_read_page (reader, 0, 1u << TSR_EXACT_CYCLES, &error);
      for (guint i = 0; page != NULL && i < page->n_steps * page->n_ipus; i++)
        n_known += page->values[TSR_EXACT_CYCLES][i].number != TSR_UNKNOWN;
      take (answers, "exact page", page != NULL, n_known, error);
    }
  g_clear_pointer (&steps, tsr_execution_tables_free);
}

/* What the summary tells, in one number. */
static gint64
sum_up (const TsrSummary *summary)
{
  guint64 sum = (guint64)summary->target.num_tiles + (guint64)summary->graph.num_vars;

  sum += summary->engine_options != NULL ? g_strv_length (summary->engine_options) * 1000003 : 0;
  for (guint v = 0; v < TSR_N_VIEWS; v++)
    sum += (guint64)summary->views[v].available << (v + 40);
  sum += (summary->framework != NULL) + 2 * (summary->app != NULL)
         + 4 * (summary->poplar_version != NULL) + 8 * (guint)summary->synthetic;
  return (gint64)(sum >> 1);
}

/* @missing: bits of the stages of which the report has nothing. */
static void
ask (const char *folder, guint missing, Answers *answers)
{
  g_autoptr (TsrPlace) place = tsr_test_failing_place_new ();
  g_autoptr (TsrReport) report = NULL;
  GError *error = NULL;

  *answers = (Answers){ 0 };
  report = tsr_report_open_sync (place, folder, TSR_LOAD_SUMMARY_ONLY, NULL, &error);
  take (answers, "open", report != NULL,
        report != NULL ? sum_up (tsr_report_get_summary (report)) : 0, error);
  if (report == NULL)
    return;
  ask_stages (report, missing, answers);
  ask_execution (report, answers);
  ask_lowered (report, answers);
  answers->n_said = tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report));
}

/* (transfer full): a folder in one that has the debug.cbor of a report in which one thing has to be
 * told by another. */
static char *
make_sparse (const char *parent)
{
  const char *tiny = tsr_test_get_report ("tiny");
  char *folder = g_build_filename (parent, "rank", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  tsr_test_copy (tiny, folder, "profile.pop");
  tsr_test_copy (tiny, parent, "debug.cbor");
  tsr_test_sql (folder, "profile.pop",
                "DROP TABLE liveness_steps; DROP TABLE memory_by_tile; DROP TABLE target;"
                "DROP TABLE memory_by_tile_region; DROP TABLE memory_by_tile_category");
  return folder;
}

/* Of a report with as few rows as there may be, so that what fails can be each of them. @missing:
 * as of ask (). */
static void
check_each (const char *folder, guint missing, gboolean of_memory)
{
  const guint n_missing = missing != 0; /* one at most */
  Answers whole, answers;
  guint n = 0, n_told = 0, failed[MOST_ANSWERS] = { 0 };
  gboolean again = TRUE;

  tsr_test_fail_read (G_MAXINT);
  ask (folder, missing, &whole);
  g_assert_cmpuint (whole.n_failed, ==, n_missing);
  for (; again; n++)
    {
      if (of_memory)
        short_memory_begin ((int)n);
      else
        tsr_test_fail_read ((int)n);
      ask (folder, missing, &answers);
      again = of_memory ? short_memory_end () : tsr_test_has_read_failed ();
      if (!again)
        g_assert_cmpuint (answers.n_failed, ==, n_missing);
      n_told += answers.n_failed > n_missing || answers.n_said > whole.n_said;
      /* A stage that failed takes others with it, but makes none smaller: an answer is whole or
       * none, or it is said what it lacks. */
      for (guint i = 0, at = 0; i < answers.n; i++, at++)
        {
          while (answers.what[i] != whole.what[at])
            at++;
          if (answers.size[i] != -1 && answers.size[i] != whole.size[at]
              && answers.n_said == whole.n_said)
            g_error ("%u: %s has %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT
                     ", and nothing is said",
                     n, answers.what[i], answers.size[i], whole.size[at]);
          failed[at] += answers.size[i] == -1;
        }
    }
  g_test_message ("%u of %u told", n_told, n - 1);
  for (guint i = 0; i < whole.n; i++)
    g_test_message ("%s: failed %u times", whole.what[i], failed[i]);
  for (guint i = 1; i < whole.n; i++)
    g_assert_true (failed[i] > 0 || of_memory);
  if (of_memory)
    g_assert_cmpuint (n_told, ==, n - 1);
}

static void
test_each (gconstpointer of_memory)
{
  g_autofree char *parent = tsr_test_folder_new ();
  g_autofree char *sparse = make_sparse (parent);

  check_each (tsr_test_get_report ("tiny"), 0, of_memory != NULL);
  check_each (sparse, 1u << TSR_STAGE_MEMORY, of_memory != NULL);
  tsr_test_folder_free (g_steal_pointer (&parent));
}

/* ------------------------------------------------------------------- cancelled */

enum
{
  CANCEL_STEPS = TSR_N_STAGES, /* before it the stages */
  CANCEL_LOWERED_OF,
  CANCEL_LOWERED_BRIEF,
  CANCEL_LOWERED_ALL,
  CANCEL_LOWERED_TILE,
  CANCEL_SIZES,
  CANCEL_TIMES,
  N_CANCELS
};

static gboolean
read_times (TsrReport *report, GCancellable *cancellable, GError **error)
{
  g_autofree double *start = NULL, *end = NULL;

  g_assert_true (tsr_report_read_stage (report, TSR_STAGE_EXECUTION, NULL, NULL));
  return tsr_report_read_run_times (report, tsr_report_get_execution_tables (report), &start, &end,
                                    cancellable, error);
}

/* Each time of a report that nobody has read anything of. */
static gboolean
read_part (gpointer data, GCancellable *cancellable, GError **error)
{
  static const guint tiles[] = { 0, 3 };
  const guint what = *(guint *)data;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open_sync (place, tsr_test_get_report ("tiny"),
                                                       TSR_LOAD_SUMMARY_ONLY, NULL, NULL);
  g_autofree guint32 *numbers = NULL;
  gboolean ok;
  gint64 n = 0;
  gsize n_numbers;

  g_assert_nonnull (report);
  switch (what)
    {
    case CANCEL_STEPS:
      {
        TsrExecutionTables *steps = tsr_report_read_steps (report, cancellable, error);

        ok = steps != NULL;
        g_clear_pointer (&steps, tsr_execution_tables_free);
        return ok;
      }
    case CANCEL_LOWERED_OF:
    case CANCEL_LOWERED_BRIEF:
      {
        TsrLoweredTables *found
            = what == CANCEL_LOWERED_OF
                  ? tsr_report_read_lowered_of (report, tiles, 2, cancellable, error)
                  : tsr_report_read_lowered_brief (report, cancellable, error);

        ok = found != NULL;
        tsr_lowered_tables_free (found);
        return ok;
      }
    case CANCEL_LOWERED_ALL:
    case CANCEL_LOWERED_TILE:
      return tsr_report_stream_lowered (report, what == CANCEL_LOWERED_ALL ? TSR_NO_INDEX : 3,
                                        count_rows, &n, cancellable, error);
    case CANCEL_SIZES:
      numbers = tsr_report_read_lowered_numbers (report, FALSE, &n_numbers, cancellable, error);
      return numbers != NULL;
    case CANCEL_TIMES:
      return read_times (report, cancellable, error);
    default:
      ok = tsr_report_read_stage (report, (TsrStage)what, cancellable, error);
      g_assert_cmpint (tsr_report_get_stage_state (report, (TsrStage)what), ==,
                       ok ? TSR_STAGE_READY : TSR_STAGE_PENDING);
      return ok;
    }
}

static gboolean
open_it (gpointer folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (place, folder, TSR_LOAD_SUMMARY_ONLY, cancellable, error);

  return report != NULL;
}

static void
test_cancelled (void)
{
  g_autofree char *parent = tsr_test_folder_new ();
  g_autofree char *sparse = make_sparse (parent);

  g_assert_cmpuint (cancel_count_walk ("opening", open_it, sparse), >, 10);
  tsr_test_folder_free (g_steal_pointer (&parent));
  for (guint what = TSR_STAGE_MEMORY; what < N_CANCELS; what++)
    {
      g_autofree char *name = g_strdup_printf ("part %u", what);
      const guint n_looks = cancel_count_walk (name, read_part, &what);

      g_test_message ("%s: %u looks", name, n_looks);
      g_assert_cmpuint (n_looks, >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/report-errors/reads", NULL, test_each);
  g_test_add_data_func ("/report-errors/memory", GUINT_TO_POINTER (TRUE), test_each);
  g_test_add_func ("/report-errors/cancelled", test_cancelled);
  return g_test_run ();
}
