/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory that is short once: a program with this file has its own g_try_malloc() and its like in
 * place of GLib's.  Any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on memory that may be short is there @n times, then once not. */
void short_memory_begin (int n);
/* It is there again; whether it was short meanwhile. */
gboolean short_memory_end (void);

G_END_DECLS
