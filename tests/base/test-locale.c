/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A translation really comes out, and numbers follow the locale.  The locale is compiled by the
 * test itself into a folder of its own, so that it does not matter which ones the machine has. */

#include "config.h"

#include "tsr-diagnostics.h"
#include "tsr-locale.h"
#include "tsr-test.h"
#include "tsr-units.h"

#include <locale.h>
#include <string.h>

/* FALSE: not possible here, the test is skipped. */
static gboolean
use_locale (const char *source)
{
  g_autofree char *name = g_strconcat (source, ".UTF-8", NULL);

  if (!tsr_test_make_locale (source))
    return FALSE;
  g_setenv ("LC_ALL", name, TRUE);
  tsr_locale_init ();
  g_assert_cmpstr (setlocale (LC_ALL, NULL), ==, name);
  return TRUE;
}

static void
test_german (void)
{
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  g_autofree char *line = NULL;
  g_autofree char *english = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *percent = NULL;

  if (!use_locale ("de_DE"))
    return;
  tsr_diagnostics_add (list, TSR_SEVERITY_ERROR, "a", "profile.pop", "steps", 12, 4096, "x");
  line = tsr_diagnostic_dup_line (tsr_diagnostics_get (list, 0));
  g_assert_cmpstr (line, ==, "profile.pop, steps, Zeile 12, Byte 4096: x");
  bytes = tsr_units_dup_bytes (TSR_UNITS_BINARY, 2 * (gint64)940572672);
  g_assert_cmpstr (bytes, ==, "1.794 MiB");
  percent = tsr_units_dup_percent (0.4978, 2);
  g_assert_cmpstr (percent, ==, "49,78 %");

  /* What machines read does not change with the language. */
  english = tsr_number_dup_plain (1234.5);
  g_assert_cmpstr (english, ==, "1234.5");
}

/* A separator that is not ASCII: what comes out is UTF-8. */
static void
test_french_numbers (void)
{
  g_autofree char *count = NULL;

  if (!use_locale ("fr_FR"))
    return;
  count = tsr_units_dup_count (8135360);
  g_assert_true (g_utf8_validate (count, -1, NULL));
  g_assert_true (g_str_has_prefix (count, "8"));
  g_assert_true (g_str_has_suffix (count, "360"));
  g_assert_cmpint (g_utf8_strlen (count, -1), ==, 9);
  g_assert_null (strchr (count, ','));
}

static void
test_c (void)
{
  g_autofree char *count = NULL;

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  tsr_locale_init ();
  count = tsr_units_dup_count (8135360);
  g_assert_cmpstr (count, ==, "8,135,360");
}

/* A home that is no folder would be one below the folder that the program is started in. */
static void
test_home (void)
{
  g_autofree char *before = g_strdup (g_getenv ("HOME"));

  g_setenv ("HOME", "", TRUE);
  tsr_locale_init ();
  g_assert_null (g_getenv ("HOME"));
  g_setenv ("HOME", "here", TRUE);
  tsr_locale_init ();
  g_assert_null (g_getenv ("HOME"));
  g_setenv ("HOME", "/somewhere", TRUE);
  tsr_locale_init ();
  g_assert_cmpstr (g_getenv ("HOME"), ==, "/somewhere");
  if (before != NULL)
    g_setenv ("HOME", before, TRUE);
  else
    g_unsetenv ("HOME");
}

/* Other threads of a program that begins. */
static gpointer
hammer (gpointer data)
{
  static gsize once[100000];

  for (guint i = 0; i < G_N_ELEMENTS (once); i++)
    if (g_once_init_enter (&once[i]))
      g_once_init_leave (&once[i], 1);
  return NULL;
}

static int
read_number (void)
{
  guint64 number = 0;

  tsr_locale_init ();
  for (guint i = 0; i < 3; i++)
    g_thread_unref (g_thread_new ("hammer", hammer, NULL));
  g_usleep (200);
  return g_ascii_string_to_unsigned ("2201", 10, 0, 65535, &number, NULL) && number == 2201 ? 0 : 1;
}

/* The first number that a program reads is one, whatever its other threads do then. */
static void
test_first_number (void)
{
  const char *argv[] = { "/proc/self/exe", "first-number", NULL };
  g_autofree char *self = g_file_read_link (argv[0], NULL);
  const guint n = tsr_test_rounds (100);
  guint n_failed = 0;

  argv[0] = self;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      int status = 1;

      g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status,
                    &error);
      g_assert_no_error (error);
      n_failed += status != 0 ? 1 : 0;
    }
  g_assert_cmpuint (n_failed, ==, 0);
}

int
main (int argc, char **argv)
{
  /* Before anything that reads one. */
  if (argc > 1 && strcmp (argv[1], "first-number") == 0)
    return read_number ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/locale/first-number", test_first_number);
  g_test_add_func ("/locale/home", test_home);
  g_unsetenv ("LANGUAGE");
  g_test_add_func ("/locale/german", test_german);
  g_test_add_func ("/locale/french-numbers", test_french_numbers);
  g_test_add_func ("/locale/c", test_c);
  return g_test_run ();
}
