/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A remote place and its sources over a fake other side: what is read is what is there, what is
 * asked for is what is needed, and what changes, breaks or is cut off says so. */

#include "config.h"

#include "fake-remote.h"
#include "tsr-error.h"
#include "tsr-read-ahead.h"
#include "tsr-remote-error.h"
#include "tsr-remote-source.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#define NAME "file.pop"
#define PATH "/" NAME
#define SIZE (700 * TSR_BLOCK_BYTES + 321)
/* A round trip, where one is counted by the clock. */
#define LATENCY 0.03

typedef struct
{
  char *root, *cache_folder;
  guint8 *bytes;
  FakeRemote *fake;
  TsrBlockCache *cache;
  TsrRemotePlace *place;
} Fixture;

/* Writes the file with a time of its own, seconds after 2023. */
static void
write_file (Fixture *fixture, const guint8 *bytes, gsize size, guint seconds)
{
  g_autofree char *path = g_build_filename (fixture->root, NAME, NULL);
  struct utimbuf times = { 1700000000 + seconds, 1700000000 + seconds };

  tsr_test_write (fixture->root, NAME, bytes, (gssize)size);
  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->root = tsr_test_folder_new ();
  fixture->cache_folder = tsr_test_folder_new ();
  fixture->bytes = tsr_test_make_bytes (SIZE, 5);
  write_file (fixture, fixture->bytes, SIZE, 0);
  fixture->fake = fake_remote_new (fixture->root);
  fixture->cache = tsr_block_cache_new (fixture->cache_folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  fixture->place = fake_remote_make_place (fixture->fake, fixture->cache);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->place);
  fake_remote_unref (fixture->fake);
  tsr_block_cache_unref (fixture->cache);
  g_free (fixture->bytes);
  tsr_test_folder_free (fixture->root);
  tsr_test_folder_free (fixture->cache_folder);
}

/* As another process, later. */
static void
start_again (Fixture *fixture)
{
  g_clear_object (&fixture->place);
  tsr_block_cache_unref (fixture->cache);
  fixture->cache = tsr_block_cache_new (fixture->cache_folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  fixture->place = fake_remote_make_place (fixture->fake, fixture->cache);
  fake_remote_reset_counts (fixture->fake);
}

static TsrSource *
open_source (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  TsrSource *source = tsr_place_open (TSR_PLACE (fixture->place), PATH, NULL, &error);

  g_assert_no_error (error);
  return source;
}

static FakeCounts
get_counts (Fixture *fixture)
{
  FakeCounts counts;

  fake_remote_get_counts (fixture->fake, &counts);
  return counts;
}

static void
check_read (TsrSource *source, const guint8 *file, gint64 offset, gsize length)
{
  g_autofree guint8 *bytes = g_malloc (length + 1);
  g_autoptr (GError) error = NULL;
  gint64 wanted = CLAMP (SIZE - offset, 0, (gint64)length);

  g_assert_cmpint (tsr_source_read (source, offset, bytes, length, NULL, &error), ==, wanted);
  g_assert_no_error (error);
  g_assert_true (wanted == 0 || memcmp (bytes, file + offset, (gsize)wanted) == 0);
}

static void
check_fails (TsrSource *source, gint64 offset, GQuark domain, int code, const char *word)
{
  guint8 bytes[100];
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (tsr_source_read (source, offset, bytes, sizeof bytes, NULL, &error), ==, -1);
  g_assert_error (error, domain, code);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (word != NULL && strstr (error->message, word) == NULL)
    g_error ("“%s” is not in “%s”", word, error->message);
}

/* -------------------------------------------------------------------- reading */

typedef struct
{
  Fixture *fixture;
  TsrSource *source;
  guint seed;
} Reader;

static gpointer
read_randomly (gpointer data)
{
  Reader *reader = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (reader->seed);

  for (guint i = 0; i < 300; i++)
    {
      gint64 offset = g_rand_int_range (rand, 0, SIZE + 1000);
      gsize length = (gsize)g_rand_int_range (rand, 0, i % 50 == 0 ? 12 << 20 : 9000);

      check_read (reader->source, reader->fixture->bytes, offset, length);
    }
  return NULL;
}

static gpointer
read_ranges_randomly (gpointer data)
{
  Reader *reader = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (reader->seed);

  for (guint i = 0; i < 20; i++)
    {
      TsrSourceRange ranges[60];
      g_autoptr (GError) error = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (ranges); j++)
        {
          ranges[j].offset = g_rand_int_range (rand, 0, SIZE + 1000);
          ranges[j].length = (gsize)g_rand_int_range (rand, 0, j % 20 == 7 ? 9 << 20 : 70000);
          ranges[j].bytes = g_malloc (ranges[j].length + 1);
        }
      g_assert_true (
          tsr_source_read_ranges (reader->source, ranges, G_N_ELEMENTS (ranges), NULL, &error));
      g_assert_no_error (error);
      for (guint j = 0; j < G_N_ELEMENTS (ranges); j++)
        {
          gint64 wanted = CLAMP (SIZE - ranges[j].offset, 0, (gint64)ranges[j].length);

          g_assert_cmpuint (ranges[j].got, ==, wanted);
          g_assert_true (
              wanted == 0
              || memcmp (ranges[j].bytes, reader->fixture->bytes + ranges[j].offset, (gsize)wanted)
                     == 0);
          g_free (ranges[j].bytes);
        }
    }
  return NULL;
}

/* Many threads at once get what is there, and each block comes once. */
static void
test_threads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  Reader readers[6];
  GThread *threads[6];

  fake_remote_set_line (fixture->fake, 0.001, 0);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      readers[i] = (Reader){ fixture, source, i };
      threads[i]
          = g_thread_new (NULL, i % 3 == 2 ? read_ranges_randomly : read_randomly, &readers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (get_counts (fixture).bytes, <=, SIZE);
  g_assert_true (tsr_source_check_unchanged (source, NULL, NULL));
  g_assert_true (tsr_source_is_slow (source));
}

static double
seconds_since (gint64 start)
{
  return (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

/* Pages of 4 KiB, one after the other, with a jump now and then: the line is full. */
static void
test_stream (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  const double rate = 40e6;
  gint64 start;
  double least;

  fake_remote_set_line (fixture->fake, 0.02, rate);
  start = g_get_monotonic_time ();
  for (gint64 at = 0; at < SIZE; at += 4096)
    {
      check_read (source, fixture->bytes, at, 4096);
      if (at % (40 * 4096) == 0)
        check_read (source, fixture->bytes, SIZE / 2, 4096);
    }
  least = seconds_since (start);
  g_test_message ("%.3f s, %.3f s of it on the line", least, SIZE / rate);
  /* One block each round trip would be 14 s, this is 0.6 s and some at the beginning. */
  g_assert_cmpfloat (least, <, 7);
  g_assert_cmpuint (get_counts (fixture).bytes, ==, SIZE);
}

static void
test_random_access (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GHashTable) blocks = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < 100; i++)
    {
      gint64 block = g_rand_int_range (rand, 0, 70) * 10;

      g_hash_table_add (blocks, GINT_TO_POINTER ((gint)block + 1));
      check_read (source, fixture->bytes, block * TSR_BLOCK_BYTES + 5000, 4096);
    }
  /* The four that every file begins with, and those that were asked for. */
  g_assert_cmpuint (get_counts (fixture).bytes, <=,
                    (g_hash_table_size (blocks) + 4) * TSR_BLOCK_BYTES);
}

static void
test_ranges_are_a_wave (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  TsrSourceRange ranges[100];
  gint64 start;

  check_read (source, fixture->bytes, 0, 10);
  fake_remote_set_line (fixture->fake, LATENCY, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      ranges[i].offset = (gint64)(i * 6 + 10) * TSR_BLOCK_BYTES;
      ranges[i].length = 100;
      ranges[i].bytes = g_malloc (100);
    }
  start = g_get_monotonic_time ();
  g_assert_true (tsr_source_read_ranges (source, ranges, G_N_ELEMENTS (ranges), NULL, NULL));
  /* One after the other they would take 100. */
  g_assert_cmpfloat (seconds_since (start), <, 30 * LATENCY);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_assert_cmpmem (ranges[i].bytes, 100, fixture->bytes + ranges[i].offset, 100);
      g_free (ranges[i].bytes);
    }
}

/* Until as much has come, and what comes with it. */
static FakeCounts
wait_for_bytes (Fixture *fixture, guint64 bytes)
{
  for (guint i = 0; i < 6000 && get_counts (fixture).bytes < bytes; i++)
    g_usleep (10000);
  return get_counts (fixture);
}

/* What is known to be read comes while one does something else. */
static void
test_prefetch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  TsrSourceRange ranges[2] = { { .offset = 100 * TSR_BLOCK_BYTES + 7, .length = TSR_BLOCK_BYTES },
                               { .offset = SIZE - 10, .length = 1000 } };
  FakeCounts counts;

  check_read (source, fixture->bytes, 0, 10);
  tsr_source_prefetch (source, ranges, 2);
  counts = wait_for_bytes (fixture, 6 * TSR_BLOCK_BYTES + 321);
  g_assert_cmpuint (counts.bytes, ==, 6 * TSR_BLOCK_BYTES + 321);
  check_read (source, fixture->bytes, ranges[0].offset, TSR_BLOCK_BYTES);
  check_read (source, fixture->bytes, SIZE - 10, 10);
  g_assert_cmpuint (get_counts (fixture).bytes, ==, counts.bytes);
  /* Everything, as long as somebody has the source. */
  tsr_source_prefetch_all (source);
  counts = wait_for_bytes (fixture, SIZE);
  g_assert_cmpuint (counts.bytes, ==, SIZE);
}

static void
test_read_ahead (Fixture *fixture, gconstpointer data)
{
  TsrReadAhead ahead = { 0 };
  guint64 first, asked = 0, read = 0;
  guint64 places[3] = { 10, 100000, 200000 };
  guint64 ends[3] = { 10, 100000, 200000 };
  gboolean failed = FALSE;

  /* Three streams in turn, with single reads between that go nowhere. */
  for (guint i = 0; i < 3000; i++)
    {
      guint s = i % 3;
      guint n = tsr_read_ahead_note (&ahead, places[s], TRUE, &first);

      read++;
      if (n > 0)
        {
          g_assert_cmpuint (first, ==, MAX (ends[s], places[s] + 1));
          g_assert_cmpuint (first + n, <=, places[s] + 1 + TSR_READ_AHEAD_MAX);
          ends[s] = first + n;
          asked += n;
        }
      failed |= i > 300 && ends[s] < places[s] + 64;
      /* In vain at most twice what was read. */
      g_assert_cmpuint (ends[s] - places[s], <=, 2 * (i / 3) + 8);
      places[s]++;
      g_assert_cmpuint (tsr_read_ahead_note (&ahead, 300000 + 1000 * i, TRUE, &first), ==, 0);
    }
  g_assert_false (failed);
  g_assert_cmpuint (asked, >=, read - 10);
  /* What was here already says nothing. */
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (tsr_read_ahead_note (&ahead, 50000 + i, FALSE, &first), ==, 0);
}

/* Nothing is fetched across an end, and everything before it; who goes on behind it is a stream
 * there. */
static void
test_read_to_end (Fixture *fixture, gconstpointer data)
{
  TsrReadAhead ahead = { 0 };
  guint64 first, asked = 10;

  for (guint i = 1; i < 40; i++)
    tsr_read_ahead_add_end (&ahead, i < 20 ? 5000 + i : 700);
  for (guint64 block = 10; block < 2000; block++)
    {
      guint n = tsr_read_ahead_note (&ahead, block, TRUE, &first);

      if (n > 0)
        asked = first + n;
      g_assert_cmpuint (asked, <=, block < 700 ? 700 : 2000 + TSR_READ_AHEAD_MAX);
      if (block == 699)
        g_assert_cmpuint (asked, ==, 700);
    }
  g_assert_cmpuint (asked, >=, 2000 + TSR_READ_AHEAD_MAX / 2);
}

/* ------------------------------------------------------------------ the cache */

static void
test_second_time (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);

  for (guint i = 0; i < 40; i++)
    check_read (source, fixture->bytes, (gint64)i * 17 * TSR_BLOCK_BYTES, 5000);
  g_clear_object (&source);
  tsr_remote_place_flush ();
  start_again (fixture);
  source = open_source (fixture);
  for (guint i = 0; i < 40; i++)
    check_read (source, fixture->bytes, (gint64)i * 17 * TSR_BLOCK_BYTES, 5000);
  g_assert_cmpuint (get_counts (fixture).bytes, ==, TSR_BLOCK_BYTES);
}

/* The same size and time, other content: nothing of the old one is given. */
static void
test_other_content (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autofree guint8 *other = tsr_test_make_bytes (SIZE, 6);

  for (gint64 at = 0; at < SIZE; at += 100000)
    check_read (source, fixture->bytes, at, 100);
  g_clear_object (&source);
  tsr_remote_place_flush ();
  write_file (fixture, other, SIZE, 0);
  start_again (fixture);
  source = open_source (fixture);
  for (gint64 at = SIZE - 5000; at > 0; at -= 90000)
    check_read (source, other, at, 100);
  check_read (source, other, 0, 100);
}

static void
test_changed_while_open (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, NAME, NULL);
  struct utimbuf times = { 1700000000, 1700000000 };
  FILE *file;
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *other = tsr_test_make_bytes (SIZE, 6);

  check_read (source, fixture->bytes, 0, 100);
  g_assert_true (tsr_source_check_unchanged (source, NULL, NULL));
  /* Within the same second: written over, so that only its bytes tell. */
  file = g_fopen (path, "r+");
  g_assert_cmpuint (fwrite (other, 1, SIZE, file), ==, SIZE);
  fclose (file);
  g_assert_cmpint (utime (path, &times), ==, 0);
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_clear_error (&error);
  g_clear_object (&source);
  /* A second later. */
  start_again (fixture);
  source = open_source (fixture);
  check_read (source, other, 0, 100);
  write_file (fixture, other, SIZE, 1);
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_clear_error (&error);
  g_unlink (path);
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
}

/* What is read where there is nothing needs nobody. */
static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autoptr (GError) error = NULL;
  guint8 byte;

  fake_remote_set_down (fixture->fake, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (tsr_source_read (source, SIZE + (i == 1), &byte, i < 2, NULL, &error), ==,
                       0);
      g_assert_no_error (error);
    }
  check_fails (source, SIZE - 1, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "");
}

/* Cut off after the listing: an error, not zeros. */
static void
test_shorter (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autofree char *path = g_build_filename (fixture->root, NAME, NULL);

  check_read (source, fixture->bytes, 0, 100);
  g_assert_cmpint (truncate (path, 50 * TSR_BLOCK_BYTES), ==, 0);
  check_fails (source, SIZE - 200, TSR_ERROR, TSR_ERROR_CHANGED, NAME);
}

/* ------------------------------------------------------------------- without a network */

static void
test_offline (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFolderEntry) entry = NULL;
  const TsrFolderEntry *first;

  entries = tsr_place_list (TSR_PLACE (fixture->place), "/", NULL, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
  g_clear_pointer (&entries, g_ptr_array_unref);
  for (guint i = 0; i < 10; i++)
    check_read (source, fixture->bytes, (gint64)i * 20 * TSR_BLOCK_BYTES, 100);
  g_assert_false (tsr_remote_place_is_offline (fixture->place));
  g_clear_object (&source);
  tsr_remote_place_flush ();
  fake_remote_set_down (fixture->fake, TRUE);
  start_again (fixture);

  entries = tsr_place_list (TSR_PLACE (fixture->place), "/", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 1);
  first = g_ptr_array_index (entries, 0);
  g_assert_cmpstr (first->name, ==, NAME);
  g_assert_cmpint (first->size, ==, SIZE);
  g_assert_true (tsr_remote_place_is_offline (fixture->place));
  g_assert_null (tsr_place_list (TSR_PLACE (fixture->place), "/other", NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  g_clear_error (&error);
  entry = tsr_place_stat (TSR_PLACE (fixture->place), "/none.pop", NULL, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  source = open_source (fixture);
  for (guint i = 0; i < 10; i++)
    check_read (source, fixture->bytes, (gint64)i * 20 * TSR_BLOCK_BYTES, 100);
  g_assert_true (tsr_source_check_unchanged (source, NULL, NULL));
  check_fails (source, 5 * TSR_BLOCK_BYTES, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "KiB");
  check_fails (source, 5 * TSR_BLOCK_BYTES, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, NAME);
  /* And back again: looked at before it is gone on with. */
  fake_remote_set_down (fixture->fake, FALSE);
  check_read (source, fixture->bytes, 5 * TSR_BLOCK_BYTES, 100);
  g_assert_false (tsr_remote_place_is_offline (fixture->place));
}

/* A connection lost while reading, and back: what comes then is not of the cache. */
static void
test_lost_and_back (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);

  check_read (source, fixture->bytes, 0, 100);
  fake_remote_set_down (fixture->fake, TRUE);
  check_fails (source, 5 * TSR_BLOCK_BYTES, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, NAME);
  g_assert_true (tsr_remote_place_is_offline (fixture->place));
  fake_remote_set_down (fixture->fake, FALSE);
  check_read (source, fixture->bytes, 5 * TSR_BLOCK_BYTES, 100);
  g_assert_false (tsr_remote_place_is_offline (fixture->place));
}

/* Given out without a network, then another file is there: never both. */
static void
test_offline_then_changed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autofree guint8 *other = tsr_test_make_bytes (SIZE, 6);
  g_autoptr (GPtrArray) entries = tsr_place_list (TSR_PLACE (fixture->place), "/", NULL, NULL);
  g_autoptr (GError) error = NULL;

  check_read (source, fixture->bytes, 50 * TSR_BLOCK_BYTES, 100);
  g_clear_object (&source);
  tsr_remote_place_flush ();
  fake_remote_set_down (fixture->fake, TRUE);
  start_again (fixture);
  source = open_source (fixture);
  check_read (source, fixture->bytes, 0, 100);
  check_read (source, fixture->bytes, 50 * TSR_BLOCK_BYTES, 100);
  write_file (fixture, other, SIZE, 0);
  fake_remote_set_down (fixture->fake, FALSE);
  check_fails (source, 60 * TSR_BLOCK_BYTES, TSR_ERROR, TSR_ERROR_CHANGED, NAME);
  check_fails (source, 50 * TSR_BLOCK_BYTES, TSR_ERROR, TSR_ERROR_CHANGED, NAME);
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_clear_object (&source);
  start_again (fixture);
  source = open_source (fixture);
  check_read (source, other, 50 * TSR_BLOCK_BYTES, 100);
}

/* The line breaks while somebody reads, and comes back. */
static void
test_broken_line (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = g_malloc (SIZE);

  check_read (source, fixture->bytes, 0, 100);
  g_assert_true (tsr_source_check_unchanged (source, NULL, NULL));
  fake_remote_set_down_after (fixture->fake, 100 * TSR_BLOCK_BYTES);
  g_assert_cmpint (tsr_source_read (source, 0, bytes, SIZE, NULL, &error), ==, -1);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  g_clear_error (&error);
  /* Something was read since the last look: nobody knows. */
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  check_read (source, fixture->bytes, 3 * TSR_BLOCK_BYTES, 100);
  fake_remote_set_down (fixture->fake, FALSE);
  check_read (source, fixture->bytes, 0, SIZE);
  g_assert_true (tsr_source_check_unchanged (source, NULL, NULL));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);
  g_autoptr (GError) error = NULL;
  guint8 bytes[10];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      TsrSourceRange range = { .offset = 100 * TSR_BLOCK_BYTES, .length = 10, .bytes = bytes };
      GThread *thread;
      gint64 start = g_get_monotonic_time ();

      fake_remote_set_stalled (fixture->fake, TRUE);
      thread = g_thread_new (NULL, cancel_soon, cancellable);
      if (i == 0)
        g_assert_cmpint (tsr_source_read (source, 9000000, bytes, 10, cancellable, &error), ==, -1);
      else
        g_assert_false (tsr_source_read_ranges (source, &range, 1, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
      g_assert_cmpfloat (seconds_since (start), <, 20);
      g_thread_join (thread);
      fake_remote_set_stalled (fixture->fake, FALSE);
      check_read (source, fixture->bytes, 9000000, 10);
    }
}

/* ------------------------------------------------------------------------ copies */

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { PATH, NULL };
  g_autoptr (GPtrArray) entries = tsr_place_list (TSR_PLACE (fixture->place), "/", NULL, NULL);
  g_autoptr (TsrProgress) progress = tsr_progress_new ();
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;
  TsrSourceStamp stamp = { 0 };
  TsrRemoteCopy copy;
  guint64 first_part;

  tsr_remote_place_get_copy (fixture->place, paths, &copy);
  g_assert_cmpint (copy.bytes, ==, SIZE);
  g_assert_cmpint (copy.here, ==, 0);
  g_assert_false (copy.is_whole);
  /* How long it takes is known while something comes. */
  fake_remote_set_line (fixture->fake, 0, 0);
  tsr_remote_place_get_copy (fixture->place, paths, &copy);
  g_assert_true (isnan (copy.bytes_per_s) && isnan (copy.seconds_left));
  fake_remote_set_line (fixture->fake, 0, 1e9);
  tsr_remote_place_get_copy (fixture->place, paths, &copy);
  g_assert_cmpfloat (copy.bytes_per_s, ==, 1e9);
  g_assert_cmpfloat (copy.seconds_left, ==, SIZE / 1e9);
  /* What is not there does not hide what comes behind it. */
  tsr_remote_place_get_copy (fixture->place, (const char *const[]){ "/not-there", PATH, NULL },
                             &copy);
  g_assert_cmpint (copy.bytes, ==, SIZE);
  fake_remote_set_down_after (fixture->fake, 300 * TSR_BLOCK_BYTES);
  g_assert_false (tsr_remote_place_fetch (fixture->place, paths, progress, NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  g_clear_error (&error);
  tsr_remote_place_flush ();
  first_part = get_counts (fixture).bytes;
  tsr_remote_place_get_copy (fixture->place, paths, &copy);
  g_assert_cmpint (copy.here, >=, 100 * TSR_BLOCK_BYTES);
  g_assert_cmpint (copy.here, <=, (gint64)first_part);
  g_assert_false (copy.is_whole);
  g_assert_cmpfloat (copy.seconds_left, ==, (double)(SIZE - copy.here) / copy.bytes_per_s);
  /* Goes on where it stopped, also in another process. */
  fake_remote_set_down (fixture->fake, FALSE);
  start_again (fixture);
  g_assert_true (tsr_remote_place_fetch (fixture->place, paths, progress, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (tsr_progress_get_fraction (progress), ==, 1);
  g_assert_cmpuint (get_counts (fixture).bytes + (guint64)copy.here, <=,
                    SIZE + 2 * TSR_BLOCK_BYTES);
  tsr_remote_place_get_copy (fixture->place, paths, &copy);
  g_assert_cmpint (copy.here, ==, SIZE);
  g_assert_true (copy.is_whole);
  tsr_remote_place_get_copy (fixture->place, (const char *const[]){ "/not-there", PATH, NULL },
                             &copy);
  g_assert_cmpint (copy.here, ==, SIZE);
  g_assert_false (copy.is_whole);
  /* Kept under the name of the machine's key, which the address tells. */
  stamp.size = SIZE;
  stamp.mtime_us = ((TsrFolderEntry *)entries->pdata[0])->mtime_us;
  g_assert_cmpint (tsr_block_cache_measure (fixture->cache, "user@rack", PATH, &stamp), ==, SIZE);
  fake_remote_set_down (fixture->fake, TRUE);
  start_again (fixture);
  source = open_source (fixture);
  check_read (source, fixture->bytes, 0, SIZE);
}

static void
test_copy_limit (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { PATH, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSource) source = NULL;

  tsr_block_cache_set_limit (fixture->cache, 100 * TSR_BLOCK_BYTES);
  g_assert_false (tsr_remote_place_fetch (fixture->place, paths, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  /* It stops when no more fits, and does not begin again. */
  g_assert_cmpuint (get_counts (fixture).bytes, <=, SIZE);
  source = open_source (fixture);
  check_read (source, fixture->bytes, 0, SIZE);
  g_assert_cmpuint (tsr_block_cache_get_bytes (fixture->cache), <=, 100 * TSR_BLOCK_BYTES);
}

/* Where nothing can be written, it says why. */
static void
test_copy_unwritable (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { PATH, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_chmod (fixture->cache_folder, 0500), ==, 0);
  g_assert_false (tsr_remote_place_fetch (fixture->place, paths, NULL, NULL, &error));
  g_assert_cmpint (g_chmod (fixture->cache_folder, 0700), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_nonnull (strstr (error->message, fixture->cache_folder));
}

/* Without a network nothing is copied, nor known to be what the server has. */
static void
test_copy_offline (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { PATH, NULL };
  g_autoptr (TsrSource) source = open_source (fixture);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean ok;

      fake_remote_set_down (fixture->fake, i != 2);
      ok = i == 0 ? tsr_remote_source_fetch (TSR_REMOTE_SOURCE (source), NULL, NULL, &error)
                  : tsr_remote_place_fetch (fixture->place, paths, NULL, NULL, &error);
      g_assert_cmpint (ok, ==, i == 2);
      if (ok)
        g_assert_no_error (error);
      else
        g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
    }
}

/* Readers do not wait behind a copy. */
static void
test_copy_gives_way (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrSource) source = open_source (fixture);

  check_read (source, fixture->bytes, 0, 100);
  fake_remote_set_line (fixture->fake, 0.01, 5e6);
  tsr_source_prefetch_all (source);
  g_usleep (50000);
  check_read (source, fixture->bytes, SIZE - 100, 100);
  /* The whole file takes 4.6 s. */
  g_assert_cmpuint (get_counts (fixture).bytes, <, SIZE / 2);
}

/* ----------------------------------------------------------------------- the place */

static void
test_place (Fixture *fixture, gconstpointer data)
{
  TsrPlace *place = TSR_PLACE (fixture->place);
  g_autofree char *folder = g_build_filename (fixture->root, "training", NULL);
  g_autofree char *home = g_build_filename (fixture->root, "home", NULL);
  g_autofree char *path = NULL;
  g_autofree char *link = g_build_filename (folder, "debug.cbor", NULL);
  g_autoptr (TsrFolderEntry) entry = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;

  g_mkdir (folder, 0755);
  g_mkdir (home, 0755);
  tsr_test_write (folder, "profile.pop", "content", 7);
  tsr_test_write (fixture->root, "debug.cbor", "debug", 5);
  tsr_test_write (home, "x", "abc", 3);
  g_assert_cmpint (symlink ("../debug.cbor", link), ==, 0);

  g_assert_true (tsr_place_is_remote (place));
  entry = tsr_place_stat (place, "/training", NULL, &error);
  g_assert_true (entry->is_folder && entry->is_readable);
  g_assert_cmpstr (entry->name, ==, "training");
  entries = tsr_place_list (place, "/training", NULL, &error);
  g_assert_cmpuint (entries->len, ==, 2);
  g_clear_pointer (&entry, tsr_folder_entry_free);
  entry = tsr_place_stat (place, "/training/profile.pop", NULL, &error);
  g_assert_cmpint (entry->size, ==, 7);
  g_assert_null (tsr_place_stat (place, "/training/profile.pop-journal", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  path = tsr_place_resolve (place, "/training/profile.pop");
  g_assert_cmpstr (path, ==, "/training/profile.pop");
  source = tsr_place_open (place, "/training/debug.cbor", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tsr_source_get_size (source), ==, 5);
  g_assert_cmpstr (tsr_source_get_base_name (source), ==, "debug.cbor");
  /* All that from one listing; the source has begun to read. */
  g_assert_cmpuint (get_counts (fixture).trips, <=, 5);
  g_assert_cmpuint (get_counts (fixture).stats, ==, 0);
  g_clear_pointer (&path, g_free);
  path = tsr_place_resolve (place, "/training/debug.cbor");
  g_assert_cmpstr (path, ==, "/debug.cbor");

  g_clear_pointer (&entry, tsr_folder_entry_free);
  entry = tsr_place_stat (place, "/~/x", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (entry->size, ==, 3);
  g_clear_pointer (&path, g_free);
  path = tsr_remote_place_expand (fixture->place, "~/x", NULL, NULL);
  g_assert_cmpstr (path, ==, "/home/x");
  g_assert_null (tsr_place_open (place, "/training", NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
  /* After that long it is asked again, with one round trip. */
  g_usleep (2100000);
  fake_remote_reset_counts (fixture->fake);
  g_clear_pointer (&entry, tsr_folder_entry_free);
  entry = tsr_place_stat (place, "/training/profile.pop", NULL, NULL);
  g_assert_cmpint (entry->size, ==, 7);
  g_assert_cmpuint (get_counts (fixture).trips, ==, 1);
}

/* What looks like a folder is listed, which tells what is in it; what looks like a file is only
 * looked at. */
static void
test_look (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    gboolean is_folder;
    guint trips;
  } names[] = {
    { "runs", TRUE, 4 },   { "v1.2", TRUE, 4 },   { "a.profile", TRUE, 4 },
    { "a.", TRUE, 4 },     { "runs.d", TRUE, 1 }, { "a.profil", TRUE, 1 },
    { "x.pop", FALSE, 1 }, { "x", FALSE, 5 },     { "x.pop7", FALSE, 5 },
  };
  g_autofree char *dangling = g_build_filename (fixture->root, "gone.pop", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *local = g_build_filename (fixture->root, names[i].name, NULL);
      g_autofree char *path = g_strconcat ("/", names[i].name, NULL);
      g_autoptr (TsrFolderEntry) entry = NULL;

      if (names[i].is_folder)
        g_mkdir (local, 0755);
      else
        tsr_test_write (fixture->root, names[i].name, "abc", 3);
      fake_remote_reset_counts (fixture->fake);
      entry = tsr_place_stat (TSR_PLACE (fixture->place), path, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (entry->is_folder == names[i].is_folder);
      g_assert_cmpstr (entry->name, ==, names[i].name);
      g_assert_cmpuint (get_counts (fixture).trips, ==, names[i].trips);
    }
  g_assert_cmpint (symlink ("nowhere", dangling), ==, 0);
  g_assert_null (tsr_place_open (TSR_PLACE (fixture->place), "/gone.pop", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  /* Missed is what there may be. */
  g_assert_cmpuint (tsr_remote_place_count_missed (fixture->place), ==, 0);
  fake_remote_set_down (fixture->fake, TRUE);
  g_assert_null (tsr_place_open (TSR_PLACE (fixture->place), "/far/x.pop", NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  g_assert_cmpuint (tsr_remote_place_count_missed (fixture->place), ==, 1);
}

/* Where the home was is known without a network, if it was asked for before; and what was listed.
 */
static void
test_home_offline (Fixture *fixture, gconstpointer data)
{
  g_autofree char *home = g_build_filename (fixture->root, "home", NULL);
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;

  g_mkdir (home, 0755);
  tsr_test_write (home, "x", "abc", 3);
  fake_remote_set_down (fixture->fake, TRUE);
  g_assert_null (tsr_remote_place_expand (fixture->place, "~/x", NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  g_clear_error (&error);
  fake_remote_set_down (fixture->fake, FALSE);
  path = tsr_remote_place_expand (fixture->place, "~/x", NULL, &error);
  g_assert_no_error (error);
  entries = tsr_place_list (TSR_PLACE (fixture->place), "/home", NULL, &error);
  g_assert_cmpuint (entries->len, ==, 1);
  tsr_remote_place_flush ();
  fake_remote_set_down (fixture->fake, TRUE);
  start_again (fixture);
  g_free (path);
  path = tsr_remote_place_expand (fixture->place, "~/x", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (path, ==, "/home/x");
  g_ptr_array_unref (entries);
  entries = tsr_place_list (TSR_PLACE (fixture->place), "/home", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 1);
}

/* A folder that was listed is one without a network, too, whatever is around it. */
static void
test_listed_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "listed", NULL);

  g_mkdir (path, 0755);
  for (guint i = 0; i < 3; i++)
    {
      TsrPlace *place = TSR_PLACE (fixture->place);
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (TsrFolderEntry) entry = NULL;

      if (i < 2)
        {
          fake_remote_set_down (fixture->fake, i == 1);
          entries = tsr_place_list (place, "/listed", NULL, NULL);
          g_assert_cmpuint (entries->len, ==, 0);
        }
      else
        start_again (fixture);
      entry = tsr_place_stat (TSR_PLACE (fixture->place), "/listed", NULL, NULL);
      g_assert_nonnull (entry);
      g_assert_true (entry->is_folder);
      g_assert_cmpstr (entry->name, ==, "listed");
    }
}

/* Of many listings those that were asked for last are remembered. */
static void
test_many_listings (Fixture *fixture, gconstpointer data)
{
  TsrPlace *place = TSR_PLACE (fixture->place);

  fake_remote_set_line (fixture->fake, 0, 1e9); /* they are remembered for two seconds */
  for (guint round = 0; round < 2; round++)
    {
      fake_remote_reset_counts (fixture->fake);
      for (guint i = round == 0 ? 0 : 16; i < 80; i++)
        {
          g_autofree char *name = g_strdup_printf ("folder%u", i);
          g_autofree char *path = g_build_filename (fixture->root, name, NULL);
          g_autofree char *there = g_strconcat ("/", name, NULL);
          g_autoptr (GPtrArray) entries = NULL;

          g_mkdir (path, 0755);
          entries = tsr_place_list (place, there, NULL, NULL);
          g_assert_nonnull (entries);
        }
      /* All 64 of the second round were among the last of the first. */
      g_assert_cmpint (get_counts (fixture).trips >= 80, ==, round == 0);
      g_assert_cmpint (get_counts (fixture).trips == 0, ==, round == 1);
    }
  /* The first ones made room. */
  for (guint i = 16; i-- > 0;)
    {
      g_autofree char *there = g_strdup_printf ("/folder%u", i);
      g_autoptr (GPtrArray) entries = NULL;

      fake_remote_reset_counts (fixture->fake);
      entries = tsr_place_list (place, there, NULL, NULL);
      g_assert_cmpint (get_counts (fixture).trips, >, 0);
    }
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *, gconstpointer);
  } tests[] = {
    { "/remote-source/threads", test_threads },
    { "/remote-source/stream", test_stream },
    { "/remote-source/random-access", test_random_access },
    { "/remote-source/ranges-are-a-wave", test_ranges_are_a_wave },
    { "/remote-source/prefetch", test_prefetch },
    { "/remote-source/read-ahead", test_read_ahead },
    { "/remote-source/read-to-end", test_read_to_end },
    { "/remote-source/second-time", test_second_time },
    { "/remote-source/other-content", test_other_content },
    { "/remote-source/changed-while-open", test_changed_while_open },
    { "/remote-source/nothing", test_nothing },
    { "/remote-source/copy-offline", test_copy_offline },
    { "/remote-source/listed-folder", test_listed_folder },
    { "/remote-source/shorter", test_shorter },
    { "/remote-source/offline", test_offline },
    { "/remote-source/lost-and-back", test_lost_and_back },
    { "/remote-source/offline-then-changed", test_offline_then_changed },
    { "/remote-source/broken-line", test_broken_line },
    { "/remote-source/cancel", test_cancel },
    { "/remote-source/copy", test_copy },
    { "/remote-source/copy-limit", test_copy_limit },
    { "/remote-source/copy-unwritable", test_copy_unwritable },
    { "/remote-source/copy-gives-way", test_copy_gives_way },
    { "/remote-source/place", test_place },
    { "/remote-source/look", test_look },
    { "/remote-source/home-offline", test_home_offline },
    { "/remote-source/many-listings", test_many_listings },
  };

  g_test_init (&argc, &argv, NULL);
  tsr_test_obey_modes ();
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
