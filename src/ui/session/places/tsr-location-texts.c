/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts for locations. */

#include "config.h"

#include "tsr-location-texts.h"

#include "tsr-ssh-address.h"

#include <glib/gi18n.h>

static TsrSshAddress *
parse (const char *location)
{
  return tsr_ssh_address_is_one (location) ? tsr_ssh_address_parse (location, NULL) : NULL;
}

char *
tsr_location_dup_host (const char *location)
{
  g_autoptr (TsrSshAddress) address = NULL;
  g_autofree char *hop = NULL;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (location != NULL, NULL);
  address = parse (location);
  if (address == NULL)
    return NULL;
  hop = tsr_ssh_hop_to_string (&address->target);
  shown = g_utf8_make_valid (hop, -1);
  if (address->host_key_alias != NULL)
    return g_strdup_printf ("%s (%s)", shown, address->host_key_alias);
  return g_steal_pointer (&shown);
}

char *
tsr_location_dup_shown_path (const char *location)
{
  g_autoptr (TsrSshAddress) address = NULL;

  g_return_val_if_fail (location != NULL, NULL);
  address = parse (location);
  return g_filename_display_name (address != NULL ? address->path : location);
}

char *
tsr_location_dup_text (const char *location)
{
  g_autofree char *host = tsr_location_dup_host (location);
  g_autofree char *path = tsr_location_dup_shown_path (location);

  if (host == NULL)
    return g_steal_pointer (&path);
  return g_strdup_printf ("%s · %s", host, path);
}
