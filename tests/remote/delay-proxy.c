/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The proxy's thread: pieces under way, by the time at which they arrive. */

#include "config.h"

#include "delay-proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <glib-unix.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PIECE_BYTES  65536
#define QUEUE_BYTES  (256 * 1024) /* before the link, where it has a bandwidth */
#define FLIGHT_BYTES (32 << 20)   /* in the link, at most */

enum
{
  TO_SERVER,
  TO_CLIENT,
  N_WAYS,
};

typedef struct
{
  gint64 due;    /* ns: arrives then */
  guint64 depth; /* round trips that it took until this was sent */
  gsize length;  /* 0: the end */
  gsize gone;
  guint8 bytes[];
} Piece;

/* One direction of one connection: from[way] is read, and written to the other's socket. */
typedef struct
{
  GQueue pieces;
  gsize flying;
  gboolean read_end, wrote_end;
} Way;

typedef struct
{
  int fds[N_WAYS]; /* fds[w] is where way w is read from: the client's socket is fds[TO_SERVER] */
  Way ways[N_WAYS];
  gboolean broken;
} Connection;

struct _DelayProxy
{
  guint target, port;
  int listener, wake;
  GThread *thread;
  GPtrArray *connections; /* of the thread */

  GMutex mutex; /* for what follows */
  GCond cond;
  gint64 delay_ns; /* one way */
  double bytes_per_s;
  gint64 link_free[N_WAYS]; /* ns: when the last piece has left */
  guint64 seen[N_WAYS];     /* greatest depth that arrived */
  guint64 base;             /* depth at the reset */
  DelayProxyCount count;
  guint64 freeze_at, cut_at; /* bytes to the client, from now on; G_MAXUINT64: not */
  gboolean frozen, ended;
};

static gint64
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ------------------------------------------------------------- connections */

static void
connection_free (Connection *connection)
{
  struct linger reset = { 1, 0 };

  for (int w = 0; w < N_WAYS; w++)
    {
      if (connection->broken)
        setsockopt (connection->fds[w], SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
      close (connection->fds[w]);
      g_queue_clear_full (&connection->ways[w].pieces, g_free);
    }
  g_free (connection);
}

static void
accept_one (DelayProxy *proxy)
{
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_port = htons ((guint16)proxy->target) };
  Connection *connection;
  int on = 1, client, server;

  client = accept4 (proxy->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0)
    return;
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  server = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || connect (server, (struct sockaddr *)&address, sizeof address) != 0)
    {
      if (server >= 0)
        close (server);
      close (client);
      return;
    }
  g_assert_true (g_unix_set_fd_nonblocking (server, TRUE, NULL));
  setsockopt (client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt (server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  connection = g_new0 (Connection, 1);
  connection->fds[TO_SERVER] = client;
  connection->fds[TO_CLIENT] = server;
  g_ptr_array_add (proxy->connections, connection);
  proxy->count.connections++;
}

static gboolean
may_read (DelayProxy *proxy, Connection *connection, int w, gint64 now)
{
  Way *way = &connection->ways[w];

  if (way->read_end || way->flying >= FLIGHT_BYTES)
    return FALSE;
  return proxy->bytes_per_s <= 0
         || (double)(proxy->link_free[w] - now) * proxy->bytes_per_s / 1e9 < QUEUE_BYTES;
}

/* One piece into the link. */
static void
read_piece (DelayProxy *proxy, Connection *connection, int w, gint64 now)
{
  Way *way = &connection->ways[w];
  guint8 bytes[PIECE_BYTES];
  gssize n = recv (connection->fds[w], bytes, sizeof bytes, 0);
  Piece *piece;

  if (n < 0)
    {
      connection->broken |= errno != EAGAIN && errno != EINTR;
      return;
    }
  piece = g_malloc (sizeof *piece + (gsize)n);
  memcpy (piece->bytes, bytes, (gsize)n);
  piece->length = (gsize)n;
  piece->gone = 0;
  piece->depth = proxy->seen[w == TO_SERVER ? TO_CLIENT : TO_SERVER] + (w == TO_SERVER ? 1 : 0);
  proxy->link_free[w] = MAX (proxy->link_free[w], now);
  if (proxy->bytes_per_s > 0)
    proxy->link_free[w] += (gint64)((double)n * 1e9 / proxy->bytes_per_s);
  piece->due = proxy->link_free[w] + proxy->delay_ns;
  way->flying += (gsize)n;
  way->read_end = n == 0;
  g_queue_push_tail (&way->pieces, piece);
}

/* At most so many bytes may arrive at the client before something happens. */
static gsize
get_allowance (DelayProxy *proxy, int w)
{
  guint64 first = MIN (proxy->freeze_at, proxy->cut_at);

  return w == TO_CLIENT && first < G_MAXSSIZE ? (gsize)first : G_MAXSSIZE;
}

static void
take_note (DelayProxy *proxy, int w, const Piece *piece, gsize n)
{
  proxy->seen[w] = MAX (proxy->seen[w], piece->depth);
  if (w == TO_SERVER)
    {
      proxy->count.to_server += n;
      return;
    }
  proxy->count.to_client += n;
  if (proxy->freeze_at != G_MAXUINT64)
    proxy->freeze_at -= n;
  if (proxy->cut_at != G_MAXUINT64)
    proxy->cut_at -= n;
}

/* What happens at a number of bytes. */
static void
trigger (DelayProxy *proxy)
{
  if (proxy->freeze_at == 0)
    {
      proxy->freeze_at = G_MAXUINT64;
      proxy->frozen = TRUE;
      g_cond_broadcast (&proxy->cond);
    }
  if (proxy->cut_at == 0)
    {
      proxy->cut_at = G_MAXUINT64;
      for (guint i = 0; i < proxy->connections->len; i++)
        ((Connection *)proxy->connections->pdata[i])->broken = TRUE;
    }
}

/* Delivers what is due; the time of the next piece, or G_MAXINT64. */
static gint64
write_due (DelayProxy *proxy, Connection *connection, int w, gint64 now)
{
  Way *way = &connection->ways[w];
  int fd = connection->fds[1 - w];
  Piece *piece;

  while (!proxy->frozen && !connection->broken
         && (piece = g_queue_peek_head (&way->pieces)) != NULL)
    {
      gssize n;

      if (piece->due > now)
        return piece->due;
      if (piece->length == 0)
        {
          shutdown (fd, SHUT_WR);
          way->wrote_end = TRUE;
        }
      else
        {
          n = send (fd, piece->bytes + piece->gone,
                    MIN (piece->length - piece->gone, get_allowance (proxy, w)), MSG_NOSIGNAL);
          if (n < 0)
            {
              connection->broken |= errno != EAGAIN && errno != EINTR;
              return G_MAXINT64;
            }
          take_note (proxy, w, piece, (gsize)n);
          piece->gone += (gsize)n;
          way->flying -= (gsize)n;
          trigger (proxy);
          if (piece->gone < piece->length)
            continue;
        }
      g_free (g_queue_pop_head (&way->pieces));
    }
  return G_MAXINT64;
}

/* ------------------------------------------------------------------ thread */

/* Writes what is due in all connections and forgets the ones that are over. */
static gint64
deliver (DelayProxy *proxy, gint64 now)
{
  gint64 next = G_MAXINT64;

  trigger (proxy);
  for (guint i = proxy->connections->len; i > 0; i--)
    {
      Connection *connection = proxy->connections->pdata[i - 1];

      for (int w = 0; w < N_WAYS; w++)
        next = MIN (next, write_due (proxy, connection, w, now));
    }
  for (guint i = proxy->connections->len; i > 0; i--)
    {
      Connection *connection = proxy->connections->pdata[i - 1];

      if (connection->broken
          || (connection->ways[TO_SERVER].wrote_end && connection->ways[TO_CLIENT].wrote_end))
        g_ptr_array_remove_index_fast (proxy->connections, i - 1);
    }
  return next;
}

static void
fill (DelayProxy *proxy, GArray *fds, gint64 now, gint64 *next)
{
  struct pollfd always[2]
      = { { proxy->wake, POLLIN, 0 }, { proxy->frozen ? -1 : proxy->listener, POLLIN, 0 } };

  g_array_set_size (fds, 0);
  g_array_append_vals (fds, always, 2);
  for (guint i = 0; i < proxy->connections->len; i++)
    {
      Connection *connection = proxy->connections->pdata[i];

      for (int w = 0; w < N_WAYS; w++)
        {
          Way *other = &connection->ways[1 - w];
          Piece *piece = g_queue_peek_head (&other->pieces);
          struct pollfd entry = { connection->fds[w], 0, 0 };

          if (may_read (proxy, connection, w, now))
            entry.events |= POLLIN;
          else if (!connection->ways[w].read_end)
            *next = MIN (*next, now + 500000); /* look again when the queue is shorter */
          if (piece != NULL && piece->due <= now)
            entry.events |= POLLOUT;
          if (entry.events == 0 || proxy->frozen)
            entry.fd = -1;
          g_array_append_val (fds, entry);
        }
    }
}

/* Waits without the mutex. */
static void
wait_for (DelayProxy *proxy, GArray *fds, gint64 next)
{
  gint64 wait = next == G_MAXINT64 ? G_MAXINT64 : MAX (next - now_ns (), 0);
  struct timespec timeout = { wait / 1000000000, wait % 1000000000 };

  g_mutex_unlock (&proxy->mutex);
  ppoll ((struct pollfd *)fds->data, fds->len, wait == G_MAXINT64 ? NULL : &timeout, NULL);
  g_mutex_lock (&proxy->mutex);
}

static gpointer
run (gpointer data)
{
  DelayProxy *proxy = data;
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (struct pollfd));

  g_mutex_lock (&proxy->mutex);
  while (!proxy->ended)
    {
      gint64 now = now_ns (), next = deliver (proxy, now);
      guint n = proxy->connections->len;
      guint64 woken;

      fill (proxy, fds, now, &next);
      wait_for (proxy, fds, next);
      now = now_ns ();
      if (g_array_index (fds, struct pollfd, 0).revents != 0)
        g_assert_cmpint (read (proxy->wake, &woken, sizeof woken), ==, sizeof woken);
      if (proxy->frozen)
        continue;
      for (guint i = 0; i < n * N_WAYS; i++)
        {
          Connection *connection = proxy->connections->pdata[i / N_WAYS];
          short events = g_array_index (fds, struct pollfd, i + 2).revents;

          if (events & (POLLIN | POLLHUP | POLLERR) && !connection->ways[i % N_WAYS].read_end)
            read_piece (proxy, connection, (int)(i % N_WAYS), now);
        }
      if (g_array_index (fds, struct pollfd, 1).revents & POLLIN)
        accept_one (proxy);
    }
  g_mutex_unlock (&proxy->mutex);
  return NULL;
}

static void
wake_up (DelayProxy *proxy)
{
  guint64 one = 1;

  g_assert_cmpint (write (proxy->wake, &one, sizeof one), ==, sizeof one);
}

DelayProxy *
delay_proxy_new (guint port)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;
  DelayProxy *proxy = g_new0 (DelayProxy, 1);

  proxy->target = port;
  proxy->freeze_at = proxy->cut_at = G_MAXUINT64;
  proxy->connections = g_ptr_array_new_with_free_func ((GDestroyNotify)connection_free);
  proxy->wake = eventfd (0, EFD_CLOEXEC);
  proxy->listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (bind (proxy->listener, (struct sockaddr *)&address, sizeof address), ==, 0);
  g_assert_cmpint (listen (proxy->listener, 64), ==, 0);
  g_assert_cmpint (getsockname (proxy->listener, (struct sockaddr *)&address, &length), ==, 0);
  proxy->port = ntohs (address.sin_port);
  g_mutex_init (&proxy->mutex);
  g_cond_init (&proxy->cond);
  proxy->thread = g_thread_new ("delay proxy", run, proxy);
  return proxy;
}

void
delay_proxy_free (DelayProxy *proxy)
{
  g_mutex_lock (&proxy->mutex);
  proxy->ended = TRUE;
  g_mutex_unlock (&proxy->mutex);
  wake_up (proxy);
  g_thread_join (proxy->thread);
  g_ptr_array_unref (proxy->connections);
  close (proxy->listener);
  close (proxy->wake);
  g_mutex_clear (&proxy->mutex);
  g_cond_clear (&proxy->cond);
  g_free (proxy);
}

guint
delay_proxy_get_port (DelayProxy *proxy)
{
  return proxy->port;
}

/* ------------------------------------------------------------ what happens */

void
delay_proxy_set_link (DelayProxy *proxy, double round_trip_s, double bytes_per_s)
{
  g_mutex_lock (&proxy->mutex);
  proxy->delay_ns = (gint64)(round_trip_s * 0.5e9);
  proxy->bytes_per_s = bytes_per_s;
  g_mutex_unlock (&proxy->mutex);
}

void
delay_proxy_get_count (DelayProxy *proxy, DelayProxyCount *count)
{
  g_mutex_lock (&proxy->mutex);
  *count = proxy->count;
  count->round_trips = proxy->seen[TO_CLIENT] - proxy->base;
  g_mutex_unlock (&proxy->mutex);
}

void
delay_proxy_reset_count (DelayProxy *proxy)
{
  g_mutex_lock (&proxy->mutex);
  memset (&proxy->count, 0, sizeof proxy->count);
  proxy->base = proxy->seen[TO_CLIENT];
  g_mutex_unlock (&proxy->mutex);
}

static void
set_frozen (DelayProxy *proxy, gboolean frozen)
{
  g_mutex_lock (&proxy->mutex);
  proxy->frozen = frozen;
  g_cond_broadcast (&proxy->cond);
  g_mutex_unlock (&proxy->mutex);
  wake_up (proxy);
}

void
delay_proxy_freeze (DelayProxy *proxy)
{
  set_frozen (proxy, TRUE);
}

void
delay_proxy_thaw (DelayProxy *proxy)
{
  set_frozen (proxy, FALSE);
}

void
delay_proxy_freeze_after (DelayProxy *proxy, guint64 bytes)
{
  g_mutex_lock (&proxy->mutex);
  proxy->freeze_at = bytes;
  g_mutex_unlock (&proxy->mutex);
  wake_up (proxy);
}

void
delay_proxy_wait_frozen (DelayProxy *proxy)
{
  g_mutex_lock (&proxy->mutex);
  while (!proxy->frozen)
    g_cond_wait (&proxy->cond, &proxy->mutex);
  g_mutex_unlock (&proxy->mutex);
}

void
delay_proxy_cut_after (DelayProxy *proxy, guint64 bytes)
{
  g_mutex_lock (&proxy->mutex);
  proxy->cut_at = bytes;
  g_mutex_unlock (&proxy->mutex);
  wake_up (proxy);
}

void
delay_proxy_cut (DelayProxy *proxy)
{
  delay_proxy_cut_after (proxy, 0);
}
