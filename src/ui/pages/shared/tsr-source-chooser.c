/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of sources to choose from, and the entry for others. */

#include "config.h"

#include "tsr-source-chooser.h"

#include "tsr-popover.h"

#include <glib/gi18n.h>

#define SOURCE_KEY "tsr-source"

struct _TsrSourceChooser
{
  GtkWidget parent_instance;

  TsrSession *session;
  GtkWidget *button;
  GtkWidget *list; /* box of the choices */
  GtkWidget *entry;
  GtkLabel *error;
};

G_DEFINE_FINAL_TYPE (TsrSourceChooser, tsr_source_chooser, GTK_TYPE_WIDGET)

guint
tsr_source_chooser_get_worst_tile (TsrMemory *memory)
{
  const gint64 *values = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  guint worst = TSR_NO_INDEX;
  gint64 most = 0;

  for (guint tile = 0; tile < tsr_memory_get_n_tiles (memory); tile++)
    if (tsr_memory_get_need (memory, tile) > most)
      {
        most = tsr_memory_get_need (memory, tile);
        worst = tile;
      }
  if (worst != TSR_NO_INDEX || values == NULL)
    return worst;
  most = TSR_UNKNOWN;
  for (guint tile = 0; tile < tsr_memory_get_n_tiles (memory); tile++)
    if (values[tile] > most)
      {
        most = values[tile];
        worst = tile;
      }
  return worst;
}

/* Tiles and IPUs of an earlier report may be gone. */
static gboolean
fits_report (TsrMemory *memory, const TsrLivenessSource *source)
{
  switch (source->kind)
    {
    case TSR_LIVENESS_IPU:
      return source->ipu < tsr_memory_get_n_ipus (memory);
    case TSR_LIVENESS_TILES:
      return source->n_tiles > 0
             && source->tiles[source->n_tiles - 1] < tsr_memory_get_n_tiles (memory);
    default:
      return TRUE;
    }
}

gboolean
tsr_source_chooser_get_source (TsrSession *session, TsrLivenessSource *source)
{
  TsrLiveness *liveness;
  const TsrLivenessSource *chosen;

  g_return_val_if_fail (TSR_IS_SESSION (session) && source != NULL, FALSE);
  liveness = tsr_session_get_liveness (session);
  chosen = tsr_step_selection_get_source (tsr_session_get_steps (session));
  memset (source, 0, sizeof *source);
  if (liveness == NULL)
    return FALSE;
  tsr_liveness_get_default_source (liveness, source);
  if (chosen == NULL || !fits_report (tsr_liveness_get_memory (liveness), chosen))
    return TRUE;
  if (!tsr_liveness_can_show (liveness, chosen, NULL))
    {
      tsr_session_want (session, TSR_STAGE_LOWERED);
      return TRUE;
    }
  tsr_liveness_source_clear (source);
  tsr_liveness_source_copy (chosen, source);
  return TRUE;
}

/* What is on each tile is read when it is chosen. */
static gboolean
is_waiting (TsrSourceChooser *self)
{
  TsrReport *report = tsr_session_get_report (self->session);

  return report != NULL && tsr_report_is_waiting (report, TSR_STAGE_LOWERED);
}

static void
choose (TsrSourceChooser *self, const TsrLivenessSource *source)
{
  tsr_step_selection_set_source (tsr_session_get_steps (self->session), source);
}

static void
set_error (TsrSourceChooser *self, const char *text)
{
  gtk_label_set_label (self->error, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error), text != NULL);
  if (text != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
      text != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

gboolean
tsr_source_chooser_enter (TsrSourceChooser *self, const char *text)
{
  TsrLiveness *liveness;
  g_auto (TsrLivenessSource) source = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *stripped = NULL, *why = NULL;

  g_return_val_if_fail (TSR_IS_SOURCE_CHOOSER (self) && text != NULL, FALSE);
  liveness = tsr_session_get_liveness (self->session);
  if (liveness == NULL)
    return FALSE;
  stripped = g_strstrip (g_strdup (text));
  if (*stripped == '\0')
    {
      tsr_step_selection_set_source (tsr_session_get_steps (self->session), NULL);
      set_error (self, NULL);
      return TRUE;
    }
  if (!tsr_liveness_source_parse (tsr_liveness_get_memory (liveness), stripped, &source, &error))
    {
      set_error (self, error->message);
      return FALSE;
    }
  if (!tsr_liveness_can_show (liveness, &source, &why) && !is_waiting (self))
    {
      set_error (self, tsr_session_is_lowered_pending (self->session)
                           ? _ ("The variables on each tile are still being read")
                           : why);
      return FALSE;
    }
  set_error (self, NULL);
  choose (self, &source);
  return TRUE;
}

static void
on_entry_activate (TsrSourceChooser *self)
{
  if (tsr_source_chooser_enter (self, gtk_editable_get_text (GTK_EDITABLE (self->entry))))
    gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
}

static void
on_entry_changed (TsrSourceChooser *self)
{
  set_error (self, NULL);
}

static void
on_toggled (GtkCheckButton *check, TsrSourceChooser *self)
{
  if (!gtk_check_button_get_active (check))
    return;
  choose (self, g_object_get_data (G_OBJECT (check), SOURCE_KEY));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
}

static void
source_free (gpointer data)
{
  tsr_liveness_source_clear (data);
  g_free (data);
}

static GtkWidget *
add_choice (TsrSourceChooser *self,
            GtkWidget *group,
            const char *label,
            const TsrLivenessSource *source,
            const TsrLivenessSource *current)
{
  TsrLiveness *liveness = tsr_session_get_liveness (self->session);
  GtkWidget *check = gtk_check_button_new_with_label (label);
  TsrLivenessSource *copy = g_new0 (TsrLivenessSource, 1);
  g_autofree char *why = NULL;
  gboolean can = tsr_liveness_can_show (liveness, source, &why) || is_waiting (self);

  tsr_liveness_source_copy (source, copy);
  g_object_set_data_full (G_OBJECT (check), SOURCE_KEY, copy, source_free);
  if (group != NULL)
    gtk_check_button_set_group (GTK_CHECK_BUTTON (check), GTK_CHECK_BUTTON (group));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                               tsr_liveness_source_equal (source, current));
  gtk_widget_set_sensitive (check, can);
  if (!can)
    gtk_widget_set_tooltip_text (check, tsr_session_is_lowered_pending (self->session)
                                            ? _ ("The variables on each tile are still being read")
                                            : why);
  g_signal_connect (check, "toggled", G_CALLBACK (on_toggled), self);
  gtk_box_append (GTK_BOX (self->list), check);
  return check;
}

static GtkWidget *
add_tile_choices (TsrSourceChooser *self, GtkWidget *group, const TsrLivenessSource *current)
{
  TsrMemory *memory = tsr_liveness_get_memory (tsr_session_get_liveness (self->session));
  guint worst = tsr_source_chooser_get_worst_tile (memory), n;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (self->session), &n);
  TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES, .tiles = &worst, .n_tiles = 1 };
  g_autofree char *text = NULL, *label = NULL;

  if (worst != TSR_NO_INDEX)
    {
      g_autofree char *words = g_strdup_printf (_ ("Worst tile (%u)"), worst);

      add_choice (self, group, words, &source, current);
    }
  if (n == 0 || (n == 1 && tiles[0] == worst))
    return group;
  source.tiles = (guint *)tiles;
  source.n_tiles = n;
  text = tsr_liveness_source_dup_label (&source);
  label = g_strdup_printf (_ ("Selected in Memory (%s)"), text);
  add_choice (self, group, label, &source, current);
  return group;
}

/* One that none of the others stands for. */
static void
add_current_choice (TsrSourceChooser *self, GtkWidget *group, const TsrLivenessSource *current)
{
  g_autofree char *label = NULL;

  for (GtkWidget *check = gtk_widget_get_first_child (self->list); check != NULL;
       check = gtk_widget_get_next_sibling (check))
    if (GTK_IS_CHECK_BUTTON (check)
        && tsr_liveness_source_equal (g_object_get_data (G_OBJECT (check), SOURCE_KEY), current))
      return;
  label = tsr_liveness_source_dup_label (current);
  add_choice (self, group, label, current, current);
}

static void
rebuild (TsrSourceChooser *self, const TsrLivenessSource *current)
{
  TsrLiveness *liveness = tsr_session_get_liveness (self->session);
  TsrMemory *memory = tsr_liveness_get_memory (liveness);
  TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  GtkWidget *child, *group;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  group = add_choice (self, NULL, _ ("All tiles"), &source, current);
  add_tile_choices (self, group, current);
  if (tsr_memory_get_tiles_per_ipu (memory) != TSR_UNKNOWN)
    for (guint ipu = 0; ipu < tsr_memory_get_n_ipus (memory); ipu++)
      {
        g_autofree char *label = g_strdup_printf (_ ("IPU %u"), ipu);

        source = (TsrLivenessSource){ .kind = TSR_LIVENESS_IPU, .ipu = ipu };
        add_choice (self, group, label, &source, current);
      }
  add_current_choice (self, group, current);
}

static void
update (TsrSourceChooser *self)
{
  g_auto (TsrLivenessSource) source = { 0 };
  g_autofree char *label = NULL;

  gtk_widget_set_sensitive (self->button, tsr_session_get_liveness (self->session) != NULL);
  if (!tsr_source_chooser_get_source (self->session, &source))
    return;
  label = tsr_liveness_source_dup_label (&source);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), label);
  rebuild (self, &source);
}

void
tsr_source_chooser_set_session (TsrSourceChooser *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_SOURCE_CHOOSER (self) && self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_steps (session), "source-changed", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_selection (session), "changed", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  update (self);
}

void
tsr_source_chooser_popup (TsrSourceChooser *self)
{
  g_return_if_fail (TSR_IS_SOURCE_CHOOSER (self));
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
  gtk_widget_grab_focus (self->entry);
}

GtkEditable *
tsr_source_chooser_get_entry (TsrSourceChooser *self)
{
  g_return_val_if_fail (TSR_IS_SOURCE_CHOOSER (self), NULL);
  return GTK_EDITABLE (self->entry);
}

static void
tsr_source_chooser_dispose (GObject *object)
{
  TsrSourceChooser *self = TSR_SOURCE_CHOOSER (object);

  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_source_chooser_parent_class)->dispose (object);
}

static void
tsr_source_chooser_class_init (TsrSourceChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_source_chooser_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_entry_box (TsrSourceChooser *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Tiles"));

  self->entry = gtk_entry_new ();
  gtk_widget_add_css_class (self->entry, "numeric");
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _ ("0,5,10-20,ipu1,top5"));
  gtk_widget_set_tooltip_text (
      self->entry,
      _ ("Numbers, ranges, ipu1 for all tiles of an IPU, top5 for the five fullest, all"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->entry);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tiles"), -1);
  self->error = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->error, TRUE);
  gtk_label_set_max_width_chars (self->error, 36);
  gtk_label_set_xalign (self->error, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->error), "error");
  gtk_widget_hide (GTK_WIDGET (self->error));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->error));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_entry_activate), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (on_entry_changed), self);
  return box;
}

static void
tsr_source_chooser_init (TsrSourceChooser *self)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), new_entry_box (self));
  tsr_popover_set_child (GTK_POPOVER (popover), box);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), _ ("All tiles"));
  gtk_widget_set_tooltip_text (self->button, _ ("Whose memory is shown (Ctrl+T)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Source"), -1);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}
