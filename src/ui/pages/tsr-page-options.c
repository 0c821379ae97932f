/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of a page as its properties and actions, made from the table of its view's state
 * (tsr-view-state.h). */

#include "config.h"

#include "tsr-page-options.h"

typedef struct
{
  const char *prefix;
  const TsrViewOption *options;
  guint n;
  TsrOptionChanged changed;
  GParamSpec **props; /* from 1 on, as their ids are */
} Class;

static GQuark
class_quark (void)
{
  return g_quark_from_static_string ("tsr-page-options");
}

static const Class *
get_class (gpointer page)
{
  return g_type_get_qdata (G_OBJECT_TYPE (page), class_quark ());
}

TsrViewState *
tsr_page_get_view_state (TsrPage *self)
{
  return g_object_get_qdata (G_OBJECT (self), class_quark ());
}

guint
tsr_page_get_option (TsrPage *self, guint option)
{
  TsrViewState *state;

  g_return_val_if_fail (TSR_IS_PAGE (self), 0);
  state = tsr_page_get_view_state (self);
  return state != NULL ? tsr_view_state_get (state, option)
                       : get_class (self)->options[option].usual;
}

const char *
tsr_page_get_option_text (TsrPage *self, guint option)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), "");
  return tsr_page_get_view_state (self) != NULL
             ? tsr_view_state_get_text (tsr_page_get_view_state (self), option)
             : "";
}

void
tsr_page_set_option (TsrPage *self, guint option, guint value)
{
  g_return_if_fail (TSR_IS_PAGE (self) && tsr_page_get_view_state (self) != NULL);
  tsr_view_state_set (tsr_page_get_view_state (self), option, value);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  const TsrViewOption *option = &get_class (object)->options[id - 1];
  guint now = tsr_page_get_option (TSR_PAGE (object), id - 1);

  if (option->kind == TSR_VIEW_TEXT)
    g_value_set_string (value, tsr_page_get_option_text (TSR_PAGE (object), id - 1));
  else if (option->get_nick != NULL)
    g_value_set_string (value, option->get_nick (now));
  else
    g_value_set_boolean (value, now != 0);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  const TsrViewOption *option = &get_class (object)->options[id - 1];
  guint wanted = 0;

  if (option->kind == TSR_VIEW_TEXT)
    {
      if (tsr_page_get_view_state (TSR_PAGE (object)) != NULL)
        tsr_view_state_set_text (tsr_page_get_view_state (TSR_PAGE (object)), id - 1,
                                 g_value_get_string (value));
      return;
    }
  if (option->get_nick == NULL)
    wanted = g_value_get_boolean (value);
  else if (!tsr_view_option_parse (option, g_value_get_string (value), &wanted))
    return;
  tsr_page_set_option (TSR_PAGE (object), id - 1, wanted);
}

static void
on_changed (TsrViewState *state, guint64 changed, TsrPage *self)
{
  const Class *class = get_class (self);

  for (guint i = 0; i < class->n; i++)
    if ((changed & TSR_VIEW_BIT (i)) != 0 && class->props[i + 1] != NULL)
      g_object_notify_by_pspec (G_OBJECT (self), class->props[i + 1]);
  class->changed (self, changed);
}

void
tsr_page_restore_options (TsrPage *self, TsrSession *session)
{
  const Class *class = get_class (self);
  TsrViewState *state
      = tsr_session_get_view_state (session, class->prefix, class->options, class->n);

  g_object_set_qdata_full (G_OBJECT (self), class_quark (), g_object_ref (state), g_object_unref);
  g_signal_connect_object (state, "changed", G_CALLBACK (on_changed), self, 0);
  for (guint i = 0; i < class->n; i++)
    if (class->props[i + 1] != NULL)
      g_object_notify_by_pspec (G_OBJECT (self), class->props[i + 1]);
}

void
tsr_page_class_set_options (TsrPageClass *klass,
                            const char *prefix,
                            const TsrViewOption *options,
                            guint n_options,
                            TsrOptionChanged changed)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  Class *class = g_new0 (Class, 1);

  *class = (Class){ prefix, options, n_options, changed, g_new0 (GParamSpec *, n_options + 1) };
  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), class_quark (), class);
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  for (guint i = 0; i < n_options; i++)
    {
      g_autofree char *action = g_strconcat (prefix, ".", options[i].name, NULL);

      if (options[i].name == NULL)
        continue;
      class->props[i + 1]
          = options[i].kind == TSR_VIEW_TEXT
                ? g_param_spec_string (options[i].name, NULL, NULL, "", flags)
            : options[i].get_nick != NULL
                ? g_param_spec_string (options[i].name, NULL, NULL,
                                       options[i].get_nick (options[i].usual), flags)
                : g_param_spec_boolean (options[i].name, NULL, NULL, options[i].usual != 0, flags);
      g_object_class_install_property (object_class, i + 1, class->props[i + 1]);
      gtk_widget_class_install_property_action (GTK_WIDGET_CLASS (klass), action, options[i].name);
    }
}
