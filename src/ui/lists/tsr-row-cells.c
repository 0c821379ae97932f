/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Factories of the cells of a list of rows.  Main thread. */

#include "config.h"

#include "tsr-row-cells.h"

#include "tsr-canvas.h"
#include "tsr-headings.h"
#include "tsr-name-cell.h"
#include "tsr-swatch.h"

#define FACTORY_KEY "tsr-row-cells"
#define COLUMN_KEY  "tsr-column"
#define ITEM_KEY    "tsr-list-item"
#define CELLS_KEY   "tsr-cells"
#define INDENT      16
#define MAX_INDENTS 24
#define ARROW_WIDTH 16
#define INDENT_KEY  "tsr-indent"
#define NAME_CHARS  18  /* of a name, before its indentation gives way */
#define SHOWN_CHARS 400 /* of a text; copying gives all of it */

struct _TsrRowCells
{
  GObject parent_instance;

  TsrRowModel *model;
  TsrUnits units;
  GHashTable *bound; /* set of GtkListItem */
  guint (*ink_func) (gpointer data, guint32 row);
  gpointer ink_data;
  GDestroyNotify ink_notify;
  gboolean (*mark_func) (gpointer data, guint32 row);
  gpointer mark_data;
  TsrRowPaintFunc paint_func;
  gpointer paint_data;
};

G_DEFINE_FINAL_TYPE (TsrRowCells, tsr_row_cells, G_TYPE_OBJECT)

enum
{
  TOGGLE_ROW,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static guint
get_column (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, COLUMN_KEY));
}

/* What has the text of a cell: all of it, or what stands behind a swatch or over a canvas. */
static GtkWidget *
get_text_widget (GtkWidget *cell)
{
  return GTK_IS_INSCRIPTION (cell) || TSR_IS_NAME_CELL (cell) ? cell
                                                              : gtk_widget_get_last_child (cell);
}

static GtkInscription *
get_inscription (GtkWidget *cell)
{
  GtkWidget *widget = get_text_widget (cell);

  return TSR_IS_NAME_CELL (widget) ? tsr_name_cell_get_inscription (TSR_NAME_CELL (widget))
                                   : GTK_INSCRIPTION (widget);
}

/* The row that stands where @list_item is; FALSE when there is none (a view that is losing its
 * columns or rows still asks). */
static gboolean
get_row (TsrRowCells *self, GtkListItem *list_item, guint column, guint32 *row)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  TsrRowItem *item = list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;

  if (item == NULL || rows == NULL || column >= tsr_rows_get_n_columns (rows)
      || tsr_row_item_get_position (item) >= g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    return FALSE;
  *row = tsr_row_model_get_row (self->model, tsr_row_item_get_position (item));
  return TRUE;
}

static gboolean
is_shortened (GtkWidget *cell)
{
  GtkInscription *inscription = get_inscription (cell);
  GtkWidget *widget = get_text_widget (cell);
  gboolean number = gtk_widget_has_css_class (GTK_WIDGET (inscription), "numeric");

  if (TSR_IS_NAME_CELL (widget) && tsr_name_cell_is_cut (TSR_NAME_CELL (widget)))
    return TRUE;
  return (number ? tsr_number_get_width : tsr_text_get_width) (
             GTK_WIDGET (inscription), gtk_inscription_get_text (inscription))
         > gtk_widget_get_width (GTK_WIDGET (inscription));
}

static gboolean
on_query_tooltip (
    GtkWidget *cell, int x, int y, gboolean keyboard, GtkTooltip *tooltip, TsrRowCells *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  guint column = get_column (cell);
  g_autofree char *text = NULL;
  const char *definition = NULL;
  guint32 row;

  if (!get_row (self, g_object_get_data (G_OBJECT (cell), ITEM_KEY), column, &row))
    return FALSE;
  if (GTK_IS_BOX (cell)) /* the first */
    definition = tsr_rows_get_definition (rows, row);
  if (tsr_rows_get_column (rows, column)->cell != TSR_CELL_KIND_TEXT
      || tsr_rows_get_column (rows, column)->paint == TSR_CELL_PAINTED || is_shortened (cell))
    text = tsr_rows_dup_exact (rows, row, column);
  if (text != NULL && definition != NULL)
    {
      g_autofree char *both = g_strconcat (text, "\n", definition, NULL);

      gtk_tooltip_set_text (tooltip, both);
    }
  else
    gtk_tooltip_set_text (tooltip, text != NULL ? text : definition);
  return definition != NULL || (text != NULL && *text != '\0');
}

/* Names of the rows about it, as they are shown, or will be when the list has grown. */
static guint
list_neighbours (TsrNameCell *name, gpointer data, const char *names[TSR_NAME_CELL_MOST_NEIGHBOURS])
{
  GtkWidget *cell = gtk_widget_get_parent (GTK_WIDGET (name));
  TsrRowCells *self = data;
  GtkListItem *list_item = g_object_get_data (G_OBJECT (cell), ITEM_KEY);
  TsrRowOutline *outline = tsr_row_model_get_outline (self->model);
  guint column = get_column (cell), n = tsr_row_outline_get_n (outline);
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  guint n_names = 0, at, half = TSR_NAME_CELL_MOST_NEIGHBOURS / 2;
  guint32 row;

  if (!get_row (self, list_item, column, &row))
    return 0;
  at = tsr_row_item_get_position (gtk_list_item_get_item (list_item));
  for (guint i = at > half ? at - half : 0; i < MIN (n, at + half + 1); i++)
    {
      const char *text
          = i != at ? tsr_rows_get_text (rows, tsr_row_outline_get_row (outline, i), column) : NULL;

      if (text != NULL)
        names[n_names++] = text;
    }
  return n_names;
}

/* Painted cells */

static void
layout_cell (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  GtkWidget *cell = data;
  TsrRowCells *self = g_object_get_data (G_OBJECT (cell), CELLS_KEY);
  guint column = get_column (cell);
  guint32 row;

  if (!get_row (self, g_object_get_data (G_OBJECT (cell), ITEM_KEY), column, &row))
    return;
  if (tsr_rows_get_column (tsr_row_model_get_rows (self->model), column)->paint == TSR_CELL_BAR)
    {
      double share = tsr_rows_get_share (tsr_row_model_get_rows (self->model), row, column);

      tsr_draw_list_rect (list, TSR_INK_GRID, 0, 0, geometry->width * share, geometry->height);
    }
  else if (self->paint_func != NULL)
    self->paint_func (self->paint_data, row, column, geometry, list);
}

static TsrCanvas *
get_canvas (GtkWidget *cell)
{
  return GTK_IS_OVERLAY (cell) ? TSR_CANVAS (gtk_overlay_get_child (GTK_OVERLAY (cell))) : NULL;
}

static GtkWidget *
new_painted_cell (TsrRowCells *self, GtkWidget *inscription, TsrCellPaint paint)
{
  GtkWidget *cell = gtk_overlay_new ();

  g_object_set_data_full (G_OBJECT (cell), CELLS_KEY, g_object_ref (self), g_object_unref);
  gtk_overlay_set_child (GTK_OVERLAY (cell), GTK_WIDGET (tsr_canvas_new (layout_cell, cell)));
  gtk_overlay_add_overlay (GTK_OVERLAY (cell), inscription);
  gtk_overlay_set_measure_overlay (GTK_OVERLAY (cell), inscription, TRUE);
  if (paint == TSR_CELL_PAINTED) /* it gives the row its height */
    gtk_widget_set_opacity (inscription, 0);
  return cell;
}

/* Trees */

static void
on_arrow_pressed (GtkGestureClick *gesture, int n, double x, double y, TsrRowCells *self)
{
  GtkWidget *arrow = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *cell = gtk_widget_get_parent (gtk_widget_get_parent (arrow));
  GtkListItem *list_item = g_object_get_data (G_OBJECT (cell), ITEM_KEY);
  guint32 row;

  if (!get_row (self, list_item, 0, &row))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  g_signal_emit (self, signals[TOGGLE_ROW], 0,
                 tsr_row_item_get_position (gtk_list_item_get_item (list_item)));
}

/* An arrow stands behind its indentation, which gives way where the name would have no room. */
static void
measure_arrow (GtkWidget *place,
               GtkOrientation orientation,
               int for_size,
               int *minimum,
               int *natural,
               int *minimum_baseline,
               int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (place), orientation, -1, minimum, natural, NULL,
                      NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    return;
  *minimum = ARROW_WIDTH;
  *natural = ARROW_WIDTH + GPOINTER_TO_INT (g_object_get_data (G_OBJECT (place), INDENT_KEY));
}

static void
allocate_arrow (GtkWidget *place, int width, int height, int baseline)
{
  gboolean left = gtk_widget_get_direction (place) == GTK_TEXT_DIR_RTL;
  GtkAllocation at = { left ? 0 : width - ARROW_WIDTH, 0, ARROW_WIDTH, height };

  gtk_widget_size_allocate (gtk_widget_get_first_child (place), &at, baseline);
}

/* As wide for a row that has none. */
static GtkWidget *
new_arrow_place (TsrRowCells *self)
{
  GtkWidget *place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *arrow
      = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_BUTTON, NULL);
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_box_append (GTK_BOX (place), arrow);
  gtk_widget_set_layout_manager (place,
                                 gtk_custom_layout_new (NULL, measure_arrow, allocate_arrow));
  g_signal_connect_object (gesture, "pressed", G_CALLBACK (on_arrow_pressed), self, 0);
  gtk_widget_add_controller (arrow, GTK_EVENT_CONTROLLER (gesture));
  return place;
}

static void
set_indent (GtkWidget *place, int indent)
{
  if (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (place), INDENT_KEY)) == indent)
    return;
  g_object_set_data (G_OBJECT (place), INDENT_KEY, GINT_TO_POINTER (indent));
  gtk_widget_queue_resize (place);
}

static void
show_arrow (TsrRowCells *self, GtkWidget *place, guint32 row, const char *name)
{
  TsrRowOutline *outline = tsr_row_model_get_outline (self->model);
  GtkWidget *arrow = gtk_widget_get_first_child (place);
  gboolean expandable = tsr_row_outline_can_expand (outline, row);
  gboolean expanded = tsr_row_outline_is_expanded (outline, row);
  guint32 depth = tsr_rows_get_depth (tsr_row_model_get_rows (self->model), row);

  set_indent (place, INDENT * (int)MIN (depth, MAX_INDENTS));
  gtk_widget_set_visible (arrow, expandable);
  if (!expandable)
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (arrow),
                                expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  /* The row is named after what comes first in it. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (arrow), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (arrow), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item, TsrRowCells *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  guint column = get_column (factory);
  gboolean first = g_object_get_data (G_OBJECT (factory), FACTORY_KEY) != NULL;
  gboolean number = rows != NULL && column < tsr_rows_get_n_columns (rows)
                    && tsr_rows_get_column (rows, column)->cell == TSR_CELL_KIND_VALUE;
  GtkWidget *inscription = gtk_inscription_new (NULL);
  GtkWidget *cell = inscription;

  gtk_inscription_set_min_chars (GTK_INSCRIPTION (inscription), 0);
  gtk_inscription_set_xalign (GTK_INSCRIPTION (inscription), number ? 1 : 0);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (inscription),
                                     number ? GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_START
                                            : GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_MIDDLE);
  if (number)
    gtk_widget_add_css_class (inscription, "numeric");
  if (rows != NULL && column < tsr_rows_get_n_columns (rows)
      && tsr_rows_get_column (rows, column)->paint != TSR_CELL_NOT_PAINTED)
    cell = new_painted_cell (self, inscription, tsr_rows_get_column (rows, column)->paint);
  else if (first)
    {
      GtkWidget *name = number ? inscription : GTK_WIDGET (tsr_name_cell_new (inscription));

      cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      gtk_box_append (GTK_BOX (cell), GTK_WIDGET (tsr_swatch_new ()));
      if (rows != NULL && tsr_rows_is_tree (rows))
        {
          gtk_box_append (GTK_BOX (cell), new_arrow_place (self));
          gtk_inscription_set_nat_chars (GTK_INSCRIPTION (inscription), NAME_CHARS);
        }
      gtk_box_append (GTK_BOX (cell), name);
      gtk_widget_set_hexpand (name, TRUE);
      if (!number)
        tsr_name_cell_set_neighbours_func (TSR_NAME_CELL (name), list_neighbours, self);
    }
  else if (!number)
    cell = GTK_WIDGET (tsr_name_cell_new (inscription));
  g_object_set_data (G_OBJECT (cell), COLUMN_KEY, GUINT_TO_POINTER (column));
  g_object_set_data (G_OBJECT (cell), ITEM_KEY, list_item);
  gtk_widget_set_has_tooltip (cell, TRUE);
  g_signal_connect_object (cell, "query-tooltip", G_CALLBACK (on_query_tooltip), self, 0);
  gtk_list_item_set_child (list_item, cell);
}

static void
on_teardown (GtkListItemFactory *factory, GtkListItem *list_item, TsrRowCells *self)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);

  if (cell != NULL)
    g_object_set_data (G_OBJECT (cell), ITEM_KEY, NULL);
}

/* Takes @text: one line of at most SHOWN_CHARS. */
static char *
as_line (char *text)
{
  char *end = text;

  for (guint i = 0; i < SHOWN_CHARS && *end != '\0'; i++)
    end = g_utf8_next_char (end);
  *end = '\0';
  return g_strdelimit (text, "\r\n\t", ' ');
}

static void
mark (TsrRowCells *self, GtkWidget *cell, guint32 row)
{
  if (self->mark_func != NULL && self->mark_func (self->mark_data, row))
    gtk_widget_add_css_class (cell, "marked-cell");
  else
    gtk_widget_remove_css_class (cell, "marked-cell");
}

static void
fill (TsrRowCells *self, GtkListItem *list_item)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  guint column = get_column (cell);
  g_autofree char *text = NULL;
  guint32 row;

  if (!get_row (self, list_item, column, &row))
    return;
  text = as_line (tsr_rows_dup_text (rows, row, column, self->units));
  if (TSR_IS_NAME_CELL (get_text_widget (cell)))
    {
      const char *suffix
          = tsr_rows_get_column (rows, column)->pinned ? tsr_rows_get_suffix (rows, row) : NULL;
      g_autofree char *whole = suffix != NULL ? g_strconcat (text, " ", suffix, NULL) : NULL;

      tsr_name_cell_set_text (TSR_NAME_CELL (get_text_widget (cell)), whole != NULL ? whole : text);
    }
  else
    gtk_inscription_set_text (get_inscription (cell), text);
  if (get_canvas (cell) != NULL)
    tsr_canvas_invalidate (get_canvas (cell));
  else if (GTK_IS_BOX (cell))
    {
      guint ink = self->ink_func != NULL ? self->ink_func (self->ink_data, row) : TSR_NO_DATUM;
      TsrSwatch *swatch = TSR_SWATCH (gtk_widget_get_first_child (cell));
      TsrChartSeries series = { .ink = ink, .filled = TRUE, .visible = TRUE };

      if (GTK_IS_BOX (gtk_widget_get_next_sibling (GTK_WIDGET (swatch))))
        show_arrow (self, gtk_widget_get_next_sibling (GTK_WIDGET (swatch)), row, text);
      if (tsr_rows_is_heading (rows, row) || row == tsr_rows_get_rest (rows))
        gtk_widget_add_css_class (GTK_WIDGET (get_inscription (cell)), "dim-label");
      else
        gtk_widget_remove_css_class (GTK_WIDGET (get_inscription (cell)), "dim-label");
      mark (self, cell, row);
      gtk_widget_set_visible (GTK_WIDGET (swatch), self->ink_func != NULL);
      gtk_widget_set_opacity (GTK_WIDGET (swatch), ink != TSR_NO_DATUM ? 1 : 0);
      if (ink != TSR_NO_DATUM)
        tsr_swatch_set_series (swatch, &series);
    }
}

/* GTK appends the cell of a column that is shown later, and cells are read aloud in their order;
 * the column that takes what is left is the last one, and has no cells of ours. */
static void
put_in_order (GtkWidget *cell)
{
  GtkWidget *parent = gtk_widget_get_parent (cell), *next = NULL;
  GtkWidget *before = gtk_widget_get_prev_sibling (parent);

  for (; before != NULL; before = gtk_widget_get_prev_sibling (before))
    {
      GtkWidget *other = gtk_widget_get_first_child (before);

      if (other != NULL && get_column (other) < get_column (cell))
        break;
      next = before;
    }
  if (next != NULL)
    gtk_widget_insert_before (parent, gtk_widget_get_parent (parent), next);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, TsrRowCells *self)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);

  g_hash_table_add (self->bound, list_item);
  fill (self, list_item);
  if (gtk_widget_get_parent (cell) != NULL)
    put_in_order (cell);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *list_item, TsrRowCells *self)
{
  g_hash_table_remove (self->bound, list_item);
}

static void
tsr_row_cells_finalize (GObject *object)
{
  TsrRowCells *self = TSR_ROW_CELLS (object);

  g_object_unref (self->model);
  g_hash_table_unref (self->bound);
  if (self->ink_notify != NULL)
    self->ink_notify (self->ink_data);
  G_OBJECT_CLASS (tsr_row_cells_parent_class)->finalize (object);
}

static void
tsr_row_cells_class_init (TsrRowCellsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_row_cells_finalize;
  signals[TOGGLE_ROW] = g_signal_new ("toggle-row", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
tsr_row_cells_init (TsrRowCells *self)
{
  self->bound = g_hash_table_new (NULL, NULL);
}

TsrRowCells *
tsr_row_cells_new (TsrRowModel *model)
{
  TsrRowCells *self = g_object_new (TSR_TYPE_ROW_CELLS, NULL);

  self->model = g_object_ref (model);
  return self;
}

GtkListItemFactory *
tsr_row_cells_create_factory (TsrRowCells *self, guint column, gboolean first)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), COLUMN_KEY, GUINT_TO_POINTER (column));
  g_object_set_data (G_OBJECT (factory), FACTORY_KEY, GINT_TO_POINTER (first));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  g_signal_connect_object (factory, "teardown", G_CALLBACK (on_teardown), self, 0);
  return factory;
}

void
tsr_row_cells_set_units (TsrRowCells *self, TsrUnits units)
{
  g_return_if_fail (TSR_IS_ROW_CELLS (self));
  self->units = units;
}

void
tsr_row_cells_set_ink_func (TsrRowCells *self,
                            guint (*func) (gpointer data, guint32 row),
                            gpointer data,
                            GDestroyNotify notify)
{
  g_return_if_fail (TSR_IS_ROW_CELLS (self));
  if (self->ink_notify != NULL)
    self->ink_notify (self->ink_data);
  self->ink_func = func;
  self->ink_data = data;
  self->ink_notify = notify;
}

void
tsr_row_cells_set_mark_func (TsrRowCells *self,
                             gboolean (*func) (gpointer data, guint32 row),
                             gpointer data)
{
  GHashTableIter iter;
  gpointer list_item;
  guint32 row;

  g_return_if_fail (TSR_IS_ROW_CELLS (self));
  self->mark_func = func;
  self->mark_data = data;
  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    {
      GtkWidget *cell = gtk_list_item_get_child (list_item);

      if (GTK_IS_BOX (cell) && get_row (self, list_item, get_column (cell), &row)) /* the first */
        mark (self, cell, row);
    }
}

void
tsr_row_cells_set_paint_func (TsrRowCells *self, TsrRowPaintFunc func, gpointer data)
{
  g_return_if_fail (TSR_IS_ROW_CELLS (self));
  self->paint_func = func;
  self->paint_data = data;
}

void
tsr_row_cells_refresh (TsrRowCells *self)
{
  GHashTableIter iter;
  gpointer list_item;

  g_return_if_fail (TSR_IS_ROW_CELLS (self));
  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    fill (self, list_item);
}

/* The widget of the row that a cell is in: a cell of a column view is one of a list, too. */
static GtkWidget *
get_row_widget (GtkListItem *list_item)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);
  GtkWidget *parent = cell != NULL ? gtk_widget_get_parent (cell) : NULL;

  return parent != NULL ? gtk_widget_get_parent (parent) : NULL;
}

GtkWidget *
tsr_row_cells_get_row_widget (TsrRowCells *self, guint position)
{
  GHashTableIter iter;
  gpointer list_item;

  g_return_val_if_fail (TSR_IS_ROW_CELLS (self), NULL);
  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    {
      TsrRowItem *item = gtk_list_item_get_item (list_item);

      if (item != NULL && tsr_row_item_get_position (item) == position)
        return get_row_widget (list_item);
    }
  return NULL;
}

guint
tsr_row_cells_find (TsrRowCells *self, GtkWidget *widget)
{
  GHashTableIter iter;
  gpointer list_item;
  guint32 at;

  g_return_val_if_fail (TSR_IS_ROW_CELLS (self), GTK_INVALID_LIST_POSITION);
  g_hash_table_iter_init (&iter, self->bound);
  while (widget != NULL && g_hash_table_iter_next (&iter, &list_item, NULL))
    {
      GtkWidget *row = get_row_widget (list_item);

      if (row != NULL && widget != NULL && (widget == row || gtk_widget_is_ancestor (widget, row))
          && get_row (self, list_item, 0, &at))
        return tsr_row_item_get_position (gtk_list_item_get_item (list_item));
    }
  return GTK_INVALID_LIST_POSITION;
}

guint
tsr_row_cells_find_focus (TsrRowCells *self)
{
  GHashTableIter iter;
  gpointer list_item;

  g_return_val_if_fail (TSR_IS_ROW_CELLS (self), GTK_INVALID_LIST_POSITION);
  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    {
      GtkWidget *row = get_row_widget (list_item);

      if (row != NULL && gtk_widget_get_root (row) != NULL)
        return tsr_row_cells_find (self, gtk_root_get_focus (gtk_widget_get_root (row)));
    }
  return GTK_INVALID_LIST_POSITION;
}
