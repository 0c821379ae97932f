/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abstract page: scope line, then a stack of the child and of a message that stands in for it
 * while data are missing. */

#include "config.h"

#include "tsr-page.h"

#include "tsr-control-row.h"
#include "tsr-page-options.h"
#include "tsr-remote-error.h"

#include "tsr-notice.h"
#include "tsr-traffic-label.h"
#include "tsr-ui-init.h"

#include <glib/gi18n.h>

typedef struct
{
  TsrSession *session;
  TsrScopeLine *scope_line;
  GtkWidget *stack;
  GtkWidget *child; /* in the stack */
  GtkWidget *message_box;
  GtkWidget *message_icon;
  GtkWidget *message_title;
  GtkWidget *message_text;
  GtkWidget *message_preview; /* (nullable) */
  GtkWidget *message_bar;
  TsrTrafficLabel *message_traffic;
  GtkWidget *message_button;
  gboolean has_status;
  char *status_left;
  char *status_right;
  guint pulse;          /* source id: progress while the stage loads */
  gboolean wants_focus; /* when the child is there */
  guint subject;        /* serial of the session's that is taken */
} TsrPagePrivate;

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (TsrPage,
                                  tsr_page,
                                  GTK_TYPE_WIDGET,
                                  G_ADD_PRIVATE (TsrPage)
                                      G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum
{
  PROP_0,
  PROP_STATUS_LEFT,
  PROP_STATUS_RIGHT,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

static GtkBuildableIface *parent_buildable;

#define PRIVATE(self) ((TsrPagePrivate *)tsr_page_get_instance_private (self))

static void set_child (TsrPage *self, GtkWidget *child);

static void
buildable_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  TsrPage *self = TSR_PAGE (buildable);

  if (type == NULL && GTK_IS_WIDGET (child) && PRIVATE (self)->stack != NULL)
    set_child (self, GTK_WIDGET (child));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = buildable_add_child;
}

static void
show_message (TsrPage *self, const char *icon, const char *title, const char *text)
{
  TsrPagePrivate *priv = PRIVATE (self);

  gtk_image_set_from_icon_name (GTK_IMAGE (priv->message_icon), icon);
  gtk_widget_set_visible (priv->message_icon, icon != NULL);
  gtk_label_set_label (GTK_LABEL (priv->message_title), title);
  gtk_label_set_label (GTK_LABEL (priv->message_text), text != NULL ? text : "");
  gtk_widget_set_visible (priv->message_text, text != NULL && *text != '\0');
  gtk_stack_set_visible_child (GTK_STACK (priv->stack), priv->message_box);
}

static void
update_fraction (TsrPage *self)
{
  TsrPagePrivate *priv = PRIVATE (self);
  TsrReport *report = tsr_session_get_report (priv->session);
  TsrStage stage = TSR_PAGE_GET_CLASS (self)->stage;
  double fraction = -1;

  /* One that was read in part for another page has the fraction of that part. */
  if (report != NULL && !TSR_PAGE_GET_CLASS (self)->wants_all
      && tsr_report_get_stage_state (report, stage) == TSR_STAGE_LOADING)
    fraction = tsr_report_get_stage_fraction (report, stage);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (priv->message_bar), MIN (fraction, 1));
  else
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (priv->message_bar));
}

/* The stages that the page shows something of, a bit each. */
static guint
get_stages (TsrPage *self)
{
  TsrPageClass *klass = TSR_PAGE_GET_CLASS (self);

  /* No finding needs the contexts, which are as much to read as all else. */
  return klass->wants_all ? ((1u << TSR_N_STAGES) - 1) & ~(1u << TSR_STAGE_DEBUG)
                          : 1u << klass->stage;
}

static gboolean
on_pulse (gpointer data)
{
  update_fraction (data);
  return G_SOURCE_CONTINUE;
}

/* A bar that pulses asks for every frame, seen or not, until it has a fraction. */
static void
stop_pulse (TsrPage *self)
{
  TsrPagePrivate *priv = PRIVATE (self);

  g_clear_handle_id (&priv->pulse, g_source_remove);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (priv->message_bar), 0);
}

static void
set_loading (TsrPage *self, gboolean loading)
{
  TsrPagePrivate *priv = PRIVATE (self);

  gtk_widget_set_visible (priv->message_bar, loading);
  tsr_traffic_label_set_stages (priv->message_traffic, priv->session,
                                loading ? get_stages (self) : 0);
  if (priv->message_preview != NULL)
    gtk_widget_set_visible (priv->message_preview, loading);
  if (loading && priv->pulse == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    priv->pulse = g_timeout_add (100, on_pulse, self);
  else if (!loading)
    stop_pulse (self);
}

char *
tsr_page_dup_missing (const TsrAvailability *availability)
{
  GString *text;

  g_return_val_if_fail (availability != NULL, NULL);
  text = g_string_new (NULL);
  for (guint i = 0; availability->missing != NULL && i < availability->missing->len; i++)
    {
      const TsrMissing *missing = g_ptr_array_index (availability->missing, i);

      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", missing->text);
      if (missing->option != NULL && strstr (missing->text, missing->option) == NULL)
        g_string_append_printf (text, _ (" (the engine option %s records it)"), missing->option);
    }
  if (text->len == 0)
    g_string_append (text, _ ("The report has no data for this view"));
  return g_string_free (text, FALSE);
}

/* The stage whose failure leaves the page without data, its own first; liveness is computed with
 * the memory.  TSR_N_STAGES when none failed. */
static TsrStage
find_failed (TsrPage *self, TsrReport *report)
{
  TsrStage stage = TSR_PAGE_GET_CLASS (self)->stage;

  if (tsr_report_get_stage_state (report, stage) == TSR_STAGE_FAILED)
    return stage;
  if (stage == TSR_STAGE_LIVENESS
      && tsr_report_get_stage_state (report, TSR_STAGE_MEMORY) == TSR_STAGE_FAILED)
    return TSR_STAGE_MEMORY;
  return TSR_N_STAGES;
}

static void
show_failed (TsrPage *self, TsrReport *report, TsrStage stage)
{
  TsrPagePrivate *priv = PRIVATE (self);
  TsrPageClass *klass = TSR_PAGE_GET_CLASS (self);
  const GError *error = tsr_report_get_stage_error (report, stage);
  const char *cause = error != NULL ? error->message : "";
  gboolean own = stage == klass->stage, lacks = tsr_remote_error_lacks_bytes (error);
  g_autofree char *title
      = g_strdup_printf (own ? _ ("%s could not be read") : _ ("%s cannot be shown"),
                         tsr_view_get_title (klass->view));
  g_autofree char *needs
      = own ? NULL
            : g_strdup_printf (_ ("It needs the memory of the tiles, which could not be read:\n%s"),
                               cause);

  show_message (self, "dialog-warning-symbolic", title, own ? cause : needs);
  /* As the bar about the connection has it. */
  gtk_button_set_label (GTK_BUTTON (priv->message_button), lacks ? _ ("Reconnect") : _ ("Reload"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (priv->message_button),
                                  lacks ? "remote.reconnect" : "report.reload");
  gtk_widget_show (priv->message_button);
}

/* The keyboard comes late to a page that was still loading, unless the user has gone elsewhere. */
static void
give_focus (TsrPage *self)
{
  TsrPagePrivate *priv = PRIVATE (self);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (!priv->wants_focus)
    return;
  priv->wants_focus = FALSE;
  if (focus == NULL || !gtk_widget_get_mapped (focus)
      || gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    TSR_PAGE_GET_CLASS (self)->focus_start (self);
}

/* What a page shows is read when it is first on the screen. */
static void
want_stages (TsrPage *self)
{
  TsrPagePrivate *priv = PRIVATE (self);

  if (priv->session == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    if (tsr_page_wants (self, stage) || (TSR_PAGE_GET_CLASS (self)->behind & 1u << stage) != 0)
      tsr_session_want (priv->session, stage);
}

/* Whether what the page needs is still to be read where that takes its time. */
static gboolean
is_reading (TsrPage *self, TsrReport *report)
{
  if (report == NULL || !tsr_report_is_on_demand (report))
    return FALSE;
  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    if (tsr_page_wants (self, stage)
        && tsr_session_is_stage_pending (PRIVATE (self)->session, stage))
      return TRUE;
  return FALSE;
}

/* Only the page that is looked at follows; what it was left with stays if nothing newer is selected
 * elsewhere. */
void
tsr_page_update_subject (TsrPage *self)
{
  TsrPagePrivate *priv;
  TsrPageClass *klass;
  guint serial;

  g_return_if_fail (TSR_IS_PAGE (self));
  priv = PRIVATE (self);
  klass = TSR_PAGE_GET_CLASS (self);
  if (priv->session == NULL || klass->take_subject == NULL
      || !gtk_widget_get_mapped (GTK_WIDGET (self)) || !tsr_page_is_content_shown (self))
    return;
  serial = tsr_session_get_subject_serial (priv->session);
  if (serial == priv->subject)
    return;
  tsr_session_hold_subject (priv->session);
  if (klass->take_subject (self, tsr_session_peek_subject (priv->session)))
    priv->subject = serial;
  tsr_session_release_subject (priv->session);
}

static void
update_state (TsrPage *self)
{
  TsrPagePrivate *priv = PRIVATE (self);
  TsrPageClass *klass = TSR_PAGE_GET_CLASS (self);
  TsrReport *report = priv->session != NULL ? tsr_session_get_report (priv->session) : NULL;
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  TsrStageState state
      = report != NULL ? tsr_report_get_stage_state (report, klass->stage) : TSR_STAGE_PENDING;
  gboolean ready = state == TSR_STAGE_READY;

  want_stages (self);
  if (klass->stage == TSR_STAGE_MEMORY)
    ready = ready && tsr_session_get_memory (priv->session) != NULL;
  else if (klass->stage == TSR_STAGE_LIVENESS)
    ready = priv->session != NULL && tsr_session_get_liveness (priv->session) != NULL;
  else if (klass->stage == TSR_STAGE_EXECUTION)
    ready = priv->session != NULL && tsr_session_get_trace (priv->session) != NULL;
  else if (klass->stage == TSR_STAGE_PROGRAMS)
    ready = priv->session != NULL && tsr_session_get_programs (priv->session) != NULL;
  ready = ready && !is_reading (self, report);
  gtk_widget_hide (priv->message_button);
  if (summary != NULL && !summary->views[klass->view].available)
    {
      g_autofree char *missing = tsr_page_dup_missing (&summary->views[klass->view]);
      g_autofree char *title = g_strdup_printf (_ ("This report has no data for %s"),
                                                tsr_view_get_title (klass->view));

      set_loading (self, FALSE);
      show_message (self, "dialog-information-symbolic", title, missing);
    }
  else if (ready)
    {
      set_loading (self, FALSE);
      gtk_stack_set_visible_child (GTK_STACK (priv->stack),
                                   priv->child != NULL ? priv->child : priv->message_box);
      give_focus (self);
      tsr_page_update_subject (self);
    }
  else if (report != NULL && find_failed (self, report) != TSR_N_STAGES)
    {
      set_loading (self, FALSE);
      show_failed (self, report, find_failed (self, report));
    }
  else if (report != NULL && klass->stage == TSR_STAGE_EXECUTION
           && !tsr_session_is_data_pending (priv->session, TSR_DATA_TRACE))
    {
      set_loading (self, FALSE);
      show_message (self, "dialog-warning-symbolic", _ ("The trace could not be made"),
                    _ ("The steps were read, but nothing could be computed from them"));
    }
  else if (report == NULL)
    set_loading (self, FALSE);
  else
    {
      show_message (self, NULL, _ ("Loading…"), NULL);
      gtk_button_set_label (GTK_BUTTON (priv->message_button), _ ("Stop"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (priv->message_button), "report.stop");
      gtk_widget_show (priv->message_button);
      set_loading (self, TRUE);
      if (priv->pulse != 0)
        update_fraction (self);
    }
}

static void
on_stage_changed (TsrSession *session, int stage, TsrPage *self)
{
  update_state (self);
}

/* Keys that a list would take for its own, to move its focus with them. */
static void
add_first_keys (TsrPage *self)
{
  TsrPageClass *klass = TSR_PAGE_GET_CLASS (self);
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (guint i = 0; i < klass->n_actions; i++)
    if (klass->actions[i].is_first)
      gtk_shortcut_controller_add_shortcut (
          GTK_SHORTCUT_CONTROLLER (controller),
          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (klass->actions[i].keys),
                            gtk_named_action_new (klass->actions[i].name)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

static void
tsr_page_real_set_session (TsrPage *self, TsrSession *session)
{
  TsrPagePrivate *priv = PRIVATE (self);

  priv->session = g_object_ref (session);
  add_first_keys (self);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage_changed), self, 0);
  g_signal_connect_object (session, "notify::report", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::memory", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::trace", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::programs", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
}

static void
tsr_page_real_focus_start (TsrPage *self)
{
  gtk_widget_child_focus (PRIVATE (self)->stack, GTK_DIR_TAB_FORWARD);
}

static void
tsr_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tsr_page_parent_class)->map (widget);
  update_state (TSR_PAGE (widget));
}

static void
tsr_page_unmap (GtkWidget *widget)
{
  /* It goes on when it is shown again. */
  stop_pulse (TSR_PAGE (widget));
  GTK_WIDGET_CLASS (tsr_page_parent_class)->unmap (widget);
}

static void
tsr_page_dispose (GObject *object)
{
  TsrPage *self = TSR_PAGE (object);
  TsrPagePrivate *priv = PRIVATE (self);

  g_clear_handle_id (&priv->pulse, g_source_remove);
  g_clear_object (&priv->session);
  priv->child = NULL;
  priv->stack = NULL;
  priv->scope_line = NULL;
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL;)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_page_parent_class)->dispose (object);
}

static void
tsr_page_finalize (GObject *object)
{
  TsrPagePrivate *priv = PRIVATE (TSR_PAGE (object));

  g_free (priv->status_left);
  g_free (priv->status_right);
  G_OBJECT_CLASS (tsr_page_parent_class)->finalize (object);
}

static void
tsr_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrPagePrivate *priv = PRIVATE (TSR_PAGE (object));

  switch (id)
    {
    case PROP_STATUS_LEFT:
      g_value_set_string (value, priv->status_left);
      break;
    case PROP_STATUS_RIGHT:
      g_value_set_string (value, priv->status_right);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tsr_page_class_init (TsrPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = tsr_page_dispose;
  object_class->finalize = tsr_page_finalize;
  object_class->get_property = tsr_page_get_property;
  widget_class->map = tsr_page_map;
  widget_class->unmap = tsr_page_unmap;
  klass->set_session = tsr_page_real_set_session;
  klass->focus_start = tsr_page_real_focus_start;
  klass->stage = TSR_STAGE_SUMMARY;
  props[PROP_STATUS_LEFT] = g_param_spec_string ("status-left", NULL, NULL, NULL, flags);
  props[PROP_STATUS_RIGHT] = g_param_spec_string ("status-right", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tsrpage");
}

static GtkWidget *
message_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 72);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
tsr_page_init (TsrPage *self)
{
  TsrPagePrivate *priv = PRIVATE (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  priv->scope_line = tsr_scope_line_new ();
  gtk_widget_set_parent (GTK_WIDGET (priv->scope_line), GTK_WIDGET (self));
  priv->stack = gtk_stack_new ();
  gtk_widget_set_hexpand (priv->stack, TRUE);
  gtk_widget_set_vexpand (priv->stack, TRUE);
  gtk_widget_set_parent (priv->stack, GTK_WIDGET (self));

  priv->message_box = box;
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (box, "page-message");
  priv->message_icon = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (priv->message_icon), 48);
  gtk_widget_add_css_class (priv->message_icon, "dim-label");
  priv->message_title = message_label ("title-2");
  priv->message_text = message_label ("body");
  priv->message_bar = gtk_progress_bar_new ();
  gtk_widget_set_size_request (priv->message_bar, 240, -1);
  gtk_widget_set_halign (priv->message_bar, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->message_bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Loading"), -1);
  priv->message_traffic = tsr_traffic_label_new ();
  priv->message_button = gtk_button_new ();
  gtk_widget_set_halign (priv->message_button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (priv->message_button, "pill");
  gtk_box_append (GTK_BOX (box), priv->message_icon);
  gtk_box_append (GTK_BOX (box), priv->message_title);
  gtk_box_append (GTK_BOX (box), priv->message_text);
  gtk_box_append (GTK_BOX (box), priv->message_bar);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (priv->message_traffic));
  gtk_box_append (GTK_BOX (box), priv->message_button);
  gtk_stack_add_child (GTK_STACK (priv->stack), box);
}

void
tsr_page_set_session (TsrPage *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_PAGE (self) && TSR_IS_SESSION (session));
  g_return_if_fail (PRIVATE (self)->session == NULL);
  TSR_PAGE_GET_CLASS (self)->set_session (self, session);
  update_state (self);
}

TsrSession *
tsr_page_get_session (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), NULL);
  return PRIVATE (self)->session;
}

TsrView
tsr_page_get_view (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), TSR_VIEW_SUMMARY);
  return TSR_PAGE_GET_CLASS (self)->view;
}

gboolean
tsr_page_wants (TsrPage *self, TsrStage stage)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), FALSE);
  return (get_stages (self) & 1u << stage) != 0;
}

const char *
tsr_page_get_title (TsrPage *self)
{
  return tsr_view_get_title (tsr_page_get_view (self));
}

/* What the figures cover stands in the row of controls, where the page begins with one: behind
 * those of the view, before what is at the far end. */
static void
move_scope_line (TsrPage *self, GtkWidget *child)
{
  TsrPagePrivate *priv = PRIVATE (self);
  GtkWidget *row = gtk_widget_get_first_child (child), *before;
  g_autoptr (TsrScopeLine) line = g_object_ref (priv->scope_line);

  if (!TSR_IS_CONTROL_ROW (row))
    return;
  before = gtk_widget_get_first_child (row);
  while (before != NULL && !gtk_widget_get_hexpand (before))
    before = gtk_widget_get_next_sibling (before);
  gtk_widget_unparent (GTK_WIDGET (line));
  gtk_widget_set_valign (GTK_WIDGET (line), GTK_ALIGN_CENTER);
  gtk_widget_insert_before (GTK_WIDGET (line), row, before);
}

static void
set_child (TsrPage *self, GtkWidget *child)
{
  TsrPagePrivate *priv;

  g_return_if_fail (TSR_IS_PAGE (self) && GTK_IS_WIDGET (child));
  priv = PRIVATE (self);
  if (priv->child != NULL)
    gtk_stack_remove (GTK_STACK (priv->stack), priv->child);
  priv->child = child;
  move_scope_line (self, child);
  gtk_stack_add_child (GTK_STACK (priv->stack), child);
}

void
tsr_page_set_preview (TsrPage *self, GtkWidget *preview)
{
  TsrPagePrivate *priv;

  g_return_if_fail (TSR_IS_PAGE (self) && GTK_IS_WIDGET (preview));
  priv = PRIVATE (self);
  g_return_if_fail (priv->message_preview == NULL);
  priv->message_preview = preview;
  gtk_widget_set_visible (preview, gtk_widget_get_visible (priv->message_bar));
  gtk_box_insert_child_after (GTK_BOX (priv->message_box), preview, priv->message_title);
}

TsrScopeLine *
tsr_page_get_scope_line (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), NULL);
  return PRIVATE (self)->scope_line;
}

void
tsr_page_focus_start (TsrPage *self)
{
  g_return_if_fail (TSR_IS_PAGE (self));
  if (tsr_page_is_content_shown (self))
    {
      TSR_PAGE_GET_CLASS (self)->focus_start (self);
      return;
    }
  /* Until then the keyboard is nowhere rather than on something that happens to be first. */
  PRIVATE (self)->wants_focus = TRUE;
  if (gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    gtk_root_set_focus (gtk_widget_get_root (GTK_WIDGET (self)), NULL);
}

char *
tsr_page_dup_text (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), NULL);
  if (TSR_PAGE_GET_CLASS (self)->dup_text == NULL)
    return NULL;
  return TSR_PAGE_GET_CLASS (self)->dup_text (self);
}

void
tsr_page_save_words (TsrPage *self, GHashTable *words)
{
  g_return_if_fail (TSR_IS_PAGE (self) && words != NULL);
  if (tsr_page_get_view_state (self) != NULL)
    tsr_view_state_save_words (tsr_page_get_view_state (self), words);
  if (TSR_PAGE_GET_CLASS (self)->save_words != NULL)
    TSR_PAGE_GET_CLASS (self)->save_words (self, words);
}

void
tsr_page_load_words (TsrPage *self, GHashTable *words)
{
  g_return_if_fail (TSR_IS_PAGE (self) && words != NULL);
  if (tsr_page_get_view_state (self) != NULL)
    tsr_view_state_load_words (tsr_page_get_view_state (self), words);
  if (TSR_PAGE_GET_CLASS (self)->load_words != NULL)
    TSR_PAGE_GET_CLASS (self)->load_words (self, words);
  /* They say what is selected here. */
  if (PRIVATE (self)->session != NULL)
    PRIVATE (self)->subject = tsr_session_get_subject_serial (PRIVATE (self)->session);
}

void
tsr_page_go (GtkWidget *widget, GHashTable *words)
{
  g_autofree char *text = tsr_view_words_dup_text (words);

  g_return_if_fail (GTK_IS_WIDGET (widget));
  gtk_widget_activate_action (widget, "win.go", "s", text);
}

GHashTable *
tsr_page_new_words (TsrView view)
{
  GHashTable *words = tsr_view_words_new ();

  tsr_view_words_set (words, "page", tsr_view_get_nick (view));
  return words;
}

void
tsr_page_class_install_action (GtkWidgetClass *klass,
                               const char *name,
                               const char *keys,
                               GtkWidgetActionActivateFunc run)
{
  g_auto (GStrv) each = NULL;

  g_return_if_fail (GTK_IS_WIDGET_CLASS (klass) && name != NULL && keys != NULL && run != NULL);
  each = g_strsplit (keys, " ", -1);
  gtk_widget_class_install_action (klass, name, NULL, run);
  for (guint i = 0; each[i] != NULL; i++)
    {
      GdkModifierType modifiers;
      guint key;

      if (*each[i] != '\0' && gtk_accelerator_parse (each[i], &key, &modifiers))
        gtk_widget_class_add_binding_action (klass, key, modifiers, name, NULL);
    }
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrPageClass *klass = TSR_PAGE_GET_CLASS (widget);

  for (guint i = 0; tsr_page_is_content_shown (TSR_PAGE (widget)) && i < klass->n_actions; i++)
    if (g_str_equal (klass->actions[i].name, name))
      ((void (*) (TsrPage *, const char *))klass->actions[i].run) (TSR_PAGE (widget),
                                                                   klass->actions[i].argument);
}

void
tsr_page_class_install_actions (TsrPageClass *klass, const TsrPageAction *actions, guint n)
{
  g_return_if_fail (TSR_IS_PAGE_CLASS (klass) && actions != NULL);
  klass->actions = actions;
  klass->n_actions = n;
  for (guint i = 0; i < n; i++)
    tsr_page_class_install_action (GTK_WIDGET_CLASS (klass), actions[i].name,
                                   actions[i].is_first ? "" : actions[i].keys, run_action);
}

GMenuModel *
tsr_page_new_menu (TsrPage *self)
{
  GMenu *menu = g_menu_new ();
  const TsrPageClass *klass;

  g_return_val_if_fail (TSR_IS_PAGE (self), G_MENU_MODEL (menu));
  klass = TSR_PAGE_GET_CLASS (self);
  for (guint i = 0; i < klass->n_actions; i++)
    if (klass->actions[i].menu != NULL)
      g_menu_append (menu, _ (klass->actions[i].menu), klass->actions[i].name);
  return G_MENU_MODEL (menu);
}

void
tsr_page_copy_name (TsrPage *self, const char *name)
{
  g_return_if_fail (TSR_IS_PAGE (self) && name != NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), name);
  tsr_notice_show (GTK_WIDGET (self), _ ("The name is on the clipboard"));
}

void
tsr_page_update_replica_part (TsrPage *self, GtkWidget *part)
{
  TsrReport *report;
  const TsrSummary *summary;

  g_return_if_fail (TSR_IS_PAGE (self) && GTK_IS_WIDGET (part));
  report = tsr_session_get_report (tsr_page_get_session (self));
  summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  tsr_scope_line_set_part_told (tsr_page_get_scope_line (self), part,
                                summary != NULL && summary->target.num_replicas == 1);
}

char *
tsr_page_join_text (TsrPage *self, const char *table, const char *other)
{
  const char *const tables[] = { table, other };
  g_autofree char *scope = NULL;
  GString *text;

  g_return_val_if_fail (TSR_IS_PAGE (self), NULL);
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (self));
  text = g_string_new (scope);
  g_string_append_c (text, '\n');
  if (tsr_page_get_status_right (self) != NULL)
    g_string_append_printf (text, "%s\n", tsr_page_get_status_right (self));
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (tables[i] != NULL && *tables[i] != '\0')
      g_string_append_printf (text, "\n%s", tables[i]);
  return g_string_free (text, FALSE);
}

void
tsr_page_go_to_program (TsrPage *self, TsrView view, guint32 program)
{
  TsrReport *report;
  const TsrProgramTables *t;
  g_autoptr (GHashTable) words = NULL;
  g_autofree char *id = NULL;

  g_return_if_fail (TSR_IS_PAGE (self));
  report = tsr_session_get_report (tsr_page_get_session (self));
  t = report != NULL ? tsr_report_get_program_tables (report) : NULL;
  if (t == NULL || program >= t->n_programs)
    {
      tsr_notice_show (GTK_WIDGET (self),
                       _ ("The report does not say which program it belongs to"));
      return;
    }
  words = tsr_page_new_words (view);
  id = g_strdup_printf ("%" G_GINT64_FORMAT, t->program_id[program]);
  tsr_view_words_set (words, "program", id);
  tsr_page_go (GTK_WIDGET (self), words);
}

void
tsr_page_go_to_step (GtkWidget *widget, TsrRows *rows, guint32 row)
{
  g_autoptr (GHashTable) words = NULL;
  g_autofree char *selected = NULL;
  gint64 step, ipu;

  g_return_if_fail (GTK_IS_WIDGET (widget) && rows != NULL);
  step = tsr_rows_get_value_of (rows, row, "step");
  ipu = tsr_rows_get_value_of (rows, row, "ipu");
  if (step == TSR_UNKNOWN || ipu == TSR_UNKNOWN)
    return;
  words = tsr_page_new_words (TSR_VIEW_EXECUTION_TRACE);
  selected = g_strdup_printf ("%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT, step, ipu);
  tsr_view_words_set (words, "selected", selected);
  tsr_view_words_set (words, "run", "all");
  tsr_page_go (widget, words);
}

void
tsr_page_go_to_variable (GtkWidget *widget, TsrRows *rows, guint32 row)
{
  g_autoptr (GHashTable) words = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget) && rows != NULL);
  words = tsr_page_new_words (TSR_VIEW_LIVENESS);
  tsr_view_words_set (words, "variables", tsr_rows_get_text (rows, row, 0));
  tsr_page_go (widget, words);
}

static void
set_status (TsrPage *self, char **field, const char *text, GParamSpec *pspec)
{
  if (g_strcmp0 (*field, text) == 0)
    return;
  g_free (*field);
  *field = g_strdup (text);
  PRIVATE (self)->has_status |= text != NULL;
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

void
tsr_page_set_status_left (TsrPage *self, const char *text)
{
  g_return_if_fail (TSR_IS_PAGE (self));
  set_status (self, &PRIVATE (self)->status_left, text, props[PROP_STATUS_LEFT]);
}

void
tsr_page_set_status_right (TsrPage *self, const char *text)
{
  g_return_if_fail (TSR_IS_PAGE (self));
  set_status (self, &PRIVATE (self)->status_right, text, props[PROP_STATUS_RIGHT]);
}

gboolean
tsr_page_has_status (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), FALSE);
  return PRIVATE (self)->has_status;
}

const char *
tsr_page_get_status_left (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), NULL);
  return PRIVATE (self)->status_left;
}

const char *
tsr_page_get_status_right (TsrPage *self)
{
  g_return_val_if_fail (TSR_IS_PAGE (self), NULL);
  return PRIVATE (self)->status_right;
}

gboolean
tsr_page_is_content_shown (TsrPage *self)
{
  TsrPagePrivate *priv;

  g_return_val_if_fail (TSR_IS_PAGE (self), FALSE);
  priv = PRIVATE (self);
  return priv->child != NULL
         && gtk_stack_get_visible_child (GTK_STACK (priv->stack)) == priv->child;
}

void
tsr_page_class_set_template (TsrPageClass *klass, const char *name, const TsrPageChild *children)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  g_autofree char *path = g_strdup_printf (TSR_RESOURCE_PATH "/%s", name);

  gtk_widget_class_set_template_from_resource (widget_class, path);
  for (; children->name != NULL; children++)
    gtk_widget_class_bind_template_child_full (widget_class, children->name, FALSE,
                                               children->offset);
}
