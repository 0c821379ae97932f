/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of one view in one window: switches, and choices of a few values.  A table says what
 * each is called, in links and in the settings; from it follow the properties and actions of the
 * page (tsr_page_class_set_options) and the words of links.  The session has it, so it is there
 * before the page and after it.  Main thread.
 *
 * Signal "changed" (guint): the option of that place has another value. */

#pragma once

#include "tsr-settings.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name; /* of the property; and of the action, behind the page's prefix */
  const char *word; /* of links */
  guint usual;
  /* (nullable): of a choice, the name of each of @n_values; NULL for a switch. */
  const char *(*get_nick) (guint value);
  guint n_values;
  const char *setting; /* (nullable): where it is kept for other windows */
  gboolean is_named;   /* links say it although it is as usual */
} TsrViewOption;

#define TSR_TYPE_VIEW_STATE (tsr_view_state_get_type ())
G_DECLARE_FINAL_TYPE (TsrViewState, tsr_view_state, TSR, VIEW_STATE, GObject)

/* The first option is one that links always name: words that name it say all that there is, so that
 * what they do not name is as usual; others, as of a finding, leave the rest alone. */
TsrViewState *
tsr_view_state_new (TsrSettings *settings, const TsrViewOption *options, guint n_options);

guint tsr_view_state_get (TsrViewState *self, guint option);
void tsr_view_state_set (TsrViewState *self, guint option, guint value);
/* As settings have it, else as usual. */
void tsr_view_state_reset (TsrViewState *self);

void tsr_view_state_save_words (TsrViewState *self, GHashTable *words);
/* Values that are none leave an option as it is. */
void tsr_view_state_load_words (TsrViewState *self, GHashTable *words);
/* Whether @words say all that there is. */
gboolean tsr_view_state_is_whole (TsrViewState *self, GHashTable *words);

/* A switch is "1" or "0".  FALSE, and nothing in *value, for no value of @option. */
gboolean tsr_view_option_parse (const TsrViewOption *option, const char *nick, guint *value);
const char *tsr_view_option_get_nick (const TsrViewOption *option, guint value);

G_END_DECLS
