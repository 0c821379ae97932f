/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Says what a file is that is no SQLite database.  Only source/ includes this. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_RECOGNISE_BYTES 512 /* of the head, that are enough */

/* Sets @error to NOT_A_REPORT or UNSUPPORTED: what the file @name, which begins with @head, is, and
 * what to do. */
void tsr_recognise (const char *name, const guint8 *head, gsize length, GError **error);

G_END_DECLS
