#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that say "import pva", run by "python3 -m tessera_pva", against SQL: the examples of docs/python.md, and clients in the
manner of those that people wrote for libpva."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from pva_test import main, open_both, path_of, pva, raises, same, tap

SCRIPTS = pathlib.Path(__file__).with_name('scripts')
CLIENTS = pathlib.Path(__file__).with_name('clients')


def run(*arguments, path=None):
    env = dict(os.environ)
    env['PYTHONPATH'] = os.pathsep.join([*(path or []), env['PYTHONPATH']])
    done = subprocess.run([sys.executable, '-B', *map(str, arguments)], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return done


def lines(script, *reports):
    out = run('-m', 'tessera_pva', SCRIPTS / script, *map(path_of, reports)).stdout
    return [line.split() for line in out.splitlines()]


def check_fullest_tiles():
    _, sql = open_both('demo')
    same([int(line[1]) for line in lines('fullest_tiles.py', 'demo')],
         [row[0] for row in sql.execute('SELECT including_gaps FROM memory_by_tile ORDER BY 1 DESC LIMIT 10')], 'bytes')


def check_liveness_by_layer():
    _, sql = open_both('demo')
    found = lines('liveness_by_layer.py', 'demo')
    step, most = sql.execute('SELECT step, max(not_always_live_bytes) FROM liveness_steps').fetchone()
    same(int(found[0][-1]), most, 'the peak')
    wanted = {}
    for name, size in sql.execute('SELECT name, l.size_bytes FROM variable_lifetimes l JOIN variables v ON v.id = variable '
                                  'WHERE start_step <= ?1 AND end_step > ?1', (step,)):
        layer = name.split('/')[0]
        wanted[layer] = wanted.get(layer, 0) + size
    same({' '.join(line[:-1]): int(line[-1]) for line in found[1:]}, wanted, 'layers')


def check_cycles_by_type():
    _, sql = open_both('demo')
    found = {line[0]: int(line[1]) for line in lines('cycles_by_type.py', 'demo')}
    several = sql.execute('SELECT count(*) FROM steps s WHERE type = \'OnTileExecute\' AND (SELECT count(*) FROM '
                          'compute_set_vertices v WHERE v.compute_set = s.compute_set) > 1').fetchone()[0]
    wanted = dict(sql.execute('SELECT s.type, sum(i.cycles) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE '
                              'i.ipu = 0 GROUP BY 1'))
    same(found, {**wanted, 'several': several}, 'cycles')


def check_compare_reports():
    sums = [open_both(name)[1].execute('SELECT sum(excluding_gaps) FROM memory_by_tile').fetchone()[0]
            for name in ('demo', 'oom')]
    found = {line[0]: list(map(int, line[1:])) for line in lines('compare_reports.py', 'demo', 'oom')}
    same(found['total'], [*sums, sums[1] - sums[0]], 'totals')
    same(lines('compare_reports.py', 'demo', 'demo'), [], 'no difference')


def check_csv():
    _, sql = open_both('tiny')
    rows = sql.execute('SELECT including_gaps, always_live, not_always_live FROM memory_by_tile ORDER BY tile').fetchall()
    same(lines('csv_for_a_paper.py', 'tiny')[1:],
         [[','.join(map(str, (i, *row)))] for i, row in enumerate(rows * 2)], 'rows')


def client(script, *arguments):
    return json.loads(run('-m', 'tessera_pva', CLIENTS / script, *arguments).stdout)


def check_split_pipeline():
    """Each operation's bytes, code and cycles, from the ids of its programs; the stages together are the whole."""
    for name in ('demo', 'poplibs'):
        _, sql = open_both(name)
        found = client('split_pipeline.py', path_of(name), pathlib.Path(path_of(name)).with_name('debug.cbor'), 4)
        operations = found['operations']
        assert len(operations) > 20 and found['isIpu'], operations
        # Only what outlining made one has several operations for the same programs.
        ids = [i for operation in operations if not operation['replaced'] for i in operation['programs']]
        same(len(set(ids)), len(ids), f'{name}: programs of two operations')
        for operation in operations:
            marks = ', '.join(map(str, operation['programs']))
            wanted = sql.execute(
                'SELECT coalesce(sum(size_bytes), 0), coalesce(sum(size_bytes * always_live), 0) FROM vars_info WHERE variable IN '
                f'(SELECT variable FROM program_variables WHERE program IN ({marks}))').fetchone()
            same((operation['bytes'], operation['alwaysLive']), wanted, f'{name} {operation["name"]}: bytes')
            same((operation['cycles'],), sql.execute(
                f'SELECT coalesce(sum(most), 0) FROM (SELECT max(cycles) AS most FROM steps JOIN steps_by_ipu ON step_id = id '
                f'WHERE program IN ({marks}) GROUP BY id)').fetchone(), f'{name} {operation["name"]}: cycles')
            same((operation['first'],), sql.execute(f'SELECT min(step) FROM liveness_steps WHERE program IN ({marks})').fetchone(),
                 f'{name} {operation["name"]}: first step')
        assert sum(operation['bytes'] for operation in operations) > 0
        same(sorted({operation['stage'] for operation in operations}), [0, 1, 2, 3], 'stages')


def check_memory_dashboard():
    for name in ('tiny', 'oom'):
        _, sql = open_both(name)
        board = client('memory_dashboard.py', path_of(name))
        per_ipu, room, ipus = sql.execute('SELECT tiles_per_ipu, bytes_per_tile, ipus_per_replica FROM target').fetchone()
        for number, ipu in enumerate(board['ipus']):
            where = f'WHERE tile / {per_ipu} = {number % ipus}'
            same([ipu[key] for key in ('used', 'gaps', 'free', 'alwaysLive')], list(sql.execute(
                'SELECT sum(excluding_gaps), sum(including_gaps - excluding_gaps), sum(max(? - including_gaps, 0)), sum(always_live) '
                f'FROM memory_by_tile {where}', (room,)).fetchone()), f'{name} {number}')
            same(ipu['tooFull'], [row[0] for row in sql.execute(
                f'SELECT tile % {per_ipu} FROM memory_by_tile {where} AND including_gaps > ? ORDER BY tile', (room,))], 'too full')
            sums = dict(sql.execute('SELECT name, sum(non_overlapped + overlapped) FROM memory_by_tile_category '
                                    f'JOIN var_categories ON id = category {where} GROUP BY name'))
            same(ipu['categories'], {key: size for key, size in sums.items() if size}, f'{name} {number} categories')
            same((ipu['fullest'],), sql.execute(
                f'SELECT tile % {per_ipu} FROM memory_by_tile {where} ORDER BY including_gaps DESC, tile LIMIT 1').fetchone(), 'fullest')
        same(board['largest'], [list(row) for row in sql.execute(
            'SELECT size_bytes, id FROM vars_info WHERE tile = ? ORDER BY 1 DESC, 2 DESC LIMIT 10', (board['ipus'][0]['fullest'],))],
             'largest')


def check_liveness_plot():
    _, sql = open_both('demo')
    found = client('liveness_plot.py', path_of('demo'))
    always, = sql.execute('SELECT sum(size_bytes) FROM variables WHERE always_live').fetchone()
    total = [always + row[0] for row in sql.execute('SELECT not_always_live_bytes FROM liveness_steps ORDER BY step')]
    same(found['total'], total, 'total')
    peak = total.index(max(total))
    same(found['byIpu'], [row[0] for row in sql.execute(
        'SELECT not_always_live_bytes FROM liveness_by_ipu WHERE step = ? ORDER BY ipu', (peak,))], 'by IPU')
    same(found['live'], sorted(list(row) for row in sql.execute(
        'SELECT name, l.size_bytes FROM variable_lifetimes l JOIN variables ON id = variable WHERE start_step <= ?1 AND end_step > ?1',
        {'1': peak})), 'live')
    same(found['names'], [row[0] for row in sql.execute(
        'SELECT name FROM liveness_steps JOIN programs ON id = program ORDER BY step DESC LIMIT 3')][::-1], 'names')
    curve = [sql.execute('SELECT sum(size_bytes) FROM vars_info WHERE tile = ? AND always_live', (found['tile'],)).fetchone()[0]] * len(total)
    for start, end, size in sql.execute('SELECT start_step, end_step, size_bytes FROM vars_info JOIN equivalence_class_intervals USING '
                                        '(equivalence_class) WHERE tile = ? AND NOT always_live', (found['tile'],)):
        for step in range(start, end):
            curve[step] += size
    same(found['curve'], curve, 'tile')
    for number, spans in found['spans']:
        wanted = sql.execute('SELECT start_step, end_step FROM vars_info JOIN equivalence_class_intervals USING (equivalence_class) '
                             'WHERE id = ? ORDER BY 1', (number,)).fetchall()
        same(spans, [list(row) for row in wanted] or [[0, len(total)]], f'variable {number}')


def check_model_tests():
    """Helpers of tests: a report that fits passes, and one that does not fails where it should."""
    for name, failed in (('demo', []), ('oom', ['cycles', 'fits', 'instrumentation'])):
        done = subprocess.run([sys.executable, '-B', '-m', 'tessera_pva', CLIENTS / 'model_tests.py', path_of(name)],
                              capture_output=True, text=True, check=False)
        same(sorted(line.split()[1].removeprefix('test_') for line in done.stderr.splitlines() if line.startswith(('FAIL:', 'ERROR:'))),
             failed, done.stderr)
        assert 'Ran 5 tests' in done.stderr, done.stderr


def check_documentation():
    """docs/python.md has the examples as they run."""
    text = (tap.ROOT / 'docs/python.md').read_text(encoding='utf-8')
    scripts = sorted(SCRIPTS.glob('*.py'))
    same(len(scripts), 5, 'scripts')
    for script in scripts:
        assert script.read_text(encoding='utf-8').split('\n', 1)[1].strip() in text, script.name


def check_alias():
    """The name pva is nobody's by itself, is Graphcore's where it is there, and ours when asked for."""
    raises(ImportError, __import__, 'pva')
    folder = run('-m', 'tessera_pva', '--path').stdout.strip()
    text = 'import pva, pva.pva_core, tessera_pva; print(pva.openReport is tessera_pva.openReport is pva.pva_core.openReport)'
    same(run('-c', text, path=[folder]).stdout, 'True\n', '--path')
    same(run('-c', f'import tessera_pva; tessera_pva.install_as_pva(); {text}').stdout, 'True\n', 'install_as_pva')
    with tempfile.TemporaryDirectory() as other:
        pathlib.Path(other, 'pva.py').write_text('mine = 1\n', encoding='utf-8')
        said = run('-c', 'import tessera_pva\ntry: tessera_pva.install_as_pva()\nexcept ImportError as error: print(error)\n'
                         'import pva; print(pva.mine)', path=[other]).stdout.split('\n')
        assert other in said[0] and said[1] == '1', said
        script = pathlib.Path(other, 'script.py')
        script.write_text('import pva, sys; print(pva.openReport.__name__, sys.argv[1:], __name__)\n', encoding='utf-8')
        done = run('-m', 'tessera_pva', script, '-x', 'y', path=[other])
        same(done.stdout, "openReport ['-x', 'y'] __main__\n", 'script')
        assert other in done.stderr, done.stderr
    same(run('-m', 'tessera_pva', '--version').stdout, f'tessera_pva {pva.__version__}\n', '--version')


if __name__ == '__main__':
    sys.exit(main('scripts', (check_fullest_tiles, check_liveness_by_layer, check_cycles_by_type, check_compare_reports,
                              check_csv, check_split_pipeline, check_memory_dashboard, check_liveness_plot, check_model_tests,
                              check_documentation, check_alias)))
