/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report behind ssh is the one that lies there, and stays what it is while servers die, networks
 * break, disks fill up and files change. */

#include "config.h"

#include "remote-world.h"
#include "tsr-error.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utime.h>

/* Summary and memory of the report, through the place. */
static TsrReport *
open_report (RemoteWorld *w, const char *path)
{
  g_autoptr (GError) error = NULL;
  TsrReport *report = tsr_report_open_sync (TSR_PLACE (w->place), path, TSR_LOAD_UP_TO_MEMORY,
                                            w->cancellable, &error);

  g_assert_no_error (error);
  return report;
}

/* By each server that there is. */
static void
test_same (gconstpointer data)
{
  static const char *const names[]
      = { "profile.pop", "archive.a", "debug.cbor", "framework.json", "app.json" };
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;

  if (!remote_world_set_up (&w, data, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_connect (&w);
  report = open_report (&w, w.report);
  remote_world_check_report (&w, report, w.report);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (w.report, names[i], NULL);

      remote_world_check_file (&w, path);
    }
  g_assert_cmpuint (ssh_server_get_n_accepted (w.server), ==, 1);
}

/* Ranges anywhere, of any length, many at once: what is there locally. */
static void
test_ranges (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  path = g_build_filename (w.report, "profile.pop", NULL);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  remote_world_connect (&w);
  source = tsr_place_open (TSR_PLACE (w.place), path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tsr_source_get_size (source), ==, (gint64)length);
  for (guint round = 0; round < 20; round++)
    {
      TsrSourceRange ranges[32];

      for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
        {
          ranges[i].offset = g_test_rand_int_range (0, (gint32)length + 5000);
          ranges[i].length = (gsize)g_test_rand_int_range (0, i % 8 == 0 ? 200000 : 5000);
          ranges[i].bytes = g_malloc (ranges[i].length + 1);
        }
      tsr_source_read_ranges (source, ranges, G_N_ELEMENTS (ranges), NULL, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
        {
          gsize there = (gsize)MAX ((gint64)length - ranges[i].offset, 0);

          g_assert_cmpuint (ranges[i].got, ==, MIN (ranges[i].length, there));
          g_assert_true (ranges[i].got == 0
                         || memcmp (ranges[i].bytes, bytes + ranges[i].offset, ranges[i].got) == 0);
          g_free (ranges[i].bytes);
        }
    }
}

typedef struct
{
  RemoteWorld *w;
  char *path;
  GBytes *bytes;
  GError *error;
} Reading;

static gpointer
read_in_thread (gpointer data)
{
  Reading *reading = data;

  reading->bytes = remote_world_read (reading->w, reading->path, &reading->error);
  return NULL;
}

static void
reading_clear (Reading *reading)
{
  g_free (reading->path);
  g_clear_pointer (&reading->bytes, g_bytes_unref);
  g_clear_error (&reading->error);
}

static void
check_reading (Reading *reading)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_no_error (reading->error);
  g_assert_true (g_file_get_contents (reading->path, &bytes, &length, NULL));
  g_assert_cmpuint (g_bytes_get_size (reading->bytes), ==, length);
  g_assert_true (memcmp (g_bytes_get_data (reading->bytes, NULL), bytes, length) == 0);
}

/* The server dies while a file is read: a report that is open keeps what it has; with a key, for
 * which nobody is asked, the reading goes on where it was. */
static void
test_killed (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  Reading reading = { &w, NULL, NULL, NULL };
  GThread *thread;

  if (!remote_world_set_up (&w, NULL, TRUE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_connect (&w);
  report = open_report (&w, w.report);
  reading.path = g_build_filename (w.report, "profile.pop", NULL);
  delay_proxy_freeze_after (w.proxy, 1000000);
  thread = g_thread_new ("read", read_in_thread, &reading);
  delay_proxy_wait_frozen (w.proxy);
  ssh_server_kill (w.server);
  delay_proxy_thaw (w.proxy);
  g_thread_join (thread);
  /* What was under way is lost; the next one connects again. */
  if (reading.error != NULL)
    {
      g_assert_true (tsr_remote_error_is_transient (reading.error));
      g_clear_error (&reading.error);
      read_in_thread (&reading);
    }
  check_reading (&reading);
  remote_world_check_report (&w, report, w.report);
  g_assert_cmpuint (ssh_server_get_n_accepted (w.server), ==, 2);
  reading_clear (&reading);
}

/* The same where the server asks: reads fail until somebody says that it may ask again. */
static void
test_killed_with_password (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  Reading reading = { &w, NULL, NULL, NULL };
  SshServer *server;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  server = ssh_authenticator_new (w.world, "--step=keyboard-interactive", "--round=||Code=1", NULL);
  remote_world_set_server (&w, server, NULL);
  script_asker_expect (w.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  remote_world_connect (&w);
  report = open_report (&w, w.report);
  ssh_server_kill (server);
  reading.path = g_build_filename (w.report, "profile.pop", NULL);
  bytes = remote_world_read (&w, reading.path, &error);
  g_assert_null (bytes);
  g_assert_cmpint ((int)error->domain, ==, (int)TSR_REMOTE_ERROR);
  g_assert_true (error->code == TSR_REMOTE_ERROR_NETWORK
                 || error->code == TSR_REMOTE_ERROR_NEEDS_ANSWER);
  g_assert_cmpint (tsr_connection_get_state (w.connection), ==, TSR_CONNECTION_LOST);
  remote_world_check_report (&w, report, w.report);
  tsr_connection_forget_loss (w.connection);
  script_asker_expect (w.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  remote_world_connect (&w);
  read_in_thread (&reading);
  check_reading (&reading);
  g_assert_cmpuint (script_asker_get_n_left (w.asker), ==, 0);
  reading_clear (&reading);
}

/* A network that stands still is noticed by the keep-alive, and cancelling needs no network. */
static void
test_silence (void)
{
  g_auto (RemoteWorld) w = { 0 };
  Reading reading = { &w, NULL, NULL, NULL };
  GThread *thread;

  if (!remote_world_set_up (&w, NULL, TRUE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_connect (&w);
  reading.path = g_build_filename (w.report, "profile.pop", NULL);
  delay_proxy_freeze_after (w.proxy, 500000);
  thread = g_thread_new ("read", read_in_thread, &reading);
  delay_proxy_wait_frozen (w.proxy);
  g_cancellable_cancel (w.cancellable);
  g_thread_join (thread);
  g_assert_error (reading.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  /* It was never away: what comes then is thrown away, and the next read is right. */
  g_clear_error (&reading.error);
  g_cancellable_reset (w.cancellable);
  delay_proxy_thaw (w.proxy);
  read_in_thread (&reading);
  check_reading (&reading);
  g_assert_cmpuint (ssh_server_get_n_accepted (w.server), ==, 1);
  reading_clear (&reading);
}

/* Another file under the same name: never a mixture of both. */
static void
test_changed (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *other = NULL;
  guint8 bytes[4096];

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  path = g_build_filename (w.report, "profile.pop", NULL);
  other = g_build_filename (w.report, "other", NULL);
  remote_world_connect (&w);
  source = tsr_place_open (TSR_PLACE (w.place), path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tsr_source_read (source, 0, bytes, sizeof bytes, NULL, &error), ==, 4096);
  g_assert_true (tsr_source_check_unchanged (source, NULL, &error));
  /* Replaced, as programs write reports; the server keeps the old one open. */
  tsr_test_write (w.report, "other", "something other", -1);
  g_assert_cmpint (g_rename (other, path), ==, 0);
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_clear_error (&error);
  /* After a reconnect the old file is nowhere any more. */
  ssh_server_kill (w.server);
  g_assert_cmpint (tsr_source_read (source, 5000000, bytes, sizeof bytes, NULL, &error), ==, -1);
  if (tsr_remote_error_is_transient (error)) /* it was asked before the loss was known */
    {
      g_clear_error (&error);
      g_assert_cmpint (tsr_source_read (source, 5000000, bytes, sizeof bytes, NULL, &error), ==,
                       -1);
    }
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_clear_error (&error);
  g_clear_object (&source);
  /* Opened again it is the new one, of which nothing was kept. */
  remote_world_renew (&w, NULL);
  remote_world_connect (&w);
  remote_world_check_file (&w, path);
}

/* Loading of a report that waits for the network after @bytes. */
typedef struct
{
  RemoteWorld *w;
  TsrReport *report;
  GError *error;
} Loading;

static gpointer
load_in_thread (gpointer data)
{
  Loading *loading = data;

  loading->report = tsr_report_open_sync (TSR_PLACE (loading->w->place), loading->w->report,
                                          TSR_LOAD_UP_TO_MEMORY, NULL, &loading->error);
  return NULL;
}

static GThread *
load_until (Loading *loading, guint64 bytes)
{
  GThread *thread;

  delay_proxy_freeze_after (loading->w->proxy, bytes);
  thread = g_thread_new ("load", load_in_thread, loading);
  delay_proxy_wait_frozen (loading->w->proxy);
  return thread;
}

/* The server dies while a report is loaded: what was there stays, the rest says why it is not, and
 * the next time all is there. */
static void
test_killed_while_loading (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  Loading loading = { &w, NULL, NULL };
  GThread *thread;

  if (!remote_world_set_up (&w, NULL, TRUE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_connect (&w);
  thread = load_until (&loading, 300000);
  ssh_server_kill (w.server);
  delay_proxy_thaw (w.proxy);
  g_thread_join (thread);
  if (loading.report != NULL && tsr_report_get_memory_tables (loading.report) != NULL)
    remote_world_check_report (&w, loading.report, w.report);
  else if (loading.report == NULL)
    g_assert_true (tsr_remote_error_is_transient (loading.error));
  else
    g_assert_nonnull (tsr_report_get_stage_error (loading.report, TSR_STAGE_MEMORY));
  report = open_report (&w, w.report);
  remote_world_check_report (&w, report, w.report);
  g_clear_object (&loading.report);
  g_clear_error (&loading.error);
}

/* Written over in place while it is loaded: the old one or none, never both. */
static void
test_changed_while_loading (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *path = NULL, *before = NULL, *zeros = NULL;
  Loading loading = { &w, NULL, NULL };
  struct utimbuf times = { 1700000000, 1700000000 };
  GThread *thread;
  FILE *file;

  if (!remote_world_set_up (&w, NULL, TRUE))
    return;
  remote_world_add_report (&w, "demo");
  path = g_build_filename (w.report, "profile.pop", NULL);
  before = remote_world_path (&w, "before");
  g_assert_cmpint (g_utime (path, &times), ==, 0); /* SFTP tells seconds */
  g_free (ssh_world_run (w.world, "cp", "-rp", w.report, before, NULL));
  remote_world_connect (&w);
  thread = load_until (&loading, 300000);
  zeros = g_malloc0 (8000000);
  file = fopen (path, "r+");
  g_assert_nonnull (file);
  g_assert_cmpint (fseek (file, 65536, SEEK_SET), ==, 0);
  g_assert_cmpuint (fwrite (zeros, 1, 8000000, file), ==, 8000000);
  g_assert_cmpint (fclose (file), ==, 0);
  delay_proxy_thaw (w.proxy);
  g_thread_join (thread);
  if (loading.report == NULL)
    g_assert_true (loading.error->domain == TSR_ERROR);
  else if (tsr_report_get_memory_tables (loading.report) != NULL)
    remote_world_check_report (&w, loading.report, before);
  g_test_message ("%s", loading.error != NULL ? loading.error->message
                        : tsr_report_get_stage_error (loading.report, TSR_STAGE_MEMORY) != NULL
                            ? tsr_report_get_stage_error (loading.report, TSR_STAGE_MEMORY)->message
                            : "all of it was there before");
  g_clear_object (&loading.report);
  g_clear_error (&loading.error);
}

/* An error names the place as one would write it, so that it can be told from one on this machine
 * and what it offers can be copied. */
static void
test_not_there (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *location = NULL;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_connect (&w);
  path = remote_world_path (&w, "nowhere");
  location = tsr_place_dup_location (TSR_PLACE (w.place), path);
  g_assert_true (g_str_has_prefix (location, "ssh://"));
  report = tsr_report_open_sync (TSR_PLACE (w.place), path, TSR_LOAD_SUMMARY_ONLY, NULL, &error);
  g_assert_null (report);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, location));
}

static void
test_vanished (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrFolderEntry) entry = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  guint8 bytes[16];

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  path = remote_world_path (&w, "file");
  tsr_test_write (ssh_world_get_home (w.world), "file", "hello", 5);
  remote_world_connect (&w);
  source = tsr_place_open (TSR_PLACE (w.place), path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_remove (path), ==, 0);
  if (tsr_source_read (source, 0, bytes, sizeof bytes, NULL, &error) >= 0)
    g_assert_cmpmem (bytes, 5, "hello", 5); /* read when it was opened */
  else
    g_assert_true (g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED)
                   || g_error_matches (error, TSR_ERROR, TSR_ERROR_CHANGED));
  g_clear_error (&error);
  entry = tsr_connection_stat (w.connection, path, NULL, &error);
  g_assert_null (entry);
  g_assert_true (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
                 || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED));
}

/* A second opening reads next to nothing; without a network it still opens, and says so. */
static void
test_cache (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) first = NULL, summary = NULL, second = NULL, third = NULL;
  g_autoptr (GError) error = NULL;
  DelayProxyCount once, again;

  if (!remote_world_set_up (&w, NULL, TRUE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_connect (&w);
  delay_proxy_reset_count (w.proxy);
  first = open_report (&w, w.report);
  delay_proxy_get_count (w.proxy, &once);
  remote_world_renew (&w, NULL);
  remote_world_connect (&w);
  /* What is asked at once must have left before the first answer comes, on a busy machine, too. */
  delay_proxy_set_link (w.proxy, 0.1, 0);
  delay_proxy_reset_count (w.proxy);
  summary
      = tsr_report_open_sync (TSR_PLACE (w.place), w.report, TSR_LOAD_SUMMARY_ONLY, NULL, &error);
  g_assert_no_error (error);
  delay_proxy_get_count (w.proxy, &again);
  delay_proxy_set_link (w.proxy, 0, 0);
  second = open_report (&w, w.report);
  g_test_message ("first %" G_GUINT64_FORMAT " bytes in %" G_GUINT64_FORMAT
                  " round trips, second %" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT,
                  once.to_client, once.round_trips, again.to_client, again.round_trips);
  remote_world_check_report (&w, second, w.report);
  g_assert_false (tsr_remote_place_is_offline (w.place));
  g_assert_cmpuint (again.to_client, <, 65536);
  g_assert_cmpuint (again.to_client, <, once.to_client);
  g_assert_cmpuint (again.round_trips, <=, 6);
  ssh_server_refuse (w.server);
  remote_world_renew (&w, NULL);
  third = open_report (&w, w.report);
  g_assert_true (tsr_remote_place_is_offline (w.place));
  remote_world_check_report (&w, third, w.report);
}

/* From SFTP ready to the Summary. */
static void
test_round_trips (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  DelayProxyCount count;

  if (!remote_world_set_up (&w, NULL, TRUE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_connect (&w);
  delay_proxy_set_link (w.proxy, 0.1, 0);
  delay_proxy_reset_count (w.proxy);
  report
      = tsr_report_open_sync (TSR_PLACE (w.place), w.report, TSR_LOAD_SUMMARY_ONLY, NULL, &error);
  g_assert_no_error (error);
  delay_proxy_get_count (w.proxy, &count);
  g_test_message ("%" G_GUINT64_FORMAT " round trips", count.round_trips);
  g_assert_cmpuint (count.round_trips, <=, 12);
}

/* The cache's disk is full: everything is read, and nothing is wrong. */
static void
test_disk_full (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *path = NULL;
  struct rlimit before, limit;
  void (*handler) (int);

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  path = g_build_filename (w.report, "profile.pop", NULL);
  remote_world_connect (&w);
  handler = signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = 100000; /* no file of ours may become longer */
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  report = open_report (&w, w.report);
  remote_world_check_file (&w, path);
  remote_world_check_report (&w, report, w.report);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  signal (SIGXFSZ, handler);
  /* What could be kept is right as well. */
  remote_world_renew (&w, NULL);
  remote_world_check_file (&w, path);
}

static void
test_no_sftp (void)
{
  static const SshServerOptions none = { .sftp = SSH_SFTP_NONE };
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (GError) error = NULL;

  if (!remote_world_set_up (&w, &none, FALSE))
    return;
  remote_world_renew (&w, NULL);
  g_assert_false (tsr_connection_connect (w.connection, NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NO_SFTP);
}

/* One session channel is all that it allows: slower, and everything works. */
static void
test_one_session (void)
{
  static const SshServerOptions one = { .lines = "MaxSessions 1" };
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *path = NULL;

  if (!remote_world_set_up (&w, &one, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  path = g_build_filename (w.report, "profile.pop", NULL);
  remote_world_connect (&w);
  remote_world_check_file (&w, path);
  g_assert_cmpuint (ssh_server_get_n_accepted (w.server), ==, 1);
}

/* The server's "/" is the report's folder: by chroot as root, else by a server that says so. */
static void
test_chroot (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *lines = NULL, *home = NULL;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  lines = g_strconcat ("ChrootDirectory ", w.report, NULL);
  if (getuid () == 0)
    ssh_server_set_options (w.server, &(SshServerOptions){ .lines = lines });
  else
    remote_world_set_server (&w, ssh_hostile_new (w.world, "truth", w.report), NULL);
  remote_world_connect (&w);
  home = tsr_remote_place_expand (w.place, "~", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (home, ==, "/");
  entries = tsr_place_list (TSR_PLACE (w.place), "/", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 5);
  report = open_report (&w, "/");
  remote_world_check_report (&w, report, w.report);
}

static void
test_jumps (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autoptr (TsrReport) report = NULL;
  SshServer *jumps[2];

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  remote_world_set_server (&w, w.server, "ProxyJump jump1,jump2\n");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *alias = g_strdup_printf ("jump%u", i + 1);

      jumps[i] = ssh_authenticator_new (w.world, "--step=publickey", "--step=keyboard-interactive",
                                        "--round=||Code=1", NULL);
      ssh_world_know (w.world, jumps[i], NULL);
      ssh_world_add_host (w.world, alias, jumps[i], NULL);
      script_asker_expect (w.asker, TSR_QUESTION_INTERACTIVE, alias, "1");
    }
  remote_world_connect (&w);
  report = open_report (&w, w.report);
  remote_world_check_report (&w, report, w.report);
  /* One login on each hop served all that. */
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (ssh_server_get_n_accepted (jumps[i]), ==, 1);
  g_assert_cmpuint (ssh_server_get_n_accepted (w.server), ==, 1);
}

int
main (int argc, char **argv)
{
  static const SshServerOptions program = { .sftp = SSH_SFTP_PROGRAM };
  static const SshServerOptions dropbear = { .is_dropbear = TRUE, .sftp = SSH_SFTP_PROGRAM };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/remote-report/same/internal", NULL, test_same);
  g_test_add_data_func ("/remote-report/same/program", &program, test_same);
  g_test_add_data_func ("/remote-report/same/dropbear", &dropbear, test_same);
  g_test_add_func ("/remote-report/ranges", test_ranges);
  g_test_add_func ("/remote-report/killed", test_killed);
  g_test_add_func ("/remote-report/killed-with-password", test_killed_with_password);
  g_test_add_func ("/remote-report/silence", test_silence);
  g_test_add_func ("/remote-report/changed", test_changed);
  g_test_add_func ("/remote-report/killed-while-loading", test_killed_while_loading);
  g_test_add_func ("/remote-report/changed-while-loading", test_changed_while_loading);
  g_test_add_func ("/remote-report/not-there", test_not_there);
  g_test_add_func ("/remote-report/vanished", test_vanished);
  g_test_add_func ("/remote-report/cache", test_cache);
  g_test_add_func ("/remote-report/round-trips", test_round_trips);
  g_test_add_func ("/remote-report/disk-full", test_disk_full);
  g_test_add_func ("/remote-report/no-sftp", test_no_sftp);
  g_test_add_func ("/remote-report/one-session", test_one_session);
  g_test_add_func ("/remote-report/chroot", test_chroot);
  g_test_add_func ("/remote-report/jumps", test_jumps);
  return g_test_run ();
}
