/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tests of each rule of Insights; a rule without an entry fails. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void add_out_of_memory_tests (void);
void add_near_capacity_tests (void);
void add_tile_imbalance_tests (void);
void add_gaps_on_full_tiles_tests (void);
void add_peak_spike_tests (void);
void add_long_lived_activations_tests (void);
void add_fp32_at_peak_tests (void);
void add_resident_state_tests (void);
void add_exchange_code_tests (void);
void add_vertex_memory_tests (void);
void add_io_code_and_headers_tests (void);
void add_instrumentation_tests (void);
void add_one_off_code_tests (void);
void add_compute_imbalance_tests (void);
void add_idle_tiles_tests (void);
void add_exchange_bound_tests (void);
void add_host_wait_tests (void);
void add_unoverlapped_io_tests (void);
void add_stage_imbalance_tests (void);
void add_tiny_steps_tests (void);
void add_operation_cycles_tests (void);
void add_operation_memory_tests (void);

G_END_DECLS
