/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is looked through is made when the palette opens and again when the session has more of the
 * report.  Chunks of hits come from the worker as idle callbacks; a number tells those of a search
 * that is over. */

#include "config.h"

#include "tsr-search-popover.h"

#include "tsr-debug-tables.h"
#include "tsr-link.h"
#include "tsr-page.h"
#include "tsr-rows.h"
#include "tsr-search-row.h"
#include "tsr-source-chooser.h"
#include "tsr-task.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST   40
#define WIDTH  620
#define HEIGHT 440

struct _TsrSearchPopover
{
  GtkPopover parent_instance;

  GtkWidget *entry;
  GtkWidget *scroller;
  GtkListBox *list;
  GtkLabel *message;

  TsrSession *session;
  TsrSearch *search; /* (nullable): made when it is needed */
  TsrSearch *shown;  /* (nullable): owns the names of @found */
  GArray *found;     /* TsrFound, of the rows that are visible */
  GCancellable *cancellable;
  guint generation;
  gboolean busy;
  guint start_idle;
};

G_DEFINE_FINAL_TYPE (TsrSearchPopover, tsr_search_popover, GTK_TYPE_POPOVER)

enum
{
  TOAST, /* (const char *text) */
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static const char *
get_text (TsrSearchPopover *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

/* Views that have a page and data. */
static guint
get_views (TsrSearchPopover *self)
{
  TsrReport *report = tsr_session_get_report (self->session);
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  guint views = 0;

  for (guint i = 0; summary != NULL && i < TSR_N_VIEWS; i++)
    if (tsr_pages_find (i) != NULL && summary->views[i].available)
      views |= 1u << i;
  return views;
}

static TsrSearch *
ensure_search (TsrSearchPopover *self)
{
  TsrReport *report = tsr_session_get_report (self->session);
  TsrLiveness *liveness = tsr_session_get_liveness (self->session);

  if (self->search == NULL && report != NULL)
    self->search = tsr_search_new (report, tsr_session_get_memory (self->session),
                                   liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL,
                                   get_views (self));
  return self->search;
}

/* Rows */

static TsrSearchRow *
row_at (TsrSearchPopover *self, guint position)
{
  return TSR_SEARCH_ROW (gtk_list_box_get_row_at_index (self->list, (int)position));
}

static void
update_message (TsrSearchPopover *self)
{
  const char *text = get_text (self);
  const char *message = NULL;
  gboolean reading = tsr_session_get_liveness (self->session) == NULL
                     && tsr_session_is_lowered_pending (self->session);

  if (*text == '\0')
    message = _ ("Variables, vertices, compute sets, programs, their debug contexts, tiles (1806, "
                 "ipu 1) and "
                 "views");
  else if (self->found->len == 0 && !self->busy)
    message = reading ? _ ("Nothing found yet: variables are still being read")
                      : _ ("Nothing has this name");
  else if (reading)
    message = _ ("Variables are still being read");
  gtk_label_set_label (self->message, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), message != NULL);
  gtk_widget_set_visible (self->scroller, self->found->len > 0);
}

/* The first hit is selected unless the user has gone on to another that is still there. */
static void
show_found (TsrSearchPopover *self, const TsrFound *found, guint n_found, const char *text)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  int selected = row != NULL ? gtk_list_box_row_get_index (row) : 0;
  TsrFound chosen = { .index = TSR_NO_INDEX };
  TsrUnits units = tsr_session_get_units (self->session);

  if (selected > 0 && selected < (int)self->found->len)
    chosen = g_array_index (self->found, TsrFound, selected);
  selected = 0;
  g_array_set_size (self->found, 0);
  g_array_append_vals (self->found, found, n_found);
  for (guint i = 0; i < MAX (n_found, MOST); i++)
    {
      if (i < n_found && row_at (self, i) == NULL)
        gtk_list_box_append (self->list, GTK_WIDGET (tsr_search_row_new ()));
      if (row_at (self, i) == NULL)
        break;
      gtk_widget_set_visible (GTK_WIDGET (row_at (self, i)), i < n_found);
      if (i < n_found)
        tsr_search_row_set (row_at (self, i), &found[i], text, units);
      if (i < n_found && found[i].kind == chosen.kind && found[i].index == chosen.index)
        selected = (int)i;
    }
  gtk_list_box_select_row (self->list,
                           n_found > 0 ? GTK_LIST_BOX_ROW (row_at (self, selected)) : NULL);
  update_message (self);
}

/* The worker */

typedef struct
{
  TsrSearchPopover *popover; /* the task keeps it until it is done */
  TsrSearch *search;
  char *text;
  guint generation;
} Job;

/* Hits on their way to the main thread. */
typedef struct
{
  TsrSearchPopover *popover;
  TsrSearch *search;
  char *text;
  guint generation;
  GArray *found;
} Chunk;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_search_unref (job->search);
  g_free (job->text);
  g_free (job);
}

static void
chunk_free (gpointer data)
{
  Chunk *chunk = data;

  g_object_unref (chunk->popover);
  tsr_search_unref (chunk->search);
  g_free (chunk->text);
  g_array_unref (chunk->found);
  g_free (chunk);
}

static gboolean
on_chunk (gpointer data)
{
  Chunk *chunk = data;
  TsrSearchPopover *self = chunk->popover;

  if (chunk->generation != self->generation || self->list == NULL)
    return G_SOURCE_REMOVE;
  show_found (self, (const TsrFound *)(gpointer)chunk->found->data, chunk->found->len, chunk->text);
  g_clear_pointer (&self->shown, tsr_search_unref);
  self->shown = tsr_search_ref (chunk->search);
  return G_SOURCE_REMOVE;
}

static void
post (gpointer data, const TsrFound *found, guint n_found)
{
  const Job *job = data;
  Chunk *chunk = g_new0 (Chunk, 1);

  chunk->popover = g_object_ref (job->popover);
  chunk->search = tsr_search_ref (job->search);
  chunk->text = g_strdup (job->text);
  chunk->generation = job->generation;
  chunk->found = g_array_new (FALSE, FALSE, sizeof (TsrFound));
  g_array_append_vals (chunk->found, found, n_found);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_chunk, chunk, chunk_free);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (tsr_search_run (job->search, job->text, MOST, post, job, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrSearchPopover *self = TSR_SEARCH_POPOVER (source);
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (job->generation != self->generation || self->list == NULL)
    return;
  self->busy = FALSE;
  update_message (self);
}

static void
stop (TsrSearchPopover *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->generation++;
  self->busy = FALSE;
}

/* Looks for what stands in the entry; what was found before stays until there is something new. */
static void
start (TsrSearchPopover *self)
{
  TsrSearch *search = ensure_search (self);
  g_autoptr (GTask) task = NULL;
  Job *job;

  stop (self);
  if (search == NULL || *get_text (self) == '\0')
    {
      show_found (self, NULL, 0, "");
      return;
    }
  tsr_session_want (self->session, TSR_STAGE_LIVENESS);
  job = g_new0 (Job, 1);
  job->popover = self;
  job->search = tsr_search_ref (search);
  job->text = g_strdup (get_text (self));
  job->generation = self->generation;
  self->busy = TRUE;
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_ended, NULL);
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, job, job_free);
  tsr_task_run_in_thread (task, run);
}

static gboolean
on_start_idle (gpointer data)
{
  TsrSearchPopover *self = data;

  self->start_idle = 0;
  start (self);
  return G_SOURCE_REMOVE;
}

/* A text that takes the place of another is empty in between. */
static void
on_search_changed (TsrSearchPopover *self)
{
  if (self->start_idle == 0)
    self->start_idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_start_idle, self, NULL);
}

static void
on_session_changed (TsrSearchPopover *self)
{
  g_clear_pointer (&self->search, tsr_search_unref);
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    start (self);
}

/* Of another report nothing that is shown holds. */
static void
on_report_changed (TsrSearchPopover *self)
{
  stop (self);
  g_clear_pointer (&self->search, tsr_search_unref);
  show_found (self, NULL, 0, "");
  g_clear_pointer (&self->shown, tsr_search_unref);
}

/* Going there.  What else is selected stays, unless it would hide what was found: then it is
 * widened and the note says so. */

typedef struct
{
  GHashTable *words;
  GString *note;
} Target;

static void
add_note (Target *target, const char *text)
{
  g_string_append_printf (target->note, "%s%s", target->note->len > 0 ? "  " : "", text);
}

/* Figures of all tiles are shown. */
static void
drop_tiles (Target *target)
{
  if (tsr_view_words_get (target->words, "tiles") == NULL)
    return;
  tsr_view_words_set (target->words, "tiles", NULL);
  add_note (target, _ ("Showing all tiles: none is selected any more"));
}

/* The first step with most of its bytes; TSR_NO_INDEX when it is live nowhere.  *live_there: at one
 * of @steps. */
static guint
find_step (GArray *lifetimes, const guint *steps, guint n_steps, gboolean *live_there)
{
  guint step = TSR_NO_INDEX;
  gint64 most = 0;

  *live_there = FALSE;
  for (guint i = 0; lifetimes != NULL && i < lifetimes->len; i++)
    {
      const TsrLifetime *life = &g_array_index (lifetimes, TsrLifetime, i);

      if (life->bytes <= 0)
        continue;
      if (life->bytes > most)
        {
          most = life->bytes;
          step = life->from;
        }
      for (guint k = 0; k < n_steps; k++)
        *live_there = *live_there || (life->from <= steps[k] && steps[k] < life->to);
    }
  return step;
}

/* A source that has it, a tab that lists it, and a step at which it is live.  FALSE when it is live
 * nowhere, as far as the report tells. */
static gboolean
set_liveness (TsrSearchPopover *self, Target *target, TsrLiveness *liveness, guint variable)
{
  TsrVariables *variables = tsr_liveness_get_variables (liveness);
  const TsrLivenessSource all = { .kind = TSR_LIVENESS_ALL };
  g_auto (TsrLivenessSource) source = { 0 };
  g_autoptr (GArray) lifetimes = NULL;
  gboolean always, live_there;
  guint n = 0, step;
  const guint *steps = tsr_step_selection_peek (tsr_session_get_steps (self->session), &n);

  tsr_source_chooser_get_source (self->session, &source);
  lifetimes = tsr_liveness_dup_lifetimes (liveness, &source, variable);
  step = find_step (lifetimes, steps, n, &live_there);
  if (step == TSR_NO_INDEX && source.kind != TSR_LIVENESS_ALL)
    {
      g_autofree char *label = tsr_liveness_source_dup_label (&source);
      g_autofree char *text = g_strdup_printf (
          /* Translators: %s is "Tile 5", "IPU 1" or "12 tiles" */
          _ ("Showing all tiles: the variable is not on %s"), label);

      g_clear_pointer (&lifetimes, g_array_unref);
      lifetimes = tsr_liveness_dup_lifetimes (liveness, &all, variable);
      step = find_step (lifetimes, steps, n, &live_there);
      if (step == TSR_NO_INDEX)
        return FALSE;
      tsr_view_words_set (target->words, "source", "all");
      add_note (target, text);
    }
  if (step == TSR_NO_INDEX)
    return FALSE;
  always = tsr_variables_get_life (variables, variable) == TSR_LIFE_ALWAYS;
  if (!always && !live_there)
    {
      g_autofree char *number = g_strdup_printf ("%u", step);
      g_autofree char *count = tsr_units_dup_count (step);
      g_autofree char *text = g_strdup_printf (
          _ ("Showing step %s: the variable is not live at what was selected"), count);

      tsr_view_words_set (target->words, "steps", number);
      if (n > 0)
        add_note (target, text);
    }
  tsr_view_words_set (target->words, "page", tsr_view_get_nick (TSR_VIEW_LIVENESS));
  tsr_view_words_set (target->words, "tab", always ? "always-live" : "not-always-live");
  tsr_view_words_set (target->words, "by", "variable");
  return TRUE;
}

static void
set_variable (TsrSearchPopover *self, Target *target, const char *name, gboolean other_view)
{
  TsrLiveness *liveness = tsr_session_get_liveness (self->session);
  guint variable = liveness != NULL
                       ? tsr_variables_find (tsr_liveness_get_variables (liveness), name)
                       : TSR_NO_INDEX;
  gboolean can_show = (get_views (self) & (1u << TSR_VIEW_LIVENESS)) != 0;

  tsr_view_words_set (target->words, "variables", name);
  if (can_show && !other_view && variable != TSR_NO_INDEX
      && set_liveness (self, target, liveness, variable))
    return;
  if (liveness != NULL && tsr_liveness_has_lowered (liveness))
    {
      tsr_view_words_set (target->words, "graph", "variables");
      return;
    }
  /* Which tiles have it is not recorded: only the list of all tiles has it. */
  tsr_view_words_set (target->words, "tab", "variables");
  drop_tiles (target);
}

static const char *
get_name (const TsrProgramTables *tables, const guint32 *names, guint32 row)
{
  return tsr_string_table_get (tables->strings, names[row]);
}

/* Whether the trace's page shows the run that @step is of. */
static gboolean
is_in_shown_run (TsrSearchPopover *self, guint step)
{
  int run = tsr_trace_state_get_run (tsr_session_get_trace_state (self->session));
  TsrTrace *trace = tsr_session_get_trace (self->session);
  guint row;

  if (run == TSR_TRACE_RUN_ALL)
    return TRUE;
  if (trace == NULL)
    return FALSE;
  row = run == TSR_TRACE_RUN_PROFILED ? tsr_trace_get_profiled_run (trace) : (guint)run;
  return row >= tsr_trace_get_n_runs (trace)
         || (step >= tsr_trace_get_run (trace, row)->first_step
             && step < tsr_trace_get_run (trace, row)->end_step);
}

/* (transfer none) (nullable): what the trace calls the steps of a program or compute set: the
 * compute set's name where a step has one.  NULL: none of that name was recorded.  *shown: one is
 * of the run that is shown. */
static const char *
find_executed (TsrSearchPopover *self, const TsrFound *found, gboolean *shown)
{
  TsrReport *report = tsr_session_get_report (self->session);
  const TsrProgramTables *tables = tsr_report_get_program_tables (report);
  const TsrExecutionTables *execution = tsr_report_get_execution_tables (report);
  gboolean program = found->kind == TSR_FOUND_PROGRAM;
  guint n;
  const guint32 *names, *of_step;
  const char *name = NULL;
  g_autofree guint8 *wanted = NULL;

  *shown = FALSE;
  if (tables == NULL || execution == NULL)
    return NULL;
  n = program ? tables->n_programs : tables->n_compute_sets;
  names = program ? tables->program_name : tables->compute_set_name;
  of_step = program ? execution->step_program : execution->step_compute_set;
  wanted = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    wanted[i] = g_strcmp0 (get_name (tables, names, i), found->name) == 0;
  for (guint step = 0; step < execution->n_steps && !*shown; step++)
    {
      guint32 set = execution->step_compute_set[step];

      if (of_step[step] >= n || !wanted[of_step[step]])
        continue;
      *shown = is_in_shown_run (self, step);
      if (name != NULL && !*shown)
        continue;
      name = set < tables->n_compute_sets ? get_name (tables, tables->compute_set_name, set) : NULL;
      name = name != NULL ? name : found->name;
    }
  return name;
}

/* Steps of that name; the first one is gone to. */
static void
set_executions (GHashTable *words, const char *name)
{
  g_autofree char *filter = tsr_filter_dup_name (name);

  tsr_view_words_set (words, "page", tsr_view_get_nick (TSR_VIEW_EXECUTION_TRACE));
  tsr_view_words_set (words, "search", filter);
  tsr_view_words_set (words, "go", "match");
}

/* The tab that lists it, with nothing else in it. */
static void
set_code (Target *target, const char *tab, const char *name)
{
  g_autofree char *filter = tsr_filter_dup_name (name);

  tsr_view_words_set (target->words, "tab", tab);
  tsr_view_words_set (target->words, "filter", filter);
  tsr_view_words_set (target->words, "row", name);
  drop_tiles (target);
}

/* Its place in the tree; without one its liveness step. */
static void
set_program (TsrSearchPopover *self, const TsrFound *found, Target *target)
{
  const TsrProgramTables *t
      = tsr_report_get_program_tables (tsr_session_get_report (self->session));
  gboolean tree = t != NULL && (get_views (self) & (1u << TSR_VIEW_PROGRAM_TREE)) != 0
                  && found->index < t->n_programs;
  g_autofree char *number = tree
                                ? g_strdup_printf ("%" G_GINT64_FORMAT, t->program_id[found->index])
                                : g_strdup_printf ("%u", found->step);

  tsr_view_words_set (target->words, "page",
                      tsr_view_get_nick (tree ? TSR_VIEW_PROGRAM_TREE : TSR_VIEW_LIVENESS));
  tsr_view_words_set (target->words, tree ? "program" : "steps", number);
}

/* The program that stands for a context.  FALSE, which is noted, when there is none. */
static gboolean
replace_context (TsrSearchPopover *self, TsrFound *found, Target *target)
{
  TsrReport *report = tsr_session_get_report (self->session);
  const TsrProgramTables *t = tsr_report_get_program_tables (report);
  const TsrDebugTables *debug = tsr_report_get_debug_tables (report);
  guint32 program, context;
  TsrCarries carries = tsr_search_find_carrier (self->shown, found->index, &program, &context);
  g_autofree char *text = NULL;
  const char *name;

  if (carries == TSR_CARRIES_NONE)
    {
      add_note (target, _ ("No program has this context, nor one above or below it"));
      return FALSE;
    }
  name = tsr_debug_tables_get_text (debug, debug->name[context]);
  if (carries == TSR_CARRIES_ABOVE)
    {
      text = g_strdup_printf (_ ("No program has this context: showing one of “%s” above it"),
                              name != NULL ? name : "");
      add_note (target, text);
    }
  found->kind = TSR_FOUND_PROGRAM;
  found->index = program;
  found->name = get_name (t, t->program_name, program);
  return TRUE;
}

static void
set_words (TsrSearchPopover *self, const TsrFound *found, gboolean other_view, Target *target)
{
  gboolean trace = other_view && (get_views (self) & (1u << TSR_VIEW_EXECUTION_TRACE)) != 0
                   && (found->kind == TSR_FOUND_PROGRAM || found->kind == TSR_FOUND_COMPUTE_SET);
  gboolean shown = FALSE;
  const char *executed = trace ? find_executed (self, found, &shown) : NULL;
  g_autofree char *number = NULL;

  if (executed != NULL)
    {
      set_executions (target->words, executed);
      if (!shown)
        {
          tsr_view_words_set (target->words, "run", "all");
          add_note (target, _ ("Showing all runs: this one does not execute it"));
        }
      return;
    }
  if (trace)
    add_note (target, _ ("No execution of it is recorded"));

  switch (found->kind)
    {
    case TSR_FOUND_VIEW:
      tsr_view_words_set (target->words, "page", tsr_view_get_nick (found->index));
      break;
    case TSR_FOUND_TILE:
    case TSR_FOUND_IPU:
      number = g_strdup_printf (found->kind == TSR_FOUND_IPU ? "ipu%u" : "%u", (guint)found->index);
      tsr_view_words_set (target->words, "tiles", number);
      break;
    case TSR_FOUND_VARIABLE:
      set_variable (self, target, found->name, other_view);
      break;
    case TSR_FOUND_PROGRAM:
      set_program (self, found, target);
      break;
    case TSR_FOUND_COMPUTE_SET:
      set_code (target, "compute-sets", found->name);
      break;
    case TSR_FOUND_VERTEX_TYPE:
    default:
      set_code (target, "vertices", found->name);
      break;
    }
}

char *
tsr_search_popover_dup_target (TsrSearchPopover *self,
                               guint position,
                               gboolean other_view,
                               char **note)
{
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  Target target = { words, NULL };
  TsrFound found;
  gboolean leads;

  if (note != NULL)
    *note = NULL;
  g_return_val_if_fail (TSR_IS_SEARCH_POPOVER (self) && position < self->found->len, NULL);
  target.note = g_string_new (NULL);
  tsr_session_save_words (self->session, TSR_VIEW_SUMMARY, words);
  tsr_view_words_set (words, "range", NULL);
  tsr_view_words_set (words, "page", tsr_view_get_nick (TSR_VIEW_MEMORY));
  found = g_array_index (self->found, TsrFound, position);
  leads = found.kind != TSR_FOUND_CONTEXT || replace_context (self, &found, &target);
  if (leads)
    set_words (self, &found, other_view, &target);
  if (note != NULL && target.note->len > 0)
    *note = g_strdup (target.note->str);
  g_string_free (target.note, TRUE);
  return leads ? tsr_view_words_dup_text (words) : NULL;
}

static void
activate (TsrSearchPopover *self, guint position, gboolean other_view)
{
  g_autofree char *target = NULL;
  g_autofree char *note = NULL;

  if (position >= self->found->len)
    return;
  target = tsr_search_popover_dup_target (self, position, other_view, &note);
  gtk_popover_popdown (GTK_POPOVER (self));
  if (target != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.go", "s", target);
  if (note != NULL)
    g_signal_emit (self, signals[TOAST], 0, note);
}

void
tsr_search_popover_activate (TsrSearchPopover *self, gboolean other_view)
{
  GtkListBoxRow *row;

  g_return_if_fail (TSR_IS_SEARCH_POPOVER (self));
  row = gtk_list_box_get_selected_row (self->list);
  if (row != NULL)
    activate (self, (guint)gtk_list_box_row_get_index (row), other_view);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, TsrSearchPopover *self)
{
  activate (self, (guint)gtk_list_box_row_get_index (row), FALSE);
}

/* Keys */

static void
move (TsrSearchPopover *self, int by)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  int n = (int)self->found->len;
  int position = row != NULL ? gtk_list_box_row_get_index (row) + by : 0;
  graphene_rect_t bounds;
  GtkAdjustment *adjustment
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  if (n == 0)
    return;
  row = GTK_LIST_BOX_ROW (row_at (self, (guint)CLAMP (position, 0, n - 1)));
  gtk_list_box_select_row (self->list, row);
  /* The keyboard stays in the entry, so the list does not follow by itself. */
  if (gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->list), &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->entry),
                                  GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT, row, -1);
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        TsrSearchPopover *self)
{
  switch (keyval)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      move (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      move (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Down:
      move (self, 10);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
      move (self, -10);
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      tsr_search_popover_activate (self, (state & GDK_SHIFT_MASK) != 0);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
on_stop_search (TsrSearchPopover *self)
{
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
tsr_search_popover_show (GtkWidget *widget)
{
  TsrSearchPopover *self = TSR_SEARCH_POPOVER (widget);

  GTK_WIDGET_CLASS (tsr_search_popover_parent_class)->show (widget);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  start (self);
}

/* Object */

static void
tsr_search_popover_dispose (GObject *object)
{
  TsrSearchPopover *self = TSR_SEARCH_POPOVER (object);

  stop (self);
  g_clear_handle_id (&self->start_idle, g_source_remove);
  self->list = NULL;
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_search_popover_parent_class)->dispose (object);
}

static void
tsr_search_popover_finalize (GObject *object)
{
  TsrSearchPopover *self = TSR_SEARCH_POPOVER (object);

  g_clear_pointer (&self->search, tsr_search_unref);
  g_clear_pointer (&self->shown, tsr_search_unref);
  g_array_unref (self->found);
  G_OBJECT_CLASS (tsr_search_popover_parent_class)->finalize (object);
}

static void
tsr_search_popover_class_init (TsrSearchPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_search_popover_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_search_popover_finalize;
  GTK_WIDGET_CLASS (klass)->show = tsr_search_popover_show;
  signals[TOAST] = g_signal_new ("toast", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
build_entry (TsrSearchPopover *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->entry = gtk_search_entry_new ();
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (self->entry), 0);
  g_object_set (self->entry, "placeholder-text", _ ("Find anything by name"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find anything by name"), -1);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (on_search_changed), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (on_stop_search), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, keys);
}

static void
tsr_search_popover_init (TsrSearchPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->found = g_array_new (FALSE, TRUE, sizeof (TsrFound));
  build_entry (self);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "search-results");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What was found"), -1);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->list));
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_xalign (self->message, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->scroller);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->message));
  gtk_widget_set_size_request (box, WIDTH, -1);
  gtk_popover_set_child (GTK_POPOVER (self), box);
}

TsrSearchPopover *
tsr_search_popover_new (TsrSession *session)
{
  TsrSearchPopover *self = g_object_new (TSR_TYPE_SEARCH_POPOVER, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::report", G_CALLBACK (on_report_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::memory", G_CALLBACK (on_session_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (on_session_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_session_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_session_changed), self,
                           G_CONNECT_SWAPPED);
  update_message (self);
  return self;
}

void
tsr_search_popover_set_text (TsrSearchPopover *self, const char *text)
{
  g_return_if_fail (TSR_IS_SEARCH_POPOVER (self));
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  g_clear_handle_id (&self->start_idle, g_source_remove);
  start (self);
}

gboolean
tsr_search_popover_is_busy (TsrSearchPopover *self)
{
  g_return_val_if_fail (TSR_IS_SEARCH_POPOVER (self), FALSE);
  return self->busy || self->start_idle != 0;
}

guint
tsr_search_popover_get_n_found (TsrSearchPopover *self)
{
  g_return_val_if_fail (TSR_IS_SEARCH_POPOVER (self), 0);
  return self->found->len;
}

const char *
tsr_search_popover_get_name (TsrSearchPopover *self, guint position)
{
  g_return_val_if_fail (TSR_IS_SEARCH_POPOVER (self) && position < self->found->len, NULL);
  return tsr_search_row_get_name (row_at (self, position));
}
