/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bytes of one file as random reads: local now, remote later.  Everything that reads a
 * report reads through this.  Any thread may read; reads do not share a position.
 * A source never writes, locks or creates anything. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TSR_TYPE_SOURCE (tsr_source_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrSource, tsr_source, TSR, SOURCE, GObject)

/* What tells one state of a file from another.  A field that the place cannot tell is 0. */
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
  guint8 *bytes; /* room for @length bytes */
  gsize got;     /* set by the call: less than @length only at the end of the file */
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
  /* Many reads that a remote source sends at once; NULL: one after the other. */
  gboolean (*read_ranges) (
      TsrSource *self, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error);
  /* The file as it is now, not as it was opened. */
  gboolean (*stat) (TsrSource *self,
                    TsrSourceStamp *stamp,
                    GCancellable *cancellable,
                    GError **error);
  /* (nullable): begins to fetch what will be read soon (bytes and got do not matter), and returns
   * at once; without any, the whole file with what time and network leave over. */
  void (*prefetch) (TsrSource *self, const TsrSourceRange *ranges, guint n);
  /* (nullable): what is read in order ends at @offset; what comes behind it need not come early. */
  void (*note_end) (TsrSource *self, gint64 offset);
  /* (transfer full) (nullable): something that people should know although reading goes on. */
  GError *(*steal_warning) (TsrSource *self);
};

/* (transfer full): path or URI for people; base name. */
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

/* TRUE where each read may have to wait for a network: what is known to be read should be asked for
 * at once. */
gboolean tsr_source_is_slow (TsrSource *self);
/* Tells that [offset, offset + length) of each of @ranges is read next; returns at once, and does
 * nothing where reading is quick. */
void tsr_source_prefetch (TsrSource *self, const TsrSourceRange *ranges, guint n);
/* Tells that something which may be read in order ends at @offset, so that what follows it is not
 * fetched with it. */
void tsr_source_note_end (TsrSource *self, gint64 offset);
/* Tells that most of the file will be read: it is fetched as long as @self lives. */
void tsr_source_prefetch_all (TsrSource *self);
/* (transfer full) (nullable): what people should know although reading goes on; each once. */
GError *tsr_source_steal_warning (TsrSource *self);

/* TSR_ERROR_CHANGED when size, time, device or inode are not those of the opening any more. */
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
