/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images are laid out and painted in a worker, on a copy of the model that nobody else changes. */

#include "config.h"

#include "tsr-export.h"

#include "tsr-chooser.h"
#include "tsr-painter.h"
#include "tsr-screen-painter.h"
#include "tsr-task.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#define LEAST_WIDTH  800
#define LEAST_HEIGHT 450
#define IMAGE_SCALE  2.0

typedef struct
{
  TsrChartModel *model; /* a copy */
  char *path;
  double from, to;
  int width, height;
  gboolean dark;
} ImageJob;

static void
image_job_free (gpointer data)
{
  ImageJob *job = data;

  g_object_unref (job->model);
  g_free (job->path);
  g_free (job);
}

static void
image_job_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ImageJob *job = data;
  GError *error = NULL;

  if (tsr_painter_export (job->model, job->path, job->from, job->to, job->width, job->height,
                          IMAGE_SCALE, job->dark, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
emit_toast (GtkWidget *widget, const char *text)
{
  g_signal_emit_by_name (widget, "toast", text);
}

static void
export_async (const TsrExport *what, const char *path, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (what->widget, what->cancellable, callback, NULL);
  ImageJob *job = g_new0 (ImageJob, 1);
  gboolean here;

  job->model = tsr_chart_model_dup (what->model);
  here = job->model == NULL;
  if (here)
    job->model = g_object_ref (what->model);
  job->path = g_strdup (path);
  job->from = what->from;
  job->to = what->to;
  job->width = MAX (what->width, LEAST_WIDTH);
  job->height = MAX (what->height, LEAST_HEIGHT);
  job->dark = tsr_widget_is_dark (what->widget);
  g_task_set_source_tag (task, export_async);
  g_task_set_task_data (task, job, image_job_free);
  if (here)
    image_job_run (task, what->widget, job, what->cancellable);
  else
    tsr_task_run_in_thread (task, image_job_run);
}

/* FALSE and a toast when the export failed; silent when it was cancelled. */
static gboolean
finish_export (GtkWidget *widget, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    return TRUE;
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    emit_toast (widget, error->message);
  return FALSE;
}

static void
toast_saved (GtkWidget *widget, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf (_ ("Saved %s"), name);

  emit_toast (widget, text);
}

static void
on_image_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  ImageJob *job = g_task_get_task_data (G_TASK (result));

  if (finish_export (GTK_WIDGET (source), result))
    toast_saved (GTK_WIDGET (source), job->path);
}

void
tsr_export_write_image (const TsrExport *what, const char *path)
{
  g_return_if_fail (what->model != NULL && path != NULL);
  export_async (what, path, on_image_saved);
}

static void
on_image_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  GtkWidget *widget = GTK_WIDGET (source);
  ImageJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GError) error = NULL;

  if (finish_export (widget, result))
    {
      texture = gdk_texture_new_from_filename (job->path, &error);
      if (texture == NULL)
        emit_toast (widget, error->message);
      else
        {
          gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
          emit_toast (widget, _ ("The image is on the clipboard"));
        }
    }
  g_remove (job->path);
}

void
tsr_export_copy_image (const TsrExport *what)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  g_return_if_fail (what->model != NULL);
  fd = g_file_open_tmp ("tessera-XXXXXX.png", &path, &error);
  if (fd < 0)
    {
      emit_toast (what->widget, error->message);
      return;
    }
  g_close (fd, NULL);
  export_async (what, path, on_image_ready);
}

static void
on_data_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) widget = data;
  g_autofree char *path = g_file_get_path (G_FILE (source));
  g_autoptr (GError) error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    toast_saved (widget, path);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    emit_toast (widget, error->message);
}

void
tsr_export_write_data (const TsrExport *what, const char *path)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (what->model != NULL && path != NULL);
  tsr_chart_model_write_csv (what->model, what->from, what->to, text);
  bytes = g_string_free_to_bytes (text);
  file = g_file_new_for_path (path);
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_NONE,
                                       what->cancellable, on_data_saved,
                                       g_object_ref (what->widget));
}

static char *
with_ending (const char *path, const char *const *endings)
{
  for (guint i = 0; endings[i] != NULL; i++)
    {
      g_autofree char *lower = g_ascii_strdown (path, -1);

      if (g_str_has_suffix (lower, endings[i]))
        return g_strdup (path);
    }
  return g_strconcat (path, endings[0], NULL);
}

static const char *const image_endings[] = { ".png", ".svg", ".pdf", NULL };
static const char *const data_endings[] = { ".csv", NULL };

/* What a dialog needs until it is answered. */
typedef struct
{
  TsrExport what;
  gboolean image;
} Wish;

static void
wish_free (Wish *wish)
{
  g_object_unref (wish->what.widget);
  g_object_unref (wish->what.model);
  g_object_unref (wish->what.cancellable);
  g_free (wish);
}

static void
on_response (GtkNativeDialog *dialog, int response, Wish *wish)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *asked = g_file_get_path (file);
      g_autofree char *path
          = asked != NULL ? with_ending (asked, wish->image ? image_endings : data_endings) : NULL;

      if (path == NULL)
        emit_toast (wish->what.widget, _ ("Only a folder on this computer can be written to"));
      else if (wish->image)
        tsr_export_write_image (&wish->what, path);
      else
        tsr_export_write_data (&wish->what, path);
    }
  wish_free (wish);
  g_object_unref (dialog);
}

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *const *endings)
{
  GtkFileFilter *filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (guint i = 0; endings[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, endings[i] + 1);
  gtk_file_chooser_add_filter (chooser, filter);
  g_object_unref (filter);
}

static void
ask (const TsrExport *what, gboolean image)
{
  GtkRoot *root = gtk_widget_get_root (what->widget);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      image ? _ ("Save Image") : _ ("Save Data"), GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
      GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  g_autofree char *name
      = g_strconcat (what->file_name, image ? image_endings[0] : data_endings[0], NULL);
  Wish *wish = g_new0 (Wish, 1);

  wish->what = *what;
  wish->what.file_name = NULL;
  wish->image = image;
  g_object_ref (wish->what.widget);
  g_object_ref (wish->what.model);
  g_object_ref (wish->what.cancellable);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  if (image)
    add_filter (GTK_FILE_CHOOSER (dialog), _ ("PNG, SVG or PDF by the ending"), image_endings);
  else
    add_filter (GTK_FILE_CHOOSER (dialog), _ ("Comma-separated values"), data_endings);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), wish);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  tsr_chooser_show (GTK_NATIVE_DIALOG (dialog));
}

void
tsr_export_ask_image (const TsrExport *what)
{
  g_return_if_fail (what->model != NULL);
  ask (what, TRUE);
}

void
tsr_export_ask_data (const TsrExport *what)
{
  g_return_if_fail (what->model != NULL);
  ask (what, FALSE);
}
