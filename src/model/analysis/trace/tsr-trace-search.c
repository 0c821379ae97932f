/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Slices that match by name, type, compute set or program: a flag for each of these, and walks over
 * the slices in order of their start.  A walk over ten million slices takes some tens of
 * milliseconds.
 */

#include "config.h"

#include "tsr-trace-private.h"
#include "tsr-trace-span-private.h"

#include <string.h>

struct _TsrTraceMatches
{
  gatomicrefcount count;
  guint n_names, n_sets;
  guint8 *names; /* (nullable) [n_names + 1]: the last one is for slices without a name */
  guint8 *sets;  /* (nullable) [n_sets]: of compute sets; without names */
  guint32 types; /* without names: of what is in no compute set, or without sets of all */
  guint32 n_programs;
  guint8 *programs; /* (nullable) [n_programs]: of programs, in place of all these */
};

static TsrTraceMatches *
matches_new (const TsrTrace *self)
{
  TsrTraceMatches *matches = g_new0 (TsrTraceMatches, 1);

  g_atomic_ref_count_init (&matches->count);
  matches->n_names = self->names.n;
  matches->n_sets = self->programs != NULL ? self->programs->n_compute_sets : 0;
  return matches;
}

TsrTraceMatches *
tsr_trace_matches_new (const TsrTrace *self,
                       gboolean (*match) (const char *name, gpointer data),
                       gpointer data)
{
  TsrTraceMatches *matches;

  g_return_val_if_fail (self != NULL && match != NULL, NULL);
  matches = matches_new (self);
  matches->names = g_new0 (guint8, (gsize)matches->n_names + 1);
  for (guint i = 0; i < matches->n_names; i++)
    matches->names[i]
        = match (self->names.text[i], data)
          || (self->names.title[i] != self->names.text[i] && match (self->names.title[i], data));
  return matches;
}

TsrTraceMatches *
tsr_trace_matches_new_names (const TsrTrace *self, const guint8 *names)
{
  TsrTraceMatches *matches = matches_new (self);

  matches->names = g_memdup2 (names, (gsize)matches->n_names + 1);
  return matches;
}

TsrTraceMatches *
tsr_trace_matches_new_types (const TsrTrace *self, guint32 types, const guint8 *sets)
{
  TsrTraceMatches *matches = matches_new (self);

  matches->types = types;
  if (sets != NULL)
    {
      matches->sets = g_new0 (guint8, (gsize)matches->n_sets + 1);
      memcpy (matches->sets, sets, matches->n_sets);
    }
  return matches;
}

TsrTraceMatches *
tsr_trace_matches_new_programs (const TsrTrace *self, const guint8 *programs, guint32 n_programs)
{
  TsrTraceMatches *matches;

  g_return_val_if_fail (self != NULL && (programs != NULL || n_programs == 0), NULL);
  matches = matches_new (self);
  matches->n_programs = n_programs;
  matches->programs = g_new0 (guint8, (gsize)n_programs + 1);
  for (guint32 i = 0; i < n_programs; i++)
    matches->programs[i] = programs[i];
  return matches;
}

static inline gboolean
has_program (const TsrTraceMatches *self, const TsrExecutionTables *t, guint32 step)
{
  return step < t->n_steps && t->step_program[step] < self->n_programs
         && self->programs[t->step_program[step]];
}

gboolean
tsr_trace_matches_has_any (const TsrTraceMatches *self, const TsrTrace *trace)
{
  g_return_val_if_fail (self != NULL && trace != NULL, FALSE);
  for (gsize i = 0; i < trace->n_slices; i++)
    if (tsr_trace_matches_has_slice (self, trace, (guint32)i))
      return TRUE;
  return FALSE;
}

TsrTraceMatches *
tsr_trace_matches_ref (TsrTraceMatches *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
tsr_trace_matches_unref (TsrTraceMatches *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->count))
    return;
  g_free (self->names);
  g_free (self->sets);
  g_free (self->programs);
  g_free (self);
}

gboolean
tsr_trace_matches_has (const TsrTraceMatches *self, guint32 name)
{
  return self->names != NULL && name < self->n_names && self->names[name];
}

const guint8 *
tsr_trace_matches_peek_names (const TsrTraceMatches *self)
{
  return self->names;
}

const guint8 *
tsr_trace_matches_peek_sets (const TsrTraceMatches *self)
{
  return self->sets;
}

guint32
tsr_trace_matches_get_types (const TsrTraceMatches *self)
{
  return self->types;
}

gboolean
tsr_trace_matches_has_slice (const TsrTraceMatches *self, const TsrTrace *trace, guint32 slice)
{
  guint32 step;

  g_return_val_if_fail (self != NULL && trace != NULL, FALSE);
  step = trace->tables->slice_step[slice];
  if (self->programs != NULL)
    return has_program (self, trace->tables, step);
  if (self->names != NULL)
    return self->names[MIN (tsr_trace_step_name (trace, step), self->n_names)];
  if (self->sets != NULL && step < trace->tables->n_steps
      && trace->tables->step_compute_set[step] < self->n_sets)
    return self->sets[trace->tables->step_compute_set[step]];
  return self->types >> trace->slice_type[slice] & 1;
}

/* What is looked for, and where. */
typedef struct
{
  const TsrTraceMatches *matches;
  guint32 first_step, n_steps; /* rows of steps */
  const guint8 *ipus;          /* (nullable) */
  guint32 hidden;
} Search;

static Search
search_begin (const TsrTraceMatches *matches,
              const TsrTraceRun *run,
              const guint8 *ipus,
              guint32 hidden)
{
  return (Search){ matches, run != NULL ? run->first_step : 0,
                   run != NULL ? run->end_step - run->first_step : G_MAXUINT32, ipus, hidden };
}

/* Took time, is not hidden and matches. */
static inline gboolean
slice_matches (const TsrTrace *self, const Search *search, guint32 slice)
{
  const TsrExecutionTables *t = self->tables;

  return t->slice_end[slice] > t->slice_start[slice]
         && t->slice_step[slice] - search->first_step < search->n_steps
         && !tsr_trace_is_hidden (self, slice, search->hidden)
         && tsr_trace_matches_has_slice (search->matches, self, slice);
}

/* Slices of @ipu that stand before @slice in the order over all IPUs: start, IPU, place. */
static gsize
find_place (const TsrTrace *self, const TsrTraceIpu *ipu, guint32 slice)
{
  gint64 start = self->tables->slice_start[slice];
  guint own = tsr_trace_get_ipu_of (self, slice);

  if (own == ipu->ipu)
    return slice;
  if (start == TSR_UNKNOWN) /* those stand behind all others */
    return ipu->told;
  return tsr_trace_lower_start (self->tables, ipu->first, ipu->told,
                                own < ipu->ipu ? start : tsr_span_add (start, 1));
}

static gboolean
is_wanted (const Search *search, guint ipu)
{
  return search->ipus == NULL || search->ipus[ipu] != 0;
}

static guint32
find_after (const TsrTrace *self, const Search *search, guint32 slice)
{
  const gint64 *start = self->tables->slice_start;
  guint32 best = TSR_NO_SLICE;

  for (guint i = 0; i < self->n_ipus; i++)
    {
      const TsrTraceIpu *ipu = &self->ipus[i];
      gsize at;

      if (!is_wanted (search, i))
        continue;
      at = slice == TSR_NO_SLICE ? ipu->first : find_place (self, ipu, slice);
      for (; at < ipu->told && (best == TSR_NO_SLICE || start[at] < start[best]); at++)
        if (at != slice && slice_matches (self, search, (guint32)at))
          best = (guint32)at;
    }
  return best;
}

static guint32
find_before (const TsrTrace *self, const Search *search, guint32 slice)
{
  const gint64 *start = self->tables->slice_start;
  guint32 best = TSR_NO_SLICE;

  for (guint i = self->n_ipus; i-- > 0;)
    {
      const TsrTraceIpu *ipu = &self->ipus[i];
      gsize at;

      if (!is_wanted (search, i))
        continue;
      at = slice == TSR_NO_SLICE ? ipu->told : MIN (find_place (self, ipu, slice), ipu->told);
      for (; at > ipu->first && (best == TSR_NO_SLICE || start[at - 1] > start[best]); at--)
        if (slice_matches (self, search, (guint32)(at - 1)))
          best = (guint32)(at - 1);
    }
  return best;
}

guint32
tsr_trace_find_match (const TsrTrace *self,
                      const TsrTraceMatches *matches,
                      const TsrTraceRun *run,
                      const guint8 *ipus,
                      guint32 hidden,
                      guint32 slice,
                      gboolean forward)
{
  const Search search = search_begin (matches, run, ipus, hidden);

  g_return_val_if_fail (slice == TSR_NO_SLICE || slice < self->n_slices, TSR_NO_SLICE);
  g_return_val_if_fail (matches->n_names == self->names.n, TSR_NO_SLICE);
  return forward ? find_after (self, &search, slice) : find_before (self, &search, slice);
}

gboolean
tsr_trace_count_matches (const TsrTrace *self,
                         const TsrTraceMatches *matches,
                         const TsrTraceRun *run,
                         const guint8 *ipus,
                         guint32 hidden,
                         guint32 slice,
                         GCancellable *cancellable,
                         guint64 *count,
                         guint64 *place)
{
  const Search search = search_begin (matches, run, ipus, hidden);
  guint64 n = 0;
  guint64 before = 0;

  g_return_val_if_fail (slice == TSR_NO_SLICE || slice < self->n_slices, FALSE);
  g_return_val_if_fail (matches->n_names == self->names.n, FALSE);
  for (guint i = 0; i < self->n_ipus; i++)
    {
      const TsrTraceIpu *ipu = &self->ipus[i];
      gsize middle = ipu->first;

      if (!is_wanted (&search, i))
        continue;
      if (slice != TSR_NO_SLICE)
        middle = MIN (find_place (self, ipu, slice), ipu->told);
      for (gsize at = ipu->first; at < ipu->told; at++)
        {
          if ((at & 0xffff) == 0 && g_cancellable_is_cancelled (cancellable))
            return FALSE;
          if (slice_matches (self, &search, (guint32)at))
            {
              n++;
              before += at < middle;
            }
        }
    }
  *count = n;
  if (place != NULL)
    *place = before;
  return TRUE;
}
