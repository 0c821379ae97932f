/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of tabs under the liveness graph. */

#include "config.h"

#include "tsr-liveness-tab-info.h"

#include <glib/gi18n.h>

const TsrLivenessTabInfo tsr_liveness_tab_infos[TSR_LIVENESS_N_TABS] = {
  [TSR_LIVENESS_TAB_ALWAYS] = { "always-live",
                                N_ ("Always Live"),
                                N_ ("Variables that are live at every step, on the source"),
                                N_ ("Filter variables"),
                                TRUE,
                                { NULL } },
  [TSR_LIVENESS_TAB_TEMPORARY] = { "not-always-live",
                                   N_ ("Not Always Live"),
                                   N_ ("Variables that are live at the selected steps, and not "
                                       "always; at the peak while no step "
                                       "is selected"),
                                   N_ ("Filter variables"),
                                   TRUE,
                                   { NULL } },
  [TSR_LIVENESS_TAB_VERTICES] = { "vertices",
                                  N_ ("Vertices"),
                                  N_ ("Vertices that the programs of the selected steps execute"),
                                  N_ ("Filter vertices"),
                                  FALSE,
                                  { NULL } },
  [TSR_LIVENESS_TAB_CYCLES] = { "cycle-estimates",
                                N_ ("Cycle Estimates"),
                                N_ ("Cycles that the compiler estimates for the selected steps"),
                                N_ ("Filter vertices"),
                                FALSE,
                                { N_ ("By vertex type"), N_ ("By tile"), NULL } },
  [TSR_LIVENESS_TAB_FLOPS]
  = { "flop-estimates",
      N_ ("FLOP Estimates"),
      N_ ("Floating-point operations that the compiler estimates for the selected steps"),
      N_ ("Filter vertices"),
      FALSE,
      { NULL } },
  [TSR_LIVENESS_TAB_PEAK]
  = { "peak", N_ ("Peak"), N_ ("What a peak is made of"), N_ ("Filter variables"), TRUE, { NULL } },
  [TSR_LIVENESS_TAB_A_TO_B] = { "a-to-b",
                                N_ ("A to B"),
                                N_ ("What is born, dies, grows and shrinks from step A to step B"),
                                N_ ("Filter variables"),
                                TRUE,
                                { N_ ("All that changes"), N_ ("Live at A, gone by B"), NULL } },
  [TSR_LIVENESS_TAB_LIFETIMES]
  = { "lifetimes", N_ ("Lifetimes"), N_ ("When each variable is live"), NULL, FALSE, { NULL } },
};

const char *
tsr_liveness_tab_get_nick (TsrLivenessTab tab)
{
  g_return_val_if_fail (tab < TSR_LIVENESS_N_TABS, NULL);
  return tsr_liveness_tab_infos[tab].nick;
}

gboolean
tsr_liveness_tab_parse (const char *nick, TsrLivenessTab *tab)
{
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    if (g_strcmp0 (nick, tsr_liveness_tab_infos[i].nick) == 0)
      {
        *tab = i;
        return TRUE;
      }
  return FALSE;
}
