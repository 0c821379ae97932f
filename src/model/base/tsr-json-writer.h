/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes JSON to a FILE or a string without building a tree.  Integers are exact; NaN, infinity and
 * TSR_UNKNOWN become null; text is always valid UTF-8.  Keys appear in the order of the calls. */

#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef struct _TsrJsonWriter TsrJsonWriter;

/* @indent spaces per level; 0 writes a single line.  @file is borrowed. */
TsrJsonWriter *tsr_json_writer_new_file (FILE *file, int indent);
TsrJsonWriter *tsr_json_writer_new_string (int indent);
void tsr_json_writer_free (TsrJsonWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrJsonWriter, tsr_json_writer_free)

/* @key is the member's name inside an object and NULL inside an array or at the top. */
void tsr_json_writer_begin_object (TsrJsonWriter *self, const char *key);
void tsr_json_writer_end_object (TsrJsonWriter *self);
void tsr_json_writer_begin_array (TsrJsonWriter *self, const char *key);
void tsr_json_writer_end_array (TsrJsonWriter *self);
void
tsr_json_writer_int (TsrJsonWriter *self, const char *key, gint64 value); /* TSR_UNKNOWN is null */
void tsr_json_writer_double (TsrJsonWriter *self, const char *key, double value);
void
tsr_json_writer_string (TsrJsonWriter *self, const char *key, const char *value); /* NULL is null */
void tsr_json_writer_boolean (TsrJsonWriter *self, const char *key, gboolean value);
void tsr_json_writer_null (TsrJsonWriter *self, const char *key);
void
tsr_json_writer_raw (TsrJsonWriter *self, const char *key, const char *json); /* trusted text */

/* Closes all open levels and adds a newline; if @incomplete, the outermost object gets
 * "incomplete": true.  FALSE if writing to the file failed. */
gboolean tsr_json_writer_finish (TsrJsonWriter *self, gboolean incomplete);

/* (transfer full): what was written so far; only for _new_string. */
char *tsr_json_writer_dup_text (TsrJsonWriter *self);

/* Appends @n fields as one CSV line (RFC 4180, ends with "\r\n"); NULL is an empty field.  A text
 * that a spreadsheet would take for a formula (=, +, -, @) gets an apostrophe in front unless it is
 * a number. */
void tsr_csv_append_row (GString *out, guint n, const char *const *fields);

G_END_DECLS
