/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Matches step names in a worker. */

#include "config.h"

#include "tsr-step-filter.h"

#include "tsr-latest.h"
#include "tsr-rows.h"

#include <glib/gi18n.h>

struct _TsrStepFilter
{
  TsrMatchBar parent_instance;

  TsrLiveness *liveness;
  TsrLatest *latest;
  guint8 *matches; /* (nullable) n_steps */
  guint n_steps, n_matches;
};

G_DEFINE_FINAL_TYPE (TsrStepFilter, tsr_step_filter, TSR_TYPE_MATCH_BAR)

enum
{
  MATCHES_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  TsrLiveness *liveness;
  TsrFilter *filter;
} Job;

typedef struct
{
  guint8 *matches;
  guint n_steps, n_matches;
} Matches;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_liveness_unref (job->liveness);
  tsr_filter_unref (job->filter);
  g_free (job);
}

static void
matches_free (gpointer data)
{
  Matches *matches = data;

  g_free (matches->matches);
  g_free (matches);
}

/* Type and name as one text, so that "OnTileExecute conv" finds both words. */
static gboolean
match_step (TsrFilter *filter, TsrLiveness *liveness, guint step, GString *text)
{
  const char *type = tsr_liveness_get_step_type (liveness, step);
  const char *name = tsr_liveness_get_step_name (liveness, step);

  g_string_assign (text, type != NULL ? type : "");
  g_string_append_printf (text, " %s", name != NULL ? name : "");
  return tsr_filter_match (filter, text->str);
}

static gpointer
match (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  Matches *matches = g_new0 (Matches, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  /* Millions of steps have thousands of programs: program + 1 -> 1 no, 2 yes. */
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  matches->n_steps = tsr_liveness_get_n_steps (job->liveness);
  matches->matches = g_new0 (guint8, MAX (matches->n_steps, 1));
  for (guint step = 0; step < matches->n_steps; step++)
    {
      guint program = tsr_liveness_get_step_program (job->liveness, step);
      gpointer key = GUINT_TO_POINTER (program + 1);
      guint answer
          = program != TSR_NO_INDEX ? GPOINTER_TO_UINT (g_hash_table_lookup (known, key)) : 0;

      if (step % 4096 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          matches_free (matches);
          return NULL;
        }
      if (answer == 0)
        {
          answer = match_step (job->filter, job->liveness, step, text) ? 2 : 1;
          if (program != TSR_NO_INDEX)
            g_hash_table_insert (known, key, GUINT_TO_POINTER (answer));
        }
      matches->matches[step] = answer == 2;
      matches->n_matches += answer == 2;
    }
  return matches;
}

static void
update_widgets (TsrStepFilter *self)
{
  g_autofree char *count = tsr_units_dup_count (self->n_matches);

  tsr_match_bar_show_count (TSR_MATCH_BAR (self), self->matches != NULL ? count : "", NULL,
                            self->n_matches > 0);
}

static void
set_matches (TsrStepFilter *self, Matches *matches)
{
  g_clear_pointer (&self->matches, g_free);
  self->n_steps = self->n_matches = 0;
  if (matches != NULL)
    {
      self->matches = g_steal_pointer (&matches->matches);
      self->n_steps = matches->n_steps;
      self->n_matches = matches->n_matches;
      matches_free (matches);
    }
  update_widgets (self);
  g_signal_emit (self, signals[MATCHES_CHANGED], 0);
}

static void
on_matched (gpointer owner, gpointer result, const GError *error)
{
  set_matches (owner, result);
}

static const char *
tsr_step_filter_get_text (TsrStepFilter *self)
{
  g_return_val_if_fail (TSR_IS_STEP_FILTER (self), NULL);
  return tsr_match_bar_get_text (TSR_MATCH_BAR (self));
}

static void
update (TsrStepFilter *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new (tsr_step_filter_get_text (self), &error);
  Job *job;

  tsr_match_bar_show_error (TSR_MATCH_BAR (self), error != NULL ? error->message : NULL);
  if (filter == NULL || tsr_filter_is_empty (filter) || self->liveness == NULL)
    {
      tsr_latest_cancel (self->latest);
      set_matches (self, NULL);
      return;
    }
  job = g_new0 (Job, 1);
  job->liveness = tsr_liveness_ref (self->liveness);
  job->filter = g_steal_pointer (&filter);
  tsr_latest_run (self->latest, match, job, job_free, on_matched);
}

void
tsr_step_filter_set_liveness (TsrStepFilter *self, TsrLiveness *liveness)
{
  g_return_if_fail (TSR_IS_STEP_FILTER (self));
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  if (liveness != NULL)
    self->liveness = tsr_liveness_ref (liveness);
  update (self);
}

void
tsr_step_filter_set_text (TsrStepFilter *self, const char *text)
{
  g_return_if_fail (TSR_IS_STEP_FILTER (self) && text != NULL);
  tsr_match_bar_set_text (TSR_MATCH_BAR (self), text);
}

const guint8 *
tsr_step_filter_peek_matches (TsrStepFilter *self, guint *n_matches)
{
  g_return_val_if_fail (TSR_IS_STEP_FILTER (self), NULL);
  if (n_matches != NULL)
    *n_matches = self->n_matches;
  return self->matches;
}

guint
tsr_step_filter_find (TsrStepFilter *self, guint step, int direction)
{
  guint64 at;

  g_return_val_if_fail (TSR_IS_STEP_FILTER (self), TSR_NO_INDEX);
  if (self->n_matches == 0)
    return TSR_NO_INDEX;
  at = step < self->n_steps ? step : direction > 0 ? self->n_steps - 1 : 0;
  for (guint i = 0; i < self->n_steps; i++)
    {
      at = (at + (direction > 0 ? 1 : self->n_steps - 1)) % self->n_steps;
      if (self->matches[at])
        return at;
    }
  return TSR_NO_INDEX;
}

gboolean
tsr_step_filter_is_busy (TsrStepFilter *self)
{
  g_return_val_if_fail (TSR_IS_STEP_FILTER (self), FALSE);
  return tsr_latest_is_running (self->latest);
}

static void
tsr_step_filter_dispose (GObject *object)
{
  TsrStepFilter *self = TSR_STEP_FILTER (object);

  g_clear_pointer (&self->latest, tsr_latest_free);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_pointer (&self->matches, g_free);
  G_OBJECT_CLASS (tsr_step_filter_parent_class)->dispose (object);
}

static void
tsr_step_filter_changed (TsrMatchBar *bar)
{
  update (TSR_STEP_FILTER (bar));
}

static void
tsr_step_filter_class_init (TsrStepFilterClass *klass)
{
  TsrMatchBarClass *bar_class = TSR_MATCH_BAR_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_step_filter_dispose;
  bar_class->name = N_ ("Filter steps");
  bar_class->hint = N_ ("Steps whose program has all these words in its name or type; -word: has "
                        "not; /…/: a regular expression");
  bar_class->changed = tsr_step_filter_changed;
  signals[MATCHES_CHANGED] = g_signal_new ("matches-changed", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_step_filter_init (TsrStepFilter *self)
{
  self->latest = tsr_latest_new (self, matches_free);
}
