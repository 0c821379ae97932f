/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli insights --plan: measures and a proposal, or a forecast. */

#pragma once

#include "tsr-cli.h"

G_BEGIN_DECLS

/* Opens the report and prints its plan; @ids: the forecast of these measures; "" or NULL: all
 * measures and what is proposed.  The exit status. */
int tsr_cli_print_plan (TsrCli *cli, const char *ids);

G_END_DECLS
