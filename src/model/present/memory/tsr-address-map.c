/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address map: the allocations of one tile, in lanes where they overlap, the gaps between them,
 * where all of it is drawn, and its texts. */

#include "config.h"

#include "tsr-address-map-private.h"
#include "tsr-elide.h"
#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static gboolean tsr_address_map_is_shown (TsrAddressMap *self, guint32 row);

/* The address map as a draw list: one raster of all allocations, so that a tile with very many
 * costs no more than pixels.  Where several share a pixel it shows the largest that is live. */

#define LEFT         66.0
#define RIGHT        12.0
#define MARGIN       4.0
#define ROW_GAP      3.0
#define HEADING      20.0
#define EMPTY_HEIGHT 7.0 /* of a row that nothing uses */
#define STRIP_HEIGHT 5.0
#define LABEL_SIZE   10.0
#define NAME_SIZE    10.0
#define TITLE_SIZE   15.0
#define MAX_ROWS     192
#define MAX_NAMES    200
#define NAME_WIDTH   60.0 /* least width of an allocation that gets its name */
#define MAX_HATCHES  1500
#define GAP_WIDTH    3.0 /* least width of a gap that is hatched */
#define APART        4.0 /* pixels of an allocation that begins with a line */

/* ------------------------------------------------------------------- rows */

static double
get_lane_height (guint n_lanes)
{
  static const double heights[] = { 0, 18, 10, 8, 7, 6 };

  return n_lanes < G_N_ELEMENTS (heights) ? heights[n_lanes] : 5;
}

static gint64
get_limit (TsrAddressMap *self)
{
  return MAX (MAX (self->capacity, self->used), 1);
}

static gint64
row_of (TsrAddressMap *self, gint64 address)
{
  return address / self->row_bytes;
}

static TsrAddressRow *
get_row (TsrAddressMap *self, guint i)
{
  return &g_array_index (self->rows, TsrAddressRow, i);
}

/* Name of what begins with row @i, or NULL. */
static const char *
get_heading (TsrAddressMap *self, guint i)
{
  gint64 from = i * self->row_bytes;

  if (self->capacity != TSR_UNKNOWN && from >= self->capacity
      && from - self->row_bytes < self->capacity)
    return _ ("Beyond the tile's memory");
  if (self->interleaved_start <= 0 || self->interleaved_start >= get_limit (self))
    return NULL;
  if (i == 0)
    return _ ("Non-interleaved memory");
  return from == self->interleaved_start ? _ ("Interleaved memory") : NULL;
}

/* Works out rows and their heights from the allocations. */
static void
tsr_address_map_place (TsrAddressMap *self)
{
  gint64 limit = get_limit (self);
  double y = MARGIN;

  self->row_bytes = TSR_ADDRESS_ROW;
  while ((limit - 1) / self->row_bytes >= MAX_ROWS)
    self->row_bytes *= 2;
  g_array_set_size (self->rows, 0);
  g_array_set_size (self->rows, (guint)((limit - 1) / self->row_bytes) + 1);
  for (guint i = 0; i < self->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (self, i);

      for (gint64 r = row_of (self, one->from); r <= row_of (self, one->to - 1); r++)
        if (one->lane == TSR_ADDRESS_STRIP)
          {
            /* Its place stays when it is live at another step. */
            get_row (self, (guint)r)->n_lanes = MAX (get_row (self, (guint)r)->n_lanes, 1);
            get_row (self, (guint)r)->strip = STRIP_HEIGHT;
          }
        else
          get_row (self, (guint)r)->n_lanes
              = MAX (get_row (self, (guint)r)->n_lanes, one->lane + 1);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      TsrAddressRow *row = get_row (self, i);

      row->heading = get_heading (self, i) != NULL ? HEADING : 0;
      row->y = y + row->heading;
      row->lane_height = get_lane_height (row->n_lanes);
      row->height = row->n_lanes > 0 ? row->n_lanes * row->lane_height + row->strip : EMPTY_HEIGHT;
      y = row->y + row->height + ROW_GAP;
    }
  self->height = y + MARGIN;
}

void
tsr_address_map_get_band (
    TsrAddressMap *self, guint row, const TsrAllocation *one, double *y, double *height)
{
  const TsrAddressRow *r = get_row (self, row);
  gboolean strip = one->lane == TSR_ADDRESS_STRIP;

  *y = r->y + (strip ? r->n_lanes : one->lane) * r->lane_height;
  *height = strip ? r->strip : r->lane_height;
}

double
tsr_address_map_get_height (TsrAddressMap *self, double width)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), 0);
  return self->height;
}

/* ------------------------------------------------------------------ places */

typedef struct
{
  double x, width, scale; /* of the rows, logical pixels */
  double top;             /* of the map: a title stands over it on paper */
} Frame;

static gboolean
get_frame (const TsrChartGeometry *geometry, Frame *frame)
{
  frame->scale = geometry->scale;
  frame->x = LEFT;
  frame->width = tsr_draw_list_snap (geometry->width - RIGHT, frame->scale) - LEFT;
  frame->top = geometry->title != NULL ? TITLE_SIZE * 1.25 + 3 * MARGIN : 0;
  return frame->width >= 16 && geometry->height >= 8;
}

/* Device pixels that addresses [from, to) of a row take, at least one: [*a, *b). */
static void
get_pixels (
    TsrAddressMap *self, const Frame *frame, guint row, gint64 from, gint64 to, int *a, int *b)
{
  double first = (double)row * (double)self->row_bytes;
  double per = frame->width * frame->scale / (double)self->row_bytes;
  int n = (int)floor (frame->width * frame->scale + 0.5);

  *a = (int)CLAMP (floor (((double)from - first) * per + 0.5), 0, n - 1);
  *b = (int)CLAMP (floor (((double)to - first) * per + 0.5), *a + 1, n);
}

typedef void (*SegmentFunc) (TsrAddressMap *self,
                             const TsrAllocation *one,
                             guint row,
                             gint64 from,
                             gint64 to,
                             gpointer data);

/* The parts of an allocation, row by row. */
static void
foreach_segment (TsrAddressMap *self, const TsrAllocation *one, SegmentFunc func, gpointer data)
{
  for (gint64 r = row_of (self, one->from); r <= row_of (self, one->to - 1); r++)
    func (self, one, (guint)r, MAX (one->from, r * self->row_bytes),
          MIN (one->to, (r + 1) * self->row_bytes), data);
}

/* ------------------------------------------------------------------ raster */

typedef struct
{
  const Frame *frame;
  TsrDrawRaster *raster;
  TsrDrawList *list;
  const TsrTextMeasure *measure; /* of names */
  guint ink;
  int live;
} Painting;

static void
fill (TsrDrawRaster *raster, int x1, int y1, int x2, int y2, guint ink)
{
  x1 = MAX (x1, 0);
  y1 = MAX (y1, 0);
  x2 = MIN (x2, (int)raster->width);
  y2 = MIN (y2, (int)raster->height);
  for (int y = y1; x1 < x2 && y < y2; y++)
    memset (raster->inks + (gsize)y * raster->width + x1, (int)ink, x2 - x1);
}

static void
paint_segment (
    TsrAddressMap *self, const TsrAllocation *one, guint row, gint64 from, gint64 to, gpointer data)
{
  Painting *p = data;
  gboolean begins = from == one->from, ends = to == one->to;
  double top, height;
  int x1, x2, y1, y2;

  tsr_address_map_get_band (self, row, one, &top, &height);
  y1 = (int)floor (top * p->frame->scale + 0.5);
  y2 = (int)floor ((top + height) * p->frame->scale + 0.5) - 1;
  get_pixels (self, p->frame, row, from, to, &x1, &x2);
  if (p->live == 1)
    {
      fill (p->raster, x1, y1, x2, y2, p->ink);
      if (begins && x2 - x1 >= APART)
        fill (p->raster, x1, y1, x1 + 1, y2, TSR_RASTER_CLEAR);
      return;
    }
  /* Not live at the step, or not told: an outline, open where it goes on in another row. */
  fill (p->raster, x1, y1, x2, y2, TSR_RASTER_CLEAR);
  fill (p->raster, x1, y1, x2, y1 + 1, p->ink);
  fill (p->raster, x1, y2 - 1, x2, y2, p->ink);
  if (x2 - x1 < APART)
    return;
  if (begins)
    fill (p->raster, x1 + 1, y1, x1 + 2, y2, p->ink);
  if (ends)
    fill (p->raster, x2 - 1, y1, x2, y2, p->ink);
}

/* The smallest first: what is largest is on top in its lane. */
static void
paint_allocations (TsrAddressMap *self, Painting *p)
{
  for (guint i = 0; i < self->by_size->len; i++)
    {
      const TsrAllocation *one
          = tsr_address_map_get (self, g_array_index (self->by_size, guint, i));

      if (!tsr_address_map_is_shown (self, one->row))
        continue;
      p->live = tsr_address_map_is_live (self, one->row);
      p->ink = tsr_address_map_get_kind_ink (self, tsr_address_map_get_kind (self, one->row));
      foreach_segment (self, one, paint_segment, p);
    }
}

/* -------------------------------------------------------------------- rest */

static void
layout_rows (TsrAddressMap *self, const Frame *frame, TsrDrawList *list)
{
  double last = -G_MAXDOUBLE;

  for (guint i = 0; i < self->rows->len; i++)
    {
      const TsrAddressRow *row = get_row (self, i);
      gint64 from = i * self->row_bytes;
      gboolean beyond = self->capacity != TSR_UNKNOWN && from >= self->capacity;
      g_autofree char *text = NULL;
      const char *heading = get_heading (self, i);
      TsrDrawItem *item;

      if (heading != NULL)
        {
          double line = row->y - ROW_GAP - 1;

          if (i > 0)
            tsr_draw_list_rect (list, beyond ? TSR_INK_CAPACITY : TSR_INK_BOUNDARY, frame->x,
                                line + frame->top, frame->width, 1.5);
          item = tsr_draw_list_label (list, beyond ? TSR_INK_OVERFLOW : TSR_INK_DIM_TEXT, frame->x,
                                      line - 2 + frame->top, 0, 1, heading);
          item->font_size = LABEL_SIZE + 1;
          item->bold = TRUE;
          item->width = frame->width;
        }
      item = tsr_draw_list_rect (list, beyond ? TSR_INK_OVERFLOW_TINT : TSR_INK_GRID, frame->x,
                                 row->y + frame->top, frame->width, row->height);
      item->alpha = beyond ? 1 : 0.45f;
      if (row->y + row->height / 2 - last < LABEL_SIZE * 1.25)
        continue;
      last = row->y + row->height / 2;
      text = tsr_units_dup_tick (TSR_UNITS_BINARY, from, self->row_bytes);
      item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, frame->x - 8, last + frame->top, 1, 0.5,
                                  text);
      item->font_size = LABEL_SIZE;
    }
}

static void
layout_gaps (TsrAddressMap *self, const Frame *frame, TsrDrawList *list)
{
  guint n = 0;

  for (guint i = 0; i < self->gaps->len && n < MAX_HATCHES; i++)
    {
      const TsrGap *gap = &g_array_index (self->gaps, TsrGap, i);

      for (gint64 r = row_of (self, gap->from); r <= row_of (self, gap->to - 1); r++)
        {
          const TsrAddressRow *row = get_row (self, (guint)r);
          int a, b;

          get_pixels (self, frame, (guint)r, MAX (gap->from, r * self->row_bytes),
                      MIN (gap->to, (r + 1) * self->row_bytes), &a, &b);
          if (b - a < GAP_WIDTH * frame->scale || n++ >= MAX_HATCHES)
            continue;
          tsr_draw_list_hatch (list, TSR_INK_AXIS, frame->x + a / frame->scale, row->y + frame->top,
                               (b - a) / frame->scale, row->height)
              ->line_width
              = 1;
        }
    }
}

/* Where the region's border lies inside a row. */
static void
layout_border (TsrAddressMap *self, const Frame *frame, TsrDrawList *list)
{
  const TsrAddressRow *row;
  gint64 start = self->interleaved_start;
  int a, b;

  if (start <= 0 || start >= get_limit (self) || start % self->row_bytes == 0)
    return;
  row = get_row (self, (guint)row_of (self, start));
  get_pixels (self, frame, (guint)row_of (self, start), start, start + 1, &a, &b);
  tsr_draw_list_rect (list, TSR_INK_BOUNDARY, frame->x + a / frame->scale, row->y + frame->top - 1,
                      1.5, row->height + 2);
}

static void
name_segment (
    TsrAddressMap *self, const TsrAllocation *one, guint row, gint64 from, gint64 to, gpointer data)
{
  Painting *p = data;
  const TsrAddressRow *r = get_row (self, row);
  const TsrLoweredTables *t = self->lowered;
  const char *name = tsr_string_table_get (t->strings, t->name[one->row]);
  g_autofree char *valid = NULL, *shown = NULL;
  double x, width, text_width;
  int a, b;
  TsrDrawItem *item;

  get_pixels (self, p->frame, row, from, to, &a, &b);
  x = p->frame->x + a / p->frame->scale;
  width = (b - a) / p->frame->scale;
  if (name == NULL || width < NAME_WIDTH || r->lane_height < NAME_SIZE * 1.25)
    return;
  valid = g_utf8_make_valid (name, -1);
  shown = tsr_elide_dup_label (valid, NAME_SIZE, width - 14, p->measure);
  if (shown == NULL)
    return;
  p->measure->measure (p->measure->data, shown, NAME_SIZE, FALSE, &text_width, NULL);
  /* On ground of its own: any of the inks may be under it. */
  tsr_draw_list_rect (p->list, TSR_INK_BACKGROUND, x + 4, r->y + p->frame->top + 2,
                      MIN (width - 8, text_width + 6), r->lane_height - 5)
      ->alpha
      = 0.82f;
  item = tsr_draw_list_label (p->list, TSR_INK_TEXT, x + 7,
                              r->y + p->frame->top + (r->lane_height - 1) / 2, 0, 0.5, shown);
  item->font_size = NAME_SIZE;
  item->datum = one->row;
}

/* The largest ones have their names in them. */
static void
layout_names (TsrAddressMap *self, Painting *p)
{
  guint before = p->list->items->len;

  for (guint i = self->by_size->len; i-- > 0 && p->list->items->len - before < 2 * MAX_NAMES;)
    {
      const TsrAllocation *one
          = tsr_address_map_get (self, g_array_index (self->by_size, guint, i));

      if ((double)(one->to - one->from) / (double)self->row_bytes * p->frame->width < NAME_WIDTH)
        return;
      if (tsr_address_map_is_shown (self, one->row)
          && tsr_address_map_is_live (self, one->row) == 1)
        {
          gint64 r = row_of (self, one->from);

          /* Once: where it begins, or in its second row when there is hardly any of the first. */
          if (row_of (self, one->to - 1) > r
              && ((r + 1) * self->row_bytes - one->from) * 4 < self->row_bytes)
            r++;
          name_segment (self, one, (guint)r, MAX (one->from, r * self->row_bytes),
                        MIN (one->to, (r + 1) * self->row_bytes), p);
        }
    }
}

/* Members of TsrChartModelClass. */
static void
tsr_address_map_layout (TsrChartModel *model,
                        const TsrChartGeometry *geometry,
                        TsrDrawList *list,
                        TsrPlotArea *area)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  Frame frame;
  Painting p = { .frame = &frame, .list = list, .measure = &geometry->measure };
  TsrDrawItem *item;

  *area = (TsrPlotArea){ 0 };
  if (!get_frame (geometry, &frame) || self->tile == TSR_NO_INDEX)
    return;
  *area = (TsrPlotArea){ frame.x, frame.top, frame.width, self->height, 0, 1 };
  if (geometry->title != NULL)
    {
      item = tsr_draw_list_label (list, TSR_INK_TEXT, RIGHT, RIGHT, 0, 0, geometry->title);
      item->font_size = TITLE_SIZE;
      item->bold = TRUE;
      item->width = MAX (geometry->width - 2 * RIGHT, 1);
    }
  layout_rows (self, &frame, list);
  layout_gaps (self, &frame, list);
  p.raster
      = tsr_draw_list_raster (list, frame.x, frame.top, frame.width, self->height, frame.scale);
  paint_allocations (self, &p);
  layout_border (self, &frame, list);
  layout_names (self, &p);
}

/* ----------------------------------------------------------------- overlay */

static void
frame_segment (
    TsrAddressMap *self, const TsrAllocation *one, guint row, gint64 from, gint64 to, gpointer data)
{
  Painting *p = data;
  double x1, x2, y, height;
  int a, b;

  get_pixels (self, p->frame, row, from, to, &a, &b);
  tsr_address_map_get_band (self, row, one, &y, &height);
  y += p->frame->top;
  height -= 1 / p->frame->scale;
  x1 = p->frame->x + a / p->frame->scale;
  x2 = MAX (p->frame->x + b / p->frame->scale, x1 + 3);
  tsr_draw_list_rect (p->list, p->ink, x1 - 1, y - 1, x2 - x1 + 2, 2)->datum = one->row;
  tsr_draw_list_rect (p->list, p->ink, x1 - 1, y + height - 1, x2 - x1 + 2, 2)->datum = one->row;
  if (from == one->from)
    tsr_draw_list_rect (p->list, p->ink, x1 - 1, y - 1, 2, height + 2)->datum = one->row;
  if (to == one->to)
    tsr_draw_list_rect (p->list, p->ink, x2 - 1, y - 1, 2, height + 2)->datum = one->row;
}

static void
mark_row (TsrAddressMap *self, Painting *p, guint32 row, guint ink)
{
  p->ink = ink;
  for (guint i = 0; i < self->allocations->len; i++)
    if (tsr_address_map_get (self, i)->row == row)
      {
        foreach_segment (self, tsr_address_map_get (self, i), frame_segment, p);
        return;
      }
}

/* Allocations of the selected variables. */
static void
mark_selected (TsrAddressMap *self, Painting *p)
{
  const char *const *names = tsr_step_selection_peek_variables (self->selection);
  g_autoptr (GHashTable) selected = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      guint variable = tsr_variables_find (self->variables, names[i]);

      if (variable != TSR_NO_INDEX)
        g_hash_table_add (selected, GUINT_TO_POINTER (variable));
    }
  if (g_hash_table_size (selected) == 0)
    return;
  p->ink = TSR_INK_SELECTION;
  for (guint i = self->by_size->len; i-- > 0 && n < MAX_NAMES;)
    {
      const TsrAllocation *one
          = tsr_address_map_get (self, g_array_index (self->by_size, guint, i));
      guint variable = tsr_variables_of_lowered (self->variables, one->row);

      if (!g_hash_table_contains (selected, GUINT_TO_POINTER (variable)))
        continue;
      foreach_segment (self, one, frame_segment, p);
      n++;
    }
}

static void
tsr_address_map_layout_overlay (TsrChartModel *model,
                                const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                guint32 hover,
                                guint32 cursor,
                                TsrDrawList *list)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  Frame frame;
  Painting p = { .frame = &frame, .list = list };

  if (!get_frame (geometry, &frame) || self->tile == TSR_NO_INDEX)
    return;
  if (self->selection != NULL)
    mark_selected (self, &p);
  if (cursor != TSR_NO_DATUM)
    mark_row (self, &p, cursor, TSR_INK_TEXT);
  if (hover != TSR_NO_DATUM)
    mark_row (self, &p, hover, TSR_INK_HOVER);
}

/* -------------------------------------------------------------------- hits */

gboolean
tsr_address_map_get_place (TsrAddressMap *self,
                           const TsrChartGeometry *geometry,
                           guint32 row,
                           double *x,
                           double *y,
                           double *height)
{
  Frame frame;

  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self) && geometry != NULL, FALSE);
  if (!get_frame (geometry, &frame))
    return FALSE;
  for (guint i = 0; i < self->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (self, i);
      guint r;
      int a, b;

      if (one->row != row)
        continue;
      r = (guint)row_of (self, one->from);
      get_pixels (self, &frame, r, one->from, MIN (one->to, (r + 1) * self->row_bytes), &a, &b);
      tsr_address_map_get_band (self, r, one, y, height);
      *x = frame.x + a / frame.scale;
      *y += frame.top;
      return TRUE;
    }
  return FALSE;
}

guint32
tsr_address_map_row_at (
    TsrAddressMap *self, const TsrChartGeometry *geometry, double x, double y, gint64 *address)
{
  Frame frame;
  int column;

  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self) && geometry != NULL, TSR_NO_DATUM);
  if (address != NULL)
    *address = TSR_UNKNOWN;
  if (!get_frame (geometry, &frame) || x < frame.x || x >= frame.x + frame.width)
    return TSR_NO_DATUM;
  y -= frame.top;
  column = (int)floor ((x - frame.x) * frame.scale);
  for (guint r = 0; r < self->rows->len; r++)
    {
      const TsrAddressRow *row = get_row (self, r);
      guint lane;

      if (y < row->y || y >= row->y + row->height)
        continue;
      if (address != NULL)
        *address
            = r * self->row_bytes + (gint64)((x - frame.x) / frame.width * (double)self->row_bytes);
      if (row->n_lanes == 0)
        return TSR_NO_DATUM;
      lane = (guint)((y - row->y) / row->lane_height);
      if (lane >= row->n_lanes)
        lane = TSR_ADDRESS_STRIP;
      /* What is drawn last is on top. */
      for (guint i = self->by_size->len; i-- > 0;)
        {
          const TsrAllocation *one
              = tsr_address_map_get (self, g_array_index (self->by_size, guint, i));
          int a, b;

          if (one->lane != lane || one->to <= r * self->row_bytes
              || one->from >= (r + 1) * self->row_bytes
              || !tsr_address_map_is_shown (self, one->row))
            continue;
          get_pixels (self, &frame, r, MAX (one->from, r * self->row_bytes),
                      MIN (one->to, (r + 1) * self->row_bytes), &a, &b);
          if (column >= a && column < b)
            return one->row;
        }
      return TSR_NO_DATUM;
    }
  return TSR_NO_DATUM;
}

/* A tile has some thousand; a file that claims more gets this many, and the caption says so. */
#define MAX_ALLOCATIONS 500000
#define MAX_LIVES       3 /* intervals that a description names */

G_DEFINE_FINAL_TYPE (TsrAddressMap, tsr_address_map, TSR_TYPE_CHART_MODEL)

/* ------------------------------------------------------------------- kinds */

guint
tsr_address_map_get_kind (TsrAddressMap *self, guint32 row)
{
  if (self->colour == TSR_ADDRESS_BY_LIFE)
    return tsr_variables_get_life (self->variables,
                                   tsr_variables_of_lowered (self->variables, row));
  return self->lowered->category[row];
}

guint
tsr_address_map_get_kind_ink (TsrAddressMap *self, guint kind)
{
  static const guint lives[] = {
    [TSR_LIFE_ALWAYS] = TSR_INK_ALWAYS_LIVE,
    [TSR_LIFE_RESIDENT] = TSR_INK_RESIDENT,
    [TSR_LIFE_TEMPORARY] = TSR_INK_NOT_ALWAYS_LIVE,
    [TSR_LIFE_UNKNOWN] = TSR_INK_REST,
  };

  if (self->colour == TSR_ADDRESS_BY_LIFE)
    return kind < G_N_ELEMENTS (lives) ? lives[kind] : TSR_INK_REST;
  return tsr_palette_get_category_ink (kind < tsr_memory_get_n_categories (self->memory)
                                           ? tsr_memory_get_category_name (self->memory, kind)
                                           : NULL);
}

static const char *
get_kind_name (TsrAddressMap *self, guint kind)
{
  const char *life;

  if (self->colour == TSR_ADDRESS_BY_CATEGORY)
    return kind < tsr_memory_get_n_categories (self->memory)
               ? tsr_memory_get_category_label (self->memory, kind)
               : _ ("Category not recorded");
  life = tsr_life_get_name (kind);
  return life != NULL ? life : _ ("Life not recorded");
}

static gboolean
tsr_address_map_is_shown (TsrAddressMap *self, guint32 row)
{
  return !g_hash_table_contains (self->hidden,
                                 GUINT_TO_POINTER (tsr_address_map_get_kind (self, row)));
}

/* -------------------------------------------------------------------- life */

static gboolean
class_is_live (const TsrLoweredTables *t, guint32 index, guint step)
{
  gsize low = t->interval_start[index], high = t->interval_start[index + 1];

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (step < t->interval_from[middle])
        high = middle;
      else if (step >= t->interval_to[middle])
        low = middle + 1;
      else
        return TRUE;
    }
  return FALSE;
}

int
tsr_address_map_is_live (TsrAddressMap *self, guint32 row)
{
  const TsrLoweredTables *t = self->lowered;

  if (self->step == TSR_NO_INDEX || t->always_live[row] == 1)
    return 1;
  if (t->equivalence_class[row] == TSR_NO_INDEX)
    return -1;
  return class_is_live (t, t->equivalence_class[row], self->step);
}

/* ------------------------------------------------------------- allocations */

static int
compare_allocations (gconstpointer a, gconstpointer b)
{
  const TsrAllocation *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to > y->to ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int
compare_sizes (gconstpointer a, gconstpointer b, gpointer data)
{
  TsrAddressMap *self = data;
  guint i = *(const guint *)a, j = *(const guint *)b;
  const TsrAllocation *x = tsr_address_map_get (self, i), *y = tsr_address_map_get (self, j);

  if (x->to - x->from != y->to - y->from)
    return x->to - x->from < y->to - y->from ? -1 : 1;
  return (i < j) - (i > j);
}

static void
collect (TsrAddressMap *self)
{
  const TsrLoweredTables *t = self->lowered;

  g_array_set_size (self->allocations, 0);
  self->n_unplaced = 0;
  if (t == NULL || self->tile >= t->n_tiles)
    return;
  for (gsize i = t->tile_start[self->tile]; i < t->tile_start[self->tile + 1]; i++)
    {
      guint32 row = t->by_tile != NULL ? t->by_tile[i] : (guint32)i;
      TsrAllocation one = { .row = row };

      if (t->offset[row] == TSR_LOWERED_UNKNOWN || t->size[row] == TSR_LOWERED_UNKNOWN
          || self->allocations->len >= MAX_ALLOCATIONS)
        {
          self->n_unplaced++;
          continue;
        }
      one.from = t->offset[row];
      one.to = one.from + t->size[row];
      if (one.to > one.from)
        g_array_append_val (self->allocations, one);
    }
  g_array_sort (self->allocations, compare_allocations);
}

/* Each takes the first lane that is free at its address: as few lanes as overlaps ask for.  What is
 * live at one step does not overlap, so that a step needs one lane and the strip. */
static void
tsr_address_map_choose_lanes (TsrAddressMap *self)
{
  gint64 ends[TSR_ADDRESS_MAX_LANES] = { 0 };

  for (guint i = 0; i < self->allocations->len; i++)
    {
      TsrAllocation *one = &g_array_index (self->allocations, TsrAllocation, i);
      guint lane = 0;

      if (tsr_address_map_is_live (self, one->row) != 1)
        {
          one->lane = TSR_ADDRESS_STRIP;
          continue;
        }
      while (lane + 1 < TSR_ADDRESS_MAX_LANES && ends[lane] > one->from)
        lane++;
      one->lane = lane;
      ends[lane] = MAX (ends[lane], one->to);
    }
}

static void
find_gaps (TsrAddressMap *self)
{
  g_array_set_size (self->gaps, 0);
  self->used = 0;
  for (guint i = 0; i < self->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (self, i);

      if (one->from > self->used)
        {
          TsrGap gap = { self->used, one->from };

          g_array_append_val (self->gaps, gap);
        }
      self->used = MAX (self->used, one->to);
    }
}

static int
compare_kinds (gconstpointer a, gconstpointer b, gpointer data)
{
  guint x = tsr_address_map_get_kind_ink (data, *(const guint *)a);
  guint y = tsr_address_map_get_kind_ink (data, *(const guint *)b);

  return (x > y) - (x < y);
}

static void
list_series (TsrAddressMap *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_array_set_size (self->series, 0);
  for (guint i = 0; i < self->allocations->len; i++)
    {
      guint kind = tsr_address_map_get_kind (self, tsr_address_map_get (self, i)->row);

      if (g_hash_table_add (seen, GUINT_TO_POINTER (kind)))
        g_array_append_val (self->series, kind);
    }
  g_array_sort_with_data (self->series, compare_kinds, self);
}

static void
derive (TsrAddressMap *self)
{
  collect (self);
  tsr_address_map_choose_lanes (self);
  find_gaps (self);
  g_array_set_size (self->by_size, self->allocations->len);
  for (guint i = 0; i < self->allocations->len; i++)
    g_array_index (self->by_size, guint, i) = i;
  g_array_sort_with_data (self->by_size, compare_sizes, self);
  list_series (self);
  tsr_address_map_place (self);
}

guint32
tsr_address_map_step_from (TsrAddressMap *self, guint32 row, int by)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), TSR_NO_DATUM);
  if (self->allocations->len == 0)
    return TSR_NO_DATUM;
  for (guint i = 0; i < self->allocations->len; i++)
    if (tsr_address_map_get (self, i)->row == row)
      {
        gint64 to = CLAMP ((gint64)i + by, 0, (gint64)self->allocations->len - 1);

        return tsr_address_map_get (self, (guint)to)->row;
      }
  return tsr_address_map_get (self, 0)->row;
}

guint
tsr_address_map_get_n (TsrAddressMap *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), 0);
  return self->allocations->len;
}

gint64
tsr_address_map_get_gap_bytes (TsrAddressMap *self)
{
  gint64 sum = 0;

  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), 0);
  for (guint i = 0; i < self->gaps->len; i++)
    {
      const TsrGap *gap = &g_array_index (self->gaps, TsrGap, i);

      sum += gap->to - gap->from;
    }
  return sum;
}

guint
tsr_address_map_get_ink (TsrAddressMap *self, guint32 row)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_MAP (self), TSR_NO_DATUM);
  if (self->lowered == NULL || row >= self->lowered->n)
    return TSR_NO_DATUM;
  return tsr_address_map_get_kind_ink (self, tsr_address_map_get_kind (self, row));
}

/* ------------------------------------------------------------------- words */

static void
append_life (TsrAddressMap *self, GString *out, guint32 row)
{
  const TsrLoweredTables *t = self->lowered;
  guint32 index = t->equivalence_class[row];
  gsize first, n;

  if (t->always_live[row] == 1)
    {
      g_string_append_printf (out, "\n%s", _ ("Always live"));
      return;
    }
  if (index == TSR_NO_INDEX)
    {
      g_string_append_printf (out, "\n%s", _ ("Life not recorded"));
      return;
    }
  first = t->interval_start[index];
  n = t->interval_start[index + 1] - first;
  if (n == 0)
    g_string_append_printf (out, "\n%s", _ ("Never live"));
  for (gsize i = 0; i < MIN (n, MAX_LIVES); i++)
    {
      g_autofree char *from = tsr_units_dup_count (t->interval_from[first + i]);
      g_autofree char *to = tsr_units_dup_count (t->interval_to[first + i] - 1);

      g_string_append_printf (out, i == 0 ? _ ("\nLive at steps %s–%s") : ", %s–%s", from, to);
    }
  if (n > MAX_LIVES)
    {
      g_autofree char *more = tsr_units_dup_count ((gint64)(n - MAX_LIVES));

      g_string_append_printf (
          out, g_dngettext (GETTEXT_PACKAGE, " and %s more", " and %s more", n - MAX_LIVES), more);
    }
}

static char *
address_map_describe (TsrChartModel *model, guint32 row)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  const TsrLoweredTables *t = self->lowered;
  const char *name;
  g_autofree char *size = NULL, *offset = NULL;
  GString *out;
  guint16 category;

  if (t == NULL || row >= t->n)
    return NULL;
  name = tsr_string_table_get (t->strings, t->name[row]);
  out = g_string_new (name != NULL ? name : _ ("No name"));
  category = t->category[row];
  if (category < tsr_memory_get_n_categories (self->memory))
    g_string_append_printf (out, "\n%s", tsr_memory_get_category_label (self->memory, category));
  if (t->size[row] != TSR_LOWERED_UNKNOWN)
    {
      size = tsr_units_dup_bytes_exact (t->size[row]);
      g_string_append_printf (out, "\n%s", size);
    }
  if (t->offset[row] != TSR_LOWERED_UNKNOWN)
    {
      offset = tsr_units_dup_count (t->offset[row]);
      g_string_append_printf (out, _ ("\nAt address %s (0x%x)"), offset, t->offset[row]);
    }
  if (t->alignment[row] != 255)
    {
      g_autofree char *alignment
          = tsr_units_dup_bytes_exact (G_GINT64_CONSTANT (1) << MIN (t->alignment[row], 62));

      g_string_append_printf (out, _ ("\nAligned to %s"), alignment);
    }
  append_life (self, out, row);
  return g_string_free (out, FALSE);
}

static char *
address_map_dup_caption (TsrChartModel *model)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  g_autofree char *text = NULL, *step = NULL, *unplaced = NULL;

  if (self->tile == TSR_NO_INDEX)
    return g_strdup (_ ("Address map"));
  if (self->step != TSR_NO_INDEX)
    {
      step = tsr_units_dup_count (self->step);
      text = g_strdup_printf (_ ("Addresses of tile %u at step %s"), self->tile, step);
    }
  else
    text = g_strdup_printf (_ ("Addresses of tile %u"), self->tile);
  if (self->n_unplaced == 0)
    return g_steal_pointer (&text);
  unplaced = tsr_units_dup_count (self->n_unplaced);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s (%s allocation without address)",
                                       "%s (%s allocations without address)", self->n_unplaced),
                          text, unplaced);
}

static void
address_map_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  static const char *const names[] = { "name", "category", "offset", "bytes", "lane" };

  tsr_csv_append_row (out, G_N_ELEMENTS (names), names);
  for (guint i = 0; i < self->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (self, i);
      const char *name
          = tsr_string_table_get (self->lowered->strings, self->lowered->name[one->row]);
      guint16 category = self->lowered->category[one->row];
      g_autofree char *address = g_strdup_printf ("%" G_GINT64_FORMAT, one->from);
      g_autofree char *bytes = g_strdup_printf ("%" G_GINT64_FORMAT, one->to - one->from);
      g_autofree char *lane
          = one->lane != TSR_ADDRESS_STRIP ? g_strdup_printf ("%u", one->lane) : g_strdup ("");
      const char *fields[] = { name != NULL ? name : "",
                               category < tsr_memory_get_n_categories (self->memory)
                                   ? tsr_memory_get_category_name (self->memory, category)
                                   : "",
                               address, bytes, lane };

      tsr_csv_append_row (out, G_N_ELEMENTS (fields), fields);
    }
}

/* ------------------------------------------------------------- chart model */

/* Data lie in rows, not along an axis: the domain is the addresses. */
static void
address_map_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);

  *from = 0;
  *to = MAX (MAX (self->used, self->capacity), 1);
  *min_span = *to;
}

static guint32
address_map_datum_at (TsrChartModel *model, double x)
{
  return TSR_NO_DATUM;
}

static double
address_map_position_of (TsrChartModel *model, guint32 datum)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);

  return self->lowered != NULL && datum < self->lowered->n ? self->lowered->offset[datum] : 0;
}

static void
address_map_layout_overview (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             TsrDrawList *list)
{
}

static guint
address_map_get_n_series (TsrChartModel *model)
{
  return TSR_ADDRESS_MAP (model)->series->len;
}

static void
address_map_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  guint kind;

  g_return_if_fail (i < self->series->len);
  kind = g_array_index (self->series, guint, i);
  *out = (TsrChartSeries){
    .name = get_kind_name (self, kind),
    .ink = tsr_address_map_get_kind_ink (self, kind),
    .filled = TRUE,
    .visible = !g_hash_table_contains (self->hidden, GUINT_TO_POINTER (kind)),
  };
}

static void
address_map_set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  gpointer kind;

  g_return_if_fail (i < self->series->len);
  kind = GUINT_TO_POINTER (g_array_index (self->series, guint, i));
  if (!g_hash_table_contains (self->hidden, kind) == !!visible)
    return;
  if (visible)
    g_hash_table_remove (self->hidden, kind);
  else
    g_hash_table_add (self->hidden, kind);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

static TsrChartModel *
address_map_dup (TsrChartModel *model)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  TsrAddressMap *copy = tsr_address_map_new (self->liveness, NULL);
  GHashTableIter iter;
  gpointer kind;

  copy->step = self->step;
  copy->colour = self->colour;
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &kind, NULL))
    g_hash_table_add (copy->hidden, kind);
  tsr_address_map_set_tile (copy, self->tile);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_address_map_finalize (GObject *object)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (object);

  g_array_unref (self->allocations);
  g_array_unref (self->by_size);
  g_array_unref (self->gaps);
  g_array_unref (self->series);
  g_array_unref (self->rows);
  g_hash_table_unref (self->hidden);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_address_map_parent_class)->finalize (object);
}

static void
tsr_address_map_class_init (TsrAddressMapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->finalize = tsr_address_map_finalize;
  model_class->get_domain = address_map_get_domain;
  model_class->layout = tsr_address_map_layout;
  model_class->layout_overlay = tsr_address_map_layout_overlay;
  model_class->layout_overview = address_map_layout_overview;
  model_class->datum_at = address_map_datum_at;
  model_class->position_of = address_map_position_of;
  model_class->describe = address_map_describe;
  model_class->dup_caption = address_map_dup_caption;
  model_class->get_n_series = address_map_get_n_series;
  model_class->get_series = address_map_get_series;
  model_class->set_series_visible = address_map_set_series_visible;
  model_class->write_csv = address_map_write_csv;
  model_class->dup = address_map_dup;
}

static void
tsr_address_map_init (TsrAddressMap *self)
{
  self->tile = self->step = TSR_NO_INDEX;
  self->allocations = g_array_new (FALSE, FALSE, sizeof (TsrAllocation));
  self->by_size = g_array_new (FALSE, FALSE, sizeof (guint));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (TsrGap));
  self->series = g_array_new (FALSE, FALSE, sizeof (guint));
  self->rows = g_array_new (FALSE, TRUE, sizeof (TsrAddressRow));
  self->hidden = g_hash_table_new (NULL, NULL);
}

TsrAddressMap *
tsr_address_map_new (TsrLiveness *liveness, TsrStepSelection *selection)
{
  TsrAddressMap *self;
  const TsrSummary *summary;

  g_return_val_if_fail (liveness != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_STEP_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_ADDRESS_MAP, NULL);
  self->liveness = tsr_liveness_ref (liveness);
  self->variables = tsr_liveness_get_variables (liveness);
  self->memory = tsr_liveness_get_memory (liveness);
  self->lowered = tsr_liveness_has_lowered (liveness)
                      ? tsr_report_get_lowered_tables (tsr_liveness_get_report (liveness))
                      : NULL;
  summary = tsr_report_get_summary (tsr_liveness_get_report (liveness));
  self->capacity = tsr_memory_get_capacity (self->memory);
  self->interleaved_start = summary != NULL ? summary->target.interleaved_start : TSR_UNKNOWN;
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_object (selection, "variables-changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
    }
  derive (self);
  return self;
}

void
tsr_address_map_set_tile (TsrAddressMap *self, guint tile)
{
  g_return_if_fail (TSR_IS_ADDRESS_MAP (self));
  if (self->tile == tile)
    return;
  self->tile = tile;
  derive (self);
  tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_address_map_set_step (TsrAddressMap *self, guint step)
{
  double height;

  g_return_if_fail (TSR_IS_ADDRESS_MAP (self));
  if (self->step == step)
    return;
  self->step = step;
  height = self->height;
  tsr_address_map_choose_lanes (self);
  tsr_address_map_place (self);
  if (self->height != height)
    tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_address_map_set_colour (TsrAddressMap *self, TsrAddressColour colour)
{
  g_return_if_fail (TSR_IS_ADDRESS_MAP (self));
  if (self->colour == colour)
    return;
  self->colour = colour;
  g_hash_table_remove_all (self->hidden);
  list_series (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}
