/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Execution steps as liveness steps.  Liveness steps are the leaves of the program in order, calls
 * expanded; an execution passes over them in order, but for loops, which go back, and branches,
 * which leave some out.  A step whose program has one liveness step is told; those between two told
 * ones are placed in order between these.  What remains possible is two ranges of the program's
 * liveness steps: as it goes on from the step told before, and, where a loop goes back, as it comes
 * to the one told after. */

#include "config.h"

#include "tsr-trace-live.h"

#include "tsr-error.h"

#include <glib/gi18n.h>
#include <string.h>

#define BLOCK         8   /* slices that are looked at one by one */
#define FAN           8   /* nodes that one of the level above stands for */
#define AHEAD         4   /* columns whose slices are fetched before they are read */
#define RUNS_AT_ONCE  256 /* between two looks at the cancellable */
#define SETS_FOR_STEP 4   /* for each liveness step; what is beyond has all of its program's */

/* Liveness steps of a program in [from[0], to[0]) or [from[1], to[1]). */
typedef struct
{
  guint32 program;
  guint32 from[2], to[2];
} Set;

typedef struct
{
  gint64 least, most; /* bytes for certain, and perhaps; TSR_UNKNOWN */
} Bytes;

/* Of an IPU: a pyramid over blocks of slices.  The level of the blocks comes first, n nodes; each
 * next one has a node for FAN of the level before, up to one. */
typedef struct
{
  gsize n, n_nodes;
  Bytes *nodes;
} Blocks;

struct _TsrTraceLive
{
  gatomicrefcount count;
  TsrTrace *kept; /* (nullable) */
  const TsrTrace *trace;
  const TsrExecutionTables *tables;

  guint32 n_programs, n_live;
  guint32 *live_start; /* [n_programs + 1] */
  guint32 *live;       /* liveness steps of each program, ascending */
  guint32 *set;        /* [n_steps] into sets; TSR_NO_INDEX */
  GArray *sets;        /* Set */

  guint n_ipus; /* of a replica */
  Bytes *bytes; /* [ipu * n_sets + set] */
  gint64 largest;
  Blocks *blocks; /* [IPUs of the trace] */
};

/* ----------------------------------------------------------------- places */

/* Place in live of the first liveness step of @program that is @step or later. */
static guint32
find_live (const TsrTraceLive *self, guint32 program, guint32 step)
{
  guint32 from = self->live_start[program], to = self->live_start[program + 1];

  while (from < to)
    {
      guint32 middle = from + (to - from) / 2;

      if (self->live[middle] < step)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/* The first one in [from, to); TSR_NO_INDEX. */
static guint32
find_first (const TsrTraceLive *self, guint32 program, guint32 from, guint32 to)
{
  guint32 at = find_live (self, program, from);

  return at < self->live_start[program + 1] && self->live[at] < to ? self->live[at] : TSR_NO_INDEX;
}

static guint32
find_last (const TsrTraceLive *self, guint32 program, guint32 from, guint32 to)
{
  guint32 at = find_live (self, program, to);

  return at > self->live_start[program] && self->live[at - 1] >= from ? self->live[at - 1]
                                                                      : TSR_NO_INDEX;
}

/* --------------------------------------------------------------- matching */

/* Steps that are not told between two that are, and what is found of them. */
typedef struct
{
  guint32 n, room;
  guint32 *step, *program;
  guint32 *low[2], *high[2]; /* first and last possible: going on; coming to what is told after */
} Stretch;

typedef struct
{
  TsrTraceLive *self;
  GHashTable *numbers; /* numbers from 1 */
  guint32 *next;       /* [n_live] the next step of what is told and executed, or n_live */
  guint32 *before;     /* [n_live] behind the last one before it, or 0 */
  Stretch stretch;
} Match;

static guint
hash_set (gconstpointer data)
{
  const Set *set = data;

  return set->program * 31 + set->from[0];
}

static gboolean
set_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Set)) == 0;
}

static guint32
get_set (Match *match, Set set)
{
  TsrTraceLive *self = match->self;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (match->numbers, &set));

  if (number > 0)
    return number - 1;
  if (self->sets->len > (guint64)self->n_live * SETS_FOR_STEP + self->n_programs
      && (set.from[0] > 0 || set.to[0] < self->n_live))
    return get_set (match, (Set){ set.program, { 0, 0 }, { self->n_live, 0 } });
  g_array_append_val (self->sets, set);
  g_hash_table_insert (match->numbers, g_memdup2 (&set, sizeof set),
                       GUINT_TO_POINTER (self->sets->len));
  return self->sets->len - 1;
}

/* Steps [first, end) one after another in [from, to), each as early as it can be, into @place;
 * returns the first that has none. */
static guint32
go_on (Match *match,
       guint32 *place,
       guint32 first,
       guint32 end,
       guint32 from,
       guint32 to,
       guint32 apart)
{
  for (guint32 i = first; i < end; i++)
    {
      place[i] = find_first (match->self, match->stretch.program[i], from, to);
      if (place[i] == TSR_NO_INDEX)
        return i;
      from = place[i] + apart;
    }
  return end;
}

/* From the last to the first, each as late as it can be; returns how many have a place. */
static guint32
go_back (Match *match,
         guint32 *place,
         guint32 first,
         guint32 end,
         guint32 from,
         guint32 to,
         guint32 apart)
{
  for (guint32 i = end; i-- > first;)
    {
      place[i] = find_last (match->self, match->stretch.program[i], from, to);
      if (place[i] == TSR_NO_INDEX)
        return end - 1 - i;
      to = place[i] + 1 - apart;
    }
  return end - first;
}

/* All of them in order in [from, to); FALSE when that cannot be. */
static gboolean
place_in_order (Match *match, guint32 from, guint32 to, guint32 apart)
{
  Stretch *s = &match->stretch;

  if (go_on (match, s->low[0], 0, s->n, from, to, apart) < s->n)
    return FALSE;
  go_back (match, s->high[0], 0, s->n, from, to, apart);
  memset (s->low[1], 0xff, s->n * sizeof *s->low[1]);
  return TRUE;
}

/* Some in order in [from[0], to[0]), the others in order in [from[1], to[1]), wherever the loop
 * goes back that lets this be. */
static gboolean
place_around_jump (Match *match, const guint32 from[2], const guint32 to[2])
{
  Stretch *s = &match->stretch;
  guint32 most = go_on (match, s->low[0], 0, s->n, from[0], to[0], 1);
  guint32 least = s->n - go_back (match, s->high[1], 0, s->n, from[1], to[1], 1);

  if (least > most)
    return FALSE;
  for (guint32 i = most; i < s->n; i++)
    s->low[0][i] = TSR_NO_INDEX;
  for (guint32 i = 0; i < least; i++)
    s->low[1][i] = TSR_NO_INDEX;
  /* Behind @least the loop may go back at once; before it, all up to there has to be placed. */
  for (guint32 i = least; i < most; i++)
    s->high[0][i] = find_last (match->self, s->program[i], from[0], to[0]);
  go_back (match, s->high[0], 0, least, from[0], to[0], 1);
  for (guint32 i = least; i < most; i++)
    s->low[1][i] = find_first (match->self, s->program[i], from[1], to[1]);
  go_on (match, s->low[1], most, s->n, from[1], to[1], 1);
  return TRUE;
}

static void
take_found (Match *match)
{
  Stretch *s = &match->stretch;

  for (guint32 i = 0; i < s->n; i++)
    {
      Set set = { .program = s->program[i] };
      guint n = 0;

      for (guint k = 0; k < 2; k++)
        {
          guint32 from = s->low[k][i], to = s->high[k][i] + 1;

          if (from == TSR_NO_INDEX)
            continue;
          set.from[n] = from;
          set.to[n++] = to;
        }
      match->self->set[s->step[i]] = get_set (match, set);
    }
}

/* Wherever in [from, to); where a program has nothing there, anywhere. */
static void
take_anywhere (Match *match, guint32 from, guint32 to)
{
  TsrTraceLive *self = match->self;
  Stretch *s = &match->stretch;

  for (guint32 i = 0; i < s->n; i++)
    {
      Set set = { s->program[i], { 0, 0 }, { self->n_live, 0 } };

      if (find_first (self, s->program[i], from, to) != TSR_NO_INDEX)
        {
          set.from[0] = from;
          set.to[0] = to;
        }
      self->set[s->step[i]] = get_set (match, set);
    }
}

/* The stretch lies between liveness steps @before and @after; TSR_NO_INDEX: begin, end of the run.
 */
static void
place_stretch (Match *match, guint32 before, guint32 after)
{
  guint32 n_live = match->self->n_live;
  guint32 from[2] = { before != TSR_NO_INDEX ? before + 1 : 0, 0 };
  guint32 to[2] = { n_live, after != TSR_NO_INDEX ? after : n_live };

  if (match->stretch.n == 0)
    return;
  if (before == TSR_NO_INDEX || after == TSR_NO_INDEX || before < after)
    {
      if (place_in_order (match, from[0], to[1], 1) || place_in_order (match, from[0], to[1], 0))
        take_found (match);
      else
        take_anywhere (match, from[0], to[1]);
    }
  else
    {
      const guint32 near_from[2] = { from[0], match->before[after] };
      const guint32 near_to[2] = { match->next[before], to[1] };

      if (place_around_jump (match, near_from, near_to) || place_around_jump (match, from, to))
        take_found (match);
      else
        take_anywhere (match, 0, n_live);
    }
  match->stretch.n = 0;
}

static void
add_to_stretch (Stretch *s, guint32 step, guint32 program)
{
  if (s->n == s->room)
    {
      s->room = MAX (s->room * 2, 64);
      s->step = g_renew (guint32, s->step, s->room);
      s->program = g_renew (guint32, s->program, s->room);
      for (guint k = 0; k < 2; k++)
        {
          s->low[k] = g_renew (guint32, s->low[k], s->room);
          s->high[k] = g_renew (guint32, s->high[k], s->room);
        }
    }
  s->step[s->n] = step;
  s->program[s->n++] = program;
}

static guint32
count_live (const TsrTraceLive *self, guint32 step)
{
  guint32 program = self->tables->step_program[step];

  return program < self->n_programs ? self->live_start[program + 1] - self->live_start[program] : 0;
}

static void
match_run (Match *match, guint32 first, guint32 end)
{
  TsrTraceLive *self = match->self;
  guint32 before = TSR_NO_INDEX;

  for (guint32 step = first; step < end; step++)
    {
      guint32 program = self->tables->step_program[step], n = count_live (self, step);

      if (n > 1)
        add_to_stretch (&match->stretch, step, program);
      if (n != 1)
        continue;
      place_stretch (match, before, self->live[self->live_start[program]]);
      before = self->live[self->live_start[program]];
      self->set[step] = get_set (match, (Set){ program, { before, 0 }, { before + 1, 0 } });
    }
  place_stretch (match, before, TSR_NO_INDEX);
}

/* For each liveness step the told and executed ones around it. */
static void
find_told (Match *match)
{
  TsrTraceLive *self = match->self;
  g_autofree guint8 *told = g_new0 (guint8, MAX (self->n_live, 1));

  for (guint32 step = 0; step < self->tables->n_steps; step++)
    if (count_live (self, step) == 1)
      told[self->live[self->live_start[self->tables->step_program[step]]]] = 1;
  for (guint32 i = 0, behind = 0; i < self->n_live; i++)
    {
      match->before[i] = behind;
      behind = told[i] ? i + 1 : behind;
    }
  for (guint32 i = self->n_live, next = self->n_live; i-- > 0;)
    {
      match->next[i] = next;
      next = told[i] ? i : next;
    }
}

static gboolean
match_steps (TsrTraceLive *self, GCancellable *cancellable, GError **error)
{
  const TsrExecutionTables *t = self->tables;
  Match match = { .self = self };
  guint32 step = 0;
  gboolean done = TRUE;

  match.numbers = g_hash_table_new_full (hash_set, set_equal, g_free, NULL);
  match.next = g_new (guint32, MAX (self->n_live, 1));
  match.before = g_new (guint32, MAX (self->n_live, 1));
  find_told (&match);
  for (guint i = 0; step < t->n_steps && done; i++)
    {
      guint32 end = step + 1;

      while (end < t->n_steps && t->step_run[end] == t->step_run[step])
        end++;
      match_run (&match, step, end);
      step = end;
      done = i % RUNS_AT_ONCE != 0 || !g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  g_hash_table_unref (match.numbers);
  g_free (match.next);
  g_free (match.before);
  g_free (match.stretch.step);
  g_free (match.stretch.program);
  for (guint k = 0; k < 2; k++)
    {
      g_free (match.stretch.low[k]);
      g_free (match.stretch.high[k]);
    }
  return done;
}

/* ------------------------------------------------------------------ bytes */

static const Bytes unknown = { TSR_UNKNOWN, TSR_UNKNOWN };

/* Which places of live the ranges of a set are. */
static void
get_range (const TsrTraceLive *self, const Set *set, guint k, guint32 *from, guint32 *to)
{
  *from = find_live (self, set->program, set->from[k]);
  *to = MAX (find_live (self, set->program, set->to[k]), *from);
}

/* Bytes of a set on @ipu of a replica; both unknown when one of its steps' are. */
static Bytes
sum_up_set (const TsrTraceLive *self, guint ipu, guint set, const gint64 *of_steps)
{
  Bytes bytes = unknown;

  for (guint k = 0; k < 2; k++)
    {
      guint32 from, to;

      get_range (self, &g_array_index (self->sets, Set, set), k, &from, &to);
      for (guint32 i = from; i < to; i++)
        {
          gint64 value = of_steps[(gsize)ipu * self->n_live + self->live[i]];

          if (value == TSR_UNKNOWN)
            return unknown;
          bytes.least = bytes.least == TSR_UNKNOWN ? value : MIN (bytes.least, value);
          bytes.most = MAX (bytes.most, value);
        }
    }
  return bytes;
}

static inline Bytes
get_larger (Bytes a, Bytes b)
{
  return (Bytes){ MAX (a.least, b.least), MAX (a.most, b.most) };
}

/* The largest of slices [from, end) and @bytes. */
static Bytes
take_slices (const TsrTraceLive *self, guint replica_ipu, gsize from, gsize end, Bytes bytes)
{
  const guint32 *slice_step = self->tables->slice_step, *sets = self->set;
  const Bytes *of = self->bytes + (gsize)replica_ipu * self->sets->len;

  if (replica_ipu >= self->n_ipus)
    return bytes;
  for (gsize slice = from; slice < end; slice++)
    {
      guint32 set = sets[slice_step[slice]];

      if (set != TSR_NO_INDEX)
        bytes = get_larger (bytes, of[set]);
    }
  return bytes;
}

static guint
get_replica_ipu (const TsrTraceLive *self, guint ipu)
{
  gint64 replica, place;

  tsr_trace_get_replica (self->trace, ipu, &replica, &place);
  return place >= 0 && place <= G_MAXINT ? (guint)place : ipu;
}

static void
fill_blocks (TsrTraceLive *self, guint ipu)
{
  gsize first = self->tables->ipu_start[ipu], end = self->tables->ipu_start[ipu + 1];
  guint replica_ipu = get_replica_ipu (self, ipu);
  Blocks *blocks = &self->blocks[ipu];

  blocks->n = (end - first + BLOCK - 1) / BLOCK;
  blocks->n_nodes = blocks->n;
  for (gsize n = blocks->n; n > 1; blocks->n_nodes += n)
    n = (n + FAN - 1) / FAN;
  blocks->nodes = g_new (Bytes, MAX (blocks->n_nodes, 1));
  for (gsize i = 0; i < blocks->n_nodes; i++)
    blocks->nodes[i] = unknown;
  for (gsize b = 0; b < blocks->n; b++)
    blocks->nodes[b] = take_slices (self, replica_ipu, first + b * BLOCK,
                                    MIN (first + (b + 1) * BLOCK, end), unknown);
  for (gsize n = blocks->n, level = 0; n > 1; level += n, n = (n + FAN - 1) / FAN)
    for (gsize i = 0; i < n; i++)
      {
        Bytes *above = &blocks->nodes[level + n + i / FAN];

        *above = get_larger (*above, blocks->nodes[level + i]);
      }
}

/* ----------------------------------------------------------------- object */

static void
list_live (TsrTraceLive *self, const guint32 *step_program)
{
  g_autofree guint32 *at = NULL;

  for (guint32 step = 0; step < self->tables->n_steps; step++)
    if (self->tables->step_program[step] != TSR_NO_INDEX)
      self->n_programs = MAX (self->n_programs, self->tables->step_program[step] + 1);
  self->live_start = g_new0 (guint32, (gsize)self->n_programs + 1);
  self->live = g_new (guint32, MAX (self->n_live, 1));
  for (guint32 i = 0; i < self->n_live; i++)
    if (step_program[i] < self->n_programs)
      self->live_start[step_program[i] + 1]++;
  for (guint32 program = 0; program < self->n_programs; program++)
    self->live_start[program + 1] += self->live_start[program];
  at = g_memdup2 (self->live_start, (gsize)self->n_programs * sizeof *at);
  for (guint32 i = 0; i < self->n_live; i++)
    if (step_program[i] < self->n_programs)
      self->live[at[step_program[i]]++] = i;
}

TsrTraceLive *
tsr_trace_live_new_from_steps (const TsrTrace *trace,
                               const guint32 *step_program,
                               guint n_steps,
                               const gint64 *bytes,
                               guint n_ipus,
                               GCancellable *cancellable,
                               GError **error)
{
  g_autoptr (TsrTraceLive) self = NULL;
  guint n;

  g_return_val_if_fail (trace != NULL, NULL);
  g_return_val_if_fail (n_steps == 0 || (step_program != NULL && bytes != NULL), NULL);

  self = g_new0 (TsrTraceLive, 1);
  g_atomic_ref_count_init (&self->count);
  self->trace = trace;
  self->tables = tsr_trace_get_tables (trace);
  self->n_live = n_steps;
  self->n_ipus = n_ipus;
  self->sets = g_array_new (FALSE, FALSE, sizeof (Set));
  self->set = g_new (guint32, MAX (self->tables->n_steps, 1));
  memset (self->set, 0xff, (gsize)self->tables->n_steps * sizeof *self->set);
  list_live (self, step_program);
  if (!match_steps (self, cancellable, error))
    return NULL;
  if (self->sets->len == 0)
    {
      g_set_error_literal (
          error, TSR_ERROR, TSR_ERROR_MISSING_PART,
          _ ("no liveness step is of a program that was executed (liveness_steps, steps)"));
      return NULL;
    }
  self->bytes = g_new (Bytes, MAX ((gsize)n_ipus * self->sets->len, 1));
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    for (guint set = 0; set < self->sets->len; set++)
      self->bytes[(gsize)ipu * self->sets->len + set] = sum_up_set (self, ipu, set, bytes);
  for (gsize i = 0; i < (gsize)n_ipus * n_steps; i++)
    self->largest = MAX (self->largest, bytes[i]);
  n = tsr_trace_get_n_ipus (trace);
  self->blocks = g_new0 (Blocks, MAX (n, 1));
  for (guint ipu = 0; ipu < n; ipu++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      fill_blocks (self, ipu);
    }
  return g_steal_pointer (&self);
}

TsrTraceLive *
tsr_trace_live_new (const TsrTrace *trace,
                    TsrLiveness *liveness,
                    GCancellable *cancellable,
                    GError **error)
{
  guint n = liveness != NULL ? tsr_liveness_get_n_steps (liveness) : 0;
  guint n_ipus;
  g_autofree guint32 *programs = g_new (guint32, MAX (n, 1));
  g_autofree gint64 *bytes = NULL;
  g_autoptr (GError) missing = NULL;
  gboolean any = FALSE;
  TsrTraceLive *self;

  g_return_val_if_fail (trace != NULL, NULL);
  g_return_val_if_fail (liveness != NULL, NULL);

  n_ipus = tsr_memory_get_n_ipus (tsr_liveness_get_memory (liveness));
  bytes = g_new (gint64, MAX ((gsize)n_ipus * n, 1));
  for (guint i = 0; i < n; i++)
    programs[i] = tsr_liveness_get_step_program (liveness, i);
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      const TsrLivenessSource source
          = { .kind = n_ipus > 1 ? TSR_LIVENESS_IPU : TSR_LIVENESS_ALL, .ipu = ipu };
      g_autoptr (TsrLivenessSeries) series = NULL;

      g_clear_error (&missing);
      series = tsr_liveness_compute (liveness, &source, cancellable, &missing);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      for (guint i = 0; i < n; i++)
        {
          bytes[(gsize)ipu * n + i] = series != NULL ? series->not_always_live[i] : TSR_UNKNOWN;
          any = any || bytes[(gsize)ipu * n + i] != TSR_UNKNOWN;
        }
    }
  if (!any)
    {
      if (missing != NULL)
        g_propagate_error (error, g_steal_pointer (&missing));
      else
        g_set_error_literal (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                             _ ("the liveness steps are not recorded (liveness_steps)"));
      return NULL;
    }
  self = tsr_trace_live_new_from_steps (trace, programs, n, bytes, n_ipus, cancellable, error);
  if (self != NULL)
    self->kept = tsr_trace_ref ((TsrTrace *)trace);
  return self;
}

TsrTraceLive *
tsr_trace_live_ref (TsrTraceLive *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
tsr_trace_live_unref (TsrTraceLive *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  for (guint ipu = 0; self->blocks != NULL && ipu < tsr_trace_get_n_ipus (self->trace); ipu++)
    g_free (self->blocks[ipu].nodes);
  g_free (self->blocks);
  g_free (self->bytes);
  g_free (self->live_start);
  g_free (self->live);
  g_free (self->set);
  g_clear_pointer (&self->sets, g_array_unref);
  g_clear_pointer (&self->kept, tsr_trace_unref);
  g_free (self);
}

gint64
tsr_trace_live_get_most (const TsrTraceLive *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->largest;
}

guint
tsr_trace_live_get_steps (const TsrTraceLive *self, guint32 step, guint32 *first, guint32 *last)
{
  guint n = 0;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (first != NULL && last != NULL, 0);
  if (step >= self->tables->n_steps || self->set[step] == TSR_NO_INDEX)
    return 0;
  *first = G_MAXUINT32;
  *last = 0;
  for (guint k = 0; k < 2; k++)
    {
      guint32 from, to;

      get_range (self, &g_array_index (self->sets, Set, self->set[step]), k, &from, &to);
      if (from == to)
        continue;
      *first = MIN (*first, self->live[from]);
      *last = MAX (*last, self->live[to - 1]);
      n += to - from;
    }
  return n;
}

gboolean
tsr_trace_live_may_be (const TsrTraceLive *self, guint32 step, guint32 live)
{
  const Set *set;
  guint32 at;

  g_return_val_if_fail (self != NULL, FALSE);
  if (step >= self->tables->n_steps || self->set[step] == TSR_NO_INDEX)
    return FALSE;
  set = &g_array_index (self->sets, Set, self->set[step]);
  at = find_live (self, set->program, live);
  if (at >= self->live_start[set->program + 1] || self->live[at] != live)
    return FALSE;
  return (live >= set->from[0] && live < set->to[0]) || (live >= set->from[1] && live < set->to[1]);
}

/* ---------------------------------------------------------------- queries */

/* The largest of blocks [from, end) and @bytes. */
static Bytes
take_blocks (const Blocks *blocks, gsize from, gsize end, Bytes bytes)
{
  const Bytes *level = blocks->nodes;

  for (gsize n = blocks->n; from < end;
       level += n, n = (n + FAN - 1) / FAN, from /= FAN, end /= FAN)
    {
      while (from < end && from % FAN > 0)
        bytes = get_larger (bytes, level[from++]);
      while (from < end && (end % FAN > 0 || n <= FAN))
        bytes = get_larger (bytes, level[--end]);
    }
  return bytes;
}

static Bytes
sum_up_slices (const TsrTraceLive *self, guint ipu, guint replica_ipu, gsize first, gsize end)
{
  gsize base = self->tables->ipu_start[ipu];
  gsize block = (first - base + BLOCK - 1) / BLOCK, end_block = (end - base) / BLOCK;
  Bytes bytes;

  if (block >= end_block)
    return take_slices (self, replica_ipu, first, end, unknown);
  bytes = take_slices (self, replica_ipu, first, base + block * BLOCK, unknown);
  bytes = take_slices (self, replica_ipu, base + end_block * BLOCK, end, bytes);
  return take_blocks (&self->blocks[ipu], block, end_block, bytes);
}

/* Tells the processor that what is about @slice will be read, in two turns: which steps it is of,
 * and what these are.  What takes the time is the way to the memory. */
static void
fetch_slices (const TsrTraceLive *self, guint ipu, gsize slice)
{
  const Blocks *blocks = &self->blocks[ipu];
  gsize block = (slice - self->tables->ipu_start[ipu]) / BLOCK;

  __builtin_prefetch (&self->tables->slice_step[slice - MIN (slice, BLOCK / 2)]);
  __builtin_prefetch (&self->tables->slice_step[slice + BLOCK / 2]);
  __builtin_prefetch (&blocks->nodes[block - block % FAN]);
  __builtin_prefetch (&blocks->nodes[block - block % FAN + FAN / 2]);
  __builtin_prefetch (&blocks->nodes[blocks->n + block / FAN]);
}

static void
fetch_sets (const TsrTraceLive *self, gsize slice)
{
  guint32 step = self->tables->slice_step[slice];

  __builtin_prefetch (&self->set[step - MIN (step, BLOCK / 2)]);
  __builtin_prefetch (&self->set[step + BLOCK / 2]);
}

void
tsr_trace_live_list (
    const TsrTraceLive *self, guint ipu, guint n, const gint64 *edges, gint64 *least, gint64 *most)
{
  g_autofree gsize *at = NULL;
  const gint64 *start;
  guint replica_ipu;
  gsize base, end, after = 0;

  g_return_if_fail (self != NULL);
  g_return_if_fail (n == 0 || (edges != NULL && least != NULL && most != NULL));
  g_return_if_fail (ipu < tsr_trace_get_n_ipus (self->trace));

  if (n == 0)
    return;
  at = g_new (gsize, (gsize)n + 1);
  base = self->tables->ipu_start[ipu];
  end = tsr_trace_find_start (self->trace, ipu, G_MAXINT64); /* of those whose times are told */
  start = self->tables->slice_start;
  replica_ipu = get_replica_ipu (self, ipu);
  tsr_trace_find_starts (self->trace, ipu, edges, n + 1, at);
  for (guint i = 0; i < n; i++)
    {
      Bytes bytes;

      if (i + 2 * AHEAD <= n && at[i + 2 * AHEAD] < end)
        fetch_slices (self, ipu, at[i + 2 * AHEAD]);
      if (i + AHEAD <= n && at[i + AHEAD] < end)
        fetch_sets (self, at[i + AHEAD]);
      /* The last one that began by then is what is live at the edge. */
      if (i == 0 || edges[i] > edges[i - 1])
        for (after = at[i]; after < end && start[after] == edges[i]; after++)
          ;
      bytes
          = sum_up_slices (self, ipu, replica_ipu, after - (after > base), MAX (after, at[i + 1]));
      least[i] = bytes.least;
      most[i] = bytes.most;
    }
}

guint32
tsr_trace_live_find_slice (const TsrTraceLive *self, guint ipu, gint64 from, gint64 to)
{
  const gint64 edges[] = { from, MAX (from, to) };
  gint64 least, most = TSR_UNKNOWN;
  gsize first, end;

  g_return_val_if_fail (self != NULL && ipu < tsr_trace_get_n_ipus (self->trace), TSR_NO_SLICE);

  tsr_trace_live_list (self, ipu, 1, edges, &least, &most);
  if (most == TSR_UNKNOWN)
    return TSR_NO_SLICE;
  first = tsr_trace_find_start (self->trace, ipu, from + (from < G_MAXINT64));
  end = MAX (tsr_trace_find_start (self->trace, ipu, edges[1]), first);
  first -= first > self->tables->ipu_start[ipu];
  for (gsize slice = first; slice < end; slice++)
    {
      if (take_slices (self, get_replica_ipu (self, ipu), slice, slice + 1, unknown).most == most)
        return (guint32)slice;
    }
  return TSR_NO_SLICE;
}
