/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each tab asks of the selected operation, and where its rows lead. */

#include "config.h"

#include "tsr-operation-tabs.h"

#include "tsr-page.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _TsrOperationTabs
{
  TsrTabs parent_instance;

  TsrSession *session;
  TsrOperations *operations; /* (nullable) */
  guint operation;
  TsrOperationTiles *code, *cycles;
  TsrRooflineView *roofline;
};

G_DEFINE_FINAL_TYPE (TsrOperationTabs, tsr_operation_tabs, TSR_TYPE_TABS)

static const TsrTabWords words[TSR_OPERATION_N_DETAILS] = {
  { .key = "summary",
    .tooltip = N_ ("All figures of the operation beside those of the report"),
    .is_single = TRUE },
  { .key = "programs",
    .tooltip = N_ ("The operation's programs; a double click leads to the Program Tree"),
    .filter = N_ ("Filter programs"),
    .is_single = TRUE,
    .is_counted = TRUE },
  { .key = "code",
    .tooltip = N_ ("Control code, code of exchanges and of vertices on each tile"),
    .is_single = TRUE },
  { .key = "cycles",
    .tooltip = N_ ("Measured and estimated cycles on each tile, over all executions"),
    .is_single = TRUE },
  { .key = "steps",
    .tooltip = N_ ("Every recorded step of the operation; a double click leads to the trace"),
    .filter = N_ ("Filter steps"),
    .is_single = TRUE,
    .is_counted = TRUE },
  { .key = "flops",
    .title = N_ ("FLOPS"),
    .tooltip = N_ ("Roofline of all operations: how fast they compute, by how much they exchange"),
    .is_own = TRUE },
  { .key = "variables",
    .tooltip = N_ ("Its own variables, and those that its programs touch; a double click leads to "
                   "Liveness"),
    .filter = N_ ("Filter variables"),
    .is_counted = TRUE },
  { .key = "producers",
    .tooltip = N_ ("Operations that write what it reads; a double click leads there"),
    .filter = N_ ("Filter producers"),
    .is_single = TRUE,
    .is_counted = TRUE },
  { .key = "consumers",
    .tooltip = N_ ("Operations that read what it writes; a double click leads there"),
    .filter = N_ ("Filter consumers"),
    .is_single = TRUE,
    .is_counted = TRUE },
  { .key = "debug",
    .tooltip = N_ ("The contexts that made the operation, from the outermost layer down, with file "
                   "and line"),
    .is_single = TRUE,
    .unfolds = TRUE },
};

const char *
tsr_operation_detail_get_nick (guint detail)
{
  return detail < TSR_OPERATION_N_DETAILS ? words[detail].key : NULL;
}

static gboolean
ask (gpointer page, const TsrTab *tab, TsrTableQuestion *question)
{
  TsrOperationTabs *self = page;
  TsrOperationQuestion *asked = &question->of_operations;

  asked->operations = self->operations;
  asked->operation = self->operation;
  if (tab->number == TSR_OPERATION_DETAIL_VARIABLES)
    asked->liveness = tsr_session_get_liveness (self->session);
  return self->operations != NULL;
}

/* ---- ways to other pages */

static void
on_activate_row (TsrRowView *view, guint row, TsrTab *tab)
{
  TsrRows *rows = tsr_row_view_get_shown (view);
  g_autoptr (GHashTable) link = NULL;

  if (rows == NULL || row >= tsr_rows_get_n (rows))
    return;
  if (tab->number == TSR_OPERATION_DETAIL_PROGRAMS)
    {
      g_autofree char *id = g_strdup_printf ("%" PRId64, tsr_rows_get_value_of (rows, row, "id"));

      link = tsr_page_new_words (TSR_VIEW_PROGRAM_TREE);
      tsr_view_words_set (link, "program", id);
      tsr_page_go (GTK_WIDGET (view), link);
    }
  else if (tab->number == TSR_OPERATION_DETAIL_STEPS)
    tsr_page_go_to_step (GTK_WIDGET (view), rows, row);
  else if (tab->number == TSR_OPERATION_DETAIL_VARIABLES)
    tsr_page_go_to_variable (GTK_WIDGET (view), rows, row);
  else
    {
      /* Its key ends with the id of the other's context, 0 for none. */
      g_autofree char *key = tsr_rows_dup_key (rows, row);
      const char *id = key != NULL ? strrchr (key, '\t') : NULL;

      if (id == NULL)
        return;
      link = tsr_page_new_words (TSR_VIEW_OPERATIONS);
      tsr_view_words_set (link, "operation", g_str_equal (id + 1, "0") ? "none" : id + 1);
      tsr_page_go (GTK_WIDGET (view), link);
    }
}

/* ---- tabs */

/* (transfer full): of the selected operation; its records may not be read yet. */
static char *
dup_name (TsrOperationTabs *self)
{
  const char *name;

  if (self->operations == NULL || self->operation >= tsr_operations_get_n (self->operations))
    return g_strdup ("");
  name = tsr_operations_get_name (self->operations, self->operation);
  return g_strdup (name != NULL ? name : tsr_operations_get_none_title (self->operations));
}

static void
on_shown (gpointer page, TsrTab *tab)
{
  TsrOperationTabs *self = page;
  const TsrTableAnswer *answer = tab->answer;
  g_autofree char *name = dup_name (self);

  if (tab->number == TSR_OPERATION_DETAIL_CODE || tab->number == TSR_OPERATION_DETAIL_CYCLES)
    tsr_operation_tiles_set_rows (tab->number == TSR_OPERATION_DETAIL_CODE ? self->code
                                                                           : self->cycles,
                                  answer != NULL ? answer->rows : NULL, name,
                                  answer != NULL && answer->rows != NULL ? answer->note : NULL);
}

static void
add_tab (gpointer page, TsrTab *tab)
{
  TsrOperationTabs *self = page;

  switch ((TsrOperationDetail)tab->number)
    {
    case TSR_OPERATION_DETAIL_CODE:
    case TSR_OPERATION_DETAIL_CYCLES:
      {
        TsrOperationTiles **tiles
            = tab->number == TSR_OPERATION_DETAIL_CODE ? &self->code : &self->cycles;

        *tiles = tsr_operation_tiles_new (tab->view, tab->number == TSR_OPERATION_DETAIL_CODE);
        tab->child = GTK_WIDGET (*tiles);
        break;
      }
    case TSR_OPERATION_DETAIL_FLOPS:
      self->roofline = tsr_roofline_view_new ();
      tab->child = GTK_WIDGET (self->roofline);
      break;
    case TSR_OPERATION_DETAIL_DEBUG:
      tsr_row_view_set_plain (tab->view, _ ("Debug information"));
      break;
    case TSR_OPERATION_DETAIL_SUMMARY:
      break;
    default:
      g_signal_connect (tab->view, "activate-row", G_CALLBACK (on_activate_row), tab);
    }
}

static const TsrTabsSetup setup = {
  .command = "operations",
  .label = N_ ("Tables of the operation"),
  .words = words,
  .n_words = G_N_ELEMENTS (words),
  .add = add_tab,
  .ask = ask,
  .shown = on_shown,
};

static void
make_roofline (TsrOperationTabs *self)
{
  g_autoptr (TsrRoofline) roofline
      = self->operations != NULL
            ? tsr_roofline_new (self->operations, tsr_session_get_units (self->session))
            : NULL;

  tsr_roofline_view_set_roofline (self->roofline, roofline);
}

/* The keyboard goes on from the selected one. */
static void
mark_in_roofline (TsrOperationTabs *self)
{
  TsrRoofline *roofline = tsr_roofline_view_get_roofline (self->roofline);

  if (roofline == NULL)
    return;
  tsr_roofline_set_selected (roofline, self->operation);
  if (tsr_plane_get_cursor (TSR_PLANE (self->roofline)) != self->operation)
    tsr_plane_put_cursor (TSR_PLANE (self->roofline), self->operation, FALSE);
}

static void
on_units (TsrOperationTabs *self)
{
  make_roofline (self);
  mark_in_roofline (self);
}

void
tsr_operation_tabs_set_session (TsrOperationTabs *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_OPERATION_TABS (self) && self->session == NULL);
  self->session = g_object_ref (session);
  tsr_operation_tiles_set_session (self->code, session);
  tsr_operation_tiles_set_session (self->cycles, session);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units), self,
                           G_CONNECT_SWAPPED);
  tsr_tabs_set_session (TSR_TABS (self), session);
}

void
tsr_operation_tabs_set_operation (TsrOperationTabs *self,
                                  TsrOperations *operations,
                                  guint operation)
{
  g_return_if_fail (TSR_IS_OPERATION_TABS (self));
  if (operations == self->operations && operation == self->operation)
    return;
  self->operation = operation;
  if (operations != self->operations)
    {
      if (operations != NULL)
        tsr_operations_ref (operations);
      g_clear_pointer (&self->operations, tsr_operations_unref);
      self->operations = operations;
      make_roofline (self);
    }
  mark_in_roofline (self);
  tsr_tabs_update (TSR_TABS (self));
}

TsrOperationTiles *
tsr_operation_tabs_get_tiles (TsrOperationTabs *self, TsrOperationDetail detail)
{
  g_return_val_if_fail (TSR_IS_OPERATION_TABS (self), NULL);
  return detail == TSR_OPERATION_DETAIL_CODE ? self->code : self->cycles;
}

TsrRooflineView *
tsr_operation_tabs_get_roofline (TsrOperationTabs *self)
{
  g_return_val_if_fail (TSR_IS_OPERATION_TABS (self), NULL);
  return self->roofline;
}

static void
tsr_operation_tabs_dispose (GObject *object)
{
  G_OBJECT_CLASS (tsr_operation_tabs_parent_class)->dispose (object);
  g_clear_pointer (&TSR_OPERATION_TABS (object)->operations, tsr_operations_unref);
  g_clear_object (&TSR_OPERATION_TABS (object)->session);
}

static void
tsr_operation_tabs_class_init (TsrOperationTabsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_operation_tabs_dispose;
}

static void
tsr_operation_tabs_init (TsrOperationTabs *self)
{
  self->operation = TSR_NO_INDEX;
  tsr_tabs_setup (TSR_TABS (self), &setup, self);
}
