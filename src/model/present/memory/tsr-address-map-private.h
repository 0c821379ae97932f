/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrAddressMap, for its tests: allocations, and where they lie. */

#pragma once

#include "tsr-address-map.h"

G_BEGIN_DECLS

/* Overlapping allocations beyond this many share the last lane; the largest live one is seen. */
#define TSR_ADDRESS_MAX_LANES 16
/* Lane of what is not live at the step that is shown: a strip under the lanes of the row. */
#define TSR_ADDRESS_STRIP G_MAXUINT32

typedef struct
{
  guint32 row; /* of TsrLoweredTables */
  guint32 lane;
  gint64 from, to; /* addresses */
} TsrAllocation;

typedef struct
{
  gint64 from, to; /* addresses */
} TsrGap;

/* A row of the map: TSR_ADDRESS_ROW bytes, more when a tile has very much memory. */
typedef struct
{
  guint n_lanes; /* 0: nothing in it */
  double y, height, lane_height;
  double strip;   /* height of the strip, 0 without one */
  double heading; /* pixels over it for the name of a region; 0 */
} TsrAddressRow;

struct _TsrAddressMap
{
  TsrChartModel parent_instance;

  TsrLiveness *liveness;
  TsrVariables *variables;
  TsrMemory *memory;
  const TsrLoweredTables *lowered; /* (nullable) */
  TsrStepSelection *selection;     /* (nullable) */
  guint tile;                      /* TSR_NO_INDEX */
  guint step;                      /* TSR_NO_INDEX */
  TsrAddressColour colour;
  gint64 capacity, interleaved_start; /* TSR_UNKNOWN */

  GArray *allocations; /* TsrAllocation, by address */
  GArray *by_size;     /* guint: indexes of allocations, smallest first */
  GArray *gaps;        /* TsrGap, by address */
  guint n_unplaced;    /* of this tile, without address or size */
  gint64 used;         /* highest used address */
  GArray *series;      /* guint: categories or lives that occur, by ink */
  GHashTable *hidden;  /* of these */

  gint64 row_bytes;
  GArray *rows; /* TsrAddressRow */
  double height;
};

#define TSR_ADDRESS_ROW 16384

static inline const TsrAllocation *
tsr_address_map_get (TsrAddressMap *self, guint i)
{
  return &g_array_index (self->allocations, TsrAllocation, i);
}

/* Category or life of a row of the tables, its ink, whether its series is shown. */
guint tsr_address_map_get_kind (TsrAddressMap *self, guint32 row);
guint tsr_address_map_get_kind_ink (TsrAddressMap *self, guint kind);
/* 1 live at the step that is shown (or none is), 0 not, -1 not told. */
int tsr_address_map_is_live (TsrAddressMap *self, guint32 row);

/* Top and height of an allocation in a row. */
void tsr_address_map_get_band (
    TsrAddressMap *self, guint row, const TsrAllocation *one, double *y, double *height);

G_END_DECLS
