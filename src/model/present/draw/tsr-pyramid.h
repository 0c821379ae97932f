/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Least and largest of any range of a series in O(1): what a pixel column shows when it stands
 * for many data.  Immutable, any thread. */

#pragma once

#include "tsr-units.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TsrPyramid TsrPyramid;

/* Of values, in bytes: queries are quickest with it, and right without. */
#define TSR_PYRAMID_ALIGNMENT 64

/* @values (transfer none) must outlive the pyramid and not change; TSR_UNKNOWN values are skipped.
 * O(n), adds 12 bytes a value. */
TsrPyramid *tsr_pyramid_new (const gint64 *values, guint n);
void tsr_pyramid_free (TsrPyramid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrPyramid, tsr_pyramid_free)

/* Index of the largest / least value in [from, to), cut to [0, n); ties to the lower index;
 * TSR_NO_INDEX when there is no known value. */
guint tsr_pyramid_get_argmax (const TsrPyramid *self, guint from, guint to);
/* The values of @n ranges, from[i] to to[i], TSR_UNKNOWN where none is known, and where the largest
 * is; quicker than one by one.  @argmax (nullable). */
void tsr_pyramid_list_max (const TsrPyramid *self,
                           guint n,
                           const guint *from,
                           const guint *to,
                           gint64 *max,
                           guint32 *argmax);
/* The same with the least: both take less than twice the time of one. */
void tsr_pyramid_list_range (const TsrPyramid *self,
                             guint n,
                             const guint *from,
                             const guint *to,
                             gint64 *max,
                             guint32 *argmax,
                             gint64 *min);
/* Both values; FALSE when there is none. */
gboolean
tsr_pyramid_get_range (const TsrPyramid *self, guint from, guint to, gint64 *min, gint64 *max);

G_END_DECLS
