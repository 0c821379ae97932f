/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nobody knows beforehand how many bytes a stage reads.  What is asked for and has not come is
 * still to come; of a scan, whose rows are counted, the rest follows from the part that is done. */

#include "config.h"

#include "tsr-remote-progress.h"

#include "tsr-remote-place.h"
#include "tsr-units.h"

#include <glib/gi18n.h>
#include <math.h>

/* Of a scan, before one says how long it takes. */
#define LEAST_FRACTION 0.02

struct _TsrRemoteProgress
{
  TsrReport *report; /* (nullable) */
  TsrConnection *connection;
  guint64 first_bytes; /* of the connection, when we began to look */
  int stage;           /* that is being read; -1 */
  guint64 scan_bytes;  /* of the connection, when its scan began */
  double scan_from;    /* the fraction then */
};

TsrRemoteProgress *
tsr_remote_progress_new (TsrConnection *connection, TsrReport *report)
{
  TsrRemoteProgress *self = g_new0 (TsrRemoteProgress, 1);
  TsrConnectionStats stats;

  g_set_object (&self->report, report);
  self->connection = g_object_ref (connection);
  self->stage = -1;
  tsr_connection_get_stats (self->connection, &stats);
  self->first_bytes = stats.bytes;
  return self;
}

TsrRemoteProgress *
tsr_remote_progress_new_for_report (TsrReport *report)
{
  TsrPlace *place = tsr_report_get_place (report);

  if (!TSR_IS_REMOTE_PLACE (place))
    return NULL;
  return tsr_remote_progress_new (tsr_remote_place_get_connection (TSR_REMOTE_PLACE (place)),
                                  report);
}

void
tsr_remote_progress_free (TsrRemoteProgress *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->connection);
  g_clear_object (&self->report);
  g_free (self);
}

double
tsr_remote_progress_guess_left (double bytes, double fraction, double wanted)
{
  /* What has been asked for so far is not all that will be, unless a scan tells how far it is. */
  if (fraction <= LEAST_FRACTION || fraction > 1 || bytes <= 0)
    return -1;
  return fmax (bytes * (1 - fraction) / fraction, wanted);
}

double
tsr_remote_progress_guess_seconds (double left, double bytes_per_s, gboolean at_most)
{
  double seconds = left > 0 && bytes_per_s > 0 ? left / bytes_per_s : NAN;

  return at_most && seconds > TSR_REMOTE_MOST_BOUND_S ? NAN : seconds;
}

/* Bytes that are left of the stage, -1 when nobody knows. */
static double
guess_left (TsrRemoteProgress *self, const TsrConnectionStats *stats, int stage)
{
  double fraction = stage >= 0 ? tsr_report_get_stage_fraction (self->report, stage) : -1;
  double done;

  if (stage != self->stage || fraction <= 0 || fraction < self->scan_from)
    {
      self->stage = stage;
      self->scan_bytes = stats->bytes;
      self->scan_from = fmax (fraction, 0);
    }
  /* Of what was left when it began. */
  done = self->scan_from < 1 ? (fraction - self->scan_from) / (1 - self->scan_from) : -1;
  return tsr_remote_progress_guess_left ((double)(stats->bytes - self->scan_bytes), done,
                                         (double)stats->wanted);
}

static int
find_loading (TsrRemoteProgress *self, guint stages, gboolean *others)
{
  int loading = -1;

  *others = FALSE;
  for (TsrStage i = 0; self->report != NULL && i < TSR_N_STAGES; i++)
    {
      TsrStageState state = tsr_report_get_stage_state (self->report, i);

      if (state == TSR_STAGE_LOADING)
        loading = (int)i;
      else if (state == TSR_STAGE_PENDING && (stages & 1u << i) != 0)
        *others = TRUE;
    }
  return loading;
}

/* Of what the stages are read from. */
static gint64
get_size (TsrRemoteProgress *self)
{
  const TsrReportFiles *files = tsr_report_get_files (self->report);

  return files != NULL ? MAX (files->files[TSR_FILE_PROFILE].bytes, 0) : 0;
}

char *
tsr_remote_progress_dup_silence (TsrConnection *connection)
{
  g_autofree char *seconds = NULL;
  TsrConnectionStats stats;

  tsr_connection_get_stats (connection, &stats);
  if (stats.silence_s < TSR_REMOTE_SILENCE_S)
    return NULL;
  seconds = tsr_units_dup_duration (floor (stats.silence_s));
  /* Translators: a host, and a time */
  return g_strdup_printf (_ ("%s has not answered for %s"), tsr_connection_get_name (connection),
                          seconds);
}

/* (transfer full): what of it is known.  @left: seconds, NaN; no more than that if @at_most. */
static char *
dup_words (gint64 bytes, double bytes_per_s, double left, gboolean at_most)
{
  g_autofree char *read = tsr_units_dup_bytes (TSR_UNITS_BINARY, bytes);
  g_autofree char *speed = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)bytes_per_s);
  g_autofree char *time = tsr_units_dup_duration (left);

  if (bytes_per_s < 1)
    return g_strdup_printf (_ ("%s read"), read);
  if (*time == '\0')
    return g_strdup_printf (_ ("%s read, %s/s"), read, speed);
  if (at_most)
    return g_strdup_printf (_ ("%s read, %s/s, at most %s left"), read, speed, time);
  return g_strdup_printf (_ ("%s read, %s/s, about %s left"), read, speed, time);
}

char *
tsr_remote_progress_look (TsrRemoteProgress *self, guint stages)
{
  TsrConnectionState state = tsr_connection_get_state (self->connection);
  gboolean others, at_most;
  int stage = find_loading (self, stages, &others);
  TsrConnectionStats stats;
  char *text;
  double left;

  if (state != TSR_CONNECTION_READY)
    {
      text = tsr_connection_dup_status (self->connection);
      return text != NULL ? text : g_strdup ("");
    }
  tsr_connection_get_stats (self->connection, &stats);
  left = guess_left (self, &stats, stage);
  text = tsr_remote_progress_dup_silence (self->connection);
  if (text != NULL)
    return text;
  if (stats.bytes == self->first_bytes && stats.wanted == 0)
    return g_strdup ("");
  /* With other stages to come after it, or without a scan, it may be all of the rest. */
  at_most = others || left < 0;
  if (at_most)
    left = self->report != NULL
               ? (double)get_size (self) - (double)(stats.bytes - self->first_bytes)
               : -1;
  return dup_words ((gint64)(stats.bytes - self->first_bytes), stats.bytes_per_s,
                    tsr_remote_progress_guess_seconds (left, stats.bytes_per_s, at_most), at_most);
}
