/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the window says of a report in its header bar, and what the list of recent ones is told. */

#pragma once

#include "tsr-session.h"

G_BEGIN_DECLS

/* (transfer full): "me@host · /data/run1 · Poplar 3.1.0 · 2 replicas × 2 IPUs, Mk2, 1.33 GHz". */
char *tsr_window_texts_dup_subtitle (TsrReport *report);

/* Notes in the list of recent reports whether the one of @session fits, once that is known. */
void tsr_window_texts_note_outcome (TsrSession *session);

G_END_DECLS
