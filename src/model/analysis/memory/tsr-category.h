/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the storage categories are called and mean.  The list of a report is open: a name that is
 * not known here is shown as it is. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer none): label of libpva's @name ("internalExchangeCode"), translated; @name itself when
 * not known. */
const char *tsr_category_get_label (const char *name);
/* (transfer none) (nullable): one translated sentence. */
const char *tsr_category_get_meaning (const char *name);

/* Whether @name stands for allocations of which the file does not tell the category. */
gboolean tsr_category_is_unknown (const char *name);
/* (transfer none) (nullable): the @i-th of libpva's names; NULL behind the last. */
const char *tsr_category_get_known (guint i);

G_END_DECLS
