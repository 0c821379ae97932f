/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page asks one table, the list, whenever the question is another one, and follows the selected
 * operation by its key: tabs and links come from that.
 *
 * Words of links beside the options: sort and filter of the list; and in place of operation=KEY
 * program=ID, variable=NAME or compute-set=NAME, whose operation it is, which are not saved. */

#include "config.h"

#include "tsr-operation-page.h"

#include "tsr-check-list.h"
#include "tsr-control-row.h"
#include "tsr-drop-down.h"
#include "tsr-operation-rows.h"
#include "tsr-page-options.h"
#include "tsr-subject-parts.h"
#include "tsr-table-asker.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define NAME_WIDTH 160  /* of what was called */
#define ROOMY      2000 /* from this width of the table on there are more of the usual columns */

/* In the order of the table below. */
typedef enum
{
  TSR_OPERATION_OPTION_GROUP, /* Form */
  TSR_OPERATION_OPTION_TAB,
  TSR_OPERATION_OPTION_LAYER,     /* the file's word; "": the usual one */
  TSR_OPERATION_OPTION_COLUMNS,   /* keys, a line each; "": the usual ones */
  TSR_OPERATION_OPTION_OPERATION, /* key of the selected one; "": none */
  TSR_OPERATION_N_OPTIONS
} TsrOperationOption;

struct _TsrOperationPage
{
  TsrPage parent_instance;

  GtkDropDown *layer_chooser, *group_chooser;
  TsrCheckList *columns;
  gboolean roomy; /* the table */
  guint tick;
  GtkBox *list_box;
  GtkWidget *show_button;
  TsrSplit *split;
  TsrOperationTabs *tabs;
  TsrRowView *list_view;
  GMenuModel *menu; /* of a row */

  TsrTableAsker *list;       /* (nullable) before there is a session */
  TsrReport *report;         /* (nullable) whose layers those are, not kept */
  GStrv layers;              /* (nullable) */
  TsrOperations *operations; /* (nullable) what is asked of */
  gboolean executed;         /* it has measured cycles */
  gboolean setting;          /* not the user's doing */
  gboolean go_to_selected;   /* the selected operation comes into view with the next rows */
  guint ask_idle;            /* source id */
  GHashTable *words;         /* (nullable) that wait for operations */
  char *subject_key;         /* (nullable): selected because of what is selected elsewhere */

  GtkWidget *scope_replica, *scope_layer, *scope_count, *scope_selection;
};

G_DEFINE_FINAL_TYPE (TsrOperationPage, tsr_operation_page, TSR_TYPE_PAGE)

/* ----------------------------------------------------------------- options */

/* How the list is grouped, in the order of the drop-down. */
static const struct
{
  const char *nick;
  TsrOperationGrouping grouping;
  guint depth;
} forms[] = {
  { "none", TSR_OPERATION_GROUP_NONE, 1 },       { "api", TSR_OPERATION_GROUP_API, 1 },
  { "prefix", TSR_OPERATION_GROUP_PREFIX, 1 },   { "prefix-2", TSR_OPERATION_GROUP_PREFIX, 2 },
  { "prefix-3", TSR_OPERATION_GROUP_PREFIX, 3 },
};

static const char *
get_form_nick (guint form)
{
  return form < G_N_ELEMENTS (forms) ? forms[form].nick : NULL;
}

static const TsrViewOption options[TSR_OPERATION_N_OPTIONS] = {
  [TSR_OPERATION_OPTION_GROUP] = { "group", "group", 0, get_form_nick, G_N_ELEMENTS (forms),
                                   .setting = "operations-group", .is_named = TRUE },
  [TSR_OPERATION_OPTION_TAB]
  = { "tab", "tab", TSR_OPERATION_DETAIL_SUMMARY, tsr_operation_detail_get_nick,
      TSR_OPERATION_N_DETAILS, .setting = "operations-tab", .is_named = TRUE },
  [TSR_OPERATION_OPTION_LAYER]
  = { NULL, "layer", .kind = TSR_VIEW_TEXT, .setting = "operations-layer" },
  [TSR_OPERATION_OPTION_COLUMNS]
  = { NULL, "columns", .kind = TSR_VIEW_TEXT, .setting = "operations-columns" },
  [TSR_OPERATION_OPTION_OPERATION] = { NULL, "operation", .kind = TSR_VIEW_TEXT },
};

#define BIT(option) TSR_VIEW_BIT (TSR_OPERATION_OPTION_##option)

static const char *
get_text (TsrOperationPage *self, TsrOperationOption option)
{
  return tsr_page_get_option_text (TSR_PAGE (self), option);
}

static void
set_text (TsrOperationPage *self, TsrOperationOption option, const char *text)
{
  TsrViewState *state = tsr_page_get_view_state (TSR_PAGE (self));

  if (state != NULL)
    tsr_view_state_set_text (state, option, text);
}

static TsrSession *
get_session (TsrOperationPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

/* TSR_NO_INDEX: none is selected, or it is not in this layer. */
static guint
find_selected (TsrOperationPage *self)
{
  const char *key = get_text (self, TSR_OPERATION_OPTION_OPERATION);

  return self->operations != NULL && *key != '\0' ? tsr_operation_find (self->operations, key)
                                                  : TSR_NO_INDEX;
}

static gint64
get_program_id (TsrOperationPage *self, guint32 program)
{
  return tsr_programs_get_tables (tsr_operations_get_graph (self->operations))->program_id[program];
}

/* (transfer full): the columns beside the names: the usual ones where all that are chosen (in a
 * link) are unknown. */
static GStrv
dup_columns (TsrOperationPage *self)
{
  static const char *const executed[] = { "debugName",       "codeBytes",     "measuredTileCycles",
                                          "tileCyclesShare", "wallCycles",    "flops",
                                          "flopsPerSecond",  "variableBytes", NULL };
  static const char *const roomy[] = { "executions",        "codeBytesWorst",     "vertexCodeBytes",
                                       "exchangeCodeBytes", "variableBytesWorst", NULL };
  static const char *const compiled[]
      = { "debugName", "codeBytes",     "vertexStateBytes",   "estimatedTileCycles",
          "flops",     "variableBytes", "variableBytesWorst", NULL };
  const char *text = get_text (self, TSR_OPERATION_OPTION_COLUMNS);
  g_auto (GStrv) chosen = g_strsplit (text, "\n", -1);
  g_autoptr (GStrvBuilder) usual = NULL;

  if (*text != '\0' && tsr_check_list_knows_any (self->columns, (const char *const *)chosen))
    return g_steal_pointer (&chosen);
  usual = g_strv_builder_new ();
  g_strv_builder_addv (usual, (const char **)(self->executed ? executed : compiled));
  if (self->roomy && self->executed)
    g_strv_builder_addv (usual, (const char **)roomy);
  return g_strv_builder_end (usual);
}

/* ------------------------------------------------------------------ layers */

/* The layer that is shown: the chosen one if the report has it, else the first; NULL without any.
 */
static const char *
get_layer (TsrOperationPage *self)
{
  const char *chosen = get_text (self, TSR_OPERATION_OPTION_LAYER);

  if (self->layers == NULL)
    return NULL;
  if (g_str_equal (chosen, "poplar"))
    chosen = "poplibs";
  return g_strv_contains ((const char *const *)self->layers, chosen) ? chosen : self->layers[0];
}

static void
show_layer (TsrOperationPage *self)
{
  const char *layer = get_layer (self);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  guint selected = 0;

  for (guint i = 0; layer != NULL && self->layers[i] != NULL; i++)
    {
      g_ptr_array_add (titles, (gpointer)tsr_operations_get_layer_title (self->layers[i]));
      if (g_str_equal (self->layers[i], layer))
        selected = i;
    }
  g_ptr_array_add (titles, NULL);
  self->setting = TRUE;
  tsr_drop_down_set_rows (self->layer_chooser, (const char *const *)titles->pdata, selected);
  self->setting = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self->layer_chooser), titles->len > 2);
  if (layer != NULL)
    tsr_session_set_layer (get_session (self), layer);
}

/* The layers of another report, or none any more. */
static void
update_layers (TsrOperationPage *self)
{
  TsrReport *report = tsr_session_get_report (get_session (self));
  const TsrDebugTables *debug = report != NULL ? tsr_report_get_debug_tables (report) : NULL;

  if (debug == NULL)
    report = NULL;
  if (report == self->report)
    return;
  self->report = report;
  g_clear_pointer (&self->layers, g_strfreev);
  if (debug != NULL)
    self->layers = tsr_operations_dup_layers (debug);
  show_layer (self);
}

static void
on_layer (TsrOperationPage *self)
{
  const guint selected = gtk_drop_down_get_selected (self->layer_chooser);

  if (!self->setting && self->layers != NULL && selected < g_strv_length (self->layers))
    set_text (self, TSR_OPERATION_OPTION_LAYER, self->layers[selected]);
}

/* ------------------------------------------------------------------ asking */

/* What stands there while there are no operations. */
static void
show_none (TsrOperationPage *self)
{
  const gboolean pending = tsr_session_is_data_pending (get_session (self), TSR_DATA_OPERATIONS);
  TsrReport *report = tsr_session_get_report (get_session (self));
  const gboolean failed
      = report != NULL
        && (tsr_report_get_stage_state (report, TSR_STAGE_MEMORY) == TSR_STAGE_FAILED
            || tsr_report_get_stage_state (report, TSR_STAGE_PROGRAMS) == TSR_STAGE_FAILED);

  if (self->layers != NULL && self->layers[0] == NULL)
    tsr_row_view_set_placeholder (self->list_view, _ ("No operations"),
                                  _ ("debug.cbor has no context that belongs to a layer: it is "
                                     "empty, or damaged at its beginning.  Run the program again "
                                     "with the engine option autoReport.outputDebugInfo"));
  else if (failed)
    tsr_row_view_set_placeholder (self->list_view, _ ("No operations"),
                                  _ ("They need the programs and the memory of the tiles, which "
                                     "could not be read"));
  else if (pending)
    tsr_row_view_set_placeholder (self->list_view, _ ("Adding up the operations…"), NULL);
  else
    tsr_row_view_set_placeholder (self->list_view, _ ("No operations"),
                                  _ ("They could not be computed from this report"));
}

static void
ask (TsrOperationPage *self)
{
  TsrTableQuestion question = { 0 };
  const guint form = tsr_page_get_option (TSR_PAGE (self), TSR_OPERATION_OPTION_GROUP);

  if (self->operations == NULL)
    {
      tsr_table_asker_ask (self->list, NULL, NULL);
      show_none (self);
      return;
    }
  question.of_operations.operations = self->operations;
  question.of_operations.operation = TSR_NO_INDEX;
  question.of_operations.grouping = forms[form].grouping;
  question.of_operations.depth = forms[form].depth;
  tsr_table_asker_ask (self->list, tsr_tables_find ("operations", "list"), &question);
}

static gboolean
on_ask (gpointer data)
{
  TsrOperationPage *self = data;

  self->ask_idle = 0;
  ask (self);
  return G_SOURCE_REMOVE;
}

/* What changes together is asked for once. */
static void
ask_soon (TsrOperationPage *self)
{
  if (self->ask_idle == 0 && self->list != NULL)
    self->ask_idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_ask, self, NULL);
}

/* --------------------------------------------------------------- selecting */

static guint32
get_selected_row (TsrOperationPage *self)
{
  g_autoptr (GArray) rows = tsr_row_view_dup_selected (self->list_view);

  return rows->len > 0 ? g_array_index (rows, guint32, 0) : TSR_NO_INDEX;
}

/* (transfer full) (nullable): key of the operation in a row; NULL of a group. */
static char *
dup_row_key (TsrOperationPage *self, guint32 row)
{
  TsrRows *rows = tsr_row_view_get_shown (self->list_view);
  char *key = rows != NULL && row < tsr_rows_get_n (rows) ? tsr_rows_dup_key (rows, row) : NULL;

  if (key != NULL && strchr (key, '\t') != NULL)
    g_clear_pointer (&key, g_free);
  return key;
}

static guint32
find_row (TsrOperationPage *self)
{
  TsrRows *rows = tsr_row_view_get_shown (self->list_view);
  const guint selected = find_selected (self);
  g_autofree char *wanted = NULL;

  if (rows == NULL || selected == TSR_NO_INDEX)
    return TSR_NO_INDEX;
  wanted = tsr_operation_dup_key (self->operations, selected);
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    {
      g_autofree char *key = tsr_rows_dup_key (rows, row);

      if (g_strcmp0 (key, wanted) == 0)
        return row;
    }
  return TSR_NO_INDEX;
}

/* A group stays selected while no operation is. */
static void
show_selected (TsrOperationPage *self)
{
  const guint32 row = find_row (self), selected = get_selected_row (self);
  g_autofree char *key = dup_row_key (self, selected);

  if (row == selected ? row == TSR_NO_INDEX || !self->go_to_selected
                      : row == TSR_NO_INDEX && selected != TSR_NO_INDEX && key == NULL)
    return;
  self->setting = TRUE;
  if (row != TSR_NO_INDEX)
    tsr_row_view_reveal (self->list_view, row);
  tsr_row_view_select (self->list_view, &row, row != TSR_NO_INDEX ? 1 : 0);
  self->setting = FALSE;
  if (row != TSR_NO_INDEX)
    self->go_to_selected = FALSE;
}

/* What is selected here is the subject of the other pages. */
static void
tell_operations (TsrOperationPage *self, char **keys)
{
  g_autofree char *name = g_strjoinv ("\n", keys);
  guint32 program = TSR_NO_INDEX;
  gint64 most = G_MININT64;

  for (guint i = 0; keys[i] != NULL; i++)
    {
      const guint operation = tsr_operation_find (self->operations, keys[i]);
      const gint64 cycles
          = operation != TSR_NO_INDEX
                ? tsr_operations_get (self->operations, operation, TSR_OPERATION_TILE_CYCLES)
                : TSR_UNKNOWN;
      const guint32 costliest = operation != TSR_NO_INDEX
                                    ? tsr_operations_find_costliest (self->operations, operation)
                                    : TSR_NO_INDEX;

      if (costliest == TSR_NO_INDEX || (program != TSR_NO_INDEX && cycles <= most))
        continue;
      program = costliest;
      most = cycles;
    }
  tsr_session_set_subject (
      get_session (self),
      &(TsrSubject){ .kind = TSR_SUBJECT_OPERATION,
                     .id = program != TSR_NO_INDEX ? get_program_id (self, program) : TSR_UNKNOWN,
                     .name = name,
                     .layer = (char *)tsr_operations_get_layer (self->operations) });
}

/* All operations of the group in a row, for the other pages; no row: none. */
static void
tell_group (TsrOperationPage *self, guint32 row)
{
  TsrRows *rows = tsr_row_view_get_shown (self->list_view);
  const guint32 end
      = rows != NULL && row < tsr_rows_get_n (rows) ? tsr_rows_get_end (rows, row) : 0;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) keys = NULL;

  for (guint32 below = row + 1; row != TSR_NO_INDEX && below < end; below++)
    {
      g_autofree char *key = dup_row_key (self, below);

      if (key != NULL)
        g_strv_builder_add (builder, key);
    }
  keys = g_strv_builder_end (builder);
  if (keys[0] == NULL)
    tsr_session_drop_subject (get_session (self), TSR_SUBJECT_OPERATION);
  else
    tell_operations (self, keys);
}

static void
on_row_selected (TsrOperationPage *self)
{
  const guint32 row = get_selected_row (self);
  g_autofree char *key = NULL;

  if (self->setting)
    return;
  key = dup_row_key (self, row);
  self->go_to_selected = FALSE;
  self->setting = TRUE;
  set_text (self, TSR_OPERATION_OPTION_OPERATION, key);
  self->setting = FALSE;
  if (key == NULL)
    tell_group (self, row);
}

static void
tell_selected (TsrOperationPage *self)
{
  const char *const keys[] = { get_text (self, TSR_OPERATION_OPTION_OPERATION), NULL };

  if (*keys[0] == '\0')
    tsr_session_drop_subject (get_session (self), TSR_SUBJECT_OPERATION);
  else if (find_selected (self) != TSR_NO_INDEX)
    tell_operations (self, (char **)keys);
}

void
tsr_operation_page_set_key (TsrOperationPage *self, const char *key)
{
  g_return_if_fail (TSR_IS_OPERATION_PAGE (self));
  self->go_to_selected = TRUE;
  set_text (self, TSR_OPERATION_OPTION_OPERATION, key);
  show_selected (self);
}

const char *
tsr_operation_page_get_key (TsrOperationPage *self)
{
  g_return_val_if_fail (TSR_IS_OPERATION_PAGE (self), "");
  return get_text (self, TSR_OPERATION_OPTION_OPERATION);
}

/* ---------------------------------------------------------- scope and strip */

static void
make_scope_line (TsrOperationPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));

  self->scope_replica = tsr_scope_line_add_text (
      line, _ ("Per replica"),
      _ ("Code and bytes are of one replica; cycles are of all IPUs that were recorded"));
  self->scope_layer = tsr_scope_line_add_text (line, "", _ ("Layer whose operations are listed"));
  self->scope_count = tsr_scope_line_add_text (
      line, "", _ ("Each program and each variable belongs to exactly one of them"));
  self->scope_selection = tsr_scope_line_add_text (line, "", _ ("The selected operation"));
  tsr_scope_line_set_part_told (line, self->scope_count, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_selection, TRUE);
}

/* (transfer full): "the debug name" of an operation. */
static char *
dup_name (TsrOperationPage *self, guint operation)
{
  const char *name = tsr_operations_get_name (self->operations, operation);

  if (tsr_operations_is_none (self->operations, operation))
    name = tsr_operations_get_none_title (self->operations);
  return g_strdup (name != NULL ? name : "");
}

static void
update_scope (TsrOperationPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  const char *chosen = get_text (self, TSR_OPERATION_OPTION_LAYER);
  g_autofree char *layer = NULL, *count = NULL, *number = NULL, *selection = NULL;
  const char *shown;
  guint n, selected;

  if (self->operations == NULL)
    return;
  if (self->scope_replica == NULL)
    make_scope_line (self);
  shown = tsr_operations_get_layer (self->operations);
  if (*chosen != '\0' && !g_str_equal (chosen, shown) && !g_str_equal (chosen, "poplar"))
    layer = g_strdup_printf (_ ("%s (this report has no layer %s)"),
                             tsr_operations_get_layer_title (shown),
                             tsr_operations_get_layer_title (chosen));
  tsr_scope_line_set_part_text (line, self->scope_layer,
                                layer != NULL ? layer : tsr_operations_get_layer_title (shown));
  tsr_scope_line_set_part_told (line, self->scope_layer, layer == NULL);
  tsr_page_update_replica_part (TSR_PAGE (self), self->scope_replica);
  n = tsr_operations_get_n (self->operations) - 1; /* the last is what belongs to none */
  number = tsr_units_dup_count (n);
  count = g_strdup_printf (g_dngettext (NULL, "%s operation", "%s operations", n), number);
  tsr_scope_line_set_part_text (line, self->scope_count, count);
  selected = find_selected (self);
  if (selected != TSR_NO_INDEX)
    {
      g_autofree char *name = dup_name (self, selected);

      selection = g_strdup_printf (_ ("selection: %s"), name);
    }
  tsr_scope_line_set_part_text (line, self->scope_selection,
                                selection != NULL ? selection : _ ("no selection"));
}

/* (transfer full): the figures of an operation one after the other; without one, how many there
 * are, as on the page of programs. */
static char *
dup_status (TsrOperationPage *self, guint operation)
{
  static const struct
  {
    TsrOperationFigure figure;
    TsrValueKind kind;
    const char *what;
  } parts[] = {
    { TSR_OPERATION_CODE, TSR_VALUE_BYTES, NC_ ("figure of an operation", "code") },
    { TSR_OPERATION_TILE_CYCLES, TSR_VALUE_COUNT, NC_ ("figure of an operation", "tile cycles") },
    { TSR_OPERATION_WALL_CYCLES, TSR_VALUE_COUNT, NC_ ("figure of an operation", "cycles") },
    { TSR_OPERATION_VARIABLES, TSR_VALUE_BYTES, NC_ ("figure of an operation", "variables") },
  };
  const TsrUnits units = tsr_session_get_units (get_session (self));
  g_autofree char *name = NULL;
  GString *text;

  if (operation == TSR_NO_INDEX)
    {
      const guint n = tsr_operations_get_n (self->operations) - 1;
      g_autofree char *count = tsr_units_dup_count (n);

      return g_strdup_printf (ngettext ("%s operation", "%s operations", n), count);
    }
  name = dup_name (self, operation);
  text = g_string_new (name);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const gint64 value = tsr_operations_get (self->operations, operation, parts[i].figure);
      g_autofree char *number = tsr_value_dup_text (parts[i].kind, value, 0, units);

      if (value != TSR_UNKNOWN)
        g_string_append_printf (
            text, " · %s %s", g_dpgettext2 (NULL, "figure of an operation", parts[i].what), number);
    }
  return g_string_free (text, FALSE);
}

static void
show_operation (TsrOperationPage *self)
{
  static const char *const of_selected[]
      = { "show-in-programs", "show-in-trace", "show-in-liveness", "show-in-memory", "copy-name" };
  const guint operation = find_selected (self);
  g_autofree char *status = self->operations != NULL ? dup_status (self, operation) : NULL;

  tsr_operation_tabs_set_operation (self->tabs, self->operations, operation);
  tsr_page_set_status_right (TSR_PAGE (self), status);
  for (guint i = 0; i < G_N_ELEMENTS (of_selected); i++)
    {
      g_autofree char *action = g_strconcat ("operations.", of_selected[i], NULL);

      gtk_widget_action_set_enabled (GTK_WIDGET (self), action, operation != TSR_NO_INDEX);
    }
  update_scope (self);
}

static void
on_point_selected (TsrRooflineView *view, guint operation, TsrOperationPage *self)
{
  g_autofree char *key
      = self->operations != NULL && operation < tsr_operations_get_n (self->operations)
            ? tsr_operation_dup_key (self->operations, operation)
            : NULL;

  if (key != NULL)
    tsr_operation_page_set_key (self, key);
}

/* ----------------------------------------------------------------- columns */

static void
show_columns (TsrOperationPage *self)
{
  g_auto (GStrv) columns = dup_columns (self);

  tsr_check_list_set_checked (self->columns, (const char *const *)columns, FALSE);
  tsr_row_view_set_columns (self->list_view, (const char *const *)columns, NAME_WIDTH);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (widget);

  self->tick = 0;
  show_columns (self);
  return G_SOURCE_REMOVE;
}

/* The table learns its width while it is laid out, which is no time for other columns. */
static void
on_table_width (GtkAdjustment *adjustment, GParamSpec *pspec, TsrOperationPage *self)
{
  gboolean roomy = gtk_adjustment_get_page_size (adjustment) >= ROOMY;

  if (roomy == self->roomy)
    return;
  self->roomy = roomy;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static void
fill_columns (TsrOperationPage *self)
{
  static const char *const titles[]
      = { N_ ("Names"), N_ ("Memory"), N_ ("Cycles"), N_ ("Compute and exchange") };
  const TsrTableAnswer *answer = tsr_table_asker_get_answer (self->list);
  TsrRows *rows = answer != NULL ? answer->rows : NULL;

  if (rows == NULL || !tsr_check_list_is_empty (self->columns))
    return;
  for (guint heading = 0; heading < G_N_ELEMENTS (titles); heading++)
    {
      tsr_check_list_add_heading (self->columns, _ (titles[heading]));
      for (guint i = 1; i < tsr_rows_get_n_columns (rows); i++)
        {
          const TsrRowColumn *column = tsr_rows_get_column (rows, i);

          if (tsr_operation_columns_get_heading (column->key) == heading)
            tsr_check_list_add (self->columns, column->key, column->title, column->definition);
        }
    }
  show_columns (self);
}

/* At least one column stays: "" are the usual ones. */
static void
on_column (TsrCheckList *list, const char *word, gboolean checked, TsrOperationPage *self)
{
  g_auto (GStrv) old = dup_columns (self);
  g_auto (GStrv) columns = tsr_check_list_dup_words ((const char *const *)old, word, checked);

  if (columns[0] == NULL)
    show_columns (self);
  else
    tsr_view_state_set_lines (tsr_page_get_view_state (TSR_PAGE (self)),
                              TSR_OPERATION_OPTION_COLUMNS, (const char *const *)columns);
}

/* ------------------------------------------------------------------- words */

static void
tsr_operation_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (page);

  tsr_row_view_save_filter (self->list_view, words);
  tsr_row_view_save_sort (self->list_view, words);
}

/* The operation of the first program that executes the compute set. */
static guint
find_of_set (TsrOperations *operations, const char *name)
{
  const guint32 program = tsr_programs_find_of_set (tsr_operations_get_graph (operations), name);

  return program != TSR_NO_INDEX ? tsr_operations_of_program (operations, program) : TSR_NO_INDEX;
}

static guint
find_of_program (TsrOperations *operations, const char *text)
{
  gint64 id;
  guint32 program = TSR_NO_INDEX;

  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &id, NULL))
    program = tsr_programs_find (tsr_operations_get_graph (operations), id);
  return program != TSR_NO_INDEX ? tsr_operations_of_program (operations, program) : TSR_NO_INDEX;
}

static guint
find_of_variable (TsrOperations *operations, const char *name)
{
  TsrVariables *variables = tsr_operations_get_variables (operations);
  const guint variable = variables != NULL ? tsr_variables_find (variables, name) : TSR_NO_INDEX;

  return variable != TSR_NO_INDEX ? tsr_operations_of_variable (operations, variable)
                                  : TSR_NO_INDEX;
}

/* FALSE while what is asked for may come yet. */
static gboolean
apply_words (TsrOperationPage *self)
{
  static const struct
  {
    const char *word, *none;
    guint (*find) (TsrOperations *operations, const char *text);
    gboolean needs_variables;
  } ways[] = {
    { "program", N_ ("This report has no such program"), find_of_program, FALSE },
    { "compute-set", N_ ("No program executes this compute set"), find_of_set, FALSE },
    { "variable", N_ ("This variable belongs to no operation"), find_of_variable, TRUE },
  };
  g_autoptr (GHashTable) words = NULL;

  for (guint i = 0; self->words != NULL && i < G_N_ELEMENTS (ways); i++)
    if (ways[i].needs_variables && tsr_view_words_get (self->words, ways[i].word) != NULL
        && tsr_operations_get_variables (self->operations) == NULL
        && tsr_session_is_data_pending (get_session (self), TSR_DATA_LIVENESS))
      return FALSE;
  words = g_steal_pointer (&self->words);
  for (guint i = 0; words != NULL && i < G_N_ELEMENTS (ways); i++)
    {
      const char *text = tsr_view_words_get (words, ways[i].word);
      guint operation;
      g_autofree char *key = NULL;

      if (text == NULL)
        continue;
      operation = ways[i].find (self->operations, text);
      if (operation == TSR_NO_INDEX)
        {
          tsr_notice_show (GTK_WIDGET (self), _ (ways[i].none));
          continue;
        }
      key = tsr_operation_dup_key (self->operations, operation);
      tsr_operation_page_set_key (self, key);
    }
  return TRUE;
}

static void
tsr_operation_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (page);
  const gboolean whole = tsr_view_state_is_whole (tsr_page_get_view_state (page), words);

  g_clear_pointer (&self->words, g_hash_table_unref);
  tsr_row_view_load_sort (self->list_view, words, whole);
  tsr_row_view_load_filter (self->list_view, words);
  self->words = g_hash_table_ref (words);
  self->go_to_selected = TRUE;
  if (self->operations != NULL)
    apply_words (self);
  if (*get_text (self, TSR_OPERATION_OPTION_OPERATION) != '\0')
    tell_selected (self);
  ask_soon (self);
}

/* ----------------------------------------------------------------- answers */

static void
on_answered (gpointer owner)
{
  TsrOperationPage *self = owner;

  fill_columns (self);
  if (self->operations == NULL)
    show_none (self);
}

static void
on_arranged (TsrOperationPage *self)
{
  if (self->list != NULL)
    show_selected (self);
}

static void
take_operations (TsrOperationPage *self, TsrOperations *operations)
{
  g_clear_pointer (&self->operations, tsr_operations_unref);
  if (operations != NULL)
    {
      self->operations = tsr_operations_ref (operations);
      self->executed
          = tsr_operations_get_total (operations, TSR_OPERATION_TILE_CYCLES) != TSR_UNKNOWN;
      apply_words (self);
      show_columns (self);
      self->go_to_selected = TRUE;
    }
  show_operation (self);
  tsr_page_update_subject (TSR_PAGE (self));
  ask_soon (self);
}

/* Those that are shown stay until others are there or cannot be. */
static void
update_operations (TsrOperationPage *self)
{
  TsrSession *session = get_session (self);
  TsrOperations *operations;

  update_layers (self);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) && self->operations == NULL)
    return;
  operations = tsr_session_get_operations (session);
  if (operations == NULL && self->operations != NULL
      && tsr_operations_get_report (self->operations) == tsr_session_get_report (session)
      && tsr_session_is_data_pending (session, TSR_DATA_OPERATIONS))
    return;
  if (operations != self->operations)
    take_operations (self, operations);
  else if (operations == NULL)
    show_none (self);
  else if (self->words != NULL)
    apply_words (self);
}

static void
on_units_changed (TsrOperationPage *self)
{
  tsr_table_asker_show (self->list);
  show_operation (self);
}

static void
on_options_changed (TsrPage *page, guint64 changed)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (page);

  if ((changed & BIT (COLUMNS)) != 0)
    show_columns (self);
  if ((changed & BIT (LAYER)) != 0)
    {
      show_layer (self);
      update_scope (self);
    }
  if ((changed & BIT (GROUP)) != 0)
    {
      self->go_to_selected = TRUE;
      ask_soon (self);
    }
  if ((changed & BIT (OPERATION)) != 0)
    {
      if (!self->setting)
        {
          self->go_to_selected = TRUE;
          show_selected (self);
        }
      show_operation (self);
      tell_selected (self);
    }
}

/* ------------------------------------------------------------- other pages */

static gboolean
tsr_operation_page_take_subject (TsrPage *page, const TsrSubject *subject)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (page);
  guint operation;
  g_autofree char *key = NULL;

  if (subject->kind == TSR_SUBJECT_OPERATION)
    return TRUE;
  if (subject->kind == TSR_SUBJECT_NONE)
    {
      if (g_strcmp0 (self->subject_key, tsr_operation_page_get_key (self)) == 0)
        tsr_operation_page_set_key (self, NULL);
      return TRUE;
    }
  if (self->operations == NULL)
    return FALSE;
  operation = tsr_subject_parts_find_operation (get_session (self), self->operations,
                                                find_selected (self));
  if (operation == TSR_NO_INDEX)
    return FALSE;
  key = tsr_operation_dup_key (self->operations, operation);
  g_free (self->subject_key);
  self->subject_key = g_strdup (key);
  tsr_operation_page_set_key (self, key);
  return TRUE;
}

static void
show_in_programs (TsrOperationPage *self)
{
  const guint operation = find_selected (self);
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_PROGRAM_TREE);
  g_autofree char *id = NULL;
  guint32 program;

  if (operation == TSR_NO_INDEX)
    return;
  program = tsr_operations_find_costliest (self->operations, operation);
  if (program == TSR_NO_INDEX)
    {
      tsr_notice_show (GTK_WIDGET (self), _ ("It has no programs"));
      return;
    }
  id = g_strdup_printf ("%" PRId64, get_program_id (self, program));
  tsr_view_words_set (words, "program", id);
  tsr_page_go (GTK_WIDGET (self), words);
}

/* Its longest step in @run (nullable: in all), with the IPU where that is; FALSE without any. */
static gboolean
find_longest (TsrOperationPage *self,
              const TsrExecutionTables *t,
              guint operation,
              const TsrTraceRun *run,
              guint32 *step,
              guint *ipu)
{
  gint64 most = -1;

  for (guint i = 0; i < t->n_ipus; i++)
    for (gsize slice = t->ipu_start[i]; slice < t->ipu_start[i + 1]; slice++)
      {
        const guint32 at = t->slice_step[slice];
        const guint32 program
            = tsr_programs_get_of_step (tsr_operations_get_graph (self->operations), t, at);
        const gint64 cycles = tsr_narrow_get (&t->slice_cycles, slice);

        if (program == TSR_NO_INDEX
            || tsr_operations_of_program (self->operations, program) != operation || cycles <= most
            || (run != NULL && (at < run->first_step || at >= run->end_step)))
          continue;
        most = cycles;
        *step = at;
        *ipu = i;
      }
  return most >= 0;
}

/* What its steps and compute sets are called. */
static const char *
get_step_name (TsrPrograms *graph, guint32 program)
{
  const TsrProgramTables *t = tsr_programs_get_tables (graph);
  const guint32 set = t->program_compute_set[program];
  const char *name = set < t->n_compute_sets
                         ? tsr_string_table_get (t->strings, t->compute_set_name[set])
                         : NULL;

  return name != NULL && *name != '\0' ? name : tsr_programs_get_name (graph, program);
}

/* (transfer full) (nullable): what finds its steps by their names: its own where that is a part of
 * one, else the path in which they all are, as in layers that have names of their own
 * ("convolution.31"). */
static char *
dup_search (TsrOperationPage *self, guint operation)
{
  TsrPrograms *graph = tsr_operations_get_graph (self->operations);
  const char *name = tsr_operations_get_name (self->operations, operation), *slash;
  g_autofree char *path = NULL;
  guint n;
  const guint32 *programs = tsr_operations_get_programs (self->operations, operation, &n);

  for (guint i = 0; i < n; i++)
    {
      const char *of = get_step_name (graph, programs[i]);
      gsize same = 0;

      if (name != NULL && *name != '\0' && strstr (of, name) != NULL)
        return tsr_filter_dup_name (name);
      if (path == NULL)
        path = g_strdup (of);
      while (path[same] != '\0' && path[same] == of[same])
        same++;
      if (path[same] != '\0' || (of[same] != '\0' && of[same] != '/'))
        {
          path[same] = '\0';
          slash = strrchr (path, '/');
          path[slash != NULL ? slash - path : 0] = '\0';
        }
    }
  return path != NULL && *path != '\0' ? tsr_filter_dup_name (path) : NULL;
}

/* Its longest step is selected, and all with its name are found. */
static void
show_in_trace (TsrOperationPage *self)
{
  TsrSession *session = get_session (self);
  TsrReport *report = tsr_session_get_report (session);
  const TsrExecutionTables *t = report != NULL ? tsr_report_get_execution_tables (report) : NULL;
  TsrTrace *trace = tsr_session_get_trace (session);
  const TsrTraceRun *run
      = trace != NULL
            ? tsr_trace_state_get_chosen_run (tsr_session_get_trace_state (session), trace)
            : NULL;
  const guint operation = find_selected (self);
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_EXECUTION_TRACE);
  g_autofree char *selected = NULL, *search = NULL;
  guint32 step;
  guint ipu;

  if (operation == TSR_NO_INDEX)
    return;
  if (t == NULL
      || (!(run != NULL && find_longest (self, t, operation, run, &step, &ipu))
          && !find_longest (self, t, operation, NULL, &step, &ipu)))
    {
      tsr_session_want (session, TSR_STAGE_EXECUTION);
      tsr_notice_show (GTK_WIDGET (self),
                       tsr_session_is_stage_pending (session, TSR_STAGE_EXECUTION)
                           ? _ ("The execution is still being read")
                           : _ ("No execution of it is recorded"));
      return;
    }
  selected = g_strdup_printf ("%" PRId64 "@%u", tsr_execution_tables_get_step_id (t, step), ipu);
  tsr_view_words_set (words, "selected", selected);
  if (run == NULL || step < run->first_step || step >= run->end_step)
    tsr_view_words_set (words, "run", "all");
  search = dup_search (self, operation);
  tsr_view_words_set (words, "search", search);
  tsr_page_go (GTK_WIDGET (self), words);
}

/* Its steps with most bytes, and its largest variables. */
static void
show_in_liveness (TsrOperationPage *self)
{
  TsrSession *session = get_session (self);
  TsrLiveness *liveness = tsr_session_get_liveness (session);
  const guint operation = find_selected (self);
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_LIVENESS);
  g_autofree char *names = NULL, *steps = NULL;
  g_autofree guint8 *flags = NULL;
  g_auto (GStrv) largest = NULL;
  const guint32 *programs;
  guint best, n_programs, n;

  if (operation == TSR_NO_INDEX)
    return;
  n_programs = tsr_programs_get_n (tsr_operations_get_graph (self->operations));
  flags = g_new0 (guint8, n_programs);
  programs = tsr_operations_get_programs (self->operations, operation, &n);
  for (guint i = 0; i < n; i++)
    flags[programs[i]] = 1;
  best = tsr_subject_parts_find_fullest (liveness, tsr_session_get_report (session), flags,
                                         n_programs, TSR_NO_INDEX);
  largest = tsr_operations_dup_largest (self->operations, operation);
  names = largest != NULL ? g_strjoinv ("\n", largest) : NULL;
  if (best == TSR_NO_INDEX && names == NULL)
    {
      tsr_notice_show (GTK_WIDGET (self),
                       liveness == NULL ? _ ("There is no liveness")
                                        : _ ("It has neither a liveness step nor a variable"));
      return;
    }
  if (best != TSR_NO_INDEX)
    steps = g_strdup_printf ("%u", best);
  tsr_view_words_set (words, "steps", steps);
  tsr_view_words_set (words, "variables", names);
  tsr_page_go (GTK_WIDGET (self), words);
}

/* Its compute sets in Memory's tables, else its variables, with the tiles that are selected there.
 */
static void
show_in_memory (TsrOperationPage *self)
{
  const guint operation = find_selected (self);
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_MEMORY);
  g_autofree char *filter = NULL;
  const char *name;
  const TsrProgramTables *t;
  const guint32 *programs;
  gboolean sets = FALSE;
  guint n;

  if (operation == TSR_NO_INDEX)
    return;
  t = tsr_programs_get_tables (tsr_operations_get_graph (self->operations));
  programs = tsr_operations_get_programs (self->operations, operation, &n);
  for (guint i = 0; i < n && !sets; i++)
    sets = t->program_compute_set[programs[i]] < t->n_compute_sets;
  tsr_session_save_words (get_session (self), TSR_VIEW_MEMORY, words);
  tsr_view_words_set (words, "range", NULL);
  tsr_view_words_set (words, "page", tsr_view_get_nick (TSR_VIEW_MEMORY));
  name = tsr_operations_get_name (self->operations, operation);
  if (sets)
    filter = dup_search (self, operation);
  else if (name != NULL && *name != '\0')
    filter = tsr_filter_dup_name (name);
  tsr_view_words_set (words, "tab", sets ? "compute-sets" : "variables");
  tsr_view_words_set (words, "filter", filter);
  tsr_page_go (GTK_WIDGET (self), words);
}

/* ----------------------------------------------------------------- actions */

static void
run_in_list (TsrOperationPage *self, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (self->list_view), action, NULL);
}

static void
run_in_tabs (TsrOperationPage *self, const char *action)
{
  tsr_tabs_run (TSR_TABS (self->tabs), action);
}

/* The chart is laid out when it is seen. */
static void
save_roofline (TsrOperationPage *self)
{
  tsr_tabs_show (TSR_TABS (self->tabs), TSR_OPERATION_DETAIL_FLOPS);
  gtk_widget_activate_action (GTK_WIDGET (tsr_operation_tabs_get_roofline (self->tabs)),
                              "chart.export-image", NULL);
}

static void
copy_name (TsrOperationPage *self)
{
  const guint operation = find_selected (self);
  g_autofree char *name = NULL;

  if (operation == TSR_NO_INDEX)
    return;
  name = dup_name (self, operation);
  tsr_page_copy_name (TSR_PAGE (self), name);
}

static const TsrPageAction actions[] = {
  { "operations.show-in-programs", "", G_CALLBACK (show_in_programs),
    .menu = N_ ("Show in Program Tree") },
  { "operations.show-in-trace", "", G_CALLBACK (show_in_trace),
    .menu = N_ ("Show in Execution Trace") },
  { "operations.show-in-liveness", "", G_CALLBACK (show_in_liveness),
    .menu = N_ ("Show in Liveness") },
  { "operations.show-in-memory", "", G_CALLBACK (show_in_memory), .menu = N_ ("Show in Memory") },
  { "operations.copy-name", "", G_CALLBACK (copy_name), .menu = N_ ("Copy its name") },
  { "operations.expand-all", "", G_CALLBACK (run_in_list), "rows.expand-all" },
  { "operations.collapse-all", "", G_CALLBACK (run_in_list), "rows.collapse-all" },
  { "operations.filter", "slash <Shift>slash <Control>f", G_CALLBACK (run_in_list), "rows.filter" },
  { "operations.next-tab", "<Control>Page_Down", G_CALLBACK (run_in_tabs), "next",
    .is_first = TRUE },
  { "operations.previous-tab", "<Control>Page_Up", G_CALLBACK (run_in_tabs), "previous",
    .is_first = TRUE },
  { "operations.save-list", "", G_CALLBACK (run_in_list), "rows.save" },
  { "operations.copy-list", "", G_CALLBACK (run_in_list), "rows.copy-all" },
  { "operations.save-roofline", "", G_CALLBACK (save_roofline) },
  { "operations.save-table", "", G_CALLBACK (run_in_tabs), "rows.save" },
  { "operations.copy-table", "", G_CALLBACK (run_in_tabs), "rows.copy-all" },
};

/* -------------------------------------------------------------------- page */

static void
tsr_operation_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tsr_operation_page_parent_class)->map (widget);
  if (get_session (TSR_OPERATION_PAGE (widget)) != NULL)
    update_operations (TSR_OPERATION_PAGE (widget));
}

static void
tsr_operation_page_set_session (TsrPage *page, TsrSession *session)
{
  static const char *const followed[]
      = { "notify::report", "notify::operations", "notify::liveness", "stage-changed" };
  TsrOperationPage *self = TSR_OPERATION_PAGE (page);

  TSR_PAGE_CLASS (tsr_operation_page_parent_class)->set_session (page, session);
  tsr_split_keep_state (self->split, session, "operations");
  self->list = tsr_table_asker_new (self->list_view, session, on_answered, self);
  tsr_page_restore_options (page, session);
  tsr_operation_tabs_set_session (self->tabs, session);
  tsr_tabs_bind (TSR_TABS (self->tabs), tsr_page_get_view_state (page), TSR_OPERATION_OPTION_TAB);
  tsr_view_state_bind (tsr_page_get_view_state (page), TSR_OPERATION_OPTION_GROUP,
                       self->group_chooser, "selected");
  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i], G_CALLBACK (update_operations), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  show_columns (self);
  show_operation (self);
  update_operations (self);
}

static void
tsr_operation_page_focus_start (TsrPage *page)
{
  TsrRowView *view = TSR_OPERATION_PAGE (page)->list_view;

  if (!gtk_widget_grab_focus (GTK_WIDGET (tsr_row_view_get_column_view (view))))
    gtk_widget_child_focus (GTK_WIDGET (view), GTK_DIR_TAB_FORWARD);
}

static char *
tsr_operation_page_dup_text (TsrPage *page)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (page);
  TsrRowView *view = tsr_tabs_get_shown (TSR_TABS (self->tabs))->view;
  g_autofree char *list = tsr_row_view_dup_csv (self->list_view);
  g_autofree char *table = view != NULL ? tsr_row_view_dup_csv (view) : NULL;

  return tsr_page_join_text (page, list, table);
}

/* ------------------------------------------------------------------ object */

static void
tsr_operation_page_dispose (GObject *object)
{
  TsrOperationPage *self = TSR_OPERATION_PAGE (object);

  g_clear_handle_id (&self->ask_idle, g_source_remove);
  if (self->tabs != NULL)
    {
      g_signal_handlers_disconnect_by_data (tsr_operation_tabs_get_roofline (self->tabs), self);
      g_signal_handlers_disconnect_by_data (self->columns, self);
      g_signal_handlers_disconnect_by_data (self->list_view, self);
    }
  self->tabs = NULL;
  g_clear_pointer (&self->list, tsr_table_asker_free);
  g_clear_pointer (&self->operations, tsr_operations_unref);
  g_clear_pointer (&self->layers, g_strfreev);
  g_clear_pointer (&self->subject_key, g_free);
  g_clear_pointer (&self->words, g_hash_table_unref);
  g_clear_object (&self->menu);
  G_OBJECT_CLASS (tsr_operation_page_parent_class)->dispose (object);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrOperationPage, layer_chooser),
  TSR_PAGE_CHILD (TsrOperationPage, group_chooser),
  TSR_PAGE_CHILD (TsrOperationPage, columns),
  TSR_PAGE_CHILD (TsrOperationPage, list_box),
  TSR_PAGE_CHILD (TsrOperationPage, show_button),
  TSR_PAGE_CHILD (TsrOperationPage, split),
  TSR_PAGE_CHILD (TsrOperationPage, tabs),
  { NULL },
};

static void
tsr_operation_page_class_init (TsrOperationPageClass *klass)
{
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_operation_page_dispose;
  GTK_WIDGET_CLASS (klass)->map = tsr_operation_page_map;
  page_class->view = TSR_VIEW_OPERATIONS;
  page_class->stage = TSR_STAGE_DEBUG;
  page_class->behind = 1u << TSR_STAGE_MEMORY | 1u << TSR_STAGE_PROGRAMS | 1u << TSR_STAGE_LIVENESS
                       | 1u << TSR_STAGE_EXECUTION;
  page_class->set_session = tsr_operation_page_set_session;
  page_class->focus_start = tsr_operation_page_focus_start;
  page_class->dup_text = tsr_operation_page_dup_text;
  page_class->save_words = tsr_operation_page_save_words;
  page_class->load_words = tsr_operation_page_load_words;
  page_class->take_subject = tsr_operation_page_take_subject;
  tsr_page_class_set_options (page_class, "operations", options, G_N_ELEMENTS (options),
                              on_options_changed);
  tsr_page_class_install_actions (page_class, actions, G_N_ELEMENTS (actions));
  g_type_ensure (TSR_TYPE_CHECK_LIST);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_OPERATION_TABS);
  g_type_ensure (TSR_TYPE_SPLIT);
  tsr_page_class_set_template (page_class, "tsr-operation-page.ui", children);
}

static void
add_list (TsrOperationPage *self)
{
  self->list_view = tsr_row_view_new ();
  tsr_row_view_set_multiple (self->list_view, FALSE);
  /* At the foot of the page. */
  tsr_row_view_set_counted (self->list_view);
  tsr_row_view_set_file_name (self->list_view, "operations");
  tsr_row_view_set_filter_hint (self->list_view, _ ("Filter operations"));
  gtk_widget_set_vexpand (GTK_WIDGET (self->list_view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->list_view), TRUE);
  self->menu = tsr_page_new_menu (TSR_PAGE (self));
  tsr_row_view_set_menu (self->list_view, self->menu);
  gtk_box_append (self->list_box, GTK_WIDGET (self->list_view));
  tsr_row_view_move_filter (self->list_view, self->show_button);
  gtk_widget_insert_after (GTK_WIDGET (tsr_page_get_scope_line (TSR_PAGE (self))),
                           gtk_widget_get_parent (self->show_button), self->show_button);
  g_signal_connect_swapped (self->list_view, "selection-changed", G_CALLBACK (on_row_selected),
                            self);
  g_signal_connect_swapped (self->list_view, "arranged", G_CALLBACK (on_arranged), self);
}

static void
tsr_operation_page_init (TsrOperationPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_list (self);
  tsr_drop_down_set_shrinking (self->layer_chooser, 6, 32);
  tsr_split_add_forwarding (self->split, GTK_WIDGET (self));
  g_signal_connect_object (self->layer_chooser, "notify::selected", G_CALLBACK (on_layer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self->columns, "toggled", G_CALLBACK (on_column), self);
  g_signal_connect_object (gtk_scrollable_get_hadjustment (
                               GTK_SCROLLABLE (tsr_row_view_get_column_view (self->list_view))),
                           "notify::page-size", G_CALLBACK (on_table_width), self, 0);
  g_signal_connect (tsr_operation_tabs_get_roofline (self->tabs), "select",
                    G_CALLBACK (on_point_selected), self);
  tsr_plane_set_menu (TSR_PLANE (tsr_operation_tabs_get_roofline (self->tabs)), self->menu);
}

TsrRowView *
tsr_operation_page_get_list (TsrOperationPage *self)
{
  g_return_val_if_fail (TSR_IS_OPERATION_PAGE (self), NULL);
  return self->list_view;
}

TsrOperations *
tsr_operation_page_get_operations (TsrOperationPage *self)
{
  g_return_val_if_fail (TSR_IS_OPERATION_PAGE (self), NULL);
  return self->operations;
}

gboolean
tsr_operation_page_is_busy (TsrOperationPage *self)
{
  g_return_val_if_fail (TSR_IS_OPERATION_PAGE (self), FALSE);
  return self->ask_idle != 0 || self->list == NULL || tsr_table_asker_is_busy (self->list)
         || tsr_tabs_is_busy (TSR_TABS (self->tabs));
}
