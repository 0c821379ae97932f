/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli export: the trace file decoded field by field, by what Perfetto's .proto files say.
 */

#include "config.h"

#include "cli-test.h"

#include <inttypes.h>
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

/* A track that a descriptor has told: a process, a counter, or one with slices that nest. */
typedef struct
{
  gboolean process, counter;
  guint64 pid;
  GArray *begun; /* guint64: begins of the slices that are open, and whether they have arguments */
  guint64 time;  /* of the latest event */
  guint n_events, steps;
} Track;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->begun);
  g_free (track);
}

/* What a reader of the sequence knows so far.  Keys are uuids and iids. */
typedef struct
{
  GHashTable *tracks;
  GHashTable *names[2]; /* of events, of annotations */
  GHashTable *pids;
  guint n_packets, n_counters, n_events;
} Reader;

static void
reader_init (Reader *reader)
{
  *reader = (Reader){ 0 };
  reader->tracks = g_hash_table_new_full (NULL, NULL, NULL, track_free);
  reader->names[0] = g_hash_table_new (NULL, NULL);
  reader->names[1] = g_hash_table_new (NULL, NULL);
  reader->pids = g_hash_table_new (NULL, NULL);
}

static void
reader_clear (Reader *reader)
{
  g_hash_table_unref (reader->tracks);
  g_hash_table_unref (reader->names[0]);
  g_hash_table_unref (reader->names[1]);
  g_hash_table_unref (reader->pids);
}

/* InternedData: every number means one text, and none is 0. */
static void
read_names (Reader *reader, const Field *data)
{
  const guint8 *p = data->data;
  Field entry;

  while (read_field (&p, data->data + data->length, &entry))
    {
      guint64 iid = get_number (&entry, 1);
      Field text;

      g_assert_true (entry.field == 2 || entry.field == 3);
      g_assert_cmpuint (iid, !=, 0);
      g_assert_true (find_field (&entry, 2, &text));
      g_assert_true (g_utf8_validate ((const char *)text.data, (gssize)text.length, NULL));
      g_assert_true (g_hash_table_add (reader->names[entry.field - 2], GSIZE_TO_POINTER (iid)));
    }
}

/* TrackDescriptor: told once, and after the track that it is part of. */
static void
read_descriptor (Reader *reader, const Field *descriptor)
{
  guint64 uuid = get_number (descriptor, 1);
  guint64 parent = get_number (descriptor, 5);
  Track *track = g_new0 (Track, 1);
  Field field, name;

  g_assert_cmpuint (uuid, !=, 0);
  g_assert_false (g_hash_table_contains (reader->tracks, GSIZE_TO_POINTER (uuid)));
  g_assert_true (parent == 0 || g_hash_table_contains (reader->tracks, GSIZE_TO_POINTER (parent)));
  track->begun = g_array_new (FALSE, FALSE, sizeof (guint64));
  track->process = find_field (descriptor, 3, &field);
  if (track->process)
    {
      track->pid = get_number (&field, 1);
      g_assert_cmpuint (track->pid, !=, 0);
      g_assert_true (g_hash_table_add (reader->pids, GSIZE_TO_POINTER (track->pid)));
      g_assert_true (find_field (&field, 6, &name) && name.length > 0);
    }
  else
    g_assert_true (find_field (descriptor, 2, &field) && field.length > 0);
  track->counter = find_field (descriptor, 8, &field);
  g_assert_false (track->process && track->counter);
  g_hash_table_insert (reader->tracks, GSIZE_TO_POINTER (uuid), track);
}

/* Number of debug annotations of an event; each has a name and a value. */
static guint
read_annotations (Reader *reader, const Field *event)
{
  const guint8 *p = event->data;
  guint n = 0;
  Field annotation, value;

  while (read_field (&p, event->data + event->length, &annotation))
    if (annotation.field == 4)
      {
        g_assert_true (g_hash_table_contains (reader->names[1],
                                              GSIZE_TO_POINTER (get_number (&annotation, 1))));
        g_assert_true (find_field (&annotation, 4, &value) || find_field (&annotation, 5, &value)
                       || find_field (&annotation, 6, &value));
        n++;
      }
  return n;
}

static void
read_slice (Reader *reader, Track *track, const Field *event)
{
  guint64 name = get_number (event, 10);
  guint64 begun;

  g_assert_false (track->counter || track->process);
  if (get_number (event, 9) == 1)
    {
      g_assert_true (g_hash_table_contains (reader->names[0], GSIZE_TO_POINTER (name)));
      begun = read_annotations (reader, event) > 0;
      g_array_append_val (track->begun, begun);
      return;
    }
  g_assert_cmpuint (name, ==, 0);
  g_assert_cmpuint (track->begun->len, >, 0);
  track->steps += g_array_index (track->begun, guint64, track->begun->len - 1) != 0;
  g_array_set_size (track->begun, track->begun->len - 1);
}

/* TrackEvent: on a track that has been told, not before the one before it on that track. */
static void
read_event (Reader *reader, guint64 time, const Field *event)
{
  Track *track = g_hash_table_lookup (reader->tracks, GSIZE_TO_POINTER (get_number (event, 11)));
  Field value;

  g_assert_nonnull (track);
  g_assert_cmpuint (time, >=, track->time);
  track->time = time;
  track->n_events++;
  reader->n_events++;
  switch (get_number (event, 9))
    {
    case 1:
    case 2:
      read_slice (reader, track, event);
      break;
    case 4:
      g_assert_true (track->counter);
      g_assert_true (find_field (event, 30, &value));
      g_assert_false (find_field (event, 10, &value));
      reader->n_counters++;
      break;
    default:
      g_assert_not_reached ();
    }
}

/* TracePacket: all of one sequence, whose state begins with the first packet; what a packet interns
 * it may use itself. */
static void
read_packet (Reader *reader, const Field *packet)
{
  Field field, timestamp;
  gboolean told;

  g_assert_cmpuint (packet->field, ==, 1);
  g_assert_cmpuint (get_number (packet, 10), ==, 1);
  g_assert_cmpuint (get_number (packet, 13), ==, reader->n_packets++ == 0 ? 1 : 2);
  if (find_field (packet, 12, &field))
    read_names (reader, &field);
  told = find_field (packet, 60, &field);
  if (told)
    read_descriptor (reader, &field);
  if (find_field (packet, 11, &field))
    {
      g_assert_false (told);
      g_assert_true (find_field (packet, 8, &timestamp));
      read_event (reader, timestamp.number, &field);
    }
}

/* What the file says, every slice closed; *steps: slices with arguments. */
static void
read_trace (Reader *reader, const char *path, guint *steps)
{
  g_autofree char *data = NULL;
  GHashTableIter iter;
  gpointer value;
  gsize length;
  const guint8 *p;
  Field packet;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  reader_init (reader);
  *steps = 0;
  p = (const guint8 *)data;
  while (read_field (&p, (const guint8 *)data + length, &packet))
    read_packet (reader, &packet);
  g_hash_table_iter_init (&iter, reader->tracks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Track *track = value;

      g_assert_cmpuint (track->begun->len, ==, 0);
      *steps += track->steps;
    }
}

/* Parts of a trace: what an edge cuts begins or ends there, once. */
static void
test_perfetto_parts (void)
{
  char *folder = cli_report_new ("demo");
  char *target = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (target, "out.perfetto-trace", NULL);
  g_autofree char *output = g_strconcat ("--output=", path, NULL);
  gint64 end
      = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu");

  for (guint i = 0; i < 12; i++)
    {
      gint64 from = (gint64)(g_test_rand_double () * (double)end);
      gint64 to = from + 1 + (gint64)(g_test_rand_double () * (double)(end - from));
      g_autofree char *from_word = g_strdup_printf ("--from=%" PRId64, from);
      g_autofree char *to_word = g_strdup_printf ("--to=%" PRId64, to);
      g_auto (CliRun) run = { 0 };
      Reader reader;
      guint steps;

      cli_run (&run, "export", "--as=perfetto", output, from_word, to_word, "--ipu=1", folder,
               NULL);
      g_assert_cmpint (run.status, ==, 0);
      read_trace (&reader, path, &steps);
      g_assert_cmpint (
          steps, ==,
          tsr_test_ask (folder,
                        "SELECT count(*) FROM steps_by_ipu WHERE ipu = 1 AND active_cycles_to_max "
                        "> active_cycles_from_max AND cycles_base + active_cycles_from_max < "
                        "%" PRId64 " AND cycles_base + active_cycles_to_max > %" PRId64,
                        to, from));
      reader_clear (&reader);
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (target);
}

/* Numbers of fields as in perfetto_trace.proto; the message as a whole was decoded with that file,
 * too: `protoc --decode=perfetto.protos.Trace` finds no field that it does not know. */
static void
test_perfetto (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  char *target = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (target, "out.perfetto-trace", NULL);
  g_autofree char *output = g_strconcat ("--output=", path, NULL);
  g_auto (CliRun) run = { 0 };
  Reader reader;
  GHashTableIter iter;
  gpointer value;
  guint steps;

  cli_run (&run, "export", "--as=perfetto", output, folder, NULL);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  read_trace (&reader, path, &steps);
  g_hash_table_iter_init (&iter, reader.tracks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_assert_true (((Track *)value)->process || ((Track *)value)->n_events > 0);
  /* Every slice that took time is there once, and every IPU is a process. */
  g_assert_cmpint (steps, ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu "
                                         "WHERE active_cycles_to_max > active_cycles_from_max"));
  g_assert_cmpint (g_hash_table_size (reader.pids), ==,
                   tsr_test_ask (folder, "SELECT count(DISTINCT ipu) FROM steps_by_ipu"));
  g_assert_cmpuint (reader.n_counters, >, 0);
  reader_clear (&reader);
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
  g_test_add_func ("/export/perfetto/parts", test_perfetto_parts);
  g_test_add_func ("/export/refused", test_export_refused);
  return g_test_run ();
}
