/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrRowView, shared by its files. */

#pragma once

#include "tsr-row-list.h"
#include "tsr-row-message.h"
#include "tsr-row-view.h"

G_BEGIN_DECLS

#define NO_COLUMN (-1)

struct _TsrRowView
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *bar;
  GtkWidget *entry;
  GtkWidget *count;
  GtkWidget *spinner;
  TsrRowList *list;
  TsrRowMessage *message;
  TsrRowModel *model; /* of the list: what is shown */

  TsrRows *rows; /* what is wanted */
  TsrUnits units;
  char *signature;      /* (nullable) of the columns of the last table */
  const char *main_key; /* (nullable) of its first text */
  int sort_column;
  gboolean descending;
  const char *first_key; /* (nullable) of the first order of the last table */
  gboolean first_descending;
  char *wanted_key; /* (nullable) order that a table with this column gets, until the user sorts */
  gboolean wanted_descending;
  TsrFilter *filter;
  GtkBitset *select; /* (nullable) rows of @rows to select when they are there */

  GCancellable *cancellable; /* of the worker; its own number tells an older one */
  guint generation;
  gboolean busy;
  guint busy_source;
  GCancellable *export_cancellable;

  TsrSettings *settings; /* (nullable): keys of expanded rows, under @settings_key */
  char *settings_key;
  TsrRowExportFunc export_func; /* (nullable) */
  gpointer export_data;
  GMenu *sort_menu;

  char *placeholder_title;
  char *placeholder_text;
  char *file_name;
  gboolean setting; /* not the user's doing */
};

/* Works out the order that is wanted, and shows it. */
void tsr_row_view_arrange (TsrRowView *self);

/* tsr-row-view-sort.c: sort and filter for a table that takes the place of another one, whose
 * columns are remembered when it has gone. */
void tsr_row_view_adopt_wishes (TsrRowView *self,
                                TsrRows *rows,
                                const char *sort_key,
                                gboolean descending);
void tsr_row_view_update_sort_menu (TsrRowView *self, TsrRows *rows);
void tsr_row_view_sort_action (GtkWidget *widget, const char *name, GVariant *parameter);
void
tsr_row_view_on_sort_changed (TsrRowList *list, int column, gboolean descending, TsrRowView *self);

G_END_DECLS
