/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looks for members in an archive that has no symbol index and whose members differ in size, for
 * sources where a read costs a round trip.  Each header leads to the next, so a chain of headers
 * can only be followed step by step; but many chains can be followed at once, from places where
 * something looks like a header:
 *
 *   |h--------h-----h---|--....h-------h------|-..h----h--------h--|   h: header, ....: looked at
 *    chain 0 follows ---> joins chain 1 ------> joins chain 2 ----->
 *
 * Every chain has one request in flight and sends the next when it is answered, so each round trip
 * brings a header for each chain.  The result is good for prefetching and nothing else: the content
 * of a member may look like a header or like an archive.  Only tsr-archive-ahead.c includes this.
 */

#pragma once

#include "tsr-progress.h"
#include "tsr-source.h"

G_BEGIN_DECLS

/* Starts at @from, where there is a header, and fetches what is around each header that it finds;
 * @stride: size of a usual member.  Appends possible positions of headers to @offsets (gint64),
 * ascending; some may be missing.  Returns the byte up to which it looked: @from if too little is
 * left to be worth it, or nothing could be read.  @progress (nullable) moves with it. */
gint64 tsr_archive_scout (TsrSource *source,
                          gint64 from,
                          gint64 stride,
                          GArray *offsets,
                          TsrProgress *progress,
                          GCancellable *cancellable);

G_END_DECLS
