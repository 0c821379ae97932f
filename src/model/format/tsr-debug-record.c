/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns the bytes of a context into JSON, item by item as libcbor calls back, and has that parsed.
 * The reader has found the framing sound; it is checked again, as the file may have changed. */

#include "config.h"

#include "tsr-debug-record.h"

#include "tsr-error.h"

#include <cbor.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum
{
  ARRAY,
  MAP,
  TEXT,  /* of indefinite length */
  BYTES, /* likewise */
} Kind;

typedef struct
{
  guint64 left; /* items, a pair being two; goes below zero where there is no count */
  Kind kind;
  gboolean indefinite, is_key;
} Frame;

typedef struct
{
  const TsrDebugRows *rows;
  guint32 row;
  TsrJsonWriter *writer;
  Frame stack[TSR_JSON_MAX_DEPTH];
  guint depth;
  GString *key;         /* of the value that comes next, in a map */
  gboolean in_location; /* of the context */
  GString *chunks;
  gboolean done;
  gboolean failed;
  TsrError code;
  const char *message;
} Record;

static void
fail (Record *self, TsrError code, const char *message)
{
  if (self->failed)
    return;
  self->failed = TRUE;
  self->code = code;
  self->message = message;
}

static Frame *
get_top (Record *self)
{
  return self->depth > 0 ? &self->stack[self->depth - 1] : NULL;
}

static gboolean
is_at_key (Record *self)
{
  const Frame *top = get_top (self);

  return top != NULL && top->kind == MAP && top->left % 2 == 0;
}

static const char *
get_key (Record *self)
{
  const Frame *top = get_top (self);

  return top != NULL && top->kind == MAP ? self->key->str : NULL;
}

static void
close_top (Record *self)
{
  const Frame *top = get_top (self);

  if (top->kind == MAP)
    tsr_json_writer_end_object (self->writer);
  else
    tsr_json_writer_end_array (self->writer);
  if (top->is_key)
    g_string_assign (self->key, "(value)");
  self->depth--;
}

static void
end_item (Record *self)
{
  Frame *top = get_top (self);

  if (top != NULL)
    top->left--;
  while ((top = get_top (self)) != NULL && !top->indefinite && top->left == 0)
    close_top (self);
  self->done = self->depth == 0;
}

/* ------------------------------------------------------------------ scalars */

/* @json: a number, word or null as JSON has it. */
static void
take_raw (Record *self, const char *json)
{
  if (is_at_key (self))
    g_string_assign (self->key, json);
  else
    tsr_json_writer_raw (self->writer, get_key (self), json);
  end_item (self);
}

static void
take_text (Record *self, const char *bytes, gsize length)
{
  g_autofree char *text = g_utf8_make_valid (bytes, (gssize)length);

  if (is_at_key (self))
    g_string_assign (self->key, text);
  else
    tsr_json_writer_string (self->writer, get_key (self), text);
  end_item (self);
}

/* The text whose number stands here; TSR_NO_STRING where it is just a number. */
static guint32
get_text_here (Record *self)
{
  const char *key = get_key (self);

  if (key == NULL || is_at_key (self))
    return TSR_NO_STRING;
  if (self->depth == 1 && g_str_equal (key, "name"))
    return self->rows->name[self->row];
  if (self->depth != 2 || !self->in_location)
    return TSR_NO_STRING;
  if (g_str_equal (key, "fileName"))
    return self->rows->file_name[self->row];
  return g_str_equal (key, "functionName") ? self->rows->function_name[self->row] : TSR_NO_STRING;
}

static gboolean
take_index (Record *self)
{
  const char *text = tsr_debug_rows_get_text (self->rows, get_text_here (self));

  if (text != NULL)
    take_text (self, text, strlen (text));
  return text != NULL;
}

static void
take_unsigned (void *context, uint64_t value)
{
  char digits[sizeof "18446744073709551615"];

  g_snprintf (digits, sizeof digits, "%" PRIu64, value);
  if (!take_index (context))
    take_raw (context, digits);
}

static void
take_negative (void *context, uint64_t value)
{
  char digits[sizeof "-18446744073709551615"];

  g_snprintf (digits, sizeof digits, "-%" PRIu64, value + 1);
  take_raw (context, value == UINT64_MAX ? "-18446744073709551616" : digits);
}

#define WIDEN(name, type, wide)                                                                    \
  static void name (void *context, type value)                                                     \
  {                                                                                                \
    wide (context, value);                                                                         \
  }

WIDEN (take_uint8, uint8_t, take_unsigned)
WIDEN (take_uint16, uint16_t, take_unsigned)
WIDEN (take_uint32, uint32_t, take_unsigned)
WIDEN (take_negint8, uint8_t, take_negative)
WIDEN (take_negint16, uint16_t, take_negative)
WIDEN (take_negint32, uint32_t, take_negative)

static void
take_double (void *context, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  /* What is whole is written so, as far as each whole number has a double. */
  if (value == floor (value) && fabs (value) < 0x1p53)
    g_snprintf (digits, sizeof digits, "%" PRId64, (gint64)value);
  else
    g_ascii_dtostr (digits, sizeof digits, value);
  if (!take_index (context))
    take_raw (context, isfinite (value) ? digits : "null");
}

static void
take_float (void *context, float value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value) || value == floorf (value))
    {
      take_double (context, (double)value);
      return;
    }
  g_ascii_formatd (digits, sizeof digits, "%.9g", (double)value);
  take_raw (context, digits);
}

static void
take_boolean (void *context, bool value)
{
  take_raw (context, value ? "true" : "false");
}

static void
take_null (void *context)
{
  take_raw (context, "null");
}

static void
take_string (void *context, cbor_data data, size_t length)
{
  Record *self = context;
  const Frame *top = get_top (self);

  if (top != NULL && top->kind == TEXT)
    g_string_append_len (self->chunks, (const char *)data, (gssize)length);
  else
    take_text (self, (const char *)data, length);
}

static void
take_bytes (void *context, cbor_data data, size_t length)
{
  Record *self = context;
  const Frame *top = get_top (self);
  g_autoptr (GString) digits = NULL;

  if (top != NULL && top->kind == BYTES)
    {
      g_string_append_len (self->chunks, (const char *)data, (gssize)length);
      return;
    }
  digits = g_string_sized_new (2 * length);
  for (gsize i = 0; i < length; i++)
    g_string_append_printf (digits, "%02x", data[i]);
  take_text (self, digits->str, digits->len);
}

static void
take_tag (G_GNUC_UNUSED void *context, G_GNUC_UNUSED uint64_t value)
{
}

/* --------------------------------------------------------------- containers */

static Frame *
push (Record *self, Kind kind, guint64 n, gboolean indefinite)
{
  if (self->depth == TSR_JSON_MAX_DEPTH)
    {
      fail (self, TSR_ERROR_LIMIT, _ ("values are nested too deeply to be shown"));
      return NULL;
    }
  self->stack[self->depth] = (Frame){ n, kind, indefinite, FALSE };
  return &self->stack[self->depth++];
}

static void
open_container (Record *self, Kind kind, guint64 n, gboolean indefinite)
{
  gboolean is_key = is_at_key (self);
  const char *key = is_key ? "(key)" : get_key (self);
  Frame *top = get_top (self);
  Frame *frame;

  self->in_location
      = self->depth == 1 ? key != NULL && g_str_equal (key, "location") : self->in_location;
  frame = push (self, kind, n, indefinite);
  if (frame == NULL)
    return;
  frame->is_key = is_key;
  if (kind == MAP)
    tsr_json_writer_begin_object (self->writer, key);
  else
    tsr_json_writer_begin_array (self->writer, key);
  if (top != NULL)
    top->left--;
  if (n > 0 || indefinite)
    return;
  close_top (self);
  /* It was counted already. */
  if (get_top (self) != NULL)
    get_top (self)->left++;
  end_item (self);
}

static void
open_array (void *context, size_t n)
{
  open_container (context, ARRAY, n, FALSE);
}

static void
open_map (void *context, size_t n)
{
  if (n > G_MAXUINT64 / 4)
    fail (context, TSR_ERROR_TRUNCATED,
          _ ("more values are announced than the file has bytes left"));
  else
    open_container (context, MAP, 2 * (guint64)n, FALSE);
}

static void
open_indefinite_array (void *context)
{
  open_container (context, ARRAY, 0, TRUE);
}

static void
open_indefinite_map (void *context)
{
  open_container (context, MAP, 0, TRUE);
}

static void
open_text (void *context)
{
  Record *self = context;

  g_string_truncate (self->chunks, 0);
  push (self, TEXT, 0, TRUE);
}

static void
open_bytes (void *context)
{
  Record *self = context;

  g_string_truncate (self->chunks, 0);
  push (self, BYTES, 0, TRUE);
}

static void
end_indefinite (void *context)
{
  Record *self = context;
  const Frame *top = get_top (self);

  if (top == NULL || !top->indefinite || (top->kind == MAP && top->left % 2 != 0))
    fail (self, TSR_ERROR_CORRUPT, _ ("something ends here that did not begin"));
  else if (top->kind == TEXT || top->kind == BYTES)
    {
      gboolean is_text = top->kind == TEXT;

      self->depth--;
      (is_text ? take_string : take_bytes) (self, (cbor_data)self->chunks->str, self->chunks->len);
    }
  else
    {
      close_top (self);
      if (get_top (self) != NULL)
        get_top (self)->left++;
      end_item (self);
    }
}

static const struct cbor_callbacks callbacks = {
  .uint8 = take_uint8,
  .uint16 = take_uint16,
  .uint32 = take_uint32,
  .uint64 = take_unsigned,
  .negint8 = take_negint8,
  .negint16 = take_negint16,
  .negint32 = take_negint32,
  .negint64 = take_negative,
  .byte_string_start = open_bytes,
  .byte_string = take_bytes,
  .string = take_string,
  .string_start = open_text,
  .indef_array_start = open_indefinite_array,
  .array_start = open_array,
  .indef_map_start = open_indefinite_map,
  .map_start = open_map,
  .tag = take_tag,
  .float2 = take_float,
  .float4 = take_float,
  .float8 = take_double,
  .undefined = take_null,
  .null = take_null,
  .boolean = take_boolean,
  .indef_break = end_indefinite,
};

/* ------------------------------------------------------------------ reading */

/* libcbor takes anything in a text of indefinite length: whether @byte begins what may stand where
 * the next item is. */
static gboolean
is_allowed (Record *self, guint8 byte)
{
  const Frame *top = get_top (self);

  return top == NULL || (top->kind != TEXT && top->kind != BYTES) || byte == 0xff
         || (byte >> 5 == (top->kind == TEXT ? 3 : 2) && (byte & 31) != 31);
}

/* Writes all of @bytes; the byte where it failed, or @length. */
static gsize
write_items (Record *self, const guint8 *bytes, gsize length)
{
  gsize at = 0;

  while (at < length && !self->failed && !self->done)
    {
      struct cbor_decoder_result result;

      if (!is_allowed (self, bytes[at]))
        {
          fail (self, TSR_ERROR_CORRUPT, _ ("this value is not allowed here"));
          break;
        }
      result = cbor_stream_decode (bytes + at, length - at, &callbacks, self);
      if (result.status == CBOR_DECODER_FINISHED)
        at += !self->failed ? result.read : 0;
      else if (result.status == CBOR_DECODER_ERROR && bytes[at] >> 5 == 6 && (bytes[at] & 31) < 24)
        at++; /* a tag that libcbor does not know */
      else if (result.status == CBOR_DECODER_ERROR && bytes[at] >> 5 == 7
               && ((bytes[at] & 31) < 24 || (bytes[at] == 0xf8 && length - at > 1)))
        {
          /* A simple value without a meaning. */
          at += bytes[at] == 0xf8 ? 2 : 1;
          take_null (self);
        }
      else
        fail (self,
              result.status == CBOR_DECODER_NEDATA || bytes[at] == 0xf8 ? TSR_ERROR_TRUNCATED
                                                                        : TSR_ERROR_CORRUPT,
              _ ("the context is incomplete; the file may have changed: open it again"));
    }
  if (!self->failed && !self->done)
    fail (self, TSR_ERROR_TRUNCATED,
          _ ("the context is incomplete; the file may have changed: open it again"));
  return at;
}

static TsrJson *
parse (const char *text, const char *name, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (TsrSource) source = tsr_bytes_source_new (name, bytes);

  return tsr_json_read (source, NULL, error);
}

static TsrJson *
convert (
    const guint8 *bytes, TsrSource *source, const TsrDebugRows *rows, guint32 row, GError **error)
{
  g_autofree Record *self = g_new0 (Record, 1);
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  g_autoptr (GString) key = g_string_new (NULL);
  g_autoptr (GString) chunks = g_string_new (NULL);
  g_autofree char *text = NULL;
  gsize at;

  self->rows = rows;
  self->row = row;
  self->writer = writer;
  self->key = key;
  self->chunks = chunks;
  at = write_items (self, bytes, rows->length[row]);
  if (self->failed)
    {
      g_set_error (error, TSR_ERROR, (int)self->code, _ ("%s, byte %" PRId64 ": %s"),
                   tsr_source_get_base_name (source), rows->offset[row] + (gint64)at,
                   self->message);
      return NULL;
    }
  tsr_json_writer_finish (writer, FALSE);
  text = tsr_json_writer_dup_text (writer);
  return parse (text, tsr_source_get_name (source), error);
}

TsrJson *
tsr_debug_record_read (TsrSource *source,
                       const TsrDebugRows *rows,
                       guint32 row,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autofree guint8 *bytes = NULL;

  g_return_val_if_fail (TSR_IS_SOURCE (source), NULL);
  g_return_val_if_fail (rows != NULL && row < rows->n, NULL);

  if (rows->length[row] > TSR_JSON_MAX_BYTES)
    {
      g_set_error (
          error, TSR_ERROR, TSR_ERROR_LIMIT,
          _ ("%s, byte %" PRId64 ": the context has more than the %d bytes that are shown"),
          tsr_source_get_base_name (source), rows->offset[row], TSR_JSON_MAX_BYTES);
      return NULL;
    }
  bytes = g_malloc (MAX (rows->length[row], 1));
  if (!tsr_source_read_exactly (source, rows->offset[row], bytes, rows->length[row], cancellable,
                                error))
    return NULL;
  return convert (bytes, source, rows, row, error);
}

/* ----------------------------------------------------------------- tensors */

/* PopLibs writes a tensor as {shape, type}. */
static gboolean
is_tensor (const TsrJson *value)
{
  for (guint i = 0; i < tsr_json_get_n_children (value); i++)
    {
      const char *key = tsr_json_get_key (tsr_json_get_child (value, i));

      if (key != NULL && g_str_equal (key, "shape"))
        return TRUE;
    }
  return FALSE;
}

/* Names in @value: itself, texts of an array, or keys of a map, there only of tensors if
 * @only_tensors. */
static void
add_names (const TsrJson *value, gboolean only_tensors, GPtrArray *names)
{
  const TsrJsonKind kind = tsr_json_get_kind (value);

  if (kind == TSR_JSON_STRING || is_tensor (value))
    {
      g_ptr_array_add (names, g_strdup (kind == TSR_JSON_STRING ? tsr_json_get_text (value)
                                                                : tsr_json_get_key (value)));
      return;
    }
  for (guint i = 0; i < tsr_json_get_n_children (value); i++)
    {
      const TsrJson *child = tsr_json_get_child (value, i);

      if (kind == TSR_JSON_OBJECT && (!only_tensors || is_tensor (child)))
        g_ptr_array_add (names, g_strdup (tsr_json_get_key (child)));
      else if (kind == TSR_JSON_ARRAY && tsr_json_get_kind (child) == TSR_JSON_STRING)
        g_ptr_array_add (names, g_strdup (tsr_json_get_text (child)));
    }
}

GStrv
tsr_debug_record_dup_tensors (const TsrJson *record, gboolean outputs)
{
  static const struct
  {
    const char *key;
    gboolean outputs, only_tensors;
  } words[]
      = { { "inputs", FALSE, FALSE }, { "input", FALSE, FALSE },  { "operands", FALSE, FALSE },
          { "args", FALSE, TRUE },    { "outputs", TRUE, FALSE }, { "output", TRUE, FALSE } };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (record != NULL, NULL);
  for (guint i = 0; i < tsr_json_get_n_children (record); i++)
    {
      const TsrJson *child = tsr_json_get_child (record, i);

      for (guint j = 0; j < G_N_ELEMENTS (words); j++)
        if (words[j].outputs == outputs && g_strcmp0 (tsr_json_get_key (child), words[j].key) == 0)
          add_names (child, words[j].only_tensors, names);
    }
  g_ptr_array_add (names, NULL);
  return (GStrv)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}
