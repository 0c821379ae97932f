/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-make-report: writes a synthetic report.  One thread; the output depends only on the
 * preset, the seed and the options. */

#include "config.h"

#include "tsr-gen-files.h"
#include "tsr-gen-lower.h"
#include "tsr-gen-network.h"
#include "tsr-gen-profile.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define STATUS_FAILED 1
#define STATUS_USAGE  2

static gint64 option_seed = 1;
static char *option_only, *option_apply;
static gboolean option_confirmed, option_list, option_force, option_full_archive, option_version;
#define OF_PRESET G_MAXINT

static int option_archive_tiles, option_debug_size = OF_PRESET, option_tile_memory;
static char **option_rest;

static const GOptionEntry entries[] = {
  { "seed", 's', 0, G_OPTION_ARG_INT64, &option_seed, "Number that all sizes follow from (1)",
    "N" },
  { "only", 'o', 0, G_OPTION_ARG_STRING, &option_only,
    "Write only these, separated by commas: profile, archive, debug, framework, app", "FILES" },
  { "apply", 'a', 0, G_OPTION_ARG_STRING, &option_apply,
    "The program as it is after these measures, separated by commas: instrumentation, "
    "drop:VARIABLE, move:VARIABLE, halve-fp32, recompute:VARIABLE, outline:EXCHANGE",
    "MEASURES" },
  { "confirmed-only", 'c', 0, G_OPTION_ARG_NONE, &option_confirmed,
    "profile.pop gets only the tables and columns known of Poplar's own files", NULL },
  { "full-archive", 0, 0, G_OPTION_ARG_NONE, &option_full_archive,
    "archive.a is as large as the tiles' memory (a file with holes)", NULL },
  { "archive-tiles", 0, 0, G_OPTION_ARG_INT, &option_archive_tiles,
    "archive.a has only the first N tiles", "N" },
  { "debug-size", 0, 0, G_OPTION_ARG_INT, &option_debug_size,
    "debug.cbor has at least N megabytes, as large programs' has (resnet50: 100, else 0)", "N" },
  { "tile-memory", 0, 0, G_OPTION_ARG_INT, &option_tile_memory,
    "A tile has N bytes instead of as many as its architecture has", "N" },
  { "force", 'f', 0, G_OPTION_ARG_NONE, &option_force, "Replace files that are there", NULL },
  { "list", 'l', 0, G_OPTION_ARG_NONE, &option_list, "List the presets", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &option_version, "Show the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &option_rest, NULL, NULL },
  { NULL },
};

typedef struct
{
  const char *word, *name;
} File;
static const File files[] = {
  { "profile", "profile.pop" },      { "archive", "archive.a" }, { "debug", "debug.cbor" },
  { "framework", "framework.json" }, { "app", "app.json" },
};

static gboolean wanted[G_N_ELEMENTS (files)];

static int usage (const char *format, ...) G_GNUC_PRINTF (1, 2);

static int
usage (const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("tessera-make-report: %s\nTry tessera-make-report --help\n", text);
  return STATUS_USAGE;
}

static gboolean
find_wanted (char **bad)
{
  g_auto (GStrv) words = NULL;

  *bad = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    wanted[i] = option_only == NULL;
  if (option_only == NULL)
    return TRUE;
  words = g_strsplit (option_only, ",", -1);
  for (guint k = 0; words[k] != NULL; k++)
    {
      gboolean known = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        if (g_str_equal (words[k], files[i].word) || g_str_equal (words[k], files[i].name))
          wanted[i] = known = TRUE;
      if (!known)
        {
          *bad = g_strdup (words[k]);
          return FALSE;
        }
    }
  return TRUE;
}

static void
add_runs (TsrGenModel *model)
{
  const TsrGenPreset *preset = model->preset;
  const gboolean tiny = preset->network == TSR_GEN_NETWORK_TINY;

  for (guint i = 0; preset->execution && i < preset->n_runs; i++)
    {
      TsrGenRun *run = g_new0 (TsrGenRun, 1);
      /* The demo's first run loads the weights. */
      const guint control = tiny || (preset->findings && i == 0) ? 0 : 1;

      run->name = g_strdup_printf ("Engine::run #%u", i);
      run->programs = g_ptr_array_new ();
      g_ptr_array_add (run->programs, g_ptr_array_index (model->control, control));
      run->host_wait = i > 0 ? preset->between_runs : 0;
      run->measured = i > 0;
      g_ptr_array_add (model->runs, run);
    }
}

/* Repeats the training step until the runs have room for all steps of the trace. */
static void
stretch_trace (TsrGenModel *model)
{
  guint64 body = 0;

  for (guint i = 0; i < model->programs->len; i++)
    {
      const TsrGenProgram *program = g_ptr_array_index (model->programs, i);
      body += program->children == NULL && program->callee == NULL ? program->visits->len : 0;
    }
  for (guint i = 0; i < model->programs->len; i++)
    {
      TsrGenProgram *program = g_ptr_array_index (model->programs, i);

      if (g_str_equal (program->type, "Repeat"))
        program->repeat_count
            = (guint32)(model->trace_steps / (MAX (1, body / 2) * model->preset->n_runs) + 1);
    }
}

static TsrGenModel *
make_model (const TsrGenPreset *preset, guint64 trace_steps)
{
  g_autoptr (TsrGenModel) model = tsr_gen_model_new (preset, (guint64)option_seed);

  model->trace_steps = trace_steps;
  if (preset->network == TSR_GEN_NETWORK_TINY)
    tsr_gen_build_tiny (model);
  else if (!tsr_gen_build_network (model))
    return NULL;
  if (!tsr_gen_fit_vertices (model))
    return NULL;
  tsr_gen_add_code (model);
  tsr_gen_number_steps (model);
  if (trace_steps > 0)
    stretch_trace (model);
  if (!tsr_gen_lower (model))
    return NULL;
  if (option_apply != NULL && !tsr_gen_apply (model, option_apply))
    return NULL;
  tsr_gen_add_up (model);
  tsr_gen_place (model);
  add_runs (model);
  return g_steal_pointer (&model);
}

static gboolean
write_file (TsrGenModel *model, guint i, const char *path, GError **error)
{
  if (option_force && g_unlink (path) != 0 && errno != ENOENT)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "Cannot replace %s: %s", path,
                   g_strerror (errno));
      return FALSE;
    }
  switch (i)
    {
    case 0:
      return tsr_gen_profile_write (model, path, option_confirmed, error);
    case 1:
      return tsr_gen_archive_write (model, path, MAX (0, option_archive_tiles), option_full_archive,
                                    error);
    case 2:
      return tsr_gen_debug_write (
          model, path, model->preset->debug_megabytes * G_GUINT64_CONSTANT (1000000), error);
    case 3:
      return tsr_gen_framework_write (model, path, error);
    default:
      return tsr_gen_app_write (model, path, error);
    }
}

static int
make_report (const TsrGenPreset *preset, guint64 trace_steps, const char *folder)
{
  g_autoptr (TsrGenModel) model = NULL;

  if (g_mkdir_with_parents (folder, 0755) != 0)
    {
      g_printerr ("tessera-make-report: cannot make the folder %s: %s\n", folder,
                  g_strerror (errno));
      return STATUS_FAILED;
    }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);

      if (wanted[i] && !option_force && g_file_test (path, G_FILE_TEST_EXISTS))
        {
          g_printerr ("tessera-make-report: %s is there already; --force replaces it\n", path);
          return STATUS_FAILED;
        }
    }
  model = make_model (preset, trace_steps);
  if (model == NULL)
    return STATUS_FAILED;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
      g_autoptr (GError) error = NULL;

      if (wanted[i] && !write_file (model, i, path, &error))
        {
          g_printerr ("tessera-make-report: %s\n", error->message);
          return STATUS_FAILED;
        }
    }
  return 0;
}

static void
list_presets (void)
{
  for (guint i = 0; tsr_gen_preset_list ()[i] != NULL; i++)
    g_print ("%-9s %s\n", tsr_gen_preset_list ()[i]->name, tsr_gen_preset_list ()[i]->summary);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("PRESET [N] FOLDER");
  g_autoptr (GError) error = NULL;
  g_autofree char *bad = NULL;
  const TsrGenPreset *found;
  TsrGenPreset preset;
  guint n_rest;
  guint64 trace_steps = 0;

  setlocale (LC_NUMERIC, "C");
  g_option_context_set_summary (
      context, "Writes a synthetic report: profile.pop, archive.a, debug.cbor, app.json, and\n"
               "framework.json unless it is of plain PopLibs.  The same preset, seed and options "
               "give the same bytes.  The preset\n"
               "\"trace\" takes a number of execution steps: trace 2500000 FOLDER.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return usage ("%s", error->message);
  if (option_version)
    {
      g_print ("tessera-make-report %s\n", TSR_VERSION);
      return 0;
    }
  if (option_list)
    {
      list_presets ();
      return 0;
    }
  n_rest = option_rest == NULL ? 0 : g_strv_length (option_rest);
  if (n_rest < 2)
    return usage ("a preset and a folder are needed; --list shows the presets");
  found = tsr_gen_preset_find (option_rest[0]);
  if (found == NULL)
    return usage ("there is no preset \"%s\"; --list shows them", option_rest[0]);
  preset = *found;
  if (option_tile_memory != 0)
    preset.bytes_per_tile = (guint)option_tile_memory;
  if (option_tile_memory < 0 || preset.bytes_per_tile % 8 != 0
      || preset.bytes_per_tile <= preset.interleaved_start)
    return usage ("--tile-memory must be a multiple of 8 above %u, where interleaved memory begins",
                  preset.interleaved_start);
  if (!find_wanted (&bad))
    return usage ("--only does not know \"%s\"", bad);
  if (option_archive_tiles < 0)
    return usage ("--archive-tiles cannot be negative");
  if (option_debug_size < 0)
    return usage ("--debug-size cannot be negative");
  if (option_debug_size != OF_PRESET)
    preset.debug_megabytes = (guint)option_debug_size;
  if (g_str_equal (preset.name, "trace"))
    {
      if (n_rest != 3)
        return usage ("\"trace\" needs a number of steps and a folder");
      if (!g_ascii_string_to_unsigned (option_rest[1], 10, 1, 100000000, &trace_steps, NULL))
        return usage ("\"%s\" is no number of steps from 1 to 100000000", option_rest[1]);
    }
  else if (n_rest != 2)
    return usage ("\"%s\" is one word too many", option_rest[2]);
  return make_report (&preset, trace_steps, option_rest[n_rest - 1]);
}
