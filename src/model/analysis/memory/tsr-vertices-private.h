/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inside of TsrVertices, for the files that it is made of. */

#pragma once

#include "tsr-vertices.h"

G_BEGIN_DECLS

/* What an exchange did in the recorded steps, on the IPU where it took longest. */
typedef struct
{
  gint64 executions, cycles, bytes;
} TsrExchangeRuns;

struct _TsrVertices
{
  gatomicrefcount refs;
  TsrReport *report;
  TsrMemory *memory;
  const TsrProgramTables *tables;

  GMutex lock;    /* of all that follows */
  GQueue *arrays; /* those read last, the last one at the head */
  gboolean runs_read;
  TsrExchangeRuns *runs; /* [program]; NULL without an execution */
};

struct _TsrArrayReader
{
  TsrVertices *self;
  const guint *tiles; /* NULL: all, from totals where the table tells them */
  guint n_tiles;
  GCancellable *cancellable;
  TsrProfile *profile; /* opened by the first read */
  GHashTable *read;    /* id to its sum and maximum */
  const guint32 *values;
};
void tsr_array_reader_init (TsrArrayReader *self,
                            TsrVertices *vertices,
                            const guint *tiles,
                            guint n_tiles,
                            GCancellable *cancellable);
void tsr_array_reader_clear (TsrArrayReader *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrArrayReader, tsr_array_reader_clear)

G_END_DECLS
