/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One pass over the slices adds each to its group: groups are told by number from name, type or
 * compute set, so that a slice costs a few array accesses.  A group's types are a short list in
 * shared nodes, as most groups have one. */

#include "config.h"

#include "tsr-trace-aggregate.h"

#include "tsr-trace-groups-private.h"
#include "tsr-trace-span-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct
{
  gint64 total;
  guint32 next; /* index + 1 */
  guint8 type;
} TypeNode;

typedef struct
{
  guint64 count;
  gint64 total, bytes, first_start;
  TsrSpanWide lost; /* units of 2^-32 */
  double balance, balance_cycles, flops;
  guint32 first_slice, types; /* types: node + 1 */
  guint32 n_types, n_sets, n_set_values;
  gint64 least, most;
  double cycles;
  guint8 lost_unknown : 1, bytes_unknown : 1, balance_unknown : 1;
} Group;

typedef struct
{
  const TsrTrace *trace;
  const TsrExecutionTables *tables;
  const TsrTraceAggregateQuery *query;
  TsrTraceGroups *names;
  TsrSpanTypes types;
  Group *groups;
  gsize n_groups;
  GArray *nodes;        /* TypeNode */
  guint32 n_sets;       /* compute sets */
  guint32 *set_group;   /* [n_sets] the first group that has it, TSR_NO_INDEX */
  gint64 *set_cycles;   /* [n_sets] recorded, the longest IPU */
  GHashTable *set_more; /* (nullable) further groups of a compute set: group << 32 | set */
  double *set_flops;    /* [n_sets] of the IPU that is passed over; NaN */
  guint8 *set_asked;
} Pass;

/* Compute sets */

static double
get_set_flops (const TsrProgramTables *programs, guint32 set)
{
  double flops = 0;

  if (programs->vertex_start[set] == programs->vertex_start[set + 1])
    return NAN;
  for (guint32 v = programs->vertex_start[set]; v < programs->vertex_start[set + 1]; v++)
    {
      if (programs->vertex_flops[v] == TSR_UNKNOWN)
        return NAN;
      flops += (double)programs->vertex_flops[v];
    }
  return flops;
}

/* An estimate is of all tiles of a replica: an IPU has the share that its active tiles are of the
 * step's in its replica. */
static double
get_ipu_flops (const Pass *pass, gsize slice, guint ipu, guint32 set)
{
  double flops = get_set_flops (tsr_trace_get_programs (pass->trace), set);
  gint64 replica, place, own = tsr_narrow_get (&pass->tables->slice_active_tiles, slice);
  double all = 0;
  guint n_others = 0;

  tsr_trace_get_replica (pass->trace, ipu, &replica, &place);
  for (guint i = 0; i < pass->tables->n_ipus && !isnan (flops); i++)
    {
      gint64 other, tiles;
      guint32 s;

      tsr_trace_get_replica (pass->trace, i, &other, &place);
      if (other != replica
          || (s = tsr_trace_find_slice (pass->trace, pass->tables->slice_step[slice], i))
                 == TSR_NO_SLICE
          || pass->tables->slice_start[s] == TSR_UNKNOWN
          || pass->tables->slice_end[s] <= pass->tables->slice_start[s])
        continue;
      tiles = tsr_narrow_get (&pass->tables->slice_active_tiles, s);
      n_others += i != ipu;
      all = tiles != TSR_UNKNOWN ? all + (double)tiles : NAN;
    }
  if (n_others == 0)
    return flops;
  /* (Its own tiles are among all: those are NaN where these are not known.) */
  return replica != TSR_UNKNOWN ? flops * (double)own / all : NAN;
}

static void
add_set_to_group (Group *group, gint64 cycles)
{
  group->n_sets++;
  if (cycles == TSR_UNKNOWN)
    return;
  group->least = group->n_set_values == 0 ? cycles : MIN (group->least, cycles);
  group->most = group->n_set_values == 0 ? cycles : MAX (group->most, cycles);
  group->cycles += (double)cycles;
  group->n_set_values++;
}

static void
add_compute_set (Pass *pass, Group *group, gsize slice, guint ipu, guint32 set)
{
  guint32 number = (guint32)(group - pass->groups);
  gint64 cycles = tsr_narrow_get (&pass->tables->slice_cycles, slice);
  gint64 start = pass->tables->slice_start[slice];

  if (set >= pass->n_sets)
    return;
  pass->set_cycles[set] = MAX (pass->set_cycles[set], cycles); /* unknown is the least number */
  if (pass->set_group[set] == TSR_NO_INDEX)
    pass->set_group[set] = number;
  else if (pass->set_group[set] != number)
    {
      gint64 key = (gint64)number << 32 | set;

      if (pass->set_more == NULL)
        pass->set_more = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      if (!g_hash_table_contains (pass->set_more, &key))
        g_hash_table_add (pass->set_more, g_memdup2 (&key, sizeof key));
    }
  if (start < pass->query->from)
    return;
  if (!pass->set_asked[set])
    {
      pass->set_asked[set] = TRUE;
      pass->set_flops[set] = get_ipu_flops (pass, slice, ipu, set);
    }
  group->flops += pass->set_flops[set];
}

static void
finish_compute_sets (Pass *pass)
{
  GHashTableIter iter;
  gpointer key;

  for (guint32 set = 0; set < pass->n_sets; set++)
    if (pass->set_group[set] != TSR_NO_INDEX)
      add_set_to_group (&pass->groups[pass->set_group[set]], pass->set_cycles[set]);
  if (pass->set_more == NULL)
    return;
  g_hash_table_iter_init (&iter, pass->set_more);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint64 pair = (guint64) * (gint64 *)key;

      add_set_to_group (&pass->groups[pair >> 32], pass->set_cycles[pair & G_MAXUINT32]);
    }
}

/* Slices */

static void
add_type (Pass *pass, Group *group, guint8 type, gint64 cycles)
{
  TypeNode node = { cycles, group->types, type };

  for (guint32 i = group->types; i != 0;)
    {
      TypeNode *known = &g_array_index (pass->nodes, TypeNode, i - 1);

      if (known->type == type)
        {
          known->total = tsr_span_add (known->total, cycles);
          return;
        }
      i = known->next;
    }
  g_array_append_val (pass->nodes, node);
  group->types = pass->nodes->len;
  group->n_types++;
}

static void
add_data (Pass *pass, Group *group, gsize slice, TsrStepGroup step_group)
{
  gint64 in = tsr_narrow_get (&pass->tables->slice_data_in, slice);
  gint64 out = tsr_narrow_get (&pass->tables->slice_data_out, slice);

  if (in != TSR_UNKNOWN && out != TSR_UNKNOWN)
    group->bytes = tsr_span_add (group->bytes, tsr_span_add (in, out));
  else if (step_group != TSR_STEP_GROUP_COMPUTE && tsr_step_group_is_useful (step_group))
    group->bytes_unknown = TRUE;
}

static void
add_balance (Pass *pass, Group *group, gsize slice, gint64 cycles)
{
  gint64 active = tsr_span_quantise (pass->tables->slice_active_tile_balance[slice]);
  double all = (double)pass->tables->slice_tile_balance[slice];

  if (active < 0)
    group->lost_unknown = TRUE;
  else
    group->lost += cycles * (TSR_SPAN_ONE - active);
  if (isnan (all))
    group->balance_unknown = TRUE;
  else
    group->balance += (double)cycles * all;
  group->balance_cycles += (double)cycles;
}

static void
add_slice (Pass *pass, guint ipu, gsize slice, gint64 cycles, guint8 type)
{
  const TsrExecutionTables *tables = pass->tables;
  guint32 set = tables->step_compute_set[tables->slice_step[slice]];
  guint32 number = tsr_trace_groups_get (pass->names, (guint32)slice, type, set);
  Group *group = &pass->groups[number];
  gint64 start = tables->slice_start[slice];

  if (group->count++ == 0 || start < group->first_start)
    {
      group->first_start = start;
      group->first_slice = (guint32)slice;
    }
  group->total = tsr_span_add (group->total, cycles);
  add_type (pass, group, type, cycles);
  if (start >= pass->query->from)
    add_data (pass, group, slice, pass->types.group[type]);
  if (pass->types.group[type] == TSR_STEP_GROUP_COMPUTE)
    add_balance (pass, group, slice, cycles);
  if (set != TSR_NO_INDEX)
    add_compute_set (pass, group, slice, ipu, set);
  else if (pass->types.group[type] == TSR_STEP_GROUP_COMPUTE && start >= pass->query->from)
    group->flops = NAN;
}

static gboolean
add_ipu (Pass *pass, guint ipu, guint64 *n_unknown, GCancellable *cancellable)
{
  const TsrTraceAggregateQuery *query = pass->query;
  TsrSpanSlices slices = tsr_span_find (pass->trace, query->run, ipu, query->from, query->to);

  *n_unknown += slices.n_unknown;
  if (pass->n_sets > 0)
    memset (pass->set_asked, 0, pass->n_sets);
  for (gsize slice = slices.first; slice < slices.end; slice++)
    {
      gint64 start, end;
      guint8 type;

      if (tsr_span_is_cancelled (slice, cancellable))
        return FALSE;
      if (!tsr_span_cut (&slices, pass->tables, slice, query->from, query->to, &start, &end))
        continue;
      type = (guint8)tsr_trace_get_slice_type (pass->trace, (guint32)slice);
      if ((query->hidden >> type & 1) != 0)
        continue;
      add_slice (pass, ipu, slice, tsr_span_length (start, end), type);
    }
  return TRUE;
}

static void
init_pass (Pass *pass, const TsrTrace *trace, const TsrTraceAggregateQuery *query)
{
  const TsrProgramTables *programs = tsr_trace_get_programs (trace);

  pass->trace = trace;
  pass->tables = tsr_trace_get_tables (trace);
  pass->query = query;
  pass->n_groups = tsr_trace_groups_get_n (pass->names);
  tsr_span_types_init (&pass->types, trace);
  pass->groups = g_new0 (Group, pass->n_groups);
  pass->nodes = g_array_new (FALSE, FALSE, sizeof (TypeNode));
  pass->n_sets = programs != NULL ? programs->n_compute_sets : 0;
  pass->set_group = g_new (guint32, pass->n_sets);
  pass->set_cycles = g_new (gint64, pass->n_sets);
  pass->set_flops = g_new (double, pass->n_sets);
  pass->set_asked = g_new0 (guint8, pass->n_sets);
  for (guint32 i = 0; i < pass->n_sets; i++)
    {
      pass->set_group[i] = TSR_NO_INDEX;
      pass->set_cycles[i] = TSR_UNKNOWN;
    }
}

static void
clear_pass (Pass *pass)
{
  g_clear_pointer (&pass->names, tsr_trace_groups_free);
  g_clear_pointer (&pass->groups, g_free);
  g_clear_pointer (&pass->nodes, g_array_unref);
  g_clear_pointer (&pass->set_group, g_free);
  g_clear_pointer (&pass->set_cycles, g_free);
  g_clear_pointer (&pass->set_flops, g_free);
  g_clear_pointer (&pass->set_asked, g_free);
  g_clear_pointer (&pass->set_more, g_hash_table_unref);
}

/* Rows */

static guint
get_main_type (const Pass *pass, const Group *group)
{
  gint64 most = -1;
  guint type = 0;

  for (guint32 i = group->types; i != 0;)
    {
      const TypeNode *node = &g_array_index (pass->nodes, TypeNode, i - 1);

      if (node->total > most || (node->total == most && node->type < type))
        {
          most = node->total;
          type = node->type;
        }
      i = node->next;
    }
  return type;
}

static void
fill_row (const Pass *pass, TsrTraceAggregate *answer, guint32 number, TsrTraceAggregateRow *row)
{
  const Group *group = &pass->groups[number];
  gboolean several = group->n_sets >= 2 && group->n_set_values == group->n_sets;

  row->name = g_string_chunk_insert_const (answer->texts,
                                           tsr_trace_groups_get_name (pass->names, number));
  row->count = group->count;
  row->total = group->total;
  row->lost = group->lost_unknown ? TSR_UNKNOWN : tsr_span_round (group->lost);
  row->bytes = group->bytes_unknown ? TSR_UNKNOWN : group->bytes;
  row->flops = group->flops;
  row->n_compute_sets = group->n_sets;
  row->least = several ? group->least : TSR_UNKNOWN;
  row->most = several ? group->most : TSR_UNKNOWN;
  row->mean = several ? group->cycles / group->n_sets : NAN;
  row->balance = group->balance_unknown || group->balance_cycles <= 0
                     ? NAN
                     : group->balance / group->balance_cycles;
  row->type = get_main_type (pass, group);
  row->n_types = group->n_types;
  row->first_slice = group->first_slice;
}

static void
add_to_totals (TsrTraceAggregate *answer, const TsrTraceAggregateRow *row)
{
  answer->total = tsr_span_add (answer->total, row->total);
  if (row->bytes == TSR_UNKNOWN)
    answer->bytes = TSR_UNKNOWN;
  else if (answer->bytes != TSR_UNKNOWN)
    answer->bytes = tsr_span_add (answer->bytes, row->bytes);
  answer->flops += row->flops;
}

/* The sum of all is rounded once, so that it is the same however steps are grouped, and rows add up
 * to it.  @order: groups of rows. */
static void
share_out_lost (const Pass *pass, const guint32 *order, TsrTraceAggregate *answer)
{
  guint n = answer->rows->len;
  g_autofree TsrSpanPart *parts = g_new (TsrSpanPart, n + 1);
  TsrSpanWide sum = 0;
  gboolean known = TRUE;

  for (guint i = 0; i < n; i++)
    {
      const Group *group = &pass->groups[order[i]];

      known = known && !group->lost_unknown;
      sum += group->lost;
      parts[i].part = &g_array_index (answer->rows, TsrTraceAggregateRow, i).lost;
      parts[i].rest = (guint32)group->lost;
    }
  answer->lost = known ? tsr_span_round (sum) : TSR_UNKNOWN;
  if (!known || answer->lost == G_MAXINT64)
    return;
  for (guint i = 0; i < n; i++)
    *parts[i].part = (gint64)(pass->groups[order[i]].lost >> 32);
  tsr_span_share_out (parts, n, answer->lost);
}

static int
compare_groups (gconstpointer pa, gconstpointer pb, gpointer data)
{
  const Pass *pass = data;
  const Group *a = &pass->groups[*(const guint32 *)pa];
  const Group *b = &pass->groups[*(const guint32 *)pb];

  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return a->first_slice < b->first_slice ? -1 : a->first_slice > b->first_slice;
}

static void
fill_answer (Pass *pass, TsrTraceAggregate *answer)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint32));

  answer->row_of_group = g_new (guint32, pass->n_groups);
  finish_compute_sets (pass);
  for (guint32 i = 0; i < pass->n_groups; i++)
    {
      answer->row_of_group[i] = TSR_NO_INDEX;
      if (pass->groups[i].count > 0)
        g_array_append_val (order, i);
    }
  g_array_sort_with_data (order, compare_groups, pass);
  g_array_set_size (answer->rows, order->len);
  for (guint i = 0; i < order->len; i++)
    {
      TsrTraceAggregateRow *row = &g_array_index (answer->rows, TsrTraceAggregateRow, i);
      guint32 number = g_array_index (order, guint32, i);

      answer->row_of_group[number] = i;
      fill_row (pass, answer, number, row);
      add_to_totals (answer, row);
    }
  for (guint i = 0; i < order->len; i++)
    {
      TsrTraceAggregateRow *row = &g_array_index (answer->rows, TsrTraceAggregateRow, i);

      row->share = (double)row->total / (double)answer->total;
    }
  share_out_lost (pass, (const guint32 *)(gpointer)order->data, answer);
  answer->groups = g_steal_pointer (&pass->names);
}

TsrTraceAggregate *
tsr_trace_aggregate (const TsrTrace *trace,
                     const TsrTraceAggregateQuery *query,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TsrTraceAggregate) answer = NULL;
  Pass pass = { 0 };
  gboolean done;

  g_return_val_if_fail (trace != NULL && query != NULL, NULL);
  pass.names = tsr_trace_groups_new (trace, query, cancellable, error);
  if (pass.names == NULL)
    return NULL;
  init_pass (&pass, trace, query);
  answer = g_new0 (TsrTraceAggregate, 1);
  answer->rows = g_array_new (FALSE, TRUE, sizeof (TsrTraceAggregateRow));
  answer->texts = g_string_chunk_new (4096);
  answer->seconds = (double)tsr_span_length (query->from, query->to) / tsr_trace_get_clock (trace);
  for (guint ipu = 0; ipu < pass.tables->n_ipus; ipu++)
    if ((query->ipus == NULL || query->ipus[ipu])
        && !add_ipu (&pass, ipu, &answer->n_unknown, cancellable))
      break;
  done = !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (done)
    fill_answer (&pass, answer);
  clear_pass (&pass);
  return done ? g_steal_pointer (&answer) : NULL;
}

void
tsr_trace_aggregate_free (TsrTraceAggregate *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_string_chunk_free (self->texts);
  g_clear_pointer (&self->groups, tsr_trace_groups_free);
  g_free (self->row_of_group);
  g_free (self);
}

/* Steps of rows */

/* Where the types' groups begin. */
static guint32
get_first_type (const TsrTraceGroups *groups)
{
  return groups->grouping == TSR_TRACE_BY_COMPUTE_SET ? groups->n_sets : 0;
}

static guint8
has_group (const TsrTraceAggregate *self, const guint8 *has, guint32 group)
{
  return self->row_of_group[group] != TSR_NO_INDEX && has[self->row_of_group[group]] != 0;
}

TsrTraceMatches *
tsr_trace_aggregate_dup_matches (const TsrTrace *trace,
                                 const TsrTraceAggregate *const *aggregates,
                                 const guint8 *const *has,
                                 guint n)
{
  g_autofree guint8 *names = NULL;
  g_autofree guint8 *sets = NULL;
  const TsrTraceGroups *groups;
  guint32 types = 0;

  g_return_val_if_fail (trace != NULL && aggregates != NULL && has != NULL && n > 0, NULL);
  names = g_new0 (guint8, (gsize)tsr_trace_get_n_names (trace) + 1);
  groups = aggregates[0]->groups;
  if (groups->of_name != NULL)
    {
      for (guint a = 0; a < n; a++)
        for (guint32 i = 0; i <= groups->n_names; i++)
          names[i] |= has_group (aggregates[a], has[a], aggregates[a]->groups->of_name[i]);
      return tsr_trace_matches_new_names (trace, names);
    }
  sets = g_new0 (guint8, (gsize)groups->n_sets + 1);
  for (guint32 i = 0; i < get_first_type (groups); i++)
    sets[i] = has_group (aggregates[0], has[0], i);
  for (guint32 t = 0; t < TSR_TRACE_MAX_TYPES; t++)
    types |= (guint32)has_group (aggregates[0], has[0], get_first_type (groups) + t) << t;
  return tsr_trace_matches_new_types (trace, types,
                                      groups->grouping == TSR_TRACE_BY_COMPUTE_SET ? sets : NULL);
}

/* A flag of what is in a group: 1 matches, 2 does not. */
static void
flag_group (const TsrTraceAggregate *self, guint32 group, gboolean matches, guint8 *flags)
{
  if (self->row_of_group[group] != TSR_NO_INDEX)
    flags[self->row_of_group[group]] |= matches ? 1 : 2;
}

void
tsr_trace_aggregate_find_rows (const TsrTraceAggregate *self,
                               const TsrTraceMatches *matches,
                               guint8 *has)
{
  const TsrTraceGroups *groups;
  const guint8 *names, *sets;
  guint32 types;

  g_return_if_fail (self != NULL && matches != NULL && has != NULL);
  groups = self->groups;
  names = tsr_trace_matches_peek_names (matches);
  sets = tsr_trace_matches_peek_sets (matches);
  types = tsr_trace_matches_get_types (matches);
  memset (has, 0, self->rows->len);
  if ((groups->of_name != NULL) != (names != NULL)
      || (groups->grouping == TSR_TRACE_BY_COMPUTE_SET) != (sets != NULL))
    return;
  if (groups->of_name != NULL)
    for (guint32 i = 0; i <= groups->n_names; i++)
      flag_group (self, groups->of_name[i], names[i], has);
  else
    {
      for (guint32 i = 0; i < get_first_type (groups); i++)
        flag_group (self, i, sets[i], has);
      for (guint32 t = 0; t < TSR_TRACE_MAX_TYPES; t++)
        flag_group (self, get_first_type (groups) + t, types >> t & 1, has);
    }
  for (guint i = 0; i < self->rows->len; i++)
    has[i] = has[i] == 1;
}

/* Blocks */

static int
compare_blocks (gconstpointer pa, gconstpointer pb)
{
  const TsrTraceBlockRow *a = pa;
  const TsrTraceBlockRow *b = pb;

  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return g_strcmp0 (a->name, b->name);
}

static void
add_block (GArray *rows, GHashTable *places, const char *name, gint64 cycles)
{
  TsrTraceBlockRow fresh = { name, 0, 0, G_MAXINT64, 0, 0, 0 };
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, name));
  TsrTraceBlockRow *row;

  if (place == 0)
    {
      g_array_append_val (rows, fresh);
      place = rows->len;
      g_hash_table_insert (places, (gpointer)name, GUINT_TO_POINTER (place));
    }
  row = &g_array_index (rows, TsrTraceBlockRow, place - 1);
  row->count++;
  row->total = tsr_span_add (row->total, cycles);
  row->least = MIN (row->least, cycles);
  row->most = MAX (row->most, cycles);
}

GArray *
tsr_trace_aggregate_blocks (const TsrTrace *trace, const guint8 *ipus, gboolean flushes)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TsrTraceBlockRow));
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  double total = 0;

  for (guint i = 0; i < tables->n_blocks; i++)
    {
      const char *name = tsr_string_table_get (tables->strings, tables->block_name[i]);
      gint64 from = tables->block_from[i], to = tables->block_to[i];

      if (from == TSR_UNKNOWN || to == TSR_UNKNOWN || to < from
          || (!flushes && (tables->block_flags[i] & TSR_BLOCK_FLUSH) != 0))
        continue;
      if (ipus != NULL && (tables->block_ipu[i] >= tables->n_ipus || !ipus[tables->block_ipu[i]]))
        continue;
      add_block (rows, places, name != NULL ? name : "", tsr_span_length (from, to));
    }
  for (guint i = 0; i < rows->len; i++)
    total += (double)g_array_index (rows, TsrTraceBlockRow, i).total;
  for (guint i = 0; i < rows->len; i++)
    {
      TsrTraceBlockRow *row = &g_array_index (rows, TsrTraceBlockRow, i);

      row->mean = (double)row->total / (double)row->count;
      row->share = total > 0 ? (double)row->total / total : NAN;
    }
  g_array_sort (rows, compare_blocks);
  return rows;
}
