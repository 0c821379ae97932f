/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A strict JSON parser (RFC 8259) that builds a tree of small nodes.
 *
 * Why not a library: none keeps the digits of numbers (a cycle count above 2^53, 1e400), tells the
 * line of an error and survives a million nested arrays at once.  The tests compare the trees with
 * json-glib's.
 *
 * Memory: nodes of closed containers are in blocks, the children of one container side by side; the
 * nodes of open containers wait on a stack and are copied to a block when the container closes.
 * Texts are unescaped into one buffer, which is never longer than the file.  No recursion. */

#include "config.h"

#include "tsr-json.h"

#include "tsr-error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define BLOCK_NODES 1024

struct _TsrJson
{
  const char *key;         /* NULL in an array and at the top */
  const char *text;        /* "" for containers */
  const TsrJson *children; /* side by side */
  guint32 n_children;
  TsrJsonKind kind;
};

typedef struct
{
  TsrJson root; /* first, so that a root is its tree */
  gatomicrefcount refs;
  GPtrArray *blocks; /* of TsrJson */
  TsrJson *block;    /* the last one */
  gsize block_left;
  char *texts;
} Tree;

/* An open container: its own node, and where its children begin on the stack. */
typedef struct
{
  TsrJson node;
  guint first_child;
} Level;

typedef struct
{
  const char *start, *at, *end; /* a NUL stands at the end, so that no other byte is found there */
  Tree *tree;
  char *text_at;  /* where the next text goes */
  GArray *stack;  /* TsrJson: children of open containers */
  GArray *levels; /* Level */
  guint n_values;
  /* The first problem. */
  int code;
  const char *place;
  char *message;
} Parser;

static void
tree_free (Tree *tree)
{
  g_ptr_array_unref (tree->blocks);
  g_free (tree->texts);
  g_free (tree);
}

TsrJson *
tsr_json_ref (TsrJson *root)
{
  g_return_val_if_fail (root != NULL, NULL);
  g_atomic_ref_count_inc (&((Tree *)root)->refs);
  return root;
}

void
tsr_json_unref (TsrJson *root)
{
  g_return_if_fail (root != NULL);
  if (g_atomic_ref_count_dec (&((Tree *)root)->refs))
    tree_free ((Tree *)root);
}

/* Children of a closed container: small ones share a block, large ones get their own. */
static TsrJson *
allocate (Tree *tree, gsize n)
{
  TsrJson *nodes;

  if (n > BLOCK_NODES / 4)
    {
      nodes = g_new (TsrJson, n);
      g_ptr_array_add (tree->blocks, nodes);
      return nodes;
    }
  if (n > tree->block_left)
    {
      tree->block = g_new (TsrJson, BLOCK_NODES);
      tree->block_left = BLOCK_NODES;
      g_ptr_array_add (tree->blocks, tree->block);
    }
  nodes = tree->block;
  tree->block += n;
  tree->block_left -= n;
  return nodes;
}

/* ------------------------------------------------------------------ errors */

static gboolean fail (Parser *self, int code, const char *place, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Keeps the first problem; always FALSE. */
static gboolean
fail (Parser *self, int code, const char *place, const char *format, ...)
{
  va_list args;

  if (self->message != NULL)
    return FALSE;
  va_start (args, format);
  self->code = code;
  self->place = place;
  self->message = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

static gboolean
fail_expected (Parser *self, const char *what)
{
  guchar c;

  if (self->at >= self->end)
    return fail (self, TSR_ERROR_TRUNCATED, self->end, _ ("the file ends where %s should be"),
                 what);
  c = (guchar)*self->at;
  if (c == '/' || c == '#')
    return fail (self, TSR_ERROR_CORRUPT, self->at, _ ("a comment, which JSON does not allow"));
  if (c == '\'')
    return fail (self, TSR_ERROR_CORRUPT, self->at, _ ("JSON needs texts in double quotes"));
  if (c > 0x20 && c < 0x7f)
    return fail (self, TSR_ERROR_CORRUPT, self->at, _ ("\"%c\" where %s should be"), c, what);
  return fail (self, TSR_ERROR_CORRUPT, self->at, _ ("byte 0x%02x where %s should be"), c, what);
}

/* ----------------------------------------------------------------- scalars */

static void
skip_space (Parser *self)
{
  while (*self->at == ' ' || *self->at == '\n' || *self->at == '\r' || *self->at == '\t')
    self->at++;
}

static gboolean
parse_hex4 (Parser *self, gunichar *value)
{
  *value = 0;
  if (self->end - self->at < 4)
    return fail (self, TSR_ERROR_TRUNCATED, self->end, _ ("the file ends inside a text"));
  for (int i = 0; i < 4; i++, self->at++)
    {
      int digit = g_ascii_xdigit_value (*self->at);

      if (digit < 0)
        return fail (self, TSR_ERROR_CORRUPT, self->at, _ ("\\u without four hexadecimal digits"));
      *value = *value * 16 + digit;
    }
  return TRUE;
}

/* After "\u".  Half a surrogate pair and U+0000, which C texts cannot hold, become U+FFFD.  At
 * most as long as the escape. */
static gboolean
parse_unicode (Parser *self)
{
  const gunichar replacement = 0xfffd;
  gunichar value, low;

  if (!parse_hex4 (self, &value))
    return FALSE;
  if (value >= 0xd800 && value < 0xdc00 && self->end - self->at >= 2 && self->at[0] == '\\'
      && self->at[1] == 'u')
    {
      const char *back = self->at;

      self->at += 2;
      if (!parse_hex4 (self, &low))
        return FALSE;
      if (low >= 0xdc00 && low < 0xe000)
        value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
      else
        self->at = back;
    }
  if (value == 0 || (value >= 0xd800 && value < 0xe000))
    value = replacement;
  self->text_at += g_unichar_to_utf8 (value, self->text_at);
  return TRUE;
}

static gboolean
parse_escape (Parser *self)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  const char *found;
  char c;

  if (self->at >= self->end)
    return fail (self, TSR_ERROR_TRUNCATED, self->end, _ ("the file ends inside a text"));
  c = *self->at++;
  if (c == 'u')
    return parse_unicode (self);
  found = c != '\0' ? strchr (from, c) : NULL;
  if (found == NULL)
    return fail (self, TSR_ERROR_CORRUPT, self->at - 2, _ ("an escape that JSON does not allow"));
  *self->text_at++ = to[found - from];
  return TRUE;
}

/* At the opening quote.  The file is valid UTF-8 already. */
static gboolean
parse_string (Parser *self, const char **text)
{
  *text = self->text_at;
  self->at++;
  while (self->at < self->end && *self->at != '"')
    {
      if (*self->at == '\\')
        {
          self->at++;
          if (!parse_escape (self))
            return FALSE;
        }
      else if ((guchar)*self->at < 0x20)
        return fail (self, TSR_ERROR_CORRUPT, self->at,
                     _ ("a line break or control character inside a text; a quote may be missing"));
      else
        *self->text_at++ = *self->at++;
    }
  if (self->at >= self->end)
    return fail (self, TSR_ERROR_TRUNCATED, self->end, _ ("the file ends inside a text"));
  self->at++;
  *self->text_at++ = '\0';
  return TRUE;
}

static gsize
skip_digits (Parser *self)
{
  const char *start = self->at;

  while (g_ascii_isdigit (*self->at))
    self->at++;
  return self->at - start;
}

static gboolean
parse_number (Parser *self, const char **text)
{
  const char *start = self->at;
  gsize n;

  if (*self->at == '-')
    self->at++;
  if (*self->at == '0')
    self->at++;
  else if (skip_digits (self) == 0)
    return fail_expected (self, _ ("a digit"));
  if (g_ascii_isdigit (*self->at))
    return fail (self, TSR_ERROR_CORRUPT, start, _ ("a number that begins with 0"));
  if (*self->at == '.')
    {
      self->at++;
      if (skip_digits (self) == 0)
        return fail_expected (self, _ ("a digit"));
    }
  if (*self->at == 'e' || *self->at == 'E')
    {
      self->at++;
      if (*self->at == '+' || *self->at == '-')
        self->at++;
      if (skip_digits (self) == 0)
        return fail_expected (self, _ ("a digit"));
    }
  n = self->at - start;
  *text = self->text_at;
  memcpy (self->text_at, start, n);
  self->text_at += n;
  *self->text_at++ = '\0';
  return TRUE;
}

static gboolean
parse_word (Parser *self, TsrJson *node)
{
  static const struct
  {
    const char *word;
    TsrJsonKind kind;
  } words[]
      = { { "true", TSR_JSON_BOOLEAN }, { "false", TSR_JSON_BOOLEAN }, { "null", TSR_JSON_NULL } };
  const char *start = self->at;
  gboolean cut_off = FALSE;
  gsize n = 0;

  while (start + n < self->end && g_ascii_isalpha (start[n]))
    n++;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (n > strlen (words[i].word) || memcmp (start, words[i].word, n) != 0)
        continue;
      if (n == strlen (words[i].word))
        {
          node->kind = words[i].kind;
          node->text = words[i].word;
          self->at += n;
          return TRUE;
        }
      cut_off = start + n == self->end;
    }
  if (n == 0)
    return fail_expected (self, _ ("a value"));
  return fail (self, cut_off ? TSR_ERROR_TRUNCATED : TSR_ERROR_CORRUPT, start,
               _ ("\"%.*s\", which JSON does not allow"), (int)MIN (n, 20), start);
}

static gboolean
parse_scalar (Parser *self, TsrJson *node)
{
  node->kind = *self->at == '"' ? TSR_JSON_STRING : TSR_JSON_NUMBER;
  if (*self->at == '"')
    return parse_string (self, &node->text);
  if (*self->at == '-' || g_ascii_isdigit (*self->at))
    return parse_number (self, &node->text);
  return parse_word (self, node);
}

/* -------------------------------------------------------------- containers */

static gboolean
open_level (Parser *self, const TsrJson *node)
{
  Level level = { .node = *node, .first_child = self->stack->len };

  if (self->levels->len >= TSR_JSON_MAX_DEPTH)
    return fail (self, TSR_ERROR_LIMIT, self->at, _ ("nested more than %d deep"),
                 TSR_JSON_MAX_DEPTH);
  level.node.kind = *self->at == '{' ? TSR_JSON_OBJECT : TSR_JSON_ARRAY;
  level.node.text = "";
  self->at++;
  g_array_append_val (self->levels, level);
  return TRUE;
}

static void
add_value (Parser *self, const TsrJson *node)
{
  if (self->levels->len == 0)
    self->tree->root = *node;
  else
    g_array_append_val (self->stack, *node);
}

static void
close_level (Parser *self)
{
  Level level = g_array_index (self->levels, Level, self->levels->len - 1);
  guint n = self->stack->len - level.first_child;
  TsrJson *children = n > 0 ? allocate (self->tree, n) : NULL;

  if (n > 0)
    memcpy (children, &g_array_index (self->stack, TsrJson, level.first_child),
            n * sizeof *children);
  g_array_set_size (self->stack, level.first_child);
  g_array_set_size (self->levels, self->levels->len - 1);
  level.node.children = children;
  level.node.n_children = n;
  self->at++;
  add_value (self, &level.node);
}

static gboolean
parse_key (Parser *self, TsrJson *node)
{
  skip_space (self);
  if (*self->at != '"')
    return fail_expected (self, _ ("a name in double quotes"));
  if (!parse_string (self, &node->key))
    return FALSE;
  skip_space (self);
  if (*self->at != ':')
    return fail_expected (self, _ ("a colon"));
  self->at++;
  return TRUE;
}

/* One value, or the opening of one; *opened says so. */
static gboolean
parse_value (Parser *self, gboolean in_object, gboolean *opened)
{
  TsrJson node = { 0 };

  *opened = FALSE;
  if (++self->n_values > TSR_JSON_MAX_VALUES)
    return fail (self, TSR_ERROR_LIMIT, self->at, _ ("more than %d values"), TSR_JSON_MAX_VALUES);
  if (in_object && !parse_key (self, &node))
    return FALSE;
  skip_space (self);
  if (self->at >= self->end)
    return fail_expected (self, _ ("a value"));
  if (*self->at == '{' || *self->at == '[')
    {
      *opened = TRUE;
      return open_level (self, &node);
    }
  if (!parse_scalar (self, &node))
    return FALSE;
  add_value (self, &node);
  return TRUE;
}

/* Behind a value: closes what is closed, and steps over a comma. */
static gboolean
parse_behind (Parser *self)
{
  while (self->levels->len > 0)
    {
      const Level *level = &g_array_index (self->levels, Level, self->levels->len - 1);
      gboolean in_object = level->node.kind == TSR_JSON_OBJECT;

      skip_space (self);
      if (*self->at == ',')
        {
          self->at++;
          return TRUE;
        }
      if (*self->at != (in_object ? '}' : ']'))
        return fail_expected (self, in_object ? _ ("a comma or a closing brace")
                                              : _ ("a comma or a closing bracket"));
      close_level (self);
    }
  return TRUE;
}

static gboolean
parse (Parser *self)
{
  do
    {
      gboolean in_object = self->levels->len > 0
                           && g_array_index (self->levels, Level, self->levels->len - 1).node.kind
                                  == TSR_JSON_OBJECT;
      gboolean opened;

      if (!parse_value (self, in_object, &opened))
        return FALSE;
      skip_space (self);
      if (opened)
        {
          /* An empty container closes at once; otherwise its first value follows. */
          if (*self->at != '}' && *self->at != ']')
            continue;
        }
      if (!parse_behind (self))
        return FALSE;
    }
  while (self->levels->len > 0);
  skip_space (self);
  return self->at == self->end || fail_expected (self, _ ("the end of the file"));
}

/* ------------------------------------------------------------------ reading */

static gboolean
check_encoding (Parser *self)
{
  const char *bad;

  if (self->end - self->start >= 2
      && (memcmp (self->start, "\xff\xfe", 2) == 0 || memcmp (self->start, "\xfe\xff", 2) == 0))
    return fail (self, TSR_ERROR_CORRUPT, self->start, _ ("the file is in UTF-16, JSON is UTF-8"));
  if (self->end - self->start >= 3 && memcmp (self->start, "\xef\xbb\xbf", 3) == 0)
    self->at += 3;
  if (g_str_has_prefix (self->at, "version https://git-lfs"))
    return fail (
        self, TSR_ERROR_NOT_A_REPORT, self->at,
        _ ("it is a pointer of git-lfs, not the file itself (\"git lfs pull\" fetches it)"));
  if (g_utf8_validate (self->at, self->end - self->at, &bad))
    return TRUE;
  /* A NUL is valid UTF-8 and no JSON: the parser will say so. */
  return *bad == '\0' || fail (self, TSR_ERROR_CORRUPT, bad, _ ("a byte that is not UTF-8"));
}

static void
set_error (Parser *self, TsrSource *source, GError **error)
{
  g_autofree char *shown = g_filename_display_name (tsr_source_get_name (source));
  guint line = 1;

  for (const char *p = self->start; p < self->place; p++)
    line += *p == '\n';
  g_set_error (error, TSR_ERROR, self->code,
               _ ("Could not read %s: line %u, byte %zu"
                  ": %s; correct the file, or write it again with a JSON library"),
               shown, line, (gsize)(self->place - self->start), self->message);
}

/* (transfer full) (nullable): all bytes and a NUL. */
static char *
read_all (TsrSource *source, gsize *length, GCancellable *cancellable, GError **error)
{
  g_autofree char *shown = g_filename_display_name (tsr_source_get_name (source));
  gint64 size = tsr_source_get_size (source);
  g_autofree char *bytes = NULL;

  if (size > TSR_JSON_MAX_BYTES)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                   _ ("Could not read %s: it has %" PRId64 " bytes, more than the %d that "
                      "are read of a JSON file; make a shorter one"),
                   shown, size, TSR_JSON_MAX_BYTES);
      return NULL;
    }
  if (size <= 0)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED,
                   _ ("Could not read %s: the file is empty; wait until the program has ended, or "
                      "write it again"),
                   shown);
      return NULL;
    }
  bytes = g_malloc (size + 1);
  if (!tsr_source_read_exactly (source, 0, bytes, size, cancellable, error))
    return NULL;
  bytes[size] = '\0';
  *length = size;
  return g_steal_pointer (&bytes);
}

TsrJson *
tsr_json_read (TsrSource *source, GCancellable *cancellable, GError **error)
{
  g_autofree char *bytes = NULL;
  gsize length = 0;
  Parser parser = { 0 };
  gboolean ok;

  g_return_val_if_fail (TSR_IS_SOURCE (source), NULL);

  bytes = read_all (source, &length, cancellable, error);
  if (bytes == NULL)
    return NULL;
  parser.start = parser.at = bytes;
  parser.end = bytes + length;
  parser.tree = g_new0 (Tree, 1);
  g_atomic_ref_count_init (&parser.tree->refs);
  parser.tree->blocks = g_ptr_array_new_with_free_func (g_free);
  /* Each text is no longer than what it stands for, and a quote or a separator pays for its NUL. */
  parser.tree->texts = g_malloc (length + 2);
  parser.text_at = parser.tree->texts;
  parser.stack = g_array_new (FALSE, FALSE, sizeof (TsrJson));
  parser.levels = g_array_new (FALSE, FALSE, sizeof (Level));
  ok = check_encoding (&parser) && parse (&parser);
  if (!ok)
    set_error (&parser, source, error);
  g_array_unref (parser.stack);
  g_array_unref (parser.levels);
  g_free (parser.message);
  if (ok)
    return &parser.tree->root;
  tree_free (parser.tree);
  return NULL;
}

/* ---------------------------------------------------------------- accessors */

TsrJsonKind
tsr_json_get_kind (const TsrJson *self)
{
  g_return_val_if_fail (self != NULL, TSR_JSON_NULL);
  return self->kind;
}

const char *
tsr_json_get_key (const TsrJson *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->key;
}

const char *
tsr_json_get_text (const TsrJson *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

guint
tsr_json_get_n_children (const TsrJson *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_children;
}

const TsrJson *
tsr_json_get_child (const TsrJson *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->n_children, NULL);
  return &self->children[i];
}

/* Recursion: TSR_JSON_MAX_DEPTH at most. */
void
tsr_json_write (const TsrJson *self, TsrJsonWriter *writer, const char *key)
{
  g_return_if_fail (self != NULL && writer != NULL);

  switch (self->kind)
    {
    case TSR_JSON_OBJECT:
      tsr_json_writer_begin_object (writer, key);
      for (guint i = 0; i < self->n_children; i++)
        tsr_json_write (&self->children[i], writer, self->children[i].key);
      tsr_json_writer_end_object (writer);
      break;
    case TSR_JSON_ARRAY:
      tsr_json_writer_begin_array (writer, key);
      for (guint i = 0; i < self->n_children; i++)
        tsr_json_write (&self->children[i], writer, NULL);
      tsr_json_writer_end_array (writer);
      break;
    case TSR_JSON_STRING:
      tsr_json_writer_string (writer, key, self->text);
      break;
    case TSR_JSON_NUMBER:
    case TSR_JSON_BOOLEAN:
    case TSR_JSON_NULL:
      tsr_json_writer_raw (writer, key, self->text); /* checked to be JSON when it was read */
      break;
    default:
      g_assert_not_reached ();
    }
}
