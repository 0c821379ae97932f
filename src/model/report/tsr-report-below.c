/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search below a folder: first all its folders, then the folders in those that are not reports,
 * so that nearer ones are found even if the limit is reached. */

#include "config.h"

#include "tsr-report-below.h"

#include "tsr-report-files.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  TsrPlace *place;
  TsrDiagnostics *diagnostics; /* (nullable) */
  GCancellable *cancellable;
  GPtrArray *candidates; /* Candidate */
  guint looked_at;
  gboolean gave_up; /* there were more */
} Search;

/* A folder that is listed already. */
typedef struct
{
  char *path;
  GPtrArray *entries;
  gboolean is_link; /* it, or the folder that it lies in */
} Visited;

typedef struct
{
  char *path;
  char *sort_key;
  gboolean is_link;
  gint64 size, mtime_us; /* of its profile, else of its archive: tells a link from its target */
} Candidate;

static void
visited_free (gpointer data)
{
  Visited *visited = data;

  g_free (visited->path);
  g_ptr_array_unref (visited->entries);
  g_free (visited);
}

static void
candidate_free (gpointer data)
{
  Candidate *candidate = data;

  g_free (candidate->path);
  g_free (candidate->sort_key);
  g_free (candidate);
}

/* ----------------------------------------------------------------- listings */

char *
tsr_report_join (const char *folder, const char *name)
{
  return g_strconcat (strcmp (folder, "/") == 0 ? "" : folder, "/", name, NULL);
}

const TsrFolderEntry *
tsr_report_lookup (GPtrArray *entries, const char *name)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);

      if (strcmp (entry->name, name) == 0)
        return entry;
    }
  return NULL;
}

gboolean
tsr_report_is_file (const TsrFolderEntry *entry)
{
  return entry != NULL && !entry->is_folder && !entry->is_dangling;
}

gboolean
tsr_report_is_crash_name (const char *name)
{
  return g_str_has_prefix (name, "profile_") && g_str_has_suffix (name, ".pop")
         && strlen (name) > strlen ("profile_.pop");
}

const TsrFolderEntry *
tsr_report_find_crash_profile (GPtrArray *entries, guint *n)
{
  const TsrFolderEntry *best = NULL;

  *n = 0;
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);

      if (!tsr_report_is_crash_name (entry->name) || !tsr_report_is_file (entry))
        continue;
      *n += 1;
      if (best == NULL || entry->mtime_us > best->mtime_us
          || (entry->mtime_us == best->mtime_us && strcmp (entry->name, best->name) < 0))
        best = entry;
    }
  return best;
}

/* What makes the folder a report, or NULL. */
static const TsrFolderEntry *
find_main_file (GPtrArray *entries)
{
  const TsrFolderEntry *entry
      = tsr_report_lookup (entries, tsr_file_kind_get_fixed_name (TSR_FILE_PROFILE));
  guint n;

  if (!tsr_report_is_file (entry))
    entry = tsr_report_find_crash_profile (entries, &n);
  if (entry == NULL)
    entry = tsr_report_lookup (entries, tsr_file_kind_get_fixed_name (TSR_FILE_ARCHIVE));
  return tsr_report_is_file (entry) ? entry : NULL;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const TsrFolderEntry *const *left = a;
  const TsrFolderEntry *const *right = b;
  g_autofree char *left_name = g_filename_display_name ((*left)->name);
  g_autofree char *right_name = g_filename_display_name ((*right)->name);
  g_autofree char *left_key = g_utf8_collate_key_for_filename (left_name, -1);
  g_autofree char *right_key = g_utf8_collate_key_for_filename (right_name, -1);
  int order = strcmp (left_key, right_key);

  return order != 0 ? order : strcmp ((*left)->name, (*right)->name);
}

/* (transfer container): the folders among @entries that are not hidden, in natural order. */
static GPtrArray *
pick_folders (GPtrArray *entries)
{
  GPtrArray *folders = g_ptr_array_new ();

  for (guint i = 0; i < entries->len; i++)
    {
      TsrFolderEntry *entry = g_ptr_array_index (entries, i);

      if (entry->is_folder && *entry->name != '.')
        g_ptr_array_add (folders, entry);
    }
  g_ptr_array_sort (folders, compare_entries);
  return folders;
}

/* ------------------------------------------------------------------ searching */

static void
add_candidate (Search *search, const Visited *visited, const TsrFolderEntry *main_file)
{
  Candidate *candidate = g_new0 (Candidate, 1);
  g_autofree char *shown = g_filename_display_name (visited->path);

  candidate->path = g_strdup (visited->path);
  candidate->sort_key = g_utf8_collate_key_for_filename (shown, -1);
  candidate->is_link = visited->is_link;
  candidate->size = main_file->size;
  candidate->mtime_us = main_file->mtime_us;
  g_ptr_array_add (search->candidates, candidate);
}

/* (transfer full) (nullable): @entry of @parent, listed; NULL when it cannot be, and with @error
 * when that was because of cancelling. */
static Visited *
visit (Search *search, const Visited *parent, const TsrFolderEntry *entry, GError **error)
{
  g_autofree char *path = tsr_report_join (parent->path, entry->name);
  g_autoptr (GError) local_error = NULL;
  GPtrArray *entries = tsr_place_list (search->place, path, search->cancellable, &local_error);
  Visited *visited;

  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (entries == NULL)
    {
      g_autofree char *shown = g_filename_display_name (entry->name);

      if (search->diagnostics != NULL)
        tsr_diagnostics_add (search->diagnostics, TSR_SEVERITY_WARNING, "folder-not-read", shown,
                             NULL, TSR_NO_ROW, TSR_NO_ROW,
                             _ ("could not be looked into for reports: %s"), local_error->message);
      return NULL;
    }
  visited = g_new0 (Visited, 1);
  visited->path = g_steal_pointer (&path);
  visited->entries = entries;
  visited->is_link = parent->is_link || entry->is_link;
  return visited;
}

/* Looks into the folders of @parent; those that are no report go to @others, if any.  FALSE only
 * when cancelled. */
static gboolean
look_into (Search *search, const Visited *parent, GPtrArray *others, GError **error)
{
  g_autoptr (GPtrArray) folders = pick_folders (parent->entries);
  GError *local_error = NULL;

  for (guint i = 0; i < folders->len && local_error == NULL; i++)
    {
      const TsrFolderEntry *main_file;
      Visited *visited;

      if (search->looked_at >= TSR_FOLDERS_LOOKED_AT)
        {
          search->gave_up = TRUE;
          break;
        }
      search->looked_at++;
      visited = visit (search, parent, g_ptr_array_index (folders, i), &local_error);
      if (visited == NULL)
        continue;
      main_file = find_main_file (visited->entries);
      if (main_file != NULL)
        add_candidate (search, visited, main_file);
      if (main_file == NULL && others != NULL)
        g_ptr_array_add (others, visited);
      else
        visited_free (visited);
    }
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

/* A link such as "latest" beside the folder that it points to is the same report. */
static void
drop_links_to_others (GPtrArray *candidates)
{
  for (guint i = candidates->len; i > 0; i--)
    {
      const Candidate *link = g_ptr_array_index (candidates, i - 1);
      gboolean is_other = FALSE;

      for (guint j = 0; j < candidates->len && link->is_link && !is_other; j++)
        {
          const Candidate *other = g_ptr_array_index (candidates, j);

          is_other
              = !other->is_link && other->size == link->size && other->mtime_us == link->mtime_us;
        }
      if (is_other)
        g_ptr_array_remove_index (candidates, i - 1);
    }
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *const *left = a;
  const Candidate *const *right = b;
  int order = strcmp ((*left)->sort_key, (*right)->sort_key);

  return order != 0 ? order : strcmp ((*left)->path, (*right)->path);
}

/* (transfer full): the candidates' paths, in order. */
static GPtrArray *
finish (Search *search)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  if (search->gave_up && search->diagnostics != NULL)
    tsr_diagnostics_add (search->diagnostics, TSR_SEVERITY_INFO, "folders-not-looked-at", NULL,
                         NULL, TSR_NO_ROW, TSR_NO_ROW,
                         _ ("only the first %d folders were looked into for reports; open a folder "
                            "further down to see the others"),
                         TSR_FOLDERS_LOOKED_AT);
  drop_links_to_others (search->candidates);
  g_ptr_array_sort (search->candidates, compare_candidates);
  for (guint i = 0; i < search->candidates->len; i++)
    g_ptr_array_add (paths, g_strdup (((Candidate *)search->candidates->pdata[i])->path));
  return paths;
}

GPtrArray *
tsr_report_find_below (TsrPlace *place,
                       const char *folder,
                       GPtrArray *entries,
                       TsrDiagnostics *diagnostics,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (visited_free);
  Visited top = { .path = (char *)folder, .entries = entries };
  Search search = {
    .place = place,
    .diagnostics = diagnostics,
    .cancellable = cancellable,
    .candidates = candidates,
  };
  gboolean ok = look_into (&search, &top, others, error);

  for (guint i = 0; i < others->len && ok; i++)
    ok = look_into (&search, g_ptr_array_index (others, i), NULL, error);
  return ok ? finish (&search) : NULL;
}
