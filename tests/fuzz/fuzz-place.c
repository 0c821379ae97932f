/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A place whose folders and files are in memory. */

#include "config.h"

#include "fuzz-place.h"

#include <string.h>

typedef struct
{
  FuzzKind kind;
  GBytes *bytes;
  gint64 mtime_us;
} Node;

struct _FuzzPlace
{
  TsrPlace parent_instance;
  GTree *nodes; /* path to Node, in order */
};

G_DEFINE_FINAL_TYPE (FuzzPlace, fuzz_place, TSR_TYPE_PLACE)

static void
node_free (gpointer data)
{
  Node *node = data;

  g_clear_pointer (&node->bytes, g_bytes_unref);
  g_free (node);
}

static gboolean
is_folder (const Node *node)
{
  return node->kind == FUZZ_FOLDER || node->kind == FUZZ_FOLDER_LINK
         || node->kind == FUZZ_DENIED_FOLDER;
}

static TsrFolderEntry *
make_entry (const char *path, const Node *node)
{
  TsrFolderEntry *entry = g_new0 (TsrFolderEntry, 1);

  entry->name = g_path_get_basename (path);
  entry->size = node->bytes != NULL ? (gint64)g_bytes_get_size (node->bytes) : 0;
  entry->mtime_us = node->mtime_us;
  entry->is_folder = is_folder (node);
  entry->is_link
      = node->kind == FUZZ_LINK || node->kind == FUZZ_FOLDER_LINK || node->kind == FUZZ_DANGLING;
  entry->is_dangling = node->kind == FUZZ_DANGLING;
  entry->is_readable = node->kind != FUZZ_DANGLING && node->kind != FUZZ_DENIED_FILE
                       && node->kind != FUZZ_DENIED_FOLDER;
  return entry;
}

static const Node *
find (TsrPlace *place, const char *path, GError **error)
{
  const Node *node = g_tree_lookup (FUZZ_PLACE (place)->nodes, path);

  if (node == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "nothing there");
  return node;
}

static GPtrArray *
fuzz_place_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *prefix = g_strconcat (strcmp (path, "/") == 0 ? "" : path, "/", NULL);
  const Node *node = find (place, path, error);
  GPtrArray *entries;

  if (node == NULL)
    return NULL;
  if (!is_folder (node) || node->kind == FUZZ_DENIED_FOLDER)
    {
      g_set_error (error, G_IO_ERROR,
                   is_folder (node) ? G_IO_ERROR_PERMISSION_DENIED : G_IO_ERROR_NOT_DIRECTORY,
                   "not to be listed");
      return NULL;
    }
  entries = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
  for (GTreeNode *at = g_tree_node_first (FUZZ_PLACE (place)->nodes); at != NULL;
       at = g_tree_node_next (at))
    {
      const char *child = g_tree_node_key (at);

      if (g_str_has_prefix (child, prefix) && child[strlen (prefix)] != '\0'
          && strchr (child + strlen (prefix), '/') == NULL)
        g_ptr_array_add (entries, make_entry (child, g_tree_node_value (at)));
    }
  return entries;
}

static TsrFolderEntry *
fuzz_place_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  const Node *node = find (place, path, error);

  return node != NULL ? make_entry (path, node) : NULL;
}

static TsrSource *
fuzz_place_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  const Node *node = find (place, path, error);

  if (node == NULL)
    return NULL;
  if (node->bytes == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "nothing to read");
      return NULL;
    }
  return tsr_bytes_source_new (path, node->bytes);
}

static void
fuzz_place_finalize (GObject *object)
{
  g_tree_unref (FUZZ_PLACE (object)->nodes);
  G_OBJECT_CLASS (fuzz_place_parent_class)->finalize (object);
}

static void
fuzz_place_class_init (FuzzPlaceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fuzz_place_finalize;
  TSR_PLACE_CLASS (class)->list = fuzz_place_list;
  TSR_PLACE_CLASS (class)->stat = fuzz_place_stat;
  TSR_PLACE_CLASS (class)->open = fuzz_place_open;
}

static int
compare_paths (gconstpointer a, gconstpointer b, gpointer data)
{
  return strcmp (a, b);
}

static void
fuzz_place_init (FuzzPlace *self)
{
  self->nodes = g_tree_new_full (compare_paths, NULL, g_free, node_free);
}

TsrPlace *
fuzz_place_new (void)
{
  TsrPlace *place = g_object_new (FUZZ_TYPE_PLACE, NULL);

  fuzz_place_add (place, "/", FUZZ_FOLDER, NULL);
  return place;
}

void
fuzz_place_add (TsrPlace *place, const char *path, FuzzKind kind, GBytes *bytes)
{
  GTree *nodes = FUZZ_PLACE (place)->nodes;
  Node *node = g_new0 (Node, 1);

  for (const char *slash = strchr (path + 1, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *above = g_strndup (path, slash - path);
      const Node *old = g_tree_lookup (nodes, above);

      if (old == NULL || !is_folder (old))
        g_tree_replace (nodes, g_steal_pointer (&above), g_new0 (Node, 1));
    }
  node->kind = kind;
  node->bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL;
  node->mtime_us = g_tree_nnodes (nodes) % 3;
  g_tree_replace (nodes, g_strdup (path), node);
}

gboolean
fuzz_place_has_file (TsrPlace *place, const char *path)
{
  const Node *node = g_tree_lookup (FUZZ_PLACE (place)->nodes, path);

  return node != NULL && !is_folder (node) && node->kind != FUZZ_DANGLING;
}
