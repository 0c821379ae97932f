/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The orientation follows the width that is given, before the paned gets its own place, so that no
 * frame shows the wrong one.  Of the splitter the share is kept, one for each orientation. */

#include "config.h"

#include "tsr-split.h"

#define BELOW_SHARE (2 / 3.0) /* of the height for the chart, */
#define BELOW       204.0     /* unless the details would have less: tabs, filter, some rows */
#define BELOW_LEAST 0.5       /* and at least this for the chart */
#define BESIDE      0.35      /* of the width for the details */
#define BESIDE_MIN  480
#define BESIDE_MAX  1100

struct _TsrSplit
{
  GtkWidget parent_instance;

  GtkPaned *paned;
  GtkWidget *chart, *details;
  gboolean swapped;
  double share[2]; /* by orientation: the chart's, as the user has moved it; 0: not yet */
  gboolean placing;
  TsrSession *session; /* (nullable): keeps the state under the two keys */
  char *visible_key, *swapped_key;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrSplit,
                               tsr_split,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum
{
  PROP_0,
  PROP_DETAILS_VISIBLE,
  PROP_SWAPPED,
  PROP_MAXIMISED,
  PROP_ORIENTATION,
  N_PROPS
};
static GParamSpec *props[N_PROPS];
static GtkBuildableIface *parent_buildable;

static void
set_chart (TsrSplit *self, GtkWidget *chart)
{
  self->chart = chart;
  gtk_paned_set_start_child (self->paned, chart);
}

static void
set_details (TsrSplit *self, GtkWidget *details)
{
  self->details = details;
  gtk_paned_set_end_child (self->paned, details);
}

static void
buildable_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  TsrSplit *self = TSR_SPLIT (buildable);

  if (g_strcmp0 (type, "chart") == 0)
    set_chart (self, GTK_WIDGET (child));
  else if (g_strcmp0 (type, "details") == 0)
    set_details (self, GTK_WIDGET (child));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = buildable_add_child;
}

GtkOrientation
tsr_split_get_orientation (TsrSplit *self)
{
  g_return_val_if_fail (TSR_IS_SPLIT (self), GTK_ORIENTATION_VERTICAL);
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned));
}

static void
place (TsrSplit *self, int width, int height)
{
  gboolean beside = (width >= TSR_SPLIT_WIDE) != self->swapped;
  GtkOrientation orientation = beside ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL;
  int size = beside ? width : height;
  double share = self->share[orientation];

  self->placing = TRUE;
  if (share <= 0)
    share = beside ? 1 - CLAMP (BESIDE * width, BESIDE_MIN, BESIDE_MAX) / MAX (width, 1)
                   : CLAMP (1 - BELOW / MAX (height, 1), BELOW_LEAST, BELOW_SHARE);
  if (orientation != tsr_split_get_orientation (self))
    {
      gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), orientation);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ORIENTATION]);
    }
  gtk_paned_set_position (self->paned, (int)(MAX (share, 0.05) * size + 0.5));
  self->placing = FALSE;
}

static void
tsr_split_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrSplit *self = TSR_SPLIT (widget);

  place (self, width, height);
  self->placing = TRUE;
  gtk_widget_measure (GTK_WIDGET (self->paned), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL,
                      NULL);
  gtk_widget_allocate (GTK_WIDGET (self->paned), width, height, baseline, NULL);
  self->placing = FALSE;
}

static void
tsr_split_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  TsrSplit *self = TSR_SPLIT (widget);
  int sizes[2] = { 0, 0 }, handle = 10;

  /* The same whichever way they stand, so that nothing depends on itself. */
  if (self->chart != NULL && gtk_widget_get_visible (self->chart))
    gtk_widget_measure (self->chart, orientation, -1, &sizes[0], NULL, NULL, NULL);
  if (self->details != NULL && gtk_widget_get_visible (self->details))
    gtk_widget_measure (self->details, orientation, -1, &sizes[1], NULL, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_VERTICAL ? sizes[0] + sizes[1] + handle
                                                     : MAX (sizes[0], sizes[1]);
  *natural = *minimum;
}

static void
on_position (TsrSplit *self)
{
  GtkOrientation orientation = tsr_split_get_orientation (self);
  int size = orientation == GTK_ORIENTATION_HORIZONTAL ? gtk_widget_get_width (GTK_WIDGET (self))
                                                       : gtk_widget_get_height (GTK_WIDGET (self));

  if (!self->placing && size > 0 && tsr_split_get_details_visible (self)
      && !tsr_split_is_maximised (self))
    self->share[orientation] = (double)gtk_paned_get_position (self->paned) / size;
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsrSplit *self)
{
  GtkWidget *target = gtk_widget_pick (GTK_WIDGET (self->paned), x, y, GTK_PICK_DEFAULT);

  if (n_press != 2)
    return;
  /* The handle belongs to the paned itself. */
  if (target != NULL && target != GTK_WIDGET (self->paned)
      && (gtk_widget_is_ancestor (target, self->chart) || target == self->chart
          || gtk_widget_is_ancestor (target, self->details) || target == self->details))
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  tsr_split_set_swapped (self, !self->swapped);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrSplit *self = TSR_SPLIT (widget);

  if (g_str_equal (name, "split.swap"))
    tsr_split_set_swapped (self, !self->swapped);
  else
    tsr_split_set_details_visible (self, !tsr_split_get_details_visible (self));
}

static gboolean
on_key (GtkWidget *widget, GVariant *maximise, gpointer data)
{
  TsrSplit *self = TSR_SPLIT (widget);

  /* The key is the window's: pages that are not shown have a splitter as well. */
  if (!gtk_widget_get_mapped (widget))
    return FALSE;
  if (g_variant_get_boolean (maximise))
    tsr_split_set_maximised (self, !tsr_split_is_maximised (self));
  else
    tsr_split_set_details_visible (self, !tsr_split_get_details_visible (self));
  return TRUE;
}

static void
add_key (GtkEventController *keys, GdkModifierType modifiers, gboolean maximise)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F9, modifiers),
                                            gtk_callback_action_new (on_key, NULL, NULL));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_boolean (maximise));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), shortcut);
}

static void
tsr_split_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrSplit *self = TSR_SPLIT (object);

  switch (id)
    {
    case PROP_DETAILS_VISIBLE:
      g_value_set_boolean (value, tsr_split_get_details_visible (self));
      break;
    case PROP_SWAPPED:
      g_value_set_boolean (value, self->swapped);
      break;
    case PROP_MAXIMISED:
      g_value_set_boolean (value, tsr_split_is_maximised (self));
      break;
    case PROP_ORIENTATION:
      g_value_set_enum (value, tsr_split_get_orientation (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tsr_split_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrSplit *self = TSR_SPLIT (object);

  switch (id)
    {
    case PROP_DETAILS_VISIBLE:
      tsr_split_set_details_visible (self, g_value_get_boolean (value));
      break;
    case PROP_SWAPPED:
      tsr_split_set_swapped (self, g_value_get_boolean (value));
      break;
    case PROP_MAXIMISED:
      tsr_split_set_maximised (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
save_state (TsrSplit *self)
{
  if (self->session == NULL)
    return;
  tsr_session_set_state (self->session, self->visible_key,
                         g_variant_new_boolean (tsr_split_get_details_visible (self)));
  tsr_session_set_state (self->session, self->swapped_key,
                         g_variant_new_boolean (tsr_split_is_swapped (self)));
}

void
tsr_split_keep_state (TsrSplit *self, TsrSession *session, const char *page)
{
  GVariant *visible, *swapped;

  g_return_if_fail (TSR_IS_SPLIT (self) && self->session == NULL);
  self->session = g_object_ref (session);
  self->visible_key = g_strconcat (page, "-details-visible", NULL);
  self->swapped_key = g_strconcat (page, "-details-swapped", NULL);
  visible = tsr_session_get_state (session, self->visible_key);
  swapped = tsr_session_get_state (session, self->swapped_key);
  if (visible != NULL)
    tsr_split_set_details_visible (self, g_variant_get_boolean (visible));
  if (swapped != NULL)
    tsr_split_set_swapped (self, g_variant_get_boolean (swapped));
  g_signal_connect (self, "notify::details-visible", G_CALLBACK (save_state), NULL);
  g_signal_connect (self, "notify::swapped", G_CALLBACK (save_state), NULL);
}

static void
tsr_split_dispose (GObject *object)
{
  TsrSplit *self = TSR_SPLIT (object);

  self->chart = self->details = NULL;
  if (self->paned != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->paned, self);
      gtk_widget_unparent (GTK_WIDGET (self->paned));
      self->paned = NULL;
    }
  g_clear_object (&self->session);
  g_clear_pointer (&self->visible_key, g_free);
  g_clear_pointer (&self->swapped_key, g_free);
  G_OBJECT_CLASS (tsr_split_parent_class)->dispose (object);
}

static void
tsr_split_class_init (TsrSplitClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->dispose = tsr_split_dispose;
  object_class->get_property = tsr_split_get_property;
  object_class->set_property = tsr_split_set_property;
  widget_class->measure = tsr_split_measure;
  widget_class->size_allocate = tsr_split_size_allocate;
  props[PROP_DETAILS_VISIBLE] = g_param_spec_boolean ("details-visible", NULL, NULL, TRUE, flags);
  props[PROP_ORIENTATION] = g_param_spec_enum (
      "orientation", NULL, NULL, GTK_TYPE_ORIENTATION, GTK_ORIENTATION_VERTICAL,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  props[PROP_MAXIMISED] = g_param_spec_boolean ("maximised", NULL, NULL, FALSE, flags);
  props[PROP_SWAPPED] = g_param_spec_boolean ("swapped", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_install_action (widget_class, "split.swap", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "split.toggle-details", NULL, run_action);
  gtk_widget_class_install_property_action (widget_class, "split.maximise", "maximised");
  gtk_widget_class_set_css_name (widget_class, "split");
}

static void
tsr_split_init (TsrSplit *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_VERTICAL));
  gtk_paned_set_shrink_start_child (self->paned, FALSE);
  gtk_paned_set_shrink_end_child (self->paned, FALSE);
  /* Its place is ours for the new size: a paned whose children both grow would scale it again. */
  gtk_paned_set_resize_start_child (self->paned, FALSE);
  gtk_widget_set_parent (GTK_WIDGET (self->paned), GTK_WIDGET (self));
  g_signal_connect_swapped (self->paned, "notify::position", G_CALLBACK (on_position), self);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->paned), GTK_EVENT_CONTROLLER (click));
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  add_key (keys, 0, FALSE);
  add_key (keys, GDK_SHIFT_MASK, TRUE);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

gboolean
tsr_split_get_details_visible (TsrSplit *self)
{
  g_return_val_if_fail (TSR_IS_SPLIT (self), FALSE);
  return self->details != NULL && gtk_widget_get_visible (self->details);
}

void
tsr_split_set_details_visible (TsrSplit *self, gboolean visible)
{
  g_return_if_fail (TSR_IS_SPLIT (self) && self->details != NULL);

  if (visible == gtk_widget_get_visible (self->details))
    return;
  tsr_split_set_maximised (self, FALSE);
  gtk_widget_set_visible (self->details, visible);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DETAILS_VISIBLE]);
}

gboolean
tsr_split_is_maximised (TsrSplit *self)
{
  g_return_val_if_fail (TSR_IS_SPLIT (self), FALSE);
  return self->chart != NULL && !gtk_widget_get_visible (self->chart);
}

void
tsr_split_set_maximised (TsrSplit *self, gboolean maximised)
{
  g_return_if_fail (TSR_IS_SPLIT (self));

  if (self->chart == NULL || maximised == tsr_split_is_maximised (self))
    return;
  if (maximised)
    tsr_split_set_details_visible (self, TRUE);
  gtk_widget_set_visible (self->chart, !maximised);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MAXIMISED]);
}

gboolean
tsr_split_is_swapped (TsrSplit *self)
{
  g_return_val_if_fail (TSR_IS_SPLIT (self), FALSE);
  return self->swapped;
}

void
tsr_split_set_swapped (TsrSplit *self, gboolean swapped)
{
  g_return_if_fail (TSR_IS_SPLIT (self));

  if (swapped == self->swapped)
    return;
  self->swapped = swapped;
  /* Now, as a turn in the midst of an allocation asks for another one of all that is around. */
  if (gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    place (self, gtk_widget_get_width (GTK_WIDGET (self)),
           gtk_widget_get_height (GTK_WIDGET (self)));
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SWAPPED]);
}

static void
on_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree char *name = g_strdup_printf ("split.%s", g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

void
tsr_split_add_forwarding (TsrSplit *self, GtkWidget *page)
{
  static const GActionEntry entries[] = {
    { .name = "swap", .activate = on_forward },
    { .name = "toggle-details", .activate = on_forward },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_return_if_fail (TSR_IS_SPLIT (self) && GTK_IS_WIDGET (page));
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (page, "split", G_ACTION_GROUP (group));
}
