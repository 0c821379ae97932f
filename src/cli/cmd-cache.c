/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli cache: shows and clears the cache of remote reports. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-records.h"

#include <glib/gi18n.h>

typedef struct
{
  const char *folder;
  gint64 bytes, limit;
} Cache;

static void
print_json (TsrCli *cli, const Cache *cache)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_string (writer, "folder", cache->folder);
  tsr_json_writer_int (writer, "bytes", cache->bytes);
  tsr_json_writer_int (writer, "limit", cache->limit);
  tsr_json_writer_end_object (writer);
  tsr_cli_end_json (cli, writer, FALSE);
}

static void
print_table (TsrCli *cli, Cache *cache)
{
  static const TsrField fields[] = {
    TSR_FIELD (Cache, folder, "folder", N_ ("Folder"), TEXT),
    TSR_FIELD (Cache, bytes, "bytes", N_ ("Bytes"), BYTES),
    TSR_FIELD (Cache, limit, "limit", N_ ("At most"), BYTES),
  };

  tsr_cli_print_list (
      cli, tsr_records_new (1, fields, G_N_ELEMENTS (fields), sizeof (Cache), NULL, cache), NULL);
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
  Cache shown;

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_UNITS, argc, argv))
    return cli->status;
  folder = g_build_filename (g_get_user_cache_dir (), "tessera", "remote", NULL);
  cache = tsr_block_cache_new (NULL, limit);
  if (clear)
    tsr_block_cache_clear (cache);
  shown = (Cache){ folder, (gint64)tsr_block_cache_get_bytes (cache), (gint64)limit };
  if (cli->format == TSR_FORMAT_JSON)
    print_json (cli, &shown);
  else
    print_table (cli, &shown);
  return cli->status;
}
