#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files through every member: exceptions of Python, never a signal, a hang or a sum over what is not known."""

import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from pva_test import REPORTS, main, path_of, pva, raises, tap

MOST = 40  # items that are looked at of a list
WALK = '''
import sys
sys.path.insert(0, sys.argv[1])
from importlib import import_module
count = import_module('test-hostile').walk(*sys.argv[2:])
print(count)
'''


def walk(path, *debug):
    """Looks at every member of every class; gives how many values there were."""
    try:
        report = pva.openReport(path, *debug)
    except pva.ReportError:
        return 0
    looked, found = {}, 0
    stack = [report]
    for layer in (None, 'poplibs', 'onnx', 'poplar'):
        try:
            stack.append(pva.OperationAnalysis(report, layer))
        except pva.ReportError:
            pass
    while stack:
        thing = stack.pop()
        looked[type(thing)] = looked.get(type(thing), 0) + 1
        if looked[type(thing)] > 4 * MOST:
            continue
        repr(thing), str(thing), hash(thing), thing == thing
        for name in dir(thing):
            try:
                value = getattr(thing, name)
                if callable(value) and not isinstance(value, pva.List):
                    if name in ('numpy', 'pandas', 'listPrintLength'):
                        continue
                    arguments = {'accept': [pva.ProgramVisitor()], 'programs': []}.get(name, [0])
                    value = value(*arguments)
                items = [value]
                if isinstance(value, dict):
                    items = list(value.values())
                    for column in items:
                        if isinstance(column, pva.Column):
                            memoryview(column).tobytes()
                elif isinstance(value, pva.List):
                    n = len(value)
                    items = [value[i] for i in sorted({*range(min(n, MOST)), *range(max(n - MOST, 0), n)})]
                found += 1
            except (pva.ReportError, IndexError, BufferError):
                continue
            stack += [item for item in items if type(item).__module__ == 'tessera_pva' and hasattr(type(item), '_repr_html_')]
    return found


def walk_apart(path, *debug):
    """The same in a process of its own, which a signal would end."""
    done = subprocess.run([sys.executable, '-B', '-c', WALK, os.path.dirname(__file__), path, *debug], capture_output=True, text=True,
                          check=False, timeout=50, env={**os.environ, 'G_DEBUG': ''})
    assert done.returncode == 0 and not done.stderr, f'{path}: status {done.returncode}\n{done.stderr[-2000:]}'
    return int(done.stdout)


def check_whole():
    assert walk(path_of('tiny')) > 3000 and walk(path_of('confirmed')) > 100


def check_corpus():
    """The seeds of the fuzz targets."""
    with tempfile.TemporaryDirectory() as folder:
        files = [path for path in sorted((tap.ROOT / 'tests/fuzz/corpus').glob('*/*'))
                 if path.read_bytes()[:15] == b'SQLite format 3']
        assert len(files) > 20, files
        for number, path in enumerate(files):
            copy = pathlib.Path(folder, f'{number}.pop')
            shutil.copy(path, copy)
            walk_apart(copy)


def check_debug_corpus():
    """The seeds of the fuzz target of debug.cbor, and the reports' own with bytes changed, beside a whole profile."""
    dice = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'some.cbor')
        whole = [(REPORTS / name / 'debug.cbor').read_bytes() for name in ('tiny', 'poplibs')]
        seeds = [file.read_bytes() for file in sorted((tap.ROOT / 'tests/fuzz/corpus/debug').glob('*'))]
        for turn in range(40):
            data = bytearray(dice.choice(whole))
            for _ in range(dice.choice((1, 4, 30))):
                data[dice.randrange(len(data))] = dice.randrange(256)
            seeds.append(bytes(data[:dice.choice((len(data), dice.randrange(len(data))))]))
        for number, data in enumerate(seeds):
            pathlib.Path(path).write_bytes(data)
            if number % 8 == 0:
                walk_apart(path_of('tiny' if number % 16 else 'poplibs'), path)
            else:
                walk(path_of('tiny'), path)


def check_broken_tables():
    """Values that cannot be, in each column of each table."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'profile.pop')
        dice = random.Random(15)
        for turn in range(24):
            shutil.copy(REPORTS / 'tiny/profile.pop', path)
            sql = sqlite3.connect(path)
            for table, text in sql.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
                for _, column, *_ in sql.execute(f'PRAGMA table_info({table})').fetchall():
                    value = dice.choice([None, -1, 2**31, 2**53, 2**63 - 1, -2**63, 0.5, 'x', b'\0\1', 7])
                    where = f'{column} > 3' if 'WITHOUT ROWID' in text else 'rowid % 3 = 0'
                    try:
                        if dice.random() < 0.12:
                            sql.execute(f'UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}', (value,))
                    except sqlite3.IntegrityError:
                        pass  # ids of rows are integers
            sql.commit()
            sql.close()
            walk_apart(path)


def check_missing_tables():
    """Each table is taken away, and each column that a member comes from is NULL: MissingDataError, or nothing of the kind."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'profile.pop')
        tables = [row[0] for row in sqlite3.connect(path_of('tiny')).execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
        for table in tables:
            shutil.copy(path_of('tiny'), path)
            sql = sqlite3.connect(path)
            sql.execute(f'DROP TABLE {table}')
            sql.commit()
            sql.close()
            assert walk(path) > 0, table


def check_cycles():
    """Programs that are their own grandchildren end where the script ends; many children are a list."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'profile.pop')
        shutil.copy(path_of('tiny'), path)
        sql = sqlite3.connect(path)
        sql.execute('DELETE FROM program_children')
        sql.execute('INSERT INTO program_children VALUES (0, 0, 1), (1, 0, 0)')
        sql.execute('WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999) '
                    'INSERT INTO program_children SELECT 2, i, 3 FROM n')
        sql.commit()
        sql.close()
        programs = pva.openReport(path).compilation.programs
        assert programs[0].children[0].children[0] == programs[0]
        assert len(programs[2].children) == 1_000_000 and programs[2].children[-1] == programs[3]
        assert all(child == programs[3] for child in programs[2].children)


def check_deep():
    """A million programs, each the child of the one before: no recursion of ours."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(REPORTS / 'tiny', folder, dirs_exist_ok=True)
        sql = sqlite3.connect(os.path.join(folder, 'profile.pop'))
        n = 1_000_000
        # 2^62 has no context; the last of them is an operation's.
        sql.executescript(f'DELETE FROM programs; DELETE FROM program_children; DELETE FROM program_roots; '
                          f'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {n - 1}) '
                          "INSERT INTO programs (id, name, type) SELECT i, 'p', 'Sequence' FROM n; "
                          'INSERT INTO program_children SELECT id - 1, 0, id FROM programs WHERE id > 0')
        sql.execute('UPDATE programs SET debug_id = 3504900410838810202 WHERE id = ?', (n - 1,))
        sql.commit()
        sql.close()
        report = pva.openReport(folder)
        program, depth = report.compilation.programs[0], 1
        while len(program.children):
            program, depth = program.children[0], depth + 1
        assert depth == n and program == report.compilation.programs[-1], depth
        operation, = pva.OperationAnalysis(report).operations
        assert [p._id for p in operation.programs()] == [n - 1] and operation.name == 'fc', operation


def check_no_sum_over_unknown():
    """A sum of which a part is not known is not known."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'profile.pop')
        shutil.copy(path_of('tiny'), path)
        sql = sqlite3.connect(path)
        tile = sql.execute('SELECT tile FROM vars_info WHERE always_live = 0 GROUP BY 1 LIMIT 1').fetchone()[0]
        sql.execute('UPDATE vars_info SET size_bytes = NULL WHERE tile = ? AND always_live = 1', (tile,))
        sql.execute('UPDATE memory_by_tile_category SET overlapped = NULL')
        sql.execute('UPDATE execution_cycle_totals SET total = NULL WHERE ipu = 1')
        sql.commit()
        sql.close()
        report = pva.openReport(path)
        for variable in report.compilation.alwaysLiveVariablesForTile(tile):
            raises(pva.MissingDataError, lambda v=variable: v.size)
        raises(pva.MissingDataError, lambda: report.execution.totalCycles.total)
        memory = report.compilation.tiles[tile].memory
        known = [name for name in dir(memory.category) if hasattr(getattr(memory.category, name), 'total')]
        assert 'outputEdge' in known and 'variable' not in known, known


if __name__ == '__main__':
    sys.exit(main('hostile', (check_whole, check_corpus, check_debug_corpus, check_broken_tables, check_missing_tables, check_cycles, check_deep,
                              check_no_sum_over_unknown)))
