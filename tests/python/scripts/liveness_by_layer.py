# SPDX-License-Identifier: GPL-3.0-or-later
"""What is live at the step with most bytes, by layer: the first part of a variable's name."""
import sys
from collections import Counter

import pva

report = pva.openReport(sys.argv[1])
steps = report.compilation.livenessProgramSteps
peak = max(steps, key=lambda step: step.notAlwaysLiveMemory.bytes)
layers = Counter()
for variable in peak.notAlwaysLiveMemory.variables:
    layers[variable.name.split('/')[0]] += variable.size
print(peak.program.name, peak.notAlwaysLiveMemory.bytes)
for layer, size in sorted(layers.items(), key=lambda pair: (-pair[1], pair[0])):
    print(layer, size)
