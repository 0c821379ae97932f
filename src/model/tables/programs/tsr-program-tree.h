/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of programs: the tree and the flat list, over places. */

#pragma once

#include "tsr-program-rows.h"

G_BEGIN_DECLS

/* (transfer full): without rows where there is nothing; NULL and @error: cancelled. */
TsrTableAnswer *tsr_program_tree_new (const TsrProgramQuestion *question,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS
