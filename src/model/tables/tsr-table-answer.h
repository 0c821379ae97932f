/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What answers a question for a table: its rows with what they stand for, or the words in their
 * place.  Any thread. */

#pragma once

#include "tsr-liveness.h"
#include "tsr-rows.h"

G_BEGIN_DECLS

typedef struct _TsrTraceAnswer TsrTraceAnswer;

typedef struct
{
  TsrRows *rows;        /* (nullable) */
  char *title, *text;   /* instead of rows, or of an empty table (nullable) */
  const char *sort_key; /* (nullable): column of the first order, largest first */
  TsrRows *more;        /* (nullable): of the tab's second table */
  char *note;           /* (nullable): what the figures are not */
  guint stages;         /* that will bring rows, a bit each */

  TsrLiveness *liveness; /* (nullable): of which variables and members are numbers */
  guint32 *variables;    /* (nullable) by row: entries of TsrVariables; TSR_NO_INDEX for a group */
  guint32 *allocations;  /* (nullable) by row: rows of TsrLoweredTables; one tile only */
  guint32 *members;      /* (nullable) variables of the groups, one group after the other */
  guint32 *first, *n;    /* (nullable) by row: where in members its variables are, and how many */

  /* (nullable) (transfer none), by row: what rows of programs stand for; as long as the rows live.
   */
  const struct _TsrProgramPlace *places;

  TsrTraceAnswer *trace; /* (nullable): figures that the rows of a trace are drawn from */
} TsrTableAnswer;
/* (nullable) */
void tsr_table_answer_free (TsrTableAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTableAnswer, tsr_table_answer_free)

/* (transfer full): without rows.  Copies the texts (each nullable). */
TsrTableAnswer *tsr_table_answer_new (const char *title, const char *text);

G_END_DECLS
