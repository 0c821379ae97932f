/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps and variables in the order in which they were chosen, each once; a copy of the source.
 * What does not change anything tells nobody. */

#include "config.h"

#include "tsr-step-selection.h"

#include <string.h>

struct _TsrStepSelection
{
  GObject parent_instance;

  guint steps[TSR_MAX_SELECTED_STEPS];
  guint n_steps;
  TsrLivenessSource *source; /* (nullable) */
  GPtrArray *variables;      /* names, NULL at the end */
};

G_DEFINE_FINAL_TYPE (TsrStepSelection, tsr_step_selection, G_TYPE_OBJECT)

enum
{
  STEPS_CHANGED,
  SOURCE_CHANGED,
  VARIABLES_CHANGED,
  N_SIGNALS,
};
static guint signals[N_SIGNALS];

/* ----------------------------------------------------------------- source */

static TsrLivenessSource *
source_new (const TsrLivenessSource *source)
{
  TsrLivenessSource *copy = g_new0 (TsrLivenessSource, 1);

  tsr_liveness_source_copy (source, copy);
  return copy;
}

static void
source_free (TsrLivenessSource *source)
{
  tsr_liveness_source_clear (source);
  g_free (source);
}

static gboolean
source_equal (const TsrLivenessSource *a, const TsrLivenessSource *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return tsr_liveness_source_equal (a, b);
}

/* ----------------------------------------------------------------- object */

static void
tsr_step_selection_finalize (GObject *object)
{
  TsrStepSelection *self = TSR_STEP_SELECTION (object);

  g_clear_pointer (&self->source, source_free);
  g_ptr_array_unref (self->variables);
  G_OBJECT_CLASS (tsr_step_selection_parent_class)->finalize (object);
}

static void
tsr_step_selection_class_init (TsrStepSelectionClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { "steps-changed", "source-changed", "variables-changed" };

  G_OBJECT_CLASS (klass)->finalize = tsr_step_selection_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_step_selection_init (TsrStepSelection *self)
{
  self->variables = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->variables, NULL);
}

TsrStepSelection *
tsr_step_selection_new (void)
{
  return g_object_new (TSR_TYPE_STEP_SELECTION, NULL);
}

void
tsr_step_selection_clear (TsrStepSelection *self)
{
  g_return_if_fail (TSR_IS_STEP_SELECTION (self));
  tsr_step_selection_set (self, NULL, 0);
  tsr_step_selection_set_source (self, NULL);
  tsr_step_selection_set_variables (self, NULL);
}

/* ------------------------------------------------------------------ steps */

const guint *
tsr_step_selection_peek (TsrStepSelection *self, guint *n_steps)
{
  g_return_val_if_fail (TSR_IS_STEP_SELECTION (self), NULL);
  if (n_steps != NULL)
    *n_steps = self->n_steps;
  return self->steps;
}

static guint
find_step (const guint *steps, guint n_steps, guint step)
{
  guint i = 0;

  while (i < n_steps && steps[i] != step)
    i++;
  return i;
}

void
tsr_step_selection_set (TsrStepSelection *self, const guint *steps, guint n_steps)
{
  guint kept[TSR_MAX_SELECTED_STEPS] = { 0 };
  guint n = 0;

  g_return_if_fail (TSR_IS_STEP_SELECTION (self));
  g_return_if_fail (steps != NULL || n_steps == 0);

  for (guint i = 0; i < n_steps && n < TSR_MAX_SELECTED_STEPS; i++)
    if (find_step (kept, n, steps[i]) == n)
      kept[n++] = steps[i];
  if (n == self->n_steps && memcmp (kept, self->steps, n * sizeof (guint)) == 0)
    return;
  memcpy (self->steps, kept, sizeof kept);
  self->n_steps = n;
  g_signal_emit (self, signals[STEPS_CHANGED], 0);
}

void
tsr_step_selection_toggle (TsrStepSelection *self, guint step)
{
  guint steps[TSR_MAX_SELECTED_STEPS];
  guint n;
  guint gone;

  g_return_if_fail (TSR_IS_STEP_SELECTION (self));

  n = self->n_steps;
  memcpy (steps, self->steps, sizeof steps);
  gone = find_step (steps, n, step);
  if (gone < n || n == TSR_MAX_SELECTED_STEPS)
    {
      gboolean add = gone == n;

      gone = add ? 1 : gone;
      n--;
      memmove (steps + gone, steps + gone + 1, (n - gone) * sizeof (guint));
      if (add)
        steps[n++] = step;
    }
  else
    steps[n++] = step;
  tsr_step_selection_set (self, steps, n);
}

guint
tsr_step_selection_get_step (TsrStepSelection *self)
{
  g_return_val_if_fail (TSR_IS_STEP_SELECTION (self), TSR_NO_INDEX);
  return self->n_steps > 0 ? self->steps[self->n_steps - 1] : TSR_NO_INDEX;
}

/* ----------------------------------------------------------------- source */

const TsrLivenessSource *
tsr_step_selection_get_source (TsrStepSelection *self)
{
  g_return_val_if_fail (TSR_IS_STEP_SELECTION (self), NULL);
  return self->source;
}

void
tsr_step_selection_set_source (TsrStepSelection *self, const TsrLivenessSource *source)
{
  TsrLivenessSource *old;

  g_return_if_fail (TSR_IS_STEP_SELECTION (self));
  if (source_equal (self->source, source))
    return;
  /* @source may be a part of what is replaced. */
  old = self->source;
  self->source = source != NULL ? source_new (source) : NULL;
  g_clear_pointer (&old, source_free);
  g_signal_emit (self, signals[SOURCE_CHANGED], 0);
}

/* -------------------------------------------------------------- variables */

const char *const *
tsr_step_selection_peek_variables (TsrStepSelection *self)
{
  g_return_val_if_fail (TSR_IS_STEP_SELECTION (self), NULL);
  return (const char *const *)self->variables->pdata;
}

/* Takes @names, which end with NULL. */
static void
take_variables (TsrStepSelection *self, GPtrArray *names)
{
  if (g_strv_equal ((const char *const *)names->pdata, (const char *const *)self->variables->pdata))
    {
      g_ptr_array_unref (names);
      return;
    }
  g_ptr_array_unref (self->variables);
  self->variables = names;
  g_signal_emit (self, signals[VARIABLES_CHANGED], 0);
}

void
tsr_step_selection_set_variables (TsrStepSelection *self, const char *const *names)
{
  GPtrArray *kept;
  g_autoptr (GHashTable) seen = NULL;

  g_return_if_fail (TSR_IS_STEP_SELECTION (self));

  kept = g_ptr_array_new_with_free_func (g_free);
  seen = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (!g_hash_table_contains (seen, names[i]))
      {
        g_ptr_array_add (kept, g_strdup (names[i]));
        g_hash_table_add (seen, kept->pdata[kept->len - 1]);
      }
  g_ptr_array_add (kept, NULL);
  take_variables (self, kept);
}

void
tsr_step_selection_toggle_variable (TsrStepSelection *self, const char *name)
{
  GPtrArray *names;
  gboolean gone = FALSE;

  g_return_if_fail (TSR_IS_STEP_SELECTION (self));
  g_return_if_fail (name != NULL);

  names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i + 1 < self->variables->len; i++)
    {
      const char *other = g_ptr_array_index (self->variables, i);

      if (strcmp (other, name) == 0)
        gone = TRUE;
      else
        g_ptr_array_add (names, g_strdup (other));
    }
  if (!gone)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_add (names, NULL);
  take_variables (self, names);
}
