/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of the contexts of an id, made of their records. */

#include "config.h"

#include "tsr-debug-details.h"

#include "tsr-grid.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

typedef struct
{
  char *key, *name, *value;
  guint32 parent;
} Line;

static void
line_clear (gpointer data)
{
  Line *line = data;

  g_free (line->key);
  g_free (line->name);
  g_free (line->value);
}

/* The number of the new row.  Its key is that of its parent, and its place there and @word, the
 * same in all languages: words may repeat. */
static guint32
add_line (GArray *lines,
          guint32 parent,
          guint place,
          const char *word,
          const char *name,
          const char *value)
{
  const char *above = parent != TSR_NO_INDEX ? g_array_index (lines, Line, parent).key : NULL;
  Line line = { .parent = parent };

  line.key = g_strdup_printf ("%s%s%u %s", above != NULL ? above : "", above != NULL ? "/" : "",
                              place, word);
  line.name = g_strdup (name);
  line.value = g_strdup (value);
  g_array_append_val (lines, line);
  return lines->len - 1;
}

/* Recursion: TSR_JSON_MAX_DEPTH at most. */
static void
add_value (GArray *lines, guint32 parent, guint place, const char *name, const TsrJson *value)
{
  const guint n = tsr_json_get_n_children (value);
  guint32 row
      = add_line (lines, parent, place, name, name, n > 0 ? NULL : tsr_json_get_text (value));

  for (guint i = 0; i < n; i++)
    {
      const TsrJson *child = tsr_json_get_child (value, i);
      g_autofree char *number = g_strdup_printf ("%u", i);

      add_value (lines, row, i,
                 tsr_json_get_key (child) != NULL ? tsr_json_get_key (child) : number, child);
    }
}

/* What the row of a context says itself. */
static gboolean
is_told (const char *key)
{
  return key != NULL
         && (g_str_equal (key, "name") || g_str_equal (key, "layer")
             || g_str_equal (key, "location"));
}

static const char *
find_text (const TsrJson *record, const char *key)
{
  for (guint i = 0; record != NULL && i < tsr_json_get_n_children (record); i++)
    {
      const TsrJson *child = tsr_json_get_child (record, i);

      if (g_strcmp0 (tsr_json_get_key (child), key) == 0 && *tsr_json_get_text (child) != '\0')
        return tsr_json_get_text (child);
    }
  return NULL;
}

/* @record (nullable): of the context. */
static char *
dup_source (const TsrDebugTables *debug, guint32 row, const TsrJson *record)
{
  const char *file = tsr_debug_tables_get_text (debug, debug->file_name[row]);
  const char *line = NULL;

  if (file != NULL && debug->line[row] != 0)
    return g_strdup_printf ("%s:%u", file, debug->line[row]);
  if (file == NULL)
    {
      file = find_text (record, "sourcefile");
      line = find_text (record, "sourceline");
    }
  return line != NULL && file != NULL ? g_strdup_printf ("%s:%s", file, line) : g_strdup (file);
}

char *
tsr_debug_dup_source (const TsrDebugTables *debug, guint32 row, GCancellable *cancellable)
{
  g_autoptr (TsrJson) record = NULL;
  guint16 layer;

  g_return_val_if_fail (debug != NULL && row < debug->n, NULL);
  layer = debug->layer[row];
  if (debug->file_name[row] == TSR_NO_STRING && layer != TSR_DEBUG_NO_LAYER
      && g_str_equal (debug->layers[layer].name, "xla_op"))
    record = tsr_debug_tables_read_record (debug, row, cancellable, NULL);
  return dup_source (debug, row, record);
}

static void
add_location (
    const TsrDebugTables *debug, guint32 row, const TsrJson *record, GArray *lines, guint32 above)
{
  const char *function = tsr_debug_tables_get_text (debug, debug->function_name[row]);
  g_autofree char *place = dup_source (debug, row, record);

  if (place != NULL)
    add_line (lines, above, 0, "source", _ ("Source"), place);
  if (function != NULL)
    add_line (lines, above, 1, "function", _ ("Function"), function);
}

/* FALSE when cancelled. */
static gboolean
add_context (const TsrDebugTables *debug,
             guint32 row,
             GArray *lines,
             guint place,
             GCancellable *cancellable,
             GError **error)
{
  const char *layer
      = debug->layer[row] != TSR_DEBUG_NO_LAYER ? debug->layers[debug->layer[row]].name : NULL;
  guint32 above = add_line (lines, TSR_NO_INDEX, place, layer != NULL ? layer : "",
                            layer != NULL ? tsr_debug_layer_get_title (layer) : _ ("No layer"),
                            tsr_debug_tables_get_text (debug, debug->name[row]));
  g_autoptr (GError) local = NULL;
  g_autoptr (TsrJson) record = tsr_debug_tables_read_record (debug, row, cancellable, &local);

  add_location (debug, row, record, lines, above);
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (record == NULL)
    add_line (lines, above, 2, "error", _ ("Could not be read"), local->message);
  for (guint i = 0; record != NULL && i < tsr_json_get_n_children (record); i++)
    {
      const TsrJson *child = tsr_json_get_child (record, i);

      if (!is_told (tsr_json_get_key (child)))
        add_value (lines, above, 3 + i, tsr_json_get_key (child), child);
    }
  return TRUE;
}

static TsrRows *
make_rows (GArray *lines)
{
  TsrGrid *grid = tsr_grid_new (lines->len);
  const char **keys = tsr_grid_add_keys (grid);
  const char **names = tsr_grid_add_texts (grid, tsr_grid_text_column ("name", _ ("Name"), NULL));
  TsrRowColumn *value = tsr_grid_text_column ("value", _ ("Value"), NULL);
  const char **values = tsr_grid_add_texts (grid, value);
  guint32 *parents = g_new (guint32, MAX (lines->len, 1));
  TsrRows *rows;

  value->wide = TRUE; /* paths */
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      keys[i] = line->key;
      names[i] = line->name;
      values[i] = line->value;
      parents[i] = line->parent;
    }
  tsr_grid_keep (grid, g_array_ref (lines), (GDestroyNotify)g_array_unref);
  rows = tsr_grid_to_rows (grid);
  tsr_rows_set_parents (rows, parents);
  return rows;
}

TsrTableAnswer *
tsr_debug_details_new (const TsrDebugTables *debug,
                       gint64 id,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autofree guint32 *chain = NULL;
  TsrTableAnswer *answer;
  guint32 row;
  guint n = 0;

  g_return_val_if_fail (debug != NULL, NULL);
  row = tsr_debug_tables_find (debug, id);
  if (row == TSR_NO_INDEX)
    return tsr_table_answer_new (_ ("No debug information"),
                                 debug->complete
                                     ? _ ("debug.cbor has no context with this number")
                                     : _ ("debug.cbor ends early, before a context with this "
                                          "number"));
  g_array_set_clear_func (lines, line_clear);
  chain = tsr_debug_tables_dup_chain (debug, row, &n);
  answer = tsr_table_answer_new (NULL, NULL);
  if (n > TSR_DEBUG_DETAILS_CONTEXTS)
    answer->note
        = g_strdup_printf (_ ("Only the inner %d of %u contexts"), TSR_DEBUG_DETAILS_CONTEXTS, n);
  for (guint i = MIN (n, TSR_DEBUG_DETAILS_CONTEXTS); i-- > 0;)
    if (!add_context (debug, chain[i], lines, i, cancellable, error))
      {
        tsr_table_answer_free (answer);
        return NULL;
      }
  answer->rows = make_rows (lines);
  return answer;
}
