/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The user's language, set up once at the start of a program. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes locale and translations from the environment.  Translations are read from TSR_LOCALE_DIR in
 * the environment, for a checkout that is not installed, else from where they are installed.  First
 * thing in main(). */
void tsr_locale_init (void);

G_END_DECLS
