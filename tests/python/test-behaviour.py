#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists, enums, identity, exceptions, lifetime, threads, forks, Ctrl-C, memory.  "slow": a thousand reports, one after the
other; the walk in a Python that was built for debugging."""

import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading

from pva_test import REPORTS, main, open_both, path_of, pva, raises, same, tap


def check_lists():
    report, _ = open_both('tiny')
    tiles = report.compilation.tiles
    items = list(tiles)
    same(len(items), len(tiles), 'len')
    same(tiles[-1], items[-1], '[-1]')
    same(tiles[3:9:2], items[3:9:2], 'slice')
    same(list(reversed(tiles)), items[::-1], 'reversed')
    assert items[2] in tiles and tiles and not report.execution.blocks(1), 'in, truth'
    same([i for i, _ in enumerate(tiles)], list(range(len(items))), 'enumerate')
    same(next(t for t in tiles), items[0], 'next')
    for index in (len(tiles), -len(tiles) - 1, 2**63, -2**63, 2**200):
        raises(IndexError, tiles.__getitem__, index)
        raises(IndexError, report.compilation.loweredVariables.forTile, index)
        raises(IndexError, report.compilation.livenessProgramSteps[0].notAlwaysLiveMemoryForTile, index)
    for index in ('1', None, 1.5):
        raises(TypeError, tiles.__getitem__, index)
        raises(TypeError, report.compilation.alwaysLiveVariablesForTile, index)
    raises(TypeError, tiles, 3)
    report.listPrintLength(2)
    same(str(tiles), f'[{tiles[0]!r}, {tiles[1]!r}, ...]', 'str')
    report.listPrintLength(10)
    raises(ValueError, report.listPrintLength, -1)
    same(repr(tiles[17 % len(tiles)]), f'<pva.Tile {17 % len(tiles)}>', 'repr')


def check_enums():
    report, _ = open_both('tiny')
    level = pva.ComputeInstrumentationLevel
    same(repr(level.Device), '<ComputeInstrumentationLevel.Device: 4>', 'repr')
    same((str(level.Device), level.Device.name, level.Device.value, int(level.Device)),
         ('ComputeInstrumentationLevel.Device', 'Device', 4, 4), 'Device')
    assert pva.InstrumentationSettings.Device is level.Device and pva.Program.DoExchange == pva.Program.Type.DoExchange
    assert level.Off != pva.ExternalExchangeInstrumentationLevel.Off and level.Off != 0 and {level.Off: 1}[level.Off]
    same(list(level.__members__), ['Off', 'Vertex', 'Tile', 'Ipu', 'Device', 'Unknown'], '__members__')
    odd = {p.type for p in report.compilation.programs} - set(pva.Program.Type.__members__.values())
    odd |= {s.program.type for s in report.execution.steps} - set(pva.Program.Type.__members__.values())
    same([kind.name for kind in odd], ['Mystery'], 'a type that nobody knows')


def check_identity():
    report, _ = open_both('tiny')
    other, _ = open_both('tiny')
    programs = report.compilation.programs
    assert programs[3] == programs[3] and hash(programs[3]) == hash(programs[3]) and programs[3] != programs[4]
    assert programs[3] != other.compilation.programs[3] and programs[3] != 3 and programs[3] != report.compilation.tiles[3]
    same(len({p for s in report.execution.steps for p in [s.program]}),
         len({(s.program._id, s.program.type) for s in report.execution.steps}), 'programs of steps')
    lowered = [v for t in range(4) for v in report.compilation.loweredVariables.forTile(t)]
    same(len({v.unloweredVar for v in lowered if v.hasUnloweredVar}),
         len({v.unloweredVar.name for v in lowered if v.hasUnloweredVar}), 'variables')


def check_visitors():
    report, _ = open_both('tiny')

    class Counter(pva.ProgramVisitor):
        def __init__(self):
            self.seen = []

        def visitOnTileExecute(self, program):
            self.seen.append(program.computeset.name)

        def visitSync(self, program):
            program.accept(self.other)

        class other:
            @staticmethod
            def visitSync(program):
                raise ValueError(program.name)

    counter = Counter()
    for program in report.compilation.programs:
        if program.type != pva.Program.Sync:
            assert program.accept(counter) is None
    same(counter.seen, [p.computeset.name for p in report.compilation.programs if p.type == pva.Program.OnTileExecute],
         'visited')
    sync = next(p for p in report.compilation.programs if p.type == pva.Program.Sync)
    raises(ValueError, sync.accept, counter)
    sync.accept(object())
    pva.ProgramVisitor().visitSync(sync)


def check_errors():
    error = raises(pva.ReportError, pva.openReport, '/nowhere/profile.pop')
    assert isinstance(error, RuntimeError) and '/nowhere' in str(error), error
    raises(pva.ReportError, pva.openReport, os.fspath(pathlib.Path(__file__)))
    raises(TypeError, pva.openReport, 3)
    raises(TypeError, pva.openReport)
    raises(ValueError, pva.openReport, 'a\0b')
    raises(NotImplementedError, pva.openTrace, 'a.pvti')
    assert issubclass(pva.MissingDataError, (pva.ReportError,)) and issubclass(pva.MissingDataError, AttributeError)
    report, _ = open_both('confirmed')
    error = raises(pva.MissingDataError, lambda: report.compilation.target.clockFrequency)
    assert 'target.clock_frequency' in str(error) and 'autoReport.outputGraphProfile' in str(error), error
    error = raises(pva.MissingDataError, lambda: report.compilation.loweredVariables.allBriefVars[0].equivalenceClass)
    assert 'vars_info.equivalence_class' in str(error) and 'autoReport.outputLoweredVars' in str(error), error
    assert not hasattr(report.compilation.target, 'numIPUs') or report.compilation.target.numIPUs > 0
    whole, _ = open_both('tiny')
    memory = whole.compilation.tiles[0].memory
    raises(AttributeError, lambda: memory.used)
    raises(AttributeError, lambda: memory.free)
    raises(AttributeError, lambda: memory.category.nothingLikeIt)


def check_opening():
    path = path_of('tiny')
    reports = [pva.openReport(path), pva.openReport(filename=path), pva.openReport(pathlib.Path(path)),
               pva.openReport(os.fsencode(path)), pva.openReport(os.path.dirname(path)),
               pva.openReport(path, os.path.join(os.path.dirname(path), 'debug.cbor')),
               pva.openReport(profileFilename=path, debugInfoFilename=os.path.join(os.path.dirname(path), 'debug.cbor'))]
    same({len(report.compilation.programs) for report in reports}, {len(reports[0].compilation.programs)}, 'programs')


def check_lifetime():
    step = pva.openReport(path_of('tiny')).execution.steps[5]
    gc.collect()
    assert step.ipus[0].cycles >= 0 and step.program.name is not None
    for thing in (step, step.ipus, step.program, step.program.type):
        raises(TypeError, pickle.dumps, thing)
        if thing is not step.program.type:
            raises(TypeError, copy.copy, thing)
    # At exit, objects are still there in any order.
    done = subprocess.run([sys.executable, '-c', f'''
import tessera_pva as pva
kept = pva.openReport({path_of("tiny")!r}).execution.steps[5]
items = iter(kept.ipus); next(items)
class Late:
    def __del__(self): kept.program
late = Late(); late.self = late
'''], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr


def check_changed_file():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(REPORTS / 'tiny', folder, dirs_exist_ok=True)
        gone = pva.openReport(folder)
        kept = pva.openReport(folder)
        tile = kept.compilation.tiles[0].memory.total.includingGaps
        sql = sqlite3.connect(os.path.join(folder, 'profile.pop'))
        sql.execute('UPDATE memory_by_tile SET including_gaps = 1')
        sql.commit()
        sql.close()
        same(kept.compilation.tiles[0].memory.total.includingGaps, tile, 'what is loaded')
        raises(pva.ReportError, lambda: gone.compilation.tiles)
        shutil.rmtree(folder)
        os.mkdir(folder)
        raises(pva.ReportError, lambda: kept.execution.steps)


# What happens to a file under a report that is open; @size: its bytes.
def cut_half(path, size):
    os.truncate(path, size // 2)


def cut_all(path, size):
    os.truncate(path, 0)


def overwrite(path, start, data):
    with open(path, 'r+b') as file:
        file.seek(start)
        file.write(data)


def fill_with_random(path, size):
    overwrite(path, 4096, random.Random(1).randbytes(size - 4096))


def fill_with_zeros(path, size):
    overwrite(path, size // 2, bytes(size - size // 2))


def put_another(path, size):
    shutil.copyfile(path_of('demo'), path)


def delete(path, size):
    os.unlink(path)


# Something of each part of a report.
PARTS = (
    lambda r: [t.memory.total.includingGaps for t in r.compilation.tiles],
    lambda r: [p.name for p in r.compilation.programs],
    lambda r: [sum(p.controlCodeByTile) for p in r.compilation.programs],
    lambda r: [s.notAlwaysLiveMemory.bytes for s in r.compilation.livenessProgramSteps],
    lambda r: [v.size for v in r.compilation.livenessProgramSteps[1].notAlwaysLiveMemory.variables],
    lambda r: [v.bytes for v in r.compilation.loweredVariables.allBriefVars],
    lambda r: [v._id for v in r.compilation.loweredVariables.forTile(1)],
    lambda r: [s.ipus[0].cycles for s in r.execution.steps],
    lambda r: [s.ipus[0].activeCycles.cyclesFrom.min for s in r.execution.steps],
    lambda r: [sum(s.cyclesByTile) for s in r.execution.steps],
    lambda r: list(memoryview(r.tables.lowered['offset'])),
    lambda r: [o.name for o in pva.OperationAnalysis(r).operations],
)


def read_parts(report):
    """What each part says, None where it raises ReportError."""
    said = []
    for part in PARTS:
        try:
            said.append(part(report))
        except pva.ReportError as error:
            assert str(error), part
            said.append(None)
    return said


def check_file_under_open_report():
    """Truncated, rewritten or deleted before or after parts are loaded: what was there, or ReportError; never a signal."""
    wanted = read_parts(pva.openReport(path_of('tiny')))
    assert None not in wanted, wanted.index(None)
    for change in (cut_half, cut_all, fill_with_random, fill_with_zeros, put_another, delete):
        for loaded in (0, 6, len(PARTS)):
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(REPORTS / 'tiny', folder, dirs_exist_ok=True)
                path = os.path.join(folder, 'profile.pop')
                report = pva.openReport(path)
                for part in PARTS[:loaded]:
                    part(report)
                change(path, os.path.getsize(path))
                said = read_parts(report)
                what = f'{change.__name__}, {loaded} parts loaded'
                for number, (one, right) in enumerate(zip(said, wanted)):
                    assert one in (None, right), f'{what}: part {number} says {one}, it was {right}'
                if loaded == 0 and change is not delete:
                    same(said[0], None, what)
                # By-tile arrays are read anew.
                same([said[i] for i in (0, 1, 3, 5) if i < loaded], [wanted[i] for i in (0, 1, 3, 5) if i < loaded], what)


def check_all_cycles():
    """Cycles of all tiles, where a file has their columns; rows with ids, in no order."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'profile.pop')
        shutil.copy(path_of('tiny'), path)
        sql = sqlite3.connect(path)
        sql.execute('UPDATE steps_by_ipu SET all_cycles_from_min = -1, all_cycles_from_max = ipu, all_cycles_to_min = NULL, '
                    'all_cycles_to_max = step_id + 5')
        sql.execute('CREATE TABLE other AS SELECT * FROM steps_by_ipu ORDER BY (step_id * 37 + ipu * 11) % 61')
        sql.execute('DROP TABLE steps_by_ipu')
        sql.execute('ALTER TABLE other RENAME TO steps_by_ipu')
        sql.commit()
        report = pva.openReport(path)
        assert report.version.isUnstableFormat
        assert not pva.openReport(path_of('demo')).version.isUnstableFormat
        sql.execute("UPDATE report_info SET value = '0' WHERE name = 'report_unstable'")
        sql.commit()
        assert not pva.openReport(path).version.isUnstableFormat
        report = pva.openReport(path)
        bases = {row[:2]: row[2:] for row in sql.execute('SELECT step_id, ipu, cycles_base, cycles FROM steps_by_ipu')}
        for number, step in enumerate(report.execution.steps):
            for i, ipu in enumerate(step.ipus):
                base, cycles = bases[number, i]
                same((ipu.cycles, ipu.allCycles.cyclesFrom.min, ipu.allCycles.cyclesFrom.max, ipu.allCycles.cyclesTo.max),
                     (cycles, base - 1, base + i, base + number + 5), f'{number} {i}')
                raises(pva.MissingDataError, lambda i=ipu: i.allCycles.cyclesTo.min)
        sql.close()


def check_threads():
    report, _ = open_both('demo')
    found = []

    def work():
        c = report.compilation
        found.append((sum(s.ipus[1].cycles for s in report.execution.steps),
                      sum(v.bytes for v in c.loweredVariables.allBriefVars),
                      sum(s.notAlwaysLiveMemoryForTile(7).bytes for s in c.livenessProgramSteps),
                      [sum(p.controlCodeByTile) for p in c.programs]))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(len(found), 8, 'threads')
    assert all(other == found[0] for other in found)


forked = None


def in_child(number):
    return (forked.execution.steps[number].ipus[0].cycles, sum(forked.compilation.programs[number].controlCodeByTile),
            len(forked.compilation.loweredVariables.allBriefVars))


def check_fork():
    """PopLiner does so: a pool of processes that share what the parent opened."""
    global forked
    forked, _ = open_both('demo')
    before = in_child(3)
    with multiprocessing.get_context('fork').Pool(3) as pool:
        same(pool.map(in_child, range(20)), [in_child(i) for i in range(20)], 'children')
    same(in_child(3), before, 'the parent')
    # Nothing loaded before: each child loads for itself.
    forked, _ = open_both('tiny')
    with multiprocessing.get_context('fork').Pool(2) as pool:
        children = pool.map(in_child, range(4))
    same(children, [in_child(i) for i in range(4)], 'children that load')


def check_interrupt():
    """Ctrl-C ends the wait for a part; the report can be used again.  Runs in a process of its own."""
    done = subprocess.run([sys.executable, '-c', f'''
import os, signal, threading
import tessera_pva as pva
report = pva.openReport({path_of("demo")!r})
n = 0
for i in range(200):
    report = pva.openReport({path_of("demo")!r})
    timer = threading.Timer(0.001 * (4 + i % 40), os.kill, (os.getpid(), signal.SIGINT))
    try:
        try:
            timer.start()
            report.compilation.loweredVariables.allBriefVars
        finally:
            timer.join()
    except KeyboardInterrupt:
        n += 1
    assert len(report.compilation.loweredVariables.allBriefVars) == 191470
    if n > 3: break
assert n > 0
'''], capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def check_memory():
    """10^7 items do not make the process grow; opening and walking again and again does not either.  A Python that was built
    for debugging is slow, and has its own eyes: a tenth of it is enough there."""
    part = 10 if hasattr(sys, 'gettotalrefcount') else 1
    if 'libasan' in os.environ.get('LD_PRELOAD', ''):
        return  # it keeps what was freed
    report, _ = open_both('demo')
    brief = report.compilation.loweredVariables.allBriefVars
    sum(v.bytes for v in brief)
    before = peak()
    n = 0
    while n < 10_000_000 // part:
        for variable in brief:
            pass
        n += len(brief)
    grown = peak() - before
    assert grown < 1 << 20, f'{n} items: {grown} bytes more'

    open_and_close(40 // part, 150 // part)


def use():
    tiny = pva.openReport(path_of('tiny'))
    str(tiny.compilation.target)
    for step in tiny.execution.steps:
        step.ipus[0].activeCycles.cyclesFrom.min, step.program.name, step.cyclesByTile
    for live in tiny.compilation.livenessProgramSteps:
        live.notAlwaysLiveMemoryForTile(1).bytes, list(live.notAlwaysLiveMemoryForTile(1).variables)
    for program in tiny.compilation.programs:
        program.vars, program.controlCodeByTile, program.debugContext, program.children
    for variable in tiny.compilation.loweredVariables.allBriefVars:
        variable.bytes, variable.equivalenceClass.id
    for operation in pva.OperationAnalysis(tiny).operations:
        operation.name, operation.programs()
    try:
        tiny.execution.steps[0].ipus[0].allCycles.cyclesTo.max
    except pva.MissingDataError:
        pass


def open_and_close(first, n):
    """After @first times, @n more take no more memory, objects, open files, threads or references."""
    for _ in range(first):
        use()
    before = held()
    for _ in range(n):
        use()
    after = held()
    for name, most in (('bytes', 2 << 20), ('objects', 100), ('files', 0), ('threads', 0), ('blocks', 500),
                       ('references', 100)):
        assert after[name] - before[name] <= most, f'{n} times: {after[name] - before[name]} {name} more'


def held():
    gc.collect()
    return {'bytes': peak(), 'objects': len(gc.get_objects()), 'files': len(os.listdir('/proc/self/fd')),
            'threads': len(os.listdir('/proc/self/task')), 'blocks': sys.getallocatedblocks(),
            'references': sum(map(sys.getrefcount, [None, True, False, (), '', 0, 1, *vars(pva).values()]))}


def check_thousand_reports():
    if 'libasan' in os.environ.get('LD_PRELOAD', ''):
        raise tap.Skip('the sanitizer keeps what was freed')
    open_and_close(40, 1000)


def check_debug_python():
    """It checks what each call gives, and marks what is freed.  Its count of all references is of no use: the module counts
    its own by itself."""
    debug = shutil.which('python3-dbg')
    if debug is None or 'libasan' in os.environ.get('LD_PRELOAD', ''):
        raise tap.Skip('there is no python3-dbg' if debug is None else 'it does not go with the sanitizer')
    this = subprocess.run([debug, '-c', 'import sys; print(hasattr(sys, "gettotalrefcount"), *sys.version_info[:2])'],
                          capture_output=True, text=True, check=True).stdout.split()
    if this != ['True', *map(str, sys.version_info[:2])]:
        raise tap.Skip(f'{debug} is another Python')
    for script in ('test-walk.py', 'test-behaviour.py', 'test-hostile.py'):
        done = subprocess.run([debug, '-B', os.path.join(os.path.dirname(__file__), script)], capture_output=True, text=True,
                              check=False, timeout=500)
        assert done.returncode == 0, f'{script}: {done.stdout}{done.stderr}'


def check_shown():
    report, _ = open_both('tiny')
    text = str(report.compilation.target)
    assert 'numTiles: 16' in text.split('\n') and 'clockFrequency: 1000000000.0' in text.split('\n'), text
    assert '...' in str(report.compilation), 'what is not loaded is not loaded to be shown'
    html = report.compilation.programs[0]._repr_html_()
    assert html.startswith('<table>') and 'Program' in html and '<script' not in html, html
    assert report.compilation.programs._repr_html_().count('<table>') == 10


QUICK = (check_lists, check_enums, check_identity, check_visitors, check_errors, check_opening, check_lifetime,
         check_changed_file, check_file_under_open_report, check_all_cycles, check_threads, check_fork, check_interrupt,
         check_memory, check_shown)
SLOW = (check_thousand_reports, check_debug_python)

if __name__ == '__main__':
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main('behaviour', SLOW if 'slow' in sys.argv else QUICK))
