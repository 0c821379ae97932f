/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder rules: which files make the report at a path (FORMATS: fixed names; debug.cbor as a
 * dangling link is looked for in the parent folder; profile_<random>.pop left by a crash; a parent
 * folder with several reports; one file instead of a folder).  Reads folders only, never a file's
 * content. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-folder.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_FILE_PROFILE,   /* profile.pop */
  TSR_FILE_ARCHIVE,   /* archive.a */
  TSR_FILE_DEBUG,     /* debug.cbor */
  TSR_FILE_FRAMEWORK, /* framework.json */
  TSR_FILE_APP,       /* app.json */
  TSR_N_FILES,
} TsrFileKind;

typedef struct
{
  TsrFileKind kind;
  char *name; /* name as found, or the fixed name */
  char *path; /* where it is, or would be */
  gboolean found;
  gint64 bytes; /* TSR_UNKNOWN when not found */
  gint64 mtime_us;
  char *note; /* (nullable) translated: "found in the parent folder", "left by a program that did
                 not end" */
} TsrReportFile;

typedef struct
{
  TsrPlace *place;
  char *location; /* the path that was asked for, absolute */
  char *folder;   /* where the report lies; NULL when several are offered */
  char *name;     /* of the report, for titles: the folder's base name */
  TsrReportFile files[TSR_N_FILES];
  GStrv reports; /* (nullable): folders below @location that are reports, when it is none itself */
  TsrFileKind asked; /* the file that was asked for, or TSR_N_FILES for a folder */
} TsrReportFiles;

void tsr_report_files_free (TsrReportFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrReportFiles, tsr_report_files_free)

/* (transfer full): at least a profile or an archive was found, or `reports` has entries.  Else
 * TSR_ERROR_NOT_A_REPORT ("No graph profile found in ...", what to capture), or G_IO_ERROR. */
TsrReportFiles *tsr_report_files_find (TsrPlace *place,
                                       const char *path,
                                       TsrDiagnostics *diagnostics,
                                       GCancellable *cancellable,
                                       GError **error);

/* TRUE for a name that the open dialog marks as part of a report. */
gboolean tsr_report_files_is_known_name (const char *base_name, TsrFileKind *kind);
const char *tsr_file_kind_get_fixed_name (TsrFileKind kind);

G_END_DECLS
