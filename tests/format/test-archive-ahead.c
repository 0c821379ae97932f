/* SPDX-License-Identifier: GPL-3.0-or-later */

/* archive.a in a source that is slow: the same rows and diagnostics as from memory and as a
 * naive loop over its bytes finds them, with a symbol index that is right, wrong or not there, with
 * content that looks like headers or archives, cut off and damaged; and never slower than fetching
 * all of it. */

#include "config.h"

#include "archive-test.h"
#include "tsr-archive-scout.h"
#include "tsr-archive.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define N_MEMBERS 200

typedef struct
{
  const char *name;
  guint text_min, text_max;
  gboolean indexed;
  guint wrong_every; /* offsets of the index that are off */
  double most_share; /* of the bytes */
  guint trips, ranges;
  /* (nullable): writes the bytes of .text; @left: those from its end to the next member. */
  void (*fill) (guint8 *bytes, gsize length, gsize left, GRand *rand);
  gboolean wide;        /* the index has 64 bits a number */
  guint index_bytes;    /* of the names in the index, at least */
  gboolean backwards;   /* the index has the last member first */
  gboolean odd;         /* members have odd lengths */
  guint n_large;        /* of the first members are ten times as large */
  guint n_small;        /* of the first members are small */
  gboolean cut, broken; /* ends within a member; a header in the middle is none */
  double least_seen;    /* part of the headers that the scout finds */
} Kind;

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

/* A number of the index. */
static void
put_number (GByteArray *out, const Kind *kind, guint32 value)
{
  const guint64 bytes = GUINT64_TO_BE ((guint64)value);

  g_byte_array_append (out, (const guint8 *)&bytes + (kind->wide ? 0 : 4), kind->wide ? 8 : 4);
}

/* (transfer full): the archive; the index has one to three symbols for each member. */
static GByteArray *
make_archive (const Kind *kind)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (GByteArray) members = g_byte_array_new ();
  g_autoptr (GByteArray) index = g_byte_array_new ();
  GByteArray *archive = g_byte_array_new ();
  guint starts[N_MEMBERS], symbols[3 * N_MEMBERS], n_symbols = 0;
  guint base;

  for (guint i = 0; i < N_MEMBERS; i++)
    for (guint k = 0; k <= i % 3; k++)
      symbols[n_symbols++] = kind->backwards ? N_MEMBERS - 1 - i : i;
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
      archive_test_put_member (members, name, elf->data, elf->len);
    }
  g_byte_array_append (archive, (const guint8 *)"!<arch>\n", 8);
  if (kind->indexed)
    {
      base = 8 + 60 + (kind->wide ? 8 : 4) * (1 + n_symbols)
             + MAX (2 * n_symbols, kind->index_bytes);
      put_number (index, kind, n_symbols);
      for (guint i = 0; i < n_symbols; i++)
        put_number (
            index, kind,
            base + starts[symbols[i]]
                + (kind->wrong_every > 0 && symbols[i] % kind->wrong_every == 0 ? 77777 : 0));
      while (index->len < base - 8 - 60)
        g_byte_array_append (index, (const guint8 *)"s", 2);
      archive_test_put_member (archive, kind->wide ? "/SYM64/" : "/", index->data, index->len);
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

/* --------------------------------------------------------------- a slow source */

#define BLOCK 32768

/* Bytes of which a block comes a trip after it was asked for: what costs nothing but a wait can be
 * counted. */
typedef struct
{
  TsrSource parent_instance;

  const GByteArray *archive;
  guint now;     /* trips */
  gint64 bytes;  /* that came */
  guint *comes;  /* by block: when; 0 if it was not asked for */
  guint n_asked; /* ranges */
  TsrProgress *progress;
} SlowSource;

typedef TsrSourceClass SlowSourceClass;

static GType slow_source_get_type (void);
G_DEFINE_TYPE (SlowSource, slow_source, TSR_TYPE_SOURCE)

static void
slow_source_ask (SlowSource *self, gint64 offset, gsize length)
{
  for (gint64 block = offset / BLOCK; block <= (offset + (gint64)length - 1) / BLOCK; block++)
    if (block * BLOCK < self->archive->len && self->comes[block] == 0)
      {
        self->comes[block] = self->now + 1;
        self->bytes += MIN (BLOCK, self->archive->len - block * BLOCK);
      }
}

static void
slow_source_prefetch (TsrSource *source, const TsrSourceRange *ranges, guint n)
{
  SlowSource *self = (SlowSource *)source;

  for (guint i = 0; i < n; i++)
    {
      /* It may lie beyond the end, where nothing is fetched. */
      g_assert_cmpint (ranges[i].offset, >=, 0);
      g_assert_cmpuint (ranges[i].length, >, 0);
      g_assert_cmpuint (ranges[i].length, <=, 8 << 20);
      slow_source_ask (self, ranges[i].offset, ranges[i].length);
    }
  self->n_asked += n;
}

static gssize
slow_source_read (TsrSource *source,
                  gint64 offset,
                  void *bytes,
                  gsize length,
                  GCancellable *cancellable,
                  GError **error)
{
  SlowSource *self = (SlowSource *)source;
  gint64 got = CLAMP ((gint64)self->archive->len - offset, 0, (gint64)length);

  if (got == 0)
    return 0;
  slow_source_ask (self, offset, (gsize)got);
  for (gint64 block = offset / BLOCK; block <= (offset + got - 1) / BLOCK; block++)
    self->now = MAX (self->now, self->comes[block]);
  memcpy (bytes, self->archive->data + offset, (gsize)got);
  return got;
}

/* All at once, as a remote source does. */
static gboolean
slow_source_read_ranges (
    TsrSource *source, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error)
{
  SlowSource *self = (SlowSource *)source;

  for (guint i = 0; i < n; i++)
    if (ranges[i].offset < self->archive->len && ranges[i].length > 0)
      slow_source_ask (self, ranges[i].offset, ranges[i].length);
  for (guint i = 0; i < n; i++)
    ranges[i].got = (gsize)slow_source_read (source, ranges[i].offset, ranges[i].bytes,
                                             ranges[i].length, cancellable, error);
  return TRUE;
}

static void
slow_source_finalize (GObject *object)
{
  g_free (((SlowSource *)object)->comes);
  tsr_progress_free (((SlowSource *)object)->progress);
  G_OBJECT_CLASS (slow_source_parent_class)->finalize (object);
}

static void
slow_source_init (SlowSource *self)
{
}

static void
slow_source_class_init (SlowSourceClass *class)
{
  class->read = slow_source_read;
  class->read_ranges = slow_source_read_ranges;
  class->prefetch = slow_source_prefetch;
  G_OBJECT_CLASS (class)->finalize = slow_source_finalize;
}

static SlowSource *
slow_source_new (const GByteArray *archive)
{
  SlowSource *self = g_object_new (slow_source_get_type (), NULL);
  const TsrSourceStamp stamp = { .size = archive->len };

  self->archive = archive;
  self->progress = tsr_progress_new ();
  self->comes = g_new0 (guint, archive->len / BLOCK + 1);
  tsr_source_set_identity (TSR_SOURCE (self), "archive.a", &stamp);
  return self;
}

static void
read_archive (TsrSource *source,
              TsrArchiveRows *rows,
              TsrDiagnostics *diagnostics,
              TsrProgress *progress)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tsr_archive_read (source, rows, diagnostics, progress, NULL, &error));
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
  g_autoptr (GBytes) bytes = g_bytes_new_static (archive->data, archive->len);
  g_autoptr (TsrSource) quick = tsr_bytes_source_new ("archive.a", bytes);
  SlowSource *slow = slow_source_new (archive);
  g_autoptr (TsrDiagnostics) told = tsr_diagnostics_new ();
  g_autoptr (TsrDiagnostics) other = tsr_diagnostics_new ();
  g_autoptr (GArray) headers = NULL;
  TsrArchiveRows expected = { 0 }, rows = { 0 };
  double share;

  read_archive (quick, &expected, told, NULL);
  if (!kind->cut && !kind->broken)
    g_assert_cmpuint (expected.n_members, ==, N_MEMBERS);
  headers = find_headers (archive, &expected);
  check_scout (kind, archive, headers);
  read_archive (TSR_SOURCE (slow), &rows, other, slow->progress);
  check_same (&rows, other, &expected, told);
  share = (double)slow->bytes / archive->len;
  g_test_message ("%s: %u trips, %.3f of %u bytes, %u ranges", kind->name, slow->now, share,
                  archive->len, slow->n_asked);
  /* All of it is done when the archive ends. */
  g_assert_true (kind->cut || kind->broken || tsr_progress_get_fraction (slow->progress) == 1);
  g_assert_cmpuint (slow->now, ==, kind->trips);
  g_assert_cmpuint (slow->n_asked, ==, kind->ranges);
  g_assert_cmpfloat (share, <=, kind->most_share);
  g_assert_cmpfloat (share, >, kind->most_share - 0.011);
  tsr_archive_rows_clear (&expected);
  tsr_archive_rows_clear (&rows);
  g_object_unref (slow);
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
  /* One after the other they would be at least 200 trips.  Trips and ranges are what was counted
   * when this was written, bytes are rounded up: what needs more of them got worse, and what needs
   * fewer without being meant to does not look where it did. */
  static const Kind kinds[] = {
    { "index", 150000, 250000, TRUE, 0, 0.21, 4, 201, .least_seen = 1 },
    { "wide-index", 150000, 250000, TRUE, 0, 0.21, 4, 201, .wide = TRUE, .least_seen = 1 },
    { "large-index", 150000, 250000, TRUE, 0, 0.21, 5, 201, .index_bytes = 1 << 20,
      .least_seen = 1 },
    { "huge-index", 150000, 250000, TRUE, 0, 0.22, 18, 238, .index_bytes = 8 << 20,
      .least_seen = 1 },
    { "wrong-index", 150000, 250000, TRUE, 2, 0.35, 17, 434, .least_seen = 1 },
    { "backwards", 150000, 250000, TRUE, 0, 0.21, 4, 201, .backwards = TRUE, .least_seen = 1 },
    { "some-wrong", 150000, 250000, TRUE, 20, 0.22, 12, 201, .least_seen = 1 },
    { "equal", 200000, 200000, FALSE, 0, 0.22, 9, 328, .least_seen = 1 },
    { "random", 150000, 250000, FALSE, 0, 0.26, 15, 238, .least_seen = 1 },
    { "wide", 20000, 400000, FALSE, 0, 0.32, 17, 316, .least_seen = 1 },
    { "odd", 150000, 250000, FALSE, 0, 0.26, 15, 238, .odd = TRUE, .least_seen = 1 },
    { "large-first", 150000, 250000, FALSE, 0, 0.2, 34, 235, .n_large = 5, .least_seen = 1 },
    { "small-first", 150000, 250000, FALSE, 0, 0.33, 22, 212, .n_small = 20, .least_seen = 1 },
    { "cut", 150000, 250000, FALSE, 0, 0.26, 17, 235, .cut = TRUE, .least_seen = 1 },
    { "broken", 150000, 250000, FALSE, 0, 0.27, 24, 249, .broken = TRUE, .least_seen = 1 },
    { "fakes-nowhere", 150000, 250000, FALSE, 0, 0.41, 79, 675, fill_nowhere },
    { "fakes-true", 150000, 250000, FALSE, 0, 0.31, 11, 301, fill_true, .least_seen = 1 },
    { "fakes-far", 150000, 250000, FALSE, 0, 0.28, 21, 264, fill_far },
    { "fakes-archives", 150000, 250000, FALSE, 0, 0.93, 36, 1479, fill_archive },
    { "fakes-only", 150000, 250000, FALSE, 0, 0.95, 28, 1023, fill_headers },
    { "small", 1000, 5000, FALSE, 0, 1, 2, 2 },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/archive-ahead/", kinds[i].name, NULL);

      g_test_add_data_func (path, &kinds[i], test_kind);
    }
  g_test_add_func ("/archive-ahead/noise", test_noise);
  return g_test_run ();
}
