/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the parts of TsrRemoteBlocks: the table of blocks and requests (tsr-remote-blocks.c),
 * whether the cache belongs to the present state of the file (tsr-remote-trust.c), and reading
 * (tsr-remote-read.c).  Only these include it. */

#pragma once

#include "tsr-block-index.h"
#include "tsr-read-ahead.h"
#include "tsr-remote-blocks.h"

G_BEGIN_DECLS

/* Limit in memory: 32 MiB. */
#define MEMORY_BLOCKS 1024
/* Blocks in one batch of a large read; all batches that are waited for must fit into memory. */
#define WAVE_BLOCKS (MEMORY_BLOCKS / 4)
/* Limit of one request: 256 KiB, so that its first readers do not wait long for the rest. */
#define REQUEST_BLOCKS 8
/* Blocks in the first request for a file that is not cached at all. */
#define START_BLOCKS 4
/* Limit of read-ahead for all readers together. */
#define AHEAD_BLOCKS 512
/* Minimum and maximum in flight for a background copy: a reader that wants one of them waits for
 * those before it. */
#define COPY_BLOCKS      96
#define MOST_COPY_BLOCKS 256
/* Passes of such a copy: requests of readers may have failed meanwhile. */
#define COPY_PASSES 4
/* The part of the first block that identifies the file. */
#define FIRST_BYTES 4096
/* How long a reader waits for a block that is fetched in the background before it requests it
 * itself. */
#define LATE_US 300000
/* Above this many blocks waiting to be written, nothing is read ahead. */
#define MAX_WRITES 1024

typedef enum
{
  TRUST_NOT_YET, /* the first block has not arrived */
  TRUST_ASKING,  /* somebody waits for it */
  TRUST_YES,
  TRUST_OFFLINE, /* the cache alone, as it is */
  TRUST_CHANGED, /* another state than what was given out: for ever */
} TsrTrust;

/* One range of blocks under way. */
typedef struct
{
  gatomicrefcount refs;
  TsrRemoteBlocks *owner; /* a reference while under way */
  guint64 first;
  guint n;
  TsrReadPriority priority;
  gint64 sent; /* monotonic */
  gboolean done;
  GError *error;
} TsrBlockRequest;

typedef struct
{
  guint64 number;
  GBytes *bytes;            /* NULL: under way */
  TsrBlockRequest *request; /* while under way */
  gboolean fetched;         /* tells of a stream: asked for by a reader, or ahead of one */
  gboolean unsaved;         /* came before it could be put into the cache */
  GList link;               /* in the order of use */
} TsrBlock;

struct _TsrRemoteBlocks
{
  gatomicrefcount refs;
  TsrBlockCache *cache;
  char *host, *path, *name;
  TsrSourceStamp stamp;
  guint64 n_blocks;
  const TsrBlockReader *reader;
  gpointer file;
  GCancellable *closing;

  GMutex lock;
  GCond cond;
  TsrCachedFile *cached;
  TsrTrust trust;
  guint8 first[FIRST_BYTES];
  gsize first_length; /* 0: not known */
  gboolean offline_told;
  gboolean news;     /* blocks came since the file was last looked at */
  GHashTable *table; /* guint64 to TsrBlock */
  GQueue recent;     /* TsrBlock in memory, the one used last at the head */
  TsrReadAhead ahead;
  guint n_ahead;  /* blocks under way that nobody waits for */
  guint n_writes; /* blocks on their way to the disk */
};

TsrBlockRequest *tsr_block_request_ref (TsrBlockRequest *request);
void tsr_block_request_unref (TsrBlockRequest *request);
/* (transfer full) (element-type TsrBlockRequest) */
GPtrArray *tsr_block_requests_new (void);

/* With the lock held: */

TsrBlock *tsr_remote_blocks_find (TsrRemoteBlocks *self, guint64 number);
/* Puts what the cache has into memory; takes @bytes. */
TsrBlock *tsr_remote_blocks_add (TsrRemoteBlocks *self, guint64 number, GBytes *bytes);
/* Sends it to the disk. */
void tsr_remote_blocks_save (TsrRemoteBlocks *self, guint64 number, GBytes *bytes);
/* Plans to fetch @number with @priority: as a part of the last of @requests where it follows. */
TsrBlock *tsr_remote_blocks_plan (TsrRemoteBlocks *self,
                                  GPtrArray *requests,
                                  guint64 number,
                                  TsrReadPriority priority,
                                  gboolean fetched);
/* Whether the network is not there, or may not be asked for. */
void tsr_remote_blocks_tell_offline (TsrRemoteBlocks *self, gboolean is_offline);

/* Without: */

/* Sends what was planned, in one go. */
void tsr_remote_blocks_send (TsrRemoteBlocks *self, GPtrArray *requests);
/* Waits until @is_over of @data, or @deadline (monotonic; 0: none); FALSE when cancelled. */
gboolean tsr_remote_blocks_wait (TsrRemoteBlocks *self,
                                 gboolean (*is_over) (TsrRemoteBlocks *self, gconstpointer data),
                                 gconstpointer data,
                                 gint64 deadline,
                                 GCancellable *cancellable,
                                 GError **error);
/* @data: the request. */
gboolean tsr_block_request_is_done (TsrRemoteBlocks *self, gconstpointer data);

/* Until this came out well nothing of the cache is given.  @want_network: what is in the cache does
 * not do. */
gboolean tsr_remote_blocks_ensure_trust (TsrRemoteBlocks *self,
                                         gboolean want_network,
                                         GCancellable *cancellable,
                                         GError **error);
void tsr_remote_blocks_set_changed_error (TsrRemoteBlocks *self, GError **error);

G_END_DECLS
