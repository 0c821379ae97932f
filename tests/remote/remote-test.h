/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of sessions and connections share: an asker with prepared answers that writes down
 * what it was asked, and hosts as ssh_config would have them. */

#pragma once

#include "ssh-fixture.h"
#include "tsr-asker.h"
#include "tsr-ssh-config.h"

G_BEGIN_DECLS

#define TEST_TYPE_ASKER (test_asker_get_type ())
G_DECLARE_FINAL_TYPE (TestAsker, test_asker, TEST, ASKER, TsrAsker)

struct _TestAsker
{
  TsrAsker parent_instance;
  GMutex mutex;
  GString *log;          /* a line for each question and each text that was told */
  GQueue answers;        /* of char *: for the prompts to come; none left: cancelled */
  TsrHostKeyAnswer keys; /* said to each unknown host key */
  gboolean waits;        /* every question waits until it is cancelled */
  gint n_asked;          /* atomic */
};

TestAsker *test_asker_new (void);
void test_asker_answer (TestAsker *self, const char *text);

/* (transfer full): @server at 127.0.0.1 with known_hosts of @world, one key file (nullable) and no
 * agent. */
TsrSshHost *test_host_new (SshWorld *world, SshServer *server, const char *alias, const char *key);
/* (transfer full): of hosts (taken). */
GPtrArray *test_hosts_new (TsrSshHost *first, ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
