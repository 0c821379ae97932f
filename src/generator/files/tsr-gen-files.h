/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files next to profile.pop.  Each function writes one new file. */

#pragma once

#include "tsr-gen-model.h"

G_BEGIN_DECLS

/* One ELF file for each tile (the first @n_tiles; 0: all) whose .text is as large as the tile's
 * memory.  @full: the file contains the bytes of .text (as holes if the file system supports them);
 * else only the section header has the size. */
gboolean tsr_gen_archive_write (
    const TsrGenModel *model, const char *path, guint n_tiles, gboolean full, GError **error);
/* Contexts are added until the file has at least @size bytes. */
gboolean
tsr_gen_debug_write (const TsrGenModel *model, const char *path, guint64 size, GError **error);
/* Writes nothing for a preset without a framework. */
gboolean tsr_gen_framework_write (const TsrGenModel *model, const char *path, GError **error);
gboolean tsr_gen_app_write (const TsrGenModel *model, const char *path, GError **error);

G_END_DECLS
