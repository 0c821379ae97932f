/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder rules.  The input is a tree: the first line is the path that is asked for, each
 * further one a kind (a digit, see FuzzKind) and a path of any bytes. */

#include "config.h"

#include "fuzz-place.h"
#include "fuzz.h"
#include "tsr-report-files.h"

#include <string.h>

/* (transfer full): an absolute path of whole names. */
static char *
make_path (const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, "/", -1);
  GString *path = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0' && strcmp (names[i], ".") != 0 && strcmp (names[i], "..") != 0)
      g_string_append_printf (path, "/%s", names[i]);
  if (path->len == 0)
    g_string_append (path, "/");
  return g_string_free (path, FALSE);
}

static void
check_files (TsrPlace *place, const TsrReportFiles *files)
{
  g_assert_true ((files->folder == NULL) == (files->reports != NULL));
  g_assert_true (g_utf8_validate (files->name, -1, NULL));
  if (files->reports != NULL)
    g_assert_cmpuint (g_strv_length (files->reports), >, 1);
  else
    g_assert_true (files->files[TSR_FILE_PROFILE].found || files->files[TSR_FILE_ARCHIVE].found);
  for (guint i = 0; i < TSR_N_FILES && files->folder != NULL; i++)
    {
      const TsrReportFile *file = &files->files[i];

      g_assert_true (g_utf8_validate (file->name, -1, NULL));
      if (file->found)
        g_assert_true (fuzz_place_has_file (place, file->path));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TsrPlace) place = fuzz_place_new ();
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 300);
  g_autoptr (TsrReportFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *asked = g_strconcat ("/", lines[0], NULL);

  fuzz_begin ();
  for (guint i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    {
      g_autofree char *path = make_path (*lines[i] != '\0' ? lines[i] + 1 : "");

      if (strcmp (path, "/") != 0)
        fuzz_place_add (place, path, (guchar)*lines[i] % (FUZZ_DENIED_FOLDER + 1), NULL);
    }
  files = tsr_report_files_find (place, asked, diagnostics, NULL, &error);
  fuzz_check_error (files != NULL, error);
  if (files != NULL)
    check_files (place, files);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_assert_true (g_utf8_validate (tsr_diagnostics_get (diagnostics, i)->text, -1, NULL));
  return 0;
}
