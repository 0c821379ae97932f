# SPDX-License-Identifier: GPL-3.0-or-later
"""What two reports differ in: bytes of all tiles by category, and the total."""
import sys

import pva


def totals(path):
    tiles = pva.openReport(path).compilation.tiles
    sums = {name: sum(getattr(tile.memory.category, name).total for tile in tiles) for name in dir(tiles[0].memory.category)}
    sums['total'] = sum(tile.memory.total.excludingGaps for tile in tiles)
    return sums


before, after = (totals(path) for path in sys.argv[1:3])
for name in sorted(set(before) | set(after)):
    if before.get(name, 0) != after.get(name, 0):
        print(name, before.get(name, 0), after.get(name, 0), after.get(name, 0) - before.get(name, 0))
