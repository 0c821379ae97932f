/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrLifetimeRows: the variables that are not always live on a source, with the steps
 * at which they are.  Structures of arrays; filled by one thread, immutable afterwards. */

#pragma once

#include "tsr-lifetime-chart.h"

G_BEGIN_DECLS

#define TSR_N_LIFETIME_ORDERS 3

struct _TsrLifetimeRows
{
  gatomicrefcount refs;
  guint n; /* rows, in order of variables */
  guint n_steps;
  char *source_label;
  guint32 *variable;
  gint64 *bytes;        /* the most at any step; TSR_UNKNOWN when those of any step are */
  guint32 *birth, *end; /* first step, and the one after the last */
  gsize *start;         /* n + 1: intervals of row r are start[r] .. start[r + 1] - 1 */
  guint32 *from, *to;   /* half-open, ascending, apart from one another */
  guint32 *order[TSR_N_LIFETIME_ORDERS]; /* the row at each place */
};

/* Another reference; tsr_lifetime_rows_free takes one away. */
TsrLifetimeRows *tsr_lifetime_rows_ref (TsrLifetimeRows *rows);

G_END_DECLS
