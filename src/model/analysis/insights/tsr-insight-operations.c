/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a report's debug information to what the rules about operations compare: what each operation
 * of the layer that the Operations page opens with takes. */

#include "config.h"

#include "tsr-insights-private.h"

#include "tsr-operations.h"

#include <glib/gi18n-lib.h>

/* What was called, and its context: "matMul (m4)". */
static const char *
get_name (const TsrInsightContext *c, TsrOperations *operations, guint operation)
{
  const char *api = tsr_operations_get_api (operations, operation);
  const char *name = tsr_operations_get_name (operations, operation);

  if (tsr_operations_is_none (operations, operation))
    return NULL;
  if (api != NULL && name != NULL && !g_str_equal (api, name))
    return tsr_insight_text (c, "%s (%s)", api, name);
  return tsr_insight_text (c, "%s", api != NULL ? api : name != NULL ? name : _ ("(no name)"));
}

static void
add_operations (TsrInsightContext *c, TsrOperations *operations)
{
  TsrInsightOperations *of = &c->operations;
  TsrOperationFigure figure = TSR_OPERATION_TILE_CYCLES;
  const guint n = tsr_operations_get_n (operations);

  of->cycles = tsr_operations_get_total (operations, figure);
  of->estimated = of->cycles == TSR_UNKNOWN || of->cycles == 0;
  if (of->estimated)
    {
      figure = TSR_OPERATION_ESTIMATED;
      of->cycles = tsr_operations_get_total (operations, figure);
    }
  of->list = g_array_new (FALSE, TRUE, sizeof (TsrInsightOperation));
  for (guint i = 0; i < n; i++)
    {
      const guint32 context = tsr_operations_get_context (operations, i);
      const TsrInsightOperation one = {
        .name = get_name (c, operations, i),
        .id = context != TSR_NO_INDEX ? tsr_operations_get_debug (operations)->id[context] : 0,
        .cycles = tsr_operations_get (operations, i, figure),
      };

      g_array_append_val (of->list, one);
    }
  for (guint i = 0; c->held != NULL && i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);
      const guint operation = tsr_operations_of_variable (operations, held->variable);
      TsrInsightOperation *one = &g_array_index (of->list, TsrInsightOperation, operation);

      one->on_worst = tsr_insight_add (
          one->on_worst,
          c->worst_series != NULL ? tsr_insight_add (held->always, held->at_peak) : held->all);
    }
}

gboolean
tsr_insight_context_collect_operations (TsrInsightContext *c,
                                        TsrReport *report,
                                        TsrMemory *memory,
                                        TsrVariables *variables,
                                        TsrOperations *given,
                                        GError **error)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (report);
  g_auto (GStrv) layers = debug != NULL ? tsr_operations_dup_layers (debug) : NULL;
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrOperations) operations = given != NULL ? tsr_operations_ref (given) : NULL;

  c->operations.without_programs = tsr_report_get_program_tables (report) == NULL;
  c->operations.unread
      = debug == NULL && tsr_report_get_files (report)->files[TSR_FILE_DEBUG].found;
  if (layers == NULL || layers[0] == NULL)
    return TRUE;
  c->operations.layer = tsr_insight_text (c, "%s", layers[0]);
  c->operations.title = tsr_operations_get_layer_title (c->operations.layer);
  if (operations == NULL && !c->operations.without_programs)
    programs = tsr_programs_new (report, c->cancellable, NULL);
  if (programs != NULL)
    operations
        = tsr_operations_new (programs, debug, layers[0], memory, variables, c->cancellable, NULL);
  /* Where reading is slow the contexts' names have to do. */
  if (operations != NULL && !tsr_report_is_on_demand (report))
    tsr_operations_read_records (operations, c->cancellable, NULL);
  if (operations != NULL)
    add_operations (c, operations);
  return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
}
