/* SPDX-License-Identifier: GPL-3.0-or-later */

/* JSON and CSV as they are written, read back by json-glib and by a small CSV reader of the test's
 * own. */

#include "config.h"

#include "tsr-json-writer.h"
#include "tsr-units.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static void
fill (TsrJsonWriter *writer)
{
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "large", G_MAXINT64);
  tsr_json_writer_int (writer, "unknown", TSR_UNKNOWN);
  tsr_json_writer_double (writer, "third", 1.0 / 3);
  tsr_json_writer_double (writer, "nan", NAN);
  tsr_json_writer_double (writer, "infinity", -INFINITY);
  tsr_json_writer_boolean (writer, "yes", TRUE);
  tsr_json_writer_string (writer, "none", NULL);
  tsr_json_writer_string (writer, "text", "a\"b\\c\n\t\x01/\xc3\xa4");
  tsr_json_writer_string (writer, "broken", "x\xffy");
  tsr_json_writer_begin_array (writer, "list");
  tsr_json_writer_int (writer, NULL, 1);
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_end_object (writer);
  tsr_json_writer_begin_array (writer, NULL);
  tsr_json_writer_end_array (writer);
  tsr_json_writer_end_array (writer);
  tsr_json_writer_end_object (writer);
}

static void
test_read_back (gconstpointer indent)
{
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (GPOINTER_TO_INT (indent));
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  JsonObject *object;
  JsonArray *list;

  fill (writer);
  g_assert_true (tsr_json_writer_finish (writer, FALSE));
  text = tsr_json_writer_dup_text (writer);
  if (GPOINTER_TO_INT (indent) == 0)
    g_assert_true (strchr (text, '\n') == text + strlen (text) - 1);
  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  object = json_node_get_object (json_parser_get_root (parser));
  g_assert_cmpint (json_object_get_int_member (object, "large"), ==, G_MAXINT64);
  g_assert_true (json_object_get_null_member (object, "unknown"));
  g_assert_cmpfloat (json_object_get_double_member (object, "third"), ==, 1.0 / 3);
  g_assert_true (json_object_get_null_member (object, "nan"));
  g_assert_true (json_object_get_null_member (object, "infinity"));
  g_assert_true (json_object_get_boolean_member (object, "yes"));
  g_assert_true (json_object_get_null_member (object, "none"));
  g_assert_cmpstr (json_object_get_string_member (object, "text"), ==, "a\"b\\c\n\t\x01/\xc3\xa4");
  g_assert_cmpstr (json_object_get_string_member (object, "broken"), ==, "x\xef\xbf\xbdy");
  list = json_object_get_array_member (object, "list");
  g_assert_cmpuint (json_array_get_length (list), ==, 3);
  g_assert_cmpuint (json_object_get_size (json_array_get_object_element (list, 1)), ==, 0);
  g_assert_cmpuint (json_array_get_length (json_array_get_array_element (list, 2)), ==, 0);
}

static void
test_layout (void)
{
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (2);
  g_autofree char *text = NULL;

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "a", 1);
  tsr_json_writer_begin_array (writer, "b");
  tsr_json_writer_int (writer, NULL, 2);
  tsr_json_writer_int (writer, NULL, 3);
  tsr_json_writer_finish (writer, TRUE);
  text = tsr_json_writer_dup_text (writer);
  g_assert_cmpstr (text, ==,
                   "{\n  \"a\": 1,\n  \"b\": [\n    2,\n    3\n  ],\n  \"incomplete\": true\n}\n");
}

/* A long flat list must reach the file while it is being written, not at its end. */
static void
test_streams (void)
{
  FILE *file = tmpfile ();
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_file (file, 0);
  const gint64 n = 200000;
  gint64 expected = 2 + 1;
  long end;

  tsr_json_writer_begin_array (writer, NULL);
  for (gint64 i = 0; i < n; i++)
    {
      tsr_json_writer_int (writer, NULL, 1000000 + i);
      expected += 7 + (i > 0 ? 2 : 0);
    }
  fseek (file, 0, SEEK_END);
  g_assert_cmpint (ftell (file), >, expected - 100000);
  g_assert_true (tsr_json_writer_finish (writer, FALSE));
  fseek (file, 0, SEEK_END);
  end = ftell (file);
  g_assert_cmpint (end, ==, expected);
  fclose (file);
}

static void
test_full_disk (void)
{
  FILE *file = fopen ("/dev/full", "w");
  g_autoptr (TsrJsonWriter) writer = NULL;

  if (file == NULL)
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  writer = tsr_json_writer_new_file (file, 0);
  fill (writer);
  g_assert_false (tsr_json_writer_finish (writer, FALSE));
  fclose (file);
}

/* Splits one line as RFC 4180 says. */
static GPtrArray *
read_csv (const char *line)
{
  GPtrArray *fields = g_ptr_array_new_with_free_func (g_free);
  const char *p = line;

  for (;;)
    {
      GString *field = g_string_new (NULL);
      gboolean quoted = *p == '"';

      p += quoted ? 1 : 0;
      for (; *p != '\0'; p++)
        {
          if (quoted && *p == '"' && p[1] == '"')
            p++;
          else if (quoted ? *p == '"' : *p == ',' || *p == '\r')
            break;
          g_string_append_c (field, *p);
        }
      p += quoted ? 1 : 0;
      g_ptr_array_add (fields, g_string_free (field, FALSE));
      if (*p != ',')
        break;
      p++;
    }
  g_assert_cmpstr (p, ==, "\r\n");
  return fields;
}

static void
test_csv (void)
{
  const char *fields[] = { "plain", "a,b",  "say \"no\"", "two\nlines", NULL,  "",        "=1+1",
                           "-5",    "+1e3", "-x",         "@sum",       "\tx", "\xc3\xa4" };
  const char *expected[]
      = { "plain", "a,b",  "say \"no\"", "two\nlines", "",     "",        "'=1+1",
          "-5",    "+1e3", "'-x",        "'@sum",      "'\tx", "\xc3\xa4" };
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GPtrArray) back = NULL;

  tsr_csv_append_row (line, G_N_ELEMENTS (fields), fields);
  back = read_csv (line->str);
  g_assert_cmpuint (back->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < back->len; i++)
    g_assert_cmpstr (g_ptr_array_index (back, i), ==, expected[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/json-writer/read-back/one-line", GINT_TO_POINTER (0), test_read_back);
  g_test_add_data_func ("/json-writer/read-back/indented", GINT_TO_POINTER (2), test_read_back);
  g_test_add_func ("/json-writer/layout", test_layout);
  g_test_add_func ("/json-writer/streams", test_streams);
  g_test_add_func ("/json-writer/full-disk", test_full_disk);
  g_test_add_func ("/csv/read-back", test_csv);
  return g_test_run ();
}
