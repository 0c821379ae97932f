/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each tab asks of the selected program. */

#include "config.h"

#include "tsr-program-tabs.h"

#include "tsr-page.h"
#include "tsr-program-tiles.h"

#include <glib/gi18n.h>

struct _TsrProgramTabs
{
  TsrTabs parent_instance;

  TsrSession *session;
  TsrProgramTiles *tiles;
  guint32 program;
};

G_DEFINE_FINAL_TYPE (TsrProgramTabs, tsr_program_tabs, TSR_TYPE_TABS)

static const TsrTabWords words[TSR_PROGRAM_N_DETAILS] = {
  { .key = "variables",
    .tooltip = N_ ("Variables that the program and all below it touch, by role"),
    .filter = N_ ("Filter variables"),
    .is_counted = TRUE },
  { .key = "vertices",
    .tooltip = N_ ("Vertices of the program's compute set"),
    .filter = N_ ("Filter vertices"),
    .is_counted = TRUE },
  { .key = "steps",
    .tooltip = N_ ("Where the program and all below it ran; a double click leads to the trace"),
    .filter = N_ ("Filter steps"),
    .is_single = TRUE,
    .is_counted = TRUE },
  { .key = "debug",
    .tooltip = N_ ("The contexts that made the program, from the outermost layer to Poplar, with "
                   "file and line"),
    .is_single = TRUE,
    .unfolds = TRUE },
  { .key = "tiles",
    .title = N_ ("Tiles"),
    .tooltip = N_ ("Code, exchanged bytes and estimated cycles on each tile"),
    .is_own = TRUE },
};

const char *
tsr_program_detail_get_nick (guint detail)
{
  return detail < TSR_PROGRAM_N_DETAILS ? words[detail].key : NULL;
}

/* What is there for one tab alone, and may still have to be read. */
static const int stage_of[TSR_PROGRAM_N_DETAILS] = {
  [TSR_PROGRAM_DETAIL_VARIABLES] = TSR_STAGE_LIVENESS,
  [TSR_PROGRAM_DETAIL_VERTICES] = -1,
  [TSR_PROGRAM_DETAIL_STEPS] = TSR_STAGE_EXECUTION,
  [TSR_PROGRAM_DETAIL_DEBUG] = TSR_STAGE_DEBUG,
  [TSR_PROGRAM_DETAIL_TILES] = -1,
};

static gboolean
ask (gpointer page, const TsrTab *tab, TsrTableQuestion *question)
{
  TsrProgramTabs *self = page;
  TsrProgramQuestion *asked = &question->of_programs;
  int stage = stage_of[tab->number];

  asked->programs = tsr_session_get_programs (self->session);
  asked->step = asked->root = asked->variable = TSR_NO_INDEX;
  asked->program = self->program;
  if (stage >= 0 && tsr_session_is_stage_pending (self->session, (TsrStage)stage))
    {
      if (tsr_tabs_get_shown (TSR_TABS (self)) == tab)
        tsr_session_want (self->session, (TsrStage)stage);
      return FALSE;
    }
  return asked->programs != NULL;
}

static void
on_activate_row (TsrRowView *view, guint row, TsrTab *tab)
{
  TsrRows *rows = tsr_row_view_get_shown (view);

  if (rows == NULL || row >= tsr_rows_get_n (rows))
    return;
  if (tab->number == TSR_PROGRAM_DETAIL_STEPS)
    tsr_page_go_to_step (GTK_WIDGET (view), rows, row);
  else
    tsr_page_go_to_variable (GTK_WIDGET (view), rows, row);
}

static void
add_tab (gpointer page, TsrTab *tab)
{
  TsrProgramTabs *self = page;

  if (tab->number == TSR_PROGRAM_DETAIL_TILES)
    {
      self->tiles = tsr_program_tiles_new ();
      tab->child = GTK_WIDGET (self->tiles);
    }
  else if (tab->number == TSR_PROGRAM_DETAIL_DEBUG)
    tsr_row_view_set_plain (tab->view, _ ("Debug information"));
  else if (tab->number == TSR_PROGRAM_DETAIL_STEPS || tab->number == TSR_PROGRAM_DETAIL_VARIABLES)
    g_signal_connect (tab->view, "activate-row", G_CALLBACK (on_activate_row), tab);
}

static const TsrTabsSetup setup = {
  .command = "programs",
  .label = N_ ("Tables of the program"),
  .words = words,
  .n_words = G_N_ELEMENTS (words),
  .add = add_tab,
  .ask = ask,
};

void
tsr_program_tabs_set_session (TsrProgramTabs *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_PROGRAM_TABS (self) && self->session == NULL);
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::programs", G_CALLBACK (tsr_tabs_update), self,
                           G_CONNECT_SWAPPED);
  tsr_program_tiles_set_session (self->tiles, session);
  tsr_tabs_set_session (TSR_TABS (self), session);
}

void
tsr_program_tabs_set_program (TsrProgramTabs *self, guint32 program)
{
  g_return_if_fail (TSR_IS_PROGRAM_TABS (self));
  if (program == self->program)
    return;
  self->program = program;
  tsr_program_tiles_set_program (self->tiles, program);
  tsr_tabs_update (TSR_TABS (self));
}

gboolean
tsr_program_tabs_is_busy (TsrProgramTabs *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_TABS (self), FALSE);
  return tsr_tabs_is_busy (TSR_TABS (self)) || tsr_program_tiles_is_busy (self->tiles);
}

static void
tsr_program_tabs_dispose (GObject *object)
{
  G_OBJECT_CLASS (tsr_program_tabs_parent_class)->dispose (object);
  g_clear_object (&TSR_PROGRAM_TABS (object)->session);
}

static void
tsr_program_tabs_class_init (TsrProgramTabsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_program_tabs_dispose;
}

static void
tsr_program_tabs_init (TsrProgramTabs *self)
{
  self->program = TSR_NO_INDEX;
  tsr_tabs_setup (TSR_TABS (self), &setup, self);
}
