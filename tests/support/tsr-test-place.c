/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A place whose sources hand everything on to those of the local one. */

#include "config.h"

#include "tsr-test-place.h"

typedef struct
{
  TsrSource parent_instance;
  const TsrTestPlaceHooks *hooks;
  TsrSource *inner;
} TestSource;

typedef TsrSourceClass TestSourceClass;

static GType test_source_get_type (void);
G_DEFINE_TYPE (TestSource, test_source, TSR_TYPE_SOURCE)

static gssize
test_source_read (TsrSource *source,
                  gint64 offset,
                  void *bytes,
                  gsize length,
                  GCancellable *cancellable,
                  GError **error)
{
  TestSource *self = (TestSource *)source;

  if (self->hooks->read != NULL && !self->hooks->read (source, offset, length, error))
    return -1;
  return tsr_source_read (self->inner, offset, bytes, length, cancellable, error);
}

static gboolean
test_source_stat (TsrSource *source,
                  TsrSourceStamp *stamp,
                  GCancellable *cancellable,
                  GError **error)
{
  TsrSource *inner = ((TestSource *)source)->inner;

  return TSR_SOURCE_GET_CLASS (inner)->stat (inner, stamp, cancellable, error);
}

static void
test_source_finalize (GObject *object)
{
  g_clear_object (&((TestSource *)object)->inner);
  G_OBJECT_CLASS (test_source_parent_class)->finalize (object);
}

static void
test_source_init (TestSource *self)
{
}

static void
test_source_class_init (TestSourceClass *class)
{
  class->read = test_source_read;
  class->stat = test_source_stat;
  G_OBJECT_CLASS (class)->finalize = test_source_finalize;
}

/* One whose class says that it is slow. */
typedef TestSource FarSource;
typedef TestSourceClass FarSourceClass;

static GType far_source_get_type (void);
G_DEFINE_TYPE (FarSource, far_source, test_source_get_type ())

static void
far_source_prefetch (TsrSource *source, const TsrSourceRange *ranges, guint n)
{
  ((FarSource *)source)->hooks->prefetch (source, ranges, n);
}

static void
far_source_init (FarSource *self)
{
}

static void
far_source_class_init (FarSourceClass *class)
{
  class->prefetch = far_source_prefetch;
}

typedef struct
{
  TsrPlace parent_instance;
  const TsrTestPlaceHooks *hooks;
  TsrPlace *local;
} TestPlace;

typedef TsrPlaceClass TestPlaceClass;

static GType test_place_get_type (void);
G_DEFINE_TYPE (TestPlace, test_place, TSR_TYPE_PLACE)

static GPtrArray *
test_place_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_list (((TestPlace *)place)->local, path, cancellable, error);
}

static TsrFolderEntry *
test_place_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_stat (((TestPlace *)place)->local, path, cancellable, error);
}

static TsrSource *
test_place_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TestPlace *self = (TestPlace *)place;
  TsrSource *inner = tsr_place_open (self->local, path, cancellable, error);
  TestSource *source;

  if (inner == NULL)
    return NULL;
  source = g_object_new (
      self->hooks->prefetch != NULL ? far_source_get_type () : test_source_get_type (), NULL);
  source->hooks = self->hooks;
  source->inner = inner;
  tsr_source_set_identity (TSR_SOURCE (source), tsr_source_get_name (inner),
                           tsr_source_get_stamp (inner));
  return TSR_SOURCE (source);
}

static void
test_place_finalize (GObject *object)
{
  g_clear_object (&((TestPlace *)object)->local);
  G_OBJECT_CLASS (test_place_parent_class)->finalize (object);
}

static void
test_place_class_init (TestPlaceClass *class)
{
  class->list = test_place_list;
  class->stat = test_place_stat;
  class->open = test_place_open;
  G_OBJECT_CLASS (class)->finalize = test_place_finalize;
}

static void
test_place_init (TestPlace *self)
{
  self->local = tsr_local_place_new ();
}

TsrPlace *
tsr_test_place_new (const TsrTestPlaceHooks *hooks)
{
  TestPlace *self = g_object_new (test_place_get_type (), NULL);

  self->hooks = hooks;
  return TSR_PLACE (self);
}

/* ---------------------------------------------------------------- one read fails */

static int n_left = G_MAXINT;
static int failed;

static gboolean
on_read (TsrSource *source, gint64 offset, gsize length, GError **error)
{
  if (g_atomic_int_add (&n_left, -1) != 0)
    return TRUE;
  g_atomic_int_set (&failed, TRUE);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE, "the cable was pulled out");
  return FALSE;
}

TsrPlace *
tsr_test_failing_place_new (void)
{
  static const TsrTestPlaceHooks hooks = { .read = on_read };

  return tsr_test_place_new (&hooks);
}

void
tsr_test_fail_read (int n)
{
  g_atomic_int_set (&failed, FALSE);
  g_atomic_int_set (&n_left, n);
}

gboolean
tsr_test_has_read_failed (void)
{
  return g_atomic_int_get (&failed);
}
