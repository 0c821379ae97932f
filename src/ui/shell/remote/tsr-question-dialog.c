/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions of a connection. */

#include "config.h"

#include "tsr-question-dialog.h"

#include "tsr-scroll.h"

#include <glib/gi18n.h>
#include <string.h>

struct _TsrQuestionDialog
{
  AdwMessageDialog parent_instance;

  GPtrArray *entries; /* GtkWidget (editable), one for each prompt; in the dialog */
  GPtrArray *buffers; /* GtkEntryBuffer of each, which outlives the widget */
  GPtrArray *secrets; /* (nullable) TsrSecret: the answers, when there are some */
  TsrHostKeyAnswer host_key_answer;
  gboolean is_answered;
  guint consider_timeout;
};

G_DEFINE_FINAL_TYPE (TsrQuestionDialog, tsr_question_dialog, ADW_TYPE_MESSAGE_DIALOG)

/* Until a host key can be accepted. */
#define CONSIDER_MS 600
/* A fingerprint stands in one line. */
#define HOST_KEY_WIDTH 540
#define QUESTION_WIDTH 320
/* What a window of 720 px has room for, with heading and buttons. */
#define CONTENT_HEIGHT 420

enum
{
  ANSWERED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* ---------------------------------------------------------------- answering */

static void
secret_unref (gpointer data)
{
  if (data != NULL)
    tsr_secret_unref (data);
}

static void
take_texts (TsrQuestionDialog *self)
{
  self->secrets = g_ptr_array_new_with_free_func (secret_unref);
  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (self->secrets,
                     tsr_secret_new (gtk_entry_buffer_get_text (self->buffers->pdata[i])));
}

static void
tsr_question_dialog_response (AdwMessageDialog *dialog, const char *response)
{
  TsrQuestionDialog *self = TSR_QUESTION_DIALOG (dialog);

  if (self->is_answered)
    return;
  self->is_answered = TRUE;
  if (g_str_equal (response, "answer"))
    take_texts (self);
  else if (g_str_equal (response, "once"))
    self->host_key_answer = TSR_HOST_KEY_ONCE;
  else if (g_str_equal (response, "save"))
    self->host_key_answer = TSR_HOST_KEY_SAVE;
  /* The buffers wipe what they let go. */
  for (guint i = 0; i < self->buffers->len; i++)
    gtk_entry_buffer_delete_text (self->buffers->pdata[i], 0, -1);
  g_signal_emit (self, signals[ANSWERED], 0);
}

gboolean
tsr_question_dialog_take_answers (TsrQuestionDialog *self, TsrSecret **answers)
{
  g_return_val_if_fail (TSR_IS_QUESTION_DIALOG (self), FALSE);
  if (self->secrets == NULL)
    return FALSE;
  for (guint i = 0; i < self->secrets->len; i++)
    answers[i] = g_steal_pointer (&self->secrets->pdata[i]);
  g_clear_pointer (&self->secrets, g_ptr_array_unref);
  return TRUE;
}

TsrHostKeyAnswer
tsr_question_dialog_get_host_key_answer (TsrQuestionDialog *self)
{
  g_return_val_if_fail (TSR_IS_QUESTION_DIALOG (self), TSR_HOST_KEY_NO);
  return self->host_key_answer;
}

/* ---------------------------------------------------------------- texts */

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
append_text (GtkWidget *box, const char *text, const char *css_class)
{
  if (text != NULL && *text != '\0')
    gtk_box_append (GTK_BOX (box), new_text (text, css_class));
}

/* (transfer full): "user@host asks", and which hop it is. */
static char *
dup_who (const char *who, guint hop, guint n_hops)
{
  if (n_hops <= 1)
    return g_strdup (who);
  if (hop < n_hops)
    return g_strdup_printf (_ ("%s\nHop %u of %u: a host on the way"), who, hop, n_hops);
  return g_strdup_printf (_ ("%s\nHop %u of %u: the host with the reports"), who, hop, n_hops);
}

static const char *
heading_of (const TsrQuestion *question)
{
  switch (question->kind)
    {
    case TSR_QUESTION_PASSWORD:
      return _ ("Password");
    case TSR_QUESTION_PASSPHRASE:
      return _ ("Passphrase of a Key File");
    default:
      return _ ("The Host Asks");
    }
}

/* (nullable): NULL when nothing was wrong. */
static const char *
wrong_of (const TsrQuestion *question)
{
  if (question->is_fallback)
    return _ ("The last answer was not accepted.  The host now asks in another way");
  if (question->attempt <= 1)
    return NULL;
  switch (question->kind)
    {
    case TSR_QUESTION_PASSWORD:
      return _ ("This password was wrong.  Try again");
    case TSR_QUESTION_PASSPHRASE:
      return _ ("This passphrase was wrong.  Try again");
    default:
      return _ ("This answer was wrong.  Try again; a one-time password can be used only once");
    }
}

/* ---------------------------------------------------------------- prompts */

static void
on_entry_activated (GtkWidget *entry, TsrQuestionDialog *self)
{
  guint at = 0;

  if (!g_ptr_array_find (self->entries, entry, &at))
    return;
  if (at + 1 < self->entries->len)
    gtk_widget_grab_focus (self->entries->pdata[at + 1]);
  else
    tsr_question_dialog_respond (self, "answer");
}

/* An entry in locked memory, without a history of what was typed. */
static GtkWidget *
new_entry (TsrQuestionDialog *self, gboolean echo)
{
  GtkEntryBuffer *buffer;
  GtkWidget *entry;

  if (echo)
    {
      buffer = gtk_password_entry_buffer_new ();
      entry = gtk_entry_new_with_buffer (buffer);
      gtk_editable_set_enable_undo (GTK_EDITABLE (entry), FALSE);
    }
  else
    {
      entry = gtk_password_entry_new ();
      gtk_password_entry_set_show_peek_icon (GTK_PASSWORD_ENTRY (entry), TRUE);
      buffer = g_object_ref (
          gtk_text_get_buffer (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (entry)))));
    }
  g_ptr_array_add (self->entries, entry);
  g_ptr_array_add (self->buffers, buffer);
  return entry;
}

/* A password's prompt is the program's own and says what heading and body say, so that only who
 * cannot see these hears it. */
static void
add_prompt (TsrQuestionDialog *self,
            GtkWidget *box,
            const TsrQuestion *question,
            const TsrPrompt *prompt)
{
  GtkWidget *group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *entry = new_entry (self, prompt->echo);
  const char *text
      = prompt->text != NULL && *prompt->text != '\0' ? prompt->text : heading_of (question);

  if (question->kind != TSR_QUESTION_PASSWORD)
    append_text (group, text, "caption-heading");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect (entry, "activate", G_CALLBACK (on_entry_activated), self);
  gtk_box_append (GTK_BOX (group), entry);
  gtk_box_append (GTK_BOX (box), group);
}

/* What the server says is set apart, so that it cannot be taken for the program's own words. */
static void
add_server_text (GtkWidget *box, const TsrQuestion *question, const char *banner)
{
  GtkWidget *scrolled, *texts;

  if ((question->name == NULL || *question->name == '\0')
      && (question->instruction == NULL || *question->instruction == '\0')
      && (banner == NULL || *banner == '\0'))
    return;
  texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  append_text (texts, _ ("The host says:"), "dim-label");
  append_text (texts, banner, NULL);
  append_text (texts, question->name, "heading");
  append_text (texts, question->instruction, NULL);
  scrolled = gtk_scrolled_window_new ();
  tsr_scroll_chain_add (GTK_SCROLLED_WINDOW (scrolled));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 160);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), texts);
  gtk_widget_add_css_class (scrolled, "server-text");
  gtk_box_append (GTK_BOX (box), scrolled);
}

static TsrQuestionDialog *
dialog_new (GtkWindow *parent, const char *heading, const char *body)
{
  TsrQuestionDialog *self
      = g_object_new (TSR_TYPE_QUESTION_DIALOG, "transient-for", parent, "modal", TRUE,
                      "destroy-with-parent", TRUE, "heading", heading, "body", body, NULL);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (self), "cancel", _ ("_Cancel"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (self), "cancel");
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (self), "cancel");
  return self;
}

/* The dialog's own part, @width wide at least.  It scrolls only where a host asks more than a
 * screen holds: a scrolled window asks for as much height as its labels take at their narrowest. */
static void
set_content (TsrQuestionDialog *self, GtkWidget *box, int width)
{
  GtkWidget *content = box;
  int height;

  gtk_widget_set_size_request (box, width, -1);
  gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  if (height > CONTENT_HEIGHT)
    {
      content = gtk_scrolled_window_new ();
      gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (content), GTK_POLICY_NEVER,
                                      GTK_POLICY_AUTOMATIC);
      gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (content), CONTENT_HEIGHT);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (content), box);
    }
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (self), content);
}

TsrQuestionDialog *
tsr_question_dialog_new (GtkWindow *parent, const TsrQuestion *question, const char *banner)
{
  g_autofree char *who = NULL;
  TsrQuestionDialog *self;
  GtkWidget *box;

  g_return_val_if_fail (question != NULL && question->n_prompts > 0, NULL);
  who = dup_who (question->who, question->hop, question->n_hops);
  self = dialog_new (parent, heading_of (question), who);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  append_text (box, wrong_of (question), "error");
  append_text (box, question->file, "monospace");
  add_server_text (box, question, banner);
  for (guint i = 0; i < question->n_prompts; i++)
    add_prompt (self, box, question, &question->prompts[i]);
  set_content (self, box, QUESTION_WIDTH);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (self), "answer", _ ("_OK"));
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (self), "answer",
                                              ADW_RESPONSE_SUGGESTED);
  gtk_widget_grab_focus (self->entries->pdata[0]);
  return self;
}

/* ---------------------------------------------------------------- host keys */

static void
add_fact (GtkGrid *grid, int row, const char *name, const char *value, gboolean is_code)
{
  GtkWidget *left = gtk_label_new (name);
  GtkWidget *right = new_text (value, is_code ? "monospace" : NULL);

  gtk_label_set_xalign (GTK_LABEL (left), 1);
  gtk_widget_set_valign (left, GTK_ALIGN_START);
  gtk_widget_add_css_class (left, "dim-label");
  gtk_label_set_selectable (GTK_LABEL (right), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (right), 60);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (right), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, name,
                                  -1);
  gtk_grid_attach (grid, left, 0, row, 1, 1);
  gtk_grid_attach (grid, right, 1, row, 1, 1);
}

/* (transfer full): the name under which the key would be written. */
static char *
dup_key_name (const TsrHostKeyQuestion *question)
{
  return question->port == 22 || question->port == 0
             ? g_strdup (question->name)
             : g_strdup_printf ("[%s]:%u", question->name, question->port);
}

static gboolean
on_considered (gpointer data)
{
  TsrQuestionDialog *self = data;

  self->consider_timeout = 0;
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "once", TRUE);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "save", TRUE);
  return G_SOURCE_REMOVE;
}

TsrQuestionDialog *
tsr_question_dialog_new_for_host_key (GtkWindow *parent, const TsrHostKeyQuestion *question)
{
  g_autofree char *who = NULL, *body = NULL, *name = NULL;
  TsrQuestionDialog *self;
  GtkWidget *box, *grid;

  g_return_val_if_fail (question != NULL, NULL);
  who = dup_who (question->who, question->hop, question->n_hops);
  body = g_strconcat (who, "\n\n",
                      _ ("This host is not known yet.  Compare its fingerprint with the one that "
                         "its owner gives you: if they are the same, it is the right host"),
                      NULL);
  name = dup_key_name (question);
  self = dialog_new (parent, _ ("Is This the Right Host?"), body);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  add_fact (GTK_GRID (grid), 0, _ ("Fingerprint"), question->fingerprint, TRUE);
  add_fact (GTK_GRID (grid), 1, _ ("Key type"), question->type, FALSE);
  add_fact (GTK_GRID (grid), 2, _ ("Known as"), name, FALSE);
  if (question->file != NULL)
    add_fact (GTK_GRID (grid), 3, _ ("Remembered in"), question->file, FALSE);
  gtk_box_append (GTK_BOX (box), grid);
  if (question->is_tunnel)
    append_text (
        box,
        _ ("The address is this computer's own, so it is the near end of a tunnel.  If the "
           "tunnel leads to another machine on another day, give the connection a host "
           "key alias (More, in the open dialog): the name of the machine at its far end"),
        "dim-label");
  set_content (self, box, HOST_KEY_WIDTH);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (self), "once", _ ("Connect _Once"), "save",
                                    _ ("Connect and _Remember"), NULL);
  /* Nobody says yes with a key that was meant for something else: the keyboard begins at Cancel. */
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "once", FALSE);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "save", FALSE);
  self->consider_timeout = g_timeout_add (CONSIDER_MS, on_considered, self);
  return self;
}

/* ---------------------------------------------------------------- tests */

void
tsr_question_dialog_type (TsrQuestionDialog *self, guint prompt, const char *text)
{
  g_return_if_fail (TSR_IS_QUESTION_DIALOG (self) && prompt < self->entries->len);
  gtk_editable_set_text (self->entries->pdata[prompt], text);
}

void
tsr_question_dialog_respond (TsrQuestionDialog *self, const char *response)
{
  g_return_if_fail (TSR_IS_QUESTION_DIALOG (self) && response != NULL);
  g_object_ref (self);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (self), response);
  gtk_window_close (GTK_WINDOW (self));
  g_object_unref (self);
}

static void
collect (GtkWidget *widget, GString *text)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, text);
}

char *
tsr_question_dialog_dup_text (TsrQuestionDialog *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (TSR_IS_QUESTION_DIALOG (self), g_string_free (text, FALSE));
  g_string_append_printf (text, "%s\n%s\n",
                          adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (self)),
                          adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (self)));
  collect (adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (self)), text);
  return g_string_free (text, FALSE);
}

/* ---------------------------------------------------------------- life */

static void
tsr_question_dialog_dispose (GObject *object)
{
  g_clear_handle_id (&TSR_QUESTION_DIALOG (object)->consider_timeout, g_source_remove);
  /* A text that has the keyboard when its window goes tells an entry that is gone (GTK 4.8). */
  gtk_window_set_focus (GTK_WINDOW (object), NULL);
  G_OBJECT_CLASS (tsr_question_dialog_parent_class)->dispose (object);
}

static void
tsr_question_dialog_finalize (GObject *object)
{
  TsrQuestionDialog *self = TSR_QUESTION_DIALOG (object);

  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->buffers);
  g_clear_pointer (&self->secrets, g_ptr_array_unref);
  G_OBJECT_CLASS (tsr_question_dialog_parent_class)->finalize (object);
}

static void
tsr_question_dialog_class_init (TsrQuestionDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_question_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_question_dialog_finalize;
  ADW_MESSAGE_DIALOG_CLASS (klass)->response = tsr_question_dialog_response;
  signals[ANSWERED] = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_question_dialog_init (TsrQuestionDialog *self)
{
  self->entries = g_ptr_array_new ();
  self->buffers = g_ptr_array_new_with_free_func (g_object_unref);
  self->host_key_answer = TSR_HOST_KEY_NO;
}
