/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The remote tab of the open dialog, over real servers: fields, errors, questions, jump hosts,
 * cancelling, browsing, and the whole way from "Open a report..." to the Summary. */

#include "config.h"

#include "remote-window.h"
#include "tsr-error.h"
#include "tsr-recents.h"
#include "tsr-test.h"

#include <glib/gstdio.h>

static TsrOpenDialog *
new_dialog (TsrWindow *window)
{
  TsrOpenDialog *dialog = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());

  gtk_window_present (GTK_WINDOW (dialog));
  tsr_open_dialog_show_remote (dialog, NULL, NULL);
  return dialog;
}

static gboolean
is_state (TsrRemoteTab *tab, const char *state)
{
  return g_str_equal (tsr_remote_tab_get_state (tab), state);
}

static void
fill_in (TsrRemoteTab *tab, const char *user, const char *host, guint port, const char *jumps)
{
  TsrHostForm *form = tsr_remote_tab_get_form (tab);
  g_autofree char *text = port != 0 ? g_strdup_printf ("%u", port) : NULL;

  tsr_host_form_set_field (form, TSR_HOST_FIELD_USER, user);
  tsr_host_form_set_field (form, TSR_HOST_FIELD_HOST, host);
  tsr_host_form_set_field (form, TSR_HOST_FIELD_PORT, text);
  tsr_host_form_set_field (form, TSR_HOST_FIELD_JUMPS, jumps);
}

/* ---------------------------------------------------------------- fields */

static void
check_address (TsrHostForm *form, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = tsr_host_form_dup_address (form, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = tsr_ssh_address_to_string (address);
  g_assert_cmpstr (text, ==, expected);
}

static void
check_wrong (TsrHostForm *form, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tsr_host_form_dup_address (form, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_fields (void)
{
  TsrWindow *window = window_test_new ();
  TsrOpenDialog *dialog = new_dialog (window);
  TsrRemoteTab *tab = tsr_open_dialog_get_remote (dialog);
  TsrHostForm *form = tsr_remote_tab_get_form (tab);

  g_assert_cmpstr (tsr_host_form_get_field (form, TSR_HOST_FIELD_USER), ==, g_get_user_name ());
  fill_in (tab, "wilsonb", "127.0.0.1", 8090, NULL);
  check_address (form, "ssh://wilsonb@127.0.0.1:8090/~");
  fill_in (tab, "", " node ", 0, "a@gate, b:2222");
  tsr_host_form_set_field (form, TSR_HOST_FIELD_ALIAS, "node7");
  check_address (form, "ssh://node/~?jump=a@gate,b:2222&alias=node7");
  tsr_host_form_set_field (form, TSR_HOST_FIELD_ALIAS, "");

  /* What is pasted into the field of the host. */
  fill_in (tab, "", "me@node:2200", 0, NULL);
  check_address (form, "ssh://me@node:2200/~");
  fill_in (tab, "", "ssh://me@node/data/run?jump=gate", 0, NULL);
  check_address (form, "ssh://me@node/data/run?jump=gate");
  /* Each field of its own counts before it. */
  fill_in (tab, "you", "ssh://me@node:23/data/run?jump=gate,x&alias=node7", 24, "a@b");
  tsr_host_form_set_field (form, TSR_HOST_FIELD_ALIAS, "node8");
  check_address (form, "ssh://you@node:24/data/run?jump=a@b&alias=node8");
  tsr_host_form_set_field (form, TSR_HOST_FIELD_ALIAS, "");

  fill_in (tab, "me", "", 0, NULL);
  check_wrong (form, "host name is missing");
  fill_in (tab, "me", "node", 0, NULL);
  tsr_host_form_set_field (form, TSR_HOST_FIELD_PORT, "70000");
  check_wrong (form, "1 to 65535");
  fill_in (tab, "me", "node", 0, "a@,b");
  check_wrong (form, "ump host 1");
  fill_in (tab, "me", "node", 0, NULL);
  tsr_host_form_set_field (form, TSR_HOST_FIELD_IDENTITY, "~/no such key");
  check_wrong (form, "~/no such key cannot be read");
  tsr_host_form_set_field (form, TSR_HOST_FIELD_IDENTITY, "");
  fill_in (tab, "me", "node", 0, "a@,b");
  /* The field that is off has the keyboard, and connecting says why. */
  tsr_remote_tab_connect (tab);
  g_assert_true (is_state (tab, "hosts"));
  g_assert_nonnull (strstr (tsr_host_form_get_error (form), "ump host 1"));
  window_test_close (window);
}

static void
test_remembered (void)
{
  TsrSettings *settings = tsr_application_get_settings (window_test_get_application ());
  g_autoptr (TsrSshAddress) first = tsr_ssh_address_parse ("ssh://me@one/data?jump=gate", NULL);
  g_autoptr (TsrSshAddress) second = tsr_ssh_address_parse ("ssh://me@two:22/~", NULL);
  g_autoptr (TsrSshAddress) moved = tsr_ssh_address_parse ("ssh://me@one/else?jump=gate", NULL);
  g_autoptr (GPtrArray) hosts = NULL;
  TsrRemoteHost *host;
  g_autofree char *way = NULL;

  tsr_settings_set_strv (settings, "remote-hosts", (const char *[]){ "no location", NULL });
  tsr_remote_hosts_add (settings, first, "/home/me/my key");
  tsr_remote_hosts_add (settings, second, NULL);
  tsr_remote_hosts_add (settings, moved, "/home/me/my key");
  hosts = tsr_remote_hosts_dup (settings);
  g_assert_cmpuint (hosts->len, ==, 2);
  host = hosts->pdata[0];
  g_assert_cmpstr (host->address->target.host, ==, "one");
  g_assert_cmpstr (host->address->path, ==, "/else");
  g_assert_cmpstr (host->identity, ==, "/home/me/my key");
  way = tsr_remote_host_dup_way (host->address);
  g_assert_cmpstr (way, ==, "through gate");
  tsr_remote_hosts_remove (settings, first);
  g_ptr_array_unref (hosts);
  hosts = tsr_remote_hosts_dup (settings);
  g_assert_cmpuint (hosts->len, ==, 1);
  for (guint i = 0; i < 2 * TSR_REMOTE_HOSTS_MAX; i++)
    {
      g_autofree char *text = g_strdup_printf ("ssh://host%u/", i);
      g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (text, NULL);

      tsr_remote_hosts_add (settings, address, NULL);
    }
  g_ptr_array_unref (hosts);
  hosts = tsr_remote_hosts_dup (settings);
  g_assert_cmpuint (hosts->len, ==, TSR_REMOTE_HOSTS_MAX);
  tsr_settings_set_strv (settings, "remote-hosts", (const char *[]){ NULL });
}

/* ---------------------------------------------------------------- connecting */

static gboolean
has_listed (TsrRemoteTab *tab, const char *path)
{
  TsrFolderBrowser *browser = tsr_remote_tab_get_browser (tab);

  return browser != NULL
         && g_strcmp0 (tsr_folder_model_get_path (tsr_folder_browser_get_folder (browser)), path)
                == 0;
}

static guint
find_row (TsrFolderBrowser *browser, const char *name)
{
  GListModel *model = G_LIST_MODEL (tsr_folder_browser_get_folder (browser));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (TsrFolderItem) item = g_list_model_get_item (model, i);

      if (g_str_equal (tsr_folder_item_get_name (item), name))
        return i;
    }
  g_error ("there is no %s", name);
}

static void
on_chosen (TsrOpenDialog *dialog, GVariant *location, TsrWindow *window)
{
  tsr_window_open (window, g_variant_get_bytestring (location), TSR_N_VIEWS);
}

/* The walk-through: user name, 127.0.0.1, a port; password; browse to the reports; training;
 * archive.a; the Summary. */
static void
test_walk (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  g_autofree char *report = NULL, *folder = NULL, *location = NULL, *link = NULL;
  SshServer *server;
  TsrWindow *window;
  TsrOpenDialog *dialog;
  TsrRemoteTab *tab;
  TsrFolderBrowser *browser;
  TsrSession *session;
  g_autoptr (GHashTable) words = tsr_view_words_new ();

  if (world == NULL)
    return;
  report = remote_window_add_report (world, "tiny");
  folder = g_path_get_dirname (report);
  server = ssh_authenticator_new (world, "--step=password", "--password=geheim", NULL);
  window = window_test_new ();
  dialog = new_dialog (window);
  g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), window);
  tab = tsr_open_dialog_get_remote (dialog);
  fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (server), NULL);
  tsr_remote_tab_connect (tab);
  g_assert_true (is_state (tab, "connecting"));
  remote_window_answer ("SHA256:", NULL, "once");
  remote_window_answer ("Password", "falsch", "answer");
  remote_window_answer ("wrong", "geheim", "answer");
  tsr_ui_test_wait (is_state (tab, "folder"));
  browser = tsr_remote_tab_get_browser (tab);
  tsr_folder_browser_go_to (browser, folder);
  tsr_ui_test_wait (has_listed (tab, folder));
  tsr_folder_browser_type (browser, report);
  tsr_folder_browser_go_to (browser, report);
  tsr_ui_test_wait (has_listed (tab, report));
  tsr_folder_browser_activate (browser, find_row (browser, "archive.a"));
  tsr_ui_test_wait (window_test_is (window, "report"));
  session = tsr_window_get_session (window);
  g_assert_cmpint (
      tsr_page_get_view (tsr_report_view_get_page (tsr_window_get_report_view (window))), ==,
      TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (!tsr_session_is_data_pending (session, TSR_DATA_MEMORY));
  g_assert_nonnull (tsr_session_get_memory (session));

  /* What is kept and copied is the location. */
  {
    g_autofree char *path = g_build_filename (report, "archive.a", NULL);

    location = remote_window_dup_location (server, path);
  }
  {
    g_autofree char *kept = remote_window_dup_location (server, report);

    g_assert_true (tsr_recents_contains (tsr_recents_get_default (), kept));
  }
  {
    g_autofree char *shown = tsr_report_dup_location (tsr_session_get_report (session));

    g_assert_cmpstr (shown, ==, location);
  }
  g_assert_nonnull (strstr (tsr_remote_monitor_get_status (tsr_window_get_remote (window)),
                            SSH_USER "@127.0.0.1"));
  tsr_view_words_set (words, "page", "memory");
  link = tsr_link_dup_text (location, words);
  tsr_window_open (window, link, TSR_N_VIEWS);
  /* The same connection: nobody is asked again. */
  tsr_ui_test_wait (tsr_report_view_get_page (tsr_window_get_report_view (window)) != NULL);
  g_assert_cmpint (
      tsr_page_get_view (tsr_report_view_get_page (tsr_window_get_report_view (window))), ==,
      TSR_VIEW_MEMORY);
  g_assert_null (remote_window_get_question ());
  window_test_close (window);
}

/* What Ctrl+O shows. */
static TsrOpenDialog *
open_beside (TsrWindow *window)
{
  TsrOpenDialog *dialog = NULL;
  GList *all;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open", NULL);
  all = gtk_window_list_toplevels ();
  for (GList *at = all; at != NULL; at = at->next)
    if (TSR_IS_OPEN_DIALOG (at->data)
        && gtk_window_get_transient_for (at->data) == GTK_WINDOW (window))
      dialog = at->data;
  g_list_free (all);
  g_assert_nonnull (dialog);
  return dialog;
}

/* Opening begins beside the report that is shown: on its host, in the folder that it lies in, with
 * the key that is remembered for the host; without a connection, in the fields. */
static void
test_beside (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  TsrSettings *settings = tsr_application_get_settings (window_test_get_application ());
  g_autofree char *report = NULL, *folder = NULL, *location = NULL, *above = NULL;
  g_autoptr (TsrSshAddress) address = NULL;
  const char *key;
  SshServer *server;
  TsrWindow *window;
  TsrOpenDialog *dialog;
  TsrRemoteTab *tab;
  TsrFolderItem *item;

  if (world == NULL)
    return;
  report = remote_window_add_report (world, "tiny");
  folder = g_path_get_dirname (report);
  server = ssh_server_new (world, NULL);
  ssh_world_know (world, server, NULL);
  ssh_world_add_host (world, "127.0.0.1", server, NULL);
  location = remote_window_dup_location (server, report);
  above = remote_window_dup_location (server, folder);
  key = ssh_world_get_key (world, SSH_KEY_ED25519);
  address = tsr_ssh_address_parse (location, NULL);
  tsr_remote_hosts_add (settings, address, key);
  window = window_test_new ();
  tsr_window_open (window, location, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  dialog = open_beside (window);
  tab = tsr_open_dialog_get_remote (dialog);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (tab)));
  tsr_ui_test_wait (is_state (tab, "folder"));
  tsr_ui_test_wait (has_listed (tab, folder));
  item = tsr_folder_browser_get_selected (tsr_remote_tab_get_browser (tab));
  g_assert_nonnull (item);
  g_assert_cmpstr (tsr_folder_item_get_name (item), ==, "training");
  g_assert_null (remote_window_get_question ());
  g_assert_cmpstr (tsr_host_form_get_field (tsr_remote_tab_get_form (tab), TSR_HOST_FIELD_IDENTITY),
                   ==, key);
  gtk_window_destroy (GTK_WINDOW (dialog));
  /* Not connected: nobody is asked before he says so. */
  tsr_connections_close_all (
      tsr_application_get_remote (window_test_get_application ())->connections);
  tsr_ui_test_run (100);
  dialog = open_beside (window);
  tab = tsr_open_dialog_get_remote (dialog);
  tsr_ui_test_run (300);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (tab)));
  g_assert_true (is_state (tab, "hosts"));
  check_address (tsr_remote_tab_get_form (tab), above);
  tsr_remote_tab_connect (tab);
  tsr_ui_test_wait (is_state (tab, "folder"));
  tsr_ui_test_wait (has_listed (tab, folder));
  window_test_close (window);
}

/* Two hops with a one-time password each; the dialogs say which. */
static void
test_jump (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  g_autofree char *option = NULL, *jumps = NULL;
  SshServer *gate, *node;
  TsrWindow *window;
  TsrRemoteTab *tab;

  if (world == NULL)
    return;
  tsr_test_write (ssh_world_get_folder (world), "codes", "111\n222\n", -1);
  option = g_strdup_printf ("--codes=%s/codes", ssh_world_get_folder (world));
  gate = ssh_authenticator_new (world, "--step=keyboard-interactive", option,
                                "--round=Gate||Code=@code", NULL);
  node = ssh_authenticator_new (world, "--step=keyboard-interactive", option,
                                "--round=Node||Code=@code", NULL);
  ssh_world_know (world, gate, NULL);
  ssh_world_know (world, node, NULL);
  jumps = g_strdup_printf (SSH_USER "@127.0.0.1:%u", ssh_server_get_port (gate));
  window = window_test_new ();
  tab = tsr_open_dialog_get_remote (new_dialog (window));
  fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (node), jumps);
  tsr_remote_tab_connect (tab);
  remote_window_answer ("Hop 1 of 2", "111", "answer");
  remote_window_answer ("Hop 2 of 2", "222", "answer");
  tsr_ui_test_wait (is_state (tab, "folder"));
  tsr_folder_browser_go_to (tsr_remote_tab_get_browser (tab), ssh_world_get_folder (world));
  tsr_ui_test_wait (has_listed (tab, ssh_world_get_folder (world)));
  /* The host is remembered with its way, and one goes back to the fields. */
  tsr_remote_tab_go_back (tab);
  g_assert_true (is_state (tab, "hosts"));
  g_assert_cmpstr (tsr_host_form_get_field (tsr_remote_tab_get_form (tab), TSR_HOST_FIELD_JUMPS),
                   ==, jumps);
  tsr_ui_test_wait (tsr_host_form_get_n_hosts (tsr_remote_tab_get_form (tab)) >= 1);
  window_test_close (window);
}

/* A key file as one writes it. */
static void
test_identity (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  g_autofree char *folder = g_build_filename (g_get_home_dir (), "keys", NULL);
  g_autofree char *key = NULL;
  g_autofree char *path = NULL;
  SshServer *server;
  TsrWindow *window;
  TsrRemoteTab *tab;
  gsize length;

  if (world == NULL)
    return;
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (
      g_file_get_contents (ssh_world_get_key (world, SSH_KEY_ECDSA), &key, &length, NULL));
  tsr_test_write (folder, "mine", key, (gssize)length);
  path = g_build_filename (folder, "mine", NULL);
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
  server = ssh_server_new (world, NULL);
  ssh_world_know (world, server, NULL);
  window = window_test_new ();
  tab = tsr_open_dialog_get_remote (new_dialog (window));
  fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (server), NULL);
  tsr_host_form_set_field (tsr_remote_tab_get_form (tab), TSR_HOST_FIELD_IDENTITY, "~/keys/mine");
  tsr_remote_tab_connect (tab);
  tsr_ui_test_wait (is_state (tab, "folder"));
  window_test_close (window);
}

/* Errors come back to the fields with their class; a question that is not answered is no error that
 * stays in the way. */
static void
test_errors (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  SshServer *server;
  TsrWindow *window;
  TsrRemoteTab *tab;
  TsrHostForm *form;

  if (world == NULL)
    return;
  server = ssh_server_new (world, NULL);
  window = window_test_new ();
  tab = tsr_open_dialog_get_remote (new_dialog (window));
  form = tsr_remote_tab_get_form (tab);
  ssh_server_refuse (server);
  fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (server), NULL);
  tsr_remote_tab_connect (tab);
  tsr_ui_test_wait (is_state (tab, "hosts"));
  g_assert_nonnull (tsr_host_form_get_error (form));

  /* No password: nobody asks again, here or where a window opens a location. */
  {
    SshServer *asks = ssh_authenticator_new (world, "--step=password", "--password=geheim", NULL);
    g_autofree char *location = remote_window_dup_location (asks, "/");
    TsrWindow *other = window_test_new ();

    ssh_world_know (world, asks, NULL);
    fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (asks), NULL);
    tsr_remote_tab_connect (tab);
    remote_window_answer ("Password", NULL, "cancel");
    tsr_ui_test_wait (is_state (tab, "hosts"));
    tsr_window_open (other, location, TSR_N_VIEWS);
    remote_window_answer ("Password", NULL, "cancel");
    tsr_ui_test_wait (window_test_is (other, "error"));
    tsr_ui_test_run (300);
    g_assert_null (remote_window_get_question ());
    window_test_close (other);
    fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (server), NULL);
  }

  /* No to a key that is not known. */
  ssh_server_listen (server);
  tsr_remote_tab_connect (tab);
  remote_window_answer ("SHA256:", NULL, "cancel");
  tsr_ui_test_wait (is_state (tab, "hosts"));
  g_assert_nonnull (tsr_host_form_get_error (form));

  /* Another key than the one that is known is refused without a question. */
  ssh_world_know (world, server, NULL);
  ssh_server_set_options (server, &(SshServerOptions){ .key_set = 1 });
  tsr_remote_tab_connect (tab);
  tsr_ui_test_wait (is_state (tab, "hosts"));
  g_assert_nonnull (tsr_host_form_get_error (form));
  g_assert_nonnull (strstr (tsr_host_form_get_error (form), "SHA256:"));
  g_assert_nonnull (strstr (tsr_host_form_get_error (form), "known_hosts"));
  window_test_close (window);
}

/* A host that says nothing is given up at once. */
static void
test_cancel (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  SshServer *server;
  TsrWindow *window;
  TsrRemoteTab *tab;
  gint64 start;

  if (world == NULL)
    return;
  server = ssh_server_new (world, NULL);
  ssh_world_know (world, server, NULL);
  ssh_server_set_silent (server, TRUE);
  window = window_test_new ();
  tab = tsr_open_dialog_get_remote (new_dialog (window));
  fill_in (tab, SSH_USER, "127.0.0.1", ssh_server_get_port (server), NULL);
  tsr_remote_tab_connect (tab);
  tsr_ui_test_run (300);
  g_assert_true (is_state (tab, "connecting"));
  start = g_get_monotonic_time ();
  tsr_remote_tab_cancel (tab);
  g_assert_true (is_state (tab, "hosts"));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
  /* And once more, closing the window. */
  tsr_remote_tab_connect (tab);
  tsr_ui_test_run (100);
  window_test_close (window);
  ssh_server_set_silent (server, FALSE);
}

int
main (int argc, char **argv)
{
  remote_window_init (&argc, &argv);
  g_test_add_func ("/remote-dialog/fields", test_fields);
  g_test_add_func ("/remote-dialog/remembered", test_remembered);
  g_test_add_func ("/remote-dialog/walk", test_walk);
  g_test_add_func ("/remote-dialog/beside", test_beside);
  g_test_add_func ("/remote-dialog/jump", test_jump);
  g_test_add_func ("/remote-dialog/identity", test_identity);
  g_test_add_func ("/remote-dialog/errors", test_errors);
  g_test_add_func ("/remote-dialog/cancel", test_cancel);
  return remote_window_run ();
}
