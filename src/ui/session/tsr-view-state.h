/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of one view in one window: switches, choices of a few values, numbers and texts.  A
 * table says what each is called, in links and in the settings; from it follow the properties and
 * actions of the page (tsr_page_class_set_options) and the words of links.  The session has it, so
 * it is there before the page and after it.  Main thread.
 *
 * Signal "changed" (guint64): the options of these places, a bit each, have other values; all that
 * change by one call are told at once. */

#pragma once

#include "tsr-settings.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_VIEW_SWITCH, /* or, with get_nick, a choice */
  TSR_VIEW_NUMBER,
  TSR_VIEW_TEXT, /* "" as usual */
} TsrViewKind;

typedef struct
{
  const char *name; /* (nullable): of the property; and of the action, behind the page's prefix */
  const char *word; /* (nullable): of links */
  guint usual;
  /* (nullable): of a choice, the name of each of @n_values; NULL for a switch. */
  const char *(*get_nick) (guint value);
  guint n_values;
  TsrViewKind kind;
  guint least, most; /* number of a link; most 0: any */
  /* (nullable): where it is kept for other windows; a text's is a list, of its lines. */
  const char *setting;
  gboolean is_in_list; /* the setting is a list of names, of what is on */
  gboolean is_named;   /* links say it although it is as usual */
  gboolean is_passing; /* words that do not say it, even a few, set it as usual */
  /* It is in links only while the option of place @of, an earlier one, is and has one of the
   * values @where, a bit each; 0: always. */
  guint of, where;
} TsrViewOption;

#define TSR_VIEW_BIT(option) (G_GUINT64_CONSTANT (1) << (option))

#define TSR_TYPE_VIEW_STATE (tsr_view_state_get_type ())
G_DECLARE_FINAL_TYPE (TsrViewState, tsr_view_state, TSR, VIEW_STATE, GObject)

/* The first option is one that links always name: words that name it say all that there is, so that
 * what they do not name is as usual; others, as of a finding, leave the rest alone.  At most 64. */
TsrViewState *
tsr_view_state_new (TsrSettings *settings, const TsrViewOption *options, guint n_options);

guint tsr_view_state_get (TsrViewState *self, guint option);
void tsr_view_state_set (TsrViewState *self, guint option, guint value);
const char *tsr_view_state_get_text (TsrViewState *self, guint option);
void tsr_view_state_set_text (TsrViewState *self, guint option, const char *text); /* (nullable) */
/* (transfer full): lines of the text. */
GStrv tsr_view_state_dup_lines (TsrViewState *self, guint option);
void tsr_view_state_set_lines (TsrViewState *self, guint option, const char *const *lines);
/* @option and @property of @widget, which is a text or any number, of a switch also a boolean, say
 * the same from here on, at first as the option has it; until one of the two goes.  What is no
 * value of the option stays in the widget.  One option for each widget. */
void tsr_view_state_bind (TsrViewState *self, guint option, gpointer widget, const char *property);
/* What changes in between is told at the end. */
void tsr_view_state_hold (TsrViewState *self);
void tsr_view_state_release (TsrViewState *self);
/* As settings have it, else as usual. */
void tsr_view_state_reset (TsrViewState *self);

void tsr_view_state_save_words (TsrViewState *self, GHashTable *words);
/* Words with invalid values leave their option as it is. */
void tsr_view_state_load_words (TsrViewState *self, GHashTable *words);
/* Whether @words say all that there is. */
gboolean tsr_view_state_is_whole (TsrViewState *self, GHashTable *words);

/* A switch is "1" or "0".  FALSE, and nothing in *value, for no value of @option. */
gboolean tsr_view_option_parse (const TsrViewOption *option, const char *nick, guint *value);

G_END_DECLS
