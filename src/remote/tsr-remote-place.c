/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Listings are reused for two seconds, so that opening a report lists its folder once and needs no
 * other query; those on disk are used if there is no network. */

#include "config.h"

#include "tsr-remote-place.h"

#include "tsr-error.h"
#include "tsr-remote-error.h"
#include "tsr-remote-source.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LARGE_LISTING 20000
#define FRESH_US      (2 * G_USEC_PER_SEC)
/* Listings in memory; the oldest goes. */
#define MAX_LISTINGS 64

typedef struct
{
  GPtrArray *entries;
  gint64 time; /* monotonic */
} Listing;

struct _TsrRemotePlace
{
  TsrPlace parent_instance;
  TsrConnection *connection;
  TsrBlockCache *cache;
  char *host; /* its key in the cache */
  TsrRemoteState *state;

  GMutex lock;
  GHashTable *listings; /* path to Listing */
  char *home;           /* (nullable) */
};

G_DEFINE_FINAL_TYPE (TsrRemotePlace, tsr_remote_place, TSR_TYPE_PLACE)

/* ------------------------------------------------------------------- entries */

static TsrFolderEntry *
entry_copy (const TsrFolderEntry *entry)
{
  TsrFolderEntry *copy = g_memdup2 (entry, sizeof *entry);

  copy->name = g_strdup (entry->name);
  return copy;
}

static GPtrArray *
entries_copy (GPtrArray *entries)
{
  GPtrArray *copy = g_ptr_array_new_full (entries->len, (GDestroyNotify)tsr_folder_entry_free);

  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (copy, entry_copy (g_ptr_array_index (entries, i)));
  return copy;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const TsrFolderEntry *x = *(TsrFolderEntry *const *)a;
  const TsrFolderEntry *y = *(TsrFolderEntry *const *)b;

  return strcmp (x->name, y->name);
}

/* (nullable): @entries are sorted. */
static TsrFolderEntry *
find_entry (GPtrArray *entries, const char *name)
{
  guint low = 0, high = entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      TsrFolderEntry *entry = g_ptr_array_index (entries, middle);
      int order = strcmp (name, entry->name);

      if (order == 0)
        return entry;
      if (order < 0)
        high = middle;
      else
        low = middle + 1;
    }
  return NULL;
}

static TsrFolderEntry *
folder_entry_new (const char *path)
{
  TsrFolderEntry *entry = g_new0 (TsrFolderEntry, 1);

  entry->name = g_path_get_basename (path);
  entry->is_folder = entry->is_readable = TRUE;
  return entry;
}

/* ------------------------------------------------------------------- listings */

static gpointer
unref_entries (gpointer entries)
{
  g_ptr_array_unref (entries);
  return NULL;
}

/* Letting a million names go takes longer than a window may stand still. */
static void
listing_free (gpointer data)
{
  Listing *listing = data;

  if (listing->entries->len >= LARGE_LISTING)
    g_thread_unref (g_thread_new ("listing", unref_entries, listing->entries));
  else
    g_ptr_array_unref (listing->entries);
  g_free (listing);
}

static void
forget_oldest (TsrRemotePlace *self)
{
  GHashTableIter iter;
  gpointer path, value, oldest = NULL;
  gint64 time = G_MAXINT64;

  g_hash_table_iter_init (&iter, self->listings);
  while (g_hash_table_iter_next (&iter, &path, &value))
    if (((Listing *)value)->time < time)
      {
        oldest = path;
        time = ((Listing *)value)->time;
      }
  g_hash_table_remove (self->listings, oldest);
}

static void
remember (TsrRemotePlace *self, const char *path, GPtrArray *entries)
{
  Listing *listing = g_new0 (Listing, 1);

  listing->entries = g_ptr_array_ref (entries);
  listing->time = g_get_monotonic_time ();
  g_mutex_lock (&self->lock);
  if (g_hash_table_size (self->listings) >= MAX_LISTINGS)
    forget_oldest (self);
  g_hash_table_replace (self->listings, g_strdup (path), listing);
  g_mutex_unlock (&self->lock);
}

/* (transfer full) (nullable): what was listed less than @age ago. */
static GPtrArray *
recall (TsrRemotePlace *self, const char *path, gint64 age)
{
  GPtrArray *entries = NULL;
  Listing *listing;

  g_mutex_lock (&self->lock);
  listing = g_hash_table_lookup (self->listings, path);
  if (listing != NULL && g_get_monotonic_time () - listing->time < age)
    entries = g_ptr_array_ref (listing->entries);
  g_mutex_unlock (&self->lock);
  return entries;
}

/* What is known without asking, however old: in memory, or kept on disk. */
static GPtrArray *
recall_any (TsrRemotePlace *self, const char *path)
{
  GPtrArray *entries = recall (self, path, G_MAXINT64);

  if (entries == NULL)
    {
      entries = tsr_block_cache_dup_listing (self->cache, self->host, path);
      if (entries != NULL)
        g_ptr_array_sort (entries, compare_entries);
    }
  return entries;
}

/* (transfer full): shared and not changed any more. */
static GPtrArray *
list (TsrRemotePlace *self, const char *path, GCancellable *cancellable, GError **error)
{
  GPtrArray *entries = recall (self, path, FRESH_US);
  GError *local_error = NULL;

  if (entries != NULL)
    return entries;
  entries = tsr_connection_list (self->connection, path, cancellable, &local_error);
  if (entries != NULL)
    {
      g_ptr_array_sort (entries, compare_entries);
      remember (self, path, entries);
      tsr_block_cache_keep_listing (self->cache, self->host, path, entries);
      g_atomic_int_set (&self->state->is_offline, FALSE);
      return entries;
    }
  if (tsr_remote_error_is_away (local_error))
    entries = recall_any (self, path);
  if (entries == NULL)
    {
      g_propagate_error (error, local_error);
      return NULL;
    }
  g_atomic_int_set (&self->state->is_offline, TRUE);
  g_error_free (local_error);
  return entries;
}

/* ---------------------------------------------------------------------- paths */

/* The home folder is kept as a listing of "/~" with one name, in which nothing is a slash. */
static void
keep_home (TsrRemotePlace *self, const char *home)
{
  g_autoptr (GPtrArray) entries
      = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
  TsrFolderEntry *entry = folder_entry_new (home);

  g_free (entry->name);
  entry->name = g_uri_escape_string (home, NULL, FALSE);
  g_ptr_array_add (entries, entry);
  tsr_block_cache_keep_listing (self->cache, self->host, "/~", entries);
}

/* (transfer full) (nullable) */
static char *
recall_home (TsrRemotePlace *self)
{
  g_autoptr (GPtrArray) kept = tsr_block_cache_dup_listing (self->cache, self->host, "/~");
  const TsrFolderEntry *entry = kept != NULL && kept->len == 1 ? kept->pdata[0] : NULL;
  g_autofree char *home = entry != NULL ? g_uri_unescape_string (entry->name, NULL) : NULL;

  return home != NULL && *home == '/' ? g_steal_pointer (&home) : NULL;
}

/* (transfer full): the home folder as the server says it. */
static char *
dup_home (TsrRemotePlace *self, GCancellable *cancellable, GError **error)
{
  GError *local_error = NULL;
  char *home;

  g_mutex_lock (&self->lock);
  home = g_strdup (self->home);
  g_mutex_unlock (&self->lock);
  if (home != NULL)
    return home;
  home = tsr_connection_resolve (self->connection, ".", cancellable, &local_error);
  if (home != NULL)
    {
      keep_home (self, home);
      g_mutex_lock (&self->lock);
      if (self->home == NULL)
        self->home = g_strdup (home);
      g_mutex_unlock (&self->lock);
      return home;
    }
  if (tsr_remote_error_is_away (local_error))
    home = recall_home (self);
  if (home == NULL)
    {
      g_propagate_error (error, local_error);
      return NULL;
    }
  g_error_free (local_error);
  g_atomic_int_set (&self->state->is_offline, TRUE);
  return home;
}

/* What stands behind the home folder's sign: "" or "/..."; NULL for other paths. */
static const char *
below_home (const char *path)
{
  if (*path == '/')
    path++;
  return path[0] == '~' && (path[1] == '\0' || path[1] == '/') ? path + 1 : NULL;
}

char *
tsr_remote_place_expand (TsrRemotePlace *self,
                         const char *path,
                         GCancellable *cancellable,
                         GError **error)
{
  const char *below;
  g_autofree char *home = NULL;

  g_return_val_if_fail (TSR_IS_REMOTE_PLACE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  below = below_home (path);
  if (below == NULL)
    return g_strdup (path);
  home = dup_home (self, cancellable, error);
  if (home == NULL)
    return NULL;
  if (strcmp (home, "/") == 0)
    return g_strdup (*below != '\0' ? below : "/");
  return g_strconcat (home, below, NULL);
}

/* Endings of files: a few letters.  A folder of that name costs a round trip more. */
static gboolean
looks_like_file (const char *path)
{
  const char *dot = strrchr (path, '.');
  gsize length = dot != NULL ? strlen (dot + 1) : 0;

  if (length == 0 || length > 6)
    return FALSE;
  for (gsize i = 1; i <= length; i++)
    if (!g_ascii_isalpha (dot[i]))
      return FALSE;
  return TRUE;
}

/* -------------------------------------------------------------------- looking */

static void
set_not_found (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("Cannot look at %s: %s"), shown,
               g_strerror (ENOENT));
}

/* What listings tell of @path: TRUE when they do, with *@entry NULL when it is not there. */
static gboolean
stat_from_listing (TsrRemotePlace *self,
                   const char *path,
                   GPtrArray *(*get) (TsrRemotePlace *self, const char *path),
                   TsrFolderEntry **entry)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GPtrArray) around = get (self, parent);
  g_autoptr (GPtrArray) inside = NULL;
  TsrFolderEntry *found;

  *entry = NULL;
  if (strcmp (path, "/") != 0 && strcmp (name, "..") != 0 && around != NULL)
    {
      found = find_entry (around, name);
      if (found != NULL)
        *entry = entry_copy (found);
      return TRUE;
    }
  inside = get (self, path);
  if (inside != NULL)
    *entry = folder_entry_new (path);
  return *entry != NULL;
}

static GPtrArray *
recall_fresh (TsrRemotePlace *self, const char *path)
{
  return recall (self, path, FRESH_US);
}

static TsrFolderEntry *
look (TsrRemotePlace *self, const char *path, GCancellable *cancellable, GError **error)
{
  TsrFolderEntry *entry;
  GError *local_error = NULL;

  if (stat_from_listing (self, path, recall_fresh, &entry))
    {
      if (entry == NULL)
        set_not_found (path, error);
      return entry;
    }
  if (!looks_like_file (path))
    {
      g_autoptr (GPtrArray) entries = list (self, path, cancellable, NULL);

      if (entries != NULL)
        return folder_entry_new (path);
    }
  entry = tsr_connection_stat (self->connection, path, cancellable, &local_error);
  if (entry != NULL)
    {
      g_atomic_int_set (&self->state->is_offline, FALSE);
      return entry;
    }
  if (tsr_remote_error_is_away (local_error) && stat_from_listing (self, path, recall_any, &entry))
    {
      g_atomic_int_set (&self->state->is_offline, TRUE);
      g_error_free (local_error);
      if (entry == NULL)
        set_not_found (path, error);
      return entry;
    }
  g_propagate_error (error, local_error);
  return NULL;
}

static GPtrArray *
remote_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TsrRemotePlace *self = TSR_REMOTE_PLACE (place);
  g_autofree char *absolute = tsr_remote_place_expand (self, path, cancellable, error);
  g_autoptr (GPtrArray) entries
      = absolute != NULL ? list (self, absolute, cancellable, error) : NULL;

  return entries != NULL ? entries_copy (entries) : NULL;
}

static TsrFolderEntry *
remote_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TsrRemotePlace *self = TSR_REMOTE_PLACE (place);
  g_autofree char *absolute = tsr_remote_place_expand (self, path, cancellable, error);

  return absolute != NULL ? look (self, absolute, cancellable, error) : NULL;
}

static char *
remote_resolve (TsrPlace *place, const char *path)
{
  TsrRemotePlace *self = TSR_REMOTE_PLACE (place);
  g_autofree char *absolute = tsr_remote_place_expand (self, path, NULL, NULL);
  g_autoptr (TsrFolderEntry) entry = NULL;

  if (absolute == NULL)
    return NULL;
  /* A folder on the way may be a link, but what lies beside the file lies there as well. */
  if (stat_from_listing (self, absolute, recall_fresh, &entry) && entry != NULL && !entry->is_link
      && !entry->is_folder)
    return g_steal_pointer (&absolute);
  return tsr_connection_resolve (self->connection, absolute, NULL, NULL);
}

static char *
remote_dup_location (TsrPlace *place, const char *path)
{
  TsrConnection *connection = TSR_REMOTE_PLACE (place)->connection;

  return tsr_ssh_address_dup_location (tsr_connection_get_address (connection), path);
}

/* ---------------------------------------------------------------------- files */

static TsrSource *
remote_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TsrRemotePlace *self = TSR_REMOTE_PLACE (place);
  g_autofree char *absolute = tsr_remote_place_expand (self, path, cancellable, error);
  g_autofree char *location = NULL;
  GError *local_error = NULL;
  g_autoptr (TsrFolderEntry) entry
      = absolute != NULL ? look (self, absolute, cancellable, &local_error) : NULL;
  TsrSourceStamp stamp = { 0 };

  if (tsr_remote_error_is_away (local_error))
    g_atomic_int_inc (&self->state->n_missed);
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  if (entry == NULL)
    return NULL;
  location = remote_dup_location (place, path);
  if (entry->is_dangling)
    {
      set_not_found (location, error);
      return NULL;
    }
  if (entry->is_folder)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                   _ ("%s is not a regular file; open a report's folder or a file in it"),
                   location);
      return NULL;
    }
  stamp.size = entry->size;
  stamp.mtime_us = entry->mtime_us;
  return tsr_remote_source_new (self->connection, self->cache, self->state, self->host, absolute,
                                path, location, &stamp);
}

/* ---------------------------------------------------------------------- copies */

gboolean
tsr_remote_place_fetch (TsrRemotePlace *self,
                        const char *const *paths,
                        TsrProgress *progress,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  guint64 total = 0;

  g_return_val_if_fail (TSR_IS_REMOTE_PLACE (self) && paths != NULL, FALSE);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      TsrSource *source = tsr_place_open (TSR_PLACE (self), paths[i], cancellable, error);

      if (source == NULL)
        return FALSE;
      g_ptr_array_add (sources, source);
      total += (guint64)MAX (tsr_source_get_size (source), 0);
    }
  tsr_progress_set_total (progress, total);
  for (guint i = 0; i < sources->len; i++)
    {
      TsrRemoteSource *source = g_ptr_array_index (sources, i);

      if (!tsr_remote_source_fetch (source, progress, cancellable, error)
          || !tsr_source_check_unchanged (TSR_SOURCE (source), cancellable, error))
        return FALSE;
    }
  return TRUE;
}

void
tsr_remote_place_get_copy (TsrRemotePlace *self, const char *const *paths, TsrRemoteCopy *copy)
{
  TsrConnectionStats stats;

  g_return_if_fail (TSR_IS_REMOTE_PLACE (self));
  tsr_connection_get_stats (self->connection, &stats);
  *copy = (TsrRemoteCopy){ .bytes_per_s = stats.bytes_per_s > 0 ? stats.bytes_per_s : NAN,
                           .seconds_left = NAN,
                           .is_whole = paths[0] != NULL };
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *path = NULL;
      g_autoptr (TsrFolderEntry) entry = NULL;
      TsrSourceStamp stamp = { 0 };

      g_mutex_lock (&self->lock);
      if (below_home (paths[i]) != NULL && self->home != NULL)
        path = g_strconcat (self->home, below_home (paths[i]), NULL);
      else
        path = g_strdup (paths[i]);
      g_mutex_unlock (&self->lock);
      if (!stat_from_listing (self, path, recall_any, &entry) || entry == NULL)
        {
          copy->is_whole = FALSE;
          continue;
        }
      stamp.size = entry->size;
      stamp.mtime_us = entry->mtime_us;
      copy->bytes += entry->size;
      copy->here += tsr_block_cache_measure (self->cache, self->host, path, &stamp);
    }
  copy->is_whole &= copy->here == copy->bytes;
  if (copy->bytes_per_s > 0)
    copy->seconds_left = (double)(copy->bytes - copy->here) / copy->bytes_per_s;
}

/* ------------------------------------------------------------------------ life */

gboolean
tsr_remote_place_is_offline (TsrRemotePlace *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_PLACE (self), FALSE);
  return g_atomic_int_get (&self->state->is_offline);
}

guint
tsr_remote_place_count_missed (TsrRemotePlace *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_PLACE (self), 0);
  return (guint)g_atomic_int_get (&self->state->n_missed);
}

static void
tsr_remote_place_finalize (GObject *object)
{
  TsrRemotePlace *self = TSR_REMOTE_PLACE (object);

  g_clear_object (&self->connection);
  g_atomic_rc_box_release (self->state);
  g_clear_pointer (&self->cache, tsr_block_cache_unref);
  g_clear_pointer (&self->listings, g_hash_table_unref);
  g_free (self->host);
  g_free (self->home);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (tsr_remote_place_parent_class)->finalize (object);
}

static void
tsr_remote_place_class_init (TsrRemotePlaceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_remote_place_finalize;
  TSR_PLACE_CLASS (class)->list = remote_list;
  TSR_PLACE_CLASS (class)->stat = remote_stat;
  TSR_PLACE_CLASS (class)->open = remote_open;
  TSR_PLACE_CLASS (class)->resolve = remote_resolve;
  TSR_PLACE_CLASS (class)->dup_location = remote_dup_location;
}

static void
tsr_remote_place_init (TsrRemotePlace *self)
{
  g_mutex_init (&self->lock);
  self->state = g_atomic_rc_box_new0 (TsrRemoteState);
  self->listings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, listing_free);
}

/* As the cache knows the host: by the name of its key where that is told, for one tunnel may lead
 * to other machines tomorrow. */
static char *
dup_host (const TsrSshAddress *address)
{
  g_autofree char *target = tsr_ssh_hop_to_string (&address->target);

  if (address->host_key_alias == NULL)
    return g_steal_pointer (&target);
  return g_strdup_printf ("%s@%s", address->target.user != NULL ? address->target.user : "",
                          address->host_key_alias);
}

TsrRemotePlace *
tsr_remote_place_new (TsrConnection *connection, TsrBlockCache *cache)
{
  TsrRemotePlace *self = g_object_new (TSR_TYPE_REMOTE_PLACE, NULL);

  self->connection = g_object_ref (connection);
  self->host = dup_host (tsr_connection_get_address (connection));
  self->cache = tsr_block_cache_ref (cache);
  return self;
}

TsrConnection *
tsr_remote_place_get_connection (TsrRemotePlace *self)
{
  g_return_val_if_fail (TSR_IS_REMOTE_PLACE (self), NULL);
  return self->connection;
}

void
tsr_remote_place_flush (void)
{
  tsr_remote_source_flush ();
}
