/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of small flat controls with dots between them.  Where there is not enough room, the longest
 * parts lose whole words at their ends, and no number loses digits; the tooltip then has the rest.
 */

#include "config.h"

#include "tsr-scope-line.h"

#include <glib/gi18n.h>
#include <string.h>

struct _TsrScopeLine
{
  GtkWidget parent_instance;

  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (TsrScopeLine, tsr_scope_line, GTK_TYPE_WIDGET)

/* ------------------------------------------------------------------- text */

#define TSR_TYPE_SCOPE_TEXT (tsr_scope_text_get_type ())
G_DECLARE_FINAL_TYPE (TsrScopeText, tsr_scope_text, TSR, SCOPE_TEXT, GtkWidget)

struct _TsrScopeText
{
  GtkWidget parent_instance;

  char *text;
  char *brief;         /* (nullable) what is shown of it at most */
  PangoLayout *layout; /* of what is shown */
  gboolean cut;
};

G_DEFINE_FINAL_TYPE (TsrScopeText, tsr_scope_text, GTK_TYPE_WIDGET)

static int
get_text_width (TsrScopeText *self, const char *text)
{
  int width;

  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &width, NULL);
  return width;
}

static const char *
get_words (TsrScopeText *self)
{
  return self->brief != NULL ? self->brief : self->text;
}

/* (transfer full): the words of @text that end before @end, and "…"; @end is moved to their end. */
static char *
dup_words (const char *text, gsize *end)
{
  while (*end > 0 && text[*end - 1] != ' ')
    --*end;
  return g_strdup_printf ("%.*s…", (int)(*end > 0 ? (*end)-- : 0), text);
}

static void
tsr_scope_text_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  TsrScopeText *self = TSR_SCOPE_TEXT (widget);
  g_autofree char *shown = g_strdup (pango_layout_get_text (self->layout));

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      pango_layout_get_pixel_size (self->layout, NULL, natural);
      *minimum = *natural;
      *minimum_baseline = *natural_baseline
          = PANGO_PIXELS (pango_layout_get_baseline (self->layout));
      return;
    }
  *natural = get_text_width (self, get_words (self));
  *minimum = MIN (get_text_width (self, "…"), *natural);
  pango_layout_set_text (self->layout, shown, -1);
}

static void
tsr_scope_text_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrScopeText *self = TSR_SCOPE_TEXT (widget);
  const char *text = get_words (self);
  gsize end = strlen (text);

  self->cut = get_text_width (self, text) > width;
  for (gboolean fits = !self->cut; !fits;)
    {
      g_autofree char *words = dup_words (text, &end);

      fits = get_text_width (self, words) <= width || end == 0;
    }
}

static void
tsr_scope_text_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrScopeText *self = TSR_SCOPE_TEXT (widget);
  int height;

  pango_layout_get_pixel_size (self->layout, NULL, &height);
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget), 0,
                              (gtk_widget_get_height (widget) - height) / 2, self->layout);
}

static void
set_text (TsrScopeText *self, const char *text, const char *brief)
{
  char *copy = g_strdup (text); /* it may be the old one */

  g_free (self->text);
  g_free (self->brief);
  self->text = copy;
  self->brief = g_strdup (brief);
  pango_layout_set_text (self->layout, get_words (self), -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
tsr_scope_text_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TsrScopeText *self = TSR_SCOPE_TEXT (widget);

  GTK_WIDGET_CLASS (tsr_scope_text_parent_class)->css_changed (widget, change);
  if (self->layout != NULL)
    pango_layout_context_changed (self->layout);
}

static void
tsr_scope_text_finalize (GObject *object)
{
  TsrScopeText *self = TSR_SCOPE_TEXT (object);

  g_free (self->text);
  g_free (self->brief);
  g_object_unref (self->layout);
  G_OBJECT_CLASS (tsr_scope_text_parent_class)->finalize (object);
}

static void
tsr_scope_text_class_init (TsrScopeTextClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tsr_scope_text_finalize;
  widget_class->measure = tsr_scope_text_measure;
  widget_class->size_allocate = tsr_scope_text_size_allocate;
  widget_class->snapshot = tsr_scope_text_snapshot;
  widget_class->css_changed = tsr_scope_text_css_changed;
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
tsr_scope_text_init (TsrScopeText *self)
{
  self->text = g_strdup ("");
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "");
}

/* ------------------------------------------------------------------- line */

#define DOT_KEY   "tsr-scope-dot"
#define LABEL_KEY "tsr-scope-label"
#define TOLD_KEY  "tsr-scope-told" /* a control beside says it */
#define GONE_KEY  "tsr-scope-gone" /* not a part of the scope now */

static void
tsr_scope_line_dispose (GObject *object)
{
  TsrScopeLine *self = TSR_SCOPE_LINE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_scope_line_parent_class)->dispose (object);
}

static void
tsr_scope_line_class_init (TsrScopeLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_scope_line_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "scopeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
}

static void
tsr_scope_line_init (TsrScopeLine *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What the numbers are of"), -1);
}

TsrScopeLine *
tsr_scope_line_new (void)
{
  return g_object_new (TSR_TYPE_SCOPE_LINE, "visible", FALSE, NULL);
}

static GtkWidget *
new_label (const char *text)
{
  GtkWidget *label = g_object_new (TSR_TYPE_SCOPE_TEXT, NULL);

  set_text (TSR_SCOPE_TEXT (label), text, NULL);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* A dot stands before every visible part but the first visible one; a line of none takes no room.
 */
static void
update_dots (TsrScopeLine *self)
{
  gboolean first = TRUE;

  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *dot = g_object_get_data (G_OBJECT (child), DOT_KEY);

      if (dot == NULL)
        continue;
      gtk_widget_set_visible (dot, gtk_widget_get_visible (child) && !first);
      if (gtk_widget_get_visible (child))
        first = FALSE;
    }
  gtk_widget_set_visible (GTK_WIDGET (self), !first);
}

static void
update_part (TsrScopeLine *self, GtkWidget *part)
{
  gtk_widget_set_visible (part, g_object_get_data (G_OBJECT (part), GONE_KEY) == NULL
                                    && g_object_get_data (G_OBJECT (part), TOLD_KEY) == NULL);
  update_dots (self);
}

/* What was cut or left out, above what the tooltip says anyway. */
static gboolean
on_query_tooltip (
    GtkWidget *part, int x, int y, gboolean keyboard, GtkTooltip *tooltip, TsrScopeText *label)
{
  GtkPopover *popover
      = GTK_IS_MENU_BUTTON (part) ? gtk_menu_button_get_popover (GTK_MENU_BUTTON (part)) : NULL;
  const char *hint = gtk_widget_get_tooltip_text (part);
  g_autofree char *both = NULL;

  /* This is asked before what keeps tooltips off popovers. */
  if ((!label->cut && label->brief == NULL)
      || (popover != NULL && gtk_widget_get_mapped (GTK_WIDGET (popover))))
    return FALSE;
  both
      = g_strdup_printf ("%s%s%s", label->text, hint != NULL ? "\n" : "", hint != NULL ? hint : "");
  gtk_tooltip_set_text (tooltip, both);
  return TRUE;
}

static GtkWidget *
append_part (TsrScopeLine *self, GtkWidget *part, GtkWidget *label, const char *tooltip)
{
  GtkWidget *dot = gtk_label_new ("·");

  gtk_widget_add_css_class (dot, "dim-label");
  gtk_accessible_update_state (GTK_ACCESSIBLE (dot), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_box_append (GTK_BOX (self->box), dot);
  gtk_box_append (GTK_BOX (self->box), part);
  gtk_widget_set_tooltip_text (part, tooltip);
  gtk_widget_set_has_tooltip (part, TRUE);
  g_signal_connect_object (part, "query-tooltip", G_CALLBACK (on_query_tooltip), label, 0);
  g_object_set_data (G_OBJECT (part), DOT_KEY, dot);
  g_object_set_data (G_OBJECT (part), LABEL_KEY, label);
  tsr_scope_line_set_part_text (self, part, TSR_SCOPE_TEXT (label)->text);
  update_dots (self);
  return part;
}

GtkWidget *
tsr_scope_line_add_text (TsrScopeLine *self, const char *text, const char *tooltip)
{
  GtkWidget *label;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  label = new_label (text);
  gtk_widget_add_css_class (label, "scope-text");
  return append_part (self, label, label, tooltip);
}

GtkWidget *
tsr_scope_line_add_button (TsrScopeLine *self,
                           const char *text,
                           const char *tooltip,
                           const char *action_name)
{
  GtkWidget *button, *label;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  button = gtk_button_new ();
  label = new_label (text);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  if (action_name != NULL)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action_name);
  return append_part (self, button, label, tooltip);
}

static GtkWidget *
add_menu_button (TsrScopeLine *self, const char *text, const char *tooltip, GtkWidget **button)
{
  GtkWidget *label = new_label (text);

  *button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (*button), label);
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (*button), TRUE);
  gtk_widget_add_css_class (*button, "flat");
  return append_part (self, *button, label, tooltip);
}

GtkWidget *
tsr_scope_line_add_popover (TsrScopeLine *self,
                            const char *text,
                            const char *tooltip,
                            GtkWidget *popover)
{
  GtkWidget *button;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  add_menu_button (self, text, tooltip, &button);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  return button;
}

void
tsr_scope_line_set_part_text (TsrScopeLine *self, GtkWidget *part, const char *text)
{
  tsr_scope_line_set_part_texts (self, part, text, NULL);
}

void
tsr_scope_line_set_part_texts (TsrScopeLine *self,
                               GtkWidget *part,
                               const char *text,
                               const char *brief)
{
  GtkWidget *label;

  g_return_if_fail (TSR_IS_SCOPE_LINE (self) && GTK_IS_WIDGET (part));
  label = g_object_get_data (G_OBJECT (part), LABEL_KEY);
  g_return_if_fail (label != NULL);
  set_text (TSR_SCOPE_TEXT (label), text, brief);
  /* A button whose text had the name, too, would have it twice. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (part), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  TSR_SCOPE_TEXT (label)->text, -1);
}

void
tsr_scope_line_set_part_visible (TsrScopeLine *self, GtkWidget *part, gboolean visible)
{
  g_return_if_fail (TSR_IS_SCOPE_LINE (self) && GTK_IS_WIDGET (part));
  g_object_set_data (G_OBJECT (part), GONE_KEY, GINT_TO_POINTER (!visible));
  update_part (self, part);
}

void
tsr_scope_line_set_part_told (TsrScopeLine *self, GtkWidget *part, gboolean told)
{
  g_return_if_fail (TSR_IS_SCOPE_LINE (self) && GTK_IS_WIDGET (part));
  g_object_set_data (G_OBJECT (part), TOLD_KEY, GINT_TO_POINTER (told));
  update_part (self, part);
}

static char *
dup_parts (TsrScopeLine *self, gboolean shown)
{
  GString *text = g_string_new (NULL);

  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      TsrScopeText *label = g_object_get_data (G_OBJECT (child), LABEL_KEY);

      if (label == NULL
          || (shown ? !gtk_widget_get_visible (child)
                    : g_object_get_data (G_OBJECT (child), GONE_KEY) != NULL))
        continue;
      if (text->len > 0)
        g_string_append (text, " · ");
      g_string_append (text, shown ? pango_layout_get_text (label->layout) : label->text);
    }
  return g_string_free (text, FALSE);
}

char *
tsr_scope_line_dup_text (TsrScopeLine *self)
{
  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  return dup_parts (self, FALSE);
}

char *
tsr_scope_line_dup_shown (TsrScopeLine *self)
{
  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  return dup_parts (self, TRUE);
}
