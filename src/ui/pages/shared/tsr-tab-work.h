/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs of a notebook, each with an answer that a worker computes when the tab is shown and what
 * it is about has changed.  Several changes in one turn of the main loop cost one answer; one that
 * is outdated is cancelled.  Main thread. */

#pragma once

#include "tsr-latest.h"
#include "tsr-tab-label.h"
#include "tsr-tab-layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _TsrTabWork TsrTabWork;

/* @ask runs or cancels the work of a tab; @done takes its result.  Both get the page that was
 * added. */
TsrTabWork *tsr_tab_work_new (GtkNotebook *notebook,
                              void (*ask) (gpointer page),
                              TsrLatestDone done,
                              GDestroyNotify free_result);
/* Before the pages go. */
void tsr_tab_work_free (TsrTabWork *self);
/* Puts @child into the notebook.  Tabs have numbers in the order in which they are added.  The
 * number on @label goes while the tab is not shown and what it is about has changed. */
void tsr_tab_work_add (TsrTabWork *self, GtkWidget *child, TsrTabLabel *label, gpointer page);
/* Nothing is asked before. */
void tsr_tab_work_start (TsrTabWork *self);

/* The page of the tab that is shown; the first where none is. */
gpointer tsr_tab_work_get_shown (TsrTabWork *self);
/* @tabs: mask of those that have to be asked again; 0: another tab is shown. */
void tsr_tab_work_make_stale (TsrTabWork *self, guint tabs);
gboolean tsr_tab_work_is_stale (TsrTabWork *self, guint tab);
/* Whether the tab that is shown has not its last answer yet. */
gboolean tsr_tab_work_is_busy (TsrTabWork *self);

/* For _ask.  Takes @job. */
void tsr_tab_work_run (
    TsrTabWork *self, guint tab, TsrLatestFunc func, gpointer job, GDestroyNotify free_job);
void tsr_tab_work_cancel (TsrTabWork *self, guint tab);

G_END_DECLS
