/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The total row stands over the foot of the headings, which a style class makes higher by one row,
 * so it neither scrolls nor covers anything. */

#include "config.h"

#include "tsr-row-list.h"

#include "tsr-headings.h"
#include "tsr-scroll.h"
#include "tsr-total-row.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define NO_COLUMN       (-1)
#define FIRST_VISIBLE   8 /* before the width is known: a column view costs by column */
#define TEXT_WIDTH      140
#define KEPT_ROWS       256  /* a list view has no more widgets of rows than this */
#define PORTION         4    /* rows made at once */
#define MAKING_TIME     3000 /* microseconds of a frame in which rows are made or filled again */
#define MAIN_TEXT_WIDTH 240
#define NAME_WIDTH      358 /* of names before a wide column, at most */
#define MIN_NAME_WIDTH  160
#define LEAST_WIDTH     180 /* of the wide column, before one that is pinned is hidden */
#define CELL_MARGIN     24  /* padding of a cell on both sides, and some more */
#define LEVEL_WIDTH     16  /* of a tree, and of the arrow before a name */
#define MAX_LEVELS      24
#define NAME_GAP        6
#define SWATCH_WIDTH    22
#define SIGN_WIDTH      46 /* what the sign of hidden columns takes of the headings */
#define MAX_WIDENED     220
#define LOOKED_AT_ROWS  16384 /* for the longest number of a column */
#define LOOKED_AT_NAMES 4096  /* for the longest name */
#define MEASURED_NAMES  16
#define LEAST_HEIGHT    54 /* of what scrolls: two rows, and a bar beside them */
#define WIDTH_KEY       "tsr-width"
/* A list in a page that scrolls of up to PLAIN_ROWS rows has its full height, and only the page
 * scrolls; a longer one is PLAIN_HEIGHT pixels high and scrolls itself. */
#define PLAIN_ROWS       160
#define PLAIN_ROW_HEIGHT 27
#define PLAIN_HEIGHT     520

struct _TsrRowList
{
  GtkWidget parent_instance;

  GtkWidget *overlay;
  GtkWidget *scroller;
  GtkColumnView *view;
  TsrTotalRow *total;
  TsrRowModel *model;
  TsrRowCells *cells;
  TsrUnits units;
  char *signature;             /* (nullable) of the columns that there are */
  int main_width;              /* least one of the main column beside others */
  int name_width;              /* of names before a wide column, until the user drags it */
  int wide_width;              /* of the wide column, until the user drags it; -1: what is left */
  int longest_name;            /* what the longest text of the main column takes; 0: not known */
  int longest_wide;            /* the same of the wide column, which is the main one or another */
  GtkColumnViewColumn *filler; /* the last one, without cells */
  GtkWidget *sign;             /* of columns that have no room */
  GStrv columns;               /* (nullable) keys of those that may be shown; NULL: all */
  gboolean setting; /* columns are made, of which the sorter tells as of a click on a heading */
  int fitted_width;
  guint fit_source;
  guint frame_tick;
  int frames_to_wait;
  gint64 filling;  /* microseconds that filling rows again has taken since the last frame */
  gboolean scroll; /* when the rows are there */
  gboolean focus;  /* the selected row, when it is there */
  gboolean plain, fits;
};

G_DEFINE_FINAL_TYPE (TsrRowList, tsr_row_list, GTK_TYPE_WIDGET)

enum
{
  SORT_CHANGED,
  EXPANDED_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* Columns */

/* (transfer none): the view keeps it. */
static GtkColumnViewColumn *
column_at (TsrRowList *self, guint position)
{
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (self->view), position);

  return column;
}

static guint
n_columns (TsrRowList *self)
{
  guint n = g_list_model_get_n_items (gtk_column_view_get_columns (self->view));

  return n > 0 ? n - 1 : 0; /* the last one is the filler */
}

static gboolean
is_text (TsrRows *rows, guint column)
{
  return tsr_rows_get_column (rows, column)->cell == TSR_CELL_KIND_TEXT;
}

guint
tsr_row_list_get_main_column (TsrRows *rows)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (tsr_rows_get_column (rows, i)->paint == TSR_CELL_PAINTED)
      return i;
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (is_text (rows, i))
      return i;
  return 0;
}

/* FALSE: the user has not chosen the column. */
static gboolean
is_chosen (TsrRowList *self, TsrRows *rows, guint i)
{
  return self->columns == NULL || i == tsr_row_list_get_main_column (rows)
         || g_strv_contains ((const char *const *)self->columns,
                             tsr_rows_get_column (rows, i)->key);
}

/* The column that takes what width is left. */
static guint
get_wide_column (TsrRows *rows)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (tsr_rows_get_column (rows, i)->wide)
      return i;
  return tsr_row_list_get_main_column (rows);
}

static int
get_width (TsrRowList *self, TsrRows *rows, guint i)
{
  GtkColumnViewColumn *column = column_at (self, i);
  int width = gtk_column_view_column_get_visible (column)
                  ? gtk_column_view_column_get_fixed_width (column)
                  : GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), WIDTH_KEY));

  if (i == get_wide_column (rows) && width == self->wide_width)
    {
      int most = i != tsr_row_list_get_main_column (rows)
                     ? self->main_width
                     : MAX (MIN (gtk_widget_get_width (GTK_WIDGET (self)) * 2 / 5, NAME_WIDTH),
                            self->main_width);

      return self->longest_wide > 0 ? MIN (self->longest_wide, most) : self->main_width;
    }
  return width > 0 ? width : TEXT_WIDTH;
}

/* GTK 4.8 gives a hidden column its width all the same. */
static void
set_visible (GtkColumnViewColumn *column, gboolean visible)
{
  if (visible == gtk_column_view_column_get_visible (column))
    return;
  if (visible)
    gtk_column_view_column_set_fixed_width (
        column, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), WIDTH_KEY)));
  else
    {
      g_object_set_data (G_OBJECT (column), WIDTH_KEY,
                         GINT_TO_POINTER (gtk_column_view_column_get_fixed_width (column)));
      gtk_column_view_column_set_fixed_width (column, 0);
    }
  gtk_column_view_column_set_visible (column, visible);
}

/* The most that names before a wide column take where there is little room; in a plain list whose
 * page scrolls they do not share with it what is left, and get more from the start. */
static int
get_most_of_names (TsrRowList *self, int width)
{
  return CLAMP (self->plain && self->fits ? width * 2 / 5 : width / 4, MIN_NAME_WIDTH, NAME_WIDTH);
}

/* Sets the width of names before a wide column, unless the user did.  Returns: what they take now
 * beyond what they took. */
static int
set_name_width (TsrRowList *self, TsrRows *rows, int width)
{
  GtkColumnViewColumn *column = column_at (self, tsr_row_list_get_main_column (rows));
  int old = gtk_column_view_column_get_fixed_width (column);

  if (tsr_row_list_get_main_column (rows) == get_wide_column (rows) || old != self->name_width)
    return 0;
  self->name_width = self->longest_name > 0 ? MIN (width, self->longest_name) : width;
  gtk_column_view_column_set_fixed_width (column, self->name_width);
  return self->name_width - old;
}

/* Names before a wide column are as wide as the longest where both have room, and share with it
 * as their longest texts ask where not.  @left: what the other columns leave of @width to the wide
 * one.  Returns: what is left then. */
static int
share_names (TsrRowList *self, TsrRows *rows, int width, int left)
{
  int both = left + self->name_width;

  if ((self->plain && self->fits) || self->longest_name <= 0 || self->longest_wide <= 0)
    return left;
  if (self->longest_name + self->longest_wide <= both)
    return left - set_name_width (self, rows, self->longest_name);
  return left
         - set_name_width (self, rows,
                           CLAMP ((int)((gint64)both * self->longest_name
                                        / (self->longest_name + self->longest_wide)),
                                  MIN_NAME_WIDTH, get_most_of_names (self, width)));
}

/* Names are as wide as the longest, and figures stand next to them; the filler takes what is left,
 * and has the sign of hidden columns over its heading.  In a plain list whose page scrolls names
 * take what is left, since a width would be one of the page.  @left: what the others leave. */
static void
fit_wide (TsrRowList *self, TsrRows *rows, int left, gboolean sign)
{
  GtkColumnViewColumn *column = column_at (self, get_wide_column (rows));
  gboolean dragged = gtk_column_view_column_get_fixed_width (column) != self->wide_width;

  if (!dragged)
    {
      self->wide_width
          = self->longest_wide > 0 && self->longest_wide <= left && !(self->plain && self->fits)
                ? self->longest_wide
                : -1;
      gtk_column_view_column_set_fixed_width (column, self->wide_width);
      gtk_column_view_column_set_expand (column, self->wide_width < 0);
    }
  gtk_column_view_column_set_fixed_width (self->filler, sign ? SIGN_WIDTH : 0);
  gtk_column_view_column_set_expand (self->filler, dragged || self->wide_width >= 0);
  gtk_column_view_column_set_visible (self->filler, sign || dragged || self->wide_width >= 0);
}

/* Says which columns are @hidden because they have no room. */
static void
show_sign (TsrRowList *self, TsrRows *rows, const gboolean *hidden, guint n_hidden)
{
  g_autofree char *label = g_strdup_printf ("+%u", n_hidden), *text = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  gboolean all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->sign));

  gtk_widget_set_visible (self->sign, tsr_rows_get_n (rows) > 0 && (n_hidden > 0 || all));
  if (n_hidden == 0)
    return;
  for (guint i = 0; i < n_columns (self); i++)
    if (hidden[i])
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              tsr_rows_get_column (rows, i)->title);
  /* Translators: %s is a list of columns */
  text = g_strdup_printf (_ ("No room for: %s.  Click to show all columns and to scroll sideways"),
                          names->str);
  gtk_button_set_label (GTK_BUTTON (self->sign), label);
  gtk_widget_set_tooltip_text (self->sign, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->sign), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
}

/* Hides columns from the last one on until the others fit: those not pinned first, and pinned ones
 * only when names cannot be cut any more. */
static void
fit_columns (TsrRowList *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  guint n = n_columns (self), n_visible = n;
  g_autofree gboolean *hidden = g_new0 (gboolean, n + 1), *cramped = g_new0 (gboolean, n + 1);
  gboolean all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->sign));
  guint n_cramped = 0;
  int needed = 0, can_cut, left;

  if (rows == NULL || n != tsr_rows_get_n_columns (rows))
    return;
  self->fitted_width = width;
  if (width > 0)
    set_name_width (self, rows, get_most_of_names (self, width));
  for (guint i = 0; i < n; i++)
    {
      hidden[i] = !is_chosen (self, rows, i);
      n_visible -= hidden[i];
      needed += hidden[i] ? 0 : get_width (self, rows, i);
    }
  can_cut = get_width (self, rows, get_wide_column (rows)) - LEAST_WIDTH - SIGN_WIDTH;
  for (guint pinned = 0; pinned < 2 && !all; pinned++)
    for (guint i = n; i-- > 0 && n_visible > 1;)
      {
        if (width <= 0 ? n_visible <= FIRST_VISIBLE
                       : needed - (pinned == 0 ? 0 : MAX (can_cut, 0)) <= width)
          break;
        if (hidden[i] || i == tsr_row_list_get_main_column (rows) || i == get_wide_column (rows)
            || (pinned == 0) == !!tsr_rows_get_column (rows, i)->pinned)
          continue;
        hidden[i] = cramped[i] = TRUE;
        needed -= get_width (self, rows, i);
        n_visible--;
        n_cramped++;
      }
  /* Hidden ones first: a column view costs by column, and is never to have them all. */
  for (guint i = 0; i < n; i++)
    if (hidden[i])
      set_visible (column_at (self, i), FALSE);
  for (guint i = 0; i < n; i++)
    set_visible (column_at (self, i), !hidden[i]);
  left = width - needed + get_width (self, rows, get_wide_column (rows))
         - (n_cramped > 0 ? SIGN_WIDTH : 0);
  if (n > 0 && width > 0)
    fit_wide (self, rows, share_names (self, rows, width, left), n_cramped > 0);
  show_sign (self, rows, cramped, n_cramped);
  gtk_widget_queue_allocate (GTK_WIDGET (self->total));
}

static gboolean
fit_later (gpointer data)
{
  TsrRowList *self = data;

  self->fit_source = 0;
  fit_columns (self);
  return G_SOURCE_REMOVE;
}

static void
on_column_resized (TsrRowList *self)
{
  gtk_widget_queue_allocate (GTK_WIDGET (self->total));
}

static void
append_column (TsrRowList *self, TsrRows *rows, guint i)
{
  const TsrRowColumn *info = tsr_rows_get_column (rows, i);
  gboolean main_column = i == tsr_row_list_get_main_column (rows);
  g_autoptr (GtkSorter) sorter = tsr_heading_sorter_new (i);
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (
      info->title, tsr_row_cells_create_factory (self->cells, i, main_column));

  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (i == get_wide_column (rows))
    {
      self->wide_width = -1;
      gtk_column_view_column_set_expand (column, TRUE);
    }
  else if (main_column)
    {
      self->name_width = NAME_WIDTH;
      gtk_column_view_column_set_fixed_width (column, NAME_WIDTH);
    }
  else
    gtk_column_view_column_set_fixed_width (
        column, MAX (tsr_heading_get_width (GTK_WIDGET (self), info->title),
                     info->cell == TSR_CELL_KIND_TEXT ? TEXT_WIDTH : 0));
  g_signal_connect_object (column, "notify::fixed-width", G_CALLBACK (on_column_resized), self,
                           G_CONNECT_SWAPPED);
  gtk_column_view_append_column (self->view, column);
}

/* Titles may say other units or steps than those of the table before. */
static void
dress_columns (TsrRowList *self, TsrRows *rows)
{
  for (guint i = 0; i < n_columns (self); i++)
    {
      const TsrRowColumn *info = tsr_rows_get_column (rows, i);

      if (g_strcmp0 (gtk_column_view_column_get_title (column_at (self, i)), info->title) != 0)
        gtk_column_view_column_set_title (column_at (self, i), info->title);
      tsr_heading_dress (self->view, i, info->cell == TSR_CELL_KIND_VALUE,
                         info->definition != NULL ? info->definition : info->title);
    }
  if (n_columns (self) > 0) /* the filler has no title, but it needs a name */
    gtk_accessible_update_property (
        GTK_ACCESSIBLE (tsr_headings_get_title (self->view, n_columns (self))),
        GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("No column"), -1);
  if (n_columns (self) > 0 && !self->plain)
    gtk_accessible_update_property (
        GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
        tsr_rows_get_column (rows, tsr_row_list_get_main_column (rows))->title, -1);
}

void
tsr_row_list_show_sort (TsrRowList *self, int column, gboolean descending)
{
  gboolean was = self->setting;

  self->setting = TRUE;
  gtk_column_view_sort_by_column (
      self->view, column >= 0 && column < (int)n_columns (self) ? column_at (self, column) : NULL,
      descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  self->setting = was;
}

char *
tsr_row_list_dup_signature (TsrRows *rows)
{
  GString *text = g_string_new (tsr_rows_is_tree (rows) ? "tree " : NULL);

  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    g_string_append_printf (text, "%s%c", tsr_rows_get_column (rows, i)->key,
                            is_text (rows, i) ? '=' : '#');
  return g_string_free (text, FALSE);
}

static void
rebuild_columns (TsrRowList *self, TsrRows *rows)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);

  for (guint n; (n = g_list_model_get_n_items (columns)) > 0;)
    gtk_column_view_remove_column (self->view, column_at (self, n - 1));
  for (guint i = 0; rows != NULL && i < tsr_rows_get_n_columns (rows); i++)
    append_column (self, rows, i);
  gtk_column_view_append_column (self->view, self->filler);
}

/* Rows */

static GtkWidget *
get_list (TsrRowList *self)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->view));

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Where the total is called so: beside a picture, not in its place. */
static guint
get_label_column (TsrRows *rows)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (is_text (rows, i) && tsr_rows_get_column (rows, i)->paint != TSR_CELL_PAINTED)
      return i;
  return tsr_row_list_get_main_column (rows);
}

static void
update_total (TsrRowList *self)
{
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  TsrRowOrder *order = tsr_row_model_get_order (self->model);
  guint n = rows != NULL ? tsr_rows_get_n_columns (rows) : 0;
  g_auto (GStrv) texts = g_new0 (char *, n + 1);
  g_autoptr (GPtrArray) exact = g_ptr_array_new_full (n, g_free); /* with gaps */
  g_autofree gboolean *numbers = g_new0 (gboolean, n + 1);
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const TsrRowColumn *info = tsr_rows_get_column (rows, i);

      numbers[i] = info->cell == TSR_CELL_KIND_VALUE;
      any |= numbers[i] && info->summed;
      if (numbers[i] && (info->summed || order->totals[i] != TSR_UNKNOWN))
        {
          texts[i] = tsr_rows_format (rows, i, order->totals[i], self->units);
          g_ptr_array_add (exact, tsr_rows_format_exact (rows, i, order->totals[i]));
        }
      else
        {
          gboolean label = i == get_label_column (rows);

          texts[i] = g_strdup (!label ? "" : info->total != NULL ? info->total : _ ("Total"));
          g_ptr_array_add (exact, g_strdup (label ? info->total_hint : NULL));
        }
    }
  any = any && order->n > 0;
  tsr_total_row_set (self->total, n, (const char *const *)texts, (const char *const *)exact->pdata,
                     numbers);
  gtk_widget_set_visible (GTK_WIDGET (self->total), any);
  if (any)
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "with-total");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->view), "with-total");
}

static void
scroll_now (TsrRowList *self)
{
  guint position = tsr_row_model_find_selected (self->model);

  if (position != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (get_list (self), "list.scroll-to-item", "u", position);
  else
    gtk_adjustment_set_value (
        gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

static void
focus_selected (TsrRowList *self)
{
  guint position = tsr_row_model_find_selected (self->model);
  GtkWidget *row = tsr_row_cells_get_row_widget (self->cells, position);

  if (row != NULL)
    gtk_widget_grab_focus (row);
}

static void
refill (TsrRowList *self)
{
  const gint64 begin = g_get_monotonic_time ();

  tsr_row_cells_refresh (self->cells);
  self->filling += g_get_monotonic_time () - begin;
}

/* In each frame as many rows more as there is time for, until the view has made all the widgets
 * that it keeps; then the scrolling that was asked for, since GTK scrolls by heights, which rows
 * have once they have been in a frame. */
static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrRowList *self = TSR_ROW_LIST (widget);
  GListModel *items = G_LIST_MODEL (self->model);
  const gint64 until = g_get_monotonic_time () + MAKING_TIME - self->filling;

  self->filling = 0;
  if (!gtk_widget_get_mapped (widget)) /* on when it is shown again */
    {
      self->frame_tick = 0;
      return G_SOURCE_REMOVE;
    }
  if (tsr_row_model_is_growing (self->model))
    while (tsr_row_model_grow (self->model,
                               g_list_model_get_n_items (items) < KEPT_ROWS ? PORTION : G_MAXUINT)
           && g_get_monotonic_time () < until)
      ;
  else if (self->frames_to_wait-- <= 0)
    {
      self->frame_tick = 0;
      if (self->scroll)
        scroll_now (self);
      if (self->focus)
        focus_selected (self);
      self->scroll = self->focus = FALSE;
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

static void
watch_frames (TsrRowList *self)
{
  self->frames_to_wait = 1;
  if (self->frame_tick == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->frame_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
}

/* GTK 4.8 finds no row where it is scrolled to, and warns, until the rows have been in a frame.  It
 * tells the scrollbar in the next frame that an empty list has nothing to scroll; told here, nobody
 * scrolls what comes next before it is there. */
static void
on_items_changed (TsrRowList *self)
{
  GtkAdjustment *adjustment
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  GtkWidget *list = get_list (self);

  self->frames_to_wait = 1;
  if (self->fits)
    gtk_scrolled_window_set_max_content_height (
        GTK_SCROLLED_WINDOW (self->scroller),
        tsr_row_outline_get_n (tsr_row_model_get_outline (self->model)) <= PLAIN_ROWS
            ? PLAIN_ROWS * PLAIN_ROW_HEIGHT
            : PLAIN_HEIGHT);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->model)) > 0)
    return;
  g_signal_handlers_block_matched (adjustment, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, list);
  gtk_adjustment_configure (adjustment, 0, 0, 0, 0, 0, 0);
  g_signal_handlers_unblock_matched (adjustment, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, list);
}

/* A list that is not shown has no heights: scrolled then, it would show its first row alone. */
static void
tsr_row_list_map (GtkWidget *widget)
{
  TsrRowList *self = TSR_ROW_LIST (widget);

  GTK_WIDGET_CLASS (tsr_row_list_parent_class)->map (widget);
  if (self->scroll || tsr_row_model_is_growing (self->model))
    watch_frames (self);
}

void
tsr_row_list_scroll_to_selected (TsrRowList *self)
{
  g_return_if_fail (TSR_IS_ROW_LIST (self));
  self->scroll = TRUE;
  watch_frames (self);
}

gboolean
tsr_row_list_is_growing (TsrRowList *self)
{
  g_return_val_if_fail (TSR_IS_ROW_LIST (self), FALSE);
  return gtk_widget_get_mapped (GTK_WIDGET (self)) && tsr_row_model_is_growing (self->model);
}

void
tsr_row_list_focus (TsrRowList *self)
{
  gtk_widget_grab_focus (get_list (self));
}

/* The widest number of a column: that of a cell, the total, or, where @order leaves rows out, the
 * total of all rows.  Of very many rows only every n-th is looked at.  TSR_UNKNOWN: no number. */
static gint64
get_longest_number (TsrRows *rows, TsrRowOrder *order, guint column)
{
  const TsrRowColumn *info = tsr_rows_get_column (rows, column);
  guint32 n = tsr_rows_get_n (rows), stride = MAX (n / LOOKED_AT_ROWS, 1);
  const gint64 totals[] = { order->totals[column], info->whole };
  gint64 longest = TSR_UNKNOWN;
  double sum = 0;

  for (guint32 i = 0;
       i < n && (info->summed || info->kind == TSR_VALUE_COUNT || info->kind == TSR_VALUE_INDEX);
       i += MIN (stride, n - i))
    {
      gint64 value = tsr_rows_get_value (rows, i, column);

      if (value == TSR_UNKNOWN)
        continue;
      if (longest == TSR_UNKNOWN || ABS (value) > ABS (longest))
        longest = value;
      if (!info->leaves || tsr_rows_get_end (rows, i) == i + 1)
        sum += (double)value * stride;
    }
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    if (totals[i] != TSR_UNKNOWN && (longest == TSR_UNKNOWN || ABS (totals[i]) > ABS (longest)))
      longest = totals[i];
  if (info->summed && order->n < n && longest != TSR_UNKNOWN && fabs (sum) > ABS (longest)
      && fabs (sum) < (double)G_MAXINT64)
    longest = (gint64)sum;
  return longest;
}

static const char *
get_longest_text (TsrRows *rows, guint column)
{
  guint32 n = tsr_rows_get_n (rows), stride = MAX (n / LOOKED_AT_ROWS, 1);
  const char *longest = "";
  gsize length = 0;

  for (guint32 i = 0; i < n; i += MIN (stride, n - i))
    {
      const char *text = tsr_rows_get_text (rows, i, column);

      if (text != NULL && strlen (text) > length)
        {
          longest = text;
          length = strlen (text);
        }
    }
  return longest;
}

static int
get_name_width (TsrRowList *self, TsrRows *rows, guint32 row, guint column)
{
  const char *name = tsr_rows_get_text (rows, row, column);
  const char *suffix = tsr_rows_get_suffix (rows, row);
  g_autofree char *text
      = g_strdup_printf ("%s %s", name != NULL ? name : "", suffix != NULL ? suffix : "");
  int width = tsr_text_get_width (GTK_WIDGET (self), text) + CELL_MARGIN + SWATCH_WIDTH;

  if (tsr_rows_is_tree (rows))
    width += LEVEL_WIDTH * (1 + (int)MIN (tsr_rows_get_depth (rows, row), MAX_LEVELS)) + NAME_GAP;
  return width;
}

/* What a @column of names has to show, 0 if it has none; a tree as if all of it were open.  Names
 * of nearly as many letters as the longest may be wider: some of them are measured, too. */
static int
get_longest_name (TsrRowList *self, TsrRows *rows, guint column)
{
  guint n_measured = 0;
  const TsrRowColumn *info = tsr_rows_get_column (rows, column);
  guint32 n = tsr_rows_get_n (rows), stride = MAX (n / LOOKED_AT_NAMES, 1);
  gsize most = 0;
  int width = tsr_heading_get_width (GTK_WIDGET (self), info->title);

  if (info->cell != TSR_CELL_KIND_TEXT || info->paint == TSR_CELL_PAINTED || n == 0)
    return 0;
  for (guint32 i = 0; i < n; i += MIN (stride, n - i))
    {
      const char *name = tsr_rows_get_text (rows, i, column);
      const char *behind = tsr_rows_get_suffix (rows, i);
      gsize length = (name != NULL ? strlen (name) : 0) + (behind != NULL ? strlen (behind) + 1 : 0)
                     + 2 * MIN (tsr_rows_get_depth (rows, i), MAX_LEVELS);

      if (length <= most && (length * 8 < most * 7 || n_measured++ >= MEASURED_NAMES))
        continue;
      most = MAX (most, length);
      width = MAX (width, get_name_width (self, rows, i, column));
    }
  return width;
}

/* What a column has to show.  NULL: anything has room. */
static char *
dup_longest (TsrRowList *self, TsrRows *rows, TsrRowOrder *order, guint i)
{
  gint64 number;

  if (i == tsr_row_list_get_main_column (rows) || i == get_wide_column (rows))
    return NULL;
  if (is_text (rows, i))
    return g_strdup (get_longest_text (rows, i));
  if (tsr_rows_get_column (rows, i)->cell != TSR_CELL_KIND_VALUE)
    return NULL;
  number = get_longest_number (rows, order, i);
  return number != TSR_UNKNOWN ? tsr_rows_format (rows, i, number, self->units) : NULL;
}

static void
widen_columns (TsrRowList *self, TsrRows *rows, TsrRowOrder *order)
{
  for (guint i = 0; i < n_columns (self); i++)
    {
      GtkColumnViewColumn *column = column_at (self, i);
      g_autofree char *text = is_chosen (self, rows, i) ? dup_longest (self, rows, order, i) : NULL;
      int width;

      if (text == NULL)
        continue;
      width = (is_text (rows, i) ? tsr_text_get_width : tsr_number_get_width) (GTK_WIDGET (self),
                                                                               text);
      width = MIN (width + CELL_MARGIN, MAX_WIDENED);
      if (width <= get_width (self, rows, i))
        continue;
      if (gtk_column_view_column_get_visible (column))
        gtk_column_view_column_set_fixed_width (column, width);
      else
        g_object_set_data (G_OBJECT (column), WIDTH_KEY, GINT_TO_POINTER (width));
    }
}

void
tsr_row_list_set_columns (TsrRowList *self, const char *const *keys, int main_width)
{
  TsrRows *rows;

  g_return_if_fail (TSR_IS_ROW_LIST (self));
  rows = tsr_row_model_get_rows (self->model);
  self->main_width = main_width > 0 ? main_width : MAIN_TEXT_WIDTH;
  if (keys == NULL || self->columns == NULL
      || !g_strv_equal (keys, (const char *const *)self->columns))
    {
      g_strfreev (self->columns);
      self->columns = g_strdupv ((char **)keys);
      if (rows != NULL && n_columns (self) == tsr_rows_get_n_columns (rows))
        widen_columns (self, rows, tsr_row_model_get_order (self->model));
    }
  fit_columns (self);
}

int
tsr_row_list_get_wanted_width (TsrRowList *self)
{
  TsrRows *rows;
  int wanted = 0;

  g_return_val_if_fail (TSR_IS_ROW_LIST (self), 0);
  rows = tsr_row_model_get_rows (self->model);
  if (rows == NULL || n_columns (self) != tsr_rows_get_n_columns (rows) || self->longest_wide == 0)
    return 0;
  for (guint i = 0; i < n_columns (self); i++)
    if (i == get_wide_column (rows))
      wanted += self->longest_wide;
    else if (is_chosen (self, rows, i))
      wanted += get_width (self, rows, i);
  return wanted;
}

/* How many rows the view may get at once: widgets of rows are what a table costs, and one that is
 * not shown needs none yet. */
static guint
get_portion (TsrRowList *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  return n >= KEPT_ROWS ? G_MAXUINT : MAX (n, PORTION);
}

void
tsr_row_list_show (
    TsrRowList *self, TsrRows *rows, TsrRowOrder *order, TsrUnits units, GtkBitset *select)
{
  g_autofree char *signature = NULL;
  gboolean was = self->setting;
  TsrRowOrder *old;
  gboolean reordered;

  g_return_if_fail (TSR_IS_ROW_LIST (self));
  self->setting = TRUE;
  self->units = units;
  tsr_row_cells_set_units (self->cells, units);
  old = tsr_row_model_get_order (self->model);
  reordered = old != NULL && order != NULL
              && (old->sort_column != order->sort_column || old->descending != order->descending
                  || old->filter != order->filter);
  signature = rows != NULL ? tsr_row_list_dup_signature (rows) : NULL;
  if (rows != NULL && g_strcmp0 (signature, self->signature) != 0)
    {
      g_free (self->signature);
      self->signature = g_steal_pointer (&signature);
      /* Rows that are there stay where they are. */
      if (tsr_row_model_is_same_tree (self->model, rows))
        tsr_row_model_set (self->model, rows, order, get_portion (self));
      else
        tsr_row_model_set (self->model, NULL, NULL, 0);
      rebuild_columns (self, rows);
      widen_columns (self, rows, order);
    }
  else if (rows != NULL && rows != tsr_row_model_get_rows (self->model))
    widen_columns (self, rows, order);
  if (rows != NULL && rows != tsr_row_model_get_rows (self->model))
    {
      self->longest_name = get_longest_name (self, rows, tsr_row_list_get_main_column (rows));
      self->longest_wide = get_wide_column (rows) != tsr_row_list_get_main_column (rows)
                               ? get_longest_name (self, rows, get_wide_column (rows))
                               : self->longest_name;
    }
  tsr_row_model_set (self->model, rows, order, get_portion (self));
  if (rows != NULL)
    {
      dress_columns (self, rows);
      tsr_row_list_show_sort (self, order->sort_column, order->descending);
    }
  refill (self);
  update_total (self);
  fit_columns (self);
  gtk_widget_set_visible (self->scroller, rows != NULL && tsr_rows_get_n (rows) > 0);
  if (select != NULL)
    tsr_row_model_set_selected (self->model, select);
  if (select != NULL || reordered)
    tsr_row_list_scroll_to_selected (self);
  else if (tsr_row_model_is_growing (self->model))
    watch_frames (self);
  self->setting = was;
}

/* Trees */

void
tsr_row_list_set_expanded (TsrRowList *self, guint32 row, gboolean expanded, gboolean below)
{
  g_return_if_fail (TSR_IS_ROW_LIST (self));
  tsr_row_model_set_expanded (self->model, row, expanded, below, PORTION);
  refill (self);
  if (tsr_row_model_is_growing (self->model))
    watch_frames (self);
  g_signal_emit (self, signals[EXPANDED_CHANGED], 0, row, below);
}

void
tsr_row_list_set_plain (TsrRowList *self, const char *name)
{
  g_return_if_fail (TSR_IS_ROW_LIST (self) && name != NULL);
  self->plain = TRUE;
  gtk_widget_set_visible (gtk_widget_get_first_child (GTK_WIDGET (self->view)), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "plain");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
}

void
tsr_row_list_set_fits (TsrRowList *self)
{
  g_return_if_fail (TSR_IS_ROW_LIST (self));
  self->fits = TRUE;
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller),
                                  self->plain ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
}

void
tsr_row_list_set_keys (TsrRowList *self, const char *const *keys)
{
  g_return_if_fail (TSR_IS_ROW_LIST (self));
  tsr_row_model_set_keys (self->model, keys, PORTION);
  refill (self);
  if (tsr_row_model_is_growing (self->model))
    watch_frames (self);
}

static void
toggle (TsrRowList *self, guint position)
{
  guint32 row = tsr_row_model_get_row (self->model, position);

  if (tsr_row_outline_can_expand (tsr_row_model_get_outline (self->model), row))
    tsr_row_list_set_expanded (
        self, row, !tsr_row_outline_is_expanded (tsr_row_model_get_outline (self->model), row),
        FALSE);
}

static void
go_to (TsrRowList *self, guint position)
{
  GtkWidget *row;

  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->model), position, TRUE);
  gtk_widget_activate_action (get_list (self), "list.scroll-to-item", "u", position);
  row = tsr_row_cells_get_row_widget (self->cells, position);
  if (row != NULL)
    gtk_widget_grab_focus (row);
  else
    {
      self->focus = TRUE;
      tsr_row_list_scroll_to_selected (self);
    }
}

gboolean
tsr_row_list_key (TsrRowList *self, guint key, GdkModifierType state)
{
  TsrRowOutline *outline = tsr_row_model_get_outline (self->model);
  TsrRows *rows = tsr_row_model_get_rows (self->model);
  gboolean below = (state & gtk_accelerator_get_default_mod_mask ()) == GDK_SHIFT_MASK;
  guint position;
  guint32 row, parent;

  g_return_val_if_fail (TSR_IS_ROW_LIST (self), FALSE);
  if (rows == NULL || !tsr_rows_is_tree (rows)
      || (!below && (state & gtk_accelerator_get_default_mod_mask ()) != 0)
      || (key != GDK_KEY_Left && key != GDK_KEY_Right)
      || (position = tsr_row_cells_find_focus (self->cells)) == GTK_INVALID_LIST_POSITION)
    return FALSE;
  row = tsr_row_model_get_row (self->model, position);
  parent = tsr_rows_get_parent (rows, row);
  if (key == GDK_KEY_Right && !tsr_row_outline_can_expand (outline, row))
    return FALSE;
  if (key == GDK_KEY_Right && (below || !tsr_row_outline_is_expanded (outline, row)))
    tsr_row_list_set_expanded (self, row, TRUE, below);
  else if (key == GDK_KEY_Right)
    go_to (self, position + 1);
  else if (tsr_row_outline_is_expanded (outline, row))
    tsr_row_list_set_expanded (self, row, FALSE, below);
  else if (parent != TSR_NO_INDEX)
    go_to (self, tsr_row_outline_find (outline, parent));
  return TRUE;
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint key,
        guint code,
        GdkModifierType state,
        TsrRowList *self)
{
  return tsr_row_list_key (self, key, state);
}

static void
on_sorter_changed (GtkSorter *sorter, GtkSorterChange change, TsrRowList *self)
{
  gboolean descending;
  int column;

  if (self->setting)
    return;
  column = tsr_headings_get_sort (self->view, &descending);
  g_signal_emit (self, signals[SORT_CHANGED], 0, column, descending);
}

/* Object */

static void
tsr_row_list_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  TsrRowList *self = TSR_ROW_LIST (widget);

  gtk_widget_measure (self->overlay, orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
  /* Here GTK counts the height that the heading had when the list was drawn last, if it was. */
  if (orientation == GTK_ORIENTATION_VERTICAL && !self->fits
      && gtk_widget_get_visible (self->scroller))
    {
      gtk_widget_measure (gtk_widget_get_first_child (GTK_WIDGET (self->view)), orientation, -1,
                          minimum, NULL, NULL, NULL);
      *minimum += LEAST_HEIGHT;
      *natural = *minimum;
    }
}

static void
tsr_row_list_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrRowList *self = TSR_ROW_LIST (widget);
  GtkAllocation place = { 0, 0, width, height };

  gtk_widget_size_allocate (self->overlay, &place, baseline);
  /* Not now: columns ask for another size. */
  if (width != self->fitted_width && self->fit_source == 0)
    self->fit_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_later, self, NULL);
}

static gboolean
on_get_position (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, TsrRowList *self)
{
  if (child != GTK_WIDGET (self->total))
    return FALSE;
  return tsr_total_row_get_position (self->total, GTK_WIDGET (overlay), place);
}

static void
tsr_row_list_dispose (GObject *object)
{
  TsrRowList *self = TSR_ROW_LIST (object);

  self->setting = TRUE;
  g_clear_handle_id (&self->fit_source, g_source_remove);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_row_list_parent_class)->dispose (object);
}

static void
tsr_row_list_finalize (GObject *object)
{
  TsrRowList *self = TSR_ROW_LIST (object);

  g_object_unref (self->cells);
  g_object_unref (self->model);
  g_free (self->signature);
  g_strfreev (self->columns);
  g_object_unref (self->filler);
  G_OBJECT_CLASS (tsr_row_list_parent_class)->finalize (object);
}

static void
tsr_row_list_class_init (TsrRowListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_row_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_row_list_finalize;
  widget_class->measure = tsr_row_list_measure;
  widget_class->size_allocate = tsr_row_list_size_allocate;
  widget_class->map = tsr_row_list_map;
  signals[SORT_CHANGED]
      = g_signal_new ("sort-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[EXPANDED_CHANGED]
      = g_signal_new ("expanded-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
}

static void
tsr_row_list_init (TsrRowList *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkAdjustment *adjustment;

  self->main_width = MAIN_TEXT_WIDTH;
  self->model = tsr_row_model_new ();
  self->cells = tsr_row_cells_new (self->model);
  g_signal_connect_object (self->cells, "toggle-row", G_CALLBACK (toggle), self, G_CONNECT_SWAPPED);
  self->view
      = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (self->model))));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (toggle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed",
                           G_CALLBACK (on_sorter_changed), self, 0);
  self->scroller = gtk_scrolled_window_new ();
  tsr_scroll_chain_add (GTK_SCROLLED_WINDOW (self->scroller));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_column_resized), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  self->total = tsr_total_row_new (self->view);
  self->filler = gtk_column_view_column_new (NULL, NULL);
  gtk_column_view_column_set_visible (self->filler, FALSE);
  self->sign = gtk_toggle_button_new ();
  gtk_widget_add_css_class (self->sign, "flat");
  gtk_widget_add_css_class (self->sign, "hidden-columns");
  gtk_widget_set_halign (self->sign, GTK_ALIGN_END);
  gtk_widget_set_valign (self->sign, GTK_ALIGN_START);
  gtk_widget_set_visible (self->sign, FALSE);
  g_signal_connect_swapped (self->sign, "toggled", G_CALLBACK (fit_columns), self);
  self->overlay = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), self->scroller);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), GTK_WIDGET (self->total));
  gtk_overlay_set_clip_overlay (GTK_OVERLAY (self->overlay), GTK_WIDGET (self->total), TRUE);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->sign);
  g_signal_connect (self->overlay, "get-child-position", G_CALLBACK (on_get_position), self);
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  update_total (self);
}

TsrRowList *
tsr_row_list_new (void)
{
  return g_object_new (TSR_TYPE_ROW_LIST, NULL);
}

TsrRowModel *
tsr_row_list_get_model (TsrRowList *self)
{
  return self->model;
}

TsrRowCells *
tsr_row_list_get_cells (TsrRowList *self)
{
  return self->cells;
}

GtkColumnView *
tsr_row_list_get_column_view (TsrRowList *self)
{
  return self->view;
}

void
tsr_row_list_add_message (TsrRowList *self, GtkWidget *message)
{
  g_return_if_fail (TSR_IS_ROW_LIST (self));
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), message);
}
