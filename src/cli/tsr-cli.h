/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the commands of tessera-cli: options, opening a report, diagnostics and exit status,
 * output.  One thread. */

#pragma once

#include "tsr-location.h"
#include "tsr-report.h"
#include "tsr-rows-print.h"

G_BEGIN_DECLS

/* Exit status: docs/man/tessera-cli.1. */
enum
{
  TSR_EXIT_FINE,
  TSR_EXIT_ERRORS, /* opened, but with errors, or over a budget */
  TSR_EXIT_FAILED  /* not opened, lacks what the command needs, or wrong usage */
};

typedef struct _TsrCliStatus TsrCliStatus;

typedef struct _TsrCli TsrCli;

typedef struct
{
  const char *name;
  const char *synopsis; /* after the name, e.g. "REPORT"; NULL: takes no path */
  const char *summary;  /* translatable; one line for the list of commands */
  int (*run) (TsrCli *cli, int argc, char **argv);
} TsrCommand;

/* One run of one command.  Zeroed but for its command, then filled by tsr_cli_parse. */
struct _TsrCli
{
  const TsrCommand *command;
  TsrFormat format;
  TsrUnits units;
  gint64 limit;                /* most entries of the main list; G_MAXINT64 without --limit */
  char *table, *sort, *filter; /* (nullable): of TSR_CLI_TABLE */
  char *path;                  /* the one argument, absolute, or "ssh://..." as it is written */
  guint64 id;                  /* of TSR_CLI_ID */
  gboolean is_remote;
  gboolean batch;   /* never asks, and never uses the cache in place of the host */
  gboolean offline; /* what the cache has */
  char *jumps;      /* (nullable): of the command line */
  char *identity;   /* (nullable): key file, absolute */
  TsrRemote remote; /* of a remote path */
  TsrPlace *place;  /* (nullable): see tsr_cli_get_place */
  char *place_path;
  TsrCliStatus *status_line; /* (nullable) */
  GCancellable *cancellable; /* cancelled by the first SIGINT */
  int status;
};

int tsr_cli_run_summary (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_memory (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_insights (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_liveness (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_variables (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_vertices (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_programs (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_operations (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_trace (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_check (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_schema (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_render (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_debug (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_export (TsrCli *cli, int argc, char **argv);
int tsr_cli_run_cache (TsrCli *cli, int argc, char **argv);

/* Options that a command takes beside its own. */
typedef enum
{
  TSR_CLI_FORMAT = 1 << 0,
  TSR_CLI_LIMIT = 1 << 1,
  TSR_CLI_UNITS = 1 << 2,
  TSR_CLI_TABLE = 1 << 3, /* listed below the options */
  TSR_CLI_ID = 1 << 4,    /* a number behind the path */
  TSR_CLI_ORDER = 1 << 5, /* --sort and --filter also of what is printed without --table */
} TsrCliOptions;

/* In the flags of an option that says something to a table: without --table it is wrong. */
#define TSR_CLI_OF_TABLE (1 << 16)

/* Parses the words after the command: @entries (nullable, NULL-terminated) and @options, then one
 * path.  FALSE if the command line is wrong, after printing so and setting cli->status. */
gboolean tsr_cli_parse (
    TsrCli *cli, const GOptionEntry *entries, TsrCliOptions options, int argc, char **argv);

/* (transfer none) (nullable): the place that the path leads to, and @path (transfer none) in it.
 * Does not connect yet. */
TsrPlace *tsr_cli_get_place (TsrCli *cli, const char **path, GError **error);
/* Prints a message if the report is read from the cache because there is no connection.  FALSE,
 * with the status set, if that is not acceptable. */
gboolean tsr_cli_accept_offline (TsrCli *cli);
/* Limit of the cache of remote reports in bytes, from the window's preferences. */
guint64 tsr_cli_get_cache_limit (void);
void tsr_cli_clear (TsrCli *cli);

/* (transfer full) (nullable): the report, or NULL after printing why not. */
TsrReport *tsr_cli_open (TsrCli *cli, TsrLoadFlags flags);

/* One line on stderr: "tessera-cli: text"; _fail also sets the status to "failed". */
void tsr_cli_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
int tsr_cli_fail (TsrCli *cli, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same for a report without a part: the stage's error names the table and the engine option. */
int tsr_cli_fail_stage (TsrCli *cli, TsrReport *report, TsrStage stage);

/* Prints the report's diagnostics, one per line, and sets the status if there are errors. */
void tsr_cli_say_diagnostics (TsrCli *cli, TsrReport *report);
void tsr_cli_say_list (TsrCli *cli, TsrDiagnostics *diagnostics);
/* (transfer full): text of diagnostic @i, with the number of similar ones that are not listed. */
char *tsr_cli_dup_diagnostic_text (TsrDiagnostics *diagnostics, guint i);

/* A writer on stdout; _end closes what is open and checks that everything was written. */
TsrJsonWriter *tsr_cli_begin_json (void);
void tsr_cli_end_json (TsrCli *cli, TsrJsonWriter *writer, gboolean incomplete);
/* TRUE if everything could be written to stdout so far; else prints a message. */
gboolean tsr_cli_flush (TsrCli *cli);

/* Prints @rows (transfer full), the command's main list: as far as --limit goes, and says how many
 * more there are; as JSON into the array @key (nullable) of @writer, else @writer is NULL.  @like
 * (nullable): order, keys and members of the rows.  FALSE, with the status set, when interrupted.
 */
gboolean tsr_cli_list (
    TsrCli *cli, TsrJsonWriter *writer, const char *key, TsrRows *rows, const TsrPrint *like);
/* Another list, whole. */
void tsr_cli_list_part (TsrCli *cli, TsrJsonWriter *writer, const char *key, TsrRows *rows);
/* A command that prints a list and nothing else. */
void tsr_cli_print_list (TsrCli *cli, TsrRows *rows, const TsrPrint *like);

/* "Heading" and "  name  value" lines for people. */
void tsr_cli_print_heading (const char *heading);
void tsr_cli_print_field (const char *name, const char *value); /* NULL is a dash */

G_END_DECLS
