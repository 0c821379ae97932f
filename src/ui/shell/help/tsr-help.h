/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The help window: the chapters of the manual, with a search over all of them. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_HELP (tsr_help_get_type ())
G_DECLARE_FINAL_TYPE (TsrHelp, tsr_help, TSR, HELP, AdwWindow)

TsrHelp *tsr_help_new (GtkWindow *parent);
/* A chapter, "memory", or a heading in one, "memory#gaps"; an unknown one shows the first. */
void tsr_help_show_topic (TsrHelp *self, const char *target);
/* (nullable) the chapter that is shown. */
const char *tsr_help_get_topic (TsrHelp *self);
/* Number of places where @text was found in all chapters; the first is shown. */
guint tsr_help_search (TsrHelp *self, const char *text);

G_END_DECLS
