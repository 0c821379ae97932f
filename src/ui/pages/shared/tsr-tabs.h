/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs under a page's graph: one for each table that the register has of a command, and others
 * that are no table.  A page says what each tab asks now, as a question; the widget asks again
 * whenever that has become another question, in a worker, and only in the tab that is shown while
 * it can be seen: the others ask when they are shown.  Answers of outdated questions are dropped,
 * and so is the number on a tab whose table is outdated.  Rows of variables are selected together
 * with the window's.  Main thread.
 *
 * Signal "tab-changed": another tab is shown. */

#pragma once

#include "tsr-latest.h"
#include "tsr-row-view.h"
#include "tsr-session.h"
#include "tsr-tab-label.h"
#include "tsr-tables.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TABS (tsr_tabs_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrTabs, tsr_tabs, TSR, TABS, GtkWidget)

struct _TsrTabsClass
{
  GtkWidgetClass parent_class;
};

/* What the register does not tell of a tab.  Texts are to be translated. */
typedef struct
{
  const char *key;
  const char *title; /* of a tab that is no table; NULL: the register's */
  const char *tooltip, *filter, *empty;
  gboolean is_single;  /* at most one row is selected */
  gboolean is_counted; /* the number of its rows stands beside its title */
  gboolean is_own;     /* the page makes and fills what is shown */
  gboolean unfolds;    /* what is below a row is seen with it when the row first comes */
} TsrTabWords;

/* To be read only, except for @child, @view and @list in _add. */
typedef struct _TsrTab TsrTab;
struct _TsrTab
{
  TsrTabs *tabs;
  guint number; /* its place */
  const TsrTabWords *words;
  const TsrTableInfo *info; /* (nullable): of no table */
  GtkWidget *child;         /* of the notebook */
  TsrTabLabel *label;
  TsrRowView *view, *more; /* (nullable): its table, and a second one */
  GtkWidget *list;         /* (nullable): in place of @view, with the actions of one */
  TsrTableAnswer *answer;  /* (nullable): that is shown */

  TsrTableQuestion *question; /* that was asked; NULL: ask when it is shown */
  TsrLatest *latest;
  GHashTable *unfolded; /* keys of rows that have come, where it unfolds them */
};

typedef struct
{
  const char *command, *label; /* of the register; what all tabs are called */
  const char *empty;           /* (nullable): a table without rows or words of its own */
  const TsrTabWords *words;    /* one for each tab, in their order */
  guint n_words;
  guint most_variables; /* that rows select in the window, 0: all */

  /* Functions get the page that was told to setup. */
  /* (nullable): the tab has its views; @child may become what holds them. */
  void (*add) (gpointer page, TsrTab *tab);
  /* Fills in what the tab asks now, and nothing that does not change its answer.  What it fills in
   * is borrowed.  FALSE: there is nothing to ask. */
  gboolean (*ask) (gpointer page, const TsrTab *tab, TsrTableQuestion *question);
  /* (nullable): it shows another answer, or none any more. */
  void (*shown) (gpointer page, TsrTab *tab);
  /* (nullable): the user selected these rows (guint32) of an answer. */
  void (*selected) (gpointer page, TsrTab *tab, const GArray *rows);
} TsrTabsSetup;

/* Makes the tabs.  @setup stays. */
void tsr_tabs_setup (TsrTabs *self, const TsrTabsSetup *setup, gpointer page);
/* Nothing is asked before.  From then on the tabs follow all that the session has and selects. */
void tsr_tabs_set_session (TsrTabs *self, TsrSession *session);
/* What only the page knows has changed. */
void tsr_tabs_update (TsrTabs *self);

/* By number. */
TsrTab *tsr_tabs_get (TsrTabs *self, guint number);
TsrTab *tsr_tabs_get_shown (TsrTabs *self);
guint tsr_tabs_get_n (TsrTabs *self);
void tsr_tabs_show (TsrTabs *self, guint number);
/* By the key, which is the tab's word in links and settings; FALSE for no tab. */
gboolean tsr_tabs_show_key (TsrTabs *self, const char *key);
/* For _add, once: the menu of a row of the tab's table leads to the Program Tree and to Operations,
 * each with a word of a link that the text of the row's first cell is for. */
void tsr_tab_add_ways (TsrTab *tab, const char *program_word, const char *operation_word);
/* @option of @state, a choice of numbers, is which tab is shown. */
void tsr_tabs_bind (TsrTabs *self, TsrViewState *state, guint option);
/* For actions of the page: "next" or "previous" goes to that tab, around the end; else an action of
 * the table that is shown, "rows.save". */
void tsr_tabs_run (TsrTabs *self, const char *action);
/* (transfer none): a widget behind the last tab. */
void tsr_tabs_set_end (TsrTabs *self, GtkWidget *end);

/* Whether the tab that is shown has not its last answer yet; how often a table was asked for. */
gboolean tsr_tabs_is_busy (TsrTabs *self);
guint tsr_tabs_get_n_asked (TsrTabs *self);

G_END_DECLS
