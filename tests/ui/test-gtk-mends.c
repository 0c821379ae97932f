/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GTK 4.8 gets wrong and tsr_ui_init() puts right, on a real screen. */

#include "config.h"

#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <gtk/gtk.h>

typedef struct
{
  GtkWidget *window, *popover, *label;
} Fixture;

/* A popover that has nothing but a text. */
static void
setup (Fixture *f, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  f->window = gtk_window_new ();
  f->popover = gtk_popover_new ();
  f->label = gtk_label_new ("Text");
  gtk_popover_set_child (GTK_POPOVER (f->popover), f->label);
  gtk_popover_set_pointing_to (GTK_POPOVER (f->popover), &(GdkRectangle){ 640, 300, 1, 1 });
  gtk_widget_set_parent (f->popover, box);
  gtk_box_append (GTK_BOX (box), gtk_button_new_with_label ("Button"));
  gtk_window_set_child (GTK_WINDOW (f->window), box);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1200, 1000);
  gtk_window_present (GTK_WINDOW (f->window));
  tsr_ui_test_wait (gtk_widget_get_mapped (box));
  tsr_ui_test_run (200);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  gtk_widget_unparent (f->popover);
  gtk_window_destroy (GTK_WINDOW (f->window));
}

static void
test_popover_without_focus (Fixture *f, gconstpointer data)
{
  gtk_window_set_focus (GTK_WINDOW (f->window), NULL);
  gtk_popover_popup (GTK_POPOVER (f->popover));
  tsr_ui_test_wait (gtk_widget_get_mapped (f->label));
  g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (f->window)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  tsr_ui_init ();
  g_test_add ("/gtk-mends/popover-without-focus", Fixture, NULL, setup, test_popover_without_focus,
              teardown);
  return g_test_run ();
}
