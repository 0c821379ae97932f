/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Implements TsrSource on top of TsrRemoteBlocks. */

#include "config.h"

#include "tsr-remote-source.h"

struct _TsrRemoteSource
{
  TsrSource parent_instance;
  TsrRemoteBlocks *blocks;
};

G_DEFINE_FINAL_TYPE (TsrRemoteSource, tsr_remote_source, TSR_TYPE_SOURCE)

static gssize
remote_read (TsrSource *source,
             gint64 offset,
             void *bytes,
             gsize length,
             GCancellable *cancellable,
             GError **error)
{
  return tsr_remote_blocks_read (TSR_REMOTE_SOURCE (source)->blocks, offset, bytes, length,
                                 cancellable, error);
}

static gboolean
remote_read_ranges (
    TsrSource *source, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error)
{
  return tsr_remote_blocks_read_ranges (TSR_REMOTE_SOURCE (source)->blocks, ranges, n, cancellable,
                                        error);
}

static gboolean
remote_stat (TsrSource *source, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  return tsr_remote_blocks_stat (TSR_REMOTE_SOURCE (source)->blocks, stamp, cancellable, error);
}

static void
remote_prefetch (TsrSource *source, const TsrSourceRange *ranges, guint n)
{
  TsrRemoteSource *self = TSR_REMOTE_SOURCE (source);

  if (n > 0)
    tsr_remote_blocks_prefetch (self->blocks, ranges, n);
  else
    tsr_remote_blocks_fetch_in_background (self->blocks);
}

static void
remote_note_end (TsrSource *source, gint64 offset)
{
  tsr_remote_blocks_note_end (TSR_REMOTE_SOURCE (source)->blocks, offset);
}

static GError *
remote_steal_warning (TsrSource *source)
{
  return tsr_remote_blocks_steal_cache_error (TSR_REMOTE_SOURCE (source)->blocks);
}

static void
tsr_remote_source_finalize (GObject *object)
{
  TsrRemoteSource *self = TSR_REMOTE_SOURCE (object);

  tsr_remote_blocks_close (self->blocks);
  tsr_remote_blocks_unref (self->blocks);
  G_OBJECT_CLASS (tsr_remote_source_parent_class)->finalize (object);
}

static void
tsr_remote_source_class_init (TsrRemoteSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_remote_source_finalize;
  TSR_SOURCE_CLASS (class)->read = remote_read;
  TSR_SOURCE_CLASS (class)->read_ranges = remote_read_ranges;
  TSR_SOURCE_CLASS (class)->stat = remote_stat;
  TSR_SOURCE_CLASS (class)->prefetch = remote_prefetch;
  TSR_SOURCE_CLASS (class)->note_end = remote_note_end;
  TSR_SOURCE_CLASS (class)->steal_warning = remote_steal_warning;
}

static void
tsr_remote_source_init (TsrRemoteSource *self)
{
}

TsrSource *
tsr_remote_source_new (TsrRemoteBlocks *blocks, const char *name, const TsrSourceStamp *stamp)
{
  TsrRemoteSource *self = g_object_new (TSR_TYPE_REMOTE_SOURCE, NULL);

  self->blocks = blocks;
  tsr_source_set_identity (TSR_SOURCE (self), name, stamp);
  tsr_remote_blocks_start (blocks);
  return TSR_SOURCE (self);
}

TsrRemoteBlocks *
tsr_remote_source_peek_blocks (TsrRemoteSource *self)
{
  return self->blocks;
}
