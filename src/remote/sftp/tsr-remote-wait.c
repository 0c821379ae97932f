/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocking reads of a remote file: several ranges at once, cancellable.  A cancelled caller returns
 * at once; late answers are dropped. */

#include "config.h"

#include "tsr-connection-private.h"

#include <string.h>

typedef struct
{
  gint refs;
  GMutex mutex;
  GCond changed;
  guint left;
  gboolean is_gone; /* nobody waits: the ranges may be gone too */
  GError *error;
} Wait;

typedef struct
{
  Wait *wait;
  TsrSourceRange *range;
} WaitRange;

static void
wait_unref (Wait *wait)
{
  if (!g_atomic_int_dec_and_test (&wait->refs))
    return;
  g_mutex_clear (&wait->mutex);
  g_cond_clear (&wait->changed);
  g_clear_error (&wait->error);
  g_free (wait);
}

static void
range_cb (GBytes *bytes, GError *error, gpointer data)
{
  WaitRange *wait_range = data;
  Wait *wait = wait_range->wait;

  g_mutex_lock (&wait->mutex);
  if (bytes && !wait->is_gone)
    {
      gsize n;
      gconstpointer from = g_bytes_get_data (bytes, &n);

      memcpy (wait_range->range->bytes, from, n);
      wait_range->range->got = n;
    }
  if (error && !wait->error)
    wait->error = g_steal_pointer (&error);
  wait->left--;
  g_cond_broadcast (&wait->changed);
  g_mutex_unlock (&wait->mutex);
  g_clear_error (&error);
  wait_unref (wait);
  g_free (wait_range);
}

static void
wait_cancelled_cb (GCancellable *cancellable, gpointer data)
{
  Wait *wait = data;

  (void)cancellable;
  g_mutex_lock (&wait->mutex);
  g_cond_broadcast (&wait->changed);
  g_mutex_unlock (&wait->mutex);
}

gboolean
tsr_remote_file_read (
    TsrRemoteFile *self, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error)
{
  g_autofree TsrRead **reads = NULL;
  Wait *wait;
  gulong handler = 0;
  gboolean ok;

  g_return_val_if_fail (self && (n == 0 || ranges), FALSE);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  reads = g_new0 (TsrRead *, MAX (n, 1));
  wait = g_new0 (Wait, 1);
  wait->refs = (gint)n + 1;
  wait->left = n;
  g_mutex_init (&wait->mutex);
  g_cond_init (&wait->changed);
  for (guint i = 0; i < n; i++)
    {
      WaitRange *wait_range = g_new (WaitRange, 1);

      ranges[i].got = 0;
      wait_range->wait = wait;
      wait_range->range = &ranges[i];
      reads[i] = tsr_read_submit (self, ranges[i].offset, ranges[i].length, TSR_READ_NOW, range_cb,
                                  wait_range);
    }
  if (cancellable)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (wait_cancelled_cb), wait, NULL);
  g_mutex_lock (&wait->mutex);
  while (wait->left > 0 && !wait->error && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&wait->changed, &wait->mutex);
  wait->is_gone = TRUE;
  ok = wait->left == 0 && !wait->error;
  if (wait->error)
    g_propagate_error (error, g_steal_pointer (&wait->error));
  else if (!ok)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  g_mutex_unlock (&wait->mutex);
  if (handler)
    g_cancellable_disconnect (cancellable, handler);
  for (guint i = 0; i < n; i++)
    {
      if (!ok)
        tsr_read_abandon (reads[i]);
      tsr_read_unref (reads[i]);
    }
  if (!ok)
    tsr_core_check_waiting (tsr_remote_file_get_core (self));
  wait_unref (wait);
  return ok;
}
