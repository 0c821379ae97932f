/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans debug.cbor with a bounded stack of its own, without building a tree. */

#include "config.h"

#include "tsr-debug-scan.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WINDOW     (64 * 1024)
#define KEY_LENGTH 15

enum
{
  UNSIGNED,
  NEGATIVE,
  BYTES,
  TEXT,
  ARRAY,
  MAP,
  TAG,
  SIMPLE
};

#define INDEFINITE 31

/* A container that is open.  A map's items are its keys and values in turn. */
typedef struct
{
  guint8 major;
  gboolean indefinite;
  guint64 left; /* items to come, when not indefinite */
  guint64 seen;
  char key[KEY_LENGTH + 1]; /* the last key; empty when longer or no text */
} Frame;

typedef struct
{
  TsrSource *source;
  GCancellable *cancellable;
  TsrDebugContextFunc func;
  gpointer data;

  gint64 size, position;
  gint64 window_start;
  gsize window_length;
  guint8 *window;

  Frame stack[TSR_DEBUG_MAX_DEPTH];
  guint depth;
  gboolean in_contexts; /* the array of contexts is frame 1 */
  gboolean found;
  TsrDebugContext context;
  gint64 item_start;
} Scanner;

static gboolean
fail (Scanner *self, TsrError code, GError **error, const char *text)
{
  g_set_error (error, TSR_ERROR, code, _ ("%s, byte %" PRId64 ": %s"),
               tsr_source_get_base_name (self->source), self->position, text);
  return FALSE;
}

static gboolean
read_bytes (Scanner *self, guint8 *bytes, gsize length, GError **error)
{
  if ((gint64)MIN (length, (gsize)G_MAXINT64) > self->size - self->position)
    return fail (self, TSR_ERROR_TRUNCATED, error,
                 _ ("the file ends inside a value; the program that wrote it did not end"));
  while (length > 0)
    {
      gint64 end = self->window_start + (gint64)self->window_length;
      gsize n;

      if (self->position < self->window_start || self->position >= end)
        {
          n = MIN (WINDOW, self->size - self->position);
          if (!tsr_source_read_exactly (self->source, self->position, self->window, n,
                                        self->cancellable, error))
            return FALSE;
          self->window_start = self->position;
          self->window_length = n;
          end = self->position + (gint64)n;
        }
      n = MIN (length, (gsize)(end - self->position));
      memcpy (bytes, self->window + (self->position - self->window_start), n);
      bytes += n;
      length -= n;
      self->position += (gint64)n;
    }
  return TRUE;
}

/* Major type, additional information and argument of the next head. */
static gboolean
read_head (Scanner *self, guint8 *major, guint8 *info, guint64 *argument, GError **error)
{
  guint8 bytes[8];
  guint length;

  self->item_start = self->position;
  if (!read_bytes (self, bytes, 1, error))
    return FALSE;
  *major = bytes[0] >> 5;
  *info = bytes[0] & 31;
  *argument = *info;
  if (*info < 24 || *info == INDEFINITE)
    return TRUE;
  if (*info > 27)
    return fail (self, TSR_ERROR_CORRUPT, error, _ ("this is no CBOR head"));
  length = 1u << (*info - 24);
  if (!read_bytes (self, bytes, length, error))
    return FALSE;
  *argument = 0;
  for (guint i = 0; i < length; i++)
    *argument = *argument << 8 | bytes[i];
  return TRUE;
}

static Frame *
top (Scanner *self)
{
  return self->depth > 0 ? &self->stack[self->depth - 1] : NULL;
}

/* TRUE when the next item of the open map is a key. */
static gboolean
at_key (Scanner *self)
{
  const Frame *frame = top (self);

  return frame != NULL && frame->major == MAP && frame->seen % 2 == 0;
}

static gboolean
push (Scanner *self, guint8 major, guint8 info, guint64 argument, GError **error)
{
  Frame *frame;

  if (self->depth == TSR_DEBUG_MAX_DEPTH)
    return fail (self, TSR_ERROR_LIMIT, error, _ ("values are nested too deeply"));
  /* Each item takes a byte at least. */
  if (info != INDEFINITE && argument > (guint64)(self->size - self->position))
    return fail (self, TSR_ERROR_TRUNCATED, error,
                 _ ("more values are announced than the file has bytes left"));
  if (self->depth == 1 && major == ARRAY && g_str_equal (top (self)->key, "contexts")
      && top (self)->seen % 2 == 1)
    self->in_contexts = self->found = TRUE;
  if (self->depth == 2 && self->in_contexts && major == MAP)
    self->context = (TsrDebugContext){ .offset = self->item_start };
  frame = &self->stack[self->depth++];
  memset (frame, 0, sizeof *frame);
  frame->major = major;
  frame->indefinite = info == INDEFINITE;
  frame->left = major == MAP ? argument * 2 : argument;
  return TRUE;
}

/* An item is whole: so may be what it stands in. */
static void
finish_item (Scanner *self)
{
  while (self->depth > 0)
    {
      Frame *frame = top (self);

      frame->seen++;
      if (frame->indefinite || --frame->left > 0)
        return;
      self->depth--;
      if (self->depth == 2 && self->in_contexts && frame->major == MAP)
        self->func (&self->context, self->data);
      if (self->depth == 1 && self->in_contexts)
        self->in_contexts = FALSE;
    }
}

/* An empty container is whole at once; closing one is finishing it without an item more. */
static void
close_container (Scanner *self)
{
  const Frame *frame = top (self);

  self->depth--;
  if (self->depth == 2 && self->in_contexts && frame->major == MAP)
    self->func (&self->context, self->data);
  if (self->depth == 1 && self->in_contexts)
    self->in_contexts = FALSE;
  finish_item (self);
}

static void
take_number (Scanner *self, guint64 number)
{
  const Frame *frame = top (self);

  if (self->depth != 3 || !self->in_contexts || frame->major != MAP || frame->seen % 2 == 0)
    return;
  if (g_str_equal (frame->key, "id"))
    {
      self->context.id = number;
      self->context.has_id = TRUE;
    }
  else if (g_str_equal (frame->key, "parentId"))
    {
      self->context.parent = number;
      self->context.has_parent = TRUE;
    }
}

/* Some writers keep numbers as doubles. */
static void
take_simple (Scanner *self, guint8 info, guint64 argument)
{
  double number;

  if (info != 27)
    return;
  memcpy (&number, &argument, sizeof number);
  if (number >= 0 && number < 0x1p63 && number == floor (number))
    take_number (self, (guint64)number);
}

static gboolean
take_string (Scanner *self, guint8 major, guint64 length, GError **error)
{
  Frame *frame = top (self);
  guint8 text[KEY_LENGTH];

  if (length > (guint64)(self->size - self->position))
    return fail (self, TSR_ERROR_TRUNCATED, error,
                 _ ("the file ends inside a text; the program that wrote it did not end"));
  if (at_key (self))
    {
      frame->key[0] = '\0';
      if (major == TEXT && length <= KEY_LENGTH)
        {
          if (!read_bytes (self, text, length, error))
            return FALSE;
          memcpy (frame->key, text, length);
          frame->key[length] = '\0';
          return TRUE;
        }
    }
  self->position += (gint64)length;
  return TRUE;
}

static gboolean
take_break (Scanner *self, GError **error)
{
  const Frame *frame = top (self);

  if (frame == NULL || !frame->indefinite || (frame->major == MAP && frame->seen % 2 == 1))
    return fail (self, TSR_ERROR_CORRUPT, error, _ ("something ends here that was not begun"));
  close_container (self);
  return TRUE;
}

/* Pieces of a string of indefinite length are whole strings of its kind. */
static gboolean
fits_container (Scanner *self, guint8 major, guint8 info)
{
  const Frame *frame = top (self);

  return frame == NULL || (frame->major != TEXT && frame->major != BYTES)
         || (major == frame->major && info != INDEFINITE);
}

static gboolean
take_item (Scanner *self, GError **error)
{
  guint8 major, info;
  guint64 argument;

  if (!read_head (self, &major, &info, &argument, error))
    return FALSE;
  if (major == SIMPLE && info == INDEFINITE)
    return take_break (self, error);
  if (!fits_container (self, major, info)
      || (info == INDEFINITE && (major == UNSIGNED || major == NEGATIVE || major == TAG)))
    return fail (self, TSR_ERROR_CORRUPT, error, _ ("this value cannot stand here"));
  if (at_key (self) && major != TEXT)
    top (self)->key[0] = '\0';
  if (major == ARRAY || major == MAP || info == INDEFINITE)
    {
      if (!push (self, major, info, argument, error))
        return FALSE;
      if (info != INDEFINITE && argument == 0)
        close_container (self);
      return TRUE;
    }
  if (major == TAG)
    return push (self, TAG, 1, 1, error);
  if (major == UNSIGNED)
    take_number (self, argument);
  else if (major == SIMPLE)
    take_simple (self, info, argument);
  else if ((major == TEXT || major == BYTES) && !take_string (self, major, argument, error))
    return FALSE;
  finish_item (self);
  return TRUE;
}

static gboolean
scan_all (Scanner *self, GError **error)
{
  guint64 n = 0;

  if (self->size == 0)
    return fail (self, TSR_ERROR_TRUNCATED, error, _ ("the file is empty"));
  do
    {
      if (!take_item (self, error)
          || (++n % 4096 == 0 && g_cancellable_set_error_if_cancelled (self->cancellable, error)))
        return FALSE;
    }
  while (self->depth > 0);
  if (self->position < self->size)
    return fail (self, TSR_ERROR_CORRUPT, error, _ ("more follows after the end of the data"));
  if (!self->found)
    return fail (self, TSR_ERROR_NOT_A_REPORT, error,
                 _ ("this is CBOR, but no debug information: it has no contexts"));
  return TRUE;
}

gboolean
tsr_debug_scan (TsrSource *source,
                TsrDebugContextFunc func,
                gpointer data,
                gint64 *offset,
                GCancellable *cancellable,
                GError **error)
{
  Scanner *self;
  gboolean ok;

  g_return_val_if_fail (TSR_IS_SOURCE (source), FALSE);
  g_return_val_if_fail (func != NULL, FALSE);

  self = g_new0 (Scanner, 1);
  self->source = source;
  self->func = func;
  self->data = data;
  self->cancellable = cancellable;
  self->size = MAX (tsr_source_get_size (source), 0);
  self->window = g_malloc (WINDOW);
  ok = scan_all (self, error);
  *offset = self->position;
  g_free (self->window);
  g_free (self);
  return ok;
}
