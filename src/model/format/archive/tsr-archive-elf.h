/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The headers of ELF files that are members of an archive: byte ranges of a source, converted with
 * libelf.  Private to tsr-archive.c.  At most 62 KiB of a member are read. */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

#define TSR_ELF_HEAD_MAX    64 /* bytes of the larger ELF header */
#define TSR_ELF_MACHINE_IPU 248

typedef struct
{
  guint index; /* row of the archive */
  gint64 offset, size;
  guint16 machine;
  gboolean is_64;
  guint8 encoding; /* ELFDATA2LSB or ELFDATA2MSB */

  /* From the header; the counts may be in section 0 instead, see _read_sections. */
  guint64 section_offset;
  guint32 n_sections, name_section;
  guint16 section_size;

  /* Results. */
  guint n_text; /* sections named .text */
  gint64 text_bytes;
  char *problem; /* (nullable): translated; if set, the results are invalid */

  gpointer work; /* while sections are read */
} TsrElfMember;

/* FALSE if @bytes are not the beginning of an ELF file.  An ELF file that we cannot use gets a
 * problem. */
gboolean tsr_archive_elf_parse_head (const guint8 *bytes, gsize length, TsrElfMember *member);

/* Reads section headers and names of all @members, each step for all of them in one batch of
 * ranges, and sets results or problems.  FALSE only if the source cannot be read. */
gboolean tsr_archive_elf_read_sections (
    TsrSource *source, TsrElfMember *members, guint n, GCancellable *cancellable, GError **error);

void tsr_elf_member_clear (TsrElfMember *member);

G_END_DECLS
