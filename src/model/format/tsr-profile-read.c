/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-profile-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

void
tsr_reader_begin (TsrReader *reader,
                  TsrProfile *profile,
                  const char *table,
                  const char *const *columns)
{
  reader->profile = profile;
  reader->table = table;
  reader->columns = columns;
  reader->error = NULL;
  reader->scan = tsr_scan_new (profile, table, columns, &reader->error);
}

gboolean
tsr_reader_next (TsrReader *reader)
{
  return reader->scan != NULL && reader->error == NULL
         && tsr_scan_next (reader->scan, &reader->error);
}

gboolean
tsr_reader_end (TsrReader *reader, GError **error)
{
  g_clear_pointer (&reader->scan, tsr_scan_free);
  if (reader->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reader->error));
  return FALSE;
}

void
tsr_reader_complain (TsrReader *reader, const char *code, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  tsr_diagnostics_add (tsr_profile_peek_diagnostics (reader->profile), TSR_SEVERITY_ERROR, code,
                       tsr_profile_peek_file (reader->profile), reader->table,
                       tsr_scan_get_row (reader->scan), TSR_NO_ROW, "%s", text);
}

static const char *
type_name (TsrCellType type)
{
  switch (type)
    {
    case TSR_CELL_INTEGER:
      return _ ("an integer");
    case TSR_CELL_REAL:
      return _ ("a real number");
    case TSR_CELL_TEXT:
      return _ ("text");
    case TSR_CELL_BLOB:
    case TSR_CELL_ABSENT:
    case TSR_CELL_NULL:
    default:
      return _ ("a BLOB");
    }
}

static void
complain_type (TsrReader *reader, guint i, TsrCellType type)
{
  tsr_reader_complain (reader, "wrong-type", _ ("%s is %s, not a number"), reader->columns[i],
                       type_name (type));
}

gint64
tsr_reader_int (TsrReader *reader, guint i, gint64 min, gint64 max)
{
  TsrCellType type = tsr_scan_get_type (reader->scan, i);
  gint64 value;

  switch (type)
    {
    case TSR_CELL_ABSENT:
    case TSR_CELL_NULL:
      return TSR_UNKNOWN;
    case TSR_CELL_INTEGER:
      value = tsr_scan_get_int (reader->scan, i);
      break;
    case TSR_CELL_REAL:
      {
        double real = tsr_scan_get_double (reader->scan, i);

        if (fabs (real) <= 9007199254740992.0 && floor (real) == real)
          {
            value = (gint64)real;
            break;
          }
        tsr_reader_complain (reader, "wrong-type", _ ("%s is %g, not a whole number"),
                             reader->columns[i], real);
        return TSR_UNKNOWN;
      }
    case TSR_CELL_TEXT:
    case TSR_CELL_BLOB:
    default:
      complain_type (reader, i, type);
      return TSR_UNKNOWN;
    }
  if (value >= min && value <= max)
    return value;
  tsr_reader_complain (reader, "value-out-of-range",
                       _ ("%s is %" PRId64 ", outside %" PRId64 " to %" PRId64), reader->columns[i],
                       value, min, max);
  return TSR_UNKNOWN;
}

gint64
tsr_reader_size (TsrReader *reader, guint i)
{
  return tsr_reader_int (reader, i, 0, TSR_MAX_VALUE);
}

double
tsr_reader_double (TsrReader *reader, guint i)
{
  TsrCellType type = tsr_scan_get_type (reader->scan, i);

  if (type == TSR_CELL_TEXT || type == TSR_CELL_BLOB)
    complain_type (reader, i, type);
  return tsr_scan_get_double (reader->scan, i);
}

char *
tsr_reader_dup_text (TsrReader *reader, guint i)
{
  const char *text;

  switch (tsr_scan_get_type (reader->scan, i))
    {
    case TSR_CELL_TEXT:
      text = tsr_scan_peek_text (reader->scan, i);
      return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
    case TSR_CELL_INTEGER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, tsr_scan_get_int (reader->scan, i));
    case TSR_CELL_REAL:
      return tsr_number_dup_plain (tsr_scan_get_double (reader->scan, i));
    case TSR_CELL_BLOB:
      tsr_reader_complain (reader, "wrong-type", _ ("%s is a BLOB, not text"), reader->columns[i]);
      return NULL;
    case TSR_CELL_ABSENT:
    case TSR_CELL_NULL:
    default:
      return NULL;
    }
}
