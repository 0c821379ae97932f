/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What leaves a chart: what is visible of it, in the size it has on the screen. */

#include "config.h"

#include "tsr-chart-private.h"

#include "tsr-export.h"

static TsrExport
get_export (TsrChart *self)
{
  TsrExport what = {
    .widget = GTK_WIDGET (self),
    .model = self->model,
    .file_name = self->file_name,
    .width = gtk_widget_get_width (GTK_WIDGET (self)),
    .height = gtk_widget_get_height (GTK_WIDGET (self)) - TSR_CHART_TOP,
    .cancellable = self->cancellable,
  };

  tsr_viewport_get_range (self->viewport, &what.from, &what.to);
  return what;
}

void
tsr_chart_export_image_to (TsrChart *self, const char *path)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_CHART (self) && path != NULL && self->model != NULL);
  what = get_export (self);
  tsr_export_write_image (&what, path);
}

void
tsr_chart_export_data_to (TsrChart *self, const char *path)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_CHART (self) && path != NULL && self->model != NULL);
  what = get_export (self);
  tsr_export_write_data (&what, path);
}

void
tsr_chart_copy_image (TsrChart *self)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_CHART (self) && self->model != NULL);
  what = get_export (self);
  tsr_export_copy_image (&what);
}

void
tsr_chart_export_image (TsrChart *self)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_CHART (self));
  what = get_export (self);
  if (self->model != NULL)
    tsr_export_ask_image (&what);
}

void
tsr_chart_export_data (TsrChart *self)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_CHART (self));
  what = get_export (self);
  if (self->model != NULL)
    tsr_export_ask_data (&what);
}
