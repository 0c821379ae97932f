/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The blocks of the Details tab. */

#include "config.h"

#include "tsr-trace-step-list.h"

#include "tsr-canvas.h"
#include "tsr-chart.h"
#include "tsr-flip-layout.h"
#include "tsr-link.h"
#include "tsr-page.h"
#include "tsr-rows-print.h"
#include "tsr-save-dialog.h"
#include "tsr-tile-cycles-chart.h"
#include "tsr-notice.h"
#include "tsr-trace-chart.h"
#include "tsr-trace-rows.h"
#include "tsr-trace-tile-view.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_CHARTS  8   /* blocks that have a graph */
#define WIDE         640 /* from here on facts and graph stand side by side */
#define CHART_WIDTH  280
#define CHART_HEIGHT 190 /* beside the facts it is as high as they are */
#define BAR_WIDTH    4
#define INK_KEY      "tsr-ink"
#define FIRST_KEY    "tsr-first-tile"
#define WORDS_KEY    "tsr-words"

struct _TsrTraceStepList
{
  GtkWidget parent_instance;

  GtkWidget *scroller, *box;
  TsrSession *session;
  TsrViewState *options;
  guint by_cycles;   /* the option */
  GPtrArray *models; /* TsrTileCyclesChart, of the graphs */
  GString *text;
  TsrRows *rows; /* (nullable): all facts */
};

G_DEFINE_FINAL_TYPE (TsrTraceStepList, tsr_trace_step_list, GTK_TYPE_WIDGET)

/* Facts */

static void
layout_bar (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  tsr_draw_list_rect (list, GPOINTER_TO_UINT (g_object_get_data (data, INK_KEY)), 0, 0,
                      geometry->width, geometry->height);
}

static void
on_link (GtkWidget *button)
{
  g_autoptr (GHashTable) words
      = tsr_view_words_parse (g_object_get_data (G_OBJECT (button), WORDS_KEY));

  if (words != NULL)
    tsr_page_go (button, words);
}

static void
on_copy_fact (TsrTraceStepList *self, GtkWidget *button)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (button),
                          g_object_get_data (G_OBJECT (button), WORDS_KEY));
  tsr_notice_show (GTK_WIDGET (self), _ ("It is on the clipboard"));
}

/* Stands behind @value. */
static GtkWidget *
add_copy_button (TsrTraceStepList *self, GtkWidget *value, const TsrTraceFact *fact)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_set_hexpand (value, FALSE);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "fact-button");
  gtk_widget_set_tooltip_text (button, _ ("Copy"));
  g_object_set_data_full (G_OBJECT (button), WORDS_KEY, g_strdup (fact->value), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_copy_fact), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), value);
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

static GtkWidget *
new_value (TsrTraceStepList *self, const TsrTraceFact *fact)
{
  GtkWidget *value;

  if (fact->words != NULL)
    {
      value = gtk_button_new_with_label (fact->value);
      gtk_widget_add_css_class (value, "flat");
      gtk_widget_add_css_class (value, "fact-link");
      gtk_widget_set_halign (value, GTK_ALIGN_START);
      gtk_widget_set_tooltip_text (value, _ ("Show it in its view"));
      g_object_set_data_full (G_OBJECT (value), WORDS_KEY, g_strdup (fact->words), g_free);
      g_signal_connect (value, "clicked", G_CALLBACK (on_link), NULL);
      return value;
    }
  value = gtk_label_new (fact->value);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_widget_add_css_class (value, "numeric");
  return fact->is_copied ? add_copy_button (self, value, fact) : value;
}

static GtkWidget *
new_facts (TsrTraceStepList *self, const TsrTraceStepFacts *facts)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_widget_set_valign (grid, GTK_ALIGN_START);
  for (guint i = 0; i < facts->facts->len; i++)
    {
      const TsrTraceFact *fact = g_ptr_array_index (facts->facts, i);
      GtkWidget *label = gtk_label_new (fact->label);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_yalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_grid_attach (GTK_GRID (grid), label, 0, (int)i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), new_value (self, fact), 1, (int)i, 1, 1);
      g_string_append_printf (self->text, "%s\t%s\n", fact->label, fact->value);
    }
  return grid;
}

/* Graph */

static void
on_chart_select (
    TsrChart *chart, double from, double to, TsrSelectMode mode, TsrTraceStepList *self)
{
  guint first = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chart), FIRST_KEY));
  g_autoptr (GArray) tiles = mode != TSR_SELECT_CLEAR
                                 ? tsr_chart_dup_data (chart, from, to)
                                 : g_array_new (FALSE, FALSE, sizeof (guint32));

  tsr_trace_select_tiles (self->session, first, (const guint32 *)(gpointer)tiles->data, tiles->len,
                          mode);
}

static void
show_order (TsrTraceStepList *self, TsrTileCyclesChart *model)
{
  tsr_tile_cycles_chart_set_order (model, tsr_view_state_get (self->options, self->by_cycles)
                                              ? TSR_TILE_CYCLES_BY_CYCLES
                                              : TSR_TILE_CYCLES_BY_TILE);
}

static void
on_options (TsrTraceStepList *self)
{
  for (guint i = 0; i < self->models->len; i++)
    show_order (self, g_ptr_array_index (self->models, i));
}

static GtkWidget *
new_chart (TsrTraceStepList *self, const TsrTrace *trace, const TsrTraceStepFacts *facts)
{
  TsrChart *chart = tsr_chart_new ();
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();
  g_autofree gint64 *values = g_new (gint64, facts->cycles->n + 1);
  g_autofree char *caption = g_strdup_printf (_ ("Cycles of each tile in %s"), facts->heading);
  guint first = tsr_trace_get_first_tile (trace, facts->ref.ipu);
  TsrTileCyclesChart *model = tsr_tile_cycles_chart_new (facts->cycles->n, caption);

  for (guint i = 0; i < facts->cycles->n; i++)
    values[i] = facts->cycles->cycles[i];
  tsr_tile_cycles_chart_add_series (
      model, "cycles", _ ("Active"),
      tsr_trace_get_ink (tsr_trace_get_type (trace, facts->slice.type)), values, FALSE, TRUE);
  show_order (self, model);
  if (first != TSR_NO_INDEX)
    tsr_tile_cycles_chart_set_selection (model, tsr_session_get_selection (self->session), first);
  tsr_chart_set_viewport (chart, viewport);
  tsr_plane_set_model (TSR_PLANE (chart), TSR_CHART_MODEL (model));
  tsr_plane_set_file_name (TSR_PLANE (chart), "trace-step");
  g_object_set_data (G_OBJECT (chart), FIRST_KEY, GUINT_TO_POINTER (first));
  gtk_widget_set_size_request (GTK_WIDGET (chart), CHART_WIDTH, -1);
  tsr_plane_set_natural_height (TSR_PLANE (chart), CHART_HEIGHT);
  gtk_widget_set_hexpand (GTK_WIDGET (chart), TRUE);
  g_signal_connect_object (chart, "select", G_CALLBACK (on_chart_select), self, 0);
  g_ptr_array_add (self->models, model);
  return GTK_WIDGET (chart);
}

/* Blocks */

static GtkWidget *
new_order_button (TsrTraceStepList *self)
{
  GtkWidget *button = gtk_toggle_button_new ();
  const char *label = _ ("Order the tiles by cycles");

  gtk_button_set_icon_name (GTK_BUTTON (button), "view-sort-descending-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "step-order");
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  tsr_view_state_bind (self->options, self->by_cycles, button, "active");
  return button;
}

static GtkWidget *
new_heading (TsrTraceStepList *self, const TsrTrace *trace, const TsrTraceStepFacts *facts)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *heading = gtk_label_new (facts->heading);
  g_autofree char *step = g_strdup_printf ("%" G_GINT64_FORMAT, facts->ref.step_id);
  g_autofree char *where = NULL;
  GtkWidget *place;

  if (facts->slice.run < tsr_trace_get_n_runs (trace)
      && tsr_trace_get_run (trace, facts->slice.run)->name != NULL)
    where = g_strdup_printf (_ ("step %s · %s · %s"), step, facts->ipu_name,
                             tsr_trace_get_run (trace, facts->slice.run)->name);
  else
    where = g_strdup_printf (_ ("step %s · %s"), step, facts->ipu_name);
  place = gtk_label_new (where);
  gtk_widget_add_css_class (heading, "heading");
  gtk_widget_add_css_class (place, "dim-label");
  gtk_label_set_selectable (GTK_LABEL (heading), TRUE);
  gtk_label_set_wrap (GTK_LABEL (heading), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (heading), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (place), 1);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), place);
  if (facts->cycles != NULL && self->models->len < MOST_CHARTS)
    gtk_box_append (GTK_BOX (box), new_order_button (self));
  g_string_append_printf (self->text, "%s%s\n%s\n", self->text->len > 0 ? "\n" : "", facts->heading,
                          where);
  return box;
}

static GtkWidget *
new_block (TsrTraceStepList *self, const TsrTrace *trace, const TsrTraceStepFacts *facts)
{
  GtkWidget *block = gtk_grid_new ();
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *facts_widget;
  guint ink = tsr_trace_get_ink (tsr_trace_get_type (trace, facts->slice.type));
  GtkWidget *bar;

  bar = GTK_WIDGET (tsr_canvas_new (layout_bar, block));
  g_object_set_data (G_OBJECT (block), INK_KEY, GUINT_TO_POINTER (ink));
  gtk_widget_set_size_request (bar, BAR_WIDTH, -1);
  gtk_grid_set_column_spacing (GTK_GRID (block), 12);
  gtk_grid_attach (GTK_GRID (block), bar, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (block), column, 1, 0, 1, 1);
  gtk_widget_set_hexpand (column, TRUE);
  gtk_box_append (GTK_BOX (column), new_heading (self, trace, facts));
  gtk_box_append (GTK_BOX (column), columns);
  gtk_widget_set_layout_manager (columns, tsr_flip_layout_new (WIDE, 0, TRUE, 18));
  facts_widget = new_facts (self, facts);
  gtk_box_append (GTK_BOX (columns), facts_widget);
  if (facts->cycles != NULL && self->models->len < MOST_CHARTS)
    gtk_box_append (GTK_BOX (columns), new_chart (self, trace, facts));
  gtk_widget_add_css_class (block, "trace-step");
  return block;
}

static void
add_words (TsrTraceStepList *self, const TsrTableAnswer *answer)
{
  const char *const words[] = { answer->title, answer->text };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i] != NULL)
      {
        GtkWidget *label = gtk_label_new (words[i]);

        gtk_widget_add_css_class (label, i == 0 ? "heading" : "dim-label");
        gtk_label_set_wrap (GTK_LABEL (label), TRUE);
        gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
        if (i == 0)
          gtk_widget_set_margin_top (label, 18);
        gtk_box_append (GTK_BOX (self->box), label);
      }
}

void
tsr_trace_step_list_set_answer (TsrTraceStepList *self, const TsrTableAnswer *answer)
{
  const TsrTraceAnswer *trace = answer != NULL ? answer->trace : NULL;
  GtkWidget *child;

  g_return_if_fail (TSR_IS_TRACE_STEP_LIST (self));
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  g_ptr_array_set_size (self->models, 0);
  g_string_truncate (self->text, 0);
  g_clear_pointer (&self->rows, tsr_rows_unref);
  if (answer == NULL)
    return;
  if (answer->rows != NULL)
    self->rows = tsr_rows_ref (answer->rows);
  add_words (self, answer);
  for (guint i = 0; trace != NULL && trace->steps != NULL && i < trace->steps->len; i++)
    gtk_box_append (GTK_BOX (self->box),
                    new_block (self, trace->trace, g_ptr_array_index (trace->steps, i)));
}

char *
tsr_trace_step_list_dup_text (TsrTraceStepList *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STEP_LIST (self), NULL);
  return g_strdup (self->text->str);
}

/* Copy and save: few steps can be selected, so that this needs no worker. */

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrTraceStepList *self = TSR_TRACE_STEP_LIST (widget);
  g_autofree char *csv = NULL;

  if (self->rows == NULL)
    {
      tsr_notice_show (GTK_WIDGET (self), _ ("No Step Is Selected"));
      return;
    }
  csv = tsr_rows_dup_csv (self->rows, NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), csv);
  tsr_notice_show (GTK_WIDGET (self), _ ("The whole table is on the clipboard as CSV"));
}

static void
save_to_file (TsrTraceStepList *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;

  if (self->rows == NULL)
    return;
  csv = tsr_rows_dup_csv (self->rows, NULL);
  g_file_replace_contents (file, csv, strlen (csv), NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION,
                           NULL, NULL, &error);
  tsr_notice_show (GTK_WIDGET (self), error != NULL ? error->message : _ ("The table is saved"));
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrTraceStepList *self = TSR_TRACE_STEP_LIST (widget);

  if (self->rows != NULL)
    tsr_save_dialog_show (widget, "trace-details", (TsrSaveFunc)save_to_file, G_OBJECT (self));
  else
    tsr_notice_show (GTK_WIDGET (self), _ ("No Step Is Selected"));
}

/* Object */

static void
tsr_trace_step_list_dispose (GObject *object)
{
  TsrTraceStepList *self = TSR_TRACE_STEP_LIST (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_step_list_parent_class)->dispose (object);
}

static void
tsr_trace_step_list_finalize (GObject *object)
{
  TsrTraceStepList *self = TSR_TRACE_STEP_LIST (object);

  g_ptr_array_unref (self->models);
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->rows, tsr_rows_unref);
  G_OBJECT_CLASS (tsr_trace_step_list_parent_class)->finalize (object);
}

static void
tsr_trace_step_list_class_init (TsrTraceStepListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = tsr_trace_step_list_dispose;
  object_class->finalize = tsr_trace_step_list_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "rows.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "rows.copy-all", NULL, copy);
  gtk_widget_class_install_action (widget_class, "rows.save", NULL, save);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "rows.copy",
                                       NULL);
}

static void
tsr_trace_step_list_init (TsrTraceStepList *self)
{
  self->models = g_ptr_array_new_with_free_func (g_object_unref);
  self->text = g_string_new (NULL);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_widget_set_focusable (self->scroller, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scroller), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The selected steps"), -1);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_add_css_class (self->box, "trace-steps");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

TsrTraceStepList *
tsr_trace_step_list_new (TsrSession *session, TsrViewState *options, guint by_cycles)
{
  TsrTraceStepList *self = g_object_new (TSR_TYPE_TRACE_STEP_LIST, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (options);
  self->by_cycles = by_cycles;
  g_signal_connect_object (options, "changed", G_CALLBACK (on_options), self, G_CONNECT_SWAPPED);
  return self;
}
