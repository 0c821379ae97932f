/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members about the memory of tiles.  Tiles count over all replicas, each of which repeats the
 * first; objects keep the number within a replica in b. */

#include "config.h"

#include "tsr-py.h"

#include "tsr-category.h"

#include <string.h>

static const TsrMemoryTables *
get_tables (TsrPyItem *self)
{
  return tsr_report_get_memory_tables (self->report->report);
}

/* -------------------------------------------------------------------- tiles */

static PyObject *
make_tile (TsrPyList *list, gint64 i)
{
  gint64 per_replica;
  gint64 replicas;

  if (!tsr_py_report_get_tiles (list->report, &per_replica, &replicas))
    return NULL;
  return tsr_py_item_new (list->report, TSR_PY_TILE, list->a + i, (list->a + i) % per_replica);
}

static PyObject *
get_tiles (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 per_replica;
  gint64 replicas;

  if (!tsr_py_report_get_tiles (self->report, &per_replica, &replicas))
    return NULL;
  return tsr_py_list_new (self->report, "Tile", make_tile, 0, per_replica * replicas);
}

static PyObject *
get_tiles_with_liveness (TsrPyItem *self, const TsrPyMember *member)
{
  int there = tsr_py_report_try (self->report, TSR_PY_PART_LOWERED);

  if (there < 0)
    return NULL;
  return there ? get_tiles (self, member) : tsr_py_list_new (self->report, "Tile", make_tile, 0, 0);
}

static PyObject *
make_ipu (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_IPU, i, 0);
}

static PyObject *
get_ipus (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 n = tsr_py_report_get_n_ipus (self->report);

  return n < 0 ? NULL : tsr_py_list_new (self->report, "IPU", make_ipu, 0, n);
}

static PyObject *
get_tiles_of_ipu (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 per_ipu = tsr_report_get_summary (self->report->report)->told.tiles_per_ipu;

  if (per_ipu == TSR_UNKNOWN)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_list_new (self->report, "Tile", make_tile, self->a * per_ipu, per_ipu);
}

/* An object of class @arg of the same tile. */
static PyObject *
get_of_tile (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, (TsrPyClass)member->arg, self->a, self->b);
}

/* ------------------------------------------------------------------ numbers */

static gint64
get_number (TsrPyItem *self, const gint64 *column, gint64 tile)
{
  return column != NULL && tile < get_tables (self)->tiles.n_tiles ? column[tile] : TSR_UNKNOWN;
}

static PyObject *
get_tile_number (TsrPyItem *self, const TsrPyMember *member)
{
  const gint64 *column = G_STRUCT_MEMBER (gint64 *, &get_tables (self)->tiles, member->arg);

  return tsr_py_int (self, member, get_number (self, column, self->b));
}

/* Total (a 0) or overflowed (a 1) of tile b. */
static PyObject *
get_sizes (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_MEMORY_SIZE, member->arg, self->b);
}

static PyObject *
get_size (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrMemoryTables *tables = get_tables (self);
  const gboolean gaps = member->arg == 0;
  const gint64 *overflowed = tables->tiles.overflowed;
  gint64 bytes;

  if (self->a == 0)
    {
      bytes = get_number (self, gaps ? tables->tiles.including_gaps : tables->tiles.excluding_gaps,
                          self->b);
      if (bytes != TSR_UNKNOWN)
        return PyLong_FromLongLong (bytes);
      /* A file with one number for a tile has this one. */
      if (!gaps && tables->tiles.excluding_gaps == NULL)
        return tsr_py_int (self, member, get_number (self, tables->tiles.total, self->b));
      return tsr_py_missing (self->report, member->column);
    }
  /* [inferred] Without gaps: what lies in the region beyond the memory. */
  if (!gaps && tables->regions.present && self->b < tables->regions.n_tiles)
    overflowed = tables->regions.bytes[TSR_REGION_OVERFLOWED];
  bytes = get_number (self, overflowed, self->b);
  return bytes != TSR_UNKNOWN ? PyLong_FromLongLong (bytes)
                              : tsr_py_missing (self->report, "memory_by_tile.overflowed");
}

/* --------------------------------------------------------------- categories */

#define NO_CATEGORY (-1)

PyObject *
tsr_py_categories_dir (TsrPyItem *self)
{
  int there = tsr_py_report_try (self->report, TSR_PY_PART_MEMORY);
  const TsrCategoryRows *rows = there > 0 ? &get_tables (self)->categories : NULL;
  const guint n = rows != NULL ? rows->n_categories : 0;
  PyObject *names = there < 0 ? NULL : PyList_New (0);

  for (guint i = 0; names != NULL; i++)
    {
      const char *name = i < n ? rows->names[i] : tsr_category_get_known (i - n);
      PyObject *text;
      int has;

      if (name == NULL)
        return names;
      text = PyUnicode_FromString (name);
      has = text != NULL ? PySequence_Contains (names, text) : -1;
      if (has == 0)
        has = PyList_Append (names, text);
      Py_XDECREF (text);
      if (has < 0)
        Py_CLEAR (names);
    }
  return NULL;
}

/* Attributes of the object are names of categories. */
PyObject *
tsr_py_categories_get (PyObject *object, PyObject *name)
{
  TsrPyItem *self = (TsrPyItem *)object;
  const char *text = PyUnicode_AsUTF8AndSize (name, NULL);
  const TsrCategoryRows *rows;

  if (text == NULL)
    return NULL;
  if (*text == '_')
    return PyObject_GenericGetAttr (object, name);
  if (!tsr_py_report_need (self->report, TSR_PY_BIT (MEMORY)))
    return NULL;
  rows = &get_tables (self)->categories;
  for (guint i = 0; i < rows->n_categories; i++)
    if (strcmp (rows->names[i], text) == 0)
      return tsr_py_item_new (self->report, TSR_PY_CATEGORY, i, self->b);
  /* The tables tell of none. */
  for (guint i = 0; tsr_category_get_known (i) != NULL; i++)
    if (strcmp (tsr_category_get_known (i), text) == 0)
      return tsr_py_item_new (self->report, TSR_PY_CATEGORY, NO_CATEGORY, self->b);
  return PyObject_GenericGetAttr (object, name);
}

/* Of category @category on @tile in @region, or in all: what no other shares (@shared 0), what is
 * shared (1), or both (2). */
static PyObject *
sum_category (TsrPyItem *self, gint64 category, gint64 tile, int region, guint shared)
{
  const TsrTileCategoryRows *rows = &get_tables (self)->by_category;
  gint64 sum = 0;

  if (!rows->present || tile >= rows->n_tiles)
    return tsr_py_missing (self->report, "memory_by_tile_category.non_overlapped");
  for (guint32 i = rows->tile_start[tile]; i < rows->tile_start[tile + 1]; i++)
    {
      if (rows->category[i] != category || (region >= 0 && rows->region[i] != region))
        continue;
      for (guint k = 0; k < 2; k++)
        if (shared == 2 || shared == k)
          {
            gint64 bytes = k == 0 ? rows->non_overlapped[i] : rows->overlapped[i];

            if (bytes == TSR_UNKNOWN || __builtin_add_overflow (sum, bytes, &sum))
              return tsr_py_missing (self->report, k == 0 ? "memory_by_tile_category.non_overlapped"
                                                          : "memory_by_tile_category.overlapped");
          }
    }
  return PyLong_FromLongLong (sum);
}

static PyObject *
get_category_total (TsrPyItem *self, const TsrPyMember *member)
{
  return sum_category (self, self->a, self->b, -1, 2);
}

static PyObject *
get_category_region (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_CATEGORY_REGION,
                          self->a * TSR_N_REGIONS + member->arg, self->b);
}

static PyObject *
get_category_bytes (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 category = self->a < 0 ? NO_CATEGORY : self->a / TSR_N_REGIONS;

  return sum_category (self, category, self->b, self->a < 0 ? 0 : (int)(self->a % TSR_N_REGIONS),
                       (guint)member->arg);
}

/* ----------------------------------------------------------------- vertices */

static PyObject *
make_tile_vertex (TsrPyList *list, gint64 i)
{
  const guint32 *rows = (const guint32 *)PyBytes_AsString (list->keep);

  return tsr_py_item_new (list->report, TSR_PY_TILE_VERTEX, rows[i], list->a);
}

static PyObject *
get_vertices (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = tsr_report_get_program_tables (self->report->report);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 per_replica;
  gint64 replicas;

  if (!tsr_py_report_get_tiles (self->report, &per_replica, &replicas))
    return NULL;
  if (self->report->vertex_code == NULL)
    return tsr_py_missing (self->report, member->column);
  for (guint32 i = 0; i < tables->n_vertex_types; i++)
    if (self->report->vertex_code[i * (gsize)per_replica + (gsize)self->b] > 0)
      g_array_append_val (rows, i);
  return tsr_py_list_new_of (
      self->report, "TileVertex", make_tile_vertex, self->b, rows->len,
      PyBytes_FromStringAndSize (rows->data, (Py_ssize_t)rows->len * (Py_ssize_t)sizeof (guint32)));
}

static PyObject *
get_vertex_code (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 per_replica;
  gint64 replicas;

  if (!tsr_py_report_get_tiles (self->report, &per_replica, &replicas))
    return NULL;
  return PyLong_FromUnsignedLong (
      self->report->vertex_code[(gsize)self->a * (gsize)per_replica + (gsize)self->b]);
}

static PyObject *
get_vertex_type (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_VERTEX_TYPE, self->a, 0);
}

#define NEEDS TSR_PY_BIT (MEMORY)
#define CODE  TSR_PY_BIT (VERTEX_CODE)

const TsrPyMember tsr_py_memory_members[] = {
  { TSR_PY_COMPILATION, "tiles", "List[Tile]", "", "memory_by_tile.tile",
    "The tiles of all replicas, IPU by IPU.", NEEDS, get_tiles },
  { TSR_PY_COMPILATION, "tilesWithLivenessInfo", "List[Tile]", "", "vars_info.tile",
    "The tiles whose liveness is recorded: all, or none without lowered variables.", 0,
    get_tiles_with_liveness, .tries = TSR_PY_BIT (LOWERED) },
  { TSR_PY_COMPILATION, "ipus", "List[IPU]", "", "target.num_ipus", "The IPUs of all replicas.", 0,
    get_ipus },
  { TSR_PY_IPU, "tiles", "List[Tile]", "", "target.tiles_per_ipu", "The tiles of the IPU.", 0,
    get_tiles_of_ipu },
  { TSR_PY_TILE, "memory", "TileMemory", "", "", "What lies in the tile's memory.", 0, get_of_tile,
    TSR_PY_TILE_MEMORY },
  { TSR_PY_TILE_MEMORY, "total", "MemorySize", "", "", "Bytes that are used.", 0, get_sizes, 0 },
  { TSR_PY_TILE_MEMORY, "overflowed", "MemorySize", "", "",
    "Bytes beyond the memory: above 0, the program does not fit.", 0, get_sizes, 1 },
  { TSR_PY_TILE_MEMORY, "alwaysLiveBytes", "int", "bytes", "memory_by_tile.always_live",
    "Bytes in use all the time.", NEEDS, get_tile_number,
    TSR_PY_OFFSET (TsrTileRows, always_live) },
  { TSR_PY_TILE_MEMORY, "notAlwaysLiveBytes", "int", "bytes", "memory_by_tile.not_always_live",
    "Most bytes at any step that are not in use all the time.", NEEDS, get_tile_number,
    TSR_PY_OFFSET (TsrTileRows, not_always_live) },
  { TSR_PY_TILE_MEMORY, "category", "MemoryByCategory", "", "",
    "Bytes by category: an attribute for each name.", 0, get_of_tile, TSR_PY_CATEGORIES },
  { TSR_PY_TILE_MEMORY, "vertices", "List[TileVertex]", "", "vertex_types.code_bytes_by_tile",
    "The vertex types whose code lies on the tile.", CODE, get_vertices },
  { TSR_PY_MEMORY_SIZE, "includingGaps", "int", "bytes", "memory_by_tile.including_gaps",
    "With what lies unused between variables.", NEEDS, get_size, 0 },
  { TSR_PY_MEMORY_SIZE, "excludingGaps", "int", "bytes", "memory_by_tile.excluding_gaps",
    "Without what lies unused between variables.", NEEDS, get_size, 1 },
  { TSR_PY_CATEGORY, "total", "int", "bytes", "memory_by_tile_category",
    "The sum of the three regions.", NEEDS, get_category_total },
  { TSR_PY_CATEGORY, "nonInterleaved", "MemoryCategoryRegion", "", "",
    "Bytes in the region that is not interleaved.", 0, get_category_region,
    TSR_REGION_NON_INTERLEAVED },
  { TSR_PY_CATEGORY, "interleaved", "MemoryCategoryRegion", "", "",
    "Bytes in the interleaved region.", 0, get_category_region, TSR_REGION_INTERLEAVED },
  { TSR_PY_CATEGORY, "overflowed", "MemoryCategoryRegion", "", "", "Bytes beyond the memory.", 0,
    get_category_region, TSR_REGION_OVERFLOWED },
  { TSR_PY_CATEGORY_REGION, "nonOverlapped", "int", "bytes",
    "memory_by_tile_category.non_overlapped", "Bytes that no other variable shares.", NEEDS,
    get_category_bytes, 0 },
  { TSR_PY_CATEGORY_REGION, "overlapped", "int", "bytes", "memory_by_tile_category.overlapped",
    "Bytes that others share.", NEEDS, get_category_bytes, 1 },
  { TSR_PY_TILE_VERTEX, "type", "VertexType", "", "", "The type.", CODE, get_vertex_type },
  { TSR_PY_TILE_VERTEX, "codeBytes", "int", "bytes", "vertex_types.code_bytes_by_tile",
    "Its code on the tile.", CODE, get_vertex_code },
  { .name = NULL },
};
