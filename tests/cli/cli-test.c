/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs the programs and parses their output. */

#include "config.h"

#include "cli-test.h"

#include <gio/gio.h>
#include <string.h>

void
cli_run_clear (CliRun *run)
{
  g_clear_pointer (&run->out, g_free);
  g_clear_pointer (&run->err, g_free);
  g_clear_pointer (&run->json, json_node_unref);
}

static void
spawn (CliRun *run, GPtrArray *words)
{
  g_auto (TsrTestRun) done = { 0 };

  /* The same for several runs holds the last one. */
  cli_run_clear (run);
  g_ptr_array_add (words, NULL);
  tsr_test_run (&done, (const char *const *)words->pdata, NULL);
  run->status = done.status;
  run->out = g_steal_pointer (&done.out);
  run->err = g_steal_pointer (&done.err);
}

static GPtrArray *
collect (va_list args)
{
  GPtrArray *words = g_ptr_array_new ();
  char *word;

  g_ptr_array_add (words, (char *)g_getenv ("TESSERA_CLI"));
  while ((word = va_arg (args, char *)) != NULL)
    g_ptr_array_add (words, word);
  return words;
}

void
cli_run (CliRun *run, ...)
{
  g_autoptr (GPtrArray) words = NULL;
  va_list args;

  va_start (args, run);
  words = collect (args);
  va_end (args);
  spawn (run, words);
}

void
cli_run_json (CliRun *run, ...)
{
  g_autoptr (GPtrArray) words = NULL;
  g_autoptr (GError) error = NULL;
  va_list args;

  va_start (args, run);
  words = collect (args);
  va_end (args);
  g_ptr_array_add (words, (char *)"--format=json");
  spawn (run, words);
  g_assert_true (g_utf8_validate (run->out, -1, NULL));
  run->json = json_from_string (run->out, &error);
  if (error != NULL)
    g_error ("%s in: %s (stderr: %s)", error->message, run->out, run->err);
}

/* ----------------------------------------------------------------- reports */

char *
cli_part_new (const char *folder, const char *name)
{
  char *part = tsr_test_folder_new ();

  tsr_test_copy (folder, part, name);
  return part;
}

char *
cli_report_new (const char *preset)
{
  char *folder = tsr_test_folder_new ();

  tsr_test_copy (tsr_test_get_report (preset), folder, NULL);
  return folder;
}

char *
cli_confirmed_new (const char *folder)
{
  char *confirmed = tsr_test_folder_new ();
  g_autofree char *sql = g_strdup_printf (
      "ATTACH '%s/profile.pop' AS r;"
      "CREATE TABLE memory_by_tile AS SELECT total FROM r.memory_by_tile ORDER BY tile;"
      "CREATE TABLE var_categories AS SELECT id, name FROM r.var_categories;"
      "CREATE TABLE vars_info AS SELECT tile, size_bytes, category FROM r.vars_info;"
      "CREATE TABLE programs AS SELECT id, name FROM r.programs;"
      "CREATE TABLE compute_sets AS SELECT compute_set, name FROM r.compute_sets;"
      "CREATE TABLE steps AS SELECT id, type, program, compute_set FROM r.steps;"
      "CREATE TABLE steps_by_ipu AS SELECT step_id, cycles, active_tiles, cycles_base,"
      " active_cycles_from_min, active_cycles_to_max FROM r.steps_by_ipu;"
      "DETACH r;",
      folder);

  tsr_test_sql (confirmed, "profile.pop", sql);
  return confirmed;
}

/* -------------------------------------------------------------------- JSON */

JsonNode *
cli_member (JsonNode *root, const char *path)
{
  g_auto (GStrv) keys = g_strsplit (path, ".", -1);
  JsonNode *node = root;

  for (guint i = 0; keys[i] != NULL && node != NULL; i++)
    node = JSON_NODE_HOLDS_OBJECT (node)
               ? json_object_get_member (json_node_get_object (node), keys[i])
               : NULL;
  return node;
}

gint64
cli_int (JsonNode *root, const char *path)
{
  JsonNode *node = cli_member (root, path);

  if (node == NULL)
    g_error ("no member %s", path);
  if (JSON_NODE_HOLDS_NULL (node))
    return G_MININT64;
  g_assert_cmpint (json_node_get_value_type (node), ==, G_TYPE_INT64);
  return json_node_get_int (node);
}

char *
cli_keys (JsonNode *root, const char *path)
{
  JsonNode *node = path != NULL ? cli_member (root, path) : root;
  g_autoptr (GList) members = NULL;
  GString *keys = g_string_new (NULL);

  g_assert_true (node != NULL && JSON_NODE_HOLDS_OBJECT (node));
  members = json_object_get_members (json_node_get_object (node));
  for (GList *l = members; l != NULL; l = l->next)
    g_string_append_printf (keys, "%s%s", l == members ? "" : " ", (char *)l->data);
  return g_string_free (keys, FALSE);
}

void
cli_check_keys (JsonNode *root, const char *path, const char *expected)
{
  g_autofree char *keys = cli_keys (root, path);

  g_assert_cmpstr (keys, ==, expected);
}

JsonArray *
cli_array (JsonNode *root, const char *path)
{
  JsonNode *node = cli_member (root, path);

  g_assert_true (node != NULL && JSON_NODE_HOLDS_ARRAY (node));
  return json_node_get_array (node);
}

/* Text of a JSON value as SQL prints it; "" for null. */
static char *
dup_value (JsonNode *object, const char *key)
{
  JsonNode *node = cli_member (object, key);

  g_assert_nonnull (node);
  if (json_node_is_null (node))
    return g_strdup ("");
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "1" : "0");
  if (json_node_get_value_type (node) == G_TYPE_DOUBLE)
    return g_strdup_printf ("%.15g", json_node_get_double (node));
  return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
}

void
cli_compare_rows (JsonArray *array, const char *keys, GPtrArray *rows)
{
  g_auto (GStrv) words = g_strsplit (keys, " ", -1);

  g_assert_cmpuint (json_array_get_length (array), ==, rows->len);
  for (guint i = 0; i < rows->len; i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      for (guint k = 0; words[k] != NULL; k++)
        {
          g_autofree char *value = dup_value (node, words[k]);

          g_assert_cmpstr (value, ==, ((GStrv)rows->pdata[i])[k]);
        }
    }
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

void
cli_compare_row_sets (JsonArray *array, const char *keys, GPtrArray *rows)
{
  g_auto (GStrv) words = g_strsplit (keys, " ", -1);
  g_autoptr (GPtrArray) have = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_auto (GStrv) values = g_new0 (char *, g_strv_length (words) + 1);

      for (guint k = 0; words[k] != NULL; k++)
        values[k] = dup_value (json_array_get_element (array, i), words[k]);
      g_ptr_array_add (have, g_strjoinv ("|", values));
    }
  for (guint i = 0; i < rows->len; i++)
    {
      g_autoptr (GStrvBuilder) row = g_strv_builder_new ();
      g_auto (GStrv) values = NULL;

      for (guint k = 0; words[k] != NULL; k++)
        g_strv_builder_add (row, ((GStrv)rows->pdata[i])[k]);
      values = g_strv_builder_end (row);
      g_ptr_array_add (wanted, g_strjoinv ("|", values));
    }
  g_ptr_array_sort (have, compare_lines);
  g_ptr_array_sort (wanted, compare_lines);
  for (guint i = 0; i < MIN (have->len, wanted->len); i++)
    g_assert_cmpstr (have->pdata[i], ==, wanted->pdata[i]);
  g_assert_cmpuint (have->len, ==, wanted->len);
}

void
cli_check_number (const char *folder, JsonNode *root, const char *path, const char *sql)
{
  gint64 told = cli_int (root, path);
  gint64 expected = tsr_test_ask (folder, "%s", sql);

  if (told != expected)
    g_error ("%s is %" G_GINT64_FORMAT ", \"%s\" gives %" G_GINT64_FORMAT, path, told, sql,
             expected);
}

/* --------------------------------------------------------------------- CSV */

GPtrArray *
cli_parse_csv (const char *text)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GString) field = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *p = text; *p != '\0'; p++)
    {
      if (quoted)
        {
          if (*p == '"' && p[1] == '"')
            g_string_append_c (field, *p++);
          else if (*p == '"')
            quoted = FALSE;
          else
            g_string_append_c (field, *p);
          continue;
        }
      if (*p == '"')
        {
          quoted = TRUE;
          continue;
        }
      if (*p != ',' && *p != '\r')
        {
          g_string_append_c (field, *p);
          continue;
        }
      g_ptr_array_add (fields, g_strdup (field->str));
      g_string_truncate (field, 0);
      if (*p == ',')
        continue;
      g_assert_cmpint (p[1], ==, '\n');
      p++;
      g_ptr_array_add (fields, NULL);
      g_ptr_array_add (lines, g_ptr_array_steal (fields, NULL));
    }
  g_assert_false (quoted);
  g_assert_cmpuint (fields->len, ==, 0);
  g_assert_cmpuint (field->len, ==, 0);
  return lines;
}
