/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tests' network delays, limits, counts, freezes and breaks as told. */

#include "config.h"

#include "delay-proxy.h"

#include <gio/gio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

/* A server that reads messages of one byte 'n' and answers each with n KiB. */
static gboolean
answer (GThreadedSocketService *service,
        GSocketConnection *connection,
        GObject *source,
        gpointer data)
{
  GInputStream *in = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  static const guint8 bytes[1024];
  guint8 n;

  g_socket_set_option (g_socket_connection_get_socket (connection), IPPROTO_TCP, TCP_NODELAY, 1,
                       NULL);
  while (g_input_stream_read (in, &n, 1, NULL, NULL) == 1)
    for (guint i = 0; i < n; i++)
      if (!g_output_stream_write_all (out, bytes, sizeof bytes, NULL, NULL, NULL))
        return TRUE;
  return TRUE;
}

typedef struct
{
  GSocketService *service;
  DelayProxy *proxy;
  GSocketConnection *client;
  GInputStream *in;
  GOutputStream *out;
} World;

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  guint16 port;

  world->service = g_threaded_socket_service_new (4);
  g_signal_connect (world->service, "run", G_CALLBACK (answer), NULL);
  port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (world->service), NULL, &error);
  g_assert_no_error (error);
  world->proxy = delay_proxy_new (port);
  world->client = g_socket_client_connect_to_host (
      client, "127.0.0.1", (guint16)delay_proxy_get_port (world->proxy), NULL, &error);
  g_assert_no_error (error);
  g_socket_set_option (g_socket_connection_get_socket (world->client), IPPROTO_TCP, TCP_NODELAY, 1,
                       &error);
  g_assert_no_error (error);
  world->in = g_io_stream_get_input_stream (G_IO_STREAM (world->client));
  world->out = g_io_stream_get_output_stream (G_IO_STREAM (world->client));
  /* The service accepts in the main context. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->client);
  delay_proxy_free (world->proxy);
  g_socket_service_stop (world->service);
  g_socket_listener_close (G_SOCKET_LISTENER (world->service));
  g_object_unref (world->service);
}

static void
say (World *world, const char *numbers)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (world->out, numbers, strlen (numbers), NULL, NULL, &error);
  g_assert_no_error (error);
}

static gpointer
iterate (gpointer data)
{
  GCancellable *end = data;

  while (!g_cancellable_is_cancelled (end))
    g_main_context_iteration (NULL, TRUE);
  return NULL;
}

/* Bytes that came until @length, the end or an error. */
static gsize
hear (World *world, gsize length, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (length);
  g_autoptr (GCancellable) end = g_cancellable_new ();
  GThread *thread = g_thread_new ("main context", iterate, end);
  gsize n = 0;

  g_input_stream_read_all (world->in, bytes, length, &n, NULL, error);
  g_cancellable_cancel (end);
  g_main_context_wakeup (NULL);
  g_thread_join (thread);
  return n;
}

static void
test_round_trips (World *world, gconstpointer data)
{
  DelayProxyCount count;
  gint64 start;

  delay_proxy_set_link (world->proxy, 0.1, 0);
  start = g_get_monotonic_time ();
  for (int i = 0; i < 3; i++)
    {
      say (world, "\1");
      g_assert_cmpuint (hear (world, 1024, NULL), ==, 1024);
    }
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 300000);
  delay_proxy_get_count (world->proxy, &count);
  g_assert_cmpuint (count.round_trips, ==, 3);
  g_assert_cmpuint (count.to_server, ==, 3);
  g_assert_cmpuint (count.to_client, ==, 3072);
  g_assert_cmpuint (count.connections, ==, 1);
  delay_proxy_reset_count (world->proxy);
  for (int i = 0; i < 5; i++) /* at once */
    say (world, "\2");
  g_assert_cmpuint (hear (world, 10240, NULL), ==, 10240);
  delay_proxy_get_count (world->proxy, &count);
  g_assert_cmpuint (count.round_trips, ==, 1);
  g_assert_cmpuint (count.to_client, ==, 10240);
}

/* A window of four requests, each sent when an answer came: 12 requests wait three times. */
static void
test_pipeline (World *world, gconstpointer data)
{
  DelayProxyCount count;

  delay_proxy_set_link (world->proxy, 0.04, 0);
  say (world, "\1\1\1\1");
  for (int i = 0; i < 12; i++)
    {
      g_assert_cmpuint (hear (world, 1024, NULL), ==, 1024);
      if (i < 8)
        say (world, "\1");
    }
  delay_proxy_get_count (world->proxy, &count);
  g_assert_cmpuint (count.round_trips, >=, 3);
  g_assert_cmpuint (count.round_trips, <=, 6); /* a busy machine waits more often */
}

static void
test_bandwidth (World *world, gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();

  delay_proxy_set_link (world->proxy, 0, 1e6);
  say (world, "\100\100"); /* 128 KiB at 1 MB/s */
  g_assert_cmpuint (hear (world, 131072, NULL), ==, 131072);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 131000);
}

static void
test_breaks (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) timeout = NULL;
  DelayProxyCount count;

  delay_proxy_freeze_after (world->proxy, 3000);
  say (world, "\5");
  g_assert_cmpuint (hear (world, 3000, NULL), ==, 3000);
  delay_proxy_wait_frozen (world->proxy);
  g_socket_set_timeout (g_socket_connection_get_socket (world->client), 1);
  g_assert_cmpuint (hear (world, 1, &timeout), ==, 0);
  g_assert_error (timeout, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  g_socket_set_timeout (g_socket_connection_get_socket (world->client), 0);
  delay_proxy_thaw (world->proxy);
  g_assert_cmpuint (hear (world, 2120, NULL), ==, 2120);
  delay_proxy_get_count (world->proxy, &count);
  g_assert_cmpuint (count.to_client, ==, 5120);
  delay_proxy_cut_after (world->proxy, 777);
  say (world, "\5");
  g_assert_cmpuint (hear (world, 5120, &error), <=, 777); /* a reset drops what was not read */
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (World *, gconstpointer);
  } tests[] = {
    { "/delay-proxy/round-trips", test_round_trips },
    { "/delay-proxy/pipeline", test_pipeline },
    { "/delay-proxy/bandwidth", test_bandwidth },
    { "/delay-proxy/breaks", test_breaks },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, World, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
