/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The palette of Ctrl+K: hits while one types, the last word counts, where each kind of hit leads,
 * another report, closing it in the middle of a search. */

#include "config.h"

#include "tsr-link.h"
#include "tsr-page.h"
#include "tsr-rows.h"
#include "tsr-search-popover.h"
#include "tsr-search-row.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

typedef struct
{
  char *folder;
  TsrSession *session;
  GtkWidget *window;
  TsrSearchPopover *popover;
  char *went; /* what win.go was told last */
} Fixture;

static void
on_go (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Fixture *f = data;

  g_free (f->went);
  f->went = g_variant_dup_string (parameter, NULL);
}

static void
open_report (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
  tsr_ui_test_wait (tsr_session_get_memory (f->session) != NULL);
  tsr_ui_test_wait (tsr_session_get_liveness (f->session) != NULL);
  tsr_ui_test_wait (!tsr_session_is_lowered_pending (f->session));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  static const GActionEntry actions[]
      = { { .name = "go", .activate = on_go, .parameter_type = "s" } };
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  GtkWidget *button = gtk_menu_button_new ();

  f->folder = tsr_test_report_new ("demo");
  f->session = tsr_session_new (settings);
  f->popover = tsr_search_popover_new (f->session);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 900, 600);
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), f);
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  gtk_window_set_child (GTK_WINDOW (f->window), button);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), GTK_WIDGET (f->popover));
  gtk_window_present (GTK_WINDOW (f->window));
  open_report (f);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  tsr_ui_test_run (50);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  /* GTK itself never frees what is popped up over a window that goes. */
  gtk_popover_popdown (GTK_POPOVER (f->popover));
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_session_close (f->session);
  tsr_ui_test_drop (f->session);
  g_free (f->went);
  tsr_test_folder_free (f->folder);
}

static void
type (Fixture *f, const char *text)
{
  tsr_search_popover_set_text (f->popover, text);
  tsr_ui_test_wait (!tsr_search_popover_is_busy (f->popover));
}

static TsrVariables *
get_variables (Fixture *f)
{
  return tsr_liveness_get_variables (tsr_session_get_liveness (f->session));
}

/* (transfer full): words of where the first hit leads. */
static GHashTable *
follow (Fixture *f, gboolean other_view)
{
  g_clear_pointer (&f->went, g_free);
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), >, 0);
  tsr_search_popover_activate (f->popover, other_view);
  g_assert_nonnull (f->went);
  return tsr_view_words_parse (f->went);
}

static void
test_typing (Fixture *f, gconstpointer data)
{
  g_autofree char *first = NULL;

  type (f, "");
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), ==, 0);
  type (f, "no such thing anywhere");
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), ==, 0);
  /* Letter by letter without waiting: only the last text counts. */
  for (guint i = 1; i <= strlen ("weight"); i++)
    {
      g_autofree char *text = g_strndup ("weight", i);

      tsr_search_popover_set_text (f->popover, text);
    }
  g_assert_true (tsr_search_popover_is_busy (f->popover));
  tsr_ui_test_wait (!tsr_search_popover_is_busy (f->popover));
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), >, 1);
  for (guint i = 0; i < tsr_search_popover_get_n_found (f->popover); i++)
    {
      g_autofree char *lower = g_ascii_strdown (tsr_search_popover_get_name (f->popover, i), -1);

      g_assert_nonnull (strstr (lower, "weight"));
    }
  /* All of it stays while the next word is typed and found. */
  first = g_strdup (tsr_search_popover_get_name (f->popover, 0));
  tsr_search_popover_set_text (f->popover, "weight conv");
  g_assert_cmpstr (tsr_search_popover_get_name (f->popover, 0), ==, first);
  tsr_ui_test_wait (!tsr_search_popover_is_busy (f->popover));
}

static void
test_variable (Fixture *f, gconstpointer data)
{
  const char *name = tsr_variables_get_name (get_variables (f), 0);
  gboolean liveness = tsr_pages_find (TSR_VIEW_LIVENESS) != NULL;
  g_autoptr (GHashTable) words = NULL;
  g_autoptr (GHashTable) other = NULL;
  const guint tile = 2;

  /* What else is selected stays. */
  tsr_tile_selection_set (tsr_session_get_selection (f->session), &tile, 1);
  type (f, name);
  g_assert_cmpstr (tsr_search_popover_get_name (f->popover, 0), ==, name);
  words = follow (f, FALSE);
  g_assert_cmpstr (tsr_view_words_get (words, "variables"), ==, name);
  g_assert_cmpstr (tsr_view_words_get (words, "page"), ==, liveness ? "liveness" : "memory");
  g_assert_cmpstr (tsr_view_words_get (words, "tiles"), ==, "2");
  g_assert_null (tsr_view_words_get (words, "range"));
  other = follow (f, TRUE);
  g_assert_cmpstr (tsr_view_words_get (other, "page"), ==, "memory");
  g_assert_cmpstr (tsr_view_words_get (other, "graph"), ==, "variables");
  g_assert_cmpstr (tsr_view_words_get (other, "variables"), ==, name);
}

static void
test_places (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *text, *name, *tiles, *page;
  } places[] = { { "tile 3", "Tile 3", "3", "memory" },
                 { "3", "Tile 3", "3", "memory" },
                 { "ipu 0", "IPU 0", "ipu0", "memory" },
                 { "summ", "Summary", NULL, "summary" } };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GHashTable) words = NULL;

      type (f, places[i].text);
      g_assert_cmpstr (tsr_search_popover_get_name (f->popover, 0), ==, places[i].name);
      words = follow (f, FALSE);
      g_assert_cmpstr (tsr_view_words_get (words, "tiles"), ==, places[i].tiles);
      g_assert_cmpstr (tsr_view_words_get (words, "page"), ==, places[i].page);
    }
}

static void
test_code (Fixture *f, gconstpointer data)
{
  TsrReport *report = tsr_session_get_report (f->session);
  const TsrProgramTables *tables = tsr_report_get_program_tables (report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report);
  const char *vertex = tsr_string_table_get (tables->strings, tables->vertex_type_name[0]);
  const char *program = NULL;
  g_autoptr (GHashTable) words = NULL;
  g_autoptr (GHashTable) other = NULL;

  type (f, vertex);
  g_assert_cmpstr (tsr_search_popover_get_name (f->popover, 0), ==, vertex);
  words = follow (f, FALSE);
  g_assert_cmpstr (tsr_view_words_get (words, "page"), ==, "memory");
  g_assert_cmpstr (tsr_view_words_get (words, "tab"), ==, "vertices");
  g_assert_nonnull (strstr (tsr_view_words_get (words, "filter"), vertex));
  /* A program leads to its place in the tree. */
  for (guint step = 0; step < liveness->n_steps && program == NULL; step++)
    if (liveness->step_program[step] != TSR_NO_INDEX)
      program = tsr_string_table_get (tables->strings,
                                      tables->program_name[liveness->step_program[step]]);
  if (program == NULL || tsr_pages_find (TSR_VIEW_LIVENESS) == NULL)
    return;
  type (f, program);
  for (guint i = 0; i < tsr_search_popover_get_n_found (f->popover); i++)
    {
      g_autofree char *target = tsr_search_popover_dup_target (f->popover, i, FALSE, NULL);

      g_clear_pointer (&other, g_hash_table_unref);
      other = tsr_view_words_parse (target);
      if (tsr_view_words_get (other, "program") != NULL)
        break;
    }
  g_assert_nonnull (tsr_view_words_get (other, "program"));
  g_assert_cmpstr (tsr_view_words_get (other, "page"), ==, "programs");
  /* As the second choice where it is executed. */
  for (guint i = 0; i < tsr_search_popover_get_n_found (f->popover); i++)
    if (g_strcmp0 (tsr_search_popover_get_name (f->popover, i), program) == 0)
      {
        g_autofree char *target = tsr_search_popover_dup_target (f->popover, i, TRUE, NULL);

        g_clear_pointer (&other, g_hash_table_unref);
        other = tsr_view_words_parse (target);
        break;
      }
  g_assert_cmpstr (tsr_view_words_get (other, "page"), ==, "trace");
  g_assert_nonnull (strstr (tsr_view_words_get (other, "search"), program));
  g_assert_cmpstr (tsr_view_words_get (other, "go"), ==, "match");
}

/* Names with all characters that a link could stumble over. */
static void
test_names (Fixture *f, gconstpointer data)
{
  static const char *const names[]
      = { "\"quoted\" one", "two words", "-minus", "/slash", "a/ \"b\" (c)+ /d", "x\"y" };
  g_autoptr (GHashTable) words = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "UPDATE compute_sets SET name = '%s' WHERE compute_set = %u;", names[i], i);

      tsr_test_sql (f->folder, "profile.pop", sql);
    }
  tsr_test_sql (f->folder, "profile.pop",
                "UPDATE variables SET name = 'a&b=c %41 \"x\" <b>é+' WHERE rowid IN"
                "  (SELECT rowid FROM variables ORDER BY id LIMIT 1);");
  open_report (f);
  tsr_ui_test_wait (!tsr_search_popover_is_busy (f->popover));
  type (f, "<b>É+");
  g_assert_cmpstr (tsr_search_popover_get_name (f->popover, 0), ==, "a&b=c %41 \"x\" <b>é+");
  words = follow (f, FALSE);
  g_assert_cmpstr (tsr_view_words_get (words, "variables"), ==, "a&b=c %41 \"x\" <b>é+");
  /* What the tab is filtered by leaves this one and none of the others. */
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GHashTable) code = NULL;
      g_autoptr (TsrFilter) filter = NULL;

      type (f, names[i]);
      g_assert_cmpstr (tsr_search_popover_get_name (f->popover, 0), ==, names[i]);
      code = follow (f, FALSE);
      g_assert_cmpstr (tsr_view_words_get (code, "tab"), ==, "compute-sets");
      g_assert_cmpstr (tsr_view_words_get (code, "row"), ==, names[i]);
      filter = tsr_filter_new (tsr_view_words_get (code, "filter"), NULL);
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        g_assert_cmpint (tsr_filter_match (filter, names[k]), ==, i == k);
    }
}

/* Keys move through the list, which shows the row that is selected. */
static void
test_keys (Fixture *f, gconstpointer data)
{
  static const struct
  {
    guint key;
    int by;
  } keys[] = { { GDK_KEY_Down, 1 },       { GDK_KEY_KP_Down, 1 },    { GDK_KEY_Up, -1 },
               { GDK_KEY_KP_Up, -1 },     { GDK_KEY_Page_Down, 10 }, { GDK_KEY_Page_Up, -10 },
               { GDK_KEY_Page_Down, 10 }, { GDK_KEY_Down, 1 } };
  GtkWidget *list = tsr_ui_test_find (GTK_WIDGET (f->popover), GTK_TYPE_LIST_BOX);
  GtkWidget *entry = tsr_ui_test_find (GTK_WIDGET (f->popover), GTK_TYPE_SEARCH_ENTRY);
  GtkWidget *scroller = gtk_widget_get_ancestor (list, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  gboolean scrolled = FALSE, stopped[2] = { FALSE, FALSE };
  int n, expected = 0;

  type (f, "nothing has this name");
  g_assert_true (tsr_ui_test_press (entry, GDK_KEY_Down, 0));
  type (f, "o");
  tsr_ui_test_draw (list);
  n = (int)tsr_search_popover_get_n_found (f->popover);
  g_assert_cmpint (n, >, 20);
  for (guint i = 0; i < 80; i++)
    {
      const guint k = (guint)g_rand_int_range (rand, 0, G_N_ELEMENTS (keys));
      GtkListBoxRow *row;
      graphene_rect_t bounds;

      g_assert_true (tsr_ui_test_press (entry, keys[k].key, 0));
      stopped[0] |= expected + keys[k].by < 0;
      stopped[1] |= expected + keys[k].by >= n;
      expected = CLAMP (expected + keys[k].by, 0, n - 1);
      row = gtk_list_box_get_selected_row (GTK_LIST_BOX (list));
      g_assert_cmpint (gtk_list_box_row_get_index (row), ==, expected);
      g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (row), list, &bounds));
      g_assert_cmpfloat (bounds.size.height, >, 10);
      g_assert_cmpfloat (bounds.origin.y, >=, gtk_adjustment_get_value (at) - 0.5);
      g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=,
                         gtk_adjustment_get_value (at) + gtk_adjustment_get_page_size (at) + 0.5);
      scrolled |= gtk_adjustment_get_value (at) > 0;
    }
  g_assert_true (scrolled && stopped[0] && stopped[1]);
  g_assert_false (tsr_ui_test_press (entry, GDK_KEY_a, 0));
  for (guint shift = 0; shift < 2; shift++)
    for (guint k = 0; k < 2; k++)
      {
        g_autofree char *went = NULL;

        g_clear_pointer (&f->went, g_free);
        g_assert_true (tsr_ui_test_press (entry, k == 0 ? GDK_KEY_Return : GDK_KEY_KP_Enter,
                                          shift != 0 ? GDK_SHIFT_MASK : GDK_CONTROL_MASK));
        went = g_strdup (f->went);
        g_hash_table_unref (follow (f, shift != 0));
        g_assert_cmpstr (went, ==, f->went);
      }
}

/* Another report, and a window that is closed while a worker searches. */
static void
test_end (Fixture *f, gconstpointer data)
{
  type (f, "weight");
  tsr_session_close (f->session);
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), ==, 0);
  type (f, "weight");
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), ==, 0);
  open_report (f);
  type (f, "weight");
  g_assert_cmpuint (tsr_search_popover_get_n_found (f->popover), >, 0);
  tsr_search_popover_set_text (f->popover, "a");
  /* tear_down closes the window now */
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/find/typing", test_typing);
  ADD ("/find/variable", test_variable);
  ADD ("/find/places", test_places);
  ADD ("/find/code", test_code);
  ADD ("/find/names", test_names);
  ADD ("/find/keys", test_keys);
  ADD ("/find/end", test_end);
  return g_test_run ();
}
