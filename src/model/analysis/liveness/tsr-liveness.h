/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory live at each liveness step, of a source: all tiles of a replica, one IPU, or some tiles
 * (libpva: livenessProgramSteps).  Formulas: docs/formulas.md#liveness.  Immutable after
 * _new, shared by reference between threads; what takes long takes a cancellable.  A byte count
 * that the file does not tell makes what contains it TSR_UNKNOWN. */

#pragma once

#include "tsr-memory.h"
#include "tsr-variables.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_LIVENESS_ALL,
  TSR_LIVENESS_IPU,
  TSR_LIVENESS_TILES,
} TsrLivenessSourceKind;

/* A value; tiles are ascending, each once. */
typedef struct
{
  TsrLivenessSourceKind kind;
  guint ipu;
  guint *tiles;
  guint n_tiles;
} TsrLivenessSource;
void tsr_liveness_source_clear (TsrLivenessSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrLivenessSource, tsr_liveness_source_clear)
void tsr_liveness_source_copy (const TsrLivenessSource *source, TsrLivenessSource *copy);
gboolean tsr_liveness_source_equal (const TsrLivenessSource *a, const TsrLivenessSource *b);
/* "all", "ipu1" alone, "tile5", and lists as in tsr_memory_parse_tiles ("0,5,10-20,top5").
 * TSR_ERROR_ARGUMENT with the word that is off. */
gboolean tsr_liveness_source_parse (TsrMemory *memory,
                                    const char *text,
                                    TsrLivenessSource *source,
                                    GError **error);
/* (transfer full): a short text that _parse takes ("all", "ipu1", "tile5", "0,5,10-20"); and one
 * for people ("All tiles", "IPU 1", "Tile 5", "12 tiles"). */
char *tsr_liveness_source_dup_text (const TsrLivenessSource *source);
char *tsr_liveness_source_dup_label (const TsrLivenessSource *source);

/* Steps that are looked at side by side: selected in a window, columns of one table. */
#define TSR_MAX_SELECTED_STEPS 6

typedef struct _TsrLiveness TsrLiveness;

/* The liveness stage of the report must be ready, the lowered one ended. @variables of the same
 * report. */
TsrLiveness *tsr_liveness_new (TsrReport *report, TsrMemory *memory, TsrVariables *variables);
TsrLiveness *tsr_liveness_ref (TsrLiveness *self);
void tsr_liveness_unref (TsrLiveness *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrLiveness, tsr_liveness_unref)

TsrReport *tsr_liveness_get_report (TsrLiveness *self);
TsrMemory *tsr_liveness_get_memory (TsrLiveness *self);
TsrVariables *tsr_liveness_get_variables (TsrLiveness *self);
guint tsr_liveness_get_n_steps (TsrLiveness *self);
/* (transfer none) (nullable): name of the program of @step; its type; index into the program tables
 * or TSR_NO_INDEX. */
const char *tsr_liveness_get_step_name (TsrLiveness *self, guint step);
const char *tsr_liveness_get_step_type (TsrLiveness *self, guint step);
guint tsr_liveness_get_step_program (TsrLiveness *self, guint step);
gboolean tsr_liveness_has_lowered (TsrLiveness *self);
/* Whether the report has what @source needs: IPUs without liveness_by_ipu and tiles need lowered
 * variables.  *why (transfer full) (optional): table and engine option that are missing. */
gboolean tsr_liveness_can_show (TsrLiveness *self, const TsrLivenessSource *source, char **why);

/* The source on which Liveness opens: the worst tile (w of docs/insights.md#memory) when the report
 * does not fit and lowered variables are there, else all tiles. */
void tsr_liveness_get_default_source (TsrLiveness *self, TsrLivenessSource *source);

/* (transfer full) (nullable) (element-type TsrLifetime): tsr_variables_dup_lifetimes on @source. */
GArray *
tsr_liveness_dup_lifetimes (TsrLiveness *self, const TsrLivenessSource *source, guint variable);

/* One source over all steps. */
typedef struct
{
  guint n_steps;
  gint64 *not_always_live; /* by step, bytes */
  gint64 always_live;      /* bytes, at every step */
  gint64 capacity;         /* bytes of the source's tiles; TSR_UNKNOWN */
  guint peak_step;         /* first step with the most; TSR_NO_INDEX without any, and when the bytes
                              of any step are not known */
  gint64 peak_bytes;       /* always_live + the peak step's */
} TsrLivenessSeries;
/* (transfer full): @n_steps steps of which nothing is known yet. */
TsrLivenessSeries *tsr_liveness_series_new (guint n_steps);
TsrLivenessSeries *tsr_liveness_series_ref (TsrLivenessSeries *self);
void tsr_liveness_series_unref (TsrLivenessSeries *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrLivenessSeries, tsr_liveness_series_unref)

/* (transfer full): NULL and @error when cancelled or TSR_ERROR_MISSING_PART. O(rows of the tiles x
 * their intervals + steps).  For all tiles liveness_steps decides where it tells the bytes, for an
 * IPU liveness_by_ipu; else, and for tiles, the lowered variables. */
TsrLivenessSeries *tsr_liveness_compute (TsrLiveness *self,
                                         const TsrLivenessSource *source,
                                         GCancellable *cancellable,
                                         GError **error);

/* Peaks of every tile: bytes not always live at its own first fullest step.  (transfer none) arrays
 * of n_tiles values, the tiles of the memory; FALSE as above.  Without lowered variables what
 * memory_by_tile tells.  Computed once and kept; another thread that asks meanwhile waits. */
gboolean tsr_liveness_get_tile_peaks (TsrLiveness *self,
                                      const gint64 **bytes,
                                      const guint32 **step,
                                      GCancellable *cancellable,
                                      GError **error);
/* (transfer full): not-always-live bytes of every tile at @step, n_tiles values. */
gint64 *tsr_liveness_dup_tiles_at (TsrLiveness *self,
                                   guint step,
                                   GCancellable *cancellable,
                                   GError **error);
/* (transfer full): likewise of one category of the memory, or one variable, with what is always
 * live. */
gint64 *tsr_liveness_dup_category_at (
    TsrLiveness *self, guint category, guint step, GCancellable *cancellable, GError **error);
gint64 *tsr_liveness_dup_variable_at (
    TsrLiveness *self, guint variable, guint step, GCancellable *cancellable, GError **error);
/* (transfer full): what every tile holds at its own peak (as _get_tile_peaks), always live or not,
 * by category: [category * n_tiles + tile] for the categories of the memory and, behind them, what
 * names none.  All of a tile is TSR_UNKNOWN where its peak is; else its categories add up to what
 * is always live and the peak's bytes.  O(rows x log of their intervals). */
gint64 *
tsr_liveness_dup_categories_at_peaks (TsrLiveness *self, GCancellable *cancellable, GError **error);
/* A variable's part of something. */
typedef struct
{
  guint32 variable;
  gint64 bytes;
} TsrVariableBytes;

/* (transfer full) (element-type TsrVariableBytes): what is always live on @source, summed by
 * variable, largest first, ties by name. */
GArray *tsr_liveness_list_always_live (TsrLiveness *self,
                                       const TsrLivenessSource *source,
                                       GCancellable *cancellable,
                                       GError **error);
/* Likewise: not always live, and live at @step. */
GArray *tsr_liveness_list_at (TsrLiveness *self,
                              const TsrLivenessSource *source,
                              guint step,
                              GCancellable *cancellable,
                              GError **error);
/* Likewise: live at @step, and not any more at some step before or at @end (dies in (step, end]);
 * bytes are those at @step that are gone. */
GArray *tsr_liveness_list_dying (TsrLiveness *self,
                                 const TsrLivenessSource *source,
                                 guint step,
                                 guint end,
                                 GCancellable *cancellable,
                                 GError **error);

/* (transfer full) (element-type TsrLifetime): not-always-live bytes of @variables (each once)
 * together, in order; where there are none is no entry.  At each step the sum of their bytes in
 * _list_at.  NULL and @error as above. */
GArray *tsr_liveness_dup_sum_of (TsrLiveness *self,
                                 const TsrLivenessSource *source,
                                 const guint32 *variables,
                                 guint n_variables,
                                 GCancellable *cancellable,
                                 GError **error);

/* Bytes of several steps side by side: row r is variable variables[r], bytes[r * n_steps + k] at
 * steps[k], ordered by the largest of them, ties by name. */
typedef struct
{
  guint n_steps, n_rows;
  guint32 *variables;
  gint64 *bytes;
  gint64 *totals; /* by step */
} TsrLivenessTable;
void tsr_liveness_table_free (TsrLivenessTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrLivenessTable, tsr_liveness_table_free)
TsrLivenessTable *tsr_liveness_compare_steps (TsrLiveness *self,
                                              const TsrLivenessSource *source,
                                              const guint *steps,
                                              guint n_steps,
                                              GCancellable *cancellable,
                                              GError **error);

/* A local maximum: between it and any higher one, or an earlier one as high, the graph falls by at
 * least 2 % of the highest peak (prominence).  [from, to) are the steps around it that hold more
 * than its bytes less that: none of them holds more than it. */
typedef struct
{
  guint32 step, from, to;
  gint64 bytes; /* not always live */
  guint n;      /* peaks that it stands for, itself included: 1 until they are folded */
} TsrPeak;
/* (transfer full) (element-type TsrPeak): at most @most, highest first, ties to the first step. */
GArray *tsr_liveness_find_peaks (const TsrLivenessSeries *series, guint most);
/* As above, but at most @most programs: the peaks of one program are its highest, with their
 * number.  What has no program stands for itself. */
GArray *
tsr_liveness_find_peak_programs (TsrLiveness *self, const TsrLivenessSeries *series, guint most);

G_END_DECLS
