/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A widget whose only child is a notebook with labels of TsrTabLabel: where their numbers have no
 * room beside all the titles, no tab has one, so that none is behind an arrow for them. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TAB_LAYOUT (tsr_tab_layout_get_type ())
G_DECLARE_FINAL_TYPE (TsrTabLayout, tsr_tab_layout, TSR, TAB_LAYOUT, GtkLayoutManager)

G_END_DECLS
