/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which host to connect to: remembered hosts and the names of ~/.ssh/config at the left, the fields
 * of one at the right, what went wrong above.  Signal "connect": the button, or Enter in a field.
 */

#pragma once

#include "tsr-remote-hosts.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_HOST_FORM (tsr_host_form_get_type ())
G_DECLARE_FINAL_TYPE (TsrHostForm, tsr_host_form, TSR, HOST_FORM, GtkWidget)

typedef enum
{
  TSR_HOST_FIELD_USER,
  TSR_HOST_FIELD_HOST,
  TSR_HOST_FIELD_PORT,
  TSR_HOST_FIELD_JUMPS,
  TSR_HOST_FIELD_ALIAS,
  TSR_HOST_FIELD_IDENTITY,
  TSR_N_HOST_FIELDS,
} TsrHostField;

TsrHostForm *tsr_host_form_new (TsrSettings *settings);

/* Fills the fields in; @identity nullable. */
void
tsr_host_form_set_address (TsrHostForm *self, const TsrSshAddress *address, const char *identity);
/* (transfer full): what the fields say, with the folder that was shown last or "/~".
 * TSR_ERROR_ARGUMENT says which field is off, and it gets the keyboard. */
TsrSshAddress *tsr_host_form_dup_address (TsrHostForm *self, GError **error);

void tsr_host_form_set_field (TsrHostForm *self, TsrHostField field, const char *text);
const char *tsr_host_form_get_field (TsrHostForm *self, TsrHostField field);

/* Shows what went wrong, in place of what was shown; NULL: nothing. */
void tsr_host_form_set_error (TsrHostForm *self, const GError *error);
/* (transfer none) (nullable): the message while it is shown. */
const char *tsr_host_form_get_error (TsrHostForm *self);

/* Reads the remembered hosts and ssh_config again; rows in the list. */
void tsr_host_form_refresh (TsrHostForm *self);
guint tsr_host_form_get_n_hosts (TsrHostForm *self);

G_END_DECLS
