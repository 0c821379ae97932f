/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The icicle: what stands where, against the figures; how much is drawn of very many programs; and
 * what is at a point. */

#include "config.h"

#include "hand-programs.h"
#include "tsr-painter.h"
#include "tsr-program-icicle.h"
#include "tsr-test.h"

#include <string.h>

static TsrChartGeometry
make_geometry (TsrProgramIcicle *icicle, double width, double height)
{
  TsrChartGeometry geometry = { .width = width, .height = height, .scale = 1 };
  double least;

  tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle), &geometry.from, &geometry.to, &least);
  geometry.measure = *tsr_painter_get_measure ();
  return geometry;
}

/* Rectangles do not stand over each other, lie below one that is as wide, and are found again where
 * they are drawn. */
static guint
check_layout (TsrProgramIcicle *icicle, const TsrChartGeometry *geometry)
{
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  guint n = 0;

  tsr_chart_model_layout (TSR_CHART_MODEL (icicle), geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
      guint32 found;

      if (item->kind != TSR_ITEM_RECT || item->datum == TSR_NO_DATUM)
        continue;
      n++;
      if ((double)item->y + 3 >= geometry->height)
        continue;
      found = tsr_program_icicle_cell_at (
          icicle, geometry, (double)item->x + (double)item->width / 2, (double)item->y + 3);
      g_assert_cmpuint (found, ==, item->datum);
    }
  return n;
}

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrVertices *vertices;
  TsrPrograms *programs;
  TsrProgramCode *code;
} Fixture;

static void
fixture_open (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;

  f->folder = tsr_test_report_new ("demo");
  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f->memory = tsr_memory_new (f->report);
  f->vertices = tsr_vertices_new (f->report, f->memory);
  f->programs = tsr_programs_new (f->report, NULL, &error);
  g_assert_no_error (error);
  f->code = tsr_program_code_new (f->programs, f->vertices,
                                  tsr_program_code_find_worst_tile (f->memory), NULL, &error);
  g_assert_no_error (error);
}

static void
fixture_close (Fixture *f)
{
  tsr_program_code_unref (f->code);
  tsr_programs_unref (f->programs);
  tsr_vertices_unref (f->vertices);
  tsr_memory_unref (f->memory);
  g_object_unref (f->report);
  tsr_test_folder_free (f->folder);
}

static void
test_widths (void)
{
  Fixture f;
  g_autoptr (TsrProgramIcicle) icicle = NULL;

  fixture_open (&f);
  icicle = tsr_program_icicle_new (f.programs, f.code);
  for (TsrIcicleWidth width = 0; width < TSR_N_ICICLE_WIDTHS; width++)
    {
      TsrIcicleWidth parsed;
      TsrChartGeometry geometry;
      double from, to, least;

      g_assert_true (tsr_icicle_width_parse (tsr_icicle_width_get_nick (width), &parsed));
      g_assert_cmpint (parsed, ==, width);
      g_assert_true (tsr_program_icicle_has_width (icicle, width));
      tsr_program_icicle_set_width (icicle, width);
      tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle), &from, &to, &least);
      g_assert_cmpfloat (from, ==, 0);
      if (width == TSR_ICICLE_CYCLES)
        g_assert_cmpfloat (to, ==, (double)tsr_programs_get_all_cycles (f.programs));
      else if (width == TSR_ICICLE_LIVE)
        g_assert_cmpfloat (
            to, ==,
            (double)tsr_test_ask (f.folder, "SELECT sum (b) FROM (SELECT max "
                                            "(not_always_live_bytes) b FROM liveness_steps WHERE "
                                            "program IS NOT NULL GROUP BY program)"));
      geometry = make_geometry (icicle, 1200, 400);
      g_assert_cmpuint (check_layout (icicle, &geometry), >, 50);
      geometry.scale = 2;
      geometry.from = to * 0.3;
      geometry.to = to * 0.31;
      g_assert_cmpuint (check_layout (icicle, &geometry), >, 2);
    }
  fixture_close (&f);
}

/* What a cell says of code and of live bytes is what the tree says of its program, though cells add
 * up. */
static void
test_figures (void)
{
  static const struct
  {
    TsrIcicleWidth width;
    const char *name;
  } cases[] = { { TSR_ICICLE_CODE, "Code on the worst tile" }, { TSR_ICICLE_LIVE, "Live bytes" } };
  Fixture f;
  g_autoptr (TsrProgramIcicle) icicle = NULL;

  fixture_open (&f);
  icicle = tsr_program_icicle_new (f.programs, f.code);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 most = 0;
      guint n_seen = 0;

      tsr_program_icicle_set_width (icicle, cases[i].width);
      for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p++)
        {
          const gint64 value = cases[i].width == TSR_ICICLE_LIVE
                                   ? tsr_programs_get (f.programs, p, TSR_PROGRAM_LIVE)
                                   : tsr_program_code_get_total (f.code, p);
          const guint32 cell = tsr_program_icicle_find (icicle, p);
          g_autofree char *bytes = tsr_units_dup_bytes (TSR_UNITS_BINARY, value);
          g_autofree char *line = g_strdup_printf ("\n%s: %s\n", cases[i].name, bytes);
          g_autofree char *caption = g_strdup_printf (
              "%s by %s: %s", tsr_programs_get_label (f.programs, p), cases[i].name, bytes);
          g_autofree char *told = NULL, *title = NULL;

          if (cell == TSR_NO_DATUM)
            continue;
          n_seen++;
          most = MAX (most, value);
          told = tsr_chart_model_describe (TSR_CHART_MODEL (icicle), cell);
          g_assert_nonnull (strstr (told, line));
          g_assert_nonnull (strstr (told, "\nShare of the width: "));
          tsr_program_icicle_set_focus (icicle, cell);
          title = tsr_chart_model_dup_caption (TSR_CHART_MODEL (icicle));
          g_assert_cmpstr (title, ==, caption);
        }
      g_assert_cmpuint (n_seen, >, 100);
      tsr_program_icicle_set_focus (icicle, TSR_NO_DATUM);
      if (cases[i].width == TSR_ICICLE_LIVE)
        {
          g_autofree char *bytes = tsr_units_dup_bytes (TSR_UNITS_BINARY, most);
          g_autofree char *line = g_strdup_printf ("\nLive bytes: %s\n", bytes);
          g_autofree char *told = tsr_chart_model_describe (TSR_CHART_MODEL (icicle), 0);

          g_assert_nonnull (strstr (told, line));
        }
    }
  fixture_close (&f);
}

/* A program is as wide as its cycles, in one place or several, and its cell can be made the top. */
static void
test_places (void)
{
  Fixture f;
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  g_autoptr (TsrChartModel) copy = NULL;
  guint n_seen = 0;

  fixture_open (&f);
  icicle = tsr_program_icicle_new (f.programs, NULL);
  g_assert_false (tsr_program_icicle_has_width (icicle, TSR_ICICLE_CODE));
  for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p++)
    {
      gint64 cycles = tsr_programs_get (f.programs, p, TSR_PROGRAM_CYCLES);
      guint32 cell = tsr_program_icicle_find (icicle, p);
      double from, to, least;

      g_assert_true ((cell == TSR_NO_DATUM) == (cycles == 0));
      if (cell == TSR_NO_DATUM)
        continue;
      n_seen++;
      g_assert_cmpuint (tsr_program_icicle_get_program (icicle, cell), ==, p);
      tsr_program_icicle_set_focus (icicle, cell);
      g_assert_cmpuint (tsr_program_icicle_get_focus (icicle), ==, cell);
      tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle), &from, &to, &least);
      if (tsr_programs_get_n_parents (f.programs, p) == 1)
        g_assert_cmpfloat_with_epsilon (to - from, (double)cycles, 0.51);
      else
        g_assert_cmpfloat (to - from, <=, (double)cycles + 0.51);
    }
  g_assert_cmpuint (n_seen, >, 100);
  {
    g_autofree char *told = tsr_chart_model_describe (
        TSR_CHART_MODEL (icicle),
        tsr_program_icicle_find (icicle, tsr_programs_find (f.programs, 148)));
    g_autofree char *caption = tsr_chart_model_dup_caption (TSR_CHART_MODEL (icicle));
    g_autofree char *same = NULL;

    g_assert_cmpstr (told, ==,
                     "Sequence (training)\nCycles: 1,345,616 (96.7 %)\nId: 148\nExecutions: 1");
    copy = tsr_chart_model_dup (TSR_CHART_MODEL (icicle));
    same = tsr_chart_model_dup_caption (copy);
    g_assert_cmpstr (same, ==, caption);
  }
  tsr_program_icicle_set_focus (icicle, TSR_NO_DATUM);
  /* Keys: down to the widest, sideways, and up again. */
  {
    guint32 top = 0, cell = tsr_program_icicle_neighbour (icicle, top, 0, 1), left;

    g_assert_cmpuint (tsr_program_icicle_get_program (icicle, cell), ==,
                      tsr_programs_find (f.programs, 148));
    left = tsr_program_icicle_neighbour (icicle, cell, -1, 0);
    g_assert_cmpuint (tsr_program_icicle_get_program (icicle, left), ==,
                      tsr_programs_find (f.programs, 138));
    g_assert_cmpuint (tsr_program_icicle_neighbour (icicle, left, 1, 0), ==, cell);
    g_assert_cmpuint (tsr_program_icicle_neighbour (icicle, left, -1, 0), ==, left);
    g_assert_cmpuint (tsr_program_icicle_neighbour (icicle, left, 0, -1), ==, top);
    g_assert_cmpuint (tsr_program_icicle_neighbour (icicle, top, 0, -1), ==, top);
  }
  fixture_close (&f);
}

/* A shared function below each of its callers, half as wide in each; widths by liveness. */
static void
test_shared (void)
{
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  TsrLivenessTables liveness = { .n_steps = 1 };
  guint32 program = 3;
  gint64 bytes = 1000;
  TsrPrograms *programs;
  TsrChartGeometry geometry;

  hand_programs_add (hand, "Sequence", "main");
  hand_programs_add (hand, "Call", "a");
  hand_programs_add (hand, "Call", "b");
  hand_programs_add (hand, "DoExchange", "function");
  hand_programs_root (hand, 0, "control");
  hand_programs_child (hand, 0, 1);
  hand_programs_child (hand, 0, 2);
  hand_programs_call (hand, 1, 3);
  hand_programs_call (hand, 2, 3);
  hand_programs_seal (hand);
  liveness.step_program = &program;
  liveness.step_bytes = &bytes;
  programs = tsr_programs_new_from_tables (&hand->tables, &liveness, NULL, NULL, NULL, NULL);
  icicle = tsr_program_icicle_new (programs, NULL);
  tsr_program_icicle_set_width (icicle, TSR_ICICLE_LIVE);
  geometry = make_geometry (icicle, 1000, 200);
  g_assert_cmpfloat (geometry.to, ==, 1000);
  g_assert_cmpuint (check_layout (icicle, &geometry), ==, 6); /* all, main, a, b, function twice */
  for (guint way = 0; way < 2; way++)
    {
      guint32 cell = tsr_program_icicle_cell_at (icicle, &geometry, way == 0 ? 250 : 750, 3.5 * 22);
      double x, y, width, height;

      g_assert_cmpuint (tsr_program_icicle_get_program (icicle, cell), ==, 3);
      g_assert_cmpuint (
          tsr_program_icicle_get_program (icicle, tsr_program_icicle_get_parent (icicle, cell)), ==,
          1 + way);
      g_assert_true (
          tsr_program_icicle_get_cell (icicle, &geometry, cell, &x, &y, &width, &height));
      g_assert_cmpfloat (x, ==, way * 500);
      g_assert_cmpfloat (width, ==, 500);
      g_assert_cmpfloat (y, ==, 3 * 22);
    }
  tsr_programs_unref (programs);
}

/* Programs that have no room for their names read unlike each other. */
static void
test_names (void)
{
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  TsrLivenessTables liveness = { .n_steps = 6 };
  guint32 program[6];
  gint64 bytes[6];
  TsrPrograms *programs;
  TsrChartGeometry geometry;
  TsrPlotArea area;
  guint n = 0;

  hand_programs_add (hand, "Sequence", "main");
  hand_programs_root (hand, 0, "control");
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name
          = g_strdup_printf ("Gradient/decoder/layers/%u/attention/projection/MatMul", 10 + i);

      program[i] = i + 1;
      bytes[i] = 1000;
      hand_programs_add (hand, "OnTileExecute", name);
      hand_programs_child (hand, 0, i + 1);
    }
  hand_programs_seal (hand);
  liveness.step_program = program;
  liveness.step_bytes = bytes;
  programs = tsr_programs_new_from_tables (&hand->tables, &liveness, NULL, NULL, NULL, NULL);
  icicle = tsr_program_icicle_new (programs, NULL);
  tsr_program_icicle_set_width (icicle, TSR_ICICLE_LIVE);
  geometry = make_geometry (icicle, 1000, 200);
  tsr_chart_model_layout (TSR_CHART_MODEL (icicle), &geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
      const char *text = item->kind == TSR_ITEM_LABEL ? tsr_draw_list_get_text (list, item) : NULL;

      if (text == NULL || strstr (text, "…") == NULL)
        continue;
      n++;
      g_assert_true (g_hash_table_add (seen, (gpointer)text));
    }
  g_assert_cmpuint (n, ==, 6);
  tsr_programs_unref (programs);
}

/* What is drawn depends on pixels, and the widest of a pixel is. */
static void
test_many (void)
{
  const guint n = 300000;

  for (guint way = 0; way < 2; way++)
    {
      g_autoptr (HandPrograms) hand = hand_programs_new ();
      g_autoptr (TsrProgramIcicle) icicle = NULL;
      g_autofree guint32 *steps = g_new (guint32, n);
      g_autofree gint64 *bytes = g_new (gint64, n);
      TsrLivenessTables liveness = { .n_steps = n, .step_program = steps, .step_bytes = bytes };
      TsrPrograms *programs;
      TsrChartGeometry geometry;

      for (guint i = 0; i < n; i++)
        {
          hand_programs_add (hand, "DoExchange", NULL);
          if (i > 0)
            hand_programs_child (hand, way == 0 ? 0 : i - 1, i);
          steps[i] = i;
          bytes[i] = i == 12345 ? 3 : 1;
        }
      hand_programs_root (hand, 0, "control");
      hand_programs_seal (hand);
      programs = tsr_programs_new_from_tables (&hand->tables, &liveness, NULL, NULL, NULL, NULL);
      icicle = tsr_program_icicle_new (programs, NULL);
      tsr_program_icicle_set_width (icicle, TSR_ICICLE_LIVE);
      geometry = make_geometry (icicle, 800, 300);
      g_assert_cmpuint (check_layout (icicle, &geometry), <=, 802 + 15);
      if (way == 0)
        {
          /* Its pixel shows it, and not its neighbours. */
          double x = 12345.0 / (n + 2) * 800;

          g_assert_cmpuint (tsr_program_icicle_get_program (
                                icicle, tsr_program_icicle_cell_at (icicle, &geometry, x, 50)),
                            ==, 12345);
        }
      else
        {
          guint32 deep = tsr_program_icicle_find (icicle, n - 1);

          tsr_program_icicle_set_focus (icicle, deep);
          geometry = make_geometry (icicle, 800, 300);
          g_assert_cmpuint (check_layout (icicle, &geometry), ==, 2);
        }
      tsr_programs_unref (programs);
    }
}

/* Cells of marked programs, and no others, have a stripe in the colour of what is selected. */
static void
test_marks (void)
{
  Fixture f;
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  g_autofree guint8 *marks = NULL;

  fixture_open (&f);
  icicle = tsr_program_icicle_new (f.programs, f.code);
  marks = g_new0 (guint8, tsr_programs_get_n (f.programs));
  for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p += 3)
    marks[p] = 1;
  for (guint turn = 0; turn < 2; turn++)
    {
      TsrChartGeometry geometry = make_geometry (icicle, 1200, 600);
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      TsrPlotArea area;
      guint n_marked = 0, n_stripes = 0;

      tsr_program_icicle_set_marks (icicle, turn == 0 ? marks : NULL);
      tsr_chart_model_layout (TSR_CHART_MODEL (icicle), &geometry, list, &area);
      for (guint i = 0; i < list->items->len; i++)
        {
          const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
          guint32 program = item->kind == TSR_ITEM_RECT && item->datum != TSR_NO_DATUM
                                ? tsr_program_icicle_get_program (icicle, item->datum)
                                : TSR_NO_INDEX;
          gboolean stripe = item->ink == TSR_INK_SELECTION;

          if (program == TSR_NO_INDEX)
            continue;
          g_assert_true (!stripe || marks[program]);
          n_stripes += stripe;
          n_marked += !stripe && marks[program];
        }
      g_assert_cmpuint (n_marked, >, 10);
      g_assert_cmpuint (n_stripes, ==, turn == 0 ? n_marked : 0);
    }
  fixture_close (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program-icicle/widths", test_widths);
  g_test_add_func ("/program-icicle/figures", test_figures);
  g_test_add_func ("/program-icicle/places", test_places);
  g_test_add_func ("/program-icicle/shared", test_shared);
  g_test_add_func ("/program-icicle/names", test_names);
  g_test_add_func ("/program-icicle/many", test_many);
  g_test_add_func ("/program-icicle/marks", test_marks);
  return g_test_run ();
}
