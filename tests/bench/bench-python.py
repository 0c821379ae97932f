#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the Python module beside the same loops over sqlite3: bench-python.py NAME PROFILE_OF_RESNET50 PROFILE_OF_TRACE.

Prints "unit measured yardstick floor what", and by processor time without a floor what stands beside sqlite3; opening the
report is measured, too.  One kind a process, so none finds what
another has loaded: least of several rounds where each opens a report of its own."""

import resource
import sqlite3
import sys
import time


def cursor(path, query):
    return sqlite3.connect(f'file:{path}?mode=ro', uri=True).execute(query)


def memory():
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def timed(function, clock=time.perf_counter):
    start = clock()
    result = function()
    return clock() - start, result


def brief(path):
    total = 0
    for v in pva.openReport(path).compilation.loweredVariables.allBriefVars:
        total += v.id + v.bytes + v.tileId + v.equivalenceClass.id
    return total


def brief_sql(path):
    total = 0
    last = cursor(path, 'SELECT max(equivalence_class) FROM vars_info').fetchone()[0]
    for ident, size, tile, of in cursor(path, 'SELECT id, size_bytes, tile, equivalence_class FROM vars_info'):
        total += ident + size + tile + (last + 1 if of is None else of)
    return total


def column(path):
    import numpy
    return int(numpy.asarray(pva.openReport(path).tables.lowered['size']).sum(dtype=numpy.int64))


def column_sql(path):
    return sum(row[0] for row in cursor(path, 'SELECT size_bytes FROM vars_info'))


def slices(path):
    total = 0
    execution = pva.openReport(path).execution
    n = len(execution.steps[0].ipus)
    for step in execution.steps:
        ipus = step.ipus
        for i in range(n):
            total += ipus[i].cycles
    return total


def slices_sql(path):
    return sum(row[2] for row in cursor(path, 'SELECT step_id, ipu, cycles FROM steps_by_ipu ORDER BY step_id, ipu'))


def totals(path):
    return sum(tile.memory.total.excludingGaps for tile in pva.openReport(path).compilation.tiles)


def totals_sql(path):
    cursor(path, 'SELECT sum(size_bytes) FROM vars_info').fetchone()
    replicas = cursor(path, 'SELECT num_replicas FROM target').fetchone()[0]
    return cursor(path, 'SELECT sum(excluding_gaps) FROM memory_by_tile').fetchone()[0] * replicas


def tiles(path, number=1000):
    """The first time a tile is asked for what lives on it, by two passes over its rows; then a step, by 1 µs."""
    steps = pva.openReport(path).compilation.livenessProgramSteps
    sum(steps[0].notAlwaysLiveMemoryForTile(t).bytes for t in range(2))
    first, _ = timed(lambda: steps[0].notAlwaysLiveMemoryForTile(number).bytes)
    rows = cursor(path, f'SELECT min(rowid), max(rowid) FROM vars_info WHERE tile = {number}').fetchone()
    one, _ = timed(lambda: cursor(path, 'SELECT size_bytes, equivalence_class, always_live FROM vars_info WHERE rowid '
                                  f'BETWEEN {rows[0]} AND {rows[1]}').fetchall())
    memories = [step.notAlwaysLiveMemoryForTile(number) for step in steps]
    rest, _ = timed(lambda: sum(map(lambda memory: memory.bytes, memories)))
    return first, one, rest, len(memories) * 1e-6


def demo(path):
    def every():
        c = pva.openReport(path).compilation
        for tile in range(c.target.tilesPerReplica):
            for step in c.livenessProgramSteps:
                step.notAlwaysLiveMemoryForTile(tile).bytes
    return timed(every)[0]


PAIRS = {
    'brief': (brief, brief_sql, 0.6, 'id, bytes, tile and class of all brief variables'),
    'column': (column, column_sql, 0.3, 'numpy.asarray of a column'),
    'slices': (slices, slices_sql, 1.5, 'cycles of all slices by step.ipus[i]'),
    'totals': (totals, totals_sql, 0.25, 'totals of all tiles, by the scan of vars_info'),
}


def tell(unit, measured, yardstick, floor, what):
    print(unit, measured, yardstick, floor, what, flush=True)


def least(function):
    """Least time, least processor time, result."""
    rounds = [timed(lambda: timed(function, time.process_time)) for _ in range(3)]
    return min(r[0] for r in rounds), min(r[1][0] for r in rounds), rounds[0][1][1]


def main(name, big, trace, small):
    if name == 'import':
        tell('s', timed(lambda: __import__('tessera_pva'))[0], 0.03, 1, 'import, by 30 ms')
        return
    global pva
    import tessera_pva as pva
    path = trace if name == 'slices' else big
    if name in PAIRS:
        ours, sql, floor, what = PAIRS[name]
        (seconds, cpu, result), (by_sql, cpu_by_sql, wanted) = least(lambda: ours(path)), least(lambda: sql(path))
        assert result == wanted, f'{name}: {result}, SQL says {wanted}'
        tell('s', seconds, by_sql, floor, what)
        tell('s', cpu, cpu_by_sql, 0, 'both by processor time')
    elif name == 'memory':
        before = memory()
        variables = pva.openReport(path).compilation.loweredVariables.allBriefVars
        n = len(variables)
        tell('B', (memory() - before) / n, 48, 1, 'memory of a lowered variable, by 48 bytes')
        before = memory()
        for variable in variables:
            variable.bytes
        tell('MB', (memory() - before) / 1e6, 1, 1, 'growth while iterating, by 1 MB')
    elif name == 'tiles':
        first, one, rest, allowed = tiles(path)
        tell('s', first, one, 2, 'first liveness of a tile, by a pass over its rows')
        tell('s', rest, allowed, 1, 'its steps, by 1 us a step')
        tell('s', demo(small), 5, 1, 'all tiles and steps of demo, by 5 s')


if __name__ == '__main__':
    main(*sys.argv[1:])
