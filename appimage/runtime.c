/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The head of the AppImage, started by start.c: a static program that ends where a squashfs image begins.  It mounts the image by FUSE in
 * a new folder, or unpacks it there, and becomes the image's AppRun, so that signals and the exit status are the
 * program's own.  A child of it serves the mounted folder, and removes it when the program is gone: it sees the end of
 * a pipe that only the program holds, however that ended.  Out of Debian's libsquashfuse-dev and libfuse3-dev. */

#include <squashfuse/config.h>
#undef _POSIX_C_SOURCE
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>

#define STATUS 127

static char self[PATH_MAX];

static void __attribute__ ((noreturn, format (printf, 1, 2)))
die (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fputs ("tessera: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  exit (STATUS);
}

/* Where the image begins: behind the section headers, which a linker writes last.  Ends the program where the file is
 * shorter than its image says, as after a download that was cut off. */
static size_t
find_image (void)
{
  Elf64_Ehdr head;
  struct stat st;
  unsigned char super[48];
  unsigned long long size = 0;
  size_t offset;
  int fd = open (self, O_RDONLY | O_CLOEXEC);

  if (fd < 0 || fstat (fd, &st) != 0)
    die ("cannot read %s: %s", self, strerror (errno));
  if (pread (fd, &head, sizeof head, 0) != sizeof head)
    die ("%s is too short: get the file again", self);
  offset = head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
  if (pread (fd, super, sizeof super, offset) != sizeof super || memcmp (super, "hsqs", 4) != 0)
    die ("%s is incomplete: nothing follows its first %zu bytes; get the file again", self, offset);
  for (int i = 7; i >= 0; i--)
    size = size << 8 | super[40 + i];
  if ((unsigned long long)st.st_size < offset + size)
    die ("%s is incomplete: it has %lld of %llu bytes; get the file again", self, (long long)st.st_size, offset + size);
  close (fd);
  return offset;
}

/* Returns 0, or what is wrong (errno). */
static int
unpack_file (sqfs *fs, sqfs_inode *inode, const char *path)
{
  static char bytes[1 << 20];
  int wrong = 0, fd = open (path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, inode->base.mode & 0777);

  if (fd < 0)
    return errno;
  for (sqfs_off_t at = 0; wrong == 0 && at < (sqfs_off_t)inode->xtra.reg.file_size;)
    {
      sqfs_off_t got = sizeof bytes;

      if (sqfs_read_range (fs, inode, at, &got, bytes) != SQFS_OK || got <= 0)
        wrong = EBADMSG;
      for (sqfs_off_t done = 0; wrong == 0 && done < got;)
        {
          ssize_t n = write (fd, bytes + done, got - done);

          if (n < 0 && errno != EINTR)
            wrong = errno;
          done += n > 0 ? n : 0;
        }
      at += got;
    }
  if (close (fd) != 0 && wrong == 0)
    wrong = errno;
  return wrong;
}

static int
unpack_entry (sqfs *fs, sqfs_inode *inode, const char *path)
{
  char target[PATH_MAX];
  size_t size = sizeof target;

  if (S_ISDIR (inode->base.mode))
    return mkdir (path, 0700) == 0 || errno == EEXIST ? 0 : errno;
  if (S_ISREG (inode->base.mode))
    return unpack_file (fs, inode, path);
  if (!S_ISLNK (inode->base.mode))
    return 0;
  if (sqfs_readlink (fs, inode, target, &size) != SQFS_OK)
    return EBADMSG;
  return symlink (target, path) == 0 ? 0 : errno;
}

/* Unpacks the image into a folder that is there.  Returns 0, or what is wrong (errno); EBADMSG is the image. */
static int
unpack (const char *to)
{
  sqfs fs;
  sqfs_traverse walk;
  sqfs_err err = SQFS_OK;
  int wrong = 0;

  if (sqfs_open_image (&fs, self, find_image ()) != SQFS_OK || sqfs_traverse_open (&walk, &fs, sqfs_inode_root (&fs)) != SQFS_OK)
    return EBADMSG;
  while (wrong == 0 && sqfs_traverse_next (&walk, &err))
    {
      char path[PATH_MAX];
      sqfs_inode inode;

      if (walk.dir_end)
        continue;
      if (snprintf (path, sizeof path, "%s/%s", to, walk.path) >= (int)sizeof path)
        wrong = ENAMETOOLONG;
      else if (sqfs_inode_get (&fs, &inode, sqfs_dentry_inode (&walk.entry)) != SQFS_OK)
        wrong = EBADMSG;
      else
        wrong = unpack_entry (&fs, &inode, path);
    }
  sqfs_traverse_close (&walk);
  return wrong != 0 ? wrong : err != SQFS_OK ? EBADMSG : 0;
}

static int
remove_one (const char *path, const struct stat *st, int type, struct FTW *ftw)
{
  (void)st;
  (void)type;
  (void)ftw;
  return remove (path) != 0 && errno != ENOENT;
}

static void
remove_folder (const char *at)
{
  nftw (at, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Runs a program that this one has nothing to say to; complaints are not shown.  Returns whether it went well. */
static bool
run_quietly (char *const *words, int keep)
{
  int status = -1;
  pid_t pid = fork ();

  if (pid == 0)
    {
      int null = open ("/dev/null", O_RDWR);

      if (keep >= 0)
        fcntl (keep, F_SETFD, 0);
      dup2 (null, 0);
      dup2 (null, 1);
      if (getenv ("APPIMAGE_DEBUG") == NULL)
        dup2 (null, 2);
      execvp (words[0], words);
      _exit (STATUS);
    }
  while (pid > 0 && waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return pid > 0 && WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

/* Where the programs are that may mount for everybody; the first is of FUSE 3, the second of FUSE 2. */
static const char *const mounters[] = { "fusermount3", "fusermount" };

/* Asks a mounter for the kernel's end of a new mount, which comes through a socket.  Returns it, or -1. */
static int
ask_mounter (const char *mounter, const char *at)
{
  char number[16], control[CMSG_SPACE (sizeof (int))], byte;
  char *words[] = { (char *)mounter, "-o", "ro,nodev,nosuid,fsname=tessera,subtype=appimage", "--", (char *)at, NULL };
  struct iovec part = { &byte, 1 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
  int ends[2], fd = -1;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return -1;
  snprintf (number, sizeof number, "%d", ends[1]);
  setenv ("_FUSE_COMMFD", number, 1);
  if (run_quietly (words, ends[1]) && recvmsg (ends[0], &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) == 1)
    {
      struct cmsghdr *head = CMSG_FIRSTHDR (&message);

      if (head != NULL && head->cmsg_type == SCM_RIGHTS)
        memcpy (&fd, CMSG_DATA (head), sizeof fd);
    }
  unsetenv ("_FUSE_COMMFD");
  close (ends[0]);
  close (ends[1]);
  return fd;
}

/* Mounts as root without help. */
static int
mount_as_root (const char *at)
{
  char options[128];
  int fd = geteuid () == 0 ? open ("/dev/fuse", O_RDWR | O_CLOEXEC) : -1;

  if (fd < 0)
    return -1;
  snprintf (options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd);
  if (mount ("tessera", at, "fuse.appimage", MS_RDONLY | MS_NODEV | MS_NOSUID, options) == 0)
    return fd;
  close (fd);
  return -1;
}

static void
unmount (const char *at)
{
  if (umount2 (at, MNT_DETACH) == 0)
    return;
  for (size_t i = 0; i < sizeof mounters / sizeof *mounters; i++)
    if (run_quietly ((char *[]){ (char *)mounters[i], "-u", "-z", "--", (char *)at, NULL }, -1))
      return;
}

/* Answers the kernel until nobody holds the other end of the pipe. */
static void
serve (struct fuse_session *session, int pipe_fd)
{
  struct fuse_buf buf = { 0 };
  struct pollfd fds[] = { { fuse_session_fd (session), POLLIN, 0 }, { pipe_fd, POLLIN, 0 } };

  while (!fuse_session_exited (session) && (poll (fds, 2, -1) >= 0 || errno == EINTR) && fds[1].revents == 0)
    if (fds[0].revents != 0 && fuse_session_receive_buf (session, &buf) > 0)
      fuse_session_process_buf (session, &buf);
}

static void
wait_for_end (int pipe_fd)
{
  char byte;

  while (read (pipe_fd, &byte, 1) < 0 && errno == EINTR)
    ;
}

/* A child that outlives the program: out of reach of what ends it, holding neither its terminal nor its pipes.
 * Returns as fork. */
static pid_t
fork_keeper (int keep[2])
{
  pid_t pid;
  int null;

  if (pipe (keep) != 0)
    die ("cannot make a pipe: %s", strerror (errno));
  pid = fork ();
  if (pid < 0)
    die ("cannot start a process: %s", strerror (errno));
  if (pid > 0)
    {
      close (keep[0]);
      return pid;
    }
  close (keep[1]);
  setsid ();
  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  if (chdir ("/") != 0 || (null = open ("/dev/null", O_RDWR)) < 0)
    _exit (1);
  dup2 (null, 0);
  dup2 (null, 1);
  if (getenv ("APPIMAGE_DEBUG") == NULL)
    dup2 (null, 2);
  return 0;
}

/* Returns the end of the pipe to be held while the program runs, or -1 where FUSE cannot be had. */
static int
mount_image (const char *at)
{
  struct fuse_lowlevel_ops ops = { .getattr = sqfs_ll_op_getattr, .opendir = sqfs_ll_op_opendir,
    .releasedir = sqfs_ll_op_releasedir, .readdir = sqfs_ll_op_readdir, .lookup = sqfs_ll_op_lookup,
    .open = sqfs_ll_op_open, .create = sqfs_ll_op_create, .release = sqfs_ll_op_release, .read = sqfs_ll_op_read,
    .readlink = sqfs_ll_op_readlink, .forget = sqfs_ll_op_forget, .statfs = stfs_ll_op_statfs };
  char *words[] = { "tessera", NULL }, place[32];
  struct fuse_args args = FUSE_ARGS_INIT (1, words);
  sqfs_ll_chan channel = { 0 };
  sqfs_ll *ll;
  size_t offset = find_image ();
  int keep[2], fd = mount_as_root (at);

  for (size_t i = 0; fd < 0 && i < sizeof mounters / sizeof *mounters; i++)
    fd = ask_mounter (mounters[i], at);
  if (fd < 0)
    return -1;
  if (fork_keeper (keep) != 0)
    {
      close (fd);
      return keep[1];
    }
  snprintf (place, sizeof place, "/dev/fd/%d", fd);
  ll = sqfs_ll_open (self, offset);
  if (ll != NULL && sqfs_ll_mount (&channel, place, &args, &ops, sizeof ops, ll) == SQFS_OK)
    serve (channel.session, keep[0]);
  unmount (at);
  rmdir (at);
  _exit (0);
}

/* Folders in which a new one may be made, the best first. */
static const char *
base_folder (int number, char *memory)
{
  const char *home = getenv ("HOME"), *cache = getenv ("XDG_CACHE_HOME");

  switch (number)
    {
    case 0:
      return getenv ("TMPDIR");
    case 1:
      return "/tmp";
    case 2:
      return getenv ("XDG_RUNTIME_DIR");
    case 3:
      return "/var/tmp";
    case 4:
      if (cache != NULL || home == NULL)
        return cache;
      snprintf (memory, PATH_MAX, "%s/.cache", home);
      return memory;
    default:
      return "";
    }
}

static bool
runs_programs (const char *folder)
{
  struct statvfs st;

  return statvfs (folder, &st) != 0 || (st.f_flag & ST_NOEXEC) == 0;
}

/* Mounts or unpacks the image in a new folder "at".  Returns the end of the pipe to be held. */
static int
prepare (char *at, bool with_fuse)
{
  char memory[PATH_MAX], tried[4096] = "";
  const char *base;

  for (int i = 0; (base = base_folder (i, memory)) == NULL || *base != '\0'; i++)
    {
      int keep[2], wrong;

      if (base == NULL || *base != '/' || snprintf (at, PATH_MAX, "%s/.tessera-XXXXXX", base) >= PATH_MAX)
        continue;
      if (mkdtemp (at) == NULL)
        wrong = errno;
      else if (with_fuse && (keep[1] = mount_image (at)) >= 0)
        return keep[1];
      else if (!runs_programs (at))
        {
          rmdir (at);
          wrong = EACCES;
        }
      else
        {
          pid_t keeper = fork_keeper (keep);

          if (keeper == 0)
            {
              wait_for_end (keep[0]);
              remove_folder (at);
              _exit (0);
            }
          wrong = unpack (at);
          if (wrong == 0)
            return keep[1];
          close (keep[1]);
          waitpid (keeper, NULL, 0);
        }
      if (wrong == EBADMSG)
        die ("%s is damaged: get the file again", self);
      snprintf (tried + strlen (tried), sizeof tried - strlen (tried), "%s%s (%s)", *tried != '\0' ? ", " : "", base,
                wrong == EACCES ? "no program may run there, or not writable" : strerror (wrong));
    }
  die ("there is no FUSE here, and nowhere to unpack 100 MB to: %s; set TMPDIR to a folder with room", tried);
}

static void
run (const char *appdir, char **argv, int keep)
{
  char path[PATH_MAX + 16], number[16];

  snprintf (path, sizeof path, "%s/AppRun", appdir);
  snprintf (number, sizeof number, "%d", keep);
  setenv ("APPDIR", appdir, 1);
  setenv ("APPIMAGE", self, 1);
  setenv ("TESSERA_KEEPER", number, 1);
  execv (path, argv);
  die ("cannot start %s: %s", path, strerror (errno));
}

static void
help (void)
{
  puts ("--appimage-extract           unpack into ./squashfs-root; squashfs-root/AppRun starts what is in it\n"
        "--appimage-extract-and-run   do not mount: unpack, run, and remove what was unpacked\n"
        "                             (also with APPIMAGE_EXTRACT_AND_RUN=1, and where there is no FUSE)\n"
        "--appimage-mount             mount, say where, and wait for Ctrl+C\n"
        "--appimage-offset            print where the image begins in the file\n"
        "APPIMAGE_DEBUG=1             show why the image cannot be mounted");
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : "";
  bool no_fuse = getenv ("APPIMAGE_EXTRACT_AND_RUN") != NULL;
  char at[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);
  int wrong, keep;

  if (n < 0)
    die ("/proc is not mounted, without which this file does not find itself");
  if (strcmp (word, "--appimage-help") == 0)
    return help (), 0;
  if (strcmp (word, "--appimage-offset") == 0)
    return printf ("%zu\n", find_image ()) < 0;
  find_image ();
  if (strcmp (word, "--appimage-extract") == 0)
    {
      if (mkdir ("squashfs-root", 0700) != 0)
        die ("cannot create squashfs-root here: %s", strerror (errno));
      if ((wrong = unpack ("squashfs-root")) != 0)
        die ("cannot unpack into squashfs-root: %s", wrong == EBADMSG ? "the file is damaged" : strerror (wrong));
      return puts ("squashfs-root") < 0;
    }
  if (strcmp (word, "--appimage-extract-and-run") == 0)
    {
      no_fuse = true;
      argv[1] = argv[0];
      argv++;
    }
  keep = prepare (at, !no_fuse);
  if (strcmp (word, "--appimage-mount") == 0)
    {
      puts (at);
      fflush (stdout);
      pause ();
      return 0;
    }
  run (at, argv, keep);
}
