/* SPDX-License-Identifier: GPL-3.0-or-later */

/* archive.a: archives made here byte by byte, read by ours, by binutils where it is installed, and
 * by a naive parser that shares no code with ours. */

#include "config.h"

#include "tsr-archive-header.h"
#include "tsr-archive.h"
#include "tsr-error.h"
#include "tsr-test.h"
#include "tsr-units.h"

#include <elf.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------- making files */

typedef struct
{
  gboolean is_64, big_endian;
  guint16 machine;
  guint32 text_size;       /* bytes of .text */
  guint n_text;            /* sections of that name */
  guint n_other;           /* further sections */
  gsize names_padding;     /* bytes in front of the names */
  gboolean extended;       /* counts in section 0 */
  gboolean text_is_nobits; /* no bytes in the file */
} Elf;

static const Elf tile_elf = { .machine = 248, .text_size = 100, .n_text = 1, .n_other = 3 };

/* Appends @value in @n bytes. */
static void
put (GByteArray *bytes, const Elf *elf, guint64 value, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint8 byte = (guint8)(value >> 8 * (elf->big_endian ? n - 1 - i : i));

      g_byte_array_append (bytes, &byte, 1);
    }
}

static void
put_zeros (GByteArray *bytes, gsize n)
{
  gsize old = bytes->len;

  g_byte_array_set_size (bytes, (guint)(old + n));
  memset (bytes->data + old, 0, n);
}

static void
put_section (GByteArray *bytes,
             const Elf *elf,
             guint32 name,
             guint32 type,
             guint64 offset,
             guint64 size,
             guint32 link)
{
  guint word = elf->is_64 ? 8 : 4;

  put (bytes, elf, name, 4);
  put (bytes, elf, type, 4);
  put (bytes, elf, 0, word);
  put (bytes, elf, 0, word);
  put (bytes, elf, offset, word);
  put (bytes, elf, size, word);
  put (bytes, elf, link, 4);
  put (bytes, elf, 0, 4);
  put (bytes, elf, 1, word);
  put (bytes, elf, 0, word);
}

/* ELF header, .text, names, table of sections: null, names, .text ..., others. */
static GByteArray *
make_elf (const Elf *elf)
{
  GByteArray *bytes = g_byte_array_new ();
  static const char names[] = "\0.shstrtab\0.rela.text\0.data\0.text.__runCodelet_Foo";
  const guint32 rela_text = 11, data = 22, codelet = 28;
  guint word = elf->is_64 ? 8 : 4;
  guint n_sections = 2 + elf->n_text + elf->n_other;
  guint64 head = elf->is_64 ? 64 : 52;
  guint64 stored = elf->text_is_nobits ? 0 : (guint64)elf->text_size * elf->n_text;
  guint64 names_at = head + stored;
  guint64 names_size = elf->names_padding + sizeof names;
  guint64 table_at = (names_at + names_size + 7) / 8 * 8;
  guint32 pad = (guint32)elf->names_padding;

  g_byte_array_append (bytes,
                       (const guint8 *)"\x7f"
                                       "ELF",
                       4);
  put (bytes, elf, elf->is_64 ? 2 : 1, 1);
  put (bytes, elf, elf->big_endian ? 2 : 1, 1);
  put (bytes, elf, 1, 1);
  put_zeros (bytes, 9);
  put (bytes, elf, 2, 2);
  put (bytes, elf, elf->machine, 2);
  put (bytes, elf, 1, 4);
  put (bytes, elf, 0, word);
  put (bytes, elf, 0, word);
  put (bytes, elf, table_at, word);
  put (bytes, elf, 0, 4);
  put (bytes, elf, head, 2);
  put (bytes, elf, 0, 2);
  put (bytes, elf, 0, 2);
  put (bytes, elf, elf->is_64 ? 64 : 40, 2);
  put (bytes, elf, elf->extended ? 0 : n_sections, 2);
  put (bytes, elf, elf->extended ? 0xffff : 1, 2);
  g_assert_cmpuint (bytes->len, ==, head);
  put_zeros (bytes, stored);
  put_zeros (bytes, elf->names_padding);
  g_byte_array_append (bytes, (const guint8 *)names, sizeof names);
  put_zeros (bytes, table_at - bytes->len);
  put_section (bytes, elf, 0, SHT_NULL, 0, elf->extended ? n_sections : 0, elf->extended ? 1 : 0);
  put_section (bytes, elf, pad + 1, SHT_STRTAB, names_at, names_size, 0);
  for (guint i = 0; i < elf->n_text; i++)
    /* The name is the end of another one, as linkers write it. */
    put_section (bytes, elf, pad + rela_text + 5, elf->text_is_nobits ? SHT_NOBITS : SHT_PROGBITS,
                 head + (elf->text_is_nobits ? 0 : (guint64)i * elf->text_size), elf->text_size, 0);
  for (guint i = 0; i < elf->n_other; i++)
    put_section (bytes, elf, pad + (i % 2 == 0 ? data : codelet), SHT_PROGBITS, head, 0, 0);
  return bytes;
}

static void
put_header (GByteArray *archive, const char *name, gsize size)
{
  g_autofree char *header = g_strdup_printf ("%-16s%-12s%-6s%-6s%-8s%-10" G_GSIZE_FORMAT "`\n",
                                             name, "0", "0", "0", "644", size);

  g_assert_cmpuint (strlen (header), ==, 60);
  g_byte_array_append (archive, (const guint8 *)header, 60);
}

static void
put_member (GByteArray *archive, const char *name, const void *bytes, gsize size)
{
  put_header (archive, name, size);
  g_byte_array_append (archive, bytes, (guint)size);
  if (size % 2 == 1)
    g_byte_array_append (archive, (const guint8 *)"\n", 1);
}

static void
put_elf (GByteArray *archive, const char *name, const Elf *elf)
{
  g_autoptr (GByteArray) bytes = make_elf (elf);

  put_member (archive, name, bytes->data, bytes->len);
}

static void
put_elf_bsd (GByteArray *archive, const char *name, const Elf *elf)
{
  g_autoptr (GByteArray) bytes = make_elf (elf);
  gsize padded = (strlen (name) + 4) / 4 * 4;
  g_autofree char *header = g_strdup_printf ("#1/%" G_GSIZE_FORMAT, padded);
  g_autofree char *long_name = g_malloc0 (padded);

  memcpy (long_name, name, strlen (name));
  g_byte_array_prepend (bytes, (const guint8 *)long_name, (guint)padded);
  put_member (archive, header, bytes->data, bytes->len);
}

static GByteArray *
make_archive (void)
{
  GByteArray *archive = g_byte_array_new ();

  g_byte_array_append (archive, (const guint8 *)"!<arch>\n", 8);
  return archive;
}

/* ------------------------------------------------------------------- reading */

typedef struct
{
  TsrArchiveRows rows;
  TsrDiagnostics *diagnostics;
  GError *error;
  guint64 bytes_read;
} Result;

static void
result_clear (Result *result)
{
  tsr_archive_rows_clear (&result->rows);
  tsr_diagnostics_unref (result->diagnostics);
  g_clear_error (&result->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static Result
read_source (TsrSource *source)
{
  Result result = { .diagnostics = tsr_diagnostics_new () };
  gboolean ok
      = tsr_archive_read (source, &result.rows, result.diagnostics, NULL, NULL, &result.error);

  g_assert_true (ok == (result.error == NULL));
  g_assert_true (ok == (result.rows.n_members > 0));
  result.bytes_read = tsr_source_get_bytes_read (source);
  return result;
}

static Result
read_bytes (const void *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("archive.a", bytes);

  return read_source (source);
}

static gboolean
has_code (const Result *result, const char *code)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (result->diagnostics); i++)
    if (strcmp (tsr_diagnostics_get (result->diagnostics, i)->code, code) == 0)
      return TRUE;
  return FALSE;
}

/* The next one is of @code, about @member (nullable: about none) at @offset, and says @words. */
static void
take_diagnostic (const Result *result,
                 guint *at,
                 const char *code,
                 const char *member,
                 gint64 offset,
                 const char *words)
{
  const TsrDiagnostic *entry;

  g_assert_cmpuint (*at, <, tsr_diagnostics_get_n_kept (result->diagnostics));
  entry = tsr_diagnostics_get (result->diagnostics, (*at)++);
  g_assert_cmpstr (entry->file, ==, "archive.a");
  g_assert_cmpstr (entry->code, ==, code);
  g_assert_cmpstr (entry->table, ==, member);
  g_assert_cmpint (entry->offset, ==, offset);
  g_assert_nonnull (strstr (entry->text, words));
}

/* ------------------------------------------------------- an independent parser */

static guint64
get (const guint8 *bytes, gboolean big_endian, guint n)
{
  guint64 value = 0;

  for (guint i = 0; i < n; i++)
    value = value << 8 | bytes[big_endian ? i : n - 1 - i];
  return value;
}

/* Size of .text of a healthy member. */
static gint64
naive_text (const guint8 *elf)
{
  gboolean wide = elf[4] == 2;
  gboolean big = elf[5] == 2;
  guint64 table = get (elf + (wide ? 40 : 32), big, wide ? 8 : 4);
  guint step = wide ? 64 : 40;
  guint64 n = get (elf + (wide ? 60 : 48), big, 2);
  guint64 names_index = get (elf + (wide ? 62 : 50), big, 2);
  gint64 sum = 0;
  const guint8 *names;

  if (n == 0)
    n = get (elf + table + (wide ? 32 : 20), big, wide ? 8 : 4);
  if (names_index == 0xffff)
    names_index = get (elf + table + (wide ? 40 : 24), big, 4);
  names = elf + get (elf + table + names_index * step + (wide ? 24 : 16), big, wide ? 8 : 4);
  for (guint64 i = 0; i < n; i++)
    {
      const guint8 *section = elf + table + i * step;

      if (strcmp ((const char *)names + get (section, big, 4), ".text") == 0)
        sum += (gint64)get (section + (wide ? 32 : 20), big, wide ? 8 : 4);
    }
  return sum;
}

/* Compares all members of a healthy archive. */
static void
compare_with_naive (const GByteArray *archive, const TsrArchiveRows *rows)
{
  guint n = 0;

  for (gsize at = 8; at + 60 <= archive->len;)
    {
      char size_text[11] = "";
      gsize size, name = 0;

      memcpy (size_text, archive->data + at + 48, 10);
      size = strtoul (size_text, NULL, 10);
      if (memcmp (archive->data + at, "#1/", 3) == 0)
        name = strtoul ((const char *)archive->data + at + 3, NULL, 10);
      if (memcmp (archive->data + at + 60 + name,
                  "\x7f"
                  "ELF",
                  4)
          == 0)
        {
          g_assert_cmpuint (n, <, rows->n_members);
          g_assert_cmpint (rows->text_bytes[n], ==, naive_text (archive->data + at + 60 + name));
          g_assert_cmpint (rows->offsets[n], ==, at + 60 + name);
          n++;
        }
      at += 60 + (size + 1) / 2 * 2;
    }
  g_assert_cmpuint (n, ==, rows->n_members);
}

/* -------------------------------------------------------------- healthy ones */

static void
test_gnu_names (void)
{
  static const char table[] = "some/long/name/of/a/member_tile_0007.elf/\nanother_0.elf32/\n";
  g_autoptr (GByteArray) archive = make_archive ();
  g_auto (Result) result = { 0 };
  Elf elf = tile_elf;

  put_member (archive, "/", "\0\0\0\1\0\0\0\0name", 12);
  put_member (archive, "//", table, strlen (table));
  elf.text_size = 1234;
  put_elf (archive, "/0", &elf);
  elf.text_size = 77;
  put_elf (archive, "/42", &elf);
  elf.text_size = 0;
  put_elf (archive, "short.o/", &elf);
  put_elf (archive, "plain", &elf);
  result = read_bytes (archive->data, archive->len);
  g_assert_no_error (result.error);
  g_assert_cmpuint (result.rows.n_members, ==, 4);
  g_assert_cmpstr (result.rows.names[0], ==, "some/long/name/of/a/member_tile_0007.elf");
  g_assert_cmpstr (result.rows.names[1], ==, "another_0.elf32");
  g_assert_cmpstr (result.rows.names[2], ==, "short.o");
  g_assert_cmpstr (result.rows.names[3], ==, "plain");
  g_assert_cmpint (result.rows.text_bytes[0], ==, 1234);
  g_assert_cmpint (result.rows.text_bytes[1], ==, 77);
  g_assert_cmpint (result.rows.text_bytes[2], ==, 0);
  g_assert_cmpuint (result.rows.machines[3], ==, 248);
  compare_with_naive (archive, &result.rows);
  /* The names have not one number each. */
  g_assert_true (has_code (&result, "tiles-by-order"));
  g_assert_cmpint (result.rows.tiles[3], ==, 3);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==, 1);
}

/* A file without a table of sections has none, however many it says: its code is not known. */
static void
test_no_sections (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GByteArray) archive = make_archive ();
      g_auto (Result) result = { 0 };
      Elf elf = tile_elf;
      guint at = 0;

      elf.is_64 = i % 2;
      elf.extended = i / 2;
      put_elf (archive, "tile_0.elf", &elf);
      put_elf (archive, "tile_1.elf", &elf);
      memset (archive->data + 68 + (elf.is_64 ? 40 : 32), 0, elf.is_64 ? 8 : 4);
      result = read_bytes (archive->data, archive->len);
      g_assert_no_error (result.error);
      g_assert_cmpuint (result.rows.n_members, ==, 2);
      g_assert_cmpint (result.rows.text_bytes[0], ==, TSR_UNKNOWN);
      g_assert_cmpint (result.rows.text_bytes[1], ==, 100);
      take_diagnostic (&result, &at, "no-text-section", "tile_0.elf", 8 + 60, "no section .text");
      g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==, at);
    }
}

static void
test_bsd_names (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  g_autofree char *long_name = g_strnfill (300, 'x');
  g_auto (Result) result = { 0 };
  Elf elf = tile_elf;

  put_member (archive, "__.SYMDEF SORTED", "\0\0\0\0", 4);
  put_member (archive, "#1/20", "__.SYMDEF SORTED\0\0\0\0\0\0\0\0", 24);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s ipu 0 tile %u.elf", long_name, 4 - i);

      elf.text_size = i * 11;
      put_elf_bsd (archive, name, &elf);
    }
  result = read_bytes (archive->data, archive->len);
  g_assert_no_error (result.error);
  g_assert_cmpuint (result.rows.n_members, ==, 5);
  g_assert_true (g_str_has_suffix (result.rows.names[0], "x ipu 0 tile 4.elf"));
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (result.rows.tiles[i], ==, 4 - i);
  compare_with_naive (archive, &result.rows);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (result.diagnostics), ==, 0);
}

static void
test_random_archives (void)
{
  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (GByteArray) archive = make_archive ();
      g_auto (Result) result = { 0 };
      guint n = (guint)g_test_rand_int_range (1, 200);

      for (guint i = 0; i < n; i++)
        {
          g_autofree char *name = g_strdup_printf ("t%u/", i);
          Elf elf = {
            .is_64 = g_test_rand_bit (),
            .big_endian = g_test_rand_bit (),
            .machine = 248,
            .text_size = (guint32)g_test_rand_int_range (0, 3000),
            .n_text = 1,
            .n_other = (guint)g_test_rand_int_range (0, 40),
            .names_padding = g_test_rand_int_range (0, 8) == 0 ? 20000 : 0,
            .extended = g_test_rand_bit (),
          };

          if (g_test_rand_bit ())
            put_elf (archive, name, &elf);
          else
            {
              name[strlen (name) - 1] = '\0';
              put_elf_bsd (archive, name, &elf);
            }
        }
      result = read_bytes (archive->data, archive->len);
      g_assert_no_error (result.error);
      compare_with_naive (archive, &result.rows);
      g_assert_cmpuint (tsr_diagnostics_get_n_errors (result.diagnostics), ==, 0);
      for (guint i = 0; i < n; i++)
        g_assert_cmpint (result.rows.tiles[i], ==, i);
    }
}

/* ----------------------------------------------------------------- binutils */

/* (transfer full): numbers behind ".text" in what size(1) prints. */
static GArray *
run_size (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  const char *arguments[] = { "size", "-A", "-d", "--target=elf32-little", path, NULL };
  int status = 0;

  g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL,
                &status, &error);
  g_assert_no_error (error);
  lines = g_strsplit (output, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], ".text "))
      {
        gint64 size = g_ascii_strtoll (lines[i] + strlen (".text "), NULL, 10);

        g_array_append_val (sizes, size);
      }
  return sizes;
}

/* Members as files, put together by ar(1), with its own names and symbol table. */
static void
test_binutils (void)
{
  g_autofree char *size_program = g_find_program_in_path ("size");
  g_autofree char *ar_program = g_find_program_in_path ("ar");
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) sizes = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autofree char *path = NULL;
  g_auto (Result) result = { 0 };
  char *folder;
  int status = 0;

  if (size_program == NULL || ar_program == NULL)
    {
      g_test_skip ("binutils is not installed");
      return;
    }
  folder = tsr_test_folder_new ();
  path = g_build_filename (folder, "archive.a", NULL);
  g_ptr_array_add (arguments, g_strdup ("ar"));
  g_ptr_array_add (arguments, g_strdup ("rcs"));
  g_ptr_array_add (arguments, g_strdup ("archive.a"));
  for (guint i = 0; i < 60; i++)
    {
      Elf elf = tile_elf;
      g_autoptr (GByteArray) bytes = NULL;
      g_autofree char *name = g_strdup_printf ("a_rather_long_name_tile_%04u.elf", 59 - i);

      elf.text_size = (guint32)g_test_rand_int_range (1, 100000);
      elf.n_other = (guint)g_test_rand_int_range (0, 9);
      bytes = make_elf (&elf);
      tsr_test_write (folder, name, bytes->data, bytes->len);
      g_ptr_array_add (arguments, g_steal_pointer (&name));
    }
  g_ptr_array_add (arguments, NULL);
  g_spawn_sync (folder, (char **)arguments->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);

  source = tsr_local_source_new (path, &error);
  g_assert_no_error (error);
  result = read_source (source);
  g_assert_no_error (result.error);
  sizes = run_size (path);
  g_assert_cmpuint (sizes->len, ==, 60);
  g_assert_cmpuint (result.rows.n_members, ==, 60);
  for (guint i = 0; i < 60; i++)
    {
      g_assert_cmpint (result.rows.text_bytes[i], ==, g_array_index (sizes, gint64, i));
      g_assert_cmpint (result.rows.tiles[i], ==, 59 - i);
    }
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------ odd ones */

static void
test_tile_numbers (void)
{
  static const struct
  {
    const char *names[4];
    gint64 tiles[3];
    gboolean by_order;
  } cases[] = {
    { { "tile_3.elf32/", "tile_1.elf32/", "tile_2.elf32/" }, { 3, 1, 2 }, FALSE },
    { { "t0012.o/", "t0000.o/", "t1471.o/" }, { 12, 0, 1471 }, FALSE },
    { { "v2_t9_i0/", "v2_t8_i0/", "v2_t7_i0/" }, { 9, 8, 7 }, FALSE },
    { { "t3_1_2_4/", "t1_1_2_4/", "t2_1_2_4/" }, { 3, 1, 2 }, FALSE },
    { { "t3_1_2_4_5/", "t1_1_2_4_5/", "t2_1_2_4_5/" },
      { 0, 1, 2 },
      TRUE }, /* of too many numbers */
    { { "t000000003/", "t000000001/", "t000000002/" }, { 3, 1, 2 }, FALSE },
    { { "t0000000003/", "t0000000001/", "t0000000002/" }, { 0, 1, 2 }, TRUE }, /* too long */
    { { "t1048575/", "t1/", "t2/" }, { 1048575, 1, 2 }, FALSE },
    { { "t1048576/", "t1/", "t2/" }, { 0, 1, 2 }, TRUE },
    { { "1a/", "1b/", "1c/" }, { 0, 1, 2 }, TRUE },          /* the texts differ, not the number */
    { { "t5/", "t5/", "t6/" }, { 0, 1, 2 }, TRUE },          /* twice the same */
    { { "a81f3/", "b7/", "c99/" }, { 0, 1, 2 }, TRUE },      /* digits, but not of a row of names */
    { { "t0_i0/", "t1_i1/", "t2_i0/" }, { 0, 1, 2 }, TRUE }, /* two numbers that change */
    { { "t9999999/", "t1/", "t2/" }, { 0, 1, 2 }, TRUE },    /* no tile of any machine */
    { { "main/", "t1/", "t2/" }, { 0, 1, 2 }, TRUE },
    { { "t/", "t1/", "t2/" }, { 0, 1, 2 }, TRUE },
    { { "7/", "5/", "6/" }, { 7, 5, 6 }, FALSE },
    { { "7t/", "5t/", "t/" }, { 0, 1, 2 }, TRUE },
    { { "t/", "u/", "v/" }, { 0, 1, 2 }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) archive = make_archive ();
      g_auto (Result) result = { 0 };

      for (guint j = 0; j < 3; j++)
        put_elf (archive, cases[i].names[j], &tile_elf);
      result = read_bytes (archive->data, archive->len);
      g_assert_cmpuint (result.rows.n_members, ==, 3);
      for (guint j = 0; j < 3; j++)
        g_assert_cmpint (result.rows.tiles[j], ==, cases[i].tiles[j]);
      g_assert_cmpint (has_code (&result, "tiles-by-order"), ==, cases[i].by_order);
    }
}

static void
test_odd_members (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  g_auto (Result) result = { 0 };
  guint at = 0, n = 0;
  gint64 starts[8];
  Elf twice = tile_elf, none = tile_elf, nobits = tile_elf, other = tile_elf;

  twice.n_text = 2;
  none.n_text = 0;
  nobits.text_is_nobits = TRUE;
  nobits.text_size = 4096;
  other.machine = 62;
  starts[n++] = archive->len;
  put_elf (archive, "twice/", &twice);
  starts[n++] = archive->len;
  put_elf (archive, "none/", &none);
  starts[n++] = archive->len;
  put_elf (archive, "nobits/", &nobits);
  starts[n++] = archive->len;
  put_elf (archive, "other/", &other);
  starts[n++] = archive->len;
  put_member (archive, "notes.txt/", "hello", 5);
  starts[n++] = archive->len;
  put_member (archive, "empty/", "", 0);
  starts[n++] = archive->len;
  put_member (archive, "magic/",
              "\x7f"
              "ELF",
              4);
  starts[n++] = archive->len;
  put_member (archive, "/999",
              "\x7f"
              "ELF\1\1\1",
              7);
  result = read_bytes (archive->data, archive->len);
  g_assert_no_error (result.error);
  g_assert_cmpuint (result.rows.n_members, ==, 6);
  g_assert_cmpint (result.rows.text_bytes[0], ==, 200);
  g_assert_cmpint (result.rows.text_bytes[1], ==, TSR_UNKNOWN);
  g_assert_cmpint (result.rows.text_bytes[2], ==, 4096);
  g_assert_cmpint (result.rows.text_bytes[4], ==, TSR_UNKNOWN);
  g_assert_cmpint (result.rows.text_bytes[5], ==, TSR_UNKNOWN);
  g_assert_cmpstr (result.rows.names[5], ==, "member 5");
  take_diagnostic (&result, &at, "member-not-elf", "notes.txt", starts[4] + 60, "not an ELF file");
  take_diagnostic (&result, &at, "member-not-elf", "empty", starts[5] + 60, "not an ELF file");
  take_diagnostic (&result, &at, "bad-member-name", NULL, starts[7] + 60, "at 999");
  take_diagnostic (&result, &at, "several-text-sections", "twice", starts[0] + 60, "has 2 ");
  take_diagnostic (&result, &at, "no-text-section", "none", starts[1] + 60, ".text");
  take_diagnostic (&result, &at, "damaged-member", "magic", starts[6] + 60, "ELF header");
  take_diagnostic (&result, &at, "damaged-member", "member 5", starts[7] + 60, "ELF header");
  take_diagnostic (&result, &at, "tiles-by-order", NULL, TSR_NO_ROW, "in the order");
  /* Of what is cut off nobody knows for which machine it is. */
  take_diagnostic (&result, &at, "other-machine", NULL, TSR_NO_ROW,
                   "1 of 6 members are programs for another machine than the IPU (machine 62");
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (result.diagnostics), ==, at);
}

/* A number of a member's headers that cannot be, each with what is said of it.  The member after it
 * is read. */
static void
test_wrong_numbers (void)
{
  g_autoptr (GByteArray) good = make_elf (&tile_elf);
  const guint table = (good->data[32] | (guint)good->data[33] << 8), header = 40, n = 6;
  const struct
  {
    guint at, width;
    guint32 value;
    const char *said;
  } cases[] = {
    /* Places are those of the ELF specification, 32 bits. */
    { 4, 1, 9, "of unknown class 9" },
    { 5, 1, 7, "of unknown byte order 7" },
    { 46, 2, 44, "entries of 44 bytes in its table of sections, not of 40" },
    { 32, 4, good->len - header + 1, "behind its end" },
    { 32, 4, good->len - header, "should have 6 sections, but ends before all their headers" },
    { 48, 2, n + 1, "should have 7 sections, but ends before all their headers" },
    { 50, 2, n, "names in section 6 of 6" },
    { table + header + 16, 4, 1 << 20, "ends before its sections' names" },
    { table + header + 4, 4, SHT_NOBITS, "ends before its sections' names" },
    { table + 2 * header + 20, 4, 1 << 24, "a section .text of 16777216 bytes, and ends before" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) archive = make_archive ();
      g_autoptr (GByteArray) elf = make_elf (&tile_elf);
      g_auto (Result) result = { 0 };
      guint at = 0;

      for (guint b = 0; b < cases[i].width; b++)
        elf->data[cases[i].at + b] = (guint8)(cases[i].value >> (8 * b));
      put_member (archive, "t0/", elf->data, elf->len);
      put_elf (archive, "t1/", &tile_elf);
      result = read_bytes (archive->data, archive->len);
      g_assert_no_error (result.error);
      take_diagnostic (&result, &at, "damaged-member", "t0", 8 + 60, cases[i].said);
      g_assert_cmpuint (result.rows.n_members, ==, 2);
      g_assert_cmpint (result.rows.text_bytes[0], ==, TSR_UNKNOWN);
      g_assert_cmpint (result.rows.text_bytes[1], ==, 100);
    }
}

/* What the table of long names says at @start, as ar's manual has it; NULL: nothing. */
static char *
dup_long_name (const char *table, gsize length, gsize start)
{
  gsize end = start;

  while (end < length && end < start + 4096 && table[end] != '\n')
    end++;
  if (end > start && table[end - 1] == '/')
    end--;
  return end > start ? g_strndup (table + start, end - start) : NULL;
}

/* Every place of a table of names, and behind it; a second table takes the first one's place. */
static void
test_every_name (void)
{
  g_autofree char *long_name = g_strnfill (4100, 'n');
  g_autofree char *long_table = g_strconcat ("x/\n", long_name, "/\nafter/\n", NULL);
  const char *const tables[]
      = { "a.o/\nbb.o/\n\n/\nlast", "a/b/c.o/\nd\n", "/", "\nb.o/\n", long_table };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      const gsize length = strlen (tables[i]);

      for (gsize start = 0; start < length + 3; start += start == 20 ? 4060 : 1)
        {
          g_autoptr (GByteArray) archive = make_archive ();
          g_autofree char *member = g_strdup_printf ("/%" G_GSIZE_FORMAT, start);
          g_autofree char *expected
              = start < length ? dup_long_name (tables[i], length, start) : NULL;
          g_auto (Result) result = { 0 };

          put_member (archive, "//", "older.o/\nolder still.o/\nand older.o/\n", 37);
          put_member (archive, "//", tables[i], length);
          put_elf (archive, "first/", &tile_elf);
          put_elf (archive, member, &tile_elf);
          result = read_bytes (archive->data, archive->len);
          g_assert_no_error (result.error);
          g_assert_cmpuint (result.rows.n_members, ==, 2);
          g_assert_cmpstr (result.rows.names[0], ==, "first");
          g_assert_cmpstr (result.rows.names[1], ==, expected != NULL ? expected : "member 1");
          g_assert_cmpint (has_code (&result, "bad-member-name"), ==, expected == NULL);
        }
    }
}

/* Names in front of the data, as long as may be, and longer. */
static void
test_every_bsd_name (void)
{
  static const guint lengths[] = { 0, 1, 15, 4095, 4096, 4097 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (guint cut = 0; cut < 2; cut++)
      {
        g_autoptr (GByteArray) archive = make_archive ();
        g_autoptr (GByteArray) elf = make_elf (&tile_elf);
        g_autofree char *name = g_strnfill (lengths[i], 'n');
        g_autofree char *header = g_strdup_printf ("#1/%u", lengths[i] + (cut ? elf->len + 1 : 0));
        const gboolean is_bad = cut || lengths[i] > 4096;
        g_auto (Result) result = { 0 };

        g_byte_array_prepend (elf, (const guint8 *)name, lengths[i]);
        put_member (archive, header, elf->data, elf->len);
        put_elf (archive, "next/", &tile_elf);
        result = read_bytes (archive->data, archive->len);
        g_assert_no_error (result.error);
        g_assert_cmpint (has_code (&result, "bad-member-name"), ==, is_bad);
        g_assert_cmpstr (result.rows.names[result.rows.n_members - 1], ==, "next");
        if (is_bad)
          continue;
        g_assert_cmpuint (result.rows.n_members, ==, 2);
        g_assert_cmpstr (result.rows.names[0], ==, lengths[i] > 0 ? name : "member 0");
        g_assert_cmpint (result.rows.text_bytes[0], ==, 100);
        g_assert_cmpint (result.rows.text_bytes[1], ==, 100);
      }
}

static void
test_not_archives (void)
{
  static const struct
  {
    const char *bytes;
    int code;
    const char *text;
  } cases[] = {
    { "", TSR_ERROR_TRUNCATED, "is empty" },
    { "!", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "!<arch>", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "!<arch>\n", TSR_ERROR_NOT_A_REPORT, "no ELF" },
    { "!<thin>\n", TSR_ERROR_UNSUPPORTED, "thin archive" },
    { "!<thin>", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "!<thin> ", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "versions of it", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "version", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "version https://git-lfs.github.com/spec/v1\n", TSR_ERROR_NOT_A_REPORT, "git lfs pull" },
    { "some text, not an archive", TSR_ERROR_NOT_A_REPORT, "not an archive" },
    { "!<arch>\nhere should be a header, and there is none, only a text in it", TSR_ERROR_CORRUPT,
      "archive.a" },
    { "!<arch>\nx", TSR_ERROR_CORRUPT, "archive.a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Result) result = read_bytes (cases[i].bytes, strlen (cases[i].bytes));

      g_assert_error (result.error, TSR_ERROR, cases[i].code);
      g_assert_nonnull (strstr (result.error->message, cases[i].text));
      g_assert_nonnull (strstr (result.error->message, "archive.a"));
    }
}

static void
test_absurd_numbers (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  g_auto (Result) result = { 0 };

  /* A size beyond the file; the member's head is there. */
  put_elf (archive, "a/", &tile_elf);
  put_elf (archive, "b/", &tile_elf);
  memcpy (archive->data + 8 + 48, "9999999999", 10);
  result = read_bytes (archive->data, archive->len);
  g_assert_no_error (result.error);
  g_assert_cmpuint (result.rows.n_members, ==, 1);
  g_assert_true (has_code (&result, "truncated-member"));
  g_assert_cmpint (result.rows.text_bytes[0], ==, 100);
}

/* No tile has so much memory; a byte less than that is believed. */
static void
test_huge_text (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GByteArray) archive = make_archive ();
      g_auto (Result) result = { 0 };
      Elf elf = tile_elf;
      guint at = 0;

      elf.text_is_nobits = TRUE;
      elf.text_size = (1u << 31) + i;
      put_elf (archive, "t0/", &elf);
      result = read_bytes (archive->data, archive->len);
      g_assert_cmpint (result.rows.text_bytes[0], ==,
                       i == 0 ? G_GINT64_CONSTANT (1) << 31 : TSR_UNKNOWN);
      if (i > 0)
        take_diagnostic (&result, &at, "damaged-member", "t0", 8 + 60, "2147483649 bytes");
    }
}

static void
test_many_sections (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  g_auto (Result) result = { 0 };
  Elf many = tile_elf, few = tile_elf;

  many.n_other = 2000;
  few.n_other = 900;
  few.names_padding = 100000;
  put_elf (archive, "many/", &many);
  put_elf (archive, "few/", &few);
  result = read_bytes (archive->data, archive->len);
  g_assert_cmpint (result.rows.text_bytes[0], ==, TSR_UNKNOWN);
  g_assert_true (has_code (&result, "damaged-member"));
  g_assert_cmpint (result.rows.text_bytes[1], ==, 100);
  g_assert_cmpuint (result.bytes_read, <, 2 * 64 * 1024);
}

/* Each beginning of an archive: what is whole is right, the rest is reported, nothing else. */
static void
test_every_length (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  g_auto (Result) whole = { 0 };
  Elf elf = tile_elf;
  gsize starts[4] = { 8 };

  put_elf (archive, "t0/", &elf);
  starts[1] = archive->len;
  elf.is_64 = TRUE;
  put_elf_bsd (archive, "t1", &elf);
  starts[2] = archive->len;
  elf.extended = TRUE;
  put_elf (archive, "t2/", &elf);
  starts[3] = archive->len;
  whole = read_bytes (archive->data, archive->len);
  g_assert_cmpuint (whole.rows.n_members, ==, 3);
  for (gsize length = 0; length < archive->len; length++)
    {
      g_auto (Result) result = read_bytes (archive->data, length);

      if (result.error != NULL)
        {
          g_assert_cmpuint (result.error->domain, ==, TSR_ERROR);
          continue;
        }
      for (guint i = 0; i < result.rows.n_members; i++)
        g_assert_true (result.rows.text_bytes[i] == whole.rows.text_bytes[i]
                       || result.rows.text_bytes[i] == TSR_UNKNOWN);
      for (guint i = 0; i + 1 < result.rows.n_members; i++)
        g_assert_cmpint (result.rows.text_bytes[i], ==, whole.rows.text_bytes[i]);
      for (guint i = 0; i < 3; i++)
        if (length > starts[i] && length < starts[i + 1])
          {
            guint at = 0;

            take_diagnostic (&result, &at,
                             length < starts[i] + 60 ? "archive-damaged" : "truncated-member", NULL,
                             (gint64)starts[i] + (length < starts[i] + 60 ? 0 : 60),
                             length < starts[i] + 60 ? "ends inside" : "ends after");
          }
        else if (length == starts[i])
          g_assert_false (has_code (&result, "archive-damaged"));
    }
}

static void
test_flipped_bits (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  Elf elf = tile_elf;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("t%u/", i);

      elf.is_64 = i % 2 == 1;
      elf.extended = i > 1;
      put_elf (archive, name, &elf);
    }
  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GByteArray) damaged = g_byte_array_new ();
      g_auto (Result) result = { 0 };

      g_byte_array_append (damaged, archive->data, archive->len);
      for (guint j = 0; j <= i % 4; j++)
        damaged->data[g_test_rand_int_range (8, (gint32)damaged->len)]
            ^= (guint8)(1 << g_test_rand_int_range (0, 8));
      result = read_bytes (damaged->data, damaged->len);
      for (guint j = 0; j < result.rows.n_members; j++)
        {
          g_assert_true (g_utf8_validate (result.rows.names[j], -1, NULL));
          g_assert_cmpint (result.rows.offsets[j], <, damaged->len);
          g_assert_cmpint (result.rows.tiles[j], >=, 0);
          g_assert_true (result.rows.text_bytes[j] == TSR_UNKNOWN
                         || (result.rows.text_bytes[j] >= 0
                             && result.rows.text_bytes[j] <= G_GINT64_CONSTANT (1) << 31));
        }
    }
}

/* 1,472 members of 300 KB, mostly holes: only headers are read. */
static void
test_reads_headers_only (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "archive.a", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_auto (Result) result = { 0 };
  gint64 offset = 8;
  int fd = g_open (path, O_CREAT | O_WRONLY, 0600);

  g_assert_cmpint (pwrite (fd, "!<arch>\n", 8, 0), ==, 8);
  for (guint i = 0; i < 1472; i++)
    {
      g_autoptr (GByteArray) header = g_byte_array_new ();
      g_autoptr (GByteArray) bytes = NULL;
      g_autofree char *name = g_strdup_printf ("tile%u.elf/", i);
      Elf elf = tile_elf;

      elf.text_size = 300000 + i;
      elf.n_other = 20;
      bytes = make_elf (&elf);
      put_header (header, name, bytes->len);
      g_assert_cmpint (pwrite (fd, header->data, 60, offset), ==, 60);
      /* The code itself stays a hole. */
      g_assert_cmpint (pwrite (fd, bytes->data, 52, offset + 60), ==, 52);
      g_assert_cmpint (pwrite (fd, bytes->data + 300052, bytes->len - 300052, offset + 60 + 300052),
                       ==, bytes->len - 300052);
      offset += 60 + (bytes->len + 1) / 2 * 2;
    }
  g_assert_cmpint (ftruncate (fd, offset), ==, 0);
  close (fd);
  g_assert_cmpint (offset, >, 440 * 1000 * 1000);
  source = tsr_local_source_new (path, &error);
  g_assert_no_error (error);
  result = read_source (source);
  g_assert_no_error (result.error);
  g_assert_cmpuint (result.rows.n_members, ==, 1472);
  for (guint i = 0; i < 1472; i++)
    g_assert_cmpint (result.rows.text_bytes[i], ==, 300000 + i);
  g_test_message ("%" G_GUINT64_FORMAT " bytes read a member", result.bytes_read / 1472);
  g_assert_cmpuint (result.bytes_read, <, 1472 * 64 * 1024);
  tsr_test_folder_free (folder);
}

static void
test_cancelled (void)
{
  g_autoptr (GByteArray) archive = make_archive ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  TsrArchiveRows rows;

  put_elf (archive, "t0/", &tile_elf);
  bytes = g_bytes_new (archive->data, archive->len);
  source = tsr_bytes_source_new ("archive.a", bytes);
  g_cancellable_cancel (cancellable);
  g_assert_false (tsr_archive_read (source, &rows, diagnostics, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (rows.n_members, ==, 0);
  tsr_archive_rows_clear (&rows);
}

/* Digits and then blanks, as a pattern says it. */
static gboolean
is_number (const char *bytes, gsize length)
{
  g_autofree char *text = g_strndup (bytes, length);

  return strlen (text) == length && g_regex_match_simple ("^[0-9]{1,18} *\\z", text, 0, 0);
}

/* Headers with other bytes here and there, each against what a header is. */
static void
test_headers (void)
{
  static const char other[]
      = { ' ', '0', '7', '9', '8', '/', ':', 'a', '`', '\n', '\1', '\0', '\x7f', '-' };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  guint n_good = 0, n_likely = 0;

  for (guint i = 0; i < 40000; i++)
    {
      char bytes[TSR_AR_HEADER_LENGTH + 1];
      TsrArHeader header = { 0 };
      gboolean is_good, is_likely = TRUE;

      g_snprintf (bytes, sizeof bytes, "%-16s%-12u%-6u%-6u%-8o%-10u`\n",
                  i % 3 == 0 ? "a.elf/" : "//", i % 5 * 1000, i % 7, i % 11, 0644, i);
      for (gint32 k = g_rand_int_range (random, 0, 4); k > 0; k--)
        {
          const gint32 at = g_rand_int_range (random, 0, TSR_AR_HEADER_LENGTH);

          bytes[at] = other[g_rand_int_range (random, 0, sizeof other)];
        }
      if (i % 9 == 0)
        memset (bytes + 16 + 8 * (i % 4), ' ', 8);
      is_good = bytes[58] == '`' && bytes[59] == '\n' && is_number (bytes + 48, 10);
      g_assert_true (tsr_archive_header_parse (bytes, &header) == is_good);
      if (is_good)
        {
          gsize length = 16;
          g_autofree char *name = NULL;

          while (length > 0 && bytes[length - 1] == ' ')
            length--;
          name = g_strndup (bytes, length);
          g_assert_cmpstr (header.name, ==, name);
          g_assert_cmpint (header.size, ==, strtoll (bytes + 48, NULL, 10));
          g_assert_cmpint (tsr_archive_header_get_next (98, &header), ==,
                           98 + 60 + (header.size + 1) / 2 * 2);
          n_good++;
        }
      for (guint k = 0; k < 16; k++)
        is_likely &= !g_ascii_iscntrl (bytes[k]);
      for (guint k = 16; k < 48; k++)
        is_likely &= memchr ("0123456789 -", bytes[k], 12) != NULL;
      is_likely &= is_good && bytes[0] != ' ';
      g_assert_true (tsr_archive_header_is_likely (bytes, &header) == is_likely);
      n_likely += is_likely;
    }
  g_test_message ("%u headers, %u of them likely", n_good, n_likely);
  g_assert_cmpuint (n_likely, >, 5000);
  g_assert_cmpuint (n_good - n_likely, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/archive/gnu-names", test_gnu_names);
  g_test_add_func ("/archive/no-sections", test_no_sections);
  g_test_add_func ("/archive/bsd-names", test_bsd_names);
  g_test_add_func ("/archive/random-archives", test_random_archives);
  g_test_add_func ("/archive/binutils", test_binutils);
  g_test_add_func ("/archive/tile-numbers", test_tile_numbers);
  g_test_add_func ("/archive/odd-members", test_odd_members);
  g_test_add_func ("/archive/wrong-numbers", test_wrong_numbers);
  g_test_add_func ("/archive/every-name", test_every_name);
  g_test_add_func ("/archive/every-bsd-name", test_every_bsd_name);
  g_test_add_func ("/archive/not-archives", test_not_archives);
  g_test_add_func ("/archive/absurd-numbers", test_absurd_numbers);
  g_test_add_func ("/archive/huge-text", test_huge_text);
  g_test_add_func ("/archive/many-sections", test_many_sections);
  g_test_add_func ("/archive/every-length", test_every_length);
  g_test_add_func ("/archive/flipped-bits", test_flipped_bits);
  g_test_add_func ("/archive/reads-headers-only", test_reads_headers_only);
  g_test_add_func ("/archive/cancelled", test_cancelled);
  g_test_add_func ("/archive/headers", test_headers);
  return g_test_run ();
}
