/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli schema: the structure of a profile.pop without any of the user's strings.  JSON is
 * written while reading; text and CSV are made from the same JSON. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-error.h"
#include "tsr-records.h"
#include "tsr-structure.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

static const TsrJson *
member (const TsrJson *object, const char *key)
{
  for (guint i = 0; object != NULL && i < tsr_json_get_n_children (object); i++)
    {
      const TsrJson *child = tsr_json_get_child (object, i);

      if (g_strcmp0 (tsr_json_get_key (child), key) == 0)
        return child;
    }
  return NULL;
}

/* Text of a scalar member; NULL when it is not there or null. */
static const char *
text_of (const TsrJson *object, const char *key)
{
  const TsrJson *value = member (object, key);

  return value == NULL || tsr_json_get_kind (value) == TSR_JSON_NULL ? NULL
                                                                     : tsr_json_get_text (value);
}

static char *
dup_list (const TsrJson *list)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; list != NULL && i < tsr_json_get_n_children (list); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            tsr_json_get_text (tsr_json_get_child (list, i)));
  return g_string_free (text, FALSE);
}

/* "12 null, 3 integer": what is stored, without what is not. */
static char *
dup_storage (const TsrJson *storage)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; storage != NULL && i < tsr_json_get_n_children (storage); i++)
    {
      const TsrJson *count = tsr_json_get_child (storage, i);

      if (!g_str_equal (tsr_json_get_text (count), "0"))
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "",
                                tsr_json_get_text (count), tsr_json_get_key (count));
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *table, *kind, *rows, *column, *type, *not_null, *primary_key, *storage, *min, *max,
      *distinct;
} Line;

/* The columns of a table. */
static void
add_lines (GArray *lines, const TsrJson *table, GStringChunk *texts)
{
  const TsrJson *columns = member (table, "columns");

  for (guint c = 0; columns != NULL && c < tsr_json_get_n_children (columns); c++)
    {
      const TsrJson *column = tsr_json_get_child (columns, c);
      g_autofree char *storage = dup_storage (member (column, "storage"));
      Line line = { text_of (table, "name"),          text_of (table, "kind"),
                    text_of (table, "rows"),          text_of (column, "name"),
                    text_of (column, "declaredType"), text_of (column, "notNull"),
                    text_of (column, "primaryKey"),   g_string_chunk_insert (texts, storage),
                    text_of (column, "min"),          text_of (column, "max"),
                    text_of (column, "distinct") };

      g_array_append_val (lines, line);
    }
}

static void
print_lines (TsrCli *cli, GArray *lines)
{
  static const TsrField fields[] = {
    TSR_FIELD (Line, table, "table", NULL, TEXT),
    TSR_FIELD (Line, kind, "kind", NULL, TEXT),
    TSR_FIELD (Line, rows, "rows", NULL, JSON),
    TSR_FIELD (Line, column, "column", N_ ("Column"), TEXT),
    TSR_FIELD (Line, type, "declaredType", N_ ("Type"), TEXT),
    TSR_FIELD (Line, not_null, "notNull", N_ ("Not null"), TEXT),
    TSR_FIELD (Line, primary_key, "primaryKey", N_ ("Key"), TEXT),
    TSR_FIELD (Line, storage, "storage", N_ ("Stored"), TEXT),
    TSR_FIELD (Line, min, "min", N_ ("Least"), JSON),
    TSR_FIELD (Line, max, "max", N_ ("Most"), JSON),
    TSR_FIELD (Line, distinct, "distinct", N_ ("Distinct"), JSON),
  };

  tsr_cli_list_part (cli, NULL, NULL,
                     tsr_records_new (lines->len, fields, G_N_ELEMENTS (fields), sizeof (Line),
                                      NULL, lines->data));
}

static void
print_csv (TsrCli *cli, const TsrJson *tables)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GStringChunk) texts = g_string_chunk_new (4096);

  for (guint t = 0; tables != NULL && t < tsr_json_get_n_children (tables); t++)
    add_lines (lines, tsr_json_get_child (tables, t), texts);
  print_lines (cli, lines);
}

static void
print_text_table (TsrCli *cli, const TsrJson *table)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GStringChunk) texts = g_string_chunk_new (4096);
  const TsrJson *indexes = member (table, "indexes");
  g_autofree char *name
      = tsr_print_dup_clean (text_of (table, "name") != NULL ? text_of (table, "name") : "");
  const char *rows = text_of (table, "rows");

  printf ("\n%s (%s%s%s)\n", name, text_of (table, "kind") != NULL ? text_of (table, "kind") : "",
          rows != NULL ? _ (", rows: ") : "", rows != NULL ? rows : "");
  add_lines (lines, table, texts);
  print_lines (cli, lines);
  for (guint i = 0; indexes != NULL && i < tsr_json_get_n_children (indexes); i++)
    {
      const TsrJson *index = tsr_json_get_child (indexes, i);
      g_autofree char *list = dup_list (member (index, "columns"));
      g_autofree char *printable = tsr_print_dup_clean (list);

      printf (_ ("  index on %s\n"), printable);
    }
}

static void
print_text (TsrCli *cli, const TsrJson *root)
{
  static const char *const keys[]
      = { "pageSize", "encoding", "journalMode", "userVersion", "applicationId" };
  const TsrJson *tables = member (root, "tables");

  tsr_cli_print_heading (cli->path);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    tsr_cli_print_field (keys[i], text_of (root, keys[i]));
  for (guint t = 0; tables != NULL && t < tsr_json_get_n_children (tables); t++)
    print_text_table (cli, tsr_json_get_child (tables, t));
  if (member (root, "truncated") != NULL)
    {
      gint64 all = g_ascii_strtoll (text_of (root, "numTables"), NULL, 10);
      gint64 more = all - tsr_json_get_n_children (tables);

      printf ("\n");
      printf (ngettext ("%d more table is not listed\n", "%d more tables are not listed\n",
                        (gulong)more),
              (int)more);
    }
}

/* Reads back what tsr_structure_write made. */
static void
print_from_json (TsrCli *cli, TsrJsonWriter *writer)
{
  g_autofree char *text = tsr_json_writer_dup_text (writer);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("schema", bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrJson) root = tsr_json_read (source, NULL, &error);

  if (root == NULL)
    {
      tsr_cli_fail (cli, "%s", error->message);
      return;
    }
  if (cli->format == TSR_FORMAT_CSV)
    print_csv (cli, member (root, "tables"));
  else
    print_text (cli, root);
  tsr_cli_flush (cli);
}

/* (transfer full) (nullable): the file to look at; a report's folder means its profile. */
static char *
find_file (
    TsrCli *cli, TsrPlace *place, const char *path, TsrDiagnostics *diagnostics, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (TsrFolderEntry) entry = tsr_place_stat (place, path, cli->cancellable, &problem);
  g_autoptr (TsrReportFiles) files = NULL;

  /* If the path does not exist, opening the database says so. */
  if (entry == NULL && !g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  if (entry == NULL || !entry->is_folder)
    return g_strdup (path);
  files = tsr_report_files_find (place, path, diagnostics, cli->cancellable, error);
  if (files == NULL)
    return NULL;
  if (files->files[TSR_FILE_PROFILE].found)
    return g_strdup (files->files[TSR_FILE_PROFILE].path);
  g_set_error_literal (error, TSR_ERROR, TSR_ERROR_MISSING_PART, _ ("There is no profile.pop"));
  return NULL;
}

static TsrDatabase *
open_file (TsrCli *cli, TsrDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL;
  TsrDatabase *database = NULL;
  const char *path;
  TsrPlace *place = tsr_cli_get_place (cli, &path, &error);

  if (place != NULL)
    file = find_file (cli, place, path, diagnostics, &error);
  if (file != NULL)
    {
      g_free (cli->path);
      cli->path = tsr_place_dup_location (place, file);
      database = tsr_database_open (place, file, diagnostics, NULL, cli->cancellable, &error);
    }
  if (database == NULL)
    tsr_cli_fail (cli, "%s", error->message);
  else if (!tsr_cli_accept_offline (cli))
    g_clear_object (&database);
  else
    tsr_database_set_cancellable (database, cli->cancellable);
  return database;
}

int
tsr_cli_run_schema (TsrCli *cli, int argc, char **argv)
{
  gboolean quick = FALSE;
  const GOptionEntry entries[] = { { "quick", 'q', 0, G_OPTION_ARG_NONE, &quick,
                                     N_ ("leave out what needs a scan of a table"), NULL },
                                   { NULL } };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (TsrJsonWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT, argc, argv))
    return cli->status;
  database = open_file (cli, diagnostics);
  if (database == NULL)
    return cli->status;
  writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : tsr_json_writer_new_string (0);
  ok = tsr_structure_write (database, quick, cli->limit < G_MAXUINT ? (guint)cli->limit : 0, writer,
                            NULL, cli->cancellable, &error);
  if (cli->format == TSR_FORMAT_JSON)
    tsr_cli_end_json (cli, writer, !ok);
  else
    {
      tsr_json_writer_finish (writer, !ok);
      print_from_json (cli, writer);
    }
  if (!ok)
    {
      tsr_cli_say ("%s", error->message);
      cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
    }
  tsr_cli_say_list (cli, diagnostics);
  return cli->status;
}
