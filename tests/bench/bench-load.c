/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loads a report as the programs do and tells what each stage cost.
 * bench-load REPORT: prints "STAGE SECONDS BYTES-READ", the summary alone and then both stages. */

#include "config.h"

#include "tsr-report.h"

#include <stdio.h>

/* A place that keeps what it opened, so that its reads can be counted. */
#define COUNTING_TYPE_PLACE (counting_place_get_type ())
G_DECLARE_FINAL_TYPE (CountingPlace, counting_place, COUNTING, PLACE, TsrPlace)

struct _CountingPlace
{
  TsrPlace parent_instance;
  TsrPlace *local;
  GPtrArray *sources;
};
G_DEFINE_FINAL_TYPE (CountingPlace, counting_place, TSR_TYPE_PLACE)

static GPtrArray *
counting_place_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_list (COUNTING_PLACE (place)->local, path, cancellable, error);
}

static TsrFolderEntry *
counting_place_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_stat (COUNTING_PLACE (place)->local, path, cancellable, error);
}

static TsrSource *
counting_place_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  CountingPlace *self = COUNTING_PLACE (place);
  TsrSource *source = tsr_place_open (self->local, path, cancellable, error);

  if (source != NULL)
    g_ptr_array_add (self->sources, g_object_ref (source));
  return source;
}

static void
counting_place_finalize (GObject *object)
{
  CountingPlace *self = COUNTING_PLACE (object);

  g_clear_object (&self->local);
  g_ptr_array_unref (self->sources);
  G_OBJECT_CLASS (counting_place_parent_class)->finalize (object);
}

static void
counting_place_class_init (CountingPlaceClass *klass)
{
  TsrPlaceClass *place_class = TSR_PLACE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = counting_place_finalize;
  place_class->list = counting_place_list;
  place_class->stat = counting_place_stat;
  place_class->open = counting_place_open;
}

static void
counting_place_init (CountingPlace *self)
{
  self->local = tsr_local_place_new ();
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
load (const char *path, TsrLoadFlags flags, const char *name)
{
  g_autoptr (CountingPlace) place = g_object_new (COUNTING_TYPE_PLACE, NULL);
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (TSR_PLACE (place), path, flags, NULL, &error);
  double seconds = (double)(g_get_monotonic_time () - start) / 1e6;
  guint64 bytes = 0;

  if (report == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return FALSE;
    }
  for (guint i = 0; i < place->sources->len; i++)
    bytes += tsr_source_get_bytes_read (g_ptr_array_index (place->sources, i));
  printf ("%s %.6f %" G_GUINT64_FORMAT "\n", name, seconds, bytes);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-load REPORT\n");
      return 2;
    }
  path = g_canonicalize_filename (argv[1], NULL);
  return load (path, TSR_LOAD_SUMMARY_ONLY, "summary")
                 && load (path, TSR_LOAD_UP_TO_MEMORY, "memory")
             ? 0
             : 1;
}
