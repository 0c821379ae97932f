/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lifetimes in words: what a row's callout and the caption say, and the rows of the CSV. */

#include "config.h"

#include "tsr-lifetime-chart-private.h"

#include "tsr-category.h"
#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>

#define MAX_SPANS 6 /* of a callout */

/* "10–19, 30, 700–1,199 (2 more)". */
static void
append_spans (const TsrLifetimeRows *rows, guint32 row, GString *out)
{
  gsize n = rows->start[row + 1] - rows->start[row];

  for (gsize i = 0; i < MIN (n, MAX_SPANS); i++)
    {
      gsize at = rows->start[row] + i;
      g_autofree char *from = tsr_units_dup_count (rows->from[at]);
      g_autofree char *last = tsr_units_dup_count (rows->to[at] - 1);

      g_string_append (out, i > 0 ? ", " : " ");
      g_string_append (out, from);
      if (rows->to[at] - 1 > rows->from[at])
        g_string_append_printf (out, "–%s", last);
    }
  if (n > MAX_SPANS)
    {
      g_autofree char *more = tsr_units_dup_count (n - MAX_SPANS);

      g_string_append_printf (
          out, g_dngettext (GETTEXT_PACKAGE, " (%s more)", " (%s more)", n - MAX_SPANS), more);
    }
}

char *
tsr_lifetime_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);
  g_autofree char *bytes = NULL;
  const char *category, *life;
  guint32 row;
  guint variable;
  GString *out;

  if (self->rows == NULL || datum >= self->rows->n)
    return NULL;
  row = tsr_lifetime_chart_row_of (self, datum);
  variable = self->rows->variable[row];
  out = g_string_new (tsr_variables_get_name (variables, variable));
  if (self->rows->bytes[row] != TSR_UNKNOWN)
    {
      bytes = tsr_units_dup_bytes_exact (self->rows->bytes[row]);
      g_string_append_printf (out, _ ("\nMost bytes at a step: %s"), bytes);
    }
  else
    g_string_append (out, _ ("\nBytes: not recorded"));
  g_string_append (out, _ ("\nLive at steps"));
  append_spans (self->rows, row, out);
  life = tsr_life_get_name (tsr_variables_get_life (variables, variable));
  g_string_append_printf (out, "\n%s", life != NULL ? life : _ ("Not known when it is live"));
  category = tsr_variables_get_category (variables, variable);
  if (category != NULL)
    g_string_append_printf (out, _ ("\nCategory: %s"), tsr_category_get_label (category));
  return g_string_free (out, FALSE);
}

char *
tsr_lifetime_chart_dup_caption (TsrChartModel *model)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  guint n = tsr_lifetime_chart_get_n_rows (self);
  g_autofree char *count = tsr_units_dup_count (n);
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "When %s variable is live", "When %s variables are live", n),
      count);

  if (self->rows == NULL)
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s, %s", text, self->rows->source_label);
}

/* A row for each interval of a row that is live in [from, to), in the order shown. */
void
tsr_lifetime_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);
  const char *head[] = { _ ("variable"), _ ("most bytes at a step"), _ ("first step"),
                         _ ("last step"), _ ("category") };

  tsr_csv_append_row (out, G_N_ELEMENTS (head), head);
  for (guint place = 0; self->rows != NULL && place < self->rows->n; place++)
    {
      guint32 row = tsr_lifetime_chart_row_of (self, place);
      guint variable = self->rows->variable[row];
      const TsrLifetimeGroup *group = g_ptr_array_index (self->groups, self->group[row]);
      const char *category = tsr_variables_get_category (variables, variable);
      g_autofree char *bytes = self->rows->bytes[row] != TSR_UNKNOWN
                                   ? g_strdup_printf ("%" G_GINT64_FORMAT, self->rows->bytes[row])
                                   : g_strdup ("");

      for (gsize i = self->rows->start[row]; group->visible && i < self->rows->start[row + 1]; i++)
        {
          g_autofree char *first = g_strdup_printf ("%u", self->rows->from[i]);
          g_autofree char *last = g_strdup_printf ("%u", self->rows->to[i] - 1);
          const char *fields[] = { tsr_variables_get_name (variables, variable), bytes, first, last,
                                   category != NULL ? category : "" };

          if (self->rows->to[i] > from && self->rows->from[i] < to)
            tsr_csv_append_row (out, G_N_ELEMENTS (fields), fields);
        }
    }
}
