/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Secrets (locked, out of dumps, wiped) and who answers questions. */

#include "config.h"

#include "tsr-asker.h"
#include "tsr-remote-error.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---------------------------------------------------------------- secrets */

/* (transfer full) (nullable): the VmFlags of the mapping that @address lies in, as the kernel has
 * them. */
static char *
dup_flags (const void *address)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean found = FALSE;

  g_assert_true (g_file_get_contents ("/proc/self/smaps", &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      unsigned long from, to;

      if (sscanf (*line, "%lx-%lx ", &from, &to) == 2)
        found = (gsize)address >= from && (gsize)address < to;
      else if (found && g_str_has_prefix (*line, "VmFlags:"))
        return g_strdup_printf ("%s ", *line);
    }
  return NULL;
}

static void
test_secret_pages (void)
{
  TsrSecret *secret = tsr_secret_new ("geheim");
  g_autofree char *flags = dup_flags (tsr_secret_peek (secret));
  struct rlimit limit;

  g_assert_cmpstr (tsr_secret_peek (secret), ==, "geheim");
  if (flags == NULL)
    {
      tsr_secret_unref (secret);
      g_test_skip ("the kernel does not tell flags of memory");
      return;
    }
  g_assert_nonnull (strstr (flags, " dd ")); /* do not dump */
  getrlimit (RLIMIT_MEMLOCK, &limit);
#ifndef __SANITIZE_ADDRESS__ /* which locks nothing */
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= 65536)
    g_assert_nonnull (strstr (flags, " lo ")); /* locked */
#endif
  tsr_secret_unref (secret);
}

/* After the last reference nothing of it is in memory that can be read: it is unmapped. */
static void
test_secret_gone (void)
{
  TsrSecret *secret = tsr_secret_new ("geheim");
  TsrSecret *same = tsr_secret_ref (secret);
  const char *text = tsr_secret_peek (secret);
  gsize page = (gsize)sysconf (_SC_PAGESIZE);
  unsigned char resident;

  tsr_secret_unref (secret);
  g_assert_cmpstr (tsr_secret_peek (same), ==, "geheim");
  tsr_secret_unref (same);
  g_assert_cmpint (mincore ((void *)((gsize)text / page * page), page, &resident), ==, -1);
}

static void
test_secret_length (void)
{
  g_autofree char *text = g_strnfill (3 * TSR_SECRET_MAX, 'x');
  g_autoptr (TsrSecret) cut = tsr_secret_new (text);
  g_autoptr (TsrSecret) whole = NULL;
  g_autoptr (TsrSecret) none = tsr_secret_new ("");

  g_assert_cmpuint (strlen (tsr_secret_peek (cut)), ==, TSR_SECRET_MAX - 1);
  text[TSR_SECRET_MAX - 1] = '\0';
  whole = tsr_secret_new (text);
  g_assert_cmpstr (tsr_secret_peek (whole), ==, text);
  g_assert_cmpstr (tsr_secret_peek (none), ==, "");
}

/* Without memory that may be locked there is still a secret. */
static void
test_secret_unlocked (void)
{
  struct rlimit old, none;

  getrlimit (RLIMIT_MEMLOCK, &old);
  none = old;
  none.rlim_cur = 0;
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &none), ==, 0);
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (TsrSecret) secret = tsr_secret_new ("geheim");

      g_assert_cmpstr (tsr_secret_peek (secret), ==, "geheim");
    }
  setrlimit (RLIMIT_MEMLOCK, &old);
}

static void
test_wipe (void)
{
  char text[] = "geheim";

  tsr_secret_wipe (text, 3);
  g_assert_cmpmem (text, sizeof text, "\0\0\0eim", 7);
  tsr_secret_wipe (NULL, 0);
}

/* ----------------------------------------------------------------- askers */

#define TEST_TYPE_ASKER (test_asker_get_type ())
G_DECLARE_FINAL_TYPE (TestAsker, test_asker, TEST, ASKER, TsrAsker)

struct _TestAsker
{
  TsrAsker parent_instance;
  guint n_answers; /* that it gives before it gives up */
  gboolean ok;
  GCancellable *cancels; /* before it answers */
  GString *told;
};

G_DEFINE_FINAL_TYPE (TestAsker, test_asker, TSR_TYPE_ASKER)

static TsrHostKeyAnswer
answer_host_key (TsrAsker *asker, const TsrHostKeyQuestion *question, GCancellable *cancellable)
{
  TestAsker *self = TEST_ASKER (asker);

  if (self->cancels != NULL)
    g_cancellable_cancel (self->cancels);
  return TSR_HOST_KEY_SAVE;
}

static gboolean
answer (TsrAsker *asker,
        const TsrQuestion *question,
        TsrSecret **answers,
        GCancellable *cancellable,
        GError **error)
{
  TestAsker *self = TEST_ASKER (asker);

  for (guint i = 0; i < self->n_answers; i++)
    answers[i] = tsr_secret_new (question->prompts[i].text);
  if (!self->ok)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "no");
  return self->ok;
}

static void
tell (TsrAsker *asker, const char *who, const char *text)
{
  g_string_append_printf (TEST_ASKER (asker)->told, "%s: %s\n", who, text);
}

static void
test_asker_finalize (GObject *object)
{
  g_string_free (TEST_ASKER (object)->told, TRUE);
  G_OBJECT_CLASS (test_asker_parent_class)->finalize (object);
}

static void
test_asker_class_init (TestAskerClass *class)
{
  TSR_ASKER_CLASS (class)->ask_host_key = answer_host_key;
  TSR_ASKER_CLASS (class)->ask = answer;
  TSR_ASKER_CLASS (class)->tell = tell;
  G_OBJECT_CLASS (class)->finalize = test_asker_finalize;
}

static void
test_asker_init (TestAsker *self)
{
  self->told = g_string_new (NULL);
}

static TsrPrompt prompts[]
    = { { (char *)"Password: ", FALSE }, { (char *)"One-time code:", TRUE } };
static const TsrQuestion question = { .kind = TSR_QUESTION_INTERACTIVE,
                                      .who = "me@gate:2222",
                                      .hop = 1,
                                      .n_hops = 2,
                                      .file = "/home/me/.ssh/id",
                                      .attempt = 1,
                                      .prompts = prompts,
                                      .n_prompts = 2 };
static const TsrHostKeyQuestion key
    = { "me@gate", 1, 1, "gate", 22, "ssh-ed25519", "SHA256:x", "/home/me/.ssh/known_hosts" };

static void
test_asker_answers (void)
{
  g_autoptr (TestAsker) asker = g_object_new (TEST_TYPE_ASKER, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  TsrSecret *answers[2] = { (gpointer)1, (gpointer)1 };

  asker->ok = TRUE;
  asker->n_answers = 1;
  g_assert_true (tsr_asker_ask (TSR_ASKER (asker), &question, answers, cancellable, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (tsr_secret_peek (answers[0]), ==, "Password: ");
  g_assert_cmpstr (tsr_secret_peek (answers[1]), ==, "");
  tsr_secret_unref (answers[0]);
  tsr_secret_unref (answers[1]);

  asker->ok = FALSE;
  g_assert_false (tsr_asker_ask (TSR_ASKER (asker), &question, answers, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (answers[0]);
  g_assert_null (answers[1]);

  g_assert_cmpint (tsr_asker_ask_host_key (TSR_ASKER (asker), &key, cancellable), ==,
                   TSR_HOST_KEY_SAVE);
  asker->cancels = cancellable;
  g_assert_cmpint (tsr_asker_ask_host_key (TSR_ASKER (asker), &key, cancellable), ==,
                   TSR_HOST_KEY_NO);
  asker->ok = TRUE;
  g_clear_error (&error);
  g_assert_false (tsr_asker_ask (TSR_ASKER (asker), &question, answers, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  tsr_asker_tell (TSR_ASKER (asker), "gate", "hello");
  g_assert_cmpstr (asker->told->str, ==, "gate: hello\n");
}

static void
expect_silent (TsrQuestionKind kind, const char *const *says)
{
  g_autoptr (TsrAsker) asker = tsr_asker_new_silent ();
  g_autoptr (GError) error = NULL;
  TsrQuestion asked = question;
  TsrSecret *answers[2];

  asked.kind = kind;
  g_assert_false (tsr_asker_ask (asker, &asked, answers, NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER);
  for (; *says != NULL; says++)
    g_assert_nonnull (strstr (error->message, *says));
  g_assert_null (answers[0]);
  g_assert_null (answers[1]);
}

static void
test_asker_silent (void)
{
  g_autoptr (TsrAsker) asker = tsr_asker_new_silent ();

  expect_silent (TSR_QUESTION_PASSWORD,
                 (const char *[]){ "me@gate:2222 (hop 1 of 2)", "a password", NULL });
  expect_silent (TSR_QUESTION_PASSPHRASE,
                 (const char *[]){ "me@gate:2222", "/home/me/.ssh/id", "passphrase", NULL });
  expect_silent (
      TSR_QUESTION_INTERACTIVE,
      (const char *[]){ "me@gate:2222", " asks \"Password:\", \"One-time code:\",", NULL });
  g_assert_cmpint (tsr_asker_ask_host_key (asker, &key, NULL), ==, TSR_HOST_KEY_NO);
  tsr_asker_tell (asker, "gate", "nobody hears it");
}

/* What each error means for those who try again, ask again, or show what they have. */
static void
test_errors (void)
{
  static const char kinds[] = {
    [TSR_REMOTE_ERROR_UNKNOWN_HOST] = 't',     [TSR_REMOTE_ERROR_REFUSED] = 't',
    [TSR_REMOTE_ERROR_TIMEOUT] = 't',          [TSR_REMOTE_ERROR_NETWORK] = 't',
    [TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN] = 'u', [TSR_REMOTE_ERROR_NEEDS_ANSWER] = 'u',
    [TSR_REMOTE_ERROR_UNANSWERED] = 'u',       [TSR_REMOTE_ERROR_AUTH] = 'a',
    [TSR_REMOTE_ERROR_CONFIG] = '\0',
  };

  for (guint code = 0; code < G_N_ELEMENTS (kinds); code++)
    {
      g_autoptr (GError) error = g_error_new_literal (TSR_REMOTE_ERROR, (int)code, "x");
      g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, (int)code, "x");
      const char kind = kinds[code];

      g_assert_cmpint (tsr_remote_error_is_transient (error), ==, kind == 't');
      g_assert_cmpint (tsr_remote_error_is_unanswered (error), ==, kind == 'u');
      g_assert_cmpint (tsr_remote_error_is_away (error), ==, kind == 't' || kind == 'u');
      g_assert_cmpint (tsr_remote_error_lacks_bytes (error), ==, kind != '\0');
      g_assert_false (tsr_remote_error_is_away (other) || tsr_remote_error_lacks_bytes (other));
    }
  g_assert_false (tsr_remote_error_is_away (NULL) || tsr_remote_error_lacks_bytes (NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remote-error/kinds", test_errors);
  g_test_add_func ("/secret/pages", test_secret_pages);
  g_test_add_func ("/secret/gone", test_secret_gone);
  g_test_add_func ("/secret/length", test_secret_length);
  g_test_add_func ("/secret/unlocked", test_secret_unlocked);
  g_test_add_func ("/secret/wipe", test_wipe);
  g_test_add_func ("/asker/answers", test_asker_answers);
  g_test_add_func ("/asker/silent", test_asker_silent);
  return g_test_run ();
}
