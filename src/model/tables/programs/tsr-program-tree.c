/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tree of programs as rows.  A graph of shared functions stands for a tree that may have more
 * rows than there are atoms, so a program is expanded once, where it stands first, and is one row
 * elsewhere: rows are at most as many as links.  A row that somebody opened is expanded like a
 * tree of its own, a "scope", in which again each program is expanded once.  The walk has a stack
 * of its own: a chain of a million programs is a million rows deep. */

#include "config.h"

#include "tsr-program-tree.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#define CANCEL_EVERY 65536
#define MAX_ROWS     (1u << 27)

/* ----------------------------------------------------------------- columns */

typedef enum
{
  LABEL,
  NOTE,
  ID,
  CALLERS,
  SHARE,
  TILE,
  TILE_SELF,
  FIGURE,
} Cell;

typedef struct
{
  const char *key;
  const char *title;      /* to be translated */
  const char *definition; /* likewise (nullable) */
  Cell cell;
  TsrValueKind kind;
  TsrProgramFigure figure;
} Column;

#define OF(figure)    FIGURE, TSR_VALUE_COUNT, TSR_PROGRAM_##figure
#define BYTES(figure) FIGURE, TSR_VALUE_BYTES, TSR_PROGRAM_##figure

static const Column columns[] = {
  { "name", N_ ("Program"), NULL, LABEL, 0, 0 },
  { "note", N_ ("Note"), NULL, NOTE, 0, 0 },
  { "id", N_ ("Id"), NULL, ID, TSR_VALUE_INDEX, 0 },
  { "cycles", N_ ("Cycles"),
    N_ ("Measured in the recorded runs, with all below it: of each step those of the IPU where it "
        "took longest, without the wait for the host that leads a run.  What several programs call "
        "is theirs in proportion to how often each executes it"),
    OF (CYCLES) },
  { "share", N_ ("Share"),
    N_ ("Of the cycles of all recorded steps, without the waits that lead runs"), SHARE,
    TSR_VALUE_FRACTION, 0 },
  { "cyclesSelf", N_ ("Cycles (self)"),
    N_ ("Measured in the recorded runs: of each step those of the IPU where it took longest"),
    OF (CYCLES_SELF) },
  { "cyclesLast", N_ ("Cycles (last)"), N_ ("Of its last recorded step"), OF (CYCLES_LAST) },
  { "executions", N_ ("Executions"),
    N_ ("For one execution of the control program: repeats x calls, all branches taken"),
    OF (EXECUTIONS) },
  { "steps", N_ ("Steps"), N_ ("Its own steps in the recorded runs"), OF (STEPS) },
  { "estimated", N_ ("Estimated"),
    N_ ("Cycles of one execution as the compiler estimates them on the slowest tile, with repeats "
        "and calls below it"),
    OF (ESTIMATED) },
  { "codeTile", N_ ("Code (worst tile)"),
    N_ ("On the tile with most memory, with all below it: each program and each vertex type once"),
    TILE, TSR_VALUE_BYTES, 0 },
  { "code", N_ ("Code"),
    N_ ("Over all tiles of a replica, with all below it: each program and each vertex type once"),
    BYTES (CODE) },
  { "control", N_ ("Control (self)"), N_ ("Control code, without that of its children"),
    BYTES (CONTROL_SELF) },
  { "exchange", N_ ("Exchange (self)"), N_ ("Exchange code"), BYTES (EXCHANGE_SELF) },
  { "vertex", N_ ("Vertices (self)"),
    N_ ("Code of the vertex types of its compute set on every tile that has it, also for others; "
        "an operation counts tiles with vertices of its own"),
    BYTES (VERTEX_SELF) },
  { "codeTileSelf", N_ ("Code (worst tile, self)"),
    N_ ("On the tile with most memory, of the program alone"), TILE_SELF, TSR_VALUE_BYTES, 0 },
  { "live", N_ ("Live"),
    N_ ("Not-always-live bytes at its liveness step, the largest of all below it"), BYTES (LIVE) },
  { "moved", N_ ("Exchanged"),
    N_ ("Bytes that one execution receives and sends, with repeats and calls below it"),
    BYTES (MOVED) },
  { "flops", N_ ("FLOPs"),
    N_ ("Of one execution as the compiler estimates them, with repeats and calls below it"),
    OF (FLOPS) },
  { "callers", N_ ("Callers"), N_ ("Links that lead to it"), CALLERS, TSR_VALUE_COUNT, 0 },
};

/* -------------------------------------------------------------------- data */

/* A row that was opened, and what stands in it. */
typedef struct
{
  char *key;        /* of the row; NULL: the tree itself */
  GHashTable *seen; /* programs; of the tree itself flags do it */
} Scope;

typedef struct
{
  TsrPrograms *programs;
  TsrProgramCode *code; /* (nullable) */
  GArray *places;       /* TsrProgramPlace */
  GArray *scopes;       /* Scope */
  GHashTable *groups;   /* row to Group */
} Data;

/* Sums over the different programs of a group. */
typedef struct
{
  char *label;
  gint64 cells[G_N_ELEMENTS (columns)];
} Group;

static void
group_free (gpointer data)
{
  Group *group = data;

  g_free (group->label);
  g_free (group);
}

static void
scope_clear (gpointer data)
{
  Scope *scope = data;

  g_free (scope->key);
  g_clear_pointer (&scope->seen, g_hash_table_unref);
}

static Data *
data_new (const TsrProgramQuestion *question)
{
  Data *self = g_new0 (Data, 1);

  self->programs = tsr_programs_ref (question->programs);
  if (question->code != NULL)
    self->code = tsr_program_code_ref (question->code);
  self->places = g_array_new (FALSE, FALSE, sizeof (TsrProgramPlace));
  self->scopes = g_array_new (FALSE, FALSE, sizeof (Scope));
  g_array_set_clear_func (self->scopes, scope_clear);
  self->groups = g_hash_table_new_full (NULL, NULL, NULL, group_free);
  return self;
}

static void
data_free (gpointer data)
{
  Data *self = data;

  tsr_programs_unref (self->programs);
  g_clear_pointer (&self->code, tsr_program_code_unref);
  g_array_unref (self->places);
  g_array_unref (self->scopes);
  g_hash_table_unref (self->groups);
  g_free (self);
}

static const TsrProgramPlace *
get_place (const Data *self, guint32 row)
{
  return &g_array_index (self->places, TsrProgramPlace, row);
}

/* ------------------------------------------------------------------- cells */

static gboolean
is_leaf (const TsrPrograms *programs, guint32 program)
{
  guint32 first, end;

  tsr_programs_get_edges (programs, program, &first, &end);
  return first == end;
}

static gint64
get_share (const Data *self, guint32 program)
{
  gint64 all = tsr_programs_get_all_cycles (self->programs);
  gint64 cycles = tsr_programs_get (self->programs, program, TSR_PROGRAM_CYCLES);

  if (cycles == TSR_UNKNOWN || all == TSR_UNKNOWN || all <= 0)
    return TSR_UNKNOWN;
  return (gint64)((__int128)cycles * 1000000000 / all);
}

static gint64
get_cell (const Data *self, guint32 program, const Column *column)
{
  switch (column->cell)
    {
    case ID:
      return tsr_programs_get_tables (self->programs)->program_id[program];
    case CALLERS:
      return tsr_programs_get_n_parents (self->programs, program);
    case SHARE:
      return get_share (self, program);
    case TILE:
      return self->code != NULL ? tsr_program_code_get_total (self->code, program) : TSR_UNKNOWN;
    case TILE_SELF:
      return self->code != NULL ? tsr_program_code_get_self (self->code, program) : TSR_UNKNOWN;
    case FIGURE:
      return tsr_programs_get (self->programs, program, column->figure);
    case LABEL:
    case NOTE:
    default:
      return TSR_UNKNOWN;
    }
}

static gint64
get_value (gpointer data, guint32 row, guint column)
{
  const Data *self = data;
  const TsrProgramPlace *place = get_place (self, row);
  const Group *group;

  if (place->mark != TSR_PLACE_GROUP)
    return get_cell (self, place->program, &columns[column]);
  group = g_hash_table_lookup (self->groups, GUINT_TO_POINTER (row));
  return group->cells[column];
}

static gboolean
is_elsewhere (const Data *self, const TsrProgramPlace *place)
{
  return place->mark == TSR_PLACE_SEEN && !is_leaf (self->programs, place->program);
}

static const char *
get_note (gpointer data, guint32 row)
{
  const TsrProgramPlace *place = get_place (data, row);

  return place->mark == TSR_PLACE_CUT ? _ ("leads back to itself")
         : is_elsewhere (data, place) ? _ ("expanded elsewhere")
                                      : NULL;
}

/* Without it they would look as if nothing were below them. */
static const char *
get_suffix (gpointer data, guint32 row)
{
  const TsrProgramPlace *place = get_place (data, row);

  return place->mark == TSR_PLACE_CUT || is_elsewhere (data, place) ? "[+]" : NULL;
}

static const char *
get_text (gpointer data, guint32 row, guint column)
{
  const Data *self = data;
  const TsrProgramPlace *place = get_place (self, row);
  const Group *group;

  if (columns[column].cell == NOTE)
    return get_note (data, row);
  if (place->mark != TSR_PLACE_GROUP)
    return tsr_programs_get_label (self->programs, place->program);
  group = g_hash_table_lookup (self->groups, GUINT_TO_POINTER (row));
  return group->label;
}

/* "12": the program, where it is expanded; "@12": a root that is expanded elsewhere; "12.3": what
 * stands third below it; "*12.3": a group that begins there.  In an opened row its key and a slash
 * come first. */
static char *
dup_key (gpointer data, guint32 row)
{
  const Data *self = data;
  const TsrProgramTables *t = tsr_programs_get_tables (self->programs);
  const TsrProgramPlace *place = get_place (self, row);
  const Scope *scope = &g_array_index (self->scopes, Scope, place->scope);
  g_autofree char *own = NULL;

  if (place->mark == TSR_PLACE_FIRST || place->edge == TSR_NO_INDEX)
    own = g_strdup_printf ("%s%" PRId64, place->mark != TSR_PLACE_FIRST ? "@" : "",
                           t->program_id[place->program]);
  else
    {
      guint32 parent = tsr_programs_find_parent (self->programs, place->edge);
      guint32 first, end;

      tsr_programs_get_edges (self->programs, parent, &first, &end);
      own = g_strdup_printf ("%s%" PRId64 ".%u", place->mark == TSR_PLACE_GROUP ? "*" : "",
                             t->program_id[parent], place->edge - first);
    }
  return scope->key != NULL ? g_strconcat (scope->key, "/", own, NULL) : g_steal_pointer (&own);
}

/* Takes @self and @parents (nullable). */
static TsrTableAnswer *
make_answer (Data *self, guint32 *parents, const char *sort_key)
{
  static const TsrRowSource source = { get_text, get_value };
  static const TsrRowTraits traits
      = { .dup_key = dup_key, .definition = get_note, .suffix = get_suffix };
  GPtrArray *made = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  TsrTableAnswer *answer = tsr_table_answer_new (_ ("No programs"), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const Column *of = &columns[i];
      gboolean text = of->cell == LABEL || of->cell == NOTE;
      TsrRowColumn *column = tsr_row_column_new (
          of->key, _ (of->title), text ? TSR_CELL_KIND_TEXT : TSR_CELL_KIND_VALUE, of->kind);

      column->definition = of->definition != NULL ? g_strdup (_ (of->definition)) : NULL;
      column->filtered = column->pinned = of->cell == LABEL;
      column->summed = FALSE; /* rows have others in them */
      g_ptr_array_add (made, column);
    }
  answer->places = (const TsrProgramPlace *)(gpointer)self->places->data;
  answer->rows = tsr_rows_new (self->places->len, made, &source, self, data_free);
  answer->sort_key = sort_key;
  tsr_rows_set_traits (answer->rows, &traits);
  if (parents != NULL)
    tsr_rows_set_parents (answer->rows, parents);
  return answer;
}

/* -------------------------------------------------------------------- tree */

typedef struct
{
  guint32 program, edge, row; /* row: that it hangs below; of a hidden one its parent's */
  guint32 scope;
} Frame;

typedef struct
{
  const TsrProgramQuestion *question;
  Data *data;
  GArray *parents;    /* guint32: rows */
  GArray *stack;      /* Frame */
  guint8 *seen;       /* by program, in the tree itself */
  guint8 *hidden;     /* (nullable) by program */
  GHashTable *opened; /* (nullable) set of keys */
} Tree;

static gboolean
is_seen (const Tree *tree, guint32 scope, guint32 program)
{
  if (scope == 0)
    return tree->seen[program];
  return g_hash_table_contains (g_array_index (tree->data->scopes, Scope, scope).seen,
                                GUINT_TO_POINTER (program));
}

static void
see (Tree *tree, guint32 scope, guint32 program)
{
  if (scope == 0)
    tree->seen[program] = 1;
  else
    g_hash_table_add (g_array_index (tree->data->scopes, Scope, scope).seen,
                      GUINT_TO_POINTER (program));
}

static guint32
add_row (Tree *tree, const TsrProgramPlace *place, guint32 parent)
{
  guint32 row = tree->data->places->len;

  g_array_append_val (tree->data->places, *place);
  g_array_append_val (tree->parents, parent);
  return row;
}

static void
push (Tree *tree, guint32 program, guint32 row, guint32 scope)
{
  Frame frame = { program, 0, row, scope };
  guint32 end;

  tsr_programs_get_edges (tree->question->programs, program, &frame.edge, &end);
  if (frame.edge < end)
    g_array_append_val (tree->stack, frame);
}

/* Whether somebody opened the row: then it begins a scope. */
static gboolean
open_scope (Tree *tree, guint32 row, guint32 *scope)
{
  Scope opened = { NULL, NULL };
  g_autofree char *key = NULL;

  if (tree->opened == NULL)
    return FALSE;
  key = dup_key (tree->data, row);
  if (!g_hash_table_contains (tree->opened, key))
    return FALSE;
  opened.key = g_steal_pointer (&key);
  opened.seen = g_hash_table_new (NULL, NULL);
  *scope = tree->data->scopes->len;
  g_array_append_val (tree->data->scopes, opened);
  return TRUE;
}

static void
add_program (Tree *tree, guint32 program, guint32 edge, guint32 parent, guint32 scope)
{
  gboolean cut = edge != TSR_NO_INDEX && tsr_programs_is_cut (tree->question->programs, edge);
  gboolean seen = is_seen (tree, scope, program);
  gboolean leaf = is_leaf (tree->data->programs, program);
  TsrProgramPlace place = { program, edge, 1, scope, TSR_PLACE_FIRST };
  guint32 row;

  if (tree->hidden != NULL && tree->hidden[program] && !cut && (leaf || !seen))
    {
      see (tree, scope, program);
      push (tree, program, parent, scope);
      return;
    }
  if (cut || seen)
    place.mark = cut ? TSR_PLACE_CUT : TSR_PLACE_SEEN;
  row = add_row (tree, &place, parent);
  see (tree, scope, program);
  if (place.mark == TSR_PLACE_SEEN && !leaf && tree->data->places->len < MAX_ROWS
      && open_scope (tree, row, &scope))
    {
      see (tree, scope, program);
      push (tree, program, row, scope);
    }
  else if (place.mark == TSR_PLACE_FIRST)
    push (tree, program, row, scope);
}

/* ------------------------------------------------------------------ groups */

/* Sums over the programs @of, which are different; what is largest where it is no sum. */
static Group *
group_new (const Data *data, GHashTable *of, guint n)
{
  const TsrProgramTables *t = tsr_programs_get_tables (data->programs);
  g_autoptr (GHashTable) types = g_hash_table_new (NULL, NULL);
  Group *group = g_new0 (Group, 1);
  GHashTableIter iter;
  gpointer key;
  gboolean first = TRUE;

  g_hash_table_iter_init (&iter, of);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint32 program = GPOINTER_TO_UINT (key), set = t->program_compute_set[program];

      if (first)
        {
          g_autofree char *count = tsr_units_dup_count (n);

          group->label = g_strdup_printf (C_ ("group of programs", "%s × %s"), count,
                                          tsr_programs_get_label (data->programs, program));
        }
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        {
          gint64 value = get_cell (data, program, &columns[i]);
          gboolean largest = columns[i].cell == FIGURE && columns[i].figure == TSR_PROGRAM_LIVE;

          if (first)
            group->cells[i] = value;
          else if (largest)
            group->cells[i] = MAX (group->cells[i], value);
          else if (group->cells[i] == TSR_UNKNOWN || value == TSR_UNKNOWN
                   || __builtin_add_overflow (group->cells[i], value, &group->cells[i]))
            group->cells[i] = TSR_UNKNOWN;
        }
      first = FALSE;
      if (set != TSR_NO_INDEX)
        g_hash_table_add (types, GUINT_TO_POINTER (set));
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      gboolean code = columns[i].cell == TILE || columns[i].cell == TILE_SELF
                      || (columns[i].cell == FIGURE
                          && (columns[i].figure == TSR_PROGRAM_CODE
                              || columns[i].figure == TSR_PROGRAM_VERTEX_SELF));

      /* An id is no sum; nor is code of vertices that they share. */
      if (g_hash_table_size (of) > 1
          && (columns[i].cell == ID || columns[i].cell == CALLERS
              || (columns[i].cell == FIGURE && columns[i].figure == TSR_PROGRAM_CYCLES_LAST)
              || (code && g_hash_table_size (types) > 0)))
        group->cells[i] = TSR_UNKNOWN;
    }
  return group;
}

/* Adds the leaves from frame->edge on that are alike, if there are two or more. */
static gboolean
add_group (Tree *tree, Frame *frame, guint32 end)
{
  const TsrPrograms *programs = tree->question->programs;
  guint32 first = tsr_programs_get_child (programs, frame->edge), n = 0, last = frame->edge;
  g_autoptr (GHashTable) of = NULL;
  TsrProgramPlace place = { first, frame->edge, 0, frame->scope, TSR_PLACE_GROUP };
  guint32 row;

  if (!is_leaf (tree->data->programs, first))
    return FALSE;
  of = g_hash_table_new (NULL, NULL);
  for (guint32 e = frame->edge; e < end; e++)
    {
      guint32 child = tsr_programs_get_child (programs, e);

      if (tree->hidden != NULL && tree->hidden[child] && is_leaf (tree->data->programs, child))
        continue;
      if (tsr_programs_get_label (programs, child) != tsr_programs_get_label (programs, first)
          || !is_leaf (tree->data->programs, child))
        break;
      n++;
      last = e;
      g_hash_table_add (of, GUINT_TO_POINTER (child));
    }
  if (n < 2)
    return FALSE;
  place.n = n;
  row = add_row (tree, &place, frame->row);
  g_hash_table_insert (tree->data->groups, GUINT_TO_POINTER (row), group_new (tree->data, of, n));
  for (guint32 e = frame->edge; e <= last; e++)
    {
      guint32 child = tsr_programs_get_child (programs, e);

      if (tree->hidden == NULL || !tree->hidden[child])
        add_program (tree, child, e, row, frame->scope);
    }
  frame->edge = last + 1;
  return TRUE;
}

static gboolean
walk (Tree *tree, GCancellable *cancellable, GError **error)
{
  const TsrPrograms *programs = tree->question->programs;

  for (guint64 n = 1; tree->stack->len > 0; n++)
    {
      Frame *frame = &g_array_index (tree->stack, Frame, tree->stack->len - 1);
      guint32 first, end, edge;

      if (n % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      tsr_programs_get_edges (programs, frame->program, &first, &end);
      if (frame->edge == end)
        {
          g_array_set_size (tree->stack, tree->stack->len - 1);
          continue;
        }
      edge = frame->edge;
      if (tree->question->grouped
          && (tree->hidden == NULL || !tree->hidden[tsr_programs_get_child (programs, edge)])
          && add_group (tree, frame, end))
        continue;
      frame->edge++;
      add_program (tree, tsr_programs_get_child (programs, edge), edge, frame->row, frame->scope);
    }
  return TRUE;
}

/* By program, whether its type is hidden: types are few, so each is compared once. */
static guint8 *
find_hidden (const TsrProgramQuestion *question)
{
  const TsrProgramTables *t = tsr_programs_get_tables (question->programs);
  guint32 n = tsr_programs_get_n (question->programs);
  g_autoptr (GHashTable) types = g_hash_table_new (NULL, NULL);
  guint8 *hidden = g_new0 (guint8, MAX (n, 1));

  for (guint i = 0; question->hidden[i] != NULL; i++)
    g_hash_table_add (types,
                      GUINT_TO_POINTER (tsr_string_table_find (t->strings, question->hidden[i])));
  for (guint32 p = 0; p < n; p++)
    hidden[p] = t->program_type[p] != TSR_NO_STRING
                && g_hash_table_contains (types, GUINT_TO_POINTER (t->program_type[p]));
  return hidden;
}

static void
tree_clear (Tree *tree)
{
  g_clear_pointer (&tree->data, data_free);
  g_clear_pointer (&tree->parents, g_array_unref);
  g_clear_pointer (&tree->stack, g_array_unref);
  g_clear_pointer (&tree->opened, g_hash_table_unref);
  g_free (tree->seen);
  g_free (tree->hidden);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

static void
tree_init (Tree *tree, const TsrProgramQuestion *question)
{
  Scope all = { NULL, NULL };

  *tree = (Tree){ .question = question, .data = data_new (question) };
  tree->parents = g_array_new (FALSE, FALSE, sizeof (guint32));
  tree->stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  tree->seen = g_new0 (guint8, MAX (tsr_programs_get_n (question->programs), 1));
  if (question->hidden != NULL && question->hidden[0] != NULL)
    tree->hidden = find_hidden (question);
  g_array_append_val (tree->data->scopes, all);
  if (question->opened == NULL || question->opened[0] == NULL)
    return;
  tree->opened = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; question->opened[i] != NULL; i++)
    g_hash_table_add (tree->opened, question->opened[i]);
}

static TsrTableAnswer *
make_tree (const TsrProgramQuestion *question, GCancellable *cancellable, GError **error)
{
  g_auto (Tree) tree = { 0 };
  const TsrProgramRoot *roots;
  guint first = 0, end = 1, n;
  guint32 *parents;

  tree_init (&tree, question);
  roots = tsr_programs_peek_roots (question->programs, &n);
  if (question->root == TSR_NO_INDEX)
    tsr_programs_find_roots (question->programs, question->step, &first, &end);
  for (guint i = first; i < end; i++)
    {
      guint32 root = question->root != TSR_NO_INDEX ? question->root : roots[i].program;

      if (root >= tsr_programs_get_n (question->programs))
        break;
      add_program (&tree, root, TSR_NO_INDEX, TSR_NO_INDEX, 0);
      if (!walk (&tree, cancellable, error))
        return NULL;
    }
  parents = (guint32 *)(gpointer)g_array_free (g_steal_pointer (&tree.parents), FALSE);
  return make_answer (g_steal_pointer (&tree.data), parents, NULL);
}

/* -------------------------------------------------------------------- list */

static TsrTableAnswer *
make_list (const TsrProgramQuestion *question)
{
  Data *data = data_new (question);
  Scope all = { NULL, NULL };
  g_autofree guint8 *hidden
      = question->hidden != NULL && question->hidden[0] != NULL ? find_hidden (question) : NULL;

  g_array_append_val (data->scopes, all);
  for (guint32 p = 0; p < tsr_programs_get_n (question->programs); p++)
    {
      TsrProgramPlace place = { p, TSR_NO_INDEX, 1, 0, TSR_PLACE_FIRST };

      if (hidden == NULL || !hidden[p])
        g_array_append_val (data->places, place);
    }
  return make_answer (data, NULL, "cyclesSelf");
}

TsrTableAnswer *
tsr_program_tree_new (const TsrProgramQuestion *question, GCancellable *cancellable, GError **error)
{
  if (question->tab == TSR_PROGRAM_TAB_COSTLIEST)
    return make_list (question);
  return make_tree (question, cancellable, error);
}

guint32
tsr_program_answer_find (const TsrTableAnswer *answer, guint32 program)
{
  guint32 found = TSR_NO_INDEX, n;

  g_return_val_if_fail (answer != NULL, TSR_NO_INDEX);
  n = answer->rows != NULL && answer->places != NULL ? tsr_rows_get_n (answer->rows) : 0;
  for (guint32 row = 0; row < n; row++)
    if (answer->places[row].program == program && answer->places[row].mark != TSR_PLACE_GROUP)
      {
        if (answer->places[row].mark == TSR_PLACE_FIRST)
          return row;
        found = found == TSR_NO_INDEX ? row : found;
      }
  return found;
}
