/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Protocol: draft-miller-ssh-agent.  A message consists of a length in four bytes, a type and a
 * body. */

#include "config.h"

#include "tsr-ssh-agent.h"

#include "tsr-wire.h"

#include <errno.h>
#include <fcntl.h>
#include <libssh/libssh.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_MESSAGE       (256 * 1024)
#define AGENT_FAILURE     5
#define AGENT_LIST        11
#define AGENT_LIST_ANSWER 12
#define AGENT_SIGN        13

struct _TsrSshAgent
{
  int agent;     /* to the user's agent */
  int near, far; /* ours, libssh's */
  GPtrArray *blobs;
  GByteArray *list; /* the answer to AGENT_LIST, with its length */
  GThread *thread;
};

static gboolean
move_bytes (int fd, void *bytes, gsize length, gboolean reading, int timeout_ms)
{
  guint8 *at = bytes;

  while (length > 0)
    {
      struct pollfd poll_fd = { fd, reading ? POLLIN : POLLOUT, 0 };
      gssize n;
      int ready = poll (&poll_fd, 1, timeout_ms);

      if (ready < 0 && errno == EINTR)
        continue;
      if (ready <= 0)
        return FALSE;
      n = reading ? recv (fd, at, length, 0) : send (fd, at, length, MSG_NOSIGNAL);
      if (n < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (n <= 0)
        return FALSE;
      at += n;
      length -= (gsize)n;
    }
  return TRUE;
}

/* (nullable): one message with its length. */
static GByteArray *
read_message (int fd, int timeout_ms)
{
  GByteArray *message = g_byte_array_sized_new (256);
  guint32 length;

  g_byte_array_set_size (message, 4);
  if (move_bytes (fd, message->data, 4, TRUE, timeout_ms))
    {
      memcpy (&length, message->data, 4);
      length = GUINT32_FROM_BE (length);
      if (length > 0 && length <= MAX_MESSAGE)
        {
          g_byte_array_set_size (message, 4 + length);
          if (move_bytes (fd, message->data + 4, length, TRUE, timeout_ms))
            return message;
        }
    }
  g_byte_array_unref (message);
  return NULL;
}

static gboolean
write_message (int fd, GByteArray *message, int timeout_ms)
{
  return move_bytes (fd, message->data, message->len, FALSE, timeout_ms);
}

/* (nullable): the next string of @wire. */
static GBytes *
dup_string (TsrWire *wire)
{
  const guint8 *bytes;
  gsize length;

  return tsr_wire_take_string (wire, &bytes, &length) ? g_bytes_new (bytes, length) : NULL;
}

static void
put_bytes (GByteArray *list, GBytes *bytes)
{
  tsr_wire_put_string (list, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* libssh ends its walk over an agent's keys at the first one that it cannot read. */
static gboolean
is_readable (GBytes *blob)
{
  TsrWire wire = { g_bytes_get_data (blob, NULL), g_bytes_get_size (blob) };
  g_autofree char *text = g_base64_encode (wire.bytes, wire.left), *type = NULL;
  const guint8 *name;
  gsize length;
  ssh_key key = NULL;
  gboolean ok;

  if (!tsr_wire_take_string (&wire, &name, &length))
    return FALSE;
  type = g_strndup ((const char *)name, length);
  ok = ssh_pki_import_pubkey_base64 (text, ssh_key_type_from_name (type), &key) == SSH_OK;
  SSH_KEY_FREE (key);
  return ok;
}

static gboolean
contains (GPtrArray *blobs, GBytes *blob)
{
  return blobs != NULL
         && g_ptr_array_find_with_equal_func (blobs, blob, (GEqualFunc)g_bytes_equal, NULL);
}

/* Writes the answer to AGENT_LIST: those of @preferred in its order, then the others. */
static void
build_list (
    TsrSshAgent *self, GPtrArray *keys, GPtrArray *names, GPtrArray *preferred, gboolean only)
{
  guint8 head[9] = { 0, 0, 0, 0, AGENT_LIST_ANSWER };
  guint32 number;

  g_byte_array_append (self->list, head, sizeof head);
  for (guint p = 0; preferred && p < preferred->len; p++)
    for (guint i = 0; i < keys->len; i++)
      if (g_bytes_equal (keys->pdata[i], preferred->pdata[p])
          && !contains (self->blobs, keys->pdata[i]))
        {
          put_bytes (self->list, keys->pdata[i]);
          put_bytes (self->list, names->pdata[i]);
          g_ptr_array_add (self->blobs, g_bytes_ref (keys->pdata[i]));
        }
  for (guint i = 0; !only && i < keys->len; i++)
    if (!contains (self->blobs, keys->pdata[i]))
      {
        put_bytes (self->list, keys->pdata[i]);
        put_bytes (self->list, names->pdata[i]);
        g_ptr_array_add (self->blobs, g_bytes_ref (keys->pdata[i]));
      }
  number = GUINT32_TO_BE (self->list->len - 4);
  memcpy (self->list->data, &number, 4);
  number = GUINT32_TO_BE (self->blobs->len);
  memcpy (self->list->data + 5, &number, 4);
}

static gboolean
list_keys (TsrSshAgent *self, GPtrArray *preferred, gboolean only)
{
  static const guint8 request[] = { 0, 0, 0, 1, AGENT_LIST };
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  g_autoptr (GByteArray) answer = NULL;
  TsrWire wire;

  if (!move_bytes (self->agent, (void *)request, sizeof request, FALSE, 5000))
    return FALSE;
  answer = read_message (self->agent, 5000);
  if (answer == NULL || answer->len < 9 || answer->data[4] != AGENT_LIST_ANSWER)
    return FALSE;
  wire = (TsrWire){ answer->data + 9, answer->len - 9 };
  while (wire.left > 0 && keys->len < 1000)
    {
      g_autoptr (GBytes) blob = dup_string (&wire);
      g_autoptr (GBytes) name = dup_string (&wire);

      if (blob == NULL || name == NULL)
        break;
      if (is_readable (blob))
        {
          g_ptr_array_add (keys, g_steal_pointer (&blob));
          g_ptr_array_add (names, g_steal_pointer (&name));
        }
    }
  build_list (self, keys, names, preferred, only);
  return self->blobs->len > 0;
}

/* Answers libssh until it closes its end, or the agent goes away. */
static gpointer
serve (gpointer data)
{
  TsrSshAgent *self = data;
  static const guint8 failure[] = { 0, 0, 0, 1, AGENT_FAILURE };

  for (;;)
    {
      g_autoptr (GByteArray) request = read_message (self->near, -1);
      g_autoptr (GByteArray) answer = NULL;

      if (request == NULL)
        break;
      if (request->data[4] == AGENT_LIST)
        {
          if (!write_message (self->near, self->list, -1))
            break;
          continue;
        }
      if (request->data[4] == AGENT_SIGN && write_message (self->agent, request, 5000))
        answer = read_message (self->agent, -1);
      if (answer != NULL ? !write_message (self->near, answer, -1)
                         : !move_bytes (self->near, (void *)failure, sizeof failure, FALSE, -1))
        break;
    }
  shutdown (self->near, SHUT_RDWR);
  return NULL;
}

TsrSshAgent *
tsr_ssh_agent_open (const char *path, GPtrArray *preferred, gboolean only)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  TsrSshAgent *self;
  int pair[2];

  if (path == NULL || *path == '\0' || strlen (path) >= sizeof address.sun_path)
    return NULL;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
    return NULL;
  strcpy (address.sun_path, path);
  self = g_new0 (TsrSshAgent, 1);
  self->near = pair[0];
  self->far = pair[1];
  self->blobs = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  self->list = g_byte_array_new ();
  self->agent = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  /* A full queue of the listener is an error here and not a wait. */
  if (self->agent < 0 || connect (self->agent, (struct sockaddr *)&address, sizeof address) < 0
      || !list_keys (self, preferred, only))
    {
      tsr_ssh_agent_free (self);
      return NULL;
    }
  self->thread = g_thread_new ("ssh-agent", serve, self);
  return self;
}

void
tsr_ssh_agent_shut_down (TsrSshAgent *self)
{
  shutdown (self->near, SHUT_RDWR);
  shutdown (self->agent, SHUT_RDWR);
}

void
tsr_ssh_agent_free (TsrSshAgent *self)
{
  if (self == NULL)
    return;
  tsr_ssh_agent_shut_down (self);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  close (self->agent);
  close (self->near);
  close (self->far);
  g_ptr_array_unref (self->blobs);
  g_byte_array_unref (self->list);
  g_free (self);
}

int
tsr_ssh_agent_steal_fd (TsrSshAgent *self)
{
  int fd = self->far;

  self->far = -1;
  return fd;
}

guint
tsr_ssh_agent_count (TsrSshAgent *self)
{
  return self->blobs->len;
}

gboolean
tsr_ssh_agent_has (TsrSshAgent *self, GBytes *blob)
{
  return contains (self->blobs, blob);
}
