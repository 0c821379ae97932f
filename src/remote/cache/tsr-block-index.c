/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers are in the machine's byte order: caches are not moved between machines, and a moved one
 * would have the wrong magic. */

#include "config.h"

#include "tsr-block-index.h"

#include <string.h>

#define INDEX_MAGIC   G_GUINT64_CONSTANT (0x3130584954525354) /* "TSRTIX01" */
#define LISTING_MAGIC G_GUINT64_CONSTANT (0x3130534c54525354) /* "TSRTLS01" */
#define LISTING_TYPE  "(ayaya(ayxxu))"

/* Fixed part of a head; host and path follow, each with its NUL. */
typedef struct
{
  guint64 magic;
  guint64 sum; /* of the whole head with 0 here */
  guint64 block_bytes;
  gint64 size, mtime_us;
  guint64 host_length, path_length;
} Head;

enum
{
  IS_FOLDER = 1,
  IS_LINK = 2,
  IS_DANGLING = 4,
  IS_READABLE = 8,
};

void
tsr_block_key_clear (TsrBlockKey *key)
{
  g_clear_pointer (&key->host, g_free);
  g_clear_pointer (&key->path, g_free);
}

static guint64
count_blocks (gint64 size)
{
  return ((guint64)MAX (size, 0) + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES;
}

guint64
tsr_block_key_count_blocks (const TsrBlockKey *key)
{
  return count_blocks (key->size);
}

gsize
tsr_block_get_length (gint64 size, guint64 block)
{
  if (block >= count_blocks (size))
    return 0;
  return MIN (TSR_BLOCK_BYTES, (guint64)size - block * TSR_BLOCK_BYTES);
}

/* ----------------------------------------------------------------- checksum */

static guint64
mix (guint64 sum, guint64 word)
{
  /* Source: the multiply and shift of MurmurHash3's finalizer; against accidents, not against
   * people. */
  sum = (sum ^ word) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return sum ^ sum >> 32;
}

guint64
tsr_block_sum (guint64 block, const guint8 *bytes, gsize length)
{
  guint64 sums[4];
  guint64 sum, word;
  gsize i = 0;

  for (guint j = 0; j < G_N_ELEMENTS (sums); j++)
    sums[j] = mix (block, length + j + 1);
  /* Four chains, which the processor works on at once. */
  for (; i + 32 <= length; i += 32)
    for (guint j = 0; j < 4; j++)
      {
        memcpy (&word, bytes + i + 8 * j, 8);
        sums[j] = mix (sums[j], word);
      }
  sum = mix (mix (mix (sums[0], sums[1]), sums[2]), sums[3]);
  for (; i < length; i += 8)
    {
      word = 0;
      memcpy (&word, bytes + i, MIN (8, length - i));
      sum = mix (sum, word);
    }
  return sum != 0 ? sum : 1;
}

/* --------------------------------------------------------------------- head */

/* Host and path, each with its NUL, stand behind it. */
static gboolean
fit (const Head *fixed)
{
  const guint64 room = TSR_INDEX_HEAD_BYTES - sizeof *fixed - 2;

  return fixed->host_length <= room && fixed->path_length <= room - fixed->host_length;
}

gboolean
tsr_block_index_write_head (const TsrBlockKey *key, guint8 head[TSR_INDEX_HEAD_BYTES])
{
  Head fixed = {
    .magic = INDEX_MAGIC,
    .block_bytes = TSR_BLOCK_BYTES,
    .size = key->size,
    .mtime_us = key->mtime_us,
    .host_length = strlen (key->host),
    .path_length = strlen (key->path),
  };

  if (!fit (&fixed))
    return FALSE;
  memset (head, 0, TSR_INDEX_HEAD_BYTES);
  memcpy (head, &fixed, sizeof fixed);
  memcpy (head + sizeof fixed, key->host, fixed.host_length);
  memcpy (head + sizeof fixed + fixed.host_length + 1, key->path, fixed.path_length);
  fixed.sum = tsr_block_sum (0, head, TSR_INDEX_HEAD_BYTES);
  memcpy (head, &fixed, sizeof fixed);
  return TRUE;
}

gboolean
tsr_block_index_read_head (const guint8 *head, gsize length, guint64 index_size, TsrBlockKey *key)
{
  g_autofree guint8 *copy = NULL;
  Head fixed;
  guint64 sum;
  const char *host, *path;

  memset (key, 0, sizeof *key);
  if (length < TSR_INDEX_HEAD_BYTES)
    return FALSE;
  memcpy (&fixed, head, sizeof fixed);
  if (fixed.magic != INDEX_MAGIC || fixed.block_bytes != TSR_BLOCK_BYTES || fixed.size < 0
      || !fit (&fixed))
    return FALSE;
  copy = g_memdup2 (head, TSR_INDEX_HEAD_BYTES);
  sum = fixed.sum;
  fixed.sum = 0;
  memcpy (copy, &fixed, sizeof fixed);
  host = (const char *)head + sizeof fixed;
  path = host + fixed.host_length + 1;
  if (sum != tsr_block_sum (0, copy, TSR_INDEX_HEAD_BYTES)
      || memchr (host, '\0', fixed.host_length) != NULL || host[fixed.host_length] != '\0'
      || memchr (path, '\0', fixed.path_length) != NULL || path[fixed.path_length] != '\0')
    return FALSE;
  key->size = fixed.size;
  key->mtime_us = fixed.mtime_us;
  if (tsr_block_key_count_blocks (key) > TSR_INDEX_MAX_BLOCKS
      || index_size != TSR_INDEX_HEAD_BYTES + 8 * tsr_block_key_count_blocks (key))
    return FALSE;
  key->host = g_strndup (host, fixed.host_length);
  key->path = g_strndup (path, fixed.path_length);
  return TRUE;
}

/* -------------------------------------------------------------------- names */

static char *
hash_two (const char *first, const char *second)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  /* With their NULs, so that nothing of one passes for the other. */
  g_checksum_update (checksum, (const guchar *)first, (gssize)strlen (first) + 1);
  g_checksum_update (checksum, (const guchar *)second, (gssize)strlen (second) + 1);
  return g_strndup (g_checksum_get_string (checksum), 32);
}

char *
tsr_block_key_dup_place (const char *host, const char *path)
{
  return hash_two (host, path);
}

char *
tsr_block_key_dup_name (const TsrBlockKey *key)
{
  g_autofree char *place = tsr_block_key_dup_place (key->host, key->path);
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT, key->size);
  g_autofree char *mtime = g_strdup_printf ("%" G_GINT64_FORMAT, key->mtime_us);
  g_autofree char *state = hash_two (size, mtime);

  state[16] = '\0';
  return g_strconcat (place, "-", state, NULL);
}

/* ----------------------------------------------------------------- listings */

GBytes *
tsr_listing_write (const char *host, const char *path, GPtrArray *entries)
{
  g_autoptr (GVariant) variant = NULL;
  GVariantBuilder builder;
  guint64 head[2] = { LISTING_MAGIC };
  GByteArray *bytes = g_byte_array_new ();

  g_variant_builder_init (&builder, G_VARIANT_TYPE (LISTING_TYPE));
  g_variant_builder_add (&builder, "^ay", host);
  g_variant_builder_add (&builder, "^ay", path);
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("a(ayxxu)"));
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);
      guint32 flags = (entry->is_folder ? IS_FOLDER : 0) | (entry->is_link ? IS_LINK : 0)
                      | (entry->is_dangling ? IS_DANGLING : 0)
                      | (entry->is_readable ? IS_READABLE : 0);

      g_variant_builder_add (&builder, "(^ayxxu)", entry->name, entry->size, entry->mtime_us,
                             flags);
    }
  g_variant_builder_close (&builder);
  variant = g_variant_ref_sink (g_variant_builder_end (&builder));
  head[1] = tsr_block_sum (0, g_variant_get_data (variant), g_variant_get_size (variant));
  g_byte_array_append (bytes, (const guint8 *)head, sizeof head);
  g_byte_array_append (bytes, g_variant_get_data (variant), g_variant_get_size (variant));
  return g_byte_array_free_to_bytes (bytes);
}

static gboolean
is_name (const char *name)
{
  return *name != '\0' && strchr (name, '/') == NULL && strcmp (name, ".") != 0
         && strcmp (name, "..") != 0;
}

GPtrArray *
tsr_listing_read (const char *host, const char *path, const guint8 *bytes, gsize length)
{
  g_autoptr (GPtrArray) entries
      = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
  g_autoptr (GBytes) body = NULL;
  g_autoptr (GVariant) variant = NULL;
  g_autoptr (GVariantIter) iter = NULL;
  guint64 head[2];
  const char *its_host, *its_path, *name;
  gint64 size, mtime_us;
  guint32 flags;

  if (length < sizeof head)
    return NULL;
  memcpy (head, bytes, sizeof head);
  if (head[0] != LISTING_MAGIC
      || head[1] != tsr_block_sum (0, bytes + sizeof head, length - sizeof head))
    return NULL;
  body = g_bytes_new (bytes + sizeof head, length - sizeof head);
  variant
      = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (LISTING_TYPE), body, FALSE));
  if (!g_variant_is_normal_form (variant))
    return NULL;
  g_variant_get (variant, "(^&ay^&aya(ayxxu))", &its_host, &its_path, &iter);
  if (strcmp (its_host, host) != 0 || strcmp (its_path, path) != 0)
    return NULL;
  while (g_variant_iter_next (iter, "(^&ayxxu)", &name, &size, &mtime_us, &flags))
    {
      TsrFolderEntry *entry;

      if (!is_name (name) || size < 0)
        return NULL;
      entry = g_new0 (TsrFolderEntry, 1);
      entry->name = g_strdup (name);
      entry->size = size;
      entry->mtime_us = mtime_us;
      entry->is_folder = (flags & IS_FOLDER) != 0;
      entry->is_link = (flags & IS_LINK) != 0;
      entry->is_dangling = (flags & IS_DANGLING) != 0;
      entry->is_readable = (flags & IS_READABLE) != 0;
      g_ptr_array_add (entries, entry);
    }
  return g_steal_pointer (&entries);
}
