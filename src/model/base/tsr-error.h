/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The error domain of everything that reads a report.  A message says what failed, on what, where
 * (file, table, row or byte offset), then the cause, then what the user can do, without a full stop
 * at the end.  Plain I/O errors stay G_IO_ERROR. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_ERROR (tsr_error_quark ())

typedef enum
{
  TSR_ERROR_NOT_A_REPORT, /* nothing that we can read: empty folder, text, another format */
  TSR_ERROR_UNSUPPORTED,  /* a known format that we do not read */
  TSR_ERROR_TRUNCATED,    /* the file is shorter than the lengths in it */
  TSR_ERROR_CORRUPT,      /* the file contradicts itself */
  TSR_ERROR_LIMIT,        /* a count or a depth is above our limits */
  TSR_ERROR_MISSING_PART, /* a table, column or file that the request needs */
  TSR_ERROR_BUSY,         /* another program is writing the file */
  TSR_ERROR_CHANGED,      /* the file changed while it was read */
  TSR_ERROR_ARGUMENT,     /* what the user typed cannot be parsed */
} TsrError;

GQuark tsr_error_quark (void);

G_END_DECLS
