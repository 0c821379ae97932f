/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nested values become rows in depth-first order.  Texts of JSON stay in its tree, which lives as
 * long as the rows; names of options are copied. */

#include "config.h"

#include "tsr-value-rows.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  const char *name, *value;
  const TsrJson *json; /* (nullable) */
  guint32 parent;      /* or TSR_NO_INDEX */
  guint32 n_before;    /* members of the same name before it in its object */
} Value;

typedef struct
{
  GArray *values; /* Value, by row */
  GStringChunk *strings;
  TsrJson *root; /* (nullable) */
} Values;

static Values *
values_new (TsrJson *root)
{
  Values *self = g_new0 (Values, 1);

  self->values = g_array_new (FALSE, FALSE, sizeof (Value));
  self->strings = g_string_chunk_new (4096);
  self->root = root != NULL ? tsr_json_ref (root) : NULL;
  return self;
}

static void
values_free (gpointer data)
{
  Values *self = data;

  g_array_unref (self->values);
  g_string_chunk_free (self->strings);
  g_clear_pointer (&self->root, tsr_json_unref);
  g_free (self);
}

static const Value *
get (gpointer data, guint32 row)
{
  return &g_array_index (((Values *)data)->values, Value, row);
}

static const char *
get_text (gpointer data, guint32 row, guint column)
{
  return column == 0 ? get (data, row)->name : get (data, row)->value;
}

static char *
dup_key (gpointer data, guint32 row)
{
  GString *key = g_string_new (NULL);

  for (; row != TSR_NO_INDEX; row = get (data, row)->parent)
    {
      g_auto (GStrv) tildes = g_strsplit (get (data, row)->name, "~", -1);
      g_autofree char *safe = g_strjoinv ("~0", tildes);
      g_auto (GStrv) slashes = g_strsplit (safe, "/", -1);
      g_autofree char *name = g_strjoinv ("~1", slashes);

      /* "~#" is in no name: a tilde of one is ~0. */
      if (get (data, row)->n_before > 0)
        {
          g_autofree char *place = g_strdup_printf ("~#%u", get (data, row)->n_before + 1);

          g_string_prepend (key, place);
        }
      g_string_prepend (key, name);
      g_string_prepend_c (key, '/');
    }
  return g_string_free (key, FALSE);
}

/* Of a group of JSON its JSON. */
static char *
dup_whole (gpointer data, guint32 row)
{
  const Value *value = get (data, row);
  g_autoptr (TsrJsonWriter) writer = NULL;
  g_autofree char *json = NULL;

  if (value->json == NULL || tsr_json_get_kind (value->json) > TSR_JSON_ARRAY)
    return NULL;
  writer = tsr_json_writer_new_string (2);
  tsr_json_write (value->json, writer, NULL);
  tsr_json_writer_finish (writer, FALSE);
  json = tsr_json_writer_dup_text (writer);
  return g_strdup_printf ("%s: %s", value->name, g_strchomp (json));
}

/* Takes @self. */
static TsrRows *
to_rows (Values *self)
{
  static const TsrRowSource source = { .text = get_text };
  static const TsrRowTraits traits = { .dup_key = dup_key, .dup_whole = dup_whole };
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  TsrRowColumn *name = tsr_row_column_new ("name", _ ("Name"), TSR_CELL_KIND_TEXT, 0);
  TsrRowColumn *value = tsr_row_column_new ("value", _ ("Value"), TSR_CELL_KIND_TEXT, 0);
  guint32 n = self->values->len, *parents = g_new (guint32, MAX (n, 1));
  TsrRows *rows;

  name->filtered = value->filtered = value->wide = TRUE;
  g_ptr_array_add (columns, name);
  g_ptr_array_add (columns, value);
  for (guint32 row = 0; row < n; row++)
    parents[row] = get (self, row)->parent;
  rows = tsr_rows_new (n, columns, &source, self, values_free);
  tsr_rows_set_traits (rows, &traits);
  tsr_rows_set_parents (rows, parents);
  return rows;
}

/* ---------------------------------------------------------------- JSON */

static void add_members (Values *self, const TsrJson *json, guint32 parent);

static void
add_json (Values *self, const TsrJson *json, guint32 position, guint32 parent, guint32 n_before)
{
  Value value = { tsr_json_get_key (json), tsr_json_get_text (json), json, parent, n_before };
  guint32 row = self->values->len;

  if (value.name == NULL)
    {
      g_autofree char *name = g_strdup_printf ("[%u]", position);

      value.name = g_string_chunk_insert_const (self->strings, name);
    }
  g_array_append_val (self->values, value);
  add_members (self, json, row);
}

static void
add_members (Values *self, const TsrJson *json, guint32 parent)
{
  guint32 n = tsr_json_get_n_children (json);
  gboolean named = n > 1 && tsr_json_get_kind (json) == TSR_JSON_OBJECT;
  /* How many members have the name. */
  g_autoptr (GHashTable) names = named ? g_hash_table_new (g_str_hash, g_str_equal) : NULL;

  for (guint32 i = 0; i < n; i++)
    {
      const TsrJson *child = tsr_json_get_child (json, i);
      gpointer name = (gpointer)tsr_json_get_key (child);
      guint32 n_before = named ? GPOINTER_TO_UINT (g_hash_table_lookup (names, name)) : 0;

      if (named)
        g_hash_table_insert (names, name, GUINT_TO_POINTER (n_before + 1));
      add_json (self, child, i, parent, n_before);
    }
}

TsrRows *
tsr_value_rows_new_json (TsrJson *root)
{
  Values *self;

  g_return_val_if_fail (root != NULL, NULL);
  self = values_new (root);
  if (tsr_json_get_kind (root) > TSR_JSON_ARRAY)
    add_json (self, root, 0, TSR_NO_INDEX, 0);
  add_members (self, root, TSR_NO_INDEX);
  return to_rows (self);
}

/* ---------------------------------------------------------------- options */

/* TRUE when @name or @value has every wanted word and none of the unwanted ones. */
static gboolean
matches (const char *name, const char *value, char **words)
{
  g_autofree char *text = g_strconcat (name, "\n", value, NULL);
  g_autofree char *plain = g_utf8_casefold (text, -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean unwanted = words[i][0] == '-' && words[i][1] != '\0';

      if (words[i][0] == '\0')
        continue;
      if ((strstr (plain, words[i] + (unwanted ? 1 : 0)) != NULL) == unwanted)
        return FALSE;
    }
  return TRUE;
}

/* A name with absurdly many dots must not nest as deep. */
static gboolean
is_reasonable (const char *name)
{
  guint dots = 0;

  for (const char *p = name; *p != '\0'; p++)
    dots += *p == '.';
  return dots <= 16 && *name != '\0';
}

/* An option or a group, while they come in the report's order. */
typedef struct _Option Option;
struct _Option
{
  const char *name, *value;
  Option *first, *last, *next; /* children; sibling */
};

static Option *
append_option (Values *self, GPtrArray *all, Option *parent, const char *name)
{
  Option *option = g_new0 (Option, 1);

  g_ptr_array_add (all, option);
  option->name = g_string_chunk_insert (self->strings, name);
  option->value = "";
  if (parent->last != NULL)
    parent->last->next = option;
  else
    parent->first = option;
  parent->last = option;
  return option;
}

/* What stands for @path, found in @groups by its whole path. */
static Option *
ensure_option (Values *self, GPtrArray *all, GHashTable *groups, Option *top, const char *path)
{
  Option *option = g_hash_table_lookup (groups, path);
  const char *dot = is_reasonable (path) ? strrchr (path, '.') : NULL;

  if (option != NULL)
    return option;
  if (dot != NULL)
    {
      g_autofree char *above = g_strndup (path, dot - path);

      top = ensure_option (self, all, groups, top, above);
    }
  option = append_option (self, all, top, dot != NULL ? dot + 1 : path);
  g_hash_table_insert (groups, g_strdup (path), option);
  return option;
}

static void
add_options (Values *self, const Option *first, guint32 parent)
{
  for (const Option *option = first; option != NULL; option = option->next)
    {
      Value value = { option->name, option->value, NULL, parent, 0 };

      g_array_append_val (self->values, value);
      add_options (self, option->first, self->values->len - 1);
    }
}

TsrRows *
tsr_value_rows_new_options (const char *const *pairs,
                            const char *filter,
                            gboolean (*accept) (const char *name),
                            guint *n_shown,
                            guint *n_all)
{
  Values *self;
  Option top = { 0 };
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *plain = g_utf8_casefold (filter != NULL ? filter : "", -1);
  g_auto (GStrv) words = g_strsplit_set (plain, " \t", -1);

  g_return_val_if_fail (n_shown != NULL && n_all != NULL, NULL);
  self = values_new (NULL);
  *n_shown = *n_all = 0;
  for (guint i = 0; pairs != NULL && pairs[i] != NULL && pairs[i + 1] != NULL; i += 2)
    {
      Option *option;

      ++*n_all;
      if ((accept != NULL && !accept (pairs[i])) || !matches (pairs[i], pairs[i + 1], words))
        continue;
      ++*n_shown;
      option = ensure_option (self, all, groups, &top, pairs[i]);
      option->value = g_string_chunk_insert (self->strings, pairs[i + 1]);
    }
  add_options (self, top.first, TSR_NO_INDEX);
  return to_rows (self);
}
