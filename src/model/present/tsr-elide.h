/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where a name is cut that has no room, so that it does not read like those around it: paths of
 * programs often differ in the middle only, which is what a cut in the middle takes away.  Values;
 * any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_ELIDE_MIDDLE, /* head and tail stay */
  TSR_ELIDE_START,  /* the tail stays */
  TSR_ELIDE_BOTH,   /* what differs stays, from a part's begin on; what follows is cut at its end */
} TsrElideForm;

typedef struct
{
  TsrElideForm form;
  gsize from; /* BOTH: byte of the text at which what is shown begins */
} TsrElide;

/* How @text is cut to @fit characters beside @others (UTF-8, may hold @text itself): the first form
 * in the order above in which no other that has no room either reads the same.  O(n_others). */
TsrElide tsr_elide_choose (const char *text, const char *const *others, guint n_others, guint fit);

G_END_DECLS
