/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations that a remote place needs: implemented by a connection, and by a test that counts
 * and delays.  Only remote/ and its tests include this; any thread. */

#pragma once

#include "tsr-remote-place.h"

G_BEGIN_DECLS

/* Each takes a few round trips at most; errors as in tsr-connection.h. */
typedef struct
{
  GPtrArray *(*list) (gpointer data, const char *path, GCancellable *cancellable, GError **error);
  TsrFolderEntry *(*stat) (gpointer data,
                           const char *path,
                           GCancellable *cancellable,
                           GError **error);
  char *(*resolve) (gpointer data, const char *path, GCancellable *cancellable, GError **error);
  /* (transfer full): a file for read_async; sends nothing. */
  gpointer (*open) (gpointer data, const char *path, const TsrSourceStamp *stamp);
  void (*read_async) (gpointer file,
                      gint64 offset,
                      gsize length,
                      TsrReadPriority priority,
                      TsrRemoteReadFunc func,
                      gpointer func_data);
  void (*close) (gpointer file);
  char *(*dup_location) (gpointer data, const char *path);
  double (*get_rate) (gpointer data); /* bytes a second; NaN */
  void (*free) (gpointer data);
} TsrRemoteOps;

/* (transfer full): @host is its key in the cache.  Takes @data. */
TsrRemotePlace *tsr_remote_place_new_with (const TsrRemoteOps *ops,
                                           gpointer data,
                                           const char *host,
                                           TsrBlockCache *cache);
gpointer tsr_remote_place_peek_data (TsrRemotePlace *self);

G_END_DECLS
