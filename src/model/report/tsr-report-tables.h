/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The larger immutable parts of a report: programs and vertices, liveness steps and variables,
 * lowered variables.  Structures of arrays.  References to rows of other tables are indices, never
 * ids; TSR_NO_INDEX if there is no such row (with a diagnostic if the file has an id).  Numbers
 * that the file does not have are TSR_UNKNOWN. Sealed by the loader, shared without locks
 * afterwards. */

#pragma once

#include "tsr-string-table.h"
#include "tsr-units.h"

G_BEGIN_DECLS

#ifndef TSR_NO_INDEX
#  define TSR_NO_INDEX (G_MAXUINT32)
#endif

/* Numbers for each tile are in tile_arrays of profile.pop and are read on demand
 * (tsr_profile_read_tile_array, with the thread's own connection).  This has the id of such an
 * array, and what the table says about it without its data. */
typedef struct
{
  gint64 id;             /* TSR_UNKNOWN: none */
  gint64 total, maximum; /* bytes, cycles, count ...; TSR_UNKNOWN */
} TsrTileArrayRef;

typedef struct
{
  TsrStringTable *strings; /* of all names and types below */

  guint n_programs; /* in id order */
  gint64 *program_id;
  guint32 *program_name; /* into strings */
  guint32 *program_type; /* into strings; as in the file: an open list */
  guint32 *program_compute_set;
  guint32 *program_callee; /* a program */
  gint64 *program_repeat_count;
  gint64 *program_debug_id;
  guint32 *program_stream_copy_kind; /* into strings */
  gboolean has_structure; /* FALSE: children, vertices and roots below are NULL, as they were not
                             asked for */
  TsrTileArrayRef *program_code, *program_control_code, *program_estimated_cycles, *program_data_in,
      *program_data_out;
  guint32 *child_start; /* n_programs + 1 */
  guint32 *child;       /* programs, in position order */

  guint n_compute_sets; /* in order of compute_sets.compute_set */
  gint64 *compute_set_id;
  guint32 *compute_set_name;
  TsrTileArrayRef *compute_set_estimated_cycles;

  guint n_vertex_types;
  gint64 *vertex_type_id;
  guint32 *vertex_type_name;
  gint64 *vertex_type_size;    /* bytes of state of one instance */
  guint32 *vertex_type_source; /* into strings: cpp, asm */
  TsrTileArrayRef *vertex_type_code;

  /* compute_set_vertices: entries vertex_start[c] .. vertex_start[c + 1] - 1 are compute set c's */
  guint32 *vertex_start; /* n_compute_sets + 1 */
  guint32 *vertex_type;
  gint64 *vertex_count; /* instances over all tiles */
  TsrTileArrayRef *vertex_count_by_tile;
  gint64 *vertex_flops, *vertex_estimated_cycles, *vertex_measured_cycles;

  guint n_roots;      /* program_roots in (compilation step, kind, position) order */
  guint32 *root_step; /* into compilation_step_id; TSR_NO_INDEX without that table */
  guint32 *root_kind; /* into strings: control, function */
  guint32 *root_program;
  guint n_compilation_steps;
  gint64 *compilation_step_id;
  guint32 *compilation_step_name;
} TsrProgramTables;

/* Estimated cycles of @program on each tile: they stand with its compute set, if it has one. */
static inline const TsrTileArrayRef *
tsr_program_tables_get_estimate (const TsrProgramTables *self, guint32 program)
{
  const guint32 set = self->program_compute_set[program];

  return set != TSR_NO_INDEX ? &self->compute_set_estimated_cycles[set]
                             : &self->program_estimated_cycles[program];
}

/* Variables as the program wrote them, with the pseudo-variables of always-live categories and one
 * for each compiler-made temporary (libpva: Variable), and where they are live. */
typedef struct
{
  TsrStringTable *strings;

  guint n_steps; /* liveness steps 0 .. n_steps - 1; a gap in the numbering is a step with unknown
                    numbers */
  guint32 *step_program; /* index into TsrProgramTables.program_id, which is sorted the same way */
  gint64 *step_program_id; /* as in the file, or TSR_UNKNOWN */
  gint64 *step_bytes;      /* not always live, over all tiles of a replica */
  guint n_ipus;            /* 0 without liveness_by_ipu */
  gint64 *step_ipu_bytes;  /* [ipu * n_steps + step] */

  guint n_variables; /* in id order */
  gint64 *variable_id;
  guint32 *variable_name;
  gint64 *variable_size;                           /* bytes over all tiles of a replica */
  guint8 *variable_always_live;                    /* 0, 1, or 255 if unknown */
  gint64 *variable_category_id;                    /* var_categories.id, or TSR_UNKNOWN */
  guint32 *variable_element_type, *variable_shape; /* into strings */
  gint64 *variable_debug_id;
  gint64 *variable_ipu_bytes; /* (nullable) [ipu * n_variables + variable], from variables_by_ipu;
                                 n_variable_ipus */
  guint n_variable_ipus;

  /* variable_lifetimes: entries lifetime_start[v] .. lifetime_start[v + 1] - 1 are variable v's:
   * [from, to), clipped to the steps, in order of from. */
  guint32 *lifetime_start; /* n_variables + 1 */
  guint32 *lifetime_from, *lifetime_to;
  gint64 *lifetime_bytes; /* over all tiles */
} TsrLivenessTables;

#define TSR_LOWERED_UNKNOWN (G_MAXUINT32) /* size, offset */
#define TSR_NO_CATEGORY     (G_MAXUINT16)

/* Allocations on single tiles ("lowered variables"; libpva: LoweredVariable), in file order (id),
 * at most 36 bytes each.  In files of our writers the rows of a tile are adjacent; tile_start and
 * by_tile work for any order. */
typedef struct
{
  gsize n;
  guint n_tiles;
  gint64 first_id;            /* ids are first_id + row when id is NULL */
  gint64 *id;                 /* (nullable) */
  guint32 *tile;              /* TSR_NO_INDEX: out of range or unknown */
  guint32 *size;              /* bytes; TSR_LOWERED_UNKNOWN */
  guint32 *offset;            /* bytes; TSR_LOWERED_UNKNOWN */
  guint32 *name;              /* into strings */
  guint32 *variable;          /* into TsrLivenessTables' variables; TSR_NO_INDEX */
  guint32 *equivalence_class; /* index of a class; TSR_NO_INDEX if always live or unknown */
  guint16 *category;          /* into the memory stage's TsrCategoryRows; TSR_NO_CATEGORY */
  guint8 *always_live;        /* 0, 1; 255: unknown */
  guint8 *alignment;          /* log2 of bytes; 255: unknown */
  TsrStringTable *strings;

  /* Rows of tile t: by_tile[tile_start[t]] .. by_tile[tile_start[t + 1] - 1], in file order;
   * by_tile is NULL if they are adjacent; then the rows are tile_start[t] .. tile_start[t + 1] - 1.
   */
  gsize *tile_start; /* n_tiles + 1 */
  guint32 *by_tile;

  /* Intervals of class c: interval_start[c] .. interval_start[c + 1] - 1, clipped to the steps,
   * merged, in order: no two touch. */
  guint n_classes;
  gint64 *class_id;                     /* equivalence_class as in the file, ascending */
  gsize *interval_start;                /* n_classes + 1 */
  guint32 *interval_from, *interval_to; /* half-open, liveness steps */
} TsrLoweredTables;

G_END_DECLS
