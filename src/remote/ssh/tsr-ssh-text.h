/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the readers of OpenSSH's text files.  Only remote/ includes this.  Any thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TSR_SSH_TEXT_MAX (64 << 20)

/* (transfer full) (nullable): the bytes of the file and a NUL; a device or pipe is read as far as
 * it has bytes available.  NULL without @error: there is no such file.  G_IO_ERROR: a folder, not
 * readable, more than TSR_SSH_TEXT_MAX. */
char *tsr_ssh_text_read (const char *path, gsize *length, GError **error);

/* The next line from *@at on, without its line ending (LF or CRLF), terminated by a NUL in place;
 * text after a NUL within the line is not seen.  NULL at @end. */
char *tsr_ssh_text_next_line (char **at, char *end);

/* Skips a byte order mark. */
char *tsr_ssh_text_skip_mark (char *text);

/* Matches "*" and "?" over bytes, like OpenSSH; takes O(pattern + text squared). */
gboolean tsr_ssh_pattern_match (const char *text, const char *pattern);
/* A list separated by commas, with "!" before what must not match: 1 yes, -1 refused by a "!", 0
 * no.  @lower: the list is lowered (ASCII) before; the text is the caller's. */
int tsr_ssh_pattern_match_list (const char *text, const char *list, gboolean lower);

G_END_DECLS
