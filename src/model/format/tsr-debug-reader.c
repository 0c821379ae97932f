/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads debug.cbor in one pass.  libcbor decodes each item and calls back; which callbacks it gets
 * depends on where the item stands: those of the outline (parts, contexts, their columns, string
 * tables), those that only count what is stepped over, and those of pieces of a string.  Nearly all
 * items are stepped over, so counting them must cost next to nothing: what is left of the innermost
 * container is one number that goes down.
 *
 * A container of indefinite length begins with INDEFINITE items left, which no file has; it is
 * even, so that also there a key of a map stands where an even number is left. */

#include "config.h"

#include "tsr-debug-reader.h"

#include "tsr-error.h"

#include <cbor.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WINDOW       (256 * 1024)
#define INDEFINITE   (G_GUINT64_CONSTANT (1) << 63)
#define MAX_LAYERS   (TSR_DEBUG_NO_LAYER)
#define NEAR_LAYERS  16 /* that are compared one by one */
#define MAX_CONTEXTS (TSR_DEBUG_INLINE - 1)

/* What a container is. */
typedef enum
{
  TOP,      /* no container: the file */
  PARTS,    /* an array of parts */
  PART,     /* the map of an engine */
  CONTEXTS, /* its array of contexts */
  CONTEXT,  /* a map */
  LOCATION, /* a map in a context */
  IDS,      /* an array of ids in a context */
  STRINGS,  /* the array of a part's texts */
  SKIPPED,  /* anything else, and all in it */
  CHUNKS,   /* a text of indefinite length */
  BYTES,    /* the same of bytes */
} Kind;

typedef enum
{
  KEY_OTHER,
  KEY_CONTEXTS,
  KEY_STRINGS,
  KEY_ID,
  KEY_PARENT,
  KEY_NAME,
  KEY_LAYER,
  KEY_LOCATION,
  KEY_FILE,
  KEY_FUNCTION,
  KEY_LINE,
  KEY_REPLACED,
  KEY_OUTLINED,
} Key;

/* An open container. */
typedef struct
{
  guint64 left; /* items to come, keys and values alike */
  guint8 kind;
  guint8 is_map;
} Frame;

typedef struct
{
  /* Of every item. */
  const struct cbor_callbacks *callbacks;
  guint64 left; /* of the innermost container, as its kind and is_map */
  const guint8 *item;
  gboolean failed;
  Kind kind;
  gboolean is_map;

  Frame *stack; /* the containers around it */
  guint depth, room;
  Key key;

  /* What is being read. */
  guint64 id, parent;
  gint64 offset;
  guint32 name, file_name, function_name, line;
  guint16 layer;

  TsrSource *source;
  guint8 *window;
  gsize window_size;
  const guint8 *at, *end; /* in the window */
  gint64 at_offset;       /* of the window's first byte in the file */
  gint64 size;
  gint64 tag_end; /* where the last tag ends */
  GString *chunks;
  TsrError code; /* of what failed */
  char *message;

  TsrDebugRows *rows;
  guint capacity; /* of the columns of rows */
  guint text_capacity;
  gsize text_bytes, text_bytes_capacity;
  GArray *part_start, *part_text;
  gboolean part_has_texts, found;
  guint layer_length[NEAR_LAYERS];
  GHashTable *layers; /* name to place + 1 */
  TsrDiagnostics *diagnostics;
  TsrDiagnosticTally tally;
} Reader;

static const struct cbor_callbacks outline_callbacks, skip_callbacks, chunk_callbacks,
    byte_chunk_callbacks;

/* ------------------------------------------------------------------ problems */

static gint64
get_offset (const Reader *self, const guint8 *at)
{
  return self->at_offset + (at - self->window);
}

/* Ends reading at the item that is being decoded. */
static void
fail (Reader *self, TsrError code, const char *text)
{
  if (self->failed)
    return;
  self->failed = TRUE;
  self->code = code;
  self->message = g_strdup (text);
}

static void
tell (Reader *self, const char *code, gint64 offset, const char *text)
{
  if (tsr_diagnostic_tally_count (&self->tally, TSR_SEVERITY_WARNING, code))
    tsr_diagnostics_add (self->diagnostics, TSR_SEVERITY_WARNING, code,
                         tsr_source_get_base_name (self->source), "contexts", TSR_NO_ROW, offset,
                         "%s", text);
}

static void
tell_odd (Reader *self, const char *text)
{
  tell (self, "value-out-of-range", get_offset (self, self->item), text);
}

/* Bytes of the head at @head, which is whole. */
static gsize
get_head_size (const guint8 *head)
{
  guint info = *head & 31;

  return info >= 24 && info < 28 ? 1 + ((gsize)1 << (info - 24)) : 1;
}

/* Its argument. */
static guint64
get_argument (const guint8 *head)
{
  guint16 two;
  guint32 four;
  guint64 eight;

  switch (get_head_size (head))
    {
    case 1:
      return *head & 31;
    case 2:
      return head[1];
    case 3:
      memcpy (&two, head + 1, sizeof two);
      return GUINT16_FROM_BE (two);
    case 5:
      memcpy (&four, head + 1, sizeof four);
      return GUINT32_FROM_BE (four);
    default:
      memcpy (&eight, head + 1, sizeof eight);
      return GUINT64_FROM_BE (eight);
    }
}

static gboolean
is_string (const guint8 *head)
{
  return (*head >> 5 == 2 || *head >> 5 == 3) && (*head & 31) < 28;
}

/* Where the item that is being decoded ends in the file. */
static gint64
get_item_end (const Reader *self)
{
  gint64 end = get_offset (self, self->item) + (gint64)get_head_size (self->item);

  return is_string (self->item) ? end + (gint64)get_argument (self->item) : end;
}

/* ------------------------------------------------------------------- texts */

static void
append_text (Reader *self, const char *bytes, gsize length)
{
  TsrDebugRows *rows = self->rows;

  if (self->text_bytes + length + 1 > self->text_bytes_capacity)
    {
      self->text_bytes_capacity
          = MAX (self->text_bytes_capacity * 2, self->text_bytes + length + WINDOW);
      rows->texts = g_realloc (rows->texts, self->text_bytes_capacity);
    }
  if (rows->n_texts == self->text_capacity)
    {
      self->text_capacity = MAX (4096, self->text_capacity * 2);
      rows->text_start = g_renew (gsize, rows->text_start, self->text_capacity);
    }
  rows->text_start[rows->n_texts++] = self->text_bytes;
  memcpy (rows->texts + self->text_bytes, bytes, length);
  self->text_bytes += length;
  rows->texts[self->text_bytes++] = '\0';
}

/* FALSE after telling of it: what is no UTF-8 is shown as U+FFFD. */
static gboolean
is_valid (Reader *self, const char *bytes, gsize length)
{
  if (tsr_text_is_valid (bytes, length))
    return TRUE;
  tell (self, "text-not-utf8", get_offset (self, self->item),
        _ ("the text is not UTF-8; what cannot be read of it is shown as �"));
  return FALSE;
}

static void
add_text (Reader *self, const char *bytes, gsize length)
{
  g_autofree char *valid = NULL;

  if (self->rows->n_texts == MAX_CONTEXTS)
    {
      fail (self, TSR_ERROR_LIMIT, _ ("there are too many texts"));
      return;
    }
  if (!is_valid (self, bytes, length))
    {
      valid = g_utf8_make_valid (bytes, (gssize)length);
      append_text (self, valid, strlen (valid));
    }
  else
    append_text (self, bytes, length);
}

static guint32
intern_inline (Reader *self, const char *bytes, gsize length)
{
  is_valid (self, bytes, length);
  return tsr_string_table_intern (self->rows->inline_texts, bytes, (gssize)length)
         | TSR_DEBUG_INLINE;
}

static guint16
add_layer (Reader *self, const char *bytes, gsize length)
{
  g_autofree char *name = g_utf8_make_valid (bytes, (gssize)length);
  GPtrArray *names = self->rows->layer_names;
  gpointer found = g_hash_table_lookup (self->layers, name);

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  if (names->len == MAX_LAYERS)
    {
      tell (self, "limit", self->offset, _ ("there are too many layers"));
      return TSR_DEBUG_NO_LAYER;
    }
  if (names->len < NEAR_LAYERS)
    self->layer_length[names->len] = strlen (name);
  g_ptr_array_add (names, g_steal_pointer (&name));
  g_hash_table_insert (self->layers, g_ptr_array_index (names, names->len - 1),
                       GUINT_TO_POINTER (names->len));
  return names->len - 1;
}

static guint16
find_layer (Reader *self, const char *bytes, gsize length)
{
  const GPtrArray *names = self->rows->layer_names;

  for (guint i = 0; i < MIN (names->len, NEAR_LAYERS); i++)
    if (self->layer_length[i] == length
        && memcmp (g_ptr_array_index (names, i), bytes, length) == 0)
      return i;
  return add_layer (self, bytes, length);
}

/* A number of the file's string table as one of all texts; whether there is such a text is known
 * at the end. */
static guint32
text_of_index (const Reader *self, guint64 index)
{
  guint first = g_array_index (self->part_text, guint, self->part_text->len - 1);

  return index < MAX_CONTEXTS - first ? first + (guint32)index : TSR_NO_STRING;
}

/* ------------------------------------------------------------------ contexts */

static void
begin_context (Reader *self)
{
  self->offset = get_offset (self, self->item);
  self->id = self->parent = TSR_DEBUG_NO_ID;
  self->layer = TSR_DEBUG_NO_LAYER;
  self->name = self->file_name = self->function_name = TSR_NO_STRING;
  self->line = 0;
}

static void
set_capacity (Reader *self, guint capacity)
{
  TsrDebugRows *rows = self->rows;

  self->capacity = capacity;
  rows->id = g_renew (guint64, rows->id, capacity);
  rows->parent_id = g_renew (guint64, rows->parent_id, capacity);
  rows->layer = g_renew (guint16, rows->layer, capacity);
  rows->name = g_renew (guint32, rows->name, capacity);
  rows->file_name = g_renew (guint32, rows->file_name, capacity);
  rows->function_name = g_renew (guint32, rows->function_name, capacity);
  rows->line = g_renew (guint32, rows->line, capacity);
  rows->offset = g_renew (gint64, rows->offset, capacity);
  rows->length = g_renew (guint32, rows->length, capacity);
}

static void
end_context (Reader *self)
{
  TsrDebugRows *rows = self->rows;
  gint64 length = get_item_end (self) - self->offset;
  guint row = rows->n;

  if (row == self->capacity)
    {
      if (row == MAX_CONTEXTS)
        {
          fail (self, TSR_ERROR_LIMIT, _ ("there are too many contexts"));
          return;
        }
      set_capacity (self, MIN (MAX (1024, row + row / 2), MAX_CONTEXTS));
    }
  if (self->id == TSR_DEBUG_NO_ID)
    tell (self, "value-missing", self->offset, _ ("the context has no id that is a number"));
  rows->id[row] = self->id;
  rows->parent_id[row] = self->parent;
  rows->layer[row] = self->layer;
  rows->name[row] = self->name;
  rows->file_name[row] = self->file_name;
  rows->function_name[row] = self->function_name;
  rows->line[row] = self->line;
  rows->offset[row] = self->offset;
  rows->length[row] = MIN (length, G_MAXUINT32);
  rows->n++;
}

static void
add_id (Reader *self, TsrDebugIds kind, guint64 id)
{
  TsrDebugIdLists *lists = &self->rows->ids[kind];
  guint32 row = self->rows->n;
  guint32 start = lists->id->len;

  if (lists->row->len == 0 || g_array_index (lists->row, guint32, lists->row->len - 1) != row)
    {
      g_array_append_val (lists->row, row);
      g_array_append_val (lists->start, start);
    }
  g_array_append_val (lists->id, id);
}

/* Digits at *@text, which moves behind them; FALSE when there is no such number. */
static gboolean
parse_id (const char **text, const char *end, guint64 *id)
{
  const char *start = *text;
  gboolean fits = TRUE;

  *id = 0;
  for (; *text < end && g_ascii_isdigit (**text); ++*text)
    fits = fits && g_uint64_checked_mul (id, *id, 10)
           && g_uint64_checked_add (id, *id, (guint64)(**text - '0'));
  return fits && *text > start;
}

/* "[1,2]" */
static void
add_ids (Reader *self, TsrDebugIds kind, const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end)
    {
      guint64 id;

      if (!g_ascii_isdigit (*text))
        text++;
      else if (parse_id (&text, end, &id))
        add_id (self, kind, id);
      else
        tell_odd (self, _ ("an id of a context is too large"));
    }
}

static TsrDebugIds
get_ids_kind (const Reader *self)
{
  return self->key == KEY_REPLACED ? TSR_DEBUG_REPLACED : TSR_DEBUG_OUTLINED;
}

/* --------------------------------------------------------------- containers */

/* Only the last three are read by others. */
static const struct cbor_callbacks *const callbacks_of[] = {
  [TOP] = &outline_callbacks,      [PARTS] = &outline_callbacks,    [PART] = &outline_callbacks,
  [CONTEXTS] = &outline_callbacks, [CONTEXT] = &outline_callbacks,  [LOCATION] = &outline_callbacks,
  [IDS] = &outline_callbacks,      [STRINGS] = &outline_callbacks,  [SKIPPED] = &skip_callbacks,
  [CHUNKS] = &chunk_callbacks,     [BYTES] = &byte_chunk_callbacks,
};

static inline void
set_kind (Reader *self, Kind kind)
{
  self->kind = kind;
  self->callbacks = callbacks_of[kind];
}

static void
push (Reader *self, Kind kind, gboolean is_map, guint64 n)
{
  if (self->depth == self->room)
    {
      if (self->depth == TSR_DEBUG_MAX_DEPTH)
        {
          fail (self, TSR_ERROR_LIMIT, _ ("values are nested too deeply"));
          return;
        }
      self->room = MAX (64, 2 * self->room);
      self->stack = g_renew (Frame, self->stack, self->room);
    }
  self->stack[self->depth++] = (Frame){ self->left, self->kind, self->is_map };
  self->left = n;
  self->is_map = is_map;
  set_kind (self, kind);
}

static void
pop (Reader *self)
{
  const Frame *frame = &self->stack[--self->depth];

  self->left = frame->left;
  self->is_map = frame->is_map;
  set_kind (self, frame->kind);
}

static void
begin_part (Reader *self)
{
  g_array_append_val (self->part_start, self->rows->n);
  g_array_append_val (self->part_text, self->rows->n_texts);
  self->part_has_texts = FALSE;
}

/* The innermost container is whole, and thereby perhaps those around it. */
static void
close_container (Reader *self)
{
  do
    {
      Kind kind = self->kind;

      pop (self);
      if (kind == CONTEXT)
        end_context (self);
    }
  while (self->left == 0);
}

/* @n: of items, a pair being two of them.  An item takes a byte at least. */
static void
open_container (Reader *self, Kind kind, gboolean is_map, guint64 n)
{
  if (n != INDEFINITE
      && n > (guint64)(self->size - get_offset (self, self->item)) - get_head_size (self->item))
    {
      fail (self, TSR_ERROR_TRUNCATED,
            _ ("more values are announced than the file has bytes left"));
      return;
    }
  self->left--;
  push (self, kind, is_map, n);
  if (kind == PART)
    begin_part (self);
  else if (kind == CONTEXT)
    begin_context (self);
  if (n == 0)
    close_container (self);
}

static inline void
end_item (Reader *self)
{
  if (G_UNLIKELY (--self->left == 0))
    close_container (self);
}

static inline gboolean
is_at_key (const Reader *self)
{
  return self->is_map && self->left % 2 == 0;
}

static void
end_indefinite (void *context)
{
  Reader *self = context;
  Kind kind = self->kind;

  if (self->left > INDEFINITE || self->left < INDEFINITE / 2 || kind == TOP
      || (self->is_map && self->left % 2 != 0) || get_offset (self, self->item) == self->tag_end)
    fail (self, TSR_ERROR_CORRUPT, _ ("something ends here that did not begin"));
  else if (kind != CHUNKS && kind != BYTES)
    close_container (self);
  else
    {
      pop (self);
      (kind == CHUNKS ? self->callbacks->string : self->callbacks->byte_string) (
          self, (cbor_data)self->chunks->str, self->chunks->len);
    }
}

static void
take_tag (void *context, G_GNUC_UNUSED uint64_t value)
{
  Reader *self = context;

  self->tag_end = get_item_end (self);
}

/* ------------------------------------------------------------ stepping over */

#define SKIP(name, type)                                                                           \
  static void name (void *context, G_GNUC_UNUSED type value)                                       \
  {                                                                                                \
    end_item (context);                                                                            \
  }

SKIP (skip_uint8, uint8_t)
SKIP (skip_uint16, uint16_t)
SKIP (skip_uint32, uint32_t)
SKIP (skip_uint64, uint64_t)
SKIP (skip_float, float)
SKIP (skip_double, double)
SKIP (skip_boolean, bool)

static void
skip_simple (void *context)
{
  end_item (context);
}

static void
skip_string (void *context, G_GNUC_UNUSED cbor_data data, G_GNUC_UNUSED size_t length)
{
  end_item (context);
}

static void
skip_array (void *context, size_t n)
{
  open_container (context, SKIPPED, FALSE, n);
}

/* Two items for each pair; counts beyond what fits are clamped. */
static guint64
count_map (size_t n)
{
  return n > INDEFINITE / 4 ? INDEFINITE - 1 : 2 * (guint64)n;
}

static void
skip_map (void *context, size_t n)
{
  open_container (context, SKIPPED, TRUE, count_map (n));
}

static void
skip_indefinite_array (void *context)
{
  open_container (context, SKIPPED, FALSE, INDEFINITE);
}

static void
skip_indefinite_map (void *context)
{
  open_container (context, SKIPPED, TRUE, INDEFINITE);
}

/* The string counts as an item when it is whole. */
static void
begin_chunks (void *context)
{
  Reader *self = context;

  g_string_truncate (self->chunks, 0);
  push (self, CHUNKS, FALSE, INDEFINITE);
}

static void
begin_byte_chunks (void *context)
{
  push (context, BYTES, FALSE, INDEFINITE);
}

static const struct cbor_callbacks skip_callbacks = {
  .uint8 = skip_uint8,
  .uint16 = skip_uint16,
  .uint32 = skip_uint32,
  .uint64 = skip_uint64,
  .negint8 = skip_uint8,
  .negint16 = skip_uint16,
  .negint32 = skip_uint32,
  .negint64 = skip_uint64,
  .byte_string_start = begin_byte_chunks,
  .byte_string = skip_string,
  .string = skip_string,
  .string_start = begin_chunks,
  .indef_array_start = skip_indefinite_array,
  .array_start = skip_array,
  .indef_map_start = skip_indefinite_map,
  .map_start = skip_map,
  .tag = take_tag,
  .float2 = skip_float,
  .float4 = skip_float,
  .float8 = skip_double,
  .undefined = skip_simple,
  .null = skip_simple,
  .boolean = skip_boolean,
  .indef_break = end_indefinite,
};

/* ------------------------------------------------------- pieces of a string */

static void
refuse (void *context)
{
  fail (context, TSR_ERROR_CORRUPT, _ ("this value is not allowed here"));
}

#define REFUSE(name, type)                                                                         \
  static void name (void *context, G_GNUC_UNUSED type value)                                       \
  {                                                                                                \
    refuse (context);                                                                              \
  }

REFUSE (refuse_uint8, uint8_t)
REFUSE (refuse_uint16, uint16_t)
REFUSE (refuse_uint32, uint32_t)
REFUSE (refuse_uint64, uint64_t)
REFUSE (refuse_size, size_t)
REFUSE (refuse_float, float)
REFUSE (refuse_double, double)
REFUSE (refuse_boolean, bool)

static void
refuse_string (void *context, G_GNUC_UNUSED cbor_data data, G_GNUC_UNUSED size_t length)
{
  refuse (context);
}

/* Only what is looked at later is kept. */
static void
add_chunk (void *context, cbor_data data, size_t length)
{
  Reader *self = context;

  if (self->stack[self->depth - 1].kind == SKIPPED || data == NULL)
    return;
  if (self->chunks->len + length <= TSR_DEBUG_MAX_TEXT)
    g_string_append_len (self->chunks, (const char *)data, (gssize)length);
  else if (tsr_diagnostic_tally_count (&self->tally, TSR_SEVERITY_WARNING, "limit"))
    tell (self, "limit", get_offset (self, self->item), _ ("a text is too long, and cut here"));
}

/* Of bytes nothing is looked at. */
static void
pass_chunk (G_GNUC_UNUSED void *context, G_GNUC_UNUSED cbor_data data, G_GNUC_UNUSED size_t length)
{
}

#define CHUNK_CALLBACKS(text, bytes)                                                               \
  {                                                                                                \
    .uint8 = refuse_uint8, .uint16 = refuse_uint16, .uint32 = refuse_uint32,                       \
    .uint64 = refuse_uint64, .negint8 = refuse_uint8, .negint16 = refuse_uint16,                   \
    .negint32 = refuse_uint32, .negint64 = refuse_uint64, .byte_string_start = refuse,             \
    .byte_string = bytes, .string = text, .string_start = refuse, .indef_array_start = refuse,     \
    .array_start = refuse_size, .indef_map_start = refuse, .map_start = refuse_size,               \
    .tag = refuse_uint64, .float2 = refuse_float, .float4 = refuse_float, .float8 = refuse_double, \
    .undefined = refuse, .null = refuse, .boolean = refuse_boolean, .indef_break = end_indefinite, \
  }

static const struct cbor_callbacks chunk_callbacks = CHUNK_CALLBACKS (add_chunk, refuse_string);
static const struct cbor_callbacks byte_chunk_callbacks
    = CHUNK_CALLBACKS (refuse_string, pass_chunk);

/* ----------------------------------------------------------------- the outline */

/* A value of any other type, or of a type that its key does not allow. */
static void
take_other (Reader *self)
{
  if (self->kind == STRINGS)
    {
      tell_odd (self, _ ("a value in the string table is not a text"));
      add_text (self, "", 0);
    }
  else if (self->kind == CONTEXTS)
    tell_odd (self, _ ("a value among the contexts is not a map"));
  else if (self->kind == TOP)
    fail (self, self->found ? TSR_ERROR_CORRUPT : TSR_ERROR_NOT_A_REPORT,
          self->found ? _ ("there is more after the end of the data")
                      : _ ("this is not debug information: it does not begin with a map"));
  if (is_at_key (self))
    self->key = KEY_OTHER;
  end_item (self);
}

static void
set_number (Reader *self, guint64 number)
{
  switch (self->key)
    {
    case KEY_ID:
      self->id = number;
      break;
    case KEY_PARENT:
      self->parent = number;
      break;
    case KEY_NAME:
      self->name = text_of_index (self, number);
      break;
    case KEY_FILE:
      self->file_name = text_of_index (self, number);
      break;
    case KEY_FUNCTION:
      self->function_name = text_of_index (self, number);
      break;
    case KEY_LINE:
      self->line = MIN (number, G_MAXUINT32);
      break;
    case KEY_OTHER:
    case KEY_CONTEXTS:
    case KEY_STRINGS:
    case KEY_LAYER:
    case KEY_LOCATION:
    case KEY_REPLACED:
    case KEY_OUTLINED:
    default:
      break;
    }
}

static void
take_number (Reader *self, guint64 number)
{
  if ((self->kind == CONTEXT || self->kind == LOCATION) && !is_at_key (self))
    {
      set_number (self, number);
      end_item (self);
    }
  else if (self->kind == IDS)
    {
      add_id (self, get_ids_kind (self), number);
      end_item (self);
    }
  else
    take_other (self);
}

#define NUMBER(name, type)                                                                         \
  static void name (void *context, type value)                                                     \
  {                                                                                                \
    take_number (context, value);                                                                  \
  }

NUMBER (take_uint8, uint8_t)
NUMBER (take_uint16, uint16_t)
NUMBER (take_uint32, uint32_t)
NUMBER (take_uint64, uint64_t)

/* Poplar's numbers are doubles inside, and some writers keep them so. */
static void
take_double (void *context, double value)
{
  if (value >= 0 && value < 0x1p64 && value == floor (value))
    take_number (context, (guint64)value);
  else
    take_other (context);
}

static void
take_float (void *context, float value)
{
  take_double (context, (double)value);
}

#define OTHER(name, type)                                                                          \
  static void name (void *context, G_GNUC_UNUSED type value)                                       \
  {                                                                                                \
    take_other (context);                                                                          \
  }

OTHER (take_negative8, uint8_t)
OTHER (take_negative16, uint16_t)
OTHER (take_negative32, uint32_t)
OTHER (take_negative64, uint64_t)
OTHER (take_boolean, bool)

static void
take_simple (void *context)
{
  take_other (context);
}

static void
take_bytes (void *context, G_GNUC_UNUSED cbor_data data, G_GNUC_UNUSED size_t length)
{
  take_other (context);
}

#define IS(word) (memcmp (bytes, word, sizeof (word) - 1) == 0)

static Key
find_context_key (const char *bytes, gsize length)
{
  switch (length)
    {
    case 2:
      return IS ("id") ? KEY_ID : KEY_OTHER;
    case 4:
      return IS ("name") ? KEY_NAME : KEY_OTHER;
    case 5:
      return IS ("layer") ? KEY_LAYER : KEY_OTHER;
    case 8:
      return IS ("parentId") ? KEY_PARENT : IS ("location") ? KEY_LOCATION : KEY_OTHER;
    case 23:
      return IS ("replacedDebugContextIds")   ? KEY_REPLACED
             : IS ("outlinedDebugContextIds") ? KEY_OUTLINED
                                              : KEY_OTHER;
    default:
      return KEY_OTHER;
    }
}

static Key
find_location_key (const char *bytes, gsize length)
{
  switch (length)
    {
    case 8:
      return IS ("fileName") ? KEY_FILE : KEY_OTHER;
    case 10:
      return IS ("lineNumber") ? KEY_LINE : KEY_OTHER;
    case 12:
      return IS ("functionName") ? KEY_FUNCTION : KEY_OTHER;
    default:
      return KEY_OTHER;
    }
}

static Key
find_key (Kind kind, const char *bytes, gsize length)
{
  if (kind == CONTEXT)
    return find_context_key (bytes, length);
  if (kind == LOCATION)
    return find_location_key (bytes, length);
  if (length == 8 && IS ("contexts"))
    return KEY_CONTEXTS;
  return length == 11 && IS ("stringTable") ? KEY_STRINGS : KEY_OTHER;
}

static void
set_text (Reader *self, const char *bytes, gsize length)
{
  const char *at = bytes;
  guint64 number;

  switch (self->key)
    {
    case KEY_LAYER:
      self->layer = find_layer (self, bytes, length);
      break;
    case KEY_NAME:
      self->name = intern_inline (self, bytes, length);
      break;
    case KEY_FILE:
      self->file_name = intern_inline (self, bytes, length);
      break;
    case KEY_FUNCTION:
      self->function_name = intern_inline (self, bytes, length);
      break;
    case KEY_REPLACED:
    case KEY_OUTLINED:
      add_ids (self, get_ids_kind (self), bytes, length);
      break;
    case KEY_ID:
    case KEY_PARENT:
    case KEY_LINE:
      if (parse_id (&at, bytes + length, &number) && at == bytes + length)
        set_number (self, number);
      break;
    case KEY_OTHER:
    case KEY_CONTEXTS:
    case KEY_STRINGS:
    case KEY_LOCATION:
    default:
      break;
    }
}

/* @data: NULL for a text that is too long to be kept. */
static void
take_string (void *context, cbor_data data, size_t length)
{
  Reader *self = context;
  const char *bytes = (const char *)data;

  if (data == NULL)
    {
      tell (self, "limit", get_offset (self, self->item), _ ("a text is too long to be kept"));
      take_other (self);
    }
  else if (is_at_key (self))
    {
      self->key = find_key (self->kind, bytes, length);
      end_item (self);
    }
  else if (self->kind == STRINGS)
    {
      add_text (self, bytes, length);
      end_item (self);
    }
  else if (self->kind == CONTEXT || self->kind == LOCATION)
    {
      set_text (self, bytes, length);
      end_item (self);
    }
  else if (self->kind == IDS)
    {
      add_ids (self, get_ids_kind (self), bytes, length);
      end_item (self);
    }
  else
    take_other (self);
}

static Kind
choose_in_part (Reader *self, gboolean is_map)
{
  if (is_map || (self->key != KEY_CONTEXTS && self->key != KEY_STRINGS))
    return SKIPPED;
  if (self->key == KEY_CONTEXTS)
    {
      self->found = TRUE;
      return CONTEXTS;
    }
  if (self->part_has_texts)
    {
      tell_odd (self, _ ("there is a second string table; the first one counts"));
      return SKIPPED;
    }
  self->part_has_texts = TRUE;
  return STRINGS;
}

/* What the container is that begins. */
static Kind
choose_kind (Reader *self, gboolean is_map)
{
  if (is_at_key (self))
    {
      self->key = KEY_OTHER;
      return SKIPPED;
    }
  switch (self->kind)
    {
    case TOP:
      return is_map ? PART : PARTS;
    case PARTS:
      return is_map ? PART : SKIPPED;
    case PART:
      return choose_in_part (self, is_map);
    case CONTEXTS:
      if (!is_map)
        tell_odd (self, _ ("a value among the contexts is not a map"));
      return is_map ? CONTEXT : SKIPPED;
    case CONTEXT:
      if (self->key == KEY_LOCATION && is_map)
        return LOCATION;
      return (self->key == KEY_REPLACED || self->key == KEY_OUTLINED) && !is_map ? IDS : SKIPPED;
    case STRINGS:
      tell_odd (self, _ ("a value in the string table is not a text"));
      add_text (self, "", 0);
      return SKIPPED;
    case LOCATION:
    case IDS:
    case SKIPPED:
    case CHUNKS:
    case BYTES:
    default:
      return SKIPPED;
    }
}

static void
take_array (void *context, size_t n)
{
  open_container (context, choose_kind (context, FALSE), FALSE, n);
}

static void
take_map (void *context, size_t n)
{
  open_container (context, choose_kind (context, TRUE), TRUE, count_map (n));
}

static void
take_indefinite_array (void *context)
{
  open_container (context, choose_kind (context, FALSE), FALSE, INDEFINITE);
}

static void
take_indefinite_map (void *context)
{
  open_container (context, choose_kind (context, TRUE), TRUE, INDEFINITE);
}

static const struct cbor_callbacks outline_callbacks = {
  .uint8 = take_uint8,
  .uint16 = take_uint16,
  .uint32 = take_uint32,
  .uint64 = take_uint64,
  .negint8 = take_negative8,
  .negint16 = take_negative16,
  .negint32 = take_negative32,
  .negint64 = take_negative64,
  .byte_string_start = begin_byte_chunks,
  .byte_string = take_bytes,
  .string = take_string,
  .string_start = begin_chunks,
  .indef_array_start = take_indefinite_array,
  .array_start = take_array,
  .indef_map_start = take_indefinite_map,
  .map_start = take_map,
  .tag = take_tag,
  .float2 = take_float,
  .float4 = take_float,
  .float8 = take_double,
  .undefined = take_simple,
  .null = take_simple,
  .boolean = take_boolean,
  .indef_break = end_indefinite,
};

/* ------------------------------------------------------------------ the window */

/* Moves what is left of the window to its front, makes room for @need bytes, and fills it. */
static gboolean
refill (Reader *self, gsize need, GCancellable *cancellable, GError **error)
{
  gsize left = self->end - self->at;
  gint64 offset = get_offset (self, self->at);
  gsize more;

  memmove (self->window, self->at, left);
  if (need > self->window_size)
    {
      self->window_size = need;
      self->window = g_realloc (self->window, need);
    }
  more = MIN (self->window_size - left, (guint64)(self->size - offset) - left);
  self->at = self->window;
  self->at_offset = offset;
  self->end = self->window + left + more;
  return !g_cancellable_set_error_if_cancelled (cancellable, error)
         && tsr_source_read_exactly (self->source, offset + (gint64)left, self->window + left, more,
                                     cancellable, error);
}

/* An item that is not whole in the window, or that libcbor does not know.  FALSE and @error when
 * the file cannot be read. */
static gboolean
take_odd_item (Reader *self,
               enum cbor_decoder_status status,
               GCancellable *cancellable,
               GError **error)
{
  const gint64 left = self->size - get_offset (self, self->at);
  const guint8 *head = self->at;
  gsize head_size = get_head_size (head);
  guint64 length = 0;

  if (status == CBOR_DECODER_ERROR
      && (*head >> 5 < 6 || (*head & 31) > (*head >> 5 == 6 ? 27 : 24)))
    {
      fail (self, TSR_ERROR_CORRUPT, _ ("these bytes do not begin a CBOR value"));
      return TRUE;
    }
  if ((gint64)head_size <= left && (gsize)(self->end - self->at) < head_size)
    return refill (self, head_size, cancellable, error);
  if ((gint64)head_size <= left && is_string (head))
    length = get_argument (head);
  if ((gint64)head_size > left || length > (guint64)(left - (gint64)head_size))
    {
      fail (self, TSR_ERROR_TRUNCATED,
            _ ("the file ends inside a value; the program that wrote it did not finish"));
      return TRUE;
    }
  if (status == CBOR_DECODER_ERROR)
    {
      /* Tags and simple values without a meaning. */
      if (*head >> 5 == 6)
        self->callbacks->tag (self, get_argument (head));
      else
        self->callbacks->undefined (self);
      self->at += head_size;
      return TRUE;
    }
  if (self->kind != SKIPPED && length <= TSR_DEBUG_MAX_TEXT)
    return refill (self, head_size + length, cancellable, error);
  /* Stepped over without being in the window. */
  if (head_size + length <= self->window_size)
    return refill (self, head_size + length, cancellable, error);
  (*head >> 5 == 3 ? self->callbacks->string : self->callbacks->byte_string) (self, NULL, length);
  self->at_offset = get_offset (self, self->at) + (gint64)(head_size + length);
  self->at = self->end = self->window;
  return TRUE;
}

/* In a container that is skipped: the first byte behind numbers and strings that nobody looks at,
 * of which only the heads are read.  Anything else, what ends in the window's last bytes, and the
 * last item of the container are libcbor's. */
static const guint8 *
step_over (Reader *self, const guint8 *at, const guint8 *end)
{
  guint64 left = self->left;

  while (left > 1 && end - at > 9 && *at >> 5 < 4 && (*at & 31) < 28)
    {
      gsize size = get_head_size (at);

      if (is_string (at))
        {
          const guint64 length = get_argument (at);

          if (length > (gsize)(end - at) - size)
            break;
          size += length;
        }
      at += size;
      left--;
    }
  self->left = left;
  return at;
}

/* In a context or its location: the short texts and the numbers that nearly all of it are.  What
 * step_over leaves to libcbor is left to it here too, and so are keys that are no texts. */
static const guint8 *
take_plain (Reader *self, const guint8 *at, const guint8 *end)
{
  while (self->left > 1 && end - at > 9)
    {
      const gboolean at_key = self->left % 2 == 0;
      const gsize head = get_head_size (at);

      self->item = at;
      if (*at >> 5 == 3 && is_string (at))
        {
          const guint64 length = get_argument (at);
          const char *bytes = (const char *)at + head;

          if (length > (gsize)(end - at) - head)
            break;
          if (at_key)
            self->key = find_key (self->kind, bytes, length);
          else
            set_text (self, bytes, length);
          at += head + length;
        }
      else if (*at >> 5 == 0 && (*at & 31) < 28 && !at_key)
        {
          set_number (self, get_argument (at));
          at += head;
        }
      else
        break;
      self->left--;
    }
  return at;
}

static gboolean
read_items (Reader *self, TsrProgress *progress, GCancellable *cancellable, GError **error)
{
  tsr_progress_set_total (progress, self->size);
  for (;;)
    {
      const guint8 *at = self->at;
      const guint8 *end = self->end;
      struct cbor_decoder_result result = { .status = CBOR_DECODER_FINISHED };

      while (at < end)
        {
          self->item = at;
          result = cbor_stream_decode (at, end - at, self->callbacks, self);
          if (G_UNLIKELY (result.status != CBOR_DECODER_FINISHED || self->failed))
            break;
          at += result.read;
          if (self->kind == SKIPPED)
            at = step_over (self, at, end);
          else if (self->kind == CONTEXT || self->kind == LOCATION)
            at = take_plain (self, at, end);
        }
      self->at = at;
      if (!self->failed && result.status != CBOR_DECODER_FINISHED
          && !take_odd_item (self, result.status, cancellable, error))
        return FALSE;
      if (self->failed)
        return TRUE;
      tsr_progress_set_done (progress, get_offset (self, self->at));
      if (self->at < self->end)
        continue;
      if (get_offset (self, self->at) == self->size)
        break;
      if (!refill (self, 0, cancellable, error))
        return FALSE;
    }
  if (self->depth > 0 || self->tag_end == self->size)
    fail (self, TSR_ERROR_TRUNCATED,
          _ ("the file ends inside a value; the program that wrote it did not finish"));
  return TRUE;
}

/* ----------------------------------------------------------------- the whole */

/* A number that no text of its part has is no text.  Where all are missing, one is told of. */
static void
check_texts (Reader *self, guint32 *column)
{
  const TsrDebugRows *rows = self->rows;

  for (guint part = 0; part < rows->n_parts; part++)
    {
      const guint32 first = rows->part_text[part];
      const guint32 n = rows->part_text[part + 1] - first;
      gboolean told = FALSE;

      for (guint i = rows->part_start[part]; i < rows->part_start[part + 1]; i++)
        {
          if (column[i] - first < n || column[i] >= TSR_DEBUG_INLINE)
            continue;
          column[i] = TSR_NO_STRING;
          if (n > 0 && !self->failed)
            tell (self, "reference-broken", rows->offset[i],
                  _ ("the index of a text is beyond the end of the string table"));
          else if (column == rows->name && !told && !self->failed)
            tell (self, "value-missing", rows->offset[i],
                  _ ("there is no string table, so the names of the contexts are missing"));
          told = TRUE;
        }
    }
}

/* What is known when all is read. */
static void
seal (Reader *self)
{
  TsrDebugRows *rows = self->rows;

  rows->n_parts = self->part_start->len;
  g_array_append_val (self->part_start, rows->n);
  g_array_append_val (self->part_text, rows->n_texts);
  rows->part_start = (guint *)(gpointer)g_array_free (g_steal_pointer (&self->part_start), FALSE);
  rows->part_text = (guint *)(gpointer)g_array_free (g_steal_pointer (&self->part_text), FALSE);
  check_texts (self, rows->name);
  check_texts (self, rows->file_name);
  check_texts (self, rows->function_name);
  set_capacity (self, MAX (rows->n, 1));
  rows->text_start = g_renew (gsize, rows->text_start, MAX (rows->n_texts, 1));
  rows->texts = g_realloc (rows->texts, MAX (self->text_bytes, 1));
  tsr_diagnostic_tally_flush (&self->tally, self->diagnostics,
                              tsr_source_get_base_name (self->source), "contexts");
}

static void
reader_init (Reader *self, TsrSource *source, TsrDiagnostics *diagnostics)
{
  TsrDebugRows *rows = g_new0 (TsrDebugRows, 1);

  self->source = source;
  self->diagnostics = diagnostics;
  self->size = MAX (tsr_source_get_size (source), 0);
  self->window_size = WINDOW;
  self->window = g_malloc (WINDOW);
  self->at = self->end = self->window;
  self->tag_end = -1;
  self->left = INDEFINITE;
  set_kind (self, TOP);
  self->chunks = g_string_new (NULL);
  self->part_start = g_array_new (FALSE, FALSE, sizeof (guint));
  self->part_text = g_array_new (FALSE, FALSE, sizeof (guint));
  self->layers = g_hash_table_new (g_str_hash, g_str_equal);
  rows->layer_names = g_ptr_array_new_with_free_func (g_free);
  rows->inline_texts = tsr_string_table_new ();
  for (guint i = 0; i < TSR_DEBUG_N_IDS; i++)
    {
      rows->ids[i].row = g_array_new (FALSE, FALSE, sizeof (guint32));
      rows->ids[i].start = g_array_new (FALSE, FALSE, sizeof (guint32));
      rows->ids[i].id = g_array_new (FALSE, FALSE, sizeof (guint64));
    }
  self->rows = rows;
}

static void
reader_clear (Reader *self)
{
  g_free (self->window);
  g_free (self->stack);
  g_free (self->message);
  g_string_free (self->chunks, TRUE);
  g_clear_pointer (&self->part_start, g_array_unref);
  g_clear_pointer (&self->part_text, g_array_unref);
  g_hash_table_unref (self->layers);
  g_clear_pointer (&self->rows, tsr_debug_rows_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/* The first bytes of files that are something else. */
static const char *
explain_start (const Reader *self)
{
  if (self->size == 0)
    return _ ("the file is empty");
  if (self->end - self->window > 2 && self->window[0] == '{'
      && memchr ("\"\n\r\t }", self->window[1], 6) != NULL)
    return _ ("this is JSON, and debug information is read as CBOR only");
  if (self->end - self->window > 20 && memcmp (self->window, "version https://git-", 20) == 0)
    return _ ("it is a pointer of git-lfs, not the file itself (\"git lfs pull\" fetches it)");
  return NULL;
}

static GError *
make_error (const Reader *self)
{
  return g_error_new (TSR_ERROR, (int)self->code, _ ("%s, byte %" PRId64 ": %s"),
                      tsr_source_get_base_name (self->source), get_offset (self, self->at),
                      self->message);
}

TsrDebugRows *
tsr_debug_rows_read (TsrSource *source,
                     TsrProgress *progress,
                     TsrDiagnostics *diagnostics,
                     GCancellable *cancellable,
                     GError **error)
{
  g_auto (Reader) self = { 0 };
  const char *other;

  g_return_val_if_fail (TSR_IS_SOURCE (source), NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  reader_init (&self, source, diagnostics);
  if (!refill (&self, 0, cancellable, error))
    return NULL;
  other = explain_start (&self);
  if (other != NULL)
    fail (&self, self.size == 0 ? TSR_ERROR_TRUNCATED : TSR_ERROR_NOT_A_REPORT, other);
  else if (!read_items (&self, progress, cancellable, error)
           || !tsr_source_check_unchanged (source, cancellable, error))
    return NULL;
  if (!self.failed && !self.found)
    fail (&self, TSR_ERROR_NOT_A_REPORT,
          _ ("this is CBOR, but not debug information: it has no contexts"));
  if (self.failed && self.rows->n == 0)
    {
      g_propagate_error (error, make_error (&self));
      return NULL;
    }
  if (self.failed)
    {
      self.rows->end = g_error_new_literal (TSR_ERROR, (int)self.code, self.message);
      self.rows->end_offset = get_offset (&self, self.at);
    }
  seal (&self);
  return g_steal_pointer (&self.rows);
}

void
tsr_debug_rows_free (TsrDebugRows *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_free (self->parent_id);
  g_free (self->layer);
  g_free (self->name);
  g_free (self->file_name);
  g_free (self->function_name);
  g_free (self->line);
  g_free (self->offset);
  g_free (self->length);
  for (guint i = 0; i < TSR_DEBUG_N_IDS; i++)
    {
      g_array_unref (self->ids[i].row);
      g_array_unref (self->ids[i].start);
      g_array_unref (self->ids[i].id);
    }
  g_free (self->part_start);
  g_free (self->part_text);
  g_ptr_array_unref (self->layer_names);
  g_free (self->text_start);
  g_free (self->texts);
  tsr_string_table_free (self->inline_texts);
  g_clear_error (&self->end);
  g_free (self);
}

const char *
tsr_debug_rows_get_text (const TsrDebugRows *self, guint32 text)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (text < self->n_texts)
    return self->texts + self->text_start[text];
  if (text == TSR_NO_STRING || text < TSR_DEBUG_INLINE)
    return NULL;
  return tsr_string_table_get (self->inline_texts, text & ~TSR_DEBUG_INLINE);
}

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  return (x > y) - (x < y);
}

const guint64 *
tsr_debug_rows_get_ids (const TsrDebugRows *self, guint32 row, TsrDebugIds kind, guint *n)
{
  const TsrDebugIdLists *lists;
  guint at, end;

  g_return_val_if_fail (self != NULL && kind < TSR_DEBUG_N_IDS && n != NULL, NULL);
  *n = 0;
  lists = &self->ids[kind];
  if (!g_array_binary_search (lists->row, &row, compare_rows, &at))
    return NULL;
  end = at + 1 < lists->start->len ? g_array_index (lists->start, guint32, at + 1) : lists->id->len;
  *n = end - g_array_index (lists->start, guint32, at);
  return &g_array_index (lists->id, guint64, g_array_index (lists->start, guint32, at));
}
