/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of recent reports: kept in the user's state folder, shared by all windows and by several
 * programs (each change is made to the file as it is now).  At most TSR_RECENTS_MAX, newest first.
 * A GListModel of TsrRecent; main thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TSR_RECENTS_MAX 64

typedef enum
{
  TSR_OUTCOME_UNKNOWN,
  TSR_OUTCOME_FITS,
  TSR_OUTCOME_DOES_NOT_FIT,
  TSR_OUTCOME_INCOMPLETE, /* opened with errors, or without what tells whether it fits */
} TsrOutcome;

#define TSR_TYPE_RECENT (tsr_recent_get_type ())
G_DECLARE_FINAL_TYPE (TsrRecent, tsr_recent, TSR, RECENT, GObject)

const char *tsr_recent_get_path (TsrRecent *self); /* location: any bytes, or "ssh://..." */
/* (nullable): "user@host:port", of another machine. */
const char *tsr_recent_get_host (TsrRecent *self);
const char *tsr_recent_get_shown_path (TsrRecent *self); /* UTF-8, without the host */
const char *tsr_recent_get_name (TsrRecent *self);
gint64 tsr_recent_get_time (TsrRecent *self); /* seconds since 1970 */
TsrOutcome tsr_recent_get_outcome (TsrRecent *self);
double tsr_recent_get_fullest (TsrRecent *self); /* share of the fullest tile; NaN */
/* TRUE when name, host or path contains @text, whatever its case. */
gboolean tsr_recent_matches (TsrRecent *self, const char *text);

#define TSR_TYPE_RECENTS (tsr_recents_get_type ())
G_DECLARE_FINAL_TYPE (TsrRecents, tsr_recents, TSR, RECENTS, GObject)

/* (transfer full): kept in @file, which need not exist. */
TsrRecents *tsr_recents_new (const char *file);
/* (transfer none): the user's. */
TsrRecents *tsr_recents_get_default (void);

/* Puts @path on top, with the time of now; what was known of it stays. */
void tsr_recents_add (TsrRecents *self, const char *path, const char *name);
/* What @path is, in one or several words that are the same however a report is named: other names
 * of it leave the list. */
void tsr_recents_identify (TsrRecents *self, const char *path, const char *const *ids);
/* What was seen of @path, if it is in the list. */
void
tsr_recents_set_outcome (TsrRecents *self, const char *path, TsrOutcome outcome, double fullest);
void tsr_recents_remove (TsrRecents *self, const char *path);
gboolean tsr_recents_contains (TsrRecents *self, const char *path);
/* Reads the file again: another program may have changed it. */
void tsr_recents_refresh (TsrRecents *self);

G_END_DECLS
