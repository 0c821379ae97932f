/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the commands about the execution have in common: the trace, its runs and IPUs, ranges of
 * cycles and types of steps on the command line. */

#include "config.h"

#include "tsr-cli-trace.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static gboolean
parse_cycles (TsrCli *cli, const char *name, const char *text, gint64 *cycles)
{
  if (text == NULL || g_ascii_string_to_signed (text, 10, G_MININT64 + 1, G_MAXINT64, cycles, NULL))
    return TRUE;
  tsr_cli_fail (cli, _ ("--%s takes a whole number of cycles, not \"%s\""), name, text);
  return FALSE;
}

void
tsr_cli_trace_words_clear (TsrCliTraceWords *words)
{
  g_clear_pointer (&words->from, g_free);
  g_clear_pointer (&words->to, g_free);
  g_clear_pointer (&words->ipu, g_free);
  g_clear_pointer (&words->run, g_free);
}

TsrTrace *
tsr_cli_trace_open (TsrCli *cli, TsrLoadFlags flags, TsrReport **report)
{
  g_autoptr (GError) error = NULL;
  TsrTrace *trace;

  *report = tsr_cli_open (cli, flags);
  if (*report == NULL)
    return NULL;
  if (tsr_report_get_execution_tables (*report) == NULL)
    {
      tsr_cli_fail_stage (cli, *report, TSR_STAGE_EXECUTION);
      return NULL;
    }
  trace = tsr_trace_new (*report, cli->cancellable, &error);
  if (trace == NULL)
    {
      tsr_cli_say_diagnostics (cli, *report);
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
    }
  return trace;
}

gboolean
tsr_cli_trace_run (TsrCli *cli, const TsrTrace *trace, const char *text, guint *row)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  gint64 id;

  *row = TSR_NO_INDEX;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &id, NULL))
    {
      tsr_cli_fail (cli, _ ("--%s takes a whole number from 0 on, not \"%s\""), "run", text);
      return FALSE;
    }
  for (guint i = 0; i < tsr_trace_get_n_runs (trace) && *row == TSR_NO_INDEX; i++)
    if (tables->run_id[i] == id || (tables->run_id[i] == TSR_UNKNOWN && id == 0))
      *row = i;
  if (*row != TSR_NO_INDEX)
    return TRUE;
  tsr_cli_fail (cli, _ ("%s: There is no run %s: the report has %u runs"), cli->path, text,
                tsr_trace_get_n_runs (trace));
  return FALSE;
}

gboolean
tsr_cli_trace_ipu (TsrCli *cli, const TsrTrace *trace, const char *text, guint *ipu)
{
  guint64 number;

  *ipu = TSR_NO_INDEX;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, TSR_NO_INDEX - 1, &number, NULL))
    tsr_cli_fail (cli, _ ("--%s takes a whole number from 0 on, not \"%s\""), "ipu", text);
  else if (number >= tsr_trace_get_n_ipus (trace))
    tsr_cli_fail (cli, _ ("%s: There is no IPU %s: the execution has %u IPUs, counted from 0"),
                  cli->path, text, tsr_trace_get_n_ipus (trace));
  else
    {
      *ipu = (guint)number;
      return TRUE;
    }
  return FALSE;
}

gboolean
tsr_cli_trace_range (TsrCli *cli,
                     const TsrTrace *trace,
                     const TsrCliTraceWords *words,
                     gboolean blocks,
                     TsrCliTraceRange *range)
{
  gint64 from = TSR_UNKNOWN, to = TSR_UNKNOWN, first, last;

  tsr_trace_get_span (trace, &range->from, &range->to);
  if (!tsr_cli_trace_run (cli, trace, words->run, &range->run)
      || !tsr_cli_trace_ipu (cli, trace, words->ipu, &range->ipu)
      || !parse_cycles (cli, "from", words->from, &from)
      || !parse_cycles (cli, "to", words->to, &to))
    return FALSE;
  if (range->run != TSR_NO_INDEX)
    {
      range->from = tsr_trace_get_run (trace, range->run)->start;
      range->to = tsr_trace_get_run (trace, range->run)->end;
    }
  if (blocks && (range->run == TSR_NO_INDEX || range->from >= range->to)
      && tsr_trace_get_block_span (trace, range->run, &first, &last))
    {
      gboolean any = range->from < range->to;

      range->from = any ? MIN (range->from, first) : first;
      range->to = any ? MAX (range->to, last) : last;
    }
  if (from != TSR_UNKNOWN)
    range->from = MAX (range->from, from);
  if (to != TSR_UNKNOWN)
    range->to = MIN (range->to, to);
  if (from != TSR_UNKNOWN && to != TSR_UNKNOWN && from >= to)
    {
      tsr_cli_fail (cli, _ ("--from must be less than --to"));
      return FALSE;
    }
  range->to = MAX (range->to, range->from);
  return TRUE;
}

gboolean
tsr_cli_trace_exclude (TsrCli *cli, const TsrTrace *trace, const char *words, guint32 *hidden)
{
  g_auto (GStrv) names = g_strsplit (words != NULL ? words : "", ",", -1);

  *hidden = 0;
  for (guint i = 0; names[i] != NULL; i++)
    {
      guint32 mask;

      if (*g_strstrip (names[i]) == '\0')
        continue;
      mask = tsr_trace_find_types (trace, names[i]);
      if (mask == 0)
        {
          g_autoptr (GString) list = g_string_new (NULL);

          for (guint t = 0; t < tsr_trace_get_n_types (trace); t++)
            g_string_append_printf (list, "%s%s", t > 0 ? ", " : "",
                                    tsr_trace_get_type (trace, t)->label);
          tsr_cli_fail (cli, _ ("%s: No step is of type \"%s\"; there are: %s"), cli->path,
                        names[i], list->str);
          return FALSE;
        }
      *hidden |= mask;
    }
  return TRUE;
}
