/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a context to the one of the layer that is its operation, with what was found on the way. */

#include "config.h"

#include "tsr-operation-rule.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>

#define UNSEEN    (G_MAXUINT32 - 1)
#define MOST_SAID 200 /* bytes of names of layers */

/* The nearest or the outermost context of some layers. */
typedef struct
{
  guint16 layers[2]; /* TSR_DEBUG_NO_LAYER: none */
  gboolean outermost;
  guint32 *found; /* by row; UNSEEN */
} Pass;

struct _TsrOperationRule
{
  const TsrDebugTables *debug;
  const char *layer;
  Pass passes[2]; /* the second for what the first does not find */
  guint n_passes;
  GArray *path;
};

static void
add_pass (TsrOperationRule *self, guint16 layer, guint16 other, gboolean outermost)
{
  Pass *pass = &self->passes[self->n_passes++];

  pass->layers[0] = layer;
  pass->layers[1] = other;
  pass->outermost = outermost;
  pass->found = g_new (guint32, MAX (self->debug->n, 1));
  for (guint i = 0; i < self->debug->n; i++)
    pass->found[i] = UNSEEN;
}

static gboolean
has (const Pass *pass, guint16 layer)
{
  return layer != TSR_DEBUG_NO_LAYER && (layer == pass->layers[0] || layer == pass->layers[1]);
}

static guint32
find_in_pass (TsrOperationRule *self, Pass *pass, guint32 row)
{
  const TsrDebugTables *debug = self->debug;
  guint32 above = TSR_NO_INDEX;

  g_array_set_size (self->path, 0);
  for (; row != TSR_NO_INDEX && pass->found[row] == UNSEEN; row = debug->parent[row])
    g_array_append_val (self->path, row);
  if (row != TSR_NO_INDEX)
    above = pass->found[row];
  for (guint i = self->path->len; i > 0; i--)
    {
      const guint32 at = g_array_index (self->path, guint32, i - 1);

      if (has (pass, debug->layer[at]) && (!pass->outermost || above == TSR_NO_INDEX))
        above = at;
      pass->found[at] = above;
    }
  return above;
}

static void
say_layers (const TsrDebugTables *debug, const char *layer, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < debug->n_layers && known->len < MOST_SAID; i++)
    g_string_append_printf (known, i == 0 ? "%s" : ", %s", debug->layers[i].name);
  if (known->len > MOST_SAID)
    {
      char *end = g_utf8_find_prev_char (known->str, known->str + MOST_SAID);

      g_string_truncate (known, end != NULL ? (gsize)(end - known->str) : 0);
      g_string_append (known, "…");
    }
  if (debug->n_layers == 0)
    g_set_error_literal (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                         _ ("The debug information has no layers: debug.cbor is empty or damaged; "
                            "record it with the engine option autoReport.outputDebugInfo"));
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                 _ ("The debug information has no layer \"%s\"; it has: %s"), layer, known->str);
}

TsrOperationRule *
tsr_operation_rule_new (const TsrDebugTables *debug, const char *layer, GError **error)
{
  g_autoptr (TsrOperationRule) self = NULL;
  guint16 first;
  guint16 second = TSR_DEBUG_NO_LAYER;

  g_return_val_if_fail (debug != NULL, NULL);
  self = g_new0 (TsrOperationRule, 1);
  self->debug = debug;
  self->path = g_array_new (FALSE, FALSE, sizeof (guint32));
  first = tsr_debug_tables_find_layer (debug, layer != NULL ? layer : "popart");
  /* [inferred] The layers whose contexts libpva takes for operations. */
  if (layer == NULL)
    second = tsr_debug_tables_find_layer (debug, "xla_op");
  if (layer == NULL && first == TSR_DEBUG_NO_LAYER && second == TSR_DEBUG_NO_LAYER)
    layer = "poplibs";
  if (g_strcmp0 (layer, "poplibs") == 0 || g_strcmp0 (layer, "poplar") == 0)
    {
      first = tsr_debug_tables_find_layer (debug, "poplibs");
      second = tsr_debug_tables_find_layer (debug, "poplar");
      self->layer = "poplibs";
      add_pass (self, first, TSR_DEBUG_NO_LAYER, TRUE);
      add_pass (self, second, TSR_DEBUG_NO_LAYER, FALSE);
    }
  else
    add_pass (self, first, second, FALSE);
  if (first == TSR_DEBUG_NO_LAYER && second == TSR_DEBUG_NO_LAYER)
    {
      say_layers (debug, layer, error);
      return NULL;
    }
  if (self->layer == NULL)
    self->layer = debug->layers[first != TSR_DEBUG_NO_LAYER ? first : second].name;
  return g_steal_pointer (&self);
}

void
tsr_operation_rule_free (TsrOperationRule *self)
{
  g_return_if_fail (self != NULL);
  for (guint i = 0; i < self->n_passes; i++)
    g_free (self->passes[i].found);
  g_array_unref (self->path);
  g_free (self);
}

const char *
tsr_operation_rule_get_layer (const TsrOperationRule *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->layer;
}

guint32
tsr_operation_rule_find (TsrOperationRule *self, guint32 row)
{
  guint32 context = TSR_NO_INDEX;

  g_return_val_if_fail (self != NULL && (row == TSR_NO_INDEX || row < self->debug->n),
                        TSR_NO_INDEX);
  for (guint i = 0; row != TSR_NO_INDEX && i < self->n_passes && context == TSR_NO_INDEX; i++)
    context = find_in_pass (self, &self->passes[i], row);
  return context;
}

guint32
tsr_operation_rule_find_id (TsrOperationRule *self, gint64 debug_id)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  return tsr_operation_rule_find (
      self, debug_id == TSR_UNKNOWN ? TSR_NO_INDEX : tsr_debug_tables_find (self->debug, debug_id));
}

gboolean
tsr_operation_rule_is_operation (TsrOperationRule *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->debug->n, FALSE);
  return find_in_pass (self, &self->passes[0], row) == row;
}
