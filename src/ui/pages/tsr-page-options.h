/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of a page: one table (TsrViewOption) from which its properties, its actions, the
 * settings and the words of links are made; the values are the view's state, which the session
 * has. */

#pragma once

#include "tsr-page.h"

G_BEGIN_DECLS

/* The options of these places in the table, a bit each, have other values: show them. */
typedef void (*TsrOptionChanged) (TsrPage *self, guint64 changed);

/* For class_init: a property and an action @prefix.name for each of @options with a name, a switch
 * or a choice.  tsr_page_save_words
 * and tsr_page_load_words care for their words before those of the page's own. */
void tsr_page_class_set_options (TsrPageClass *klass,
                                 const char *prefix,
                                 const TsrViewOption *options,
                                 guint n_options,
                                 TsrOptionChanged changed);
/* For set_session: they have their values from here on, and as usual before. */
void tsr_page_restore_options (TsrPage *self, TsrSession *session);

guint tsr_page_get_option (TsrPage *self, guint option);
const char *tsr_page_get_option_text (TsrPage *self, guint option);
void tsr_page_set_option (TsrPage *self, guint option, guint value);
/* (nullable): NULL before, and of a page without options. */
TsrViewState *tsr_page_get_view_state (TsrPage *self);

G_END_DECLS
