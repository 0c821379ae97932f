/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions about folders and paths over one SFTP channel.  Only sftp/ includes this; the
 * connection's thread. */

#pragma once

#include "tsr-folder.h"
#include "tsr-sftp.h"

G_BEGIN_DECLS

/* Takes @result and @error, one of which is NULL. */
typedef void (*TsrSftpFolderFunc) (gpointer result, GError *error, gpointer data);

/* Asks what tsr_connection_list() (TSR_SFTP_OPEN_FOLDER), _stat() (TSR_SFTP_STAT) or _resolve()
 * (TSR_SFTP_REALPATH) say about @path, and calls @func once.  Until then *@is_abandoned (atomic)
 * may become TRUE, which ends a long listing. */
void tsr_sftp_ask_folder (TsrSftp *sftp,
                          TsrSftpType type,
                          const char *path,
                          const int *is_abandoned,
                          TsrSftpFolderFunc func,
                          gpointer data);

G_END_DECLS
