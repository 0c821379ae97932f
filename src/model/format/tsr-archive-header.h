/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of an archive's member, as "ar" writes it: 60 bytes of text.  Only tsr-archive*.c
 * include this. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_AR_HEADER_LENGTH 60
/* Where reading is slow, this is fetched around each header: the end of the member before it, where
 * its sections stand, and what the walk reads. */
#define TSR_AR_BEFORE 4096
#define TSR_AR_BEHIND 1024

/* A header's fields, taken apart. */
typedef struct
{
  char name[17]; /* as it stands there, trailing spaces cut */
  gint64 size;   /* of the data, a BSD name included */
} TsrArHeader;

/* Decimal digits (at most 18), then spaces; nothing else. */
gboolean tsr_ar_parse_decimal (const char *text, gsize length, gint64 *value);
/* @bytes: TSR_AR_HEADER_LENGTH of them. */
gboolean tsr_ar_parse_header (const char *bytes, TsrArHeader *header);
/* The same for bytes that are content, most likely: the fields that nobody needs are looked at, too
 * (a name without control characters, time, owner, group and mode numbers or blank). */
gboolean tsr_ar_is_likely (const char *bytes, TsrArHeader *header);
/* Where the next header is: members begin at even bytes. */
gint64 tsr_ar_get_next (gint64 offset, const TsrArHeader *header);

G_END_DECLS
