/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The help window: topics at the left, the text of one at the right.  Each paragraph is a label:
 * GTK 4.8 still measures a text view when it paints it, and loses its scrollbar by that. */

#include "config.h"

#include "tsr-help.h"

#include "tsr-scroll.h"

#include <glib/gi18n.h>

typedef struct
{
  GtkLabel *label;
  int topic;
} Paragraph;

struct _TsrHelp
{
  AdwWindow parent_instance;

  GtkListBox *list;
  GtkStack *stack;
  GArray *paragraphs; /* Paragraph, of all topics */
  GtkEditable *search;
  GtkLabel *found;
  guint at;            /* the match that is shown */
  GtkLabel *scroll_to; /* the label with it, until it is in sight, */
  int scroll_to_byte;  /* where it is in that, */
  gboolean laid_out;   /* and whether a frame has gone by since */
};

G_DEFINE_FINAL_TYPE (TsrHelp, tsr_help, ADW_TYPE_WINDOW)

static GtkWidget *
new_label (TsrHelp *self, int topic, const char *text, const char *style)
{
  GtkAccessibleRole role = style != NULL && g_str_has_prefix (style, "title")
                               ? GTK_ACCESSIBLE_ROLE_HEADING
                               : GTK_ACCESSIBLE_ROLE_LABEL;
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "accessible-role", role, "label", text, "wrap",
                                   TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "selectable", TRUE,
                                   "xalign", 0.0, "hexpand", TRUE, NULL);
  const Paragraph paragraph = { GTK_LABEL (label), topic };

  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  g_array_append_val (self->paragraphs, paragraph);
  return label;
}

static GtkWidget *
new_item (GtkWidget *label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *bullet = gtk_label_new ("•");

  gtk_widget_set_valign (bullet, GTK_ALIGN_START);
  gtk_widget_set_margin_start (box, 18);
  gtk_box_append (GTK_BOX (box), bullet);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
new_text (TsrHelp *self, int i, const TsrHelpTopic *topic)
{
  static const char *const styles[] = { NULL, "title-4", "monospace", NULL };
  GtkWidget *box
      = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6,
                      "margin-start", 18, "margin-end", 18, "margin-top", 18, "margin-bottom", 18,
                      "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (topic->title), -1);
  gtk_box_append (GTK_BOX (box), new_label (self, i, _ (topic->title), "title-3"));
  for (const TsrHelpParagraph *p = topic->paragraphs; p->text != NULL; p++)
    {
      GtkWidget *label
          = new_label (self, i, p->kind == TSR_HELP_CODE ? p->text : _ (p->text), styles[p->kind]);

      if (p->kind == TSR_HELP_HEADING)
        gtk_widget_set_margin_top (label, 12);
      if (p->kind == TSR_HELP_CODE)
        gtk_widget_set_margin_start (label, 18);
      gtk_box_append (GTK_BOX (box), p->kind == TSR_HELP_ITEM ? new_item (label) : label);
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

/* A topic that was not shown until now has its places from the next frame on. */
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
                           gtk_list_box_get_row_at_index (self->list, paragraph->topic));
  if (self->scroll_to == NULL)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
  self->scroll_to = paragraph->label;
  self->scroll_to_byte = byte;
  self->laid_out = FALSE;
}

void
tsr_help_show_topic (TsrHelp *self, const char *id)
{
  guint n = 0;
  const TsrHelpTopic *topics = tsr_help_get_topics (&n);
  guint i = 0;

  g_return_if_fail (TSR_IS_HELP (self));
  for (guint k = 0; k < n; k++)
    if (g_strcmp0 (topics[k].id, id) == 0)
      i = k;
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int)i));
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
  guint n = 0;
  const TsrHelpTopic *topics = tsr_help_get_topics (&n);

  if (row == NULL)
    return;
  gtk_stack_set_visible_child_name (self->stack, topics[gtk_list_box_row_get_index (row)].id);
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
add_topics (TsrHelp *self)
{
  guint n = 0;
  const TsrHelpTopic *topics = tsr_help_get_topics (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *label = gtk_label_new (_ (topics[i].title));
      GtkWidget *scrolled = new_scrolled (new_text (self, (int)i, &topics[i]));
      GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_set_margin_start (label, 6);
      gtk_widget_set_margin_end (label, 6);
      gtk_list_box_append (self->list, label);
      gtk_widget_add_css_class (viewport, "view");
      tsr_scroll_follow_focus (GTK_VIEWPORT (viewport));
      gtk_stack_add_named (self->stack, scrolled, topics[i].id);
    }
}

static void
tsr_help_init (TsrHelp *self)
{
  GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *inner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_window_set_title (GTK_WINDOW (self), _ ("Help"));
  gtk_window_set_default_size (GTK_WINDOW (self), 860, 600);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_widget_set_size_request (GTK_WIDGET (self->list), 220, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Topics"), -1);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->paragraphs = g_array_new (FALSE, FALSE, sizeof (Paragraph));
  gtk_widget_set_hexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_widget_set_vexpand (inner, TRUE);
  add_topics (self);
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

  tsr_help_show_topic (self, "capture");
  return self;
}
