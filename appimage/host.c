/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loaded into the programs of the AppImage, before all others.  What they start gets the environment that the user
 * had, and with it the machine's own libraries, themes and fonts; texts of GTK and GLib come from the image; where the
 * machine does not have the user's locale, texts are translated all the same; and the pipe by which the image is held
 * ends with the program.  AppRun writes down what it changes: TESSERA_HOST_NAMES has the names, TESSERA_HOST_NAME the
 * value that NAME had. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define SAVED "TESSERA_HOST_"
#define LIST SAVED "NAMES"

extern char **environ;

static int (*real_execve) (const char *, char *const *, char *const *);
static int (*real_execvpe) (const char *, char *const *, char *const *);
static int (*real_posix_spawn) (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                                char *const *, char *const *);
static int (*real_posix_spawnp) (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                                 char *const *, char *const *);
static char *(*real_bindtextdomain) (const char *, const char *);

/* Saves what a variable was, and sets it; or unsets it, without a value. */
static void
change (const char *name, const char *value)
{
  char saved[128], list[2048];
  const char *old = getenv (name), *names = getenv (LIST);

  snprintf (list, sizeof list, "%s %s", names != NULL ? names : "", name);
  setenv (LIST, list, 1);
  snprintf (saved, sizeof saved, SAVED "%s", name);
  if (old != NULL)
    setenv (saved, old, 1);
  if (value != NULL)
    setenv (name, value, 1);
  else
    unsetenv (name);
}

/* A locale that the machine does not have would be "C": no translation, and no letter beyond ASCII.  LANGUAGE alone
 * does not help: it is ignored where messages are those of "C.UTF-8".  So they are those of a locale of the image,
 * which has nothing but yes and no. */
static void
mend_locale (void)
{
  const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };
  const char *const others[] = { "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_PAPER",
                                 "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION" };
  const char *wanted = NULL, *appdir = getenv ("APPDIR");
  char language[64], path[PATH_MAX];
  locale_t locale = newlocale (LC_ALL_MASK, "", NULL);

  if (locale != NULL)
    {
      freelocale (locale);
      return;
    }
  for (int i = 0; i < 3 && (wanted == NULL || *wanted == '\0'); i++)
    wanted = getenv (names[i]);
  if (wanted == NULL || *wanted == '\0')
    return;
  snprintf (language, sizeof language, "%.*s", (int)strcspn (wanted, ".@"), wanted);
  snprintf (path, sizeof path, "%s/lib/locale", appdir != NULL ? appdir : "");
  if (getenv ("LANGUAGE") == NULL)
    change ("LANGUAGE", language);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (getenv (others[i]) != NULL)
      change (others[i], NULL);
  change ("LOCPATH", path);
  change ("LANG", "C.UTF-8");
  change ("LC_MESSAGES", "en_US.UTF-8");
}

static void __attribute__ ((constructor))
start (void)
{
  const char *keeper = getenv ("TESSERA_KEEPER");

  real_execve = dlsym (RTLD_NEXT, "execve");
  real_execvpe = dlsym (RTLD_NEXT, "execvpe");
  real_posix_spawn = dlsym (RTLD_NEXT, "posix_spawn");
  real_posix_spawnp = dlsym (RTLD_NEXT, "posix_spawnp");
  real_bindtextdomain = dlsym (RTLD_NEXT, "bindtextdomain");
  if (keeper != NULL)
    fcntl (atoi (keeper), F_SETFD, FD_CLOEXEC);
  /* Otherwise it would be the loader's. */
  prctl (PR_SET_NAME, program_invocation_short_name);
  mend_locale ();
}

char *
bindtextdomain (const char *domain, const char *folder)
{
  const char *appdir = getenv ("APPDIR");
  char ours[PATH_MAX];

  if (appdir == NULL || folder == NULL || strcmp (folder, "/usr/share/locale") != 0)
    return real_bindtextdomain (domain, folder);
  snprintf (ours, sizeof ours, "%s/usr/share/locale", appdir);
  return real_bindtextdomain (domain, ours);
}

static size_t
name_length (const char *entry)
{
  return strcspn (entry, "=");
}

/* Whether a list of words with spaces between has the first n bytes of a name. */
static int
has_word (const char *list, const char *name, size_t n)
{
  for (const char *at = list; at != NULL && (at = strstr (at, name)) != NULL; at++)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
      return 1;
  return 0;
}

static int
is_ours (const char *names, const char *entry)
{
  static const char always[] = "APPDIR APPIMAGE TESSERA_KEEPER";
  char name[128];
  size_t n = name_length (entry);

  if (n >= sizeof name)
    return 0;
  memcpy (name, entry, n);
  name[n] = '\0';
  return has_word (always, name, n) || has_word (names, name, n);
}

static size_t
count (char *const *env)
{
  size_t n = 0;

  while (env != NULL && env[n] != NULL)
    n++;
  return n;
}

/* Writes the environment of the host to "to", which has room for that of "env".  Allocates nothing: it is called
 * between fork and exec. */
static void
give_back (char *const *env, char **to)
{
  const char *names = NULL;

  for (size_t i = 0; env != NULL && env[i] != NULL; i++)
    if (strncmp (env[i], LIST "=", sizeof LIST) == 0)
      names = env[i] + sizeof LIST;
  for (size_t i = 0; env != NULL && env[i] != NULL; i++)
    if (strncmp (env[i], LIST "=", sizeof LIST) == 0)
      continue;
    else if (strncmp (env[i], SAVED, sizeof SAVED - 1) == 0)
      *to++ = env[i] + sizeof SAVED - 1;
    else if (!is_ours (names, env[i]))
      *to++ = env[i];
  *to = NULL;
}

int
execve (const char *path, char *const *argv, char *const *env)
{
  char *host[count (env) + 1];

  give_back (env, host);
  return real_execve (path, argv, host);
}

int
execv (const char *path, char *const *argv)
{
  return execve (path, argv, environ);
}

int
execvpe (const char *file, char *const *argv, char *const *env)
{
  char *host[count (env) + 1];

  give_back (env, host);
  return real_execvpe (file, argv, host);
}

int
execvp (const char *file, char *const *argv)
{
  return execvpe (file, argv, environ);
}

int
posix_spawn (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
             char *const *argv, char *const *env)
{
  char *host[count (env) + 1];

  give_back (env, host);
  return real_posix_spawn (pid, path, actions, attributes, argv, host);
}

int
posix_spawnp (pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
              char *const *argv, char *const *env)
{
  char *host[count (env) + 1];

  give_back (env, host);
  return real_posix_spawnp (pid, file, actions, attributes, argv, host);
}
