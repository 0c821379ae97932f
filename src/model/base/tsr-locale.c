/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets the locale and the text domain of a program, and sees that its home is a folder. */

#include "config.h"

#include "tsr-locale.h"

#include <libintl.h>
#include <locale.h>

void
tsr_locale_init (void)
{
  const char *dir = g_getenv ("TSR_LOCALE_DIR"), *home = g_getenv ("HOME");

  /* GLib would take it for a folder below the current one, and keep settings there. */
  if (home != NULL && !g_path_is_absolute (home))
    g_unsetenv ("HOME");
  /* Of a locale that the machine does not have, the letters at least. */
  if (setlocale (LC_ALL, "") == NULL)
    setlocale (LC_ALL, "C.UTF-8");
  bindtextdomain (GETTEXT_PACKAGE, dir != NULL ? dir : TSR_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  /* GLib makes its own locale for the first number that is read, and takes what another thread does
   * to errno meanwhile for a number that cannot be read: it is read before there are threads. */
  g_ascii_strtoull ("0", NULL, 10);
}
