/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads OpenSSH's text files line by line, and matches host patterns. */

#include "config.h"

#include "tsr-ssh-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
fail (const char *path, int code, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("%s cannot be read: %s"), name,
               g_strerror (code));
  return NULL;
}

static char *
read_all (int fd, const char *path, gsize *length, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (;;)
    {
      guint8 piece[65536];
      ssize_t got = read (fd, piece, sizeof piece);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0 && errno != EAGAIN)
        return fail (path, errno, error);
      if (got <= 0)
        break;
      if (bytes->len + (gsize)got > TSR_SSH_TEXT_MAX)
        return fail (path, EFBIG, error);
      g_byte_array_append (bytes, piece, (guint)got);
    }
  *length = bytes->len;
  g_byte_array_append (bytes, (const guint8 *)"", 1);
  return (char *)g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

char *
tsr_ssh_text_read (const char *path, gsize *length, GError **error)
{
  /* Without O_NONBLOCK a pipe waits for a writer that may never come. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  char *text;

  *length = 0;
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
    return NULL;
  if (fd < 0)
    return fail (path, errno, error);
  if (fstat (fd, &status) == 0 && S_ISDIR (status.st_mode))
    text = fail (path, EISDIR, error);
  else
    text = read_all (fd, path, length, error);
  close (fd);
  return text;
}

char *
tsr_ssh_text_next_line (char **at, char *end)
{
  char *line = *at;
  char *stop;

  if (line >= end)
    return NULL;
  stop = memchr (line, '\n', (gsize)(end - line));
  if (stop == NULL)
    stop = end;
  *at = MIN (stop + 1, end);
  *stop = '\0';
  if (stop > line && stop[-1] == '\r')
    stop[-1] = '\0';
  return line;
}

char *
tsr_ssh_text_skip_mark (char *text)
{
  return g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text;
}

static inline char
lowered (char c, gboolean lower)
{
  return lower ? g_ascii_tolower (c) : c;
}

/* Only the last "*" is ever gone back to: an earlier one could not reach more. */
static gboolean
match (const char *text, const char *pattern, const char *end, gboolean lower)
{
  const char *star = NULL;
  const char *retry = NULL;

  while (*text != '\0')
    {
      if (pattern < end && *pattern == '*')
        {
          star = pattern++;
          retry = text;
        }
      else if (pattern < end && (*pattern == '?' || lowered (*pattern, lower) == *text))
        {
          pattern++;
          text++;
        }
      else if (star != NULL)
        {
          pattern = star + 1;
          text = ++retry;
        }
      else
        return FALSE;
    }
  while (pattern < end && *pattern == '*')
    pattern++;
  return pattern == end;
}

gboolean
tsr_ssh_pattern_match (const char *text, const char *pattern)
{
  return match (text, pattern, pattern + strlen (pattern), FALSE);
}

int
tsr_ssh_pattern_match_list (const char *text, const char *list, gboolean lower)
{
  int result = 0;

  while (*list != '\0')
    {
      const char *end = strchrnul (list, ',');
      gboolean negated = *list == '!';

      if (match (text, list + (negated ? 1 : 0), end, lower))
        {
          if (negated)
            return -1;
          result = 1;
        }
      list = *end == ',' ? end + 1 : end;
    }
  return result;
}
