/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parts of the way to another machine that need no server: numbers and strings of a packet, text
 * that is shown, what errors mean, sockets, and the filter before an agent.  Each is walked through
 * all it can be given, and compared with what the words of its header say. */

#include "config.h"

#include "tsr-remote-error.h"
#include "tsr-sftp.h"
#include "tsr-ssh-agent.h"
#include "tsr-ssh-algorithms.h"
#include "tsr-ssh-clean.h"
#include "tsr-ssh-socket.h"
#include "tsr-test.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void
assert_in (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("no \"%s\" in: %s", part, text);
}

/* ------------------------------------------------------------------ packets */

static void
put (GString *bytes, guint64 value, guint n_bytes)
{
  while (n_bytes-- > 0)
    g_string_append_c (bytes, (char)(value >> 8 * n_bytes));
}

static void
put_string (GString *bytes, const char *string, gsize length)
{
  put (bytes, length, 4);
  g_string_append_len (bytes, string, (gssize)length);
}

/* Every set of attributes is read, what follows it is left, and cut anywhere it is refused. */
static void
test_attributes (void)
{
  static const guint32 flags[] = { 1, 2, 4, 8, 0x80000000 };

  for (guint set = 0; set < 32; set++)
    for (guint n_pairs = 0; n_pairs < ((set & 16) != 0 ? 3 : 1); n_pairs++)
      {
        g_autoptr (GString) bytes = g_string_new (NULL);
        TsrSftpAttributes attributes;
        TsrWire wire;
        guint32 all = 0;

        for (guint i = 0; i < 5; i++)
          all |= (set & 1u << i) != 0 ? flags[i] : 0;
        put (bytes, all, 4);
        if ((set & 1) != 0)
          put (bytes, G_GUINT64_CONSTANT (0x0102030405060708), 8);
        if ((set & 2) != 0)
          put (bytes, G_GUINT64_CONSTANT (0x1112131415161718), 8);
        if ((set & 4) != 0)
          put (bytes, 0100644, 4);
        if ((set & 8) != 0)
          {
            put (bytes, 0x21222324, 4);
            put (bytes, 0x31323334, 4);
          }
        if ((set & 16) != 0)
          put (bytes, n_pairs, 4);
        for (guint i = 0; i < n_pairs; i++)
          {
            put_string (bytes, "name", 4);
            put_string (bytes, "a value", 7);
          }
        for (gsize length = 0; length < bytes->len; length++)
          {
            g_autofree guint8 *cut = g_memdup2 (bytes->str, MAX (length, 1));

            wire = (TsrWire){ cut, length };
            g_assert_false (tsr_sftp_take_attributes (&wire, &attributes));
          }
        put (bytes, 0x99, 1);
        wire = (TsrWire){ (guint8 *)bytes->str, bytes->len };
        g_assert_true (tsr_sftp_take_attributes (&wire, &attributes));
        g_assert_cmpuint (wire.left, ==, 1);
        g_assert_cmphex (*wire.bytes, ==, 0x99);
        g_assert_cmpint (attributes.has_size, ==, (set & 1) != 0);
        g_assert_cmpint (attributes.has_mode, ==, (set & 4) != 0);
        g_assert_cmpint (attributes.has_times, ==, (set & 8) != 0);
        g_assert_cmphex (attributes.size, ==,
                         (set & 1) != 0 ? G_GUINT64_CONSTANT (0x0102030405060708) : 0);
        g_assert_cmphex (attributes.mode, ==, (set & 4) != 0 ? 0100644 : 0);
        g_assert_cmphex (attributes.mtime, ==, (set & 8) != 0 ? 0x31323334 : 0);
      }
}

/* What is too short is left as it was. */
static void
test_wire (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tsr_wire_put_u8 (bytes, 0xfe);
  tsr_wire_put_u32 (bytes, 0x01020304);
  tsr_wire_put_u64 (bytes, G_GUINT64_CONSTANT (0x0102030405060708));
  tsr_wire_put_string (bytes, "abc", 3);
  g_assert_cmpmem (bytes->data, bytes->len, "\xfe\1\2\3\4\1\2\3\4\5\6\7\10\0\0\0\3abc", 20);
  for (gsize length = 0; length <= bytes->len; length++)
    {
      g_autofree guint8 *cut = g_memdup2 (bytes->data, MAX (length, 1));
      TsrWire wire = { cut, length };
      guint8 u8 = 0;
      guint32 u32 = 0;
      guint64 u64 = 0;
      const guint8 *string = NULL;
      gsize n = 0;

      g_assert_cmpint (tsr_wire_take_u8 (&wire, &u8), ==, length >= 1);
      g_assert_cmphex (u8, ==, length >= 1 ? 0xfe : 0);
      if (length >= 1)
        g_assert_cmpint (tsr_wire_take_u32 (&wire, &u32), ==, length >= 5);
      g_assert_cmphex (u32, ==, length >= 5 ? 0x01020304 : 0);
      if (length >= 5)
        g_assert_cmpint (tsr_wire_take_u64 (&wire, &u64), ==, length >= 13);
      g_assert_cmphex (u64, ==, length >= 13 ? G_GUINT64_CONSTANT (0x0102030405060708) : 0);
      if (length >= 13)
        g_assert_cmpint (tsr_wire_take_string (&wire, &string, &n), ==, length >= 20);
      if (length >= 20)
        g_assert_cmpmem (string, n, "abc", 3);
      g_assert_cmpuint (wire.left, ==,
                        length >= 20   ? 0
                        : length >= 13 ? length - 13
                        : length >= 5  ? length - 5
                        : length >= 1  ? length - 1
                                       : 0);
      g_assert_true (wire.bytes == cut + length - wire.left);
    }
}

/* What each answer that is none means, and the handle of one that is. */
static void
test_answers (void)
{
  ssh_session session = ssh_new ();
  const GError dropped = { TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, (char *)"gone" };
  TsrSftp *sftp = tsr_sftp_new (session, "user@host:22");
  g_autofree char *bytes = g_malloc0 (4 + 257);

  for (guint32 status = 0; status < 10; status++)
    for (guint opened = 0; opened < 2; opened++)
      for (guint said = 0; said < 3; said++)
        {
          static char *const texts[] = { NULL, (char *)"", (char *)"the disk is wet" };
          TsrSftpAnswer answer = { .type = TSR_SFTP_STATUS, .status = status, .text = texts[said] };
          g_autoptr (GError) error
              = tsr_sftp_answer_dup_error (sftp, &answer, "/data/report/profile.pop", opened != 0);

          g_assert_true (g_str_has_prefix (error->message, "user@host:22: "));
          assert_in (error->message, "/data/report/profile.pop");
          if (status == TSR_SFTP_NO_SUCH_FILE && opened)
            g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED);
          else if (status == TSR_SFTP_NO_SUCH_FILE)
            g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
          else if (status == TSR_SFTP_PERMISSION_DENIED)
            g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION);
          else
            {
              g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
              assert_in (error->message, said == 2 ? "(the disk is wet)" : "(no reason was given)");
            }
        }
  for (guint type = 102; type < 106; type++)
    {
      TsrSftpAnswer answer = { .type = type };
      g_autoptr (GError) error = tsr_sftp_answer_dup_error (sftp, &answer, "/file", FALSE);

      g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL);
      for (guint length = 0; length < 258; length++)
        {
          g_autoptr (GBytes) handle = NULL;

          bytes[2] = (char)(length >> 8);
          bytes[3] = (char)length;
          answer.body = (TsrWire){ (guint8 *)bytes, 4 + length };
          handle = tsr_sftp_answer_dup_handle (&answer);
          g_assert_cmpint (handle != NULL, ==, type == TSR_SFTP_HANDLE && length <= 256);
          if (handle != NULL)
            g_assert_cmpuint (g_bytes_get_size (handle), ==, length);
          answer.body.left--;
          g_assert_null (tsr_sftp_answer_dup_handle (&answer));
        }
    }
  tsr_sftp_free (sftp, &dropped);
  ssh_free (session);
}

static void
count_lost (TsrSftp *self, const TsrSftpAnswer *answer, gpointer data)
{
  g_assert_null (answer);
  g_assert_nonnull (tsr_sftp_get_error (self));
  ++*(guint *)data;
}

/* A channel that is lost answers all that was asked, once, and keeps the first reason. */
static void
test_lost_channel (void)
{
  for (guint round = 0; round < 3; round++)
    {
      ssh_session session = ssh_new ();
      const GError dropped = { TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT, (char *)"gone" };
      TsrSftp *sftp = tsr_sftp_new (session, "user@host:22");
      guint n_lost = 0;

      g_assert_cmpint (tsr_sftp_get_state (sftp), ==, TSR_SFTP_OPENING);
      g_assert_cmpfloat (tsr_sftp_get_wait (sftp), ==, 0);
      tsr_sftp_send_path (sftp, TSR_SFTP_STAT, "/a", count_lost, &n_lost);
      g_usleep (30000);
      tsr_sftp_send_path (sftp, TSR_SFTP_STAT, "/b", count_lost, &n_lost);
      tsr_sftp_send_path (sftp, TSR_SFTP_STAT, "/c", NULL, NULL);
      g_assert_cmpuint (tsr_sftp_count_pending (sftp), ==, 3);
      g_assert_cmpfloat (tsr_sftp_get_wait (sftp), >=, 0.03);
      g_assert_cmpfloat (tsr_sftp_get_wait (sftp), <, 30);
      if (round == 0)
        {
          /* The session is not connected. */
          g_assert_cmpuint (tsr_sftp_step (sftp), ==, 0);
          g_assert_error (tsr_sftp_get_error (sftp), TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
          assert_in (tsr_sftp_get_error (sftp)->message,
                     "user@host:22: no channel for SFTP could be opened (");
        }
      else if (round == 1)
        {
          tsr_sftp_fail (sftp, "%u of %s", 3, "them");
          g_assert_error (tsr_sftp_get_error (sftp), TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL);
          assert_in (tsr_sftp_get_error (sftp)->message, "(3 of them)");
        }
      if (round < 2)
        {
          g_autofree char *first = g_strdup (tsr_sftp_get_error (sftp)->message);

          g_assert_cmpuint (n_lost, ==, 2);
          g_assert_cmpuint (tsr_sftp_count_pending (sftp), ==, 0);
          g_assert_cmpint (tsr_sftp_get_state (sftp), ==, TSR_SFTP_FAILED);
          tsr_sftp_fail (sftp, "something other");
          g_assert_cmpuint (tsr_sftp_step (sftp), ==, 0);
          g_assert_cmpstr (tsr_sftp_get_error (sftp)->message, ==, first);
        }
      tsr_sftp_free (sftp, &dropped);
      g_assert_cmpuint (n_lost, ==, 2);
      ssh_free (session);
    }
}

/* -------------------------------------------------------------------- words */

static gboolean
is_space (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
}

static gboolean
is_dropped (gunichar c)
{
  return c < 32 || (c >= 127 && c < 160) || c == 0x61c || c == 0x200e || c == 0x200f
         || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Each character on its own between two others, in a line and among lines. */
static void
test_clean_text (void)
{
  static const char longer[] = "ab\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80zz";
  g_autofree char *none = tsr_ssh_clean_text (NULL, 10, FALSE);
  g_autofree char *invalid = tsr_ssh_clean_text ("a\xff"
                                                 "b",
                                                 10, FALSE);

  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (invalid, ==,
                   "a\xef\xbf\xbd"
                   "b");
  for (gunichar c = 1; c < 0x3000; c++)
    for (guint lines = 0; lines < 2; lines++)
      {
        char one[8] = { 0 };
        g_autofree char *text = NULL, *clean = NULL, *expected = NULL;

        g_unichar_to_utf8 (c, one);
        text = g_strconcat ("a", one, "b", NULL);
        clean = tsr_ssh_clean_text (text, 100, lines != 0);
        expected = g_strconcat ("a",
                                lines != 0 && c == '\n'   ? "\n"
                                : lines != 0 && c == '\r' ? ""
                                : is_space (c)            ? " "
                                : is_dropped (c)          ? ""
                                                          : one,
                                "b", NULL);
        g_assert_cmpstr (clean, ==, expected);
      }
  /* Never more than asked for, never half a character. */
  for (gsize max = 0; max < sizeof longer + 3; max++)
    {
      g_autofree char *clean = tsr_ssh_clean_text (longer, max, FALSE);
      gsize length = strlen (clean);

      g_assert_cmpuint (length, <=, max);
      g_assert_true (g_utf8_validate (clean, -1, NULL));
      g_assert_cmpmem (clean, MIN (length, 2), longer, MIN (length, 2));
      if (max >= sizeof longer - 1)
        g_assert_cmpstr (clean, ==, longer);
      else if (max == 4)
        g_assert_cmpstr (clean, ==, "ab\xc3\xa4");
      else if (max == 7)
        g_assert_cmpstr (clean, ==, "ab\xc3\xa4\xe2\x82\xac");
    }
  /* Four bytes are looked at for each that is wanted: what is dropped takes the place of nothing.
   */
  for (gsize max = 2; max < 40; max++)
    {
      g_autofree char *dropped = g_strnfill (4 * max - 2, '\1');
      g_autofree char *text = g_strconcat (dropped, "xyz", NULL);
      g_autofree char *clean = tsr_ssh_clean_text (text, max, FALSE);

      g_assert_cmpstr (clean, ==, "xy");
    }
}

/* What each error means for those who may try again, or have a cache. */
static void
test_errors (void)
{
  for (guint code = 0; code <= TSR_REMOTE_ERROR_CONFIG; code++)
    {
      const GError error = { TSR_REMOTE_ERROR, (int)code, (char *)"" };
      const GError other = { G_IO_ERROR, (int)code, (char *)"" };
      gboolean transient = code == TSR_REMOTE_ERROR_UNKNOWN_HOST || code == TSR_REMOTE_ERROR_REFUSED
                           || code == TSR_REMOTE_ERROR_TIMEOUT || code == TSR_REMOTE_ERROR_NETWORK;
      gboolean unanswered = code == TSR_REMOTE_ERROR_NEEDS_ANSWER
                            || code == TSR_REMOTE_ERROR_UNANSWERED
                            || code == TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN;

      g_assert_cmpint (tsr_remote_error_is_transient (&error), ==, transient);
      g_assert_cmpint (tsr_remote_error_is_unanswered (&error), ==, unanswered);
      g_assert_cmpint (tsr_remote_error_is_away (&error), ==, transient || unanswered);
      g_assert_cmpint (tsr_remote_error_lacks_bytes (&error), ==,
                       transient || unanswered || code == TSR_REMOTE_ERROR_AUTH);
      g_assert_false (tsr_remote_error_lacks_bytes (&other));
    }
  g_assert_false (tsr_remote_error_is_away (NULL));
  g_assert_false (tsr_remote_error_lacks_bytes (NULL));
}

static void
test_algorithms (void)
{
  static const char *const usual[] = { "aes", "chacha", "des", NULL };
  static const struct
  {
    const char *told, *merged;
  } cases[] = {
    { NULL, "aes,chacha,des" },
    { "", "" },
    { "des,aes,des", "des,aes" },
    { "+", "aes,chacha,des" },
    { "+new,,aes,old", "aes,chacha,des,new,old" },
    { "-des", "aes,chacha" },
    { "-*es,other", "chacha" },
    { "-!aes,*", "aes" },
    { "^des,new", "des,new,aes,chacha" },
    { "^", "aes,chacha,des" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) merged = tsr_ssh_algorithms_merge (cases[i].told, usual);
      g_autofree char *text = g_strjoinv (",", merged);

      g_assert_cmpstr (text, ==, cases[i].merged);
      g_assert_cmpint (tsr_ssh_algorithms_are_relative (cases[i].told), ==,
                       cases[i].told != NULL && *cases[i].told != '\0'
                           && strchr ("+-^", *cases[i].told) != NULL);
    }
}

/* ------------------------------------------------------------------ sockets */

/* A port of this machine of which at most @backlog wait for somebody who accepts. */
static int
listen_here (int backlog, guint *port)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t size = sizeof address;
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (bind (fd, (struct sockaddr *)&address, sizeof address), ==, 0);
  g_assert_cmpint (listen (fd, backlog), ==, 0);
  g_assert_cmpint (getsockname (fd, (struct sockaddr *)&address, &size), ==, 0);
  *port = ntohs (address.sin_port);
  return fd;
}

static int
get_option (int fd, int level, int name)
{
  int value = -1;
  socklen_t size = sizeof value;

  g_assert_cmpint (getsockopt (fd, level, name, &value, &size), ==, 0);
  return value;
}

static void
check_refused (const char *host,
               guint port,
               guint family,
               GCancellable *cancellable,
               GQuark domain,
               int code,
               const char *said)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (
      tsr_ssh_socket_connect ("me@there", host, port, family, 1, 7, cancellable, &error), ==, -1);
  g_assert_error (error, domain, code);
  if (said != NULL)
    {
      g_autofree char *where = g_strdup_printf ("%s port %u", host, port);

      g_assert_true (g_str_has_prefix (error->message, "me@there: "));
      assert_in (error->message, said);
      if (code != TSR_REMOTE_ERROR_UNKNOWN_HOST)
        assert_in (error->message, where);
      else
        assert_in (error->message, host);
    }
}

/* A proxy for everything, where nobody listens. */
typedef GSimpleProxyResolver Detour;
typedef GSimpleProxyResolverClass DetourClass;
GType detour_get_type (void);

static gboolean
detour_is_supported (GProxyResolver *resolver)
{
  return TRUE;
}

static void
detour_resolver_init (GProxyResolverInterface *iface)
{
  iface->is_supported = detour_is_supported;
}

G_DEFINE_TYPE_WITH_CODE (Detour,
                         detour,
                         G_TYPE_SIMPLE_PROXY_RESOLVER,
                         G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER, detour_resolver_init)
                             g_io_extension_point_implement (G_PROXY_RESOLVER_EXTENSION_POINT_NAME,
                                                             g_define_type_id,
                                                             "detour",
                                                             G_MAXINT))

static void
detour_init (Detour *self)
{
  g_simple_proxy_resolver_set_default_proxy (self, "socks5://127.0.0.1:1");
}

static void
detour_class_init (DetourClass *klass)
{
}

static void
test_socket (void)
{
  static const guint families[] = { AF_UNSPEC, AF_INET };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint port, full_port;
  int listener = listen_here (10, &port), full = listen_here (0, &full_port), waiting[8];

  /* The system's proxy is for the web. */
  g_io_extension_point_register (G_PROXY_RESOLVER_EXTENSION_POINT_NAME);
  g_type_ensure (detour_get_type ());
  g_assert_true (G_TYPE_CHECK_INSTANCE_TYPE (g_proxy_resolver_get_default (), detour_get_type ()));
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autoptr (GError) error = NULL;
      int fd = tsr_ssh_socket_connect ("me@there", "127.0.0.1", port, families[i], 20, 7, NULL,
                                       &error);
      struct sockaddr_in peer;
      socklen_t size = sizeof peer;

      g_assert_no_error (error);
      g_assert_cmpint (getpeername (fd, (struct sockaddr *)&peer, &size), ==, 0);
      g_assert_cmpuint (ntohs (peer.sin_port), ==, port);
      g_assert_cmpint (get_option (fd, IPPROTO_TCP, TCP_NODELAY), ==, 1);
      g_assert_cmpint (get_option (fd, SOL_SOCKET, SO_KEEPALIVE), ==, 1);
      g_assert_cmpint (get_option (fd, IPPROTO_TCP, TCP_USER_TIMEOUT), ==, 7000);
      g_assert_cmpint (fcntl (fd, F_GETFD) & FD_CLOEXEC, !=, 0);
      g_assert_cmpint (fd, >, 2);
      close (fd);
    }
  check_refused ("127.0.0.1", port, AF_INET6, NULL, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                 "cannot reach");
  close (listener);
  check_refused ("127.0.0.1", port, AF_UNSPEC, NULL, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_REFUSED,
                 "nobody listens");
  check_refused ("no-such-machine.invalid", 22, AF_UNSPEC, NULL, TSR_REMOTE_ERROR,
                 TSR_REMOTE_ERROR_UNKNOWN_HOST, "“no-such-machine.invalid”");
  /* Where nobody accepts, the next ones wait. */
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    {
      struct sockaddr_in address
          = { .sin_family = AF_INET, .sin_port = htons ((guint16)full_port) };

      address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
      waiting[i] = socket (AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      (void)!connect (waiting[i], (struct sockaddr *)&address, sizeof address);
    }
  g_usleep (20000);
  check_refused ("127.0.0.1", full_port, AF_UNSPEC, NULL, TSR_REMOTE_ERROR,
                 TSR_REMOTE_ERROR_TIMEOUT, "no answer from");
  g_cancellable_cancel (cancellable);
  check_refused ("127.0.0.1", full_port, AF_UNSPEC, cancellable, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                 NULL);
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    close (waiting[i]);
  close (full);
}

/* Whether the other end of a pair has been shut down. */
static gboolean
is_at_end (int fd)
{
  char byte;

  return recv (fd, &byte, 1, MSG_DONTWAIT) == 0;
}

static void
test_guard (void)
{
  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      TsrSshGuard guard;
      int pair[2], watched;

      g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
      tsr_ssh_guard_init (&guard, pair[0], round < 2 ? cancellable : NULL);
      watched = guard.fd;
      g_assert_cmpint (watched, !=, pair[0]);
      g_assert_cmpint (fcntl (watched, F_GETFD) & FD_CLOEXEC, !=, 0);
      if (round == 1)
        tsr_ssh_guard_disarm (&guard);
      g_assert_false (is_at_end (pair[1]));
      g_cancellable_cancel (cancellable);
      g_assert_cmpint (is_at_end (pair[1]), ==, round == 0);
      tsr_ssh_guard_clear (&guard);
      g_assert_cmpint (guard.fd, ==, -1);
      g_assert_cmpint (fcntl (watched, F_GETFD), ==, -1);
      tsr_ssh_guard_clear (&guard); /* nothing is left to clear */
      close (pair[0]);
      close (pair[1]);
    }
}

/* ------------------------------------------------------------------- agents */

/* An agent that gives the same answers to everybody, in pieces. */
typedef struct
{
  char *folder, *path;
  int listener;
  GString *list, *signature; /* messages without their length; empty: it hangs up */
  GString *asked;            /* what it was asked to sign */
  gboolean is_deaf;          /* it hangs up on what it has not read */
  GThread *thread;
} FakeAgent;

static gboolean
take_all (int fd, void *bytes, gsize length)
{
  return length == 0 || recv (fd, bytes, length, MSG_WAITALL) == (gssize)length;
}

static void
answer (int fd, const GString *message)
{
  g_autoptr (GString) framed = g_string_new (NULL);

  put_string (framed, message->str, message->len);
  for (gsize at = 0; at < framed->len; at += 1000)
    send (fd, framed->str + at, MIN (1000, framed->len - at), MSG_NOSIGNAL);
}

static gpointer
run_agent (gpointer data)
{
  FakeAgent *self = data;
  int fd;

  while ((fd = accept (self->listener, NULL, NULL)) >= 0)
    {
      guint32 length;

      if (self->is_deaf)
        recv (fd, &length, 1, MSG_PEEK);
      while (!self->is_deaf && take_all (fd, &length, 4))
        {
          g_autofree char *request = g_malloc (g_ntohl (length) + 1);
          const GString *message;

          if (!take_all (fd, request, g_ntohl (length)))
            break;
          message = *request == 11 ? self->list : self->signature;
          if (*request != 11)
            g_string_append_len (self->asked, request, g_ntohl (length));
          if (message->len == 0)
            break;
          answer (fd, message);
        }
      close (fd);
    }
  return NULL;
}

static void
fake_agent_set_up (FakeAgent *self)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  self->folder = tsr_test_folder_new ();
  self->path = g_build_filename (self->folder, "agent", NULL);
  self->list = g_string_new (NULL);
  self->signature = g_string_new_len ("\16\0\0\0\4sign", 9);
  self->asked = g_string_new (NULL);
  g_strlcpy (address.sun_path, self->path, sizeof address.sun_path);
  self->listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (self->listener, (struct sockaddr *)&address, sizeof address), ==, 0);
  g_assert_cmpint (listen (self->listener, 4), ==, 0);
  self->thread = g_thread_new ("agent", run_agent, self);
}

static void
fake_agent_tear_down (FakeAgent *self)
{
  shutdown (self->listener, SHUT_RDWR);
  g_thread_join (self->thread);
  close (self->listener);
  g_string_free (self->list, TRUE);
  g_string_free (self->signature, TRUE);
  g_string_free (self->asked, TRUE);
  g_free (self->path);
  tsr_test_folder_free (self->folder);
}

/* A key as an agent lists it. */
static GBytes *
make_key (guint8 seed)
{
  g_autoptr (GString) blob = g_string_new (NULL);
  char point[32];

  memset (point, seed, sizeof point);
  put_string (blob, "ssh-ed25519", 11);
  put_string (blob, point, sizeof point);
  return g_string_free_to_bytes (g_steal_pointer (&blob));
}

static void
put_key (GString *list, GBytes *key, const char *name)
{
  put_string (list, g_bytes_get_data (key, NULL), g_bytes_get_size (key));
  put_string (list, name, strlen (name));
}

static void
begin_list (GString *list, guint n)
{
  g_string_truncate (list, 0);
  put (list, 12, 1);
  put (list, n, 4);
}

/* (transfer full): what libssh hears when it says @request. */
static GString *
talk (int fd, const char *request, gsize length)
{
  g_autoptr (GString) framed = g_string_new (NULL);
  GString *heard = g_string_new (NULL);
  guint32 size;

  put_string (framed, request, length);
  g_assert_cmpint (send (fd, framed->str, framed->len, MSG_NOSIGNAL), ==, framed->len);
  if (take_all (fd, &size, 4))
    {
      g_string_set_size (heard, g_ntohl (size));
      g_assert_true (take_all (fd, heard->str, heard->len));
    }
  return heard;
}

static void
assert_said (int fd, const char *request, gsize length, const char *expected, gsize expected_length)
{
  g_autoptr (GString) said = talk (fd, request, length);

  g_assert_cmpmem (said->str, said->len, expected, expected_length);
}

/* libssh sees the keys that it can read, each once, those of files first; the agent is asked to
 * sign and for nothing else. */
static void
test_agent (void)
{
  static const char *const names[] = { "none", "of-a", "of-b", "of-c" };
  /* Preferred; and what the list then has, of files alone and with all others. */
  static const struct
  {
    const char *preferred, *only, *all;
  } cases[] = { { "", "", "123" }, { "31", "31", "312" }, { "2929", "2", "213" } };
  GBytes *keys[10];
  FakeAgent agent = { 0 };
  g_autoptr (GString) expected = g_string_new (NULL);

  fake_agent_set_up (&agent);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    keys[i] = make_key ((guint8)(i + 1));
  begin_list (agent.list, 99);
  put_key (agent.list, keys[1], names[1]);
  put_string (agent.list, "\0\0\0\6wooden", 10); /* of a type that nobody knows */
  put_string (agent.list, "of-w", 4);
  put_string (agent.list, "\0\0\0\13ssh-ed25519\0\0\0\40", 19); /* cut off */
  put_string (agent.list, "of-x", 4);
  put_string (agent.list, "", 0);
  put_string (agent.list, "of-nothing", 10);
  put_key (agent.list, keys[2], names[2]);
  put_key (agent.list, keys[1], "again");
  put_key (agent.list, keys[3], names[3]);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint only = 0; only < 2; only++)
      {
        g_autoptr (GPtrArray) preferred
            = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
        const char *listed = only ? cases[i].only : cases[i].all;
        TsrSshAgent *filter;
        int fd;

        for (const char *p = cases[i].preferred; *p != '\0'; p++)
          g_ptr_array_add (preferred, g_bytes_ref (keys[*p - '0']));
        filter = tsr_ssh_agent_open (agent.path, i > 0 ? preferred : NULL, only != 0);
        g_assert_cmpint (filter != NULL, ==, *listed != '\0');
        if (filter == NULL)
          continue;
        g_assert_cmpuint (tsr_ssh_agent_count (filter), ==, strlen (listed));
        begin_list (expected, (guint)strlen (listed));
        for (const char *p = listed; *p != '\0'; p++)
          put_key (expected, keys[*p - '0'], names[*p - '0']);
        for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
          g_assert_cmpint (tsr_ssh_agent_has (filter, keys[k]), ==,
                           strchr (listed, '0' + (int)k) != NULL);
        fd = tsr_ssh_agent_steal_fd (filter);
        g_assert_cmpint (tsr_ssh_agent_steal_fd (filter), ==, -1);
        for (guint round = 0; round < 2; round++)
          {
            assert_said (fd, "\13", 1, expected->str, expected->len);
            g_string_truncate (agent.asked, 0);
            assert_said (fd, "\15 sign this", 11, "\16\0\0\0\4sign", 9);
            g_assert_cmpstr (agent.asked->str, ==, "\15 sign this");
            /* To forget all keys. */
            assert_said (fd, "\23", 1, "\5", 1);
            g_assert_cmpstr (agent.asked->str, ==, "\15 sign this");
          }
        tsr_ssh_agent_shut_down (filter);
        g_assert_true (is_at_end (fd));
        tsr_ssh_agent_free (filter);
        close (fd);
      }
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_bytes_unref (keys[i]);
  fake_agent_tear_down (&agent);
}

/* Agents that are none, or have nothing; long answers, too long ones, and one that goes away. */
static void
test_odd_agents (void)
{
  FakeAgent agent = { 0 };
  g_autoptr (GBytes) key = make_key (1);
  g_autofree char *long_path = g_strnfill (200, 'x'), *nobody = NULL;

  fake_agent_set_up (&agent);
  nobody = g_build_filename (agent.folder, "nobody", NULL);
  g_assert_null (tsr_ssh_agent_open (NULL, NULL, FALSE));
  g_assert_null (tsr_ssh_agent_open ("", NULL, FALSE));
  g_assert_null (tsr_ssh_agent_open (long_path, NULL, FALSE));
  g_assert_null (tsr_ssh_agent_open (nobody, NULL, FALSE));
  agent.is_deaf = TRUE;
  g_assert_null (tsr_ssh_agent_open (agent.path, NULL, FALSE));
  agent.is_deaf = FALSE;
  for (guint round = 0; round < 9; round++)
    {
      /* What it answers, and whether there is a key in it. */
      gboolean has_key = round >= 5 && round != 8;
      TsrSshAgent *filter;

      begin_list (agent.list, 1);
      if (round == 0)
        g_string_truncate (agent.list, 0);
      else if (round == 1)
        g_string_assign (agent.list, "\5");
      else if (round == 2)
        g_string_truncate (agent.list, 4);
      else if (round == 4)
        {
          put_key (agent.list, key, "name");
          g_string_truncate (agent.list, agent.list->len - 1);
        }
      else if (round >= 5)
        put_key (agent.list, key, "name");
      if (round == 6)
        g_string_append (agent.list, "half a key");
      if (round >= 7) /* as long as it may be; longer */
        {
          gsize left = 256 * 1024 - agent.list->len - 8 + (round - 7);
          g_autofree char *padding = g_strnfill (left, 'x');

          put_string (agent.list, "", 0);
          put_string (agent.list, padding, left);
        }
      filter = tsr_ssh_agent_open (agent.path, NULL, FALSE);
      g_assert_cmpint (filter != NULL, ==, has_key);
      if (filter == NULL)
        continue;
      g_assert_cmpuint (tsr_ssh_agent_count (filter), ==, 1);
      if (round == 7)
        {
          int fd = tsr_ssh_agent_steal_fd (filter);

          g_string_truncate (agent.signature, 0);
          assert_said (fd, "\15 sign this", 11, "\5", 1);
          close (fd);
        }
      tsr_ssh_agent_free (filter);
    }
  fake_agent_tear_down (&agent);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remote-parts/attributes", test_attributes);
  g_test_add_func ("/remote-parts/wire", test_wire);
  g_test_add_func ("/remote-parts/answers", test_answers);
  g_test_add_func ("/remote-parts/lost-channel", test_lost_channel);
  g_test_add_func ("/remote-parts/clean-text", test_clean_text);
  g_test_add_func ("/remote-parts/errors", test_errors);
  g_test_add_func ("/remote-parts/algorithms", test_algorithms);
  g_test_add_func ("/remote-parts/socket", test_socket);
  g_test_add_func ("/remote-parts/guard", test_guard);
  g_test_add_func ("/remote-parts/agent", test_agent);
  g_test_add_func ("/remote-parts/odd-agents", test_odd_agents);
  return g_test_run ();
}
