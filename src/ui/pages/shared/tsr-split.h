/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart and its details with a splitter between them.  The details lie below the chart; from
 * TSR_SPLIT_WIDE pixels of width on they stand at its right.  A double click on the splitter (or
 * split.swap) swaps that, F9 (split.toggle-details) hides them, Shift+F9 (split.maximise) gives
 * them the place of the chart, too.  "orientation" is notified while places are given. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SPLIT (tsr_split_get_type ())
G_DECLARE_FINAL_TYPE (TsrSplit, tsr_split, TSR, SPLIT, GtkWidget)

#define TSR_SPLIT_WIDE 1800

/* In a template: <child type="chart"> and <child type="details">. */
gboolean tsr_split_get_details_visible (TsrSplit *self);
void tsr_split_set_details_visible (TsrSplit *self, gboolean visible);
/* Whether the details have all the room. */
gboolean tsr_split_is_maximised (TsrSplit *self);
void tsr_split_set_maximised (TsrSplit *self, gboolean maximised);
/* Where the details are now, and the other way round from where the width would have them. */
GtkOrientation tsr_split_get_orientation (TsrSplit *self);
gboolean tsr_split_is_swapped (TsrSplit *self);
void tsr_split_set_swapped (TsrSplit *self, gboolean swapped);
/* Takes both up from @session, where they were kept for @page ("memory"), and keeps them there from
 * now on.  Once. */
void tsr_split_keep_state (TsrSplit *self, TsrSession *session, const char *page);
/* Menus beside it, in @page, have its actions too. */
void tsr_split_add_forwarding (TsrSplit *self, GtkWidget *page);

G_END_DECLS
