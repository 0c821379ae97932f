/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One table of the register in a row view that stands by itself, as a list or a tree at the side
 * does (tabs: tsr-tabs.h): asks in a worker whenever the question is another one, and shows the
 * newest answer.  Main thread. */

#pragma once

#include "tsr-latest.h"
#include "tsr-row-view.h"
#include "tsr-session.h"
#include "tsr-tables.h"

G_BEGIN_DECLS

typedef struct _TsrTableAsker TsrTableAsker;

/* Another answer is in @view, or none; its rows may wait for their order ("arranged"). */
typedef void (*TsrTableAskerFunc) (gpointer owner);

/* @view lives longer.  @owner frees it before it goes itself. */
TsrTableAsker *tsr_table_asker_new (TsrRowView *view,
                                    TsrSession *session,
                                    TsrTableAskerFunc answered,
                                    gpointer owner);
void tsr_table_asker_free (TsrTableAsker *self);

/* Both or none; @question is copied. */
void tsr_table_asker_ask (TsrTableAsker *self,
                          const TsrTableInfo *info,
                          const TsrTableQuestion *question);
/* Shows the answer again, as in other units. */
void tsr_table_asker_show (TsrTableAsker *self);
/* (nullable) (transfer none): the newest one, and that whose rows are on the screen. */
const TsrTableAnswer *tsr_table_asker_get_answer (TsrTableAsker *self);
const TsrTableAnswer *tsr_table_asker_get_shown (TsrTableAsker *self);
/* TRUE until the answer is there; _is_busy: until it is shown. */
gboolean tsr_table_asker_is_asking (TsrTableAsker *self);
gboolean tsr_table_asker_is_busy (TsrTableAsker *self);

/* What an asker does, for another owner of @latest: a question, which is copied, is answered in a
 * worker; and (transfer full) what to show of the result, which is taken, or of an error. */
void tsr_table_asker_run (TsrLatest *latest,
                          const TsrTableInfo *info,
                          const TsrTableQuestion *question,
                          TsrLatestDone answered);
TsrTableAnswer *tsr_table_asker_take (gpointer result, const GError *error);

G_END_DECLS
