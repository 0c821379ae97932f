/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of algorithms as ssh_config has them: "+x" adds to the usual ones, "-x" takes away (with
 * patterns), "^x" puts first. libssh 0.10 takes such a list for one without anything it knows. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean tsr_ssh_algorithms_are_relative (const char *told);
/* (transfer full): @told (nullable) applied to @usual, which ends with NULL. */
GStrv tsr_ssh_algorithms_merge (const char *told, const char *const *usual);

G_END_DECLS
