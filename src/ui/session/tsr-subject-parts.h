/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What belongs to the subject of a session (tsr-subject.h) in the pages.  Only what is there
 * already is used: nothing is read or computed for it, and what is not there yet may be asked for
 * again when it is.  Main thread. */

#pragma once

#include "tsr-session.h"

G_BEGIN_DECLS

/* (transfer full) (nullable) (element-type guint32): its programs, rows of the program tables; a
 * variable has none.  NULL: not known yet. */
GArray *tsr_subject_parts_dup_programs (TsrSession *session);
/* (transfer full) (nullable): what people call it; NULL: nothing is selected, or its name is not
 * known yet. */
char *tsr_subject_parts_dup_name (TsrSession *session);
/* The same as flags [*n] by program, with what is below a program where @below says so; NULL: not
 * known yet, or none. */
guint8 *tsr_subject_parts_dup_flags (TsrSession *session, gboolean below, guint32 *n);
/* Its operation among @operations, the selected one (TSR_NO_INDEX: none) if several have its name;
 * TSR_NO_INDEX: none, or not known yet. */
guint
tsr_subject_parts_find_operation (TsrSession *session, TsrOperations *operations, guint selected);
/* The liveness step with most bytes that executes one of its programs, else something below it;
 * @selected if that is one.  TSR_NO_INDEX: none. */
guint tsr_subject_parts_find_live_step (TsrSession *session, TsrLiveness *liveness, guint selected);
/* The liveness step with most bytes that executes one of the programs that @flags [@n] (nullable)
 * marks; @selected if that is one.  @liveness and @report may be NULL.  TSR_NO_INDEX: none. */
guint tsr_subject_parts_find_fullest (
    TsrLiveness *liveness, TsrReport *report, const guint8 *flags, guint32 n, guint selected);
/* (transfer none) (nullable): names of the compute set and of the exchange of the first of
 * @programs that have one. */
void tsr_subject_parts_find_names (TsrSession *session,
                                   const GArray *programs,
                                   const char **set,
                                   const char **exchange);
/* Selects the largest variables of a single operation, of all else none, if the user has selected
 * none and showing them reads nothing. */
void tsr_subject_parts_show_variables (TsrSession *session);

G_END_DECLS
