/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps secrets in pages of their own (mmap, mlock, MADV_DONTDUMP) and wipes them. */

#include "config.h"

#include "tsr-secret.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct _TsrSecret
{
  gatomicrefcount refs;
  gsize size;         /* of the whole, in pages when mapped */
  gboolean is_mapped; /* else from malloc: there were no pages */
  char text[];
};

void
tsr_secret_wipe (void *bytes, gsize length)
{
  g_return_if_fail (bytes != NULL || length == 0);
  if (length > 0)
    explicit_bzero (bytes, length);
}

/* Pages of its own, so that nothing else is locked, kept out of dumps or wiped with it. */
static TsrSecret *
get_pages (gsize size)
{
  gsize page = (gsize)sysconf (_SC_PAGESIZE);
  gsize whole = (size + page - 1) / page * page;
  TsrSecret *self = mmap (NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (self == MAP_FAILED)
    {
      self = g_malloc0 (size);
      self->size = size;
      return self;
    }
  /* Each may be refused, by a limit or an old kernel; the wiping stays. */
  (void)!mlock (self, whole);
  (void)!madvise (self, whole, MADV_DONTDUMP);
  (void)!madvise (self, whole, MADV_WIPEONFORK);
  self->size = whole;
  self->is_mapped = TRUE;
  return self;
}

TsrSecret *
tsr_secret_new (const char *text)
{
  TsrSecret *self;
  gsize length;

  g_return_val_if_fail (text != NULL, NULL);
  length = strnlen (text, TSR_SECRET_MAX - 1);
  self = get_pages (sizeof (TsrSecret) + length + 1);
  g_atomic_ref_count_init (&self->refs);
  memcpy (self->text, text, length);
  self->text[length] = '\0';
  return self;
}

TsrSecret *
tsr_secret_ref (TsrSecret *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_secret_unref (TsrSecret *self)
{
  gboolean is_mapped;
  gsize size;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  size = self->size;
  is_mapped = self->is_mapped;
  tsr_secret_wipe (self, size);
  if (is_mapped)
    munmap (self, size);
  else
    g_free (self);
}

const char *
tsr_secret_peek (TsrSecret *self)
{
  return self->text;
}
