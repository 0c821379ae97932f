/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The array behind a chart.  Items are appended and never moved; texts, points and rasters stand in
 * pools of their own, so that a reset keeps the memory for the next frame. */

#include "config.h"

#include "tsr-draw-list.h"

#include <string.h>

TsrDrawList *
tsr_draw_list_new (void)
{
  TsrDrawList *self = g_new0 (TsrDrawList, 1);

  self->items = g_array_new (FALSE, TRUE, sizeof (TsrDrawItem));
  self->points = g_array_new (FALSE, FALSE, sizeof (TsrDrawPoint));
  self->texts = g_string_new (NULL);
  self->rasters = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_draw_raster_unref);
  return self;
}

void
tsr_draw_list_free (TsrDrawList *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_array_unref (self->points);
  g_string_free (self->texts, TRUE);
  g_ptr_array_unref (self->rasters);
  g_free (self);
}

void
tsr_draw_list_reset (TsrDrawList *self)
{
  g_array_set_size (self->items, 0);
  g_array_set_size (self->points, 0);
  g_string_truncate (self->texts, 0);
  g_ptr_array_set_size (self->rasters, 0);
}

static TsrDrawItem *
append (
    TsrDrawList *self, TsrItemKind kind, guint ink, double x, double y, double width, double height)
{
  TsrDrawItem *item;

  g_array_set_size (self->items, self->items->len + 1);
  item = &g_array_index (self->items, TsrDrawItem, self->items->len - 1);
  memset (item, 0, sizeof *item);
  item->kind = kind;
  item->ink = ink;
  item->alpha = 1;
  item->x = x;
  item->y = y;
  item->width = width;
  item->height = height;
  item->line_width = 1;
  item->font_size = TSR_FONT_SIZE;
  item->datum = TSR_NO_DATUM;
  item->series = TSR_NO_DATUM;
  return item;
}

TsrDrawItem *
tsr_draw_list_rect (TsrDrawList *self, guint ink, double x, double y, double width, double height)
{
  return append (self, TSR_ITEM_RECT, ink, x, y, width, height);
}

TsrDrawItem *
tsr_draw_list_hatch (TsrDrawList *self, guint ink, double x, double y, double width, double height)
{
  return append (self, TSR_ITEM_HATCH, ink, x, y, width, height);
}

TsrDrawItem *
tsr_draw_list_line (TsrDrawList *self, guint ink, double x1, double y1, double x2, double y2)
{
  return append (self, TSR_ITEM_LINE, ink, x1, y1, x2 - x1, y2 - y1);
}

TsrDrawItem *
tsr_draw_list_label (TsrDrawList *self,
                     guint ink,
                     double x,
                     double y,
                     double xalign,
                     double yalign,
                     const char *text)
{
  TsrDrawItem *item = append (self, TSR_ITEM_LABEL, ink, x, y, 0, 0);

  item->xalign = xalign;
  item->yalign = yalign;
  item->first = self->texts->len;
  item->n = strlen (text);
  g_string_append_len (self->texts, text, item->n + 1);
  /* A label is a line, whatever the name in the report is. */
  for (char *at = self->texts->str + item->first; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  return item;
}

TsrDrawItem *
tsr_draw_list_polyline (TsrDrawList *self, guint ink)
{
  TsrDrawItem *item = append (self, TSR_ITEM_POLYLINE, ink, 0, 0, 0, 0);

  item->first = self->points->len;
  return item;
}

void
tsr_draw_list_point (TsrDrawList *self, double x, double y)
{
  TsrDrawPoint point = { x, y };
  TsrDrawItem *item;
  float right;
  float bottom;

  g_return_if_fail (self->items->len > 0);
  item = &g_array_index (self->items, TsrDrawItem, self->items->len - 1);
  g_return_if_fail (item->kind == TSR_ITEM_POLYLINE);

  g_array_append_val (self->points, point);
  if (item->n++ == 0)
    {
      item->x = point.x;
      item->y = point.y;
      return;
    }
  right = MAX (item->x + item->width, point.x);
  bottom = MAX (item->y + item->height, point.y);
  item->x = MIN (item->x, point.x);
  item->y = MIN (item->y, point.y);
  item->width = right - item->x;
  item->height = bottom - item->y;
}

void
tsr_draw_list_take_raster (
    TsrDrawList *self, TsrDrawRaster *raster, double x, double y, double width, double height)
{
  TsrDrawItem *item = append (self, TSR_ITEM_RASTER, TSR_INK_BACKGROUND, x, y, width, height);

  item->first = self->rasters->len;
  g_ptr_array_add (self->rasters, raster);
}

TsrDrawRaster *
tsr_draw_list_raster (
    TsrDrawList *self, double x, double y, double width, double height, double scale)
{
  TsrDrawRaster *raster = tsr_draw_raster_new (width * scale, height * scale, FALSE);

  tsr_draw_list_take_raster (self, raster, x, y, width, height);
  return raster;
}

TsrDrawRaster *
tsr_draw_list_columns (
    TsrDrawList *self, double x, double y, double width, double height, double scale)
{
  TsrDrawRaster *raster = tsr_draw_raster_new (width * scale, height * scale, TRUE);

  tsr_draw_list_take_raster (self, raster, x, y, width, height);
  return raster;
}

const char *
tsr_draw_list_get_text (const TsrDrawList *self, const TsrDrawItem *item)
{
  g_return_val_if_fail (self != NULL && item != NULL && item->kind == TSR_ITEM_LABEL, "");
  return self->texts->str + item->first;
}

/* ------------------------------------------------------------- text form */

/* At most two decimals, no trailing zeros, "." whatever the locale: goldens are about layout, not
 * about the last bit of a float. */
static void
append_number (GString *out, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char *end;

  g_ascii_formatd (buffer, sizeof buffer, "%.2f", number);
  end = buffer + strlen (buffer);
  while (end[-1] == '0')
    *--end = '\0';
  if (end[-1] == '.')
    *--end = '\0';
  g_string_append (out, strcmp (buffer, "-0") == 0 ? "0" : buffer);
}

static void
append_numbers (GString *out, guint n, const double *numbers)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_c (out, ' ');
      append_number (out, numbers[i]);
    }
}

/* Rows of runs: "3xtotal 2x." */
static void
append_raster (GString *out, const TsrDrawRaster *raster)
{
  g_autofree guint32 *inks = g_new (guint32, MAX ((gsize)raster->width * raster->height, 1));
  guint32 numbers[256];
  char buffer[32];

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = i;
  tsr_draw_raster_paint (raster, numbers, inks, raster->width);
  g_string_append_printf (out, " %ux%u", raster->width, raster->height);
  for (guint y = 0; y < raster->height; y++)
    {
      const guint32 *row = inks + (gsize)y * raster->width;

      if (y > 0 && memcmp (row, row - raster->width, raster->width * sizeof *row) == 0)
        continue; /* the same row again */
      g_string_append_printf (out, "\n  row %u:", y);
      for (guint x = 0; x < raster->width;)
        {
          guint end = x + 1;

          while (end < raster->width && row[end] == row[x])
            end++;
          g_string_append_printf (out, " %ux%s", end - x,
                                  row[x] == TSR_RASTER_CLEAR
                                      ? "."
                                      : tsr_palette_get_nick (row[x], buffer, sizeof buffer));
          x = end;
        }
    }
}

static void
append_item (const TsrDrawList *self, const TsrDrawItem *item, GString *out)
{
  static const char *const kinds[] = { "rect", "hatch", "line", "polyline", "label", "raster" };
  char buffer[32];

  g_string_append_printf (out, "%s %s", kinds[item->kind],
                          tsr_palette_get_nick (item->ink, buffer, sizeof buffer));
  if (item->kind == TSR_ITEM_LINE)
    append_numbers (out, 4,
                    (double[]){ item->x, item->y, item->x + item->width, item->y + item->height });
  else if (item->kind == TSR_ITEM_POLYLINE)
    for (guint i = 0; i < item->n; i++)
      {
        const TsrDrawPoint *point = &g_array_index (self->points, TsrDrawPoint, item->first + i);

        append_numbers (out, 2, (double[]){ point->x, point->y });
      }
  else if (item->kind == TSR_ITEM_LABEL)
    {
      append_numbers (out, 2, (double[]){ item->x, item->y });
      g_string_append (out, " align");
      append_numbers (out, 2, (double[]){ item->xalign, item->yalign });
      g_string_append_printf (out, "%s \"%s\"", item->bold ? " bold" : "",
                              tsr_draw_list_get_text (self, item));
    }
  else
    append_numbers (out, 4, (double[]){ item->x, item->y, item->width, item->height });
  if (item->alpha != 1)
    {
      g_string_append (out, " alpha");
      append_numbers (out, 1, (double[]){ item->alpha });
    }
  if (item->dash != 0)
    {
      g_string_append (out, " dash");
      append_numbers (out, 1, (double[]){ item->dash });
    }
  if (item->datum != TSR_NO_DATUM)
    g_string_append_printf (out, " datum %u", item->datum);
  if (item->series != TSR_NO_DATUM)
    g_string_append_printf (out, " series %u", item->series);
  if (item->kind == TSR_ITEM_RASTER)
    append_raster (out, g_ptr_array_index (self->rasters, item->first));
  g_string_append_c (out, '\n');
}

char *
tsr_draw_list_dup_text (const TsrDrawList *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->items->len; i++)
    append_item (self, &g_array_index (self->items, TsrDrawItem, i), out);
  return g_string_free (out, FALSE);
}
