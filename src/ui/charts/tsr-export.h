/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What leaves a chart, whatever widget shows it: an image file, an image on the clipboard, the
 * visible data as CSV.  How it went is told with the widget's "toast" signal (char *). */

#pragma once

#include "tsr-chart-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  GtkWidget *widget; /* has a "toast" signal */
  TsrChartModel *model;
  const char *file_name;     /* a word: "memory" */
  double from, to;           /* visible range */
  int width, height;         /* of the image, logical pixels; small ones become larger */
  GCancellable *cancellable; /* of the widget */
} TsrExport;

/* Ask for a file, then write it. */
void tsr_export_ask_image (const TsrExport *what);
void tsr_export_ask_data (const TsrExport *what);
void tsr_export_copy_image (const TsrExport *what);
void tsr_export_write_image (const TsrExport *what, const char *path);
void tsr_export_write_data (const TsrExport *what, const char *path);

G_END_DECLS
