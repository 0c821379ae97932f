/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where names are cut: what is shown of one is not what is shown of another. */

#include "config.h"

#include "tsr-elide.h"

#include <string.h>

/* What is seen, in @fit characters. */
static char *
show (const char *text, TsrElide elide, guint fit)
{
  glong length = g_utf8_strlen (text, -1);
  glong half = (fit - 1) / 2;
  g_autofree char *head = NULL, *tail = NULL;

  if (elide.form == TSR_ELIDE_BOTH)
    {
      g_autofree char *shown = g_strconcat ("…", text + elide.from, NULL);

      if (g_utf8_strlen (shown, -1) <= (glong)fit)
        return g_steal_pointer (&shown);
      head = g_utf8_substring (shown, 0, fit - 1);
      return g_strconcat (head, "…", NULL);
    }
  if (length <= (glong)fit)
    return g_strdup (text);
  if (elide.form == TSR_ELIDE_START)
    {
      tail = g_utf8_substring (text, length - (fit - 1), length);
      return g_strconcat ("…", tail, NULL);
    }
  head = g_utf8_substring (text, 0, half);
  tail = g_utf8_substring (text, length - half, length);
  return g_strconcat (head, "…", tail, NULL);
}

static void
check (const char *const *texts, guint n, guint fit, const char *const *expected)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      TsrElide elide = tsr_elide_choose (texts[i], texts, n, fit);
      char *shown = show (texts[i], elide, fit);

      if (expected != NULL)
        g_assert_cmpstr (shown, ==, expected[i]);
      g_assert_true (g_utf8_validate (shown, -1, NULL));
      g_assert_true (g_hash_table_add (seen, shown));
    }
}

static void
test_forms (void)
{
  static const char *const texts[] = {
    "copyFromHost/input",
    "model/head/metrics/argMax/ExchangePre",
    "Gradient/model/layer1.0/conv2/Grad/Convolve",
    "Gradient/model/layer2.0/conv2/Grad/Convolve",
    "Gradient/model/layer3.0/conv2/Grad/Convolve",
    "ä/größe1/Gradient/model/layer9/conv2/Grad/Reduce/Post",
    "ä/größe2/Gradient/model/layer9/conv2/Grad/Reduce/Post",
  };
  static const char *const expected[] = {
    "copyFromHost/input",
    "model/head/met…ax/ExchangePre",
    "…/layer1.0/conv2/Grad/Convolve",
    "…/layer2.0/conv2/Grad/Convolve",
    "…/layer3.0/conv2/Grad/Convolve",
  };

  check (texts, G_N_ELEMENTS (expected), 30, expected);
  check (texts, G_N_ELEMENTS (texts), 30, NULL);
}

/* The same head and the same tail, the difference between. */
static void
test_both (void)
{
  static const char *const texts[] = {
    "Gradient/model/encoder/layer1/attention/softmax/Reduce/stage2/ExchangePre",
    "Gradient/model/encoder/layer2/attention/softmax/Reduce/stage2/ExchangePre",
    "Gradient/model/encoder/layer11/attention/softmax/Reduce/stage2/ExchangePre",
    "Gradient/model/encoder/layer1/attention/softmax/Reduce/stage1/ExchangePre",
  };
  static const char *const expected[] = {
    "…layer1/attention/softm…",
    "…layer2/attention/softm…",
    "…layer11/attention/soft…",
  };

  check (texts, G_N_ELEMENTS (expected), 24, expected);
  check (texts, G_N_ELEMENTS (texts), 32, NULL);
}

/* No text, no room, not two of a kind. */
static void
test_odd (void)
{
  static const char *const same[] = { "aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa", NULL, "" };

  for (guint fit = 0; fit < 40; fit++)
    for (guint i = 0; i < G_N_ELEMENTS (same); i++)
      if (same[i] != NULL)
        g_assert_cmpint (tsr_elide_choose (same[i], same, G_N_ELEMENTS (same), fit).form, ==,
                         TSR_ELIDE_MIDDLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elide/forms", test_forms);
  g_test_add_func ("/elide/both", test_both);
  g_test_add_func ("/elide/odd", test_odd);
  return g_test_run ();
}
