/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How people read a location (tsr-location.h): the host and the path in it, apart from each other.
 * Texts are UTF-8.  Any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): "user@host:port" with what the location tells, and the name of its
 * host key where it has one; NULL for a path of this machine, and for what is no location. */
char *tsr_location_dup_host (const char *location);
/* (transfer full): the path alone; @location itself where it has no host. */
char *tsr_location_dup_shown_path (const char *location);
/* (transfer full): both in one line, for titles and tooltips. */
char *tsr_location_dup_text (const char *location);

G_END_DECLS
