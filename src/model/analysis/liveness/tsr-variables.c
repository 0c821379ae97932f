/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Entries, what is known of each, and which rows of the lowered variables are whose.  One pass over
 * the rows finds entries and sums them by class; the rows of each entry are listed when somebody
 * asks for them.  A row's entry is computed, not stored: four bytes less for each. */

#include "config.h"

#include "tsr-variables-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define PENDING (G_MAXUINT32 - 1)

TsrVariables *
tsr_variables_ref (TsrVariables *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_variables_unref (TsrVariables *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_object (&self->report);
  g_clear_pointer (&self->own_lowered, tsr_lowered_tables_free);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->owned);
  g_hash_table_unref (self->index);
  g_free (self->bytes);
  g_free (self->share);
  g_free (self->life);
  g_free (self->compiler_made);
  g_free (self->category);
  g_free (self->entry_of_category);
  g_free (self->entry_of_name);
  g_free (self->part_start);
  g_free (self->parts);
  g_free (self->row_start);
  g_free (self->rows);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
tsr_variables_say_sum_too_large (TsrDiagnostics *diagnostics, const char *table)
{
  if (diagnostics != NULL)
    tsr_diagnostics_add (
        diagnostics, TSR_SEVERITY_ERROR, "sum-too-large", "profile.pop", table, TSR_NO_ROW,
        TSR_NO_ROW, _ ("the sizes add up to more than 2^63 - 1 bytes; such sums are not known"));
}

/* ----------------------------------------------------------------- entries */

/* While the entries are found.  Growing columns end up in the object. */
typedef struct
{
  TsrVariables *self;
  GHashTable *by_name; /* entry + 1 of names that no category's pseudo-variable has */
  GArray *category;    /* guint16, [entry] */
  GArray *parts;       /* TsrVariablePart */
  GArray *last_part;   /* guint32, [entry]: the part met last; TSR_NO_INDEX */
  GHashTable *places;  /* (entry, class) to place in parts + 1, for entries with several */
} Finding;

/* Categories that hold what the program wrote; all others hold what the compiler made, and their
 * always-live allocations count as one variable. */
static gboolean
is_category_of_program (const char *name)
{
  static const char *const names[]
      = { "variable", "constant", "message", "rearrangement", "outputEdge", NULL };

  return g_strv_contains (names, name);
}

static guint16
find_category (const TsrCategoryRows *categories, gint64 id)
{
  if (categories == NULL || id == TSR_UNKNOWN)
    return TSR_NO_CATEGORY;
  for (guint i = 0; i < MIN (categories->n_categories, TSR_NO_CATEGORY); i++)
    if (categories->ids[i] == id)
      return i;
  return TSR_NO_CATEGORY;
}

static gboolean
is_pseudo (TsrVariables *self, const char *name, guint16 category)
{
  return category != TSR_NO_CATEGORY && g_str_equal (self->categories->names[category], name)
         && !is_category_of_program (name);
}

static guint32
add_entry (Finding *finding, const char *name, guint16 category, gboolean pseudo)
{
  TsrVariables *self = finding->self;
  guint32 entry = self->names->len;
  guint32 none = TSR_NO_INDEX;

  g_ptr_array_add (self->names, (char *)name);
  g_array_append_val (finding->category, category);
  g_array_append_val (finding->last_part, none);
  if (!g_hash_table_contains (self->index, name))
    g_hash_table_insert (self->index, (char *)name, GUINT_TO_POINTER (entry + 1));
  if (pseudo && self->entry_of_category[category] == PENDING)
    self->entry_of_category[category] = entry;
  else if (!pseudo && !g_hash_table_contains (finding->by_name, name))
    g_hash_table_insert (finding->by_name, (char *)name, GUINT_TO_POINTER (entry + 1));
  return entry;
}

static void
add_told (Finding *finding)
{
  TsrVariables *self = finding->self;
  const TsrLivenessTables *tables = self->tables;
  gint64 last_id = TSR_UNKNOWN;
  guint16 last = TSR_NO_CATEGORY;

  for (guint i = 0; tables != NULL && i < tables->n_variables; i++)
    {
      const char *name = tsr_string_table_get (tables->strings, tables->variable_name[i]);

      if (tables->variable_category_id[i] != last_id)
        last = find_category (self->categories, tables->variable_category_id[i]);
      last_id = tables->variable_category_id[i];
      name = name != NULL ? name : _ ("(no name)");
      add_entry (finding, name, last,
                 tables->variable_always_live[i] == 1 && is_pseudo (self, name, last));
    }
  self->n_told = self->names->len;
}

/* "zeroPadding#3" is zeroPadding; a '#' in a part of the path before the last is part of the name.
 */
static char *
dup_base_name (const char *name)
{
  const char *hash = strrchr (name, '#');

  if (hash == NULL || hash == name || strchr (hash, '/') != NULL)
    return g_strdup (name);
  return g_strndup (name, hash - name);
}

static guint32
add_lowered_name (Finding *finding, const char *lowered_name, guint16 category)
{
  TsrVariables *self = finding->self;
  g_autofree char *name = dup_base_name (lowered_name);
  guint32 entry = GPOINTER_TO_UINT (g_hash_table_lookup (finding->by_name, name));

  if (entry > 0)
    return entry - 1;
  g_ptr_array_add (self->owned, name);
  return add_entry (finding, g_steal_pointer (&name), category, FALSE);
}

/* Entry of a row of the lowered variables, made if it is new. */
static guint32
find_entry (Finding *finding, gsize row)
{
  TsrVariables *self = finding->self;
  const TsrLoweredTables *lowered = self->lowered;
  guint16 category = lowered->category[row];
  guint32 name = MIN (lowered->name[row], self->n_names);
  const char *text;

  if (lowered->variable[row] != TSR_NO_INDEX)
    return lowered->variable[row];
  if (lowered->always_live[row] == 1 && category != TSR_NO_CATEGORY
      && self->entry_of_category[category] != TSR_NO_INDEX)
    {
      if (self->entry_of_category[category] == PENDING)
        add_entry (finding, self->categories->names[category], category, TRUE);
      return self->entry_of_category[category];
    }
  if (self->entry_of_name[name] == PENDING)
    {
      text = tsr_string_table_get (lowered->strings, name);
      self->entry_of_name[name]
          = add_lowered_name (finding, text != NULL ? text : _ ("(no name)"), category);
    }
  return self->entry_of_name[name];
}

static guint
hash_part (gconstpointer key)
{
  guint64 value = *(const guint64 *)key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return value >> 32;
}

/* Place of the part of (entry, class).  Rows of a tile stand together, so an entry's row is mostly
 * of the class of its last one. */
static guint32
find_part (Finding *finding, guint32 entry, guint32 class_index)
{
  guint32 *last = &g_array_index (finding->last_part, guint32, entry);
  TsrVariablePart part = { entry, class_index, 0 };
  guint64 *key;
  gpointer place;

  if (*last != TSR_NO_INDEX
      && g_array_index (finding->parts, TsrVariablePart, *last).class_index == class_index)
    return *last;
  key = g_new (guint64, 1);
  *key = (guint64)entry << 32 | class_index;
  place = g_hash_table_lookup (finding->places, key);
  if (place != NULL)
    {
      g_free (key);
      return *last = GPOINTER_TO_UINT (place) - 1;
    }
  *last = finding->parts->len;
  g_array_append_val (finding->parts, part);
  g_hash_table_insert (finding->places, key, GUINT_TO_POINTER (*last + 1));
  return *last;
}

#define CANCEL_EVERY (1 << 18)

static gboolean
add_lowered (Finding *finding, GCancellable *cancellable, GError **error)
{
  const TsrLoweredTables *lowered = finding->self->lowered;

  for (gsize row = 0; lowered != NULL && row < lowered->n; row++)
    {
      guint32 entry = find_entry (finding, row);
      guint32 place = find_part (finding, entry, tsr_lowered_get_class (lowered, row));
      TsrVariablePart *part = &g_array_index (finding->parts, TsrVariablePart, place);

      /* 32 bits each, and fewer than 2^31 rows: this sum never overflows. */
      if (lowered->size[row] == TSR_LOWERED_UNKNOWN)
        part->bytes = TSR_UNKNOWN;
      else if (part->bytes != TSR_UNKNOWN)
        part->bytes += lowered->size[row];
      if (row % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const TsrVariablePart *x = a;
  const TsrVariablePart *y = b;

  if (x->variable != y->variable)
    return x->variable < y->variable ? -1 : 1;
  return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

static void
seal_parts (Finding *finding)
{
  TsrVariables *self = finding->self;
  guint n_parts = finding->parts->len;
  guint place = 0;

  g_array_sort (finding->parts, compare_parts);
  self->parts = (TsrVariablePart *)(void *)g_array_free (finding->parts, FALSE);
  finding->parts = NULL;
  self->part_start = g_new (guint32, self->n + 1);
  for (guint entry = 0; entry <= self->n; entry++)
    {
      while (place < n_parts && self->parts[place].variable < entry)
        place++;
      self->part_start[entry] = place;
    }
}

/* -------------------------------------------------------------------- life */

static int
compare_intervals (gconstpointer a, gconstpointer b)
{
  const guint32 *x = a;
  const guint32 *y = b;

  return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* Steps in the union of @intervals (pairs of guint32). */
static guint64
count_steps (GArray *intervals)
{
  guint64 n = 0;
  guint32 end = 0;

  g_array_sort (intervals, compare_intervals);
  for (guint i = 0; i < intervals->len; i++)
    {
      const guint32 *interval = (const guint32 *)(const void *)intervals->data + 2 * (gsize)i;
      guint32 from = MAX (interval[0], end);

      if (interval[1] <= from)
        continue;
      n += interval[1] - from;
      end = interval[1];
    }
  return n;
}

static void
add_class_intervals (const TsrLoweredTables *lowered, guint32 class_index, GArray *intervals)
{
  for (gsize i = lowered->interval_start[class_index]; i < lowered->interval_start[class_index + 1];
       i++)
    {
      guint32 interval[2] = { lowered->interval_from[i], lowered->interval_to[i] };

      g_array_append_vals (intervals, interval, 1);
    }
}

/* Share of the steps at which any part of @entry is live; NaN when that is not known. */
static double
measure_share (TsrVariables *self, guint entry, const guint64 *class_steps, GArray *intervals)
{
  const TsrVariablePart *parts = self->parts + self->part_start[entry];
  guint n_parts = self->part_start[entry + 1] - self->part_start[entry];
  const TsrLivenessTables *tables = self->tables;

  if (self->n_steps == 0)
    return NAN;
  for (guint i = 0; i < n_parts; i++)
    if (parts[i].class_index == TSR_CLASS_ALWAYS)
      return 1;
  for (guint i = 0; i < n_parts; i++)
    if (parts[i].class_index >= TSR_CLASS_UNTOLD)
      return NAN;
  if (n_parts == 1)
    return (double)class_steps[parts[0].class_index] / self->n_steps;
  g_array_set_size (intervals, 0);
  for (guint i = 0; i < n_parts; i++)
    add_class_intervals (self->lowered, parts[i].class_index, intervals);
  if (n_parts == 0) /* then it is told */
    for (guint32 i = tables->lifetime_start[entry]; i < tables->lifetime_start[entry + 1]; i++)
      {
        guint32 interval[2] = { tables->lifetime_from[i], tables->lifetime_to[i] };

        g_array_append_vals (intervals, interval, 1);
      }
  if (intervals->len == 0 && n_parts == 0)
    return NAN;
  return (double)count_steps (intervals) / self->n_steps;
}

static TsrLife
judge_life (TsrVariables *self, guint entry)
{
  guint8 told = entry < self->n_told ? self->tables->variable_always_live[entry] : 255;
  guint first = self->part_start[entry];
  guint end = self->part_start[entry + 1];

  if (told == 255 && first < end)
    {
      told = 1;
      for (guint i = first; i < end; i++)
        if (self->parts[i].class_index != TSR_CLASS_ALWAYS)
          told = self->parts[i].class_index == TSR_CLASS_UNKNOWN || told == 255 ? 255 : 0;
    }
  if (told == 1)
    return TSR_LIFE_ALWAYS;
  if (self->share[entry] >= TSR_RESIDENT_SHARE)
    return TSR_LIFE_RESIDENT;
  return told == 0 || !isnan (self->share[entry]) ? TSR_LIFE_TEMPORARY : TSR_LIFE_UNKNOWN;
}

/* No more than what add_lowered sums up. */
static gint64
sum_parts (TsrVariables *self, guint entry)
{
  gint64 sum = 0;

  if (self->part_start[entry] == self->part_start[entry + 1])
    return TSR_UNKNOWN;
  for (guint i = self->part_start[entry]; i < self->part_start[entry + 1]; i++)
    tsr_variables_sum_add (&sum, self->parts[i].bytes);
  return sum;
}

#define ENTRIES_A_LOOK 1024

static gboolean
measure_entries (TsrVariables *self, GCancellable *cancellable, GError **error)
{
  const TsrLoweredTables *lowered = self->lowered;
  guint n_classes = lowered != NULL ? lowered->n_classes : 0;
  g_autofree guint64 *class_steps = g_new0 (guint64, MAX (n_classes, 1));
  g_autoptr (GArray) intervals = g_array_new (FALSE, FALSE, 2 * sizeof (guint32));

  for (guint c = 0; c < n_classes; c++)
    for (gsize i = lowered->interval_start[c]; i < lowered->interval_start[c + 1]; i++)
      class_steps[c] += lowered->interval_to[i] - lowered->interval_from[i];
  self->bytes = g_new (gint64, MAX (self->n, 1));
  self->share = g_new (double, MAX (self->n, 1));
  self->life = g_new (guint8, MAX (self->n, 1));
  self->compiler_made = g_new (guint8, MAX (self->n, 1));
  for (guint entry = 0; entry < self->n; entry++)
    {
      gint64 told = entry < self->n_told ? self->tables->variable_size[entry] : TSR_UNKNOWN;

      if (entry % ENTRIES_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      self->bytes[entry] = told != TSR_UNKNOWN ? told : sum_parts (self, entry);
      self->share[entry] = measure_share (self, entry, class_steps, intervals);
      self->life[entry] = judge_life (self, entry);
      if (self->life[entry] == TSR_LIFE_ALWAYS)
        self->share[entry] = 1;
      self->compiler_made[entry]
          = entry >= self->n_told
            || (self->life[entry] == TSR_LIFE_ALWAYS
                && is_pseudo (self, self->names->pdata[entry], self->category[entry]));
    }
  return TRUE;
}

/* --------------------------------------------------------------------- new */

static void
finding_init (Finding *finding, TsrVariables *self)
{
  guint n_categories = self->categories != NULL ? self->categories->n_categories : 0;

  finding->self = self;
  finding->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  finding->category = g_array_new (FALSE, FALSE, sizeof (guint16));
  finding->parts = g_array_new (FALSE, FALSE, sizeof (TsrVariablePart));
  finding->last_part = g_array_new (FALSE, FALSE, sizeof (guint32));
  finding->places = g_hash_table_new_full (hash_part, g_int64_equal, g_free, NULL);
  self->entry_of_category = g_new (guint32, MAX (n_categories, 1));
  for (guint i = 0; i < n_categories; i++)
    self->entry_of_category[i]
        = is_category_of_program (self->categories->names[i]) ? TSR_NO_INDEX : PENDING;
  self->n_names = self->lowered != NULL ? tsr_string_table_get_length (self->lowered->strings) : 0;
  self->entry_of_name = g_new (guint32, (gsize)self->n_names + 1);
  for (gsize i = 0; i <= self->n_names; i++)
    self->entry_of_name[i] = PENDING;
}

static void
finding_clear (Finding *finding)
{
  g_hash_table_unref (finding->by_name);
  g_clear_pointer (&finding->category, g_array_unref);
  g_clear_pointer (&finding->parts, g_array_unref);
  g_array_unref (finding->last_part);
  g_hash_table_unref (finding->places);
}

TsrVariables *
tsr_variables_new_from_tables (const TsrLivenessTables *tables,
                               const TsrLoweredTables *lowered,
                               const TsrCategoryRows *categories,
                               TsrDiagnostics *diagnostics,
                               GCancellable *cancellable,
                               GError **error)
{
  g_autoptr (TsrVariables) self = g_new0 (TsrVariables, 1);
  Finding finding = { NULL };
  gboolean ok;

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->tables = tables;
  self->lowered = lowered;
  self->categories = categories;
  self->diagnostics = diagnostics;
  self->n_steps = tables != NULL ? tables->n_steps : 0;
  self->names = g_ptr_array_new ();
  self->owned = g_ptr_array_new_with_free_func (g_free);
  self->index = g_hash_table_new (g_str_hash, g_str_equal);
  finding_init (&finding, self);
  add_told (&finding);
  ok = add_lowered (&finding, cancellable, error);
  if (ok)
    {
      self->n = self->names->len;
      self->category = (guint16 *)(void *)g_array_free (finding.category, FALSE);
      finding.category = NULL;
      seal_parts (&finding);
    }
  finding_clear (&finding);
  if (!ok || !measure_entries (self, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

static TsrVariables *
new_with_lowered (TsrReport *report,
                  const TsrLoweredTables *lowered,
                  GCancellable *cancellable,
                  GError **error)
{
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (report);
  TsrVariables *self = tsr_variables_new_from_tables (
      tsr_report_get_liveness_tables (report), lowered, memory != NULL ? &memory->categories : NULL,
      tsr_report_get_diagnostics (report), cancellable, error);

  if (self != NULL)
    self->report = g_object_ref (report);
  return self;
}

TsrVariables *
tsr_variables_new (TsrReport *report, GCancellable *cancellable, GError **error)
{
  const TsrLoweredTables *lowered;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);

  lowered = tsr_report_get_lowered_tables (report);
  if (tsr_report_get_liveness_tables (report) == NULL && lowered == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("The report has no variables: the tables variables and vars_info are missing "
                      "or empty; record it with the engine options autoReport.outputGraphProfile "
                      "and autoReport.outputLoweredVars"));
      return NULL;
    }
  return new_with_lowered (report, lowered, cancellable, error);
}

TsrVariables *
tsr_variables_new_on_tiles (
    TsrReport *report, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error)
{
  TsrLoweredTables *lowered;
  TsrVariables *self;

  g_return_val_if_fail (TSR_IS_REPORT (report) && (tiles != NULL || n_tiles == 0), NULL);

  lowered = tsr_report_read_lowered_of (report, tiles, n_tiles, cancellable, error);
  if (lowered == NULL)
    return NULL;
  self = new_with_lowered (report, lowered, cancellable, error);
  if (self != NULL)
    self->own_lowered = lowered;
  else
    tsr_lowered_tables_free (lowered);
  return self;
}

/* --------------------------------------------------------------- accessors */

guint
tsr_variables_get_n (TsrVariables *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n;
}

const char *
tsr_variables_get_name (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, NULL);
  return self->names->pdata[variable];
}

gint64
tsr_variables_get_bytes (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, TSR_UNKNOWN);
  return self->bytes[variable];
}

const char *
tsr_life_get_name (TsrLife life)
{
  switch (life)
    {
    case TSR_LIFE_ALWAYS:
      return _ ("Always live");
    case TSR_LIFE_RESIDENT:
      return _ ("Resident");
    case TSR_LIFE_TEMPORARY:
      return _ ("Temporary");
    case TSR_LIFE_UNKNOWN:
    default:
      return NULL;
    }
}

TsrLife
tsr_variables_get_life (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, TSR_LIFE_UNKNOWN);
  return self->life[variable];
}

double
tsr_variables_get_live_share (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, NAN);
  return self->share[variable];
}

const char *
tsr_variables_get_category (TsrVariables *self, guint variable)
{
  guint16 category;

  g_return_val_if_fail (variable < self->n, NULL);
  category = self->category[variable];
  return category != TSR_NO_CATEGORY ? self->categories->names[category] : NULL;
}

const char *
tsr_variables_get_element_type (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, NULL);
  return variable < self->n_told ? tsr_string_table_get (
             self->tables->strings, self->tables->variable_element_type[variable])
                                 : NULL;
}

const char *
tsr_variables_get_shape (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, NULL);
  return variable < self->n_told
             ? tsr_string_table_get (self->tables->strings, self->tables->variable_shape[variable])
             : NULL;
}

gint64
tsr_variables_get_debug_id (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, TSR_UNKNOWN);
  return variable < self->n_told ? self->tables->variable_debug_id[variable] : TSR_UNKNOWN;
}

gboolean
tsr_variables_is_compiler_made (TsrVariables *self, guint variable)
{
  g_return_val_if_fail (variable < self->n, FALSE);
  return self->compiler_made[variable];
}

guint
tsr_variables_find (TsrVariables *self, const char *name)
{
  guint place;

  g_return_val_if_fail (self != NULL && name != NULL, TSR_NO_INDEX);
  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, name));
  return place > 0 ? place - 1 : TSR_NO_INDEX;
}

/* -------------------------------------------------------------------- rows */

guint
tsr_variables_of_lowered (TsrVariables *self, gsize row)
{
  g_return_val_if_fail (self->lowered != NULL && row < self->lowered->n, TSR_NO_INDEX);
  return tsr_variables_get_entry (self, row);
}

/* A counting sort: rows of each entry stay in file order. */
static void
sort_rows (TsrVariables *self)
{
  gsize n = self->lowered->n;
  gsize *start = g_new0 (gsize, (gsize)self->n + 1);
  g_autofree gsize *at = NULL;
  guint32 *rows = g_new (guint32, MAX (n, 1));

  for (gsize row = 0; row < n; row++)
    start[tsr_variables_get_entry (self, row) + 1]++;
  for (guint i = 0; i < self->n; i++)
    start[i + 1] += start[i];
  at = g_memdup2 (start, ((gsize)self->n + 1) * sizeof *start);
  for (gsize row = 0; row < n; row++)
    rows[at[tsr_variables_get_entry (self, row)]++] = row;
  self->rows = rows;
  g_atomic_pointer_set (&self->row_start, start);
}

const guint32 *
tsr_variables_peek_lowered (TsrVariables *self, guint variable, gsize *n_rows)
{
  *n_rows = 0;
  g_return_val_if_fail (variable < self->n, NULL);
  if (self->lowered == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  if (self->row_start == NULL)
    sort_rows (self);
  g_mutex_unlock (&self->lock);
  *n_rows = self->row_start[variable + 1] - self->row_start[variable];
  return self->rows + self->row_start[variable];
}

gint64 *
tsr_variables_dup_bytes_by_tile (TsrVariables *self, guint variable)
{
  const TsrLoweredTables *lowered = self->lowered;
  const guint32 *rows;
  gint64 *bytes;
  gsize n_rows;

  g_return_val_if_fail (variable < self->n, NULL);
  if (lowered == NULL)
    return NULL;
  rows = tsr_variables_peek_lowered (self, variable, &n_rows);
  bytes = g_new0 (gint64, MAX (lowered->n_tiles, 1));
  /* Without any row the file does not tell where the bytes are. */
  for (guint tile = 0; n_rows == 0 && self->bytes[variable] != 0 && tile < lowered->n_tiles; tile++)
    bytes[tile] = TSR_UNKNOWN;
  for (gsize i = 0; i < n_rows; i++)
    if (lowered->tile[rows[i]] < lowered->n_tiles)
      tsr_variables_sum_add (&bytes[lowered->tile[rows[i]]],
                             tsr_lowered_get_bytes (lowered, rows[i]));
  return bytes;
}

char *
tsr_name_dup_prefix (const char *name, guint depth)
{
  const char *p = name;

  g_return_val_if_fail (name != NULL, NULL);
  for (guint i = 0; i < depth; i++)
    {
      const char *slash = strchr (p, '/');

      if (slash == NULL)
        return g_strdup (name);
      p = slash + 1;
    }
  return g_strndup (name, p > name ? (gsize)(p - name - 1) : 0);
}
