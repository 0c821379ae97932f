/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the sequential streams among the reads of one file, and says what to fetch ahead of each.
 * Several threads scan at once, and a scan jumps to an interior page now and then: a stream that is
 * not gone on with is forgotten when others need its place.  What is fetched in vain is at most
 * twice what the stream has read.  Only remote/ includes this; no locks of its own. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_READ_STREAMS 16
/* Blocks ahead of a stream at most: 4 MiB, twice what OpenSSH's sftp has under way. */
#define TSR_READ_AHEAD_MAX 128
/* Known ends at most; the oldest is forgotten. */
#define TSR_READ_ENDS 16

typedef struct
{
  guint64 next;  /* the block after the one that was read last */
  guint64 end;   /* up to here it is asked for */
  guint64 run;   /* blocks that came over the network, one after the other */
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

/* @block was read; @fetched: it came over the network, by asking for it or ahead (what was here
 * before, or was asked for by name, says nothing of what comes next).  Returns how many blocks from
 * @first on should be fetched now; 0: none. */
guint tsr_read_ahead_note (TsrReadAhead *self, guint64 block, gboolean fetched, guint64 *first);
/* Something that is read in order ends before @block: nothing is fetched ahead across. */
void tsr_read_ahead_add_end (TsrReadAhead *self, guint64 block);
/* What it last said to fetch from @first on was not asked for. */
void tsr_read_ahead_refuse (TsrReadAhead *self, guint64 first);

G_END_DECLS
