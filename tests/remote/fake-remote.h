/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The other side of a remote place, played by a folder of this machine: with a latency and a
 * bandwidth, counted, and broken on request.  Reads of files wait in a queue by priority and share
 * one line; what is asked for together comes after one latency. */

#pragma once

#include "tsr-remote-place.h"

G_BEGIN_DECLS

typedef struct _FakeRemote FakeRemote;

typedef struct
{
  guint64 bytes;  /* of files */
  guint requests; /* ranges of files */
  guint waves;    /* times that nothing was under way and then something was */
  guint trips;    /* round trips of listings, looks and first reads of a file */
  guint stats;
} FakeCounts;

/* Remote paths are below @root.  @latency_s: a round trip. */
FakeRemote *fake_remote_new (const char *root);
void fake_remote_unref (FakeRemote *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeRemote, fake_remote_unref)
void fake_remote_set_line (FakeRemote *self, double latency_s, double bytes_per_s);
/* Everything fails with TSR_REMOTE_ERROR_NETWORK. */
void fake_remote_set_down (FakeRemote *self, gboolean is_down);
/* Reads of files do not come before it is FALSE again. */
void fake_remote_set_stalled (FakeRemote *self, gboolean is_stalled);
/* After so many bytes everything is down; 0: never. */
void fake_remote_set_down_after (FakeRemote *self, guint64 bytes);
void fake_remote_get_counts (FakeRemote *self, FakeCounts *counts);
void fake_remote_reset_counts (FakeRemote *self);

/* (transfer full) */
TsrRemotePlace *fake_remote_make_place (FakeRemote *self, TsrBlockCache *cache);

G_END_DECLS
