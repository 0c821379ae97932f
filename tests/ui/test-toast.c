/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that go by themselves: their words, and that one may go before it has come up. */

#include "config.h"

#include "tsr-toast.h"
#include "tsr-ui-test.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  AdwToastOverlay *overlay;
  GString *ends; /* of animations: + has come up, - has gone */
  gulong hook;
} Fixture;

static gboolean
on_done (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  Fixture *f = data;
  AdwTimedAnimation *animation = g_value_get_object (values);

  if (adw_animation_get_widget (ADW_ANIMATION (animation)) == GTK_WIDGET (f->overlay))
    g_string_append_c (f->ends, adw_timed_animation_get_value_to (animation) > 0 ? '+' : '-');
  return TRUE;
}

static guint
get_done_signal (void)
{
  return g_signal_lookup ("done", ADW_TYPE_ANIMATION);
}

static void
setup (Fixture *f, gconstpointer data)
{
  f->window = gtk_window_new ();
  f->overlay = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  f->ends = g_string_new (NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->overlay));
  gtk_window_set_default_size (GTK_WINDOW (f->window), 600, 400);
  gtk_window_present (GTK_WINDOW (f->window));
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (f->overlay)));
  tsr_ui_test_run (100);
  f->hook = g_signal_add_emission_hook (get_done_signal (), 0, on_done, f, NULL);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  g_signal_remove_emission_hook (get_done_signal (), f->hook);
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_string_free (f->ends, TRUE);
}

/* (nullable): the first label in @widget. */
static const char *
find_text (GtkWidget *widget)
{
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && text == NULL;
       child = gtk_widget_get_next_sibling (child))
    text = find_text (child);
  return text;
}

/* The one that is shown, by its button. */
static void
dismiss (Fixture *f)
{
  GtkWidget *toast = gtk_widget_get_last_child (GTK_WIDGET (f->overlay));
  GtkWidget *close = gtk_widget_get_last_child (toast);

  g_assert_true (GTK_IS_BUTTON (close));
  g_signal_emit_by_name (close, "clicked");
}

static void
test_text (Fixture *f, gconstpointer data)
{
  tsr_toast_show (f->overlay, "a < b & <c>");
  g_assert_cmpstr (find_text (GTK_WIDGET (f->overlay)), ==, "a < b & <c>");
  tsr_ui_test_wait (strcmp (f->ends->str, "+") == 0);
  tsr_ui_test_wait (strcmp (f->ends->str, "+-") == 0);
  g_assert_null (find_text (GTK_WIDGET (f->overlay)));
}

/* Each has come up before it has gone. */
static void
check_ends (Fixture *f)
{
  int n = 0;

  for (const char *end = f->ends->str; *end != '\0'; end++)
    g_assert_cmpint (n += *end == '+' ? 1 : -1, >=, 0);
}

/* The second one has longer to come up than to go. */
static void
test_gone_early (Fixture *f, gconstpointer data)
{
  tsr_toast_show (f->overlay, "First");
  tsr_toast_show (f->overlay, "Second");
  tsr_ui_test_run (50);
  dismiss (f);
  tsr_ui_test_run (50);
  dismiss (f);
  tsr_ui_test_wait (f->ends->len == 4);
  tsr_ui_test_run (300);
  check_ends (f);
  g_assert_null (find_text (GTK_WIDGET (f->overlay)));
}

/* In a frame that takes longer than both. */
static void
test_gone_in_one_frame (Fixture *f, gconstpointer data)
{
  tsr_toast_show (f->overlay, "First");
  dismiss (f);
  g_usleep (500000);
  tsr_ui_test_wait (f->ends->len == 2);
  check_ends (f);
}

/* With its window, while one comes up, one goes and one waits. */
static void
test_window_gone (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < 3; i++)
    tsr_toast_show (f->overlay, "Toast");
  tsr_ui_test_run (50);
  dismiss (f);
  gtk_widget_hide (f->window);
  tsr_ui_test_wait (f->ends->len == 3);
  check_ends (f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();
  g_type_class_unref (g_type_class_ref (ADW_TYPE_TIMED_ANIMATION)); /* it has its signals */
  g_test_add ("/toast/text", Fixture, NULL, setup, test_text, teardown);
  g_test_add ("/toast/gone-early", Fixture, NULL, setup, test_gone_early, teardown);
  g_test_add ("/toast/gone-in-one-frame", Fixture, NULL, setup, test_gone_in_one_frame, teardown);
  g_test_add ("/toast/window-gone", Fixture, NULL, setup, test_window_gone, teardown);
  return g_test_run ();
}
