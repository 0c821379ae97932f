/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs as words of a link and as text. */

#include "config.h"

#include "tsr-trace-tabs-private.h"

void
tsr_trace_tabs_save_words (TsrTraceTabs *self, GHashTable *words)
{
  g_autofree char *depth = NULL;
  const char *regex;

  g_return_if_fail (TSR_IS_TRACE_TABS (self));
  regex = gtk_editable_get_text (GTK_EDITABLE (self->regex));
  depth = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->depth)));
  tsr_words_set (words, "tab", tsr_trace_tabs_get_tab (self));
  tsr_words_set (words, "grouping",
                 tsr_trace_group_get_nick (
                     MIN (gtk_drop_down_get_selected (self->group), TSR_TRACE_N_GROUPS - 1)));
  tsr_words_set (words, "depth", depth);
  if (*regex != '\0')
    tsr_words_set (words, "regex", regex);
  tsr_words_set (words, "tiles-as", tsr_trace_tile_view_get_form (self->tiles));
  if (tsr_trace_step_list_get_by_cycles (self->steps))
    tsr_words_set (words, "step-order", "cycles");
  tsr_words_set (words, "tile-order", tsr_trace_tile_view_get_order (self->tiles));
}

void
tsr_trace_tabs_load_words (TsrTraceTabs *self, GHashTable *words)
{
  const char *depth, *regex;
  TsrTraceGroup group;
  guint64 number;

  g_return_if_fail (TSR_IS_TRACE_TABS (self));
  depth = tsr_words_get (words, "depth");
  regex = tsr_words_get (words, "regex");
  if (regex != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->regex), regex);
  if (depth != NULL
      && g_ascii_string_to_unsigned (depth, 10, 1, TSR_TRACE_MAX_DEPTH, &number, NULL))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->depth), (double)number);
  if (tsr_trace_group_parse (tsr_words_get (words, "grouping"), &group))
    gtk_drop_down_set_selected (self->group, group);
  tsr_trace_tile_view_set_form (self->tiles, tsr_words_get (words, "tiles-as"));
  tsr_trace_tile_view_set_order (self->tiles, tsr_words_get (words, "tile-order"));
  tsr_trace_step_list_set_by_cycles (
      self->steps, g_strcmp0 (tsr_words_get (words, "step-order"), "cycles") == 0);
  tsr_trace_tabs_on_group (self);
  tsr_trace_tabs_set_tab (self, tsr_words_get (words, "tab"));
}

char *
tsr_trace_tabs_dup_text (TsrTraceTabs *self)
{
  TsrTraceTabPage *page;
  GString *text;

  g_return_val_if_fail (TSR_IS_TRACE_TABS (self), NULL);
  page = tsr_trace_tabs_get_page (self);
  if (page->tab == TSR_TRACE_TAB_DETAILS)
    return tsr_trace_step_list_dup_text (self->steps);
  text = g_string_new (gtk_label_get_text (page->scope));
  g_string_append_c (text, '\n');
  if (gtk_widget_get_visible (GTK_WIDGET (page->warning)))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (page->warning));
  if (page->answer != NULL && page->answer->note != NULL)
    g_string_append_printf (text, "%s\n", page->answer->note);
  for (guint i = 0; i < 2; i++)
    {
      TsrRowView *view = i == 0 ? page->view : page->more;
      g_autofree char *csv = view != NULL ? tsr_row_view_dup_csv (view) : NULL;

      if (csv != NULL && *csv != '\0')
        g_string_append_printf (text, "\n%s", csv);
    }
  return g_string_free (text, FALSE);
}
