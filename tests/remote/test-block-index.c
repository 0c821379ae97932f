/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the cache writes beside its blocks, against naive loops: lengths and sums of blocks, heads
 * and listings that are read as they were written, and refused with any bit another. */

#include "config.h"

#include "tsr-block-index.h"

#include <string.h>

/* Byte by byte, as its format is described. */
static guint64
mix_naively (guint64 sum, guint64 word)
{
  sum = (sum ^ word) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return sum ^ sum / 4294967296;
}

static guint64
sum_naively (guint64 block, const guint8 *bytes, gsize length)
{
  const gsize n_words = length / 32 * 4;
  guint64 chains[4], sum;

  for (guint i = 0; i < 4; i++)
    chains[i] = mix_naively (block, length + i + 1);
  sum = 0;
  for (gsize at = 0; at < length; at += 8)
    {
      guint64 word = 0;

      for (gsize k = 0; k < 8 && at + k < length; k++)
        word |= (guint64)bytes[at + k] << (8 * (G_BYTE_ORDER == G_LITTLE_ENDIAN ? k : 7 - k));
      if (at / 8 == n_words)
        sum = mix_naively (mix_naively (mix_naively (chains[0], chains[1]), chains[2]), chains[3]);
      if (at / 8 < n_words)
        chains[at / 8 % 4] = mix_naively (chains[at / 8 % 4], word);
      else
        sum = mix_naively (sum, word);
    }
  if (length % 32 == 0)
    sum = mix_naively (mix_naively (mix_naively (chains[0], chains[1]), chains[2]), chains[3]);
  return sum != 0 ? sum : 1;
}

static void
test_sums (void)
{
  guint8 bytes[100];

  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    bytes[i] = (guint8)g_test_rand_int ();
  for (gsize length = 0; length <= G_N_ELEMENTS (bytes); length++)
    for (guint64 block = 0; block < 3; block++)
      {
        const guint64 sum = tsr_block_sum (block, bytes, length);

        g_assert_cmpuint (sum, ==, sum_naively (block, bytes, length));
        g_assert_cmpuint (sum, !=, tsr_block_sum (block + 1, bytes, length));
        for (gsize bit = 0; bit < 8 * length; bit++)
          {
            bytes[bit / 8] ^= (guint8)(1 << bit % 8);
            g_assert_cmpuint (sum, !=, tsr_block_sum (block, bytes, length));
            bytes[bit / 8] ^= (guint8)(1 << bit % 8);
          }
      }
}

static void
test_lengths (void)
{
  static const gint64 sizes[] = { G_MININT64,
                                  -1,
                                  0,
                                  1,
                                  TSR_BLOCK_BYTES - 1,
                                  TSR_BLOCK_BYTES,
                                  TSR_BLOCK_BYTES + 1,
                                  10 * (gint64)TSR_BLOCK_BYTES,
                                  10 * (gint64)TSR_BLOCK_BYTES + 7 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const TsrBlockKey key = { .size = sizes[i] };
      gint64 left = MAX (sizes[i], 0);
      guint64 n = 0;

      for (; left > 0; n++)
        {
          const gsize length = tsr_block_get_length (sizes[i], n);

          g_assert_cmpint ((gint64)length, ==, MIN (left, (gint64)TSR_BLOCK_BYTES));
          left -= (gint64)length;
        }
      g_assert_cmpuint (tsr_block_key_count_blocks (&key), ==, n);
      g_assert_cmpuint (tsr_block_get_length (sizes[i], n), ==, 0);
      g_assert_cmpuint (tsr_block_get_length (sizes[i], G_MAXUINT64), ==, 0);
    }
  g_assert_cmpuint (tsr_block_get_length (G_MAXINT64, G_MAXINT64 / TSR_BLOCK_BYTES), ==,
                    TSR_BLOCK_BYTES - 1);
  g_assert_cmpuint (tsr_block_get_length (G_MAXINT64, G_MAXINT64 / TSR_BLOCK_BYTES + 1), ==, 0);
}

/* ------------------------------------------------------------------- heads */

/* Bytes before the host. */
#define FIXED 56

static guint64
count_index_bytes (const TsrBlockKey *key)
{
  return TSR_INDEX_HEAD_BYTES + 8 * tsr_block_key_count_blocks (key);
}

static gboolean
reads (const guint8 *head, gsize length, guint64 index_size, const TsrBlockKey *wanted)
{
  TsrBlockKey key = { 0 };
  gboolean read = tsr_block_index_read_head (head, length, index_size, &key);

  if (read)
    {
      g_assert_cmpstr (key.host, ==, wanted->host);
      g_assert_cmpstr (key.path, ==, wanted->path);
      g_assert_cmpint (key.size, ==, wanted->size);
      g_assert_cmpint (key.mtime_us, ==, wanted->mtime_us);
    }
  else
    g_assert_true (key.host == NULL && key.path == NULL);
  tsr_block_key_clear (&key);
  return read;
}

/* As if a program had written it so. */
static void
sign (guint8 *head)
{
  guint64 sum = 0;

  memcpy (head + 8, &sum, sizeof sum);
  sum = tsr_block_sum (0, head, TSR_INDEX_HEAD_BYTES);
  memcpy (head + 8, &sum, sizeof sum);
}

static void
test_heads (void)
{
  static const gint64 sizes[] = { 0, 1, 5 * (gint64)TSR_BLOCK_BYTES + 3 };
  guint8 head[TSR_INDEX_HEAD_BYTES];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const TsrBlockKey key
          = { (char *)"user@host:22", (char *)"/a/profile.pop", sizes[i], -17 - (gint64)i };
      const guint64 size = count_index_bytes (&key);

      g_assert_true (tsr_block_index_write_head (&key, head));
      g_assert_true (reads (head, sizeof head, size, &key));
      g_assert_false (reads (head, sizeof head - 1, size, &key));
      g_assert_false (reads (head, sizeof head, size - 1, &key));
      g_assert_false (reads (head, sizeof head, size + 1, &key));
      for (gsize bit = 0; bit < 8 * 100; bit++)
        {
          head[bit / 8] ^= (guint8)(1 << bit % 8);
          g_assert_false (reads (head, sizeof head, size, &key));
          head[bit / 8] ^= (guint8)(1 << bit % 8);
        }
      /* With a sum that fits: magic, length of blocks, size, both lengths, and the two ends. */
      for (guint k = 0; k < 8; k++)
        {
          const gsize at
              = ((const gsize[]){ 0, 16, 31, 40, 48, FIXED + 12, FIXED + 13 + 14, FIXED + 3 })[k];
          const guint8 before = head[at];

          head[at] = k == 7 ? 0 : (guint8)(k == 2 ? 0x80 : before + 1);
          sign (head);
          g_assert_false (reads (head, sizeof head, size, &key));
          head[at] = before;
        }
      /* Lengths that no head has room for, or only in sum where it wraps around. */
      for (guint k = 0; k < 6; k++)
        {
          const guint64 wrong = ((const guint64[]){ TSR_INDEX_HEAD_BYTES, (guint64)1 << 40,
                                                    G_MAXUINT64 - 13 })[k % 3];
          const gsize at = k < 3 ? 40 : 48;
          guint64 before;

          memcpy (&before, head + at, sizeof before);
          memcpy (head + at, &wrong, sizeof wrong);
          sign (head);
          g_assert_false (reads (head, sizeof head, size, &key));
          memcpy (head + at, &before, sizeof before);
        }
      sign (head);
      g_assert_true (reads (head, sizeof head, size, &key));
    }
}

/* Host and path fill it to its last byte, and no further. */
static void
test_long_heads (void)
{
  guint8 head[TSR_INDEX_HEAD_BYTES];
  const gsize room = TSR_INDEX_HEAD_BYTES - FIXED - 2;

  for (guint i = 0; i < 5; i++)
    for (gsize length = room - 1; length <= room + 1; length++)
      {
        const gsize of_host = ((const gsize[]){ 0, 1, 100, room - 5, length })[i];
        g_autofree char *host = g_strnfill (of_host, 'h');
        g_autofree char *path = g_strnfill (length - of_host, 'p');
        const TsrBlockKey key = { host, path, 1000, 2000 };
        gboolean written = tsr_block_index_write_head (&key, head);

        g_assert_cmpint (written, ==, length <= room);
        if (written)
          g_assert_true (reads (head, sizeof head, count_index_bytes (&key), &key));
      }
}

static void
test_most_blocks (void)
{
  for (gint64 more = -1; more <= 1; more++)
    {
      const TsrBlockKey key
          = { (char *)"h", (char *)"p", (gint64)TSR_INDEX_MAX_BLOCKS * TSR_BLOCK_BYTES + more, 0 };
      guint8 head[TSR_INDEX_HEAD_BYTES];

      g_assert_true (tsr_block_index_write_head (&key, head));
      g_assert_cmpint (reads (head, sizeof head, count_index_bytes (&key), &key), ==, more <= 0);
    }
}

static void
test_names (void)
{
  static const TsrBlockKey keys[] = {
    { (char *)"ab", (char *)"c", 1, 2 },  { (char *)"a", (char *)"bc", 1, 2 },
    { (char *)"ab", (char *)"d", 1, 2 },  { (char *)"ab", (char *)"c", 2, 2 },
    { (char *)"ab", (char *)"c", 1, 3 },  { (char *)"ab", (char *)"c", 12, 2 },
    { (char *)"ab", (char *)"c", 1, 22 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
      {
        g_autofree char *one = tsr_block_key_dup_name (&keys[i]);
        g_autofree char *other = tsr_block_key_dup_name (&keys[k]);
        g_autofree char *place = tsr_block_key_dup_place (keys[i].host, keys[i].path);
        const gboolean same_place
            = strcmp (keys[i].host, keys[k].host) == 0 && strcmp (keys[i].path, keys[k].path) == 0;

        g_assert_cmpuint (strlen (one), ==, 32 + 1 + 16);
        g_assert_cmpuint (strlen (place), ==, 32);
        g_assert_true (g_str_has_prefix (one, place) && one[32] == '-');
        g_assert_cmpint (strncmp (one, other, 32) == 0, ==, same_place);
        g_assert_cmpint (strcmp (one, other) == 0, ==, i == k);
      }
}

/* ---------------------------------------------------------------- listings */

static GPtrArray *
read_listing (GBytes *bytes)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  return tsr_listing_read ("host", "/path", data, length);
}

static void
add_entry (GPtrArray *entries, const char *name, guint flags, gint64 size)
{
  TsrFolderEntry *entry = g_new0 (TsrFolderEntry, 1);

  entry->name = g_strdup (name);
  entry->size = size;
  entry->mtime_us = 3 * size - 100;
  entry->is_folder = flags & 1;
  entry->is_link = flags >> 1 & 1;
  entry->is_dangling = flags >> 2 & 1;
  entry->is_readable = flags >> 3 & 1;
  g_ptr_array_add (entries, entry);
}

static void
test_listings (void)
{
  for (guint n = 0; n <= 16; n += 8)
    {
      g_autoptr (GPtrArray) entries
          = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
      g_autoptr (GPtrArray) read = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autofree guint8 *copy = NULL;
      gsize length;

      for (guint i = 0; i < n; i++)
        {
          g_autofree char *name = g_strdup_printf ("n%u \xff", i);

          add_entry (entries, name, i, (gint64)i * 1000);
        }
      bytes = tsr_listing_write ("host", "/path", entries);
      read = read_listing (bytes);
      g_assert_nonnull (read);
      g_assert_cmpuint (read->len, ==, n);
      for (guint i = 0; i < n; i++)
        {
          const TsrFolderEntry *a = entries->pdata[i], *b = read->pdata[i];

          g_assert_cmpstr (a->name, ==, b->name);
          g_assert_cmpint (a->size, ==, b->size);
          g_assert_cmpint (a->mtime_us, ==, b->mtime_us);
          g_assert_cmpint (a->is_folder, ==, b->is_folder);
          g_assert_cmpint (a->is_link, ==, b->is_link);
          g_assert_cmpint (a->is_dangling, ==, b->is_dangling);
          g_assert_cmpint (a->is_readable, ==, b->is_readable);
        }
      length = g_bytes_get_size (bytes);
      copy = g_memdup2 (g_bytes_get_data (bytes, NULL), length);
      g_assert_null (tsr_listing_read ("hosT", "/path", copy, length));
      g_assert_null (tsr_listing_read ("host", "/patH", copy, length));
      for (gsize cut = 0; cut < length; cut++)
        g_assert_null (tsr_listing_read ("host", "/path", copy, cut));
      for (gsize bit = 0; bit < 8 * length; bit++)
        {
          copy[bit / 8] ^= (guint8)(1 << bit % 8);
          g_assert_null (tsr_listing_read ("host", "/path", copy, length));
          copy[bit / 8] ^= (guint8)(1 << bit % 8);
        }
    }
}

/* A name that leads elsewhere, and a size that is none. */
static void
test_odd_listings (void)
{
  static const struct
  {
    const char *name;
    gint64 size;
    gboolean fine;
  } cases[] = { { "a", 0, TRUE },   { "a", -1, FALSE }, { "", 1, FALSE },    { ".", 1, FALSE },
                { "..", 1, FALSE }, { "...", 1, TRUE }, { "a/b", 1, FALSE }, { ".a", 1, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) entries
          = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
      g_autoptr (GPtrArray) read = NULL;
      g_autoptr (GBytes) bytes = NULL;

      add_entry (entries, "before", 8, 7);
      add_entry (entries, cases[i].name, 8, cases[i].size);
      bytes = tsr_listing_write ("host", "/path", entries);
      read = read_listing (bytes);
      g_assert_cmpint (read != NULL, ==, cases[i].fine);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/block-index/sums", test_sums);
  g_test_add_func ("/block-index/lengths", test_lengths);
  g_test_add_func ("/block-index/heads", test_heads);
  g_test_add_func ("/block-index/long-heads", test_long_heads);
  g_test_add_func ("/block-index/most-blocks", test_most_blocks);
  g_test_add_func ("/block-index/names", test_names);
  g_test_add_func ("/block-index/listings", test_listings);
  g_test_add_func ("/block-index/odd-listings", test_odd_listings);
  return g_test_run ();
}
