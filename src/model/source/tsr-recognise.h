/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the header of an SQLite database, or says what the file is instead.  Only source/ includes
 * this. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 page_size; /* 512 .. 65536 */
  guint32 n_pages;   /* from the header; 0 if it does not say */
  guint32 change_counter;
  guint32 valid_for; /* value of the counter when n_pages was written */
} TsrDatabaseHeader;

/* Reads the first 100 bytes.  Errors: NOT_A_REPORT or UNSUPPORTED, which say what the file is and
 * what to do; TRUNCATED; CORRUPT; G_IO_ERROR. */
gboolean tsr_recognise (TsrSource *source,
                        TsrDatabaseHeader *header,
                        GCancellable *cancellable,
                        GError **error);

G_END_DECLS
