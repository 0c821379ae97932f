/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The help window: a few topics in plain words, with a search over all of them. */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_HELP (tsr_help_get_type ())
G_DECLARE_FINAL_TYPE (TsrHelp, tsr_help, TSR, HELP, AdwWindow)

TsrHelp *tsr_help_new (GtkWindow *parent);
/* "capture", "open", "summary", "memory", "keys"; an unknown one shows the first. */
void tsr_help_show_topic (TsrHelp *self, const char *id);
/* Number of places where @text was found in all topics; the first is shown. */
guint tsr_help_search (TsrHelp *self, const char *text);

/* One paragraph of a topic. */
typedef enum
{
  TSR_HELP_TEXT,
  TSR_HELP_HEADING,
  TSR_HELP_CODE,
  TSR_HELP_ITEM,
} TsrHelpKind;
typedef struct
{
  TsrHelpKind kind;
  const char *text; /* not yet translated, but for numbers in a sentence */
} TsrHelpParagraph;
typedef struct
{
  const char *id, *title;
  const TsrHelpParagraph *paragraphs; /* until text is NULL */
} TsrHelpTopic;
const TsrHelpTopic *tsr_help_get_topics (guint *n_topics);

G_END_DECLS
