/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps of the execution and what each IPU did in them.  steps_by_ipu may have ten million rows: it
 * is read straight into columns, in the order of the file, and sorted only when that order is
 * another one. */

#include "config.h"

#include "tsr-profile-rows.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define LEAST_ID (G_MININT64 + 1)
/* IPUs over all replicas; a POD256 has 256. */
#define MAX_IPUS 65536

void
tsr_step_rows_clear (TsrStepRows *rows)
{
  g_clear_pointer (&rows->strings, tsr_string_table_free);
  g_clear_pointer (&rows->type, g_array_unref);
  tsr_column_clear (&rows->id);
  tsr_column_clear (&rows->program);
  tsr_column_clear (&rows->compute_set);
  tsr_column_clear (&rows->run);
  tsr_column_clear (&rows->slice_step);
  tsr_column_clear (&rows->slice_ipu);
  tsr_column_clear (&rows->slice_start);
  tsr_column_clear (&rows->slice_end);
  tsr_column_clear (&rows->slice_cycles);
  tsr_column_clear (&rows->slice_active_tiles);
  rows->n_ipus = 0;
}

/* Order of @n items; NULL when they are in order already or there is no memory (*failed). */
typedef struct
{
  const gint64 *first;
  const gint64 *second; /* (nullable) */
} Order;

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  if (order->first[x] != order->first[y])
    return order->first[x] < order->first[y] ? -1 : 1;
  if (order->second != NULL && order->second[x] != order->second[y])
    return order->second[x] < order->second[y] ? -1 : 1;
  return x < y ? -1 : x > y; /* as in the file */
}

static guint32 *
new_order (const Order *order, gsize n, gboolean *failed)
{
  guint32 *places;
  gsize i = 1;

  *failed = FALSE;
  while (i < n
         && (order->first[i - 1] < order->first[i]
             || (order->first[i - 1] == order->first[i]
                 && (order->second == NULL || order->second[i - 1] <= order->second[i]))))
    i++;
  if (i >= n)
    return NULL;
  places = n <= G_MAXUINT32 ? g_try_new (guint32, n) : NULL;
  *failed = places == NULL;
  for (i = 0; places != NULL && i < n; i++)
    places[i] = i;
  if (places != NULL)
    g_qsort_with_data (places, (int)n, sizeof *places, compare_places, (gpointer)order);
  return places;
}

static gboolean
permute (TsrColumn *column, const guint32 *places)
{
  gint64 *values = g_try_new (gint64, MAX (column->length, 1));

  if (values == NULL)
    return FALSE;
  for (gsize i = 0; i < column->length; i++)
    values[i] = column->values[places[i]];
  g_free (column->values);
  column->values = values;
  column->capacity = column->length;
  return TRUE;
}

/* ------------------------------------------------------------------ steps */

/* Drops rows whose id stood before: they are side by side after sorting. */
static void
drop_repeated_steps (TsrProfile *self, TsrStepRows *out)
{
  gsize kept = 0;

  for (gsize i = 0; i < out->id.length; i++)
    {
      if (kept > 0 && out->id.values[kept - 1] == out->id.values[i])
        {
          tsr_diagnostics_add (
              tsr_profile_get_diagnostics (self), TSR_SEVERITY_ERROR, "id-repeated",
              tsr_profile_get_file_name (self), "steps", out->id.values[i], TSR_NO_ROW,
              _ ("step %" PRId64 " has another row; the first one counts"), out->id.values[i]);
          continue;
        }
      out->id.values[kept] = out->id.values[i];
      out->program.values[kept] = out->program.values[i];
      out->compute_set.values[kept] = out->compute_set.values[i];
      out->run.values[kept] = out->run.values[i];
      g_array_index (out->type, guint32, kept) = g_array_index (out->type, guint32, i);
      kept++;
    }
  out->id.length = out->program.length = out->compute_set.length = out->run.length = kept;
  g_array_set_size (out->type, kept);
}

static gboolean
sort_steps (TsrProfile *self, TsrStepRows *out, GError **error)
{
  Order order = { out->id.values, NULL };
  gboolean failed;
  g_autofree guint32 *places = new_order (&order, out->id.length, &failed);

  if (places != NULL)
    {
      g_autoptr (GArray) types = g_array_sized_new (FALSE, FALSE, sizeof (guint32), out->type->len);

      for (guint i = 0; i < out->type->len; i++)
        g_array_append_val (types, g_array_index (out->type, guint32, places[i]));
      failed = !permute (&out->id, places) || !permute (&out->program, places)
               || !permute (&out->compute_set, places) || !permute (&out->run, places);
      g_array_unref (out->type);
      out->type = g_steal_pointer (&types);
    }
  if (failed)
    return !tsr_profile_fail_memory (self, "steps", error);
  drop_repeated_steps (self, out);
  return TRUE;
}

static gboolean
read_steps (TsrProfile *self, TsrStepRows *out, TsrProgress *progress, GError **error)
{
  static const char *const columns[] = { "id", "type", "program", "compute_set", "run", NULL };
  g_auto (TsrProfileRows) rows = { 0 };

  if (!tsr_profile_rows_open (&rows, self, "steps", columns, error))
    return FALSE;
  if (!tsr_profile_rows_need (&rows, 0))
    return TRUE;
  rows.progress = progress;
  while (tsr_profile_rows_next (&rows, error))
    {
      gint64 id = tsr_profile_rows_get_key (&rows, 0, LEAST_ID, G_MAXINT64);
      const char *type;
      gssize length;
      guint32 index;

      if (id == TSR_UNKNOWN)
        continue;
      type = tsr_profile_rows_peek_text (&rows, 1, &length);
      index = tsr_string_table_intern (out->strings, type, length);
      g_array_append_val (out->type, index);
      tsr_column_append (&out->id, id);
      tsr_column_append (&out->program, tsr_profile_rows_get_int (&rows, 2, LEAST_ID, G_MAXINT64));
      tsr_column_append (&out->compute_set,
                         tsr_profile_rows_get_int (&rows, 3, LEAST_ID, G_MAXINT64));
      tsr_column_append (&out->run, tsr_profile_rows_get_int (&rows, 4, LEAST_ID, G_MAXINT64));
    }
  return !rows.failed && sort_steps (self, out, error);
}

/* ----------------------------------------------------------------- slices */

enum
{
  STEP,
  IPU,
  CYCLES,
  ACTIVE,
  BASE,
  FROM_MIN,
  FROM_MAX,
  TO_MAX,
};

static const char *const slice_columns[] = {
  "step_id",
  "ipu",
  "cycles",
  "active_tiles",
  "cycles_base",
  "active_cycles_from_min",
  "active_cycles_from_max",
  "active_cycles_to_max",
  NULL,
};

static gint64
add_cycles (TsrProfileRows *rows, gint64 base, gint64 relative)
{
  gint64 sum;

  if (base == TSR_UNKNOWN || relative == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  if (!__builtin_add_overflow (base, relative, &sum) && sum != TSR_UNKNOWN)
    return sum;
  tsr_profile_rows_report (
      rows, TSR_SEVERITY_ERROR, "value-out-of-range",
      _ ("cycles_base %" PRId64 " and %" PRId64 " cycles are together beyond 2^63"), base,
      relative);
  return TSR_UNKNOWN;
}

static void
append_slice (TsrProfileRows *rows, TsrStepRows *out, gint64 step, gint64 ipu)
{
  gint64 base = tsr_profile_rows_get_int (rows, BASE, LEAST_ID, G_MAXINT64);
  gint64 from_min = tsr_profile_rows_get_int (rows, FROM_MIN, LEAST_ID, G_MAXINT64);
  gint64 from_max = tsr_profile_rows_get_int (rows, FROM_MAX, LEAST_ID, G_MAXINT64);
  gint64 to_max = tsr_profile_rows_get_int (rows, TO_MAX, LEAST_ID, G_MAXINT64);
  gint64 start = add_cycles (rows, base, from_max != TSR_UNKNOWN ? from_max : from_min);
  gint64 end = add_cycles (rows, base, to_max);

  if (start != TSR_UNKNOWN && end != TSR_UNKNOWN && end < start)
    {
      tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "cycles-reversed",
                               _ ("step %" PRId64 " ends at cycle %" PRId64
                                  ", before it starts at %" PRId64 "; neither is shown"),
                               step, end, start);
      start = end = TSR_UNKNOWN;
    }
  tsr_column_append (&out->slice_step, step);
  tsr_column_append (&out->slice_ipu, ipu);
  tsr_column_append (&out->slice_start, start);
  tsr_column_append (&out->slice_end, end);
  tsr_column_append (&out->slice_cycles, tsr_profile_rows_get_int (rows, CYCLES, 0, TSR_MAX_SIZE));
  tsr_column_append (&out->slice_active_tiles,
                     tsr_profile_rows_get_int (rows, ACTIVE, 0, TSR_MAX_SIZE));
}

static gboolean
read_slices (
    TsrProfile *self, TsrStepRows *out, gboolean *has_ipu, TsrProgress *progress, GError **error)
{
  g_auto (TsrProfileRows) rows = { 0 };

  if (!tsr_profile_rows_open (&rows, self, "steps_by_ipu", slice_columns, error))
    return FALSE;
  *has_ipu = tsr_profile_rows_has (&rows, IPU);
  if (!tsr_profile_rows_need (&rows, STEP))
    return TRUE;
  rows.progress = progress;
  while (tsr_profile_rows_next (&rows, error))
    {
      gint64 step = tsr_profile_rows_get_key (&rows, STEP, LEAST_ID, G_MAXINT64);
      gint64 ipu = *has_ipu ? tsr_profile_rows_get_key (&rows, IPU, 0, MAX_IPUS - 1) : 0;

      if (step != TSR_UNKNOWN && ipu != TSR_UNKNOWN)
        append_slice (&rows, out, step, ipu);
    }
  return !rows.failed;
}

#define N_SLICE_COLUMNS 6

static void
list_slice_columns (TsrStepRows *out, TsrColumn **columns)
{
  columns[0] = &out->slice_step;
  columns[1] = &out->slice_ipu;
  columns[2] = &out->slice_start;
  columns[3] = &out->slice_end;
  columns[4] = &out->slice_cycles;
  columns[5] = &out->slice_active_tiles;
}

static gboolean
sort_slices (TsrProfile *self, TsrStepRows *out, GError **error)
{
  TsrColumn *columns[N_SLICE_COLUMNS];
  Order order = { out->slice_step.values, out->slice_ipu.values };
  gboolean failed;
  g_autofree guint32 *places = new_order (&order, out->slice_step.length, &failed);

  list_slice_columns (out, columns);
  for (guint i = 0; places != NULL && !failed && i < N_SLICE_COLUMNS; i++)
    failed = !permute (columns[i], places);
  return !failed || !tsr_profile_fail_memory (self, "steps_by_ipu", error);
}

/* Keeps the slices whose place is marked. */
static void
keep_slices (TsrStepRows *out, const guint8 *keep)
{
  TsrColumn *columns[N_SLICE_COLUMNS];
  gsize n = out->slice_step.length;

  list_slice_columns (out, columns);
  for (guint c = 0; c < N_SLICE_COLUMNS; c++)
    {
      gsize kept = 0;

      for (gsize i = 0; i < n; i++)
        if (keep[i])
          columns[c]->values[kept++] = columns[c]->values[i];
      columns[c]->length = kept;
    }
}

static void
report_step (TsrProfile *self, const char *code, gint64 step, const char *text)
{
  tsr_diagnostics_add (tsr_profile_get_diagnostics (self), TSR_SEVERITY_ERROR, code,
                       tsr_profile_get_file_name (self), "steps_by_ipu", step, TSR_NO_ROW, "%s",
                       text);
}

/* Two rows for one step and IPU: neither is known to be the right one, the first in the file
 * counts. */
static void
drop_repeated_slices (TsrProfile *self, TsrStepRows *out)
{
  gsize n = out->slice_step.length;
  g_autofree guint8 *keep = NULL;

  for (gsize i = 1; i < n; i++)
    if (out->slice_step.values[i] == out->slice_step.values[i - 1]
        && out->slice_ipu.values[i] == out->slice_ipu.values[i - 1])
      {
        g_autofree char *text
            = g_strdup_printf (_ ("step %" PRId64 " has several rows for IPU %d; the "
                                  "first one counts"),
                               out->slice_step.values[i], (int)out->slice_ipu.values[i]);

        if (keep == NULL)
          {
            keep = g_malloc (n);
            memset (keep, 1, n);
          }
        keep[i] = FALSE;
        report_step (self, "row-repeated", out->slice_step.values[i], text);
      }
  if (keep != NULL)
    keep_slices (out, keep);
}

/* The number of rows that most steps have; the smaller of two that are equally frequent. */
static guint
most_frequent_length (const TsrColumn *steps)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  guint best = 0;
  guint best_count = 0;

  for (gsize i = 0; i < steps->length;)
    {
      gsize end = i + 1;
      guint length;
      guint count;

      while (end < steps->length && steps->values[end] == steps->values[i])
        end++;
      length = MIN (end - i, G_MAXUINT);
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (length))) + 1;
      g_hash_table_insert (counts, GUINT_TO_POINTER (length), GUINT_TO_POINTER (count));
      if (count > best_count || (count == best_count && length < best))
        {
          best = length;
          best_count = count;
        }
      i = end;
    }
  return best;
}

/* Without an ipu column: the k-th row of a step is IPU k, if all steps have equally many. */
static void
number_ipus (TsrProfile *self, TsrStepRows *out)
{
  TsrColumn *steps = &out->slice_step;
  guint wanted = most_frequent_length (steps);
  g_autofree guint8 *keep = g_malloc (MAX (steps->length, 1));
  gboolean all = TRUE;

  for (gsize i = 0; i < steps->length;)
    {
      gsize end = i + 1;
      gboolean fits;

      while (end < steps->length && steps->values[end] == steps->values[i])
        end++;
      fits = end - i == wanted && wanted <= MAX_IPUS;
      if (!fits)
        {
          g_autofree char *text = g_strdup_printf (
              _ ("step %" PRId64 " has %u rows where other steps have %u, so which IPU "
                 "each belongs to is not known; the step is left out"),
              steps->values[i], (guint)(end - i), wanted);

          report_step (self, "ipus-uneven", steps->values[i], text);
          all = FALSE;
        }
      for (gsize k = i; k < end; k++)
        {
          keep[k] = fits;
          out->slice_ipu.values[k] = k - i;
        }
      i = end;
    }
  if (!all)
    keep_slices (out, keep);
}

/* Slices of a step that the table of steps does not have: kept, for their time is told. */
static void
report_unknown_steps (TsrProfile *self, const TsrStepRows *out)
{
  gsize at = 0;

  if (out->id.length == 0)
    return;
  for (gsize i = 0; i < out->slice_step.length; i++)
    {
      gint64 step = out->slice_step.values[i];

      if (i > 0 && step == out->slice_step.values[i - 1])
        continue;
      while (at < out->id.length && out->id.values[at] < step)
        at++;
      if (at < out->id.length && out->id.values[at] == step)
        continue;
      report_step (self, "reference-broken", step,
                   _ ("the step has no row in steps, so what it was is not known"));
    }
}

gboolean
tsr_profile_read_steps (TsrProfile *self, TsrStepRows *out, TsrProgress *progress, GError **error)
{
  gboolean has_ipu = FALSE;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (out, 0, sizeof *out);
  out->strings = tsr_string_table_new ();
  out->type = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!read_steps (self, out, progress, error)
      || !read_slices (self, out, &has_ipu, progress, error) || !sort_slices (self, out, error))
    return FALSE;
  if (has_ipu)
    drop_repeated_slices (self, out);
  else
    number_ipus (self, out);
  report_unknown_steps (self, out);
  for (gsize i = 0; i < out->slice_ipu.length; i++)
    out->n_ipus = MAX (out->n_ipus, (guint)out->slice_ipu.values[i] + 1);
  return TRUE;
}
