/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Preferences over GSettings, or over a table of defaults when there is no schema. */

#include "config.h"

#include "tsr-settings.h"

struct _TsrSettings
{
  GObject parent_instance;

  GSettings *gsettings; /* NULL: no schema */
  GHashTable *values;   /* key -> GVariant, used without a schema */
};

G_DEFINE_FINAL_TYPE (TsrSettings, tsr_settings, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* The same keys, types and defaults as the schema in data/; tests/ui compares the two. */
static const char *const defaults[] = {
  "units",
  "s",
  "'binary'",
  "color-scheme",
  "s",
  "'system'",
  "sidebar",
  "s",
  "'auto'",
  "window-width",
  "i",
  "1280",
  "window-height",
  "i",
  "800",
  "window-maximized",
  "b",
  "false",
  "collapsed-sections",
  "as",
  "@as []",
  "options-filter",
  "s",
  "''",
  "options-recording-only",
  "b",
  "false",
  "open-folder",
  "s",
  "''",
  "open-show-hidden",
  "b",
  "false",
  "open-sort",
  "s",
  "'name'",
  "remote-hosts",
  "as",
  "@as []",
  "remote-identity-file",
  "s",
  "''",
  "remote-agent",
  "s",
  "''",
  "remote-cache-limit",
  "i",
  "4096",
  "memory-breakdown",
  "s",
  "'peak'",
  "memory-order",
  "s",
  "'software'",
  "memory-include-gaps",
  "b",
  "false",
  "memory-show-max",
  "b",
  "true",
  "memory-fit-data",
  "b",
  "false",
  "mini-map",
  "b",
  "false",
  "from-zero",
  "b",
  "false",
  "memory-hidden-series",
  "as",
  "@as []",
  "memory-details-expanded",
  "as",
  "@as ['excludingGaps']",
  "liveness-include-always-live",
  "b",
  "true",
  "liveness-show-max",
  "b",
  "true",
  "liveness-structure",
  "b",
  "true",
  "liveness-statistics",
  "b",
  "false",
  "liveness-lifetimes",
  "b",
  "true",
  "liveness-tab",
  "s",
  "'not-always-live'",
  "programs-grouped",
  "b",
  "true",
  "programs-tab",
  "s",
  "'variables'",
  "programs-width",
  "s",
  "'cycles'",
  "programs-hidden",
  "as",
  "@as []",
  "programs-columns",
  "as",
  "@as []",
  "operations-layer",
  "as",
  "@as []",
  "operations-group",
  "s",
  "'none'",
  "operations-columns",
  "as",
  "@as []",
  "operations-tab",
  "s",
  "'summary'",
  "trace-shape",
  "s",
  "'flame'",
  "trace-options",
  "as",
  "@as ['fold', 'balance', 'lanes', 'labels', 'blocks', 'align-clocks']",
};

const char *const *
tsr_settings_peek_defaults (guint *n_keys)
{
  *n_keys = G_N_ELEMENTS (defaults) / 3;
  return defaults;
}

static void
on_gsettings_changed (GSettings *gsettings, const char *key, TsrSettings *self)
{
  g_signal_emit (self, signals[CHANGED], g_quark_from_string (key), key);
}

static void
tsr_settings_finalize (GObject *object)
{
  TsrSettings *self = TSR_SETTINGS (object);

  g_clear_object (&self->gsettings);
  g_clear_pointer (&self->values, g_hash_table_unref);
  G_OBJECT_CLASS (tsr_settings_parent_class)->finalize (object);
}

static void
tsr_settings_class_init (TsrSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_settings_finalize;
  signals[CHANGED]
      = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED,
                      0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
tsr_settings_init (TsrSettings *self)
{
}

/* An older schema that lacks a key would end the program on the first look at it. */
static gboolean
schema_is_complete (GSettingsSchema *schema)
{
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i += 3)
    {
      g_autoptr (GSettingsSchemaKey) key = NULL;

      if (!g_settings_schema_has_key (schema, defaults[i]))
        return FALSE;
      key = g_settings_schema_get_key (schema, defaults[i]);
      if (!g_variant_type_equal (g_settings_schema_key_get_value_type (key),
                                 G_VARIANT_TYPE (defaults[i + 1])))
        return FALSE;
    }
  return TRUE;
}

TsrSettings *
tsr_settings_new (const char *schema_id)
{
  TsrSettings *self = g_object_new (TSR_TYPE_SETTINGS, NULL);
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, schema_id, TRUE);
  if (schema != NULL && schema_is_complete (schema))
    {
      self->gsettings = g_settings_new_full (schema, NULL, NULL);
      g_signal_connect_object (self->gsettings, "changed", G_CALLBACK (on_gsettings_changed), self,
                               0);
      return self;
    }
  self->values
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_variant_unref);
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i += 3)
    {
      GVariant *value
          = g_variant_parse (G_VARIANT_TYPE (defaults[i + 1]), defaults[i + 2], NULL, NULL, NULL);

      g_assert (value != NULL);
      g_hash_table_insert (self->values, g_strdup (defaults[i]), value);
    }
  return self;
}

TsrSettings *
tsr_settings_get_default (void)
{
  static TsrSettings *instance;

  if (instance == NULL)
    instance = tsr_settings_new (TSR_APP_ID);
  return instance;
}

gboolean
tsr_settings_is_persistent (TsrSettings *self)
{
  g_return_val_if_fail (TSR_IS_SETTINGS (self), FALSE);
  return self->gsettings != NULL;
}

static GVariant *
get_value (TsrSettings *self, const char *key, const char *type)
{
  GVariant *value;

  if (self->gsettings != NULL)
    return g_settings_get_value (self->gsettings, key);
  value = g_hash_table_lookup (self->values, key);
  g_assert (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE (type)));
  return g_variant_ref (value);
}

static void
set_value (TsrSettings *self, const char *key, GVariant *value)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  g_autoptr (GVariant) old = get_value (self, key, g_variant_get_type_string (owned));

  if (g_variant_equal (old, owned))
    return;
  if (self->gsettings != NULL)
    {
      g_settings_set_value (self->gsettings, key, owned);
      return;
    }
  g_hash_table_replace (self->values, g_strdup (key), g_variant_ref (owned));
  g_signal_emit (self, signals[CHANGED], g_quark_from_string (key), key);
}

gboolean
tsr_settings_get_boolean (TsrSettings *self, const char *key)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (TSR_IS_SETTINGS (self) && key != NULL, FALSE);
  value = get_value (self, key, "b");
  return g_variant_get_boolean (value);
}

int
tsr_settings_get_int (TsrSettings *self, const char *key)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (TSR_IS_SETTINGS (self) && key != NULL, 0);
  value = get_value (self, key, "i");
  return g_variant_get_int32 (value);
}

char *
tsr_settings_dup_string (TsrSettings *self, const char *key)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (TSR_IS_SETTINGS (self) && key != NULL, NULL);
  value = get_value (self, key, "s");
  return g_variant_dup_string (value, NULL);
}

GStrv
tsr_settings_dup_strv (TsrSettings *self, const char *key)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (TSR_IS_SETTINGS (self) && key != NULL, NULL);
  value = get_value (self, key, "as");
  return g_variant_dup_strv (value, NULL);
}

void
tsr_settings_set_boolean (TsrSettings *self, const char *key, gboolean value)
{
  g_return_if_fail (TSR_IS_SETTINGS (self) && key != NULL);
  set_value (self, key, g_variant_new_boolean (value));
}

void
tsr_settings_set_int (TsrSettings *self, const char *key, int value)
{
  g_return_if_fail (TSR_IS_SETTINGS (self) && key != NULL);
  set_value (self, key, g_variant_new_int32 (value));
}

void
tsr_settings_set_string (TsrSettings *self, const char *key, const char *value)
{
  g_autofree char *text = g_utf8_make_valid (value != NULL ? value : "", -1);

  g_return_if_fail (TSR_IS_SETTINGS (self) && key != NULL);
  set_value (self, key, g_variant_new_string (text));
}

void
tsr_settings_set_strv (TsrSettings *self, const char *key, const char *const *value)
{
  g_return_if_fail (TSR_IS_SETTINGS (self) && key != NULL && value != NULL);
  set_value (self, key, g_variant_new_strv (value, -1));
}

TsrUnits
tsr_settings_get_units (TsrSettings *self)
{
  g_autofree char *nick = tsr_settings_dup_string (self, "units");
  TsrUnits units = TSR_UNITS_BINARY;

  if (!tsr_units_parse (nick, &units))
    units = TSR_UNITS_BINARY;
  return units;
}

gboolean
tsr_settings_has_word (TsrSettings *self, const char *key, const char *word)
{
  g_auto (GStrv) words = tsr_settings_dup_strv (self, key);

  return words != NULL && g_strv_contains ((const char *const *)words, word);
}

void
tsr_settings_set_word (TsrSettings *self, const char *key, const char *word, gboolean in)
{
  g_auto (GStrv) words = tsr_settings_dup_strv (self, key);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) changed = NULL;

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    if (!g_str_equal (words[i], word))
      g_strv_builder_add (builder, words[i]);
  if (in)
    g_strv_builder_add (builder, word);
  changed = g_strv_builder_end (builder);
  tsr_settings_set_strv (self, key, (const char *const *)changed);
}
