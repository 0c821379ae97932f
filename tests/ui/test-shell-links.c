/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Links and the history in a whole window: a link that was copied opens a window that would copy
 * the same one; back and forward restore what each page showed. */

#include "config.h"

#include "tsr-finding-row.h"
#include "tsr-insights-page.h"
#include "tsr-link.h"
#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-test.h"
#include "tsr-trace-view.h"
#include "window-test.h"

#include <string.h>

static char *folder; /* the demo report */

static TsrPage *
page_of (TsrWindow *window)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (window));
}

static gboolean
is_settled (TsrWindow *window)
{
  TsrSession *session = tsr_window_get_session (window);
  TsrPage *page = page_of (window);

  return g_str_equal (tsr_window_get_state (window), "report")
         && tsr_session_get_liveness (session) != NULL && tsr_session_get_vertices (session) != NULL
         && !tsr_session_is_lowered_pending (session) && tsr_page_is_content_shown (page)
         && (!TSR_IS_LIVENESS_PAGE (page) || !tsr_liveness_page_is_busy (TSR_LIVENESS_PAGE (page)));
}

static TsrWindow *
open_link (const char *words)
{
  TsrWindow *window = tsr_window_new (window_test_get_application ());
  g_autoptr (GHashTable) parsed = tsr_view_words_parse (words);
  g_autofree char *link = tsr_link_dup_text (folder, parsed);

  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 720);
  gtk_window_present (GTK_WINDOW (window));
  tsr_window_open (window, link, TSR_N_VIEWS);
  tsr_ui_test_wait (is_settled (window));
  tsr_ui_test_run (200);
  tsr_ui_test_wait (is_settled (window));
  return window;
}

static char *
dup_words (TsrWindow *window)
{
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (tsr_window_get_report_view (window));

  return tsr_view_words_dup_text (words);
}

static void
assert_words (TsrWindow *window, const char *expected)
{
  g_autoptr (GHashTable) parsed = tsr_view_words_parse (expected);
  g_autofree char *wanted = tsr_view_words_dup_text (parsed);
  g_autofree char *got = dup_words (window);

  g_assert_cmpstr (got, ==, wanted);
}

/* A link's words are those that the window saves again, page by page. */
static void
test_restore (void)
{
  static const char *const links[] = {
    "page=liveness&source=tile5&steps=3,9&tiles=2-4,9&tab=peak&filter=conv&match=layer1&range=10-"
    "60",
    "page=liveness&source=ipu1&steps=40&tab=always-live",
    "page=liveness&tab=a-to-b&steps=20,90&source=0-3,7",
    "page=memory&tiles=2-4,9&tab=variables&filter=conv&range=100-900&breakdown=category"
    "&order=physical&gaps=1",
    "page=memory&graph=tile-map&tab=vertices&tiles=1500&ipu=1",
    "page=memory&graph=variables&plotted=model%2Flayer1.0%2Fbn1%2Fout%0Amodel%2Flayer2.0%2Fbn1%"
    "2Fout",
    "page=memory&graph=variables&tab=details&variables=model%2Flayer1.0%2Fbn1%2Fout",
    /* Every other option of the two pages. */
    "page=liveness&always=0&max=0&structure=0&statistics=1&lifetimes=0&tab=always-live&tiles=2",
    "page=liveness&always=1&from-zero=1&tab=not-always-live&by=prefix&depth=2&steps=40&sort=name"
    "&groups=model%2Flayer2.0%0Amodel%2Flayer1.0",
    "page=liveness&always=1&tab=a-to-b&mode=2&steps=20,90&by=category&sort=-name",
    "page=liveness&always=1&tab=not-always-live&by=life&steps=50",
    "page=liveness&always=1&tab=cycle-estimates&mode=2&steps=40&sort=tile",
    "page=liveness&always=1&tab=peak&peak=2",
    "page=liveness&always=1&tab=lifetimes&lifetime-order=death&lifetime-colour=category"
    "&lifetime-filter=layer2",
    "page=liveness&always=1&variables=model%2Flayer1.0%2Fbn1%2Fout&tab=peak"
    "&hidden=maxMemory%0Avariable%20model%2Flayer1.0%2Fbn1%2Fout",
    "page=memory&graph=total&breakdown=liveness&max=0&fit=1&hidden=notAlwaysLive&sort=-0",
    "page=memory&graph=total&at-step=1&steps=40&breakdown=liveness&hidden=alwaysLive",
    "page=memory&graph=tile-map&value=category%3AvertexCode&scale=100-2000",
    "page=memory&graph=tile-map&value=variable%3Amodel%2Flayer1.0%2Fbn1%2Fout&scale=1-20&at-step=1"
    "&steps=40&variables=model%2Flayer1.0%2Fbn1%2Fout",
    "page=memory&graph=variables&plotted=model%2Flayer1.0%2Fbn1%2Fout%0Amodel%2Flayer2.0%2Fbn1%"
    "2Fout&hidden=model%2Flayer2.0%2Fbn1%2Fout&order=bytes",
    "page=memory&graph=total&tab=variables&tiles=5&sort=name&map-step=1&map-colour=life&steps=40",
  };

  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    {
      TsrWindow *window = open_link (links[i]);
      g_autofree char *saved = dup_words (window);
      g_autoptr (GHashTable) got = tsr_view_words_parse (saved);
      g_autoptr (GHashTable) wanted = tsr_view_words_parse (links[i]);
      GHashTableIter iter;
      gpointer key, value;
      TsrWindow *second;

      g_hash_table_iter_init (&iter, wanted);
      while (g_hash_table_iter_next (&iter, &key, &value))
        {
          g_test_message ("%s: %s", links[i], (char *)key);
          /* What is usual may go without saying. */
          if (g_str_equal (key, "tab") && g_str_equal (value, "details"))
            continue;
          g_assert_cmpstr (tsr_view_words_get (got, key), ==, value);
        }
      window_test_close (window);
      second = open_link (saved);
      assert_words (second, saved);
      window_test_close (second);
    }
}

static TsrFindingRow *
first_row (TsrWindow *window)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (TSR_INSIGHTS_PAGE (page_of (window)));

  g_assert_cmpuint (rows->len, >, 0);
  return rows->pdata[0];
}

static void
go (TsrWindow *window, const char *words)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "win.go", "s", words));
  tsr_ui_test_wait (is_settled (window));
  tsr_ui_test_run (100);
}

static void
back (TsrWindow *window, int by)
{
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window), by < 0 ? "win.back" : "win.forward", NULL));
  tsr_ui_test_wait (is_settled (window));
  tsr_ui_test_run (100);
}

/* From a finding to Liveness and back to the findings, open as they were; and forward. */
static void
test_finding (void)
{
  static const char words[] = "page=liveness&always=1&source=tile7&steps=12&tab=peak";
  TsrWindow *window = open_link ("page=insights");
  TsrSession *session = tsr_window_get_session (window);
  g_autofree char *before = NULL, *after = NULL;

  tsr_ui_test_wait (tsr_session_get_insights (session) != NULL);
  tsr_ui_test_run (100);
  tsr_finding_row_set_open (first_row (window), TRUE);
  go (window, words);
  before = dup_words (window);
  assert_words (window, words);
  back (window, -1);
  g_assert_true (TSR_IS_INSIGHTS_PAGE (page_of (window)));
  g_assert_true (tsr_finding_row_is_open (first_row (window)));
  back (window, 1);
  after = dup_words (window);
  g_assert_cmpstr (after, ==, before);
  window_test_close (window);
}

/* What a page showed comes back, the usual as well: another graph, a filter and switches that were
 * not there before go. */
static void
test_back (void)
{
  TsrWindow *window = open_link ("page=memory&tiles=3");
  g_autofree char *memory = dup_words (window);
  g_autofree char *liveness = NULL, *after = NULL, *last = NULL;

  go (window, "page=memory&graph=tile-map&tab=vertices&filter=Fill&gaps=1&tiles=5");
  back (window, -1);
  after = dup_words (window);
  g_assert_cmpstr (after, ==, memory);
  go (window, "page=liveness&tab=peak");
  liveness = dup_words (window);
  go (window, "page=liveness&tab=peak&filter=conv&match=layer1&steps=5");
  back (window, -1);
  last = dup_words (window);
  g_assert_cmpstr (last, ==, liveness);
  window_test_close (window);
}

/* In a window of 1280 x 720 with details the plot within its axes has 45 % of the height. */
static void
test_plot_height (void)
{
  static const struct
  {
    const char *words;
    GType (*get_type) (void);
  } rows[] = {
    { "page=memory", tsr_chart_get_type },
    { "page=liveness", tsr_chart_get_type },
    { "page=trace", tsr_trace_view_get_type },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      TsrWindow *window = open_link (rows[i].words);
      GtkWidget *plot = NULL;
      double height = gtk_widget_get_height (GTK_WIDGET (window)), pixels;

      tsr_ui_test_wait (
          (plot = tsr_ui_test_find (GTK_WIDGET (page_of (window)), rows[i].get_type ())) != NULL
          && gtk_widget_get_mapped (plot) && tsr_plane_get_area (TSR_PLANE (plot))->height > 0);
      tsr_ui_test_run (200);
      pixels = tsr_plane_get_area (TSR_PLANE (plot))->height;
      g_test_message ("%s: %g of %g, %.1f %%; with its axes %.1f %%", rows[i].words, pixels, height,
                      100 * pixels / height, 100 * gtk_widget_get_height (plot) / height);
      g_assert_cmpfloat (pixels, >=, 0.45 * height);
      window_test_close (window);
    }
}

int
main (int argc, char **argv)
{
  int status;

  window_test_init (&argc, &argv);
  folder = tsr_test_report_new ("demo");
  g_test_add_func ("/shell-links/restore", test_restore);
  g_test_add_func ("/shell-links/finding", test_finding);
  g_test_add_func ("/shell-links/back", test_back);
  g_test_add_func ("/shell-links/plot-height", test_plot_height);
  status = window_test_run ();
  tsr_test_folder_free (folder);
  return status;
}
