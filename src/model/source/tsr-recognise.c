/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Says what a file is that should be a profile and is no SQLite database, by its first bytes. */

#include "config.h"

#include "tsr-recognise.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const struct
{
  const char *magic;
  gsize length;
  const char *what; /* "%s is ..." with what to do */
} others[] = {
  { "version https://git-lfs", 23,
    N_ ("%s is a git-lfs pointer, not the profile itself: fetch it with “git lfs pull”") },
  { "\x1f\x8b", 2, N_ ("%s is compressed with gzip: unpack it first (gunzip)") },
  { "PK\x03\x04", 4, N_ ("%s is a zip archive: unpack it first (unzip)") },
  { "\x28\xb5\x2f\xfd", 4, N_ ("%s is compressed with zstd: unpack it first (unzstd)") },
  { "\xfd"
    "7zXZ",
    5, N_ ("%s is compressed with xz: unpack it first (unxz)") },
  { "BZh", 3, N_ ("%s is compressed with bzip2: unpack it first (bunzip2)") },
  { "!<arch>\n", 8,
    N_ ("%s is an ar archive, not a profile: name it archive.a to see the memory of its tiles") },
  { "GC_EXE_", 7, N_ ("%s is a Poplar executable, not a profile") },
  { "\x04\x22\x4d\x18", 4, N_ ("%s is compressed with lz4: unpack it first (unlz4)") },
  { "7z\xbc\xaf", 4, N_ ("%s is a 7z archive: unpack it first") },
  { "\x7f"
    "ELF",
    4, N_ ("%s is an ELF file, a program or a tile of one, not a profile") },
  { "** This file contains an SQLite 2", 33,
    N_ ("%s is a database of SQLite 2, which no SDK writes: it is not a profile") },
};

/* How a web page begins, in lower case. */
static const char *const page_heads[] = { "<!doctype", "<html", "<head", "<?xml" };

static gboolean
is_text (const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (bytes[i] < 0x20 && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t')
      return FALSE;
  return length > 0;
}

/* The first byte that is neither blank nor a byte order mark. */
static gsize
skip_blanks (const guint8 *head, gsize length)
{
  gsize at = length >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (at < length && g_ascii_isspace (head[at]))
    at++;
  return at;
}

static gboolean
is_web_page (const char *text, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (page_heads); i++)
    if (length >= strlen (page_heads[i])
        && g_ascii_strncasecmp (text, page_heads[i], strlen (page_heads[i])) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_all_zero (const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (bytes[i] != 0)
      return FALSE;
  return TRUE;
}

void
tsr_recognise (const char *name, const guint8 *head, gsize length, GError **error)
{
  gsize at;

  g_return_if_fail (name != NULL && head != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (length >= others[i].length && memcmp (head, others[i].magic, others[i].length) == 0)
      {
        /* The formats come from the table above, each with one %s. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT, _ (others[i].what), name);
#pragma GCC diagnostic pop
        return;
      }
  at = skip_blanks (head, length);
  if (is_web_page ((const char *)head + at, length - at))
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("%s is a web page, perhaps of a failed download: download the file again"),
                 name);
  else if (is_all_zero (head, length))
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("%s begins with zeros only, as an interrupted copy does: copy it again"), name);
  else if (g_str_has_suffix (name, ".capnp"))
    g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                 _ ("%s is in the format of older SDKs (Cap’n Proto), which is not read: record "
                    "the report again with a newer SDK"),
                 name);
  else if (at < length && (head[at] == '{' || head[at] == '['))
    g_set_error (
        error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
        _ ("%s is JSON, the profile format of SDKs before 2.0, which is not read: record the "
           "report again with a newer SDK"),
        name);
  else if (is_text (head, length))
    g_set_error (
        error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
        _ ("%s is a text file, not a profile, which is an SQLite database: copy the file again "
           "from where it was recorded"),
        name);
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                 _ ("%s is not a profile: it does not begin like an SQLite database; copy it again "
                    "from where it was recorded"),
                 name);
}
