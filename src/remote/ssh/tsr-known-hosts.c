/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Does what OpenSSH's hostfile.c does, line for line, with two differences: if a file exists but
 * cannot be read, the host is refused, and a revoked key is also revoked for the host's other
 * ports. */

#include "config.h"

#include "tsr-known-hosts.h"

#include "tsr-ssh-text.h"
#include "tsr-wire.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define SALT_BYTES 20 /* of HMAC-SHA1 */

void
tsr_host_key_verdict_clear (TsrHostKeyVerdict *verdict)
{
  g_clear_pointer (&verdict->file, g_free);
  g_clear_pointer (&verdict->known_type, g_free);
  g_clear_pointer (&verdict->known_fingerprint, g_free);
  g_clear_error (&verdict->error);
  *verdict = (TsrHostKeyVerdict){ TSR_HOST_KEY_UNKNOWN };
}

char *
tsr_host_key_fingerprint (GBytes *key)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *text = NULL;
  guint8 digest[32];
  gsize length = sizeof digest;
  gsize size;
  const guchar *bytes = g_bytes_get_data (key, &size);

  g_checksum_update (sum, bytes, (gssize)size);
  g_checksum_get_digest (sum, digest, &length);
  text = g_base64_encode (digest, length);
  *strchrnul (text, '=') = '\0';
  return g_strconcat ("SHA256:", text, NULL);
}

/* -------------------------------------------------------------------- keys */

/* (transfer full) (nullable, of 0 bytes): strictly, unlike g_base64_decode, which passes over what
 * is off.  What is behind @length is no letter of it. */
static guchar *
decode (const char *text, gsize length, gsize *n_bytes)
{
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  gsize n = strspn (text, alphabet);
  g_autofree char *copy = NULL;

  *n_bytes = 0;
  if (length % 4 != 0 || length - n > 2 || strspn (text + n, "=") < length - n)
    return NULL;
  copy = g_strndup (text, length);
  return g_base64_decode (copy, n_bytes);
}

/* (transfer full) (nullable): the name of its type at the head of a public key's blob. */
static char *
dup_blob_type (const guchar *bytes, gsize size)
{
  TsrWire blob = { bytes, size };
  const guint8 *type;
  gsize length;

  if (!tsr_wire_take_string (&blob, &type, &length) || memchr (type, 0, length) != NULL)
    return NULL;
  return g_strndup ((const char *)type, length);
}

/* ------------------------------------------------------------------- lines */

typedef enum
{
  MARK_NONE,
  MARK_REVOKED,
  MARK_AUTHORITY,
} Mark;

typedef struct
{
  Mark mark;
  const char *hosts; /* patterns, or |1|salt|hmac */
  const char *type;
  const char *key; /* base64 */
} Line;

typedef struct
{
  const char *file;
  guint n; /* of the line, from 1 */
  TsrDiagnostics *diagnostics;
} Where;

static void
say (const Where *where, const char *text)
{
  g_autofree char *name = NULL;

  if (where->diagnostics == NULL)
    return;
  name = g_filename_display_name (where->file);
  tsr_diagnostics_add (where->diagnostics, TSR_SEVERITY_WARNING, "known-hosts", name, NULL,
                       (gint64)where->n, TSR_NO_ROW, "%s", text);
}

/* (nullable): the next word, ended in place; *@at goes behind it. */
static char *
next_word (char **at)
{
  char *word = *at + strspn (*at, " \t");
  char *end = word + strcspn (word, " \t");

  *at = *end != '\0' ? end + 1 : end;
  *end = '\0';
  return *word != '\0' ? word : NULL;
}

/* FALSE: a comment, empty, or nothing that can be used, which was said. */
static gboolean
read_line (char *text, const Where *where, Line *line)
{
  char *word = next_word (&text);

  *line = (Line){ MARK_NONE };
  if (word == NULL || *word == '#')
    return FALSE;
  if (*word == '@')
    {
      if (g_str_equal (word, "@revoked"))
        line->mark = MARK_REVOKED;
      else if (g_str_equal (word, "@cert-authority"))
        line->mark = MARK_AUTHORITY;
      else
        {
          say (where, _ ("The line has an unknown mark and is ignored"));
          return FALSE;
        }
      word = next_word (&text);
    }
  line->hosts = word;
  line->type = next_word (&text);
  line->key = next_word (&text);
  if (line->key == NULL || *line->hosts == '@' || *line->type == '#' || *line->key == '#')
    {
      say (where, _ ("The line is incomplete and is ignored"));
      return FALSE;
    }
  return TRUE;
}

/* (transfer full) (nullable): the line's key; NULL after a message if it is not valid. */
static GBytes *
read_key (const Line *line, const Where *where)
{
  gsize size;
  guchar *bytes = decode (line->key, strlen (line->key), &size);
  g_autofree char *type = dup_blob_type (bytes, size);

  if (type != NULL && g_str_equal (type, line->type))
    return g_bytes_new_take (bytes, size);
  say (where,
       type == NULL
           ? _ ("The line's key cannot be decoded; the line is ignored")
           : _ ("The line's key is of another type than the line says; the line is ignored"));
  g_free (bytes);
  return NULL;
}

/* ------------------------------------------------------------------- names */

/* What a host may be written as: with its port, and without it, where OpenSSH looks when nothing is
 * known about the port. */
typedef struct
{
  char *given; /* hashes are made of it, too */
  char *lower;
} Name;

enum
{
  WITH_PORT,
  WITHOUT_PORT,
  N_NAMES
};

typedef struct
{
  Name names[N_NAMES];
} Names;

static char *
dup_written (const char *name, guint port)
{
  return port == 22 ? g_strdup (name) : g_strdup_printf ("[%s]:%u", name, port);
}

static Names
names_of (const char *name, guint port)
{
  Names names = { { { dup_written (name, port) }, { g_strdup (name) } } };

  for (guint i = 0; i < N_NAMES; i++)
    names.names[i].lower = g_ascii_strdown (names.names[i].given, -1);
  return names;
}

static void
names_clear (Names *names)
{
  for (guint i = 0; i < N_NAMES; i++)
    {
      g_free (names->names[i].given);
      g_free (names->names[i].lower);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Names, names_clear)

static void
get_hmac (const char *name, const guchar *salt, guint8 digest[SALT_BYTES])
{
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA1, salt, SALT_BYTES);
  gsize length = SALT_BYTES;

  g_hmac_update (hmac, (const guchar *)name, -1);
  g_hmac_get_digest (hmac, digest, &length);
}

/* FALSE: not of the form |1|salt|hmac. */
static gboolean
match_hash (const char *hash, const Name *name, gboolean *matches)
{
  const char *bar = g_str_has_prefix (hash, "|1|") ? strchr (hash + 3, '|') : NULL;
  g_autofree guchar *salt = NULL;
  g_autofree guchar *wanted = NULL;
  guint8 digest[SALT_BYTES];
  gsize n_salt, n_wanted;

  if (bar == NULL)
    return FALSE;
  salt = decode (hash + 3, (gsize)(bar - hash - 3), &n_salt);
  wanted = decode (bar + 1, strlen (bar + 1), &n_wanted);
  if (n_salt != SALT_BYTES || n_wanted != SALT_BYTES)
    return FALSE;
  get_hmac (name->lower, salt, digest);
  *matches = memcmp (digest, wanted, SALT_BYTES) == 0;
  if (!*matches && !g_str_equal (name->lower, name->given))
    {
      get_hmac (name->given, salt, digest);
      *matches = memcmp (digest, wanted, SALT_BYTES) == 0;
    }
  return TRUE;
}

static gboolean
match_hosts (const Line *line, const Name *name, const Where *where)
{
  gboolean matches = FALSE;

  if (*line->hosts != '|')
    return tsr_ssh_pattern_match_list (name->lower, line->hosts, TRUE) == 1;
  if (!match_hash (line->hosts, name, &matches))
    say (where, _ ("The line's hashed name is not valid; the line is ignored"));
  return matches;
}

/* -------------------------------------------------------------------- scan */

/* @which: bit of each name that the line is for. */
typedef void (*LineFunc) (const Line *line, guint which, const Where *where, gpointer data);

/* Calls @func with each line for one of @names.  FALSE: the file is not there, or (with an error)
 * cannot be read. */
static gboolean
scan_file (const char *file,
           const Names *names,
           LineFunc func,
           gpointer data,
           TsrDiagnostics *diagnostics,
           GError **error)
{
  Where where = { file, 0, diagnostics };
  gsize length;
  g_autofree char *text = tsr_ssh_text_read (file, &length, error);
  char *at, *one;

  if (text == NULL)
    return FALSE;
  at = tsr_ssh_text_skip_mark (text);
  while ((one = tsr_ssh_text_next_line (&at, text + length)) != NULL)
    {
      Line line;
      guint which = 0;

      where.n++;
      if (!read_line (one, &where, &line))
        continue;
      for (guint i = 0; i < N_NAMES; i++)
        {
          if (match_hosts (&line, &names->names[i], &where))
            which |= 1u << i;
          where.diagnostics = NULL; /* said once */
        }
      where.diagnostics = diagnostics;
      if (which != 0)
        func (&line, which, &where, data);
    }
  return TRUE;
}

/* ------------------------------------------------------------------- check */

typedef struct
{
  GBytes *key;
  const char *type;
  TsrHostKeyVerdict verdicts[N_NAMES];
} Check;

/* A line counts more than what was found before. */
static int
get_weight (TsrHostKeyState state)
{
  static const int weights[] = {
    [TSR_HOST_KEY_UNKNOWN] = 0, [TSR_HOST_KEY_OTHER] = 1,   [TSR_HOST_KEY_CHANGED] = 2,
    [TSR_HOST_KEY_OK] = 3,      [TSR_HOST_KEY_REVOKED] = 4,
  };

  return weights[state];
}

static void
check_line (const Line *line, guint which, const Where *where, gpointer data)
{
  Check *check = data;
  g_autoptr (GBytes) key = NULL;
  TsrHostKeyState state;

  if (line->mark == MARK_AUTHORITY)
    return;
  key = read_key (line, where);
  if (key == NULL)
    return;
  if (g_bytes_equal (key, check->key))
    state = line->mark == MARK_REVOKED ? TSR_HOST_KEY_REVOKED : TSR_HOST_KEY_OK;
  else if (line->mark == MARK_REVOKED)
    return;
  else
    state = g_str_equal (line->type, check->type) ? TSR_HOST_KEY_CHANGED : TSR_HOST_KEY_OTHER;
  for (guint i = 0; i < N_NAMES; i++)
    {
      TsrHostKeyVerdict *verdict = &check->verdicts[i];

      if ((which & (1u << i)) == 0 || get_weight (state) <= get_weight (verdict->state))
        continue;
      tsr_host_key_verdict_clear (verdict);
      verdict->state = state;
      verdict->file = g_strdup (where->file);
      verdict->line = where->n;
      verdict->known_type = g_strdup (line->type);
      verdict->known_fingerprint = tsr_host_key_fingerprint (key);
    }
}

/* Without the port only a yes and a revocation count: another key there says nothing about what
 * listens here. */
static guint
choose (const Check *check)
{
  TsrHostKeyState with = check->verdicts[WITH_PORT].state;
  TsrHostKeyState without = check->verdicts[WITHOUT_PORT].state;

  if (without == TSR_HOST_KEY_REVOKED && with != TSR_HOST_KEY_REVOKED)
    return WITHOUT_PORT;
  return with == TSR_HOST_KEY_UNKNOWN && without == TSR_HOST_KEY_OK ? WITHOUT_PORT : WITH_PORT;
}

void
tsr_known_hosts_check (const char *const *files,
                       const char *name,
                       guint port,
                       const char *type,
                       GBytes *key,
                       TsrDiagnostics *diagnostics,
                       TsrHostKeyVerdict *verdict)
{
  g_auto (Names) names = names_of (name, port);
  g_autoptr (GError) error = NULL;
  g_autofree char *unreadable = NULL;
  g_autofree char *own = NULL;
  Check check = { key, type };
  gboolean is_there = FALSE;
  guint chosen;
  gsize size;
  const guchar *bytes = g_bytes_get_data (key, &size);

  /* "rsa-sha2-512" is a way to sign with an "ssh-rsa" key. */
  own = dup_blob_type (bytes, size);
  if (own != NULL)
    check.type = own;
  for (; files != NULL && *files != NULL; files++)
    {
      is_there |= scan_file (*files, &names, check_line, &check, diagnostics,
                             error == NULL ? &error : NULL);
      if (error != NULL && unreadable == NULL)
        unreadable = g_strdup (*files);
    }
  chosen = choose (&check);
  *verdict = check.verdicts[chosen];
  tsr_host_key_verdict_clear (&check.verdicts[1 - chosen]);
  if (error != NULL && verdict->state != TSR_HOST_KEY_REVOKED)
    {
      tsr_host_key_verdict_clear (verdict);
      verdict->state = TSR_HOST_KEY_ERROR;
      verdict->file = g_steal_pointer (&unreadable);
      verdict->error = g_steal_pointer (&error);
    }
  else if (verdict->state == TSR_HOST_KEY_UNKNOWN && !is_there)
    verdict->state = TSR_HOST_KEY_NO_FILE;
}

/* ------------------------------------------------------------------- types */

static void
add_type (const Line *line, guint which, const Where *where, gpointer data)
{
  GPtrArray **types = data;
  g_autoptr (GBytes) key = NULL;

  if (line->mark != MARK_NONE)
    return;
  key = read_key (line, where);
  for (guint i = 0; key != NULL && i < N_NAMES; i++)
    if ((which & (1u << i)) != 0
        && !g_ptr_array_find_with_equal_func (types[i], line->type, g_str_equal, NULL))
      g_ptr_array_add (types[i], g_strdup (line->type));
}

GStrv
tsr_known_hosts_dup_types (const char *const *files, const char *name, guint port)
{
  g_auto (Names) names = names_of (name, port);
  GPtrArray *types[N_NAMES] = { g_ptr_array_new (), g_ptr_array_new () };
  guint chosen;

  for (; files != NULL && *files != NULL; files++)
    scan_file (*files, &names, add_type, types, NULL, NULL);
  chosen = types[WITH_PORT]->len > 0 ? WITH_PORT : WITHOUT_PORT;
  g_ptr_array_set_free_func (types[1 - chosen], g_free);
  g_ptr_array_unref (types[1 - chosen]);
  g_ptr_array_add (types[chosen], NULL);
  return (GStrv)g_ptr_array_free (types[chosen], FALSE);
}

/* --------------------------------------------------------------------- add */

static gboolean
fail (GError **error, const char *file, int code)
{
  g_autofree char *name = g_filename_display_name (file);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               _ ("The host key could not be written to %s: %s"), name, g_strerror (code));
  return FALSE;
}

/* (transfer full) (nullable): what stands before the key; NULL with errno. */
static char *
dup_hosts (const char *name, guint port, gboolean hashed)
{
  g_autofree char *written = dup_written (name, port);
  g_autofree char *lower = g_ascii_strdown (written, -1);
  g_autofree char *salt_text = NULL;
  g_autofree char *digest_text = NULL;
  guint8 salt[SALT_BYTES], digest[SALT_BYTES];

  if (!hashed)
    return g_steal_pointer (&lower);
  if (getentropy (salt, sizeof salt) != 0)
    return NULL;
  get_hmac (lower, salt, digest);
  salt_text = g_base64_encode (salt, sizeof salt);
  digest_text = g_base64_encode (digest, sizeof digest);
  return g_strdup_printf ("|1|%s|%s", salt_text, digest_text);
}

/* A name that would be read as something else: several, a pattern, a mark, the end of the line. */
static gboolean
is_writable_name (const char *name)
{
  if (*name == '\0' || strpbrk (name, ",*?#|!@\"") != NULL)
    return FALSE;
  for (; *name != '\0'; name++)
    if ((guchar)*name <= ' ' || *name == 127)
      return FALSE;
  return TRUE;
}

/* Takes back what a full disk let through. */
static gboolean
write_line (int fd, const char *file, const char *line, GError **error)
{
  gsize length = strlen (line);
  struct stat before, after;
  ssize_t written;
  int code;

  if (fstat (fd, &before) != 0)
    return fail (error, file, errno);
  written = TEMP_FAILURE_RETRY (write (fd, line, length));
  if (written == (ssize_t)length)
    return TRUE;
  code = written < 0 ? errno : ENOSPC;
  if (written > 0 && S_ISREG (before.st_mode) && fstat (fd, &after) == 0
      && after.st_size == before.st_size + written && ftruncate (fd, before.st_size) != 0)
    code = errno;
  return fail (error, file, code);
}

/* Of an empty file there is no last byte to be read. */
static gboolean
lacks_newline (int fd)
{
  struct stat status;
  char last;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode)
         && pread (fd, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

gboolean
tsr_known_hosts_add (const char *file,
                     const char *name,
                     guint port,
                     const char *type,
                     GBytes *key,
                     gboolean hashed,
                     GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file);
  g_autofree char *hosts = NULL;
  g_autofree char *text = NULL;
  g_autofree char *own = NULL;
  g_autofree char *line = NULL;
  gboolean ok;
  gsize size;
  const guchar *bytes = g_bytes_get_data (key, &size);
  int fd;

  own = dup_blob_type (bytes, size);
  if (!is_writable_name (name) || own == NULL || strpbrk (own, " \t\r\n") != NULL)
    return fail (error, file, EINVAL);
  hosts = dup_hosts (name, port, hashed);
  if (hosts == NULL || g_mkdir_with_parents (folder, 0700) != 0)
    return fail (error, file, errno);
  fd = open (file, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  if (fd < 0)
    return fail (error, file, errno);
  text = g_base64_encode (bytes, size);
  line = g_strdup_printf ("%s%s %s %s\n", lacks_newline (fd) ? "\n" : "", hosts, own, text);
  ok = write_line (fd, file, line, error);
  if (close (fd) != 0 && ok)
    ok = fail (error, file, errno);
  return ok;
}
