/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of the list of what is largest, and where each leads. */

#include "config.h"

#include "tsr-insights-largest.h"

#include <glib/gi18n.h>
#include <string.h>

enum
{
  COLUMN_NAME,
  COLUMN_KIND,
  COLUMN_SCOPE,
  COLUMN_BYTES,
  COLUMN_NOTE,
};

typedef struct
{
  TsrInsights *insights;
  GPtrArray *entries; /* TsrLargest, borrowed */
  GPtrArray *scopes;  /* char *, by entry */
  GPtrArray *notes;   /* char * (nullable), by entry */
} Table;

static TsrLargestScope
scope_of (const TsrLargest *largest)
{
  if (g_str_has_prefix (largest->scope, "ipu"))
    return TSR_LARGEST_OF_IPUS;
  return g_str_has_prefix (largest->scope, "tile") ? TSR_LARGEST_OF_TILES : TSR_LARGEST_OF_REPLICA;
}

static const char *
kind_name (const TsrLargest *largest)
{
  switch (largest->kind)
    {
    case TSR_LARGEST_VERTEX_STATE:
      return _ ("Vertex state");
    case TSR_LARGEST_VERTEX_CODE:
      return _ ("Vertex code");
    case TSR_LARGEST_VARIABLE:
      return largest->always_live ? _ ("Variable, always") : _ ("Variable, peak");
    case TSR_LARGEST_EXCHANGE:
      return _ ("Exchange");
    case TSR_LARGEST_STEP:
      return _ ("Program step");
    }
  return "";
}

static char *
dup_scope (const TsrLargest *largest)
{
  switch (scope_of (largest))
    {
    case TSR_LARGEST_OF_IPUS:
      return g_strdup_printf (_ ("IPU %s"), largest->scope + strlen ("ipu"));
    case TSR_LARGEST_OF_TILES:
      return g_strdup_printf (_ ("Tile %s"), largest->scope + strlen ("tile"));
    default:
      return g_strdup (_ ("Replica"));
    }
}

static char *
dup_note (const TsrLargest *largest)
{
  if (largest->used_in != NULL && largest->used_in[0] != NULL)
    {
      guint n = g_strv_length (largest->used_in);
      g_autofree char *more = tsr_units_dup_count (n - 1);

      return n == 1
                 ? g_strdup (largest->used_in[0])
                 : g_strdup_printf (g_dngettext (NULL, "%s and %s more", "%s and %s more", n - 1),
                                    largest->used_in[0], more);
    }
  if (largest->step != TSR_NO_INDEX)
    {
      g_autofree char *step = tsr_units_dup_count (largest->step);
      g_autofree char *n = tsr_units_dup_count (largest->n_peaks);

      /* TRANSLATORS: a peak of memory, and how many the same program has. */
      return largest->n_peaks > 1 ? g_strdup_printf (_ ("Step %s, × %s"), step, n)
                                  : g_strdup_printf (_ ("Step %s"), step);
    }
  return NULL;
}

static const char *
get_text (gpointer data, guint32 row, guint column)
{
  Table *table = data;

  switch (column)
    {
    case COLUMN_NAME:
      return ((const TsrLargest *)table->entries->pdata[row])->name;
    case COLUMN_KIND:
      return kind_name (table->entries->pdata[row]);
    case COLUMN_SCOPE:
      return table->scopes->pdata[row];
    case COLUMN_NOTE:
      return table->notes->pdata[row];
    default:
      return NULL;
    }
}

static gint64
get_value (gpointer data, guint32 row, guint column)
{
  Table *table = data;

  return ((const TsrLargest *)table->entries->pdata[row])->bytes;
}

static char *
dup_key (gpointer data, guint32 row)
{
  static const char *const words[] = { [TSR_LARGEST_VERTEX_STATE] = "vertex-state",
                                       [TSR_LARGEST_VERTEX_CODE] = "vertex-code",
                                       [TSR_LARGEST_VARIABLE] = "variable",
                                       [TSR_LARGEST_EXCHANGE] = "exchange",
                                       [TSR_LARGEST_STEP] = "step" };
  const TsrLargest *largest = ((Table *)data)->entries->pdata[row];

  return g_strjoin ("\t", largest->scope, words[largest->kind], largest->name, NULL);
}

static void
table_free (gpointer data)
{
  Table *table = data;

  tsr_insights_unref (table->insights);
  g_ptr_array_unref (table->entries);
  g_ptr_array_unref (table->scopes);
  g_ptr_array_unref (table->notes);
  g_free (table);
}

static void
add_column (GPtrArray *columns,
            const char *key,
            const char *title,
            TsrCellKind cell,
            const char *definition)
{
  TsrRowColumn *column = tsr_row_column_new (key, title, cell, TSR_VALUE_BYTES);

  column->definition = g_strdup (definition);
  column->summed = FALSE; /* code, state and what is live are no parts of one whole */
  column->filtered = cell == TSR_CELL_KIND_TEXT;
  column->pinned = g_str_equal (key, "name") || g_str_equal (key, "bytes");
  g_ptr_array_add (columns, column);
}

TsrRows *
tsr_largest_rows_new (TsrInsights *insights, TsrLargestScope scope)
{
  static const TsrRowSource source = { get_text, get_value };
  static const TsrRowTraits traits = { .dup_key = dup_key };
  GPtrArray *all, *columns;
  Table *table;
  TsrRows *rows;

  g_return_val_if_fail (insights != NULL, NULL);
  all = tsr_insights_peek_largest (insights);
  columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  table = g_new0 (Table, 1);
  table->insights = tsr_insights_ref (insights);
  table->entries = g_ptr_array_new ();
  table->scopes = g_ptr_array_new_with_free_func (g_free);
  table->notes = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < all->len; i++)
    {
      if (scope_of (all->pdata[i]) != scope)
        continue;
      g_ptr_array_add (table->entries, all->pdata[i]);
      g_ptr_array_add (table->scopes, dup_scope (all->pdata[i]));
      g_ptr_array_add (table->notes, dup_note (all->pdata[i]));
    }
  add_column (columns, "name", _ ("Name"), TSR_CELL_KIND_TEXT, NULL);
  add_column (columns, "kind", _ ("Kind"), TSR_CELL_KIND_TEXT, NULL);
  add_column (columns, "scope", _ ("Where"), TSR_CELL_KIND_TEXT, NULL);
  add_column (
      columns, "bytes", _ ("Bytes"), TSR_CELL_KIND_VALUE,
      _ ("Of a vertex: state or code there.  Of a variable: its bytes there, at the fullest "
         "step when it is not always live.  Of an exchange: its code.  Of a program step: "
         "what is live at its highest peak; × 7 is said where it has seven"));
  add_column (columns, "note", _ ("Used in, or at step"), TSR_CELL_KIND_TEXT, NULL);
  rows = tsr_rows_new (table->entries->len, columns, &source, table, table_free);
  tsr_rows_set_traits (rows, &traits);
  return rows;
}

const TsrLargest *
tsr_largest_rows_get (TsrInsights *insights, TsrLargestScope scope, guint row)
{
  GPtrArray *all;

  g_return_val_if_fail (insights != NULL, NULL);
  all = tsr_insights_peek_largest (insights);
  for (guint i = 0; i < all->len; i++)
    if (scope_of (all->pdata[i]) == scope && row-- == 0)
      return all->pdata[i];
  return NULL;
}

GHashTable *
tsr_largest_dup_words (const TsrLargest *largest)
{
  GHashTable *words;
  gboolean live;

  g_return_val_if_fail (largest != NULL, NULL);
  words = tsr_view_words_new ();
  live = largest->kind == TSR_LARGEST_STEP
         || (largest->kind == TSR_LARGEST_VARIABLE && !largest->always_live);
  tsr_view_words_set (words, "page",
                      tsr_view_get_nick (live ? TSR_VIEW_LIVENESS : TSR_VIEW_MEMORY));
  if (scope_of (largest) == TSR_LARGEST_OF_TILES)
    tsr_view_words_set (words, "tiles", largest->scope + strlen ("tile"));
  else if (scope_of (largest) == TSR_LARGEST_OF_IPUS && !live)
    tsr_view_words_set (words, "tiles", largest->scope);
  if (live)
    tsr_view_words_set (words, "source",
                        scope_of (largest) == TSR_LARGEST_OF_REPLICA ? "all" : largest->scope);
  if (live && largest->step != TSR_NO_INDEX)
    {
      g_autofree char *step = g_strdup_printf ("%u", largest->step);

      tsr_view_words_set (words, "steps", step);
    }
  if (largest->kind == TSR_LARGEST_VARIABLE)
    {
      tsr_view_words_set (words, "variables", largest->name);
      if (!live)
        tsr_view_words_set (words, "tab", "variables");
    }
  else if (!live)
    {
      g_autofree char *filter = tsr_filter_dup_name (largest->name);

      tsr_view_words_set (words, "tab",
                          largest->kind == TSR_LARGEST_EXCHANGE ? "exchanges" : "vertices");
      tsr_view_words_set (words, "filter", filter);
      tsr_view_words_set (words, "row", largest->name);
    }
  return words;
}
