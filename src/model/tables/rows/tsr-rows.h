/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table or a tree of up to millions of rows without a toolkit: typed columns over somebody's
 * arrays, and a permutation of the rows that pass a filter, in an order.  What lists/ shows row by
 * row, what is copied and exported.  Cells are made when they are asked for; sorting and filtering
 * run in a worker and never block the main thread: tsr_rows_arrange works on an immutable TsrRows
 * and gives a TsrRowOrder that the main thread puts in place. */

#pragma once

#include "tsr-memory.h"
#include "tsr-units.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_VALUE_BYTES,
  TSR_VALUE_BYTES_SIGNED, /* a difference */
  TSR_VALUE_COUNT,
  TSR_VALUE_FRACTION, /* shown as percent */
  TSR_VALUE_INDEX,    /* what names something, as a tile or an id: without separators */
  TSR_VALUE_STEP,     /* liveness steps: with separators, and never added up */
  TSR_VALUE_GIGA,     /* bytes or operations a second, shown in units of 10^9 */
} TsrValueKind;

/* (transfer full): one number as it is shown; of a fraction (0..1) only @fraction counts.  What is
 * unknown is a dash. */
char *tsr_value_dup_text (TsrValueKind kind, gint64 value, double fraction, TsrUnits units);

typedef enum
{
  TSR_CELL_KIND_TEXT,
  TSR_CELL_KIND_VALUE, /* a number: TsrValueKind says how it is shown */
} TsrCellKind;

/* A cell that the view also draws, if it knows how. */
typedef enum
{
  TSR_CELL_NOT_PAINTED,
  TSR_CELL_BAR,     /* a share, which stands on a bar as long as it: every column of fractions */
  TSR_CELL_PAINTED, /* in place of the text, which is its tooltip */
} TsrCellPaint;

typedef struct
{
  const char *key; /* stable word: CSV heading, remembered sort (nullable: only printed as text) */
  char *title; /* translated, with the unit where it is not in the cells (nullable: not shown) */
  char *definition; /* (nullable) tooltip of the heading */
  TsrCellKind cell;
  TsrValueKind kind;
  TsrCellPaint paint;
  gboolean json;     /* its texts are JSON already: a list, a number with a point */
  gboolean filtered; /* the filter looks at this text */
  gboolean wide;     /* takes what width is left, in place of the first text */
  gboolean pinned;   /* hidden only last when there is no room */
  gboolean summed;   /* the total row adds it up: at first TRUE for bytes and counts */
  gboolean leaves;   /* of a tree: what stands above others is their sum, and is not added up */
  gint64 whole;      /* what the total row says of all rows where they do not add up; TSR_UNKNOWN */
  char *total;       /* (nullable) of the first text: what the total row says instead of "Total" */
  char *total_hint;  /* (nullable) its tooltip */
} TsrRowColumn;

/* How a table gets its cells.  @data lives as long as the rows.  Called from any thread, for rows
 * below n_rows, by the million: both are look-ups.  A text is UTF-8 and lives as long as @data; two
 * texts at one address are the same text. */
typedef struct
{
  const char *(*text) (gpointer data, guint32 row, guint column); /* (transfer none) (nullable) */
  gint64 (*value) (gpointer data,
                   guint32 row,
                   guint column); /* TSR_UNKNOWN; a fraction as parts in 10^9 */
} TsrRowSource;

typedef struct _TsrRows TsrRows;

/* Takes @columns (element-type TsrRowColumn, free function set) and @data. */
TsrRows *tsr_rows_new (guint32 n_rows,
                       GPtrArray *columns,
                       const TsrRowSource *source,
                       gpointer data,
                       GDestroyNotify free_data);
TsrRowColumn *
tsr_row_column_new (const char *key, const char *title, TsrCellKind cell, TsrValueKind kind);
void tsr_row_column_free (TsrRowColumn *column);
TsrRows *tsr_rows_ref (TsrRows *self);
void tsr_rows_unref (TsrRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRows, tsr_rows_unref)

/* What a source may say of its rows beyond their cells; each (nullable), and like TsrRowSource. */
typedef struct
{
  char *(*dup_key) (gpointer data, guint32 row); /* (transfer full): stable, unique in the table */
  gboolean (*is_heading) (gpointer data, guint32 row);    /* a group without numbers of its own */
  const char *(*definition) (gpointer data, guint32 row); /* (nullable): what the row means */
  /* The kind of one cell, where it is not its column's; such a cell is in no CSV column's unit. */
  TsrValueKind (*kind) (gpointer data, guint32 row, guint column);
  char *(*dup_whole) (gpointer data, guint32 row); /* (transfer full) (nullable): see below */
  /* (nullable): stands behind the pinned text on the screen, as of a row whose children are
   * elsewhere. */
  const char *(*suffix) (gpointer data, guint32 row);
} TsrRowTraits;

/* These before the rows are shared.  @traits is copied. */
void tsr_rows_set_traits (TsrRows *self, const TsrRowTraits *traits);
/* Makes it a tree.  Takes @parents: the row above each row, which comes before it, or TSR_NO_INDEX;
 * rows stand in depth-first order. */
void tsr_rows_set_parents (TsrRows *self, guint32 *parents);

/* @row is what is left of all others and stands before them (of a tree, before its siblings),
 * whatever they are sorted by. */
void tsr_rows_set_rest (TsrRows *self, guint32 row);
guint32 tsr_rows_get_rest (TsrRows *self); /* TSR_NO_INDEX: there is none */

gboolean tsr_rows_is_tree (TsrRows *self);
guint32 tsr_rows_get_parent (TsrRows *self, guint32 row); /* TSR_NO_INDEX at the top */
guint32 tsr_rows_get_depth (TsrRows *self, guint32 row);  /* 0 at the top */
/* The first row behind @row and all below it. */
guint32 tsr_rows_get_end (TsrRows *self, guint32 row);
/* (transfer full) (nullable): see TsrRowTraits. */
char *tsr_rows_dup_key (TsrRows *self, guint32 row);
gboolean tsr_rows_is_heading (TsrRows *self, guint32 row);
const char *tsr_rows_get_definition (TsrRows *self, guint32 row);
const char *tsr_rows_get_suffix (TsrRows *self, guint32 row);
/* (transfer full): the row and all below it as text, "name: value" with two spaces more for each
 * level; what is known of it, without an end of line. */
char *tsr_rows_dup_whole (TsrRows *self, guint32 row);

guint32 tsr_rows_get_n (TsrRows *self);
guint32 tsr_rows_get_n_groups (TsrRows *self); /* those of a tree with others below them */
guint tsr_rows_get_n_columns (TsrRows *self);
const TsrRowColumn *tsr_rows_get_column (TsrRows *self, guint column);
/* -1: no column has the key @key (nullable). */
int tsr_rows_find_column (TsrRows *self, const char *key);
gint64 tsr_rows_get_value (TsrRows *self, guint32 row, guint column);
/* In the column with that key; TSR_UNKNOWN where there is none. */
gint64 tsr_rows_get_value_of (TsrRows *self, guint32 row, const char *key);
const char *tsr_rows_get_text (TsrRows *self, guint32 row, guint column);
/* 0..1: how long the bar of a cell is; 0 where it is no fraction, unknown or of a heading. */
double tsr_rows_get_share (TsrRows *self, guint32 row, guint column);
/* (transfer full): as shown; exact (tooltip). */
char *tsr_rows_dup_text (TsrRows *self, guint32 row, guint column, TsrUnits units);
char *tsr_rows_dup_exact (TsrRows *self, guint32 row, guint column);
/* (transfer full): @value as if it stood in @column: a total. */
char *tsr_rows_format (TsrRows *self, guint column, gint64 value, TsrUnits units);
char *tsr_rows_format_exact (TsrRows *self, guint column, gint64 value);

/* A filter: words are substrings that must all be there, "-word" must not, quotes
 * keep spaces together, "/.../" is a regular expression; each without case unless it has a capital
 * letter.  Empty without @text (nullable).  NULL and TSR_ERROR_ARGUMENT (the place in the text)
 * when an expression is off. */
typedef struct _TsrFilter TsrFilter;
TsrFilter *tsr_filter_new (const char *text, GError **error);
/* (transfer full): a filter that @name passes, as one word. */
char *tsr_filter_dup_name (const char *name);
TsrFilter *tsr_filter_ref (TsrFilter *self);
void tsr_filter_unref (TsrFilter *self);
gboolean tsr_filter_is_empty (TsrFilter *self);
gboolean tsr_filter_match (TsrFilter *self,
                           const char *text); /* NULL text matches only an empty filter */
/* The same over several texts of one row: a word may stand in any of them, "-word" in none. */
gboolean tsr_filter_match_texts (TsrFilter *self, guint n, const char *const *texts);
gboolean tsr_filter_has_expression (TsrFilter *self); /* may be slow */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrFilter, tsr_filter_unref)

/* Rows that pass, in their order.  Ties keep row order; unknown values stand last in both
 * directions.  Of a tree also the rows above those that pass; siblings are in order, and a row
 * stands right behind its parent or what is below its elder siblings. */
typedef struct
{
  guint32 n;
  guint32 *rows;
  guint32 n_passing; /* without those that only stand above others */
  guint32 n_groups;  /* of a tree: those of @rows that stand above others in the table */
  guint32 *ends;     /* of a tree, by position: the first one behind it and all below it */
  guint32 *places;   /* of a tree, by row: its position, or TSR_NO_INDEX */
  int sort_column;
  gboolean descending;
  TsrFilter *filter; /* (nullable) */
  gint64 *totals;    /* by column, over the rows that pass; TSR_UNKNOWN for what is not summed (of
                        all rows: the column's whole), and where any value is unknown or the sum
                        does not fit */
} TsrRowOrder;
/* @rows as they are, in that order and without totals: what is selected, for CSV. */
TsrRowOrder *tsr_row_order_new (const guint32 *rows, guint32 n);
TsrRowOrder *tsr_row_order_ref (TsrRowOrder *order);
void tsr_row_order_unref (TsrRowOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRowOrder, tsr_row_order_unref)

/* Any thread.  @sort_column -1: row order; texts by the bytes of their case folding.  @filter
 * (nullable).  NULL and @error when cancelled or when there is no memory for it. */
TsrRowOrder *tsr_rows_arrange (TsrRows *self,
                               int sort_column,
                               gboolean descending,
                               TsrFilter *filter,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
