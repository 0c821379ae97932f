/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of algorithms in the syntax of ssh_config: "+x" adds to the defaults, "-x" removes (with
 * patterns), "^x" puts first. libssh 0.10 does not understand this syntax. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean tsr_ssh_algorithms_are_relative (const char *told);
/* (transfer full): @told (nullable) applied to @usual, which ends with NULL. */
GStrv tsr_ssh_algorithms_merge (const char *told, const char *const *usual);

G_END_DECLS
