/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of the block cache: the head of an index, a kept listing.  The first byte tells which, and
 * whether the checksum is made right, for else hardly anything would get past it. */

#include "config.h"

#include "fuzz.h"
#include "tsr-block-index.h"

#include <string.h>

#define SUM_AT 8 /* in both files */

static void
try_head (const uint8_t *data, size_t size, gboolean mend)
{
  g_autofree guint8 *head = g_malloc0 (TSR_INDEX_HEAD_BYTES);
  g_autofree guint8 *again = g_malloc0 (TSR_INDEX_HEAD_BYTES);
  TsrBlockKey key;
  gint64 told;
  guint64 sum = 0, index_size;

  memcpy (head, data, MIN (size, TSR_INDEX_HEAD_BYTES));
  memcpy (&told, head + 24, sizeof told);
  if (mend)
    {
      memcpy (head + SUM_AT, &sum, sizeof sum);
      sum = tsr_block_sum (0, head, TSR_INDEX_HEAD_BYTES);
      memcpy (head + SUM_AT, &sum, sizeof sum);
    }
  index_size = TSR_INDEX_HEAD_BYTES + 8 * (((guint64)told + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES);
  if (tsr_block_index_read_head (head, TSR_INDEX_HEAD_BYTES, index_size, &key))
    {
      g_assert_cmpuint (tsr_block_key_count_blocks (&key), <=, TSR_INDEX_MAX_BLOCKS);
      g_assert_true (tsr_block_index_write_head (&key, again));
      tsr_block_key_clear (&key);
      g_assert_true (tsr_block_index_read_head (again, TSR_INDEX_HEAD_BYTES, index_size, &key));
    }
  tsr_block_key_clear (&key);
  g_assert_false (
      tsr_block_index_read_head (head, MIN (size, TSR_INDEX_HEAD_BYTES - 1), index_size, &key));
}

static void
try_listing (const uint8_t *data, size_t size, gboolean mend)
{
  g_autofree guint8 *bytes = g_malloc0 (MAX (size, 1));
  g_autoptr (GPtrArray) entries = NULL;
  guint64 sum;

  if (size > 0)
    memcpy (bytes, data, size);
  if (mend && size >= 16)
    {
      sum = tsr_block_sum (0, bytes + 16, size - 16);
      memcpy (bytes + SUM_AT, &sum, sizeof sum);
    }
  entries = tsr_listing_read ("h", "/r", bytes, size);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);

      g_assert_true (*entry->name != '\0' && strchr (entry->name, '/') == NULL);
      g_assert_cmpint (entry->size, >=, 0);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_begin ();
  if (size == 0)
    return 0;
  if ((data[0] & 2) == 0)
    try_head (data + 1, size - 1, (data[0] & 1) != 0);
  else
    try_listing (data + 1, size - 1, (data[0] & 1) != 0);
  return 0;
}
