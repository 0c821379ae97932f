#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tessera-cli operations against sums in SQL and plain Python over the same files: which operation a
program and a variable have, and every figure of each."""

import collections
import json
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
        self.arrays = {}

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

    def array(self, ident):
        if ident is None:
            return None
        if ident not in self.arrays:
            encoding, data = self.db.execute('SELECT encoding, data FROM tile_arrays WHERE id = ?',
                                             (ident,)).fetchone()
            if encoding in DENSE:
                values = struct.unpack(f'<{self.n_tiles}{DENSE[encoding]}', data)
            elif encoding == 3:
                values = struct.unpack('<I', data) * self.n_tiles
            else:
                pairs = struct.unpack(f'<{len(data) // 4}I', data)
                values = [0] * self.n_tiles
                for tile, value in zip(pairs[0::2], pairs[1::2]):
                    values[tile] = value
            self.arrays[ident] = values
        return self.arrays[ident]

    def query(self, sql):
        return self.db.execute(sql).fetchall()


class Expected:
    """All figures by operation, each by itself, straight from the definitions."""

    def __init__(self, report, layer):
        self.report = report
        of = {program: report.operation(debug, layer) for program, debug in report.programs.items()}
        self.of, self.figures = of, collections.defaultdict(lambda: collections.Counter())
        self.programs = collections.defaultdict(list)
        for program in sorted(of):
            self.programs[of[program]].append(program)
        self.runs = dict(report.query('SELECT program, count(*) FROM steps GROUP BY program'))
        self.executed = bool(report.query('SELECT 1 FROM steps LIMIT 1'))
        self.code()
        self.vertices()
        self.cycles()
        self.variables(layer)

    def add(self, name, operation, value):
        self.figures[name][operation] += value or 0

    def code(self):
        total = '(SELECT total FROM tile_arrays a WHERE a.id = {})'
        own = dict(self.report.query(f"SELECT id, coalesce({total.format('control_code_by_tile')}, 0) FROM programs"))
        for parent, child in self.report.query('SELECT parent, child FROM program_children'):
            child_total = self.report.query('SELECT coalesce(a.total, 0) FROM programs p LEFT JOIN tile_arrays a'
                                            f' ON a.id = p.control_code_by_tile WHERE p.id = {child}')[0][0]
            own[parent] -= child_total
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
                for tile, count in enumerate(self.report.array(counts)):
                    if count:
                        places[self.of[program]].add((vertex, tile))
        for operation, pairs in places.items():
            for vertex, tile in pairs:
                self.add('vertexCodeBytes', operation, self.report.array(code[vertex])[tile])
        for compute_set, state in self.report.query('SELECT compute_set, sum(count * size_bytes) FROM'
                                                    ' compute_set_vertices JOIN vertex_types t ON t.id = vertex_type'
                                                    ' GROUP BY compute_set'):
            self.add('vertexStateBytes', owners.get(compute_set), state)

    def cycles(self):
        wall = collections.Counter()
        for program, ipu, cycles in self.report.query(
                'SELECT program, ipu, sum(active_cycles_to_max - active_cycles_from_max) FROM steps s'
                ' JOIN steps_by_ipu i ON i.step_id = s.id GROUP BY program, ipu'):
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
            runs = self.runs.get(program, 0)
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
        on = collections.Counter()
        for variable, tile, size in self.report.query('SELECT variable, tile, sum(size_bytes) FROM vars_info'
                                                      ' WHERE variable IS NOT NULL GROUP BY variable, tile'):
            on[owner[variable], tile] += size
        for (operation, _), size in on.items():
            self.figures['variableBytesWorst'][operation] = max(self.figures['variableBytesWorst'][operation], size)
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
    for variable, by_role in roles.items():
        writers, readers = set(by_role[2]), set(by_role[1])
        if by_role[2]:
            readers |= by_role[0]
        elif by_role[1]:
            writers |= by_role[0]
        for source in writers:
            for target in readers - {source}:
                wanted[source, target, text[variable]].add('r')
    if layer in names:
        keys = [int(row['key']) for row in table if row['key'] != 'none']
        reads, writes = names[layer]
        for source in keys:
            for target in keys:
                for name in set(report.contexts[source].get(writes, [])) & set(report.contexts[target].get(reads, [])):
                    if source != target:
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


def check(words, layers, edges):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([MAKE_REPORT, '--only=profile,debug', *words, folder], check=True, stdout=subprocess.DEVNULL)
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
        ('missing', check_missing),
    ]))
