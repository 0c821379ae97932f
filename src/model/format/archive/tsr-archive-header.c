/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses and recognises member headers of ar archives. */

#include "config.h"

#include "tsr-archive-header.h"

#include <string.h>

#define NAME_LENGTH 16
#define SIZE_AT     48
#define END_AT      58

gboolean
tsr_archive_header_parse_decimal (const char *text, gsize length, gint64 *value)
{
  gsize i = 0;

  *value = 0;
  for (; i < length && g_ascii_isdigit (text[i]); i++)
    *value = *value * 10 + (text[i] - '0');
  if (i == 0)
    return FALSE;
  for (; i < length; i++)
    if (text[i] != ' ')
      return FALSE;
  return TRUE;
}

gboolean
tsr_archive_header_parse (const char *bytes, TsrArHeader *header)
{
  if (bytes[END_AT] != '`' || bytes[END_AT + 1] != '\n')
    return FALSE;
  memcpy (header->name, bytes, NAME_LENGTH);
  header->name[NAME_LENGTH] = '\0';
  for (int i = NAME_LENGTH - 1; i >= 0 && header->name[i] == ' '; i--)
    header->name[i] = '\0';
  return tsr_archive_header_parse_decimal (bytes + SIZE_AT, END_AT - SIZE_AT, &header->size);
}

gboolean
tsr_archive_header_is_likely (const char *bytes, TsrArHeader *header)
{
  for (guint i = 0; i < NAME_LENGTH; i++)
    if (g_ascii_iscntrl (bytes[i]))
      return FALSE;
  for (guint i = NAME_LENGTH; i < SIZE_AT; i++)
    if (!g_ascii_isdigit (bytes[i]) && bytes[i] != ' ' && bytes[i] != '-')
      return FALSE;
  return bytes[0] != ' ' && tsr_archive_header_parse (bytes, header);
}

gint64
tsr_archive_header_get_next (gint64 offset, const TsrArHeader *header)
{
  return offset + TSR_AR_HEADER_LENGTH + header->size + (header->size & 1);
}
