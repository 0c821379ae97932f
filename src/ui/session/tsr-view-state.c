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
};

G_DEFINE_FINAL_TYPE (TsrViewState, tsr_view_state, G_TYPE_OBJECT)

static guint changed_signal;

gboolean
tsr_view_option_parse (const TsrViewOption *option, const char *nick, guint *value)
{
  g_return_val_if_fail (option != NULL && value != NULL, FALSE);

  for (guint i = 0; i < (option->get_nick != NULL ? option->n_values : 2); i++)
    if (g_strcmp0 (nick, tsr_view_option_get_nick (option, i)) == 0)
      {
        *value = i;
        return TRUE;
      }
  return FALSE;
}

const char *
tsr_view_option_get_nick (const TsrViewOption *option, guint value)
{
  g_return_val_if_fail (option != NULL, NULL);
  if (option->get_nick != NULL)
    return option->get_nick (value);
  return value != 0 ? "1" : "0";
}

static guint
read_setting (TsrViewState *self, const TsrViewOption *option)
{
  g_autofree char *nick = NULL;
  guint value = option->usual;

  if (option->setting == NULL)
    return value;
  if (option->get_nick == NULL)
    return tsr_settings_get_boolean (self->settings, option->setting);
  nick = tsr_settings_dup_string (self->settings, option->setting);
  tsr_view_option_parse (option, nick, &value);
  return value;
}

static void
write_setting (TsrViewState *self, const TsrViewOption *option, guint value)
{
  if (option->setting == NULL)
    return;
  if (option->get_nick == NULL)
    tsr_settings_set_boolean (self->settings, option->setting, value != 0);
  else
    tsr_settings_set_string (self->settings, option->setting, option->get_nick (value));
}

static void
tsr_view_state_finalize (GObject *object)
{
  TsrViewState *self = TSR_VIEW_STATE (object);

  g_clear_object (&self->settings);
  g_free (self->values);
  G_OBJECT_CLASS (tsr_view_state_parent_class)->finalize (object);
}

static void
tsr_view_state_class_init (TsrViewStateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_view_state_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
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
  g_return_val_if_fail (options != NULL && n_options > 0, NULL);
  self = g_object_new (TSR_TYPE_VIEW_STATE, NULL);
  self->settings = g_object_ref (settings);
  self->options = options;
  self->n_options = n_options;
  self->values = g_new0 (guint, n_options);
  tsr_view_state_reset (self);
  return self;
}

guint
tsr_view_state_get (TsrViewState *self, guint option)
{
  g_return_val_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options, 0);
  return self->values[option];
}

static void
set_value (TsrViewState *self, guint option, guint value)
{
  if (self->values[option] == value)
    return;
  self->values[option] = value;
  g_signal_emit (self, changed_signal, 0, option);
}

void
tsr_view_state_set (TsrViewState *self, guint option, guint value)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self) && option < self->n_options);
  if (self->values[option] == value)
    return;
  write_setting (self, &self->options[option], value);
  set_value (self, option, value);
}

void
tsr_view_state_reset (TsrViewState *self)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self));
  for (guint i = 0; i < self->n_options; i++)
    set_value (self, i, read_setting (self, &self->options[i]));
}

void
tsr_view_state_save_words (TsrViewState *self, GHashTable *words)
{
  g_return_if_fail (TSR_IS_VIEW_STATE (self) && words != NULL);
  for (guint i = 0; i < self->n_options; i++)
    if (self->options[i].is_named || self->values[i] != self->options[i].usual)
      tsr_words_set (words, self->options[i].word,
                     tsr_view_option_get_nick (&self->options[i], self->values[i]));
}

gboolean
tsr_view_state_is_whole (TsrViewState *self, GHashTable *words)
{
  g_return_val_if_fail (TSR_IS_VIEW_STATE (self) && words != NULL, FALSE);
  return tsr_words_get (words, self->options[0].word) != NULL;
}

void
tsr_view_state_load_words (TsrViewState *self, GHashTable *words)
{
  gboolean whole = tsr_view_state_is_whole (self, words);

  for (guint i = 0; i < self->n_options; i++)
    {
      const char *nick = tsr_words_get (words, self->options[i].word);
      guint value = nick == NULL && whole ? self->options[i].usual : self->values[i];

      if (nick != NULL)
        tsr_view_option_parse (&self->options[i], nick, &value);
      tsr_view_state_set (self, i, value);
    }
}
