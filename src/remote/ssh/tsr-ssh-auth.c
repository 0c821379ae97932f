/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Logs in as OpenSSH does: "none" first, which yields the list of methods, then each method in the
 * preferred order.  A server that requires several methods (partial success) sends a new list each
 * time. */

#include "config.h"

#include "tsr-ssh-login.h"

#include "tsr-ssh-clean.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_PARTS  8   /* methods that one server wants in turn */
#define MAX_ROUNDS 100 /* of questions in one go of keyboard-interactive */

typedef enum
{
  KEYS,
  INTERACTIVE,
  PASSWORD,
  N_METHODS
} Method;

static const struct
{
  const char *name;
  guint flag;
} methods[N_METHODS] = {
  [KEYS] = { "publickey", SSH_AUTH_METHOD_PUBLICKEY },
  [INTERACTIVE] = { "keyboard-interactive", SSH_AUTH_METHOD_INTERACTIVE },
  [PASSWORD] = { "password", SSH_AUTH_METHOD_PASSWORD },
};

/* After the server has dealt with an answer: TRUE when it may be asked for again. */
static gboolean
is_refused (TsrSshLogin *self, int result, guint method)
{
  if (result != SSH_AUTH_DENIED)
    return FALSE;
  self->n_refused++;
  self->was_wrong = TRUE;
  return (ssh_userauth_list (self->session, NULL) & method) != 0;
}

/* The server has not let anybody in for what it was told. */
static gboolean
was_in_vain (int result)
{
  return result != SSH_AUTH_SUCCESS && result != SSH_AUTH_PARTIAL;
}

static guint
count_attempts (TsrSshLogin *self)
{
  return self->host->n_password_prompts > 0 ? self->host->n_password_prompts : 3;
}

static int
try_password (TsrSshLogin *self, GError **error)
{
  g_autofree char *text = g_strdup_printf (_ ("Password of %s"), self->who);
  TsrPrompt prompt = { text, FALSE };
  guint attempt = 0;
  int result;

  do
    {
      TsrQuestion question = {
        .kind = TSR_QUESTION_PASSWORD, .attempt = ++attempt, .prompts = &prompt, .n_prompts = 1
      };
      g_autoptr (TsrSecret) secret = NULL;
      TsrSshAnswer answer = tsr_ssh_ask (self, &question, &secret, error);

      if (answer != TSR_SSH_ANSWERED)
        return answer == TSR_SSH_GAVE_UP ? SSH_AUTH_ERROR : SSH_AUTH_DENIED;
      do
        result = ssh_userauth_password (self->session, self->host->user, tsr_secret_peek (secret));
      while (tsr_ssh_login_goes_on (self, result));
    }
  while (is_refused (self, result, SSH_AUTH_METHOD_PASSWORD) && attempt < count_attempts (self));
  if (was_in_vain (result))
    tsr_ssh_login_note (self, ngettext ("%u wrong password", "%u wrong passwords", attempt),
                        attempt);
  return result;
}

/* One set of the server's prompts. */
static TsrSshAnswer
answer_prompts (TsrSshLogin *self, guint attempt, GError **error)
{
  guint n = (guint)MAX (ssh_userauth_kbdint_getnprompts (self->session), 0);
  g_autofree char *name
      = tsr_ssh_clean_text (ssh_userauth_kbdint_getname (self->session), TSR_SSH_CLEAN_LINE, FALSE);
  g_autofree char *instruction = tsr_ssh_clean_text (
      ssh_userauth_kbdint_getinstruction (self->session), TSR_SSH_CLEAN_BANNER, TRUE);
  g_autofree TsrPrompt *prompts = g_new0 (TsrPrompt, MAX (n, 1));
  g_autofree TsrSecret **answers = g_new0 (TsrSecret *, MAX (n, 1));
  TsrQuestion question = { .kind = TSR_QUESTION_INTERACTIVE,
                           .name = *name != '\0' ? name : NULL,
                           .instruction = *instruction != '\0' ? instruction : NULL,
                           .attempt = self->was_wrong ? attempt : 1,
                           .prompts = prompts,
                           .n_prompts = n };
  TsrSshAnswer answer;

  if (n == 0)
    {
      if (*instruction)
        tsr_asker_tell (self->asker, self->who, instruction);
      return TSR_SSH_ANSWERED;
    }
  for (guint i = 0; i < n; i++)
    {
      char echo = 0;

      prompts[i].text = tsr_ssh_clean_text (ssh_userauth_kbdint_getprompt (self->session, i, &echo),
                                            TSR_SSH_CLEAN_LINE, FALSE);
      prompts[i].echo = echo != 0;
    }
  answer = tsr_ssh_ask (self, &question, answers, error);
  for (guint i = 0; i < n; i++)
    {
      if (answer == TSR_SSH_ANSWERED)
        ssh_userauth_kbdint_setanswer (self->session, i, tsr_secret_peek (answers[i]));
      g_clear_pointer (&answers[i], tsr_secret_unref);
      g_free (prompts[i].text);
    }
  return answer;
}

static int
ask_interactive (TsrSshLogin *self)
{
  int result;

  do
    result = ssh_userauth_kbdint (self->session, self->host->user, NULL);
  while (tsr_ssh_login_goes_on (self, result));
  return result;
}

/* Answers what the server asks in one go; @prompted: it did ask. */
static int
go_through_rounds (TsrSshLogin *self, guint attempt, gboolean *prompted, GError **error)
{
  int result = ask_interactive (self);

  *prompted = FALSE;
  for (guint round = 0; result == SSH_AUTH_INFO; round++)
    {
      TsrSshAnswer answer;

      if (round == MAX_ROUNDS)
        {
          tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_PROTOCOL,
                                   _ ("the server does not stop asking"));
          return SSH_AUTH_ERROR;
        }
      answer = answer_prompts (self, attempt, error);
      if (answer == TSR_SSH_GAVE_UP)
        return SSH_AUTH_ERROR;
      /* An unanswered request is given up by asking for another method. */
      if (answer == TSR_SSH_UNASKED)
        return SSH_AUTH_DENIED;
      *prompted = *prompted || ssh_userauth_kbdint_getnprompts (self->session) > 0;
      result = ask_interactive (self);
    }
  return result;
}

static int
try_interactive (TsrSshLogin *self, GError **error)
{
  GError *problem = NULL;
  gboolean prompted = FALSE;
  guint attempt = 0, n_answered = 0;
  int result;

  do
    {
      result = go_through_rounds (self, ++attempt, &prompted, &problem);
      n_answered += prompted;
    }
  while (prompted && is_refused (self, result, SSH_AUTH_METHOD_INTERACTIVE)
         && attempt < count_attempts (self));
  if (problem != NULL)
    g_propagate_error (error, problem);
  else if (was_in_vain (result) && n_answered > 0)
    tsr_ssh_login_note (self,
                        ngettext ("%u wrong answer to its questions",
                                  "%u wrong answers to its questions", n_answered),
                        n_answered);
  return result;
}

/* Which method comes next; N_METHODS when none is left. */
static Method
choose (TsrSshLogin *self, guint offered, const gboolean *spent)
{
  static const char *const usual[] = { "publickey", "keyboard-interactive", "password", NULL };
  const char *const *order
      = self->host->preferred != NULL ? (const char *const *)self->host->preferred : usual;
  const gboolean allowed[] = { [KEYS] = self->host->pubkey,
                               [INTERACTIVE] = self->host->keyboard_interactive,
                               [PASSWORD] = self->host->password };

  for (; *order; order++)
    for (Method m = 0; m < N_METHODS; m++)
      if (strcmp (*order, methods[m].name) == 0 && allowed[m] && !spent[m]
          && (offered & methods[m].flag))
        return m;
  return N_METHODS;
}

static void
tell_banner (TsrSshLogin *self)
{
  char *banner = ssh_get_issue_banner (self->session);
  g_autofree char *clean = tsr_ssh_clean_text (banner, TSR_SSH_CLEAN_BANNER, TRUE);

  if (*clean)
    tsr_asker_tell (self->asker, self->who, clean);
  ssh_string_free_char (banner);
}

static gboolean
refuse (TsrSshLogin *self, guint offered, guint n_parts, GError **error)
{
  g_autoptr (GString) takes = g_string_new (NULL);

  if (self->unasked != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->unasked));
      return FALSE;
    }
  for (Method m = 0; m < N_METHODS; m++)
    if (offered & methods[m].flag)
      g_string_append_printf (takes, "%s%s", takes->len > 0 ? ", " : "", methods[m].name);
  if (offered & SSH_AUTH_METHOD_HOSTBASED)
    g_string_append_printf (takes, "%shostbased", takes->len > 0 ? ", " : "");
  if (offered & SSH_AUTH_METHOD_GSSAPI_MIC)
    g_string_append_printf (takes, "%sgssapi-with-mic", takes->len > 0 ? ", " : "");
  tsr_ssh_login_set_error (
      self, error, TSR_REMOTE_ERROR_AUTH,
      n_parts > 0
          ? _ ("the server wants more before it lets %s in; it takes: %s; tried: %s; check the "
               "user name, and that the key or password is the one for this machine")
          : _ ("the server does not let %s in; it takes: %s; tried: %s; check the user name, and "
               "that the key or password is the one for this machine"),
      self->host->user, takes->len > 0 ? takes->str : _ ("no method that is known here"),
      self->tried->len > 0 ? self->tried->str : _ ("nothing"));
  return FALSE;
}

/* The server has hung up because of what it was told: OpenSSH says so, others just go. */
static gboolean
is_turned_away (TsrSshLogin *self)
{
  const char *cause = ssh_get_error (self->session);

  return strstr (cause, "Too many authentication") != NULL
         || (self->n_refused > 0
             && (strstr (cause, "SSH_MSG_DISCONNECT") != NULL
                 || strstr (cause, "Socket error: disconnected") != NULL));
}

static gboolean
turn_away (TsrSshLogin *self, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  tsr_ssh_login_set_error (
      self, error, TSR_REMOTE_ERROR_AUTH,
      self->n_agent_keys > 1
          ? _ ("the server did not let %s in and hung up; tried: %s; check the user name and what "
               "was answered, or, if the agent holds too many keys, say which one to use "
               "(IdentityFile with IdentitiesOnly in ssh_config, or the key file field)")
          : _ ("the server did not let %s in and hung up; tried: %s; check the user name, and that "
               "the key or password is the one for this machine"),
      self->host->user, self->tried->len > 0 ? self->tried->str : _ ("nothing"));
  return FALSE;
}

static int
try_method (TsrSshLogin *self, Method method, TsrSshKeys **keys, GError **error)
{
  switch (method)
    {
    case KEYS:
      if (!*keys)
        *keys = tsr_ssh_keys_new (self);
      return tsr_ssh_keys_try (*keys, error);
    case INTERACTIVE:
      return try_interactive (self, error);
    case PASSWORD:
      return try_password (self, error);
    case N_METHODS:
    default:
      g_assert_not_reached ();
    }
}

static gboolean
run_methods (TsrSshLogin *self, TsrSshKeys **keys, GError **error)
{
  gboolean spent[N_METHODS] = { FALSE };
  guint n_parts = 0;
  int result;

  do
    result = ssh_userauth_none (self->session, self->host->user);
  while (tsr_ssh_login_goes_on (self, result));
  tell_banner (self);
  while (result == SSH_AUTH_DENIED || result == SSH_AUTH_PARTIAL)
    {
      guint offered = (guint)ssh_userauth_list (self->session, NULL);
      Method method = choose (self, offered, spent);
      GError *problem = NULL;

      if (method == N_METHODS || n_parts > MAX_PARTS)
        return refuse (self, offered, n_parts, error);
      tsr_ssh_login_say (
          self, method == KEYS ? _ ("%s: logging in with a key") : _ ("%s: logging in"), self->who);
      result = try_method (self, method, keys, &problem);
      if (problem != NULL)
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      spent[method] = TRUE;
      if (result == SSH_AUTH_PARTIAL)
        {
          memset (spent, 0, sizeof spent);
          n_parts++;
        }
    }
  if (result == SSH_AUTH_SUCCESS)
    return TRUE;
  if (is_turned_away (self))
    return turn_away (self, error);
  if (result == SSH_AUTH_AGAIN && ssh_is_connected (self->session)
      && !g_cancellable_is_cancelled (self->cancellable))
    tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_TIMEOUT,
                             _ ("the server does not answer while logging in; try again"));
  else
    tsr_ssh_login_fail (self, _ ("logging in failed"), error);
  return FALSE;
}

gboolean
tsr_ssh_authenticate (TsrSshLogin *self, GError **error)
{
  TsrSshKeys *keys = NULL;
  gboolean ok = run_methods (self, &keys, error);

  tsr_ssh_keys_free (keys);
  return ok;
}
