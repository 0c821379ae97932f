/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A TsrAsker whose answers a test has written down before, and who writes down what was asked, so
 * that a test compares a whole conversation.  A question that was not expected ends the test. */

#pragma once

#include "tsr-asker.h"

G_BEGIN_DECLS

#define SCRIPT_TYPE_ASKER (script_asker_get_type ())
G_DECLARE_FINAL_TYPE (ScriptAsker, script_asker, SCRIPT, ASKER, TsrAsker)

ScriptAsker *script_asker_new (void);

/* The next question is @kind from a hop whose "who" contains @who (NULL: any), and is answered with
 * @answers, one a line for each prompt; NULL: the user gives up. */
void
script_asker_expect (ScriptAsker *self, TsrQuestionKind kind, const char *who, const char *answers);
/* The next question (of any kind, or of a host key) is never answered; script_asker_wait_asked()
 * returns when it has been asked, and it ends when its cancellable is cancelled. */
void script_asker_expect_silence (ScriptAsker *self);
void script_asker_wait_asked (ScriptAsker *self);
/* To each question of a host key; TSR_HOST_KEY_NO at first. */
void script_asker_set_host_key (ScriptAsker *self, TsrHostKeyAnswer answer);

/* (transfer full): what was asked and told since the last call, a line each:
 *   host-key tester@a:22 1/2 [a]:22 ssh-ed25519 SHA256:...           (" tunnel": of this machine)
 *   password tester@a:22 1/2 attempt 1: Password:    (" after another": whose answer was wrong)
 *   passphrase tester@a:22 1/1 attempt 1 id_rsa: ...
 *   interactive tester@a:22 1/1 attempt 1 "name" "instruction": Code: (shown), PIN:
 *   tell tester@a:22: text
 */
char *script_asker_dup_log (ScriptAsker *self);
/* Questions that were expected and not asked. */
guint script_asker_get_n_left (ScriptAsker *self);

G_END_DECLS
