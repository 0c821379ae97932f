/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions travel: a connection's thread makes an Ask, hands it to the main loop and sleeps on its
 * condition; the main loop shows it and fills in the answer.  Both hold a reference.  A cancelled
 * question wakes its thread at once; its dialog goes a moment later. */

#include "config.h"

#include "tsr-dialog-asker.h"

#include <glib/gi18n.h>

typedef struct
{
  gatomicrefcount references;
  TsrDialogAsker *asker;
  GCancellable *attempt; /* (nullable): which connection asks */
  gboolean is_host_key;

  /* Copies of what is asked; immutable. */
  TsrQuestion question;
  TsrHostKeyQuestion host_key;
  TsrPrompt *prompts;
  GPtrArray *strings; /* that the copies point to */

  /* Main thread. */
  TsrQuestionDialog *dialog; /* (nullable); GTK keeps it until it is destroyed */
  gboolean is_orphan;        /* its window has closed: shown again only where somebody waits */

  GMutex mutex;
  GCond cond;
  /* Under the mutex. */
  gboolean is_done, is_accepted;
  TsrHostKeyAnswer host_key_answer;
  TsrSecret **answers; /* (nullable) of question.n_prompts */
} Ask;

/* A window that waits. */
typedef struct
{
  GtkWindow *window;
  TsrConnection *connection; /* (nullable): whichever it is */
} Waiter;

struct _TsrDialogAsker
{
  TsrAsker parent_instance;

  GWeakRef application;
  GArray *waiting;     /* Waiter, each as often as it waits; the last one began last */
  GPtrArray *asks;     /* Ask, shown or to be shown, in order */
  GHashTable *banners; /* who -> text: what a server said before it asks */
};

G_DEFINE_FINAL_TYPE (TsrDialogAsker, tsr_dialog_asker, TSR_TYPE_ASKER)

static void show_next (TsrDialogAsker *self);

/* ---------------------------------------------------------------- a question */

static Ask *
ask_ref (Ask *ask)
{
  g_atomic_ref_count_inc (&ask->references);
  return ask;
}

static void
ask_unref (gpointer data)
{
  Ask *ask = data;

  if (!g_atomic_ref_count_dec (&ask->references))
    return;
  for (guint i = 0; ask->answers != NULL && i < ask->question.n_prompts; i++)
    g_clear_pointer (&ask->answers[i], tsr_secret_unref);
  g_free (ask->answers);
  g_free (ask->prompts);
  g_ptr_array_unref (ask->strings);
  g_clear_object (&ask->attempt);
  g_object_unref (ask->asker);
  g_mutex_clear (&ask->mutex);
  g_cond_clear (&ask->cond);
  g_free (ask);
}

static const char *
keep (Ask *ask, const char *text)
{
  if (text == NULL)
    return NULL;
  g_ptr_array_add (ask->strings, g_strdup (text));
  return ask->strings->pdata[ask->strings->len - 1];
}

static Ask *
ask_new (TsrDialogAsker *asker, GCancellable *attempt)
{
  Ask *ask = g_new0 (Ask, 1);

  g_atomic_ref_count_init (&ask->references);
  ask->asker = g_object_ref (asker);
  ask->attempt = attempt != NULL ? g_object_ref (attempt) : NULL;
  ask->strings = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&ask->mutex);
  g_cond_init (&ask->cond);
  return ask;
}

static Ask *
ask_new_for_question (TsrDialogAsker *asker, const TsrQuestion *question, GCancellable *attempt)
{
  Ask *ask = ask_new (asker, attempt);

  ask->question = *question;
  ask->question.who = keep (ask, question->who);
  ask->question.name = keep (ask, question->name);
  ask->question.instruction = keep (ask, question->instruction);
  ask->question.file = keep (ask, question->file);
  ask->prompts = g_new0 (TsrPrompt, question->n_prompts);
  for (guint i = 0; i < question->n_prompts; i++)
    {
      ask->prompts[i].text = (char *)keep (ask, question->prompts[i].text);
      ask->prompts[i].echo = question->prompts[i].echo;
    }
  ask->question.prompts = ask->prompts;
  return ask;
}

static Ask *
ask_new_for_host_key (TsrDialogAsker *asker,
                      const TsrHostKeyQuestion *question,
                      GCancellable *attempt)
{
  Ask *ask = ask_new (asker, attempt);

  ask->is_host_key = TRUE;
  ask->host_key = *question;
  ask->host_key.who = keep (ask, question->who);
  ask->host_key.name = keep (ask, question->name);
  ask->host_key.type = keep (ask, question->type);
  ask->host_key.fingerprint = keep (ask, question->fingerprint);
  ask->host_key.file = keep (ask, question->file);
  return ask;
}

/* Wakes whoever asked; any thread.  Only the first answer counts. */
static void
ask_finish (Ask *ask)
{
  g_mutex_lock (&ask->mutex);
  ask->is_done = TRUE;
  g_cond_broadcast (&ask->cond);
  g_mutex_unlock (&ask->mutex);
}

static gboolean
ask_is_done (Ask *ask)
{
  gboolean done;

  g_mutex_lock (&ask->mutex);
  done = ask->is_done;
  g_mutex_unlock (&ask->mutex);
  return done;
}

/* ---------------------------------------------------------------- main thread: dialogs */

static void
drop_ask (TsrDialogAsker *self, Ask *ask)
{
  if (ask->dialog != NULL)
    {
      TsrQuestionDialog *dialog = g_steal_pointer (&ask->dialog);

      g_signal_handlers_disconnect_by_data (dialog, ask);
      gtk_window_destroy (GTK_WINDOW (dialog));
    }
  g_ptr_array_remove (self->asks, ask);
}

static void
on_answered (TsrQuestionDialog *dialog, Ask *ask)
{
  g_autoptr (TsrDialogAsker) self = g_object_ref (ask->asker);

  g_mutex_lock (&ask->mutex);
  if (!ask->is_done && ask->is_host_key)
    ask->host_key_answer = tsr_question_dialog_get_host_key_answer (dialog);
  else if (!ask->is_done)
    {
      ask->answers = g_new0 (TsrSecret *, ask->question.n_prompts);
      ask->is_accepted = tsr_question_dialog_take_answers (dialog, ask->answers);
    }
  g_mutex_unlock (&ask->mutex);
  ask_finish (ask);
  /* The dialog closes by itself. */
  g_signal_handlers_disconnect_by_data (dialog, ask);
  ask->dialog = NULL;
  g_ptr_array_remove (self->asks, ask);
  show_next (self);
}

static gboolean
on_show_next (gpointer data)
{
  show_next (((Ask *)data)->asker);
  return G_SOURCE_REMOVE;
}

/* Its window has gone, and with it the dialog.  Another window may wait for the same. */
static void
on_destroyed (GtkWidget *dialog, Ask *ask)
{
  ask->is_orphan = TRUE;
  g_idle_add_full (G_PRIORITY_DEFAULT, on_show_next, ask_ref (ask), ask_unref);
  g_signal_handlers_disconnect_by_data (dialog, ask);
  ask->dialog = NULL;
}

static gboolean
waits_for (const Waiter *waiter, const Ask *ask)
{
  return waiter->connection == NULL || ask->attempt == NULL
         || tsr_connection_is_attempt (waiter->connection, ask->attempt);
}

/* (nullable): of the windows whose action asks, the active one, else the one that began last. */
static GtkWindow *
find_waiting (TsrDialogAsker *self, const Ask *ask)
{
  GtkWindow *window = NULL;

  for (guint i = self->waiting->len; i-- > 0;)
    {
      const Waiter *waiter = &g_array_index (self->waiting, Waiter, i);

      if (!waits_for (waiter, ask))
        continue;
      if (gtk_window_is_active (waiter->window))
        return waiter->window;
      if (window == NULL)
        window = waiter->window;
    }
  return window;
}

/* (nullable) */
static GtkWindow *
find_window (TsrDialogAsker *self, const Ask *ask)
{
  g_autoptr (GtkApplication) application = g_weak_ref_get (&self->application);
  GtkWindow *window = find_waiting (self, ask);

  if (window != NULL || ask->is_orphan)
    return window;
  if (application != NULL)
    window = gtk_application_get_active_window (application);
  if (window == NULL && application != NULL)
    {
      GList *windows = gtk_application_get_windows (application);

      window = windows != NULL ? windows->data : NULL;
    }
  return window;
}

static gboolean
has_dialog (TsrDialogAsker *self, GtkWindow *window)
{
  for (guint i = 0; i < self->asks->len; i++)
    {
      Ask *ask = self->asks->pdata[i];

      if (ask->dialog != NULL && gtk_window_get_transient_for (GTK_WINDOW (ask->dialog)) == window)
        return TRUE;
    }
  return FALSE;
}

static void
show_ask (TsrDialogAsker *self, Ask *ask, GtkWindow *window)
{
  ask->dialog
      = ask->is_host_key
            ? tsr_question_dialog_new_for_host_key (window, &ask->host_key)
            : tsr_question_dialog_new (window, &ask->question,
                                       g_hash_table_lookup (self->banners, ask->question.who));
  g_signal_connect_data (ask->dialog, "answered", G_CALLBACK (on_answered), ask_ref (ask),
                         (GClosureNotify)(void (*) (void))ask_unref, 0);
  g_signal_connect_data (ask->dialog, "destroy", G_CALLBACK (on_destroyed), ask_ref (ask),
                         (GClosureNotify)(void (*) (void))ask_unref, 0);
  gtk_window_present (GTK_WINDOW (ask->dialog));
}

static void
show_next (TsrDialogAsker *self)
{
  guint i = 0;

  while (i < self->asks->len)
    {
      Ask *ask = self->asks->pdata[i];
      GtkWindow *window;

      if (ask_is_done (ask))
        {
          drop_ask (self, ask);
          continue;
        }
      i++;
      if (ask->dialog != NULL)
        continue;
      window = find_window (self, ask);
      if (window != NULL && !has_dialog (self, window))
        show_ask (self, ask, window);
      else if (window == NULL)
        {
          ask_finish (ask);
          g_ptr_array_remove (self->asks, ask);
          i--;
        }
    }
}

static gboolean
on_asked (gpointer data)
{
  Ask *ask = data;
  TsrDialogAsker *self = ask->asker;

  if (!ask_is_done (ask))
    g_ptr_array_add (self->asks, ask_ref (ask));
  show_next (self);
  return G_SOURCE_REMOVE;
}

/* ---------------------------------------------------------------- a connection's thread */

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  ask_finish (data);
}

static void
wait_for_answer (Ask *ask, GCancellable *cancellable)
{
  gulong handler = 0;

  g_idle_add_full (G_PRIORITY_DEFAULT, on_asked, ask_ref (ask), ask_unref);
  if (cancellable != NULL)
    handler
        = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), ask_ref (ask), ask_unref);
  g_mutex_lock (&ask->mutex);
  while (!ask->is_done)
    g_cond_wait (&ask->cond, &ask->mutex);
  g_mutex_unlock (&ask->mutex);
  g_cancellable_disconnect (cancellable, handler);
  if (g_cancellable_is_cancelled (cancellable))
    g_idle_add_full (G_PRIORITY_DEFAULT, on_show_next, ask_ref (ask), ask_unref);
}

static gboolean
tsr_dialog_asker_ask (TsrAsker *asker,
                      const TsrQuestion *question,
                      TsrSecret **answers,
                      GCancellable *cancellable,
                      GError **error)
{
  Ask *ask = ask_new_for_question (TSR_DIALOG_ASKER (asker), question, cancellable);
  gboolean accepted;

  wait_for_answer (ask, cancellable);
  g_mutex_lock (&ask->mutex);
  accepted = ask->is_accepted && !g_cancellable_is_cancelled (cancellable);
  for (guint i = 0; accepted && i < question->n_prompts; i++)
    answers[i] = g_steal_pointer (&ask->answers[i]);
  g_mutex_unlock (&ask->mutex);
  ask_unref (ask);
  if (!accepted)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("%s: the question was not answered"),
                 question->who);
  return accepted;
}

static TsrHostKeyAnswer
tsr_dialog_asker_ask_host_key (TsrAsker *asker,
                               const TsrHostKeyQuestion *question,
                               GCancellable *cancellable)
{
  Ask *ask = ask_new_for_host_key (TSR_DIALOG_ASKER (asker), question, cancellable);
  TsrHostKeyAnswer answer;

  wait_for_answer (ask, cancellable);
  g_mutex_lock (&ask->mutex);
  answer = ask->host_key_answer;
  g_mutex_unlock (&ask->mutex);
  ask_unref (ask);
  return answer;
}

typedef struct
{
  TsrDialogAsker *asker;
  char *who, *text;
} Told;

static void
told_free (gpointer data)
{
  Told *told = data;

  g_object_unref (told->asker);
  g_free (told->who);
  g_free (told->text);
  g_free (told);
}

static gboolean
on_told (gpointer data)
{
  Told *told = data;

  g_hash_table_replace (told->asker->banners, g_steal_pointer (&told->who),
                        g_steal_pointer (&told->text));
  return G_SOURCE_REMOVE;
}

static void
tsr_dialog_asker_tell (TsrAsker *asker, const char *who, const char *text)
{
  Told *told = g_new0 (Told, 1);

  told->asker = g_object_ref (TSR_DIALOG_ASKER (asker));
  told->who = g_strdup (who);
  told->text = g_strdup (text);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_told, told, told_free);
}

/* ---------------------------------------------------------------- who waits */

/* Takes one entry of @window away, or all that are left of one that has gone. */
static gboolean
remove_waiter (TsrDialogAsker *self, gpointer window, TsrConnection *connection, gboolean is_gone)
{
  for (guint i = 0; i < self->waiting->len; i++)
    {
      Waiter *waiter = &g_array_index (self->waiting, Waiter, i);

      if (waiter->window != window || (!is_gone && waiter->connection != connection))
        continue;
      g_clear_object (&waiter->connection);
      g_array_remove_index (self->waiting, i);
      return TRUE;
    }
  return FALSE;
}

static void
on_window_gone (gpointer data, GObject *window)
{
  TsrDialogAsker *self = data;

  while (remove_waiter (self, window, NULL, TRUE))
    ;
}

void
tsr_dialog_asker_begin (TsrDialogAsker *self, GtkWindow *window, TsrConnection *connection)
{
  Waiter waiter = { window, connection };

  g_return_if_fail (TSR_IS_DIALOG_ASKER (self) && GTK_IS_WINDOW (window));
  if (connection != NULL)
    g_object_ref (connection);
  g_array_append_val (self->waiting, waiter);
  g_object_weak_ref (G_OBJECT (window), on_window_gone, self);
  show_next (self);
}

void
tsr_dialog_asker_end (TsrDialogAsker *self, GtkWindow *window, TsrConnection *connection)
{
  /* One that has gone is not looked at. */
  g_return_if_fail (TSR_IS_DIALOG_ASKER (self));
  if (remove_waiter (self, window, connection, FALSE))
    g_object_weak_unref (G_OBJECT (window), on_window_gone, self);
}

TsrQuestionDialog *
tsr_dialog_asker_get_dialog (TsrDialogAsker *self)
{
  g_return_val_if_fail (TSR_IS_DIALOG_ASKER (self), NULL);
  for (guint i = 0; i < self->asks->len; i++)
    if (((Ask *)self->asks->pdata[i])->dialog != NULL)
      return ((Ask *)self->asks->pdata[i])->dialog;
  return NULL;
}

guint
tsr_dialog_asker_get_n_questions (TsrDialogAsker *self)
{
  g_return_val_if_fail (TSR_IS_DIALOG_ASKER (self), 0);
  return self->asks->len;
}

/* ---------------------------------------------------------------- life */

static void
tsr_dialog_asker_finalize (GObject *object)
{
  TsrDialogAsker *self = TSR_DIALOG_ASKER (object);

  for (guint i = 0; i < self->waiting->len; i++)
    {
      Waiter *waiter = &g_array_index (self->waiting, Waiter, i);

      g_object_weak_unref (G_OBJECT (waiter->window), on_window_gone, self);
      g_clear_object (&waiter->connection);
    }
  g_array_unref (self->waiting);
  g_ptr_array_unref (self->asks);
  g_hash_table_unref (self->banners);
  g_weak_ref_clear (&self->application);
  G_OBJECT_CLASS (tsr_dialog_asker_parent_class)->finalize (object);
}

static void
tsr_dialog_asker_class_init (TsrDialogAskerClass *klass)
{
  TsrAskerClass *asker_class = TSR_ASKER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tsr_dialog_asker_finalize;
  asker_class->ask = tsr_dialog_asker_ask;
  asker_class->ask_host_key = tsr_dialog_asker_ask_host_key;
  asker_class->tell = tsr_dialog_asker_tell;
}

static void
tsr_dialog_asker_init (TsrDialogAsker *self)
{
  g_weak_ref_init (&self->application, NULL);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (Waiter));
  self->asks = g_ptr_array_new_with_free_func (ask_unref);
  self->banners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

TsrDialogAsker *
tsr_dialog_asker_new (GtkApplication *application)
{
  TsrDialogAsker *self = g_object_new (TSR_TYPE_DIALOG_ASKER, NULL);

  g_weak_ref_set (&self->application, application);
  return self;
}
