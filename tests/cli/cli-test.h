/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs tessera-cli and tessera-make-report as programs and reads back what they print. */

#pragma once

#include "tsr-test.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct
{
  int status; /* exit status; 128 + signal when killed */
  char *out, *err;
  JsonNode *json; /* of a run that printed JSON */
} CliRun;

void cli_run_clear (CliRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliRun, cli_run_clear)

/* Runs tessera-cli with @words (NULL ends them); @run->json stays NULL. */
void cli_run (CliRun *run, ...) G_GNUC_NULL_TERMINATED;
/* Likewise with --format=json, whose output must be one JSON value. */
void cli_run_json (CliRun *run, ...) G_GNUC_NULL_TERMINATED;

/* (transfer full): a new folder with the report @preset, made once per program and copied. */
char *cli_report_new (const char *preset);
/* (transfer full): only what is marked [confirmed] in docs/report.sql, from the report in @folder.
 */
char *cli_confirmed_new (const char *folder);
/* (transfer full): a new folder with only @name of @folder. */
char *cli_part_new (const char *folder, const char *name);

/* Member @path ("target.numIPUs") of an object; NULL where one is missing. */
JsonNode *cli_member (JsonNode *root, const char *path);
/* G_MININT64 for null. */
gint64 cli_int (JsonNode *root, const char *path);
/* Keys of the object @path (NULL: @root itself), joined by spaces, in order. (transfer full) */
char *cli_keys (JsonNode *root, const char *path);
void cli_check_keys (JsonNode *root, const char *path, const char *expected);
/* (transfer none): the array at @path, which must be one. */
JsonArray *cli_array (JsonNode *root, const char *path);
/* Each element of @array has @keys ("a b c") and the values of a row, in order. */
void cli_compare_rows (JsonArray *array, const char *keys, GPtrArray *rows);
/* The same in any order. */
void cli_compare_row_sets (JsonArray *array, const char *keys, GPtrArray *rows);

/* The number at @path must be what @sql gives. */
void cli_check_number (const char *folder, JsonNode *root, const char *path, const char *sql);

/* (transfer full) (element-type GStrv): the lines of @text, as RFC 4180 has them. */
GPtrArray *cli_parse_csv (const char *text);

G_END_DECLS
