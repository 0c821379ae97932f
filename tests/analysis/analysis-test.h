/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of analysis share: a report that opens without an error. */

#pragma once

#include "tsr-report.h"
#include "tsr-test.h"

G_BEGIN_DECLS

/* (transfer full) */
TsrReport *analysis_open_report (const char *folder, TsrLoadFlags flags);
/* (transfer full): @preset made anew in a folder of its own, with @sql (nullable) done to it. */
TsrReport *
analysis_open_preset (const char *preset, const char *sql, TsrLoadFlags flags, char **folder);

G_END_DECLS
