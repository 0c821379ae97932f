/* SPDX-License-Identifier: GPL-3.0-or-later */

/* known_hosts: which lines are for a host, hashes, fingerprints and what is written, each compared
 * with what OpenSSH's own ssh-keygen says of the same file; and what is decided from the lines. */

#include "config.h"

#include "tsr-known-hosts.h"
#include "tsr-ssh-text.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder, *file;
  GBytes *keys[4]; /* ed25519, ed25519, ecdsa, rsa */
  char *texts[4];  /* "type base64" */
  TsrDiagnostics *diagnostics;
} Fixture;

/* ------------------------------------------------------------- ssh-keygen */

static gboolean
has_keygen (void)
{
  g_autofree char *path = g_find_program_in_path ("ssh-keygen");

  if (path == NULL)
    g_test_skip ("there is no ssh-keygen");
  return path != NULL;
}

/* (transfer full): what ssh-keygen prints; its exit status does not matter. */
static char *
run_keygen (const char *const *words)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *out = NULL;

  g_ptr_array_add (argv, (gpointer) "ssh-keygen");
  for (; *words != NULL; words++)
    g_ptr_array_add (argv, (gpointer)*words);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                NULL, NULL, &out, NULL, NULL, &error);
  g_assert_no_error (error);
  return out;
}

/* -------------------------------------------------------------------- keys */

/* A blob that has the form of a public key; it need not be one of a private key. */
static GBytes *
make_key (const char *type, const char *const *fields, guint seed)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 head[4] = { 0, 0, 0, (guint8)strlen (type) };

  g_byte_array_append (bytes, head, 4);
  g_byte_array_append (bytes, (const guint8 *)type, (guint)strlen (type));
  for (; *fields != NULL; fields++)
    {
      gsize length = (gsize)g_ascii_strtoull (*fields, NULL, 10);
      g_autofree guint8 *field = g_malloc0 (length);
      guint8 size[4] = { 0, 0, (guint8)(length >> 8), (guint8)length };

      for (gsize i = 0; i < length; i++)
        field[i] = (guint8)(seed * 31 + i * 7 + 1) | 1;
      if (length > 100)
        field[0] = 0; /* a positive number */
      g_byte_array_append (bytes, size, 4);
      g_byte_array_append (bytes, field, (guint)length);
    }
  return g_byte_array_free_to_bytes (bytes);
}

/* (transfer full): "type base64" as it stands in a file. */
static char *
dup_text (GBytes *key, const char *type)
{
  gsize size;
  const guchar *bytes = g_bytes_get_data (key, &size);
  g_autofree char *text = g_base64_encode (bytes, size);

  return g_strdup_printf ("%s %s", type, text);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const char *const short_fields[] = { "32", NULL };
  const char *const rsa_fields[] = { "3", "257", NULL };
  static const char *const types[]
      = { "ssh-ed25519", "ssh-ed25519", "sk-ssh-other@example.com", "ssh-rsa" };

  fixture->folder = tsr_test_folder_new ();
  fixture->file = g_build_filename (fixture->folder, "known_hosts", NULL);
  fixture->diagnostics = tsr_diagnostics_new ();
  for (guint i = 0; i < 4; i++)
    {
      fixture->keys[i] = make_key (types[i], i == 3 ? rsa_fields : short_fields, i + 1);
      fixture->texts[i] = dup_text (fixture->keys[i], types[i]);
    }
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 4; i++)
    {
      g_bytes_unref (fixture->keys[i]);
      g_free (fixture->texts[i]);
    }
  tsr_diagnostics_unref (fixture->diagnostics);
  g_free (fixture->file);
  tsr_test_folder_free (fixture->folder);
}

/* Writes the file; $0 to $3 are the keys. */
static void
write_file (Fixture *fixture, const char *text)
{
  GString *out = g_string_new (text);

  for (guint i = 0; i < 4; i++)
    {
      const char name[] = { '$', (char)('0' + i), '\0' };

      g_string_replace (out, name, fixture->texts[i], 0);
    }
  tsr_test_write (fixture->folder, "known_hosts", out->str, (gssize)out->len);
  g_string_free (out, TRUE);
}

static TsrHostKeyState
check_files (Fixture *fixture,
             const char *const *files,
             const char *name,
             guint port,
             guint key,
             guint *line)
{
  TsrHostKeyVerdict verdict = { TSR_HOST_KEY_UNKNOWN };
  g_autofree char *text = NULL;
  TsrHostKeyState state;

  tsr_known_hosts_check (files, name, port, "ssh-ed25519", fixture->keys[key], fixture->diagnostics,
                         &verdict);
  state = verdict.state;
  g_assert_true ((verdict.error != NULL) == (state == TSR_HOST_KEY_ERROR));
  g_assert_true ((verdict.known_fingerprint != NULL) == (verdict.line != 0));
  g_assert_true ((verdict.known_type != NULL) == (verdict.line != 0));
  if (verdict.line != 0)
    {
      const char *start, *end;

      g_assert_true (g_file_get_contents (verdict.file, &text, NULL, NULL));
      start = text;
      for (guint i = 1; i < verdict.line; i++)
        start = strchr (start, '\n') + 1;
      end = strchr (start, '\n');
      g_assert_nonnull (g_strstr_len (start, end != NULL ? end - start : -1, verdict.known_type));
    }
  else if (verdict.error != NULL)
    g_assert_false (g_file_get_contents (verdict.file, &text, NULL, NULL));
  *line = verdict.line;
  tsr_host_key_verdict_clear (&verdict);
  return state;
}

static void
expect (
    Fixture *fixture, const char *name, guint port, guint key, TsrHostKeyState state, guint line)
{
  const char *const files[] = { fixture->file, NULL };
  guint got;

  g_assert_cmpint (check_files (fixture, files, name, port, key, &got), ==, state);
  g_assert_cmpuint (got, ==, line);
}

/* ---------------------------------------------------------------- decided */

static void
test_states (Fixture *fixture, gconstpointer data)
{
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_NO_FILE, 0);
  write_file (fixture, "# comment\n\n  other,node $0 me@here\nnode $3\n");
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_OK, 3);
  expect (fixture, "NODE", 0, 0, TSR_HOST_KEY_OK, 3);
  expect (fixture, "node", 22, 1, TSR_HOST_KEY_CHANGED, 3);
  expect (fixture, "node", 22, 3, TSR_HOST_KEY_OK, 4);
  expect (fixture, "node", 22, 2, TSR_HOST_KEY_OTHER, 3);
  expect (fixture, "nod", 22, 0, TSR_HOST_KEY_UNKNOWN, 0);
  expect (fixture, "othernode", 22, 0, TSR_HOST_KEY_UNKNOWN, 0);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 0);
  /* The line of the same type is named, though another stands before it. */
  write_file (fixture, "node $3\nnode $1\n");
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_CHANGED, 2);
}

static void
test_revoked (Fixture *fixture, gconstpointer data)
{
  write_file (fixture, "node $0\n@revoked n* $0\n@revoked node $1\n@revoked other $3\nnode $3\n");
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_REVOKED, 2);
  expect (fixture, "node", 22, 1, TSR_HOST_KEY_REVOKED, 3);
  expect (fixture, "node", 22, 3, TSR_HOST_KEY_OK, 5);
  expect (fixture, "n", 22, 3, TSR_HOST_KEY_UNKNOWN, 0);
  expect (fixture, "node", 2222, 0, TSR_HOST_KEY_REVOKED, 2);
  /* However it is written: behind a byte order mark, with CRLF, before a NUL. */
  write_file (fixture, "\xef\xbb\xbf@revoked node $0\r\nnode $0\r\n");
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_REVOKED, 1);
}

/* An authority's key is not the host's. */
static void
test_authority (Fixture *fixture, gconstpointer data)
{
  write_file (fixture, "@cert-authority * $0\n");
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_UNKNOWN, 0);
  expect (fixture, "node", 22, 1, TSR_HOST_KEY_UNKNOWN, 0);
}

static void
test_ports (Fixture *fixture, gconstpointer data)
{
  write_file (fixture, "[node]:8090 $0\nnode $1\n[::1]:22 $0\n::1 $1\n");
  expect (fixture, "node", 8090, 0, TSR_HOST_KEY_OK, 1);
  expect (fixture, "node", 22, 1, TSR_HOST_KEY_OK, 2);
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_CHANGED, 2);
  /* As ssh: without a line for the port, the line without a port is good for a yes only. */
  expect (fixture, "node", 8091, 1, TSR_HOST_KEY_OK, 2);
  expect (fixture, "node", 8091, 0, TSR_HOST_KEY_UNKNOWN, 0);
  expect (fixture, "node", 8090, 1, TSR_HOST_KEY_CHANGED, 1);
  expect (fixture, "::1", 22, 1, TSR_HOST_KEY_OK, 4);
}

static void
test_several_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "global", NULL);
  g_autofree char *none = g_build_filename (fixture->folder, "none", NULL);
  const char *const files[] = { fixture->file, none, other, NULL };
  const char *const missing[] = { none, NULL };
  const char *const folder[] = { fixture->file, fixture->folder, NULL };
  const char *const null[] = { fixture->file, "/dev/null", NULL };
  g_autofree char *line
      = g_strdup_printf ("node %s\n@revoked node %s\n", fixture->texts[1], fixture->texts[3]);
  guint got;

  tsr_test_write (fixture->folder, "global", line, -1);
  write_file (fixture, "node $0\nnode $3\n");
  g_assert_cmpint (check_files (fixture, files, "node", 22, 0, &got), ==, TSR_HOST_KEY_OK);
  g_assert_cmpint (check_files (fixture, files, "node", 22, 1, &got), ==, TSR_HOST_KEY_OK);
  g_assert_cmpint (check_files (fixture, files, "node", 22, 3, &got), ==, TSR_HOST_KEY_REVOKED);
  g_assert_cmpuint (got, ==, 2);
  g_assert_cmpint (check_files (fixture, missing, "node", 22, 0, &got), ==, TSR_HOST_KEY_NO_FILE);
  g_assert_cmpint (check_files (fixture, null, "new", 22, 0, &got), ==, TSR_HOST_KEY_UNKNOWN);
  /* What may stand in a file that cannot be read, nobody knows. */
  g_assert_cmpint (check_files (fixture, folder, "node", 22, 0, &got), ==, TSR_HOST_KEY_ERROR);
  g_assert_cmpint (g_chmod (other, 0), ==, 0);
  g_assert_cmpint (check_files (fixture, files, "node", 22, 0, &got), ==, TSR_HOST_KEY_ERROR);
}

static void
test_types (Fixture *fixture, gconstpointer data)
{
  const char *const files[] = { fixture->file, NULL };
  g_auto (GStrv) types = NULL;
  g_auto (GStrv) other = NULL;
  g_auto (GStrv) none = NULL;
  g_autofree char *text = NULL;

  write_file (fixture, "node $3\n@revoked node $2\nnode $0\nnode $1\n[node]:24 $0\n");
  types = tsr_known_hosts_dup_types (files, "node", 23);
  text = g_strjoinv (" ", types);
  g_assert_cmpstr (text, ==, "ssh-rsa ssh-ed25519");
  other = tsr_known_hosts_dup_types (files, "node", 24);
  g_assert_cmpuint (g_strv_length (other), ==, 1);
  none = tsr_known_hosts_dup_types (files, "new", 22);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

/* ------------------------------------------- compared with ssh-keygen -F */

/* (transfer full): numbers of the lines that ssh-keygen finds, with its marks. */
static char *
dup_found_lines (const char *file, const char *name)
{
  g_autofree char *out = run_keygen ((const char *[]){ "-F", name, "-f", file, NULL });
  g_auto (GStrv) lines = g_strsplit (out, "\n", -1);
  GString *found = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++)
    {
      const char *at = strstr (*line, " found: line ");

      if (g_str_has_prefix (*line, "# Host ") && at != NULL)
        g_string_append_printf (found, "%d%s ", atoi (at + strlen (" found: line ")),
                                strstr (at, "REVOKED") != NULL ? "r"
                                : strstr (at, "CA") != NULL    ? "c"
                                                               : "");
    }
  return g_string_free (found, FALSE);
}

/* The same from our side: a line alone in a file is for a name when its key is not unknown there.
 */
static char *
dup_our_lines (Fixture *fixture, const char *text, const char *name, guint port)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *found = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *one = g_build_filename (fixture->folder, "one", NULL);
      const char *const files[] = { one, NULL };
      gboolean is_authority = g_str_has_prefix (lines[i], "@cert-authority");
      TsrHostKeyState state;
      guint line;

      tsr_test_write (fixture->folder, "one",
                      is_authority ? lines[i] + strlen ("@cert-authority") : lines[i], -1);
      state = check_files (fixture, files, name, port, 0, &line);
      if (state == TSR_HOST_KEY_OK || state == TSR_HOST_KEY_CHANGED || state == TSR_HOST_KEY_OTHER
          || state == TSR_HOST_KEY_REVOKED)
        g_string_append_printf (found, "%u%s ", i + 1,
                                state == TSR_HOST_KEY_REVOKED ? "r"
                                : is_authority                ? "c"
                                                              : "");
    }
  return g_string_free (found, FALSE);
}

/* Each name, with the port behind a space where it has one. */
static const char *const asked[] = {
  "node",           "Node.lab.org", "node.lab.org",
  "a.lab.org",      "b.lab.org",    "gate",
  "gate 2222",      "[::1]",        "::1",
  "::1 2222",       "192.168.1.1",  "x",
  "192.168.1.1 22", "node 8090",    "*",
  "n?de",           "ab",           "",
  "deep.a.b.c",     "UPPER",        "upper",
  "hashed",         "hashed 23",    "HASHED",
};

static void
test_like_keygen (Fixture *fixture, gconstpointer data)
{
  static const char file[]
      = "node $0\nnode.lab.org,192.168.1.1 $0\n*.lab.org,!b.lab.org $0\n!a.lab.org,*.lab.org $0\n"
        "[gate]:2222 $0\n[*]:2222 $0\n[::1]:2222,::1 $0\nn?de $0\n@revoked * $0\n"
        "@cert-authority *.lab.org $0\n  \tspaced,node\t $0 a comment\nUPPER $0\nupper $0\n"
        "*.*.*.* $0\n192.168.?.* $0\n!node $0\n,node, $0\nnode,, $0\n?,?? $0\n*a*b* $0\n"
        "# node $0\nnode $0";
  g_autofree char *text = NULL;
  g_autofree char *hashes = NULL;

  if (!has_keygen ())
    return;
  /* ssh-keygen hashes a file in place. */
  write_file (fixture, "hashed $0\n[hashed]:23 $0\n");
  g_free (run_keygen ((const char *[]){ "-H", "-f", fixture->file, NULL }));
  g_assert_true (g_file_get_contents (fixture->file, &hashes, NULL, NULL));
  g_assert_true (g_str_has_prefix (hashes, "|1|"));
  text = g_strconcat (file, "\n", hashes, NULL);
  write_file (fixture, text);
  g_free (g_steal_pointer (&text));
  g_assert_true (g_file_get_contents (fixture->file, &text, NULL, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_auto (GStrv) words = g_strsplit (asked[i], " ", 2);
      guint port = words[0] != NULL && words[1] != NULL ? (guint)atoi (words[1]) : 22;
      const char *name = words[0] != NULL ? words[0] : "";
      g_autofree char *written
          = port == 22 ? g_ascii_strdown (name, -1) : g_strdup_printf ("[%s]:%u", name, port);
      g_autofree char *theirs = NULL;
      g_autofree char *ours = NULL;

      /* ssh-keygen takes no empty name, and ssh none with a pattern's characters. */
      if (*name == '\0')
        continue;
      theirs = dup_found_lines (fixture->file, written);
      ours = dup_our_lines (fixture, text, written, 22);
      g_test_message ("%s: %s", written, theirs);
      g_assert_cmpstr (ours, ==, theirs);
      if (port != 22)
        {
          /* The name put together by us finds no fewer. */
          g_autofree char *put = dup_our_lines (fixture, text, name, port);
          g_auto (GStrv) each = g_strsplit (g_strchomp (theirs), " ", -1);

          for (char **one = each; *one != NULL; one++)
            g_assert_nonnull (strstr (put, *one));
        }
    }
}

/* A hash of the name with the letters that were given is found by those alone, one of small letters
 * by any. */
static void
test_hash_of_letters (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "Node.Lab", "node.lab" };
  static const char *const asked_for[] = { "Node.Lab", "node.lab", "NODE.lab" };
  static const gboolean found[2][3] = { { TRUE, FALSE, FALSE }, { TRUE, TRUE, TRUE } };
  const guchar salt[21] = "12345678901234567890";

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA1, salt, 20);
      guint8 digest[20];
      gsize length = sizeof digest;
      g_autofree char *salt_text = g_base64_encode (salt, 20);
      g_autofree char *sum = NULL, *text = NULL, *whole = NULL;

      g_hmac_update (hmac, (const guchar *)names[i], -1);
      g_hmac_get_digest (hmac, digest, &length);
      sum = g_base64_encode (digest, sizeof digest);
      text = g_strdup_printf ("|1|%s|%s $0\n", salt_text, sum);
      write_file (fixture, text);
      g_assert_true (g_file_get_contents (fixture->file, &whole, NULL, NULL));
      for (guint k = 0; k < G_N_ELEMENTS (asked_for); k++)
        {
          g_autofree char *ours = dup_our_lines (fixture, whole, asked_for[k], 22);

          g_assert_cmpint (*ours != '\0', ==, found[i][k]);
        }
    }
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 0);
}

/* As a pattern is explained: "*" stands for any number of characters, "?" for one. */
static gboolean
is_like (const char *text, const char *pattern)
{
  if (*pattern == '*')
    return is_like (text, pattern + 1) || (*text != '\0' && is_like (text + 1, pattern));
  if (*text == '\0' || *pattern == '\0')
    return *text == *pattern;
  return (*pattern == '?' || *pattern == *text) && is_like (text + 1, pattern + 1);
}

/* All patterns of up to five of four characters, and all texts of up to five of two. */
static void
test_patterns (Fixture *fixture, gconstpointer data)
{
  static const char letters[] = "ab*?";

  for (guint p = 0; p < 6 * 1024; p++)
    for (guint t = 0; t < 6 * 32; t++)
      {
        char pattern[6] = "", text[6] = "";

        for (guint i = 0; i < p / 1024; i++)
          pattern[i] = letters[p >> (2 * i) & 3];
        for (guint i = 0; i < t / 32; i++)
          text[i] = letters[t >> i & 1];
        if (tsr_ssh_pattern_match (text, pattern) != is_like (text, pattern))
          g_error ("\"%s\" and \"%s\"", text, pattern);
      }
}

/* ----------------------------------------------- compared with ssh-keygen -l */

static void
test_fingerprints (Fixture *fixture, gconstpointer data)
{
  static const char *const types[] = { "ed25519", "ecdsa", "rsa" };

  if (!has_keygen ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, types[i], NULL);
      g_autofree char *public = g_strconcat (path, ".pub", NULL);
      g_autofree char *text = NULL;
      g_autofree char *out = NULL;
      g_autofree char *ours = NULL;
      g_autofree guchar *bytes = NULL;
      g_autoptr (GBytes) key = NULL;
      g_auto (GStrv) words = NULL;
      g_auto (GStrv) said = NULL;
      gsize length;

      g_free (run_keygen (
          (const char *[]){ "-q", "-t", types[i], "-N", "", "-C", "x", "-f", path, NULL }));
      g_assert_true (g_file_get_contents (public, &text, NULL, NULL));
      words = g_strsplit (text, " ", 3);
      bytes = g_base64_decode (words[1], &length);
      key = g_bytes_new (bytes, length);
      out = run_keygen ((const char *[]){ "-l", "-f", public, NULL });
      said = g_strsplit (out, " ", 4);
      ours = tsr_host_key_fingerprint (key);
      g_assert_cmpstr (ours, ==, said[1]);
      /* And that key is good in a file that ssh-keygen reads. */
      g_assert_true (tsr_known_hosts_add (fixture->file, types[i], 22, words[0], key, TRUE, NULL));
      g_free (g_steal_pointer (&out));
      out = run_keygen ((const char *[]){ "-l", "-F", types[i], "-f", fixture->file, NULL });
      g_assert_nonnull (strstr (out, ours));
    }
}

/* --------------------------------------------------------------------- add */

static char *
read_text (const char *file)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  return text;
}

static void
add (Fixture *fixture, const char *name, guint port, guint key, gboolean hashed)
{
  g_autoptr (GError) error = NULL;

  tsr_known_hosts_add (fixture->file, name, port, "ssh-ed25519", fixture->keys[key], hashed,
                       &error);
  g_assert_no_error (error);
}

static void
test_add (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *want = NULL;
  struct stat status;

  write_file (fixture, "# mine\nother $1"); /* no newline at its end */
  add (fixture, "Node", 22, 0, FALSE);
  add (fixture, "127.0.0.1", 8090, 3, FALSE);
  add (fixture, "::1", 22, 0, FALSE);
  add (fixture, "::1", 2222, 0, FALSE);
  text = read_text (fixture->file);
  want = g_strdup_printf ("# mine\nother %s\nnode %s\n[127.0.0.1]:8090 %s\n::1 %s\n[::1]:2222 %s\n",
                          fixture->texts[1], fixture->texts[0], fixture->texts[3],
                          fixture->texts[0], fixture->texts[0]);
  g_assert_cmpstr (text, ==, want);
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_OK, 3);
  expect (fixture, "127.0.0.1", 8090, 3, TSR_HOST_KEY_OK, 4);
  expect (fixture, "::1", 2222, 0, TSR_HOST_KEY_OK, 6);
  g_assert_cmpint (g_stat (fixture->file, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0644); /* as it was */
}

static void
test_add_hashed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *found = NULL;

  add (fixture, "Node", 22, 0, TRUE);
  add (fixture, "node", 2222, 0, TRUE);
  text = read_text (fixture->file);
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  for (guint i = 0; i < 2; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "|", -1);
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 2);

      g_assert_cmpuint (g_strv_length (parts), ==, 4);
      g_assert_cmpstr (parts[1], ==, "1");
      g_assert_cmpuint (strlen (parts[2]), ==, 28);
      g_assert_cmpstr (words[1], ==, fixture->texts[0]);
    }
  g_assert_null (strstr (text, "node"));
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_OK, 1);
  expect (fixture, "node", 2222, 0, TSR_HOST_KEY_OK, 2);
  expect (fixture, "node", 23, 1, TSR_HOST_KEY_UNKNOWN, 0);
  if (has_keygen ())
    {
      found = dup_found_lines (fixture->file, "[node]:2222");
      g_assert_cmpstr (found, ==, "2 ");
    }
}

static void
test_add_new_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "home", ".ssh", NULL);
  g_autofree char *file = g_build_filename (folder, "known_hosts", NULL);
  g_autoptr (GError) error = NULL;
  struct stat status;

  g_assert_true (tsr_known_hosts_add (file, "n", 22, "x", fixture->keys[0], FALSE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (folder, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_stat (file, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
}

static void
test_add_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const names[]
      = { "", "a b", "a,b", "*", "a?", "!a", "@revoked", "#a", "|1|a", "a\nb", "a\tb", "a\x7f" };
  g_autoptr (GBytes) none = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) odd = g_bytes_new_static ("\0\0\0\3a b", 7);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (
          tsr_known_hosts_add (fixture->file, names[i], 22, "x", fixture->keys[0], FALSE, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
  g_assert_false (tsr_known_hosts_add (fixture->file, "a", 22, "x", none, FALSE, NULL));
  g_assert_false (tsr_known_hosts_add (fixture->file, "a", 22, "x", odd, FALSE, NULL));
  g_assert_false (g_file_test (fixture->file, G_FILE_TEST_EXISTS));
  g_assert_false (
      tsr_known_hosts_add (fixture->folder, "a", 22, "x", fixture->keys[0], FALSE, NULL));
  g_assert_true (tsr_known_hosts_add ("/dev/null", "a", 22, "x", fixture->keys[0], FALSE, NULL));
  if (g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (
          tsr_known_hosts_add ("/dev/full", "a", 22, "x", fixture->keys[0], FALSE, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
    }
}

/* Of a line that has only half of its room nothing is left. */
static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  static const gsize rooms[] = { 0, 1, 40 };
  const char *text = "other key\n";
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);
  struct rlimit old, limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rooms); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *left = NULL;
      gboolean ok;

      g_assert_true (g_file_set_contents (fixture->file, text, -1, NULL));
      limit = old;
      limit.rlim_cur = strlen (text) + rooms[i];
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      ok = tsr_known_hosts_add (fixture->file, "node", 22, "ssh-ed25519", fixture->keys[0], FALSE,
                                &error);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_false (ok);
      if (rooms[i] > 0)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      g_assert_nonnull (strstr (error->message, fixture->file));
      left = read_text (fixture->file);
      g_assert_cmpstr (left, ==, text);
    }
  signal (SIGXFSZ, handler);
}

/* What is there and cannot be read is told apart from what is not there. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *loop = g_build_filename (fixture->folder, "loop", NULL);
  g_autofree char *missing = g_build_filename (fixture->folder, "not", "there", NULL);
  g_autofree char *below_file = g_build_filename (fixture->file, "below", NULL);
  const struct
  {
    const char *path;
    gboolean is_missing;
  } cases[]
      = { { loop, FALSE }, { fixture->folder, FALSE }, { missing, TRUE }, { below_file, TRUE } };

  write_file (fixture, "");
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize length;
      g_autofree char *text = tsr_ssh_text_read (cases[i].path, &length, &error);

      g_assert_null (text);
      g_assert_true (cases[i].is_missing == (error == NULL));
      if (error != NULL)
        g_assert_nonnull (strstr (error->message, cases[i].path));
    }
}

/* The longest text that is read, and one of a byte more. */
static void
test_longest (Fixture *fixture, gconstpointer data)
{
  for (gint64 more = 0; more < 2; more++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      gsize length;

      write_file (fixture, "first");
      g_assert_cmpint (truncate (fixture->file, TSR_SSH_TEXT_MAX + more), ==, 0);
      text = tsr_ssh_text_read (fixture->file, &length, &error);
      g_assert_true (text != NULL || error != NULL); /* it is there */
      if (more == 0)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (length, ==, TSR_SSH_TEXT_MAX);
          g_assert_cmpstr (text, ==, "first");
        }
      else
        {
          g_assert_null (text);
          g_assert_nonnull (strstr (error->message, fixture->file));
        }
    }
}

/* What is read as base64 is what has its form, letter by letter. */
static void
test_base64 (Fixture *fixture, gconstpointer data)
{
  static const char *const instead[] = { "", "=", "==", "!", "A" };
  const char *const files[] = { fixture->file, NULL };
  g_autoptr (GRegex) form
      = g_regex_new ("^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", 0, 0, NULL);
  guint n_good = 0;

  for (guint bytes = 1; bytes <= 6; bytes++)
    {
      g_autofree char *field = g_strdup_printf ("%u", bytes);
      g_autoptr (GBytes) key = make_key ("ssh-ed25519", (const char *[]){ field, NULL }, bytes);
      g_autofree char *text = dup_text (key, "");

      /* Behind what says the type. */
      for (gsize at = 21; at < strlen (text); at++)
        for (guint i = 0; i < G_N_ELEMENTS (instead); i++)
          {
            g_autofree char *changed
                = g_strdup_printf ("%.*s%s%s", (int)at - 1, text + 1, instead[i], text + at + 1);
            g_autofree char *line = g_strdup_printf ("node ssh-ed25519 %s\n", changed);
            const gboolean good = g_regex_match (form, changed, 0, NULL);
            g_auto (GStrv) types = NULL;

            tsr_test_write (fixture->folder, "known_hosts", line, -1);
            types = tsr_known_hosts_dup_types (files, "node", 22);
            g_assert_cmpuint (g_strv_length (types), ==, good);
            n_good += good;
          }
    }
  g_assert_cmpuint (n_good, >, 20);
}

/* ----------------------------------------------------------------- hostile */

static void
test_damage (Fixture *fixture, gconstpointer data)
{
  static const char kinds[] = "idtmh";
  static const char *const said[]
      = { "is incomplete", "cannot be decoded", "of another type", "unknown mark", "hash" };
  g_autoptr (GString) told = g_string_new (NULL); /* of each line, in order */

  write_file (fixture, "node\nnode ssh-rsa\nnode ssh-rsa !!!!\nnode ssh-rsa AAAA\n@odd node $0\n"
                       "@revoked @revoked node $0\n|1|abc|def $0\n|1|====|==== $0\n|2|x|y $0\n"
                       "node ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAA\nnode 1024 35 123456789\n"
                       "node ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI=\n\xff\xfe\x01 $0\n@revoked\n"
                       "|1|AAAAAAAAAAAAAAAAAAAAAAAAAAA=|AAAAAAAAAAAAAAAAAAAAAAAAAAAA $0\n"
                       "@cert-authority\nnode # $0\nnode ssh-ed25519 # x\n@ node $0\n"
                       /* A hash that is none, and keys that say that their type is longer: by a
                          byte, by 2^16 and by 2^24 bytes. */
                       "|1|AAAAAAAAAAAAAAAAAAAAAAAAAAA=|!!!!!!!!!!!!!!!!!!!!!!!!!!!= $0\n"
                       "node ssh-ed25519 AAAAC3NzaC1lZDI=\nnode ssh-ed25519 AAEAC3NzaC1lZDI1NTE5\n"
                       "node ssh-ed25519 AQAAC3NzaC1lZDI1NTE5\n");
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_UNKNOWN, 0);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 22);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (fixture->diagnostics); i++)
    {
      const TsrDiagnostic *one = tsr_diagnostics_get (fixture->diagnostics, i);

      g_assert_cmpint (one->row, ==, i < 12 ? i + 1 : i + 2);
      g_assert_cmpstr (one->file, ==, fixture->file);
      for (guint k = 0; k < strlen (kinds); k++)
        if (strstr (one->text, said[k]) != NULL)
          g_string_append_c (told, kinds[k]);
    }
  g_assert_cmpstr (told->str, ==, "iiddmihhhtddihiiimhd");
  /* Each once, also where a host is looked for with its port and without. */
  expect (fixture, "node", 2222, 0, TSR_HOST_KEY_UNKNOWN, 0);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 44);
}

static void
test_nul_bytes (Fixture *fixture, gconstpointer data)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "@revoked node %s", fixture->texts[0]);
  g_string_append_len (text, "\0 junk\n\0\nno\0de x\n", 17);
  g_string_append_printf (text, "node %s\n", fixture->texts[0]);
  tsr_test_write (fixture->folder, "known_hosts", text->str, (gssize)text->len);
  g_string_free (text, TRUE);
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_REVOKED, 1);
}

/* 10^5 lines, a line of 10 MB, a pattern that makes naive matching run for ever. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  GString *text = g_string_new (NULL);
  g_autofree char *name = g_strnfill (250, 'a');
  gint64 start;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (
        text, i % 2 == 0 ? "host%u %s\n" : "|1|AAAAAAAAAAAAAAAAAAAAAAAAAAA=|%028u= %s\n", i,
        fixture->texts[i % 4]);
  for (guint i = 0; i < (1 << 20) / 3; i++)
    g_string_append (text, "*a,");
  g_string_append_printf (text, "b %s\n", fixture->texts[0]);
  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "*a");
  g_string_append_printf (text, "b %s\n", fixture->texts[0]);
  for (guint i = 0; i < 1 << 20; i++)
    g_string_append (text, "*");
  g_string_append_printf (text, "b %s\nnode %s", fixture->texts[1], fixture->texts[0]);
  tsr_test_write (fixture->folder, "known_hosts", text->str, (gssize)text->len);
  g_string_free (text, TRUE);
  start = g_get_monotonic_time ();
  expect (fixture, "node", 22, 0, TSR_HOST_KEY_OK, 100004);
  expect (fixture, "host70000", 22, 0, TSR_HOST_KEY_OK, 70001);
  expect (fixture, name, 22, 0, TSR_HOST_KEY_OK, 100001);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/known-hosts/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tsr_test_obey_modes ();
  ADD ("states", test_states);
  ADD ("revoked", test_revoked);
  ADD ("authority", test_authority);
  ADD ("ports", test_ports);
  ADD ("several-files", test_several_files);
  ADD ("types", test_types);
  ADD ("like-keygen", test_like_keygen);
  ADD ("fingerprints", test_fingerprints);
  ADD ("add", test_add);
  ADD ("add-hashed", test_add_hashed);
  ADD ("hash-of-letters", test_hash_of_letters);
  ADD ("patterns", test_patterns);
  ADD ("add-new-folder", test_add_new_folder);
  ADD ("add-refused", test_add_refused);
  ADD ("full-disk", test_full_disk);
  ADD ("unreadable", test_unreadable);
  ADD ("longest", test_longest);
  ADD ("damage", test_damage);
  ADD ("base64", test_base64);
  ADD ("nul-bytes", test_nul_bytes);
  ADD ("large", test_large);
  return g_test_run ();
}
