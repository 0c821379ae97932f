/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tabs under the liveness graph are called and offer. */

#pragma once

#include "tsr-liveness-rows.h"

G_BEGIN_DECLS

/* Texts are to be translated. */
typedef struct
{
  const char *nick, *title, *tooltip, *filter;
  gboolean groups;      /* rows of variables, which may be grouped */
  const char *modes[3]; /* the second is "by_tile" of cycles, "dying" of A to B */
} TsrLivenessTabInfo;
extern const TsrLivenessTabInfo tsr_liveness_tab_infos[TSR_LIVENESS_N_TABS];

/* "always-live", "peak" ...: links, settings; FALSE for no tab. */
const char *tsr_liveness_tab_get_nick (TsrLivenessTab tab);
gboolean tsr_liveness_tab_parse (const char *nick, TsrLivenessTab *tab);

G_END_DECLS
