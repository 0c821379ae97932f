/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program that a synthetic report describes: control programs and functions, compute sets,
 * variables with the tiles they lie on and the programs between which they live.  A builder
 * (tsr-gen-network.c, tsr-gen-tiny.c) makes it, tsr-gen-lower.c and tsr-gen-place.c compute
 * everything about memory from it, tsr-gen-clock.c everything about time; the writers only print.
 * Nothing is stated twice, so the tables of a report agree with each other. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_GEN_VARIABLE,
  TSR_GEN_CONSTANT,
  TSR_GEN_MESSAGE,
  TSR_GEN_CONTROL_CODE,
  TSR_GEN_CONTROL_ID,
  TSR_GEN_VERTEX_CODE,
  TSR_GEN_VERTEX_STATE,
  TSR_GEN_VERTEX_FIELD,
  TSR_GEN_VECTOR_LIST,
  TSR_GEN_COPY_DESCRIPTOR,
  TSR_GEN_INTERNAL_EXCHANGE,
  TSR_GEN_HOST_EXCHANGE,
  TSR_GEN_GLOBAL_EXCHANGE,
  TSR_GEN_HOST_HEADER,
  TSR_GEN_GLOBAL_HEADER,
  TSR_GEN_INSTRUMENTATION,
  TSR_GEN_STACK,
  TSR_GEN_SHARED_DATA,
  TSR_GEN_N_CATEGORIES,
} TsrGenCategory;

#define TSR_GEN_N_REGIONS 3
#define TSR_GEN_ALWAYS    (G_MAXUINT32) /* class of what is always live */

typedef struct _TsrGenProgram TsrGenProgram;
typedef struct _TsrGenVariable TsrGenVariable;

typedef struct
{
  guint32 start, end; /* liveness steps, half-open */
} TsrGenInterval;

/* Lowered variables of one name on one IPU: @pieces rows on each of @count tiles. */
typedef struct
{
  guint32 index;
  char *name;
  TsrGenVariable *variable; /* what vars_info or the totals by variable count it under */
  gboolean compiler_made;   /* vars_info.variable is NULL */
  guint8 category;
  guint8 alignment;
  gboolean interleaved; /* must lie in region 1 */
  guint32 ipu, first, count, pieces;
  double bytes;               /* wanted over all tiles, before scaling */
  double spread;              /* 0: even; 0.3: the sizes of tiles differ by 30 % */
  guint grain;                /* sizes are multiples of it */
  gint scale;                 /* TsrGenScale, or -1: @bytes is exact */
  guint32 *sizes;             /* [count * pieces]; 0: no row */
  guint32 *offsets;           /* likewise */
  TsrGenProgram *born, *dies; /* NULL born: always live (or, with dies, from step 0) */
  gboolean spans;             /* from the first visit of @born to the last of @dies */
  guint32 class_id;
  guint32 string; /* vars_string_table.id */
} TsrGenVar;

typedef enum
{
  TSR_GEN_SCALE_TEMPORARY,
  TSR_GEN_SCALE_INTERNAL_EXCHANGE,
  TSR_GEN_SCALE_HOST_EXCHANGE,
  TSR_GEN_SCALE_GLOBAL_EXCHANGE,
  TSR_GEN_SCALE_HOST_HEADER,
  TSR_GEN_SCALE_VERTEX_CODE,
  TSR_GEN_SCALE_VERTEX_FIELD,
  TSR_GEN_SCALE_CONSTANT,
  TSR_GEN_N_SCALES,
} TsrGenScale;

/* A row of "variables". */
struct _TsrGenVariable
{
  guint32 id;
  char *name;
  gboolean always_live;
  guint8 category;
  const char *element_type; /* NULL: unknown */
  guint element_bytes;
  GArray *dims; /* guint32; may be empty */
  guint64 debug_id;
  guint64 size;    /* computed */
  guint64 *by_ipu; /* computed */
};

typedef struct
{
  guint32 id;
  char *name;
  guint size_bytes;
  gboolean assembly;
  double code_bytes;
  guint64 count;
  TsrGenVar **code; /* for each IPU, or NULL */
} TsrGenVertexType;

typedef struct
{
  TsrGenVertexType *type;
  guint16 *count; /* for each tile of the replica */
  guint64 total;
  double flops; /* of one vertex */
} TsrGenVertices;

typedef struct
{
  guint32 id;
  char *name;
  TsrGenProgram *program;
  GPtrArray *vertices; /* TsrGenVertices */
} TsrGenComputeSet;

typedef struct
{
  guint8 role; /* 0 used, 1 source, 2 destination */
  TsrGenVariable *variable;
  double share; /* of its elements, from 0 */
} TsrGenLink;

struct _TsrGenProgram
{
  guint32 id;
  char *name;
  const char *type;
  TsrGenComputeSet *compute_set;
  guint32 repeat_count; /* 0: none */
  TsrGenProgram *callee;
  guint64 debug_id;
  const char *copy_kind;
  GPtrArray *children; /* TsrGenProgram, borrowed; NULL for a leaf */
  GArray *links;       /* TsrGenLink */
  GArray *visits;      /* guint32: liveness steps */

  /* leaves */
  guint64 ipus;           /* bit mask within the replica */
  guint32 first, count;   /* tiles of each IPU that take part */
  guint control_bytes;    /* on every tile of these IPUs */
  double cycles;          /* of the longest tile, before scaling */
  double balance;         /* the shortest active tile's share of it */
  guint lead;             /* cycles from the first tile's start to the last one's */
  gboolean overlapped;    /* runs beside what follows it, on I/O tiles */
  gboolean external;      /* Sync: all IPUs */
  TsrGenVar **code;       /* exchange code for each IPU, or NULL */
  double bytes_per_cycle; /* exchanges: mean of a tile */
  guint32 control_array;  /* tile_arrays.id; 0: none */
  guint32 set_id;         /* tile_cycles.set_id; 0: none */
  gpointer clocks;        /* tsr-gen-clock.c */
  guint8 kind;            /* likewise */
  gboolean anonymous;     /* steps do not refer to this program */
};

/* A key of the layer's own.  @value: a text, a number, an array or a map of such (a{sv}). */
typedef struct
{
  const char *key;
  GVariant *value;
} TsrGenPair;

typedef struct
{
  guint64 id, parent;
  const char *layer;
  char *name;
  char *file; /* (nullable) */
  char *function;
  guint line;
  GArray *pairs; /* TsrGenPair */
} TsrGenContext;

typedef struct
{
  gint64 including, excluding, overflowed, always_live, not_always_live, peak_step;
  gint64 region[TSR_GEN_N_REGIONS], overlapped[TSR_GEN_N_REGIONS];
  guint32 non_overlapped_by[TSR_GEN_N_CATEGORIES][TSR_GEN_N_REGIONS];
  guint32 overlapped_by[TSR_GEN_N_CATEGORIES][TSR_GEN_N_REGIONS];
} TsrGenTile;

typedef struct
{
  char *name;
  GPtrArray *programs; /* control programs that it runs, in order */
  double host_wait;    /* cycles of the leading StreamCopyBegin; 0: from the program */
  gboolean measured;   /* microseconds are recorded */
} TsrGenRun;

typedef struct _TsrGenPreset TsrGenPreset;

typedef struct
{
  const TsrGenPreset *preset;
  guint64 seed;
  guint64 trace_steps;
  guint n_ipus; /* of one replica */
  guint n_tiles;
  guint tiles_per_ipu;

  GPtrArray *programs, *control, *functions; /* TsrGenProgram */
  GPtrArray *compute_sets;                   /* TsrGenComputeSet */
  GPtrArray *vertex_types;
  GPtrArray *variables; /* TsrGenVariable */
  GPtrArray *vars;      /* TsrGenVar */
  GPtrArray *contexts;  /* parents before children */
  GPtrArray *runs;      /* TsrGenRun */
  GPtrArray *strings;   /* vars_string_table */
  GHashTable *string_ids;
  GHashTable *temporaries; /* base name -> TsrGenVariable */
  TsrGenVariable *pseudo[TSR_GEN_N_CATEGORIES];
  guint64 n_edges;

  /* computed */
  GArray *steps;      /* guint32: program of each liveness step */
  GPtrArray *classes; /* GArray of TsrGenInterval */
  guint64 *live;      /* by step */
  guint64 **live_by_ipu;
  TsrGenTile *tiles;
  guint64 n_rows; /* of vars_info */
  guint64 allocated[TSR_GEN_N_CATEGORIES];
  guint64 next_context;
} TsrGenModel;

TsrGenModel *tsr_gen_model_new (const TsrGenPreset *preset, guint64 seed);
void tsr_gen_model_free (TsrGenModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrGenModel, tsr_gen_model_free)

const char *tsr_gen_category_name (guint category);
gboolean tsr_gen_category_is_code (guint category);

/* All return objects that the model owns; text is copied. */
TsrGenProgram *tsr_gen_program (TsrGenModel *self, const char *type, const char *name);
void tsr_gen_append (TsrGenProgram *parent, TsrGenProgram *child);
TsrGenProgram *
tsr_gen_sequence (TsrGenModel *self, TsrGenProgram *parent, const char *type, const char *name);
TsrGenProgram *tsr_gen_call (TsrGenModel *self, TsrGenProgram *parent, TsrGenProgram *callee);
void tsr_gen_link (TsrGenProgram *self, guint role, TsrGenVariable *variable, double share);

TsrGenVertexType *
tsr_gen_vertex_type (TsrGenModel *self, const char *name, guint size_bytes, double code_bytes);
TsrGenComputeSet *tsr_gen_compute_set (TsrGenModel *self, TsrGenProgram *program);
TsrGenVertices *
tsr_gen_vertices (TsrGenModel *self, TsrGenComputeSet *set, TsrGenVertexType *type, double flops);

TsrGenVariable *tsr_gen_variable (TsrGenModel *self,
                                  const char *name,
                                  guint category,
                                  const char *element_type,
                                  guint element_bytes);
void tsr_gen_variable_shape (TsrGenVariable *self, guint n, const guint32 *dims);
guint64 tsr_gen_variable_elements (const TsrGenVariable *self);
/* Lowered part of @variable on one IPU. */
TsrGenVar *tsr_gen_var (TsrGenModel *self,
                        TsrGenVariable *variable,
                        const char *name,
                        guint ipu,
                        guint first,
                        guint count,
                        double bytes);
/* A variable made by the compiler: counted under its category if @born is NULL (always live), else
 * under its base name (the text before '#'). */
TsrGenVar *tsr_gen_compiler_var (TsrGenModel *self,
                                 guint category,
                                 const char *name,
                                 guint ipu,
                                 guint first,
                                 guint count,
                                 double bytes,
                                 TsrGenProgram *born,
                                 TsrGenProgram *dies);

guint64 tsr_gen_context (TsrGenModel *self, guint64 parent, const char *layer, const char *name);
/* The context of a call of the PopLibs function @api. */
guint64 tsr_gen_poplibs (TsrGenModel *self, guint64 parent, const char *name, const char *api);
/* Poplar's context of @variable under @parent, unless it has one. */
void tsr_gen_own (TsrGenModel *self, TsrGenVariable *variable, guint64 parent);
TsrGenContext *tsr_gen_context_last (TsrGenModel *self);
/* The id that the @n-th context has, from 1: they are spread over 63 bits. */
guint64 tsr_gen_context_id (guint64 n);
/* @key is not copied; a floating @value is taken. */
void tsr_gen_context_value (TsrGenContext *self, const char *key, GVariant *value);
void tsr_gen_context_pair (TsrGenContext *self, const char *key, const char *value);

/* Whether @tile (of one IPU) takes part in @program; the tile's size in @var (sum of its pieces).
 */
gboolean
tsr_gen_program_has_tile (const TsrGenModel *self, const TsrGenProgram *program, guint tile);
guint32 tsr_gen_var_tile_bytes (const TsrGenModel *self, const TsrGenVar *var, guint local_tile);
/* @vars (transfer full): those of the IPU of @tile; found anew at an IPU's first tile only. */
void tsr_gen_find_vars (const TsrGenModel *self, guint tile, GPtrArray **vars);
/* Index of the first piece of @local_tile in sizes and offsets, or -1. */
gint64 tsr_gen_var_slot (const TsrGenModel *self, const TsrGenVar *var, guint local_tile);

G_END_DECLS
