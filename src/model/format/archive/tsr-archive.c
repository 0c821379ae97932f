/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads archive.a.  The ar headers are walked one by one; each read also contains the member's ELF
 * header, so a member costs one small read.  Section headers and section names of many members are
 * then read in batches, so that a remote source can send the requests at once; the source is also
 * told where the next headers probably are.
 *
 *   "!<arch>\n"  { header 60 bytes [BSD name] ELF ... section headers  [padding to even] }*
 *
 * Offsets only grow, so a damaged archive cannot send the walk in a circle.  Every length is
 * checked against the bytes of the file, and a member's tables against the member. */

#include "config.h"

#include "tsr-archive.h"

#include "tsr-archive-ahead.h"
#include "tsr-archive-elf.h"
#include "tsr-archive-header.h"
#include "tsr-error.h"
#include "tsr-profile.h"
#include "tsr-units.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <elf.h>
#include <string.h>

#define MAGIC_LENGTH   8
#define MAX_NAME       4096
#define MAX_NAME_TABLE (64 << 20)
#define MAX_HEADERS    (1 << 21)
#define BATCH          256
/* Read with each header: room for a short BSD name and the ELF header. */
#define HEAD_LENGTH (TSR_AR_HEADER_LENGTH + 36 + TSR_ELF_HEAD_MAX)

typedef struct
{
  TsrSource *source;
  TsrDiagnostics *diagnostics;
  TsrProgress *progress;
  GCancellable *cancellable;
  const char *file; /* base name, UTF-8 */
  gint64 size;      /* of the file */

  char *long_names; /* GNU "//" member */
  gsize long_names_length;

  GPtrArray *names;
  GArray *text_bytes, *offsets; /* gint64 */
  GArray *machines;             /* guint16 */
  GArray *batch;                /* TsrElfMember whose sections are not read yet */
  guint n_headers;
  gboolean damaged; /* the walk ended before the file's end */
  TsrArchiveAhead ahead;
} Walk;

void
tsr_archive_rows_clear (TsrArchiveRows *rows)
{
  for (guint i = 0; i < rows->n_members; i++)
    g_free (rows->names[i]);
  g_free (rows->names);
  g_free (rows->tiles);
  g_free (rows->text_bytes);
  g_free (rows->offsets);
  g_free (rows->machines);
}

static void add (Walk *walk,
                 TsrSeverity severity,
                 const char *code,
                 const char *member,
                 gint64 offset,
                 const char *format,
                 ...) G_GNUC_PRINTF (6, 7);

static void
add (Walk *walk,
     TsrSeverity severity,
     const char *code,
     const char *member,
     gint64 offset,
     const char *format,
     ...)
{
  va_list args;

  va_start (args, format);
  tsr_diagnostics_add_va (walk->diagnostics, severity, code, walk->file, member, TSR_NO_ROW, offset,
                          format, args);
  va_end (args);
}

/* ---------------------------------------------------------------------- ar */

static gboolean
is_symbol_table (const char *name)
{
  return strcmp (name, "/") == 0 || strcmp (name, "/SYM64/") == 0
         || g_str_has_prefix (name, "__.SYMDEF");
}

static char *
valid_name (const char *text, gsize length)
{
  return g_utf8_make_valid (text, (gssize)strnlen (text, length));
}

/* The "//" member: names that end with "/\n". */
static gboolean
read_long_names (Walk *walk, gint64 offset, gint64 size, GError **error)
{
  g_clear_pointer (&walk->long_names, g_free);
  walk->long_names_length = 0;
  if (size > MAX_NAME_TABLE)
    {
      add (walk, TSR_SEVERITY_WARNING, "names-too-long", "//", offset,
           _ ("the table of names has %" PRId64 " bytes and is not read"), size);
      return TRUE;
    }
  walk->long_names = g_malloc (size + 1);
  if (!tsr_source_read_exactly (walk->source, offset, walk->long_names, size, walk->cancellable,
                                error))
    return FALSE;
  walk->long_names[size] = '\0';
  walk->long_names_length = size;
  return TRUE;
}

/* (transfer full) (nullable): the name at @index of the table of long names. */
static char *
get_long_name (Walk *walk, const char *index)
{
  gint64 start;
  const char *text, *end;
  gsize room;

  if (!tsr_archive_header_parse_decimal (index, strlen (index), &start)
      || start >= (gint64)walk->long_names_length)
    return NULL;
  text = walk->long_names + start;
  room = walk->long_names_length - start;
  end = memchr (text, '\n', MIN (room, MAX_NAME));
  if (end == NULL)
    end = text + strnlen (text, MIN (room, MAX_NAME));
  if (end > text && end[-1] == '/')
    end--;
  return end > text ? valid_name (text, end - text) : NULL;
}

/* Reads the BSD name in front of the data and moves @offset and @size behind it.
 * @bytes: @got bytes that were read from @offset on.  (transfer full) (nullable). */
static char *
take_bsd_name (Walk *walk,
               const char *length_text,
               const char *bytes,
               gsize got,
               gint64 *offset,
               gint64 *size,
               GError **error)
{
  char name[MAX_NAME];
  gint64 length;

  if (!tsr_archive_header_parse_decimal (length_text, strlen (length_text), &length)
      || length > *size || length > MAX_NAME)
    {
      add (walk, TSR_SEVERITY_WARNING, "bad-member-name", NULL, *offset,
           _ ("the length of a member's name, %s, is more than its bytes"), length_text);
      return g_strdup ("");
    }
  if (length <= (gint64)got)
    memcpy (name, bytes, length);
  else if (!tsr_source_read_exactly (walk->source, *offset, name, length, walk->cancellable, error))
    return NULL;
  *offset += length;
  *size -= length;
  return valid_name (name, length);
}

/* -------------------------------------------------------------- one member */

static void
read_batch_done (Walk *walk, const TsrElfMember *member)
{
  const char *name = g_ptr_array_index (walk->names, member->index);
  gint64 *text_bytes = &g_array_index (walk->text_bytes, gint64, member->index);

  if (member->problem != NULL)
    add (walk, TSR_SEVERITY_ERROR, "damaged-member", name, member->offset, "%s", member->problem);
  else if (member->n_text == 0)
    add (walk, TSR_SEVERITY_WARNING, "no-text-section", name, member->offset,
         _ ("has no section .text, so the memory of its tile is not known"));
  else
    *text_bytes = member->text_bytes;
  if (member->problem == NULL && member->n_text > 1)
    add (walk, TSR_SEVERITY_WARNING, "several-text-sections", name, member->offset,
         _ ("has %u sections .text; their sizes are added"), member->n_text);
}

static gboolean
read_batch (Walk *walk, GError **error)
{
  TsrElfMember *members = (TsrElfMember *)(gpointer)walk->batch->data;
  guint n = walk->batch->len;
  gboolean ok
      = n == 0
        || tsr_archive_elf_read_sections (walk->source, members, n, walk->cancellable, error);

  for (guint i = 0; i < n; i++)
    {
      if (ok)
        read_batch_done (walk, &members[i]);
      tsr_elf_member_clear (&members[i]);
    }
  g_array_set_size (walk->batch, 0);
  return ok;
}

/* @bytes: the first @got bytes of the data, which has @size bytes of which @present are there. */
static gboolean
take_elf (Walk *walk,
          char *name,
          gint64 offset,
          gint64 size,
          const guint8 *bytes,
          gint64 n_head,
          GError **error)
{
  gint64 unknown = TSR_UNKNOWN;
  TsrElfMember member = { 0 };

  if (!tsr_archive_elf_parse_head (bytes, n_head, &member))
    {
      add (walk, TSR_SEVERITY_WARNING, "member-not-elf", name, offset,
           _ ("is not an ELF file; it describes no tile and is left out"));
      g_free (name);
      return TRUE;
    }
  member.index = walk->names->len;
  member.offset = offset;
  member.size = size;
  g_ptr_array_add (walk->names, name);
  g_array_append_val (walk->text_bytes, unknown);
  g_array_append_val (walk->offsets, offset);
  g_array_append_val (walk->machines, member.machine);
  g_array_append_val (walk->batch, member);
  return walk->batch->len < BATCH || read_batch (walk, error);
}

/* A member with its data at @offset; @bytes has what was read of it already. */
static gboolean
take_member (Walk *walk,
             const TsrArHeader *header,
             gint64 offset,
             gint64 size,
             const char *bytes,
             gsize got,
             GError **error)
{
  char head[TSR_ELF_HEAD_MAX];
  gint64 data = offset, n_head;
  g_autofree char *name = NULL;

  if (g_str_has_prefix (header->name, "#1/"))
    {
      name = take_bsd_name (walk, header->name + 3, bytes, got, &data, &size, error);
      if (name == NULL)
        return FALSE;
      if (is_symbol_table (name))
        return TRUE;
    }
  else if (header->name[0] == '/' && g_ascii_isdigit (header->name[1]))
    {
      name = get_long_name (walk, header->name + 1);
      if (name == NULL)
        add (walk, TSR_SEVERITY_WARNING, "bad-member-name", NULL, offset,
             _ ("the member's name should be at %s of the table of names, but there is none"),
             header->name + 1);
    }
  else
    {
      const char *end = strrchr (header->name, '/');

      name = valid_name (header->name, end != NULL ? end - header->name : 16);
    }
  if (name == NULL || *name == '\0')
    {
      g_free (name);
      name = g_strdup_printf (_ ("member %u"), walk->names->len);
    }
  n_head = MIN (size, TSR_ELF_HEAD_MAX);
  if (data - offset + n_head <= (gint64)got)
    return take_elf (walk, g_steal_pointer (&name), data, size,
                     (const guint8 *)bytes + (data - offset), n_head, error);
  if (!tsr_source_read_exactly (walk->source, data, head, (gsize)n_head, walk->cancellable, error))
    return FALSE;
  return take_elf (walk, g_steal_pointer (&name), data, size, (const guint8 *)head, n_head, error);
}

/* ------------------------------------------------------------------ the walk */

/* One header at @offset, which moves to the next.  FALSE with @error when reading failed;
 * damaged is set when the rest cannot be read. */
static gboolean
step (Walk *walk, gint64 *offset, GError **error)
{
  char bytes[HEAD_LENGTH];
  /* Not a single read, behind which more would be fetched. */
  TsrSourceRange head = { .offset = *offset, .length = sizeof bytes, .bytes = (guint8 *)bytes };
  gint64 data = *offset + TSR_AR_HEADER_LENGTH;
  gint64 present;
  TsrArHeader header;
  gint64 got;

  if (!tsr_source_read_ranges (walk->source, &head, 1, walk->cancellable, error))
    return FALSE;
  got = (gint64)head.got;
  walk->damaged = got < TSR_AR_HEADER_LENGTH || !tsr_archive_header_parse (bytes, &header);
  if (walk->damaged)
    {
      add (walk, TSR_SEVERITY_ERROR, "archive-damaged", NULL, *offset,
           got < TSR_AR_HEADER_LENGTH
               ? _ ("the file ends inside a member's header; the program may have been stopped "
                    "while it was writing: capture the report again")
               : _ ("there is no member header where one should be; what follows is not read: "
                    "capture or copy the report again"));
      return TRUE;
    }
  present = MIN (header.size, walk->size - data);
  *offset = tsr_archive_header_get_next (*offset, &header);
  if (strcmp (header.name, "/") == 0 || strcmp (header.name, "/SYM64/") == 0)
    tsr_archive_ahead_take_index (&walk->ahead, data, present, header.name[1] != '\0');
  else if (strcmp (header.name, "//") != 0)
    tsr_archive_ahead_note (&walk->ahead, data - TSR_AR_HEADER_LENGTH, *offset);
  if (is_symbol_table (header.name))
    return TRUE;
  if (strcmp (header.name, "//") == 0 || strcmp (header.name, "ARFILENAMES/") == 0)
    return read_long_names (walk, data, present, error);
  if (present < header.size)
    add (walk, TSR_SEVERITY_ERROR, "truncated-member", NULL, data,
         _ ("the member should have %" PRId64 " bytes, but the file ends after %" PRId64
            " of them; the program may have been stopped while it was writing: capture the report "
            "again"),
         header.size, present);
  return take_member (walk, &header, data, present, bytes + TSR_AR_HEADER_LENGTH,
                      MIN (got - TSR_AR_HEADER_LENGTH, present), error);
}

static gboolean
walk_members (Walk *walk, GError **error)
{
  gint64 offset = MAGIC_LENGTH;

  tsr_archive_ahead_init (&walk->ahead, walk->source, walk->progress, walk->cancellable);
  tsr_progress_set_total (walk->progress, walk->size);
  while (offset < walk->size && !walk->damaged)
    {
      if (g_cancellable_set_error_if_cancelled (walk->cancellable, error))
        return FALSE;
      if (++walk->n_headers > MAX_HEADERS || walk->names->len >= TSR_MAX_TILES)
        {
          add (walk, TSR_SEVERITY_ERROR, "too-many-members", NULL, offset,
               _ ("there are more members than any machine has tiles; only the first %u are read"),
               walk->names->len);
          break;
        }
      if (!step (walk, &offset, error))
        return FALSE;
      tsr_progress_set_done (walk->progress, tsr_archive_ahead_get_done (&walk->ahead, offset));
    }
  return read_batch (walk, error);
}

/* ------------------------------------------------------------- tile numbers */

/* Position of the @which-th run of digits, counted from the end; FALSE when there is none. */
static gboolean
find_digits (const char *name, guint which, gsize *start, gsize *length)
{
  gsize end = strlen (name);

  for (;; which--)
    {
      while (end > 0 && !g_ascii_isdigit (name[end - 1]))
        end--;
      if (end == 0)
        return FALSE;
      *start = end;
      while (*start > 0 && g_ascii_isdigit (name[*start - 1]))
        (*start)--;
      *length = end - *start;
      if (which == 0)
        return TRUE;
      end = *start;
    }
}

/* TRUE when the names differ in nothing but that number, and no two have the same. */
static gboolean
number_by_digits (char **names, guint n, guint which, gint64 *tiles)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  gsize first_start = 0, first_length = 0;

  for (guint i = 0; i < n; i++)
    {
      gsize start, length;

      if (!find_digits (names[i], which, &start, &length) || length > 9)
        return FALSE;
      if (i == 0)
        {
          first_start = start;
          first_length = length;
        }
      if (start != first_start || memcmp (names[i], names[0], start) != 0
          || strcmp (names[i] + start + length, names[0] + first_start + first_length) != 0)
        return FALSE;
      tiles[i] = g_ascii_strtoll (names[i] + start, NULL, 10);
      if (tiles[i] >= TSR_MAX_TILES || !g_hash_table_add (seen, GSIZE_TO_POINTER ((gsize)tiles[i])))
        return FALSE;
    }
  return TRUE;
}

static void
number_tiles (Walk *walk, TsrArchiveRows *rows)
{
  guint which;

  /* One name alone does not tell which of its numbers is the tile's. */
  for (which = 0; rows->n_members > 1 && which < 4; which++)
    if (number_by_digits (rows->names, rows->n_members, which, rows->tiles))
      return;
  for (guint i = 0; i < rows->n_members; i++)
    rows->tiles[i] = i;
  add (walk, TSR_SEVERITY_INFO, "tiles-by-order", NULL, TSR_NO_ROW,
       _ ("the members' names do not say which tiles they are, so tiles are numbered in the order "
          "of the archive"));
}

static void
check_machines (Walk *walk)
{
  guint16 first = EM_NONE;
  guint n = 0;

  for (guint i = 0; i < walk->machines->len; i++)
    {
      guint16 machine = g_array_index (walk->machines, guint16, i);

      /* Not told where the member is cut off. */
      if (machine == EM_NONE || machine == TSR_ELF_MACHINE_IPU)
        continue;
      if (n++ == 0)
        first = machine;
    }
  if (n > 0)
    add (walk, TSR_SEVERITY_WARNING, "other-machine", NULL, TSR_NO_ROW,
         _ ("%u of %u members are programs for another machine than the IPU (machine %u, not %u)"),
         n, walk->machines->len, first, TSR_ELF_MACHINE_IPU);
}

/* ------------------------------------------------------------------- public */

static gboolean
check_magic (Walk *walk, GError **error)
{
  char magic[MAGIC_LENGTH];
  gssize got = tsr_source_read (walk->source, 0, magic, MAGIC_LENGTH, walk->cancellable, error);
  const char *name = tsr_source_get_name (walk->source);
  g_autofree char *shown = g_filename_display_name (name);

  if (got < 0)
    return FALSE;
  if (got == MAGIC_LENGTH && memcmp (magic, "!<arch>\n", MAGIC_LENGTH) == 0)
    return TRUE;
  if (got == 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED,
                 _ ("Could not read %s: the file is empty; wait until the program has ended, or "
                    "capture the report again"),
                 shown);
  else if (got == MAGIC_LENGTH && memcmp (magic, "!<thin>\n", MAGIC_LENGTH) == 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                 _ ("Could not read %s: it is a thin archive, which only refers to files "
                    "elsewhere; make a complete one of them with \"ar rcs\""),
                 shown);
  else if (got == MAGIC_LENGTH && memcmp (magic, "version ", MAGIC_LENGTH) == 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("Could not read %s: it is a pointer of git-lfs, not the file itself; fetch it "
                    "with \"git lfs pull\""),
                 shown);
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("Could not read %s: it is not an archive (it does not begin with \"!<arch>\"); "
                    "copy or capture archive.a again"),
                 shown);
  return FALSE;
}

static void
move_rows (Walk *walk, TsrArchiveRows *rows)
{
  rows->n_members = walk->names->len;
  rows->tiles = g_new0 (gint64, rows->n_members);
  g_ptr_array_add (walk->names, NULL);
  rows->names = (char **)g_ptr_array_free (g_steal_pointer (&walk->names), FALSE);
  number_tiles (walk, rows);
  check_machines (walk);
  rows->text_bytes = (gint64 *)(gpointer)g_array_free (g_steal_pointer (&walk->text_bytes), FALSE);
  rows->offsets = (gint64 *)(gpointer)g_array_free (g_steal_pointer (&walk->offsets), FALSE);
  rows->machines = (guint16 *)(gpointer)g_array_free (g_steal_pointer (&walk->machines), FALSE);
}

static void
walk_init (Walk *walk, TsrSource *source)
{
  walk->source = source;
  walk->size = tsr_source_get_size (source);
  walk->names = g_ptr_array_new_with_free_func (g_free);
  walk->text_bytes = g_array_new (FALSE, FALSE, sizeof (gint64));
  walk->offsets = g_array_new (FALSE, FALSE, sizeof (gint64));
  walk->machines = g_array_new (FALSE, FALSE, sizeof (guint16));
  walk->batch = g_array_new (FALSE, FALSE, sizeof (TsrElfMember));
}

static void
walk_clear (Walk *walk)
{
  for (guint i = 0; i < walk->batch->len; i++)
    tsr_elf_member_clear (&g_array_index (walk->batch, TsrElfMember, i));
  g_array_unref (walk->batch);
  tsr_archive_ahead_clear (&walk->ahead);
  g_clear_pointer (&walk->names, g_ptr_array_unref);
  g_clear_pointer (&walk->text_bytes, g_array_unref);
  g_clear_pointer (&walk->offsets, g_array_unref);
  g_clear_pointer (&walk->machines, g_array_unref);
  g_free (walk->long_names);
}

gboolean
tsr_archive_read (TsrSource *source,
                  TsrArchiveRows *rows,
                  TsrDiagnostics *diagnostics,
                  TsrProgress *progress,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autofree char *file = NULL;
  Walk walk = { .diagnostics = diagnostics, .progress = progress, .cancellable = cancellable };
  gboolean ok;

  g_return_val_if_fail (TSR_IS_SOURCE (source), FALSE);
  g_return_val_if_fail (rows != NULL && diagnostics != NULL, FALSE);

  memset (rows, 0, sizeof *rows);
  file = g_filename_display_name (tsr_source_get_base_name (source));
  walk.file = file;
  walk_init (&walk, source);
  ok = check_magic (&walk, error) && walk_members (&walk, error);
  if (ok && walk.names->len == 0)
    {
      g_autofree char *shown = g_filename_display_name (tsr_source_get_name (source));

      g_set_error (error, TSR_ERROR, walk.damaged ? TSR_ERROR_CORRUPT : TSR_ERROR_NOT_A_REPORT,
                   _ ("Could not read %s: the archive has no ELF file, so it records no tile's "
                      "memory; capture the report again with autoReport.outputArchive"),
                   shown);
      ok = FALSE;
    }
  if (ok)
    move_rows (&walk, rows);
  walk_clear (&walk);
  return ok;
}
