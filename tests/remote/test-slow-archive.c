/* SPDX-License-Identifier: GPL-3.0-or-later */

/* archive.a behind a fake other side: the same rows and diagnostics as from this machine and as a
 * naive loop over its bytes finds them, with a symbol index that is right, wrong or not there, with
 * content that looks like headers or archives, cut off and damaged; and never slower than fetching
 * all of it. */

#include "config.h"

#include "fake-remote.h"
#include "tsr-archive-scout.h"
#include "tsr-archive.h"
#include "tsr-test.h"

#include <elf.h>
#include <string.h>

#define N_MEMBERS 200
#define LATENCY   0.04
#define RATE      20e6 /* bytes a second */

typedef struct
{
  const char *name;
  guint text_min, text_max;
  gboolean indexed;
  guint wrong_every; /* offsets of the index that are off */
  double most_share; /* of the bytes */
  double most_trips; /* beside the time that those bytes take */
  /* (nullable): writes the bytes of .text; @left: those from its end to the next member. */
  void (*fill) (guint8 *bytes, gsize length, gsize left, GRand *rand);
  gboolean odd;         /* members have odd lengths */
  guint n_large;        /* of the first members are ten times as large */
  guint n_small;        /* of the first members are small */
  gboolean cut, broken; /* ends within a member; a header in the middle is none */
  double least_seen;    /* part of the headers that the scout finds */
} Kind;

static void
put_member (GByteArray *out, const char *name, const guint8 *bytes, gsize length)
{
  g_autofree char *header
      = g_strdup_printf ("%-16s%-12u%-6u%-6u%-8s%-10zu`\n", name, 0, 0, 0, "100644", length);

  g_byte_array_append (out, (const guint8 *)header, 60);
  g_byte_array_append (out, bytes, (guint)length);
  if (length % 2 != 0)
    g_byte_array_append (out, (const guint8 *)"\n", 1);
}

/* Head, text, names, sections: as linkers lay it out. */
static GByteArray *
make_elf (const Kind *kind, guint text, GRand *rand)
{
  static const char names[] = "\0.text\0.shstrtab";
  GByteArray *elf = g_byte_array_new ();
  guint sections = (guint)(sizeof (Elf32_Ehdr) + text + sizeof names + 3) / 4 * 4;
  Elf32_Ehdr head = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_EXEC,
    .e_machine = 248,
    .e_version = EV_CURRENT,
    .e_shoff = sections,
    .e_ehsize = sizeof (Elf32_Ehdr),
    .e_shentsize = sizeof (Elf32_Shdr),
    .e_shnum = 3,
    .e_shstrndx = 2,
  };
  Elf32_Shdr table[3] = {
    { .sh_type = SHT_NULL },
    { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = sizeof head, .sh_size = text },
    { .sh_name = 7,
      .sh_type = SHT_STRTAB,
      .sh_offset = (guint)sizeof head + text,
      .sh_size = sizeof names },
  };

  g_byte_array_append (elf, (const guint8 *)&head, sizeof head);
  g_byte_array_set_size (elf, sections);
  memset (elf->data + sizeof head, 0x5a, sections - sizeof head);
  if (kind->fill != NULL)
    kind->fill (elf->data + sizeof head, text, sections - sizeof head - text + sizeof table, rand);
  memcpy (elf->data + sizeof head + text, names, sizeof names);
  g_byte_array_append (elf, (const guint8 *)table, sizeof table);
  if (kind->odd)
    g_byte_array_append (elf, (const guint8 *)"o", 1);
  return elf;
}

static void
put_be32 (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_BE (value);
  g_byte_array_append (out, (const guint8 *)&value, 4);
}

/* (transfer full): the archive; the index has three symbols for each member. */
static GByteArray *
make_archive (const Kind *kind)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (GByteArray) members = g_byte_array_new ();
  g_autoptr (GByteArray) index = g_byte_array_new ();
  GByteArray *archive = g_byte_array_new ();
  guint starts[N_MEMBERS];
  guint base;

  for (guint i = 0; i < N_MEMBERS; i++)
    {
      guint text = kind->text_max > kind->text_min
                       ? (guint)g_rand_int_range (rand, (gint)kind->text_min, (gint)kind->text_max)
                       : kind->text_min;
      g_autoptr (GByteArray) elf = NULL;
      g_autofree char *name = g_strdup_printf ("tile%u/", i);

      if (i < kind->n_large)
        text *= 10;
      else if (i < kind->n_small)
        text = 500;
      elf = make_elf (kind, text, rand);

      starts[i] = members->len;
      put_member (members, name, elf->data, elf->len);
    }
  g_byte_array_append (archive, (const guint8 *)"!<arch>\n", 8);
  if (kind->indexed)
    {
      base = 8 + 60 + 4 + 12 * N_MEMBERS + 6 * N_MEMBERS;
      put_be32 (index, 3 * N_MEMBERS);
      for (guint i = 0; i < 3 * N_MEMBERS; i++)
        put_be32 (index,
                  base + starts[i / 3]
                      + (kind->wrong_every > 0 && i / 3 % kind->wrong_every == 0 ? 77777 : 0));
      for (guint i = 0; i < 3 * N_MEMBERS; i++)
        g_byte_array_append (index, (const guint8 *)"s", 2);
      put_member (archive, "/", index->data, index->len);
      g_assert_cmpuint (archive->len, ==, base);
    }
  g_byte_array_append (archive, members->data, members->len);
  if (kind->broken)
    archive->data[archive->len - members->len + starts[N_MEMBERS / 2] + 58] = 'x';
  if (kind->cut)
    g_byte_array_set_size (archive, archive->len - members->len + starts[N_MEMBERS - 3] + 100000);
  return archive;
}

/* ------------------------------------------------------- content that deceives */

static void
put_fake (guint8 *bytes, guint64 size)
{
  g_autofree char *header = g_strdup_printf ("%-16s%-12u%-6u%-6u%-8s%-10" G_GUINT64_FORMAT "`\n",
                                             "fake/", 0, 0, 0, "100644", size);

  memcpy (bytes, header, 60);
}

/* Headers that lead somewhere into the content. */
static void
fill_nowhere (guint8 *bytes, gsize length, gsize left, GRand *rand)
{
  for (gsize at = 0; at + 60 <= length; at += 5000)
    put_fake (bytes + at, (guint64)g_rand_int_range (rand, 0, 1 << 20));
}

/* ... or to what is a header. */
static void
fill_true (guint8 *bytes, gsize length, gsize left, GRand *rand)
{
  for (gsize at = 0; at + 60 <= length; at += 20000)
    put_fake (bytes + at, (length - at - 60 + left) & ~(gsize)1);
}

/* ... or far behind, within the file or not. */
static void
fill_far (guint8 *bytes, gsize length, gsize left, GRand *rand)
{
  for (gsize at = 0; at + 60 <= length; at += 5000)
    put_fake (bytes + at, (guint64)g_rand_int_range (rand, 1 << 20, 1 << 30));
}

/* An archive in each member. */
static void
fill_archive (guint8 *bytes, gsize length, gsize left, GRand *rand)
{
  for (gsize at = 0; at + 2000 + 60 <= length; at += 2000)
    put_fake (bytes + at, 2000 - 60);
}

/* Nothing but headers of nothing. */
static void
fill_headers (guint8 *bytes, gsize length, gsize left, GRand *rand)
{
  for (gsize at = 0; at + 60 <= length; at += 60)
    put_fake (bytes + at, 0);
}

/* ------------------------------------------------------------------ comparing */

/* Where headers are, one after the other; of a whole archive also what is read of each member. */
static GArray *
find_headers (const GByteArray *archive, const TsrArchiveRows *rows)
{
  GArray *headers = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n = 0;

  for (gint64 at = 8; at + 60 <= archive->len && archive->data[at + 58] == '`';)
    {
      const guint8 *data = archive->data + at + 60;
      gint64 size = strtol ((const char *)archive->data + at + 48, NULL, 10);
      Elf32_Ehdr head;
      Elf32_Shdr text;

      g_array_append_val (headers, at);
      if (archive->data[at] == 't' && at + 60 + size <= archive->len)
        {
          g_autofree char *name = g_strdup_printf ("tile%u", n);

          memcpy (&head, data, sizeof head);
          memcpy (&text, data + head.e_shoff + sizeof text, sizeof text);
          g_assert_cmpuint (n, <, rows->n_members);
          g_assert_cmpstr (rows->names[n], ==, name);
          g_assert_cmpint (rows->offsets[n], ==, at + 60);
          g_assert_cmpint (rows->text_bytes[n], ==, text.sh_size);
          n++;
        }
      at += 60 + size + size % 2;
    }
  g_assert_cmpuint (rows->n_members - n, <=, 1); /* the one that is cut */
  return headers;
}

static gboolean
has_offset (GArray *offsets, gint64 offset)
{
  for (guint i = 0; i < offsets->len; i++)
    if (g_array_index (offsets, gint64, i) == offset)
      return TRUE;
  return FALSE;
}

/* What the scout says is ascending and within the file, and where nothing deceives it, it is what
 * there is. */
static void
check_scout (const Kind *kind, const GByteArray *archive, GArray *headers)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (archive->data, archive->len);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("archive.a", bytes);
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 from = g_array_index (headers, gint64, kind->n_large + kind->n_small);
  gint64 end = tsr_archive_scout (source, from, 200000, offsets, NULL, NULL);
  guint n = 0, n_seen = 0;

  g_assert_cmpint (end, ==, end > from ? archive->len : from);
  for (guint i = 0; i < offsets->len; i++)
    {
      gint64 offset = g_array_index (offsets, gint64, i);

      g_assert_cmpint (offset, >=, i > 0 ? g_array_index (offsets, gint64, i - 1) + 1 : from);
      g_assert_cmpint (offset + 60, <=, archive->len);
      g_assert_true (kind->fill != NULL || kind->broken || has_offset (headers, offset));
    }
  for (guint i = 0; i < headers->len && end > from; i++)
    if (g_array_index (headers, gint64, i) >= from)
      {
        n++;
        n_seen += has_offset (offsets, g_array_index (headers, gint64, i));
      }
  g_test_message ("%s: %u of %u headers seen", kind->name, n_seen, n);
  g_assert_cmpfloat (n_seen, >=, kind->least_seen * n);
}

static void
read_archive (TsrPlace *place, const char *path, TsrArchiveRows *rows, TsrDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSource) source = tsr_place_open (place, path, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (tsr_archive_read (source, rows, diagnostics, NULL, NULL, &error));
  g_assert_no_error (error);
}

static void
check_same (const TsrArchiveRows *x,
            TsrDiagnostics *told,
            const TsrArchiveRows *y,
            TsrDiagnostics *other)
{
  g_assert_cmpuint (x->n_members, ==, y->n_members);
  for (guint i = 0; i < x->n_members; i++)
    {
      g_assert_cmpstr (x->names[i], ==, y->names[i]);
      g_assert_cmpint (x->tiles[i], ==, y->tiles[i]);
      g_assert_cmpint (x->text_bytes[i], ==, y->text_bytes[i]);
      g_assert_cmpint (x->offsets[i], ==, y->offsets[i]);
    }
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (told), ==, tsr_diagnostics_get_n_kept (other));
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (told); i++)
    {
      g_autofree char *line = tsr_diagnostic_dup_line (tsr_diagnostics_get (told, i));
      g_autofree char *same = tsr_diagnostic_dup_line (tsr_diagnostics_get (other, i));

      g_assert_cmpstr (line, ==, same);
    }
}

static void
test_kind (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (GByteArray) archive = make_archive (kind);
  g_autofree char *root = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (root, "archive.a", NULL);
  g_autofree char *cache_folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) local = tsr_local_place_new ();
  g_autoptr (TsrDiagnostics) told = tsr_diagnostics_new ();
  g_autoptr (GArray) headers = NULL;
  FakeRemote *fake = fake_remote_new (root);
  TsrArchiveRows expected = { 0 };
  double least = G_MAXDOUBLE, share = G_MAXDOUBLE;
  FakeCounts counts = { 0 };

  tsr_test_write (root, "archive.a", archive->data, archive->len);
  read_archive (local, path, &expected, told);
  if (!kind->cut && !kind->broken)
    g_assert_cmpuint (expected.n_members, ==, N_MEMBERS);
  headers = find_headers (archive, &expected);
  check_scout (kind, archive, headers);
  /* Again on a machine that does much else: that is not what is measured. */
  for (guint i = 0; i == 0 || (i < 20 && (least > kind->most_trips || share > kind->most_share));
       i++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/%u", cache_folder, i);
      g_autoptr (TsrBlockCache) cache = tsr_block_cache_new (folder, G_MAXINT64);
      TsrRemotePlace *place = fake_remote_make_place (fake, cache);
      g_autoptr (TsrDiagnostics) other = tsr_diagnostics_new ();
      TsrArchiveRows rows = { 0 };
      gint64 start;

      fake_remote_set_line (fake, LATENCY, RATE);
      fake_remote_reset_counts (fake);
      start = g_get_monotonic_time ();
      read_archive (TSR_PLACE (place), "/archive.a", &rows, other);
      fake_remote_get_counts (fake, &counts);
      least = MIN (least,
                   ((double)(g_get_monotonic_time () - start) / 1e6 - (double)counts.bytes / RATE)
                       / LATENCY);
      share = MIN (share, (double)counts.bytes / archive->len);
      check_same (&rows, other, &expected, told);
      tsr_archive_rows_clear (&rows);
      g_object_unref (place);
      tsr_remote_place_flush ();
    }
  g_test_message ("%s: %.1f trips beside the bytes, %.2f of %u bytes", kind->name, least, share,
                  archive->len);
  g_assert_cmpfloat (least, <=, kind->most_trips);
  g_assert_cmpfloat (share, <=, kind->most_share);
  tsr_archive_rows_clear (&expected);
  fake_remote_unref (fake);
  tsr_test_folder_free (g_steal_pointer (&root));
  tsr_test_folder_free (g_steal_pointer (&cache_folder));
}

/* Whatever bytes there are, what the scout says is ascending and stands where a header's end is. */
static void
test_noise (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GByteArray) noise = g_byte_array_new ();

  for (guint round = 0; round < 100; round++)
    {
      guint length = (guint)g_rand_int_range (rand, 1, 3 << 20);
      g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (TsrSource) source = NULL;
      gint64 end, from = g_rand_int_range (rand, 0, 1 << 20);

      g_byte_array_set_size (noise, length);
      for (guint i = 0; i < length; i++)
        noise->data[i] = "`\n 019/"[i * 7 % 8];
      for (guint at = 0, n = (guint)g_rand_int_range (rand, 60, 60000); at + 60 < length; at += n)
        put_fake (noise->data + at, (guint64)g_rand_int_range (rand, 0, round % 2 ? 100 : 1 << 20));
      bytes = g_bytes_new (noise->data, length);
      source = tsr_bytes_source_new ("archive.a", bytes);
      end = tsr_archive_scout (source, from, g_rand_int_range (rand, 1, 1 << 18), offsets, NULL,
                               NULL);
      g_assert_cmpint (end, <=, MAX (length, from));
      for (guint i = 0; i < offsets->len; i++)
        {
          gint64 offset = g_array_index (offsets, gint64, i);

          g_assert_cmpint (offset, >=, i > 0 ? g_array_index (offsets, gint64, i - 1) + 1 : from);
          g_assert_cmpint (offset + 60, <=, length);
          g_assert_cmpint (noise->data[offset + 58], ==, '`');
        }
    }
}

int
main (int argc, char *argv[])
{
  /* One after the other they would be at least 200 trips. */
  static const Kind kinds[] = {
    { "index", 150000, 250000, TRUE, 0, 0.35, 30, .least_seen = 1 },
    { "wrong-index", 150000, 250000, TRUE, 2, 0.5, 60, .least_seen = 1 },
    { "some-wrong", 150000, 250000, TRUE, 20, 0.5, 60, .least_seen = 1 },
    { "equal", 200000, 200000, FALSE, 0, 0.5, 60, .least_seen = 1 },
    { "random", 150000, 250000, FALSE, 0, 0.4, 30, .least_seen = 1 },
    { "wide", 20000, 400000, FALSE, 0, 0.5, 60, .least_seen = 1 },
    { "odd", 150000, 250000, FALSE, 0, 0.4, 30, .odd = TRUE, .least_seen = 1 },
    { "large-first", 150000, 250000, FALSE, 0, 0.4, 60, .n_large = 5, .least_seen = 1 },
    { "small-first", 150000, 250000, FALSE, 0, 0.5, 60, .n_small = 20, .least_seen = 1 },
    { "cut", 150000, 250000, FALSE, 0, 0.4, 30, .cut = TRUE, .least_seen = 1 },
    { "broken", 150000, 250000, FALSE, 0, 1.01, 30, .broken = TRUE, .least_seen = 1 },
    { "fakes-nowhere", 150000, 250000, FALSE, 0, 1.01, 90, fill_nowhere },
    { "fakes-true", 150000, 250000, FALSE, 0, 0.5, 30, fill_true, .least_seen = 1 },
    { "fakes-far", 150000, 250000, FALSE, 0, 1.01, 60, fill_far },
    { "fakes-archives", 150000, 250000, FALSE, 0, 1.01, 60, fill_archive },
    { "fakes-only", 150000, 250000, FALSE, 0, 1.01, 60, fill_headers },
    { "small", 1000, 5000, FALSE, 0, 1.01, 30 },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/slow-archive/", kinds[i].name, NULL);

      g_test_add_data_func (path, &kinds[i], test_kind);
    }
  g_test_add_func ("/slow-archive/noise", test_noise);
  return g_test_run ();
}
