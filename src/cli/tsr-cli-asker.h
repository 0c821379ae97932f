/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks for passwords, one-time codes and unknown host keys on the terminal that the program runs
 * in, whatever its input and output are; without a terminal it says no, as the silent one. */

#pragma once

#include "tsr-asker.h"

G_BEGIN_DECLS

#define TSR_TYPE_CLI_ASKER (tsr_cli_asker_get_type ())
G_DECLARE_FINAL_TYPE (TsrCliAsker, tsr_cli_asker, TSR, CLI_ASKER, TsrAsker)

/* (transfer full) */
TsrAsker *tsr_cli_asker_new (void);

G_END_DECLS
