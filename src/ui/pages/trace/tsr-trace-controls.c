/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The controls of the Execution Trace: its options, and the choosers of run and IPU. */

#include "config.h"

#include "tsr-trace-page-private.h"

#include "tsr-drop-down.h"
#include "tsr-page-options.h"
#include "tsr-trace-key.h"

#include <glib/gi18n.h>

/* Options: the first ones are those of the state, in the order of its bits; TSR_TRACE_FLAME is 1.
 */

static const char *
get_shape_nick (guint shape)
{
  return shape == TSR_TRACE_FLAT ? "flat" : "flame";
}

static const char *
get_tile_order_nick (guint order)
{
  return order == TSR_TRACE_TILES_BY_FINISH ? "finish" : "number";
}

static const char *
get_tab_nick (guint tab)
{
  return tsr_tables_get_key ("trace", tab);
}

static const char *
get_cycles_nick (guint by_cycles)
{
  return by_cycles ? "cycles" : "tile";
}

#define SWITCH(name, usual)                                                                        \
  {                                                                                                \
    name, NULL, usual, .setting = "trace-options", .is_in_list = TRUE                              \
  }
#define NAMED(name, usual)                                                                         \
  {                                                                                                \
    name, name, usual, .setting = "trace-options", .is_in_list = TRUE, .is_named = TRUE            \
  }

static const TsrViewOption options[TSR_TRACE_N_VIEW_OPTIONS] = {
  [TSR_TRACE_VIEW_SHAPE] = { "shape", "shape", TSR_TRACE_FLAME, get_shape_nick, 2,
                             .setting = "trace-shape", .is_named = TRUE },
  [TSR_TRACE_VIEW_BITS] = NAMED ("bsp", FALSE),
  NAMED ("time", FALSE),
  NAMED ("fold", TRUE),
  SWITCH ("balance", TRUE),
  SWITCH ("lanes", TRUE),
  SWITCH ("labels", TRUE),
  SWITCH ("group-syncs", FALSE),
  SWITCH ("blocks", TRUE),
  SWITCH ("flushes", FALSE),
  SWITCH ("align-clocks", TRUE),
  SWITCH ("utilisation", FALSE),
  SWITCH ("live-memory", FALSE),
  [TSR_TRACE_VIEW_TILE_ORDER]
  = { "tile-order", NULL, TSR_TRACE_TILES_BY_NUMBER, get_tile_order_nick, 2 },
  [TSR_TRACE_VIEW_MINI_MAP] = { "mini-map", NULL, FALSE, .setting = "mini-map" },
  [TSR_TRACE_VIEW_TAB]
  = { NULL, "tab", TSR_TRACE_TAB_SUMMARY, get_tab_nick, TSR_TRACE_N_TABS, .is_named = TRUE },
  [TSR_TRACE_VIEW_GROUPING] = { NULL, "grouping", TSR_TRACE_GROUP_NAME, tsr_trace_group_get_nick,
                                TSR_TRACE_N_GROUPS, .is_named = TRUE },
  [TSR_TRACE_VIEW_DEPTH] = { NULL, "depth", 2, .kind = TSR_VIEW_NUMBER, .least = 1,
                             .most = TSR_TRACE_MAX_DEPTH, .is_named = TRUE },
  [TSR_TRACE_VIEW_REGEX] = { NULL, "regex", .kind = TSR_VIEW_TEXT },
  [TSR_TRACE_VIEW_TILES_AS] = { NULL, "tiles-as", 0, tsr_trace_tile_view_get_form_nick,
                                TSR_TRACE_N_TILE_FORMS, .is_named = TRUE },
  [TSR_TRACE_VIEW_STEP_ORDER] = { NULL, "step-order", FALSE, get_cycles_nick, 2 },
  [TSR_TRACE_VIEW_TILES_ORDER]
  = { NULL, "tile-order", FALSE, get_cycles_nick, 2, .is_named = TRUE },
};

TsrViewState *
tsr_trace_tabs_get_options (TsrSession *session)
{
  return tsr_session_get_view_state (session, "trace", options, G_N_ELEMENTS (options));
}

void
tsr_trace_page_update_tile_order (TsrTracePage *self)
{
  if (self->chart != NULL)
    tsr_trace_chart_set_tile_order (
        self->chart, tsr_page_get_option (TSR_PAGE (self), TSR_TRACE_VIEW_TILE_ORDER));
}

static void
on_options_changed (TsrPage *page, guint64 changed)
{
  TsrTracePage *self = TSR_TRACE_PAGE (page);
  guint bits = 0;

  for (guint i = TSR_TRACE_VIEW_BITS; i < TSR_TRACE_VIEW_TILE_ORDER; i++)
    bits |= tsr_page_get_option (page, i) << (i - TSR_TRACE_VIEW_BITS);
  tsr_trace_state_set_options (tsr_trace_page_get_state (self),
                               tsr_page_get_option (page, TSR_TRACE_VIEW_SHAPE), bits);
  tsr_trace_page_update_tile_order (self);
  tsr_trace_view_set_mini_map (self->view, tsr_page_get_option (page, TSR_TRACE_VIEW_MINI_MAP));
}

/* Whoever changes the state: the options say it. */
static void
on_state_options (TsrTracePage *self)
{
  TsrViewState *options_state = tsr_page_get_view_state (TSR_PAGE (self));
  TsrTraceState *state = tsr_trace_page_get_state (self);

  tsr_view_state_hold (options_state);
  tsr_view_state_set (options_state, TSR_TRACE_VIEW_SHAPE, tsr_trace_state_get_shape (state));
  for (guint i = TSR_TRACE_VIEW_BITS; i < TSR_TRACE_VIEW_TILE_ORDER; i++)
    tsr_view_state_set (options_state, i,
                        tsr_trace_state_has (state, 1u << (i - TSR_TRACE_VIEW_BITS)));
  tsr_view_state_release (options_state);
}

void
tsr_trace_page_install_options (TsrPageClass *klass)
{
  tsr_page_class_set_options (klass, "trace", options, G_N_ELEMENTS (options), on_options_changed);
}

/* Choosers */

/* Position in the list: the whole trace, then the runs. */
static guint
get_run_position (TsrTracePage *self)
{
  int run = tsr_trace_state_get_run (tsr_trace_page_get_state (self));
  guint n = self->trace != NULL ? tsr_trace_get_n_runs (self->trace) : 0;

  if (run >= 0 && (guint)run < n)
    return (guint)run + 1;
  if (run == TSR_TRACE_RUN_ALL || n == 0 || tsr_trace_get_profiled_run (self->trace) >= n)
    return 0;
  return tsr_trace_get_profiled_run (self->trace) + 1;
}

static guint
get_ipu_position (TsrTracePage *self)
{
  guint ipu = tsr_trace_state_get_ipu (tsr_trace_page_get_state (self));

  return self->trace != NULL && ipu < tsr_trace_get_n_ipus (self->trace) ? ipu + 1 : 0;
}

static void
show_choices (TsrTracePage *self)
{
  gtk_drop_down_set_selected (self->run_chooser, get_run_position (self));
  gtk_drop_down_set_selected (self->ipu_chooser, get_ipu_position (self));
}

static void
on_run_chosen (TsrTracePage *self)
{
  guint position = gtk_drop_down_get_selected (self->run_chooser);

  if (position != GTK_INVALID_LIST_POSITION && position != get_run_position (self))
    tsr_trace_state_set_run (tsr_trace_page_get_state (self),
                             position == 0 ? TSR_TRACE_RUN_ALL : (int)position - 1);
}

static void
on_ipu_chosen (TsrTracePage *self)
{
  guint position = gtk_drop_down_get_selected (self->ipu_chooser);

  if (position != GTK_INVALID_LIST_POSITION && position != get_ipu_position (self))
    tsr_trace_state_set_ipu (tsr_trace_page_get_state (self),
                             position == 0 ? TSR_NO_INDEX : position - 1);
}

static void
set_choices (GtkDropDown *chooser, GPtrArray *texts, guint position)
{
  g_ptr_array_add (texts, NULL);
  tsr_drop_down_set_rows (chooser, (const char *const *)texts->pdata, position);
  gtk_drop_down_set_enable_search (chooser, texts->len > 16);
}

static char *
dup_run (TsrTracePage *self, guint i)
{
  const TsrTraceRun *run = tsr_trace_get_run (self->trace, i);
  g_autofree char *number = tsr_units_dup_count (i);
  g_autofree char *name = g_strdup_printf (_ ("Run %s"), number);

  if (run->start >= run->end)
    return g_strdup_printf (_ ("%s (no steps)"), name);
  if (!run->complete)
    return g_strdup_printf (_ ("%s (cut off)"), name);
  return g_steal_pointer (&name);
}

static void
fill_choosers (TsrTracePage *self)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) ipus = g_ptr_array_new_with_free_func (g_free);
  guint n_runs = self->trace != NULL ? tsr_trace_get_n_runs (self->trace) : 0;
  guint n_ipus = self->trace != NULL ? tsr_trace_get_n_ipus (self->trace) : 0;

  g_ptr_array_add (runs, g_strdup (_ ("Whole trace")));
  for (guint i = 0; i < n_runs; i++)
    g_ptr_array_add (runs, dup_run (self, i));
  g_ptr_array_add (ipus, g_strdup (_ ("All IPUs")));
  for (guint i = 0; i < n_ipus; i++)
    g_ptr_array_add (ipus, tsr_trace_dup_ipu_name (self->trace, i));
  set_choices (self->run_chooser, runs, get_run_position (self));
  set_choices (self->ipu_chooser, ipus, get_ipu_position (self));
  gtk_widget_set_visible (GTK_WIDGET (self->ipu_chooser), n_ipus > 1);
}

/* The buttons say that something is hidden. */
static void
on_hidden_changed (TsrTracePage *self)
{
  GtkMenuButton *const buttons[] = { self->types_button, self->view_button };
  gboolean any = tsr_trace_state_peek_hidden (tsr_trace_page_get_state (self))[0] != NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.show-all-types", any);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    if (any)
      gtk_widget_add_css_class (GTK_WIDGET (buttons[i]), "filtered");
    else
      gtk_widget_remove_css_class (GTK_WIDGET (buttons[i]), "filtered");
}

void
tsr_trace_page_fill_controls (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  double clock = self->trace != NULL ? tsr_trace_get_clock (self->trace) : 0;

  tsr_trace_notes_set_trace (self->notes, self->trace);
  fill_choosers (self);
  tsr_trace_key_fill_types (self->types_box, self->trace, state);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.time", clock > 0);
}

void
tsr_trace_page_init_controls (TsrTracePage *self)
{
  /* A name of any length must not make the window wider. */
  tsr_drop_down_set_shrinking (self->run_chooser, 5, 24);
  tsr_drop_down_set_shrinking (self->ipu_chooser, 5, 24);
  g_signal_connect_swapped (self->run_chooser, "notify::selected", G_CALLBACK (on_run_chosen),
                            self);
  g_signal_connect_swapped (self->ipu_chooser, "notify::selected", G_CALLBACK (on_ipu_chosen),
                            self);
}

/* A window that has looked at the trace before goes on as it was. */
void
tsr_trace_page_restore_options (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);

  tsr_page_restore_options (TSR_PAGE (self), tsr_trace_page_get_session (self));
  on_options_changed (TSR_PAGE (self), G_MAXUINT64);
  g_signal_connect_object (state, "options-changed", G_CALLBACK (on_state_options), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "options-changed", G_CALLBACK (show_choices), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "run-changed", G_CALLBACK (show_choices), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "hidden-changed", G_CALLBACK (on_hidden_changed), self,
                           G_CONNECT_SWAPPED);
  on_hidden_changed (self);
}
