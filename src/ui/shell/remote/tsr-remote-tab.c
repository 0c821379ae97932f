/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connecting is a task in a worker: it connects, asks where the home folder is and whether the
 * folder that was shown last is still there.  A newer one, or going back, makes it void. */

#include "config.h"

#include "tsr-remote-tab.h"

#include "tsr-remote-wait.h"
#include "tsr-remote-texts.h"
#include "tsr-task.h"
#include "tsr-ui-init.h"

#include <glib/gi18n.h>

struct _TsrRemoteTab
{
  GtkWidget parent_instance;

  GtkStack *stack;
  AdwBin *form_bin, *browser_bin;
  AdwStatusPage *connecting_page;
  GtkLabel *step, *host_label, *lost_text;
  GtkSpinner *spinner;
  GtkWidget *cancel_button, *lost_bar;

  TsrRemote *remote;
  TsrDialogAsker *asker;
  TsrSettings *settings;
  TsrHostForm *form;         /* in the tab */
  TsrFolderBrowser *browser; /* (nullable): in the tab */
  TsrSshAddress *address;    /* (nullable): that is being connected to, or is shown */
  char *identity;
  TsrConnection *connection; /* (nullable): of the address */
  char *beside;              /* (nullable): name in the folder that is wanted, to be selected */
  GCancellable *cancellable; /* (nullable): while connecting */
  TsrRemoteWait *wait;       /* (nullable): while connecting */
};

G_DEFINE_FINAL_TYPE (TsrRemoteTab, tsr_remote_tab, GTK_TYPE_WIDGET)

enum
{
  CHOSEN,
  STATE_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
set_state (TsrRemoteTab *self, const char *state)
{
  gtk_stack_set_visible_child_name (self->stack, state);
  gtk_spinner_set_spinning (self->spinner, g_str_equal (state, "connecting"));
  g_signal_emit (self, signals[STATE_CHANGED], 0);
}

/* ---------------------------------------------------------------- connecting */

typedef struct
{
  TsrPlace *place;
  TsrConnection *connection;
  char *wanted; /* folder; "/~" is the home folder */
  char *home, *folder;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->place);
  g_object_unref (job->connection);
  g_free (job->wanted);
  g_free (job->home);
  g_free (job->folder);
  g_free (job);
}

/* The folder to begin with: the one that is wanted while it is there. */
static void
find_folder (Job *job, GCancellable *cancellable)
{
  g_autofree char *path = NULL;
  TsrFolderEntry *entry = NULL;

  if (g_str_has_prefix (job->wanted, "/~"))
    path = tsr_remote_place_expand (TSR_REMOTE_PLACE (job->place), job->wanted + 1, cancellable,
                                    NULL);
  else if (!g_str_equal (job->wanted, "/"))
    path = g_strdup (job->wanted);
  if (path != NULL)
    entry = tsr_place_stat (job->place, path, cancellable, NULL);
  if (entry != NULL && entry->is_folder)
    job->folder = g_steal_pointer (&path);
  else
    job->folder = g_strdup (job->home);
  tsr_folder_entry_free (entry);
}

static void
connect_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (tsr_connection_connect (job->connection, cancellable, &error))
    job->home = tsr_remote_place_expand (TSR_REMOTE_PLACE (job->place), "~", cancellable, &error);
  if (job->home == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  find_folder (job, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void
stop_waiting (TsrRemoteTab *self)
{
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->wait, tsr_remote_wait_free);
}

static void
on_chosen (TsrFolderBrowser *browser, GVariant *path, TsrRemoteTab *self)
{
  g_autofree char *location
      = tsr_ssh_address_dup_location (self->address, g_variant_get_bytestring (path));
  const char *folder = tsr_folder_model_get_path (tsr_folder_browser_get_folder (browser));

  if (folder != NULL)
    {
      g_free (self->address->path);
      self->address->path = g_strdup (folder);
      tsr_remote_hosts_add (self->settings, self->address, self->identity);
    }
  g_signal_emit (self, signals[CHOSEN], 0, g_variant_new_bytestring (location));
}

/* A listing that failed on the way says so in a bar, with what to do. */
static void
on_listed (TsrFolderModel *folder, TsrRemoteTab *self)
{
  const GError *error = tsr_folder_model_get_error (folder);
  gboolean lost = error != NULL && tsr_remote_error_is_transient (error);

  gtk_widget_set_visible (self->lost_bar, lost);
  if (!lost)
    return;
  gtk_label_set_label (self->lost_text, tsr_remote_texts_get_title (error));
  /* Reconnecting comes back to where one was. */
  if (tsr_folder_model_get_path (folder) != NULL)
    {
      g_free (self->address->path);
      self->address->path = g_strdup (tsr_folder_model_get_path (folder));
      tsr_host_form_set_address (self->form, self->address, self->identity);
    }
}

static void
show_browser (TsrRemoteTab *self, Job *job)
{
  g_autofree char *title = tsr_remote_host_dup_title (self->address);
  g_autofree char *way = tsr_remote_host_dup_way (self->address);
  g_autofree char *text = way != NULL ? g_strdup_printf ("%s, %s", title, way) : g_strdup (title);

  self->browser = tsr_folder_browser_new (job->place, job->home, self->settings);
  adw_bin_set_child (self->browser_bin, GTK_WIDGET (self->browser));
  g_signal_connect (self->browser, "chosen", G_CALLBACK (on_chosen), self);
  g_signal_connect_object (tsr_folder_browser_get_folder (self->browser), "listed",
                           G_CALLBACK (on_listed), self, 0);
  gtk_widget_set_visible (self->lost_bar, FALSE);
  gtk_label_set_label (self->host_label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->host_label), text);
  set_state (self, "folder");
  if (self->beside != NULL)
    {
      g_autofree char *path = g_build_filename (job->folder, self->beside, NULL);

      tsr_folder_browser_go_above (self->browser, path);
    }
  else
    tsr_folder_browser_go_to (self->browser, job->folder);
  gtk_widget_grab_focus (GTK_WIDGET (self->browser));
}

static void
on_connected (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrRemoteTab *self = TSR_REMOTE_TAB (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  /* Another one has taken its place, or nobody waits any more. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable || self->cancellable == NULL)
    return;
  g_task_propagate_boolean (G_TASK (result), &error);
  stop_waiting (self);
  if (error == NULL)
    {
      tsr_remote_hosts_add (self->settings, self->address, self->identity);
      tsr_host_form_set_address (self->form, self->address, self->identity);
      tsr_host_form_refresh (self->form);
      show_browser (self, job);
      return;
    }
  set_state (self, "hosts");
  tsr_host_form_set_error (self->form, error);
  gtk_widget_grab_focus (GTK_WIDGET (self->form));
}

static void
start_task (TsrRemoteTab *self, TsrPlace *place)
{
  g_autoptr (GTask) task = NULL;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  Job *job = g_new0 (Job, 1);

  job->place = g_object_ref (place);
  job->connection = g_object_ref (self->connection);
  job->wanted = g_strdup (self->address->path);
  self->cancellable = g_cancellable_new ();
  if (GTK_IS_WINDOW (root))
    self->wait = tsr_remote_wait_new (self->asker, GTK_WINDOW (root), self->connection, self->step);
  tsr_connection_forget_loss (self->connection);
  task = g_task_new (self, self->cancellable, on_connected, NULL);
  g_task_set_source_tag (task, start_task);
  g_task_set_task_data (task, job, job_free);
  g_task_set_check_cancellable (task, FALSE);
  tsr_task_run_in_thread (task, connect_run);
}

/* @beside: nullable. */
static void
connect_beside (TsrRemoteTab *self, const char *beside)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = NULL;
  g_autoptr (TsrPlace) place = NULL;
  g_autofree char *location = NULL, *path = NULL, *title = NULL, *markup = NULL;

  tsr_remote_tab_cancel (self);
  g_free (self->beside);
  self->beside = g_strdup (beside);
  tsr_host_form_set_error (self->form, NULL);
  address = tsr_host_form_dup_address (self->form, &error);
  g_free (self->identity);
  self->identity
      = g_strstrip (g_strdup (tsr_host_form_get_field (self->form, TSR_HOST_FIELD_IDENTITY)));
  tsr_remote_texts_apply_identity (self->remote->connections, self->settings, self->identity);
  if (address != NULL)
    {
      location = tsr_ssh_address_to_string (address);
      place = tsr_location_open (self->remote, location, &path, &error);
    }
  if (place == NULL)
    {
      tsr_host_form_set_error (self->form, error);
      return;
    }
  g_clear_pointer (&self->address, tsr_ssh_address_free);
  self->address = g_steal_pointer (&address);
  title = tsr_remote_host_dup_title (self->address);
  markup = g_markup_escape_text (title, -1);
  adw_status_page_set_description (self->connecting_page, markup);
  g_set_object (&self->connection, tsr_remote_place_get_connection (TSR_REMOTE_PLACE (place)));
  set_state (self, "connecting");
  gtk_widget_grab_focus (self->cancel_button);
  start_task (self, place);
}

void
tsr_remote_tab_connect (TsrRemoteTab *self)
{
  g_return_if_fail (TSR_IS_REMOTE_TAB (self));
  connect_beside (self, NULL);
}

void
tsr_remote_tab_set_location (TsrRemoteTab *self, const char *location)
{
  g_autoptr (TsrSshAddress) address = NULL;
  g_autofree char *identity = NULL;

  g_return_if_fail (TSR_IS_REMOTE_TAB (self) && location != NULL);
  address = tsr_ssh_address_parse (location, NULL);
  if (address == NULL)
    return;
  identity = tsr_remote_hosts_dup_identity (self->settings, address);
  tsr_host_form_set_address (self->form, address, identity);
}

void
tsr_remote_tab_go_beside (TsrRemoteTab *self, const char *location)
{
  g_autoptr (TsrPlace) place = NULL;
  g_autofree char *path = NULL, *folder = NULL, *above = NULL, *name = NULL;
  TsrConnection *connection;

  g_return_if_fail (TSR_IS_REMOTE_TAB (self) && location != NULL);
  place = tsr_location_open (self->remote, location, &path, NULL);
  if (place == NULL)
    return;
  folder = g_path_get_dirname (path);
  above = tsr_place_dup_location (place, folder);
  name = g_path_get_basename (path);
  tsr_remote_tab_set_location (self, above);
  connection = tsr_remote_place_get_connection (TSR_REMOTE_PLACE (place));
  if (tsr_connection_get_state (connection) == TSR_CONNECTION_READY)
    connect_beside (self, name);
}

void
tsr_remote_tab_cancel (TsrRemoteTab *self)
{
  g_return_if_fail (TSR_IS_REMOTE_TAB (self));
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  stop_waiting (self);
  set_state (self, "hosts");
  gtk_widget_grab_focus (GTK_WIDGET (self->form));
}

void
tsr_remote_tab_go_back (TsrRemoteTab *self)
{
  g_return_if_fail (TSR_IS_REMOTE_TAB (self));
  tsr_remote_tab_cancel (self);
  if (self->browser != NULL)
    adw_bin_set_child (self->browser_bin, NULL);
  self->browser = NULL;
  set_state (self, "hosts");
  gtk_widget_grab_focus (GTK_WIDGET (self->form));
}

const char *
tsr_remote_tab_get_state (TsrRemoteTab *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_TAB (self), NULL);
  return gtk_stack_get_visible_child_name (self->stack);
}

TsrHostForm *
tsr_remote_tab_get_form (TsrRemoteTab *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_TAB (self), NULL);
  return self->form;
}

TsrFolderBrowser *
tsr_remote_tab_get_browser (TsrRemoteTab *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_TAB (self), NULL);
  return self->browser;
}

/* ---------------------------------------------------------------- life */

static void
on_connect (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_remote_tab_connect (TSR_REMOTE_TAB (widget));
}

static void
on_cancel (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_remote_tab_cancel (TSR_REMOTE_TAB (widget));
}

static void
on_back (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_remote_tab_go_back (TSR_REMOTE_TAB (widget));
}

static gboolean
tsr_remote_tab_grab_focus (GtkWidget *widget)
{
  TsrRemoteTab *self = TSR_REMOTE_TAB (widget);

  if (self->cancellable != NULL)
    return gtk_widget_grab_focus (self->cancel_button);
  return gtk_widget_grab_focus (self->browser != NULL ? GTK_WIDGET (self->browser)
                                                      : GTK_WIDGET (self->form));
}

static void
tsr_remote_tab_dispose (GObject *object)
{
  TsrRemoteTab *self = TSR_REMOTE_TAB (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  stop_waiting (self);
  g_clear_object (&self->connection);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->browser = NULL;
  g_clear_object (&self->asker);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->address, tsr_ssh_address_free);
  g_clear_pointer (&self->identity, g_free);
  g_clear_pointer (&self->beside, g_free);
  G_OBJECT_CLASS (tsr_remote_tab_parent_class)->dispose (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, TsrRemoteTab, name)

static void
tsr_remote_tab_class_init (TsrRemoteTabClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_remote_tab_dispose;
  widget_class->grab_focus = tsr_remote_tab_grab_focus;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_VARIANT);
  signals[STATE_CHANGED] = g_signal_new ("state-changed", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-remote-tab.ui");
  BIND (stack);
  BIND (form_bin);
  BIND (browser_bin);
  BIND (connecting_page);
  BIND (step);
  BIND (host_label);
  BIND (lost_text);
  BIND (spinner);
  BIND (cancel_button);
  BIND (lost_bar);
  gtk_widget_class_install_action (widget_class, "tab.connect", NULL, on_connect);
  gtk_widget_class_install_action (widget_class, "tab.cancel", NULL, on_cancel);
  gtk_widget_class_install_action (widget_class, "tab.back", NULL, on_back);
}

static void
tsr_remote_tab_init (TsrRemoteTab *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->identity = g_strdup ("");
}

TsrRemoteTab *
tsr_remote_tab_new (TsrRemote *remote, TsrDialogAsker *asker, TsrSettings *settings)
{
  TsrRemoteTab *self;

  g_return_val_if_fail (remote != NULL && TSR_IS_DIALOG_ASKER (asker), NULL);
  g_return_val_if_fail (TSR_IS_SETTINGS (settings), NULL);
  self = g_object_new (TSR_TYPE_REMOTE_TAB, NULL);
  self->remote = remote;
  self->asker = g_object_ref (asker);
  self->settings = g_object_ref (settings);
  self->form = tsr_host_form_new (settings);
  adw_bin_set_child (self->form_bin, GTK_WIDGET (self->form));
  g_signal_connect_swapped (self->form, "connect", G_CALLBACK (tsr_remote_tab_connect), self);
  return self;
}
