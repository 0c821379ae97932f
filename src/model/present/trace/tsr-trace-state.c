/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values, each with a signal.  What does not change anything tells nobody. */

#include "config.h"

#include "tsr-trace-state.h"

#include <string.h>

struct _TsrTraceState
{
  GObject parent_instance;

  TsrTraceShape shape;
  TsrTraceOptions options;
  GPtrArray *hidden; /* labels in order, NULL at the end */
  int run;
  guint ipu;
  GHashTable *pinned, *collapsed; /* IPUs */
  gint64 from, to;                /* span; from >= to: none */
  TsrTraceStepRef steps[TSR_TRACE_MAX_SELECTED];
  guint n_steps;
  TsrTraceMatches *selected_group; /* (nullable) */
  char *search;
  TsrTraceMatches *matches; /* (nullable) */
  GPtrArray *markers;       /* TsrTraceMarker */
};

G_DEFINE_FINAL_TYPE (TsrTraceState, tsr_trace_state, G_TYPE_OBJECT)

enum
{
  OPTIONS_CHANGED,
  HIDDEN_CHANGED,
  SPAN_CHANGED,
  STEPS_CHANGED,
  SEARCH_CHANGED,
  RUN_CHANGED,
  MARKERS_CHANGED,
  N_SIGNALS,
};
static guint signals[N_SIGNALS];

/* ----------------------------------------------------------------- object */

static void
tsr_trace_state_finalize (GObject *object)
{
  TsrTraceState *self = TSR_TRACE_STATE (object);

  g_ptr_array_unref (self->hidden);
  g_hash_table_unref (self->pinned);
  g_hash_table_unref (self->collapsed);
  g_clear_pointer (&self->selected_group, tsr_trace_matches_unref);
  g_clear_pointer (&self->matches, tsr_trace_matches_unref);
  g_free (self->search);
  g_ptr_array_unref (self->markers);
  G_OBJECT_CLASS (tsr_trace_state_parent_class)->finalize (object);
}

static void
tsr_trace_state_class_init (TsrTraceStateClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { "options-changed", "hidden-changed", "span-changed",   "steps-changed",
          "search-changed",  "run-changed",    "markers-changed" };

  G_OBJECT_CLASS (klass)->finalize = tsr_trace_state_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static GPtrArray *
labels_new (void)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (labels, NULL);
  return labels;
}

static void
tsr_trace_state_init (TsrTraceState *self)
{
  self->shape = TSR_TRACE_FLAME;
  self->options = TSR_TRACE_OPTIONS_DEFAULT;
  self->hidden = labels_new ();
  self->run = TSR_TRACE_RUN_PROFILED;
  self->ipu = TSR_NO_INDEX;
  self->pinned = g_hash_table_new (NULL, NULL);
  self->collapsed = g_hash_table_new (NULL, NULL);
  self->search = g_strdup ("");
  self->markers = tsr_trace_markers_new ();
}

TsrTraceState *
tsr_trace_state_new (void)
{
  return g_object_new (TSR_TYPE_TRACE_STATE, NULL);
}

static void
tell (TsrTraceState *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

void
tsr_trace_state_clear (TsrTraceState *self)
{
  gboolean ipus;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));

  ipus = self->ipu != TSR_NO_INDEX || g_hash_table_size (self->pinned) > 0
         || g_hash_table_size (self->collapsed) > 0;
  self->ipu = TSR_NO_INDEX;
  g_hash_table_remove_all (self->pinned);
  g_hash_table_remove_all (self->collapsed);
  if (ipus)
    tell (self, OPTIONS_CHANGED);
  if (self->hidden->len > 1)
    {
      g_ptr_array_unref (self->hidden);
      self->hidden = labels_new ();
      tell (self, HIDDEN_CHANGED);
    }
  tsr_trace_state_set_run (self, TSR_TRACE_RUN_PROFILED);
  tsr_trace_state_set_span (self, 0, 0);
  tsr_trace_state_set_steps (self, NULL, 0);
  tsr_trace_state_set_selected_group (self, NULL);
  tsr_trace_state_set_search (self, "", NULL);
  if (self->markers->len > 0)
    tsr_trace_state_take_markers (self, tsr_trace_markers_new ());
}

static void
copy_members (GHashTable *from, GHashTable *to)
{
  GHashTableIter iter;
  gpointer ipu;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &ipu, NULL))
    g_hash_table_add (to, ipu);
}

TsrTraceState *
tsr_trace_state_dup (TsrTraceState *self)
{
  TsrTraceState *copy;

  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);

  copy = tsr_trace_state_new ();
  copy->shape = self->shape;
  copy->options = self->options;
  copy->run = self->run;
  copy->ipu = self->ipu;
  copy_members (self->pinned, copy->pinned);
  copy_members (self->collapsed, copy->collapsed);
  copy->from = self->from;
  copy->to = self->to;
  memcpy (copy->steps, self->steps, sizeof self->steps);
  copy->n_steps = self->n_steps;
  for (guint i = 0; i + 1 < self->hidden->len; i++)
    tsr_trace_state_set_hidden (copy, g_ptr_array_index (self->hidden, i), TRUE);
  tsr_trace_state_set_selected_group (copy, self->selected_group);
  tsr_trace_state_set_search (copy, self->search, self->matches);
  for (guint i = 0; i < self->markers->len; i++)
    {
      const TsrTraceMarker *marker = g_ptr_array_index (self->markers, i);

      tsr_trace_state_add_marker (copy, marker->from, marker->to, marker->note);
    }
  return copy;
}

/* ---------------------------------------------------------------- options */

TsrTraceShape
tsr_trace_state_get_shape (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), TSR_TRACE_FLAT);
  return self->shape;
}

void
tsr_trace_state_set_options (TsrTraceState *self, TsrTraceShape shape, TsrTraceOptions options)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  if (self->shape == shape && self->options == options)
    return;
  self->shape = shape;
  self->options = options;
  tell (self, OPTIONS_CHANGED);
}

void
tsr_trace_state_set_shape (TsrTraceState *self, TsrTraceShape shape)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  tsr_trace_state_set_options (self, shape, self->options);
}

gboolean
tsr_trace_state_has (TsrTraceState *self, TsrTraceOptions option)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), FALSE);
  return (self->options & option) == option;
}

void
tsr_trace_state_set_option (TsrTraceState *self, TsrTraceOptions option, gboolean on)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  tsr_trace_state_set_options (self, self->shape,
                               on ? self->options | option : self->options & ~option);
}

/* ----------------------------------------------------------- hidden types */

void
tsr_trace_state_set_hidden (TsrTraceState *self, const char *label, gboolean hidden)
{
  guint i = 0;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  g_return_if_fail (label != NULL);

  while (i + 1 < self->hidden->len && strcmp (g_ptr_array_index (self->hidden, i), label) != 0)
    i++;
  if ((i + 1 < self->hidden->len) == !!hidden)
    return;
  if (hidden)
    g_ptr_array_insert (self->hidden, self->hidden->len - 1, g_strdup (label));
  else
    g_ptr_array_remove_index (self->hidden, i);
  tell (self, HIDDEN_CHANGED);
}

const char *const *
tsr_trace_state_peek_hidden (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);
  return (const char *const *)self->hidden->pdata;
}

guint32
tsr_trace_state_get_hidden_mask (TsrTraceState *self, const TsrTrace *trace)
{
  guint32 mask = 0;
  guint n;

  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), 0);
  g_return_val_if_fail (trace != NULL, 0);

  n = self->hidden->len > 1 ? MIN (tsr_trace_get_n_types (trace), TSR_TRACE_MAX_TYPES) : 0;
  for (guint t = 0; t < n; t++)
    if (g_strv_contains (tsr_trace_state_peek_hidden (self), tsr_trace_get_type (trace, t)->label))
      mask |= 1u << t;
  return mask;
}

/* -------------------------------------------------------------------- run */

int
tsr_trace_state_get_run (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), TSR_TRACE_RUN_PROFILED);
  return self->run;
}

void
tsr_trace_state_set_run (TsrTraceState *self, int run)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  g_return_if_fail (run >= TSR_TRACE_RUN_ALL);
  if (self->run == run)
    return;
  self->run = run;
  tell (self, RUN_CHANGED);
}

const TsrTraceRun *
tsr_trace_state_get_chosen_run (TsrTraceState *self, const TsrTrace *trace)
{
  const TsrTraceRun *chosen = NULL;
  guint run;

  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);
  g_return_val_if_fail (trace != NULL, NULL);

  if (self->run == TSR_TRACE_RUN_ALL)
    return NULL;
  run = self->run >= 0 && (guint)self->run < tsr_trace_get_n_runs (trace)
            ? (guint)self->run
            : tsr_trace_get_profiled_run (trace);
  if (run != TSR_NO_INDEX)
    chosen = tsr_trace_get_run (trace, run);
  return chosen != NULL && chosen->start < chosen->end ? chosen : NULL;
}

/* A run that took no time, and one that this trace does not have, give what there is. */
void
tsr_trace_state_get_domain (TsrTraceState *self, const TsrTrace *trace, gint64 *from, gint64 *to)
{
  const TsrTraceRun *chosen = tsr_trace_state_get_chosen_run (self, trace);

  tsr_trace_get_span (trace, from, to);
  if (chosen != NULL)
    {
      *from = chosen->start;
      *to = chosen->end;
    }
}

/* ------------------------------------------------------------------- IPUs */

guint
tsr_trace_state_get_ipu (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), TSR_NO_INDEX);
  return self->ipu;
}

void
tsr_trace_state_set_ipu (TsrTraceState *self, guint ipu)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  if (self->ipu == ipu)
    return;
  self->ipu = ipu;
  tell (self, OPTIONS_CHANGED);
}

static void
set_member (TsrTraceState *self, GHashTable *set, guint ipu, gboolean on)
{
  if (on ? g_hash_table_add (set, GUINT_TO_POINTER (ipu))
         : g_hash_table_remove (set, GUINT_TO_POINTER (ipu)))
    tell (self, OPTIONS_CHANGED);
}

gboolean
tsr_trace_state_is_pinned (TsrTraceState *self, guint ipu)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), FALSE);
  return g_hash_table_contains (self->pinned, GUINT_TO_POINTER (ipu));
}

void
tsr_trace_state_set_pinned (TsrTraceState *self, guint ipu, gboolean pinned)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  set_member (self, self->pinned, ipu, pinned);
}

gboolean
tsr_trace_state_is_collapsed (TsrTraceState *self, guint ipu)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), FALSE);
  return g_hash_table_contains (self->collapsed, GUINT_TO_POINTER (ipu));
}

void
tsr_trace_state_set_collapsed (TsrTraceState *self, guint ipu, gboolean collapsed)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  set_member (self, self->collapsed, ipu, collapsed);
}

void
tsr_trace_state_set_all_collapsed (TsrTraceState *self, guint n_ipus, gboolean collapsed)
{
  gboolean changed = FALSE;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    changed |= collapsed ? g_hash_table_add (self->collapsed, GUINT_TO_POINTER (ipu))
                         : g_hash_table_remove (self->collapsed, GUINT_TO_POINTER (ipu));
  if (changed)
    tell (self, OPTIONS_CHANGED);
}

/* ------------------------------------------------------------------- span */

gboolean
tsr_trace_state_get_span (TsrTraceState *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), FALSE);
  if (from != NULL)
    *from = self->from;
  if (to != NULL)
    *to = self->to;
  return self->from < self->to;
}

void
tsr_trace_state_set_span (TsrTraceState *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  if (from >= to)
    from = to = 0;
  if (self->from == from && self->to == to)
    return;
  self->from = from;
  self->to = to;
  tell (self, SPAN_CHANGED);
}

/* ------------------------------------------------------------------ steps */

const TsrTraceStepRef *
tsr_trace_state_peek_steps (TsrTraceState *self, guint *n_steps)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);
  if (n_steps != NULL)
    *n_steps = self->n_steps;
  return self->steps;
}

static guint
find_step (const TsrTraceStepRef *steps, guint n, gint64 step_id, guint ipu)
{
  guint i = 0;

  while (i < n && (steps[i].step_id != step_id || steps[i].ipu != ipu))
    i++;
  return i;
}

static gboolean
steps_equal (const TsrTraceStepRef *a, const TsrTraceStepRef *b, guint n)
{
  for (guint i = 0; i < n; i++)
    if (a[i].step_id != b[i].step_id || a[i].ipu != b[i].ipu)
      return FALSE;
  return TRUE;
}

void
tsr_trace_state_set_steps (TsrTraceState *self, const TsrTraceStepRef *steps, guint n_steps)
{
  TsrTraceStepRef kept[TSR_TRACE_MAX_SELECTED];
  guint n = 0;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  g_return_if_fail (steps != NULL || n_steps == 0);

  for (guint i = 0; i < n_steps && n < TSR_TRACE_MAX_SELECTED; i++)
    if (find_step (kept, n, steps[i].step_id, steps[i].ipu) == n)
      kept[n++] = steps[i];
  if (n == self->n_steps && steps_equal (kept, self->steps, n))
    return;
  if (n > 0)
    memcpy (self->steps, kept, n * sizeof *kept);
  self->n_steps = n;
  tell (self, STEPS_CHANGED);
}

/* One more than can be listed drops the oldest. */
void
tsr_trace_state_toggle_step (TsrTraceState *self, gint64 step_id, guint ipu)
{
  guint at;
  gboolean had;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));

  at = find_step (self->steps, self->n_steps, step_id, ipu);
  had = at < self->n_steps;
  if (had || self->n_steps == TSR_TRACE_MAX_SELECTED)
    {
      at = had ? at : 0;
      self->n_steps--;
      memmove (self->steps + at, self->steps + at + 1, (self->n_steps - at) * sizeof *self->steps);
    }
  if (!had)
    self->steps[self->n_steps++] = (TsrTraceStepRef){ step_id, ipu };
  tell (self, STEPS_CHANGED);
}

static void
set_matches (TsrTraceMatches **place, TsrTraceMatches *matches)
{
  TsrTraceMatches *old = *place;

  *place = matches != NULL ? tsr_trace_matches_ref (matches) : NULL;
  g_clear_pointer (&old, tsr_trace_matches_unref);
}

TsrTraceMatches *
tsr_trace_state_get_selected_group (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);
  return self->selected_group;
}

void
tsr_trace_state_set_selected_group (TsrTraceState *self, TsrTraceMatches *matches)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  if (self->selected_group == matches)
    return;
  set_matches (&self->selected_group, matches);
  tell (self, STEPS_CHANGED);
}

/* ----------------------------------------------------------------- search */

const char *
tsr_trace_state_get_search (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), "");
  return self->search;
}

TsrTraceMatches *
tsr_trace_state_get_matches (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);
  return self->matches;
}

void
tsr_trace_state_set_search (TsrTraceState *self, const char *text, TsrTraceMatches *matches)
{
  char *old;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  if (text == NULL)
    text = "";
  if (strcmp (self->search, text) == 0 && self->matches == matches)
    return;
  old = self->search; /* @text may be it */
  self->search = g_strdup (text);
  g_free (old);
  set_matches (&self->matches, matches);
  tell (self, SEARCH_CHANGED);
}

/* ---------------------------------------------------------------- markers */

static void
marker_free (gpointer data)
{
  TsrTraceMarker *marker = data;

  g_free (marker->note);
  g_free (marker);
}

GPtrArray *
tsr_trace_markers_new (void)
{
  return g_ptr_array_new_with_free_func (marker_free);
}

static int
compare_markers (gconstpointer a, gconstpointer b)
{
  const TsrTraceMarker *x = *(const TsrTraceMarker *const *)a;
  const TsrTraceMarker *y = *(const TsrTraceMarker *const *)b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

const GPtrArray *
tsr_trace_state_peek_markers (TsrTraceState *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_STATE (self), NULL);
  return self->markers;
}

void
tsr_trace_state_add_marker (TsrTraceState *self, gint64 from, gint64 to, const char *note)
{
  TsrTraceMarker *marker;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));

  marker = g_new (TsrTraceMarker, 1);
  *marker = (TsrTraceMarker){ MIN (from, to), MAX (from, to), g_strdup (note != NULL ? note : "") };
  g_ptr_array_add (self->markers, marker);
  g_ptr_array_sort (self->markers, compare_markers);
  tell (self, MARKERS_CHANGED);
}

void
tsr_trace_state_set_marker_note (TsrTraceState *self, guint marker, const char *note)
{
  TsrTraceMarker *changed;
  char *old;

  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  g_return_if_fail (marker < self->markers->len);

  changed = g_ptr_array_index (self->markers, marker);
  if (note == NULL)
    note = "";
  if (strcmp (changed->note, note) == 0)
    return;
  old = changed->note;
  changed->note = g_strdup (note);
  g_free (old);
  tell (self, MARKERS_CHANGED);
}

void
tsr_trace_state_remove_marker (TsrTraceState *self, guint marker)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  g_return_if_fail (marker < self->markers->len);
  g_ptr_array_remove_index (self->markers, marker);
  tell (self, MARKERS_CHANGED);
}

void
tsr_trace_state_take_markers (TsrTraceState *self, GPtrArray *markers)
{
  g_return_if_fail (TSR_IS_TRACE_STATE (self));
  g_return_if_fail (markers != NULL);
  g_ptr_array_unref (self->markers);
  self->markers = markers;
  g_ptr_array_sort (markers, compare_markers);
  tell (self, MARKERS_CHANGED);
}
