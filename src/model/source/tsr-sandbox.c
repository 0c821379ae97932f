/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What Flatpak writes down about its sandbox: the permissions, those that the user changed among
 * them.  They are read each time, which only happens where a report cannot be opened. */

#include "config.h"

#include "tsr-sandbox.h"

#include <string.h>

/* The permission "host" is for everything but these: they are the runtime's, or Flatpak's. */
static const char *const reserved[]
    = { "/app", "/bin",  "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc",
        "/run", "/root", "/sbin", "/sys", "/tmp", "/usr", "/var",   NULL };
/* Of those it has these. */
static const char *const host_too[] = { "/run/media", NULL };

static const char *
get_info (void)
{
  const char *told = g_getenv ("TSR_FLATPAK_INFO");

  return told != NULL ? told : "/.flatpak-info";
}

gboolean
tsr_sandbox_is_here (void)
{
  return g_file_test (get_info (), G_FILE_TEST_EXISTS);
}

static gboolean
is_in (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  while (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static gboolean
is_in_any (const char *path, const char *const *folders)
{
  for (guint i = 0; folders[i] != NULL; i++)
    if (is_in (path, folders[i]))
      return TRUE;
  return FALSE;
}

/* @permission: as in "flatpak override --filesystem=", with ":ro" and the like behind it. */
static gboolean
allows (const char *permission, const char *path)
{
  g_autofree char *name = g_strndup (permission, strcspn (permission, ":"));
  g_autofree char *folder = NULL;

  if (g_str_equal (name, "host"))
    return !is_in_any (path, reserved) || is_in_any (path, host_too);
  if (g_str_equal (name, "home") || g_str_equal (name, "~"))
    return is_in (path, g_get_home_dir ());
  if (g_str_has_prefix (name, "~/"))
    {
      folder = g_build_filename (g_get_home_dir (), name + 2, NULL);
      return is_in (path, folder);
    }
  return name[0] == '/' && is_in (path, name);
}

gboolean
tsr_sandbox_hides (const char *path)
{
  g_autoptr (GKeyFile) info = g_key_file_new ();
  g_autofree char *whole = NULL;
  g_auto (GStrv) permissions = NULL;

  g_return_val_if_fail (path != NULL, FALSE);
  if (!g_key_file_load_from_file (info, get_info (), G_KEY_FILE_NONE, NULL))
    return FALSE;
  whole = g_canonicalize_filename (path, NULL);
  permissions = g_key_file_get_string_list (info, "Context", "filesystems", NULL, NULL);
  for (char **each = permissions; each != NULL && *each != NULL; each++)
    if (allows (*each, whole))
      return FALSE;
  return TRUE;
}
