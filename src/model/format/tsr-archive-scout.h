/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the members of an archive may begin that has no index of them and whose members differ in
 * size, for sources where a read costs a round trip.  One header names the next, so they can only
 * be followed one after the other; but that can begin at many places at once, with what looks like
 * a header there:
 *
 *   |h--------h-----h---|--....h-------h------|-..h----h--------h--|   h: header, ....: looked at
 *    chain 0 follows ---> joins chain 1 ------> joins chain 2 ----->
 *
 * All chains have one request under way, and each that is answered sends its next, so that a round
 * trip brings a header of each of them.  What is found is good for asking early and for nothing
 * else: content may hold what looks like a header or like an archive.  Only tsr-archive-ahead.c
 * includes this. */

#pragma once

#include "tsr-progress.h"
#include "tsr-source.h"

G_BEGIN_DECLS

/* Begins at @from, where there is a header, and fetches what is around each header that it finds;
 * @stride: bytes of a usual member.  Appends where headers may be to @offsets (gint64), ascending;
 * of those that there are some may be missing.  Returns the byte up to which it looked: @from when
 * so little is left that it would not be worth it, or nothing could be read.  @progress (nullable)
 * moves with it. */
gint64 tsr_archive_scout (TsrSource *source,
                          gint64 from,
                          gint64 stride,
                          GArray *offsets,
                          TsrProgress *progress,
                          GCancellable *cancellable);

G_END_DECLS
