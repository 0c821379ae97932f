/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the headers of an archive.a as the loader does.
 * bench-archive ARCHIVE: prints "members N bytes-read N most-per-member N". */

#include "config.h"

#include "tsr-archive.h"

#include <stdio.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrArchiveRows rows = { 0 };

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-archive ARCHIVE\n");
      return 2;
    }
  source = tsr_local_source_new (argv[1], &error);
  if (source == NULL || !tsr_archive_read (source, &rows, diagnostics, NULL, NULL, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  printf ("members %u bytes-read %" G_GUINT64_FORMAT " per-member %" G_GUINT64_FORMAT "\n",
          rows.n_members, tsr_source_get_bytes_read (source),
          tsr_source_get_bytes_read (source) / MAX (rows.n_members, 1));
  tsr_archive_rows_clear (&rows);
  return 0;
}
