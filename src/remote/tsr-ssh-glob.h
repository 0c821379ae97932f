/* SPDX-License-Identifier: GPL-3.0-or-later */

/* glob(3) for Include, with an end to it: a pattern over a whole disk is cut.  Any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names that are looked at, and paths that are given. */
#define TSR_SSH_GLOB_MAX_NAMES 100000
#define TSR_SSH_GLOB_MAX_PATHS 4096

/* (transfer full) (element-type char): what there is of the absolute @pattern, sorted by bytes;
 * "*", "?", "[...]" and "\".  @is_cut: there may be more. */
GPtrArray *tsr_ssh_glob (const char *pattern, gboolean *is_cut);

G_END_DECLS
