/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widgets of a finding, and the words of the link to where it shows. */

#include "config.h"

#include "tsr-finding-row.h"

#include "tsr-headings.h"
#include "tsr-page.h"
#include "tsr-rows.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>
#include <math.h>

struct _TsrFindingRow
{
  GtkWidget parent_instance;

  TsrInsights *insights;
  const TsrFinding *finding; /* of the insights */
  char *location;
  TsrUnits units;
  GtkWidget *expander; /* GtkToggleButton: the line */
  GtkWidget *details;  /* GtkRevealer; filled when it is first opened */
};

G_DEFINE_FINAL_TYPE (TsrFindingRow, tsr_finding_row, GTK_TYPE_WIDGET)

static const struct
{
  const char *icon, *css_class, *name;
} severity_looks[] = {
  [TSR_FINDING_ERROR] = { "dialog-error-symbolic", "error", N_ ("Error") },
  [TSR_FINDING_WARNING] = { "dialog-warning-symbolic", "warning", N_ ("Warning") },
  [TSR_FINDING_ADVICE] = { "dialog-information-symbolic", "accent", N_ ("Advice") },
  [TSR_FINDING_INFO] = { "dialog-information-symbolic", "dim-label", N_ ("Note") },
};

/* ---------------------------------------------------------------- words */

/* The run, and the steps that the finding names as what is searched for: these names and no others.
 */
static void
set_trace_words (GHashTable *words, const TsrFindingWhere *where)
{
  g_autoptr (GString) search = g_string_new ("/^(");

  if (where->run != TSR_NO_INDEX)
    {
      g_autofree char *run = g_strdup_printf ("%u", where->run);

      tsr_view_words_set (words, "run", run);
    }
  for (guint i = 0; where->names != NULL && where->names[i] != NULL; i++)
    {
      g_autofree char *name = g_regex_escape_string (where->names[i], -1);

      g_string_append_printf (search, "%s%s", i > 0 ? "|" : "", name);
    }
  g_string_append (search, where->prefixes ? ")(\\/|$)/" : ")$/");
  if (where->names != NULL && where->names[0] != NULL)
    tsr_view_words_set (words, "search", search->str);
}

GHashTable *
tsr_finding_dup_words (const TsrFinding *finding)
{
  const TsrFindingWhere *where = &finding->where;
  GHashTable *words;

  if (where->view >= TSR_N_VIEWS)
    return NULL;
  words = tsr_page_new_words (where->view);
  tsr_view_words_set (words, "breakdown", where->breakdown);
  tsr_view_words_set (words, "tab", where->tab);
  tsr_view_words_set (words, "layer", where->layer);
  tsr_view_words_set (words, "operation", where->operation);
  if (where->n_tiles > 0)
    {
      g_autofree char *tiles = tsr_memory_format_tiles (where->tiles, where->n_tiles);

      tsr_view_words_set (words, "tiles", tiles);
      if (where->view == TSR_VIEW_LIVENESS)
        {
          g_autofree char *source = g_strdup_printf ("tile%u", where->tiles[0]);

          tsr_view_words_set (words, "source", where->n_tiles == 1 ? source : tiles);
        }
    }
  if (where->step != TSR_NO_INDEX)
    {
      g_autofree char *step = g_strdup_printf ("%u", where->step);

      tsr_view_words_set (words, "steps", step);
    }
  if (where->view == TSR_VIEW_EXECUTION_TRACE)
    set_trace_words (words, where);
  else if (where->names != NULL && where->names[0] != NULL)
    {
      g_autofree char *names = g_strjoinv ("\n", where->names);
      g_autofree char *filter = tsr_filter_dup_name (where->names[0]);
      gboolean variables = where->tab == NULL || g_str_equal (where->tab, "variables");

      tsr_view_words_set (words, variables ? "variables" : "filter", variables ? names : filter);
      tsr_view_words_set (words, "row", variables ? NULL : where->names[0]);
      if (where->view == TSR_VIEW_LIVENESS)
        tsr_view_words_set (words, "by", "variable");
    }
  return words;
}

/* "up to 41 KiB": how sure the number is stands before it. */
static char *
dup_saved (const TsrFinding *finding, const char *size)
{
  if (finding->at_least)
    return g_strdup_printf (_ ("at least %s"), size);
  if (finding->confidence == TSR_CONFIDENCE_ESTIMATE)
    return g_strdup_printf (_ ("about %s"), size);
  if (finding->confidence == TSR_CONFIDENCE_UPPER_BOUND)
    return g_strdup_printf (_ ("up to %s"), size);
  return g_strdup (size);
}

char *
tsr_finding_dup_saving (const TsrFinding *finding, guint worst_tile, TsrUnits units)
{
  gint64 bytes
      = finding->bytes_worst_tile > 0 ? finding->bytes_worst_tile : MAX (finding->bytes, 0);
  g_autofree char *size = bytes > 0 ? tsr_units_dup_bytes (units, bytes) : NULL;
  g_autofree char *text = size != NULL ? dup_saved (finding, size) : NULL;

  if (text == NULL && finding->cycles > 0)
    {
      g_autofree char *cycles = tsr_finding_dup_cycles (finding->cycles);

      return dup_saved (finding, cycles);
    }
  if (text == NULL)
    return NULL;
  if (finding->bytes_worst_tile > 0 && worst_tile != TSR_NO_INDEX)
    return g_strdup_printf (_ ("%s on tile %u"), text, worst_tile);
  return g_strdup_printf (_ ("%s over all tiles"), text);
}

/* ---------------------------------------------------------------- what it does */

static void
on_show (GtkButton *button, TsrFindingRow *self)
{
  g_autoptr (GHashTable) words = tsr_finding_dup_words (self->finding);

  if (words != NULL)
    tsr_page_go (GTK_WIDGET (self), words);
}

static void
on_copy (GtkButton *button, TsrFindingRow *self)
{
  g_autofree char *text = tsr_finding_dup_markdown (self->finding, self->location, self->units);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_notice_show (GTK_WIDGET (self), _ ("The finding is copied as Markdown"));
}

/* ---------------------------------------------------------------- details */

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 110);
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "numeric");
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_number (GtkGrid *grid, int column, int row, const char *text, const char *tooltip)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_set_tooltip_text (label, tooltip);
  gtk_widget_add_css_class (label, "numeric");
  gtk_grid_attach (grid, label, column, row, 1, 1);
}

static void
add_heading (GtkGrid *grid, int column, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_grid_attach (grid, label, column, 0, 1, 1);
}

static GtkWidget *
new_evidence (TsrFindingRow *self)
{
  GArray *rows = self->finding->evidence;
  GtkWidget *grid = gtk_grid_new ();
  gboolean shares = FALSE, cycles = FALSE;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  for (guint i = 0; i < rows->len; i++)
    {
      const TsrEvidence *evidence = &g_array_index (rows, TsrEvidence, i);
      GtkWidget *name = gtk_label_new (evidence->name);
      g_autofree char *size = tsr_evidence_dup_size (evidence, self->units);
      g_autofree char *exact
          = evidence->bytes != TSR_UNKNOWN ? tsr_units_dup_bytes_exact (evidence->bytes) : NULL;
      g_autofree char *share
          = !isnan (evidence->share) ? tsr_units_dup_percent (evidence->share, 1) : NULL;

      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_selectable (GTK_LABEL (name), TRUE);
      gtk_label_set_width_chars (GTK_LABEL (name), 24);
      gtk_label_set_max_width_chars (GTK_LABEL (name), 70);
      gtk_widget_set_tooltip_text (name, evidence->name);
      gtk_grid_attach (GTK_GRID (grid), name, 0, (int)i + 1, 1, 1);
      add_number (GTK_GRID (grid), 1, (int)i + 1, size, exact);
      add_number (GTK_GRID (grid), 2, (int)i + 1, share != NULL ? share : "", NULL);
      shares |= share != NULL;
      cycles |= evidence->cycles != TSR_UNKNOWN;
    }
  add_heading (GTK_GRID (grid), 0, _ ("Name"));
  add_heading (GTK_GRID (grid), 1, cycles ? _ ("Cycles") : _ ("Size"));
  if (shares)
    add_heading (GTK_GRID (grid), 2, _ ("Share"));
  return grid;
}

static GtkWidget *
new_button (const char *label, GCallback clicked, TsrFindingRow *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect (button, "clicked", clicked, self);
  return button;
}

static GtkWidget *
new_details (TsrFindingRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (box, "finding-details");
  /* What to do comes first, then why. */
  if (self->finding->action != NULL && *self->finding->action != '\0')
    gtk_box_append (GTK_BOX (box), new_text (self->finding->action, NULL));
  gtk_box_append (GTK_BOX (box), new_text (self->finding->text, "dim-label"));
  if (self->finding->evidence != NULL && self->finding->evidence->len > 0)
    gtk_box_append (GTK_BOX (box), new_evidence (self));
  gtk_box_append (GTK_BOX (buttons),
                  new_button (_ ("_Copy as Markdown"), G_CALLBACK (on_copy), self));
  gtk_box_append (GTK_BOX (box), buttons);
  return box;
}

static void
on_toggled (GtkToggleButton *button, TsrFindingRow *self)
{
  gboolean open = gtk_toggle_button_get_active (button);

  if (open && gtk_revealer_get_child (GTK_REVEALER (self->details)) == NULL)
    gtk_revealer_set_child (GTK_REVEALER (self->details), new_details (self));
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->details), open);
  gtk_accessible_update_state (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

gboolean
tsr_finding_row_is_open (TsrFindingRow *self)
{
  g_return_val_if_fail (TSR_IS_FINDING_ROW (self), FALSE);
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->expander));
}

void
tsr_finding_row_set_open (TsrFindingRow *self, gboolean open)
{
  GtkRevealer *details;

  g_return_if_fail (TSR_IS_FINDING_ROW (self));
  details = GTK_REVEALER (self->details);
  gtk_revealer_set_transition_type (details, GTK_REVEALER_TRANSITION_TYPE_NONE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->expander), open);
  gtk_revealer_set_transition_type (details, GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
}

const TsrFinding *
tsr_finding_row_get_finding (TsrFindingRow *self)
{
  g_return_val_if_fail (TSR_IS_FINDING_ROW (self), NULL);
  return self->finding;
}

/* ---------------------------------------------------------------- the line */

static GtkWidget *
new_line (TsrFindingRow *self, GtkSizeGroup *titles, GtkSizeGroup *savings)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *icon = gtk_image_new_from_icon_name (severity_looks[self->finding->severity].icon);
  GtkWidget *title = gtk_label_new (self->finding->title);
  const char *severity = _ (severity_looks[self->finding->severity].name);
  guint n = 0;
  const guint *critical = tsr_insights_peek_critical (self->insights, &n);
  g_autofree char *saving
      = tsr_finding_dup_saving (self->finding, n > 0 ? critical[0] : TSR_NO_INDEX, self->units);
  g_autofree char *name = g_strdup_printf ("%s: %s", severity, self->finding->title);

  gtk_widget_add_css_class (icon, severity_looks[self->finding->severity].css_class);
  gtk_widget_set_tooltip_text (icon, severity);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  tsr_text_may_be_cut (GTK_LABEL (title));
  gtk_widget_add_css_class (title, "numeric");
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), title);
  if (saving != NULL)
    {
      GtkWidget *label = gtk_label_new (saving);

      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_set_margin_start (label, 18);
      gtk_size_group_add_widget (titles, title);
      gtk_size_group_add_widget (savings, label);
      gtk_widget_add_css_class (label, "numeric");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_tooltip_text (
          label, _ ("What a change can save: savings of several findings do not add up"));
      gtk_box_append (GTK_BOX (box), label);
    }
  self->expander = gtk_toggle_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->expander), box);
  gtk_widget_add_css_class (self->expander, "flat");
  gtk_widget_set_hexpand (self->expander, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->expander), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  g_signal_connect (self->expander, "toggled", G_CALLBACK (on_toggled), self);
  return self->expander;
}

static GtkWidget *
new_arrow (TsrFindingRow *self)
{
  GtkWidget *arrow = gtk_button_new_from_icon_name ("go-next-symbolic");
  g_autofree char *tooltip
      = g_strdup_printf (_ ("Show it in %s"), tsr_view_get_title (self->finding->where.view));

  gtk_widget_add_css_class (arrow, "flat");
  gtk_widget_set_valign (arrow, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (arrow, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (arrow), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect (arrow, "clicked", G_CALLBACK (on_show), self);
  return arrow;
}

GtkWidget *
tsr_finding_row_new (TsrInsights *insights,
                     const TsrFinding *finding,
                     const char *location,
                     TsrUnits units,
                     GtkSizeGroup *titles,
                     GtkSizeGroup *savings)
{
  TsrFindingRow *self;
  GtkWidget *box, *line;
  g_autoptr (GHashTable) words = NULL;

  g_return_val_if_fail (insights != NULL && finding != NULL, NULL);
  self = g_object_new (TSR_TYPE_FINDING_ROW, NULL);
  self->insights = tsr_insights_ref (insights);
  self->finding = finding;
  self->location = g_strdup (location);
  self->units = units;
  words = tsr_finding_dup_words (finding);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (line), new_line (self, titles, savings));
  gtk_box_append (GTK_BOX (line), new_arrow (self));
  /* Its place is kept, so that the numbers stand in one column. */
  gtk_widget_set_opacity (gtk_widget_get_last_child (line), words != NULL ? 1 : 0);
  gtk_widget_set_sensitive (gtk_widget_get_last_child (line), words != NULL);
  self->details = gtk_revealer_new ();
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), self->details);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

static void
tsr_finding_row_dispose (GObject *object)
{
  TsrFindingRow *self = TSR_FINDING_ROW (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->insights, tsr_insights_unref);
  g_clear_pointer (&self->location, g_free);
  G_OBJECT_CLASS (tsr_finding_row_parent_class)->dispose (object);
}

static void
tsr_finding_row_class_init (TsrFindingRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_finding_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "findingrow");
}

static void
tsr_finding_row_init (TsrFindingRow *self)
{
}
