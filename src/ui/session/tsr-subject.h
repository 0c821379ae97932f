/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user of a window selected last, on whatever page: the one selection that all pages of
 * programs share.  Names and ids, not indexes, so that it outlives a reload.  What belongs to it in
 * another page is found when that page is looked at (tsr-subject-parts.h).  A value. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_SUBJECT_NONE,
  TSR_SUBJECT_OPERATION,   /* name: its key, of several a line each, layer; id: of their costliest
                              program, or TSR_UNKNOWN */
  TSR_SUBJECT_PROGRAM,     /* id */
  TSR_SUBJECT_STEP,        /* of the trace: id */
  TSR_SUBJECT_LIVE_STEP,   /* id: its number */
  TSR_SUBJECT_COMPUTE_SET, /* name */
  TSR_SUBJECT_VARIABLE,    /* name */
} TsrSubjectKind;

typedef struct
{
  TsrSubjectKind kind;
  gint64 id;
  char *name;  /* (nullable) */
  char *layer; /* (nullable): the file's word */
} TsrSubject;

void tsr_subject_clear (TsrSubject *self);
/* @to becomes the same as @from; it must hold one, or zeros. */
void tsr_subject_set (TsrSubject *to, const TsrSubject *from);
gboolean tsr_subject_equal (const TsrSubject *a, const TsrSubject *b);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrSubject, tsr_subject_clear)

G_END_DECLS
