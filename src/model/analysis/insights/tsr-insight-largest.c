/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "Largest": vertices, variables, exchanges and steps of the replica, each IPU and the fullest
 * tiles.  At most five of each. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST       5
#define MOST_USERS 50 /* compute sets that are named for a vertex type */

static void
largest_free (gpointer data)
{
  TsrLargest *largest = data;

  g_free (largest->scope);
  g_free (largest->name);
  g_strfreev (largest->used_in);
  g_free (largest);
}

static char *
dup_scope (const TsrInsightScope *scope)
{
  if (scope->kind == TSR_LIVENESS_ALL)
    return g_strdup ("replica");
  return g_strdup_printf (scope->kind == TSR_LIVENESS_IPU ? "ipu%u" : "tile%u", scope->index);
}

static TsrLargest *
add (GPtrArray *list,
     const TsrInsightScope *scope,
     TsrLargestKind kind,
     const char *name,
     gint64 bytes)
{
  TsrLargest *largest = g_new0 (TsrLargest, 1);

  largest->kind = kind;
  largest->scope = dup_scope (scope);
  largest->name = g_strdup (name);
  largest->bytes = bytes;
  largest->step = TSR_NO_INDEX;
  g_ptr_array_add (list, largest);
  return largest;
}

/* The up to five largest of @values, ties to the first; 0 and unknown are not among them. */
static guint
find_most (const gint64 *values, guint n, guint most[MOST])
{
  guint found = 0;

  for (guint i = 0; i < n; i++)
    {
      guint place = found;

      while (place > 0 && values[most[place - 1]] < values[i])
        place--;
      if (values[i] <= 0 || place == MOST)
        continue;
      found = MIN (found + 1, MOST);
      memmove (most + place + 1, most + place, (found - 1 - place) * sizeof *most);
      most[place] = i;
    }
  return found;
}

/* ---------------------------------------------------------------- vertices */

static GStrv
dup_users (const TsrProgramTables *tables, TsrVertices *vertices, guint32 type)
{
  g_autoptr (GArray) sets = tsr_vertices_dup_compute_sets_of (vertices, type);
  GStrv names = g_new0 (char *, MIN (sets->len, MOST_USERS) + 1);

  for (guint i = 0; i < MIN (sets->len, MOST_USERS); i++)
    {
      const char *name = tsr_string_table_get (
          tables->strings, tables->compute_set_name[g_array_index (sets, guint32, i)]);

      names[i] = g_strdup (name != NULL ? name : _ ("(no name)"));
    }
  return names;
}

static void
add_vertices (const TsrInsightContext *c, TsrVertices *vertices, guint s, GPtrArray *list)
{
  static const TsrLargestKind kinds[] = { TSR_LARGEST_VERTEX_STATE, TSR_LARGEST_VERTEX_CODE };
  const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, s);
  guint n = c->vertices != NULL ? c->vertices->len : 0;

  for (guint k = 0; n > 0 && k < G_N_ELEMENTS (kinds); k++)
    {
      const gint64 *values = (k == 0 ? c->vertex_state : c->vertex_code) + (gsize)s * n;
      guint most[MOST];
      guint found = find_most (values, n, most);

      for (guint i = 0; i < found; i++)
        {
          const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, most[i]);

          add (list, scope, kinds[k], vertex->name, values[most[i]])->used_in
              = dup_users (c->programs, vertices, vertex->row);
        }
    }
}

static void
add_exchanges (const TsrInsightContext *c, guint s, GPtrArray *list)
{
  const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, s);
  guint n = c->exchanges != NULL ? c->exchanges->len : 0;
  g_autofree gint64 *values = g_new (gint64, MAX (n, 1));
  guint most[MOST];
  guint found;

  for (guint i = 0; i < n; i++)
    values[i] = g_array_index (c->exchanges, TsrInsightExchange, i).by_scope[s];
  found = find_most (values, n, most);
  for (guint i = 0; i < found; i++)
    add (list, scope, TSR_LARGEST_EXCHANGE,
         g_array_index (c->exchanges, TsrInsightExchange, most[i]).name, values[most[i]]);
}

/* ------------------------------------------------------- variables and steps */

/* User variables of @bytes, largest first; NULL when it could not be made. */
static void
add_variables (const TsrInsightContext *c,
               const TsrInsightScope *scope,
               GArray *bytes,
               gboolean always_live,
               guint step,
               GPtrArray *list)
{
  guint n = 0;

  for (guint i = 0; bytes != NULL && i < bytes->len && n < MOST; i++)
    {
      const TsrVariableBytes *one = &g_array_index (bytes, TsrVariableBytes, i);
      TsrLargest *largest;

      if (one->bytes <= 0 || (always_live && c->variables[one->variable].compiler_made))
        continue;
      largest
          = add (list, scope, TSR_LARGEST_VARIABLE, c->variables[one->variable].name, one->bytes);
      largest->always_live = always_live;
      largest->step = step;
      n++;
    }
}

static void
add_steps (const TsrInsightContext *c,
           TsrLiveness *liveness,
           const TsrInsightScope *scope,
           const TsrLivenessSeries *series,
           GPtrArray *list)
{
  g_autoptr (GArray) peaks = tsr_liveness_find_peak_programs (liveness, series, MOST);

  for (guint i = 0; i < peaks->len; i++)
    {
      const TsrPeak *peak = &g_array_index (peaks, TsrPeak, i);
      const char *name
          = c->step_names != NULL && peak->step < c->n_steps ? c->step_names[peak->step] : NULL;
      TsrLargest *largest;

      largest = add (list, scope, TSR_LARGEST_STEP, name != NULL ? name : _ ("(no name)"),
                     tsr_insight_add (series->always_live, peak->bytes));
      largest->step = peak->step;
      largest->n_peaks = peak->n;
    }
}

static void
add_live (const TsrInsightContext *c,
          TsrLiveness *liveness,
          const TsrInsightScope *scope,
          GCancellable *cancellable,
          GPtrArray *list)
{
  guint tile = scope->index;
  const TsrLivenessSource source
      = { scope->kind, scope->index, scope->kind == TSR_LIVENESS_TILES ? &tile : NULL,
          scope->kind == TSR_LIVENESS_TILES };
  TsrLivenessSeries *series;
  g_autoptr (GArray) always = NULL;
  g_autoptr (GArray) at_peak = NULL;

  if (!tsr_liveness_can_show (liveness, &source, NULL))
    return;
  always = tsr_liveness_list_always_live (liveness, &source, cancellable, NULL);
  add_variables (c, scope, always, TRUE, TSR_NO_INDEX, list);
  series = tsr_liveness_compute (liveness, &source, cancellable, NULL);
  if (series == NULL)
    return;
  if (series->peak_step != TSR_NO_INDEX)
    {
      at_peak = tsr_liveness_list_at (liveness, &source, series->peak_step, cancellable, NULL);
      add_variables (c, scope, at_peak, FALSE, series->peak_step, list);
    }
  add_steps (c, liveness, scope, series, list);
  tsr_liveness_series_unref (series);
}

static int
compare_kinds (gconstpointer a, gconstpointer b)
{
  const TsrLargest *x = *(TsrLargest *const *)a;
  const TsrLargest *y = *(TsrLargest *const *)b;

  return x->kind < y->kind ? -1 : x->kind > y->kind;
}

GPtrArray *
tsr_insight_list_largest (const TsrInsightContext *c,
                          TsrLiveness *liveness,
                          TsrVertices *vertices,
                          GCancellable *cancellable)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (largest_free);

  for (guint s = 0; s < c->scopes->len && !g_cancellable_is_cancelled (cancellable); s++)
    {
      const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, s);
      g_autoptr (GPtrArray) list = g_ptr_array_new ();

      if (vertices != NULL)
        {
          add_vertices (c, vertices, s, list);
          add_exchanges (c, s, list);
        }
      if (liveness != NULL)
        add_live (c, liveness, scope, cancellable, list);
      g_ptr_array_sort (list, compare_kinds);
      g_ptr_array_extend_and_steal (all, g_steal_pointer (&list));
    }
  return all;
}
