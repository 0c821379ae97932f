/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page asks two tables, roots and tree, whenever the question is another one, and follows the
 * selected program by its id: what is shown, the tabs and links come from that.  The icicle is in
 * the place of the tree, over the same programs.
 *
 * Words of links beside the options: sort of the tree, filter of the table below it, and
 * compute-set=NAME and touching=VARIABLE, the program that executes or writes it, in place of
 * program=ID; these two are not saved. */

#include "config.h"

#include "tsr-program-page.h"

#include "tsr-check-list.h"
#include "tsr-compact.h"
#include "tsr-control-row.h"
#include "tsr-drop-down.h"
#include "tsr-icicle-view.h"
#include "tsr-latest.h"
#include "tsr-page-options.h"
#include "tsr-operations.h"
#include "tsr-program-alike.h"
#include "tsr-program-links.h"
#include "tsr-report-read.h"
#include "tsr-subject-parts.h"
#include "tsr-table-asker.h"
#include "tsr-notice.h"
#include "tsr-trace-chart.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define AT_FIRST    400 /* rows that a tree has unfolded when it is first seen */
#define DEEPEST     63  /* level of these */
#define MOST_OPENED 1000
#define TREE_WIDTH  260    /* of names */
#define ROOTS       272    /* the list of programs at least */
#define MOST_ROOTS  0.25   /* of the page */
#define ROOTS_WIDTH 150    /* of names in it, at least */
#define NO_LAYER    "none" /* nothing is highlighted */

/* In the order of the table below. */
typedef enum
{
  TSR_PROGRAM_OPTION_LIST,  /* Form */
  TSR_PROGRAM_OPTION_WIDTH, /* TsrIcicleWidth */
  TSR_PROGRAM_OPTION_GROUPED,
  TSR_PROGRAM_OPTION_MATCHING, /* only rows that the search finds, and those above them */
  TSR_PROGRAM_OPTION_TAB,
  TSR_PROGRAM_OPTION_HIDDEN,  /* types, a line each */
  TSR_PROGRAM_OPTION_COLUMNS, /* keys, a line each; "": the usual ones */
  TSR_PROGRAM_OPTION_STEP,    /* id of a compilation step; "": the latest */
  TSR_PROGRAM_OPTION_ROOT,    /* id of a program; "": all roots */
  TSR_PROGRAM_OPTION_PROGRAM, /* id of the selected one; "": none */
  TSR_PROGRAM_OPTION_SEARCH,
  TSR_PROGRAM_OPTION_LAYER, /* a word of the file, "": the first, NO_LAYER */
  TSR_PROGRAM_N_OPTIONS
} TsrProgramOption;

struct _TsrProgramPage
{
  TsrPage parent_instance;

  GtkDropDown *step_chooser;
  GtkToggleButton *all_button;
  GtkMenuButton *view_button, *form_button, *more_button;
  TsrCheckList *kinds, *columns;
  GtkBox *roots_box, *tree_box;
  TsrProgramSearch *search;
  TsrSplit *split;
  GtkPaned *roots_paned;
  int roots_width; /* where its handle is unless the user has moved it */
  guint fit_idle;  /* source id */
  TsrProgramTabs *tabs;
  TsrRowView *roots_view, *tree_view;
  GMenuModel *menu; /* of a row of the tree and a cell of the icicle */
  GtkMenuButton *layer_button;
  GMenuModel *show_menu;
  GtkWidget *icicle_box;
  TsrIcicleView *icicle;
  GtkDropDown *width_chooser;

  TsrTableAsker *roots, *tree;  /* (nullable) before there is a session */
  TsrProgramAlike *alike;       /* (nullable) likewise */
  TsrLatest *touching;          /* looks for the program of a variable */
  TsrPrograms *programs;        /* (nullable) what is asked of */
  TsrPrograms *icicle_programs; /* (nullable) what the icicle is of, not kept */
  TsrProgramCode *icicle_code;  /* (nullable) likewise */
  GPtrArray *opened;            /* keys of rows that stand for what is expanded elsewhere */
  GHashTable *unfolded;         /* trees that were unfolded at first, by root or "" */
  guint32 edge;                 /* by which the selected row stands where it does */
  gboolean setting;             /* not the user's doing */
  guint32 subject_program;      /* selected because of what is selected elsewhere */
  gboolean go_to_selected;      /* the selected program comes into view with the next rows */
  gboolean seek;                /* and gets a tree of its own where it is not in that one */
  guint ask_idle;               /* source id */
  GHashTable *words;            /* (nullable) that wait for programs */

  GtkWidget *scope_replica, *scope_step, *scope_tree, *scope_hidden, *scope_selection, *scope_alike;
};

G_DEFINE_FINAL_TYPE (TsrProgramPage, tsr_program_page, TSR_TYPE_PAGE)

/* ----------------------------------------------------------------- options */

typedef enum
{
  FORM_TREE,
  FORM_COSTLIEST,
  FORM_ICICLE,
  N_FORMS
} Form;

static const char *
get_list_nick (guint list)
{
  static const char *const nicks[N_FORMS] = { "tree", "costliest", "icicle" };

  return list < G_N_ELEMENTS (nicks) ? nicks[list] : NULL;
}

static const char *
get_width_nick (guint width)
{
  return width < TSR_N_ICICLE_WIDTHS ? tsr_icicle_width_get_nick (width) : NULL;
}

static const TsrViewOption options[TSR_PROGRAM_N_OPTIONS] = {
  [TSR_PROGRAM_OPTION_LIST]
  = { "list", "list", FORM_TREE, get_list_nick, N_FORMS, .is_named = TRUE },
  [TSR_PROGRAM_OPTION_WIDTH]
  = { "width", "width", TSR_ICICLE_CYCLES, get_width_nick, TSR_N_ICICLE_WIDTHS,
      .setting = "programs-width", .of = TSR_PROGRAM_OPTION_LIST, .where = 1u << FORM_ICICLE },
  [TSR_PROGRAM_OPTION_GROUPED] = { "grouped", "grouped", TRUE, .setting = "programs-grouped" },
  [TSR_PROGRAM_OPTION_MATCHING] = { "matching", "matching", FALSE },
  [TSR_PROGRAM_OPTION_TAB]
  = { "tab", "tab", TSR_PROGRAM_DETAIL_VARIABLES, tsr_program_detail_get_nick,
      TSR_PROGRAM_N_DETAILS, .setting = "programs-tab", .is_named = TRUE },
  [TSR_PROGRAM_OPTION_HIDDEN]
  = { NULL, "hidden", .kind = TSR_VIEW_TEXT, .setting = "programs-hidden" },
  [TSR_PROGRAM_OPTION_COLUMNS]
  = { NULL, "columns", .kind = TSR_VIEW_TEXT, .setting = "programs-columns" },
  [TSR_PROGRAM_OPTION_STEP] = { NULL, "step", .kind = TSR_VIEW_TEXT, .is_passing = TRUE },
  [TSR_PROGRAM_OPTION_ROOT] = { NULL, "root", .kind = TSR_VIEW_TEXT, .is_passing = TRUE },
  [TSR_PROGRAM_OPTION_PROGRAM] = { NULL, "program", .kind = TSR_VIEW_TEXT },
  [TSR_PROGRAM_OPTION_SEARCH] = { NULL, "search", .kind = TSR_VIEW_TEXT },
  [TSR_PROGRAM_OPTION_LAYER] = { "layer", "layer", .kind = TSR_VIEW_TEXT },
};

#define BIT(option) TSR_VIEW_BIT (TSR_PROGRAM_OPTION_##option)
#define ASKED       (BIT (LIST) | BIT (GROUPED) | BIT (HIDDEN) | BIT (COLUMNS) | BIT (STEP) | BIT (ROOT))

static guint
get_option (TsrProgramPage *self, TsrProgramOption option)
{
  return tsr_page_get_option (TSR_PAGE (self), option);
}

static const char *
get_text (TsrProgramPage *self, TsrProgramOption option)
{
  return tsr_page_get_option_text (TSR_PAGE (self), option);
}

static void
set_text (TsrProgramPage *self, TsrProgramOption option, const char *text)
{
  TsrViewState *state = tsr_page_get_view_state (TSR_PAGE (self));

  if (state != NULL)
    tsr_view_state_set_text (state, option, text);
}

static TsrSession *
get_session (TsrProgramPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

static gboolean
is_flat (TsrProgramPage *self)
{
  return get_option (self, TSR_PROGRAM_OPTION_LIST) == FORM_COSTLIEST;
}

static gboolean
is_icicle (TsrProgramPage *self)
{
  return get_option (self, TSR_PROGRAM_OPTION_LIST) == FORM_ICICLE;
}

static guint32
find_option (TsrProgramPage *self, TsrProgramOption option)
{
  const char *text = get_text (self, option);
  gint64 id;

  if (self->programs == NULL || *text == '\0'
      || !g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &id, NULL))
    return TSR_NO_INDEX;
  return tsr_programs_find (self->programs, id);
}

/* Place of the compilation step in the tables; TSR_NO_INDEX: the latest. */
static guint32
find_step (TsrProgramPage *self)
{
  const TsrProgramTables *t = tsr_programs_get_tables (self->programs);
  const char *text = get_text (self, TSR_PROGRAM_OPTION_STEP);
  gint64 id;

  if (*text == '\0' || !g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &id, NULL))
    return TSR_NO_INDEX;
  for (guint i = 0; i < t->n_compilation_steps; i++)
    if (t->compilation_step_id[i] == id)
      return i;
  return TSR_NO_INDEX;
}

static gboolean
is_executed (TsrProgramPage *self)
{
  return self->programs != NULL && tsr_programs_get_all_cycles (self->programs) != TSR_UNKNOWN;
}

/* (transfer full): the columns beside the name: the usual ones where all that are chosen (in a
 * link) are unknown. */
static GStrv
dup_columns (TsrProgramPage *self)
{
  static const char *const executed[]
      = { "cycles", "share", "executions", "codeTile", "live", NULL };
  static const char *const compiled[]
      = { "estimated", "executions", "codeTile", "code", "live", NULL };
  const char *text = get_text (self, TSR_PROGRAM_OPTION_COLUMNS);
  g_auto (GStrv) chosen = g_strsplit (text, "\n", -1);

  if (*text != '\0' && tsr_check_list_knows_any (self->columns, (const char *const *)chosen))
    return g_steal_pointer (&chosen);
  return g_strdupv ((char **)(is_executed (self) ? executed : compiled));
}

/* ------------------------------------------------------------------ asking */

/* Code on the worst tile is read of all programs at once, so where reading is slow only when its
 * column was chosen. */
static TsrProgramCode *
get_code (TsrProgramPage *self)
{
  TsrReport *report = tsr_session_get_report (get_session (self));
  g_auto (GStrv) columns = dup_columns (self);
  gboolean chosen = g_strv_contains ((const char *const *)columns, "codeTile")
                    || g_strv_contains ((const char *const *)columns, "codeTileSelf");
  gboolean slow = report != NULL && tsr_report_is_on_demand (report);

  if (!chosen || (slow && *get_text (self, TSR_PROGRAM_OPTION_COLUMNS) == '\0'))
    return NULL;
  return tsr_session_get_program_code (get_session (self));
}

static void
ask (TsrProgramPage *self)
{
  TsrTableQuestion question = { 0 };
  TsrProgramQuestion *asked = &question.of_programs;
  g_auto (GStrv) hidden = NULL;

  if (self->programs == NULL)
    {
      tsr_table_asker_ask (self->roots, NULL, NULL);
      tsr_table_asker_ask (self->tree, NULL, NULL);
      return;
    }
  asked->programs = self->programs;
  asked->code = get_code (self);
  asked->step = find_step (self);
  asked->root = asked->program = asked->variable = TSR_NO_INDEX;
  tsr_table_asker_ask (self->roots, tsr_tables_find ("programs", "roots"), &question);
  hidden = tsr_view_state_dup_lines (tsr_page_get_view_state (TSR_PAGE (self)),
                                     TSR_PROGRAM_OPTION_HIDDEN);
  asked->hidden = hidden;
  if (!is_flat (self))
    {
      asked->root = find_option (self, TSR_PROGRAM_OPTION_ROOT);
      asked->grouped = get_option (self, TSR_PROGRAM_OPTION_GROUPED) != 0;
      asked->opened = (GStrv)self->opened->pdata;
    }
  tsr_table_asker_ask (
      self->tree, tsr_tables_find ("programs", is_flat (self) ? "costliest" : "tree"), &question);
}

static void seek_selected (TsrProgramPage *self);
static void show_selected (TsrProgramPage *self);

static gboolean
on_ask (gpointer data)
{
  TsrProgramPage *self = data;

  self->ask_idle = 0;
  ask (self);
  seek_selected (self);
  show_selected (self);
  return G_SOURCE_REMOVE;
}

/* What changes together is asked for once. */
static void
ask_soon (TsrProgramPage *self)
{
  if (self->ask_idle == 0 && self->tree != NULL)
    self->ask_idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_ask, self, NULL);
}

/* -------------------------------------------------------------------- rows */

/* (nullable): what a row of the tree that is on the screen stands for. */
static const TsrProgramPlace *
get_place (TsrProgramPage *self, guint32 row)
{
  const TsrTableAnswer *shown = self->tree != NULL ? tsr_table_asker_get_shown (self->tree) : NULL;

  return shown != NULL && shown->places != NULL && row < tsr_rows_get_n (shown->rows)
             ? &shown->places[row]
             : NULL;
}

static guint
get_program_ink (TsrPrograms *programs, guint32 program)
{
  const char *type = tsr_programs_get_type (programs, program);
  const char *name = tsr_programs_get_name (programs, program);
  TsrTraceType step = { .name = type, .label = type, .group = tsr_step_group_of (type) };

  step.external = step.group == TSR_STEP_GROUP_SYNC && strcasestr (name, "external") != NULL;
  return tsr_trace_get_ink (&step);
}

static guint
get_tree_ink (gpointer data, guint32 row)
{
  TsrProgramPage *self = data;
  const TsrProgramPlace *place = get_place (self, row);

  if (place == NULL || self->programs == NULL
      || place->program >= tsr_programs_get_n (self->programs))
    return TSR_NO_DATUM;
  return get_program_ink (self->programs, place->program);
}

static guint32
get_selected_row (TsrProgramPage *self)
{
  g_autoptr (GArray) rows = tsr_row_view_dup_selected (self->tree_view);

  return rows->len > 0 ? g_array_index (rows, guint32, 0) : TSR_NO_INDEX;
}

/* The row of the selected program: where the user selected it, else where it is expanded. */
static guint32
find_row (TsrProgramPage *self, const TsrTableAnswer *answer)
{
  guint32 program = find_option (self, TSR_PROGRAM_OPTION_PROGRAM);
  guint32 n = answer->rows != NULL && answer->places != NULL ? tsr_rows_get_n (answer->rows) : 0;

  if (program == TSR_NO_INDEX || n == 0)
    return TSR_NO_INDEX;
  for (guint32 row = 0; row < n && self->edge != TSR_NO_INDEX; row++)
    if (answer->places[row].edge == self->edge && answer->places[row].program == program)
      return row;
  return tsr_program_answer_find (answer, program);
}

static void
show_selected (TsrProgramPage *self)
{
  const TsrTableAnswer *answer = self->tree != NULL ? tsr_table_asker_get_shown (self->tree) : NULL;
  guint32 row;

  if (answer == NULL || answer != tsr_table_asker_get_answer (self->tree))
    return;
  row = find_row (self, answer);
  if (row == get_selected_row (self) && (row == TSR_NO_INDEX || !self->go_to_selected))
    return;
  self->setting = TRUE;
  if (row != TSR_NO_INDEX)
    tsr_row_view_reveal (self->tree_view, row);
  tsr_row_view_select (self->tree_view, &row, row != TSR_NO_INDEX ? 1 : 0);
  self->setting = FALSE;
  if (row != TSR_NO_INDEX)
    self->go_to_selected = FALSE;
}

/* A program that is not in the tree gets one of its own, unless its type is hidden. */
static void
seek_selected (TsrProgramPage *self)
{
  const TsrTableAnswer *answer = tsr_table_asker_get_answer (self->tree);
  guint32 program = find_option (self, TSR_PROGRAM_OPTION_PROGRAM);
  g_auto (GStrv) hidden = NULL;
  const char *id;

  if (self->ask_idle != 0 || tsr_table_asker_is_asking (self->tree) || !self->seek
      || program == TSR_NO_INDEX || answer == NULL || answer->rows == NULL)
    return;
  self->seek = FALSE;
  if (find_row (self, answer) != TSR_NO_INDEX)
    return;
  hidden = tsr_view_state_dup_lines (tsr_page_get_view_state (TSR_PAGE (self)),
                                     TSR_PROGRAM_OPTION_HIDDEN);
  id = get_text (self, TSR_PROGRAM_OPTION_PROGRAM);
  if (g_strv_contains ((const char *const *)hidden,
                       tsr_programs_get_type (self->programs, program)))
    {
      tsr_notice_show (GTK_WIDGET (self), _ ("Programs of this type are hidden: see View"));
    }
  else if (!is_flat (self) && g_strcmp0 (get_text (self, TSR_PROGRAM_OPTION_ROOT), id) != 0)
    set_text (self, TSR_PROGRAM_OPTION_ROOT, id);
}

/* Rows down to @depth; of more than AT_FIRST no more are counted. */
static guint32
count_down_to (TsrRows *rows, guint32 depth)
{
  guint32 n = 0;

  for (guint32 row = 0; row < tsr_rows_get_n (rows) && n <= AT_FIRST; n++)
    row = tsr_rows_get_depth (rows, row) < depth ? row + 1 : tsr_rows_get_end (rows, row);
  return n;
}

/* As many levels as have room in some screens. */
static void
unfold_at_first (TsrProgramPage *self)
{
  const TsrTableAnswer *answer = tsr_table_asker_get_answer (self->tree);
  const char *root = get_text (self, TSR_PROGRAM_OPTION_ROOT);
  TsrRows *rows = answer != NULL ? answer->rows : NULL;
  g_autoptr (GPtrArray) keys = NULL;
  g_auto (GStrv) old = NULL;
  guint32 n = rows != NULL ? tsr_rows_get_n (rows) : 0, depth = 1;

  if (n == 0 || !tsr_rows_is_tree (rows) || g_hash_table_contains (self->unfolded, root))
    return;
  g_hash_table_add (self->unfolded, g_strdup (root));
  while (depth < DEEPEST && count_down_to (rows, depth + 1) <= AT_FIRST)
    depth++;
  old = tsr_row_view_dup_keys (self->tree_view);
  keys = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; old[i] != NULL; i++)
    g_ptr_array_add (keys, g_strdup (old[i]));
  for (guint32 row = 0; row < n && keys->len < AT_FIRST;)
    {
      gboolean above = tsr_rows_get_depth (rows, row) < depth;

      if (above && tsr_rows_get_end (rows, row) > row + 1
          && (answer->places == NULL || answer->places[row].mark != TSR_PLACE_GROUP))
        g_ptr_array_add (keys, tsr_rows_dup_key (rows, row));
      row = above ? row + 1 : tsr_rows_get_end (rows, row);
    }
  g_ptr_array_add (keys, NULL);
  tsr_row_view_set_keys (self->tree_view, (const char *const *)keys->pdata);
}

/* ---------------------------------------------------------- scope and strip */

static void
make_scope_line (TsrProgramPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));

  self->scope_replica = tsr_scope_line_add_text (
      line, _ ("Per replica"),
      _ ("Code and bytes are of one replica; cycles are of all recorded steps"));
  self->scope_step = tsr_scope_line_add_text (line, "", _ ("Compilation step"));
  self->scope_tree = tsr_scope_line_add_text (line, "", _ ("What is shown of it"));
  self->scope_hidden = tsr_scope_line_add_text (line, "", _ ("Types that are left out; see View"));
  self->scope_selection = tsr_scope_line_add_text (line, "", _ ("The selected program"));
  self->scope_alike = tsr_scope_line_add_text (
      line, "",
      _ ("What is highlighted: the same operation of the layer made them; see Highlight"));
  tsr_scope_line_set_part_told (line, self->scope_step, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_tree, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_selection, TRUE);
}

static char *
dup_tree_text (TsrProgramPage *self, guint32 root)
{
  g_autofree char *count = tsr_units_dup_count (tsr_programs_get_n (self->programs));

  if (is_flat (self))
    return g_strdup_printf (
        g_dngettext (NULL, "%s program", "%s programs", tsr_programs_get_n (self->programs)),
        count);
  if (root == TSR_NO_INDEX)
    return g_strdup (_ ("all programs and functions"));
  return g_strdup_printf (_ ("tree of %s"), tsr_programs_get_label (self->programs, root));
}

static void
update_scope (TsrProgramPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  const TsrProgramTables *t;
  guint32 step, program;
  g_autofree char *tree = NULL, *hidden = NULL, *selection = NULL;
  g_autofree char *alike = tsr_program_alike_dup_text (self->alike);
  g_auto (GStrv) types = NULL;
  guint n_types;

  if (self->programs == NULL)
    return;
  if (self->scope_replica == NULL)
    make_scope_line (self);
  tsr_page_update_replica_part (TSR_PAGE (self), self->scope_replica);
  t = tsr_programs_get_tables (self->programs);
  step = find_step (self);
  if (step == TSR_NO_INDEX && t->n_compilation_steps > 0)
    step = t->n_compilation_steps - 1;
  tsr_scope_line_set_part_visible (line, self->scope_step, step < t->n_compilation_steps);
  if (step < t->n_compilation_steps)
    {
      const char *name = tsr_string_table_get (t->strings, t->compilation_step_name[step]);

      tsr_scope_line_set_part_text (line, self->scope_step, name != NULL ? name : "");
    }
  tree = dup_tree_text (self, find_option (self, TSR_PROGRAM_OPTION_ROOT));
  tsr_scope_line_set_part_text (line, self->scope_tree, tree);
  types = tsr_view_state_dup_lines (tsr_page_get_view_state (TSR_PAGE (self)),
                                    TSR_PROGRAM_OPTION_HIDDEN);
  n_types = *get_text (self, TSR_PROGRAM_OPTION_HIDDEN) != '\0' ? g_strv_length (types) : 0;
  hidden = g_strdup_printf (g_dngettext (NULL, "without %u type", "without %u types", n_types),
                            n_types);
  tsr_scope_line_set_part_text (line, self->scope_hidden, hidden);
  tsr_scope_line_set_part_visible (line, self->scope_hidden, n_types > 0);
  program = find_option (self, TSR_PROGRAM_OPTION_PROGRAM);
  if (program != TSR_NO_INDEX)
    selection
        = g_strdup_printf (_ ("selection: %s"), tsr_programs_get_label (self->programs, program));
  tsr_scope_line_set_part_text (line, self->scope_selection,
                                selection != NULL ? selection : _ ("no selection"));
  tsr_scope_line_set_part_text (line, self->scope_alike, alike != NULL ? alike : "");
  tsr_scope_line_set_part_visible (line, self->scope_alike, alike != NULL);
}

/* The figures of a program by itself, one after the other; without one, how many there are: a strip
 * that came with the first selection would move the row that was clicked. */
static char *
dup_status (TsrProgramPage *self, guint32 program)
{
  TsrUnits units = tsr_session_get_units (get_session (self));
  static const struct
  {
    TsrProgramFigure figure;
    TsrValueKind kind;
    const char *what;
  } parts[] = {
    { TSR_PROGRAM_EXECUTIONS, TSR_VALUE_COUNT, NC_ ("figure of a program", "executions") },
    { TSR_PROGRAM_STEPS, TSR_VALUE_COUNT, NC_ ("figure of a program", "steps") },
    { TSR_PROGRAM_CYCLES, TSR_VALUE_COUNT, NC_ ("figure of a program", "cycles") },
    { TSR_PROGRAM_CODE, TSR_VALUE_BYTES, NC_ ("figure of a program", "code") },
    { TSR_PROGRAM_LIVE, TSR_VALUE_BYTES, NC_ ("figure of a program", "live") },
  };
  GString *text;

  if (program == TSR_NO_INDEX)
    {
      guint32 n = tsr_programs_get_n (self->programs);
      g_autofree char *count = tsr_units_dup_count (n);

      return g_strdup_printf (ngettext ("%s program", "%s programs", n), count);
    }
  text = g_string_new (tsr_programs_get_label (self->programs, program));
  g_string_append_printf (text, " · ");
  g_string_append_printf (text, _ ("id %" PRId64),
                          tsr_programs_get_tables (self->programs)->program_id[program]);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gint64 value = tsr_programs_get (self->programs, program, parts[i].figure);
      g_autofree char *number = tsr_value_dup_text (parts[i].kind, value, 0, units);

      if (value == TSR_UNKNOWN)
        continue;
      g_string_append_printf (text, " · %s %s",
                              g_dpgettext2 (NULL, "figure of a program", parts[i].what), number);
    }
  return g_string_free (text, FALSE);
}

static void
enable (TsrProgramPage *self, const char *action, gboolean enabled)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), action, enabled);
}

static void ask_alike (TsrProgramPage *self);

static void
show_program (TsrProgramPage *self)
{
  guint32 program = find_option (self, TSR_PROGRAM_OPTION_PROGRAM);
  gboolean any = program != TSR_NO_INDEX;
  g_autofree char *status = self->programs != NULL ? dup_status (self, program) : NULL;

  ask_alike (self);
  tsr_program_tabs_set_program (self->tabs, program);
  tsr_page_set_status_right (TSR_PAGE (self), status);
  enable (self, "programs.show-in-trace", any);
  enable (self, "programs.show-in-liveness", any);
  enable (self, "programs.show-in-memory", any);
  enable (self, "programs.show-in-operations", any);
  enable (self, "programs.alone", any);
  enable (self, "programs.copy-name", any);
  update_scope (self);
}

static void
update_place_actions (TsrProgramPage *self)
{
  const TsrProgramPlace *place = get_place (self, get_selected_row (self));
  gboolean seen = place != NULL && place->mark == TSR_PLACE_SEEN;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "programs.expand-here", seen);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "programs.go-to-first",
                                 seen || (place != NULL && place->mark == TSR_PLACE_CUT));
}

/* --------------------------------------------------------------- selecting */

static char *
dup_id (TsrProgramPage *self, guint32 program)
{
  if (self->programs == NULL || program >= tsr_programs_get_n (self->programs))
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT,
                          tsr_programs_get_tables (self->programs)->program_id[program]);
}

static void
on_row_selected (TsrProgramPage *self)
{
  const TsrProgramPlace *place = get_place (self, get_selected_row (self));
  g_autofree char *id = place != NULL ? dup_id (self, place->program) : NULL;

  update_place_actions (self);
  if (self->setting)
    return;
  self->edge = place != NULL ? place->edge : TSR_NO_INDEX;
  self->go_to_selected = FALSE;
  self->setting = TRUE;
  set_text (self, TSR_PROGRAM_OPTION_PROGRAM, id);
  self->setting = FALSE;
}

void
tsr_program_page_set_program (TsrProgramPage *self, guint32 program)
{
  g_autofree char *id = NULL;

  g_return_if_fail (TSR_IS_PROGRAM_PAGE (self));
  id = dup_id (self, program);
  self->edge = TSR_NO_INDEX;
  self->go_to_selected = self->seek = TRUE;
  set_text (self, TSR_PROGRAM_OPTION_PROGRAM, id);
  ask_soon (self);
}

/* What is selected here is the subject of the other pages. */
static void
tell_selected (TsrProgramPage *self)
{
  const char *text = get_text (self, TSR_PROGRAM_OPTION_PROGRAM);
  gint64 id;

  if (*text == '\0')
    tsr_session_drop_subject (get_session (self), TSR_SUBJECT_PROGRAM);
  else if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &id, NULL))
    tsr_session_set_subject (get_session (self),
                             &(TsrSubject){ .kind = TSR_SUBJECT_PROGRAM, .id = id });
}

/* The layer by which programs are highlighted becomes the operation's, unless the user wants none.
 */
static void
take_layer (TsrProgramPage *self, const char *layer)
{
  g_auto (GStrv) layers = tsr_program_alike_dup_layers (self->alike);

  if (layer != NULL && layers[0] != NULL
      && !g_str_equal (get_text (self, TSR_PROGRAM_OPTION_LAYER), NO_LAYER))
    set_text (self, TSR_PROGRAM_OPTION_LAYER, g_str_equal (layer, layers[0]) ? NULL : layer);
}

/* The costliest of its programs, if none of them is selected.  The tree that the user chose stays.
 */
static gboolean
tsr_program_page_take_subject (TsrPage *page, const TsrSubject *subject)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);
  const guint32 selected = tsr_program_page_get_program (self);
  g_autoptr (GArray) rows = NULL;
  guint32 found = TSR_NO_INDEX;

  if (subject->kind == TSR_SUBJECT_PROGRAM)
    return TRUE;
  rows = self->programs != NULL ? tsr_subject_parts_dup_programs (get_session (self)) : NULL;
  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    {
      const guint32 row = g_array_index (rows, guint32, i);

      if (row == selected)
        {
          found = row;
          break;
        }
      if (found == TSR_NO_INDEX
          || tsr_programs_get (self->programs, row, TSR_PROGRAM_CYCLES_SELF)
                 > tsr_programs_get (self->programs, found, TSR_PROGRAM_CYCLES_SELF))
        found = row;
    }
  if (found == TSR_NO_INDEX && subject->kind != TSR_SUBJECT_VARIABLE
      && selected == self->subject_program)
    set_text (self, TSR_PROGRAM_OPTION_PROGRAM, NULL);
  if (found == TSR_NO_INDEX)
    return TRUE;
  take_layer (self, subject->layer);
  if (found == selected)
    return TRUE;
  self->subject_program = found;
  tsr_program_page_set_program (self, found);
  self->seek = FALSE;
  return TRUE;
}

guint32
tsr_program_page_get_program (TsrProgramPage *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_PAGE (self), TSR_NO_INDEX);
  return find_option (self, TSR_PROGRAM_OPTION_PROGRAM);
}

/* What stands for a program that is expanded elsewhere is expanded here, too. */
static void
expand_here (TsrProgramPage *self)
{
  const TsrTableAnswer *shown = tsr_table_asker_get_shown (self->tree);
  guint32 row = get_selected_row (self);
  const TsrProgramPlace *place = get_place (self, row);
  g_auto (GStrv) keys = NULL;
  g_autoptr (GPtrArray) wanted = NULL;
  char *key;

  if (place == NULL || place->mark != TSR_PLACE_SEEN || self->opened->len > MOST_OPENED)
    return;
  key = tsr_rows_dup_key (shown->rows, row);
  if (key == NULL)
    return;
  keys = tsr_row_view_dup_keys (self->tree_view);
  wanted = g_ptr_array_new ();
  for (guint i = 0; keys[i] != NULL; i++)
    g_ptr_array_add (wanted, keys[i]);
  g_ptr_array_add (wanted, key);
  g_ptr_array_add (wanted, NULL);
  tsr_row_view_set_keys (self->tree_view, (const char *const *)wanted->pdata);
  g_ptr_array_insert (self->opened, (int)self->opened->len - 1, key);
  self->edge = place->edge;
  ask_soon (self);
}

static void
go_to_first (TsrProgramPage *self)
{
  tsr_program_page_set_program (self, tsr_program_page_get_program (self));
}

static void
on_activate_row (TsrRowView *view, guint row, TsrProgramPage *self)
{
  expand_here (self);
}

/* ------------------------------------------------------------------- roots */

/* TSR_NO_INDEX: of a group. */
static guint32
get_root_of_row (TsrProgramPage *self, guint32 row)
{
  const TsrTableAnswer *answer = tsr_table_asker_get_shown (self->roots);
  gint64 id;

  if (answer == NULL || answer->rows == NULL || self->programs == NULL)
    return TSR_NO_INDEX;
  id = tsr_rows_get_value_of (answer->rows, row, "id");
  return id != TSR_UNKNOWN ? tsr_programs_find (self->programs, id) : TSR_NO_INDEX;
}

static void
on_root_selected (TsrProgramPage *self)
{
  g_autoptr (GArray) rows = tsr_row_view_dup_selected (self->roots_view);
  g_autofree char *id = NULL;

  if (self->setting || rows->len == 0)
    return;
  id = dup_id (self, get_root_of_row (self, g_array_index (rows, guint32, 0)));
  set_text (self, TSR_PROGRAM_OPTION_ROOT, id);
}

/* The row of the root whose tree is shown. */
static void
show_root (TsrProgramPage *self)
{
  const TsrTableAnswer *answer
      = self->roots != NULL ? tsr_table_asker_get_shown (self->roots) : NULL;
  guint32 root = find_option (self, TSR_PROGRAM_OPTION_ROOT), found = TSR_NO_INDEX;

  self->setting = TRUE;
  gtk_toggle_button_set_active (self->all_button, root == TSR_NO_INDEX);
  for (guint32 row = 0;
       answer != NULL && answer->rows != NULL && row < tsr_rows_get_n (answer->rows)
       && root != TSR_NO_INDEX && found == TSR_NO_INDEX;
       row++)
    if (get_root_of_row (self, row) == root)
      found = row;
  tsr_row_view_select (self->roots_view, &found, found != TSR_NO_INDEX ? 1 : 0);
  self->setting = FALSE;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "programs.all", root != TSR_NO_INDEX);
}

static void
on_all (TsrProgramPage *self)
{
  if (self->setting)
    return;
  if (gtk_toggle_button_get_active (self->all_button))
    set_text (self, TSR_PROGRAM_OPTION_ROOT, NULL);
  else
    show_root (self);
}

static void
on_step (TsrProgramPage *self)
{
  const TsrProgramTables *t;
  guint selected = gtk_drop_down_get_selected (self->step_chooser);
  g_autofree char *id = NULL;

  if (self->setting || self->programs == NULL)
    return;
  t = tsr_programs_get_tables (self->programs);
  /* The latest one stands first. */
  if (selected > 0 && selected < t->n_compilation_steps)
    id = g_strdup_printf ("%" G_GINT64_FORMAT,
                          t->compilation_step_id[t->n_compilation_steps - 1 - selected]);
  tsr_view_state_hold (tsr_page_get_view_state (TSR_PAGE (self)));
  set_text (self, TSR_PROGRAM_OPTION_STEP, id);
  set_text (self, TSR_PROGRAM_OPTION_ROOT, NULL);
  tsr_view_state_release (tsr_page_get_view_state (TSR_PAGE (self)));
}

static void
fill_steps (TsrProgramPage *self)
{
  const TsrProgramTables *t = tsr_programs_get_tables (self->programs);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint32 step = find_step (self);

  for (guint i = t->n_compilation_steps; i-- > 0;)
    {
      const char *name = tsr_string_table_get (t->strings, t->compilation_step_name[i]);

      g_ptr_array_add (names,
                       name != NULL && *name != '\0'
                           ? g_strdup (name)
                           : g_strdup_printf ("%" G_GINT64_FORMAT, t->compilation_step_id[i]));
    }
  g_ptr_array_add (names, NULL);
  self->setting = TRUE;
  tsr_drop_down_set_rows (
      self->step_chooser, (const char *const *)names->pdata,
      step == TSR_NO_INDEX || t->n_compilation_steps == 0 ? 0 : t->n_compilation_steps - 1 - step);
  self->setting = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->step_chooser), t->n_compilation_steps > 1);
}

/* --------------------------------------------------------- types and columns */

static void show_checks (TsrProgramPage *self);

static void
on_kind (TsrCheckList *list, const char *type, gboolean checked, TsrProgramPage *self)
{
  TsrViewState *state = tsr_page_get_view_state (TSR_PAGE (self));
  g_auto (GStrv) hidden = tsr_view_state_dup_lines (state, TSR_PROGRAM_OPTION_HIDDEN);
  g_auto (GStrv) lines = tsr_check_list_dup_words ((const char *const *)hidden, type, !checked);

  tsr_view_state_set_lines (state, TSR_PROGRAM_OPTION_HIDDEN, (const char *const *)lines);
}

/* At least one column stays: "" are the usual ones. */
static void
on_column (TsrCheckList *list, const char *column, gboolean checked, TsrProgramPage *self)
{
  g_auto (GStrv) old = dup_columns (self);
  g_auto (GStrv) columns = tsr_check_list_dup_words ((const char *const *)old, column, checked);

  if (columns[0] == NULL)
    show_checks (self);
  else
    tsr_view_state_set_lines (tsr_page_get_view_state (TSR_PAGE (self)), TSR_PROGRAM_OPTION_COLUMNS,
                              (const char *const *)columns);
}

static int
compare_types (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* The types that the report has, each with the number of its programs. */
static void
fill_kinds (TsrProgramPage *self)
{
  const TsrProgramTables *t = tsr_programs_get_tables (self->programs);
  g_autofree guint32 *counts = g_new0 (guint32, tsr_string_table_get_length (t->strings) + 1);
  g_autoptr (GPtrArray) types = g_ptr_array_new ();

  tsr_check_list_clear (self->kinds);
  for (guint i = 0; i < t->n_programs; i++)
    if (t->program_type[i] < tsr_string_table_get_length (t->strings)
        && counts[t->program_type[i]]++ == 0)
      g_ptr_array_add (types, (gpointer)tsr_string_table_get (t->strings, t->program_type[i]));
  g_ptr_array_sort (types, compare_types);
  for (guint i = 0; i < types->len; i++)
    {
      const char *type = types->pdata[i];
      g_autofree char *count
          = tsr_units_dup_count (counts[tsr_string_table_find (t->strings, type)]);
      g_autofree char *label = g_strdup_printf ("%s (%s)", type, count);

      tsr_check_list_add (self->kinds, type, label, NULL);
    }
}

static void
fill_columns (TsrProgramPage *self)
{
  const TsrTableAnswer *answer = tsr_table_asker_get_answer (self->tree);

  if (answer == NULL || answer->rows == NULL || !tsr_check_list_is_empty (self->columns))
    return;
  for (guint i = 1; i < tsr_rows_get_n_columns (answer->rows); i++)
    {
      const TsrRowColumn *column = tsr_rows_get_column (answer->rows, i);

      tsr_check_list_add (self->columns, column->key, column->title, column->definition);
    }
  show_checks (self);
}

/* The checks say what the option does. */
static void
show_checks (TsrProgramPage *self)
{
  g_auto (GStrv) hidden = tsr_view_state_dup_lines (tsr_page_get_view_state (TSR_PAGE (self)),
                                                    TSR_PROGRAM_OPTION_HIDDEN);
  g_auto (GStrv) columns = dup_columns (self);
  const char *const of_roots[] = { is_executed (self) ? "cycles" : "code", NULL };

  tsr_check_list_set_checked (self->kinds, (const char *const *)hidden, TRUE);
  tsr_check_list_set_checked (self->columns, (const char *const *)columns, FALSE);
  tsr_row_view_set_columns (self->tree_view, (const char *const *)columns, TREE_WIDTH);
  tsr_row_view_set_columns (self->roots_view, of_roots, ROOTS_WIDTH);
}

/* ------------------------------------------------------------------ search */

static void
show_matching (TsrProgramPage *self)
{
  const char *text = get_option (self, TSR_PROGRAM_OPTION_MATCHING)
                         ? get_text (self, TSR_PROGRAM_OPTION_SEARCH)
                         : "";

  if (g_strcmp0 (tsr_row_view_get_filter (self->tree_view), text) != 0)
    tsr_row_view_set_filter (self->tree_view, text);
}

static gboolean
is_match (gpointer data, guint32 row)
{
  TsrProgramPage *self = data;

  return tsr_program_search_matches (self->search, tsr_row_view_get_shown (self->tree_view), row);
}

static void
find_match (TsrProgramPage *self, int direction, TsrRowTestFunc test)
{
  guint32 row
      = tsr_row_view_find_next (self->tree_view, get_selected_row (self), direction, test, self);

  if (row == TSR_NO_INDEX)
    return;
  tsr_row_view_reveal (self->tree_view, row);
  tsr_row_view_select (self->tree_view, &row, 1);
  on_row_selected (self);
}

static void
next_match (TsrProgramPage *self)
{
  find_match (self, 1, is_match);
}

static void
previous_match (TsrProgramPage *self)
{
  find_match (self, -1, is_match);
}

/* --------------------------------------------------------------- highlight */

static gboolean
is_alike (gpointer data, guint32 row)
{
  TsrProgramPage *self = data;
  const TsrProgramPlace *place = get_place (self, row);
  const guint8 *marks = tsr_program_alike_peek (self->alike, NULL);

  return marks != NULL && place != NULL && place->program < tsr_programs_get_n (self->programs)
         && marks[place->program];
}

/* Another group of alike ones is only seen in its rows. */
static gboolean
is_next_alike (gpointer data, guint32 row)
{
  const TsrProgramPlace *place = get_place (data, row);

  return place != NULL && place->mark != TSR_PLACE_GROUP && is_alike (data, row);
}

static void
next_alike (TsrProgramPage *self)
{
  find_match (self, 1, is_next_alike);
}

static void
previous_alike (TsrProgramPage *self)
{
  find_match (self, -1, is_next_alike);
}

static void
on_alike (gpointer owner)
{
  TsrProgramPage *self = owner;
  TsrProgramIcicle *icicle = tsr_icicle_view_get_icicle (self->icicle);
  guint n = 0;
  const guint8 *marks = tsr_program_alike_peek (self->alike, &n);

  tsr_row_view_set_mark_func (self->tree_view, marks != NULL ? is_alike : NULL, self);
  if (icicle != NULL)
    tsr_program_icicle_set_marks (icicle, marks);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "programs.next-alike", n > 1);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "programs.previous-alike", n > 1);
  update_scope (self);
}

static void
ask_alike (TsrProgramPage *self)
{
  if (self->alike != NULL)
    tsr_program_alike_ask (self->alike, self->programs, get_text (self, TSR_PROGRAM_OPTION_LAYER),
                           find_option (self, TSR_PROGRAM_OPTION_PROGRAM));
}

/* The layers of the file; "" stands for the first. */
static void
fill_layers (TsrProgramPage *self)
{
  g_auto (GStrv) layers = tsr_program_alike_dup_layers (self->alike);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) of = g_menu_new ();
  g_autoptr (GMenu) steps = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new (); /* where the row is narrow */

  for (guint i = 0; layers[i] != NULL; i++)
    {
      g_autofree char *action = g_strdup_printf ("programs.layer::%s", i > 0 ? layers[i] : "");

      g_menu_append (of, tsr_operations_get_layer_title (layers[i]), action);
    }
  g_menu_append (of, _ ("Nothing"), "programs.layer::" NO_LAYER);
  g_menu_append (steps, _ ("Next"), "programs.next-alike");
  g_menu_append (steps, _ ("Previous"), "programs.previous-alike");
  g_menu_append_section (menu, _ ("Programs of the same operation of"), G_MENU_MODEL (of));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (steps));
  gtk_menu_button_set_menu_model (self->layer_button, G_MENU_MODEL (menu));
  g_menu_append_submenu (more, _ ("Highlight"), G_MENU_MODEL (menu));
  g_menu_append_submenu (more, _ ("Show in"), self->show_menu);
  gtk_menu_button_set_menu_model (self->more_button, G_MENU_MODEL (more));
}

/* Debug information comes last. */
static void
on_stage (TsrProgramPage *self, guint stage)
{
  if (stage != TSR_STAGE_DEBUG || self->programs == NULL)
    return;
  ask_alike (self);
  fill_layers (self);
}

/* ------------------------------------------------------------------- words */

static void
tsr_program_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);

  tsr_row_view_save_filter (tsr_tabs_get_shown (TSR_TABS (self->tabs))->view, words);
  tsr_row_view_save_sort (self->tree_view, words);
}

typedef struct
{
  TsrPrograms *programs;
  TsrReport *report;
  char *name; /* of variables; several may have it */
} Touching;

static void
touching_free (gpointer data)
{
  Touching *job = data;

  tsr_programs_unref (job->programs);
  g_object_unref (job->report);
  g_free (job->name);
  g_free (job);
}

/* (transfer full) (type guint32): the first program, by its place in the file, that writes a
 * variable of that name; else the first that touches one; TSR_NO_INDEX. */
static gpointer
find_touching (gpointer data, GCancellable *cancellable, GError **error)
{
  const Touching *job = data;
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (job->report);
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) entries = NULL;
  guint32 first = TSR_NO_INDEX, writer = TSR_NO_INDEX, *found;

  for (guint32 i = 0; i < t->n_variables; i++)
    if (g_strcmp0 (tsr_string_table_get (t->strings, t->variable_name[i]), job->name) == 0)
      g_array_append_val (variables, i);
  entries = tsr_report_read_touching_programs (
      job->report, (const guint32 *)(gpointer)variables->data, variables->len, cancellable, error);
  if (entries == NULL)
    return NULL;
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrProgramVariable *entry = &g_array_index (entries, TsrProgramVariable, i);

      first = MIN (first, entry->program);
      if (entry->role == TSR_VARIABLE_DESTINATION)
        writer = MIN (writer, entry->program);
    }
  found = g_new (guint32, 1);
  *found = writer != TSR_NO_INDEX ? writer : first;
  return found;
}

static void
on_touching (gpointer owner, gpointer result, const GError *error)
{
  g_autofree guint32 *found = result;

  if (found != NULL && *found != TSR_NO_INDEX)
    tsr_program_page_set_program (owner, *found);
  else
    tsr_notice_show (owner,
                     found == NULL ? error->message : _ ("No program touches this variable"));
}

/* FALSE while the variables are still to come. */
static gboolean
seek_touching (TsrProgramPage *self, const char *name)
{
  TsrReport *report = tsr_programs_get_report (self->programs);
  Touching *job;

  if (tsr_report_get_liveness_tables (report) == NULL)
    {
      tsr_session_want (get_session (self), TSR_STAGE_LIVENESS);
      if (tsr_session_is_stage_pending (get_session (self), TSR_STAGE_LIVENESS))
        return FALSE;
      tsr_notice_show (GTK_WIDGET (self), _ ("No program touches this variable"));
      return TRUE;
    }
  job = g_new (Touching, 1);
  *job = (Touching){ tsr_programs_ref (self->programs), g_object_ref (report), g_strdup (name) };
  tsr_latest_run (self->touching, find_touching, job, touching_free, on_touching);
  return TRUE;
}

static void
apply_words (TsrProgramPage *self)
{
  g_autoptr (GHashTable) words = g_steal_pointer (&self->words);
  const char *set = words != NULL ? tsr_view_words_get (words, "compute-set") : NULL;
  const char *variable = words != NULL ? tsr_view_words_get (words, "touching") : NULL;
  guint32 program = set != NULL ? tsr_programs_find_of_set (self->programs, set) : TSR_NO_INDEX;

  if (variable != NULL && !seek_touching (self, variable))
    self->words = g_steal_pointer (&words);
  if (program != TSR_NO_INDEX)
    tsr_program_page_set_program (self, program);
  else if (set != NULL)
    tsr_notice_show (GTK_WIDGET (self), _ ("No program executes this compute set"));
}

static void
tsr_program_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);
  gboolean whole = tsr_view_state_is_whole (tsr_page_get_view_state (page), words);

  g_clear_pointer (&self->words, g_hash_table_unref);
  tsr_row_view_load_sort (self->tree_view, words, whole);
  tsr_row_view_load_filter (tsr_tabs_get_shown (TSR_TABS (self->tabs))->view, words);
  self->words = g_hash_table_ref (words);
  /* Words that say all say whose tree it is, too. */
  self->go_to_selected = TRUE;
  self->seek = !whole;
  if (self->programs != NULL)
    apply_words (self);
  if (*get_text (self, TSR_PROGRAM_OPTION_PROGRAM) != '\0')
    tell_selected (self);
  ask_soon (self);
}

/* ------------------------------------------------------------------ icicle */

/* The widest of what is selected, where it is not that by which it was selected. */
static void
mark_in_icicle (TsrProgramPage *self)
{
  TsrProgramIcicle *icicle = tsr_icicle_view_get_icicle (self->icicle);
  guint32 program = find_option (self, TSR_PROGRAM_OPTION_PROGRAM);
  guint32 cell = tsr_plane_get_cursor (TSR_PLANE (self->icicle));

  if (icicle == NULL
      || (cell != TSR_NO_DATUM && tsr_program_icicle_get_program (icicle, cell) == program))
    return;
  tsr_icicle_view_show_cell (self->icicle, program != TSR_NO_INDEX
                                               ? tsr_program_icicle_find (icicle, program)
                                               : TSR_NO_DATUM);
}

/* The chosen width, else the first one that the report tells. */
static TsrIcicleWidth
find_width (TsrProgramPage *self, TsrProgramIcicle *icicle)
{
  TsrIcicleWidth chosen = get_option (self, TSR_PROGRAM_OPTION_WIDTH);

  /* The code may still be on its way. */
  if (chosen == TSR_ICICLE_CODE || tsr_program_icicle_has_width (icicle, chosen))
    return chosen;
  for (guint i = 0; i < TSR_N_ICICLE_WIDTHS; i++)
    if (tsr_program_icicle_has_width (icicle, i))
      return i;
  return chosen;
}

static TsrProgramIcicle *
make_icicle (TsrProgramPage *self)
{
  TsrReport *report = tsr_session_get_report (get_session (self));
  gboolean slow = report != NULL && tsr_report_is_on_demand (report);
  gboolean wanted = !slow || get_option (self, TSR_PROGRAM_OPTION_WIDTH) == TSR_ICICLE_CODE;
  TsrProgramCode *code = wanted ? tsr_session_get_program_code (get_session (self)) : NULL;
  g_autoptr (TsrProgramIcicle) icicle = NULL;

  if (self->icicle_programs == self->programs && self->icicle_code == code)
    return tsr_icicle_view_get_icicle (self->icicle);
  self->icicle_programs = self->programs;
  self->icicle_code = code;
  icicle = tsr_program_icicle_new (self->programs, code);
  tsr_icicle_view_set_icicle (self->icicle, icicle);
  return icicle;
}

/* Is made when it is looked at. */
static void
update_icicle (TsrProgramPage *self)
{
  static const char *const titles[N_FORMS] = { N_ ("Tree"), N_ ("Costliest"), N_ ("Icicle") };
  gboolean shown = is_icicle (self);
  TsrProgramIcicle *icicle;

  gtk_menu_button_set_label (self->form_button,
                             _ (titles[get_option (self, TSR_PROGRAM_OPTION_LIST)]));
  gtk_widget_set_visible (self->icicle_box, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->tree_view), !shown);
  gtk_widget_set_visible (GTK_WIDGET (self->view_button), !shown);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "programs.save-icicle", shown);
  if (!shown || self->programs == NULL)
    {
      tsr_icicle_view_set_icicle (self->icicle, NULL);
      self->icicle_programs = NULL;
      return;
    }
  icicle = make_icicle (self);
  tsr_program_icicle_set_units (icicle, tsr_session_get_units (get_session (self)));
  tsr_program_icicle_set_root (icicle, find_step (self),
                               find_option (self, TSR_PROGRAM_OPTION_ROOT));
  tsr_program_icicle_set_width (icicle, find_width (self, icicle));
  self->setting = TRUE;
  gtk_drop_down_set_selected (self->width_chooser, find_width (self, icicle));
  self->setting = FALSE;
  tsr_program_icicle_set_marks (icicle, tsr_program_alike_peek (self->alike, NULL));
  mark_in_icicle (self);
}

static void
on_width (TsrProgramPage *self)
{
  if (self->setting)
    return;
  tsr_page_set_option (TSR_PAGE (self), TSR_PROGRAM_OPTION_WIDTH,
                       gtk_drop_down_get_selected (self->width_chooser));
  update_icicle (self);
}

static void
on_cell_selected (TsrIcicleView *view, guint cell, TsrProgramPage *self)
{
  TsrProgramIcicle *icicle = tsr_icicle_view_get_icicle (view);
  g_autofree char *id = NULL;

  if (icicle == NULL || cell == TSR_NO_DATUM)
    return;
  id = dup_id (self, tsr_program_icicle_get_program (icicle, cell));
  self->edge = TSR_NO_INDEX;
  self->go_to_selected = TRUE;
  self->setting = TRUE;
  set_text (self, TSR_PROGRAM_OPTION_PROGRAM, id);
  self->setting = FALSE;
  show_selected (self);
}

static void
zoom_icicle_back (TsrProgramPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->icicle), "chart.zoom-back", NULL);
}

static void
add_icicle (TsrProgramPage *self)
{
  static const char *const widths[]
      = { N_ ("Cycles"), N_ ("Code on the worst tile"), N_ ("Live bytes"), NULL };
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *back = gtk_button_new_from_icon_name ("go-up-symbolic");

  G_STATIC_ASSERT (G_N_ELEMENTS (widths) == TSR_N_ICICLE_WIDTHS + 1);
  self->icicle_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (bar, "toolbar");
  self->width_chooser = tsr_drop_down_new (widths, _ ("What the cells are as wide as"));
  gtk_widget_set_tooltip_text (back, _ ("Zoom back to what is above (Backspace)"));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->width_chooser));
  gtk_box_append (GTK_BOX (bar), back);
  gtk_box_append (GTK_BOX (self->icicle_box), bar);
  self->icicle = tsr_icicle_view_new ();
  gtk_widget_set_vexpand (GTK_WIDGET (self->icicle), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->icicle), TRUE);
  gtk_box_append (GTK_BOX (self->icicle_box), GTK_WIDGET (self->icicle));
  gtk_box_append (self->tree_box, self->icicle_box);
  gtk_widget_set_visible (self->icicle_box, FALSE);
  tsr_plane_set_menu (TSR_PLANE (self->icicle), self->menu);
  g_signal_connect_object (back, "clicked", G_CALLBACK (zoom_icicle_back), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->width_chooser, "notify::selected", G_CALLBACK (on_width), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self->icicle, "select", G_CALLBACK (on_cell_selected), self);
}

/* ----------------------------------------------------------------- answers */

static void
on_tree_answered (gpointer owner)
{
  TsrProgramPage *self = owner;
  const TsrTableAnswer *answer = tsr_table_asker_get_answer (self->tree);

  tsr_program_search_set_rows (self->search, answer != NULL ? answer->rows : NULL,
                               answer != NULL ? answer->places : NULL);
  fill_columns (self);
  unfold_at_first (self); /* before the rows are shown: it would make others */
  seek_selected (self);
}

static void
on_tree_arranged (TsrProgramPage *self)
{
  if (self->tree == NULL)
    return;
  show_selected (self);
  update_place_actions (self);
}

/* As wide as the names ask, unless the user has moved the handle. */
static gboolean
fit_roots (gpointer data)
{
  TsrProgramPage *self = data;
  const int room = gtk_widget_get_width (GTK_WIDGET (self->roots_paned));
  const int wanted = tsr_row_view_get_wanted_width (self->roots_view);

  g_clear_handle_id (&self->fit_idle, g_source_remove);
  if (wanted > 0 && gtk_paned_get_position (self->roots_paned) == self->roots_width)
    {
      self->roots_width = CLAMP (wanted, ROOTS, MAX ((int)(room * MOST_ROOTS), ROOTS));
      gtk_paned_set_position (self->roots_paned, self->roots_width);
    }
  return G_SOURCE_REMOVE;
}

/* Not while the page is given its place. */
static void
on_room (TsrProgramPage *self)
{
  if (self->fit_idle == 0)
    self->fit_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_roots, self, NULL);
}

static void
on_roots_answered (gpointer owner)
{
}

static void
on_roots_arranged (TsrProgramPage *self)
{
  if (self->roots != NULL)
    show_root (self);
  fit_roots (self);
}

static void
on_programs_changed (TsrProgramPage *self)
{
  TsrPrograms *programs = tsr_session_get_programs (get_session (self));

  if (programs == self->programs)
    return;
  g_clear_pointer (&self->programs, tsr_programs_unref);
  if (programs != NULL)
    {
      self->programs = tsr_programs_ref (programs);
      apply_words (self);
      fill_steps (self);
      fill_kinds (self);
      show_checks (self);
    }
  self->edge = TSR_NO_INDEX;
  update_icicle (self);
  show_program (self);
  fill_layers (self);
  ask_soon (self);
  tsr_page_update_subject (TSR_PAGE (self));
}

static void
on_code_changed (TsrProgramPage *self)
{
  update_icicle (self);
  ask_soon (self);
}

static void
on_units_changed (TsrProgramPage *self)
{
  tsr_table_asker_show (self->roots);
  tsr_table_asker_show (self->tree);
  update_icicle (self);
  show_program (self);
}

static void
on_options_changed (TsrPage *page, guint64 changed)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);

  if ((changed & BIT (STEP)) != 0 && self->programs != NULL)
    fill_steps (self);
  if ((changed & (BIT (HIDDEN) | BIT (COLUMNS))) != 0)
    show_checks (self);
  if ((changed & BIT (ROOT)) != 0)
    show_root (self);
  if ((changed & (BIT (SEARCH) | BIT (MATCHING))) != 0)
    show_matching (self);
  if ((changed & ASKED) != 0)
    {
      /* What was looked at stays in view. */
      if ((changed & (BIT (LIST) | BIT (HIDDEN) | BIT (GROUPED) | BIT (ROOT))) != 0)
        self->go_to_selected = TRUE;
      ask_soon (self);
      update_scope (self);
    }
  if ((changed & (BIT (LIST) | BIT (WIDTH) | BIT (STEP) | BIT (ROOT))) != 0)
    update_icicle (self);
  if ((changed & BIT (LAYER)) != 0)
    ask_alike (self);
  if ((changed & BIT (PROGRAM)) != 0)
    {
      mark_in_icicle (self);
      if (!self->setting)
        {
          self->edge = TSR_NO_INDEX;
          self->go_to_selected = self->seek = TRUE;
          ask_soon (self);
        }
      show_program (self);
      tell_selected (self);
    }
}

/* ----------------------------------------------------------------- actions */

typedef void (*Link) (GtkWidget *widget,
                      TsrSession *session,
                      TsrPrograms *programs,
                      guint32 program);

static void
follow (TsrProgramPage *self, Link link)
{
  guint32 program = tsr_program_page_get_program (self);

  if (program != TSR_NO_INDEX)
    link (GTK_WIDGET (self), get_session (self), self->programs, program);
}

static void
show_in_trace (TsrProgramPage *self)
{
  follow (self, tsr_program_links_show_in_trace);
}

static void
show_in_liveness (TsrProgramPage *self)
{
  follow (self, tsr_program_links_show_in_liveness);
}

static void
show_in_memory (TsrProgramPage *self)
{
  follow (self, tsr_program_links_show_in_memory);
}

static void
show_in_operations (TsrProgramPage *self)
{
  if (tsr_program_page_get_program (self) != TSR_NO_INDEX)
    tsr_page_go_to_program (TSR_PAGE (self), TSR_VIEW_OPERATIONS,
                            tsr_program_page_get_program (self));
}

static void
show_form (TsrProgramPage *self, const char *nick)
{
  g_object_set (self, "list", nick, NULL);
}

static void
focus_search (TsrProgramPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
run_in_tree (TsrProgramPage *self, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (self->tree_view), action, NULL);
}

static void
run_in_tabs (TsrProgramPage *self, const char *action)
{
  tsr_tabs_run (TSR_TABS (self->tabs), action);
}

static void
save_icicle (TsrProgramPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->icicle), "chart.export-image", NULL);
}

static void
show_alone (TsrProgramPage *self)
{
  tsr_page_set_option (TSR_PAGE (self), TSR_PROGRAM_OPTION_LIST, FORM_TREE);
  set_text (self, TSR_PROGRAM_OPTION_ROOT, get_text (self, TSR_PROGRAM_OPTION_PROGRAM));
}

static void
show_all (TsrProgramPage *self)
{
  set_text (self, TSR_PROGRAM_OPTION_ROOT, NULL);
}

static void
copy_name (TsrProgramPage *self)
{
  guint32 program = tsr_program_page_get_program (self);

  if (program != TSR_NO_INDEX)
    tsr_page_copy_name (TSR_PAGE (self), tsr_programs_get_label (self->programs, program));
}

static const TsrPageAction actions[] = {
  { "programs.show-in-trace", "", G_CALLBACK (show_in_trace),
    .menu = N_ ("Show in Execution Trace") },
  { "programs.show-in-liveness", "", G_CALLBACK (show_in_liveness),
    .menu = N_ ("Show in Liveness") },
  { "programs.show-in-memory", "", G_CALLBACK (show_in_memory), .menu = N_ ("Show in Memory") },
  { "programs.show-in-operations", "", G_CALLBACK (show_in_operations),
    .menu = N_ ("Show in Operations") },
  { "programs.alone", "", G_CALLBACK (show_alone), .menu = N_ ("Show its tree alone") },
  { "programs.all", "", G_CALLBACK (show_all), .menu = N_ ("Show all programs and functions") },
  { "programs.expand-here", "", G_CALLBACK (expand_here), .menu = N_ ("Expand it here, too") },
  { "programs.go-to-first", "", G_CALLBACK (go_to_first),
    .menu = N_ ("Go to where it is expanded") },
  { "programs.expand-all", "", G_CALLBACK (run_in_tree), "rows.expand-all",
    .menu = N_ ("Expand all") },
  { "programs.collapse-all", "", G_CALLBACK (run_in_tree), "rows.collapse-all",
    .menu = N_ ("Collapse all") },
  { "programs.copy-name", "", G_CALLBACK (copy_name), .menu = N_ ("Copy its name") },
  { "programs.search", "slash <Shift>slash <Control>f", G_CALLBACK (focus_search) },
  { "programs.next-match", "n", G_CALLBACK (next_match) },
  { "programs.previous-match", "p", G_CALLBACK (previous_match) },
  { "programs.next-alike", "period", G_CALLBACK (next_alike) },
  { "programs.previous-alike", "comma", G_CALLBACK (previous_alike) },
  { "programs.show-tree", "<Control>1", G_CALLBACK (show_form), "tree" },
  { "programs.show-costliest", "<Control>2", G_CALLBACK (show_form), "costliest" },
  { "programs.show-icicle", "<Control>3", G_CALLBACK (show_form), "icicle" },
  { "programs.next-tab", "<Control>Page_Down", G_CALLBACK (run_in_tabs), "next", .is_first = TRUE },
  { "programs.previous-tab", "<Control>Page_Up", G_CALLBACK (run_in_tabs), "previous",
    .is_first = TRUE },
  { "programs.save-tree", "", G_CALLBACK (run_in_tree), "rows.save" },
  { "programs.copy-tree", "", G_CALLBACK (run_in_tree), "rows.copy-all" },
  { "programs.save-icicle", "", G_CALLBACK (save_icicle) },
  { "programs.save-table", "", G_CALLBACK (run_in_tabs), "rows.save" },
  { "programs.copy-table", "", G_CALLBACK (run_in_tabs), "rows.copy-all" },
};

/* -------------------------------------------------------------------- page */

static void
tsr_program_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);

  TSR_PAGE_CLASS (tsr_program_page_parent_class)->set_session (page, session);
  tsr_split_keep_state (self->split, session, "programs");
  self->roots = tsr_table_asker_new (self->roots_view, session, on_roots_answered, self);
  self->tree = tsr_table_asker_new (self->tree_view, session, on_tree_answered, self);
  self->alike = tsr_program_alike_new (on_alike, self);
  tsr_page_restore_options (page, session);
  tsr_program_tabs_set_session (self->tabs, session);
  tsr_tabs_bind (TSR_TABS (self->tabs), tsr_page_get_view_state (page), TSR_PROGRAM_OPTION_TAB);
  tsr_view_state_bind (tsr_page_get_view_state (page), TSR_PROGRAM_OPTION_SEARCH,
                       tsr_match_bar_get_entry (TSR_MATCH_BAR (self->search)), "text");
  g_signal_connect_object (session, "notify::programs", G_CALLBACK (on_programs_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::program-code", G_CALLBACK (on_code_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  show_matching (self);
  show_checks (self);
  on_programs_changed (self);
}

static void
tsr_program_page_focus_start (TsrPage *page)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);

  if (is_icicle (self))
    gtk_widget_grab_focus (GTK_WIDGET (self->icicle));
  else if (!gtk_widget_grab_focus (GTK_WIDGET (tsr_row_view_get_column_view (self->tree_view))))
    gtk_widget_child_focus (GTK_WIDGET (self->tree_view), GTK_DIR_TAB_FORWARD);
}

static char *
tsr_program_page_dup_text (TsrPage *page)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (page);
  TsrRowView *view = tsr_tabs_get_shown (TSR_TABS (self->tabs))->view;
  g_autofree char *tree = tsr_row_view_dup_csv (self->tree_view);
  g_autofree char *table = view != NULL ? tsr_row_view_dup_csv (view) : NULL;

  return tsr_page_join_text (page, tree, table);
}

/* ------------------------------------------------------------------ object */

static void
tsr_program_page_dispose (GObject *object)
{
  TsrProgramPage *self = TSR_PROGRAM_PAGE (object);

  g_clear_handle_id (&self->ask_idle, g_source_remove);
  g_clear_handle_id (&self->fit_idle, g_source_remove);
  if (self->tabs != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->roots_paned, self);
      g_signal_handlers_disconnect_by_data (self->kinds, self);
      g_signal_handlers_disconnect_by_data (self->columns, self);
      g_signal_handlers_disconnect_by_data (self->search, self);
      g_signal_handlers_disconnect_by_data (self->tree_view, self);
      g_signal_handlers_disconnect_by_data (self->icicle, self);
      g_signal_handlers_disconnect_by_data (self->roots_view, self);
      tsr_row_view_set_ink_func (self->tree_view, NULL, NULL, NULL);
      tsr_row_view_set_mark_func (self->tree_view, NULL, NULL);
    }
  self->tabs = NULL;
  g_clear_pointer (&self->roots, tsr_table_asker_free);
  g_clear_pointer (&self->tree, tsr_table_asker_free);
  g_clear_pointer (&self->alike, tsr_program_alike_free);
  g_clear_pointer (&self->touching, tsr_latest_free);
  g_clear_pointer (&self->programs, tsr_programs_unref);
  g_clear_pointer (&self->opened, g_ptr_array_unref);
  g_clear_pointer (&self->unfolded, g_hash_table_unref);
  g_clear_pointer (&self->words, g_hash_table_unref);
  g_clear_object (&self->menu);
  G_OBJECT_CLASS (tsr_program_page_parent_class)->dispose (object);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrProgramPage, step_chooser), TSR_PAGE_CHILD (TsrProgramPage, all_button),
  TSR_PAGE_CHILD (TsrProgramPage, form_button),  TSR_PAGE_CHILD (TsrProgramPage, more_button),
  TSR_PAGE_CHILD (TsrProgramPage, show_menu),    TSR_PAGE_CHILD (TsrProgramPage, layer_button),
  TSR_PAGE_CHILD (TsrProgramPage, kinds),        TSR_PAGE_CHILD (TsrProgramPage, columns),
  TSR_PAGE_CHILD (TsrProgramPage, roots_box),    TSR_PAGE_CHILD (TsrProgramPage, tree_box),
  TSR_PAGE_CHILD (TsrProgramPage, search),       TSR_PAGE_CHILD (TsrProgramPage, split),
  TSR_PAGE_CHILD (TsrProgramPage, roots_paned),  TSR_PAGE_CHILD (TsrProgramPage, tabs),
  TSR_PAGE_CHILD (TsrProgramPage, view_button),  { NULL },
};

static void
tsr_program_page_class_init (TsrProgramPageClass *klass)
{
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_program_page_dispose;
  page_class->view = TSR_VIEW_PROGRAM_TREE;
  page_class->stage = TSR_STAGE_PROGRAMS;
  page_class->behind
      = 1u << TSR_STAGE_MEMORY | 1u << TSR_STAGE_LIVENESS | 1u << TSR_STAGE_EXECUTION;
  page_class->set_session = tsr_program_page_set_session;
  page_class->focus_start = tsr_program_page_focus_start;
  page_class->dup_text = tsr_program_page_dup_text;
  page_class->save_words = tsr_program_page_save_words;
  page_class->load_words = tsr_program_page_load_words;
  page_class->take_subject = tsr_program_page_take_subject;
  tsr_page_class_set_options (page_class, "programs", options, G_N_ELEMENTS (options),
                              on_options_changed);
  tsr_page_class_install_actions (page_class, actions, G_N_ELEMENTS (actions));
  g_type_ensure (TSR_TYPE_CHECK_LIST);
  g_type_ensure (TSR_TYPE_COMPACT);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_PROGRAM_SEARCH);
  g_type_ensure (TSR_TYPE_PROGRAM_TABS);
  g_type_ensure (TSR_TYPE_SPLIT);
  tsr_page_class_set_template (page_class, "tsr-program-page.ui", children);
}

static TsrRowView *
add_view (TsrProgramPage *self, GtkBox *box, const char *name)
{
  TsrRowView *view = tsr_row_view_new ();

  tsr_row_view_set_multiple (view, FALSE);
  tsr_row_view_set_file_name (view, name);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_box_append (box, GTK_WIDGET (view));
  return view;
}

static void
connect_parts (TsrProgramPage *self)
{
  g_signal_connect_swapped (self->tree_view, "selection-changed", G_CALLBACK (on_row_selected),
                            self);
  g_signal_connect (self->tree_view, "activate-row", G_CALLBACK (on_activate_row), self);
  g_signal_connect_swapped (self->tree_view, "arranged", G_CALLBACK (on_tree_arranged), self);
  g_signal_connect_swapped (self->roots_view, "selection-changed", G_CALLBACK (on_root_selected),
                            self);
  g_signal_connect_swapped (self->roots_view, "arranged", G_CALLBACK (on_roots_arranged), self);
  g_signal_connect_object (self->all_button, "notify::active", G_CALLBACK (on_all), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->step_chooser, "notify::selected", G_CALLBACK (on_step), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self->kinds, "toggled", G_CALLBACK (on_kind), self);
  g_signal_connect (self->columns, "toggled", G_CALLBACK (on_column), self);
  g_signal_connect_swapped (self->search, "next", G_CALLBACK (next_match), self);
  g_signal_connect_swapped (self->search, "previous", G_CALLBACK (previous_match), self);
  g_signal_connect_swapped (self->search, "left", G_CALLBACK (tsr_program_page_focus_start), self);
}

static void
tsr_program_page_init (TsrProgramPage *self)
{
  /* Groups of roots are unfolded at first. */
  const char *const groups[]
      = { tsr_root_kind_get_nick (TSR_ROOT_CONTROL), tsr_root_kind_get_nick (TSR_ROOT_FUNCTION),
          tsr_root_kind_get_nick (TSR_ROOT_OTHER), NULL };

  self->subject_program = TSR_NO_INDEX;
  self->edge = TSR_NO_INDEX;
  self->touching = tsr_latest_new (self, g_free);
  self->opened = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->opened, NULL);
  self->unfolded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->roots_view = add_view (self, self->roots_box, "programs-roots");
  tsr_row_view_set_keys (self->roots_view, groups);
  self->tree_view = add_view (self, self->tree_box, "programs-tree");
  tsr_row_view_set_ink_func (self->tree_view, get_tree_ink, self, NULL);
  tsr_drop_down_set_shrinking (self->step_chooser, 4, 24);
  self->menu = tsr_page_new_menu (TSR_PAGE (self));
  tsr_row_view_set_menu (self->tree_view, self->menu);
  add_icicle (self);
  tsr_split_add_forwarding (self->split, GTK_WIDGET (self));
  gtk_paned_set_position (self->roots_paned, self->roots_width = ROOTS);
  g_signal_connect_swapped (self->roots_paned, "notify::max-position", G_CALLBACK (on_room), self);
  connect_parts (self);
}

TsrRowView *
tsr_program_page_get_tree (TsrProgramPage *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_PAGE (self), NULL);
  return self->tree_view;
}

TsrIcicleView *
tsr_program_page_get_icicle (TsrProgramPage *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_PAGE (self), NULL);
  return self->icicle;
}

TsrRowView *
tsr_program_page_get_roots (TsrProgramPage *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_PAGE (self), NULL);
  return self->roots_view;
}

gboolean
tsr_program_page_is_busy (TsrProgramPage *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_PAGE (self), FALSE);
  return self->ask_idle != 0 || self->tree == NULL || tsr_table_asker_is_busy (self->tree)
         || tsr_table_asker_is_busy (self->roots) || tsr_program_search_is_busy (self->search)
         || tsr_program_tabs_is_busy (self->tabs) || tsr_program_alike_is_busy (self->alike)
         || tsr_latest_is_running (self->touching);
}
