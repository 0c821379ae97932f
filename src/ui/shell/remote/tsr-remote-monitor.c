/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A clock looks about once a second while a remote report is shown; a bar is set when what it is
 * about changes, so that one that the user has closed does not come back by itself. */

#include "config.h"

#include "tsr-remote-monitor.h"

#include "tsr-popover.h"
#include "tsr-remote-progress.h"
#include "tsr-remote-wait.h"
#include "tsr-remote-texts.h"
#include "tsr-task.h"
#include "tsr-notice.h"
#include "tsr-units.h"

#include <glib/gi18n.h>
#include <math.h>

#define LOOK_MS 900
/* Looks at the cache after the last byte. */
#define LOOKS_AFTER 2

typedef enum
{
  LINE_FINE,
  LINE_OFFLINE, /* the report comes from the cache alone */
  LINE_LOST,    /* bytes are needed that are not here */
  LINE_BACK,    /* they could be had now */
} Line;

struct _TsrRemoteMonitor
{
  GObject parent_instance;

  GtkWindow *window;
  TsrReportView *view;
  TsrSession *session;
  TsrDialogAsker *asker;
  GSimpleActionGroup *actions;
  GtkLabel *facts, *step; /* in the popover of the status strip */
  GtkProgressBar *progress;

  TsrRemotePlace *place;     /* (nullable): of the report that is shown */
  TsrConnection *connection; /* (nullable): of it */
  TsrLocalCopy *copy;        /* (nullable) */
  gulong connection_handler, copy_handler;
  TsrRemoteWait *wait; /* (nullable): while reconnecting */
  GCancellable *reconnecting;
  guint timeout;
  gboolean opened_offline; /* a connection that is lost later takes nothing from the report */
  guint64 bytes_seen;      /* that had come over the network when the clock looked last */
  guint missed_seen;       /* reads of pages that had failed when this report came */
  guint64 connects_seen;   /* connections that had been made when it came */
  guint looks_left;        /* of the cache: what came last may not be written yet */
  Line line;
  gboolean is_unanswered;       /* it is a user who did not log in, and not the network */
  TsrLocalCopyState copy_state; /* that the bar is about */
};

G_DEFINE_FINAL_TYPE (TsrRemoteMonitor, tsr_remote_monitor, G_TYPE_OBJECT)

/* ---------------------------------------------------------------- what is the matter */

/* Whether a stage failed on the way, and not because of what the file says. */
static gboolean
lacks_bytes (TsrRemoteMonitor *self)
{
  TsrReport *report = tsr_session_get_report (self->session);

  for (guint i = 0; report != NULL && i < TSR_N_STAGES; i++)
    if (tsr_report_get_stage_state (report, i) == TSR_STAGE_FAILED
        && tsr_remote_error_lacks_bytes (tsr_report_get_stage_error (report, i)))
      return TRUE;
  return FALSE;
}

/* Whether a page wanted bytes that are not here, and got none. */
static gboolean
has_missed (TsrRemoteMonitor *self)
{
  return tsr_remote_place_count_missed (self->place) != self->missed_seen;
}

static gboolean
is_loading (TsrRemoteMonitor *self)
{
  TsrReport *report = tsr_session_get_report (self->session);

  for (guint i = 0; report != NULL && i < TSR_N_STAGES; i++)
    if (tsr_report_get_stage_state (report, i) == TSR_STAGE_LOADING)
      return TRUE;
  return FALSE;
}

static Line
find_line (TsrRemoteMonitor *self)
{
  TsrConnectionState state = tsr_connection_get_state (self->connection);

  if (state == TSR_CONNECTION_CONNECTING)
    return self->line;
  /* While it is read again, there is nothing to press. */
  if (state == TSR_CONNECTION_READY)
    return lacks_bytes (self) && tsr_report_view_get_bar (self->view, "reload") == NULL ? LINE_BACK
                                                                                        : LINE_FINE;
  if (lacks_bytes (self) || has_missed (self))
    return LINE_LOST;
  return self->opened_offline ? LINE_OFFLINE : LINE_FINE;
}

/* ---------------------------------------------------------------- bars */

/* (transfer full) (nullable) */
static char *
dup_line_text (Line line, gboolean is_unanswered, const char *host)
{
  if (line == LINE_OFFLINE && is_unanswered)
    return g_strdup_printf (_ ("You are not logged in to %s: this is what was kept on this "
                               "computer, as it was when it was last read"),
                            host);
  if (line == LINE_OFFLINE)
    return g_strdup_printf (_ ("%s is not reachable: this is what was kept on this computer, as it "
                               "was when it was last read"),
                            host);
  if (line == LINE_LOST && is_unanswered)
    return g_strdup_printf (_ ("You are not logged in to %s: what is here can still be seen"),
                            host);
  if (line == LINE_LOST)
    return g_strdup_printf (_ ("%s is not reachable: what is here can still be seen"), host);
  if (line == LINE_BACK)
    return g_strdup_printf (_ ("%s can be reached again: what is missing can be read now"), host);
  return NULL;
}

static void
update_line (TsrRemoteMonitor *self)
{
  Line line = find_line (self);
  g_autoptr (GError) error = tsr_connection_dup_error (self->connection);
  gboolean is_unanswered = line == self->line && error == NULL
                               ? self->is_unanswered
                               : tsr_remote_error_is_unanswered (error);
  g_autofree char *text = NULL;

  if (line == self->line && is_unanswered == self->is_unanswered)
    return;
  self->line = line;
  self->is_unanswered = is_unanswered;
  text = dup_line_text (line, is_unanswered, tsr_connection_get_name (self->connection));
  tsr_report_view_set_bar (self->view, "remote",
                           line == LINE_LOST ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text,
                           _ ("_Reconnect"), "remote.reconnect");
}

/* (transfer full): "120 MiB of 520 MiB, 11.2 MiB/s, 36 s left"; how fast only while @moves. */
static char *
dup_progress (const TsrRemoteCopy *copy, gboolean moves)
{
  g_autofree char *here = tsr_units_dup_bytes (TSR_UNITS_BINARY, copy->here);
  g_autofree char *all = tsr_units_dup_bytes (TSR_UNITS_BINARY, copy->bytes);
  g_autofree char *speed = tsr_remote_texts_dup_speed (copy->bytes_per_s);
  g_autofree char *left = tsr_units_dup_duration (copy->seconds_left);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ ("%s of %s"), here, all);
  if (!moves)
    return g_string_free (text, FALSE);
  if (*speed != '\0' && copy->bytes_per_s >= 1)
    g_string_append_printf (text, ", %s", speed);
  if (*left != '\0' && !copy->is_whole && copy->bytes_per_s >= 1)
    {
      g_string_append (text, ", ");
      g_string_append_printf (text, _ ("%s left"), left);
    }
  return g_string_free (text, FALSE);
}

static void
set_copy_bar (TsrRemoteMonitor *self, TsrLocalCopyState state)
{
  const TsrRemoteCopy *copy = tsr_local_copy_peek (self->copy);
  g_autofree char *progress = dup_progress (copy, state == TSR_LOCAL_COPY_RUNNING);
  g_autofree char *text = NULL;

  if (state == TSR_LOCAL_COPY_RUNNING)
    {
      text = g_strdup_printf (_ ("Keeping a local copy: %s"), progress);
      tsr_report_view_set_bar (self->view, "copy", GTK_MESSAGE_INFO, text, _ ("_Pause"),
                               "remote.pause-copy");
    }
  else if (state == TSR_LOCAL_COPY_FAILED)
    {
      text = g_strdup_printf (_ ("The local copy stopped at %s: %s"), progress,
                              tsr_local_copy_get_error (self->copy)->message);
      tsr_report_view_set_bar (self->view, "copy", GTK_MESSAGE_WARNING, text, _ ("_Continue"),
                               "remote.keep-copy");
    }
  else if (copy->here > 0 && state == TSR_LOCAL_COPY_IDLE)
    {
      text = g_strdup_printf (_ ("The local copy is paused: %s"), progress);
      tsr_report_view_set_bar (self->view, "copy", GTK_MESSAGE_INFO, text, _ ("_Continue"),
                               "remote.keep-copy");
    }
  else
    tsr_report_view_set_bar (self->view, "copy", 0, NULL, NULL, NULL);
}

static void
update_copy (TsrRemoteMonitor *self)
{
  TsrLocalCopyState state = tsr_local_copy_get_state (self->copy);
  gboolean asked = self->copy_state != TSR_LOCAL_COPY_IDLE || state != TSR_LOCAL_COPY_IDLE;

  if (state != self->copy_state && state == TSR_LOCAL_COPY_DONE
      && self->copy_state == TSR_LOCAL_COPY_RUNNING)
    tsr_notice_show (GTK_WIDGET (self->view), _ ("All of this report is on this computer now"));
  if (asked
      && (state != self->copy_state
          || (state == TSR_LOCAL_COPY_RUNNING
              && tsr_report_view_get_bar (self->view, "copy") != NULL)))
    set_copy_bar (self, state);
  self->copy_state = state;
}

/* ---------------------------------------------------------------- status strip */

static void
update_facts (TsrRemoteMonitor *self)
{
  TsrConnectionStats stats = { .latency_s = NAN };
  const TsrRemoteCopy *copy = tsr_local_copy_peek (self->copy);
  g_autofree char *host
      = tsr_remote_texts_dup_status (self->connection, tsr_remote_place_is_offline (self->place));
  gboolean moves
      = tsr_connection_get_state (self->connection) == TSR_CONNECTION_READY
        && (is_loading (self) || tsr_local_copy_get_state (self->copy) == TSR_LOCAL_COPY_RUNNING);
  g_autofree char *progress = dup_progress (copy, moves);
  g_autofree char *read = NULL;
  g_autofree char *text = NULL;

  tsr_connection_get_stats (self->connection, &stats);
  read = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)stats.bytes);
  text = g_strdup_printf (_ ("%s\nRead over the network: %s\nOn this computer: %s"), host, read,
                          progress);
  gtk_label_set_label (self->facts, text);
  gtk_progress_bar_set_fraction (self->progress,
                                 copy->bytes > 0 ? (double)copy->here / (double)copy->bytes : 0);
}

static void
update_status (TsrRemoteMonitor *self)
{
  g_autofree char *status
      = tsr_remote_texts_dup_status (self->connection, tsr_remote_place_is_offline (self->place));
  g_autofree char *silence = tsr_remote_progress_dup_silence (self->connection);
  const TsrRemoteCopy *copy = tsr_local_copy_peek (self->copy);

  if (silence != NULL)
    tsr_report_view_set_remote_status (self->view, silence);
  else if (is_loading (self) && copy->bytes > 0 && !copy->is_whole)
    {
      g_autofree char *here = tsr_units_dup_bytes (TSR_UNITS_BINARY, copy->here);
      g_autofree char *all = tsr_units_dup_bytes (TSR_UNITS_BINARY, copy->bytes);
      g_autofree char *text = g_strdup_printf (_ ("%s · %s of %s"), status, here, all);

      tsr_report_view_set_remote_status (self->view, text);
    }
  else
    tsr_report_view_set_remote_status (self->view, status);
  update_facts (self);
}

static void
update_actions (TsrRemoteMonitor *self)
{
  gboolean there = self->copy != NULL;
  TsrLocalCopyState state = there ? tsr_local_copy_get_state (self->copy) : TSR_LOCAL_COPY_DONE;
  GActionMap *map = G_ACTION_MAP (self->actions);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "keep-copy")),
                               there && state != TSR_LOCAL_COPY_RUNNING
                                   && state != TSR_LOCAL_COPY_DONE);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "pause-copy")),
                               there && state == TSR_LOCAL_COPY_RUNNING);
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (map, "reconnect")),
      there && self->wait == NULL
          && (lacks_bytes (self)
              || tsr_connection_get_state (self->connection) != TSR_CONNECTION_READY));
}

static void
note_as_seen (TsrRemoteMonitor *self)
{
  TsrConnectionStats stats;

  tsr_connection_get_stats (self->connection, &stats);
  self->connects_seen = stats.connects;
  self->missed_seen = tsr_remote_place_count_missed (self->place);
}

/* The connection has come back by itself: what pages could not read, they read now. */
static gboolean
shall_reload (TsrRemoteMonitor *self)
{
  TsrConnectionStats stats;

  if (tsr_connection_get_state (self->connection) != TSR_CONNECTION_READY || self->wait != NULL
      || !has_missed (self) || lacks_bytes (self) || is_loading (self))
    return FALSE;
  /* Once for each connection, whatever goes wrong. */
  tsr_connection_get_stats (self->connection, &stats);
  if (stats.connects == self->connects_seen)
    return FALSE;
  note_as_seen (self);
  return TRUE;
}

static void
update (TsrRemoteMonitor *self)
{
  if (self->place == NULL)
    return;
  if (shall_reload (self))
    gtk_widget_activate_action (GTK_WIDGET (self->view), "report.reload", NULL);
  update_line (self);
  update_copy (self);
  update_status (self);
  update_actions (self);
}

static gboolean
on_timeout (gpointer data)
{
  TsrRemoteMonitor *self = data;
  TsrConnectionStats stats;

  /* Pages read when they are first shown, and a stage's end is not that of its last bytes. */
  tsr_connection_get_stats (self->connection, &stats);
  if (stats.bytes != self->bytes_seen || is_loading (self))
    self->looks_left = LOOKS_AFTER;
  self->bytes_seen = stats.bytes;
  if (self->looks_left > 0)
    {
      self->looks_left--;
      tsr_local_copy_refresh (self->copy);
    }
  update (self);
  return G_SOURCE_CONTINUE;
}

/* ---------------------------------------------------------------- actions */

static void
connect_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (tsr_connection_connect (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
stop_reconnecting (TsrRemoteMonitor *self)
{
  g_cancellable_cancel (self->reconnecting);
  g_clear_object (&self->reconnecting);
  g_clear_pointer (&self->wait, tsr_remote_wait_free);
}

static void
on_reconnected (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrRemoteMonitor *self = TSR_REMOTE_MONITOR (source);
  g_autoptr (GError) error = NULL;
  gboolean reload;

  if (g_task_get_cancellable (G_TASK (result)) != self->reconnecting || self->place == NULL)
    return;
  g_task_propagate_boolean (G_TASK (result), &error);
  stop_reconnecting (self);
  reload = self->line == LINE_OFFLINE || lacks_bytes (self) || has_missed (self);
  if (error == NULL)
    {
      tsr_report_view_set_bar (self->view, "remote", 0, NULL, NULL, NULL);
      self->line = LINE_FINE;
      note_as_seen (self);
      if (reload)
        gtk_widget_activate_action (GTK_WIDGET (self->view), "report.reload", NULL);
    }
  update (self);
  /* In full and until it is read: what is wrong with a key takes several lines. */
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && !g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNANSWERED))
    tsr_report_view_set_bar (self->view, "remote", GTK_MESSAGE_WARNING, error->message,
                             _ ("_Reconnect"), "remote.reconnect");
}

static void
on_reconnect (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrRemoteMonitor *self = data;
  g_autoptr (GTask) task = NULL;

  if (self->connection == NULL || self->wait != NULL)
    return;
  self->reconnecting = g_cancellable_new ();
  self->wait = tsr_remote_wait_new (self->asker, self->window, self->connection, self->step);
  tsr_connection_forget_loss (self->connection);
  task = g_task_new (self, self->reconnecting, on_reconnected, NULL);
  g_task_set_source_tag (task, on_reconnect);
  g_task_set_task_data (task, g_object_ref (self->connection), g_object_unref);
  g_task_set_check_cancellable (task, FALSE);
  tsr_task_run_in_thread (task, connect_run);
  update_actions (self);
}

static void
on_keep_copy (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrRemoteMonitor *self = data;

  if (self->copy == NULL)
    return;
  if (tsr_connection_get_state (self->connection) == TSR_CONNECTION_LOST)
    on_reconnect (NULL, NULL, self);
  tsr_local_copy_start (self->copy);
}

static void
on_pause_copy (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrRemoteMonitor *self = data;

  if (self->copy != NULL)
    tsr_local_copy_pause (self->copy);
}

/* ---------------------------------------------------------------- the report */

static void
forget_place (TsrRemoteMonitor *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  stop_reconnecting (self);
  if (self->connection != NULL)
    g_clear_signal_handler (&self->connection_handler, self->connection);
  if (self->copy != NULL)
    {
      g_clear_signal_handler (&self->copy_handler, self->copy);
      tsr_local_copy_pause (self->copy);
    }
  g_clear_object (&self->copy);
  g_clear_object (&self->connection);
  g_clear_object (&self->place);
  self->line = LINE_FINE;
  self->copy_state = TSR_LOCAL_COPY_IDLE;
}

static void
on_report_changed (TsrRemoteMonitor *self)
{
  TsrReport *report = tsr_session_get_report (self->session);
  TsrPlace *place = report != NULL ? tsr_report_get_place (report) : NULL;
  const TsrReportFiles *files = report != NULL ? tsr_report_get_files (report) : NULL;
  gboolean goes_on = self->copy != NULL
                     && tsr_local_copy_get_state (self->copy) == TSR_LOCAL_COPY_RUNNING
                     && place == TSR_PLACE (self->place);

  forget_place (self);
  tsr_report_view_set_bar (self->view, "remote", 0, NULL, NULL, NULL);
  tsr_report_view_set_bar (self->view, "copy", 0, NULL, NULL, NULL);
  if (!TSR_IS_REMOTE_PLACE (place) || files == NULL || files->folder == NULL)
    {
      tsr_report_view_set_remote_status (self->view, NULL);
      update_actions (self);
      return;
    }
  self->place = g_object_ref (TSR_REMOTE_PLACE (place));
  self->connection = g_object_ref (tsr_remote_place_get_connection (self->place));
  self->opened_offline = tsr_remote_place_is_offline (self->place)
                         && tsr_connection_get_state (self->connection) != TSR_CONNECTION_READY;
  note_as_seen (self);
  self->copy = tsr_local_copy_new (report);
  self->connection_handler
      = g_signal_connect_swapped (self->connection, "state-changed", G_CALLBACK (update), self);
  self->copy_handler = g_signal_connect_swapped (self->copy, "changed", G_CALLBACK (update), self);
  self->timeout = g_timeout_add (LOOK_MS, on_timeout, self);
  if (goes_on)
    tsr_local_copy_start (self->copy);
  update (self);
}

/* ---------------------------------------------------------------- life */

/* A button that is there while its action can be done. */
static GtkWidget *
new_action_button (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  g_object_bind_property (button, "sensitive", button, "visible", G_BINDING_SYNC_CREATE);
  return button;
}

static GtkWidget *
new_popover (TsrRemoteMonitor *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->facts = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->facts, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->facts), "numeric");
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->step = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->step, TRUE);
  gtk_label_set_xalign (self->step, 0);
  gtk_label_set_max_width_chars (self->step, 40);
  gtk_widget_add_css_class (GTK_WIDGET (self->step), "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->facts));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->progress));
  gtk_box_append (GTK_BOX (box), new_action_button (_ ("Keep a Local Cop_y"), "remote.keep-copy"));
  gtk_box_append (GTK_BOX (box), new_action_button (_ ("_Pause the Copy"), "remote.pause-copy"));
  gtk_box_append (GTK_BOX (box), new_action_button (_ ("_Reconnect"), "remote.reconnect"));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->step));
  tsr_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

static void
tsr_remote_monitor_dispose (GObject *object)
{
  TsrRemoteMonitor *self = TSR_REMOTE_MONITOR (object);

  forget_place (self);
  g_clear_object (&self->session);
  g_clear_object (&self->asker);
  g_clear_object (&self->actions);
  G_OBJECT_CLASS (tsr_remote_monitor_parent_class)->dispose (object);
}

static void
tsr_remote_monitor_class_init (TsrRemoteMonitorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_remote_monitor_dispose;
}

static void
tsr_remote_monitor_init (TsrRemoteMonitor *self)
{
}

TsrRemoteMonitor *
tsr_remote_monitor_new (GtkWindow *window,
                        TsrReportView *view,
                        TsrSession *session,
                        TsrDialogAsker *asker)
{
  static const GActionEntry entries[] = {
    { .name = "reconnect", .activate = on_reconnect },
    { .name = "keep-copy", .activate = on_keep_copy },
    { .name = "pause-copy", .activate = on_pause_copy },
  };
  TsrRemoteMonitor *self;

  g_return_val_if_fail (GTK_IS_WINDOW (window) && TSR_IS_REPORT_VIEW (view), NULL);
  g_return_val_if_fail (TSR_IS_SESSION (session) && TSR_IS_DIALOG_ASKER (asker), NULL);
  self = g_object_new (TSR_TYPE_REMOTE_MONITOR, NULL);
  self->window = window;
  self->view = view;
  self->session = g_object_ref (session);
  self->asker = g_object_ref (asker);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (window), "remote", G_ACTION_GROUP (self->actions));
  tsr_report_view_set_remote_popover (view, new_popover (self));
  g_signal_connect_object (session, "notify::report", G_CALLBACK (on_report_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update_actions (self);
  return self;
}

TsrLocalCopy *
tsr_remote_monitor_get_copy (TsrRemoteMonitor *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_MONITOR (self), NULL);
  return self->copy;
}

const char *
tsr_remote_monitor_get_status (TsrRemoteMonitor *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_MONITOR (self), NULL);
  return tsr_report_view_get_remote_status (self->view);
}
