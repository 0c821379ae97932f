/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of an archive's member, as "ar" writes it: 60 bytes of text.  Only tsr-archive*.c
 * include this. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_AR_HEADER_LENGTH 60
/* What a slow source fetches around each header: the end of the member before it, which has its
 * sections, and what the walk reads. */
#define TSR_AR_BEFORE 4096
#define TSR_AR_BEHIND 1024

/* The parsed fields of a header. */
typedef struct
{
  char name[17]; /* without trailing spaces */
  gint64 size;   /* of the data, including a BSD name */
} TsrArHeader;

/* Decimal digits (at most 18), then spaces; nothing else. */
gboolean tsr_archive_header_parse_decimal (const char *text, gsize length, gint64 *value);
/* @bytes: TSR_AR_HEADER_LENGTH of them. */
gboolean tsr_archive_header_parse (const char *bytes, TsrArHeader *header);
/* The same, but stricter, for bytes that are most likely not a header: checks the other fields, too
 * (the name has no control characters; time, owner, group and mode are numbers or blank). */
gboolean tsr_archive_header_is_likely (const char *bytes, TsrArHeader *header);
/* Position of the next header: members begin at even bytes. */
gint64 tsr_archive_header_get_next (gint64 offset, const TsrArHeader *header);

G_END_DECLS
