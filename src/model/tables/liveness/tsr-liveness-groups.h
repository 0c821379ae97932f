/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Groups of variables that are selected in a table of liveness: what the graph draws a line of.
 * Values that are replaced, never changed, so that a worker may hold them. */

#pragma once

#include "tsr-liveness-rows.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;            /* as the table has it */
  TsrLiveness *liveness; /* of which the variables are numbers */
  guint32 *variables;
  guint n;
} TsrLivenessGroup;

/* (transfer full) (element-type TsrLivenessGroup): those of @rows (guint32) of @answer (nullable),
 * at most as many as steps can be selected; none when its rows are no groups. */
GPtrArray *tsr_liveness_groups_new (const TsrTableAnswer *answer, const GArray *rows);
gboolean tsr_liveness_groups_equal (GPtrArray *a, GPtrArray *b);
/* (transfer full) */
GStrv tsr_liveness_groups_dup_names (GPtrArray *groups);
/* (transfer full): for the legend: "model/layer1 (12 variables)". */
char *tsr_liveness_group_dup_label (const TsrLivenessGroup *group);

G_END_DECLS
