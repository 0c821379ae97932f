/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli cache: shows and clears the cache of remote reports. */

#include "config.h"

#include "tsr-cli.h"

#include <glib/gi18n.h>

static void
print_json (TsrCli *cli, const char *folder, guint64 bytes, guint64 limit)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_string (writer, "folder", folder);
  tsr_json_writer_int (writer, "bytes", (gint64)bytes);
  tsr_json_writer_int (writer, "limit", (gint64)limit);
  tsr_json_writer_end_object (writer);
  tsr_cli_end_json (cli, writer, FALSE);
}

static void
print_table (TsrCli *cli, const char *folder, guint64 bytes, guint64 limit)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (cli);

  tsr_cli_table_add_column (table, _ ("Folder"), "folder", FALSE);
  tsr_cli_table_add_column (table, _ ("Bytes"), "bytes", TRUE);
  tsr_cli_table_add_column (table, _ ("At most"), "limit", TRUE);
  tsr_cli_table_text (table, folder);
  tsr_cli_table_bytes (table, (gint64)bytes);
  tsr_cli_table_bytes (table, (gint64)limit);
  tsr_cli_table_finish (table);
}

int
tsr_cli_run_cache (TsrCli *cli, int argc, char **argv)
{
  gboolean clear = FALSE;
  const GOptionEntry entries[] = { { "clear", 0, 0, G_OPTION_ARG_NONE, &clear,
                                     N_ ("remove what no other program is reading"), NULL },
                                   { NULL } };
  guint64 limit = tsr_cli_get_cache_limit ();
  g_autoptr (TsrBlockCache) cache = NULL;
  g_autofree char *folder = NULL;
  guint64 bytes;

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_UNITS, argc, argv))
    return cli->status;
  folder = g_build_filename (g_get_user_cache_dir (), "tessera", "remote", NULL);
  cache = tsr_block_cache_new (NULL, limit);
  if (clear)
    tsr_block_cache_clear (cache);
  bytes = tsr_block_cache_get_bytes (cache);
  if (cli->format == TSR_FORMAT_JSON)
    print_json (cli, folder, bytes, limit);
  else
    print_table (cli, folder, bytes, limit);
  tsr_cli_flush (cli);
  return cli->status;
}
