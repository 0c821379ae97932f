/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor against libcbor: documents drawn at random, of which libcbor makes a tree each.  What
 * the reader has in its columns, and what a record has, is taken from the tree as simply as it
 * goes.  Some documents are longer than what the reader has in sight. */

#include "config.h"

#include "tsr-debug-reader.h"
#include "tsr-debug-record.h"
#include "tsr-error.h"
#include "tsr-json-writer.h"
#include "tsr-json.h"

#include <cbor.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------- drawing */

static const char *const words[]
    = { "",
        "id",
        "parentId",
        "name",
        "layer",
        "location",
        "fileName",
        "lineNumber",
        "contexts",
        "stringTable",
        "functionName",
        "replacedDebugContextIds",
        "12",
        "[3, 44,5]",
        "7x",
        "popart",
        "poplibs",
        "outlinedDebugContextIds",
        "ie",
        "parentIe",
        "namf",
        "layes",
        "locatiom",
        "fileNamf",
        "99999999999999999999",
        "18446744073709551615",
        "9",
        "\303\244",
        "functionNamf",
        "lineNumbes",
        "a text that is longer than those whose length its first byte has" };

static guint
draw (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

static void
append_byte (GByteArray *cbor, guint8 byte)
{
  g_byte_array_append (cbor, &byte, 1);
}

/* A number may have more bytes than it needs. */
static void
append_head (GByteArray *cbor, guint major, guint64 value)
{
  guint size = value < 24            ? 0
               : value <= 0xff       ? 1
               : value <= 0xffff     ? 2
               : value <= 0xffffffff ? 4
                                     : 8;

  if (draw (8) == 0 && size < 8)
    size = MAX (1, 2 * size);
  append_byte (cbor, (guint8)(major << 5
                              | (size == 0   ? (guint)value
                                 : size == 1 ? 24
                                 : size == 2 ? 25
                                 : size == 4 ? 26
                                             : 27)));
  for (guint i = size; i > 0; i--)
    append_byte (cbor, (guint8)(value >> 8 * (i - 1)));
}

static guint64
draw_number (void)
{
  const guint64 number = (guint64)(guint)g_test_rand_int () << 32 | (guint)g_test_rand_int ();

  return draw (2) == 0 ? draw (30) : number >> draw (64);
}

static void
append_text (GByteArray *cbor, guint major, const char *text)
{
  const gsize length = strlen (text);
  const gsize first
      = g_str_is_ascii (text) ? draw ((guint)length + 1) : 0; /* no half of a letter */

  if (draw (6) > 0)
    {
      append_head (cbor, major, length);
      g_byte_array_append (cbor, (const guint8 *)text, length);
      return;
    }
  append_byte (cbor, (guint8)(major << 5 | 31));
  append_head (cbor, major, first);
  g_byte_array_append (cbor, (const guint8 *)text, first);
  append_head (cbor, major, length - first);
  g_byte_array_append (cbor, (const guint8 *)text + first, length - first);
  append_byte (cbor, 0xff);
}

/* A float of @size bytes: whole as often as not. */
static void
append_float (GByteArray *cbor, guint size)
{
  static const guint16 halves[] = { 0, 0x4d00, 0x3e00, 0x7c00, 0x7e00, 0xc500, 0x8000, 0x4200 };
  const float single = draw (2) == 0 ? (float)draw (40) : (float)g_test_rand_double_range (-3, 9);
  const double value = draw (8) == 0   ? g_test_rand_double_range (0, 0x1p66)
                       : draw (2) == 0 ? (double)draw (40)
                                       : g_test_rand_double_range (-3, 9);
  guint64 bits = halves[draw (G_N_ELEMENTS (halves))];
  guint32 four;

  if (size == 8)
    memcpy (&bits, &value, 8);
  else if (size == 4)
    {
      memcpy (&four, &single, 4);
      bits = four;
    }
  append_byte (cbor, size == 8 ? 0xfb : size == 4 ? 0xfa : 0xf9);
  for (guint i = size; i > 0; i--)
    append_byte (cbor, (guint8)(bits >> 8 * (i - 1)));
}

static void append_any (GByteArray *cbor, guint depth);

/* TRUE if it ends with a break. */
static gboolean
begin (GByteArray *cbor, guint major, guint n)
{
  const gboolean endless = draw (3) == 0;

  if (endless)
    append_byte (cbor, (guint8)(major << 5 | 31));
  else
    append_head (cbor, major, n);
  return endless;
}

static void
end (GByteArray *cbor, gboolean endless)
{
  if (endless)
    append_byte (cbor, 0xff);
}

static void
append_list (GByteArray *cbor, guint major, guint depth)
{
  const guint n = draw (4);
  const gboolean endless = begin (cbor, major, n);

  for (guint i = 0; i < n * (major - 3); i++)
    append_any (cbor, depth + 1);
  end (cbor, endless);
}

static void
append_any (GByteArray *cbor, guint depth)
{
  static const guint8 simple[] = { 0xf4, 0xf5, 0xf6, 0xf7 };
  const guint kind = draw (depth < 5 ? 12 : 8);

  if (kind < 2)
    append_head (cbor, 0, draw_number ());
  else if (kind == 2)
    append_head (cbor, 1, draw_number ());
  else if (kind < 5)
    append_text (cbor, 3, words[draw (G_N_ELEMENTS (words))]);
  else if (kind == 5)
    append_text (cbor, 2, words[draw (G_N_ELEMENTS (words))]);
  else if (kind == 6)
    append_byte (cbor, simple[draw (G_N_ELEMENTS (simple))]);
  else if (kind == 7)
    append_float (cbor, 2u << draw (3));
  else if (kind == 8)
    {
      append_byte (cbor, (guint8)(0xc0 + draw (6))); /* the tags that libcbor knows */
      append_any (cbor, depth + 1);
    }
  else
    append_list (cbor, kind < 11 ? 4 : 5, depth);
}

/* Mostly a value that fits a key of a context. */
static void
append_value (GByteArray *cbor, guint depth)
{
  if (draw (3) > 0)
    append_any (cbor, depth);
  else
    append_head (cbor, 0, draw (6));
}

static void
append_location (GByteArray *cbor)
{
  const guint n = draw (5);
  const gboolean endless = begin (cbor, 5, n);

  for (guint i = 0; i < n; i++)
    {
      append_text (cbor, 3, words[draw (2) == 0 ? 6 + draw (5) : draw (G_N_ELEMENTS (words))]);
      append_value (cbor, 4);
    }
  end (cbor, endless);
}

static void
append_context (GByteArray *cbor)
{
  const guint n = draw (9);
  const gboolean endless = begin (cbor, 5, n);

  for (guint i = 0; i < n; i++)
    {
      const guint key = draw (12);

      if (key == 0)
        append_any (cbor, 2);
      else
        append_text (cbor, 3, key < 7 ? words[key] : words[draw (G_N_ELEMENTS (words))]);
      if (key == 5 && draw (4) > 0)
        append_location (cbor);
      else if (key == 3 || key == 4)
        append_text (cbor, 3, words[draw (G_N_ELEMENTS (words))]);
      else
        append_value (cbor, 2);
    }
  end (cbor, endless);
}

static void
append_part (GByteArray *cbor, guint most)
{
  const guint n = 1 + draw (4);
  const gboolean endless = begin (cbor, 5, n);

  for (guint i = 0; i < n; i++)
    {
      const guint kind = i == 0 ? 0 : draw (4);
      const guint n_items = kind == 0 ? draw (most) : draw (8);
      gboolean inner;

      append_text (cbor, 3, kind == 0 ? "contexts" : kind == 1 ? "stringTable" : words[draw (12)]);
      if (kind > 1)
        {
          append_any (cbor, 1);
          continue;
        }
      inner = begin (cbor, 4, n_items);
      for (guint j = 0; j < n_items; j++)
        if (draw (8) == 0)
          append_any (cbor, 2);
        else if (kind == 0)
          append_context (cbor);
        else
          append_text (cbor, 3, words[draw (G_N_ELEMENTS (words))]);
      end (cbor, inner);
    }
  end (cbor, endless);
}

/* @most: contexts of a part. */
static GByteArray *
draw_document (guint most)
{
  GByteArray *cbor = g_byte_array_new ();
  const guint n = 1 + draw (3);

  for (guint i = 0; i < n; i++)
    if (i == 0 || draw (2) == 0)
      append_part (cbor, most);
    else
      {
        const guint n_items = draw (3);
        const gboolean endless = begin (cbor, 4, n_items);

        for (guint j = 0; j < n_items; j++)
          if (draw (3) == 0)
            append_any (cbor, 1);
          else
            append_part (cbor, most);
        end (cbor, endless);
      }
  return cbor;
}

/* --------------------------------------------------------------- as libcbor has it */

static cbor_item_t *
strip (cbor_item_t *item)
{
  while (cbor_isa_tag (item))
    item = cbor_move (cbor_tag_item (item));
  return item;
}

/* (transfer full): the bytes of a string of @type, or NULL. */
static GString *
dup_string (cbor_item_t *item, cbor_type type)
{
  GString *text;

  item = strip (item);
  if (cbor_typeof (item) != type)
    return NULL;
  text = g_string_new (NULL);
  if (type == CBOR_TYPE_STRING && cbor_string_is_definite (item))
    g_string_append_len (text, (char *)cbor_string_handle (item),
                         (gssize)cbor_string_length (item));
  else if (type == CBOR_TYPE_STRING)
    for (gsize i = 0; i < cbor_string_chunk_count (item); i++)
      {
        const cbor_item_t *chunk = cbor_string_chunks_handle (item)[i];

        g_string_append_len (text, (char *)cbor_string_handle (chunk),
                             (gssize)cbor_string_length (chunk));
      }
  else if (cbor_bytestring_is_definite (item))
    g_string_append_len (text, (char *)cbor_bytestring_handle (item),
                         (gssize)cbor_bytestring_length (item));
  else
    for (gsize i = 0; i < cbor_bytestring_chunk_count (item); i++)
      {
        const cbor_item_t *chunk = cbor_bytestring_chunks_handle (item)[i];

        g_string_append_len (text, (char *)cbor_bytestring_handle (chunk),
                             (gssize)cbor_bytestring_length (chunk));
      }
  return text;
}

/* (nullable): a text, valid. */
static char *
dup_text (cbor_item_t *item)
{
  GString *raw = dup_string (item, CBOR_TYPE_STRING);
  char *text;

  if (raw == NULL)
    return NULL;
  text = g_utf8_make_valid (raw->str, (gssize)raw->len);
  g_string_free (raw, TRUE);
  return text;
}

static gboolean
is_text (cbor_item_t *item, const char *wanted)
{
  g_autofree char *text = dup_text (item);

  return g_strcmp0 (text, wanted) == 0;
}

/* A whole number: as such, or as a float. */
static gboolean
get_number (cbor_item_t *item, guint64 *number)
{
  item = strip (item);
  if (cbor_isa_uint (item))
    {
      *number = cbor_get_int (item);
      return TRUE;
    }
  if (cbor_isa_float_ctrl (item) && !cbor_float_ctrl_is_ctrl (item))
    {
      const double value = cbor_float_get_float (item);

      if (value >= 0 && value < 0x1p64 && value == floor (value))
        {
          *number = (guint64)value;
          return TRUE;
        }
    }
  return FALSE;
}

/* All digits of @item, a number or a text. */
static gboolean
get_id (cbor_item_t *item, guint64 *id)
{
  g_autofree char *text = dup_text (item);
  const char *end_of_text;

  if (text == NULL)
    return get_number (item, id);
  return g_ascii_isdigit (*text) && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, id, NULL)
         && (end_of_text = text + strspn (text, "0123456789")) && *end_of_text == '\0';
}

/* Appends the numbers in @item, a list of numbers and texts, or a text; counts those that are too
 * large. */
static void
add_ids (cbor_item_t *item, GString *ids, guint *n_odd)
{
  g_autofree char *text = dup_text (item);
  guint64 number;

  item = strip (item);
  if (cbor_isa_array (item))
    {
      for (gsize i = 0; i < cbor_array_size (item); i++)
        {
          cbor_item_t *one = strip (cbor_array_handle (item)[i]);

          if (get_number (one, &number))
            g_string_append_printf (ids, ",%" G_GUINT64_FORMAT, number);
          else if (cbor_isa_string (one))
            add_ids (one, ids, n_odd);
        }
    }
  else if (text != NULL)
    {
      g_auto (GStrv) pieces = g_regex_split_simple ("[^0-9]+", text, 0, 0);

      for (guint i = 0; pieces[i] != NULL; i++)
        if (g_ascii_string_to_unsigned (pieces[i], 10, 0, G_MAXUINT64, &number, NULL))
          g_string_append_printf (ids, ",%" G_GUINT64_FORMAT, number);
        else
          *n_odd += *pieces[i] != '\0';
    }
}

/* A text, or the number of one. */
typedef struct
{
  char *text;         /* (nullable) */
  gboolean is_number; /* of a text, which may not be there; not one that no file has */
} Name;

typedef struct
{
  guint64 id, parent, line;
  char *layer; /* (nullable) */
  Name name, file, function;
  GString *ids[TSR_DEBUG_N_IDS];
} Context;

static void
context_free (gpointer data)
{
  Context *self = data;

  g_free (self->layer);
  g_free (self->name.text);
  g_free (self->file.text);
  g_free (self->function.text);
  for (guint i = 0; i < TSR_DEBUG_N_IDS; i++)
    g_string_free (self->ids[i], TRUE);
  g_free (self);
}

static void
set_name (Name *name, cbor_item_t *item, GPtrArray *texts)
{
  g_autofree char *text = dup_text (item);
  guint64 index;

  if (text == NULL && !get_number (item, &index))
    return;
  name->is_number = text == NULL && index < 0x7ffffffe;
  g_free (name->text);
  name->text = text != NULL         ? g_steal_pointer (&text)
               : index < texts->len ? g_strdup (g_ptr_array_index (texts, index))
                                    : NULL;
}

static void
take_location (Context *context, cbor_item_t *map, GPtrArray *texts)
{
  guint64 number;

  for (gsize i = 0; i < cbor_map_size (map); i++)
    {
      const struct cbor_pair *pair = &cbor_map_handle (map)[i];

      if (is_text (pair->key, "fileName"))
        set_name (&context->file, pair->value, texts);
      else if (is_text (pair->key, "functionName"))
        set_name (&context->function, pair->value, texts);
      else if (is_text (pair->key, "lineNumber") && get_id (pair->value, &number))
        context->line = MIN (number, G_MAXUINT32);
    }
}

static Context *
take_context (cbor_item_t *map, GPtrArray *texts, guint *n_odd)
{
  Context *self = g_new0 (Context, 1);

  for (guint i = 0; i < TSR_DEBUG_N_IDS; i++)
    self->ids[i] = g_string_new (NULL);
  for (gsize i = 0; i < cbor_map_size (map); i++)
    {
      const struct cbor_pair *pair = &cbor_map_handle (map)[i];
      g_autofree char *text = dup_text (pair->value);
      cbor_item_t *value = strip (pair->value);
      guint64 number;

      if (is_text (pair->key, "id") && get_id (value, &number))
        self->id = number;
      else if (is_text (pair->key, "parentId") && get_id (value, &number))
        self->parent = number;
      else if (is_text (pair->key, "name"))
        set_name (&self->name, value, texts);
      else if (is_text (pair->key, "layer") && text != NULL)
        {
          g_free (self->layer);
          self->layer = g_steal_pointer (&text);
        }
      else if (is_text (pair->key, "location") && cbor_isa_map (value))
        take_location (self, value, texts);
      else if (is_text (pair->key, "replacedDebugContextIds"))
        add_ids (value, self->ids[TSR_DEBUG_REPLACED], n_odd);
      else if (is_text (pair->key, "outlinedDebugContextIds"))
        add_ids (value, self->ids[TSR_DEBUG_OUTLINED], n_odd);
    }
  return self;
}

/* The part's first table; what is no text in it is an empty one.  Further ones are counted. */
static GPtrArray *
take_texts (cbor_item_t *part, guint *n_odd)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  gboolean found = FALSE;

  for (gsize i = 0; i < cbor_map_size (part); i++)
    {
      cbor_item_t *value = strip (cbor_map_handle (part)[i].value);

      if (!is_text (cbor_map_handle (part)[i].key, "stringTable") || !cbor_isa_array (value))
        continue;
      if (found)
        ++*n_odd;
      if (found)
        continue;
      found = TRUE;
      for (gsize j = 0; j < cbor_array_size (value); j++)
        {
          char *text = dup_text (cbor_array_handle (value)[j]);

          *n_odd += text == NULL;
          g_ptr_array_add (texts, text != NULL ? text : g_strdup (""));
        }
    }
  return texts;
}

typedef struct
{
  GPtrArray *contexts; /* Context */
  GPtrArray *maps;     /* cbor_item_t of each, of @items */
  GPtrArray *items;
  guint n_parts;
  guint n_odd; /* things that are told of */
  gboolean found;
} Document;

/* Numbers of texts that are not there; where there are no texts at all, one name of a part. */
static void
count_lost (Document *self, guint first, guint n_texts)
{
  guint n_names = 0, n = 0;

  for (guint i = first; i < self->contexts->len; i++)
    {
      const Context *context = g_ptr_array_index (self->contexts, i);
      const Name *names[] = { &context->name, &context->file, &context->function };

      for (guint j = 0; j < G_N_ELEMENTS (names); j++)
        if (names[j]->is_number && names[j]->text == NULL)
          {
            n++;
            n_names += j == 0;
          }
    }
  self->n_odd += n_texts > 0 ? n : MIN (n_names, 1);
}

static void
take_part (Document *self, cbor_item_t *part)
{
  g_autoptr (GPtrArray) texts = take_texts (part, &self->n_odd);
  const guint first = self->contexts->len;

  self->n_parts++;
  for (gsize i = 0; i < cbor_map_size (part); i++)
    {
      cbor_item_t *value = strip (cbor_map_handle (part)[i].value);

      if (!is_text (cbor_map_handle (part)[i].key, "contexts") || !cbor_isa_array (value))
        continue;
      self->found = TRUE;
      for (gsize j = 0; j < cbor_array_size (value); j++)
        {
          cbor_item_t *map = strip (cbor_array_handle (value)[j]);

          if (cbor_isa_map (map))
            {
              Context *context = take_context (map, texts, &self->n_odd);

              self->n_odd += context->id == 0;
              g_ptr_array_add (self->contexts, context);
              g_ptr_array_add (self->maps, map);
            }
          else
            self->n_odd++;
        }
    }
  count_lost (self, first, texts->len);
}

static void
drop_item (gpointer item)
{
  cbor_item_t *mine = item;

  cbor_decref (&mine);
}

static void
document_clear (Document *self)
{
  g_clear_pointer (&self->contexts, g_ptr_array_unref);
  g_clear_pointer (&self->maps, g_ptr_array_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Document, document_clear)

/* FALSE if libcbor does not know all of it, or it is more than parts and lists of them. */
static gboolean
take_document (Document *self, const guint8 *bytes, gsize length)
{
  self->contexts = g_ptr_array_new_with_free_func (context_free);
  self->maps = g_ptr_array_new ();
  self->items = g_ptr_array_new_with_free_func (drop_item);
  for (gsize at = 0; at < length;)
    {
      struct cbor_load_result result;
      cbor_item_t *item = cbor_load (bytes + at, length - at, &result);

      if (item == NULL)
        return FALSE;
      g_ptr_array_add (self->items, item);
      at += result.read;
      item = strip (item);
      if (cbor_isa_map (item))
        take_part (self, item);
      else if (cbor_isa_array (item))
        {
          for (gsize i = 0; i < cbor_array_size (item); i++)
            if (cbor_isa_map (strip (cbor_array_handle (item)[i])))
              take_part (self, strip (cbor_array_handle (item)[i]));
        }
      else
        return FALSE;
    }
  return TRUE;
}

/* ---------------------------------------------------------------- as JSON */

/* What stands where the number of a text may stand. */
static gboolean
is_number (cbor_item_t *item)
{
  if (cbor_isa_uint (item))
    return TRUE;
  if (!cbor_isa_float_ctrl (item) || cbor_float_ctrl_is_ctrl (item))
    return FALSE;
  return cbor_float_get_width (item) == CBOR_FLOAT_64 || !isfinite (cbor_float_get_float (item))
         || cbor_float_get_float (item) == floor (cbor_float_get_float (item));
}

/* A scalar in words of JSON; *raw if it has no quotes. */
static char *
dup_scalar (cbor_item_t *item, gboolean *raw)
{
  GString *bytes;
  double value;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  *raw = FALSE;
  if (cbor_isa_string (item))
    return dup_text (item);
  bytes = dup_string (item, CBOR_TYPE_BYTESTRING);
  if (bytes != NULL)
    {
      GString *hex = g_string_new (NULL);

      for (gsize i = 0; i < bytes->len; i++)
        g_string_append_printf (hex, "%02x", (guint8)bytes->str[i]);
      g_string_free (bytes, TRUE);
      return g_string_free (hex, FALSE);
    }
  *raw = TRUE;
  if (cbor_isa_uint (item))
    return g_strdup_printf ("%" G_GUINT64_FORMAT, cbor_get_int (item));
  if (cbor_isa_negint (item))
    return cbor_get_int (item) == G_MAXUINT64
               ? g_strdup ("-18446744073709551616")
               : g_strdup_printf ("-%" G_GUINT64_FORMAT, cbor_get_int (item) + 1);
  if (cbor_float_ctrl_is_ctrl (item))
    return g_strdup (!cbor_is_bool (item) ? "null" : cbor_get_bool (item) ? "true" : "false");
  value = cbor_float_get_float (item);
  if (!isfinite (value))
    return g_strdup ("null");
  if (value == floor (value) && fabs (value) < 9007199254740992.0)
    return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64)value);
  if (cbor_float_get_width (item) == CBOR_FLOAT_64 || value == floor (value))
    return g_strdup (g_ascii_dtostr (digits, sizeof digits, value));
  return g_strdup (g_ascii_formatd (digits, sizeof digits, "%.9g", value));
}

/* @context (nullable): whose own pairs those of @item are; @location: whose location they are. */
static void
write_value (TsrJsonWriter *writer,
             const char *key,
             cbor_item_t *item,
             const Context *context,
             const Context *location)
{
  item = strip (item);
  if (cbor_isa_array (item))
    {
      tsr_json_writer_begin_array (writer, key);
      for (gsize i = 0; i < cbor_array_size (item); i++)
        write_value (writer, NULL, cbor_array_handle (item)[i], NULL, NULL);
      tsr_json_writer_end_array (writer);
    }
  else if (cbor_isa_map (item))
    {
      tsr_json_writer_begin_object (writer, key);
      for (gsize i = 0; i < cbor_map_size (item); i++)
        {
          cbor_item_t *own = strip (cbor_map_handle (item)[i].key);
          cbor_item_t *value = strip (cbor_map_handle (item)[i].value);
          gboolean raw;
          g_autofree char *name = NULL;
          const char *text = NULL;

          if (cbor_isa_array (own) || cbor_isa_map (own))
            {
              write_value (writer, "(key)", own, NULL, NULL);
              name = g_strdup ("(value)");
            }
          else
            name = dup_scalar (own, &raw);
          if (context != NULL && g_str_equal (name, "name"))
            text = context->name.text;
          else if (location != NULL && g_str_equal (name, "fileName"))
            text = location->file.text;
          else if (location != NULL && g_str_equal (name, "functionName"))
            text = location->function.text;
          if (text != NULL && is_number (value))
            tsr_json_writer_string (writer, name, text);
          else
            write_value (writer, name, value, NULL,
                         g_str_equal (name, "location") ? context : NULL);
        }
      tsr_json_writer_end_object (writer);
    }
  else
    {
      gboolean raw;
      g_autofree char *text = dup_scalar (item, &raw);

      if (raw)
        tsr_json_writer_raw (writer, key, text);
      else
        tsr_json_writer_string (writer, key, text);
    }
}

static void
check_record (TsrSource *source,
              const TsrDebugRows *rows,
              guint row,
              const Context *context,
              cbor_item_t *map)
{
  g_autoptr (TsrJsonWriter) expected = tsr_json_writer_new_string (0);
  g_autoptr (TsrJsonWriter) found = tsr_json_writer_new_string (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrJson) record = tsr_debug_record_read (source, rows, row, NULL, &error);
  g_autofree char *expected_text = NULL, *found_text = NULL;

  g_assert_no_error (error);
  write_value (expected, NULL, map, context, NULL);
  tsr_json_writer_finish (expected, FALSE);
  tsr_json_write (record, found, NULL);
  tsr_json_writer_finish (found, FALSE);
  expected_text = tsr_json_writer_dup_text (expected);
  found_text = tsr_json_writer_dup_text (found);
  g_assert_cmpstr (found_text, ==, expected_text);
}

/* ------------------------------------------------------------------ comparing */

static void
check_context (const TsrDebugRows *rows, guint row, const Context *context)
{
  const char *layer = rows->layer[row] != TSR_DEBUG_NO_LAYER
                          ? g_ptr_array_index (rows->layer_names, rows->layer[row])
                          : NULL;

  g_assert_cmpuint (rows->id[row], ==, context->id);
  g_assert_cmpuint (rows->parent_id[row], ==, context->parent);
  g_assert_cmpuint (rows->line[row], ==, context->line);
  g_assert_cmpstr (layer, ==, context->layer);
  g_assert_cmpstr (tsr_debug_rows_get_text (rows, rows->name[row]), ==, context->name.text);
  g_assert_cmpstr (tsr_debug_rows_get_text (rows, rows->file_name[row]), ==, context->file.text);
  g_assert_cmpstr (tsr_debug_rows_get_text (rows, rows->function_name[row]), ==,
                   context->function.text);
  for (guint kind = 0; kind < TSR_DEBUG_N_IDS; kind++)
    {
      g_autoptr (GString) ids = g_string_new (NULL);
      guint n;
      const guint64 *id = tsr_debug_rows_get_ids (rows, row, kind, &n);

      for (guint i = 0; i < n; i++)
        g_string_append_printf (ids, ",%" G_GUINT64_FORMAT, id[i]);
      g_assert_cmpstr (ids->str, ==, context->ids[kind]->str);
    }
}

/* Whether libcbor makes a tree of it, to which it was compared. */
static gboolean
check_document (const guint8 *bytes, gsize length, gboolean is_sound)
{
  g_autoptr (GBytes) data = g_bytes_new (bytes, length);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("debug.cbor", data);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDebugRows) rows = tsr_debug_rows_read (source, NULL, diagnostics, NULL, &error);
  g_auto (Document) document = { 0 };

  if (is_sound)
    g_assert_no_error (error);
  /* (What announces more than it has would have libcbor ask for as much.) */
  if (rows == NULL || rows->end != NULL || !take_document (&document, bytes, length))
    {
      g_assert_false (is_sound);
      return FALSE;
    }
  g_assert_true (document.found);
  g_assert_cmpuint (rows->n, ==, document.contexts->len);
  g_assert_cmpuint (rows->n_parts, ==, document.n_parts);
  /* (A zero in a text is told of as well.) */
  if (!tsr_diagnostics_has (diagnostics, "text-not-utf8", "contexts", TSR_NO_ROW))
    g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, document.n_odd);
  for (guint row = 0; row < rows->n; row++)
    {
      struct cbor_load_result result;
      cbor_item_t *item
          = cbor_load (bytes + rows->offset[row], length - (gsize)rows->offset[row], &result);

      g_assert_nonnull (item);
      cbor_decref (&item);
      g_assert_cmpuint (rows->length[row], ==, result.read);
      check_context (rows, row, g_ptr_array_index (document.contexts, row));
      check_record (source, rows, row, g_ptr_array_index (document.contexts, row),
                    g_ptr_array_index (document.maps, row));
    }
  return TRUE;
}

static void
test_documents (void)
{
  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (GByteArray) cbor = draw_document (6);

      g_assert_true (check_document (cbor->data, cbor->len, TRUE));
    }
}

/* Longer than what is read at once. */
static void
test_long_documents (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GByteArray) cbor = draw_document (8000);

      g_assert_true (check_document (cbor->data, cbor->len, TRUE));
    }
}

/* With a byte that is another one: it is refused, or compared. */
static void
test_changed (void)
{
  guint n_compared = 0;

  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (GByteArray) cbor = draw_document (4);

      for (guint j = 0; j < 4; j++)
        {
          const guint at = draw (cbor->len);
          const guint8 byte = cbor->data[at];

          cbor->data[at] = (guint8)g_test_rand_int ();
          n_compared += check_document (cbor->data, cbor->len, FALSE);
          cbor->data[at] = byte;
        }
    }
  g_assert_cmpuint (n_compared, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/debug-documents/drawn", test_documents);
  g_test_add_func ("/debug-documents/long", test_long_documents);
  g_test_add_func ("/debug-documents/changed", test_changed);
  return g_test_run ();
}
