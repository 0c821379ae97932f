/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The liveness graph in words: what a step's callout and the caption say, and the rows of its CSV.
 */

#include "config.h"

#include "tsr-json-writer.h"
#include "tsr-liveness-chart-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gint64
get_total (TsrLivenessChart *self, guint step)
{
  gint64 bytes = self->series->not_always_live[step];

  return bytes != TSR_UNKNOWN && self->series->always_live != TSR_UNKNOWN
             ? tsr_add_saturating (bytes, self->series->always_live, NULL)
             : TSR_UNKNOWN;
}

static void
append_value (GString *out, const char *name, gint64 value, gint64 whole)
{
  g_autofree char *exact = NULL;

  if (value == TSR_UNKNOWN)
    {
      g_string_append_printf (out, _ ("\n%s: not recorded"), name);
      return;
    }
  exact = tsr_units_dup_bytes_exact (value);
  g_string_append_printf (out, "\n%s: %s", name, exact);
  if (whole != TSR_UNKNOWN && whole > 0)
    {
      g_autofree char *percent = tsr_units_dup_percent ((double)value / whole, 1);

      g_string_append_printf (out, " (%s)", percent);
    }
}

/* "Step 1,234 (A, peak 2)". */
static void
append_heading (TsrLivenessChart *self, GString *out, guint step)
{
  g_autofree char *number = tsr_units_dup_count (step);
  const guint *steps = NULL;
  guint n = 0;
  const char *before = " (";

  g_string_append_printf (out, _ ("Step %s"), number);
  if (self->selection != NULL)
    steps = tsr_step_selection_peek (self->selection, &n);
  for (guint i = 0; i < n; i++)
    if (steps[i] == step)
      {
        g_string_append_printf (out, "%s%c", before, 'A' + (int)i);
        before = ", ";
      }
  for (guint i = 0; self->peaks != NULL && i < MIN (self->peaks->len, 9); i++)
    if (g_array_index (self->peaks, TsrPeak, i).step == step)
      {
        g_string_append (out, before);
        g_string_append_printf (out, _ ("peak %u"), i + 1);
        before = ", ";
      }
  if (*before == ',')
    g_string_append_c (out, ')');
}

static void
append_program (TsrLivenessChart *self, GString *out, guint step)
{
  const char *name = tsr_liveness_get_step_name (self->liveness, step);
  const char *type = tsr_liveness_get_step_type (self->liveness, step);

  if (name != NULL && *name == '\0')
    name = NULL;
  if (type != NULL && *type == '\0')
    type = NULL;
  if (name != NULL && type != NULL)
    g_string_append_printf (out, "\n%s (%s)", name, type);
  else if (name != NULL || type != NULL)
    g_string_append_printf (out, "\n%s", name != NULL ? name : type);
}

/* What differs from A, when A is another step. */
static void
append_difference (TsrLivenessChart *self, GString *out, guint step)
{
  guint n = 0;
  const guint *steps
      = self->selection != NULL ? tsr_step_selection_peek (self->selection, &n) : NULL;
  const gint64 *bytes = self->series->not_always_live;
  g_autofree char *text = NULL;

  if (n == 0 || steps[0] == step || steps[0] >= self->n || bytes[step] == TSR_UNKNOWN
      || bytes[steps[0]] == TSR_UNKNOWN)
    return;
  text = tsr_units_dup_bytes_signed (self->options.units, bytes[step] - bytes[steps[0]]);
  g_string_append_printf (out, _ ("\nDifference from A: %s"), text);
}

static void
append_lines (TsrLivenessChart *self, GString *out, guint step)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (!entry->visible)
        continue;
      if (entry->kind == TSR_LIVENESS_SERIES_TILES)
        append_value (out, entry->name, tsr_liveness_chart_get_tiles (self, step), TSR_UNKNOWN);
      else if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (self->lifetimes, entry->lifetime);

          if (tsr_lifetime_line_is_live (lifetime->line, step, step + 1))
            append_value (out, entry->name,
                          tsr_lifetime_line_get_largest (lifetime->line, step, step + 1),
                          TSR_UNKNOWN);
          else
            g_string_append_printf (out, _ ("\n%s: not live"), entry->name);
        }
    }
}

char *
tsr_liveness_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  GString *out;
  gint64 total;

  if (self->series == NULL || datum >= self->n)
    return NULL;
  out = g_string_new (NULL);
  total = get_total (self, datum);
  append_heading (self, out, datum);
  append_program (self, out, datum);
  append_value (out, _ ("Not always live"), self->series->not_always_live[datum], TSR_UNKNOWN);
  append_value (out, _ ("Always live"), self->series->always_live, TSR_UNKNOWN);
  append_value (out, _ ("Total"), total, self->series->capacity);
  if (self->series->capacity != TSR_UNKNOWN)
    {
      append_value (out, _ ("Max memory"), self->series->capacity, TSR_UNKNOWN);
      if (total != TSR_UNKNOWN && total > self->series->capacity)
        append_value (out, _ ("Does not fit"), total - self->series->capacity, TSR_UNKNOWN);
    }
  append_difference (self, out, datum);
  append_lines (self, out, datum);
  return g_string_free (out, FALSE);
}

char *
tsr_liveness_chart_dup_caption (TsrChartModel *model)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autofree char *count = tsr_units_dup_count (self->n);
  g_autofree char *text
      = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Memory live at %s program step",
                                      "Memory live at %s program steps", self->n),
                         count);

  if (self->source_label == NULL || *self->source_label == '\0')
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s, %s", text, self->source_label);
}

/* -------------------------------------------------------------------- CSV */

static void
add_number (GPtrArray *fields, gint64 value)
{
  g_ptr_array_add (fields, value != TSR_UNKNOWN ? g_strdup_printf ("%" G_GINT64_FORMAT, value)
                                                : g_strdup (""));
}

static void
add_text (GPtrArray *fields, const char *text)
{
  g_ptr_array_add (fields, g_strdup (text != NULL ? text : ""));
}

static void
append_csv_row (GPtrArray *fields, GString *out)
{
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  g_ptr_array_set_size (fields, 0);
}

static gint64
get_value (TsrLivenessChart *self, const TsrLivenessEntry *entry, guint step)
{
  switch (entry->kind)
    {
    case TSR_LIVENESS_SERIES_NOT_ALWAYS:
      return self->series->not_always_live[step];
    case TSR_LIVENESS_SERIES_ALWAYS:
      return self->series->always_live;
    case TSR_LIVENESS_SERIES_MAX:
      return self->level;
    case TSR_LIVENESS_SERIES_EXCESS:
      return self->excess[step];
    case TSR_LIVENESS_SERIES_TILES:
      return tsr_liveness_chart_get_tiles (self, step);
    case TSR_LIVENESS_SERIES_VARIABLE:
    default:
      return tsr_lifetime_line_get_largest (
          ((TsrLivenessLifetime *)g_ptr_array_index (self->lifetimes, entry->lifetime))->line, step,
          step + 1);
    }
}

void
tsr_liveness_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  guint first = (guint)CLAMP (floor (from), 0, (double)self->n);
  guint end = (guint)CLAMP (ceil (to), 0, (double)self->n);

  add_text (fields, _ ("step"));
  add_text (fields, _ ("program"));
  add_text (fields, _ ("type"));
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->visible)
        g_ptr_array_add (fields, g_strdup_printf (_ ("%s (bytes)"), entry->name));
    }
  append_csv_row (fields, out);

  for (guint step = first; self->series != NULL && step < end; step++)
    {
      add_number (fields, step);
      add_text (fields, tsr_liveness_get_step_name (self->liveness, step));
      add_text (fields, tsr_liveness_get_step_type (self->liveness, step));
      for (guint i = 0; i < self->entries->len; i++)
        {
          const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

          if (entry->visible)
            add_number (fields, get_value (self, entry, step));
        }
      append_csv_row (fields, out);
    }
}
