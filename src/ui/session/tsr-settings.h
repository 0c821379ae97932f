/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The user's preferences.  Backed by GSettings when the schema is installed, else by defaults kept
 * in memory for as long as the program runs: a missing schema must never end it.  Main thread.
 * Signal "changed" (detail: the key). */

#pragma once

#include <gio/gio.h>

#include "tsr-units.h"

G_BEGIN_DECLS

#define TSR_TYPE_SETTINGS (tsr_settings_get_type ())
G_DECLARE_FINAL_TYPE (TsrSettings, tsr_settings, TSR, SETTINGS, GObject)

/* (transfer none): the one of the program. */
TsrSettings *tsr_settings_get_default (void);
/* (transfer full): for tests; @schema_id that is not installed gives defaults only. */
TsrSettings *tsr_settings_new (const char *schema_id);
/* TRUE when changes are kept after the program ends. */
gboolean tsr_settings_is_persistent (TsrSettings *self);

/* A key that the schema does not have is a programmer's error. */
gboolean tsr_settings_get_boolean (TsrSettings *self, const char *key);
int tsr_settings_get_int (TsrSettings *self, const char *key);
char *tsr_settings_dup_string (TsrSettings *self, const char *key);
GStrv tsr_settings_dup_strv (TsrSettings *self, const char *key);
void tsr_settings_set_boolean (TsrSettings *self, const char *key, gboolean value);
void tsr_settings_set_int (TsrSettings *self, const char *key, int value);
void tsr_settings_set_string (TsrSettings *self, const char *key, const char *value);
void tsr_settings_set_strv (TsrSettings *self, const char *key, const char *const *value);

/* The units in which bytes are shown. */
TsrUnits tsr_settings_get_units (TsrSettings *self);

/* Whether @word is in the list under @key, and adding or taking it away: sections that are folded
 * and the like. */
gboolean tsr_settings_has_word (TsrSettings *self, const char *key, const char *word);
void tsr_settings_set_word (TsrSettings *self, const char *key, const char *word, gboolean in);

/* (transfer none): "key", "type", "default as GVariant text" triples, for the test that compares
 * them with the schema. */
const char *const *tsr_settings_peek_defaults (guint *n_keys);

G_END_DECLS
