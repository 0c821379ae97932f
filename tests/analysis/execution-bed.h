/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An execution made by hand, for one rule at a time: IPUs of 100 tiles, and where each has got to.
 */

#pragma once

#include "trace-test.h"
#include "tsr-insights-private.h"

G_BEGIN_DECLS

typedef struct
{
  TraceTest *t;
  gint64 now[6]; /* cycles, by IPU */
  TsrTrace *trace;
  TsrSummary summary;
  TsrInsightContext c;
} Bed;

Bed *bed_new (guint n_ipus, guint ipus_per_replica);
void bed_free (Bed *bed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bed, bed_free)

/* The next @cycles of @ipu. */
TraceTestSlice *bed_run (Bed *bed, guint ipu, const char *type, const char *name, gint64 cycles);
void
bed_compute (Bed *bed, guint ipu, const char *name, gint64 cycles, double balance, gint64 active);

/* What the rule @id says of it; the verdict is the caller's.  Nothing is laid after. */
TsrRuleResult bed_check (Bed *bed, const char *id, TsrVerdict *verdict);
/* The same, for those who want to know nothing else. */
TsrRuleResult bed_result (Bed *bed, const char *id);
const TsrEvidence *bed_evidence (const TsrVerdict *verdict, guint i);

G_END_DECLS
