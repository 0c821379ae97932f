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

/* Room for @used bytes is taken, which GLib may use from @was on; what was given to it beyond that
 * is closed again, and all that is new where it was moved. */
typedef struct
{
  guint8 *data;
  gsize was, open_to;
} Room;

static gsize
get_room (const void *data)
{
  return data != NULL ? malloc_usable_size ((void *)data) : 0;
}

static Room
open_room (void *data, gsize used, gsize more)
{
  const gsize room = get_room (data);
  const Room self = { data, MIN (used, room), MIN (used + more, room) };

  ASAN_UNPOISON_MEMORY_REGION (self.data + self.was, self.open_to - self.was);
  return self;
}

static void
close_room (const Room *self, void *data, gsize used)
{
  const gsize to = data == self->data ? MAX (self->was, self->open_to) : get_room (data);

  if (to > used)
    ASAN_POISON_MEMORY_REGION ((guint8 *)data + used, to - used);
}

static gsize
get_array_bytes (const Array *self, gsize n)
{
  return (n + self->zero_terminated) * self->item_bytes;
}

static gsize
get_pointers_bytes (const Pointers *self, gsize n)
{
  return (n + self->null_terminated) * sizeof (gpointer);
}

/* @parameters and @arguments of a function that changes @array, to which it adds @more items at
 * most. */
#define STAND_BEFORE(kind, type, result, name, parameters, arguments, more)                        \
  result name parameters                                                                           \
  {                                                                                                \
    static result (*real) parameters;                                                              \
    const type *self = (type *)(void *)array;                                                      \
    const Room room = open_room (self->data, get_##kind##_bytes (self, self->len),                 \
                                 get_##kind##_bytes (self, more));                                 \
    result value;                                                                                  \
                                                                                                   \
    if (real == NULL)                                                                              \
      real = (result (*) parameters)find (#name);                                                  \
    value = real arguments;                                                                        \
    close_room (&room, self->data, get_##kind##_bytes (self, self->len));                          \
    return value;                                                                                  \
  }

/* One that returns nothing. */
#define STAND_BEFORE_VOID(name, parameters, arguments, more)                                       \
  void name parameters                                                                             \
  {                                                                                                \
    static void (*real) parameters;                                                                \
    const Pointers *self = (Pointers *)(void *)array;                                              \
    const Room room = open_room (self->data, get_pointers_bytes (self, self->len),                 \
                                 get_pointers_bytes (self, more));                                 \
                                                                                                   \
    if (real == NULL)                                                                              \
      real = (void (*) parameters)find (#name);                                                    \
    real arguments;                                                                                \
    close_room (&room, self->data, get_pointers_bytes (self, self->len));                          \
  }

#define ARRAY(name, parameters, arguments, more)                                                   \
  STAND_BEFORE (array, Array, GArray *, name, parameters, arguments, more)
#define POINTERS(result, name, parameters, arguments)                                              \
  STAND_BEFORE (pointers, Pointers, result, name, parameters, arguments, 0)

ARRAY (g_array_append_vals, (GArray * array, gconstpointer items, guint n), (array, items, n), n)
ARRAY (g_array_prepend_vals, (GArray * array, gconstpointer items, guint n), (array, items, n), n)
ARRAY (g_array_insert_vals,
       (GArray * array, guint at, gconstpointer items, guint n),
       (array, at, items, n),
       (gsize)at + n)
ARRAY (g_array_set_size, (GArray * array, guint n), (array, n), n)
ARRAY (g_array_remove_index, (GArray * array, guint at), (array, at), 0)
ARRAY (g_array_remove_index_fast, (GArray * array, guint at), (array, at), 0)
ARRAY (g_array_remove_range, (GArray * array, guint at, guint n), (array, at, n), 0)
POINTERS (gboolean, g_ptr_array_remove, (GPtrArray * array, gpointer item), (array, item))
POINTERS (gboolean, g_ptr_array_remove_fast, (GPtrArray * array, gpointer item), (array, item))
POINTERS (gpointer, g_ptr_array_remove_index, (GPtrArray * array, guint at), (array, at))
POINTERS (gpointer, g_ptr_array_remove_index_fast, (GPtrArray * array, guint at), (array, at))
POINTERS (gpointer, g_ptr_array_steal_index, (GPtrArray * array, guint at), (array, at))
POINTERS (gpointer, g_ptr_array_steal_index_fast, (GPtrArray * array, guint at), (array, at))
POINTERS (GPtrArray *,
          g_ptr_array_remove_range,
          (GPtrArray * array, guint at, guint n),
          (array, at, n))
STAND_BEFORE_VOID (g_ptr_array_add, (GPtrArray * array, gpointer item), (array, item), 1)
STAND_BEFORE_VOID (g_ptr_array_insert,
                   (GPtrArray * array, int at, gpointer item),
                   (array, at, item),
                   1)
STAND_BEFORE_VOID (g_ptr_array_set_size, (GPtrArray * array, int n), (array, n), (gsize)n)
STAND_BEFORE_VOID (g_ptr_array_extend,
                   (GPtrArray * array, GPtrArray *items, GCopyFunc copy, gpointer data),
                   (array, items, copy, data),
                   items->len)

/* Those that have room from the start. */
GArray *
g_array_sized_new (gboolean zero_terminated, gboolean clear, guint item_bytes, guint n_room)
{
  static GArray *(*real) (gboolean, gboolean, guint, guint);
  const Room room = { NULL, 0, 0 };
  GArray *array;

  if (real == NULL)
    real = (GArray * (*)(gboolean, gboolean, guint, guint)) find ("g_array_sized_new");
  array = real (zero_terminated, clear, item_bytes, n_room);
  close_room (&room, array->data, get_array_bytes ((Array *)(void *)array, 0));
  return array;
}

GPtrArray *
g_ptr_array_new_full (guint n_room, GDestroyNotify free_item)
{
  static GPtrArray *(*real) (guint, GDestroyNotify);
  const Room room = { NULL, 0, 0 };
  GPtrArray *array;

  if (real == NULL)
    real = (GPtrArray * (*)(guint, GDestroyNotify)) find ("g_ptr_array_new_full");
  array = real (n_room, free_item);
  close_room (&room, array->pdata, 0);
  return array;
}
