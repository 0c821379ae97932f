/* SPDX-License-Identifier: GPL-3.0-or-later */

/* For each context what was found from it upwards, kept by its row. */

#include "config.h"

#include "tsr-context-finder.h"

#define UNSEEN (G_MAXUINT32 - 1)

/* The nearest or the outermost context of a layer. */
typedef struct
{
  const TsrDebugTables *debug;
  guint16 layer;
  gboolean outermost;
  guint32 *found; /* by row; UNSEEN */
  GArray *path;
} Rule;

struct _TsrContextFinder
{
  const TsrDebugTables *debug;
  Rule rules[2]; /* what the first does not find the second does */
  guint n_rules;
};

static void
rule_init (Rule *self, const TsrDebugTables *debug, guint16 layer, gboolean outermost)
{
  self->debug = debug;
  self->layer = layer;
  self->outermost = outermost;
  self->found = g_new (guint32, MAX (debug->n, 1));
  self->path = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < debug->n; i++)
    self->found[i] = UNSEEN;
}

static guint32
rule_find (Rule *self, guint32 row)
{
  const TsrDebugTables *debug = self->debug;
  guint32 above = TSR_NO_INDEX;

  if (row == TSR_NO_INDEX || self->layer == TSR_DEBUG_NO_LAYER)
    return TSR_NO_INDEX;
  g_array_set_size (self->path, 0);
  for (; row != TSR_NO_INDEX && self->found[row] == UNSEEN; row = debug->parent[row])
    g_array_append_val (self->path, row);
  if (row != TSR_NO_INDEX)
    above = self->found[row];
  for (guint i = self->path->len; i > 0; i--)
    {
      const guint32 at = g_array_index (self->path, guint32, i - 1);

      if (debug->layer[at] == self->layer && (!self->outermost || above == TSR_NO_INDEX))
        above = at;
      self->found[at] = above;
    }
  return above;
}

TsrContextFinder *
tsr_context_finder_new (const TsrDebugTables *debug, const char *layer)
{
  TsrContextFinder *self;
  gboolean both;

  g_return_val_if_fail (debug != NULL && layer != NULL, NULL);
  self = g_new0 (TsrContextFinder, 1);
  self->debug = debug;
  both = g_str_equal (layer, "poplibs") || g_str_equal (layer, "poplar");
  rule_init (&self->rules[self->n_rules++], debug,
             tsr_debug_tables_find_layer (debug, both ? "poplibs" : layer), both);
  if (both)
    rule_init (&self->rules[self->n_rules++], debug, tsr_debug_tables_find_layer (debug, "poplar"),
               FALSE);
  return self;
}

void
tsr_context_finder_free (TsrContextFinder *self)
{
  g_return_if_fail (self != NULL);
  for (guint i = 0; i < self->n_rules; i++)
    {
      g_free (self->rules[i].found);
      g_array_unref (self->rules[i].path);
    }
  g_free (self);
}

guint32
tsr_context_finder_find (TsrContextFinder *self, guint32 row)
{
  guint32 context = TSR_NO_INDEX;

  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  for (guint i = 0; i < self->n_rules && context == TSR_NO_INDEX; i++)
    context = rule_find (&self->rules[i], row);
  return context;
}

guint32
tsr_context_finder_find_id (TsrContextFinder *self, gint64 debug_id)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  return tsr_context_finder_find (
      self, debug_id == TSR_UNKNOWN ? TSR_NO_INDEX : tsr_debug_tables_find (self->debug, debug_id));
}
