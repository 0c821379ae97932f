/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every table of docs/report.sql as data: what its columns may hold and which function looks at its
 * rows.  The functions index their values in the order of the columns here. */

#include "config.h"

#include "tsr-check-private.h"

#define NULLABLE TRUE
#define COLUMNS  static const TsrCheckColumn

COLUMNS target_columns[] = {
  { "type", TSR_KIND_TEXT, NULLABLE },
  { "architecture", TSR_KIND_TEXT, NULLABLE },
  { "num_ipus", TSR_KIND_COUNT, NULLABLE },
  { "ipus_per_replica", TSR_KIND_COUNT, NULLABLE },
  { "num_replicas", TSR_KIND_COUNT, NULLABLE },
  { "tiles_per_ipu", TSR_KIND_COUNT, NULLABLE },
  { "bytes_per_tile", TSR_KIND_COUNT, NULLABLE },
  { "clock_frequency", TSR_KIND_NUMBER, NULLABLE },
  { "interleaved_start", TSR_KIND_COUNT, NULLABLE },
  { NULL },
};
COLUMNS graph_columns[] = {
  { "num_compute_sets", TSR_KIND_COUNT, NULLABLE },
  { "num_vertices", TSR_KIND_COUNT, NULLABLE },
  { "num_edges", TSR_KIND_COUNT, NULLABLE },
  { "num_vars", TSR_KIND_COUNT, NULLABLE },
  { NULL },
};
COLUMNS info_columns[] = {
  { "name", TSR_KIND_TEXT },
  { "value", TSR_KIND_TEXT, NULLABLE },
  { NULL },
};
COLUMNS tile_columns[] = {
  { "tile", TSR_KIND_TILE },
  { "total", TSR_KIND_COUNT },
  { "including_gaps", TSR_KIND_COUNT },
  { "excluding_gaps", TSR_KIND_COUNT },
  { "overflowed", TSR_KIND_COUNT },
  { "always_live", TSR_KIND_COUNT },
  { "not_always_live", TSR_KIND_COUNT },
  { "peak_step", TSR_KIND_LIVENESS_STEP, NULLABLE },
  { NULL },
};
COLUMNS region_columns[] = {
  { "tile", TSR_KIND_TILE },
  { "region", TSR_KIND_REGION },
  { "bytes", TSR_KIND_COUNT },
  { "overlapped_bytes", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS category_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_CATEGORIES },
  { "name", TSR_KIND_TEXT },
  { "allocated_bytes", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS tile_category_columns[] = {
  { "tile", TSR_KIND_TILE },        { "category", TSR_KIND_REFERENCE, FALSE, TSR_SET_CATEGORIES },
  { "region", TSR_KIND_REGION },    { "non_overlapped", TSR_KIND_COUNT },
  { "overlapped", TSR_KIND_COUNT }, { NULL },
};
COLUMNS string_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_STRINGS },
  { "value", TSR_KIND_TEXT, NULLABLE },
  { NULL },
};
COLUMNS liveness_columns[] = {
  { "step", TSR_KIND_ID, FALSE, TSR_SET_LIVENESS_STEPS },
  { "program", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_PROGRAMS },
  { "not_always_live_bytes", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS liveness_ipu_columns[] = {
  { "step", TSR_KIND_LIVENESS_STEP },
  { "ipu", TSR_KIND_IPU },
  { "not_always_live_bytes", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS variable_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_VARIABLES },
  { "name", TSR_KIND_TEXT, NULLABLE },
  { "size_bytes", TSR_KIND_COUNT },
  { "always_live", TSR_KIND_BOOLEAN },
  { "category", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_CATEGORIES },
  { "element_type", TSR_KIND_TEXT, NULLABLE },
  { "shape", TSR_KIND_TEXT, NULLABLE },
  { "debug_id", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_CONTEXTS },
  { NULL },
};
COLUMNS variable_ipu_columns[] = {
  { "variable", TSR_KIND_REFERENCE, FALSE, TSR_SET_VARIABLES },
  { "ipu", TSR_KIND_IPU },
  { "size_bytes", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS lifetime_columns[] = {
  { "variable", TSR_KIND_REFERENCE, FALSE, TSR_SET_VARIABLES },
  { "start_step", TSR_KIND_LIVENESS_STEP },
  { "end_step", TSR_KIND_LIVENESS_END },
  { "size_bytes", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS interval_columns[] = {
  { "equivalence_class", TSR_KIND_ID, FALSE, TSR_SET_CLASSES },
  { "start_step", TSR_KIND_LIVENESS_STEP },
  { "end_step", TSR_KIND_LIVENESS_END },
  { NULL },
};
COLUMNS tile_vars_columns[] = {
  { "tile", TSR_KIND_TILE },
  { "first_var", TSR_KIND_INTEGER },
  { "end_var", TSR_KIND_INTEGER },
  { NULL },
};
COLUMNS vars_columns[] = {
  { "id", TSR_KIND_INTEGER },
  { "tile", TSR_KIND_TILE },
  { "size_bytes", TSR_KIND_COUNT },
  { "category", TSR_KIND_REFERENCE, FALSE, TSR_SET_CATEGORIES },
  { "name", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_STRINGS },
  { "variable", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_VARIABLES },
  { "offset", TSR_KIND_COUNT, NULLABLE },
  { "always_live", TSR_KIND_BOOLEAN },
  { "equivalence_class", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_CLASSES },
  { "alignment", TSR_KIND_COUNT, NULLABLE },
  { NULL },
};
COLUMNS program_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_PROGRAMS },
  { "name", TSR_KIND_TEXT, NULLABLE },
  { "type", TSR_KIND_TEXT },
  { "compute_set", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_COMPUTE_SETS },
  { "repeat_count", TSR_KIND_COUNT, NULLABLE },
  { "callee", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_PROGRAMS },
  { "debug_id", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_CONTEXTS },
  { "stream_copy_kind", TSR_KIND_TEXT, NULLABLE },
  { "code_bytes_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { "control_code_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { "estimated_cycles_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { "data_in_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { "data_out_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { NULL },
};
COLUMNS child_columns[] = {
  { "parent", TSR_KIND_REFERENCE, FALSE, TSR_SET_PROGRAMS },
  { "position", TSR_KIND_COUNT },
  { "child", TSR_KIND_REFERENCE, FALSE, TSR_SET_PROGRAMS },
  { NULL },
};
COLUMNS compilation_step_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_COMPILATION_STEPS },
  { "name", TSR_KIND_TEXT, NULLABLE },
  { NULL },
};
COLUMNS root_columns[] = {
  { "compilation_step", TSR_KIND_REFERENCE, FALSE, TSR_SET_COMPILATION_STEPS },
  { "kind", TSR_KIND_TEXT },
  { "position", TSR_KIND_COUNT },
  { "program", TSR_KIND_REFERENCE, FALSE, TSR_SET_PROGRAMS },
  { NULL },
};
COLUMNS program_variable_columns[] = {
  { "program", TSR_KIND_REFERENCE, FALSE, TSR_SET_PROGRAMS },
  { "role", TSR_KIND_REGION }, /* 0, 1, 2 as well */
  { "variable", TSR_KIND_REFERENCE, FALSE, TSR_SET_VARIABLES },
  { "from_element", TSR_KIND_COUNT, NULLABLE },
  { "to_element", TSR_KIND_COUNT, NULLABLE },
  { "bytes", TSR_KIND_COUNT, NULLABLE },
  { NULL },
};
COLUMNS compute_set_columns[] = {
  { "compute_set", TSR_KIND_ID, FALSE, TSR_SET_COMPUTE_SETS },
  { "name", TSR_KIND_TEXT, NULLABLE },
  { "estimated_cycles_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { NULL },
};
COLUMNS vertex_type_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_VERTEX_TYPES }, { "name", TSR_KIND_TEXT, NULLABLE },
  { "size_bytes", TSR_KIND_COUNT, NULLABLE },         { "source_type", TSR_KIND_TEXT, NULLABLE },
  { "code_bytes_by_tile", TSR_KIND_ARRAY, NULLABLE }, { NULL },
};
COLUMNS vertex_columns[] = {
  { "compute_set", TSR_KIND_REFERENCE, FALSE, TSR_SET_COMPUTE_SETS },
  { "vertex_type", TSR_KIND_REFERENCE, FALSE, TSR_SET_VERTEX_TYPES },
  { "count", TSR_KIND_COUNT },
  { "count_by_tile", TSR_KIND_ARRAY, NULLABLE },
  { "flops", TSR_KIND_COUNT, NULLABLE },
  { "estimated_cycles", TSR_KIND_COUNT, NULLABLE },
  { "measured_cycles", TSR_KIND_COUNT, NULLABLE },
  { NULL },
};
COLUMNS run_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_RUNS },
  { "name", TSR_KIND_TEXT, NULLABLE },
  { "first_step", TSR_KIND_COUNT },
  { "end_step", TSR_KIND_COUNT },
  { "microseconds_start", TSR_KIND_NUMBER, NULLABLE },
  { "microseconds_end", TSR_KIND_NUMBER, NULLABLE },
  { NULL },
};
COLUMNS run_cycles_columns[] = {
  { "run", TSR_KIND_REFERENCE, FALSE, TSR_SET_RUNS },
  { "ipu", TSR_KIND_ANY_IPU },
  { "cycles", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS step_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_STEPS },
  { "type", TSR_KIND_TEXT },
  { "program", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_PROGRAMS },
  { "compute_set", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_COMPUTE_SETS },
  { "run", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_RUNS },
  { "tile_cycles", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_TILE_CYCLES },
  { NULL },
};
COLUMNS slice_columns[] = {
  { "step_id", TSR_KIND_REFERENCE, FALSE, TSR_SET_STEPS },
  { "ipu", TSR_KIND_ANY_IPU },
  { "cycles", TSR_KIND_COUNT },
  { "active_tiles", TSR_KIND_COUNT },
  { "cycles_base", TSR_KIND_COUNT },
  { "active_cycles_from_min", TSR_KIND_INTEGER },
  { "active_cycles_from_max", TSR_KIND_INTEGER, NULLABLE },
  { "active_cycles_to_min", TSR_KIND_INTEGER, NULLABLE },
  { "active_cycles_to_max", TSR_KIND_INTEGER },
  { "tile_balance", TSR_KIND_BALANCE, NULLABLE },
  { "active_tile_balance", TSR_KIND_BALANCE, NULLABLE },
  { "data_in", TSR_KIND_COUNT, NULLABLE },
  { "data_out", TSR_KIND_COUNT, NULLABLE },
  { "all_cycles_from_min", TSR_KIND_INTEGER, NULLABLE },
  { "all_cycles_from_max", TSR_KIND_INTEGER, NULLABLE },
  { "all_cycles_to_min", TSR_KIND_INTEGER, NULLABLE },
  { "all_cycles_to_max", TSR_KIND_INTEGER, NULLABLE },
  { NULL },
};
COLUMNS tile_cycles_columns[] = {
  { "set_id", TSR_KIND_ID, FALSE, TSR_SET_TILE_CYCLES },
  { "ipu", TSR_KIND_ANY_IPU },
  { "start_by_tile", TSR_KIND_ARRAY_OF_IPU, NULLABLE },
  { "cycles_by_tile", TSR_KIND_ARRAY_OF_IPU, NULLABLE },
  { NULL },
};
COLUMNS block_columns[] = {
  { "id", TSR_KIND_INTEGER },
  { "program", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_PROGRAMS },
  { "name", TSR_KIND_TEXT, NULLABLE },
  { "ipu", TSR_KIND_ANY_IPU },
  { "tile", TSR_KIND_TILE_OF_IPU },
  { "run", TSR_KIND_REFERENCE, NULLABLE, TSR_SET_RUNS },
  { "cycles_from", TSR_KIND_COUNT },
  { "cycles_to", TSR_KIND_COUNT },
  { "is_stream_copy", TSR_KIND_BOOLEAN, NULLABLE },
  { "is_common", TSR_KIND_BOOLEAN, NULLABLE },
  { "is_overflow", TSR_KIND_BOOLEAN, NULLABLE },
  { "is_block_flush", TSR_KIND_BOOLEAN, NULLABLE },
  { NULL },
};
COLUMNS cycle_total_columns[] = {
  { "ipu", TSR_KIND_ANY_IPU },
  { "total", TSR_KIND_COUNT },
  { NULL },
};
COLUMNS array_columns[] = {
  { "id", TSR_KIND_ID, FALSE, TSR_SET_ARRAYS },
  { "encoding", TSR_KIND_COUNT },
  { "total", TSR_KIND_COUNT },
  { "maximum", TSR_KIND_COUNT },
  { "data", TSR_KIND_BLOB },
  { NULL },
};

const TsrCheckTable tsr_check_tables[] = {
  { "report_info", info_columns },
  { "engine_options", info_columns },
  { "target", target_columns },
  { "graph", graph_columns },
  { "var_categories", category_columns },
  { "memory_by_tile", tile_columns },
  { "memory_by_tile_region", region_columns },
  { "memory_by_tile_category", tile_category_columns },
  { "compilation_steps", compilation_step_columns },
  { "programs", program_columns, tsr_check_program_row },
  { "program_children", child_columns, tsr_check_child_row, tsr_check_program_tree },
  { "program_roots", root_columns },
  { "compute_sets", compute_set_columns },
  { "vertex_types", vertex_type_columns },
  { "compute_set_vertices", vertex_columns, tsr_check_vertex_row, tsr_check_vertex_end },
  { "liveness_steps", liveness_columns, tsr_check_liveness_row },
  { "liveness_by_ipu", liveness_ipu_columns, tsr_check_liveness_ipu_row },
  { "variables", variable_columns, tsr_check_variable_row },
  { "variables_by_ipu", variable_ipu_columns, tsr_check_variable_ipu_row },
  { "variable_lifetimes", lifetime_columns, tsr_check_lifetime_row },
  { "program_variables", program_variable_columns, tsr_check_program_variable_row },
  { "vars_string_table", string_columns },
  { "equivalence_class_intervals", interval_columns, tsr_check_interval_row,
    tsr_check_interval_end },
  { "tile_vars", tile_vars_columns, tsr_check_tile_vars_row },
  { "vars_info", vars_columns, tsr_check_vars_row, tsr_check_vars_end },
  { "runs", run_columns, tsr_check_run_row },
  { "run_cycles_by_ipu", run_cycles_columns },
  { "steps", step_columns, tsr_check_step_row, tsr_check_step_end },
  { "steps_by_ipu", slice_columns, tsr_check_slice_row, tsr_check_slice_end },
  { "tile_cycles", tile_cycles_columns },
  { "blocks", block_columns, tsr_check_block_row },
  { "execution_cycle_totals", cycle_total_columns },
  { "tile_arrays", array_columns, tsr_check_array_row },
  { NULL },
};
