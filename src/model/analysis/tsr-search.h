/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Anything of a report by its name: variables, vertex types, compute sets, programs,
 * tiles, IPUs, views.  Immutable, shared by reference between threads; holds on to
 * what it looks through. */

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
  guint32 index;    /* view, tile, IPU, entry of TsrVariables, row of a table of programs */
  guint32 step;     /* of a program: its first liveness step; else TSR_NO_INDEX */
  const char *name; /* lives as long as the search; NULL for tiles and IPUs */
  gint64 bytes; /* memory of a tile or IPU (the fullness metric), of a variable, code of a vertex
                   type or program; TSR_UNKNOWN */
  TsrMatch match;
} TsrFound;

typedef struct _TsrSearch TsrSearch;

/* Each but @report (nullable): what is not there yet is not found.  @views: those that can be
 * shown, as bits (1 << TsrView); what no view of these shows is not found: tiles and code are in
 * Memory, programs in the Program Tree, those of liveness steps in Liveness too, variables in
 * either. */
TsrSearch *
tsr_search_new (TsrReport *report, TsrMemory *memory, TsrVariables *variables, guint views);
TsrSearch *tsr_search_ref (TsrSearch *self);
void tsr_search_unref (TsrSearch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSearch, tsr_search_unref)

/* The best ones so far, best first: by match, then by bytes.  In the thread of tsr_search_run. */
typedef void (*TsrSearchFunc) (gpointer data, const TsrFound *found, guint n_found);

/* Looks for names with all the words of @text, without case; "1806" and "tile 1806" are tile 1806,
 * "ipu 1" is IPU 1.  Programs of one name are found once, as the one with most code.  Calls @func
 * every few milliseconds while there is something new, and once at the end, with at most @most.
 * FALSE and @error when cancelled; then there is no last call. */
gboolean tsr_search_run (TsrSearch *self,
                         const char *text,
                         guint most,
                         TsrSearchFunc func,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error);

/* Bytes [from, to) of a name that matched, ascending, without overlap. */
typedef struct
{
  guint from, to;
} TsrMatchRange;
/* (transfer full) (element-type TsrMatchRange) */
GArray *tsr_search_find_ranges (const char *name, const char *text);

G_END_DECLS
