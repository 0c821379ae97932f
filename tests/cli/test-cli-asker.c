/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions on a terminal: what is asked and how, what is seen of what is typed, giving up, and
 * that the terminal is left as it was.  This program asks when it is called with --ask; the tests
 * start it on a pseudo terminal. */

#include "config.h"

#include "cli-pty.h"
#include "tsr-asker.h"
#include "tsr-cli-asker.h"
#include "tsr-cli-terminal.h"
#include "tsr-remote-error.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self; /* this program */

/* --------------------------------------------------------- the asking side */

static const TsrPrompt prompts[] = {
  { (char *)"Password: ", FALSE },
  { (char *)"One-time code", TRUE },
  { (char *)"PIN?", FALSE },
};

static gpointer
cancel_at_signal (gpointer data)
{
  sigset_t set;
  int number;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  sigwait (&set, &number);
  g_cancellable_cancel (data);
  return NULL;
}

static void
start_to_wait (GCancellable *cancellable)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  g_thread_unref (g_thread_new ("cancel", cancel_at_signal, cancellable));
}

static void
print_answers (TsrAsker *asker, const TsrQuestion *question, GCancellable *cancellable)
{
  TsrSecret *answers[3];
  g_autoptr (GError) error = NULL;

  if (!tsr_asker_ask (asker, question, answers, cancellable, &error))
    {
      printf ("%s %d: %s\n", g_quark_to_string (error->domain), error->code, error->message);
      return;
    }
  for (guint i = 0; i < question->n_prompts; i++)
    {
      printf ("[%s]\n", tsr_secret_peek (answers[i]));
      tsr_secret_unref (answers[i]);
    }
}

static int
ask (const char *what)
{
  g_autoptr (TsrAsker) asker = tsr_cli_asker_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  TsrQuestion question = { .kind = TSR_QUESTION_INTERACTIVE,
                           .who = "me@gate:2222",
                           .hop = 1,
                           .n_hops = 2,
                           .name = "Two factors",
                           .instruction = "First line\nSecond line",
                           .attempt = 1,
                           .prompts = prompts,
                           .n_prompts = 3 };
  const TsrHostKeyQuestion key
      = { "me@node:22", 2, 2, "node", 22, "ssh-ed25519", "SHA256:abcdef", "/home/me/known" };

  if (g_str_equal (what, "again"))
    question.attempt = 2;
  if (g_str_equal (what, "cancel"))
    start_to_wait (cancellable);
  if (g_str_equal (what, "key"))
    printf ("%d\n", tsr_asker_ask_host_key (asker, &key, cancellable));
  else
    print_answers (asker, &question, cancellable);
  if (g_str_equal (what, "tell"))
    tsr_asker_tell (asker, "gate", "Maintenance at noon");
  return 0;
}

/* ------------------------------------------------------------------- tests */

static void
start (Pty *pty, const char *what)
{
  pty_start (pty, (const char *[]){ self, "--ask", what, NULL }, NULL, TRUE);
}

static void
finish (Pty *pty, const char *wanted)
{
  g_autofree char *out = NULL;

  g_assert_cmpint (pty_finish (pty, &out, NULL), ==, 0);
  g_assert_true (pty->left_echo);
  g_assert_cmpstr (out, ==, wanted);
  g_string_free (pty->seen, TRUE);
}

/* Everything stands on the terminal although the output goes elsewhere; only what is meant to be
 * seen is. */
static void
test_prompts (void)
{
  Pty pty;

  start (&pty, "all");
  pty_expect (&pty, "me@gate:2222 (hop 1 of 2) asks:");
  pty_expect (&pty, "Two factors");
  pty_expect (&pty, "First line");
  pty_expect (&pty, "Second line");
  pty_expect (&pty, "Password: ");
  g_assert_false (pty_has_echo (&pty));
  pty_type (&pty, "gehe\xc3\xafm \n");
  pty_expect (&pty, "One-time code: ");
  g_assert_true (pty_has_echo (&pty));
  pty_type (&pty, "123456\n");
  pty_expect (&pty, "123456");
  pty_expect (&pty, "PIN? ");
  g_assert_false (pty_has_echo (&pty));
  pty_type (&pty, "\n");
  g_assert_null (strstr (pty.seen->str, "gehe"));
  g_assert_null (strstr (pty.seen->str, "right"));
  finish (&pty, "[gehe\xc3\xafm ]\n[123456]\n[]\n");
}

static void
test_again (void)
{
  Pty pty;

  start (&pty, "again");
  pty_expect (&pty, "That was not accepted");
  pty_expect (&pty, "Password: ");
  /* Ctrl+D gives up. */
  pty_type (&pty, "\004");
  finish (&pty, "g-io-error-quark 19: The question was not answered\n");
}

static void
test_cancel (void)
{
  Pty pty;

  start (&pty, "cancel");
  pty_expect (&pty, "Password: ");
  pty_type (&pty, "half");
  kill (pty.pid, SIGUSR1);
  finish (&pty, "g-io-error-quark 19: The question was not answered\n");
}

/* A password as long as a terminal's line can be. */
static void
test_long (void)
{
  g_autofree char *line = g_strnfill (4000, 'x');
  g_autofree char *wanted = g_strdup_printf ("[%s]\n[1]\n[2]\n", line);
  Pty pty;

  start (&pty, "all");
  pty_expect (&pty, "Password: ");
  pty_type (&pty, line);
  pty_type (&pty, "\n");
  pty_expect (&pty, "code: ");
  pty_type (&pty, "1\n");
  pty_expect (&pty, "PIN? ");
  pty_type (&pty, "2\n");
  finish (&pty, wanted);
}

static void
check_key (const char *typed, TsrHostKeyAnswer answer)
{
  g_autofree char *wanted = g_strdup_printf ("%d\n", answer);
  Pty pty;

  start (&pty, "key");
  pty_expect (&pty, "me@node:22 (hop 2 of 2) shows a host key that is not known");
  pty_expect (&pty, "ssh-ed25519 SHA256:abcdef");
  pty_expect (&pty, "/home/me/known");
  pty_expect (&pty, "Connect? (yes, once, no) ");
  pty_type (&pty, typed);
  finish (&pty, wanted);
}

static void
test_host_key (void)
{
  Pty pty;

  check_key ("yes\n", TSR_HOST_KEY_SAVE);
  check_key (" YES \n", TSR_HOST_KEY_SAVE);
  check_key ("SHA256:abcdef\n", TSR_HOST_KEY_SAVE);
  check_key ("once\n", TSR_HOST_KEY_ONCE);
  check_key ("no\n", TSR_HOST_KEY_NO);
  check_key ("\004", TSR_HOST_KEY_NO);

  start (&pty, "key");
  for (guint i = 0; i < 3; i++)
    {
      pty_expect (&pty, "Connect? ");
      pty_type (&pty, i == 0 ? "y\n" : i == 1 ? "SHA256:abcde\n" : "\xff\n");
    }
  finish (&pty, "0\n");
}

static void
test_tell (void)
{
  Pty pty;

  start (&pty, "tell");
  pty_expect (&pty, "Password: ");
  pty_type (&pty, "\004");
  pty_expect (&pty, "gate: Maintenance at noon");
  finish (&pty, "g-io-error-quark 19: The question was not answered\n");
}

/* Without a terminal nobody is asked. */
static void
test_no_terminal (void)
{
  const char *const argv[] = { "setsid", "-w", self, "--ask", "all", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  g_autofree char *path = g_find_program_in_path ("setsid");

  if (path == NULL)
    {
      g_test_skip ("there is no setsid");
      return;
    }
  g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL,
                &error);
  g_assert_no_error (error);
  g_assert_null (strstr (out, "["));
  g_assert_nonnull (
      strstr (out, "me@gate:2222 (hop 1 of 2) asks \"Password:\", \"One-time code\""));
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;

  if (argc == 3 && g_str_equal (argv[1], "--ask"))
    return ask (argv[2]);
  g_test_init (&argc, &argv, NULL);
  path = g_file_read_link ("/proc/self/exe", NULL);
  self = path;
  g_test_add_func ("/cli-asker/prompts", test_prompts);
  g_test_add_func ("/cli-asker/again", test_again);
  g_test_add_func ("/cli-asker/cancel", test_cancel);
  g_test_add_func ("/cli-asker/long", test_long);
  g_test_add_func ("/cli-asker/host-key", test_host_key);
  g_test_add_func ("/cli-asker/tell", test_tell);
  g_test_add_func ("/cli-asker/no-terminal", test_no_terminal);
  return g_test_run ();
}
