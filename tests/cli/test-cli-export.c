/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli export: the trace file decoded field by field, by what Perfetto's .proto files say.
 */

#include "config.h"

#include "cli-test.h"

#include <inttypes.h>
#include <stdlib.h>
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
  char *name;       /* (nullable) */
  guint64 parent;   /* uuid */
  GPtrArray *shown; /* "name\tbegin" of the slices that are open */
} Track;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->begun);
  g_ptr_array_unref (track->shown);
  g_free (track->name);
  g_free (track);
}

/* What a reader of the sequence knows so far.  Keys are uuids and iids. */
typedef struct
{
  GHashTable *tracks;
  GHashTable *names[2]; /* of events, of annotations: iid to text */
  GHashTable *pids;
  GPtrArray *slices; /* "pid\ttrack\tname\tbegin\tend" */
  guint n_packets, n_counters, n_events;
} Reader;

static void
reader_init (Reader *reader)
{
  *reader = (Reader){ 0 };
  reader->tracks = g_hash_table_new_full (NULL, NULL, NULL, track_free);
  reader->names[0] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  reader->names[1] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  reader->pids = g_hash_table_new (NULL, NULL);
  reader->slices = g_ptr_array_new_with_free_func (g_free);
}

static void
reader_clear (Reader *reader)
{
  g_hash_table_unref (reader->tracks);
  g_hash_table_unref (reader->names[0]);
  g_hash_table_unref (reader->names[1]);
  g_hash_table_unref (reader->pids);
  g_ptr_array_unref (reader->slices);
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
      g_assert_true (g_hash_table_insert (reader->names[entry.field - 2], GSIZE_TO_POINTER (iid),
                                          g_strndup ((const char *)text.data, text.length)));
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
  track->shown = g_ptr_array_new_with_free_func (g_free);
  track->parent = parent;
  track->process = find_field (descriptor, 3, &field);
  if (track->process)
    {
      track->pid = get_number (&field, 1);
      g_assert_cmpuint (track->pid, !=, 0);
      g_assert_true (g_hash_table_add (reader->pids, GSIZE_TO_POINTER (track->pid)));
      g_assert_true (find_field (&field, 6, &name) && name.length > 0);
    }
  else
    {
      g_assert_true (find_field (descriptor, 2, &field) && field.length > 0);
      track->name = g_strndup ((const char *)field.data, field.length);
    }
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
  const Track *parent;
  guint64 begun;

  g_assert_false (track->counter || track->process);
  if (get_number (event, 9) == 1)
    {
      g_assert_true (g_hash_table_contains (reader->names[0], GSIZE_TO_POINTER (name)));
      begun = read_annotations (reader, event) > 0;
      g_array_append_val (track->begun, begun);
      g_ptr_array_add (
          track->shown,
          g_strdup_printf ("%s\t%" PRIu64,
                           (char *)g_hash_table_lookup (reader->names[0], GSIZE_TO_POINTER (name)),
                           track->time));
      return;
    }
  g_assert_cmpuint (name, ==, 0);
  g_assert_cmpuint (track->begun->len, >, 0);
  track->steps += g_array_index (track->begun, guint64, track->begun->len - 1) != 0;
  g_array_set_size (track->begun, track->begun->len - 1);
  parent = g_hash_table_lookup (reader->tracks, GSIZE_TO_POINTER (track->parent));
  g_ptr_array_add (reader->slices,
                   g_strdup_printf ("%" PRIu64 "\t%s\t%s\t%" PRIu64,
                                    parent != NULL ? parent->pid : 0, track->name,
                                    (char *)track->shown->pdata[track->shown->len - 1],
                                    track->time));
  g_ptr_array_set_size (track->shown, (gint)track->shown->len - 1);
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

/* Blocks as the steps' clock has them: the first one of each IPU begins where the first step of its
 * program does on IPU 0, in its run.  Columns: IPU, tile, name, begin, end, run. */
#define ALIGNED                                                                                    \
  "WITH RECURSIVE first AS (SELECT ipu, min(cycles_from) AS begin FROM blocks "                    \
  "WHERE NOT is_block_flush GROUP BY ipu), "                                                       \
  "lead AS (SELECT b.program, b.run, b.ipu FROM blocks b JOIN first f ON f.ipu = b.ipu AND "       \
  "f.begin = b.cycles_from WHERE NOT is_block_flush ORDER BY b.ipu, b.id LIMIT 1), "               \
  "below (id) AS (SELECT program FROM lead UNION SELECT c.child FROM below JOIN "                  \
  "program_children c ON c.parent = below.id UNION SELECT p.callee FROM below JOIN programs p ON " \
  "p.id = below.id WHERE p.callee IS NOT NULL), "                                                  \
  "anchor AS (SELECT i.cycles_base + i.active_cycles_from_max AS at FROM steps s JOIN lead l ON "  \
  "s.run = l.run JOIN steps_by_ipu i ON i.step_id = s.id AND i.ipu = l.ipu WHERE s.program IN "    \
  "(SELECT id FROM below) ORDER BY s.id LIMIT 1) "                                                 \
  "SELECT b.ipu, b.tile, b.name, b.cycles_from - f.begin + a.at, b.cycles_to - f.begin + a.at, "   \
  "b.run FROM blocks b JOIN first f ON f.ipu = b.ipu, anchor a"

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static char *
dup_sorted (GPtrArray *lines)
{
  GString *text = g_string_new (NULL);

  g_ptr_array_sort (lines, compare_lines);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (text, "%s\n", (char *)lines->pdata[i]);
  return g_string_free (text, FALSE);
}

static guint64
get_nanoseconds (const char *folder, gint64 cycles)
{
  double clock = (double)tsr_test_ask (folder, "SELECT clock_frequency FROM target");

  return (guint64)((double)cycles * 1e9 / clock + 0.5);
}

/* A block stands in the first lane in which it lies within a block or beside it: in each lane
 * before its own it crosses one. */
static void
check_lanes (const Reader *reader)
{
  for (guint i = 0; i < reader->slices->len; i++)
    {
      g_auto (GStrv) slice = g_strsplit (reader->slices->pdata[i], "\t", -1);
      const char *lane
          = g_str_has_prefix (slice[1], "Blocks, ") ? strstr (slice[1], ", lane ") : NULL;
      guint64 crossed = 0;

      for (guint k = 0; lane != NULL && k < reader->slices->len; k++)
        {
          g_auto (GStrv) other = g_strsplit (reader->slices->pdata[k], "\t", -1);
          const char *its = strstr (other[1], ", lane ");
          const gsize length = (gsize)(lane - slice[1]);
          const guint64 from = g_ascii_strtoull (slice[3], NULL, 10);
          const guint64 end = g_ascii_strtoull (other[4], NULL, 10);

          if (!g_str_equal (other[0], slice[0]) || strncmp (other[1], slice[1], length) != 0
              || (other[1][length] != ',' && other[1][length] != '\0'))
            continue;
          if (g_ascii_strtoull (other[3], NULL, 10) <= from && from < end
              && end < g_ascii_strtoull (slice[4], NULL, 10))
            crossed |= 1ULL << (its != NULL ? atoi (its + strlen (", lane ")) : 0);
        }
      if (lane != NULL)
        for (int n = atoi (lane + strlen (", lane ")); n-- > 0;)
          g_assert_true ((crossed >> n & 1) != 0);
    }
}

/* The blocks of @reader are those of @run (-1: all) in [@from, @to), cut to it, from @from on. */
static void
check_blocks (Reader *reader, const char *folder, gint64 run, gint64 from, gint64 to)
{
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", ALIGNED);
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  g_autofree char *wanted = NULL, *got = NULL;
  for (guint i = 0; i < rows->len; i++)
    {
      char **row = rows->pdata[i];
      gint64 begin = MAX (g_ascii_strtoll (row[3], NULL, 10), from);
      gint64 end = MIN (g_ascii_strtoll (row[4], NULL, 10), to);

      if (begin < end && (run < 0 || run == g_ascii_strtoll (row[5], NULL, 10)))
        g_ptr_array_add (expected,
                         g_strdup_printf ("%d\tBlocks, tile %s\t%s\t%" PRIu64 "\t%" PRIu64,
                                          atoi (row[0]) + 1, row[1], row[2],
                                          get_nanoseconds (folder, begin - from),
                                          get_nanoseconds (folder, end - from)));
    }
  check_lanes (reader);
  for (guint i = 0; i < reader->slices->len; i++)
    if (strstr (reader->slices->pdata[i], "\tBlocks, ") != NULL)
      {
        char *lane = strstr (reader->slices->pdata[i], ", lane ");

        if (lane != NULL)
          memmove (lane, strchr (lane, '\t'), strlen (strchr (lane, '\t')) + 1);
        g_ptr_array_add (blocks, reader->slices->pdata[i]);
      }
  wanted = dup_sorted (expected);
  got = dup_sorted (blocks);
  g_assert_cmpstr (got, ==, wanted);
  g_assert_cmpuint (blocks->len, >, 0);
}

/* Every slice of the file ends up to @cycles. */
static void
check_times (const Reader *reader, const char *folder, gint64 cycles)
{
  for (guint i = 0; i < reader->slices->len; i++)
    {
      const char *end = strrchr (reader->slices->pdata[i], '\t');

      g_assert_cmpuint (g_ascii_strtoull (end + 1, NULL, 10), <=, get_nanoseconds (folder, cycles));
    }
}

/* Blocks of the whole trace, of each run, and of a range of cycles; with a run only its own steps.
 */
static void
test_perfetto_blocks (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  char *target = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (target, "out.perfetto-trace", NULL);
  g_autofree char *output = g_strconcat ("--output=", path, NULL);
  gint64 n_runs = tsr_test_ask (folder, "SELECT count(*) FROM runs");
  gint64 all = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM "
                                     "steps_by_ipu");
  gint64 first = tsr_test_ask (folder, "SELECT min(cycles_base + active_cycles_from_max) FROM "
                                       "steps_by_ipu");

  for (gint64 i = -1; i <= n_runs; i++)
    {
      g_autofree char *run_word = g_strdup_printf ("--run=%" PRId64, i);
      g_autofree char *to_word = g_strdup_printf ("--to=%" PRId64, all / 2);
      gboolean one = i >= 0 && i < n_runs;
      const char *word = one ? run_word : i < 0 ? folder : to_word;
      gint64 from = first, to = i < 0 ? all : all / 2;
      g_auto (CliRun) run = { 0 };
      Reader reader;
      guint steps;

      if (one)
        {
          from = tsr_test_ask (folder,
                               "SELECT min(cycles_base + active_cycles_from_max) FROM steps_by_ipu "
                               "JOIN steps ON id = step_id WHERE run = %" PRId64,
                               i);
          to = tsr_test_ask (folder,
                             "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu "
                             "JOIN steps ON id = step_id WHERE run = %" PRId64,
                             i);
        }
      cli_run (&run, "export", "--as=perfetto", output, word, i < 0 ? NULL : folder, NULL);
      g_assert_cmpstr (run.err, ==, "");
      g_assert_cmpint (run.status, ==, 0);
      read_trace (&reader, path, &steps);
      if (i < 0) /* blocks are real, steps simulated: they may go on */
        to = G_MAXINT64;
      else
        check_times (&reader, folder, to - from);
      check_blocks (&reader, folder, one ? i : -1, from, to);
      if (one)
        g_assert_cmpint (steps, ==,
                         tsr_test_ask (folder,
                                       "SELECT count(*) FROM steps_by_ipu JOIN steps ON id = "
                                       "step_id WHERE run = %" PRId64
                                       " AND active_cycles_to_max > active_cycles_from_max",
                                       i));
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
  g_test_add_data_func ("/export/perfetto/blocks/tiny", "tiny", test_perfetto_blocks);
  g_test_add_data_func ("/export/perfetto/blocks/demo", "demo", test_perfetto_blocks);
  g_test_add_func ("/export/refused", test_export_refused);
  return g_test_run ();
}
