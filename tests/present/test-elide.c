/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where names are cut: between parts, and so that what is shown of one is not what is shown of
 * another. */

#include "config.h"

#include "tsr-elide.h"

#include <string.h>

/* All characters are one wide. */
static double
count (gpointer data, const char *text)
{
  return (double)g_utf8_strlen (text, -1);
}

static char *
show (const char *text, const char *const *others, guint n, guint fit)
{
  return tsr_elide_dup (text, others, n, fit, count, NULL);
}

/* Every word of @shown that ends or begins at an ellipsis is a whole part of @text. */
static void
check_whole_parts (const char *text, const char *shown)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", -1), seen = g_strsplit (shown, "/", -1);

  for (guint i = 0; seen[i] != NULL; i++)
    if (strcmp (seen[i], "…") != 0 && *seen[i] != '\0')
      g_assert_true (g_strv_contains ((const char *const *)parts, seen[i]));
}

static void
check (const char *const *texts, guint n, guint fit, const char *const *expected)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      char *shown = show (texts[i], texts, n, fit);

      if (expected != NULL)
        g_assert_cmpstr (shown, ==, expected[i]);
      g_assert_true (g_utf8_validate (shown, -1, NULL));
      g_assert_cmpint (g_utf8_strlen (shown, -1), <=, fit);
      check_whole_parts (texts[i], shown);
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
    "model/head/…/ExchangePre",
    "…/layer1.0/conv2/Grad/Convolve",
    "…/layer2.0/conv2/Grad/Convolve",
    "…/layer3.0/conv2/Grad/Convolve",
  };
  static const char *const alone[] = { "Gradient/model/layer1.0/conv2/Grad/Convolve" };
  static const char *const wanted[] = { "Gradient/…/Grad/Convolve" };

  check (texts, G_N_ELEMENTS (expected), 30, expected);
  check (texts, G_N_ELEMENTS (texts), 30, NULL);
  check (alone, 1, 26, wanted);
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
    "…/layer1/attention/…",
    "…/layer2/attention/…",
    "…/layer11/attention/…",
  };

  check (texts, G_N_ELEMENTS (expected), 24, expected);
  check (texts, G_N_ELEMENTS (texts), 32, NULL);
}

/* Each differs from one at its begin and from another at its end. */
static void
test_crossed (void)
{
  static const char *const texts[] = {
    "Gradient/net/layer1.0",
    "Gradient/net/layer2.0",
    "WeightUpdate/net/layer1.0",
    "WeightUpdate/net/layer2.0",
  };
  static const char *const expected[] = {
    "Gradien…/layer1.0",
    "Gradien…/layer2.0",
    "WeightU…/layer1.0",
    "WeightU…/layer2.0",
  };
  static const char *const deep[] = {
    "Gradient/model/layer1.0/conv1",
    "Gradient/model/layer2.0/conv1",
    "WeightUpdate/model/layer1.0/conv1",
    "WeightUpdate/model/layer2.0/conv1",
  };
  static const char *const deep_expected[] = {
    "Gradien…/layer1.0/conv1",
    "Gradien…/layer2.0/conv1",
    "WeightU…/layer1.0/conv1",
    "WeightU…/layer2.0/conv1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *shown = show (texts[i], texts, G_N_ELEMENTS (texts), 17);

      g_assert_cmpstr (shown, ==, expected[i]);
    }
  /* The last part alone would not do. */
  for (guint i = 0; i < G_N_ELEMENTS (deep); i++)
    {
      g_autofree char *shown = show (deep[i], deep, G_N_ELEMENTS (deep), 23);

      g_assert_cmpstr (shown, ==, deep_expected[i]);
    }
}

/* A part that is too long by itself is cut in its middle, and that is all that is. */
static void
test_long_part (void)
{
  static const struct
  {
    const char *text;
    guint fit;
    const char *shown;
  } cases[] = {
    { "External Sync", 8, "Exte…ync" },
    { "External Sync", 3, NULL },
    { "a/b/TransposeInPlaceExchangePre", 16, "Transpos…angePre" },
    { "a/b/TransposeInPlaceExchangePre", 4, "Tr…e" },
    { "model/head/softmax/ExchangePre", 13, "…/ExchangePre" },
    { "model/head/softmax/ExchangePre", 12, "…ExchangePre" },
    { "model/head/softmax/ExchangePre", 11, "Excha…gePre" },
    { "model/head/softmax/ExchangePre", 9, "Exch…ePre" },
    { "TransposeInPlaceExchangePre/c", 8, "…/c" },
    { "größte/äöüäöüäöüäöü", 9, "äöüä…üäöü" },
    { "/", 0, NULL },
    { "//////////", 4, "/…//" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = show (cases[i].text, NULL, 0, cases[i].fit);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

/* Any text, any room: it fits, or there is none; parts are whole when the last one has room. */
static void
test_random (void)
{
  static const char *const pieces[] = { "a", "conv2", "ä", "layer11.0", "/", "/", "/", "größe" };

  for (guint pass = 0; pass < 20000; pass++)
    {
      g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
      guint fit = (guint)g_test_rand_int_range (0, 40);

      for (guint i = 0; i < 4; i++)
        {
          GString *text = g_string_new (NULL);

          for (guint k = (guint)g_test_rand_int_range (0, 14); k-- > 0;)
            g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
          g_ptr_array_add (texts, g_string_free (text, FALSE));
        }
      for (guint i = 0; i < texts->len; i++)
        {
          const char *text = texts->pdata[i];
          const char *slash = strrchr (text, '/');
          g_autofree char *shown = show (text, (const char *const *)texts->pdata, texts->len, fit);
          g_autofree char *alone = show (text, NULL, 0, fit);

          g_assert_true (shown == NULL || g_utf8_validate (shown, -1, NULL));
          if (g_utf8_strlen (text, -1) <= (glong)fit)
            g_assert_cmpstr (shown, ==, text);
          else if (shown != NULL)
            g_assert_cmpint (g_utf8_strlen (shown, -1), <=, fit);
          if (alone != NULL && slash != NULL && slash > text && slash[1] != '\0'
              && g_utf8_strlen (slash, -1) + 1 <= (glong)fit)
            check_whole_parts (text, alone);
        }
    }
}

/* No text, no room, not two of a kind. */
/* A type stays, and what is behind its bracket; names of one type are told apart. */
static void
test_types (void)
{
  static const char *const texts[] = {
    "DoExchange (model/layer1/conv/Convolve)",
    "DoExchange (model/layer2/conv/Convolve)",
    "Call (model/layer2/conv/Convolve) [+]",
  };
  static const char *const expected[] = {
    "DoExchange (…/layer1/conv/…)",
    "DoExchange (…/layer2/conv/…)",
    "Call (model/…/Convolve) [+]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *shown = show (texts[i], texts, G_N_ELEMENTS (texts), 28);
      g_autofree char *narrow = show (texts[i], texts, G_N_ELEMENTS (texts), 10);

      g_assert_cmpstr (shown, ==, expected[i]);
      g_assert_cmpint (g_utf8_strlen (narrow, -1), <=, 10);
    }
}

static void
test_odd (void)
{
  static const char *const same[] = { "aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa", NULL, "" };

  for (guint fit = 0; fit < 40; fit++)
    for (guint i = 0; i < G_N_ELEMENTS (same); i++)
      if (same[i] != NULL)
        {
          g_autofree char *shown = show (same[i], same, G_N_ELEMENTS (same), fit);

          if (strlen (same[i]) <= fit)
            g_assert_cmpstr (shown, ==, same[i]);
          else if (fit >= 4)
            g_assert_cmpint (g_utf8_strlen (shown, -1), ==, fit);
          else
            g_assert_null (shown);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elide/forms", test_forms);
  g_test_add_func ("/elide/both", test_both);
  g_test_add_func ("/elide/crossed", test_crossed);
  g_test_add_func ("/elide/long-part", test_long_part);
  g_test_add_func ("/elide/random", test_random);
  g_test_add_func ("/elide/types", test_types);
  g_test_add_func ("/elide/odd", test_odd);
  return g_test_run ();
}
