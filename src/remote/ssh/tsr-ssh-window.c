/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Follows how much of a channel's window is left, and enlarges it. */

#include "config.h"

#include "tsr-ssh-window.h"

void
tsr_ssh_window_init (TsrSshWindow *self)
{
  self->since = TSR_SSH_WINDOW;
  self->room = NULL;
}

void
tsr_ssh_window_clear (TsrSshWindow *self)
{
  g_clear_pointer (&self->room, g_free);
}

void
tsr_ssh_window_note (TsrSshWindow *self, guint length)
{
  self->since = MIN (self->since, TSR_SSH_WINDOW) + length;
}

gboolean
tsr_ssh_window_grow (TsrSshWindow *self, ssh_channel channel, GByteArray *into)
{
  int n;

  if (self->since < TSR_SSH_WINDOW / 2)
    return FALSE;
  self->since = 0;
  /* Hardly ever written to, so the system gives it no memory. */
  if (self->room == NULL)
    self->room = g_malloc (TSR_SSH_WINDOW);
  n = ssh_channel_read_timeout (channel, self->room, TSR_SSH_WINDOW, 0, 0);
  /* What came before the callback was there. */
  if (n > 0)
    g_byte_array_append (into, self->room, (guint)n);
  return TRUE;
}

gsize
tsr_ssh_window_get_least (void)
{
  /* NULL: it is an older one. */
  return ssh_version (SSH_VERSION_INT (0, 11, 0)) != NULL ? 1u << 20 : TSR_SSH_WINDOW / 2;
}
