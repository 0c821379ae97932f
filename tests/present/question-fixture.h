/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole report and what the register of tables is asked of it. */

#pragma once

#include "tsr-tables.h"

G_BEGIN_DECLS

typedef struct
{
  TsrVariables *variables; /* (nullable) */
  TsrTableQuestion question;
} QuestionFixture;

/* The report in @folder whole, as in the window, and the questions of its tabs before anything is
 * chosen.  What the report has not stays NULL. */
void question_fixture_open (QuestionFixture *self, const char *folder);
void question_fixture_close (QuestionFixture *self);
/* Operations of another layer (a word); without debug information there are none. */
void question_fixture_set_layer (QuestionFixture *self, const char *layer);

G_END_DECLS
