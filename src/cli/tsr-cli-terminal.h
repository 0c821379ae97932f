/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The terminal that the program runs in (/dev/tty), for questions, and a status line on stderr.
 * One question at a time; while one stands there is no status line.  Any thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The terminal's descriptor, and nobody else writes there until _end; -1: there is none. */
int tsr_cli_terminal_begin (void);
void tsr_cli_terminal_end (int fd);
void tsr_cli_terminal_write (int fd, const char *text);

/* Writes @prompt and reads a line into @line (@size bytes, cut there), without its end; with
 * @echo FALSE what is typed is not seen.  The caller wipes @line.  FALSE: cancelled, or the end of
 * input (Ctrl+D, a closed window). G_IO_ERROR_CANCELLED. */
gboolean tsr_cli_terminal_read (int fd,
                                const char *prompt,
                                gboolean echo,
                                char *line,
                                gsize size,
                                GCancellable *cancellable,
                                GError **error);

/* For whoever waits for signals: before the program stops or ends, gives the terminal its echo
 * back; after it goes on, takes it away again and writes the prompt once more. */
void tsr_cli_terminal_restore (void);
void tsr_cli_terminal_resume (void);
/* Before the program ends by itself: a question may still stand, for whoever waited for its answer
 * has given up.  None is asked from here on. */
void tsr_cli_terminal_close (void);

/* Shows one line in place of the last one (NULL: takes it away), if stderr is a terminal. */
void tsr_cli_terminal_show_status (const char *text);

G_END_DECLS
