/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the readers of profile.pop share: a scan whose values are checked before they are believed.
 * Only format/ includes this. */

#pragma once

#include "tsr-profile.h"
#include "tsr-scan.h"

G_BEGIN_DECLS

/* Bytes, cycles and counts in a file are not negative and not beyond this: exact also as a double.
 */
#define TSR_MAX_VALUE (G_GINT64_CONSTANT (1) << 53)

TsrDiagnostics *tsr_profile_peek_diagnostics (TsrProfile *self);
const char *tsr_profile_peek_file (TsrProfile *self); /* base name, for diagnostics */

typedef struct
{
  TsrProfile *profile;
  const char *table;
  const char *const *columns; /* NULL-terminated */
  TsrScan *scan;              /* NULL: the table is missing, there are no rows */
  GError *error;              /* the first */
} TsrReader;

void tsr_reader_begin (TsrReader *reader,
                       TsrProfile *profile,
                       const char *table,
                       const char *const *columns);
/* The next row; FALSE at the end and after an error. */
gboolean tsr_reader_next (TsrReader *reader);
/* Frees the scan and hands on what went wrong. */
gboolean tsr_reader_end (TsrReader *reader, GError **error);

/* Column @i as a number in [@min, @max]; TSR_UNKNOWN for NULL, and with a diagnostic for anything
 * else.  A REAL that is a whole number counts as that number. */
gint64 tsr_reader_int (TsrReader *reader, guint i, gint64 min, gint64 max);
/* Column @i as a size or count: [0, TSR_MAX_VALUE]. */
gint64 tsr_reader_size (TsrReader *reader, guint i);
/* A number; NaN with a diagnostic for text and BLOBs. */
double tsr_reader_double (TsrReader *reader, guint i);
/* (transfer full) (nullable): valid UTF-8; a BLOB is a diagnostic and NULL, a number its digits. */
char *tsr_reader_dup_text (TsrReader *reader, guint i);

/* A diagnostic at the current row. */
void tsr_reader_complain (TsrReader *reader, const char *code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_END_DECLS
