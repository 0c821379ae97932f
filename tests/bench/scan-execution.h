/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The yardstick of all that is done with an execution. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Seconds of a bare one-threaded sqlite3 scan of the columns of steps and steps_by_ipu that are
 * loaded; negative when it failed. */
double bench_scan_execution (const char *folder);

G_END_DECLS
