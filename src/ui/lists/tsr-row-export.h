/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows as CSV, made in a worker: a text for the clipboard, or a file.  The callbacks come to the
 * main thread. */

#pragma once

#include "tsr-rows.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The clipboard takes no more rows than this (TSR_ERROR_LIMIT). */
#define TSR_ROW_EXPORT_MAX_COPY 1000000

/* Rows of @order, of these only the ones in @selected (nullable: all; rows of the table).  @file
 * (nullable): written there, else a text. */
void tsr_row_export_async (TsrRows *rows,
                           TsrRowOrder *order,
                           GtkBitset *selected,
                           GFile *file,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer data);
/* (transfer full): the text; "" when it went to a file; NULL and @error. */
char *tsr_row_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS
