/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every name is looked at for each search: a report has ten thousands of them, and a million
 * contexts of debug information; a text that several contexts share is looked at once.  Letters are
 * compared one by one in lower case, so that places in the lowered name are places in the name. */

#include "config.h"

#include "tsr-search.h"

#include "tsr-debug-tables.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CHUNK_US   20000 /* between two reports of what was found */
#define LOOK_EVERY 512   /* names between two looks at clock and cancellable */
#define MAX_WORDS  16
#define NO_STEP    TSR_NO_INDEX

struct _TsrSearch
{
  gatomicrefcount refs;
  TsrReport *report;
  TsrMemory *memory;       /* (nullable) */
  TsrVariables *variables; /* (nullable) */
  guint views;
  guint32 *first_step; /* (nullable) by program */
};

/* The first liveness step of each program. */
static void
index_steps (TsrSearch *self)
{
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (self->report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (self->report);

  if (liveness == NULL || programs == NULL || programs->n_programs == 0
      || liveness->step_program == NULL)
    return;
  self->first_step = g_new (guint32, programs->n_programs);
  memset (self->first_step, 0xff, programs->n_programs * sizeof *self->first_step);
  for (guint step = liveness->n_steps; step-- > 0;)
    if (liveness->step_program[step] < programs->n_programs)
      self->first_step[liveness->step_program[step]] = step;
}

TsrSearch *
tsr_search_new (TsrReport *report, TsrMemory *memory, TsrVariables *variables, guint views)
{
  TsrSearch *self = g_new0 (TsrSearch, 1);

  g_atomic_ref_count_init (&self->refs);
  self->report = g_object_ref (report);
  self->memory = memory != NULL ? tsr_memory_ref (memory) : NULL;
  self->variables = variables != NULL ? tsr_variables_ref (variables) : NULL;
  self->views = views;
  index_steps (self);
  return self;
}

TsrSearch *
tsr_search_ref (TsrSearch *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_search_unref (TsrSearch *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  g_object_unref (self->report);
  g_free (self->first_step);
  g_free (self);
}

/* ---------------------------------------------------------------- matching */

/* Letter by letter; NULL when @text is ASCII without capitals and stands for itself. */
static char *
dup_lower (const char *text)
{
  GString *lower;
  const char *p;

  for (p = text; *p != '\0' && (guchar)*p < 0x80 && !g_ascii_isupper (*p); p++)
    ;
  if (*p == '\0')
    return NULL;
  lower = g_string_new (NULL);
  for (p = text; *p != '\0'; p = g_utf8_next_char (p))
    g_string_append_unichar (lower, g_unichar_tolower (g_utf8_get_char (p)));
  return g_string_free (lower, FALSE);
}

typedef struct
{
  guint n;
  char *words[MAX_WORDS]; /* lower case */
  GString *lower;         /* the name that is looked at */
} Query;

static void
query_clear (Query *query)
{
  g_string_free (query->lower, TRUE);
  for (guint i = 0; i < query->n; i++)
    g_free (query->words[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static void
query_init (Query *query, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) parts = g_strsplit_set (valid, " \t\n", -1);

  query->n = 0;
  query->lower = g_string_new (NULL);
  for (guint i = 0; parts[i] != NULL && query->n < MAX_WORDS; i++)
    if (*parts[i] != '\0')
      {
        char *lower = dup_lower (parts[i]);

        query->words[query->n++] = lower != NULL ? lower : g_strdup (parts[i]);
      }
}

/* @at in @name is where a word begins: behind what is no letter or digit, or at "Bar" in "fooBar".
 */
static gboolean
is_word_start (const char *name, const char *at)
{
  gunichar before, here;

  if (at == name)
    return TRUE;
  before = g_utf8_get_char (g_utf8_prev_char (at));
  here = g_utf8_get_char (at);
  return !g_unichar_isalnum (before) || (g_unichar_islower (before) && g_unichar_isupper (here));
}

/* The place in @name of the byte @offset of its lower-case form. */
static const char *
place_in_name (const char *name, const char *lower, gsize offset)
{
  if (lower == NULL)
    return name + offset;
  return g_utf8_offset_to_pointer (name, g_utf8_pointer_to_offset (lower, lower + offset));
}

/* Lower case of @name in query->lower; FALSE: bytes of the two are not at the same places. */
static gboolean
lower_name (const Query *query, const char *name)
{
  const gsize length = strlen (name);
  guchar all = 0;

  g_string_set_size (query->lower, length);
  for (gsize i = 0; i < length; i++)
    {
      const guchar c = name[i];

      all |= c;
      query->lower->str[i] = (char)(c + ((guchar)(c - 'A') < 26 ? 'a' - 'A' : 0));
    }
  if (all < 0x80)
    return TRUE;
  g_string_truncate (query->lower, 0);
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    g_string_append_unichar (query->lower, g_unichar_tolower (g_utf8_get_char (p)));
  return FALSE;
}

/* FALSE when a word is not there; there is one at least. */
static gboolean
match_name (const Query *query, const char *name, TsrMatch *match)
{
  const char *lower = lower_name (query, name) ? NULL : query->lower->str;
  const char *text = query->lower->str;

  *match = TSR_MATCH_EXACT;
  for (guint i = 0; i < query->n; i++)
    {
      const char *word = query->words[i];
      const char *at = strstr (text, word);
      TsrMatch best = TSR_MATCH_INSIDE;

      if (at == NULL)
        return FALSE;
      if (at == text)
        best = query->n == 1 && text[strlen (word)] == '\0' ? TSR_MATCH_EXACT : TSR_MATCH_PREFIX;
      /* Where a word is inside, so is the name, wherever the others are. */
      for (; *match < TSR_MATCH_INSIDE && best == TSR_MATCH_INSIDE && at != NULL;
           at = strstr (at + 1, word))
        if (is_word_start (name, place_in_name (name, lower, at - text)))
          best = TSR_MATCH_WORD;
      *match = MAX (*match, best);
    }
  return TRUE;
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const TsrMatchRange *x = a, *y = b;

  return (x->from > y->from) - (x->from < y->from);
}

GArray *
tsr_search_find_ranges (const char *name, const char *text)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (TsrMatchRange));
  g_autofree char *lower = dup_lower (name);
  const char *whole = lower != NULL ? lower : name;
  g_auto (Query) query;
  guint n = 0;

  query_init (&query, text);
  for (guint i = 0; i < query.n; i++)
    {
      const char *best = strstr (whole, query.words[i]);
      TsrMatchRange range;

      if (best == NULL)
        continue;
      /* The start of a word, where there is one, is why it was found. */
      for (const char *at = best; at != NULL; at = strstr (at + 1, query.words[i]))
        if (is_word_start (name, place_in_name (name, lower, at - whole)))
          {
            best = at;
            break;
          }
      range.from = place_in_name (name, lower, best - whole) - name;
      range.to = place_in_name (name, lower, best - whole + strlen (query.words[i])) - name;
      g_array_append_val (ranges, range);
    }
  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      TsrMatchRange range = g_array_index (ranges, TsrMatchRange, i);
      TsrMatchRange *last = n > 0 ? &g_array_index (ranges, TsrMatchRange, n - 1) : NULL;

      if (last != NULL && range.from <= last->to)
        last->to = MAX (last->to, range.to);
      else
        g_array_index (ranges, TsrMatchRange, n++) = range;
    }
  g_array_set_size (ranges, n);
  return ranges;
}

/* ------------------------------------------------------------------ the run */

typedef struct
{
  TsrSearch *search;
  Query query;
  GArray *best; /* TsrFound, best first, at most @most */
  guint most;
  gboolean news; /* since @func was called */
  gint64 told;   /* when it was */
  guint n_looked;
  const char *layer; /* of the contexts that are being looked at */
  gboolean matched;  /* the last name */
  TsrSearchFunc func;
  gpointer data;
  GCancellable *cancellable;
} Run;

/* Views, tiles and IPUs stand first among equals: one names them because one wants them. */
static int
compare_found (const TsrFound *a, const TsrFound *b)
{
  gboolean place_a = a->kind <= TSR_FOUND_IPU, place_b = b->kind <= TSR_FOUND_IPU;

  if (a->match != b->match)
    return a->match < b->match ? -1 : 1;
  if (place_a != place_b)
    return place_a ? -1 : 1;
  if (a->bytes != b->bytes) /* unknown is the least of all numbers, and so the last */
    return a->bytes > b->bytes ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/* Programs, and contexts of a layer, whose names are one string are found once. */
static gboolean
drop_twin (Run *run, const TsrFound *found)
{
  for (guint i = 0; i < run->best->len && found->kind >= TSR_FOUND_PROGRAM; i++)
    {
      const TsrFound *other = &g_array_index (run->best, TsrFound, i);

      if (other->kind != found->kind || other->name != found->name || other->layer != found->layer)
        continue;
      if (compare_found (other, found) <= 0)
        return FALSE;
      g_array_remove_index (run->best, i);
      return TRUE;
    }
  return TRUE;
}

static void
add (Run *run, const TsrFound *found)
{
  guint low = 0, high;

  if (run->best->len == run->most
      && compare_found (&g_array_index (run->best, TsrFound, run->most - 1), found) <= 0)
    return;
  if (!drop_twin (run, found))
    return;
  for (high = run->best->len; low < high;)
    {
      guint middle = (low + high) / 2;

      if (compare_found (&g_array_index (run->best, TsrFound, middle), found) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  if (run->best->len == run->most)
    g_array_set_size (run->best, run->most - 1);
  g_array_insert_val (run->best, low, *found);
  run->news = TRUE;
}

static void
tell (Run *run)
{
  run->func (run->data, (const TsrFound *)(gpointer)run->best->data, run->best->len);
  run->news = FALSE;
  run->told = g_get_monotonic_time ();
}

/* FALSE when cancelled. */
static gboolean
look (Run *run,
      TsrFoundKind kind,
      guint32 index,
      const char *name,
      gint64 bytes,
      guint32 step,
      GError **error)
{
  TsrFound found = { kind, index, step, name, bytes, TSR_MATCH_INSIDE, run->layer };

  if (++run->n_looked % LOOK_EVERY == 0)
    {
      if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
        return FALSE;
      if (run->news && g_get_monotonic_time () - run->told > CHUNK_US)
        tell (run);
    }
  run->matched = name != NULL && match_name (&run->query, name, &found.match);
  if (run->matched)
    add (run, &found);
  return TRUE;
}

/* Sum of one metric over tiles [first, end). */
static gint64
sum_tiles (TsrMemory *memory, guint first, guint end)
{
  const gint64 *values = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  gboolean overflow = FALSE;
  gint64 sum = 0;

  for (guint tile = first; tile < end; tile++)
    {
      if (values == NULL || values[tile] == TSR_UNKNOWN)
        return TSR_UNKNOWN;
      sum = tsr_add_saturating (sum, values[tile], &overflow);
    }
  return overflow ? TSR_UNKNOWN : sum;
}

static gboolean
can_show (const Run *run, TsrView view)
{
  return (run->search->views & (1u << view)) != 0;
}

/* "1806", "tile 1806", "tile1806", "ipu 1", "ipu1"; @word in English or as it is translated. */
static gboolean
parse_place (const Query *query, const char *word, gboolean alone, guint64 *number)
{
  const char *digits = NULL;
  gsize length = strlen (word);

  if (query->n == 2 && g_str_equal (query->words[0], word))
    digits = query->words[1];
  else if (query->n == 1 && strncmp (query->words[0], word, length) == 0)
    digits = query->words[0] + length;
  else if (query->n == 1 && alone)
    digits = query->words[0];
  return digits != NULL && g_ascii_string_to_unsigned (digits, 10, 0, G_MAXUINT32, number, NULL);
}

static void
find_places (Run *run)
{
  TsrMemory *memory = run->search->memory;
  g_autofree char *tile = g_utf8_strdown (_ ("Tile"), -1);
  guint64 number;

  if (memory == NULL || !can_show (run, TSR_VIEW_MEMORY))
    return;
  if ((parse_place (&run->query, "tile", TRUE, &number)
       || parse_place (&run->query, tile, FALSE, &number))
      && number < tsr_memory_get_n_tiles (memory))
    {
      TsrFound found
          = { TSR_FOUND_TILE,  number, NO_STEP, NULL, sum_tiles (memory, number, number + 1),
              TSR_MATCH_EXACT, NULL };

      add (run, &found);
    }
  if (parse_place (&run->query, "ipu", FALSE, &number) && number < tsr_memory_get_n_ipus (memory))
    {
      TsrFound found = { TSR_FOUND_IPU, number, NO_STEP, NULL, 0, TSR_MATCH_EXACT, NULL };
      guint first, end;

      tsr_memory_get_ipu_tiles (memory, number, &first, &end);
      found.bytes = sum_tiles (memory, first, end);
      add (run, &found);
    }
}

static gboolean
find_views (Run *run, GError **error)
{
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    if (can_show (run, i)
        && !look (run, TSR_FOUND_VIEW, i, tsr_view_get_title (i), TSR_UNKNOWN, NO_STEP, error))
      return FALSE;
  return TRUE;
}

static gboolean
find_variables (Run *run, GError **error)
{
  TsrVariables *variables = run->search->variables;

  if (!can_show (run, TSR_VIEW_LIVENESS) && !can_show (run, TSR_VIEW_MEMORY))
    return TRUE;
  for (guint i = 0; variables != NULL && i < tsr_variables_get_n (variables); i++)
    if (!look (run, TSR_FOUND_VARIABLE, i, tsr_variables_get_name (variables, i),
               tsr_variables_get_bytes (variables, i), NO_STEP, error))
      return FALSE;
  return TRUE;
}

static gint64
get_total (const TsrTileArrayRef *refs, guint i)
{
  return refs != NULL ? refs[i].total : TSR_UNKNOWN;
}

static gboolean
find_in_programs (Run *run, GError **error)
{
  const TsrProgramTables *tables = tsr_report_get_program_tables (run->search->report);
  const guint32 *first_step = can_show (run, TSR_VIEW_LIVENESS) ? run->search->first_step : NULL;
  gboolean code = can_show (run, TSR_VIEW_MEMORY), tree = can_show (run, TSR_VIEW_PROGRAM_TREE);

  if (tables == NULL)
    return TRUE;
  for (guint i = 0; code && i < tables->n_vertex_types; i++)
    if (!look (run, TSR_FOUND_VERTEX_TYPE, i,
               tsr_string_table_get (tables->strings, tables->vertex_type_name[i]),
               get_total (tables->vertex_type_code, i), NO_STEP, error))
      return FALSE;
  for (guint i = 0; code && i < tables->n_compute_sets; i++)
    if (!look (run, TSR_FOUND_COMPUTE_SET, i,
               tsr_string_table_get (tables->strings, tables->compute_set_name[i]), TSR_UNKNOWN,
               NO_STEP, error))
      return FALSE;
  for (guint i = 0; (tree || first_step != NULL) && i < tables->n_programs; i++)
    if ((tree || first_step[i] != NO_STEP)
        && !look (run, TSR_FOUND_PROGRAM, i,
                  tsr_string_table_get (tables->strings, tables->program_name[i]),
                  get_total (tables->program_code, i), first_step != NULL ? first_step[i] : NO_STEP,
                  error))
      return FALSE;
  return TRUE;
}

/* Contexts have no size of their own, so they come after all else that matches as well. */
static gboolean
find_contexts (Run *run, GError **error)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (run->search->report);
  g_autofree guint32 *seen = NULL; /* by text: 1: it does not match; 2 + layer that was looked at */

  if (debug == NULL || !can_show (run, TSR_VIEW_PROGRAM_TREE))
    return TRUE;
  seen = g_new0 (guint32, MAX (debug->rows->n_texts, 1));
  for (guint32 i = 0; i < debug->n; i++)
    {
      const guint32 text = debug->name[i];
      const gboolean is_shared = text < debug->rows->n_texts;

      /* Of contexts of one name and layer the first one is found. */
      if (text == TSR_NO_STRING
          || (is_shared && (seen[text] == 1 || seen[text] == 2u + debug->layer[i])))
        continue;
      run->layer
          = debug->layer[i] != TSR_DEBUG_NO_LAYER ? debug->layers[debug->layer[i]].name : NULL;
      if (!look (run, TSR_FOUND_CONTEXT, i, tsr_debug_tables_get_text (debug, text), TSR_UNKNOWN,
                 NO_STEP, error))
        return FALSE;
      if (is_shared)
        seen[text] = run->matched ? 2u + debug->layer[i] : 1;
    }
  return TRUE;
}

/* ------------------------------------------------------- who has a context */

#define UNSEEN  0
#define OUTSIDE 1
#define SELF    2 /* SELF + 1: a child of it, and so on */

/* Steps from @row up to the context that is marked SELF, plus SELF; OUTSIDE: it is not above.  What
 * was passed remembers, so that each context is passed once for all programs. */
static guint32
measure_up (const TsrDebugTables *debug, guint32 *distance, guint32 row)
{
  guint32 top = row, steps = 0, found;

  for (; top != TSR_NO_INDEX && distance[top] == UNSEEN; top = debug->parent[top])
    steps++;
  found = top == TSR_NO_INDEX ? OUTSIDE : distance[top];
  for (guint32 at = row; at != top; at = debug->parent[at], steps--)
    distance[at] = found == OUTSIDE ? OUTSIDE : found + steps;
  return distance[row];
}

TsrCarries
tsr_search_find_carrier (TsrSearch *self, guint32 row, guint32 *program, guint32 *context)
{
  const TsrDebugTables *debug;
  const TsrProgramTables *programs;
  g_autofree guint32 *distance = NULL;
  g_autofree guint32 *carrier = NULL;
  guint32 nearest = G_MAXUINT32;

  g_return_val_if_fail (self != NULL && program != NULL && context != NULL, TSR_CARRIES_NONE);
  debug = tsr_report_get_debug_tables (self->report);
  programs = tsr_report_get_program_tables (self->report);
  *program = *context = TSR_NO_INDEX;
  if (debug == NULL || programs == NULL || programs->program_debug_id == NULL || row >= debug->n)
    return TSR_CARRIES_NONE;
  distance = g_new0 (guint32, debug->n);
  carrier = g_new (guint32, debug->n); /* the first program of each context */
  memset (carrier, 0xff, debug->n * sizeof *carrier);
  distance[row] = SELF;
  for (guint32 i = 0; i < programs->n_programs; i++)
    {
      guint32 own = tsr_debug_tables_find (debug, programs->program_debug_id[i]);

      if (own == TSR_NO_INDEX || carrier[own] != TSR_NO_INDEX)
        continue;
      carrier[own] = i;
      if (measure_up (debug, distance, own) == OUTSIDE || distance[own] >= nearest)
        continue;
      nearest = distance[own];
      *program = i;
      *context = own;
    }
  if (*program != TSR_NO_INDEX)
    return TSR_CARRIES_BELOW;
  for (; row != TSR_NO_INDEX && carrier[row] == TSR_NO_INDEX; row = debug->parent[row])
    ;
  *context = row;
  *program = row != TSR_NO_INDEX ? carrier[row] : TSR_NO_INDEX;
  return row != TSR_NO_INDEX ? TSR_CARRIES_ABOVE : TSR_CARRIES_NONE;
}

gboolean
tsr_search_run (TsrSearch *self,
                const char *text,
                guint most,
                TsrSearchFunc func,
                gpointer data,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (GArray) best = g_array_sized_new (FALSE, FALSE, sizeof (TsrFound), most + 1);
  Run run = { .search = self,
              .best = best,
              .most = most,
              .told = g_get_monotonic_time (),
              .func = func,
              .data = data,
              .cancellable = cancellable };
  gboolean done;

  g_return_val_if_fail (self != NULL && text != NULL && most > 0 && func != NULL, FALSE);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  query_init (&run.query, text);
  find_places (&run);
  done = run.query.n == 0
         || (find_views (&run, error) && find_variables (&run, error)
             && find_in_programs (&run, error) && find_contexts (&run, error));
  if (done)
    tell (&run);
  query_clear (&run.query);
  return done;
}
