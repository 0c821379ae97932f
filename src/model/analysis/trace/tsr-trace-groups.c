/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Groups the names of a trace by prefix, name, or the match of a regular expression. */

#include "config.h"

#include "tsr-trace-groups-private.h"

#include <glib/gi18n-lib.h>

/* Bytes of the first @depth parts of a name, which slashes split. */
static gsize
get_prefix_length (const char *name, guint depth)
{
  const char *at = name;

  for (guint i = 0; i < depth; i++)
    {
      const char *slash = strchr (at, '/');

      if (slash == NULL)
        return strlen (name);
      at = slash + 1;
    }
  return (gsize)(at - name) - 1;
}

/* (transfer full) (nullable): NULL when it does not match. */
static char *
dup_match (GRegex *regex, const char *name)
{
  g_autoptr (GMatchInfo) info = NULL;
  char *text = NULL;
  int from, to;

  if (g_regex_match (regex, name, 0, &info))
    text = g_match_info_fetch_pos (info, 1, &from, &to) && from >= 0 ? g_match_info_fetch (info, 1)
                                                                     : g_match_info_fetch (info, 0);
  return text;
}

static guint32
intern (TsrTraceGroups *self, GHashTable *known, char *text)
{
  guint32 place = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));

  if (place == 0)
    {
      g_ptr_array_add (self->names, text);
      place = self->names->len;
      g_hash_table_insert (known, text, GUINT_TO_POINTER (place));
    }
  else
    g_free (text);
  return place - 1;
}

static gboolean
group_names (TsrTraceGroups *self,
             const TsrTraceAggregateQuery *query,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint32 other = TSR_NO_INDEX;

  self->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i <= self->n_names; i++)
    {
      const char *name = tsr_trace_get_name (self->trace, i);
      char *text;

      if ((i & 0xff) == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (query->grouping == TSR_TRACE_BY_PREFIX)
        text = g_strndup (name, get_prefix_length (name, MAX (query->depth, 1)));
      else
        text = query->regex != NULL ? dup_match (query->regex, name) : NULL;
      if (text != NULL)
        self->of_name[i] = intern (self, known, text);
      else
        {
          if (other == TSR_NO_INDEX)
            {
              other = self->names->len;
              g_ptr_array_add (self->names, g_strdup (_ ("other")));
            }
          self->of_name[i] = other;
        }
    }
  self->n_groups = self->names->len;
  return TRUE;
}

TsrTraceGroups *
tsr_trace_groups_new (const TsrTrace *trace,
                      const TsrTraceAggregateQuery *query,
                      GCancellable *cancellable,
                      GError **error)
{
  TsrTraceGroups *self = g_new0 (TsrTraceGroups, 1);
  const TsrProgramTables *programs = tsr_trace_get_programs (trace);

  self->trace = trace;
  self->n_names = tsr_trace_get_n_names (trace);
  self->grouping = query->grouping;
  self->n_sets = programs != NULL ? programs->n_compute_sets : 0;
  if (query->grouping == TSR_TRACE_BY_TYPE)
    self->n_groups = TSR_TRACE_MAX_TYPES;
  else if (query->grouping == TSR_TRACE_BY_COMPUTE_SET)
    self->n_groups = self->n_sets + TSR_TRACE_MAX_TYPES;
  else
    self->of_name = g_new (guint32, self->n_names + 1);
  if (query->grouping == TSR_TRACE_BY_NAME)
    {
      self->n_groups = self->n_names + 1;
      for (guint i = 0; i < self->n_groups; i++)
        self->of_name[i] = i;
    }
  else if (self->of_name != NULL && !group_names (self, query, cancellable, error))
    g_clear_pointer (&self, tsr_trace_groups_free);
  return self;
}

void
tsr_trace_groups_free (TsrTraceGroups *self)
{
  if (self == NULL)
    return;
  g_free (self->of_name);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self);
}

guint32
tsr_trace_groups_get_n (const TsrTraceGroups *self)
{
  return self->n_groups;
}

const char *
tsr_trace_groups_get_name (const TsrTraceGroups *self, guint32 group)
{
  const TsrProgramTables *programs = tsr_trace_get_programs (self->trace);
  const char *name;

  g_return_val_if_fail (group < self->n_groups, "");
  if (self->names != NULL)
    return g_ptr_array_index (self->names, group);
  if (self->of_name != NULL)
    return tsr_trace_get_name (self->trace, group);
  if (self->grouping == TSR_TRACE_BY_COMPUTE_SET && group < self->n_sets)
    {
      name = tsr_string_table_get (programs->strings, programs->compute_set_name[group]);
      return name != NULL ? name : "";
    }
  group -= self->grouping == TSR_TRACE_BY_COMPUTE_SET ? self->n_sets : 0;
  return tsr_trace_get_type (self->trace, group)->label;
}
