/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The problems of a report that could be opened all the same: readers append to the list, the
 * window and the command line show it.  Safe to use from any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_SEVERITY_INFO,
  TSR_SEVERITY_WARNING, /* something is missing or odd, but the numbers shown are right */
  TSR_SEVERITY_ERROR,   /* data contradict each other or could not be read */
} TsrSeverity;

/* Position is unknown. */
#define TSR_NO_ROW (G_MININT64)

typedef struct
{
  TsrSeverity severity;
  const char *code; /* stable kebab-case word, static: "value-out-of-range" */
  char *file;       /* base name, e.g. "profile.pop"; NULL for the whole report */
  char *table;      /* or section or member; NULL if there is none */
  gint64 row;       /* rowid, or the tile of a keyed table; TSR_NO_ROW */
  gint64 offset;    /* byte offset in the file; TSR_NO_ROW */
  char *text;       /* one sentence without a trailing stop, translated */
} TsrDiagnostic;

typedef struct _TsrDiagnostics TsrDiagnostics;

TsrDiagnostics *tsr_diagnostics_new (void);
TsrDiagnostics *tsr_diagnostics_ref (TsrDiagnostics *self);
void tsr_diagnostics_unref (TsrDiagnostics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrDiagnostics, tsr_diagnostics_unref)

/* Adds one diagnostic.  Only the first TSR_DIAGNOSTICS_KEPT with the same code, file and table are
 * kept; the rest are counted (see _get_dropped), so that a million bad rows do not fill memory or
 * the screen.  @code must be static; @file (nullable) and @table (nullable) say where. */
#define TSR_DIAGNOSTICS_KEPT 20
void tsr_diagnostics_add (TsrDiagnostics *self,
                          TsrSeverity severity,
                          const char *code,
                          const char *file,
                          const char *table,
                          gint64 row,
                          gint64 offset,
                          const char *format,
                          ...) G_GNUC_PRINTF (8, 9);
void tsr_diagnostics_add_va (TsrDiagnostics *self,
                             TsrSeverity severity,
                             const char *code,
                             const char *file,
                             const char *table,
                             gint64 row,
                             gint64 offset,
                             const char *format,
                             va_list args) G_GNUC_PRINTF (8, 0);

/* Counts what a reader reports about one table.  Texts are only made for the first
 * TSR_DIAGNOSTICS_KEPT of a kind, so that millions of bad values do not cost a text each.
 * Initialised to zeros; one thread. */
typedef struct
{
  struct
  {
    const char *code;
    TsrSeverity severity;
    guint n;
    guint64 more;
  } kinds[8];
} TsrDiagnosticTally;

/* FALSE if enough problems with @severity and @code were reported; this one is then counted.  @code
 * must be static. */
gboolean
tsr_diagnostic_tally_count (TsrDiagnosticTally *self, TsrSeverity severity, const char *code);
/* Adds the counts to @diagnostics, and starts again from zero. */
void tsr_diagnostic_tally_flush (TsrDiagnosticTally *self,
                                 TsrDiagnostics *diagnostics,
                                 const char *file,
                                 const char *table);

/* Whether an entry with this code, table and row is kept. */
gboolean
tsr_diagnostics_has (TsrDiagnostics *self, const char *code, const char *table, gint64 row);

/* Appends a copy of all of @other, counts of dropped ones included. */
void tsr_diagnostics_merge (TsrDiagnostics *self, TsrDiagnostics *other);
/* The same without what @known has as well: a problem in rows that were read twice is listed
 * once. */
void tsr_diagnostics_merge_new (TsrDiagnostics *self, TsrDiagnostics *other, TsrDiagnostics *known);

/* Number of entries kept; number of all, kept or not; number of all errors. */
guint tsr_diagnostics_get_n_kept (TsrDiagnostics *self);
guint64 tsr_diagnostics_get_n_total (TsrDiagnostics *self);
guint64 tsr_diagnostics_get_n_errors (TsrDiagnostics *self);

/* Number like entry @i (same code, file, table) that were not kept; counted at the
 * last kept one of its kind, 0 elsewhere. */
guint64 tsr_diagnostics_get_dropped (TsrDiagnostics *self, guint i);

/* (transfer none): entry @i, valid as long as @self is: entries are never moved or removed. */
const TsrDiagnostic *tsr_diagnostics_get (TsrDiagnostics *self, guint i);

/* Whether an entry about @file already contains @text, so that a problem found in two ways is
 * reported once. */
gboolean tsr_diagnostics_tells (TsrDiagnostics *self, const char *file, const char *text);

/* (transfer full): "profile.pop, memory_by_tile, row 7: text", one line. */
char *tsr_diagnostic_dup_line (const TsrDiagnostic *diagnostic);

const char *tsr_severity_get_nick (TsrSeverity severity);

G_END_DECLS
