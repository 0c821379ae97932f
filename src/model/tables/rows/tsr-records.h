/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows over records that are made one at a time: a table of fields says how each is shown.  For
 * lists of any length: no record is kept.  One thread at a time. */

#pragma once

#include "tsr-rows.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_FIELD_TEXT, /* const char * */
  TSR_FIELD_JSON, /* const char *: see TsrRowColumn */
  TSR_FIELD_BYTES,
  TSR_FIELD_COUNT,
  TSR_FIELD_INDEX,
  TSR_FIELD_STEP,  /* these four gint64 */
  TSR_FIELD_SHARE, /* double, 0..1; NAN */
} TsrFieldKind;

typedef struct
{
  const char *key;   /* (nullable), as in TsrRowColumn */
  const char *title; /* (nullable), to be translated */
  TsrFieldKind kind;
  gsize offset; /* in the record */
} TsrField;

/* Fills @record, which is zeroed, for @row.  Texts live as long as @data, or, where rows are
 * printed in their order, until the next row. */
typedef void (*TsrRecordFunc) (gpointer data, guint32 row, gpointer record);

#define TSR_FIELD(Record, member, key, title, kind)                                                \
  {                                                                                                \
    key, title, TSR_FIELD_##kind, G_STRUCT_OFFSET (Record, member)                                 \
  }

/* (transfer full): @n_rows rows of the record that @fill makes, of @size bytes.  Without @fill,
 * @data is an array of records. */
TsrRows *tsr_records_new (guint32 n_rows,
                          const TsrField *fields,
                          guint n_fields,
                          gsize size,
                          TsrRecordFunc fill,
                          gpointer data);

G_END_DECLS
