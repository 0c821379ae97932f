/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One text for each host: its location and, behind a space (which a location does not have), the
 * key file. */

#include "config.h"

#include "tsr-remote-hosts.h"

#include "tsr-location-texts.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "remote-hosts"

void
tsr_remote_host_free (TsrRemoteHost *host)
{
  if (host == NULL)
    return;
  tsr_ssh_address_free (host->address);
  g_free (host->identity);
  g_free (host);
}

static TsrRemoteHost *
parse (const char *text)
{
  const char *space = strchr (text, ' ');
  g_autofree char *location
      = space != NULL ? g_strndup (text, (gsize)(space - text)) : g_strdup (text);
  TsrSshAddress *address = tsr_ssh_address_parse (location, NULL);
  TsrRemoteHost *host;

  if (address == NULL)
    return NULL;
  host = g_new0 (TsrRemoteHost, 1);
  host->address = address;
  host->identity = space != NULL && space[1] != '\0' ? g_strdup (space + 1) : NULL;
  return host;
}

GPtrArray *
tsr_remote_hosts_dup (TsrSettings *settings)
{
  GPtrArray *hosts = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_remote_host_free);
  g_auto (GStrv) texts = NULL;

  g_return_val_if_fail (TSR_IS_SETTINGS (settings), hosts);
  texts = tsr_settings_dup_strv (settings, KEY);
  for (guint i = 0; texts[i] != NULL && hosts->len < TSR_REMOTE_HOSTS_MAX; i++)
    {
      TsrRemoteHost *host = parse (texts[i]);

      if (host != NULL)
        g_ptr_array_add (hosts, host);
    }
  return hosts;
}

/* Whether the way to the host is the same, whatever the folder. */
static gboolean
is_same (const TsrSshAddress *a, const TsrSshAddress *b)
{
  g_autofree char *x = tsr_ssh_address_dup_location (a, "/");
  g_autofree char *y = tsr_ssh_address_dup_location (b, "/");

  return g_str_equal (x, y);
}

/* @first (nullable) goes on top, everything that is the same as @address away. */
static void
write_hosts (TsrSettings *settings, char *first, const TsrSshAddress *address)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) texts = tsr_settings_dup_strv (settings, KEY);
  g_auto (GStrv) all = NULL;
  guint n = 0;

  if (first != NULL)
    {
      g_strv_builder_add (builder, first);
      n++;
    }
  for (guint i = 0; texts[i] != NULL && n < TSR_REMOTE_HOSTS_MAX; i++)
    {
      g_autoptr (TsrRemoteHost) host = parse (texts[i]);

      if (host == NULL || is_same (host->address, address))
        continue;
      g_strv_builder_add (builder, texts[i]);
      n++;
    }
  all = g_strv_builder_end (builder);
  tsr_settings_set_strv (settings, KEY, (const char *const *)all);
}

void
tsr_remote_hosts_add (TsrSettings *settings, const TsrSshAddress *address, const char *identity)
{
  g_autofree char *location = NULL;
  g_autofree char *text = NULL;

  g_return_if_fail (TSR_IS_SETTINGS (settings) && address != NULL);
  location = tsr_ssh_address_to_string (address);
  if (identity != NULL && *identity != '\0' && g_utf8_validate (identity, -1, NULL))
    text = g_strdup_printf ("%s %s", location, identity);
  else
    text = g_steal_pointer (&location);
  write_hosts (settings, text, address);
}

void
tsr_remote_hosts_remove (TsrSettings *settings, const TsrSshAddress *address)
{
  g_return_if_fail (TSR_IS_SETTINGS (settings) && address != NULL);
  write_hosts (settings, NULL, address);
}

char *
tsr_remote_hosts_dup_identity (TsrSettings *settings, const TsrSshAddress *address)
{
  g_autoptr (GPtrArray) hosts = tsr_remote_hosts_dup (settings);

  for (guint i = 0; i < hosts->len; i++)
    {
      const TsrRemoteHost *host = hosts->pdata[i];

      if (is_same (host->address, address))
        return g_strdup (host->identity);
    }
  return NULL;
}

char *
tsr_remote_host_dup_title (const TsrSshAddress *address)
{
  g_autofree char *location = tsr_ssh_address_to_string (address);

  return tsr_location_dup_host (location);
}

char *
tsr_remote_host_dup_way (const TsrSshAddress *address)
{
  g_autofree char *jumps = NULL;

  g_return_val_if_fail (address != NULL, NULL);
  if (!address->has_jumps || address->n_jumps == 0)
    return NULL;
  jumps = tsr_ssh_jumps_to_string (address->jumps, address->n_jumps);
  return g_strdup_printf (_ ("through %s"), jumps);
}
