/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What Perfetto reads of a trace, field by field, against perfetto.txt (see golden.h). */

#include "config.h"

#include "golden.h"
#include "tsr-perfetto.h"
#include "tsr-test.h"

#include <string.h>

static guint64
take_varint (const guint8 **at, const guint8 *end)
{
  guint64 value = 0;
  guint shift = 0;

  do
    {
      g_assert_true (*at < end && shift < 64);
      value |= (guint64)(**at & 0x7f) << shift;
      shift += 7;
    }
  while ((*(*at)++ & 0x80) != 0);
  return value;
}

/* The fields of a message, those of messages in it under them; a decoder that knows no names. */
static void
dump_message (GString *out, const guint8 *at, const guint8 *end, guint depth)
{
  while (at < end)
    {
      const guint64 head = take_varint (&at, end);

      g_string_append_printf (out, "%*s%u: ", (int)depth * 2, "", (guint)(head >> 3));
      if ((head & 7) == 0)
        g_string_append_printf (out, "%" G_GUINT64_FORMAT "\n", take_varint (&at, end));
      else
        {
          const guint64 length = (head & 7) == 1 ? 8 : take_varint (&at, end);
          gboolean text = TRUE;
          double real;

          g_assert_true ((head & 7) <= 2 && length <= (guint64)(end - at));
          for (guint64 i = 0; i < length; i++)
            text = text && (at[i] >= ' ' || at[i] == '\n');
          if ((head & 7) == 1)
            {
              memcpy (&real, at, sizeof real);
              g_string_append_printf (out, "%g\n", real);
            }
          else if (text)
            g_string_append_printf (out, "\"%.*s\"\n", (int)length, at);
          else
            {
              g_string_append (out, "{\n");
              dump_message (out, at, at + length, depth + 1);
            }
          at += length;
        }
    }
}

/* All of the trace, and the same of an IPU, a run, a part. */
static void
test_ranges (gconstpointer golden)
{
  static const TsrPerfettoRange ranges[] = { { 0, G_MAXINT64, TSR_NO_INDEX, TSR_NO_INDEX },
                                             { 0, G_MAXINT64, 0, TSR_NO_INDEX },
                                             { 0, G_MAXINT64, 1, TSR_NO_INDEX },
                                             { 0, G_MAXINT64, TSR_NO_INDEX, 0 },
                                             { 2450, 3010, TSR_NO_INDEX, TSR_NO_INDEX },
                                             { 2450, 3010, 1, 1 } };
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (place, tsr_test_get_report ("tiny"), TSR_LOAD_ALL, NULL, &error);
  g_autoptr (TsrTrace) trace = tsr_trace_new (report, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (ranges); i++)
    {
      g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
      GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (stream);
      const guint8 *bytes;

      tsr_perfetto_write (trace, i % 2 ? NULL : tsr_report_get_liveness_tables (report),
                          &ranges[i / 2], stream, NULL, &error);
      g_assert_no_error (error);
      bytes = g_memory_output_stream_get_data (memory);
      g_string_append_printf (out, "## perfetto of range %u\n", i);
      dump_message (out, bytes, bytes + g_memory_output_stream_get_data_size (memory), 0);
    }
  golden_compare (golden, out->str);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  g_test_add_data_func ("/perfetto/ranges", argv[1], test_ranges);
  return g_test_run ();
}
