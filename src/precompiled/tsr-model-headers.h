/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the rooms without a window compile once each (meson's c_pch), since reading it again for
 * each file is a third of the time of a build.  A file includes what it needs all the same: builds
 * with -Db_pch=false do not know this. */

#include <glib-object.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
