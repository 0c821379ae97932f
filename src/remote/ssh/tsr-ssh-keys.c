/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Logs in with keys in OpenSSH's order: keys of the agent that ssh_config names, other keys of the
 * agent, key files that the agent does not have.  A passphrase is requested only if the server
 * accepts the key. */

#include "config.h"

#include "tsr-ssh-agent.h"
#include "tsr-ssh-login.h"
#include "tsr-wire.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_KEY_FILE  (1 << 20)
#define N_PASSPHRASES 3

typedef struct
{
  char *path;
  ssh_key public;   /* (nullable): where it can be had without a passphrase */
  GPtrArray *certs; /* of ssh_key */
  GBytes *blob;     /* (nullable): of the public key */
} KeyFile;

struct _TsrSshKeys
{
  TsrSshLogin *login;
  TsrSshAgent *agent; /* (nullable) */
  GPtrArray *files;
  gboolean noted; /* in the login's list of what was tried */
};

static void
key_file_free (gpointer data)
{
  KeyFile *file = data;

  g_free (file->path);
  SSH_KEY_FREE (file->public);
  g_ptr_array_unref (file->certs);
  g_clear_pointer (&file->blob, g_bytes_unref);
  g_free (file);
}

static void
cert_free (gpointer data)
{
  ssh_key_free (data);
}

static GBytes *
dup_blob (ssh_key key)
{
  char *text = NULL;
  guchar *blob;
  gsize length;

  if (ssh_pki_export_pubkey_base64 (key, &text) != SSH_OK)
    return NULL;
  blob = g_base64_decode (text, &length);
  ssh_string_free_char (text);
  return g_bytes_new_take (blob, length);
}

/* Neither huge, nor one that blocks (a FIFO). */
static gboolean
is_small (const struct stat *info)
{
  return S_ISREG (info->st_mode) && info->st_size <= MAX_KEY_FILE;
}

/* A file that others may read is not used. */
static gboolean
is_usable (TsrSshLogin *login, const char *path, gboolean told)
{
  struct stat info;

  if (g_stat (path, &info) != 0)
    {
      if (told)
        tsr_ssh_login_note (login, _ ("key file %s (not there)"), path);
      return FALSE;
    }
  if (!is_small (&info))
    return FALSE;
  if (info.st_uid == getuid () && (info.st_mode & 077))
    {
      tsr_ssh_login_note (
          login, _ ("key file %s (not used: others may read it; chmod 600 corrects that)"), path);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_small_file (const char *path)
{
  struct stat info;

  return g_stat (path, &info) == 0 && is_small (&info);
}

/* A certificate's blob is its type, a nonce and then what follows the type in the key's own blob
 * (PROTOCOL.certkeys of OpenSSH).  ssh_key_cmp() of 0.10 holds the two for different. */
static gboolean
is_of_key (ssh_key cert, GBytes *key)
{
  g_autoptr (GBytes) blob = dup_blob (cert);
  TsrWire of_cert, of_key;
  const guint8 *ignored;
  gsize length;

  if (blob == NULL)
    return FALSE;
  of_cert = (TsrWire){ g_bytes_get_data (blob, NULL), g_bytes_get_size (blob) };
  of_key = (TsrWire){ g_bytes_get_data (key, NULL), g_bytes_get_size (key) };
  return tsr_wire_take_string (&of_cert, &ignored, &length)
         && tsr_wire_take_string (&of_cert, &ignored, &length)
         && tsr_wire_take_string (&of_key, &ignored, &length) && of_cert.left >= of_key.left
         && memcmp (of_cert.bytes, of_key.bytes, of_key.left) == 0;
}

static void
add_cert (KeyFile *file, const char *path)
{
  ssh_key cert = NULL;

  if (!is_small_file (path) || ssh_pki_import_cert_file (path, &cert) != SSH_OK)
    return;
  if (file->blob != NULL && !is_of_key (cert, file->blob))
    ssh_key_free (cert); /* of another key */
  else
    g_ptr_array_add (file->certs, cert);
}

static KeyFile *
load_key_file (const char *path, const TsrSshHost *host)
{
  KeyFile *file = g_new0 (KeyFile, 1);
  g_autofree char *public = g_strconcat (path, ".pub", NULL);
  g_autofree char *cert = g_strconcat (path, "-cert.pub", NULL);

  file->path = g_strdup (path);
  file->certs = g_ptr_array_new_with_free_func (cert_free);
  if (is_small_file (public))
    ssh_pki_import_pubkey_file (public, &file->public);
  if (file->public == NULL && is_small_file (path))
    ssh_pki_import_pubkey_file (path, &file->public);
  if (file->public != NULL)
    file->blob = dup_blob (file->public);
  add_cert (file, cert);
  for (char **told = host->certificate_files; told && *told; told++)
    add_cert (file, *told);
  return file;
}

TsrSshKeys *
tsr_ssh_keys_new (TsrSshLogin *login)
{
  TsrSshKeys *self = g_new0 (TsrSshKeys, 1);
  const TsrSshHost *host = login->host;
  g_autoptr (GPtrArray) blobs = g_ptr_array_new ();

  self->login = login;
  self->files = g_ptr_array_new_with_free_func (key_file_free);
  for (char **path = host->identity_files; path && *path; path++)
    {
      KeyFile *file = load_key_file (*path, host);

      g_ptr_array_add (self->files, file);
      if (file->blob != NULL)
        g_ptr_array_add (blobs, file->blob);
    }
  self->agent = tsr_ssh_agent_open (host->identity_agent != NULL ? host->identity_agent
                                                                 : g_getenv ("SSH_AUTH_SOCK"),
                                    blobs, host->identities_only);
  if (self->agent != NULL)
    ssh_set_agent_socket (login->session, tsr_ssh_agent_steal_fd (self->agent));
  return self;
}

void
tsr_ssh_keys_free (TsrSshKeys *self)
{
  if (self == NULL)
    return;
  tsr_ssh_agent_free (self->agent);
  g_ptr_array_unref (self->files);
  g_free (self);
}

static void
on_agent_cancelled (GCancellable *cancellable, gpointer data)
{
  (void)cancellable;
  tsr_ssh_agent_shut_down (data);
}

static int
try_agent (TsrSshKeys *self)
{
  TsrSshLogin *login = self->login;
  guint n = tsr_ssh_agent_count (self->agent);
  gulong handler = 0;
  int result;

  tsr_ssh_login_note (login, ngettext ("%u key of the agent", "%u keys of the agent", n), n);
  login->n_agent_keys = n;
  if (login->cancellable != NULL)
    handler = g_cancellable_connect (login->cancellable, G_CALLBACK (on_agent_cancelled),
                                     self->agent, NULL);
  do
    result = ssh_userauth_agent (login->session, login->host->user);
  while (tsr_ssh_login_goes_on (login, result));
  g_cancellable_disconnect (login->cancellable, handler);
  return result;
}

/* libssh would ask on the terminal by itself without a function: this one only tells that there is
 * something to ask. */
static int
on_wants_passphrase (const char *prompt, char *buf, size_t len, int echo, int verify, void *data)
{
  (void)prompt, (void)echo, (void)verify;
  *(gboolean *)data = TRUE;
  memset (buf, 0, len);
  return -1;
}

/* (nullable): NULL without @error: the key cannot be used. */
static ssh_key
unlock (TsrSshKeys *self, KeyFile *file, GError **error)
{
  TsrSshLogin *login = self->login;
  g_autofree char *name = g_strconcat ("passphrase:", file->path, NULL);
  g_autofree char *base = g_path_get_basename (file->path);
  g_autofree char *text = g_strdup_printf (_ ("Passphrase of the key %s"), base);
  TsrPrompt prompt = { text, FALSE };
  gboolean asked = FALSE;
  ssh_key key = NULL;

  if (ssh_pki_import_privkey_file (file->path, NULL, on_wants_passphrase, &asked, &key) == SSH_OK)
    return key;
  if (!asked)
    {
      tsr_ssh_login_note (login, _ ("key file %s (cannot be read)"), file->path);
      return NULL;
    }
  for (guint attempt = 0; attempt <= N_PASSPHRASES; attempt++)
    {
      TsrQuestion question = { .kind = TSR_QUESTION_PASSPHRASE,
                               .file = file->path,
                               .attempt = attempt,
                               .prompts = &prompt,
                               .n_prompts = 1 };
      g_autoptr (TsrSecret) secret = NULL;
      TsrSshAnswer answer = TSR_SSH_ANSWERED;

      if (attempt == 0)
        {
          TsrSecret *known = g_hash_table_lookup (login->login_secrets, name);

          if (known == NULL)
            continue;
          secret = tsr_secret_ref (known);
        }
      else
        answer = tsr_ssh_ask (login, &question, &secret, error);
      if (answer != TSR_SSH_ANSWERED || !*tsr_secret_peek (secret))
        {
          if (answer != TSR_SSH_GAVE_UP)
            tsr_ssh_login_note (login, _ ("key file %s (no passphrase)"), file->path);
          return NULL;
        }
      if (ssh_pki_import_privkey_file (file->path, tsr_secret_peek (secret), NULL, NULL, &key)
          == SSH_OK)
        {
          g_hash_table_replace (login->login_secrets, g_strdup (name), g_steal_pointer (&secret));
          return key;
        }
      login->was_wrong = attempt > 0;
    }
  tsr_ssh_login_note (login, _ ("key file %s (wrong passphrase)"), file->path);
  return NULL;
}

/* Signs with @private, of which the server knows @public or one of its certificates. */
static int
sign_in (TsrSshKeys *self, ssh_key cert, ssh_key private)
{
  int result;

  if (cert != NULL && ssh_pki_copy_cert_to_privkey (cert, private) != SSH_OK)
    return SSH_AUTH_DENIED;
  do
    result = ssh_userauth_publickey (self->login->session, self->login->host->user, private);
  while (tsr_ssh_login_goes_on (self->login, result));
  return result;
}

/* Would @public do? */
static int
offer (TsrSshLogin *login, ssh_key public)
{
  int result;

  do
    result = ssh_userauth_try_publickey (login->session, login->host->user, public);
  while (tsr_ssh_login_goes_on (login, result));
  return result;
}

/* SSH_AUTH_SUCCESS: the server would take the file's key, or @cert of it. */
static int
offer_file (TsrSshLogin *login, const KeyFile *file, ssh_key *cert)
{
  int result = SSH_AUTH_DENIED;

  for (guint i = 0; i < file->certs->len && result == SSH_AUTH_DENIED; i++)
    {
      result = offer (login, file->certs->pdata[i]);
      *cert = result == SSH_AUTH_SUCCESS ? file->certs->pdata[i] : NULL;
    }
  if (result != SSH_AUTH_DENIED)
    return result;
  /* Without a public half only the private one can tell. */
  return file->public != NULL ? offer (login, file->public) : SSH_AUTH_SUCCESS;
}

static int
try_file (TsrSshKeys *self, KeyFile *file, GError **error)
{
  TsrSshLogin *login = self->login;
  ssh_key private, cert = NULL;
  int result = offer_file (login, file, &cert);

  if (result == SSH_AUTH_SUCCESS)
    {
      private = unlock (self, file, error);
      if (private == NULL)
        return error != NULL && *error != NULL ? SSH_AUTH_ERROR : SSH_AUTH_DENIED;
      result = sign_in (self, cert, private);
      ssh_key_free (private);
    }
  if (result != SSH_AUTH_SUCCESS && result != SSH_AUTH_PARTIAL)
    tsr_ssh_login_note (login, _ ("key file %s (not accepted)"), file->path);
  return result;
}

int
tsr_ssh_keys_try (TsrSshKeys *self, GError **error)
{
  gsize tried = self->login->tried->len;
  int result = SSH_AUTH_DENIED;
  GError *problem = NULL;

  if (self->agent != NULL)
    result = try_agent (self);
  for (guint i = 0; i < self->files->len && result == SSH_AUTH_DENIED; i++)
    {
      KeyFile *file = self->files->pdata[i];

      if (self->agent != NULL && file->blob != NULL && tsr_ssh_agent_has (self->agent, file->blob)
          && file->certs->len == 0)
        continue;
      if (!is_usable (self->login, file->path, self->login->host->identities_told))
        continue;
      result = try_file (self, file, &problem);
    }
  if (self->noted)
    g_string_truncate (self->login->tried, tried);
  self->noted = TRUE;
  if (problem != NULL)
    g_propagate_error (error, problem);
  return result;
}
