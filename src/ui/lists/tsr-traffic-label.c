/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line that says how far reading has come; it looks several times a second while it is on the
 * screen. */

#include "config.h"

#include "tsr-traffic-label.h"

#include "tsr-remote-progress.h"

#define LOOK_MS 250

struct _TsrTrafficLabel
{
  GtkWidget parent_instance;

  GtkWidget *label;
  TsrReport *report;           /* (nullable): that is read */
  TsrRemoteProgress *progress; /* (nullable): of a report behind ssh */
  guint stages;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (TsrTrafficLabel, tsr_traffic_label, GTK_TYPE_WIDGET)

static void
look (TsrTrafficLabel *self)
{
  g_autofree char *text = tsr_remote_progress_look (self->progress, self->stages);

  gtk_label_set_label (GTK_LABEL (self->label), text);
}

static gboolean
on_timeout (gpointer data)
{
  look (data);
  return G_SOURCE_CONTINUE;
}

void
tsr_traffic_label_set_stages (TsrTrafficLabel *self, TsrSession *session, guint stages)
{
  TsrReport *report = stages != 0 ? tsr_session_get_report (session) : NULL;

  g_return_if_fail (TSR_IS_TRAFFIC_LABEL (self));
  self->stages = stages;
  if (g_set_object (&self->report, report))
    {
      g_clear_pointer (&self->progress, tsr_remote_progress_free);
      if (report != NULL)
        self->progress = tsr_remote_progress_new_for_report (report);
    }
  if (self->progress != NULL)
    look (self);
  gtk_widget_set_visible (GTK_WIDGET (self), self->progress != NULL);
}

static void
tsr_traffic_label_map (GtkWidget *widget)
{
  TsrTrafficLabel *self = TSR_TRAFFIC_LABEL (widget);

  GTK_WIDGET_CLASS (tsr_traffic_label_parent_class)->map (widget);
  if (self->progress == NULL)
    return;
  look (self);
  self->timeout = g_timeout_add (LOOK_MS, on_timeout, self);
}

static void
tsr_traffic_label_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&TSR_TRAFFIC_LABEL (widget)->timeout, g_source_remove);
  GTK_WIDGET_CLASS (tsr_traffic_label_parent_class)->unmap (widget);
}

static void
tsr_traffic_label_dispose (GObject *object)
{
  TsrTrafficLabel *self = TSR_TRAFFIC_LABEL (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->progress, tsr_remote_progress_free);
  g_clear_object (&self->report);
  g_clear_pointer (&self->label, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_traffic_label_parent_class)->dispose (object);
}

static void
tsr_traffic_label_class_init (TsrTrafficLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_traffic_label_dispose;
  widget_class->map = tsr_traffic_label_map;
  widget_class->unmap = tsr_traffic_label_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
tsr_traffic_label_init (TsrTrafficLabel *self)
{
  self->label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->label), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->label, "dim-label");
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
  gtk_widget_hide (GTK_WIDGET (self));
}

TsrTrafficLabel *
tsr_traffic_label_new (void)
{
  return g_object_new (TSR_TYPE_TRAFFIC_LABEL, NULL);
}
