/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of steps_by_ipu as plain SQL gives them, and what `trace` prints of each IPU compared with
 * loops over them. */

#pragma once

#include "cli-test.h"

G_BEGIN_DECLS

/* One row of steps_by_ipu with what belongs to its step. */
typedef struct
{
  gint64 step, ipu, run, start, end, in, out;
  char *type;
  double balance;
  gboolean leading; /* a StreamCopyBegin before which its run did nothing else on that IPU */
} CliSlice;

/* A cell's number; G_MININT64 when it is empty. */
gint64 cli_slices_parse (const char *text);

/* (transfer full) (element-type CliSlice): every row, by step and IPU. */
GPtrArray *cli_slices_read (const char *folder);

/* Cycles of @type in @object ("cyclesByType") of an entry of "ipus"; 0 without. */
gint64 cli_slices_get_cycles (JsonNode *ipu, const char *object, const char *type);

/* Every entry of "ipus" in [from, to) with @excluded (nullable) left out; of the steps of @run, or
 * of all when it is negative. */
void cli_slices_check (
    GPtrArray *slices, JsonNode *root, gint64 run, gint64 from, gint64 to, const char *excluded);

G_END_DECLS
