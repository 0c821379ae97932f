/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes JSON piece by piece.  A stack of levels decides where commas and line breaks go. */

#include "config.h"

#include "tsr-json-writer.h"

#include "tsr-units.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct _TsrJsonWriter
{
  FILE *file;    /* borrowed; NULL when writing to text */
  GString *text; /* pending bytes for the file, or the whole text */
  GString *open; /* one '{' or '[' for each open level */
  int indent;
  gboolean first; /* nothing yet in the innermost level */
  gboolean failed;
};

#define FLUSH_AT     (64 * 1024)
#define MAX_INDENTED 64

static TsrJsonWriter *
writer_new (FILE *file, int indent)
{
  TsrJsonWriter *self = g_new0 (TsrJsonWriter, 1);

  self->file = file;
  self->text = g_string_new (NULL);
  self->open = g_string_new (NULL);
  self->indent = indent;
  self->first = TRUE;
  return self;
}

TsrJsonWriter *
tsr_json_writer_new_file (FILE *file, int indent)
{
  g_return_val_if_fail (file != NULL, NULL);
  return writer_new (file, indent);
}

TsrJsonWriter *
tsr_json_writer_new_string (int indent)
{
  return writer_new (NULL, indent);
}

void
tsr_json_writer_free (TsrJsonWriter *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->open, TRUE);
  g_free (self);
}

static void
flush (TsrJsonWriter *self, gsize limit)
{
  if (self->file == NULL || self->text->len < limit)
    return;
  if (fwrite (self->text->str, 1, self->text->len, self->file) != self->text->len)
    self->failed = TRUE;
  g_string_truncate (self->text, 0);
}

static void
append_quoted (GString *out, const char *value)
{
  g_autofree char *valid = g_utf8_validate (value, -1, NULL) ? NULL : g_utf8_make_valid (value, -1);
  const char *text = valid != NULL ? valid : value;

  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      guchar c = (guchar)*p;

      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", c);
      else if (c == '\n')
        g_string_append (out, "\\n");
      else if (c == '\t')
        g_string_append (out, "\\t");
      else if (c < 0x20 || c == 0x7f)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

/* Deeper levels are not moved in further: a million of them would fill terabytes. */
static void
new_line (TsrJsonWriter *self)
{
  gsize level = MIN (self->open->len, MAX_INDENTED);

  if (self->indent == 0)
    return;
  g_string_append_c (self->text, '\n');
  for (gsize i = 0; i < level * (gsize)self->indent; i++)
    g_string_append_c (self->text, ' ');
}

static void
begin_value (TsrJsonWriter *self, const char *key)
{
  flush (self, FLUSH_AT);
  if (!self->first)
    g_string_append (self->text, self->indent == 0 ? ", " : ",");
  if (self->open->len > 0)
    new_line (self);
  if (key != NULL)
    {
      append_quoted (self->text, key);
      g_string_append (self->text, ": ");
    }
  self->first = FALSE;
}

static void
begin_level (TsrJsonWriter *self, const char *key, char brace)
{
  begin_value (self, key);
  g_string_append_c (self->text, brace);
  g_string_append_c (self->open, brace);
  self->first = TRUE;
}

static void
end_level (TsrJsonWriter *self, char brace)
{
  g_return_if_fail (self->open->len > 0);
  g_string_truncate (self->open, self->open->len - 1);
  if (!self->first)
    new_line (self);
  g_string_append_c (self->text, brace);
  self->first = FALSE;
  flush (self, FLUSH_AT);
}

void
tsr_json_writer_begin_object (TsrJsonWriter *self, const char *key)
{
  begin_level (self, key, '{');
}

void
tsr_json_writer_end_object (TsrJsonWriter *self)
{
  end_level (self, '}');
}

void
tsr_json_writer_begin_array (TsrJsonWriter *self, const char *key)
{
  begin_level (self, key, '[');
}

void
tsr_json_writer_end_array (TsrJsonWriter *self)
{
  end_level (self, ']');
}

void
tsr_json_writer_null (TsrJsonWriter *self, const char *key)
{
  tsr_json_writer_raw (self, key, "null");
}

void
tsr_json_writer_int (TsrJsonWriter *self, const char *key, gint64 value)
{
  if (value == TSR_UNKNOWN)
    {
      tsr_json_writer_null (self, key);
      return;
    }
  begin_value (self, key);
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT, value);
}

void
tsr_json_writer_double (TsrJsonWriter *self, const char *key, double value)
{
  g_autofree char *text = NULL;

  if (!isfinite (value))
    {
      tsr_json_writer_null (self, key);
      return;
    }
  text = tsr_number_dup_plain (value);
  tsr_json_writer_raw (self, key, text);
}

void
tsr_json_writer_string (TsrJsonWriter *self, const char *key, const char *value)
{
  if (value == NULL)
    {
      tsr_json_writer_null (self, key);
      return;
    }
  begin_value (self, key);
  append_quoted (self->text, value);
}

void
tsr_json_writer_boolean (TsrJsonWriter *self, const char *key, gboolean value)
{
  tsr_json_writer_raw (self, key, value ? "true" : "false");
}

void
tsr_json_writer_raw (TsrJsonWriter *self, const char *key, const char *json)
{
  begin_value (self, key);
  g_string_append (self->text, json);
}

gboolean
tsr_json_writer_finish (TsrJsonWriter *self, gboolean incomplete)
{
  while (self->open->len > 0)
    {
      gboolean object = self->open->str[self->open->len - 1] == '{';

      if (incomplete && object && self->open->len == 1)
        tsr_json_writer_boolean (self, "incomplete", TRUE);
      end_level (self, object ? '}' : ']');
    }
  g_string_append_c (self->text, '\n');
  flush (self, 0);
  if (self->file != NULL && fflush (self->file) != 0)
    self->failed = TRUE;
  return !self->failed;
}

char *
tsr_json_writer_dup_text (TsrJsonWriter *self)
{
  g_return_val_if_fail (self->file == NULL, NULL);
  return g_strdup (self->text->str);
}

static gboolean
is_number (const char *text)
{
  char *end = NULL;

  g_ascii_strtod (text, &end);
  return end != text && *end == '\0';
}

static void
append_field (GString *out, const char *field)
{
  const char *text = field != NULL ? field : "";
  gboolean formula = *text != '\0' && strchr ("=+-@\t\r", *text) != NULL && !is_number (text);

  if (!formula && strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  if (formula)
    g_string_append_c (out, '\'');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

void
tsr_csv_append_row (GString *out, guint n, const char *const *fields)
{
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      append_field (out, fields[i]);
    }
  g_string_append (out, "\r\n");
}
