/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report behind ssh in a window: what the status strip and the bars say, the local copy, opening
 * without a network, a connection that breaks while it is read, and a main loop that never waits
 * for the network. */

#include "config.h"

#include "delay-proxy.h"
#include "remote-window.h"
#include "tsr-remote-error.h"
#include "tsr-test.h"

#include <glib/gstdio.h>

typedef struct
{
  SshWorld *world;
  SshServer *server;
  DelayProxy *proxy;
  char *report;   /* folder on the host */
  char *location; /* of it, through the proxy */
} Fixture;

/* Each its own name: connections of the one before are not used again. */
static gboolean
set_up (Fixture *f, const char *preset)
{
  static guint n_hosts;
  g_autofree char *alias = g_strdup_printf ("host%u", ++n_hosts);
  g_autofree char *lines = NULL;

  f->world = remote_window_new_world ();
  if (f->world == NULL)
    return FALSE;
  f->server = ssh_server_new (f->world, NULL);
  f->proxy = delay_proxy_new (ssh_server_get_port (f->server));
  lines = g_strdup_printf ("HostKeyAlias %s\n  Port %u", alias, delay_proxy_get_port (f->proxy));
  ssh_world_add_host (f->world, alias, f->server, lines);
  ssh_world_know (f->world, f->server, alias);
  f->report = remote_window_add_report (f->world, preset);
  f->location = g_strdup_printf ("ssh://%s%s", alias, f->report);
  return TRUE;
}

static void
fixture_clear (Fixture *f)
{
  tsr_connections_close_all (
      tsr_application_get_remote (window_test_get_application ())->connections);
  tsr_ui_test_run (50);
  g_clear_pointer (&f->proxy, delay_proxy_free);
  g_clear_pointer (&f->world, ssh_world_free);
  g_free (f->report);
  g_free (f->location);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

static gboolean
has_ended (TsrWindow *window, TsrStage stage)
{
  TsrReport *report = tsr_session_get_report (tsr_window_get_session (window));
  TsrStageState state
      = report != NULL ? tsr_report_get_stage_state (report, stage) : TSR_STAGE_PENDING;

  return state == TSR_STAGE_READY || state == TSR_STAGE_FAILED;
}

static gboolean
is_ready (TsrWindow *window, TsrStage stage)
{
  TsrReport *report = tsr_session_get_report (tsr_window_get_session (window));

  return report != NULL && tsr_report_get_stage_state (report, stage) == TSR_STAGE_READY;
}

static TsrReport *
report_of (TsrWindow *window)
{
  return tsr_session_get_report (tsr_window_get_session (window));
}

/* Nothing is read any more; what no page has asked for is not. */
static gboolean
is_loaded (TsrWindow *window)
{
  for (guint i = 0; i < TSR_N_STAGES; i++)
    if (!has_ended (window, i)
        && !(report_of (window) != NULL && tsr_report_is_waiting (report_of (window), i)))
      return FALSE;
  return TRUE;
}

static const char *
status_of (TsrWindow *window)
{
  return tsr_remote_monitor_get_status (tsr_window_get_remote (window));
}

static TsrWindow *
open_window (const char *location)
{
  TsrWindow *window = window_test_new ();

  tsr_window_open (window, location, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (is_loaded (window));
  return window;
}

static gboolean
says (TsrWindow *window, const char *key, const char *part)
{
  const char *text = remote_window_get_bar (window, key);

  return text != NULL && strstr (text, part) != NULL;
}

/* ---------------------------------------------------------------- copy, offline */

static gboolean
is_whole (TsrWindow *window)
{
  TsrLocalCopy *copy = tsr_remote_monitor_get_copy (tsr_window_get_remote (window));

  return tsr_local_copy_get_state (copy) == TSR_LOCAL_COPY_DONE
         && tsr_local_copy_peek (copy)->is_whole;
}

static guint64
get_fetched (DelayProxy *proxy)
{
  DelayProxyCount count;

  delay_proxy_get_count (proxy, &count);
  return count.to_client;
}

static gint64
bytes_of (const char *folder)
{
  gint64 bytes = 0;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;

      g_assert_cmpint (g_stat (path, &info), ==, 0);
      bytes += info.st_size;
    }
  return bytes;
}

/* Bytes of the report that the cache has now. */
static gint64
here_of (TsrWindow *window)
{
  const TsrReportFiles *files
      = tsr_report_get_files (tsr_session_get_report (tsr_window_get_session (window)));
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  TsrRemoteCopy copy;

  for (guint i = 0; i < TSR_N_FILES; i++)
    if (files->files[i].found)
      g_ptr_array_add (paths, files->files[i].path);
  g_ptr_array_add (paths, NULL);
  tsr_remote_place_get_copy (TSR_REMOTE_PLACE (files->place), (const char *const *)paths->pdata,
                             &copy);
  return copy.here;
}

/* The whole report is fetched; then it opens without a network, and says so. */
static void
test_copy (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;
  TsrLocalCopy *copy;

  if (!set_up (&f, "tiny"))
    return;
  window = open_window (f.location);
  g_assert_nonnull (strstr (status_of (window), "host"));
  g_assert_null (remote_window_get_bar (window, "remote"));
  /* What is said of the cache is how it is after the loading, not in its middle. */
  copy = tsr_remote_monitor_get_copy (tsr_window_get_remote (window));
  tsr_ui_test_wait (here_of (window) > 0 && tsr_local_copy_peek (copy)->here == here_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.keep-copy", NULL);
  tsr_ui_test_wait (is_whole (window));
  copy = tsr_remote_monitor_get_copy (tsr_window_get_remote (window));
  g_assert_cmpint (tsr_local_copy_peek (copy)->bytes, ==, bytes_of (f.report));
  g_assert_cmpint (tsr_local_copy_peek (copy)->here, ==, bytes_of (f.report));

  /* Nobody listens any more: what is all here needs nobody. */
  ssh_server_refuse (f.server);
  ssh_server_kill (f.server);
  delay_proxy_cut (f.proxy);
  tsr_ui_test_run (1500);
  g_assert_null (remote_window_get_bar (window, "remote"));
  g_assert_null (remote_window_get_bar (window, "changed"));
  window_test_close (window);
  tsr_connections_close_all (
      tsr_application_get_remote (window_test_get_application ())->connections);
  tsr_ui_test_run (100);
  window = open_window (f.location);
  g_assert_true (is_ready (window, TSR_STAGE_SUMMARY));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-insights", NULL);
  for (guint i = 0; i < TSR_STAGE_DEBUG; i++)
    tsr_ui_test_wait (is_ready (window, i));
  /* Nothing on the page shows debug.cbor. */
  g_assert_false (is_ready (window, TSR_STAGE_DEBUG));
  tsr_ui_test_wait (remote_window_get_bar (window, "remote") != NULL);
  g_assert_nonnull (strstr (remote_window_get_bar (window, "remote"), "kept on this computer"));
  g_assert_nonnull (strstr (status_of (window), "offline"));
  window_test_close (window);
}

/* Nobody logs in: what is kept here is shown as without a network, and the bar says why. */
static void
test_unanswered (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  TsrConnections *connections
      = tsr_application_get_remote (window_test_get_application ())->connections;
  g_autofree char *report = NULL, *location = NULL;
  SshServer *server;
  TsrWindow *window;

  if (world == NULL)
    return;
  report = remote_window_add_report (world, "tiny");
  server = ssh_authenticator_new (world, "--step=password", "--password=geheim", NULL);
  ssh_world_know (world, server, NULL);
  location = remote_window_dup_location (server, report);
  window = window_test_new ();
  tsr_window_open (window, location, TSR_N_VIEWS);
  remote_window_answer ("Password", "geheim", "answer");
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (is_loaded (window));
  g_assert_null (remote_window_get_bar (window, "remote"));
  window_test_close (window);

  /* The password, then the host's key. */
  for (guint i = 0; i < 2; i++)
    {
      tsr_connections_close_all (connections);
      tsr_ui_test_run (100);
      if (i == 1)
        g_assert_true (g_file_set_contents (ssh_world_get_known_hosts (world), "", -1, NULL));
      window = window_test_new ();
      tsr_window_open (window, location, TSR_N_VIEWS);
      remote_window_answer (i == 0 ? "Password" : "SHA256:", NULL, "cancel");
      tsr_ui_test_wait (window_test_is (window, "report"));
      tsr_ui_test_wait (is_loaded (window));
      g_assert_true (is_ready (window, TSR_STAGE_SUMMARY));
      g_assert_null (remote_window_get_question ());
      tsr_ui_test_wait (says (window, "remote", "kept on this computer"));
      g_assert_true (says (window, "remote", "not logged in"));
      g_assert_false (says (window, "remote", "not reachable"));
      g_assert_nonnull (strstr (status_of (window), "not logged in"));
      /* Once more: the bar stays, and nobody asks by himself. */
      gtk_widget_activate_action (GTK_WIDGET (window), "remote.reconnect", NULL);
      remote_window_answer (i == 0 ? "Password" : "SHA256:", NULL, "cancel");
      tsr_ui_test_run (1500);
      g_assert_null (remote_window_get_question ());
      if (i == 0)
        g_assert_true (says (window, "remote", "not logged in"));
      if (i == 0)
        window_test_close (window);
    }
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.reconnect", NULL);
  remote_window_answer ("SHA256:", NULL, "once");
  remote_window_answer ("Password", "geheim", "answer");
  tsr_ui_test_wait (remote_window_get_bar (window, "remote") == NULL);
  tsr_ui_test_wait (is_loaded (window));
  window_test_close (window);
  tsr_connections_close_all (connections);
  tsr_ui_test_run (50);
}

/* (transfer none) (nullable): the question on @window. */
static TsrQuestionDialog *
question_on (TsrWindow *window)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *at = all; at != NULL; at = at->next)
    if (TSR_IS_QUESTION_DIALOG (at->data)
        && gtk_window_get_transient_for (at->data) == GTK_WINDOW (window))
      return at->data;
  return NULL;
}

static gboolean
asks_on (TsrWindow *window, SshServer *server)
{
  TsrQuestionDialog *dialog = question_on (window);
  g_autofree char *text = dialog != NULL ? tsr_question_dialog_dup_text (dialog) : NULL;
  g_autofree char *port = g_strdup_printf (":%u", ssh_server_get_port (server));

  return text != NULL && strstr (text, port) != NULL;
}

/* Each window has the questions of what it opens, whichever began last; who comes second to a
 * connection waits for the same answer. */
static void
test_two_windows (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  g_autofree char *report = NULL;
  SshServer *servers[2];
  TsrWindow *windows[3];

  if (world == NULL)
    return;
  report = remote_window_add_report (world, "tiny");
  for (guint i = 0; i < 3; i++)
    windows[i] = window_test_new ();
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *location = NULL;

      servers[i] = ssh_authenticator_new (world, "--step=password", "--password=geheim",
                                          i == 0 ? "--delay-ms=300" : NULL, NULL);
      ssh_world_know (world, servers[i], NULL);
      location = remote_window_dup_location (servers[i], report);
      tsr_window_open (windows[i], location, TSR_N_VIEWS);
      if (i == 0)
        tsr_window_open (windows[2], location, TSR_N_VIEWS);
    }
  /* The first host is slow: its question comes when another window has begun to wait. */
  tsr_ui_test_wait (asks_on (windows[1], servers[1]));
  tsr_ui_test_wait (asks_on (windows[0], servers[0]) || asks_on (windows[2], servers[0]));
  g_assert_true (asks_on (windows[1], servers[1]));
  tsr_question_dialog_type (question_on (windows[1]), 0, "geheim");
  tsr_question_dialog_respond (question_on (windows[1]), "answer");
  tsr_ui_test_wait (window_test_is (windows[1], "report"));
  {
    TsrWindow *asked = question_on (windows[0]) != NULL ? windows[0] : windows[2];

    tsr_question_dialog_type (question_on (asked), 0, "geheim");
    tsr_question_dialog_respond (question_on (asked), "answer");
  }
  tsr_ui_test_wait (window_test_is (windows[0], "report"));
  tsr_ui_test_wait (window_test_is (windows[2], "report"));
  g_assert_cmpuint (ssh_server_get_n_accepted (servers[0]), ==, 1);
  for (guint i = 0; i < 3; i++)
    window_test_close (windows[i]);
  tsr_connections_close_all (
      tsr_application_get_remote (window_test_get_application ())->connections);
  tsr_ui_test_run (50);
}

/* The copy is paused and goes on where it was. */
static void
test_pause (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;
  TsrLocalCopy *copy;
  guint64 before;
  gint64 here;

  if (!set_up (&f, "demo"))
    return;
  window = open_window (f.location);
  copy = tsr_remote_monitor_get_copy (tsr_window_get_remote (window));
  delay_proxy_set_link (f.proxy, 0.001, 100e3);
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.keep-copy", NULL);
  tsr_ui_test_wait (remote_window_get_bar (window, "copy") != NULL);
  g_assert_nonnull (strstr (remote_window_get_bar (window, "copy"), "Keeping a local copy"));
  before = get_fetched (f.proxy);
  tsr_ui_test_wait (get_fetched (f.proxy) > before + 30000);
  g_assert_cmpint (tsr_local_copy_get_state (copy), ==, TSR_LOCAL_COPY_RUNNING);
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.pause-copy", NULL);
  g_assert_cmpint (tsr_local_copy_get_state (copy), ==, TSR_LOCAL_COPY_IDLE);
  tsr_ui_test_run (300);
  here = tsr_local_copy_peek (copy)->here;
  g_assert_cmpint (here, >, 0);
  g_assert_cmpint (here, <, bytes_of (f.report));
  g_assert_nonnull (strstr (remote_window_get_bar (window, "copy"), "paused"));
  delay_proxy_set_link (f.proxy, 0, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.keep-copy", NULL);
  tsr_ui_test_wait (is_whole (window));
  g_assert_cmpint (tsr_local_copy_peek (copy)->here, ==, bytes_of (f.report));
  g_assert_null (remote_window_get_bar (window, "copy"));
  window_test_close (window);
}

/* ---------------------------------------------------------------- lost */

/* The line breaks while the stages are read: what is here stays, a bar says what is the matter and
 * brings the rest. */
static void
test_lost (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;

  if (!set_up (&f, "demo"))
    return;
  /* A slow line, so that it breaks in the middle. */
  delay_proxy_set_link (f.proxy, 0.01, 400e3);
  window = window_test_new ();
  tsr_window_open (window, f.location, TSR_VIEW_INSIGHTS);
  tsr_ui_test_wait (is_ready (window, TSR_STAGE_SUMMARY));
  ssh_server_refuse (f.server);
  ssh_server_kill (f.server);
  delay_proxy_cut (f.proxy);
  tsr_ui_test_wait (is_loaded (window));
  g_assert_true (window_test_is (window, "report"));
  g_assert_true (is_ready (window, TSR_STAGE_SUMMARY));
  tsr_ui_test_wait (remote_window_get_bar (window, "remote") != NULL);
  g_assert_nonnull (strstr (remote_window_get_bar (window, "remote"), "can still be seen"));

  /* Another key now: the bar says which line has which one, and stays. */
  ssh_server_listen (f.server);
  delay_proxy_set_link (f.proxy, 0, 0);
  ssh_server_set_options (f.server, &(SshServerOptions){ .key_set = 1 });
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.reconnect", NULL);
  tsr_ui_test_wait (says (window, "remote", "the host key has changed"));
  g_assert_true (says (window, "remote", "known_hosts line "));
  tsr_ui_test_run (1500);
  g_assert_true (says (window, "remote", "the host key has changed"));
  g_assert_true (is_ready (window, TSR_STAGE_SUMMARY));

  /* It is read again by itself, and there is nothing to press meanwhile. */
  ssh_server_set_options (f.server, NULL);
  delay_proxy_set_link (f.proxy, 0.005, 16e6);
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.reconnect", NULL);
  tsr_ui_test_wait (says (window, "reload", "read again"));
  while (says (window, "reload", "read again"))
    {
      g_assert_null (remote_window_get_bar (window, "remote"));
      tsr_ui_test_run (20);
    }
  for (guint i = 0; i < TSR_STAGE_DEBUG; i++)
    tsr_ui_test_wait (is_ready (window, i));
  /* Nothing on the page shows debug.cbor. */
  g_assert_false (is_ready (window, TSR_STAGE_DEBUG));
  g_assert_null (remote_window_get_bar (window, "remote"));
  g_assert_null (remote_window_get_bar (window, "reload"));
  window_test_close (window);
}

/* ---------------------------------------------------------------- what is read when */

/* Only @stages, a bit each, were read. */
static void
check_read (TsrWindow *window, guint stages)
{
  for (TsrStage i = 0; i < TSR_N_STAGES; i++)
    if ((stages & 1u << i) != 0)
      tsr_ui_test_wait (is_ready (window, i));
  /* What would go on by itself does so now. */
  tsr_ui_test_run (300);
  for (TsrStage i = 0; i < TSR_N_STAGES; i++)
    g_assert_cmpint (tsr_report_get_stage_state (report_of (window), i), ==,
                     (stages & 1u << i) != 0 ? TSR_STAGE_READY : TSR_STAGE_PENDING);
}

static TsrPage *
page_of (TsrWindow *window)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (window));
}

/* Each page and tab has what it shows read, and nothing else; a reload does so, too. */
static void
test_pages (void)
{
  g_auto (Fixture) f = { 0 };
  const guint summary = 1u << TSR_STAGE_SUMMARY, memory = 1u << TSR_STAGE_MEMORY,
              programs = 1u << TSR_STAGE_PROGRAMS, liveness = 1u << TSR_STAGE_LIVENESS,
              execution = 1u << TSR_STAGE_EXECUTION, lowered = 1u << TSR_STAGE_LOWERED;
  g_autoptr (TsrReport) before = NULL;
  TsrWindow *window;

  if (!set_up (&f, "demo"))
    return;
  window = window_test_new ();
  tsr_window_open (window, f.location, TSR_VIEW_EXECUTION_TRACE);
  tsr_ui_test_wait (window_test_is (window, "report"));
  check_read (window, summary | execution);
  tsr_ui_test_wait (tsr_page_is_content_shown (page_of (window)));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-summary", NULL);
  check_read (window, summary | execution);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-liveness", NULL);
  check_read (window, summary | execution | liveness);
  tsr_ui_test_wait (tsr_page_is_content_shown (page_of (window)));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-memory", NULL);
  check_read (window, summary | execution | liveness | memory);
  tsr_ui_test_wait (tsr_page_is_content_shown (page_of (window)));
  g_object_set (page_of (window), "tab", "vertices", NULL);
  check_read (window, summary | execution | liveness | memory | programs);

  g_set_object (&before, report_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "report.reload", NULL);
  tsr_ui_test_wait (report_of (window) != before);
  check_read (window, summary | memory | programs);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-insights", NULL);
  check_read (window, summary | execution | liveness | memory | programs | lowered);
  tsr_ui_test_wait (tsr_session_get_insights (tsr_window_get_session (window)) != NULL);
  window_test_close (window);
}

/* (transfer none) (nullable): a label on the screen with @part in its text. */
static const char *
find_text (GtkWidget *widget, const char *part)
{
  const char *found = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL)
    return gtk_label_get_text (GTK_LABEL (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_text (child, part);
  return found;
}

/* (transfer none) (nullable): a widget of @type, on the screen. */
static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  GtkWidget *found = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_widget (child, type);
  return found;
}

/* (transfer none) (nullable): the menu button on the screen that says @label. */
static GtkMenuButton *
find_menu_button (GtkWidget *widget, const char *label)
{
  GtkMenuButton *found = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (GTK_IS_MENU_BUTTON (widget)
      && g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (widget)), label) == 0)
    return GTK_MENU_BUTTON (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_menu_button (child, label);
  return found;
}

/* Memory at a step can be asked for at once: its button reads which steps there are when it is
 * opened, and what is on each tile when a step is chosen.  What waits says how far that has come.
 */
static void
test_at_step (void)
{
  g_auto (Fixture) f = { 0 };
  const guint summary = 1u << TSR_STAGE_SUMMARY, memory = 1u << TSR_STAGE_MEMORY,
              liveness = 1u << TSR_STAGE_LIVENESS, lowered = 1u << TSR_STAGE_LOWERED;
  TsrWindow *window;
  GtkWidget *page, *spin;
  GtkMenuButton *button;
  const guint tile = 0;
  double most;

  if (!set_up (&f, "demo"))
    return;
  window = window_test_new ();
  tsr_window_open (window, f.location, TSR_VIEW_MEMORY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  check_read (window, summary | memory);
  page = GTK_WIDGET (page_of (window));
  button = find_menu_button (page, "Peak of each tile");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (button)));
  gtk_menu_button_popup (button);
  check_read (window, summary | memory | liveness);
  spin = find_widget (GTK_WIDGET (gtk_menu_button_get_popover (button)), GTK_TYPE_SPIN_BUTTON);
  g_assert_true (gtk_widget_is_sensitive (spin));
  gtk_spin_button_get_range (GTK_SPIN_BUTTON (spin), NULL, &most);
  g_assert_cmpfloat (most, ==, tsr_report_get_liveness_tables (report_of (window))->n_steps - 1.0);

  delay_proxy_set_link (f.proxy, 0.01, 300e3);
  g_object_set (page, "at-step", TRUE, NULL);
  tsr_ui_test_wait (g_str_equal (gtk_menu_button_get_label (button), "Reading…"));
  tsr_ui_test_wait (find_text (GTK_WIDGET (gtk_menu_button_get_popover (button)), "B read, ")
                    != NULL);
  gtk_menu_button_popdown (button);
  tsr_tile_selection_set (tsr_session_get_selection (tsr_window_get_session (window)), &tile, 1);
  g_object_set (page, "tab", "variables", NULL);
  tsr_ui_test_wait (find_text (page, "Reading the variables of each tile") != NULL);
  tsr_ui_test_wait (find_text (page, "B read, ") != NULL);
  g_object_set (page, "tab", "details", NULL);
  tsr_ui_test_wait (find_text (page, "B read, ") == NULL);
  g_object_set (page, "graph", "variables", NULL);
  tsr_ui_test_wait (find_text (page, "B read, ") != NULL);
  g_object_set (page, "graph", "total", NULL);
  delay_proxy_set_link (f.proxy, 0, 0);
  check_read (window, summary | memory | liveness | lowered);
  tsr_ui_test_wait (g_str_has_prefix (gtk_menu_button_get_label (button), "At step "));
  g_assert_null (find_text (page, "B read"));

  window_test_close (window);
}

/* The line breaks while much is read.  After connecting again the page that is shown has what it
 * had as soon as that has come, and the others come as one looks at them. */
static void
test_resume (void)
{
  g_auto (Fixture) f = { 0 };
  g_autoptr (TsrReport) before = NULL;
  TsrWindow *window;

  if (!set_up (&f, "demo"))
    return;
  delay_proxy_set_link (f.proxy, 0.01, 2e6);
  window = window_test_new ();
  tsr_window_open (window, f.location, TSR_VIEW_INSIGHTS);
  tsr_ui_test_wait (is_ready (window, TSR_STAGE_EXECUTION));
  ssh_server_refuse (f.server);
  ssh_server_kill (f.server);
  delay_proxy_cut (f.proxy);
  tsr_ui_test_wait (is_loaded (window));
  g_assert_false (is_ready (window, TSR_STAGE_LOWERED));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-liveness", NULL);
  tsr_ui_test_wait (tsr_page_is_content_shown (page_of (window)));
  tsr_ui_test_wait (says (window, "remote", "can still be seen"));

  ssh_server_listen (f.server);
  g_set_object (&before, report_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.reconnect", NULL);
  tsr_ui_test_wait (report_of (window) != before);
  g_assert_true (tsr_page_is_content_shown (page_of (window))
                 || is_ready (window, TSR_STAGE_LIVENESS));
  check_read (window, 1u << TSR_STAGE_SUMMARY | 1u << TSR_STAGE_LIVENESS);
  g_assert_null (remote_window_get_bar (window, "remote"));
  g_assert_null (remote_window_get_bar (window, "reload"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-trace", NULL);
  check_read (window,
              1u << TSR_STAGE_SUMMARY | 1u << TSR_STAGE_LIVENESS | 1u << TSR_STAGE_EXECUTION);
  window_test_close (window);
}

/* A page that waits says how much has come, how fast and for how long still, and within three
 * seconds that the host says nothing any more. */
static void
test_traffic (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;
  gint64 frozen;

  if (!set_up (&f, "demo"))
    return;
  delay_proxy_set_link (f.proxy, 0.01, 300e3);
  window = window_test_new ();
  tsr_window_open (window, f.location, TSR_VIEW_INSIGHTS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (find_text (GTK_WIDGET (page_of (window)), "/s, ") != NULL);
  tsr_ui_test_wait (find_text (GTK_WIDGET (page_of (window)), "left") != NULL);
  g_assert_nonnull (strstr (find_text (GTK_WIDGET (page_of (window)), "left"), "B read, "));
  g_assert_null (find_text (GTK_WIDGET (window), "not answered"));
  delay_proxy_freeze (f.proxy);
  frozen = g_get_monotonic_time ();
  tsr_ui_test_wait (find_text (GTK_WIDGET (page_of (window)), "has not answered for") != NULL);
  tsr_ui_test_wait (strstr (status_of (window), "has not answered for") != NULL);
  g_assert_cmpint (g_get_monotonic_time () - frozen, <, 3 * G_USEC_PER_SEC);
  delay_proxy_thaw (f.proxy);
  tsr_ui_test_wait (find_text (GTK_WIDGET (page_of (window)), "/s, ") != NULL);
  /* The page and the status are written by turns. */
  tsr_ui_test_wait (find_text (GTK_WIDGET (window), "not answered") == NULL);
  window_test_close (window);
}

typedef struct
{
  TsrReport *report;
  TsrFileKind kind; /* that no stage has read */
} Part;

/* As a page does, in a worker. */
static gpointer
read_part (gpointer data)
{
  const Part *part = data;
  TsrReport *report = part->report;
  const char *path = tsr_report_get_files (report)->files[part->kind].path;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSource) source = tsr_place_open (tsr_report_get_place (report), path, NULL, &error);
  guint8 bytes[100];

  if (source != NULL)
    tsr_source_read (source, 0, bytes, sizeof bytes, NULL, &error);
  return g_steal_pointer (&error);
}

static void
lose_and_miss (Fixture *f, TsrWindow *window, TsrFileKind kind)
{
  Part part = { report_of (window), kind };
  GThread *thread;
  g_autoptr (GError) error = NULL;

  ssh_server_refuse (f->server);
  ssh_server_kill (f->server);
  delay_proxy_cut (f->proxy);
  tsr_ui_test_wait (strstr (status_of (window), "not connected") != NULL);
  tsr_ui_test_run (1200);
  g_assert_null (remote_window_get_bar (window, "remote"));
  thread = g_thread_new ("read", read_part, &part);
  error = g_thread_join (thread);
  g_assert_true (tsr_remote_error_is_away (error));
  tsr_ui_test_wait (says (window, "remote", "can still be seen"));
  ssh_server_listen (f->server);
}

/* Everything is loaded, and a page wants bytes that are not here while there is no connection: the
 * bar says so, and the pages have what there is when there is one again, whoever makes it. */
static void
test_missed (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;

  if (!set_up (&f, "demo"))
    return;
  window = open_window (f.location);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-memory", NULL);
  tsr_ui_test_wait (is_ready (window, TSR_STAGE_MEMORY));
  for (guint i = 0; i < 2; i++)
    {
      TsrFileKind kind = i == 0 ? TSR_FILE_ARCHIVE : TSR_FILE_DEBUG;
      g_autoptr (TsrReport) before = g_object_ref (report_of (window));
      Part part;

      lose_and_miss (&f, window, kind);
      if (i == 0)
        gtk_widget_activate_action (GTK_WIDGET (window), "remote.reconnect", NULL);
      else
        {
          g_autofree char *path = NULL;
          g_autoptr (TsrPlace) place = tsr_application_open_place (window_test_get_application (),
                                                                   f.location, &path, NULL);
          TsrConnection *connection = tsr_remote_place_get_connection (TSR_REMOTE_PLACE (place));

          tsr_connection_forget_loss (connection);
          g_assert_true (tsr_connection_connect (connection, NULL, NULL));
        }
      tsr_ui_test_wait (report_of (window) != before && is_loaded (window));
      g_assert_null (remote_window_get_bar (window, "remote"));
      part = (Part){ report_of (window), kind };
      g_assert_null (read_part (&part));
      g_assert_cmpint (
          tsr_page_get_view (tsr_report_view_get_page (tsr_window_get_report_view (window))), ==,
          TSR_VIEW_MEMORY);
      /* Once is enough. */
      g_set_object (&before, report_of (window));
      tsr_ui_test_run (2500);
      g_assert_true (report_of (window) == before);
      tsr_block_cache_clear (tsr_application_get_remote (window_test_get_application ())->cache);
    }
  window_test_close (window);
}

/* A file that changes on the host is announced, and Reload takes the report as it is now. */
static void
test_changed (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;

  if (!set_up (&f, "tiny"))
    return;
  window = open_window (f.location);
  tsr_test_write (f.report, "app.json", "{\"now\": \"it is another one\"}", -1);
  tsr_ui_test_wait (says (window, "changed", "app.json"));
  tsr_ui_test_wait (says (window, "changed", "have changed"));
  gtk_widget_activate_action (GTK_WIDGET (window), "report.reload", NULL);
  tsr_ui_test_wait (remote_window_get_bar (window, "changed") == NULL);
  g_assert_true (is_loaded (window));
  g_assert_nonnull (
      tsr_report_get_summary (tsr_session_get_report (tsr_window_get_session (window)))->app);
  window_test_close (window);

  /* A path that is not there: said with the host, and nothing to reload. */
  {
    g_autofree char *gone = g_strconcat (f.location, "/none", NULL);

    window = window_test_new ();
    tsr_window_open (window, gone, TSR_N_VIEWS);
    tsr_ui_test_wait (window_test_is (window, "error"));
    g_assert_cmpstr (tsr_window_get_location (window), ==, gone);
    g_assert_nonnull (tsr_window_get_error (window));
    window_test_close (window);
  }
}

/* Text and files of a file manager that are dropped. */
static void
test_drop (void)
{
  g_auto (Fixture) f = { 0 };
  TsrWindow *window;
  g_autofree char *text = NULL;

  if (!set_up (&f, "tiny"))
    return;
  window = window_test_new ();
  text = g_strconcat ("  ", f.location, "?page=memory \r\nmore", NULL);
  g_assert_false (tsr_window_drop_text (window, "just words"));
  g_assert_true (tsr_window_drop_text (window, text));
  tsr_ui_test_wait (window_test_is (window, "report"));
  g_assert_cmpint (
      tsr_page_get_view (tsr_report_view_get_page (tsr_window_get_report_view (window))), ==,
      TSR_VIEW_MEMORY);
  window_test_close (window);
}

/* ---------------------------------------------------------------- the main loop */

/* The line stands still for 0.3 s and more.  The bench reads what is printed here. */
#define MOST_WAIT_US 50000

/* What one turn of the main loop takes between waiting and waiting.  What of it was neither
 * computing nor standing in line for a processor was waiting for something. */
static struct
{
  GPollFunc poll;
  gint64 since, busy_since;
  gint64 longest, longest_wait; /* us */
} turns;

/* Time on a processor and in line for one, as the kernel counts it: two numbers, in ns. */
static gint64
busy_us (void)
{
  g_autofree char *text = NULL;
  char *rest;
  guint64 computing, in_line;

  if (!g_file_get_contents ("/proc/thread-self/schedstat", &text, NULL, NULL))
    return 0;
  computing = g_ascii_strtoull (text, &rest, 10);
  in_line = g_ascii_strtoull (rest, NULL, 10);
  return (gint64)((computing + in_line) / 1000);
}

static int
measured_poll (GPollFD *fds, guint n, int timeout)
{
  gint64 wall = g_get_monotonic_time () - turns.since;
  int result;

  if (turns.since != 0)
    {
      turns.longest = MAX (turns.longest, wall);
      if (wall > MOST_WAIT_US / 5)
        turns.longest_wait = MAX (turns.longest_wait, wall - (busy_us () - turns.busy_since));
    }
  result = turns.poll (fds, n, timeout);
  turns.busy_since = busy_us ();
  turns.since = g_get_monotonic_time ();
  return result;
}

static void
begin_turns (void)
{
  turns.longest = turns.longest_wait = 0;
  turns.since = 0;
}

/* The least of several rounds: the display server may stand in line, too. */
#define ROUNDS 12

/* A server that stands still while folders are listed, a report is opened and loaded, and its
 * window closed: the main loop waits for none of it. */
static void
freeze_round (Fixture *f)
{
  TsrOpenDialog *dialog;
  TsrRemoteTab *tab;
  TsrWindow *window;
  g_autofree char *elsewhere = g_path_get_dirname (f->report);

  delay_proxy_thaw (f->proxy);
  delay_proxy_set_link (f->proxy, 0.005, 400e3);
  window = window_test_new ();
  tsr_ui_test_run (200);
  begin_turns ();

  /* Browsing. */
  dialog = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
  gtk_window_present (GTK_WINDOW (dialog));
  tsr_open_dialog_show_remote (dialog, f->location, NULL);
  tab = tsr_open_dialog_get_remote (dialog);
  tsr_remote_tab_connect (tab);
  tsr_ui_test_wait (tsr_remote_tab_get_browser (tab) != NULL);
  tsr_ui_test_run (200);
  delay_proxy_freeze (f->proxy);
  tsr_folder_browser_go_to (tsr_remote_tab_get_browser (tab), elsewhere);
  tsr_folder_browser_type (tsr_remote_tab_get_browser (tab), "/tmp/");
  tsr_folder_browser_accept (tsr_remote_tab_get_browser (tab));
  tsr_ui_test_run (300);
  gtk_window_destroy (GTK_WINDOW (dialog));
  tsr_ui_test_run (100);

  /* Opening and giving up. */
  tsr_window_open (window, f->location, TSR_N_VIEWS);
  tsr_ui_test_run (400);
  gtk_widget_activate_action (GTK_WIDGET (window), "report.close", NULL);
  tsr_ui_test_run (100);
  delay_proxy_thaw (f->proxy);

  /* Loading, and closing the window in the middle. */
  tsr_window_open (window, f->location, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  delay_proxy_freeze (f->proxy);
  gtk_widget_activate_action (GTK_WIDGET (window), "remote.keep-copy", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.view-memory", NULL);
  tsr_ui_test_run (400);
  window_test_close (window);
  tsr_ui_test_run (100);
  delay_proxy_thaw (f->proxy);
}

static void
test_stalls (void)
{
  g_auto (Fixture) f = { 0 };
  gint64 least = G_MAXINT64;

  if (!set_up (&f, "demo"))
    return;
  turns.poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, measured_poll);
  for (guint i = 0; i < ROUNDS && least >= MOST_WAIT_US; i++)
    {
      freeze_round (&f);
      g_test_message ("longest turn %.1f ms, longest wait in one %.1f ms", turns.longest / 1e3,
                      turns.longest_wait / 1e3);
      least = MIN (least, turns.longest_wait);
    }
  g_main_context_set_poll_func (NULL, turns.poll);
  g_assert_cmpint (least, <, MOST_WAIT_US);
}

int
main (int argc, char **argv)
{
  remote_window_init (&argc, &argv);
  g_test_add_func ("/remote-window/copy", test_copy);
  g_test_add_func ("/remote-window/unanswered", test_unanswered);
  g_test_add_func ("/remote-window/two-windows", test_two_windows);
  g_test_add_func ("/remote-window/pause", test_pause);
  g_test_add_func ("/remote-window/lost", test_lost);
  g_test_add_func ("/remote-window/pages", test_pages);
  g_test_add_func ("/remote-window/at-step", test_at_step);
  g_test_add_func ("/remote-window/resume", test_resume);
  g_test_add_func ("/remote-window/traffic", test_traffic);
  g_test_add_func ("/remote-window/missed", test_missed);
  g_test_add_func ("/remote-window/changed", test_changed);
  g_test_add_func ("/remote-window/drop", test_drop);
  g_test_add_func ("/remote-window/stalls", test_stalls);
  return remote_window_run ();
}
