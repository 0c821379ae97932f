# SPDX-License-Identifier: GPL-3.0-or-later
"""The curves of a liveness plot and the fullest tile's own, as JSON: PROFILE."""
import itertools
import json
import sys

import pva

compilation = pva.openReport(sys.argv[1]).compilation
always = sum(v.size for v in compilation.alwaysLiveVariables)
steps = compilation.livenessProgramSteps
total = [always + step.notAlwaysLiveMemory.bytes for step in steps]
peak = total.index(max(total))
tile = max(range(compilation.target.tilesPerReplica), key=lambda t: compilation.tiles[t].memory.total.includingGaps)
rest = sum(v.size for v in compilation.alwaysLiveVariablesForTile(tile))
curve = [rest + step.notAlwaysLiveMemoryForTile(tile).bytes for step in steps]
live = {v: v.size for v in steps[peak].notAlwaysLiveMemory.variables}
spans = [(v.id, [(part.start, part.end) for part in v.equivalenceClass.steps])
         for v in itertools.islice(compilation.loweredVariables.allBriefVars, 50)]
json.dump({'total': total, 'names': [step.program.name for step in steps[-3:]], 'tile': tile, 'curve': curve,
           'byIpu': [steps[peak].notAlwaysLiveMemoryForIpu(i).bytes for i in range(compilation.target.ipusPerReplica)],
           'live': sorted((v.name, size) for v, size in live.items()), 'spans': spans}, sys.stdout)
