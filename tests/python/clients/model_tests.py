# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers with which tests of models look at a profile, and tests that use them: PROFILE UNITTEST_ARGS."""
import fnmatch
import re
import sys
import unittest

import pva

PROFILE = sys.argv.pop(1)


def compute_sets(report):
    return [re.sub(r'_\d+$', '', cs.name) for cs in report.compilation.computeSets]


def max_tile_memory(report):
    return max(tile.memory.total.excludingGaps for tile in report.compilation.tiles)


def exchanges(report):
    return [p for p in report.compilation.programs if p.type == pva.Program.Type.DoExchange]


class Model(unittest.TestCase):
    def setUp(self):
        self.report = pva.openReport(PROFILE)

    def test_compute_sets_are_on_the_list(self):
        wanted = ['model/*', 'Gradient/model/*', 'WeightUpdate/model/*']
        self.assertFalse([name for name in compute_sets(self.report) if not any(fnmatch.fnmatch(name, w) for w in wanted)])

    def test_fits(self):
        self.assertTrue(all(tile.memory.overflowed.includingGaps == 0 for tile in self.report.compilation.tiles))
        self.assertLess(max_tile_memory(self.report), self.report.compilation.target.bytesPerTile)

    def test_cycles(self):
        self.assertGreater(self.report.execution.totalCycles.total, 0)
        measured = [s for step in self.report.execution.steps for s in step.computeSets if max(s.cyclesByTile, default=0) > 0]
        self.assertTrue(measured)

    def test_exchanges_have_code(self):
        self.assertTrue(any(sum(p.codeBytesByTile) for p in exchanges(self.report)))
        sync = next(p for p in self.report.compilation.programs if p.type == pva.Program.Type.Sync)
        self.assertIsNone(getattr(sync, 'codeBytesByTile', None))

    def test_instrumentation(self):
        self.assertIn(self.report.instrumentationSettings.compute,
                      (pva.InstrumentationSettings.Tile, pva.ComputeInstrumentationLevel.Vertex))


if __name__ == '__main__':
    unittest.main()
