/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The quark of TSR_ERROR. */

#include "config.h"

#include "tsr-error.h"

G_DEFINE_QUARK (tsr_error, tsr_error)
