/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A finding as Markdown, for an issue or a mail.  Pure. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Text from a file must not become markup: what would is escaped, what breaks a line is a space. */
static void
append_escaped (GString *out, const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    {
      if (strchr ("\\`*_[]<>|#", *p) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, (guchar)*p < ' ' ? ' ' : *p);
    }
}

static void
append_size (GString *out, const char *name, gint64 bytes, TsrUnits units)
{
  g_autofree char *size = NULL;
  g_autofree char *exact = NULL;

  if (bytes == TSR_UNKNOWN)
    return;
  size = tsr_units_dup_bytes (units, bytes);
  exact = tsr_units_dup_bytes_exact (bytes);
  g_string_append_printf (out, "- %s: %s (%s)\n", name, size, exact);
}

static void
append_evidence (GString *out, const GArray *evidence, TsrUnits units)
{
  if (evidence->len == 0)
    return;
  g_string_append_printf (out, "\n| %s | %s | %s |\n| --- | ---: | ---: |\n", _ ("Name"),
                          _ ("Size"), _ ("Share"));
  for (guint i = 0; i < evidence->len; i++)
    {
      const TsrEvidence *one = &g_array_index (evidence, TsrEvidence, i);
      g_autofree char *size = tsr_evidence_dup_size (one, units);
      g_autofree char *share = tsr_units_dup_percent (one->share, 1);

      g_string_append (out, "| ");
      append_escaped (out, one->name);
      g_string_append_printf (out, " | %s | %s |\n", size, share);
    }
}

char *
tsr_finding_dup_markdown (const TsrFinding *finding, const char *location, TsrUnits units)
{
  GString *out = g_string_new ("### ");
  g_autofree char *quoted = g_shell_quote (location);

  append_escaped (out, finding->title);
  g_string_append (out, "\n\n");
  append_escaped (out, finding->action);
  g_string_append (out, "\n\n");
  append_escaped (out, finding->text);
  g_string_append (out, "\n\n");
  append_size (out, tsr_finding_get_saving_title (finding, TRUE), finding->bytes_worst_tile, units);
  append_size (out, tsr_finding_get_saving_title (finding, FALSE), finding->bytes, units);
  if (finding->cycles != TSR_UNKNOWN)
    {
      g_autofree char *cycles = tsr_finding_dup_cycles (finding->cycles);

      g_string_append_printf (out, "- %s: %s\n", tsr_finding_get_cycles_title (finding), cycles);
    }
  append_evidence (out, finding->evidence, units);
  /* An indented block: nothing in it is markup, whatever the path is. */
  g_string_append (out, "\n    tessera-cli insights ");
  for (const char *p = quoted; *p != '\0'; p++)
    g_string_append_c (out, (guchar)*p < ' ' ? ' ' : *p);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}
