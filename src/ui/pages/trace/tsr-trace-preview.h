/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What has been read of an execution so far: a band for each IPU, in the colours of the step types,
 * looked at ten times a second while it can be seen. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_PREVIEW (tsr_trace_preview_get_type ())
G_DECLARE_FINAL_TYPE (TsrTracePreview, tsr_trace_preview, TSR, TRACE_PREVIEW, GtkWidget)

TsrTracePreview *tsr_trace_preview_new (TsrSession *session);

G_END_DECLS
