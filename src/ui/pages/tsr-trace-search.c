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
  GtkWidget parent_instance;

  GtkWidget *box, *entry, *previous, *next;
  GtkLabel *label;
  TsrSession *session;
  TsrLatest *names_work, *find_work, *count_work;
  guint32 slice;        /* that was found last */
  guint64 count, place; /* G_MAXUINT64: not known */
  char *asked;          /* (nullable): text whose names are being looked for */
  int wanted;           /* direction of a search that waits for the names; 0: none */
  guint32 wanted_from;
  gboolean applying;
};

G_DEFINE_FINAL_TYPE (TsrTraceSearch, tsr_trace_search, GTK_TYPE_WIDGET)

enum
{
  FOUND,
  PREVIOUS,
  NEXT,
  LEFT,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  TsrTrace *trace;
  TsrFilter *filter;        /* of names */
  TsrTraceMatches *matches; /* of find and count */
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
                             _ ("Matching steps in the whole trace, on the IPUs that are shown"));
  gtk_label_set_label (self->label, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), any ? tooltip : NULL);
  gtk_widget_set_sensitive (self->previous, any && self->count != 0);
  gtk_widget_set_sensitive (self->next, any && self->count != 0);
}

/* Count */

static gpointer
count_matches (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  Count *count = g_new0 (Count, 1);

  if (tsr_trace_count_matches (job->trace, job->matches, job->ipus, job->hidden, job->slice,
                               cancellable, &count->count, &count->place))
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

  found->slice = tsr_trace_find_match (job->trace, job->matches, job->ipus, job->hidden, job->slice,
                                       job->direction > 0);
  if (found->slice == TSR_NO_SLICE && job->slice != TSR_NO_SLICE)
    found->slice = tsr_trace_find_match (job->trace, job->matches, job->ipus, job->hidden,
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

static void
set_names (TsrTraceSearch *self, const char *text, TsrTraceMatches *matches)
{
  self->slice = TSR_NO_SLICE;
  self->count = self->place = G_MAXUINT64;
  self->applying = TRUE;
  tsr_trace_state_set_search (get_state (self), text, matches);
  self->applying = FALSE;
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
show_error (TsrTraceSearch *self, const char *text)
{
  if (text != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_tooltip_text (self->entry,
                               text != NULL ? text
                                            : _ ("Steps with all these words in their name; -word: "
                                                 "has not; /…/: a regular expression"));
}

static void
update (TsrTraceSearch *self)
{
  const char *text = tsr_trace_search_get_text (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new (text, &error);
  Job *job;

  show_error (self, error != NULL ? error->message : NULL);
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

  if (self->applying)
    return;
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
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  update (self);
}

const char *
tsr_trace_search_get_text (TsrTraceSearch *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_SEARCH (self), NULL);
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
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
ensure_text (TsrTraceSearch *self)
{
  if (self->session != NULL
      && g_strcmp0 (tsr_trace_search_get_text (self), tsr_trace_state_get_search (get_state (self)))
             != 0
      && !tsr_latest_is_running (self->names_work))
    update (self);
}

static void
emit_previous (TsrTraceSearch *self)
{
  ensure_text (self);
  g_signal_emit (self, signals[PREVIOUS], 0);
}

static void
emit_next (TsrTraceSearch *self)
{
  ensure_text (self);
  g_signal_emit (self, signals[NEXT], 0);
}

static void
on_search_changed (TsrTraceSearch *self)
{
  /* The entry tells late: what was asked for meanwhile goes on, and so does what waits for it. */
  if (self->names_work != NULL && tsr_latest_is_running (self->names_work)
      && g_strcmp0 (tsr_trace_search_get_text (self), self->asked) == 0)
    return;
  if (self->session == NULL
      || g_strcmp0 (tsr_trace_search_get_text (self), tsr_trace_state_get_search (get_state (self)))
             != 0)
    update (self);
}

/* Escape: first the text goes, then the keyboard goes on to what is searched. */
static void
on_stop_search (TsrTraceSearch *self)
{
  if (*tsr_trace_search_get_text (self) == '\0')
    g_signal_emit (self, signals[LEFT], 0);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

static gboolean
tsr_trace_search_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (TSR_TRACE_SEARCH (widget)->entry);
}

static void
tsr_trace_search_dispose (GObject *object)
{
  TsrTraceSearch *self = TSR_TRACE_SEARCH (object);

  g_clear_pointer (&self->names_work, tsr_latest_free);
  g_clear_pointer (&self->find_work, tsr_latest_free);
  g_clear_pointer (&self->count_work, tsr_latest_free);
  g_clear_pointer (&self->asked, g_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_search_parent_class)->dispose (object);
}

static void
tsr_trace_search_class_init (TsrTraceSearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_search_dispose;
  widget_class->grab_focus = tsr_trace_search_grab_focus;
  signals[FOUND] = g_signal_new ("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_UINT);
  signals[PREVIOUS]
      = g_signal_new ("previous", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[NEXT]
      = g_signal_new ("next", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LEFT]
      = g_signal_new ("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_button (TsrTraceSearch *self, const char *icon, const char *text, GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static void
tsr_trace_search_init (TsrTraceSearch *self)
{
  self->slice = TSR_NO_SLICE;
  self->count = self->place = G_MAXUINT64;
  self->names_work = tsr_latest_new (self, names_free);
  self->find_work = tsr_latest_new (self, g_free);
  self->count_work = tsr_latest_new (self, g_free);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->box, "linked");
  self->entry = gtk_search_entry_new ();
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (self->entry), DELAY_MS);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 16);
  g_object_set (self->entry, "placeholder-text", _ ("Find steps"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find steps"), -1);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "step-count");
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (self->label, 18);
  gtk_label_set_width_chars (self->label, 6); /* what comes does not move the rest */
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END); /* nor make the window wider */
  self->previous
      = new_button (self, "go-up-symbolic", _ ("Previous match (P; Shift+P zooms to it)"),
                    G_CALLBACK (emit_previous));
  self->next = new_button (self, "go-down-symbolic", _ ("Next match (N; Shift+N zooms to it)"),
                           G_CALLBACK (emit_next));
  gtk_box_append (GTK_BOX (self->box), self->entry);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (self->box), self->previous);
  gtk_box_append (GTK_BOX (self->box), self->next);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_search_changed), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (emit_next), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (emit_previous), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (emit_next), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (on_stop_search), self);
  show_error (self, NULL);
  update_widgets (self);
}

TsrTraceSearch *
tsr_trace_search_new (void)
{
  return g_object_new (TSR_TYPE_TRACE_SEARCH, NULL);
}
