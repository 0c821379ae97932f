/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets up a server with a report, and connects to it. */

#include "config.h"

#include "remote-world.h"

#include <string.h>

gboolean
remote_world_set_up (RemoteWorld *self, const SshServerOptions *options, gboolean has_proxy)
{
  self->world = ssh_world_new ();
  if (self->world == NULL)
    return FALSE;
  self->server = ssh_server_new (self->world, options);
  if (self->server == NULL)
    return FALSE;
  self->asker = script_asker_new ();
  self->cancellable = g_cancellable_new ();
  self->cache_folder = g_build_filename (ssh_world_get_folder (self->world), "cache", NULL);
  if (has_proxy)
    self->proxy = delay_proxy_new (ssh_server_get_port (self->server));
  remote_world_set_server (self, self->server, NULL);
  return TRUE;
}

void
remote_world_set_server (RemoteWorld *self, SshServer *server, const char *lines)
{
  g_autofree char *port = self->proxy != NULL
                              ? g_strdup_printf ("Port %u\n", delay_proxy_get_port (self->proxy))
                              : g_strdup ("");
  g_autofree char *all = g_strdup_printf ("%s%sHostKeyAlias target%u", port,
                                          lines != NULL ? lines : "", ssh_server_get_port (server));
  g_autofree char *name = g_strdup_printf ("target%u", ssh_server_get_port (server));
  g_autoptr (GError) error = NULL;

  /* The first Host counts: this one. */
  g_file_set_contents (ssh_world_get_config (self->world), "", 0, &error);
  g_assert_no_error (error);
  self->server = server;
  ssh_world_know (self->world, server, name);
  ssh_world_add_host (self->world, "target", server, all);
}

void
remote_world_clear (RemoteWorld *self)
{
  if (self->connection != NULL)
    tsr_connection_close (self->connection);
  g_clear_object (&self->place);
  g_clear_object (&self->connection);
  g_clear_pointer (&self->cache, tsr_block_cache_unref);
  g_clear_object (&self->asker);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->proxy, delay_proxy_free);
  g_clear_pointer (&self->world, ssh_world_free);
  g_clear_pointer (&self->cache_folder, g_free);
  g_clear_pointer (&self->report, g_free);
}

void
remote_world_add_report (RemoteWorld *self, const char *preset)
{
  const char *from = tsr_test_get_report (preset);

  g_free (self->report);
  self->report = remote_world_path (self, "report");
  g_free (ssh_world_run (self->world, "cp", "-rp", from, self->report, NULL));
}

char *
remote_world_path (RemoteWorld *self, const char *name)
{
  return g_build_filename (ssh_world_get_home (self->world), name, NULL);
}

void
remote_world_renew (RemoteWorld *self, const char *alias)
{
  const char *host = alias != NULL ? alias : "target";
  g_autofree char *text = g_strconcat ("ssh://", host, strchr (host, '/') != NULL ? "" : "/", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (text, &error);
  g_autoptr (TsrSshConfig) config = NULL;

  g_assert_no_error (error);
  if (self->connection != NULL)
    tsr_connection_close (self->connection);
  g_clear_object (&self->place);
  g_clear_object (&self->connection);
  g_clear_pointer (&self->cache, tsr_block_cache_unref);
  config = tsr_ssh_config_load (ssh_world_get_config (self->world), "/dev/null", NULL);
  self->cache = tsr_block_cache_new (self->cache_folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  self->connection = tsr_connection_new (address, config, TSR_ASKER (self->asker));
  self->place = tsr_remote_place_new (self->connection, self->cache);
}

void
remote_world_forget (RemoteWorld *self)
{
  g_free (ssh_world_run (self->world, "rm", "-rf", self->cache_folder, NULL));
}

void
remote_world_connect (RemoteWorld *self)
{
  g_autoptr (GError) error = NULL;

  if (self->connection == NULL)
    remote_world_renew (self, NULL);
  tsr_connection_connect (self->connection, self->cancellable, &error);
  g_assert_no_error (error);
}

GBytes *
remote_world_read (RemoteWorld *self, const char *path, GError **error)
{
  g_autoptr (TsrSource) source
      = tsr_place_open (TSR_PLACE (self->place), path, self->cancellable, error);
  g_autofree guint8 *bytes = NULL;
  gint64 size;
  gssize n;

  if (source == NULL)
    return NULL;
  size = tsr_source_get_size (source);
  g_assert_cmpint (size, >=, 0);
  g_assert_cmpint (size, <, G_GINT64_CONSTANT (1) << 32);
  bytes = g_malloc ((gsize)size + 1);
  n = tsr_source_read (source, 0, bytes, (gsize)size, self->cancellable, error);
  return n >= 0 ? g_bytes_new_take (g_steal_pointer (&bytes), (gsize)n) : NULL;
}

void
remote_world_check_file (RemoteWorld *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) got = remote_world_read (self, path, &error);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_no_error (error);
  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (got), ==, length);
  g_assert_true (memcmp (g_bytes_get_data (got, NULL), bytes, length) == 0);
}

void
remote_world_check_report (RemoteWorld *self, TsrReport *report, const char *path)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) local
      = tsr_report_open_sync (place, path, TSR_LOAD_UP_TO_MEMORY, NULL, &error);
  const TsrSummary *a = tsr_report_get_summary (report), *b;
  const TsrMemoryTables *x = tsr_report_get_memory_tables (report), *y;

  g_assert_no_error (error);
  b = tsr_report_get_summary (local);
  y = tsr_report_get_memory_tables (local);
  g_assert_nonnull (a);
  g_assert_cmpint (a->target.num_tiles, ==, b->target.num_tiles);
  g_assert_cmpint (a->target.total_memory, ==, b->target.total_memory);
  g_assert_cmpstr (a->poplar_version, ==, b->poplar_version);
  for (int view = 0; view < TSR_N_VIEWS; view++)
    g_assert_cmpint (a->views[view].available, ==, b->views[view].available);
  g_assert_cmpint (x != NULL, ==, y != NULL);
  if (x == NULL)
    return;
  g_assert_cmpuint (x->tiles.n_tiles, ==, y->tiles.n_tiles);
  g_assert_true (memcmp (x->tiles.total, y->tiles.total, x->tiles.n_tiles * sizeof *x->tiles.total)
                 == 0);
}
