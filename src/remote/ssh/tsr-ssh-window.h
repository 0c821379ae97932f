/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many bytes a server may have in flight on a channel, which limits what a channel carries per
 * round trip. libssh 0.10 lets it have 640,000 to 1,280,000 bytes; asking for more than the window
 * has makes libssh grow it, which is done here. 0.11 keeps it between 1 and 2 MiB whatever is asked
 * for.  One thread. */

#pragma once

#include <glib.h>
#include <libssh/libssh.h>

G_BEGIN_DECLS

/* The window requested from libssh; enlarged when half of it is used. */
#define TSR_SSH_WINDOW (4u << 20)

typedef struct
{
  guint since; /* bytes received since it was enlarged */
  guint8 *room;
} TsrSshWindow;

/* The window is enlarged at the first opportunity. */
void tsr_ssh_window_init (TsrSshWindow *self);
void tsr_ssh_window_clear (TsrSshWindow *self);
/* Notes that @length bytes were received on the channel. */
void tsr_ssh_window_note (TsrSshWindow *self, guint length);
/* Enlarges the window of @channel, which does not block and whose bytes go to a callback, when half
 * of it is used; bytes that no callback took are appended to @into.  Callbacks of any channel of
 * the session may be called.  TRUE when it did anything. */
gboolean tsr_ssh_window_grow (TsrSshWindow *self, ssh_channel channel, GByteArray *into);
/* The minimum window of a channel with the running version of libssh; any thread. */
gsize tsr_ssh_window_get_least (void);

G_END_DECLS
