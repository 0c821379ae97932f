/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of the window need: small reports with known numbers, and bounded waiting. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_UI_TILES         8
#define TSR_UI_TILES_PER_IPU 4
#define TSR_UI_CAPACITY      1000

/* Writes a profile.pop of 2 replicas x 2 IPUs x 4 tiles with 1,000 bytes each into @folder.  Tile t
 * uses 100 * (t + 1) + @more bytes including gaps, ten fewer without. */
void tsr_ui_test_write_report (const char *folder, gint64 more);

/* Runs the main loop until @condition holds; the test fails when it does not within a minute, which
 * is long enough for a machine that does much else, or as many seconds as TESSERA_TEST_WAIT says.
 */
#define tsr_ui_test_wait(condition)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 until_ = tsr_ui_test_get_until ();                                                      \
    guint tick_ = g_timeout_add (20, tsr_ui_test_tick, NULL);                                      \
                                                                                                   \
    while (!(condition) && g_get_monotonic_time () < until_)                                       \
      g_main_context_iteration (NULL, TRUE);                                                       \
    g_source_remove (tick_);                                                                       \
    g_assert_true (condition);                                                                     \
  }                                                                                                \
  G_STMT_END

gint64 tsr_ui_test_get_until (void);
gboolean tsr_ui_test_tick (gpointer data);
/* Lets the main loop run for @ms, in turns of 10 ms: on a machine that does much else it gets as
 * many of them, however long that takes.  For what must not happen, and for layout; what a worker
 * does is waited for. */
void tsr_ui_test_run (guint ms);

/* Waits, as tsr_ui_test_wait () does, until what was asked of @widget's window before is drawn; at
 * once where it is not shown. */
void tsr_ui_test_draw (GtkWidget *widget);

/* From now on the main loop is as busy with frames as on a machine that cannot draw them in time:
 * what waits behind them waits for ever.  The source's number, to be removed. */
guint tsr_ui_test_hog_frames (void);

/* (nullable): the first widget in @widget, itself included, of @type; for which @is tells TRUE of
 * @what; a button with @icon. */
typedef gboolean (*TsrUiTestIs) (GtkWidget *widget, gconstpointer what);
GtkWidget *tsr_ui_test_find (GtkWidget *widget, GType type);
GtkWidget *tsr_ui_test_find_where (GtkWidget *widget, TsrUiTestIs is, gconstpointer what);
GtkWidget *tsr_ui_test_find_icon (GtkWidget *widget, const char *icon);
/* (transfer container): all of them. */
GPtrArray *tsr_ui_test_find_all (GtkWidget *widget, TsrUiTestIs is, gconstpointer what);
/* Whether a label of @widget that is on the screen says @part. */
gboolean tsr_ui_test_says (GtkWidget *widget, const char *part);

/* The part with this id in the template of @widget, as what its name says. */
gpointer tsr_ui_test_child (gpointer widget, const char *id);

/* As if the key were pressed where @widget has the focus: whether it, or what it is in, took it. */
gboolean tsr_ui_test_press (GtkWidget *widget, guint key, GdkModifierType state);

/* Whether a shortcut of @widget itself that has this key took it. */
gboolean tsr_ui_test_shortcut (GtkWidget *widget, guint key, GdkModifierType state);

/* Waits until nobody else holds @object (taken), which takes no time unless something runs. */
void tsr_ui_test_drop (gpointer object);

G_END_DECLS
