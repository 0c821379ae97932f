/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Categories of variables: their names, and their allocated bytes, from a scan of vars_info if the
 * file has no sums. */

#include "config.h"

#include "tsr-profile-cursor.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Categories are told apart by 16 bits elsewhere; Poplar has some twenty. */
#define MAX_CATEGORIES 65535

void
tsr_category_rows_clear (TsrCategoryRows *rows)
{
  for (guint i = 0; i < rows->n_categories; i++)
    g_free (rows->names[i]);
  g_free (rows->names);
  g_free (rows->ids);
  g_free (rows->allocated);
}

/* ------------------------------------------------------------------ index */

static guint
hash_id (gconstpointer key)
{
  return g_int64_hash (key);
}

void
tsr_category_index_init (TsrCategoryIndex *self, TsrCategoryRows *categories)
{
  self->categories = categories;
  self->last_index = -1;
  self->places = g_hash_table_new_full (hash_id, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < categories->n_categories; i++)
    g_hash_table_insert (self->places, g_memdup2 (&categories->ids[i], sizeof (gint64)),
                         GUINT_TO_POINTER (i + 1));
}

void
tsr_category_index_clear (TsrCategoryIndex *self)
{
  g_clear_pointer (&self->places, g_hash_table_unref);
}

/* Takes @name. */
static gboolean
append_category (TsrCategoryIndex *self, gint64 id, char *name, gint64 allocated)
{
  TsrCategoryRows *rows = self->categories;

  if (rows->n_categories >= MAX_CATEGORIES)
    {
      g_free (name);
      return FALSE;
    }
  if ((rows->n_categories & (rows->n_categories - 1)) == 0)
    {
      gsize room = MAX ((gsize)rows->n_categories * 2, 16);

      rows->ids = g_renew (gint64, rows->ids, room);
      rows->names = g_renew (char *, rows->names, room);
      rows->allocated = g_renew (gint64, rows->allocated, room);
    }
  rows->ids[rows->n_categories] = id;
  if (name == NULL)
    name = id != TSR_UNKNOWN ? g_strdup_printf ("category %" PRId64, id)
                             : g_strdup (TSR_UNKNOWN_CATEGORY);
  rows->names[rows->n_categories] = name;
  rows->allocated[rows->n_categories] = allocated;
  rows->n_categories++;
  g_hash_table_insert (self->places, g_memdup2 (&id, sizeof id),
                       GUINT_TO_POINTER (rows->n_categories));
  return TRUE;
}

/* Place of @id, or -1. */
static int
tsr_category_index_find (TsrCategoryIndex *self, gint64 id)
{
  if (self->last_index < 0 || self->last_id != id)
    {
      self->last_id = id;
      self->last_index = (int)GPOINTER_TO_UINT (g_hash_table_lookup (self->places, &id)) - 1;
    }
  return self->last_index;
}

int
tsr_category_index_add (TsrCategoryIndex *self, TsrProfileCursor *rows, gint64 id)
{
  int index = tsr_category_index_find (self, id);

  if (index >= 0)
    return index;
  if (!append_category (self, id, NULL, TSR_UNKNOWN))
    {
      tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "limit",
                                 _ ("there are more than %d categories; the row is left out"),
                                 MAX_CATEGORIES);
      return -1;
    }
  if (id != TSR_UNKNOWN)
    tsr_profile_cursor_report (
        rows, TSR_SEVERITY_WARNING, "reference-broken",
        _ ("category %" PRId64 " has no row in var_categories; its number stands for its name"),
        id);
  self->last_index = (int)self->categories->n_categories - 1;
  return self->last_index;
}

/* ------------------------------------------------------------- categories */

typedef struct
{
  gint64 id;
  char *name;
  gint64 allocated;
} Category;

static int
compare_categories (gconstpointer a, gconstpointer b)
{
  const Category *x = a;
  const Category *y = b;

  return x->id < y->id ? -1 : x->id > y->id;
}

static void
clear_category (gpointer data)
{
  g_free (((Category *)data)->name);
}

gboolean
tsr_profile_read_categories (TsrProfile *self, TsrCategoryRows *categories, GError **error)
{
  static const char *const columns[] = { "id", "name", "allocated_bytes", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };
  g_auto (TsrCategoryIndex) index = { 0 };
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Category));

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (categories, 0, sizeof *categories);
  g_array_set_clear_func (found, clear_category);
  if (!tsr_profile_cursor_open (&rows, self, "var_categories", columns, error))
    return FALSE;
  if (!tsr_profile_cursor_need (&rows, 0))
    return TRUE;
  tsr_category_index_init (&index, categories);
  while (tsr_profile_cursor_next (&rows, error))
    {
      Category category
          = { .id = tsr_profile_cursor_get_key (&rows, 0, G_MININT64 + 1, G_MAXINT64) };

      if (category.id == TSR_UNKNOWN)
        continue;
      if (found->len >= MAX_CATEGORIES)
        {
          tsr_profile_cursor_report (&rows, TSR_SEVERITY_ERROR, "limit",
                                     _ ("there are more than %d categories; the rest is left out"),
                                     MAX_CATEGORIES);
          break;
        }
      category.name = tsr_profile_cursor_dup_text (&rows, 1, FALSE);
      category.allocated = tsr_profile_cursor_get_int (&rows, 2, 0, TSR_MAX_SIZE);
      g_array_append_val (found, category);
    }
  if (rows.failed)
    return FALSE;
  g_array_sort (found, compare_categories);
  for (guint i = 0; i < found->len; i++)
    {
      Category *category = &g_array_index (found, Category, i);

      if (tsr_category_index_find (&index, category->id) < 0)
        append_category (&index, category->id, g_steal_pointer (&category->name),
                         category->allocated);
      else
        tsr_profile_report (self, "var_categories", TSR_SEVERITY_ERROR, "id-repeated",
                            _ ("category %" PRId64 " has several rows; the first one counts"),
                            category->id);
    }
  return TRUE;
}

/* -------------------------------------------------------- scan of vars_info */

typedef struct
{
  TsrCategoryIndex index;
  guint n_tiles;    /* 0: sums by category only */
  guint n_room;     /* categories that there is room for in cells */
  gint64 *cells;    /* [category * n_tiles + tile] */
  TsrColumn totals; /* [category] */
} Allocations;

static void
allocations_clear (Allocations *self)
{
  tsr_category_index_clear (&self->index);
  tsr_column_clear (&self->totals);
  g_free (self->cells);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Allocations, allocations_clear)

/* A sum that something unknown belongs to is unknown. */
static void
add_size (gint64 *sum, gint64 size)
{
  if (*sum == TSR_UNKNOWN || size == TSR_UNKNOWN || *sum > G_MAXINT64 - size)
    *sum = TSR_UNKNOWN;
  else
    *sum += size;
}

/* Rows without a size in the file would make every sum smaller than it is. */
static gint64
read_size (TsrProfileCursor *rows)
{
  return tsr_profile_cursor_get_key (rows, 0, 0, TSR_MAX_SIZE);
}

static void
add_allocation (Allocations *self, TsrProfileCursor *rows)
{
  gint64 size = read_size (rows);
  gint64 id = tsr_profile_cursor_get_int (rows, 1, G_MININT64 + 1, G_MAXINT64);
  gint64 tile;
  int category;

  if (tsr_profile_cursor_is_null (rows, 1))
    tsr_profile_cursor_report (
        rows, TSR_SEVERITY_WARNING, "value-missing",
        _ ("category is missing (NULL); the row counts as one of an unknown category"));
  category = tsr_category_index_add (&self->index, rows, id);
  if (category < 0)
    return;
  while (self->totals.length <= (gsize)category)
    tsr_column_append (&self->totals, 0);
  add_size (&self->totals.values[category], size);
  if (self->n_tiles == 0)
    return;
  tile = tsr_profile_cursor_get_key (rows, 2, 0, (gint64)self->n_tiles - 1);
  if (tile != TSR_UNKNOWN && (guint)category < self->n_room)
    add_size (&self->cells[(gsize)category * self->n_tiles + tile], size);
}

/* Reads vars_info once.  *any is FALSE when it tells nothing. */
static gboolean
scan (TsrProfile *self,
      Allocations *allocations,
      TsrProgress *progress,
      gboolean *any,
      GError **error)
{
  static const char *const columns[] = { "size_bytes", "category", "tile", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };

  *any = FALSE;
  if (!tsr_profile_cursor_open (&rows, self, "vars_info", columns, error))
    return FALSE;
  if (!tsr_profile_cursor_need (&rows, 0) || !tsr_profile_cursor_need (&rows, 1)
      || (allocations->n_tiles > 0 && !tsr_profile_cursor_need (&rows, 2)))
    return TRUE;
  rows.progress = progress;
  while (tsr_profile_cursor_next (&rows, error))
    add_allocation (allocations, &rows);
  *any = rows.n_rows > 0;
  return !rows.failed;
}

gboolean
tsr_profile_scan_allocated (TsrProfile *self,
                            TsrCategoryRows *categories,
                            TsrProgress *progress,
                            GError **error)
{
  g_auto (Allocations) allocations = { 0 };
  gboolean any;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  tsr_category_index_init (&allocations.index, categories);
  if (!scan (self, &allocations, progress, &any, error))
    return FALSE;
  /* A category that no row names has nothing allocated: the rows are all there. */
  for (guint i = 0; any && i < categories->n_categories; i++)
    if (categories->allocated[i] == TSR_UNKNOWN)
      categories->allocated[i] = i < allocations.totals.length ? allocations.totals.values[i] : 0;
  return TRUE;
}

gboolean
tsr_profile_scan_allocated_by_tile (TsrProfile *self,
                                    TsrCategoryRows *categories,
                                    guint n_tiles,
                                    TsrProgress *progress,
                                    gint64 **bytes,
                                    GError **error)
{
  g_auto (Allocations) allocations = { 0 };
  TsrCategoryRows copy = { 0 };
  guint64 n_cells = (guint64)categories->n_categories * n_tiles;
  guint n_known = categories->n_categories;
  gboolean any;
  gboolean ok;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  *bytes = NULL;
  if (n_cells == 0)
    return TRUE;
  if (n_cells > (guint64)MAX (tsr_profile_get_file_size (self), (gint64)8 << 20))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                   _ ("%s, table var_categories: %u categories on %u tiles are more than a file of "
                      "this size can describe"),
                   tsr_profile_get_file_name (self), categories->n_categories, n_tiles);
      return FALSE;
    }
  allocations.cells = g_try_new0 (gint64, n_cells + n_tiles);
  if (allocations.cells == NULL)
    return !tsr_profile_fail_memory (self, "vars_info", error);
  /* Categories that only vars_info names were added by tsr_profile_scan_allocated; what is new
   * here goes to the copy and is left out. */
  tsr_category_index_init (&allocations.index, &copy);
  for (guint i = 0; i < categories->n_categories; i++)
    append_category (&allocations.index, categories->ids[i], g_strdup (categories->names[i]), 0);
  if (tsr_category_index_find (&allocations.index, TSR_UNKNOWN) < 0)
    append_category (&allocations.index, TSR_UNKNOWN, NULL, 0);
  allocations.n_tiles = n_tiles;
  allocations.n_room = copy.n_categories;
  ok = scan (self, &allocations, progress, &any, error);
  if (ok && n_known < allocations.n_room && n_known < allocations.totals.length
      && allocations.totals.values[n_known] != 0)
    {
      g_auto (TsrCategoryIndex) index = { 0 };

      tsr_category_index_init (&index, categories);
      append_category (&index, TSR_UNKNOWN, NULL, allocations.totals.values[n_known]);
    }
  tsr_category_rows_clear (&copy);
  if (ok && any)
    *bytes = g_steal_pointer (&allocations.cells);
  return ok;
}
