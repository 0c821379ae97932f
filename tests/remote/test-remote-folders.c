/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Folders behind ssh say what those on this machine say: names, links, sizes, times, what may not
 * be read; and the way to a report that our users take, with a tunnel of their own and without. */

#include "config.h"

#include "remote-world.h"
#include "tsr-error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same by the local place; of what a link points to, as both promise. */
static void
check_folder (RemoteWorld *w, const char *path)
{
  g_autoptr (TsrPlace) local = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) expected = tsr_place_list (local, path, NULL, &error);
  g_autoptr (GPtrArray) entries = NULL;

  g_assert_no_error (error);
  entries = tsr_place_list (TSR_PLACE (w->place), path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, expected->len);
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *a = entries->pdata[i], *b = expected->pdata[i];
      g_autofree char *file = g_build_filename (path, b->name, NULL);
      g_autoptr (TsrFolderEntry) one = tsr_place_stat (TSR_PLACE (w->place), file, NULL, &error);
      GStatBuf info;

      /* Alone it is what it is in the list. */
      g_assert_no_error (error);
      g_assert_cmpint (a->is_folder, ==, one->is_folder);
      g_assert_cmpint (a->is_link, ==, one->is_link);
      g_assert_cmpint (a->is_dangling, ==, one->is_dangling);
      g_assert_cmpint (a->is_readable, ==, one->is_readable);
      g_assert_cmpint (a->size, ==, one->size);
      g_assert_cmpint (a->mtime_us, ==, one->mtime_us);
      if (g_stat (file, &info) == 0)
        g_assert_cmpint (a->is_readable, ==, (info.st_mode & 0444) != 0);
      g_assert_cmpstr (a->name, ==, b->name);
      g_assert_cmpint (a->is_folder, ==, b->is_folder);
      g_assert_cmpint (a->is_link, ==, b->is_link);
      g_assert_cmpint (a->is_dangling, ==, b->is_dangling);
      if (b->is_folder || b->is_dangling)
        continue;
      g_assert_cmpint (a->size, ==, b->size);
      g_assert_cmpint (a->mtime_us / G_USEC_PER_SEC, ==, b->mtime_us / G_USEC_PER_SEC);
    }
}

static void
make_link (const char *target, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
test_list (gconstpointer data)
{
  static const char *const names[]
      = { "plain", ".hidden",   "with space", "caf\xc3\xa9", "not\xe9utf8", "new\nline",
          "-dash", "a'b\"c\\d", "...",        "x.",          "..x",         "write-only" };
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *folder = NULL, *empty = NULL, *closed = NULL;

  if (!remote_world_set_up (&w, data, FALSE))
    return;
  folder = remote_world_path (&w, "folder");
  empty = g_build_filename (folder, "empty", NULL);
  closed = g_build_filename (folder, "write-only", NULL);
  g_assert_cmpint (g_mkdir_with_parents (empty, 0755), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    tsr_test_write (folder, names[i], "0123456789", (gssize)i);
  g_assert_cmpint (g_chmod (closed, 0200), ==, 0);
  make_link ("plain", folder, "to-file");
  make_link ("empty", folder, "to-folder");
  make_link ("to-file", folder, "to-link");
  make_link ("nowhere", folder, "dangling");
  make_link ("loop-b", folder, "loop-a");
  make_link ("loop-a", folder, "loop-b");
  make_link ("..", folder, "to-parent");
  remote_world_connect (&w);
  check_folder (&w, folder);
  check_folder (&w, empty);
}

/* More than one answer holds. */
static void
test_many (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *folder = NULL;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  folder = remote_world_path (&w, "many");
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%08u-%u", folder, i * 2654435761u, i);

      g_assert_cmpint (close (g_creat (path, 0644)), ==, 0);
    }
  remote_world_connect (&w);
  check_folder (&w, folder);
}

static void
test_paths (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *folder = NULL, *link = NULL, *home = NULL, *below = NULL, *real = NULL;
  g_autofree char *none = NULL;
  g_autoptr (GError) error = NULL;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  folder = remote_world_path (&w, "a");
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  make_link ("a", ssh_world_get_home (w.world), "link");
  link = remote_world_path (&w, "link");
  remote_world_connect (&w);
  home = tsr_remote_place_expand (w.place, "~", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (home, ==, ssh_world_get_home (w.world));
  below = tsr_remote_place_expand (w.place, "~/a", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (below, ==, folder);
  real = tsr_connection_resolve (w.connection, link, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (real, ==, folder);
  none = g_build_filename (folder, "none", NULL);
  g_assert_null (tsr_place_list (TSR_PLACE (w.place), none, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* What the server's user may not read; as root the server lets in another user. */
static void
test_permission (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *folder = NULL, *path = NULL, *link = NULL;
  g_autoptr (TsrFolderEntry) entry = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint n_links = 0;
  guint8 byte;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  folder = remote_world_path (&w, "secret");
  path = remote_world_path (&w, "file");
  link = remote_world_path (&w, "link");
  g_assert_cmpint (g_mkdir (folder, 0000), ==, 0);
  g_assert_cmpint (symlink ("secret/file", link), ==, 0);
  tsr_test_write (ssh_world_get_home (w.world), "file", "x", 1);
  g_assert_cmpint (g_chmod (path, 0000), ==, 0);
  remote_world_set_server (&w, w.server, getuid () == 0 ? "User " SSH_GUEST "\n" : NULL);
  remote_world_connect (&w);
  g_assert_null (tsr_place_list (TSR_PLACE (w.place), folder, NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION);
  g_clear_error (&error);
  source = tsr_place_open (TSR_PLACE (w.place), path, NULL, &error);
  if (source != NULL)
    g_assert_cmpint (tsr_source_read (source, 0, &byte, 1, NULL, &error), ==, -1);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION);
  g_clear_error (&error);
  entry = tsr_connection_stat (tsr_remote_place_get_connection (w.place), link, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (entry->is_link && !entry->is_dangling && !entry->is_readable);
  /* The same in a list. */
  entries = tsr_place_list (TSR_PLACE (w.place), ssh_world_get_home (w.world), NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *one = entries->pdata[i];
      const gboolean is_link = g_str_equal (one->name, "link");

      n_links += is_link;
      g_assert_cmpint (one->is_link, ==, is_link);
      g_assert_false (one->is_dangling);
      g_assert_true (!is_link || !one->is_readable);
    }
  g_assert_cmpuint (n_links, ==, 1);
}

/* ------------------------------------------------------------ the user's way */

static void
die_with_test (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* A port that was free a moment ago. */
static guint
find_port (void)
{
  g_autoptr (GSocket) socket
      = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GInetAddress) address = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (address, 0);
  g_autoptr (GSocketAddress) local = NULL;

  g_assert_true (g_socket_bind (socket, any, FALSE, NULL));
  local = g_socket_get_local_address (socket, NULL);
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (local));
}

/* ssh -J user@jump user@node -L PORT:127.0.0.1:22, which says when the tunnel stands; FALSE when
 * somebody else has taken the port since. */
static gboolean
try_tunnel (RemoteWorld *w, SshServer *node, guint port, GPid *pid)
{
  g_autofree char *spec = g_strdup_printf ("%u:127.0.0.1:%u", port, ssh_server_get_port (node));
  const char *words[] = { "ssh",
                          "-F",
                          ssh_world_get_config (w->world),
                          "-o",
                          "ExitOnForwardFailure=yes",
                          "-J",
                          SSH_USER "@jump",
                          SSH_USER "@node",
                          "-L",
                          spec,
                          "echo stands; sleep 1000",
                          NULL };
  g_autoptr (GError) error = NULL;
  char c;
  gboolean stands;
  int out;

  g_spawn_async_with_pipes (NULL, (char **)words, NULL,
                            G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD
                                | G_SPAWN_STDERR_TO_DEV_NULL,
                            die_with_test, NULL, pid, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  stands = read (out, &c, 1) == 1;
  close (out);
  if (!stands)
    waitpid (*pid, NULL, 0);
  return stands;
}

/* On any port. */
static guint
start_tunnel (RemoteWorld *w, SshServer *node, GPid *pid)
{
  for (guint i = 0; i < 5; i++)
    {
      guint port = find_port ();

      if (try_tunnel (w, node, port, pid))
        return port;
    }
  g_error ("there is no tunnel");
}

/* Home, "reports", "training" in it, archive.a in that: one after the other as one clicks. */
static void
browse_to_archive (RemoteWorld *w, const char *local)
{
  static const char *const steps[] = { "reports", "training", "archive.a" };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *path = tsr_remote_place_expand (w->place, "~", NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GPtrArray) entries = tsr_place_list (TSR_PLACE (w->place), path, NULL, &error);
      char *next = g_build_filename (path, steps[i], NULL);
      gboolean found = FALSE;

      g_assert_no_error (error);
      for (guint k = 0; k < entries->len; k++)
        found |= g_str_equal (((TsrFolderEntry *)entries->pdata[k])->name, steps[i]);
      g_assert_true (found);
      g_free (path);
      path = next;
    }
  report = tsr_report_open_sync (TSR_PLACE (w->place), path, TSR_LOAD_UP_TO_MEMORY, NULL, &error);
  g_assert_no_error (error);
  remote_world_check_report (w, report, local);
}

static char *
add_training (RemoteWorld *w)
{
  g_autofree char *reports = remote_world_path (w, "reports");
  g_autofree char *training = g_build_filename (reports, "training", NULL);

  remote_world_add_report (w, "demo");
  g_assert_cmpint (g_mkdir (reports, 0755), ==, 0);
  g_assert_cmpint (g_rename (w->report, training), ==, 0);
  return g_build_filename (training, "archive.a", NULL);
}

/* The tunnel leads to a machine that asks for a password. */
static void
test_tunnel (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *archive = NULL, *known = NULL, *lines = NULL, *log = NULL;
  SshServer *jump, *node, *asks;
  guint port;
  GPid tunnel;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  archive = add_training (&w);
  node = w.server;
  jump = ssh_server_new (w.world, &(SshServerOptions){ .key_set = 1 });
  asks = ssh_authenticator_new (w.world, "--step=password", "--password=geheim", NULL);
  ssh_world_know (w.world, jump, NULL);
  ssh_world_know (w.world, node, NULL);
  ssh_world_add_host (w.world, "jump", jump, NULL);
  ssh_world_add_host (w.world, "node", node, NULL);
  port = start_tunnel (&w, asks, &tunnel);
  /* As typed: user, 127.0.0.1 and the port; nothing of the machine behind it is configured. */
  lines = g_strdup_printf ("HostName 127.0.0.1\nPort %u", port);
  ssh_world_add_host (w.world, "tunnel", asks, lines);
  remote_world_renew (&w, "tunnel");
  script_asker_set_host_key (w.asker, TSR_HOST_KEY_SAVE);
  script_asker_expect (w.asker, TSR_QUESTION_PASSWORD, "tester@", "geheim");
  remote_world_connect (&w);
  browse_to_archive (&w, archive);
  log = script_asker_dup_log (w.asker);
  g_assert_nonnull (strstr (log, "host-key "));
  g_assert_nonnull (strstr (log, "password "));
  g_assert_true (g_file_get_contents (ssh_world_get_known_hosts (w.world), &known, NULL, NULL));
  lines = (g_free (lines), g_strdup_printf ("[127.0.0.1]:%u ssh-ed25519 ", port));
  g_assert_nonnull (strstr (known, lines));
  kill (tunnel, SIGKILL);
  waitpid (tunnel, NULL, 0);
}

/* Another day the same port leads to another machine: refused, and with an alias for its key it is
 * one that is not known yet. */
static void
test_tunnel_elsewhere (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  ssh_world_know (w.world, w.server, NULL);
  ssh_world_add_host (w.world, "tunnel", w.server, NULL);
  before = ssh_server_dup_fingerprint (w.server, "ed25519");
  ssh_server_set_options (w.server, &(SshServerOptions){ .key_set = 1 });
  after = ssh_server_dup_fingerprint (w.server, "ed25519");
  remote_world_renew (&w, "tunnel");
  g_assert_false (tsr_connection_connect (w.connection, NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_CHANGED);
  g_assert_nonnull (strstr (error->message, before));
  g_assert_nonnull (strstr (error->message, after));
  g_assert_nonnull (strstr (error->message, ssh_world_get_known_hosts (w.world)));
  ssh_world_add_host (w.world, "other", w.server, "HostKeyAlias other-machine");
  remote_world_renew (&w, "other");
  script_asker_set_host_key (w.asker, TSR_HOST_KEY_ONCE);
  remote_world_connect (&w);
}

/* Without a tunnel: host and jump host once, a one-time code on each. */
static void
test_no_tunnel (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *archive = NULL, *codes = NULL;
  SshServer *jump, *node;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  archive = add_training (&w);
  tsr_test_write (ssh_world_get_folder (w.world), "codes", "111\n222\n", -1);
  codes = g_strdup_printf ("--codes=%s/codes", ssh_world_get_folder (w.world));
  jump = ssh_authenticator_new (w.world, "--step=publickey", "--step=keyboard-interactive",
                                "--round=||Code=@code", codes, NULL);
  node = ssh_authenticator_new (w.world, "--step=keyboard-interactive", "--round=||Code=@code",
                                codes, NULL);
  ssh_world_know (w.world, jump, NULL);
  ssh_world_know (w.world, node, NULL);
  ssh_world_add_host (w.world, "jump", jump, NULL);
  ssh_world_add_host (w.world, "node", node, NULL);
  script_asker_expect (w.asker, TSR_QUESTION_INTERACTIVE, "jump", "111");
  script_asker_expect (w.asker, TSR_QUESTION_INTERACTIVE, "node", "222");
  remote_world_renew (&w, "node/?jump=jump");
  remote_world_connect (&w);
  browse_to_archive (&w, archive);
  g_assert_cmpuint (script_asker_get_n_left (w.asker), ==, 0);
  g_assert_cmpuint (ssh_server_get_n_accepted (jump), ==, 1);
  g_assert_cmpuint (ssh_server_get_n_accepted (node), ==, 1);
}

int
main (int argc, char **argv)
{
  static const SshServerOptions dropbear = { .is_dropbear = TRUE, .sftp = SSH_SFTP_PROGRAM };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/remote-folders/list", NULL, test_list);
  g_test_add_data_func ("/remote-folders/list-dropbear", &dropbear, test_list);
  g_test_add_func ("/remote-folders/many", test_many);
  g_test_add_func ("/remote-folders/paths", test_paths);
  g_test_add_func ("/remote-folders/permission", test_permission);
  g_test_add_func ("/remote-folders/tunnel", test_tunnel);
  g_test_add_func ("/remote-folders/tunnel-elsewhere", test_tunnel_elsewhere);
  g_test_add_func ("/remote-folders/no-tunnel", test_no_tunnel);
  return g_test_run ();
}
