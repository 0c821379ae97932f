/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Folders: the abstract place, and this machine's file system. */

#include "config.h"

#include "tsr-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_ABSTRACT_TYPE (TsrPlace, tsr_place, G_TYPE_OBJECT)

static void
tsr_place_class_init (TsrPlaceClass *class)
{
}

static void
tsr_place_init (TsrPlace *self)
{
}

void
tsr_folder_entry_free (TsrFolderEntry *entry)
{
  if (entry == NULL)
    return;
  g_free (entry->name);
  g_free (entry);
}

GPtrArray *
tsr_place_list (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (TSR_IS_PLACE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  return TSR_PLACE_GET_CLASS (self)->list (self, path, cancellable, error);
}

TsrFolderEntry *
tsr_place_stat (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (TSR_IS_PLACE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  return TSR_PLACE_GET_CLASS (self)->stat (self, path, cancellable, error);
}

TsrSource *
tsr_place_open (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (TSR_IS_PLACE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  return TSR_PLACE_GET_CLASS (self)->open (self, path, cancellable, error);
}

gboolean
tsr_place_find_writer (TsrPlace *self, const char *path, gint64 *process)
{
  g_return_val_if_fail (TSR_IS_PLACE (self), FALSE);
  if (TSR_PLACE_GET_CLASS (self)->find_writer == NULL)
    return FALSE;
  return TSR_PLACE_GET_CLASS (self)->find_writer (self, path, process);
}

char *
tsr_place_resolve (TsrPlace *self, const char *path)
{
  char *resolved = NULL;

  g_return_val_if_fail (TSR_IS_PLACE (self), NULL);
  if (TSR_PLACE_GET_CLASS (self)->resolve != NULL)
    resolved = TSR_PLACE_GET_CLASS (self)->resolve (self, path);
  return resolved != NULL ? resolved : g_strdup (path);
}

char *
tsr_place_dup_location (TsrPlace *self, const char *path)
{
  g_return_val_if_fail (TSR_IS_PLACE (self), NULL);
  if (TSR_PLACE_GET_CLASS (self)->dup_location != NULL)
    return TSR_PLACE_GET_CLASS (self)->dup_location (self, path);
  return g_strdup (path);
}

char *
tsr_place_dup_display_name (TsrPlace *self, const char *path)
{
  g_autofree char *location = tsr_place_dup_location (self, path);

  return g_filename_display_name (location);
}

gboolean
tsr_place_is_remote (TsrPlace *self)
{
  g_return_val_if_fail (TSR_IS_PLACE (self), FALSE);
  return TSR_PLACE_GET_CLASS (self)->dup_location != NULL;
}

/* ------------------------------------------------------------------ local */

#define TSR_TYPE_LOCAL_PLACE (tsr_local_place_get_type ())
G_DECLARE_FINAL_TYPE (TsrLocalPlace, tsr_local_place, TSR, LOCAL_PLACE, TsrPlace)

struct _TsrLocalPlace
{
  TsrPlace parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrLocalPlace, tsr_local_place, TSR_TYPE_PLACE)

static void
set_errno (GError **error, const char *path, int code)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot look at %s: %s"), name,
               g_strerror (code));
}

/* NULL with errno set when there is nothing. */
static TsrFolderEntry *
entry_new (const char *path, const char *name)
{
  TsrFolderEntry *entry;
  struct stat info;
  struct stat link;

  if (lstat (path, &link) != 0)
    return NULL;
  entry = g_new0 (TsrFolderEntry, 1);
  entry->name = g_strdup (name);
  entry->is_link = S_ISLNK (link.st_mode);
  if (stat (path, &info) != 0)
    {
      entry->is_dangling = entry->is_link;
      return entry;
    }
  entry->is_folder = S_ISDIR (info.st_mode);
  entry->size = info.st_size;
  entry->mtime_us = (gint64)info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
  entry->is_readable = access (path, entry->is_folder ? R_OK | X_OK : R_OK) == 0;
  return entry;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const TsrFolderEntry *x = *(TsrFolderEntry *const *)a;
  const TsrFolderEntry *y = *(TsrFolderEntry *const *)b;

  return strcmp (x->name, y->name);
}

static GPtrArray *
local_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) entries
      = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
  DIR *dir = opendir (path);
  struct dirent *item;

  if (dir == NULL)
    {
      set_errno (error, path, errno);
      return NULL;
    }
  for (errno = 0; (item = readdir (dir)) != NULL; errno = 0)
    {
      g_autofree char *child = NULL;
      TsrFolderEntry *entry;

      if (strcmp (item->d_name, ".") == 0 || strcmp (item->d_name, "..") == 0)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          closedir (dir);
          return NULL;
        }
      child = g_build_filename (path, item->d_name, NULL);
      entry = entry_new (child, item->d_name);
      if (entry != NULL)
        g_ptr_array_add (entries, entry);
    }
  if (errno != 0)
    {
      set_errno (error, path, errno);
      closedir (dir);
      return NULL;
    }
  closedir (dir);
  g_ptr_array_sort (entries, compare_entries);
  return g_steal_pointer (&entries);
}

static TsrFolderEntry *
local_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  TsrFolderEntry *entry = entry_new (path, name);

  if (entry == NULL)
    set_errno (error, path, errno);
  return entry;
}

static TsrSource *
local_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_local_source_new (path, error);
}

/* Whether anybody holds a lock for writing on the bytes.  F_GETLK asks and takes nothing. */
static gboolean
is_write_locked (const char *path, off_t start, off_t length, gint64 *process)
{
  struct flock lock = {
    .l_type = F_RDLCK,
    .l_whence = SEEK_SET,
    .l_start = start,
    .l_len = length,
  };
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  gboolean locked;

  if (fd < 0)
    return FALSE;
  locked = fcntl (fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close (fd);
  if (locked)
    *process = MAX (lock.l_pid, 0);
  return locked;
}

static gboolean
local_find_writer (TsrPlace *place, const char *path, gint64 *process)
{
  g_autofree char *shared = g_strconcat (path, "-shm", NULL);

  /* Source: SQLite's file format, "pending byte" at 2^30 with the reserved and shared bytes behind
   * it; in the shared memory file the locks to write and to checkpoint are bytes 120 and 121. */
  return is_write_locked (path, 0x40000000, 512, process)
         || is_write_locked (shared, 120, 2, process);
}

static char *
local_resolve (TsrPlace *place, const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

static void
tsr_local_place_class_init (TsrLocalPlaceClass *class)
{
  TSR_PLACE_CLASS (class)->resolve = local_resolve;
  TSR_PLACE_CLASS (class)->find_writer = local_find_writer;
  TSR_PLACE_CLASS (class)->list = local_list;
  TSR_PLACE_CLASS (class)->stat = local_stat;
  TSR_PLACE_CLASS (class)->open = local_open;
}

static void
tsr_local_place_init (TsrLocalPlace *self)
{
}

TsrPlace *
tsr_local_place_new (void)
{
  return g_object_new (TSR_TYPE_LOCAL_PLACE, NULL);
}
