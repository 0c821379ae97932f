/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes rows: one prepared statement for each table, values bound by a letter for each type. */

#include "config.h"

#include "tsr-gen-profile.h"

#include <gio/gio.h>
#include <math.h>
#include <stdarg.h>

void
tsr_gen_fail (TsrGenWriter *self, const char *what)
{
  if (!self->failed)
    g_set_error (self->error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", what,
                 sqlite3_errmsg (self->db));
  self->failed = TRUE;
}

sqlite3_stmt *
tsr_gen_insert_begin (TsrGenWriter *self, const char *table, guint n)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  sqlite3_stmt *stmt = NULL;

  g_string_printf (sql, "INSERT INTO %s VALUES (", table);
  for (guint i = 0; i < n; i++)
    g_string_append (sql, i == 0 ? "?" : ",?");
  g_string_append_c (sql, ')');
  if (!self->failed && sqlite3_prepare_v2 (self->db, sql->str, -1, &stmt, NULL) != SQLITE_OK)
    tsr_gen_fail (self, table);
  return stmt;
}

static void
bind (sqlite3_stmt *stmt, int at, char type, va_list *args)
{
  switch (type)
    {
    case 'i':
      sqlite3_bind_int64 (stmt, at, va_arg (*args, gint64));
      break;
    case 'u':
      sqlite3_bind_int64 (stmt, at, (gint64)va_arg (*args, guint64));
      break;
    case 'a':
      {
        const guint id = va_arg (*args, guint);
        if (id > 0)
          sqlite3_bind_int64 (stmt, at, id);
        break;
      }
    case 'm':
      {
        const gint64 value = va_arg (*args, gint64);
        if (value >= 0)
          sqlite3_bind_int64 (stmt, at, value);
        break;
      }
    case 'r':
      {
        const double value = va_arg (*args, double);
        if (!isnan (value))
          sqlite3_bind_double (stmt, at, value);
        break;
      }
    case 's':
      sqlite3_bind_text (stmt, at, va_arg (*args, const char *), -1, SQLITE_STATIC);
      break;
    case 'b':
      {
        gsize size;
        gconstpointer data = g_bytes_get_data (va_arg (*args, GBytes *), &size);
        sqlite3_bind_blob64 (stmt, at, data, size, SQLITE_STATIC);
        break;
      }
    case 'n':
      break;
    default:
      g_assert_not_reached ();
    }
}

void
tsr_gen_insert (TsrGenWriter *self, sqlite3_stmt *stmt, const char *types, ...)
{
  va_list args;

  if (self->failed)
    return;
  sqlite3_clear_bindings (stmt);
  va_start (args, types);
  for (int i = 0; types[i] != '\0'; i++)
    bind (stmt, i + 1, types[i], &args);
  va_end (args);
  if (sqlite3_step (stmt) != SQLITE_DONE)
    tsr_gen_fail (self, sqlite3_sql (stmt));
  sqlite3_reset (stmt);
}

void
tsr_gen_insert_end (sqlite3_stmt *stmt)
{
  sqlite3_finalize (stmt);
}
