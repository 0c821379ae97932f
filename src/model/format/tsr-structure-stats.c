/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Different values are counted by 64-bit hashes in a growing table with open addressing, at most 2
 * MiB or 4 MiB per column.  With 2^18 values, two hashes collide once in 2^29 columns. */

#include "config.h"

#include "tsr-structure-stats.h"

#include <math.h>
#include <string.h>

void
tsr_column_stats_clear (TsrColumnStats *self)
{
  g_clear_pointer (&self->seen, g_free);
}

/* ------------------------------------------------------------ different ones */

static guint64
mix (guint64 x)
{
  /* Source: the finaliser of splitmix64 (public domain, Sebastiano Vigna). */
  x ^= x >> 30;
  x *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static guint64
hash_bytes (guint64 seed, const void *bytes, gsize length)
{
  const guint8 *p = bytes;
  guint64 hash = mix (seed + length);

  for (; length >= 8; p += 8, length -= 8)
    {
      guint64 word;

      memcpy (&word, p, 8);
      hash = mix (hash ^ word) + seed;
    }
  for (; length > 0; p++, length--)
    hash = mix (hash ^ *p) + seed;
  return hash;
}

static void
insert (guint64 *table, gsize size, guint64 hash)
{
  gsize i = hash & (size - 1);

  while (table[i] != 0 && table[i] != hash)
    i = (i + 1) & (size - 1);
  table[i] = hash;
}

static gboolean
is_in (const guint64 *table, gsize size, guint64 hash)
{
  gsize i = hash & (size - 1);

  while (table[i] != 0 && table[i] != hash)
    i = (i + 1) & (size - 1);
  return table[i] == hash;
}

static void
stop_counting (TsrColumnStats *self)
{
  self->uncounted = TRUE;
  g_clear_pointer (&self->seen, g_free);
  self->n_seen = self->seen_size = 0;
}

static void
count_different (TsrColumnStats *self, guint64 hash)
{
  if (self->uncounted)
    return;
  hash = MAX (hash, 1);
  if (self->seen_size > 0 && is_in (self->seen, self->seen_size, hash))
    return;
  if (self->n_seen == TSR_STATS_MAX_DISTINCT)
    {
      stop_counting (self);
      return;
    }
  if (2 * self->n_seen >= self->seen_size)
    {
      gsize size = MAX (64, 2 * self->seen_size);
      guint64 *table = g_new0 (guint64, size);

      for (gsize i = 0; i < self->seen_size; i++)
        if (self->seen[i] != 0)
          insert (table, size, self->seen[i]);
      g_free (self->seen);
      self->seen = table;
      self->seen_size = size;
    }
  insert (self->seen, self->seen_size, hash);
  self->n_seen++;
}

/* ---------------------------------------------------------------- counting */

static void
add_length (TsrColumnStats *self, gint64 length)
{
  guint i = 0;

  self->min_length = self->n_blob == 0 ? length : MIN (self->min_length, length);
  self->max_length = self->n_blob == 0 ? length : MAX (self->max_length, length);
  if (self->n_lengths > TSR_STATS_MAX_LENGTHS)
    return;
  while (i < self->n_lengths && self->lengths[i] < length)
    i++;
  if (i < self->n_lengths && self->lengths[i] == length)
    return;
  if (self->n_lengths++ == TSR_STATS_MAX_LENGTHS)
    return;
  memmove (&self->lengths[i + 1], &self->lengths[i],
           (self->n_lengths - 1 - i) * sizeof self->lengths[0]);
  self->lengths[i] = length;
}

void
tsr_column_stats_add_blob (TsrColumnStats *self, gint64 length)
{
  add_length (self, length);
  self->n_blob++;
  stop_counting (self);
}

static void
add_integer (TsrColumnStats *self, gint64 value)
{
  if (self->n_integer == 0 || value < self->min_integer)
    self->min_integer = value;
  if (self->n_integer == 0 || value > self->max_integer)
    self->max_integer = value;
  self->n_integer++;
  count_different (self, mix ((guint64)value + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)));
}

static void
add_real (TsrColumnStats *self, double value)
{
  guint64 bits;

  if (self->n_real == 0 || value < self->min_real)
    self->min_real = value;
  if (self->n_real == 0 || value > self->max_real)
    self->max_real = value;
  self->n_real++;
  /* 1.0 and 1 are one value to SQLite. */
  if (value >= -0x1p62 && value <= 0x1p62 && value == floor (value))
    {
      count_different (self,
                       mix ((guint64)(gint64)value + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)));
      return;
    }
  memcpy (&bits, &value, sizeof bits);
  count_different (self, hash_bytes (2, &bits, sizeof bits));
}

void
tsr_column_stats_add (TsrColumnStats *self, sqlite3_stmt *statement, int place)
{
  const void *bytes;

  switch (sqlite3_column_type (statement, place))
    {
    case SQLITE_INTEGER:
      add_integer (self, sqlite3_column_int64 (statement, place));
      break;
    case SQLITE_FLOAT:
      add_real (self, sqlite3_column_double (statement, place));
      break;
    case SQLITE_TEXT:
      self->n_text++;
      bytes = sqlite3_column_text (statement, place);
      if (bytes != NULL && !self->uncounted)
        count_different (self, hash_bytes (3, bytes, sqlite3_column_bytes (statement, place)));
      break;
    case SQLITE_BLOB:
      add_length (self, sqlite3_column_bytes (statement, place));
      self->n_blob++;
      bytes = sqlite3_column_blob (statement, place);
      if (!self->uncounted)
        count_different (self, hash_bytes (4, bytes != NULL ? bytes : "",
                                           sqlite3_column_bytes (statement, place)));
      break;
    default:
      self->n_null++;
    }
}

/* ------------------------------------------------------------------ is it text */

/* Four or more letters, digits or signs among the first eight bytes: may be a piece of text. */
static gboolean
has_ascii (const guint8 *bytes, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length; i++)
    n += bytes[i] >= 0x20 && bytes[i] < 0x7f;
  return n >= 4 || (n > 0 && n == length);
}

/* Valid UTF-8 without control characters, a character cut off at the end allowed. */
static gboolean
is_utf8_text (const guint8 *bytes, gsize length)
{
  const char *text = (const char *)bytes;
  const char *end;

  g_utf8_validate (text, length, &end);
  if (end == text || (gsize)(end - text) + 3 < length)
    return FALSE;
  for (const char *p = text; p < end; p = g_utf8_next_char (p))
    if (!g_unichar_isprint (g_utf8_get_char (p)) && !g_unichar_isspace (g_utf8_get_char (p)))
      return FALSE;
  return TRUE;
}

/* Printing characters up to a NUL or the end.  Eight bytes alone would not do: half of all
 * compressed data begin like four characters of some script. */
static gboolean
is_utf16_text (const guint8 *bytes, gsize length, gboolean big_endian)
{
  for (gsize i = 0; i + 1 < length; i += 2)
    {
      gunichar c = big_endian ? bytes[i] << 8 | bytes[i + 1] : bytes[i + 1] << 8 | bytes[i];

      if (c == 0)
        return i > 0;
      /* Half pairs may be text, what Unicode leaves to private use is not. */
      if ((!g_unichar_isprint (c) && !g_unichar_isspace (c) && (c < 0xd800 || c >= 0xe000)
           && c != 0xfeff)
          || (c >= 0xe000 && c < 0xf900))
        return FALSE;
    }
  return length >= 4;
}

void
tsr_column_stats_take_first_bytes (TsrColumnStats *self, const guint8 *bytes, gsize length)
{
  gsize n = MIN (length, sizeof self->first_bytes);

  self->n_first_bytes = 0;
  if (n == 0 || has_ascii (bytes, n) || is_utf8_text (bytes, length) || is_utf8_text (bytes, n)
      || is_utf16_text (bytes, length, FALSE) || is_utf16_text (bytes, length, TRUE))
    return;
  memcpy (self->first_bytes, bytes, n);
  self->n_first_bytes = (guint)n;
}

/* ------------------------------------------------------------------ writing */

/* All 64 bits: G_MININT64 is a number here. */
static void
write_integer (TsrJsonWriter *writer, const char *key, gint64 value)
{
  char text[32];

  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, value);
  tsr_json_writer_raw (writer, key, text);
}

static void
write_extreme (const TsrColumnStats *self, TsrJsonWriter *writer, gboolean max)
{
  const char *key = max ? "max" : "min";
  gint64 integer = max ? self->max_integer : self->min_integer;
  double real = max ? self->max_real : self->min_real;
  gboolean use_integer = self->n_integer > 0;

  if (self->n_integer == 0 && self->n_real == 0)
    {
      tsr_json_writer_null (writer, key);
      return;
    }
  if (use_integer && self->n_real > 0)
    use_integer = max ? (double)integer >= real : (double)integer <= real;
  if (use_integer)
    write_integer (writer, key, integer);
  else
    tsr_json_writer_double (writer, key, real);
}

static void
write_lengths (const TsrColumnStats *self, TsrJsonWriter *writer)
{
  if (self->n_blob == 0)
    {
      tsr_json_writer_null (writer, "blobLengths");
      return;
    }
  tsr_json_writer_begin_object (writer, "blobLengths");
  write_integer (writer, "min", self->min_length);
  write_integer (writer, "max", self->max_length);
  if (self->n_lengths > TSR_STATS_MAX_LENGTHS)
    tsr_json_writer_null (writer, "values");
  else
    {
      tsr_json_writer_begin_array (writer, "values");
      for (guint i = 0; i < self->n_lengths; i++)
        write_integer (writer, NULL, self->lengths[i]);
      tsr_json_writer_end_array (writer);
    }
  tsr_json_writer_end_object (writer);
}

static void
write_nulls (TsrJsonWriter *writer)
{
  static const char *const keys[]
      = { "storage", "min", "max", "distinct", "blobLengths", "firstBytes" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    tsr_json_writer_null (writer, keys[i]);
}

void
tsr_column_stats_write (const TsrColumnStats *self, TsrJsonWriter *writer)
{
  char hex[2 * sizeof self->first_bytes + 1] = "";

  if (self == NULL)
    {
      write_nulls (writer);
      return;
    }
  tsr_json_writer_begin_object (writer, "storage");
  write_integer (writer, "null", self->n_null);
  write_integer (writer, "integer", self->n_integer);
  write_integer (writer, "real", self->n_real);
  write_integer (writer, "text", self->n_text);
  write_integer (writer, "blob", self->n_blob);
  tsr_json_writer_end_object (writer);
  write_extreme (self, writer, FALSE);
  write_extreme (self, writer, TRUE);
  if (self->uncounted)
    tsr_json_writer_null (writer, "distinct");
  else
    write_integer (writer, "distinct", self->n_seen);
  write_lengths (self, writer);
  for (guint i = 0; i < self->n_first_bytes; i++)
    g_snprintf (hex + 2 * i, 3, "%02x", self->first_bytes[i]);
  tsr_json_writer_string (writer, "firstBytes", self->n_first_bytes > 0 ? hex : NULL);
}
