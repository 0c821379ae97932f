/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reference-counted groups of variables. */

#include "config.h"

#include "tsr-liveness-groups.h"

#include <glib/gi18n.h>
#include <string.h>

static void
group_free (gpointer data)
{
  TsrLivenessGroup *group = data;

  tsr_liveness_unref (group->liveness);
  g_free (group->name);
  g_free (group->variables);
  g_free (group);
}

GPtrArray *
tsr_liveness_groups_new (const TsrTableAnswer *answer, const GArray *rows)
{
  GPtrArray *groups;

  g_return_val_if_fail (answer == NULL || rows != NULL, NULL);
  groups = g_ptr_array_new_with_free_func (group_free);
  if (answer == NULL || answer->members == NULL)
    return groups;
  for (guint i = 0; i < rows->len && groups->len < TSR_MAX_SELECTED_STEPS; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      TsrLivenessGroup *group = g_new0 (TsrLivenessGroup, 1);

      group->name = g_strdup (tsr_rows_get_text (answer->rows, row, 0));
      group->liveness = tsr_liveness_ref (answer->liveness);
      group->n = answer->n[row];
      group->variables
          = g_memdup2 (answer->members + answer->first[row], group->n * sizeof *group->variables);
      g_ptr_array_add (groups, group);
    }
  return groups;
}

gboolean
tsr_liveness_groups_equal (GPtrArray *a, GPtrArray *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const TsrLivenessGroup *x = a->pdata[i], *y = b->pdata[i];

      if (x->liveness != y->liveness || x->n != y->n || g_strcmp0 (x->name, y->name) != 0
          || memcmp (x->variables, y->variables, x->n * sizeof *x->variables) != 0)
        return FALSE;
    }
  return TRUE;
}

GStrv
tsr_liveness_groups_dup_names (GPtrArray *groups)
{
  GStrv names;

  g_return_val_if_fail (groups != NULL, NULL);
  names = g_new0 (char *, groups->len + 1);
  for (guint i = 0; i < groups->len; i++)
    names[i] = g_strdup (((const TsrLivenessGroup *)groups->pdata[i])->name);
  return names;
}

char *
tsr_liveness_group_dup_label (const TsrLivenessGroup *group)
{
  g_autofree char *count = NULL;

  g_return_val_if_fail (group != NULL, NULL);
  count = tsr_units_dup_count (group->n);
  /* Translators: the name of a group, and how many variables it has */
  return g_strdup_printf (ngettext ("%s (%s variable)", "%s (%s variables)", group->n), group->name,
                          count);
}
