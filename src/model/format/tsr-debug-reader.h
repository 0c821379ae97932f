/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor as rows: contexts in columns, texts and layers.  Streamed through a window with
 * libcbor's cbor_stream_decode; the file is never in memory.  Counts, breaks and depth are on a
 * stack of our own.  What is in a context beside the columns is stepped over. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-progress.h"
#include "tsr-source.h"

G_BEGIN_DECLS

#define TSR_DEBUG_NO_ID    G_GUINT64_CONSTANT (0)
#define TSR_DEBUG_NO_LAYER (G_MAXUINT16)
/* Values nested deeper than this end the reading.  A level takes 16 bytes of memory. */
#define TSR_DEBUG_MAX_DEPTH (1 << 20)

typedef enum
{
  TSR_DEBUG_REPLACED, /* replacedDebugContextIds */
  TSR_DEBUG_OUTLINED, /* outlinedDebugContextIds */
  TSR_DEBUG_N_IDS,
} TsrDebugIds;

G_END_DECLS
