/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A byte array; the format is that of https://protobuf.dev/programming-guides/encoding/. */

#include "config.h"

#include "tsr-proto.h"

#include <string.h>

enum
{
  WIRE_VARINT = 0,
  WIRE_FIXED64 = 1,
  WIRE_BYTES = 2,
};

struct _TsrProto
{
  GByteArray *bytes;
};

TsrProto *
tsr_proto_new (void)
{
  TsrProto *self = g_new0 (TsrProto, 1);

  self->bytes = g_byte_array_new ();
  return self;
}

void
tsr_proto_free (TsrProto *self)
{
  g_byte_array_unref (self->bytes);
  g_free (self);
}

void
tsr_proto_reset (TsrProto *self)
{
  g_byte_array_set_size (self->bytes, 0);
}

const guint8 *
tsr_proto_peek (const TsrProto *self)
{
  return self->bytes->data;
}

gsize
tsr_proto_get_size (const TsrProto *self)
{
  return self->bytes->len;
}

/* Seven bits a byte, the lowest first; the top bit says that more follow. */
static void
append_varint (TsrProto *self, guint64 value)
{
  guint8 bytes[10];
  guint n = 0;

  do
    {
      bytes[n] = value & 0x7f;
      value >>= 7;
      if (value != 0)
        bytes[n] |= 0x80;
      n++;
    }
  while (value != 0);
  g_byte_array_append (self->bytes, bytes, n);
}

static void
append_head (TsrProto *self, guint field, guint wire)
{
  append_varint (self, (guint64)field << 3 | wire);
}

void
tsr_proto_uint (TsrProto *self, guint field, guint64 value)
{
  append_head (self, field, WIRE_VARINT);
  append_varint (self, value);
}

void
tsr_proto_int (TsrProto *self, guint field, gint64 value)
{
  tsr_proto_uint (self, field, (guint64)value);
}

void
tsr_proto_double (TsrProto *self, guint field, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  append_head (self, field, WIRE_FIXED64);
  g_byte_array_append (self->bytes, (const guint8 *)&bits, sizeof bits);
}

static void
append_bytes (TsrProto *self, guint field, const void *data, gsize length)
{
  append_head (self, field, WIRE_BYTES);
  append_varint (self, length);
  if (length > 0)
    g_byte_array_append (self->bytes, data, (guint)length);
}

void
tsr_proto_text (TsrProto *self, guint field, const char *text, gssize length)
{
  append_bytes (self, field, text, length >= 0 ? (gsize)length : strlen (text));
}

void
tsr_proto_message (TsrProto *self, guint field, const TsrProto *message)
{
  append_bytes (self, field, message->bytes->data, message->bytes->len);
}
