/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Compares questions with a script and gives its answers. */

#include "config.h"

#include "script-asker.h"

#include <string.h>

typedef struct
{
  TsrQuestionKind kind;
  gboolean is_silence;
  char *who;
  GStrv answers; /* NULL: gives up */
} Expected;

struct _ScriptAsker
{
  TsrAsker parent_instance;
  GMutex mutex;
  GCond cond;
  GQueue expected; /* Expected */
  GString *log;
  TsrHostKeyAnswer host_key;
  guint n_silent; /* questions that wait now */
};

G_DEFINE_FINAL_TYPE (ScriptAsker, script_asker, TSR_TYPE_ASKER)

static void
expected_free (gpointer data)
{
  Expected *expected = data;

  g_free (expected->who);
  g_strfreev (expected->answers);
  g_free (expected);
}

/* With the mutex: waits until somebody cancels. */
static void
keep_silent (ScriptAsker *self, GCancellable *cancellable)
{
  self->n_silent++;
  g_cond_broadcast (&self->cond);
  while (!g_cancellable_is_cancelled (cancellable))
    g_cond_wait_until (&self->cond, &self->mutex,
                       g_get_monotonic_time () + 10 * G_TIME_SPAN_MILLISECOND);
  self->n_silent--;
}

static TsrHostKeyAnswer
ask_host_key (TsrAsker *asker, const TsrHostKeyQuestion *question, GCancellable *cancellable)
{
  ScriptAsker *self = SCRIPT_ASKER (asker);
  Expected *next;
  TsrHostKeyAnswer answer;
  g_autofree char *file = g_path_get_basename (question->file != NULL ? question->file : "none");

  g_mutex_lock (&self->mutex);
  g_string_append_printf (self->log, "host-key %s %u/%u [%s]:%u %s %s %s%s\n", question->who,
                          question->hop, question->n_hops, question->name, question->port,
                          question->type, question->fingerprint, file,
                          question->is_tunnel ? " tunnel" : "");
  next = g_queue_peek_head (&self->expected);
  answer = self->host_key;
  if (next != NULL && next->is_silence)
    {
      expected_free (g_queue_pop_head (&self->expected));
      keep_silent (self, cancellable);
      answer = TSR_HOST_KEY_NO;
    }
  g_mutex_unlock (&self->mutex);
  return answer;
}

static void
write_down (ScriptAsker *self, const TsrQuestion *question)
{
  static const char *const kinds[] = { "password", "passphrase", "interactive" };

  g_string_append_printf (self->log, "%s %s %u/%u attempt %u", kinds[question->kind], question->who,
                          question->hop, question->n_hops, question->attempt);
  if (question->is_fallback)
    g_string_append (self->log, " after another");
  if (question->file != NULL)
    {
      g_autofree char *name = g_path_get_basename (question->file);

      g_string_append_printf (self->log, " %s", name);
    }
  if (question->kind == TSR_QUESTION_INTERACTIVE)
    g_string_append_printf (self->log, " \"%s\" \"%s\"",
                            question->name != NULL ? question->name : "",
                            question->instruction != NULL ? question->instruction : "");
  for (guint i = 0; i < question->n_prompts; i++)
    g_string_append_printf (self->log, "%s %s%s", i == 0 ? ":" : ",", question->prompts[i].text,
                            question->prompts[i].echo ? " (shown)" : "");
  g_string_append_c (self->log, '\n');
}

/* With the mutex. */
static gboolean
reply (ScriptAsker *self,
       const Expected *expected,
       const TsrQuestion *question,
       TsrSecret **answers,
       GError **error)
{
  if (expected == NULL || expected->kind != question->kind
      || (expected->who != NULL && strstr (question->who, expected->who) == NULL))
    g_error ("a question that was not expected; so far:\n%s", self->log->str);
  if (expected->answers == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The user gave up");
      return FALSE;
    }
  if (g_strv_length (expected->answers) != question->n_prompts)
    g_error ("%u prompts and %u answers; so far:\n%s", question->n_prompts,
             g_strv_length (expected->answers), self->log->str);
  for (guint i = 0; i < question->n_prompts; i++)
    answers[i] = tsr_secret_new (expected->answers[i]);
  return TRUE;
}

static gboolean
ask (TsrAsker *asker,
     const TsrQuestion *question,
     TsrSecret **answers,
     GCancellable *cancellable,
     GError **error)
{
  ScriptAsker *self = SCRIPT_ASKER (asker);
  Expected *expected;
  gboolean ok = FALSE;

  g_mutex_lock (&self->mutex);
  write_down (self, question);
  expected = g_queue_pop_head (&self->expected);
  if (expected != NULL && expected->is_silence)
    {
      keep_silent (self, cancellable);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    }
  else
    ok = reply (self, expected, question, answers, error);
  g_mutex_unlock (&self->mutex);
  if (expected != NULL)
    expected_free (expected);
  return ok;
}

static void
tell (TsrAsker *asker, const char *who, const char *text)
{
  ScriptAsker *self = SCRIPT_ASKER (asker);

  g_mutex_lock (&self->mutex);
  g_string_append_printf (self->log, "tell %s: %s\n", who, text);
  g_mutex_unlock (&self->mutex);
}

static void
script_asker_finalize (GObject *object)
{
  ScriptAsker *self = SCRIPT_ASKER (object);

  g_queue_clear_full (&self->expected, expected_free);
  g_string_free (self->log, TRUE);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  G_OBJECT_CLASS (script_asker_parent_class)->finalize (object);
}

static void
script_asker_class_init (ScriptAskerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = script_asker_finalize;
  TSR_ASKER_CLASS (class)->ask_host_key = ask_host_key;
  TSR_ASKER_CLASS (class)->ask = ask;
  TSR_ASKER_CLASS (class)->tell = tell;
}

static void
script_asker_init (ScriptAsker *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->log = g_string_new (NULL);
  self->host_key = TSR_HOST_KEY_NO;
}

ScriptAsker *
script_asker_new (void)
{
  return g_object_new (SCRIPT_TYPE_ASKER, NULL);
}

static void
push (ScriptAsker *self, Expected *expected)
{
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->expected, expected);
  g_mutex_unlock (&self->mutex);
}

void
script_asker_expect (ScriptAsker *self, TsrQuestionKind kind, const char *who, const char *answers)
{
  Expected *expected = g_new0 (Expected, 1);

  expected->kind = kind;
  expected->who = g_strdup (who);
  if (answers != NULL && *answers == '\0')
    expected->answers = g_strdupv ((char *[]){ (char *)"", NULL }); /* g_strsplit() gives none */
  else if (answers != NULL)
    expected->answers = g_strsplit (answers, "\n", -1);
  push (self, expected);
}

void
script_asker_expect_silence (ScriptAsker *self)
{
  Expected *expected = g_new0 (Expected, 1);

  expected->is_silence = TRUE;
  push (self, expected);
}

void
script_asker_wait_asked (ScriptAsker *self)
{
  g_mutex_lock (&self->mutex);
  while (self->n_silent == 0)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

void
script_asker_set_host_key (ScriptAsker *self, TsrHostKeyAnswer answer)
{
  g_mutex_lock (&self->mutex);
  self->host_key = answer;
  g_mutex_unlock (&self->mutex);
}

char *
script_asker_dup_log (ScriptAsker *self)
{
  char *text;

  g_mutex_lock (&self->mutex);
  text = g_strdup (self->log->str);
  g_string_truncate (self->log, 0);
  g_mutex_unlock (&self->mutex);
  return text;
}

guint
script_asker_get_n_left (ScriptAsker *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->expected.length;
  g_mutex_unlock (&self->mutex);
  return n;
}
