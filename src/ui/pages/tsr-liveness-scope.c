/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scope line of the Liveness page, each part the control that changes it, and what stands in
 * the status strip. */

#include "config.h"

#include "tsr-liveness-page-private.h"

#include "tsr-memory-words.h"
#include "tsr-popover.h"

#include <glib/gi18n.h>
#include <string.h>

#define MANY 40 /* characters */

static GtkWidget *
new_replica_popover (TsrLivenessPage *self)
{
  GtkWidget *popover = gtk_popover_new (), *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  tsr_popover_set_child (GTK_POPOVER (popover), label);
  gtk_widget_add_css_class (popover, "scope-popover");
  self->replica_text = GTK_LABEL (label);
  return popover;
}

static void
make_scope_line (TsrLivenessPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));

  self->scope_replica = tsr_scope_line_add_popover (
      line, _ ("Per replica"), _ ("Figures are for one replica; click for what that is"),
      new_replica_popover (self));
  self->scope_source = tsr_scope_line_add_button (line, "", _ ("Whose memory is shown (Ctrl+T)"),
                                                  "liveness.edit-source");
  self->scope_always = tsr_scope_line_add_button (
      line, "", _ ("Switch between including and leaving out what is always live"),
      "liveness.include-always-live");
  tsr_scope_line_add_text (line, _ ("live bytes, no gaps"),
                           _ ("Sizes of the variables that are live.  What two variables share is "
                              "counted for each; gaps and packing are not counted, so a tile may "
                              "need more than its liveness tells."));
  self->scope_steps = tsr_scope_line_add_text (line, "", NULL);
  self->scope_selection
      = tsr_scope_line_add_text (line, "", _ ("Click in the graph; Shift-click adds steps"));
  self->scope_clear = tsr_scope_line_add_button (line, _ ("clear"),
                                                 _ ("Clear the selection (Escape in the chart)"),
                                                 "liveness.clear-selection");
}

static char *
dup_selection (const guint *steps, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (n == 0)
    return g_strdup (_ ("no selection"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *count = tsr_units_dup_count (steps[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", count);
    }
  return g_strdup_printf (g_dngettext (NULL, "selection: step %s", "selection: steps %s", n),
                          text->str);
}

/* Which tiles, as long as they can be told in a few words. */
static char *
dup_source (TsrMemory *memory, const TsrLivenessSource *source)
{
  g_autofree char *tiles = NULL;

  if (source->kind == TSR_LIVENESS_TILES && source->n_tiles > 1)
    tiles = tsr_memory_format_tiles (source->tiles, source->n_tiles);
  if (tiles != NULL && strlen (tiles) <= MANY)
    return g_strdup_printf (_ ("tiles %s"), tiles);
  return tsr_liveness_source_dup_label (memory, source);
}

void
tsr_liveness_page_update_scope (TsrLivenessPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  TsrReport *report = tsr_session_get_report (tsr_liveness_page_get_session (self));
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  g_autofree char *replicas = NULL, *source = NULL, *count = NULL, *n_steps = NULL,
                  *selection = NULL;
  TsrMemory *memory;
  guint n, total;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.clear-selection", n > 0);
  if (self->liveness == NULL)
    return;
  if (self->scope_replica == NULL)
    make_scope_line (self);
  memory = tsr_liveness_get_memory (self->liveness);
  replicas = tsr_memory_words_replicas (summary, memory);
  gtk_label_set_label (self->replica_text, replicas);
  source = dup_source (memory, &self->source);
  tsr_scope_line_set_part_text (line, self->scope_source, source);
  tsr_scope_line_set_part_text (
      line, self->scope_always,
      tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE)
          ? _ ("with always-live")
          : _ ("without always-live"));
  total = tsr_liveness_get_n_steps (self->liveness);
  count = tsr_units_dup_count (total);
  n_steps = g_strdup_printf (g_dngettext (NULL, "%s step", "%s steps", total), count);
  tsr_scope_line_set_part_text (line, self->scope_steps, n_steps);
  selection = dup_selection (steps, n);
  tsr_scope_line_set_part_text (line, self->scope_selection, selection);
  tsr_scope_line_set_part_visible (line, self->scope_clear, n > 0);
}

/* Bytes at @step as the graph shows them. */
static gint64
get_bytes (TsrLivenessPage *self, guint step)
{
  gint64 bytes, sum;

  if (self->series == NULL || step >= self->series->n_steps)
    return TSR_UNKNOWN;
  bytes = self->series->not_always_live[step];
  if (!tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE)
      || bytes == TSR_UNKNOWN)
    return bytes;
  if (self->series->always_live == TSR_UNKNOWN
      || __builtin_add_overflow (bytes, self->series->always_live, &sum))
    return TSR_UNKNOWN;
  return sum;
}

static void
append_exact (GString *out, gint64 bytes, const char *words)
{
  g_autofree char *text = tsr_units_dup_bytes_exact (bytes);

  g_string_append_printf (out, " · %s %s", text, words);
}

static char *
dup_step (TsrLivenessPage *self, guint step)
{
  g_autofree char *words = tsr_liveness_step_words (self->shown, step);
  GString *out = g_string_new (words);

  if (self->series == NULL || step >= self->series->n_steps)
    return g_string_free (out, FALSE);
  append_exact (out, self->series->not_always_live[step], _ ("not always live"));
  if (tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE))
    {
      gint64 bytes = get_bytes (self, step);

      append_exact (out, bytes, _ ("in all"));
      if (bytes != TSR_UNKNOWN && self->series->capacity != TSR_UNKNOWN
          && self->series->capacity > 0)
        {
          g_autofree char *percent
              = tsr_units_dup_percent ((double)bytes / self->series->capacity, 2);

          g_string_append (out, " · ");
          g_string_append_printf (out, _ ("%s of the memory"), percent);
        }
    }
  return g_string_free (out, FALSE);
}

void
tsr_liveness_page_update_status_left (TsrLivenessPage *self)
{
  guint32 step = tsr_plane_get_hover (TSR_PLANE (self->chart));
  g_autofree char *text = tsr_plane_dup_line (TSR_PLANE (self->lifetimes));

  if (step == TSR_NO_DATUM && gtk_widget_has_focus (GTK_WIDGET (self->chart)))
    step = tsr_plane_get_cursor (TSR_PLANE (self->chart));
  if (self->shown != NULL && step < tsr_liveness_get_n_steps (self->shown))
    {
      g_free (text);
      text = dup_step (self, step);
    }
  tsr_page_set_status_left (TSR_PAGE (self), text);
}

static char *
dup_peak (TsrLivenessPage *self, TsrUnits units)
{
  const TsrLivenessSeries *series = self->series;
  g_autofree char *bytes = NULL, *step = NULL, *percent = NULL;
  gint64 peak;

  if (series == NULL || series->peak_step == TSR_NO_INDEX)
    return NULL;
  peak = get_bytes (self, series->peak_step);
  bytes = tsr_units_dup_bytes (units, peak);
  step = tsr_units_dup_count (series->peak_step);
  if (!tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE) || peak == TSR_UNKNOWN
      || series->capacity == TSR_UNKNOWN || series->capacity <= 0)
    return g_strdup_printf (_ ("Peak: %s at step %s"), bytes, step);
  percent = tsr_units_dup_percent ((double)peak / series->capacity, 1);
  return g_strdup_printf (_ ("Peak: %s at step %s, %s of the memory"), bytes, step, percent);
}

void
tsr_liveness_page_update_status_right (TsrLivenessPage *self)
{
  TsrUnits units = tsr_session_get_units (tsr_liveness_page_get_session (self));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *peak = NULL;
  guint n;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  for (guint i = 0; i < n; i++)
    {
      gint64 bytes = get_bytes (self, steps[i]), first = get_bytes (self, steps[0]), difference;
      g_autofree char *title = tsr_liveness_step_title (i, steps[i]);
      g_autofree char *size = tsr_units_dup_bytes (units, bytes);

      g_string_append_printf (text, "%s%s, %s", i > 0 ? " · " : "", title, size);
      if (i > 0 && bytes != TSR_UNKNOWN && first != TSR_UNKNOWN
          && !__builtin_sub_overflow (bytes, first, &difference))
        {
          g_autofree char *signed_text = tsr_units_dup_bytes_signed (units, difference);

          g_string_append_printf (text, " (%s)", signed_text);
        }
    }
  if (n == 0)
    {
      peak = dup_peak (self, units);
      g_string_append (text, peak != NULL ? peak : "");
    }
  tsr_page_set_status_right (TSR_PAGE (self), text->len > 0 ? text->str : NULL);
}
