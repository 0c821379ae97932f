/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plays the program on every IPU and tile to get the cycles of each step. */

#include "config.h"

#include "tsr-gen-clock.h"

#include "tsr-gen-presets.h"

#include <math.h>
#include <string.h>

typedef enum
{
  KIND_OTHER,
  KIND_COMPUTE,
  KIND_EXCHANGE,
  KIND_GLOBAL,
  KIND_SYNC,
  KIND_BEGIN,
  KIND_MID,
  KIND_END,
} Kind;

/* What is the same whenever a program runs on one IPU. */
typedef struct
{
  guint32 cycles, lead, to_min, active;
  double tile_balance, active_tile_balance;
  guint64 data_in, data_out;
  guint32 start_array, cycles_array;
} Cost;

struct _TsrGenClock
{
  TsrGenModel *model;
  guint n_ipus;
  double work[64];    /* by IPU of a replica: scales compute and exchange */
  double sync;        /* cycles of an internal sync */
  double replica[64]; /* scales stream copies */
  gint64 host_wait;   /* of run 0's leading StreamCopyBegin; -1: as the program says */
  gint64 *now, *io_until;
  gint64 *busy, *copying; /* by IPU: in compute and exchange, and in copies */
  guint64 step;
  guint run;
  gboolean leading;
  TsrGenStepFunc func;
  gpointer data;
  TsrGenSlice *slices;
  GArray *runs, *blocks;
};

static const struct
{
  const char *type;
  Kind kind;
} kinds[] = {
  { "OnTileExecute", KIND_COMPUTE }, { "DoExchange", KIND_EXCHANGE },
  { "GlobalExchange", KIND_GLOBAL }, { "Sync", KIND_SYNC },
  { "StreamCopyBegin", KIND_BEGIN }, { "StreamCopyMid", KIND_MID },
  { "StreamCopyEnd", KIND_END },
};

static Kind
kind_of (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, type))
      return kinds[i].kind;
  return KIND_OTHER;
}

static gboolean
has_cost (const TsrGenProgram *program)
{
  return program->kind == KIND_COMPUTE || program->kind == KIND_EXCHANGE
         || program->kind == KIND_GLOBAL || program->kind == KIND_MID;
}

/* Cycles of the longest tile. */
static guint32
longest (const TsrGenClock *self, const TsrGenProgram *program, guint ipu)
{
  const guint local = ipu % self->model->n_ipus;
  double scale = 1;

  if (program->kind == KIND_COMPUTE || program->kind == KIND_EXCHANGE)
    scale = self->work[local % 64];
  else if (program->kind == KIND_MID)
    scale = self->replica[ipu / self->model->n_ipus % 64];
  return MAX (8, (guint32)(program->cycles * scale + 0.5));
}

static gboolean
is_active (const TsrGenClock *self, const TsrGenProgram *program, guint ipu, guint tile)
{
  const TsrGenModel *model = self->model;
  const guint at = ipu * model->tiles_per_ipu + tile;

  if (!(program->ipus >> ipu & 1))
    return FALSE;
  if (program->compute_set == NULL)
    return tsr_gen_program_has_tile (model, program, tile);
  for (guint i = 0; i < program->compute_set->vertices->len; i++)
    {
      const TsrGenVertices *vertices = g_ptr_array_index (program->compute_set->vertices, i);

      if (vertices->count[at] > 0)
        return TRUE;
    }
  return FALSE;
}

static void
tile_cycles (
    const TsrGenClock *self, const TsrGenProgram *program, guint ipu, guint32 most, guint32 *cycles)
{
  const TsrGenModel *model = self->model;
  const guint n = model->tiles_per_ipu;
  const guint from = tsr_gen_hash (model->seed, 41, program->id) % n;
  gboolean first = TRUE;

  for (guint i = 0; i < n; i++)
    {
      const guint tile = (from + i) % n;
      const double u = tsr_gen_unit (model->seed, 7000 + program->id, tile);

      cycles[tile] = 0;
      if (!is_active (self, program, ipu, tile))
        continue;
      /* The first active one from a place of its own takes longest. */
      cycles[tile]
          = first ? most
                  : MAX (1, (guint32)(most * (program->balance + (1 - program->balance) * u)));
      first = FALSE;
    }
}

void
tsr_gen_clock_tiles (
    const TsrGenClock *self, const TsrGenProgram *program, guint ipu, double scale, guint32 *cycles)
{
  tile_cycles (self, program, ipu, MAX (1, (guint32)(longest (self, program, ipu) * scale)),
               cycles);
}

void
tsr_gen_clock_data (const TsrGenClock *self,
                    const TsrGenProgram *program,
                    guint32 *data_in,
                    guint32 *data_out)
{
  const TsrGenModel *model = self->model;
  const gboolean from_host
      = program->name != NULL && g_str_has_prefix (program->name, "copyFromHost");
  const gboolean to_host = program->name != NULL && g_str_has_prefix (program->name, "copyToHost");
  g_autoptr (GArray) active = g_array_new (FALSE, FALSE, sizeof (guint));

  memset (data_in, 0, sizeof (guint32) * model->n_tiles);
  memset (data_out, 0, sizeof (guint32) * model->n_tiles);
  if (program->bytes_per_cycle <= 0)
    return;
  for (guint ipu = 0; ipu < model->n_ipus; ipu++)
    {
      g_autofree guint32 *cycles = NULL;

      if (!(program->ipus >> ipu & 1))
        continue;
      cycles = g_new (guint32, model->tiles_per_ipu);
      tsr_gen_clock_tiles (self, program, ipu, 1, cycles);
      for (guint tile = 0; tile < model->tiles_per_ipu; tile++)
        if (cycles[tile] > 0)
          {
            const guint at = ipu * model->tiles_per_ipu + tile;

            g_array_append_val (active, at);
            data_in[at] = MAX (4, (guint32)(cycles[tile] * program->bytes_per_cycle / 4) * 4);
          }
    }
  /* What comes in on one tile went out on another: the totals are equal. */
  for (guint i = 0; i < active->len; i++)
    data_out[g_array_index (active, guint, i)]
        = data_in[g_array_index (active, guint, active->len - 1 - i)];
  if (from_host)
    memset (data_out, 0, sizeof (guint32) * model->n_tiles);
  if (to_host)
    memset (data_in, 0, sizeof (guint32) * model->n_tiles);
}

/* Exchanges begin a few cycles into their base, as recorded ones do. */
static guint
first_cycle (const TsrGenProgram *program)
{
  return program->kind == KIND_EXCHANGE ? 3 : 0;
}

static void
find_cost (
    TsrGenClock *self, const TsrGenProgram *program, guint ipu, TsrGenArrays *arrays, Cost *cost)
{
  const guint n = self->model->tiles_per_ipu;
  g_autofree guint32 *cycles = g_new (guint32, n);
  g_autofree guint32 *start = g_new0 (guint32, n);
  guint64 sum = 0;

  cost->lead = program->lead;
  cost->cycles = longest (self, program, ipu);
  tile_cycles (self, program, ipu % self->model->n_ipus, cost->cycles, cycles);
  cost->to_min = G_MAXUINT32;
  for (guint tile = 0; tile < n; tile++)
    {
      const double u = tsr_gen_unit (self->model->seed, 9000 + program->id, tile);

      if (cycles[tile] == 0)
        continue;
      start[tile] = cycles[tile] == cost->cycles ? cost->lead : (guint32)(cost->lead * u);
      cost->active++;
      sum += cycles[tile];
    }
  /* Somebody begins first, so that the lead-in is what the step says. */
  for (guint tile = 0; tile < n && cost->active > 1 && cost->lead > 0; tile++)
    if (cycles[tile] > 0 && cycles[tile] < cost->cycles)
      {
        start[tile] = 0;
        break;
      }
  {
    guint32 first = G_MAXUINT32;

    for (guint tile = 0; tile < n; tile++)
      if (cycles[tile] > 0)
        {
          first = MIN (first, start[tile]);
          cost->to_min = MIN (cost->to_min, start[tile] + cycles[tile]);
        }
    if (cost->active == 0 || first > 0) /* all start together */
      {
        cost->lead = 0;
        cost->to_min = G_MAXUINT32;
        memset (start, 0, sizeof (guint32) * n);
        for (guint tile = 0; tile < n; tile++)
          if (cycles[tile] > 0)
            cost->to_min = MIN (cost->to_min, cycles[tile]);
      }
  }
  if (cost->active == 0)
    {
      cost->cycles = cost->to_min = 0;
      return;
    }
  cost->active_tile_balance = (double)sum / cost->active / cost->cycles;
  cost->tile_balance = (double)sum / n / cost->cycles;
  cost->cycles_array = tsr_gen_arrays_add (arrays, cycles, n);
  if (cost->lead == 0)
    return;
  for (guint tile = 0; tile < n; tile++)
    if (cycles[tile] > 0)
      start[tile] += first_cycle (program);
  cost->start_array = tsr_gen_arrays_add (arrays, start, n);
}

static void
find_costs (TsrGenClock *self, TsrGenArrays *arrays)
{
  const TsrGenModel *model = self->model;
  g_autofree guint32 *data_in = g_new (guint32, model->n_tiles);
  g_autofree guint32 *data_out = g_new (guint32, model->n_tiles);

  for (guint i = 0; i < model->programs->len; i++)
    {
      TsrGenProgram *program = g_ptr_array_index (model->programs, i);
      Cost *costs;

      if (!has_cost (program))
        continue;
      program->set_id = program->id + 1;
      costs = g_new0 (Cost, self->n_ipus);
      g_free (program->clocks);
      program->clocks = costs;
      tsr_gen_clock_data (self, program, data_in, data_out);
      for (guint ipu = 0; ipu < self->n_ipus; ipu++)
        {
          const guint local = ipu % model->n_ipus;

          if (!(program->ipus >> local & 1))
            continue;
          find_cost (self, program, ipu, arrays, &costs[ipu]);
          for (guint tile = 0; tile < model->tiles_per_ipu; tile++)
            {
              costs[ipu].data_in += data_in[local * model->tiles_per_ipu + tile];
              costs[ipu].data_out += data_out[local * model->tiles_per_ipu + tile];
            }
        }
    }
}

void
tsr_gen_clock_arrays (const TsrGenClock *self,
                      const TsrGenProgram *program,
                      guint ipu,
                      guint32 *start,
                      guint32 *cycles)
{
  const Cost *costs = program->clocks;

  *start = costs == NULL ? 0 : costs[ipu].start_array;
  *cycles = costs == NULL ? 0 : costs[ipu].cycles_array;
}

/* ---- running */

static void
waits (TsrGenClock *self, TsrGenSlice *slice, guint ipu, gint64 until)
{
  slice->base = self->now[ipu];
  slice->from_min = slice->from_max = 0;
  slice->to_min = slice->to_max = slice->cycles = until - self->now[ipu];
  slice->active_tiles = slice->cycles > 0 ? self->model->tiles_per_ipu : 0;
  self->now[ipu] = until;
}

/* The time at which all IPUs of @ipu's replica (of all replicas when @everyone) have come here. */
static gint64
meeting (const TsrGenClock *self, guint ipu, gboolean everyone)
{
  const guint n = self->model->n_ipus;
  const guint first = everyone ? 0 : ipu / n * n;
  const guint end = everyone ? self->n_ipus : first + n;
  gint64 latest = 0;

  for (guint i = first; i < end; i++)
    latest = MAX (latest, MAX (self->now[i], everyone ? self->io_until[i] : 0));
  return latest;
}

static void
works (TsrGenClock *self, const TsrGenProgram *program, guint ipu, TsrGenSlice *slice)
{
  const Cost *cost = program->clocks == NULL ? NULL : (const Cost *)program->clocks + ipu;
  const gboolean copies = program->kind == KIND_MID || program->kind == KIND_GLOBAL;
  const gint64 cycles = cost == NULL ? longest (self, program, ipu) : cost->cycles;

  slice->from_min = first_cycle (program);
  slice->from_max = slice->from_min + (cost == NULL ? 0 : cost->lead);
  slice->to_min = slice->from_min + (cost == NULL ? 0 : cost->to_min);
  slice->to_max = slice->from_max + cycles;
  slice->base = self->now[ipu] - slice->from_max;
  slice->cycles = cycles;
  if (cost != NULL)
    {
      slice->active_tiles = cost->active;
      slice->tile_balance = cost->tile_balance;
      slice->active_tile_balance = cost->active_tile_balance;
      slice->data_in = cost->data_in;
      slice->data_out = cost->data_out;
    }
  if (copies)
    self->copying[ipu] += cycles;
  else
    self->busy[ipu] += cycles;
  if (program->overlapped)
    self->io_until[ipu] = self->now[ipu] + cycles;
  else
    self->now[ipu] += cycles;
}

static gboolean
leaf (TsrGenClock *self, const TsrGenProgram *program)
{
  const gboolean begin = program->kind == KIND_BEGIN;
  const gboolean leading = begin && self->leading;
  gint64 together = 0;

  if (begin)
    {
      const TsrGenRun *run = g_ptr_array_index (self->model->runs, self->run);
      gint64 wait = (gint64)program->cycles;

      if (leading && self->run == 0 && self->host_wait >= 0)
        wait = self->host_wait;
      else if (leading && run->host_wait > 0)
        wait = (gint64)run->host_wait;
      together = meeting (self, 0, TRUE) + wait;
      self->leading = FALSE;
    }
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    {
      TsrGenSlice *slice = &self->slices[ipu];

      *slice = (TsrGenSlice){ .base = self->now[ipu],
                              .tile_balance = NAN,
                              .active_tile_balance = NAN };
      if (!(program->ipus >> (ipu % self->model->n_ipus) & 1))
        continue;
      if (begin)
        waits (self, slice, ipu, together);
      else if (program->kind == KIND_SYNC && program->external)
        {
          if (ipu % self->model->n_ipus == 0)
            together = meeting (self, ipu, FALSE) + 40;
          waits (self, slice, ipu, together);
        }
      else if (program->kind == KIND_SYNC)
        waits (self, slice, ipu, self->now[ipu] + (gint64)self->sync);
      else if (program->kind == KIND_END)
        waits (self, slice, ipu, self->now[ipu] + (gint64)program->cycles);
      else if (has_cost (program))
        works (self, program, ipu, slice);
      else
        waits (self, slice, ipu, self->now[ipu] + 2);
    }
  if (program->kind == KIND_MID && self->model->preset->findings)
    for (guint ipu = 0; ipu < self->n_ipus; ipu++)
      {
        const TsrGenSlice *slice = &self->slices[ipu];
        const TsrGenBlock entry = { program, self->run, ipu, slice->base + slice->from_max,
                                    slice->base + slice->to_max };
        g_array_append_val (self->blocks, entry);
      }
  self->step++;
  return self->func == NULL
         || self->func (self->step - 1, self->run, program, self->slices, self->data);
}

static gboolean
execute (TsrGenClock *self, const TsrGenProgram *program)
{
  const gboolean choice
      = program->children != NULL
        && (g_str_equal (program->type, "If") || g_str_equal (program->type, "IfElse")
            || g_str_equal (program->type, "Switch")
            || g_str_equal (program->type, "OnEveryTileSwitch"));
  const gboolean block = g_str_equal (program->type, "Block");
  const guint first_block = self->blocks->len;

  if (program->callee != NULL)
    return execute (self, program->callee);
  if (program->children == NULL)
    return leaf (self, program);
  if (block)
    for (guint ipu = 0; ipu < self->n_ipus; ipu++)
      {
        const TsrGenBlock entry = { program, self->run, ipu, self->now[ipu], 0 };
        g_array_append_val (self->blocks, entry);
      }
  for (guint k = 0; k < MAX (1, program->repeat_count); k++)
    for (guint i = 0; i < (choice ? 1 : program->children->len); i++)
      if (!execute (self, g_ptr_array_index (program->children, i)))
        return FALSE;
  for (guint ipu = 0; block && ipu < self->n_ipus; ipu++)
    g_array_index (self->blocks, TsrGenBlock, first_block + ipu).to = self->now[ipu];
  return TRUE;
}

static void
clear_run (gpointer data)
{
  g_free (((TsrGenRunTimes *)data)->cycles);
}

static gint64
latest (const TsrGenClock *self)
{
  return meeting (self, 0, TRUE);
}

static void
run_all (TsrGenClock *self, guint n_runs, TsrGenStepFunc func, gpointer data)
{
  gboolean more = TRUE;

  self->func = func;
  self->data = data;
  self->step = 0;
  memset (self->now, 0, sizeof (gint64) * self->n_ipus);
  memset (self->io_until, 0, sizeof (gint64) * self->n_ipus);
  memset (self->busy, 0, sizeof (gint64) * self->n_ipus);
  memset (self->copying, 0, sizeof (gint64) * self->n_ipus);
  g_array_set_size (self->runs, 0);
  g_array_set_size (self->blocks, 0);
  for (guint i = 0; more && i < n_runs; i++)
    {
      const TsrGenRun *run = g_ptr_array_index (self->model->runs, i);
      TsrGenRunTimes times = { .run = i, .first_step = self->step, .start = G_MAXINT64 };

      times.cycles = g_new (gint64, self->n_ipus);
      for (guint ipu = 0; ipu < self->n_ipus; ipu++)
        {
          times.start = MIN (times.start, self->now[ipu]);
          times.cycles[ipu] = self->now[ipu];
        }
      self->run = i;
      self->leading = TRUE;
      for (guint k = 0; more && k < run->programs->len; k++)
        more = execute (self, g_ptr_array_index (run->programs, k));
      times.end_step = self->step;
      times.end = latest (self);
      for (guint ipu = 0; ipu < self->n_ipus; ipu++)
        times.cycles[ipu] = MAX (self->now[ipu], self->io_until[ipu]) - times.cycles[ipu];
      g_array_append_val (self->runs, times);
    }
}

void
tsr_gen_clock_run (TsrGenClock *self, TsrGenStepFunc func, gpointer data)
{
  run_all (self, self->model->runs->len, func, data);
}

/* Scales work and syncs until run 0 has the preset's length and utilisation, each IPU of a replica
 * its own.  Each round corrects what the last one missed. */
static void
calibrate (TsrGenClock *self)
{
  const TsrGenPreset *preset = self->model->preset;
  const double target = preset->run_cycles * (1 - preset->host_share);
  const guint n = self->model->n_ipus;

  if (preset->run_cycles <= 0 || self->model->runs->len == 0)
    return;
  self->host_wait = 0;
  for (guint round = 0; round < 40; round++)
    {
      double span, syncs = 0;

      run_all (self, 1, NULL, NULL);
      span = (double)latest (self);
      for (guint i = 0; i < self->model->programs->len; i++)
        {
          const TsrGenProgram *program = g_ptr_array_index (self->model->programs, i);

          if (program->kind == KIND_SYNC && !program->external)
            syncs += program->visits->len;
        }
      for (guint ipu = 0; ipu < n; ipu++)
        {
          const double wanted = preset->utilisation[ipu] * target - self->copying[ipu];

          self->work[ipu] *= wanted / self->busy[ipu];
        }
      self->sync = CLAMP (self->sync + 0.7 * (target - span) / syncs, 4, 4000);
    }
  run_all (self, 1, NULL, NULL);
  self->host_wait = (gint64)preset->run_cycles - latest (self);
}

/* The other replicas copy a little faster: that is all they differ in. */
static void
calibrate_replicas (TsrGenClock *self)
{
  const TsrGenPreset *preset = self->model->preset;

  if (preset->run_cycles <= 0 || preset->num_replicas < 2 || self->model->n_ipus > 2)
    return;
  for (guint round = 0; round < 8; round++)
    {
      gint64 mids = 0;

      run_all (self, 1, NULL, NULL);
      for (guint i = 0; i < self->model->programs->len; i++)
        {
          const TsrGenProgram *program = g_ptr_array_index (self->model->programs, i);

          if (program->kind == KIND_MID)
            mids += (gint64)program->visits->len * longest (self, program, self->model->n_ipus);
        }
      if (mids == 0)
        return;
      self->replica[1] *= 1
                          + (preset->utilisation[2] * (latest (self) - self->host_wait)
                             - self->busy[self->model->n_ipus] - self->copying[self->model->n_ipus])
                                / mids;
      self->replica[1] = CLAMP (self->replica[1], 0.5, 1.5);
    }
}

TsrGenClock *
tsr_gen_clock_new (TsrGenModel *model, TsrGenArrays *arrays)
{
  TsrGenClock *self = g_new0 (TsrGenClock, 1);

  self->model = model;
  self->n_ipus = model->n_ipus * model->preset->num_replicas;
  self->sync = 22;
  self->host_wait = -1;
  for (guint i = 0; i < 64; i++)
    self->work[i] = self->replica[i] = 1;
  self->now = g_new0 (gint64, self->n_ipus);
  self->io_until = g_new0 (gint64, self->n_ipus);
  self->busy = g_new0 (gint64, self->n_ipus);
  self->copying = g_new0 (gint64, self->n_ipus);
  self->slices = g_new0 (TsrGenSlice, self->n_ipus);
  self->runs = g_array_new (FALSE, TRUE, sizeof (TsrGenRunTimes));
  g_array_set_clear_func (self->runs, clear_run);
  self->blocks = g_array_new (FALSE, TRUE, sizeof (TsrGenBlock));
  for (guint i = 0; i < model->programs->len; i++)
    {
      TsrGenProgram *program = g_ptr_array_index (model->programs, i);
      program->kind = kind_of (program->type);
    }
  calibrate (self);
  calibrate_replicas (self);
  if (model->preset->execution)
    find_costs (self, arrays);
  return self;
}

void
tsr_gen_clock_free (TsrGenClock *self)
{
  g_free (self->now);
  g_free (self->io_until);
  g_free (self->busy);
  g_free (self->copying);
  g_free (self->slices);
  g_array_unref (self->runs);
  g_array_unref (self->blocks);
  g_free (self);
}

guint
tsr_gen_clock_n_ipus (const TsrGenClock *self)
{
  return self->n_ipus;
}

const GArray *
tsr_gen_clock_runs (const TsrGenClock *self)
{
  return self->runs;
}

const GArray *
tsr_gen_clock_blocks (const TsrGenClock *self)
{
  return self->blocks;
}
