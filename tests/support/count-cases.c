/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which lines each case of a test came by, and how long it took.  tests/mutants links this into
 * programs of tests whose sources count their lines: the functions that add cases stand here in
 * front of GLib's own.  What is counted goes to folders of TESSERA_COUNT_CASES that are numbered as
 * the lines of its "cases" are: seconds and path of a case.  What is counted before the first case,
 * behind the last one, and in other programs, goes where it goes without this. */

#include <dlfcn.h>
#include <glib.h>
#include <stdio.h>

void __gcov_dump (void);
void __gcov_reset (void);

typedef struct
{
  char *path;
  gconstpointer data;
  GTestFunc func;
  GTestDataFunc data_func;
  GDestroyNotify free_data;
  GTestFixtureFunc set_up, test, tear_down;
} Case;

static GSList *cases; /* so that none of them looks lost */
static guint n_cases;
static gint64 since;

static gpointer
find (const char *name)
{
  gpointer found = dlsym (RTLD_NEXT, name);

  g_assert (found != NULL);
  return found;
}

static Case *
case_new (const char *path, gconstpointer data)
{
  Case *self = g_new0 (Case, 1);

  self->path = g_strdup (path);
  self->data = data;
  cases = g_slist_prepend (cases, self);
  return self;
}

static void
end_case (const Case *self)
{
  const char *folder = g_getenv ("TESSERA_COUNT_CASES");
  g_autofree char *outer = g_strdup (g_getenv ("GCOV_PREFIX"));
  g_autofree char *inner = g_strdup_printf ("%s/%u", folder, n_cases);
  g_autofree char *list = g_build_filename (folder, "cases", NULL);
  FILE *file = fopen (list, "a");

  g_assert (file != NULL);
  fprintf (file, "%.3f %s\n", (double)(g_get_monotonic_time () - since) / G_USEC_PER_SEC,
           self->path);
  fclose (file);
  g_setenv ("GCOV_PREFIX", inner, TRUE);
  __gcov_dump ();
  __gcov_reset ();
  g_setenv ("GCOV_PREFIX", outer, TRUE);
  n_cases++;
  since = g_get_monotonic_time ();
}

static void
run_func (gconstpointer data)
{
  const Case *self = data;

  if (self->func != NULL)
    self->func ();
  else
    self->data_func (self->data);
  if (self->free_data != NULL)
    self->free_data ((gpointer)self->data);
  end_case (self);
}

static void
run_set_up (gpointer fixture, gconstpointer data)
{
  const Case *self = data;

  if (self->set_up != NULL)
    self->set_up (fixture, self->data);
}

static void
run_test (gpointer fixture, gconstpointer data)
{
  const Case *self = data;

  self->test (fixture, self->data);
}

static void
run_tear_down (gpointer fixture, gconstpointer data)
{
  const Case *self = data;

  if (self->tear_down != NULL)
    self->tear_down (fixture, self->data);
  end_case (self);
}

static void
add (Case *self)
{
  void (*real) (const char *, gconstpointer, GTestDataFunc) = find ("g_test_add_data_func");

  real (self->path, self, run_func);
}

void
g_test_add_func (const char *path, GTestFunc func)
{
  Case *self = case_new (path, NULL);

  self->func = func;
  add (self);
}

void
g_test_add_data_func (const char *path, gconstpointer data, GTestDataFunc func)
{
  Case *self = case_new (path, data);

  self->data_func = func;
  add (self);
}

void
g_test_add_data_func_full (const char *path,
                           gpointer data,
                           GTestDataFunc func,
                           GDestroyNotify free_data)
{
  Case *self = case_new (path, data);

  self->data_func = func;
  self->free_data = free_data;
  add (self);
}

void
g_test_add_vtable (const char *path,
                   gsize size,
                   gconstpointer data,
                   GTestFixtureFunc set_up,
                   GTestFixtureFunc test,
                   GTestFixtureFunc tear_down)
{
  void (*real) (const char *, gsize, gconstpointer, GTestFixtureFunc, GTestFixtureFunc,
                GTestFixtureFunc)
      = find ("g_test_add_vtable");
  Case *self = case_new (path, data);

  self->set_up = set_up;
  self->test = test;
  self->tear_down = tear_down;
  real (path, size, self, run_set_up, run_test, run_tear_down);
}

int
g_test_run (void)
{
  int (*real) (void) = find ("g_test_run");

  __gcov_dump ();
  __gcov_reset ();
  since = g_get_monotonic_time ();
  return real ();
}
