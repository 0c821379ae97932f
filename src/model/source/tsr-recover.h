/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recovers a database whose program was interrupted while writing: the journal or the write-ahead
 * log is played back on a private copy in the user's cache folder.  Only source/ includes this. */

#pragma once

#include "tsr-folder.h"
#include "tsr-progress.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder; /* private, removed by _free */
  char *path;   /* the recovered database in it */
  int lock;     /* descriptor of the lock that marks the folder as in use; -1 */
} TsrRecovered;

void tsr_recovered_free (TsrRecovered *recovered);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRecovered, tsr_recovered_free)

typedef enum
{
  TSR_LEFT_NOTHING,
  TSR_LEFT_JOURNAL, /* hot: the database is half-written */
  TSR_LEFT_LOG,     /* the -wal file holds committed data */
  TSR_LEFT_STALE,   /* a journal or log with nothing to play back */
} TsrLeftOver;

/* What there is next to @path, in which links are resolved.  Reads headers only.  FALSE and @error
 * if they cannot be read, because then the database may be incomplete. */
gboolean tsr_recover_find (TsrPlace *place,
                           const char *path,
                           TsrLeftOver *left_over,
                           GCancellable *cancellable,
                           GError **error);

/* Copies the database and its @left_over, lets SQLite play it back, and lets SQLite check the
 * result.  Errors: CORRUPT if the check fails, CHANGED if the files changed meanwhile, G_IO_ERROR
 * (including NO_SPACE). */
TsrRecovered *tsr_recover_run (TsrPlace *place,
                               const char *path,
                               TsrLeftOver left_over,
                               TsrProgress *progress,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
