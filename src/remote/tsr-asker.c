/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The class itself is the silent asker: it overrides nothing and so asks nobody. */

#include "config.h"

#include "tsr-asker.h"

#include "tsr-remote-error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

G_DEFINE_TYPE (TsrAsker, tsr_asker, G_TYPE_OBJECT)

static TsrHostKeyAnswer
refuse_host_key (TsrAsker *self, const TsrHostKeyQuestion *question, GCancellable *cancellable)
{
  return TSR_HOST_KEY_NO;
}

/* (transfer full): "user@host:22 (1 of 2)" */
static char *
dup_hop (const TsrQuestion *question)
{
  if (question->n_hops < 2)
    return g_strdup (question->who);
  return g_strdup_printf (_ ("%s (hop %u of %u)"), question->who, question->hop, question->n_hops);
}

static char *
dup_prompts (const TsrQuestion *question)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < question->n_prompts; i++)
    {
      g_autofree char *prompt = g_strstrip (g_strdup (question->prompts[i].text));

      g_string_append_printf (text, "%s\"%s\"", i > 0 ? ", " : "", prompt);
    }
  return g_string_free (text, FALSE);
}

static gboolean
refuse (TsrAsker *self,
        const TsrQuestion *question,
        TsrSecret **answers,
        GCancellable *cancellable,
        GError **error)
{
  g_autofree char *hop = dup_hop (question);
  g_autofree char *prompts = dup_prompts (question);

  switch (question->kind)
    {
    case TSR_QUESTION_PASSWORD:
      g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER,
                   _ ("%s wants a password, and nobody may be asked now; use a key that is let in "
                      "without one, or connect where questions can be answered"),
                   hop);
      break;
    case TSR_QUESTION_PASSPHRASE:
      g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER,
                   _ ("%s: the key file %s needs its passphrase, and nobody may be asked now; add "
                      "the key to the agent with ssh-add, or connect where questions can be "
                      "answered"),
                   hop, question->file != NULL ? question->file : "?");
      break;
    case TSR_QUESTION_INTERACTIVE:
    default:
      g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER,
                   _ ("%s asks %s, and nobody may be asked now; connect where questions can be "
                      "answered"),
                   hop, prompts);
      break;
    }
  return FALSE;
}

static void
tsr_asker_class_init (TsrAskerClass *class)
{
  class->ask_host_key = refuse_host_key;
  class->ask = refuse;
}

static void
tsr_asker_init (TsrAsker *self)
{
}

TsrHostKeyAnswer
tsr_asker_ask_host_key (TsrAsker *self,
                        const TsrHostKeyQuestion *question,
                        GCancellable *cancellable)
{
  TsrHostKeyAnswer answer;

  g_return_val_if_fail (TSR_IS_ASKER (self), TSR_HOST_KEY_NO);
  if (g_cancellable_is_cancelled (cancellable))
    return TSR_HOST_KEY_NO;
  answer = TSR_ASKER_GET_CLASS (self)->ask_host_key (self, question, cancellable);
  /* A yes after cancellation does not count. */
  return g_cancellable_is_cancelled (cancellable) ? TSR_HOST_KEY_NO : answer;
}

gboolean
tsr_asker_ask (TsrAsker *self,
               const TsrQuestion *question,
               TsrSecret **answers,
               GCancellable *cancellable,
               GError **error)
{
  gboolean ok;

  g_return_val_if_fail (TSR_IS_ASKER (self), FALSE);
  g_return_val_if_fail (question->n_prompts > 0, FALSE);
  for (guint i = 0; i < question->n_prompts; i++)
    answers[i] = NULL;
  ok = !g_cancellable_set_error_if_cancelled (cancellable, error)
       && TSR_ASKER_GET_CLASS (self)->ask (self, question, answers, cancellable, error);
  for (guint i = 0; i < question->n_prompts; i++)
    if (!ok)
      g_clear_pointer (&answers[i], tsr_secret_unref);
    else if (answers[i] == NULL)
      answers[i] = tsr_secret_new ("");
  return ok;
}

void
tsr_asker_tell (TsrAsker *self, const char *who, const char *text)
{
  g_return_if_fail (TSR_IS_ASKER (self));
  if (TSR_ASKER_GET_CLASS (self)->tell != NULL)
    TSR_ASKER_GET_CLASS (self)->tell (self, who, text);
}

TsrAsker *
tsr_asker_new_silent (void)
{
  return g_object_new (TSR_TYPE_ASKER, NULL);
}
