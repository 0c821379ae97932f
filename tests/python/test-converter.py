#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tessera-from-pva: what it writes is what pva had, by a walk over both; a stricter pva; what goes wrong."""

import ast
import collections
import contextlib
import importlib.machinery
import importlib.util
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from pva_test import REPORTS, main, path_of, pva, same, tap

CONVERTER = tap.ROOT / 'src/converter/tessera-from-pva'
CLI = os.environ['TESSERA_CLI']
STRICT = str(pathlib.Path(__file__).parent / 'strict')
OURS = str(pathlib.Path(pva.__file__).parent / 'alias')
# Tables of which pva tells every row and every column.
WHOLE = ('graph', 'memory_by_tile', 'tile_vars', 'equivalence_class_intervals', 'program_children', 'liveness_by_ipu',
         'liveness_steps', 'runs', 'run_cycles_by_ipu')


def run(*words, path=OURS, strict=None, **more):
    """(status, standard output, standard error); without a pva where path is None."""
    env = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, (path, os.environ.get('PYTHONPATH') if path else None))),
           'STRICT_PVA': json.dumps(strict or {})}
    env.pop('POPLAR_ENGINE_OPTIONS', None)
    env.update(more.pop('env', {}))
    done = subprocess.run([sys.executable, '-B', str(CONVERTER), *map(str, words)], capture_output=True, text=True, check=False,
                          timeout=110, env=env, **more)
    assert 'Traceback' not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield pathlib.Path(name).resolve()


def check(path):
    """tessera-cli check finds no error."""
    done = subprocess.run([CLI, 'check', str(path)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0 and '0 errors' in done.stdout, '\n'.join(
        line for line in done.stdout.splitlines() if line.startswith('error'))[:3000]


def convert(name, out, *words, **more):
    """Converts a report of the tests, which must work, and opens the result; gives what was said, too."""
    status, _, said = run(path_of(name) if '/' not in str(name) else name, '-o', out, *words, **more)
    assert status == 0, f'{status} {said}'
    check(out)
    return pva.openReport(str(out)), said


def info(out):
    with contextlib.closing(sqlite3.connect(f'file:{out}/profile.pop?mode=ro', uri=True)) as sql:
        return dict(sql.execute('SELECT * FROM report_info'))


def rows(path, table, columns='*'):
    with contextlib.closing(sqlite3.connect(f'file:{path}?mode=ro', uri=True)) as sql:
        return sorted(sql.execute(f'SELECT {columns} FROM {table}'), key=repr)


def same_tables(one, other, tables, columns='*'):
    """The same rows of both files, in whatever order: SQLite finds as many in common as each has, as Python takes long to sort."""
    with contextlib.closing(sqlite3.connect(f'file:{one}?mode=ro', uri=True)) as sql:
        sql.execute('ATTACH ? AS other', (f'file:{other}?mode=ro',))
        for table in tables:
            asks = [f'SELECT {columns} FROM {file}.{table}' for file in ('main', 'other')]
            # Rows that are there twice are one in common; they are few.
            if len({sql.execute(f'SELECT count(*) FROM ({ask})').fetchone() for ask in (*asks, ' INTERSECT '.join(asks))}) != 1:
                same(rows(one, table, columns), rows(other, table, columns), f'{one} {other} {table}')


def get(thing, path):
    """A number as it is, or that it is missing."""
    try:
        for name in path.split('.'):
            thing = getattr(thing, name)
    except pva.MissingDataError:
        return None
    return thing


def graph(report, lowered=True, category=True, more=True):
    """Every member that is documented, line by line; more: those that only our pva has."""
    compilation, execution = report.compilation, report.execution
    for name in ('poplarVersion.string', 'instrumentationSettings.compute', 'instrumentationSettings.externalExchange',
                 'version.major', 'version.minor', 'version.point'):
        yield name, str(get(report, name))
    for name in dir(compilation.target):
        yield name, str(get(compilation.target, name))
    for name in dir(compilation.graph):
        yield name, get(compilation.graph, name)
    for number, tile in enumerate(compilation.tiles):
        memory = tile.memory
        yield ('tile', number, memory.total.includingGaps, memory.total.excludingGaps, memory.overflowed.includingGaps,
               memory.overflowed.excludingGaps, memory.alwaysLiveBytes, memory.notAlwaysLiveBytes)
        if number % 37 == 0:
            yield sorted((v.type.name, v.type.size, v.codeBytes) for v in memory.vertices)
            for name in dir(memory.category):
                of = getattr(memory.category, name)
                yield name, of.total, [(r.nonOverlapped, r.overlapped) for r in (of.nonInterleaved, of.interleaved, of.overflowed)]
    for compute_set in compilation.computeSets:
        yield compute_set.name, compute_set.estimatedCyclesByTile, sorted((v.type.name, v.type.size, v.countByTile)
                                                                          for v in compute_set.vertices)
    for p in compilation.programs:
        yield (p._id, p.name, p.type.name, [child._id for child in p.children], p.controlCodeByTile,
               getattr(p, 'codeBytesByTile', None), getattr(p, 'estimatedCyclesByTile', None),
               p.computeset.name if hasattr(p, 'computeset') else None)
        if lowered:
            yield [v._id for v in p.vars]
    yield sorted((v.name, v.size) for v in compilation.alwaysLiveVariables)
    for number, step in enumerate(compilation.livenessProgramSteps):
        yield (step.program._id, step.notAlwaysLiveMemory.bytes,
               [step.notAlwaysLiveMemoryForIpu(i).bytes for i in range(compilation.target.ipusPerReplica)],
               sorted((v.name, v.size) for v in step.notAlwaysLiveMemory.variables))
        if lowered:
            tile = number * 7 % compilation.target.tilesPerReplica
            yield step.notAlwaysLiveMemoryForTile(tile).bytes, sorted(
                (v.name, v.size) for v in step.notAlwaysLiveMemoryForTile(tile).variables)
    yield len(compilation.loweredVariables.allBriefVars)
    for v in compilation.loweredVariables.allBriefVars if lowered else ():
        yield v.id, v.bytes, v.tileId, v.equivalenceClass.id, [(s.start, s.end) for s in v.equivalenceClass.steps]
    for tile in range(compilation.target.tilesPerReplica) if lowered else ():
        for v in compilation.loweredVariables.forTile(tile):
            yield (v._id, v.bytes, v.name, v.alwaysLive, (v.unloweredVar.name, v.unloweredVar.size) if v.hasUnloweredVar else None,
                   v.category if category else None, (v.offset, v.alignment) if more else None)
    yield execution.totalCycles.total
    for r in execution.runs:
        yield r.name, r.microseconds.start, r.microseconds.end, r.cyclesByIpu, len(r.steps), execution.steps[0] == r.steps[0]
    for step in execution.steps:
        yield (step.program._id if step.program._id >= 0 else -1, step.program.type.name, step.cyclesByTile,
               [(s.name, s.cyclesByTile) for s in step.computeSets])
        yield [[get(ipu, name) for name in (
            'cycles', 'tileBalance', 'activeTileBalance', 'dataIn', 'dataOut', 'activeCycles.cyclesFrom.min',
            'activeCycles.cyclesFrom.max', 'activeCycles.cyclesTo.min', 'activeCycles.cyclesTo.max')] for ipu in step.ipus]
    for b in execution.blocks:
        yield b.program._id, b.tile, b.cyclesFrom, b.cyclesTo, b.isStreamCopy, b.isCommon, b.isOverflow, b.isBlockFlush


def compare(got, wanted, **options):
    n = 0
    for one, other in itertools.zip_longest(graph(got, **options), graph(wanted, **options), fillvalue='no more lines'):
        same(one, other, f'line {n}')
        n += 1
    return n


def load():
    """The converter as a module, for what it is made of."""
    loader = importlib.machinery.SourceFileLoader('converter', str(CONVERTER))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('converter', loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


# ------------------------------------------------------------------------------------------------- the file itself


def check_schema():
    """Its tables are those of docs/report.sql, column by column."""
    def structure(text):
        with contextlib.closing(sqlite3.connect(':memory:')) as sql:
            sql.executescript(text)
            tables = [row[0] for row in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
            return {table: (sql.execute(f'PRAGMA table_info({table})').fetchall(),
                            bool(sql.execute("SELECT sql LIKE '%WITHOUT ROWID%' FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]))
                    for table in tables}, sql.execute('PRAGMA application_id').fetchone()[0]
    module = load()
    ours, number = structure((tap.ROOT / 'docs/report.sql').read_text(encoding='utf-8'))
    same(structure(module.SCHEMA)[0], ours, 'tables')
    same(module.APPLICATION_ID, number, 'application_id')
    same(list(module.STATEMENTS), list(ours), 'the order of the tables')


def check_old_python():
    """Python 3.6, SQLite 3.22 and the standard library are enough; the version is that of the build."""
    text = CONVERTER.read_text(encoding='utf-8')
    tree = ast.parse(text, feature_version=(3, 6))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules - {'pva'} <= sys.stdlib_module_names and 'pva' in modules, modules
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    late = re.compile(r'ON CONFLICT|RETURNING|\bSTRICT\b|\bOVER\b|->>|\bIIF\b|MATERIALIZED|NULLS (FIRST|LAST)|VACUUM INTO'
                      r'|ALTER\s+TABLE\b.*\b(DROP|RENAME\s+(?!TO\b))|GENERATED\s+ALWAYS|\bAS\s*\(.*\)\s*(STORED|VIRTUAL)', re.DOTALL)
    update_from = re.compile(r'\bUPDATE\b.*\bSET\b.*\bFROM\b', re.DOTALL)

    def is_late(sql):
        outside = sql
        while re.search(r'\([^()]*\)', outside):
            outside = re.sub(r'\([^()]*\)', '', outside)
        return late.search(sql) or update_from.search(outside)

    for sql in ('ALTER TABLE t DROP COLUMN a', 'ALTER TABLE t RENAME COLUMN a TO b', 'ALTER TABLE "t" RENAME a TO b',
                'a INTEGER GENERATED ALWAYS AS (b)', 'CREATE TABLE t (a, b AS (a + 1) STORED)', 'UPDATE t SET a = u.a FROM u',
                'UPDATE t SET a = (SELECT b FROM v) FROM u', 'SELECT sum(a) OVER (ORDER BY b)', 'CREATE TABLE t (a) STRICT'):
        assert is_late(sql), sql
    for sql in ('ALTER TABLE t RENAME TO u', 'ALTER TABLE t ADD COLUMN a', 'UPDATE t SET a = 1 WHERE b IN (SELECT (c) FROM u)',
                'INSERT INTO t SELECT a AS b FROM u', 'SELECT count(*) AS n FROM t'):
        assert not is_late(sql), sql
    assert not list(filter(is_late, words)), 'SQL that is too new'
    # What the standard library has only since 3.7.
    for late in ('capture_output', 'nullcontext', 'fromisoformat', 'removeprefix', 'time_ns', 'isascii', 'dataclass'):
        assert late not in text, late
    version = re.search(r"version: '([^']+)'", (tap.ROOT / 'meson.build').read_text(encoding='utf-8'))[1]
    same(run('--version')[1].split()[-1], version, 'version')
    for old in filter(None, map(shutil.which, ('python3.6', 'python3.7', 'python3.8', 'python3.9'))):
        done = subprocess.run([old, str(CONVERTER), '--version'], capture_output=True, text=True, check=False, timeout=30)
        assert done.returncode in (0, 127), f'{old}: {done.stderr}'


# ---------------------------------------------------------------------------------------------------- round trips


def check_round_trip():
    """--via=pva gives the same graph, and the same rows where pva tells all of them."""
    for name in ('tiny', 'demo', 'oom'):
        with folder() as work:
            report, _ = convert(name, work / 'out', '--via=pva')
            assert compare(report, pva.openReport(path_of(name))) > 400, name
            same_tables(work / 'out/profile.pop', path_of(name), WHOLE)
            same([row[:3] for row in rows(work / 'out/profile.pop', 'vars_info')],
                 [row[:3] for row in rows(path_of(name), 'vars_info')], name)
            for one in ('debug.cbor', 'framework.json', 'app.json', 'archive.a'):
                there = REPORTS / name / one
                same((work / 'out' / one).read_bytes() if there.exists() else None,
                     there.read_bytes() if there.exists() else None, one)


def check_all_cycles():
    """From and to over all tiles, which few files have."""
    with folder() as work:
        (work / 'in').mkdir()
        shutil.copyfile(path_of('tiny'), work / 'in/profile.pop')
        with contextlib.closing(sqlite3.connect(work / 'in/profile.pop')) as sql, sql:
            sql.execute('UPDATE steps_by_ipu SET all_cycles_from_min = -1, all_cycles_from_max = ipu, all_cycles_to_min = 4, '
                        'all_cycles_to_max = step_id + 5')
        report, _ = convert(work / 'in/profile.pop', work / 'out', '--via=pva')
        ends = ['allCycles.' + end for end in ('cyclesFrom.min', 'cyclesFrom.max', 'cyclesTo.min', 'cyclesTo.max')]
        numbers = [[[get(ipu, end) for end in ends] for step in one.execution.steps for ipu in step.ipus]
                   for one in (report, pva.openReport(str(work / 'in/profile.pop')))]
        same(*numbers, 'allCycles')
        assert sum(row[0] is not None for row in numbers[0]) > 50, numbers


def check_debug_ids():
    """Ids of debug contexts, through pva alone, are the file's: of programs and of variables."""
    with folder() as work:
        convert('tiny', work / 'out', '--via=pva')
        for table in ('programs', 'variables'):
            wanted, got = (rows(path, table, 'name, debug_id') for path in (path_of('tiny'), work / 'out/profile.pop'))
            wanted = [row for row in wanted if row[1] is not None]
            assert wanted, f'{table} of the source have no debug ids'
            same([row for row in got if row[1] is not None], wanted, table)


def copies(names, via):
    """Every row is copied; pva is not needed."""
    for name in names:
        with folder() as work:
            convert(name, work / 'out', f'--via={via}', path=None)
            with contextlib.closing(sqlite3.connect(f'file:{path_of(name)}?mode=ro', uri=True)) as sql:
                tables = [row[0] for row in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            assert len(tables) > 20, tables
            same_tables(work / 'out/profile.pop', path_of(name), [table for table in tables if table != 'report_info'])


def check_sql():
    """--via=sql, and auto where the file is in the open format; the large ones with auto are among the slow."""
    copies(('tiny', 'demo', 'oom'), 'sql')
    copies(('tiny',), 'auto')


def check_sql_by_auto():
    copies(('demo', 'oom'), 'auto')


def check_sql_of_fragment():
    """What is known of a real file alone, without pva: a whole view or two are lost."""
    with folder() as work:
        status, said, told = run(path_of('confirmed'), '-o', work / 'out', '--via=sql', path=None)
        same((status, said), (1, ''), told)
        assert f'{work / "out"} is written' in told, told
        assert 'Liveness' in told and 'liveness_steps' in info(work / 'out')['conversion_missing'], told
        check(work / 'out')
        for table, columns in (('vars_info', 'rowid, tile, size_bytes, category'), ('steps', 'id, type, program, compute_set'),
                               ('programs', '*'), ('memory_by_tile', 'total'), ('execution_cycle_totals', '*')):
            same_tables(work / 'out/profile.pop', path_of('confirmed'), [table], columns)
        report = pva.openReport(str(work / 'out'))
        same([(len(report.compilation.loweredVariables.allBriefVars),)], rows(path_of('confirmed'), 'vars_info', 'count(*)'), 'lowered')


def check_auto():
    """A file of Poplar's own: what agrees with pva is taken from it, so that there are categories; what differs from pva in the sample comes
    from pva, which the output says."""
    changes = {'vars_info': 'UPDATE vars_info SET size_bytes = size_bytes + 1 WHERE rowid = 1',
               'steps': "UPDATE steps SET type = 'Sync' WHERE id = (SELECT max(id) FROM steps)",
               'steps_by_ipu': 'UPDATE steps_by_ipu SET cycles = cycles + 1 WHERE step_id = 0'}
    copied = {'vars_info': 'id, category', 'steps_by_ipu': 'step_id, ipu, cycles, active_tiles, cycles_base'}
    # Each is once among those that differ and once among those that agree.
    for tables in (('vars_info', 'steps'), ('steps_by_ipu',)):
        with folder() as work:
            shutil.copyfile(path_of('confirmed'), work / 'profile.pop')
            with contextlib.closing(sqlite3.connect(work / 'profile.pop')) as sql, sql:
                for table in tables:
                    sql.execute(changes[table])
            (work / 'to').mkdir()
            report, said = convert(work / 'profile.pop', work / 'to/out', path=STRICT,
                                   strict={'serve': path_of('demo'), 'unequal': 'steps' not in tables})
            compare(report, pva.openReport(path_of('demo')), more=False, category='vars_info' not in tables)
            told = info(work / 'to/out')['conversion_notes']
            for table in changes:
                wanted = r'row .* of the file has .*; everything of it comes from pva' if table in tables else r'.* rows agreed'
                assert re.search(rf'\b{table}: {wanted}', told) and (table in said or table not in tables), told
                if table in copied and table not in tables:
                    same(*(rows(path, table, copied[table]) for path in (work / 'to/out/profile.pop', path_of('demo'))), table)


def check_strict():
    """Nothing but documented members, no slices, no equality but what is documented."""
    for name in ('tiny', 'demo'):
        with folder() as work:
            report, _ = convert(name, work / 'out', '--via=pva', path=STRICT)
            compare(report, pva.openReport(path_of(name)), more=False, category=False)
            if name == 'tiny':
                same(rows(work / 'out/profile.pop', 'vars_info', 'DISTINCT category'), [(None,)], 'category')
            same(len(report.compilation.loweredVariables.allBriefVars), len(rows(path_of(name), 'vars_info')), name)


def check_levels():
    """Older SDKs lack members: each loss is told, none stops it."""
    levels = [(['CompilationReport.alwaysLiveVariablesForTile', 'CompilationReport.alwaysLiveVariables',
                'LivenessProgramStep.notAlwaysLiveMemoryForIpu'], 0, 'alwaysLiveVariables'),
              (['ExecutionReport.blocks', 'ExecutionStep.cyclesByTile', 'Run.cyclesByIpu'], 0, 'blocks'),
              (['LoweredVariables.allBriefVars'], 0, 'equivalence_class'),
              (['LoweredVariable.unloweredVar', 'Program.vars'], 0, 'unloweredVar'),
              (['CompilationReport.loweredVariables', 'TileMemory.vertices', 'Target.architecture'], 0, 'vars_info'),
              (['TileMemory.category', 'TileMemory.overflowed', 'Graph.numEdges'], 0, 'memory_by_tile_category'),
              (['Program.type', 'ComputeSet.vertices', 'ExecutionStepIpu.activeCycles'], 0, 'programs.type'),
              (['CompilationReport.target', 'Report.instrumentationSettings', 'Report.version'], 0, 'target'),
              (['CompilationReport.livenessProgramSteps'], 1, 'the whole of Liveness'),
              (['Report.execution'], 1, 'the whole of the execution'),
              (['CompilationReport.programs', 'CompilationReport.computeSets'], 1, 'the whole of Programs'),
              (['CompilationReport.tiles'], 1, 'the whole of Memory')]
    for without, wanted, word in levels:
        with folder() as work:
            status, _, said = run(path_of('tiny'), '-o', work / 'out', '--via=pva', path=STRICT, strict={'without': without})
            assert status == wanted and word in said, f'{without}: {status} {said}'
            assert word in info(work / 'out')['conversion_missing'], without
            try:
                check(work / 'out')
            except AssertionError as error:
                raise AssertionError(f'{without}: {error}') from error
            pva.openReport(str(work / 'out'))
    with folder() as work:
        convert('tiny', work / 'out', '--via=pva', path=STRICT, strict={'unequal': True})


def check_items_that_raise():
    """One bad item of a list costs itself."""
    for name in ('tiles', 'programs', 'children', 'vars', 'computeSets', 'vertices', 'livenessProgramSteps', 'variables',
                 'alwaysLiveVariables', 'allBriefVars', 'forTile', 'steps', 'runs', 'ipus', 'blocks'):
        for k in (0, 3) if name in ('programs', 'forTile', 'steps') else (3,):
            with folder() as work:
                status, _, said = run(path_of('tiny'), '-o', work / 'out', '--via=pva', path=STRICT, strict={'raise': {name: k}})
                same(status, 0, f'{name} {k}: {said}')
                try:
                    check(work / 'out')
                except AssertionError as error:
                    raise AssertionError(f'{name} {k}: {error}') from error
    with folder() as work:
        report, said = convert('tiny', work / 'out', '--via=pva', path=STRICT, strict={'raise': {'programs': 3}})
        assert 'programs: RuntimeError' in said, said
        same(len(report.compilation.programs), len(rows(path_of('tiny'), 'programs')) - 1, 'programs')


def check_hostile_values():
    values = {'Target.numIPUs': -1, 'Target.clockFrequency': 'nan', 'MemorySize.includingGaps': -5, 'Program.name': 'nul',
              'Program._id': 'huge', 'Program.controlCodeByTile': [-1, 2], 'OnTileExecuteProgram.name': 'surrogate',
              'Variable.size': -1, 'VariableSize.size': 'huge', 'VariableSize.name': 'none', 'LoweredVariable.bytes': -4,
              'LoweredVariable.name': 'surrogate', 'LoweredVariable._id': 7, 'BriefVariable.id': 'text', 'LivenessInterval.end': 'huge',
              'LivenessInterval.start': 90, 'NotAlwaysLiveMemory.bytes': 'none', 'ExecutionStepIpu.cycles': 'huge',
              'ExecutionStepIpu.tileBalance': 1.5, 'CycleMinMax.max': -7, 'ExecutionStep.cyclesByTile': [1, 2, 3], 'Run.name': 'nul',
              'Microseconds.start': 'nan', 'Block.cyclesFrom': 'huge', 'Block.tile': 1 << 40, 'TileVertex.codeBytes': 1 << 40,
              'MemoryCategoryRegion.overlapped': 'text', 'ComputeSet.name': 'none', 'ComputeSetVertex.countByTile': ['a'],
              'TotalCycles.total': 'huge', 'VertexType.size': -1, 'PoplarVersion.string': 'surrogate'}
    for name, value in values.items():
        for every in (5,) if name.startswith(('V', 'E', 'B', 'T')) else (1, 5):
            with folder() as work:
                status, _, said = run(path_of('tiny'), '-o', work / 'out', '--via=pva', path=STRICT,
                                      strict={'values': {name: [every, value]}})
                assert status in (0, 1), f'{name} {said}'
                try:
                    check(work / 'out')
                except AssertionError as error:
                    raise AssertionError(f'{name} every {every}: {error}') from error


def check_no_lowered():
    with folder() as work:
        report, _ = convert('tiny', work / 'out', '--via=pva', '--no-lowered')
        same(len(report.compilation.loweredVariables.allBriefVars), 0, 'lowered')
        same([t.memory.total.excludingGaps for t in report.compilation.tiles],
             [t.memory.total.excludingGaps for t in pva.openReport(path_of('tiny')).compilation.tiles], 'tiles')


# -------------------------------------------------------------------------------------------------- what goes wrong


def fails(*words, status=2, says=(), **more):
    got, out, said = run(*words, **more)
    assert got == status and not out, f'{words}: {got} {out} {said}'
    lines = said.splitlines()
    assert len(lines) == 1 and lines[0].startswith('tessera-from-pva: '), said
    for word in says:
        assert word in said, f'{word}: {said}'


def left(work):
    return sorted(str(path.relative_to(work)) for path in work.rglob('*'))


def check_bad_input():
    """One sentence with the file and what to do; nothing is left behind, and nothing changes beside the source."""
    data = pathlib.Path(path_of('tiny')).read_bytes()
    bad = {'text': (b'not a database\n' * 50, 'no SQLite database'), 'empty': (b'', 'it is empty'),
           'short': (data[:60], 'only 60 bytes'), 'cut': (data[:len(data) // 2], 'cut off'),
           'damaged': (data[:4096] + bytes(range(256)) * ((len(data) - 4096) // 256), 'malformed')}
    for name, (content, word) in bad.items():
        with folder() as work:
            (work / 'in').mkdir()
            (work / 'in/profile.pop').write_bytes(content)
            before = left(work)
            fails(work / 'in/profile.pop', '-o', work / 'out', '--via=sql', says=(str(work / 'in/profile.pop'), word), path=None)
            same(left(work), before, name)
    with folder() as work:
        (work / 'there').mkdir()
        (work / 'there/file').write_text('kept')
        fails(path_of('tiny'), '-o', work / 'there', says=('there already', 'choose another'))
        fails(path_of('tiny'), '-o', work / 'there/file', says=('a file of this name',))
        fails(path_of('tiny'), '-o', work / 'no/such', says=('make it first',))
        fails(work / 'none.pop', '-o', work / 'out', says=('no such file', 'none.pop'))
        fails(path_of('tiny'), '-o', work / 'out', '--debug', work / 'none.cbor', says=('none.cbor', 'leave --debug out'))
        fails(path_of('tiny'), '-o', work / 'out', '--via=pva', path=None, says=('no module pva', 'enable.sh', '--via=sql'))
        fails(path_of('confirmed'), '-o', work / 'out', path=None, says=('no module pva',))
        fails(path_of('tiny'), '-o', work / 'out', '--engine-options', '[1]', says=('--engine-options', 'JSON'))
        shutil.copytree(REPORTS / 'tiny', work / 'report')
        fails(work / 'report', '-o', work / 'report', says=('the folder of the source', 'elsewhere'))
        fails(work / 'report', '-o', work / 'report/out', says=('the folder of the source', 'elsewhere'))
        same((work / 'there/file').read_text(), 'kept', 'a file that was there')
        same([name for name in left(work) if name.startswith(('out', '.', 'no'))], [], 'left behind')
    same(run('-o', 'x')[0], 2, 'usage')


def disk_full(name, via, size):
    """One sentence, and nothing is left behind."""
    with folder() as work:
        fails(path_of(name), '-o', work / 'out', '-q', f'--via={via}', says=('out', 'make room'),
              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        same(left(work), [], via)


def check_disk_full():
    disk_full('demo', 'sql', 300000)
    disk_full('tiny', 'pva', 100000)


def check_disk_full_while_converting():
    disk_full('demo', 'pva', 300000)


def check_interrupted():
    """Ctrl-C leaves nothing, wherever it comes."""
    for via in ('sql', 'pva'):
        for delay in (0, 0.1, 0.3):
            with folder() as work:
                process = subprocess.Popen([sys.executable, '-B', CONVERTER, path_of('demo'), '-o', work / 'out', f'--via={via}'],
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                           env={**os.environ, 'PYTHONPATH': f"{OURS}:{os.environ['PYTHONPATH']}"})
                while process.poll() is None and not left(work):
                    time.sleep(0.005)
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                said = process.communicate(timeout=30)[1]
                if process.returncode == 0:
                    assert delay, 'it was done before it was interrupted'
                else:
                    same((process.returncode, left(work)), (130, []), said)
                    assert re.fullmatch('(tessera-from-pva: .*\n)*tessera-from-pva: interrupted.*; nothing is left behind\n', said), said


def check_source_untouched():
    """A folder that cannot be written to is enough, and what was interrupted while writing is read from a copy."""
    with folder() as work:
        (work / 'in').mkdir()
        shutil.copyfile(path_of('tiny'), work / 'in/profile.pop')
        with contextlib.closing(sqlite3.connect(work / 'in/profile.pop')) as sql:
            sql.execute('PRAGMA journal_mode = WAL')
            sql.execute('PRAGMA wal_autocheckpoint = 0')
            sql.execute("UPDATE programs SET name = 'from the journal' WHERE id = (SELECT min(id) FROM programs)")
            sql.commit()
            for name in ('profile.pop', 'profile.pop-wal'):
                shutil.copyfile(work / 'in' / name, work / name)
        shutil.rmtree(work / 'in')
        (work / 'in').mkdir()
        for name in ('profile.pop', 'profile.pop-wal'):
            os.rename(work / name, work / 'in' / name)
        before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in (work / 'in').iterdir()}
        os.chmod(work / 'in', 0o555)
        for via in ('sql', 'pva'):
            report, _ = convert(work / 'in/profile.pop', work / via, f'--via={via}')
            same(report.compilation.programs[0].name, 'from the journal', via)
            same(left(work / via), ['profile.pop'], via)
        os.chmod(work / 'in', 0o755)
        same({path: (path.stat().st_mtime_ns, path.read_bytes()) for path in (work / 'in').iterdir()}, before, 'source')


def check_links():
    """debug.cbor is found above a copied report, and links are followed."""
    with folder() as work:
        (work / 'top/training').mkdir(parents=True)
        shutil.copyfile(path_of('tiny'), work / 'top/training/profile.pop')
        os.symlink('/nowhere/debug.cbor', work / 'top/training/debug.cbor')
        (work / 'top/debug.cbor').write_bytes((REPORTS / 'tiny/debug.cbor').read_bytes())
        (work / 'far.json').write_text('{"a": 1}')
        os.symlink(work / 'far.json', work / 'top/training/app.json')
        convert(work / 'top/training', work / 'out', '--via=sql', path=None)
        same((work / 'out/debug.cbor').read_bytes(), (REPORTS / 'tiny/debug.cbor').read_bytes(), 'debug.cbor')
        assert not (work / 'out/app.json').is_symlink() and (work / 'out/app.json').read_text() == '{"a": 1}'


def check_engine_options():
    for words, env in ((('--engine-options={"debug.all": "true", "n": 3, "b": false}',), {}),
                       ((), {'POPLAR_ENGINE_OPTIONS': '{"debug.all": "true", "n": 3, "b": false}'})):
        with folder() as work:
            convert('tiny', work / 'out', '--via=pva', *words, env=env)
            same(rows(work / 'out/profile.pop', 'engine_options'), [('b', 'false'), ('debug.all', 'true'), ('n', '3')], str(words))


def check_manual():
    """The lines of the manual and of docs/python.md, as they are: a stranger with an SDK gets a report that opens here."""
    pages = [tap.ROOT / 'docs' / name for name in ('manual/convert.md', 'manual/de/convert.md', 'python.md')]
    for page in pages:
        lines = [line for line in page.read_text(encoding='utf-8').splitlines() if line.startswith(('scp ', 'ssh me@host'))]
        same(len(lines), 2, page.name)
        with folder() as work:
            home, desk, bin_ = work / 'home', work / 'desk', work / 'bin'
            for place in (home / 'sdk', desk / 'src/converter', bin_):
                place.mkdir(parents=True)
            shutil.copytree(REPORTS / 'tiny', home / 'report')
            with contextlib.closing(sqlite3.connect(home / 'report/profile.pop')) as sql:
                # As Poplar writes it: nothing says that the format is open.
                sql.execute('PRAGMA application_id = 0')
                sql.commit()
            shutil.copy(CONVERTER, desk)
            shutil.copy(CONVERTER, desk / 'src/converter')
            paths = f"{STRICT}:{os.environ['PYTHONPATH']}"
            (home / 'sdk/enable.sh').write_text(f'PYTHONPATH={paths}; export PYTHONPATH\n', encoding='utf-8')
            # The host is a folder, and its Python the one of the tests.
            (bin_ / 'scp').write_text(f'#!/bin/sh\nexec cp "$1" {home}/\n', encoding='utf-8')
            (bin_ / 'ssh').write_text(f'#!/bin/sh\ncd {home} && exec sh -c "$2"\n', encoding='utf-8')
            (bin_ / 'python3').symlink_to(sys.executable)
            for name in ('scp', 'ssh'):
                (bin_ / name).chmod(0o755)
            env = {'PATH': f'{bin_}:/usr/bin:/bin', 'HOME': str(home), 'STRICT_PVA': '{}'}
            done = subprocess.run(['sh', '-e', '-c', '\n'.join(lines)], cwd=desk, env=env, capture_output=True, text=True, check=False,
                                  timeout=110)
            assert done.returncode == 0, f'{page.name}: {done.stderr}'
            check(desk / 'open')
            same(len(pva.openReport(str(desk / 'open')).execution.steps), len(pva.openReport(path_of('tiny')).execution.steps), 'steps')


def check_report_api():
    """Names, types and enumerations of pva, and no text of the report."""
    for path in (OURS, STRICT):
        status, out, said = run(path_of('demo'), '--report-api', path=path)
        same(status, 0, said)
        found = json.loads(out)
        categories = dir(pva.openReport(path_of('demo')).compilation.tiles[0].memory.category)
        names = {name.split('.')[-1] for name in found['classes']}
        assert {'Report', 'Target', 'Tile', 'LoweredVariable', 'ExecutionStep', 'Block', 'EquivalenceClass'} <= names, names
        assert 'vars_info' in found['tables'] and 'openReport' in found['module']['names'], found['tables']
        if path == OURS:
            assert found['module']['enums']['ComputeInstrumentationLevel']['Device'] == 4, found['module']['enums']
        with contextlib.closing(sqlite3.connect(path_of('demo'))) as sql:
            for text in ('SELECT name FROM programs', 'SELECT name FROM variables', 'SELECT value FROM vars_string_table',
                         'SELECT name FROM compute_sets', 'SELECT name FROM runs'):
                for (name,) in sql.execute(text):
                    assert not name or len(name) < 8 or name in categories or f'"{name}"' not in out and '/' + name not in out, name
        assert str(REPORTS) not in out


# ------------------------------------------------------------------------------------------------------- numbers


def check_memory():
    """A million lowered variables cost little memory, of which hardly any is theirs."""
    peaks = []
    for n in (100000, 1000000):
        with folder() as work:
            code = ('import runpy, sys; sys.argv = sys.argv[1:]\ntry:\n  runpy.run_path(sys.argv[0], run_name="__main__")\n'
                    'except SystemExit as e: assert not e.code, e.code\n'
                    'print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])')
            done = subprocess.run([sys.executable, '-B', '-c', code, CONVERTER, path_of('tiny'), '-o', work / 'out', '-q', '--via=pva'],
                                  capture_output=True, text=True, check=False, timeout=100, env={
                                      **os.environ, 'PYTHONPATH': f"{STRICT}:{os.environ['PYTHONPATH']}",
                                      'STRICT_PVA': json.dumps({'many': n})})
            assert done.returncode == 0, done.stderr
            peaks.append(int(done.stdout.split()[-1]) / 1024)
            same(rows(work / 'out/profile.pop', 'vars_info', 'count(*)'), [(n,)], 'rows')
    assert peaks[1] < 180 and peaks[1] - peaks[0] < 110, f'{peaks} MiB'


if __name__ == '__main__':
    QUICK = (check_schema, check_old_python, check_all_cycles, check_debug_ids, check_sql, check_sql_of_fragment, check_no_lowered, check_bad_input,
             check_disk_full, check_source_untouched, check_links, check_engine_options, check_manual,
             check_report_api)
    SLOW = (check_sql_by_auto, check_disk_full_while_converting, check_round_trip, check_auto, check_strict, check_levels, check_items_that_raise, check_hostile_values,
            check_interrupted, check_memory)
    sys.exit(main('converter', SLOW if 'slow' in sys.argv else QUICK))
