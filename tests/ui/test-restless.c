/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Somebody who does not wait: one report after the other is opened in the same window, at whatever
 * stage the last one is, and between two turns of the main loop anything that is on the screen is
 * used.  The monkey's events come from other processes, and so later.
 *
 * TESSERA_RESTLESS="SEED TURNS" plays another game than that of the suite, or a longer one. */

#include "config.h"

#include "tsr-test.h"
#include "window-test.h"

#include <stdio.h>
#include <string.h>

#define TURNS 500

typedef struct
{
  GRand *rand;
  TsrWindow *window;
  const char *reports[3];
  GPtrArray *widgets; /* on the screen; not owned: good for one action */
} Game;

/* What leaves the process, or the game. */
static gboolean
is_refused (const char *action)
{
  static const char *const refused[]
      = { "window.", "default.", "app.", "export", "save", "choose", "folder", "close-window" };

  for (guint i = 0; action != NULL && i < G_N_ELEMENTS (refused); i++)
    if (strstr (action, refused[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
collect (Game *game, GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_is_sensitive (widget))
    return;
  if (!GTK_IS_ACTIONABLE (widget)
      || !is_refused (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget))))
    g_ptr_array_add (game->widgets, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (game, child);
}

static GtkWidget *
pick (Game *game)
{
  GListModel *windows = gtk_window_get_toplevels ();

  g_ptr_array_set_size (game->widgets, 0);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      collect (game, window);
    }
  if (game->widgets->len == 0)
    return NULL;
  return game->widgets->pdata[g_rand_int_range (game->rand, 0, (int)game->widgets->len)];
}

/* One of the actions without parameters that the widget's class has.  GTK's own are not made for
 * any moment: link.copy of a label without links. */
static void
fire (Game *game, GtkWidget *widget)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_GET_CLASS (widget);
  const GVariantType *type;
  const char *name, *property;
  GType owner;
  guint n = 0, at;

  while (gtk_widget_class_query_action (widget_class, n, &owner, &name, &type, &property))
    n++;
  if (n == 0)
    return;
  at = (guint)g_rand_int_range (game->rand, 0, (int)n);
  gtk_widget_class_query_action (widget_class, at, &owner, &name, &type, &property);
  if (type == NULL && g_str_has_prefix (g_type_name (owner), "Tsr") && !is_refused (name))
    gtk_widget_activate_action (widget, name, NULL);
}

static void
use (Game *game, GtkWidget *widget)
{
  static const char *const words[] = { "", "conv", "706", "0-9,top5", "\"", "type:", "(" };
  guint r = g_rand_int (game->rand);

  if (GTK_IS_LIST_VIEW (widget) || GTK_IS_COLUMN_VIEW (widget))
    {
      if (r % 3 == 0)
        gtk_widget_activate_action (widget, "list.activate-item", "u", r / 3 % 20);
      else
        gtk_widget_activate_action (widget, "list.select-item", "(ubb)", r / 3 % 20, r % 2 == 0,
                                    r / 60 % 2 == 0);
    }
  else if (GTK_IS_SCROLLED_WINDOW (widget))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget)),
                              r % 2000);
  else if (GTK_IS_TEXT (widget) && gtk_editable_get_editable (GTK_EDITABLE (widget)))
    {
      gtk_editable_set_text (GTK_EDITABLE (widget), words[r % G_N_ELEMENTS (words)]);
      g_signal_emit_by_name (widget, "activate");
    }
  else if (GTK_IS_DROP_DOWN (widget))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (widget), r % 3);
  else if (r % 2 == 0)
    gtk_widget_activate (widget);
  else
    gtk_widget_grab_focus (widget);
}

static void
open_report (Game *game)
{
  guint r = g_rand_int (game->rand);

  tsr_window_open (game->window, game->reports[r % G_N_ELEMENTS (game->reports)],
                   (TsrView)(r / 8 % TSR_N_VIEWS));
}

/* Dialogs, and what was opened beside. */
static void
close_others (Game *game)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  g_list_foreach (windows, (GFunc)(void (*) (void))g_object_ref, NULL);
  for (GList *l = windows; l != NULL; l = l->next)
    {
      if (l->data != game->window && gtk_widget_get_mapped (l->data))
        gtk_window_destroy (l->data);
      g_object_unref (l->data);
    }
}

static void
test_restless (void)
{
  Game game = { 0 };
  guint seed = 1, n_turns = TURNS;
  const char *said = g_getenv ("TESSERA_RESTLESS");

  if (said != NULL)
    g_assert_cmpint (sscanf (said, "%u %u", &seed, &n_turns), ==, 2);
  game.rand = g_rand_new_with_seed (seed);
  game.widgets = g_ptr_array_new ();
  game.reports[0] = tsr_test_get_report ("demo");
  game.reports[1] = tsr_test_get_report ("oom");
  game.reports[2] = tsr_test_get_report ("tiny");
  game.window = window_test_new ();
  open_report (&game);
  for (guint turn = 0; turn < n_turns; turn++)
    {
      guint r = g_rand_int (game.rand);
      GtkWidget *widget = pick (&game);

      if (r % 40 == 0)
        open_report (&game);
      else if (widget != NULL && r % 2 == 0)
        use (&game, widget);
      else if (widget != NULL)
        fire (&game, widget);
      if (r / 40 % 60 == 0)
        close_others (&game);
      if (r / 2400 % 8 == 0)
        tsr_ui_test_run (r / 19200 % 200);
      else
        for (guint i = r / 19200 % 4; i > 0; i--)
          g_main_context_iteration (NULL, FALSE);
    }
  close_others (&game);
  window_test_close (game.window);
  tsr_ui_test_run (300);
  g_ptr_array_unref (game.widgets);
  g_rand_free (game.rand);
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_func ("/restless/reports-in-one-window", test_restless);
  return window_test_run ();
}
