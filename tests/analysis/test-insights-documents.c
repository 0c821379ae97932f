/* SPDX-License-Identifier: GPL-3.0-or-later */

/* docs/insights.md says what the register of Insights says: every rule with its words, every
 * threshold with its value, and nothing else; docs/formulas.md what each step type counts as. */

#include "config.h"

#include "tsr-insights-private.h"

#include <locale.h>
#include <string.h>

static char *
read_document (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "docs", name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* One space wherever there is room: lines are broken elsewhere. */
static char *
dup_joined (const char *text)
{
  g_autoptr (GRegex) space = g_regex_new ("\\s+", 0, 0, NULL);

  return g_regex_replace_literal (space, text, -1, 0, " ", 0, NULL);
}

/* What stands below "### @id", up to the next heading. */
static char *
dup_section (const char *document, const char *id)
{
  g_autofree char *heading = g_strdup_printf ("\n### %s\n", id);
  const char *from = strstr (document, heading);
  const char *to;

  if (from == NULL)
    g_error ("docs/insights.md has no section %s", id);
  from += strlen (heading);
  to = strstr (from, "\n##");
  return to != NULL ? g_strndup (from, (gsize)(to + 1 - from)) : g_strdup (from);
}

static guint
count (const char *text, const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) info = NULL;
  guint n = 0;

  for (g_regex_match (regex, text, 0, &info); g_match_info_matches (info);
       g_match_info_next (info, NULL))
    n++;
  return n;
}

static void
test_rules (void)
{
  g_autofree char *document = read_document ("insights.md");
  const char *rest = strstr (document, "\n## Rules about memory\n");
  TsrInsightRuleText rule;
  const char *last = rest;
  guint n = 0;

  g_assert_nonnull (rest);
  for (; tsr_insight_rules_describe (n, &rule); n++)
    {
      g_autofree char *section = dup_section (document, rule.id);
      g_autofree char *words = dup_joined (section);
      g_autofree char *meaning = dup_joined (rule.meaning);
      g_autofree char *said = g_strdup_printf ("**%s.** %s", rule.title, meaning);
      g_autofree char *heading = g_strdup_printf ("\n### %s\n", rule.id);
      const char *inputs = tsr_insight_rules_get (n)->inputs;
      g_auto (GStrv) tables = g_strsplit (inputs, " ", -1);
      g_autofree char *list = g_strjoinv ("`, `", tables);
      g_autofree char *reads = g_strdup_printf ("- Reads `%s`.", list);

      if (strstr (words, said) == NULL)
        g_error ("docs/insights.md: %s does not say: %s", rule.id, said);
      if (strstr (words, reads) == NULL)
        g_error ("docs/insights.md: %s does not say: %s", rule.id, reads);
      g_assert_true (strstr (last, heading) != NULL);
      last = strstr (last, heading);
    }
  g_assert_cmpuint (n, ==, TSR_N_RULES);
  g_assert_cmpuint (count (rest, "^### "), ==, TSR_N_RULES);
}

static gboolean
is_rule (const char *id)
{
  for (guint i = 0; i < TSR_N_RULES; i++)
    if (g_str_equal (tsr_insight_rules_get (i)->id, id))
      return TRUE;
  return FALSE;
}

static void
test_limits (void)
{
  g_autofree char *document = read_document ("insights.md");
  guint n = 0;
  const TsrInsightLimit *limits = tsr_insight_limits_get (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *rule
          = g_strndup (limits[i].name, (gsize)(strchr (limits[i].name, '.') - limits[i].name));
      /* Those of several rules are listed where findings are explained. */
      g_autofree char *section
          = is_rule (rule) ? dup_section (document, rule) : g_strdup (document);
      g_autofree char *value = tsr_insight_limit_dup_value (&limits[i]);
      g_autofree char *row
          = g_strdup_printf ("\n| `%s` | %s | %s |\n", limits[i].name, value, limits[i].meaning);

      if (strstr (section, row) == NULL)
        g_error ("docs/insights.md has not, where it belongs: %s", row);
    }
  g_assert_cmpuint (count (document, "^\\| `[a-z0-9-]+\\.[a-z-]+` \\| [0-9]"), ==, n);
}

static void
test_words (void)
{
  static const char *const lists[] = { "accumulators", "stash", "keep-fp32", "optimiser" };
  g_autofree char *document = read_document ("insights.md");
  g_autofree char *words = dup_joined (document);

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *list = g_strjoinv ("`, `", (GStrv)tsr_insight_patterns_get (lists[i]));
      g_autofree char *said = g_strdup_printf ("(`%s`)", list);

      if (strstr (words, said) == NULL)
        g_error ("docs/insights.md does not list %s: %s", lists[i], said);
    }
}

/* The table of step types in docs/formulas.md is the classification of the code. */
static void
test_step_types (void)
{
  g_autofree char *document = read_document ("formulas.md");

  for (guint group = 0; group < TSR_N_STEP_GROUPS; group++)
    {
      g_autofree char *types = tsr_step_group_dup_types (group);
      g_autofree char *row
          = g_strdup_printf ("\n| %s | %s | ", tsr_step_group_get_name (group),
                             group == TSR_STEP_GROUP_OTHER ? "anything else" : types);

      if (strstr (document, row) == NULL)
        g_error ("docs/formulas.md has no row: %s", row);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights-documents/rules", test_rules);
  g_test_add_func ("/insights-documents/limits", test_limits);
  g_test_add_func ("/insights-documents/step-types", test_step_types);
  g_test_add_func ("/insights-documents/words", test_words);
  return g_test_run ();
}
