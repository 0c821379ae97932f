/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the Python module share: the kinds of objects, the table of members, the report
 * and its parts, lists.  Everything runs with the GIL but for the jobs that load a part.  Every
 * object is a report and two numbers; what it says is looked up in the report's tables when asked.
 */

#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
/* With the macro above, Python declares some functions twice. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#include <Python.h>
#pragma GCC diagnostic pop

#include "tsr-live-sums.h"
#include "tsr-operation-list.h"
#include "tsr-report-exact.h"
#include "tsr-report.h"

#include <glib.h>

/* ------------------------------------------------------------------ classes */

typedef enum
{
  TSR_PY_REPORT,
  TSR_PY_POPLAR_VERSION,
  TSR_PY_REPORT_VERSION,
  TSR_PY_INSTRUMENTATION,
  TSR_PY_IPU, /* has the architectures; of a report: one IPU's tiles */
  TSR_PY_TARGET,
  TSR_PY_GRAPH,
  TSR_PY_COMPILATION,
  TSR_PY_LOWERED_VARIABLES,
  TSR_PY_TILE,
  TSR_PY_TILE_MEMORY,
  TSR_PY_MEMORY_SIZE,     /* with and without gaps */
  TSR_PY_CATEGORIES,      /* one attribute for each name */
  TSR_PY_CATEGORY,        /* of a tile */
  TSR_PY_CATEGORY_REGION, /* of those */
  TSR_PY_TILE_VERTEX,
  TSR_PY_VERTEX_TYPE,
  TSR_PY_PROGRAM,
  TSR_PY_ON_TILE_EXECUTE,
  TSR_PY_DO_EXCHANGE,
  TSR_PY_GLOBAL_EXCHANGE,
  TSR_PY_STREAM_COPY_BEGIN,
  TSR_PY_STREAM_COPY_MID,
  TSR_PY_STREAM_COPY_END,
  TSR_PY_COMPUTE_SET,
  TSR_PY_COMPUTE_SET_VERTEX,
  TSR_PY_LIVENESS_STEP,
  TSR_PY_LIVE_MEMORY,
  TSR_PY_VARIABLE,
  TSR_PY_VARIABLE_SIZE,
  TSR_PY_BRIEF_VARIABLE,
  TSR_PY_LOWERED_VARIABLE,
  TSR_PY_CLASS, /* equivalence class */
  TSR_PY_INTERVAL,
  TSR_PY_EXECUTION,
  TSR_PY_TOTAL_CYCLES,
  TSR_PY_RUN,
  TSR_PY_MICROSECONDS,
  TSR_PY_STEP,
  TSR_PY_STEP_COMPUTE_SET,
  TSR_PY_STEP_IPU,
  TSR_PY_CYCLE_RANGE, /* from and to */
  TSR_PY_CYCLE_ENDS,  /* min and max of one of them */
  TSR_PY_BLOCK,
  TSR_PY_DEBUG_CONTEXT,
  TSR_PY_DEBUG_LOCATION,
  TSR_PY_OPERATION_ANALYSIS,
  TSR_PY_OPERATION,
  TSR_PY_TABLES,
  TSR_PY_TABLE,
  TSR_PY_DIAGNOSTIC,
  TSR_PY_N_CLASSES,
} TsrPyClass;

typedef struct _TsrPyReport TsrPyReport;

/* Every object of the classes above, but for reports, is this. */
typedef struct
{
  PyObject_HEAD TsrPyReport *report;
  TsrPyClass kind;
  gint64 a, b; /* what they are is the class's: mostly a row */
} TsrPyItem;

typedef struct _TsrPyMember TsrPyMember;
typedef PyObject *(*TsrPyGet) (TsrPyItem *self, const TsrPyMember *member);

/* An entry of the table of members.  Getters, docstrings, dir(), the stubs and a test are made of
 * it. */
struct _TsrPyMember
{
  TsrPyClass kind;
  const char *name;
  const char *type; /* as in the stubs; of a method its arguments, too: "(tile: int) -> int" */
  const char *unit;
  const char *column; /* table.column that tells it, "" for what follows from others */
  const char *text;
  guint parts; /* that must be there, a bit of TsrPyPart each */
  TsrPyGet get;
  gint64 arg;
  PyCFunction method; /* instead of get; METH_O or, with @no_argument, METH_NOARGS */
  gboolean no_argument;
  guint tries; /* parts that @get loads if the file has them: str() does not */
};

/* The table, a part in the file of each subject; each part ends with an entry without a name. */
extern const TsrPyMember tsr_py_target_members[], tsr_py_memory_members[], tsr_py_program_members[],
    tsr_py_variable_members[], tsr_py_liveness_members[], tsr_py_execution_members[],
    tsr_py_debug_members[], tsr_py_operation_members[], tsr_py_table_members[];

/* Makes all classes and puts them into @module. */
gboolean tsr_py_classes_init (PyObject *module);
/* New reference: rows (class, base, name, type, unit, column, text, is_method) of the table. */
PyObject *tsr_py_classes_list_members (void);

const char *tsr_py_class_get_name (TsrPyClass kind);
/* The class that it derives from, or itself. */
TsrPyClass tsr_py_class_get_base (TsrPyClass kind);
PyTypeObject *tsr_py_class_get_type (TsrPyClass kind);
void tsr_py_class_set_type (TsrPyClass kind, PyTypeObject *type);
/* New reference to an object. */
PyObject *tsr_py_item_new (TsrPyReport *report, TsrPyClass kind, gint64 a, gint64 b);

/* ------------------------------------------------------------------- values */

extern PyObject *tsr_py_report_error, *tsr_py_missing_error;

/* Sets MissingDataError: that @column (table.column) does not tell it, and which option records
 * it; NULL. */
PyObject *tsr_py_missing (TsrPyReport *report, const char *column);
/* Sets an exception from @error, which is freed; NULL. */
PyObject *tsr_py_raise (GError *error);
/* A number, or MissingDataError where it is unknown. */
PyObject *tsr_py_int (TsrPyItem *self, const TsrPyMember *member, gint64 value);
PyObject *tsr_py_float (TsrPyItem *self, const TsrPyMember *member, double value);
/* '' for NULL. */
PyObject *tsr_py_text (const char *text);
/* A list of ints: @values @times one after the other. */
PyObject *tsr_py_int_list (const guint32 *values, guint n, guint times);
/* An index that Python code gave: from the end when negative, IndexError outside [0, n). */
gboolean tsr_py_get_index (PyObject *argument, gint64 n, gint64 *index);
/* Number @arg of a struct of gint64: for tables of members. */
#define TSR_PY_OFFSET(type, field) ((gint64)G_STRUCT_OFFSET (type, field))

/* -------------------------------------------------------------------- enums */

typedef enum
{
  TSR_PY_ENUM_COMPUTE,
  TSR_PY_ENUM_EXTERNAL,
  TSR_PY_ENUM_TARGET,
  TSR_PY_ENUM_ARCHITECTURE,
  TSR_PY_ENUM_PROGRAM,
  TSR_PY_N_ENUMS,
} TsrPyEnum;

/* After the classes. */
gboolean tsr_py_enums_init (PyObject *module);
/* New reference to the member that @name (nullable) names, without regard to case; if there is
 * none: Unknown, or for programs one that is made for it. */
PyObject *tsr_py_enum_get (TsrPyEnum kind, const char *name);
/* Names of the enum, NULL-terminated. */
const char *const *tsr_py_enum_get_names (TsrPyEnum kind);

/* -------------------------------------------------------------------- lists */

typedef struct _TsrPyList TsrPyList;
typedef PyObject *(*TsrPyListItem) (TsrPyList *list, gint64 i);

/* A list that makes its items when asked, and keeps none. */
struct _TsrPyList
{
  PyObject_HEAD TsrPyReport *report;
  const char *item_name; /* static */
  TsrPyListItem item;
  gint64 a, n;
  PyObject *keep; /* (nullable): bytes that the items are made of */
  PyObject *(*call) (TsrPyReport *report, PyObject *argument); /* (nullable): for a list that can
                                                                  be called */
};

gboolean tsr_py_lists_init (PyObject *module);
PyObject *tsr_py_list_new (
    TsrPyReport *report, const char *item_name, TsrPyListItem item, gint64 a, gint64 n);
/* The same; @keep is taken. */
PyObject *tsr_py_list_new_of (TsrPyReport *report,
                              const char *item_name,
                              TsrPyListItem item,
                              gint64 a,
                              gint64 n,
                              PyObject *keep);
/* Items that str() shows. */
extern guint tsr_py_list_print_length;

/* ------------------------------------------------------------------- report */

/* What is loaded at its first use, once. */
typedef enum
{
  TSR_PY_PART_MEMORY,
  TSR_PY_PART_PROGRAMS,
  TSR_PY_PART_LIVENESS,
  TSR_PY_PART_STEPS, /* and runs */
  TSR_PY_PART_EXECUTION,
  TSR_PY_PART_BRIEF, /* lowered variables, or their ids, tiles, sizes and classes alone */
  TSR_PY_PART_LOWERED,
  TSR_PY_PART_DEBUG,
  TSR_PY_PART_EXACT,       /* reader of slices, times of runs */
  TSR_PY_PART_MOVED,       /* which types of steps move bytes */
  TSR_PY_PART_TILE_CYCLES, /* which arrays the sets have */
  TSR_PY_PART_TOUCHED,     /* variables of programs */
  TSR_PY_PART_ALLOCATIONS, /* rows of lowered variables by variable */
  TSR_PY_PART_LIVE,        /* for sums by step */
  TSR_PY_PART_VERTEX_CODE, /* bytes of each vertex type on each tile */
  TSR_PY_N_PARTS,
} TsrPyPart;
#define TSR_PY_BIT(part) (1u << TSR_PY_PART_##part)

typedef struct
{
  gint64 set;
  gint64 ipu;
  gint64 array;
} TsrPyTileCycles;

/* Bytes of a tile at every step. */
typedef struct
{
  guint32 tile;
  gint64 *bytes;
} TsrPySeries;

/* The operations of a layer. */
typedef struct
{
  char *layer; /* as Python code gave it; NULL: none */
  TsrOperationList *list;
} TsrPyAnalysis;

#define TSR_PY_PAGES 8

struct _TsrPyReport
{
  TsrPyItem item; /* report: itself, without a reference */
  TsrReport *report;
  gboolean is_remote;
  gint64 pid;              /* of the process that opened it */
  TsrSource *debug_source; /* (nullable): of the file that was given for debug.cbor */

  gint64 loading_pid;  /* 0: nobody loads; under the GIL */
  guint ready, failed; /* parts, a bit each; under the GIL */
  GError *errors[TSR_PY_N_PARTS];
  GMutex lock; /* with @loaded: tells those that wait that a load has ended */
  GCond loaded;

  /* The connection for tile arrays: of the process @reader_pid, under reader_lock. */
  GMutex reader_lock;
  TsrProfile *reader;
  gint64 reader_pid;

  TsrExecutionTables *own_steps;   /* (nullable): read without slices */
  const TsrExecutionTables *steps; /* own_steps, or the report's */
  TsrExactReader *exact;           /* under reader_lock */
  gint64 exact_pid;
  TsrExactPage *pages[TSR_PY_PAGES]; /* under the GIL */
  guint next_page, last_page;        /* to be replaced next; asked last */
  guint asked; /* columns of slices, a bit of TsrExactColumn each: pages get these */
  double *run_start, *run_end;
  guint8 moved[256]; /* by type of step: 1 the file has bytes of data in for some, 2 of data out */
  guint8 moved_any;

  GArray *tile_cycles; /* TsrPyTileCycles, by (set, ipu) */
  guint32 *touched_start, *touched;
  gsize *allocated_start;
  guint32 *allocated;
  TsrLiveAxis axis;
  TsrLiveSums sums;
  gboolean has_live;
  GQueue series;         /* TsrPySeries, latest first */
  GHashTable *series_of; /* tile to its series */
  guint32 *vertex_code;  /* [type * tiles_per_replica + tile] */
  gint8 recorded[8];     /* columns of arrays: 0 not looked at, 1 none, 2 some */

  TsrLoweredTables *brief;  /* (nullable): of those that want no more; the report's come first */
  guint32 *sizes, *offsets; /* (nullable): of lowered variables, read before they are loaded */
  gsize n_numbers;          /* in either */
  gint64 *lowered_ids, *step_ids; /* (nullable): of consecutive rows, which the model counts */

  TsrDebugTables *own_debug;   /* (nullable): of debug_source */
  const TsrDebugTables *debug; /* own_debug, or the report's */
  GPtrArray *analyses;         /* (nullable): TsrPyAnalysis; under the GIL */
};

/* FALSE with an exception.  Fills in a new object, which is zero but for its head: @path is a local
 * path or ssh://, @debug (nullable) of debug.cbor. */
gboolean tsr_py_report_open (TsrPyReport *self, const char *path, const char *debug);
/* For one that is not open, too. */
void tsr_py_report_clear (TsrPyReport *self);
/* Loads what of @parts is not there.  FALSE with an exception. */
gboolean tsr_py_report_need (TsrPyReport *self, guint parts);
/* Runs @job on a thread, without the GIL, until it ends or is interrupted.  FALSE with @error, or
 * with an exception and no @error when it was interrupted. */
typedef gboolean (*TsrPyJob) (TsrPyReport *self,
                              gpointer data,
                              GCancellable *cancellable,
                              GError **error);
gboolean tsr_py_report_run (TsrPyReport *self, TsrPyJob job, gpointer data, GError **error);
/* Follows forks, from now on. */
void tsr_py_report_watch_forks (void);
/* 1 there, 0 the file does not have it, -1 an exception. */
int tsr_py_report_try (TsrPyReport *self, TsrPyPart part);
gboolean tsr_py_report_is_ready (const TsrPyReport *self, guint parts);

/* Numbers of the target that everything is counted with; FALSE with an exception. */
gboolean tsr_py_report_get_tiles (TsrPyReport *self, gint64 *per_replica, gint64 *replicas);
gint64 tsr_py_report_get_n_ipus (TsrPyReport *self); /* over all replicas; -1 with an exception */
/* A tile's number as Python code gives it, within a replica. */
gboolean tsr_py_report_get_tile (TsrPyReport *self, PyObject *argument, guint32 *tile);

/* Reads array @id of @n numbers without the GIL; *found as of tsr_profile_read_tile_array. */
gboolean
tsr_py_report_read_array (TsrPyReport *self, gint64 id, guint n, guint32 *values, gboolean *found);
/* Which columns refer to arrays. */
typedef enum
{
  TSR_PY_ARRAY_CODE,
  TSR_PY_ARRAY_CONTROL_CODE,
  TSR_PY_ARRAY_ESTIMATED_CYCLES,
  TSR_PY_ARRAY_COMPUTE_SET_CYCLES,
  TSR_PY_ARRAY_VERTEX_COUNT,
} TsrPyArrayColumn;
/* A by-tile list. */
PyObject *tsr_py_report_tile_list (
    TsrPyReport *self, TsrPyArrayColumn column, const TsrTileArrayRef *refs, gsize n, gsize at);

/* A number of a slice; FALSE with an exception. */
gboolean tsr_py_report_get_slice (
    TsrPyReport *self, guint32 step, guint32 ipu, TsrExactColumn column, TsrExactValue *value);

/* Objects that several files make. */
PyObject *tsr_py_program_new (TsrPyReport *report, guint32 row);
/* One for a step that has none: its type and compute set. */
PyObject *tsr_py_program_new_of_step (TsrPyReport *report, guint8 type, guint32 compute_set);
/* [inferred] All allocations of the variables that programs @rows touch, each once, by id. */
PyObject *tsr_py_vars_new (TsrPyReport *report, const guint32 *rows, guint n);
/* The context with @debug_id: None where there is none, or no debug information. */
PyObject *tsr_py_debug_context_new (TsrPyReport *report, gint64 debug_id);
PyObject *tsr_py_operation_analysis_new (PyTypeObject *type, PyObject *args, PyObject *keywords);
/* @rows (transfer full) (nullable): bytes of guint32. */
PyObject *tsr_py_lowered_list_new (TsrPyReport *report, TsrPyClass kind, PyObject *rows, gint64 n);
/* A list of sizes, of pairs (variable, or -2 - name; bytes). */
PyObject *tsr_py_sizes_new (TsrPyReport *report, const GArray *pairs);
/* Variables on tiles first .. end - 1 that are always live (@classes NULL), or not always and of
 * one of @classes, with their bytes there. */
PyObject *
tsr_py_sizes_new_of_tiles (TsrPyReport *report, guint32 first, guint32 end, const guint8 *classes);
PyObject *tsr_py_categories_get (PyObject *self, PyObject *name);
PyObject *tsr_py_categories_dir (TsrPyItem *self);
int tsr_py_table_get_buffer (PyObject *self, Py_buffer *view, int flags);
Py_ssize_t tsr_py_table_get_length (PyObject *self);
