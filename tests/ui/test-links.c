/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Links: text to words and back, hostile ones, and a session that takes them up. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-link.h"
#include "tsr-location-texts.h"
#include "tsr-session.h"
#include "tsr-test.h"
#include "tsr-ui-test.h"

#include <string.h>

static void
test_round_trip (void)
{
  static const char *const values[] = {
    "memory", "0,5,10-20", "a b&c=d?e#f%20g", "model/conv1/weight:0<half>", "eins\nzwei",
    "größe",  "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (GHashTable) words = tsr_view_words_new ();
      g_autofree char *text = NULL;
      g_auto (TsrLink) link = { 0 };
      g_autoptr (GError) error = NULL;

      tsr_view_words_set (words, "page", "liveness");
      tsr_view_words_set (words, "odd & name", values[i]);
      tsr_view_words_set (words, "gone", "x");
      tsr_view_words_set (words, "gone", NULL);
      text = tsr_link_dup_text ("/data/with space/ä?&#", words);
      g_assert_true (g_str_has_prefix (text, "tessera:///data/with%20space/"));
      g_assert_null (strpbrk (text, " \n#"));
      g_assert_true (tsr_link_parse (text, &link, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (link.path, ==, "/data/with space/ä?&#");
      g_assert_cmpuint (g_hash_table_size (link.words), ==, 2);
      g_assert_cmpstr (tsr_view_words_get (link.words, "odd & name"), ==, values[i]);
      g_assert_cmpint (tsr_view_words_get_view (link.words), ==, TSR_VIEW_LIVENESS);
    }
}

/* A report behind ssh: the way to the host stays with the location, the words of a view go. */
static void
test_remote (void)
{
  static const struct
  {
    const char *text, *location, *page;
  } cases[] = {
    { "ssh://me@host:8090/data/run", "ssh://me@host:8090/data/run", NULL },
    { "tessera://me@host/data/run?page=memory&jump=a@gate", "ssh://me@host/data/run?jump=a@gate",
      "memory" },
    { "ssh://host/data/run?page=liveness", "ssh://host/data/run", "liveness" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TsrLink) link = { 0 };
      g_auto (TsrLink) again = { 0 };
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      g_assert_true (tsr_link_is_link (cases[i].text));
      g_assert_true (tsr_link_parse (cases[i].text, &link, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (link.path, ==, cases[i].location);
      g_assert_cmpstr (tsr_view_words_get (link.words, "page"), ==, cases[i].page);
      text = tsr_link_dup_text (link.path, link.words);
      g_assert_true (g_str_has_prefix (text, "ssh://"));
      g_assert_true (tsr_link_parse (text, &again, &error));
      g_assert_cmpstr (again.path, ==, link.path);
      g_assert_cmpstr (tsr_view_words_get (again.words, "page"), ==, cases[i].page);
    }
}

/* What people read of a location. */
static void
test_location_words (void)
{
  g_autofree char *host = tsr_location_dup_host ("ssh://me@[::1]:8090/data/a%20b?jump=gate");
  g_autofree char *path = tsr_location_dup_shown_path ("ssh://me@[::1]:8090/data/a%20b?jump=gate");
  g_autofree char *text = tsr_location_dup_text ("ssh://me@host/data");
  g_autofree char *local = tsr_location_dup_host ("/data/run");
  g_autofree char *broken = tsr_location_dup_shown_path ("ssh://a:b:c@/x");

  g_assert_cmpstr (host, ==, "me@[::1]:8090");
  g_assert_cmpstr (path, ==, "/data/a b");
  g_assert_cmpstr (text, ==, "me@host · /data");
  g_assert_null (local);
  g_assert_cmpstr (broken, ==, "ssh://a:b:c@/x");
}

/* "page" first, then by name: the same state always gives the same text. */
static void
test_order (void)
{
  g_autoptr (GHashTable) words = tsr_view_words_parse ("tiles=5&page=memory&breakdown=region&=x&y");
  g_autofree char *text = tsr_view_words_dup_text (words);

  g_assert_cmpstr (text, ==, "page=memory&breakdown=region&tiles=5");
}

static void
test_hostile (void)
{
  static const char *const texts[] = {
    "",
    "http://example.org/",
    "tessera:",
    "tessera://",
    "tessera://user@/data/run",
    "ssh://",
    "ssh://me:secret@host/data",
    "ssh://host:99999/data",
    "tessera://host/data?jump=a:b:c:%",
    "tessera:data/run",
    "tessera:///%00",
    "tessera:///data/%zz",
  };
  g_autofree char *endless = g_strnfill (200000, 'a');
  g_autofree char *link_text = g_strconcat ("tessera:///", endless, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (TsrLink) link = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_false (tsr_link_parse (texts[i], &link, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
    }
  {
    g_auto (TsrLink) link = { 0 };
    g_autoptr (GError) error = NULL;

    g_assert_false (tsr_link_parse (link_text, &link, &error));
    g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  }
  {
    g_auto (TsrLink) link = { 0 };

    /* What is no text is left out, the rest holds. */
    g_assert_true (tsr_link_parse ("tessera:///r?a=%ff&b=1&c=%00", &link, NULL));
    g_assert_null (tsr_view_words_get (link.words, "a"));
    g_assert_null (tsr_view_words_get (link.words, "c"));
    g_assert_cmpstr (tsr_view_words_get (link.words, "b"), ==, "1");
    g_assert_cmpint (tsr_view_words_get_view (link.words), ==, TSR_N_VIEWS);
  }
}

/* ---------------------------------------------------------------- a session */

static TsrSession *
open_demo (void)
{
  g_autoptr (TsrSettings) settings = tsr_settings_new ("org.example.not.installed");
  TsrSession *session = tsr_session_new (settings);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autofree char *folder = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "demo", NULL);
  g_autoptr (TsrReport) report = tsr_report_open (place, folder, TSR_LOAD_ALL);

  tsr_session_set_report (session, report);
  return session;
}

/* Words that come before anything is read are taken up when it is there, and give the same words.
 */
static void
test_session (void)
{
  static const char wanted[]
      = "range=100-200&source=ipu0&steps=3,1,7&tiles=2-4,9&variables=model%2Fa%0Amodel%2Fb";
  g_autoptr (TsrSession) session = open_demo ();
  g_autoptr (GHashTable) words = tsr_view_words_parse (wanted);
  g_autoptr (GHashTable) saved = tsr_view_words_new ();
  g_autofree char *before = tsr_view_words_dup_text (words);
  g_autofree char *after = NULL;
  guint n = 0;
  const guint *steps;

  tsr_session_load_words (session, TSR_VIEW_MEMORY, words);
  tsr_ui_test_wait (tsr_session_get_liveness (session) != NULL);
  tsr_viewport_set_domain (tsr_session_get_viewport (session, "memory"), 0, 1000, 1);
  tsr_session_save_words (session, TSR_VIEW_MEMORY, saved);
  after = tsr_view_words_dup_text (saved);
  g_assert_cmpstr (after, ==, before);
  steps = tsr_step_selection_peek (tsr_session_get_steps (session), &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (steps[0], ==, 3);
  g_assert_cmpuint (steps[2], ==, 7);

  /* What they do not name is not selected any more. */
  g_clear_pointer (&words, g_hash_table_unref);
  words = tsr_view_words_new ();
  tsr_session_load_words (session, TSR_VIEW_MEMORY, words);
  g_clear_pointer (&saved, g_hash_table_unref);
  saved = tsr_view_words_new ();
  tsr_session_save_words (session, TSR_VIEW_MEMORY, saved);
  g_assert_cmpuint (g_hash_table_size (saved), ==, 0);
}

static void
test_session_nonsense (void)
{
  g_autoptr (TsrSession) session = open_demo ();
  g_autoptr (GHashTable) words = tsr_view_words_parse (
      "range=9-2&source=ipu99&steps=-1,x,4294967296,99999999,5&tiles=0-99999999&variables=%0A%0A");
  guint n = 0;
  const guint *steps;

  tsr_ui_test_wait (tsr_session_get_liveness (session) != NULL);
  tsr_session_load_words (session, TSR_VIEW_MEMORY, words);
  steps = tsr_step_selection_peek (tsr_session_get_steps (session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (steps[0], ==, 5);
  g_assert_null (tsr_step_selection_get_source (tsr_session_get_steps (session)));
  tsr_tile_selection_peek (tsr_session_get_selection (session), &n);
  g_assert_cmpuint (n, ==, 0);
}

/* Stage after stage: the liveness comes without lowered variables first or complete at once, and
 * the insights only when asked for. */
static void
test_derived (void)
{
  g_autoptr (TsrSession) session = open_demo ();

  tsr_ui_test_wait (tsr_session_get_liveness (session) != NULL
                    && !tsr_session_is_lowered_pending (session));
  tsr_ui_test_wait (tsr_liveness_has_lowered (tsr_session_get_liveness (session)));
  tsr_ui_test_wait (tsr_session_get_vertices (session) != NULL);
  g_assert_null (tsr_session_get_insights (session));
  tsr_ui_test_wait (tsr_session_get_insights (session) != NULL);
  g_assert_cmpint (tsr_insights_get_fit (tsr_session_get_insights (session)), ==, TSR_FITS);

  /* Another number of tiles per IPU makes all of it anew. */
  tsr_session_set_tiles_per_ipu (session, 1);
  tsr_ui_test_wait (tsr_session_get_insights (session) == NULL);
  tsr_ui_test_wait (tsr_session_get_insights (session) != NULL);
  tsr_session_close (session);
  g_assert_null (tsr_session_get_liveness (session));
  g_assert_null (tsr_session_get_insights (session));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/links/remote", test_remote);
  g_test_add_func ("/links/location-words", test_location_words);
  g_test_add_func ("/links/round-trip", test_round_trip);
  g_test_add_func ("/links/order", test_order);
  g_test_add_func ("/links/hostile", test_hostile);
  g_test_add_func ("/links/session", test_session);
  g_test_add_func ("/links/session-nonsense", test_session_nonsense);
  g_test_add_func ("/session/derived", test_derived);
  return g_test_run ();
}
