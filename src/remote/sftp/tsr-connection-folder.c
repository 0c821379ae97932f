/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Listings and queries about paths, driven by answers: opening a folder takes one round trip,
 * several of its pages together one more, and the targets of all its links one more.  Runs on the
 * connection's thread. */

#include "config.h"

#include "tsr-connection-private.h"

#include "tsr-error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_NAME       4096
#define MAX_NAME_BYTES (G_GUINT64_CONSTANT (128) << 20)
#define MAX_PAGES      8    /* pages of a listing under way */
#define MAX_EMPTY      100  /* pages without a name, one after the other */
#define MAX_LINKS      1024 /* links that are looked at at the same time */

/* A job about a folder or path; lives as long as answers are to come. */
typedef struct
{
  gint refs;
  TsrCore *core;
  TsrJob *job;
  TsrSftp *sftp;
  GBytes *handle; /* (nullable) */
  GPtrArray *entries;
  guint64 name_bytes;
  guint n_empty, n_names;   /* pages without a name in a row; names with "." and ".." */
  guint n_pages, n_wanted;  /* under way, and how many may be */
  gboolean is_read;         /* to its end, or to an error */
  guint next_link, n_links; /* to be looked at, under way */
  TsrFolderEntry *entry;    /* of a question about one path */
  gboolean has_target;
  GError *error;
} Op;

/* One link that is looked at. */
typedef struct
{
  Op *op;
  TsrFolderEntry *entry;
} Look;

static Op *
op_new (TsrCore *core, TsrJob *job)
{
  Op *op = g_new0 (Op, 1);

  op->refs = 1;
  op->core = core;
  op->job = job;
  g_atomic_int_inc (&job->refs);
  op->sftp = core->channels[0];
  return op;
}

static void
op_unref (Op *op)
{
  if (--op->refs > 0)
    return;
  tsr_job_unref (op->job);
  g_clear_pointer (&op->handle, g_bytes_unref);
  g_clear_pointer (&op->entries, g_ptr_array_unref);
  g_clear_pointer (&op->entry, tsr_folder_entry_free);
  g_clear_error (&op->error);
  g_free (op);
}

static void
send_path (Op *op, TsrSftpType type, const char *path, TsrSftpFunc func)
{
  op->refs++;
  tsr_sftp_send_path (op->sftp, type, path, func, op);
}

/* Takes @error; the first one counts. */
static void
op_fail (Op *op, GError *error)
{
  if (op->error)
    g_error_free (error);
  else
    op->error = error;
}

static GError *
dup_channel_error (Op *op)
{
  const GError *error = op->core->loss ? op->core->loss : tsr_sftp_get_error (op->sftp);

  return error ? g_error_copy (error)
               : g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, op->core->name);
}

GError *
tsr_sftp_answer_error (TsrCore *core,
                       const TsrSftpAnswer *answer,
                       const char *path,
                       gboolean opened)
{
  g_autofree char *shown = g_filename_display_name (path);
  const char *text = answer->text && *answer->text ? answer->text : _ ("no reason was given");

  if (answer->type != TSR_SFTP_STATUS)
    return g_error_new (
        TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL,
        _ ("%s: the SFTP server gave an answer about %s that does not belong to the "
           "question"),
        core->name, shown);
  if (answer->status == TSR_SFTP_NO_SUCH_FILE && opened)
    return g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED,
                        _ ("%s: %s is not there any more; open its folder again"), core->name,
                        shown);
  if (answer->status == TSR_SFTP_NO_SUCH_FILE)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("%s: there is no %s; check the path"),
                        core->name, shown);
  if (answer->status == TSR_SFTP_PERMISSION_DENIED)
    return g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION,
                        _ ("%s: %s may not be read by this user; ask its owner for permission"),
                        core->name, shown);
  return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, _ ("%s: %s cannot be read (%s)"), core->name,
                      shown, text);
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
finish_list (Op *op)
{
  TsrJob *job = op->job;

  if (op->error)
    {
      tsr_job_finish (job, NULL, NULL, g_steal_pointer (&op->error));
      return;
    }
  g_ptr_array_sort (op->entries, compare_names);
  tsr_job_finish (job, g_steal_pointer (&op->entries), (GDestroyNotify)g_ptr_array_unref, NULL);
}

static void look_at_links (Op *op);

static void
link_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Look *look = data;
  Op *op = look->op;
  TsrSftpAttributes attributes;

  if (!answer)
    op_fail (op, dup_channel_error (op));
  else if (answer->type == TSR_SFTP_ATTRS)
    {
      TsrWire body = answer->body;

      if (tsr_wire_take_attributes (&body, &attributes))
        fill (look->entry, &attributes);
      else
        tsr_sftp_fail (sftp, _ ("attributes are cut off"));
    }
  else if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_PERMISSION_DENIED)
    look->entry->is_readable = FALSE;
  else
    look->entry->is_dangling = TRUE;
  g_free (look);
  op->n_links--;
  look_at_links (op);
  op_unref (op);
}

static void
look_at_links (Op *op)
{
  while (!op->error && op->next_link < op->entries->len && op->n_links < MAX_LINKS)
    {
      TsrFolderEntry *entry = op->entries->pdata[op->next_link++];
      g_autofree char *path = NULL;
      Look *look;

      if (!entry->is_link)
        continue;
      path = g_build_filename (op->job->path, entry->name, NULL);
      look = g_new (Look, 1);
      look->op = op;
      look->entry = entry;
      op->refs++;
      op->n_links++;
      tsr_sftp_send_path (op->sftp, TSR_SFTP_STAT, path, link_cb, look);
    }
  if (op->n_links == 0 && !op->job->is_done)
    finish_list (op);
}

/* ----------------------------------------------------------------- listings */

/* FALSE: the packet is broken, or there is no end. */
static gboolean
take_names (Op *op, const TsrSftpAnswer *answer)
{
  TsrWire body = answer->body;
  guint32 n;

  /* Neither names nor the end: such a list would have none. */
  if (!tsr_wire_take_u32 (&body, &n) || n == 0)
    return FALSE;
  op->n_empty = n == 0 ? op->n_empty + 1 : 0;
  if (op->n_empty > MAX_EMPTY)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      const guint8 *name, *line;
      gsize length, line_length;
      TsrSftpAttributes attributes;
      TsrFolderEntry *entry;

      if (!tsr_wire_take_string (&body, &name, &length)
          || !tsr_wire_take_string (&body, &line, &line_length)
          || !tsr_wire_take_attributes (&body, &attributes) || length == 0 || length > MAX_NAME
          || memchr (name, '/', length) || memchr (name, '\0', length))
        return FALSE;
      op->name_bytes += length;
      op->n_names++;
      if (op->n_names > TSR_REMOTE_MAX_ENTRIES + 2 || op->name_bytes > MAX_NAME_BYTES)
        {
          op_fail (op, g_error_new (TSR_ERROR, TSR_ERROR_LIMIT,
                                    _ ("%s: the folder %s has more than %d entries, which is more "
                                       "than is read; open a folder below it"),
                                    op->core->name, op->job->path, TSR_REMOTE_MAX_ENTRIES));
          return TRUE;
        }
      if ((length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.'))
        continue;
      entry = g_new0 (TsrFolderEntry, 1);
      entry->name = g_strndup ((const char *)name, length);
      fill_kind (entry, &attributes, line_length > 0 ? (char)line[0] : '-');
      g_ptr_array_add (op->entries, entry);
    }
  return TRUE;
}

static void page_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data);

static void
ask_pages (Op *op)
{
  while (op->n_pages < op->n_wanted)
    {
      op->n_pages++;
      op->refs++;
      tsr_sftp_send_handle (op->sftp, TSR_SFTP_READ_FOLDER, op->handle, page_cb, op);
    }
}

static void
page_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Op *op = data;

  op->n_pages--;
  if (op->is_read)
    {
      op_unref (op);
      return;
    }
  if (!answer)
    op_fail (op, dup_channel_error (op));
  else if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_EOF)
    op->is_read = TRUE;
  else if (answer->type != TSR_SFTP_NAME)
    op_fail (op, tsr_sftp_answer_error (op->core, answer, op->job->path, FALSE));
  else if (!op->error && !take_names (op, answer))
    tsr_sftp_fail (sftp, _ ("a listing has an impossible name or is cut off"));
  if (answer && !op->error && tsr_job_is_abandoned (op->job))
    op_fail (op, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, op->core->name));
  if (!op->error && !op->is_read)
    {
      op->n_wanted = MIN (op->n_wanted + 1, MAX_PAGES);
      ask_pages (op);
    }
  else if (!op->job->is_done)
    {
      /* Pages that are still asked for have nothing to say. */
      op->is_read = TRUE;
      if (answer)
        tsr_sftp_send_handle (sftp, TSR_SFTP_CLOSE, op->handle, NULL, NULL);
      look_at_links (op);
    }
  op_unref (op);
}

static void
folder_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Op *op = data;

  if (answer)
    op->handle = tsr_sftp_answer_dup_handle (answer);
  if (op->handle)
    {
      op->n_wanted = 2;
      ask_pages (op);
    }
  else
    tsr_job_finish (op->job, NULL, NULL,
                    answer ? tsr_sftp_answer_error (op->core, answer, op->job->path, FALSE)
                           : dup_channel_error (op));
  op_unref (op);
}

/* ---------------------------------------------------------------- questions */

/* Two answers come: what the path is itself, and what it points to. */
static void
finish_stat (Op *op)
{
  if (op->error)
    tsr_job_finish (op->job, NULL, NULL, g_steal_pointer (&op->error));
  else
    {
      op->entry->is_dangling = op->entry->is_link && !op->has_target;
      tsr_job_finish (op->job, g_steal_pointer (&op->entry), (GDestroyNotify)tsr_folder_entry_free,
                      NULL);
    }
}

static void
stat_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Op *op = data;
  gboolean is_second = op->n_pages == 1;
  TsrSftpAttributes attributes;

  op->n_pages++;
  if (!answer)
    op_fail (op, dup_channel_error (op));
  else if (answer->type == TSR_SFTP_ATTRS)
    {
      TsrWire body = answer->body;

      if (!tsr_wire_take_attributes (&body, &attributes))
        tsr_sftp_fail (sftp, _ ("attributes are cut off"));
      else if (!is_second)
        fill_kind (op->entry, &attributes, '-');
      else
        {
          fill (op->entry, &attributes);
          op->has_target = TRUE;
        }
    }
  else if (!is_second || !op->entry->is_link)
    op_fail (op, tsr_sftp_answer_error (op->core, answer, op->job->path, FALSE));
  else if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_PERMISSION_DENIED)
    {
      op->entry->is_readable = FALSE;
      op->has_target = TRUE;
    }
  if (is_second)
    finish_stat (op);
  op_unref (op);
}

static void
realpath_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Op *op = data;
  TsrWire body;
  guint32 n;
  const guint8 *path;
  gsize length;

  if (!answer)
    tsr_job_finish (op->job, NULL, NULL, dup_channel_error (op));
  else if (answer->type != TSR_SFTP_NAME)
    tsr_job_finish (op->job, NULL, NULL,
                    tsr_sftp_answer_error (op->core, answer, op->job->path, FALSE));
  else
    {
      body = answer->body;
      if (!tsr_wire_take_u32 (&body, &n) || n != 1 || !tsr_wire_take_string (&body, &path, &length)
          || length == 0 || length > MAX_NAME || path[0] != '/' || memchr (path, '\0', length))
        tsr_job_finish (op->job, NULL, NULL,
                        g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL,
                                     _ ("%s: the SFTP server gave a path that cannot be one"),
                                     op->core->name));
      else
        tsr_job_finish (op->job, g_strndup ((const char *)path, length), g_free, NULL);
    }
  op_unref (op);
}

void
tsr_folder_start (TsrCore *core, TsrJob *job)
{
  Op *op = op_new (core, job);

  if (job->kind == TSR_JOB_LIST)
    {
      op->entries = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
      send_path (op, TSR_SFTP_OPEN_FOLDER, job->path, folder_cb);
    }
  else if (job->kind == TSR_JOB_STAT)
    {
      op->entry = g_new0 (TsrFolderEntry, 1);
      op->entry->name = g_path_get_basename (job->path);
      send_path (op, TSR_SFTP_LSTAT, job->path, stat_cb);
      send_path (op, TSR_SFTP_STAT, job->path, stat_cb);
    }
  else
    send_path (op, TSR_SFTP_REALPATH, job->path, realpath_cb);
  op_unref (op);
}
