/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each kind of file over a source of which one read fails, whichever: the reader fails with the
 * source's own error, and what was read before is not taken for the whole. */

#include "config.h"

#include "archive-test.h"
#include "profile-exercise.h"
#include "tsr-archive.h"
#include "tsr-debug-reader.h"
#include "tsr-debug-record.h"
#include "tsr-json.h"
#include "tsr-scan.h"
#include "tsr-structure.h"
#include "tsr-test.h"

#include <elf.h>
#include <string.h>

#define PLANTED "the cable was pulled out"

/* ------------------------------------------------------------ a failing source */

typedef struct
{
  TsrSource parent_instance;

  TsrSource *whole;
  int n_left; /* reads before the one that fails, in whichever thread */
  int failed;
} FailingSource;

typedef TsrSourceClass FailingSourceClass;

static GType failing_source_get_type (void);
G_DEFINE_TYPE (FailingSource, failing_source, TSR_TYPE_SOURCE)

static gssize
failing_source_read (TsrSource *source,
                     gint64 offset,
                     void *bytes,
                     gsize length,
                     GCancellable *cancellable,
                     GError **error)
{
  FailingSource *self = (FailingSource *)source;

  if (g_atomic_int_add (&self->n_left, -1) == 0)
    {
      g_atomic_int_set (&self->failed, TRUE);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE, PLANTED);
      return -1;
    }
  return tsr_source_read (self->whole, offset, bytes, length, cancellable, error);
}

static gboolean
failing_source_stat (TsrSource *source,
                     TsrSourceStamp *stamp,
                     GCancellable *cancellable,
                     GError **error)
{
  *stamp = *tsr_source_get_stamp (source);
  return TRUE;
}

static void
failing_source_finalize (GObject *object)
{
  g_object_unref (((FailingSource *)object)->whole);
  G_OBJECT_CLASS (failing_source_parent_class)->finalize (object);
}

static void
failing_source_init (FailingSource *self)
{
}

static void
failing_source_class_init (FailingSourceClass *class)
{
  class->read = failing_source_read;
  class->stat = failing_source_stat;
  G_OBJECT_CLASS (class)->finalize = failing_source_finalize;
}

static FailingSource *
failing_source_new (GBytes *bytes, guint n_left)
{
  FailingSource *self = g_object_new (failing_source_get_type (), NULL);

  self->whole = tsr_bytes_source_new ("file", bytes);
  self->n_left = (int)n_left;
  tsr_source_set_identity (TSR_SOURCE (self), "file", tsr_source_get_stamp (self->whole));
  return self;
}

/* Reads @bytes again and again, each time with the next read failing, until none fails: then @read
 * must be content, and before with the planted error. */
static void
walk (GBytes *bytes, guint least, gboolean (*read) (TsrSource *source, GError **error))
{
  guint n = 0;

  for (gboolean failed = TRUE; failed; n++)
    {
      FailingSource *source = failing_source_new (bytes, n);
      g_autoptr (GError) error = NULL;
      gboolean ok = read (TSR_SOURCE (source), &error);

      g_assert_true (ok == (error == NULL));
      failed = source->failed;
      if (failed)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE);
      else
        g_assert_no_error (error);
      g_object_unref (source);
    }
  g_test_message ("%u reads", n - 1);
  g_assert_cmpuint (n - 1, >=, least);
}

/* --------------------------------------------------------------------- archives */

/* A name in front of the data, and 300000 bytes of .text between the head and the sections. */
static GByteArray *
make_elf (const char *name, gsize padded)
{
  static const char names[] = "\0.text\0.shstrtab";
  const guint text = 300000;
  GByteArray *elf = g_byte_array_new ();
  Elf32_Ehdr head = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_EXEC,
    .e_machine = 248,
    .e_version = EV_CURRENT,
    .e_shoff = sizeof head + text + sizeof names + 3,
    .e_ehsize = sizeof head,
    .e_shentsize = sizeof (Elf32_Shdr),
    .e_shnum = 3,
    .e_shstrndx = 2,
  };
  Elf32_Shdr table[3] = {
    { .sh_type = SHT_NULL },
    { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = sizeof head, .sh_size = text },
    { .sh_name = 7,
      .sh_type = SHT_STRTAB,
      .sh_offset = sizeof head + text,
      .sh_size = sizeof names },
  };

  g_byte_array_set_size (elf, (guint)(padded + head.e_shoff));
  memset (elf->data, 0, elf->len);
  memcpy (elf->data, name, strlen (name));
  memcpy (elf->data + padded, &head, sizeof head);
  memcpy (elf->data + padded + sizeof head + text, names, sizeof names);
  g_byte_array_append (elf, (const guint8 *)table, sizeof table);
  return elf;
}

static gboolean
read_archive (TsrSource *source, GError **error)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrArchiveRows rows = { 0 };
  gboolean ok = tsr_archive_read (source, &rows, diagnostics, NULL, NULL, error);

  g_assert_cmpuint (rows.n_members, ==, ok ? 3 : 0);
  for (guint i = 0; i < rows.n_members; i++)
    g_assert_cmpint (rows.text_bytes[i], ==, 300000);
  tsr_archive_rows_clear (&rows);
  return ok;
}

static void
test_archive (void)
{
  g_autoptr (GByteArray) archive = g_byte_array_new ();
  g_autoptr (GByteArray) plain = make_elf ("", 0);
  g_autoptr (GByteArray) short_name = make_elf ("tile_1.of.a.short.name", 24);
  g_autoptr (GByteArray) long_name = NULL;
  g_autofree char *name = g_strnfill (600, 't');
  g_autoptr (GBytes) bytes = NULL;

  long_name = make_elf (name, 600);
  g_byte_array_append (archive, (const guint8 *)"!<arch>\n", 8);
  archive_test_put_member (archive, "//", "a_name_that_is_long_0/\n", 23);
  archive_test_put_member (archive, "/0", plain->data, plain->len);
  archive_test_put_member (archive, "#1/24", short_name->data, short_name->len);
  /* Longer than what is read of each member. */
  archive_test_put_member (archive, "#1/600", long_name->data, long_name->len);
  bytes = g_bytes_new (archive->data, archive->len);
  walk (bytes, 10, read_archive);
}

/* -------------------------------------------------------------------- contexts */

static gboolean
read_debug (TsrSource *source, GError **error)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugRows) rows = tsr_debug_rows_read (source, NULL, diagnostics, NULL, error);
  g_autoptr (TsrJson) record = NULL;

  if (rows == NULL)
    return FALSE;
  if (rows->end != NULL)
    {
      g_assert_cmpuint (rows->n, <, 3000);
      g_propagate_error (error, g_error_copy (rows->end));
      return FALSE;
    }
  g_assert_cmpuint (rows->n, ==, 3000);
  record = tsr_debug_record_read (source, rows, 2999, NULL, error);
  return record != NULL;
}

/* Contexts of 1 KB each. */
static void
test_debug (void)
{
  g_autoptr (GByteArray) cbor = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;

  g_byte_array_append (cbor,
                       (const guint8 *)"\xa1\x68"
                                       "contexts\x99\x0b\xb8",
                       13);
  for (guint i = 0; i < 3000; i++)
    {
      g_byte_array_append (cbor, (const guint8 *)"\xa2\x62id\x01\x64skip\x59\x03\xe8", 13);
      g_byte_array_set_size (cbor, cbor->len + 1000);
      memset (cbor->data + cbor->len - 1000, 'x', 1000);
    }
  bytes = g_bytes_new (cbor->data, cbor->len);
  walk (bytes, 4, read_debug);
}

/* ------------------------------------------------------------------------ JSON */

static gboolean
read_json (TsrSource *source, GError **error)
{
  g_autoptr (TsrJson) json = tsr_json_read (source, NULL, error);

  return json != NULL;
}

static void
test_json (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("{\"a\": [1, 2]}", 13);

  walk (bytes, 1, read_json);
}

/* -------------------------------------------------------------------- profiles */

static GBytes *profile;

/* Fails over a source of which a read failed, or was asked for again and gives the same as
 * without: @read gives (transfer full) (nullable) a text. */
static void
walk_text (guint least, char *(*read) (TsrSource *source, GError **error))
{
  guint n = 0, n_told = 0;
  g_autoptr (TsrSource) good = tsr_bytes_source_new ("file", profile);
  g_autofree char *whole = read (good, NULL);

  g_assert_nonnull (whole);
  for (gboolean failed = TRUE; failed; n++)
    {
      FailingSource *source = failing_source_new (profile, n);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = read (TSR_SOURCE (source), &error);

      failed = source->failed;
      g_assert_true ((text == NULL) == (error != NULL));
      if (text == NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE);
      else
        g_assert_cmpstr (text, ==, whole);
      n_told += error != NULL;
      g_object_unref (source);
    }
  g_test_message ("%u of %u reads", n_told, n - 1);
  g_assert_cmpuint (n_told, >=, least);
}

static char *
dup_structure (TsrSource *source, GError **error)
{
  g_autoptr (TsrDatabase) database = tsr_database_open_source (source, error);
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  gboolean ok;

  if (database == NULL)
    return NULL;
  ok = tsr_structure_write (database, FALSE, 0, writer, NULL, NULL, error);
  tsr_json_writer_finish (writer, !ok);
  return ok ? tsr_json_writer_dup_text (writer) : NULL;
}

static void
test_structure (void)
{
  walk_text (20, dup_structure);
}

static void
add_fault (const char *text, gpointer faults)
{
  g_string_append (faults, text);
}

static char *
dup_faults (TsrSource *source, GError **error)
{
  g_autoptr (TsrDatabase) database = tsr_database_open_source (source, error);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autoptr (TsrProfile) self
      = database != NULL ? tsr_profile_new (database, diagnostics, error) : NULL;

  if (self == NULL || !tsr_profile_check_integrity (self, 10, add_fault, faults, error))
    return NULL;
  return g_string_free (g_steal_pointer (&faults), FALSE);
}

static void
test_integrity (void)
{
  walk_text (20, dup_faults);
}

/* What is only asked for to know how to read is asked for again. */
static void
test_profile (gconstpointer rows_for_two)
{
  Exercise whole;
  guint n = 0, n_told = 0;
  g_autoptr (TsrSource) good = tsr_bytes_source_new ("file", profile);

  exercise_profile (good, 0, &whole);
  g_assert_cmpuint (whole.n_failed, ==, 0);
  for (gboolean failed = TRUE; failed; n++)
    {
      FailingSource *source = failing_source_new (profile, n);
      Exercise out;

      exercise_profile (TSR_SOURCE (source), GPOINTER_TO_UINT (rows_for_two), &out);
      failed = source->failed;
      /* Whoever read it has failed, or everybody; unless it was read again. */
      if (!failed)
        g_assert_cmpuint (out.n_failed, ==, 0);
      if (out.probed && out.n_failed == 0)
        g_assert_cmpuint (out.n_values, ==, whole.n_values);
      n_told += !out.probed || out.n_failed > 0;
      g_object_unref (source);
    }
  g_test_message ("%u of %u reads", n_told, n - 1);
  g_assert_cmpuint (n_told, >, 30);
}

static void
make_profile (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  char *contents;
  gsize length;

  tsr_test_sql (folder, "profile.pop", PROFILE_EXERCISE_SQL);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  profile = g_bytes_new_take (contents, length);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  make_profile ();
  g_test_add_func ("/read-errors/archive", test_archive);
  g_test_add_func ("/read-errors/debug", test_debug);
  g_test_add_func ("/read-errors/json", test_json);
  g_test_add_func ("/read-errors/structure", test_structure);
  g_test_add_func ("/read-errors/integrity", test_integrity);
  g_test_add_data_func ("/read-errors/profile", NULL, test_profile);
  g_test_add_data_func ("/read-errors/profile-of-two", GUINT_TO_POINTER (2), test_profile);
  status = g_test_run ();
  g_bytes_unref (profile);
  return status;
}
