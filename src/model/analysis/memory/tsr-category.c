/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of storage categories with their labels and meanings (docs/formats.md#categories). */

#include "config.h"

#include "tsr-category.h"

#include "tsr-profile.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *name;
  const char *label;
  const char *meaning;
} categories[] = {
  { "variable", N_ ("Variables"),
    N_ ("Variables of the program and of the compiler, compiler-made constants among them") },
  { "constant", N_ ("Constants"), N_ ("Constants that the program added to the graph") },
  { "message", N_ ("Messages"), N_ ("Buffers that hold data on its way through an exchange") },
  { "hostMessage", N_ ("Host Messages"),
    N_ ("Buffers that hold data on its way to or from the host") },
  { "globalMessage", N_ ("Global Messages"),
    N_ ("Buffers that hold data on its way to or from another IPU") },
  { "controlCode", N_ ("Control Code"),
    N_ ("Code of the programs: control flow and the start of compute sets") },
  { "controlId", N_ ("Control IDs"),
    N_ ("Switch control variables and numbers for the synchronisation with the host") },
  { "controlTable", N_ ("Control Table"),
    N_ ("Vertices of each compute set, for the table scheduler") },
  { "vertexCode", N_ ("Vertex Code"),
    N_ ("Code of the codelets, once for each vertex type on a tile") },
  { "vertexInstanceState", N_ ("Vertex Instance State"), N_ ("State of every vertex instance") },
  { "vertexFieldData", N_ ("Vertex Field Data"), N_ ("Data that fields of vertices point to") },
  { "vectorListDescriptor", N_ ("VectorList Descriptors"),
    N_ ("Descriptors of vertex fields of variable size") },
  { "copyDescriptor", N_ ("Copy Descriptors"), N_ ("Descriptors of the copies within a tile") },
  { "internalExchangeCode", N_ ("Internal Exchange Code"),
    N_ ("Code of the exchanges between tiles of one IPU") },
  { "hostExchangeCode", N_ ("Host Exchange Code"), N_ ("Code of the exchanges with the host") },
  { "globalExchangeCode", N_ ("Global Exchange Code"), N_ ("Code of the exchanges between IPUs") },
  { "hostExchangePacketHeader", N_ ("Host Exchange Packet Headers"),
    N_ ("Headers of the packets sent to and from the host") },
  { "globalExchangePacketHeader", N_ ("Global Exchange Packet Headers"),
    N_ ("Headers of the packets sent between IPUs") },
  { "instrumentationResults", N_ ("Instrumentation Results"),
    N_ ("Cycle counters and branch records of the profiler") },
  { "stack", N_ ("Stack"), N_ ("Stacks of the supervisor and the workers") },
  { "sharedCodeStorage", N_ ("Shared Code Storage"),
    N_ ("Code that several users keep at one address") },
  { "sharedDataStorage", N_ ("Shared Data Storage"),
    N_ ("Data that several users keep at one address") },
  { "rearrangement", N_ ("Rearrangement"), N_ ("Buffers in which data is put into another order") },
  { "outputEdge", N_ ("Output Edges"), N_ ("Outputs of vertices that no variable holds") },
  { TSR_UNKNOWN_CATEGORY, N_ ("Category Not Recorded"),
    N_ ("Allocations whose category the file does not record") },
};

const char *
tsr_category_get_label (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    if (g_strcmp0 (categories[i].name, name) == 0)
      return _ (categories[i].label);
  return name;
}

const char *
tsr_category_get_meaning (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    if (g_strcmp0 (categories[i].name, name) == 0)
      return _ (categories[i].meaning);
  return NULL;
}

const char *
tsr_category_get_known (guint i)
{
  /* The last one is of ours. */
  return i < G_N_ELEMENTS (categories) - 1 ? categories[i].name : NULL;
}

gboolean
tsr_category_is_unknown (const char *name)
{
  return g_strcmp0 (name, TSR_UNKNOWN_CATEGORY) == 0;
}
