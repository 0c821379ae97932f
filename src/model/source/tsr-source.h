/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bytes of one file, local or remote, as random reads.  Everything that reads a report uses
 * this.  Any thread may read; there is no shared position.  A source never writes, locks or creates
 * anything. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TSR_TYPE_SOURCE (tsr_source_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrSource, tsr_source, TSR, SOURCE, GObject)

/* Identifies the state of a file.  A field that the place cannot provide is 0. */
typedef struct
{
  gint64 size;
  gint64 mtime_us; /* microseconds since 1970 */
  guint64 device;
  guint64 inode;
} TsrSourceStamp;

typedef struct
{
  gint64 offset;
  gsize length;
  guint8 *bytes; /* buffer for @length bytes */
  gsize got;     /* set by the call; less than @length only at the end of the file */
} TsrSourceRange;

struct _TsrSourceClass
{
  GObjectClass parent_class;

  /* One read; short only at the end of the file.  -1 and @error on failure. */
  gssize (*read) (TsrSource *self,
                  gint64 offset,
                  void *bytes,
                  gsize length,
                  GCancellable *cancellable,
                  GError **error);
  /* Several reads that a remote source sends together; NULL: they are done one by one. */
  gboolean (*read_ranges) (
      TsrSource *self, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error);
  /* The file as it is now, not as it was opened; @stamp is all 0, and stays so if there is none. */
  gboolean (*stat) (TsrSource *self,
                    TsrSourceStamp *stamp,
                    GCancellable *cancellable,
                    GError **error);
  /* (nullable): begins to fetch what will be read soon (bytes and got do not matter), and returns
   * at once; without any, the whole file with what time and network leave over. */
  void (*prefetch) (TsrSource *self, const TsrSourceRange *ranges, guint n);
  /* (nullable): a sequential read ends at @offset; what follows is not urgent. */
  void (*note_end) (TsrSource *self, gint64 offset);
  /* (transfer full) (nullable): something to tell the user although reading goes on. */
  GError *(*steal_warning) (TsrSource *self);
};

/* (transfer full): path or URI to show; base name. */
const char *tsr_source_get_name (TsrSource *self);
const char *tsr_source_get_base_name (TsrSource *self);

/* State when it was opened. */
const TsrSourceStamp *tsr_source_get_stamp (TsrSource *self);
gint64 tsr_source_get_size (TsrSource *self);

/* Reads up to @length bytes at @offset; the number read, less only at the end; -1 on error. */
gssize tsr_source_read (TsrSource *self,
                        gint64 offset,
                        void *bytes,
                        gsize length,
                        GCancellable *cancellable,
                        GError **error);

/* Reads exactly @length bytes or fails with TSR_ERROR_TRUNCATED naming file and offset. */
gboolean tsr_source_read_exactly (TsrSource *self,
                                  gint64 offset,
                                  void *bytes,
                                  gsize length,
                                  GCancellable *cancellable,
                                  GError **error);

gboolean tsr_source_read_ranges (
    TsrSource *self, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error);

/* TRUE if each read may have to wait for a network: reads that are known in advance should be
 * announced together. */
gboolean tsr_source_is_slow (TsrSource *self);
/* Announces that [offset, offset + length) of each of @ranges will be read next.  Returns at once,
 * and does nothing if reading is quick. */
void tsr_source_prefetch (TsrSource *self, const TsrSourceRange *ranges, guint n);
/* Announces that something which may be read sequentially ends at @offset, so that what follows is
 * not read ahead. */
void tsr_source_note_end (TsrSource *self, gint64 offset);
/* Announces that most of the file will be read: it is fetched in the background as long as @self
 * exists. */
void tsr_source_prefetch_all (TsrSource *self);
/* (transfer full) (nullable): something to tell the user although reading goes on; each only once.
 */
GError *tsr_source_steal_warning (TsrSource *self);

/* TSR_ERROR_CHANGED if size, time, device or inode are no longer those at opening. */
gboolean tsr_source_check_unchanged (TsrSource *self, GCancellable *cancellable, GError **error);

/* Bytes asked for so far, over all threads: for tests and bench ("reads none of the big tables").
 */
guint64 tsr_source_get_bytes_read (TsrSource *self);

/* For subclasses, once, before the source is used. */
void tsr_source_set_identity (TsrSource *self, const char *name, const TsrSourceStamp *stamp);

/* A local regular file, opened read-only (symbolic links are followed; a FIFO, device or folder is
 * TSR_ERROR_NOT_A_REPORT without blocking). */
TsrSource *tsr_local_source_new (const char *path, GError **error);

/* Bytes in memory, for tests, fuzzing and small decoded parts. */
TsrSource *tsr_bytes_source_new (const char *name, GBytes *bytes);

G_END_DECLS
