/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes rows as CSV in a worker. */

#include "config.h"

#include "tsr-row-export.h"

#include "tsr-error.h"
#include "tsr-task.h"

#include <glib/gi18n.h>

#define CHUNK 4096 /* rows */

typedef struct
{
  TsrRows *rows;
  TsrRowOrder *order;
  GtkBitset *selected;
  GFile *file;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_rows_unref (job->rows);
  tsr_row_order_unref (job->order);
  g_clear_pointer (&job->selected, gtk_bitset_unref);
  g_clear_object (&job->file);
  g_free (job);
}

/* The rows to write, in the order shown. */
static TsrRowOrder *
pick_rows (const Job *job)
{
  g_autoptr (GArray) rows = NULL;

  if (job->selected == NULL)
    return tsr_row_order_ref (job->order);
  rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < job->order->n; i++)
    if (gtk_bitset_contains (job->selected, job->order->rows[i]))
      g_array_append_val (rows, job->order->rows[i]);
  return tsr_row_order_new ((const guint32 *)(gpointer)rows->data, rows->len);
}

/* Appends to @text, which is emptied into @stream (nullable) now and then. */
static gboolean
write_rows (const Job *job,
            TsrRowOrder *order,
            GString *text,
            GOutputStream *stream,
            GCancellable *cancellable,
            GError **error)
{
  guint32 first = 0;

  do
    {
      guint32 end = order->n - first > CHUNK ? first + CHUNK : order->n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      tsr_rows_write_csv (job->rows, order, first, end, text);
      if (stream != NULL)
        {
          if (!g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error))
            return FALSE;
          g_string_truncate (text, 0);
        }
      first = end;
    }
  while (first < order->n);
  return TRUE;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  g_autoptr (TsrRowOrder) order = pick_rows (job);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GFileOutputStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (job->file == NULL && order->n > TSR_ROW_EXPORT_MAX_COPY)
    {
      g_task_return_new_error (task, TSR_ERROR, TSR_ERROR_LIMIT, "%s",
                               _ ("These are too many rows for the clipboard; save the table"));
      return;
    }
  if (job->file != NULL)
    stream = g_file_replace (job->file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, cancellable,
                             &error);
  done = job->file == NULL || stream != NULL;
  done = done
         && write_rows (job, order, text, stream != NULL ? G_OUTPUT_STREAM (stream) : NULL,
                        cancellable, &error);
  if (done && stream != NULL)
    done = g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, &error);
  else if (stream != NULL)
    {
      /* A cancelled close leaves the file that was there. */
      g_autoptr (GCancellable) stop = g_cancellable_new ();

      g_cancellable_cancel (stop);
      g_output_stream_close (G_OUTPUT_STREAM (stream), stop, NULL);
    }
  if (done)
    g_task_return_pointer (task, g_string_free (g_steal_pointer (&text), FALSE), g_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
tsr_row_export_async (TsrRows *rows,
                      TsrRowOrder *order,
                      GtkBitset *selected,
                      GFile *file,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Job *job = g_new0 (Job, 1);

  job->rows = tsr_rows_ref (rows);
  job->order = tsr_row_order_ref (order);
  job->selected = selected != NULL ? gtk_bitset_copy (selected) : NULL;
  job->file = file != NULL ? g_object_ref (file) : NULL;
  g_task_set_source_tag (task, tsr_row_export_async);
  g_task_set_task_data (task, job, job_free);
  tsr_task_run_in_thread (task, run);
}

char *
tsr_row_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
