/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Predicts where the members of an archive are, for sources where a read costs a round trip: from
 * the offsets in the symbol index, else from the size of the last member.  If such guesses fail,
 * headers are looked for in many places at once (tsr-archive-scout.h); if members are small, or
 * nothing helps, everything is fetched in order.  Predictions never change the result, they only
 * make data arrive sooner.  Only tsr-archive.c includes this. */

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

/* The usual size of a member is that of the last ones. */
#define TSR_AHEAD_STRIDES 4

typedef struct
{
  TsrSource *source; /* NULL: reading is quick, nothing to do */
  TsrProgress *progress;
  GCancellable *cancellable;
  TsrAheadMode mode;
  GArray *offsets; /* gint64: expected positions of headers, ascending */
  guint next;      /* the first one that the walk has not reached */
  guint asked;     /* how many have been requested */
  guint window;    /* members ahead */
  guint hits, misses;
  gint64 streamed;                   /* requested up to here */
  gint64 scouted;                    /* scouted up to here */
  guint n_in_vain;                   /* times that the scout missed what came next */
  gint64 strides[TSR_AHEAD_STRIDES]; /* of the last members, as a ring */
  guint n_strides;
} TsrArchiveAhead;

/* Requests the beginning of the file, whatever is there.  @progress and @cancellable (both
 * nullable) are those of the walk. */
void tsr_archive_ahead_init (TsrArchiveAhead *self,
                             TsrSource *source,
                             TsrProgress *progress,
                             GCancellable *cancellable);
void tsr_archive_ahead_clear (TsrArchiveAhead *self);
/* The symbol index with @size bytes at @offset, with numbers of 8 bytes or of 4. */
void
tsr_archive_ahead_take_index (TsrArchiveAhead *self, gint64 offset, gint64 size, gboolean is_64);
/* Notes that there was a member's header at @offset, and that the next one is at @next. */
void tsr_archive_ahead_note (TsrArchiveAhead *self, gint64 offset, gint64 next);
/* How far reading has come when the walk is at @offset; more may be here already. */
gint64 tsr_archive_ahead_get_done (const TsrArchiveAhead *self, gint64 offset);

G_END_DECLS
