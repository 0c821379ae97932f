/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart as a flat array of rectangles, lines, labels and rasters in logical pixels, computed from
 * data and viewport without any toolkit.  The same array is painted on screen and on paper,
 * hit-tested, read out and compared in tests. Colours are inks (roles), so that a change of theme
 * needs no new layout. */

#pragma once

#include "tsr-palette.h"
#include "tsr-raster.h"

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_ITEM_RECT,
  TSR_ITEM_HATCH,    /* a rectangle of diagonal lines */
  TSR_ITEM_LINE,     /* from (x, y) to (x + width, y + height) */
  TSR_ITEM_POLYLINE, /* points[first .. first + n) */
  TSR_ITEM_LABEL,
  TSR_ITEM_RASTER,
} TsrItemKind;

#define TSR_NO_DATUM (G_MAXUINT32)

/* Logical pixels: a label's size unless its maker says otherwise; distance of the 45 degree lines
 * of a hatch along x, the same from whichever edge they are cut (lines x + y = k * spacing). */
#define TSR_FONT_SIZE     12.0
#define TSR_HATCH_SPACING 6.0

typedef struct
{
  guint8 kind;
  guint8 bold; /* labels */
  guint16 ink;
  float alpha;               /* 0..1, of the ink */
  float x, y, width, height; /* POLYLINE: bounds of its points, kept by tsr_draw_list_point */
  float line_width;          /* LINE, POLYLINE, HATCH */
  float dash;                /* length of dashes and gaps; 0: solid */
  float xalign,
      yalign; /* LABEL: which point of the text stands at (x, y); width > 0: ellipsised to it */
  float font_size; /* LABEL, logical pixels */
  guint32 datum;   /* tile, step ... or TSR_NO_DATUM */
  guint32 series;  /* or TSR_NO_DATUM */
  guint32 first,
      n; /* POLYLINE: into points; LABEL: byte offset into texts; RASTER: index into rasters */
} TsrDrawItem;

typedef struct
{
  float x, y;
} TsrDrawPoint;

typedef struct
{
  GArray *items;      /* TsrDrawItem, painted in this order */
  GArray *points;     /* TsrDrawPoint */
  GString *texts;     /* NUL-terminated, one after the other */
  GPtrArray *rasters; /* TsrDrawRaster */
} TsrDrawList;

/* The nearest edge of a device pixel, and the middle of a line @pixels device pixels wide that
 * covers whole ones. */
static inline double
tsr_draw_list_snap (double x, double scale)
{
  return floor (x * scale + 0.5) / scale;
}

static inline double
tsr_draw_list_snap_line (double x, int pixels, double scale)
{
  return (floor (x * scale + 0.5) + (pixels % 2 != 0 ? 0.5 : 0)) / scale;
}

TsrDrawList *tsr_draw_list_new (void);
void tsr_draw_list_free (TsrDrawList *self);
void tsr_draw_list_reset (TsrDrawList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrDrawList, tsr_draw_list_free)

/* Each returns the item so that the caller may set the rest; valid until the next call. */
TsrDrawItem *
tsr_draw_list_rect (TsrDrawList *self, guint ink, double x, double y, double width, double height);
TsrDrawItem *
tsr_draw_list_hatch (TsrDrawList *self, guint ink, double x, double y, double width, double height);
TsrDrawItem *
tsr_draw_list_line (TsrDrawList *self, guint ink, double x1, double y1, double x2, double y2);
TsrDrawItem *tsr_draw_list_label (TsrDrawList *self,
                                  guint ink,
                                  double x,
                                  double y,
                                  double xalign,
                                  double yalign,
                                  const char *text);
/* Points are appended with tsr_draw_list_point until another item begins. */
TsrDrawItem *tsr_draw_list_polyline (TsrDrawList *self, guint ink);
void tsr_draw_list_point (TsrDrawList *self, double x, double y);
/* Takes a raster of width x height device pixels, all clear; fill it through the pointer. */
TsrDrawRaster *tsr_draw_list_raster (
    TsrDrawList *self, double x, double y, double width, double height, double scale);
/* The same, to be filled with layers of columns (tsr_draw_raster_add_layer). */
TsrDrawRaster *tsr_draw_list_columns (
    TsrDrawList *self, double x, double y, double width, double height, double scale);
/* One that is made already.  @raster: (transfer full) */
void tsr_draw_list_take_raster (
    TsrDrawList *self, TsrDrawRaster *raster, double x, double y, double width, double height);

const char *tsr_draw_list_get_text (const TsrDrawList *self, const TsrDrawItem *item);
/* (transfer full): one line an item, for golden files and bug reports. */
char *tsr_draw_list_dup_text (const TsrDrawList *self);

G_END_DECLS
