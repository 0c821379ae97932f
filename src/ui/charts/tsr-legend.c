/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every series has two buttons, one in the row and one in the list behind "more"; both follow the
 * model and change nothing but the model. */

#include "config.h"

#include "tsr-legend.h"

#include "tsr-swatch.h"

#include <glib/gi18n.h>
#include <string.h>

#define SPACING 2

typedef struct
{
  TsrLegend *legend;
  guint series;
  GtkWidget *button;
  TsrSwatch *swatch;
  GtkLabel *label;
  gboolean minor, kept; /* as in TsrChartSeries */
} Entry;

struct _TsrLegend
{
  GtkWidget parent_instance;

  TsrChartModel *model;
  GPtrArray *row;  /* Entry, in the legend itself */
  GPtrArray *list; /* Entry, in the popover */
  GtkWidget *more; /* menu button */
  GtkWidget *box;  /* in its popover */
};

G_DEFINE_FINAL_TYPE (TsrLegend, tsr_legend, GTK_TYPE_WIDGET)

static void
on_toggled (GtkWidget *button, Entry *entry)
{
  TsrLegend *self = entry->legend;

  if (self->model != NULL)
    tsr_chart_model_set_series_visible (self->model, entry->series,
                                        gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
}

void
tsr_legend_solo (TsrLegend *self, guint i)
{
  TsrChartSeries series;
  gboolean alone = TRUE;
  guint n;

  g_return_if_fail (TSR_IS_LEGEND (self) && self->model != NULL);
  n = tsr_chart_model_get_n_series (self->model);
  for (guint k = 0; k < n; k++)
    {
      tsr_chart_model_get_series (self->model, k, &series);
      alone &= series.visible == (k == i);
    }
  for (guint k = 0; k < n; k++)
    tsr_chart_model_set_series_visible (self->model, k, alone || k == i);
}

/* Behind "toggled", which is taken back.  A gesture of ours beside the button's own would not keep
 * it from toggling. */
static void
on_clicked (GtkWidget *button, Entry *entry)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (button));
  GdkDevice *keyboard = seat != NULL ? gdk_seat_get_keyboard (seat) : NULL;

  if (keyboard == NULL || (gdk_device_get_modifier_state (keyboard) & GDK_CONTROL_MASK) == 0)
    return;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button),
                                !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  tsr_legend_solo (entry->legend, entry->series);
}

static Entry *
entry_new (TsrLegend *self, guint series, GtkWidget *button)
{
  Entry *entry = g_new0 (Entry, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  entry->legend = self;
  entry->series = series;
  entry->button = button;
  entry->swatch = tsr_swatch_new ();
  entry->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (entry->swatch));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (entry->label));
  gtk_button_set_child (GTK_BUTTON (button), box);
  g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), entry);
  g_signal_connect (button, "clicked", G_CALLBACK (on_clicked), entry);
  return entry;
}

static void
update_entry (Entry *entry, const TsrChartSeries *series)
{
  g_autofree char *tooltip = g_strdup_printf (
      series->visible ? _ ("Hide %s (Ctrl+click: show only this)") : _ ("Show %s"), series->name);
  PangoAttrList *attributes = pango_attr_list_new ();

  if (!series->visible)
    pango_attr_list_insert (attributes, pango_attr_strikethrough_new (TRUE));
  gtk_label_set_attributes (entry->label, attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_label (entry->label, series->name);
  entry->minor = series->minor;
  entry->kept = series->kept;
  tsr_swatch_set_series (entry->swatch, series);
  gtk_widget_set_tooltip_text (entry->button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  series->name, -1);
  if (series->visible)
    gtk_widget_remove_css_class (entry->button, "hidden-series");
  else
    gtk_widget_add_css_class (entry->button, "hidden-series");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (entry->button), series->visible);
}

static void
add_entries (TsrLegend *self, guint i)
{
  GtkWidget *toggle = gtk_toggle_button_new ();
  GtkWidget *item = gtk_toggle_button_new ();

  gtk_widget_add_css_class (toggle, "flat");
  gtk_widget_insert_before (toggle, GTK_WIDGET (self), self->more);
  g_ptr_array_add (self->row, entry_new (self, i, toggle));
  gtk_widget_add_css_class (item, "flat");
  gtk_box_append (GTK_BOX (self->box), item);
  g_ptr_array_add (self->list, entry_new (self, i, item));
  gtk_widget_set_halign (gtk_button_get_child (GTK_BUTTON (item)), GTK_ALIGN_START);
}

static void
remove_entries (TsrLegend *self)
{
  for (guint i = 0; i < self->row->len; i++)
    {
      Entry *in_row = g_ptr_array_index (self->row, i),
            *in_list = g_ptr_array_index (self->list, i);

      gtk_widget_unparent (in_row->button);
      gtk_box_remove (GTK_BOX (self->box), in_list->button);
    }
  g_ptr_array_set_size (self->row, 0);
  g_ptr_array_set_size (self->list, 0);
}

static void
update (TsrLegend *self)
{
  guint n = self->model != NULL ? tsr_chart_model_get_n_series (self->model) : 0;

  if (n != self->row->len)
    {
      remove_entries (self);
      for (guint i = 0; i < n; i++)
        add_entries (self, i);
    }
  for (guint i = 0; i < n; i++)
    {
      TsrChartSeries series;

      tsr_chart_model_get_series (self->model, i, &series);
      update_entry (g_ptr_array_index (self->row, i), &series);
      update_entry (g_ptr_array_index (self->list, i), &series);
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static int
natural_width (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

static gboolean
has_minor (TsrLegend *self)
{
  for (guint i = 0; i < self->row->len; i++)
    if (((Entry *)g_ptr_array_index (self->row, i))->minor)
      return TRUE;
  return FALSE;
}

static void
tsr_legend_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  TsrLegend *self = TSR_LEGEND (widget);

  *minimum = *natural = 0;
  for (guint i = 0; i <= self->row->len; i++)
    {
      Entry *entry = i < self->row->len ? g_ptr_array_index (self->row, i) : NULL;
      int min, nat;

      gtk_widget_measure (entry != NULL ? entry->button : self->more, orientation, -1, &min, &nat,
                          NULL, NULL);
      if (orientation == GTK_ORIENTATION_VERTICAL)
        {
          *minimum = MAX (*minimum, min);
          *natural = MAX (*natural, nat);
        }
      else if (entry == NULL)
        {
          *minimum = min;
          *natural += has_minor (self) ? nat : 0;
        }
      else if (!entry->minor)
        *natural += nat + SPACING;
    }
  *natural = MAX (*natural, *minimum);
}

/* Marks what has room in @width, from the first series on, and before them what is kept.  Returns:
 * the width of that, with @more. */
static int
choose (TsrLegend *self, int width, int more, gboolean *shown)
{
  int all = more;

  for (guint kept = 2; kept-- > 0;)
    for (guint i = 0; i < self->row->len; i++)
      {
        Entry *entry = g_ptr_array_index (self->row, i);
        int wanted = natural_width (entry->button) + SPACING;

        if (entry->minor || !!entry->kept != !!kept)
          continue;
        if (all + wanted > width)
          break;
        shown[i] = TRUE;
        all += wanted;
      }
  return all;
}

static void
tsr_legend_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrLegend *self = TSR_LEGEND (widget);
  g_autofree gboolean *shown = g_new0 (gboolean, self->row->len + 1);
  gboolean more = has_minor (self);
  int all, x, natural;

  all = choose (self, width, more ? natural_width (self->more) : 0, shown);
  for (guint i = 0; i < self->row->len && !more; i++)
    more = !shown[i];
  if (more)
    {
      natural = natural_width (self->more);
      memset (shown, 0, self->row->len * sizeof *shown);
      all = choose (self, width, natural, shown);
      gtk_widget_allocate (
          self->more, natural, height, -1,
          gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (width - natural, 0)));
    }
  gtk_widget_set_child_visible (self->more, more);
  /* Right-aligned, in the order of the series. */
  x = width - all;
  for (guint i = 0; i < self->row->len; i++)
    {
      GtkWidget *button = ((Entry *)g_ptr_array_index (self->row, i))->button;

      gtk_widget_set_child_visible (button, shown[i]);
      if (!shown[i])
        continue;
      natural = natural_width (button);
      gtk_widget_allocate (button, natural, height, -1,
                           gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (MAX (x, 0), 0)));
      x += natural + SPACING;
    }
}

static void
tsr_legend_dispose (GObject *object)
{
  TsrLegend *self = TSR_LEGEND (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  if (self->more != NULL)
    {
      remove_entries (self);
      g_clear_pointer (&self->more, gtk_widget_unparent);
    }
  G_OBJECT_CLASS (tsr_legend_parent_class)->dispose (object);
}

static void
tsr_legend_finalize (GObject *object)
{
  TsrLegend *self = TSR_LEGEND (object);

  g_ptr_array_unref (self->row);
  g_ptr_array_unref (self->list);
  G_OBJECT_CLASS (tsr_legend_parent_class)->finalize (object);
}

static void
move_focus (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_child_focus (widget, g_str_has_suffix (action, "left") ? GTK_DIR_LEFT : GTK_DIR_RIGHT);
}

static void
tsr_legend_class_init (TsrLegendClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_legend_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_legend_finalize;
  widget_class->measure = tsr_legend_measure;
  widget_class->size_allocate = tsr_legend_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "legend");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  /* The arrows move among the toggles and do not reach the chart under them. */
  gtk_widget_class_install_action (widget_class, "legend.left", NULL, move_focus);
  gtk_widget_class_install_action (widget_class, "legend.right", NULL, move_focus);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, 0, "legend.left", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Right, 0, "legend.right", NULL);
}

static void
tsr_legend_init (TsrLegend *self)
{
  GtkWidget *popover = gtk_popover_new (), *scroller = gtk_scrolled_window_new ();

  self->row = g_ptr_array_new_with_free_func (g_free);
  self->list = g_ptr_array_new_with_free_func (g_free);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 480);
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);
  gtk_widget_add_css_class (popover, "legend-list");
  self->more = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->more), _ ("All series"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->more), popover);
  gtk_widget_add_css_class (self->more, "flat");
  gtk_widget_set_tooltip_text (self->more, _ ("Show and hide series"));
  /* Also while there is room for all and it is not shown. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("All series"), -1);
  gtk_widget_set_parent (self->more, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Series"), -1);
}

TsrLegend *
tsr_legend_new (void)
{
  return g_object_new (TSR_TYPE_LEGEND, NULL);
}

void
tsr_legend_set_model (TsrLegend *self, TsrChartModel *model)
{
  g_return_if_fail (TSR_IS_LEGEND (self));

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_set_object (&self->model, model);
  if (model != NULL)
    g_signal_connect_object (model, "series-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

guint
tsr_legend_get_n_entries (TsrLegend *self)
{
  g_return_val_if_fail (TSR_IS_LEGEND (self), 0);
  return self->row->len;
}

GtkWidget *
tsr_legend_get_toggle (TsrLegend *self, guint i)
{
  g_return_val_if_fail (TSR_IS_LEGEND (self) && i < self->row->len, NULL);
  return ((Entry *)g_ptr_array_index (self->row, i))->button;
}
