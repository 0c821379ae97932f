/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A remote place over a connection. */

#include "config.h"

#include "tsr-remote-ops.h"

#include <math.h>

static GPtrArray *
connection_list (gpointer data, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_connection_list (data, path, cancellable, error);
}

static TsrFolderEntry *
connection_stat (gpointer data, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_connection_stat (data, path, cancellable, error);
}

static char *
connection_resolve (gpointer data, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_connection_resolve (data, path, cancellable, error);
}

static gpointer
connection_open (gpointer data, const char *path, const TsrSourceStamp *stamp)
{
  return tsr_remote_file_new (data, path, stamp);
}

static void
connection_read_async (gpointer file,
                       gint64 offset,
                       gsize length,
                       TsrReadPriority priority,
                       TsrRemoteReadFunc func,
                       gpointer data)
{
  tsr_remote_file_read_async (file, offset, length, priority, func, data);
}

static void
connection_close (gpointer file)
{
  tsr_remote_file_unref (file);
}

static char *
connection_dup_location (gpointer data, const char *path)
{
  return tsr_ssh_address_dup_location (tsr_connection_get_address (data), path);
}

static double
connection_get_rate (gpointer data)
{
  TsrConnectionStats stats = { 0 };

  tsr_connection_get_stats (data, &stats);
  return stats.bytes_per_s > 0 ? stats.bytes_per_s : NAN;
}

static const TsrRemoteOps connection_ops = {
  .list = connection_list,
  .stat = connection_stat,
  .resolve = connection_resolve,
  .open = connection_open,
  .read_async = connection_read_async,
  .close = connection_close,
  .dup_location = connection_dup_location,
  .get_rate = connection_get_rate,
  .free = g_object_unref,
};

/* As the cache knows the host: by the name of its key where that is told, for one tunnel may lead
 * to other machines tomorrow. */
static char *
dup_host (const TsrSshAddress *address)
{
  g_autofree char *target = tsr_ssh_hop_to_string (&address->target);

  if (address->host_key_alias == NULL)
    return g_steal_pointer (&target);
  return g_strdup_printf ("%s@%s", address->target.user != NULL ? address->target.user : "",
                          address->host_key_alias);
}

TsrRemotePlace *
tsr_remote_place_new (TsrConnection *connection, TsrBlockCache *cache)
{
  g_autofree char *host = dup_host (tsr_connection_get_address (connection));

  return tsr_remote_place_new_with (&connection_ops, g_object_ref (connection), host, cache);
}

TsrConnection *
tsr_remote_place_get_connection (TsrRemotePlace *self)
{
  return tsr_remote_place_peek_data (self);
}
