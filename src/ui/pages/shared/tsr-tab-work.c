/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps which tabs are stale, and starts the work of the visible one when idle. */

#include "config.h"

#include "tsr-tab-work.h"

typedef struct
{
  GtkWidget *child;   /* (transfer none) */
  TsrTabLabel *label; /* (transfer none) */
  gpointer page;
  TsrLatest *latest;
  gboolean stale;
} Tab;

struct _TsrTabWork
{
  GtkNotebook *notebook; /* (transfer none) */
  void (*ask) (gpointer page);
  TsrLatestDone done;
  GDestroyNotify free_result;
  GArray *tabs; /* Tab */
  guint idle;   /* source id */
  gboolean started;
};

static Tab *
get_tab (TsrTabWork *self, guint tab)
{
  return &g_array_index (self->tabs, Tab, tab);
}

static void
tab_clear (gpointer data)
{
  tsr_latest_free (((Tab *)data)->latest);
}

TsrTabWork *
tsr_tab_work_new (GtkNotebook *notebook,
                  void (*ask) (gpointer page),
                  TsrLatestDone done,
                  GDestroyNotify free_result)
{
  TsrTabWork *self = g_new0 (TsrTabWork, 1);

  self->notebook = notebook;
  self->ask = ask;
  self->done = done;
  self->free_result = free_result;
  self->tabs = g_array_new (FALSE, TRUE, sizeof (Tab));
  g_array_set_clear_func (self->tabs, tab_clear);
  return self;
}

void
tsr_tab_work_free (TsrTabWork *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->idle, g_source_remove);
  g_array_unref (self->tabs);
  g_free (self);
}

void
tsr_tab_work_add (TsrTabWork *self, GtkWidget *child, TsrTabLabel *label, gpointer page)
{
  Tab tab = { child, label, page, tsr_latest_new (page, self->free_result), TRUE };

  gtk_notebook_append_page (self->notebook, child, GTK_WIDGET (label));
  g_array_append_val (self->tabs, tab);
}

/* By the widget: a notebook may hide some, or the user move them. */
static Tab *
get_shown (TsrTabWork *self)
{
  GtkWidget *child
      = gtk_notebook_get_nth_page (self->notebook, gtk_notebook_get_current_page (self->notebook));

  for (guint i = 0; i < self->tabs->len; i++)
    if (get_tab (self, i)->child == child)
      return get_tab (self, i);
  return get_tab (self, 0);
}

gpointer
tsr_tab_work_get_shown (TsrTabWork *self)
{
  return get_shown (self)->page;
}

static gboolean
on_idle (gpointer data)
{
  TsrTabWork *self = data;
  Tab *tab = get_shown (self);

  self->idle = 0;
  for (guint i = 0; i < self->tabs->len; i++)
    if (get_tab (self, i) != tab
        && (get_tab (self, i)->stale || tsr_latest_is_running (get_tab (self, i)->latest)))
      tsr_tab_label_set_count (get_tab (self, i)->label, TSR_UNKNOWN);
  if (tab->stale)
    {
      tab->stale = FALSE;
      self->ask (tab->page);
    }
  return G_SOURCE_REMOVE;
}

void
tsr_tab_work_make_stale (TsrTabWork *self, guint tabs)
{
  for (guint i = 0; i < self->tabs->len; i++)
    if ((tabs & (1u << i)) != 0)
      {
        get_tab (self, i)->stale = TRUE;
        tsr_latest_cancel (get_tab (self, i)->latest);
      }
  if (self->idle == 0 && self->started)
    self->idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, self, NULL);
}

void
tsr_tab_work_start (TsrTabWork *self)
{
  self->started = TRUE;
  tsr_tab_work_make_stale (self, 0);
}

gboolean
tsr_tab_work_is_stale (TsrTabWork *self, guint tab)
{
  return get_tab (self, tab)->stale;
}

gboolean
tsr_tab_work_is_busy (TsrTabWork *self)
{
  const Tab *tab = get_shown (self);

  return self->idle != 0 || tab->stale || tsr_latest_is_running (tab->latest);
}

void
tsr_tab_work_run (
    TsrTabWork *self, guint tab, TsrLatestFunc func, gpointer job, GDestroyNotify free_job)
{
  tsr_latest_run (get_tab (self, tab)->latest, func, job, free_job, self->done);
}

void
tsr_tab_work_cancel (TsrTabWork *self, guint tab)
{
  tsr_latest_cancel (get_tab (self, tab)->latest);
}
