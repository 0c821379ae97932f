/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fields, checks and remembered hosts of the form for a remote host. */

#include "config.h"

#include "tsr-host-form.h"

#include "tsr-chooser.h"
#include "tsr-connections.h"
#include "tsr-error.h"
#include "tsr-remote-texts.h"
#include "tsr-ssh-config.h"
#include "tsr-task.h"
#include "tsr-ui-init.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct _TsrHostForm
{
  GtkWidget parent_instance;

  GtkWidget *error_bar, *alias_button, *empty;
  GtkLabel *error_title, *error_text;
  GtkListBox *list;
  GtkWidget *user, *host, *port, *jumps, *identity, *alias;
  AdwExpanderRow *more;
  GtkScrolledWindow *scrolled;
  guint unfold_timeout;

  TsrSettings *settings;
  GtkNativeDialog *chooser;
  GCancellable *cancellable; /* of reading ssh_config */
  char *path;                /* folder that was shown last there; "/~" */
  char *path_host;           /* of which host it is: the location without it */
};

G_DEFINE_FINAL_TYPE (TsrHostForm, tsr_host_form, GTK_TYPE_WIDGET)

enum
{
  CONNECT,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

#define HOST_KEY "tsr-host" /* of a row: TsrRemoteHost */

/* ---------------------------------------------------------------- fields */

static GtkWidget *
widget_of (TsrHostForm *self, TsrHostField field)
{
  GtkWidget *const widgets[TSR_N_HOST_FIELDS] = {
    [TSR_HOST_FIELD_USER] = self->user,   [TSR_HOST_FIELD_HOST] = self->host,
    [TSR_HOST_FIELD_PORT] = self->port,   [TSR_HOST_FIELD_JUMPS] = self->jumps,
    [TSR_HOST_FIELD_ALIAS] = self->alias, [TSR_HOST_FIELD_IDENTITY] = self->identity,
  };

  return widgets[field];
}

void
tsr_host_form_set_field (TsrHostForm *self, TsrHostField field, const char *text)
{
  g_return_if_fail (TSR_IS_HOST_FORM (self) && field < TSR_N_HOST_FIELDS);
  gtk_editable_set_text (GTK_EDITABLE (widget_of (self, field)), text != NULL ? text : "");
}

const char *
tsr_host_form_get_field (TsrHostForm *self, TsrHostField field)
{
  g_return_val_if_fail (TSR_IS_HOST_FORM (self) && field < TSR_N_HOST_FIELDS, NULL);
  return gtk_editable_get_text (GTK_EDITABLE (widget_of (self, field)));
}

/* (transfer full): without spaces around it. */
static char *
dup_field (TsrHostForm *self, TsrHostField field)
{
  return g_strstrip (g_strdup (tsr_host_form_get_field (self, field)));
}

static void
remember_path (TsrHostForm *self, const TsrSshAddress *address)
{
  g_free (self->path);
  g_free (self->path_host);
  self->path = g_strdup (address->path);
  self->path_host = tsr_ssh_address_dup_location (address, "/");
}

void
tsr_host_form_set_address (TsrHostForm *self, const TsrSshAddress *address, const char *identity)
{
  g_autofree char *port = NULL;
  g_autofree char *jumps = NULL;

  g_return_if_fail (TSR_IS_HOST_FORM (self) && address != NULL);
  if (address->target.port != 0)
    port = g_strdup_printf ("%u", address->target.port);
  if (address->has_jumps)
    jumps = tsr_ssh_jumps_to_string (address->jumps, address->n_jumps);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_USER, address->target.user);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_HOST, address->target.host);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_PORT, port);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_JUMPS, jumps);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_ALIAS, address->host_key_alias);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_IDENTITY, identity);
  if (address->host_key_alias != NULL || (identity != NULL && *identity != '\0'))
    adw_expander_row_set_expanded (self->more, TRUE);
  remember_path (self, address);
}

/* What stands in the field of the host, which may be "user@host:port" or a whole location. */
static TsrSshAddress *
parse_host (TsrHostForm *self, GError **error)
{
  g_autofree char *text = dup_field (self, TSR_HOST_FIELD_HOST);
  g_autoptr (TsrSshAddress) address = NULL;

  if (*text == '\0')
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT, _ ("The host name is missing"));
      return NULL;
    }
  if (tsr_ssh_address_is_one (text))
    return tsr_ssh_address_parse (text, error);
  address = g_new0 (TsrSshAddress, 1);
  address->path = g_strdup ("/~");
  if (!tsr_ssh_hop_parse (text, &address->target, error))
    return NULL;
  return g_steal_pointer (&address);
}

static gboolean
read_port (TsrHostForm *self, TsrSshAddress *address, GError **error)
{
  g_autofree char *text = dup_field (self, TSR_HOST_FIELD_PORT);
  guint64 port = 0;

  if (*text == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 1, 65535, &port, NULL))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                   _ ("The port is a number from 1 to 65535"));
      return FALSE;
    }
  address->target.port = (guint)port;
  return TRUE;
}

static gboolean
read_jumps (TsrHostForm *self, TsrSshAddress *address, GError **error)
{
  g_autofree char *text = dup_field (self, TSR_HOST_FIELD_JUMPS);
  TsrSshHop *jumps = NULL;
  guint n_jumps = 0;

  if (*text == '\0')
    return TRUE;
  if (!tsr_ssh_jumps_parse (text, &jumps, &n_jumps, error))
    return FALSE;
  for (guint i = 0; i < address->n_jumps; i++)
    tsr_ssh_hop_clear (&address->jumps[i]);
  g_free (address->jumps);
  address->jumps = jumps;
  address->n_jumps = n_jumps;
  address->has_jumps = TRUE;
  return TRUE;
}

/* A key that is not there would be passed over as those of ssh are, and nobody told. */
static gboolean
check_identity (TsrHostForm *self, GError **error)
{
  g_autofree char *text = dup_field (self, TSR_HOST_FIELD_IDENTITY);
  g_autofree char *path = tsr_connections_dup_path (text);

  if (*text == '\0' || g_access (path, R_OK) == 0)
    return TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT, _ ("The key file %s cannot be read: %s"), text,
               g_strerror (errno));
  return FALSE;
}

static gboolean
read_fields (TsrHostForm *self, TsrSshAddress *address, GtkWidget **wrong, GError **error)
{
  g_autofree char *user = dup_field (self, TSR_HOST_FIELD_USER);
  g_autofree char *alias = dup_field (self, TSR_HOST_FIELD_ALIAS);

  if (*user != '\0')
    {
      g_free (address->target.user);
      address->target.user = g_steal_pointer (&user);
    }
  *wrong = self->port;
  if (!read_port (self, address, error))
    return FALSE;
  *wrong = self->jumps;
  if (!read_jumps (self, address, error))
    return FALSE;
  *wrong = self->identity;
  if (!check_identity (self, error))
    return FALSE;
  if (*alias != '\0')
    {
      g_free (address->host_key_alias);
      address->host_key_alias = g_steal_pointer (&alias);
    }
  return TRUE;
}

TsrSshAddress *
tsr_host_form_dup_address (TsrHostForm *self, GError **error)
{
  g_autoptr (TsrSshAddress) address = NULL;
  g_autofree char *same = NULL;
  g_autofree char *text = NULL;
  GtkWidget *wrong;

  g_return_val_if_fail (TSR_IS_HOST_FORM (self), NULL);
  wrong = self->host;
  address = parse_host (self, error);
  if (address == NULL || !read_fields (self, address, &wrong, error))
    {
      gtk_widget_grab_focus (wrong);
      return NULL;
    }
  same = tsr_ssh_address_dup_location (address, "/");
  if (g_strcmp0 (same, self->path_host) == 0 && g_str_equal (address->path, "/~"))
    {
      g_free (address->path);
      address->path = g_strdup (self->path);
    }
  /* What no location can say is not sent to a host, either. */
  text = tsr_ssh_address_to_string (address);
  return tsr_ssh_address_parse (text, error);
}

/* ---------------------------------------------------------------- errors */

void
tsr_host_form_set_error (TsrHostForm *self, const GError *error)
{
  g_return_if_fail (TSR_IS_HOST_FORM (self));
  gtk_widget_set_visible (self->error_bar, error != NULL);
  if (error == NULL)
    return;
  gtk_label_set_label (self->error_title, tsr_remote_texts_get_title (error));
  gtk_label_set_label (self->error_text, error->message);
  gtk_widget_set_visible (self->alias_button, tsr_remote_texts_is_host_key (error));
}

const char *
tsr_host_form_get_error (TsrHostForm *self)
{
  g_return_val_if_fail (TSR_IS_HOST_FORM (self), NULL);
  return gtk_widget_get_visible (self->error_bar) ? gtk_label_get_label (self->error_text) : NULL;
}

static gboolean
on_unfolded (gpointer data)
{
  TsrHostForm *self = data;
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);

  self->unfold_timeout = 0;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  return G_SOURCE_REMOVE;
}

/* The row unfolds for a moment before there is something to scroll to. */
static void
on_alias (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrHostForm *self = TSR_HOST_FORM (widget);

  adw_expander_row_set_expanded (self->more, TRUE);
  gtk_widget_grab_focus (self->alias);
  g_clear_handle_id (&self->unfold_timeout, g_source_remove);
  self->unfold_timeout = g_timeout_add (350, on_unfolded, self);
}

/* ---------------------------------------------------------------- the list */

static void
on_forget (GtkButton *button, TsrHostForm *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW);
  TsrRemoteHost *host = g_object_get_data (G_OBJECT (row), HOST_KEY);

  tsr_remote_hosts_remove (self->settings, host->address);
  tsr_host_form_refresh (self);
}

static GtkWidget *
new_forget_button (TsrHostForm *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "circular");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Forget This Host"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Forget this host"), -1);
  g_signal_connect (button, "clicked", G_CALLBACK (on_forget), self);
  return button;
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_tooltip_text (label, text);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* @host is taken; @is_alias: of ssh_config. */
static void
add_row (TsrHostForm *self, TsrRemoteHost *host, gboolean is_alias)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *title = tsr_remote_host_dup_title (host->address);
  g_autofree char *way = tsr_remote_host_dup_way (host->address);

  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (texts), new_label (title, NULL));
  if (way != NULL)
    {
      GtkWidget *label = new_label (way, "caption");

      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (texts), label);
    }
  gtk_box_append (GTK_BOX (box), texts);
  if (!is_alias)
    gtk_box_append (GTK_BOX (box), new_forget_button (self));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data_full (G_OBJECT (row), HOST_KEY, host, (GDestroyNotify)tsr_remote_host_free);
  g_object_set_data (G_OBJECT (row), "tsr-is-alias", GINT_TO_POINTER (is_alias));
  gtk_list_box_append (self->list, row);
  gtk_widget_set_visible (self->empty, FALSE);
}

static void
update_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  gboolean is_alias = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "tsr-is-alias"));
  gboolean was_alias
      = before != NULL && GPOINTER_TO_INT (g_object_get_data (G_OBJECT (before), "tsr-is-alias"));
  GtkWidget *label;

  if (before != NULL && is_alias == was_alias)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = new_label (is_alias ? _ ("In ~/.ssh/config") : _ ("Remembered"), "caption-heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "host-list-header");
  gtk_list_box_row_set_header (row, label);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, TsrHostForm *self)
{
  const TsrRemoteHost *host = g_object_get_data (G_OBJECT (row), HOST_KEY);

  tsr_host_form_set_error (self, NULL);
  tsr_host_form_set_address (self, host->address, host->identity);
  g_signal_emit (self, signals[CONNECT], 0);
}

/* In a worker: the home folder may be on a network. */
static void
aliases_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (TsrSshConfig) config = tsr_ssh_config_load (NULL, NULL, NULL);

  g_task_return_pointer (task, tsr_ssh_config_dup_aliases (config), (GDestroyNotify)g_strfreev);
}

static void
on_aliases_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrHostForm *self = TSR_HOST_FORM (source);
  g_auto (GStrv) aliases = g_task_propagate_pointer (G_TASK (result), NULL);

  for (guint i = 0; aliases != NULL && aliases[i] != NULL; i++)
    {
      TsrRemoteHost *host;
      TsrSshHop hop = { NULL };

      if (!tsr_ssh_hop_parse (aliases[i], &hop, NULL))
        continue;
      host = g_new0 (TsrRemoteHost, 1);
      host->address = g_new0 (TsrSshAddress, 1);
      host->address->target = hop;
      host->address->path = g_strdup ("/~");
      add_row (self, host, TRUE);
    }
}

void
tsr_host_form_refresh (TsrHostForm *self)
{
  g_autoptr (GPtrArray) hosts = NULL;
  g_autoptr (GTask) task = NULL;
  GtkWidget *row;

  g_return_if_fail (TSR_IS_HOST_FORM (self));
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, row);
  gtk_widget_set_visible (self->empty, TRUE);
  hosts = tsr_remote_hosts_dup (self->settings);
  g_ptr_array_set_free_func (hosts, NULL);
  for (guint i = 0; i < hosts->len; i++)
    add_row (self, hosts->pdata[i], FALSE);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_aliases_ready, NULL);
  g_task_set_source_tag (task, tsr_host_form_refresh);
  tsr_task_run_in_thread (task, aliases_run);
}

guint
tsr_host_form_get_n_hosts (TsrHostForm *self)
{
  guint n = 0;

  g_return_val_if_fail (TSR_IS_HOST_FORM (self), 0);
  while (gtk_list_box_get_row_at_index (self->list, (int)n) != NULL)
    n++;
  return n;
}

/* ---------------------------------------------------------------- key file */

static void
on_chooser_response (GtkNativeDialog *chooser, int response, TsrHostForm *self)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  path = file != NULL ? g_file_get_path (file) : NULL;
  g_clear_object (&self->chooser);
  if (path != NULL)
    tsr_host_form_set_field (self, TSR_HOST_FIELD_IDENTITY, path);
}

static void
on_choose_identity (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrHostForm *self = TSR_HOST_FORM (widget);

  g_clear_object (&self->chooser);
  self->chooser = tsr_remote_texts_new_key_chooser (GTK_WINDOW (gtk_widget_get_root (widget)));
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chooser_response), self);
  tsr_chooser_show (self->chooser);
}

static void
on_connect (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[CONNECT], 0);
}

static void
on_entry_activated (TsrHostForm *self)
{
  g_signal_emit (self, signals[CONNECT], 0);
}

/* ---------------------------------------------------------------- life */

static gboolean
tsr_host_form_grab_focus (GtkWidget *widget)
{
  TsrHostForm *self = TSR_HOST_FORM (widget);

  return gtk_widget_grab_focus (
      *tsr_host_form_get_field (self, TSR_HOST_FIELD_USER) == '\0' ? self->user : self->host);
}

static void
tsr_host_form_dispose (GObject *object)
{
  TsrHostForm *self = TSR_HOST_FORM (object);
  GtkWidget *child;

  g_clear_handle_id (&self->unfold_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->chooser);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tsr_host_form_parent_class)->dispose (object);
}

static void
tsr_host_form_finalize (GObject *object)
{
  g_free (TSR_HOST_FORM (object)->path);
  g_free (TSR_HOST_FORM (object)->path_host);
  G_OBJECT_CLASS (tsr_host_form_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, TsrHostForm, name)

static void
tsr_host_form_class_init (TsrHostFormClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_host_form_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_host_form_finalize;
  widget_class->grab_focus = tsr_host_form_grab_focus;
  signals[CONNECT] = g_signal_new ("connect", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, TSR_RESOURCE_PATH "/tsr-host-form.ui");
  BIND (error_bar);
  BIND (error_title);
  BIND (error_text);
  BIND (alias_button);
  BIND (empty);
  BIND (list);
  BIND (user);
  BIND (host);
  BIND (port);
  BIND (jumps);
  BIND (identity);
  BIND (alias);
  BIND (more);
  BIND (scrolled);
  gtk_widget_class_install_action (widget_class, "form.connect", NULL, on_connect);
  gtk_widget_class_install_action (widget_class, "form.alias", NULL, on_alias);
  gtk_widget_class_install_action (widget_class, "form.choose-identity", NULL, on_choose_identity);
}

static void
tsr_host_form_init (TsrHostForm *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (TsrHostField i = 0; i < TSR_N_HOST_FIELDS; i++)
    {
      adw_entry_row_set_enable_emoji_completion (ADW_ENTRY_ROW (widget_of (self, i)), FALSE);
      g_signal_connect_swapped (widget_of (self, i), "entry-activated",
                                G_CALLBACK (on_entry_activated), self);
    }
  gtk_list_box_set_header_func (self->list, update_header, NULL, NULL);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
}

TsrHostForm *
tsr_host_form_new (TsrSettings *settings)
{
  TsrHostForm *self;

  g_return_val_if_fail (TSR_IS_SETTINGS (settings), NULL);
  self = g_object_new (TSR_TYPE_HOST_FORM, NULL);
  self->settings = g_object_ref (settings);
  tsr_host_form_set_field (self, TSR_HOST_FIELD_USER, g_get_user_name ());
  tsr_host_form_refresh (self);
  return self;
}
