/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The yardstick of all that is done with lowered variables. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Seconds of a bare one-threaded sqlite3 scan of the columns of vars_info that are loaded; negative
 * when it failed. */
double bench_scan_lowered (const char *folder);

G_END_DECLS
