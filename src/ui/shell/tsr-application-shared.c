/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What all windows share: settings, who asks the user, connections with their cache, the demo
 * report. */

#include "config.h"

#include "tsr-application-private.h"

#include "tsr-recent-report.h"
#include "tsr-remote-texts.h"

TsrSettings *
tsr_application_get_settings (TsrApplication *self)
{
  g_return_val_if_fail (TSR_IS_APPLICATION (self), NULL);
  return self->settings != NULL ? self->settings : tsr_settings_get_default ();
}

char *
tsr_application_dup_demo_path (void)
{
  const char *path = g_getenv ("TSR_DEMO_DIR");

  if (path == NULL || *path == '\0')
    path = TSR_DEMO_DIR;
  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_strdup (path) : NULL;
}

gboolean
tsr_application_is_demo (TsrReport *report)
{
  g_autofree char *demo = tsr_application_dup_demo_path ();
  g_autofree char *path = demo != NULL ? g_canonicalize_filename (demo, NULL) : NULL;
  g_autofree char *location = tsr_recent_report_dup_location (report);

  return g_strcmp0 (path, location) == 0;
}

TsrDialogAsker *
tsr_application_get_asker (TsrApplication *self)
{
  g_return_val_if_fail (TSR_IS_APPLICATION (self), NULL);
  if (self->asker == NULL)
    self->asker = tsr_dialog_asker_new (GTK_APPLICATION (self));
  return self->asker;
}

static guint64
get_cache_limit (TsrApplication *self)
{
  int mib = tsr_settings_get_int (tsr_application_get_settings (self), "remote-cache-limit");

  return (guint64)MAX (mib, 0) << 20;
}

static void
on_cache_limit_changed (TsrApplication *self)
{
  if (self->remote.cache != NULL)
    tsr_block_cache_set_limit (self->remote.cache, get_cache_limit (self));
}

static void
on_keys_changed (TsrApplication *self)
{
  if (self->remote.connections != NULL)
    tsr_remote_texts_apply_identity (self->remote.connections, tsr_application_get_settings (self),
                                     NULL);
}

TsrRemote *
tsr_application_get_remote (TsrApplication *self)
{
  g_return_val_if_fail (TSR_IS_APPLICATION (self), NULL);
  if (self->remote.connections == NULL)
    {
      TsrSettings *settings = tsr_application_get_settings (self);

      self->remote.connections
          = tsr_connections_new (TSR_ASKER (tsr_application_get_asker (self)), NULL);
      self->remote.cache = tsr_block_cache_new (NULL, get_cache_limit (self));
      tsr_remote_texts_apply_identity (self->remote.connections, settings, NULL);
      g_signal_connect_object (settings, "changed::remote-identity-file",
                               G_CALLBACK (on_keys_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (settings, "changed::remote-agent", G_CALLBACK (on_keys_changed),
                               self, G_CONNECT_SWAPPED);
      g_signal_connect_object (settings, "changed::remote-cache-limit",
                               G_CALLBACK (on_cache_limit_changed), self, G_CONNECT_SWAPPED);
    }
  return &self->remote;
}

TsrPlace *
tsr_application_open_place (TsrApplication *self, const char *location, char **path, GError **error)
{
  g_return_val_if_fail (TSR_IS_APPLICATION (self) && location != NULL, NULL);
  if (tsr_ssh_address_is_one (location))
    return tsr_location_open (tsr_application_get_remote (self), location, path, error);
  *path = g_strdup (location);
  return tsr_local_place_new ();
}
