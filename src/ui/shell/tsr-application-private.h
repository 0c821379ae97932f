/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrApplication, shared by its files. */

#pragma once

#include "tsr-application.h"

G_BEGIN_DECLS

struct _TsrApplication
{
  AdwApplication parent_instance;

  TsrSettings *settings;
  TsrDialogAsker *asker; /* (nullable) until somebody asks */
  TsrRemote remote;      /* both NULL until somebody asks */
};

G_END_DECLS
