/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A name that has no room is cut where it differs from its neighbours, and is whole again with
 * room. */

#include "config.h"

#include "tsr-name-cell.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

static const char *const names[] = {
  "Gradient/model/layer1.0/conv2/Grad/Convolve",
  "Gradient/model/layer2.0/conv2/Grad/Convolve",
  "model/encoder/layer1/attention/softmax/reduce/stage2/exchange/pre",
  "model/encoder/layer2/attention/softmax/reduce/stage2/exchange/pre",
};

static guint
list_names (TsrNameCell *cell, gpointer data, const char *about[TSR_NAME_CELL_MOST_NEIGHBOURS])
{
  ++*(guint *)data;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    about[i] = names[i];
  return G_N_ELEMENTS (names);
}

static void
test_cut (void)
{
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  TsrNameCell *cells[G_N_ELEMENTS (names)];
  guint n_asked = 0, asked_before;

  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_widget_set_halign (box, GTK_ALIGN_START);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GtkWidget *inscription = gtk_inscription_new (NULL);

      gtk_inscription_set_min_chars (GTK_INSCRIPTION (inscription), 0);
      cells[i] = tsr_name_cell_new (inscription);
      tsr_name_cell_set_neighbours_func (cells[i], list_names, &n_asked);
      tsr_name_cell_set_text (cells[i], names[i]);
      gtk_box_append (GTK_BOX (box), GTK_WIDGET (cells[i]));
    }
  gtk_widget_set_size_request (box, 230, -1);
  gtk_window_present (GTK_WINDOW (window));
  tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (cells[0])) > 0);
  tsr_ui_test_run (50);
  g_assert_cmpuint (n_asked, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GtkWidget *inscription = GTK_WIDGET (tsr_name_cell_get_inscription (cells[i]));
      const char *shown = gtk_inscription_get_text (GTK_INSCRIPTION (inscription));
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (inscription, shown);
      g_auto (GStrv) parts = g_strsplit (names[i], "/", -1), seen = g_strsplit (shown, "/", -1);
      int width;

      g_assert_true (tsr_name_cell_is_cut (cells[i]));
      /* Whole parts, which GTK does not cut once more. */
      for (guint k = 0; seen[k] != NULL; k++)
        g_assert_true (strcmp (seen[k], "…") == 0
                       || g_strv_contains ((const char *const *)parts, seen[k]));
      pango_layout_get_pixel_size (layout, &width, NULL);
      g_assert_cmpint (width, <=, gtk_widget_get_width (inscription));
      g_assert_true (g_str_has_prefix (shown, i < 2    ? "…/layer"
                                              : i == 2 ? "…/layer1/attention/"
                                                       : "…/layer2/attention/"));
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (shown, !=,
                         gtk_inscription_get_text (tsr_name_cell_get_inscription (cells[k])));
    }
  gtk_widget_set_size_request (box, 1200, -1);
  tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (cells[0])) >= 1200);
  tsr_ui_test_run (50);
  asked_before = n_asked;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      tsr_name_cell_set_text (cells[i], names[i]);
      g_assert_cmpstr (gtk_inscription_get_text (tsr_name_cell_get_inscription (cells[i])), ==,
                       names[i]);
      g_assert_false (tsr_name_cell_is_cut (cells[i]));
    }
  tsr_name_cell_set_text (cells[0], NULL);
  g_assert_cmpuint (n_asked, ==, asked_before);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  g_test_add_func ("/name-cell/cut", test_cut);
  return g_test_run ();
}
