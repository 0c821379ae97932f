/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A remote file as a source: TsrRemoteBlocks behind the interface of TsrSource.  Only remote/
 * includes this. */

#pragma once

#include "tsr-remote-blocks.h"

G_BEGIN_DECLS

#define TSR_TYPE_REMOTE_SOURCE (tsr_remote_source_get_type ())
G_DECLARE_FINAL_TYPE (TsrRemoteSource, tsr_remote_source, TSR, REMOTE_SOURCE, TsrSource)

/* Takes @blocks and starts to fetch the first ones; @name is shown to the user. */
TsrSource *
tsr_remote_source_new (TsrRemoteBlocks *blocks, const char *name, const TsrSourceStamp *stamp);
TsrRemoteBlocks *tsr_remote_source_peek_blocks (TsrRemoteSource *self);

G_END_DECLS
