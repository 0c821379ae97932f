/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scan of debug.cbor: what it finds in sound data, and that nothing else passes or crashes. */

#include "config.h"

#include "tsr-debug-scan.h"
#include "tsr-error.h"

#include <string.h>

typedef struct
{
  GString *text; /* "id/parent " of each context, "-" for none */
  GError *error;
  gint64 offset;
  gboolean ok;
} Result;

static void
result_clear (Result *result)
{
  g_string_free (result->text, TRUE);
  g_clear_error (&result->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static void
take (const TsrDebugContext *context, gpointer data)
{
  GString *text = data;

  if (context->has_id)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, context->id);
  else
    g_string_append_c (text, '-');
  if (context->has_parent)
    g_string_append_printf (text, "/%" G_GUINT64_FORMAT, context->parent);
  g_string_append_c (text, ' ');
}

static Result
scan (const void *bytes, gsize length)
{
  g_autoptr (GBytes) data = g_bytes_new (bytes, length);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("debug.cbor", data);
  Result result = { g_string_new (NULL), NULL, -1, FALSE };

  result.ok = tsr_debug_scan (source, take, result.text, &result.offset, NULL, &result.error);
  g_assert_cmpint (result.ok, ==, result.error == NULL);
  g_assert_cmpint (result.offset, >=, 0);
  g_assert_cmpint (result.offset, <=, length);
  return result;
}

/* {"contexts": [{"id": 7, "name": 0}, {_ "id": 2^63, "parentId": 7.0, "location": {"id": 3}},
 *  {"x": (_ "a", "b"), "y": 1(2)}, {}], "stringTable": [_ "s"]} */
static const guint8 sample[] = "\xa2\x68"
                               "contexts"
                               "\x84"
                               "\xa2\x62"
                               "id"
                               "\x07\x64"
                               "name"
                               "\x00"
                               "\xbf\x62"
                               "id"
                               "\x1b\x80\0\0\0\0\0\0\0"
                               "\x68"
                               "parentId"
                               "\xfb\x40\x1c\0\0\0\0\0\0"
                               "\x68"
                               "location"
                               "\xa1\x62"
                               "id"
                               "\x03"
                               "\xff"
                               "\xa2\x61"
                               "x"
                               "\x7f\x61"
                               "a"
                               "\x61"
                               "b"
                               "\xff"
                               "\x61"
                               "y"
                               "\xc1\x02"
                               "\xa0"
                               "\x6b"
                               "stringTable"
                               "\x9f\x61"
                               "s"
                               "\xff";
#define SAMPLE_LENGTH (sizeof sample - 1)

static void
test_sample (void)
{
  g_auto (Result) result = scan (sample, SAMPLE_LENGTH);

  g_assert_no_error (result.error);
  g_assert_cmpstr (result.text->str, ==, "7 9223372036854775808/7 - - ");
}

/* Wherever the file ends, that is told with the place. */
static void
test_truncated (void)
{
  for (gsize i = 0; i < SAMPLE_LENGTH; i++)
    {
      g_auto (Result) result = scan (sample, i);

      g_assert_error (result.error, TSR_ERROR, TSR_ERROR_TRUNCATED);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    TsrError code;
  } cases[] = {
    { "\xff", 1, TSR_ERROR_CORRUPT }, /* break at the top */
    { "\x1c", 1, TSR_ERROR_CORRUPT }, /* reserved */
    { "\x1f", 1, TSR_ERROR_CORRUPT }, /* endless number */
    { "\xbf\x61"
      "a\xff",
      4, TSR_ERROR_CORRUPT }, /* key without value */
    { "\x7f\x41"
      "a\xff",
      4, TSR_ERROR_CORRUPT },                                           /* bytes in text */
    { "\xa0\xa0", 2, TSR_ERROR_CORRUPT },                               /* two values */
    { "\xa0", 1, TSR_ERROR_NOT_A_REPORT },                              /* no contexts */
    { "\x05", 1, TSR_ERROR_NOT_A_REPORT },                              /* a number */
    { "\x9b\xff\xff\xff\xff\xff\xff\xff\xff", 9, TSR_ERROR_TRUNCATED }, /* 2^64 - 1 items */
    { "\x7b\xff\xff\xff\xff\xff\xff\xff\xff", 9, TSR_ERROR_TRUNCATED }, /* 2^64 - 1 bytes */
    { "\xbb\x80\0\0\0\0\0\0\0"
      "x",
      10, TSR_ERROR_TRUNCATED }, /* 2^63 pairs */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Result) result = scan (cases[i].bytes, cases[i].length);

      g_assert_error (result.error, TSR_ERROR, (int)cases[i].code);
    }
}

static void
test_deep (void)
{
  g_autofree guint8 *bytes = g_malloc (1000000);

  memset (bytes, 0x9f, 1000000);
  {
    g_auto (Result) result = scan (bytes, 1000000);

    g_assert_error (result.error, TSR_ERROR, TSR_ERROR_LIMIT);
  }
  memset (bytes, 0xc1, 1000000);
  {
    g_auto (Result) result = scan (bytes, 1000000);

    g_assert_error (result.error, TSR_ERROR, TSR_ERROR_LIMIT);
  }
}

/* More than one window of the reader, with texts across its edges. */
static void
test_long (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GString) expected = g_string_new (NULL);

  g_byte_array_append (bytes,
                       (const guint8 *)"\xbf\x68"
                                       "contexts\x9f",
                       11);
  for (guint i = 0; i < 30000; i++)
    {
      guint8 id[5] = { 0x1a, 0, (guint8)(i >> 16), (guint8)(i >> 8), (guint8)i };

      g_byte_array_append (bytes, (const guint8 *)"\xa2\x62id", 4);
      g_byte_array_append (bytes, id, 5);
      g_byte_array_append (bytes, (const guint8 *)"\x61n\x65hello", 8);
      g_string_append_printf (expected, "%u ", i);
    }
  g_byte_array_append (bytes, (const guint8 *)"\xff\xff", 2);
  {
    g_auto (Result) result = scan (bytes->data, bytes->len);

    g_assert_no_error (result.error);
    g_assert_cmpstr (result.text->str, ==, expected->str);
  }
}

static void
test_noise (void)
{
  guint8 bytes[200];

  for (guint round = 0; round < 20000; round++)
    {
      gsize length = (gsize)g_test_rand_int_range (0, sizeof bytes);

      if (round % 2 == 0)
        {
          memcpy (bytes, sample, MIN (sizeof bytes, SAMPLE_LENGTH));
          length = MIN (sizeof bytes, SAMPLE_LENGTH);
          bytes[g_test_rand_int_range (0, (int)length)] = (guint8)g_test_rand_int ();
        }
      else
        for (gsize i = 0; i < length; i++)
          bytes[i] = (guint8)g_test_rand_int ();
      {
        g_auto (Result) result = scan (bytes, length);
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/check/debug/sample", test_sample);
  g_test_add_func ("/check/debug/truncated", test_truncated);
  g_test_add_func ("/check/debug/refused", test_refused);
  g_test_add_func ("/check/debug/deep", test_deep);
  g_test_add_func ("/check/debug/long", test_long);
  g_test_add_func ("/check/debug/noise", test_noise);
  return g_test_run ();
}
