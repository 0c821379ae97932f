/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paints what has been read of an execution. */

#include "config.h"

#include "tsr-trace-preview.h"

#include "tsr-palette.h"
#include "tsr-screen-painter.h"
#include "tsr-trace-chart.h"

#include <glib/gi18n.h>
#include <math.h>

#define PERIOD_MS 100
#define WIDTH     720
#define BAND      18
#define GAP       4
#define MOST_IPUS 16 /* that are drawn */
#define NOTHING   0xff

struct _TsrTracePreview
{
  GtkWidget parent_instance;

  TsrSession *session;
  TsrExecutionPreview *preview; /* (nullable) */
  gconstpointer report;         /* whose it is; never followed */
  guint timeout;
};

G_DEFINE_FINAL_TYPE (TsrTracePreview, tsr_trace_preview, GTK_TYPE_WIDGET)

static gboolean
update (gpointer data)
{
  TsrTracePreview *self = data;
  TsrReport *report = tsr_session_get_report (self->session);
  TsrExecutionPreview *preview = report != NULL ? tsr_report_dup_execution_preview (report) : NULL;
  guint n_before = self->preview != NULL ? self->preview->n_ipus : 0;

  /* What was seen last stays while the trace is made from it. */
  if (preview == self->preview || (preview == NULL && report == self->report))
    {
      g_clear_pointer (&preview, tsr_execution_preview_unref);
      return G_SOURCE_CONTINUE;
    }
  self->report = report;
  g_clear_pointer (&self->preview, tsr_execution_preview_unref);
  self->preview = preview;
  if ((preview != NULL ? preview->n_ipus : 0) != n_before)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  else
    gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_CONTINUE;
}

static void
tsr_trace_preview_map (GtkWidget *widget)
{
  TsrTracePreview *self = TSR_TRACE_PREVIEW (widget);

  GTK_WIDGET_CLASS (tsr_trace_preview_parent_class)->map (widget);
  if (self->timeout == 0)
    self->timeout = g_timeout_add (PERIOD_MS, update, self);
}

static void
tsr_trace_preview_unmap (GtkWidget *widget)
{
  TsrTracePreview *self = TSR_TRACE_PREVIEW (widget);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->preview, tsr_execution_preview_unref);
  GTK_WIDGET_CLASS (tsr_trace_preview_parent_class)->unmap (widget);
}

static GdkRGBA
get_colour (const char *name, gboolean dark)
{
  const TsrTraceType type = { .name = name, .label = name, .group = tsr_step_group_of (name) };
  TsrColor colour = tsr_palette_get (tsr_trace_get_ink (&type), dark);

  return (GdkRGBA){ colour.red, colour.green, colour.blue, colour.alpha };
}

static void
append (GtkSnapshot *snapshot, const GdkRGBA *colour, double x1, double x2, double y)
{
  if (x2 > x1)
    gtk_snapshot_append_color (snapshot, colour,
                               &GRAPHENE_RECT_INIT ((float)x1, (float)y, (float)(x2 - x1), BAND));
}

/* Columns of one type are one rectangle. */
static void
snapshot_band (const TsrExecutionPreview *preview,
               guint ipu,
               const GdkRGBA *colours,
               guint n_colours,
               const GdkRGBA *ground,
               double width,
               GtkSnapshot *snapshot)
{
  const guint8 *types = preview->type + (gsize)ipu * preview->n_columns;
  double per = width / MAX (preview->n_columns, 1), y = ipu * (BAND + GAP);

  append (snapshot, ground, 0, width, y);
  for (guint from = 0, to; from < preview->n_columns; from = to)
    {
      for (to = from + 1; to < preview->n_columns && types[to] == types[from]; to++)
        ;
      if (types[from] != NOTHING && types[from] < n_colours)
        append (snapshot, &colours[types[from]], floor (from * per), floor (to * per), y);
    }
}

static void
tsr_trace_preview_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrTracePreview *self = TSR_TRACE_PREVIEW (widget);
  gboolean dark = tsr_widget_is_dark (widget);
  g_autofree GdkRGBA *colours = NULL;
  GdkRGBA ground;
  guint n;

  if (self->preview == NULL)
    return;
  n = g_strv_length (self->preview->names);
  colours = g_new0 (GdkRGBA, n);
  for (guint i = 0; i < n; i++)
    colours[i] = get_colour (self->preview->names[i], dark);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &ground);
  ground.alpha = 0.06f;
  for (guint i = 0; i < MIN (self->preview->n_ipus, MOST_IPUS); i++)
    snapshot_band (self->preview, i, colours, n, &ground, gtk_widget_get_width (widget), snapshot);
}

static void
tsr_trace_preview_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  TsrTracePreview *self = TSR_TRACE_PREVIEW (widget);
  guint n = self->preview != NULL ? MIN (self->preview->n_ipus, MOST_IPUS) : 0;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = (int)(n * (BAND + GAP));
  else
    {
      *minimum = 120;
      *natural = WIDTH;
    }
}

static void
tsr_trace_preview_dispose (GObject *object)
{
  TsrTracePreview *self = TSR_TRACE_PREVIEW (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->preview, tsr_execution_preview_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_preview_parent_class)->dispose (object);
}

static void
tsr_trace_preview_class_init (TsrTracePreviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_preview_dispose;
  widget_class->measure = tsr_trace_preview_measure;
  widget_class->snapshot = tsr_trace_preview_snapshot;
  widget_class->map = tsr_trace_preview_map;
  widget_class->unmap = tsr_trace_preview_unmap;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tsr_trace_preview_init (TsrTracePreview *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What has been read of the execution so far"), -1);
}

TsrTracePreview *
tsr_trace_preview_new (TsrSession *session)
{
  TsrTracePreview *self;

  g_return_val_if_fail (TSR_IS_SESSION (session), NULL);
  self = g_object_new (TSR_TYPE_TRACE_PREVIEW, NULL);
  self->session = g_object_ref (session);
  return self;
}
