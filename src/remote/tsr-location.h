/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns what a user types, or what a link contains, into a place and a path in it: a local path, or
 * "ssh://...".  Any thread. */

#pragma once

#include "tsr-connections.h"
#include "tsr-remote-place.h"

G_BEGIN_DECLS

/* Everything needed to open a remote location; one per process. */
typedef struct
{
  TsrConnections *connections;
  TsrBlockCache *cache;
} TsrRemote;

/* (transfer full): @location as given; @path (transfer full) is absolute in the place.  "/~" is
 * expanded later, by the place itself.  Does not connect.  The same connection always gives the
 * same place.  TSR_ERROR_ARGUMENT. */
TsrPlace *tsr_location_open (TsrRemote *remote, const char *location, char **path, GError **error);

G_END_DECLS
