/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line under the header that says what the numbers of a page are: "Per replica · all tiles ·
 * excluding gaps · selection: tiles 7, 9".  Each part is the control that changes it. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SCOPE_LINE (tsr_scope_line_get_type ())
G_DECLARE_FINAL_TYPE (TsrScopeLine, tsr_scope_line, TSR, SCOPE_LINE, GtkWidget)

TsrScopeLine *tsr_scope_line_new (void);

/* Each appends a part and returns it (transfer none).  @tooltip (nullable) explains it and is its
 * accessible description. */
GtkWidget *tsr_scope_line_add_text (TsrScopeLine *self, const char *text, const char *tooltip);
GtkWidget *tsr_scope_line_add_button (TsrScopeLine *self,
                                      const char *text,
                                      const char *tooltip,
                                      const char *action_name);
GtkWidget *tsr_scope_line_add_popover (TsrScopeLine *self,
                                       const char *text,
                                       const char *tooltip,
                                       GtkWidget *popover);

/* Changes what @part (from one of the above) says; its dot goes with it when it is hidden. */
void tsr_scope_line_set_part_text (TsrScopeLine *self, GtkWidget *part, const char *text);
/* @brief (nullable) is shown instead of @text, which is in the tooltip and in copies. */
void tsr_scope_line_set_part_texts (TsrScopeLine *self,
                                    GtkWidget *part,
                                    const char *text,
                                    const char *brief);
void tsr_scope_line_set_part_visible (TsrScopeLine *self, GtkWidget *part, gboolean visible);

/* @told: what stands beside the line says the same, so the part is in the text and not on the
 * screen. */
void tsr_scope_line_set_part_told (TsrScopeLine *self, GtkWidget *part, gboolean told);
/* (transfer full): the whole line as text, for "copy" and for tests. */
char *tsr_scope_line_dup_text (TsrScopeLine *self);
/* (transfer full): the part of it that there is room for. */
char *tsr_scope_line_dup_shown (TsrScopeLine *self);

G_END_DECLS
