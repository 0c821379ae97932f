/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes rows as CSV in a worker. */

#include "config.h"

#include "tsr-row-export.h"

#include "tsr-error.h"
#include "tsr-rows-print.h"
#include "tsr-task.h"

#include <glib/gi18n.h>

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

static gboolean
write_text (gpointer stream, const char *text, gsize length, GError **error)
{
  return g_output_stream_write_all (stream, text, length, NULL, NULL, error);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  g_autoptr (TsrRowOrder) order = pick_rows (job);
  g_autoptr (GOutputStream) stream = NULL;
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  GError *error = NULL;

  if (job->file == NULL && order->n > TSR_ROW_EXPORT_MAX_COPY)
    {
      g_task_return_new_error (task, TSR_ERROR, TSR_ERROR_LIMIT, "%s",
                               _ ("These are too many rows for the clipboard; save the table"));
      return;
    }
  stream = job->file == NULL
               ? g_memory_output_stream_new_resizable ()
               : G_OUTPUT_STREAM (g_file_replace (
                   job->file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, cancellable, &error));
  if (stream != NULL
      && tsr_rows_print (
          job->rows,
          &(TsrPrint){ TSR_FORMAT_CSV, .order = order, .write = write_text, .data = stream },
          cancellable, &error)
      && (job->file != NULL || g_output_stream_write_all (stream, "", 1, NULL, NULL, &error)))
    g_output_stream_close (stream, cancellable, &error);
  else if (stream != NULL)
    {
      /* A cancelled close leaves the file that was there. */
      g_cancellable_cancel (stop);
      g_output_stream_close (stream, stop, NULL);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (
        task,
        job->file != NULL ? g_strdup ("")
                          : g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream)),
        g_free);
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
