/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is to be seen of widgets, told as text. */

#include "config.h"

#include "seen.h"

#include "golden.h"
#include "tsr-ui-test.h"

#include <string.h>

/* So often it was looked at, and was the same. */
#define MOST_STILL 100

static char *golden; /* path of the list; (nullable): none to compare with */
static GString *list;
static GHashTable *properties; /* type -> GPtrArray of GParamSpec */
static GPtrArray *replaced;    /* text, name, text, name ... */

/* ---------------------------------------------------------------- properties */

/* Other widgets, which are in the tree; what GTK computes from others that are told. */
static const char *const untold[]
    = { "parent",          "root",        "scale-factor",  "css-name",
        "has-default",     "name",        "can-target",    "receives-focus",
        "accessible-role", "text-length", "scroll-offset", "cursor-position",
        "selection-bound", "display",     "surface",       "renderer",
        "min-position",    "max-position" };

static gboolean
is_told (const GParamSpec *pspec)
{
  if ((pspec->flags & G_PARAM_READABLE) == 0 || g_type_is_a (pspec->value_type, GTK_TYPE_WIDGET)
      || g_type_is_a (pspec->value_type, G_TYPE_POINTER))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (untold); i++)
    if (g_str_equal (pspec->name, untold[i]))
      return FALSE;
  return TRUE;
}

static GPtrArray *
get_told (GObject *object)
{
  GPtrArray *told = g_hash_table_lookup (properties, GSIZE_TO_POINTER (G_OBJECT_TYPE (object)));
  g_autofree GParamSpec **all = NULL;
  guint n = 0;

  if (told != NULL)
    return told;
  told = g_ptr_array_new ();
  all = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);
  for (guint i = 0; i < n; i++)
    if (is_told (all[i]))
      g_ptr_array_add (told, all[i]);
  g_hash_table_insert (properties, GSIZE_TO_POINTER (G_OBJECT_TYPE (object)), told);
  return told;
}

static void
tell_menu (GString *out, GMenuModel *menu)
{
  g_string_append_c (out, '[');
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuAttributeIter) attributes = g_menu_model_iterate_item_attributes (menu, i);
      g_autoptr (GMenuLinkIter) links = g_menu_model_iterate_item_links (menu, i);

      g_string_append_c (out, '(');
      while (g_menu_attribute_iter_next (attributes))
        {
          g_autoptr (GVariant) value = g_menu_attribute_iter_get_value (attributes);
          g_autofree char *text = g_variant_print (value, FALSE);

          g_string_append_printf (out, "%s %s ", g_menu_attribute_iter_get_name (attributes), text);
        }
      while (g_menu_link_iter_next (links))
        {
          g_autoptr (GMenuModel) below = g_menu_link_iter_get_value (links);

          tell_menu (out, below);
        }
      g_string_append_c (out, ')');
    }
  g_string_append_c (out, ']');
}

static void
tell_object (GString *out, GObject *object)
{
  g_string_append (out, G_OBJECT_TYPE_NAME (object));
  if (GTK_IS_ADJUSTMENT (object))
    {
      GtkAdjustment *a = GTK_ADJUSTMENT (object);

      g_string_append_printf (out, "(%g of %g to %g by %g %g %g)", gtk_adjustment_get_value (a),
                              gtk_adjustment_get_lower (a), gtk_adjustment_get_upper (a),
                              gtk_adjustment_get_step_increment (a),
                              gtk_adjustment_get_page_increment (a),
                              gtk_adjustment_get_page_size (a));
    }
  else if (G_IS_MENU_MODEL (object))
    tell_menu (out, G_MENU_MODEL (object));
  else if (G_IS_ICON (object))
    {
      g_autofree char *text = g_icon_to_string (G_ICON (object));

      g_string_append_printf (out, "(%s)", text);
    }
  else if (G_IS_LIST_MODEL (object))
    {
      guint n = g_list_model_get_n_items (G_LIST_MODEL (object));

      g_string_append_printf (out, "(%u", n);
      for (guint i = 0; GTK_IS_STRING_LIST (object) && i < n; i++)
        g_string_append_printf (out, " “%s”",
                                gtk_string_list_get_string (GTK_STRING_LIST (object), i));
      g_string_append_c (out, ')');
    }
}

static void
tell_value (GString *out, const GValue *value)
{
  g_autofree char *text = NULL;

  if (G_VALUE_HOLDS_STRING (value))
    g_string_append_printf (out, "“%s”", g_value_get_string (value));
  else if (G_VALUE_HOLDS_DOUBLE (value))
    g_string_append_printf (out, "%g", g_value_get_double (value));
  else if (G_VALUE_HOLDS_FLOAT (value))
    g_string_append_printf (out, "%g", (double)g_value_get_float (value));
  else if (G_VALUE_HOLDS_OBJECT (value))
    tell_object (out, g_value_get_object (value));
  else if (G_VALUE_HOLDS (value, PANGO_TYPE_ATTR_LIST))
    g_string_append (out, text = pango_attr_list_to_string (g_value_get_boxed (value)));
  else if (G_VALUE_HOLDS (value, G_TYPE_STRV))
    g_string_append (out, text = g_strjoinv (".", g_value_get_boxed (value)));
  else if (G_VALUE_HOLDS_ENUM (value) || G_VALUE_HOLDS_FLAGS (value)
           || G_VALUE_HOLDS_BOOLEAN (value) || G_VALUE_HOLDS_INT (value)
           || G_VALUE_HOLDS_UINT (value))
    {
      GValue number = G_VALUE_INIT;

      g_value_init (&number, G_TYPE_INT64);
      if (g_value_transform (value, &number))
        g_string_append_printf (out, "%" G_GINT64_FORMAT, g_value_get_int64 (&number));
    }
  else
    g_string_append (out, G_VALUE_TYPE_NAME (value));
}

static void
tell_properties (GString *out, GObject *object)
{
  GPtrArray *told = get_told (object);

  for (guint i = 0; i < told->len; i++)
    {
      GParamSpec *pspec = told->pdata[i];
      GValue value = G_VALUE_INIT;

      /* A box whose layout is another asks it all the same. */
      if (GTK_IS_BOX (object)
          && (pspec->owner_type == GTK_TYPE_BOX || pspec->owner_type == GTK_TYPE_ORIENTABLE)
          && !GTK_IS_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (object))))
        continue;
      g_value_init (&value, pspec->value_type);
      g_object_get_property (object, pspec->name, &value);
      if (!g_param_value_defaults (pspec, &value)
          && !(G_VALUE_HOLDS_BOXED (&value) && g_value_get_boxed (&value) == NULL))
        {
          g_string_append_printf (out, " %s=", pspec->name);
          tell_value (out, &value);
        }
      g_value_unset (&value);
    }
}

/* ---------------------------------------------------------------- the rest of a widget */

/* Keys of a class of our own, and what they do; letters of labels are in the labels, and here in an
 * order that differs. */
static void
tell_keys (GString *out, GtkEventController *controller)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (controller)); i++)
    {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), i);
      g_autofree char *keys = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));
      GtkShortcutAction *does = gtk_shortcut_get_action (shortcut);
      /* The name of a function is its address. */
      g_autofree char *action = GTK_IS_CALLBACK_ACTION (does)
                                    ? g_strdup ("callback")
                                    : gtk_shortcut_action_to_string (does);
      GVariant *arguments = gtk_shortcut_get_arguments (shortcut);
      g_autofree char *with = arguments != NULL ? g_variant_print (arguments, FALSE) : NULL;

      if (GTK_IS_MNEMONIC_ACTION (does))
        continue;
      g_string_append_printf (out, " %s %s%s%s", keys, action, with != NULL ? " " : "",
                              with != NULL ? with : "");
    }
}

static void
tell_controllers (GString *out, GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      g_string_append_printf (out, " %s:%d", G_OBJECT_TYPE_NAME (controller),
                              (int)gtk_event_controller_get_propagation_phase (controller));
      if (GTK_IS_GESTURE_SINGLE (controller))
        g_string_append_printf (out, ":%u",
                                gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)));
      else if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        g_string_append_printf (out, ":%u",
                                (guint)gtk_event_controller_scroll_get_flags (
                                    GTK_EVENT_CONTROLLER_SCROLL (controller)));
      else if (GTK_IS_SHORTCUT_CONTROLLER (controller)
               && g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Tsr"))
        tell_keys (out, controller);
    }
}

/* GTK tells the value only where it is another than what it is asked for. */
static void
tell_accessible (GString *out, GtkWidget *widget)
{
  static const GtkAccessibleProperty texts[]
      = { GTK_ACCESSIBLE_PROPERTY_LABEL, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
          GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT };

  g_string_append_printf (out, " role %d",
                          (int)gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), texts[i]))
      {
        g_autofree char *text
            = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), texts[i], "\a");

        g_string_append_printf (out, " said “%s”", text);
      }
  if (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                        GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    g_string_append (out, " labelled");
  if (gtk_test_accessible_has_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_INVALID))
    g_string_append (out, " invalid");
}

static GtkTooltip *tooltip; /* all are asked with this one: it has a window of its own */
static char *tip;           /* (nullable) what the last one says */

/* One does not tell what was put into it. */
void __wrap_gtk_tooltip_set_text (GtkTooltip *asked, const char *text);

void
__wrap_gtk_tooltip_set_text (GtkTooltip *asked, const char *text)
{
  g_free (tip);
  tip = g_strdup (text);
}

/* What is shown only under the pointer. */
static void
tell_tooltip (GString *out, GtkWidget *widget)
{
  gboolean shown = FALSE;

  g_clear_pointer (&tip, g_free);

  if (!gtk_widget_get_has_tooltip (widget) || gtk_widget_get_tooltip_markup (widget) != NULL)
    return;
  g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &shown);
  g_string_append (out, shown ? " tip" : " no tip");
  if (tip != NULL)
    g_string_append_printf (out, " “%s”", tip);
}

/* Bars come and go by themselves, how far a spinner has turned is nobody's affair. */
static void
tell_tree (GString *out, GtkWidget *widget, int depth)
{
  GtkAllocation place;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_SCROLLBAR (widget) || GTK_IS_SPINNER (widget))
    return;
  gtk_widget_get_allocation (widget, &place);
  g_string_append_printf (out, "%*s%s <%s> %d,%d %dx%d", depth, "", G_OBJECT_TYPE_NAME (widget),
                          gtk_widget_get_css_name (widget), place.x, place.y, place.width,
                          place.height);
  tell_properties (out, G_OBJECT (widget));
  tell_controllers (out, widget);
  tell_accessible (out, widget);
  tell_tooltip (out, widget);
  g_string_append_c (out, '\n');
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    tell_tree (out, child, depth + 1);
}

/* (transfer full) (nullable) */
static GskRenderNode *
dup_drawn (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
  return gtk_snapshot_free_to_node (snapshot);
}

/* What is drawn, in its order.  How GTK puts nodes together that draw nothing themselves depends on
 * what it had drawn before. */
static void
tell_drawn (GString *out, GtkWidget *widget)
{
  GskRenderNode *node = dup_drawn (widget);
  g_autoptr (GBytes) bytes = node != NULL ? gsk_render_node_serialize (node) : NULL;
  const char *text = bytes != NULL ? g_bytes_get_data (bytes, NULL) : NULL;
  const char *end = text != NULL ? text + g_bytes_get_size (bytes) : NULL;

  while (text < end)
    {
      const char *line = text + strspn (text, " ");
      const char *next = memchr (line, '\n', (gsize)(end - line));

      next = next != NULL ? next + 1 : end;
      if (*line != '}' && strncmp (line, "container {", 11) != 0)
        g_string_append_len (out, line, next - line);
      text = next;
    }
  g_clear_pointer (&node, gsk_render_node_unref);
}

/* For who looks at the list. */
static void
save_picture (GtkWidget *widget, const char *name)
{
  GskRenderNode *node = dup_drawn (widget);
  g_autofree char *file = g_strdup_printf ("%s.png", name);
  g_autofree char *path = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (node == NULL)
    return;
  g_strdelimit (file, "/ ", '-');
  path = g_build_filename (g_getenv ("TESSERA_PICTURES"), file, NULL);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)),
                                         node, NULL);
  g_assert_true (gdk_texture_save_to_png (texture, path));
  gsk_render_node_unref (node);
}

/* ---------------------------------------------------------------- states */

/* Of what is typed into an entry nothing is replaced. */
static gboolean
has_other_letters (GtkWidget *widget)
{
  for (guint i = 0; GTK_IS_TEXT (widget) && i < replaced->len; i += 2)
    if (strstr (gtk_editable_get_text (GTK_EDITABLE (widget)), replaced->pdata[i]) != NULL)
      return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_other_letters (child))
      return TRUE;
  return FALSE;
}

/* What is another each time has other letters, too. */
static void
replace_labels (GtkWidget *widget)
{
  /* When a file was made, a report opened. */
  if (GTK_IS_LABEL (widget)
      && g_regex_match_simple ("^(Today|20[0-9-]{8}) [0-9]{2}:[0-9]{2}$",
                               gtk_label_get_text (GTK_LABEL (widget)), 0, 0))
    gtk_label_set_text (GTK_LABEL (widget), "TIME");
  for (guint i = 0; GTK_IS_LABEL (widget) && i < replaced->len; i += 2)
    if (strstr (gtk_label_get_text (GTK_LABEL (widget)), replaced->pdata[i]) != NULL)
      gtk_label_set_text (GTK_LABEL (widget), replaced->pdata[i + 1]);
  /* The manual's pictures are taken anew whenever a page looks different. */
  if (GTK_IS_PICTURE (widget) && GDK_IS_TEXTURE (gtk_picture_get_paintable (GTK_PICTURE (widget))))
    {
      GdkPaintable *texture = gtk_picture_get_paintable (GTK_PICTURE (widget));
      g_autoptr (GdkPaintable) empty
          = gdk_paintable_new_empty (gdk_paintable_get_intrinsic_width (texture),
                                     gdk_paintable_get_intrinsic_height (texture));

      gtk_picture_set_paintable (GTK_PICTURE (widget), empty);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    replace_labels (child);
}

/* (transfer full) */
static char *
dup_section (GtkWidget *widget, SeenMore more, const char *name)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "## %s\n", name);
  if (more != NULL)
    more (widget, out);
  tell_tree (out, widget, 0);
  if (!has_other_letters (widget))
    tell_drawn (out, widget);
  for (guint i = 0; i < replaced->len; i += 2)
    g_string_replace (out, replaced->pdata[i], replaced->pdata[i + 1], 0);
  if (out->str[out->len - 1] == '\n')
    g_string_truncate (out, out->len - 1);
  return g_string_free (out, FALSE);
}

void
seen_note (GtkWidget *widget, SeenMore more, const char *format, ...)
{
  gboolean writes = g_getenv ("TESSERA_GOLDEN") != NULL, same;
  guint n_still = 0;
  g_autofree char *name = NULL, *now = NULL, *before = NULL;
  va_list arguments;

  va_start (arguments, format);
  name = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  do
    {
      g_free (before);
      before = g_steal_pointer (&now);
      replace_labels (widget);
      tsr_ui_test_run (writes ? 50 : 20);
      now = dup_section (widget, more, name);
      n_still = g_strcmp0 (now, before) == 0 ? n_still + 1 : 0;
      if (!gtk_widget_get_mapped (widget))
        same = FALSE;
      else
        same = golden != NULL && !writes ? golden_has (golden, now) : n_still > 2;
    }
  while (!same && n_still < MOST_STILL);
  if (g_getenv ("TESSERA_PICTURES") != NULL)
    save_picture (widget, name);
  if (list->len > 0)
    g_string_append_c (list, '\n');
  g_string_append (list, now);
  if (!same)
    seen_end ();
}

void
seen_replace (const char *text, const char *name)
{
  g_ptr_array_add (replaced, g_strdup (text));
  g_ptr_array_add (replaced, g_strdup (name));
}

/* What places of letters and the inside of widgets follow from. */
static gboolean
can_compare (void)
{
  GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));
  g_autoptr (PangoFontDescription) wanted = pango_font_description_from_string ("Cantarell 11");
  g_autoptr (PangoFont) font
      = pango_context_load_font (gtk_widget_get_pango_context (label), wanted);
  g_autoptr (PangoFontDescription) got = pango_font_describe (font);
  gboolean same = g_strcmp0 (pango_font_description_get_family (got), "Cantarell") == 0
                  && gtk_get_major_version () == 4 && gtk_get_minor_version () == 8;

  g_object_unref (label);
  return same;
}

void
seen_init (void)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, "gtk-font-name", "Cantarell 11", NULL);
  /* They come and go with time. */
  gtk_css_provider_load_from_data (css, "scrollbar.overlay-indicator { opacity: 0; }", -1);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_USER);
}

void
seen_begin (const char *path)
{
  list = g_string_new (NULL);
  properties = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  replaced = g_ptr_array_new_with_free_func (g_free);
  tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  golden = can_compare () ? g_test_build_filename (G_TEST_DIST, path, NULL) : NULL;
}

void
seen_end (void)
{
  if (golden != NULL)
    golden_compare (golden, list->str);
  else
    g_test_message ("not compared: GTK is not 4.8, or its font is another");
  g_string_free (list, TRUE);
  g_hash_table_unref (properties);
  g_ptr_array_unref (replaced);
  g_clear_object (&tooltip);
  g_clear_pointer (&tip, g_free);
  g_clear_pointer (&golden, g_free);
}
