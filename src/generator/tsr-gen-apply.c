/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes that a user could make to a program so that it takes less memory, made to the program as
 * it was lowered: sizes, lives and tiles of what is changed follow the change, all else stays as it
 * is.  Addresses are not known yet: everything is packed anew afterwards.  What is here knows
 * nothing of the forecasts that are compared with it. */

#include "config.h"

#include "tsr-gen-lower.h"

#include <string.h>

/* ---- what a measure is about */

/* The program's variable @name, or NULL: what the compiler makes nobody can move or drop. */
static TsrGenVariable *
find_variable (const TsrGenModel *self, const char *name)
{
  for (guint i = 0; i < self->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (self->vars, i);

      if (!var->compiler_made && g_str_equal (var->variable->name, name))
        return var->variable;
    }
  return NULL;
}

/* What is changed takes whole words: what vertices read at a time. */
#define WORD 8

/* ---- half precision */

/* Half of @bytes in whole words. */
static guint32
halve (guint32 bytes)
{
  return (bytes + 2 * WORD - 1) / (2 * WORD) * WORD;
}

/* What stays as exact as it is, by a part of its name in any case. */
static const char *const kept_exact[] = { "loss", "norm", "running_", "master", "accl", "seed" };

static gboolean
is_kept_exact (const char *name)
{
  g_autofree char *folded = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (kept_exact); i++)
    if (strstr (folded, kept_exact[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
halve_fp32 (TsrGenModel *self, const char *unused)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->vars, i);

      if (var->category != TSR_GEN_VARIABLE || var->compiler_made
          || g_strcmp0 (var->variable->element_type, "float") != 0
          || is_kept_exact (var->variable->name))
        continue;
      for (guint k = 0; k < var->count * var->pieces; k++)
        var->sizes[k] = halve (var->sizes[k]);
      any = TRUE;
    }
  for (guint i = 0; i < self->variables->len; i++)
    {
      TsrGenVariable *variable = g_ptr_array_index (self->variables, i);

      if (variable->category == TSR_GEN_VARIABLE && variable->element_bytes == 4
          && g_strcmp0 (variable->element_type, "float") == 0 && !is_kept_exact (variable->name))
        {
          variable->element_type = "half";
          variable->element_bytes = 2;
        }
    }
  return any;
}

/* ---- dropping */

static void
drop_links (TsrGenModel *self, const TsrGenVariable *variable)
{
  for (guint i = 0; i < self->programs->len; i++)
    {
      GArray *links = ((TsrGenProgram *)g_ptr_array_index (self->programs, i))->links;

      for (guint k = links->len; k > 0; k--)
        if (g_array_index (links, TsrGenLink, k - 1).variable == variable)
          g_array_remove_index (links, k - 1);
    }
}

static void
drop_variable (TsrGenModel *self, TsrGenVariable *variable)
{
  for (guint i = self->vars->len; i > 0; i--)
    if (((TsrGenVar *)g_ptr_array_index (self->vars, i - 1))->variable == variable)
      g_ptr_array_remove_index (self->vars, i - 1);
  drop_links (self, variable);
  g_ptr_array_remove (self->variables, variable);
  for (guint i = 0; i < self->variables->len; i++)
    ((TsrGenVariable *)g_ptr_array_index (self->variables, i))->id = i;
}

static gboolean
drop (TsrGenModel *self, const char *name)
{
  TsrGenVariable *variable = find_variable (self, name);

  if (variable == NULL)
    return FALSE;
  drop_variable (self, variable);
  return TRUE;
}

static gboolean
drop_instrumentation (TsrGenModel *self, const char *unused)
{
  TsrGenVariable *variable = self->pseudo[TSR_GEN_INSTRUMENTATION];

  if (variable == NULL)
    return FALSE;
  self->pseudo[TSR_GEN_INSTRUMENTATION] = NULL;
  drop_variable (self, variable);
  return TRUE;
}

/* ---- recomputing */

/* What several changes of lives come to; by the number of a lowered variable. */
typedef struct
{
  TsrGenModel *model;
  GHashTable *remade; /* TsrGenVariable that is computed again */
  GArray **split;     /* (nullable): its lives without the time in which nobody touches it */
  GArray **more;      /* (nullable): lives beside those it has */
} Lives;

static gboolean
touches (const TsrGenProgram *program, const TsrGenVariable *variable)
{
  for (guint k = 0; k < program->links->len; k++)
    if (g_array_index (program->links, TsrGenLink, k).variable == variable)
      return TRUE;
  return FALSE;
}

static const TsrGenProgram *
program_of_step (const TsrGenModel *self, guint32 step)
{
  return g_ptr_array_index (self->programs, g_array_index (self->steps, guint32, step));
}

static const TsrGenInterval *
interval_at (const TsrGenModel *self, const TsrGenVar *var, guint32 step)
{
  const GArray *intervals;

  if (var->class_id == TSR_GEN_ALWAYS)
    return NULL;
  intervals = g_ptr_array_index (self->classes, var->class_id);
  for (guint i = 0; i < intervals->len; i++)
    {
      const TsrGenInterval *interval = &g_array_index (intervals, TsrGenInterval, i);

      if (interval->start <= step && step < interval->end)
        return interval;
    }
  return NULL;
}

/* First step of @interval that touches @variable; its end if there is none. */
static guint32
first_touch (const TsrGenModel *self,
             const TsrGenVariable *variable,
             const TsrGenInterval *interval)
{
  guint32 step = interval->start;

  while (step < interval->end && !touches (program_of_step (self, step), variable))
    step++;
  return step;
}

/* The two steps of @interval that touch @variable, with nothing between them, and are farthest
 * apart, the first such; FALSE if there is no step between them. */
static gboolean
find_gap (const TsrGenModel *self,
          const TsrGenVariable *variable,
          const TsrGenInterval *interval,
          guint32 *from,
          guint32 *to)
{
  guint32 last = first_touch (self, variable, interval);

  *from = *to = last;
  for (guint32 step = last + 1; step < interval->end; step++)
    if (touches (program_of_step (self, step), variable))
      {
        if (step - last > *to - *from)
          {
            *from = last;
            *to = step;
          }
        last = step;
      }
  return *to - *from >= 2;
}

static void
add_life (GArray **lives, guint32 start, guint32 end)
{
  const TsrGenInterval life = { start, end };

  if (*lives == NULL)
    *lives = g_array_new (FALSE, FALSE, sizeof (TsrGenInterval));
  g_array_append_val (*lives, life);
}

/* @made, written at step @first, is computed again at @again: what that needs is live then. */
static void
compute_again (Lives *self, const TsrGenVariable *made, guint32 first, guint32 again)
{
  const TsrGenProgram *program = program_of_step (self->model, first);

  for (guint i = 0; i < self->model->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (self->model->vars, i);
      const TsrGenInterval *interval = interval_at (self->model, var, first);
      gboolean is_input = FALSE;
      guint32 from, to;

      if (var->variable == made || interval == NULL || !touches (program, var->variable))
        continue;
      for (guint k = 0; k < program->links->len; k++)
        {
          const TsrGenLink *link = &g_array_index (program->links, TsrGenLink, k);

          is_input |= link->variable == var->variable && link->role != 2;
        }
      if (var->compiler_made)
        add_life (&self->more[i], again, again + 1);
      else if (!is_input || interval->start == first)
        continue;
      else if (!g_hash_table_contains (self->remade, var->variable)
               || !find_gap (self->model, var->variable, interval, &from, &to))
        add_life (&self->more[i], first, again + 1);
      else if (again > from && (again < to || again >= interval->end))
        {
          const guint32 written = first_touch (self->model, var->variable, interval);

          add_life (&self->more[i], again, again + 1);
          if (written < first)
            compute_again (self, var->variable, written, again);
        }
    }
}

/* Takes out of each interval of lowered variable @index the longest time in which nobody touches
 * it; TRUE if there is any. */
static gboolean
split_lives (Lives *self, guint index)
{
  TsrGenModel *model = self->model;
  const TsrGenVar *var = g_ptr_array_index (model->vars, index);
  const GArray *intervals = g_ptr_array_index (model->classes, var->class_id);
  gboolean any = FALSE;

  for (guint i = 0; i < intervals->len; i++)
    {
      const TsrGenInterval *interval = &g_array_index (intervals, TsrGenInterval, i);
      guint32 from, to;

      if (!find_gap (model, var->variable, interval, &from, &to))
        {
          add_life (&self->split[index], interval->start, interval->end);
          continue;
        }
      add_life (&self->split[index], interval->start, from + 1);
      add_life (&self->split[index], to, interval->end);
      compute_again (self, var->variable, first_touch (model, var->variable, interval), to);
      any = TRUE;
    }
  return any;
}

static int
compare_lives (gconstpointer a, gconstpointer b)
{
  const TsrGenInterval *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

/* The class of what is live in @a or in @b. */
static guint32
class_of (TsrGenModel *self, const GArray *a, const GArray *b)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (TsrGenInterval));
  g_autoptr (GArray) merged = g_array_new (FALSE, FALSE, sizeof (TsrGenInterval));

  g_array_append_vals (all, a->data, a->len);
  if (b != NULL)
    g_array_append_vals (all, b->data, b->len);
  g_array_sort (all, compare_lives);
  for (guint i = 0; i < all->len; i++)
    {
      const TsrGenInterval *life = &g_array_index (all, TsrGenInterval, i);
      TsrGenInterval *last
          = merged->len == 0 ? NULL : &g_array_index (merged, TsrGenInterval, merged->len - 1);

      if (last != NULL && life->start <= last->end)
        last->end = MAX (last->end, life->end);
      else
        g_array_append_val (merged, *life);
    }
  for (guint i = 0; i < self->classes->len; i++)
    {
      const GArray *other = g_ptr_array_index (self->classes, i);

      if (other->len == merged->len
          && memcmp (other->data, merged->data, merged->len * sizeof (TsrGenInterval)) == 0)
        return i;
    }
  g_ptr_array_add (self->classes, g_steal_pointer (&merged));
  return self->classes->len - 1;
}

/* All at once, because what one needs may be another. */
static gboolean
recompute (TsrGenModel *model, GPtrArray *names, const char **off)
{
  const guint n = model->vars->len;
  g_autoptr (GHashTable) remade = g_hash_table_new (NULL, NULL);
  Lives lives = { model, remade, g_new0 (GArray *, n + 1), g_new0 (GArray *, n + 1) };

  for (guint i = 0; i < names->len; i++)
    g_hash_table_add (remade, find_variable (model, names->pdata[i]));
  for (guint i = 0; i < n; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (model->vars, i);

      if (var->class_id != TSR_GEN_ALWAYS && g_hash_table_contains (remade, var->variable)
          && split_lives (&lives, i))
        for (guint k = names->len; k > 0; k--)
          if (g_str_equal (names->pdata[k - 1], var->variable->name))
            g_ptr_array_remove_index (names, k - 1);
    }
  for (guint i = 0; i < n; i++)
    {
      TsrGenVar *var = g_ptr_array_index (model->vars, i);

      if (lives.split[i] != NULL || lives.more[i] != NULL)
        var->class_id
            = class_of (model,
                        lives.split[i] != NULL ? lives.split[i]
                                               : g_ptr_array_index (model->classes, var->class_id),
                        lives.more[i]);
      g_clear_pointer (&lives.split[i], g_array_unref);
      g_clear_pointer (&lives.more[i], g_array_unref);
    }
  g_free (lives.split);
  g_free (lives.more);
  *off = names->len > 0 ? names->pdata[0] : NULL;
  return names->len == 0;
}

/* ---- moving */

/* Tiles of @ipu that compute, by number within it; all where none does. */
static GArray *
computing_tiles (const TsrGenModel *self, guint ipu)
{
  GArray *tiles = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint pass = 0; pass < 2 && tiles->len == 0; pass++)
    for (guint tile = 0; tile < self->tiles_per_ipu; tile++)
      {
        gboolean computes = pass == 1;

        for (guint i = 0; !computes && i < self->vars->len; i++)
          {
            const TsrGenVar *var = g_ptr_array_index (self->vars, i);

            computes
                = var->ipu == ipu
                  && (var->category == TSR_GEN_VERTEX_CODE || var->category == TSR_GEN_VERTEX_STATE)
                  && tsr_gen_var_tile_bytes (self, var, tile) > 0;
          }
        if (computes)
          g_array_append_val (tiles, tile);
      }
  return tiles;
}

/* Takes the bytes of @first and of all after it that are as it is: of the same variable, IPU and
 * lives. */
static guint64
gather (TsrGenModel *self, guint first)
{
  const TsrGenVar *var = g_ptr_array_index (self->vars, first);
  guint64 bytes = 0;

  for (guint i = first; i < self->vars->len; i++)
    {
      TsrGenVar *other = g_ptr_array_index (self->vars, i);

      if (other->variable != var->variable || other->ipu != var->ipu
          || other->class_id != var->class_id)
        continue;
      for (guint k = 0; k < other->count * other->pieces; k++)
        {
          bytes += other->sizes[k];
          other->sizes[k] = 0;
        }
    }
  return bytes;
}

/* Evenly over the tiles of its IPU that compute, by words. */
static gboolean
move (TsrGenModel *self, const char *name)
{
  const TsrGenVariable *variable = find_variable (self, name);
  gboolean moved = FALSE;

  for (guint i = 0; variable != NULL && i < self->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->vars, i);
      const guint64 words = var->variable == variable ? (gather (self, i) + WORD - 1) / WORD : 0;
      g_autoptr (GArray) tiles = NULL;

      if (words == 0)
        continue;
      tiles = computing_tiles (self, var->ipu);
      g_free (var->sizes);
      var->sizes = g_new0 (guint32, self->tiles_per_ipu);
      var->first = 0;
      var->count = self->tiles_per_ipu;
      var->pieces = 1;
      for (guint k = 0; k < tiles->len; k++)
        var->sizes[g_array_index (tiles, guint32, k)]
            = WORD * (words / tiles->len + (k < words % tiles->len));
      moved = TRUE;
    }
  return moved;
}

/* ---- outlining */

static gboolean
is_same_code (const TsrGenModel *self, const TsrGenProgram *a, const TsrGenProgram *b)
{
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    {
      const TsrGenVar *x = a->code[ipu], *y = b->code[ipu];

      if ((x == NULL) != (y == NULL))
        return FALSE;
      if (x != NULL
          && (x->first != y->first || x->count != y->count || x->pieces != y->pieces
              || memcmp (x->sizes, y->sizes, sizeof (guint32) * x->count * x->pieces) != 0))
        return FALSE;
    }
  return TRUE;
}

/* Digits are one "#", whatever their number. */
static char *
without_digits (const char *name)
{
  GString *text = g_string_new (NULL);

  for (; *name != '\0'; name++)
    if (!g_ascii_isdigit (*name))
      g_string_append_c (text, *name);
    else if (text->len == 0 || text->str[text->len - 1] != '#')
      g_string_append_c (text, '#');
  return g_string_free (text, FALSE);
}

/* @program runs where @twin ran, whose code goes. */
static void
replace_program (TsrGenModel *self, TsrGenProgram *twin, TsrGenProgram *program)
{
  for (guint i = 0; i < self->programs->len; i++)
    {
      GPtrArray *children = ((TsrGenProgram *)g_ptr_array_index (self->programs, i))->children;

      for (guint k = 0; children != NULL && k < children->len; k++)
        if (children->pdata[k] == twin)
          children->pdata[k] = program;
    }
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    if (twin->code[ipu] != NULL)
      g_ptr_array_remove (self->vars, twin->code[ipu]);
  g_ptr_array_remove (self->programs, twin);
}

/* Exchanges whose names are @name but for digits, and whose code is the same, become one. */
static gboolean
outline (TsrGenModel *self, const char *name)
{
  g_autofree char *wanted = without_digits (name);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  gboolean any = FALSE;

  for (guint i = 0; i < self->programs->len; i++)
    {
      TsrGenProgram *program = g_ptr_array_index (self->programs, i);
      TsrGenProgram *first = NULL;
      g_autofree char *plain = g_str_equal (program->type, "DoExchange") && program->code != NULL
                                   ? without_digits (program->name)
                                   : NULL;

      if (g_strcmp0 (plain, wanted) != 0)
        continue;
      for (guint k = 0; first == NULL && k < kept->len; k++)
        if (is_same_code (self, kept->pdata[k], program))
          first = kept->pdata[k];
      if (first == NULL)
        {
          g_ptr_array_add (kept, program);
          continue;
        }
      replace_program (self, program, first);
      any = TRUE;
      i--;
    }
  for (guint i = 0; i < self->programs->len; i++)
    ((TsrGenProgram *)g_ptr_array_index (self->programs, i))->id = i;
  tsr_gen_number_steps (self);
  return any;
}

/* ---- the table */

/* In the order in which they are made, whatever order they are asked for in. */
static const struct
{
  const char *word; /* ends in a colon where a name follows */
  gboolean (*each) (TsrGenModel *self, const char *name);
  /* For all names together; *off is a name that the measure cannot be applied to. */
  gboolean (*all) (TsrGenModel *self, GPtrArray *names, const char **off);
  const char *nothing; /* why nothing changes */
} measures[] = {
  { "instrumentation", drop_instrumentation, NULL, "is not there" },
  { "drop:", drop, NULL, "is no variable of the program" },
  { "move:", move, NULL, "is no variable of the program" },
  { "halve-fp32", halve_fp32, NULL, "finds nothing" },
  { "recompute:", NULL, recompute, "is no variable that waits for its reader" },
  { "outline:", outline, NULL, "is no exchange whose code stands twice" },
};

/* The index of the measure that @text names, and the name after its colon; the number of measures
 * if there is none. */
static guint
find_measure (const char *text, const char **name)
{
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    {
      const char *word = measures[i].word;

      *name = text + strlen (word);
      if (g_str_has_suffix (word, ":") ? g_str_has_prefix (text, word) && **name != '\0'
                                       : g_str_equal (text, word))
        return i;
    }
  return G_N_ELEMENTS (measures);
}

/* Whether @list drops the variable: then nothing else happens to it. */
static gboolean
is_dropped (char **list, const char *name)
{
  g_autofree char *word = g_strconcat ("drop:", name, NULL);

  return g_strv_contains ((const char *const *)list, word);
}

static gboolean
apply_all (TsrGenModel *self, guint measure, GPtrArray *names, const char **off)
{
  if (measures[measure].all != NULL)
    return names->len == 0 || measures[measure].all (self, names, off);
  for (guint i = 0; i < names->len; i++)
    if (!measures[measure].each (self, names->pdata[i]))
      {
        *off = names->pdata[i];
        return FALSE;
      }
  return TRUE;
}

gboolean
tsr_gen_apply (TsrGenModel *self, const char *list)
{
  g_auto (GStrv) words = g_strsplit (*list == '\0' ? "," : list, ",", -1);
  const char *name;

  for (guint i = 0; words[i] != NULL; i++)
    if (find_measure (words[i], &name) == G_N_ELEMENTS (measures))
      {
        g_printerr ("tessera-make-report: --apply does not know \"%s\"\n", words[i]);
        return FALSE;
      }
  for (guint k = 0; k < G_N_ELEMENTS (measures); k++)
    {
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      const char *off;

      for (guint i = 0; words[i] != NULL; i++)
        if (find_measure (words[i], &name) == k
            && (measures[k].each == drop || !is_dropped (words, name)))
          g_ptr_array_add (names, (gpointer)name);
      if (!apply_all (self, k, names, &off))
        {
          g_printerr ("tessera-make-report: --apply: \"%s%s\" %s\n", measures[k].word, off,
                      measures[k].nothing);
          return FALSE;
        }
    }
  return TRUE;
}
