/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses ssh_config into entries, like OpenSSH's readconf.c: quotes, "=", comments and Include.  A
 * line that makes OpenSSH exit with an error is skipped with a diagnostic; such a Host or Match
 * line matches nothing. */

#include "config.h"

#include "tsr-ssh-config-private.h"

#include "tsr-ssh-glob.h"
#include "tsr-ssh-text.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_DEPTH 16
#define MAX_FILES 1024
#define MAX_BYTES TSR_SSH_TEXT_MAX
#define BLANKS    " \t\r\n"

typedef struct
{
  TsrSshConfig *config;
  TsrDiagnostics *diagnostics; /* (nullable) */
  gboolean is_user;
  guint n_files;
  gsize n_bytes;
  GHashTable *open; /* (element-type char): real paths of the files that include this one */
} Reader;

typedef struct
{
  Reader *reader;
  const char *file;
  guint line;
  guint depth;
} Place;

static void read_file (Reader *reader, const char *file, guint depth, gboolean check_owner);

static void G_GNUC_PRINTF (3, 4)
    say (const Place *place, TsrSeverity severity, const char *format, ...)
{
  g_autofree char *name = g_filename_display_name (place->file);
  va_list args;

  if (place->reader->diagnostics == NULL)
    return;
  va_start (args, format);
  tsr_diagnostics_add_va (place->reader->diagnostics, severity, "ssh-config", name, NULL,
                          place->line > 0 ? (gint64)place->line : TSR_NO_ROW, TSR_NO_ROW, format,
                          args);
  va_end (args);
}

static void
add_entry (Reader *reader, TsrSshEntryKind kind, TsrSshOption option, GStrv words)
{
  TsrSshEntry entry = { (guint8)kind, (guint8)option, words };

  g_array_append_val (reader->config->entries, entry);
}

/* ------------------------------------------------------------------- words */

/* (nullable): the next word as strdelim of OpenSSH cuts it: blanks, one "=", quotes with nothing
 * inside that counts.  *@at NULL: there are no more. */
static char *
next_word (char **at)
{
  char *word = *at;
  char *end;
  gboolean had_equals;

  if (word == NULL)
    return NULL;
  end = strpbrk (word, BLANKS "\"=");
  *at = end;
  if (end == NULL)
    return word;
  if (*end == '"')
    {
      /* The quote goes, with what stands before it moved up. */
      memmove (word + 1, word, (gsize)(end - word));
      word++;
      end = strchr (end + 1, '"');
      *at = end != NULL ? end + 1 + strspn (end + 1, BLANKS) : NULL;
      if (end == NULL)
        return NULL;
      *end = '\0';
      return word;
    }
  had_equals = *end == '=';
  *end = '\0';
  *at = end + 1 + strspn (end + 1, BLANKS);
  if (!had_equals && **at == '=')
    *at += 1 + strspn (*at + 1, BLANKS);
  return word;
}

/* (transfer full) (nullable): @text in words, up to a comment; NULL: a quote that does not end. */
static GStrv
split_words (const char *text)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (;;)
    {
      g_autoptr (GString) word = NULL;
      char quote = '\0';

      text += strspn (text, " \t");
      if (*text == '\0' || *text == '#')
        break;
      word = g_string_new (NULL);
      for (; *text != '\0' && (quote != '\0' || (*text != ' ' && *text != '\t')); text++)
        if (*text == '\\' && text[1] != '\0'
            && (strchr ("'\"\\", text[1]) != NULL || (quote == '\0' && text[1] == ' ')))
          g_string_append_c (word, *++text);
        else if (quote == '\0' && (*text == '"' || *text == '\''))
          quote = *text;
        else if (quote != '\0' && *text == quote)
          quote = '\0';
        else
          g_string_append_c (word, *text);
      if (quote != '\0')
        return NULL;
      g_ptr_array_add (words, g_string_free (g_steal_pointer (&word), FALSE));
    }
  g_ptr_array_add (words, NULL);
  return (GStrv)g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

/* ------------------------------------------------------------------- lines */

static void
take_host (Place *place, GStrv words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] == '\0')
      {
        say (place, TSR_SEVERITY_WARNING,
             _ ("A name behind Host is empty; nothing under the line counts"));
        g_clear_pointer (&words, g_strfreev);
        break;
      }
  add_entry (place->reader, TSR_SSH_ENTRY_HOST, 0, words);
}

/* (nullable): why the criterion cannot be used; @n_words: that it takes.  The files are read once,
 * so "canonical" and "final" are never true, and without them is always so. */
static const char *
get_match_objection (const char *name, guint n_before, gboolean is_last, guint *n_words)
{
  static const char *const with[] = { "host", "originalhost", "user", "localuser" };
  gboolean negated = *name == '!';

  name += negated ? 1 : 0;
  *n_words = 1;
  if (g_str_equal (name, "all"))
    return n_before > 1 || !is_last ? _ ("\"all\" stands alone behind Match; nothing under the "
                                         "line counts")
                                    : NULL;
  if (g_str_equal (name, "exec"))
    return _ ("No program is run for \"Match exec\"; nothing under the line counts");
  if (g_str_equal (name, "canonical") || g_str_equal (name, "final"))
    return negated ? NULL
                   : _ ("Host names are not made canonical, and the files are read once; nothing "
                        "under \"Match canonical\" or \"Match final\" counts");
  for (guint i = 0; i < G_N_ELEMENTS (with); i++)
    if (g_str_equal (name, with[i]))
      {
        *n_words = 2;
        return is_last ? _ ("A condition behind Match has no value; nothing under the line counts")
                       : NULL;
      }
  return _ ("The line has a condition that is not known; nothing under it counts");
}

static gboolean
is_word_there (const char *word)
{
  return word != NULL && *word != '\0' && *word != '#';
}

static void
take_match (Place *place, char *rest)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  const char *objection = NULL;
  char *word = next_word (&rest);

  while (is_word_there (word) && objection == NULL)
    {
      g_autofree char *name = g_ascii_strdown (word, -1);
      guint n_words;

      word = next_word (&rest);
      objection = get_match_objection (name, words->len / 2, !is_word_there (word), &n_words);
      g_ptr_array_add (words, g_steal_pointer (&name));
      g_ptr_array_add (words, g_strdup (n_words == 2 && word != NULL ? word : ""));
      if (n_words == 2)
        word = next_word (&rest);
    }
  if (objection == NULL && words->len == 0)
    objection = _ ("There is no condition behind Match; nothing under the line counts");
  if (objection != NULL)
    say (place, TSR_SEVERITY_WARNING, "%s", objection);
  g_ptr_array_add (words, NULL);
  add_entry (place->reader, TSR_SSH_ENTRY_MATCH, 0,
             objection == NULL ? (GStrv)g_ptr_array_free (g_steal_pointer (&words), FALSE) : NULL);
}

/* (transfer full) (nullable): the pattern of an Include as an absolute path. */
static char *
dup_include (const Reader *reader, const char *word)
{
  if (*word == '~')
    return reader->is_user ? tsr_ssh_expand_tilde (word, reader->config->home) : NULL;
  if (*word == '/')
    return g_strdup (word);
  return reader->is_user ? g_build_filename (reader->config->home, ".ssh", word, NULL)
                         : g_build_filename ("/etc/ssh", word, NULL);
}

static void
take_include (Place *place, GStrv words)
{
  Reader *reader = place->reader;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *pattern = *words[i] != '\0' ? dup_include (reader, words[i]) : NULL;
      g_autoptr (GPtrArray) paths = NULL;
      gboolean is_cut;

      if (pattern == NULL)
        {
          say (place, TSR_SEVERITY_WARNING, _ ("A path behind Include cannot be used"));
          continue;
        }
      paths = tsr_ssh_glob (pattern, &is_cut);
      if (is_cut)
        say (place, TSR_SEVERITY_WARNING,
             _ ("The pattern behind Include is for too many files; it is not followed to its end"));
      for (guint j = 0; j < paths->len; j++)
        {
          if (place->depth >= MAX_DEPTH || reader->n_files >= MAX_FILES)
            {
              say (place, TSR_SEVERITY_WARNING,
                   _ ("Files include each other too deeply or too often; the rest is left out"));
              return;
            }
          add_entry (reader, TSR_SSH_ENTRY_INCLUDE, 0, NULL);
          read_file (reader, paths->pdata[j], place->depth + 1, TRUE);
          add_entry (reader, TSR_SSH_ENTRY_INCLUDED, 0, NULL);
        }
    }
}

static gboolean
check_words (const TsrSshKeyword *keyword, GStrv words)
{
  for (; *words != NULL; words++)
    if (**words == '\0' || !keyword->check (*words))
      return FALSE;
  return TRUE;
}

/* Takes @words. */
static void
take_option (Place *place, const TsrSshKeyword *keyword, GStrv words)
{
  if (keyword->takes == TSR_SSH_TAKES_WORD && words[1] != NULL)
    say (place, TSR_SEVERITY_WARNING,
         _ ("There are too many words behind %s; the line is passed over"), keyword->keyword);
  else if (!check_words (keyword, words))
    say (place, TSR_SEVERITY_WARNING, _ ("The value of %s cannot be used; the line is passed over"),
         keyword->keyword);
  else
    {
      add_entry (place->reader, TSR_SSH_ENTRY_OPTION, keyword->option, words);
      return;
    }
  g_strfreev (words);
}

/* The rest of the line as one word, as ProxyJump and ProxyCommand take it. */
static GStrv
dup_rest (const TsrSshKeyword *keyword, const char *text)
{
  GStrv words = g_new0 (char *, 2);

  text += strspn (text, BLANKS "=");
  words[0] = g_strndup (text, keyword->option == TSR_SSH_PROXY_JUMP ? strcspn (text, "#")
                                                                    : strlen (text));
  g_strchomp (words[0]);
  return words;
}

static void
take_unknown (Place *place, const char *keyword, GPtrArray *ignored)
{
  g_autofree char *name = NULL;

  for (guint i = 0; i < ignored->len; i++)
    if (tsr_ssh_pattern_match_list (keyword, ignored->pdata[i], FALSE) == 1)
      return;
  name = g_strcanon (g_strndup (keyword, 40), G_CSET_a_2_z G_CSET_DIGITS "-_.", '?');
  say (place, TSR_SEVERITY_INFO, _ ("The option %s is not known and is passed over"), name);
}

/* What a Host or Match that cannot be read leaves: nothing under it may count for everybody. */
static void
take_unreadable (Place *place, const char *keyword, const char *text)
{
  say (place, TSR_SEVERITY_WARNING, "%s", text);
  if (g_str_equal (keyword, "host") || g_str_equal (keyword, "match"))
    add_entry (place->reader, TSR_SSH_ENTRY_HOST, 0, NULL);
}

static void
take_line (Place *place, char *text, GPtrArray *ignored)
{
  char *rest = text;
  char *word;
  g_autofree char *keyword = NULL;
  g_auto (GStrv) words = NULL;
  const TsrSshKeyword *found;

  for (gsize length = strlen (text); length > 1 && strchr (BLANKS "\f", text[length - 1]) != NULL;
       length--)
    text[length - 1] = '\0';
  word = next_word (&rest);
  if (word != NULL && *word == '\0')
    word = next_word (&rest);
  if (word == NULL || *word == '\0' || *word == '#')
    return;
  keyword = g_ascii_strdown (word, -1);
  if (rest != NULL)
    rest += strspn (rest, BLANKS);
  if (rest == NULL || *rest == '\0')
    {
      take_unreadable (place, keyword, _ ("There is nothing behind the option's name"));
      return;
    }
  if (g_str_equal (keyword, "match"))
    {
      take_match (place, rest);
      return;
    }
  found = tsr_ssh_find_keyword (keyword);
  if (found != NULL && found->takes == TSR_SSH_TAKES_REST)
    {
      take_option (place, found, dup_rest (found, rest));
      return;
    }
  words = split_words (rest);
  if (words == NULL)
    take_unreadable (place, keyword, _ ("A quotation mark is not closed; the line is passed over"));
  else if (words[0] == NULL)
    take_unreadable (place, keyword, _ ("There is nothing behind the option's name"));
  else if (g_str_equal (keyword, "host"))
    take_host (place, g_steal_pointer (&words));
  else if (g_str_equal (keyword, "include"))
    take_include (place, words);
  else if (g_str_equal (keyword, "ignoreunknown"))
    g_ptr_array_add (ignored, g_ascii_strdown (words[0], -1));
  else if (found != NULL)
    take_option (place, found, g_steal_pointer (&words));
  else if (found == NULL && !tsr_ssh_is_useless_keyword (keyword))
    take_unknown (place, keyword, ignored);
}

/* ------------------------------------------------------------------- files */

/* As ssh: whoever else may write to it could send the user anywhere. */
static gboolean
is_own (const char *file)
{
  GStatBuf status;

  return g_stat (file, &status) != 0
         || ((status.st_uid == 0 || status.st_uid == getuid ()) && (status.st_mode & 022) == 0);
}

static void
read_lines (Place *place, char *text, gsize length)
{
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func (g_free);
  char *at = tsr_ssh_text_skip_mark (text);
  char *line;

  while ((line = tsr_ssh_text_next_line (&at, text + length)) != NULL)
    {
      place->line++;
      take_line (place, line, ignored);
    }
}

static void
read_file (Reader *reader, const char *file, guint depth, gboolean check_owner)
{
  Place place = { reader, file, 0, depth };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  char *real = realpath (file, NULL);
  gboolean is_missing = FALSE;
  gsize length;

  if (real != NULL && g_hash_table_contains (reader->open, real))
    {
      say (&place, TSR_SEVERITY_WARNING, _ ("The file includes itself; it is read once"));
      free (real);
      return;
    }
  if (real != NULL)
    g_hash_table_add (reader->open, real);
  reader->n_files++;
  if (check_owner && !is_own (file))
    say (&place, TSR_SEVERITY_WARNING,
         _ ("The file belongs to somebody else, or others may write to it; it is not used, as by "
            "ssh.  Take away their permission: chmod go-w"));
  else
    text = tsr_ssh_text_read (file, &length, &is_missing, &error);
  if (error != NULL)
    say (&place, TSR_SEVERITY_WARNING, "%s", error->message);
  if (text != NULL && reader->n_bytes + length > MAX_BYTES)
    say (&place, TSR_SEVERITY_WARNING,
         _ ("The files are too large together; this one is left out"));
  else if (text != NULL)
    {
      reader->n_bytes += length;
      read_lines (&place, text, length);
    }
  if (real != NULL)
    {
      g_hash_table_remove (reader->open, real);
      free (real);
    }
}

void
tsr_ssh_config_read (TsrSshConfig *self,
                     const char *file,
                     gboolean is_user,
                     gboolean check_owner,
                     TsrDiagnostics *diagnostics)
{
  Reader reader = { self, diagnostics, is_user };

  reader.open = g_hash_table_new (g_str_hash, g_str_equal);
  add_entry (&reader, TSR_SSH_ENTRY_FILE, 0, NULL);
  read_file (&reader, file, 0, check_owner);
  g_hash_table_unref (reader.open);
}
