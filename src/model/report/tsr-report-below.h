/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds reports below a folder that is not a report itself, and what both searches need from a
 * listing.  Private to tsr-report-files.c. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-folder.h"

G_BEGIN_DECLS

/* (transfer full): the path of @name in @folder. */
char *tsr_report_join (const char *folder, const char *name);

/* (transfer none) (nullable): the entry of that name; whether it is an existing file. */
const TsrFolderEntry *tsr_report_lookup (GPtrArray *entries, const char *name);
gboolean tsr_report_is_file (const TsrFolderEntry *entry);

/* TRUE for profile_<random>.pop, the name while the engine lives. */
gboolean tsr_report_is_crash_name (const char *name);
/* (transfer none) (nullable): the newest such file, the first by name if several are equally new;
 * *n is their number. */
const TsrFolderEntry *tsr_report_find_crash_profile (GPtrArray *entries, guint *n);

/* (transfer full) (nullable) (element-type filename): the reports one and two levels below @folder,
 * whose listing is @entries, in natural order.  NULL only when cancelled.  @diagnostics is
 * nullable. */
GPtrArray *tsr_report_find_below (TsrPlace *place,
                                  const char *folder,
                                  GPtrArray *entries,
                                  TsrDiagnostics *diagnostics,
                                  GCancellable *cancellable,
                                  GError **error);

G_END_DECLS
