/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The controls of the Execution Trace.  Options are properties, which are actions; the state keeps
 * them for the window, the settings for the next one. */

#include "config.h"

#include "tsr-trace-page-private.h"

#include "tsr-trace-key.h"

#include <glib/gi18n.h>

enum
{
  PROP_0,
  PROP_BSP,
  PROP_TIME,
  PROP_FOLD,
  PROP_BALANCE,
  PROP_LANES,
  PROP_LABELS,
  PROP_GROUP_SYNCS,
  PROP_BLOCKS,
  PROP_FLUSHES,
  PROP_ALIGN_CLOCKS,
  PROP_SHAPE,
  PROP_TILE_ORDER,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

#define OPTIONS_KEY "trace-options" /* list of what is on */
#define SHAPE_KEY   "trace-shape"

static const struct
{
  const char *name, *action;
  TsrTraceOptions option;
} options[PROP_SHAPE] = {
  [PROP_BSP] = { "bsp", "trace.bsp", TSR_TRACE_OPTION_BSP },
  [PROP_TIME] = { "time", "trace.time", TSR_TRACE_OPTION_TIME },
  [PROP_FOLD] = { "fold", "trace.fold", TSR_TRACE_OPTION_FOLD },
  [PROP_BALANCE] = { "balance", "trace.balance", TSR_TRACE_OPTION_BALANCE },
  [PROP_LANES] = { "lanes", "trace.lanes", TSR_TRACE_OPTION_LANES },
  [PROP_LABELS] = { "labels", "trace.labels", TSR_TRACE_OPTION_LABELS },
  [PROP_GROUP_SYNCS] = { "group-syncs", "trace.group-syncs", TSR_TRACE_OPTION_GROUP_SYNCS },
  [PROP_BLOCKS] = { "blocks", "trace.blocks", TSR_TRACE_OPTION_BLOCKS },
  [PROP_FLUSHES] = { "flushes", "trace.flushes", TSR_TRACE_OPTION_FLUSHES },
  [PROP_ALIGN_CLOCKS] = { "align-clocks", "trace.align-clocks", TSR_TRACE_OPTION_ALIGN_CLOCKS },
};

/* Options */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrTracePage *self = TSR_TRACE_PAGE (object);
  TsrTraceState *state
      = tsr_trace_page_get_session (self) != NULL ? tsr_trace_page_get_state (self) : NULL;

  if (id < PROP_SHAPE)
    g_value_set_boolean (value, state != NULL && tsr_trace_state_has (state, options[id].option));
  else if (id == PROP_SHAPE)
    g_value_set_string (value, state != NULL && tsr_trace_state_get_shape (state) == TSR_TRACE_FLAT
                                   ? "flat"
                                   : "flame");
  else if (id == PROP_TILE_ORDER)
    g_value_set_string (value, self->by_finish ? "finish" : "number");
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrTracePage *self = TSR_TRACE_PAGE (object);
  TsrTraceState *state = tsr_trace_page_get_state (self);
  TsrSettings *settings = tsr_session_get_settings (tsr_trace_page_get_session (self));

  if (id < PROP_SHAPE)
    {
      tsr_trace_state_set_option (state, options[id].option, g_value_get_boolean (value));
      tsr_settings_set_word (settings, OPTIONS_KEY, options[id].name, g_value_get_boolean (value));
    }
  else if (id == PROP_SHAPE)
    {
      gboolean flat = g_strcmp0 (g_value_get_string (value), "flat") == 0;

      tsr_trace_state_set_shape (state, flat ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
      tsr_settings_set_string (settings, SHAPE_KEY, flat ? "flat" : "flame");
    }
  else if (id == PROP_TILE_ORDER)
    {
      self->by_finish = g_strcmp0 (g_value_get_string (value), "finish") == 0;
      if (self->chart != NULL)
        tsr_trace_chart_set_tile_order (self->chart, self->by_finish ? TSR_TRACE_TILES_BY_FINISH
                                                                     : TSR_TRACE_TILES_BY_NUMBER);
      g_object_notify_by_pspec (object, pspec);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

void
tsr_trace_page_install_options (GObjectClass *object_class, GtkWidgetClass *widget_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  for (guint i = 1; i < PROP_SHAPE; i++)
    props[i] = g_param_spec_boolean (options[i].name, NULL, NULL, FALSE, flags);
  props[PROP_SHAPE] = g_param_spec_string ("shape", NULL, NULL, "flame", flags);
  props[PROP_TILE_ORDER] = g_param_spec_string ("tile-order", NULL, NULL, "number", flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  for (guint i = 1; i < PROP_SHAPE; i++)
    gtk_widget_class_install_property_action (widget_class, options[i].action, options[i].name);
  gtk_widget_class_install_property_action (widget_class, "trace.shape", "shape");
  gtk_widget_class_install_property_action (widget_class, "trace.tile-order", "tile-order");
}

/* Choosers */

/* Position in the list: the whole trace, then the runs. */
static guint
get_run_position (TsrTracePage *self)
{
  int run = tsr_trace_state_get_run (tsr_trace_page_get_state (self));
  guint profiled = tsr_trace_get_profiled_run (self->trace);

  if (run >= 0 && (guint)run < self->n_listed_runs)
    return (guint)run + 1;
  if (run == TSR_TRACE_RUN_ALL || profiled >= self->n_listed_runs)
    return 0;
  return profiled + 1;
}

static void
show_choices (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  guint ipu = tsr_trace_state_get_ipu (state);

  if (self->trace == NULL)
    return;
  self->applying = TRUE;
  gtk_drop_down_set_selected (self->run_chooser, get_run_position (self));
  gtk_drop_down_set_selected (self->ipu_chooser,
                              ipu < tsr_trace_get_n_ipus (self->trace) ? ipu + 1 : 0);
  self->applying = FALSE;
}

static void
on_run_chosen (TsrTracePage *self)
{
  guint position = gtk_drop_down_get_selected (self->run_chooser);

  if (!self->applying && position != GTK_INVALID_LIST_POSITION)
    tsr_trace_state_set_run (tsr_trace_page_get_state (self),
                             position == 0 ? TSR_TRACE_RUN_ALL : (int)position - 1);
}

static void
on_ipu_chosen (TsrTracePage *self)
{
  guint position = gtk_drop_down_get_selected (self->ipu_chooser);

  if (!self->applying && position != GTK_INVALID_LIST_POSITION)
    tsr_trace_state_set_ipu (tsr_trace_page_get_state (self),
                             position == 0 ? TSR_NO_INDEX : position - 1);
}

static void
set_choices (GtkDropDown *chooser, GPtrArray *texts)
{
  g_autoptr (GtkStringList) list = NULL;

  g_ptr_array_add (texts, NULL);
  list = gtk_string_list_new ((const char *const *)texts->pdata);
  gtk_drop_down_set_model (chooser, G_LIST_MODEL (list));
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
  guint n_ipus = self->trace != NULL ? tsr_trace_get_n_ipus (self->trace) : 0;

  self->n_listed_runs = self->trace != NULL ? tsr_trace_get_n_runs (self->trace) : 0;
  g_ptr_array_add (runs, g_strdup (_ ("Whole trace")));
  for (guint i = 0; i < self->n_listed_runs; i++)
    g_ptr_array_add (runs, dup_run (self, i));
  g_ptr_array_add (ipus, g_strdup (_ ("All IPUs")));
  for (guint i = 0; i < n_ipus; i++)
    g_ptr_array_add (ipus, tsr_trace_dup_ipu_name (self->trace, i));
  self->applying = TRUE;
  set_choices (self->run_chooser, runs);
  set_choices (self->ipu_chooser, ipus);
  self->applying = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->ipu_chooser), n_ipus > 1);
}

static void
on_options_changed (TsrTracePage *self)
{
  for (guint i = 1; i <= PROP_SHAPE; i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[i]);
  show_choices (self);
}

/* The button says that something is hidden. */
static void
on_hidden_changed (TsrTracePage *self)
{
  gboolean any = tsr_trace_state_peek_hidden (tsr_trace_page_get_state (self))[0] != NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.show-all-types", any);
  if (any)
    gtk_widget_add_css_class (GTK_WIDGET (self->types_button), "filtered");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->types_button), "filtered");
}

void
tsr_trace_page_fill_controls (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  double clock = self->trace != NULL ? tsr_trace_get_clock (self->trace) : 0;

  tsr_trace_notes_set_trace (self->notes, self->trace);
  fill_choosers (self);
  show_choices (self);
  tsr_trace_key_fill_types (self->types_box, self->trace, state);
  tsr_trace_key_fill_colours (self->key_box, self->trace);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "trace.time", clock > 0);
}

/* A name of any length must not make the window wider. */
static void
on_setup_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 5);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_list_item_set_child (item, label);
}

static void
on_bind_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static void
init_chooser (GtkDropDown *chooser, GtkExpression *text)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkListItemFactory) list_factory = g_object_ref (gtk_drop_down_get_factory (chooser));

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup_choice), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_choice), NULL);
  gtk_drop_down_set_expression (chooser, text);
  gtk_drop_down_set_list_factory (chooser, list_factory);
  gtk_drop_down_set_factory (chooser, factory);
}

void
tsr_trace_page_init_controls (TsrTracePage *self)
{
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  init_chooser (self->run_chooser, text);
  init_chooser (self->ipu_chooser, text);
  gtk_expression_unref (text);
  g_signal_connect_swapped (self->run_chooser, "notify::selected", G_CALLBACK (on_run_chosen),
                            self);
  g_signal_connect_swapped (self->ipu_chooser, "notify::selected", G_CALLBACK (on_ipu_chosen),
                            self);
}

/* A window that has looked at the trace before goes on as it was. */
void
tsr_trace_page_restore_options (TsrTracePage *self)
{
  TsrSettings *settings = tsr_session_get_settings (tsr_trace_page_get_session (self));
  TsrTraceState *state = tsr_trace_page_get_state (self);
  g_autofree char *shape = tsr_settings_dup_string (settings, SHAPE_KEY);

  if (tsr_trace_state_get_options (state) == TSR_TRACE_OPTIONS_DEFAULT)
    {
      for (guint i = 1; i < PROP_SHAPE; i++)
        tsr_trace_state_set_option (state, options[i].option,
                                    tsr_settings_has_word (settings, OPTIONS_KEY, options[i].name));
      tsr_trace_state_set_shape (state,
                                 g_str_equal (shape, "flat") ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
    }
  g_signal_connect_object (state, "options-changed", G_CALLBACK (on_options_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "run-changed", G_CALLBACK (show_choices), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "hidden-changed", G_CALLBACK (on_hidden_changed), self,
                           G_CONNECT_SWAPPED);
  on_options_changed (self);
  on_hidden_changed (self);
}
