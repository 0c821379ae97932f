/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-remote-wait.h"

struct _TsrRemoteWait
{
  TsrDialogAsker *asker;
  GtkWindow *window;
  TsrConnection *connection;
  GtkLabel *label;
  gulong handler;
};

static void
update (TsrRemoteWait *self)
{
  g_autofree char *status = tsr_connection_dup_status (self->connection);

  gtk_label_set_label (self->label, status != NULL ? status : "");
}

TsrRemoteWait *
tsr_remote_wait_new (TsrDialogAsker *asker,
                     GtkWindow *window,
                     TsrConnection *connection,
                     GtkLabel *label)
{
  TsrRemoteWait *self = g_new0 (TsrRemoteWait, 1);

  self->asker = g_object_ref (asker);
  self->window = window;
  self->connection = g_object_ref (connection);
  self->label = label;
  tsr_dialog_asker_begin (asker, window, connection);
  self->handler = g_signal_connect_swapped (connection, "state-changed", G_CALLBACK (update), self);
  update (self);
  return self;
}

TsrRemoteWait *
tsr_remote_wait_new_for_place (TsrDialogAsker *asker,
                               GtkWindow *window,
                               TsrPlace *place,
                               GtkLabel *label)
{
  TsrConnection *connection;

  if (!TSR_IS_REMOTE_PLACE (place))
    return NULL;
  connection = tsr_remote_place_get_connection (TSR_REMOTE_PLACE (place));
  tsr_connection_forget_loss (connection);
  return tsr_remote_wait_new (asker, window, connection, label);
}

void
tsr_remote_wait_free (TsrRemoteWait *self)
{
  if (self == NULL)
    return;
  g_clear_signal_handler (&self->handler, self->connection);
  tsr_dialog_asker_end (self->asker, self->window, self->connection);
  gtk_label_set_label (self->label, "");
  g_object_unref (self->connection);
  g_object_unref (self->asker);
  g_free (self);
}
