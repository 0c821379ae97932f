/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reports of a few tiles with random variables, for the tests of TsrPlan. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full): a folder with a report that is drawn from @random; @round tells what it has:
 * every second has mostly what could be recomputed, every fourth many steps and intervals, every
 * fifth sizes and addresses that are not told. */
char *plan_report_new (GRand *random, guint round);

G_END_DECLS
