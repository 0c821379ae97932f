# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles of IPU 0 by the type of program, with a visitor that counts compute sets of several vertex types."""
import sys
from collections import Counter

import pva


class Several(pva.ProgramVisitor):
    def __init__(self):
        self.names = Counter()
        super().__init__()

    def visitOnTileExecute(self, onTileExecute):
        if len(onTileExecute.computeset.vertices) > 1:
            self.names[onTileExecute.name] += 1


report = pva.openReport(sys.argv[1])
several = Several()
cycles = Counter()
for step in report.execution.steps:
    cycles[step.program.type.name] += step.ipus[0].cycles
    step.program.accept(several)
for name, sum_ in sorted(cycles.items(), key=lambda pair: (-pair[1], pair[0])):
    print(name, sum_)
print('several', sum(several.names.values()))
