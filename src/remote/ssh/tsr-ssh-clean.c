/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A server's banner, prompt or error may contain anything: terminal escapes, incomplete characters,
 * overrides that reverse a fingerprint, megabytes. */

#include "config.h"

#include "tsr-ssh-clean.h"

#include <string.h>

static gboolean
turns_direction (gunichar c)
{
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

char *
tsr_ssh_clean_text (const char *text, gsize max, gboolean lines)
{
  g_autofree char *valid = NULL;
  GString *clean = g_string_new (NULL);

  if (text != NULL)
    {
      /* Four bytes a character at most become three: look at no more than can be shown. */
      valid = g_utf8_make_valid (text, (gssize)strnlen (text, 4 * max));
      for (const char *p = valid; *p && clean->len < max; p = g_utf8_next_char (p))
        {
          gunichar c = g_utf8_get_char (p);

          if (c == '\n' && lines)
            g_string_append_c (clean, '\n');
          else if (c == '\r' && lines)
            continue;
          else if (c == '\t' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029)
            g_string_append_c (clean, ' ');
          else if (!g_unichar_iscntrl (c) && !turns_direction (c)
                   && clean->len + (gsize)(g_utf8_next_char (p) - p) <= max)
            g_string_append_unichar (clean, c);
        }
    }
  g_strchomp (clean->str);
  return g_string_free (clean, FALSE);
}
