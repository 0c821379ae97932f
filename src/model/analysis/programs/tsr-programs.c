/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs as an object, and what each is called.  The graph is in tsr-program-graph.c, what
 * programs take in tsr-program-figures.c. */

#include "config.h"

#include "tsr-programs-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* ------------------------------------------------------------------ labels */

static gboolean
is_known_type (const char *type)
{
  static const char *const types[] = {
    "Sequence",
    "Repeat",
    "RepeatWhileTrue",
    "RepeatWhileFalse",
    "If",
    "IfElse",
    "Switch",
    "OnEveryTileSwitch",
    "OnTileSwitch",
    "Call",
    "Block",
    "OnTileExecute",
    "OnTileCopy",
    "DoExchange",
    "GlobalExchange",
    "StreamCopyBegin",
    "StreamCopyMid",
    "StreamCopyEnd",
    "Sync",
    "Sans",
    "SyncAns",
    "WriteUndef",
    "SetLocalConsensus",
    "SetLocalConsensusFromVar",
    "GetGlobalConsensus",
    "CrossReplicaCopy",
    "AssumeEqualAcrossReplicas",
    "Abort",
    "AbortOnCondition",
    "Copy",
    "Execute",
    "Unknown",
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i], type))
      return TRUE;
  return FALSE;
}

static char *
dup_type_label (const char *type)
{
  return type == NULL || *type == '\0' ? g_strdup (_ ("Unknown"))
         : is_known_type (type)        ? g_strdup (type)
                                       : g_strdup_printf (_ ("Unknown (%s)"), type);
}

/* One label for each type and name.  A table of indices, as most names are used once and a million
 * of them is what takes long. */
static void
make_labels (TsrPrograms *self)
{
  const TsrProgramTables *t = self->tables;
  guint32 size = 16;
  g_autofree guint32 *slots = NULL; /* program + 1 */
  g_autoptr (GHashTable) types = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GString) label = g_string_new (NULL);

  while (size < self->n * 2 && size < 1u << 31)
    size *= 2;
  slots = g_new0 (guint32, size);
  self->labels = g_new (const char *, MAX (self->n, 1));
  self->texts = g_string_chunk_new (1 << 16);
  for (guint32 p = 0; p < self->n; p++)
    {
      guint64 key = (guint64)t->program_type[p] << 32 | t->program_name[p];
      const char *name;
      char *type;
      guint32 at = (guint32)(key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32) & (size - 1);

      while (slots[at] != 0
             && (t->program_type[slots[at] - 1] != t->program_type[p]
                 || t->program_name[slots[at] - 1] != t->program_name[p]))
        at = (at + 1) & (size - 1);
      if (slots[at] != 0)
        {
          self->labels[p] = self->labels[slots[at] - 1];
          continue;
        }
      slots[at] = p + 1;
      name = tsr_string_table_get (t->strings, t->program_name[p]);
      type = g_hash_table_lookup (types, GUINT_TO_POINTER (t->program_type[p]));
      if (type == NULL)
        {
          type = dup_type_label (tsr_string_table_get (t->strings, t->program_type[p]));
          g_hash_table_insert (types, GUINT_TO_POINTER (t->program_type[p]), type);
        }
      g_string_assign (label, type);
      if (name != NULL && *name != '\0')
        {
          g_string_append (label, " (");
          g_string_append (label, name);
          g_string_append_c (label, ')');
        }
      self->labels[p] = g_string_chunk_insert_len (self->texts, label->str, (gssize)label->len);
    }
}

/* ------------------------------------------------------------------ object */

TsrPrograms *
tsr_programs_new_from_tables (const TsrProgramTables *tables,
                              const TsrLivenessTables *liveness,
                              const TsrExecutionTables *execution,
                              TsrDiagnostics *diagnostics,
                              GCancellable *cancellable,
                              GError **error)
{
  g_autoptr (TsrPrograms) self = NULL;

  g_return_val_if_fail (tables != NULL && tables->has_structure, NULL);
  self = g_new0 (TsrPrograms, 1);
  g_atomic_ref_count_init (&self->refs);
  self->tables = tables;
  self->n = tables->n_programs;
  self->all_cycles = TSR_UNKNOWN;
  if (!tsr_programs_make_graph (self, diagnostics, cancellable, error)
      || !tsr_programs_compute_figures (self, liveness, execution, diagnostics, cancellable, error))
    return NULL;
  make_labels (self);
  return g_steal_pointer (&self);
}

TsrPrograms *
tsr_programs_new (TsrReport *report, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables;
  TsrPrograms *self;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  tables = tsr_report_get_program_tables (report);
  if (tables == NULL || !tables->has_structure || tables->n_programs == 0)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("The report has no programs: the table programs is missing or empty; record "
                      "it with the engine option autoReport.outputGraphProfile"));
      return NULL;
    }
  self = tsr_programs_new_from_tables (tables, tsr_report_get_liveness_tables (report),
                                       tsr_report_get_execution_tables (report),
                                       tsr_report_get_diagnostics (report), cancellable, error);
  if (self != NULL)
    self->report = g_object_ref (report);
  return self;
}

TsrPrograms *
tsr_programs_ref (TsrPrograms *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_programs_unref (TsrPrograms *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->edge_start);
  g_free (self->edge_child);
  g_free (self->edge_cut);
  g_free (self->n_parents);
  g_free (self->order);
  g_free (self->roots);
  g_free (self->reach);
  g_free (self->n_passing);
  g_free (self->weights);
  g_free (self->executions);
  g_free (self->steps);
  g_free (self->cycles_self);
  g_free (self->cycles);
  g_free (self->cycles_last);
  g_free (self->repeated);
  g_free (self->estimated);
  g_free (self->moved);
  g_free (self->flops);
  g_free (self->control_self);
  g_free (self->code);
  g_free (self->live_self);
  g_free (self->live);
  g_free (self->executing);
  g_free (self->labels);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_free (self->repeats);
  g_free (self->groups);
  g_clear_object (&self->report);
  g_free (self);
}

const TsrProgramTables *
tsr_programs_get_tables (const TsrPrograms *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->tables;
}

TsrReport *
tsr_programs_get_report (const TsrPrograms *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->report;
}

guint32
tsr_programs_get_n (const TsrPrograms *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n;
}

const char *
tsr_programs_get_label (const TsrPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->n, "");
  return self->labels[program];
}
