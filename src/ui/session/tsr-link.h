/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A link: the address of a report and the state of the view that is looked at, as one line of text
 * that can be sent to somebody:
 * "tessera:///data/run1?page=memory&tiles=5,10-20&breakdown=category" on this machine,
 * "ssh://me@host:22/data/run1?jump=gate&page=memory" on another; "tessera://me@host/..." says the
 * same, for programs that know nothing of ssh.  Words that are not known are kept, so that a newer
 * program's link still opens.  A value; any thread. */

#pragma once

#include "tsr-view-words.h"

G_BEGIN_DECLS

typedef struct
{
  char *path;        /* location: absolute path of this computer, or "ssh://..." */
  GHashTable *words; /* name -> value; both texts */
} TsrLink;

void tsr_link_clear (TsrLink *link);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrLink, tsr_link_clear)

#define TSR_LINK_SCHEME "tessera"

/* TRUE if @text is meant to be a link, well formed or not. */
gboolean tsr_link_is_link (const char *text);
/* TSR_ERROR_ARGUMENT when it is no link, has a host that cannot be read, or no path. At most 64
 * KiB.
 */
gboolean tsr_link_parse (const char *text, TsrLink *link, GError **error);
/* (transfer full): of a location; words in alphabetical order, "page" first. */
char *tsr_link_dup_text (const char *location, GHashTable *words);

G_END_DECLS
