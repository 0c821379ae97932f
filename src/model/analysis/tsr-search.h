/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Anything of a report by its name: variables, vertex types, compute sets, programs, contexts of
 * the debug information, tiles, IPUs, views.  Immutable, shared by reference between threads; holds
 * on to what it looks through. */

#pragma once

#include "tsr-memory.h"
#include "tsr-variables.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_FOUND_VIEW,
  TSR_FOUND_TILE,
  TSR_FOUND_IPU,
  TSR_FOUND_VARIABLE,
  TSR_FOUND_VERTEX_TYPE,
  TSR_FOUND_COMPUTE_SET,
  TSR_FOUND_PROGRAM,
  TSR_FOUND_CONTEXT,
  TSR_N_FOUND_KINDS,
} TsrFoundKind;

/* How a name matches, best first. */
typedef enum
{
  TSR_MATCH_EXACT,
  TSR_MATCH_PREFIX,
  TSR_MATCH_WORD, /* at the start of a word of the name */
  TSR_MATCH_INSIDE,
} TsrMatch;

typedef struct
{
  TsrFoundKind kind;
  guint32 index;    /* view, tile, IPU, entry of TsrVariables, row of a table of programs or of the
                       debug tables */
  guint32 step;     /* of a program: its first liveness step; else TSR_NO_INDEX */
  const char *name; /* lives as long as the search; NULL for tiles and IPUs */
  gint64 bytes; /* memory of a tile or IPU (the fullness metric), of a variable, code of a vertex
                   type or program; TSR_UNKNOWN */
  TsrMatch match;
  const char *layer; /* of a context: the file's word, (nullable); else NULL */
} TsrFound;

typedef struct _TsrSearch TsrSearch;

/* Each but @report (nullable): what is not there yet is not found.  @views: those that can be
 * shown, as bits (1 << TsrView); what no view of these shows is not found: tiles and code are in
 * Memory, programs and contexts in the Program Tree, programs of liveness steps in Liveness too,
 * variables in either.  Contexts are found when the debug information has been read. */
TsrSearch *
tsr_search_new (TsrReport *report, TsrMemory *memory, TsrVariables *variables, guint views);
TsrSearch *tsr_search_ref (TsrSearch *self);
void tsr_search_unref (TsrSearch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSearch, tsr_search_unref)

/* The best ones so far, best first: by match, then by bytes.  In the thread of tsr_search_run. */
typedef void (*TsrSearchFunc) (gpointer data, const TsrFound *found, guint n_found);

/* Looks for names with all the words of @text, without case; "1806" and "tile 1806" are tile 1806,
 * "ipu 1" is IPU 1.  Programs of one name are found once, as the one with most code,
 * contexts of one name and layer once, as the first.  Calls @func
 * every few milliseconds while there is something new, and once at the end, with at most @most.
 * FALSE and @error when cancelled; then there is no last call. */
gboolean tsr_search_run (TsrSearch *self,
                         const char *text,
                         guint most,
                         TsrSearchFunc func,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error);

/* How a program comes from a context, nearest first. */
typedef enum
{
  TSR_CARRIES_BELOW, /* it carries the context itself or one that was made from it */
  TSR_CARRIES_ABOVE, /* it carries one that the context was made from, and none carries less */
  TSR_CARRIES_NONE,  /* there is no such program */
} TsrCarries;

/* The first program of the table of programs whose context is nearest to the context @row:
 * downwards where there is one, else upwards.  *program is its row in the table of programs,
 * *context the one that it carries; both TSR_NO_INDEX for TSR_CARRIES_NONE.  One pass over the
 * programs and contexts; any thread. */
TsrCarries
tsr_search_find_carrier (TsrSearch *self, guint32 row, guint32 *program, guint32 *context);

/* Bytes [from, to) of a name that matched, ascending, without overlap. */
typedef struct
{
  guint from, to;
} TsrMatchRange;
/* (transfer full) (element-type TsrMatchRange) */
GArray *tsr_search_find_ranges (const char *name, const char *text);

G_END_DECLS
