/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A million rows have thousands of texts, each at one address: each is matched once. */

#include "config.h"

#include "tsr-program-search.h"

#include "tsr-latest.h"

#include <glib/gi18n.h>

#define CANCEL_EVERY 65536

typedef struct
{
  TsrRows *rows;
  guint8 *matches; /* by row */
  guint n;
} Matches;

struct _TsrProgramSearch
{
  TsrMatchBar parent_instance;

  TsrRows *rows; /* (nullable) */
  const TsrProgramPlace *places;
  TsrLatest *latest;
  Matches *matches; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (TsrProgramSearch, tsr_program_search, TSR_TYPE_MATCH_BAR)

typedef struct
{
  TsrRows *rows;
  const TsrProgramPlace *places;
  TsrFilter *filter;
  gint64 id; /* TSR_UNKNOWN: the text is no number */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_rows_unref (job->rows);
  tsr_filter_unref (job->filter);
  g_free (job);
}

static void
matches_free (gpointer data)
{
  Matches *matches = data;

  tsr_rows_unref (matches->rows);
  g_free (matches->matches);
  g_free (matches);
}

/* A row that groups programs does not match as one of them. */
static gpointer
match (gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* text -> 1 no, 2 yes */
  guint32 n = tsr_rows_get_n (job->rows);
  int id_column = job->id != TSR_UNKNOWN ? tsr_rows_find_column (job->rows, "id") : -1;
  Matches *matches = g_new0 (Matches, 1);

  matches->rows = tsr_rows_ref (job->rows);
  matches->matches = g_new0 (guint8, MAX (n, 1));
  for (guint32 row = 0; row < n; row++)
    {
      const char *text = tsr_rows_get_text (job->rows, row, 0);
      guint answer = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));

      if (row % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          matches_free (matches);
          return NULL;
        }
      if (job->places != NULL && job->places[row].mark == TSR_PLACE_GROUP)
        continue;
      if (answer == 0)
        {
          answer = tsr_filter_match (job->filter, text) ? 2 : 1;
          g_hash_table_insert (known, (gpointer)text, GUINT_TO_POINTER (answer));
        }
      matches->matches[row]
          = answer == 2
            || (id_column >= 0 && tsr_rows_get_value (job->rows, row, (guint)id_column) == job->id);
      matches->n += matches->matches[row];
    }
  return matches;
}

static void
take (TsrProgramSearch *self, Matches *matches)
{
  g_autofree char *count = tsr_units_dup_count (matches != NULL ? matches->n : 0);

  g_clear_pointer (&self->matches, matches_free);
  self->matches = matches;
  tsr_match_bar_show_count (TSR_MATCH_BAR (self), matches != NULL ? count : "", NULL,
                            matches != NULL && matches->n > 0);
}

static void
on_matched (gpointer owner, gpointer result, const GError *error)
{
  take (owner, result);
}

static void
update (TsrProgramSearch *self)
{
  const char *text = tsr_match_bar_get_text (TSR_MATCH_BAR (self));
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new (text, &error);
  gint64 id;
  Job *job;

  tsr_match_bar_show_error (TSR_MATCH_BAR (self), error != NULL ? error->message : NULL);
  if (filter == NULL || tsr_filter_is_empty (filter) || self->rows == NULL)
    {
      tsr_latest_cancel (self->latest);
      take (self, NULL);
      return;
    }
  job = g_new0 (Job, 1);
  job->rows = tsr_rows_ref (self->rows);
  job->places = self->places;
  job->filter = g_steal_pointer (&filter);
  job->id = g_ascii_string_to_signed (text, 10, G_MININT64 + 1, G_MAXINT64, &id, NULL)
                ? id
                : TSR_UNKNOWN;
  tsr_latest_run (self->latest, match, job, job_free, on_matched);
}

void
tsr_program_search_set_rows (TsrProgramSearch *self, TsrRows *rows, const TsrProgramPlace *places)
{
  g_return_if_fail (TSR_IS_PROGRAM_SEARCH (self));
  if (rows == self->rows)
    return;
  g_clear_pointer (&self->rows, tsr_rows_unref);
  if (rows != NULL)
    self->rows = tsr_rows_ref (rows);
  self->places = places;
  update (self);
}

gboolean
tsr_program_search_matches (TsrProgramSearch *self, TsrRows *rows, guint32 row)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_SEARCH (self), FALSE);
  return self->matches != NULL && rows != NULL && self->matches->rows == rows
         && row < tsr_rows_get_n (rows) && self->matches->matches[row];
}

guint
tsr_program_search_get_n (TsrProgramSearch *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_SEARCH (self), 0);
  return self->matches != NULL ? self->matches->n : 0;
}

gboolean
tsr_program_search_is_busy (TsrProgramSearch *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_SEARCH (self), FALSE);
  return tsr_latest_is_running (self->latest);
}

static void
tsr_program_search_dispose (GObject *object)
{
  TsrProgramSearch *self = TSR_PROGRAM_SEARCH (object);

  g_clear_pointer (&self->latest, tsr_latest_free);
  g_clear_pointer (&self->rows, tsr_rows_unref);
  g_clear_pointer (&self->matches, matches_free);
  G_OBJECT_CLASS (tsr_program_search_parent_class)->dispose (object);
}

static void
tsr_program_search_changed (TsrMatchBar *bar)
{
  update (TSR_PROGRAM_SEARCH (bar));
}

static void
tsr_program_search_class_init (TsrProgramSearchClass *klass)
{
  TsrMatchBarClass *bar_class = TSR_MATCH_BAR_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_program_search_dispose;
  bar_class->least_chars = 8;
  bar_class->name = N_ ("Search for programs");
  bar_class->hint = N_ ("Programs that have all these words in type or name; -word: has not; /…/: "
                        "a regular expression; a number: the program with this id");
  bar_class->changed = tsr_program_search_changed;
}

static void
tsr_program_search_init (TsrProgramSearch *self)
{
  self->latest = tsr_latest_new (self, matches_free);
}
