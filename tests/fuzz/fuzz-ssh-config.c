/* SPDX-License-Identifier: GPL-3.0-or-later */

/* ssh_config, and an address in the first line: whatever stands in the file, there is a host that
 * can be connected to, and a way or an error; an address has one text. */

#include "config.h"

#include "fuzz.h"
#include "tsr-error.h"
#include "tsr-remote-error.h"
#include "tsr-ssh-config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;

static void
remove_folder (void)
{
  g_autofree char *ssh = g_build_filename (folder, ".ssh", NULL);
  g_autofree char *file = g_build_filename (ssh, "tested", NULL);

  g_unlink (file);
  g_rmdir (ssh);
  g_rmdir (folder);
}

/* The home folder is one of our own, and files outside of it are not included: a "/" is taken out.
 */
static char *
write_file (const uint8_t *data, size_t size)
{
  g_autofree char *copy = g_malloc (size + 1);
  g_autofree char *ssh = NULL;
  g_autoptr (GError) error = NULL;
  char *file;

  if (folder == NULL)
    {
      folder = g_dir_make_tmp ("tsr-fuzz-XXXXXX", NULL);
      g_setenv ("HOME", folder, TRUE);
      atexit (remove_folder);
    }
  ssh = g_build_filename (folder, ".ssh", NULL);
  g_mkdir (ssh, 0700);
  memcpy (copy, data, size);
  copy[size] = '\0';
  if (strcasestr (copy, "include") != NULL || memchr (copy, 0, size) != NULL)
    for (size_t i = 0; i < size; i++)
      if (copy[i] == '/' || copy[i] == '~')
        copy[i] = '_';
  file = g_build_filename (ssh, "tested", NULL);
  g_file_set_contents (file, copy, (gssize)size, &error);
  g_assert_no_error (error);
  return file;
}

static void
check_text (const char *text)
{
  g_assert_nonnull (text);
  g_assert_cmpuint (*text, !=, 0);
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

static void
check_host (const TsrSshHost *host)
{
  check_text (host->alias);
  check_text (host->host_name);
  check_text (host->user);
  g_assert_cmpuint (host->port, >, 0);
  g_assert_cmpuint (host->port, <=, 65535);
  for (char **file = host->identity_files; *file != NULL; file++)
    g_assert_true (g_path_is_absolute (*file));
  for (char **file = host->known_hosts; *file != NULL; file++)
    g_assert_true (g_path_is_absolute (*file));
  for (guint i = 0; i < host->n_jumps; i++)
    check_text (host->jumps[i].host);
}

static void
check_address (TsrSshConfig *config, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (text, &error);
  g_autoptr (TsrSshAddress) again = NULL;
  g_autoptr (GPtrArray) hosts = NULL;
  g_autofree char *location = NULL;
  g_autofree char *same = NULL;

  fuzz_check_error (address != NULL, error);
  if (address == NULL)
    {
      g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
      return;
    }
  location = tsr_ssh_address_to_string (address);
  again = tsr_ssh_address_parse (location, &error);
  g_assert_no_error (error);
  same = tsr_ssh_address_to_string (again);
  g_assert_cmpstr (location, ==, same);
  g_assert_cmpstr (address->path, ==, again->path);
  hosts = tsr_ssh_config_resolve (config, address, &error);
  fuzz_check_error (hosts != NULL, error);
  if (hosts == NULL)
    {
      g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_CONFIG);
      return;
    }
  g_assert_cmpuint (hosts->len, >, 0);
  g_assert_cmpuint (hosts->len, <=, TSR_SSH_MAX_JUMPS + 1);
  for (guint i = 0; i < hosts->len; i++)
    check_host (hosts->pdata[i]);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *newline = size > 0 ? memchr (data, '\n', size) : NULL;
  size_t first = newline != NULL ? (size_t)(newline - data) + 1 : 0;
  g_autofree char *address = g_strndup ((const char *)data, first > 0 ? first - 1 : size);
  g_autofree char *file = write_file (data + first, size - first);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = NULL;
  g_auto (GStrv) aliases = NULL;

  fuzz_begin ();
  config = tsr_ssh_config_load (file, "/dev/null", diagnostics);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    check_text (tsr_diagnostics_get (diagnostics, i)->text);
  aliases = tsr_ssh_config_dup_aliases (config);
  for (guint i = 0; aliases[i] != NULL && i < 4; i++)
    {
      g_autofree char *location = g_strdup_printf ("ssh://%s/", aliases[i]);

      check_address (config, location);
    }
  check_address (config, address);
  check_address (config, "ssh://node/x");
  return 0;
}
