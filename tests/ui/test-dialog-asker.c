/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions of connections' threads as dialogs: what is shown, what comes back, who may cancel. */

#include "config.h"

#include "tsr-dialog-asker.h"
#include "window-test.h"

#include <string.h>

static GtkApplication *application;
static TsrDialogAsker *asker;

/* One question of a connection's thread, and what came of it. */
typedef struct
{
  GThread *thread;
  GCancellable *cancellable;
  TsrQuestion question;
  TsrHostKeyQuestion host_key;
  gboolean is_host_key;

  gboolean done; /* atomic */
  gboolean accepted;
  TsrHostKeyAnswer host_key_answer;
  TsrSecret *answers[20];
  GError *error;
} Call;

static gpointer
call_run (gpointer data)
{
  Call *call = data;

  if (call->is_host_key)
    call->host_key_answer
        = tsr_asker_ask_host_key (TSR_ASKER (asker), &call->host_key, call->cancellable);
  else
    call->accepted = tsr_asker_ask (TSR_ASKER (asker), &call->question, call->answers,
                                    call->cancellable, &call->error);
  g_atomic_int_set (&call->done, TRUE);
  return NULL;
}

static gboolean
is_done (Call *call)
{
  return g_atomic_int_get (&call->done);
}

static void
call_start (Call *call)
{
  call->cancellable = g_cancellable_new ();
  call->thread = g_thread_new ("asks", call_run, call);
}

static void
call_end (Call *call)
{
  tsr_ui_test_wait (is_done (call));
  g_thread_join (call->thread);
  g_object_unref (call->cancellable);
  for (guint i = 0; i < G_N_ELEMENTS (call->answers); i++)
    g_clear_pointer (&call->answers[i], tsr_secret_unref);
  g_clear_error (&call->error);
}

static TsrPrompt password_prompts[] = { { (char *)"Password of me@gate:22", FALSE } };

static Call
new_password_call (const char *who, guint attempt)
{
  return (Call){ .question = { .kind = TSR_QUESTION_PASSWORD,
                               .who = who,
                               .hop = 1,
                               .n_hops = 2,
                               .attempt = attempt,
                               .prompts = password_prompts,
                               .n_prompts = 1 } };
}

static void
call_password (Call *call, const char *who, guint attempt)
{
  *call = new_password_call (who, attempt);
  call_start (call);
}

static GtkWindow *
new_window (void)
{
  GtkWidget *window = gtk_application_window_new (application);

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 600);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}

static void
wait_for_dialog (void)
{
  tsr_ui_test_wait (tsr_dialog_asker_get_dialog (asker) != NULL);
}

static void
close_window (GtkWindow *window)
{
  gtk_window_destroy (window);
  tsr_ui_test_run (30);
}

static void
test_password (void)
{
  GtkWindow *window = new_window ();
  Call call;
  g_autofree char *text = NULL;

  call_password (&call, "me@gate:22", 1);
  wait_for_dialog ();
  text = tsr_question_dialog_dup_text (tsr_dialog_asker_get_dialog (asker));
  g_assert_nonnull (strstr (text, "me@gate:22"));
  /* Once. */
  g_assert_null (strstr (strstr (text, "me@gate:22") + 1, "me@gate:22"));
  g_assert_nonnull (strstr (text, "Hop 1 of 2"));
  g_assert_null (strstr (text, "wrong"));
  tsr_question_dialog_type (tsr_dialog_asker_get_dialog (asker), 0, "pass wörd");
  tsr_question_dialog_respond (tsr_dialog_asker_get_dialog (asker), "answer");
  tsr_ui_test_wait (is_done (&call));
  g_assert_true (call.accepted);
  g_assert_cmpstr (tsr_secret_peek (call.answers[0]), ==, "pass wörd");
  g_assert_null (tsr_dialog_asker_get_dialog (asker));
  call_end (&call);

  g_clear_pointer (&text, g_free);
  call_password (&call, "me@gate:22", 2);
  wait_for_dialog ();
  text = tsr_question_dialog_dup_text (tsr_dialog_asker_get_dialog (asker));
  g_assert_nonnull (strstr (text, "wrong"));
  tsr_question_dialog_type (tsr_dialog_asker_get_dialog (asker), 0, "never sent");
  tsr_question_dialog_respond (tsr_dialog_asker_get_dialog (asker), "cancel");
  tsr_ui_test_wait (is_done (&call));
  g_assert_false (call.accepted);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (strstr (call.error->message, "never sent"));
  call_end (&call);

  /* In place of a question whose answers were wrong. */
  g_clear_pointer (&text, g_free);
  call = new_password_call ("me@gate:22", 1);
  call.question.is_fallback = TRUE;
  call_start (&call);
  wait_for_dialog ();
  text = tsr_question_dialog_dup_text (tsr_dialog_asker_get_dialog (asker));
  g_assert_nonnull (strstr (text, "The last answer was not accepted"));
  g_assert_null (strstr (text, "wrong"));
  tsr_question_dialog_respond (tsr_dialog_asker_get_dialog (asker), "cancel");
  call_end (&call);
  close_window (window);
}

/* Several prompts with and without echo, and texts of the server. */
static void
test_interactive (void)
{
  static TsrPrompt prompts[] = { { (char *)"Token:", TRUE }, { (char *)"PIN:", FALSE } };
  GtkWindow *window = new_window ();
  g_autofree char *text = NULL;
  Call call = { .question = { .kind = TSR_QUESTION_INTERACTIVE,
                              .who = "me@node:22",
                              .hop = 2,
                              .n_hops = 2,
                              .name = "Two factors",
                              .instruction = "Use <b>your</b> token & PIN",
                              .attempt = 1,
                              .prompts = prompts,
                              .n_prompts = 2 } };
  GtkWidget *dialog;

  tsr_asker_tell (TSR_ASKER (asker), "me@node:22", "Only for those who may");
  call_start (&call);
  wait_for_dialog ();
  text = tsr_question_dialog_dup_text (tsr_dialog_asker_get_dialog (asker));
  g_assert_nonnull (strstr (text, "The host says:"));
  g_assert_nonnull (strstr (text, "Only for those who may"));
  g_assert_nonnull (strstr (text, "Two factors"));
  g_assert_nonnull (strstr (text, "Use <b>your</b> token & PIN"));
  g_assert_nonnull (strstr (text, "Token:"));
  g_assert_nonnull (strstr (text, "Hop 2 of 2"));
  tsr_question_dialog_type (tsr_dialog_asker_get_dialog (asker), 0, "123456");
  tsr_question_dialog_type (tsr_dialog_asker_get_dialog (asker), 1, "");
  /* Return goes on to the next one, and from the last answers. */
  dialog = GTK_WIDGET (tsr_dialog_asker_get_dialog (asker));
  g_signal_emit_by_name (tsr_ui_test_find (dialog, GTK_TYPE_ENTRY), "activate");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (dialog)),
                                         tsr_ui_test_find (dialog, GTK_TYPE_PASSWORD_ENTRY)));
  g_assert_false (is_done (&call));
  g_signal_emit_by_name (tsr_ui_test_find (dialog, GTK_TYPE_PASSWORD_ENTRY), "activate");
  tsr_ui_test_wait (is_done (&call));
  g_assert_true (call.accepted);
  g_assert_cmpstr (tsr_secret_peek (call.answers[0]), ==, "123456");
  g_assert_cmpstr (tsr_secret_peek (call.answers[1]), ==, "");
  call_end (&call);
  close_window (window);
}

static gboolean
is_server_text (GtkWidget *widget, gconstpointer what)
{
  return gtk_widget_has_css_class (widget, "server-text");
}

/* However much a host says and asks, it is scrolled to within the dialog, and each answer is that
 * of its prompt. */
static void
check_many_words (guint n_prompts)
{
  TsrPrompt prompts[20];
  GString *banner = g_string_new (NULL);
  GtkWindow *window = new_window ();
  Call call = { .question = { .kind = TSR_QUESTION_INTERACTIVE,
                              .who = "me@node:22",
                              .hop = 1,
                              .n_hops = 1,
                              .attempt = 1,
                              .prompts = prompts,
                              .n_prompts = n_prompts } };
  GtkWidget *dialog, *content, *says;

  for (guint i = 0; i < n_prompts; i++)
    prompts[i] = (TsrPrompt){ g_strdup_printf ("Prompt %u:", i), TRUE };
  for (guint i = 0; i < 60; i++)
    g_string_append_printf (banner, "Line %u\n", i);
  tsr_asker_tell (TSR_ASKER (asker), "me@node:22", banner->str);
  call_start (&call);
  wait_for_dialog ();
  dialog = GTK_WIDGET (tsr_dialog_asker_get_dialog (asker));
  content = adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (dialog));
  tsr_ui_test_wait (gtk_widget_get_height (content) > 0);
  g_assert_cmpint (GTK_IS_SCROLLED_WINDOW (content), ==, n_prompts > 4);
  g_assert_cmpint (gtk_widget_get_height (content), >, 100);
  g_assert_cmpint (gtk_widget_get_height (content), <=, n_prompts > 4 ? 420 : 300);
  says = tsr_ui_test_find_where (dialog, is_server_text, NULL);
  g_assert_cmpint (gtk_widget_get_height (says), >, 40);
  g_assert_cmpint (gtk_widget_get_height (says), <=, 160);
  for (guint i = 0; i < n_prompts; i++)
    {
      g_autofree char *answer = g_strdup_printf ("answer %u", i);

      tsr_question_dialog_type (tsr_dialog_asker_get_dialog (asker), i, answer);
    }
  tsr_question_dialog_respond (tsr_dialog_asker_get_dialog (asker), "answer");
  tsr_ui_test_wait (is_done (&call));
  g_assert_true (call.accepted);
  for (guint i = 0; i < n_prompts; i++)
    {
      g_autofree char *answer = g_strdup_printf ("answer %u", i);

      g_assert_cmpstr (tsr_secret_peek (call.answers[i]), ==, answer);
      g_free (prompts[i].text);
    }
  call_end (&call);
  g_string_free (banner, TRUE);
  close_window (window);
}

static void
test_many_words (void)
{
  check_many_words (1);
  check_many_words (20);
}

/* The dialog's part of its own is as high as its texts are at its width: no empty area below them.
 */
static void
check_is_filled (GtkWidget *dialog)
{
  GtkWidget *content = adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (dialog));
  int natural;

  tsr_ui_test_wait (gtk_widget_get_height (content) > 0);
  gtk_widget_measure (content, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (content), NULL,
                      &natural, NULL, NULL);
  g_assert_cmpint (natural, <, 200);
  g_assert_cmpint (gtk_widget_get_height (content), <=, natural + 1);
}

static TsrHostKeyAnswer
answer_host_key (const char *name, gboolean is_tunnel, const char *response, char **text)
{
  Call call = { .is_host_key = TRUE,
                .host_key = { .who = "me@127.0.0.1:8090",
                              .hop = 1,
                              .n_hops = 1,
                              .name = name,
                              .port = 8090,
                              .type = "ssh-ed25519",
                              .fingerprint = "SHA256:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
                              .file = "/home/me/.ssh/known_hosts",
                              .is_tunnel = is_tunnel } };
  TsrHostKeyAnswer answer;

  call_start (&call);
  wait_for_dialog ();
  *text = tsr_question_dialog_dup_text (tsr_dialog_asker_get_dialog (asker));
  g_assert_cmpstr (adw_message_dialog_get_default_response (
                       ADW_MESSAGE_DIALOG (tsr_dialog_asker_get_dialog (asker))),
                   ==, "cancel");
  check_is_filled (GTK_WIDGET (tsr_dialog_asker_get_dialog (asker)));
  tsr_question_dialog_respond (tsr_dialog_asker_get_dialog (asker), response);
  tsr_ui_test_wait (is_done (&call));
  answer = call.host_key_answer;
  call_end (&call);
  return answer;
}

static void
test_host_key (void)
{
  static const struct
  {
    const char *response;
    TsrHostKeyAnswer answer;
  } cases[] = { { "cancel", TSR_HOST_KEY_NO },
                { "once", TSR_HOST_KEY_ONCE },
                { "save", TSR_HOST_KEY_SAVE } };
  GtkWindow *window = new_window ();
  g_autofree char *elsewhere = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = NULL;

      g_assert_cmpint (answer_host_key ("127.0.0.1", TRUE, cases[i].response, &text), ==,
                       cases[i].answer);
      g_assert_nonnull (strstr (text, "SHA256:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"));
      g_assert_nonnull (strstr (text, "[127.0.0.1]:8090"));
      g_assert_nonnull (strstr (text, "/home/me/.ssh/known_hosts"));
      g_assert_nonnull (strstr (text, "tunnel"));
    }
  g_assert_cmpint (answer_host_key ("127.0.0.1", FALSE, "cancel", &elsewhere), ==, TSR_HOST_KEY_NO);
  g_assert_null (strstr (elsewhere, "tunnel"));
  close_window (window);
}

/* The connection gives up: the thread goes on at once and the dialog goes. */
static void
test_cancelled (void)
{
  GtkWindow *window = new_window ();
  Call call;

  call_password (&call, "me@gate:22", 1);
  wait_for_dialog ();
  g_cancellable_cancel (call.cancellable);
  tsr_ui_test_wait (is_done (&call));
  g_assert_false (call.accepted);
  tsr_ui_test_wait (tsr_dialog_asker_get_n_questions (asker) == 0);
  call_end (&call);
  close_window (window);
}

/* Of two windows that wait, the active one has it, or the one that began last; when that closes,
 * the other one; there two at a time stand in line; when both have closed, nobody. */
static void
test_windows (void)
{
  GtkWindow *first = new_window ();
  GtkWindow *second = new_window ();
  GtkWindow *asked;
  Call one, two;

  tsr_dialog_asker_begin (asker, first, NULL);
  tsr_dialog_asker_begin (asker, second, NULL);
  call_password (&one, "me@one:22", 1);
  wait_for_dialog ();
  asked = gtk_window_get_transient_for (GTK_WINDOW (tsr_dialog_asker_get_dialog (asker)));
  g_assert_true (asked == first || asked == second);
  close_window (asked);
  first = asked == first ? second : first;
  wait_for_dialog ();
  g_assert_false (is_done (&one));
  g_assert_true (gtk_window_get_transient_for (GTK_WINDOW (tsr_dialog_asker_get_dialog (asker)))
                 == first);
  call_password (&two, "me@two:22", 1);
  tsr_ui_test_wait (tsr_dialog_asker_get_n_questions (asker) == 2);
  tsr_question_dialog_type (tsr_dialog_asker_get_dialog (asker), 0, "1");
  tsr_question_dialog_respond (tsr_dialog_asker_get_dialog (asker), "answer");
  tsr_ui_test_wait (is_done (&one));
  g_assert_true (one.accepted);
  wait_for_dialog ();
  tsr_dialog_asker_end (asker, first, NULL);
  close_window (first);
  tsr_ui_test_wait (is_done (&two));
  g_assert_false (two.accepted);
  g_assert_cmpuint (tsr_dialog_asker_get_n_questions (asker), ==, 0);
  call_end (&one);
  call_end (&two);
}

/* Nobody is there to be asked. */
static void
test_alone (void)
{
  Call call;

  call_password (&call, "me@gate:22", 1);
  tsr_ui_test_wait (is_done (&call));
  g_assert_false (call.accepted);
  call_end (&call);
}

int
main (int argc, char **argv)
{
  int status;

  window_test_init (&argc, &argv);
  application = GTK_APPLICATION (window_test_get_application ());
  asker = tsr_dialog_asker_new (application);
  g_test_add_func ("/dialog-asker/password", test_password);
  g_test_add_func ("/dialog-asker/interactive", test_interactive);
  g_test_add_func ("/dialog-asker/many-words", test_many_words);
  g_test_add_func ("/dialog-asker/host-key", test_host_key);
  g_test_add_func ("/dialog-asker/cancelled", test_cancelled);
  g_test_add_func ("/dialog-asker/windows", test_windows);
  g_test_add_func ("/dialog-asker/alone", test_alone);
  status = window_test_run ();
  g_object_unref (asker);
  return status;
}
