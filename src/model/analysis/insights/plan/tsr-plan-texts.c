/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a plan says: titles and explanations of measures, what they are set with, and a forecast as
 * text for a ticket. */

#include "config.h"

#include "tsr-insights-private.h"
#include "tsr-plan-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What sets a measure, and what documents it.  Only what was found there: a measure without a line
 * has no known option. */
static const struct
{
  const char *word, *option, *source;
} options[] = {
  { "instrumentation", "debug.instrument",
    "graphcore/tensorflow: tensorflow/compiler/plugin/poplar/driver/poplar_executor.cc" },
  { "drop", "poptorch.TensorLocationSettings().useOnChipStorage(False)",
    "graphcore/poptorch: python/options.py" },
  { "move", "poputil::mapTensorLinearly", "graphcore/poplibs: include/poputil/TileMapping.hpp" },
  { "recompute", "SessionOptions::autoRecomputation",
    "graphcore/popart: willow/include/popart/sessionoptions.hpp" },
  { "outline", "SessionOptions::enableOutlining",
    "graphcore/popart: willow/include/popart/sessionoptions.hpp" },
  { "memory-proportion", "availableMemoryProportion",
    "graphcore/poplibs: include/poplin/Convolution.hpp" },
};

/* With %s: the variable. */
static const struct
{
  const char *word, *title, *text;
} words[] = {
  { "instrumentation", N_ ("Record no profile"),
    N_ ("Without the results of profiling; their code goes as well and is not counted here.") },
  { "halve-fp32", N_ ("FP32 variables in FP16"),
    N_ ("All but those that usually stay in FP32: losses, norms, master weights, optimiser state, "
        "seeds.") },
  { "batch", N_ ("Half the micro-batch"),
    N_ ("As if all temporaries and activations were halved; the batch size itself is not "
        "recorded.") },
  { "drop", N_ ("Keep %s off the chip"),
    N_ ("In a buffer of the host or of streaming memory, read when it is needed.  The buffer that "
        "it is then read into is not counted.") },
  { "move", N_ ("Spread %s evenly"),
    N_ ("Over all tiles of its IPU that compute.  Those that get more of it may overflow "
        "instead.") },
  { "recompute", N_ ("Recompute %s"),
    N_ ("Not kept where nothing touches it: it is made again before it is read.  What it is made "
        "from is kept for longer, and the temporaries of making it are live once more.") },
  { "outline", N_ ("Code once for exchanges like %s"),
    N_ ("Exchanges of equal names but for numbers and of equal code on every tile: repeat or call "
        "the first one.") },
  { "memory-proportion", N_ ("Lower memory proportion for %s"),
    N_ ("Temporaries of a convolution or matrix multiplication.  A lower proportion makes them "
        "smaller; only a compilation shows by how much.") },
  { "serialise", N_ ("Serialise what makes %s"),
    N_ ("Temporaries of one operation: done in parts, it needs fewer of them at a time; only a "
        "compilation shows how much.") },
  { "exchange", N_ ("Fewer exchanges"),
    N_ ("Code of exchanges: only a compilation shows what fewer changes of layout would save.") },
  { "layout", N_ ("Fewer gaps"),
    N_ ("Gaps and packing loss: fewer interleaved variables and smaller alignment help; only a "
        "compilation shows by how much.") },
};

static char *
dup_word (const TsrMeasure *measure)
{
  const char *colon = strchr (measure->id, ':');

  return colon != NULL ? g_strndup (measure->id, (gsize)(colon - measure->id))
                       : g_strdup (measure->id);
}

/* For an upper bound: what must be left of it, so that w fits by it alone. */
static char *
dup_shrink (TsrPlan *self, const TsrMeasure *measure)
{
  gint64 need;
  g_autofree char *saved = NULL;
  g_autofree char *needed = NULL;

  if (measure->kind != TSR_MEASURE_UPPER_BOUND || self->n_needing == 0 || measure->worst_tile <= 0)
    return NULL;
  need = self->over_now[self->worst];
  saved = tsr_units_dup_bytes (self->units, measure->worst_tile);
  needed = tsr_units_dup_bytes (self->units, need);
  if (measure->worst_tile >= need && self->acts[measure - self->measures] == TSR_PLAN_GONE)
    {
      g_autofree char *left = tsr_units_dup_bytes (self->units, measure->worst_tile - need);

      /* Translators: bytes, a tile, bytes that it needs, bytes. */
      return g_strdup_printf (
          _ ("At most %s less on tile %u, which needs %s: no more than %s of it "
             "may be left at its peak there."),
          saved, self->worst, needed, left);
    }
  return g_strdup_printf (_ ("At most %s less on tile %u, which needs %s."), saved, self->worst,
                          needed);
}

static void
write_missing (TsrMeasure *measure)
{
  g_autofree char *part = measure->missing;

  /* Translators: a table or column of the report. */
  measure->missing
      = g_strdup_printf (_ ("Cannot be computed: needs %s, which the report does not have"), part);
}

static void
write_text (TsrPlan *self, TsrMeasure *measure)
{
  g_autofree char *word = dup_word (measure);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_str_equal (options[i].word, word))
      {
        measure->option = options[i].option;
        measure->source = options[i].source;
      }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i].word, word))
      {
        g_autofree char *shrink = dup_shrink (self, measure);
        const char *text = _ (words[i].text);
        /* Those that cannot be computed are about no variable. */
        g_auto (GStrv) parts = g_strsplit (_ (words[i].title), "%s", -1);

        measure->title
            = g_strjoinv (measure->variable != NULL ? measure->variable : _ ("variables"), parts);
        measure->text = shrink != NULL ? g_strconcat (text, "  ", shrink, NULL) : g_strdup (text);
      }
  if (measure->missing != NULL)
    write_missing (measure);
}

void
tsr_plan_write_texts (TsrPlan *self)
{
  for (guint i = 0; i < self->n_measures; i++)
    write_text (self, &self->measures[i]);
}

/* ------------------------------------------------------------------ status */

char *
tsr_plan_dup_status (TsrPlan *self)
{
  g_autofree char *size = NULL, *count = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  if (self->fit == TSR_FIT_UNKNOWN)
    return g_strdup (_ ("It is not known whether it fits"));
  if (self->fit == TSR_FITS && self->worst == TSR_NO_INDEX)
    return g_strdup (_ ("Fits: no tile overflows"));
  size = tsr_units_dup_bytes (self->units, ABS (self->over_now[self->worst]));
  if (self->fit == TSR_FITS)
    return g_strdup_printf (_ ("Fits: %s are free on tile %u, the fullest"), size, self->worst);
  count = tsr_units_dup_count (self->n_needing);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s too much on tile %u, %s tile overflows",
                                       "%s too much on tile %u, %s tiles overflow",
                                       self->n_needing),
                          size, self->worst, count);
}

/* ------------------------------------------------------------------ ticket */

static void
append_number (TsrPlan *self, GString *text, const char *name, const TsrPlanNumber *number)
{
  g_autofree char *most = NULL, *count = tsr_units_dup_count (number->n_over);

  if (number->worst == TSR_NO_INDEX)
    {
      g_string_append_printf (text, _ ("%s: not known\n"), name);
      return;
    }
  if (number->most == TSR_UNKNOWN)
    {
      g_string_append_printf (text, _ ("%s: all tiles fit\n"), name);
      return;
    }
  most = tsr_units_dup_bytes (self->units, ABS (number->most));
  if (number->n_over == 0)
    g_string_append_printf (text, _ ("%s: all tiles fit, %s free on tile %u\n"), name, most,
                            number->worst);
  else
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE, "%s: %s tile overflows, tile %u by %s\n",
                                         "%s: %s tiles overflow, tile %u by %s\n", number->n_over),
                            name, count, number->worst, most);
}

static void
append_measure (TsrPlan *self, GString *text, const TsrMeasure *measure)
{
  g_autofree char *saved = tsr_units_dup_bytes (self->units, measure->worst_tile);

  g_string_append_printf (text, "- %s", measure->title);
  if (measure->worst_tile != TSR_UNKNOWN)
    {
      g_string_append (text, ": ");
      g_string_append_printf (text,
                              measure->kind == TSR_MEASURE_UPPER_BOUND
                                  ? _ ("up to %s on tile %u by itself")
                                  : _ ("%s on tile %u by itself"),
                              saved, self->worst);
    }
  if (measure->option != NULL)
    g_string_append_printf (text, " (%s)", measure->option);
  g_string_append_c (text, '\n');
}

static void
append_costs (GString *text, const TsrForecast *forecast)
{
  if (forecast->cycles != TSR_UNKNOWN)
    {
      g_autofree char *cycles = tsr_finding_dup_cycles (forecast->cycles);

      g_string_append_printf (text, _ ("Costs: %s, estimated\n"), cycles);
    }
  if (forecast->n_unknown_cycles > 0)
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE, "Costs of %u measure: not known\n",
                                         "Costs of %u measures: not known\n",
                                         forecast->n_unknown_cycles),
                            forecast->n_unknown_cycles);
}

char *
tsr_plan_dup_forecast_text (TsrPlan *self, const TsrForecast *forecast)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (self != NULL && forecast != NULL, NULL);
  append_number (self, text, _ ("At best"), &forecast->best);
  append_number (self, text, _ ("Packed as now"), &forecast->packed);
  if (forecast->peak_tile != TSR_NO_INDEX)
    {
      g_autofree char *step = tsr_units_dup_count (forecast->peak_step[forecast->peak_tile]);

      g_string_append_printf (text, _ ("Next peak: tile %u at step %s (%s)\n"), forecast->peak_tile,
                              step,
                              forecast->peak_name != NULL ? forecast->peak_name : _ ("no name"));
    }
  append_costs (text, forecast);
  return g_string_free (text, FALSE);
}

char *
tsr_plan_dup_text (TsrPlan *self, const TsrForecast *forecast, const char *location)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *status = NULL;
  g_autofree char *rest = NULL;
  g_autofree char *ids = NULL;

  g_return_val_if_fail (self != NULL && forecast != NULL && location != NULL, NULL);
  status = tsr_plan_dup_status (self);
  rest = tsr_plan_dup_forecast_text (self, forecast);
  ids = tsr_plan_dup_ids (self, forecast->set);
  g_string_append_printf (text, "%s\n\n", status);
  for (guint i = 0; i < self->n_measures; i++)
    if ((forecast->set & TSR_PLAN_BIT (i)) != 0)
      append_measure (self, text, &self->measures[i]);
  if (forecast->set == 0)
    g_string_append_printf (text, "%s\n", _ ("No measures"));
  g_string_append_printf (text, "\n%s\n%s\n", tsr_plan_verdict_get_name (forecast->verdict), rest);
  if (*ids != '\0')
    {
      g_autofree char *quoted_ids = g_shell_quote (ids);
      g_autofree char *quoted = g_shell_quote (location);

      g_string_append_printf (text, "tessera-cli insights --plan=%s %s\n", quoted_ids, quoted);
    }
  return g_strdup (text->str);
}
