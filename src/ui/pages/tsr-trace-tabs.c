/* SPDX-License-Identifier: GPL-3.0-or-later */

/* For now only what each IPU's tiles do with the range, in a line each. */

#include "config.h"

#include "tsr-trace-tabs.h"

#include <glib/gi18n.h>

struct _TsrTraceTabs
{
  GtkWidget parent_instance;

  GtkWidget *label;
  TsrSession *session;
  gint64 from, to;
};

G_DEFINE_FINAL_TYPE (TsrTraceTabs, tsr_trace_tabs, GTK_TYPE_WIDGET)

static void
update (TsrTraceTabs *self)
{
  TsrTrace *trace = tsr_session_get_trace (self->session);
  TsrTraceState *state = tsr_session_get_trace_state (self->session);
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 from, to;

  if (trace != NULL && !tsr_trace_state_get_span (state, &from, &to))
    {
      from = self->from;
      to = self->to;
      if (from >= to)
        tsr_trace_state_get_domain (state, trace, &from, &to);
    }
  for (guint i = 0; trace != NULL && i < tsr_trace_get_n_ipus (trace); i++)
    {
      TsrTraceSums sums;
      g_autofree char *name = tsr_trace_dup_ipu_name (trace, i), *percent = NULL, *cycles = NULL;

      tsr_trace_sum (trace, i, from, to, tsr_trace_state_get_hidden_mask (state, trace), &sums);
      percent = tsr_units_dup_percent (sums.utilisation, 2);
      cycles = tsr_units_dup_count (sums.counted);
      g_string_append_printf (text, _ ("%s: tile utilisation %s of %s counted cycles"), name,
                              percent, cycles);
      g_string_append_c (text, '\n');
    }
  gtk_label_set_label (GTK_LABEL (self->label), text->str);
}

void
tsr_trace_tabs_set_range (TsrTraceTabs *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TRACE_TABS (self));
  self->from = from;
  self->to = to;
  update (self);
}

gboolean
tsr_trace_tabs_set_tab (TsrTraceTabs *self, const char *nick)
{
  return g_strcmp0 (nick, "summary") == 0;
}

const char *
tsr_trace_tabs_get_tab (TsrTraceTabs *self)
{
  return "summary";
}

void
tsr_trace_tabs_turn (TsrTraceTabs *self, int direction)
{
}

void
tsr_trace_tabs_save_words (TsrTraceTabs *self, GHashTable *words)
{
}

void
tsr_trace_tabs_load_words (TsrTraceTabs *self, GHashTable *words)
{
}

char *
tsr_trace_tabs_dup_text (TsrTraceTabs *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), NULL);
  return g_strdup (gtk_label_get_label (GTK_LABEL (self->label)));
}

TsrRowView *
tsr_trace_tabs_get_view (TsrTraceTabs *self, const char *nick)
{
  return NULL;
}

gboolean
tsr_trace_tabs_is_busy (TsrTraceTabs *self)
{
  return FALSE;
}

static void
tsr_trace_tabs_dispose (GObject *object)
{
  TsrTraceTabs *self = TSR_TRACE_TABS (object);

  g_clear_pointer (&self->label, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_trace_tabs_parent_class)->dispose (object);
}

static void
tsr_trace_tabs_class_init (TsrTraceTabsClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_tabs_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  g_signal_new ("go-to", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT64,
                G_TYPE_INT64);
}

static void
tsr_trace_tabs_init (TsrTraceTabs *self)
{
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_yalign (GTK_LABEL (self->label), 0);
  gtk_label_set_selectable (GTK_LABEL (self->label), TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_margin_start (self->label, 12);
  gtk_widget_set_margin_top (self->label, 6);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
}

TsrTraceTabs *
tsr_trace_tabs_new (TsrSession *session)
{
  TsrTraceTabs *self;
  TsrTraceState *state;

  g_return_val_if_fail (TSR_IS_SESSION (session), NULL);
  self = g_object_new (TSR_TYPE_TRACE_TABS, NULL);
  self->session = g_object_ref (session);
  state = tsr_session_get_trace_state (session);
  g_signal_connect_object (session, "notify::trace", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "span-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "hidden-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return self;
}
