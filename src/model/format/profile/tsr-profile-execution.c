/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One scan of steps, by two threads (tsr-profile-parts.h).  Each numbers the types of its own rows;
 * when the halves are joined, the numbers are unified. */

#include "config.h"

#include "tsr-profile-execution.h"

#include "tsr-profile-parts.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define TABLE    "steps"
#define LEAST_ID (TSR_UNKNOWN + 1)

/* Types that each thread tells from each other; then those of both are joined. */
#define MAX_TYPES 256

enum
{
  ID,
  TYPE,
  PROGRAM,
  COMPUTE_SET,
  RUN,
  TILE_CYCLES,
};

static const char *const columns[]
    = { "id", "type", "program", "compute_set", "run", "tile_cycles", NULL };

static const TsrPartColumn places[] = {
  { G_STRUCT_OFFSET (TsrStepRows, id), sizeof (gint64) },
  { G_STRUCT_OFFSET (TsrStepRows, type), sizeof (guint8) },
  { G_STRUCT_OFFSET (TsrStepRows, program), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrStepRows, compute_set), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrStepRows, tile_cycles), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrStepRows, run), sizeof (guint16) },
};

static const TsrPartTable spec
    = { TABLE, columns, places, G_N_ELEMENTS (places), sizeof (TsrStepRows) };

/* What one thread reads. */
typedef struct
{
  TsrPart base;
  const TsrStepKeys *keys;
  gint64 last_id;   /* of the row before that has one */
  GPtrArray *types; /* (nullable GBytes) as they come; the last one of MAX_TYPES is NULL */
  guint last_type;
} Part;

static void
free_type (gpointer type)
{
  if (type != NULL)
    g_bytes_unref (type);
}

static void
part_clear (Part *part)
{
  g_clear_pointer (&part->types, g_ptr_array_unref);
  tsr_part_clear (&part->base);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

void
tsr_step_rows_clear (TsrStepRows *rows)
{
  tsr_part_free_columns (&spec, rows);
  g_clear_pointer (&rows->types, g_ptr_array_unref);
}

/* -------------------------------------------------------------------- types */

static gboolean
is_type (const GPtrArray *types, guint i, const char *text, gsize length)
{
  GBytes *type = types->pdata[i];

  if (type == NULL || text == NULL)
    return type == NULL && text == NULL;
  return g_bytes_get_size (type) == length
         && (length == 0 || memcmp (g_bytes_get_data (type, NULL), text, length) == 0);
}

/* Place of a type, which is added when it is new; the last place when there are too many. */
static guint
find_type (GPtrArray *types, guint max_types, const char *text, gsize length, guint hint)
{
  if (hint < types->len && is_type (types, hint, text, length))
    return hint;
  for (guint i = 0; i < types->len; i++)
    if (is_type (types, i, text, length))
      return i;
  if (types->len + 1 < max_types)
    g_ptr_array_add (types, text != NULL ? g_bytes_new (text, length) : NULL);
  else if (types->len < max_types)
    g_ptr_array_add (types, NULL);
  return types->len - 1;
}

static guint8
read_type (Part *part, TsrProfileCursor *rows)
{
  gssize length;
  const char *text = tsr_profile_cursor_peek_text (rows, TYPE, &length);

  if (text == NULL && tsr_profile_cursor_has (rows, TYPE)
      && tsr_profile_cursor_is_null (rows, TYPE))
    tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "value-missing",
                               _ ("%s is missing (NULL)"), columns[TYPE]);
  part->last_type = find_type (part->types, MAX_TYPES, text, length, part->last_type);
  return (guint8)part->last_type;
}

/* The set itself, not its place. */
static guint32
read_tile_cycles (Part *part, TsrProfileCursor *rows)
{
  const TsrIdIndex *sets = &part->keys->tile_sets;
  gint64 set = tsr_profile_cursor_get_int (rows, TILE_CYCLES, 0, TSR_NO_INDEX - 1);

  if (set == TSR_UNKNOWN
      || (sets->n > 0
          && tsr_profile_cursor_find (rows, TILE_CYCLES, sets, "tile_cycles") == TSR_NO_INDEX))
    return TSR_NO_INDEX;
  return (guint32)set;
}

/* --------------------------------------------------------------------- rows */

static void
read_row (Part *part, TsrProfileCursor *rows, TsrStepRows *out, gsize at)
{
  gint64 id = tsr_profile_cursor_get_key (rows, ID, LEAST_ID, G_MAXINT64);
  guint32 run = tsr_profile_cursor_find (rows, RUN, &part->keys->runs, "runs");

  if (id != TSR_UNKNOWN && id < part->last_id)
    tsr_profile_cursor_report (
        rows, TSR_SEVERITY_WARNING, "rows-out-of-order",
        _ ("step %" PRId64 " comes after step %" PRId64 "; the steps are sorted"), id,
        part->last_id);
  if (id != TSR_UNKNOWN)
    part->last_id = id;
  out->id[at] = id;
  out->type[at] = read_type (part, rows);
  out->program[at] = tsr_profile_cursor_find (rows, PROGRAM, &part->keys->programs, "programs");
  out->compute_set[at]
      = tsr_profile_cursor_find (rows, COMPUTE_SET, &part->keys->compute_sets, "compute_sets");
  out->tile_cycles[at] = read_tile_cycles (part, rows);
  out->run[at] = run != TSR_NO_INDEX ? (guint16)run : G_MAXUINT16;
}

static gboolean
take_row (TsrProfileCursor *rows, gpointer data)
{
  TsrPart *base = data;

  if (!tsr_part_make_room (base, NULL))
    return FALSE;
  tsr_part_note_row (base, rows);
  read_row (data, rows, base->out, base->from + base->n);
  base->n++;
  return TRUE;
}

static gboolean
read_rows (TsrPart *part, TsrProfileCursor *rows)
{
  return !tsr_profile_cursor_has (rows, ID)
         || tsr_profile_cursor_each (rows, take_row, part, &part->error);
}

/* Adds the types of a part to @types and gives its rows their places there.  FALSE when some are
 * not told from each other any more. */
static gboolean
join_types (Part *part, GPtrArray *types, guint8 *row_types)
{
  const guint max_types = part->keys->max_types;
  guint8 places_of[MAX_TYPES];
  gboolean same = TRUE;
  gboolean all = TRUE;

  for (guint i = 0; i < part->types->len; i++)
    {
      GBytes *type = part->types->pdata[i];
      gsize length = 0;
      const char *text = type != NULL ? g_bytes_get_data (type, &length) : NULL;

      /* An empty text has no data. */
      if (type != NULL && text == NULL)
        text = "";
      places_of[i] = (guint8)find_type (types, max_types, text, length, i);
      same = same && places_of[i] == i;
      all = all && (type == NULL || places_of[i] + 1u < max_types);
    }
  for (gsize i = 0; i < part->base.n && !same; i++)
    row_types[i] = places_of[row_types[i]];
  return all;
}

gboolean
tsr_profile_scan_steps (TsrProfile *self,
                        const TsrStepKeys *keys,
                        TsrStepRows *out,
                        TsrProgress *progress,
                        GError **error)
{
  const TsrPart base
      = { .read = read_rows, .profile = self, .table = &spec, .out = out, .progress = progress };
  g_auto (Part) lower = { .base = base, .keys = keys, .last_id = TSR_UNKNOWN };
  g_auto (Part) upper = { .base = base, .keys = keys, .last_id = TSR_UNKNOWN };
  gboolean all;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (keys->max_types >= 2 && keys->max_types <= MAX_TYPES, FALSE);
  memset (out, 0, sizeof *out);
  out->first_row = TSR_NO_ROW;
  out->types = g_ptr_array_new_with_free_func (free_type);
  if (!tsr_profile_has_table (self, TABLE))
    return TRUE;
  lower.types = g_ptr_array_new_with_free_func (free_type);
  upper.types = g_ptr_array_new_with_free_func (free_type);
  if (!tsr_profile_parts_read (&lower.base, &upper.base, keys->rows_for_two, "steps", error)
      || !tsr_profile_parts_join (&lower.base, &upper.base, error))
    return FALSE;
  out->n = lower.base.n + upper.base.n;
  out->first_row = tsr_profile_parts_get_first_row (&lower.base, &upper.base);
  all = join_types (&lower, out->types, out->type);
  if (!join_types (&upper, out->types, out->type + lower.base.n) || !all)
    tsr_profile_report (
        self, TABLE, TSR_SEVERITY_WARNING, "types-too-many",
        _ ("there are more than %u different types; those beyond that are treated as one"),
        keys->max_types - 1);
  return TRUE;
}
