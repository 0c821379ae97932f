/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Listings and questions about paths, driven by answers: opening a folder takes one round trip,
 * several of its pages together one more, and the targets of all its links one more.  Runs on the
 * connection's thread. */

#include "config.h"

#include "tsr-sftp-folder.h"

#include "tsr-error.h"
#include "tsr-remote-error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_ENTRIES    2000000
#define MAX_NAME       4096
#define MAX_NAME_BYTES (G_GUINT64_CONSTANT (128) << 20)
#define MAX_PAGES      8    /* pages of a listing under way */
#define MAX_LINKS      1024 /* links that are looked at at the same time */

/* A question; lives as long as answers are to come. */
typedef struct
{
  guint refs; /* one thread */
  TsrSftp *sftp;
  char *path;
  const int *is_abandoned;
  TsrSftpFolderFunc func;
  gpointer data;
  gboolean is_done; /* @func was called */
  GBytes *handle;   /* (nullable) */
  GPtrArray *entries;
  guint64 name_bytes;
  guint n_names;            /* with "." and ".." */
  guint n_pages, n_wanted;  /* under way, and how many may be */
  gboolean is_read;         /* to its end, or to an error */
  guint next_link, n_links; /* to be looked at, under way */
  TsrFolderEntry *entry;    /* of a question about one path */
  gboolean has_target;
  GError *error;
} Question;

/* One link that is looked at. */
typedef struct
{
  Question *question;
  TsrFolderEntry *entry;
} Look;

static void
question_unref (Question *self)
{
  if (--self->refs > 0)
    return;
  g_clear_pointer (&self->handle, g_bytes_unref);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->entry, tsr_folder_entry_free);
  g_clear_error (&self->error);
  g_free (self->path);
  g_free (self);
}

/* Takes @error; the first one counts. */
static void
take_error (Question *self, GError *error)
{
  if (self->error != NULL)
    g_error_free (error);
  else
    self->error = error;
}

/* What went wrong with @answer; NULL when the channel is gone. */
static void
fail (Question *self, const TsrSftpAnswer *answer)
{
  take_error (self, answer != NULL
                        ? tsr_sftp_answer_dup_error (self->sftp, answer, self->path, FALSE)
                        : g_error_copy (tsr_sftp_get_error (self->sftp)));
}

/* Takes @result; NULL: there is an error. */
static void
finish (Question *self, gpointer result)
{
  self->is_done = TRUE;
  self->func (result, g_steal_pointer (&self->error), self->data);
}

/* ------------------------------------------------------------------ entries */

static void
fill (TsrFolderEntry *entry, const TsrSftpAttributes *attributes)
{
  entry->size = attributes->has_size ? (gint64)MIN (attributes->size, G_MAXINT64) : 0;
  entry->mtime_us = attributes->has_times ? (gint64)attributes->mtime * G_USEC_PER_SEC : 0;
  entry->is_folder = attributes->has_mode && S_ISDIR (attributes->mode);
  /* Whose file it is cannot be told; what nobody may read is not readable. */
  entry->is_readable = !attributes->has_mode || (attributes->mode & 0444) != 0;
}

/* What "ls -l" would print begins with the kind of file, where the attributes do not tell it. */
static void
fill_kind (TsrFolderEntry *entry, const TsrSftpAttributes *attributes, char kind)
{
  fill (entry, attributes);
  entry->is_link = attributes->has_mode ? S_ISLNK (attributes->mode) : kind == 'l';
  if (!attributes->has_mode)
    entry->is_folder = kind == 'd';
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(TsrFolderEntry *const *)a)->name, (*(TsrFolderEntry *const *)b)->name);
}

static void
finish_list (Question *self)
{
  g_ptr_array_sort (self->entries, compare_names);
  finish (self, self->error == NULL ? g_steal_pointer (&self->entries) : NULL);
}

static void look_at_links (Question *self);

static void
on_link (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Look *look = data;
  Question *self = look->question;
  TsrSftpAttributes attributes;

  if (answer == NULL)
    fail (self, NULL);
  else if (answer->type == TSR_SFTP_ATTRS)
    {
      TsrWire body = answer->body;

      if (tsr_sftp_take_attributes (&body, &attributes))
        fill (look->entry, &attributes);
      else
        tsr_sftp_fail (sftp, _ ("attributes are cut off"));
    }
  else if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_PERMISSION_DENIED)
    look->entry->is_readable = FALSE;
  else
    look->entry->is_dangling = TRUE;
  g_free (look);
  self->n_links--;
  look_at_links (self);
  question_unref (self);
}

static void
look_at_links (Question *self)
{
  while (self->error == NULL && self->next_link < self->entries->len && self->n_links < MAX_LINKS)
    {
      TsrFolderEntry *entry = self->entries->pdata[self->next_link++];
      g_autofree char *path = NULL;
      Look *look;

      if (!entry->is_link)
        continue;
      path = g_build_filename (self->path, entry->name, NULL);
      look = g_new (Look, 1);
      look->question = self;
      look->entry = entry;
      self->refs++;
      self->n_links++;
      tsr_sftp_send_path (self->sftp, TSR_SFTP_STAT, path, on_link, look);
    }
  if (self->n_links == 0 && !self->is_done)
    finish_list (self);
}

/* ----------------------------------------------------------------- listings */

/* FALSE: the packet is broken, or there is no end. */
static gboolean
take_names (Question *self, const TsrSftpAnswer *answer)
{
  TsrWire body = answer->body;
  guint32 n;

  /* Neither names nor the end: such a list would have none. */
  if (!tsr_wire_take_u32 (&body, &n) || n == 0)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      const guint8 *name, *line;
      gsize length, line_length;
      TsrSftpAttributes attributes;
      TsrFolderEntry *entry;

      if (!tsr_wire_take_string (&body, &name, &length)
          || !tsr_wire_take_string (&body, &line, &line_length)
          || !tsr_sftp_take_attributes (&body, &attributes) || length == 0 || length > MAX_NAME
          || memchr (name, '/', length) != NULL || memchr (name, '\0', length) != NULL)
        return FALSE;
      self->name_bytes += length;
      self->n_names++;
      if (self->n_names > MAX_ENTRIES + 2 || self->name_bytes > MAX_NAME_BYTES)
        {
          take_error (self, g_error_new (TSR_ERROR, TSR_ERROR_LIMIT,
                                         _ ("%s: the folder %s has more than the %d entries that "
                                            "are read; open a folder below it"),
                                         tsr_sftp_get_who (self->sftp), self->path, MAX_ENTRIES));
          return TRUE;
        }
      if ((length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.'))
        continue;
      entry = g_new0 (TsrFolderEntry, 1);
      entry->name = g_strndup ((const char *)name, length);
      fill_kind (entry, &attributes, line_length > 0 ? (char)line[0] : '-');
      g_ptr_array_add (self->entries, entry);
    }
  return TRUE;
}

static void on_page (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data);

static void
ask_pages (Question *self)
{
  while (self->n_pages < self->n_wanted)
    {
      self->n_pages++;
      self->refs++;
      tsr_sftp_send_handle (self->sftp, TSR_SFTP_READ_FOLDER, self->handle, on_page, self);
    }
}

static void
on_page (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Question *self = data;

  self->n_pages--;
  if (self->is_read)
    {
      question_unref (self);
      return;
    }
  if (answer == NULL)
    fail (self, NULL);
  else if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_EOF)
    self->is_read = TRUE;
  else if (answer->type != TSR_SFTP_NAME)
    fail (self, answer);
  else if (self->error == NULL && !take_names (self, answer))
    tsr_sftp_fail (sftp, _ ("a listing has an impossible name or is cut off"));
  /* A channel that has failed has answered all other pages: nobody waits any more. */
  if (answer != NULL && !self->is_done && self->error == NULL
      && g_atomic_int_get (self->is_abandoned))
    take_error (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                           tsr_sftp_get_who (self->sftp)));
  if (self->error == NULL && !self->is_read)
    {
      self->n_wanted = MIN (self->n_wanted + 1, MAX_PAGES);
      ask_pages (self);
    }
  else if (!self->is_done)
    {
      /* Pages that are still asked for have nothing to say. */
      self->is_read = TRUE;
      if (answer != NULL)
        tsr_sftp_send_handle (sftp, TSR_SFTP_CLOSE, self->handle, NULL, NULL);
      look_at_links (self);
    }
  question_unref (self);
}

static void
on_handle (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Question *self = data;

  if (answer != NULL)
    self->handle = tsr_sftp_answer_dup_handle (answer);
  if (self->handle != NULL)
    {
      self->n_wanted = 2;
      ask_pages (self);
    }
  else
    {
      fail (self, answer);
      finish (self, NULL);
    }
  question_unref (self);
}

/* ---------------------------------------------------------------- questions */

/* Two answers come: what the path is itself, and what it points to. */
static void
finish_stat (Question *self)
{
  self->entry->is_dangling = self->entry->is_link && !self->has_target;
  finish (self, self->error == NULL ? g_steal_pointer (&self->entry) : NULL);
}

static void
on_stat (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Question *self = data;
  gboolean is_second = self->n_pages == 1;
  TsrSftpAttributes attributes;

  self->n_pages++;
  if (answer == NULL)
    fail (self, NULL);
  else if (answer->type == TSR_SFTP_ATTRS)
    {
      TsrWire body = answer->body;

      if (!tsr_sftp_take_attributes (&body, &attributes))
        tsr_sftp_fail (sftp, _ ("attributes are cut off"));
      else if (!is_second)
        fill_kind (self->entry, &attributes, '-');
      else
        {
          fill (self->entry, &attributes);
          self->has_target = TRUE;
        }
    }
  else if (!is_second || !self->entry->is_link)
    fail (self, answer);
  else if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_PERMISSION_DENIED)
    {
      self->entry->is_readable = FALSE;
      self->has_target = TRUE;
    }
  if (is_second)
    finish_stat (self);
  question_unref (self);
}

static void
on_realpath (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Question *self = data;
  char *resolved = NULL;

  if (answer == NULL || answer->type != TSR_SFTP_NAME)
    fail (self, answer);
  else
    {
      TsrWire body = answer->body;
      const guint8 *path;
      gsize length;
      guint32 n;

      if (tsr_wire_take_u32 (&body, &n) && n == 1 && tsr_wire_take_string (&body, &path, &length)
          && length > 0 && length <= MAX_NAME && path[0] == '/'
          && memchr (path, '\0', length) == NULL)
        resolved = g_strndup ((const char *)path, length);
      else
        take_error (self, g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL,
                                       _ ("%s: the SFTP server gave an impossible path"),
                                       tsr_sftp_get_who (sftp)));
    }
  finish (self, resolved);
  question_unref (self);
}

static void
send_path (Question *self, TsrSftpType type, TsrSftpFunc func)
{
  self->refs++;
  tsr_sftp_send_path (self->sftp, type, self->path, func, self);
}

void
tsr_sftp_ask_folder (TsrSftp *sftp,
                     TsrSftpType type,
                     const char *path,
                     const int *is_abandoned,
                     TsrSftpFolderFunc func,
                     gpointer data)
{
  Question *self = g_new0 (Question, 1);

  self->refs = 1;
  self->sftp = sftp;
  self->path = g_strdup (path);
  self->is_abandoned = is_abandoned;
  self->func = func;
  self->data = data;
  if (type == TSR_SFTP_OPEN_FOLDER)
    {
      self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
      send_path (self, type, on_handle);
    }
  else if (type == TSR_SFTP_STAT)
    {
      self->entry = g_new0 (TsrFolderEntry, 1);
      self->entry->name = g_path_get_basename (path);
      send_path (self, TSR_SFTP_LSTAT, on_stat);
      send_path (self, TSR_SFTP_STAT, on_stat);
    }
  else
    send_path (self, type, on_realpath);
  question_unref (self);
}
