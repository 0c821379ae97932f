/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program: command line, windows, what is the same for all windows. */

#pragma once

#include "tsr-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_APPLICATION (tsr_application_get_type ())
G_DECLARE_FINAL_TYPE (TsrApplication, tsr_application, TSR, APPLICATION, AdwApplication)

/* With TESSERA_NON_UNIQUE in the environment each start is a program of its own (tests). */
TsrApplication *tsr_application_new (void);
TsrSettings *tsr_application_get_settings (TsrApplication *self);

/* (transfer full) (nullable): where the demo report lies; NULL when it is not installed. */
char *tsr_application_dup_demo_path (void);

G_END_DECLS
