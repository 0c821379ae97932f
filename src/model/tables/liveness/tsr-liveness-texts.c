/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How steps, lives and columns are called, and the sums that all tables of the Liveness page use.
 */

#include "config.h"

#include "tsr-liveness-rows-private.h"

#include <glib/gi18n.h>

char *
tsr_liveness_step_title (guint place, guint step)
{
  g_autofree char *count = tsr_units_dup_count (step);

  /* Translators: A, B ... F are the flags of the selected steps */
  return g_strdup_printf (_ ("%c: step %s"), 'A' + (int)MIN (place, 25), count);
}

char *
tsr_liveness_question_dup_title (const TsrLivenessQuestion *question, guint place)
{
  g_autofree char *count = NULL;

  if (question->n_steps > 0)
    return tsr_liveness_step_title (place, question->steps[place]);
  count = tsr_units_dup_count (question->peak);
  return g_strdup_printf (_ ("Peak: step %s"), count);
}

char *
tsr_liveness_step_text (TsrLiveness *liveness, guint step)
{
  const char *name = tsr_liveness_get_step_name (liveness, step);
  const char *type = tsr_liveness_get_step_type (liveness, step);
  g_autofree char *count = tsr_units_dup_count (step);

  if (type != NULL && name != NULL && *name != '\0')
    return g_strdup_printf (_ ("Step %s: %s, %s"), count, type, name);
  if (type != NULL)
    return g_strdup_printf (_ ("Step %s: %s"), count, type);
  return g_strdup_printf (_ ("Step %s"), count);
}

const char *
tsr_life_get_label (TsrLife life)
{
  switch (life)
    {
    case TSR_LIFE_ALWAYS:
      return C_ ("life", "Always");
    case TSR_LIFE_RESIDENT:
      return C_ ("life", "Resident");
    case TSR_LIFE_TEMPORARY:
      return C_ ("life", "Temporary");
    default:
      return C_ ("life", "Not known");
    }
}

const char *
tsr_liveness_step_key (const char *word, guint step)
{
  g_autofree char *key = g_strdup_printf ("%sStep%u", word, step);

  return g_intern_string (key);
}

/* Numbers */

gint64
tsr_liveness_share (gint64 part, gint64 whole)
{
  if (part == TSR_UNKNOWN || whole == TSR_UNKNOWN || whole <= 0)
    return TSR_UNKNOWN;
  return (gint64)((double)part / (double)whole * 1e9 + 0.5);
}
