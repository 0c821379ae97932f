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

/* One that goes for good when it is closed is closed by the next one all the same. */
static void
test_popover_for_once (Fixture *f, gconstpointer data)
{
  GtkWidget *once = gtk_popover_new ();

  gtk_popover_set_child (GTK_POPOVER (once), gtk_label_new ("Once"));
  gtk_widget_set_parent (once, gtk_window_get_child (GTK_WINDOW (f->window)));
  gtk_popover_set_pointing_to (GTK_POPOVER (once), &(GdkRectangle){ 200, 300, 1, 1 });
  g_signal_connect (once, "closed", G_CALLBACK (gtk_widget_unparent), NULL);
  g_object_add_weak_pointer (G_OBJECT (once), (gpointer *)&once);
  gtk_popover_popup (GTK_POPOVER (once));
  tsr_ui_test_run (100);
  gtk_popover_popup (GTK_POPOVER (f->popover));
  tsr_ui_test_wait (once == NULL);
  g_assert_true (gtk_widget_get_mapped (f->popover));
  gtk_popover_popdown (GTK_POPOVER (f->popover));
}

/* One popover at a time, and those within it. */
static void
test_one_popover (Fixture *f, gconstpointer data)
{
  GtkWidget *parent = gtk_window_get_child (GTK_WINDOW (f->window));
  GtkWidget *inner = gtk_popover_new (), *other = gtk_popover_new ();

  gtk_popover_set_child (GTK_POPOVER (inner), gtk_label_new ("Inner"));
  gtk_popover_set_child (GTK_POPOVER (other), gtk_label_new ("Other"));
  gtk_widget_set_parent (inner, gtk_widget_get_parent (f->label));
  gtk_widget_set_parent (other, parent);
  gtk_popover_set_pointing_to (GTK_POPOVER (other), &(GdkRectangle){ 200, 300, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (f->popover));
  gtk_popover_popup (GTK_POPOVER (inner));
  tsr_ui_test_run (100);
  g_assert_true (gtk_widget_get_mapped (f->popover) && gtk_widget_get_mapped (inner));
  gtk_popover_popup (GTK_POPOVER (other));
  tsr_ui_test_run (100);
  g_assert_true (gtk_widget_get_mapped (other));
  g_assert_false (gtk_widget_get_mapped (f->popover) || gtk_widget_get_mapped (inner));
  gtk_popover_popdown (GTK_POPOVER (other));
  /* One that leaves the others alone. */
  gtk_popover_set_autohide (GTK_POPOVER (other), FALSE);
  gtk_popover_popup (GTK_POPOVER (f->popover));
  gtk_popover_popup (GTK_POPOVER (other));
  tsr_ui_test_run (100);
  g_assert_true (gtk_widget_get_mapped (f->popover) && gtk_widget_get_mapped (other));
  gtk_widget_unparent (inner);
  gtk_widget_unparent (other);
}

static gboolean
count_clock (gpointer data)
{
  g_object_set_data (data, "clock", gtk_widget_get_frame_clock (data));
  return G_SOURCE_REMOVE;
}

/* What GTK does a little later to a scrolled window has its clock also when it goes before. */
static void
test_scrolled_gone (Fixture *f, gconstpointer data)
{
  g_autoptr (GtkWidget) scrolled = g_object_ref_sink (gtk_scrolled_window_new ());
  GtkWidget *box = gtk_window_get_child (GTK_WINDOW (f->window));
  guint timer;

  gtk_box_append (GTK_BOX (box), scrolled);
  tsr_ui_test_wait (gtk_widget_get_mapped (scrolled));
  timer = g_timeout_add (50, count_clock, scrolled);
  g_source_set_name_by_id (timer, "[gtk] start_scroll_deceleration_cb");
  gtk_box_remove (GTK_BOX (box), scrolled);
  g_assert_nonnull (g_object_get_data (G_OBJECT (scrolled), "clock"));
  g_assert_null (g_main_context_find_source_by_id (NULL, timer));
}

/* Behind a modal dialog nothing comes up, and a button that would open it does not stay pressed. */
static void
test_popover_behind_dialog (Fixture *f, gconstpointer data)
{
  GtkWidget *dialog = gtk_window_new (), *inner = gtk_window_new ();
  GtkWidget *button = gtk_menu_button_new (), *own = gtk_menu_button_new ();

  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), gtk_popover_new ());
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (own), gtk_popover_new ());
  gtk_box_append (GTK_BOX (gtk_window_get_child (GTK_WINDOW (f->window))), button);
  gtk_window_set_child (GTK_WINDOW (inner), own);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (f->window));
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_window_set_transient_for (GTK_WINDOW (inner), GTK_WINDOW (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_window_present (GTK_WINDOW (inner));
  tsr_ui_test_wait (gtk_widget_get_mapped (dialog) && gtk_widget_get_mapped (inner));
  gtk_popover_popup (GTK_POPOVER (f->popover));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  tsr_ui_test_run (100);
  g_assert_false (gtk_widget_get_visible (f->popover));
  g_assert_false (
      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (gtk_widget_get_first_child (button))));
  g_assert_false (
      gtk_widget_get_visible (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)))));
  gtk_menu_button_popup (GTK_MENU_BUTTON (own));
  tsr_ui_test_wait (
      gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (own)))));
  gtk_window_destroy (GTK_WINDOW (inner));
  gtk_window_destroy (GTK_WINDOW (dialog));
  gtk_popover_popup (GTK_POPOVER (f->popover));
  tsr_ui_test_wait (gtk_widget_get_mapped (f->popover));
  gtk_popover_popdown (GTK_POPOVER (f->popover));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  tsr_ui_test_wait (
      gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)))));
}

/* A popover that goes while both timers of the tooltip run: of one that was just hidden, and of one
 * that is to come. */
static void
test_tooltip_gone (Fixture *f, gconstpointer data)
{
  GtkWidget *gone = gtk_popover_new ();

  gtk_popover_set_autohide (GTK_POPOVER (gone), FALSE);
  gtk_widget_set_parent (gone, gtk_window_get_child (GTK_WINDOW (f->window)));
  gtk_popover_popup (GTK_POPOVER (gone));
  /* The pointer is in the middle of the screen. */
  tsr_ui_test_run (100);
  gtk_widget_set_tooltip_text (f->window, "Tooltip");
  tsr_ui_test_run (700);
  gtk_widget_set_tooltip_text (f->window, NULL);
  gtk_widget_set_tooltip_text (f->window, "Tooltip");
  gtk_widget_unparent (gone);
  tsr_ui_test_run (1000);
}

static gboolean
has_focus (GtkWidget *entry)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (entry));

  return focus != NULL && gtk_widget_is_ancestor (focus, entry);
}

/* The keyboard goes when an entry is hidden, and does not come to one that is. */
static void
test_hidden_entry (Fixture *f, gconstpointer data)
{
  GtkWidget *stack = gtk_stack_new (), *entry = gtk_entry_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = gtk_label_new ("Other");

  gtk_box_append (GTK_BOX (box), entry);
  gtk_stack_add_child (GTK_STACK (stack), box);
  gtk_stack_add_child (GTK_STACK (stack), label);
  gtk_box_append (GTK_BOX (gtk_window_get_child (GTK_WINDOW (f->window))), stack);
  g_assert_true (gtk_widget_grab_focus (entry));
  g_assert_true (has_focus (entry));
  gtk_stack_set_visible_child (GTK_STACK (stack), label);
  tsr_ui_test_run (100);
  g_assert_false (gtk_widget_get_mapped (entry));
  g_assert_false (has_focus (entry));
  gtk_widget_grab_focus (entry);
  g_assert_false (has_focus (entry));
  gtk_stack_set_visible_child (GTK_STACK (stack), box);
  gtk_widget_grab_focus (entry);
  g_assert_true (has_focus (entry));
}

/* A notebook that goes with the keyboard in it. */
static void
test_notebook_gone (Fixture *f, gconstpointer data)
{
  g_autoptr (GtkWidget) notebook = g_object_ref_sink (gtk_notebook_new ());
  GtkWidget *box = gtk_window_get_child (GTK_WINDOW (f->window));
  GtkWidget *button = gtk_button_new_with_label ("Button");

  gtk_notebook_append_page (GTK_NOTEBOOK (notebook), button, NULL);
  gtk_notebook_append_page (GTK_NOTEBOOK (notebook), gtk_button_new_with_label ("Next"), NULL);
  gtk_box_append (GTK_BOX (box), notebook);
  tsr_ui_test_run (50);
  gtk_widget_grab_focus (button);
  gtk_box_remove (GTK_BOX (box), notebook);
  while (gtk_notebook_get_n_pages (GTK_NOTEBOOK (notebook)) > 0)
    gtk_notebook_remove_page (GTK_NOTEBOOK (notebook), 0);
}

/* Words of a label do not end behind its text. */
static void
test_words_of_label (Fixture *f, gconstpointer data)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new ("\342\200\223 45 %"));
  int start, end;

  gtk_box_append (GTK_BOX (gtk_window_get_child (GTK_WINDOW (f->window))), GTK_WIDGET (label));
  gtk_label_set_selectable (label, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (label));
  gtk_label_select_region (label, 0, 0);
  for (int i = 0; i < 4; i++)
    {
      g_signal_emit_by_name (label, "move-cursor", GTK_MOVEMENT_WORDS, 1, FALSE);
      tsr_ui_test_run (50); /* the cursor is drawn */
    }
  /* A step on from the end is none. */
  g_signal_emit_by_name (label, "move-cursor", GTK_MOVEMENT_VISUAL_POSITIONS, 1, TRUE);
  g_signal_emit_by_name (label, "move-cursor", GTK_MOVEMENT_LOGICAL_POSITIONS, -1, TRUE);
  g_assert_true (gtk_label_get_selection_bounds (label, &start, &end));
  g_assert_cmpint (start, ==, 5);
  g_assert_cmpint (end, ==, 6);
  /* Backwards from there, the end that was put down first stays. */
  g_signal_emit_by_name (label, "move-cursor", GTK_MOVEMENT_WORDS, -2, TRUE);
  g_signal_emit_by_name (label, "move-cursor", GTK_MOVEMENT_WORDS, 1, TRUE);
  g_assert_true (gtk_label_get_selection_bounds (label, &start, &end));
  g_assert_cmpint (start, ==, 4);
  g_assert_cmpint (end, ==, 6);
}

static gboolean
has_tip (GtkWidget *widget)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown;

  g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &shown);
  return shown;
}

/* What a popover is opened over has no tooltip meanwhile; and however often it is opened, it is
 * asked for that once. */
static void
test_tooltip_below (Fixture *f, gconstpointer data)
{
  GtkWidget *box = gtk_window_get_child (GTK_WINDOW (f->window));
  const guint query = g_signal_lookup ("query-tooltip", GTK_TYPE_WIDGET);

  gtk_widget_set_tooltip_text (box, "Box");
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (has_tip (box));
      gtk_popover_popup (GTK_POPOVER (f->popover));
      tsr_ui_test_wait (gtk_widget_get_mapped (f->popover));
      g_assert_false (has_tip (box));
      g_assert_cmpuint (g_signal_handlers_block_matched (box,
                                                         G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
                                                         query, 0, NULL, NULL, f->popover),
                        ==, 1);
      g_signal_handlers_unblock_matched (box, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, query, 0,
                                         NULL, NULL, f->popover);
      gtk_popover_popdown (GTK_POPOVER (f->popover));
      tsr_ui_test_wait (!gtk_widget_get_mapped (f->popover));
    }
}

static guint
count_windows (void)
{
  return g_list_model_get_n_items (gtk_window_get_toplevels ());
}

/* The key of the diagnostics opens no inspector where there are none. */
static void
test_inspector (Fixture *f, gconstpointer data)
{
  guint n = count_windows ();
  gboolean done;

  g_signal_emit_by_name (f->window, "enable-debugging", TRUE, &done);
  g_assert_false (done);
  g_assert_cmpuint (count_windows (), ==, n);
  g_signal_emit_by_name (f->window, "enable-debugging", FALSE, &done);
  g_assert_true (done);
  g_assert_cmpuint (count_windows (), >, n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  tsr_ui_init ();
  g_test_add ("/gtk-mends/popover-without-focus", Fixture, NULL, setup, test_popover_without_focus,
              teardown);
  g_test_add ("/gtk-mends/one-popover", Fixture, NULL, setup, test_one_popover, teardown);
  g_test_add ("/gtk-mends/popover-for-once", Fixture, NULL, setup, test_popover_for_once, teardown);
  g_test_add ("/gtk-mends/scrolled-gone", Fixture, NULL, setup, test_scrolled_gone, teardown);
  g_test_add ("/gtk-mends/popover-behind-dialog", Fixture, NULL, setup, test_popover_behind_dialog,
              teardown);
  g_test_add ("/gtk-mends/tooltip-gone", Fixture, NULL, setup, test_tooltip_gone, teardown);
  g_test_add ("/gtk-mends/tooltip-below", Fixture, NULL, setup, test_tooltip_below, teardown);
  g_test_add ("/gtk-mends/hidden-entry", Fixture, NULL, setup, test_hidden_entry, teardown);
  g_test_add ("/gtk-mends/notebook-gone", Fixture, NULL, setup, test_notebook_gone, teardown);
  g_test_add ("/gtk-mends/words-of-label", Fixture, NULL, setup, test_words_of_label, teardown);
  /* The last one: the inspector stays. */
  g_test_add ("/gtk-mends/inspector", Fixture, NULL, setup, test_inspector, teardown);
  return g_test_run ();
}
