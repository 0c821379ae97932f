/* SPDX-License-Identifier: GPL-3.0-or-later */

/* There are few names, so plain lists are enough. */

#include "config.h"

#include "tsr-ssh-algorithms.h"

#include "tsr-ssh-text.h"

#include <string.h>

gboolean
tsr_ssh_algorithms_are_relative (const char *told)
{
  return told != NULL && (*told == '+' || *told == '-' || *told == '^');
}

static void
add (GPtrArray *list, const char *name)
{
  if (*name && !g_ptr_array_find_with_equal_func (list, name, g_str_equal, NULL))
    g_ptr_array_add (list, g_strdup (name));
}

GStrv
tsr_ssh_algorithms_merge (const char *told, const char *const *usual)
{
  gboolean relative = tsr_ssh_algorithms_are_relative (told);
  g_auto (GStrv) names = g_strsplit (told != NULL ? told + relative : "", ",", -1);
  GPtrArray *list = g_ptr_array_new ();
  char how = relative ? *told : told != NULL ? '=' : '+';

  if (how == '^' || how == '=')
    for (char **name = names; *name; name++)
      add (list, *name);
  for (const char *const *name = usual; how != '=' && *name; name++)
    if (how != '-' || tsr_ssh_pattern_match_list (*name, told + 1, FALSE) != 1)
      add (list, *name);
  if (how == '+')
    for (char **name = names; *name; name++)
      add (list, *name);
  g_ptr_array_add (list, NULL);
  return (GStrv)g_ptr_array_free (list, FALSE);
}
