/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tables about programs are asked: the tree, its costliest programs, the roots, and what
 * belongs to one program or one variable.  A question is a value; any thread answers it. */

#pragma once

#include "tsr-program-code.h"
#include "tsr-programs.h"
#include "tsr-table-answer.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_PROGRAM_TAB_TREE, /* a program is expanded where it stands first; at a further place it is
                           a row without rows below it, until its key is in "opened" */
  TSR_PROGRAM_TAB_COSTLIEST, /* every program once */
  TSR_PROGRAM_TAB_ROOTS,
  TSR_PROGRAM_TAB_VARIABLES, /* that the program touches, by role */
  TSR_PROGRAM_TAB_TOUCHING,  /* programs that touch the variable, by role */
  TSR_PROGRAM_TAB_VERTICES,  /* of the program's compute set */
  TSR_PROGRAM_TAB_STEPS,     /* where it runs */
  TSR_PROGRAM_TAB_DEBUG,     /* its contexts: tsr-debug-details.h */
  TSR_N_PROGRAM_TABS
} TsrProgramTab;

/* Programs and variables are rows of the report's tables. */
typedef struct
{
  guint tab;
  TsrPrograms *programs;
  TsrProgramCode *code; /* (nullable): code on one tile; without it that column is unknown */
  guint32 step;         /* compilation step; TSR_NO_INDEX: the latest */
  guint32 root;         /* the tree of this program; TSR_NO_INDEX: of all roots of the step */
  GStrv hidden;         /* (nullable) types that are left out; what is below them moves up */
  gboolean grouped;     /* siblings of one type and name, without anything below them, that follow
                           each other are one row "1,472 × Sans" with them below it */
  GStrv opened;     /* (nullable) keys of rows marked TSR_PLACE_SEEN that are expanded there too */
  guint32 program;  /* TSR_NO_INDEX: none */
  guint32 variable; /* of the liveness tables; TSR_NO_INDEX: none */
} TsrProgramQuestion;

typedef enum
{
  TSR_PLACE_FIRST, /* expanded here, or nothing is below it */
  TSR_PLACE_SEEN,  /* what is below it stands where the program stands first */
  TSR_PLACE_CUT,   /* closes a ring */
  TSR_PLACE_GROUP,
} TsrPlaceMark;

/* What a row of the tree or of the costliest stands for; in an answer as "places", by row. */
typedef struct _TsrProgramPlace
{
  guint32 program; /* of a group the first one */
  guint32 edge;    /* by which it stands there (TsrPrograms); TSR_NO_INDEX: a root */
  guint32 n;       /* programs of a group, else 1 */
  guint32 scope;   /* inside */
  guint8 mark;     /* TsrPlaceMark */
} TsrProgramPlace;

/* (transfer full): see tsr_tables_answer. */
TsrTableAnswer *tsr_program_answer_new (const TsrProgramQuestion *question,
                                        GCancellable *cancellable,
                                        GError **error);
/* (transfer full): the steps of @of_programs (guint32, each once), in their order. */
TsrTableAnswer *tsr_program_steps_new (TsrPrograms *programs, GArray *of_programs);
/* The row of the tree or of the costliest where @program is expanded, else its first one, or
 * TSR_NO_INDEX. */
guint32 tsr_program_answer_find (const TsrTableAnswer *answer, guint32 program);

G_END_DECLS
