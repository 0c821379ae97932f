#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""report.tables: every column against SQL, through buffers, NumPy and pandas."""

import itertools
import sys

from pva_test import has, main, open_both, pva, raises, same

UNKNOWN = {'B': 2**8 - 1, 'H': 2**16 - 1, 'I': 2**32 - 1, 'q': -2**63}


def rank(sql, query):
    """Row of each id, in order of id."""
    return {row[0]: i for i, row in enumerate(sql.execute(query))}


def values(column):
    """The column's numbers, None where they are not known."""
    wide = column.wide
    return [wide.get(i, None if value == column.unknown or value != value else value)
            for i, value in enumerate(memoryview(column))]


def lifetimes(sql, table, key, *columns):
    names = ', '.join(columns)
    return sql.execute(f'SELECT {key}, {names} FROM {table} ORDER BY {key}, {columns[0]}').fetchall()


def merged(rows):
    """Intervals of each class that touch are one."""
    found = []
    for of, start, end in rows:
        if found and found[-1][0] == of and start <= found[-1][2]:
            found[-1] = (of, found[-1][1], max(end, found[-1][2]))
        else:
            found.append((of, start, end))
    return found


def firsts(ids, rows):
    """Where the rows of each id begin."""
    counts = {}
    for row in rows:
        counts[row[0]] = counts.get(row[0], 0) + 1
    return list(itertools.accumulate((counts.get(i, 0) for i in ids), initial=0))[:-1]


def compare(table, wanted, name):
    same(sorted(table), sorted(wanted), f'{name}: columns')
    for column, numbers in wanted.items():
        same(len(table[column]), len(numbers), f'{name}.{column}')
        got = values(table[column])
        if table[column].format == 'f':
            assert all((a is None) == (b is None) and (a is None or abs(a - b) <= 2**-25) for a, b in zip(got, numbers)), column
        else:
            same(got, numbers, f'{name}.{column}')


def columns(sql, table, order, **renamed):
    """Columns of a table under the names that they have here."""
    return {name: [row[0] for row in sql.execute(f'SELECT {text} FROM {table} ORDER BY {order}')] for name, text in renamed.items()}


def check_every_column():
    for name in ('tiny', 'demo', 'poplibs'):
        report, sql = open_both(name)
        tables = report.tables
        programs = rank(sql, 'SELECT id FROM programs ORDER BY id')
        sets = rank(sql, 'SELECT compute_set FROM compute_sets ORDER BY compute_set')
        variables = rank(sql, 'SELECT id FROM variables ORDER BY id')
        categories = rank(sql, 'SELECT id FROM var_categories ORDER BY id')
        steps = rank(sql, 'SELECT id FROM steps ORDER BY id')
        runs = rank(sql, 'SELECT id FROM runs ORDER BY id')
        classes = rank(sql, 'SELECT DISTINCT equivalence_class FROM equivalence_class_intervals UNION SELECT equivalence_class '
                       'FROM vars_info WHERE equivalence_class IS NOT NULL ORDER BY 1')
        wanted = columns(sql, 'vars_info', 'rowid', id='id', tile='tile', size='size_bytes', offset='offset', alwaysLive='always_live',
                         variable='variable', category='category', equivalenceClass='equivalence_class', alignment='alignment')
        for key, ids in (('variable', variables), ('category', categories), ('equivalenceClass', classes)):
            wanted[key] = [ids.get(value) for value in wanted[key]]
        wanted['alignment'] = [None if value is None else value.bit_length() - 1 for value in wanted['alignment']]
        compare(tables.lowered, wanted, f'{name} lowered')
        intervals = merged(lifetimes(sql, 'equivalence_class_intervals', 'equivalence_class', 'start_step', 'end_step'))
        compare(tables.equivalenceClasses, {'id': list(classes), 'firstInterval': firsts(classes, intervals)}, f'{name} classes')
        compare(tables.intervals, {'start': [row[1] for row in intervals], 'end': [row[2] for row in intervals]}, f'{name} intervals')
        lives = lifetimes(sql, 'variable_lifetimes', 'variable', 'start_step', 'end_step', 'size_bytes')
        compare(tables.variables, {**columns(sql, 'variables', 'id', id='id', size='size_bytes', alwaysLive='always_live',
                                             debugId='debug_id'), 'firstLifetime': firsts(variables, lives)}, f'{name} variables')
        compare(tables.lifetimes, {'start': [row[1] for row in lives], 'end': [row[2] for row in lives],
                                   'size': [row[3] for row in lives]}, f'{name} lifetimes')
        wanted = columns(sql, 'liveness_steps', 'step', notAlwaysLiveBytes='not_always_live_bytes', program='program')
        wanted['program'] = [programs.get(value) for value in wanted['program']]
        compare(tables.livenessSteps, wanted, f'{name} livenessSteps')
        wanted = columns(sql, 'programs', 'id', id='id', computeSet='compute_set', debugId='debug_id')
        wanted['computeSet'] = [sets.get(value) for value in wanted['computeSet']]
        compare(tables.programs, wanted, f'{name} programs')
        wanted = columns(sql, 'steps', 'id', id='id', program='program', computeSet='compute_set', run='run', type='type')
        for key, ids in (('program', programs), ('computeSet', sets), ('run', runs)):
            wanted[key] = [ids.get(value) for value in wanted[key]]
        numbers = values(tables.steps['type'])
        same(len(set(zip(numbers, wanted['type']))), len(set(wanted['type'])), f'{name}: one number for each type')
        wanted['type'] = numbers
        compare(tables.steps, wanted, f'{name} steps')
        rows = sql.execute('SELECT ipu, step_id, cycles_base, active_cycles_from_max, active_cycles_to_max, active_cycles_from_min, '
                           'cycles, active_tiles, data_in, data_out, tile_balance, active_tile_balance FROM steps_by_ipu').fetchall()
        rows = [(row[0], row[2] + row[3], row[2] + row[4], steps[row[1]], row[3] - row[5], *row[6:]) for row in rows]
        rows.sort(key=lambda row: row[:4])
        names = ('start', 'end', 'step', 'leadIn', 'cycles', 'activeTiles', 'dataIn', 'dataOut', 'tileBalance', 'activeTileBalance')
        compare(tables.slices, dict(zip(names, map(list, list(zip(*rows))[1:]))), f'{name} slices')
        wanted = columns(sql, 'blocks', 'ipu, tile, cycles_from, id', id='id', program='program', run='run', ipu='ipu', tile='tile',
                         cyclesFrom='cycles_from', cyclesTo='cycles_to')
        for key, ids in (('program', programs), ('run', runs)):
            wanted[key] = [ids.get(value) for value in wanted[key]]
        compare(tables.blocks, wanted, f'{name} blocks')
        compare(tables.tiles, columns(sql, 'memory_by_tile', 'tile', total='total', includingGaps='including_gaps',
                                      excludingGaps='excluding_gaps', overflowed='overflowed', alwaysLive='always_live',
                                      notAlwaysLive='not_always_live', peakStep='peak_step'), f'{name} tiles')


def check_alone():
    for name in ('tiny', 'demo', 'confirmed'):
        # Read alone and after the other columns; where the file has none of it there is no number.
        before, sql = open_both(name)
        after, _ = open_both(name)
        len(after.compilation.loweredVariables.allBriefVars)
        for column, of in (('size', 'size_bytes'), ('offset', 'offset')):
            wanted = [2**32 - 1] * len(after.compilation.loweredVariables.allBriefVars)
            if has(sql, 'vars_info', of):
                wanted = [row[0] for row in sql.execute(f'SELECT {of} FROM vars_info ORDER BY rowid')]
            same(list(memoryview(before.tables.lowered[column])), wanted, f'{name} {column}')
            same(list(memoryview(after.tables.lowered[column])), wanted, f'{name} {column}')
    raises(pva.MissingDataError, memoryview, open_both('oom')[0].tables.slices['start'])
    report, sql = open_both('tiny')
    size = memoryview(report.tables.lowered['size'])
    same(list(size), [row[0] for row in sql.execute('SELECT size_bytes FROM vars_info ORDER BY id')], 'size')
    assert size.readonly and size.format == 'I' and len(report.tables.lowered['size']) == len(size)
    same(list(memoryview(report.tables.tiles['includingGaps'])),
         [row[0] for row in sql.execute('SELECT including_gaps FROM memory_by_tile ORDER BY tile')], 'includingGaps')
    same(sorted(memoryview(report.tables.slices['cycles'])),
         sorted(row[0] for row in sql.execute('SELECT cycles FROM steps_by_ipu')), 'cycles')
    for table in filter(lambda table: isinstance(table, dict), (getattr(report.tables, name) for name in dir(report.tables))):
        for name, column in table.items():
            same((column.name, len(memoryview(column))), (name, len(column)), name)


def check_names():
    """What references are called: the names that SQL finds for each row of the other table."""
    for name in ('tiny', 'demo', 'oom', 'confirmed'):
        report, sql = open_both(name)
        for table, column, here, order, key, of, there, names in (
                ('lowered', 'variable', 'vars_info', 'rowid', 'variable', 'variables', 'id', 'variableNames'),
                ('lowered', 'category', 'vars_info', 'rowid', 'category', 'var_categories', 'id', 'categoryNames'),
                ('livenessSteps', 'program', 'liveness_steps', 'step', 'program', 'programs', 'id', 'programNames'),
                ('programs', 'computeSet', 'programs', 'id', 'compute_set', 'compute_sets', 'compute_set', 'computeSetNames'),
                ('steps', 'program', 'steps', 'id', 'program', 'programs', 'id', 'programNames'),
                ('steps', 'computeSet', 'steps', 'id', 'compute_set', 'compute_sets', 'compute_set', 'computeSetNames'),
                ('steps', 'run', 'steps', 'id', 'run', 'runs', 'id', 'runNames'),
                ('steps', 'type', 'steps', 'id', 'type', '(SELECT DISTINCT type AS name FROM steps)', 'name', 'typeNames')):
            if not has(sql, here, key) or not sql.execute(f'SELECT 1 FROM {here}').fetchone() or of[0] != '(' and not has(sql, of):
                continue
            texts = list(getattr(report.tables, names))
            numbers = getattr(report.tables, table)[column]
            same([None if i == numbers.unknown else texts[i] for i in memoryview(numbers)],
                 [row[0] for row in sql.execute(f"SELECT iif(other.{there} IS NULL, NULL, coalesce(other.name, '')) FROM {here} AS here "
                                                f'LEFT JOIN {of} AS other ON other.{there} = here.{key} ORDER BY here.{order}')],
                 f'{name} {table} {names}')
            assert all(isinstance(text, str) for text in texts) and len(texts) == len(getattr(report.tables, names)), names
            if of[0] != '(':
                same(texts, [row[0] or '' for row in sql.execute(f'SELECT name FROM {of} ORDER BY {there}')], f'{name} {names}')
    oom, _ = open_both('oom')
    raises(pva.MissingDataError, lambda: oom.tables.typeNames)


if __name__ == '__main__':
    sys.exit(main('columns', (check_every_column, check_alone, check_names)))
