/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Detects sequential streams among the reads of one file, and says what to fetch ahead of each.
 * Several threads scan at once, and a scan jumps to an interior page now and then; a stream that
 * does not continue is forgotten when others need its slot.  At most twice of what a stream has
 * read is fetched in vain.  Only remote/ includes this; no locks of its own. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_READ_STREAMS 16
/* Maximum of blocks ahead of a stream: 4 MiB, twice what OpenSSH's sftp has in flight. */
#define TSR_READ_AHEAD_MAX 128
/* Known ends at most; the oldest is forgotten. */
#define TSR_READ_ENDS 16

typedef struct
{
  guint64 next;  /* the block after the one that was read last */
  guint64 end;   /* requested up to here */
  guint64 run;   /* consecutive blocks that came over the network */
  guint window;  /* 0: not yet a stream */
  guint64 clock; /* when it was read last */
} TsrReadStream;

typedef struct
{
  TsrReadStream streams[TSR_READ_STREAMS];
  guint64 clock;
  guint64 ends[TSR_READ_ENDS]; /* 0: none */
  guint n_ends;                /* that were told */
} TsrReadAhead;

/* Notes that @block was read.  @fetched: it came over the network, on request or ahead (blocks that
 * were cached, or explicitly prefetched, say nothing about what comes next).  Returns how many
 * blocks from @first on should be fetched now; 0: none. */
guint tsr_read_ahead_note (TsrReadAhead *self, guint64 block, gboolean fetched, guint64 *first);
/* Something that is read sequentially ends before @block: nothing is read ahead across. */
void tsr_read_ahead_add_end (TsrReadAhead *self, guint64 block);
/* The last suggestion, to fetch from @first on, was not followed. */
void tsr_read_ahead_refuse (TsrReadAhead *self, guint64 first);

G_END_DECLS
