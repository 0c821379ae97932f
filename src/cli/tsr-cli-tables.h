/* SPDX-License-Identifier: GPL-3.0-or-later */

/* --table: a table of the window, printed. */

#pragma once

#include "tsr-cli-trace.h"

G_BEGIN_DECLS

/* What the command line says of the question; each (nullable). */
typedef struct
{
  const char *tiles, *source, *steps, *group, *depth, *expression, *scope, *replica, *plan;
  const char *layer, *operation;         /* operations */
  gboolean gone;                         /* a-to-b: only what is live at A and gone by B */
  gboolean no_always_live;               /* peak: without what is always live */
  gboolean flushes;                      /* blocks: with the profiler's own copies */
  const char *program, *variable, *hide; /* programs */
  gboolean grouped;
  const TsrCliTraceWords *trace;
  const char *exclude;
} TsrCliTableWords;

/* Prints cli->table of cli->command.  The exit status. */
int tsr_cli_print_table (TsrCli *cli, const TsrCliTableWords *words);

/* (transfer full): @rows as --sort and --filter ask: by KEY, whose numbers are largest first, -KEY
 * or +KEY, smallest first; else by @sort_key (nullable: as they are), largest first.  NULL after
 * saying what is wrong. */
TsrRowOrder *tsr_cli_arrange (TsrCli *cli, TsrRows *rows, const char *sort_key);

G_END_DECLS
