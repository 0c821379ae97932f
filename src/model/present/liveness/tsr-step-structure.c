/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bands are numbers by step; names are interned by their first part, and a name that was the one
 * before is not looked at again: most steps of a run share it. */

#include "config.h"

#include "tsr-step-structure.h"

#include "tsr-chart-frame.h"
#include "tsr-elide.h"
#include "tsr-step-layout.h"
#include "tsr-step-lines.h"

#include <string.h>

#define PAD        4.0
#define MIN_LABEL  22.0 /* pixels of text that are worth a look */
#define MIN_BAND   12.0 /* pixels of a band that may have a name */
#define MAX_LABELS 100
#define NO_BAND    G_MAXUINT8

struct _TsrStepStructure
{
  guint n_steps;
  /* Of each step: as bytes, NO_BAND when it has none, as long as there are so few; a frame looks
   * at them far from one another. */
  guint8 *narrow;   /* (nullable) */
  guint32 *wide;    /* (nullable) */
  GPtrArray *names; /* of each band */
  guint8 *slots;    /* likewise: tsr_palette_place_names() */
};

static void
structure_clear (TsrStepStructure *self)
{
  g_free (self->narrow);
  g_free (self->wide);
  g_ptr_array_unref (self->names);
  g_free (self->slots);
}

TsrStepStructure *
tsr_step_structure_ref (TsrStepStructure *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
tsr_step_structure_unref (TsrStepStructure *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify)structure_clear);
}

/* Band of @name's first part, new when it is; TSR_NO_INDEX for a step that has none of its own. */
static guint32
find_band (TsrStepStructure *self, GHashTable *bands, const char *name, const char *type)
{
  g_autofree char *prefix = NULL;
  gpointer found;

  if (name == NULL || *name == '\0' || *name == '/' || g_strcmp0 (type, "Sync") == 0)
    return TSR_NO_INDEX;
  prefix = g_strndup (name, strcspn (name, "/"));
  if (g_hash_table_lookup_extended (bands, prefix, NULL, &found))
    return GPOINTER_TO_UINT (found);
  g_hash_table_insert (bands, prefix, GUINT_TO_POINTER (self->names->len));
  g_ptr_array_add (self->names, g_steal_pointer (&prefix));
  return self->names->len - 1;
}

static void
narrow (TsrStepStructure *self)
{
  if (self->names->len >= NO_BAND)
    return;
  self->narrow = g_malloc (MAX (self->n_steps, 1));
  for (guint step = 0; step < self->n_steps; step++)
    self->narrow[step] = self->wide[step] != TSR_NO_INDEX ? self->wide[step] : NO_BAND;
  g_clear_pointer (&self->wide, g_free);
}

TsrStepStructure *
tsr_step_structure_new (TsrLiveness *liveness)
{
  TsrStepStructure *self = g_atomic_rc_box_new0 (TsrStepStructure);
  g_autoptr (GHashTable) bands = g_hash_table_new (g_str_hash, g_str_equal);
  const char *name = NULL;
  const char *type = NULL;
  guint32 own = TSR_NO_INDEX;
  guint32 around = TSR_NO_INDEX;
  guint first = 0; /* with a band */

  self->n_steps = tsr_liveness_get_n_steps (liveness);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->wide = g_new (guint32, MAX (self->n_steps, 1));
  for (guint step = 0; step < self->n_steps; step++)
    {
      const char *next = tsr_liveness_get_step_name (liveness, step);
      const char *next_type = tsr_liveness_get_step_type (liveness, step);

      if (step == 0 || next != name || next_type != type)
        own = find_band (self, bands, next, next_type);
      name = next;
      type = next_type;
      if (own != TSR_NO_INDEX)
        around = own;
      else if (around == TSR_NO_INDEX)
        first = step + 1;
      self->wide[step] = around;
    }
  /* What comes before the first name belongs to it. */
  for (guint step = 0; step < first && first < self->n_steps; step++)
    self->wide[step] = self->wide[first];
  narrow (self);
  self->slots = g_malloc (MAX (self->names->len, 1));
  tsr_palette_place_names ((const char *const *)self->names->pdata, self->names->len, self->slots);
  return self;
}

guint
tsr_step_structure_get_n_bands (const TsrStepStructure *self)
{
  return self->names->len;
}

const char *
tsr_step_structure_get_name (const TsrStepStructure *self, guint band)
{
  g_return_val_if_fail (band < self->names->len, "");
  return g_ptr_array_index (self->names, band);
}

guint
tsr_step_structure_get_band (const TsrStepStructure *self, guint step)
{
  if (step >= self->n_steps)
    return TSR_NO_INDEX;
  if (self->narrow == NULL)
    return self->wide[step];
  return self->narrow[step] != NO_BAND ? self->narrow[step] : TSR_NO_INDEX;
}

/* ----------------------------------------------------------------- layout */

static guint32 *
dup_columns (const TsrStepStructure *self,
             const guint32 *shown,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             guint *n_columns)
{
  double per;
  guint n = *n_columns = tsr_step_lines_count_columns (geometry, area, &per);
  guint32 *bands = g_new (guint32, MAX (n, 1));

  for (guint c = 0; c < n; c++)
    {
      guint first;
      guint end;

      bands[c] = TSR_NO_INDEX;
      if (shown != NULL && shown[c] < self->n_steps)
        {
          bands[c] = tsr_step_structure_get_band (self, shown[c]);
          continue;
        }
      tsr_step_layout_get_positions (geometry->from + c * per, geometry->from + (c + 1) * per,
                                     self->n_steps, &first, &end);
      if (first < end)
        bands[c] = tsr_step_structure_get_band (self, first);
    }
  return bands;
}

static gboolean
add_label (const char *name,
           const TsrChartGeometry *geometry,
           double x,
           double y,
           double width,
           double height,
           TsrDrawList *list)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_autofree char *shown = NULL;
  double text_width;

  geometry->measure.measure (geometry->measure.data, valid, TSR_AXIS_FONT_SIZE, FALSE, &text_width,
                             NULL);
  width -= 2 * PAD;
  if (width < MIN (text_width, MIN_LABEL))
    return FALSE;
  shown = tsr_elide_dup_label (valid, TSR_AXIS_FONT_SIZE, width, &geometry->measure);
  if (shown == NULL)
    return FALSE;
  tsr_draw_list_label (list, TSR_INK_TEXT, x + PAD + width / 2, y + height / 2, 0.5, 0.5, shown)
      ->font_size
      = TSR_AXIS_FONT_SIZE;
  return TRUE;
}

static guint
end_of_run (const guint32 *bands, guint n, guint c)
{
  guint end = c + 1;

  while (end < n && bands[end] == bands[c])
    end++;
  return end;
}

void
tsr_step_structure_layout (const TsrStepStructure *self,
                           const guint32 *shown,
                           const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           double y,
                           double height,
                           TsrDrawList *list)
{
  double scale = geometry->scale;
  guint gap = MAX ((guint)scale, 1); /* between bands */
  guint n_labels = 0;
  guint n;
  g_autofree guint32 *bands = dup_columns (self, shown, geometry, area, &n);
  g_autofree guint8 *inks = g_malloc (MAX (n, 1));

  memset (inks, TSR_RASTER_CLEAR, MAX (n, 1));
  for (guint c = 0, end; c < n; c = end)
    {
      end = end_of_run (bands, n, c);
      if (bands[c] == TSR_NO_INDEX)
        continue;
      memset (inks + c, TSR_INK_STRUCTURE + self->slots[bands[c]],
              end < n && end - c > 4 * gap ? end - c - gap : end - c);
    }
  tsr_step_lines_layout_row (inks, n, scale, area->x, y, height, list);
  for (guint c = 0, end; c < n; c = end)
    {
      end = end_of_run (bands, n, c);
      if (bands[c] != TSR_NO_INDEX && (end - c) / scale >= MIN_BAND && n_labels < MAX_LABELS)
        n_labels += add_label (g_ptr_array_index (self->names, bands[c]), geometry,
                               area->x + c / scale, y, (end - c) / scale, height, list);
    }
}
