/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program's terminal (/dev/tty), for questions, and a status line on stderr.  One question at a
 * time; during a question there is no status line.  Any thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns the terminal's descriptor and reserves the terminal until _end; -1: there is none. */
int tsr_cli_terminal_begin (void);
void tsr_cli_terminal_end (int fd);
void tsr_cli_terminal_write (int fd, const char *text);

/* Writes @prompt and reads a line into @line (@size bytes; longer lines are cut), without the line
 * ending; with @echo FALSE the input is hidden.  The caller wipes @line.  FALSE: cancelled, or the
 * end of input (Ctrl+D, a closed window).  G_IO_ERROR_CANCELLED. */
gboolean tsr_cli_terminal_read (int fd,
                                const char *prompt,
                                gboolean echo,
                                char *line,
                                gsize size,
                                GCancellable *cancellable,
                                GError **error);

/* For signal handling: restores the terminal's echo before the program stops or ends; after it
 * continues, switches the echo off again and repeats the prompt. */
void tsr_cli_terminal_restore (void);
void tsr_cli_terminal_resume (void);
/* Call before the program ends by itself: a question may still be open although nobody waits for
 * the answer any more.  No further questions are asked. */
void tsr_cli_terminal_close (void);

/* Replaces the status line (NULL: removes it), if stderr is a terminal. */
void tsr_cli_terminal_show_status (const char *text);

G_END_DECLS
