/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recent reports in a key file: one group for each, paths escaped so that any bytes survive. */

#include "config.h"

#include "tsr-recents.h"

#include "tsr-location-texts.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct _TsrRecent
{
  GObject parent_instance;

  char *path, *name;
  char *host, *shown_path; /* of the path; host (nullable) */
  GStrv ids;               /* what it is, however it was opened; empty where that is not known */
  gint64 time;
  TsrOutcome outcome;
  double fullest;
};

G_DEFINE_FINAL_TYPE (TsrRecent, tsr_recent, G_TYPE_OBJECT)

struct _TsrRecents
{
  GObject parent_instance;

  char *file;
  GPtrArray *items; /* TsrRecent, newest first */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrRecents,
                               tsr_recents,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* ---------------------------------------------------------------- one report */

static void
tsr_recent_finalize (GObject *object)
{
  g_free (TSR_RECENT (object)->path);
  g_free (TSR_RECENT (object)->name);
  g_free (TSR_RECENT (object)->host);
  g_free (TSR_RECENT (object)->shown_path);
  g_strfreev (TSR_RECENT (object)->ids);
  G_OBJECT_CLASS (tsr_recent_parent_class)->finalize (object);
}

static void
tsr_recent_class_init (TsrRecentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_recent_finalize;
}

static void
tsr_recent_init (TsrRecent *self)
{
  self->fullest = NAN;
  self->ids = g_new0 (char *, 1);
}

static void
set_path (TsrRecent *self, char *path)
{
  self->path = path;
  self->host = tsr_location_dup_host (path);
  self->shown_path = tsr_location_dup_shown_path (path);
}

const char *
tsr_recent_get_host (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), NULL);
  return self->host;
}

const char *
tsr_recent_get_shown_path (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), NULL);
  return self->shown_path;
}

const char *
tsr_recent_get_path (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), NULL);
  return self->path;
}

const char *
tsr_recent_get_name (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), NULL);
  return self->name;
}

gint64
tsr_recent_get_time (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), 0);
  return self->time;
}

TsrOutcome
tsr_recent_get_outcome (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), TSR_OUTCOME_UNKNOWN);
  return self->outcome;
}

double
tsr_recent_get_fullest (TsrRecent *self)
{
  g_return_val_if_fail (TSR_IS_RECENT (self), NAN);
  return self->fullest;
}

gboolean
tsr_recent_matches (TsrRecent *self, const char *text)
{
  g_autofree char *both = NULL;
  g_autofree char *folded = NULL;
  g_autofree char *wanted = NULL;

  g_return_val_if_fail (TSR_IS_RECENT (self), FALSE);
  both = g_strjoin ("\n", self->name, self->shown_path, self->host, NULL);
  folded = g_utf8_casefold (both, -1);
  wanted = g_utf8_casefold (text != NULL ? text : "", -1);
  return strstr (folded, wanted) != NULL;
}

/* ---------------------------------------------------------------- list model */

static GType
list_get_item_type (GListModel *model)
{
  return TSR_TYPE_RECENT;
}

static guint
list_get_n_items (GListModel *model)
{
  return TSR_RECENTS (model)->items->len;
}

static gpointer
list_get_item (GListModel *model, guint position)
{
  GPtrArray *items = TSR_RECENTS (model)->items;

  return position < items->len ? g_object_ref (g_ptr_array_index (items, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = list_get_item_type;
  iface->get_n_items = list_get_n_items;
  iface->get_item = list_get_item;
}

/* ---------------------------------------------------------------- file */

static const char *const outcome_words[] = { "unknown", "fits", "does-not-fit", "incomplete" };

static TsrRecent *
read_item (GKeyFile *keys, const char *group)
{
  g_autoptr (TsrRecent) item = g_object_new (TSR_TYPE_RECENT, NULL);
  g_autofree char *path = g_key_file_get_string (keys, group, "path", NULL);
  g_autofree char *word = g_key_file_get_string (keys, group, "outcome", NULL);

  if (path == NULL || *path == '\0')
    return NULL;
  set_path (item, g_strcompress (path));
  item->name = g_key_file_get_string (keys, group, "name", NULL);
  if (item->name == NULL)
    item->name = g_path_get_basename (item->shown_path);
  item->time = MAX (g_key_file_get_int64 (keys, group, "time", NULL), 0);
  for (guint i = 0; i < G_N_ELEMENTS (outcome_words); i++)
    if (g_strcmp0 (word, outcome_words[i]) == 0)
      item->outcome = i;
  if (g_key_file_has_key (keys, group, "fullest", NULL))
    item->fullest = g_key_file_get_double (keys, group, "fullest", NULL);
  if (item->fullest < 0)
    item->fullest = NAN;
  if (g_key_file_has_key (keys, group, "ids", NULL))
    {
      g_strfreev (item->ids);
      item->ids = g_key_file_get_string_list (keys, group, "ids", NULL, NULL);
      if (item->ids == NULL)
        item->ids = g_new0 (char *, 1);
    }
  return g_steal_pointer (&item);
}

/* (transfer full): what the file holds now; a damaged file is an empty list. */
static GPtrArray *
read_file (TsrRecents *self)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_auto (GStrv) groups = NULL;

  if (!g_key_file_load_from_file (keys, self->file, G_KEY_FILE_NONE, NULL))
    return items;
  groups = g_key_file_get_groups (keys, NULL);
  for (guint i = 0; groups[i] != NULL && items->len < TSR_RECENTS_MAX; i++)
    {
      TsrRecent *item = read_item (keys, groups[i]);

      if (item != NULL)
        g_ptr_array_add (items, item);
    }
  return items;
}

static void
write_file (TsrRecents *self, GPtrArray *items)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autofree char *folder = g_path_get_dirname (self->file);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < items->len; i++)
    {
      TsrRecent *item = g_ptr_array_index (items, i);
      g_autofree char *group = g_strdup_printf ("report %u", i + 1);
      g_autofree char *path = g_strescape (item->path, NULL);

      g_key_file_set_string (keys, group, "path", path);
      g_key_file_set_string (keys, group, "name", item->name);
      g_key_file_set_int64 (keys, group, "time", item->time);
      g_key_file_set_string (keys, group, "outcome", outcome_words[item->outcome]);
      if (item->ids[0] != NULL)
        g_key_file_set_string_list (keys, group, "ids", (const char *const *)item->ids,
                                    g_strv_length (item->ids));
      if (!isnan (item->fullest))
        g_key_file_set_double (keys, group, "fullest", item->fullest);
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_info ("%s: %s", folder, g_strerror (errno));
  else if (!g_key_file_save_to_file (keys, self->file, &error))
    g_info ("recent reports are not kept: %s", error->message);
}

static guint
find_item (GPtrArray *items, const char *path)
{
  for (guint i = 0; i < items->len; i++)
    if (g_str_equal (TSR_RECENT (g_ptr_array_index (items, i))->path, path))
      return i;
  return G_MAXUINT;
}

/* Takes @items. */
static void
replace_items (TsrRecents *self, GPtrArray *items)
{
  guint n_old = self->items->len;

  g_ptr_array_unref (self->items);
  self->items = items;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_old, items->len);
}

void
tsr_recents_refresh (TsrRecents *self)
{
  g_return_if_fail (TSR_IS_RECENTS (self));
  replace_items (self, read_file (self));
}

void
tsr_recents_add (TsrRecents *self, const char *path, const char *name)
{
  GPtrArray *items;
  TsrRecent *item;
  guint at;

  g_return_if_fail (TSR_IS_RECENTS (self) && path != NULL);
  items = read_file (self);
  at = find_item (items, path);
  if (at != G_MAXUINT)
    item = g_ptr_array_steal_index (items, at);
  else
    {
      item = g_object_new (TSR_TYPE_RECENT, NULL);
      set_path (item, g_strdup (path));
    }
  g_free (item->name);
  item->name = name != NULL ? g_utf8_make_valid (name, -1) : g_path_get_basename (item->shown_path);
  item->time = g_get_real_time () / G_USEC_PER_SEC;
  g_ptr_array_insert (items, 0, item);
  if (items->len > TSR_RECENTS_MAX)
    g_ptr_array_set_size (items, TSR_RECENTS_MAX);
  write_file (self, items);
  replace_items (self, items);
}

static gboolean
share_one (GStrv a, GStrv b)
{
  for (; *a != NULL; a++)
    if (g_strv_contains ((const char *const *)b, *a))
      return TRUE;
  return FALSE;
}

void
tsr_recents_identify (TsrRecents *self, const char *path, const char *const *ids)
{
  GPtrArray *items;
  TsrRecent *item;
  guint at;

  g_return_if_fail (TSR_IS_RECENTS (self) && path != NULL && ids != NULL);
  items = read_file (self);
  at = find_item (items, path);
  if (at != G_MAXUINT)
    {
      item = g_ptr_array_index (items, at);
      g_strfreev (item->ids);
      item->ids = g_strdupv ((char **)ids);
      for (guint i = items->len; i-- > 0;)
        if (i != at && share_one (item->ids, TSR_RECENT (items->pdata[i])->ids))
          g_ptr_array_remove_index (items, i);
      write_file (self, items);
    }
  replace_items (self, items);
}

void
tsr_recents_set_outcome (TsrRecents *self, const char *path, TsrOutcome outcome, double fullest)
{
  GPtrArray *items;
  TsrRecent *item;
  guint at;

  g_return_if_fail (TSR_IS_RECENTS (self) && path != NULL);
  items = read_file (self);
  at = find_item (items, path);
  if (at != G_MAXUINT)
    {
      item = g_ptr_array_index (items, at);
      item->outcome = outcome;
      item->fullest = fullest;
      write_file (self, items);
    }
  replace_items (self, items);
}

void
tsr_recents_remove (TsrRecents *self, const char *path)
{
  GPtrArray *items;
  guint at;

  g_return_if_fail (TSR_IS_RECENTS (self) && path != NULL);
  items = read_file (self);
  at = find_item (items, path);
  if (at != G_MAXUINT)
    {
      g_ptr_array_remove_index (items, at);
      write_file (self, items);
    }
  replace_items (self, items);
}

gboolean
tsr_recents_contains (TsrRecents *self, const char *path)
{
  g_return_val_if_fail (TSR_IS_RECENTS (self) && path != NULL, FALSE);
  return find_item (self->items, path) != G_MAXUINT;
}

static void
tsr_recents_finalize (GObject *object)
{
  TsrRecents *self = TSR_RECENTS (object);

  g_free (self->file);
  g_ptr_array_unref (self->items);
  G_OBJECT_CLASS (tsr_recents_parent_class)->finalize (object);
}

static void
tsr_recents_class_init (TsrRecentsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_recents_finalize;
}

static void
tsr_recents_init (TsrRecents *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
}

TsrRecents *
tsr_recents_new (const char *file)
{
  TsrRecents *self;

  g_return_val_if_fail (file != NULL, NULL);
  self = g_object_new (TSR_TYPE_RECENTS, NULL);
  self->file = g_strdup (file);
  tsr_recents_refresh (self);
  return self;
}

TsrRecents *
tsr_recents_get_default (void)
{
  static TsrRecents *instance;

  if (instance == NULL)
    {
      g_autofree char *file
          = g_build_filename (g_get_user_state_dir (), "tessera", "recent-reports", NULL);

      instance = tsr_recents_new (file);
    }
  return instance;
}
