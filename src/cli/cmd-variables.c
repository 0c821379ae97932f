/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli variables: every allocation, printed while reading so that they are never all in
 * memory; or the variables of the program. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-category.h"
#include "tsr-programs.h"
#include "tsr-report-read.h"
#include "tsr-rows.h"
#include "tsr-variables.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are looked at, once --limit is reached, to say how many more there are. */
#define LOOKED_AT_BEYOND 100000

/* One line of the list. */
typedef struct
{
  const char *name;
  gint64 bytes;
  int always_live; /* 0, 1; 255 not told */
  const char *category;
  gint64 tile, offset;   /* TSR_UNKNOWN */
  const char *lifetimes; /* as JSON; NULL: not told */
  guint roles;           /* bits, of a program's */
} Line;

typedef struct
{
  TsrCli *cli;
  TsrReport *report;
  TsrFilter *filter; /* (nullable) */
  guint tile;        /* TSR_NO_INDEX: all */
  gint64 left;       /* lines that --limit still allows */
  guint64 n_more;    /* lines that it did not */
  guint64 n_beyond;  /* rows looked at for them */
  gboolean stopped;  /* there are more rows than were looked at */
  TsrJsonWriter *writer;
  GString *row;   /* of CSV */
  gboolean begun; /* the line of titles was printed */

  const char *touched_by; /* (nullable): id of a program */
  guint8 *roles;          /* (nullable) by variable: of one program; those without are left out */

  /* Of the lowered ones. */
  const TsrCategoryRows *categories;
  char **class_lifetimes; /* [class] */
  guint n_classes;
  char *all_steps;      /* lifetimes of what is always live */
  guint8 *name_matches; /* [string]: 0 not asked yet, 1 yes, 2 no */
  guint32 n_names;
} Listing;

static void
listing_clear (Listing *listing)
{
  for (guint i = 0; i < listing->n_classes; i++)
    g_free (listing->class_lifetimes[i]);
  g_free (listing->class_lifetimes);
  g_free (listing->all_steps);
  g_free (listing->roles);
  g_free (listing->name_matches);
  g_clear_pointer (&listing->filter, tsr_filter_unref);
  g_clear_pointer (&listing->writer, tsr_json_writer_free);
  if (listing->row != NULL)
    g_string_free (listing->row, TRUE);
}

/* ------------------------------------------------------------------- output */

/* (transfer full): '["source", "destination"]'. */
static char *
dup_roles (guint roles)
{
  static const char *const names[TSR_N_VARIABLE_ROLES] = { "used", "source", "destination" };
  GString *text = g_string_new ("[");

  for (guint role = 0; role < TSR_N_VARIABLE_ROLES; role++)
    if ((roles >> role & 1) != 0)
      g_string_append_printf (text, "%s\"%s\"", text->len > 1 ? ", " : "", names[role]);
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

static void
write_json (Listing *listing, const Line *line)
{
  TsrJsonWriter *writer = listing->writer;

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_string (writer, "name", line->name);
  tsr_json_writer_int (writer, "bytes", line->bytes);
  if (line->always_live == 255)
    tsr_json_writer_null (writer, "alwaysLive");
  else
    tsr_json_writer_boolean (writer, "alwaysLive", line->always_live == 1);
  tsr_json_writer_string (writer, "category", line->category);
  tsr_json_writer_int (writer, "tile", line->tile);
  tsr_json_writer_int (writer, "offset", line->offset);
  tsr_json_writer_raw (writer, "lifetimes", line->lifetimes != NULL ? line->lifetimes : "null");
  if (listing->roles != NULL)
    {
      g_autofree char *roles = dup_roles (line->roles);

      tsr_json_writer_raw (writer, "roles", roles);
    }
  tsr_json_writer_end_object (writer);
}

/* Digits of @number in @room; NULL when it is not told. */
static const char *
format_number (gint64 number, char room[24])
{
  if (number == TSR_UNKNOWN)
    return NULL;
  g_snprintf (room, 24, "%" PRId64, number);
  return room;
}

static void
write_row (Listing *listing, const char *const *fields, guint n)
{
  g_string_truncate (listing->row, 0);
  tsr_csv_append_row (listing->row, n, fields);
  fwrite (listing->row->str, 1, listing->row->len, stdout);
}

static void
write_csv (Listing *listing, const Line *line)
{
  g_autofree char *roles = dup_roles (line->roles);
  char numbers[3][24];
  const char *const fields[] = {
    line->name,
    format_number (line->bytes, numbers[0]),
    line->always_live == 255 ? NULL
    : line->always_live == 1 ? "true"
                             : "false",
    line->category,
    format_number (line->tile, numbers[1]),
    format_number (line->offset, numbers[2]),
    line->lifetimes,
    roles,
  };

  write_row (listing, fields, G_N_ELEMENTS (fields) - (listing->roles == NULL));
}

static void
print_padded (const char *text, int width, gboolean right)
{
  int space = MAX (width - (int)g_utf8_strlen (text, -1), 0);

  if (right)
    printf ("%*s%s  ", space, "", text);
  else
    printf ("%s%*s  ", text, space, "");
}

static void
print_number (gint64 number, int width)
{
  g_autofree char *text
      = number == TSR_UNKNOWN ? g_strdup ("–") : g_strdup_printf ("%" PRId64, number);

  print_padded (text, width, TRUE);
}

/* For people in columns of fixed widths: the longest name is known only at the end. */
static void
print_line (Listing *listing, const Line *line)
{
  g_autofree char *bytes = NULL;
  g_autofree char *live = NULL;
  g_autofree char *name = NULL;

  if (!listing->begun)
    {
      print_padded (_ ("Tile"), 6, TRUE);
      print_padded (_ ("Offset"), 8, TRUE);
      print_padded (_ ("Bytes"), 10, TRUE);
      print_padded (_ ("Live"), 18, FALSE);
      print_padded (_ ("Category"), 28, FALSE);
      if (listing->roles != NULL)
        print_padded (_ ("Role"), 22, FALSE);
      printf ("%s\n", _ ("Name"));
      listing->begun = TRUE;
    }
  if (line == NULL)
    return;
  bytes = tsr_units_dup_bytes (listing->cli->units, line->bytes);
  name = tsr_print_dup_clean (line->name != NULL ? line->name : "–");
  /* "[[3, 9], [12, 14]]" without the outer brackets. */
  if (line->always_live == 1)
    live = g_strdup (_ ("always"));
  else if (line->lifetimes != NULL && strlen (line->lifetimes) > 2)
    live = g_strndup (line->lifetimes + 1, strlen (line->lifetimes) - 2);
  print_number (line->tile, 6);
  print_number (line->offset, 8);
  print_padded (bytes, 10, TRUE);
  print_padded (live != NULL ? live : "–", 18, FALSE);
  print_padded (line->category != NULL ? tsr_category_get_label (line->category) : "–", 28, FALSE);
  if (listing->roles != NULL)
    {
      g_autoptr (GString) roles = g_string_new (NULL);

      for (guint role = 0; role < TSR_N_VARIABLE_ROLES; role++)
        if ((line->roles >> role & 1) != 0)
          g_string_append_printf (roles, "%s%s", roles->len > 0 ? ", " : "",
                                  tsr_variable_role_get_name (role));
      print_padded (roles->str, 22, FALSE);
    }
  printf ("%s\n", name);
}

static void
add_line (Listing *listing, const Line *line)
{
  if (listing->left == 0)
    {
      listing->n_more++;
      return;
    }
  listing->left--;
  if (listing->writer != NULL)
    write_json (listing, line);
  else if (listing->row != NULL)
    write_csv (listing, line);
  else
    print_line (listing, line);
}

static void
begin (Listing *listing)
{
  static const char *const keys[]
      = { "name", "bytes", "alwaysLive", "category", "tile", "offset", "lifetimes", "roles" };

  if (listing->cli->format == TSR_FORMAT_JSON)
    {
      listing->writer = tsr_cli_begin_json ();
      tsr_json_writer_begin_array (listing->writer, NULL);
      return;
    }
  if (listing->cli->format != TSR_FORMAT_CSV)
    return;
  listing->row = g_string_new (NULL);
  write_row (listing, keys, G_N_ELEMENTS (keys) - (listing->roles == NULL));
}

/* @complete: nothing went wrong on the way. */
static void
end (Listing *listing, gboolean complete)
{
  if (listing->writer != NULL)
    {
      if (complete)
        tsr_json_writer_end_array (listing->writer);
      tsr_cli_end_json (listing->cli, listing->writer, !complete);
      return;
    }
  if (listing->row == NULL)
    {
      g_autofree char *more = tsr_units_dup_count ((gint64)listing->n_more);

      print_line (listing, NULL);
      if (listing->stopped && listing->n_more > 0)
        printf (_ ("At least %s more are not listed\n"), more);
      else if (listing->stopped)
        printf ("%s\n", _ ("There may be more: the rest was not searched"));
      else if (listing->n_more > 0)
        printf (ngettext ("%s more is not listed\n", "%s more are not listed\n",
                          (gulong)listing->n_more),
                more);
    }
  tsr_cli_flush (listing->cli);
}

/* --------------------------------------------------------------- allocations */

static char *
dup_intervals (guint n, const guint32 *from, const guint32 *to)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s[%u, %u]", i > 0 ? ", " : "", from[i], to[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* Lifetimes of a class as text: made once, written for each of its allocations. */
static const char *
get_class_lifetimes (Listing *listing, const TsrLoweredTables *batch, guint32 class_index)
{
  gsize first;

  if (class_index >= batch->n_classes)
    return NULL;
  if (listing->class_lifetimes == NULL)
    {
      listing->n_classes = batch->n_classes;
      listing->class_lifetimes = g_new0 (char *, batch->n_classes);
    }
  first = batch->interval_start[class_index];
  if (listing->class_lifetimes[class_index] == NULL)
    listing->class_lifetimes[class_index]
        = dup_intervals (batch->interval_start[class_index + 1] - first,
                         batch->interval_from + first, batch->interval_to + first);
  return listing->class_lifetimes[class_index];
}

/* Each name is matched once. */
static gboolean
matches (Listing *listing, const TsrLoweredTables *batch, guint32 name)
{
  if (listing->filter == NULL)
    return TRUE;
  if (listing->name_matches == NULL)
    {
      listing->n_names = tsr_string_table_get_length (batch->strings);
      listing->name_matches = g_new0 (guint8, (gsize)listing->n_names + 1);
    }
  name = MIN (name, listing->n_names);
  if (listing->name_matches[name] == 0)
    listing->name_matches[name]
        = tsr_filter_match (listing->filter, tsr_string_table_get (batch->strings, name)) ? 1 : 2;
  return listing->name_matches[name] == 1;
}

static gint64
known (guint32 value)
{
  return value == TSR_LOWERED_UNKNOWN ? TSR_UNKNOWN : (gint64)value;
}

/* Text tells how many more there are, as far as it is cheap to say. */
static gboolean
looks_on (Listing *listing)
{
  if (listing->left > 0)
    return TRUE;
  if (listing->cli->format != TSR_FORMAT_TEXT)
    return FALSE;
  listing->stopped = listing->n_beyond++ >= LOOKED_AT_BEYOND;
  return !listing->stopped;
}

static gboolean
add_batch (const TsrLoweredTables *batch, gpointer data)
{
  Listing *listing = data;

  for (gsize row = 0; row < batch->n; row++)
    {
      guint16 category = batch->category[row];
      Line line = { 0 };

      if (!looks_on (listing))
        return FALSE;
      if ((listing->tile != TSR_NO_INDEX && batch->tile[row] != listing->tile)
          || !matches (listing, batch, batch->name[row]))
        continue;
      line.name = tsr_string_table_get (batch->strings, batch->name[row]);
      line.bytes = known (batch->size[row]);
      line.always_live = batch->always_live[row];
      line.category = category != TSR_NO_CATEGORY ? listing->categories->names[category] : NULL;
      line.tile = known (batch->tile[row]);
      line.offset = known (batch->offset[row]);
      line.lifetimes = line.always_live == 1
                           ? listing->all_steps
                           : get_class_lifetimes (listing, batch, batch->equivalence_class[row]);
      add_line (listing, &line);
    }
  return !ferror (stdout);
}

static void
list_lowered (Listing *listing)
{
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (listing->report);
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (listing->report);
  g_autoptr (GError) error = NULL;

  listing->categories = memory != NULL ? &memory->categories : NULL;
  if (liveness != NULL && liveness->n_steps > 0)
    listing->all_steps = dup_intervals (1, (guint32[]){ 0 }, &liveness->n_steps);
  begin (listing);
  if (!tsr_report_stream_lowered (listing->report, listing->tile, add_batch, listing,
                                  listing->cli->cancellable, &error))
    {
      tsr_cli_say ("%s", error->message);
      listing->cli->status = TSR_EXIT_ERRORS;
    }
  end (listing, error == NULL);
}

/* ----------------------------------------------------------------- variables */

typedef struct
{
  gint64 bytes;
  const char *name;
  guint variable;
} Ordered;

static int
compare_ordered (gconstpointer a, gconstpointer b)
{
  const Ordered *x = a;
  const Ordered *y = b;
  int order;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  order = strcmp (x->name, y->name);
  return order != 0 ? order : x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* When a variable is live, whatever its bytes. */
static char *
dup_lifetimes (TsrVariables *variables, guint variable)
{
  g_autoptr (GArray) lifetimes = tsr_variables_dup_lifetimes (variables, variable, NULL, 0);
  g_autofree guint32 *from = g_new (guint32, lifetimes->len + 1);
  g_autofree guint32 *to = g_new (guint32, lifetimes->len + 1);
  guint n = 0;

  if (lifetimes->len == 0)
    return NULL;
  for (guint i = 0; i < lifetimes->len; i++)
    {
      const TsrLifetime *lifetime = &g_array_index (lifetimes, TsrLifetime, i);

      if (n > 0 && to[n - 1] == lifetime->from)
        to[n - 1] = lifetime->to;
      else
        {
          from[n] = lifetime->from;
          to[n++] = lifetime->to;
        }
    }
  return dup_intervals (n, from, to);
}

static void
add_variable (Listing *listing, TsrVariables *variables, guint variable)
{
  TsrLife life = tsr_variables_get_life (variables, variable);
  g_autofree char *lifetimes = dup_lifetimes (variables, variable);
  Line line = {
    .name = tsr_variables_get_name (variables, variable),
    .bytes = tsr_variables_get_bytes (variables, variable),
    .always_live = life == TSR_LIFE_UNKNOWN ? 255 : life == TSR_LIFE_ALWAYS,
    .category = tsr_variables_get_category (variables, variable),
    .tile = TSR_UNKNOWN,
    .offset = TSR_UNKNOWN,
    .lifetimes = life == TSR_LIFE_UNKNOWN ? NULL : lifetimes,
    .roles = listing->roles != NULL ? listing->roles[variable] : 0,
  };

  add_line (listing, &line);
}

/* What the program and all below it touch; FALSE after saying what is wrong.  The first of the @n
 * variables are rows of the table. */
static gboolean
find_roles (Listing *listing, guint n)
{
  TsrCli *cli = listing->cli;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPrograms) programs = tsr_programs_new (listing->report, cli->cancellable, &error);
  g_autoptr (GArray) below = NULL;
  g_autoptr (GArray) touches = NULL;
  guint32 program = TSR_NO_INDEX;
  gint64 id;

  if (programs == NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return FALSE;
    }
  if (g_ascii_string_to_signed (listing->touched_by, 10, G_MININT64, G_MAXINT64, &id, NULL))
    program = tsr_programs_find (programs, id);
  if (program == TSR_NO_INDEX)
    {
      tsr_cli_fail (cli, _ ("%s: There is no program %s"), cli->path, listing->touched_by);
      return FALSE;
    }
  below = tsr_programs_find_below (programs, program);
  touches
      = tsr_report_read_program_variables (listing->report, (const guint32 *)(gpointer)below->data,
                                           below->len, cli->cancellable, &error);
  if (touches == NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return FALSE;
    }
  listing->roles = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < touches->len; i++)
    {
      const TsrProgramVariable *touch = &g_array_index (touches, TsrProgramVariable, i);

      if (touch->variable < n)
        listing->roles[touch->variable] |= 1u << touch->role;
    }
  return TRUE;
}

static void
list_variables (Listing *listing)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrVariables) variables
      = tsr_variables_new (listing->report, listing->cli->cancellable, &error);
  g_autofree Ordered *ordered = NULL;
  guint n;

  if (variables == NULL)
    {
      tsr_cli_fail (listing->cli, "%s: %s", listing->cli->path, error->message);
      return;
    }
  n = tsr_variables_get_n (variables);
  ordered = g_new (Ordered, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    ordered[i] = (Ordered){ tsr_variables_get_bytes (variables, i),
                            tsr_variables_get_name (variables, i), i };
  qsort (ordered, n, sizeof *ordered, compare_ordered);
  if (listing->touched_by != NULL && !find_roles (listing, n))
    return;
  begin (listing);
  for (guint i = 0; i < n; i++)
    if ((listing->filter == NULL || tsr_filter_match (listing->filter, ordered[i].name))
        && (listing->roles == NULL || listing->roles[ordered[i].variable] != 0))
      add_variable (listing, variables, ordered[i].variable);
  end (listing, TRUE);
}

/* --------------------------------------------------------------------- run */

static gboolean
has_lowered (TsrReport *report)
{
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (report, NULL);

  return profile != NULL && tsr_profile_has_rows (profile, "vars_info");
}

static gboolean
check_tile (Listing *listing)
{
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (listing->report);
  guint n = memory != NULL ? memory->tiles.n_tiles : 0;

  if (listing->tile == TSR_NO_INDEX || n == 0 || listing->tile < n)
    return TRUE;
  tsr_cli_fail (listing->cli, _ ("There is no tile %" PRIu64 ": this report has tiles 0 to %u"),
                (guint64)listing->tile, n - 1);
  return FALSE;
}

static void
run (Listing *listing, gboolean unlowered)
{
  const TsrLoadFlags light = TSR_LOAD_NO_SCAN | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_LOWERED
                             | TSR_LOAD_NO_DEBUG
                             | (listing->touched_by == NULL ? TSR_LOAD_NO_PROGRAMS : 0);
  const TsrLivenessTables *tables;
  TsrCli *cli = listing->cli;
  gboolean lowered;

  listing->report = tsr_cli_open (cli, light);
  if (listing->report == NULL)
    return;
  if (!check_tile (listing))
    return;
  lowered = has_lowered (listing->report);
  tables = tsr_report_get_liveness_tables (listing->report);
  if (lowered && !unlowered)
    {
      list_lowered (listing);
      return;
    }
  if (listing->tile != TSR_NO_INDEX)
    {
      tsr_cli_fail (cli,
                    _ ("%s: the variables of single tiles are not recorded (vars_info; recorded "
                       "with the engine option autoReport.outputLoweredVars)"),
                    cli->path);
      return;
    }
  if (listing->touched_by == NULL && lowered && (tables == NULL || tables->n_variables == 0))
    {
      /* Only the allocations tell which variables there are. */
      g_object_unref (listing->report);
      listing->report = tsr_cli_open (cli, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_PROGRAMS
                                               | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG);
      if (listing->report == NULL)
        return;
    }
  list_variables (listing);
}

static gboolean
take_words (Listing *listing, const char *tile, const char *filter)
{
  TsrCli *cli = listing->cli;
  g_autoptr (GError) error = NULL;
  gint64 number;

  listing->tile = TSR_NO_INDEX;
  if (tile != NULL)
    {
      if (!g_ascii_string_to_signed (tile, 10, 0, TSR_MAX_TILES, &number, NULL))
        {
          tsr_cli_fail (cli, _ ("The tile must be a whole number from 0 on, not \"%s\""), tile);
          return FALSE;
        }
      listing->tile = number;
    }
  if (filter != NULL)
    {
      listing->filter = tsr_filter_new (filter, &error);
      if (listing->filter == NULL)
        {
          tsr_cli_fail (cli, "%s", error->message);
          return FALSE;
        }
    }
  return TRUE;
}

int
tsr_cli_run_variables (TsrCli *cli, int argc, char **argv)
{
  g_autofree char *tile = NULL;
  g_autofree char *filter = NULL;
  g_autofree char *touched_by = NULL;
  gboolean unlowered = FALSE;
  const GOptionEntry entries[]
      = { { "tile", 't', 0, G_OPTION_ARG_STRING, &tile, N_ ("only those on this tile"), N_ ("N") },
          { "filter", 0, 0, G_OPTION_ARG_STRING, &filter,
            N_ ("only those whose name has these words; -word: has not; /.../: a regular "
                "expression"),
            N_ ("TEXT") },
          { "unlowered", 0, 0, G_OPTION_ARG_NONE, &unlowered,
            N_ ("the variables of the program, largest first, instead of their parts on tiles"),
            NULL },
          { "touched-by", 0, 0, G_OPTION_ARG_STRING, &touched_by,
            N_ ("the variables that the program with this id and all below it touch, with their "
                "roles"),
            N_ ("ID") },
          { NULL } };
  Listing listing = { .cli = cli };

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS, argc, argv))
    return cli->status;
  listing.left = cli->limit;
  if (tile != NULL && (unlowered || touched_by != NULL))
    return tsr_cli_fail (cli,
                         _ ("The variables of the program are on no single tile: leave out "
                            "--tile, or %s"),
                         unlowered ? "--unlowered" : "--touched-by");
  listing.touched_by = touched_by;
  if (take_words (&listing, tile, filter))
    run (&listing, unlowered || touched_by != NULL);
  if (listing.report != NULL)
    tsr_cli_say_diagnostics (cli, listing.report);
  g_clear_object (&listing.report);
  listing_clear (&listing);
  return cli->status;
}
