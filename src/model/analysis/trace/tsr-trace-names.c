/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Types of steps in the order in which people see them, distinct names of steps and the parts of
 * each: what a slice is called, looked up through its step. */

#include "config.h"

#include "tsr-trace-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* ----------------------------------------------------------------- classes */

/* docs/formulas.md#step-types.  Everything that classifies steps uses this table. */
static const struct
{
  const char *name;
  const char *types[4];
} classes[TSR_N_STEP_GROUPS] = {
  [TSR_STEP_GROUP_COMPUTE] = { N_ ("Compute"), { "OnTileExecute" } },
  [TSR_STEP_GROUP_EXCHANGE] = { N_ ("Exchange"), { "DoExchange" } },
  [TSR_STEP_GROUP_INTER_IPU] = { N_ ("Inter-IPU"), { "GlobalExchange" } },
  [TSR_STEP_GROUP_TRANSFER] = { N_ ("Transfer"), { "StreamCopyMid" } },
  [TSR_STEP_GROUP_HOST] = { N_ ("Host"), { "StreamCopyBegin", "StreamCopyEnd" } },
  [TSR_STEP_GROUP_SYNC] = { N_ ("Sync"), { "Sync", "SyncAns", "Sans" } },
  [TSR_STEP_GROUP_OTHER] = { N_ ("Other"), { NULL } },
};

TsrStepGroup
tsr_step_group_of (const char *type)
{
  for (guint group = 0; type != NULL && group < TSR_N_STEP_GROUPS; group++)
    if (g_strv_contains (classes[group].types, type))
      return group;
  return TSR_STEP_GROUP_OTHER;
}

void
tsr_run_leads_init (TsrRunLeads *self, const TsrExecutionTables *tables)
{
  g_return_if_fail (self != NULL && tables != NULL);
  self->tables = tables;
  self->syncs = g_new0 (guint8, MAX (tables->n_types, 1));
  self->begun = g_new0 (guint8, MAX (tables->n_runs, 1));
  self->begin = G_MAXUINT;
  for (guint i = 0; i < tables->n_types; i++)
    {
      const char *type = tsr_string_table_get (tables->strings, tables->type_name[i]);

      self->syncs[i] = tsr_step_group_of (type) == TSR_STEP_GROUP_SYNC;
      if (g_strcmp0 (type, "StreamCopyBegin") == 0)
        self->begin = i;
    }
}

void
tsr_run_leads_clear (TsrRunLeads *self)
{
  g_return_if_fail (self != NULL);
  g_clear_pointer (&self->syncs, g_free);
  g_clear_pointer (&self->begun, g_free);
}

void
tsr_run_leads_begin_ipu (TsrRunLeads *self)
{
  g_return_if_fail (self != NULL);
  memset (self->begun, 0, self->tables->n_runs);
}

gboolean
tsr_run_leads_take (TsrRunLeads *self, gsize slice)
{
  const TsrExecutionTables *t;
  guint32 step;
  guint run;

  g_return_val_if_fail (self != NULL, FALSE);
  t = self->tables;
  step = t->slice_step[slice];
  run = t->step_run[step];
  if (run >= t->n_runs || self->begun[run] || self->syncs[t->step_type[step]]
      || t->slice_start[slice] == TSR_UNKNOWN || t->slice_end[slice] == TSR_UNKNOWN
      || t->slice_end[slice] <= t->slice_start[slice])
    return FALSE;
  self->begun[run] = TRUE;
  return t->step_type[step] == self->begin;
}

const char *
tsr_step_group_get_name (TsrStepGroup group)
{
  g_return_val_if_fail (group < TSR_N_STEP_GROUPS, NULL);
  return _ (classes[group].name);
}

char *
tsr_step_group_dup_types (TsrStepGroup group)
{
  g_return_val_if_fail (group < TSR_N_STEP_GROUPS, NULL);
  return g_strjoinv (", ", (char **)classes[group].types);
}

/* ------------------------------------------------------------------- types */

/* The known ones, in the order of tsr-trace.h. */
enum
{
  KNOWN_COMPUTE,
  KNOWN_EXCHANGE,
  KNOWN_GLOBAL,
  KNOWN_COPY_BEGIN,
  KNOWN_START_UP,
  KNOWN_TRANSFER,
  KNOWN_COPY_END,
  KNOWN_SYNC,
  KNOWN_EXTERNAL,
  N_KNOWN,
};

static const char *const known_names[N_KNOWN] = {
  "OnTileExecute",
  "DoExchange",
  "GlobalExchange",
  "StreamCopyBegin",
  "StreamCopyBegin",
  "StreamCopyMid",
  "StreamCopyEnd",
  "Sync",
  "Sync",
};

/* Types beyond this one are one. */
#define MAX_NAMED 30

static guint
find_known (const char *name)
{
  for (guint i = 0; i < N_KNOWN; i++)
    if (strcmp (known_names[i], name) == 0)
      return i;
  return N_KNOWN;
}

/* [n_programs] 1: its name says that it is external. */
static guint8 *
find_external (const TsrProgramTables *programs)
{
  g_autofree guint8 *of_string = NULL;
  guint8 *external;
  guint32 n_strings;

  if (programs == NULL)
    return NULL;
  n_strings = tsr_string_table_get_length (programs->strings);
  of_string = g_new0 (guint8, n_strings);
  external = g_new0 (guint8, programs->n_programs);
  for (guint32 i = 0; i < n_strings; i++)
    of_string[i] = strcasestr (tsr_string_table_get (programs->strings, i), "external") != NULL;
  for (guint i = 0; i < programs->n_programs; i++)
    if (programs->program_name[i] != TSR_NO_STRING)
      external[i] = of_string[programs->program_name[i]];
  return external;
}

static guint8
add_type (TsrTrace *self, const char *name, const char *label)
{
  guint8 n = self->n_types++;
  TsrTraceType *type = &self->types[n];
  guint same = 1;

  type->name = name;
  type->label = label;
  type->group = tsr_step_group_of (name);
  for (guint i = 0; i < n; i++)
    if (strcmp (self->types[i].label, type->label) == 0)
      {
        g_free (self->own_labels[n]);
        type->label = self->own_labels[n] = g_strdup_printf ("%s (%u)", label, ++same);
        i = (guint)-1; /* that one may be taken, too */
      }
  return n;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* What steps there are: which of the known ones, which others. */
typedef struct
{
  guint n; /* types of the tables */
  gboolean known[N_KNOWN];
  guint8 known_of[TSR_MAX_STEP_TYPES]; /* by type of the tables; N_KNOWN: another */
  const char *names[TSR_MAX_STEP_TYPES];
  GPtrArray *others; /* names */
  gboolean rest;     /* steps whose type has no name, or slices without a step */
  guint8 code[TSR_MAX_STEP_TYPES];
  guint8 external_code, rest_code;
} Types;

static void
look_at_steps (TsrTrace *self, Types *types, const guint8 *external, guint8 *step_type)
{
  const TsrExecutionTables *t = self->tables;
  gboolean used[TSR_MAX_STEP_TYPES] = { FALSE };

  for (guint32 step = 0; step < t->n_steps; step++)
    {
      guint8 type = t->step_type[step];

      if (type >= types->n)
        {
          types->rest = TRUE;
          step_type[step] = 0xff;
          continue;
        }
      used[type] = TRUE;
      step_type[step] = type;
      if (types->known_of[type] == KNOWN_SYNC)
        {
          gboolean outside = external != NULL && t->step_program[step] < self->programs->n_programs
                             && external[t->step_program[step]];

          types->known[outside ? KNOWN_EXTERNAL : KNOWN_SYNC] = TRUE;
          if (outside)
            step_type[step] = 0xfe;
        }
    }
  for (guint i = 0; i < types->n; i++)
    if (!used[i] || types->known_of[i] == KNOWN_SYNC)
      continue;
    else if (types->names[i] == NULL)
      types->rest = TRUE;
    else if (types->known_of[i] < N_KNOWN)
      types->known[types->known_of[i]] = TRUE;
    else
      g_ptr_array_add (types->others, (gpointer)types->names[i]);
}

static void
number_known (TsrTrace *self, Types *types)
{
  guint8 code[N_KNOWN];
  const char *sync = types->known[KNOWN_EXTERNAL] ? "Internal Sync" : "Sync";

  types->known[KNOWN_START_UP] = types->known[KNOWN_COPY_BEGIN];
  memset (code, TSR_TRACE_NO_TYPE, sizeof code);
  for (guint i = 0; i < N_KNOWN; i++)
    if (types->known[i])
      code[i] = add_type (self, known_names[i],
                          i == KNOWN_START_UP   ? "StreamCopyBegin (start-up)"
                          : i == KNOWN_EXTERNAL ? "External Sync"
                          : i == KNOWN_SYNC     ? sync
                                                : known_names[i]);
  if (types->known[KNOWN_START_UP])
    self->types[code[KNOWN_START_UP]].start_up = TRUE;
  if (types->known[KNOWN_EXTERNAL])
    self->types[code[KNOWN_EXTERNAL]].external = TRUE;
  self->compute = code[KNOWN_COMPUTE];
  self->global = code[KNOWN_GLOBAL];
  self->transfer = code[KNOWN_TRANSFER];
  self->copy_begin = code[KNOWN_COPY_BEGIN];
  self->start_up = code[KNOWN_START_UP];
  self->copy_end = code[KNOWN_COPY_END];
  types->external_code = code[KNOWN_EXTERNAL];
  for (guint i = 0; i < types->n; i++)
    if (types->known_of[i] < N_KNOWN)
      types->code[i] = code[types->known_of[i]];
}

static void
number_others (TsrTrace *self, Types *types)
{
  g_ptr_array_sort (types->others, compare_names);
  for (guint k = 0; k < types->others->len; k++)
    {
      const char *name = g_ptr_array_index (types->others, k);

      if (self->n_types >= MAX_NAMED)
        {
          types->rest = TRUE;
          break;
        }
      for (guint i = 0; i < types->n; i++)
        if (types->names[i] == name)
          types->code[i] = self->n_types;
      add_type (self, name, name);
    }
  if (types->rest)
    types->rest_code = add_type (self, "", "Other");
}

/* Slices of steps that are not in the table: the loader leaves them out, but tables may be made by
 * others. */
static gboolean
has_stray_slices (const TsrTrace *self)
{
  const TsrExecutionTables *t = self->tables;
  guint32 most = 0;

  for (gsize i = 0; i < self->n_slices; i++)
    most = MAX (most, t->slice_step[i]);
  return self->n_slices > 0 && most >= t->n_steps;
}

guint8 *
tsr_trace_init_types (TsrTrace *self)
{
  const TsrExecutionTables *t = self->tables;
  g_autofree guint8 *external = find_external (self->programs);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  guint8 *step_type = g_new (guint8, (gsize)t->n_steps + 1);
  Types types = { .n = MIN (t->n_types, TSR_MAX_STEP_TYPES),
                  .others = others,
                  .rest_code = TSR_TRACE_NO_TYPE };

  memset (types.code, TSR_TRACE_NO_TYPE, sizeof types.code);
  for (guint i = 0; i < types.n; i++)
    {
      types.names[i] = tsr_string_table_get (t->strings, t->type_name[i]);
      types.known_of[i] = types.names[i] != NULL ? find_known (types.names[i]) : N_KNOWN;
    }
  look_at_steps (self, &types, external, step_type);
  types.rest = types.rest || has_stray_slices (self);
  number_known (self, &types);
  number_others (self, &types);
  for (guint32 step = 0; step < t->n_steps; step++)
    {
      guint8 type = step_type[step];

      type = type == 0xff   ? TSR_TRACE_NO_TYPE
             : type == 0xfe ? types.external_code
                            : types.code[type];
      step_type[step] = type != TSR_TRACE_NO_TYPE ? type : types.rest_code;
    }
  step_type[t->n_steps] = types.rest_code;
  return step_type;
}

/* No run began with a wait after all: the type reserved for it goes.  It has no label of its own,
 * and of those that are kept by name these stand behind it. */
void
tsr_trace_drop_start_up (TsrTrace *self)
{
  guint8 gone = self->start_up;
  guint8 *const places[] = { &self->transfer, &self->copy_end };

  if (gone == TSR_TRACE_NO_TYPE)
    return;
  for (gsize i = 0; i < self->n_slices; i++)
    self->slice_type[i] -= self->slice_type[i] > gone;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (*places[i] != TSR_TRACE_NO_TYPE)
      *places[i] -= 1;
  self->n_types--;
  for (guint i = gone; i < self->n_types; i++)
    self->types[i] = self->types[i + 1];
  self->start_up = TSR_TRACE_NO_TYPE;
}

/* ------------------------------------------------------------------- names */

static TsrCopyKind
parse_copy_kind (const char *text)
{
  if (text == NULL)
    return TSR_COPY_NOT_TOLD;
  if (strcasecmp (text, "host") == 0)
    return TSR_COPY_HOST;
  if (strncasecmp (text, "remote", 6) == 0)
    return TSR_COPY_REMOTE;
  if (strcasecmp (text, "both") == 0 || strncasecmp (text, "mix", 3) == 0)
    return TSR_COPY_BOTH;
  return TSR_COPY_NOT_TOLD;
}

/* Marks the strings that steps are called by, in of_program and of_set. */
static void
collect_names (TsrTrace *self, guint32 *of_string)
{
  const TsrExecutionTables *t = self->tables;
  const TsrProgramTables *p = self->programs;
  TsrTraceNames *names = &self->names;
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 step = 0; step < t->n_steps; step++)
    for (guint way = 0; way < 2; way++)
      {
        guint32 row = way == 0 ? t->step_compute_set[step] : t->step_program[step];
        guint32 *of = way == 0 ? names->of_set : names->of_program;
        guint32 string;
        const char *text;

        if (row >= (way == 0 ? p->n_compute_sets : p->n_programs))
          continue;
        if (of[row] != TSR_NO_NAME)
          break;
        string = way == 0 ? p->compute_set_name[row] : p->program_name[row];
        text = tsr_string_table_get (p->strings, string);
        if (text == NULL || *text == '\0')
          continue;
        if (of_string[string] == TSR_NO_NAME)
          {
            of_string[string] = used->len;
            g_array_append_val (used, string);
          }
        of[row] = of_string[string];
        break;
      }
  names->n = used->len;
  names->text = g_new (const char *, names->n);
  names->length = g_new (guint32, names->n);
  for (guint i = 0; i < names->n; i++)
    {
      names->text[i] = tsr_string_table_get (p->strings, g_array_index (used, guint32, i));
      names->length[i] = (guint32)strlen (names->text[i]);
    }
}

/* A part of a name below all that is before it: a node of the tree of names. */
typedef struct
{
  const char *text;
  guint32 length, above; /* node that it hangs below; TSR_NO_INDEX for a first part */
  guint32 node;
} Part;

static guint
hash_part (gconstpointer data)
{
  const Part *part = data;
  guint32 hash = 2166136261u ^ part->above * 0x9e3779b1u;

  for (guint32 i = 0; i < part->length; i++)
    hash = (hash ^ (guint8)part->text[i]) * 16777619u;
  return hash;
}

static gboolean
equal_parts (gconstpointer pa, gconstpointer pb)
{
  const Part *a = pa;
  const Part *b = pb;

  return a->above == b->above && a->length == b->length
         && memcmp (a->text, b->text, a->length) == 0;
}

/* Empty parts ("a//b", "/a") are no parts; the last of TSR_TRACE_MAX_DEPTH parts has the rest. */
static guint
split (const char *text, guint32 length, guint32 *from, guint32 *to)
{
  guint n = 0;
  guint32 at = 0;

  while (at < length)
    {
      const char *slash;

      if (text[at] == '/')
        {
          at++;
          continue;
        }
      slash = memchr (text + at, '/', length - at);
      from[n] = at;
      to[n] = slash == NULL || n + 1 == TSR_TRACE_MAX_DEPTH ? length : (guint32)(slash - text);
      at = to[n++];
    }
  if (n == 0)
    {
      from[0] = 0;
      to[0] = length;
      n = 1;
    }
  return n;
}

static guint32
intern_part (GHashTable *parts, const Part *part)
{
  Part *known = g_hash_table_lookup (parts, part);

  if (known == NULL)
    {
      known = g_memdup2 (part, sizeof *part);
      known->node = g_hash_table_size (parts);
      g_hash_table_add (parts, known);
    }
  return known->node;
}

/* Whether the part that ends at @to ends in @word, which no slash is in. */
static gboolean
ends_in (const char *text, guint32 to, const char *word)
{
  gsize length = strlen (word);

  return to >= length && memcmp (text + to - length, word, length) == 0;
}

static void
mark_names (TsrTraceNames *names)
{
  names->marks = g_new0 (guint8, names->n);
  for (guint name = 0; name < names->n; name++)
    for (guint32 i = names->part_start[name]; i < names->part_start[name + 1]; i++)
      {
        if (ends_in (names->text[name], names->part_to[i], "copyFromHost"))
          names->marks[name] |= TSR_NAME_FROM_HOST;
        if (ends_in (names->text[name], names->part_to[i], "copyToHost"))
          names->marks[name] |= TSR_NAME_TO_HOST;
      }
}

static void
split_names (TsrTraceNames *names)
{
  g_autoptr (GHashTable) parts = g_hash_table_new_full (hash_part, equal_parts, g_free, NULL);
  g_autoptr (GArray) from = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) to = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) node = g_array_new (FALSE, FALSE, sizeof (guint32));

  names->part_start = g_new (guint32, (gsize)names->n + 1);
  for (guint name = 0; name < names->n; name++)
    {
      guint32 part_from[TSR_TRACE_MAX_DEPTH], part_to[TSR_TRACE_MAX_DEPTH];
      guint n = split (names->text[name], names->length[name], part_from, part_to);
      Part part = { .above = TSR_NO_INDEX };

      names->part_start[name] = from->len;
      for (guint i = 0; i < n; i++)
        {
          part.text = names->text[name] + part_from[i];
          part.length = part_to[i] - part_from[i];
          part.above = intern_part (parts, &part);
          g_array_append_val (node, part.above);
        }
      g_array_append_vals (from, part_from, n);
      g_array_append_vals (to, part_to, n);
    }
  names->part_start[names->n] = from->len;
  names->part_from = g_memdup2 (from->data, (gsize)from->len * sizeof (guint32));
  names->part_to = g_memdup2 (to->data, (gsize)to->len * sizeof (guint32));
  names->part_node = g_memdup2 (node->data, (gsize)node->len * sizeof (guint32));
}

void
tsr_trace_init_names (TsrTrace *self)
{
  const TsrProgramTables *p = self->programs;
  TsrTraceNames *names = &self->names;
  g_autofree guint32 *of_string = NULL;

  if (p == NULL)
    {
      names->part_start = g_new0 (guint32, 1);
      return;
    }
  of_string = tsr_trace_new_unset (tsr_string_table_get_length (p->strings));
  names->of_program = tsr_trace_new_unset (p->n_programs);
  names->of_set = tsr_trace_new_unset (p->n_compute_sets);
  collect_names (self, of_string);
  split_names (names);
  mark_names (names);
  self->copy_kind = g_new (guint8, p->n_programs);
  for (guint i = 0; i < p->n_programs; i++)
    self->copy_kind[i]
        = parse_copy_kind (tsr_string_table_get (p->strings, p->program_stream_copy_kind[i]));
}

void
tsr_trace_init_titles (TsrTrace *self, const guint8 *step_type)
{
  TsrTraceNames *names = &self->names;

  names->title = g_new0 (const char *, names->n);
  for (guint32 step = 0; step < self->tables->n_steps; step++)
    {
      guint32 name = tsr_trace_step_name (self, step);
      const TsrTraceType *type = &self->types[step_type[step]];
      const char *title;

      if (name == TSR_NO_NAME)
        continue;
      title = type->group == TSR_STEP_GROUP_SYNC
                      && names->part_start[name + 1] - names->part_start[name] == 1
                  ? type->label
                  : names->text[name];
      /* What is more than one thing is called by its name. */
      names->title[name]
          = names->title[name] == NULL || names->title[name] == title ? title : names->text[name];
    }
}

void
tsr_trace_clear_names (TsrTrace *self)
{
  TsrTraceNames *names = &self->names;

  g_free (names->text);
  g_free (names->title);
  g_free (names->length);
  g_free (names->part_start);
  g_free (names->part_from);
  g_free (names->part_to);
  g_free (names->part_node);
  g_free (names->marks);
  g_free (names->of_program);
  g_free (names->of_set);
  g_free (self->copy_kind);
  for (guint i = 0; i < TSR_TRACE_MAX_TYPES; i++)
    g_free (self->own_labels[i]);
}

guint
tsr_trace_get_n_names (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->names.n;
}

const char *
tsr_trace_get_name (const TsrTrace *self, guint32 name)
{
  g_return_val_if_fail (self != NULL, NULL);
  return name < self->names.n ? self->names.text[name] : "";
}
