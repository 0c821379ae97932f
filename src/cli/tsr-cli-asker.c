/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words and order of the questions on the terminal, and what counts as an answer. */

#include "config.h"

#include "tsr-cli-asker.h"

#include "tsr-cli-terminal.h"

#include <glib/gi18n.h>
#include <string.h>

struct _TsrCliAsker
{
  TsrAsker parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrCliAsker, tsr_cli_asker, TSR_TYPE_ASKER)

/* (transfer full): "me@gate:22 (hop 1 of 2)" */
static char *
dup_who (const char *who, guint hop, guint n_hops)
{
  return n_hops > 1 ? g_strdup_printf (_ ("%s (hop %u of %u)"), who, hop, n_hops) : g_strdup (who);
}

/* --------------------------------------------------------------- host keys */

/* Each word in the user's language, or in English as in ssh; or the fingerprint itself. */
static gboolean
parse_answer (const char *line, const char *fingerprint, TsrHostKeyAnswer *answer)
{
  const struct
  {
    const char *word, *translated;
    TsrHostKeyAnswer answer;
  } words[] = {
    { "yes", C_ ("answer to a host key", "yes"), TSR_HOST_KEY_SAVE },
    { "once", C_ ("answer to a host key", "once"), TSR_HOST_KEY_ONCE },
    { "no", C_ ("answer to a host key", "no"), TSR_HOST_KEY_NO },
  };
  g_autofree char *valid = g_utf8_make_valid (line, -1);
  g_autofree char *typed = g_utf8_casefold (g_strstrip (valid), -1);

  if (g_str_equal (valid, fingerprint))
    {
      *answer = TSR_HOST_KEY_SAVE;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *translated = g_utf8_casefold (words[i].translated, -1);

      if (!g_str_equal (typed, words[i].word) && !g_str_equal (typed, translated))
        continue;
      *answer = words[i].answer;
      return TRUE;
    }
  return FALSE;
}

static TsrHostKeyAnswer
ask_host_key (TsrAsker *asker, const TsrHostKeyQuestion *question, GCancellable *cancellable)
{
  g_autofree char *who = dup_who (question->who, question->hop, question->n_hops);
  g_autofree char *text = NULL;
  TsrHostKeyAnswer answer = TSR_HOST_KEY_NO;
  int fd = tsr_cli_terminal_begin ();
  char line[256];

  if (fd < 0)
    return TSR_HOST_KEY_NO;
  text = g_strdup_printf (
      _ ("%s shows a host key that is not known:\n  %s %s\nCompare the fingerprint with what the "
         "machine's administrator says.  \"yes\" writes the key to\n%s, \"once\" does not.\n"),
      who, question->type, question->fingerprint,
      question->file != NULL ? question->file : "known_hosts");
  tsr_cli_terminal_write (fd, text);
  for (guint i = 0; i < 3; i++)
    if (!tsr_cli_terminal_read (fd, _ ("Connect? (yes, once, no) "), TRUE, line, sizeof line,
                                cancellable, NULL)
        || parse_answer (line, question->fingerprint, &answer))
      break;
  tsr_cli_terminal_end (fd);
  return answer;
}

/* --------------------------------------------------------------- questions */

/* (transfer full): "Password: " of "Password", "password:" and so on. */
static char *
dup_prompt (const char *text)
{
  g_autofree char *stripped = g_strchomp (g_strdup (text));
  gsize length = strlen (stripped);

  if (length == 0)
    return g_strdup ("> ");
  return g_strdup_printf (strchr (":?>", stripped[length - 1]) != NULL ? "%s " : "%s: ", stripped);
}

/* Who asks, and what the server has to say. */
static void
write_head (int fd, const TsrQuestion *question)
{
  g_autofree char *who = dup_who (question->who, question->hop, question->n_hops);
  g_autofree char *head = g_strdup_printf (_ ("%s asks:\n"), who);

  if (question->is_fallback)
    tsr_cli_terminal_write (fd, _ ("That was not accepted; the host now asks in another way.\n"));
  else if (question->attempt > 1)
    tsr_cli_terminal_write (fd, _ ("That was not accepted; try again.\n"));
  /* "Password of me@node" says it all. */
  if (question->kind != TSR_QUESTION_PASSWORD || question->n_hops > 1)
    tsr_cli_terminal_write (fd, head);
  if (question->name != NULL && *question->name != '\0')
    {
      tsr_cli_terminal_write (fd, question->name);
      tsr_cli_terminal_write (fd, "\n");
    }
  if (question->instruction != NULL && *question->instruction != '\0')
    {
      tsr_cli_terminal_write (fd, question->instruction);
      tsr_cli_terminal_write (fd, "\n");
    }
}

static gboolean
ask_all (int fd,
         const TsrQuestion *question,
         TsrSecret **answers,
         GCancellable *cancellable,
         GError **error)
{
  char line[TSR_SECRET_MAX];
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < question->n_prompts; i++)
    {
      g_autofree char *prompt = dup_prompt (question->prompts[i].text);

      ok = tsr_cli_terminal_read (fd, prompt, question->prompts[i].echo, line, sizeof line,
                                  cancellable, error);
      if (ok)
        answers[i] = tsr_secret_new (line);
      tsr_secret_wipe (line, sizeof line);
    }
  return ok;
}

static gboolean
ask (TsrAsker *asker,
     const TsrQuestion *question,
     TsrSecret **answers,
     GCancellable *cancellable,
     GError **error)
{
  int fd = tsr_cli_terminal_begin ();
  gboolean ok;

  if (fd < 0)
    return TSR_ASKER_CLASS (tsr_cli_asker_parent_class)
        ->ask (asker, question, answers, cancellable, error);
  write_head (fd, question);
  ok = ask_all (fd, question, answers, cancellable, error);
  tsr_cli_terminal_end (fd);
  return ok;
}

static void
tell (TsrAsker *asker, const char *who, const char *text)
{
  int fd = tsr_cli_terminal_begin ();
  g_autofree char *line = g_strdup_printf ("%s: %s\n", who, text);

  if (fd < 0)
    return;
  tsr_cli_terminal_write (fd, line);
  tsr_cli_terminal_end (fd);
}

static void
tsr_cli_asker_class_init (TsrCliAskerClass *class)
{
  TSR_ASKER_CLASS (class)->ask_host_key = ask_host_key;
  TSR_ASKER_CLASS (class)->ask = ask;
  TSR_ASKER_CLASS (class)->tell = tell;
}

static void
tsr_cli_asker_init (TsrCliAsker *self)
{
}

TsrAsker *
tsr_cli_asker_new (void)
{
  return g_object_new (TSR_TYPE_CLI_ASKER, NULL);
}
