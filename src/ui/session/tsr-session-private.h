/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between the parts of the session.  Only session/ includes this. */

#pragma once

#include "tsr-session.h"

G_BEGIN_DECLS

/* Applies tiles, and steps and source, of @words now where the memory and the liveness are there,
 * else when they come. */
void tsr_session_want_words (TsrSession *self, GHashTable *words);
/* The memory, the liveness must be there. */
void tsr_session_apply_tiles (TsrSession *self, GHashTable *words);
void tsr_session_apply_steps (TsrSession *self, GHashTable *words);

G_END_DECLS
