/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-step-filter.h"

#include "tsr-latest.h"
#include "tsr-rows.h"

#include <glib/gi18n.h>

struct _TsrStepFilter
{
  GtkWidget parent_instance;

  GtkWidget *box, *entry, *previous, *next;
  GtkLabel *count;
  TsrLiveness *liveness;
  TsrLatest *latest;
  guint8 *matches; /* (nullable) n_steps */
  guint n_steps, n_matches;
};

G_DEFINE_FINAL_TYPE (TsrStepFilter, tsr_step_filter, GTK_TYPE_WIDGET)

enum
{
  MATCHES_CHANGED,
  PREVIOUS,
  NEXT,
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

  gtk_label_set_label (self->count, self->matches != NULL ? count : "");
  gtk_widget_set_sensitive (self->previous, self->n_matches > 0);
  gtk_widget_set_sensitive (self->next, self->n_matches > 0);
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

static void
set_error (TsrStepFilter *self, const char *text)
{
  if (text != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_tooltip_text (
      self->entry,
      text != NULL ? text
                   : _ ("Steps whose program has all these words in its name or type; -word: has "
                        "not; /…/: a regular expression"));
}

static void
update (TsrStepFilter *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter
      = tsr_filter_new (gtk_editable_get_text (GTK_EDITABLE (self->entry)), &error);
  Job *job;

  set_error (self, error != NULL ? error->message : NULL);
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
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

const char *
tsr_step_filter_get_text (TsrStepFilter *self)
{
  g_return_val_if_fail (TSR_IS_STEP_FILTER (self), NULL);
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
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
emit_previous (TsrStepFilter *self)
{
  g_signal_emit (self, signals[PREVIOUS], 0);
}

static void
emit_next (TsrStepFilter *self)
{
  g_signal_emit (self, signals[NEXT], 0);
}

static void
on_stop_search (TsrStepFilter *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

static gboolean
tsr_step_filter_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (TSR_STEP_FILTER (widget)->entry);
}

static void
tsr_step_filter_dispose (GObject *object)
{
  TsrStepFilter *self = TSR_STEP_FILTER (object);

  g_clear_pointer (&self->latest, tsr_latest_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_pointer (&self->matches, g_free);
  G_OBJECT_CLASS (tsr_step_filter_parent_class)->dispose (object);
}

static void
tsr_step_filter_class_init (TsrStepFilterClass *klass)
{
  static const char *const names[N_SIGNALS] = { "matches-changed", "previous", "next" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_step_filter_dispose;
  widget_class->grab_focus = tsr_step_filter_grab_focus;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_button (TsrStepFilter *self, const char *icon, const char *text, GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static void
tsr_step_filter_init (TsrStepFilter *self)
{
  self->latest = tsr_latest_new (self, matches_free);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->box, "linked");
  self->entry = gtk_search_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 12);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 24);
  g_object_set (self->entry, "placeholder-text", _ ("Filter steps"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter steps"), -1);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "step-count");
  gtk_label_set_width_chars (self->count, 5); /* what comes does not move the rest */
  self->previous
      = new_button (self, "go-up-symbolic", _ ("Previous match (P)"), G_CALLBACK (emit_previous));
  self->next = new_button (self, "go-down-symbolic", _ ("Next match (N)"), G_CALLBACK (emit_next));
  gtk_box_append (GTK_BOX (self->box), self->entry);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->count));
  gtk_box_append (GTK_BOX (self->box), self->previous);
  gtk_box_append (GTK_BOX (self->box), self->next);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (emit_next), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (emit_previous), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (emit_next), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (on_stop_search), self);
  set_error (self, NULL);
  update_widgets (self);
}

TsrStepFilter *
tsr_step_filter_new (void)
{
  return g_object_new (TSR_TYPE_STEP_FILTER, NULL);
}
