/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of TsrRows share: the rows and what is remembered of the order of their texts. */

#pragma once

#include "tsr-rows.h"

G_BEGIN_DECLS

struct _TsrRows
{
  gatomicrefcount refs;
  guint32 n_rows;
  GPtrArray *columns; /* TsrRowColumn */
  TsrRowSource source;
  TsrRowTraits traits;
  guint32 *parents; /* (nullable) of a tree, by row */
  guint32 *depths;
  guint32 *ends;
  guint32 n_groups;
  guint32 rest; /* the row that stands first in every order; TSR_NO_INDEX */
  gpointer data;
  GDestroyNotify free_data;

  GMutex lock;
  guint32 **ranks; /* by column, under the lock: by row, the place of its text among the column's
                      texts; NULL until somebody sorts by it */
};

G_END_DECLS
