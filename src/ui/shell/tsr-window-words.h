/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the window says of a report in its header bar. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* (transfer full): "me@host · /data/run1 · Poplar 3.1.0 · 2 replicas × 2 IPUs, Mk2, 1.33 GHz". */
char *tsr_window_words_dup_subtitle (TsrReport *report);

G_END_DECLS
