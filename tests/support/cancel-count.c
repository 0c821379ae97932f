/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often something looks whether it is cancelled, and what it does when it is at the nth look.
 */

#include "config.h"

#include "cancel-count.h"

static GCancellable *watched;
static guint n_looks;
static guint cancel_at;

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  if (cancellable == NULL || cancellable != watched)
    return FALSE;
  n_looks++;
  return cancel_at > 0 && n_looks >= cancel_at;
}

gboolean
g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  return TRUE;
}

guint
g_get_num_processors (void)
{
  return 1;
}

/* Whether it ran to its end. */
static gboolean
run_to (const char *what,
        guint at,
        gboolean (*run) (gpointer data, GCancellable *cancellable, GError **error),
        gpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gboolean has_result;

  watched = cancellable;
  n_looks = 0;
  cancel_at = at;
  has_result = run (data, cancellable, &error) || (error != NULL && error->domain != G_IO_ERROR);
  watched = NULL;
  if (has_result == (n_looks >= at))
    g_error ("%s: cancelled at look %u of %u, it has %s result", what, at, n_looks,
             has_result ? "a" : "no");
  if (!has_result)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  return has_result;
}

guint
cancel_count_walk (const char *what,
                   gboolean (*run) (gpointer data, GCancellable *cancellable, GError **error),
                   gpointer data)
{
  guint at, n;

  for (at = 1; !run_to (what, at, run, data); at = at < 4 ? at + 1 : 2 * at)
    ;
  n = n_looks;
  if (n > 3)
    run_to (what, n, run, data);
  return n;
}
