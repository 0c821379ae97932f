/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What debug.cbor costs: bench-debug FILE prints "debug SECONDS PASS CONTEXTS BYTES": the reader
 * with ids and parents resolved, and one pass of cbor_stream_decode with empty callbacks over the
 * same bytes in memory, both the least of rounds that alternate, in processor time of this thread;
 * the number of contexts, and the memory that they hold with their texts.  A FILE that is not there
 * is made, with some 300 MB. */

#include "config.h"

#include "bench-least.h"
#include "tsr-debug-tables.h"

#include <cbor.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ROUNDS   5
#define CONTEXTS 1500000
#define NAMES    200000

static double
get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
put_number (FILE *file, guint64 number)
{
  guint8 bytes[9];

  fwrite (bytes, 1, cbor_encode_uint (number, bytes, sizeof bytes), file);
}

static void
put_text (FILE *file, const char *text)
{
  guint8 bytes[9];

  fwrite (bytes, 1, cbor_encode_string_start (strlen (text), bytes, sizeof bytes), file);
  fwrite (text, 1, strlen (text), file);
}

/* { and [ of indefinite length, ! their end, other words texts. */
static void
put (FILE *file, const char *words)
{
  g_auto (GStrv) all = g_strsplit (words, " ", -1);

  for (guint i = 0; all[i] != NULL; i++)
    if (g_str_equal (all[i], "{"))
      fputc (0xbf, file);
    else if (g_str_equal (all[i], "["))
      fputc (0x9f, file);
    else if (g_str_equal (all[i], "!"))
      fputc (0xff, file);
    else
      put_text (file, all[i]);
}

static void
put_context (FILE *file, guint i)
{
  static const char *const layers[] = { "popart", "poplibs", "poplar" };
  static const char *const own[] = {
    "category op opid ai.onnx.Conv:11 inputs [ Conv_123456/w0 Conv_123456/w1 Conv_123456/w2 ! "
    "attributes { attr0 [1,2,3,4] attr1 [1,2,3,4] attr2 [1,2,3,4] attr3 [1,2,3,4] ! !",
    "api convolution args { arg0 { shape [16,64,56,56] type half ! arg1 { shape [16,64,56,56] "
    "type half ! arg2 { shape [16,64,56,56] type half ! ! outputs { output { shape [16,64] "
    "type half ! ! !",
    "!"
  };

  put (file, "{ id");
  put_number (file, i);
  put_text (file, "parentId");
  put_number (file, i <= 10 ? 0 : i - 1 - i % 7);
  put_text (file, "name");
  put_number (file, i % NAMES);
  put_text (file, "layer");
  put_text (file, layers[i % 3]);
  put (file, "location { fileName");
  put_number (file, i % 100);
  put_text (file, "lineNumber");
  put_number (file, i % 1000);
  put (file, "!");
  put (file, own[i % 3]);
}

static void
make_file (const char *path)
{
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    return;
  put (file, "{ contexts [");
  for (guint i = CONTEXTS; i > 0; i--)
    put_context (file, i);
  put (file, "! stringTable [");
  for (guint i = 0; i < NAMES; i++)
    {
      g_autofree char *name
          = g_strdup_printf ("model/layer%u/Conv_%u/fwd/Conv_%u", i % 50, i, i * 3);

      put_text (file, name);
    }
  put (file, "! !");
  fclose (file);
}

static double
pass (const char *bytes, gsize length)
{
  double start = get_time ();
  gsize at = 0;

  while (at < length)
    {
      struct cbor_decoder_result result
          = cbor_stream_decode ((cbor_data)bytes + at, length - at, &cbor_empty_callbacks, NULL);

      if (result.status != CBOR_DECODER_FINISHED)
        return -1;
      at += result.read;
    }
  return get_time () - start;
}

/* (transfer full) (nullable) */
static TsrDebugTables *
load (const char *path, double *seconds)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSource) source = tsr_local_source_new (path, NULL);
  double start = get_time ();
  TsrDebugRows *rows
      = source != NULL ? tsr_debug_rows_read (source, NULL, diagnostics, NULL, NULL) : NULL;
  TsrDebugTables *tables = rows != NULL ? tsr_debug_tables_new (rows, source, diagnostics) : NULL;

  *seconds = get_time () - start;
  return tables;
}

int
main (int argc, char **argv)
{
  g_autofree char *bytes = NULL;
  double loaded = G_MAXDOUBLE;
  double passed = G_MAXDOUBLE;
  double held = 0;
  guint n = 0;
  gsize length;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-debug FILE\n");
      return 2;
    }
  if (!g_file_test (argv[1], G_FILE_TEST_EXISTS))
    make_file (argv[1]);
  if (!g_file_get_contents (argv[1], &bytes, &length, NULL))
    return 1;
  for (guint i = 0; i < ROUNDS; i++)
    {
      struct mallinfo2 before = mallinfo2 ();
      double seconds;
      g_autoptr (TsrDebugTables) tables = load (argv[1], &seconds);
      struct mallinfo2 after = mallinfo2 ();

      if (tables == NULL)
        return 1;
      n = tables->n;
      held = (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
      loaded = MIN (loaded, seconds);
      bench_take_least (&passed, pass (bytes, length));
    }
  printf ("debug %.6f %.6f %u %.0f\n", loaded, passed, n, held);
  return 0;
}
