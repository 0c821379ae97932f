/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of one search result. */

#include "config.h"

#include "tsr-search-row.h"

#include "tsr-debug-tables.h"
#include "tsr-page.h"

#include <glib/gi18n.h>

struct _TsrSearchRow
{
  GtkListBoxRow parent_instance;

  GtkWidget *icon, *name, *kind, *bytes;
};

G_DEFINE_FINAL_TYPE (TsrSearchRow, tsr_search_row, GTK_TYPE_LIST_BOX_ROW)

/* (transfer full): name as people read it. */
static char *
tsr_found_dup_name (const TsrFound *found)
{
  if (found->kind == TSR_FOUND_TILE)
    return g_strdup_printf (_ ("Tile %u"), found->index);
  if (found->kind == TSR_FOUND_IPU)
    return g_strdup_printf (_ ("IPU %u"), found->index);
  return g_strdup (found->name);
}

static const char *
get_icon (const TsrFound *found)
{
  const TsrPageInfo *page;

  switch (found->kind)
    {
    case TSR_FOUND_VIEW:
      page = tsr_pages_find (found->index);
      return page != NULL ? page->icon_name : "tsr-report-symbolic";
    case TSR_FOUND_TILE:
      return "view-app-grid-symbolic";
    case TSR_FOUND_IPU:
      return "view-grid-symbolic";
    case TSR_FOUND_VERTEX_TYPE:
      return "application-x-executable-symbolic";
    case TSR_FOUND_COMPUTE_SET:
      return "system-run-symbolic";
    case TSR_FOUND_PROGRAM:
      return "media-playback-start-symbolic";
    case TSR_FOUND_CONTEXT:
      return "format-indent-more-symbolic";
    case TSR_FOUND_VARIABLE:
    default:
      return "tsr-memory-symbolic";
    }
}

/* (transfer full) */
static char *
dup_kind (const TsrFound *found)
{
  g_autofree char *step = NULL;

  switch (found->kind)
    {
    case TSR_FOUND_VIEW:
      return g_strdup (_ ("View"));
    case TSR_FOUND_VARIABLE:
      return g_strdup (_ ("Variable"));
    case TSR_FOUND_VERTEX_TYPE:
      return g_strdup (_ ("Vertex"));
    case TSR_FOUND_COMPUTE_SET:
      return g_strdup (_ ("Compute set"));
    case TSR_FOUND_PROGRAM:
      if (found->step == TSR_NO_INDEX)
        return g_strdup (_ ("Program"));
      step = tsr_units_dup_count (found->step);
      return g_strdup_printf (_ ("Program, step %s"), step);
    case TSR_FOUND_CONTEXT:
      return found->layer != NULL
                 /* Translators: of debug information; %s is a layer of software, as "PopART" */
                 ? g_strdup_printf (_ ("Context, %s"), tsr_debug_layer_get_title (found->layer))
                 : g_strdup (_ ("Context"));
    default:
      return g_strdup ("");
    }
}

static PangoAttrList *
new_bold (const char *name, const char *text)
{
  g_autoptr (GArray) ranges = tsr_search_find_ranges (name, text);
  PangoAttrList *list = pango_attr_list_new ();

  for (guint i = 0; i < ranges->len; i++)
    {
      const TsrMatchRange *range = &g_array_index (ranges, TsrMatchRange, i);
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->start_index = range->from;
      bold->end_index = range->to;
      pango_attr_list_insert (list, bold);
    }
  return list;
}

void
tsr_search_row_set (TsrSearchRow *self, const TsrFound *found, const char *text, TsrUnits units)
{
  g_autofree char *name = tsr_found_dup_name (found);
  g_autofree char *kind = dup_kind (found);
  g_autofree char *bytes
      = found->bytes != TSR_UNKNOWN ? tsr_units_dup_bytes (units, found->bytes) : g_strdup ("");
  g_autofree char *exact
      = found->bytes != TSR_UNKNOWN ? tsr_units_dup_bytes_exact (found->bytes) : NULL;
  g_autofree char *label
      = g_strdup_printf ("%s, %s%s%s", name, kind, *bytes != '\0' ? ", " : "", bytes);
  PangoAttrList *bold = new_bold (name, text);

  g_return_if_fail (TSR_IS_SEARCH_ROW (self));
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), get_icon (found));
  gtk_label_set_label (GTK_LABEL (self->name), name);
  gtk_label_set_attributes (GTK_LABEL (self->name), bold);
  pango_attr_list_unref (bold);
  gtk_widget_set_tooltip_text (self->name, name);
  gtk_label_set_label (GTK_LABEL (self->kind), kind);
  gtk_label_set_label (GTK_LABEL (self->bytes), bytes);
  gtk_widget_set_tooltip_text (self->bytes, exact);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

const char *
tsr_search_row_get_name (TsrSearchRow *self)
{
  g_return_val_if_fail (TSR_IS_SEARCH_ROW (self), NULL);
  return gtk_label_get_label (GTK_LABEL (self->name));
}

static void
tsr_search_row_class_init (TsrSearchRowClass *klass)
{
}

static GtkWidget *
append_label (GtkWidget *box, const char *css_class, PangoEllipsizeMode ellipsize)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
tsr_search_row_init (TsrSearchRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->icon = gtk_image_new ();
  gtk_box_append (GTK_BOX (box), self->icon);
  self->name = append_label (box, NULL, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  gtk_widget_set_hexpand (self->name, TRUE);
  self->kind = append_label (box, "dim-label", PANGO_ELLIPSIZE_NONE);
  gtk_label_set_xalign (GTK_LABEL (self->kind), 1);
  self->bytes = append_label (box, "numeric", PANGO_ELLIPSIZE_NONE);
  gtk_label_set_xalign (GTK_LABEL (self->bytes), 1);
  gtk_label_set_width_chars (GTK_LABEL (self->bytes), 9);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

TsrSearchRow *
tsr_search_row_new (void)
{
  return g_object_new (TSR_TYPE_SEARCH_ROW, NULL);
}
