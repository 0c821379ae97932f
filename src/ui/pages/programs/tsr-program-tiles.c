/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the chart shows is read for each choice. */

#include "config.h"

#include "tsr-program-tiles.h"

#include "tsr-chart.h"
#include "tsr-drop-down.h"
#include "tsr-latest.h"
#include "tsr-page.h"
#include "tsr-tile-cycles-chart.h"

#include <glib/gi18n.h>

#define MOST_SERIES 3

typedef enum
{
  FORM_CODE,
  FORM_EXCHANGED,
  FORM_ESTIMATED,
  N_FORMS
} Form;

static const struct
{
  const char *key, *name; /* NULL: no more */
  TsrTileFigure figure;
  guint ink; /* unless there is a category */
  const char *category;
} series_of[N_FORMS][MOST_SERIES] = {
  [FORM_CODE]
  = { { "control", N_ ("Control code"), TSR_CODE_CONTROL, 0, "controlCode" },
      { "exchange", N_ ("Exchange code"), TSR_CODE_EXCHANGE, 0, "internalExchangeCode" },
      { "vertex", N_ ("Vertex code"), TSR_CODE_VERTEX, 0, "vertexCode" } },
  [FORM_EXCHANGED]
  = { { "received", N_ ("Received"), TSR_TILE_RECEIVED, TSR_INK_TRACE + TSR_TRACE_INK_EXCHANGE },
      { "sent", N_ ("Sent"), TSR_TILE_SENT,
        TSR_INK_TRACE + TSR_N_TRACE_INKS + TSR_TRACE_INK_EXCHANGE } },
  [FORM_ESTIMATED] = { { "estimated", N_ ("Estimated cycles"), TSR_TILE_ESTIMATED,
                         TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE } },
};

typedef struct
{
  TsrPrograms *programs;
  TsrVertices *vertices;
  guint32 program;
  Form form;
  gboolean below;
  guint n_tiles;
} Job;

typedef struct
{
  guint n_tiles;
  Form form;
  gint64 *values[MOST_SERIES]; /* NULL: no more */
} Tiles;

struct _TsrProgramTiles
{
  GtkWidget parent_instance;

  GtkWidget *box, *bar;
  GtkDropDown *form, *below, *order;
  GtkLabel *message;
  TsrChart *chart;
  TsrTileCyclesChart *model; /* (nullable) */
  TsrSession *session;
  guint32 program;
  TsrLatest *latest;
  Tiles *tiles; /* (nullable) that are shown */
  gboolean stale;
};

G_DEFINE_FINAL_TYPE (TsrProgramTiles, tsr_program_tiles, GTK_TYPE_WIDGET)

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_programs_unref (job->programs);
  tsr_vertices_unref (job->vertices);
  g_free (job);
}

static void
tiles_free (gpointer data)
{
  Tiles *tiles = data;

  for (guint i = 0; i < MOST_SERIES; i++)
    g_free (tiles->values[i]);
  g_free (tiles);
}

/* Reading */

static gpointer
read_tiles (gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  Tiles *tiles = g_new0 (Tiles, 1);

  tiles->n_tiles = job->n_tiles;
  tiles->form = job->form;
  for (guint i = 0; i < MOST_SERIES && series_of[job->form][i].key != NULL; i++)
    {
      tiles->values[i] = tsr_programs_dup_by_tile (job->programs, job->vertices, job->program,
                                                   series_of[job->form][i].figure, job->below,
                                                   cancellable, error);
      if (tiles->values[i] == NULL)
        {
          tiles_free (tiles);
          return NULL;
        }
    }
  return tiles;
}

/* Showing */

static void
show_message (TsrProgramTiles *self, const char *text)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->chart), text == NULL);
}

static void
drop_chart (TsrProgramTiles *self)
{
  tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
  g_clear_object (&self->model);
  g_clear_pointer (&self->tiles, tiles_free);
}

static const char *
get_none (Form form)
{
  return form == FORM_CODE        ? _ ("It has no code")
         : form == FORM_EXCHANGED ? _ ("It exchanges nothing")
                                  : _ ("No cycles are estimated for it");
}

static void
show_order (TsrProgramTiles *self)
{
  if (self->model != NULL)
    tsr_tile_cycles_chart_set_order (self->model, gtk_drop_down_get_selected (self->order) == 1
                                                      ? TSR_TILE_CYCLES_BY_CYCLES
                                                      : TSR_TILE_CYCLES_BY_TILE);
}

static void
show_tiles (TsrProgramTiles *self, TsrPrograms *programs)
{
  const Tiles *tiles = self->tiles;
  g_autofree char *caption = NULL;
  gint64 all = 0;
  gboolean told = TRUE;

  caption = g_strdup_printf (tiles->form == FORM_ESTIMATED ? _ ("Cycles of each tile in %s")
                                                           : _ ("Bytes of each tile in %s"),
                             tsr_programs_get_label (programs, self->program));
  self->model = tsr_tile_cycles_chart_new (tiles->n_tiles, caption);
  if (tiles->form != FORM_ESTIMATED)
    tsr_tile_cycles_chart_set_bytes (self->model, tsr_session_get_units (self->session));
  for (guint i = 0; i < MOST_SERIES && series_of[tiles->form][i].key != NULL; i++)
    {
      g_autofree gint64 *values = g_new0 (gint64, tiles->n_tiles + 1);

      for (guint k = 0; k < tiles->n_tiles; k++)
        {
          told = told && tiles->values[i][k] != TSR_UNKNOWN;
          values[k] = MAX (tiles->values[i][k], 0);
          all = tsr_add_saturating (all, values[k], NULL);
        }
      tsr_tile_cycles_chart_add_series (
          self->model, series_of[tiles->form][i].key, _ (series_of[tiles->form][i].name),
          series_of[tiles->form][i].category != NULL
              ? tsr_palette_get_category_ink (series_of[tiles->form][i].category)
              : series_of[tiles->form][i].ink,
          values, FALSE, TRUE);
    }
  show_order (self);
  tsr_tile_cycles_chart_set_selection (self->model, tsr_session_get_selection (self->session), 0);
  tsr_plane_set_model (TSR_PLANE (self->chart), TSR_CHART_MODEL (self->model));
  show_message (self, all > 0 ? NULL
                      : told  ? get_none (tiles->form)
                              : _ ("The report does not tell"));
}

static void
on_read (gpointer owner, gpointer result, const GError *error)
{
  TsrProgramTiles *self = owner;
  TsrPrograms *programs = tsr_session_get_programs (self->session);

  drop_chart (self);
  self->tiles = result;
  if (result == NULL || programs == NULL)
    show_message (self, error != NULL ? error->message : "");
  else
    show_tiles (self, programs);
}

static void
update (TsrProgramTiles *self)
{
  TsrPrograms *programs;
  TsrVertices *vertices;
  TsrMemory *memory;
  Job *job;

  self->stale = TRUE;
  if (self->session == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->stale = FALSE;
  programs = tsr_session_get_programs (self->session);
  vertices = tsr_session_get_vertices (self->session);
  memory = tsr_session_get_memory (self->session);
  if (programs == NULL || self->program >= tsr_programs_get_n (programs))
    {
      tsr_latest_cancel (self->latest);
      drop_chart (self);
      show_message (self, _ ("Select a program"));
      return;
    }
  if (vertices == NULL || memory == NULL || tsr_memory_get_n_tiles (memory) == 0)
    {
      tsr_latest_cancel (self->latest);
      drop_chart (self);
      show_message (self, tsr_session_is_data_pending (self->session, TSR_DATA_VERTICES)
                              ? _ ("Loading…")
                              : _ ("There is no memory of the tiles"));
      return;
    }
  job = g_new0 (Job, 1);
  *job = (Job){ tsr_programs_ref (programs),
                tsr_vertices_ref (vertices),
                self->program,
                MIN (gtk_drop_down_get_selected (self->form), N_FORMS - 1),
                gtk_drop_down_get_selected (self->below) == 1,
                tsr_memory_get_n_tiles (memory) };
  tsr_latest_run (self->latest, read_tiles, job, job_free, on_read);
}

static void
on_select (TsrChart *chart, double from, double to, int mode, TsrProgramTiles *self)
{
  g_autoptr (GArray) tiles = tsr_chart_dup_data (chart, from, to);

  tsr_tile_selection_change (tsr_session_get_selection (self->session), mode,
                             (const guint *)(gpointer)tiles->data, tiles->len);
}

/* Interface */

void
tsr_program_tiles_set_session (TsrProgramTiles *self, TsrSession *session)
{
  static const char *const followed[]
      = { "notify::programs", "notify::vertices", "notify::memory", "notify::units" };
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  g_return_if_fail (TSR_IS_PROGRAM_TILES (self) && self->session == NULL);
  self->session = g_object_ref (session);
  tsr_chart_set_viewport (self->chart, viewport);
  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

void
tsr_program_tiles_set_program (TsrProgramTiles *self, guint32 program)
{
  g_return_if_fail (TSR_IS_PROGRAM_TILES (self));
  if (program == self->program)
    return;
  self->program = program;
  update (self);
}

gboolean
tsr_program_tiles_is_busy (TsrProgramTiles *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_TILES (self), FALSE);
  return tsr_latest_is_running (self->latest);
}

/* Object */

static void
tsr_program_tiles_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tsr_program_tiles_parent_class)->map (widget);
  if (TSR_PROGRAM_TILES (widget)->stale)
    update (TSR_PROGRAM_TILES (widget));
}

static void
tsr_program_tiles_dispose (GObject *object)
{
  TsrProgramTiles *self = TSR_PROGRAM_TILES (object);

  if (self->box != NULL)
    drop_chart (self);
  g_clear_pointer (&self->latest, tsr_latest_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_program_tiles_parent_class)->dispose (object);
}

static void
tsr_program_tiles_class_init (TsrProgramTilesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_program_tiles_dispose;
  widget_class->map = tsr_program_tiles_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
tsr_program_tiles_init (TsrProgramTiles *self)
{
  static const char *const forms[]
      = { N_ ("Code"), N_ ("Exchanged bytes"), N_ ("Estimated cycles"), NULL };
  static const char *const belows[]
      = { N_ ("Of the program alone"), N_ ("With all below it"), NULL };
  static const char *const orders[] = { N_ ("By tile"), N_ ("Most first"), NULL };

  self->program = TSR_NO_INDEX;
  self->latest = tsr_latest_new (self, tiles_free);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->bar, "toolbar");
  gtk_box_append (GTK_BOX (self->box), self->bar);
  self->form
      = tsr_drop_down_add (self->bar, forms, _ ("What the chart shows"), G_CALLBACK (update), self);
  self->below = tsr_drop_down_add (self->bar, belows, _ ("Which programs count"),
                                   G_CALLBACK (update), self);
  self->order = tsr_drop_down_add (self->bar, orders, _ ("Order of the tiles"),
                                   G_CALLBACK (show_order), self);
  self->chart = tsr_chart_new ();
  gtk_widget_set_vexpand (GTK_WIDGET (self->chart), TRUE);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "program-tiles");
  g_signal_connect (self->chart, "select", G_CALLBACK (on_select), self);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->chart));
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_set_vexpand (GTK_WIDGET (self->message), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_label_set_wrap (self->message, TRUE);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->message));
  show_message (self, _ ("Select a program"));
}

TsrProgramTiles *
tsr_program_tiles_new (void)
{
  return g_object_new (TSR_TYPE_PROGRAM_TILES, NULL);
}
