/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abstract source: identity, counting, exact reads, and what it does for subclasses that read
 * one range at a time.  Then the two that know no network: a local file, and bytes in memory. Files
 * are read with pread on one descriptor and not mapped, so a file that is truncated while open
 * causes an error, not a signal. */

#include "config.h"

#include "tsr-source.h"

#include "tsr-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *name;
  char *base_name;
  TsrSourceStamp stamp;
  guint64 bytes_read; /* atomic */
} TsrSourcePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TsrSource, tsr_source, G_TYPE_OBJECT)

static void
tsr_source_finalize (GObject *object)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (TSR_SOURCE (object));

  g_free (priv->name);
  g_free (priv->base_name);
  G_OBJECT_CLASS (tsr_source_parent_class)->finalize (object);
}

static void
tsr_source_class_init (TsrSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_source_finalize;
}

static void
tsr_source_init (TsrSource *self)
{
}

void
tsr_source_set_identity (TsrSource *self, const char *name, const TsrSourceStamp *stamp)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (self);

  g_return_if_fail (TSR_IS_SOURCE (self) && name != NULL && stamp != NULL);
  g_return_if_fail (priv->name == NULL);

  priv->name = g_filename_display_name (name);
  priv->base_name = g_filename_display_basename (name);
  priv->stamp = *stamp;
}

const char *
tsr_source_get_name (TsrSource *self)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (self);

  return priv->name;
}

const char *
tsr_source_get_base_name (TsrSource *self)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (self);

  return priv->base_name;
}

const TsrSourceStamp *
tsr_source_get_stamp (TsrSource *self)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (self);

  return &priv->stamp;
}

gint64
tsr_source_get_size (TsrSource *self)
{
  return tsr_source_get_stamp (self)->size;
}

static void
count (TsrSource *self, gssize got)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (self);

  if (got > 0)
    __atomic_fetch_add (&priv->bytes_read, (guint64)got, __ATOMIC_RELAXED);
}

guint64
tsr_source_get_bytes_read (TsrSource *self)
{
  TsrSourcePrivate *priv = tsr_source_get_instance_private (self);

  return __atomic_load_n (&priv->bytes_read, __ATOMIC_RELAXED);
}

gssize
tsr_source_read (TsrSource *self,
                 gint64 offset,
                 void *bytes,
                 gsize length,
                 GCancellable *cancellable,
                 GError **error)
{
  gssize got;

  g_return_val_if_fail (TSR_IS_SOURCE (self), -1);
  g_return_val_if_fail (offset >= 0, -1);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return -1;
  got = TSR_SOURCE_GET_CLASS (self)->read (self, offset, bytes, length, cancellable, error);
  count (self, got);
  return got;
}

gboolean
tsr_source_read_exactly (TsrSource *self,
                         gint64 offset,
                         void *bytes,
                         gsize length,
                         GCancellable *cancellable,
                         GError **error)
{
  gssize got = tsr_source_read (self, offset, bytes, length, cancellable, error);

  if (got < 0)
    return FALSE;
  if ((gsize)got == length)
    return TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED,
               _ ("%s ends at byte %" PRId64 ", but %zu"
                  " bytes are expected at byte %" PRId64 "; the file is cut off: copy it again"),
               tsr_source_get_name (self), offset + got, length, offset);
  return FALSE;
}

gboolean
tsr_source_read_ranges (
    TsrSource *self, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error)
{
  TsrSourceClass *class;

  g_return_val_if_fail (TSR_IS_SOURCE (self), FALSE);

  class = TSR_SOURCE_GET_CLASS (self);
  if (class->read_ranges != NULL)
    {
      if (!class->read_ranges (self, ranges, n, cancellable, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        count (self, ranges[i].got);
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    {
      gssize got = tsr_source_read (self, ranges[i].offset, ranges[i].bytes, ranges[i].length,
                                    cancellable, error);

      if (got < 0)
        return FALSE;
      ranges[i].got = got;
    }
  return TRUE;
}

gboolean
tsr_source_is_slow (TsrSource *self)
{
  g_return_val_if_fail (TSR_IS_SOURCE (self), FALSE);
  return TSR_SOURCE_GET_CLASS (self)->prefetch != NULL;
}

void
tsr_source_prefetch (TsrSource *self, const TsrSourceRange *ranges, guint n)
{
  g_return_if_fail (TSR_IS_SOURCE (self) && (ranges != NULL || n == 0));
  if (n > 0 && tsr_source_is_slow (self))
    TSR_SOURCE_GET_CLASS (self)->prefetch (self, ranges, n);
}

void
tsr_source_note_end (TsrSource *self, gint64 offset)
{
  g_return_if_fail (TSR_IS_SOURCE (self));
  if (TSR_SOURCE_GET_CLASS (self)->note_end != NULL)
    TSR_SOURCE_GET_CLASS (self)->note_end (self, offset);
}

void
tsr_source_prefetch_all (TsrSource *self)
{
  if (tsr_source_is_slow (self))
    TSR_SOURCE_GET_CLASS (self)->prefetch (self, NULL, 0);
}

GError *
tsr_source_steal_warning (TsrSource *self)
{
  g_return_val_if_fail (TSR_IS_SOURCE (self), NULL);
  if (TSR_SOURCE_GET_CLASS (self)->steal_warning == NULL)
    return NULL;
  return TSR_SOURCE_GET_CLASS (self)->steal_warning (self);
}

gboolean
tsr_source_check_unchanged (TsrSource *self, GCancellable *cancellable, GError **error)
{
  const TsrSourceStamp *then = tsr_source_get_stamp (self);
  TsrSourceStamp now = { 0 };

  if (!TSR_SOURCE_GET_CLASS (self)->stat (self, &now, cancellable, error))
    return FALSE;
  if (now.size == then->size && now.mtime_us == then->mtime_us && now.device == then->device
      && now.inode == then->inode)
    return TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_CHANGED,
               _ ("%s changed while it was read; wait until the program that writes it has ended, "
                  "then reload the report"),
               tsr_source_get_name (self));
  return FALSE;
}

/* ------------------------------------------------------------------ local */

#define TSR_TYPE_LOCAL_SOURCE (tsr_local_source_get_type ())
G_DECLARE_FINAL_TYPE (TsrLocalSource, tsr_local_source, TSR, LOCAL_SOURCE, TsrSource)

struct _TsrLocalSource
{
  TsrSource parent_instance;
  int fd;
  char *path;
};

G_DEFINE_FINAL_TYPE (TsrLocalSource, tsr_local_source, TSR_TYPE_SOURCE)

static void
set_errno (GError **error, const char *format, const char *path, int code)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *head = g_strdup_printf ("%s %s", format, name);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", head, g_strerror (code));
}

static gssize
local_read (TsrSource *source,
            gint64 offset,
            void *bytes,
            gsize length,
            GCancellable *cancellable,
            GError **error)
{
  TsrLocalSource *self = TSR_LOCAL_SOURCE (source);
  gsize done = 0;

  while (done < length)
    {
      ssize_t got = TEMP_FAILURE_RETRY (
          pread (self->fd, (guint8 *)bytes + done, length - done, offset + done));

      if (got < 0)
        {
          set_errno (error, _ ("Cannot read"), self->path, errno);
          return -1;
        }
      if (got == 0)
        break;
      done += got;
    }
  return done;
}

static void
fill_stamp (const struct stat *info, TsrSourceStamp *stamp)
{
  stamp->size = info->st_size;
  stamp->mtime_us = (gint64)info->st_mtim.tv_sec * G_USEC_PER_SEC + info->st_mtim.tv_nsec / 1000;
  stamp->device = info->st_dev;
  stamp->inode = info->st_ino;
}

static gboolean
local_stat (TsrSource *source, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  TsrLocalSource *self = TSR_LOCAL_SOURCE (source);
  struct stat info;

  /* By path: a file that was replaced is another file, though the old one can still be read. */
  if (stat (self->path, &info) != 0)
    {
      if (errno == ENOENT)
        return TRUE;
      set_errno (error, _ ("Cannot look at"), self->path, errno);
      return FALSE;
    }
  fill_stamp (&info, stamp);
  return TRUE;
}

static void
tsr_local_source_finalize (GObject *object)
{
  TsrLocalSource *self = TSR_LOCAL_SOURCE (object);

  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  G_OBJECT_CLASS (tsr_local_source_parent_class)->finalize (object);
}

static void
tsr_local_source_class_init (TsrLocalSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_local_source_finalize;
  TSR_SOURCE_CLASS (class)->read = local_read;
  TSR_SOURCE_CLASS (class)->stat = local_stat;
}

static void
tsr_local_source_init (TsrLocalSource *self)
{
  self->fd = -1;
}

TsrSource *
tsr_local_source_new (const char *path, GError **error)
{
  g_autoptr (TsrLocalSource) self = NULL;
  TsrSourceStamp stamp;
  struct stat info;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (TSR_TYPE_LOCAL_SOURCE, NULL);
  self->path = g_strdup (path);
  /* Non-blocking, so that opening a FIFO does not wait for its writer; a device is not opened at
   * all: that alone can do things. */
  if (stat (path, &info) == 0 && !S_ISREG (info.st_mode))
    errno = 0;
  else
    self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if ((self->fd < 0 && errno != 0) || (self->fd >= 0 && fstat (self->fd, &info) != 0))
    {
      set_errno (error, _ ("Cannot open"), path, errno);
      return NULL;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                   _ ("%s is not a regular file; open a report's folder or a file in it"), name);
      return NULL;
    }
  fill_stamp (&info, &stamp);
  tsr_source_set_identity (TSR_SOURCE (self), path, &stamp);
  return TSR_SOURCE (g_steal_pointer (&self));
}

/* ------------------------------------------------------------------ bytes */

#define TSR_TYPE_BYTES_SOURCE (tsr_bytes_source_get_type ())
G_DECLARE_FINAL_TYPE (TsrBytesSource, tsr_bytes_source, TSR, BYTES_SOURCE, TsrSource)

struct _TsrBytesSource
{
  TsrSource parent_instance;
  GBytes *bytes;
};

G_DEFINE_FINAL_TYPE (TsrBytesSource, tsr_bytes_source, TSR_TYPE_SOURCE)

static gssize
bytes_read (TsrSource *source,
            gint64 offset,
            void *bytes,
            gsize length,
            GCancellable *cancellable,
            GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (TSR_BYTES_SOURCE (source)->bytes, &size);
  gsize n;

  if ((guint64)offset >= size || length == 0)
    return 0;
  n = MIN (length, size - (gsize)offset);
  memcpy (bytes, data + offset, n);
  return n;
}

static gboolean
bytes_stat (TsrSource *source, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  *stamp = *tsr_source_get_stamp (source);
  return TRUE;
}

static void
tsr_bytes_source_finalize (GObject *object)
{
  g_clear_pointer (&TSR_BYTES_SOURCE (object)->bytes, g_bytes_unref);
  G_OBJECT_CLASS (tsr_bytes_source_parent_class)->finalize (object);
}

static void
tsr_bytes_source_class_init (TsrBytesSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_bytes_source_finalize;
  TSR_SOURCE_CLASS (class)->read = bytes_read;
  TSR_SOURCE_CLASS (class)->stat = bytes_stat;
}

static void
tsr_bytes_source_init (TsrBytesSource *self)
{
}

TsrSource *
tsr_bytes_source_new (const char *name, GBytes *bytes)
{
  TsrBytesSource *self;
  TsrSourceStamp stamp = { 0 };

  g_return_val_if_fail (name != NULL && bytes != NULL, NULL);
  self = g_object_new (TSR_TYPE_BYTES_SOURCE, NULL);
  stamp.size = g_bytes_get_size (bytes);
  self->bytes = g_bytes_ref (bytes);
  tsr_source_set_identity (TSR_SOURCE (self), name, &stamp);
  return TSR_SOURCE (self);
}
