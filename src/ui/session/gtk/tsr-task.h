/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work of the window in other threads. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* As g_task_run_in_thread(), which lets the task go on the worker, perhaps after the main thread
 * has: its source, a widget, would then be taken apart on the worker.  Here the last reference of
 * the task, of its source and of its data is always given up in the thread that made the task. */
void tsr_task_run_in_thread (GTask *task, GTaskThreadFunc func);

G_END_DECLS
