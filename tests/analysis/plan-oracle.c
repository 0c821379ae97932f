/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over rows, steps and tiles; nothing here is fast. */

#include "config.h"

#include "plan-oracle.h"

#include "tsr-test.h"
#include "tsr-units.h"

#include <math.h>
#include <string.h>

#define ALWAYS -1
#define UNTOLD -2

typedef struct
{
  guint tile;
  gint64 size;                            /* -1: not told */
  int class;                              /* or one of the above */
  const char *category, *name, *variable; /* interned; variable: as people know it */
  gboolean of_program;
  int above;              /* the start of interleaved memory; -1: not told */
  gboolean changed, gone; /* by a measure */
} Row;

typedef struct
{
  const char *variable;
  int role;
} Touch;

struct _PlanOracle
{
  GPtrArray *keep; /* results of queries */
  guint n_tiles, n_steps, tiles_per_ipu;
  GArray *rows;
  GPtrArray *classes;     /* guint8 *: live at each step */
  int *program;           /* of a step; -1 */
  GPtrArray *entries;     /* variables in the order in which they are met, interned */
  GHashTable *categories; /* of entries; interned */
  GHashTable *cycles;     /* program -> estimate, as text */
  GHashTable *touches;    /* program -> GArray of Touch */
  GHashTable *types;      /* variable -> element type */
  GHashTable *known;      /* variable -> GArray of int: classes */
  GHashTable *makers;     /* variables of the program */
  GHashTable *ticked;
  GHashTable *lives;    /* variable -> class -> guint8 *: those that the set changes */
  GHashTable *resident; /* variable -> whether */
};

static GPtrArray *
ask (PlanOracle *self, const char *folder, const char *sql)
{
  GPtrArray *rows = tsr_test_query_rows (folder, "profile.pop", sql);

  g_ptr_array_add (self->keep, rows);
  return rows;
}

static int
number (const char *text)
{
  return *text != '\0' ? (int)g_ascii_strtoll (text, NULL, 10) : -1;
}

static void
load_rows (PlanOracle *self, const char *folder)
{
  GPtrArray *rows
      = ask (self, folder,
             "SELECT i.tile, i.size_bytes, i.always_live, i.equivalence_class, c.name, s.value,"
             " v.name, i.variable, i.offset + ifnull (i.size_bytes, 0) > t.interleaved_start FROM"
             " target t,"
             " vars_info i JOIN var_categories c ON c.id = i.category"
             " LEFT JOIN vars_string_table s ON s.id = i.name"
             " LEFT JOIN variables v ON v.id = i.variable ORDER BY i.id");

  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->known
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
  self->makers = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv cells = rows->pdata[i];
      Row row = { (guint)number (cells[0]),
                  number (cells[1]),
                  number (cells[2]) == 1  ? ALWAYS
                  : number (cells[3]) < 0 ? UNTOLD
                                          : number (cells[3]),
                  g_intern_string (cells[4]),
                  g_intern_string (cells[5]),
                  g_intern_string (cells[6]),
                  *cells[7] != '\0',
                  number (cells[8]),
                  FALSE,
                  FALSE };
      GArray *classes;

      if (row.of_program)
        g_hash_table_add (self->makers, cells[6]);
      else
        {
          g_autofree char *base = g_strndup (cells[5], strcspn (cells[5], "#"));

          row.variable = g_intern_string (base);
        }
      classes = g_hash_table_lookup (self->known, row.variable);
      if (classes == NULL)
        {
          classes = g_array_new (FALSE, FALSE, sizeof (int));
          g_hash_table_insert (self->known, (char *)row.variable, classes);
        }
      if (!g_hash_table_contains (self->categories, row.variable))
        {
          g_ptr_array_add (self->entries, (char *)row.variable);
          g_hash_table_insert (self->categories, (char *)row.variable, (char *)row.category);
        }
      for (guint k = 0;; k++)
        if (k == classes->len)
          {
            g_array_append_val (classes, row.class);
            break;
          }
        else if (g_array_index (classes, int, k) == row.class)
          break;
      g_array_append_val (self->rows, row);
    }
}

static void
load_lives (PlanOracle *self, const char *folder)
{
  GPtrArray *rows = ask (self, folder, "SELECT * FROM equivalence_class_intervals");

  self->classes = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv cells = rows->pdata[i];
      guint class = (guint)number (cells[0]);

      while (self->classes->len <= class)
        g_ptr_array_add (self->classes, g_new0 (guint8, self->n_steps + 1));
      for (int k = number (cells[1]); k < number (cells[2]); k++)
        ((guint8 *)self->classes->pdata[class])[k] = 1;
    }
}

static void
load_touches (PlanOracle *self, const char *folder)
{
  GPtrArray *rows = ask (self, folder,
                         "SELECT p.program, p.role, v.name FROM program_variables p"
                         " JOIN variables v ON v.id = p.variable");

  self->touches = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv cells = rows->pdata[i];
      gpointer key = GINT_TO_POINTER (number (cells[0]));
      Touch touch = { g_intern_string (cells[2]), number (cells[1]) };
      GArray *list = g_hash_table_lookup (self->touches, key);

      if (list == NULL)
        {
          list = g_array_new (FALSE, FALSE, sizeof (Touch));
          g_hash_table_insert (self->touches, key, list);
        }
      g_array_append_val (list, touch);
    }
}

PlanOracle *
plan_oracle_new (const char *folder)
{
  PlanOracle *self = g_new0 (PlanOracle, 1);
  GPtrArray *rows;

  self->keep = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  self->entries = g_ptr_array_new ();
  self->categories = g_hash_table_new (g_str_hash, g_str_equal);
  self->types = g_hash_table_new (g_str_hash, g_str_equal);
  rows = ask (self, folder,
              "SELECT v.name, v.element_type, c.name FROM variables v LEFT JOIN var_categories c ON"
              " c.id = v.category ORDER BY v.id");
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv cells = rows->pdata[i];

      g_ptr_array_add (self->entries, (char *)g_intern_string (cells[0]));
      g_hash_table_insert (self->types, cells[0], cells[1]);
      g_hash_table_insert (self->categories, cells[0], (char *)g_intern_string (cells[2]));
    }
  self->cycles = g_hash_table_new (NULL, NULL);
  rows = ask (self, folder,
              "SELECT p.id, a.maximum FROM programs p LEFT JOIN compute_sets c ON c.compute_set ="
              " p.compute_set LEFT JOIN tile_arrays a ON a.id = iif (p.compute_set IS NULL,"
              " p.estimated_cycles_by_tile, c.estimated_cycles_by_tile)");
  for (guint i = 0; i < rows->len; i++)
    g_hash_table_insert (self->cycles, GINT_TO_POINTER (number (((GStrv)rows->pdata[i])[0])),
                         ((GStrv)rows->pdata[i])[1]);
  self->n_tiles = (guint)tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile");
  self->tiles_per_ipu = (guint)tsr_test_ask (folder, "SELECT tiles_per_ipu FROM target");
  self->n_steps = (guint)tsr_test_ask (folder, "SELECT count(*) FROM liveness_steps");
  load_rows (self, folder);
  load_lives (self, folder);
  load_touches (self, folder);
  self->program = g_new (int, self->n_steps);
  rows = ask (self, folder, "SELECT program FROM liveness_steps ORDER BY step");
  for (guint k = 0; k < self->n_steps; k++)
    self->program[k] = number (((GStrv)rows->pdata[k])[0]);
  self->resident = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
plan_oracle_free (PlanOracle *self)
{
  g_array_unref (self->rows);
  g_ptr_array_unref (self->classes);
  g_hash_table_unref (self->touches);
  g_hash_table_unref (self->types);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->categories);
  g_hash_table_unref (self->cycles);
  g_hash_table_unref (self->resident);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->makers);
  g_ptr_array_unref (self->keep);
  g_free (self->program);
  g_free (self);
}

/* ---------------------------------------------------------------- recompute */

/* (nullable): as it is now, if it was changed.  @variable: interned. */
static guint8 *
find_life (PlanOracle *self, const char *variable, int class)
{
  GHashTable *classes = g_hash_table_lookup (self->lives, variable);

  return classes != NULL ? g_hash_table_lookup (classes, GINT_TO_POINTER (class)) : NULL;
}

static guint8 *
get_life (PlanOracle *self, const char *variable, int class)
{
  guint8 *life = find_life (self, variable, class);
  GHashTable *classes = g_hash_table_lookup (self->lives, variable);

  if (classes == NULL)
    {
      classes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      g_hash_table_insert (self->lives, (char *)variable, classes);
    }
  if (life == NULL)
    {
      life = g_memdup2 (self->classes->pdata[class], self->n_steps + 1);
      g_hash_table_insert (classes, GINT_TO_POINTER (class), life);
    }
  return life;
}

static gboolean
is_live (PlanOracle *self, int class, guint step)
{
  return class >= 0 ? ((guint8 *)self->classes->pdata[class])[step] : class == ALWAYS;
}

static gboolean
touches (PlanOracle *self, guint step, const char *variable)
{
  GArray *list = g_hash_table_lookup (self->touches, GINT_TO_POINTER (self->program[step]));

  for (guint i = 0; list != NULL && i < list->len; i++)
    if (g_str_equal (g_array_index (list, Touch, i).variable, variable))
      return TRUE;
  return FALSE;
}

/* The interval of @class around @step, and the hole in it. */
static gboolean
find_hole (PlanOracle *self,
           const char *variable,
           int class,
           guint step,
           guint *p,
           guint *q,
           guint *f,
           guint *a,
           guint *b)
{
  const guint8 *live = self->classes->pdata[class];
  int last = -1;

  for (*p = step; *p > 0 && live[*p - 1]; (*p)--)
    ;
  for (*q = step; *q < self->n_steps && live[*q]; (*q)++)
    ;
  *a = *b = 0;
  for (guint k = *p; k < *q; k++)
    if (touches (self, k, variable))
      {
        if (last < 0)
          *f = k;
        else if (k - (guint)last > *b - *a)
          {
            *a = (guint)last;
            *b = k;
          }
        last = (int)k;
      }
  return *b > *a + 1;
}

static void
make_again (PlanOracle *self, const char *maker, guint first, guint at)
{
  GArray *list = g_hash_table_lookup (self->touches, GINT_TO_POINTER (self->program[first]));

  for (guint i = 0; i < list->len; i++)
    {
      const Touch *touch = &g_array_index (list, Touch, i);
      GArray *classes = g_hash_table_lookup (self->known, touch->variable);

      for (guint c = 0; classes != NULL && c < classes->len; c++)
        {
          int class = g_array_index (classes, int, c);
          const guint8 *live = class >= 0 ? self->classes->pdata[class] : NULL;
          guint p, q, f, a, b;

          if (live == NULL || g_str_equal (touch->variable, maker) || !live[first])
            continue;
          if (!g_hash_table_contains (self->makers, touch->variable))
            get_life (self, touch->variable, class)[at] = 1;
          else if (touch->role <= 1 && first > 0 && live[first - 1])
            {
              if (!g_hash_table_contains (self->ticked, touch->variable)
                  || !find_hole (self, touch->variable, class, first, &p, &q, &f, &a, &b))
                memset (get_life (self, touch->variable, class) + first, 1, at + 1 - first);
              else if (at < p || at >= q || (at > a && at < b))
                {
                  get_life (self, touch->variable, class)[at] = 1;
                  make_again (self, touch->variable, f, at);
                }
            }
        }
    }
}

static void
recompute (PlanOracle *self, gboolean holes)
{
  GHashTableIter iter;
  gpointer variable;

  g_hash_table_iter_init (&iter, self->ticked);
  while (g_hash_table_iter_next (&iter, &variable, NULL))
    {
      GArray *classes = g_hash_table_lookup (self->known, variable);

      for (guint c = 0; c < classes->len; c++)
        for (guint step = 0, p, q, f, a, b; step < self->n_steps; step++)
          {
            int class = g_array_index (classes, int, c);

            if (class < 0 || !is_live (self, class, step))
              continue;
            if (find_hole (self, variable, class, step, &p, &q, &f, &a, &b))
              {
                if (holes)
                  memset (get_life (self, variable, class) + a + 1, 0, b - a - 1);
                else
                  make_again (self, variable, f, b);
              }
            step = q;
          }
    }
}

/* -------------------------------------------------------------------- sizes */

static char *
fold (const char *name)
{
  g_autoptr (GRegex) digits = g_regex_new ("[0-9]+", 0, 0, NULL);

  return g_regex_replace_literal (digits, name, -1, 0, "0", 0, NULL);
}

static gint64 *
dup_code (PlanOracle *self, const char *name)
{
  gint64 *bytes = g_new0 (gint64, self->n_tiles);

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      if (row->name == name && g_str_equal (row->category, "internalExchangeCode"))
        bytes[row->tile] += MAX (row->size, 0);
    }
  return bytes;
}

/* Names of exchanges that are like @name. */
static GHashTable *
find_twins (PlanOracle *self, const char *name)
{
  GHashTable *twins = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *folded = fold (name);
  g_autofree gint64 *code = dup_code (self, name);

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      if (g_str_equal (row->category, "internalExchangeCode") && !g_str_equal (row->name, name)
          && g_hash_table_add (seen, (char *)row->name))
        {
          g_autofree char *other = fold (row->name);
          g_autofree gint64 *bytes
              = g_str_equal (other, folded) ? dup_code (self, row->name) : NULL;

          if (bytes != NULL && memcmp (bytes, code, self->n_tiles * sizeof (gint64)) == 0)
            g_hash_table_add (twins, (char *)row->name);
        }
    }
  return twins;
}

static void
spread (PlanOracle *self, GArray *rows, const char *variable)
{
  for (guint first = 0; first < self->n_tiles; first += self->tiles_per_ipu)
    {
      g_autofree guint8 *computes = g_new0 (guint8, self->tiles_per_ipu);
      g_autoptr (GHashTable) bytes = g_hash_table_new (NULL, NULL);
      g_autoptr (GArray) like = g_array_new (FALSE, FALSE, sizeof (Row));
      guint n = 0;
      guint n_rows = rows->len;

      for (guint i = 0; i < n_rows; i++)
        {
          Row *row = &g_array_index (rows, Row, i);
          gpointer key = GINT_TO_POINTER (row->class);

          if (row->tile < first || row->tile >= first + self->tiles_per_ipu)
            continue;
          if (g_str_equal (row->category, "vertexCode")
              || g_str_equal (row->category, "vertexInstanceState"))
            computes[row->tile - first] = 1;
          if (row->variable != variable || row->gone)
            continue;
          if (!g_hash_table_contains (bytes, key))
            g_array_append_val (like, *row);
          if (row->size < 0)
            g_hash_table_insert (bytes, key, GSIZE_TO_POINTER (G_MAXSIZE / 2));
          else
            g_hash_table_insert (
                bytes, key,
                GSIZE_TO_POINTER (
                    MIN (GPOINTER_TO_SIZE (g_hash_table_lookup (bytes, key)) + (gsize)row->size,
                         G_MAXSIZE / 2)));
          row->size = 0;
          row->changed = row->gone = TRUE;
        }
      for (guint t = 0; t < self->tiles_per_ipu; t++)
        n += computes[t];
      for (guint k = 0; k < like->len; k++)
        {
          Row row = g_array_index (like, Row, k);
          gsize size = GPOINTER_TO_SIZE (g_hash_table_lookup (bytes, GINT_TO_POINTER (row.class)));
          gsize words = (size + 7) / 8;
          guint place = 0;

          for (guint t = 0; t < self->tiles_per_ipu; t++)
            if (computes[t] || n == 0)
              {
                gsize all = n > 0 ? n : self->tiles_per_ipu;

                row.tile = first + t;
                row.above = TRUE;
                row.changed = TRUE;
                row.size = 8 * (gint64)(words / all + (place++ < words % all));
                if (size == G_MAXSIZE / 2)
                  row.size = -1;
                g_array_append_val (rows, row);
              }
        }
    }
}

static gboolean
is_kept_fp32 (const char *name)
{
  g_autofree char *folded = g_ascii_strdown (name, -1);

  return strstr (folded, "loss") || strstr (folded, "norm") || strstr (folded, "running_")
         || strstr (folded, "master") || strstr (folded, "accl") || strstr (folded, "seed");
}

/* Live at 98 % of the steps and more. */
static gboolean
is_resident (PlanOracle *self, const char *variable)
{
  GArray *classes = g_hash_table_lookup (self->known, variable);
  gpointer known;
  guint n = 0;

  if (g_hash_table_lookup_extended (self->resident, variable, NULL, &known))
    return GPOINTER_TO_INT (known);
  for (guint k = 0; k < self->n_steps; k++)
    {
      gboolean live = FALSE;

      for (guint c = 0; c < classes->len; c++)
        live |= is_live (self, g_array_index (classes, int, c), k);
      n += live;
    }
  g_hash_table_insert (self->resident, (char *)variable,
                       GINT_TO_POINTER (n >= 0.98 * self->n_steps));
  return n >= 0.98 * self->n_steps;
}

static gboolean
scales (PlanOracle *self, const Row *row)
{
  return row->class != ALWAYS
         && (g_str_equal (row->category, "variable") || g_str_equal (row->category, "message"))
         && !is_resident (self, row->variable);
}

static void
change_sizes (PlanOracle *self, GArray *rows, const char *id)
{
  const char *colon = strchr (id, ':');
  const char *name = colon != NULL ? g_intern_string (colon + 1) : NULL;
  g_autoptr (GHashTable) twins = g_str_has_prefix (id, "outline:") ? find_twins (self, name) : NULL;
  gboolean gone = g_str_has_prefix (id, "drop:") || g_str_has_prefix (id, "memory-proportion:")
                  || g_str_has_prefix (id, "serialise:");
  gboolean instrumentation = g_str_equal (id, "instrumentation");

  if (!gone && !instrumentation && twins == NULL)
    return;
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);

      if ((gone && row->variable == name)
          || (instrumentation && g_str_equal (row->category, "instrumentationResults"))
          || (twins != NULL && g_str_equal (row->category, "internalExchangeCode")
              && g_hash_table_contains (twins, row->name)))
        {
          row->size = 0;
          row->changed = row->gone = TRUE;
        }
    }
}

static void
halve_sizes (PlanOracle *self, GArray *rows, gboolean batch)
{
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);
      const char *type = g_hash_table_lookup (self->types, row->variable);

      if (batch ? scales (self, row)
                : g_str_equal (row->category, "variable") && row->of_program
                      && (g_strcmp0 (type, "float") == 0 || g_strcmp0 (type, "float32") == 0)
                      && !is_kept_fp32 (row->variable))
        {
          row->size = row->size < 0 ? -1 : (row->size + 15) / 16 * 8;
          row->changed = TRUE;
        }
    }
}

/* ---------------------------------------------------------------------- sum */

/* @steps (nullable). */
static gint64 *
sum (PlanOracle *self, GArray *rows, gboolean above, guint *steps)
{
  const gsize n_steps = self->n_steps;
  gint64 *changes = g_new0 (gint64, self->n_tiles * (n_steps + 1));
  gint64 *live = g_new0 (gint64, self->n_tiles);
  g_autofree gboolean *unknown = g_new0 (gboolean, 2 * self->n_tiles);
  gboolean *untold = unknown + self->n_tiles; /* not always live */

  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      const guint8 *life = row->class >= 0 ? find_life (self, row->variable, row->class) : NULL;
      gint64 *of_tile = changes + row->tile * (n_steps + 1);

      if (above && self->rows->len > i && row->above < 0)
        unknown[row->tile] = TRUE;
      if (row->gone || (above && row->above != 1))
        continue;
      if (row->size < 0 || row->class == UNTOLD)
        {
          unknown[row->tile] = TRUE;
          untold[row->tile] |= row->class != ALWAYS;
        }
      if (row->class < 0)
        {
          live[row->tile] += row->size;
          continue;
        }
      if (life == NULL)
        life = self->classes->pdata[row->class];
      for (const guint8 *at = memchr (life, 1, n_steps), *to; at != NULL;
           at = memchr (to, 1, (gsize)(life + n_steps - to)))
        {
          to = memchr (at, 0, (gsize)(life + n_steps + 1 - at)); /* 0 at the end */
          of_tile[at - life] += row->size;
          of_tile[to - life] -= row->size;
        }
    }
  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      gint64 most = 0, bytes = 0;

      if (steps != NULL)
        steps[tile] = 0;
      for (guint k = 0; k < n_steps; k++)
        {
          bytes += changes[tile * (n_steps + 1) + k];
          if (bytes > most && steps != NULL)
            steps[tile] = k;
          most = MAX (most, bytes);
        }
      live[tile] = unknown[tile] ? TSR_UNKNOWN : live[tile] + most;
      if (untold[tile] && steps != NULL)
        steps[tile] = TSR_NO_INDEX;
    }
  g_free (changes);
  return live;
}

/* (transfer full): the rows after the measures, and the lifetimes that they change, which are the
 * caller's as well. */
static GArray *
apply (PlanOracle *self, const char *const *ids, GHashTable **ticked, GHashTable **lives)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));

  *ticked = self->ticked = g_hash_table_new (g_str_hash, g_str_equal);
  *lives = self->lives
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
  g_array_append_vals (rows, self->rows->data, self->rows->len);
  for (guint i = 0; ids[i] != NULL; i++)
    {
      change_sizes (self, rows, ids[i]);
      if (g_str_has_prefix (ids[i], "recompute:"))
        g_hash_table_add (*ticked, (char *)g_intern_string (ids[i] + strlen ("recompute:")));
    }
  for (guint i = 0; ids[i] != NULL; i++)
    if (g_str_has_prefix (ids[i], "move:"))
      spread (self, rows, g_intern_string (ids[i] + strlen ("move:")));
  if (g_strv_contains (ids, "halve-fp32"))
    halve_sizes (self, rows, FALSE);
  if (g_strv_contains (ids, "batch"))
    halve_sizes (self, rows, TRUE);
  recompute (self, TRUE);
  recompute (self, FALSE);
  return rows;
}

gint64 *
plan_oracle_dup_live (PlanOracle *self, const char *const *ids, gint64 **above, guint *steps)
{
  g_autoptr (GHashTable) ticked = NULL, lives = NULL;
  g_autoptr (GArray) rows = apply (self, ids, &ticked, &lives);

  *above = sum (self, rows, TRUE, NULL);
  return sum (self, rows, FALSE, steps);
}

gboolean
plan_oracle_changes (PlanOracle *self, const char *id, guint tile)
{
  const char *const ids[] = { id, NULL };
  g_autoptr (GHashTable) ticked = NULL, lives = NULL;
  g_autoptr (GArray) rows = apply (self, ids, &ticked, &lives);

  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);

      if (row->tile == tile
          && (row->changed || g_hash_table_contains (ticked, row->variable)
              || g_hash_table_contains (lives, row->variable)))
        return TRUE;
    }
  return FALSE;
}

double
plan_oracle_get_growth (PlanOracle *self, guint tile, gboolean above, gint64 limit)
{
  double factor = INFINITY;

  for (guint k = 0; k < self->n_steps; k++)
    {
      gint64 rest = 0;
      gint64 scaling = 0;

      for (guint i = 0; i < self->rows->len; i++)
        {
          const Row *row = &g_array_index (self->rows, Row, i);

          if (row->tile != tile || (above && row->above != 1) || !is_live (self, row->class, k))
            continue;
          if (scales (self, row))
            scaling += row->size;
          else
            rest += row->size;
        }
      if (scaling > 0)
        factor = MIN (factor, (double)(limit - rest) / (double)scaling);
      else if (rest > limit)
        factor = 0;
    }
  return MAX (factor, 0);
}

/* --------------------------------------------------------------- candidates */

gboolean
plan_oracle_can_recompute (PlanOracle *self, const char *variable, gint64 *cycles)
{
  GArray *classes = g_hash_table_lookup (self->known, variable);
  gboolean can = FALSE;

  *cycles = 0;
  for (guint c = 0; classes != NULL && c < classes->len; c++)
    for (guint step = 0, p, q, f, a, b; step < self->n_steps; step++)
      {
        int class = g_array_index (classes, int, c);
        int one;

        if (class < 0 || !is_live (self, class, step))
          continue;
        if (find_hole (self, variable, class, step, &p, &q, &f, &a, &b))
          {
            one = number (g_hash_table_lookup (self->cycles, GINT_TO_POINTER (self->program[f])));
            *cycles = *cycles == TSR_UNKNOWN || one < 0 ? TSR_UNKNOWN : MAX (*cycles, one);
            can = TRUE;
          }
        step = q;
      }
  return can;
}

typedef struct
{
  const char *variable;
  gint64 score, largest;
} Scored;

/* What each variable holds on @tile at the steps that are less than @over below the peak. */
static void
score_tile (PlanOracle *self, guint tile, gint64 over, GArray *scored)
{
  g_autofree gint64 *series = g_new0 (gint64, self->n_steps);
  gint64 limit = 0;
  guint n_high = 0;

  for (guint k = 0; k < self->n_steps; k++)
    {
      for (guint i = 0; i < self->rows->len; i++)
        {
          const Row *row = &g_array_index (self->rows, Row, i);

          if (row->tile != tile || row->class == ALWAYS
              || (row->class != UNTOLD && !is_live (self, row->class, k)))
            continue;
          if (row->size < 0 || row->class == UNTOLD)
            series[k] = G_MININT64 / 2;
          series[k] += row->size;
        }
      limit = MAX (limit, series[k]);
    }
  for (guint k = 0; k < self->n_steps; k++)
    n_high += series[k] >= 0 && series[k] > limit - over;
  for (guint e = 0; e < scored->len; e++)
    {
      Scored *one = &g_array_index (scored, Scored, e);
      gint64 bytes = 0;

      for (guint i = 0; i < self->rows->len; i++)
        {
          const Row *row = &g_array_index (self->rows, Row, i);
          guint n_live = 0;

          if (row->tile != tile || row->variable != one->variable || row->size < 0)
            continue;
          for (guint k = 0; k < self->n_steps; k++)
            n_live += series[k] >= 0 && series[k] > limit - over && is_live (self, row->class, k);
          if (row->class == ALWAYS)
            bytes += row->size;
          else if (n_high > 0)
            bytes += (gint64)((double)row->size * ((double)n_live / n_high));
        }
      one->score += MIN (bytes, over);
      one->largest = MAX (one->largest, bytes);
    }
}

static int
compare_scored (gconstpointer a, gconstpointer b)
{
  const Scored *x = a;
  const Scored *y = b;

  return x->score > y->score ? -1 : x->score < y->score;
}

static gboolean
is_wanted (PlanOracle *self, const char *word, const char *variable)
{
  const char *category = g_hash_table_lookup (self->categories, variable);
  GArray *classes = g_hash_table_lookup (self->known, variable);
  gboolean always = FALSE;
  gboolean user = g_hash_table_contains (self->makers, variable)
                  && (g_str_equal (category, "variable") || g_str_equal (category, "constant"));
  gboolean is_operation;
  g_autofree char *folded = g_ascii_strdown (variable, -1);
  gint64 cycles;

  for (guint c = 0; classes != NULL && c < classes->len; c++)
    always |= g_array_index (classes, int, c) == ALWAYS;
  if (g_str_equal (word, "move"))
    return user;
  if (g_str_equal (word, "drop"))
    return user && is_resident (self, variable);
  if (g_str_equal (word, "recompute"))
    return user && !is_resident (self, variable)
           && plan_oracle_can_recompute (self, variable, &cycles);
  is_operation = strstr (folded, "conv") || strstr (folded, "matmul") || strstr (folded, "gemm")
                 || strstr (folded, "grouped") || strstr (folded, "mat_mul");
  return !g_hash_table_contains (self->makers, variable) && !always
         && (g_str_equal (category, "variable") || g_str_equal (category, "message"))
         && (g_str_equal (word, "temporary")
             || is_operation == g_str_equal (word, "memory-proportion"));
}

static void
list_variables (PlanOracle *self, GArray *scored, const char *word, guint most, GPtrArray *ids)
{
  for (guint i = 0, n = 0; i < scored->len && n < most; i++)
    {
      const Scored *one = &g_array_index (scored, Scored, i);
      const char *name = word;

      if (one->largest < 1024 || !is_wanted (self, word, one->variable))
        continue;
      if (g_str_equal (word, "temporary"))
        name = is_wanted (self, "serialise", one->variable) ? "serialise" : "memory-proportion";
      g_ptr_array_add (ids, g_strconcat (name, ":", one->variable, NULL));
      n++;
    }
}

/* Exchanges with others like them, those whose others have most bytes first. */
static void
list_exchanges (PlanOracle *self, GPtrArray *ids)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Scored));

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      Scored group = { row->name, 0, 0 };
      g_autoptr (GHashTable) twins = NULL;
      g_autofree gint64 *code = NULL;
      GHashTableIter iter;
      gpointer twin;

      if (!g_str_equal (row->category, "internalExchangeCode") || row->size < 0
          || !g_hash_table_add (seen, (char *)row->name))
        continue;
      twins = find_twins (self, row->name);
      code = dup_code (self, row->name);
      for (guint tile = 0; tile < self->n_tiles; tile++)
        group.score += code[tile] * g_hash_table_size (twins);
      g_hash_table_iter_init (&iter, twins);
      while (g_hash_table_iter_next (&iter, &twin, NULL))
        g_hash_table_add (seen, twin);
      if (group.score > 0)
        g_array_append_val (groups, group);
    }
  g_array_sort (groups, compare_scored);
  for (guint i = 0; i < MIN (groups->len, 6); i++)
    g_ptr_array_add (ids,
                     g_strconcat ("outline:", g_array_index (groups, Scored, i).variable, NULL));
}

GPtrArray *
plan_oracle_list_offered (PlanOracle *self, const gint64 *over, gboolean tiles_told)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) scored = g_array_new (FALSE, FALSE, sizeof (Scored));
  gboolean any = FALSE;

  for (guint e = 0; e < self->entries->len; e++)
    {
      Scored one = { self->entries->pdata[e], 0, 0 };

      g_array_append_val (scored, one);
    }
  for (guint tile = 0; tile < self->n_tiles; tile++)
    if (over[tile] > 0)
      score_tile (self, tile, over[tile], scored);
  g_array_sort (scored, compare_scored);
  g_ptr_array_add (ids, g_strdup ("instrumentation"));
  g_ptr_array_add (ids, g_strdup ("halve-fp32"));
  g_ptr_array_add (ids, g_strdup ("batch"));
  list_variables (self, scored, "drop", 8, ids);
  for (guint k = 0; k < self->n_steps; k++)
    any |= g_hash_table_contains (self->touches, GINT_TO_POINTER (self->program[k]));
  if (!any)
    g_ptr_array_add (ids, g_strdup ("recompute"));
  else
    list_variables (self, scored, "recompute", 10, ids);
  if (!tiles_told)
    g_ptr_array_add (ids, g_strdup ("move"));
  else
    list_variables (self, scored, "move", 8, ids);
  list_variables (self, scored, "temporary", 12, ids);
  list_exchanges (self, ids);
  g_ptr_array_add (ids, g_strdup ("exchange"));
  g_ptr_array_add (ids, g_strdup ("layout"));
  return ids;
}
