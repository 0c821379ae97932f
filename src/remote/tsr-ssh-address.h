/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where something lies behind ssh, as the user says it: user, host or alias, port, jump hosts and a
 * path.  What ssh_config makes of it is in tsr-ssh-config.h.  Written as
 *
 *   ssh://[user@]host[:port]/absolute/path[?jump=[user@]host[:port],...][&alias=name]
 *
 * with percent-encoding; "alias" is the name under which the target's host key is known; "/~/x" (as
 * scp writes it) is below the home folder.  An address of IP version 6 stands in brackets.  This
 * text is the location of a remote report everywhere: command line, recents, links, markers, cache.
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  char *user; /* (nullable): not told */
  char *host; /* name, alias or address, without brackets, lower case only as typed */
  guint port; /* 0: not told */
} TsrSshHop;

typedef struct
{
  TsrSshHop target;
  TsrSshHop *jumps; /* from here to there */
  guint n_jumps;
  gboolean has_jumps;   /* FALSE: not told, ssh_config decides; TRUE with none: "none" */
  char *host_key_alias; /* (nullable): counts before HostKeyAlias of ssh_config; one tunnel port
                           may lead to different machines on different days */
  char *path; /* absolute, any bytes; "/" when not told; "/~" or "/~/...": the home folder */
} TsrSshAddress;

void tsr_ssh_address_free (TsrSshAddress *address);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSshAddress, tsr_ssh_address_free)
TsrSshAddress *tsr_ssh_address_copy (const TsrSshAddress *address);

#define TSR_SSH_MAX_JUMPS 8

/* TRUE when @text begins with "ssh://" or "sftp://", in any case of letters. */
gboolean tsr_ssh_address_is_one (const char *text);
/* (transfer full): of such a text.  TSR_ERROR_ARGUMENT says which part is off and how it is
 * written. A password in it is an error that does not repeat it. */
TsrSshAddress *tsr_ssh_address_parse (const char *text, GError **error);
/* (transfer full): the canonical text; the port is left out when not told, jumps only when told. */
char *tsr_ssh_address_to_string (const TsrSshAddress *address);
/* (transfer full): the same with another path (absolute). */
char *tsr_ssh_address_dup_location (const TsrSshAddress *address, const char *path);

/* "[user@]host[:port]" or "[user@][v6]:port", as ssh takes it; a jump field has several, with
 * commas, "none" for none.  FALSE and TSR_ERROR_ARGUMENT. */
gboolean tsr_ssh_hop_parse (const char *text, TsrSshHop *hop, GError **error);
gboolean tsr_ssh_jumps_parse (const char *text, TsrSshHop **jumps, guint *n_jumps, GError **error);
/* (transfer full): "user@host:port" with what is told, for people and for fields. */
char *tsr_ssh_hop_to_string (const TsrSshHop *hop);
char *tsr_ssh_jumps_to_string (const TsrSshHop *jumps, guint n_jumps);
void tsr_ssh_hop_clear (TsrSshHop *hop);

G_END_DECLS
