/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report behind ssh over a network of 50 ms round trip: what comes over it until something is on
 * screen, and how fast all of it comes, by OpenSSH's own sftp in the same run.
 * bench-remote REPORT ARCHIVE: prints a line "UNIT MEASURED YARDSTICK FLOOR WHAT" for each measure;
 * the ratio of the first two may be at most the third, 0: no floor. */

#include "config.h"

#include "remote-world.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define ROUND_TRIP_S 0.05
#define MBIT         (1e6 / 8)

static const struct
{
  const char *name;
  double bytes_per_s;
  guint n_rounds; /* the machine counts where the line is fast */
} links[] = { { "100 Mbit/s", 100 * MBIT, 1 }, { "1 Gbit/s", 1000 * MBIT, 3 } };

static void
print (const char *unit, double measured, double yardstick, double most, const char *what)
{
  printf ("%s %.9g %.9g %g %s\n", unit, measured, yardstick, most, what);
  fflush (stdout);
}

static double
size_of (const char *path)
{
  struct stat info;

  return stat (path, &info) == 0 ? (double)info.st_size : 0;
}

/* An empty cache and a connection that is ready; the network as told from then on. */
static void
begin (RemoteWorld *w, guint link)
{
  remote_world_forget (w);
  remote_world_renew (w, NULL);
  delay_proxy_set_link (w->proxy, ROUND_TRIP_S, links[link].bytes_per_s);
  remote_world_connect (w);
  delay_proxy_reset_count (w->proxy);
}

static double
open_report (RemoteWorld *w, const char *path, TsrLoadFlags flags, DelayProxyCount *count)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (TSR_PLACE (w->place), path, flags, NULL, &error);
  double seconds = (double)(g_get_monotonic_time () - start) / 1e6;

  g_assert_no_error (error);
  delay_proxy_get_count (w->proxy, count);
  return seconds;
}

typedef struct
{
  RemoteWorld *w;
  GMainLoop *loop;
  TsrStage stage;
  DelayProxyCount *count;
} Until;

static void
stage_changed (TsrReport *report, int stage, gpointer data)
{
  Until *until = data;
  TsrStageState state = tsr_report_get_stage_state (report, stage);

  if (stage != (int)until->stage || (state != TSR_STAGE_READY && state != TSR_STAGE_FAILED))
    return;
  g_assert_no_error (tsr_report_get_stage_error (report, stage));
  delay_proxy_get_count (until->w->proxy, until->count);
  g_main_loop_quit (until->loop);
}

/* As the window opens it on the page of @stage. */
static double
open_until (RemoteWorld *w, const char *path, TsrStage stage, DelayProxyCount *count)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Until until = { w, loop, stage, count };
  gint64 start = g_get_monotonic_time ();
  g_autoptr (TsrReport) report = tsr_report_open (TSR_PLACE (w->place), path, TSR_LOAD_ON_DEMAND);
  double seconds;

  tsr_report_want (report, stage);
  g_signal_connect (report, "stage-changed", G_CALLBACK (stage_changed), &until);
  g_main_loop_run (loop);
  seconds = (double)(g_get_monotonic_time () - start) / 1e6;
  g_signal_handlers_disconnect_by_data (report, &until);
  tsr_report_cancel (report);
  return seconds;
}

/* How much of a report must come before something is there. */
static void
bench_opening (RemoteWorld *w, const char *folder)
{
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  double size = size_of (profile) / 1e6;
  DelayProxyCount count;
  double seconds;

  begin (w, 0);
  seconds = open_report (w, folder, TSR_LOAD_SUMMARY_ONLY, &count);
  print ("rt", (double)count.round_trips, 12, 1, "Summary: round trips, by 12");
  print ("MB", (double)count.to_client / 1e6, size, 0.01, "Summary: bytes, by those of the file");
  print ("s", seconds, ROUND_TRIP_S, 0, "Summary: time, by a round trip");
  remote_world_renew (w, NULL);
  remote_world_connect (w);
  delay_proxy_reset_count (w->proxy);
  seconds = open_report (w, folder, TSR_LOAD_SUMMARY_ONLY, &count);
  print ("rt", (double)count.round_trips, 6, 1, "Summary from the cache: round trips, by 6");
  print ("K", (double)count.to_client / 1024, 64, 1, "Summary from the cache: bytes, by 64 KiB");
  begin (w, 0);
  seconds = open_report (w, folder, TSR_LOAD_UP_TO_MEMORY, &count);
  print ("MB", (double)count.to_client / 1e6, size, 0.05, "Memory: bytes, by those of the file");
  print ("s", seconds, ROUND_TRIP_S, 0, "Memory: time, by a round trip");
  begin (w, 0);
  seconds = open_until (w, folder, TSR_STAGE_LIVENESS, &count);
  print ("MB", (double)count.to_client / 1e6, size, 0.05,
         "Liveness and Insights' status: bytes, by the file's");
  print ("s", seconds, ROUND_TRIP_S, 0, "Liveness: time, by a round trip");
  begin (w, 0);
  seconds = open_until (w, folder, TSR_STAGE_EXECUTION, &count);
  print ("MB", (double)count.to_client / 1e6, size, 0.05, "Trace: bytes, by those of the file");
  print ("s", seconds, ROUND_TRIP_S, 0, "Trace: time, by a round trip");
}

static double
time_sftp_batch (RemoteWorld *w, const char *commands)
{
  g_autofree char *batch = g_build_filename (ssh_world_get_folder (w->world), "batch", NULL);
  gint64 start;

  tsr_test_write (ssh_world_get_folder (w->world), "batch", commands, -1);
  start = g_get_monotonic_time ();
  g_free (ssh_world_run (w->world, "sftp", "-q", "-F", ssh_world_get_config (w->world), "-b", batch,
                         "target", NULL));
  return (double)(g_get_monotonic_time () - start) / 1e6;
}

/* Seconds of OpenSSH's sftp for @path, from where our measures begin as well: the connection stands
 * and SFTP is ready.  sftp has no such moment that one could see, so what it takes for a command
 * that asks nothing (its start, connecting, the login, SFTP's beginning) is taken off.  What a file
 * costs beside its bytes (looking, opening, closing) counts on both sides. */
static double
time_sftp (RemoteWorld *w, const char *path)
{
  g_autofree char *copy = g_build_filename (ssh_world_get_folder (w->world), "copy", NULL);
  g_autofree char *get = g_strdup_printf ("get \"%s\" \"%s\"\n", path, copy);
  double seconds = time_sftp_batch (w, get) - time_sftp_batch (w, "pwd\n");

  g_remove (copy);
  return seconds;
}

static double
time_fetch (RemoteWorld *w, const char *path)
{
  const char *const paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  tsr_remote_place_fetch (w->place, paths, NULL, NULL, &error);
  g_assert_no_error (error);
  return (double)(g_get_monotonic_time () - start) / 1e6;
}

/* Seconds of sftp at 100 Mbit/s for a byte.  Each is the least of its rounds, which take turns. */
static double
bench_copies (RemoteWorld *w, const char *folder)
{
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  double of_byte = 0;

  for (guint link = 0; link < G_N_ELEMENTS (links); link++)
    {
      g_autofree char *what = g_strdup_printf ("all of it at %s, by sftp", links[link].name);
      g_autofree char *loading = g_strdup_printf ("a full load at %s, by sftp", links[link].name);
      double sftp = INFINITY, fetch = INFINITY, load = INFINITY;

      for (guint i = 0; i < links[link].n_rounds; i++)
        {
          DelayProxyCount count;

          begin (w, link);
          sftp = fmin (sftp, time_sftp (w, profile));
          fetch = fmin (fetch, time_fetch (w, profile));
          begin (w, link);
          load = fmin (load, open_report (w, folder, 0, &count));
        }
      print ("s", fetch, sftp, 1 / 0.9, what);
      print ("s", load, sftp, 1 / 0.9, loading);
      if (link == 0)
        of_byte = sftp / size_of (profile);
    }
  return of_byte;
}

static void
bench_archive (RemoteWorld *w, const char *folder, double sftp_of_byte)
{
  g_autofree char *archive = g_build_filename (folder, "archive.a", NULL);
  DelayProxyCount count;
  double seconds;

  begin (w, 0);
  seconds = open_report (w, folder, TSR_LOAD_UP_TO_MEMORY, &count);
  print ("s", seconds, sftp_of_byte * size_of (archive), 1,
         "archive.a alone: time, by a download with sftp");
  print ("MB", (double)count.to_client / 1e6, size_of (archive) / 1e6, 0,
         "archive.a alone: bytes, by those of the file");
  print ("rt", (double)count.round_trips, 1, 0, "archive.a alone: round trips");
}

int
main (int argc, char **argv)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *report = NULL, *archive = NULL;
  double sftp_of_byte;

  if (argc != 3)
    {
      fprintf (stderr, "usage: bench-remote REPORT ARCHIVE\n");
      return 2;
    }
  g_test_init (&argc, &argv, NULL);
  report = g_canonicalize_filename (argv[1], NULL);
  archive = g_canonicalize_filename (argv[2], NULL);
  if (!remote_world_set_up (&w, NULL, TRUE))
    {
      fprintf (stderr, "there is no sshd\n");
      return 1;
    }
  bench_opening (&w, report);
  sftp_of_byte = bench_copies (&w, report);
  bench_archive (&w, archive, sftp_of_byte);
  return 0;
}
