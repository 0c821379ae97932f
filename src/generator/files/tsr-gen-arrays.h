/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Collects the rows of tile_arrays before anything is written: equal arrays are stored once, each
 * in its shortest encoding. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_GEN_DENSE_32,
  TSR_GEN_DENSE_16,
  TSR_GEN_SPARSE,
  TSR_GEN_SAME,
} TsrGenEncoding;

typedef struct
{
  TsrGenEncoding encoding;
  guint64 total, maximum;
  GBytes *data;
} TsrGenArray;

typedef struct
{
  GPtrArray *arrays; /* TsrGenArray; id = index + 1 */
  GHashTable *ids;   /* GBytes that begins with the encoding -> id */
} TsrGenArrays;

TsrGenArrays *tsr_gen_arrays_new (void);
void tsr_gen_arrays_free (TsrGenArrays *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrGenArrays, tsr_gen_arrays_free)

/* Id of the array of @n values; 0 (write NULL) if all values are 0. */
guint32 tsr_gen_arrays_add (TsrGenArrays *self, const guint32 *values, guint n);

G_END_DECLS
