/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads steps and steps_by_ipu of profile.pop, ten million rows, into narrow columns, with two
 * threads.  Ids of other tables become indices into what the caller has read of them.  Rows keep
 * the order of the file; sorting and interpreting them is up to the report. */

#pragma once

#include "tsr-id-index.h"
#include "tsr-narrow.h"
#include "tsr-profile.h"

G_BEGIN_DECLS

/* What the columns of steps refer to.  Each index may be empty. */
typedef struct
{
  TsrIdIndex programs, compute_sets;
  TsrIdIndex runs; /* of fewer than G_MAXUINT16 */
  TsrIdIndex tile_sets;
  guint max_types;    /* the last one stands for all further ones; at most 256 */
  guint rows_for_two; /* fewer rowids are read by one thread; 0: what pays */
} TsrStepKeys;

typedef struct
{
  gsize n;
  gint64 first_row;     /* rowids are first_row + row; TSR_NO_ROW if they are not consecutive */
  gint64 *id;           /* TSR_UNKNOWN: the row cannot be used */
  guint8 *type;         /* into types */
  guint32 *program;     /* place in keys->programs; TSR_NO_INDEX */
  guint32 *compute_set; /* place in keys->compute_sets; TSR_NO_INDEX */
  guint32 *tile_cycles; /* the set that keys->tile_sets has; TSR_NO_INDEX */
  guint16 *run;         /* place in keys->runs; G_MAXUINT16 */
  GPtrArray
      *types; /* of GBytes, as in the file; NULL: unknown, or one of those that are too many */
} TsrStepRows;
void tsr_step_rows_clear (TsrStepRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrStepRows, tsr_step_rows_clear)

/* Scans steps.  Without a table or its ids the result is empty. */
gboolean tsr_profile_scan_steps (TsrProfile *self,
                                 const TsrStepKeys *keys,
                                 TsrStepRows *rows,
                                 TsrProgress *progress,
                                 GError **error);

/* What has been read of slices so far, in columns of equal time. */
typedef struct
{
  guint n_ipus, n_columns;
  gint64 from, to;
  guint8 *type;   /* [ipu * n_columns + column]: type of the longest step there; 0xff: none */
  gint64 *length; /* its cycles */
} TsrSlicePicture;
/* Called while a preview is drawn, by either thread, but never by both at once. */
typedef void (*TsrSlicePictureFunc) (const TsrSlicePicture *picture, gpointer data);

#define TSR_MAX_IPUS                                                                               \
  G_MAXUINT16 /* over all replicas; a POD of 1,024 is the largest that there is */

typedef struct
{
  TsrIdIndex steps;
  guint n_ipus;         /* IPUs are below this: at most TSR_MAX_IPUS */
  gint64 tiles_per_ipu; /* upper limit for active tiles; 0: unknown */
  guint rows_for_two;   /* fewer rowids are read by one thread; 0: what pays */

  const guint8 *step_type;  /* by place in steps: for the picture */
  TsrSlicePictureFunc show; /* (nullable) */
  gpointer data;
  guint n_picture_ipus;    /* the preview contains IPUs below this */
  gint64 picture_interval; /* microseconds between two previews */
} TsrSliceKeys;

/* start = cycles_base + active_cycles_from_max where that is recorded, else +
 * active_cycles_from_min; end = cycles_base + active_cycles_to_max.  Both are TSR_UNKNOWN if one of
 * them is unknown or not in 0 .. 2^53, or if they are reversed. */
typedef struct
{
  gsize n;
  gint64 first_row; /* rowids are first_row + row; TSR_NO_ROW when they do not count on */
  gboolean has_ipu, has_from_max;
  gboolean by_step; /* no rowids: a row is named by its step's id */
  guint32 *step;    /* place in keys->steps; TSR_NO_INDEX: the row cannot be used */
  guint16 *ipu;     /* invalid without has_ipu */
  gint64 *start, *end;
  TsrNarrow lead_in; /* from_max - from_min */
  TsrNarrow cycles, active_tiles, data_in, data_out;
  float *tile_balance, *active_tile_balance; /* 0..1 or NaN */
} TsrSliceRows;
void tsr_slice_rows_clear (TsrSliceRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrSliceRows, tsr_slice_rows_clear)

/* Scans steps_by_ipu.  Without a table or its step_id the result is empty. */
gboolean tsr_profile_scan_slices (TsrProfile *self,
                                  const TsrSliceKeys *keys,
                                  TsrSliceRows *rows,
                                  TsrProgress *progress,
                                  GError **error);

G_END_DECLS
