/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds reports below a folder that is not a report itself, and what both searches need from a
 * listing.  Private to tsr-report-files.c. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-folder.h"

G_BEGIN_DECLS

G_END_DECLS
