/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program on a terminal of its own (a pseudo terminal), with its output in pipes: what it asks on
 * the terminal is read and answered by the test.  Everything has a time limit. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GPid pid;
  int terminal;       /* our side of it */
  int out, err;       /* read ends; -1: they are the terminal */
  GString *seen;      /* all that was written to the terminal */
  gsize looked_at;    /* of it, by pty_expect */
  gboolean left_echo; /* how the terminal was when the program had ended */
} Pty;

/* Starts @argv (NULL ends it); @environment NULL: ours.  @piped: output and errors go to pipes. */
void pty_start (Pty *pty, const char *const *argv, char **environment, gboolean piped);
/* Waits until @text comes after what was expected last. */
void pty_expect (Pty *pty, const char *text);
/* FALSE: @text has not been written within @ms. */
gboolean pty_wait_for (Pty *pty, const char *text, guint ms);
void pty_type (Pty *pty, const char *text);
/* Whether what is typed would be seen. */
gboolean pty_has_echo (Pty *pty);
/* Ends the program's life with the test: its exit status, 128 + signal when killed; @out and @err
 * (each nullable, transfer full): what stood in the pipes. */
int pty_finish (Pty *pty, char **out, char **err);

G_END_DECLS
