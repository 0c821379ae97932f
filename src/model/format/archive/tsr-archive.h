/* SPDX-License-Identifier: GPL-3.0-or-later */

/* archive.a: one ELF file per tile; the size of its .text section is the tile's memory
 * (docs/formats.md#archivea).  Reads only ar headers, name tables, ELF headers, section headers and
 * section names: at most 64 KiB per member. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-progress.h"
#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  guint n_members; /* ELF members only, in file order */
  char **names;    /* UTF-8; "member 7" if the archive has no name */
  gint64 *tiles; /* tile of each member: the number in its name when the names of all members differ
                    in nothing else and no two have the same, else the order (then a diagnostic
                    "tiles-by-order" is added) */
  gint64 *text_bytes; /* size of .text; TSR_UNKNOWN if the member has none or is damaged */
  gint64 *offsets;    /* of the member's first byte */
  guint16 *machines;  /* e_machine; 248 is the IPU */
} TsrArchiveRows;
void tsr_archive_rows_clear (TsrArchiveRows *rows);

/* Members that are not ELF files or are damaged become diagnostics, and are left out or unknown; so
 * does everything after a damaged header.  Symbol tables are skipped.  Several .text sections of a
 * member are added, as "size -A" users do.  Errors: NOT_A_REPORT (no archive, or no ELF member),
 * UNSUPPORTED (thin archive), TRUNCATED (empty file), CORRUPT (damaged before the first member), or
 * those of the source. */
gboolean tsr_archive_read (TsrSource *source,
                           TsrArchiveRows *rows,
                           TsrDiagnostics *diagnostics,
                           TsrProgress *progress,
                           GCancellable *cancellable,
                           GError **error);

G_END_DECLS
