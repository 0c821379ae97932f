/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Source: SQLite's file format, "B-tree pages". */

#include "config.h"

#include "tsr-btree.h"

#include <string.h>

#define MAX_DEPTH      20
#define TABLE_INTERIOR 5
#define INDEX_INTERIOR 2
#define TABLE_LEAF     13
#define INDEX_LEAF     10
#define FILE_HEADER    100 /* on page 1 */
#define PAGE_HEADER    12  /* of an interior page */

typedef struct
{
  guint32 page;
  guint tree;
} Wanted;

typedef struct
{
  TsrSource *source;
  guint32 page_size;
  guint64 n_pages;
  const TsrBTree *trees;
  guint n_trees;
  guint64 *pages_left; /* of each tree */
  guint32 *last;       /* of each tree: the last page of the level; 0 */
  guint32 *last_child; /* and the last child of that */
  GArray *level;       /* Wanted: what is read next */
} Walk;

static guint32
read_be32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_BE (value);
}

static void
add_child (Walk *walk, guint tree, guint32 page, GArray *next)
{
  Wanted wanted = { page, tree };

  if (page < 2 || page > walk->n_pages)
    return;
  walk->last_child[tree] = page;
  if (walk->pages_left[tree] == 0)
    return;
  walk->pages_left[tree]--;
  g_array_append_val (next, wanted);
}

static gboolean
is_large (const Walk *walk, guint tree)
{
  return walk->pages_left[tree] == 0;
}

/* The last pages of trees that are too large to be fetched are the way to their ends. */
static void
add_last (Walk *walk, GArray *next)
{
  for (guint i = 0; i < walk->n_trees; i++)
    {
      Wanted wanted = { walk->last_child[i], i };
      gboolean there = wanted.page == 0 || !is_large (walk, i);

      for (guint k = 0; k < next->len && !there; k++)
        there = g_array_index (next, Wanted, k).page == wanted.page;
      if (!there)
        g_array_append_val (next, wanted);
      walk->last[i] = wanted.page;
      walk->last_child[i] = 0;
    }
}

/* The pages below @bytes that are wanted of its tree. */
static void
add_children (Walk *walk, const Wanted *wanted, const guint8 *bytes, GArray *next)
{
  const guint8 *head = bytes + (wanted->page == 1 ? FILE_HEADER : 0);
  guint n_cells;

  /* Pages mostly stand in their order; a leaf that is the last one of its tree ends it. */
  if ((head[0] == TABLE_LEAF || head[0] == INDEX_LEAF) && walk->last[wanted->tree] == wanted->page
      && is_large (walk, wanted->tree))
    tsr_source_note_end (walk->source, (gint64)wanted->page * walk->page_size);
  if ((head[0] != TABLE_INTERIOR && head[0] != INDEX_INTERIOR) || !walk->trees[wanted->tree].whole)
    return;
  n_cells = (guint)head[3] << 8 | head[4];
  if ((gsize)(head - bytes) + PAGE_HEADER + 2 * (gsize)n_cells > walk->page_size)
    return;
  /* One that is too large is not begun with: only its end is looked for. */
  if (n_cells + 1 > walk->pages_left[wanted->tree])
    {
      walk->pages_left[wanted->tree] = 0;
      add_child (walk, wanted->tree, read_be32 (head + 8), next);
      return;
    }
  for (guint i = 0; i < n_cells; i++)
    {
      const guint8 *pointer = head + PAGE_HEADER + 2 * (gsize)i;
      guint cell = (guint)pointer[0] << 8 | pointer[1];

      if (cell + 4 <= walk->page_size)
        add_child (walk, wanted->tree, read_be32 (bytes + cell), next);
    }
  add_child (walk, wanted->tree, read_be32 (head + 8), next);
}

/* Reads the pages of the level at once and replaces it by the next one; FALSE when that failed. */
static gboolean
step (Walk *walk, GCancellable *cancellable)
{
  guint n = walk->level->len;
  g_autofree guint8 *bytes = g_malloc ((gsize)n * walk->page_size);
  g_autofree TsrSourceRange *ranges = g_new0 (TsrSourceRange, n);
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (Wanted));

  for (guint i = 0; i < n; i++)
    {
      const Wanted *wanted = &g_array_index (walk->level, Wanted, i);

      ranges[i].offset = (gint64)(wanted->page - 1) * walk->page_size;
      ranges[i].length = walk->page_size;
      ranges[i].bytes = bytes + (gsize)i * walk->page_size;
    }
  if (!tsr_source_read_ranges (walk->source, ranges, n, cancellable, NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (ranges[i].got == walk->page_size)
      add_children (walk, &g_array_index (walk->level, Wanted, i), ranges[i].bytes, next);
  add_last (walk, next);
  g_array_unref (walk->level);
  walk->level = g_steal_pointer (&next);
  return TRUE;
}

void
tsr_btree_prefetch (TsrSource *source,
                    guint32 page_size,
                    const TsrBTree *trees,
                    guint n,
                    guint64 max_bytes,
                    GCancellable *cancellable)
{
  g_autofree guint64 *pages_left = NULL;
  g_autofree guint32 *last = NULL, *last_child = NULL;
  Walk walk = { .source = source, .page_size = page_size, .trees = trees, .n_trees = n };

  if (!tsr_source_is_slow (source) || page_size < 512 || n == 0)
    return;
  walk.n_pages = (guint64)tsr_source_get_size (source) / page_size;
  walk.pages_left = pages_left = g_new (guint64, n);
  walk.last = last = g_new0 (guint32, n);
  walk.last_child = last_child = g_new0 (guint32, n);
  walk.level = g_array_new (FALSE, FALSE, sizeof (Wanted));
  for (guint i = 0; i < n; i++)
    {
      Wanted wanted = { trees[i].root, i };

      pages_left[i] = max_bytes / page_size;
      if (trees[i].root >= 1 && trees[i].root <= walk.n_pages)
        g_array_append_val (walk.level, wanted);
    }
  for (guint depth = 0; depth < MAX_DEPTH && walk.level->len > 0; depth++)
    if (!step (&walk, cancellable))
      break;
  g_array_unref (walk.level);
}

gboolean
tsr_btree_is_deep (TsrSource *source, guint32 page_size, guint32 root, GCancellable *cancellable)
{
  gint64 offset = ((gint64)root - 1) * page_size + (root == 1 ? FILE_HEADER : 0);
  guint8 type;

  return root >= 1 && page_size >= 512
         && tsr_source_read_exactly (source, offset, &type, 1, cancellable, NULL)
         && (type == TABLE_INTERIOR || type == INDEX_INTERIOR);
}
