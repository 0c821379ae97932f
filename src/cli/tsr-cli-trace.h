/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the commands about the execution: opening a trace, and parsing the range and the types
 * on the command line. */

#pragma once

#include "tsr-cli.h"
#include "tsr-trace.h"

G_BEGIN_DECLS

/* As given; each (nullable). */
typedef struct
{
  char *from, *to, *ipu, *run;
} TsrCliTraceWords;
void tsr_cli_trace_words_clear (TsrCliTraceWords *words);

typedef struct
{
  gint64 from, to; /* cycles: the whole trace, the run, or the part that was given */
  guint ipu;       /* or TSR_NO_INDEX: all */
  guint run;       /* row, or TSR_NO_INDEX: all */
  gboolean cut;    /* --from or --to was given */
} TsrCliTraceRange;

/* (transfer full) (nullable): the trace and its report; NULL after printing why not (*report may be
 * set then, too). */
TsrTrace *tsr_cli_trace_open (TsrCli *cli, TsrLoadFlags flags, TsrReport **report);
/* Row of the run with the number @text, and the IPU; TSR_NO_INDEX when @text is NULL. FALSE after
 * printing what is wrong, as for all below. */
gboolean tsr_cli_trace_run (TsrCli *cli, const TsrTrace *trace, const char *text, guint *row);
gboolean tsr_cli_trace_ipu (TsrCli *cli, const TsrTrace *trace, const char *text, guint *ipu);
/* @blocks: the whole trace goes on to the last block, and so does a run without times of steps. */
gboolean tsr_cli_trace_range (TsrCli *cli,
                              const TsrTrace *trace,
                              const TsrCliTraceWords *words,
                              gboolean blocks,
                              TsrCliTraceRange *range);
/* Mask of the types named in @words (nullable), separated by commas. */
gboolean
tsr_cli_trace_exclude (TsrCli *cli, const TsrTrace *trace, const char *words, guint32 *hidden);

G_END_DECLS
