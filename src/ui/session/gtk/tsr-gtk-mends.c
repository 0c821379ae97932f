/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hooks on signals of all widgets: it does not matter where a popover, a text or a label comes
 * from. */

#include "config.h"

#include "tsr-gtk-mends.h"

#define CURRENT_TOOLTIP "gdk-display-current-tooltip"
#define FOCUS_BEFORE    "tessera-focus-before"
#define OVERSHOOT_TIMER "[gtk] start_scroll_deceleration_cb"

static void
free_weak_ref (gpointer ref)
{
  g_weak_ref_clear (ref);
  g_free (ref);
}

static GtkWidget *
find_focusable (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (GTK_IS_POPOVER (widget) || !gtk_widget_get_mapped (widget)
      || !gtk_widget_get_can_focus (widget) || !gtk_widget_is_sensitive (widget))
    return NULL;
  if (gtk_widget_get_focusable (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_focusable (child);
  return found;
}

/* A popover in which nothing takes the keyboard asks where in the window the keyboard is, and takes
 * it for granted that it is somewhere. */
static void
give_focus (GtkWidget *popover)
{
  GtkRoot *root = gtk_widget_get_root (popover);
  GtkWidget *widget = popover, *focus = NULL;

  if (root == NULL || gtk_root_get_focus (root) != NULL)
    return;
  while (focus == NULL && (widget = gtk_widget_get_parent (widget)) != NULL)
    focus = find_focusable (widget);
  if (focus != NULL)
    gtk_root_set_focus (root, focus);
}

/* A popover that goes while the keyboard is in it gives it to the next widget around it that takes
 * any, which may be a whole notebook: it belongs where it was. */
static void
note_focus (GtkWidget *popover)
{
  GtkRoot *root = gtk_widget_get_root (popover);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GWeakRef *before;

  if (focus == NULL || gtk_widget_is_ancestor (focus, popover))
    return;
  before = g_new0 (GWeakRef, 1);
  g_weak_ref_init (before, focus);
  g_object_set_data_full (G_OBJECT (popover), FOCUS_BEFORE, before, free_weak_ref);
}

static void
return_focus (GtkWidget *popover)
{
  GtkRoot *root = gtk_widget_get_root (popover);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GWeakRef *before = g_object_get_data (G_OBJECT (popover), FOCUS_BEFORE);
  g_autoptr (GtkWidget) widget = before != NULL ? g_weak_ref_get (before) : NULL;

  if (widget != NULL && focus != NULL && gtk_widget_is_ancestor (focus, popover)
      && gtk_widget_get_root (widget) == root && gtk_widget_get_mapped (widget))
    gtk_root_set_focus (root, widget);
  g_object_set_data (G_OBJECT (popover), FOCUS_BEFORE, NULL);
}

/* Whether a modal dialog of the window, or a dialog's own, is shown. */
static gboolean
is_behind_modal (GtkRoot *root)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  gboolean behind = FALSE;

  for (GList *l = windows; l != NULL && !behind; l = l->next)
    if (gtk_window_get_modal (l->data) && gtk_widget_get_mapped (l->data))
      for (GtkWindow *below = gtk_window_get_transient_for (l->data); below != NULL && !behind;
           below = gtk_window_get_transient_for (below))
        behind = GTK_ROOT (below) == root;
  return behind;
}

/* Wayland lets a popover take the pointer only if it is in the one that has it, or if none has. One
 * that assistive technology opens comes while another is open, which then has to go, or in a window
 * that is behind a modal dialog, where nothing may come up. */
static GSList *open_popovers;

static void
on_show_popover (GtkWidget *popover)
{
  g_autoptr (GSList) before = g_slist_copy (open_popovers);

  if (gtk_popover_get_autohide (GTK_POPOVER (popover))
      && is_behind_modal (gtk_widget_get_root (popover)))
    {
      g_signal_emit_by_name (popover, "closed"); /* a button that opens it is no longer pressed */
      return;
    }
  for (GSList *l = gtk_popover_get_autohide (GTK_POPOVER (popover)) ? before : NULL; l != NULL;
       l = l->next)
    if (g_slist_find (open_popovers, l->data) != NULL && l->data != popover
        && !gtk_widget_is_ancestor (popover, l->data))
      {
        /* One that is made for one time may be gone when it is closed; GTK asks it more. */
        g_autoptr (GtkPopover) other = g_object_ref (l->data);

        gtk_popover_popdown (other);
      }
  g_signal_chain_from_overridden_handler (popover);
}

static gboolean
on_map (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (values);

  if (GTK_IS_POPOVER (widget))
    {
      give_focus (widget);
      if (gtk_popover_get_autohide (GTK_POPOVER (widget)))
        {
          open_popovers = g_slist_prepend (open_popovers, widget);
          note_focus (widget);
        }
    }
  return TRUE;
}

/* A text with the keyboard lets its cursor blink, and does not stop that, as it has to, when it is
 * selected while it is hidden: no hidden text has the keyboard. */
static gboolean (*grab_focus_of_text) (GtkWidget *text);

static gboolean
on_grab_focus_of_text (GtkWidget *text)
{
  GtkNative *native = gtk_widget_get_native (text);

  if (native != NULL && gtk_widget_get_mapped (GTK_WIDGET (native))
      && !gtk_widget_get_mapped (text))
    return FALSE;
  return grab_focus_of_text (text);
}

static void
take_focus (GtkWidget *text)
{
  GtkRoot *root = gtk_widget_get_root (text);

  if (root != NULL && gtk_widget_get_native (text) == GTK_NATIVE (root)
      && gtk_widget_get_mapped (GTK_WIDGET (root)) && gtk_root_get_focus (root) == text)
    gtk_root_set_focus (root, NULL);
}

static gboolean
on_unmap (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (values);

  open_popovers = g_slist_remove (open_popovers, widget);
  if (GTK_IS_TEXT (widget))
    take_focus (widget);
  if (GTK_IS_POPOVER (widget))
    return_focus (widget);
  return TRUE;
}

/* A popover that goes within half a second after the pointer was in it leaves a tooltip behind that
 * asks its surface where the pointer is; GTK forgets it this way itself when a display is closed. A
 * timer may hold the tooltip, and takes it for granted that the other one is still under way: it
 * has to end before. */
static void
forget_tooltip (GObject *display)
{
  GObject *tooltip = g_object_get_data (display, CURRENT_TOOLTIP);
  GSource *timer = tooltip != NULL ? g_main_context_find_source_by_user_data (NULL, tooltip) : NULL;

  if (timer == NULL)
    {
      g_object_set_data (display, CURRENT_TOOLTIP, NULL);
      return;
    }
  g_source_set_priority (timer, G_PRIORITY_HIGH);
  g_source_set_ready_time (timer, 0);
}

/* GTK ends an overshoot 50 ms later, with the frame clock of the window.  If the widget has left
 * the window by then, because the report was closed, there is no clock; so it is ended before
 * that. */
static void
end_overshoot (GtkWidget *scrolled)
{
  GSource *timer = g_main_context_find_source_by_user_data (NULL, scrolled);
  GSourceFunc func = NULL;
  gpointer data = NULL;

  if (timer == NULL || g_strcmp0 (g_source_get_name (timer), OVERSHOOT_TIMER) != 0)
    return;
  timer->callback_funcs->get (timer->callback_data, timer, &func, &data);
  func (data);
  g_source_destroy (timer);
}

/* A notebook with the keyboard in it that goes page by page gives it to the next page, when it is
 * in no window any more. */
static gboolean
on_unrealize (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (values);

  if (GTK_IS_POPOVER (widget))
    forget_tooltip (G_OBJECT (gtk_widget_get_display (widget)));
  if (GTK_IS_SCROLLED_WINDOW (widget))
    end_overshoot (widget);
  if (GTK_IS_NOTEBOOK (widget))
    gtk_widget_set_focus_child (widget, NULL);
  return TRUE;
}

/* GTK counts the last word of a label one further than its text where that does not end with a
 * letter, as of "45 %", and reads there when the cursor moves on.  What it says of the selection is
 * right: that is selected again. */
static gboolean
on_released (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = gtk_event_controller_get_widget (g_value_get_object (values));
  int start, end;

  if (GTK_IS_LABEL (widget) && g_value_get_int (&values[1]) > 1
      && gtk_label_get_selection_bounds (GTK_LABEL (widget), &start, &end))
    gtk_label_select_region (GTK_LABEL (widget), start, end);
  return TRUE;
}

static void
on_move_cursor (GtkLabel *label, GtkMovementStep step, int count, gboolean extend)
{
  int length = (int)g_utf8_strlen (gtk_label_get_text (label), -1);
  int start, end, new_start, new_end;

  gtk_label_get_selection_bounds (label, &start, &end);
  g_signal_chain_from_overridden_handler (label, step, count, extend);
  if (step != GTK_MOVEMENT_WORDS || count <= 0)
    return;
  gtk_label_get_selection_bounds (label, &new_start, &new_end);
  /* Unless it is the other end of the selection that moved. */
  if (new_end == length && (!extend || new_start == start || new_start == end))
    gtk_label_select_region (label, new_start, new_end);
}

/* Ctrl+Shift+D is for the diagnostics of a report; where there is none, it must not open GTK's
 * inspector.  Ctrl+Shift+I still does. */
static gboolean
on_enable_debugging (GtkWindow *window, gboolean toggle)
{
  gboolean done = FALSE;

  if (!toggle)
    g_signal_chain_from_overridden_handler (window, toggle, &done);
  return done;
}

void
tsr_gtk_mends_init (void)
{
  gpointer widget_class = g_type_class_ref (GTK_TYPE_WIDGET); /* it has its signals from then on */
  GtkWidgetClass *text_class = g_type_class_ref (GTK_TYPE_TEXT);

  grab_focus_of_text = text_class->grab_focus;
  text_class->grab_focus = on_grab_focus_of_text;
  g_type_class_unref (text_class);

  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, on_unmap, NULL, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("unrealize", GTK_TYPE_WIDGET), 0, on_unrealize, NULL,
                              NULL);
  g_type_class_unref (widget_class);
  g_type_class_unref (g_type_class_ref (GTK_TYPE_GESTURE_CLICK));
  g_signal_add_emission_hook (g_signal_lookup ("released", GTK_TYPE_GESTURE_CLICK), 0, on_released,
                              NULL, NULL);
  g_type_class_unref (g_type_class_ref (GTK_TYPE_POPOVER));
  g_signal_override_class_handler ("show", GTK_TYPE_POPOVER, G_CALLBACK (on_show_popover));
  g_type_class_unref (g_type_class_ref (GTK_TYPE_LABEL));
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WINDOW));
  g_signal_override_class_handler ("enable-debugging", GTK_TYPE_WINDOW,
                                   G_CALLBACK (on_enable_debugging));
  g_signal_override_class_handler ("move-cursor", GTK_TYPE_LABEL, G_CALLBACK (on_move_cursor));
}
