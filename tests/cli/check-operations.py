#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tessera-cli operations against sums in SQL and plain Python over the same files: which operation a
program and a variable have, and every figure of each."""

import collections
import contextlib
import functools
import json
import operator
import os
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'data'))
import naive_cbor  # noqa: E402
import tap  # noqa: E402

CLI, MAKE_REPORT = sys.argv.pop(1), sys.argv.pop(1)
DENSE = {0: 'I', 1: 'H'}


class Report:
    """The files of a folder, and what follows from them."""

    def __init__(self, folder):
        self.folder = folder
        whole, _ = naive_cbor.read(folder)
        self.strings = whole['stringTable']
        self.contexts = {context['id']: context for context in whole['contexts']}
        self.db = sqlite3.connect(f'file:{folder}/profile.pop?mode=ro', uri=True)
        (self.n_tiles,) = self.db.execute('SELECT count(*) FROM memory_by_tile').fetchone()
        self.programs = dict(self.db.execute('SELECT id, debug_id FROM programs'))
        self.runs = dict(self.db.execute('SELECT program, count(*) FROM steps GROUP BY program'))
        self.arrays, self.places = {}, {}

    def operation(self, debug_id, layer):
        """Id of the context whose operation it is; None."""
        chain = []
        while debug_id in self.contexts:
            chain.append(self.contexts[debug_id])
            debug_id = chain[-1].get('parentId', 0)
        if layer in ('poplibs', 'poplar'):
            found = [c for c in chain if c['layer'] == 'poplibs'][-1:] or [c for c in chain if c['layer'] == 'poplar']
        else:
            found = [c for c in chain if c['layer'] == layer]
        return found[0]['id'] if found else None

    def array(self, ident, n=None):
        """The numbers of the tiles of a replica, or of @n."""
        n = n or self.n_tiles
        if ident is None:
            return None
        if ident not in self.arrays:
            encoding, data = self.db.execute('SELECT encoding, data FROM tile_arrays WHERE id = ?',
                                             (ident,)).fetchone()
            if encoding in DENSE:
                values = struct.unpack(f'<{n}{DENSE[encoding]}', data)
            elif encoding == 3:
                values = struct.unpack('<I', data) * n
            else:
                pairs = struct.unpack(f'<{len(data) // 4}I', data)
                values = [0] * n
                for tile, value in zip(pairs[0::2], pairs[1::2]):
                    values[tile] = value
            self.arrays[ident] = values
        return self.arrays[ident]

    def where(self, ident):
        """The tiles whose number is not 0."""
        if ident not in self.places:
            self.places[ident] = frozenset(tile for tile, value in enumerate(self.array(ident)) if value)
        return self.places[ident]

    @functools.cache
    def query(self, sql):
        """The rows; asked once, as layers and operations ask the same."""
        return self.db.execute(sql).fetchall()

    @functools.cached_property
    def on_tiles(self):
        """What each variable and name has on each tile: the same for all layers."""
        found = collections.defaultdict(list)
        for variable, name, tile, size in self.db.execute(
                'SELECT variable, value, tile, size FROM (SELECT variable, name, tile, sum(size_bytes) AS size FROM vars_info'
                ' GROUP BY variable, name, tile) JOIN vars_string_table s ON s.id = name'):
            found[variable, name].append((tile, size))
        return found


class Expected:
    """All figures by operation, each by itself, straight from the definitions."""

    def __init__(self, report, layer):
        self.report = report
        of = {program: report.operation(debug, layer) for program, debug in report.programs.items()}
        self.of, self.figures = of, collections.defaultdict(lambda: collections.Counter())
        self.wall = collections.Counter()  # by operation and IPU
        self.programs = collections.defaultdict(list)
        for program in sorted(of):
            self.programs[of[program]].append(program)
        self.executed = bool(report.query('SELECT 1 FROM steps LIMIT 1'))
        self.by_tile = collections.defaultdict(lambda: [0] * report.n_tiles)
        self.code()
        self.vertices()
        for operation, values in self.by_tile.items():
            self.figures['codeBytesWorst'][operation] = max(0, *values)
        self.cycles()
        self.variables(layer)

    def add(self, name, operation, value):
        self.figures[name][operation] += value or 0

    def code(self):
        children = collections.defaultdict(set)
        for parent, child in self.report.query('SELECT parent, child FROM program_children'):
            children[parent].add(child)
        arrays = {row[0]: row[1:] for row in self.report.query(
            'SELECT id, control_code_by_tile, code_bytes_by_tile FROM programs')}
        for program, (control, exchange) in arrays.items():
            taken = [arrays[child][0] for child in children[program]] if control is not None else []
            for ident, sign in [(control, 1), (exchange, 1), *((ident, -1) for ident in taken)]:
                if ident is not None:
                    self.by_tile[self.of[program]][:] = map(operator.add if sign > 0 else operator.sub,
                                                            self.by_tile[self.of[program]], self.report.array(ident))
        total = '(SELECT total FROM tile_arrays a WHERE a.id = {})'
        own = dict(self.report.query(f"SELECT id, coalesce({total.format('control_code_by_tile')}, 0) FROM programs"))
        whole = dict(own)
        for parent, child in self.report.query('SELECT parent, child FROM program_children'):
            own[parent] -= whole[child]
        for program, value in own.items():
            self.add('controlCodeBytes', self.of[program], value)
        callers = collections.Counter(row[0] for row in self.report.query(
            'SELECT child FROM program_children UNION ALL SELECT callee FROM programs WHERE callee IS NOT NULL'))
        below = collections.defaultdict(list)
        for parent, child in self.report.query('SELECT parent, child FROM program_children UNION ALL'
                                               ' SELECT id, callee FROM programs WHERE callee IS NOT NULL'):
            below[parent].append(child)
        shared, todo = set(), [program for program, n in callers.items() if n > 1]
        while todo:
            at = todo.pop()
            if at not in shared:
                shared.add(at)
                todo += below[at]
        for program, value in self.report.query('SELECT p.id, a.total FROM programs p JOIN tile_arrays a'
                                                ' ON a.id = p.code_bytes_by_tile'):
            self.add('exchangeCodeBytes', self.of[program], value)
            self.add('sharedExchangeCodeBytes', self.of[program], value if program in shared else 0)

    def vertices(self):
        code = dict(self.report.query('SELECT id, code_bytes_by_tile FROM vertex_types'))
        entries = collections.defaultdict(list)
        for row in self.report.query('SELECT compute_set, vertex_type, count_by_tile FROM compute_set_vertices'):
            entries[row[0]].append(row[1:])
        places = collections.defaultdict(set)
        owners = {}
        for program, compute_set in self.report.query('SELECT id, compute_set FROM programs WHERE compute_set'
                                                      ' IS NOT NULL ORDER BY id'):
            owners.setdefault(compute_set, self.of[program])
            for vertex, counts in entries[compute_set]:
                places[self.of[program], vertex] |= self.report.where(counts)
        for (operation, vertex), tiles in places.items():
            bytes_of, line = self.report.array(code[vertex]), self.by_tile[operation]
            for tile in tiles:
                line[tile] += bytes_of[tile]
            self.add('vertexCodeBytes', operation, sum(map(bytes_of.__getitem__, tiles)))
        for compute_set, state in self.report.query('SELECT compute_set, sum(count * size_bytes) FROM'
                                                    ' compute_set_vertices JOIN vertex_types t ON t.id = vertex_type'
                                                    ' GROUP BY compute_set'):
            self.add('vertexStateBytes', owners.get(compute_set), state)

    def cycles(self):
        wall, begun = self.wall, set()
        for program, ipu, cycles, run, kind in self.report.query(
                'SELECT program, ipu, active_cycles_to_max - active_cycles_from_max, (SELECT r.id FROM runs r'
                ' WHERE s.id >= r.first_step AND s.id < r.end_step), type FROM steps s'
                ' JOIN steps_by_ipu i ON i.step_id = s.id ORDER BY cycles_base + active_cycles_from_max, s.id'):
            leads = cycles > 0 and 'Sync' not in kind and kind != 'Sans' and (run, ipu) not in begun
            if leads:
                begun.add((run, ipu))
            if not leads or kind != 'StreamCopyBegin':
                wall[self.of.get(program), ipu] += cycles
        for (operation, _), cycles in wall.items():
            self.figures['wallCycles'][operation] = max(self.figures['wallCycles'][operation], cycles)
        for program, cycles in self.report.query(
                'SELECT program, sum(total) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id JOIN tile_cycles t'
                ' ON t.set_id = s.tile_cycles AND t.ipu = i.ipu JOIN tile_arrays a ON a.id = t.cycles_by_tile'
                ' GROUP BY program'):
            self.add('measuredTileCycles', self.of.get(program), cycles)
        for program, estimate, flops, came, went in self.report.query(
                'SELECT p.id, coalesce(e.total, c.total, 0), (SELECT sum(flops) FROM compute_set_vertices v'
                ' WHERE v.compute_set = p.compute_set), i.total, o.total FROM programs p'
                ' LEFT JOIN tile_arrays e ON e.id = p.estimated_cycles_by_tile'
                ' LEFT JOIN tile_arrays i ON i.id = p.data_in_by_tile'
                ' LEFT JOIN tile_arrays o ON o.id = p.data_out_by_tile'
                ' LEFT JOIN compute_sets s ON s.compute_set = p.compute_set'
                ' LEFT JOIN tile_arrays c ON c.id = s.estimated_cycles_by_tile'):
            runs = self.report.runs.get(program, 0)
            for name, value in (('estimatedTileCycles', estimate), ('flops', flops), ('dataIn', came),
                                ('dataOut', went)):
                self.add(name, self.of[program], (value or 0) * runs)
            self.figures['executions'][self.of[program]] = max(self.figures['executions'][self.of[program]], runs)

    def variables(self, layer):
        owner, sizes = {}, {}
        for ident, size, always, debug in self.report.query('SELECT id, size_bytes, always_live, debug_id'
                                                            ' FROM variables'):
            owner[ident], sizes[ident] = self.report.operation(debug, layer), size
            self.add('variableBytes', owner[ident], size)
            self.add('alwaysLiveBytes' if always else 'temporaryBytes', owner[ident], size)
        on = collections.defaultdict(lambda: [0] * self.report.n_tiles)
        # What the compiler made belongs to the variable that has its name up to the "#", if one has.
        named = {name: ident for ident, name in self.report.query('SELECT id, name FROM variables ORDER BY id DESC')}
        for (variable, name), by_tile in self.report.on_tiles.items():
            ident = named.get(name.split('#')[0]) if variable is None else variable
            if ident is not None:
                line = on[owner[ident]]
                for tile, size in by_tile:
                    line[tile] += size
        for operation, line in on.items():
            self.figures['variableBytesWorst'][operation] = max(line)
        touched = {(self.of[program], variable)
                   for program, variable in self.report.query('SELECT program, variable FROM program_variables')}
        for operation, variable in touched:
            self.add('touchedBytes', operation, sizes[variable])


def run(*words, status=0):
    done = subprocess.run([CLI, 'operations', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return json.loads(done.stdout) if status == 0 else done.stderr


PARTITIONED = ('controlCodeBytes', 'exchangeCodeBytes', 'vertexStateBytes', 'measuredTileCycles', 'variableBytes',
               'estimatedTileCycles', 'flops')


def check_layer(report, layer):
    expected = Expected(report, layer)
    rows = run(f'--layer={layer}', '--format=json', report.folder)
    table = run(f'--layer={layer}', '--table=list', '--format=json', report.folder)['rows']
    by_key = {None if row['key'] == 'none' else int(row['key']): row for row in table}
    assert len(by_key) == len(table) == len(rows)
    assert sorted(p for row in rows for p in row['programs']) == sorted(report.programs), 'each program once'
    by_programs = {tuple(row['programs']): row for row in rows if row['programs']}
    for operation, programs in expected.programs.items():
        row, shown = by_programs[tuple(programs)], by_key[operation]
        assert (row['name'] is None) == (operation is None)
        if operation is not None:
            assert row['debugName'] == report.strings[int(report.contexts[operation]['name'])]
            assert row['debugName'] == shown['debugName'] and row['name'] == shown['name']
        assert row['codeBytes'] == shown['codeBytes'] == sum(
            expected.figures[name][operation]
            for name in ('controlCodeBytes', 'exchangeCodeBytes', 'vertexCodeBytes')), (operation, row)
        for name in ('vertexStateBytes', 'measuredTileCycles', 'wallCycles', 'estimatedTileCycles', 'flops',
                     'variableBytes', 'touchedBytes'):
            wanted = expected.figures[name][operation]
            if not expected.executed and name in ('measuredTileCycles', 'wallCycles'):
                wanted = None
            elif not expected.executed and name in ('estimatedTileCycles', 'flops'):
                continue
            assert row[name] == wanted, (layer, name, operation, row[name], wanted)
    for operation, row in by_key.items():
        for name, counts in expected.figures.items():
            if not expected.executed and name in ('executions', 'wallCycles', 'measuredTileCycles', 'dataIn',
                                                  'dataOut', 'flops', 'estimatedTileCycles'):
                continue
            if name == 'variableBytesWorst' and operation is None:
                continue  # also has what no variable has
            assert row[name] == counts[operation], (layer, name, operation, row[name], counts[operation])
    for name in PARTITIONED:
        if expected.executed or name not in ('measuredTileCycles', 'estimatedTileCycles', 'flops'):
            assert sum(row[name] for row in table) == sum(expected.figures[name].values()), name
    total = report.query('SELECT sum(size_bytes) FROM variables')[0][0]
    assert sum(row['variableBytes'] for row in rows) == total
    # Of all operations together, whatever the layer, on the tile that has most.
    summary = {row['key']: row['total']
               for row in run(f'--layer={layer}', '--table=summary', '--format=json', report.folder)['rows']}
    for name, which in (('variableBytesWorst', '1'), ('alwaysLiveBytesWorst', 'always_live'),
                        ('temporaryBytesWorst', '1 - always_live')):
        assert summary[name] == report.query('SELECT max(bytes) FROM (SELECT sum(size_bytes * (%s)) AS bytes'
                                             ' FROM vars_info GROUP BY tile)' % which)[0][0], (layer, name)
    return table


def check_replaced(report, layer, table):
    wanted = {context['id']: json.loads(context['replacedDebugContextIds']) for context in report.contexts.values()
              if 'replacedDebugContextIds' in context}
    for row in table:
        if row['key'] == 'none':
            continue
        ids = wanted.get(int(row['key']), [])
        names = ', '.join(report.strings[int(report.contexts[ident]['name'])] for ident in ids)
        assert (row['replaces'] or '') == names, (layer, row)


def check_edges(report, layer, table):
    """Producers and consumers of every operation: the same edges from both ends, and those that the files tell."""
    names = {'popart': ('inputs', 'outputs'), 'onnx': ('input', 'output'), 'popartbuilder': ('inputs', 'outputs')}
    of = {program: report.operation(debug, layer) for program, debug in report.programs.items()}
    roles = collections.defaultdict(lambda: collections.defaultdict(set))
    for program, role, variable in report.query('SELECT program, role, variable FROM program_variables'):
        roles[variable][role].add(of[program])
    wanted = collections.defaultdict(set)
    text = dict(report.query('SELECT id, name FROM variables'))
    # Of temporaries; what is live at nearly all steps is none.
    makers = {variable: report.operation(debug, layer) for variable, debug in report.query(
        'SELECT id, debug_id FROM variables WHERE NOT always_live AND id IN (SELECT variable FROM variable_lifetimes'
        ' GROUP BY variable HAVING sum(end_step - start_step) < 0.98 * (SELECT count(*) FROM liveness_steps))')}
    for variable, by_role in roles.items():
        writers, readers = set(by_role[2]), set(by_role[1])
        maker = makers.get(variable)
        if by_role[2]:
            readers |= by_role[0]
        elif by_role[1] and maker is not None and maker in by_role[0]:
            writers.add(maker)
            readers |= by_role[0] - {maker}
        elif by_role[1]:
            writers |= by_role[0]
        for source in writers:
            for target in readers - {source}:
                wanted[source, target, text[variable]].add('r')
    if layer in names:
        keys = [int(row['key']) for row in table if row['key'] != 'none']
        reads, writes = names[layer]
        readers = collections.defaultdict(set)
        for target in keys:
            for name in report.contexts[target].get(reads, []):
                readers[name].add(target)
        for source in keys:
            for name in report.contexts[source].get(writes, []):
                for target in readers[name] - {source}:
                    wanted[source, target, name].add('d')
    found = [collections.defaultdict(set), collections.defaultdict(set)]
    kinds = {'Recorded': {'r'}, 'Declared': {'d'}, 'Recorded and declared': {'r', 'd'}}
    for row in table:
        mine = None if row['key'] == 'none' else int(row['key'])
        for end, name in enumerate(('producers', 'consumers')):
            for edge in run(f'--layer={layer}', f'--table={name}', f"--operation={row['key']}", '--format=json',
                            report.folder)['rows']:
                other = int(edge['key'].split('\t')[-1]) or None
                ends = (other, mine) if end == 0 else (mine, other)
                found[end][(*ends, edge['variable'])] |= kinds[edge['kind']]
    assert found[0] == found[1] == wanted, (layer, len(found[0]), len(found[1]), len(wanted))
    assert wanted


def tables_of(report, layer, key, *names):
    return [run(f'--layer={layer}', f'--table={name}', f'--operation={key}', '--format=json', report.folder)['rows']
            for name in names]


def expect_by_tile(report, programs):
    """Control, exchange and vertex code, estimated and measured cycles of these programs on each tile."""
    listed = ','.join(map(str, programs))
    n_tiles = report.n_tiles * report.query('SELECT num_replicas FROM target')[0][0]
    sums = {name: [0] * n_tiles for name in ('control', 'exchange', 'vertex', 'estimated', 'measured')}

    def add(name, ident, times=1, first=0, only=None, n=None):
        values = report.array(ident, n) or ()
        if only is not None:
            for tile in only:
                sums[name][first + tile] += values[tile] * times
        elif times != 0:
            end = first + len(values)
            sums[name][first:end] = [one + value * times for one, value in zip(sums[name][first:end], values)]

    for control, exchange in report.query('SELECT control_code_by_tile, code_bytes_by_tile FROM programs'
                                          f' WHERE id IN ({listed})'):
        add('control', control)
        add('exchange', exchange)
    for (child,) in report.query('SELECT p.control_code_by_tile FROM (SELECT DISTINCT parent, child FROM'
                                 f' program_children WHERE parent IN ({listed})) c JOIN programs p ON p.id = c.child'
                                 ' JOIN programs q ON q.id = c.parent WHERE q.control_code_by_tile IS NOT NULL'):
        add('control', child, -1)
    places = collections.defaultdict(set)
    for code, counts in report.query('SELECT t.code_bytes_by_tile, v.count_by_tile FROM compute_set_vertices v'
                                     ' JOIN vertex_types t ON t.id = v.vertex_type WHERE v.compute_set IN'
                                     f' (SELECT compute_set FROM programs WHERE id IN ({listed}))'):
        places[code] |= report.where(counts)
    for code, tiles in places.items():
        add('vertex', code, only=tiles)
    for program, estimate in report.query(
            'SELECT p.id, coalesce(c.estimated_cycles_by_tile, p.estimated_cycles_by_tile) FROM programs p'
            f' LEFT JOIN compute_sets c ON c.compute_set = p.compute_set WHERE p.id IN ({listed})'):
        add('estimated', estimate, report.runs.get(program, 0))
    (n,) = report.query('SELECT tiles_per_ipu FROM target')[0]
    for ipu, cycles in report.query(
            'SELECT i.ipu, t.cycles_by_tile FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id JOIN tile_cycles t'
            f' ON t.set_id = s.tile_cycles AND t.ipu = i.ipu WHERE s.program IN ({listed})'):
        add('measured', cycles, 1, ipu * n, n=n)
    return sums


def check_details(report, layer, n):
    """Every table of some operations: programs, steps, code and cycles on each tile, variables, contexts."""
    of = {program: report.operation(debug, layer) for program, debug in report.programs.items()}
    by_key = collections.defaultdict(list)
    for program, operation in of.items():
        by_key[operation].append(program)
    keys = [key for key in by_key if key is not None]
    table = {row['key']: row for row in run(f'--layer={layer}', '--table=list', '--format=json', report.folder)['rows']}
    for key in keys[::max(1, len(keys) // n)]:
        programs, row = by_key[key], table[str(key)]
        listed = ','.join(map(str, programs))
        summary, rows, code, cycles, steps, variables, contexts = tables_of(
            report, layer, key, 'summary', 'programs', 'code', 'cycles', 'steps', 'variables', 'debug')
        assert {line['key']: line['value'] for line in summary if line['key'] in row} == {
            name: value for name, value in row.items() if name in {line['key'] for line in summary}}, key
        assert [line['total'] for line in summary if line['key'] == 'nOperations'] == [len(table) - ('none' in table)], key
        # A share is told of what all operations add up to.
        for line in summary:
            if line['key'] in row and line['key'] not in ('nOperations', 'flopsPerSecond'):
                adds_up = sum(other[line['key']] or 0 for other in table.values()) == line['total']
                share = line['share']
                assert share is None or adds_up and line['total'] > 0, (layer, key, line)
                assert share is None or abs(share - line['value'] / line['total']) < 1e-8, (layer, key, line)
                assert share is not None or line['key'] not in PARTITIONED or not line['total'], (layer, key, line)
        assert sorted(line['id'] for line in rows) == sorted(programs)
        assert sorted(line['step'] for line in steps) == sorted(
            step for (step,) in report.query(f'SELECT id FROM steps WHERE program IN ({listed})'))
        wanted = expect_by_tile(report, programs)
        assert len(code) == report.n_tiles
        for line in code:
            for name, column in (('control', 'controlCodeBytes'), ('exchange', 'exchangeCodeBytes'),
                                 ('vertex', 'vertexCodeBytes')):
                assert line[column] == wanted[name][line['tile']], (layer, key, name, line)
        for column in ('controlCodeBytes', 'exchangeCodeBytes', 'vertexCodeBytes'):
            assert sum(line[column] for line in code) == row[column], (layer, key, column)
        for name, column in (('measured', 'measuredTileCycles'), ('estimated', 'estimatedTileCycles')):
            for line in cycles:
                assert (line[name] or 0) == wanted[name][line['tile']], (layer, key, name, line)
            assert sum(line[name] or 0 for line in cycles) == row[column], (layer, key, name)
        touched = {name for (name,) in report.query('SELECT v.name FROM program_variables t JOIN variables v'
                                                    f' ON v.id = t.variable WHERE t.program IN ({listed})')}
        own = {name: size for name, size, debug in report.query('SELECT name, size_bytes, debug_id FROM variables')
               if report.operation(debug, layer) == key}
        assert {line['name'] for line in variables} == touched | set(own), (layer, key)
        assert sum(line['ownBytes'] for line in variables) == sum(own.values()) == row['variableBytes']
        assert {line['name'] for line in variables if line['role']} == touched
        assert contexts[0]['parent'] is None and row['debugName'] in {line['value'] for line in contexts}


def check_groups(report, layer):
    """What stands over several is their sum, and names what they have in common."""
    flat = {row['key']: row for row in run(f'--layer={layer}', '--table=list', '--format=json', report.folder)['rows']}
    expected = Expected(report, layer)
    for words, name in ((('--group-by=api',), lambda row: row['name']),
                        (('--group-by=prefix', '--depth=2'), lambda row: '/'.join(row['debugName'].split('/')[:2]))):
        rows = run(f'--layer={layer}', '--table=list', '--format=json', *words, report.folder)['rows']
        # Only this table is grouped, and only prefixes have a depth: neither needs to be said.
        assert run(f'--layer={layer}', '--format=json', words[-1], report.folder)['rows'] == rows
        groups = {row['key']: [] for row in rows if row['key'].startswith('group')}
        wanted = collections.Counter(name(row) for key, row in flat.items() if key != 'none')
        assert {key.split('\t')[1] for key in groups} == {word for word, count in wanted.items() if count > 1} and groups
        for row in rows:
            if row['key'] in groups:
                continue
            assert {**row, 'parent': None} == {**flat[row['key']], 'parent': None}
            if row['parent']:
                groups[row['parent']].append(row)
                assert row['parent'] == 'group\t' + name(row)
        for row in rows:
            if row['key'] in groups:
                below = groups[row['key']]
                assert row['name'] == f"{len(below)} × {row['key'].split(chr(9))[1]}"
                for figure in PARTITIONED:
                    assert row[figure] == sum(other[figure] for other in below), (row['key'], figure)
                wanted = expect_by_tile(report, [program for program, debug in report.programs.items()
                                                 if str(report.operation(debug, layer)) in {other['key'] for other in below}])
                code = sum(wanted['control']) + sum(wanted['exchange']) + sum(wanted['vertex'])
                assert row['codeBytes'] == code, (row, code)
                keys = {other['key'] for other in below}
                by_ipu = collections.Counter()
                for (operation, ipu), cycles in expected.wall.items():
                    if str(operation) in keys:
                        by_ipu[ipu] += cycles
                assert row['wallCycles'] == (max(by_ipu.values(), default=0) if expected.executed else None), row


@contextlib.contextmanager
def make(words):
    """The folder of a report: the one that the build has made, or another."""
    built = pathlib.Path(os.environ['TESSERA_TEST_REPORTS']) / words[0]
    if len(words) == 1 and built.is_dir():
        yield str(built)
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([MAKE_REPORT, '--only=profile,debug', *words, folder], check=True, stdout=subprocess.DEVNULL)
        yield folder


def check_one(words, layer, n):
    with make(words) as folder:
        report = Report(folder)
        check_details(report, layer, n)
        check_groups(report, layer)
        assert 'key' in run('--table=code', folder, status=2)
        assert 'nonsense' in run('--table=code', '--operation=nonsense', folder, status=2)
        report.db.close()


def check(words, layers, edges):
    with make(words) as folder:
        report = Report(folder)
        for layer in layers:
            table = check_layer(report, layer)
            check_replaced(report, layer, table)
            if layer in edges:
                check_edges(report, layer, table)
        said = run('--layer=nonsense', folder, status=2)
        assert all(layer in said for layer in layers if layer != 'poplar'), said
        report.db.close()


def check_missing():
    """Without debug.cbor the message names it and the option that records it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([MAKE_REPORT, '--only=profile', 'tiny', folder], check=True, stdout=subprocess.DEVNULL)
        said = run(folder, status=2)
        assert 'debug.cbor' in said and 'autoReport.outputDebugInfo' in said, said


if __name__ == '__main__':
    ONNX = ('poplibs', 'popart', 'onnx', 'popartbuilder')
    sys.exit(tap.main([
        ('onnx', lambda: check(['demo'], ONNX, ('onnx',))),
        ('compiled-only', lambda: check(['oom'], ('poplibs',), ())),
        ('tiny', lambda: check(['tiny'], ONNX[:3], ('popart',))),
        ('poplibs', lambda: check(['poplibs'], ('poplibs', 'poplar'), ('poplibs',))),
        ('tensorflow', lambda: check(['trace', '3000'], ('xla_op', 'hloinstruction', 'poplar_driver', 'poplibs'), ())),
        ('details', lambda: check_one(['poplibs'], 'poplibs', 6)),
        ('details-many-ipus', lambda: check_one(['demo'], 'onnx', 4)),
        ('missing', check_missing),
    ]))
