/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program: command line, windows, what is the same for all windows. */

#pragma once

#include "tsr-dialog-asker.h"
#include "tsr-location.h"
#include "tsr-report.h"
#include "tsr-settings.h"

G_BEGIN_DECLS

#define TSR_TYPE_APPLICATION (tsr_application_get_type ())
G_DECLARE_FINAL_TYPE (TsrApplication, tsr_application, TSR, APPLICATION, AdwApplication)

/* With TESSERA_NON_UNIQUE in the environment each start is a program of its own (tests). */
TsrApplication *tsr_application_new (void);
TsrSettings *tsr_application_get_settings (TsrApplication *self);

/* (transfer none): connections and cache for everything of this program that is remote; made with
 * the first call.  Who answers their questions. */
TsrRemote *tsr_application_get_remote (TsrApplication *self);
TsrDialogAsker *tsr_application_get_asker (TsrApplication *self);

/* (transfer full): the place where @location is, "ssh://..." or a path; @path (transfer full) in
 * it. Nothing is connected.  TSR_ERROR_ARGUMENT. */
TsrPlace *tsr_application_open_place (TsrApplication *self,
                                      const char *location,
                                      char **path,
                                      GError **error);

/* (transfer full) (nullable): where the demo report lies; NULL when it is not installed. */
char *tsr_application_dup_demo_path (void);
gboolean tsr_application_is_demo (TsrReport *report);

G_END_DECLS
