/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stands in for the system's chooser of files. */

#include "config.h"

#include "fake-chooser.h"

static GtkNativeDialog *shown;
static const char *chosen;

void __wrap_tsr_chooser_show (GtkNativeDialog *chooser);
GFile *__wrap_gtk_file_chooser_get_file (GtkFileChooser *chooser);

void
__wrap_tsr_chooser_show (GtkNativeDialog *chooser)
{
  g_set_weak_pointer (&shown, chooser);
}

GFile *
__wrap_gtk_file_chooser_get_file (GtkFileChooser *chooser)
{
  return chosen != NULL ? g_file_new_for_uri (chosen) : NULL;
}

GtkNativeDialog *
fake_chooser_peek (void)
{
  return shown;
}

void
fake_chooser_answer (const char *uri, int response)
{
  g_assert_nonnull (shown);
  chosen = uri;
  g_signal_emit_by_name (shown, "response", response);
  g_assert_null (shown);
}
