/* SPDX-License-Identifier: GPL-3.0-or-later */

/* archive.a: "ar" in its GNU form.  The long-name table comes first, then the members, each at an
 * even offset.  A member is ELF, 32 bits, little-endian, with three sections: the empty one, .text
 * and .shstrtab. */

#include "config.h"

#include "tsr-gen-files.h"

#include "tsr-gen-presets.h"

#include <elf.h>
#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#define MACHINE_IPU 248

static const char section_names[] = "\0.text\0.shstrtab";

static void
put_header (FILE *file, const char *name, guint64 size)
{
  fprintf (file, "%-16s%-12u%-6u%-6u%-8s%-10" G_GUINT64_FORMAT "`\n", name, 0, 0, 0, "100644",
           size);
}

static void
put_16 (GByteArray *out, guint16 value)
{
  const guint8 bytes[2] = { value & 0xff, value >> 8 };

  g_byte_array_append (out, bytes, sizeof bytes);
}

static void
put_32 (GByteArray *out, guint32 value)
{
  put_16 (out, value & 0xffff);
  put_16 (out, value >> 16);
}

static void
put_section (
    GByteArray *out, guint32 name, guint32 type, guint32 flags, guint32 offset, guint32 size)
{
  const guint32 words[10]
      = { name, type, flags, type == SHT_STRTAB || type == SHT_NULL ? 0 : 0x4c000, offset,
          size, 0,    0,     type == SHT_NULL ? 0 : type == SHT_STRTAB ? 1 : 4,    0 };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    put_32 (out, words[i]);
}

static void
put_elf_header (GByteArray *out, guint32 sections_at)
{
  static const guint8 ident[EI_NIDENT]
      = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT };

  g_byte_array_append (out, ident, sizeof ident);
  put_16 (out, ET_EXEC);
  put_16 (out, MACHINE_IPU);
  put_32 (out, EV_CURRENT);
  put_32 (out, 0x4c000); /* entry */
  put_32 (out, 0);       /* no program headers */
  put_32 (out, sections_at);
  put_32 (out, 0); /* flags */
  put_16 (out, sizeof (Elf32_Ehdr));
  put_16 (out, 0);
  put_16 (out, 0);
  put_16 (out, sizeof (Elf32_Shdr));
  put_16 (out, 3); /* sections */
  put_16 (out, 2); /* the one with names */
}

static guint64
member_size (guint32 text, gboolean full)
{
  return sizeof (Elf32_Ehdr) + (full ? text : 0) + (sizeof section_names + 3) / 4 * 4
         + 3 * sizeof (Elf32_Shdr);
}

static gboolean
put_member (FILE *file, guint32 text, gboolean full)
{
  const guint32 names_at = sizeof (Elf32_Ehdr) + (full ? text : 0);
  const guint32 sections_at = names_at + (sizeof section_names + 3) / 4 * 4;
  g_autoptr (GByteArray) head = g_byte_array_new ();
  g_autoptr (GByteArray) tail = g_byte_array_new ();

  put_elf_header (head, sections_at);
  fwrite (head->data, 1, head->len, file);
  if (full && fseeko (file, text, SEEK_CUR) != 0)
    return FALSE;
  g_byte_array_append (tail, (const guint8 *)section_names, sizeof section_names);
  g_byte_array_set_size (tail, (sizeof section_names + 3) / 4 * 4);
  memset (tail->data + sizeof section_names, 0, tail->len - sizeof section_names);
  put_section (tail, 0, SHT_NULL, 0, 0, 0);
  put_section (tail, 1, full ? SHT_PROGBITS : SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR,
               sizeof (Elf32_Ehdr), text);
  put_section (tail, 7, SHT_STRTAB, 0, names_at, sizeof section_names);
  fwrite (tail->data, 1, tail->len, file);
  return !ferror (file);
}

gboolean
tsr_gen_archive_write (
    const TsrGenModel *model, const char *path, guint n_tiles, gboolean full, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint));
  FILE *file = fopen (path, "wbx");
  gboolean good = file != NULL;

  if (n_tiles == 0 || n_tiles > model->n_tiles)
    n_tiles = model->n_tiles;
  for (guint i = 0; i < n_tiles; i++)
    {
      const guint at = names->len;

      g_array_append_val (starts, at);
      g_string_append_printf (names, "%s_tile_%u.elf/\n", model->preset->engine, i);
    }
  if (good)
    {
      fputs ("!<arch>\n", file);
      put_header (file, "//", names->len);
      fwrite (names->str, 1, names->len, file);
      if (names->len % 2 != 0)
        fputc ('\n', file);
    }
  for (guint i = 0; good && i < n_tiles; i++)
    {
      const guint32 text = model->tiles[i].excluding;
      const guint64 size = member_size (text, full);
      g_autofree char *name = g_strdup_printf ("/%u", g_array_index (starts, guint, i));

      put_header (file, name, size);
      good = put_member (file, text, full);
      if (size % 2 != 0)
        fputc ('\n', file);
    }
  if (file != NULL)
    {
      good = !ferror (file) && good;
      good = fclose (file) == 0 && good;
    }
  if (!good)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "Cannot write %s: %s", path,
                 g_strerror (errno));
  return good;
}
