/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets up the user's language and home when a program starts. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets the locale from the environment.  Translations are read from the folder in the environment
 * variable TSR_LOCALE_DIR, for a checkout that is not installed, else from where they are
 * installed.  A HOME that is no absolute path is taken out of the environment, so that the system's
 * own list of users says where the home is.  Call it first in main(). */
void tsr_locale_init (void);

G_END_DECLS
