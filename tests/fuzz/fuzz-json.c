/* SPDX-License-Identifier: GPL-3.0-or-later */

/* JSON: what was read, written and read again is the same. */

#include "config.h"

#include "fuzz.h"
#include "tsr-json.h"

static TsrJson *
read_json (const void *data, size_t size, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("app.json", bytes);

  return tsr_json_read (source, NULL, error);
}

static char *
write_json (const TsrJson *root)
{
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);

  tsr_json_write (root, writer, NULL);
  tsr_json_writer_finish (writer, FALSE);
  return tsr_json_writer_dup_text (writer);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrJson) root = NULL;
  g_autoptr (TsrJson) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *same = NULL;

  fuzz_begin ();
  root = read_json (data, size, &error);
  fuzz_check_error (root != NULL, error);
  if (root == NULL)
    return 0;
  text = write_json (root);
  again = read_json (text, strlen (text), &error);
  g_assert_no_error (error);
  same = write_json (again);
  g_assert_cmpstr (text, ==, same);
  return 0;
}
