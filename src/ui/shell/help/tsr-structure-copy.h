/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The structure of a report's profile.pop as text for a bug report, made in a worker. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

void tsr_structure_copy_async (TsrReport *report, GAsyncReadyCallback callback, gpointer data);
/* (transfer full): JSON without one string of the user's. */
char *tsr_structure_copy_finish (GAsyncResult *result, GError **error);

G_END_DECLS
