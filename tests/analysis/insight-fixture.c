/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fills the quantities that rules share, and runs one rule on them. */

#include "config.h"

#include "insight-fixture.h"

#include <math.h>
#include <string.h>

Fixture *
fixture_new (guint n_tiles, gint64 capacity)
{
  Fixture *self = g_new0 (Fixture, 1);

  self->inc = g_new0 (gint64, MAX (n_tiles, 1));
  self->exc = g_new0 (gint64, MAX (n_tiles, 1));
  self->ovf = g_new0 (gint64, MAX (n_tiles, 1));
  self->categories = g_array_new (FALSE, FALSE, sizeof (gint64 *));
  self->names = g_ptr_array_new ();
  self->variables = g_array_new (FALSE, FALSE, sizeof (TsrInsightVariable));
  self->rows = g_array_new (FALSE, FALSE, sizeof (FixtureRow));
  self->c.n_tiles = n_tiles;
  self->c.capacity = capacity;
  self->c.tiles_per_ipu = MAX (n_tiles, 1);
  self->c.n_ipus = 1;
  self->c.n_replicas = 1;
  self->c.interleaved_start = TSR_UNKNOWN;
  self->c.n_stream_copies = TSR_UNKNOWN;
  self->c.memory_per_replica = tsr_known_multiply (capacity, n_tiles);
  self->c.inc = self->inc;
  self->c.exc = self->exc;
  self->c.ovf = self->ovf;
  return self;
}

void
fixture_free (Fixture *self)
{
  /* Once it is finished, the context owns them. */
  for (guint i = 0; self->c.category_bytes == NULL && i < self->categories->len; i++)
    g_free (g_array_index (self->categories, gint64 *, i));
  tsr_insight_context_clear (&self->c);
  g_free (self->inc);
  g_free (self->exc);
  g_free (self->ovf);
  g_array_unref (self->categories);
  g_ptr_array_unref (self->names);
  g_array_unref (self->variables);
  g_array_unref (self->rows);
  g_clear_pointer (&self->lowered.strings, tsr_string_table_free);
  g_free (self->lowered.tile);
  g_free (self->lowered.size);
  g_free (self->lowered.offset);
  g_free (self->lowered.name);
  g_free (self->lowered.equivalence_class);
  g_free (self->lowered.category);
  g_free (self->lowered.always_live);
  g_free (self->lowered.tile_start);
  g_free (self->lowered.by_tile);
  g_free (self->lowered.interval_start);
  g_free (self->lowered.interval_from);
  g_free (self->lowered.interval_to);
  g_free (self);
}

void
fixture_fill (Fixture *self, gint64 inc, gint64 exc)
{
  for (guint t = 0; t < self->c.n_tiles; t++)
    {
      self->inc[t] = inc;
      self->exc[t] = exc;
    }
}

gint64 *
fixture_category (Fixture *self, const char *name)
{
  gint64 *bytes;

  for (guint i = 0; i < self->names->len; i++)
    if (g_str_equal (g_ptr_array_index (self->names, i), name))
      return g_array_index (self->categories, gint64 *, i);
  bytes = g_new0 (gint64, MAX (self->c.n_tiles, 1));
  g_ptr_array_add (self->names, (gpointer)name);
  g_array_append_val (self->categories, bytes);
  return bytes;
}

guint32
fixture_variable (Fixture *self, const char *name, const char *element_type, TsrLife life)
{
  const TsrInsightVariable variable = { name, "variable", element_type, 0, life, FALSE };

  g_array_append_val (self->variables, variable);
  return self->variables->len - 1;
}

/* Rows of a tile stand one after the other in its memory. */
void
fixture_row (Fixture *self, guint tile, guint32 size, guint32 variable, guint32 from, guint32 to)
{
  FixtureRow row = { tile, size, 0, variable, from, to };

  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, FixtureRow, i).tile == tile)
      row.offset += g_array_index (self->rows, FixtureRow, i).size;
  g_array_append_val (self->rows, row);
  g_array_index (self->variables, TsrInsightVariable, variable).bytes += size;
}

static void
make_lowered (Fixture *self)
{
  TsrLoweredTables *lowered = &self->lowered;
  guint n = self->rows->len;
  guint32 *entry = g_new0 (guint32, n);
  guint32 place = 0;

  lowered->n = n;
  lowered->n_tiles = self->c.n_tiles;
  lowered->strings = tsr_string_table_new ();
  lowered->tile = g_new0 (guint32, n);
  lowered->size = g_new0 (guint32, n);
  lowered->offset = g_new0 (guint32, n);
  lowered->name = g_new0 (guint32, n);
  lowered->equivalence_class = g_new0 (guint32, n);
  lowered->category = g_new0 (guint16, n);
  lowered->always_live = g_new0 (guint8, n);
  lowered->tile_start = g_new0 (gsize, (gsize)self->c.n_tiles + 1);
  lowered->by_tile = g_new0 (guint32, n);
  lowered->n_classes = n;
  lowered->interval_start = g_new0 (gsize, (gsize)n + 1);
  lowered->interval_from = g_new0 (guint32, n);
  lowered->interval_to = g_new0 (guint32, n);
  for (guint i = 0; i < n; i++)
    {
      const FixtureRow *row = &g_array_index (self->rows, FixtureRow, i);
      const char *name = g_array_index (self->variables, TsrInsightVariable, row->variable).name;

      entry[i] = row->variable;
      lowered->tile[i] = row->tile;
      lowered->size[i] = row->size;
      lowered->offset[i] = row->offset;
      lowered->name[i] = tsr_string_table_intern (lowered->strings, name, -1);
      lowered->always_live[i] = row->to == 0;
      lowered->equivalence_class[i] = row->to == 0 ? TSR_NO_INDEX : i;
      lowered->interval_start[i + 1] = lowered->interval_start[i] + (row->to > 0);
      lowered->interval_from[lowered->interval_start[i]] = row->from;
      lowered->interval_to[lowered->interval_start[i]] = row->to;
    }
  for (guint t = 0; t < self->c.n_tiles; t++)
    {
      for (guint i = 0; i < n; i++)
        if (lowered->tile[i] == t)
          lowered->by_tile[place++] = i;
      lowered->tile_start[t + 1] = place;
    }
  self->c.lowered = lowered;
  self->c.entry = self->c.owned_entry = entry;
}

void
fixture_finish (Fixture *self, guint n_steps)
{
  TsrInsightContext *c = &self->c;
  guint n = self->names->len;

  c->n_steps = n_steps;
  if (n > 0)
    {
      c->n_categories = n;
      c->category_names = g_memdup2 (self->names->pdata, n * sizeof (char *));
      c->category_labels = g_memdup2 (self->names->pdata, n * sizeof (char *));
      c->category_bytes = g_memdup2 (self->categories->data, n * sizeof (gint64 *));
    }
  c->n_variables = self->variables->len;
  c->variables
      = g_memdup2 (self->variables->data, MAX (c->n_variables, 1) * sizeof (TsrInsightVariable));
  if (self->rows->len > 0)
    make_lowered (self);
  tsr_insight_context_derive (c);
  g_assert_true (tsr_insight_context_look_at_worst (c, NULL));
}

/* "3.91 KiB", "999 B", "2.0 MiB". */
static double
parse_size (const char *text)
{
  g_auto (GStrv) groups = g_strsplit (text, ",", -1);
  g_autofree char *digits = g_strjoinv ("", groups);
  char *end = NULL;
  double number = g_ascii_strtod (digits, &end);

  return number
         * (g_str_has_prefix (end, " KiB")   ? 1024
            : g_str_has_prefix (end, " MiB") ? 1 << 20
                                             : 1);
}

static gboolean
is_threshold (const TsrInsightRule *rule, const char *said, gint64 capacity)
{
  guint n_shared = 0;
  const TsrInsightLimit *shared = tsr_insight_limits_get_shared (&n_shared);

  for (guint k = 0; k < rule->n_limits + n_shared; k++)
    {
      double value = k < rule->n_limits ? rule->limits[k].value : shared[k - rule->n_limits].value;
      g_autofree char *percent = tsr_units_dup_percent (value, value < 0.095 ? 1 : 0);
      g_autofree char *count = tsr_units_dup_count ((gint64)value);
      g_autofree char *size
          = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)(value * (double)capacity));

      if (g_str_equal (said, percent) || g_str_equal (said, count) || g_str_equal (said, size))
        return TRUE;
    }
  return FALSE;
}

void
fixture_check_fine (const TsrInsightRule *rule, const char *text, gint64 capacity)
{
  g_autoptr (GRegex) number = g_regex_new ("[0-9][0-9.,]*( %| B| [KMG]iB)?", 0, 0, NULL);
  g_autoptr (GRegex) share = g_regex_new (
      "([0-9][0-9.,]* (?:B|[KMG]iB))(?: on tile [0-9]+| free on tile [0-9]+)? \\(([0-9.]+) %[),]",
      0, 0, NULL);
  /* What follows is said of any rule. */
  g_auto (GStrv) sentences = g_strsplit (text, ".  ", 2);
  const char *from = strstr (sentences[0], "; fires ");
  g_autoptr (GMatchInfo) found = NULL, shares = NULL;

  if (from == NULL)
    from = strstr (sentences[0], "; gaps cost nothing");
  for (g_regex_match (number, from != NULL ? from : "", 0, &found); g_match_info_matches (found);
       g_match_info_next (found, NULL))
    {
      g_autofree char *said = g_match_info_fetch (found, 0);

      if (!is_threshold (rule, said, capacity))
        g_error ("%s: %s is no threshold: %s", rule->id, said, text);
    }
  for (g_regex_match (share, text, 0, &shares); g_match_info_matches (shares);
       g_match_info_next (shares, NULL))
    {
      g_autofree char *size = g_match_info_fetch (shares, 1);
      g_autofree char *percent = g_match_info_fetch (shares, 2);
      double expected = 100 * parse_size (size) / (double)capacity;

      if (fabs (g_ascii_strtod (percent, NULL) - expected) > 0.06 + 0.06 * expected)
        g_error ("%s: %s is %.1f %% of a tile: %s", rule->id, size, expected, text);
    }
}

/* Shares of one list are all of the same sum. */
static void
check_evidence (const TsrFinding *finding)
{
  double sum = 0;

  for (guint i = 0; i < finding->evidence->len; i++)
    {
      const TsrEvidence *one = &g_array_index (finding->evidence, TsrEvidence, i);
      gint64 what = one->bytes != TSR_UNKNOWN ? one->bytes : one->cycles;

      if (what <= 0 || isnan (one->share))
        continue;
      if (sum == 0)
        sum = (double)what / one->share;
      g_assert_cmpfloat_with_epsilon ((double)what / one->share / sum, 1, 0.001);
    }
}

/* How sure each rule is of what it says; those that are missing are as sure as what they are told.
 */
void
fixture_check_confidence (const char *rule, const TsrFinding *finding)
{
  static const struct
  {
    const char *rule;
    TsrConfidence confidence;
  } known[] = {
    { "fp32-at-peak", TSR_CONFIDENCE_UPPER_BOUND },
    { "gaps-on-full-tiles", TSR_CONFIDENCE_UPPER_BOUND },
    { "idle-tiles", TSR_CONFIDENCE_UPPER_BOUND },
    { "long-lived-activations", TSR_CONFIDENCE_UPPER_BOUND },
    { "one-off-code", TSR_CONFIDENCE_UPPER_BOUND },
    { "peak-spike", TSR_CONFIDENCE_UPPER_BOUND },
    { "tile-imbalance", TSR_CONFIDENCE_UPPER_BOUND },
    { "unoverlapped-io", TSR_CONFIDENCE_UPPER_BOUND },
    { "tiny-steps", TSR_CONFIDENCE_ESTIMATE },
    { "exchange-bound", TSR_CONFIDENCE_ESTIMATE },
    { "instrumentation", TSR_CONFIDENCE_ESTIMATE },
    { "near-capacity", TSR_CONFIDENCE_EXACT },
    { "out-of-memory", TSR_CONFIDENCE_EXACT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (rule, known[i].rule) && finding->confidence != known[i].confidence)
      g_error ("%s is %d, not %d", rule, finding->confidence, known[i].confidence);
}

TsrRuleResult
fixture_check (Fixture *self, const char *rule, TsrVerdict *verdict)
{
  memset (verdict, 0, sizeof *verdict);
  for (guint i = 0; i < TSR_N_RULES; i++)
    if (g_str_equal (tsr_insight_rules_get (i)->id, rule))
      {
        tsr_insight_rules_get (i)->check (&self->c, verdict);
        if (verdict->result == TSR_RULE_FIRED)
          {
            if (verdict->finding->where.operation == NULL) /* the title has its name */
              g_assert_cmpint (g_utf8_strlen (verdict->finding->title, -1), <=, 60);
            g_assert_nonnull (verdict->finding->text);
            g_assert_nonnull (verdict->finding->action);
            g_assert_cmpuint (verdict->finding->evidence->len, <=, 5);
            check_evidence (verdict->finding);
            fixture_check_confidence (rule, verdict->finding);
          }
        else
          {
            g_assert_nonnull (verdict->text);
            if (verdict->result == TSR_RULE_FINE)
              fixture_check_fine (tsr_insight_rules_get (i), verdict->text, self->c.capacity);
          }
        return verdict->result;
      }
  g_assert_not_reached ();
}

TsrRuleResult
fixture_result (Fixture *self, const char *rule)
{
  TsrVerdict verdict;
  TsrRuleResult result = fixture_check (self, rule, &verdict);

  tsr_verdict_clear (&verdict);
  return result;
}

Fixture *
fixture_new_tiles (gint64 inc, gint64 worst)
{
  Fixture *f = fixture_new (16, FIXTURE_CAPACITY);
  gint64 *code = fixture_category (f, "vertexCode");

  fixture_fill (f, inc, inc);
  f->inc[3] = f->exc[3] = worst;
  for (guint t = 0; t < 16; t++)
    code[t] = 10;
  return f;
}

Fixture *
fixture_new_pair (gint64 exc)
{
  Fixture *f = fixture_new (2, FIXTURE_CAPACITY);

  f->inc[0] = f->exc[0] = exc / 2 - 100;
  f->inc[1] = f->exc[1] = exc - f->exc[0];
  return f;
}

Fixture *
fixture_new_lives (void)
{
  Fixture *f = fixture_new (2, FIXTURE_CAPACITY);

  fixture_fill (f, 40000, 40000);
  f->inc[1] = f->exc[1] = 50000;
  return f;
}
