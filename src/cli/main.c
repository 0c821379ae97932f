/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli: finds the command and runs it.  The first SIGINT cancels the command, so that output
 * is closed and copies are removed; a second one ends the program.  A thread waits for it, and for
 * other signals that end or stop the program, to restore the terminal's echo first. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-cli-terminal.h"
#include "tsr-locale.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const TsrCommand commands[] = {
  { "summary", "REPORT", N_ ("What the report is: target, graph, options, files and views"),
    tsr_cli_run_summary },
  { "memory", "REPORT", N_ ("Memory of the replica and of each tile"), tsr_cli_run_memory },
  { "insights", "REPORT", N_ ("Whether it fits, what fills it, and what would help"),
    tsr_cli_run_insights },
  { "liveness", "REPORT", N_ ("Memory that is live at each program step, or what is live at one"),
    tsr_cli_run_liveness },
  { "variables", "REPORT", N_ ("Variables with their bytes, places and lifetimes"),
    tsr_cli_run_variables },
  { "vertices", "REPORT", N_ ("Types of vertices with their state and code"),
    tsr_cli_run_vertices },
  { "programs", "REPORT", N_ ("Programs and what is below them, or their tree"),
    tsr_cli_run_programs },
  { "operations", "REPORT", N_ ("What each operation of a software layer costs"),
    tsr_cli_run_operations },
  { "trace", "REPORT", N_ ("What every IPU did when, or the steps of the execution"),
    tsr_cli_run_trace },
  { "debug", "REPORT ID", N_ ("Where a program or variable comes from: its debug contexts"),
    tsr_cli_run_debug },
  { "check", "REPORT", N_ ("Read and validate everything, and compare with budgets"),
    tsr_cli_run_check },
  { "schema", "FILE",
    N_ ("Structure of a profile.pop without one string of yours, for a bug report"),
    tsr_cli_run_schema },
  { "render", "REPORT", N_ ("A view's chart as PNG, SVG or PDF"), tsr_cli_run_render },
  { "export", "REPORT", N_ ("The execution as a trace file for the Perfetto viewer"),
    tsr_cli_run_export },
  { "cache", NULL, N_ ("What is kept on this machine of reports over ssh"), tsr_cli_run_cache },
};

static const TsrCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      return &commands[i];
  return NULL;
}

static void
print_commands (FILE *file)
{
  fprintf (file, "%s\n", _ ("Commands:"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (file, "  %-10s %-7s %s\n", commands[i].name,
             commands[i].synopsis != NULL ? commands[i].synopsis : "", _ (commands[i].summary));
}

static void
print_help (FILE *file)
{
  fprintf (file, "%s\n  tessera-cli %s\n\n", _ ("Usage:"), _ ("COMMAND [OPTION…] REPORT"));
  fprintf (file, "%s\n\n",
           _ ("Reads the profiling reports that Poplar writes for programs on IPUs.  REPORT is a "
              "folder, or\na file in one, or such a place over ssh: "
              "ssh://[USER@]HOST[:PORT]/PATH."));
  print_commands (file);
  fprintf (file, "\n%s\n",
           _ ("See \"tessera-cli COMMAND --help\" and the manual page tessera-cli(1)."));
}

/* What a terminal and other programs send to end or stop this one. */
static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

typedef struct
{
  GCancellable *cancellable;
  sigset_t set;
} Signals;

/* Does what the signal does to a program that knows nothing of it. */
static void
obey (int number)
{
  sigset_t set;

  signal (number, SIG_DFL);
  sigemptyset (&set);
  sigaddset (&set, number);
  raise (number);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  /* Comes back only from SIGTSTP. */
  pthread_sigmask (SIG_BLOCK, &set, NULL);
}

static gpointer
wait_for_signals (gpointer data)
{
  Signals *waited = data;
  int number;

  while (sigwait (&waited->set, &number) == 0)
    if (number == SIGINT && !g_cancellable_is_cancelled (waited->cancellable))
      g_cancellable_cancel (waited->cancellable);
    else
      {
        /* A password may be being asked for. */
        tsr_cli_terminal_restore ();
        obey (number);
        tsr_cli_terminal_resume ();
      }
  return NULL;
}

static void
prepare_signals (GCancellable *cancellable)
{
  static Signals waited;

  /* A reader that has seen enough ("| head") ends this program without a word, also when the
   * caller's habit was to ignore the signal. */
  signal (SIGPIPE, SIG_DFL);
  waited.cancellable = cancellable;
  sigemptyset (&waited.set);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      struct sigaction old = { 0 };

      sigaction (signals[i], NULL, &old);
      if (old.sa_handler != SIG_IGN)
        sigaddset (&waited.set, signals[i]);
    }
  pthread_sigmask (SIG_BLOCK, &waited.set, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signals, &waited));
}

int
main (int argc, char **argv)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  TsrCli cli = { .cancellable = cancellable };

  tsr_locale_init ();
  g_set_prgname ("tessera-cli");

  if (argc < 2)
    {
      print_help (stderr);
      return TSR_EXIT_FAILED;
    }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    {
      print_help (stdout);
      return tsr_cli_flush (&cli) ? TSR_EXIT_FINE : TSR_EXIT_ERRORS;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      printf ("tessera-cli %s\n", TSR_VERSION);
      return tsr_cli_flush (&cli) ? TSR_EXIT_FINE : TSR_EXIT_ERRORS;
    }
  cli.command = find_command (argv[1]);
  if (cli.command == NULL)
    {
      tsr_cli_say (_ ("There is no command \"%s\""), argv[1]);
      print_commands (stderr);
      return TSR_EXIT_FAILED;
    }
  prepare_signals (cancellable);
  cli.status = cli.command->run (&cli, argc - 1, argv + 1);
  tsr_cli_clear (&cli);
  tsr_cli_terminal_close ();
  return cli.status;
}
