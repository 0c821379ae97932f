/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The manual as blocks of text: docs/manual, which is part of the program, in the user's language
 * or English.  The chapter of rules is made of the register of Insights, so that it cannot say
 * anything else than what is checked. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_MANUAL_TEXT,
  TSR_MANUAL_HEADING,
  TSR_MANUAL_CODE,
  TSR_MANUAL_ITEM,
  TSR_MANUAL_CELL,
  TSR_MANUAL_PICTURE,
  TSR_MANUAL_N_KINDS,
} TsrManualKind;

/* A block: a paragraph, an item of a list, a cell of a table, ... */
typedef struct
{
  TsrManualKind kind;
  /* Of a heading its level, from 1; of an item its number, 0 for none; of a cell its column, and
   * cells of row 0 are headings.  An item or a cell that begins a list or a table has row 0. */
  int number, row;
  char *markup; /* of Pango; a picture's text for those who do not see it is plain */
  char *target; /* (nullable) of a heading the anchor that links have; of a picture its resource */
} TsrManualBlock;

typedef struct
{
  char *id, *title; /* the file's name without its ending, as links have it */
  GArray *blocks;   /* TsrManualBlock */
} TsrManualChapter;

/* (transfer none) (element-type TsrManualChapter): in the order of the contents; read once, lives
 * as long as the program.  Main thread. */
GPtrArray *tsr_manual_get_chapters (void);
/* Reads one text of the manual, for tests: the subset of CommonMark that the manual is written in.
 * (transfer full) */
GArray *tsr_manual_parse (const char *text);

G_END_DECLS
