/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The visible range with its history.  A state is pushed when a gesture begins, not at each of its
 * events, so that one undo takes back one wheel burst or one drag. */

#include "config.h"

#include "tsr-viewport.h"

#include <math.h>

/* How many steps can be taken back. */
#define MAX_HISTORY 100
#define PAGE        0.9

typedef struct
{
  double from, to;
} Range;

struct _TsrViewport
{
  GObject parent_instance;

  Range domain;
  double min_span;
  Range range;
  gboolean has_domain;
  Range wanted;    /* range that was set before there was a domain; empty: none */
  GArray *history; /* Range, the newest last */
  guint gesture;   /* of the newest entry; 0: its own */
};

G_DEFINE_FINAL_TYPE (TsrViewport, tsr_viewport, G_TYPE_OBJECT)

static guint changed_signal;

static void
tsr_viewport_finalize (GObject *object)
{
  TsrViewport *self = TSR_VIEWPORT (object);

  g_array_unref (self->history);
  G_OBJECT_CLASS (tsr_viewport_parent_class)->finalize (object);
}

static void
tsr_viewport_class_init (TsrViewportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_viewport_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_viewport_init (TsrViewport *self)
{
  self->history = g_array_new (FALSE, FALSE, sizeof (Range));
  self->domain = self->range = (Range){ 0, 1 };
  self->min_span = 1;
}

TsrViewport *
tsr_viewport_new (void)
{
  return g_object_new (TSR_TYPE_VIEWPORT, NULL);
}

/* Spans keep their length and are moved into the domain; one that is too long is the domain. */
static Range
clamp (TsrViewport *self, double from, double to)
{
  double whole = self->domain.to - self->domain.from;
  double span = to - from;

  if (!isfinite (from) || !isfinite (to) || span < 0)
    return self->range;
  if (span < self->min_span)
    {
      from = (from + to - self->min_span) / 2;
      span = self->min_span;
    }
  /* A span that is the whole but for rounding is the whole: 100 % reads 100 %. */
  if (span >= whole * (1 - 1e-12))
    return self->domain;
  from = CLAMP (from, self->domain.from, self->domain.to - span);
  return (Range){ from, MIN (from + span, self->domain.to) };
}

static gboolean
is_same (Range a, Range b)
{
  return a.from == b.from && a.to == b.to;
}

static void
apply (TsrViewport *self, Range range)
{
  if (is_same (range, self->range))
    return;
  self->range = range;
  g_signal_emit (self, changed_signal, 0);
}

static void
go (TsrViewport *self, Range range, guint gesture)
{
  if (is_same (range, self->range))
    return;
  if (gesture == 0 || gesture != self->gesture)
    {
      if (self->history->len == MAX_HISTORY)
        g_array_remove_index (self->history, 0);
      g_array_append_val (self->history, self->range);
    }
  self->gesture = gesture;
  apply (self, range);
}

void
tsr_viewport_set_domain (TsrViewport *self, double from, double to, double min_span)
{
  gboolean was_whole;
  Range old;

  g_return_if_fail (TSR_IS_VIEWPORT (self));
  g_return_if_fail (isfinite (from) && isfinite (to) && from < to && min_span > 0);

  if (self->has_domain && self->domain.from == from && self->domain.to == to
      && self->min_span == min_span)
    return;
  was_whole = !self->has_domain || is_same (self->range, self->domain);
  old = self->range;
  self->domain = (Range){ from, to };
  self->min_span = MIN (min_span, to - from);
  self->has_domain = TRUE;
  self->range = self->domain;
  if (!was_whole)
    self->range = clamp (self, old.from, old.to);
  else if (self->wanted.from < self->wanted.to)
    self->range = clamp (self, self->wanted.from, self->wanted.to);
  self->wanted = (Range){ 0, 0 };
  for (guint i = 0; i < self->history->len; i++)
    {
      Range *entry = &g_array_index (self->history, Range, i);

      *entry = clamp (self, entry->from, entry->to);
    }
  g_signal_emit (self, changed_signal, 0);
}

void
tsr_viewport_get_domain (TsrViewport *self, double *from, double *to)
{
  g_return_if_fail (TSR_IS_VIEWPORT (self));
  *from = self->domain.from;
  *to = self->domain.to;
}

void
tsr_viewport_get_range (TsrViewport *self, double *from, double *to)
{
  g_return_if_fail (TSR_IS_VIEWPORT (self));
  *from = self->range.from;
  *to = self->range.to;
}

void
tsr_viewport_set_range (TsrViewport *self, double from, double to, guint gesture)
{
  g_return_if_fail (TSR_IS_VIEWPORT (self));
  if (!self->has_domain)
    {
      if (isfinite (from) && isfinite (to))
        self->wanted = (Range){ from, to };
      return;
    }
  go (self, clamp (self, from, to), gesture);
}

void
tsr_viewport_restart (TsrViewport *self, double from, double to)
{
  g_return_if_fail (TSR_IS_VIEWPORT (self));
  g_array_set_size (self->history, 0);
  self->gesture = 0;
  self->range = clamp (self, from, to);
  g_signal_emit (self, changed_signal, 0);
}

void
tsr_viewport_zoom_about (TsrViewport *self, double x, double factor, guint gesture)
{
  double span;
  double wanted;
  double share;

  g_return_if_fail (TSR_IS_VIEWPORT (self));
  if (!isfinite (x) || !isfinite (factor) || factor <= 0)
    return;
  span = self->range.to - self->range.from;
  /* Clamped first: @x keeps its place on the screen at the closest zoom, too. */
  wanted = CLAMP (span / factor, self->min_span, self->domain.to - self->domain.from);
  x = CLAMP (x, self->range.from, self->range.to);
  share = (x - self->range.from) / span;
  go (self, clamp (self, x - share * wanted, x - share * wanted + wanted), gesture);
}

void
tsr_viewport_pan (TsrViewport *self, double by, guint gesture)
{
  double span;
  double from;

  g_return_if_fail (TSR_IS_VIEWPORT (self));
  if (!isfinite (by))
    return;
  span = self->range.to - self->range.from;
  from = CLAMP (self->range.from + by, self->domain.from, self->domain.to - span);
  go (self, clamp (self, from, from + span), gesture);
}

void
tsr_viewport_page (TsrViewport *self, int pages)
{
  g_return_if_fail (TSR_IS_VIEWPORT (self));
  tsr_viewport_pan (self, pages * PAGE * (self->range.to - self->range.from), 0);
}

void
tsr_viewport_fit (TsrViewport *self)
{
  g_return_if_fail (TSR_IS_VIEWPORT (self));
  go (self, self->domain, 0);
}

double
tsr_viewport_get_magnification (TsrViewport *self)
{
  g_return_val_if_fail (TSR_IS_VIEWPORT (self), 1);
  return (self->domain.to - self->domain.from) / (self->range.to - self->range.from);
}

void
tsr_viewport_set_magnification (TsrViewport *self, double magnification)
{
  double middle;
  double span;

  g_return_if_fail (TSR_IS_VIEWPORT (self));
  if (!isfinite (magnification) || magnification <= 0)
    return;
  middle = (self->range.from + self->range.to) / 2;
  span = (self->domain.to - self->domain.from) / MAX (magnification, 1);
  go (self, clamp (self, middle - span / 2, middle + span / 2), 0);
}

gboolean
tsr_viewport_undo (TsrViewport *self)
{
  g_return_val_if_fail (TSR_IS_VIEWPORT (self), FALSE);

  self->gesture = 0;
  /* A smaller domain may have made entries equal to what is shown: those are no step back. */
  while (self->history->len > 0)
    {
      Range range = g_array_index (self->history, Range, self->history->len - 1);

      g_array_set_size (self->history, self->history->len - 1);
      if (is_same (range, self->range))
        continue;
      apply (self, range);
      return TRUE;
    }
  return FALSE;
}

gboolean
tsr_viewport_can_undo (TsrViewport *self)
{
  g_return_val_if_fail (TSR_IS_VIEWPORT (self), FALSE);

  for (guint i = 0; i < self->history->len; i++)
    if (!is_same (g_array_index (self->history, Range, i), self->range))
      return TRUE;
  return FALSE;
}

void
tsr_viewport_reveal (TsrViewport *self, double from, double to)
{
  double span;

  g_return_if_fail (TSR_IS_VIEWPORT (self));
  if (!isfinite (from) || !isfinite (to) || from > to)
    return;
  span = self->range.to - self->range.from;
  if (to - from > span)
    {
      double margin = (to - from) / 20;

      go (self, clamp (self, from - margin, to + margin), 0);
    }
  else if (from < self->range.from)
    tsr_viewport_pan (self, from - self->range.from, 0);
  else if (to > self->range.to)
    tsr_viewport_pan (self, to - self->range.to, 0);
}
