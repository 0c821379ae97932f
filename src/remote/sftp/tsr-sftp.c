/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A packet consists of a length, a type, the number of its request, and a body. */

#include "config.h"

#include "tsr-sftp.h"

#include "tsr-remote-error.h"
#include "tsr-ssh-clean.h"
#include "tsr-ssh-window.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <libssh/callbacks.h>
#include <string.h>

#define PACKET_INIT    1
#define PACKET_VERSION 2
#define VERSION        3
#define MAX_PACKET     (1u << 20) /* OpenSSH sends 256 KiB at most */
#define MAX_HANDLE     256
#define OPEN_TO_READ   1

#define ATTR_SIZE     0x1u
#define ATTR_OWNER    0x2u
#define ATTR_MODE     0x4u
#define ATTR_TIMES    0x8u
#define ATTR_EXTENDED 0x80000000u

typedef enum
{
  STEP_CHANNEL,
  STEP_SUBSYSTEM,
  STEP_VERSION,
  STEP_READY,
} Step;

typedef struct
{
  TsrSftpFunc func;
  gpointer data;
  gint64 sent;
} Pending;

struct _TsrSftp
{
  char *who;
  ssh_session session;
  ssh_channel channel;
  struct ssh_channel_callbacks_struct callbacks;
  TsrSshWindow window;
  Step step;
  GError *error;
  GByteArray *in, *out;
  gsize in_offset; /* bytes of @in that are handled */
  gsize out_offset;
  GHashTable *pending; /* number -> Pending */
  guint32 last_number;
  guint64 received;
};

/* ------------------------------------------------------------------ channel */

gboolean
tsr_sftp_take_attributes (TsrWire *wire, TsrSftpAttributes *attributes)
{
  guint32 flags, ignored, n;
  const guint8 *bytes;
  gsize length;

  memset (attributes, 0, sizeof *attributes);
  if (!tsr_wire_take_u32 (wire, &flags))
    return FALSE;
  attributes->has_size = (flags & ATTR_SIZE) != 0;
  attributes->has_mode = (flags & ATTR_MODE) != 0;
  attributes->has_times = (flags & ATTR_TIMES) != 0;
  if (attributes->has_size && !tsr_wire_take_u64 (wire, &attributes->size))
    return FALSE;
  if ((flags & ATTR_OWNER)
      && (!tsr_wire_take_u32 (wire, &ignored) || !tsr_wire_take_u32 (wire, &ignored)))
    return FALSE;
  if (attributes->has_mode && !tsr_wire_take_u32 (wire, &attributes->mode))
    return FALSE;
  if (attributes->has_times
      && (!tsr_wire_take_u32 (wire, &ignored) || !tsr_wire_take_u32 (wire, &attributes->mtime)))
    return FALSE;
  if (!(flags & ATTR_EXTENDED))
    return TRUE;
  if (!tsr_wire_take_u32 (wire, &n))
    return FALSE;
  /* Each pair takes eight bytes or more, so the packet bounds the loop. */
  for (guint32 i = 0; i < n; i++)
    if (!tsr_wire_take_string (wire, &bytes, &length)
        || !tsr_wire_take_string (wire, &bytes, &length))
      return FALSE;
  return TRUE;
}

static int
on_data (ssh_session session,
         ssh_channel channel,
         void *data,
         uint32_t length,
         int is_stderr,
         void *user)
{
  TsrSftp *self = user;

  (void)session, (void)channel;
  self->received += length;
  tsr_ssh_window_note (&self->window, length);
  if (!is_stderr)
    g_byte_array_append (self->in, data, length);
  return (int)length;
}

TsrSftp *
tsr_sftp_new (ssh_session session, const char *who)
{
  TsrSftp *self = g_new0 (TsrSftp, 1);

  self->who = g_strdup (who);
  self->session = session;
  self->in = g_byte_array_new ();
  self->out = g_byte_array_new ();
  self->pending = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->channel = ssh_channel_new (session);
  tsr_ssh_window_init (&self->window);
  self->callbacks.userdata = self;
  self->callbacks.channel_data_function = on_data;
  ssh_callbacks_init (&self->callbacks);
  if (self->channel != NULL)
    ssh_set_channel_callbacks (self->channel, &self->callbacks);
  return self;
}

static void
answer_all (TsrSftp *self)
{
  g_autoptr (GHashTable) pending = g_steal_pointer (&self->pending);
  GHashTableIter iter;
  gpointer value;

  self->pending = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_iter_init (&iter, pending);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((Pending *)value)->func != NULL)
      ((Pending *)value)->func (self, NULL, ((Pending *)value)->data);
}

void
tsr_sftp_free (TsrSftp *self, const GError *error)
{
  if (self->error == NULL)
    self->error = g_error_copy (error);
  answer_all (self);
  if (self->channel != NULL)
    {
      ssh_remove_channel_callbacks (self->channel, &self->callbacks);
      ssh_channel_free (self->channel);
    }
  tsr_ssh_window_clear (&self->window);
  g_hash_table_unref (self->pending);
  g_byte_array_unref (self->in);
  g_byte_array_unref (self->out);
  g_clear_error (&self->error);
  g_free (self->who);
  g_free (self);
}

const char *
tsr_sftp_get_who (TsrSftp *self)
{
  return self->who;
}

TsrSftpState
tsr_sftp_get_state (TsrSftp *self)
{
  return self->error != NULL        ? TSR_SFTP_FAILED
         : self->step == STEP_READY ? TSR_SFTP_READY
                                    : TSR_SFTP_OPENING;
}

const GError *
tsr_sftp_get_error (TsrSftp *self)
{
  return self->error;
}

static void
fail (TsrSftp *self, TsrRemoteError code, const char *text)
{
  if (self->error != NULL)
    return;
  self->error = g_error_new (TSR_REMOTE_ERROR, code, "%s: %s", self->who, text);
  answer_all (self);
}

void
tsr_sftp_fail (TsrSftp *self, const char *format, ...)
{
  g_autofree char *text = NULL, *sentence = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  sentence = g_strdup_printf (_ ("the SFTP server does not follow the protocol (%s); if it is not "
                                 "one of the known servers, its maker may want to hear of it"),
                              text);
  fail (self, TSR_REMOTE_ERROR_PROTOCOL, sentence);
}

guint
tsr_sftp_count_pending (TsrSftp *self)
{
  return g_hash_table_size (self->pending);
}

double
tsr_sftp_get_wait (TsrSftp *self)
{
  gint64 now = g_get_monotonic_time (), oldest = now;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->pending);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    oldest = MIN (oldest, ((Pending *)value)->sent);
  return (double)(now - oldest) / G_USEC_PER_SEC;
}

guint64
tsr_sftp_count_received (TsrSftp *self)
{
  return self->received;
}

/* ------------------------------------------------------------------ sending */

/* Begins a packet; its length is written by end_packet(). */
static guint
begin_packet (TsrSftp *self, TsrSftpType type, TsrSftpFunc func, gpointer data)
{
  guint start = self->out->len;
  Pending *pending = g_new (Pending, 1);

  pending->func = func;
  pending->data = data;
  pending->sent = g_get_monotonic_time ();
  self->last_number++;
  g_hash_table_replace (self->pending, GUINT_TO_POINTER (self->last_number), pending);
  tsr_wire_put_u32 (self->out, 0);
  tsr_wire_put_u8 (self->out, (guint8)type);
  tsr_wire_put_u32 (self->out, self->last_number);
  return start;
}

static void
end_packet (TsrSftp *self, guint start)
{
  guint32 length = GUINT32_TO_BE (self->out->len - start - 4);

  memcpy (self->out->data + start, &length, 4);
}

void
tsr_sftp_send_path (
    TsrSftp *self, TsrSftpType type, const char *path, TsrSftpFunc func, gpointer data)
{
  guint start = begin_packet (self, type, func, data);

  tsr_wire_put_string (self->out, path, strlen (path));
  if (type == TSR_SFTP_OPEN_FILE)
    {
      tsr_wire_put_u32 (self->out, OPEN_TO_READ);
      tsr_wire_put_u32 (self->out, 0); /* no attributes */
    }
  end_packet (self, start);
}

void
tsr_sftp_send_handle (
    TsrSftp *self, TsrSftpType type, GBytes *handle, TsrSftpFunc func, gpointer data)
{
  guint start = begin_packet (self, type, func, data);

  tsr_wire_put_string (self->out, g_bytes_get_data (handle, NULL), g_bytes_get_size (handle));
  end_packet (self, start);
}

void
tsr_sftp_send_read (
    TsrSftp *self, GBytes *handle, guint64 offset, guint32 length, TsrSftpFunc func, gpointer data)
{
  guint start = begin_packet (self, TSR_SFTP_READ, func, data);

  tsr_wire_put_string (self->out, g_bytes_get_data (handle, NULL), g_bytes_get_size (handle));
  tsr_wire_put_u64 (self->out, offset);
  tsr_wire_put_u32 (self->out, length);
  end_packet (self, start);
}

GBytes *
tsr_sftp_answer_dup_handle (const TsrSftpAnswer *answer)
{
  TsrWire body = answer->body;
  const guint8 *bytes;
  gsize length;

  if (answer->type != TSR_SFTP_HANDLE || !tsr_wire_take_string (&body, &bytes, &length)
      || length > MAX_HANDLE)
    return NULL;
  return g_bytes_new (bytes, length);
}

GError *
tsr_sftp_answer_dup_error (TsrSftp *self,
                           const TsrSftpAnswer *answer,
                           const char *path,
                           gboolean opened)
{
  g_autofree char *shown = g_filename_display_name (path);
  const char *text
      = answer->text != NULL && *answer->text ? answer->text : _ ("no reason was given");

  if (answer->type != TSR_SFTP_STATUS)
    return g_error_new (
        TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL,
        _ ("%s: the SFTP server gave an answer about %s that does not match the question"),
        self->who, shown);
  if (answer->status == TSR_SFTP_NO_SUCH_FILE && opened)
    return g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED,
                        _ ("%s: %s is no longer there; open its folder again"), self->who, shown);
  if (answer->status == TSR_SFTP_NO_SUCH_FILE)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("%s: there is no %s; check the path"),
                        self->who, shown);
  if (answer->status == TSR_SFTP_PERMISSION_DENIED)
    return g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION,
                        _ ("%s: %s may not be read by this user; ask its owner for permission"),
                        self->who, shown);
  return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, _ ("%s: %s cannot be read (%s)"), self->who,
                      shown, text);
}

static void
flush (TsrSftp *self)
{
  while (self->out_offset < self->out->len)
    {
      int n = ssh_channel_write (self->channel, self->out->data + self->out_offset,
                                 (guint32)(self->out->len - self->out_offset));

      if (n == SSH_ERROR)
        {
          g_autofree char *cause
              = tsr_ssh_clean_text (ssh_get_error (self->session), TSR_SSH_CLEAN_LINE, FALSE);

          fail (self, TSR_REMOTE_ERROR_NETWORK, cause);
          return;
        }
      if (n <= 0)
        break;
      self->out_offset += (gsize)n;
    }
  if (self->out_offset == self->out->len)
    {
      g_byte_array_set_size (self->out, 0);
      self->out_offset = 0;
    }
}

/* ------------------------------------------------------------------ opening */

/* TRUE: a step was made. */
static gboolean
open_channel (TsrSftp *self)
{
  int rc = self->channel != NULL ? ssh_channel_open_session (self->channel) : SSH_ERROR;
  g_autofree char *text = NULL, *cause = NULL;

  if (rc == SSH_AGAIN)
    return FALSE;
  if (rc == SSH_OK)
    {
      self->step = STEP_SUBSYSTEM;
      return TRUE;
    }
  cause = tsr_ssh_clean_text (ssh_get_error (self->session), TSR_SSH_CLEAN_LINE, FALSE);
  text = g_strdup_printf (_ ("no channel for SFTP could be opened (%s); try again later"), cause);
  fail (self,
        ssh_is_connected (self->session) ? TSR_REMOTE_ERROR_NO_SFTP : TSR_REMOTE_ERROR_NETWORK,
        text);
  return FALSE;
}

static gboolean
ask_subsystem (TsrSftp *self)
{
  int rc = ssh_channel_request_subsystem (self->channel, "sftp");

  if (rc == SSH_AGAIN)
    return FALSE;
  if (rc != SSH_OK)
    {
      fail (self,
            ssh_is_connected (self->session) ? TSR_REMOTE_ERROR_NO_SFTP : TSR_REMOTE_ERROR_NETWORK,
            _ ("the ssh server offers no SFTP; ask its administrator to switch it on (“Subsystem "
               "sftp” in sshd_config), or copy the report to this machine"));
      return FALSE;
    }
  tsr_wire_put_u32 (self->out, 5);
  tsr_wire_put_u8 (self->out, PACKET_INIT);
  tsr_wire_put_u32 (self->out, VERSION);
  self->step = STEP_VERSION;
  return TRUE;
}

static void
take_version (TsrSftp *self, TsrWire *packet)
{
  guint8 type = 0;
  guint32 version = 0;

  if (!tsr_wire_take_u8 (packet, &type) || !tsr_wire_take_u32 (packet, &version)
      || type != PACKET_VERSION || version != VERSION)
    {
      g_autofree char *text
          = g_strdup_printf (_ ("its SFTP server speaks version %u of the protocol, and version %d "
                                "is needed; ask the administrator for another one"),
                             type == PACKET_VERSION ? version : 0, VERSION);

      fail (self, TSR_REMOTE_ERROR_NO_SFTP, text);
    }
  else
    self->step = STEP_READY;
}

/* ---------------------------------------------------------------- receiving */

static void
take_answer (TsrSftp *self, TsrWire *packet)
{
  TsrSftpAnswer answer = { 0 };
  guint8 type = 0;
  guint32 number = 0;
  Pending *pending;
  g_autofree char *text = NULL;

  if (!tsr_wire_take_u8 (packet, &type) || !tsr_wire_take_u32 (packet, &number))
    {
      tsr_sftp_fail (self, _ ("a packet is too short"));
      return;
    }
  pending = g_hash_table_lookup (self->pending, GUINT_TO_POINTER (number));
  if (pending == NULL)
    {
      tsr_sftp_fail (self, _ ("an answer to a question that was not asked"));
      return;
    }
  g_hash_table_steal (self->pending, GUINT_TO_POINTER (number));
  answer.type = type;
  answer.body = *packet;
  if (type == TSR_SFTP_STATUS)
    {
      TsrWire body = *packet;
      const guint8 *bytes;
      gsize length;

      if (tsr_wire_take_u32 (&body, &answer.status)
          && tsr_wire_take_string (&body, &bytes, &length))
        {
          g_autofree char *raw
              = g_strndup ((const char *)bytes, MIN (length, 4 * TSR_SSH_CLEAN_LINE));

          text = tsr_ssh_clean_text (raw, TSR_SSH_CLEAN_LINE, FALSE);
          answer.text = text;
        }
    }
  if (pending->func != NULL)
    pending->func (self, &answer, pending->data);
  g_free (pending);
}

static void
fail_length (TsrSftp *self)
{
  if (self->step == STEP_VERSION)
    fail (self, TSR_REMOTE_ERROR_NO_SFTP,
          _ ("something other than SFTP answers; if the account's start-up files (such as .bashrc) "
             "print text, let them do so in interactive shells only"));
  else
    tsr_sftp_fail (self, _ ("a packet of impossible length"));
}

static guint
take_packets (TsrSftp *self)
{
  guint n = 0;

  while (self->error == NULL && self->in->len - self->in_offset >= 4)
    {
      TsrWire packet = { self->in->data + self->in_offset, self->in->len - self->in_offset };
      guint32 length = 0;

      tsr_wire_take_u32 (&packet, &length);
      if (length == 0 || length > MAX_PACKET)
        {
          fail_length (self);
          break;
        }
      if (packet.left < length)
        break;
      packet.left = length;
      self->in_offset += 4 + length;
      n++;
      if (self->step == STEP_VERSION)
        take_version (self, &packet);
      else
        take_answer (self, &packet);
    }
  if (self->in_offset > 0)
    {
      g_byte_array_remove_range (self->in, 0, (guint)self->in_offset);
      self->in_offset = 0;
    }
  return n;
}

static void
check_open (TsrSftp *self)
{
  if (self->channel == NULL
      || !(ssh_channel_is_eof (self->channel) || ssh_channel_is_closed (self->channel)))
    return;
  if (self->step == STEP_VERSION)
    fail (self, TSR_REMOTE_ERROR_NO_SFTP,
          _ ("the SFTP server ended at once; ask the machine's administrator to look at “Subsystem "
             "sftp” in sshd_config"));
  else
    fail (self, TSR_REMOTE_ERROR_NETWORK, _ ("the server ended the SFTP session; connect again"));
}

guint
tsr_sftp_step (TsrSftp *self)
{
  guint n = 0;

  if (self->error == NULL && self->step == STEP_CHANNEL)
    n += open_channel (self);
  if (self->error == NULL && self->step == STEP_SUBSYSTEM)
    n += ask_subsystem (self);
  if (self->error == NULL && self->step >= STEP_VERSION)
    {
      n += take_packets (self);
      if (self->error == NULL)
        check_open (self);
      if (self->error == NULL)
        flush (self);
      /* Something may have come meanwhile, here or on another channel. */
      if (self->error == NULL && self->step == STEP_READY
          && tsr_ssh_window_grow (&self->window, self->channel, self->in))
        n++;
    }
  return n;
}
