/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A database that its program left in the middle of a write: the journal or the write-ahead log
 * beside it is played back on a private copy in the user's cache folder.  Only source/ includes
 * this. */

#pragma once

#include "tsr-folder.h"
#include "tsr-progress.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder; /* private, removed by _free */
  char *path;   /* the recovered database in it */
  int lock;     /* descriptor whose lock says that the folder is in use; -1 */
} TsrRecovered;

void tsr_recovered_free (TsrRecovered *recovered);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRecovered, tsr_recovered_free)

typedef enum
{
  TSR_LEFT_NOTHING,
  TSR_LEFT_JOURNAL, /* hot: the database is half-written */
  TSR_LEFT_LOG,     /* committed data stand only in the -wal file */
  TSR_LEFT_STALE,   /* a journal or log without anything to play back */
} TsrLeftOver;

/* What lies beside @path, which has no links.  Reads headers only.  FALSE and @error when it cannot
 * be read, for then nobody knows whether the database is whole. */
gboolean tsr_recover_find (TsrPlace *place,
                           const char *path,
                           TsrLeftOver *left_over,
                           GCancellable *cancellable,
                           GError **error);

/* Copies the database and its @left_over, lets SQLite play it back, and has SQLite check the
 * outcome.  Errors: CORRUPT when that fails, CHANGED when the files changed meanwhile, G_IO_ERROR
 * (NO_SPACE among them). */
TsrRecovered *tsr_recover_run (TsrPlace *place,
                               const char *path,
                               TsrLeftOver left_over,
                               TsrProgress *progress,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
