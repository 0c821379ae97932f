/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The button that says whose liveness is shown, and its popover to choose another: all tiles, the
 * worst tile, the tiles selected in Memory, an IPU, tiles as they are typed there.  It works on the
 * session's source; what the report cannot show is insensitive and says why. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SOURCE_CHOOSER (tsr_source_chooser_get_type ())
G_DECLARE_FINAL_TYPE (TsrSourceChooser, tsr_source_chooser, TSR, SOURCE_CHOOSER, GtkWidget)

/* Once. */
void tsr_source_chooser_set_session (TsrSourceChooser *self, TsrSession *session);
void tsr_source_chooser_popup (TsrSourceChooser *self);
/* As if @text had been typed and Enter pressed: FALSE when it names no source that can be shown. */
gboolean tsr_source_chooser_enter (TsrSourceChooser *self, const char *text);
/* The source that holds: the one chosen, as far as this report can show it, else the default.
 * FALSE without liveness. */
gboolean tsr_source_chooser_get_source (TsrSession *session, TsrLivenessSource *source);
/* First tile by what must leave it, else the fullest; TSR_NO_INDEX when nothing is told. */
guint tsr_source_chooser_get_worst_tile (TsrMemory *memory);
/* (transfer none), for tests. */
GtkEditable *tsr_source_chooser_get_entry (TsrSourceChooser *self);

G_END_DECLS
