/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values by the place of their option in the table. */

#include "config.h"

#include "tsr-view-state.h"

#include "tsr-link.h"

struct _TsrViewState
{
  GObject parent_instance;

  TsrSettings *settings;
  const TsrViewOption *options;
  guint n_options;
  guint *values;
  char **texts;    /* never NULL for an option that is a text */
  guint64 changed; /* not told yet */
  guint holds;
};

G_DEFINE_FINAL_TYPE (TsrViewState, tsr_view_state, G_TYPE_OBJECT)

static guint changed_signal;

static gboolean
is_value (const TsrViewOption *option, guint value)
{
  if (option->kind == TSR_VIEW_NUMBER)
    return value >= option->least && (option->most == 0 || value <= option->most);
  return value < (option->get_nick != NULL ? option->n_values : 2);
}

static const char *
tsr_view_option_get_nick (const TsrViewOption *option, guint value)
{
  g_return_val_if_fail (option != NULL, NULL);
  if (option->get_nick != NULL)
    return option->get_nick (value);
  return value != 0 ? "1" : "0";
}

gboolean
tsr_view_option_parse (const TsrViewOption *option, const char *nick, guint *value)
{
  guint64 number;

  g_return_val_if_fail (option != NULL && value != NULL, FALSE);

  if (option->kind == TSR_VIEW_NUMBER)
    {
      if (nick == NULL || !g_ascii_string_to_unsigned (nick, 10, 0, G_MAXINT, &number, NULL)
          || !is_value (option, (guint)number))
        return FALSE;
      *value = (guint)number;
      return TRUE;
    }
  for (guint i = 0; is_value (option, i); i++)
    if (g_strcmp0 (nick, tsr_view_option_get_nick (option, i)) == 0)
      {
        *value = i;
        return TRUE;
      }
  return FALSE;
}

/* One option.  Who changes several tells of them when all are there. */

static void
tell (TsrViewState *self)
{
  guint64 changed = self->changed;

  if (self->holds > 0 || changed == 0)
    return;
  self->changed = 0;
  g_signal_emit (self, changed_signal, 0, changed);
}

static gboolean
put (TsrViewState *self, guint option, guint value, const char *text)
{
  if (self->options[option].kind != TSR_VIEW_TEXT)
    {
      if (self->values[option] == value)
        return FALSE;
      self->values[option] = value;
    }
  else
    {
      if (g_strcmp0 (self->texts[option], text) == 0)
        return FALSE;
      g_free (self->texts[option]);
      self->texts[option] = g_strdup (text);
    }
  self->changed |= TSR_VIEW_BIT (option);
  return TRUE;
}

static void
read_setting (TsrViewState *self, guint i)
{
  const TsrViewOption *option = &self->options[i];
  guint value = option->usual;
  g_autofree char *text = NULL;

  if (option->setting == NULL)
    put (self, i, value, "");
  else if (option->kind == TSR_VIEW_TEXT)
    {
      g_auto (GStrv) lines = tsr_settings_dup_strv (self->settings, option->setting);

      text = g_strjoinv ("\n", lines);
      put (self, i, 0, text);
    }
  else if (option->is_in_list)
    put (self, i, tsr_settings_has_word (self->settings, option->setting, option->name), NULL);
  else if (option->get_nick == NULL)
    put (self, i, tsr_settings_get_boolean (self->settings, option->setting), NULL);
  else
    {
      text = tsr_settings_dup_string (self->settings, option->setting);
      tsr_view_option_parse (option, text, &value);
      put (self, i, value, NULL);
    }
}

static void
write_setting (TsrViewState *self, guint i)
{
  const TsrViewOption *option = &self->options[i];
  guint value = self->values[i];

  if (option->setting == NULL)
    return;
  if (option->kind == TSR_VIEW_TEXT)
    {
      g_auto (GStrv) lines = tsr_view_state_dup_lines (self, i);

      tsr_settings_set_strv (self->settings, option->setting, (const char *const *)lines);
    }
  else if (option->is_in_list)
    tsr_settings_set_word (self->settings, option->setting, option->name, value != 0);
  else if (option->get_nick == NULL)
    tsr_settings_set_boolean (self->settings, option->setting, value != 0);
  else
    tsr_settings_set_string (self->settings, option->setting, option->get_nick (value));
}

static void
take (TsrViewState *self, guint option, guint value, const char *text)
{
  if (put (self, option, value, text))
    write_setting (self, option);
}

static void
tsr_view_state_finalize (GObject *object)
{
  TsrViewState *self = TSR_VIEW_STATE (object);

  g_clear_object (&self->settings);
  g_free (self->values);
  for (guint i = 0; i < self->n_options; i++)
    g_free (self->texts[i]);
  g_free (self->texts);
  G_OBJECT_CLASS (tsr_view_state_parent_class)->finalize (object);
}

static void
tsr_view_state_class_init (TsrViewStateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_view_state_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
}

static void
tsr_view_state_init (TsrViewState *self)
{
}

TsrViewState *
tsr_view_state_new (TsrSettings *settings, const TsrViewOption *options, guint n_options)
{
  TsrViewState *self;

  g_return_val_if_fail (TSR_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (options != NULL && n_options > 0 && n_options <= 64, NULL);
  self = g_object_new (TSR_TYPE_VIEW_STATE, NULL);
  self->settings = g_object_ref (settings);
  self->options = options;
  self->n_options = n_options;
  self->values = g_new0 (guint, n_options);
  self->texts = g_new0 (char *, n_options);
  tsr_view_state_reset (self);
  return self;
}

guint
tsr_view_state_get (TsrViewState *self, guint option)
{
  g_return_val_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options, 0);
  return self->values[option];
}

void
tsr_view_state_set (TsrViewState *self, guint option, guint value)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options);
  take (self, option, value, NULL);
  tell (self);
}

const char *
tsr_view_state_get_text (TsrViewState *self, guint option)
{
  g_return_val_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options, "");
  return self->texts[option];
}

void
tsr_view_state_set_text (TsrViewState *self, guint option, const char *text)
{
  g_autofree char *own = g_strdup (text != NULL ? text : "");

  g_return_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options);
  take (self, option, 0, own);
  tell (self);
}

GStrv
tsr_view_state_dup_lines (TsrViewState *self, guint option)
{
  g_return_val_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options, NULL);
  return g_strsplit (self->texts[option], "\n", -1);
}

void
tsr_view_state_set_lines (TsrViewState *self, guint option, const char *const *lines)
{
  g_autofree char *text = lines != NULL ? g_strjoinv ("\n", (char **)lines) : NULL;

  g_return_if_fail (TSR_IS_VIEW_STATE (self));
  tsr_view_state_set_text (self, option, text);
}

void
tsr_view_state_hold (TsrViewState *self)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self));
  self->holds++;
}

void
tsr_view_state_release (TsrViewState *self)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self) && self->holds > 0);
  self->holds--;
  tell (self);
}

void
tsr_view_state_reset (TsrViewState *self)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self));
  for (guint i = 0; i < self->n_options; i++)
    read_setting (self, i);
  tell (self);
}

/* Widgets */

typedef struct
{
  guint option;
  const char *property; /* interned */
} Binding;

static GQuark
binding_quark (void)
{
  return g_quark_from_static_string ("tsr-view-state-binding");
}

static void
on_widget (GObject *widget, GParamSpec *pspec, TsrViewState *self)
{
  const Binding *binding = g_object_get_qdata (widget, binding_quark ());
  const TsrViewOption *option = &self->options[binding->option];
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, option->kind == TSR_VIEW_TEXT ? G_TYPE_STRING : G_TYPE_UINT);
  g_object_get_property (widget, binding->property, &value);
  if (option->kind == TSR_VIEW_TEXT)
    tsr_view_state_set_text (self, binding->option, g_value_get_string (&value));
  else if (is_value (option, g_value_get_uint (&value)))
    tsr_view_state_set (self, binding->option, g_value_get_uint (&value));
}

/* An entry that is told what it says loses its cursor. */
static void
show_in_widget (TsrViewState *self, guint64 changed, GObject *widget)
{
  const Binding *binding = g_object_get_qdata (widget, binding_quark ());
  const char *text = self->texts[binding->option];
  gboolean is_text = self->options[binding->option].kind == TSR_VIEW_TEXT;
  g_auto (GValue) value = G_VALUE_INIT;

  if ((changed & TSR_VIEW_BIT (binding->option)) == 0)
    return;
  g_value_init (&value, is_text ? G_TYPE_STRING : G_TYPE_UINT);
  g_object_get_property (widget, binding->property, &value);
  if (is_text && g_strcmp0 (g_value_get_string (&value), text) == 0)
    return;
  if (is_text)
    g_value_set_string (&value, text);
  else
    g_value_set_uint (&value, self->values[binding->option]);
  g_object_set_property (widget, binding->property, &value);
}

void
tsr_view_state_bind (TsrViewState *self, guint option, gpointer widget, const char *property)
{
  g_autofree char *signal = NULL;
  Binding *binding;

  g_return_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options && G_IS_OBJECT (widget));
  g_return_if_fail (property != NULL);
  signal = g_strconcat ("notify::", property, NULL);
  binding = g_new (Binding, 1);
  *binding = (Binding){ option, g_intern_string (property) };
  g_object_set_qdata_full (widget, binding_quark (), binding, g_free);
  show_in_widget (self, TSR_VIEW_BIT (option), widget);
  g_signal_connect_object (widget, signal, G_CALLBACK (on_widget), self, 0);
  g_signal_connect_object (self, "changed", G_CALLBACK (show_in_widget), widget, 0);
}

/* Links */

static gboolean
is_told (TsrViewState *self, guint option)
{
  const TsrViewOption *o = &self->options[option];

  if (o->word == NULL)
    return FALSE;
  return o->where == 0 || ((o->where >> self->values[o->of] & 1) != 0 && is_told (self, o->of));
}

void
tsr_view_state_save_words (TsrViewState *self, GHashTable *words)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self) && words != NULL);
  for (guint i = 0; i < self->n_options; i++)
    {
      const TsrViewOption *option = &self->options[i];
      g_autofree char *number = NULL;

      if (!is_told (self, i))
        continue;
      if (option->kind == TSR_VIEW_TEXT)
        {
          if (*self->texts[i] != '\0')
            tsr_view_words_set (words, option->word, self->texts[i]);
        }
      else if (option->is_named || self->values[i] != option->usual)
        {
          number = g_strdup_printf ("%u", self->values[i]);
          tsr_view_words_set (words, option->word,
                              option->kind == TSR_VIEW_NUMBER
                                  ? number
                                  : tsr_view_option_get_nick (option, self->values[i]));
        }
    }
}

gboolean
tsr_view_state_is_whole (TsrViewState *self, GHashTable *words)
{
  g_return_val_if_fail (TSR_IS_VIEW_STATE (self) && words != NULL, FALSE);
  return tsr_view_words_get (words, self->options[0].word) != NULL;
}

void
tsr_view_state_load_words (TsrViewState *self, GHashTable *words)
{
  gboolean whole = tsr_view_state_is_whole (self, words);

  for (guint i = 0; i < self->n_options; i++)
    {
      const TsrViewOption *option = &self->options[i];
      const char *nick = is_told (self, i) ? tsr_view_words_get (words, option->word) : NULL;
      guint value = self->values[i];

      if (!is_told (self, i) || (nick == NULL && !whole && !option->is_passing))
        continue;
      if (nick == NULL)
        value = option->usual;
      else if (option->kind != TSR_VIEW_TEXT)
        tsr_view_option_parse (option, nick, &value);
      take (self, i, value, nick != NULL ? nick : "");
    }
  tell (self);
}
