/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An entry that looks for something among many, with the number of matches and buttons to the one
 * before and after.  What is looked for, and where, is the subclass's.
 *
 * Signals: "previous" and "next": the user wants to go there; "left": the keyboard goes elsewhere.
 * Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_MATCH_BAR (tsr_match_bar_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrMatchBar, tsr_match_bar, TSR, MATCH_BAR, GtkWidget)

struct _TsrMatchBarClass
{
  GtkWidgetClass parent_class;

  /* What a subclass does not set stays as usual: buttons for Enter and N, 12 to 24 characters, a
   * number of 5, and a delay for what a worker looks for. */
  const char *name, *hint, *previous, *next; /* marked with N_ (); of entry, its tooltip, buttons */
  int least_chars, most_chars;               /* of the entry */
  int count_chars;                           /* of the number, so that nothing moves */
  guint delay;                               /* ms after which the entry tells */

  /* The text is another one.  The entry tells it late, and may tell what is known already. */
  void (*changed) (TsrMatchBar *self);
  /* Before "previous" and "next": what the entry says is what is meant.  (nullable) */
  void (*settle) (TsrMatchBar *self);
};

/* Of the entry; _set tells the subclass later, as typing does. */
const char *tsr_match_bar_get_text (TsrMatchBar *self);
void tsr_match_bar_set_text (TsrMatchBar *self, const char *text);
/* @text (nullable): why there is nothing to look for. */
void tsr_match_bar_show_error (TsrMatchBar *self, const char *text);
/* (transfer none): what is typed into. */
GtkWidget *tsr_match_bar_get_entry (TsrMatchBar *self);
/* The number as it is shown; @tooltip (nullable); @any: there may be some to go to. */
void
tsr_match_bar_show_count (TsrMatchBar *self, const char *count, const char *tooltip, gboolean any);

G_END_DECLS
