# SPDX-License-Identifier: GPL-3.0-or-later
"""The tiles that use most memory, and the largest category of each."""
import sys

import pva

report = pva.openReport(sys.argv[1])
tiles = sorted(enumerate(report.compilation.tiles), key=lambda pair: -pair[1].memory.total.includingGaps)
for number, tile in tiles[:10]:
    memory = tile.memory
    name = max(dir(memory.category), key=lambda name: getattr(memory.category, name).total)
    print(number, memory.total.includingGaps, name, getattr(memory.category, name).total)
