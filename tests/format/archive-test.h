/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of archives write them with. */

#pragma once

#include <glib.h>

/* A member of an ar archive: its header, and a byte behind data of an odd length. */
static inline void
archive_test_put_member (GByteArray *archive, const char *name, const void *bytes, gsize length)
{
  g_autofree char *header
      = g_strdup_printf ("%-16s%-12u%-6u%-6u%-8s%-10zu`\n", name, 0, 0, 0, "100644", length);

  g_byte_array_append (archive, (const guint8 *)header, 60);
  g_byte_array_append (archive, bytes, (guint)length);
  if (length % 2 != 0)
    g_byte_array_append (archive, (const guint8 *)"\n", 1);
}
