/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Matches the files in a folder by name, from a single listing.  The folders below are only
 * searched if it is not a report itself.  Names are bytes, and are converted to UTF-8 only to be
 * shown. */

#include "config.h"

#include "tsr-report-files.h"

#include "tsr-error.h"
#include "tsr-report-below.h"
#include "tsr-sandbox.h"
#include "tsr-units.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* The search below a folder: first all its folders, then the folders in those that are not reports,
 * so that nearer ones are found even if the limit is reached. */

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

/* (transfer full): the path of @name in @folder. */
static char *
tsr_report_join (const char *folder, const char *name)
{
  return g_strconcat (strcmp (folder, "/") == 0 ? "" : folder, "/", name, NULL);
}

/* (nullable): the entry of that name. */
static const TsrFolderEntry *
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

/* Whether it is an existing file. */
static gboolean
tsr_report_is_file (const TsrFolderEntry *entry)
{
  return entry != NULL && !entry->is_folder && !entry->is_dangling;
}

/* TRUE for profile_<random>.pop, the name while the engine lives. */
static gboolean
tsr_report_is_crash_name (const char *name)
{
  return g_str_has_prefix (name, "profile_") && g_str_has_suffix (name, ".pop")
         && strlen (name) > strlen ("profile_.pop");
}

/* (transfer none) (nullable): the newest such file, the first of @entries, which are sorted by
 * name, if several are equally new; *n is their number. */
static const TsrFolderEntry *
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
      if (best == NULL || entry->mtime_us > best->mtime_us)
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
                             _ ("could not be searched for reports: %s"), local_error->message);
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
                         _ ("only the first %d folders were searched for reports; open a folder "
                            "further down to see the others"),
                         TSR_FOLDERS_LOOKED_AT);
  drop_links_to_others (search->candidates);
  g_ptr_array_sort (search->candidates, compare_candidates);
  for (guint i = 0; i < search->candidates->len; i++)
    g_ptr_array_add (paths, g_strdup (((Candidate *)search->candidates->pdata[i])->path));
  return paths;
}

/* (transfer full) (nullable) (element-type filename): the reports one and two levels below @folder,
 * whose listing is @entries, in natural order.  NULL only when cancelled.  @diagnostics is
 * nullable. */
static GPtrArray *
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

#define CAPTURE                                                                                    \
  "POPLAR_ENGINE_OPTIONS='{\"autoReport.all\":\"true\", \"autoReport.directory\":\"./report\"}'"

static const char *const fixed_names[TSR_N_FILES] = {
  [TSR_FILE_PROFILE] = "profile.pop", [TSR_FILE_ARCHIVE] = "archive.a",
  [TSR_FILE_DEBUG] = "debug.cbor",    [TSR_FILE_FRAMEWORK] = "framework.json",
  [TSR_FILE_APP] = "app.json",
};

/* Written by SDKs before 2 or as side files: nothing that can be shown alone. */
static const char *const old_names[] = {
  "graph.json",        "graph.cbor",        "execution.json", "execution.cbor",
  "profile_info.json", "profile_info.cbor", "vars.capnp",     "serialized_graph.capnp",
};

/* One look-up: what was asked for and where findings go. */
typedef struct
{
  TsrPlace *place;
  TsrDiagnostics *diagnostics; /* (nullable) */
  GCancellable *cancellable;
} Finder;

const char *
tsr_file_kind_get_fixed_name (TsrFileKind kind)
{
  g_return_val_if_fail (kind < TSR_N_FILES, NULL);
  return fixed_names[kind];
}

static gboolean
has_suffix_nocase (const char *name, const char *suffix)
{
  gsize length = strlen (name);
  gsize suffix_length = strlen (suffix);

  return length > suffix_length && g_ascii_strcasecmp (name + length - suffix_length, suffix) == 0;
}

static gboolean
is_old_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (old_names); i++)
    if (strcmp (name, old_names[i]) == 0)
      return TRUE;
  return FALSE;
}

gboolean
tsr_report_files_is_known_name (const char *base_name, TsrFileKind *kind)
{
  TsrFileKind found = TSR_N_FILES;

  g_return_val_if_fail (base_name != NULL, FALSE);

  for (guint i = 0; i < TSR_N_FILES; i++)
    if (strcmp (base_name, fixed_names[i]) == 0)
      found = i;
  if (found == TSR_N_FILES && has_suffix_nocase (base_name, ".pop"))
    found = TSR_FILE_PROFILE;
  if (kind != NULL)
    *kind = found;
  return found != TSR_N_FILES;
}

void
tsr_report_files_free (TsrReportFiles *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->place);
  g_free (self->location);
  g_free (self->folder);
  g_free (self->name);
  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      g_free (self->files[i].name);
      g_free (self->files[i].path);
      g_free (self->files[i].note);
    }
  g_strfreev (self->reports);
  g_free (self);
}

/* ------------------------------------------------------------------- paths */

/* Absolute, without doubled or trailing slashes and "." parts.  ".." stays: what it means depends
 * on links. */
static char *
normalize (const char *path)
{
  g_autofree char *absolute = *path == '/' ? g_strdup (path) : g_canonicalize_filename (path, NULL);
  g_auto (GStrv) parts = g_strsplit (absolute, "/", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && strcmp (parts[i], ".") != 0)
      g_string_append_printf (text, "/%s", parts[i]);
  if (text->len == 0)
    g_string_append_c (text, '/');
  return g_string_free (text, FALSE);
}

/* (nullable): NULL for the root. */
static char *
parent_of (const char *folder)
{
  if (strcmp (folder, "/") == 0)
    return NULL;
  if (g_str_has_suffix (folder, "/.."))
    return g_strconcat (folder, "/..", NULL);
  return g_path_get_dirname (folder);
}

/* ------------------------------------------------------------------ findings */

static void
report (Finder *finder, TsrSeverity severity, const char *code, const char *file, char *text)
{
  if (finder->diagnostics != NULL)
    tsr_diagnostics_add (finder->diagnostics, severity, code, file, NULL, TSR_NO_ROW, TSR_NO_ROW,
                         "%s", text);
  g_free (text);
}

/* Says what could not be opened and what to do; the domain and code stay. */
static void
explain (TsrPlace *place, GError *source, const char *path, GError **error)
{
  g_autofree char *shown = tsr_place_dup_display_name (place, path);

  /* What goes wrong on the way to another machine says itself what to do. */
  if (g_error_matches (source, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || (source->domain != G_IO_ERROR && source->domain != TSR_ERROR))
    {
      g_propagate_error (error, source);
      return;
    }
  if (g_error_matches (source, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) && !tsr_place_is_remote (place)
      && tsr_sandbox_hides (path))
    g_set_error (error, source->domain, source->code,
                 _ ("Could not open %s: Tessera runs in a sandbox (Flatpak), which hides this "
                    "folder from it; copy the report into your home folder"),
                 shown);
  else if (g_error_matches (source, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_set_error (
        error, source->domain, source->code,
        _ ("Could not open %s: there is no such file or folder; check the path, and whether "
           "its disk is mounted"),
        shown);
  else if (g_error_matches (source, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    g_set_error (error, source->domain, source->code,
                 _ ("Could not read %s: permission denied; ask its owner for the right to read it, "
                    "or copy the report as a user who has it"),
                 shown);
  else
    g_set_error (error, source->domain, source->code,
                 _ ("Could not open %s: %s; check the disk or the connection and try again"), shown,
                 source->message);
  g_error_free (source);
}

static void
set_denied (TsrPlace *place, const char *path, GError **error)
{
  explain (place,
           g_error_new_literal (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "permission denied"),
           path, error);
}

static GPtrArray *
list_folder (Finder *finder, const char *path, GError **error)
{
  GError *local_error = NULL;
  GPtrArray *entries = tsr_place_list (finder->place, path, finder->cancellable, &local_error);

  if (entries == NULL)
    explain (finder->place, local_error, path, error);
  return entries;
}

/* ------------------------------------------------------------- one folder */

static void
take (TsrReportFile *file, const char *folder, const TsrFolderEntry *entry)
{
  g_free (file->name);
  g_free (file->path);
  file->name = g_filename_display_name (entry->name);
  file->path = tsr_report_join (folder, entry->name);
  file->found = TRUE;
  file->bytes = entry->size;
  file->mtime_us = entry->mtime_us;
}

static void
match_crash_profile (Finder *finder, TsrReportFiles *self, GPtrArray *entries)
{
  TsrReportFile *file = &self->files[TSR_FILE_PROFILE];
  guint n;
  const TsrFolderEntry *entry = tsr_report_find_crash_profile (entries, &n);
  g_autofree char *shown = entry != NULL ? g_filename_display_name (entry->name) : NULL;

  if (entry == NULL)
    return;
  if (file->found)
    {
      report (finder, TSR_SEVERITY_INFO, "more-profiles", shown,
              g_strdup_printf (_ ("%s is shown; the folder also has %s, which a program is writing "
                                  "or did not finish; open that file itself to see it"),
                               file->name, shown));
      return;
    }
  g_clear_pointer (&file->note, g_free);
  take (file, self->folder, entry);
  file->note = g_strdup (_ ("left by a program that did not finish, or is still running"));
  report (finder, TSR_SEVERITY_WARNING, "unfinished-profile", shown,
          n == 1 ? g_strdup (_ ("there is no profile.pop; this was left by a program that did not "
                                "finish or is still running, so data may be missing at its end"))
                 : g_strdup_printf (_ ("there is no profile.pop; this is the newest of %u profiles "
                                       "left by programs that did not finish or are still running; "
                                       "open another of these files itself to see it"),
                                    n));
}

/* debug.cbor: one for each process, often a link to the parent folder's. */
static gboolean
match_debug_in_parent (Finder *finder, TsrReportFiles *self, gboolean is_dangling, GError **error)
{
  TsrReportFile *file = &self->files[TSR_FILE_DEBUG];
  g_autofree char *parent = parent_of (self->folder);
  g_autofree char *path = parent != NULL ? tsr_report_join (parent, file->name) : NULL;
  TsrFolderEntry *entry = NULL;
  g_autoptr (GError) local_error = NULL;

  if (path != NULL)
    entry = tsr_place_stat (finder->place, path, finder->cancellable, &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (tsr_report_is_file (entry))
    {
      g_clear_pointer (&file->note, g_free);
      take (file, parent, entry);
      file->note = g_strdup (_ ("found in the parent folder"));
    }
  else if (is_dangling)
    report (finder, TSR_SEVERITY_WARNING, "dangling-link", file->name,
            g_strdup (_ ("is a link to a file that is not there, and the parent folder has none "
                         "either; copy debug.cbor of the same run beside profile.pop")));
  g_clear_pointer (&entry, tsr_folder_entry_free);
  return TRUE;
}

static TsrReportFiles *
files_new (Finder *finder, const char *location, const char *folder)
{
  TsrReportFiles *self = g_new0 (TsrReportFiles, 1);

  self->place = g_object_ref (finder->place);
  self->location = g_strdup (location);
  self->folder = g_strdup (folder);
  self->name = g_filename_display_basename (folder);
  self->asked = TSR_N_FILES;
  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      self->files[i].kind = i;
      self->files[i].name = g_strdup (fixed_names[i]);
      self->files[i].path = tsr_report_join (folder, fixed_names[i]);
      self->files[i].bytes = TSR_UNKNOWN;
    }
  return self;
}

static void
match_fixed_names (TsrReportFiles *self, GPtrArray *entries)
{
  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      const TsrFolderEntry *entry = tsr_report_lookup (entries, fixed_names[i]);
      TsrReportFile *file = &self->files[i];

      if (entry == NULL || file->found)
        continue;
      if (entry->is_dangling)
        file->note = g_strdup (_ ("a link to a file that is not there"));
      else if (entry->is_folder)
        file->note = g_strdup (_ ("a folder, not a file"));
      else
        take (file, self->folder, entry);
      if (file->found && !entry->is_readable)
        file->note = g_strdup (_ ("cannot be read: permission denied"));
    }
}

/* Fills @self from the names in its folder.  FALSE only when cancelled. */
static gboolean
match (Finder *finder, TsrReportFiles *self, GPtrArray *entries, GError **error)
{
  const TsrFolderEntry *debug = tsr_report_lookup (entries, fixed_names[TSR_FILE_DEBUG]);

  match_fixed_names (self, entries);
  if (self->asked != TSR_FILE_PROFILE)
    match_crash_profile (finder, self, entries);
  return self->files[TSR_FILE_DEBUG].found
         || match_debug_in_parent (finder, self, debug != NULL && debug->is_dangling, error);
}

static gboolean
is_report (const TsrReportFiles *self)
{
  return self->files[TSR_FILE_PROFILE].found || self->files[TSR_FILE_ARCHIVE].found;
}

/* ------------------------------------------------------------------ failures */

/* (transfer full) (nullable): names among @entries for which @wanted is true, at most four. */
static char *
dup_names (GPtrArray *entries, gboolean (*wanted) (const char *name))
{
  GString *text = NULL;
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *shown = g_filename_display_name (entry->name);

      if (entry->is_folder || !wanted (entry->name) || ++n > 4)
        continue;
      if (text == NULL)
        text = g_string_new (NULL);
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", shown);
    }
  if (n > 4)
    g_string_append (text, ", …");
  return text != NULL ? g_string_free (text, FALSE) : NULL;
}

static gboolean
is_other_profile_name (const char *name)
{
  return has_suffix_nocase (name, ".pop") || has_suffix_nocase (name, ".a");
}

static void
set_old_error (TsrPlace *place, const char *folder, const char *names, GError **error)
{
  g_autofree char *shown = tsr_place_dup_display_name (place, folder);

  g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
               _ ("No graph profile found in %s: it has %s, a format of older SDKs that is not "
                  "read; capture the report again with SDK 2 or later and %s"),
               shown, names, CAPTURE);
}

static void
set_no_report_error (const TsrReportFiles *self, GPtrArray *entries, GError **error)
{
  g_autofree char *shown = tsr_place_dup_display_name (self->place, self->folder);
  g_autofree char *old = dup_names (entries, is_old_name);
  g_autofree char *others = dup_names (entries, is_other_profile_name);
  const TsrReportFile *profile = &self->files[TSR_FILE_PROFILE];

  if (profile->note != NULL)
    g_set_error (
        error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
        _ ("No graph profile found in %s: %s is %s; copy the file itself there, or capture "
           "the report again with %s"),
        shown, profile->name, profile->note, CAPTURE);
  else if (old != NULL)
    set_old_error (self->place, self->folder, old, error);
  else if (others != NULL)
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("No graph profile found in %s: neither profile.pop nor archive.a is there, but "
                    "%s; open that file itself if it is one, or capture a report with %s"),
                 shown, others, CAPTURE);
  else if (entries->len == 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("No graph profile found in %s: the folder is empty; run the program again with "
                    "%s and open the folder that it writes"),
                 shown, CAPTURE);
  else
    g_set_error (
        error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
        _ ("No graph profile found in %s: neither profile.pop nor archive.a is there or in "
           "the folders below; run the program again with %s and open the folder that it "
           "writes"),
        shown, CAPTURE);
}

/* ----------------------------------------------------------------- the whole */

/* A profile that cannot be read is said at once, unless an archive can be shown without it. */
static gboolean
check_readable (const TsrReportFiles *self, GPtrArray *entries, GError **error)
{
  for (guint i = TSR_FILE_PROFILE; i <= TSR_FILE_ARCHIVE; i++)
    {
      const TsrReportFile *file = &self->files[i];
      g_autofree char *base_name = g_path_get_basename (file->path);
      const TsrFolderEntry *entry = tsr_report_lookup (entries, base_name);

      if (file->found && (entry == NULL || entry->is_readable))
        return TRUE;
    }
  set_denied (self->place,
              self->files[TSR_FILE_PROFILE].found ? self->files[TSR_FILE_PROFILE].path
                                                  : self->files[TSR_FILE_ARCHIVE].path,
              error);
  return FALSE;
}

static TsrReportFiles *find_in_folder (
    Finder *finder, const char *location, const char *folder, gboolean look_below, GError **error);

/* Opens the only report below, or offers several. */
static TsrReportFiles *
choose_below (Finder *finder, TsrReportFiles *self, GPtrArray *entries, GError **error)
{
  g_autoptr (GPtrArray) paths = tsr_report_find_below (
      finder->place, self->folder, entries, finder->diagnostics, finder->cancellable, error);

  if (paths == NULL)
    return NULL;
  if (paths->len == 0)
    {
      set_no_report_error (self, entries, error);
      return NULL;
    }
  if (paths->len == 1)
    {
      const char *path = g_ptr_array_index (paths, 0);
      g_autofree char *shown = tsr_place_dup_display_name (finder->place, path);

      report (finder, TSR_SEVERITY_INFO, "opened-subfolder", NULL,
              g_strdup_printf (
                  _ ("the folder itself is not a report; the only one below it was opened, %s"),
                  shown));
      return find_in_folder (finder, self->location, path, FALSE, error);
    }
  g_clear_pointer (&self->folder, g_free);
  g_ptr_array_add (paths, NULL);
  self->reports = (GStrv)g_ptr_array_free (g_steal_pointer (&paths), FALSE);
  return self;
}

static TsrReportFiles *
find_in_folder (
    Finder *finder, const char *location, const char *folder, gboolean look_below, GError **error)
{
  g_autoptr (TsrReportFiles) self = files_new (finder, location, folder);
  g_autoptr (GPtrArray) entries = list_folder (finder, folder, error);
  TsrReportFiles *chosen;

  if (entries == NULL || !match (finder, self, entries, error))
    return NULL;
  if (is_report (self))
    return check_readable (self, entries, error) ? g_steal_pointer (&self) : NULL;
  if (!look_below)
    {
      set_no_report_error (self, entries, error);
      return NULL;
    }
  chosen = choose_below (finder, self, entries, error);
  if (chosen == self)
    g_steal_pointer (&self);
  return chosen;
}

/* A profile or an archive of any name, with what lies beside it. */
static TsrReportFiles *
find_around_file (
    Finder *finder, const char *path, TsrFileKind kind, const TsrFolderEntry *entry, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (TsrReportFiles) self = files_new (finder, path, folder);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) local_error = NULL;
  TsrReportFile *file = &self->files[kind];

  if (!entry->is_readable)
    {
      set_denied (finder->place, path, error);
      return NULL;
    }
  self->asked = kind;
  take (file, folder, entry);
  if (tsr_report_is_crash_name (file->name))
    file->note = g_strdup (_ ("left by a program that did not finish, or is still running"));
  if (strcmp (file->name, fixed_names[kind]) != 0)
    {
      g_free (self->name);
      self->name = g_strdup (file->name);
    }
  entries = tsr_place_list (finder->place, folder, finder->cancellable, &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (entries == NULL)
    {
      report (finder, TSR_SEVERITY_WARNING, "folder-not-read", file->name,
              g_strdup_printf (_ ("its folder could not be searched for the other files: %s"),
                               local_error->message));
      return g_steal_pointer (&self);
    }
  return match (finder, self, entries, error) ? g_steal_pointer (&self) : NULL;
}

static TsrReportFiles *
find_file (Finder *finder, const char *path, const TsrFolderEntry *entry, GError **error)
{
  g_autofree char *base_name = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *shown = tsr_place_dup_display_name (finder->place, path);
  TsrReportFiles *self;
  TsrFileKind kind;

  if (!tsr_report_files_is_known_name (base_name, &kind) && has_suffix_nocase (base_name, ".a"))
    kind = TSR_FILE_ARCHIVE;
  if (entry->is_dangling && kind != TSR_FILE_DEBUG)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("Could not open %s: it is a link to a file that is not there; copy the file "
                      "itself, or open the folder where it is"),
                   shown);
      return NULL;
    }
  if (kind == TSR_FILE_PROFILE || kind == TSR_FILE_ARCHIVE)
    return find_around_file (finder, path, kind, entry, error);
  if (kind != TSR_N_FILES)
    {
      self = find_in_folder (finder, path, folder, TRUE, error);
      if (self != NULL)
        self->asked = kind;
      return self;
    }
  if (is_old_name (base_name))
    set_old_error (finder->place, folder, base_name, error);
  else
    g_set_error (
        error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
        _ ("Could not open %s: it is not a file of a report; open the report's folder, its "
           "profile.pop or its archive.a (a profile of another name must end in .pop)"),
        shown);
  return NULL;
}

TsrReportFiles *
tsr_report_files_find (TsrPlace *place,
                       const char *path,
                       TsrDiagnostics *diagnostics,
                       GCancellable *cancellable,
                       GError **error)
{
  Finder finder = { .place = place, .diagnostics = diagnostics, .cancellable = cancellable };
  g_autofree char *location = NULL;
  TsrFolderEntry *entry;
  TsrReportFiles *self;
  GError *local_error = NULL;

  g_return_val_if_fail (TSR_IS_PLACE (place), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  location = normalize (path);
  entry = tsr_place_stat (place, location, cancellable, &local_error);
  if (entry == NULL)
    {
      explain (place, local_error, location, error);
      return NULL;
    }
  self = entry->is_folder ? find_in_folder (&finder, location, location, TRUE, error)
                          : find_file (&finder, location, entry, error);
  tsr_folder_entry_free (entry);
  return self;
}
