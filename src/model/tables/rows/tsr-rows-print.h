/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The one printer of rows: as text for people, as CSV and as JSON.  The command line, and "Copy"
 * and "Save as CSV" of the window go through it.  Any thread; tables of any length are printed
 * piece by piece. */

#pragma once

#include "tsr-json-writer.h"
#include "tsr-rows.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_FORMAT_TEXT,
  TSR_FORMAT_JSON,
  TSR_FORMAT_CSV,
} TsrFormat;

/* What is printed of some rows, and how.
 * Text: titles and cells as the window shows them, names last; columns without a title, and what is
 * only drawn, are left out.
 * CSV: keys and exact numbers, fractions as 0..1, lists with spaces, empty where nothing is known;
 * of a tree the first text is the path, "above / row", its nearest TSR_CSV_LEVELS levels, and
 * headings are left out. JSON: an object for each row in an array that is open: "key" from @keys,
 * of a tree the "parent's" key, then the cells by their columns' keys, exact as in CSV, null where
 * nothing is known. Columns without a key are in neither. */
typedef struct
{
  TsrFormat format;
  TsrUnits units;     /* of the text */
  TsrRowOrder *order; /* (nullable): only these rows, in this order */
  gint64 limit;       /* rows at most; 0: all */

  TsrJsonWriter *writer; /* of JSON */
  char *const *keys;     /* (nullable), by row: of JSON */
  /* (nullable): writes further members of the row's JSON. */
  void (*write_members) (gpointer data, guint32 row, TsrJsonWriter *writer);

  /* Takes a piece of text or CSV; FALSE and @error when it cannot be written. */
  gboolean (*write) (gpointer data, const char *text, gsize length, GError **error);
  gpointer data; /* of both functions */
} TsrPrint;
#define TSR_CSV_LEVELS 32

/* FALSE and @error when cancelled, or when it cannot be written. */
gboolean
tsr_rows_print (TsrRows *self, const TsrPrint *print, GCancellable *cancellable, GError **error);

/* (transfer full): CSV of @order (nullable: all rows). */
char *tsr_rows_dup_csv (TsrRows *self, TsrRowOrder *order);

/* (transfer full): valid UTF-8 without control characters, for a terminal. */
char *tsr_print_dup_clean (const char *text);

G_END_DECLS
