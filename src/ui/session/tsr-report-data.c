/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each input of a node (stage, node, option) has a number that only grows, so their sum is another
 * one whenever an input is: a node is computed when its sum is not the one of its last computation.
 * A result whose cancellable is not the one that is wanted any more is dropped. */

#include "config.h"

#include "tsr-report-data.h"

#include "tsr-task.h"

typedef struct
{
  gpointer value;        /* (nullable) */
  guint version;         /* counts changes of the value */
  GCancellable *running; /* (nullable): of the computation that is wanted */
  guint64 sum;           /* of the inputs of the last computation; 0: there was none */
} Node;

struct _TsrReportData
{
  GObject parent_instance;

  TsrReport *report;
  const TsrDataKind *kinds;
  Node nodes[TSR_N_DATA];
  guint options[TSR_N_DATA_OPTIONS];
  guint option_versions[TSR_N_DATA_OPTIONS];
  guint asked; /* nodes, a bit each */
};

G_DEFINE_FINAL_TYPE (TsrReportData, tsr_report_data, G_TYPE_OBJECT)

static guint changed_signal;

/* ------------------------------------------------------------------ the table */

#define STAGE(stage) (1u << TSR_STAGE_##stage)
#define NODE(node)   (1u << TSR_DATA_##node)

static gboolean
has_totals (TsrReport *report)
{
  return tsr_report_is_on_demand (report) && tsr_report_get_memory_tables (report) != NULL;
}

static gpointer
compute_memory (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  guint tiles_per_ipu = inputs->options[TSR_DATA_OPTION_TILES_PER_IPU];

  if (tiles_per_ipu > 0)
    return tsr_memory_new_with_tiles_per_ipu (inputs->report, tiles_per_ipu);
  return tsr_memory_new (inputs->report);
}

static gpointer
compute_liveness (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  g_autoptr (TsrVariables) variables = tsr_variables_new (inputs->report, cancellable, NULL);

  if (variables == NULL)
    return NULL;
  return tsr_liveness_new (inputs->report, inputs->values[TSR_DATA_MEMORY], variables);
}

static gpointer
compute_vertices (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_vertices_new (inputs->report, inputs->values[TSR_DATA_MEMORY]);
}

static gpointer
compute_trace (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_trace_new (inputs->report, cancellable, NULL);
}

static TsrOperations *
new_operations (const TsrDataInputs *inputs, const char *layer, GCancellable *cancellable)
{
  TsrLiveness *liveness = inputs->values[TSR_DATA_LIVENESS];

  return tsr_operations_new (
      inputs->values[TSR_DATA_PROGRAMS], tsr_report_get_debug_tables (inputs->report), layer,
      inputs->values[TSR_DATA_MEMORY],
      liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL, cancellable, NULL);
}

static gpointer
compute_first_operations (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  g_auto (GStrv) layers = tsr_operations_dup_layers (tsr_report_get_debug_tables (inputs->report));

  return layers[0] != NULL ? new_operations (inputs, layers[0], cancellable) : NULL;
}

static gpointer
compute_insights (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_insights_new_with_operations (
      inputs->report, inputs->values[TSR_DATA_MEMORY], inputs->values[TSR_DATA_LIVENESS],
      inputs->values[TSR_DATA_VERTICES], inputs->values[TSR_DATA_TRACE],
      inputs->values[TSR_DATA_FIRST_OPERATIONS], inputs->options[TSR_DATA_OPTION_UNITS], NULL,
      cancellable, NULL);
}

static gpointer
compute_programs (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_programs_new (inputs->report, cancellable, NULL);
}

static gpointer
compute_program_code (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_program_code_new (inputs->values[TSR_DATA_PROGRAMS], inputs->values[TSR_DATA_VERTICES],
                               tsr_program_code_find_worst_tile (inputs->values[TSR_DATA_MEMORY]),
                               cancellable, NULL);
}

static gpointer
compute_operations (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  TsrOperations *first = inputs->values[TSR_DATA_FIRST_OPERATIONS];
  const GQuark layer = inputs->options[TSR_DATA_OPTION_LAYER];

  if (layer == 0 || g_str_equal (g_quark_to_string (layer), tsr_operations_get_layer (first)))
    return tsr_operations_ref (first);
  return new_operations (inputs, g_quark_to_string (layer), cancellable);
}

static gpointer
compute_plan (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_plan_new (inputs->report, inputs->values[TSR_DATA_MEMORY],
                       inputs->values[TSR_DATA_LIVENESS], inputs->options[TSR_DATA_OPTION_UNITS],
                       cancellable, NULL);
}

static gpointer
compute_trace_live (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  return tsr_trace_live_new (inputs->values[TSR_DATA_TRACE], inputs->values[TSR_DATA_LIVENESS],
                             cancellable, NULL);
}

static const TsrDataKind data_kinds[TSR_N_DATA] = {
  [TSR_DATA_MEMORY] = {
    .name = "memory",
    .stages = STAGE (MEMORY),
    .options = 1u << TSR_DATA_OPTION_TILES_PER_IPU,
    .is_early = has_totals,
    .compute = compute_memory,
    .ref = (GBoxedCopyFunc)tsr_memory_ref,
    .unref = (GDestroyNotify)tsr_memory_unref,
  },
  [TSR_DATA_LIVENESS] = {
    .name = "liveness",
    .stages = STAGE (LIVENESS),
    .also_stages = STAGE (LOWERED),
    .nodes = NODE (MEMORY),
    .compute = compute_liveness,
    .ref = (GBoxedCopyFunc)tsr_liveness_ref,
    .unref = (GDestroyNotify)tsr_liveness_unref,
  },
  [TSR_DATA_VERTICES] = {
    .name = "vertices",
    .stages = STAGE (PROGRAMS),
    .nodes = NODE (MEMORY),
    .compute = compute_vertices,
    .ref = (GBoxedCopyFunc)tsr_vertices_ref,
    .unref = (GDestroyNotify)tsr_vertices_unref,
  },
  /* The programs come before, with their names at least. */
  [TSR_DATA_TRACE] = {
    .name = "trace",
    .stages = STAGE (EXECUTION),
    .compute = compute_trace,
    .ref = (GBoxedCopyFunc)tsr_trace_ref,
    .unref = (GDestroyNotify)tsr_trace_unref,
  },
  [TSR_DATA_PROGRAMS] = {
    .name = "programs",
    .stages = STAGE (PROGRAMS),
    .also_stages = STAGE (LIVENESS) | STAGE (EXECUTION),
    .is_on_request = TRUE,
    .compute = compute_programs,
    .ref = (GBoxedCopyFunc)tsr_programs_ref,
    .unref = (GDestroyNotify)tsr_programs_unref,
  },
  [TSR_DATA_FIRST_OPERATIONS] = {
    .name = "first-operations",
    .stages = STAGE (DEBUG),
    .nodes = NODE (PROGRAMS) | NODE (MEMORY),
    .also_nodes = NODE (LIVENESS),
    .ended_nodes = NODE (PROGRAMS) | NODE (LIVENESS),
    .is_on_request = TRUE,
    .compute = compute_first_operations,
    .ref = (GBoxedCopyFunc)tsr_operations_ref,
    .unref = (GDestroyNotify)tsr_operations_unref,
  },
  [TSR_DATA_INSIGHTS] = {
    .name = "insights",
    .ended_stages = STAGE (DEBUG),
    .nodes = NODE (MEMORY),
    .settled_nodes = NODE (MEMORY) | NODE (LIVENESS) | NODE (VERTICES) | NODE (TRACE),
    .ended_nodes = NODE (FIRST_OPERATIONS),
    .options = 1u << TSR_DATA_OPTION_UNITS,
    .is_on_request = TRUE,
    .compute = compute_insights,
    .ref = (GBoxedCopyFunc)tsr_insights_ref,
    .unref = (GDestroyNotify)tsr_insights_unref,
  },
  [TSR_DATA_PROGRAM_CODE] = {
    .name = "program-code",
    .nodes = NODE (PROGRAMS) | NODE (VERTICES) | NODE (MEMORY),
    .is_on_request = TRUE,
    .compute = compute_program_code,
    .ref = (GBoxedCopyFunc)tsr_program_code_ref,
    .unref = (GDestroyNotify)tsr_program_code_unref,
  },
  [TSR_DATA_OPERATIONS] = {
    .name = "operations",
    .stages = STAGE (DEBUG),
    .nodes = NODE (PROGRAMS) | NODE (MEMORY) | NODE (FIRST_OPERATIONS),
    .also_nodes = NODE (LIVENESS),
    .options = 1u << TSR_DATA_OPTION_LAYER,
    .is_on_request = TRUE,
    .compute = compute_operations,
    .ref = (GBoxedCopyFunc)tsr_operations_ref,
    .unref = (GDestroyNotify)tsr_operations_unref,
  },
  [TSR_DATA_PLAN] = {
    .name = "plan",
    .also_stages = STAGE (PROGRAMS),
    .ended_stages = STAGE (PROGRAMS),
    .nodes = NODE (MEMORY),
    .settled_nodes = NODE (MEMORY) | NODE (LIVENESS),
    .options = 1u << TSR_DATA_OPTION_UNITS,
    .is_on_request = TRUE,
    .compute = compute_plan,
    .ref = (GBoxedCopyFunc)tsr_plan_ref,
    .unref = (GDestroyNotify)tsr_plan_unref,
  },
  [TSR_DATA_TRACE_LIVE] = {
    .name = "trace-live",
    .nodes = NODE (TRACE) | NODE (LIVENESS),
    .is_on_request = TRUE,
    .compute = compute_trace_live,
    .ref = (GBoxedCopyFunc)tsr_trace_live_ref,
    .unref = (GDestroyNotify)tsr_trace_live_unref,
  },
};

const TsrDataKind *
tsr_report_data_peek_kinds (void)
{
  return data_kinds;
}

/* ------------------------------------------------------------------ inputs */

static gboolean
is_ready (TsrReportData *self, TsrStage stage)
{
  return tsr_report_get_stage_state (self->report, stage) == TSR_STAGE_READY;
}

static gboolean
has_ended (TsrReportData *self, TsrStage stage)
{
  return is_ready (self, stage)
         || tsr_report_get_stage_state (self->report, stage) == TSR_STAGE_FAILED;
}

/* How many of @stages are. */
static guint
count_stages (TsrReportData *self,
              guint stages,
              gboolean (*are) (TsrReportData *self, TsrStage stage))
{
  guint n = 0;

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    n += (stages & 1u << stage) != 0 && are (self, stage);
  return n;
}

static gboolean
are_all (TsrReportData *self, guint stages, gboolean (*are) (TsrReportData *self, TsrStage stage))
{
  return count_stages (self, stages, are) == (guint)__builtin_popcount (stages);
}

/* Of @node, for which nobody waits where reading is slow. */
static guint
get_ended_nodes (TsrReportData *self, TsrData node)
{
  return tsr_report_is_on_demand (self->report) ? 0 : self->kinds[node].ended_nodes;
}

static guint
get_sources (TsrReportData *self, TsrData node)
{
  const TsrDataKind *kind = &self->kinds[node];

  return kind->nodes | kind->also_nodes | kind->settled_nodes | get_ended_nodes (self, node);
}

static guint64
get_sum (TsrReportData *self, TsrData node)
{
  const TsrDataKind *kind = &self->kinds[node];
  guint64 sum = 1;

  for (guint i = 0; i < TSR_N_DATA; i++)
    sum += (get_sources (self, node) & 1u << i) != 0 ? self->nodes[i].version : 0;
  for (guint i = 0; i < TSR_N_DATA_OPTIONS; i++)
    sum += (kind->options & 1u << i) != 0 ? self->option_versions[i] : 0;
  return sum + count_stages (self, kind->stages, is_ready)
         + count_stages (self, kind->also_stages, has_ended);
}

/* Not counted in the sum: the node is not computed before. */
static gboolean
has_waited (TsrReportData *self, TsrData node)
{
  return tsr_report_is_on_demand (self->report)
         || are_all (self, self->kinds[node].ended_stages, has_ended);
}

/* All of @nodes. */
static gboolean
are_settled (TsrReportData *self, guint nodes)
{
  for (guint i = 0; i < TSR_N_DATA; i++)
    if ((nodes & 1u << i) != 0 && !tsr_report_data_is_settled (self, i))
      return FALSE;
  return TRUE;
}

/* All that it needs is there, but for what it asks for last. */
static gboolean
has_most (TsrReportData *self, TsrData node)
{
  const TsrDataKind *kind = &self->kinds[node];

  if (kind->is_on_request && (self->asked & 1u << node) == 0)
    return FALSE;
  if (!are_all (self, kind->stages, is_ready)
      && (kind->is_early == NULL || !kind->is_early (self->report)))
    return FALSE;
  if (!has_waited (self, node))
    return FALSE;
  for (guint i = 0; i < TSR_N_DATA; i++)
    if ((kind->nodes & 1u << i) != 0 && self->nodes[i].value == NULL)
      return FALSE;
  return are_settled (self, kind->settled_nodes);
}

static gboolean
can_start (TsrReportData *self, TsrData node)
{
  return has_most (self, node) && are_settled (self, get_ended_nodes (self, node));
}

gboolean
tsr_report_data_is_settled (TsrReportData *self, TsrData node)
{
  g_return_val_if_fail (TSR_IS_REPORT_DATA (self) && node < TSR_N_DATA, FALSE);

  if (self->report == NULL)
    return TRUE;
  return are_settled (self, get_sources (self, node)) && self->nodes[node].running == NULL
         && has_waited (self, node)
         && are_all (self, self->kinds[node].stages | self->kinds[node].also_stages, has_ended)
         && (!can_start (self, node) || self->nodes[node].sum == get_sum (self, node));
}

/* ------------------------------------------------------------------ computing */

typedef struct
{
  const TsrDataKind *kinds;
  TsrDataInputs inputs; /* with references of its own */
  GCancellable *cancellable;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->inputs.report);
  for (guint i = 0; i < TSR_N_DATA; i++)
    g_clear_pointer (&job->inputs.values[i], job->kinds[i].unref);
  g_object_unref (job->cancellable);
  g_free (job);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  const TsrDataKind *kind = &job->kinds[job->inputs.node];

  g_task_return_pointer (task, kind->compute (&job->inputs, job->cancellable), kind->unref);
}

static void
stop (Node *node)
{
  if (node->running != NULL)
    g_cancellable_cancel (node->running);
  g_clear_object (&node->running);
}

static void
set_value (TsrReportData *self, TsrData node, gpointer value)
{
  stop (&self->nodes[node]);
  g_clear_pointer (&self->nodes[node].value, self->kinds[node].unref);
  self->nodes[node].value = value;
  self->nodes[node].version++;
}

/* Drops what was computed from @node, and what was computed from that; returns which had a value,
 * a bit each. */
static guint
drop_dependents (TsrReportData *self, TsrData node)
{
  guint changed = 1u << node, had_value = 0;

  for (guint i = 0; i < TSR_N_DATA; i++)
    if ((get_sources (self, i) & changed) != 0)
      {
        changed |= 1u << i;
        if (self->nodes[i].value != NULL)
          {
            had_value |= 1u << i;
            set_value (self, i, NULL);
          }
        stop (&self->nodes[i]);
      }
  return had_value;
}

static void update (TsrReportData *self);

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrReportData *self = TSR_REPORT_DATA (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  TsrData node = job->inputs.node;
  gpointer value = g_task_propagate_pointer (G_TASK (result), NULL);
  guint dropped;

  if (job->cancellable != self->nodes[node].running)
    {
      g_clear_pointer (&value, self->kinds[node].unref);
      return;
    }
  set_value (self, node, value);
  dropped = drop_dependents (self, node);
  for (guint i = 0; i < TSR_N_DATA; i++)
    if (((1u << node | dropped) & 1u << i) != 0)
      g_signal_emit (self, changed_signal, 0, (int)i);
  update (self);
}

static void
start (TsrReportData *self, TsrData node)
{
  Job *job = g_new0 (Job, 1);
  g_autoptr (GTask) task = g_task_new (self, NULL, on_done, NULL);

  stop (&self->nodes[node]);
  self->nodes[node].running = g_cancellable_new ();
  self->nodes[node].sum = get_sum (self, node);
  job->kinds = self->kinds;
  job->cancellable = g_object_ref (self->nodes[node].running);
  job->inputs.node = node;
  job->inputs.report = g_object_ref (self->report);
  memcpy (job->inputs.options, self->options, sizeof self->options);
  for (guint i = 0; i < TSR_N_DATA; i++)
    if ((get_sources (self, node) & 1u << i) != 0 && self->nodes[i].value != NULL)
      job->inputs.values[i] = self->kinds[i].ref (self->nodes[i].value);
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, job, job_free);
  tsr_task_run_in_thread (task, run);
}

/* And what they are computed from. */
static void
ask_for (TsrReportData *self, guint nodes)
{
  const guint new_ones = nodes & ~self->asked;

  self->asked |= nodes;
  for (guint i = 0; i < TSR_N_DATA; i++)
    if ((new_ones & 1u << i) != 0)
      ask_for (self,
               self->kinds[i].nodes | self->kinds[i].also_nodes | self->kinds[i].settled_nodes);
}

static void
update (TsrReportData *self)
{
  for (guint i = 0; i < TSR_N_DATA && self->report != NULL; i++)
    if (has_most (self, i))
      ask_for (self, get_ended_nodes (self, i));
  for (guint i = 0; i < TSR_N_DATA && self->report != NULL; i++)
    if (self->nodes[i].sum != get_sum (self, i) && can_start (self, i))
      start (self, i);
}

/* ------------------------------------------------------------------ object */

static void
tsr_report_data_dispose (GObject *object)
{
  TsrReportData *self = TSR_REPORT_DATA (object);

  for (guint i = 0; i < TSR_N_DATA; i++)
    set_value (self, i, NULL);
  if (self->report != NULL)
    g_signal_handlers_disconnect_by_data (self->report, self);
  g_clear_object (&self->report);
  G_OBJECT_CLASS (tsr_report_data_parent_class)->dispose (object);
}

static void
tsr_report_data_class_init (TsrReportDataClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_report_data_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
tsr_report_data_init (TsrReportData *self)
{
}

TsrReportData *
tsr_report_data_new (TsrReport *report,
                     const guint options[TSR_N_DATA_OPTIONS],
                     const TsrDataKind *kinds)
{
  TsrReportData *self;

  g_return_val_if_fail (TSR_IS_REPORT (report) && options != NULL, NULL);
  self = g_object_new (TSR_TYPE_REPORT_DATA, NULL);
  self->report = g_object_ref (report);
  self->kinds = kinds != NULL ? kinds : data_kinds;
  memcpy (self->options, options, sizeof self->options);
  g_signal_connect_swapped (report, "stage-changed", G_CALLBACK (update), self);
  update (self);
  return self;
}

gpointer
tsr_report_data_get (TsrReportData *self, TsrData node)
{
  g_return_val_if_fail (TSR_IS_REPORT_DATA (self) && node < TSR_N_DATA, NULL);
  return self->nodes[node].value;
}

void
tsr_report_data_ask (TsrReportData *self, TsrData node)
{
  g_return_if_fail (TSR_IS_REPORT_DATA (self) && node < TSR_N_DATA);
  ask_for (self, 1u << node);
  update (self);
}

void
tsr_report_data_set_option (TsrReportData *self, TsrDataOption option, guint value)
{
  g_return_if_fail (TSR_IS_REPORT_DATA (self) && option < TSR_N_DATA_OPTIONS);
  if (self->options[option] == value)
    return;
  self->options[option] = value;
  self->option_versions[option]++;
  update (self);
}
