/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Least and largest of any range of a series in O(log n): what a pixel column shows when it stands
 * for many data.  Immutable, any thread. */

#pragma once

#include "tsr-units.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TsrPyramid TsrPyramid;

/* @values (transfer none) must outlive the pyramid and not change; TSR_UNKNOWN values are skipped.
 * O(n), adds n / 7 x 8 bytes. */
TsrPyramid *tsr_pyramid_new (const gint64 *values, guint n);
void tsr_pyramid_free (TsrPyramid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrPyramid, tsr_pyramid_free)

/* Index of the largest / least value in [from, to), cut to [0, n); ties to the lower index;
 * TSR_NO_INDEX when there is no known value. */
guint tsr_pyramid_get_argmax (const TsrPyramid *self, guint from, guint to);
guint tsr_pyramid_get_argmin (const TsrPyramid *self, guint from, guint to);
/* Both values; FALSE when there is none. */
gboolean
tsr_pyramid_get_range (const TsrPyramid *self, guint from, guint to, gint64 *min, gint64 *max);

G_END_DECLS
