/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of problems found in a report.  Repeated problems of a kind are counted instead of kept;
 * a mutex guards the list. */

#include "config.h"

#include "tsr-diagnostics.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  guint kept;
  guint last; /* index of the last kept entry of this kind */
  guint64 dropped;
} Kind;

struct _TsrDiagnostics
{
  gatomicrefcount refs;
  GMutex lock;
  GPtrArray *entries; /* TsrDiagnostic */
  GHashTable *kinds;  /* "code\nfile\ntable" to Kind */
  GHashTable *last;   /* index of a last kept entry to its Kind (borrowed) */
  guint64 total;
  guint64 errors;
};

/* What a file of a million differently broken members may cost. */
#define MAX_KINDS 1000

static void
diagnostic_free (gpointer data)
{
  TsrDiagnostic *entry = data;

  g_free (entry->file);
  g_free (entry->table);
  g_free (entry->text);
  g_free (entry);
}

/* (transfer full) (nullable): names in a damaged file may be any bytes. */
static char *
dup_valid (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

TsrDiagnostics *
tsr_diagnostics_new (void)
{
  TsrDiagnostics *self = g_new0 (TsrDiagnostics, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->entries = g_ptr_array_new_with_free_func (diagnostic_free);
  self->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->last = g_hash_table_new (NULL, NULL);
  return self;
}

TsrDiagnostics *
tsr_diagnostics_ref (TsrDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_diagnostics_unref (TsrDiagnostics *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->last);
  g_hash_table_unref (self->kinds);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* (nullable): the kind of @entry; a new one only while there are few or when @force is set. */
static Kind *
get_kind (TsrDiagnostics *self, const TsrDiagnostic *entry, gboolean force)
{
  g_autofree char *key = g_strconcat (entry->code, "\n", entry->file != NULL ? entry->file : "",
                                      "\n", entry->table != NULL ? entry->table : "", NULL);
  Kind *kind = g_hash_table_lookup (self->kinds, key);

  if (kind == NULL && (force || g_hash_table_size (self->kinds) < MAX_KINDS))
    {
      kind = g_new0 (Kind, 1);
      g_hash_table_insert (self->kinds, g_steal_pointer (&key), kind);
    }
  return kind;
}

/* Makes @entry stand for all kinds beyond MAX_KINDS. */
static void
generalize (TsrDiagnostic *entry)
{
  g_clear_pointer (&entry->file, g_free);
  g_clear_pointer (&entry->table, g_free);
  g_free (entry->text);
  entry->row = entry->offset = TSR_NO_ROW;
  entry->code = "too-many-kinds";
  entry->text = g_strdup (_ ("there are more kinds of problems than are listed here"));
}

/* Called with the lock held.  @count is how many of this kind the call stands for. */
static void
add_locked (TsrDiagnostics *self, TsrDiagnostic *entry, guint64 count)
{
  Kind *kind;

  self->total += count;
  if (entry->severity == TSR_SEVERITY_ERROR)
    self->errors += count;
  kind = get_kind (self, entry, FALSE);
  if (kind == NULL)
    {
      generalize (entry);
      kind = get_kind (self, entry, TRUE);
    }
  if (kind->kept >= TSR_DIAGNOSTICS_KEPT)
    {
      kind->dropped += count;
      diagnostic_free (entry);
      return;
    }
  if (kind->kept > 0)
    g_hash_table_remove (self->last, GUINT_TO_POINTER (kind->last));
  kind->kept++;
  kind->last = self->entries->len;
  kind->dropped += count - 1;
  g_hash_table_insert (self->last, GUINT_TO_POINTER (kind->last), kind);
  g_ptr_array_add (self->entries, entry);
}

void
tsr_diagnostics_add_va (TsrDiagnostics *self,
                        TsrSeverity severity,
                        const char *code,
                        const char *file,
                        const char *table,
                        gint64 row,
                        gint64 offset,
                        const char *format,
                        va_list args)
{
  g_autofree char *text = NULL;
  TsrDiagnostic *entry;

  g_return_if_fail (self != NULL && code != NULL && format != NULL);
  g_return_if_fail (code != NULL);

  entry = g_new0 (TsrDiagnostic, 1);
  entry->severity = severity;
  entry->code = code;
  entry->file = dup_valid (file);
  entry->table = dup_valid (table);
  entry->row = row;
  entry->offset = offset;
  text = g_strdup_vprintf (format, args);
  entry->text = dup_valid (text);

  g_mutex_lock (&self->lock);
  add_locked (self, entry, 1);
  g_mutex_unlock (&self->lock);
}

void
tsr_diagnostics_add (TsrDiagnostics *self,
                     TsrSeverity severity,
                     const char *code,
                     const char *file,
                     const char *table,
                     gint64 row,
                     gint64 offset,
                     const char *format,
                     ...)
{
  va_list args;

  g_return_if_fail (self != NULL && format != NULL && code != NULL);
  va_start (args, format);
  tsr_diagnostics_add_va (self, severity, code, file, table, row, offset, format, args);
  va_end (args);
}

gboolean
tsr_diagnostic_tally_count (TsrDiagnosticTally *self, TsrSeverity severity, const char *code)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds); i++)
    {
      if (self->kinds[i].code == NULL)
        {
          self->kinds[i].code = code;
          self->kinds[i].severity = severity;
        }
      else if (self->kinds[i].code != code || self->kinds[i].severity != severity)
        continue;
      if (self->kinds[i].n < TSR_DIAGNOSTICS_KEPT)
        {
          self->kinds[i].n++;
          return TRUE;
        }
      self->kinds[i].more++;
      return FALSE;
    }
  return TRUE;
}

void
tsr_diagnostic_tally_flush (TsrDiagnosticTally *self,
                            TsrDiagnostics *diagnostics,
                            const char *file,
                            const char *table)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds) && self->kinds[i].code != NULL; i++)
    {
      TsrDiagnostic *entry;

      if (self->kinds[i].more == 0)
        continue;
      /* Only counted, not kept: the reader has added as many entries as are kept. */
      entry = g_new0 (TsrDiagnostic, 1);
      entry->severity = self->kinds[i].severity;
      entry->code = self->kinds[i].code;
      entry->file = dup_valid (file);
      entry->table = dup_valid (table);
      entry->row = entry->offset = TSR_NO_ROW;
      entry->text = g_strdup (_ ("there are more like these"));
      g_mutex_lock (&diagnostics->lock);
      add_locked (diagnostics, entry, self->kinds[i].more);
      g_mutex_unlock (&diagnostics->lock);
    }
  *self = (TsrDiagnosticTally){ 0 };
}

gboolean
tsr_diagnostics_has (TsrDiagnostics *self, const char *code, const char *table, gint64 row)
{
  gboolean found = FALSE;

  g_return_val_if_fail (self != NULL && code != NULL, FALSE);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->entries->len && !found; i++)
    {
      const TsrDiagnostic *entry = self->entries->pdata[i];

      found = entry->row == row && strcmp (entry->code, code) == 0
              && g_strcmp0 (entry->table, table) == 0;
    }
  g_mutex_unlock (&self->lock);
  return found;
}

void
tsr_diagnostics_merge (TsrDiagnostics *self, TsrDiagnostics *other)
{
  g_return_if_fail (self != NULL && other != NULL);
  tsr_diagnostics_merge_new (self, other, NULL);
}

/* How many entries @self has that are @wanted, the dropped ones of its kind included. */
static guint64
count_same (TsrDiagnostics *self, const TsrDiagnostic *wanted)
{
  guint n = self != NULL ? tsr_diagnostics_get_n_kept (self) : 0;

  for (guint i = 0; i < n; i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (self, i);

      if (strcmp (entry->code, wanted->code) == 0 && entry->row == wanted->row
          && entry->offset == wanted->offset && g_strcmp0 (entry->file, wanted->file) == 0
          && g_strcmp0 (entry->table, wanted->table) == 0
          && g_strcmp0 (entry->text, wanted->text) == 0)
        return 1 + tsr_diagnostics_get_dropped (self, i);
    }
  return 0;
}

void
tsr_diagnostics_merge_new (TsrDiagnostics *self, TsrDiagnostics *other, TsrDiagnostics *known)
{
  guint n;

  g_return_if_fail (self != NULL && other != NULL);
  n = tsr_diagnostics_get_n_kept (other);
  for (guint i = 0; i < n; i++)
    {
      const TsrDiagnostic *from = tsr_diagnostics_get (other, i);
      guint64 count = 1 + tsr_diagnostics_get_dropped (other, i);
      guint64 same = count_same (known, from);
      TsrDiagnostic *entry;

      if (count <= same)
        continue;
      entry = g_new0 (TsrDiagnostic, 1);
      *entry = *from;
      entry->file = g_strdup (from->file);
      entry->table = g_strdup (from->table);
      entry->text = g_strdup (from->text);
      g_mutex_lock (&self->lock);
      add_locked (self, entry, count - same);
      g_mutex_unlock (&self->lock);
    }
}

guint
tsr_diagnostics_get_n_kept (TsrDiagnostics *self)
{
  guint n;

  g_return_val_if_fail (self != NULL, 0);
  g_mutex_lock (&self->lock);
  n = self->entries->len;
  g_mutex_unlock (&self->lock);
  return n;
}

guint64
tsr_diagnostics_get_n_total (TsrDiagnostics *self)
{
  guint64 n;

  g_return_val_if_fail (self != NULL, 0);
  g_mutex_lock (&self->lock);
  n = self->total;
  g_mutex_unlock (&self->lock);
  return n;
}

guint64
tsr_diagnostics_get_n_errors (TsrDiagnostics *self)
{
  guint64 n;

  g_return_val_if_fail (self != NULL, 0);
  g_mutex_lock (&self->lock);
  n = self->errors;
  g_mutex_unlock (&self->lock);
  return n;
}

guint64
tsr_diagnostics_get_dropped (TsrDiagnostics *self, guint i)
{
  Kind *kind;
  guint64 n = 0;

  g_return_val_if_fail (self != NULL, 0);
  g_mutex_lock (&self->lock);
  kind = g_hash_table_lookup (self->last, GUINT_TO_POINTER (i));
  if (kind != NULL)
    n = kind->dropped;
  g_mutex_unlock (&self->lock);
  return n;
}

gboolean
tsr_diagnostics_tells (TsrDiagnostics *self, const char *file, const char *text)
{
  gboolean tells = FALSE;

  g_return_val_if_fail (self != NULL && text != NULL, FALSE);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->entries->len && !tells; i++)
    {
      const TsrDiagnostic *entry = g_ptr_array_index (self->entries, i);

      tells = g_strcmp0 (entry->file, file) == 0 && strstr (entry->text, text) != NULL;
    }
  g_mutex_unlock (&self->lock);
  return tells;
}

const TsrDiagnostic *
tsr_diagnostics_get (TsrDiagnostics *self, guint i)
{
  const TsrDiagnostic *entry = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_mutex_lock (&self->lock);
  if (i < self->entries->len)
    entry = g_ptr_array_index (self->entries, i);
  g_mutex_unlock (&self->lock);
  return entry;
}

static void
append_part (GString *line, const char *part)
{
  if (line->len > 0)
    g_string_append (line, ", ");
  g_string_append (line, part);
}

char *
tsr_diagnostic_dup_line (const TsrDiagnostic *diagnostic)
{
  g_autofree char *row = NULL, *offset = NULL, *row_part = NULL, *offset_part = NULL;
  GString *line;

  g_return_val_if_fail (diagnostic != NULL, NULL);
  line = g_string_new (NULL);
  row = g_strdup_printf ("%" G_GINT64_FORMAT, diagnostic->row);
  offset = g_strdup_printf ("%" G_GINT64_FORMAT, diagnostic->offset);
  row_part = g_strdup_printf (_ ("row %s"), row);
  offset_part = g_strdup_printf (_ ("byte %s"), offset);
  if (diagnostic->file != NULL)
    append_part (line, diagnostic->file);
  if (diagnostic->table != NULL)
    append_part (line, diagnostic->table);
  if (diagnostic->row != TSR_NO_ROW)
    append_part (line, row_part);
  if (diagnostic->offset != TSR_NO_ROW)
    append_part (line, offset_part);
  if (line->len > 0)
    g_string_append (line, ": ");
  g_string_append (line, diagnostic->text);
  for (gsize i = 0; i < line->len; i++)
    if (g_ascii_iscntrl (line->str[i]))
      line->str[i] = ' ';
  return g_string_free (line, FALSE);
}

const char *
tsr_severity_get_nick (TsrSeverity severity)
{
  switch (severity)
    {
    case TSR_SEVERITY_INFO:
      return "info";
    case TSR_SEVERITY_WARNING:
      return "warning";
    case TSR_SEVERITY_ERROR:
      return "error";
    default:
      g_return_val_if_reached ("error");
    }
}
