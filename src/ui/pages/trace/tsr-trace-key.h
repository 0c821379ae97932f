/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Step types of a trace with their colours: as checks that count and show them or not, in a box
 * for a popover. */

#pragma once

#include "tsr-trace-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fills @box with a check for each type of @trace (nullable), which follows @state and changes it,
 * and a button that shows all again. */
void tsr_trace_key_fill_types (GtkBox *box, const TsrTrace *trace, TsrTraceState *state);

G_END_DECLS
