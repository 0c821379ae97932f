/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a program fits, its fullest tile and its totals, against SQL on the same file, which may
 * not tell everything. */

#include "config.h"

#include "memory-fixture.h"
#include "tsr-summary-rows.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

/* Six tiles of 1,000 bytes.  Sums lie in the first tile, in the last, and between. */
#define TABLES                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (6, 1, 1, 1, 1000);"                                                  \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile VALUES (0, 100, 1000, 990, 0, 17, 3, 0), (1, 200, 310, 201, 0, 2, "  \
  "3, 0),"                                                                                         \
  "  (2, 0, 0, 0, 0, 0, 0, 0), (3, 300, 1000, 302, 0, 1, 1, 0), (4, 5, 7, 6, 0, 5, 1, 0),"         \
  "  (5, 400, 504, 403, 0, 50, 9, 0);"

typedef struct
{
  const char *name;
  const char *sql;
  TsrSummaryVerdictKind kind;
  const char *title; /* what follows the number of tiles where it does not fit */
  const char *over;  /* WHERE of the tiles that do not fit */
} Case;

static const Case cases[] = {
  { "fits", "", TSR_SUMMARY_VERDICT_FITS, "Fits in memory", "0" },
  { "one", "UPDATE memory_by_tile SET including_gaps = 1001, overflowed = 1 WHERE tile = 0;",
    TSR_SUMMARY_VERDICT_DOES_NOT_FIT, "tile has too little memory", "including_gaps > 1000" },
  { "last", "UPDATE memory_by_tile SET including_gaps = 2000 WHERE tile IN (2, 5);",
    TSR_SUMMARY_VERDICT_DOES_NOT_FIT, "tiles have too little memory", "including_gaps > 1000" },
  { "overflow-alone",
    "UPDATE memory_by_tile SET including_gaps = NULL;"
    "UPDATE memory_by_tile SET overflowed = 8 WHERE tile IN (0, 3, 4);",
    TSR_SUMMARY_VERDICT_DOES_NOT_FIT, "tiles have too little memory", "overflowed > 0" },
  { "more-than-the-tile-has",
    "UPDATE memory_by_tile SET including_gaps = NULL, overflowed = NULL;"
    "UPDATE memory_by_tile SET excluding_gaps = 1000 WHERE tile < 3;"
    "UPDATE memory_by_tile SET excluding_gaps = 1001 WHERE tile > 3;",
    TSR_SUMMARY_VERDICT_DOES_NOT_FIT, "tiles have too little memory", "excluding_gaps > 1000" },
  { "no-gaps", "UPDATE memory_by_tile SET including_gaps = NULL, overflowed = NULL WHERE tile = 5;",
    TSR_SUMMARY_VERDICT_UNKNOWN, "It is not known whether it fits", "0" },
  { "no-capacity",
    "UPDATE target SET bytes_per_tile = NULL;"
    "UPDATE memory_by_tile SET overflowed = NULL;",
    TSR_SUMMARY_VERDICT_UNKNOWN, "It is not known whether it fits", "0" },
  { "totals-alone",
    "UPDATE memory_by_tile SET including_gaps = NULL, excluding_gaps = NULL, always_live = NULL;",
    TSR_SUMMARY_VERDICT_FITS, "Fits in memory", "0" },
};

/* The measure of fullness, by tile: the best that is told of any tile. */
#define FULLNESS                                                                                   \
  "WITH best (tile, bytes) AS (SELECT tile, CASE"                                                  \
  "  WHEN (SELECT count (including_gaps) FROM memory_by_tile) > 0 THEN including_gaps"             \
  "  WHEN (SELECT count (excluding_gaps) FROM memory_by_tile) > 0 THEN excluding_gaps"             \
  "  ELSE total END FROM memory_by_tile),"                                                         \
  "fullest AS (SELECT * FROM best WHERE bytes NOT NULL ORDER BY bytes DESC, tile LIMIT 1) "
/* "%s including gaps" for a column that is told of every tile, else NULL. */
#define TOTAL(column, words)                                                                       \
  "iif (count (*) = count (" column "), printf ('%,d B" words "', sum (" column ")), NULL)"

static void
test_case (gconstpointer data)
{
  static const char *const totals[]
      = { TOTAL ("including_gaps", " including gaps"), TOTAL ("excluding_gaps", " excluding gaps"),
          TOTAL ("always_live", " always live"), TOTAL ("total", "") };
  const Case *one = data;
  g_autofree char *sql = g_strconcat (TABLES, one->sql, NULL);
  g_autofree char *title = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) fullest = NULL;
  g_auto (MemoryFixture) fixture = { 0 };
  g_auto (TsrSummaryVerdict) verdict = { 0 };
  gint64 capacity, n_over;

  memory_fixture_open (&fixture, sql);
  tsr_summary_verdict_init (&verdict, fixture.memory, NULL, TSR_UNITS_BYTES);
  g_assert_cmpint (verdict.kind, ==, one->kind);
  n_over
      = tsr_test_ask (fixture.folder, "SELECT count (*) FROM memory_by_tile WHERE %s", one->over);
  title = n_over > 0 ? g_strdup_printf ("Does not fit: %d %s", (int)n_over, one->title)
                     : g_strdup (one->title);
  g_assert_cmpstr (verdict.title, ==, title);

  capacity = tsr_test_ask (fixture.folder, "SELECT coalesce (bytes_per_tile, 0) FROM target");
  fullest = tsr_test_ask_rows (
      fixture.folder,
      FULLNESS "SELECT tile, bytes, printf ('%%,d B', bytes) || (SELECT ' of ' || "
               "printf ('%%,d B', bytes_per_tile) FROM target WHERE bytes_per_tile NOT NULL), "
               "printf ('%%,d B', bytes) FROM fullest");
  g_assert_cmpuint (fullest->len, ==, 1);
  {
    GStrv row = fullest->pdata[0];

    g_assert_cmpint (verdict.fullest_tile, ==, g_ascii_strtoll (row[0], NULL, 10));
    g_assert_cmpstr (verdict.fullest_text, ==, capacity > 0 ? row[2] : row[3]);
    if (capacity > 0)
      g_assert_cmpfloat (verdict.fullest_share, ==, g_ascii_strtod (row[1], NULL) / capacity);
    else
      g_assert_true (isnan (verdict.fullest_share));
  }

  /* What is told of every tile, the bare total only where nothing else is. */
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    {
      g_autoptr (GPtrArray) rows
          = tsr_test_ask_rows (fixture.folder, "SELECT %s FROM memory_by_tile", totals[i]);
      const char *part = ((GStrv)rows->pdata[0])[0];

      if (part[0] != '\0' && (i < 3 || text->len == 0))
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "One replica: ", part);
    }
  if (one->kind == TSR_SUMMARY_VERDICT_UNKNOWN)
    {
      g_assert_nonnull (verdict.why);
      g_string_prepend (text, "  ");
      g_string_prepend (text, verdict.why);
      g_assert_true ((strstr (verdict.why, "memory of a tile") != NULL) == (capacity == 0));
    }
  else
    g_assert_null (verdict.why);
  g_assert_cmpstr (verdict.text, ==, text->str);
}

static void
test_none (void)
{
  g_auto (TsrSummaryVerdict) pending = { 0 };
  g_auto (TsrSummaryVerdict) unknown = { 0 };

  tsr_summary_verdict_init (&pending, NULL, NULL, TSR_UNITS_BYTES);
  g_assert_cmpint (pending.kind, ==, TSR_SUMMARY_VERDICT_PENDING);
  g_assert_cmpstr (pending.title, ==, "Reading memory…");
  g_assert_cmpstr (pending.text, ==, "");
  tsr_summary_verdict_init (&unknown, NULL, "The link broke.", TSR_UNITS_BYTES);
  g_assert_cmpint (unknown.kind, ==, TSR_SUMMARY_VERDICT_UNKNOWN);
  g_assert_cmpstr (unknown.title, ==, "It is not known whether it fits");
  g_assert_cmpstr (unknown.text, ==, "The link broke.");
  g_assert_cmpint (unknown.fullest_tile, ==, TSR_UNKNOWN);
  g_assert_null (unknown.fullest_text);
}

static const TsrSummaryRow *
find_card (GPtrArray *sections, const char *label)
{
  for (guint i = 0; i < sections->len; i++)
    {
      const TsrSummarySection *section = sections->pdata[i];

      for (guint k = 0; k < section->rows->len; k++)
        if (g_strcmp0 (((TsrSummaryRow *)section->rows->pdata[k])->name, label) == 0)
          return section->rows->pdata[k];
    }
  return NULL;
}

static void
check_card (GPtrArray *sections, const char *label, gint64 value, const char *unit)
{
  const TsrSummaryRow *row = find_card (sections, label);
  g_autofree char *number = value == TSR_UNKNOWN ? g_strdup ("–") : tsr_units_dup_count (value);
  g_autofree char *text = g_strconcat (number, value == TSR_UNKNOWN ? "" : unit, NULL);

  g_assert_nonnull (row);
  g_assert_cmpstr (row->value, ==, text);
}

/* Each number of the target's card from the others, where the file leaves some out; and the text of
 * all cards has each line of them, in order. */
static void
test_cards (void)
{
  static const struct
  {
    const char
        *target; /* tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile */
    gint64 per_ipu, per_replica, replicas; /* as they are, or follow from the tiles */
    gboolean assumed;
  } targets[] = {
    { "3, 2, 2, 4, 1000", 3, 2, 2, FALSE },
    { "6, 1, 1, 1, 1000", 6, 1, 1, FALSE },
    { "NULL, NULL, 1, NULL, 1000", TSR_UNKNOWN, TSR_UNKNOWN, 1, TRUE },
    { "NULL, NULL, 3, NULL, 1000", TSR_UNKNOWN, TSR_UNKNOWN, 3, TRUE },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (targets); i++)
    {
      gboolean with_memory = i % 2 == 0;
      g_autofree char *sql = g_strdup_printf (
          TABLES "UPDATE target SET (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, "
                 "bytes_per_tile) = (%s);"
                 "WITH RECURSIVE t(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM t)"
                 " INSERT INTO memory_by_tile SELECT i, 0, 0, 0, 0, 0, 0, 0 FROM t LIMIT %u;",
          targets[i / 2].target, targets[i / 2].assumed ? 2944 - 6 : 0);
      g_auto (MemoryFixture) fixture = { 0 };
      g_autoptr (TsrPlace) place = tsr_local_place_new ();
      g_autoptr (TsrReport) report = NULL;
      g_autoptr (GPtrArray) sections = NULL;
      g_autofree char *text = NULL;
      const char *at;
      gint64 per_ipu = targets[i / 2].per_ipu, ipus = targets[i / 2].per_replica;
      gint64 replicas = targets[i / 2].replicas, n_tiles = targets[i / 2].assumed ? 2944 : 6;

      memory_fixture_open (&fixture, sql);
      report = tsr_report_open_sync (place, fixture.folder, TSR_LOAD_SUMMARY_ONLY, NULL, NULL);
      sections
          = tsr_summary_rows_new (report, with_memory ? fixture.memory : NULL, TSR_UNITS_BYTES);
      /* A dash says why it is one. */
      for (guint s = 0; s < sections->len; s++)
        for (guint k = 0; k < ((TsrSummarySection *)sections->pdata[s])->rows->len; k++)
          {
            const TsrSummaryRow *row = ((TsrSummarySection *)sections->pdata[s])->rows->pdata[k];

            if (g_strcmp0 (row->value, "–") == 0)
              g_assert_cmpstr (row->tooltip, ==, "The report does not record this");
          }
      if (with_memory || !targets[i / 2].assumed)
        {
          if (targets[i / 2].assumed)
            {
              per_ipu = tsr_memory_get_tiles_per_ipu (fixture.memory);
              ipus = tsr_memory_get_n_ipus (fixture.memory);
              g_assert_cmpint (per_ipu * ipus, ==, n_tiles);
            }
          check_card (sections, "Tiles per IPU", per_ipu, "");
          check_card (sections, "Total tiles", n_tiles * replicas, "");
          check_card (sections, "Total IPUs", ipus * replicas, "");
          check_card (sections, "Memory per IPU", per_ipu * 1000, " B");
          if (replicas > 1)
            {
              check_card (sections, "IPUs per replica", ipus, "");
              check_card (sections, "Replicas", replicas, "");
            }
        }
      if (with_memory && targets[i / 2].assumed)
        {
          /* As the user says. */
          g_autoptr (TsrReport) whole
              = tsr_report_open_sync (place, fixture.folder, TSR_LOAD_ALL, NULL, NULL);
          g_autoptr (TsrMemory) other = tsr_memory_new_with_tiles_per_ipu (whole, 184);
          g_autoptr (GPtrArray) of_other = tsr_summary_rows_new (report, other, TSR_UNITS_BYTES);

          check_card (of_other, "Tiles per IPU", 184, "");
          check_card (of_other, "Total IPUs", n_tiles / 184 * replicas, "");
          check_card (of_other, "Total tiles", n_tiles * replicas, "");
          check_card (of_other, "Memory per IPU", 184 * 1000, " B");
        }
      g_assert_cmpint (find_card (sections, "Tiles per IPU")->kind, ==,
                       targets[i / 2].assumed ? TSR_ROW_TILES_PER_IPU : TSR_ROW_PLAIN);
      g_assert_true ((find_card (sections, "Replicas") != NULL) == (replicas > 1));
      check_card (sections, "Memory per tile", 1000, " B");

      at = text = tsr_summary_rows_dup_text (report, with_memory ? fixture.memory : NULL,
                                             TSR_UNITS_BYTES);
      if (with_memory)
        {
          g_auto (TsrSummaryVerdict) verdict = { 0 };
          g_autofree char *head = NULL;

          tsr_summary_verdict_init (&verdict, fixture.memory, NULL, TSR_UNITS_BYTES);
          head = g_strdup_printf ("%s\nFullest tile: 0, %s\n%s\n\n", verdict.title,
                                  verdict.fullest_text, verdict.text);
          g_assert_true (g_str_has_prefix (at, head));
          at += strlen (head);
        }
      for (guint s = 0; s < sections->len; s++)
        {
          const TsrSummarySection *section = sections->pdata[s];
          g_autoptr (GString) expected = g_string_new (s > 0 ? "\n" : "");

          g_string_append_printf (expected, "%s\n", section->title);
          for (guint k = 0; k < section->rows->len; k++)
            {
              const TsrSummaryRow *row = section->rows->pdata[k];

              if (row->kind == TSR_ROW_NOTE)
                g_string_append_printf (expected, "  %s\n", row->label);
              else
                g_string_append_printf (expected, "  %s: %s\n", row->label, row->value);
            }
          g_assert_true (g_str_has_prefix (at, expected->str));
          at += expected->len;
        }
      g_assert_cmpstr (at, ==, "");
    }
}

/* Options that say what is recorded, and others that begin alike. */
static void
test_options (void)
{
  static const char *const recording[] = { "autoReport.all",
                                           "AUTOREPORT.directory",
                                           "profiler.x",
                                           "debug.instrumentCompute",
                                           "debug.profilingX",
                                           "debug.branchRecordTile",
                                           "debug.computeInstrumentationLevel",
                                           "debug.allowOutOfMemory",
                                           "target.saveArchive",
                                           "debug.loweredVarDumpFile" };
  static const char *const others[]
      = { "autoReport",  "opt.autoReport.all",         "target.saveArchiveNot",
          "debug.allow", "debug.nanOverflowException", "" };

  for (guint i = 0; i < G_N_ELEMENTS (recording); i++)
    g_assert_true (tsr_option_is_recording (recording[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (tsr_option_is_recording (others[i]));
}

static const TsrSummaryRow *
find_row (GPtrArray *sections, const char *name)
{
  for (guint i = 0; i < sections->len; i++)
    {
      const TsrSummarySection *section = g_ptr_array_index (sections, i);

      for (guint k = 0; k < section->rows->len; k++)
        if (g_strcmp0 (((TsrSummaryRow *)g_ptr_array_index (section->rows, k))->name, name) == 0)
          return g_ptr_array_index (section->rows, k);
    }
  g_error ("no row %s", name);
}

/* Files that are there, sound or not, are told with their paths, and what is wrong with them; the
 * text has every row, option and document. */
static void
test_files (void)
{
  static const guint8 cut[] = "\xa1\x68"
                              "contexts\x82\xa1\x62"
                              "id\x01";
  static const struct
  {
    const char *bytes, *said;
    gsize length;
    gboolean sound;
  } debug[] = { { "5", ", not readable", 1, FALSE },
                { (const char *)cut, ", 1 context, 0 layers, damaged", sizeof cut - 1, FALSE },
                { "\xa1\x68"
                  "contexts\x81\xa1\x62"
                  "id\x01",
                  ", 1 context, 0 layers", 16, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (debug); i++)
    {
      char *folder = tsr_test_folder_new ();
      g_autoptr (TsrPlace) place = tsr_local_place_new ();
      g_autoptr (TsrReport) report = NULL;
      g_autoptr (GPtrArray) sections = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL, *path = NULL;
      const TsrSummaryRow *row;

      tsr_test_sql (folder, "profile.pop",
                    TABLES "CREATE TABLE engine_options (name TEXT, value TEXT);"
                           "INSERT INTO engine_options VALUES ('a.b', 'c'), ('d', 'e f')");
      tsr_test_write (folder, "debug.cbor", debug[i].bytes, (gssize)debug[i].length);
      tsr_test_write (folder, "framework.json", "{\"made\": [1, true]}", -1);
      tsr_test_write (folder, "app.json", "{", -1);
      report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
      g_assert_no_error (error);
      sections = tsr_summary_rows_new (report, NULL, TSR_UNITS_BINARY);
      for (guint k = 0; k < TSR_N_FILES; k++)
        {
          const char *name = tsr_file_kind_get_fixed_name (k);
          const TsrReportFile *file = &tsr_report_get_files (report)->files[k];
          const gboolean sound = k == TSR_FILE_DEBUG ? debug[i].sound : k != TSR_FILE_APP;
          g_autofree char *of_file = g_build_filename (folder, name, NULL);

          row = find_row (sections, name);
          g_test_message ("%s: %s, %s", name, row->value, row->tooltip);
          g_assert_cmpint (row->kind, ==,
                           !file->found ? TSR_ROW_NO_FILE
                           : sound      ? TSR_ROW_FILE
                                        : TSR_ROW_DOUBTFUL_FILE);
          g_assert_true (file->found == (k != TSR_FILE_ARCHIVE));
          if (!file->found)
            g_assert_true (g_str_has_prefix (row->value, "not found"));
          else
            g_assert_true (g_str_has_prefix (row->tooltip, of_file));
          /* Why stands below the path. */
          g_assert_cmpint (row->tooltip != NULL && strchr (row->tooltip, '\n') != NULL, ==,
                           file->found && !sound);
          g_assert_true (!file->found || sound || row->tooltip[strlen (of_file)] == '\n');
        }
      row = find_row (sections, "debug.cbor");
      g_assert_true (g_str_has_suffix (row->value, debug[i].said));
      if (i == 0)
        g_assert_nonnull (
            strstr (row->tooltip, tsr_report_get_stage_error (report, TSR_STAGE_DEBUG)->message));
      text = tsr_summary_rows_dup_text (report, NULL, TSR_UNITS_BINARY);
      for (guint s = 0; s < sections->len; s++)
        {
          const TsrSummarySection *section = g_ptr_array_index (sections, s);

          for (guint k = 0; k < section->rows->len; k++)
            {
              const TsrSummaryRow *one = g_ptr_array_index (section->rows, k);
              g_autofree char *line
                  = one->kind == TSR_ROW_NOTE
                        ? g_strdup_printf ("\n  %s\n", one->label)
                        : g_strdup_printf ("\n  %s: %s\n", one->label, one->value);

              if (strstr (text, line) == NULL)
                g_error ("no line %s in %s", line, text);
            }
        }
      g_assert_nonnull (strstr (text, "\nEngine options\n  a.b: c\n  d: e f\n"));
      g_assert_true (g_str_has_suffix (
          text, "\nFramework information\n{\n  \"made\": [\n    1,\n    true\n  ]\n}\n"));
      tsr_test_folder_free (folder);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/summary-verdict/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/summary-verdict/none", test_none);
  g_test_add_func ("/summary-verdict/cards", test_cards);
  g_test_add_func ("/summary-verdict/options", test_options);
  g_test_add_func ("/summary-verdict/files", test_files);
  return g_test_run ();
}
