/* SPDX-License-Identifier: GPL-3.0-or-later */

/* --table: a table of the window, printed. */

#pragma once

#include "tsr-cli-trace.h"

G_BEGIN_DECLS

/* What the command line says of the question; each (nullable). */
typedef struct
{
  const char *tiles, *source, *steps, *group, *depth, *expression, *scope, *replica;
  gboolean gone;           /* a-to-b: only what is live at A and gone by B */
  gboolean no_always_live; /* peak: without what is always live */
  gboolean flushes;        /* blocks: with the profiler's own copies */
  const TsrCliTraceWords *trace;
  const char *exclude;
} TsrCliTableWords;

/* Prints cli->table of cli->command.  The exit status. */
int tsr_cli_print_table (TsrCli *cli, const TsrCliTableWords *words);

G_END_DECLS
