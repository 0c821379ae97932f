/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Big-endian numbers, and strings with their length before them. */

#include "config.h"

#include "tsr-sftp-wire.h"

#include <string.h>

#define ATTR_SIZE     0x1u
#define ATTR_OWNER    0x2u
#define ATTR_MODE     0x4u
#define ATTR_TIMES    0x8u
#define ATTR_EXTENDED 0x80000000u

static gboolean
take (TsrWire *wire, void *to, gsize length)
{
  if (wire->left < length)
    return FALSE;
  memcpy (to, wire->at, length);
  wire->at += length;
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
  *bytes = wire->at;
  *length = n;
  wire->at += n;
  wire->left -= n;
  return TRUE;
}

gboolean
tsr_wire_take_attributes (TsrWire *wire, TsrSftpAttributes *attributes)
{
  guint32 flags, ignored, n;
  const guint8 *bytes;
  gsize length;

  memset (attributes, 0, sizeof *attributes);
  if (!tsr_wire_take_u32 (wire, &flags))
    return FALSE;
  attributes->has_size = (flags & ATTR_SIZE) != 0;
  attributes->has_mode = (flags & ATTR_MODE) != 0;
  attributes->has_times = (flags & ATTR_TIMES) != 0;
  if (attributes->has_size && !tsr_wire_take_u64 (wire, &attributes->size))
    return FALSE;
  if ((flags & ATTR_OWNER)
      && (!tsr_wire_take_u32 (wire, &ignored) || !tsr_wire_take_u32 (wire, &ignored)))
    return FALSE;
  if (attributes->has_mode && !tsr_wire_take_u32 (wire, &attributes->mode))
    return FALSE;
  if (attributes->has_times
      && (!tsr_wire_take_u32 (wire, &ignored) || !tsr_wire_take_u32 (wire, &attributes->mtime)))
    return FALSE;
  if (!(flags & ATTR_EXTENDED))
    return TRUE;
  if (!tsr_wire_take_u32 (wire, &n))
    return FALSE;
  /* Each pair takes eight bytes or more, so the packet bounds the loop. */
  for (guint32 i = 0; i < n; i++)
    if (!tsr_wire_take_string (wire, &bytes, &length)
        || !tsr_wire_take_string (wire, &bytes, &length))
      return FALSE;
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
