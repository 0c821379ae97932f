/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers of a trace: kept for one report and found again, never beside it. */

#include "config.h"

#include "tsr-markers.h"
#include "tsr-test.h"
#include "tsr-ui-test.h"

#include <glib/gstdio.h>
#include <utime.h>

typedef struct
{
  char *report_folder, *data;
  TsrTraceState *state;
  TsrMarkers *markers;
  TsrReport *report;
} Fixture;

static TsrReport *
open_report (const char *folder)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  TsrReport *report = tsr_report_open_sync (place, folder, TSR_LOAD_SUMMARY_ONLY, NULL, &error);

  g_assert_no_error (error);
  return report;
}

static void
start (Fixture *f)
{
  f->state = tsr_trace_state_new ();
  f->markers = tsr_markers_new (f->state, f->data);
  f->report = open_report (f->report_folder);
}

static void
stop (Fixture *f)
{
  g_clear_pointer (&f->markers, tsr_markers_free);
  g_clear_object (&f->state);
  g_clear_object (&f->report);
}

static void
setup (Fixture *f, gconstpointer data)
{
  f->report_folder = tsr_test_folder_new ();
  f->data = tsr_test_folder_new ();
  tsr_ui_test_write_report (f->report_folder, 0);
  start (f);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  stop (f);
  tsr_test_folder_free (f->report_folder);
  tsr_test_folder_free (f->data);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static const TsrTraceMarker *
get_marker (Fixture *f, guint i)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (f->state);

  g_assert_cmpuint (i, <, markers->len);
  return markers->pdata[i];
}

static guint
get_n (Fixture *f)
{
  return tsr_trace_state_peek_markers (f->state)->len;
}

static void
test_kept (Fixture *f, gconstpointer data)
{
  guint n_before = count_files (f->report_folder);

  tsr_markers_set_report (f->markers, f->report);
  g_assert_cmpuint (get_n (f), ==, 0);
  tsr_trace_state_add_marker (f->state, 500, 500, "a place\nwith = [signs] ; # \"ä\"");
  tsr_trace_state_add_marker (f->state, -20, 99, "");
  /* Kept when the program ends before the half second is over. */
  stop (f);
  g_assert_cmpuint (count_files (f->data), ==, 1);
  g_assert_cmpuint (count_files (f->report_folder), ==, n_before);
  start (f);
  tsr_markers_set_report (f->markers, f->report);
  g_assert_cmpuint (get_n (f), ==, 2);
  g_assert_cmpint (get_marker (f, 0)->from, ==, -20);
  g_assert_cmpint (get_marker (f, 0)->to, ==, 99);
  g_assert_cmpstr (get_marker (f, 0)->note, ==, "");
  g_assert_cmpint (get_marker (f, 1)->from, ==, 500);
  g_assert_cmpstr (get_marker (f, 1)->note, ==, "a place\nwith = [signs] ; # \"ä\"");
  tsr_trace_state_set_marker_note (f->state, 0, "changed");
  tsr_trace_state_remove_marker (f->state, 1);
  tsr_ui_test_run (700);
  tsr_trace_state_take_markers (f->state, tsr_trace_markers_new ());
  /* What comes from the file is not a change of the user's. */
  tsr_markers_set_report (f->markers, NULL);
  g_assert_cmpuint (get_n (f), ==, 0);
  g_assert_no_error (tsr_markers_get_error (f->markers));
}

static void
test_removed (Fixture *f, gconstpointer data)
{
  tsr_markers_set_report (f->markers, f->report);
  tsr_trace_state_add_marker (f->state, 1, 2, "one");
  tsr_markers_flush (f->markers);
  g_assert_cmpuint (count_files (f->data), ==, 1);
  tsr_trace_state_remove_marker (f->state, 0);
  tsr_markers_flush (f->markers);
  g_assert_cmpuint (count_files (f->data), ==, 0);
}

/* The same place with another recording is another report; the old one's are there when it is. */
static void
test_identity (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->report_folder, "profile.pop", NULL);
  GStatBuf info;
  struct utimbuf times;

  tsr_markers_set_report (f->markers, f->report);
  tsr_trace_state_add_marker (f->state, 1, 2, "old");
  stop (f);
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  times = (struct utimbuf){ info.st_atime, info.st_mtime - 1000 };
  g_assert_cmpint (g_utime (path, &times), ==, 0);
  start (f);
  tsr_markers_set_report (f->markers, f->report);
  g_assert_cmpuint (get_n (f), ==, 0);
  tsr_trace_state_add_marker (f->state, 7, 7, "new");
  stop (f);
  g_assert_cmpuint (count_files (f->data), ==, 2);
  start (f);
  tsr_markers_set_report (f->markers, f->report);
  g_assert_cmpuint (get_n (f), ==, 1);
  g_assert_cmpstr (get_marker (f, 0)->note, ==, "new");
}

/* Somebody wrote nonsense into the file: what can be read is. */
static void
test_damaged (Fixture *f, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (GDir) dir = NULL;

  tsr_markers_set_report (f->markers, f->report);
  tsr_trace_state_add_marker (f->state, 1, 2, "one");
  tsr_markers_flush (f->markers);
  dir = g_dir_open (f->data, 0, NULL);
  path = g_build_filename (f->data, g_dir_read_name (dir), NULL);
  g_assert_true (g_file_set_contents (path,
                                      "[marker 1]\nfrom=5\nto=4\nnote=wrong\n[marker 2]\nfrom=x\n"
                                      "to=9\nnote=wrong\n[marker 3]\nfrom=3\nto=8\nnote=good\n"
                                      "[marker 4]\nfrom=9\nto=9\n",
                                      -1, NULL));
  tsr_markers_set_report (f->markers, f->report);
  g_assert_cmpuint (get_n (f), ==, 2);
  g_assert_cmpstr (get_marker (f, 0)->note, ==, "good");
  g_assert_cmpstr (get_marker (f, 1)->note, ==, "");
  g_assert_true (g_file_set_contents (path, "\001\002 no key file", -1, NULL));
  tsr_markers_set_report (f->markers, f->report);
  g_assert_cmpuint (get_n (f), ==, 0);
}

static void
count (gpointer data)
{
  ++*(guint *)data;
}

static void
test_read_only (Fixture *f, gconstpointer data)
{
  g_autofree char *file = g_build_filename (f->data, "file", NULL);
  g_autofree char *below = g_build_filename (file, "markers", NULL);
  TsrMarkers *markers;
  guint n_told = 0;

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  markers = tsr_markers_new (f->state, below);
  tsr_markers_set_error_func (markers, count, &n_told);
  tsr_markers_set_report (markers, f->report);
  tsr_trace_state_add_marker (f->state, 1, 1, "one");
  tsr_markers_flush (markers);
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_nonnull (tsr_markers_get_error (markers));
  g_assert_nonnull (strstr (tsr_markers_get_error (markers)->message, below));
  g_assert_cmpuint (get_n (f), ==, 1); /* it stays */
  /* With the folder there it is kept without another change. */
  g_assert_cmpint (g_unlink (file), ==, 0);
  tsr_markers_flush (markers);
  g_assert_cmpuint (n_told, ==, 2);
  g_assert_no_error (tsr_markers_get_error (markers));
  g_assert_cmpuint (count_files (below), ==, 1);
  tsr_markers_free (markers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/markers/kept", Fixture, NULL, setup, test_kept, teardown);
  g_test_add ("/markers/removed", Fixture, NULL, setup, test_removed, teardown);
  g_test_add ("/markers/identity", Fixture, NULL, setup, test_identity, teardown);
  g_test_add ("/markers/damaged", Fixture, NULL, setup, test_damaged, teardown);
  g_test_add ("/markers/read-only", Fixture, NULL, setup, test_read_only, teardown);
  return g_test_run ();
}
