#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every entry of the table of members is there: on its class, in its documentation, in dir() and in the stubs."""

import ast
import pathlib
import re
import sqlite3
import sys

from pva_test import main, open_both, pva, raises, same, tap
from tessera_pva import _core

ROWS = _core._list_members()


def check_classes():
    assert len(ROWS) > 150, len(ROWS)
    for owner, _, name, kind, unit, column, text, is_method in ROWS:
        member = getattr(pva, owner).__dict__[name]
        assert text in member.__doc__ and unit in member.__doc__ and column in member.__doc__, f'{owner}.{name}'
        assert callable(member) == is_method and text.endswith('.'), f'{owner}.{name}'
    assert len({row[:3] for row in ROWS}) == len(ROWS), 'an entry stands twice'


def check_columns():
    """What is missing is called as in docs/report.sql."""
    sql = sqlite3.connect(':memory:')
    sql.executescript((tap.ROOT / 'docs/report.sql').read_text(encoding='utf-8'))
    there = {f'{table}.{row[1]}' for table, in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
             for row in sql.execute(f'PRAGMA table_info({table})')}
    named = {column for row in ROWS if not row[5].startswith(('report_info.', 'debug.cbor'))
             for column in re.findall(r'\w+\.\w+', row[5])}
    assert len(named) > 60 and not named - there, named - there
    report, _ = open_both('confirmed')
    found = []
    for table in (row[2] for row in ROWS if row[:1] + row[3:4] == ('Tables', 'dict[str, Column]')):
        for column in getattr(report.tables, table).values():
            try:
                memoryview(column)
            except pva.MissingDataError as error:
                found += re.findall(r'does not tell it: (\S+) is missing', str(error))
    assert 'memory_by_tile.including_gaps' in found and not set(found) - there, found


def check_stubs():
    tree = ast.parse(pathlib.Path(_core.__file__).with_name('_core.pyi').read_text(encoding='utf-8'))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for owner, _, name, kind, *_ in ROWS:
        found = [node for node in classes[owner].body if isinstance(node, ast.FunctionDef) and node.name == name]
        assert len(found) == 1, f'{owner}.{name}'
        if not kind.startswith('('):
            same(found[0].returns.value, kind, f'{owner}.{name}')
    for name in dir(_core):
        if isinstance(getattr(_core, name), type) and not name.startswith('_'):
            assert name in classes, name


def check_dir():
    """dir() has the members of the table and nothing else; nothing can be set."""
    report, _ = open_both('tiny')
    objects = [report, report.compilation, report.compilation.target, report.compilation.tiles[0],
               report.compilation.programs[0], report.execution.steps[0], report.execution.steps[0].ipus[0],
               next(p for p in report.compilation.programs if p.type == pva.Program.OnTileExecute)]
    for thing in objects:
        owners = [owner.__name__ for owner in type(thing).__mro__]
        same(sorted(dir(thing)), sorted(row[2] for row in ROWS if row[0] in owners), repr(thing))
        for name in dir(thing):
            raises(AttributeError, setattr, thing, name, 1)
        raises(AttributeError, setattr, thing, 'unheard', 1)
        raises(TypeError, type(thing))
    names = dir(report.compilation.tiles[0].memory.category)
    assert 'variable' in names and 'outputEdge' in names and not [name for name in names if name.startswith('_')], names


def check_types():
    """What a member gives is what the table says."""
    names = {'int': int, 'str': str, 'float': float, 'bool': bool, 'list[int]': list}
    report, _ = open_both('tiny')
    seen = set()
    looked = {}

    def look(thing):
        looked[type(thing)] = looked.get(type(thing), 0) + 1
        if looked[type(thing)] > 60:
            return
        for owner, _, name, kind, *_, is_method in ROWS:
            if is_method or owner not in [base.__name__ for base in type(thing).__mro__]:
                continue
            try:
                value = getattr(thing, name)
            except pva.MissingDataError:
                continue
            seen.add((owner, name))
            if kind in names:
                assert isinstance(value, names[kind]), f'{owner}.{name}: {value!r} is no {kind}'
            elif kind.startswith('List['):
                assert isinstance(value, pva.List), f'{owner}.{name}'
                for item in value:
                    look(item)
            elif kind.endswith(' | None'):
                if value is not None:
                    assert isinstance(value, getattr(pva, kind[:-7])), f'{owner}.{name}'
                    look(value)
            elif '.' not in kind and hasattr(pva, kind):
                assert isinstance(value, getattr(pva, kind)), f'{owner}.{name}'
                look(value)

    look(report)
    look(report.compilation.tiles[0].memory.category.variable)
    look(report.compilation.livenessProgramSteps[3].notAlwaysLiveMemoryForTile(1))
    look(report.compilation.loweredVariables.forTile(1)[0])
    look(report.tables.lowered['size'])
    for name in ('tiny', 'poplibs'):
        look(pva.OperationAnalysis(open_both(name)[0]))
    missed = {row[:1] + row[2:3] for row in ROWS if not row[7]} - seen
    # No diagnostics in a good report; reports do not have cycles of all tiles.
    missed -= {('Diagnostic', row[2]) for row in ROWS if row[0] == 'Diagnostic'}
    missed -= {('Column', 'unknown')}
    assert not missed, sorted(missed)


if __name__ == '__main__':
    sys.exit(main('members', (check_classes, check_columns, check_stubs, check_dir, check_types)))
