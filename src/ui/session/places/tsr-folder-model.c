/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Entries are listed once, and put in order by the worker that lists them, in all orders that are
 * needed: the main thread only filters numbers, also where a folder has a million names.  Items are
 * made on demand and share the listing.  The worker that looks into folders writes one byte for
 * each and says so now and then; it only ever goes from 0 to 1, so no lock is needed. */

#include "config.h"

#include "tsr-folder-model.h"

#include "tsr-task.h"

#include <string.h>

/* Looking into more folders than this would keep a slow disk busy for nothing. */
#define MAX_LOOKS 4096
/* Each is two round trips there. */
#define MAX_REMOTE_LOOKS 512
/* The list is told after this many of them. */
#define LOOKS_AT_ONCE 32
/* Listings with at least this many names are freed in a worker, because that takes long. */
#define LARGE_LISTING 20000
/* Rows that are told of a large one at first: more than fit on a screen. */
#define HEAD 64

typedef struct
{
  gatomicrefcount references;
  char *path;
  GPtrArray *entries; /* TsrFolderEntry */
  char **keys;        /* collation key of each */
  int *reports;       /* atomic: 1 for a report */
  guint *by_name;     /* indexes: folders first, by name */
  guint *by_date;     /* the same, newest first */
  guint *by_bytes;    /* as strcmp has the names: one prefix is one piece of it */
  guint *byte_ranks;  /* of each entry, in by_bytes */
  guint *shown[2];    /* by_name and by_date without hidden entries */
  guint n_shown;
  gboolean is_report;
} Listing;

struct _TsrFolderItem
{
  GObject parent_instance;

  Listing *listing;
  guint index;
};

G_DEFINE_FINAL_TYPE (TsrFolderItem, tsr_folder_item, G_TYPE_OBJECT)

struct _TsrFolderModel
{
  GObject parent_instance;

  TsrPlace *place;
  Listing *listing; /* NULL before the first one */
  GArray *order;    /* guint: index of the entry at each position */
  guint n_items;    /* of them, while the rest is not told yet */
  guint tail;       /* source id: tells the rest */
  char *wanted;     /* path that is being listed, or was last */
  GError *error;    /* of the last listing */
  GCancellable *cancellable;
  char *prefix;
  gboolean show_hidden, by_date, marking, busy;
};

enum
{
  LISTED,
  MARKED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrFolderModel,
                               tsr_folder_model,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static Listing *
listing_ref (Listing *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

static gpointer
listing_free (gpointer data)
{
  Listing *self = data;
  guint n = self->entries->len;

  for (guint i = 0; i < n; i++)
    g_free (self->keys[i]);
  g_free (self->keys);
  g_free (self->reports);
  g_free (self->by_name);
  g_free (self->by_date);
  g_free (self->by_bytes);
  g_free (self->byte_ranks);
  g_free (self->shown[0]);
  g_free (self->shown[1]);
  g_ptr_array_unref (self->entries);
  g_free (self->path);
  g_free (self);
  return NULL;
}

static void
listing_unref (Listing *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  if (self->entries->len >= LARGE_LISTING)
    g_thread_unref (g_thread_new ("folder", listing_free, self));
  else
    listing_free (self);
}

static const TsrFolderEntry *
entry_at (const Listing *self, guint index)
{
  return g_ptr_array_index (self->entries, index);
}

/* ---------------------------------------------------------------- items */

static void
tsr_folder_item_finalize (GObject *object)
{
  g_clear_pointer (&TSR_FOLDER_ITEM (object)->listing, listing_unref);
  G_OBJECT_CLASS (tsr_folder_item_parent_class)->finalize (object);
}

static void
tsr_folder_item_class_init (TsrFolderItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_folder_item_finalize;
}

static void
tsr_folder_item_init (TsrFolderItem *self)
{
}

const char *
tsr_folder_item_get_name (TsrFolderItem *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_ITEM (self), NULL);
  return entry_at (self->listing, self->index)->name;
}

gboolean
tsr_folder_item_is_folder (TsrFolderItem *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_ITEM (self), FALSE);
  return entry_at (self->listing, self->index)->is_folder;
}

gboolean
tsr_folder_item_is_report (TsrFolderItem *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_ITEM (self), FALSE);
  return g_atomic_int_get (&self->listing->reports[self->index]) != 0;
}

gint64
tsr_folder_item_get_size (TsrFolderItem *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_ITEM (self), 0);
  return entry_at (self->listing, self->index)->size;
}

gint64
tsr_folder_item_get_mtime_us (TsrFolderItem *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_ITEM (self), 0);
  return entry_at (self->listing, self->index)->mtime_us;
}

/* ---------------------------------------------------------------- list model */

static GType
list_get_item_type (GListModel *model)
{
  return TSR_TYPE_FOLDER_ITEM;
}

static guint
list_get_n_items (GListModel *model)
{
  return TSR_FOLDER_MODEL (model)->n_items;
}

static gpointer
list_get_item (GListModel *model, guint position)
{
  TsrFolderModel *self = TSR_FOLDER_MODEL (model);
  TsrFolderItem *item;

  if (position >= self->n_items)
    return NULL;
  item = g_object_new (TSR_TYPE_FOLDER_ITEM, NULL);
  item->listing = listing_ref (self->listing);
  item->index = g_array_index (self->order, guint, position);
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = list_get_item_type;
  iface->get_n_items = list_get_n_items;
  iface->get_item = list_get_item;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  Listing *listing = data;
  guint i = *(const guint *)a, k = *(const guint *)b;
  const TsrFolderEntry *x = entry_at (listing, i), *y = entry_at (listing, k);

  if (x->is_folder != y->is_folder)
    return x->is_folder ? -1 : 1;
  return strcmp (listing->keys[i], listing->keys[k]);
}

static int
compare_dates (gconstpointer a, gconstpointer b, gpointer data)
{
  Listing *listing = data;
  const TsrFolderEntry *x = entry_at (listing, *(const guint *)a);
  const TsrFolderEntry *y = entry_at (listing, *(const guint *)b);

  if (x->is_folder == y->is_folder && x->mtime_us != y->mtime_us)
    return x->mtime_us > y->mtime_us ? -1 : 1;
  return compare_names (a, b, data);
}

static int
compare_bytes (gconstpointer a, gconstpointer b, gpointer data)
{
  return strcmp (entry_at (data, *(const guint *)a)->name,
                 entry_at (data, *(const guint *)b)->name);
}

/* (transfer full) */
static guint *
dup_order (Listing *listing, GCompareDataFunc compare)
{
  guint n = listing->entries->len;
  guint *order = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int)n, sizeof order[0], compare, listing);
  return order;
}

/* (transfer full) */
static guint *
dup_shown (Listing *listing, const guint *all, guint *n_shown)
{
  guint n = listing->entries->len;
  guint *shown = g_new (guint, n + 1);

  *n_shown = 0;
  for (guint i = 0; i < n; i++)
    if (entry_at (listing, all[i])->name[0] != '.')
      shown[(*n_shown)++] = all[i];
  return shown;
}

static void
put_in_order (Listing *listing)
{
  guint n = listing->entries->len;

  listing->by_name = dup_order (listing, compare_names);
  listing->by_date = dup_order (listing, compare_dates);
  listing->by_bytes = dup_order (listing, compare_bytes);
  listing->byte_ranks = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    listing->byte_ranks[listing->by_bytes[i]] = i;
  listing->shown[0] = dup_shown (listing, listing->by_name, &listing->n_shown);
  listing->shown[1] = dup_shown (listing, listing->by_date, &listing->n_shown);
}

/* The first name that is not before @prefix, or with @after, not with it either. */
static guint
find_prefix (const Listing *listing, const char *prefix, gboolean after)
{
  gsize length = strlen (prefix);
  guint from = 0, to = listing->entries->len;

  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      int order = strncmp (entry_at (listing, listing->by_bytes[middle])->name, prefix, length);

      if (order < 0 || (after && order == 0))
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/* Entries of @all whose names begin with @prefix. */
static void
add_with_prefix (GArray *order, const Listing *listing, const guint *all, const char *prefix)
{
  guint from = find_prefix (listing, prefix, FALSE);
  guint n = find_prefix (listing, prefix, TRUE) - from;

  for (guint i = 0; n > 0 && i < listing->entries->len; i++)
    if (listing->byte_ranks[all[i]] - from < n)
      g_array_append_val (order, all[i]);
}

/* (transfer full): indexes of what is to be shown, in order. */
static GArray *
dup_visible (TsrFolderModel *self)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));
  const Listing *listing = self->listing;
  const guint *all;

  if (listing == NULL)
    return order;
  all = self->by_date ? listing->by_date : listing->by_name;
  /* With a prefix, hidden names are shown where it says so. */
  if (self->prefix != NULL && *self->prefix != '\0')
    add_with_prefix (order, listing, all, self->prefix);
  else if (self->show_hidden)
    g_array_append_vals (order, all, listing->entries->len);
  else
    g_array_append_vals (order, listing->shown[self->by_date ? 1 : 0], listing->n_shown);
  return order;
}

/* From now on there are @n entries, and those from @from on are other ones. */
static void
change_to (TsrFolderModel *self, guint from, guint n)
{
  guint n_old = self->n_items - from;

  self->n_items = n;
  if (n_old > 0 || n > from)
    g_list_model_items_changed (G_LIST_MODEL (self), from, n_old, n - from);
}

static void
tell_tail (TsrFolderModel *self)
{
  g_clear_handle_id (&self->tail, g_source_remove);
  if (self->n_items < self->order->len)
    change_to (self, self->n_items, self->order->len);
}

static gboolean
on_tail (gpointer data)
{
  TsrFolderModel *self = data;

  self->tail = 0;
  tell_tail (self);
  return G_SOURCE_REMOVE;
}

/* @listing (nullable, taken) takes the place of the one that there is, which may be itself.  A list
 * looks for each row that it has among all entries that come with the same change, and makes rows
 * for more than is seen: of a large one the end goes first and comes when the head is drawn. */
static void
show_listing (TsrFolderModel *self, Listing *listing)
{
  gboolean is_large;

  g_clear_handle_id (&self->tail, g_source_remove);
  is_large = self->n_items >= LARGE_LISTING;
  if (is_large)
    change_to (self, HEAD, HEAD);
  if (listing != self->listing)
    {
      g_clear_pointer (&self->listing, listing_unref);
      self->listing = listing;
    }
  g_array_unref (self->order);
  self->order = dup_visible (self);
  is_large = is_large || self->order->len >= LARGE_LISTING;
  change_to (self, 0, is_large ? MIN (self->order->len, HEAD) : self->order->len);
  if (self->n_items < self->order->len)
    self->tail = g_idle_add_full (G_PRIORITY_LOW, on_tail, self, NULL);
}

/* ---------------------------------------------------------------- worker: listing */

static void
list_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TsrFolderModel *self = TSR_FOLDER_MODEL (source);
  const char *path = data;
  GError *error = NULL;
  GPtrArray *entries = tsr_place_list (self->place, path, cancellable, &error);
  Listing *listing;

  if (entries == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  listing = g_new0 (Listing, 1);
  g_atomic_ref_count_init (&listing->references);
  listing->path = g_strdup (path);
  listing->entries = entries;
  listing->keys = g_new0 (char *, entries->len + 1);
  listing->reports = g_new0 (int, entries->len + 1);
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *shown = g_filename_display_name (entry->name);
      TsrFileKind kind;

      listing->keys[i] = g_utf8_collate_key_for_filename (shown, -1);
      if (entry->is_folder || entry->is_dangling
          || !tsr_report_files_is_known_name (entry->name, &kind))
        continue;
      listing->reports[i] = 1;
      listing->is_report
          = listing->is_report || kind == TSR_FILE_PROFILE || kind == TSR_FILE_ARCHIVE;
    }
  put_in_order (listing);
  g_task_return_pointer (task, listing, (GDestroyNotify)listing_unref);
}

/* ---------------------------------------------------------------- worker: marking */

typedef struct
{
  Listing *listing;
  GWeakRef model; /* TsrFolderModel */
} MarkJob;

static void
mark_job_free (gpointer data)
{
  MarkJob *job = data;

  listing_unref (job->listing);
  g_weak_ref_clear (&job->model);
  g_free (job);
}

static gboolean
emit_marked (gpointer data)
{
  g_signal_emit (data, signals[MARKED], 0);
  return G_SOURCE_REMOVE;
}

static void
say_marked (MarkJob *job)
{
  TsrFolderModel *model = g_weak_ref_get (&job->model);

  if (model != NULL)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, emit_marked, model, g_object_unref);
}

static gboolean
holds_report (TsrPlace *place, const char *folder, GCancellable *cancellable)
{
  static const TsrFileKind kinds[] = { TSR_FILE_PROFILE, TSR_FILE_ARCHIVE };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path
          = g_build_filename (folder, tsr_file_kind_get_fixed_name (kinds[i]), NULL);
      TsrFolderEntry *entry = tsr_place_stat (place, path, cancellable, NULL);
      gboolean found = entry != NULL && !entry->is_folder && !entry->is_dangling;

      g_clear_pointer (&entry, tsr_folder_entry_free);
      if (found)
        return TRUE;
    }
  return FALSE;
}

static void
mark_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  MarkJob *job = data;
  TsrPlace *place = TSR_PLACE (source);
  guint most = tsr_place_is_remote (place) ? MAX_REMOTE_LOOKS : MAX_LOOKS;
  guint looks = 0, fresh = 0;

  for (guint i = 0; i < job->listing->entries->len && looks < most; i++)
    {
      const TsrFolderEntry *entry = entry_at (job->listing, i);
      g_autofree char *path = NULL;

      if (!entry->is_folder)
        continue;
      if (g_cancellable_is_cancelled (cancellable))
        break;
      path = g_build_filename (job->listing->path, entry->name, NULL);
      if (holds_report (place, path, cancellable))
        {
          g_atomic_int_set (&job->listing->reports[i], 1);
          fresh++;
        }
      if (++looks % LOOKS_AT_ONCE == 0 && fresh > 0)
        {
          fresh = 0;
          say_marked (job);
        }
    }
  if (fresh > 0)
    say_marked (job);
  g_task_return_boolean (task, TRUE);
}

static void
start_marking (TsrFolderModel *self)
{
  MarkJob *job;
  g_autoptr (GTask) task = NULL;

  if (!self->marking)
    return;
  job = g_new0 (MarkJob, 1);
  job->listing = listing_ref (self->listing);
  g_weak_ref_init (&job->model, self);
  task = g_task_new (self->place, self->cancellable, NULL, NULL);
  g_task_set_source_tag (task, start_marking);
  g_task_set_task_data (task, job, mark_job_free);
  tsr_task_run_in_thread (task, mark_run);
}

/* ---------------------------------------------------------------- asking */

static void
on_listed (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrFolderModel *self = TSR_FOLDER_MODEL (source);
  g_autoptr (GError) error = NULL;
  Listing *listing = g_task_propagate_pointer (G_TASK (result), &error);

  /* A newer request has taken its place. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      g_clear_pointer (&listing, listing_unref);
      return;
    }
  self->busy = FALSE;
  g_clear_error (&self->error);
  if (listing == NULL)
    self->error = g_steal_pointer (&error);
  else
    {
      show_listing (self, listing);
      start_marking (self);
    }
  g_signal_emit (self, signals[LISTED], 0);
}

void
tsr_folder_model_set_path (TsrFolderModel *self, const char *path, gboolean again)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TSR_IS_FOLDER_MODEL (self) && path != NULL);
  if (!again && g_strcmp0 (self->wanted, path) == 0 && self->error == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_free (self->wanted);
  self->wanted = g_strdup (path);
  self->busy = TRUE;
  task = g_task_new (self, self->cancellable, on_listed, NULL);
  g_task_set_source_tag (task, tsr_folder_model_set_path);
  g_task_set_task_data (task, g_strdup (path), g_free);
  tsr_task_run_in_thread (task, list_run);
}

const char *
tsr_folder_model_get_path (TsrFolderModel *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_MODEL (self), NULL);
  return self->listing != NULL ? self->listing->path : NULL;
}

gboolean
tsr_folder_model_is_busy (TsrFolderModel *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_MODEL (self), FALSE);
  return self->busy;
}

const GError *
tsr_folder_model_get_error (TsrFolderModel *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_MODEL (self), NULL);
  return self->error;
}

gboolean
tsr_folder_model_is_report (TsrFolderModel *self)
{
  g_return_val_if_fail (TSR_IS_FOLDER_MODEL (self), FALSE);
  return self->listing != NULL && self->listing->is_report;
}

guint
tsr_folder_model_find (TsrFolderModel *self, const char *name)
{
  GCompareDataFunc compare = self->by_date ? compare_dates : compare_names;
  guint from = 0, to = self->order->len, index;

  g_return_val_if_fail (TSR_IS_FOLDER_MODEL (self) && name != NULL, G_MAXUINT);
  if (self->listing == NULL)
    return G_MAXUINT;
  index = find_prefix (self->listing, name, FALSE);
  if (index >= self->listing->entries->len)
    return G_MAXUINT;
  index = self->listing->by_bytes[index];
  if (!g_str_equal (entry_at (self->listing, index)->name, name))
    return G_MAXUINT;
  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      guint found = g_array_index (self->order, guint, middle);

      if (found == index)
        {
          if (middle >= self->n_items)
            tell_tail (self);
          return middle;
        }
      if (compare (&found, &index, self->listing) < 0)
        from = middle + 1;
      else
        to = middle;
    }
  return G_MAXUINT;
}

void
tsr_folder_model_set_show_hidden (TsrFolderModel *self, gboolean show)
{
  g_return_if_fail (TSR_IS_FOLDER_MODEL (self));
  if (self->show_hidden == show)
    return;
  self->show_hidden = show;
  show_listing (self, self->listing);
}

void
tsr_folder_model_set_by_date (TsrFolderModel *self, gboolean by_date)
{
  g_return_if_fail (TSR_IS_FOLDER_MODEL (self));
  if (self->by_date == by_date)
    return;
  self->by_date = by_date;
  show_listing (self, self->listing);
}

void
tsr_folder_model_set_prefix (TsrFolderModel *self, const char *prefix)
{
  g_return_if_fail (TSR_IS_FOLDER_MODEL (self));
  if (g_strcmp0 (self->prefix, prefix) == 0)
    return;
  g_free (self->prefix);
  self->prefix = g_strdup (prefix);
  show_listing (self, self->listing);
}

void
tsr_folder_model_set_marking (TsrFolderModel *self, gboolean marking)
{
  g_return_if_fail (TSR_IS_FOLDER_MODEL (self));
  self->marking = marking;
}

static void
tsr_folder_model_dispose (GObject *object)
{
  TsrFolderModel *self = TSR_FOLDER_MODEL (object);

  g_clear_handle_id (&self->tail, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  G_OBJECT_CLASS (tsr_folder_model_parent_class)->dispose (object);
}

static void
tsr_folder_model_finalize (GObject *object)
{
  TsrFolderModel *self = TSR_FOLDER_MODEL (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->place);
  g_clear_pointer (&self->listing, listing_unref);
  g_clear_error (&self->error);
  g_array_unref (self->order);
  g_free (self->wanted);
  g_free (self->prefix);
  G_OBJECT_CLASS (tsr_folder_model_parent_class)->finalize (object);
}

static void
tsr_folder_model_class_init (TsrFolderModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tsr_folder_model_dispose;
  object_class->finalize = tsr_folder_model_finalize;
  signals[LISTED] = g_signal_new ("listed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[MARKED] = g_signal_new ("marked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_folder_model_init (TsrFolderModel *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->marking = TRUE;
}

TsrFolderModel *
tsr_folder_model_new (TsrPlace *place)
{
  TsrFolderModel *self;

  g_return_val_if_fail (TSR_IS_PLACE (place), NULL);
  self = g_object_new (TSR_TYPE_FOLDER_MODEL, NULL);
  self->place = g_object_ref (place);
  return self;
}
