/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The x axis of a trace: cycles to positions and back.  A position is cycles since the domain's
 * begin, where a host wait of all shown IPUs that takes more than 1 % of what is left without
 * such waits takes only as much as a notch of 24 pixels on a plot of 1,000 does.  One that this
 * would make longer stays as it is.  Immutable. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

typedef struct _TsrTraceFold TsrTraceFold;

/* Waits: spans of [from, to) in which every IPU of @ipus (NULL: all) is in StreamCopyBegin or has
 * nothing.  Without
 * @fold nothing is folded. */
TsrTraceFold *tsr_trace_fold_new (
    const TsrTrace *trace, gint64 from, gint64 to, const guint8 *ipus, gboolean fold);
void tsr_trace_fold_free (TsrTraceFold *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceFold, tsr_trace_fold_free)

/* Both are cut to the domain. */
double tsr_trace_fold_get_position (const TsrTraceFold *self, gint64 cycles);
gint64 tsr_trace_fold_get_cycles (const TsrTraceFold *self, double position); /* rounded down */
double tsr_trace_fold_get_length (const TsrTraceFold *self); /* positions are [0, length) */
void tsr_trace_fold_get_domain (const TsrTraceFold *self, gint64 *from, gint64 *to);

guint tsr_trace_fold_get_n_notches (const TsrTraceFold *self);
void tsr_trace_fold_get_notch (const TsrTraceFold *self, guint i, gint64 *from, gint64 *to);
/* First notch that ends after @cycles; n_notches when none. */
guint tsr_trace_fold_find_notch (const TsrTraceFold *self, gint64 cycles);

G_END_DECLS
