/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What many tests need: a temporary folder that goes with the test, databases made from SQL, and
 * a question asked of a database with plain sqlite3, for an independent answer. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full): a new empty folder, removed with all that is in it by tsr_test_folder_free. */
char *tsr_test_folder_new (void);
void tsr_test_folder_free (char *folder);

/* From here on what a file's modes forbid is forbidden to root, too: to this thread, and to those
 * that it starts. */
void tsr_test_obey_modes (void);

/* How often a test does what it does with other random numbers, or how many things it makes: @all
 * in the suite "slow" (-m slow), a fifth where it has to be quick. */
guint tsr_test_rounds (guint all);

/* Compiles the locale @source, e.g. "de_DE", whatever the machine has, into a folder of the build,
 * which is made LOCPATH; @source.UTF-8 can be set then.  A test finds what an earlier one compiled.
 * FALSE: not possible here, and the test is skipped. */
gboolean tsr_test_make_locale (const char *source);

/* Runs @sql in the database @folder/@name, which it makes if need be; any error ends the test. */
void tsr_test_sql (const char *folder, const char *name, const char *sql);

/* First column of the first row of @sql; G_MININT64 for NULL or no row. */
gint64 tsr_test_query (const char *folder, const char *name, const char *sql);

/* (transfer full) (element-type GStrv): all rows of @sql as texts; NULL is "". */
GPtrArray *tsr_test_query_rows (const char *folder, const char *name, const char *sql);

/* Rows (id, program, cycles) in SQL: of each step of execution the IPU where it took longest,
 * without the waits for the host that lead a run on an IPU, which count in no figure. */
#define TSR_TEST_STEP_CYCLES                                                                       \
  "(SELECT s.id, s.program, max (CASE WHEN l.step_id IS NULL THEN i.cycles ELSE 0 END) AS cycles"  \
  " FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id LEFT JOIN (SELECT step_id, ipu FROM"      \
  " (SELECT i.step_id, i.ipu, s.type, row_number () OVER (PARTITION BY s.run, i.ipu ORDER BY"      \
  " i.cycles_base + i.active_cycles_from_max, s.id) AS place FROM steps_by_ipu i JOIN steps s"     \
  " ON s.id = i.step_id WHERE i.active_cycles_to_max > i.active_cycles_from_max AND s.run IS NOT"  \
  " NULL AND s.type NOT IN ('Sync', 'SyncAns', 'Sans')) WHERE place = 1 AND type ="                \
  " 'StreamCopyBegin') l ON l.step_id = i.step_id AND l.ipu = i.ipu GROUP BY s.id)"

/* Likewise of profile.pop, with the question put together as printf does. */
gint64 tsr_test_ask (const char *folder, const char *format, ...) G_GNUC_PRINTF (2, 3);
GPtrArray *tsr_test_ask_rows (const char *folder, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* What a program did; the same for several runs holds the last one. */
typedef struct
{
  int status; /* exit status; 128 + signal when killed */
  char *out, *err;
} TsrTestRun;

void tsr_test_run_clear (TsrTestRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrTestRun, tsr_test_run_clear)
/* Runs a program of the PATH to its end; @env (nullable): instead of ours. */
void tsr_test_run (TsrTestRun *run, const char *const *words, char **env);

/* Runs tessera-make-report ($TESSERA_MAKE_REPORT) with options (NULL ends them), which must
 * succeed.  What the build has made without options is copied. */
void tsr_test_make_report (const char *folder, const char *preset, ...) G_GNUC_NULL_TERMINATED;

/* (transfer none): a folder with the whole report @preset, made once for each program run and
 * removed at its end; nobody may write to it. */
const char *tsr_test_get_report (const char *preset);

/* (transfer full): a new folder with the profile.pop of @preset: made once for each program run,
 * then copied. */
char *tsr_test_report_new (const char *preset);

/* Copies the file @name, or, when that is NULL, each file of folder @from to folder @to. */
void tsr_test_copy (const char *from, const char *to, const char *name);

/* Makes of the "demo" in @folder one of which the tables of single views count beside blocks of 32
 * KiB: more steps, liveness steps with their bytes, and lifetimes. */
void tsr_test_enlarge (const char *folder);
/* Bytes of tables (SQL: "'runs', 'steps'") and of the schema, as SQLite counts their pages. */
gint64 tsr_test_bytes_of_tables (const char *folder, const char *tables);
/* What the trace and the liveness are drawn from. */
#define TSR_TEST_TRACE_TABLES                                                                      \
  "'runs', 'steps', 'steps_by_ipu', 'programs', 'compute_sets', 'vertex_types'"
#define TSR_TEST_LIVENESS_TABLES                                                                   \
  "'liveness_steps', 'liveness_by_ipu', 'variables', 'variable_lifetimes', 'programs', "           \
  "'compute_sets', 'vertex_types'"

/* Writes @length bytes (-1: a string) to @folder/@name. */
void tsr_test_write (const char *folder, const char *name, const void *bytes, gssize length);

/* (transfer full): @size bytes that no two places have alike; the same for the same @seed. */
guint8 *tsr_test_make_bytes (gsize size, guint32 seed);

/* (transfer full): names, sizes, times and contents of all that is in @folder: the same text before
 * and after says that nothing was touched. */
char *tsr_test_fingerprint (const char *folder);

G_END_DECLS
