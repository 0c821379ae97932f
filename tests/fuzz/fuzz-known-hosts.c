/* SPDX-License-Identifier: GPL-3.0-or-later */

/* known_hosts: whatever stands in the file, there is a verdict; what is added is found, and nothing
 * that stood there has changed. */

#include "config.h"

#include "fuzz.h"
#include "tsr-known-hosts.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static GBytes *
make_key (guint8 last)
{
  guint8 bytes[51]
      = { 0, 0, 0, 11, 's', 's', 'h', '-', 'e', 'd', '2', '5', '5', '1', '9', 0, 0, 0, 32 };

  for (guint i = 19; i < sizeof bytes; i++)
    bytes[i] = (guint8)(i - 18);
  bytes[50] = last;
  return g_bytes_new (bytes, sizeof bytes);
}

static void
check (const char *file, const char *name, guint port, GBytes *key, TsrHostKeyVerdict *verdict)
{
  const char *const files[] = { file, NULL };
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();

  tsr_known_hosts_check (files, name, port, "ssh-ed25519", key, diagnostics, verdict);
  g_assert_cmpint (verdict->state, !=, TSR_HOST_KEY_NO_FILE);
  g_assert_cmpint (verdict->state, !=, TSR_HOST_KEY_ERROR);
  g_assert_true ((verdict->line > 0) == (verdict->state != TSR_HOST_KEY_UNKNOWN));
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_assert_true (g_utf8_validate (tsr_diagnostics_get (diagnostics, i)->text, -1, NULL));
}

static void
check_added (const char *file, const uint8_t *data, size_t size, gboolean hashed)
{
  g_autoptr (GBytes) key = make_key (99);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  TsrHostKeyVerdict verdict = { TSR_HOST_KEY_UNKNOWN };
  gsize length;

  tsr_known_hosts_add (file, "node", 22, "ssh-ed25519", key, hashed, &error);
  g_assert_no_error (error);
  check (file, "node", 22, key, &verdict);
  g_assert_true (verdict.state == TSR_HOST_KEY_OK || verdict.state == TSR_HOST_KEY_REVOKED);
  tsr_host_key_verdict_clear (&verdict);
  g_file_get_contents (file, &text, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, >, size);
  g_assert_true (size == 0 || memcmp (text, data, size) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *file
      = g_strdup_printf ("%s/tsr-fuzz-known-hosts-%d", g_get_tmp_dir (), (int)getpid ());
  const char *const files[] = { file, NULL };
  g_autoptr (GBytes) key = make_key (32);
  g_autoptr (GError) error = NULL;

  fuzz_begin ();
  for (guint i = 0; i < 2; i++)
    {
      TsrHostKeyVerdict verdict = { TSR_HOST_KEY_UNKNOWN };
      g_auto (GStrv) types = NULL;

      g_file_set_contents (file, (const char *)data, (gssize)size, &error);
      g_assert_no_error (error);
      check (file, i == 0 ? "node" : "Gate.lab.org", i == 0 ? 2222 : 0, key, &verdict);
      tsr_host_key_verdict_clear (&verdict);
      types = tsr_known_hosts_dup_types (files, "node", 2222);
      g_assert_nonnull (types);
      check_added (file, data, size, i == 1);
    }
  g_unlink (file);
  return 0;
}
