/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The reader of debug.cbor: what it finds in sound data of any framing, what stands of damaged
 * data, and that nothing else passes or crashes. */

#include "config.h"

#include "tsr-debug-reader.h"
#include "tsr-debug-record.h"
#include "tsr-error.h"

#include <string.h>

typedef struct
{
  TsrSource *source;
  TsrDiagnostics *diagnostics;
  TsrDebugRows *rows; /* (nullable) */
  GError *error;      /* why there are none, or no more */
  gint64 offset;      /* -1: read to the end */
} Result;

static void
result_clear (Result *result)
{
  g_clear_object (&result->source);
  g_clear_pointer (&result->diagnostics, tsr_diagnostics_unref);
  g_clear_pointer (&result->rows, tsr_debug_rows_free);
  g_clear_error (&result->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static Result
read_rows (const void *bytes, gsize length)
{
  g_autoptr (GBytes) data = g_bytes_new (bytes, length);
  Result result = { .offset = -1 };

  result.source = tsr_bytes_source_new ("debug.cbor", data);
  result.diagnostics = tsr_diagnostics_new ();
  result.rows = tsr_debug_rows_read (result.source, NULL, result.diagnostics, NULL, &result.error);
  g_assert_true ((result.rows == NULL) == (result.error != NULL));
  if (result.rows != NULL && result.rows->end != NULL)
    {
      result.error = g_error_copy (result.rows->end);
      result.offset = result.rows->end_offset;
      g_assert_cmpint (result.offset, >=, 0);
      g_assert_cmpint (result.offset, <=, length);
    }
  return result;
}

/* ------------------------------------------------------------------- making */

static void
append_head (GByteArray *cbor, guint major, guint64 value)
{
  const guint length = value < 24            ? 0
                       : value <= 0xff       ? 1
                       : value <= 0xffff     ? 2
                       : value <= 0xffffffff ? 4
                                             : 8;
  guint8 bytes[9];

  bytes[0] = (guint8)(major << 5
                      | (length == 0   ? (guint)value
                         : length == 1 ? 24
                         : length == 2 ? 25
                         : length == 4 ? 26
                                       : 27));
  for (guint i = 0; i < length; i++)
    bytes[1 + i] = (guint8)(value >> 8 * (length - 1 - i));
  g_byte_array_append (cbor, bytes, 1 + length);
}

static void
append_double (GByteArray *cbor, double value)
{
  guint64 bits;
  guint8 bytes[9] = { 0xfb };

  memcpy (&bits, &value, 8);
  for (guint i = 0; i < 8; i++)
    bytes[1 + i] = (guint8)(bits >> 8 * (7 - i));
  g_byte_array_append (cbor, bytes, 9);
}

/* Words with a space between: {N [N arrays and maps of N, { [ of indefinite length, ! a break,
 * digits a number, -digits minus one less, ddigits a double, h... s... a half or single from
 * hexadecimal digits, tN a tag, x... any bytes in hexadecimal, ( a text and <
 * bytes of indefinite length, "word a text of that word, T F N words of JSON. */
static GByteArray *
make (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GByteArray *cbor = g_byte_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = words[i];
      const char *rest = *word != '\0' ? word + 1 : word;
      const guint64 number = g_ascii_strtoull (rest, NULL, 10);
      guint8 byte = 0;

      if (g_ascii_isdigit (*word))
        {
          append_head (cbor, 0, g_ascii_strtoull (word, NULL, 10));
          continue;
        }
      switch (*word)
        {
        case '\0':
          break;
        case '-':
          append_head (cbor, 1, number);
          break;
        case '"':
          append_head (cbor, 3, strlen (rest));
          g_byte_array_append (cbor, (const guint8 *)rest, strlen (rest));
          break;
        case '{':
        case '[':
          byte = *word == '{' ? 0xbf : 0x9f;
          if (*rest == '\0')
            g_byte_array_append (cbor, &byte, 1);
          else
            append_head (cbor, *word == '{' ? 5 : 4, number);
          break;
        case 't':
          append_head (cbor, 6, number);
          break;
        case 'd':
          append_double (cbor, g_ascii_strtod (rest, NULL));
          break;
        case 'x':
        case 'h':
        case 's':
          byte = *word == 'h' ? 0xf9 : 0xfa;
          if (*word != 'x')
            g_byte_array_append (cbor, &byte, 1);
          for (; rest[0] != '\0' && rest[1] != '\0'; rest += 2)
            {
              byte = (guint8)(g_ascii_xdigit_value (rest[0]) << 4 | g_ascii_xdigit_value (rest[1]));
              g_byte_array_append (cbor, &byte, 1);
            }
          break;
        default:
          byte = *word == '!'   ? 0xff
                 : *word == '(' ? 0x7f
                 : *word == '<' ? 0x5f
                 : *word == 'T' ? 0xf5
                 : *word == 'F' ? 0xf4
                                : 0xf6;
          g_byte_array_append (cbor, &byte, 1);
          break;
        }
    }
  return cbor;
}

static Result
read_text (const char *text)
{
  g_autoptr (GByteArray) cbor = make (text);

  return read_rows (cbor->data, cbor->len);
}

/* "id/parent layer name file:line function [replaced] " of each row. */
static char *
dup_rows (const TsrDebugRows *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows->n; i++)
    {
      const char *name = tsr_debug_rows_get_text (rows, rows->name[i]);
      const char *file = tsr_debug_rows_get_text (rows, rows->file_name[i]);
      const char *function = tsr_debug_rows_get_text (rows, rows->function_name[i]);
      guint n;
      const guint64 *ids = tsr_debug_rows_get_ids (rows, i, TSR_DEBUG_REPLACED, &n);

      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, i > 0 ? "; " : "",
                              rows->id[i], rows->parent_id[i]);
      g_string_append_printf (text, " %s %s",
                              rows->layer[i] == TSR_DEBUG_NO_LAYER
                                  ? "-"
                                  : (char *)g_ptr_array_index (rows->layer_names, rows->layer[i]),
                              name != NULL ? name : "-");
      if (file != NULL || function != NULL || rows->line[i] != 0)
        g_string_append_printf (text, " %s:%u %s", file != NULL ? file : "-", rows->line[i],
                                function != NULL ? function : "-");
      for (guint j = 0; j < n; j++)
        g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, j == 0 ? " <" : ",", ids[j]);
    }
  return g_string_free (text, FALSE);
}

#define assert_rows(text, expected)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_auto (Result) result_ = read_text (text);                                                    \
    g_autofree char *rows_ = NULL;                                                                 \
                                                                                                   \
    g_assert_no_error (result_.error);                                                             \
    rows_ = dup_rows (result_.rows);                                                               \
    g_assert_cmpstr (rows_, ==, expected);                                                         \
  }                                                                                                \
  G_STMT_END

/* Once, with the byte where the item begins. */
static void
check_told (TsrDiagnostics *diagnostics, const char *code, gint64 offset)
{
  const TsrDiagnostic *first;

  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
  first = tsr_diagnostics_get (diagnostics, 0);
  g_assert_cmpstr (first->code, ==, code);
  g_assert_cmpint (first->offset, ==, offset);
}

/* ------------------------------------------------------------------- sound data */

#define SAMPLE                                                                                     \
  "{2 \"contexts [4 {2 \"id 7 \"name 0 { \"id 9223372036854775808 \"parentId d7 \"location {1 "    \
  "\"id 3 ! {2 \"x ( \"a \"b ! \"y t1 2 {0 \"stringTable [ \"s !"

static void
test_sample (void)
{
  assert_rows (SAMPLE, "7/0 - s; 9223372036854775808/7 - -; 0/0 - -; 0/0 - -");
}

static void
test_framings (void)
{
  /* Texts before contexts, all lengths, tags, numbers of any type, an index beyond the end. */
  assert_rows ("{ \"stringTable [3 \"a ( \"b \"c ! \"d \"contexts [ "
               "{ \"name d1 \"parentId \"12 \"layer ( \"pop \"libs ! \"id h4d00 \"location { "
               "\"lineNumber s42280000 \"fileName 2 \"functionName h0000 ! ! "
               "t5 {3 \"layer \"poplibs \"id t6 18446744073709551615 \"name 3 ! !",
               "20/12 poplibs bc d:42 a; 18446744073709551615/0 poplibs -");
  /* What is not known is stepped over, also as a key; the last one of a key counts. */
  assert_rows ("{4 1 2 [2 1 2 3 \"x {1 {1 1 2 3 \"contexts [1 { 5 \"id \"id 1 [0 {0 \"id 2 <  ! 1 "
               "{ \"id 3 ! [ \"id ! \"name \"inline N N !",
               "2/0 - inline");
  assert_rows (
      "{1 \"contexts [4 {1 \"id -5 {1 \"id d1.5 {1 \"id \"1x {1 \"id \"18446744073709551616",
      "0/0 - -; 0/0 - -; 0/0 - -; 0/0 - -");
  assert_rows ("{1 \"contexts [2 {2 \"id 1 \"replacedDebugContextIds \"[1,20,18446744073709551615] "
               "{2 \"id 2 \"replacedDebugContextIds [2 3 \"4",
               "1/0 - - <1,20,18446744073709551615; 2/0 - - <3,4");
  assert_rows ("{1 \"contexts [0", "");
  /* Keys as long as those that are known, and not far from them. */
  assert_rows (
      "{5 \"contextz [1 {1 \"id 1 \"stringTablf [1 \"b \"stringTable [1 \"a \"Contexts [1 {1 "
      "\"id 2 \"contexts [1 {2 \"id 3 \"name 0",
      "3/0 - a");
  assert_rows ("{1 \"contexts [1 {2 \"id 1 \"location {2 \"fileName \"in.py \"lineNumber 3",
               "1/0 - - in.py:3 -");
  /* The first table of texts counts. */
  assert_rows ("{3 \"contexts [1 {2 \"id 1 \"name 0 \"stringTable [1 \"a \"stringTable [1 \"b",
               "1/0 - a");
  {
    g_auto (Result) result = read_text (
        "{3 \"contexts [1 {2 \"id 1 \"name 0 \"stringTable [1 \"a \"stringTable [1 \"b");

    check_told (result.diagnostics, "value-out-of-range", 49);
  }
  /* Lists of texts and bytes of each length that has a head of its own, which nobody looks at. */
  for (guint length = 0; length < 400; length += length < 30 ? 1 : 37)
    {
      g_autofree char *text = g_strnfill (length, '{');
      g_autofree char *list = g_strdup_printf ("{2 \"x [5 \"%s 1000 -70000 \"%s 5 \"contexts [2 {1 "
                                               "\"id 9 {2 \"y [3 \"%s \"%s 1 \"id 7",
                                               text, text, text, text);

      assert_rows (list, "9/0 - -; 7/0 - -");
    }
}

/* Engines one after the other, or in an array: each has its own texts. */
static void
test_parts (void)
{
  const char *parts[] = { "%s %s", "[2 %s %s", "[ %s t9 %s !" };
  const char *one = "{2 \"contexts [1 {2 \"id 1 \"name 0 \"stringTable [2 \"a \"x";
  const char *two = "{ \"stringTable [ \"b ! \"contexts [ { \"id 1 \"name 0 ! ! !";

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_auto (GStrv) pieces = g_strsplit (parts[i], "%s", -1);
      g_autofree char *text = g_strconcat (pieces[0], one, pieces[1], two, pieces[2], NULL);

      assert_rows (text, "1/0 - a; 1/0 - b");
      {
        g_auto (Result) result = read_text (text);

        g_assert_cmpuint (result.rows->n_parts, ==, 2);
        g_assert_cmpuint (result.rows->part_start[1], ==, 1);
      }
    }
}

static void
test_texts (void)
{
  g_auto (Result) result = read_text (
      "{2 \"contexts [2 {2 \"id 1 \"name 0 {2 \"id 2 \"name 1 \"stringTable [2 x63ff6100 "
      "{0");

  g_assert_no_error (result.error);
  g_assert_cmpstr (tsr_debug_rows_get_text (result.rows, result.rows->name[0]), ==,
                   "\357\277\275a\357\277\275");
  g_assert_cmpstr (tsr_debug_rows_get_text (result.rows, result.rows->name[1]), ==, "");
  g_assert_true (
      tsr_diagnostics_has (result.diagnostics, "value-out-of-range", "contexts", TSR_NO_ROW));
}

/* Without a string table there are no names, which is told once, where the first one is; not where
 * nothing has a number, nor where the file ends too early, which is told already. */
static void
test_no_texts (void)
{
  static const struct
  {
    const char *text;
    guint n_told, offset;
  } cases[] = {
    { "{1 \"contexts [3 {1 \"id 1 {2 \"id 2 \"name 0 {2 \"id 3 \"name 1", 1, 16 },
    { "{2 \"stringTable [0 \"contexts [1 {2 \"id 2 \"name 0", 1, 24 },
    { "{1 \"contexts [1 {2 \"id 1 \"name \"inline", 0, 0 },
    { "{1 \"contexts [1 {1 \"id 1", 0, 0 },
    { "{2 \"contexts [1 {2 \"id 1 \"name 0", 0, 0 },
    { "{2 \"contexts [1 {2 \"id 1 \"name 0 \"stringTable [1 \"a", 0, 0 },
    { "{3 \"stringTable [1 \"a \"contexts [1 {2 \"id 1 \"name 5", 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Result) result = read_text (cases[i].text);
      guint n = 0;

      for (guint d = 0; d < tsr_diagnostics_get_n_kept (result.diagnostics); d++)
        {
          const TsrDiagnostic *diagnostic = tsr_diagnostics_get (result.diagnostics, d);

          if (!g_str_equal (diagnostic->code, "value-missing"))
            continue;
          n++;
          g_assert_cmpint (diagnostic->offset, ==, cases[i].offset);
        }
      g_assert_cmpuint (n, ==, cases[i].n_told);
      g_assert_cmpuint (n, ==, tsr_diagnostics_get_n_total (result.diagnostics));
    }
}

/* Texts of indefinite length in many chunks, empty ones among them, are one text wherever they
 * stand; a letter that two chunks share is no text of either. */
static void
test_chunks (void)
{
  const guint n = 100000;
  g_autoptr (GByteArray) cbor = make ("{2 \"contexts [2 { \"id 1 ( \"na \"me ! ( ! ! {2 \"id 2 "
                                      "\"name ( x62c3a9 x60 x61c3 x61a9 ! \"stringTable [ (");
  g_autofree char *expected = g_strnfill (n, 'y');

  for (guint i = 0; i < n; i++)
    g_byte_array_append (cbor, (const guint8 *)"\x61y\x60", 3);
  g_byte_array_append (cbor, (const guint8 *)"\xff\xff", 2);
  {
    g_auto (Result) result = read_rows (cbor->data, cbor->len);

    g_assert_no_error (result.error);
    g_assert_cmpuint (result.rows->n, ==, 2);
    g_assert_cmpstr (tsr_debug_rows_get_text (result.rows, result.rows->name[0]), ==, "");
    g_assert_cmpuint (result.rows->n_texts, ==, 1);
    g_assert_cmpstr (tsr_debug_rows_get_text (result.rows, 0), ==, expected);
    g_assert_true (
        g_str_has_prefix (tsr_debug_rows_get_text (result.rows, result.rows->name[1]), "\303\251"));
    g_assert_true (
        g_utf8_validate (tsr_debug_rows_get_text (result.rows, result.rows->name[1]), -1, NULL));
  }
}

static const char *
get_name (const Result *result, guint row)
{
  return tsr_debug_rows_get_text (result->rows, result->rows->name[row]);
}

/* Numbers of texts: those of the part, and none for any other, however large. */
static void
test_text_numbers (void)
{
  static const guint64 first[]
      = { 0,          1,          2,          3,          0x7ffffffc,         0x7ffffffd,
          0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,         0xffffffff,
          1ull << 32, 1ull << 33, 1ull << 62, 1ull << 63, 0xffffffffffffffffu };
  g_autoptr (GByteArray) cbor = make ("[2 {2 \"contexts [1 {2 \"id 1 \"name \"inline \"stringTable "
                                      "[2 \"a \"b {2 \"contexts");

  append_head (cbor, 4, G_N_ELEMENTS (first));
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    {
      g_autoptr (GByteArray) start = make ("{2 \"id 7 \"name");

      g_byte_array_append (cbor, start->data, start->len);
      append_head (cbor, 0, first[i]);
    }
  {
    g_autoptr (GByteArray) end = make ("\"stringTable [2 \"c \"d");

    g_byte_array_append (cbor, end->data, end->len);
  }
  {
    g_auto (Result) result = read_rows (cbor->data, cbor->len);

    g_assert_no_error (result.error);
    g_assert_cmpuint (result.rows->n, ==, 1 + G_N_ELEMENTS (first));
    g_assert_cmpstr (get_name (&result, 0), ==, "inline");
    for (guint i = 0; i < G_N_ELEMENTS (first); i++)
      g_assert_cmpstr (get_name (&result, i + 1), ==, i == 0 ? "c" : i == 1 ? "d" : NULL);
    /* What no file can have is not spoken of. */
    g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==, 3);
    g_assert_true (
        tsr_diagnostics_has (result.diagnostics, "reference-broken", "contexts", TSR_NO_ROW));
  }
}

/* More layers than have a number each: the first ones keep theirs, near and far ones. */
static void
test_many_layers (void)
{
  const guint n = TSR_DEBUG_NO_LAYER + 3;
  g_autoptr (GByteArray) cbor = make ("{1 \"contexts");

  append_head (cbor, 4, 2 * n);
  for (guint i = 0; i < 2 * n; i++)
    {
      char name[16];
      int length = g_snprintf (name, sizeof name, "layer%u", i % n);

      g_byte_array_append (cbor, (const guint8 *)"\xa2\x62id\x01\x65layer", 11);
      append_head (cbor, 3, (guint)length);
      g_byte_array_append (cbor, (const guint8 *)name, (guint)length);
    }
  {
    g_auto (Result) result = read_rows (cbor->data, cbor->len);

    g_assert_no_error (result.error);
    g_assert_cmpuint (result.rows->n, ==, 2 * n);
    g_assert_cmpuint (result.rows->layer_names->len, ==, TSR_DEBUG_NO_LAYER);
    for (guint i = 0; i < 2 * n; i++)
      g_assert_cmpuint (result.rows->layer[i], ==, MIN (i % n, TSR_DEBUG_NO_LAYER));
    for (guint i = 0; i < TSR_DEBUG_NO_LAYER; i++)
      {
        char name[16];

        g_snprintf (name, sizeof name, "layer%u", i);
        g_assert_cmpstr (g_ptr_array_index (result.rows->layer_names, i), ==, name);
      }
    g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==, 6);
    g_assert_true (tsr_diagnostics_has (result.diagnostics, "limit", "contexts", TSR_NO_ROW));
  }
}

/* A text as long as may be kept, and a byte longer, whole and in chunks. */
static void
test_long_texts (void)
{
  for (guint more = 0; more < 2; more++)
    for (guint chunks = 0; chunks < 2; chunks++)
      {
        g_autoptr (GByteArray) cbor = make ("{2 \"contexts [1 {2 \"id 1 \"name 0 \"stringTable [2");
        const gint64 start = cbor->len;
        const gsize length = TSR_DEBUG_MAX_TEXT + (chunks ? 0 : more);
        const char *kept;
        gsize at;

        if (chunks)
          g_byte_array_append (cbor, (const guint8 *)"\x7f", 1);
        append_head (cbor, 3, length);
        at = cbor->len;
        g_byte_array_set_size (cbor, (guint)(at + length));
        memset (cbor->data + at, 'x', length);
        if (chunks)
          g_byte_array_append (cbor, (const guint8 *)(more ? "\x61y\xff" : "\xff"), more ? 3 : 1);
        append_head (cbor, 3, 4);
        g_byte_array_append (cbor, (const guint8 *)"next", 4);
        {
          g_auto (Result) result = read_rows (cbor->data, cbor->len);

          g_assert_no_error (result.error);
          g_assert_cmpuint (result.rows->n_texts, ==, 2);
          kept = tsr_debug_rows_get_text (result.rows, 0);
          g_assert_cmpuint (strlen (kept), ==, more && !chunks ? 0 : TSR_DEBUG_MAX_TEXT);
          g_assert_cmpstr (tsr_debug_rows_get_text (result.rows, 1), ==, "next");
          g_assert_cmpint (tsr_diagnostics_get_n_total (result.diagnostics) > 0, ==, more);
          if (more)
            {
              const TsrDiagnostic *said = tsr_diagnostics_get (result.diagnostics, 0);

              g_assert_cmpstr (said->code, ==, "limit");
              g_assert_cmpint (said->offset, ==, chunks ? (gint64)(at + length) : start);
              g_assert_nonnull (strstr (said->text, chunks ? "cut here" : "too long to be kept"));
            }
        }
      }
}

/* Ids in the text of a list: each that is a number of 64 bits. */
static void
test_odd_ids (void)
{
  static const char *const lists[] = { "[1,2,3]",
                                       "1",
                                       "",
                                       "[]",
                                       "[18446744073709551615,7]",
                                       "[18446744073709551616,7]",
                                       "[99999999999999999999999,5]",
                                       "x12y34" };
  static const guint64 expected[][4] = { { 3, 1, 2, 3 },        { 1, 1 }, { 0 },    { 0 },
                                         { 2, G_MAXUINT64, 7 }, { 1, 7 }, { 1, 5 }, { 2, 12, 34 } };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "{1 \"contexts [2 {1 \"id 5 {2 \"id 1 \"replacedDebugContextIds \"%s", lists[i]);
      g_auto (Result) result = read_text (text);
      const guint64 *ids;
      guint n;

      g_assert_no_error (result.error);
      ids = tsr_debug_rows_get_ids (result.rows, 1, TSR_DEBUG_REPLACED, &n);
      g_assert_cmpuint (n, ==, expected[i][0]);
      for (guint k = 0; k < n; k++)
        g_assert_cmpuint (ids[k], ==, expected[i][k + 1]);
      tsr_debug_rows_get_ids (result.rows, 0, TSR_DEBUG_REPLACED, &n);
      g_assert_cmpuint (n, ==, 0);
      tsr_debug_rows_get_ids (result.rows, 1, TSR_DEBUG_OUTLINED, &n);
      g_assert_cmpuint (n, ==, 0);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==,
                        i == 5 || i == 6 ? 1 : 0);
    }
}

/* A byte that is no text is replaced, wherever in a text of whatever length it stands. */
static void
test_any_byte (void)
{
  static const char bad[] = { '\xff', '\x80', '\0' };

  for (guint length = 1; length < 20; length++)
    for (guint at = 0; at < length; at++)
      for (guint i = 0; i <= G_N_ELEMENTS (bad); i++)
        {
          g_autoptr (GByteArray) cbor
              = make ("{2 \"contexts [1 {2 \"id 1 \"name 0 \"stringTable [1");
          g_autofree char *text = g_strnfill (length, 'x');
          g_autofree char *valid = NULL;

          if (i < G_N_ELEMENTS (bad))
            text[at] = bad[i];
          valid = g_utf8_make_valid (text, (gssize)length);
          append_head (cbor, 3, length);
          g_byte_array_append (cbor, (const guint8 *)text, length);
          {
            g_auto (Result) result = read_rows (cbor->data, cbor->len);

            g_assert_no_error (result.error);
            g_assert_cmpstr (tsr_debug_rows_get_text (result.rows, result.rows->name[0]), ==,
                             valid);
            if (i == G_N_ELEMENTS (bad))
              g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==, 0);
            else
              check_told (result.diagnostics, "text-not-utf8", (gint64)(cbor->len - length - 1));
          }
        }
}

/* --------------------------------------------------------------------- damage */

/* Wherever the file ends, that is told with the place, and what was whole before stands. */
static void
test_truncated (void)
{
  g_autoptr (GByteArray) cbor = make (SAMPLE);
  g_auto (Result) whole = read_rows (cbor->data, cbor->len);

  for (gsize i = 0; i < cbor->len; i++)
    {
      g_auto (Result) result = read_rows (cbor->data, i);
      guint n = 0;

      g_assert_error (result.error, TSR_ERROR, TSR_ERROR_TRUNCATED);
      for (guint j = 0; j < whole.rows->n; j++)
        n += (gsize)whole.rows->offset[j] + whole.rows->length[j] <= i;
      g_assert_cmpuint (result.rows != NULL ? result.rows->n : 0, ==, n);
      /* Behind what is whole, and in the file. */
      if (n > 0)
        {
          g_assert_cmpint (result.rows->end_offset, >=,
                           whole.rows->offset[n - 1] + (gint64)whole.rows->length[n - 1]);
          g_assert_cmpint (result.rows->end_offset, <=, (gint64)i);
        }
      for (guint j = 0; j < n; j++)
        {
          g_assert_cmpuint (result.rows->id[j], ==, whole.rows->id[j]);
          g_assert_cmpuint (result.rows->parent_id[j], ==, whole.rows->parent_id[j]);
          g_assert_cmpint (result.rows->offset[j], ==, whole.rows->offset[j]);
          g_assert_cmpuint (result.rows->length[j], ==, whole.rows->length[j]);
        }
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    TsrError code;
  } cases[] = {
    { "!", TSR_ERROR_CORRUPT },                             /* break at the top */
    { "x1c", TSR_ERROR_CORRUPT },                           /* reserved */
    { "x1f", TSR_ERROR_CORRUPT },                           /* endless number */
    { "xdc05", TSR_ERROR_CORRUPT },                         /* reserved, of a tag */
    { "xfc", TSR_ERROR_CORRUPT },                           /* reserved, of a simple value */
    { "{ \"a !", TSR_ERROR_CORRUPT },                       /* key without value */
    { "{1 \"a {1 ! 2", TSR_ERROR_CORRUPT },                 /* break of what has a count */
    { "[ t1 !", TSR_ERROR_CORRUPT },                        /* tag of nothing */
    { "{1 \"contexts [ {1 \"id 1 ! !", TSR_ERROR_CORRUPT }, /* one break too many */
    { "[ ( x4161", TSR_ERROR_CORRUPT },                     /* bytes in text */
    { "[ ( (", TSR_ERROR_CORRUPT },                         /* text of indefinite length in such */
    { "[ < \"a", TSR_ERROR_CORRUPT },
    { "{1 \"contexts [1 {0 5", TSR_ERROR_CORRUPT }, /* more behind it */
    { "{0", TSR_ERROR_NOT_A_REPORT },               /* no contexts */
    { "{0 {0", TSR_ERROR_NOT_A_REPORT },
    { "[0", TSR_ERROR_NOT_A_REPORT },
    { "{1 \"contexts {0", TSR_ERROR_NOT_A_REPORT },
    { "5", TSR_ERROR_NOT_A_REPORT },
    { "x7b2274", TSR_ERROR_NOT_A_REPORT }, /* {"t */
    { "[18446744073709551615", TSR_ERROR_TRUNCATED },
    { "[1152921504606846976 1", TSR_ERROR_TRUNCATED }, /* 2^60 */
    { "{1152921504606846976 1 1", TSR_ERROR_TRUNCATED },
    { "{9223372036854775808 1 1", TSR_ERROR_TRUNCATED }, /* 2^63: twice that is 0 */
    { "{9223372036854775809 1 1", TSR_ERROR_TRUNCATED },
    { "x7bffffffffffffffff", TSR_ERROR_TRUNCATED }, /* a text of 2^64 - 1 bytes */
    { "x7b1000000000000000", TSR_ERROR_TRUNCATED },
    { "x5b7fffffffffffffff61", TSR_ERROR_TRUNCATED },
    { "t1", TSR_ERROR_TRUNCATED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Result) result = read_text (cases[i].text);

      g_test_message ("%s", cases[i].text);
      g_assert_error (result.error, TSR_ERROR, (int)cases[i].code);
    }
}

/* What begins as another kind of file is told so, from the first byte that is enough on. */
static void
test_other_kinds (void)
{
  static const struct
  {
    const char *text, *says; /* NULL: nothing of its kind */
  } cases[] = {
    { "", "the file is empty" },
    { "{", NULL },
    { "{\"", NULL },
    { "{\"a", "this is JSON" },
    { "{ }", "this is JSON" },
    { "{\n\n", "this is JSON" },
    { "{\t1", "this is JSON" },
    { "{}1", "this is JSON" },
    { "{1}", NULL },
    { "version https://git-", NULL },
    { "version https://git-l", "git lfs pull" },
    { "version https://bit-l", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (TsrSource) source = tsr_bytes_source_new ("debug.cbor", bytes);
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrDebugRows) rows = tsr_debug_rows_read (source, NULL, diagnostics, NULL, &error);

      g_test_message ("\"%s\": %s", cases[i].text, error != NULL ? error->message : "read");
      g_assert_null (rows);
      if (cases[i].says != NULL)
        g_assert_nonnull (strstr (error->message, cases[i].says));
      for (guint k = 0; cases[i].says == NULL && k < G_N_ELEMENTS (cases); k++)
        if (cases[k].says != NULL)
          g_assert_null (strstr (error->message, cases[k].says));
    }
}

/* A million levels are read over; what is in front and behind stands. */
static void
test_deep (void)
{
  static const struct
  {
    guint8 byte;
    guint n;
    gboolean fits;
  } cases[] = { { 0x9f, 1000000, TRUE },
                { 0x81, 1000000, TRUE },
                { 0xc1, 1000000, TRUE },
                { 0x9f, 2000000, FALSE },
                { 0x81, 2000000, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) cbor = make ("{1 \"contexts [3 {1 \"id 1 {2 \"id 2 \"deep");
      const guint8 zero = 0;
      const guint8 end = 0xff;

      for (guint j = 0; j < cases[i].n; j++)
        g_byte_array_append (cbor, &cases[i].byte, 1);
      if (cases[i].byte != 0x9f)
        g_byte_array_append (cbor, &zero, 1);
      for (guint j = 0; j < cases[i].n && cases[i].byte == 0x9f; j++)
        g_byte_array_append (cbor, &end, 1);
      g_byte_array_append (cbor, (const guint8 *)"\xa1\x62id\x03", 5);
      {
        g_auto (Result) result = read_rows (cbor->data, cbor->len);
        g_autoptr (TsrJson) record = NULL;
        g_autofree char *rows = dup_rows (result.rows);

        if (cases[i].fits)
          {
            g_assert_no_error (result.error);
            g_assert_cmpstr (rows, ==, "1/0 - -; 2/0 - -; 3/0 - -");
            record = tsr_debug_record_read (result.source, result.rows, 1, NULL, &result.error);
            if (cases[i].byte == 0xc1)
              g_assert_no_error (result.error);
            else
              g_assert_error (result.error, TSR_ERROR, TSR_ERROR_LIMIT);
          }
        else
          {
            g_assert_error (result.error, TSR_ERROR, TSR_ERROR_LIMIT);
            g_assert_cmpstr (rows, ==, "1/0 - -");
          }
      }
    }
}

/* Many windows of the reader, with texts across their edges and longer than one. */
static void
test_long (void)
{
  g_autoptr (GByteArray) bytes = make ("{ \"contexts [");
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *long_text = g_strnfill (1000000, 'x');
  g_autofree char *rows = NULL;

  for (guint i = 0; i < 100000; i++)
    {
      g_byte_array_append (bytes, (const guint8 *)"\xa3\x62id", 4);
      append_head (bytes, 0, i);
      g_byte_array_append (bytes, (const guint8 *)"\x61n\x65hello\x64name", 13);
      if (i % 20000 == 7)
        {
          append_head (bytes, 3, 1000000);
          g_byte_array_append (bytes, (const guint8 *)long_text, 1000000);
        }
      else
        append_head (bytes, 0, i % 3);
      g_string_append_printf (expected, "%s%u/0 - %s", i > 0 ? "; " : "", i,
                              i % 20000 == 7 ? long_text
                              : i % 3 == 0   ? "a"
                              : i % 3 == 1   ? ""
                                             : "c");
    }
  g_byte_array_append (bytes,
                       (const guint8 *)"\xff\x6bstringTable\x84\x61"
                                       "a",
                       16);
  append_head (bytes, 3, 0);
  g_byte_array_append (bytes,
                       (const guint8 *)"\x61"
                                       "c",
                       2);
  append_head (bytes, 3, 1000000);
  g_byte_array_append (bytes, (const guint8 *)long_text, 1000000);
  g_byte_array_append (bytes, (const guint8 *)"\xff", 1);
  /* A text longer than the window that is kept, too. */
  {
    g_auto (Result) result = read_rows (bytes->data, bytes->len);

    g_assert_no_error (result.error);
    rows = dup_rows (result.rows);
    g_assert_true (g_str_equal (rows, expected->str));
  }
}

/* A text that nobody looks at is not brought into memory, however long. */
static void
test_skipped (void)
{
  g_autoptr (GByteArray) bytes = make ("{1 \"contexts [2 {2 \"id 1 \"x [1");
  g_autofree char *rows = NULL;
  const gsize length = 20 << 20;

  append_head (bytes, 3, length);
  g_byte_array_set_size (bytes, bytes->len + length);
  g_byte_array_append (bytes, (const guint8 *)"\xa1\x62id\x02", 5);
  {
    g_auto (Result) result = read_rows (bytes->data, bytes->len);

    g_assert_no_error (result.error);
    rows = dup_rows (result.rows);
    g_assert_cmpstr (rows, ==, "1/0 - -; 2/0 - -");
    g_assert_cmpuint (result.rows->length[0], ==, 13 + length);
    g_assert_cmpuint (tsr_source_get_bytes_read (result.source), <, 1 << 20);
  }
}

static void
test_noise (void)
{
  g_autoptr (GByteArray) sample = make (SAMPLE);
  guint8 bytes[200];

  for (guint round = 0; round < 20000; round++)
    {
      gsize length = (gsize)g_test_rand_int_range (0, sizeof bytes);

      if (round % 2 == 0)
        {
          length = MIN (sizeof bytes, sample->len);
          memcpy (bytes, sample->data, length);
          bytes[g_test_rand_int_range (0, (int)length)] = (guint8)g_test_rand_int ();
        }
      else
        for (gsize i = 0; i < length; i++)
          bytes[i] = (guint8)g_test_rand_int ();
      {
        g_auto (Result) result = read_rows (bytes, length);

        for (guint i = 0; result.rows != NULL && i < result.rows->n; i++)
          {
            g_autoptr (GError) error = NULL;
            g_autoptr (TsrJson) record
                = tsr_debug_record_read (result.source, result.rows, i, NULL, &error);

            g_assert_no_error (error);
          }
      }
    }
}

/* -------------------------------------------------------------------- records */

static void
test_record (void)
{
  g_auto (Result) result = read_text (
      "{2 \"contexts [1 { \"id 18446744073709551615 \"name d0 \"layer \"popart \"location {3 "
      "\"fileName 1 "
      "\"functionName \"main \"lineNumber 7 \"own [6 -17 -18446744073709551615 d1.25 "
      "xfb7ff8000000000000 "
      "N T \"name2 {2 \"name 0 5 ( \"a \"b ! [1 1 {0 \"bytes < x4201ff x4102 ! \"simple xf820 "
      "\"half h3e00 \"single s3dcccccd \"whole s40400000 \"large d-4503599627370496 \"tiny d1e-300 "
      "\"off F ! \"stringTable [2 \"first \"file.py");
  g_autoptr (TsrJson) record = NULL;
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  g_autofree char *text = NULL;

  g_assert_no_error (result.error);
  record = tsr_debug_record_read (result.source, result.rows, 0, NULL, &result.error);
  g_assert_no_error (result.error);
  tsr_json_write (record, writer, NULL);
  tsr_json_writer_finish (writer, FALSE);
  text = tsr_json_writer_dup_text (writer);
  g_assert_cmpstr (
      g_strchomp (text), ==,
      "{\"id\": 18446744073709551615, \"name\": \"first\", \"layer\": \"popart\", \"location\": "
      "{\"fileName\": \"file.py\", \"functionName\": \"main\", \"lineNumber\": 7}, \"own\": [-18, "
      "-18446744073709551616, 1.25, null, null, true], \"name2\": {\"name\": 0, \"5\": \"ab\"}, "
      "\"(key)\": [1], \"(value)\": {}, \"bytes\": \"01ff02\", \"simple\": null, \"half\": 1.5, "
      "\"single\": 0.100000001, \"whole\": 3, \"large\": -4503599627370496, \"tiny\": 1e-300, "
      "\"off\": false}");
}

enum
{
  MALFORMED = -1,
  NEEDS_MORE = -2
};

/* Bytes of the item of CBOR at @at as RFC 8949, appendix C, has it: NEEDS_MORE if it does not end
 * before @end, MALFORMED if it is not well-formed, or the end of a list without a number. */
static gssize
measure (const guint8 *at, const guint8 *end)
{
  const guint8 *const start = at;
  const guint major = at < end ? *at >> 5 : 0, info = at < end ? *at & 31 : 0;
  const gsize head = info < 24 ? 1 : 1 + ((gsize)1 << (info - 24));
  const gboolean endless = info == 31;
  guint64 argument = info;

  if (at < end && ((info > 27 && !endless) || (endless && (major < 2 || major > 5))))
    return MALFORMED;
  if (at == end || (!endless && head > (gsize)(end - at)))
    return NEEDS_MORE;
  for (gsize i = 1; i < head && !endless; i++)
    argument = (i == 1 ? 0 : argument << 8) | at[i];
  at += endless ? 1 : head;
  if ((major == 2 || major == 3) && !endless)
    return argument <= (guint64)(end - at) ? (gssize)argument + (at - start) : NEEDS_MORE;
  if (major < 2 || major == 7)
    return at - start;
  if (major == 6)
    argument = 1;
  else if (major == 5 && argument > G_MAXUINT64 / 2)
    return NEEDS_MORE;
  else if (major == 5)
    argument *= 2;
  for (guint64 i = 0; endless || i < argument; i++)
    {
      gssize length;

      if (endless && at < end && *at == 0xff)
        return major != 5 || i % 2 == 0 ? at + 1 - start : MALFORMED;
      if (at < end && endless && major < 4 && (*at >> 5 != major || (*at & 31) == 31))
        return MALFORMED;
      length = measure (at, end);
      if (length < 0)
        return length;
      at += length;
    }
  return at - start;
}

/* Every context of several, each with its own texts; and each with a byte that has changed since:
 * a record as well, if CBOR has it so, or an error that names a byte of it. */
static void
test_records (void)
{
  static const char *const expected[] = {
    "{\"id\": 1, \"name\": \"one\", \"layer\": \"x\"}",
    "{\"id\": 2, \"name\": \"two\", \"location\": {\"fileName\": \"two\", \"lineNumber\": 3, "
    "\"functionName\": \"one\"}}",
    "{\"id\": 3, \"name\": \"ab\", \"list\": [1, [2, {}], \"0102\", 1.5]}",
    "{\"id\": 4, \"name\": \"two\"}",
  };
  static const guint8 values[]
      = { 0x00, 0x1c, 0x18, 0x3b, 0x5f, 0x7a, 0x7f, 0x9f, 0xbf, 0xc1, 0xf8, 0xf9, 0xff };
  g_autoptr (GByteArray) cbor = make (
      "[2 {2 \"contexts [2 {3 \"id 1 \"name 0 \"layer \"x {3 \"id 2 \"name 1 \"location {3 "
      "\"fileName 1 \"lineNumber 3 \"functionName 0 \"stringTable [2 \"one \"two "
      "{2 \"contexts [2 { \"id 3 \"name ( \"a \"b ! \"list [4 1 [2 2 {0 < x4101 x4102 ! d1.5 ! "
      "{2 \"id 4 \"name 0 \"stringTable [1 \"two");
  g_auto (Result) result = read_rows (cbor->data, cbor->len);
  guint n_failed = 0, n_read = 0;

  g_assert_no_error (result.error);
  g_assert_cmpuint (result.rows->n, ==, G_N_ELEMENTS (expected));
  for (guint row = 0; row < result.rows->n; row++)
    {
      const gint64 start = result.rows->offset[row];
      const gint64 end = start + result.rows->length[row];

      for (gint64 at = start; at <= end; at++)
        for (guint i = 0; i < G_N_ELEMENTS (values); i++)
          {
            g_autofree guint8 *bytes = g_memdup2 (cbor->data, cbor->len);
            g_autoptr (GBytes) data = NULL;
            g_autoptr (TsrSource) source = NULL;
            g_autoptr (TsrJson) record = NULL;
            g_autoptr (GError) error = NULL;
            const guint8 *now;
            gssize length;

            if (at < end)
              bytes[at] = values[i];
            data = g_bytes_new_take (g_steal_pointer (&bytes), cbor->len);
            source = tsr_bytes_source_new ("debug.cbor", data);
            record = tsr_debug_record_read (source, result.rows, row, NULL, &error);
            g_assert_true ((record == NULL) == (error != NULL));
            if (record != NULL && at == end)
              {
                g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
                g_autofree char *text = NULL;

                tsr_json_write (record, writer, NULL);
                tsr_json_writer_finish (writer, FALSE);
                text = tsr_json_writer_dup_text (writer);
                g_assert_cmpstr (g_strchomp (text), ==, expected[row]);
              }
            else if (record == NULL)
              {
                const char *place = strstr (error->message, "debug.cbor, byte ");
                const gint64 byte = place != NULL ? g_ascii_strtoll (place + 17, NULL, 10) : -1;

                g_assert_cmpint (at, <, end);
                g_assert_null (strstr (error->message, "(null)"));
                g_assert_true (g_error_matches (error, TSR_ERROR, TSR_ERROR_CORRUPT)
                               || g_error_matches (error, TSR_ERROR, TSR_ERROR_TRUNCATED)
                               || g_error_matches (error, TSR_ERROR, TSR_ERROR_LIMIT));
                if (place != NULL)
                  {
                    g_assert_cmpint (byte, >=, start);
                    g_assert_cmpint (byte, <=, end);
                  }
              }
            now = g_bytes_get_data (data, NULL);
            length = measure (now + start, now + end);
            if (length == NEEDS_MORE)
              g_assert_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED);
            else if (length == MALFORMED)
              g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
            /* A value that CBOR has no meaning for may be an error. */
            if (record != NULL)
              g_assert_cmpint (length, >, 0);
            n_failed += record == NULL;
            n_read += record != NULL;
          }
    }
  g_assert_cmpuint (n_failed, >, 100);
  g_assert_cmpuint (n_read, >, 100);
}

/* (transfer full) (nullable): the record of the only context, whose last @n bytes are @bytes now.
 */
static char *
dup_changed (const char *text, const guint8 *bytes, gsize n, GError **error)
{
  g_autoptr (GByteArray) cbor = make (text);
  g_auto (Result) result = read_rows (cbor->data, cbor->len);
  g_autoptr (GBytes) data = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrJson) record = NULL;
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  g_autofree char *json = NULL;

  g_assert_no_error (result.error);
  memcpy (cbor->data + cbor->len - n, bytes, n);
  data = g_bytes_new (cbor->data, cbor->len);
  source = tsr_bytes_source_new ("debug.cbor", data);
  record = tsr_debug_record_read (source, result.rows, 0, NULL, error);
  if (record == NULL)
    return NULL;
  tsr_json_write (record, writer, NULL);
  tsr_json_writer_finish (writer, FALSE);
  json = tsr_json_writer_dup_text (writer);
  return g_strdup (g_strchomp (json));
}

/* Tags and simple values of each number, also those that libcbor does not know: a tag is not
 * shown, a value is null.  The reader steps over the one as over the other, and a file that ends
 * before one of them is whole is cut off. */
static void
test_tags_and_simple_values (void)
{
  for (guint i = 0; i < 24 + 2 * 256; i++)
    {
      const guint n = i < 24 ? i : (i - 24) / 2;
      const gboolean is_long = i >= 24, is_simple = i % 2;
      g_autofree char *text = NULL, *json = NULL;
      g_autoptr (GByteArray) cbor = NULL;
      g_autoptr (GError) error = NULL;

      /* Words of their own, and what has no second byte. */
      if (is_simple && n < 32 && (is_long || n > 19))
        continue;
      text = g_strdup_printf (is_long ? "{1 \"contexts [1 {2 \"id 1 \"v x%02x%02x%s"
                                      : "{1 \"contexts [1 {2 \"id 1 \"v x%02x%.0d%s",
                              (is_simple ? 0xe0 : 0xc0) + (is_long ? 24 : n), is_long ? n : 0,
                              is_simple ? "" : "05");
      json = dup_changed (text, (const guint8 *)"", 0, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (json, ==, is_simple ? "{\"id\": 1, \"v\": null}" : "{\"id\": 1, \"v\": 5}");
      cbor = make (text);
      for (guint lost = 1; lost <= (is_simple ? 1 : 2); lost++)
        {
          g_auto (Result) cut = read_rows (cbor->data, cbor->len - lost);

          g_assert_error (cut.error, TSR_ERROR, TSR_ERROR_TRUNCATED);
        }
    }
}

/* A text in pieces has no pieces that are in pieces. */
static void
test_pieces_of_pieces (void)
{
  static const guint8 nested[][6]
      = { { 0x7f, 0x7f, 0x61, 0x61, 0xff, 0xff }, { 0x5f, 0x5f, 0x41, 0x61, 0xff, 0xff } };
  static const guint8 flat[][6]
      = { { 0x7f, 0x62, 0x61, 0x61, 0x60, 0xff }, { 0x5f, 0x42, 0x61, 0x61, 0x40, 0xff } };

  for (guint i = 0; i < 2; i++)
    {
      const char *text = "{1 \"contexts [1 {2 \"id 1 \"v x450102030405";
      g_autoptr (GError) error = NULL;
      g_autofree char *good = dup_changed (text, flat[i], 6, &error);
      g_autofree char *bad = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (good, ==,
                       i == 0 ? "{\"id\": 1, \"v\": \"aa\"}" : "{\"id\": 1, \"v\": \"6161\"}");
      bad = dup_changed (text, nested[i], 6, &error);
      g_assert_null (bad);
      g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
    }
}

static void
assert_tensors (const char *record_text, const char *inputs, const char *outputs)
{
  g_autofree char *text = g_strconcat ("{1 \"contexts [1 ", record_text, NULL);
  g_auto (Result) result = read_text (text);
  g_autoptr (TsrJson) record
      = tsr_debug_record_read (result.source, result.rows, 0, NULL, &result.error);

  g_assert_no_error (result.error);
  for (guint i = 0; i < 2; i++)
    {
      g_auto (GStrv) names = tsr_debug_record_dup_tensors (record, i == 1);
      g_autofree char *joined = g_strjoinv (",", names);

      g_assert_cmpstr (joined, ==, i == 0 ? inputs : outputs);
    }
}

static void
test_tensors (void)
{
  assert_tensors ("{2 \"inputs [2 \"a \"b \"outputs [1 \"c", "a,b", "c");
  assert_tensors ("{2 \"input [1 \"a \"output \"c", "a", "c");
  assert_tensors ("{2 \"operands {2 \"%1 \" \"%2 \" \"users {1 \"%9 \"", "%1,%2", "");
  assert_tensors ("{2 \"args {3 \"in {2 \"shape \"[1] \"type \"half \"option \"3 \"w {1 \"shape "
                  "\"[2] \"output {1 \"shape \"[3]",
                  "in,w", "output");
  assert_tensors ("{2 \"outputs {1 \"result {1 \"shape \"[3] \"inputs 5", "", "result");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/debug-reader/sample", test_sample);
  g_test_add_func ("/debug-reader/framings", test_framings);
  g_test_add_func ("/debug-reader/parts", test_parts);
  g_test_add_func ("/debug-reader/texts", test_texts);
  g_test_add_func ("/debug-reader/no-texts", test_no_texts);
  g_test_add_func ("/debug-reader/chunks", test_chunks);
  g_test_add_func ("/debug-reader/text-numbers", test_text_numbers);
  g_test_add_func ("/debug-reader/many-layers", test_many_layers);
  g_test_add_func ("/debug-reader/long-texts", test_long_texts);
  g_test_add_func ("/debug-reader/odd-ids", test_odd_ids);
  g_test_add_func ("/debug-reader/any-byte", test_any_byte);
  g_test_add_func ("/debug-reader/truncated", test_truncated);
  g_test_add_func ("/debug-reader/refused", test_refused);
  g_test_add_func ("/debug-reader/other-kinds", test_other_kinds);
  g_test_add_func ("/debug-reader/deep", test_deep);
  g_test_add_func ("/debug-reader/long", test_long);
  g_test_add_func ("/debug-reader/skipped", test_skipped);
  g_test_add_func ("/debug-reader/noise", test_noise);
  g_test_add_func ("/debug-reader/record", test_record);
  g_test_add_func ("/debug-reader/records", test_records);
  g_test_add_func ("/debug-reader/tags-and-simple-values", test_tags_and_simple_values);
  g_test_add_func ("/debug-reader/pieces-of-pieces", test_pieces_of_pieces);
  g_test_add_func ("/debug-reader/tensors", test_tensors);
  return g_test_run ();
}
