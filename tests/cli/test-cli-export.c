/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli export: the trace file decoded field by field, by what Perfetto's .proto files say.
 */

#include "config.h"

#include "cli-test.h"

#include <string.h>

/* A message's fields: varints as numbers, all else as bytes. */
typedef struct
{
  guint field;
  guint64 number;
  const guint8 *data;
  gsize length;
} Field;

static guint64
read_varint (const guint8 **p, const guint8 *end)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7)
    {
      g_assert_true (*p < end);
      value |= (guint64)(**p & 0x7f) << shift;
      if ((*(*p)++ & 0x80) == 0)
        return value;
    }
  g_assert_not_reached ();
}

static gboolean
read_field (const guint8 **p, const guint8 *end, Field *field)
{
  guint64 head;

  if (*p == end)
    return FALSE;
  head = read_varint (p, end);
  *field = (Field){ .field = (guint)(head >> 3) };
  if ((head & 7) == 0)
    field->number = read_varint (p, end);
  else
    {
      g_assert_true ((head & 7) == 1 || (head & 7) == 2);
      field->length = (head & 7) == 1 ? 8 : read_varint (p, end);
      g_assert_cmpuint (field->length, <=, (gsize)(end - *p));
      field->data = *p;
      *p += field->length;
    }
  return TRUE;
}

static gboolean
find_field (const Field *message, guint number, Field *found)
{
  const guint8 *p = message->data;

  while (read_field (&p, message->data + message->length, found))
    if (found->field == number)
      return TRUE;
  return FALSE;
}

static guint64
get_number (const Field *message, guint number)
{
  Field field;

  return find_field (message, number, &field) ? field.number : 0;
}

/* Slices of a track: how deep it stands now, and how many there were with arguments. */
typedef struct
{
  GArray *begun; /* guint64 times */
  guint64 time;
  guint steps;
  guint64 cycles; /* sum of the steps' nanoseconds */
} Track;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->begun);
  g_free (track);
}

static void
read_event (GHashTable *tracks, guint64 time, const Field *event)
{
  guint64 uuid = get_number (event, 11);
  guint64 type = get_number (event, 9);
  Track *track = g_hash_table_lookup (tracks, GSIZE_TO_POINTER (uuid));
  Field annotation;
  guint64 begun;

  g_assert_nonnull (track); /* told before it is used */
  g_assert_cmpuint (time, >=, track->time);
  track->time = time;
  if (type == 1)
    {
      g_assert_cmpuint (get_number (event, 10), !=, 0);
      begun = time << 1 | (find_field (event, 4, &annotation) ? 1 : 0);
      g_array_append_val (track->begun, begun);
    }
  else if (type == 2)
    {
      g_assert_cmpuint (track->begun->len, >, 0);
      begun = g_array_index (track->begun, guint64, track->begun->len - 1);
      g_array_set_size (track->begun, track->begun->len - 1);
      if ((begun & 1) != 0)
        {
          track->steps++;
          track->cycles += time - (begun >> 1);
        }
    }
  else
    g_assert_cmpuint (type, ==, 4);
}

static void
test_perfetto (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  char *target = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (target, "out.perfetto-trace", NULL);
  g_autofree char *output = g_strconcat ("--output=", path, NULL);
  g_autofree char *data = NULL;
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (NULL, NULL, NULL, track_free);
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL);
  g_auto (CliRun) run = { 0 };
  GHashTableIter iter;
  gpointer value;
  gsize length;
  guint steps = 0;
  const guint8 *p;
  Field packet;

  cli_run (&run, "export", "--as=perfetto", output, folder, NULL);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  p = (const guint8 *)data;
  while (read_field (&p, (const guint8 *)data + length, &packet))
    {
      Field field, name;

      g_assert_cmpuint (packet.field, ==, 1);
      g_assert_cmpuint (get_number (&packet, 10), ==, 1);
      g_assert_cmpuint (get_number (&packet, 13), !=, 0);
      if (find_field (&packet, 12, &field) && find_field (&field, 2, &name))
        g_hash_table_add (names, GSIZE_TO_POINTER (get_number (&name, 1)));
      if (find_field (&packet, 60, &field))
        {
          Track *track = g_new0 (Track, 1);

          track->begun = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (tracks, GSIZE_TO_POINTER (get_number (&field, 1)), track);
        }
      else if (find_field (&packet, 11, &field))
        {
          if (get_number (&field, 9) == 1)
            g_assert_true (
                g_hash_table_contains (names, GSIZE_TO_POINTER (get_number (&field, 10))));
          read_event (tracks, get_number (&packet, 8), &field);
        }
    }
  g_hash_table_iter_init (&iter, tracks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Track *track = value;

      g_assert_cmpuint (track->begun->len, ==, 0);
      steps += track->steps;
    }
  /* Every slice that took time is there once. */
  g_assert_cmpint (steps, ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu "
                                         "WHERE active_cycles_to_max > active_cycles_from_max"));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (target);
}

static void
test_export_refused (void)
{
  char *folder = cli_report_new ("demo");
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_autofree char *inside = g_strdup_printf ("--output=%s/profile.pop", folder);
  g_autofree char *nowhere = g_strdup_printf ("--output=%s/none/x", folder);
  const char *const words[] = { inside, nowhere };
  g_auto (CliRun) unsaid = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_auto (CliRun) run = { 0 };

      cli_run (&run, "export", "--as=perfetto", words[i], folder, NULL);
      g_assert_cmpint (run.status, ==, 2);
      g_assert_cmpstr (run.err, !=, "");
    }
  cli_run (&unsaid, "export", "--output=/dev/null", folder, NULL);
  g_assert_cmpint (unsaid.status, ==, 2);
  g_assert_nonnull (strstr (unsaid.err, "--as=perfetto"));
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/export/perfetto/tiny", "tiny", test_perfetto);
  g_test_add_data_func ("/export/perfetto/demo", "demo", test_perfetto);
  g_test_add_func ("/export/refused", test_export_refused);
  return g_test_run ();
}
