/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers and strings in the encoding that ssh, its agent and SFTP share (RFC 4251, section 5).
 * Input comes from somebody who is not trusted: every length is checked against the bytes that are
 * left. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The rest of a packet. */
typedef struct
{
  const guint8 *bytes;
  gsize left;
} TsrWire;

/* FALSE if the packet is too short; then nothing is consumed. */
gboolean tsr_wire_take_u8 (TsrWire *wire, guint8 *value);
gboolean tsr_wire_take_u32 (TsrWire *wire, guint32 *value);
gboolean tsr_wire_take_u64 (TsrWire *wire, guint64 *value);
/* @bytes points into the packet. */
gboolean tsr_wire_take_string (TsrWire *wire, const guint8 **bytes, gsize *length);

void tsr_wire_put_u8 (GByteArray *bytes, guint8 value);
void tsr_wire_put_u32 (GByteArray *bytes, guint32 value);
void tsr_wire_put_u64 (GByteArray *bytes, guint64 value);
void tsr_wire_put_string (GByteArray *bytes, const void *string, gsize length);

G_END_DECLS
