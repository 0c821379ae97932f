#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by test-python-ssh with a server: over-ssh.py URL PATH; the report at URL is the local one at PATH."""

import multiprocessing
import sys

import tessera_pva as pva

URL, PATH = sys.argv[1:]


def told(report):
    c = report.compilation
    return (repr([tile.memory.total.includingGaps for tile in c.tiles]), [p.name for p in c.programs],
            [p.controlCodeByTile for p in c.programs[::9]], [s.ipus[1].cycles for s in report.execution.steps[::50]],
            [v.bytes for v in c.loweredVariables.forTile(5)],
            [(o.name, o.debugContext.json) for o in pva.OperationAnalysis(report).operations][::7])


def in_child(number):
    """What belongs to the parent raises; the child opens the report itself."""
    try:
        shared.compilation.programs[number].controlCodeByTile
    except pva.ReportError as error:
        assert 'forked' in str(error) and 'open it again' in str(error), error
    else:
        return 'nothing was raised'
    return pva.openReport(URL).compilation.programs[number].name


shared = pva.openReport(URL)
local = pva.openReport(PATH)
assert told(shared) == told(local), 'over ssh it is another report'
given = pva.openReport(URL + '/profile.pop', URL + '/debug.cbor')
assert len(pva.OperationAnalysis(given).operations) == len(pva.OperationAnalysis(local).operations)
for wrong in (URL + '/nothing', 'ssh://nobody-knows-this-host/x'):
    try:
        pva.openReport(wrong)
    except pva.ReportError as error:
        assert str(error), wrong
    else:
        raise AssertionError(wrong)
with multiprocessing.get_context('fork').Pool(2) as pool:
    names = pool.map(in_child, range(4))
assert names == [p.name for p in local.compilation.programs[:4]], names
assert told(shared) == told(local), 'after the children'
print('whole')
