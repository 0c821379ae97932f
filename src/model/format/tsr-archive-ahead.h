/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the members of an archive will be found, for sources where a read costs a round trip: the
 * symbol index names their offsets, else the next ones are guessed from the size of the last one;
 * when that does not hold they are looked for at many places at once (tsr-archive-scout.h), and
 * when members are small, or nothing helps, everything is fetched in order.  Nothing is concluded
 * from it: the walk reads what is there, only sooner.  Only tsr-archive.c includes this. */

#pragma once

#include "tsr-progress.h"
#include "tsr-source.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_AHEAD_GUESS,
  TSR_AHEAD_INDEX,
  TSR_AHEAD_SCOUT,
  TSR_AHEAD_STREAM,
} TsrAheadMode;

/* A usual member is told by the last ones. */
#define TSR_AHEAD_STRIDES 4

typedef struct
{
  TsrSource *source; /* NULL: reading is quick, nothing is done */
  TsrProgress *progress;
  GCancellable *cancellable;
  TsrAheadMode mode;
  GArray *offsets; /* gint64: where headers should be, ascending */
  guint next;      /* the first of them that the walk has not come to */
  guint asked;     /* so many of them are asked for */
  guint window;    /* members ahead */
  guint hits, misses;
  gint64 streamed;                   /* asked for up to here */
  gint64 scouted;                    /* looked at up to here */
  guint n_in_vain;                   /* times that the scout did not see what comes next */
  gint64 strides[TSR_AHEAD_STRIDES]; /* of the last members, in a circle */
  guint n_strides;
} TsrArchiveAhead;

/* Begins with what is first in the file, whatever will be found there.  @progress and @cancellable
 * (both nullable) are those of the walk. */
void tsr_archive_ahead_init (TsrArchiveAhead *self,
                             TsrSource *source,
                             TsrProgress *progress,
                             GCancellable *cancellable);
void tsr_archive_ahead_clear (TsrArchiveAhead *self);
/* The symbol index with @size bytes at @offset, with numbers of 8 bytes or of 4. */
void
tsr_archive_ahead_take_index (TsrArchiveAhead *self, gint64 offset, gint64 size, gboolean is_64);
/* There was a member's header at @offset, and the next one is at @next. */
void tsr_archive_ahead_note (TsrArchiveAhead *self, gint64 offset, gint64 next);
/* How far reading has come when the walk is at @offset: what it comes to next may be here. */
gint64 tsr_archive_ahead_get_done (const TsrArchiveAhead *self, gint64 offset);

G_END_DECLS
