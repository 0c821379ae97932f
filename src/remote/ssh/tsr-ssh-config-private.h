/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The contents of ssh_config: a flat list of entries in file order, with included files in place.
 * Each look-up walks through it once, because Match depends on the host and on the options found so
 * far. tsr-ssh-config-read.c fills it, tsr-ssh-config.c evaluates it. */

#pragma once

#include "tsr-ssh-config.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_SSH_ENTRY_OPTION,
  TSR_SSH_ENTRY_HOST,     /* words: patterns; none: never matches */
  TSR_SSH_ENTRY_MATCH,    /* words: "[!]criterion", argument, ...; none: never matches */
  TSR_SSH_ENTRY_FILE,     /* another file begins: everything applies until its first Host */
  TSR_SSH_ENTRY_INCLUDE,  /* an included file begins */
  TSR_SSH_ENTRY_INCLUDED, /* and ends */
} TsrSshEntryKind;

/* The options that we use, in the order of the table of keywords. */
typedef enum
{
  TSR_SSH_ADDRESS_FAMILY,
  TSR_SSH_CERTIFICATE_FILE,
  TSR_SSH_CIPHERS,
  TSR_SSH_CONNECT_TIMEOUT,
  TSR_SSH_GLOBAL_KNOWN_HOSTS,
  TSR_SSH_HASH_KNOWN_HOSTS,
  TSR_SSH_HOST_KEY_ALGORITHMS,
  TSR_SSH_HOST_KEY_ALIAS,
  TSR_SSH_HOST_NAME,
  TSR_SSH_IDENTITIES_ONLY,
  TSR_SSH_IDENTITY_AGENT,
  TSR_SSH_IDENTITY_FILE,
  TSR_SSH_INTERACTIVE,
  TSR_SSH_KEX_ALGORITHMS,
  TSR_SSH_MACS,
  TSR_SSH_PASSWORD,
  TSR_SSH_PASSWORD_PROMPTS,
  TSR_SSH_PORT,
  TSR_SSH_PREFERRED,
  TSR_SSH_PROXY_COMMAND,
  TSR_SSH_PROXY_JUMP,
  TSR_SSH_PUBKEY,
  TSR_SSH_PUBKEY_ALGORITHMS,
  TSR_SSH_ALIVE_COUNT,
  TSR_SSH_ALIVE_INTERVAL,
  TSR_SSH_STRICT,
  TSR_SSH_USER,
  TSR_SSH_KNOWN_HOSTS,
  TSR_SSH_N_OPTIONS,
} TsrSshOption;

typedef struct
{
  guint8 kind;   /* TsrSshEntryKind */
  guint8 option; /* TsrSshOption */
  GStrv words;
} TsrSshEntry;

struct _TsrSshConfig
{
  gatomicrefcount refs;
  GArray *entries; /* TsrSshEntry */
  char *home;      /* the user's */
};

typedef enum
{
  TSR_SSH_TAKES_WORD,  /* one */
  TSR_SSH_TAKES_WORDS, /* one or more */
  TSR_SSH_TAKES_REST,  /* of the line, up to a comment, with its quotes */
} TsrSshTakes;

typedef struct
{
  const char *keyword; /* lower case */
  TsrSshOption option;
  gboolean (*check) (const char *value); /* of each word */
  TsrSshTakes takes;
} TsrSshKeyword;

/* Values of tokens; NULL: not available here. */
typedef struct
{
  const char *home;         /* %d; with it %u, %i, %l and %L, which come from the machine */
  const char *host_name;    /* %h */
  const char *alias;        /* %n */
  const char *port;         /* %p */
  const char *user;         /* %r */
  const char *known_as;     /* %k */
  const char *jump;         /* %j: name of the last jump host, or "" */
  const char *hash;         /* %C */
  gboolean has_environment; /* ${NAME} too */
} TsrSshTokens;

/* (transfer full) (nullable): "~" and "~user" at the start are expanded; NULL if there is no such
 * user. */
char *tsr_ssh_expand_tilde (const char *text, const char *home);

G_END_DECLS
