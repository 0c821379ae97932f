/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Items and models of a value tree.  A JSON item points into the tree of its root and keeps the
 * root alive; an option item owns its texts. */

#include "config.h"

#include "tsr-value-tree.h"

#include <string.h>

struct _TsrValueItem
{
  GObject parent_instance;

  char *name, *value;
  GListStore *children; /* options only */
  TsrJson *root;        /* JSON only */
  const TsrJson *json;
};

G_DEFINE_FINAL_TYPE (TsrValueItem, tsr_value_item, G_TYPE_OBJECT)

static void
tsr_value_item_finalize (GObject *object)
{
  TsrValueItem *self = TSR_VALUE_ITEM (object);

  g_free (self->name);
  g_free (self->value);
  g_clear_object (&self->children);
  g_clear_pointer (&self->root, tsr_json_unref);
  G_OBJECT_CLASS (tsr_value_item_parent_class)->finalize (object);
}

static void
tsr_value_item_class_init (TsrValueItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_value_item_finalize;
}

static void
tsr_value_item_init (TsrValueItem *self)
{
}

const char *
tsr_value_item_get_name (TsrValueItem *self)
{
  g_return_val_if_fail (TSR_IS_VALUE_ITEM (self), NULL);
  return self->name;
}

const char *
tsr_value_item_get_value (TsrValueItem *self)
{
  g_return_val_if_fail (TSR_IS_VALUE_ITEM (self), NULL);
  return self->json != NULL ? tsr_json_get_text (self->json) : self->value;
}

static void
append_option (GString *text, TsrValueItem *self, int depth)
{
  g_string_append_printf (text, "%*s%s%s%s\n", 2 * depth, "", self->name,
                          *self->value != '\0' ? ": " : "", self->value);
  for (guint i = 0;
       self->children != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->children)); i++)
    {
      g_autoptr (TsrValueItem) child = g_list_model_get_item (G_LIST_MODEL (self->children), i);

      append_option (text, child, depth + 1);
    }
}

char *
tsr_value_item_dup_text (TsrValueItem *self)
{
  GString *text;

  g_return_val_if_fail (TSR_IS_VALUE_ITEM (self), NULL);
  text = g_string_new (NULL);
  if (self->json != NULL && tsr_json_get_kind (self->json) <= TSR_JSON_ARRAY)
    {
      g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (2);
      g_autofree char *json = NULL;

      tsr_json_write (self->json, writer, NULL);
      tsr_json_writer_finish (writer, FALSE);
      json = tsr_json_writer_dup_text (writer);
      g_string_append_printf (text, "%s: %s", self->name, g_strchomp (json));
    }
  else if (self->json != NULL)
    g_string_append_printf (text, "%s: %s", self->name, tsr_json_get_text (self->json));
  else
    {
      append_option (text, self, 0);
      g_string_truncate (text, text->len - 1);
    }
  return g_string_free (text, FALSE);
}

/* ---------------------------------------------------------------- JSON */

#define TSR_TYPE_JSON_MODEL (tsr_json_model_get_type ())
G_DECLARE_FINAL_TYPE (TsrJsonModel, tsr_json_model, TSR, JSON_MODEL, GObject)

struct _TsrJsonModel
{
  GObject parent_instance;

  TsrJson *root;
  const TsrJson *json;
};

static void json_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrJsonModel,
                               tsr_json_model,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, json_model_init))

static gboolean
is_container (const TsrJson *json)
{
  TsrJsonKind kind = tsr_json_get_kind (json);

  return kind == TSR_JSON_OBJECT || kind == TSR_JSON_ARRAY;
}

static GType
json_model_get_item_type (GListModel *model)
{
  return TSR_TYPE_VALUE_ITEM;
}

static guint
json_model_get_n_items (GListModel *model)
{
  TsrJsonModel *self = TSR_JSON_MODEL (model);

  return is_container (self->json) ? tsr_json_get_n_children (self->json) : 1;
}

static gpointer
json_model_get_item (GListModel *model, guint position)
{
  TsrJsonModel *self = TSR_JSON_MODEL (model);
  TsrValueItem *item;
  const TsrJson *json;

  if (position >= json_model_get_n_items (model))
    return NULL;
  json = is_container (self->json) ? tsr_json_get_child (self->json, position) : self->json;
  item = g_object_new (TSR_TYPE_VALUE_ITEM, NULL);
  item->root = tsr_json_ref (self->root);
  item->json = json;
  item->name = tsr_json_get_key (json) != NULL ? g_strdup (tsr_json_get_key (json))
                                               : g_strdup_printf ("[%u]", position);
  return item;
}

static void
json_model_init (GListModelInterface *iface)
{
  iface->get_item_type = json_model_get_item_type;
  iface->get_n_items = json_model_get_n_items;
  iface->get_item = json_model_get_item;
}

static void
tsr_json_model_finalize (GObject *object)
{
  g_clear_pointer (&TSR_JSON_MODEL (object)->root, tsr_json_unref);
  G_OBJECT_CLASS (tsr_json_model_parent_class)->finalize (object);
}

static void
tsr_json_model_class_init (TsrJsonModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_json_model_finalize;
}

static void
tsr_json_model_init (TsrJsonModel *self)
{
}

static GListModel *
json_model_new (TsrJson *root, const TsrJson *json)
{
  TsrJsonModel *self = g_object_new (TSR_TYPE_JSON_MODEL, NULL);

  self->root = tsr_json_ref (root);
  self->json = json;
  return G_LIST_MODEL (self);
}

GListModel *
tsr_value_model_new_json (TsrJson *root)
{
  g_return_val_if_fail (root != NULL, NULL);
  return json_model_new (root, root);
}

GListModel *
tsr_value_item_dup_children (TsrValueItem *self)
{
  g_return_val_if_fail (TSR_IS_VALUE_ITEM (self), NULL);
  if (self->children != NULL)
    return g_object_ref (G_LIST_MODEL (self->children));
  if (self->json != NULL && is_container (self->json) && tsr_json_get_n_children (self->json) > 0)
    return json_model_new (self->root, self->json);
  return NULL;
}

/* ---------------------------------------------------------------- options */

/* TRUE when @name or @value has every wanted word and none of the unwanted ones. */
static gboolean
matches (const char *name, const char *value, char **words)
{
  g_autofree char *text = g_strconcat (name, "\n", value, NULL);
  g_autofree char *folded = g_utf8_casefold (text, -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean unwanted = words[i][0] == '-' && words[i][1] != '\0';

      if (words[i][0] == '\0')
        continue;
      if ((strstr (folded, words[i] + (unwanted ? 1 : 0)) != NULL) == unwanted)
        return FALSE;
    }
  return TRUE;
}

/* The item of the group @path below @parent, found in @groups by its whole path. */
static TsrValueItem *
ensure_item (GHashTable *groups, GListStore *top, const char *path)
{
  TsrValueItem *item = g_hash_table_lookup (groups, path);
  const char *dot = strrchr (path, '.');
  GListStore *store = top;

  if (item != NULL)
    return item;
  item = g_object_new (TSR_TYPE_VALUE_ITEM, NULL);
  item->name = g_strdup (dot != NULL ? dot + 1 : path);
  item->value = g_strdup ("");
  if (dot != NULL)
    {
      g_autofree char *above = g_strndup (path, dot - path);
      TsrValueItem *parent = ensure_item (groups, top, above);

      if (parent->children == NULL)
        parent->children = g_list_store_new (TSR_TYPE_VALUE_ITEM);
      store = parent->children;
    }
  g_list_store_append (store, item);
  g_object_unref (item);
  g_hash_table_insert (groups, g_strdup (path), item);
  return item;
}

/* A name with absurdly many dots must not nest as deep. */
static gboolean
is_reasonable (const char *name)
{
  guint dots = 0;

  for (const char *p = name; *p != '\0'; p++)
    dots += *p == '.';
  return dots <= 16 && *name != '\0';
}

GListModel *
tsr_value_model_new_options (const char *const *pairs,
                             const char *filter,
                             gboolean (*accept) (const char *name),
                             guint *n_shown,
                             guint *n_all)
{
  GListStore *top = g_list_store_new (TSR_TYPE_VALUE_ITEM);
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folded = g_utf8_casefold (filter != NULL ? filter : "", -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t", -1);

  *n_shown = *n_all = 0;
  for (guint i = 0; pairs != NULL && pairs[i] != NULL && pairs[i + 1] != NULL; i += 2)
    {
      TsrValueItem *item;

      ++*n_all;
      if ((accept != NULL && !accept (pairs[i])) || !matches (pairs[i], pairs[i + 1], words))
        continue;
      ++*n_shown;
      if (is_reasonable (pairs[i]))
        item = ensure_item (groups, top, pairs[i]);
      else
        {
          item = g_object_new (TSR_TYPE_VALUE_ITEM, NULL);
          item->name = g_strdup (pairs[i]);
          g_list_store_append (top, item);
          g_object_unref (item);
        }
      g_free (item->value);
      item->value = g_strdup (pairs[i + 1]);
    }
  return G_LIST_MODEL (top);
}
