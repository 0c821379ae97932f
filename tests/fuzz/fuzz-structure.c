/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The structure of a database: whatever the file is, what is written is JSON. */

#include "config.h"

#include "fuzz.h"
#include "tsr-json.h"
#include "tsr-structure.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("profile.pop", bytes);
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  g_autoptr (GBytes) written = NULL;
  g_autoptr (TsrSource) written_source = NULL;
  g_autoptr (TsrJson) json = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok;
  char *text;

  fuzz_begin ();
  database = tsr_database_open_source (source, &error);
  fuzz_check_error (database != NULL, error);
  if (database == NULL)
    return 0;
  ok = tsr_structure_write (database, FALSE, 0, writer, NULL, NULL, &error);
  fuzz_check_error (ok, error);
  g_clear_error (&error);
  tsr_json_writer_finish (writer, !ok);
  text = tsr_json_writer_dup_text (writer);
  written = g_bytes_new_take (text, strlen (text));
  written_source = tsr_bytes_source_new ("schema.json", written);
  json = tsr_json_read (written_source, NULL, &error);
  g_assert_no_error (error);
  return 0;
}
