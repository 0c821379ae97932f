/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 9 to 13: code of exchanges and copies, vertices, the profiler's own memory, code that runs
 * once (docs/insights.md#rules-about-memory).  Pure. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SIZE(bytes)    tsr_insight_size (c, bytes)
#define PERCENT(share) tsr_insight_percent (c, share)
#define COUNT(count)   tsr_insight_count (c, count)

static double
of_tile (const TsrInsightContext *c, gint64 bytes)
{
  return bytes == TSR_UNKNOWN || c->capacity <= 0 ? NAN : (double)bytes / (double)c->capacity;
}

/* Share of all memory without gaps. */
static double
of_all (const TsrInsightContext *c, gint64 bytes)
{
  return bytes == TSR_UNKNOWN || c->sum_exc <= 0 ? NAN : (double)bytes / (double)c->sum_exc;
}

/* Whether there are categories by tile and a worst tile; else the verdict says what is missing. */
static gboolean
has_categories (const TsrInsightContext *c, TsrVerdict *verdict)
{
  if (c->n_tiles == 0 || c->worst == TSR_NO_INDEX)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->capacity == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (c->category_bytes == NULL)
    tsr_verdict_missing (verdict, "memory_by_tile_category");
  else
    return TRUE;
  return FALSE;
}

/* Where categories are sums of sizes a text says so. */
static const char *
say_allocated (const TsrInsightContext *c)
{
  return c->categories_allocated
             ? _ ("  These are allocated sizes: what shares addresses counts for each.")
             : "";
}

/* --------------------------------------------------------- 9 exchange-code */

/* What repeating one exchange of each group of equal ones would save; *largest is the group that
 * saves most on the worst tile. */
typedef struct
{
  gint64 worst_tile, all_tiles;
  guint largest_members;
  gint64 largest_saving;
  const char *largest_name;
} Repeats;

static void
find_repeats (const TsrInsightContext *c, Repeats *repeats)
{
  g_autofree guint *members = g_new0 (guint, MAX (c->n_exchange_groups, 1));
  g_autofree guint *first = g_new0 (guint, MAX (c->n_exchange_groups, 1));

  *repeats = (Repeats){ TSR_UNKNOWN, TSR_UNKNOWN, 0, -1, NULL };
  for (guint i = 0; c->exchanges != NULL && i < c->exchanges->len; i++)
    {
      const TsrInsightExchange *exchange = &g_array_index (c->exchanges, TsrInsightExchange, i);

      if (exchange->group >= c->n_exchange_groups)
        continue;
      if (members[exchange->group]++ == 0)
        first[exchange->group] = i;
    }
  for (guint g = 0; g < c->n_exchange_groups; g++)
    {
      const TsrInsightExchange *one;
      gint64 saving;

      if (members[g] < tsr_insight_limit ("exchange-code.group"))
        continue;
      if (repeats->worst_tile == TSR_UNKNOWN)
        repeats->worst_tile = repeats->all_tiles = 0;
      one = &g_array_index (c->exchanges, TsrInsightExchange, first[g]);
      saving = (gint64)(members[g] - 1) * one->on_worst;
      repeats->worst_tile = tsr_insight_add (repeats->worst_tile, saving);
      repeats->all_tiles
          = tsr_insight_add (repeats->all_tiles, (gint64)(members[g] - 1) * one->total);
      if (saving <= repeats->largest_saving)
        continue;
      repeats->largest_saving = saving;
      repeats->largest_members = members[g];
      repeats->largest_name = one->name;
    }
}

typedef void (*FireCode) (const TsrInsightContext *c,
                          TsrVerdict *verdict,
                          gint64 bytes,
                          double share);

/* By @bytes on the worst tile, their @share of all memory and the @saving, with the limits of rule
 * @name. */
static void
judge_code (const TsrInsightContext *c,
            TsrVerdict *verdict,
            gint64 bytes,
            double share,
            gint64 saving,
            const char *name,
            FireCode fire)
{
  g_autofree char *size_name = g_strconcat (name, ".size", NULL);
  g_autofree char *share_name = g_strconcat (name, ".share", NULL);
  double size_limit = tsr_insight_limit (size_name);
  double share_limit = tsr_insight_limit (share_name);

  if (bytes == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "memory_by_tile_category", c->worst);
  else if (of_tile (c, bytes) >= size_limit || share >= share_limit
           || tsr_insight_counts (c, saving))
    fire (c, verdict, bytes, share);
  else if (isnan (share))
    tsr_verdict_missing (verdict, "memory_by_tile.excluding_gaps");
  else
    tsr_verdict_fine (verdict, _ ("%s on tile %u (%s) and %s of all memory; fires from %s and %s"),
                      SIZE (bytes), c->worst, PERCENT (of_tile (c, bytes)), PERCENT (share),
                      PERCENT (size_limit), PERCENT (share_limit));
}

static void
fire_exchange_code (const TsrInsightContext *c, TsrVerdict *verdict, gint64 bytes, double share)
{
  gboolean full = c->inc != NULL && c->inc[c->worst] != TSR_UNKNOWN
                  && of_tile (c, c->inc[c->worst]) >= tsr_insight_limit ("exchange-code.warning");
  TsrFinding *finding = tsr_verdict_fire (verdict, full ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  const char *repeated = "";
  Repeats repeats;

  verdict->about = TSR_ABOUT_EXCHANGE_CODE;
  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "category";
  finding->where.tab = "exchanges";
  for (guint i = 0; c->exchanges != NULL && i < c->exchanges->len; i++)
    {
      const TsrInsightExchange *exchange = &g_array_index (c->exchanges, TsrInsightExchange, i);

      if (!exchange->internal || exchange->on_worst <= 0)
        continue;
      tsr_finding_add_evidence (finding, exchange->name, exchange->on_worst,
                                (double)exchange->on_worst / (double)MAX (bytes, 1));
      tsr_finding_add_name (finding, exchange->name);
    }
  find_repeats (c, &repeats);
  finding->bytes_worst_tile = repeats.worst_tile;
  finding->bytes = repeats.all_tiles;
  if (repeats.largest_members > 0)
    repeated = tsr_insight_text (
        c,
        _ ("  %s exchanges like %s have equal code: repeated or outlined once, up to %s "
           "less for all such groups."),
        COUNT (repeats.largest_members), repeats.largest_name, SIZE (repeats.worst_tile));
  finding->confidence
      = finding->bytes == TSR_UNKNOWN ? TSR_CONFIDENCE_EXACT : TSR_CONFIDENCE_UPPER_BOUND;
  finding->title = g_strdup_printf (_ ("Code of exchanges takes %s on tile %u (%s)"), SIZE (bytes),
                                    c->worst, PERCENT (of_tile (c, bytes)));
  finding->text = g_strdup_printf (
      _ ("Code of exchanges takes %s on tile %u, and %s of the memory of all tiles.%s%s"),
      SIZE (bytes), c->worst, PERCENT (share), repeated, say_allocated (c));
  finding->action
      = g_strdup (_ ("Repeat or outline equal blocks instead of unrolling them; fewer, larger "
                     "operations; fewer changes of layout between operations."));
}

void
tsr_rule_exchange_code (const TsrInsightContext *c, TsrVerdict *verdict)
{
  gint64 bytes;
  double share;
  Repeats repeats;

  if (!has_categories (c, verdict))
    return;
  bytes = tsr_insight_get_category (c, "internalExchangeCode", c->worst);
  share = of_all (c, tsr_insight_sum_category (c, "internalExchangeCode"));
  find_repeats (c, &repeats);
  judge_code (c, verdict, bytes, share, repeats.worst_tile, "exchange-code", fire_exchange_code);
}

/* -------------------------------------------------------- 10 vertex-memory */

static gsize
get_base_length (const char *name)
{
  const char *end = strchr (name, '<');

  return end != NULL ? (gsize)(end - name) : strlen (name);
}

static gboolean
have_same_base (const char *a, const char *b)
{
  gsize length = get_base_length (a);

  return get_base_length (b) == length && strncmp (a, b, length) == 0;
}

/* The vertex whose specialisations have most code on the worst tile, of those with enough. */
typedef struct
{
  const TsrInsightVertex *first; /* NULL: none has enough specialisations */
  guint n;
  gint64 code, largest; /* on the worst tile */
} Base;

/* Bases are compared by their code, and where it does not fit by what one of them would save. */
static gint64
get_weight (const TsrInsightContext *c, const Base *base)
{
  return c->fit == TSR_OUT_OF_MEMORY ? tsr_insight_sub (base->code, base->largest) : base->code;
}

static Base
find_base (const TsrInsightContext *c)
{
  Base best = { NULL, 0, -1, 0 };

  for (guint i = 0; c->vertices != NULL && i < c->vertices->len; i++)
    {
      const TsrInsightVertex *first = &g_array_index (c->vertices, TsrInsightVertex, i);
      Base base = { first, 0, 0, 0 };
      gboolean seen = FALSE;

      for (guint k = 0; k < c->vertices->len && !seen; k++)
        {
          const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, k);

          if (!have_same_base (first->name, vertex->name))
            continue;
          seen = k < i;
          base.n += vertex->code > 0;
          base.code = tsr_insight_add (base.code, vertex->code);
          base.largest = MAX (base.largest, vertex->code);
        }
      if (!seen && base.code != TSR_UNKNOWN && get_weight (c, &base) > get_weight (c, &best)
          && base.n >= tsr_insight_limit ("vertex-memory.specialisations"))
        best = base;
    }
  return best;
}

/* Code of all specialisations but the largest, over all tiles. */
static gint64
get_base_saving (const TsrInsightContext *c, const Base *base)
{
  gint64 saving = 0;

  for (guint t = 0; t < c->n_tiles; t++)
    {
      gint64 sum = 0;
      gint64 largest = 0;

      for (guint k = 0; k < c->vertices->len; k++)
        {
          const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, k);

          if (!have_same_base (base->first->name, vertex->name))
            continue;
          if (vertex->code_array == NULL)
            return TSR_UNKNOWN;
          sum += vertex->code_array[t];
          largest = MAX (largest, vertex->code_array[t]);
        }
      saving = tsr_insight_add (saving, sum - largest);
    }
  return saving;
}

typedef struct
{
  guint32 compute_set;
  gint64 bytes;
} SetBytes;

static int
compare_sets (gconstpointer a, gconstpointer b)
{
  const SetBytes *x = a;
  const SetBytes *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->compute_set < y->compute_set ? -1 : x->compute_set > y->compute_set;
}

/* The compute sets with most state of the vertices that have @base's name, or of all. */
static void
add_compute_sets (const TsrInsightContext *c, TsrFinding *finding, const char *base)
{
  const TsrProgramTables *tables = c->programs;
  g_autoptr (GArray) sets = g_array_new (FALSE, FALSE, sizeof (SetBytes));
  gint64 all = 0;

  for (guint s = 0; tables != NULL && s < tables->n_compute_sets; s++)
    {
      SetBytes set = { s, 0 };
      gboolean uses = FALSE;

      for (guint32 e = tables->vertex_start[s]; e < tables->vertex_start[s + 1]; e++)
        {
          const TsrInsightVertex *vertex;

          if (tables->vertex_type[e] >= c->vertices->len)
            continue;
          vertex = &g_array_index (c->vertices, TsrInsightVertex, tables->vertex_type[e]);
          if (base != NULL && !have_same_base (base, vertex->name))
            continue;
          uses = uses || c->entry_counts[e] > 0;
          if (c->entry_counts[e] > 0 && tables->vertex_type_size[tables->vertex_type[e]] > 0)
            set.bytes = tsr_insight_add (
                set.bytes, tsr_insight_multiply (c->entry_counts[e],
                                                 tables->vertex_type_size[tables->vertex_type[e]]));
        }
      all = tsr_insight_add (all, set.bytes);
      if (uses)
        g_array_append_val (sets, set);
    }
  g_array_sort (sets, compare_sets);
  for (guint i = 0; i < MIN (sets->len, 5); i++)
    {
      const SetBytes *set = &g_array_index (sets, SetBytes, i);
      const char *name
          = tsr_string_table_get (tables->strings, tables->compute_set_name[set->compute_set]);

      tsr_finding_add_evidence (finding, name != NULL ? name : _ ("(no name)"), set->bytes,
                                all > 0 ? (double)set->bytes / (double)all : NAN);
    }
}

typedef struct
{
  gint64 state, code; /* of all vertices on the worst tile; TSR_UNKNOWN */
  Base base;
  gboolean base_fires, state_fires, code_fires;
} VertexMemory;

static void
measure_vertices (const TsrInsightContext *c, VertexMemory *memory)
{
  static const char *const parts[]
      = { "vertexInstanceState", "vertexFieldData", "copyDescriptor", "vectorListDescriptor" };

  memory->state = 0;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    memory->state
        = tsr_insight_add (memory->state, tsr_insight_get_category (c, parts[i], c->worst));
  memory->code = tsr_insight_get_category (c, "vertexCode", c->worst);
  memory->base = find_base (c);
  memory->base_fires
      = memory->base.first != NULL
        && (of_tile (c, memory->base.code) >= tsr_insight_limit ("vertex-memory.code")
            || tsr_insight_counts (c, tsr_insight_sub (memory->base.code, memory->base.largest)));
  memory->state_fires = of_tile (c, memory->state) >= tsr_insight_limit ("vertex-memory.state");
  memory->code_fires = of_tile (c, memory->code) >= tsr_insight_limit ("vertex-memory.all-code");
}

static void
fire_base (const TsrInsightContext *c, TsrFinding *finding, const VertexMemory *memory)
{
  const Base *base = &memory->base;
  g_autofree char *name = g_strndup (base->first->name, get_base_length (base->first->name));

  finding->bytes_worst_tile = base->code - base->largest;
  finding->bytes = get_base_saving (c, base);
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  finding->title = g_strdup_printf (_ ("One vertex in %u kinds: %s of code on tile %u"), base->n,
                                    SIZE (base->code), c->worst);
  finding->text = g_strdup_printf (
      _ ("%s: %u specialisations, %s of code on tile %u.  One of them would need at most %s.%s"),
      name, base->n, SIZE (base->code), c->worst, SIZE (base->largest), say_allocated (c));
  finding->action = g_strdup (_ ("Use one element type and one layout where several serve the same "
                                 "purpose."));
  for (guint i = 0; i < c->vertices->len; i++)
    {
      const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, i);

      if (have_same_base (base->first->name, vertex->name) && vertex->code > 0)
        tsr_finding_add_name (finding, vertex->name);
    }
  add_compute_sets (c, finding, base->first->name);
}

/* @state: the vertices' state is what takes so much, else their code. */
static void
fire_vertices (const TsrInsightContext *c,
               TsrFinding *finding,
               const VertexMemory *memory,
               gboolean state)
{
  const TsrInsightVertex *largest = NULL;
  const char *example = "";
  gint64 bytes = state ? memory->state : memory->code;

  for (guint i = 0; c->vertices != NULL && i < c->vertices->len; i++)
    {
      const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, i);

      if (largest == NULL
          || (state ? vertex->state > largest->state : vertex->code > largest->code))
        largest = vertex;
    }
  if (largest != NULL && (state ? largest->state : largest->code) > 0)
    {
      example = state ? tsr_insight_text (c, _ (", largest: %s (%s instances, %s)"), largest->name,
                                          COUNT (largest->count), SIZE (largest->state))
                      : tsr_insight_text (c, _ (", largest: %s (%s)"), largest->name,
                                          SIZE (largest->code));
      tsr_finding_add_name (finding, largest->name);
    }
  finding->title = g_strdup_printf (state ? _ ("State of vertices takes %s on tile %u (%s)")
                                          : _ ("Code of vertices takes %s on tile %u (%s)"),
                                    SIZE (bytes), c->worst, PERCENT (of_tile (c, bytes)));
  finding->text = g_strdup_printf (state ? _ ("State of vertices takes %s on tile %u%s.%s")
                                         : _ ("Code of vertices takes %s on tile %u%s.%s"),
                                   SIZE (bytes), c->worst, example, say_allocated (c));
  finding->action
      = g_strdup (state ? _ ("Fewer, larger vertices; a layout in which each tile holds "
                             "connected regions.")
                        : _ ("Fewer kinds of vertices: the same element types and layouts "
                             "everywhere."));
  if (c->vertices != NULL)
    add_compute_sets (c, finding, NULL);
}

void
tsr_rule_vertex_memory (const TsrInsightContext *c, TsrVerdict *verdict)
{
  VertexMemory memory;
  TsrFinding *finding;

  if (!has_categories (c, verdict))
    return;
  measure_vertices (c, &memory);
  if (memory.base_fires || memory.state_fires || memory.code_fires)
    {
      finding = tsr_verdict_fire (verdict, TSR_FINDING_ADVICE);
      verdict->about = TSR_ABOUT_VERTICES;
      tsr_finding_set_tile (finding, c->worst);
      finding->where.breakdown = "category";
      finding->where.tab = "vertices";
      if (memory.base_fires)
        fire_base (c, finding, &memory);
      else
        fire_vertices (c, finding, &memory, memory.state_fires);
    }
  else if (memory.state == TSR_UNKNOWN || memory.code == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "memory_by_tile_category", c->worst);
  else if (c->vertices == NULL)
    tsr_verdict_missing (verdict, "vertex_types");
  else
    tsr_verdict_fine (verdict,
                      _ ("State %s (%s) and code %s (%s) on tile %u; fires from %s and %s"),
                      SIZE (memory.state), PERCENT (of_tile (c, memory.state)), SIZE (memory.code),
                      PERCENT (of_tile (c, memory.code)), c->worst,
                      PERCENT (tsr_insight_limit ("vertex-memory.state")),
                      PERCENT (tsr_insight_limit ("vertex-memory.all-code")));
}

/* -------------------------------------------------- 11 io-code-and-headers */

static const char *const io_names[] = { "hostExchangePacketHeader", "globalExchangePacketHeader",
                                        "hostExchangeCode", "globalExchangeCode" };
#define N_HEADERS 2

static gint64
scale (gint64 bytes, double factor)
{
  return bytes != TSR_UNKNOWN ? (gint64)((double)bytes * factor) : TSR_UNKNOWN;
}

/* What headers take less when so few copies as are enough do the work. */
static void
save_headers (const TsrInsightContext *c, gint64 *worst_tile, gint64 *all_tiles)
{
  double copies = tsr_insight_limit ("io-code-and-headers.copies");
  gint64 headers = 0;
  gint64 all_headers = 0;

  *worst_tile = *all_tiles = TSR_UNKNOWN;
  if (c->n_stream_copies == TSR_UNKNOWN || (double)c->n_stream_copies < copies)
    return;
  for (guint i = 0; i < N_HEADERS; i++)
    {
      headers = tsr_insight_add (headers, tsr_insight_get_category (c, io_names[i], c->worst));
      all_headers = tsr_insight_add (all_headers, tsr_insight_sum_category (c, io_names[i]));
    }
  *worst_tile = scale (headers, 1 - copies / (double)c->n_stream_copies);
  *all_tiles = scale (all_headers, 1 - copies / (double)c->n_stream_copies);
}

static void
fire_io_code (const TsrInsightContext *c, TsrVerdict *verdict, gint64 bytes, double share)
{
  TsrFinding *finding = tsr_verdict_fire (verdict, TSR_FINDING_ADVICE);

  verdict->about = TSR_ABOUT_IO_CODE;
  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "category";
  finding->where.tab = "exchanges";
  for (guint i = 0; i < G_N_ELEMENTS (io_names); i++)
    {
      gint64 part = tsr_insight_get_category (c, io_names[i], c->worst);

      for (guint k = 0; k < c->n_categories; k++)
        if (g_str_equal (c->category_names[k], io_names[i]))
          tsr_finding_add_evidence (finding, c->category_labels[k], part,
                                    (double)part / (double)MAX (bytes, 1));
    }
  save_headers (c, &finding->bytes_worst_tile, &finding->bytes);
  if (finding->bytes != TSR_UNKNOWN || finding->bytes_worst_tile != TSR_UNKNOWN)
    finding->confidence = TSR_CONFIDENCE_ESTIMATE;
  finding->title = g_strdup_printf (_ ("Copies off the chip take %s on tile %u (%s)"), SIZE (bytes),
                                    c->worst, PERCENT (of_tile (c, bytes)));
  finding->text = g_strdup_printf (
      _ ("Code and packet headers of copies to the host and between IPUs take %s on tile %u, and "
         "%s of the memory of all tiles.%s"),
      SIZE (bytes), c->worst, PERCENT (share), say_allocated (c));
  finding->action = g_strdup (
      _ ("Fewer and larger streams; tiles of their own for I/O; another number of batches in each "
         "copy."));
}

void
tsr_rule_io_code_and_headers (const TsrInsightContext *c, TsrVerdict *verdict)
{
  gint64 bytes = 0;
  gint64 all = 0;
  gint64 saving, unused;
  double share;

  if (!has_categories (c, verdict))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (io_names); i++)
    {
      bytes = tsr_insight_add (bytes, tsr_insight_get_category (c, io_names[i], c->worst));
      all = tsr_insight_add (all, tsr_insight_sum_category (c, io_names[i]));
    }
  share = of_all (c, all);
  save_headers (c, &saving, &unused);
  judge_code (c, verdict, bytes, share, saving, "io-code-and-headers", fire_io_code);
}

/* ------------------------------------------------------ 12 instrumentation */

/* Whether every tile that does not fit would without the profiler's results. */
static gboolean
does_profiling_overflow (const TsrInsightContext *c)
{
  for (guint i = 0; i < c->n_critical; i++)
    {
      gint64 results = tsr_insight_get_category (c, "instrumentationResults", c->critical[i]);

      if (results == TSR_UNKNOWN || c->need[c->critical[i]] > results)
        return FALSE;
    }
  return c->fit == TSR_OUT_OF_MEMORY;
}

static guint
find_emptiest (const TsrInsightContext *c)
{
  guint emptiest = TSR_NO_INDEX;

  for (guint t = 0; c->inc != NULL && t < c->n_tiles; t++)
    if (c->inc[t] != TSR_UNKNOWN && (emptiest == TSR_NO_INDEX || c->inc[t] < c->inc[emptiest]))
      emptiest = t;
  return emptiest;
}

void
tsr_rule_instrumentation (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("instrumentation.size");
  TsrFinding *finding;
  gboolean overflows, fires;
  gint64 bytes;
  guint emptiest;

  if (!has_categories (c, verdict))
    return;
  bytes = tsr_insight_get_category (c, "instrumentationResults", c->worst);
  overflows = does_profiling_overflow (c);
  fires = overflows || of_tile (c, bytes) >= limit || tsr_insight_counts (c, bytes);
  if (bytes == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "memory_by_tile_category", c->worst);
  else if (!fires)
    tsr_verdict_fine (verdict, _ ("%s on tile %u (%s); fires from %s"), SIZE (bytes), c->worst,
                      PERCENT (of_tile (c, bytes)), PERCENT (limit));
  if (bytes == TSR_UNKNOWN || !fires)
    return;
  finding = tsr_verdict_fire (verdict, overflows ? TSR_FINDING_WARNING : TSR_FINDING_INFO);
  tsr_finding_set_tiles (finding, c->critical, c->n_critical);
  g_free (finding->scope);
  finding->scope = g_strdup_printf ("tile%u", c->worst);
  finding->where.breakdown = "category";
  finding->bytes_worst_tile = bytes;
  finding->bytes = tsr_insight_sum_category (c, "instrumentationResults");
  finding->confidence = TSR_CONFIDENCE_ESTIMATE;
  finding->at_least = TRUE; /* profiling adds code as well */
  for (guint i = 0; i < MIN (c->n_critical, 5); i++)
    {
      guint tile = c->critical[i];
      gint64 results = tsr_insight_get_category (c, "instrumentationResults", tile);

      if (results != TSR_UNKNOWN)
        tsr_finding_add_evidence (finding, tsr_insight_text (c, _ ("Tile %u"), tile), results,
                                  of_tile (c, results));
    }
  emptiest = find_emptiest (c);
  finding->title = g_strdup_printf (overflows ? _ ("Without profiling it would fit: %s on tile %u")
                                              : _ ("Profiling itself takes %s on tile %u"),
                                    SIZE (bytes), c->worst);
  finding->text = g_strdup_printf (
      overflows ? _ ("The program itself fits: profiling makes it overflow.  Its results take at "
                     "least %s on tile %u (%s), and code besides.%s")
                : _ ("The results of profiling take at least %s on tile %u (%s), and code "
                     "besides.%s"),
      SIZE (bytes), c->worst, PERCENT (of_tile (c, bytes)), say_allocated (c));
  finding->action = g_strdup_printf (
      _ ("Lower debug.computeInstrumentationLevel, or set debug.profilingTile or "
         "debug.branchRecordTile to an emptier tile%s."),
      emptiest != TSR_NO_INDEX ? tsr_insight_text (c, _ (" (the emptiest is %u)"), emptiest) : "");
}

/* --------------------------------------------------------- 13 one-off-code */

void
tsr_rule_one_off_code (const TsrInsightContext *c, TsrVerdict *verdict)
{
  const TsrInsightOneOff *code = &c->one_off;
  double limit = tsr_insight_limit ("one-off-code.size");
  double often = tsr_insight_limit ("one-off-code.median");
  TsrFinding *finding;
  gboolean fires;
  gint64 bytes;

  if (!code->known)
    {
      tsr_verdict_missing (verdict, code->missing != NULL ? code->missing : "steps");
      return;
    }
  if (c->worst == TSR_NO_INDEX || c->capacity == TSR_UNKNOWN)
    {
      tsr_verdict_missing (verdict,
                           c->worst == TSR_NO_INDEX ? "memory_by_tile" : "target.bytes_per_tile");
      return;
    }
  bytes = tsr_insight_add (tsr_insight_add (code->exchange, code->vertex), code->control);
  fires = of_tile (c, bytes) >= limit || tsr_insight_counts (c, bytes);
  if (code->median < often)
    tsr_verdict_fine (verdict, _ ("Executions of the median program in a run: %s; fires from %s"),
                      COUNT ((gint64)code->median), COUNT ((gint64)often));
  else if (bytes == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "tile_arrays", c->worst);
  else if (!fires)
    tsr_verdict_fine (verdict, _ ("%s on tile %u (%s); fires from %s"), SIZE (bytes), c->worst,
                      PERCENT (of_tile (c, bytes)), PERCENT (limit));
  if (code->median < often || bytes == TSR_UNKNOWN || !fires)
    return;
  finding = tsr_verdict_fire (verdict, TSR_FINDING_ADVICE);
  verdict->about = (code->exchange > 0 ? TSR_ABOUT_EXCHANGE_CODE : 0)
                   | (code->vertex > 0 ? TSR_ABOUT_VERTICES : 0);
  tsr_finding_set_tile (finding, c->worst);
  finding->where.tab = code->tab;
  finding->bytes_worst_tile = bytes;
  finding->bytes = tsr_insight_add (tsr_insight_add (code->exchange_total, code->vertex_total),
                                    code->control_total);
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  for (guint i = 0; code->names != NULL && i < code->names->len; i++)
    {
      gint64 part = g_array_index (code->bytes, gint64, i);

      tsr_finding_add_evidence (finding, g_ptr_array_index (code->names, i), part,
                                (double)part / (double)bytes);
      if (code->tab != NULL)
        tsr_finding_add_name (finding, g_ptr_array_index (code->names, i));
    }
  finding->title
      = g_strdup_printf (_ ("Code that runs once takes %s on tile %u"), SIZE (bytes), c->worst);
  finding->text = g_strdup_printf (
      _ ("Code that runs once (initialisation, last update) stays all the time: %s on tile %u, of "
         "it exchanges %s, vertices %s, control %s; %s programs."),
      SIZE (bytes), c->worst, SIZE (code->exchange), SIZE (code->vertex), SIZE (code->control),
      COUNT (code->n_programs));
  finding->action
      = g_strdup (_ ("Move it to a program of its own that is loaded separately, or do it on the "
                     "host."));
}
