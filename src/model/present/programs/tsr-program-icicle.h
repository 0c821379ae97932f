/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The icicle: the tree of programs with a row for each level and, as wide as what it takes with all
 * below it, a cell for each place of a program.  What several programs call is shared out among
 * them (tsr_programs_get_part), so cells of a row never stand over each other, and the top is as
 * wide as everything.  What a program takes by itself is the end of its cell without anything
 * below.
 *
 * Nothing is expanded that no pixel shows: children are found by halving in sums over the edges,
 * and where several share a pixel the widest stands there.  A datum is a cell; it stays the same
 * until the width, the root or the programs change.  The x axis is what the width is (cycles,
 * bytes) from the left of the top. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-program-code.h"

G_BEGIN_DECLS

#define TSR_TYPE_PROGRAM_ICICLE (tsr_program_icicle_get_type ())
G_DECLARE_FINAL_TYPE (TsrProgramIcicle, tsr_program_icicle, TSR, PROGRAM_ICICLE, TsrChartModel)

typedef enum
{
  TSR_ICICLE_CYCLES, /* measured, over the recorded runs */
  TSR_ICICLE_CODE,   /* bytes on the worst tile; a vertex type's in equal parts for its programs */
  TSR_ICICLE_LIVE,   /* not-always-live bytes at each program's liveness step, added up */
  TSR_N_ICICLE_WIDTHS
} TsrIcicleWidth;
const char *tsr_icicle_width_get_nick (TsrIcicleWidth width); /* "cycles" */
const char *tsr_icicle_width_get_name (TsrIcicleWidth width); /* translated */
gboolean tsr_icicle_width_parse (const char *nick, TsrIcicleWidth *width);

/* @code (nullable): without it there is no width by code. */
TsrProgramIcicle *tsr_program_icicle_new (TsrPrograms *programs, TsrProgramCode *code);
void tsr_program_icicle_set_width (TsrProgramIcicle *self, TsrIcicleWidth width);
/* Whether anything has that width. */
gboolean tsr_program_icicle_has_width (TsrProgramIcicle *self, TsrIcicleWidth width);
/* The tree of @program; TSR_NO_INDEX: of all roots of the compilation step @step (TSR_NO_INDEX: the
 * latest). */
void tsr_program_icicle_set_root (TsrProgramIcicle *self, guint32 step, guint32 program);
void tsr_program_icicle_set_units (TsrProgramIcicle *self, TsrUnits units);

/* Highlights cells of programs whose byte in @marks is not 0; @marks (nullable) has one for each
 * program and is copied. */
void tsr_program_icicle_set_marks (TsrProgramIcicle *self, const guint8 *marks);

/* The cell that fills the width, with the one above it over it; TSR_NO_DATUM: the top.  Changes the
 * domain. */
void tsr_program_icicle_set_focus (TsrProgramIcicle *self, guint32 cell);
guint32 tsr_program_icicle_get_focus (TsrProgramIcicle *self);

/* The cell at a point of the geometry, TSR_NO_DATUM where none is; where several share a device
 * pixel the one that is drawn. */
guint32 tsr_program_icicle_cell_at (TsrProgramIcicle *self,
                                    const TsrChartGeometry *geometry,
                                    double x,
                                    double y);
/* Rectangle of @cell in logical pixels, also outside the plot; FALSE when it stands above what is
 * shown. */
gboolean tsr_program_icicle_get_cell (TsrProgramIcicle *self,
                                      const TsrChartGeometry *geometry,
                                      guint32 cell,
                                      double *x,
                                      double *y,
                                      double *width,
                                      double *height);
/* The program of a cell, TSR_NO_INDEX for the top of several roots; the cell above it, TSR_NO_DATUM
 * for the top; the edge by which it stands there. */
guint32 tsr_program_icicle_get_program (TsrProgramIcicle *self, guint32 cell);
guint32 tsr_program_icicle_get_parent (TsrProgramIcicle *self, guint32 cell);
/* The next cell to the left (-1) or right (1) below the same one, or above (dy -1), or the widest
 * below (dy 1); itself where there is none. */
guint32 tsr_program_icicle_neighbour (TsrProgramIcicle *self, guint32 cell, int dx, int dy);
/* The cell of a place of @program, TSR_NO_DATUM when it has no width. */
guint32 tsr_program_icicle_find (TsrProgramIcicle *self, guint32 program);

G_END_DECLS
