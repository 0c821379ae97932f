/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the help says.  The page of rules is made of the register of Insights, so that it cannot say
 * anything else than what is checked. */

#include "config.h"

#include "tsr-help.h"

#include "tsr-insights.h"

#include <glib/gi18n.h>
#include <string.h>

static const TsrHelpParagraph capture[] = {
  { TSR_HELP_TEXT, N_ ("A report is written by Poplar while your program is compiled and run.  "
                       "Switch it on with an "
                       "environment variable; no change to the program is needed.") },
  { TSR_HELP_HEADING, N_ ("Everything") },
  { TSR_HELP_CODE, "POPLAR_ENGINE_OPTIONS='{\"autoReport.all\":\"true\", "
                   "\"autoReport.directory\":\"./report\"}' python3 train.py" },
  { TSR_HELP_TEXT,
    N_ ("The folder ./report then holds the report.  PopART and PopTorch put one below it for each "
        "engine, named training, inference or as the program says; TensorFlow makes a folder with "
        "date, time and process number.  Wait until the program has ended: before that the profile "
        "has a temporary name and is still being written.") },
  { TSR_HELP_HEADING, N_ ("A program that does not fit") },
  { TSR_HELP_CODE, "\"debug.allowOutOfMemory\":\"true\"" },
  { TSR_HELP_TEXT,
    N_ ("With this option the report is written although a tile overflows (the default since SDK "
        "2.1).  Such a report has all of the memory, but no execution.") },
  { TSR_HELP_HEADING, N_ ("Smaller and faster") },
  { TSR_HELP_TEXT, N_ ("Recording costs time, memory on the tiles and disk.  What you do not need "
                       "can be left out:") },
  { TSR_HELP_ITEM, N_ ("autoReport.outputExecutionProfile and debug.instrument: false when only "
                       "memory matters") },
  { TSR_HELP_ITEM,
    N_ ("autoReport.outputLoweredVars: false leaves out variables per tile, the largest part") },
  { TSR_HELP_ITEM,
    N_ ("autoReport.outputDebugInfo: false leaves out debug.cbor (operations, source "
        "lines)") },
  { TSR_HELP_ITEM, N_ ("autoReport.outputArchive: false leaves out archive.a") },
  { TSR_HELP_ITEM,
    N_ ("debug.computeInstrumentationLevel: ipu measures one tile of each IPU instead "
        "of all (vertex, tile, ipu or device)") },
  { TSR_HELP_ITEM, N_ ("autoReport.executionProfileProgramRunCount: how many runs are recorded") },
  { TSR_HELP_ITEM, N_ ("profiler.replicaToProfile: one replica instead of all") },
  { TSR_HELP_HEADING, N_ ("More") },
  { TSR_HELP_ITEM,
    N_ ("profiler.includeCycleEstimates and profiler.includeFlopEstimates: estimates "
        "beside what was measured") },
  { TSR_HELP_ITEM,
    N_ ("debug.branchRecordTile and debug.profilingTile: the tile that keeps records; "
        "move it when that tile is the fullest") },
  { TSR_HELP_ITEM,
    N_ ("profiler.blocks.filter and profiler.programs.filter: lightweight profiling of "
        "chosen parts, with little overhead") },
  { TSR_HELP_TEXT, N_ ("The environment variable POPLAR_PROFILER_LOG_LEVEL makes the profiler say "
                       "what it does.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph opening[] = {
  { TSR_HELP_TEXT, N_ ("Open a folder or a file in one.  These names are known:") },
  { TSR_HELP_ITEM,
    N_ ("profile.pop: the profile itself, and the only file that is really needed") },
  { TSR_HELP_ITEM,
    N_ ("archive.a: the executable, one part for each tile; alone it still gives the "
        "memory of each tile") },
  { TSR_HELP_ITEM, N_ ("debug.cbor: debug information; a link that leads nowhere after copying is "
                       "looked for in the folder above") },
  { TSR_HELP_ITEM,
    N_ ("framework.json and app.json: whatever the framework or your program noted") },
  { TSR_HELP_TEXT,
    N_ ("A profile left behind by a program that crashed (profile_ and random letters) opens as "
        "far "
        "as it was written.  A folder with several reports, such as training and inference, asks "
        "which one.") },
  { TSR_HELP_HEADING, N_ ("Ways to open") },
  { TSR_HELP_ITEM, N_ ("Open a report… or Ctrl+O: type a path (Tab completes it) or walk through "
                       "folders with the arrow keys; reports are marked") },
  { TSR_HELP_ITEM, N_ ("Drag a folder or file onto a window") },
  { TSR_HELP_ITEM, N_ ("In a terminal:") },
  { TSR_HELP_CODE, "tessera ./report/training\ntessera --page=memory ./report/training\n"
                   "tessera --new-window ./other" },
  { TSR_HELP_ITEM,
    N_ ("A link that somebody sent: Copy Link to This View in the main menu holds "
        "the report, the page, what is selected and how it is shown; open it with tessera and the "
        "link in a terminal, or by a click where the desktop knows it") },
  { TSR_HELP_HEADING, N_ ("While a report is open") },
  { TSR_HELP_TEXT,
    N_ ("Tessera never writes into a report’s folder.  It watches the files: when one changes it "
        "says which, waits until they stand still, and offers to reload.  When reloading fails, "
        "the "
        "report as it was stays.") },
  { TSR_HELP_TEXT,
    N_ ("Ctrl+K finds anything by its name: variables, vertices, compute sets, programs, their "
        "debug contexts, tiles (1806, ipu 1) and views.  A context leads to the program that has "
        "it or is nearest to it.  Several words must all be there.  Up and Down choose, Return "
        "shows it; "
        "Shift+Return shows a variable in Memory instead of Liveness, and a program or a compute "
        "set "
        "where it is executed.") },
  { TSR_HELP_TEXT, N_ ("Views that a report has no data for stay in the side menu, dimmed; a click "
                       "says what is missing and which engine option records it.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph remote[] = {
  { TSR_HELP_TEXT,
    N_ ("A report of a gigabyte need not be copied: Tessera reads what a page needs over ssh, and "
        "keeps it on this computer.  No other program is needed for that, here or there; the host "
        "must only let you in and serve files (SFTP).") },
  { TSR_HELP_ITEM,
    N_ ("Open a report…, Remote: user name, host name and port; Return connects from "
        "any field.  Hosts are remembered, and names of ~/.ssh/config are listed") },
  { TSR_HELP_ITEM,
    N_ ("Choose the report’s folder or a file in it, as on this computer: type a path "
        "(Tab completes it) or walk with the arrow keys; reports are marked") },
  { TSR_HELP_ITEM,
    N_ ("Or give the location, in a terminal, in the list of recent reports, as text "
        "that is dropped on a window, or as a link that somebody sent:") },
  { TSR_HELP_CODE, "tessera ssh://me@host/data/report/training\n"
                   "tessera 'ssh://me@node/data/report?jump=me@gate'" },
  { TSR_HELP_HEADING, N_ ("Jump hosts") },
  { TSR_HELP_TEXT,
    N_ ("Where the host can be reached only through others, name them in the field for jump hosts, "
        "from here to there, with commas: me@gate,me@inner:2222.  What ProxyJump of ~/.ssh/config "
        "says is done without a word.  Each hop asks in a dialog of its own, which says who "
        "asks.") },
  { TSR_HELP_HEADING, N_ ("Passwords and keys") },
  { TSR_HELP_TEXT,
    N_ ("Keys of an agent are tried first, then key files, then what the host asks for: a "
        "password, or its own questions, such as a one-time password.  One answer for each hop "
        "serves all reports and windows; after the connection was lost it is asked for again, and "
        "only when something is to be read.  What you type is kept in memory that is wiped, and "
        "nowhere else.") },
  { TSR_HELP_HEADING, N_ ("Is it the right host?") },
  { TSR_HELP_TEXT,
    N_ ("A host that is not known shows the fingerprint of its key: compare it with what the "
        "host’s "
        "owner says.  A host whose key is another one than before is refused, as ssh does it: if "
        "the "
        "machine was set up anew, take the line that is named out of known_hosts.") },
  { TSR_HELP_HEADING, N_ ("A tunnel of your own") },
  { TSR_HELP_CODE, "ssh -J me@gate me@node -L 8090:127.0.0.1:22" },
  { TSR_HELP_TEXT,
    N_ ("While this runs in a terminal, host name 127.0.0.1 and port 8090 lead to the node.  If "
        "the "
        "same port leads to another machine another day, its key differs and the host is refused: "
        "write the machine’s name into Host key alias, under More, and each machine’s key is "
        "remembered under its own name.  With jump hosts no tunnel is needed.") },
  { TSR_HELP_HEADING, N_ ("While it is open") },
  { TSR_HELP_TEXT,
    N_ ("The foot of the window says host, speed and latency; a click there shows more.  Keep a "
        "Local "
        "Copy, there or in the main menu, fetches the rest in the background: it can be paused, "
        "goes "
        "on where it stopped, and then the report opens without a network.  When the connection is "
        "lost, what is here can still be seen, and a bar offers to connect again as soon as "
        "something else is needed.  How much is kept is in the preferences.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph summary[] = {
  { TSR_HELP_TEXT,
    N_ ("First the verdict: whether the program fits, and the fullest tile; the link beside it "
        "shows "
        "that tile in Memory.  A program fits when no tile overflows, however much room the others "
        "have.") },
  { TSR_HELP_HEADING, N_ ("Replicas") },
  { TSR_HELP_TEXT,
    N_ ("A program may run as several replicas, each on its own IPUs.  All hold the same program, "
        "so "
        "memory figures are of one replica; the totals of the target count all of them.") },
  { TSR_HELP_HEADING, N_ ("Assumed") },
  { TSR_HELP_TEXT,
    N_ ("Where a report does not tell the number of tiles of an IPU, it is assumed from the number "
        "of "
        "tiles (1,472 or 1,216) and marked so.  It can be changed in the card Target.") },
  { TSR_HELP_HEADING, N_ ("Copying") },
  { TSR_HELP_TEXT, N_ ("Every value can be selected and copied.  Copy All as Text (Ctrl+Shift+C) "
                       "copies the whole page.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph insights[] = {
  { TSR_HELP_TEXT,
    N_ ("What should be looked at first: whether the program fits, which tiles are fullest, and "
        "what was found by rules that are checked on every report.  A finding opens in place; its "
        "arrow leads to the view that shows it, with the tiles, the step or the variables "
        "selected.") },
  { TSR_HELP_HEADING, N_ ("What a change saves") },
  { TSR_HELP_TEXT,
    N_ ("A saving is the old peak of a tile minus its peak after the change: when something "
        "shrinks, another step may become the peak, so it is less than the bytes that go.  It is "
        "an upper bound, because the allocator packs anew, and savings of several findings do not "
        "add up.") },
  { TSR_HELP_HEADING, N_ ("Checked and fine, not checked") },
  { TSR_HELP_TEXT,
    N_ ("Rules that found nothing are listed with what they measured and with their threshold; "
        "rules for which the report lacks data say what is missing and which engine option records "
        "it.") },
  { TSR_HELP_HEADING, N_ ("Words") },
  { TSR_HELP_ITEM, N_ ("Always live: holds data at every step and has an address of its own") },
  { TSR_HELP_ITEM,
    N_ ("Resident: not always live in the report, but at 98 percent of the steps or more, "
        "as large parameters are") },
  { TSR_HELP_ITEM,
    N_ ("Packing loss: addresses that are used at some time, but not at the tile’s peak") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph memory[] = {
  { TSR_HELP_TEXT,
    N_ ("Each tile has its own small memory, and nothing else: a tile that needs more than it has "
        "makes the whole program fail.  The graph shows how much each tile uses; the line on top "
        "is "
        "what a tile has.") },
  { TSR_HELP_HEADING, N_ ("Gaps") },
  { TSR_HELP_TEXT,
    N_ ("Some data must lie in certain parts of the memory, so some room between them cannot be "
        "used.  "
        "Including gaps is the highest address that is used; excluding gaps is the sum of what is "
        "really stored.  Gaps alone can make a tile overflow.") },
  { TSR_HELP_HEADING, N_ ("Breakdowns") },
  { TSR_HELP_ITEM, N_ ("Region: not interleaved, interleaved (needed by wide loads and stores) and "
                       "overflowed") },
  { TSR_HELP_ITEM, N_ ("Category: variables, code, exchange code and so on") },
  { TSR_HELP_ITEM, N_ ("Liveness: always live, and what is live for a while only") },
  { TSR_HELP_HEADING, N_ ("Graphs") },
  { TSR_HELP_ITEM, N_ ("Total: what each tile holds, at its own peak or at one liveness step; one "
                       "that you chose in Liveness is there when you come from it") },
  { TSR_HELP_ITEM,
    N_ ("Variables: how much each tile has of the variables that you choose, one line each") },
  { TSR_HELP_ITEM,
    N_ ("Tile Map: the tiles where they lie on the chip.  Drag the marks of the colour scale to "
        "tell small differences apart; a double click on it resets it.") },
  { TSR_HELP_HEADING, N_ ("Tables") },
  { TSR_HELP_TEXT,
    N_ ("Compute Sets, Vertices, Exchanges and Variables are those of the selected tiles, or of "
        "all.  With one tile selected, Variables shows its memory, row by row of 16 KiB: each "
        "variable at its address, gaps hatched.  The slider shows what is live at a step and "
        "plays the program.  A variable that is selected here is selected in Liveness, too.") },
  { TSR_HELP_HEADING, N_ ("Tiles") },
  { TSR_HELP_TEXT,
    N_ ("Type tiles as 0,5,10-20, an IPU as ipu1, the fullest as top5, or click in the "
        "graph; Shift adds to the selection.  The table below has a column for each of "
        "them.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph liveness[] = {
  { TSR_HELP_TEXT,
    N_ ("The graph shows what is live at each step of the program: what is needed at every step at "
        "the bottom, what is needed for a while on top of it.  The highest peak decides whether "
        "the "
        "program fits: look at what it is made of.  Peaks have numbers; the keys 1 to 9 go "
        "there.") },
  { TSR_HELP_HEADING, N_ ("Source") },
  { TSR_HELP_TEXT,
    N_ ("All tiles together, one IPU, or any tiles.  A program fails on a single tile, so a report "
        "that does not fit opens on the worst one.  Single tiles and IPUs need the variables on "
        "each tile (engine option autoReport.outputLoweredVars).") },
  { TSR_HELP_HEADING, N_ ("Steps") },
  { TSR_HELP_TEXT,
    N_ ("Click a step, Shift-click up to six; the tables get a column for each and the difference "
        "from the first, A.  Drag from one step to another to compare the two: A to B says what is "
        "born, dies, grows and shrinks.  While no step is selected, the tables show the peak.") },
  { TSR_HELP_HEADING, N_ ("Variables") },
  { TSR_HELP_TEXT,
    N_ ("Select rows in a table to see when these variables are live, as lines over the graph; "
        "they "
        "stay selected in the other views.  Rows can be joined by name prefix, by category or by "
        "life.  Lifetimes has a bar for every variable on the axis of the graph.") },
  { TSR_HELP_HEADING, N_ ("What is not counted") },
  { TSR_HELP_TEXT,
    N_ ("Liveness counts the variables themselves.  A tile needs more than that: gaps, and "
        "addresses that are used at some other time.  What a tile needs in all is in Memory.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph trace[] = {
  { TSR_HELP_TEXT,
    N_ ("The trace shows what every IPU did when, on one axis for all of them.  It opens on the "
        "last complete run: between runs the IPUs only wait for the host.  A profile that is not "
        "lightweight is simulated and then corrected by measured cycles, and each compute set has "
        "the cycles of its last execution.") },
  { TSR_HELP_HEADING, N_ ("Rows") },
  { TSR_HELP_ITEM, N_ ("Flat: a row of steps; Flame: names split at their slashes; BSP: beside "
                       "either, what every tile does") },
  { TSR_HELP_ITEM, N_ ("Steps that really overlap, such as copies of I/O tiles, stand in lanes "
                       "below a dashed line") },
  { TSR_HELP_ITEM, N_ ("Steps that share a pixel are drawn as the longest of them; the callout "
                       "says how many there are") },
  { TSR_HELP_ITEM, N_ ("The arrow beside an IPU’s name collapses it, the pin keeps it on top; rows "
                       "that have no room scroll") },
  { TSR_HELP_HEADING, N_ ("Figures") },
  { TSR_HELP_TEXT,
    N_ ("The details are of what is visible, or of a span that is measured: drag over it, click a "
        "group or a run, or press V for what is visible.  Utilisation is the share of compute, "
        "exchange and transfers in all cycles of the counted step types; the wait before a run is "
        "never counted.  Hidden step types are not counted either, and the scope line says so.") },
  { TSR_HELP_HEADING, N_ ("Waits") },
  { TSR_HELP_TEXT,
    N_ ("A wait for the host of more than a hundredth of the rest is folded to a notch with its "
        "length above it.  Options unfolds them.") },
  { TSR_HELP_HEADING, N_ ("Markers") },
  { TSR_HELP_TEXT,
    N_ ("M marks a place or a span with a note.  Markers are kept with your own data for this "
        "recording, never beside the report, and are there when you open it again.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph programs[] = {
  { TSR_HELP_TEXT, N_ ("What the program is made of: control programs and functions at the left, "
                       "their tree beside them, and below or beside it what belongs to the "
                       "selected program.") },
  { TSR_HELP_HEADING, N_ ("The tree") },
  { TSR_HELP_TEXT,
    N_ ("The colour is that of the step in the Execution Trace; programs that only control others "
        "are green.  Figures are of a program with all below it unless a heading says self; what "
        "several programs call is theirs in proportion to how often each executes it.  A function "
        "is expanded where it stands first: a double-click on another place expands it there, "
        "too.") },
  { TSR_HELP_ITEM, N_ ("Columns chooses the figures; a heading sorts siblings by its column") },
  { TSR_HELP_ITEM, N_ ("Types leaves out types of programs; what is below them moves up.  Group "
                       "makes one row of equal siblings that follow each other") },
  { TSR_HELP_ITEM, N_ ("Costliest lists every program once, by what it takes alone") },
  { TSR_HELP_ITEM,
    N_ ("Icicle draws the tree: a row for each level, and cells as wide as the cycles, the code or "
        "the live bytes of a program with all below it.  A double-click zooms to a cell and back, "
        "the wheel about the pointer") },
  { TSR_HELP_ITEM, N_ ("Debug tells what made the program, from the outermost layer to Poplar, "
                       "with file and line") },
  { TSR_HELP_ITEM, N_ ("Highlight marks all programs that the same operation of a software layer "
                       "made as the selected one, in the tree, the list and the icicle") },
  { TSR_HELP_HEADING, N_ ("Other views") },
  { TSR_HELP_TEXT,
    N_ ("Show in, or the menu of a row, leads to the steps of a program in the Execution Trace, to "
        "its liveness step, and to its code on every tile in Memory’s tile map, over the table "
        "with "
        "its compute set or exchange.  From there the menu of a step, “Made by” in its details, "
        "“program” in the line over Liveness and the menus of compute sets and variables lead "
        "back.") },
  { TSR_HELP_TEXT, NULL },
};

static const TsrHelpParagraph keys[] = {
  { TSR_HELP_TEXT, N_ ("Everything can be done by keyboard alone.  Ctrl+? lists all keys.") },
  { TSR_HELP_HEADING, N_ ("Anywhere") },
  { TSR_HELP_ITEM, N_ ("Ctrl+O: open a report; Ctrl+Shift+O: open one on a remote host; there, "
                       "Ctrl+Page Down goes to the other tab") },
  { TSR_HELP_ITEM, N_ ("Ctrl+N: new window") },
  { TSR_HELP_ITEM, N_ ("F1: this help") },
  { TSR_HELP_ITEM, N_ ("F10: main menu") },
  { TSR_HELP_HEADING, N_ ("In a report") },
  { TSR_HELP_ITEM,
    N_ ("Alt+1 to Alt+6: Summary, Insights, Memory, Liveness, Execution Trace, Program Tree; "
        "Alt+Left and Alt+Right: back and forward; Ctrl+Shift+L: copy a link to this view") },
  { TSR_HELP_ITEM, N_ ("F5: reload; Ctrl+Shift+W: close the report") },
  { TSR_HELP_ITEM, N_ ("Ctrl+B: labels in the side menu") },
  { TSR_HELP_ITEM,
    N_ ("Ctrl+Shift+C: copy the page as text; Ctrl+Shift+D: remarks on the report") },
  { TSR_HELP_HEADING, N_ ("In a graph") },
  { TSR_HELP_ITEM,
    N_ ("Left and Right move the cursor, with Ctrl by ten; Home and End: first and last") },
  { TSR_HELP_ITEM, N_ ("Space or Enter selects what is under the cursor, with Shift adds it; "
                       "Shift+Left and Shift+Right extend; Escape clears") },
  { TSR_HELP_ITEM, N_ ("+ and − zoom, 0 shows all, F zooms to the selection, Backspace undoes the "
                       "last zoom; Page Up and Page Down page") },
  { TSR_HELP_ITEM, N_ ("Ctrl+T: type the tiles to select; F9: show or hide the details") },
  { TSR_HELP_ITEM, N_ ("On the Memory page Ctrl+1, Ctrl+2 and Ctrl+3: Total, Variables, Tile Map; "
                       "Ctrl+Shift+V: add a variable to the graph") },
  { TSR_HELP_HEADING, N_ ("In Liveness") },
  { TSR_HELP_ITEM, N_ ("1 to 9: go to a peak, with Ctrl add it to the selection; Ctrl+T: source") },
  { TSR_HELP_ITEM,
    N_ ("/: filter the steps; N and P, in the entry Enter and Shift+Enter: next and previous "
        "match") },
  { TSR_HELP_ITEM, N_ ("In the lifetimes Up and Down move along the variables, Space or Enter "
                       "selects, [ and ] make the rows lower and taller") },
  { TSR_HELP_HEADING, N_ ("In the Execution Trace") },
  { TSR_HELP_ITEM,
    N_ ("W and S zoom, A and D pan; Up and Down move the cursor over rows; G: type a "
        "range; Shift+M measures what is at the cursor, V what is visible") },
  { TSR_HELP_ITEM,
    N_ ("[ and ]: previous and next execution of the same step; { and }: previous "
        "and next run; /: search; N and P, in the entry Enter and Shift+Enter: next and "
        "previous match; N and P with Shift zoom to "
        "it") },
  { TSR_HELP_ITEM,
    N_ ("C collapses an IPU, Shift+C all of them, X pins one; Ctrl+1, Ctrl+2, Ctrl+3: Flat, Flame, "
        "BSP; T: "
        "time or cycles; M: mark with a note; Ctrl++ and Ctrl+−: height of the rows; Alt++ and "
        "Alt+−: closer to the tiles of BSP and back; Ctrl+Page Up and Ctrl+Page Down: tabs") },
  { TSR_HELP_ITEM, N_ ("The wheel zooms, with Ctrl or over the names it scrolls the rows, with Alt "
                       "over a band of tiles it zooms that; a drag measures, with Ctrl or the "
                       "middle button it moves what is under it; a double-click goes to a step, a "
                       "group or a wait and back") },
  { TSR_HELP_HEADING, N_ ("In the Program Tree") },
  { TSR_HELP_ITEM,
    N_ ("Right and Left expand and collapse a row, with Shift all below it; Enter expands here "
        "what is expanded elsewhere; the Menu key opens the menu of a row") },
  { TSR_HELP_ITEM, N_ ("In the icicle arrows go to cells beside, above and below, Enter zooms to "
                       "one and back, Backspace back, 0 shows all") },
  { TSR_HELP_ITEM, N_ ("/: search; N and P, in the entry Enter and Shift+Enter: next and previous "
                       "match; full stop and comma: next and previous program that is "
                       "highlighted; Ctrl+1, Ctrl+2 and Ctrl+3: the tree, the costliest programs, "
                       "the icicle; "
                       "Ctrl+Page Up and Ctrl+Page Down: tabs") },
  { TSR_HELP_HEADING, N_ ("In the open dialog") },
  { TSR_HELP_ITEM, N_ ("Tab takes a completion, Down walks through them, Enter opens") },
  { TSR_HELP_ITEM,
    N_ ("In the list: Enter opens, Right goes into a folder, Backspace or Left goes up") },
  { TSR_HELP_TEXT, NULL },
};

static void
add (GArray *list, TsrHelpKind kind, const char *text)
{
  const TsrHelpParagraph paragraph = { kind, text };

  g_array_append_val (list, paragraph);
}

/* Whether thresholds that begin with @name are those of a single rule. */
static gboolean
is_rule (const char *name)
{
  TsrInsightRuleText rule;

  for (guint i = 0; tsr_insight_rules_describe (i, &rule); i++)
    if (g_str_has_prefix (name, rule.id) && name[strlen (rule.id)] == '.')
      return TRUE;
  return FALSE;
}

/* The thresholds of @rule (NULL: those of several rules). */
static void
add_limits (GArray *list, const char *rule)
{
  guint n;
  const TsrInsightLimit *limits = tsr_insight_limits_get (&n);
  g_autofree char *prefix = rule != NULL ? g_strconcat (rule, ".", NULL) : NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = NULL;

      if (rule != NULL ? !g_str_has_prefix (limits[i].name, prefix) : is_rule (limits[i].name))
        continue;
      value = tsr_insight_limit_dup_value (&limits[i]);
      /* Translators: what a rule does, and from where on: "Fires when the fullest tile has less
       * free than" "5 % of a tile". */
      add (list, TSR_HELP_ITEM,
           g_strdup_printf (C_ ("threshold", "%1$s %2$s"), _ (limits[i].meaning), value));
    }
}

/* One page for all rules, from the register that they are checked by.  Lives as long as the
 * program. */
static TsrHelpParagraph *
list_rules (void)
{
  GArray *list = g_array_new (TRUE, TRUE, sizeof (TsrHelpParagraph));
  TsrInsightRuleText rule;

  add (list, TSR_HELP_TEXT,
       N_ ("Every report is checked by these rules.  The worst tile is the one that lacks most, or "
           "the fullest where all fit; a share of a tile is of its memory, a share of the run of "
           "the cycles of the last complete run without the wait that begins it.  The word below "
           "a title is the rule’s name on the command line."));
  add (list, TSR_HELP_HEADING, N_ ("Severity"));
  add (list, TSR_HELP_TEXT,
       N_ ("How severe a finding is goes by what it costs; about the execution, by its share of "
           "the run."));
  add_limits (list, NULL);
  for (guint i = 0; tsr_insight_rules_describe (i, &rule); i++)
    {
      add (list, TSR_HELP_HEADING, rule.title);
      add (list, TSR_HELP_CODE, rule.id);
      add (list, TSR_HELP_TEXT, rule.meaning);
      add_limits (list, rule.id);
    }
  return (TsrHelpParagraph *)g_array_free (list, FALSE);
}

/* Topics in the order of the list.  Paragraphs of "rules" are made of the register. */
static TsrHelpTopic topics[] = {
  { "capture", N_ ("How to capture a report"), capture },
  { "open", N_ ("What can be opened"), opening },
  { "remote", N_ ("A report on a remote host"), remote },
  { "summary", N_ ("The Summary"), summary },
  { "insights", N_ ("The Insights page"), insights },
  { "rules", N_ ("The rules of Insights"), NULL },
  { "memory", N_ ("The Memory page"), memory },
  { "liveness", N_ ("The Liveness page"), liveness },
  { "trace", N_ ("The Execution Trace"), trace },
  { "programs", N_ ("The Program Tree"), programs },
  { "keys", N_ ("Keys"), keys },
};

const TsrHelpTopic *
tsr_help_get_topics (guint *n_topics)
{
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (topics[i].paragraphs == NULL)
      topics[i].paragraphs = list_rules ();
  *n_topics = G_N_ELEMENTS (topics);
  return topics;
}
