/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A network of the tests' own: a TCP proxy on 127.0.0.1 with a latency and a bandwidth, which
 * counts what passes and can freeze or break.  Each direction is one link for all connections: a
 * piece leaves when the ones before it have left, takes its length by the bandwidth, and arrives
 * half a round trip later.  One thread for each proxy. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _DelayProxy DelayProxy;

/* To 127.0.0.1:@port; at first without delay or limit. */
DelayProxy *delay_proxy_new (guint port);
void delay_proxy_free (DelayProxy *proxy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DelayProxy, delay_proxy_free)
guint delay_proxy_get_port (DelayProxy *proxy);

/* @bytes_per_s in each direction; 0: no limit.  For what comes from now on. */
void delay_proxy_set_link (DelayProxy *proxy, double round_trip_s, double bytes_per_s);

typedef struct
{
  guint64 to_server, to_client; /* bytes that arrived */
  /* The longest chain of a piece that the client sent, and an answer that arrived after it, each
   * link begun after the one before had ended: what is sent at once counts once, and a stream of
   * pipelined reads one for each time that it waited. */
  guint64 round_trips;
  guint connections;
} DelayProxyCount;

/* Since the last reset. */
void delay_proxy_get_count (DelayProxy *proxy, DelayProxyCount *count);
void delay_proxy_reset_count (DelayProxy *proxy);

/* Nothing passes any more, and connections stay open: a cable that was pulled. */
void delay_proxy_freeze (DelayProxy *proxy);
void delay_proxy_thaw (DelayProxy *proxy);
/* The same by itself when @bytes more have arrived at the client; _wait blocks until then. */
void delay_proxy_freeze_after (DelayProxy *proxy, guint64 bytes);
void delay_proxy_wait_frozen (DelayProxy *proxy);
/* All connections are reset, now or when @bytes more have arrived at the client. */
void delay_proxy_cut (DelayProxy *proxy);
void delay_proxy_cut_after (DelayProxy *proxy, guint64 bytes);

G_END_DECLS
