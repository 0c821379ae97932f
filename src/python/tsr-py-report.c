/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report in Python: opens it, and loads each part at its first use, once, on a thread without the
 * GIL; Ctrl-C ends the wait and the load.  What is under the GIL and what has a lock of its own is
 * said in tsr-py.h.  A process that was forked opens connections of its own and starts its own
 * threads. */

#include "config.h"

#include "tsr-py.h"

#include "tsr-error.h"
#include "tsr-location.h"
#include "tsr-profile-execution.h"
#include "tsr-profile-tables.h"
#include "tsr-report-read.h"
#include "tsr-scan.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define WAKE_US 50000 /* between two looks for Ctrl-C */

static gint64 this_process; /* asking the system for it costs more than a number of a report */

static void
note_process (void)
{
  this_process = getpid ();
}

void
tsr_py_report_watch_forks (void)
{
  if (this_process == 0)
    pthread_atfork (NULL, NULL, note_process);
  note_process ();
}

/* --------------------------------------------------------------------- jobs */

typedef struct
{
  TsrPyReport *report;
  TsrPyJob job;
  gpointer data;
  GCancellable *cancellable;
  GError *error;
  gboolean ok, done;
  GMutex lock;
  GCond ended;
} Run;

static gpointer
run_thread (gpointer data)
{
  Run *run = data;
  gboolean ok = run->job (run->report, run->data, run->cancellable, &run->error);

  g_mutex_lock (&run->lock);
  run->ok = ok;
  run->done = TRUE;
  g_cond_signal (&run->ended);
  g_mutex_unlock (&run->lock);
  return NULL;
}

gboolean
tsr_py_report_run (TsrPyReport *self, TsrPyJob job, gpointer data, GError **error)
{
  Run run = { .report = self, .job = job, .data = data, .cancellable = g_cancellable_new () };
  GThread *thread;
  gboolean interrupted = FALSE;
  gboolean done = FALSE;

  g_mutex_init (&run.lock);
  g_cond_init (&run.ended);
  thread = g_thread_new ("tessera-pva", run_thread, &run);
  while (!done)
    {
      Py_BEGIN_ALLOW_THREADS gint64 until = g_get_monotonic_time () + WAKE_US;

      g_mutex_lock (&run.lock);
      while (!run.done && (interrupted || g_get_monotonic_time () < until))
        if (interrupted)
          g_cond_wait (&run.ended, &run.lock);
        else
          g_cond_wait_until (&run.ended, &run.lock, until);
      done = run.done;
      g_mutex_unlock (&run.lock);
      Py_END_ALLOW_THREADS if (!interrupted && PyErr_CheckSignals () < 0)
      {
        interrupted = TRUE;
        g_cancellable_cancel (run.cancellable);
      }
    }
  g_thread_join (thread);
  g_mutex_clear (&run.lock);
  g_cond_clear (&run.ended);
  g_object_unref (run.cancellable);
  if (interrupted)
    g_clear_error (&run.error);
  if (run.error != NULL)
    g_propagate_error (error, run.error);
  return run.ok && !interrupted;
}

/* -------------------------------------------------------------------- parts */

#define STAGE_JOB(name, stage)                                                                     \
  static gboolean load_##name (TsrPyReport *self, gpointer data, GCancellable *cancellable,        \
                               GError **error)                                                     \
  {                                                                                                \
    return tsr_report_read_stage (self->report, stage, cancellable, error);                        \
  }

STAGE_JOB (memory, TSR_STAGE_MEMORY)
STAGE_JOB (programs, TSR_STAGE_PROGRAMS)
STAGE_JOB (liveness, TSR_STAGE_LIVENESS)
STAGE_JOB (execution, TSR_STAGE_EXECUTION)
STAGE_JOB (lowered, TSR_STAGE_LOWERED)

static gboolean
load_brief (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  self->brief = tsr_report_read_lowered_brief (self->report, cancellable, error);
  return self->brief != NULL;
}

static gboolean
load_debug (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (self->report);
  TsrDebugRows *rows;

  if (self->debug_source == NULL)
    {
      if (!tsr_report_read_stage (self->report, TSR_STAGE_DEBUG, cancellable, error))
        return FALSE;
      self->debug = tsr_report_get_debug_tables (self->report);
      return TRUE;
    }
  rows = tsr_debug_rows_read (self->debug_source, NULL, diagnostics, cancellable, error);
  if (rows == NULL)
    return FALSE;
  self->own_debug = tsr_debug_tables_new (rows, self->debug_source, diagnostics);
  self->debug = self->own_debug;
  return TRUE;
}

static gint64
count_ipus (const TsrPyReport *self)
{
  const TsrExecutionTables *tables = tsr_report_get_execution_tables (self->report);
  gint64 told = tsr_report_get_summary (self->report)->told.num_ipus;

  if (told > 0)
    return told;
  return tables != NULL && tables->n_ipus > 0 ? tables->n_ipus : TSR_UNKNOWN;
}

/* The whole execution only where the number of IPUs is to be found in it. */
static gboolean
load_steps (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  if (tsr_report_get_execution_tables (self->report) == NULL
      && tsr_report_get_summary (self->report)->told.num_ipus > 0)
    {
      self->steps = self->own_steps = tsr_report_read_steps (self->report, cancellable, error);
      return self->steps != NULL;
    }
  if (!tsr_report_read_stage (self->report, TSR_STAGE_EXECUTION, cancellable, error))
    return FALSE;
  self->steps = tsr_report_get_execution_tables (self->report);
  return TRUE;
}

/* For which types of steps the file has bytes that they moved. */
static gboolean
load_moved (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  static const char *const columns[] = { "step_id", "data_in", "data_out", NULL };
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, error);
  g_autoptr (TsrScan) scan = NULL;
  GError *local_error = NULL;

  if (profile == NULL)
    return FALSE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  scan = tsr_scan_new (profile, "steps_by_ipu", columns, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    for (guint k = 0; k < 2; k++)
      if (tsr_scan_get_int (scan, k + 1) >= 0)
        {
          guint32 step = tsr_execution_tables_find_step (self->steps, tsr_scan_get_int (scan, 0));

          if (step != TSR_NO_INDEX)
            self->moved[self->steps->step_type[step]] |= 1u << k;
        }
  for (guint i = 0; i < G_N_ELEMENTS (self->moved); i++)
    self->moved_any |= self->moved[i];
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
load_exact (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  gint64 n_ipus = count_ipus (self);

  if (self->run_start == NULL
      && !tsr_report_read_run_times (self->report, self->steps, &self->run_start, &self->run_end,
                                     cancellable, error))
    return FALSE;
  self->exact = tsr_exact_reader_new (self->report, self->steps, n_ipus > 0 ? (guint)n_ipus : 1,
                                      cancellable, error);
  return self->exact != NULL;
}

static int
compare_tile_cycles (gconstpointer a, gconstpointer b)
{
  const TsrPyTileCycles *x = a;
  const TsrPyTileCycles *y = b;

  if (x->set != y->set)
    return x->set < y->set ? -1 : 1;
  return x->ipu < y->ipu ? -1 : x->ipu > y->ipu;
}

static gboolean
load_tile_cycles (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  g_auto (TsrTableRows) rows = { 0 };
  GArray *found = g_array_new (FALSE, FALSE, sizeof (TsrPyTileCycles));
  GError *local_error = NULL;

  profile = tsr_report_open_profile (self->report, &local_error);
  if (profile != NULL)
    tsr_profile_read_table (profile, TSR_TABLE_TILE_CYCLES, NULL, &rows, &local_error);
  if (local_error != NULL)
    {
      g_array_unref (found);
      g_propagate_error (error, local_error);
      return FALSE;
    }
  for (gsize i = 0; i < rows.n; i++)
    {
      TsrPyTileCycles entry = { rows.columns[TSR_TILE_CYCLES_SET].values[i],
                                rows.columns[TSR_TILE_CYCLES_IPU].values[i],
                                rows.columns[TSR_TILE_CYCLES_CYCLES].values[i] };

      if (entry.ipu == TSR_UNKNOWN)
        entry.ipu = 0;
      g_array_append_val (found, entry);
    }
  g_array_sort (found, compare_tile_cycles);
  self->tile_cycles = found;
  return TRUE;
}

/* Variables of each program, each once, in order. */
static gboolean
load_touched (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *programs = tsr_report_get_program_tables (self->report);
  g_autofree guint32 *all = g_new (guint32, programs->n_programs + 1);
  g_autoptr (GArray) list = NULL;
  guint32 *next;

  for (guint i = 0; i < programs->n_programs; i++)
    all[i] = i;
  list = tsr_report_read_program_variables (self->report, all, programs->n_programs, cancellable,
                                            error);
  if (list == NULL)
    return FALSE;
  self->touched_start = g_new0 (guint32, programs->n_programs + 2);
  self->touched = g_new (guint32, list->len + 1);
  for (guint i = 0; i < list->len; i++)
    self->touched_start[g_array_index (list, TsrProgramVariable, i).program + 1]++;
  for (guint i = 0; i < programs->n_programs; i++)
    self->touched_start[i + 1] += self->touched_start[i];
  next = g_memdup2 (self->touched_start, (programs->n_programs + 1) * sizeof *next);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrProgramVariable *entry = &g_array_index (list, TsrProgramVariable, i);

      self->touched[next[entry->program]++] = entry->variable;
    }
  g_free (next);
  return TRUE;
}

static gboolean
load_allocations (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (self->report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (self->report);
  const guint n = liveness != NULL ? liveness->n_variables : 0;
  g_autofree gsize *next = NULL;

  self->allocated_start = g_new0 (gsize, (gsize)n + 2);
  for (gsize i = 0; i < lowered->n; i++)
    if (lowered->variable[i] < n)
      self->allocated_start[lowered->variable[i] + 1]++;
  for (guint i = 0; i < n; i++)
    self->allocated_start[i + 1] += self->allocated_start[i];
  self->allocated = g_new (guint32, self->allocated_start[n] + 1);
  next = g_memdup2 (self->allocated_start, ((gsize)n + 1) * sizeof *next);
  for (gsize i = 0; i < lowered->n; i++)
    if (lowered->variable[i] < n)
      self->allocated[next[lowered->variable[i]]++] = (guint32)i;
  return TRUE;
}

static gboolean
load_live (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (self->report);

  tsr_live_axis_init (&self->axis, lowered, tsr_report_get_liveness_tables (self->report)->n_steps);
  tsr_live_sums_init (&self->sums, lowered);
  self->series_of = g_hash_table_new (NULL, NULL);
  self->has_live = TRUE;
  return TRUE;
}

static gboolean
load_vertex_code (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *programs = tsr_report_get_program_tables (self->report);
  gint64 n = tsr_report_get_summary (self->report)->told.tiles_per_replica;
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, error);
  g_autofree guint32 *code = NULL;

  if (profile == NULL || n <= 0)
    return TRUE;
  code = g_try_new0 (guint32, (gsize)n * MAX (programs->n_vertex_types, 1));
  if (code == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                   "there is not enough memory for the code of %u vertex types on %" G_GINT64_FORMAT
                   " tiles",
                   programs->n_vertex_types, n);
      return FALSE;
    }
  for (guint i = 0; i < programs->n_vertex_types; i++)
    {
      gboolean found = FALSE;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (programs->vertex_type_code[i].id == TSR_UNKNOWN)
        continue;
      if (!tsr_profile_read_tile_array (profile, programs->vertex_type_code[i].id, (guint)n,
                                        &code[(gsize)i * (gsize)n], &found, error))
        return FALSE;
      if (!found)
        memset (&code[(gsize)i * (gsize)n], 0, (gsize)n * sizeof *code);
    }
  self->vertex_code = g_steal_pointer (&code);
  return TRUE;
}

static const struct
{
  TsrPyJob job;
  guint needs; /* parts without which it cannot be */
  guint likes; /* parts that it refers to if they are there */
} parts[TSR_PY_N_PARTS] = {
  [TSR_PY_PART_MEMORY] = { load_memory },
  [TSR_PY_PART_PROGRAMS] = { load_programs },
  [TSR_PY_PART_LIVENESS] = { load_liveness, .likes = TSR_PY_BIT (PROGRAMS) },
  [TSR_PY_PART_STEPS] = { load_steps, .likes = TSR_PY_BIT (PROGRAMS) },
  [TSR_PY_PART_EXECUTION] = { load_execution, .likes = TSR_PY_BIT (PROGRAMS) },
  [TSR_PY_PART_BRIEF] = { load_brief, .likes = TSR_PY_BIT (MEMORY) | TSR_PY_BIT (LIVENESS) },
  [TSR_PY_PART_LOWERED] = { load_lowered, .likes = TSR_PY_BIT (MEMORY) | TSR_PY_BIT (LIVENESS) },
  [TSR_PY_PART_DEBUG] = { load_debug },
  [TSR_PY_PART_EXACT] = { load_exact, TSR_PY_BIT (STEPS) },
  [TSR_PY_PART_MOVED] = { load_moved, TSR_PY_BIT (STEPS) },
  [TSR_PY_PART_TILE_CYCLES] = { load_tile_cycles },
  [TSR_PY_PART_TOUCHED] = { load_touched, TSR_PY_BIT (PROGRAMS), TSR_PY_BIT (LIVENESS) },
  [TSR_PY_PART_ALLOCATIONS] = { load_allocations, TSR_PY_BIT (LOWERED) },
  [TSR_PY_PART_LIVE] = { load_live, TSR_PY_BIT (LOWERED) | TSR_PY_BIT (LIVENESS) },
  [TSR_PY_PART_VERTEX_CODE] = { load_vertex_code, TSR_PY_BIT (PROGRAMS) },
};

gboolean
tsr_py_report_is_ready (const TsrPyReport *self, guint wanted)
{
  return (self->ready & wanted) == wanted;
}

/* Waits until no other thread of this process loads.  FALSE when interrupted. */
static gboolean
wait_for_others (TsrPyReport *self)
{
  while (self->loading_pid == this_process)
    {
      Py_BEGIN_ALLOW_THREADS g_mutex_lock (&self->lock);
      g_cond_wait_until (&self->loaded, &self->lock, g_get_monotonic_time () + WAKE_US);
      g_mutex_unlock (&self->lock);
      Py_END_ALLOW_THREADS if (PyErr_CheckSignals () < 0) return FALSE;
    }
  return TRUE;
}

/* What the parent had open is the parent's. */
static gboolean
forget_parent (TsrPyReport *self)
{
  if (self->pid == this_process)
    return TRUE;
  if (self->is_remote)
    {
      PyErr_SetString (tsr_py_report_error,
                       "the report was opened over ssh before this process was forked, and "
                       "connections belong to one process; open it again here");
      return FALSE;
    }
  self->pid = this_process;
  g_mutex_init (&self->lock);
  g_cond_init (&self->loaded);
  g_mutex_init (&self->reader_lock);
  self->reader = NULL;
  self->exact = NULL;
  self->ready &= ~TSR_PY_BIT (EXACT);
  return TRUE;
}

static gboolean load_part (TsrPyReport *self, TsrPyPart part);

static gboolean
load_before (TsrPyReport *self, TsrPyPart part)
{
  for (guint i = 0; i < TSR_PY_N_PARTS; i++)
    {
      if ((parts[part].needs & 1u << i) != 0 && !load_part (self, i))
        return FALSE;
      if ((parts[part].likes & 1u << i) != 0 && !load_part (self, i))
        {
          if (!PyErr_ExceptionMatches (tsr_py_report_error))
            return FALSE;
          PyErr_Clear ();
        }
    }
  return TRUE;
}

static gboolean
load_part (TsrPyReport *self, TsrPyPart part)
{
  const guint bit = 1u << part;
  GError *error = NULL;
  gboolean ok;

  if (self->report == NULL)
    {
      PyErr_SetString (PyExc_TypeError, "this is no open report");
      return FALSE;
    }
  if (!forget_parent (self))
    return FALSE;
  if ((self->ready & bit) == 0 && (self->failed & bit) == 0
      && (!load_before (self, part) || !wait_for_others (self)))
    return FALSE;
  if ((self->ready & bit) != 0)
    return TRUE;
  if ((self->failed & bit) != 0)
    {
      tsr_py_raise (g_error_copy (self->errors[part]));
      return FALSE;
    }
  self->loading_pid = this_process;
  ok = tsr_py_report_run (self, parts[part].job, NULL, &error);
  self->loading_pid = 0;
  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->loaded);
  g_mutex_unlock (&self->lock);
  if (ok)
    self->ready |= bit;
  if (ok && part == TSR_PY_PART_LOWERED)
    self->ready |= TSR_PY_BIT (BRIEF);
  if (error != NULL)
    {
      self->failed |= bit;
      self->errors[part] = error;
      tsr_py_raise (g_error_copy (error));
    }
  return ok;
}

gboolean
tsr_py_report_need (TsrPyReport *self, guint wanted)
{
  if ((self->ready & wanted) == wanted && self->pid == this_process)
    return TRUE;
  if (self->report != NULL && !forget_parent (self))
    return FALSE;
  for (guint i = 0; i < TSR_PY_N_PARTS; i++)
    if ((wanted & 1u << i) != 0 && !load_part (self, i))
      return FALSE;
  return TRUE;
}

int
tsr_py_report_try (TsrPyReport *self, TsrPyPart part)
{
  if (load_part (self, part))
    return 1;
  if (!PyErr_ExceptionMatches (tsr_py_missing_error))
    return -1;
  PyErr_Clear ();
  return 0;
}

/* ------------------------------------------------------------------ numbers */

gboolean
tsr_py_report_get_tiles (TsrPyReport *self, gint64 *per_replica, gint64 *replicas)
{
  const TsrTarget *told;

  told = &tsr_report_get_summary (self->report)->told;
  *per_replica = told->tiles_per_replica;
  *replicas = told->num_replicas;
  if (*per_replica == TSR_UNKNOWN && *replicas == TSR_UNKNOWN && told->num_tiles == TSR_UNKNOWN)
    {
      /* Nothing but the memory of tiles: there is one replica of them. */
      if (!tsr_py_report_need (self, TSR_PY_BIT (MEMORY)))
        return FALSE;
      *per_replica = tsr_report_get_memory_tables (self->report)->tiles.n_tiles;
      *replicas = 1;
      return TRUE;
    }
  if (*replicas == TSR_UNKNOWN)
    *replicas = 1;
  if (*per_replica != TSR_UNKNOWN && *per_replica > 0 && *replicas > 0
      && *per_replica <= TSR_MAX_TILES && *replicas <= TSR_MAX_TILES)
    return TRUE;
  tsr_py_missing (self, "target.tiles_per_ipu");
  return FALSE;
}

gint64
tsr_py_report_get_n_ipus (TsrPyReport *self)
{
  gint64 n = count_ipus (self);

  if (n > 0 && n <= TSR_MAX_IPUS)
    return n;
  tsr_py_missing (self, "target.num_ipus");
  return -1;
}

gboolean
tsr_py_report_get_tile (TsrPyReport *self, PyObject *argument, guint32 *tile)
{
  gint64 per_replica;
  gint64 replicas;
  gint64 index;

  if (!tsr_py_report_get_tiles (self, &per_replica, &replicas)
      || !tsr_py_get_index (argument, per_replica * replicas, &index))
    return FALSE;
  *tile = (guint32)(index % per_replica);
  return TRUE;
}

/* ------------------------------------------------------------------- arrays */

gboolean
tsr_py_report_read_array (TsrPyReport *self, gint64 id, guint n, guint32 *values, gboolean *found)
{
  GError *error = NULL;
  gboolean ok = TRUE;

  *found = FALSE;
  if (!forget_parent (self))
    return FALSE;
  Py_BEGIN_ALLOW_THREADS g_mutex_lock (&self->reader_lock);
  if (self->reader == NULL)
    self->reader = tsr_report_open_profile (self->report, &error);
  if (self->reader != NULL)
    ok = tsr_profile_read_tile_array (self->reader, id, n, values, found, &error);
  g_mutex_unlock (&self->reader_lock);
  Py_END_ALLOW_THREADS if (ok && error == NULL) return TRUE;
  tsr_py_raise (error);
  return FALSE;
}

PyObject *
tsr_py_report_tile_list (
    TsrPyReport *self, TsrPyArrayColumn column, const TsrTileArrayRef *refs, gsize n, gsize at)
{
  g_autofree guint32 *values = NULL;
  gint64 per_replica;
  gint64 replicas;
  gboolean found = FALSE;

  /* Which is asked once: a report has many programs. */
  for (gsize i = 0; self->recorded[column] == 0 && i < n; i++)
    if (refs[i].id != TSR_UNKNOWN)
      self->recorded[column] = 2;
  if (self->recorded[column] == 0)
    self->recorded[column] = 1;
  if (self->recorded[column] == 1)
    return PyList_New (0);
  if (!tsr_py_report_get_tiles (self, &per_replica, &replicas))
    return NULL;
  values = g_new0 (guint32, per_replica);
  if (refs[at].id != TSR_UNKNOWN
      && !tsr_py_report_read_array (self, refs[at].id, (guint)per_replica, values, &found))
    return NULL;
  if (refs[at].id != TSR_UNKNOWN && !found)
    return tsr_py_missing (self, "tile_arrays.data");
  return tsr_py_int_list (values, (guint)per_replica, (guint)replicas);
}

/* ------------------------------------------------------------------- slices */

/* Pages have the columns that were asked for so far: a script reads few of them. */
static TsrExactPage *
find_page (TsrPyReport *self, guint32 step, TsrExactColumn column)
{
  GError *error = NULL;
  TsrExactPage *page = NULL;
  guint place = self->next_page;
  guint wanted;

  for (guint i = 0; i < TSR_PY_PAGES; i++)
    {
      page = self->pages[i];
      if (page == NULL || step - page->first_step >= page->n_steps)
        continue;
      if (page->values[column] != NULL)
        {
          self->last_page = i;
          return page;
        }
      place = i;
    }
  self->asked |= 1u << column;
  wanted = self->asked;
  Py_BEGIN_ALLOW_THREADS g_mutex_lock (&self->reader_lock);
  page = tsr_exact_reader_read_page (
      self->exact, step / tsr_exact_reader_get_page_steps (self->exact), wanted, &error);
  g_mutex_unlock (&self->reader_lock);
  Py_END_ALLOW_THREADS if (page == NULL)
  {
    tsr_py_raise (error);
    return NULL;
  }
  if (place == self->next_page)
    self->next_page = (self->next_page + 1) % TSR_PY_PAGES;
  g_free (self->pages[place]);
  self->pages[place] = page;
  self->last_page = place;
  return page;
}

gboolean
tsr_py_report_get_slice (
    TsrPyReport *self, guint32 step, guint32 ipu, TsrExactColumn column, TsrExactValue *value)
{
  const TsrExactPage *page;

  if (!tsr_py_report_need (self, TSR_PY_BIT (EXACT)))
    return FALSE;
  page = self->pages[self->last_page];
  if (page == NULL || step - page->first_step >= page->n_steps || page->values[column] == NULL)
    page = find_page (self, step, column);
  if (page == NULL)
    return FALSE;
  if (ipu >= page->n_ipus)
    {
      PyErr_SetString (PyExc_IndexError, "there is no such IPU");
      return FALSE;
    }
  *value = page->values[column][(gsize)(step - page->first_step) * page->n_ipus + ipu];
  return TRUE;
}

/* ------------------------------------------------------------------ opening */

static TsrRemote remote; /* of this process; under the GIL */
static gint64 remote_pid;

static void
close_remote (void)
{
  if (remote.connections == NULL || remote_pid != this_process)
    return;
  tsr_remote_place_flush ();
  tsr_connections_close_all (remote.connections);
}

typedef struct
{
  TsrPlace *place, *debug_place;
  char *path, *debug_path;
  TsrReport *report;
} Opening;

static gboolean
open_report (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  Opening *opening = data;

  opening->report = tsr_report_open_sync (
      opening->place, opening->path, TSR_LOAD_SUMMARY_ONLY | TSR_LOAD_NO_SCAN, cancellable, error);
  if (opening->report != NULL && opening->debug_place != NULL)
    self->debug_source
        = tsr_place_open (opening->debug_place, opening->debug_path, cancellable, error);
  return opening->report != NULL && (opening->debug_place == NULL || self->debug_source != NULL);
}

/* (transfer full): the place of @text and its @path there; NULL with an exception. */
static TsrPlace *
open_place (TsrPyReport *self, const char *text, char **path)
{
  GError *error = NULL;
  TsrPlace *place;

  if (!tsr_ssh_address_is_one (text))
    {
      *path = g_canonicalize_filename (text, NULL);
      return tsr_local_place_new ();
    }
  self->is_remote = TRUE;
  if (remote.connections == NULL || remote_pid != this_process)
    {
      g_autoptr (TsrAsker) asker = tsr_asker_new_silent ();

      remote.connections = tsr_connections_new (asker, NULL);
      remote.cache = tsr_block_cache_new (NULL, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
      if (remote_pid == 0)
        Py_AtExit (close_remote);
      remote_pid = this_process;
    }
  place = tsr_location_open (&remote, text, path, &error);
  if (place == NULL)
    tsr_py_raise (error);
  return place;
}

gboolean
tsr_py_report_open (TsrPyReport *self, const char *path, const char *debug)
{
  Opening opening = { 0 };
  GError *error = NULL;
  gboolean ok;

  self->pid = this_process;
  g_mutex_init (&self->lock);
  g_cond_init (&self->loaded);
  g_mutex_init (&self->reader_lock);
  g_queue_init (&self->series);
  opening.place = open_place (self, path, &opening.path);
  if (opening.place != NULL && debug != NULL)
    opening.debug_place = open_place (self, debug, &opening.debug_path);
  ok = opening.place != NULL && (debug == NULL || opening.debug_place != NULL)
       && tsr_py_report_run (self, open_report, &opening, &error);
  if (error != NULL)
    tsr_py_raise (error);
  if (ok)
    self->report = g_steal_pointer (&opening.report);
  g_clear_object (&opening.report);
  g_clear_object (&opening.place);
  g_clear_object (&opening.debug_place);
  g_free (opening.path);
  g_free (opening.debug_path);
  return ok;
}

static void
series_free (gpointer data)
{
  TsrPySeries *series = data;

  g_free (series->bytes);
  g_free (series);
}

void
tsr_py_report_clear (TsrPyReport *self)
{
  gboolean own = self->pid == this_process;

  for (guint i = 0; i < TSR_PY_N_PARTS; i++)
    g_clear_error (&self->errors[i]);
  for (guint i = 0; i < TSR_PY_PAGES; i++)
    g_free (self->pages[i]);
  g_clear_pointer (&self->own_debug, tsr_debug_tables_free);
  g_clear_pointer (&self->own_steps, tsr_execution_tables_free);
  g_clear_pointer (&self->analyses, g_ptr_array_unref);
  g_free (self->run_start);
  g_free (self->run_end);
  g_clear_pointer (&self->tile_cycles, g_array_unref);
  g_free (self->touched_start);
  g_free (self->touched);
  g_free (self->allocated_start);
  g_free (self->allocated);
  g_free (self->vertex_code);
  g_clear_pointer (&self->brief, tsr_lowered_tables_free);
  g_free (self->sizes);
  g_free (self->offsets);
  g_free (self->lowered_ids);
  g_free (self->step_ids);
  g_queue_clear_full (&self->series, series_free);
  g_clear_pointer (&self->series_of, g_hash_table_unref);
  if (self->has_live)
    {
      tsr_live_axis_clear (&self->axis);
      tsr_live_sums_clear (&self->sums);
    }
  /* In a fork, what belongs to the parent stays as it is. */
  if (!own)
    return;
  g_clear_pointer (&self->exact, tsr_exact_reader_free);
  g_clear_object (&self->reader);
  g_clear_object (&self->debug_source);
  g_clear_object (&self->report);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->loaded);
  g_mutex_clear (&self->reader_lock);
}
