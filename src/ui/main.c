/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window program. */

#include "config.h"

#include "tsr-application.h"

#include <glib/gi18n.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  g_autoptr (TsrApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, TSR_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  application = tsr_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
