/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The error domain of everything that reads a report.  A message says what
 * failed, on what, where (file, table, row or byte offset), then the cause, then
 * what the user can do; it has no trailing stop.  Plain I/O errors keep
 * G_IO_ERROR. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_ERROR (tsr_error_quark ())

typedef enum
{
  TSR_ERROR_NOT_A_REPORT, /* nothing here that we read: empty folder, text, other format */
  TSR_ERROR_UNSUPPORTED,  /* we know what it is and do not read it */
  TSR_ERROR_TRUNCATED,    /* the file ends before its own lengths say */
  TSR_ERROR_CORRUPT,      /* the file contradicts itself */
  TSR_ERROR_LIMIT,        /* a count or depth beyond what we accept */
  TSR_ERROR_MISSING_PART, /* a table, column or file that the request needs */
  TSR_ERROR_BUSY,         /* another program is writing the file */
  TSR_ERROR_CHANGED,      /* the file changed while it was read */
  TSR_ERROR_ARGUMENT,     /* what the user typed cannot be read */
} TsrError;

GQuark tsr_error_quark (void);

G_END_DECLS
