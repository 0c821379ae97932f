/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code and state that programs and vertices have on the worst tile and in every scope.  Each array
 * of numbers by tile is read once and added up; only code of vertices is kept, while it is small.
 */

#include "config.h"

#include "tsr-insights-private.h"

#include "tsr-id-index.h"

#include "tsr-scan.h"
#include "tsr-vertices-private.h"

#include <inttypes.h>
#include <string.h>

/* Values of code by type and tile that are kept at most: 256 MiB. */
#define MOST_VALUES (32u << 20)

static const char *
get_string (const TsrProgramTables *tables, guint32 index)
{
  const char *text = tsr_string_table_get (tables->strings, index);

  return text != NULL ? text : "";
}

/* Sum of [first, end); here because millions of numbers are added. */
static gint64
sum_range (const gint64 *values, guint first, guint end)
{
  gint64 sum = 0;

  if (values == NULL)
    return TSR_UNKNOWN;
  for (guint t = first; t < end; t++)
    if (values[t] == TSR_UNKNOWN || __builtin_add_overflow (sum, values[t], &sum))
      return TSR_UNKNOWN;
  return sum;
}

/* Adds @values to the sums of each scope: sums[scope * stride]. */
static void
add_to_scopes (
    const TsrInsightContext *c, const gint64 *values, gint64 factor, gint64 *sums, gsize stride)
{
  for (guint s = 0; s < c->scopes->len; s++)
    {
      const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, s);
      gint64 sum = sum_range (values, scope->first, scope->end);

      sums[s * stride] = tsr_insight_add (sums[s * stride], tsr_known_multiply (sum, factor));
    }
}

/* (transfer full) (nullable): NULL without such an array, or when it cannot be read: then its
 * numbers are unknown, and the reader has left a diagnostic. */
static gint64 *
read_array (TsrArrayReader *arrays, TsrTileArrayRef ref)
{
  return ref.id != TSR_UNKNOWN ? tsr_array_reader_dup (arrays, ref, NULL) : NULL;
}

/* --------------------------------------------------------------- exchanges */

/* "model/conv12/ExchangePre" and "model/conv7/ExchangePre" are alike. */
static char *
dup_without_digits (const char *name)
{
  GString *out = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isdigit (*p))
      g_string_append_c (out, *p);
    else if (p == name || !g_ascii_isdigit (p[-1]))
      g_string_append_c (out, '#');
  return g_string_free (out, FALSE);
}

/* What exchanges with equal code have in common; of an array that was read before it is kept. */
typedef struct
{
  GHashTable *groups;  /* key of a group -> index + 1 */
  GHashTable *digests; /* array id -> digest of its numbers */
} Groups;

static char *
dup_digest (Groups *groups, gint64 id, const gint64 *values, guint n)
{
  const char *known = g_hash_table_lookup (groups->digests, &id);
  guint64 first = n;
  guint64 second = ~(guint64)n;
  char *digest;

  if (known != NULL)
    return g_strdup (known);
  /* Two sums of 64 bits, each a bijection of what was before it; SHA-1 takes as long as all reading
   * of a large report. */
  for (guint i = 0; i < n; i++)
    {
      first = (first ^ (guint64)values[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      first ^= first >> 32;
      second = (second + (guint64)values[i]) * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
      second ^= second >> 29;
    }
  digest = g_strdup_printf ("%016" PRIx64 "%016" PRIx64, first, second);
  g_hash_table_insert (groups->digests, g_memdup2 (&id, sizeof id), g_strdup (digest));
  return digest;
}

static guint32
find_group (TsrInsightContext *c,
            Groups *groups,
            const char *name,
            TsrTileArrayRef ref,
            const gint64 *values)
{
  g_autofree char *alike = dup_without_digits (name);
  g_autofree char *digest = dup_digest (groups, ref.id, values, c->n_tiles);
  g_autofree char *key = g_strconcat (digest, " ", alike, NULL);
  guint32 group = GPOINTER_TO_UINT (g_hash_table_lookup (groups->groups, key));

  if (group == 0)
    {
      group = ++c->n_exchange_groups;
      g_hash_table_insert (groups->groups, g_steal_pointer (&key), GUINT_TO_POINTER (group));
    }
  return group - 1;
}

static int
compare_exchanges (gconstpointer a, gconstpointer b)
{
  const TsrInsightExchange *x = a;
  const TsrInsightExchange *y = b;

  if (x->on_worst != y->on_worst)
    return x->on_worst > y->on_worst ? -1 : 1;
  return x->program < y->program ? -1 : x->program > y->program;
}

static gboolean
collect_exchanges (TsrInsightContext *c, TsrArrayReader *arrays, GError **error)
{
  const TsrProgramTables *tables = c->programs;
  Groups groups = { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                    g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free) };
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrInsightExchange));
  gboolean cancelled = FALSE;

  for (guint32 p = 0; p < tables->n_programs && !cancelled; p++)
    {
      TsrInsightExchange exchange = { get_string (tables, tables->program_name[p]),
                                      p,
                                      FALSE,
                                      TSR_UNKNOWN,
                                      TSR_UNKNOWN,
                                      TSR_NO_INDEX,
                                      NULL };
      g_autofree gint64 *values = NULL;

      if (tables->program_code[p].id == TSR_UNKNOWN)
        continue;
      cancelled = g_cancellable_set_error_if_cancelled (c->cancellable, error);
      exchange.internal = g_str_equal (get_string (tables, tables->program_type[p]), "DoExchange");
      values = read_array (arrays, tables->program_code[p]);
      exchange.by_scope = g_new0 (gint64, c->scopes->len);
      add_to_scopes (c, values, 1, exchange.by_scope, 1);
      exchange.total = exchange.by_scope[0];
      if (values != NULL && c->worst != TSR_NO_INDEX)
        exchange.on_worst = values[c->worst];
      /* An array that is not there has numbers, too, all of them unknown. */
      if (exchange.total != TSR_UNKNOWN && exchange.internal)
        exchange.group = find_group (c, &groups, exchange.name, tables->program_code[p], values);
      g_array_append_val (list, exchange);
    }
  g_hash_table_unref (groups.groups);
  g_hash_table_unref (groups.digests);
  g_array_sort (list, compare_exchanges);
  if (list->len > 0)
    c->exchanges = g_steal_pointer (&list);
  return !cancelled;
}

/* ---------------------------------------------------------------- vertices */

static void
collect_vertex_code (TsrInsightContext *c, TsrArrayReader *arrays)
{
  const TsrProgramTables *tables = c->programs;
  gboolean keep = (guint64)tables->n_vertex_types * c->n_tiles <= MOST_VALUES;

  c->vertices = g_array_new (FALSE, TRUE, sizeof (TsrInsightVertex));
  c->arrays = g_ptr_array_new_with_free_func (g_free);
  c->vertex_code = g_new0 (gint64, (gsize)c->scopes->len * MAX (tables->n_vertex_types, 1));
  c->vertex_state = g_new0 (gint64, (gsize)c->scopes->len * MAX (tables->n_vertex_types, 1));
  for (guint32 v = 0; v < tables->n_vertex_types; v++)
    {
      TsrInsightVertex vertex = { .name = get_string (tables, tables->vertex_type_name[v]),
                                  .row = v,
                                  .code = TSR_UNKNOWN };
      gint64 *values = read_array (arrays, tables->vertex_type_code[v]);

      add_to_scopes (c, values, 1, c->vertex_code + v, tables->n_vertex_types);
      if (values != NULL && c->worst != TSR_NO_INDEX)
        vertex.code = values[c->worst];
      if (values != NULL && keep)
        {
          vertex.code_array = values;
          g_ptr_array_add (c->arrays, values);
        }
      else
        g_free (values);
      g_array_append_val (c->vertices, vertex);
    }
}

/* Instances in compute sets: on the worst tile by entry, and their state by scope. */
static gboolean
collect_vertex_state (TsrInsightContext *c, TsrArrayReader *arrays, GError **error)
{
  const TsrProgramTables *tables = c->programs;
  guint32 n = tables->vertex_start[tables->n_compute_sets];

  c->entry_counts = g_new0 (gint64, MAX (n, 1));
  for (guint32 e = 0; e < n; e++)
    {
      guint32 type = tables->vertex_type[e];
      g_autofree gint64 *values = NULL;
      TsrInsightVertex *vertex;

      if (e % 64 == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
      values = read_array (arrays, tables->vertex_count_by_tile[e]);
      c->entry_counts[e]
          = values != NULL && c->worst != TSR_NO_INDEX ? values[c->worst] : TSR_UNKNOWN;
      add_to_scopes (c, values, tables->vertex_type_size[type], c->vertex_state + type,
                     tables->n_vertex_types);
      vertex = &g_array_index (c->vertices, TsrInsightVertex, type);
      vertex->count = tsr_insight_add (vertex->count, c->entry_counts[e]);
    }
  for (guint32 v = 0; v < tables->n_vertex_types; v++)
    {
      TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, v);

      vertex->state = tsr_known_multiply (vertex->count, tables->vertex_type_size[v]);
    }
  return TRUE;
}

/* ------------------------------------------------------- code that runs once */

/* How often a program, or a compute set that is executed by itself, occurs in a run. */
typedef struct
{
  gint64 *run; /* where it was seen last */
  guint32 *count, *most;
} Seen;

static void
seen_init (Seen *seen, guint n)
{
  seen->run = g_new0 (gint64, MAX (n, 1));
  seen->count = g_new0 (guint32, MAX (n, 1));
  seen->most = g_new0 (guint32, MAX (n, 1));
}

static void
seen_clear (Seen *seen)
{
  g_free (seen->run);
  g_free (seen->count);
  g_free (seen->most);
}

static void
seen_add (Seen *seen, guint32 index, gint64 run)
{
  if (seen->most[index] == 0 || seen->run[index] != run)
    seen->count[index] = 0;
  seen->run[index] = run;
  if (seen->count[index] < G_MAXUINT32)
    seen->count[index]++;
  seen->most[index] = MAX (seen->most[index], seen->count[index]);
}

/* FALSE and @missing when the steps cannot tell; steps stand in the order of their runs. */
static gboolean
count_steps (const TsrProgramTables *tables,
             TsrProfile *profile,
             Seen *programs,
             Seen *sets,
             const char **missing)
{
  const char *const columns[] = { "program", "run", "compute_set", NULL };
  g_autoptr (GHashTable) runs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrScan) scan = tsr_scan_new (profile, "steps", columns, &error);
  gint64 run = TSR_UNKNOWN;
  gboolean first = TRUE;

  *missing = "steps";
  if (scan == NULL || !tsr_scan_has_column (scan, 0))
    return FALSE;
  while (tsr_scan_next (scan, &error))
    {
      gint64 of_step = tsr_scan_get_int (scan, 1);
      guint32 program = tsr_id_index_find_id (tables->program_id, tables->n_programs,
                                              tsr_scan_get_int (scan, 0));
      guint32 set = tsr_id_index_find_id (tables->compute_set_id, tables->n_compute_sets,
                                          tsr_scan_get_int (scan, 2));

      if (first || of_step != run)
        {
          *missing = "steps.run";
          if (!g_hash_table_add (runs, g_memdup2 (&of_step, sizeof of_step)))
            return FALSE;
        }
      run = of_step;
      first = FALSE;
      if (program != TSR_NO_INDEX)
        seen_add (programs, program, run);
      else if (set != TSR_NO_INDEX)
        seen_add (sets, set, run);
    }
  *missing = "steps";
  return error == NULL && !first;
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  return x < y ? -1 : x > y;
}

static double
get_median (const Seen *seen, guint n)
{
  g_autofree guint32 *counts = g_new (guint32, MAX (n, 1));
  guint used = 0;

  for (guint i = 0; i < n; i++)
    if (seen->most[i] > 0)
      counts[used++] = seen->most[i];
  if (used == 0)
    return 0;
  qsort (counts, used, sizeof *counts, compare_counts);
  return (counts[(used - 1) / 2] + (double)counts[used / 2]) / 2;
}

typedef struct
{
  const char *name;
  gint64 bytes;
  const char *tab; /* (nullable): that lists it */
} NamedBytes;

static int
compare_named (gconstpointer a, gconstpointer b)
{
  const NamedBytes *x = a;
  const NamedBytes *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Adds an array of code to a sum on the worst tile and one over all. */
static void
add_code (TsrInsightContext *c,
          const char *name,
          const gint64 *values,
          gint64 *worst,
          gint64 *total,
          const char *tab,
          GArray *named)
{
  NamedBytes one = { name, TSR_UNKNOWN, tab };

  if (values != NULL && c->worst != TSR_NO_INDEX)
    one.bytes = values[c->worst];
  *worst = tsr_insight_add (*worst, one.bytes);
  *total = tsr_insight_add (*total, sum_range (values, 0, c->n_tiles));
  if (one.bytes > 0)
    g_array_append_val (named, one);
}

/* Compute sets that only programs which run once execute; of several such programs each executes
 * it, so it is no single one then. */
static guint8 *
find_single_sets (const TsrProgramTables *tables, const Seen *programs, const Seen *sets)
{
  g_autofree guint64 *executions = g_new0 (guint64, MAX (tables->n_compute_sets, 1));
  g_autofree guint8 *unknown = g_new0 (guint8, MAX (tables->n_compute_sets, 1));
  guint8 *single = g_new0 (guint8, MAX (tables->n_compute_sets, 1));

  for (guint32 p = 0; p < tables->n_programs; p++)
    {
      guint32 set = tables->program_compute_set[p];

      if (set == TSR_NO_INDEX)
        continue;
      executions[set] += programs->most[p];
      unknown[set] |= programs->most[p] == 0;
    }
  for (guint32 s = 0; s < tables->n_compute_sets; s++)
    single[s] = executions[s] + sets->most[s] == 1 && !unknown[s];
  return single;
}

static void
add_single_vertices (TsrInsightContext *c,
                     TsrArrayReader *arrays,
                     const guint8 *single,
                     GArray *named)
{
  const TsrProgramTables *tables = c->programs;
  g_autofree guint8 *used = g_new0 (guint8, MAX (tables->n_vertex_types, 1));

  for (guint32 s = 0; s < tables->n_compute_sets; s++)
    for (guint32 e = tables->vertex_start[s]; e < tables->vertex_start[s + 1]; e++)
      used[tables->vertex_type[e]] |= single[s] ? 1 : 2;
  for (guint32 v = 0; v < tables->n_vertex_types; v++)
    {
      g_autofree gint64 *values = NULL;

      if (used[v] != 1)
        continue;
      values = read_array (arrays, tables->vertex_type_code[v]);
      add_code (c, get_string (tables, tables->vertex_type_name[v]), values, &c->one_off.vertex,
                &c->one_off.vertex_total, "vertices", named);
    }
}

static void
add_single_programs (TsrInsightContext *c, TsrArrayReader *arrays, const Seen *seen, GArray *named)
{
  const TsrProgramTables *tables = c->programs;

  for (guint32 p = 0; p < tables->n_programs; p++)
    {
      const char *name = get_string (tables, tables->program_name[p]);
      gboolean leaf = tables->child_start[p] == tables->child_start[p + 1]
                      && tables->program_callee[p] == TSR_NO_INDEX;
      g_autofree gint64 *code = NULL;
      g_autofree gint64 *control = NULL;

      if (seen->most[p] != 1)
        continue;
      c->one_off.n_programs++;
      if (tables->program_code[p].id != TSR_UNKNOWN)
        {
          code = read_array (arrays, tables->program_code[p]);
          add_code (c, name, code, &c->one_off.exchange, &c->one_off.exchange_total, "exchanges",
                    named);
        }
      if (leaf && tables->program_control_code[p].id != TSR_UNKNOWN)
        {
          control = read_array (arrays, tables->program_control_code[p]);
          add_code (c, name, control, &c->one_off.control, &c->one_off.control_total, NULL, named);
        }
    }
}

static void
collect_one_off (TsrInsightContext *c, TsrReport *report, TsrArrayReader *arrays)
{
  const TsrProgramTables *tables = c->programs;
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (report, NULL);
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (NamedBytes));
  g_autofree guint8 *single = NULL;
  Seen programs;
  Seen sets;

  c->one_off.missing = profile == NULL || !tsr_profile_has_rows (profile, "steps") ? "steps"
                       : tables->n_programs == 0                                   ? "programs"
                       : tables->n_vertex_types == 0                               ? "vertex_types"
                       : tables->vertex_start[tables->n_compute_sets] == 0 ? "compute_set_vertices"
                                                                           : NULL;
  if (c->one_off.missing != NULL)
    return;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), c->cancellable);
  seen_init (&programs, tables->n_programs);
  seen_init (&sets, tables->n_compute_sets);
  c->one_off.known = count_steps (tables, profile, &programs, &sets, &c->one_off.missing);
  if (c->one_off.known)
    {
      c->one_off.median = get_median (&programs, tables->n_programs);
      single = find_single_sets (tables, &programs, &sets);
      add_single_programs (c, arrays, &programs, named);
      add_single_vertices (c, arrays, single, named);
      g_array_sort (named, compare_named);
      c->one_off.names = g_ptr_array_new ();
      c->one_off.bytes = g_array_new (FALSE, FALSE, sizeof (gint64));
      for (guint i = 0; i < MIN (named->len, 5); i++)
        {
          const NamedBytes *one = &g_array_index (named, NamedBytes, i);

          if (i == 0)
            c->one_off.tab = one->tab;
          g_ptr_array_add (c->one_off.names, (gpointer)one->name);
          g_array_append_val (c->one_off.bytes, one->bytes);
        }
    }
  seen_clear (&programs);
  seen_clear (&sets);
}

gboolean
tsr_insight_context_collect_code (TsrInsightContext *c,
                                  TsrReport *report,
                                  TsrVertices *vertices,
                                  GError **error)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (vertices);
  g_auto (TsrArrayReader) arrays = { 0 };

  tsr_array_reader_init (&arrays, vertices, NULL, 0, c->cancellable);
  c->programs = tables;
  c->n_stream_copies = 0;
  for (guint32 p = 0; p < tables->n_programs; p++)
    c->n_stream_copies
        += g_str_equal (get_string (tables, tables->program_type[p]), "StreamCopyMid");
  if (tables->n_programs == 0)
    c->n_stream_copies = TSR_UNKNOWN;
  if (!collect_exchanges (c, &arrays, error))
    return FALSE;
  if (tables->n_vertex_types > 0)
    {
      collect_vertex_code (c, &arrays);
      if (!collect_vertex_state (c, &arrays, error))
        return FALSE;
    }
  collect_one_off (c, report, &arrays);
  return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
}
