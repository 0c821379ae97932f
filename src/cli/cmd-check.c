/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli check: reads and validates everything, and compares budgets.  The diagnostics are the
 * result. */

#include "config.h"

#include "tsr-check.h"
#include "tsr-cli.h"
#include "tsr-error.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* ---------------------------------------------------------------- progress */

typedef struct
{
  TsrProgress *progress;
  GMutex lock;
  GCond cond;
  gboolean done;
} Meter;

/* One line that is rewritten; nothing for what takes less than a second. */
static gpointer
show_progress (gpointer data)
{
  Meter *meter = data;
  gboolean shown = FALSE;
  gint64 end = g_get_monotonic_time () + G_TIME_SPAN_SECOND;

  g_mutex_lock (&meter->lock);
  while (!meter->done)
    if (!g_cond_wait_until (&meter->cond, &meter->lock, end))
      {
        double fraction = tsr_progress_get_fraction (meter->progress);

        if (fraction >= 0)
          fprintf (stderr, "\r%3.0f %%", 100 * MIN (fraction, 0.99));
        shown = shown || fraction >= 0;
        end = g_get_monotonic_time () + G_TIME_SPAN_SECOND / 4;
      }
  g_mutex_unlock (&meter->lock);
  if (shown)
    fputs ("\r     \r", stderr);
  return NULL;
}

static gboolean
run_check (TsrCli *cli, TsrReport *report, GError **error)
{
  g_autoptr (TsrProgress) progress = tsr_progress_new ();
  Meter meter = { .progress = progress };
  GThread *thread = NULL;
  gboolean ok;

  g_mutex_init (&meter.lock);
  g_cond_init (&meter.cond);
  if (isatty (STDERR_FILENO))
    thread = g_thread_new ("progress", show_progress, &meter);
  ok = tsr_check_run (report, progress, cli->cancellable, error);
  g_mutex_lock (&meter.lock);
  meter.done = TRUE;
  g_cond_signal (&meter.cond);
  g_mutex_unlock (&meter.lock);
  if (thread != NULL)
    g_thread_join (thread);
  g_mutex_clear (&meter.lock);
  g_cond_clear (&meter.cond);
  return ok;
}

/* ------------------------------------------------------------------ output */

typedef struct
{
  const char *severity, *code, *file, *table;
  gint64 row, offset;
  const char *text;
} Line;

G_STATIC_ASSERT (TSR_NO_ROW == TSR_UNKNOWN);

/* (transfer full): the texts that are made are put into @texts. */
static TsrRows *
list_diagnostics (TsrDiagnostics *diagnostics, GArray *lines, GStringChunk *texts)
{
  static const TsrField fields[] = {
    TSR_FIELD (Line, severity, "severity", N_ ("Severity"), TEXT),
    TSR_FIELD (Line, code, "code", N_ ("Code"), TEXT),
    TSR_FIELD (Line, file, "file", N_ ("File"), TEXT),
    TSR_FIELD (Line, table, "table", N_ ("Table"), TEXT),
    TSR_FIELD (Line, row, "row", N_ ("Row"), INDEX),
    TSR_FIELD (Line, offset, "offset", N_ ("Byte"), INDEX),
    TSR_FIELD (Line, text, "text", N_ ("What"), TEXT),
  };

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);
      g_autofree char *text = tsr_cli_dup_diagnostic_text (diagnostics, i);
      Line line = { tsr_severity_get_nick (entry->severity),
                    entry->code,
                    entry->file,
                    entry->table,
                    entry->row,
                    entry->offset,
                    g_string_chunk_insert (texts, text) };

      g_array_append_val (lines, line);
    }
  return tsr_records_new (lines->len, fields, G_N_ELEMENTS (fields), sizeof (Line), NULL,
                          lines->data);
}

/* What a budget says of itself: for people and for JSON. */
typedef struct
{
  const char *name, *words, *limit, *value, *state, *ok;
} BudgetLine;

/* (transfer full) (nullable): NULL of one that the report does not tell. */
static char *
dup_value (const TsrBudget *budget)
{
  if (budget->exact != TSR_UNKNOWN)
    return g_strdup_printf ("%" PRId64, budget->exact);
  return isfinite (budget->value) ? tsr_number_dup_plain (budget->value) : NULL;
}

static TsrRows *
list_budgets (GPtrArray *budgets, GArray *lines, GStringChunk *texts)
{
  static const TsrField fields[] = {
    TSR_FIELD (BudgetLine, name, "name", N_ ("Budget"), TEXT),
    TSR_FIELD (BudgetLine, words, NULL, N_ ("Limit"), TEXT),
    TSR_FIELD (BudgetLine, limit, "limit", NULL, JSON),
    TSR_FIELD (BudgetLine, value, "value", N_ ("Value"), JSON),
    TSR_FIELD (BudgetLine, state, NULL, N_ ("Result"), TEXT),
    TSR_FIELD (BudgetLine, ok, "ok", NULL, JSON),
  };

  for (guint i = 0; i < budgets->len; i++)
    {
      const TsrBudget *budget = g_ptr_array_index (budgets, i);
      g_autofree char *limit = tsr_number_dup_plain (budget->limit);
      g_autofree char *value = dup_value (budget);
      g_autofree char *words
          = g_strconcat (budget->at_least ? _ ("at least ") : _ ("at most "), limit, NULL);
      BudgetLine line = { budget->name,
                          g_string_chunk_insert (texts, words),
                          g_string_chunk_insert (texts, limit),
                          value != NULL ? g_string_chunk_insert (texts, value) : NULL,
                          budget->ok              ? _ ("kept")
                          : isnan (budget->value) ? _ ("not told")
                                                  : _ ("exceeded"),
                          budget->ok ? "true" : "false" };

      g_array_append_val (lines, line);
    }
  return tsr_records_new (lines->len, fields, G_N_ELEMENTS (fields), sizeof (BudgetLine), NULL,
                          lines->data);
}

/* A table has room for the diagnostics only. */
static void
say_budgets (TsrCli *cli, GPtrArray *budgets)
{
  for (guint i = 0; i < budgets->len; i++)
    {
      const TsrBudget *budget = g_ptr_array_index (budgets, i);
      g_autofree char *limit = tsr_number_dup_plain (budget->limit);
      g_autofree char *value = dup_value (budget);

      if (!budget->ok && value != NULL)
        tsr_cli_say (_ ("The budget %s is exceeded: %s, limit %s"), budget->name, value, limit);
    }
}

/* What the verdict is based on, problems first. */
static void
print_verdict (TsrDiagnostics *diagnostics, guint n_broken, gboolean ok, gboolean incomplete)
{
  guint64 n_errors = tsr_diagnostics_get_n_errors (diagnostics);
  guint64 n_other = tsr_diagnostics_get_n_total (diagnostics) - n_errors;
  g_autofree char *errors = tsr_units_dup_count ((gint64)n_errors);
  g_autofree char *other = tsr_units_dup_count ((gint64)n_other);
  g_autoptr (GString) text = g_string_new (NULL);

  if (incomplete)
    g_string_append_printf (text, "%s, ", _ ("not everything was checked"));
  if (n_broken > 0)
    {
      g_string_append_printf (
          text, ngettext ("%u budget not kept", "%u budgets not kept", n_broken), n_broken);
      g_string_append (text, ", ");
    }
  g_string_append_printf (text, ngettext ("%s error", "%s errors", (gulong)n_errors), errors);
  g_string_append (text, ", ");
  g_string_append_printf (text, ngettext ("%s other finding", "%s other findings", (gulong)n_other),
                          other);
  printf ("%s: %s\n", ok ? _ ("Fine") : _ ("Not fine"), text->str);
}

/* --------------------------------------------------------------------- run */

static gboolean
read_budgets (TsrCli *cli, const char *path, char **text)
{
  g_autoptr (GError) error = NULL;
  gsize length;

  if (path == NULL)
    return TRUE;
  if (!g_file_get_contents (path, text, &length, &error))
    {
      tsr_cli_fail (cli, "%s", error->message);
      return FALSE;
    }
  if (!g_utf8_validate (*text, (gssize)length, NULL))
    {
      tsr_cli_fail (cli, _ ("%s is not a text of \"name = number\" lines"), path);
      return FALSE;
    }
  return TRUE;
}

static void
print_result (TsrCli *cli, TsrReport *report, GPtrArray *budgets, gboolean incomplete)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  g_autoptr (TsrJsonWriter) writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : NULL;
  g_autoptr (GStringChunk) texts = g_string_chunk_new (4096);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GArray) budget_lines = g_array_new (FALSE, FALSE, sizeof (BudgetLine));
  gboolean text = cli->format == TSR_FORMAT_TEXT;
  guint n_broken = 0;
  gboolean ok;

  for (guint i = 0; i < budgets->len; i++)
    n_broken += !((const TsrBudget *)g_ptr_array_index (budgets, i))->ok;
  ok = !incomplete && n_broken == 0 && tsr_diagnostics_get_n_errors (diagnostics) == 0;
  if (!ok)
    cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
  if (writer != NULL)
    {
      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_boolean (writer, "ok", ok);
    }
  if (!text || tsr_diagnostics_get_n_kept (diagnostics) > 0)
    tsr_cli_list (cli, writer, "diagnostics", list_diagnostics (diagnostics, lines, texts), NULL);
  if (text && budgets->len > 0)
    putchar ('\n');
  if (writer != NULL || (text && budgets->len > 0))
    tsr_cli_list_part (cli, writer, "budgets", list_budgets (budgets, budget_lines, texts));
  if (writer != NULL)
    tsr_cli_end_json (cli, writer, incomplete);
  else if (text)
    {
      if (tsr_diagnostics_get_n_total (diagnostics) > 0 || budgets->len > 0)
        putchar ('\n');
      print_verdict (diagnostics, n_broken, ok, incomplete);
    }
  tsr_cli_flush (cli);
  if (cli->format != TSR_FORMAT_TEXT)
    tsr_cli_say_diagnostics (cli, report);
  if (cli->format == TSR_FORMAT_CSV)
    say_budgets (cli, budgets);
}

int
tsr_cli_run_check (TsrCli *cli, int argc, char **argv)
{
  g_autofree char *budget_path = NULL;
  const GOptionEntry entries[]
      = { { "budget", 'b', 0, G_OPTION_ARG_FILENAME, &budget_path,
            N_ ("file of \"name = number\" lines that the report must keep"), N_ ("FILE") },
          { NULL } };
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GPtrArray) budgets = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean complete;

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT, argc, argv)
      || !read_budgets (cli, budget_path, &text))
    return cli->status;
  report = tsr_cli_open (cli, TSR_LOAD_UP_TO_MEMORY);
  if (report == NULL)
    return cli->status;
  /* Lines that are no budget are wrong words: said before the long work. */
  budgets = tsr_check_budgets (report, text != NULL ? text : "", cli->cancellable, &error);
  if (budgets == NULL && error->domain == TSR_ERROR && error->code == TSR_ERROR_UNSUPPORTED)
    return tsr_cli_fail (cli, "%s: %s", budget_path, error->message);
  complete = budgets != NULL && run_check (cli, report, &error);
  if (!complete)
    tsr_cli_say (_ ("The check could not be finished: %s"), error->message);
  if (budgets == NULL)
    budgets = g_ptr_array_new ();
  print_result (cli, report, budgets, !complete);
  return cli->status;
}
