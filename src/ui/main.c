/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window program. */

#include "config.h"

#include "tsr-application.h"
#include "tsr-locale.h"

int
main (int argc, char **argv)
{
  g_autoptr (TsrApplication) application = NULL;

  tsr_locale_init ();
  application = tsr_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
