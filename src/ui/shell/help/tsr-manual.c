/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the manual's Markdown, line by line: headings, paragraphs, lists, tables, code and
 * pictures; in a line code, bold, emphasis and links.  What else CommonMark has, the manual does
 * not use, and a test of it says so. */

#include "config.h"

#include "tsr-manual.h"

#include "tsr-insights.h"
#include "tsr-manual-resources.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#define FOLDER "/io/github/tessera_ipu/Tessera/manual"

static void
clear_block (gpointer data)
{
  TsrManualBlock *block = data;

  g_free (block->markup);
  g_free (block->target);
}

static GArray *
new_blocks (void)
{
  GArray *blocks = g_array_new (FALSE, TRUE, sizeof (TsrManualBlock));

  g_array_set_clear_func (blocks, clear_block);
  return blocks;
}

static TsrManualBlock *
add_block (GArray *blocks, TsrManualKind kind, int number, int row, char *markup)
{
  const TsrManualBlock block = { kind, number, row, markup, NULL };

  g_array_append_val (blocks, block);
  return &g_array_index (blocks, TsrManualBlock, blocks->len - 1);
}

/* ------------------------------------------------------------------ within a line */

/* "../insights.md" is the chapter "rules", which is not read from that file. */
static char *
dup_id (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  char *end = g_strrstr (name, ".md");

  if (end == NULL || end[3] != '\0')
    return NULL;
  *end = '\0';
  return g_strdup (g_str_equal (name, "insights") && strstr (path, "../") != NULL ? "rules" : name);
}

/* Where a link leads within the manual: "memory" or "memory#gaps"; NULL for another file. */
static char *
dup_target (const char *path)
{
  const char *anchor = strchr (path, '#');
  g_autofree char *file
      = anchor != NULL ? g_strndup (path, (gsize)(anchor - path)) : g_strdup (path);
  g_autofree char *id = NULL;

  if (*file == '\0')
    return g_strdup (path);
  if (strstr (file, "://") != NULL || (id = dup_id (file)) == NULL)
    return NULL;
  return g_strconcat (id, anchor, NULL);
}

static void
append_markup (GString *markup, const char *text, gssize length)
{
  g_autofree char *escaped = g_markup_escape_text (text, length);

  g_string_append (markup, escaped);
}

static void append_line (GString *markup, const char *text, gsize length);

/* "[text](path)" at @text: returns the bytes that it takes, 0 if it is none. */
static gsize
append_link (GString *markup, const char *text, const char *end)
{
  const char *bracket = memchr (text, ']', (gsize)(end - text));
  const char *close;
  g_autofree char *path = NULL;
  g_autofree char *target = NULL;

  if (bracket == NULL || bracket + 1 >= end || bracket[1] != '('
      || (close = memchr (bracket, ')', (gsize)(end - bracket))) == NULL)
    return 0;
  path = g_strndup (bracket + 2, (gsize)(close - bracket - 2));
  target = dup_target (path);
  if (target != NULL)
    {
      g_string_append (markup, "<a href=\"");
      append_markup (markup, target, -1);
      g_string_append (markup, "\">");
    }
  append_line (markup, text + 1, (gsize)(bracket - text - 1));
  if (target != NULL)
    g_string_append (markup, "</a>");
  return (gsize)(close + 1 - text);
}

static void
append_line (GString *markup, const char *text, gsize length)
{
  static const struct
  {
    const char *mark, *begin, *end;
  } styles[] = { { "**", "<b>", "</b>" }, { "*", "<i>", "</i>" }, { "`", "<tt>", "</tt>" } };
  const char *end = text + length;

  while (text < end)
    {
      gsize taken = *text == '[' ? append_link (markup, text, end) : 0;

      for (guint i = 0; i < G_N_ELEMENTS (styles) && taken == 0; i++)
        {
          gsize n = strlen (styles[i].mark);
          const char *close;

          if ((gsize)(end - text) <= 2 * n || strncmp (text, styles[i].mark, n) != 0
              || g_ascii_isspace (text[n]))
            continue;
          close = g_strstr_len (text + n, end - text - (gssize)n, styles[i].mark);
          if (close == NULL || close == text + n)
            continue;
          g_string_append (markup, styles[i].begin);
          if (*text == '`')
            append_markup (markup, text + n, close - text - (gssize)n);
          else
            append_line (markup, text + n, (gsize)(close - text) - n);
          g_string_append (markup, styles[i].end);
          taken = (gsize)(close - text) + n;
        }
      if (taken == 0)
        {
          if (*text == '\\' && text + 1 < end && g_ascii_ispunct (text[1]))
            text++;
          taken = (gsize)(g_utf8_next_char (text) - text);
          append_markup (markup, text, (gssize)taken);
        }
      text += taken;
    }
}

static char *
dup_markup (const char *text)
{
  GString *markup = g_string_new (NULL);

  append_line (markup, text, strlen (text));
  return g_string_free (markup, FALSE);
}

/* ------------------------------------------------------------------ lines */

/* As GitHub makes it: small letters, spaces as hyphens, no punctuation. */
static char *
dup_anchor (const char *heading)
{
  g_autofree char *small = g_utf8_strdown (heading, -1);
  GString *anchor = g_string_new (NULL);

  for (const char *p = small; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar letter = g_utf8_get_char (p);

      if (g_unichar_isalnum (letter) || letter == '-' || letter == '_')
        g_string_append_unichar (anchor, letter);
      else if (letter == ' ')
        g_string_append_c (anchor, '-');
    }
  return g_string_free (anchor, FALSE);
}

static void
add_row (GArray *blocks, const char *line, int row)
{
  g_autofree char *copy = g_strstrip (g_strdup (line));
  g_auto (GStrv) cells = NULL;

  if (g_str_has_suffix (copy, "|"))
    copy[strlen (copy) - 1] = '\0';
  cells = g_strsplit (copy + 1, "|", -1);
  for (guint i = 0; cells[i] != NULL; i++)
    add_block (blocks, TSR_MANUAL_CELL, (int)i, row, dup_markup (g_strstrip (cells[i])));
}

/* "![text](images/name.png)". */
static gboolean
add_picture (GArray *blocks, const char *line)
{
  const char *middle = strstr (line, "](");
  const char *close = middle != NULL ? strchr (middle, ')') : NULL;
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;

  if (!g_str_has_prefix (line, "![") || close == NULL)
    return FALSE;
  path = g_strndup (middle + 2, (gsize)(close - middle - 2));
  name = g_path_get_basename (path);
  add_block (blocks, TSR_MANUAL_PICTURE, 0, 0, g_strndup (line + 2, (gsize)(middle - line - 2)))
      ->target
      = g_strconcat (FOLDER "/images/", name, NULL);
  return TRUE;
}

/* "- text" or "12. text": where the text begins, NULL if @line is no item. */
static const char *
find_item (const char *line, int *number)
{
  gsize digits = strspn (line, "0123456789");

  *number = 0;
  if (g_str_has_prefix (line, "- "))
    return line + 2;
  if (digits == 0 || digits > 3 || !g_str_has_prefix (line + digits, ". "))
    return NULL;
  *number = (int)g_ascii_strtoll (line, NULL, 10);
  return line + digits + 2;
}

/* What was gathered over several lines, a paragraph or an item. */
typedef struct
{
  GString *text;
  TsrManualKind kind;
  int number, row;
} Gathered;

static void
flush (GArray *blocks, Gathered *gathered)
{
  if (gathered->text->len > 0)
    add_block (blocks, gathered->kind, gathered->number, gathered->row,
               dup_markup (gathered->text->str));
  g_string_truncate (gathered->text, 0);
  gathered->kind = TSR_MANUAL_TEXT;
  gathered->number = gathered->row = 0;
}

/* One line outside of code; @row counts the rows of a table or the items of a list. */
static void
add_line (GArray *blocks, Gathered *gathered, const char *line, int *row)
{
  gsize hashes = strspn (line, "#");
  int number;
  const char *item = find_item (line, &number);

  if (item != NULL || *line == '|' || *line == '!' || hashes > 0 || *line == '\0')
    flush (blocks, gathered);
  if (*line == '|')
    {
      if (!g_str_has_prefix (line, "| ---"))
        add_row (blocks, line, (*row)++);
    }
  else if (hashes > 0 && line[hashes] == ' ')
    {
      add_block (blocks, TSR_MANUAL_HEADING, (int)hashes, 0, dup_markup (line + hashes + 1))->target
          = dup_anchor (line + hashes + 1);
      *row = 0;
    }
  else if (item != NULL)
    {
      gathered->kind = TSR_MANUAL_ITEM;
      gathered->number = number;
      gathered->row = (*row)++;
      g_string_append (gathered->text, item);
    }
  else if (*line == '\0')
    *row = 0;
  else if (!add_picture (blocks, line))
    g_string_append_printf (gathered->text, "%s%s", gathered->text->len > 0 ? " " : "",
                            line + strspn (line, " "));
}

GArray *
tsr_manual_parse (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GArray *blocks = new_blocks ();
  Gathered gathered = { g_string_new (NULL), TSR_MANUAL_TEXT, 0, 0 };
  g_autoptr (GString) code = NULL;
  int row = 0;

  g_return_val_if_fail (text != NULL, blocks);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "```"))
        {
          flush (blocks, &gathered);
          if (code == NULL)
            code = g_string_new (NULL);
          else
            {
              add_block (blocks, TSR_MANUAL_CODE, 0, 0, g_markup_escape_text (code->str, -1));
              g_string_free (g_steal_pointer (&code), TRUE);
            }
        }
      else if (code != NULL)
        g_string_append_printf (code, "%s%s", code->len > 0 ? "\n" : "", lines[i]);
      else
        add_line (blocks, &gathered, lines[i], &row);
    }
  flush (blocks, &gathered);
  g_string_free (gathered.text, TRUE);
  return blocks;
}

/* ------------------------------------------------------------------ the chapter of rules */

/* Whether thresholds that begin with @name are those of a single rule. */
static gboolean
is_rule (const char *name)
{
  TsrInsightRuleText rule;

  for (guint i = 0; tsr_insight_rules_describe (i, &rule); i++)
    if (g_str_has_prefix (name, rule.id) && name[strlen (rule.id)] == '.')
      return TRUE;
  return FALSE;
}

/* The thresholds of @rule (NULL: those of several rules). */
static void
add_limits (GArray *blocks, const char *rule)
{
  guint n;
  const TsrInsightLimit *limits = tsr_insight_limits_get (&n);
  g_autofree char *prefix = rule != NULL ? g_strconcat (rule, ".", NULL) : NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = NULL;

      if (rule != NULL ? !g_str_has_prefix (limits[i].name, prefix) : is_rule (limits[i].name))
        continue;
      value = tsr_insight_limit_dup_value (&limits[i]);
      /* Translators: what a rule does, and from where on: "Fires when the fullest tile has less
       * free than" "5 % of a tile". */
      add_block (
          blocks, TSR_MANUAL_ITEM, 0, 1,
          g_markup_printf_escaped (C_ ("threshold", "%1$s %2$s"), _ (limits[i].meaning), value));
    }
}

static void
add_heading (GArray *blocks, int level, const char *anchor, const char *text)
{
  add_block (blocks, TSR_MANUAL_HEADING, level, 0, g_markup_escape_text (text, -1))->target
      = g_strdup (anchor);
}

static GArray *
list_rules (const char *title)
{
  GArray *blocks = new_blocks ();
  TsrInsightRuleText rule;

  add_heading (blocks, 1, "rules", title);
  add_block (blocks, TSR_MANUAL_TEXT, 0, 0,
             dup_markup (_ (
                 "Every report is checked by these rules.  The worst tile is the one that lacks "
                 "most, or the fullest where all fit; a share of a tile is of its memory, a share "
                 "of the run of the cycles of the last complete run without the wait that begins "
                 "it.  The word below a title is the rule’s name on the command line.")));
  add_heading (blocks, 2, "severity", _ ("Severity"));
  add_block (blocks, TSR_MANUAL_TEXT, 0, 0,
             dup_markup (_ ("How severe a finding is goes by what it costs; about the execution, "
                            "by its share of the run.")));
  add_limits (blocks, NULL);
  for (guint i = 0; tsr_insight_rules_describe (i, &rule); i++)
    {
      add_heading (blocks, 2, rule.id, _ (rule.title));
      add_block (blocks, TSR_MANUAL_CODE, 0, 0, g_strdup (rule.id));
      add_block (blocks, TSR_MANUAL_TEXT, 0, 0, g_markup_escape_text (_ (rule.meaning), -1));
      add_limits (blocks, rule.id);
    }
  return blocks;
}

/* ------------------------------------------------------------------ chapters */

/* In @language or English; NULL if there is none. */
static char *
load (const char *language, const char *name)
{
  g_autofree char *own = g_strconcat (FOLDER "/", language, "/", name, NULL);
  g_autofree char *english = g_strconcat (FOLDER "/", name, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (own, 0, NULL);

  if (bytes == NULL)
    bytes = g_resources_lookup_data (english, 0, NULL);
  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : NULL;
}

/* The first of the user's languages that the manual is written in. */
static const char *
find_language (void)
{
  const char *const *languages = g_get_language_names ();

  for (guint i = 0; languages[i] != NULL; i++)
    {
      g_autofree char *index = g_strconcat (FOLDER "/", languages[i], "/index.md", NULL);

      if (g_str_equal (languages[i], "C") || g_str_has_prefix (languages[i], "en")
          || g_resources_get_info (index, 0, NULL, NULL, NULL))
        return languages[i];
    }
  return "C";
}

/* A line of the contents: "- [Title](file.md)". */
static TsrManualChapter *
new_chapter (const char *language, const char *line)
{
  const char *middle = strstr (line, "](");
  g_autofree char *path = g_strndup (middle + 2, strcspn (middle + 2, ")"));
  TsrManualChapter *chapter = g_new0 (TsrManualChapter, 1);

  chapter->id = dup_id (path);
  chapter->title = g_strndup (line + 3, (gsize)(middle - line - 3));
  if (g_str_equal (chapter->id, "rules"))
    chapter->blocks = list_rules (chapter->title);
  else
    {
      g_autofree char *name = g_strconcat (chapter->id, ".md", NULL);
      g_autofree char *text = load (language, name);

      g_assert (text != NULL); /* a test sees to it that each is there */
      chapter->blocks = tsr_manual_parse (text);
    }
  return chapter;
}

GPtrArray *
tsr_manual_get_chapters (void)
{
  static GPtrArray *chapters;
  const char *language;
  g_autofree char *contents = NULL;
  g_auto (GStrv) lines = NULL;

  if (chapters != NULL)
    return chapters;
  g_resources_register (tsr_manual_get_resource ());
  chapters = g_ptr_array_new ();
  language = find_language ();
  contents = load (language, "index.md");
  lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "- [") && strstr (lines[i], "](") != NULL)
      g_ptr_array_add (chapters, new_chapter (language, lines[i]));
  return chapters;
}
