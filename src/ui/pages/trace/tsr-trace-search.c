/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Three workers, so that the first match does not wait for the count. */

#include "config.h"

#include "tsr-trace-search.h"

#include "tsr-latest.h"
#include "tsr-rows.h"

#include <glib/gi18n.h>

#define DELAY_MS 40

struct _TsrTraceSearch
{
  TsrMatchBar parent_instance;

  TsrSession *session;
  TsrLatest *names_work, *find_work, *count_work;
  guint32 slice;        /* that was found last */
  guint64 count, place; /* G_MAXUINT64: not known */
  char *asked;          /* (nullable): text whose names are being looked for */
  int wanted;           /* direction of a search that waits for the names; 0: none */
  guint32 wanted_from;
};

G_DEFINE_FINAL_TYPE (TsrTraceSearch, tsr_trace_search, TSR_TYPE_MATCH_BAR)

enum
{
  FOUND,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  TsrTrace *trace;
  TsrFilter *filter;        /* of names */
  TsrTraceMatches *matches; /* of find and count */
  const TsrTraceRun *run;   /* (nullable): of the trace */
  guint8 *ipus;             /* (nullable) */
  guint32 hidden, slice;
  int direction;
  char *text;
} Job;

typedef struct
{
  TsrTraceMatches *matches;
  char *text;
} Names;

typedef struct
{
  guint32 slice;
} Found;

typedef struct
{
  guint64 count, place;
} Count;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_trace_unref (job->trace);
  g_clear_pointer (&job->filter, tsr_filter_unref);
  g_clear_pointer (&job->matches, tsr_trace_matches_unref);
  g_free (job->ipus);
  g_free (job->text);
  g_free (job);
}

static void
names_free (gpointer data)
{
  Names *names = data;

  g_clear_pointer (&names->matches, tsr_trace_matches_unref);
  g_free (names->text);
  g_free (names);
}

static TsrTraceState *
get_state (TsrTraceSearch *self)
{
  return tsr_session_get_trace_state (self->session);
}

static Job *
new_job (TsrTraceSearch *self)
{
  TsrTrace *trace = tsr_session_get_trace (self->session);
  TsrTraceState *state = get_state (self);
  guint ipu = tsr_trace_state_get_ipu (state), n_ipus = tsr_trace_get_n_ipus (trace);
  TsrTraceMatches *matches = tsr_trace_state_get_matches (state);
  Job *job = g_new0 (Job, 1);

  job->trace = tsr_trace_ref (trace);
  job->hidden = tsr_trace_state_get_hidden_mask (state, trace);
  job->slice = TSR_NO_SLICE;
  job->run = tsr_trace_state_get_chosen_run (state, trace);
  if (matches != NULL)
    job->matches = tsr_trace_matches_ref (matches);
  if (ipu < n_ipus)
    {
      job->ipus = g_new0 (guint8, n_ipus);
      job->ipus[ipu] = 1;
    }
  return job;
}

static void
update_widgets (TsrTraceSearch *self)
{
  gboolean any = self->session != NULL && tsr_trace_state_get_matches (get_state (self)) != NULL;
  g_autofree char *count = any && self->count != G_MAXUINT64
                               ? tsr_units_dup_count ((gint64)MIN (self->count, G_MAXINT64))
                               : NULL;
  g_autofree char *text = NULL, *tooltip = NULL;
  const char *shown;

  if (count != NULL && self->count > 0 && self->place < self->count)
    {
      g_autofree char *place = tsr_units_dup_count ((gint64)self->place + 1);

      /* Translators: the third of 1,204 matches */
      text = g_strdup_printf (_ ("%s of %s"), place, count);
    }
  shown = text != NULL ? text : count != NULL ? count : any ? "…" : "";
  tooltip = g_strdup_printf ("%s\n%s", shown,
                             _ ("Matching steps of the run and the IPUs that are shown"));
  tsr_match_bar_show_count (TSR_MATCH_BAR (self), shown, any ? tooltip : NULL,
                            any && self->count != 0);
}

/* Count */

static gpointer
count_matches (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  Count *count = g_new0 (Count, 1);

  if (tsr_trace_count_matches (job->trace, job->matches, job->run, job->ipus, job->hidden,
                               job->slice, cancellable, &count->count, &count->place))
    {
      if (job->slice == TSR_NO_SLICE)
        count->place = G_MAXUINT64;
      return count;
    }
  g_free (count);
  g_cancellable_set_error_if_cancelled (cancellable, error);
  return NULL;
}

static void
on_counted (gpointer owner, gpointer result, const GError *error)
{
  TsrTraceSearch *self = owner;
  g_autofree Count *count = result;

  self->count = count != NULL ? count->count : G_MAXUINT64;
  self->place = count != NULL ? count->place : G_MAXUINT64;
  update_widgets (self);
}

static void
count (TsrTraceSearch *self)
{
  Job *job;

  if (tsr_session_get_trace (self->session) == NULL
      || tsr_trace_state_get_matches (get_state (self)) == NULL)
    return;
  job = new_job (self);
  job->slice = self->slice;
  tsr_latest_run (self->count_work, count_matches, job, job_free, on_counted);
}

/* Next and previous */

static gpointer
find_match (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  Found *found = g_new0 (Found, 1);

  found->slice = tsr_trace_find_match (job->trace, job->matches, job->run, job->ipus, job->hidden,
                                       job->slice, job->direction > 0);
  if (found->slice == TSR_NO_SLICE && job->slice != TSR_NO_SLICE)
    found->slice = tsr_trace_find_match (job->trace, job->matches, job->run, job->ipus, job->hidden,
                                         TSR_NO_SLICE, job->direction > 0);
  return found;
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
  TsrTraceSearch *self = owner;
  g_autofree Found *found = result;

  if (found == NULL || found->slice == TSR_NO_SLICE)
    return;
  self->slice = found->slice;
  g_signal_emit (self, signals[FOUND], 0, found->slice);
  count (self);
}

void
tsr_trace_search_find (TsrTraceSearch *self, guint32 slice, int direction)
{
  Job *job;

  g_return_if_fail (TSR_IS_TRACE_SEARCH (self) && direction != 0);
  if (self->session == NULL || tsr_session_get_trace (self->session) == NULL)
    return;
  if (tsr_latest_is_running (self->names_work))
    {
      self->wanted = direction;
      self->wanted_from = slice;
      return;
    }
  if (tsr_trace_state_get_matches (get_state (self)) == NULL)
    return;
  job = new_job (self);
  job->slice = slice;
  job->direction = direction;
  tsr_latest_run (self->find_work, find_match, job, job_free, on_found);
}

/* Names */

static gboolean
match_name (const char *name, gpointer filter)
{
  return tsr_filter_match (filter, name);
}

static gpointer
match_names (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  Names *names = g_new0 (Names, 1);

  names->matches = tsr_trace_matches_new (job->trace, match_name, job->filter);
  names->text = g_strdup (job->text);
  return names;
}

static void on_state_changed (TsrTraceSearch *self);

static void
set_names (TsrTraceSearch *self, const char *text, TsrTraceMatches *matches)
{
  self->slice = TSR_NO_SLICE;
  self->count = self->place = G_MAXUINT64;
  g_signal_handlers_block_by_func (get_state (self), on_state_changed, self);
  tsr_trace_state_set_search (get_state (self), text, matches);
  g_signal_handlers_unblock_by_func (get_state (self), on_state_changed, self);
  update_widgets (self);
  count (self);
}

static void
on_named (gpointer owner, gpointer result, const GError *error)
{
  TsrTraceSearch *self = owner;
  Names *names = result;

  if (names == NULL)
    return;
  set_names (self, names->text, names->matches);
  names_free (names);
  if (self->wanted != 0)
    tsr_trace_search_find (self, self->wanted_from, self->wanted);
  self->wanted = 0;
}

static void
update (TsrTraceSearch *self)
{
  const char *text = tsr_trace_search_get_text (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new (text, &error);
  Job *job;

  tsr_match_bar_show_error (TSR_MATCH_BAR (self), error != NULL ? error->message : NULL);
  self->wanted = 0;
  tsr_latest_cancel (self->names_work);
  tsr_latest_cancel (self->find_work);
  tsr_latest_cancel (self->count_work);
  if (self->session == NULL)
    return;
  if (filter == NULL || tsr_filter_is_empty (filter)
      || tsr_session_get_trace (self->session) == NULL)
    {
      set_names (self, text, NULL);
      return;
    }
  job = new_job (self);
  job->filter = g_steal_pointer (&filter);
  job->text = g_strdup (text);
  g_free (self->asked);
  self->asked = g_strdup (text);
  tsr_latest_run (self->names_work, match_names, job, job_free, on_named);
}

/* Somebody else has set another text, or the trace is another one. */
static void
on_state_changed (TsrTraceSearch *self)
{
  const char *text = tsr_trace_state_get_search (get_state (self));

  if (g_strcmp0 (text, tsr_trace_search_get_text (self)) != 0)
    tsr_trace_search_set_text (self, text);
  else if (tsr_trace_state_get_matches (get_state (self)) == NULL && *text != '\0'
           && !tsr_latest_is_running (self->names_work))
    update (self);
}

static void
on_counted_changed (TsrTraceSearch *self)
{
  self->count = self->place = G_MAXUINT64;
  update_widgets (self);
  count (self);
}

/* The match that was found last may be of another run. */
static void
on_run_changed (TsrTraceSearch *self)
{
  self->slice = TSR_NO_SLICE;
  on_counted_changed (self);
}

void
tsr_trace_search_set_session (TsrTraceSearch *self, TsrSession *session)
{
  TsrTraceState *state;

  g_return_if_fail (TSR_IS_TRACE_SEARCH (self) && self->session == NULL);
  self->session = g_object_ref (session);
  state = tsr_session_get_trace_state (session);
  g_signal_connect_object (session, "notify::trace", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "search-changed", G_CALLBACK (on_state_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "run-changed", G_CALLBACK (on_run_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "hidden-changed", G_CALLBACK (on_counted_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "options-changed", G_CALLBACK (on_counted_changed), self,
                           G_CONNECT_SWAPPED);
  tsr_trace_search_set_text (self, tsr_trace_state_get_search (state));
}

void
tsr_trace_search_set_text (TsrTraceSearch *self, const char *text)
{
  g_return_if_fail (TSR_IS_TRACE_SEARCH (self) && text != NULL);
  tsr_match_bar_set_text (TSR_MATCH_BAR (self), text);
  update (self);
}

const char *
tsr_trace_search_get_text (TsrTraceSearch *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_SEARCH (self), NULL);
  return tsr_match_bar_get_text (TSR_MATCH_BAR (self));
}

guint64
tsr_trace_search_get_count (TsrTraceSearch *self, guint64 *place)
{
  g_return_val_if_fail (TSR_IS_TRACE_SEARCH (self), G_MAXUINT64);
  if (place != NULL)
    *place = self->place;
  return self->count;
}

gboolean
tsr_trace_search_is_busy (TsrTraceSearch *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_SEARCH (self), FALSE);
  return tsr_latest_is_running (self->names_work) || tsr_latest_is_running (self->find_work)
         || tsr_latest_is_running (self->count_work);
}

/* Object */

/* The entry tells late; what it says already is what is meant. */
static void
tsr_trace_search_settle (TsrMatchBar *bar)
{
  TsrTraceSearch *self = TSR_TRACE_SEARCH (bar);

  if (self->session != NULL
      && g_strcmp0 (tsr_trace_search_get_text (self), tsr_trace_state_get_search (get_state (self)))
             != 0
      && !tsr_latest_is_running (self->names_work))
    update (self);
}

static void
tsr_trace_search_changed (TsrMatchBar *bar)
{
  TsrTraceSearch *self = TSR_TRACE_SEARCH (bar);

  /* The entry tells late: what was asked for meanwhile goes on, and so does what waits for it. */
  if (self->names_work != NULL && tsr_latest_is_running (self->names_work)
      && g_strcmp0 (tsr_trace_search_get_text (self), self->asked) == 0)
    return;
  if (self->session == NULL
      || g_strcmp0 (tsr_trace_search_get_text (self), tsr_trace_state_get_search (get_state (self)))
             != 0)
    update (self);
}

static void
tsr_trace_search_dispose (GObject *object)
{
  TsrTraceSearch *self = TSR_TRACE_SEARCH (object);

  g_clear_pointer (&self->names_work, tsr_latest_free);
  g_clear_pointer (&self->find_work, tsr_latest_free);
  g_clear_pointer (&self->count_work, tsr_latest_free);
  g_clear_pointer (&self->asked, g_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_search_parent_class)->dispose (object);
}

static void
tsr_trace_search_class_init (TsrTraceSearchClass *klass)
{
  TsrMatchBarClass *bar_class = TSR_MATCH_BAR_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_search_dispose;
  bar_class->name = N_ ("Find steps");
  bar_class->hint = N_ ("Steps with all these words in their name; -word: has not; /…/: a regular "
                        "expression");
  bar_class->previous = N_ ("Previous match (Shift+Enter, P; Shift+P zooms to it)");
  bar_class->next = N_ ("Next match (Enter, N; Shift+N zooms to it)");
  bar_class->least_chars = bar_class->count_chars = 6;
  bar_class->most_chars = 16;
  bar_class->delay = DELAY_MS;
  bar_class->changed = tsr_trace_search_changed;
  bar_class->settle = tsr_trace_search_settle;
  signals[FOUND] = g_signal_new ("found", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
tsr_trace_search_init (TsrTraceSearch *self)
{
  self->slice = TSR_NO_SLICE;
  self->count = self->place = G_MAXUINT64;
  self->names_work = tsr_latest_new (self, names_free);
  self->find_work = tsr_latest_new (self, g_free);
  self->count_work = tsr_latest_new (self, g_free);
}
