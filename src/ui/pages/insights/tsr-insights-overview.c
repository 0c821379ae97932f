/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cards of the overview: verdict, fullest tiles, histogram. */

#include "config.h"

#include "tsr-insights-overview.h"

#include "tsr-canvas.h"
#include "tsr-flip-layout.h"
#include "tsr-insight-charts.h"
#include "tsr-page.h"
#include "tsr-swatch.h"

#include <glib/gi18n.h>

#define N_TOP            5
#define BAR_HEIGHT       14
#define TOP_HEIGHT       20
#define HISTOGRAM_HEIGHT 110
#define ROOMY            2    /* times as high */
#define MAX_KEYS         4    /* of IPUs: those of more are told in one */
#define WIDE             1000 /* the three cards side by side */
#define PAIR_WIDE        700  /* the last two of them, under the first */

/* One of the fullest tiles: a button with its bar. */
typedef struct
{
  TsrInsightsOverview *owner;
  guint tile;
  gint64 bytes;
  GtkWidget *button, *name, *value, *ipu;
  TsrCanvas *bar;
} TopTile;

struct _TsrInsightsOverview
{
  GtkWidget parent_instance;

  TsrInsights *insights;
  TsrMemory *memory;
  TsrUnits units;
  GtkWidget *box; /* the three parts */
  GtkWidget *icon;
  GtkLabel *status, *detail;
  TsrCanvas *parts;
  GtkWidget *legend;
  TopTile top[N_TOP];
  GtkWidget *show_all; /* of them */
  GtkLabel *histogram_title;
  TsrCanvas *histogram;
  GtkWidget *histogram_key;
  GtkWidget *histogram_frame; /* takes the pointer */
  guint32 hover;
  gboolean roomy;
  guint tick;
};

G_DEFINE_FINAL_TYPE (TsrInsightsOverview, tsr_insights_overview, GTK_TYPE_WIDGET)

/* ---------------------------------------------------------------- going there */

static void
show_tiles (TsrInsightsOverview *self, const guint *tiles, guint n_tiles)
{
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_MEMORY);
  g_autofree char *text = tsr_memory_format_tiles (tiles, n_tiles);

  tsr_view_words_set (words, "tiles", text);
  tsr_page_go (GTK_WIDGET (self), words);
}

static void
on_top_clicked (GtkButton *button, TopTile *top)
{
  show_tiles (top->owner, &top->tile, 1);
}

static void
on_show_all (GtkButton *button, TsrInsightsOverview *self)
{
  guint n = 0;
  const guint *tiles = self->insights != NULL ? tsr_insights_peek_top (self->insights, &n) : NULL;

  if (n > 0)
    show_tiles (self, tiles, n);
}

/* The tiles of a bin of the histogram. */
static void
show_bin (TsrInsightsOverview *self, guint bin)
{
  g_autoptr (GArray) tiles = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < tsr_memory_get_n_tiles (self->memory); i++)
    if (tsr_insights_find_bin (self->insights, self->memory, i) == bin)
      g_array_append_val (tiles, i);
  if (tiles->len > 0)
    show_tiles (self, (const guint *)tiles->data, tiles->len);
}

/* ---------------------------------------------------------------- canvases */

static void
layout_parts (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrInsightsOverview *self = data;
  gint64 parts[TSR_N_PARTS];

  if (self->insights == NULL)
    return;
  tsr_insights_get_worst_parts (self->insights, parts);
  tsr_insight_charts_layout_parts (parts, tsr_memory_get_capacity (self->memory), geometry, list);
}

static void
layout_top (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TopTile *top = data;
  gint64 capacity;

  if (top->owner->insights == NULL)
    return;
  capacity = tsr_memory_get_capacity (top->owner->memory);
  tsr_insight_charts_layout_bar (top->bytes, capacity, MAX (capacity, top->owner->top[0].bytes),
                                 geometry, list);
}

static void
layout_histogram (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrInsightsOverview *self = data;

  if (self->insights != NULL)
    tsr_insight_charts_layout_histogram (self->insights, self->units, self->hover, geometry, list);
}

static void
set_hover (TsrInsightsOverview *self, guint32 bin)
{
  if (bin == self->hover)
    return;
  self->hover = bin;
  tsr_canvas_invalidate (self->histogram);
  gtk_widget_trigger_tooltip_query (self->histogram_frame);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, TsrInsightsOverview *self)
{
  set_hover (self, tsr_insight_charts_find_bin (tsr_canvas_get_list (self->histogram), x));
}

static void
on_leave (GtkEventControllerMotion *controller, TsrInsightsOverview *self)
{
  set_hover (self, TSR_NO_DATUM);
}

static void
on_pressed (GtkGestureClick *gesture, int n, double x, double y, TsrInsightsOverview *self)
{
  guint32 bin = tsr_insight_charts_find_bin (tsr_canvas_get_list (self->histogram), x);

  gtk_widget_grab_focus (self->histogram_frame);
  if (bin != TSR_NO_DATUM)
    show_bin (self, bin);
}

static gboolean
on_tooltip (GtkWidget *widget,
            int x,
            int y,
            gboolean keyboard,
            GtkTooltip *tooltip,
            TsrInsightsOverview *self)
{
  g_autofree char *text = NULL;

  if (self->insights == NULL || self->hover == TSR_NO_DATUM)
    return FALSE;
  text = tsr_insight_charts_describe_bin (self->insights, self->hover, self->units);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* Arrows go from bin to bin, Return shows its tiles. */
static gboolean
on_key (GtkEventControllerKey *controller,
        guint key,
        guint code,
        GdkModifierType state,
        TsrInsightsOverview *self)
{
  guint32 bin = self->hover;
  g_autofree char *text = NULL;

  if (self->insights == NULL)
    return FALSE;
  if (key == GDK_KEY_Left)
    bin = bin == TSR_NO_DATUM || bin == 0 ? 0 : bin - 1;
  else if (key == GDK_KEY_Right)
    bin = bin == TSR_NO_DATUM ? 0 : MIN (bin + 1, TSR_N_BINS);
  else if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && bin != TSR_NO_DATUM)
    {
      show_bin (self, bin);
      return TRUE;
    }
  else
    return FALSE;
  set_hover (self, bin);
  text = tsr_insight_charts_describe_bin (self->insights, bin, self->units);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->histogram_frame),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  return TRUE;
}

/* ---------------------------------------------------------------- filling */

/* A number and its percent sign stay on one line. */
static void
set_unbroken (GtkLabel *label, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, " %", -1);
  g_autofree char *joined = g_strjoinv ("\302\240%", parts);

  gtk_label_set_label (label, joined);
}

static void
fill_status (TsrInsightsOverview *self)
{
  static const struct
  {
    const char *icon, *css_class;
  } looks[] = {
    [TSR_FITS] = { "object-select-symbolic", "success" },
    [TSR_OUT_OF_MEMORY] = { "dialog-error-symbolic", "error" },
    [TSR_FIT_UNKNOWN] = { "dialog-question-symbolic", "warning" },
  };
  TsrFit fit = tsr_insights_get_fit (self->insights);
  g_autofree char *status = tsr_insights_dup_status (self->insights, self->units);
  g_autofree char *detail = tsr_insights_dup_status_detail (self->insights, self->units);

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    gtk_widget_remove_css_class (self->icon, looks[i].css_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), looks[fit].icon);
  gtk_widget_add_css_class (self->icon, looks[fit].css_class);
  set_unbroken (self->status, status);
  set_unbroken (self->detail, detail);
}

static GtkWidget *
new_key (const char *text, const char *tooltip, guint ink)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label, *swatch = GTK_WIDGET (tsr_swatch_new ());
  const TsrChartSeries series = { .ink = ink, .filled = TRUE, .visible = TRUE };

  tsr_swatch_set_series (TSR_SWATCH (swatch), &series);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  label = gtk_label_new (text);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_tooltip_text (box, tooltip);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
new_legend_entry (guint part, gint64 bytes, TsrUnits units)
{
  g_autofree char *size = tsr_units_dup_bytes (units, bytes);
  g_autofree char *exact = tsr_units_dup_bytes_exact (bytes);
  g_autofree char *text = g_strdup_printf ("%s %s", size, tsr_part_get_name (part));
  g_autofree char *tooltip = g_strdup_printf ("%s: %s", tsr_part_get_name (part), exact);

  return new_key (text, tooltip, tsr_part_get_ink (part));
}

/* The IPUs from the foot of the bars on, as far as they have colours of their own, and what does
 * not fit. */
static void
fill_histogram_key (TsrInsightsOverview *self)
{
  guint n_ipus = 0;

  gtk_label_set_label (self->histogram_title,
                       tsr_memory_get_fullness_metric (self->memory) == TSR_METRIC_INCLUDING_GAPS
                           ? _ ("Tiles by memory, including gaps")
                           : _ ("Tiles by memory"));
  tsr_insights_peek_histogram (self->insights, &n_ipus);
  for (GtkWidget *child; (child = gtk_widget_get_first_child (self->histogram_key)) != NULL;)
    gtk_box_remove (GTK_BOX (self->histogram_key), child);
  for (guint i = 0; n_ipus > 1 && i < n_ipus && n_ipus <= MAX_KEYS; i++)
    {
      g_autofree char *name = g_strdup_printf (_ ("IPU %u"), i);

      gtk_box_append (GTK_BOX (self->histogram_key),
                      new_key (name, NULL, TSR_INK_IPU + i % TSR_N_IPU_INKS));
    }
  if (n_ipus > MAX_KEYS)
    {
      g_autofree char *name = g_strdup_printf (_ ("IPU 0 to %u, upwards"), n_ipus - 1);

      gtk_box_append (GTK_BOX (self->histogram_key), new_key (name, NULL, TSR_INK_IPU));
    }
  if (tsr_insight_charts_get_bin_tiles (self->insights, TSR_N_BINS) > 0)
    gtk_box_append (GTK_BOX (self->histogram_key),
                    new_key (_ ("Does not fit"), NULL, TSR_INK_OVERFLOW));
}

static void
fill_parts (TsrInsightsOverview *self)
{
  gint64 parts[TSR_N_PARTS];
  gboolean any = FALSE;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->legend)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->legend), child);
  tsr_insights_get_worst_parts (self->insights, parts);
  for (guint i = 0; i < TSR_N_PARTS; i++)
    if (parts[i] != TSR_UNKNOWN && parts[i] > 0)
      {
        gtk_flow_box_insert (GTK_FLOW_BOX (self->legend),
                             new_legend_entry (i, parts[i], self->units), -1);
        any = TRUE;
      }
  gtk_widget_set_visible (GTK_WIDGET (self->parts), any);
  gtk_widget_set_visible (self->legend, any);
  tsr_canvas_invalidate (self->parts);
}

static void
fill_top (TsrInsightsOverview *self)
{
  const gint64 *bytes
      = tsr_memory_peek (self->memory, tsr_memory_get_fullness_metric (self->memory));
  guint n = 0;
  const guint *tiles = tsr_insights_peek_top (self->insights, &n);

  gtk_widget_set_visible (self->show_all, n == N_TOP);
  for (guint i = 0; i < N_TOP; i++)
    {
      TopTile *top = &self->top[i];
      g_autofree char *name = NULL, *value = NULL, *ipu = NULL, *exact = NULL, *label = NULL;

      gtk_widget_set_visible (top->button, i < n);
      if (i >= n)
        continue;
      top->tile = tiles[i];
      top->bytes = bytes != NULL ? bytes[tiles[i]] : TSR_UNKNOWN;
      name = g_strdup_printf (_ ("Tile %u"), top->tile);
      value = tsr_units_dup_bytes (self->units, top->bytes);
      exact = tsr_units_dup_bytes_exact (top->bytes);
      ipu = g_strdup_printf (_ ("IPU %u"), tsr_memory_get_ipu (self->memory, top->tile));
      label = g_strdup_printf (_ ("Tile %u, %s: show in Memory"), top->tile, value);
      gtk_label_set_label (GTK_LABEL (top->name), name);
      gtk_label_set_label (GTK_LABEL (top->value), value);
      gtk_label_set_label (GTK_LABEL (top->ipu), ipu);
      gtk_widget_set_tooltip_text (top->button, exact);
      gtk_accessible_update_property (GTK_ACCESSIBLE (top->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      label, -1);
      tsr_canvas_invalidate (top->bar);
    }
}

void
tsr_insights_overview_set_insights (TsrInsightsOverview *self,
                                    TsrInsights *insights,
                                    TsrMemory *memory,
                                    TsrUnits units)
{
  g_return_if_fail (TSR_IS_INSIGHTS_OVERVIEW (self));

  g_clear_pointer (&self->insights, tsr_insights_unref);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  self->units = units;
  self->hover = TSR_NO_DATUM;
  if (insights != NULL && memory != NULL)
    {
      self->insights = tsr_insights_ref (insights);
      self->memory = tsr_memory_ref (memory);
      fill_status (self);
      fill_parts (self);
      fill_top (self);
      fill_histogram_key (self);
    }
  tsr_canvas_invalidate (self->histogram);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrInsightsOverview *self = TSR_INSIGHTS_OVERVIEW (widget);
  int times = self->roomy ? ROOMY : 1;

  self->tick = 0;
  gtk_widget_set_size_request (GTK_WIDGET (self->parts), 120, BAR_HEIGHT * times);
  for (guint i = 0; i < N_TOP; i++)
    {
      gtk_widget_set_size_request (self->top[i].button, -1, TOP_HEIGHT * times);
      gtk_widget_set_size_request (GTK_WIDGET (self->top[i].bar), 60, BAR_HEIGHT * times);
    }
  gtk_widget_set_size_request (self->histogram_frame, 200, HISTOGRAM_HEIGHT * times);
  return G_SOURCE_REMOVE;
}

/* The page learns its height while it is laid out, which is no time to ask for another one. */
void
tsr_insights_overview_set_roomy (TsrInsightsOverview *self, gboolean roomy)
{
  g_return_if_fail (TSR_IS_INSIGHTS_OVERVIEW (self));

  if (self->roomy == !!roomy)
    return;
  self->roomy = !!roomy;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

/* ---------------------------------------------------------------- building */

static GtkWidget *
new_card (const char *title)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "overview-card");
  gtk_widget_set_hexpand (card, TRUE);
  if (title != NULL)
    {
      GtkWidget *label = gtk_label_new (title);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (label, "heading");
      gtk_box_append (GTK_BOX (card), label);
    }
  return card;
}

static GtkLabel *
new_wrapped (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* By the pointer only: the keyboard would select all of it on its way.  Only not focusable, it
   * would still stop Tab. */
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (label, css_class);
  return GTK_LABEL (label);
}

static GtkWidget *
new_status_card (TsrInsightsOverview *self)
{
  GtkWidget *card = new_card (NULL);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  self->icon = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (self->icon), 24);
  gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
  self->status = new_wrapped ("heading");
  self->detail = new_wrapped ("dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (self->status), TRUE);
  gtk_box_append (GTK_BOX (line), self->icon);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->status));
  self->parts = tsr_canvas_new (layout_parts, self);
  gtk_widget_set_size_request (GTK_WIDGET (self->parts), 120, BAR_HEIGHT);
  self->legend = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->legend), GTK_SELECTION_NONE);
  gtk_widget_set_can_focus (self->legend, FALSE); /* of its children it would still stop Tab */
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (self->legend), 9);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (self->legend), 2);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->legend), TSR_N_PARTS);
  gtk_widget_add_css_class (self->legend, "parts-legend");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->legend), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Fullest tile"), -1);
  gtk_box_append (GTK_BOX (card), line);
  gtk_box_append (GTK_BOX (card), GTK_WIDGET (self->parts));
  gtk_box_append (GTK_BOX (card), self->legend);
  gtk_box_append (GTK_BOX (card), GTK_WIDGET (self->detail));
  return card;
}

static void
init_top (TsrInsightsOverview *self, TopTile *top, GtkGrid *grid, int row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  top->owner = self;
  top->button = gtk_button_new ();
  top->name = gtk_label_new (NULL);
  top->value = gtk_label_new (NULL);
  top->ipu = gtk_label_new (NULL);
  top->bar = tsr_canvas_new (layout_top, top);
  gtk_widget_set_size_request (GTK_WIDGET (top->bar), 60, BAR_HEIGHT);
  gtk_widget_set_hexpand (GTK_WIDGET (top->bar), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (top->bar), GTK_ALIGN_CENTER);
  gtk_label_set_width_chars (GTK_LABEL (top->name), 9);
  gtk_label_set_xalign (GTK_LABEL (top->name), 0);
  gtk_label_set_width_chars (GTK_LABEL (top->value), 8);
  gtk_label_set_xalign (GTK_LABEL (top->value), 1);
  gtk_widget_add_css_class (top->name, "numeric");
  gtk_widget_add_css_class (top->value, "numeric");
  gtk_widget_add_css_class (top->ipu, "numeric");
  gtk_widget_add_css_class (top->ipu, "dim-label");
  gtk_box_append (GTK_BOX (box), top->name);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (top->bar));
  gtk_box_append (GTK_BOX (box), top->value);
  gtk_box_append (GTK_BOX (box), top->ipu);
  gtk_button_set_child (GTK_BUTTON (top->button), box);
  gtk_widget_add_css_class (top->button, "flat");
  gtk_widget_add_css_class (top->button, "top-tile");
  gtk_widget_set_hexpand (top->button, TRUE);
  g_signal_connect (top->button, "clicked", G_CALLBACK (on_top_clicked), top);
  gtk_grid_attach (grid, top->button, 0, row, 1, 1);
}

static GtkWidget *
new_top_card (TsrInsightsOverview *self)
{
  GtkWidget *card = new_card (_ ("Fullest tiles"));
  GtkWidget *heading = gtk_widget_get_first_child (card);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *all = gtk_button_new_with_label (_ ("Show All Five"));
  GtkWidget *grid = gtk_grid_new ();

  gtk_widget_set_hexpand (heading, TRUE);
  g_object_ref (heading);
  gtk_box_remove (GTK_BOX (card), heading);
  gtk_box_append (GTK_BOX (line), heading);
  g_object_unref (heading);
  gtk_widget_add_css_class (all, "flat");
  gtk_widget_add_css_class (all, "top-tile");
  gtk_widget_set_tooltip_text (all, _ ("These five tiles in Memory"));
  g_signal_connect (all, "clicked", G_CALLBACK (on_show_all), self);
  self->show_all = all;
  gtk_box_append (GTK_BOX (line), all);
  gtk_box_append (GTK_BOX (card), line);
  for (guint i = 0; i < N_TOP; i++)
    init_top (self, &self->top[i], GTK_GRID (grid), i);
  gtk_box_append (GTK_BOX (card), grid);
  return card;
}

static GtkWidget *
new_histogram_card (TsrInsightsOverview *self)
{
  GtkWidget *card = new_card (_ ("Tiles by memory, including gaps"));
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->histogram_title = GTK_LABEL (gtk_widget_get_first_child (card));
  self->histogram = tsr_canvas_new (layout_histogram, self);
  gtk_widget_set_vexpand (GTK_WIDGET (self->histogram), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->histogram), TRUE);
  self->histogram_frame
      = g_object_new (GTK_TYPE_BOX, "focusable", TRUE, "has-tooltip", TRUE, "css-name", "chart",
                      "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_widget_set_size_request (self->histogram_frame, 200, HISTOGRAM_HEIGHT);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->histogram_frame),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Histogram of the tiles by memory"), -1);
  gtk_box_append (GTK_BOX (self->histogram_frame), GTK_WIDGET (self->histogram));
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (self->histogram_frame, "query-tooltip", G_CALLBACK (on_tooltip), self);
  gtk_widget_add_controller (self->histogram_frame, motion);
  gtk_widget_add_controller (self->histogram_frame, keys);
  gtk_widget_add_controller (self->histogram_frame, GTK_EVENT_CONTROLLER (click));
  self->histogram_key = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append (GTK_BOX (card), self->histogram_key);
  gtk_box_append (GTK_BOX (card), self->histogram_frame);
  return card;
}

static void
tsr_insights_overview_dispose (GObject *object)
{
  TsrInsightsOverview *self = TSR_INSIGHTS_OVERVIEW (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->insights, tsr_insights_unref);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  G_OBJECT_CLASS (tsr_insights_overview_parent_class)->dispose (object);
}

static void
tsr_insights_overview_class_init (TsrInsightsOverviewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_insights_overview_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
tsr_insights_overview_init (TsrInsightsOverview *self)
{
  GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->hover = TSR_NO_DATUM;
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->box, tsr_flip_layout_new (WIDE, 1.0 / 3, TRUE, 12));
  gtk_box_append (GTK_BOX (self->box), new_status_card (self));
  gtk_widget_set_layout_manager (pair, tsr_flip_layout_new (PAIR_WIDE, 0, TRUE, 12));
  gtk_box_append (GTK_BOX (pair), new_top_card (self));
  gtk_box_append (GTK_BOX (pair), new_histogram_card (self));
  gtk_box_append (GTK_BOX (self->box), pair);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
tsr_insights_overview_new (void)
{
  return g_object_new (TSR_TYPE_INSIGHTS_OVERVIEW, NULL);
}
