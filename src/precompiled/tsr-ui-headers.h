/* SPDX-License-Identifier: GPL-3.0-or-later */

/* As tsr-model-headers.h, for the rooms of the window. */

#include <gtk/gtk.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
