/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Summary page.  Cards are built once for each report and only their texts change afterwards,
 * so that nothing moves when the memory arrives. */

#include "config.h"

#include "tsr-summary-page.h"

#include "tsr-canvas.h"
#include "tsr-columns-layout.h"
#include "tsr-flip-layout.h"
#include "tsr-insight-charts.h"
#include "tsr-latest.h"
#include "tsr-scroll.h"
#include "tsr-summary-rows.h"
#include "tsr-table-asker.h"
#include "tsr-value-rows.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

/* From this width on the options stand beside the cards. */
#define WIDE        1500
#define CARDS_SHARE 0.6
/* Two cards in a row at 1280 pixels, four where there is most room. */
#define CARD_WIDTH  480
#define MAX_COLUMNS 4
#define BAR_HEIGHT  12
#define FULL        10000 /* a tile, in the bar of the fullest one */
#define MOST_SHARE  1000
/* Up to this many options all levels are open at first. */
#define FEW_OPTIONS 200
/* So much JSON is open at first, and two files stand side by side where each has this width. */
#define FEW_VALUES 60
#define JSON_WIDTH 640

struct _TsrSummaryPage
{
  TsrPage parent_instance;

  GtkWidget *scrolled;
  GtkWidget *verdict_card;
  GtkImage *verdict_icon;
  GtkLabel *verdict_title, *verdict_text;
  GtkWidget *fullest_button, *peak_button, *findings_button;
  GtkWidget *fullest_box;
  TsrCanvas *fullest_bar;
  double fullest_share; /* of its memory; NaN */
  GtkWidget *columns, *cards, *foot;
  GtkExpander *options_section, *framework_section, *app_section;
  GtkWidget *options_controls, *options_box;
  GtkEditable *options_filter;
  GtkCheckButton *options_recording;
  GtkLabel *options_count, *options_empty;
  TsrRowView *options_tree;

  GtkWidget *metric_part; /* of the scope line */
  GPtrArray *values;      /* GtkWidget: the value of each row of each card, in their order */
  GPtrArray *sections;    /* TsrSummarySection, as shown */
  TsrReport *built_for;
  gint64 fullest_tile;
  gboolean updating; /* the cards: what is shown in them is not what the user asks for */
};

G_DEFINE_FINAL_TYPE (TsrSummaryPage, tsr_summary_page, TSR_TYPE_PAGE)

#define ID_KEY "tsr-section-id"

static TsrSession *
get_session (TsrSummaryPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

/* ---------------------------------------------------------------- sections */

static void
on_expanded (GtkExpander *expander, GParamSpec *pspec, TsrSummaryPage *self)
{
  const char *id = g_object_get_data (G_OBJECT (expander), ID_KEY);

  if (get_session (self) != NULL)
    tsr_settings_set_word (tsr_session_get_settings (get_session (self)), "collapsed-sections", id,
                           !gtk_expander_get_expanded (expander));
}

/* Unless the user has folded it. */
static void
unfold (TsrSummaryPage *self, GtkExpander *expander)
{
  TsrSettings *settings = tsr_session_get_settings (get_session (self));
  const char *id = g_object_get_data (G_OBJECT (expander), ID_KEY);

  gtk_expander_set_expanded (expander, !tsr_settings_has_word (settings, "collapsed-sections", id));
}

/* Makes a section remember that it is folded; @unfolded: it is open at first. */
static void
init_section (TsrSummaryPage *self, GtkExpander *expander, const char *id, gboolean unfolded)
{
  g_object_set_data (G_OBJECT (expander), ID_KEY, (gpointer)id);
  if (unfolded)
    unfold (self, expander);
  g_signal_connect (expander, "notify::expanded", G_CALLBACK (on_expanded), self);
}

/* ---------------------------------------------------------------- cards */

static void
on_tiles_per_ipu_changed (GtkSpinButton *spin, TsrSummaryPage *self)
{
  if (!self->updating)
    tsr_session_set_tiles_per_ipu (get_session (self), gtk_spin_button_get_value_as_int (spin));
}

static const struct
{
  const char *icon, *css; /* NULL: the row is no file's */
} marks[] = {
  [TSR_ROW_FILE] = { "object-select-symbolic", "success" },
  [TSR_ROW_DOUBTFUL_FILE] = { "dialog-warning-symbolic", "warning" },
  [TSR_ROW_NO_FILE] = { "dialog-question-symbolic", "dim-label" },
  [TSR_ROW_NOTE] = { NULL, NULL },
};

static GtkWidget *
new_value_label (const TsrSummaryRow *row)
{
  GtkWidget *label = gtk_label_new (NULL);

  /* Beside its name, however wide the card is. */
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* Of a file it is a sentence: where it was found, what it lacks. */
  if (marks[row->kind].icon != NULL)
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  else
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "numeric");
  if (row->kind == TSR_ROW_NO_FILE)
    gtk_widget_add_css_class (label, "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  row->label, -1);
  return label;
}

static GtkWidget *
new_tiles_control (TsrSummaryPage *self, const TsrSummaryRow *row)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (1, TSR_MAX_TILES, 1);

  gtk_widget_set_halign (spin, GTK_ALIGN_START);
  gtk_widget_add_css_class (spin, "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, row->label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, row->tooltip, -1);
  g_signal_connect (spin, "value-changed", G_CALLBACK (on_tiles_per_ipu_changed), self);
  return spin;
}

static GtkWidget *
new_row_label (const TsrSummaryRow *row)
{
  g_autofree char *assumed = row->kind == TSR_ROW_TILES_PER_IPU
                                 ? g_strdup_printf (_ ("%s (assumed)"), row->label)
                                 : NULL;
  GtkWidget *label = gtk_label_new (assumed != NULL ? assumed : row->label);
  GtkWidget *box;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  if (marks[row->kind].icon == NULL)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      return label;
    }
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_valign (box, GTK_ALIGN_START); /* beside the first line */
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (marks[row->kind].icon));
  gtk_widget_add_css_class (gtk_widget_get_first_child (box), marks[row->kind].css);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
add_row (TsrSummaryPage *self, GtkGrid *grid, const TsrSummaryRow *row, int y)
{
  GtkWidget *label, *value;

  if (row->kind == TSR_ROW_NOTE)
    {
      label = gtk_label_new (NULL);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_widget_set_margin_top (label, 6);
      gtk_grid_attach (grid, label, 0, y, 2, 1);
      g_ptr_array_add (self->values, label);
      return;
    }
  label = new_row_label (row);
  value
      = row->kind == TSR_ROW_TILES_PER_IPU ? new_tiles_control (self, row) : new_value_label (row);
  gtk_widget_set_margin_top (label, row->space_above && y > 0 ? 6 : 0);
  gtk_widget_set_margin_top (value, row->space_above && y > 0 ? 6 : 0);
  gtk_grid_attach (grid, label, 0, y, 1, 1);
  gtk_grid_attach (grid, value, 1, y, 1, 1);
  g_ptr_array_add (self->values, value);
}

static void
build_card (TsrSummaryPage *self, const TsrSummarySection *section)
{
  GtkWidget *expander = gtk_expander_new (NULL);
  GtkWidget *title = gtk_label_new (section->title);
  GtkWidget *grid = gtk_grid_new ();

  gtk_widget_add_css_class (title, "heading");
  gtk_expander_set_label_widget (GTK_EXPANDER (expander), title);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_margin_top (grid, 6);
  gtk_expander_set_child (GTK_EXPANDER (expander), grid);
  /* GTK asks the child of a folded expander for the focus, although it is in no window then. */
  g_object_bind_property (expander, "expanded", grid, "can-focus", G_BINDING_SYNC_CREATE);
  gtk_widget_add_css_class (expander, "card");
  gtk_widget_add_css_class (expander, "section");
  for (guint i = 0; i < section->rows->len; i++)
    add_row (self, GTK_GRID (grid), g_ptr_array_index (section->rows, i), i);
  init_section (self, GTK_EXPANDER (expander), section->id, TRUE);
  gtk_box_append (GTK_BOX (self->cards), expander);
}

/* TRUE when the cards on the screen have the rows of @sections, so that texts can be put in. */
static gboolean
has_same_shape (TsrSummaryPage *self, GPtrArray *sections)
{
  if (self->sections == NULL || self->sections->len != sections->len)
    return FALSE;
  for (guint i = 0; i < sections->len; i++)
    {
      const TsrSummarySection *a = g_ptr_array_index (self->sections, i);
      const TsrSummarySection *b = g_ptr_array_index (sections, i);

      if (a->id != b->id || a->rows->len != b->rows->len)
        return FALSE;
      for (guint k = 0; k < a->rows->len; k++)
        {
          const TsrSummaryRow *x = g_ptr_array_index (a->rows, k);
          const TsrSummaryRow *y = g_ptr_array_index (b->rows, k);

          if (x->kind != y->kind || !g_str_equal (x->label, y->label))
            return FALSE;
        }
    }
  return TRUE;
}

static void
show_value (TsrSummaryPage *self, GtkWidget *widget, const TsrSummaryRow *row)
{
  gtk_widget_set_tooltip_text (widget, row->tooltip);
  if (GTK_IS_SPIN_BUTTON (widget))
    {
      TsrSession *session = get_session (self);
      TsrMemory *memory = tsr_session_get_memory (session);
      gint64 assumed = tsr_session_get_tiles_per_ipu (session);

      /* What the user says stands at once: the memory that is computed with it comes later. */
      if (assumed == 0)
        assumed = memory != NULL ? tsr_memory_get_tiles_per_ipu (memory)
                                 : tsr_report_get_summary (self->built_for)->target.tiles_per_ipu;
      if (assumed == TSR_UNKNOWN)
        assumed = memory != NULL ? tsr_memory_get_n_tiles (memory) : 1;
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (widget), (double)assumed);
    }
  else
    gtk_label_set_label (GTK_LABEL (widget), row->kind == TSR_ROW_NOTE ? row->label : row->value);
}

static void
update_cards (TsrSummaryPage *self)
{
  TsrSession *session = get_session (self);
  TsrReport *report = tsr_session_get_report (session);
  g_autoptr (GPtrArray) sections = tsr_summary_rows_new (report, tsr_session_get_memory (session),
                                                         tsr_session_get_units (session));
  guint n = 0;

  if (!has_same_shape (self, sections))
    {
      for (GtkWidget *child; (child = gtk_widget_get_first_child (self->cards)) != NULL;)
        gtk_box_remove (GTK_BOX (self->cards), child);
      g_ptr_array_set_size (self->values, 0);
      for (guint i = 0; i < sections->len; i++)
        build_card (self, g_ptr_array_index (sections, i));
    }
  g_clear_pointer (&self->sections, g_ptr_array_unref);
  self->sections = g_steal_pointer (&sections);
  self->updating = TRUE;
  for (guint i = 0; i < self->sections->len; i++)
    {
      const TsrSummarySection *section = g_ptr_array_index (self->sections, i);

      for (guint k = 0; k < section->rows->len; k++)
        show_value (self, g_ptr_array_index (self->values, n++),
                    g_ptr_array_index (section->rows, k));
    }
  self->updating = FALSE;
}

/* ---------------------------------------------------------------- verdict */

/* (transfer full) (nullable): why there will be no memory. */
static char *
dup_no_memory_reason (TsrReport *report)
{
  const TsrSummary *summary = tsr_report_get_summary (report);
  const GError *error = tsr_report_get_stage_error (report, TSR_STAGE_MEMORY);

  if (summary != NULL && !summary->views[TSR_VIEW_MEMORY].available)
    return tsr_page_dup_missing (&summary->views[TSR_VIEW_MEMORY]);
  return error != NULL ? g_strdup (error->message) : NULL;
}

/* How full the fullest tile is; of more than full the part beyond the limit. */
static void
layout_fullest (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  double share = TSR_SUMMARY_PAGE (data)->fullest_share;

  if (!isnan (share))
    tsr_insight_charts_layout_bar (MIN (share, MOST_SHARE) * FULL, FULL,
                                   CLAMP (share, 1, MOST_SHARE) * FULL, geometry, list);
}

static void
show_verdict (TsrSummaryPage *self, const TsrSummaryVerdict *verdict)
{
  static const struct
  {
    const char *icon, *css_class;
  } looks[] = {
    [TSR_SUMMARY_VERDICT_PENDING] = { "content-loading-symbolic", "dim-label" },
    [TSR_SUMMARY_VERDICT_FITS] = { "object-select-symbolic", "success" },
    [TSR_SUMMARY_VERDICT_DOES_NOT_FIT] = { "dialog-error-symbolic", "error" },
    [TSR_SUMMARY_VERDICT_UNKNOWN] = { "dialog-question-symbolic", "warning" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    gtk_widget_remove_css_class (GTK_WIDGET (self->verdict_icon), looks[i].css_class);
  gtk_widget_add_css_class (GTK_WIDGET (self->verdict_icon), looks[verdict->kind].css_class);
  gtk_image_set_from_icon_name (self->verdict_icon, looks[verdict->kind].icon);
  gtk_label_set_label (self->verdict_title, verdict->title);
  gtk_label_set_label (self->verdict_text, verdict->text);
  self->fullest_share = verdict->fullest_share;
  tsr_canvas_invalidate (self->fullest_bar);
}

static void
show_fullest (TsrSummaryPage *self, const TsrSummaryVerdict *verdict, TsrMemory *memory)
{
  g_autofree char *percent = NULL;
  g_autofree char *text = NULL;

  self->fullest_tile = verdict->fullest_tile;
  /* Its place stays when there is nothing to say yet. */
  gtk_widget_set_opacity (self->fullest_button, verdict->fullest_text != NULL ? 1 : 0);
  gtk_widget_set_sensitive (self->fullest_button, verdict->fullest_text != NULL);
  if (verdict->fullest_text == NULL)
    {
      gtk_button_set_label (GTK_BUTTON (self->fullest_button), "–");
      return;
    }
  percent = tsr_units_dup_percent (verdict->fullest_share, 1);
  if (isnan (verdict->fullest_share))
    text = g_strdup_printf (_ ("Fullest: tile %" PRId64 ", %s"), verdict->fullest_tile,
                            verdict->fullest_text);
  else
    text = g_strdup_printf (_ ("Fullest: tile %" PRId64 ", %s (%s)"), verdict->fullest_tile,
                            verdict->fullest_text, percent);
  gtk_button_set_label (GTK_BUTTON (self->fullest_button), text);
  gtk_widget_set_tooltip_text (self->fullest_button, _ ("Show this tile in Memory"));
}

/* Its place is kept while what is live on a tile may still be read. */
static void
update_peak (TsrSummaryPage *self)
{
  TsrSession *session = get_session (self);
  TsrLiveness *liveness = tsr_session_get_liveness (session);
  guint tile = self->fullest_tile != TSR_UNKNOWN ? self->fullest_tile : TSR_NO_INDEX;
  TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES, .tiles = &tile, .n_tiles = 1 };
  gboolean can = tile != TSR_NO_INDEX && liveness != NULL
                 && (tsr_session_is_lowered_pending (session)
                     || tsr_liveness_can_show (liveness, &source, NULL));

  gtk_widget_set_opacity (self->peak_button, can ? 1 : 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "summary.show-peak", can);
}

static const char *
metric_text (TsrMemory *memory)
{
  switch (tsr_memory_get_fullness_metric (memory))
    {
    case TSR_METRIC_INCLUDING_GAPS:
      return _ ("including gaps");
    case TSR_METRIC_EXCLUDING_GAPS:
      return _ ("excluding gaps");
    default:
      return _ ("totals as the report has them");
    }
}

static void
update_verdict (TsrSummaryPage *self)
{
  TsrSession *session = get_session (self);
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  TsrMemory *memory = tsr_session_get_memory (session);
  g_autofree char *why
      = memory == NULL ? dup_no_memory_reason (tsr_session_get_report (session)) : NULL;
  g_auto (TsrSummaryVerdict) verdict = { 0 };

  tsr_summary_verdict_init (&verdict, memory, why, tsr_session_get_units (session));
  show_verdict (self, &verdict);
  show_fullest (self, &verdict, memory);
  update_peak (self);
  tsr_scope_line_set_part_visible (line, self->metric_part, memory != NULL);
  if (memory != NULL)
    {
      tsr_scope_line_set_part_text (line, self->metric_part, metric_text (memory));
      tsr_scope_line_set_part_told (line, self->metric_part,
                                    tsr_memory_get_fullness_metric (memory)
                                        == TSR_METRIC_INCLUDING_GAPS);
    }
}

/* ---------------------------------------------------------------- options and JSON */

static TsrRowView *
new_tree (const char *name)
{
  TsrRowView *view = tsr_row_view_new ();

  tsr_row_view_set_plain (view, name);
  tsr_row_view_set_fits (view);
  return view;
}

static void
update_options (TsrSummaryPage *self)
{
  TsrReport *report = tsr_session_get_report (get_session (self));
  const TsrSummary *summary = tsr_report_get_summary (report);
  const char *filter = gtk_editable_get_text (self->options_filter);
  gboolean recording = gtk_check_button_get_active (self->options_recording);
  guint n_shown = 0, n_all = 0;
  g_autoptr (TsrRows) rows
      = tsr_value_rows_new_options ((const char *const *)summary->engine_options, filter,
                                    recording ? tsr_option_is_recording : NULL, &n_shown, &n_all);
  g_autofree char *shown = tsr_units_dup_count (n_shown);
  g_autofree char *all = tsr_units_dup_count (n_all);
  g_autofree char *count
      = n_shown == n_all ? g_strdup (all) : g_strdup_printf (_ ("%s of %s"), shown, all);

  gtk_widget_set_visible (self->options_controls, n_all > 0);
  gtk_label_set_label (self->options_count, count);
  gtk_widget_set_visible (GTK_WIDGET (self->options_empty), n_shown == 0);
  gtk_label_set_label (self->options_empty,
                       n_all == 0 ? _ ("This report does not record the engine options")
                                  : _ ("No option matches the filter"));
  gtk_widget_set_visible (self->options_box, n_shown > 0);
  tsr_row_view_set_rows (self->options_tree, rows, TSR_UNITS_BINARY, NULL, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self->options_tree),
                              n_shown <= FEW_OPTIONS ? "rows.expand-all" : "rows.collapse-all",
                              NULL);
}

static void
on_filter_changed (TsrSummaryPage *self)
{
  TsrSession *session = get_session (self);
  TsrReport *report = session != NULL ? tsr_session_get_report (session) : NULL;

  if (report == NULL || tsr_report_get_summary (report) == NULL)
    return;
  tsr_settings_set_string (tsr_session_get_settings (session), "options-filter",
                           gtk_editable_get_text (self->options_filter));
  tsr_settings_set_boolean (tsr_session_get_settings (session), "options-recording-only",
                            gtk_check_button_get_active (self->options_recording));
  update_options (self);
}

static void
on_json_answered (gpointer view, gpointer result, const GError *error)
{
  g_autoptr (TsrTableAnswer) answer = tsr_table_asker_take (result, error);
  GtkExpander *section = g_object_get_data (view, "section");
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (section), TSR_TYPE_SUMMARY_PAGE);

  tsr_row_view_set_rows (view, answer->rows, TSR_UNITS_BINARY, NULL, FALSE);
  gtk_widget_set_visible (view, answer->rows != NULL);
  if (answer->rows == NULL)
    {
      GtkWidget *label = gtk_label_new (answer->title);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (gtk_expander_get_child (section)), label);
      return;
    }
  if (tsr_rows_get_n (answer->rows) > FEW_VALUES || page == NULL)
    return;
  gtk_widget_activate_action (view, "rows.expand-all", NULL);
  unfold (TSR_SUMMARY_PAGE (page), section);
}

/* In a worker: a million values take longer than a moment. */
static void
show_json (GtkExpander *section, TsrReport *report, const char *key)
{
  const TsrTableInfo *info = tsr_tables_find ("summary", key);
  const TsrTableQuestion question = { .report = report };
  GtkWidget *box = gtk_expander_get_child (section), *child;
  TsrRowView *view = new_tree (tsr_file_kind_get_fixed_name (info->tab));
  TsrLatest *work = tsr_latest_new (view, (GDestroyNotify)tsr_table_answer_free);

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
  g_object_set_data (G_OBJECT (view), "section", section);
  g_object_set_data_full (G_OBJECT (view), "work", work, (GDestroyNotify)tsr_latest_free);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
  tsr_table_asker_run (work, info, &question, on_json_answered);
}

/* ---------------------------------------------------------------- following the session */

static void
update (TsrSummaryPage *self)
{
  TsrReport *report = tsr_session_get_report (get_session (self));
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;

  if (summary == NULL)
    return;
  if (g_set_object (&self->built_for, report))
    {
      show_json (self->framework_section, report, "framework");
      show_json (self->app_section, report, "app");
      update_options (self);
    }
  update_cards (self);
  update_verdict (self);
}

static void update_findings (TsrSummaryPage *self);

static void
on_stage_changed (TsrSession *session, int stage, TsrSummaryPage *self)
{
  update (self);
  update_findings (self);
}

static void
on_show_fullest (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrSummaryPage *self = TSR_SUMMARY_PAGE (widget);
  guint tile;

  if (self->fullest_tile == TSR_UNKNOWN)
    return;
  tile = self->fullest_tile;
  tsr_tile_selection_set (tsr_session_get_selection (get_session (self)), &tile, 1);
  gtk_widget_activate_action (widget, "win.view-memory", NULL);
}

static void
show_peak (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrSummaryPage *self = TSR_SUMMARY_PAGE (widget);
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_LIVENESS);
  g_autofree char *source = g_strdup_printf ("tile%" PRId64, self->fullest_tile);

  tsr_view_words_set (words, "source", source);
  tsr_view_words_set (words, "tab", "peak");
  tsr_view_words_set (words, "peak", "1");
  tsr_view_words_set (words, "by", "variable");
  tsr_view_words_set (words, "always", "1");
  tsr_page_go (widget, words);
}

/* The verdict says all of it but the replicas. */
static void
build_scope_line (TsrSummaryPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));

  self->metric_part = tsr_scope_line_add_text (
      line, "", _ ("How full a tile is: including gaps, the highest address that is used"));
}

/* ---------------------------------------------------------------- findings */

static void
append_count (GString *text, guint n, const char *one, const char *many)
{
  if (n > 0)
    g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", n, n == 1 ? one : many);
}

/* (transfer full): "1 error, 2 warnings, 3 pieces of advice". */
static char *
dup_findings (TsrInsights *insights)
{
  GPtrArray *findings = tsr_insights_peek_findings (insights);
  g_autofree char *silence = tsr_insights_dup_silence (insights);
  guint n[TSR_FINDING_INFO + 1] = { 0 };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < findings->len; i++)
    n[((const TsrFinding *)findings->pdata[i])->severity]++;
  append_count (text, n[TSR_FINDING_ERROR], _ ("error"), _ ("errors"));
  append_count (text, n[TSR_FINDING_WARNING], _ ("warning"), _ ("warnings"));
  append_count (text, n[TSR_FINDING_ADVICE], _ ("piece of advice"), _ ("pieces of advice"));
  append_count (text, n[TSR_FINDING_INFO], _ ("note"), _ ("notes"));
  if (silence != NULL)
    g_string_append (text, silence);
  return g_string_free (text, FALSE);
}

/* Its place is kept while nothing is known. */
static void
update_findings (TsrSummaryPage *self)
{
  TsrReport *report = tsr_session_get_report (get_session (self));
  TsrInsights *insights = tsr_session_get_insights (get_session (self));
  g_autofree char *text = insights != NULL ? dup_findings (insights) : g_strdup ("–");
  /* The rules read nearly all of a report: where that takes its time, they do when they are asked
   * for. */
  gboolean waits
      = insights == NULL && report != NULL && tsr_report_is_waiting (report, TSR_STAGE_LOWERED);

  gtk_button_set_label (GTK_BUTTON (self->findings_button), waits ? _ ("Look for findings") : text);
  gtk_widget_set_tooltip_text (self->findings_button,
                               waits ? _ ("Reads the rest of the report and checks all rules")
                                     : _ ("Show them in Insights"));
  gtk_widget_set_opacity (self->findings_button, insights != NULL || waits ? 1 : 0);
  gtk_widget_set_sensitive (self->findings_button, insights != NULL || waits);
}

static void
show_findings (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_INSIGHTS);

  tsr_page_go (widget, words);
}

static void
tsr_summary_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrSummaryPage *self = TSR_SUMMARY_PAGE (page);
  TsrSettings *settings = tsr_session_get_settings (session);
  g_autofree char *filter = tsr_settings_dup_string (settings, "options-filter");

  TSR_PAGE_CLASS (tsr_summary_page_parent_class)->set_session (page, session);
  init_section (self, self->options_section, "options", TRUE);
  init_section (self, self->framework_section, "framework", FALSE);
  init_section (self, self->app_section, "app", FALSE);
  gtk_editable_set_text (self->options_filter, filter);
  gtk_check_button_set_active (self->options_recording,
                               tsr_settings_get_boolean (settings, "options-recording-only"));
  g_signal_connect_object (self->options_filter, "search-changed", G_CALLBACK (on_filter_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->options_recording, "toggled", G_CALLBACK (on_filter_changed), self,
                           G_CONNECT_SWAPPED);
  build_scope_line (self);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage_changed), self, 0);
  g_signal_connect_object (session, "notify::report", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::memory", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (update_peak), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::insights", G_CALLBACK (update_findings), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::tiles-per-ipu", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  update_findings (self);
}

static char *
tsr_summary_page_dup_text (TsrPage *page)
{
  TsrSession *session = tsr_page_get_session (page);
  TsrReport *report = session != NULL ? tsr_session_get_report (session) : NULL;

  if (report == NULL || tsr_report_get_summary (report) == NULL)
    return NULL;
  return tsr_summary_rows_dup_text (report, tsr_session_get_memory (session),
                                    tsr_session_get_units (session));
}

static void
tsr_summary_page_focus_start (TsrPage *page)
{
  TsrSummaryPage *self = TSR_SUMMARY_PAGE (page);

  /* The link to the fullest tile, or the first card while there is none. */
  if (!gtk_widget_grab_focus (self->fullest_button))
    gtk_widget_child_focus (self->cards, GTK_DIR_TAB_FORWARD);
}

/* ---------------------------------------------------------------- for tests */

const char *
tsr_summary_page_get_value (TsrSummaryPage *self, const char *section, const char *label)
{
  guint n = 0;

  g_return_val_if_fail (TSR_IS_SUMMARY_PAGE (self), NULL);
  for (guint i = 0; self->sections != NULL && i < self->sections->len; i++)
    {
      const TsrSummarySection *here = g_ptr_array_index (self->sections, i);

      for (guint k = 0; k < here->rows->len; k++, n++)
        {
          const TsrSummaryRow *row = g_ptr_array_index (here->rows, k);
          GtkWidget *widget = g_ptr_array_index (self->values, n);

          if (!g_str_equal (here->id, section) || !g_str_equal (row->label, label))
            continue;
          return GTK_IS_LABEL (widget) ? gtk_label_get_label (GTK_LABEL (widget))
                                       : gtk_editable_get_text (GTK_EDITABLE (widget));
        }
    }
  return NULL;
}

const char *
tsr_summary_page_get_verdict (TsrSummaryPage *self)
{
  g_return_val_if_fail (TSR_IS_SUMMARY_PAGE (self), NULL);
  return gtk_label_get_label (self->verdict_title);
}

TsrRowView *
tsr_summary_page_get_options (TsrSummaryPage *self)
{
  g_return_val_if_fail (TSR_IS_SUMMARY_PAGE (self), NULL);
  return self->options_tree;
}

void
tsr_summary_page_set_filter (TsrSummaryPage *self, const char *text, gboolean recording_only)
{
  g_return_if_fail (TSR_IS_SUMMARY_PAGE (self));
  gtk_editable_set_text (self->options_filter, text);
  gtk_check_button_set_active (self->options_recording, recording_only);
  on_filter_changed (self);
}

/* ---------------------------------------------------------------- life */

static void
tsr_summary_page_dispose (GObject *object)
{
  TsrSummaryPage *self = TSR_SUMMARY_PAGE (object);

  g_clear_object (&self->built_for);
  g_clear_pointer (&self->sections, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  G_OBJECT_CLASS (tsr_summary_page_parent_class)->dispose (object);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrSummaryPage, scrolled),
  TSR_PAGE_CHILD (TsrSummaryPage, verdict_card),
  TSR_PAGE_CHILD (TsrSummaryPage, verdict_icon),
  TSR_PAGE_CHILD (TsrSummaryPage, verdict_title),
  TSR_PAGE_CHILD (TsrSummaryPage, verdict_text),
  TSR_PAGE_CHILD (TsrSummaryPage, fullest_button),
  TSR_PAGE_CHILD (TsrSummaryPage, peak_button),
  TSR_PAGE_CHILD (TsrSummaryPage, findings_button),
  TSR_PAGE_CHILD (TsrSummaryPage, fullest_box),
  TSR_PAGE_CHILD (TsrSummaryPage, columns),
  TSR_PAGE_CHILD (TsrSummaryPage, cards),
  TSR_PAGE_CHILD (TsrSummaryPage, foot),
  TSR_PAGE_CHILD (TsrSummaryPage, options_section),
  TSR_PAGE_CHILD (TsrSummaryPage, framework_section),
  TSR_PAGE_CHILD (TsrSummaryPage, app_section),
  TSR_PAGE_CHILD (TsrSummaryPage, options_controls),
  TSR_PAGE_CHILD (TsrSummaryPage, options_box),
  TSR_PAGE_CHILD (TsrSummaryPage, options_filter),
  TSR_PAGE_CHILD (TsrSummaryPage, options_recording),
  TSR_PAGE_CHILD (TsrSummaryPage, options_count),
  TSR_PAGE_CHILD (TsrSummaryPage, options_empty),
  { NULL },
};

static void
tsr_summary_page_class_init (TsrSummaryPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_summary_page_dispose;
  page_class->view = TSR_VIEW_SUMMARY;
  page_class->stage = TSR_STAGE_SUMMARY;
  page_class->set_session = tsr_summary_page_set_session;
  page_class->dup_text = tsr_summary_page_dup_text;
  page_class->focus_start = tsr_summary_page_focus_start;
  tsr_page_class_set_template (page_class, "tsr-summary-page.ui", children);
  gtk_widget_class_install_action (widget_class, "summary.show-fullest", NULL, on_show_fullest);
  gtk_widget_class_install_action (widget_class, "summary.show-peak", NULL, show_peak);
  gtk_widget_class_install_action (widget_class, "summary.show-findings", NULL, show_findings);
}

static void
tsr_summary_page_init (TsrSummaryPage *self)
{
  GtkLayoutManager *columns;

  gtk_widget_init_template (GTK_WIDGET (self));
  tsr_scroll_follow_focus (
      GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->scrolled))));
  self->fullest_tile = TSR_UNKNOWN;
  self->fullest_share = NAN;
  self->fullest_bar = tsr_canvas_new (layout_fullest, self);
  gtk_widget_set_size_request (GTK_WIDGET (self->fullest_bar), -1, BAR_HEIGHT);
  gtk_widget_set_hexpand (GTK_WIDGET (self->fullest_bar), TRUE);
  gtk_box_append (GTK_BOX (self->fullest_box), GTK_WIDGET (self->fullest_bar));
  self->values = g_ptr_array_new ();
  columns = tsr_flip_layout_new (WIDE, CARDS_SHARE, FALSE, 12);
  tsr_flip_layout_set_under (TSR_FLIP_LAYOUT (columns), WIDE);
  gtk_widget_set_layout_manager (self->columns, columns);
  gtk_widget_set_layout_manager (self->cards, tsr_columns_layout_new (CARD_WIDTH, MAX_COLUMNS, 12));
  gtk_widget_set_layout_manager (self->foot, tsr_columns_layout_new (JSON_WIDTH, 2, 12));
  self->options_tree = new_tree (_ ("Engine options"));
  gtk_box_append (GTK_BOX (self->options_box), GTK_WIDGET (self->options_tree));
}
