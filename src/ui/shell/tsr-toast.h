/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Short messages at the bottom of a window or dialog.  Main thread. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows @text, as it is, for three seconds, after those that still wait. */
void tsr_toast_show (AdwToastOverlay *overlay, const char *text);

G_END_DECLS
