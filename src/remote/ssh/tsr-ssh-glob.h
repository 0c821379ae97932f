/* SPDX-License-Identifier: GPL-3.0-or-later */

/* glob(3) for Include, with a limit: a pattern that covers a whole disk is cut.  Any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits for names that are looked at, and for paths in the result. */
#define TSR_SSH_GLOB_MAX_NAMES 100000
#define TSR_SSH_GLOB_MAX_PATHS 4096

/* (transfer full) (element-type char): the paths that match the absolute @pattern, sorted by bytes;
 * "*", "?", "[...]" and "\".  @is_cut: there may be more. */
GPtrArray *tsr_ssh_glob (const char *pattern, gboolean *is_cut);

G_END_DECLS
