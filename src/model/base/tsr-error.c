/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-error.h"

G_DEFINE_QUARK (tsr - error - quark, tsr_error)
