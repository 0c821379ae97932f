/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Titles of errors, and texts for the state and the speed of a connection. */

#include "config.h"

#include "tsr-remote-texts.h"

#include "tsr-error.h"
#include "tsr-units.h"

#include <glib/gi18n.h>
#include <math.h>

const char *
tsr_remote_texts_get_title (const GError *error)
{
  static const char *const titles[] = {
    [TSR_REMOTE_ERROR_UNKNOWN_HOST] = N_ ("No host has this name"),
    [TSR_REMOTE_ERROR_REFUSED] = N_ ("The connection was refused"),
    [TSR_REMOTE_ERROR_TIMEOUT] = N_ ("The host does not answer"),
    [TSR_REMOTE_ERROR_NETWORK] = N_ ("The network does not reach the host"),
    [TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN] = N_ ("The host’s key is not known"),
    [TSR_REMOTE_ERROR_HOST_KEY_CHANGED] = N_ ("The host’s key has changed"),
    [TSR_REMOTE_ERROR_HOST_KEY_REVOKED] = N_ ("The host’s key is marked as revoked"),
    [TSR_REMOTE_ERROR_AUTH] = N_ ("The host did not let you in"),
    [TSR_REMOTE_ERROR_NEEDS_ANSWER] = N_ ("Somebody has to answer a question"),
    [TSR_REMOTE_ERROR_UNANSWERED] = N_ ("Nobody is logged in"),
    [TSR_REMOTE_ERROR_NO_SFTP] = N_ ("The host serves no files"),
    [TSR_REMOTE_ERROR_PERMISSION] = N_ ("This may not be read"),
    [TSR_REMOTE_ERROR_VANISHED] = N_ ("This is no longer there"),
    [TSR_REMOTE_ERROR_PROTOCOL] = N_ ("The host’s answer makes no sense"),
    [TSR_REMOTE_ERROR_NOT_SSH] = N_ ("This is not an ssh server"),
    [TSR_REMOTE_ERROR_CONFIG] = N_ ("ssh’s configuration cannot be used"),
  };

  g_return_val_if_fail (error != NULL, "");
  if (error->domain == TSR_REMOTE_ERROR && error->code >= 0
      && error->code < (int)G_N_ELEMENTS (titles))
    return _ (titles[error->code]);
  if (g_error_matches (error, TSR_ERROR, TSR_ERROR_ARGUMENT))
    return _ ("This field is not correct");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return _ ("Cancelled");
  return _ ("This did not work");
}

gboolean
tsr_remote_texts_is_host_key (const GError *error)
{
  return g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_CHANGED);
}

gboolean
tsr_remote_texts_is_remote (const GError *error)
{
  return error != NULL && error->domain == TSR_REMOTE_ERROR;
}

char *
tsr_remote_texts_dup_speed (double bytes_per_s)
{
  g_autofree char *bytes = NULL;

  if (isnan (bytes_per_s) || bytes_per_s < 0)
    return g_strdup ("");
  bytes = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)bytes_per_s);
  return g_strdup_printf (_ ("%s/s"), bytes);
}

static char *
dup_ready (TsrConnection *connection, const char *name)
{
  TsrConnectionStats stats = { .latency_s = NAN };
  GString *text = g_string_new (name);

  tsr_connection_get_stats (connection, &stats);
  if (stats.bytes_per_s >= 1)
    {
      g_autofree char *speed = tsr_remote_texts_dup_speed (stats.bytes_per_s);

      g_string_append_printf (text, " · %s", speed);
    }
  if (!isnan (stats.latency_s))
    {
      g_string_append (text, " · ");
      if (stats.latency_s < 0.001)
        g_string_append (text, _ ("under 1 ms"));
      else
        g_string_append_printf (text, _ ("%u ms"), (guint)(stats.latency_s * 1000 + 0.5));
    }
  return g_string_free (text, FALSE);
}

char *
tsr_remote_texts_dup_status (TsrConnection *connection, gboolean is_offline)
{
  g_autoptr (GError) error = NULL;
  const char *name;

  g_return_val_if_fail (TSR_IS_CONNECTION (connection), NULL);
  name = tsr_connection_get_name (connection);
  switch (tsr_connection_get_state (connection))
    {
    case TSR_CONNECTION_READY:
      return dup_ready (connection, name);
    case TSR_CONNECTION_CONNECTING:
      return g_strdup_printf (_ ("%s · connecting…"), name);
    default:
      error = tsr_connection_dup_error (connection);
      if (is_offline && tsr_remote_error_is_unanswered (error))
        return g_strdup_printf (_ ("%s · not logged in: from the cache"), name);
      if (is_offline)
        return g_strdup_printf (_ ("%s · offline: from the cache"), name);
      return g_strdup_printf (_ ("%s · not connected"), name);
    }
}

void
tsr_remote_texts_apply_identity (TsrConnections *connections,
                                 TsrSettings *settings,
                                 const char *file)
{
  g_autofree char *preferred = tsr_settings_dup_string (settings, "remote-identity-file");
  g_autofree char *agent = tsr_settings_dup_string (settings, "remote-agent");
  const char *socket = agent;

  if (file == NULL || *file == '\0')
    file = preferred;
  if (g_str_equal (agent, "none"))
    socket = "";
  else if (*agent == '\0')
    socket = NULL;
  tsr_connections_set_identity (connections, *file != '\0' ? file : NULL, socket);
}

GtkNativeDialog *
tsr_remote_texts_new_key_chooser (GtkWindow *parent)
{
  g_autofree char *folder = g_build_filename (g_get_home_dir (), ".ssh", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
      _ ("Choose a Key File"), parent, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Choose"), _ ("_Cancel"));

  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), file, NULL);
  return GTK_NATIVE_DIALOG (chooser);
}
