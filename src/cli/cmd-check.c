/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli check: reads and validates everything, and compares budgets.  The diagnostics are the
 * result. */

#include "config.h"

#include "tsr-check.h"
#include "tsr-cli.h"
#include "tsr-error.h"

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

static gint64
row_or_unknown (gint64 row)
{
  return row == TSR_NO_ROW ? TSR_UNKNOWN : row;
}

static void
write_json (
    TsrCli *cli, TsrDiagnostics *diagnostics, GPtrArray *budgets, gboolean ok, gboolean incomplete)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();
  guint n = tsr_diagnostics_get_n_kept (diagnostics);

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_boolean (writer, "ok", ok);
  tsr_json_writer_begin_array (writer, "diagnostics");
  for (guint i = 0; i < MIN (n, cli->limit); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);
      g_autofree char *text = tsr_cli_dup_diagnostic_text (diagnostics, i);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "severity", tsr_severity_get_nick (entry->severity));
      tsr_json_writer_string (writer, "code", entry->code);
      tsr_json_writer_string (writer, "file", entry->file);
      tsr_json_writer_string (writer, "table", entry->table);
      tsr_json_writer_int (writer, "row", row_or_unknown (entry->row));
      tsr_json_writer_int (writer, "offset", row_or_unknown (entry->offset));
      tsr_json_writer_string (writer, "text", text);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  tsr_json_writer_begin_array (writer, "budgets");
  for (guint i = 0; i < budgets->len; i++)
    {
      const TsrBudget *budget = g_ptr_array_index (budgets, i);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "name", budget->name);
      tsr_json_writer_double (writer, "limit", budget->limit);
      if (budget->exact != TSR_UNKNOWN)
        tsr_json_writer_int (writer, "value", budget->exact);
      else
        tsr_json_writer_double (writer, "value", budget->value);
      tsr_json_writer_boolean (writer, "ok", budget->ok);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  if (n > cli->limit)
    tsr_json_writer_boolean (writer, "truncated", TRUE);
  tsr_cli_end_json (cli, writer, incomplete);
}

static void
print_diagnostics (TsrCli *cli, TsrDiagnostics *diagnostics)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (cli);
  guint n = tsr_diagnostics_get_n_kept (diagnostics);

  tsr_cli_table_add_column (table, _ ("Severity"), "severity", FALSE);
  tsr_cli_table_add_column (table, _ ("Code"), "code", FALSE);
  tsr_cli_table_add_column (table, _ ("File"), "file", FALSE);
  tsr_cli_table_add_column (table, _ ("Table"), "table", FALSE);
  tsr_cli_table_add_column (table, _ ("Row"), "row", TRUE);
  tsr_cli_table_add_column (table, _ ("Byte"), "offset", TRUE);
  tsr_cli_table_add_column (table, _ ("What"), "text", FALSE);
  for (guint i = 0; i < MIN (n, cli->limit); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);
      g_autofree char *text = tsr_cli_dup_diagnostic_text (diagnostics, i);

      tsr_cli_table_text (table, tsr_severity_get_nick (entry->severity));
      tsr_cli_table_text (table, entry->code);
      tsr_cli_table_text (table, entry->file);
      tsr_cli_table_text (table, entry->table);
      tsr_cli_table_index (table, row_or_unknown (entry->row));
      tsr_cli_table_index (table, row_or_unknown (entry->offset));
      tsr_cli_table_text (table, text);
    }
  if (n > 0 || cli->format == TSR_FORMAT_CSV)
    tsr_cli_table_finish (table);
  if (n > cli->limit && cli->format == TSR_FORMAT_TEXT)
    {
      g_autofree char *more = tsr_units_dup_count ((gint64)(n - cli->limit));

      printf (ngettext ("%s more is not listed\n", "%s more are not listed\n",
                        (gulong)(n - cli->limit)),
              more);
    }
}

static void
print_budgets (TsrCli *cli, GPtrArray *budgets)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (cli);

  if (budgets->len == 0)
    return;
  putchar ('\n');
  tsr_cli_table_add_column (table, _ ("Budget"), "", FALSE);
  tsr_cli_table_add_column (table, _ ("Limit"), "", TRUE);
  tsr_cli_table_add_column (table, _ ("Value"), "", TRUE);
  tsr_cli_table_add_column (table, "", "", FALSE);
  for (guint i = 0; i < budgets->len; i++)
    {
      const TsrBudget *budget = g_ptr_array_index (budgets, i);
      g_autofree char *limit = tsr_number_dup_plain (budget->limit);
      g_autofree char *text
          = g_strconcat (budget->at_least ? _ ("at least ") : _ ("at most "), limit, NULL);

      tsr_cli_table_text (table, budget->name);
      tsr_cli_table_text (table, text);
      if (budget->exact != TSR_UNKNOWN)
        tsr_cli_table_index (table, budget->exact);
      else
        tsr_cli_table_number (table, budget->value);
      tsr_cli_table_text (table, budget->ok              ? _ ("kept")
                                 : isnan (budget->value) ? _ ("not told")
                                                         : _ ("exceeded"));
    }
  tsr_cli_table_finish (table);
}

/* A table has room for the diagnostics only. */
static void
say_budgets (TsrCli *cli, GPtrArray *budgets)
{
  for (guint i = 0; i < budgets->len; i++)
    {
      const TsrBudget *budget = g_ptr_array_index (budgets, i);
      g_autofree char *limit = tsr_number_dup_plain (budget->limit);
      g_autofree char *value = budget->exact != TSR_UNKNOWN
                                   ? g_strdup_printf ("%" PRId64, budget->exact)
                                   : tsr_number_dup_plain (budget->value);

      if (!budget->ok && !isnan (budget->value))
        tsr_cli_say (_ ("The budget %s is exceeded: %s, limit %s"), budget->name, value, limit);
    }
}

/* All that the verdict rests on, what is not fine first. */
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

static void
print_text (TsrCli *cli,
            TsrDiagnostics *diagnostics,
            GPtrArray *budgets,
            guint n_broken,
            gboolean ok,
            gboolean incomplete)
{
  print_diagnostics (cli, diagnostics);
  print_budgets (cli, budgets);
  if (tsr_diagnostics_get_n_total (diagnostics) > 0 || budgets->len > 0)
    putchar ('\n');
  print_verdict (diagnostics, n_broken, ok, incomplete);
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
      tsr_cli_fail (cli, _ ("%s is no text of \"name = number\" lines"), path);
      return FALSE;
    }
  return TRUE;
}

static void
print_result (TsrCli *cli, TsrReport *report, GPtrArray *budgets, gboolean incomplete)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  guint n_broken = 0;
  gboolean ok;

  for (guint i = 0; i < budgets->len; i++)
    n_broken += !((const TsrBudget *)g_ptr_array_index (budgets, i))->ok;
  ok = !incomplete && n_broken == 0 && tsr_diagnostics_get_n_errors (diagnostics) == 0;
  if (!ok)
    cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
  if (cli->format == TSR_FORMAT_JSON)
    write_json (cli, diagnostics, budgets, ok, incomplete);
  else if (cli->format == TSR_FORMAT_CSV)
    print_diagnostics (cli, diagnostics);
  else
    print_text (cli, diagnostics, budgets, n_broken, ok, incomplete);
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
