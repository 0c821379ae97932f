/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the readers of OpenSSH's text files share.  Only remote/ includes this.  Any thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TSR_SSH_TEXT_MAX (64 << 20)

/* (transfer full) (nullable): the file's bytes with a NUL behind them; a device or pipe is read as
 * far as it gives bytes at once.  @is_missing: NULL without @error, there is no such file.
 * G_IO_ERROR: a folder, not readable, more than TSR_SSH_TEXT_MAX. */
char *tsr_ssh_text_read (const char *path, gsize *length, gboolean *is_missing, GError **error);

/* The next line from *@at on, without its end (LF or CRLF) and ended by a NUL in place, as C sees
 * it: what stands behind a NUL in it is not seen.  NULL at @end. */
char *tsr_ssh_text_next_line (char **at, char *end);

/* Skips a byte order mark. */
char *tsr_ssh_text_skip_mark (char *text);

/* "*" and "?" as OpenSSH has them, over bytes; time is O(pattern + text squared). */
gboolean tsr_ssh_pattern_match (const char *text, const char *pattern);
/* A list with commas, "!" before what must not match: 1 yes, -1 refused by a "!", 0 no.  @lower:
 * the list is lowered (ASCII) before; the text is the caller's. */
int tsr_ssh_pattern_match_list (const char *text, const char *list, gboolean lower);

G_END_DECLS
