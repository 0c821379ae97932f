/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GLib's arrays for AddressSanitizer: they have more room than items, and what lies behind the last
 * item must not be touched.  The functions that change how many there are stand here in front of
 * GLib's own. */

#include "config.h"

#include <dlfcn.h>
#include <glib.h>
#include <malloc.h>
#include <sanitizer/asan_interface.h>

/* As garray.c of GLib 2.74 has it. */
typedef struct
{
  guint8 *data;
  guint len, n_room, item_bytes;
  guint zero_terminated : 1;
} Array;

typedef struct
{
  gpointer *data;
  guint len, n_room;
  gatomicrefcount refs;
  guint8 null_terminated : 1;
} Pointers;

static gpointer
find (const char *name)
{
  gpointer found = dlsym (RTLD_NEXT, name);

  g_assert (found != NULL);
  return found;
}

static void
loosen (gpointer data)
{
  if (data != NULL)
    ASAN_UNPOISON_MEMORY_REGION (data, malloc_usable_size (data));
}

static void
tighten (gpointer data, gsize used)
{
  gsize room = data != NULL ? malloc_usable_size (data) : 0;

  if (room > used)
    ASAN_POISON_MEMORY_REGION ((guint8 *)data + used, room - used);
}

static void
tighten_array (GArray *array)
{
  const Array *self = (Array *)(void *)array;

  tighten (self->data, (gsize)(self->len + self->zero_terminated) * self->item_bytes);
}

static void
tighten_pointers (GPtrArray *array)
{
  const Pointers *self = (Pointers *)(void *)array;

  tighten (self->data, (self->len + self->null_terminated) * sizeof (gpointer));
}

/* @parameters and @arguments of a function that changes @array and returns something. */
#define STAND_BEFORE(kind, type, result, name, parameters, arguments)                              \
  result name parameters                                                                           \
  {                                                                                                \
    static result (*real) parameters;                                                              \
    result value;                                                                                  \
                                                                                                   \
    if (real == NULL)                                                                              \
      real = (result (*) parameters)find (#name);                                                  \
    loosen (((type *)(void *)array)->data);                                                        \
    value = real arguments;                                                                        \
    tighten_##kind (array);                                                                        \
    return value;                                                                                  \
  }

/* One that returns nothing. */
#define STAND_BEFORE_VOID(name, parameters, arguments)                                             \
  void name parameters                                                                             \
  {                                                                                                \
    static void (*real) parameters;                                                                \
                                                                                                   \
    if (real == NULL)                                                                              \
      real = (void (*) parameters)find (#name);                                                    \
    loosen (((Pointers *)(void *)array)->data);                                                    \
    real arguments;                                                                                \
    tighten_pointers (array);                                                                      \
  }

STAND_BEFORE (array,
              Array,
              GArray *,
              g_array_append_vals,
              (GArray * array, gconstpointer items, guint n),
              (array, items, n))
STAND_BEFORE (array,
              Array,
              GArray *,
              g_array_prepend_vals,
              (GArray * array, gconstpointer items, guint n),
              (array, items, n))
STAND_BEFORE (array,
              Array,
              GArray *,
              g_array_insert_vals,
              (GArray * array, guint at, gconstpointer items, guint n),
              (array, at, items, n))
STAND_BEFORE (array, Array, GArray *, g_array_set_size, (GArray * array, guint n), (array, n))
STAND_BEFORE (array, Array, GArray *, g_array_remove_index, (GArray * array, guint at), (array, at))
STAND_BEFORE (
    array, Array, GArray *, g_array_remove_index_fast, (GArray * array, guint at), (array, at))
STAND_BEFORE (array,
              Array,
              GArray *,
              g_array_remove_range,
              (GArray * array, guint at, guint n),
              (array, at, n))
STAND_BEFORE (pointers,
              Pointers,
              gboolean,
              g_ptr_array_remove,
              (GPtrArray * array, gpointer item),
              (array, item))
STAND_BEFORE (pointers,
              Pointers,
              gboolean,
              g_ptr_array_remove_fast,
              (GPtrArray * array, gpointer item),
              (array, item))
STAND_BEFORE (pointers,
              Pointers,
              gpointer,
              g_ptr_array_remove_index,
              (GPtrArray * array, guint at),
              (array, at))
STAND_BEFORE (pointers,
              Pointers,
              gpointer,
              g_ptr_array_remove_index_fast,
              (GPtrArray * array, guint at),
              (array, at))
STAND_BEFORE (pointers,
              Pointers,
              gpointer,
              g_ptr_array_steal_index,
              (GPtrArray * array, guint at),
              (array, at))
STAND_BEFORE (pointers,
              Pointers,
              gpointer,
              g_ptr_array_steal_index_fast,
              (GPtrArray * array, guint at),
              (array, at))
STAND_BEFORE (pointers,
              Pointers,
              GPtrArray *,
              g_ptr_array_remove_range,
              (GPtrArray * array, guint at, guint n),
              (array, at, n))
STAND_BEFORE_VOID (g_ptr_array_add, (GPtrArray * array, gpointer item), (array, item))
STAND_BEFORE_VOID (g_ptr_array_insert,
                   (GPtrArray * array, int at, gpointer item),
                   (array, at, item))
STAND_BEFORE_VOID (g_ptr_array_set_size, (GPtrArray * array, int n), (array, n))
STAND_BEFORE_VOID (g_ptr_array_extend,
                   (GPtrArray * array, GPtrArray *items, GCopyFunc copy, gpointer data),
                   (array, items, copy, data))
