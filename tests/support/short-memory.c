/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions of GLib that may give NULL, with a count of how often they still do not. */

#include "config.h"

#include "short-memory.h"

#include <stdlib.h>

static int n_tries = G_MAXINT;

void
short_memory_begin (int n)
{
  g_atomic_int_set (&n_tries, n);
}

gboolean
short_memory_end (void)
{
  gboolean was_short = g_atomic_int_get (&n_tries) < 0;

  g_atomic_int_set (&n_tries, G_MAXINT);
  return was_short;
}

static gpointer
try_bytes (gsize n, gsize size)
{
  if (n == 0 || size == 0 || g_atomic_int_add (&n_tries, -1) == 0)
    return NULL;
  return calloc (n, size);
}

gpointer
g_try_malloc (gsize size)
{
  return try_bytes (1, size);
}

gpointer
g_try_malloc0 (gsize size)
{
  return try_bytes (1, size);
}

gpointer
g_try_malloc_n (gsize n, gsize size)
{
  return try_bytes (n, size);
}

gpointer
g_try_malloc0_n (gsize n, gsize size)
{
  return try_bytes (n, size);
}
