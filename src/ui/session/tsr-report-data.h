/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is computed from one report: a table of nodes, each with the stages, the other nodes and the
 * options that it is computed from (tsr-report-data.c).  A node is computed in a worker as soon as
 * what it needs is there, and again when that changes: at most one computation of each runs, a
 * newer one cancels the older one, and the value shown stays until the new one is there; but a node
 * goes at once when another that it was computed from changes.  Nothing here asks the report to
 * read.  Main thread.
 *
 * Signal "changed" (TsrData): the node has another value, or has lost it. */

#pragma once

#include "tsr-insights.h"
#include "tsr-operations.h"
#include "tsr-plan.h"
#include "tsr-program-code.h"
#include "tsr-report.h"
#include "tsr-trace-live.h"

G_BEGIN_DECLS

/* In the order in which they are computed. */
typedef enum
{
  TSR_DATA_MEMORY,   /* TsrMemory; where reading is slow it comes twice: first with totals only */
  TSR_DATA_LIVENESS, /* TsrLiveness; comes twice: first without lowered variables */
  TSR_DATA_VERTICES, /* TsrVertices */
  TSR_DATA_TRACE,    /* TsrTrace */
  TSR_DATA_PROGRAMS, /* TsrPrograms; only when asked for; comes again when execution and liveness
                        are there */
  TSR_DATA_FIRST_OPERATIONS, /* TsrOperations of the first layer; only when asked for; NULL without
                                any layer.  Where reading is slow it comes again with liveness and
                                execution */
  TSR_DATA_INSIGHTS,         /* TsrInsights; only when asked for */
  TSR_DATA_PROGRAM_CODE,     /* TsrProgramCode on the worst tile; only when asked for */
  TSR_DATA_OPERATIONS, /* TsrOperations of the chosen layer: the same ones if that is the first;
                          only when asked for; NULL without that layer */
  TSR_DATA_PLAN,       /* TsrPlan; only when asked for */
  TSR_DATA_TRACE_LIVE, /* TsrTraceLive; only when asked for */
  TSR_N_DATA,
} TsrData;

typedef enum
{
  TSR_DATA_OPTION_TILES_PER_IPU, /* 0: as in the file */
  TSR_DATA_OPTION_UNITS,         /* TsrUnits of sizes in texts */
  TSR_DATA_OPTION_LAYER,         /* GQuark of the operations' layer; 0: the first that they have */
  TSR_N_DATA_OPTIONS,
} TsrDataOption;

/* What a computation may use. */
typedef struct
{
  TsrData node;
  TsrReport *report;
  guint options[TSR_N_DATA_OPTIONS];
  gpointer values[TSR_N_DATA]; /* (nullable): of the nodes that it is computed from */
} TsrDataInputs;

typedef struct
{
  const char *name;    /* of the session's property */
  guint stages;        /* a bit each: they must be ready */
  guint also_stages;   /* computed again when these have ended, whatever came of them */
  guint ended_stages;  /* must have ended, whatever came of them; where reading is slow nobody waits
                          for them: what is there is used */
  guint nodes;         /* must have a value */
  guint also_nodes;    /* are used where they have one */
  guint settled_nodes; /* must not change any more, with a value or without */
  guint ended_nodes;   /* likewise, and are asked for last; where reading is slow they are not used,
                          unless one of the above says so */
  guint options;
  gboolean is_on_request;
  /* (nullable): whether something can be computed before @stages are ready. */
  gboolean (*is_early) (TsrReport *report);
  /* Worker thread.  (transfer full) (nullable) */
  gpointer (*compute) (const TsrDataInputs *inputs, GCancellable *cancellable);
  GBoxedCopyFunc ref;
  GDestroyNotify unref;
} TsrDataKind;

#define TSR_TYPE_REPORT_DATA (tsr_report_data_get_type ())
G_DECLARE_FINAL_TYPE (TsrReportData, tsr_report_data, TSR, REPORT_DATA, GObject)

/* @kinds: NULL, or another table with TSR_N_DATA entries, as tests have. */
TsrReportData *tsr_report_data_new (TsrReport *report,
                                    const guint options[TSR_N_DATA_OPTIONS],
                                    const TsrDataKind *kinds);
const TsrDataKind *tsr_report_data_peek_kinds (void);

/* (transfer none) (nullable) */
gpointer tsr_report_data_get (TsrReportData *self, TsrData node);
/* Somebody shows @node, which is on request: it is computed from here on, and what it is computed
 * from. */
void tsr_report_data_ask (TsrReportData *self, TsrData node);
void tsr_report_data_set_option (TsrReportData *self, TsrDataOption option, guint value);

/* TRUE if @node changes no more unless an option does: it is there, or cannot be had. */
gboolean tsr_report_data_is_settled (TsrReportData *self, TsrData node);

G_END_DECLS
