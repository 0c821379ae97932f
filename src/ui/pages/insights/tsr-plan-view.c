/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All that is shown follows from the plan and two forecasts, one without measures and one with
 * those that are ticked. */

#include "config.h"

#include "tsr-plan-view.h"

#include "tsr-canvas.h"
#include "tsr-chart.h"
#include "tsr-flip-layout.h"
#include "tsr-insight-charts.h"
#include "tsr-latest.h"
#include "tsr-page.h"
#include "tsr-plan-rows.h"
#include "tsr-row-view.h"
#include "tsr-tile-cycles-chart.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>
#include <math.h>

#define WIDE            1000 /* measures and what they leave side by side */
#define MEASURES_SHARE  0.45
#define MEASURES_HEIGHT 420 /* at least, before they scroll by themselves */
#define CHART_HEIGHT    210
#define TABLE_HEIGHT    190
#define TIP_WIDTH       70 /* characters */
#define STRIP_WIDTH     90
#define STRIP_HEIGHT    18

struct _TsrPlanView
{
  GtkWidget parent_instance;

  TsrSession *session;
  TsrPlan *plan;         /* (nullable) */
  TsrMeasureSet set;     /* what is ticked */
  char *ids;             /* (nullable): what a plan to come is to tick */
  TsrForecast *now;      /* (nullable): without measures */
  TsrForecast *forecast; /* (nullable): of @set, or of an older one while it is computed */
  TsrProposal *proposal; /* (nullable) */
  TsrLatest *first, *forecasts, *proposals;
  gboolean filling; /* check buttons follow the set */
  gint64 most;      /* that a measure saves on a tile */

  GtkWidget *box, *fold, *arrow, *revealer, *propose, *busy;
  GtkLabel *status, *result, *missing, *verdict, *ticked, *proposed, *peak, *cycles, *growth;
  GtkWidget *verdict_icon, *content, *buttons;
  GtkGrid *numbers;
  GtkBox *measures;
  GtkWidget *scrolled; /* with them */
  GtkAdjustment *page; /* (nullable): of the page that this scrolls with */
  guint fit_source;
  GPtrArray *checks; /* GtkCheckButton of each measure; NULL: it has none */
  TsrChart *chart;
  TsrTileCyclesChart *model; /* (nullable) */
  TsrRowView *tiles;
};

G_DEFINE_FINAL_TYPE (TsrPlanView, tsr_plan_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_OPEN,
  N_PROPS
};
static GParamSpec *props[N_PROPS];
static guint changed_signal;

static TsrUnits
get_units (TsrPlanView *self)
{
  return tsr_session_get_units (self->session);
}

/* ---------------------------------------------------------------- asking */

typedef struct
{
  TsrPlan *plan;
  TsrMeasureSet set;
} Job;

static Job *
job_new (TsrPlanView *self, TsrMeasureSet set)
{
  Job *job = g_new0 (Job, 1);

  job->plan = tsr_plan_ref (self->plan);
  job->set = set;
  return job;
}

static void
job_free (gpointer data)
{
  tsr_plan_unref (((Job *)data)->plan);
  g_free (data);
}

static gpointer
run_forecast (gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;

  return tsr_plan_forecast (job->plan, job->set, cancellable, error);
}

static gpointer
run_proposal (gpointer data, GCancellable *cancellable, GError **error)
{
  return tsr_plan_propose (((Job *)data)->plan, cancellable, error);
}

static void show_forecast (TsrPlanView *self);
static void show_proposal (TsrPlanView *self);

static void
on_now (gpointer owner, gpointer result, const GError *error)
{
  TsrPlanView *self = owner;

  g_clear_pointer (&self->now, tsr_forecast_free);
  self->now = result;
  show_forecast (self);
}

static void
on_forecast (gpointer owner, gpointer result, const GError *error)
{
  TsrPlanView *self = owner;

  g_clear_pointer (&self->forecast, tsr_forecast_free);
  self->forecast = result;
  show_forecast (self);
}

static void
ask_forecast (TsrPlanView *self)
{
  tsr_latest_run (self->forecasts, run_forecast, job_new (self, self->set), job_free, on_forecast);
  show_forecast (self);
}

/* ---------------------------------------------------------------- ticks */

static gboolean
is_ticked (TsrPlanView *self, guint index)
{
  return (self->set >> index & 1) != 0;
}

static void
show_ticks (TsrPlanView *self)
{
  self->filling = TRUE;
  for (guint i = 0; i < self->checks->len; i++)
    if (self->checks->pdata[i] != NULL)
      gtk_check_button_set_active (self->checks->pdata[i], is_ticked (self, i));
  self->filling = FALSE;
}

static void
set_ticks (TsrPlanView *self, TsrMeasureSet set)
{
  self->set = set;
  show_ticks (self);
  show_proposal (self);
  ask_forecast (self);
}

static void
on_ticked (GtkCheckButton *check, TsrPlanView *self)
{
  guint index;

  if (self->filling || !g_ptr_array_find (self->checks, check, &index))
    return;
  set_ticks (self, self->set ^ (G_GUINT64_CONSTANT (1) << index));
}

void
tsr_plan_view_clear (TsrPlanView *self)
{
  g_return_if_fail (TSR_IS_PLAN_VIEW (self));
  if (self->plan != NULL && self->set != 0)
    set_ticks (self, 0);
}

static void
on_proposal (gpointer owner, gpointer result, const GError *error)
{
  TsrPlanView *self = owner;

  g_clear_pointer (&self->proposal, tsr_proposal_free);
  self->proposal = result;
  if (self->proposal != NULL)
    set_ticks (self, self->proposal->set);
  else
    show_proposal (self);
}

void
tsr_plan_view_propose (TsrPlanView *self)
{
  g_return_if_fail (TSR_IS_PLAN_VIEW (self));
  if (self->plan == NULL || tsr_plan_get_missing (self->plan) != NULL)
    return;
  g_object_set (self, "open", TRUE, NULL);
  if (self->proposal != NULL)
    set_ticks (self, self->proposal->set);
  else if (!tsr_latest_is_running (self->proposals))
    tsr_latest_run (self->proposals, run_proposal, job_new (self, 0), job_free, on_proposal);
  show_proposal (self);
}

static void
take_ids (TsrPlanView *self, const char *ids)
{
  g_auto (GStrv) lines = g_strsplit (ids != NULL ? ids : "", "\n", -1);
  TsrMeasureSet set = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const guint index = tsr_plan_find (self->plan, lines[i]);

      if (index != TSR_NO_INDEX && self->checks->pdata[index] != NULL)
        set |= G_GUINT64_CONSTANT (1) << index;
    }
  set_ticks (self, set);
}

void
tsr_plan_view_set_ids (TsrPlanView *self, const char *ids)
{
  g_autofree char *before = NULL;

  g_return_if_fail (TSR_IS_PLAN_VIEW (self));
  before = tsr_plan_view_dup_ids (self);
  if (g_strcmp0 (before, ids != NULL ? ids : "") == 0)
    return;
  g_free (self->ids);
  self->ids = g_strdup (ids);
  if (self->plan != NULL)
    take_ids (self, ids);
}

char *
tsr_plan_view_dup_ids (TsrPlanView *self)
{
  const TsrMeasure *measures;
  g_autoptr (GString) ids = g_string_new (NULL);
  guint n = 0;

  g_return_val_if_fail (TSR_IS_PLAN_VIEW (self), NULL);
  if (self->plan == NULL)
    return g_strdup (self->ids != NULL ? self->ids : "");
  measures = tsr_plan_peek_measures (self->plan, &n);
  for (guint i = 0; i < n; i++)
    if (is_ticked (self, i))
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? "\n" : "", measures[i].id);
  return g_string_free (g_steal_pointer (&ids), FALSE);
}

/* ---------------------------------------------------------------- text */

char *
tsr_plan_view_dup_text (TsrPlanView *self)
{
  g_autofree char *location = NULL;

  g_return_val_if_fail (TSR_IS_PLAN_VIEW (self), NULL);
  if (self->plan == NULL || self->forecast == NULL || self->forecast->set != self->set)
    return NULL;
  location = tsr_report_dup_location (tsr_session_get_report (self->session));
  return tsr_plan_dup_text (self->plan, self->forecast, location);
}

void
tsr_plan_view_copy (TsrPlanView *self)
{
  g_autofree char *text = tsr_plan_view_dup_text (self);

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_notice_show (GTK_WIDGET (self), _ ("The fix plan is copied as text"));
}

/* ---------------------------------------------------------------- measures */

static GtkWidget *
new_label (const char *text, const char *css_class, gboolean wraps)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), wraps);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (!wraps)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, "numeric");
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* "117 KiB on tile 706", "up to 300 KiB on tile 706". */
static char *
dup_saving (TsrPlanView *self, const TsrMeasure *measure)
{
  const guint worst = tsr_plan_get_worst (self->plan);
  g_autofree char *size = NULL, *saving = NULL;

  if (measure->missing != NULL || measure->worst_tile == TSR_UNKNOWN)
    return NULL;
  size = tsr_units_dup_bytes (get_units (self), measure->worst_tile);
  saving = measure->kind == TSR_MEASURE_UPPER_BOUND && measure->worst_tile > 0
               ? g_strdup_printf (_ ("up to %s"), size)
               : g_strdup (size);
  return worst == TSR_NO_INDEX ? g_steal_pointer (&saving)
                               : g_strdup_printf (_ ("%s on tile %u"), saving, worst);
}

/* On how many tiles, and where most; (nullable). */
static char *
dup_saved_by_tile (TsrPlanView *self, const TsrMeasure *measure)
{
  guint n = 0, n_receive = 0, most = 0;
  g_autofree char *tiles = NULL, *size = NULL;
  GString *text;

  if (measure->saved == NULL)
    return NULL;
  for (guint i = 0; i < tsr_plan_get_n_tiles (self->plan); i++)
    {
      if (measure->saved[i] == TSR_UNKNOWN)
        continue;
      n += measure->saved[i] > 0;
      n_receive += measure->saved[i] < 0;
      if (measure->saved[i] > measure->saved[most])
        most = i;
    }
  tiles = tsr_units_dup_count (n);
  size = tsr_units_dup_bytes (get_units (self), measure->saved[most]);
  text = g_string_new (NULL);
  if (n > 0)
    g_string_printf (text,
                     g_dngettext (NULL, "saves on %s tile, most on tile %u: %s",
                                  "saves on %s tiles, most on tile %u: %s", n),
                     tiles, most, size);
  if (n_receive > 0)
    {
      g_autofree char *receivers = tsr_units_dup_count (n_receive);

      g_string_append (text, n > 0 ? "; " : "");
      g_string_append_printf (
          text, g_dngettext (NULL, "%s tile gets more", "%s tiles get more", n_receive), receivers);
    }
  return g_string_free (text, FALSE);
}

static char *
dup_cost (const TsrMeasure *measure)
{
  g_autofree char *cycles = NULL;

  if (measure->cycles == TSR_UNKNOWN)
    return g_strdup (_ ("cycles not known"));
  cycles = tsr_finding_dup_cycles (measure->cycles);
  return measure->cycles == 0 ? g_strdup (_ ("costs no cycles"))
                              : g_strdup_printf (_ ("costs about %s in each run"), cycles);
}

typedef struct
{
  TsrPlanView *owner;
  const gint64 *values;
} Strip;

static void
layout_strip (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  const Strip *strip = data;

  if (strip->owner->plan != NULL && strip->owner->most > 0)
    tsr_insight_charts_layout_strip (strip->values, tsr_plan_get_n_tiles (strip->owner->plan),
                                     strip->owner->most, geometry, list);
}

static GtkWidget *
new_strip (TsrPlanView *self, const TsrMeasure *measure)
{
  Strip *strip = g_new0 (Strip, 1);
  GtkWidget *canvas;

  *strip = (Strip){ self, measure->saved };
  canvas = GTK_WIDGET (tsr_canvas_new (layout_strip, strip));
  g_object_set_data_full (G_OBJECT (canvas), "strip", strip, g_free);
  gtk_widget_set_size_request (canvas, STRIP_WIDTH, STRIP_HEIGHT);
  gtk_widget_set_valign (canvas, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (canvas, _ ("What it saves on each tile, all to one scale"));
  return canvas;
}

/* GTK does not wrap a tooltip that has several lines. */
static gboolean
on_query_measure (GtkWidget *box, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  GtkWidget *label = gtk_label_new (gtk_widget_get_tooltip_text (box));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TIP_WIDTH);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_tooltip_set_custom (tooltip, label);
  return TRUE;
}

static GtkWidget *
new_measure (TsrPlanView *self, const TsrMeasure *measure)
{
  const gboolean can = measure->kind != TSR_MEASURE_LISTED && measure->missing == NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *saving = dup_saving (self, measure);
  g_autofree char *by_tile = can ? dup_saved_by_tile (self, measure) : NULL;
  g_autofree char *cost = can ? dup_cost (measure) : NULL;
  g_autofree char *detail
      = !can ? g_strdup (measure->missing)
             : g_strjoin (by_tile != NULL ? "; " : "", by_tile != NULL ? by_tile : "", cost, NULL);
  GtkWidget *title = new_label (measure->title, NULL, FALSE);
  g_autoptr (GString) tooltip = g_string_new (measure->title);

  gtk_widget_add_css_class (box, "measure");
  if (measure->text != NULL && *measure->text != '\0')
    g_string_append_printf (tooltip, "\n%s", measure->text);
  if (measure->option != NULL)
    g_string_append_printf (tooltip, "\n%s", measure->option);
  if (measure->source != NULL)
    g_string_append_printf (tooltip, "\n%s", measure->source);
  gtk_widget_set_tooltip_text (box, tooltip->str);
  g_signal_connect (box, "query-tooltip", G_CALLBACK (on_query_measure), NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (line), title);
  if (saving != NULL)
    {
      GtkWidget *label = new_label (saving, "dim-label", FALSE);

      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
      gtk_box_append (GTK_BOX (line), label);
    }
  gtk_box_append (GTK_BOX (texts), line);
  if (detail != NULL)
    {
      GtkWidget *second = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
      GtkWidget *label = new_label (detail, "dim-label", TRUE);

      gtk_widget_add_css_class (label, "caption");
      gtk_widget_set_hexpand (label, TRUE);
      gtk_box_append (GTK_BOX (second), label);
      if (can && measure->saved != NULL)
        gtk_box_append (GTK_BOX (second), new_strip (self, measure));
      gtk_box_append (GTK_BOX (texts), second);
    }
  if (!can || measure->kind == TSR_MEASURE_UPPER_BOUND)
    {
      GtkWidget *label = new_label (measure->text, "dim-label", TRUE);

      gtk_widget_add_css_class (label, "caption");
      gtk_box_append (GTK_BOX (texts), label);
    }
  if (can)
    {
      GtkWidget *check = gtk_check_button_new ();
      g_autofree char *name = saving != NULL
                                  ? g_strdup_printf (_ ("%s: %s"), measure->title, saving)
                                  : g_strdup (measure->title);

      gtk_check_button_set_child (GTK_CHECK_BUTTON (check), texts);
      gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      detail != NULL ? detail : "", -1);
      g_signal_connect (check, "toggled", G_CALLBACK (on_ticked), self);
      gtk_box_append (GTK_BOX (box), check);
      g_ptr_array_add (self->checks, check);
    }
  else
    {
      gtk_widget_add_css_class (texts, "measure-listed");
      gtk_box_append (GTK_BOX (box), texts);
      g_ptr_array_add (self->checks, NULL);
    }
  return box;
}

static const char *
get_heading (const TsrMeasure *measure)
{
  if (measure->missing != NULL)
    return _ ("Cannot be computed");
  if (measure->kind == TSR_MEASURE_EXACT)
    return _ ("Forecast exactly");
  if (measure->kind == TSR_MEASURE_UPPER_BOUND)
    return _ ("At most: upper bounds");
  return _ ("Without a number, in no total");
}

/* Kinds one after another, in each the largest relief first, as the plan has them; the check
 * buttons keep the plan's numbers. */
static void
fill_measures (TsrPlanView *self)
{
  guint n = 0;
  const TsrMeasure *measures = tsr_plan_peek_measures (self->plan, &n);
  g_autofree GtkWidget **rows = g_new0 (GtkWidget *, n + 1);
  g_autofree gboolean *done = g_new0 (gboolean, n + 1);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->measures))) != NULL)
    gtk_box_remove (self->measures, child);
  g_ptr_array_set_size (self->checks, 0);
  self->most = 0;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; measures[i].saved != NULL && k < tsr_plan_get_n_tiles (self->plan); k++)
      self->most = MAX (self->most, measures[i].saved[k]);
  for (guint i = 0; i < n; i++)
    rows[i] = new_measure (self, &measures[i]);
  for (guint kind = TSR_MEASURE_EXACT; kind <= TSR_MEASURE_LISTED + 1; kind++)
    {
      const char *heading = NULL;

      for (guint i = 0; i < n; i++)
        {
          const guint of = measures[i].missing != NULL ? TSR_MEASURE_LISTED + 1 : measures[i].kind;

          if (done[i] || of != kind)
            continue;
          if (heading == NULL)
            {
              heading = get_heading (&measures[i]);
              gtk_box_append (self->measures, new_label (heading, "measure-heading", TRUE));
            }
          gtk_box_append (self->measures, rows[i]);
          done[i] = TRUE;
        }
    }
}

/* ---------------------------------------------------------------- what remains */

/* "tile 706: 298 KiB too much", "tile 706: 20 KiB free". */
static char *
dup_worst (TsrPlanView *self, const TsrPlanNumber *number)
{
  g_autofree char *size = NULL;

  if (number->worst == TSR_NO_INDEX)
    return g_strdup (_ ("not known"));
  if (number->most == TSR_UNKNOWN)
    return g_strdup (_ ("what is free is not known"));
  size = tsr_units_dup_bytes (get_units (self), ABS (number->most));
  return g_strdup_printf (number->most > 0 ? _ ("%s too much on tile %u")
                                           : _ ("at least %s free, on tile %u"),
                          size, number->worst);
}

static void
attach (TsrPlanView *self, int column, int row, const char *text, const char *tooltip)
{
  GtkWidget *label = new_label (text, column == 0 ? "dim-label" : NULL, column == 2);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_tooltip_text (label, tooltip);
  gtk_grid_attach (self->numbers, label, column, row, 1, 1);
}

static void
fill_number (
    TsrPlanView *self, int row, const char *name, const char *tooltip, const TsrPlanNumber *number)
{
  g_autofree char *count = tsr_units_dup_count (number->n_over);
  g_autofree char *over = g_strdup_printf (
      g_dngettext (NULL, "%s tile overflows", "%s tiles overflow", number->n_over), count);
  g_autofree char *worst = dup_worst (self, number);

  attach (self, 0, row, name, tooltip);
  attach (self, 1, row, over, NULL);
  attach (self, 2, row, worst, NULL);
  if (number->sum != TSR_UNKNOWN && number->sum > 0)
    {
      g_autofree char *size = tsr_units_dup_bytes (get_units (self), number->sum);
      g_autofree char *all = g_strdup_printf (_ ("%s in all"), size);

      attach (self, 3, row, all, NULL);
    }
}

static void
fill_numbers (TsrPlanView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->numbers))) != NULL)
    gtk_grid_remove (self->numbers, child);
  if (self->now != NULL)
    fill_number (self, 0, _ ("Now"), _ ("What must leave the tiles without any measure"),
                 &self->now->packed);
  if (self->forecast == NULL)
    return;
  fill_number (self, 1, _ ("Packed as now"),
               _ ("If what is lost by packing stays as it is: the program fits when this number "
                  "says so on every tile"),
               &self->forecast->packed);
  fill_number (self, 2, _ ("At best"),
               _ ("If everything is packed without a gap: the program cannot fit unless this "
                  "number says so on every tile"),
               &self->forecast->best);
}

static void
show_icon (GtkWidget *image, TsrPlanVerdict verdict)
{
  static const struct
  {
    const char *icon, *css_class;
  } looks[] = {
    [TSR_PLAN_FITS] = { "object-select-symbolic", "success" },
    [TSR_PLAN_MAY_FIT] = { "dialog-question-symbolic", "warning" },
    [TSR_PLAN_DOES_NOT_FIT] = { "dialog-error-symbolic", "error" },
    [TSR_PLAN_UNKNOWN] = { "dialog-question-symbolic", "warning" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    gtk_widget_remove_css_class (image, looks[i].css_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (image), looks[verdict].icon);
  gtk_widget_add_css_class (image, looks[verdict].css_class);
}

static void
fill_verdict (TsrPlanView *self)
{
  const TsrForecast *forecast = self->forecast;
  const guint n = forecast != NULL ? (guint)__builtin_popcountll (forecast->set) : 0;
  g_autofree char *with = NULL, *text = NULL;

  if (forecast == NULL)
    {
      gtk_label_set_label (self->verdict, _ ("Computing…"));
      gtk_label_set_label (self->result, "");
      return;
    }
  show_icon (self->verdict_icon, forecast->verdict);
  with = n == 0 ? g_strdup (_ ("without any measure"))
                : g_strdup_printf (g_dngettext (NULL, "with %u measure", "with %u measures", n), n);
  text = g_strdup_printf (_ ("%s %s"), tsr_plan_verdict_get_name (forecast->verdict), with);
  gtk_label_set_label (self->verdict, text);
  gtk_label_set_label (self->result, n > 0 ? text : "");
}

/* The titles of what is ticked, which may stand far down in the list. */
static void
fill_ticked (TsrPlanView *self)
{
  const TsrMeasureSet set = self->forecast != NULL ? self->forecast->set : 0;
  g_autoptr (GString) titles = g_string_new (NULL);
  const TsrMeasure *measures;
  guint n = 0;

  measures = tsr_plan_peek_measures (self->plan, &n);
  for (guint i = 0; i < n; i++)
    if ((set >> i & 1) != 0)
      g_string_append_printf (titles, "%s%s", titles->len > 0 ? " · " : "", measures[i].title);
  gtk_label_set_label (self->ticked, titles->str);
  gtk_widget_set_visible (GTK_WIDGET (self->ticked), titles->len > 0);
}

static void
fill_peak (TsrPlanView *self)
{
  const TsrForecast *forecast = self->forecast;
  g_autofree char *peak = NULL, *cycles = NULL;

  if (forecast == NULL)
    return;
  if (forecast->peak_tile != TSR_NO_INDEX && forecast->peak_step != NULL
      && forecast->peak_step[forecast->peak_tile] != TSR_NO_INDEX)
    {
      g_autofree char *step = tsr_units_dup_count (forecast->peak_step[forecast->peak_tile]);

      peak = g_strdup_printf (_ ("Next peak: tile %u at step %s, %s"), forecast->peak_tile, step,
                              forecast->peak_name != NULL ? forecast->peak_name : "–");
    }
  gtk_label_set_label (self->peak, peak != NULL ? peak : "");
  gtk_widget_set_visible (GTK_WIDGET (self->peak), peak != NULL);
  if (forecast->cycles != TSR_UNKNOWN && forecast->cycles > 0)
    {
      g_autofree char *size = tsr_finding_dup_cycles (forecast->cycles);

      cycles = forecast->n_unknown_cycles == 0
                   ? g_strdup_printf (_ ("Costs about %s in each run"), size)
                   : g_strdup_printf (
                       g_dngettext (NULL,
                                    "Costs about %s in each run, and what %u measure costs is not "
                                    "known",
                                    "Costs about %s in each run, and what %u measures cost is not "
                                    "known",
                                    forecast->n_unknown_cycles),
                       size, forecast->n_unknown_cycles);
    }
  else if (forecast->n_unknown_cycles > 0)
    cycles = g_strdup (_ ("What it costs in cycles is not known"));
  gtk_label_set_label (self->cycles, cycles != NULL ? cycles : "");
  gtk_widget_set_visible (GTK_WIDGET (self->cycles), cycles != NULL);
}

static void
add_series (TsrPlanView *self, const char *key, const char *name, guint ink, const gint64 *values)
{
  tsr_tile_cycles_chart_add_series (self->model, key, name, ink, values, FALSE, TRUE);
}

/* What is too much now, in three parts: too much at best, too much only packed as now, gone. */
static void
add_excess (TsrPlanView *self, guint n)
{
  g_autofree gint64 *best = g_new0 (gint64, n + 1), *packed = g_new0 (gint64, n + 1);
  g_autofree gint64 *gone = g_new0 (gint64, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const gint64 before = MAX (self->now->packed.over[i], 0);
      const gint64 after = MAX (self->forecast->packed.over[i], 0);

      best[i] = MAX (self->forecast->best.over[i], 0);
      packed[i] = MAX (after - best[i], 0);
      gone[i] = MAX (before - MAX (after, best[i]), 0);
    }
  add_series (self, "best", _ ("Too much at best"), TSR_INK_OVERFLOW, best);
  add_series (self, "packed", _ ("Too much only if packed as now"), TSR_INK_PACKING, packed);
  add_series (self, "gone", _ ("Gone"), TSR_INK_OVERVIEW, gone);
}

/* What is in use: where tiles share a column of pixels the fullest is drawn, and a tile without
 * room is not hidden by others. */
static void
add_use (TsrPlanView *self, guint n)
{
  g_autofree gint64 *live = g_new0 (gint64, n + 1), *lost = g_new0 (gint64, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const gint64 packed = self->forecast->packed.over[i], best = self->forecast->best.over[i];

      live[i] = MAX (self->forecast->live[i], 0);
      lost[i] = packed != TSR_UNKNOWN && best != TSR_UNKNOWN ? MAX (packed - best, 0) : 0;
    }
  add_series (self, "live", _ ("Live at its peak"), TSR_INK_ALWAYS_LIVE, live);
  add_series (self, "lost", _ ("Lost by packing and gaps"), TSR_INK_PACKING, lost);
}

static void
fill_chart (TsrPlanView *self)
{
  const guint n = self->forecast != NULL ? self->forecast->n_tiles : 0;
  gboolean fits;

  g_clear_object (&self->model);
  if (n == 0 || self->now == NULL)
    {
      tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
      return;
    }
  fits = self->now->packed.n_over == 0 && self->forecast->packed.n_over == 0;
  self->model = tsr_tile_cycles_chart_new (n, fits ? _ ("Bytes in use on each tile")
                                                   : _ ("Bytes that are too many on each tile"));
  tsr_tile_cycles_chart_set_bytes (self->model, get_units (self));
  if (fits)
    add_use (self, n);
  else
    add_excess (self, n);
  tsr_tile_cycles_chart_set_selection (self->model, tsr_session_get_selection (self->session), 0);
  tsr_plane_set_model (TSR_PLANE (self->chart), TSR_CHART_MODEL (self->model));
}

static void
fill_tiles (TsrPlanView *self)
{
  TsrMemory *memory = tsr_session_get_memory (self->session);
  g_autoptr (TsrRows) rows = NULL;

  if (self->forecast != NULL && self->now != NULL && memory != NULL)
    rows = tsr_plan_rows_new (self->now, self->forecast, memory,
                              tsr_session_get_liveness (self->session));
  tsr_row_view_set_rows (self->tiles, rows, get_units (self), "packed", TRUE);
}

/* What belongs to older ticks stays until the newer ones are known. */
static void
show_forecast (TsrPlanView *self)
{
  const gboolean is_late = tsr_plan_view_is_busy (self);

  gtk_spinner_set_spinning (GTK_SPINNER (self->busy), is_late);
  gtk_widget_set_visible (self->busy, is_late);
  if (tsr_latest_is_running (self->forecasts))
    return;
  fill_verdict (self);
  fill_ticked (self);
  fill_numbers (self);
  fill_peak (self);
  fill_chart (self);
  fill_tiles (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
show_proposal (TsrPlanView *self)
{
  const gboolean is_shown
      = self->proposal != NULL && self->proposal->set == self->set && self->proposal->text != NULL;
  const gboolean is_late = tsr_plan_view_is_busy (self);

  gtk_label_set_label (self->proposed, is_shown ? self->proposal->text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->proposed), is_shown);
  gtk_spinner_set_spinning (GTK_SPINNER (self->busy), is_late);
  gtk_widget_set_visible (self->busy, is_late);
}

/* ---------------------------------------------------------------- the plan */

static char *
dup_growth (TsrPlanView *self)
{
  TsrPlanGrowth growth;
  g_autofree char *best = NULL, *packed = NULL;

  tsr_plan_get_growth (self->plan, &growth);
  if (isnan (growth.packed) || isnan (growth.best) || growth.best <= 0)
    return NULL;
  best = tsr_units_dup_percent (growth.best, 0);
  packed = tsr_units_dup_percent (growth.packed, 0);
  if (growth.packed >= 1)
    return g_strdup_printf (
        _ ("What scales with the batch could grow to %s packed as now, to %s at best"), packed,
        best);
  if (growth.best >= 1)
    return g_strdup_printf (_ ("What scales with the batch could grow to %s at best"), best);
  if (growth.packed > 0)
    return g_strdup_printf (
        _ ("What scales with the batch would have to shrink to %s packed as now, to %s at best"),
        packed, best);
  return g_strdup_printf (_ ("What scales with the batch would have to shrink to %s at best"),
                          best);
}

static void
fill_bar (TsrPlanView *self)
{
  const char *missing = tsr_plan_get_missing (self->plan);
  const gboolean fits = tsr_plan_get_fit (self->plan) == TSR_FITS;
  const gboolean has_plan = missing == NULL && tsr_plan_get_n_tiles (self->plan) > 0;
  g_autofree char *status = tsr_plan_dup_status (self->plan);
  g_autofree char *growth = has_plan ? dup_growth (self) : NULL;
  g_autofree char *name = g_strdup_printf (_ ("Fix plan: %s"), status);

  /* By how much it fits or not stands in the overview, and in the first finding. */
  gtk_label_set_label (self->status, fits ? _ ("How much room is left, and what makes more")
                                          : _ ("Which changes together make it fit"));
  gtk_label_set_label (self->result, missing != NULL ? _ ("No fix plan") : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fold), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_label_set_label (self->missing, missing != NULL ? missing : "");
  gtk_widget_set_visible (GTK_WIDGET (self->missing), missing != NULL);
  gtk_label_set_label (self->growth, growth != NULL ? growth : "");
  gtk_widget_set_visible (GTK_WIDGET (self->growth), growth != NULL);
  gtk_widget_set_visible (self->content, has_plan);
  gtk_widget_set_visible (self->propose, has_plan && !fits);
}

static void
drop_plan (TsrPlanView *self)
{
  g_autofree char *ids = self->plan != NULL ? tsr_plan_view_dup_ids (self) : NULL;

  tsr_latest_cancel (self->first);
  tsr_latest_cancel (self->forecasts);
  tsr_latest_cancel (self->proposals);
  if (ids != NULL)
    {
      g_free (self->ids);
      self->ids = g_steal_pointer (&ids);
    }
  g_clear_pointer (&self->now, tsr_forecast_free);
  g_clear_pointer (&self->forecast, tsr_forecast_free);
  g_clear_pointer (&self->proposal, tsr_proposal_free);
  g_clear_pointer (&self->plan, tsr_plan_unref);
  self->set = 0;
}

/* The bar keeps its place while the plan is computed, so that nothing below it moves; it can be
 * unfolded already, for what is to come. */
static void
show_bar (TsrPlanView *self)
{
  const gboolean is_there = tsr_session_get_plan (self->session) != NULL;

  gtk_widget_set_visible (GTK_WIDGET (self),
                          is_there || tsr_session_is_data_pending (self->session, TSR_DATA_PLAN));
  gtk_widget_set_visible (self->revealer, is_there);
  if (is_there)
    return;
  gtk_label_set_label (self->status, _ ("Working out the fix plan…"));
  gtk_label_set_label (self->result, "");
  gtk_widget_set_visible (self->propose, FALSE);
}

static void
on_plan (TsrPlanView *self)
{
  TsrPlan *plan = tsr_session_get_plan (self->session);

  if (plan == NULL)
    show_bar (self);
  if (plan == self->plan)
    return;
  drop_plan (self);
  show_bar (self);
  if (plan == NULL)
    {
      /* Another report begins without ticks. */
      if (tsr_session_get_report (self->session) == NULL)
        g_clear_pointer (&self->ids, g_free);
      return;
    }
  self->plan = tsr_plan_ref (plan);
  fill_measures (self);
  fill_bar (self);
  if (tsr_plan_get_missing (plan) != NULL)
    return;
  tsr_latest_run (self->first, run_forecast, job_new (self, 0), job_free, on_now);
  take_ids (self, self->ids);
}

void
tsr_plan_view_set_session (TsrPlanView *self, TsrSession *session)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  g_return_if_fail (TSR_IS_PLAN_VIEW (self) && self->session == NULL);
  self->session = g_object_ref (session);
  tsr_chart_set_viewport (self->chart, viewport);
  g_signal_connect_object (session, "notify::plan", G_CALLBACK (on_plan), self, G_CONNECT_SWAPPED);
  on_plan (self);
}

const TsrForecast *
tsr_plan_view_get_forecast (TsrPlanView *self)
{
  g_return_val_if_fail (TSR_IS_PLAN_VIEW (self), NULL);
  return self->forecast != NULL && self->forecast->set == self->set ? self->forecast : NULL;
}

gboolean
tsr_plan_view_is_busy (TsrPlanView *self)
{
  g_return_val_if_fail (TSR_IS_PLAN_VIEW (self), FALSE);
  return tsr_latest_is_running (self->first) || tsr_latest_is_running (self->forecasts)
         || tsr_latest_is_running (self->proposals);
}

GtkCheckButton *
tsr_plan_view_get_check (TsrPlanView *self, guint index)
{
  g_return_val_if_fail (TSR_IS_PLAN_VIEW (self) && index < self->checks->len, NULL);
  return self->checks->pdata[index];
}

/* ---------------------------------------------------------------- going there */

static void
on_tile_activated (TsrRowView *view, guint row, TsrPlanView *self)
{
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autofree char *source = g_strdup_printf ("tile%u", row);

  tsr_view_words_set (words, "page", tsr_view_get_nick (TSR_VIEW_LIVENESS));
  tsr_view_words_set (words, "source", source);
  if (self->forecast != NULL && row < self->forecast->n_tiles
      && self->forecast->peak_step[row] != TSR_NO_INDEX)
    {
      g_autofree char *step = g_strdup_printf ("%u", self->forecast->peak_step[row]);

      tsr_view_words_set (words, "steps", step);
    }
  tsr_page_go (GTK_WIDGET (self), words);
}

static void
on_select (TsrChart *chart, double from, double to, int mode, TsrPlanView *self)
{
  g_autoptr (GArray) tiles = tsr_chart_dup_data (chart, from, to);

  tsr_tile_selection_change (tsr_session_get_selection (self->session), mode,
                             (const guint *)(gpointer)tiles->data, tiles->len);
}

/* ---------------------------------------------------------------- building */

static GtkLabel *
append_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = new_label (NULL, css_class, TRUE);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* By the pointer only: the keyboard would select all of it on its way.  Only not focusable, it
   * would still stop Tab. */
  gtk_widget_set_can_focus (label, FALSE);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
on_fold (TsrPlanView *self)
{
  const gboolean open = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->fold));

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), open);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow),
                                open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->fold), GTK_ACCESSIBLE_STATE_EXPANDED, open,
                               -1);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_OPEN]);
}

static GtkWidget *
new_button (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static GtkWidget *
new_bar (TsrPlanView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  self->arrow = gtk_image_new_from_icon_name ("pan-end-symbolic");
  self->status = GTK_LABEL (new_label (NULL, "heading", FALSE));
  gtk_label_set_ellipsize (self->status, PANGO_ELLIPSIZE_END);
  self->result = GTK_LABEL (new_label (NULL, "dim-label", FALSE));
  gtk_label_set_ellipsize (self->result, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->status), TRUE);
  gtk_box_append (GTK_BOX (line), self->arrow);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->status));
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->result));
  self->fold = gtk_toggle_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->fold), line);
  gtk_widget_add_css_class (self->fold, "flat");
  gtk_widget_add_css_class (self->fold, "plan-fold");
  gtk_widget_set_hexpand (self->fold, TRUE);
  /* Before it is shown: else its text is a second name, after the one of fill_bar. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fold), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Fix plan"), -1);
  g_signal_connect_object (self->fold, "toggled", G_CALLBACK (on_fold), self, G_CONNECT_SWAPPED);
  /* What is unfolded says it, too. */
  g_object_bind_property (self->fold, "active", self->result, "visible",
                          G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  self->busy = gtk_spinner_new ();
  self->propose = new_button (_ ("_Propose a Fix"), "insights.propose",
                              _ ("Ticks the fewest measures that make it fit"));
  gtk_widget_add_css_class (self->propose, "suggested-action");
  gtk_widget_add_css_class (bar, "plan-bar");
  gtk_box_append (GTK_BOX (bar), self->fold);
  gtk_box_append (GTK_BOX (bar), self->busy);
  gtk_box_append (GTK_BOX (bar), self->propose);
  return bar;
}

/* Where the page has room for all measures, only the page scrolls.  GTK asks for their height as if
 * no text of theirs had to be broken; here it is the one for the width that they have. */
static gboolean
fit_measures (gpointer data)
{
  TsrPlanView *self = data;
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (self->scrolled);
  const int room = MAX (gtk_adjustment_get_page_size (self->page), MEASURES_HEIGHT);
  const int width = gtk_widget_get_width (GTK_WIDGET (self->measures));
  int height = 0;

  self->fit_source = 0;
  if (width > 0)
    gtk_widget_measure (GTK_WIDGET (self->measures), GTK_ORIENTATION_VERTICAL, width, NULL, &height,
                        NULL, NULL);
  gtk_scrolled_window_set_min_content_height (scrolled, -1);
  gtk_scrolled_window_set_max_content_height (scrolled, room);
  if (height > 0 && height <= room)
    gtk_scrolled_window_set_min_content_height (scrolled, height);
  return G_SOURCE_REMOVE;
}

/* Its size changes while widgets are allocated: not the time to ask for another height. */
static void
on_page_size (TsrPlanView *self)
{
  if (self->fit_source == 0)
    self->fit_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_measures, self, NULL);
}

static void
tsr_plan_view_root (GtkWidget *widget)
{
  TsrPlanView *self = TSR_PLAN_VIEW (widget);
  GtkWidget *page = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  GTK_WIDGET_CLASS (tsr_plan_view_parent_class)->root (widget);
  if (page == NULL)
    return;
  g_set_object (&self->page, gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (page)));
  g_signal_connect_object (self->page, "notify::page-size", G_CALLBACK (on_page_size), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), "notify::upper",
      G_CALLBACK (on_page_size), self, G_CONNECT_SWAPPED);
  on_page_size (self);
}

static void
tsr_plan_view_unroot (GtkWidget *widget)
{
  TsrPlanView *self = TSR_PLAN_VIEW (widget);

  if (self->page != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->page, on_page_size, self);
      g_signal_handlers_disconnect_by_func (
          gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), on_page_size,
          self);
    }
  g_clear_handle_id (&self->fit_source, g_source_remove);
  g_clear_object (&self->page);
  GTK_WIDGET_CLASS (tsr_plan_view_parent_class)->unroot (widget);
}

static GtkWidget *
new_measures (TsrPlanView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->scrolled = scrolled;
  /* In a list box Tab goes to rows, not to their check buttons. */
  self->measures = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                                 "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->measures), "measures");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->measures), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Measures"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->measures));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MEASURES_HEIGHT);
  gtk_widget_add_css_class (scrolled, "frame");
  return scrolled;
}

static GtkWidget *
new_result (TsrPlanView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  self->verdict_icon = gtk_image_new ();
  self->verdict = GTK_LABEL (new_label (NULL, "heading", FALSE));
  gtk_widget_set_hexpand (GTK_WIDGET (self->verdict), TRUE);
  gtk_box_append (GTK_BOX (line), self->verdict_icon);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->verdict));
  gtk_box_append (GTK_BOX (line),
                  new_button (_ ("C_lear"), "insights.clear-plan", _ ("Ticks nothing")));
  gtk_box_append (GTK_BOX (line), new_button (_ ("_Copy"), "insights.copy-plan",
                                              _ ("The forecast as text, for a ticket")));
  gtk_widget_add_css_class (line, "section-controls");
  gtk_box_append (GTK_BOX (box), line);
  self->ticked = append_label (box, NULL);
  self->proposed = append_label (box, "dim-label");
  self->numbers = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->numbers, 12);
  gtk_grid_set_row_spacing (self->numbers, 3);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->numbers));
  self->peak = append_label (box, NULL);
  self->cycles = append_label (box, "dim-label");
  self->chart = tsr_chart_new ();
  tsr_plane_set_in_scrolled (TSR_PLANE (self->chart), TRUE);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "fix-plan");
  tsr_plane_set_natural_height (TSR_PLANE (self->chart), CHART_HEIGHT);
  g_signal_connect (self->chart, "select", G_CALLBACK (on_select), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->chart));
  self->tiles = tsr_row_view_new ();
  tsr_row_view_set_file_name (self->tiles, "fix-plan-tiles");
  tsr_row_view_set_filter_hint (self->tiles, _ ("Filter by program"));
  gtk_widget_set_size_request (GTK_WIDGET (self->tiles), -1, TABLE_HEIGHT);
  gtk_widget_set_vexpand (GTK_WIDGET (self->tiles), TRUE);
  g_signal_connect (self->tiles, "activate-row", G_CALLBACK (on_tile_activated), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->tiles));
  return box;
}

static void
tsr_plan_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrPlanView *self = TSR_PLAN_VIEW (object);

  if (id == PROP_OPEN)
    g_value_set_boolean (value, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->fold)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
tsr_plan_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrPlanView *self = TSR_PLAN_VIEW (object);

  if (id == PROP_OPEN)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->fold), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
tsr_plan_view_dispose (GObject *object)
{
  TsrPlanView *self = TSR_PLAN_VIEW (object);

  if (self->box != NULL)
    {
      drop_plan (self);
      tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
    }
  g_clear_pointer (&self->first, tsr_latest_free);
  g_clear_pointer (&self->forecasts, tsr_latest_free);
  g_clear_pointer (&self->proposals, tsr_latest_free);
  g_clear_object (&self->model);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  g_clear_pointer (&self->ids, g_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_plan_view_parent_class)->dispose (object);
}

static void
tsr_plan_view_class_init (TsrPlanViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = tsr_plan_view_dispose;
  widget_class->root = tsr_plan_view_root;
  widget_class->unroot = tsr_plan_view_unroot;
  object_class->get_property = tsr_plan_view_get_property;
  object_class->set_property = tsr_plan_view_set_property;
  props[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE,
                                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "planview");
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_plan_view_init (TsrPlanView *self)
{
  GtkWidget *inside = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->first = tsr_latest_new (self, (GDestroyNotify)tsr_forecast_free);
  self->forecasts = tsr_latest_new (self, (GDestroyNotify)tsr_forecast_free);
  self->proposals = tsr_latest_new (self, (GDestroyNotify)tsr_proposal_free);
  self->checks = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->box, "card");
  gtk_widget_add_css_class (self->box, "plan-card");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_box_append (GTK_BOX (self->box), new_bar (self));
  self->revealer = gtk_revealer_new ();
  gtk_widget_add_css_class (inside, "plan-inside");
  self->missing = append_label (inside, NULL);
  self->growth = append_label (inside, NULL);
  self->content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->content,
                                 tsr_flip_layout_new (WIDE, MEASURES_SHARE, TRUE, 12));
  gtk_box_append (GTK_BOX (self->content), new_measures (self));
  gtk_box_append (GTK_BOX (self->content), new_result (self));
  gtk_box_append (GTK_BOX (inside), self->content);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), inside);
  gtk_box_append (GTK_BOX (self->box), self->revealer);
}

TsrPlanView *
tsr_plan_view_new (void)
{
  return g_object_new (TSR_TYPE_PLAN_VIEW, NULL);
}
