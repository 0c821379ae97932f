/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 10, vertex-memory: state and code of vertices
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static const TsrInsightLimit limits[] = {
  { "vertex-memory.state", 0.1, N_ ("of a tile"),
    N_ ("Fires when state on the worst tile takes at least") },
  { "vertex-memory.specialisations", 4, N_ ("specialisations"),
    N_ ("or when a vertex has at least") },
  { "vertex-memory.code", 0.03, N_ ("of a tile"), N_ ("whose code takes at least") },
  { "vertex-memory.all-code", 0.12, N_ ("of a tile"),
    N_ ("or when code of all vertices takes at least") },
};

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
  return c->fit == TSR_OUT_OF_MEMORY ? tsr_known_subtract (base->code, base->largest) : base->code;
}

static Base
find_base (const TsrInsightContext *c)
{
  Base best = { NULL, 0, -1, 0 };

  for (guint i = 0; c->vertices != NULL && i < c->vertices->len; i++)
    {
      const TsrInsightVertex *first = &g_array_index (c->vertices, TsrInsightVertex, i);
      Base base = { first, 0, 0, 0 };

      for (guint k = 0; k < c->vertices->len; k++)
        {
          const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, k);

          if (!have_same_base (first->name, vertex->name))
            continue;
          base.n += vertex->code > 0;
          base.code = tsr_insight_add (base.code, vertex->code);
          base.largest = MAX (base.largest, vertex->code);
        }
      if (base.code != TSR_UNKNOWN && get_weight (c, &base) > get_weight (c, &best)
          && base.n >= LIMIT ("vertex-memory.specialisations"))
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
                set.bytes, tsr_known_multiply (c->entry_counts[e],
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
  memory->base_fires = memory->base.first != NULL
                       && (tsr_rule_of_tile (c, memory->base.code) >= LIMIT ("vertex-memory.code")
                           || tsr_insight_counts (
                               c, tsr_known_subtract (memory->base.code, memory->base.largest)));
  memory->state_fires = tsr_rule_of_tile (c, memory->state) >= LIMIT ("vertex-memory.state");
  memory->code_fires = tsr_rule_of_tile (c, memory->code) >= LIMIT ("vertex-memory.all-code");
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
      name, base->n, SIZE (base->code), c->worst, SIZE (base->largest), tsr_rule_say_allocated (c));
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
                                    SIZE (bytes), c->worst, PERCENT (tsr_rule_of_tile (c, bytes)));
  finding->text = g_strdup_printf (state ? _ ("State of vertices takes %s on tile %u%s.%s")
                                         : _ ("Code of vertices takes %s on tile %u%s.%s"),
                                   SIZE (bytes), c->worst, example, tsr_rule_say_allocated (c));
  finding->action
      = g_strdup (state ? _ ("Fewer, larger vertices; a layout in which each tile holds "
                             "connected regions.")
                        : _ ("Fewer kinds of vertices: the same element types and layouts "
                             "everywhere."));
  if (c->vertices != NULL)
    add_compute_sets (c, finding, NULL);
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  VertexMemory memory;
  TsrFinding *finding;

  if (!tsr_rule_has_categories (c, verdict))
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
    tsr_verdict_fine (
        verdict, _ ("State %s (%s) and code %s (%s) on tile %u; fires from %s and %s"),
        SIZE (memory.state), PERCENT (tsr_rule_of_tile (c, memory.state)), SIZE (memory.code),
        PERCENT (tsr_rule_of_tile (c, memory.code)), c->worst,
        PERCENT (LIMIT ("vertex-memory.state")), PERCENT (LIMIT ("vertex-memory.all-code")));
}

const TsrInsightRule tsr_rule_vertex_memory = {
  .id = "vertex-memory",
  .title = N_ ("State and code of vertices"),
  .meaning
  = N_ ("State of all vertices on the worst tile with their fields and descriptors, code of all "
        "vertices, and code of one vertex that is there in several specialisations."),
  .inputs = "memory_by_tile_category vertex_types compute_set_vertices tile_arrays",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
