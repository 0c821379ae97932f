/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything that a small report is asked, and the findings and plans of larger ones, against
 * figures.txt.  The figures themselves are compared with SQL and with loops in the tests of their
 * subjects; this one sees whatever they leave out: texts, orders, ties, odd values, and that each
 * answer can be cancelled at any time. */

#include "config.h"

#include "cancel-count.h"
#include "drawn-sql.h"
#include "golden.h"
#include "insights-report.h"
#include "trace-figures.h"
#include "tsr-check.h"
#include "tsr-operations.h"
#include "tsr-plan.h"
#include "tsr-programs.h"

#include <string.h>

#define I64     "%" G_GINT64_FORMAT
#define N_DRAWN 30 /* reports with numbers that are odd in a way that nobody thought of */

typedef struct
{
  AnalysisReport report;
  GString *out;
  TsrLivenessSource source;
  guint step;
  guint tiles[2];
  guint n_tiles;
  TsrPlan *plan;
  TsrMeasureSet set;
  guint32 program;
  gboolean is_brief; /* one layer of operations */
} Walk;

static void
add_values (Walk *self, const gint64 *values, gsize n)
{
  for (gsize i = 0; values != NULL && i < n; i++)
    g_string_append_printf (self->out, I64 " ", values[i]);
  g_string_append_c (self->out, '\n');
}

/* ------------------------------------------------------------------ memory */

static void
add_memory (Walk *self)
{
  TsrMemory *memory = self->report.memory;
  guint n;

  if (memory == NULL)
    return;
  n = tsr_memory_get_n_tiles (memory);
  g_string_append_printf (self->out, I64 " tiles an IPU, assumed %d\n",
                          tsr_memory_get_tiles_per_ipu (memory),
                          tsr_memory_is_tiles_per_ipu_assumed (memory));
  for (guint m = 0; m < TSR_N_METRICS; m++)
    {
      g_autofree guint *order = tsr_memory_dup_order (memory, TSR_ORDER_BYTES, m);
      TsrStatistics s = { 0 };

      add_values (self, tsr_memory_peek (memory, m), n);
      for (guint i = 0; order != NULL && i < n; i++)
        g_string_append_printf (self->out, "%u ", order[i]);
      if (tsr_memory_peek (memory, m) == NULL)
        continue;
      tsr_memory_get_statistics (tsr_memory_peek (memory, m), n, NULL, 0, &s);
      g_string_append_printf (self->out, I64 " " I64 " " I64 " " I64 " %.4f %u %u\n", s.sum, s.min,
                              s.max, s.median, s.mean, s.min_tile, s.max_tile);
    }
  for (guint c = 0; c < tsr_memory_get_n_categories (memory); c++)
    for (guint overlapped = 0; overlapped < 2; overlapped++)
      {
        g_autofree gint64 *bytes = tsr_memory_dup_category (memory, c, overlapped);

        g_string_append_printf (
            self->out, "%s|%s|%s|" I64 ":", tsr_memory_get_category_name (memory, c),
            tsr_memory_get_category_label (memory, c), tsr_memory_get_category_meaning (memory, c),
            tsr_memory_get_category_allocated (memory, c));
        add_values (self, bytes, n);
      }
  for (guint t = 0; t < n; t++)
    g_string_append_printf (self->out, "%u " I64 " %u\n", tsr_memory_get_ipu (memory, t),
                            tsr_memory_get_need (memory, t),
                            tsr_memory_find_median_tile (memory, t));
}

/* ------------------------------------------------------------------ variables and liveness */

static gboolean
read_variables (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autoptr (TsrVariables) variables = tsr_variables_new (self->report.report, cancellable, error);

  return variables != NULL;
}

static void
add_lifetimes (Walk *self, GArray *lifetimes)
{
  for (guint i = 0; lifetimes != NULL && i < lifetimes->len; i++)
    {
      const TsrLifetime *life = &g_array_index (lifetimes, TsrLifetime, i);

      g_string_append_printf (self->out, "[%u, %u) " I64 " ", life->from, life->to, life->bytes);
    }
  g_string_append_c (self->out, '\n');
  g_clear_pointer (&lifetimes, g_array_unref);
}

static void
add_variables (Walk *self)
{
  TsrVariables *variables = self->report.variables;
  const guint tiles[] = { 1, 4 };

  if (variables == NULL)
    return;
  g_string_append_printf (self->out, "looks %u\n",
                          cancel_count_walk ("variables", read_variables, self));
  for (guint v = 0; v < tsr_variables_get_n (variables); v++)
    {
      g_autofree gint64 *bytes = tsr_variables_dup_bytes_by_tile (variables, v);
      gsize n_rows = 0;
      const guint32 *rows = tsr_variables_peek_lowered (variables, v, &n_rows);

      g_string_append_printf (
          self->out, "%s|" I64 "|%d|%.6f|%s|%s|%s|" I64 "|%d|%u\n",
          tsr_variables_get_name (variables, v), tsr_variables_get_bytes (variables, v),
          tsr_variables_get_life (variables, v), tsr_variables_get_live_share (variables, v),
          tsr_variables_get_category (variables, v), tsr_variables_get_element_type (variables, v),
          tsr_variables_get_shape (variables, v), tsr_variables_get_debug_id (variables, v),
          tsr_variables_is_compiler_made (variables, v),
          tsr_variables_find (variables, tsr_variables_get_name (variables, v)));
      add_values (self, bytes, tsr_memory_get_n_tiles (self->report.memory));
      for (gsize i = 0; i < n_rows; i++)
        g_string_append_printf (self->out, "%u ", rows[i]);
      add_lifetimes (self, tsr_variables_dup_lifetimes (variables, v, NULL, 0));
      add_lifetimes (self, tsr_variables_dup_lifetimes (variables, v, tiles, 2));
    }
}

static gboolean
compute_series (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  TsrLiveness *liveness = self->report.liveness;
  g_autoptr (TsrLivenessSeries) series
      = tsr_liveness_compute (liveness, &self->source, cancellable, error);

  if (series == NULL)
    return FALSE;
  add_values (self, series->not_always_live, series->n_steps);
  g_string_append_printf (self->out, I64 " " I64 " %u " I64 "\n", series->always_live,
                          series->capacity, series->peak_step, series->peak_bytes);
  for (guint most = 1; most < 9; most += 3)
    {
      g_autoptr (GArray) peaks = tsr_liveness_find_peaks (series, most);
      g_autoptr (GArray) programs = tsr_liveness_find_peak_programs (liveness, series, most);

      for (guint i = 0; i < peaks->len + programs->len; i++)
        {
          const TsrPeak *p = i < peaks->len ? &g_array_index (peaks, TsrPeak, i)
                                            : &g_array_index (programs, TsrPeak, i - peaks->len);

          g_string_append_printf (self->out, "peak %u %u %u " I64 " %u\n", p->step, p->from, p->to,
                                  p->bytes, p->n);
        }
    }
  return TRUE;
}

static gboolean
add_list (Walk *self, GArray *list)
{
  for (guint i = 0; list != NULL && i < list->len; i++)
    g_string_append_printf (self->out, "%u:" I64 " ",
                            g_array_index (list, TsrVariableBytes, i).variable,
                            g_array_index (list, TsrVariableBytes, i).bytes);
  g_string_append_c (self->out, '\n');
  g_clear_pointer (&list, g_array_unref);
  return TRUE;
}

static gboolean
list_always (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  GArray *list
      = tsr_liveness_list_always_live (self->report.liveness, &self->source, cancellable, error);

  return list != NULL && add_list (self, list);
}

static gboolean
list_at (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  GArray *list
      = tsr_liveness_list_at (self->report.liveness, &self->source, self->step, cancellable, error);

  return list != NULL && add_list (self, list);
}

static gboolean
list_dying (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  GArray *list = tsr_liveness_list_dying (self->report.liveness, &self->source, self->step,
                                          self->step + 5, cancellable, error);

  return list != NULL && add_list (self, list);
}

static gboolean
sum_of (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  const guint32 variables[] = { 2, 5, 6, 9, 12, 13, 15 };
  GArray *sum = tsr_liveness_dup_sum_of (self->report.liveness, &self->source, variables,
                                         G_N_ELEMENTS (variables), cancellable, error);

  if (sum != NULL)
    add_lifetimes (self, sum);
  return sum != NULL;
}

static gboolean
tiles_at (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autofree gint64 *bytes
      = tsr_liveness_dup_tiles_at (self->report.liveness, self->step, cancellable, error);

  add_values (self, bytes, tsr_memory_get_n_tiles (self->report.memory));
  return bytes != NULL;
}

static gboolean
category_at (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autofree gint64 *bytes = tsr_liveness_dup_category_at (
      self->report.liveness, self->step % tsr_memory_get_n_categories (self->report.memory),
      self->step, cancellable, error);

  add_values (self, bytes, tsr_memory_get_n_tiles (self->report.memory));
  return bytes != NULL;
}

static gboolean
at_peaks (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autofree gint64 *bytes
      = tsr_liveness_dup_categories_at_peaks (self->report.liveness, cancellable, error);
  const gint64 *peaks = NULL;
  const guint32 *steps = NULL;

  if (bytes == NULL)
    return FALSE;
  add_values (self, bytes,
              (gsize)(tsr_memory_get_n_categories (self->report.memory) + 1)
                  * tsr_memory_get_n_tiles (self->report.memory));
  if (tsr_liveness_get_tile_peaks (self->report.liveness, &peaks, &steps, NULL, NULL))
    for (guint t = 0; t < tsr_memory_get_n_tiles (self->report.memory); t++)
      g_string_append_printf (self->out, I64 " %u ", peaks[t], steps[t]);
  return TRUE;
}

typedef gboolean (*Run) (gpointer data, GCancellable *cancellable, GError **error);

static void
add_looks (Walk *self, const char *what, Run run)
{
  g_string_append_printf (self->out, "looks %u\n", cancel_count_walk (what, run, self));
}

static void
add_liveness (Walk *self)
{
  static const char *const sources[] = { "all", "ipu0", "1,2,5" };

  if (self->report.liveness == NULL || tsr_liveness_get_n_steps (self->report.liveness) == 0)
    return;
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *why = NULL;

      /* Tiles that it has not. */
      if (!tsr_liveness_source_parse (self->report.memory, sources[s], &self->source, &error))
        {
          g_string_append_printf (self->out, "%s\n", error->message);
          continue;
        }
      if (tsr_liveness_can_show (self->report.liveness, &self->source, &why))
        {
          g_autofree char *text = tsr_liveness_source_dup_text (&self->source);
          g_autofree char *label = tsr_liveness_source_dup_label (&self->source);

          g_string_append_printf (self->out, "%s %s\n", text, label);
          add_looks (self, "series", compute_series);
          add_looks (self, "always live", list_always);
          for (self->step = 0; self->step < 20; self->step += 3)
            {
              add_looks (self, "live at", list_at);
              add_looks (self, "dying", list_dying);
            }
          add_looks (self, "sum of", sum_of);
        }
      g_string_append_printf (self->out, "why: %s\n", why);
      tsr_liveness_source_clear (&self->source);
    }
  if (!tsr_liveness_has_lowered (self->report.liveness))
    return;
  for (self->step = 0; self->step < 20; self->step += 3)
    {
      add_looks (self, "tiles at", tiles_at);
      add_looks (self, "category at", category_at);
    }
  add_looks (self, "categories at peaks", at_peaks);
}

/* ------------------------------------------------------------------ programs */

static gboolean
list_vertices (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  const guint *tiles = self->n_tiles > 0 ? self->tiles : NULL;
  g_autoptr (GArray) list
      = tsr_vertices_list (self->report.vertices, tiles, self->n_tiles, cancellable, error);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const TsrVertexRow *row = &g_array_index (list, TsrVertexRow, i);

      g_string_append_printf (self->out, "%u " I64 " " I64 " " I64 " %u\n", row->type, row->count,
                              row->state_bytes, row->code_bytes, row->n_compute_sets);
    }
  return list != NULL;
}

static gboolean
list_sets (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  const guint *tiles = self->n_tiles > 0 ? self->tiles : NULL;
  g_autoptr (GArray) list = tsr_vertices_list_compute_sets (self->report.vertices, tiles,
                                                            self->n_tiles, cancellable, error);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const TsrComputeSetRow *row = &g_array_index (list, TsrComputeSetRow, i);

      g_string_append_printf (self->out, "%u " I64 " " I64 " %u " I64 " " I64 "\n",
                              row->compute_set, row->count, row->state_bytes, row->n_types,
                              row->estimated_cycles, row->flops);
    }
  return list != NULL;
}

static gboolean
list_exchanges (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  const guint *tiles = self->n_tiles > 0 ? self->tiles : NULL;
  g_autoptr (GArray) list = tsr_vertices_list_exchanges (self->report.vertices, tiles,
                                                         self->n_tiles, cancellable, error);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const TsrExchangeRow *row = &g_array_index (list, TsrExchangeRow, i);

      g_string_append_printf (self->out, "%u " I64 " " I64 " " I64 " " I64 "\n", row->program,
                              row->code_bytes, row->executions, row->cycles, row->bytes);
    }
  return list != NULL;
}

static gboolean
read_programs (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autoptr (TsrPrograms) programs = tsr_programs_new (self->report.report, cancellable, error);

  return programs != NULL;
}

static void
add_programs (Walk *self)
{
  g_autoptr (TsrPrograms) programs = NULL;
  guint n_roots = 0;
  const TsrProgramRoot *roots;

  if (self->report.vertices == NULL)
    return;
  self->tiles[0] = 1;
  self->tiles[1] = 6;
  for (self->n_tiles = 0; self->n_tiles <= 2; self->n_tiles++)
    {
      add_looks (self, "vertices", list_vertices);
      add_looks (self, "compute sets", list_sets);
      add_looks (self, "exchanges", list_exchanges);
    }
  add_looks (self, "programs", read_programs);
  programs = tsr_programs_new (self->report.report, NULL, NULL);
  if (programs == NULL)
    return;
  roots = tsr_programs_peek_roots (programs, &n_roots);
  for (guint i = 0; i < n_roots; i++)
    g_string_append_printf (self->out, "root %u %u %d\n", roots[i].program, roots[i].step,
                            roots[i].kind);
  for (guint32 p = 0; p < tsr_programs_get_n (programs); p++)
    {
      g_autoptr (GArray) below = tsr_programs_find_below (programs, p);
      guint32 first, end;

      g_string_append_printf (
          self->out, "%s|%s|%s|" I64 "|%d|%u|%u|%u:", tsr_programs_get_label (programs, p),
          tsr_programs_get_type (programs, p), tsr_programs_get_name (programs, p),
          tsr_programs_get_repeats (programs, p), tsr_programs_is_repeated (programs, p),
          tsr_programs_get_n_parents (programs, p), below->len,
          tsr_programs_peek_order (programs)[p]);
      for (guint f = 0; f < TSR_N_PROGRAM_FIGURES; f++)
        g_string_append_printf (self->out, " " I64, tsr_programs_get (programs, p, f));
      tsr_programs_get_edges (programs, p, &first, &end);
      for (guint32 e = first; e < end; e++)
        g_string_append_printf (self->out, " [%u %d %u %.6f]", tsr_programs_get_child (programs, e),
                                tsr_programs_is_cut (programs, e),
                                tsr_programs_find_parent (programs, e),
                                tsr_programs_get_part (programs, p, e));
      g_string_append_c (self->out, '\n');
    }
}

/* -------------------------------------------------------------- operations */

/* What an operation is, costs, holds and hands on. */
static void
add_operation (Walk *self, TsrOperations *operations, guint i)
{
  g_auto (GStrv) largest = tsr_operations_dup_largest (operations, i);
  g_autofree char *names = largest != NULL ? g_strjoinv ("|", largest) : NULL;
  guint n = 0;

  g_string_append_printf (
      self->out, "%s|%s|%s|%.6f %.6f %u:", tsr_operations_get_name (operations, i),
      tsr_operations_get_api (operations, i), names, tsr_operations_get_balance (operations, i),
      tsr_operations_get_gflops (operations, i), tsr_operations_find_costliest (operations, i));
  tsr_operations_get_replaced (operations, i, &n);
  for (guint f = 0; f < TSR_N_OPERATION_FIGURES; f++)
    g_string_append_printf (self->out, " " I64, tsr_operations_get (operations, i, f));
  g_string_append_printf (self->out, " replaces %u\n", n);
  for (guint produced = 0; produced < 2; produced++)
    {
      g_autoptr (GArray) edges
          = tsr_operations_dup_edges (operations, i, produced == 1, NULL, NULL);

      for (guint e = 0; edges != NULL && e < edges->len; e++)
        {
          const TsrOperationEdge *edge = &g_array_index (edges, TsrOperationEdge, e);

          g_string_append_printf (self->out, "%u to %u: %u %s " I64 " %u\n", edge->from, edge->to,
                                  edge->variable, edge->name, edge->bytes, edge->kinds);
        }
    }
  for (guint what = 0; what < TSR_N_OPERATION_BY_TILE; what++)
    {
      g_autofree gint64 *values = tsr_operations_dup_by_tile (operations, i, what, &n, NULL, NULL);

      if (values != NULL)
        add_values (self, values, n);
    }
}

static void
add_operations (Walk *self)
{
  const AnalysisReport *r = &self->report;
  const TsrDebugTables *debug = tsr_report_get_debug_tables (r->report);
  g_autoptr (TsrPrograms) programs = NULL;
  g_auto (GStrv) layers = debug != NULL ? tsr_operations_dup_layers (debug) : NULL;

  if (r->vertices == NULL || layers == NULL)
    return;
  programs = tsr_programs_new (r->report, NULL, NULL);
  if (programs == NULL)
    return;
  for (char **layer = layers; *layer != NULL && (layer == layers || !self->is_brief); layer++)
    {
      g_autoptr (TsrOperations) operations
          = tsr_operations_new (programs, debug, *layer, r->memory, r->variables, NULL, NULL);

      if (operations == NULL)
        continue;
      tsr_operations_read_worst_code (operations, NULL, NULL);
      tsr_operations_read_records (operations, NULL, NULL);
      g_string_append_printf (self->out, "%s %s:", *layer, tsr_operations_get_layer_title (*layer));
      for (guint f = 0; f < TSR_N_OPERATION_FIGURES; f++)
        g_string_append_printf (self->out, " " I64, tsr_operations_get_total (operations, f));
      g_string_append_c (self->out, '\n');
      for (guint i = 0; i < tsr_operations_get_n (operations); i++)
        add_operation (self, operations, i);
    }
}

/* ------------------------------------------------------------------ search */

static void
on_found (gpointer data, const TsrFound *found, guint n_found)
{
  Walk *self = data;

  for (guint i = 0; i < n_found; i++)
    g_string_append_printf (self->out, "%d %u %u %s " I64 " %d %s\n", found[i].kind, found[i].index,
                            found[i].step, found[i].name, found[i].bytes, found[i].match,
                            found[i].layer);
}

static gboolean
search (gpointer data, GCancellable *cancellable, GError **error)
{
  static const char *const texts[] = { "fc", "E", "tile 3", "ipu 1", "2", "conv fc", "weight" };
  Walk *self = data;
  g_autoptr (TsrSearch) made = tsr_search_new (self->report.report, self->report.memory,
                                               self->report.variables, G_MAXUINT);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!tsr_search_run (made, texts[i], 4 + 8 * (i % 3), on_found, self, cancellable, error))
      return FALSE;
  return TRUE;
}

static void
add_search (Walk *self)
{
  add_looks (self, "search", search);
}

/* ------------------------------------------------------------------ insights */

static void
add_finding (Walk *self, const TsrFinding *f)
{
  g_autofree char *markdown = tsr_finding_dup_markdown (f, "REPORT", TSR_UNITS_SI);
  g_autofree char *names = f->where.names != NULL ? g_strjoinv (", ", f->where.names) : NULL;
  g_autofree char *inputs = f->inputs != NULL ? g_strjoinv (", ", f->inputs) : NULL;

  g_string_append_printf (
      self->out, "%s %d %s\n%s\n%s\n" I64 " " I64 " " I64 " %s %d %d\n%s|%s|%s|%s\n", f->rule,
      f->severity, f->title, f->text, f->action, f->bytes, f->bytes_worst_tile, f->cycles, f->scope,
      f->confidence, f->at_least, markdown, tsr_finding_get_saving_title (f, TRUE),
      tsr_finding_get_saving_title (f, FALSE), tsr_finding_get_cycles_title (f));
  for (guint i = 0; i < f->evidence->len; i++)
    {
      const TsrEvidence *e = &g_array_index (f->evidence, TsrEvidence, i);

      g_string_append_printf (self->out, "- %s " I64 " " I64 " %.6f\n", e->name, e->bytes,
                              e->cycles, e->share);
    }
  g_string_append_printf (self->out, "where %d %u %u %u %d|%s|%s|%s|%s|%s|%s:", f->where.view,
                          f->where.step, f->where.run, f->where.ipu, f->where.prefixes, names,
                          f->where.breakdown, f->where.tab, f->where.layer, f->where.operation,
                          inputs);
  for (guint i = 0; i < f->where.n_tiles; i++)
    g_string_append_printf (self->out, " %u", f->where.tiles[i]);
  g_string_append_c (self->out, '\n');
}

static void
add_unfired (Walk *self, GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    {
      const TsrUnfired *rule = list->pdata[i];

      g_string_append_printf (self->out, "%s|%s|%s\n", rule->rule, rule->title, rule->text);
    }
}

static gboolean
find_insights (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  const AnalysisReport *r = &self->report;
  g_autoptr (TsrInsights) insights
      = tsr_insights_new (r->report, r->memory, r->liveness, r->vertices, r->trace,
                          TSR_UNITS_BINARY, NULL, cancellable, error);

  return insights != NULL;
}

static void
add_insights (Walk *self)
{
  TsrInsights *insights = self->report.insights;
  GPtrArray *findings, *largest;
  g_autofree char *status = NULL, *detail = NULL, *silence = NULL;
  gint64 parts[5];
  guint n = 0;
  const guint *numbers;

  if (insights == NULL)
    return;
  findings = tsr_insights_peek_findings (insights);
  largest = tsr_insights_peek_largest (insights);
  status = tsr_insights_dup_status (insights, TSR_UNITS_BINARY);
  detail = tsr_insights_dup_status_detail (insights, TSR_UNITS_BINARY);
  silence = tsr_insights_dup_silence (insights);
  numbers = tsr_insights_peek_critical (insights, &n);
  add_looks (self, "insights", find_insights);
  g_string_append_printf (self->out, "%d %s\n%s\n%s\n", tsr_insights_get_fit (insights), status,
                          detail, silence);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (self->out, "%u ", numbers[i]);
  numbers = tsr_insights_peek_histogram (insights, &n);
  for (guint i = 0; i < n * (TSR_N_BINS + 1); i++)
    g_string_append_printf (self->out, "%u ", numbers[i]);
  tsr_insights_get_worst_parts (insights, parts);
  add_values (self, parts, 5);
  for (guint i = 0; i < findings->len; i++)
    add_finding (self, findings->pdata[i]);
  g_string_append (self->out, "fine:\n");
  add_unfired (self, tsr_insights_peek_fine (insights));
  g_string_append (self->out, "not checked:\n");
  add_unfired (self, tsr_insights_peek_not_checked (insights));
  for (guint i = 0; i < largest->len; i++)
    {
      const TsrLargest *one = largest->pdata[i];
      g_autofree char *sets = one->used_in != NULL ? g_strjoinv (", ", one->used_in) : NULL;

      g_string_append_printf (self->out, "%d %s %s " I64 " %d %u %u %s\n", one->kind, one->scope,
                              one->name, one->bytes, one->always_live, one->step, one->n_peaks,
                              sets);
    }
}

/* ------------------------------------------------------------------ plan */

static gboolean
make_plan (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autoptr (TsrPlan) plan
      = tsr_plan_new (self->report.report, self->report.memory, self->report.liveness,
                      TSR_UNITS_BINARY, cancellable, error);

  return plan != NULL;
}

static void
add_number (Walk *self, const TsrPlanNumber *number, guint n_tiles)
{
  g_string_append_printf (self->out, "%u %u " I64 " " I64 ":", number->n_over, number->worst,
                          number->most, number->sum);
  add_values (self, number->over, MIN (n_tiles, 64));
}

static void
add_forecast (Walk *self, const TsrForecast *f)
{
  g_autofree char *text = tsr_plan_dup_text (self->plan, f, "REPORT");
  g_autofree char *short_text = tsr_plan_dup_forecast_text (self->plan, f);
  g_autofree char *ids = tsr_plan_dup_ids (self->plan, f->set);

  g_string_append_printf (self->out, "%s\n%s\n%s\n%d %u %s " I64 " %u\n", ids, text, short_text,
                          f->verdict, f->peak_tile, f->peak_name, f->cycles, f->n_unknown_cycles);
  add_number (self, &f->best, f->n_tiles);
  add_number (self, &f->packed, f->n_tiles);
  add_values (self, f->live, MIN (f->n_tiles, 64));
  for (guint t = 0; t < MIN (f->n_tiles, 64); t++)
    g_string_append_printf (self->out, "%u ", f->peak_step[t]);
  g_string_append_c (self->out, '\n');
}

static gboolean
forecast (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autoptr (TsrForecast) made = tsr_plan_forecast (self->plan, self->set, cancellable, error);

  if (made != NULL)
    add_forecast (self, made);
  return made != NULL;
}

static gboolean
propose (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  TsrProposal *proposal = tsr_plan_propose (self->plan, cancellable, error);

  if (proposal == NULL)
    return FALSE;
  g_string_append_printf (self->out, "%d %d %u %s\n", proposal->greedy, proposal->bounded,
                          proposal->n_candidates, proposal->text);
  add_forecast (self, proposal->forecast);
  tsr_proposal_free (proposal);
  return TRUE;
}

static void
add_plan (Walk *self)
{
  TsrPlanGrowth growth;
  guint n = 0;
  const TsrMeasure *measures;
  TsrMeasureSet all = 0;
  g_autofree char *status = NULL;

  if (self->report.memory == NULL)
    return;
  add_looks (self, "plan", make_plan);
  self->plan = tsr_plan_new (self->report.report, self->report.memory, self->report.liveness,
                             TSR_UNITS_BINARY, NULL, NULL);
  status = tsr_plan_dup_status (self->plan);
  tsr_plan_get_growth (self->plan, &growth);
  g_string_append_printf (self->out, "%s|%s|%u %u|%.5f %.5f %u %u\n", status,
                          tsr_plan_get_missing (self->plan), tsr_plan_get_worst (self->plan),
                          tsr_plan_get_n_needing (self->plan), growth.best, growth.packed,
                          growth.best_tile, growth.packed_tile);
  measures = tsr_plan_peek_measures (self->plan, &n);
  for (guint i = 0; i < n; i++)
    {
      const TsrMeasure *m = &measures[i];

      g_string_append_printf (self->out, "%s %d %s|%s|%s|%s|" I64 " " I64 " " I64 "|%s|%s\n", m->id,
                              m->kind, m->title, m->text, m->missing, m->variable, m->worst_tile,
                              m->relief, m->cycles, m->option, m->source);
      add_values (self, m->saved, MIN (tsr_plan_get_n_tiles (self->plan), 64));
      if (m->kind != TSR_MEASURE_LISTED && m->missing == NULL)
        all |= (TsrMeasureSet)1 << i;
    }
  /* Each of the first, and some together. */
  for (guint i = 0; i < MIN (n, 9); i++)
    {
      self->set = all & (TsrMeasureSet)(i < 6 ? 1 << i : 0x155 << i);
      add_looks (self, "forecast", forecast);
    }
  if (tsr_plan_get_missing (self->plan) == NULL)
    add_looks (self, "proposal", propose);
  g_clear_pointer (&self->plan, tsr_plan_unref);
}

/* ------------------------------------------------------------------ check */

static gboolean
check (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autoptr (TsrProgress) progress = tsr_progress_new ();
  gboolean ok = tsr_check_run (self->report.report, progress, cancellable, error);

  g_assert_true (!ok || tsr_progress_get_fraction (progress) == 1);
  return ok;
}

static gboolean
measure (gpointer data, GCancellable *cancellable, GError **error)
{
  Walk *self = data;
  g_autoptr (GPtrArray) budgets
      = tsr_check_budgets (self->report.report,
                           "maxTileBytes = 900\nfreePercent = 12.5\npeakLiveBytes = 4000\n"
                           "exchangeCodeBytes = 1000\ntotalCycles = 12345\ndeviceCycles = 20000\n"
                           "tileUtilisation = 0.5 # a comment\ntileBalance = 0.9\n",
                           cancellable, error);

  for (guint i = 0; budgets != NULL && i < budgets->len; i++)
    {
      const TsrBudget *b = budgets->pdata[i];

      g_string_append_printf (self->out, "%s %.6f %.6f " I64 " %d %d\n", b->name, b->limit,
                              b->value, b->exact, b->at_least, b->ok);
    }
  return budgets != NULL;
}

/* (Diagnostics are added to the report: last.) */
static void
add_check (Walk *self)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (self->report.report);

  add_looks (self, "budgets", measure);
  g_assert_true (check (self, NULL, NULL));
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *d = tsr_diagnostics_get (diagnostics, i);
      g_autofree char *line = tsr_diagnostic_dup_line (d);

      g_string_append_printf (self->out, "%d %s " I64 " %u %s\n", d->severity, d->code, d->row,
                              (guint)tsr_diagnostics_get_dropped (diagnostics, i), line);
    }
  add_looks (self, "check", check);
}

static void
add_trace (Walk *self)
{
  trace_figures_add (&self->report, self->out);
}

/* ------------------------------------------------------------------ reports */

static const struct
{
  const char *name;
  void (*add) (Walk *self);
  gboolean large; /* of larger reports, too */
} parts[] = {
  { "memory", add_memory, FALSE },
  { "variables", add_variables, FALSE },
  { "liveness", add_liveness, FALSE },
  { "programs", add_programs, FALSE },
  { "operations", add_operations, FALSE },
  { "search", add_search, FALSE },
  { "trace", add_trace, FALSE },
  { "insights", add_insights, TRUE },
  { "plan", add_plan, TRUE },
  { "check", add_check, FALSE },
};

/* A table that allows what a key of it would not. */
#define UNKEYED(table, key)                                                                        \
  "CREATE TABLE copy AS SELECT * FROM " table "; DROP TABLE " table                                \
  "; ALTER TABLE copy RENAME TO " table "; UPDATE " table " SET " key                              \
  " = NULL WHERE rowid % 9 = 4;"

static const struct
{
  const char *name, *preset, *sql;
} reports[] = {
  { "whole", "tiny", "SELECT 1" },
  { "full", "tiny",
    "UPDATE target SET bytes_per_tile = 900;"
    "UPDATE memory_by_tile SET overflowed = max (including_gaps - 900, 0)" },
  { "odd", "tiny",
    "UPDATE variables SET size_bytes = NULL WHERE id % 7 = 3;"
    "UPDATE liveness_steps SET not_always_live_bytes = NULL WHERE step = 9;"
    "UPDATE programs SET name = NULL WHERE id % 9 = 4;"
    "UPDATE programs SET repeat_count = -1 WHERE id = 5;"
    "UPDATE steps SET program = NULL WHERE id % 5 = 1;"
    "UPDATE steps_by_ipu SET active_cycles_to_max = NULL WHERE step_id % 11 = 6;"
    "UPDATE steps_by_ipu SET active_cycles_from_max = NULL WHERE step_id % 7 = 6;"
    "UPDATE steps_by_ipu SET data_in = NULL WHERE step_id % 13 = 2;"
    "UPDATE steps_by_ipu SET active_tile_balance = 1.5 WHERE step_id % 6 = 1;"
    "UPDATE compute_set_vertices SET flops = NULL WHERE vertex_type % 3 = 1;"
    "UPDATE vars_info SET equivalence_class = NULL WHERE id = 40;"
    "UPDATE vars_info SET size_bytes = -4 WHERE id = 41;"
    "UPDATE memory_by_tile SET not_always_live = NULL WHERE tile = 6;"
    "UPDATE runs SET end_step = end_step + 1 WHERE id = 0;"
    "UPDATE equivalence_class_intervals SET end_step = start_step WHERE start_step = 4;"
    "UPDATE target SET clock_frequency = NULL" },
  { "without categories of tiles", "tiny", "DROP TABLE memory_by_tile_category" },
  { "always live", "tiny",
    "DELETE FROM equivalence_class_intervals; UPDATE vars_info SET equivalence_class = NULL,"
    " always_live = 1" },
  { "without classes", "tiny",
    "DELETE FROM equivalence_class_intervals; UPDATE vars_info SET equivalence_class = NULL" },
  { "without lowered variables", "tiny",
    "DROP TABLE vars_info; DROP TABLE program_variables; DROP TABLE tile_cycles" },
  { "gaps", "tiny",
    "DELETE FROM steps WHERE id % 17 = 9; DELETE FROM steps_by_ipu WHERE step_id % 17 = 9;"
    "DELETE FROM steps_by_ipu WHERE ipu = 1 AND step_id % 3 = 0;"
    "UPDATE steps_by_ipu SET cycles_base = cycles_base + 37 * ipu;"
    "UPDATE steps_by_ipu SET cycles = 5000000000 WHERE step_id % 19 = 3;"
    "UPDATE steps_by_ipu SET active_cycles_to_max = 3 * active_cycles_to_max WHERE step_id % 4 = 2;"
    "UPDATE steps_by_ipu SET tile_balance = NULL WHERE step_id % 5 = 2;"
    "UPDATE steps SET type = 'Sync' WHERE id % 6 = 1;"
    "UPDATE steps SET type = 'StreamCopyMid' WHERE id % 8 = 3;"
    "DELETE FROM liveness_steps WHERE step % 13 = 5;"
    "DELETE FROM variable_lifetimes WHERE variable % 5 = 3;"
    "UPDATE variables SET always_live = 1 - always_live WHERE id % 11 = 2;"
    "UPDATE vars_info SET tile = (tile + 3) % 8 WHERE id % 4 = 1;"
    "UPDATE vars_info SET category = NULL WHERE id % 10 = 4;"
    "UPDATE vars_info SET variable = NULL WHERE id % 9 = 1;"
    "UPDATE programs SET callee = NULL WHERE id % 6 = 2;"
    "DELETE FROM program_children WHERE position = 0 AND parent % 3 = 1;"
    "UPDATE compute_set_vertices SET count = 0 WHERE vertex_type % 2 = 0;"
    "UPDATE memory_by_tile_category SET overlapped = non_overlapped / 2;"
    "UPDATE runs SET first_step = first_step + 2, microseconds_end = microseconds_start + 7" },
  { "plain", "tiny",
    "UPDATE runs SET name = NULL; UPDATE programs SET name = '' WHERE id % 2 = 0;"
    "DELETE FROM steps_by_ipu WHERE ipu > 0; DROP TABLE blocks;"
    "DROP TABLE variables_by_ipu; DROP TABLE memory_by_tile_region;"
    "ALTER TABLE steps_by_ipu DROP COLUMN active_cycles_from_max;"
    "ALTER TABLE steps_by_ipu DROP COLUMN tile_balance;"
    "ALTER TABLE memory_by_tile DROP COLUMN including_gaps;"
    "UPDATE programs SET repeat_count = 0 WHERE repeat_count > 0;"
    "UPDATE target SET bytes_per_tile = 1150" },
  { "one after the other", "tiny",
    "UPDATE steps SET run = (SELECT max (id) FROM runs) - run;"
    "INSERT INTO variable_lifetimes SELECT variable, end_step, end_step + 1 + variable % 3,"
    " size_bytes * (1 + variable % 2) FROM variable_lifetimes;"
    "UPDATE vars_info SET equivalence_class = NULL WHERE id % 2 = 0;"
    "UPDATE memory_by_tile SET including_gaps = NULL WHERE tile = 3;"
    "UPDATE programs SET name = id || name WHERE type LIKE '%Exchange';"
    "UPDATE graph SET num_compute_sets = 9; DELETE FROM compute_sets WHERE compute_set > 0;"
    "DELETE FROM vars_info WHERE tile IN (2, 7)" },
  { "all touch all", "tiny",
    "INSERT OR IGNORE INTO program_variables SELECT p.id, (p.id * 7 + v.id * 3 + p.id * v.id) % 3,"
    " v.id, 0, 64, 64 * (1 + p.id % 3) FROM programs p, variables v"
    " WHERE (p.id * 5 + v.id * 3) % 4 = 0; UPDATE vertex_types SET size_bytes = NULL;"
    "UPDATE compute_set_vertices SET count = 0 WHERE vertex_type % 2 = 0" },
  { "tight", "tiny",
    "UPDATE target SET bytes_per_tile = 1000 - 40 * 6;"
    "UPDATE memory_by_tile SET including_gaps = including_gaps - 30 * tile, total = total - 30 *"
    " tile; UPDATE memory_by_tile SET overflowed = max (including_gaps - 760, 0);"
    "UPDATE equivalence_class_intervals SET end_step = end_step + 2 WHERE rowid % 3 = 1;"
    "UPDATE equivalence_class_intervals SET start_step = start_step + 1 WHERE start_step % 4 = 2"
    " AND end_step > start_step + 1;"
    "UPDATE vars_info SET size_bytes = size_bytes * 2 WHERE id % 6 = 5;"
    "UPDATE vars_info SET size_bytes = 0 WHERE id % 10 = 7;"
    "UPDATE vars_info SET alignment = 64 WHERE id % 5 = 2;"
    "UPDATE variables SET size_bytes = size_bytes * 3 WHERE id % 4 = 1;"
    "UPDATE steps_by_ipu SET cycles = cycles + 1000 * (step_id % 3), active_cycles_to_max ="
    " active_cycles_to_max + 1000 * (step_id % 3), cycles_base = cycles_base + 1000 * step_id" },
  { "several of each", "tiny",
    "INSERT INTO tile_arrays (id, encoding, total, maximum, data) VALUES"
    " (901, 1, 7, 4, X'04000000000000000300000000000000'),"
    " (902, 1, 3, 2, X'00000100020000000000000000000000'),"
    " (903, 1, 9, 5, X'00000000000000000000000004000500'),"
    " (904, 1, 100, 70, X'46000A00140000000000000000000000'),"
    " (905, 1, 26, 16, X'10000000000000000A00000000000000');"
    "INSERT INTO vertex_types SELECT id + 2, name || ' 2', 12, source_type, 904 FROM vertex_types;"
    "INSERT INTO vertex_types SELECT id + 4, name || ' 3', 8, source_type, 905 FROM vertex_types"
    " WHERE id < 2;"
    "UPDATE compute_set_vertices SET count = 0 WHERE compute_set = 1;"
    "INSERT OR IGNORE INTO compute_set_vertices SELECT c.compute_set, t.id,"
    " CASE (c.compute_set + t.id) % 4 WHEN 0 THEN 0 WHEN 1 THEN 7 WHEN 2 THEN 3 ELSE 9 END,"
    " CASE (c.compute_set + t.id) % 4 WHEN 1 THEN 901 WHEN 2 THEN 902 WHEN 3 THEN 903 END,"
    " 10 * t.id, 500 - 3 * t.id, 400 + t.id FROM compute_sets c, vertex_types t;"
    "UPDATE programs SET type = 'OnTileExecute', compute_set = id % 3 WHERE id IN (8, 12, 19, 21);"
    "UPDATE steps SET type = 'OnTileExecute', tile_cycles = NULL WHERE id < 2;"
    "UPDATE steps SET type = 'StreamCopyBegin', tile_cycles = NULL WHERE id % 7 = 5;"
    "INSERT INTO blocks SELECT id + 8, program + id % 3, name || id, ipu, tile + id % 2, run,"
    " cycles_from + 13 * id, cycles_to - 7 * id, id % 2, 1 - id % 2, id % 3 = 0, id % 5 = 0"
    " FROM blocks;"
    "INSERT INTO blocks SELECT id + 16, program, 'late ' || id, ipu, tile, run, cycles_to,"
    " cycles_to + 5 * (id % 4), 0, 0, 0, id % 3 = 1 FROM blocks WHERE ipu != 2;"
    "INSERT INTO steps_by_ipu SELECT step_id + 60, ipu, cycles, active_tiles, cycles_base + 900,"
    " active_cycles_from_min, active_cycles_from_max, active_cycles_to_min, active_cycles_to_max,"
    " tile_balance, active_tile_balance, 64, 32, all_cycles_from_min, all_cycles_from_max,"
    " all_cycles_to_min, all_cycles_to_max FROM steps_by_ipu WHERE step_id > 51;"
    "INSERT INTO steps SELECT id + 60, type, 9 + id % 4, compute_set, 1, 13 FROM steps WHERE id >"
    " 51" },
  { "all alike", "tiny",
    "UPDATE vars_info SET size_bytes = 64; UPDATE variables SET size_bytes = 128;"
    "UPDATE variable_lifetimes SET size_bytes = 128; UPDATE program_variables SET bytes = 64;"
    "UPDATE programs SET name = 'same' WHERE id % 2 = 0; UPDATE blocks SET name = 'same';"
    "UPDATE steps_by_ipu SET tile_balance = 0.5, active_tile_balance = 0.5, data_in = 32,"
    " data_out = 32; UPDATE compute_sets SET name = 'same';"
    "UPDATE memory_by_tile SET always_live = 300, not_always_live = 200, total = 600,"
    " including_gaps = 600, excluding_gaps = 500; UPDATE var_categories SET allocated_bytes = "
    "512" },
  { "without a first replica", "tiny",
    "DELETE FROM steps_by_ipu WHERE ipu = 0 OR (ipu = 1 AND step_id < 40);"
    "UPDATE memory_by_tile SET excluding_gaps = 0 WHERE tile % 2 = 0;"
    "UPDATE equivalence_class_intervals SET end_step = 99999 WHERE rowid % 2 = 0;"
    "UPDATE vars_info SET size_bytes = NULL WHERE equivalence_class % 4 = 1" },
  { "without replicas", "tiny",
    "UPDATE target SET ipus_per_replica = NULL, num_replicas = NULL;"
    "DELETE FROM steps_by_ipu WHERE ipu = 0;"
    "UPDATE equivalence_class_intervals SET end_step = start_step + 1 WHERE rowid % 3 = 0" },
  { "without keys", "tiny",
    UNKEYED ("vars_info", "id") UNKEYED ("variables", "id") UNKEYED ("programs", "id")
        UNKEYED ("runs", "id") UNKEYED ("steps", "id") UNKEYED ("steps_by_ipu", "step_id")
            UNKEYED ("tile_cycles", "set_id") UNKEYED ("blocks", "id") UNKEYED ("tile_arrays", "id")
                UNKEYED ("vertex_types", "id") UNKEYED ("compute_sets", "compute_set") UNKEYED (
                    "compute_set_vertices", "vertex_type") UNKEYED ("liveness_steps", "step")
                    UNKEYED ("memory_by_tile", "tile") UNKEYED ("variable_lifetimes", "variable")
                        UNKEYED ("program_children", "child") },
  { "demo", "demo", NULL },
  { "oom", "oom", NULL },
};

/* @by_part: each part stands by itself in the list; else briefly, and without the check, whose own
 * test has the same. */
static void
add_report (Walk *self, const char *name, const char *preset, const char *sql, gboolean by_part)
{
  if (sql != NULL)
    insights_report_open_debug (&self->report, preset, sql);
  else
    insights_report_open (&self->report, preset, sql);
  self->is_brief = !by_part;
  if (!by_part)
    g_string_append_printf (self->out, "\n## %s\n", name);
  for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
    if ((parts[p].large || sql != NULL) && (by_part || parts[p].add != add_check))
      {
        g_string_append_printf (self->out, by_part ? "\n## %s: %s\n" : "\n%s: %s\n", name,
                                parts[p].name);
        parts[p].add (self);
      }
  analysis_report_clear (&self->report);
}

static void
test_walk (gconstpointer golden)
{
  Walk self = { .out = g_string_new (NULL) };

  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    add_report (&self, reports[i].name, reports[i].preset, reports[i].sql, TRUE);
  for (guint seed = 1; seed <= N_DRAWN; seed++)
    {
      g_autofree char *sql = drawn_sql_new (seed);
      g_autofree char *name = g_strdup_printf ("drawn %u", seed);

      g_test_message ("%s", sql);
      add_report (&self, name, "tiny", sql, TRUE);
    }
  /* Each number at its edges. */
  for (guint i = 0;; i++)
    {
      char *what = NULL;
      g_autofree char *sql = edge_sql_new (i, &what);

      if (sql == NULL)
        break;
      add_report (&self, what, "tiny", sql, FALSE);
      g_free (what);
    }
  golden_compare (golden, self.out->str);
  g_string_free (self.out, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  g_test_add_data_func ("/figures", argv[1], test_walk);
  return g_test_run ();
}
