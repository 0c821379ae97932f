/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One view of a report: the abstract page.  It has the scope line on top (hidden while it has no
 * parts) and one child below it, which a subclass sets with gtk_widget_class template
 * <child>...</child>.  Until the stage that the page needs is ready, and when
 * it fails or the report lacks the data, the page shows that instead of the child; a subclass needs
 * to care only for the session's memory (or report) that is there.
 *
 * A page is made when it is first shown and gets its session once, before it is shown; from then on
 * it follows the session's notify signals (use g_signal_connect_object).
 *
 * Properties: "status-left" (what is under the pointer, exact values) and "status-right" (summary
 * of the selection) are shown in the window's status strip. */

#pragma once

#include "tsr-palette.h"
#include "tsr-rows.h"
#include "tsr-scope-line.h"
#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_PAGE (tsr_page_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrPage, tsr_page, TSR, PAGE, GtkWidget)

struct _TsrPageClass
{
  GtkWidgetClass parent_class;

  TsrView view;       /* set in class_init */
  TsrStage stage;     /* that must be ready before the child is shown */
  gboolean wants_all; /* it shows what comes of all stages, not of this one only */
  guint behind;       /* stages, a bit each, that are read behind the child while it is looked at */

  /* Called once.  Chain up first. */
  void (*set_session) (TsrPage *self, TsrSession *session);
  /* Puts the keyboard where work begins; default: first focusable widget of the child. */
  void (*focus_start) (TsrPage *self);
  /* (transfer full) (nullable): the page as text, for "Copy all as text". */
  char *(*dup_text) (TsrPage *self);

  /* Options of the page as words of a link ("breakdown" "category"), beside what is selected, which
   * the session saves; and back: words that are not there, and values that are off, leave an option
   * as it is. */
  void (*save_words) (TsrPage *self, GHashTable *words);
  void (*load_words) (TsrPage *self, GHashTable *words);

  /* (nullable): selects or marks what belongs to the session's subject, which the user selected
   * elsewhere since the page was last looked at; that is no subject itself.  FALSE: what tells it
   * is not there yet; asked again when something comes.  Never reads or asks for anything. */
  gboolean (*take_subject) (TsrPage *self, const TsrSubject *subject);

  /* See tsr_page_class_install_actions. */
  const struct _TsrPageAction *actions;
  guint n_actions;
};

/* A field of a page and the widget of its template that it is to hold, by the same name. */
typedef struct
{
  const char *name;
  gssize offset;
} TsrPageChild;
#define TSR_PAGE_CHILD(Type, field)                                                                \
  {                                                                                                \
#    field, G_STRUCT_OFFSET(Type, field)                                                           \
  }

/* For class_init: the template, the file @name ("tsr-summary-page.ui") of the resources, and its
 * @children, up to a row of zeros. */
void
tsr_page_class_set_template (TsrPageClass *klass, const char *name, const TsrPageChild *children);

void tsr_page_set_session (TsrPage *self, TsrSession *session);
TsrSession *tsr_page_get_session (TsrPage *self);
TsrView tsr_page_get_view (TsrPage *self);
/* Whether it shows what comes from @stage. */
gboolean tsr_page_wants (TsrPage *self, TsrStage stage);
const char *tsr_page_get_title (TsrPage *self);
/* Shown over the progress while the page's stage loads. */
void tsr_page_set_preview (TsrPage *self, GtkWidget *preview);
TsrScopeLine *tsr_page_get_scope_line (TsrPage *self);
void tsr_page_focus_start (TsrPage *self);
char *tsr_page_dup_text (TsrPage *self);
void tsr_page_save_words (TsrPage *self, GHashTable *words);
void tsr_page_load_words (TsrPage *self, GHashTable *words);

/* What .take_subject waits for may be there now; the session's notify signals are followed. */
void tsr_page_update_subject (TsrPage *self);

/* NULL clears. */
void tsr_page_set_status_left (TsrPage *self, const char *text);
void tsr_page_set_status_right (TsrPage *self, const char *text);
const char *tsr_page_get_status_left (TsrPage *self);
const char *tsr_page_get_status_right (TsrPage *self);
/* TRUE from the first text on that was set: the page speaks now and then. */
gboolean tsr_page_has_status (TsrPage *self);

/* TRUE when the child is shown, not a message in its place. */
gboolean tsr_page_is_content_shown (TsrPage *self);

/* (transfer full): what a view lacks and the engine options that record it, a line each. */
char *tsr_page_dup_missing (const TsrAvailability *availability);

/* Goes to another view, with words as in a link: "page=memory&tiles=5,10-20".  What they do not
 * name is not selected there.  Back leads here again. */
void tsr_page_go (GtkWidget *widget, GHashTable *words);
/* (transfer full): such words, of @view only. */
GHashTable *tsr_page_new_words (TsrView view);
/* For class_init: an action without a parameter, and its @keys, accelerators with spaces between;
 * "": none. */
void tsr_page_class_install_action (GtkWidgetClass *klass,
                                    const char *name,
                                    const char *keys,
                                    GtkWidgetActionActivateFunc run);

/* One of a table of such actions. */
typedef struct _TsrPageAction
{
  const char *name, *keys;
  GCallback run;        /* (page, argument); while the child is shown */
  const char *argument; /* (nullable) */
  const char *menu;     /* (nullable): its label in the menu of a row, to be translated */
  gboolean is_first;    /* its keys come before those of the widget that has the keyboard */
} TsrPageAction;
void tsr_page_class_install_actions (TsrPageClass *klass, const TsrPageAction *actions, guint n);
/* (transfer full): the actions with a label. */
GMenuModel *tsr_page_new_menu (TsrPage *self);
/* The text goes to the clipboard, and a toast says so. */
void tsr_page_copy_name (TsrPage *self, const char *name);
/* "Per replica" is said where there are several, or nobody knows; @part is of the scope line. */
void tsr_page_update_replica_part (TsrPage *self, GtkWidget *part);
/* (transfer full): scope line, status and these tables (nullable each), for .dup_text. */
char *tsr_page_join_text (TsrPage *self, const char *table, const char *other);
/* Goes to a program in @view, the Program Tree or Operations; a toast says so when there is none.
 * @program: a row of
 * the session's program tables, or TSR_NO_INDEX. */
void tsr_page_go_to_program (TsrPage *self, TsrView view, guint32 program);
/* From a row of a table in the page: to its "step" on its "ipu" in the trace, if it has both. */
void tsr_page_go_to_step (GtkWidget *widget, TsrRows *rows, guint32 row);
/* To where the variable of the first column is live. */
void tsr_page_go_to_variable (GtkWidget *widget, TsrRows *rows, guint32 row);

/* The pages that there are, in the order of the side menu.  A new view is a line in tsr-pages.c. */
typedef struct
{
  TsrView view;
  const char *icon_name;
  GType (*get_type) (void);
  guint subjects; /* of its colours: mask of 1 << TsrColourSubject */
} TsrPageInfo;
const TsrPageInfo *tsr_pages_get (guint *n_pages);
const TsrPageInfo *tsr_pages_find (TsrView view); /* (nullable) */

G_END_DECLS
