/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preferences: units for memory, light or dark, reports behind ssh. */

#pragma once

#include "tsr-application.h"

G_BEGIN_DECLS

/* (transfer full): a window; changes take effect at once, in all windows. */
GtkWindow *tsr_preferences_new (GtkWindow *parent, TsrApplication *application);

G_END_DECLS
