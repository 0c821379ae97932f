/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor: sound from end to end, ids once, parents there.  Its ids are what programs and
 * variables refer to. */

#include "config.h"

#include "tsr-check-private.h"

#include "tsr-debug-scan.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

typedef struct
{
  gint64 parent, offset;
} Link;

typedef struct
{
  TsrCheck *check;
  const char *file;
  TsrIdSet *ids;
  GArray *links; /* Link */
} Contexts;

static void
add_finding (
    Contexts *self, TsrSeverity severity, const char *code, gint64 offset, const char *text)
{
  tsr_diagnostics_add (self->check->diagnostics, severity, code, self->file, "contexts", TSR_NO_ROW,
                       offset, "%s", text);
}

static void
take_context (const TsrDebugContext *context, gpointer data)
{
  Contexts *self = data;
  Link link = { (gint64)context->parent, context->offset };

  if (!context->has_id)
    {
      add_finding (self, TSR_SEVERITY_WARNING, "value-missing", context->offset,
                   _ ("the context has no id that is a number"));
      return;
    }
  tsr_id_set_add (self->ids, (gint64)context->id);
  if (context->has_parent && context->parent != 0)
    g_array_append_val (self->links, link);
}

static void
check_links (Contexts *self)
{
  for (guint i = 0; i < self->links->len; i++)
    {
      const Link *link = &g_array_index (self->links, Link, i);
      g_autofree char *text = NULL;

      if (tsr_id_set_contains (self->ids, link->parent))
        continue;
      text = g_strdup_printf (_ ("parentId is %" PRIu64 ", which no context has as its id"),
                              (guint64)link->parent);
      add_finding (self, TSR_SEVERITY_WARNING, "reference-broken", link->offset, text);
    }
}

gboolean
tsr_check_debug (TsrCheck *check, GError **error)
{
  const TsrReportFiles *files = tsr_report_get_files (check->report);
  const TsrReportFile *file = &files->files[TSR_FILE_DEBUG];
  g_autoptr (TsrSource) source = NULL;
  Contexts self = { check, file->name, &check->sets[TSR_SET_CONTEXTS], NULL };
  GError *local_error = NULL;
  gint64 offset = TSR_NO_ROW;
  guint64 doubles;

  if (!file->found)
    return TRUE;
  self.links = g_array_new (FALSE, FALSE, sizeof (Link));
  source = tsr_place_open (files->place, file->path, check->cancellable, &local_error);
  if (source != NULL
      && tsr_debug_scan (source, take_context, &self, &offset, check->cancellable, &local_error))
    self.ids->present = TRUE;
  doubles = tsr_id_set_seal (self.ids);
  if (self.ids->present)
    check_links (&self);
  if (doubles > 0)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("%" PRIu64 " contexts have an id that another one has too"), doubles);

      add_finding (&self, TSR_SEVERITY_WARNING, "id-repeated", TSR_NO_ROW, text);
    }
  g_array_unref (self.links);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (local_error != NULL)
    add_finding (&self, TSR_SEVERITY_ERROR, "part-not-read", offset, local_error->message);
  g_clear_error (&local_error);
  return TRUE;
}
