/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Registers a window as the one that waits for a connection, and shows the connection's state. */

#include "config.h"

#include "tsr-remote-wait.h"

#include "tsr-remote-progress.h"

#define LOOK_MS 250

struct _TsrRemoteWait
{
  TsrDialogAsker *asker;
  GtkWindow *window;
  TsrConnection *connection;
  GtkLabel *label;
  gulong handler;
  TsrRemoteProgress *progress;
  guint timeout;
};

static void
update (TsrRemoteWait *self)
{
  g_autofree char *text = tsr_remote_progress_look (self->progress, 0);

  gtk_label_set_label (self->label, text);
}

static gboolean
on_timeout (gpointer data)
{
  update (data);
  return G_SOURCE_CONTINUE;
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
  self->progress = tsr_remote_progress_new (connection, NULL);
  self->timeout = g_timeout_add (LOOK_MS, on_timeout, self);
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
  g_source_remove (self->timeout);
  tsr_remote_progress_free (self->progress);
  tsr_dialog_asker_end (self->asker, self->window, self->connection);
  gtk_label_set_label (self->label, "");
  g_object_unref (self->connection);
  g_object_unref (self->asker);
  g_free (self);
}
