/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Program tables made by hand, without a file. */

#pragma once

#include "tsr-report-tables.h"

G_BEGIN_DECLS

typedef struct
{
  TsrProgramTables tables;
  GArray *edges; /* pairs of guint32: parent, child */
  GArray *roots; /* TsrProgramTables' root columns */
  guint32 capacity;
} HandPrograms;

HandPrograms *hand_programs_new (void);
void hand_programs_free (HandPrograms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HandPrograms, hand_programs_free)

/* Ids are rows.  Control code is 0, other code and estimates too until they are set. */
guint32 hand_programs_add (HandPrograms *self, const char *type, const char *name);
/* Children of a parent in the order of the calls. */
void hand_programs_child (HandPrograms *self, guint32 parent, guint32 child);
void hand_programs_call (HandPrograms *self, guint32 program, guint32 callee);
void hand_programs_root (HandPrograms *self, guint32 program, const char *kind);
void hand_programs_set_code (HandPrograms *self, guint32 program, gint64 bytes);
void hand_programs_set_estimated (HandPrograms *self, guint32 program, gint64 cycles);
/* Before the tables are used. */
void hand_programs_seal (HandPrograms *self);

/* @n programs, sealed: children and callees have higher rows, many of them shared; repeats, some of
 * unknown count; compute sets with up to 6 vertex types. */
HandPrograms *hand_programs_new_random (guint seed, guint n);
/* What the program takes by itself. */
gint64 hand_programs_get_estimated (const HandPrograms *self, guint32 program);

G_END_DECLS
