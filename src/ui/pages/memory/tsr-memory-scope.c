/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scope line of the Memory page: what its figures cover, each part the control that changes
 * it. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-memory-texts.h"
#include "tsr-popover.h"
#include "tsr-subject-parts.h"

#include <glib/gi18n.h>
#include <string.h>

static GtkLabel *
popover_label (GtkWidget *box)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkWidget *
new_popover (GtkWidget **box)
{
  GtkWidget *popover = gtk_popover_new ();

  *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  tsr_popover_set_child (GTK_POPOVER (popover), *box);
  gtk_widget_add_css_class (popover, "scope-popover");
  return popover;
}

/* As the spin button has it. */
static gint64
get_tiles_per_ipu (TsrMemoryPage *self)
{
  gint64 per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);

  return per_ipu != TSR_UNKNOWN ? per_ipu : tsr_memory_get_n_tiles (self->memory);
}

static void
on_tiles_per_ipu (GtkSpinButton *spin, TsrMemoryPage *self)
{
  int value = gtk_spin_button_get_value_as_int (spin);

  if (self->memory != NULL && value != get_tiles_per_ipu (self))
    tsr_session_set_tiles_per_ipu (tsr_memory_page_get_session (self), value);
}

static GtkWidget *
new_tiles_popover (TsrMemoryPage *self)
{
  GtkWidget *box, *label, *popover = new_popover (&box);

  self->tiles_text = popover_label (box);
  self->tiles_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  label = gtk_label_new_with_mnemonic (_ ("Tiles per _IPU"));
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  self->tiles_spin = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, G_MAXINT, 1));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), GTK_WIDGET (self->tiles_spin));
  gtk_box_append (GTK_BOX (self->tiles_row), label);
  gtk_box_append (GTK_BOX (self->tiles_row), GTK_WIDGET (self->tiles_spin));
  gtk_box_append (GTK_BOX (box), self->tiles_row);
  g_signal_connect (self->tiles_spin, "value-changed", G_CALLBACK (on_tiles_per_ipu), self);
  return popover;
}

void
tsr_memory_page_make_scope_line (TsrMemoryPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  GtkWidget *box, *popover = new_popover (&box);

  self->replica_text = popover_label (box);
  self->scope_replica = tsr_scope_line_add_popover (
      line, _ ("Per replica"), _ ("Figures are for one replica; click for what that is"), popover);
  self->scope_tiles = tsr_scope_line_add_popover (line, "", _ ("The tiles that the figures cover"),
                                                  new_tiles_popover (self));
  self->scope_gaps = tsr_scope_line_add_button (
      line, "", _ ("Switch between including and excluding gaps"), "memory.include-gaps");
  self->scope_step
      = tsr_scope_line_add_button (line, "", _ ("Back to the peak of each tile"), "memory.at-step");
  self->scope_peaks = tsr_scope_line_add_button (
      line, "", _ ("Read the variables of each tile now"), "memory.read-variables");
  self->scope_selection = tsr_scope_line_add_button (
      line, "", _ ("Type the tiles to select (Ctrl+T)"), "memory.edit-tiles");
  self->scope_clear = tsr_scope_line_add_button (
      line, _ ("clear"), _ ("Clear the selection (Escape in the chart)"), "memory.clear-selection");
  self->scope_subject = tsr_scope_line_add_button (
      line, "",
      _ ("Selected on another page: show its rows in the tables below, one after the other"),
      "memory.show-marked");
  tsr_scope_line_set_part_told (line, self->scope_step, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_selection, TRUE);
}

/* What the graph shows of the gaps is what is summed. */
static TsrMetric
get_metric (TsrMemoryPage *self)
{
  TsrMemoryGraph graph = tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH);
  const TsrMemoryValue *value
      = graph == TSR_MEMORY_GRAPH_TILE_MAP ? tsr_memory_page_get_value (self) : NULL;
  TsrMetric metric = tsr_memory_page_get (self, TSR_MEMORY_OPTION_INCLUDE_GAPS)
                             && graph == TSR_MEMORY_GRAPH_TOTAL
                         ? TSR_METRIC_INCLUDING_GAPS
                         : TSR_METRIC_EXCLUDING_GAPS;

  if (value != NULL && value->kind == TSR_MEMORY_VALUE_METRIC
      && value->index <= TSR_METRIC_EXCLUDING_GAPS)
    metric = value->index;
  return tsr_memory_is_known (self->memory, metric) ? metric
                                                    : tsr_memory_get_fullness_metric (self->memory);
}

/* Whether the scope line says if gaps are counted. */
static gboolean
tells_gaps (TsrMemoryPage *self)
{
  return !tsr_memory_is_from_archive (self->memory)
         && tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) == TSR_MEMORY_GRAPH_TOTAL;
}

static void
update_status (TsrMemoryPage *self)
{
  g_autofree char *text = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  text = tsr_memory_texts_selection (self->memory, get_metric (self), tells_gaps (self), tiles, n,
                                     tsr_session_get_units (tsr_memory_page_get_session (self)));
  tsr_page_set_status_right (TSR_PAGE (self), text);
}

/* What the tables below have rows of because it is selected on another page. */
static void
update_subject (TsrMemoryPage *self, TsrScopeLine *line)
{
  g_autofree char *name = NULL, *text = NULL, *brief = NULL;
  const char *slash;

  if (tsr_memory_page_is_marked (self, TSR_MEMORY_N_TABS))
    name = tsr_subject_parts_dup_name (tsr_memory_page_get_session (self));
  tsr_scope_line_set_part_visible (line, self->scope_subject, name != NULL);
  if (name == NULL)
    return;
  /* Translators: %s is an operation, a program or a step that is selected on another page */
  text = g_strdup_printf (_ ("marked: %s"), name);
  slash = strrchr (name, '/');
  if (slash != NULL && slash[1] != '\0')
    brief = g_strdup_printf (_ ("marked: %s"), slash + 1);
  tsr_scope_line_set_part_texts (line, self->scope_subject, text, brief);
}

void
tsr_memory_page_update_scope (TsrMemoryPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  TsrReport *report = tsr_session_get_report (tsr_memory_page_get_session (self));
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  g_autofree char *tiles_text = NULL, *replicas = NULL, *selection = NULL, *count = NULL,
                  *brief = NULL;
  TsrMemoryGraph graph = tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH);
  gboolean told;
  guint step, n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  if (self->memory == NULL || self->model == NULL || self->scope_replica == NULL)
    return;
  tiles_text = tsr_memory_texts_tiles (self->memory);
  replicas = tsr_memory_texts_replicas (summary, self->memory);
  selection = tsr_memory_texts_scope_selection (tiles, n);
  count = tsr_units_dup_count (tsr_memory_get_n_tiles (self->memory));
  brief = g_strdup_printf (
      g_dngettext (NULL, "%s tile", "%s tiles", tsr_memory_get_n_tiles (self->memory)), count);
  tsr_scope_line_set_part_texts (line, self->scope_tiles, tiles_text,
                                 tsr_memory_is_tiles_per_ipu_assumed (self->memory) ? NULL : brief);
  gtk_label_set_label (self->replica_text, replicas);
  tsr_page_update_replica_part (TSR_PAGE (self), self->scope_replica);
  tsr_scope_line_set_part_text (line, self->scope_gaps,
                                tsr_memory_page_get (self, TSR_MEMORY_OPTION_INCLUDE_GAPS)
                                    ? _ ("including gaps")
                                    : _ ("excluding gaps"));
  tsr_scope_line_set_part_visible (line, self->scope_gaps, tells_gaps (self));
  step = tsr_memory_chart_get_step (self->model);
  tsr_scope_line_set_part_visible (line, self->scope_step,
                                   step != TSR_NO_INDEX && graph != TSR_MEMORY_GRAPH_VARIABLES);
  if (step != TSR_NO_INDEX)
    {
      g_autofree char *number = tsr_units_dup_count (step);
      g_autofree char *words = g_strdup_printf (_ ("live at step %s"), number);

      tsr_scope_line_set_part_text (line, self->scope_step, words);
    }
  tsr_scope_line_set_part_visible (line, self->scope_peaks, tsr_memory_page_waits_for_peaks (self));
  tsr_scope_line_set_part_text (line, self->scope_peaks,
                                report != NULL && tsr_report_is_on_demand (report)
                                        && !self->has_peaks
                                    ? _ ("by category once variables are read")
                                    : _ ("by category soon: reading variables…"));
  tsr_scope_line_set_part_text (line, self->scope_selection, selection);
  tsr_scope_line_set_part_visible (line, self->scope_clear, n > 0);
  update_subject (self, line);

  told = tsr_memory_get_tiles_per_ipu (self->memory) != TSR_UNKNOWN
         && !tsr_memory_is_tiles_per_ipu_assumed (self->memory)
         && tsr_session_get_tiles_per_ipu (tsr_memory_page_get_session (self)) == 0;
  gtk_label_set_label (
      self->tiles_text,
      told ? _ ("Tiles of all IPUs of one replica, one after the other")
           : _ ("The report does not say how many tiles an IPU has.  Where IPUs are named, this "
                "number is assumed; change it if you know better."));
  gtk_widget_set_visible (self->tiles_row, !told);
  gtk_adjustment_configure (gtk_spin_button_get_adjustment (self->tiles_spin),
                            (double)get_tiles_per_ipu (self), 1,
                            tsr_memory_get_n_tiles (self->memory), 1, 10, 0);
  update_status (self);
}
