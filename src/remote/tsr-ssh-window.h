/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many bytes a server may have under way on a channel, which bounds what a channel carries in a
 * round trip.  libssh 0.10 lets it have 640,000 to 1,280,000 bytes; asking for more than the window
 * has makes libssh grow it, which is done here.  0.11 keeps it between 1 and 2 MiB whatever is
 * asked for.  One thread. */

#pragma once

#include <glib.h>
#include <libssh/libssh.h>

G_BEGIN_DECLS

/* What is asked of libssh; grown when half of it is gone. */
#define TSR_SSH_WINDOW (4u << 20)

typedef struct
{
  guint since; /* bytes that came since it was grown */
  guint8 *room;
} TsrSshWindow;

/* It is grown the first time that one may. */
void tsr_ssh_window_init (TsrSshWindow *self);
void tsr_ssh_window_clear (TsrSshWindow *self);
/* @length bytes have come on the channel. */
void tsr_ssh_window_note (TsrSshWindow *self, guint length);
/* Grows the window of @channel, whose bytes go to a callback and which does not block, when half of
 * it is gone; what no callback took is appended to @into.  Callbacks of any channel of the session
 * may be called.  TRUE when it did anything. */
gboolean tsr_ssh_window_grow (TsrSshWindow *self, ssh_channel channel, GByteArray *into);
/* Bytes that the window of a channel has at least, with the libssh that is running; any thread. */
gsize tsr_ssh_window_get_least (void);

G_END_DECLS
