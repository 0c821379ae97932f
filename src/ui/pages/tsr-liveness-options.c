/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Options of the Liveness page: properties, which are actions and settings of the same name. */

#include "config.h"

#include "tsr-liveness-page-private.h"

enum
{
  PROP_0,
  PROP_INCLUDE_ALWAYS_LIVE,
  PROP_FROM_ALWAYS_LIVE,
  PROP_SHOW_MAX,
  PROP_STRUCTURE,
  PROP_STATISTICS,
  PROP_LIFETIMES,
  PROP_TAB,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

static const struct
{
  const char *name, *action, *setting;
  gboolean value;
} options[N_PROPS] = {
  [PROP_INCLUDE_ALWAYS_LIVE]
  = { "include-always-live", "liveness.include-always-live", "liveness-include-always-live", TRUE },
  [PROP_FROM_ALWAYS_LIVE]
  = { "from-always-live", "liveness.from-always-live", "liveness-from-always-live", FALSE },
  [PROP_SHOW_MAX] = { "show-max", "liveness.show-max", "liveness-show-max", TRUE },
  [PROP_STRUCTURE] = { "structure", "liveness.structure", "liveness-structure", TRUE },
  [PROP_STATISTICS] = { "statistics", "liveness.statistics", "liveness-statistics", FALSE },
  [PROP_LIFETIMES] = { "lifetimes", "liveness.lifetimes", "liveness-lifetimes", TRUE },
};

static gboolean *
get_field (TsrLivenessPage *self, guint id)
{
  switch (id)
    {
    case PROP_INCLUDE_ALWAYS_LIVE:
      return &self->include_always_live;
    case PROP_FROM_ALWAYS_LIVE:
      return &self->from_always_live;
    case PROP_SHOW_MAX:
      return &self->show_max;
    case PROP_STRUCTURE:
      return &self->structure;
    case PROP_STATISTICS:
      return &self->statistics;
    case PROP_LIFETIMES:
      return &self->show_lifetimes;
    default:
      return NULL;
    }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (object);

  if (get_field (self, id) != NULL)
    g_value_set_boolean (value, *get_field (self, id));
  else if (id == PROP_TAB)
    g_value_set_string (value, tsr_liveness_tab_get_nick (tsr_liveness_tabs_get_tab (self->tabs)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (object);
  TsrSettings *settings = tsr_session_get_settings (tsr_liveness_page_get_session (self));
  TsrLivenessTab tab;

  if (get_field (self, id) != NULL)
    {
      *get_field (self, id) = g_value_get_boolean (value);
      tsr_settings_set_boolean (settings, options[id].setting, g_value_get_boolean (value));
      g_object_notify_by_pspec (object, pspec);
      tsr_liveness_page_apply_options (self);
      if (id == PROP_STATISTICS || id == PROP_INCLUDE_ALWAYS_LIVE)
        tsr_liveness_page_update_statistics (self);
      if (id == PROP_LIFETIMES)
        tsr_liveness_page_place_lifetimes (self);
    }
  else if (id == PROP_TAB && tsr_liveness_tab_parse (g_value_get_string (value), &tab))
    tsr_liveness_tabs_set_tab (self->tabs, tab);
}

/* Where there is no table, there is none to save. */
static void
update_table_actions (TsrLivenessPage *self)
{
  gboolean table
      = tsr_liveness_tabs_get_view (self->tabs, tsr_liveness_tabs_get_tab (self->tabs)) != NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.save-table", table);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.copy-table", table);
}

static void
on_tab_changed (TsrLivenessPage *self)
{
  const char *nick = tsr_liveness_tab_get_nick (tsr_liveness_tabs_get_tab (self->tabs));

  update_table_actions (self);
  tsr_settings_set_string (tsr_session_get_settings (tsr_liveness_page_get_session (self)),
                           "liveness-tab", nick);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TAB]);
  tsr_liveness_page_update_lifetimes (self);
}

void
tsr_liveness_page_restore_options (TsrLivenessPage *self)
{
  TsrSettings *settings = tsr_session_get_settings (tsr_liveness_page_get_session (self));
  g_autofree char *nick = tsr_settings_dup_string (settings, "liveness-tab");
  TsrLivenessTab tab;

  for (guint i = 1; i < PROP_TAB; i++)
    {
      *get_field (self, i) = tsr_settings_get_boolean (settings, options[i].setting);
      g_object_notify_by_pspec (G_OBJECT (self), props[i]);
    }
  if (tsr_liveness_tab_parse (nick, &tab))
    tsr_liveness_tabs_set_tab (self->tabs, tab);
  update_table_actions (self);
  g_signal_connect_swapped (self->tabs, "tab-changed", G_CALLBACK (on_tab_changed), self);
}

void
tsr_liveness_page_install_options (GObjectClass *object_class, GtkWidgetClass *widget_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  for (guint i = 1; i < PROP_TAB; i++)
    props[i] = g_param_spec_boolean (options[i].name, NULL, NULL, options[i].value, flags);
  props[PROP_TAB] = g_param_spec_string ("tab", NULL, NULL, "not-always-live", flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  for (guint i = 1; i < PROP_TAB; i++)
    gtk_widget_class_install_property_action (widget_class, options[i].action, options[i].name);
  gtk_widget_class_install_property_action (widget_class, "liveness.tab", "tab");
}
