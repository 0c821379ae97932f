/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Contexts by program are kept while programs and layer stay; what another selected program has in
 * common is one comparison for each. */

#include "config.h"

#include "tsr-program-alike.h"

#include "tsr-operation-rule.h"
#include "tsr-operations.h"
#include "tsr-latest.h"

#include <glib/gi18n.h>

#define CANCEL_EVERY 65536

typedef struct
{
  TsrPrograms *programs;
  TsrReport *report;
  char *layer;
  guint32 *of; /* by program: its context; TSR_NO_INDEX */
} Contexts;

struct _TsrProgramAlike
{
  void (*changed) (gpointer owner);
  gpointer owner;
  TsrLatest *latest;
  TsrPrograms *programs; /* (nullable) asked for */
  char *layer;
  guint32 program;
  Contexts *contexts; /* (nullable) */
  guint8 *marks;      /* (nullable) */
  guint n;
};

static void
contexts_free (gpointer data)
{
  Contexts *contexts = data;

  tsr_programs_unref (contexts->programs);
  g_object_unref (contexts->report);
  g_free (contexts->layer);
  g_free (contexts->of);
  g_free (contexts);
}

static Contexts *
contexts_new (TsrPrograms *programs, const char *layer)
{
  Contexts *contexts = g_new0 (Contexts, 1);

  contexts->programs = tsr_programs_ref (programs);
  contexts->report = g_object_ref (tsr_programs_get_report (programs));
  contexts->layer = g_strdup (layer);
  return contexts;
}

static gpointer
find (gpointer data, GCancellable *cancellable, GError **error)
{
  const Contexts *job = data;
  const TsrDebugTables *debug = tsr_report_get_debug_tables (job->report);
  const TsrProgramTables *t = tsr_programs_get_tables (job->programs);
  /* (nullable): the file may have no such layer. */
  g_autoptr (TsrOperationRule) rule = tsr_operation_rule_new (debug, job->layer, NULL);
  Contexts *contexts = contexts_new (job->programs, job->layer);

  contexts->of = g_new (guint32, t->n_programs + 1);
  for (guint32 p = 0; p < t->n_programs; p++)
    {
      if (p % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          contexts_free (contexts);
          return NULL;
        }
      contexts->of[p]
          = rule != NULL ? tsr_operation_rule_find_id (rule, t->program_debug_id[p]) : TSR_NO_INDEX;
    }
  return contexts;
}

static const TsrDebugTables *
get_debug (TsrProgramAlike *self)
{
  TsrReport *report = self->programs != NULL ? tsr_programs_get_report (self->programs) : NULL;

  return report != NULL ? tsr_report_get_debug_tables (report) : NULL;
}

/* TRUE when those that are there are what is asked for. */
static gboolean
is_known (TsrProgramAlike *self)
{
  return self->contexts != NULL && self->contexts->programs == self->programs
         && g_str_equal (self->contexts->layer, self->layer);
}

static guint32
get_context (TsrProgramAlike *self)
{
  return is_known (self) && self->program < tsr_programs_get_n (self->programs)
             ? self->contexts->of[self->program]
             : TSR_NO_INDEX;
}

static void
mark (TsrProgramAlike *self)
{
  guint32 context = get_context (self);
  guint32 n = self->programs != NULL ? tsr_programs_get_n (self->programs) : 0;

  g_clear_pointer (&self->marks, g_free);
  self->n = 0;
  if (context == TSR_NO_INDEX)
    return;
  self->marks = g_new (guint8, n + 1);
  for (guint32 p = 0; p < n; p++)
    self->n += self->marks[p] = self->contexts->of[p] == context;
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
  TsrProgramAlike *self = owner;

  g_clear_pointer (&self->contexts, contexts_free);
  self->contexts = result;
  mark (self);
  self->changed (self->owner);
}

GStrv
tsr_program_alike_dup_layers (TsrProgramAlike *self)
{
  const TsrDebugTables *debug;

  g_return_val_if_fail (self != NULL, NULL);
  debug = get_debug (self);
  return debug != NULL ? tsr_operations_dup_layers (debug) : g_new0 (char *, 1);
}

void
tsr_program_alike_ask (TsrProgramAlike *self,
                       TsrPrograms *programs,
                       const char *layer,
                       guint32 program)
{
  g_auto (GStrv) layers = NULL;

  g_return_if_fail (self != NULL && layer != NULL);
  g_clear_pointer (&self->programs, tsr_programs_unref);
  self->programs = programs != NULL ? tsr_programs_ref (programs) : NULL;
  self->program = program;
  layers = tsr_program_alike_dup_layers (self);
  g_free (self->layer);
  self->layer = g_strdup (*layer == '\0' && layers[0] != NULL ? layers[0] : layer);
  mark (self);
  if (is_known (self) || program == TSR_NO_INDEX
      || !g_strv_contains ((const char *const *)layers, self->layer))
    tsr_latest_cancel (self->latest);
  else
    tsr_latest_run (self->latest, find, contexts_new (programs, self->layer), contexts_free,
                    on_found);
  self->changed (self->owner);
}

const guint8 *
tsr_program_alike_peek (TsrProgramAlike *self, guint *n)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (n != NULL)
    *n = self->n;
  return self->marks;
}

char *
tsr_program_alike_dup_text (TsrProgramAlike *self)
{
  const TsrDebugTables *debug;
  g_autofree char *count = NULL, *programs = NULL;
  const char *name;
  guint32 context;

  g_return_val_if_fail (self != NULL, NULL);
  debug = get_debug (self);
  if (debug == NULL || !is_known (self) || self->program == TSR_NO_INDEX)
    return NULL;
  context = get_context (self);
  if (context == TSR_NO_INDEX)
    return g_strdup_printf (_ ("no context of %s"), tsr_debug_layer_get_title (self->layer));
  count = tsr_units_dup_count (self->n);
  programs = g_strdup_printf (g_dngettext (NULL, "%s program", "%s programs", self->n), count);
  name = tsr_debug_tables_get_text (debug, debug->name[context]);
  /* Translators: an operation, how many programs, and a software layer; what does not fit is cut
   * at the end: "conv1: 4 programs of PopLibs" */
  return g_strdup_printf (_ ("%s: %s of %s"), name != NULL ? name : "", programs,
                          tsr_debug_layer_get_title (debug->layers[debug->layer[context]].name));
}

gboolean
tsr_program_alike_is_busy (TsrProgramAlike *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return tsr_latest_is_running (self->latest);
}

TsrProgramAlike *
tsr_program_alike_new (void (*changed) (gpointer owner), gpointer owner)
{
  TsrProgramAlike *self;

  g_return_val_if_fail (changed != NULL, NULL);
  self = g_new0 (TsrProgramAlike, 1);
  self->changed = changed;
  self->owner = owner;
  self->latest = tsr_latest_new (self, contexts_free);
  self->layer = g_strdup ("");
  self->program = TSR_NO_INDEX;
  return self;
}

void
tsr_program_alike_free (TsrProgramAlike *self)
{
  g_return_if_fail (self != NULL);
  tsr_latest_free (self->latest);
  g_clear_pointer (&self->programs, tsr_programs_unref);
  g_clear_pointer (&self->contexts, contexts_free);
  g_free (self->layer);
  g_free (self->marks);
  g_free (self);
}
