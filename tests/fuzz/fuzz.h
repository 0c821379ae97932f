/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each fuzz target has: the function that libFuzzer, or the replay of the corpus, calls.  A
 * critical or a warning of GLib ends the program like a crash does. */

#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* First thing in it. */
static inline void
fuzz_begin (void)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
}

/* What a reader gives back: an error exactly when it failed, with a text that can be shown. */
static inline void
fuzz_check_error (gboolean ok, GError *error)
{
  g_assert_true (ok == (error == NULL));
  if (error == NULL)
    return;
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (error->message[0], !=, 0);
}
