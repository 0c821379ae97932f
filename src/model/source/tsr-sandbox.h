/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether this program runs in a sandbox of Flatpak, and what of the machine that hides.  Any
 * thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* By the file that Flatpak puts there, /.flatpak-info, or the one that the environment variable
 * TSR_FLATPAK_INFO names, for tests. */
gboolean tsr_sandbox_is_here (void);

/* Whether the sandbox shows nothing of the machine at @path (absolute, of this machine): what is
 * not there may be there outside.  FALSE without a sandbox. */
gboolean tsr_sandbox_hides (const char *path);

G_END_DECLS
