/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a series looks like, 14 x 10 pixels, beside its name. */

#pragma once

#include "tsr-chart-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SWATCH (tsr_swatch_get_type ())
G_DECLARE_FINAL_TYPE (TsrSwatch, tsr_swatch, TSR, SWATCH, GtkWidget)

TsrSwatch *tsr_swatch_new (void);
void tsr_swatch_set_series (TsrSwatch *self, const TsrChartSeries *series);

G_END_DECLS
