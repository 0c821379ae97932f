/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers a remote place's requests from a local folder, with delays: a connection of its own,
 * which these programs are linked with in place of sftp/tsr-connection.c. */

#include "config.h"

#include "fake-remote.h"

#include "tsr-remote-error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Opening, reading names, seeing their end, closing. */
#define LIST_TRIPS 4
/* Bytes that are under way at most: four channels. */
#define LINE_WINDOW (4 * 640000)

struct _FakeRemote
{
  gatomicrefcount refs;
  char *root;
  TsrPlace *local;
  GMutex lock;
  GCond cond;
  GThread *thread;
  gboolean is_ending, is_down, is_stalled, is_answering;
  gboolean is_orphan; /* the thread held the last reference */
  guint64 down_after;
  double latency_s, bytes_per_s;
  FakeCounts counts;
  GQueue queue[3];  /* Read, by priority */
  GQueue under_way; /* Read, in the order of their times */
  gsize on_line;
  gint64 line_free; /* when the last byte under way has come */
};

struct _TsrConnection
{
  GObject parent_instance;
  FakeRemote *remote;
  TsrSshAddress *address;
};

G_DEFINE_FINAL_TYPE (TsrConnection, tsr_connection, G_TYPE_OBJECT)

struct _TsrRemoteFile
{
  gatomicrefcount refs; /* reads under way have one, too */
  FakeRemote *remote;
  char *path;
  gint64 size;
  int fd; /* of the state that was opened first */
};

typedef struct
{
  TsrRemoteFile *file;
  gint64 offset;
  gsize length;
  TsrRemoteReadFunc func;
  gpointer data;
  gint64 due;
} Read;

static FakeRemote *
fake_remote_ref (FakeRemote *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
set_down_error (GError **error)
{
  g_set_error_literal (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "the line is down");
}

/* --------------------------------------------------------------------- line */

static void
file_unref (TsrRemoteFile *file)
{
  if (!g_atomic_ref_count_dec (&file->refs))
    return;
  if (file->fd >= 0)
    close (file->fd);
  fake_remote_unref (file->remote);
  g_free (file->path);
  g_free (file);
}

static void
answer (FakeRemote *self, Read *read)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  gboolean is_down;

  g_mutex_lock (&self->lock);
  if (self->down_after > 0 && self->counts.bytes + read->length > self->down_after)
    self->is_down = TRUE;
  is_down = self->is_down;
  if (!is_down)
    self->counts.bytes += read->length;
  g_mutex_unlock (&self->lock);
  if (is_down)
    set_down_error (&error);
  else
    {
      g_autofree guint8 *data = g_malloc (MAX (read->length, 1));
      ssize_t got;

      if (read->file->fd < 0)
        {
          g_autofree char *path = g_build_filename (self->root, read->file->path, NULL);

          read->file->fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
        }
      got = pread (read->file->fd, data, read->length, read->offset);
      if (got < 0)
        g_set_error_literal (&error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED, "it is gone");
      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
      for (ssize_t i = 0; i < got; i += TSR_BLOCK_BYTES)
        g_ptr_array_add (blocks, g_bytes_new (data + i, (gsize)MIN (TSR_BLOCK_BYTES, got - i)));
    }
  read->func (error == NULL ? blocks : NULL, error, read->data);
  file_unref (read->file);
  g_free (read);
}

static void
finish (FakeRemote *self)
{
  g_object_unref (self->local);
  g_free (self->root);
  g_cond_clear (&self->cond);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Moves what may go from the queues to the line. */
static void
put_on_line (FakeRemote *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->queue); i++)
    while (self->queue[i].length > 0 && self->on_line < LINE_WINDOW)
      {
        Read *read = g_queue_pop_head (&self->queue[i]);
        gint64 now = g_get_monotonic_time ();
        double trips = read->file->fd < 0 ? 2 : 1; /* it is opened with the first read */

        if (read->file->fd < 0)
          self->counts.trips++;
        if (self->under_way.length == 0)
          self->counts.waves++;
        self->counts.requests++;
        self->line_free = MAX (self->line_free, now + (gint64)(trips * self->latency_s * 1e6));
        if (self->bytes_per_s > 0)
          self->line_free += (gint64)((double)read->length / self->bytes_per_s * 1e6);
        read->due = self->line_free;
        self->on_line += read->length;
        g_queue_push_tail (&self->under_way, read);
      }
}

static gpointer
line_thread (gpointer data)
{
  FakeRemote *self = data;

  g_mutex_lock (&self->lock);
  while (!self->is_ending)
    {
      Read *read;

      put_on_line (self);
      read = g_queue_peek_head (&self->under_way);
      if (read == NULL || self->is_stalled)
        g_cond_wait (&self->cond, &self->lock);
      else if (read->due > g_get_monotonic_time ())
        g_cond_wait_until (&self->cond, &self->lock, read->due);
      else
        {
          g_queue_pop_head (&self->under_way);
          self->on_line -= read->length;
          self->is_answering = TRUE;
          g_mutex_unlock (&self->lock);
          answer (self, read);
          g_mutex_lock (&self->lock);
          self->is_answering = FALSE;
          g_cond_broadcast (&self->cond);
        }
    }
  g_mutex_unlock (&self->lock);
  if (self->is_orphan)
    finish (self);
  return NULL;
}

/* --------------------------------------------------------------------- asking */

static gboolean
travel (FakeRemote *self, guint trips, GError **error)
{
  gboolean is_down;
  double latency_s;

  g_mutex_lock (&self->lock);
  is_down = self->is_down;
  latency_s = self->latency_s;
  self->counts.trips += is_down ? 0 : trips;
  g_mutex_unlock (&self->lock);
  if (is_down)
    {
      set_down_error (error);
      return FALSE;
    }
  g_usleep ((gulong)(trips * latency_s * 1e6));
  return TRUE;
}

/* Seconds only, as SFTP has it. */
static void
cut_time (TsrFolderEntry *entry)
{
  entry->mtime_us -= entry->mtime_us % G_USEC_PER_SEC;
}

GPtrArray *
tsr_connection_list (TsrConnection *connection,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  FakeRemote *self = connection->remote;
  g_autofree char *local = g_build_filename (self->root, path, NULL);
  GPtrArray *entries;

  if (!travel (self, LIST_TRIPS, error))
    return NULL;
  entries = tsr_place_list (self->local, local, cancellable, error);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    cut_time (g_ptr_array_index (entries, i));
  return entries;
}

TsrFolderEntry *
tsr_connection_stat (TsrConnection *connection,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  FakeRemote *self = connection->remote;
  g_autofree char *local = g_build_filename (self->root, path, NULL);
  TsrFolderEntry *entry;

  if (!travel (self, 1, error))
    return NULL;
  g_mutex_lock (&self->lock);
  self->counts.stats++;
  g_mutex_unlock (&self->lock);
  entry = tsr_place_stat (self->local, local, cancellable, error);
  if (entry != NULL)
    cut_time (entry);
  return entry;
}

char *
tsr_connection_resolve (TsrConnection *connection,
                        const char *path,
                        GCancellable *cancellable,
                        GError **error)
{
  FakeRemote *self = connection->remote;
  g_autofree char *local = NULL;
  g_autofree char *resolved = NULL;
  g_autofree char *root = NULL;

  if (!travel (self, 1, error))
    return NULL;
  if (strcmp (path, ".") == 0)
    return g_strdup ("/home");
  local = g_build_filename (self->root, path, NULL);
  resolved = tsr_place_resolve (self->local, local);
  root = tsr_place_resolve (self->local, self->root);
  return g_strdup (g_str_has_prefix (resolved, root) ? resolved + strlen (root) : path);
}

TsrRemoteFile *
tsr_connection_open_file (TsrConnection *connection, const char *path, const TsrSourceStamp *stamp)
{
  TsrRemoteFile *file = g_new0 (TsrRemoteFile, 1);

  g_atomic_ref_count_init (&file->refs);
  file->remote = fake_remote_ref (connection->remote);
  file->path = g_strdup (path);
  file->size = stamp->size;
  file->fd = -1;
  return file;
}

void
tsr_connection_close_file (TsrConnection *connection, TsrRemoteFile *file)
{
  file_unref (file);
}

void
tsr_connection_read_async (TsrConnection *connection,
                           TsrRemoteFile *file,
                           gint64 offset,
                           gsize length,
                           TsrReadPriority priority,
                           TsrRemoteReadFunc func,
                           gpointer data)
{
  FakeRemote *self = connection->remote;
  Read *read = g_new0 (Read, 1);

  g_atomic_ref_count_inc (&file->refs);
  read->file = file;
  read->offset = offset;
  read->length = (gsize)CLAMP (file->size - offset, 0, (gint64)length);
  read->func = func;
  read->data = data;
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->queue[priority], read);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

void
tsr_connection_get_stats (TsrConnection *connection, TsrConnectionStats *stats)
{
  *stats = (TsrConnectionStats){ .bytes_per_s = connection->remote->bytes_per_s };
}

const TsrSshAddress *
tsr_connection_get_address (TsrConnection *connection)
{
  return connection->address;
}

static void
tsr_connection_finalize (GObject *object)
{
  TsrConnection *self = TSR_CONNECTION (object);

  fake_remote_unref (self->remote);
  tsr_ssh_address_free (self->address);
  G_OBJECT_CLASS (tsr_connection_parent_class)->finalize (object);
}

static void
tsr_connection_class_init (TsrConnectionClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_connection_finalize;
}

static void
tsr_connection_init (TsrConnection *self)
{
}

/* ------------------------------------------------------------------------ life */

FakeRemote *
fake_remote_new (const char *root)
{
  FakeRemote *self = g_new0 (FakeRemote, 1);

  g_atomic_ref_count_init (&self->refs);
  self->root = g_strdup (root);
  self->local = tsr_local_place_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  for (guint i = 0; i < G_N_ELEMENTS (self->queue); i++)
    g_queue_init (&self->queue[i]);
  g_queue_init (&self->under_way);
  self->thread = g_thread_new ("line", line_thread, self);
  return self;
}

void
fake_remote_unref (FakeRemote *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_mutex_lock (&self->lock);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  /* The last answer may have held the last reference. */
  if (g_thread_self () == self->thread)
    {
      self->is_orphan = TRUE;
      g_thread_unref (self->thread);
      return;
    }
  g_thread_join (self->thread);
  finish (self);
}

void
fake_remote_set_line (FakeRemote *self, double latency_s, double bytes_per_s)
{
  g_mutex_lock (&self->lock);
  self->latency_s = latency_s;
  self->bytes_per_s = bytes_per_s;
  g_mutex_unlock (&self->lock);
}

static gboolean
is_idle (FakeRemote *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->queue); i++)
    if (self->queue[i].length > 0)
      return FALSE;
  return self->under_way.length == 0 && !self->is_answering;
}

void
fake_remote_set_down (FakeRemote *self, gboolean is_down)
{
  g_mutex_lock (&self->lock);
  /* The line that comes back is another one: what was asked of the old one has failed. */
  while (self->is_down && !is_down && !self->is_stalled && !is_idle (self))
    g_cond_wait (&self->cond, &self->lock);
  self->is_down = is_down;
  self->down_after = 0;
  g_mutex_unlock (&self->lock);
}

void
fake_remote_set_stalled (FakeRemote *self, gboolean is_stalled)
{
  g_mutex_lock (&self->lock);
  self->is_stalled = is_stalled;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

void
fake_remote_set_down_after (FakeRemote *self, guint64 bytes)
{
  g_mutex_lock (&self->lock);
  self->down_after = bytes > 0 ? self->counts.bytes + bytes : 0;
  g_mutex_unlock (&self->lock);
}

void
fake_remote_get_counts (FakeRemote *self, FakeCounts *counts)
{
  g_mutex_lock (&self->lock);
  *counts = self->counts;
  g_mutex_unlock (&self->lock);
}

void
fake_remote_reset_counts (FakeRemote *self)
{
  g_mutex_lock (&self->lock);
  self->counts = (FakeCounts){ 0 };
  g_mutex_unlock (&self->lock);
}

TsrRemotePlace *
fake_remote_make_place (FakeRemote *self, TsrBlockCache *cache)
{
  g_autoptr (TsrConnection) connection = g_object_new (TSR_TYPE_CONNECTION, NULL);

  connection->remote = fake_remote_ref (self);
  connection->address = tsr_ssh_address_parse ("ssh://user@fake/?alias=rack", NULL);
  return tsr_remote_place_new (connection, cache);
}
