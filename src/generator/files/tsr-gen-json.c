/* SPDX-License-Identifier: GPL-3.0-or-later */

/* framework.json in TensorFlow's form (sections of labels and values), and app.json in a free form
 * with every kind of value. */

#include "config.h"

#include "tsr-gen-files.h"

#include "tsr-gen-presets.h"
#include "tsr-json-writer.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>

static TsrJsonWriter *
begin (const char *path, int indent, FILE **file, GError **error)
{
  *file = fopen (path, "wbx");
  if (*file == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "Cannot write %s: %s", path,
                   g_strerror (errno));
      return NULL;
    }
  return tsr_json_writer_new_file (*file, indent);
}

static gboolean
end (TsrJsonWriter *json, FILE *file, const char *path, GError **error)
{
  gboolean good = tsr_json_writer_finish (json, FALSE);

  tsr_json_writer_free (json);
  good = fclose (file) == 0 && good;
  if (!good)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Cannot write %s", path);
  return good;
}

gboolean
tsr_gen_framework_write (const TsrGenModel *model, const char *path, GError **error)
{
  static const struct
  {
    const char *section, *version;
  } frameworks[] = {
    [TSR_GEN_FRAMEWORK_ONNX] = { "PopART", "3.1.0+98660" },
    [TSR_GEN_FRAMEWORK_PYTORCH] = { "PopTorch", "3.1.0+98660" },
    [TSR_GEN_FRAMEWORK_POPXL] = { "PopXL", "3.1.0+98660" },
    [TSR_GEN_FRAMEWORK_TENSORFLOW] = { "TensorFlow", "2.6.3" },
    [TSR_GEN_FRAMEWORK_POPLIBS] = { NULL, NULL },
  };
  const TsrGenFramework framework = model->preset->framework;
  FILE *file;
  TsrJsonWriter *json;

  if (frameworks[framework].section == NULL)
    return TRUE;
  json = begin (path, 0, &file, error);
  if (json == NULL)
    return FALSE;
  tsr_json_writer_begin_object (json, NULL);
  tsr_json_writer_begin_object (json, frameworks[framework].section);
  tsr_json_writer_string (json, "Version", frameworks[framework].version);
  tsr_json_writer_string (json, "Githash", "a027fa0bd5");
  tsr_json_writer_string (json, "Cluster", model->n_ipus > 4 ? "pod64" : "c200");
  tsr_json_writer_end_object (json);
  tsr_json_writer_begin_object (json, "System Information");
  tsr_json_writer_string (json, "Operating system", "Linux");
  tsr_json_writer_string (json, "Operating system version", "5.4.0-135-generic");
  tsr_json_writer_string (json, "Machine", "x86_64");
  tsr_json_writer_string (json, "Nominal CPU frequency [GHz]", "2.25");
  tsr_json_writer_int (json, "Number of total cpus", 240);
  tsr_json_writer_end_object (json);
  tsr_json_writer_end_object (json);
  return end (json, file, path, error);
}

gboolean
tsr_gen_app_write (const TsrGenModel *model, const char *path, GError **error)
{
  const TsrGenPreset *preset = model->preset;
  FILE *file;
  TsrJsonWriter *json = begin (path, 2, &file, error);

  if (json == NULL)
    return FALSE;
  tsr_json_writer_begin_object (json, NULL);
  tsr_json_writer_begin_object (json, "Application");
  tsr_json_writer_string (json, "Model", preset->model);
  tsr_json_writer_string (json, "Summary", preset->summary);
  tsr_json_writer_boolean (json, "Synthetic", TRUE);
  tsr_json_writer_null (json, "Checkpoint");
  tsr_json_writer_end_object (json);
  tsr_json_writer_begin_object (json, "Hyperparameters");
  tsr_json_writer_int (json, "Micro-batch size", preset->batch);
  tsr_json_writer_int (json, "Gradient accumulation", preset->micro_batches);
  tsr_json_writer_double (json, "Learning rate", 0.00125);
  tsr_json_writer_begin_array (json, "Learning rate steps");
  for (gint64 epoch = 30; epoch <= 90; epoch += 30)
    tsr_json_writer_int (json, NULL, epoch);
  tsr_json_writer_end_array (json);
  tsr_json_writer_begin_object (json, "Optimiser");
  tsr_json_writer_string (json, "Name", "SGD");
  tsr_json_writer_double (json, "Momentum", 0.9);
  tsr_json_writer_end_object (json);
  tsr_json_writer_end_object (json);
  tsr_json_writer_end_object (json);
  return end (json, file, path, error);
}
