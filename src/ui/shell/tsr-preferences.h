/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preferences: units for memory, light or dark. */

#pragma once

#include "tsr-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* (transfer full): a window; changes take effect at once, in all windows. */
GtkWindow *tsr_preferences_new (GtkWindow *parent, TsrSettings *settings);

G_END_DECLS
