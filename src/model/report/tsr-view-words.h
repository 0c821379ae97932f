/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a view shows, as names and values: "page=memory&tiles=5".  The part of a link behind its
 * address, what a finding or a row leads to, and the state that is saved.  Any thread. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* (transfer full) (element-type utf8 utf8): an empty set of words. */
GHashTable *tsr_view_words_new (void);
/* NULL takes the word away. */
void tsr_view_words_set (GHashTable *words, const char *name, const char *value);
const char *tsr_view_words_get (GHashTable *words,
                                const char *name); /* (transfer none) (nullable) */
/* (transfer full): words as in a link, "page=memory&tiles=5"; and back: what is no pair is left
 * out. */
char *tsr_view_words_dup_text (GHashTable *words);
GHashTable *tsr_view_words_parse (const char *text);
/* The view that "page" names, or TSR_N_VIEWS. */
TsrView tsr_view_words_get_view (GHashTable *words);

G_END_DECLS
