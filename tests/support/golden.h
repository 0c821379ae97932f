/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list of what a test walked through, against sums of one that was looked at.
 *
 * The file holds a line for each section ("## name") of the list, with its size and sums, behind
 * what was looked at and an empty line; the whole list is written to the working folder, to compare
 * it with that of another build.  With TESSERA_GOLDEN=1 the file is written anew: who does that
 * compares the two whole lists, looks at what is new, and says at the beginning of the file what
 * at.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ends the test at the first section that is another. */
void golden_compare (const char *golden, const char *list);
/* Whether the file holds @section, a heading and its lines, as it is. */
gboolean golden_has (const char *golden, const char *section);

G_END_DECLS
