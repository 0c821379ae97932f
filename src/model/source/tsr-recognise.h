/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a file is that should be an SQLite database: its header, or a sentence on what it is
 * instead. Only source/ includes this. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 page_size; /* 512 .. 65536 */
  guint32 n_pages;   /* as the header says, 0 when it does not tell */
  guint32 change_counter;
  guint32 valid_for; /* value of the counter when n_pages was written */
  gboolean is_wal;   /* written in write-ahead mode */
} TsrDatabaseHeader;

/* Reads the first 100 bytes.  Errors: NOT_A_REPORT or UNSUPPORTED with what the file is and what to
 * do; TRUNCATED; CORRUPT; G_IO_ERROR. */
gboolean tsr_recognise (TsrSource *source,
                        TsrDatabaseHeader *header,
                        GCancellable *cancellable,
                        GError **error);

G_END_DECLS
