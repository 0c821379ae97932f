/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the files of the report at a path (docs/formats.md#report-folder).  Reads folders only,
 * never the content of a file, and looks into at most TSR_FOLDERS_LOOKED_AT folders.
 *
 *  * Names are fixed; what else lies in the folder does not matter.
 *  * Without profile.pop the newest profile_<random>.pop is taken: a crash leaves it.
 *  * debug.cbor that is missing, or a link to nothing, is looked for in the parent folder too.
 *  * A folder that is no report, but has some one or two levels down, offers them; a single one is
 *    opened at once.  Hidden folders are not looked into.
 *  * A file stands for its folder; any name ending in .pop or .a is taken as profile or archive. */

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
  char *name; /* name as found (UTF-8, to show), or the fixed name */
  char *path; /* where it is, or would be; in the file system's encoding */
  gboolean found;
  gint64 bytes; /* TSR_UNKNOWN if not found */
  gint64 mtime_us;
  char *note; /* (nullable) translated: "found in the parent folder", "left by a program that did
                 not end" */
} TsrReportFile;

typedef struct
{
  TsrPlace *place;
  char *location; /* the requested path, absolute */
  char *folder;   /* the report's folder; NULL if there are several to choose from */
  char *name;     /* of the report, for titles (UTF-8): the folder's base name, or the file's when a
                     file of another than the fixed name was asked for */
  TsrReportFile files[TSR_N_FILES];
  GStrv reports; /* (nullable): paths of folders below @location that are reports, when it is none
                    itself; in natural order */
  TsrFileKind asked; /* the requested file, or TSR_N_FILES for a folder */
} TsrReportFiles;

void tsr_report_files_free (TsrReportFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrReportFiles, tsr_report_files_free)

#define TSR_FOLDERS_LOOKED_AT 256

/* (transfer full): at least a profile or an archive was found, or `reports` has entries.  Else
 * TSR_ERROR_NOT_A_REPORT ("No graph profile found in ...", what to capture),
 * TSR_ERROR_UNSUPPORTED (only files of before SDK 2), or G_IO_ERROR.  @diagnostics is nullable. */
TsrReportFiles *tsr_report_files_find (TsrPlace *place,
                                       const char *path,
                                       TsrDiagnostics *diagnostics,
                                       GCancellable *cancellable,
                                       GError **error);

/* Whether the open dialog marks a file of this name as part of a report. */
gboolean tsr_report_files_is_known_name (const char *base_name, TsrFileKind *kind);
const char *tsr_file_kind_get_fixed_name (TsrFileKind kind);

G_END_DECLS
