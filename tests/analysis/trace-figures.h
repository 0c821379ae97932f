/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything that a trace is asked. */

#pragma once

#include "analysis-test.h"

G_BEGIN_DECLS

/* Adds to @out what the trace of @report (without one: nothing) answers. */
void trace_figures_add (const AnalysisReport *report, GString *out);

G_END_DECLS
