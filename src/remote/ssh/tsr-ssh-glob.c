/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Expands the patterns of Include, with limits on depth and results. */

#include "config.h"

#include "tsr-ssh-glob.h"

#include <fnmatch.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GStrv parts; /* between slashes */
  GPtrArray *paths;
  guint n_names;
  gboolean is_cut;
} Glob;

static void walk (Glob *glob, const char *folder, guint part);

static void
take (Glob *glob, char *path, guint part)
{
  GStatBuf status;

  if (glob->parts[part + 1] != NULL)
    walk (glob, path, part + 1);
  else if (glob->paths->len >= TSR_SSH_GLOB_MAX_PATHS)
    glob->is_cut = TRUE;
  else if (g_lstat (path, &status) == 0)
    {
      g_ptr_array_add (glob->paths, path);
      return;
    }
  g_free (path);
}

static void
walk (Glob *glob, const char *folder, guint part)
{
  const char *pattern = glob->parts[part];
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (strpbrk (pattern, "*?[\\") == NULL)
    {
      take (glob, g_build_filename (folder, pattern, NULL), part);
      return;
    }
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && !glob->is_cut && (name = g_dir_read_name (dir)) != NULL)
    if (++glob->n_names > TSR_SSH_GLOB_MAX_NAMES)
      glob->is_cut = TRUE;
    else if (fnmatch (pattern, name, FNM_PERIOD) == 0)
      take (glob, g_build_filename (folder, name, NULL), part);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
tsr_ssh_glob (const char *pattern, gboolean *is_cut)
{
  Glob glob = { NULL };

  glob.paths = g_ptr_array_new_with_free_func (g_free);
  /* A name is at most 255 bytes; deep patterns are deep folders, which nobody has. */
  if (strlen (pattern) < 4096)
    {
      glob.parts = g_strsplit (pattern + strspn (pattern, "/"), "/", -1);
      if (glob.parts[0] != NULL)
        walk (&glob, "/", 0);
      g_strfreev (glob.parts);
    }
  g_ptr_array_sort (glob.paths, compare);
  *is_cut = glob.is_cut;
  return glob.paths;
}
