/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of ./dev bench: each line one measurement of this run as a ratio to a yardstick of this
 * run, with its floor where one is set.  Programs are timed from outside, least of several runs,
 * with the file in the page cache.  bench REPORTS BUILD SOURCE: reports are made in the folder
 * REPORTS once and kept. */

#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS       5
#define FRAME_ROUNDS 2 /* processes; each takes the least of many rounds itself */

static const char *reports;
static const char *build;
static const char *source;
static guint n_missed;

typedef struct
{
  double seconds; /* least of the rounds */
  double cpu;     /* seconds of processors, least of the rounds */
  double peak;    /* bytes of memory, largest of the rounds */
  char *out;      /* of the last round */
  gboolean ok;
} Timing;

static char *
in_build (const char *path)
{
  return g_build_filename (build, path, NULL);
}

static double
to_seconds (struct timeval time)
{
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* One run, timed; stdout is kept. */
static gboolean
run_once (const char *const *words, Timing *timing)
{
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);
  gint64 start = g_get_monotonic_time ();
  struct rusage usage;
  char buffer[4096];
  size_t n;
  GPid pid;
  int out, status;
  FILE *stream;

  if (!g_spawn_async_with_pipes (NULL, (char **)words, NULL,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, NULL, NULL, &pid,
                                 NULL, &out, NULL, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      g_string_free (text, TRUE);
      return FALSE;
    }
  stream = fdopen (out, "r");
  while ((n = fread (buffer, 1, sizeof buffer, stream)) > 0)
    g_string_append_len (text, buffer, (gssize)MIN (n, sizeof buffer));
  fclose (stream);
  wait4 (pid, &status, 0, &usage);
  timing->seconds = MIN (timing->seconds, (double)(g_get_monotonic_time () - start) / 1e6);
  timing->cpu = MIN (timing->cpu, to_seconds (usage.ru_utime) + to_seconds (usage.ru_stime));
  timing->peak = MAX (timing->peak, 1024.0 * (double)usage.ru_maxrss);
  g_free (timing->out);
  timing->out = g_string_free (text, FALSE);
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

static Timing
measure (guint rounds, const char *first, ...)
{
  Timing timing = { G_MAXDOUBLE, G_MAXDOUBLE, 0, NULL, TRUE };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *word;
  va_list args;

  va_start (args, first);
  for (word = first; word != NULL; word = va_arg (args, const char *))
    g_ptr_array_add (words, (char *)word);
  va_end (args);
  g_ptr_array_add (words, NULL);
  for (guint i = 0; i < rounds && timing.ok; i++)
    timing.ok = run_once ((const char *const *)words->pdata, &timing);
  return timing;
}

/* ------------------------------------------------------------------- table */

static void
print_head (const char *title)
{
  printf ("\n%s\n%-46s %12s %12s %8s %8s\n", title, "", "measured", "yardstick", "ratio", "floor");
}

/* @unit: of both numbers; @most: the ratio may be at most that, 0: no floor. */
static void
print_ratio (const char *what, double measured, double yardstick, const char *unit, double most)
{
  double ratio = measured / yardstick;
  g_autofree char *floor_text = most > 0 ? g_strdup_printf ("%.3g", most) : g_strdup ("");
  gboolean missed = most > 0 && !(ratio <= most);

  n_missed += missed ? 1 : 0;
  printf ("%-46s %9.4g %-2s %9.4g %-2s %8.3f %8s %s\n", what, measured, unit, yardstick, unit,
          ratio, floor_text,
          most <= 0 ? ""
          : missed  ? "MISS"
                    : "pass");
  fflush (stdout);
}

static void
print_failed (const char *what)
{
  n_missed++;
  printf ("%-46s could not be measured  MISS\n", what);
  fflush (stdout);
}

/* ----------------------------------------------------------------- reports */

/* Made once; an unfinished one of an interrupted run is made again.  @words (nullable): what the
 * generator is told beside preset and folder. */
static char *
make_report_with (const char *name, const char *const *words)
{
  char *folder = g_build_filename (reports, name, NULL);
  g_autofree char *done = g_strconcat (folder, ".done", NULL);
  g_autofree char *program = in_build ("src/generator/tessera-make-report");
  Timing timing = { G_MAXDOUBLE, G_MAXDOUBLE, 0, NULL, TRUE };
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  if (g_file_test (done, G_FILE_TEST_EXISTS))
    return folder;
  fflush (stdout);
  fprintf (stderr, "making %s ...\n", folder);
  g_mkdir_with_parents (folder, 0777);
  g_ptr_array_add (all, program);
  g_ptr_array_add (all, (char *)"--force");
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (all, (char *)words[i]);
  g_ptr_array_add (all, folder);
  g_ptr_array_add (all, NULL);
  timing.ok = run_once ((const char *const *)all->pdata, &timing);
  g_free (timing.out);
  if (timing.ok)
    g_file_set_contents (done, "", 0, NULL);
  return folder;
}

static char *
make_report (const char *preset)
{
  return make_report_with (preset, (const char *const[]){ preset, NULL });
}

/* A trace of @n_steps steps on four IPUs. */
static char *
make_trace (guint n_steps)
{
  g_autofree char *n = g_strdup_printf ("%u", n_steps);
  g_autofree char *name = g_strconcat ("trace-", n, NULL);

  return make_report_with (name, (const char *const[]){ "trace", n, NULL });
}

/* One IPU's tiles with their memory, about 450 MB (the file has holes where a tile's bytes would
 * be). */
static char *
make_archive (void)
{
  return make_report_with ("archive",
                           (const char *const[]){ "--full-archive", "--archive-tiles=1472",
                                                  "--only=archive", "resnet50", NULL });
}

static double
size_of (const char *path)
{
  struct stat info;

  return stat (path, &info) == 0 ? (double)info.st_size : 0;
}

/* ------------------------------------------------------------- the measures */

/* @floor: 0 without one. */
static void
bench_command (const char *folder, const char *command, const Timing *scan, double floor)
{
  g_autofree char *cli = in_build ("src/cli/tessera-cli");
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  Timing timing = measure (ROUNDS, cli, command, "--format=json", folder, NULL);

  if (timing.ok && scan->ok)
    print_ratio (command, timing.seconds, scan->seconds, "s", floor);
  else
    print_failed (command);
  printf ("%-46s %9.4g MB %9.4g MB %8.3f\n", "  its peak memory, by file size", timing.peak / 1e6,
          size_of (profile) / 1e6, timing.peak / size_of (profile));
  g_free (timing.out);
}

/* What the loader reads of the file: the pages of the small tables. */
static void
bench_bytes (const char *folder)
{
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-load");
  Timing timing = measure (1, program, folder, NULL);
  g_auto (GStrv) lines = g_strsplit (timing.out != NULL ? timing.out : "", "\n", -1);

  g_free (timing.out);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *what = NULL;
      char stage[32];
      double seconds, bytes;

      if (sscanf (lines[i], "%31s %lf %lf", stage, &seconds, &bytes) != 3)
        continue;
      what = g_strdup_printf ("bytes read up to stage %s, by file size", stage);
      print_ratio (what, bytes / 1e6, size_of (profile) / 1e6, "MB", 0);
    }
}

static void
bench_commands (void)
{
  g_autofree char *folder = make_report ("resnet50");
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *cli = in_build ("src/cli/tessera-cli");
  g_autofree char *scanner = in_build ("tests/bench/bench-scan");
  Timing scan = measure (3, scanner, profile, "vars_info", NULL);
  Timing check;

  print_head ("tessera-cli on resnet50, by a bare sqlite3 scan of vars_info");
  bench_command (folder, "summary", &scan, 0.1);
  bench_command (folder, "memory", &scan, 0.1);
  bench_command (folder, "insights", &scan, 0);
  bench_bytes (folder);
  check = measure (1, cli, "check", "--format=json", folder, NULL);
  if (check.ok && scan.ok)
    {
      print_ratio ("check (reads and validates everything)", check.seconds, scan.seconds, "s", 0);
      printf ("%-46s %9.4g MB %9.4g MB %8.3f\n", "  its peak memory, by file size",
              check.peak / 1e6, size_of (profile) / 1e6, check.peak / size_of (profile));
    }
  else
    print_failed ("check (reads and validates everything)");
  g_free (scan.out);
  g_free (check.out);
}

/* bench-lowered times both itself: the stage among the others, and a scan of the same columns. */
static void
bench_lowered (void)
{
  g_autofree char *folder = make_report ("resnet50");
  g_autofree char *program = in_build ("tests/bench/bench-lowered");
  Timing timing = measure (1, program, folder, NULL);
  double seconds, scan, bytes;
  guint64 n_rows = 0;

  print_head ("Lowered variables of resnet50, by a bare sqlite3 scan of their columns");
  if (timing.ok
      && sscanf (timing.out, "lowered %lf %lf %" G_GUINT64_FORMAT " %lf", &seconds, &scan, &n_rows,
                 &bytes)
             == 4
      && n_rows > 0)
    {
      print_ratio ("loading them", seconds, scan, "s", 0.75);
      print_ratio ("memory of one with its strings, by 36 bytes", bytes / (double)n_rows, 36, "B",
                   1);
    }
  else
    print_failed ("lowered variables");
  g_free (timing.out);
}

/* What loading the tables of an execution took, and their scan; for what is built from them. */
static double execution_seconds, execution_scan;

/* bench-execution times both itself. */
static void
bench_execution (void)
{
  g_autofree char *folder = make_trace (2500000);
  g_autofree char *program = in_build ("tests/bench/bench-execution");
  Timing timing = measure (1, program, folder, NULL);
  double seconds, scan, bytes, peak;
  guint64 n_slices = 0;
  guint64 n_steps = 0;

  print_head ("Execution of 2.5 million steps on 4 IPUs, by a bare sqlite3 scan of its columns");
  if (timing.ok
      && sscanf (timing.out,
                 "execution %lf %lf %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %lf %lf", &seconds,
                 &scan, &n_slices, &n_steps, &bytes, &peak)
             == 6
      && n_slices > 0)
    {
      double most = 48.0 * (double)n_slices + 15.0 * (double)n_steps;

      execution_seconds = seconds;
      execution_scan = scan;
      print_ratio ("loading it", seconds, scan, "s", 1);
      print_ratio ("memory, by 48 bytes a slice and 15 a step", bytes / 1e6, most / 1e6, "MB",
                   1.01);
      print_ratio ("its peak while loading", peak / 1e6, most / 1e6, "MB", 0);
    }
  else
    print_failed ("execution");
  g_free (timing.out);
}

/* Floors: tables and trace together within one scan, 64 bytes a slice of which the tables have 48
 * and the trace 16, a span within 1 % of what it replaces. */
static void
bench_trace (void)
{
  g_autofree char *folder = make_trace (2500000);
  g_autofree char *program = in_build ("tests/bench/bench-trace");
  Timing timing = measure (1, program, folder, NULL);
  double scan, seconds, pass, span, first, all, groups, stages, overlap;
  guint64 n_slices = 0;
  guint64 bytes = 0;

  print_head ("Trace of 10 million slices, its tables loaded");
  if (timing.ok
      && sscanf (timing.out,
                 "trace %lf %lf %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                 " %lf %lf %lf %lf %lf %lf %lf",
                 &scan, &seconds, &n_slices, &bytes, &pass, &span, &first, &all, &groups, &stages,
                 &overlap)
             == 11
      && n_slices > 0)
    {
      print_ratio ("building it, by a bare sqlite3 scan", seconds, scan, "s", 0.3);
      if (execution_scan > 0)
        print_ratio ("tables and trace, by a bare sqlite3 scan", execution_seconds + seconds,
                     execution_scan, "s", 1);
      print_ratio ("memory of a slice beside its tables", (double)bytes / (double)n_slices, 16, "B",
                   1);
      print_ratio ("figures of a span, by a pass over an IPU", span, pass, "s", 0.01);
      print_ratio ("search that finds nothing, by 100 ms", first, 0.1, "s", 1);
      print_ratio ("counting all matches, by a second", all, 1, "s", 1);
      print_ratio ("all slices in groups by name, by a second", groups, 1, "s", 1);
      print_ratio ("periods of a pipeline, by a second", stages, 1, "s", 1);
      print_ratio ("overlap of copies, by a second", overlap, 1, "s", 1);
    }
  else
    print_failed ("trace");
  g_free (timing.out);
}

/* bench-liveness times a scan of the same columns itself. */
static void
bench_liveness (void)
{
  static const char *const presets[] = { "resnet50", "pod64" };
  g_autofree char *program = in_build ("tests/bench/bench-liveness");

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    {
      g_autofree char *folder = make_report (presets[i]);
      g_autofree char *head = g_strdup_printf (
          "Liveness of %s, loaded, by a bare sqlite3 scan of its lowered variables", presets[i]);
      Timing timing = measure (1, program, folder, NULL);
      double scan, variables, tile, peaks, list;

      print_head (head);
      if (timing.ok
          && sscanf (timing.out, "liveness %lf %lf %lf %lf %lf", &scan, &variables, &tile, &peaks,
                     &list)
                 == 5)
        {
          print_ratio ("one tile over all steps, slowest of 50", tile, scan, "s", 0.01);
          print_ratio ("peaks of all tiles", peaks, scan, "s", 0.5);
          print_ratio ("which variable each belongs to", variables, scan, "s", 0);
          print_ratio ("what is live at a step on an IPU", list, scan, "s", 0);
        }
      else
        print_failed ("liveness");
      g_free (timing.out);
    }
}

/* On a copy whose tiles have less memory, so that most do not fit.  Seconds that people wait. */
static void
bench_plan (void)
{
  g_autofree char *program = in_build ("tests/bench/bench-plan");
  g_autofree char *folder = make_report ("resnet50");
  g_autofree char *copy = g_build_filename (reports, "resnet50-small", NULL);
  g_autofree char *from = g_build_filename (folder, "profile.pop", NULL);
  Timing copied, timing;
  double peaks, whole, tick, proposal;

  g_mkdir_with_parents (copy, 0755);
  copied = measure (1, "cp", from, copy, NULL);
  g_free (copied.out);
  timing = measure (1, program, copy, "262144", NULL);
  print_head ("Fix plan of resnet50 with tiles of 256 KiB");
  if (timing.ok
      && sscanf (timing.out, "plan %lf %lf %lf %lf", &peaks, &whole, &tick, &proposal) == 4)
    {
      print_ratio ("slowest forecast, by 0.3 seconds", tick, 0.3, "s", 1);
      print_ratio ("proposal, by 5 seconds", proposal, 5, "s", 1);
      print_ratio ("slowest forecast, by the peaks of all tiles", tick, peaks, "s", 0);
      print_ratio ("the whole plan, by the peaks of all tiles", whole, peaks, "s", 0);
    }
  else
    print_failed ("plan");
  g_free (timing.out);
}

/* Seconds from the start of a window with @folder until @page is on screen, least of several; 0
 * when it does not come.  The display is there before. */
static double
time_window (const char *folder, const char *page)
{
  g_autofree char *display = g_build_filename (source, "tests", "with-display", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-window");
  g_autofree char *option = g_strconcat ("--page=", page, NULL);
  double best = G_MAXDOUBLE;

  for (guint round = 0; round < 3; round++)
    {
      Timing timing = measure (1, display, "sh", "-c",
                               "BENCH_START=$(\"$0\" --now) timeout 60 \"$0\" \"$1\" \"$2\"",
                               program, option, folder, NULL);
      char what[16];
      double seconds;

      if (timing.ok && timing.out != NULL && sscanf (timing.out, "%15s %lf", what, &seconds) == 2
          && g_str_equal (what, page))
        best = MIN (best, seconds);
      g_free (timing.out);
    }
  return best < G_MAXDOUBLE ? best : 0;
}

static void
bench_window (void)
{
  static const char *const presets[] = { "demo", "resnet50" };
  g_autofree char *program = in_build ("tests/bench/bench-window");
  g_autofree char *scanner = in_build ("tests/bench/bench-scan");
  g_autofree char *profile = NULL;
  g_autofree char *folder = NULL;
  double seconds;
  Timing scan;

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return;
  print_head ("Window: from its start to the Summary on screen, by one second");
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    {
      g_autofree char *preset = make_report (presets[i]);

      seconds = time_window (preset, "summary");
      if (seconds > 0)
        print_ratio (presets[i], seconds, 1, "s", 1);
      else
        print_failed (presets[i]);
    }
  print_head ("... to the findings of Insights on screen, by a bare sqlite3 scan of vars_info");
  folder = make_report ("resnet50");
  profile = g_build_filename (folder, "profile.pop", NULL);
  scan = measure (3, scanner, profile, "vars_info", NULL);
  seconds = time_window (folder, "insights");
  if (seconds > 0 && scan.ok)
    print_ratio ("resnet50", seconds, scan.seconds, "s", 0);
  else
    print_failed ("resnet50");
  g_free (scan.out);
}

typedef struct
{
  char what[64];
  double small, large; /* milliseconds with few and with many data, least of the rounds */
} Frame;

static Frame *
find_frame (GArray *frames, const char *what)
{
  Frame frame = { "", G_MAXDOUBLE, G_MAXDOUBLE };

  for (guint i = 0; i < frames->len; i++)
    if (g_str_equal (g_array_index (frames, Frame, i).what, what))
      return &g_array_index (frames, Frame, i);
  g_strlcpy (frame.what, what, sizeof frame.what);
  g_array_append_val (frames, frame);
  return &g_array_index (frames, Frame, frames->len - 1);
}

/* @few: the number of data that is the measure for more. */
static void
read_frames (const char *text, unsigned few, GArray *frames)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      Frame *frame;
      char what[64];
      unsigned n;
      double ms;

      if (sscanf (lines[i], "frame %55s %u %lf", what, &n, &ms) != 3)
        {
          if (sscanf (lines[i], "drawn %55s %u %lf", what, &n, &ms) != 3)
            continue;
          strcat (what, ", drawn");
        }
      frame = find_frame (frames, what);
      if (n == few)
        frame->small = MIN (frame->small, ms);
      else
        frame->large = MIN (frame->large, ms);
    }
}

/* Of the last bench_frame: milliseconds of the slowest kind of frame with many data, cairo's part
 * left out. */
static double slowest_frame;

/* @name prints "frame WHAT N MILLISECONDS" lines (bench-frame.h), WHAT in one word: layout and
 * snapshot of one frame while zooming and panning; "drawn ..." lines have cairo's part in them,
 * too.
 * @only (nullable): the measures that have a floor, NULL-terminated. */
static void
bench_frame (const char *name, const char *head, unsigned few, const char *const *only)
{
  g_autofree char *display = g_build_filename (source, "tests", "with-display", NULL);
  g_autofree char *path = g_build_filename ("tests", "bench", name, NULL);
  g_autofree char *program = in_build (path);
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (Frame));

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return;
  slowest_frame = 0;
  print_head (head);
  for (guint round = 0; round < FRAME_ROUNDS; round++)
    {
      Timing timing = measure (1, display, program, NULL);

      read_frames (timing.out != NULL ? timing.out : "", few, frames);
      g_free (timing.out);
    }
  for (guint i = 0; i < frames->len; i++)
    {
      const Frame *frame = &g_array_index (frames, Frame, i);

      if (!g_str_has_suffix (frame->what, ", drawn"))
        slowest_frame = MAX (slowest_frame, frame->large);
      print_ratio (frame->what, frame->large, frame->small, "ms",
                   only == NULL || g_strv_contains (only, frame->what) ? 1.5 : 0);
    }
  if (frames->len == 0)
    print_failed ("frames");
}

/* The strip above the trace, by 4 ms of the processor: bench-trace-frame prints "strip COLUMNS
 * MILLISECONDS". */
static void
bench_trace_strip (void)
{
  g_autofree char *display = g_build_filename (source, "tests", "with-display", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-trace-frame");
  Timing timing = measure (1, display, program, "strip", NULL);
  g_auto (GStrv) lines = g_strsplit (timing.out != NULL ? timing.out : "", "\n", -1);
  guint n = 0;

  g_free (timing.out);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      unsigned columns;
      double ms;

      if (sscanf (lines[i], "strip %u %lf", &columns, &ms) == 2)
        {
          g_autofree char *what = g_strdup_printf ("the strip above it, %u columns", columns);

          print_ratio (what, ms, 4, "ms", 1);
          n++;
        }
    }
  if (n == 0)
    print_failed ("the strip above it");
}

/* Frames of the execution trace: the slowest kind by 4 ms, a quarter of a frame of the screen. */
static void
bench_trace_frame (void)
{
  g_autofree char *few = make_trace (2500);
  g_autofree char *many = make_trace (2500000);
  g_autofree char *both = g_strconcat (few, "\n", many, NULL);

  g_setenv ("BENCH_TRACES", both, TRUE);
  bench_frame ("bench-trace-frame",
               "Execution trace: a frame at 10^7 slices of 4 IPUs, by one at 10^4", 10000,
               (const char *const[]){ NULL });
  print_head ("... and by 4 ms");
  print_ratio ("layout and snapshot at 10^7 slices, slowest kind", slowest_frame, 4, "ms", 1);
  bench_trace_strip ();
}

/* One measure of bench-rows: the least of its rounds. */
typedef struct
{
  char what[64];
  double gap, time; /* milliseconds */
} RowsMeasure;

static RowsMeasure *
find_rows_measure (GArray *measures, const char *what)
{
  RowsMeasure one = { "", G_MAXDOUBLE, G_MAXDOUBLE };

  for (guint i = 0; i < measures->len; i++)
    if (g_str_equal (g_array_index (measures, RowsMeasure, i).what, what))
      return &g_array_index (measures, RowsMeasure, i);
  g_strlcpy (one.what, what, sizeof one.what);
  g_array_append_val (measures, one);
  return &g_array_index (measures, RowsMeasure, measures->len - 1);
}

/* bench-rows prints "gap WHAT MILLISECONDS" and "time WHAT MILLISECONDS" for 10^6 rows. */
static void
bench_rows (void)
{
  g_autofree char *display = g_build_filename (source, "tests", "with-display", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-rows");
  g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (RowsMeasure));
  g_auto (GStrv) lines = NULL;
  double qsort_time = 0;
  Timing timing;

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return;
  timing = measure (1, display, program, NULL);
  lines = g_strsplit (timing.out != NULL ? timing.out : "", "\n", -1);
  g_free (timing.out);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char what[64];
      double ms;

      if (sscanf (lines[i], "time qsort %lf", &ms) == 1)
        qsort_time = ms;
      else if (sscanf (lines[i], "gap %63s %lf", what, &ms) == 2)
        find_rows_measure (measures, what)->gap = MIN (ms, find_rows_measure (measures, what)->gap);
      else if (sscanf (lines[i], "time %63s %lf", what, &ms) == 2)
        find_rows_measure (measures, what)->time
            = MIN (ms, find_rows_measure (measures, what)->time);
    }
  print_head ("Table of 10^6 rows: the main loop's longest gap, by a frame");
  for (guint i = 0; i < measures->len; i++)
    print_ratio (g_array_index (measures, RowsMeasure, i).what,
                 g_array_index (measures, RowsMeasure, i).gap, 1000.0 / 60, "ms", 1);
  print_head ("... and until its rows are there, by qsort of 10^6 numbers");
  for (guint i = 0; i < measures->len && qsort_time > 0; i++)
    print_ratio (g_array_index (measures, RowsMeasure, i).what,
                 g_array_index (measures, RowsMeasure, i).time, qsort_time, "ms", 0);
  if (measures->len == 0 || qsort_time <= 0)
    print_failed ("rows");
}

/* bench-find prints "hits TEXT MILLISECONDS": from a letter to a frame with the first hits. */
static void
bench_find (void)
{
  g_autofree char *display = g_build_filename (source, "tests", "with-display", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-find");
  g_autofree char *folder = NULL;
  g_auto (GStrv) lines = NULL;
  double worst = 0;
  Timing timing;

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return;
  folder = make_report ("resnet50");
  print_head ("Ctrl+K on resnet50: from a letter to the first hits on screen, by 100 ms");
  timing = measure (1, display, program, folder, NULL);
  lines = g_strsplit (timing.out != NULL ? timing.out : "", "\n", -1);
  g_free (timing.out);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char what[64];
      double ms;

      if (sscanf (lines[i], "hits %63s %lf", what, &ms) == 2)
        worst = MAX (worst, ms);
    }
  if (timing.ok && worst > 0)
    print_ratio ("first hits, slowest of several names", worst, 100, "ms", 1);
  else
    print_failed ("first hits");
}

/* bench-operations measures all itself: "operations N SECONDS scan SECONDS search SECONDS
 * worst SECONDS". */
static void
bench_operations (void)
{
  g_autofree char *folder = g_build_filename (reports, "operations", NULL);
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *maker = g_build_filename (source, "tests", "bench", "make-operations.py", NULL);
  g_autofree char *schema = g_build_filename (source, "docs", "report.sql", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-operations");
  double seconds = 0, scan = 0, search = 0, worst = 0;
  unsigned n = 0;
  Timing timing;

  print_head ("Operations of PopLibs: 10^6 programs, by one scan of their tables");
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      timing = measure (1, "python3", maker, schema, folder, NULL);
      g_free (timing.out);
      if (!timing.ok)
        g_unlink (path);
    }
  timing = measure (1, program, folder, NULL);
  if (timing.ok
      && sscanf (timing.out, "operations %u %lf scan %lf search %lf worst %lf", &n, &seconds, &scan,
                 &search, &worst)
             == 5)
    {
      g_autofree char *what = g_strdup_printf ("metrics of %u operations", n);

      print_ratio (what, seconds, scan, "s", 1);
      print_ratio ("their code on the worst tile, when a table asks", worst, scan, "s", 1);
      print_ratio ("Ctrl+K, 10^6 programs and contexts, by 300 ms", search, 0.3, "s", 1);
    }
  else
    print_failed ("operations");
  g_free (timing.out);
}

/* bench-programs measures all itself: "ratio SECONDS SCAN WHAT" and "time MILLISECONDS MOST WHAT".
 */
static void
bench_programs (void)
{
  g_autofree char *folder = g_build_filename (reports, "programs", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-programs");
  g_auto (GStrv) lines = NULL;
  Timing timing;

  print_head ("Program Tree of 10^6 programs");
  timing = measure (1, program, folder, NULL);
  lines = g_strsplit (timing.out != NULL ? timing.out : "", "\n", -1);
  g_free (timing.out);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      double measured, yardstick;
      int what = 0;

      if (sscanf (lines[i], "ratio %lf %lf %n", &measured, &yardstick, &what) == 2 && what > 0)
        print_ratio (lines[i] + what, measured, yardstick, "s", 2);
      else if (sscanf (lines[i], "time %lf %lf %n", &measured, &yardstick, &what) == 2 && what > 0)
        print_ratio (lines[i] + what, measured, yardstick, "ms", 1);
    }
  if (!timing.ok)
    print_failed ("programs");
}

static void
bench_debug (void)
{
  g_autofree char *path = g_build_filename (reports, "debug.cbor", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-debug");
  Timing timing;
  double loaded, passed, held;
  unsigned contexts;

  print_head ("debug.cbor: streamed into columns");
  timing = measure (1, program, path, NULL);
  if (timing.ok
      && sscanf (timing.out, "debug %lf %lf %u %lf", &loaded, &passed, &contexts, &held) == 4)
    {
      printf ("%u contexts, %.4g MB\n", contexts, size_of (path) / 1e6);
      print_ratio ("time, by that of a pass that does nothing", loaded, passed, "s", 1.2);
      print_ratio ("memory of a context with its texts, by 64", held / contexts, 64, "B", 0);
    }
  else
    print_failed ("debug.cbor");
  g_free (timing.out);
}

/* bench-stall prints "stall WHAT MILLISECONDS PROCESSOR EACH" for a demo with the large debug.cbor
 * beside it, and for 10^6 programs.  Both are there after "programs" and "debug". */
static void
bench_stall (void)
{
  static const char *const folders[] = { "stall", "programs" };
  g_autofree char *display = g_build_filename (source, "tests", "with-display", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-stall");
  g_autofree char *contexts = g_build_filename (reports, "debug.cbor", NULL);
  g_autofree char *folder
      = make_report_with (folders[0], (const char *const[]){ "demo", "--only=profile", NULL });
  g_autofree char *link_path = g_build_filename (folder, "debug.cbor", NULL);
  /* @each: the mean of a frame.  Without a floor: what is mostly GTK making widgets for the first
   * time. */
  struct
  {
    const char *what, *label;
    guint report;
    gboolean each;
    double value, most;
  } rows[] = {
    { "loading", "longest while debug.cbor loads, by a frame", 0, FALSE, 0, 1 },
    { "opening", "longest while 10^6 programs open", 1, FALSE, 0, 0 },
    { "expanding", "longest while all of them are expanded", 1, FALSE, 0, 1 },
    { "scrolling", "a frame of scrolling them", 1, TRUE, 0, 1 },
    { "scrolling", "longest of these", 1, FALSE, 0, 1 },
    { "finding", "longest at the first match of a search", 1, FALSE, 0, 0 },
    { "searching", "longest at each next match", 1, FALSE, 0, 1 },
  };

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return;
  print_head ("Window: processor time of its main thread");
  if (!g_file_test (link_path, G_FILE_TEST_EXISTS) && link (contexts, link_path) != 0)
    {
      print_failed ("the window while debug.cbor loads");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (reports, folders[i], NULL);
      Timing timing = measure (1, display, program, path, NULL);
      g_auto (GStrv) lines = g_strsplit (timing.out != NULL ? timing.out : "", "\n", -1);

      g_free (timing.out);
      for (guint k = 0; lines[k] != NULL; k++)
        {
          char what[16];
          double wall, longest, each;

          if (sscanf (lines[k], "stall %15s %lf %lf %lf", what, &wall, &longest, &each) != 4)
            continue;
          for (guint p = 0; p < G_N_ELEMENTS (rows); p++)
            if (rows[p].report == i && g_str_equal (what, rows[p].what))
              rows[p].value = rows[p].each ? each : longest;
        }
    }
  for (guint p = 0; p < G_N_ELEMENTS (rows); p++)
    if (rows[p].value > 0)
      print_ratio (rows[p].label, rows[p].value, 16, "ms", rows[p].most);
    else
      print_failed (rows[p].label);
}

static void
bench_archive (void)
{
  g_autofree char *folder = make_archive ();
  g_autofree char *path = g_build_filename (folder, "archive.a", NULL);
  g_autofree char *program = in_build ("tests/bench/bench-archive");
  Timing cat, timing;
  unsigned members = 0;
  double read = 0;
  double each = 0;

  print_head ("archive.a: only headers are read");
  cat = measure (3, "sh", "-c", "cat \"$0\" > /dev/null", path, NULL);
  timing = measure (ROUNDS, program, path, NULL);
  if (timing.ok
      && sscanf (timing.out, "members %u bytes-read %lf per-member %lf", &members, &read, &each)
             == 3)
    {
      printf ("%u members, %.4g MB\n", members, size_of (path) / 1e6);
      print_ratio ("bytes read for each member, by 64 KiB", each / 1024, 64, "K", 1);
      print_ratio ("bytes read, by bytes of the file", read / 1e6, size_of (path) / 1e6, "MB", 0);
      print_ratio ("time, by that of cat", timing.seconds, cat.seconds, "s", 0);
    }
  else
    print_failed ("archive.a");
  g_free (cat.out);
  g_free (timing.out);
}

/* Lines "unit measured yardstick floor what". */
static void
print_lines (const Timing *timing)
{
  g_auto (GStrv) lines = g_strsplit (timing->out != NULL ? timing->out : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      double measured, yardstick, most;
      char unit[8];
      int what = 0;

      if (sscanf (lines[i], "%7s %lf %lf %lf %n", unit, &measured, &yardstick, &most, &what) == 4
          && what > 0)
        print_ratio (lines[i] + what, measured, yardstick, unit, most);
    }
}

/* bench-python.py measures both itself, each kind in a process of its own. */
static void
bench_python (void)
{
  static const char *const kinds[]
      = { "import", "brief", "column", "slices", "totals", "memory", "tiles" };
  g_autofree char *folder = make_report ("resnet50");
  g_autofree char *trace_folder = make_trace (2500000);
  g_autofree char *demo_folder = make_report ("demo");
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *trace = g_build_filename (trace_folder, "profile.pop", NULL);
  g_autofree char *demo = g_build_filename (demo_folder, "profile.pop", NULL);
  g_autofree char *script = g_build_filename (source, "tests", "bench", "bench-python.py", NULL);
  g_autofree char *package = in_build ("src/python");

  print_head ("Python on resnet50 and on 10^7 slices, by the same loop over sqlite3");
  g_setenv ("PYTHONPATH", package, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      Timing timing
          = measure (1, "/usr/bin/python3", "-B", script, kinds[i], profile, trace, demo, NULL);

      print_lines (&timing);
      if (!timing.ok)
        print_failed (kinds[i]);
      g_free (timing.out);
    }
}

/* bench-remote measures both itself; what it prints says so. */
static void
bench_remote (void)
{
  g_autofree char *folder = make_report ("resnet50");
  g_autofree char *archive = make_archive ();
  g_autofree char *program = in_build ("tests/bench/bench-remote");
  g_autofree char *passwd = in_build ("tests/remote/ssh-passwd.so");
  g_autofree char *unpacked = g_build_filename (source, "build", "openssh", NULL);
  Timing timing;

  g_setenv ("TSR_TEST_SSH_PASSWD", passwd, TRUE);
  g_setenv ("TSR_TEST_OPENSSH", unpacked, TRUE);
  print_head ("resnet50 behind ssh, 50 ms round trip");
  timing = measure (1, program, folder, archive, NULL);
  print_lines (&timing);
  g_free (timing.out);
  if (!timing.ok)
    print_failed ("reports behind ssh");
}

/* The window while the host says nothing: a test tells in its log how long the main loop waited. */
static void
bench_frozen_host (void)
{
  g_autofree char *path = in_build ("meson-logs/testlog.txt");
  g_autofree char *log = NULL;
  g_auto (GStrv) lines = NULL;
  double least = G_MAXDOUBLE;
  Timing timing;

  print_head ("Window whose host says nothing");
  timing = measure (1, "meson", "test", "-C", build, "--no-rebuild", "ui-remote-window",
                    "--test-args=-p /remote-window/stalls", NULL);
  g_free (timing.out);
  g_file_get_contents (path, &log, NULL, NULL);
  lines = g_strsplit (log != NULL ? log : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *at = strstr (lines[i], "longest wait in one ");
      double ms;

      if (at != NULL && sscanf (at, "longest wait in one %lf ms", &ms) == 1)
        least = MIN (least, ms);
    }
  if (timing.ok && least < G_MAXDOUBLE)
    print_ratio ("longest wait of the main loop", least, 50, "ms", 1);
  else
    print_failed ("window whose host says nothing");
}

static void
bench_frames (void)
{
  bench_frame ("bench-memory-frame", "Memory chart: a frame at 94,208 tiles, by one at 2,944", 2944,
               NULL);
  /* A filter doubles the columns, and a thousand lifetimes are a few rectangles: those ratios are
   * printed only. */
  bench_frame ("bench-liveness-frame", "Liveness charts: a frame at 10^6 steps, by one at 10^3",
               1000,
               (const char *const[]){ "liveness", "liveness, drawn", "liveness,close",
                                      "liveness,close, drawn", NULL });
  bench_trace_frame ();
}

/* One run of the converter, from @profile to a folder that is removed; @path: where it finds pva.
 */
static Timing
measure_converter (const char *path, const char *profile, const char *via, const char *strict)
{
  g_autofree char *program
      = g_build_filename (source, "src", "converter", "tessera-from-pva", NULL);
  g_autofree char *out = g_build_filename (reports, "converted", NULL);
  g_autofree char *module = in_build ("src/python");
  g_autofree char *python = g_strconcat ("PYTHONPATH=", path, ":", module, NULL);
  Timing timing;

  g_free (measure (1, "rm", "-rf", out, NULL).out);
  timing = measure (1, "env", python, strict, "/usr/bin/python3", "-B", program, "--quiet", via,
                    "-o", out, profile, NULL);
  g_free (measure (1, "rm", "-rf", out, NULL).out);
  g_clear_pointer (&timing.out, g_free);
  return timing;
}

/* The copy by SQL, everything through our own module, and eight million variables of a pva that
 * makes them when asked: the memory of the last is the converter's own. */
static void
bench_converter (void)
{
  g_autofree char *folder = make_report ("resnet50");
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *tiny = in_build ("src/generator/reports/tiny/profile.pop");
  g_autofree char *copier = g_build_filename (source, "tests", "bench", "copy-tables.py", NULL);
  g_autofree char *schema = g_build_filename (source, "docs", "report.sql", NULL);
  g_autofree char *target = g_build_filename (reports, "copied.pop", NULL);
  g_autofree char *strict = g_build_filename (source, "tests", "python", "strict", NULL);
  g_autofree char *alias = in_build ("src/python/tessera_pva/alias");
  const double most = 256.0 * 1048576;
  Timing copy = measure (2, "/usr/bin/python3", copier, schema, profile, target, NULL);
  Timing sql = measure_converter (alias, profile, "--via=sql", "STRICT_PVA={}");
  Timing pva = measure_converter (alias, profile, "--via=pva", "STRICT_PVA={}");
  Timing many = measure_converter (strict, tiny, "--via=pva", "STRICT_PVA={\"many\": 8000000}");
  double n = copy.ok && copy.out != NULL ? g_ascii_strtod (copy.out, NULL) : 0;

  print_head ("Converting resnet50");
  if (sql.ok && n > 0)
    {
      print_ratio ("--via=sql, by INSERT ... SELECT of every table", sql.seconds, copy.seconds, "s",
                   2);
      print_ratio ("  both by processor time", sql.cpu, copy.cpu, "s", 0);
      print_ratio ("  its peak memory, by 256 MiB", sql.peak / 1e6, most / 1e6, "MB", 1);
    }
  else
    print_failed ("--via=sql");
  if (pva.ok && n > 0)
    {
      print_ratio ("--via=pva a lowered variable, by 25 us", pva.seconds / n * 1e6, 25, "us", 1);
      print_ratio ("  its processor time", pva.cpu / n * 1e6, 25, "us", 0);
    }
  else
    print_failed ("--via=pva on our module");
  if (many.ok)
    print_ratio ("peak memory at 8 million variables, by 256 MiB", many.peak / 1e6, most / 1e6,
                 "MB", 1);
  else
    print_failed ("8 million variables");
  g_free (copy.out);
}

static const struct
{
  const char *name;
  void (*run) (void);
} parts[] = {
  { "commands", bench_commands },
  { "lowered", bench_lowered },
  { "execution", bench_execution },
  { "trace", bench_trace },
  { "liveness", bench_liveness },
  { "plan", bench_plan },
  { "window", bench_window },
  { "frames", bench_frames },
  { "rows", bench_rows },
  { "find", bench_find },
  { "operations", bench_operations },
  { "programs", bench_programs },
  { "debug", bench_debug },
  { "stall", bench_stall },
  { "archive", bench_archive },
  { "remote", bench_remote },
  { "python", bench_python },
  { "frozen", bench_frozen_host },
  { "converter", bench_converter },
};

int
main (int argc, char **argv)
{
  guint n_run = 0;

  for (int i = 4; i < argc; i++)
    for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
      n_run += g_str_equal (argv[i], parts[part].name);
  if (argc < 4 || n_run != (guint)(argc - 4))
    {
      fprintf (stderr, "usage: bench REPORTS BUILD SOURCE [PART...]\nparts:");
      for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
        fprintf (stderr, " %s", parts[part].name);
      fprintf (stderr, "\n");
      return 2;
    }
  reports = argv[1];
  build = argv[2];
  source = argv[3];
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
    if (argc == 4 || g_strv_contains ((const char *const *)argv + 4, parts[part].name))
      parts[part].run ();
  printf ("\n%u floors missed\n", n_missed);
  return n_missed > 0 ? 1 : 0;
}
