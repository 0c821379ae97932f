/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Big-endian numbers, and strings with their length before them. */

#include "config.h"

#include "tsr-wire.h"

#include <string.h>

static gboolean
take (TsrWire *wire, void *to, gsize length)
{
  if (wire->left < length)
    return FALSE;
  memcpy (to, wire->bytes, length);
  wire->bytes += length;
  wire->left -= length;
  return TRUE;
}

gboolean
tsr_wire_take_u8 (TsrWire *wire, guint8 *value)
{
  return take (wire, value, 1);
}

gboolean
tsr_wire_take_u32 (TsrWire *wire, guint32 *value)
{
  if (!take (wire, value, 4))
    return FALSE;
  *value = GUINT32_FROM_BE (*value);
  return TRUE;
}

gboolean
tsr_wire_take_u64 (TsrWire *wire, guint64 *value)
{
  if (!take (wire, value, 8))
    return FALSE;
  *value = GUINT64_FROM_BE (*value);
  return TRUE;
}

gboolean
tsr_wire_take_string (TsrWire *wire, const guint8 **bytes, gsize *length)
{
  TsrWire before = *wire;
  guint32 n;

  if (!tsr_wire_take_u32 (wire, &n) || n > wire->left)
    {
      *wire = before;
      return FALSE;
    }
  *bytes = wire->bytes;
  *length = n;
  wire->bytes += n;
  wire->left -= n;
  return TRUE;
}

void
tsr_wire_put_u8 (GByteArray *bytes, guint8 value)
{
  g_byte_array_append (bytes, &value, 1);
}

void
tsr_wire_put_u32 (GByteArray *bytes, guint32 value)
{
  guint32 big = GUINT32_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *)&big, sizeof big);
}

void
tsr_wire_put_u64 (GByteArray *bytes, guint64 value)
{
  guint64 big = GUINT64_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *)&big, sizeof big);
}

void
tsr_wire_put_string (GByteArray *bytes, const void *string, gsize length)
{
  tsr_wire_put_u32 (bytes, (guint32)length);
  g_byte_array_append (bytes, string, (guint)length);
}
