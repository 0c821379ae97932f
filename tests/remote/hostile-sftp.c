/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An SFTP server that lies: hostile-sftp LIE ROOT, run by sshd as its subsystem.  Serves the files
 * below ROOT as "/", read only, version 3 (draft-ietf-secsh-filexfer-02), and is honest in all but
 * one thing, which LIE names: see the table below; "truth" is none. */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  FXP_INIT = 1,
  FXP_VERSION,
  FXP_OPEN,
  FXP_CLOSE,
  FXP_READ,
  FXP_LSTAT = 7,
  FXP_FSTAT,
  FXP_OPENDIR = 11,
  FXP_READDIR,
  FXP_REALPATH = 16,
  FXP_STAT,
  FXP_READLINK = 19,
  FXP_STATUS = 101,
  FXP_HANDLE,
  FXP_DATA,
  FXP_NAME,
  FXP_ATTRS,
};

enum
{
  FX_OK,
  FX_EOF,
  FX_NO_SUCH_FILE,
  FX_PERMISSION_DENIED,
  FX_FAILURE,
  FX_BAD_MESSAGE,
  FX_OP_UNSUPPORTED = 8,
};

#define ATTR_ALL      0x8000000f /* size, ids, permissions, times, extended */
#define MANY_ENTRIES  1000000
#define ENTRY_PORTION 2000

static const char *const lies[] = {
  "truth",
  /* At the beginning. */
  "version-2",
  "version-99",
  "version-cut",
  "version-silent",
  "version-status",
  /* In packets. */
  "packet-long",
  "packet-zero",
  "packet-cut",
  "packet-id",
  "packet-type",
  "packet-noise",
  /* In handles. */
  "handle-long",
  "handle-empty",
  /* In what a read brings. */
  "read-silent",
  "read-short",
  "read-zero",
  "read-long",
  "read-length",
  "read-early-end",
  "read-garbage",
  "read-status-ok",
  "read-odd-status",
  "read-exit",
  "read-no-end",
  /* In attributes. */
  "size-63",
  "size-64",
  "size-none",
  "attrs-none",
  "attrs-count",
  "attrs-cut",
  "mode-none",
  "time-far",
  "stat-as-data",
  "stat-changes",
  "stat-loop",
  "stat-gone",
  /* In lists. */
  "names-slash",
  "names-nul",
  "names-empty",
  "names-dots",
  "names-long",
  "names-longest",
  "names-too-long",
  "names-odd",
  "names-line",
  "names-million",
  "names-endless",
  "names-none",
  "names-count",
  "names-loop",
  "names-same",
  /* In answers to realpath. */
  "realpath-none",
  "realpath-empty",
  "realpath-two",
  "realpath-relative",
  "realpath-long",
  /* In what is said of an error. */
  "text-control",
  "text-long",
  "text-none",
  "status-cut",
};

static const char *lie;
static char *root;
static GHashTable *handles; /* "1" to Handle */
static guint n_handles, n_answers;

typedef struct
{
  int fd;
  GPtrArray *names; /* of a folder; NULL for a file */
  guint next;       /* entry */
} Handle;

static gboolean
lies_by (const char *what)
{
  return g_str_equal (lie, what);
}

/* ----------------------------------------------------------------- packets */

static void
add_u32 (GByteArray *packet, guint32 value)
{
  value = GUINT32_TO_BE (value);
  g_byte_array_append (packet, (guint8 *)&value, 4);
}

static void
add_u64 (GByteArray *packet, guint64 value)
{
  value = GUINT64_TO_BE (value);
  g_byte_array_append (packet, (guint8 *)&value, 8);
}

static void
add_bytes (GByteArray *packet, const void *bytes, gsize length)
{
  add_u32 (packet, (guint32)length);
  g_byte_array_append (packet, bytes, (guint)length);
}

static void
add_text (GByteArray *packet, const char *text)
{
  add_bytes (packet, text, strlen (text));
}

static void
write_all (const void *bytes, gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize n = write (1, (const guint8 *)bytes + done, length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        _exit (0);
      done += (gsize)n;
    }
}

static GByteArray *
begin (guint8 type, guint32 id)
{
  GByteArray *packet = g_byte_array_new ();

  if (lies_by ("packet-id") && n_answers > 3)
    id += 1000;
  if (lies_by ("packet-type") && n_answers > 3)
    type = 250;
  g_byte_array_append (packet, &type, 1);
  add_u32 (packet, id);
  return packet;
}

/* (transfer full) @packet.  The first answers are true, so that there is something to lie about. */
static void
send_packet (GByteArray *packet)
{
  guint32 length = packet->len;

  if (++n_answers > 3)
    {
      if (lies_by ("packet-long"))
        length = G_MAXUINT32;
      else if (lies_by ("packet-zero"))
        length = 0;
      else if (lies_by ("packet-noise"))
        for (guint i = 0; i < packet->len; i++)
          packet->data[i] = (guint8)(i * 167 + 13);
    }
  length = GUINT32_TO_BE (length);
  write_all (&length, 4);
  if (lies_by ("packet-cut") && n_answers > 3)
    {
      write_all (packet->data, packet->len / 2);
      _exit (0);
    }
  write_all (packet->data, packet->len);
  g_byte_array_unref (packet);
}

static void
send_status (guint32 id, guint32 code)
{
  static const char *const texts[]
      = { "Success", "End of file", "No such file", "Permission denied", "Failure", "Bad message" };
  GByteArray *packet = begin (FXP_STATUS, id);

  if (!lies_by ("status-cut"))
    add_u32 (packet, code);
  if (lies_by ("text-control"))
    add_text (packet, "\033[2J\033]0;owned\007bad\r\nnews\xff\xfe\x80");
  else if (lies_by ("text-long"))
    {
      g_autofree char *text = g_strnfill (200000, 'x');

      add_text (packet, text);
    }
  else if (!lies_by ("text-none"))
    add_text (packet, code < G_N_ELEMENTS (texts) ? texts[code] : "Other");
  if (!lies_by ("text-none"))
    add_text (packet, "en");
  send_packet (packet);
}

static void
send_errno (guint32 id)
{
  send_status (id, errno == ENOENT || errno == ENOTDIR ? FX_NO_SUCH_FILE
                   : errno == EACCES || errno == EPERM ? FX_PERMISSION_DENIED
                                                       : FX_FAILURE);
}

static void
add_attrs (GByteArray *packet, const struct stat *info)
{
  static guint n_told;
  guint64 size = (guint64)info->st_size;
  gboolean is_file = S_ISREG (info->st_mode);

  if (lies_by ("attrs-none"))
    {
      add_u32 (packet, 0);
      return;
    }
  if (lies_by ("size-63") && is_file)
    size = G_MAXINT64;
  if (lies_by ("size-64") && is_file)
    size = G_MAXUINT64;
  add_u32 (packet, lies_by ("size-none")                              ? ATTR_ALL & 0xe
                   : lies_by ("mode-none")                            ? 0xb
                   : lies_by ("attrs-count") || lies_by ("attrs-cut") ? ATTR_ALL
                                                                      : 0xf);
  if (!lies_by ("size-none"))
    add_u64 (packet, size);
  add_u32 (packet, info->st_uid);
  add_u32 (packet, info->st_gid);
  if (!lies_by ("mode-none"))
    add_u32 (packet, info->st_mode);
  if (lies_by ("attrs-cut"))
    return;
  add_u32 (packet, (guint32)info->st_atime);
  add_u32 (packet, lies_by ("time-far")       ? G_MAXUINT32
                   : lies_by ("stat-changes") ? (guint32)info->st_mtime + ++n_told
                                              : (guint32)info->st_mtime);
  if (lies_by ("attrs-count"))
    add_u32 (packet, G_MAXUINT32);
}

/* --------------------------------------------------------------- questions */

typedef struct
{
  const guint8 *at, *end;
} Reader;

static guint32
get_u32 (Reader *reader)
{
  guint32 value;

  if (reader->end - reader->at < 4)
    _exit (1);
  memcpy (&value, reader->at, 4);
  reader->at += 4;
  return GUINT32_FROM_BE (value);
}

static char *
get_text (Reader *reader)
{
  guint32 length = get_u32 (reader);
  char *text;

  if (reader->end - reader->at < length)
    _exit (1);
  text = g_strndup ((const char *)reader->at, length);
  reader->at += length;
  return text;
}

/* The real path of @path, which is absolute for who asks; ".." leads nowhere else. */
static char *
to_real (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, "/");

  return g_build_filename (root, absolute, NULL);
}

static void
send_handle (guint32 id, int fd, GPtrArray *names)
{
  GByteArray *packet = begin (FXP_HANDLE, id);
  Handle *handle = g_new0 (Handle, 1);
  g_autofree char *name = NULL;

  handle->fd = fd;
  handle->names = names;
  if (lies_by ("handle-long"))
    {
      g_autofree char *filler = g_strnfill (10240, 'h');

      name = g_strdup_printf ("%u%s", ++n_handles, filler);
    }
  else
    name = lies_by ("handle-empty") ? g_strdup ("") : g_strdup_printf ("%u", ++n_handles);
  add_text (packet, name);
  g_hash_table_insert (handles, g_steal_pointer (&name), handle);
  send_packet (packet);
}

static void
do_open (guint32 id, const char *path)
{
  g_autofree char *real = to_real (path);
  int fd = open (real, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    send_errno (id);
  else
    send_handle (id, fd, NULL);
}

static void
do_opendir (guint32 id, const char *path)
{
  g_autofree char *real = to_real (path);
  g_autoptr (GDir) dir = g_dir_open (real, 0, NULL);
  GPtrArray *names;
  const char *name;
  int fd;

  if (dir == NULL)
    {
      errno = g_file_test (real, G_FILE_TEST_EXISTS) ? EACCES : ENOENT;
      send_errno (id);
      return;
    }
  fd = open (real, O_PATH | O_CLOEXEC);
  names = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (names, g_strdup ("."));
  g_ptr_array_add (names, g_strdup (".."));
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  send_handle (id, fd, names);
}

static void
add_name (GByteArray *packet, const char *name, gsize length, const struct stat *info)
{
  g_autofree char *line = g_strdup_printf ("%s 1 x x %" G_GINT64_FORMAT " Jan 1 00:00 x",
                                           lies_by ("names-line")    ? "?---------"
                                           : S_ISDIR (info->st_mode) ? "drwxr-xr-x"
                                           : S_ISLNK (info->st_mode) ? "lrwxrwxrwx"
                                                                     : "-rw-r--r--",
                                           (gint64)info->st_size);

  add_bytes (packet, name, length);
  add_text (packet, line);
  add_attrs (packet, info);
}

/* Beside what is there: names that cannot be. */
static guint
add_odd_names (GByteArray *packet, const struct stat *info)
{
  static const struct
  {
    const char *lie, *name;
    gsize length;
  } odd[] = {
    { "names-slash", "../../etc/passwd", 16 },
    { "names-nul", "profile.pop\0.exe", 16 },
    { "names-empty", "", 0 },
    { "names-dots", "..", 2 },
    { "names-odd", "caf\xe9\n\033[31m\xe2\x80\xae", 13 },
    { "names-same", "hello", 5 },
  };
  g_autofree char *name = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    if (lies_by (odd[i].lie))
      {
        add_name (packet, odd[i].name, odd[i].length, info);
        return 1;
      }
  if (!lies_by ("names-long") && !lies_by ("names-longest") && !lies_by ("names-too-long"))
    return 0;
  name = g_strnfill (lies_by ("names-longest") ? 4096
                     : lies_by ("names-long")  ? 100000
                                               : 4097,
                     'n');
  add_name (packet, name, strlen (name), info);
  return 1;
}

/* Entries that nobody made: a million, or for ever. */
static gboolean
do_invented (guint32 id, Handle *handle)
{
  struct stat info = { .st_mode = S_IFREG | 0644, .st_size = 5 };
  GByteArray *packet;

  if (!lies_by ("names-endless") && (!lies_by ("names-million") || handle->next >= MANY_ENTRIES))
    return FALSE;
  packet = begin (FXP_NAME, id);
  add_u32 (packet, ENTRY_PORTION);
  for (guint i = 0; i < ENTRY_PORTION; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%07u", handle->next++);

      add_name (packet, name, strlen (name), &info);
    }
  send_packet (packet);
  return TRUE;
}

static void
do_readdir (guint32 id, Handle *handle)
{
  GByteArray *packet;
  struct stat info = { 0 };
  guint n = 0, at;

  if (do_invented (id, handle))
    return;
  if (handle->next >= handle->names->len || lies_by ("names-million"))
    {
      send_status (id, FX_EOF);
      return;
    }
  packet = begin (FXP_NAME, id);
  at = packet->len;
  add_u32 (packet, 0);
  for (; handle->next < handle->names->len && n < 100; handle->next++, n++)
    {
      const char *name = handle->names->pdata[handle->next];

      fstatat (handle->fd, name, &info, AT_SYMLINK_NOFOLLOW);
      add_name (packet, name, strlen (name), &info);
    }
  n += add_odd_names (packet, &info);
  if (lies_by ("names-none"))
    {
      n = 0;
      g_byte_array_set_size (packet, at + 4);
      handle->next = 0; /* neither names nor an end */
    }
  if (lies_by ("names-loop"))
    handle->next = 0;
  n = GUINT32_TO_BE (lies_by ("names-count") ? G_MAXUINT32 : n);
  memcpy (packet->data + at, &n, 4);
  send_packet (packet);
}

static void
do_read (guint32 id, Handle *handle, guint64 offset, guint32 length)
{
  g_autofree guint8 *bytes = NULL;
  GByteArray *packet;
  gssize n;

  if (lies_by ("read-silent"))
    return;
  if (lies_by ("read-exit") && offset >= 65536)
    _exit (0);
  if (lies_by ("read-status-ok") || lies_by ("read-odd-status"))
    {
      send_status (id, lies_by ("read-odd-status") ? 4711 : FX_OK);
      return;
    }
  length = MIN (length, lies_by ("read-short") ? 1000 : 262144);
  bytes = g_malloc0 (length + 5000);
  n = pread (handle->fd, bytes, length, (off_t)MIN (offset, G_MAXINT64));
  if (lies_by ("read-no-end") && n <= 0)
    n = length;
  if (lies_by ("read-early-end") && offset >= 65536)
    n = 0;
  if (n < 0)
    {
      send_errno (id);
      return;
    }
  if (n == 0)
    {
      send_status (id, FX_EOF);
      return;
    }
  if (lies_by ("read-garbage"))
    for (gssize i = 0; i < n; i++)
      bytes[i] ^= (guint8)(offset + (guint64)i * 31);
  packet = begin (FXP_DATA, id);
  if (lies_by ("read-zero"))
    n = 0;
  if (lies_by ("read-long"))
    n += 5000;
  add_bytes (packet, bytes, (gsize)n);
  if (lies_by ("read-length"))
    memset (packet->data + 5, 0x7f, 4);
  send_packet (packet);
}

static void
send_attrs (guint32 id, int status, const struct stat *info)
{
  GByteArray *packet;

  if (lies_by ("stat-loop"))
    {
      status = -1;
      errno = ELOOP;
    }
  if (status != 0)
    {
      send_errno (id);
      return;
    }
  packet = begin (lies_by ("stat-as-data") ? FXP_DATA : FXP_ATTRS, id);
  add_attrs (packet, info);
  send_packet (packet);
}

static void
do_realpath (guint32 id, const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, "/");
  g_autofree char *filler = g_strnfill (100000, 'p');
  GByteArray *packet = begin (FXP_NAME, id);
  struct stat info = { 0 };

  if (lies_by ("realpath-long"))
    {
      g_free (absolute);
      absolute = g_strconcat ("/", filler, NULL);
    }
  add_u32 (packet, lies_by ("realpath-none") ? 0 : lies_by ("realpath-two") ? 2 : 1);
  if (lies_by ("realpath-empty"))
    {
      add_u32 (packet, 0);
      g_byte_array_append (packet, (const guint8 *)"/", 1);
    }
  else if (!lies_by ("realpath-none"))
    add_name (packet, lies_by ("realpath-relative") ? "../x" : absolute,
              lies_by ("realpath-relative") ? 4 : strlen (absolute), &info);
  if (lies_by ("realpath-two"))
    add_name (packet, "/two", 4, &info);
  send_packet (packet);
}

static void
do_readlink (guint32 id, const char *path)
{
  g_autofree char *real = to_real (path);
  char target[4096];
  gssize n = readlink (real, target, sizeof target);
  struct stat info = { 0 };
  GByteArray *packet;

  if (n < 0)
    {
      send_errno (id);
      return;
    }
  packet = begin (FXP_NAME, id);
  add_u32 (packet, 1);
  add_name (packet, target, (gsize)n, &info);
  send_packet (packet);
}

/* ------------------------------------------------------------------- main */

static void
do_init (void)
{
  GByteArray *packet = g_byte_array_new ();
  guint8 type = FXP_VERSION;

  if (lies_by ("version-silent"))
    return;
  if (lies_by ("version-status"))
    {
      send_status (0, FX_FAILURE);
      return;
    }
  g_byte_array_append (packet, &type, 1);
  add_u32 (packet, lies_by ("version-2") ? 2 : lies_by ("version-99") ? 99 : 3);
  if (lies_by ("version-cut"))
    g_byte_array_set_size (packet, 3);
  send_packet (packet);
}

static Handle *
get_handle (Reader *reader)
{
  g_autofree char *name = get_text (reader);

  return g_hash_table_lookup (handles, name);
}

static void
do_path (guint8 type, guint32 id, Reader *reader)
{
  g_autofree char *path = get_text (reader);
  g_autofree char *real = to_real (path);
  struct stat info;
  int status;

  switch (type)
    {
    case FXP_OPEN:
      do_open (id, path);
      return;
    case FXP_OPENDIR:
      do_opendir (id, path);
      return;
    case FXP_REALPATH:
      do_realpath (id, path);
      return;
    case FXP_READLINK:
      do_readlink (id, path);
      return;
    default:
      status = type == FXP_STAT ? stat (real, &info) : lstat (real, &info);
      if (type == FXP_STAT && lies_by ("stat-gone"))
        {
          status = -1;
          errno = ENOENT;
        }
      send_attrs (id, status, &info);
    }
}

static void
do_handle (guint8 type, guint32 id, Reader *reader)
{
  Handle *handle = get_handle (reader);
  struct stat info;

  if (handle == NULL)
    {
      send_status (id, FX_BAD_MESSAGE);
      return;
    }
  switch (type)
    {
    case FXP_FSTAT:
      send_attrs (id, fstat (handle->fd, &info), &info);
      return;
    case FXP_READDIR:
      do_readdir (id, handle);
      return;
    case FXP_READ:
      {
        guint64 offset = (guint64)get_u32 (reader) << 32;

        offset |= get_u32 (reader);
        do_read (id, handle, offset, get_u32 (reader));
        return;
      }
    default: /* what is closed keeps its name, for nothing depends on it */
      send_status (id, FX_OK);
    }
}

static void
answer (const guint8 *bytes, gsize length)
{
  Reader reader = { bytes + 1, bytes + length };
  guint8 type = bytes[0];
  guint32 id = get_u32 (&reader); /* of FXP_INIT: the version */

  switch (type)
    {
    case FXP_INIT:
      do_init ();
      break;
    case FXP_OPEN:
    case FXP_OPENDIR:
    case FXP_REALPATH:
    case FXP_READLINK:
    case FXP_STAT:
    case FXP_LSTAT:
      do_path (type, id, &reader);
      break;
    case FXP_CLOSE:
    case FXP_READ:
    case FXP_READDIR:
    case FXP_FSTAT:
      do_handle (type, id, &reader);
      break;
    default:
      send_status (id, FX_OP_UNSUPPORTED);
    }
}

static gboolean
read_all (void *bytes, gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize n = read (0, (guint8 *)bytes + done, length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      done += (gsize)n;
    }
  return TRUE;
}

int
main (int argc, char **argv)
{
  guint32 length;

  if (argc == 2 && g_str_equal (argv[1], "--lies"))
    {
      for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
        g_print ("%s\n", lies[i]);
      return 0;
    }
  if (argc != 3)
    {
      g_printerr ("usage: hostile-sftp LIE ROOT, or --lies\n");
      return 2;
    }
  lie = argv[1];
  root = argv[2];
  handles = g_hash_table_new (g_str_hash, g_str_equal);
  while (read_all (&length, 4))
    {
      g_autofree guint8 *bytes = NULL;

      length = GUINT32_FROM_BE (length);
      if (length < 5 || length > 1 << 20)
        return 1;
      bytes = g_malloc (length);
      if (!read_all (bytes, length))
        return 0;
      answer (bytes, length);
    }
  return 0;
}
