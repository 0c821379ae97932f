/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abstract source: identity, counting, exact reads, and what it does for subclasses that read
 * one range at a time. */

#include "config.h"

#include "tsr-source.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

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
