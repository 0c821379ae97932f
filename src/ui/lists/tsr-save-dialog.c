/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks for a file name and writes a table to it.  Main thread. */

#include "config.h"

#include "tsr-save-dialog.h"

#include "tsr-chooser.h"

#include <glib/gi18n.h>

typedef struct
{
  TsrSaveFunc func;
  GObject *object;
} Save;

static void
save_free (gpointer data, GClosure *closure)
{
  Save *save = data;

  g_object_unref (save->object);
  g_free (save);
}

static void
on_response (GtkNativeDialog *dialog, int response, Save *save)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

      save->func (save->object, file);
    }
  g_object_unref (dialog);
}

void
tsr_save_dialog_show (GtkWidget *parent, const char *name, TsrSaveFunc func, GObject *object)
{
  g_autofree char *file_name = NULL;
  GtkFileChooserNative *dialog;
  GtkRoot *root;
  Save *save;

  g_return_if_fail (GTK_IS_WIDGET (parent) && name != NULL && func != NULL && G_IS_OBJECT (object));
  root = gtk_widget_get_root (parent);
  dialog = gtk_file_chooser_native_new (_ ("Save Table"),
                                        GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                        GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  file_name = g_strconcat (name, ".csv", NULL);
  save = g_new (Save, 1);
  save->func = func;
  save->object = g_object_ref (object);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), file_name);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), save, save_free, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  tsr_chooser_show (GTK_NATIVE_DIALOG (dialog));
}
