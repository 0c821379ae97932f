/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of markers and the entry for a note. */

#include "config.h"

#include "tsr-trace-notes.h"

#include "tsr-trace-chart.h"

#include <glib/gi18n.h>

#define MOST_ROWS 500

struct _TsrTraceNotes
{
  GtkPopover parent_instance;

  GtkWidget *list, *error;
  TsrTraceState *state;
  TsrTrace *trace;
};

G_DEFINE_FINAL_TYPE (TsrTraceNotes, tsr_trace_notes, GTK_TYPE_POPOVER)

static guint jump_signal;

static GtkWidget *
new_button (const char *icon, const char *text)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_widget_add_css_class (button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  return button;
}

static void
on_remove (GtkWidget *button, TsrTraceNotes *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);

  tsr_trace_state_remove_marker (self->state,
                                 (guint)gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)));
}

static GtkWidget *
new_row (TsrTraceNotes *self, const TsrTraceMarker *marker)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gboolean time = tsr_trace_state_has (self->state, TSR_TRACE_OPTION_TIME);
  g_autofree char *place = self->trace != NULL
                               ? tsr_trace_format_cycles (self->trace, marker->from, time)
                               : tsr_units_dup_count (marker->from);
  GtkWidget *at = gtk_label_new (place);
  GtkWidget *note = gtk_label_new (*marker->note != '\0' ? marker->note : _ ("without a note"));
  GtkWidget *remove = new_button ("user-trash-symbolic", _ ("Remove this marker"));

  gtk_widget_add_css_class (at, "numeric");
  gtk_widget_add_css_class (at, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (at), 1);
  gtk_label_set_width_chars (GTK_LABEL (at), 12);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 40);
  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_set_tooltip_text (note, marker->note);
  if (*marker->note == '\0')
    gtk_widget_add_css_class (note, "dim-label");
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (box), at);
  gtk_box_append (GTK_BOX (box), note);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

static void
fill (TsrTraceNotes *self)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (self->state);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; i < MIN (markers->len, MOST_ROWS); i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (self, markers->pdata[i]));
}

static void
on_row_activated (TsrTraceNotes *self, GtkListBoxRow *row)
{
  guint marker = (guint)gtk_list_box_row_get_index (row);

  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, jump_signal, 0, marker);
}

static void
tsr_trace_notes_dispose (GObject *object)
{
  TsrTraceNotes *self = TSR_TRACE_NOTES (object);

  g_clear_object (&self->state);
  g_clear_pointer (&self->trace, tsr_trace_unref);
  G_OBJECT_CLASS (tsr_trace_notes_parent_class)->dispose (object);
}

static void
tsr_trace_notes_class_init (TsrTraceNotesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_trace_notes_dispose;
  jump_signal = g_signal_new ("jump", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static GtkWidget *
new_help (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  return label;
}

static void
tsr_trace_notes_init (TsrTraceNotes *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *scroller;

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), gtk_label_new (_ ("No markers")));
  gtk_widget_add_css_class (self->list, "peaks");
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box),
                  new_help (_ ("M marks what is measured, selected or under the pointer.  Markers "
                               "are kept with your own data, never beside the report.")));
  self->error = new_help (NULL);
  gtk_widget_remove_css_class (self->error, "dim-label");
  gtk_widget_add_css_class (self->error, "error");
  gtk_label_set_wrap_mode (GTK_LABEL (self->error), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_visible (self->error, FALSE);
  gtk_box_append (GTK_BOX (box), self->error);
  gtk_popover_set_child (GTK_POPOVER (self), box);
}

void
tsr_trace_notes_set_error (TsrTraceNotes *self, const char *text)
{
  g_return_if_fail (TSR_IS_TRACE_NOTES (self));
  gtk_label_set_label (GTK_LABEL (self->error), text != NULL ? text : "");
  gtk_widget_set_visible (self->error, text != NULL);
}

void
tsr_trace_notes_set_state (TsrTraceNotes *self, TsrTraceState *state)
{
  g_return_if_fail (TSR_IS_TRACE_NOTES (self) && self->state == NULL);
  self->state = g_object_ref (state);
  g_signal_connect_object (state, "markers-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "options-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
}

void
tsr_trace_notes_set_trace (TsrTraceNotes *self, TsrTrace *trace)
{
  g_return_if_fail (TSR_IS_TRACE_NOTES (self) && self->state != NULL);
  g_clear_pointer (&self->trace, tsr_trace_unref);
  if (trace != NULL)
    self->trace = tsr_trace_ref (trace);
  fill (self);
}

GtkListBox *
tsr_trace_notes_get_list (TsrTraceNotes *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_NOTES (self), NULL);
  return GTK_LIST_BOX (self->list);
}

/* ---------------------------------------------------------------- the note of one */

struct _TsrTraceNote
{
  GtkPopover parent_instance;

  GtkWidget *entry, *remove;
  TsrTraceState *state;
  gint64 from, to;
  guint marker; /* TSR_NO_INDEX: a new one */
};

G_DEFINE_FINAL_TYPE (TsrTraceNote, tsr_trace_note, GTK_TYPE_POPOVER)

static void
save (TsrTraceNote *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (self->marker == TSR_NO_INDEX)
    tsr_trace_state_add_marker (self->state, self->from, self->to, text);
  else if (self->marker < tsr_trace_state_peek_markers (self->state)->len)
    tsr_trace_state_set_marker_note (self->state, self->marker, text);
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
remove_it (TsrTraceNote *self)
{
  if (self->marker < tsr_trace_state_peek_markers (self->state)->len)
    tsr_trace_state_remove_marker (self->state, self->marker);
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
open_with (TsrTraceNote *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_set_visible (self->remove, self->marker != TSR_NO_INDEX);
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (self->entry);
}

void
tsr_trace_note_ask_new (TsrTraceNote *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TRACE_NOTE (self));
  self->marker = TSR_NO_INDEX;
  self->from = from;
  self->to = to;
  open_with (self, "");
}

void
tsr_trace_note_ask (TsrTraceNote *self, guint marker)
{
  const GPtrArray *markers;

  g_return_if_fail (TSR_IS_TRACE_NOTE (self));
  markers = tsr_trace_state_peek_markers (self->state);
  g_return_if_fail (marker < markers->len);
  self->marker = marker;
  open_with (self, ((const TsrTraceMarker *)markers->pdata[marker])->note);
}

void
tsr_trace_note_enter (TsrTraceNote *self, const char *text)
{
  g_return_if_fail (TSR_IS_TRACE_NOTE (self) && text != NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  save (self);
}

/* A number that meant one marker may mean another when there are more or fewer. */
static void
on_markers_changed (TsrTraceNote *self)
{
  if (self->marker != TSR_NO_INDEX)
    gtk_popover_popdown (GTK_POPOVER (self));
}

static void
tsr_trace_note_dispose (GObject *object)
{
  g_clear_object (&TSR_TRACE_NOTE (object)->state);
  G_OBJECT_CLASS (tsr_trace_note_parent_class)->dispose (object);
}

static void
tsr_trace_note_class_init (TsrTraceNoteClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_trace_note_dispose;
}

static void
tsr_trace_note_init (TsrTraceNote *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *ok = gtk_button_new_with_label (_ ("Mark"));

  self->marker = TSR_NO_INDEX;
  self->entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 32);
  gtk_entry_set_max_length (GTK_ENTRY (self->entry), 1000);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _ ("Note"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Note"), -1);
  self->remove = new_button ("user-trash-symbolic", _ ("Remove this marker"));
  gtk_widget_add_css_class (ok, "suggested-action");
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), ok);
  gtk_box_append (GTK_BOX (box), self->remove);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (save), self);
  g_signal_connect_swapped (ok, "clicked", G_CALLBACK (save), self);
  g_signal_connect_swapped (self->remove, "clicked", G_CALLBACK (remove_it), self);
  gtk_popover_set_child (GTK_POPOVER (self), box);
}

TsrTraceNote *
tsr_trace_note_new (TsrTraceState *state)
{
  TsrTraceNote *self;

  g_return_val_if_fail (TSR_IS_TRACE_STATE (state), NULL);
  self = g_object_new (TSR_TYPE_TRACE_NOTE, NULL);
  self->state = g_object_ref (state);
  g_signal_connect_object (state, "markers-changed", G_CALLBACK (on_markers_changed), self,
                           G_CONNECT_SWAPPED);
  return self;
}
