/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What recomputing does to lifetimes: the hole in which nothing touches a variable, and what the
 * program that makes it needs once more (tsr-plan.h says it word for word). */

#include "config.h"

#include "tsr-plan-private.h"

#include "tsr-report-read.h"

#include <string.h>

/* ------------------------------------------------------------------ touches */

static int
compare_programs (gconstpointer a, gconstpointer b)
{
  const TsrProgramVariable *x = a;
  const TsrProgramVariable *y = b;

  return x->program < y->program ? -1 : x->program > y->program;
}

static void
index_steps (TsrPlan *self)
{
  self->touched = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  for (guint k = 0; k < self->n_steps; k++)
    {
      guint32 program = self->tables->step_program[k];

      if (program >= self->programs->n_programs)
        continue;
      for (guint32 i = self->touch_start[program]; i < self->touch_start[program + 1]; i++)
        {
          gpointer key = GUINT_TO_POINTER (self->touches[i].entry);
          GArray *steps = g_hash_table_lookup (self->touched, key);

          if (steps == NULL)
            {
              steps = g_array_new (FALSE, FALSE, sizeof (guint32));
              g_hash_table_insert (self->touched, key, steps);
            }
          g_array_append_val (steps, k);
        }
    }
}

gboolean
tsr_plan_read_touches (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) rows = NULL;

  if (self->programs == NULL)
    return TRUE;
  rows = tsr_report_read_program_variables (self->report, self->tables->step_program, self->n_steps,
                                            cancellable, error);
  if (rows == NULL)
    return FALSE;
  if (rows->len == 0)
    return TRUE;
  g_array_sort (rows, compare_programs);
  self->touch_start = g_new0 (guint32, (gsize)self->programs->n_programs + 1);
  self->touches = g_new (TsrPlanTouch, rows->len);
  for (guint i = 0; i < rows->len; i++)
    {
      const TsrProgramVariable *row = &g_array_index (rows, TsrProgramVariable, i);

      self->touches[i] = (TsrPlanTouch){ row->variable, (guint8)row->role };
      self->touch_start[row->program + 1]++;
    }
  for (guint i = 0; i < self->programs->n_programs; i++)
    self->touch_start[i + 1] += self->touch_start[i];
  index_steps (self);
  return TRUE;
}

/* -------------------------------------------------------------------- holes */

/* Where a variable is not touched in one of its intervals. */
typedef struct
{
  guint32 first, a, b;
} Hole;

/* FALSE: the interval stays as it is. */
static gboolean
find_hole (TsrPlan *self, guint32 entry, guint32 from, guint32 to, Hole *hole)
{
  GArray *steps = self->touched != NULL
                      ? g_hash_table_lookup (self->touched, GUINT_TO_POINTER (entry))
                      : NULL;
  guint32 last = TSR_NO_INDEX;

  *hole = (Hole){ .first = TSR_NO_INDEX };
  for (guint i = 0; steps != NULL && i < steps->len; i++)
    {
      guint32 step = g_array_index (steps, guint32, i);

      if (step < from || step >= to)
        continue;
      if (last == TSR_NO_INDEX)
        hole->first = step;
      else if (step - last > hole->b - hole->a)
        {
          hole->a = last;
          hole->b = step;
        }
      last = step;
    }
  return hole->b > hole->a + 1;
}

/* The interval of a class that contains a step; FALSE: none does. */
static gboolean
find_interval (
    const TsrLoweredTables *lowered, guint32 class_index, guint32 step, guint32 *from, guint32 *to)
{
  for (gsize i = lowered->interval_start[class_index];
       i < lowered->interval_start[class_index + 1] && lowered->interval_from[i] <= step; i++)
    if (step < lowered->interval_to[i])
      {
        *from = lowered->interval_from[i];
        *to = lowered->interval_to[i];
        return TRUE;
      }
  return FALSE;
}

/* The parts of an entry are in order of their classes; behind these those that have none. */
static guint32
find_end_of_classes (TsrPlan *self, guint32 entry)
{
  const TsrVariables *variables = self->variables;
  guint32 end = variables->part_start[entry];

  while (end < variables->part_start[entry + 1]
         && variables->parts[end].class_index < self->lowered->n_classes)
    end++;
  return end;
}

gboolean
tsr_plan_can_recompute (TsrPlan *self, guint32 entry, gint64 *cycles)
{
  const TsrVariables *variables = self->variables;
  const guint32 end = find_end_of_classes (self, entry);
  gboolean can = FALSE;

  *cycles = 0;
  for (guint32 p = variables->part_start[entry]; p < end; p++)
    {
      guint32 c = variables->parts[p].class_index;

      for (gsize i = self->lowered->interval_start[c]; i < self->lowered->interval_start[c + 1];
           i++)
        {
          gint64 one;
          guint32 program;
          Hole hole;

          if (!find_hole (self, entry, self->lowered->interval_from[i],
                          self->lowered->interval_to[i], &hole))
            continue;
          program = self->tables->step_program[hole.first];
          one = tsr_program_tables_get_estimate (self->programs, program)->maximum;
          /* Parts of it are made at once. */
          *cycles = *cycles == TSR_UNKNOWN || one == TSR_UNKNOWN ? TSR_UNKNOWN : MAX (*cycles, one);
          can = TRUE;
        }
    }
  return can;
}

/* ------------------------------------------------------------------- worlds */

typedef struct
{
  guint32 class_index, from, to;
} Life;

typedef struct
{
  TsrPlan *self;
  GHashTable *recomputed; /* entries */
  GHashTable *lives;      /* entry -> GArray of Life: live there, too */
  GHashTable *visited;    /* steps f and b of programs that were followed */
} Work;

static void
add_life (Work *work, guint32 entry, guint32 class_index, guint32 from, guint32 to)
{
  const Life life = { class_index, from, to };
  GArray *lives = g_hash_table_lookup (work->lives, GUINT_TO_POINTER (entry));

  if (lives == NULL)
    {
      lives = g_array_new (FALSE, FALSE, sizeof (Life));
      g_hash_table_insert (work->lives, GUINT_TO_POINTER (entry), lives);
    }
  g_array_append_val (lives, life);
}

static void follow (Work *work, guint32 maker, guint32 first, guint32 at);

/* A variable that the program at @first touches, one of its classes, for a recomputation at @at. */
static void
need (Work *work, const TsrPlanTouch *touch, guint32 class_index, guint32 first, guint32 at)
{
  TsrPlan *self = work->self;
  guint32 from, to, x, y;
  Hole hole;

  if (!find_interval (self->lowered, class_index, first, &from, &to))
    return;
  if (!self->of_program[touch->entry])
    {
      add_life (work, touch->entry, class_index, at, at + 1);
      return;
    }
  /* Nothing is live before step 0. */
  if (touch->role > TSR_VARIABLE_SOURCE
      || !find_interval (self->lowered, class_index, first - 1, &x, &y))
    return;
  if (!g_hash_table_contains (work->recomputed, GUINT_TO_POINTER (touch->entry))
      || !find_hole (self, touch->entry, from, to, &hole))
    add_life (work, touch->entry, class_index, first, at + 1);
  else if (at < from || at >= to || (at > hole.a && at < hole.b))
    {
      add_life (work, touch->entry, class_index, at, at + 1);
      follow (work, touch->entry, hole.first, at);
    }
}

static void
follow (Work *work, guint32 maker, guint32 first, guint32 at)
{
  TsrPlan *self = work->self;
  const TsrVariables *variables = self->variables;
  guint32 program = self->tables->step_program[first];
  gpointer key = GSIZE_TO_POINTER ((gsize)first << 32 | at);

  if (!g_hash_table_add (work->visited, key))
    return;
  for (guint32 i = self->touch_start[program]; i < self->touch_start[program + 1]; i++)
    {
      const TsrPlanTouch *touch = &self->touches[i];
      const guint32 end = find_end_of_classes (self, touch->entry);

      if (touch->entry == maker)
        continue;
      for (guint32 p = variables->part_start[touch->entry]; p < end; p++)
        need (work, touch, variables->parts[p].class_index, first, at);
    }
}

static void
recompute (Work *work, guint32 entry)
{
  TsrPlan *self = work->self;
  const TsrVariables *variables = self->variables;
  const guint32 end = find_end_of_classes (self, entry);

  for (guint32 p = variables->part_start[entry]; p < end; p++)
    {
      guint32 c = variables->parts[p].class_index;

      for (gsize i = self->lowered->interval_start[c]; i < self->lowered->interval_start[c + 1];
           i++)
        {
          Hole hole;

          if (find_hole (self, entry, self->lowered->interval_from[i],
                         self->lowered->interval_to[i], &hole))
            follow (work, entry, hole.first, hole.b);
        }
    }
}

static void
work_init (Work *work, TsrPlan *self)
{
  *work = (Work){ self, g_hash_table_new (NULL, NULL),
                  g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref),
                  g_hash_table_new (NULL, NULL) };
}

static void
work_clear (Work *work)
{
  g_hash_table_unref (work->recomputed);
  g_hash_table_unref (work->lives);
  g_hash_table_unref (work->visited);
}

GArray *
tsr_plan_list_changed (TsrPlan *self, guint32 entry)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));
  GHashTableIter iter;
  gpointer key;
  Work work;

  work_init (&work, self);
  recompute (&work, entry);
  g_array_append_val (list, entry);
  g_hash_table_iter_init (&iter, work.lives);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint32 other = GPOINTER_TO_UINT (key);

      g_array_append_val (list, other);
    }
  work_clear (&work);
  return list;
}

static int
compare_lives (gconstpointer a, gconstpointer b)
{
  const Life *x = a;
  const Life *y = b;

  return x->from < y->from ? -1 : x->from > y->from;
}

/* The intervals of a class of @entry as they become: merged, in order. */
static GArray *
dup_lives (Work *work, guint32 entry, guint32 class_index)
{
  const TsrLoweredTables *lowered = work->self->lowered;
  GArray *more = g_hash_table_lookup (work->lives, GUINT_TO_POINTER (entry));
  gboolean holes = g_hash_table_contains (work->recomputed, GUINT_TO_POINTER (entry));
  GArray *lives = g_array_new (FALSE, FALSE, sizeof (Life));
  guint kept = 0;

  for (gsize i = lowered->interval_start[class_index]; i < lowered->interval_start[class_index + 1];
       i++)
    {
      Life life = { class_index, lowered->interval_from[i], lowered->interval_to[i] };
      Hole hole;

      if (holes && find_hole (work->self, entry, life.from, life.to, &hole))
        {
          const Life before = { class_index, life.from, hole.a + 1 };

          g_array_append_val (lives, before);
          life.from = hole.b;
        }
      g_array_append_val (lives, life);
    }
  for (guint i = 0; more != NULL && i < more->len; i++)
    if (g_array_index (more, Life, i).class_index == class_index)
      g_array_append_val (lives, g_array_index (more, Life, i));
  g_array_sort (lives, compare_lives);
  for (guint i = 0; i < lives->len; i++)
    {
      const Life *life = &g_array_index (lives, Life, i);
      Life *last = kept > 0 ? &g_array_index (lives, Life, kept - 1) : NULL;

      if (last != NULL && life->from <= last->to)
        last->to = MAX (last->to, life->to);
      else
        g_array_index (lives, Life, kept++) = *life;
    }
  g_array_set_size (lives, kept);
  return lives;
}

/* A class of its own for each class of @entry. */
static void
add_classes (Work *work, TsrPlanWorld *world, GArray *starts, GArray *lives, guint32 entry)
{
  const TsrVariables *variables = work->self->variables;
  const guint32 end = find_end_of_classes (work->self, entry);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 p = variables->part_start[entry]; p < end; p++)
    {
      guint32 c = variables->parts[p].class_index;
      guint32 instead = work->self->lowered->n_classes + starts->len;
      g_autoptr (GArray) own = dup_lives (work, entry, c);

      g_array_append_vals (lives, own->data, own->len);
      g_array_append_val (starts, lives->len); /* its end */
      g_array_append_val (pairs, c);
      g_array_append_val (pairs, instead);
    }
  g_hash_table_insert (world->remap, GUINT_TO_POINTER (entry), pairs);
}

/* The report's classes, and those of @lives behind them; @ends: of each. */
static void
fill_tables (TsrPlan *self, TsrPlanWorld *world, const GArray *ends, const GArray *lives)
{
  const TsrLoweredTables *from = self->lowered;
  gsize n = from->interval_start[from->n_classes];
  TsrLoweredTables *to = &world->lowered;

  *to = *from;
  to->n_classes = from->n_classes + ends->len;
  to->interval_start = g_new0 (gsize, (gsize)to->n_classes + 1);
  to->interval_from = g_new (guint32, MAX (n + lives->len, 1));
  to->interval_to = g_new (guint32, MAX (n + lives->len, 1));
  memcpy (to->interval_start, from->interval_start, (from->n_classes + 1) * sizeof (gsize));
  memcpy (to->interval_from, from->interval_from, n * sizeof (guint32));
  memcpy (to->interval_to, from->interval_to, n * sizeof (guint32));
  for (guint i = 0; i < lives->len; i++)
    {
      to->interval_from[n + i] = g_array_index (lives, Life, i).from;
      to->interval_to[n + i] = g_array_index (lives, Life, i).to;
    }
  for (guint i = 0; i < ends->len; i++)
    to->interval_start[from->n_classes + i + 1] = n + g_array_index (ends, guint, i);
}

TsrPlanWorld *
tsr_plan_world_new (TsrPlan *self, TsrMeasureSet recomputed)
{
  TsrPlanWorld *world = g_new0 (TsrPlanWorld, 1);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) lives = g_array_new (FALSE, FALSE, sizeof (Life));
  GHashTableIter iter;
  gpointer key;
  Work work;

  world->remap = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  work_init (&work, self);
  for (guint i = 0; i < self->n_measures; i++)
    if ((recomputed & TSR_PLAN_BIT (i)) != 0)
      g_hash_table_add (work.recomputed, GUINT_TO_POINTER (self->entries[i]));
  for (guint i = 0; i < self->n_measures; i++)
    if ((recomputed & TSR_PLAN_BIT (i)) != 0)
      recompute (&work, self->entries[i]);
  g_hash_table_iter_init (&iter, work.recomputed);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    add_classes (&work, world, ends, lives, GPOINTER_TO_UINT (key));
  g_hash_table_iter_init (&iter, work.lives);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (work.recomputed, key))
      add_classes (&work, world, ends, lives, GPOINTER_TO_UINT (key));
  work_clear (&work);
  fill_tables (self, world, ends, lives);
  tsr_live_axis_init (&world->axis, &world->lowered, self->n_steps);
  return world;
}

void
tsr_plan_world_free (TsrPlanWorld *world)
{
  if (world == NULL)
    return;
  tsr_live_axis_clear (&world->axis);
  g_free (world->lowered.interval_start);
  g_free (world->lowered.interval_from);
  g_free (world->lowered.interval_to);
  g_hash_table_unref (world->remap);
  g_free (world);
}
