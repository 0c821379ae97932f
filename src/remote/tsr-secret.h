/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A password, passphrase or one-time code, in pages that are locked into memory, excluded from core
 * dumps, and wiped when the last reference is dropped.  If memory cannot be locked
 * (RLIMIT_MEMLOCK), it is still wiped.  Never printed. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TsrSecret TsrSecret;

#define TSR_SECRET_MAX 4096

/* Copies @text; the caller wipes its own (tsr_secret_wipe).  Cut at TSR_SECRET_MAX - 1 bytes. */
TsrSecret *tsr_secret_new (const char *text);
TsrSecret *tsr_secret_ref (TsrSecret *self);
void tsr_secret_unref (TsrSecret *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSecret, tsr_secret_unref)
/* (transfer none) */
const char *tsr_secret_peek (TsrSecret *self);
/* Overwrites @length bytes in a way that the compiler cannot optimise away. */
void tsr_secret_wipe (void *bytes, gsize length);

G_END_DECLS
