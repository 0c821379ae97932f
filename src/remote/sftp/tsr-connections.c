/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connections are kept until they are closed: a one-time password is not asked for again because
 * a report was closed in between. */

#include "config.h"

#include "tsr-connections.h"

struct _TsrConnections
{
  GMutex mutex;
  TsrAsker *asker;               /* (nullable) */
  TsrSshConfig *config;          /* (nullable) */
  GHashTable *all;               /* way -> TsrConnection */
  char *key_file, *agent_socket; /* (nullable) */
  gboolean is_offline;
};

TsrConnections *
tsr_connections_new (TsrAsker *asker, TsrSshConfig *config)
{
  TsrConnections *self = g_new0 (TsrConnections, 1);

  g_mutex_init (&self->mutex);
  self->asker = asker != NULL ? g_object_ref (asker) : NULL;
  self->config = config != NULL ? tsr_ssh_config_ref (config) : NULL;
  self->all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return self;
}

void
tsr_connections_free (TsrConnections *self)
{
  g_hash_table_unref (self->all);
  g_clear_object (&self->asker);
  g_clear_pointer (&self->config, tsr_ssh_config_unref);
  g_mutex_clear (&self->mutex);
  g_free (self->key_file);
  g_free (self->agent_socket);
  g_free (self);
}

/* The way that an address means: two spellings of one way are one connection. */
static char *
dup_way (const TsrSshAddress *address, TsrSshConfig *config)
{
  g_autoptr (GPtrArray) hosts = tsr_ssh_config_resolve (config, address, NULL);
  GString *way;

  if (hosts == NULL)
    return tsr_ssh_address_dup_location (address, "/");
  way = g_string_new (NULL);
  for (guint i = 0; i < hosts->len; i++)
    {
      const TsrSshHost *host = hosts->pdata[i];

      g_string_append_printf (way, "%s@%s:%u as %s\n", host->user, host->host_name, host->port,
                              host->host_key_alias != NULL ? host->host_key_alias : "");
    }
  return g_string_free (way, FALSE);
}

TsrConnection *
tsr_connections_get (TsrConnections *self, const TsrSshAddress *address)
{
  g_autoptr (TsrSshConfig) config = NULL;
  g_autofree char *way = NULL;
  TsrConnection *connection;

  g_return_val_if_fail (self != NULL && address != NULL, NULL);
  config = self->config != NULL ? tsr_ssh_config_ref (self->config)
                                : tsr_ssh_config_load (NULL, NULL, NULL);
  way = dup_way (address, config);
  g_mutex_lock (&self->mutex);
  connection = g_hash_table_lookup (self->all, way);
  if (connection == NULL)
    {
      connection = tsr_connection_new (address, config, self->asker);
      tsr_connection_set_identity (connection, self->key_file, self->agent_socket);
      tsr_connection_set_offline (connection, self->is_offline);
      g_hash_table_insert (self->all, g_steal_pointer (&way), connection);
    }
  g_object_ref (connection);
  g_mutex_unlock (&self->mutex);
  return connection;
}

char *
tsr_connections_dup_path (const char *text)
{
  char *path = text != NULL ? tsr_ssh_expand_tilde (text, g_get_home_dir ()) : NULL;

  return path != NULL ? path : g_strdup (text);
}

void
tsr_connections_set_identity (TsrConnections *self, const char *key_file, const char *agent_socket)
{
  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  g_free (self->key_file);
  g_free (self->agent_socket);
  self->key_file = tsr_connections_dup_path (key_file);
  self->agent_socket = tsr_connections_dup_path (agent_socket);
  g_mutex_unlock (&self->mutex);
}

void
tsr_connections_set_offline (TsrConnections *self, gboolean is_offline)
{
  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  self->is_offline = is_offline;
  g_mutex_unlock (&self->mutex);
}

void
tsr_connections_close_all (TsrConnections *self)
{
  g_autoptr (GHashTable) all = NULL;
  GHashTableIter iter;
  gpointer value;

  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  all = self->all;
  self->all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_mutex_unlock (&self->mutex);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    tsr_connection_close (value);
}
