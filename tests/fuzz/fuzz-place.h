/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A place in memory for fuzz targets: folders, files and links of any names. */

#pragma once

#include "tsr-folder.h"

G_BEGIN_DECLS

#define FUZZ_TYPE_PLACE (fuzz_place_get_type ())
G_DECLARE_FINAL_TYPE (FuzzPlace, fuzz_place, FUZZ, PLACE, TsrPlace)

TsrPlace *fuzz_place_new (void);

typedef enum
{
  FUZZ_FOLDER,
  FUZZ_FILE,
  FUZZ_LINK, /* to a file of the same content */
  FUZZ_FOLDER_LINK,
  FUZZ_DANGLING,
  FUZZ_DENIED_FILE,
  FUZZ_DENIED_FOLDER,
} FuzzKind;

/* @path is absolute; the folders above it are made.  @bytes is nullable. */
void fuzz_place_add (TsrPlace *place, const char *path, FuzzKind kind, GBytes *bytes);
gboolean fuzz_place_has_file (TsrPlace *place, const char *path);

G_END_DECLS
