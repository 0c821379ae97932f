/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes text from a server safe to show.  Any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_SSH_CLEAN_LINE   300
#define TSR_SSH_CLEAN_BANNER 8000

/* (transfer full): @text (nullable: "") as UTF-8 of at most @max bytes, without control characters
 * and without characters that change the writing direction; newlines are kept with @lines, else
 * they become spaces. */
char *tsr_ssh_clean_text (const char *text, gsize max, gboolean lines);

G_END_DECLS
