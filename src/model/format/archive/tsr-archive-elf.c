/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads ELF headers of an archive's members in three steps, each one batch of ranges over all
 * members: section 0 if it has the counts, the section table, the names.  A small table of names is
 * read whole; of a large one only the six bytes that each section points to. */

#include "config.h"

#include "tsr-archive-elf.h"

#include <gelf.h>
#include <glib/gi18n-lib.h>
#include <libelf.h>
#include <inttypes.h>
#include <string.h>

#define TEXT_NAME        ".text" /* and its NUL */
#define MAX_TABLE        (40 * 1024)
#define MAX_NAMES        (16 * 1024)
#define MAX_SECTION_SIZE (G_GINT64_CONSTANT (1) << 31)

/* What a member's sections are read into. */
typedef struct
{
  guint8 *raw; /* the table as it stands in the file */
  guint n_sections;
  GElf_Shdr *sections;
  guint8 *names; /* the whole table, or 6 bytes for each section */
  gsize names_length;
  gboolean names_by_section;
} Work;

static void set_problem (TsrElfMember *member, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
set_problem (TsrElfMember *member, const char *format, ...)
{
  va_list args;

  if (member->problem != NULL)
    return;
  va_start (args, format);
  member->problem = g_strdup_vprintf (format, args);
  va_end (args);
}

static void
work_free (Work *work)
{
  if (work == NULL)
    return;
  g_free (work->raw);
  g_free (work->sections);
  g_free (work->names);
  g_free (work);
}

void
tsr_elf_member_clear (TsrElfMember *member)
{
  g_clear_pointer (&member->problem, g_free);
  work_free (member->work);
}

/* Converts @length bytes of the member's byte order and class to a structure of this machine. */
static gboolean
convert (const TsrElfMember *member,
         Elf_Type type,
         const void *bytes,
         gsize length,
         void *result,
         gsize result_length)
{
  Elf_Data from = {
    .d_buf = (void *)bytes,
    .d_type = type,
    .d_version = EV_CURRENT,
    .d_size = length,
  };
  Elf_Data to = {
    .d_buf = result,
    .d_type = type,
    .d_version = EV_CURRENT,
    .d_size = result_length,
  };

  if (elf_version (EV_CURRENT) == EV_NONE)
    return FALSE;
  if (member->is_64)
    return elf64_xlatetom (&to, &from, member->encoding) != NULL;
  return elf32_xlatetom (&to, &from, member->encoding) != NULL;
}

/* --------------------------------------------------------------- ELF header */

static gboolean
convert_header (TsrElfMember *member, const guint8 *bytes)
{
  if (member->is_64)
    {
      Elf64_Ehdr header, raw;

      memcpy (&raw, bytes, sizeof raw); /* @bytes may stand at an odd address */
      if (!convert (member, ELF_T_EHDR, &raw, sizeof raw, &header, sizeof header))
        return FALSE;
      member->machine = header.e_machine;
      member->section_offset = header.e_shoff;
      member->n_sections = header.e_shnum;
      member->name_section = header.e_shstrndx;
      member->section_size = header.e_shentsize;
    }
  else
    {
      Elf32_Ehdr header, raw;

      memcpy (&raw, bytes, sizeof raw);
      if (!convert (member, ELF_T_EHDR, &raw, sizeof raw, &header, sizeof header))
        return FALSE;
      member->machine = header.e_machine;
      member->section_offset = header.e_shoff;
      member->n_sections = header.e_shnum;
      member->name_section = header.e_shstrndx;
      member->section_size = header.e_shentsize;
    }
  return TRUE;
}

gboolean
tsr_archive_elf_parse_head (const guint8 *bytes, gsize length, TsrElfMember *member)
{
  gsize wanted;

  if (length < SELFMAG || memcmp (bytes, ELFMAG, SELFMAG) != 0)
    return FALSE;
  if (length < EI_NIDENT)
    {
      set_problem (member, _ ("ends inside its ELF header"));
      return TRUE;
    }
  member->is_64 = bytes[EI_CLASS] == ELFCLASS64;
  member->encoding = bytes[EI_DATA];
  wanted = member->is_64 ? sizeof (Elf64_Ehdr) : sizeof (Elf32_Ehdr);
  if (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64)
    set_problem (member, _ ("is an ELF file of unknown class %u"), bytes[EI_CLASS]);
  else if (member->encoding != ELFDATA2LSB && member->encoding != ELFDATA2MSB)
    set_problem (member, _ ("is an ELF file of unknown byte order %u"), member->encoding);
  else if (length < wanted)
    set_problem (member, _ ("ends inside its ELF header"));
  else if (!convert_header (member, bytes))
    set_problem (member, _ ("has an ELF header that cannot be converted"));
  return TRUE;
}

/* ------------------------------------------------------------------ sections */

static gsize
section_length (const TsrElfMember *member)
{
  return member->is_64 ? sizeof (Elf64_Shdr) : sizeof (Elf32_Shdr);
}

/* Whether [offset, offset + length) lies in the member. */
static gboolean
is_inside (const TsrElfMember *member, guint64 offset, guint64 length)
{
  guint64 size = member->size;

  return offset <= size && length <= size - offset;
}

static void
convert_section (const TsrElfMember *member, const guint8 *bytes, GElf_Shdr *section)
{
  memset (section, 0, sizeof *section);
  if (member->is_64)
    {
      Elf64_Shdr wide;

      if (convert (member, ELF_T_SHDR, bytes, sizeof wide, &wide, sizeof wide))
        *section = wide;
    }
  else
    {
      Elf32_Shdr narrow;

      if (!convert (member, ELF_T_SHDR, bytes, sizeof narrow, &narrow, sizeof narrow))
        return;
      section->sh_name = narrow.sh_name;
      section->sh_type = narrow.sh_type;
      section->sh_flags = narrow.sh_flags;
      section->sh_offset = narrow.sh_offset;
      section->sh_size = narrow.sh_size;
      section->sh_link = narrow.sh_link;
    }
}

static void
add_range (GArray *ranges, GArray *owners, guint owner, gint64 offset, guint8 *bytes, gsize length)
{
  TsrSourceRange range = { .offset = offset, .length = length, .bytes = bytes };

  g_array_append_val (ranges, range);
  g_array_append_val (owners, owner);
}

/* Reads all @ranges; a short one is a problem of the member that owns it. */
static gboolean
read_ranges (TsrSource *source,
             GArray *ranges,
             GArray *owners,
             TsrElfMember *members,
             GCancellable *cancellable,
             GError **error)
{
  TsrSourceRange *all = (TsrSourceRange *)(gpointer)ranges->data;

  if (ranges->len > 0 && !tsr_source_read_ranges (source, all, ranges->len, cancellable, error))
    return FALSE;
  for (guint i = 0; i < ranges->len; i++)
    if (all[i].got < all[i].length)
      set_problem (&members[g_array_index (owners, guint, i)],
                   _ ("ends inside its table of sections"));
  g_array_set_size (ranges, 0);
  g_array_set_size (owners, 0);
  return TRUE;
}

/* Step 1 for one member: checks the header's numbers, asks for section 0 if the counts are there.
 */
static void
plan_first (TsrElfMember *member, guint owner, GArray *ranges, GArray *owners)
{
  Work *work;

  if (member->problem != NULL)
    return;
  if (member->section_offset == 0)
    {
      member->n_sections = 0;
      return;
    }
  if (member->section_size != section_length (member))
    set_problem (member, _ ("has entries of %u bytes in its table of sections, not of %u"),
                 member->section_size, (guint)section_length (member));
  else if (!is_inside (member, member->section_offset, section_length (member)))
    set_problem (member,
                 _ ("should have its table of sections at byte %" PRIu64 ", behind its end"),
                 member->section_offset);
  if (member->problem != NULL || (member->n_sections != 0 && member->name_section != SHN_XINDEX))
    return;
  work = member->work = g_new0 (Work, 1);
  work->raw = g_malloc (section_length (member));
  add_range (ranges, owners, owner, member->offset + (gint64)member->section_offset, work->raw,
             section_length (member));
}

static void
take_first (TsrElfMember *member)
{
  GElf_Shdr section;

  if (member->problem != NULL || member->work == NULL)
    return;
  convert_section (member, ((Work *)member->work)->raw, &section);
  if (member->n_sections == 0)
    member->n_sections = (guint32)MIN (section.sh_size, G_MAXUINT32);
  if (member->name_section == SHN_XINDEX)
    member->name_section = section.sh_link;
}

/* Step 2: the whole table of sections. */
static void
plan_table (TsrElfMember *member, guint owner, GArray *ranges, GArray *owners)
{
  guint64 length = (guint64)member->n_sections * section_length (member);
  Work *work;

  work_free (member->work);
  member->work = NULL;
  if (member->problem != NULL || member->n_sections == 0)
    return;
  if (!is_inside (member, member->section_offset, length))
    set_problem (member, _ ("should have %u sections, but ends before all their headers"),
                 member->n_sections);
  else if (length > MAX_TABLE)
    set_problem (member, _ ("has %u sections, more than the program of a tile has"),
                 member->n_sections);
  else if (member->name_section >= member->n_sections)
    set_problem (member, _ ("has its sections' names in section %u of %u"), member->name_section,
                 member->n_sections);
  if (member->problem != NULL)
    return;
  work = member->work = g_new0 (Work, 1);
  work->n_sections = member->n_sections;
  work->raw = g_malloc (length);
  add_range (ranges, owners, owner, member->offset + (gint64)member->section_offset, work->raw,
             length);
}

/* Step 3: names. */
static void
plan_names (TsrElfMember *member, guint owner, GArray *ranges, GArray *owners)
{
  Work *work = member->work;
  GElf_Shdr *names;

  if (member->problem != NULL || work == NULL)
    return;
  work->sections = g_new (GElf_Shdr, work->n_sections);
  for (guint i = 0; i < work->n_sections; i++)
    convert_section (member, work->raw + i * section_length (member), &work->sections[i]);
  names = &work->sections[member->name_section];
  if (names->sh_type == SHT_NOBITS || !is_inside (member, names->sh_offset, names->sh_size))
    {
      set_problem (member, _ ("ends before its sections' names"));
      return;
    }
  work->names_by_section = names->sh_size > MAX_NAMES;
  work->names_length
      = work->names_by_section ? work->n_sections * sizeof TEXT_NAME : names->sh_size;
  work->names = g_malloc0 (work->names_length);
  if (!work->names_by_section && work->names_length > 0)
    add_range (ranges, owners, owner, member->offset + (gint64)names->sh_offset, work->names,
               work->names_length);
  for (guint i = 0; work->names_by_section && i < work->n_sections; i++)
    if (work->sections[i].sh_name <= names->sh_size - sizeof TEXT_NAME)
      add_range (ranges, owners, owner,
                 member->offset + (gint64)(names->sh_offset + work->sections[i].sh_name),
                 work->names + i * sizeof TEXT_NAME, sizeof TEXT_NAME);
}

static gboolean
is_text (const Work *work, guint i)
{
  gsize start = work->names_by_section ? i * sizeof TEXT_NAME : work->sections[i].sh_name;

  return start <= work->names_length && work->names_length - start >= sizeof TEXT_NAME
         && memcmp (work->names + start, TEXT_NAME, sizeof TEXT_NAME) == 0;
}

static void
add_text (TsrElfMember *member)
{
  const Work *work = member->work;

  for (guint i = 1; member->problem == NULL && work != NULL && i < work->n_sections; i++)
    {
      const GElf_Shdr *section = &work->sections[i];

      if (!is_text (work, i))
        continue;
      if (section->sh_type != SHT_NOBITS
          && !is_inside (member, section->sh_offset, section->sh_size))
        set_problem (member, _ ("has a section .text of %" PRIu64 " bytes, and ends before that"),
                     (guint64)section->sh_size);
      else if (section->sh_size > (guint64)(MAX_SECTION_SIZE - member->text_bytes))
        set_problem (member,
                     _ ("has a section .text of %" PRIu64 " bytes, more than any tile's memory"),
                     (guint64)section->sh_size);
      else
        member->text_bytes += (gint64)section->sh_size;
      member->n_text++;
    }
}

gboolean
tsr_archive_elf_read_sections (
    TsrSource *source, TsrElfMember *members, guint n, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TsrSourceRange));
  g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < n; i++)
    plan_first (&members[i], i, ranges, owners);
  if (!read_ranges (source, ranges, owners, members, cancellable, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      take_first (&members[i]);
      plan_table (&members[i], i, ranges, owners);
    }
  if (!read_ranges (source, ranges, owners, members, cancellable, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    plan_names (&members[i], i, ranges, owners);
  if (!read_ranges (source, ranges, owners, members, cancellable, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    add_text (&members[i]);
  return TRUE;
}
