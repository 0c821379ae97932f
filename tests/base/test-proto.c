/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bytes of messages against examples of the format's own documentation and a decoder of the
 * test. */

#include "config.h"

#include "tsr-proto.h"

#include <glib.h>
#include <string.h>

static void
check_bytes (const TsrProto *proto, const char *expected, gsize n)
{
  g_assert_cmpmem (tsr_proto_peek (proto), tsr_proto_get_size (proto), expected, n);
}

/* https://protobuf.dev/programming-guides/encoding/: field 1 = 150, field 2 = "testing", and a
 * message with the first in its field 3. */
static void
test_documented (void)
{
  g_autoptr (TsrProto) inner = tsr_proto_new ();
  g_autoptr (TsrProto) outer = tsr_proto_new ();

  tsr_proto_uint (inner, 1, 150);
  check_bytes (inner, "\x08\x96\x01", 3);
  tsr_proto_message (outer, 3, inner);
  check_bytes (outer, "\x1a\x03\x08\x96\x01", 5);
  tsr_proto_reset (outer);
  g_assert_cmpuint (tsr_proto_get_size (outer), ==, 0);
  tsr_proto_text (outer, 2, "testing", -1);
  check_bytes (outer, "\x12\x07testing", 9);
  tsr_proto_reset (outer);
  tsr_proto_int (outer, 1, -2);
  check_bytes (outer, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
}

static guint64
read_varint (const guint8 **p)
{
  guint64 value = 0;

  for (guint shift = 0;; shift += 7)
    {
      value |= (guint64)(**p & 0x7f) << shift;
      if ((*(*p)++ & 0x80) == 0)
        return value;
    }
}

static void
test_numbers (void)
{
  const guint fields[] = { 1, 15, 16, 2047, 2048, 536870911 };

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (TsrProto) proto = tsr_proto_new ();
      guint field = fields[g_test_rand_int_range (0, G_N_ELEMENTS (fields))];
      guint64 value
          = ((guint64)g_random_int () << 32 | g_random_int ()) >> g_test_rand_int_range (0, 64);
      const guint8 *p;

      tsr_proto_uint (proto, field, value);
      p = tsr_proto_peek (proto);
      g_assert_cmpuint (read_varint (&p), ==, (guint64)field << 3);
      g_assert_cmpuint (read_varint (&p), ==, value);
      g_assert_true (p == tsr_proto_peek (proto) + tsr_proto_get_size (proto));
    }
}

static void
test_double (void)
{
  g_autoptr (TsrProto) proto = tsr_proto_new ();

  tsr_proto_double (proto, 5, 1.0);
  check_bytes (proto, "\x29\0\0\0\0\0\0\xf0\x3f", 9);
}

static void
test_part_of_text (void)
{
  g_autoptr (TsrProto) proto = tsr_proto_new ();

  tsr_proto_text (proto, 1, "model/layer1", 5);
  check_bytes (proto, "\x0a\x05model", 7);
  tsr_proto_reset (proto);
  tsr_proto_text (proto, 1, "", -1);
  check_bytes (proto, "\x0a\0", 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proto/documented", test_documented);
  g_test_add_func ("/proto/numbers", test_numbers);
  g_test_add_func ("/proto/double", test_double);
  g_test_add_func ("/proto/part-of-text", test_part_of_text);
  return g_test_run ();
}
