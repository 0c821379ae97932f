/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes messages in the wire format of protocol buffers field by field: varints, doubles, texts
 * and complete messages.  There is no schema: the caller knows the field numbers.  One thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TsrProto TsrProto;

TsrProto *tsr_proto_new (void);
void tsr_proto_free (TsrProto *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrProto, tsr_proto_free)
void tsr_proto_reset (TsrProto *self); /* keeps its memory */
const guint8 *tsr_proto_peek (const TsrProto *self);
gsize tsr_proto_get_size (const TsrProto *self);

void tsr_proto_uint (TsrProto *self, guint field, guint64 value); /* uint32, uint64, enum, bool */
void tsr_proto_int (TsrProto *self, guint field, gint64 value);   /* int64 */
void tsr_proto_double (TsrProto *self, guint field, double value);
/* @length bytes, or -1: up to the NUL.  Valid UTF-8. */
void tsr_proto_text (TsrProto *self, guint field, const char *text, gssize length);
void tsr_proto_message (TsrProto *self, guint field, const TsrProto *message);

G_END_DECLS
