/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The home page. */

#include "config.h"

#include "tsr-home.h"

#include "tsr-application.h"
#include "tsr-columns-layout.h"
#include "tsr-location-texts.h"
#include "tsr-ui-init.h"
#include "tsr-units.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

/* From this many recent reports on there is a filter. */
#define FILTER_FROM 10
/* So many are shown until all are asked for: what opens a report stays in sight. */
#define FEW 5

struct _TsrHome
{
  GtkWidget parent_instance;

  GtkWidget *columns;
  GtkWidget *open_row, *demo_row, *formats_row;
  GtkWidget *brand, *demo_card, *demo_text; /* while there are no recent reports */
  GtkWidget *recent_group, *all_button;
  GtkEditable *filter;
  GtkListBox *list;
  GtkLabel *empty_label;

  TsrRecents *recents;
  GtkFilterListModel *shown;
  GtkSliceListModel *few; /* of them: what stands in the list */
  gboolean all;
};

G_DEFINE_FINAL_TYPE (TsrHome, tsr_home, GTK_TYPE_WIDGET)

#define RECENT_KEY  "tsr-recent"
#define FULLEST_KEY "tsr-fullest"

static const struct
{
  const char *icon, *css_class, *text;
} outcomes[] = {
  [TSR_OUTCOME_UNKNOWN]
  = { "dialog-question-symbolic", "dim-label", N_ ("It is not known whether it fits") },
  [TSR_OUTCOME_FITS] = { "object-select-symbolic", "success", N_ ("Fits in memory") },
  [TSR_OUTCOME_DOES_NOT_FIT] = { "dialog-error-symbolic", "error", N_ ("Does not fit in memory") },
  [TSR_OUTCOME_INCOMPLETE] = { "dialog-warning-symbolic", "warning", N_ ("Incomplete") },
};

/* (transfer full): "14:05" today, else "2026-11-21 14:05". */
static char *
dup_time (gint64 seconds)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (seconds);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (then == NULL || seconds <= 0)
    return g_strdup ("");
  if (g_date_time_get_year (then) == g_date_time_get_year (now)
      && g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (now))
    return g_date_time_format (then, _ ("Today %H:%M"));
  return g_date_time_format (then, "%Y-%m-%d %H:%M");
}

static GMenuModel *
new_row_menu (TsrRecent *recent)
{
  static const struct
  {
    const char *label, *action;
  } entries[] = {
    { N_ ("_Open"), "win.open-path" },
    { N_ ("Open in a _New Window"), "win.open-path-in-new-window" },
    { N_ ("_Copy Path"), "win.copy-path" },
    { N_ ("Copy _Link"), "win.copy-report-link" },
    { N_ ("_Remove from List"), "win.remove-recent" },
  };
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_ (entries[i].label), NULL);

      g_menu_item_set_action_and_target_value (
          item, entries[i].action, g_variant_new_bytestring (tsr_recent_get_path (recent)));
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static gboolean
on_row_key (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, GtkWidget *row)
{
  TsrRecent *recent = g_object_get_data (G_OBJECT (row), RECENT_KEY);

  if (key == GDK_KEY_Delete || key == GDK_KEY_KP_Delete)
    {
      gtk_widget_activate_action_variant (row, "win.remove-recent",
                                          g_variant_new_bytestring (tsr_recent_get_path (recent)));
      return TRUE;
    }
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0))
    {
      gtk_menu_button_popup (g_object_get_data (G_OBJECT (row), "tsr-menu-button"));
      return TRUE;
    }
  return FALSE;
}

static GtkWidget *
dim_label (const char *text, PangoEllipsizeMode mode)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), mode);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* As wide in every row. */
static GtkWidget *
new_column (const char *text, int n_chars)
{
  GtkWidget *label = dim_label (text, PANGO_ELLIPSIZE_NONE);

  gtk_label_set_width_chars (GTK_LABEL (label), n_chars);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  return label;
}

static GtkWidget *
new_host_label (TsrRecent *recent)
{
  GtkWidget *label = dim_label (tsr_recent_get_host (recent), PANGO_ELLIPSIZE_MIDDLE);

  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_widget_set_tooltip_text (label, _ ("Host, behind ssh"));
  return label;
}

/* What was seen of a report that is gone is not true of it any more. */
static void
show_gone (GtkWidget *row, GtkWidget *content)
{
  TsrRecent *recent = g_object_get_data (G_OBJECT (row), RECENT_KEY);
  GtkWidget *icon = gtk_widget_get_first_child (content),
            *texts = gtk_widget_get_next_sibling (icon);
  GtkWidget *gone = dim_label (_ ("No longer there"), PANGO_ELLIPSIZE_NONE);
  GtkWidget *remove = gtk_button_new_with_mnemonic (_ ("_Remove"));
  g_autofree char *name
      = g_strdup_printf ("%s, %s", tsr_recent_get_name (recent), _ ("No longer there"));

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), "action-unavailable-symbolic");
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    gtk_widget_remove_css_class (icon, outcomes[i].css_class);
  gtk_widget_add_css_class (icon, "dim-label");
  gtk_widget_set_tooltip_text (icon, _ ("No longer there"));
  gtk_widget_add_css_class (gtk_widget_get_first_child (texts), "dim-label");
  gtk_widget_hide (g_object_get_data (G_OBJECT (row), FULLEST_KEY));
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (remove), "win.remove-recent");
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (remove),
                                          g_variant_new_bytestring (tsr_recent_get_path (recent)));
  gtk_box_insert_child_after (GTK_BOX (content), gone, texts);
  gtk_box_insert_child_after (GTK_BOX (content), remove, gone);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
on_looked (GObject *file, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) row = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (file), result, &error);
  GtkWidget *content = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row));

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) && content != NULL)
    show_gone (row, content);
}

/* A folder on a network may take its time. */
static void
look_for (GtkWidget *row, TsrRecent *recent)
{
  g_autoptr (GFile) file = NULL;

  if (tsr_recent_get_host (recent) != NULL)
    return;
  file = g_file_new_for_path (tsr_recent_get_path (recent));
  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT, NULL, on_looked, g_object_ref (row));
}

static GtkWidget *
new_row_content (GtkWidget *row, TsrRecent *recent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *icon, *name, *path_label, *percent_label, *menu;
  TsrOutcome outcome = tsr_recent_get_outcome (recent);
  const char *path = tsr_recent_get_shown_path (recent);
  g_autofree char *tooltip = tsr_location_dup_text (tsr_recent_get_path (recent));
  g_autofree char *time = dup_time (tsr_recent_get_time (recent));
  g_autofree char *percent = isnan (tsr_recent_get_fullest (recent))
                                 ? g_strdup ("")
                                 : tsr_units_dup_percent (tsr_recent_get_fullest (recent), 1);
  g_autoptr (GMenuModel) model = new_row_menu (recent);

  icon = gtk_image_new_from_icon_name (outcomes[outcome].icon);
  gtk_widget_add_css_class (icon, outcomes[outcome].css_class);
  gtk_widget_set_tooltip_text (icon, _ (outcomes[outcome].text));
  name = gtk_label_new (tsr_recent_get_name (recent));
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (name, "heading");
  path_label = dim_label (path, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (path_label), 0);
  gtk_widget_add_css_class (path_label, "caption");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_tooltip_text (texts, tooltip);
  gtk_box_append (GTK_BOX (texts), name);
  gtk_box_append (GTK_BOX (texts), path_label);
  percent_label = new_column (percent, 7);
  gtk_widget_set_tooltip_text (percent_label, _ ("Fullest tile, as last seen"));
  menu = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (menu), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (menu), model);
  gtk_widget_add_css_class (menu, "flat");
  gtk_widget_set_valign (menu, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (menu, _ ("More"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (menu), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("More"),
                                  -1);
  g_object_set_data (G_OBJECT (row), "tsr-menu-button", menu);
  g_object_set_data (G_OBJECT (row), FULLEST_KEY, percent_label);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), texts);
  if (tsr_recent_get_host (recent) != NULL)
    gtk_box_append (GTK_BOX (box), new_host_label (recent));
  gtk_box_append (GTK_BOX (box), percent_label);
  gtk_box_append (GTK_BOX (box), new_column (time, 16));
  gtk_box_append (GTK_BOX (box), menu);
  gtk_widget_add_css_class (box, "recent-row");
  return box;
}

static GtkWidget *
new_row (gpointer item, gpointer data)
{
  TsrRecent *recent = item;
  GtkWidget *row = gtk_list_box_row_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_autofree char *name = g_strdup_printf ("%s, %s", tsr_recent_get_name (recent),
                                           _ (outcomes[tsr_recent_get_outcome (recent)].text));

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), new_row_content (row, recent));
  g_object_set_data_full (G_OBJECT (row), RECENT_KEY, g_object_ref (recent), g_object_unref);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_row_key), row, 0);
  gtk_widget_add_controller (row, keys);
  look_for (row, recent);
  return row;
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, TsrHome *self)
{
  TsrRecent *recent = g_object_get_data (G_OBJECT (row), RECENT_KEY);

  gtk_widget_activate_action_variant (GTK_WIDGET (self), "win.open-path",
                                      g_variant_new_bytestring (tsr_recent_get_path (recent)));
}

static gboolean
matches (gpointer item, gpointer data)
{
  return tsr_recent_matches (item, gtk_editable_get_text (TSR_HOME (data)->filter));
}

static void
update_visible (TsrHome *self)
{
  guint n_all = g_list_model_get_n_items (G_LIST_MODEL (self->recents));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->shown));
  g_autofree char *text = NULL;
  gboolean all;

  gtk_widget_set_visible (GTK_WIDGET (self->filter), n_all >= FILTER_FROM);
  gtk_widget_set_visible (GTK_WIDGET (self->list), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->empty_label), n == 0);
  gtk_widget_set_visible (self->recent_group, n_all > 0);
  gtk_widget_set_visible (self->brand, n_all == 0);
  gtk_widget_set_visible (self->demo_card, n_all == 0);
  gtk_widget_set_visible (self->demo_row, n_all > 0);
  /* As many rows of help as ways to open a report. */
  gtk_widget_set_visible (self->formats_row, n_all > 0);
  all = self->all || *gtk_editable_get_text (self->filter) != '\0';
  gtk_slice_list_model_set_size (self->few, all ? G_MAXUINT : FEW);
  gtk_widget_set_visible (self->all_button, !all && n > FEW);
  /* Translators: all the recent reports, a number */
  text = g_strdup_printf (_ ("Show All %u"), n);
  gtk_button_set_label (GTK_BUTTON (self->all_button), text);
}

static void
on_all (TsrHome *self)
{
  self->all = TRUE;
  update_visible (self);
}

static void
on_filter_changed (TsrHome *self)
{
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->shown), GTK_FILTER_CHANGE_DIFFERENT);
  update_visible (self);
}

/* A filter that cannot be seen must not hide anything. */
static void
on_recents_changed (TsrHome *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->recents)) < FILTER_FROM
      && *gtk_editable_get_text (self->filter) != '\0')
    gtk_editable_set_text (self->filter, "");
  update_visible (self);
}

static void
tsr_home_map (GtkWidget *widget)
{
  TsrHome *self = TSR_HOME (widget);
  g_autofree char *demo = tsr_application_dup_demo_path ();

  tsr_recents_refresh (self->recents);
  gtk_widget_set_sensitive (self->demo_row, demo != NULL);
  gtk_widget_set_sensitive (self->demo_card, demo != NULL);
  if (demo == NULL)
    {
      adw_action_row_set_subtitle (ADW_ACTION_ROW (self->demo_row),
                                   _ ("The demo report is not installed"));
      gtk_label_set_label (GTK_LABEL (self->demo_text), _ ("The demo report is not installed"));
    }
  GTK_WIDGET_CLASS (tsr_home_parent_class)->map (widget);
}

guint
tsr_home_get_n_shown (TsrHome *self)
{
  g_return_val_if_fail (TSR_IS_HOME (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->few));
}

gboolean
tsr_home_has_filter (TsrHome *self)
{
  g_return_val_if_fail (TSR_IS_HOME (self), FALSE);
  return gtk_widget_get_visible (GTK_WIDGET (self->filter));
}

void
tsr_home_set_filter (TsrHome *self, const char *text)
{
  g_return_if_fail (TSR_IS_HOME (self));
  gtk_editable_set_text (self->filter, text);
  on_filter_changed (self);
}

static void
tsr_home_dispose (GObject *object)
{
  TsrHome *self = TSR_HOME (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  self->list = NULL;
  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->few);
  g_clear_object (&self->shown);
  g_clear_object (&self->recents);
  G_OBJECT_CLASS (tsr_home_parent_class)->dispose (object);
}

static void
tsr_home_class_init (TsrHomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_home_dispose;
  widget_class->map = tsr_home_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, TSR_RESOURCE_PATH "/tsr-home.ui");
  gtk_widget_class_bind_template_child (widget_class, TsrHome, columns);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, open_row);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, demo_row);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, formats_row);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, brand);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, demo_card);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, demo_text);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, recent_group);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, all_button);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, filter);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, list);
  gtk_widget_class_bind_template_child (widget_class, TsrHome, empty_label);
}

static void
tsr_home_init (TsrHome *self)
{
  GtkFilter *filter;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (self->columns, tsr_columns_layout_new (380, 2, 18));
  self->recents = g_object_ref (tsr_recents_get_default ());
  filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  self->shown = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->recents)), filter);
  self->few = gtk_slice_list_model_new (g_object_ref (G_LIST_MODEL (self->shown)), 0, FEW);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->few), new_row, self, NULL);
  g_signal_connect_object (self->all_button, "clicked", G_CALLBACK (on_all), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filter, "search-changed", G_CALLBACK (on_filter_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recents, "items-changed", G_CALLBACK (on_recents_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  update_visible (self);
}
