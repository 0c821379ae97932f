/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Addresses of what lies behind ssh: what is taken, what is refused and how, the canonical text. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-ssh-address.h"

#include <string.h>

/* ------------------------------------------------------------------ taken */

typedef struct
{
  const char *text;
  const char *user, *host;
  guint port;
  const char *path;
  const char *jumps; /* NULL: not told */
  const char *canonical;
  const char *alias;
} Taken;

static const Taken taken[] = {
  { "ssh://node/a/b", NULL, "node", 0, "/a/b", NULL, "ssh://node/a/b" },
  { "ssh://node", NULL, "node", 0, "/", NULL, "ssh://node/" },
  { "SSH://Node/", NULL, "Node", 0, "/", NULL, "ssh://Node/" },
  { "sftp://me@node:22/x", "me", "node", 22, "/x", NULL, "ssh://me@node:22/x" },
  { "ssh://me@127.0.0.1:8090/home/me/reports", "me", "127.0.0.1", 8090, "/home/me/reports", NULL,
    "ssh://me@127.0.0.1:8090/home/me/reports" },
  { "ssh://node:22/x@y", NULL, "node", 22, "/x@y", NULL, "ssh://node:22/x@y" },
  { "ssh://node:1/", NULL, "node", 1, "/", NULL, "ssh://node:1/" },
  { "ssh://node:65535/", NULL, "node", 65535, "/", NULL, "ssh://node:65535/" },
  { "ssh://node/~", NULL, "node", 0, "/~", NULL, "ssh://node/~" },
  { "ssh://node/~/r/training", NULL, "node", 0, "/~/r/training", NULL, "ssh://node/~/r/training" },
  { "ssh://[2001:db8::1]/x", NULL, "2001:db8::1", 0, "/x", NULL, "ssh://[2001:db8::1]/x" },
  { "ssh://u@[fe80::1%25eth0]:22/x", "u", "fe80::1%eth0", 22, "/x", NULL,
    "ssh://u@[fe80::1%25eth0]:22/x" },
  { "ssh://[fe80::1%eth0]/x", NULL, "fe80::1%eth0", 0, "/x", NULL, "ssh://[fe80::1%25eth0]/x" },
  { "ssh://[127.0.0.1]:2222/x", NULL, "127.0.0.1", 2222, "/x", NULL, "ssh://127.0.0.1:2222/x" },
  { "ssh://DOM%5Cme@node/x", "DOM\\me", "node", 0, "/x", NULL, "ssh://DOM%5Cme@node/x" },
  { "ssh://me@lab.org@node/x", "me@lab.org", "node", 0, "/x", NULL, "ssh://me%40lab.org@node/x" },
  { "ssh://node//a///./b/.//c/", NULL, "node", 0, "/a/b/c", NULL, "ssh://node/a/b/c" },
  { "ssh://node/a/../b", NULL, "node", 0, "/a/../b", NULL, "ssh://node/a/../b" },
  { "ssh://node/a%20b%3Fc%25d#e", NULL, "node", 0, "/a b?c%d#e", NULL,
    "ssh://node/a%20b%3Fc%25d%23e" },
  { "ssh://node/\xff\x01", NULL, "node", 0, "/\xff\x01", NULL, "ssh://node/%FF%01" },
  { "ssh://n\xc3\xb6"
    "de/x",
    NULL,
    "n\xc3\xb6"
    "de",
    0, "/x", NULL, "ssh://n%C3%B6de/x" },
  { "ssh://node/x?jump=me@jump:2222,gate", NULL, "node", 0, "/x", "me@jump:2222,gate",
    "ssh://node/x?jump=me@jump:2222,gate" },
  { "ssh://node?jump=gate", NULL, "node", 0, "/", "gate", "ssh://node/?jump=gate" },
  { "ssh://node/x?jump=none", NULL, "node", 0, "/x", "none", "ssh://node/x?jump=none" },
  { "ssh://node/x?jump=", NULL, "node", 0, "/x", "none", "ssh://node/x?jump=none" },
  { "ssh://node/x?", NULL, "node", 0, "/x", NULL, "ssh://node/x" },
  { "ssh://node/x?jump=a%40b@[::1]:22", NULL, "node", 0, "/x", "a@b@[::1]:22",
    "ssh://node/x?jump=a@b@[::1]:22" },
  { "ssh://node/x?jump=u@%5Bfe80::1%25eth0%5D", NULL, "node", 0, "/x", "u@[fe80::1%eth0]",
    "ssh://node/x?jump=u@[fe80::1%25eth0]" },
  { "ssh://127.0.0.1:8090/x?alias=gc-poplar-01", NULL, "127.0.0.1", 8090, "/x", NULL,
    "ssh://127.0.0.1:8090/x?alias=gc-poplar-01", "gc-poplar-01" },
  { "ssh://n/x?alias=%5Ba%5D:22&jump=g", NULL, "n", 0, "/x", "g", "ssh://n/x?jump=g&alias=[a]:22",
    "[a]:22" },
};

static void
check_address (const TsrSshAddress *address, const Taken *want)
{
  g_autofree char *jumps = tsr_ssh_jumps_to_string (address->jumps, address->n_jumps);
  g_autofree char *text = tsr_ssh_address_to_string (address);

  g_assert_cmpstr (address->target.user, ==, want->user);
  g_assert_cmpstr (address->target.host, ==, want->host);
  g_assert_cmpuint (address->target.port, ==, want->port);
  g_assert_cmpstr (address->path, ==, want->path);
  g_assert_cmpstr (address->host_key_alias, ==, want->alias);
  g_assert_true (address->has_jumps == (want->jumps != NULL));
  g_assert_cmpstr (jumps, ==, want->jumps != NULL ? want->jumps : "none");
  g_assert_cmpstr (text, ==, want->canonical);
}

static void
test_taken (gconstpointer data)
{
  const Taken *want = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = NULL;
  g_autoptr (TsrSshAddress) copy = NULL;
  g_autoptr (TsrSshAddress) again = NULL;
  g_autofree char *other = NULL;

  g_assert_true (tsr_ssh_address_is_one (want->text));
  address = tsr_ssh_address_parse (want->text, &error);
  g_assert_no_error (error);
  check_address (address, want);
  copy = tsr_ssh_address_copy (address);
  g_clear_pointer (&address, tsr_ssh_address_free);
  check_address (copy, want);
  again = tsr_ssh_address_parse (want->canonical, &error);
  g_assert_no_error (error);
  check_address (again, want);
  other = tsr_ssh_address_dup_location (copy, "/other/");
  g_assert_nonnull (strstr (other, "/other"));
  g_assert_true (g_str_has_suffix (other, "/other")
                 == (!copy->has_jumps && copy->host_key_alias == NULL));
}

/* ---------------------------------------------------------------- refused */

static const struct
{
  const char *text, *says;
} refused[] = {
  { "node/x", "begins with ssh://" },
  { "http://node/x", "begins with ssh://" },
  { "ssh:/node/x", "begins with ssh://" },
  { "", "begins with ssh://" },
  { "ssh://", "host name is missing" },
  { "ssh:///x", "host name is missing" },
  { "ssh://me@/x", "host name is missing" },
  { "ssh://@node/x", "user name" },
  { "ssh://-oProxyCommand=x/x", "host name has characters" },
  { "ssh://-l@node/x", "user name has characters" },
  { "ssh://a b/x", "host name has characters" },
  { "ssh://a$(id)/x", "host name has characters" },
  { "ssh://a\n/x", "host name has characters" },
  { "ssh://\xff/x", "host name has characters" },
  { "ssh://%FF/x", "host name has characters" },
  { "ssh://a%2Fb/x", "host name has characters" },
  { "ssh://a%00b/x", "hexadecimal" },
  { "ssh://a%zz/x", "hexadecimal" },
  { "ssh://\xe2\x80\xae"
    "a/x",
    "host name has characters" },
  { "ssh://me%0A@node/x", "user name has characters" },
  { "ssh://node:/x", "port after the colon" },
  { "ssh://node:0/x", "from 1 to 65535" },
  { "ssh://node:65536/x", "from 1 to 65535" },
  { "ssh://node:+22/x", "from 1 to 65535" },
  { "ssh://node:22a/x", "from 1 to 65535" },
  { "ssh://node: 22/x", "from 1 to 65535" },
  { "ssh://node:99999999999999999999999/x", "from 1 to 65535" },
  { "ssh://[::1/x", "After [" },
  { "ssh://[::1]22/x", "After [" },
  { "ssh://[]/x", "host name is missing" },
  { "ssh://[::g]/x", "IP version 6" },
  { "ssh://1:2:3/x", "IP version 6" },
  { "ssh://[::1%]/x", "IP version 6" },
  { "ssh://node/%", "hexadecimal" },
  { "ssh://node/%4", "hexadecimal" },
  { "ssh://node/%00", "hexadecimal" },
  { "ssh://node/x?y", "question mark" },
  { "ssh://node/x?jump=a&jump=b", "once" },
  { "ssh://node/x?alias=a&alias=b", "once" },
  { "ssh://node/x?alias=", "alias of the host key" },
  { "ssh://node/x?alias=a,b", "alias of the host key" },
  { "ssh://node/x?alias=%00", "hexadecimal" },
  { "ssh://node/x?jump=a,,b", "Jump host 2: The host name is missing" },
  { "ssh://node/x?jump=a,b:0", "Jump host 2: The port" },
  { "ssh://node/x?jump=a%zz", "hexadecimal" },
  { "ssh://node/x?jump=1,2,3,4,5,6,7,8,9", "more than 8 jump hosts" },
};

static void
test_refused (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (refused[i].text, &error);

  g_assert_null (address);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (strstr (error->message, refused[i].says) == NULL)
    g_error ("%s: \"%s\" does not say \"%s\"", refused[i].text, error->message, refused[i].says);
}

/* Wherever it stands, a password is not said again. */
static void
test_password (void)
{
  static const char *const texts[] = {
    "ssh://me:geheim@node/x",      "ssh://me:geheim@node:22/x",
    "ssh://me:geheim/rest@node/x", "ssh://me:ge@heim@node/x",
    "ssh://me:geheim?a@node/x",    "ssh://me%3Ageheim@node/x",
    "ssh://n/x?jump=me:geheim@j",  "ssh://me:g22/heim@node/x",
    "ssh://me:2geheim/3@node/x",   "ssh://me:geheim",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (tsr_ssh_address_parse (texts[i], &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
      g_assert_null (strstr (error->message, "geheim"));
      g_assert_null (strstr (error->message, "heim"));
      if (i + 1 < G_N_ELEMENTS (texts))
        g_assert_nonnull (strstr (error->message, "password"));
    }
}

/* ------------------------------------------------------------------- hops */

static void
check_hop (const char *text, const char *user, const char *host, guint port, const char *canonical)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *again = NULL;
  TsrSshHop hop;

  g_assert_true (tsr_ssh_hop_parse (text, &hop, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (hop.user, ==, user);
  g_assert_cmpstr (hop.host, ==, host);
  g_assert_cmpuint (hop.port, ==, port);
  again = tsr_ssh_hop_to_string (&hop);
  g_assert_cmpstr (again, ==, canonical);
  tsr_ssh_hop_clear (&hop);
  g_assert_null (hop.host);
}

static void
test_hops (void)
{
  TsrSshHop hop;

  check_hop ("jump", NULL, "jump", 0, "jump");
  check_hop (" me@jump:2222 ", "me", "jump", 2222, "me@jump:2222");
  check_hop ("::1", NULL, "::1", 0, "[::1]");
  check_hop ("u@2001:db8::1", "u", "2001:db8::1", 0, "u@[2001:db8::1]");
  check_hop ("u@[::1]:22", "u", "::1", 22, "u@[::1]:22");
  check_hop ("ssh://u%40x@h:22", "u@x", "h", 22, "u@x@h:22");
  check_hop ("ssh://h/", NULL, "h", 0, "h");
  check_hop ("a_b.c-d", NULL, "a_b.c-d", 0, "a_b.c-d");
  g_assert_false (tsr_ssh_hop_parse ("a,b", &hop, NULL));
  g_assert_null (hop.host);
  g_assert_false (tsr_ssh_hop_parse ("u@", &hop, NULL));
  g_assert_null (hop.user);
  g_assert_false (tsr_ssh_hop_parse ("ssh://h/x", &hop, NULL));
  g_assert_false (tsr_ssh_hop_parse ("", &hop, NULL));
}

static void
test_jumps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = g_new0 (TsrSshAddress, 1);
  g_autofree char *text = NULL;

  address->n_jumps = 7;
  g_assert_true (tsr_ssh_jumps_parse ("NONE", &address->jumps, &address->n_jumps, &error));
  g_assert_cmpuint (address->n_jumps, ==, 0);
  g_assert_true (
      tsr_ssh_jumps_parse ("a, b@c:1 ,[::1]", &address->jumps, &address->n_jumps, &error));
  g_assert_cmpuint (address->n_jumps, ==, 3);
  text = tsr_ssh_jumps_to_string (address->jumps, address->n_jumps);
  g_assert_cmpstr (text, ==, "a,b@c:1,[::1]");
  /* As many as there may be. */
  for (guint n = TSR_SSH_MAX_JUMPS; n < TSR_SSH_MAX_JUMPS + 3; n++)
    {
      g_autoptr (TsrSshAddress) many = g_new0 (TsrSshAddress, 1);
      g_autofree char *hops = g_strnfill (2 * n - 1, ',');
      gboolean ok;

      for (guint i = 0; i < n; i++)
        hops[2 * i] = (char)('a' + i);
      ok = tsr_ssh_jumps_parse (hops, &many->jumps, &many->n_jumps, &error);
      g_assert_true (ok == (n == TSR_SSH_MAX_JUMPS));
      g_assert_cmpuint (many->n_jumps, ==, ok ? n : 0);
      if (!ok)
        g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
      g_clear_error (&error);
    }
}

static void
test_long (void)
{
  g_autofree char *megabytes = g_malloc (10 << 20);
  g_autofree char *host = NULL;
  TsrSshHop hop;
  TsrSshHop *jumps;
  guint n;
  GError *error = NULL;

#define REFUSED(expression)                                                                        \
  g_assert_false (expression);                                                                     \
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);                                           \
  g_clear_error (&error)

  memset (megabytes, 'a', 10 << 20);
  megabytes[(10 << 20) - 1] = '\0';
  REFUSED (tsr_ssh_hop_parse (megabytes, &hop, &error));
  n = 7;
  REFUSED (tsr_ssh_jumps_parse (megabytes, &jumps, &n, &error));
  g_assert_null (jumps);
  g_assert_cmpuint (n, ==, 0);
  memcpy (megabytes, "ssh://", 6);
  REFUSED (tsr_ssh_address_parse (megabytes, &error) != NULL);
  host = g_strndup (megabytes, 6 + 2000);
  REFUSED (tsr_ssh_address_parse (host, &error) != NULL);
#undef REFUSED
  /* As long as an address may be, and one more. */
  for (guint length = 65536; length < 65538; length++)
    {
      const gboolean fits = length == 65536;
      g_autofree char *blanks = g_strdup_printf ("%-*s", (int)length, "jump");
      g_autofree char *path = g_strdup_printf ("ssh://node%0*d", (int)length - 10, 1);
      TsrSshAddress *address;

      path[10] = '/';
      address = tsr_ssh_address_parse (path, NULL);
      g_assert_cmpint (address != NULL, ==, fits);
      tsr_ssh_address_free (address);
      g_assert_cmpint (tsr_ssh_hop_parse (blanks, &hop, NULL), ==, fits);
      tsr_ssh_hop_clear (&hop);
      address = g_new0 (TsrSshAddress, 1);
      g_assert_cmpint (tsr_ssh_jumps_parse (blanks, &address->jumps, &address->n_jumps, NULL), ==,
                       fits);
      tsr_ssh_address_free (address);
    }
  /* As long as a name may be. */
  for (guint i = 1024; i < 1026; i++)
    {
      host[6 + i] = '\0';
      g_assert_cmpint (tsr_ssh_hop_parse (host + 6, &hop, NULL), ==, i == 1024);
      if (i == 1024)
        tsr_ssh_hop_clear (&hop);
      host[6 + i] = 'a';
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    {
      g_autofree char *name = g_strdup_printf ("/ssh-address/taken/%02u", i);

      g_test_add_data_func (name, &taken[i], test_taken);
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *name = g_strdup_printf ("/ssh-address/refused/%02u", i);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_refused);
    }
  g_test_add_func ("/ssh-address/password", test_password);
  g_test_add_func ("/ssh-address/hops", test_hops);
  g_test_add_func ("/ssh-address/jumps", test_jumps);
  g_test_add_func ("/ssh-address/long", test_long);
  return g_test_run ();
}
