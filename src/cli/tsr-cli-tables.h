/* SPDX-License-Identifier: GPL-3.0-or-later */

/* --table: a table of the window, printed. */

#pragma once

#include "tsr-cli-trace.h"

G_BEGIN_DECLS

/* What the command line says of the question; each (nullable). */
typedef struct
{
  const char *tiles, *source, *steps, *group, *depth, *expression, *scope, *replica;
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

/* Column of --sort=KEY or -KEY, else of @sort_key (nullable), largest first; -1: as the rows are.
 * FALSE after saying what is wrong. */
gboolean tsr_cli_find_order (
    TsrCli *cli, TsrRows *rows, const char *sort_key, int *column, gboolean *descending);

G_END_DECLS
