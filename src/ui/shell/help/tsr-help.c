/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The help window: chapters at the left, the text of one at the right.  Each paragraph is a label:
 * GTK 4.8 still measures a text view when it paints it, and loses its scrollbar by that. */

#include "config.h"

#include "tsr-help.h"

#include "tsr-manual.h"
#include "tsr-scroll.h"

#include <glib/gi18n.h>

typedef struct
{
  GtkLabel *label;
  guint chapter;
  const char *anchor; /* of a heading; else NULL */
} Paragraph;

struct _TsrHelp
{
  AdwWindow parent_instance;

  GtkListBox *list;
  GtkStack *stack;
  GArray *paragraphs; /* Paragraph, of all chapters */
  GtkEditable *search;
  GtkLabel *found;
  guint at;            /* the match that is shown */
  GtkLabel *scroll_to; /* the label with it, until it is in sight, */
  int scroll_to_byte;  /* where it is in that, */
  gboolean laid_out;   /* and whether a frame has gone by since */
};

G_DEFINE_FINAL_TYPE (TsrHelp, tsr_help, ADW_TYPE_WINDOW)

static TsrManualChapter *
get_chapter (guint i)
{
  return g_ptr_array_index (tsr_manual_get_chapters (), i);
}

static gboolean
on_link (GtkLabel *label, const char *target, TsrHelp *self)
{
  g_autofree char *inside = NULL;

  /* "#heading" is in the chapter that is shown. */
  if (*target == '#')
    inside = g_strconcat (tsr_help_get_topic (self), target, NULL);
  tsr_help_show_topic (self, inside != NULL ? inside : target);
  return TRUE;
}

static GtkWidget *
new_label (TsrHelp *self, guint chapter, const TsrManualBlock *block)
{
  static const char *const styles[TSR_MANUAL_N_KINDS]
      = { [TSR_MANUAL_HEADING] = "title-4", [TSR_MANUAL_CODE] = "help-code" };
  gboolean is_heading = block->kind == TSR_MANUAL_HEADING;
  GtkWidget *label = g_object_new (
      GTK_TYPE_LABEL, "accessible-role",
      is_heading ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL, "use-markup", TRUE,
      "label", block->markup, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "selectable", TRUE,
      "xalign", 0.0, "yalign", 0.0, "hexpand", TRUE, NULL);
  const Paragraph paragraph = { GTK_LABEL (label), chapter, is_heading ? block->target : NULL };

  if (is_heading && block->number < 3)
    gtk_widget_add_css_class (label, block->number == 1 ? "title-2" : "title-3");
  else if (styles[block->kind] != NULL)
    gtk_widget_add_css_class (label, styles[block->kind]);
  if (is_heading && block->number > 1)
    gtk_widget_set_margin_top (label, 12);
  g_signal_connect_object (label, "activate-link", G_CALLBACK (on_link), self, 0);
  g_array_append_val (self->paragraphs, paragraph);
  return label;
}

static GtkWidget *
new_item (GtkWidget *label, int number)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *text = number > 0 ? g_strdup_printf ("%d.", number) : g_strdup ("•");
  GtkWidget *bullet = gtk_label_new (text);

  gtk_widget_set_valign (bullet, GTK_ALIGN_START);
  gtk_widget_set_margin_start (box, number > 0 ? 12 : 18);
  gtk_box_append (GTK_BOX (box), bullet);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

/* Pictures are read when they are seen for the first time, light or dark as the window is. */
static void
load_picture (GtkWidget *picture)
{
  const char *name = g_object_get_data (G_OBJECT (picture), "resource");
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (".png"));
  g_autofree char *dark = g_strconcat (stem, "-dark.png", NULL);

  if (gtk_widget_get_mapped (picture))
    gtk_picture_set_resource (GTK_PICTURE (picture),
                              adw_style_manager_get_dark (adw_style_manager_get_default ()) ? dark
                                                                                            : name);
}

static GtkWidget *
new_picture (const TsrManualBlock *block)
{
  GtkWidget *picture = g_object_new (GTK_TYPE_PICTURE, "alternative-text", block->markup, NULL);

  gtk_widget_add_css_class (picture, "help-picture");
  g_object_set_data (G_OBJECT (picture), "resource", block->target);
  g_signal_connect (picture, "map", G_CALLBACK (load_picture), NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (load_picture), picture, G_CONNECT_SWAPPED);
  return picture;
}

static void
add_cell (GtkWidget **table, GtkBox *box, const TsrManualBlock *block, GtkWidget *label)
{
  if (block->row == 0 && block->number == 0)
    {
      *table = g_object_new (GTK_TYPE_GRID, "column-spacing", 18, "row-spacing", 6, NULL);
      gtk_box_append (box, *table);
    }
  if (block->row == 0)
    gtk_widget_add_css_class (label, "heading");
  gtk_grid_attach (GTK_GRID (*table), label, block->number, block->row, 1, 1);
}

static GtkWidget *
new_text (TsrHelp *self, guint i)
{
  const TsrManualChapter *chapter = get_chapter (i);
  GtkWidget *box
      = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 8,
                      "margin-start", 18, "margin-end", 18, "margin-top", 18, "margin-bottom", 18,
                      "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  GtkWidget *table = NULL;

  gtk_accessible_update_property (GTK_ACCESSIBLE (box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  chapter->title, -1);
  for (guint k = 0; k < chapter->blocks->len; k++)
    {
      const TsrManualBlock *block = &g_array_index (chapter->blocks, TsrManualBlock, k);

      if (block->kind == TSR_MANUAL_PICTURE)
        gtk_box_append (GTK_BOX (box), new_picture (block));
      else if (block->kind == TSR_MANUAL_CELL)
        add_cell (&table, GTK_BOX (box), block, new_label (self, i, block));
      else if (block->kind == TSR_MANUAL_ITEM)
        gtk_box_append (GTK_BOX (box), new_item (new_label (self, i, block), block->number));
      else
        gtk_box_append (GTK_BOX (box), new_label (self, i, block));
    }
  return box;
}

/* Marks all matches in @label; *nth is counted down to the one to show, which begins at *byte. */
static guint
mark_matches (GtkLabel *label, const GRegex *words, guint *nth, int *byte)
{
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (gboolean more
       = words != NULL && g_regex_match (words, gtk_label_get_text (label), 0, &match);
       more; more = g_match_info_next (match, NULL))
    {
      PangoAttribute *colors[] = { pango_attr_background_new (0xf9f9, 0xf0f0, 0x6b6b),
                                   pango_attr_foreground_new (0, 0, 0) };
      int start, end;

      g_match_info_fetch_pos (match, 0, &start, &end);
      for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
        {
          colors[i]->start_index = (guint)start;
          colors[i]->end_index = (guint)end;
          pango_attr_list_insert (marks, colors[i]);
        }
      if ((*nth)-- == 0)
        *byte = start;
      n++;
    }
  gtk_label_set_attributes (label, n > 0 ? marks : NULL);
  return n;
}

/* With as much above and below it. */
static void
bring_into_sight (GtkWidget *widget, int top, int height)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport));
  double y;

  if (!gtk_widget_translate_coordinates (widget, viewport, 0, top, NULL, &y))
    return;
  y += gtk_adjustment_get_value (adjustment);
  gtk_adjustment_clamp_page (adjustment, y - height, y + 2 * height);
}

/* A chapter that was not shown until now has its places from the next frame on. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrHelp *self = TSR_HELP (widget);
  PangoRectangle at;
  int top;

  if (!self->laid_out)
    return self->laid_out = TRUE;
  pango_layout_index_to_pos (gtk_label_get_layout (self->scroll_to), self->scroll_to_byte, &at);
  pango_extents_to_pixels (&at, NULL);
  gtk_label_get_layout_offsets (self->scroll_to, NULL, &top);
  bring_into_sight (GTK_WIDGET (self->scroll_to), top + at.y, at.height);
  self->scroll_to = NULL;
  return G_SOURCE_REMOVE;
}

static void
show_match (TsrHelp *self, const Paragraph *paragraph, int byte)
{
  gtk_list_box_select_row (self->list,
                           gtk_list_box_get_row_at_index (self->list, (int)paragraph->chapter));
  if (self->scroll_to == NULL)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
  self->scroll_to = paragraph->label;
  self->scroll_to_byte = byte;
  self->laid_out = FALSE;
}

/* From the top, whatever was seen of it before. */
static void
show_chapter (TsrHelp *self, guint i)
{
  GtkWidget *scrolled = gtk_stack_get_child_by_name (self->stack, get_chapter (i)->id);

  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int)i));
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                            0);
}

void
tsr_help_show_topic (TsrHelp *self, const char *target)
{
  const char *anchor = target != NULL ? strchr (target, '#') : NULL;
  g_autofree char *id
      = anchor != NULL ? g_strndup (target, (gsize)(anchor - target)) : g_strdup (target);
  guint i = 0;

  g_return_if_fail (TSR_IS_HELP (self));
  for (guint k = 0; k < tsr_manual_get_chapters ()->len; k++)
    if (g_strcmp0 (get_chapter (k)->id, id) == 0)
      i = k;
  show_chapter (self, i);
  for (guint k = 0; k < self->paragraphs->len && anchor != NULL; k++)
    {
      const Paragraph *paragraph = &g_array_index (self->paragraphs, Paragraph, k);

      if (paragraph->chapter == i && g_strcmp0 (paragraph->anchor, anchor + 1) == 0)
        show_match (self, paragraph, 0);
    }
}

const char *
tsr_help_get_topic (TsrHelp *self)
{
  g_return_val_if_fail (TSR_IS_HELP (self), NULL);
  return gtk_stack_get_visible_child_name (self->stack);
}

static guint
search_at (TsrHelp *self, const char *text, guint at)
{
  g_autofree char *pattern = g_regex_escape_string (text, -1);
  /* None for a text that is too long, either. */
  g_autoptr (GRegex) words
      = *text != '\0' ? g_regex_new (pattern, G_REGEX_CASELESS, 0, NULL) : NULL;
  guint n = 0;

  for (guint i = 0; i < self->paragraphs->len; i++)
    {
      const Paragraph *paragraph = &g_array_index (self->paragraphs, Paragraph, i);
      guint nth = at - n;
      int byte = 0;
      guint here = mark_matches (paragraph->label, words, &nth, &byte);

      if (at >= n && at < n + here)
        show_match (self, paragraph, byte);
      n += here;
    }
  return n;
}

guint
tsr_help_search (TsrHelp *self, const char *text)
{
  g_return_val_if_fail (TSR_IS_HELP (self) && text != NULL, 0);
  self->at = 0;
  return search_at (self, text, 0);
}

static void
show_found (TsrHelp *self, guint n)
{
  g_autofree char *text = *gtk_editable_get_text (self->search) == '\0' ? g_strdup ("")
                          : n == 0                                      ? g_strdup (_ ("Not found"))
                                   : g_strdup_printf (_ ("%u of %u"), self->at + 1, n);

  gtk_label_set_label (self->found, text);
}

static void
on_search_changed (TsrHelp *self)
{
  show_found (self, tsr_help_search (self, gtk_editable_get_text (self->search)));
}

/* Enter goes from match to match and round again. */
static void
on_search_next (TsrHelp *self)
{
  const char *text = gtk_editable_get_text (self->search);
  guint n = search_at (self, text, self->at + 1);

  self->at = n > 0 ? (self->at + 1) % n : 0;
  if (self->at == 0)
    search_at (self, text, 0);
  show_found (self, n);
}

/* Escape: first the text goes, then the window, as without the keyboard in the entry. */
static void
on_search_stop (TsrHelp *self)
{
  if (*gtk_editable_get_text (self->search) == '\0')
    gtk_window_close (GTK_WINDOW (self));
  gtk_editable_set_text (self->search, "");
}

static void
on_row_selected (GtkListBox *list, GtkListBoxRow *row, TsrHelp *self)
{
  if (row == NULL)
    return;
  gtk_stack_set_visible_child_name (self->stack,
                                    get_chapter ((guint)gtk_list_box_row_get_index (row))->id);
  bring_into_sight (GTK_WIDGET (row), 0, gtk_widget_get_height (GTK_WIDGET (row)));
}

static void
tsr_help_finalize (GObject *object)
{
  g_array_unref (TSR_HELP (object)->paragraphs);
  G_OBJECT_CLASS (tsr_help_parent_class)->finalize (object);
}

static void
tsr_help_class_init (TsrHelpClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_help_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static GtkWidget *
new_header (TsrHelp *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->search = GTK_EDITABLE (gtk_search_entry_new ());
  gtk_editable_set_width_chars (self->search, 24);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search in the help"), -1);
  self->found = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_width_chars (self->found, 9);
  gtk_widget_add_css_class (GTK_WIDGET (self->found), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->found), "numeric");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->search));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->found));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), box);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "stop-search", G_CALLBACK (on_search_stop), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (on_search_next), self,
                           G_CONNECT_SWAPPED);
  return header;
}

static GtkWidget *
new_scrolled (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  return scrolled;
}

static void
add_chapters (TsrHelp *self)
{
  for (guint i = 0; i < tsr_manual_get_chapters ()->len; i++)
    {
      GtkWidget *label = gtk_label_new (get_chapter (i)->title);
      GtkWidget *clamp = g_object_new (ADW_TYPE_CLAMP, "maximum-size", 860, "tightening-threshold",
                                       860, "child", new_text (self, i), NULL);
      GtkWidget *scrolled = new_scrolled (clamp);
      GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_set_margin_start (label, 6);
      gtk_widget_set_margin_end (label, 6);
      gtk_list_box_append (self->list, label);
      gtk_widget_add_css_class (viewport, "view");
      /* A picture may be as low as nothing. */
      gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
      tsr_scroll_follow_focus (GTK_VIEWPORT (viewport));
      gtk_stack_add_named (self->stack, scrolled, get_chapter (i)->id);
    }
}

static void
tsr_help_init (TsrHelp *self)
{
  GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *inner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_window_set_title (GTK_WINDOW (self), _ ("Help"));
  gtk_window_set_default_size (GTK_WINDOW (self), 1040, 720);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_widget_set_size_request (GTK_WIDGET (self->list), 220, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Chapters"), -1);
  self->stack = g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL);
  self->paragraphs = g_array_new (FALSE, FALSE, sizeof (Paragraph));
  gtk_widget_set_hexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_widget_set_vexpand (inner, TRUE);
  add_chapters (self);
  gtk_box_append (GTK_BOX (outer), new_header (self));
  gtk_box_append (GTK_BOX (inner), new_scrolled (GTK_WIDGET (self->list)));
  gtk_box_append (GTK_BOX (inner), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (inner), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (outer), inner);
  adw_window_set_content (ADW_WINDOW (self), outer);
  g_signal_connect (self->list, "row-selected", G_CALLBACK (on_row_selected), self);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->search), GTK_WIDGET (self));
}

TsrHelp *
tsr_help_new (GtkWindow *parent)
{
  TsrHelp *self
      = g_object_new (TSR_TYPE_HELP, "transient-for", parent, "destroy-with-parent", TRUE, NULL);

  tsr_help_show_topic (self, NULL);
  return self;
}
