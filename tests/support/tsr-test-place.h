/* SPDX-License-Identifier: GPL-3.0-or-later */

/* This machine's files for a test that looks into how they are read, or would have them far away.
 */

#pragma once

#include "tsr-folder.h"

G_BEGIN_DECLS

typedef struct
{
  /* Each (nullable), on the thread that reads.  FALSE: the read fails, with @error. */
  gboolean (*read) (TsrSource *source, gint64 offset, gsize length, GError **error);
  /* Of a place that has it reading is slow, as of a remote one. */
  void (*prefetch) (TsrSource *source, const TsrSourceRange *ranges, guint n);
} TsrTestPlaceHooks;

/* (transfer full): @hooks must live longer. */
TsrPlace *tsr_test_place_new (const TsrTestPlaceHooks *hooks);

/* (transfer full): one of which a read fails with G_IO_ERROR_HOST_UNREACHABLE, where
 * tsr_test_fail_read() says so. */
TsrPlace *tsr_test_failing_place_new (void);
/* From now on @n reads succeed, in whichever thread, and the next one does not; G_MAXINT: all do.
 */
void tsr_test_fail_read (int n);
/* Whether it has failed since. */
gboolean tsr_test_has_read_failed (void);

G_END_DECLS
