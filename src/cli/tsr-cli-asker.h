/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks for passwords, one-time codes and unknown host keys on the program's terminal, wherever its
 * input and output go.  Without a terminal it refuses every question, like the silent asker. */

#pragma once

#include "tsr-asker.h"

G_BEGIN_DECLS

#define TSR_TYPE_CLI_ASKER (tsr_cli_asker_get_type ())
G_DECLARE_FINAL_TYPE (TsrCliAsker, tsr_cli_asker, TSR, CLI_ASKER, TsrAsker)

/* (transfer full) */
TsrAsker *tsr_cli_asker_new (void);

G_END_DECLS
