/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers a connection's questions: by dialogs, on a terminal, or from a test's list.  Called on
 * the connection's thread, one question at a time per connection; blocks until it is answered or
 * @cancellable is cancelled. */

#pragma once

#include "tsr-known-hosts.h"
#include "tsr-secret.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_QUESTION_PASSWORD,
  TSR_QUESTION_PASSPHRASE,  /* of a key file */
  TSR_QUESTION_INTERACTIVE, /* the server's own prompts: one-time passwords */
} TsrQuestionKind;

typedef struct
{
  char *text;    /* UTF-8 without control characters */
  gboolean echo; /* the input may be visible */
} TsrPrompt;

/* Strings are UTF-8 without control characters; those marked (s) come from the server. */
typedef struct
{
  TsrQuestionKind kind;
  const char *who;          /* "user@host:port" of the asking hop, as typed or by its alias */
  guint hop, n_hops;        /* from 1; the last one is the target */
  const char *name;         /* (s) (nullable) title */
  const char *instruction;  /* (s) (nullable) */
  const char *file;         /* (nullable) key file, for a passphrase */
  guint attempt;            /* from 1; above 1 the last answer was wrong */
  gboolean is_fallback;     /* another question's last answer was wrong, hence this one */
  const TsrPrompt *prompts; /* (s) text; at least one */
  guint n_prompts;
} TsrQuestion;

typedef enum
{
  TSR_HOST_KEY_NO,
  TSR_HOST_KEY_ONCE, /* for this connection */
  TSR_HOST_KEY_SAVE, /* and written to known_hosts */
} TsrHostKeyAnswer;

typedef struct
{
  const char *who; /* "user@host:port" */
  guint hop, n_hops;
  const char *name; /* the name under which the key would be stored */
  guint port;
  const char *type, *fingerprint; /* "SHA256:..." */
  const char *file;               /* the file to which it would be written */
  gboolean is_tunnel; /* the address is this machine's own: it may lead elsewhere tomorrow */
} TsrHostKeyQuestion;

#define TSR_TYPE_ASKER (tsr_asker_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrAsker, tsr_asker, TSR, ASKER, GObject)

struct _TsrAskerClass
{
  GObjectClass parent_class;
  TsrHostKeyAnswer (*ask_host_key) (TsrAsker *self,
                                    const TsrHostKeyQuestion *question,
                                    GCancellable *cancellable);
  gboolean (*ask) (TsrAsker *self,
                   const TsrQuestion *question,
                   TsrSecret **answers,
                   GCancellable *cancellable,
                   GError **error);
  /* (nullable): a banner or a change of state to show. */
  void (*tell) (TsrAsker *self, const char *who, const char *text);
};

TsrHostKeyAnswer tsr_asker_ask_host_key (TsrAsker *self,
                                         const TsrHostKeyQuestion *question,
                                         GCancellable *cancellable);
/* Fills @answers with n_prompts secrets (transfer full).  FALSE with G_IO_ERROR_CANCELLED if the
 * user gave up, or TSR_REMOTE_ERROR_NEEDS_ANSWER if nobody may be asked. */
gboolean tsr_asker_ask (TsrAsker *self,
                        const TsrQuestion *question,
                        TsrSecret **answers,
                        GCancellable *cancellable,
                        GError **error);
void tsr_asker_tell (TsrAsker *self, const char *who, const char *text);

/* (transfer full): refuses every question with TSR_REMOTE_ERROR_NEEDS_ANSWER, which names the
 * question; for --batch and background reads. */
TsrAsker *tsr_asker_new_silent (void);

G_END_DECLS
