/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address map as a draw list: one raster of all allocations, so that a tile with very many
 * costs no more than pixels.  Where several share a pixel it shows the largest that is live. */

#include "config.h"

#include "tsr-address-map-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

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

void
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
  frame->scale = geometry->scale > 0 ? geometry->scale : 1;
  frame->x = LEFT;
  frame->width = tsr_snap (geometry->width - RIGHT, frame->scale) - LEFT;
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

/* The smallest first, the live ones last: what is largest and live is on top. */
static void
paint_allocations (TsrAddressMap *self, Painting *p)
{
  for (int live = 0; live < 2; live++)
    for (guint i = 0; i < self->by_size->len; i++)
      {
        const TsrAllocation *one
            = tsr_address_map_get (self, g_array_index (self->by_size, guint, i));

        if (!tsr_address_map_is_shown (self, one->row))
          continue;
        p->live = tsr_address_map_is_live (self, one->row);
        if ((p->live == 1) != (live == 1))
          continue;
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
  double x, width;
  int a, b;
  TsrDrawItem *item;

  get_pixels (self, p->frame, row, from, to, &a, &b);
  x = p->frame->x + a / p->frame->scale;
  width = (b - a) / p->frame->scale;
  if (name == NULL || width < NAME_WIDTH || r->lane_height < NAME_SIZE * 1.25)
    return;
  /* On ground of its own: any of the inks may be under it. */
  tsr_draw_list_rect (p->list, TSR_INK_BACKGROUND, x + 4, r->y + p->frame->top + 2,
                      MIN (width - 8, g_utf8_strlen (name, -1) * NAME_SIZE * 0.62 + 6),
                      r->lane_height - 5)
      ->alpha
      = 0.82f;
  item = tsr_draw_list_label (p->list, TSR_INK_TEXT, x + 7,
                              r->y + p->frame->top + (r->lane_height - 1) / 2, 0, 0.5, name);
  item->font_size = NAME_SIZE;
  item->width = width - 14;
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

void
tsr_address_map_layout (TsrChartModel *model,
                        const TsrChartGeometry *geometry,
                        TsrDrawList *list,
                        TsrPlotArea *area)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  Frame frame;
  Painting p = { &frame, NULL, list, 0, 0 };
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

void
tsr_address_map_layout_overlay (TsrChartModel *model,
                                const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                guint32 hover,
                                guint32 cursor,
                                TsrDrawList *list)
{
  TsrAddressMap *self = TSR_ADDRESS_MAP (model);
  Frame frame;
  Painting p = { &frame, NULL, list, 0, 0 };

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
      for (int live = 1; live >= 0; live--)
        for (guint i = self->by_size->len; i-- > 0;)
          {
            const TsrAllocation *one
                = tsr_address_map_get (self, g_array_index (self->by_size, guint, i));
            int a, b;

            if (one->lane != lane || one->to <= r * self->row_bytes
                || one->from >= (r + 1) * self->row_bytes
                || !tsr_address_map_is_shown (self, one->row)
                || (tsr_address_map_is_live (self, one->row) == 1) != (live == 1))
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
