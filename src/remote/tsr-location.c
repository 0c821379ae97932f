/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens the place that a location names: the local file system, or one over the connection to its
 * host, which all callers with that connection share. */

#include "config.h"

#include "tsr-location.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>

static void
weak_ref_free (gpointer data)
{
  GWeakRef *ref = data;

  g_weak_ref_clear (ref);
  g_free (ref);
}

/* (transfer full): the place of @connection, which does not keep it. */
static TsrPlace *
dup_place (TsrRemote *remote, TsrConnection *connection)
{
  static GMutex lock;
  TsrPlace *place = NULL;
  GWeakRef *ref;

  g_mutex_lock (&lock);
  ref = g_object_get_data (G_OBJECT (connection), "tsr-remote-place");
  if (ref != NULL)
    place = g_weak_ref_get (ref);
  if (place == NULL)
    {
      place = TSR_PLACE (tsr_remote_place_new (connection, remote->cache));
      ref = g_new0 (GWeakRef, 1);
      g_weak_ref_init (ref, place);
      g_object_set_data_full (G_OBJECT (connection), "tsr-remote-place", ref, weak_ref_free);
    }
  g_mutex_unlock (&lock);
  return place;
}

TsrPlace *
tsr_location_open (TsrRemote *remote, const char *location, char **path, GError **error)
{
  g_autoptr (TsrSshAddress) address = NULL;
  g_autoptr (TsrConnection) connection = NULL;
  g_autofree char *folder = NULL;

  g_return_val_if_fail (location != NULL && path != NULL, NULL);

  *path = NULL;
  if (tsr_ssh_address_is_one (location))
    {
      g_return_val_if_fail (remote != NULL, NULL);
      address = tsr_ssh_address_parse (location, error);
      if (address == NULL)
        return NULL;
      connection = tsr_connections_get (remote->connections, address);
      *path = g_strdup (address->path);
      return dup_place (remote, connection);
    }
  if (*location == '\0')
    {
      g_set_error_literal (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                           _ ("No path was given: write the path of a report's folder or file, or "
                              "ssh://user@host/path"));
      return NULL;
    }
  if (!g_path_is_absolute (location))
    folder = g_get_current_dir ();
  *path = folder != NULL ? g_build_filename (folder, location, NULL) : g_strdup (location);
  return tsr_local_place_new ();
}
