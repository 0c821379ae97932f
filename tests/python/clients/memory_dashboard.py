# SPDX-License-Identifier: GPL-3.0-or-later
"""What a dashboard of memory shows of each IPU, as JSON: PROFILE."""
import json
import sys

import pva.pva_core as pva

report = pva.openReport(sys.argv[1])
target = report.compilation.target
board = {'poplar': '.'.join(str(getattr(report.poplarVersion, part)) for part in ('major', 'minor', 'point')), 'ipus': []}
for ipu in report.compilation.ipus:
    tiles = list(ipu.tiles)
    fullest = max(enumerate(tiles), key=lambda pair: pair[1].memory.total.includingGaps)
    of = {name: sum(getattr(tile.memory.category, name).total for tile in tiles) for name in dir(tiles[0].memory.category)}
    board['ipus'].append({
        'used': sum(tile.memory.total.excludingGaps for tile in tiles),
        'gaps': sum(tile.memory.total.includingGaps - tile.memory.total.excludingGaps for tile in tiles),
        'free': sum(max(target.bytesPerTile - tile.memory.total.includingGaps, 0) for tile in tiles),
        'tooFull': [number for number, tile in enumerate(tiles) if tile.memory.total.includingGaps > target.bytesPerTile],
        'fullest': fullest[0], 'alwaysLive': sum(tile.memory.alwaysLiveBytes for tile in tiles),
        'code': sum(v.codeBytes for tile in tiles for v in tile.memory.vertices),
        'categories': {name: size for name, size in of.items() if size}})
variables = sorted(fullest[1].memory.vertices, key=lambda v: v.codeBytes)[-3:]
board['largest'] = sorted(((v.bytes, v._id) for v in report.compilation.loweredVariables.forTile(board['ipus'][0]['fullest'])),
                          reverse=True)[:10]
assert len(variables) <= 3 and len(report.compilation.tiles) == target.numTiles
json.dump(board, sys.stdout)
