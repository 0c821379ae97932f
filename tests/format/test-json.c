/* SPDX-License-Identifier: GPL-3.0-or-later */

/* JSON: trees compared with json-glib's, digits with the text itself, errors with their places. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-json.h"

#include <float.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

static TsrJson *
read_text (const char *text, gssize length, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length < 0 ? strlen (text) : (gsize)length);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("app.json", bytes);

  return tsr_json_read (source, NULL, error);
}

static TsrJson *
read_ok (const char *text)
{
  g_autoptr (GError) error = NULL;
  TsrJson *root = read_text (text, -1, &error);

  g_assert_no_error (error);
  g_assert_nonnull (root);
  return root;
}

static char *
write_text (const TsrJson *root)
{
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  g_autofree char *text = NULL;

  tsr_json_write (root, writer, NULL);
  tsr_json_writer_finish (writer, FALSE);
  text = tsr_json_writer_dup_text (writer);
  return g_strdup (g_strchomp (text));
}

/* ------------------------------------------------------------------- healthy */

/* What TensorFlow's writer emits. */
static void
test_framework (void)
{
  g_autoptr (TsrJson) root = read_ok (
      "{\"TensorFlow\":{\"Version\":\"2.6.3\",\"Githash\":\"v3.1-0\",\"Cluster\":\"c1\"},"
      "\"System Information\":{\"Operating system\":\"Linux\","
      "\"Nominal CPU frequency [GHz]\":\"2.60\",\"Number of total cpus\":96}}\n");
  const TsrJson *system, *cpus;

  g_assert_cmpint (tsr_json_get_kind (root), ==, TSR_JSON_OBJECT);
  g_assert_null (tsr_json_get_key (root));
  g_assert_cmpstr (tsr_json_get_text (root), ==, "");
  g_assert_cmpuint (tsr_json_get_n_children (root), ==, 2);
  system = tsr_json_get_child (root, 1);
  g_assert_cmpstr (tsr_json_get_key (system), ==, "System Information");
  g_assert_cmpuint (tsr_json_get_n_children (system), ==, 3);
  cpus = tsr_json_get_child (system, 2);
  g_assert_cmpstr (tsr_json_get_key (cpus), ==, "Number of total cpus");
  g_assert_cmpint (tsr_json_get_kind (cpus), ==, TSR_JSON_NUMBER);
  g_assert_cmpstr (tsr_json_get_text (cpus), ==, "96");
  g_assert_cmpuint (tsr_json_get_n_children (cpus), ==, 0);
}

static void
test_numbers_keep_digits (void)
{
  static const char *const numbers[]
      = { "0",
          "-0",
          "9223372036854775808",
          "-170141183460469231731687303715884105728",
          "1e400",
          "1E-400",
          "0.1000000000000000055511151231257827021181583404541015625",
          "1.50",
          "-1.0E+05",
          "27960351",
          "0e0" };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = g_strdup_printf ("[%s, {\"x\": %s}]", numbers[i], numbers[i]);
      g_autoptr (TsrJson) root = read_ok (text);
      g_autoptr (TsrJson) alone = read_ok (numbers[i]);
      g_autofree char *written = write_text (root);

      g_assert_cmpstr (tsr_json_get_text (alone), ==, numbers[i]);
      g_assert_cmpstr (tsr_json_get_text (tsr_json_get_child (root, 0)), ==, numbers[i]);
      g_assert_cmpstr (written, ==, text);
    }
}

static void
test_texts (void)
{
  static const struct
  {
    const char *json, *text;
  } cases[] = {
    { "\"\"", "" },
    { "\"a\\\"b\\\\c\\/d\\b\\f\\n\\r\\t\"", "a\"b\\c/d\b\f\n\r\t" },
    { "\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac" },
    { "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
    { "\"\\ud83dx\"", "\xef\xbf\xbdx" },
    { "\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
                            "A" },
    { "\"\\ude00\"", "\xef\xbf\xbd" },
    { "\"a\\u0000b\"", "a\xef\xbf\xbd"
                       "b" },
    { "\"caf\xc3\xa9\"", "caf\xc3\xa9" },
    { "\"\x7f\"", "\x7f" },
    { "true", "true" },
    { " false ", "false" },
    { "\r\n\tnull\n", "null" },
    { "\xef\xbb\xbf\"bom\"", "bom" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TsrJson) root = read_ok (cases[i].json);

      g_assert_cmpstr (tsr_json_get_text (root), ==, cases[i].text);
    }
}

static void
test_same_names (void)
{
  g_autoptr (TsrJson) root = read_ok ("{\"a\": 1, \"b\": 2, \"a\": 3, \"\": {}}");
  TsrJson *second = tsr_json_ref (root);
  g_autofree char *written = write_text (second);

  g_assert_cmpstr (written, ==, "{\"a\": 1, \"b\": 2, \"a\": 3, \"\": {}}");
  tsr_json_unref (second);
  g_assert_cmpuint (tsr_json_get_n_children (root), ==, 4);
}

static void
append_random_text (GString *json)
{
  static const char *const pieces[]
      = { "a",    "B7", " ", "\\n", "\\u00e4", "\xc3\xa4",         "\\\"",
          "\\\\", "/",  "{", "]",   ",",       "\xf0\x9f\x98\x80", "\\ud83d\\ude00" };

  g_string_append_c (json, '"');
  for (gint n = g_test_rand_int_range (0, 8); n > 0; n--)
    g_string_append (json, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
  g_string_append_c (json, '"');
}

static void
append_random_space (GString *json)
{
  static const char *const spaces[] = { "", "", "", " ", "\n", "\t  ", "\r\n" };

  g_string_append (json, spaces[g_test_rand_int_range (0, G_N_ELEMENTS (spaces))]);
}

static void
append_random_value (GString *json, guint depth)
{
  gint kind = g_test_rand_int_range (0, depth > 0 ? 8 : 5);
  gboolean is_wide = depth == 1 && kind == 5 && g_test_rand_int_range (0, 50) == 0;
  gint n = g_test_rand_int_range (0, is_wide ? 5000 : 6);

  append_random_space (json);
  if (kind == 0)
    g_string_append_printf (json, "%d", g_test_rand_int ());
  else if (kind == 1)
    g_string_append_printf (json, "%d.%ue%d", g_test_rand_int_range (-99, 99),
                            (guint)g_test_rand_int_range (0, 999), g_test_rand_int_range (-9, 9));
  else if (kind == 2)
    append_random_text (json);
  else if (kind <= 4)
    g_string_append (json, kind == 3 ? "true" : "null");
  else
    {
      g_string_append_c (json, kind == 5 ? '[' : '{');
      for (gint i = 0; i < n; i++)
        {
          g_string_append (json, i > 0 ? "," : "");
          append_random_space (json);
          if (kind != 5)
            {
              append_random_text (json);
              /* json-glib keeps one member of a name. */
              g_string_insert (json, (gssize)json->len - 1, i % 2 ? "k1" : "k0");
              g_string_insert_c (json, (gssize)json->len - 1, (char)('a' + i));
              append_random_space (json);
              g_string_append_c (json, ':');
            }
          append_random_value (json, depth - 1);
        }
      append_random_space (json);
      g_string_append_c (json, kind == 5 ? ']' : '}');
    }
  append_random_space (json);
}

static void
compare (const TsrJson *ours, JsonNode *theirs)
{
  if (JSON_NODE_HOLDS_ARRAY (theirs))
    {
      JsonArray *array = json_node_get_array (theirs);

      g_assert_cmpint (tsr_json_get_kind (ours), ==, TSR_JSON_ARRAY);
      g_assert_cmpuint (tsr_json_get_n_children (ours), ==, json_array_get_length (array));
      for (guint i = 0; i < tsr_json_get_n_children (ours); i++)
        compare (tsr_json_get_child (ours, i), json_array_get_element (array, i));
    }
  else if (JSON_NODE_HOLDS_OBJECT (theirs))
    {
      g_autoptr (GList) names = json_object_get_members (json_node_get_object (theirs));
      guint i = 0;

      g_assert_cmpint (tsr_json_get_kind (ours), ==, TSR_JSON_OBJECT);
      g_assert_cmpuint (tsr_json_get_n_children (ours), ==, g_list_length (names));
      for (GList *l = names; l != NULL; l = l->next, i++)
        {
          g_assert_cmpstr (tsr_json_get_key (tsr_json_get_child (ours, i)), ==, l->data);
          compare (tsr_json_get_child (ours, i),
                   json_object_get_member (json_node_get_object (theirs), l->data));
        }
    }
  else if (JSON_NODE_HOLDS_NULL (theirs))
    g_assert_cmpint (tsr_json_get_kind (ours), ==, TSR_JSON_NULL);
  else if (json_node_get_value_type (theirs) == G_TYPE_STRING)
    {
      g_assert_cmpint (tsr_json_get_kind (ours), ==, TSR_JSON_STRING);
      g_assert_cmpstr (tsr_json_get_text (ours), ==, json_node_get_string (theirs));
    }
  else if (json_node_get_value_type (theirs) == G_TYPE_BOOLEAN)
    g_assert_cmpstr (tsr_json_get_text (ours), ==,
                     json_node_get_boolean (theirs) ? "true" : "false");
  else
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (tsr_json_get_text (ours), NULL),
                                    json_node_get_double (theirs),
                                    1e-9 * ABS (json_node_get_double (theirs)) + DBL_MIN);
}

static void
test_against_json_glib (void)
{
  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (GString) json = g_string_new (NULL);
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (TsrJson) root = NULL;
      g_autoptr (TsrJson) again = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *written = NULL;

      g_string_append_c (json, '[');
      append_random_value (json, 6);
      g_string_append_c (json, ']');
      json_parser_load_from_data (parser, json->str, -1, &error);
      g_assert_no_error (error);
      root = read_ok (json->str);
      compare (root, json_parser_get_root (parser));
      written = write_text (root);
      again = read_ok (written);
      compare (again, json_parser_get_root (parser));
    }
}

static void
test_many_siblings (void)
{
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (TsrJson) root = NULL;
  gint64 start;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (json, "%s{\"name\": \"v%u\", \"n\": %u}", i > 0 ? "," : "", i, i);
  g_string_append_c (json, ']');
  start = g_get_monotonic_time ();
  root = read_ok (json->str);
  g_assert_cmpuint (tsr_json_get_n_children (root), ==, 100000);
  for (guint i = 0; i < 100000; i++)
    {
      const TsrJson *child = tsr_json_get_child (root, i);

      g_assert_cmpint (atoi (tsr_json_get_text (tsr_json_get_child (child, 1))), ==, i);
    }
  g_test_message ("%.1f ms for 300,000 values", (g_get_monotonic_time () - start) / 1e3);
}

/* -------------------------------------------------------------------- refused */

static void
test_errors (void)
{
  static const struct
  {
    const char *json;
    int code;
    const char *place; /* line and byte of the message */
  } cases[] = {
    { "", TSR_ERROR_TRUNCATED, "is empty" },
    { " \n ", TSR_ERROR_TRUNCATED, "line 2, byte 3" },
    { "{", TSR_ERROR_TRUNCATED, "line 1, byte 1" },
    { "{\n\"a\"", TSR_ERROR_TRUNCATED, "line 2, byte 5" },
    { "[1, 2", TSR_ERROR_TRUNCATED, "byte 5" },
    { "\"abc", TSR_ERROR_TRUNCATED, "byte 4" },
    { "\"abc\\", TSR_ERROR_TRUNCATED, "byte 5" },
    { "\"\\u12", TSR_ERROR_TRUNCATED, "byte 5" },
    { "\"\\u12zz", TSR_ERROR_CORRUPT, "byte 5" },
    { "tru", TSR_ERROR_TRUNCATED, "byte 0" },
    { "-", TSR_ERROR_TRUNCATED, "byte 1" },
    { "1.", TSR_ERROR_TRUNCATED, "byte 2" },
    { "1e+", TSR_ERROR_TRUNCATED, "byte 3" },
    { "- 1", TSR_ERROR_CORRUPT, "byte 1: byte 0x20 where a digit should be" },
    { "-\x7f", TSR_ERROR_CORRUPT, "byte 1: byte 0x7f where a digit should be" },
    { "-~", TSR_ERROR_CORRUPT, "byte 1: \"~\" where a digit should be" },
    { "-!", TSR_ERROR_CORRUPT, "byte 1: \"!\" where a digit should be" },
    { "[1,\n 2,\n NaN]", TSR_ERROR_CORRUPT, "line 3, byte 9: \"NaN\"" },
    { "[Infinity]", TSR_ERROR_CORRUPT, "byte 1: \"Infinity\"" },
    { "[-Infinity]", TSR_ERROR_CORRUPT, "byte 2" },
    { "{} // note", TSR_ERROR_CORRUPT, "byte 3: a comment" },
    { "{\n/* note */}", TSR_ERROR_CORRUPT, "line 2, byte 2: a comment" },
    { "# note\n{}", TSR_ERROR_CORRUPT, "line 1, byte 0: a comment" },
    { "{'a': 1}", TSR_ERROR_CORRUPT, "double quotes" },
    { "{a: 1}", TSR_ERROR_CORRUPT, "\"a\" where a name" },
    { "{\"a\" 1}", TSR_ERROR_CORRUPT, "a colon" },
    { "{\"a\": 1,}", TSR_ERROR_CORRUPT, "byte 8" },
    { "[1,]", TSR_ERROR_CORRUPT, "byte 3" },
    { "[,1]", TSR_ERROR_CORRUPT, "byte 1" },
    { "[1}", TSR_ERROR_CORRUPT, "closing bracket" },
    { "{]", TSR_ERROR_CORRUPT, "byte 1" },
    { "[1 2]", TSR_ERROR_CORRUPT, "byte 3" },
    { "[]]", TSR_ERROR_CORRUPT, "the end of the file" },
    { "1 2", TSR_ERROR_CORRUPT, "the end of the file" },
    { "01", TSR_ERROR_CORRUPT, "begins with 0" },
    { "+1", TSR_ERROR_CORRUPT, "byte 0" },
    { ".5", TSR_ERROR_CORRUPT, "byte 0" },
    { "0x10", TSR_ERROR_CORRUPT, "byte 1" },
    { "TRUE", TSR_ERROR_CORRUPT, "\"TRUE\"" },
    { "\"a\nb\"", TSR_ERROR_CORRUPT, "line 1, byte 2" },
    { "\"\\x41\"", TSR_ERROR_CORRUPT, "byte 1: an escape" },
    { "\"\\u00g0\"", TSR_ERROR_CORRUPT, "hexadecimal" },
    { "[\"\xff\"]", TSR_ERROR_CORRUPT, "byte 2: a byte that is not UTF-8" },
    { "\xff\xfe{\0", TSR_ERROR_CORRUPT, "UTF-16" },
    { "\xff\xfe", TSR_ERROR_CORRUPT, "UTF-16" },
    { "\xfe\xff", TSR_ERROR_CORRUPT, "UTF-16" },
    { "\xef\xbb\xbf", TSR_ERROR_TRUNCATED, "byte 3: the file ends where a value should be" },
    { "\"\\u0041", TSR_ERROR_TRUNCATED, "byte 7: the file ends inside a text" },
    { "\"\\ud83d\\u12", TSR_ERROR_TRUNCATED, "byte 11: the file ends inside a text" },
    { "version https://git-lfs.github.com/spec/v1\n", TSR_ERROR_NOT_A_REPORT, "git lfs pull" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrJson) root = read_text (cases[i].json, -1, &error);

      g_assert_null (root);
      if (!g_error_matches (error, TSR_ERROR, cases[i].code)
          || strstr (error->message, cases[i].place) == NULL
          || strstr (error->message, "app.json") == NULL)
        g_error ("case %u, %s: %d %s", i, cases[i].json, error->code, error->message);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static void
test_nul (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_text ("[1,\0 2]", 7, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_null (read_text ("\"a\0b\"", 5, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
}

static char *
repeat (const char *open, guint n, const char *inner, const char *close)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, open);
  g_string_append (text, inner);
  for (guint i = 0; i < n && close != NULL; i++)
    g_string_append (text, close);
  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  static const guint depths[] = { TSR_JSON_MAX_DEPTH + 1, 100000, 1000000 };
  g_autofree char *deepest = repeat ("[", TSR_JSON_MAX_DEPTH, "1", "]");
  g_autoptr (TsrJson) root = read_ok (deepest);
  const TsrJson *node = root;
  guint depth = 0;

  for (; tsr_json_get_n_children (node) == 1; node = tsr_json_get_child (node, 0))
    depth++;
  g_assert_cmpuint (depth, ==, TSR_JSON_MAX_DEPTH);
  g_assert_cmpstr (tsr_json_get_text (node), ==, "1");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (depths); i++)
    {
      g_autofree char *text = repeat (i % 2 ? "{\"a\":" : "[", depths[i / 2], "", NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (text, -1, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
      g_assert_nonnull (strstr (error->message, "nested more than 512 deep"));
    }
}

static void
test_limits (void)
{
  g_autofree char *values = repeat ("1,", TSR_JSON_MAX_VALUES, "", NULL);
  g_autoptr (GString) json = g_string_new ("[");
  g_autofree char *large = NULL;
  g_autoptr (GError) error = NULL;

  g_string_append_printf (json, "%s1]", values);
  g_assert_null (read_text (json->str, -1, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
  g_clear_error (&error);
  large = g_strnfill (TSR_JSON_MAX_BYTES + 1, ' ');
  g_assert_null (read_text (large, TSR_JSON_MAX_BYTES + 1, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "67108865"));
}

/* Every beginning and every changed byte of a document: an error or a tree, never more. */
static void
test_damaged (void)
{
  static const char json[]
      = "\xef\xbb\xbf{\"a\": [1, -2.5e3, \"x\\u00e4\\n\", true, null], \"\\ud83d"
        "\\ude00\": {\"b\": [[], {}]}, \"\xc3\xa4\": \"\xe2\x82\xac\"}";

  for (gsize length = 0; length < strlen (json); length++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (json, (gssize)length, &error));
      g_assert_cmpuint (error->domain, ==, TSR_ERROR);
    }
  for (guint i = 0; i < 50000; i++)
    {
      char changed[sizeof json];
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrJson) root = NULL;

      memcpy (changed, json, sizeof json);
      changed[g_test_rand_int_range (0, sizeof json - 1)] = (char)g_test_rand_int_range (0, 256);
      changed[g_test_rand_int_range (0, sizeof json - 1)] = (char)g_test_rand_int_range (0, 256);
      root = read_text (changed, sizeof json - 1, &error);
      g_assert_true ((root == NULL) == (error != NULL));
      if (root != NULL)
        {
          g_autofree char *written = write_text (root);
          g_autoptr (TsrJson) again = read_ok (written);
          g_autofree char *rewritten = write_text (again);

          g_assert_cmpstr (written, ==, rewritten);
        }
    }
}

/* Where a value should be, each byte that begins none is told as it can be seen. */
static void
test_each_byte (void)
{
  for (guint c = 1; c < 0x80; c++)
    {
      const char text[] = { '[', (char)c, 'q' };
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrJson) root = read_text (text, sizeof text, &error);
      g_autofree char *words = g_ascii_isalpha (c)
                                   ? g_strdup_printf ("\"%cq\", which JSON does not allow", c)
                               : c > 0x20 && c < 0x7f ? g_strdup_printf ("\"%c\" where", c)
                                                      : g_strdup_printf ("byte 0x%02x where", c);

      g_assert_null (root);
      if (c == '/' || c == '#')
        g_assert_nonnull (strstr (error->message, "a comment"));
      else if (c == '\'')
        g_assert_nonnull (strstr (error->message, "double quotes"));
      else if (strchr ("\t\n\r \"-[]{0123456789", (int)c) == NULL
               && strstr (error->message, words) == NULL)
        g_error ("%s: %s", words, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/framework", test_framework);
  g_test_add_func ("/json/numbers-keep-digits", test_numbers_keep_digits);
  g_test_add_func ("/json/texts", test_texts);
  g_test_add_func ("/json/same-names", test_same_names);
  g_test_add_func ("/json/against-json-glib", test_against_json_glib);
  g_test_add_func ("/json/many-siblings", test_many_siblings);
  g_test_add_func ("/json/errors", test_errors);
  g_test_add_func ("/json/nul", test_nul);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/limits", test_limits);
  g_test_add_func ("/json/damaged", test_damaged);
  g_test_add_func ("/json/each-byte", test_each_byte);
  return g_test_run ();
}
