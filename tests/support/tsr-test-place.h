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

G_END_DECLS
