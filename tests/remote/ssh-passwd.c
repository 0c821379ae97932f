/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Preloaded into the test's own ssh servers, so that they know the test's users and nobody else,
 * and need nothing of this machine: no account "sshd", no /run/sshd, no shell or home folder of
 * whoever runs the tests.  Environment: TSR_TEST_PASSWD has one line "name:uid:gid:home" for each
 * user, TSR_TEST_WORLD is the test's folder (with "empty" in it, for privilege separation).
 * What would go to syslog goes to standard error.  Processes that the server forks die with it. */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRIVSEP_FOLDER "/run/sshd"

static void
die_with_parent (void)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

__attribute__ ((constructor)) static void
begin (void)
{
  die_with_parent ();
  pthread_atfork (NULL, NULL, die_with_parent);
}

/* The user whose name is @name, or, without one, whose number is @uid. */
static struct passwd *
find (const char *name, uid_t uid)
{
  static struct passwd found;
  static char line[1024];
  const char *all = getenv ("TSR_TEST_PASSWD");

  for (const char *at = all != NULL ? all : ""; *at != '\0';)
    {
      size_t length = strcspn (at, "\n");
      char *words[4] = { NULL }, *rest = line;

      if (length >= sizeof line)
        break;
      memcpy (line, at, length);
      line[length] = '\0';
      for (int i = 0; i < 4; i++)
        words[i] = strsep (&rest, ":");
      at += length + (at[length] == '\n');
      if (words[3] == NULL)
        continue;
      found.pw_name = words[0];
      found.pw_uid = (uid_t)strtoul (words[1], NULL, 10);
      found.pw_gid = (gid_t)strtoul (words[2], NULL, 10);
      found.pw_dir = words[3];
      found.pw_passwd = (char *)"*";
      found.pw_gecos = (char *)"";
      found.pw_shell = (char *)"/bin/sh";
      if (name != NULL ? strcmp (name, found.pw_name) == 0 : uid == found.pw_uid)
        return &found;
    }
  errno = 0;
  return NULL;
}

struct passwd *
getpwnam (const char *name)
{
  struct passwd *found = find (name, 0);

  /* The account that an OpenSSH server run by root falls back to before somebody has logged in. */
  if (found == NULL && strcmp (name, "sshd") == 0)
    {
      static struct passwd nobody = { (char *)"sshd", (char *)"*",         65534, 65534, (char *)"",
                                      (char *)"/",    (char *)"/bin/false" };

      return &nobody;
    }
  return found;
}

struct passwd *
getpwuid (uid_t uid)
{
  return find (NULL, uid);
}

/* /run/sshd is the world's empty folder, and a folder that leads to the world has nobody else who
 * may write: /tmp has, and OpenSSH would not chroot below it. */
static int
stat_in_world (const char *path, struct stat *buffer)
{
  const char *world = getenv ("TSR_TEST_WORLD");
  char empty[4096];
  int status;

  if (world != NULL && strcmp (path, PRIVSEP_FOLDER) == 0)
    {
      snprintf (empty, sizeof empty, "%s/empty", world);
      path = empty;
    }
  status = fstatat (AT_FDCWD, path, buffer, 0);
  if (status == 0 && world != NULL && strncmp (path, world, strlen (path)) == 0)
    buffer->st_mode &= (mode_t)~022;
  return status;
}

/* By the two names that the C library's headers may give it. */
int world_stat (const char *path, struct stat *buffer) __asm__("stat");
int world_stat64 (const char *path, struct stat *buffer) __asm__("stat64");

int
world_stat (const char *path, struct stat *buffer)
{
  return stat_in_world (path, buffer);
}

int
world_stat64 (const char *path, struct stat *buffer)
{
  return stat_in_world (path, buffer);
}

int
chroot (const char *path)
{
  int (*real) (const char *) = (int (*) (const char *))dlsym (RTLD_NEXT, "chroot");
  const char *world = getenv ("TSR_TEST_WORLD");
  char empty[4096];

  if (world == NULL || strcmp (path, PRIVSEP_FOLDER) != 0)
    return real (path);
  snprintf (empty, sizeof empty, "%s/empty", world);
  return real (empty);
}

/* dropbear logs to nothing else when it serves one connection.  By the names that the C library has
 * for programs built with and without _FORTIFY_SOURCE; its header may declare and define both. */
void world_syslog (int priority, const char *format, ...) __asm__("syslog")
    __attribute__ ((format (printf, 2, 3)));
void world_syslog_chk (int priority, int flag, const char *format, ...) __asm__("__syslog_chk")
    __attribute__ ((format (printf, 3, 4)));

void
world_syslog (int priority, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  vdprintf (STDERR_FILENO, format, args);
  va_end (args);
  dprintf (STDERR_FILENO, "\n");
}

void
world_syslog_chk (int priority, int flag, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  vdprintf (STDERR_FILENO, format, args);
  va_end (args);
  dprintf (STDERR_FILENO, "\n");
}
