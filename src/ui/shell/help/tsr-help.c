/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The help window: topics at the left, one text view for each at the right. */

#include "config.h"

#include "tsr-help.h"

#include <glib/gi18n.h>

struct _TsrHelp
{
  AdwWindow parent_instance;

  GtkListBox *list;
  GtkStack *stack;
  GtkEditable *search;
  GtkLabel *found;
  guint at; /* the match that is shown */
};

G_DEFINE_FINAL_TYPE (TsrHelp, tsr_help, ADW_TYPE_WINDOW)

static void
add_tags (GtkTextBuffer *buffer)
{
  gtk_text_buffer_create_tag (buffer, "heading", "weight", PANGO_WEIGHT_BOLD, "scale", 1.1,
                              "pixels-above-lines", 12, NULL);
  gtk_text_buffer_create_tag (buffer, "title", "weight", PANGO_WEIGHT_BOLD, "scale", 1.4, NULL);
  gtk_text_buffer_create_tag (buffer, "code", "family", "monospace", "left-margin", 36,
                              "pixels-below-lines", 6, NULL);
  gtk_text_buffer_create_tag (buffer, "item", "left-margin", 36, "indent", -14, NULL);
  gtk_text_buffer_create_tag (buffer, "match", "background", "#f9f06b", "foreground", "#000000",
                              NULL);
}

static GtkWidget *
new_text (const TsrHelpTopic *topic)
{
  static const char *const tags[] = { NULL, "heading", "code", "item" };
  GtkWidget *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter end;

  add_tags (buffer);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 18);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 18);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 18);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 18);
  gtk_text_view_set_pixels_below_lines (GTK_TEXT_VIEW (view), 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (topic->title), -1);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, _ (topic->title), -1, "title", NULL);
  for (const TsrHelpParagraph *p = topic->paragraphs; p->text != NULL; p++)
    {
      g_autofree char *text = p->kind == TSR_HELP_CODE   ? g_strdup (p->text)
                              : p->kind == TSR_HELP_ITEM ? g_strconcat ("•  ", _ (p->text), NULL)
                                                         : g_strdup (_ (p->text));

      gtk_text_buffer_insert (buffer, &end, "\n", -1);
      gtk_text_buffer_insert_with_tags_by_name (buffer, &end, text, -1, tags[p->kind], NULL);
    }
  return view;
}

/* Marks all matches of @text in @view; *nth is counted down to the one to show. */
static guint
mark_matches (GtkTextView *view, const char *text, guint *nth, GtkTextIter *where)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start, end;
  guint n = 0;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, "match", &start, &end);
  while (*text != '\0'
         && gtk_text_iter_forward_search (
             &start, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE | GTK_TEXT_SEARCH_TEXT_ONLY, &start,
             &end, NULL))
    {
      gtk_text_buffer_apply_tag_by_name (buffer, "match", &start, &end);
      if ((*nth)-- == 0)
        *where = start;
      start = end;
      n++;
    }
  return n;
}

static GtkTextView *
view_of (TsrHelp *self, const char *id)
{
  GtkWidget *scrolled = gtk_stack_get_child_by_name (self->stack, id);

  return GTK_TEXT_VIEW (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled)));
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
  gtk_stack_set_visible_child_name (self->stack, topics[i].id);
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, i));
}

static guint
search_at (TsrHelp *self, const char *text, guint at)
{
  guint n_topics = 0, n = 0;
  const TsrHelpTopic *topics = tsr_help_get_topics (&n_topics);

  for (guint i = 0; i < n_topics; i++)
    {
      GtkTextView *view = view_of (self, topics[i].id);
      GtkTextIter where;
      guint nth = at - n;
      guint here = mark_matches (view, text, &nth, &where);

      if (at >= n && at < n + here)
        {
          tsr_help_show_topic (self, topics[i].id);
          gtk_text_buffer_place_cursor (gtk_text_view_get_buffer (view), &where);
          gtk_text_view_scroll_to_mark (
              view, gtk_text_buffer_get_insert (gtk_text_view_get_buffer (view)), 0.1, FALSE, 0, 0);
        }
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

  if (row != NULL)
    gtk_stack_set_visible_child_name (self->stack, topics[gtk_list_box_row_get_index (row)].id);
}

static void
tsr_help_class_init (TsrHelpClass *klass)
{
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

static void
add_topics (TsrHelp *self)
{
  guint n = 0;
  const TsrHelpTopic *topics = tsr_help_get_topics (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *label = gtk_label_new (_ (topics[i].title));
      GtkWidget *scrolled = gtk_scrolled_window_new ();

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_set_margin_start (label, 6);
      gtk_widget_set_margin_end (label, 6);
      gtk_list_box_append (self->list, label);
      gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                      GTK_POLICY_AUTOMATIC);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), new_text (&topics[i]));
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
  gtk_widget_set_hexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_widget_set_vexpand (inner, TRUE);
  add_topics (self);
  gtk_box_append (GTK_BOX (outer), new_header (self));
  gtk_box_append (GTK_BOX (inner), GTK_WIDGET (self->list));
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
